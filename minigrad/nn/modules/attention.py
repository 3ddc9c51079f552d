"""Multi-head attention as a layer, which keeps the projections; nn/functional/multi_head_attention.py computes."""

from minigrad._core.errors import error
from minigrad.creation import empty
from minigrad.nn import functional as F, init
from minigrad.nn.modules.linear import NonDynamicallyQuantizableLinear
from minigrad.nn.modules.module import Module
from minigrad.nn.parameter import Parameter

__all__ = ["MultiheadAttention"]


class MultiheadAttention(Module):
    """Attention in ``num_heads`` projections at once (Vaswani et al., Attention is all you need, 2017).

    ``query`` has shape (L, N, embed_dim), ``key`` (S, N, kdim) and ``value`` (S, N, vdim), with ``batch_first`` the
    batch comes first, and it may be missing.  It returns the result, of the shape of ``query``, and the weights (N, L,
    S), averaged over the heads unless ``average_attn_weights`` is False, or None without ``need_weights``.

    Where ``key_padding_mask`` (N, S) or ``attn_mask`` (L, S) or (N * num_heads, L, S) is True, a key is left out; masks
    of floats are added to the scores.  ``is_causal`` says that ``attn_mask`` is causal.

    >>> attention = torch.nn.MultiheadAttention(4, num_heads=2, batch_first=True)
    >>> x = torch.ones(3, 5, 4)
    >>> out, weights = attention(x, x, x)
    >>> out.shape, weights.shape
    (torch.Size([3, 5, 4]), torch.Size([3, 5, 5]))
    """

    embed_dim: int
    num_heads: int
    dropout: float
    batch_first: bool
    kdim: int
    vdim: int
    head_dim: int
    add_zero_attn: bool
    in_proj_weight: Parameter
    q_proj_weight: Parameter | None
    k_proj_weight: Parameter | None
    v_proj_weight: Parameter | None
    in_proj_bias: Parameter | None
    bias_k: Parameter | None
    bias_v: Parameter | None
    out_proj: NonDynamicallyQuantizableLinear

    def __init__(self, embed_dim, num_heads, dropout=0.0, bias=True, add_bias_kv=False, add_zero_attn=False, kdim=None,
                 vdim=None, batch_first=False, device=None, dtype=None):
        if embed_dim <= 0 or num_heads <= 0:
            raise error("MG207", f"embed_dim and num_heads must be greater than 0, got embed_dim={embed_dim} and "
                                 f"num_heads={num_heads} instead")
        super().__init__()
        self.embed_dim, self.num_heads, self.dropout, self.batch_first = embed_dim, num_heads, dropout, batch_first
        self.kdim, self.vdim = embed_dim if kdim is None else kdim, embed_dim if vdim is None else vdim
        self._qkv_same_embed_dim = self.kdim == self.vdim == embed_dim
        self.head_dim, self.add_zero_attn = embed_dim // num_heads, add_zero_attn
        if embed_dim % num_heads:
            raise error("MG502", "embed_dim must be divisible by num_heads")

        def learn(name, *shape):
            self.register_parameter(name, Parameter(empty(shape, device=device, dtype=dtype)) if shape else None)

        whole = self._qkv_same_embed_dim
        learn("in_proj_weight", *((3 * embed_dim, embed_dim) if whole else ()))
        for name, size in (("q", embed_dim), ("k", self.kdim), ("v", self.vdim)):
            learn(f"{name}_proj_weight", *(() if whole else (embed_dim, size)))
        learn("in_proj_bias", *((3 * embed_dim,) if bias else ()))
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias, device, dtype)
        for name in ("bias_k", "bias_v"):
            learn(name, *((1, 1, embed_dim) if add_bias_kv else ()))
        self._reset_parameters()

    def _reset_parameters(self):
        weights = (self.in_proj_weight, self.q_proj_weight, self.k_proj_weight, self.v_proj_weight)
        for weight in weights:
            if weight is not None:
                init.xavier_uniform_(weight)
        if self.in_proj_bias is not None:
            init.zeros_(self.in_proj_bias)
            init.zeros_(self.out_proj.bias)
        if self.bias_k is not None:
            init.xavier_normal_(self.bias_k)
            init.xavier_normal_(self.bias_v)

    def forward(self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None,
                average_attn_weights=True, is_causal=False):
        turned = self.batch_first and query.dim() == 3
        if turned:
            query, key, value = turned_alike(query, key, value)
        output, weights = F.multi_head_attention_forward(
            query, key, value, self.embed_dim, self.num_heads, self.in_proj_weight, self.in_proj_bias, self.bias_k,
            self.bias_v, self.add_zero_attn, self.dropout, self.out_proj.weight, self.out_proj.bias, self.training,
            key_padding_mask, need_weights, attn_mask, not self._qkv_same_embed_dim, self.q_proj_weight,
            self.k_proj_weight, self.v_proj_weight, average_attn_weights=average_attn_weights, is_causal=is_causal)
        return output.transpose(0, 1) if turned else output, weights


def turned_alike(query, key, value):
    """All three with the batch second; what was one tensor stays one, and is projected by one product."""
    turned = {id(x): x.transpose(0, 1) for x in (query, key, value)}
    return turned[id(query)], turned[id(key)], turned[id(value)]
