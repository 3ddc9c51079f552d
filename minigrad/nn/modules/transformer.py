"""The transformer: blocks of attention and of a small network, each with a residual connection and a norm.

    encoder layer       x -> self-attention -> feed forward
    decoder layer       x -> self-attention -> attention to the memory -> feed forward

A residual block is ``norm(x + block(x))``, or with ``norm_first`` ``x + block(norm(x))``.  An encoder is a list of
copies of a layer; a decoder too, and it reads what the encoder made, the memory.
"""

from collections.abc import Callable
from copy import deepcopy

from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad.creation import full
from minigrad.nn import functional as F, init
from minigrad.nn.modules.attention import MultiheadAttention
from minigrad.nn.modules.containers import ModuleList
from minigrad.nn.modules.dropout import Dropout
from minigrad.nn.modules.linear import Linear
from minigrad.nn.modules.module import Module
from minigrad.nn.modules.normalization import LayerNorm

__all__ = ["Transformer", "TransformerDecoder", "TransformerDecoderLayer", "TransformerEncoder",
           "TransformerEncoderLayer"]


def activation_of(activation):
    """The function that a string names."""
    if not isinstance(activation, str):
        return activation
    if activation not in ("relu", "gelu"):
        raise error("MG204", f"activation should be relu/gelu, not {activation}")
    return getattr(F, activation)


# ------------------------------------------------------------------------------ layers

class _Layer(Module):
    """The blocks of a layer of the encoder or the decoder."""

    norm_first: bool
    activation: Callable[..., Tensor]
    self_attn: MultiheadAttention
    linear1: Linear
    dropout: Dropout
    linear2: Linear
    norm1: LayerNorm
    norm2: LayerNorm
    dropout1: Dropout
    dropout2: Dropout

    def __init__(self, attentions, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=F.relu,
                 layer_norm_eps=1e-5, batch_first=False, norm_first=False, bias=True, device=None, dtype=None):
        super().__init__()
        made = {"device": device, "dtype": dtype}
        for name in attentions:
            setattr(self, name, MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, **made))
        self.linear1 = Linear(d_model, dim_feedforward, bias, **made)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias, **made)
        self.norm_first = norm_first
        blocks = range(1, len(attentions) + 2)
        for k in blocks:
            setattr(self, f"norm{k}", LayerNorm(d_model, layer_norm_eps, bias=bias, **made))
        for k in blocks:
            setattr(self, f"dropout{k}", Dropout(dropout))
        self.activation = activation_of(activation)

    def _residual(self, x, norm, block, *args):
        return x + block(norm(x), *args) if self.norm_first else norm(x + block(x, *args))

    def _sa_block(self, x, attn_mask, key_padding_mask, is_causal=False):
        return self.dropout1(self.self_attn(x, x, x, key_padding_mask, False, attn_mask, is_causal=is_causal)[0])

    def _feed_forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))


