"""Norms over each channel: of a batch (BatchNorm), or of each example (InstanceNorm).

A channel has mean 0 and variance 1 after either; ``weight`` and ``bias`` then give it others, which are learned.

    y = (x - mean) / sqrt(var + eps) * weight + bias

In training, mean and variance are those of the batch.  For evaluation, running averages of them are kept in buffers:
``running = (1 - momentum) * running + momentum * of the batch``, which ``nn.functional.batch_norm`` writes.
"""

from minigrad._core.errors import error, warn
from minigrad._core.graph import Tensor
from minigrad.creation import ones, zeros
from minigrad.dtypes import int64
from minigrad.nn import functional as F, init
from minigrad.nn.modules.layer import Layer
from minigrad.nn.modules.lazy import LazyModuleMixin
from minigrad.nn.parameter import Parameter

__all__ = ["BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d",
           "LazyBatchNorm1d", "LazyBatchNorm2d", "LazyBatchNorm3d", "LazyInstanceNorm1d", "LazyInstanceNorm2d",
           "LazyInstanceNorm3d", "SyncBatchNorm"]

#: what is tracked
RUNNING = ("running_mean", "running_var", "num_batches_tracked")


class _NormBase(Layer):
    """What both norms are made with; ``dims`` are the numbers of dims that the input of a class may have."""

    num_features: int
    eps: float
    momentum: float | None
    affine: bool
    track_running_stats: bool
    weight: Parameter | None
    bias: Parameter | None
    running_mean: Tensor | None
    running_var: Tensor | None
    num_batches_tracked: Tensor | None

    _version = 2
    dims = ()
    shown = ("{num_features}, eps={eps}, momentum={momentum}, affine={affine}, bias={bias_is}, "
             "track_running_stats={track_running_stats}")

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None,
                 dtype=None, *, bias=True):
        super().__init__(num_features=num_features, eps=eps, momentum=momentum, affine=affine,
                         track_running_stats=track_running_stats)
        self._learn("weight", num_features if affine else None, device, dtype)
        self._learn("bias", num_features if affine and bias else None, device, dtype)
        running = (None, None, None)
        if track_running_stats:
            running = (zeros(num_features, device=device, dtype=dtype), ones(num_features, device=device, dtype=dtype),
                       zeros((), dtype=int64, device=device))
        for name, buffer in zip(RUNNING, running):
            self.register_buffer(name, buffer)
        self.reset_parameters()

    def reset_running_stats(self):
        """Begin the running averages again."""
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self):
        """Begin again: weights 1, biases 0."""
        self.reset_running_stats()
        if self.affine:
            init.ones_(self.weight)
            if self.bias is not None:
                init.zeros_(self.bias)

    def _check_input_dim(self, input):
        if input.dim() not in self.dims:
            raise error("MG207", f"expected {' or '.join(f'{n}D' for n in self.dims)} input (got {input.dim()}D input)")

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, *args):
        version = local_metadata.get("version")
        if (version is None or version < 2) and self.track_running_stats:           # it did not count batches
            own = self.num_batches_tracked
            state_dict.setdefault(prefix + "num_batches_tracked",
                                  zeros((), dtype=int64) if own is None or own.is_meta else own)
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *args)


class _BatchNorm(_NormBase):

    def forward(self, input):
        self._check_input_dim(input)
        share = 0. if self.momentum is None else self.momentum
        if self.training and self.track_running_stats and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:                           # the plain average of all batches
                share = 1 / float(self.num_batches_tracked)
        tracked = self.track_running_stats or not self.training
        mean, var = (self.running_mean, self.running_var) if tracked else (None, None)
        of_batch = self.training or (mean is None and var is None)
        return F.batch_norm(input, mean, var, self.weight, self.bias, of_batch, share, self.eps)

    def _forget_running_stats(self):
        """Compute with the statistics of the batch from now on (``torch.func.replace_all_batch_norm_modules_``)."""
        if self.track_running_stats:
            self.running_mean = self.running_var = self.num_batches_tracked = None
            self.track_running_stats = False


