"""Rows of a table by number: embeddings."""

from minigrad.nn import functional as F, init
from minigrad.autograd.grad_mode import no_grad
from minigrad.nn.modules.layer import Layer, bad_option
from minigrad.nn.parameter import Parameter

__all__ = ["Embedding", "EmbeddingBag"]


class _Table(Layer):
    """A table of ``num_embeddings`` rows, with normal numbers at first, and zeros in the row ``padding_idx``."""

    num_embeddings: int
    embedding_dim: int
    padding_idx: int | None
    max_norm: float | None
    norm_type: float
    scale_grad_by_freq: bool
    sparse: bool
    weight: Parameter

    def __init__(self, num_embeddings, embedding_dim, padding_idx, _weight, requires_grad, device, dtype, **options):
        if padding_idx is not None:
            if not -num_embeddings <= padding_idx < max(num_embeddings, 1):
                raise bad_option(f"{self._padding_name} must be within num_embeddings: {padding_idx} is not a row of "
                                 f"{num_embeddings}")
            padding_idx %= max(num_embeddings, 1)
        super().__init__(num_embeddings=num_embeddings, embedding_dim=embedding_dim, padding_idx=padding_idx, **options)
        if _weight is None:
            self._learn("weight", (num_embeddings, embedding_dim), device, dtype)
            self.weight.requires_grad_(requires_grad)
            self.reset_parameters()
        elif list(_weight.shape) != [num_embeddings, embedding_dim]:
            raise bad_option("Shape of weight does not match num_embeddings and embedding_dim: "
                             f"{list(_weight.shape)} is not [{num_embeddings}, {embedding_dim}]")
        else:
            self.weight = Parameter(_weight, requires_grad)

    def reset_parameters(self):
        """Draw new numbers."""
        init.normal_(self.weight)
        self._fill_padding_idx_with_zero()

    def _fill_padding_idx_with_zero(self):
        if self.padding_idx is not None:
            with no_grad():
                self.weight[self.padding_idx].fill_(0)

    @classmethod
    def from_pretrained(cls, embeddings, freeze=True, *args, **options):
        """The layer with the table ``embeddings``, which is learned further only with ``freeze=False``.

        >>> table = torch.nn.Embedding.from_pretrained(torch.tensor([[1., 2.], [3., 4.]]))
        >>> table(torch.tensor([1, 1]))
        tensor([[3., 4.],
                [3., 4.]])
        """
        if embeddings.dim() != 2:
            raise bad_option("Embeddings parameter is expected to be 2-dimensional, and it has shape "
                             f"{list(embeddings.shape)}")
        made = cls(*embeddings.shape, *args, **options, **cls._frozen(freeze), _weight=embeddings)
        made.weight.requires_grad = not freeze
        return made

    @staticmethod
    def _frozen(freeze):
        """What the constructor is told of a table that may not be able to learn: one of integers."""
        return {}

    def _shown(self, usual):
        """The sizes, and the options that are not what ``usual`` says."""
        options = vars(self)
        return f"{self.num_embeddings}, {self.embedding_dim}" + "".join(
            f", {name}={options[name]!r}" for name, value in usual.items() if options[name] != value)


class Embedding(_Table):
    """Numbers, such as those of words, as vectors: the rows of a table that is learned.

    Parameters
    ----------
    num_embeddings, embedding_dim : the shape of the table
    padding_idx : a row that is not learned, and begins as zeros
    max_norm, norm_type : rows whose norm is larger than ``max_norm`` are scaled down to it when they are used
    scale_grad_by_freq : divide the gradient of a row by how often it is used
    sparse : has no effect: gradients are dense

    >>> layer = torch.nn.Embedding(10, 3, padding_idx=0)
    >>> layer
    Embedding(10, 3, padding_idx=0)
    >>> layer(torch.tensor([[0, 4]])).shape
    torch.Size([1, 2, 3])
    """

    _padding_name = "Padding_idx"

    def __init__(self, num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.,
                 scale_grad_by_freq=False, sparse=False, _weight=None, _freeze=False, device=None, dtype=None):
        super().__init__(num_embeddings, embedding_dim, padding_idx, _weight, not _freeze, device, dtype,
                         max_norm=max_norm, norm_type=norm_type, scale_grad_by_freq=scale_grad_by_freq, sparse=sparse)

    @staticmethod
    def _frozen(freeze):
        return {"_freeze": freeze}

    def forward(self, input):
        return F.embedding(input, self.weight, self.padding_idx, self.max_norm, self.norm_type,
                           self.scale_grad_by_freq, self.sparse)

    def extra_repr(self):
        return self._shown({"padding_idx": None, "max_norm": None, "norm_type": 2, "scale_grad_by_freq": False,
                            "sparse": False})


class EmbeddingBag(_Table):
    """The sums, means or maxima of bags of rows of a table, as ``mode`` says.

    ``input`` of shape (B, L) has B bags of one length; one of a single dim is cut where ``offsets`` say.

    >>> layer = torch.nn.EmbeddingBag.from_pretrained(torch.tensor([[1., 2.], [3., 4.]]), mode="sum")
    >>> layer
    EmbeddingBag(2, 2, mode='sum')
    >>> layer(torch.tensor([0, 1, 1]), torch.tensor([0, 2]))
    tensor([[4., 6.],
            [3., 4.]])
    """

    mode: str
    include_last_offset: bool

    _padding_name = "padding_idx"

    def __init__(self, num_embeddings, embedding_dim, max_norm=None, norm_type=2., scale_grad_by_freq=False,
                 mode="mean", sparse=False, _weight=None, include_last_offset=False, padding_idx=None, device=None,
                 dtype=None):
        super().__init__(num_embeddings, embedding_dim, padding_idx, _weight, True, device, dtype, max_norm=max_norm,
                         norm_type=norm_type, scale_grad_by_freq=scale_grad_by_freq, mode=mode, sparse=sparse,
                         include_last_offset=include_last_offset)

    def forward(self, input, offsets=None, per_sample_weights=None):
        return F.embedding_bag(input, self.weight, offsets, self.max_norm, self.norm_type, self.scale_grad_by_freq,
                               self.mode, self.sparse, per_sample_weights, self.include_last_offset, self.padding_idx)

    def extra_repr(self):
        return self._shown({"max_norm": None, "norm_type": 2, "scale_grad_by_freq": False, "mode": None,
                            "padding_idx": None})
