"""Multi-head attention: queries, keys and values projected into several spaces, with attention in each of them.

    (L, N, E)  -- in_proj -->  (N, heads, L, E / heads)  -- attention -->  the same  -- out_proj -->  (L, N, E)

As in PyTorch, positions come first, then the batch; masks of bools say what is left out, where those of
``scaled_dot_product_attention`` say what takes part.
"""

import math

from minigrad._core.dispatch.composites import Composite
from minigrad._core.dispatch.matmul import layer
from minigrad._core.errors import error, warn
from minigrad.creation.arrays import number
from minigrad.nn.functional.attention import scaled_dot_product_attention
from minigrad.nn.functional.dropouts import dropped
from minigrad.ops.algebra.products import baddbmm, bmm
from minigrad.ops.networks.softmax import softmax_row
from minigrad.ops.positions.masking import masked_fill_value
from minigrad.ops.shapes.joining import cat
from minigrad.ops.shapes.padding import constant_pad_nd
from minigrad.ops.shapes.transposing import transpose, unsqueeze


def refused(message):
    """What PyTorch asserts."""
    return error("MG502", f"multi_head_attention_forward: {message}")


# ------------------------------------------------------------------------------ shapes and masks

def is_batched(query, key, value, key_padding_mask, attn_mask, num_heads):
    """Whether there is a dim for the batch; wrong numbers of dims are refused."""
    if query.ndim not in (2, 3):
        raise refused("query should be unbatched 2D or batched 3D tensor but received "
                      f"{query.ndim}-D query tensor")
    kind = "For batched (3-D)" if query.ndim == 3 else "For unbatched (2-D)"
    if key.ndim != query.ndim or value.ndim != query.ndim:
        raise refused(f"{kind} `query`, expected `key` and `value` to be {query.ndim}-D but found {key.ndim}-D and "
                      f"{value.ndim}-D tensors respectively")
    if key_padding_mask is not None and key_padding_mask.ndim != query.ndim - 1:
        raise refused(f"{kind} `query`, expected `key_padding_mask` to be `None` or {query.ndim - 1}-D but found "
                      f"{key_padding_mask.ndim}-D tensor instead")
    if attn_mask is not None:
        if attn_mask.ndim not in (2, 3):
            raise refused(f"{kind} `query`, expected `attn_mask` to be `None`, 2-D or 3-D but found "
                          f"{attn_mask.ndim}-D tensor instead")
        expected = (num_heads, query.shape[0], key.shape[0])
        if query.ndim == 2 and attn_mask.ndim == 3 and tuple(attn_mask.shape) != expected:
            raise refused(f"Expected `attn_mask` shape to be {expected} but got {tuple(attn_mask.shape)}")
    return query.ndim == 3


def added(mask, name, dtype):
    """The mask as numbers to be added to scores: -inf for what is left out."""
    if mask is None or mask.dtype.is_floating_point:
        return mask
    if mask.dtype.name != "bool":
        raise refused(f"only bool and floating types of {name} are supported")
    return masked_fill_value(mask.new_zeros(tuple(mask.shape), dtype=dtype), mask, -math.inf)


def of_all_heads(attn_mask, heads, queries, keys):
    """``attn_mask`` as (1 or N heads, L, S)."""
    wanted = (queries, keys) if attn_mask.ndim == 2 else (heads, queries, keys)
    if tuple(attn_mask.shape) != wanted:
        raise error("MG204", f"multi_head_attention_forward: The shape of the {attn_mask.ndim}D attn_mask is "
                             f"{attn_mask.shape}, but should be {wanted}.")
    return unsqueeze(attn_mask, 0) if attn_mask.ndim == 2 else attn_mask


# ------------------------------------------------------------------------------ projections

def projected(query, key, value, weight, bias):
    """Queries, keys and values, by the three parts of one weight (3 E, E)."""
    if key.shape != value.shape:
        raise refused(f"key shape {key.shape} does not match value shape {value.shape}")
    if weight is None:
        raise refused("use_separate_proj_weight is False but in_proj_weight is None")
    if key is value and query is key:
        return layer(query, weight, bias).chunk(3, -1)
    biases = (None,) * 3 if bias is None else bias.chunk(3)
    return [layer(x, w, b) for x, w, b in zip((query, key, value), weight.chunk(3), biases)]