class TransformerEncoderLayer(_Layer):
    """Self-attention, then a network of two linear layers, each with a residual connection, dropout and a norm.

    ``src`` has shape (L, N, d_model), with ``batch_first`` (N, L, d_model), or no batch; so has the result.

    >>> layer = torch.nn.TransformerEncoderLayer(8, nhead=2, dim_feedforward=16)
    >>> layer(torch.ones(5, 3, 8)).shape
    torch.Size([5, 3, 8])
    """

    def __init__(self, *args, **kwargs):
        super().__init__(("self_attn",), *args, **kwargs)

    def forward(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        x = self._residual(src, self.norm1, self._sa_block, src_mask, src_key_padding_mask, is_causal)
        return self._residual(x, self.norm2, self._ff_block)

    def _ff_block(self, x):
        return self.dropout2(self._feed_forward(x))


class TransformerDecoderLayer(_Layer):
    """Self-attention, attention to the ``memory`` of an encoder, then a network of two linear layers.

    >>> layer = torch.nn.TransformerDecoderLayer(8, nhead=2, dim_feedforward=16)
    >>> layer(torch.ones(5, 3, 8), torch.ones(7, 3, 8)).shape
    torch.Size([5, 3, 8])
    """

    multihead_attn: MultiheadAttention
    norm3: LayerNorm
    dropout3: Dropout

    def __init__(self, *args, **kwargs):
        super().__init__(("self_attn", "multihead_attn"), *args, **kwargs)

    def forward(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None,
                memory_key_padding_mask=None, tgt_is_causal=False, memory_is_causal=False):
        x = self._residual(tgt, self.norm1, self._sa_block, tgt_mask, tgt_key_padding_mask, tgt_is_causal)
        x = self._residual(x, self.norm2, self._mha_block, memory, memory_mask, memory_key_padding_mask,
                           memory_is_causal)
        return self._residual(x, self.norm3, self._ff_block)

    def _mha_block(self, x, mem, attn_mask, key_padding_mask, is_causal=False):
        return self.dropout2(self.multihead_attn(x, mem, mem, key_padding_mask, False, attn_mask,
                                                 is_causal=is_causal)[0])

    def _ff_block(self, x):
        return self.dropout3(self._feed_forward(x))


# ------------------------------------------------------------------------------ stacks of them

class _Stack(Module):
    """Copies of a layer, and a norm at the end, or None."""

    num_layers: int
    norm: Module | None
    layers: ModuleList

    def __init__(self, layer, num_layers, norm=None):
        super().__init__()
        self.layers = ModuleList([deepcopy(layer) for _ in range(num_layers)])
        self.num_layers, self.norm = num_layers, norm

    def _through(self, x, *args, **kwargs):
        for layer in self.layers:
            x = layer(x, *args, **kwargs)
        return x if self.norm is None else self.norm(x)


class TransformerEncoder(_Stack):
    """``num_layers`` copies of an encoder layer, one after the other.

    ``enable_nested_tensor`` and ``mask_check``, which change no result that counts, are ignored.

    >>> layer = torch.nn.TransformerEncoderLayer(8, nhead=2, dim_feedforward=16)
    >>> torch.nn.TransformerEncoder(layer, num_layers=2)(torch.ones(5, 3, 8)).shape
    torch.Size([5, 3, 8])
    """

    enable_nested_tensor: bool
    mask_check: bool

    def __init__(self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True):
        super().__init__(encoder_layer, num_layers, norm)
        self.enable_nested_tensor, self.mask_check = enable_nested_tensor, mask_check

    def forward(self, src, mask=None, src_key_padding_mask=None, is_causal=None):
        return self._through(src, src_mask=mask, is_causal=bool(is_causal), src_key_padding_mask=src_key_padding_mask)


class TransformerDecoder(_Stack):
    """``num_layers`` copies of a decoder layer, one after the other.

    >>> layer = torch.nn.TransformerDecoderLayer(8, nhead=2, dim_feedforward=16)
    >>> torch.nn.TransformerDecoder(layer, num_layers=2)(torch.ones(5, 3, 8), torch.ones(7, 3, 8)).shape
    torch.Size([5, 3, 8])
    """

    def __init__(self, decoder_layer, num_layers, norm=None):
        super().__init__(decoder_layer, num_layers, norm)

    def forward(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None,
                memory_key_padding_mask=None, tgt_is_causal=None, memory_is_causal=False):
        return self._through(
            tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask, tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask, tgt_is_causal=bool(tgt_is_causal),
            memory_is_causal=memory_is_causal)


class Transformer(Module):
    """An encoder and a decoder (Vaswani et al., Attention is all you need, 2017).

    ``src`` has shape (S, N, d_model), ``tgt`` (T, N, d_model), and so has the result; with ``batch_first`` the batch
    comes first.

    >>> net = torch.nn.Transformer(8, nhead=2, num_encoder_layers=1, num_decoder_layers=1, dim_feedforward=16)
    >>> net(torch.ones(7, 3, 8), torch.ones(5, 3, 8)).shape
    torch.Size([5, 3, 8])
    """

    d_model: int
    nhead: int
    batch_first: bool
    encoder: TransformerEncoder
    decoder: TransformerDecoder

    def __init__(self, d_model=512, nhead=8, num_encoder_layers=6, num_decoder_layers=6, dim_feedforward=2048,
                 dropout=0.1, activation=F.relu, custom_encoder=None, custom_decoder=None, layer_norm_eps=1e-5,
                 batch_first=False, norm_first=False, bias=True, device=None, dtype=None):
        super().__init__()
        options = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias,
                   device, dtype)

        def stacked(stack, layer, number):
            layer = layer(*options)
            return stack(layer, number, LayerNorm(d_model, layer_norm_eps, bias=bias, device=device, dtype=dtype))

        self.encoder = (stacked(TransformerEncoder, TransformerEncoderLayer, num_encoder_layers)
                        if custom_encoder is None else custom_encoder)
        self.decoder = (stacked(TransformerDecoder, TransformerDecoderLayer, num_decoder_layers)
                        if custom_decoder is None else custom_decoder)
        self._reset_parameters()
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first

    def _reset_parameters(self):
        for param in self.parameters():
            if param.dim() > 1:
                init.xavier_uniform_(param)

    @staticmethod
    def generate_square_subsequent_mask(sz, device=None, dtype=None):
        """The causal mask: -inf for what comes later, 0 elsewhere.

        >>> torch.nn.Transformer.generate_square_subsequent_mask(2)
        tensor([[0., -inf],
                [0., 0.]])
        """
        return full((sz, sz), -float("inf"), dtype=dtype, device=device).triu(1)

    def forward(self, src, tgt, src_mask=None, tgt_mask=None, memory_mask=None, src_key_padding_mask=None,
                tgt_key_padding_mask=None, memory_key_padding_mask=None, src_is_causal=None, tgt_is_causal=None,
                memory_is_causal=False):
        batch = 0 if self.batch_first else 1
        if src.dim() == 3 and src.shape[batch] != tgt.shape[batch]:
            raise error("MG201", "the batch number of src and tgt must be equal")
        if not src.shape[-1] == tgt.shape[-1] == self.d_model:
            raise error("MG201", "the feature number of src and tgt must be equal to d_model")
        memory = self.encoder(src, mask=src_mask, src_key_padding_mask=src_key_padding_mask, is_causal=src_is_causal)
        return self.decoder(
            tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask, tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask, tgt_is_causal=tgt_is_causal,
            memory_is_causal=memory_is_causal)