class BatchNorm1d(_BatchNorm):
    """Each channel of (N, C) or (N, C, L) with mean 0 and variance 1 over the batch, and then ``weight`` and ``bias``.

    Parameters
    ----------
    num_features : the number C of channels
    eps : added to the variance
    momentum : the share of a batch in the running averages; None for the plain average of all batches
    affine : whether a weight and a bias are learned
    bias : whether the bias is there too
    track_running_stats : whether running averages are kept for evaluation, instead of those of the batch

    >>> layer = torch.nn.BatchNorm1d(2, affine=False)
    >>> layer
    BatchNorm1d(2, eps=1e-05, momentum=0.1, affine=False, bias=False, track_running_stats=True)
    >>> layer(torch.tensor([[1., 10.], [3., 30.]]))
    tensor([[-1.0000, -1.0000],
            [ 1.0000,  1.0000]])
    >>> layer.running_mean
    tensor([0.2000, 2.0000])
    """

    dims = (2, 3)


class BatchNorm2d(_BatchNorm):
    """BatchNorm1d for (N, C, H, W).

    >>> layer = torch.nn.BatchNorm2d(3)
    >>> layer(torch.ones(2, 3, 4, 4)).abs().max().item(), layer.num_batches_tracked
    (0.0, tensor(1))
    """

    dims = (4,)


class BatchNorm3d(_BatchNorm):
    """BatchNorm1d for (N, C, D, H, W).

    >>> torch.nn.BatchNorm3d(1).eval()(torch.zeros(1, 1, 1, 1, 2))
    tensor([[[[[0., 0.]]]]], grad_fn=<NativeBatchNormBackward0>)
    """

    dims = (5,)


class SyncBatchNorm(_BatchNorm):
    """Batch norm over the batches of all processes.  There is one process, so it is a batch norm of any number of dims.

    >>> torch.nn.SyncBatchNorm(2).eval()(torch.zeros(1, 2)).shape
    torch.Size([1, 2])
    """

    process_group: None

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, process_group=None,
                 device=None, dtype=None, *, bias=True):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)
        self.process_group = process_group

    def _check_input_dim(self, input):
        if input.dim() < 2:
            raise error("MG207", f"expected at least 2D input (got {input.dim()}D input)")

    @classmethod
    def convert_sync_batchnorm(cls, module, process_group=None):
        """The module, with a SyncBatchNorm on the same tensors in place of each batch norm.

        >>> torch.nn.SyncBatchNorm.convert_sync_batchnorm(torch.nn.Sequential(torch.nn.BatchNorm1d(2)))
        Sequential(
          (0): SyncBatchNorm(2, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True)
        )
        """
        made = module
        if isinstance(module, _BatchNorm):
            made = cls(module.num_features, module.eps, module.momentum, module.affine, module.track_running_stats,
                       process_group, bias=module.bias is not None)
            for name in ("weight", "bias", *RUNNING):
                setattr(made, name, getattr(module, name))
            made.training = module.training
        for name, child in module.named_children():
            made.add_module(name, cls.convert_sync_batchnorm(child, process_group))
        return made


# ------------------------------------------------------------------------------ of each example

class _InstanceNorm(_NormBase):

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=False, track_running_stats=False, device=None,
                 dtype=None, *, bias=True):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def forward(self, input):
        self._check_input_dim(input)
        dim = input.dim() - self.dims[0]                        # that of the channels
        if input.shape[dim] != self.num_features:
            self._complain_of_channels(dim, input.shape[dim])
        if dim:
            return self._apply_instance_norm(input)
        return self._apply_instance_norm(input.unsqueeze(0)).squeeze(0)

    def _apply_instance_norm(self, input):
        return F.instance_norm(input, self.running_mean, self.running_var, self.weight, self.bias,
                               self.training or not self.track_running_stats, self.momentum or 0., self.eps)

    def _complain_of_channels(self, dim, size):
        if self.affine:
            raise error("MG207", f"expected input's size at dim={dim} to match num_features ({self.num_features}), but "
                                 f"got: {size}.")
        warn(f"input's size at dim={dim} does not match num_features. You can silence this warning by not passing in "
             "num_features, which is not used because affine=False")

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys,
                              error_msgs):
        if local_metadata.get("version") is None and not self.track_running_stats:
            keys = [prefix + name for name in RUNNING[:2] if prefix + name in state_dict]
            if keys:
                error_msgs.append(unexpected_averages(self, keys))
            for key in keys:
                del state_dict[key]
        super()._load_from_state_dict(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys,
                                      error_msgs)