def projected_apart(query, key, value, weights, bias):
    """The same by three weights, for keys and values of other sizes."""
    if key.shape[:2] != value.shape[:2]:
        raise refused(f"key's sequence and batch dims {key.shape[:2]} do not match value's {value.shape[:2]}")
    biases, size = (None,) * 3 if bias is None else bias.chunk(3), query.shape[-1]
    for name, x, w in zip("qkv", (query, key, value), weights):
        if w is None:
            raise refused(f"use_separate_proj_weight is True but {name}_proj_weight is None")
        if tuple(w.shape) != (size, x.shape[-1]):
            raise refused(f"expecting {dict(q='query', k='key', v='value')[name]} weights shape of "
                          f"{(size, x.shape[-1])}, but got {tuple(w.shape)}")
    return [layer(x, w, b) for x, w, b in zip((query, key, value), weights, biases)]


def in_heads(x, heads, size):
    """(positions, N, E) as (N heads, positions, E / heads)."""
    return transpose(x.contiguous().view(x.shape[0], heads, size), 0, 1)


def static(x, name, heads, size):
    """Keys or values that were given in heads."""
    for k, wanted in ((0, heads), (2, size)):
        if x.shape[k] != wanted:
            raise refused(f"expecting {name}.size({k}) of {wanted}, but got {x.shape[k]}")
    return x


def widened(masks):
    """The masks, for one key more, which everyone sees."""
    return [mask if mask is None else constant_pad_nd(mask, (0, 1), 0) for mask in masks]


# ------------------------------------------------------------------------------ the whole

