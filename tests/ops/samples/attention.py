"""Sample rows of attention, and of vectors compared: distances, cosines, the bilinear layer."""

import numpy as np

from tests.ops.sampling import T, case, row

INF = float("inf")
SEEN = T(3, 4, kind="bool", values=[[1, 0, 1, 1], [0, 0, 0, 0], [1, 1, 1, 1]])


def attention(q, k, v, mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    """Written as a loop over queries, which see some of the keys."""
    if enable_gqa:
        k, v = [np.repeat(x, q.shape[-3] // x.shape[-3], -3) for x in (k, v)]
    batch = np.broadcast_shapes(q.shape[:-2], k.shape[:-2], v.shape[:-2])
    q, k, v = [np.broadcast_to(x, (*batch, *x.shape[-2:])) for x in (q, k, v)]
    out = np.zeros((*batch, q.shape[-2], v.shape[-1]))
    for at in np.ndindex(*batch, q.shape[-2]):
        scores = k[at[:-1]] @ q[at] * (1 / np.sqrt(q.shape[-1]) if scale is None else scale)
        if mask is not None:
            given = np.broadcast_to(mask, (*batch, q.shape[-2], k.shape[-2]))[at]
            scores = np.where(given, scores, -INF) if given.dtype == bool else scores + given
        if is_causal:
            scores = np.where(np.arange(len(scores)) <= at[-1], scores, -INF)
        if scores.max() > -INF:
            weights = np.exp(scores - scores.max())
            out[at] = weights / weights.sum() @ v[at[:-1]]
    return out


def bilinear(x, y, weight, bias=None):
    out = np.einsum("...i,kij,...j->...k", x, weight, y)
    return out if bias is None else out + bias


def heads(query, key, value, size, count, weight, bias, bias_k, bias_v, zero, dropout_p, out_weight, out_bias,
          attn_mask=None):
    """Multi-head attention of (L, N, E), head by head."""
    wide = np.split(weight, 3)
    small = np.split(bias, 3) if bias is not None else [0, 0, 0]
    q, k, v = [x @ w.T + b for x, w, b in zip((query, key, value), wide, small)]
    parts, shares = [], []
    for h in range(count):
        at = slice(h * size // count, (h + 1) * size // count)
        of = [x[..., at].swapaxes(0, 1) for x in (q, k, v)]
        parts.append(attention(*of, mask=None if attn_mask is None else ~attn_mask))
        shares.append(attention(*of[:2], np.broadcast_to(np.eye(len(key)), (len(of[0]), len(key), len(key))),
                                mask=None if attn_mask is None else ~attn_mask))
    out = np.concatenate(parts, -1).swapaxes(0, 1) @ out_weight.T + (0 if out_bias is None else out_bias)
    return out, np.mean(shares, 0)


X, W = T(3, 2, 4, low=-1, high=1), T(12, 4, low=-1, high=1)
LATER = T(3, 3, kind="bool", values=[[0, 1, 1], [0, 0, 1], [0, 0, 0]])

ROWS = [
    row("scaled_dot_product_attention", case(T(2, 3, 2), T(2, 4, 2), T(2, 4, 5)),
        case(T(3, 2), T(4, 2), T(4, 2), T(3, 4)),
        case(T(1, 2, 3, 2), T(1, 2, 3, 2), T(1, 2, 3, 2), None, 0.0, True),
        case(T(2, 3, 2), T(4, 2), T(4, 1), scale=0.3),
        case(T(1, 4, 3, 2), T(1, 2, 3, 2), T(1, 2, 3, 2), enable_gqa=True), case(T(3, 2), T(4, 2), T(4, 2), SEEN),
        case(T(2, 0, 2), T(2, 4, 2), T(2, 4, 2)), numpy=attention, node=False, bad=case(T(2), T(2), T(2))),
    row("scaled_dot_product_attention",
        case(T(3, 2), T(4, 2), T(4, 2), T(values=[[0., -INF, 1., 0.], [-INF] * 4, [2., 0., 0., 0.]], grad=False)),
        case(T(3, 2), T(0, 2), T(0, 2)), kink=True, gradgrad=False, node=False,
        bad=case(T(1, 3, 2, 2), T(1, 2, 2, 2), T(1, 2, 2, 2), enable_gqa=True)),
    row("multi_head_attention_forward",
        case(X, X, X, 4, 2, W, T(12), None, None, False, 0.0, T(4, 4), T(4)),
        case(X, T(5, 2, 4, low=-1, high=1), T(5, 2, 4, low=-1, high=1), 4, 2, W, None, None, None, False, 0.0,
             T(4, 4), None),
        case(X, X, X, 4, 1, W, None, None, None, False, 0.0, T(4, 4), None, attn_mask=LATER),
        numpy=heads, node=False, bad=case(X, X, X, 5, 2, W, None, None, None, False, 0.0, T(4, 4), None)),
    row("multi_head_attention_forward",
        case(X, X, X, 4, 2, W, T(12), T(1, 1, 4), T(1, 1, 4), True, 0.0, T(4, 4), T(4), key_padding_mask=T(
            2, 3, kind="bool", values=[[0, 0, 1], [0, 1, 0]]), attn_mask=LATER, average_attn_weights=False),
        case(T(3, 4), T(5, 3), T(5, 2), 4, 2, None, T(12), None, None, False, 0.0, T(4, 4), T(4),
             use_separate_proj_weight=True, q_proj_weight=T(4, 4), k_proj_weight=T(4, 3), v_proj_weight=T(4, 2)),
        case(X, X, X, 4, 2, W, None, None, None, False, 0.0, T(4, 4), None, static_k=T(4, 2, 2), static_v=T(4, 2, 2)),
        node=False, bad=case(X, X, X, 4, 3, W, None, None, None, False, 0.0, T(4, 4), None)),
    row("bilinear", case(T(3, 2), T(3, 4), T(5, 2, 4), T(5)), case(T(2, 3, 2), T(2, 3, 1), T(2, 2, 1)),
        case(T(2), T(3), T(1, 2, 3)), case(T(0, 2), T(0, 3), T(2, 2, 3), T(2)), numpy=bilinear, node=False,
        bad=case(T(3, 2), T(2, 4), T(5, 2, 4))),
    row("pairwise_distance", case(T(2, 3), T(2, 3)), case(T(2, 3), T(3), 1.0), case(T(3), T(3), 3, 0.1, True),
        numpy=lambda x, y, p=2, eps=1e-6, keepdim=False: np.linalg.norm(x - y + eps, p, axis=-1, keepdims=keepdim),
        node=False, bad=case(T(2, 3), T(2, 4))),
]