def unexpected_averages(layer, keys):
    return (f"Unexpected running stats buffer(s) {' and '.join(map(repr, keys))} for {type(layer).__name__} with "
            "track_running_stats=False. Remove these keys from state_dict, or make the layer with "
            "track_running_stats=True")


class InstanceNorm1d(_InstanceNorm):
    """Each channel of each example of (N, C, L), or of one example (C, L), with mean 0 and variance 1.

    The arguments are those of :class:`BatchNorm1d`; without more it has neither weights nor running averages.

    >>> torch.nn.InstanceNorm1d(1)(torch.tensor([[1., 3.]]))
    tensor([[-1.0000,  1.0000]])
    """

    dims = (2, 3)


class InstanceNorm2d(_InstanceNorm):
    """InstanceNorm1d for (N, C, H, W) or (C, H, W).

    >>> torch.nn.InstanceNorm2d(1)(torch.tensor([[[1., 3.]]]))
    tensor([[[-1.0000,  1.0000]]])
    """

    dims = (3, 4)


class InstanceNorm3d(_InstanceNorm):
    """InstanceNorm1d for (N, C, D, H, W) or (C, D, H, W).

    >>> torch.nn.InstanceNorm3d(1)(torch.tensor([[[[1., 3.]]]]))
    tensor([[[[-1.0000,  1.0000]]]])
    """

    dims = (4, 5)


# ------------------------------------------------------------------------------ lazy

class _LazyNormBase(LazyModuleMixin):
    """A norm that learns ``num_features`` from its first input, the size of dim 1."""

    def __init__(self, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None, *,
                 bias=True):
        super().__init__(0, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)
        self._wait()

    def reset_parameters(self):
        if self.num_features and not self.has_uninitialized_params():
            super().reset_parameters()

    def initialize_parameters(self, input):
        if self.has_uninitialized_params():
            self.num_features = input.shape[1]
            for name in ("weight", "bias", *RUNNING[:2]):
                if getattr(self, name) is not None:
                    getattr(self, name).materialize((self.num_features,))
            self.reset_parameters()


class LazyBatchNorm1d(_LazyNormBase, BatchNorm1d):
    """A BatchNorm1d that learns ``num_features`` from its first input.

    >>> layer = torch.nn.LazyBatchNorm1d()
    >>> layer(torch.ones(2, 3)).shape, layer.running_mean
    (torch.Size([2, 3]), tensor([0.1000, 0.1000, 0.1000]))
    """

    cls_to_become = BatchNorm1d


class LazyBatchNorm2d(_LazyNormBase, BatchNorm2d):
    """A BatchNorm2d that learns ``num_features`` from its first input.

    >>> torch.nn.LazyBatchNorm2d()(torch.ones(2, 3, 1, 1)).shape
    torch.Size([2, 3, 1, 1])
    """

    cls_to_become = BatchNorm2d


class LazyBatchNorm3d(_LazyNormBase, BatchNorm3d):
    """A BatchNorm3d that learns ``num_features`` from its first input.

    >>> torch.nn.LazyBatchNorm3d()(torch.ones(2, 3, 1, 1, 1)).shape
    torch.Size([2, 3, 1, 1, 1])
    """

    cls_to_become = BatchNorm3d


class LazyInstanceNorm1d(_LazyNormBase, InstanceNorm1d):
    """An InstanceNorm1d that learns ``num_features`` from its first input.

    >>> torch.nn.LazyInstanceNorm1d()(torch.ones(2, 3, 4)).shape
    torch.Size([2, 3, 4])
    """

    cls_to_become = InstanceNorm1d


class LazyInstanceNorm2d(_LazyNormBase, InstanceNorm2d):
    """An InstanceNorm2d that learns ``num_features`` from its first input.

    >>> torch.nn.LazyInstanceNorm2d()(torch.ones(2, 3, 4, 1)).shape
    torch.Size([2, 3, 4, 1])
    """

    cls_to_become = InstanceNorm2d


class LazyInstanceNorm3d(_LazyNormBase, InstanceNorm3d):
    """An InstanceNorm3d that learns ``num_features`` from its first input.

    >>> torch.nn.LazyInstanceNorm3d()(torch.ones(2, 3, 4, 1, 1)).shape
    torch.Size([2, 3, 4, 1, 1])
    """

    cls_to_become = InstanceNorm3d