@Composite
def multi_head_attention_forward(query, key, value, embed_dim_to_check, num_heads, in_proj_weight, in_proj_bias, bias_k,
                                 bias_v, add_zero_attn, dropout_p, out_proj_weight, out_proj_bias, training=True,
                                 key_padding_mask=None, need_weights=True, attn_mask=None,
                                 use_separate_proj_weight=False, q_proj_weight=None, k_proj_weight=None,
                                 v_proj_weight=None, static_k=None, static_v=None, average_attn_weights=True,
                                 is_causal=False):
    """Attention in ``num_heads`` projections at once, and the weights that it had, or None.

    ``query`` has shape (L, N, E) or (L, E), ``key`` and ``value`` (S, N, E) or (S, E). They are projected by
    ``in_proj_weight`` (3 E, E), or apart by three weights, and the result by ``out_proj_weight``. ``bias_k`` and
    ``bias_v`` are one key and one value more, and ``add_zero_attn`` adds zeros. ``key_padding_mask`` (N, S) and
    ``attn_mask`` (L, S) or (N heads, L, S) are added to the scores; where they are True, a key is left out.

    >>> x, weight = torch.ones(3, 1, 2), torch.eye(2)
    >>> out, weights = torch.nn.functional.multi_head_attention_forward(
    ...     x, x, x, 2, 1, weight.repeat(3, 1), None, None, None, False, 0., weight, None)
    >>> out.shape, weights[0, 0]
    (torch.Size([3, 1, 2]), tensor([0.3333, 0.3333, 0.3333]))
    """
    dropout_p = number("multi_head_attention_forward", "dropout_p", dropout_p)
    batched = is_batched(query, key, value, key_padding_mask, attn_mask, num_heads)
    if not batched:
        same = key is value, query is key
        query, key, value = [unsqueeze(x, 1) for x in (query, key, value)]
        value = key if same[0] else value
        key, value = (query, query) if all(same) else (key, value)
        key_padding_mask = key_padding_mask if key_padding_mask is None else unsqueeze(key_padding_mask, 0)
    (queries, batch, size), keys = query.shape, key.shape[0]
    if key_padding_mask is not None and attn_mask is not None and key_padding_mask.dtype is not attn_mask.dtype:
        warn("Support for mismatched key_padding_mask and attn_mask is deprecated. Use same type for both instead.")
    key_padding_mask = added(key_padding_mask, "key_padding_mask", query.dtype)
    if is_causal and attn_mask is None:
        raise error("MG204", "multi_head_attention_forward: Need attn_mask if specifying the is_causal hint.")
    if is_causal and key_padding_mask is None and not need_weights:
        attn_mask = None
    else:
        attn_mask = added(attn_mask, "attn_mask", query.dtype)
        is_causal = is_causal and key_padding_mask is None
    if size != embed_dim_to_check:
        raise refused(f"was expecting embedding dimension of {embed_dim_to_check}, but got {size}")
    if num_heads < 1 or size % num_heads:
        raise refused(f"embed_dim {size} not divisible by num_heads {num_heads}")
    heads, each = batch * num_heads, size // num_heads
    if use_separate_proj_weight:
        q, k, v = projected_apart(query, key, value, (q_proj_weight, k_proj_weight, v_proj_weight), in_proj_bias)
    else:
        q, k, v = projected(query, key, value, in_proj_weight, in_proj_bias)
    if attn_mask is not None:
        attn_mask = of_all_heads(attn_mask, heads, queries, keys)

    if (bias_k is None) != (bias_v is None):
        raise refused("bias_k is set but bias_v is None" if bias_v is None else "bias_v is set but bias_k is None")
    if bias_k is not None:
        k, v = with_one_more(k, v, bias_k, bias_v, static_k, static_v, batch)
        attn_mask, key_padding_mask = widened((attn_mask, key_padding_mask))
    q = in_heads(q, heads, each)
    k = in_heads(k, heads, each) if static_k is None else static(static_k, "static_k", heads, each)
    v = in_heads(v, heads, each) if static_v is None else static(static_v, "static_v", heads, each)
    if add_zero_attn:
        k, v = [cat([x, x.new_zeros((heads, 1, each))], 1) for x in (k, v)]
        attn_mask, key_padding_mask = widened((attn_mask, key_padding_mask))
    keys = k.shape[1]
    if key_padding_mask is not None:
        attn_mask = with_padding(attn_mask, key_padding_mask, batch, num_heads, keys)
    dropout_p = dropout_p if training else 0.

    if need_weights:
        out, weights = attended(q, k, v, attn_mask, dropout_p, (batch, num_heads, queries, keys))
        weights = weights.mean(1) if average_attn_weights else weights
        weights = weights if batched else weights.squeeze(0)
    else:
        weights = None
        if attn_mask is not None:
            alone = attn_mask.shape[0] == 1
            attn_mask = unsqueeze(attn_mask, 0) if alone else attn_mask.view(batch, num_heads, -1, keys)
        q, k, v = [x.reshape(batch, num_heads, x.shape[1], each) for x in (q, k, v)]
        out = scaled_dot_product_attention(q, k, v, attn_mask, dropout_p, is_causal)
        out = out.permute(2, 0, 1, 3)
    out = layer(out.reshape(queries * batch, size), out_proj_weight, out_proj_bias)
    out = out.view(queries, batch, out.shape[-1])
    return (out if batched else out.squeeze(1)), weights


def with_padding(attn_mask, key_padding_mask, batch, num_heads, keys):
    """The mask of all heads, with that of the keys added."""
    if tuple(key_padding_mask.shape) != (batch, keys):
        raise refused(f"expecting key_padding_mask shape of {(batch, keys)}, but got {tuple(key_padding_mask.shape)}")
    of_keys = key_padding_mask.view(batch, 1, 1, keys).expand(-1, num_heads, -1, -1).reshape(-1, 1, keys)
    return of_keys if attn_mask is None else attn_mask + of_keys


def attended(q, k, v, attn_mask, dropout_p, sizes):
    """What the queries find, and the weights of the keys for each of them: (batch, heads, queries, keys)."""
    q, k = q * math.sqrt(1 / q.shape[-1]), transpose(k, -2, -1)
    weights = softmax_row(bmm(q, k) if attn_mask is None else baddbmm(attn_mask, q, k), -1)
    if dropout_p > 0:
        weights = dropped("multi_head_attention_forward", weights, dropout_p, True, False)
    return transpose(bmm(weights, v), 0, 1), weights.view(sizes)


def with_one_more(k, v, bias_k, bias_v, static_k, static_v, batch):
    """Keys and values, with one more of each behind them."""
    for x, name in ((static_k, "key"), (static_v, "value")):
        if x is not None:
            raise refused(f"bias cannot be added to static {name}.")
    return cat([k, bias_k.repeat(1, batch, 1)]), cat([v, bias_v.repeat(1, batch, 1)])
