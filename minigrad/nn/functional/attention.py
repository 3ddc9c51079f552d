"""Attention: averages of values, whose weights say how well their keys fit a query.

    scores (L, S) = scale query (L, E) @ key^T (E, S)       result (L, Ev) = softmax(scores) (L, S) @ value (S, Ev)

It is made of rows of the table, and differentiated by way of them; dropout draws numbers, which the table does not do.
A query that may see no key at all gets zeros, and no gradient: its scores are all -inf, of which there is no softmax.
"""

import math
from contextlib import contextmanager
from enum import Enum
from functools import lru_cache

import numpy as np

from minigrad._core.devices.device_arrays import constant
from minigrad._core.dispatch.composites import Composite
from minigrad._core.dispatch.matmul import reshaped
from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad._core.runtime.thread_state import is_grad_enabled
from minigrad._lazy_modules import incomplete as _incomplete
from minigrad.creation.arrays import number
from minigrad.nn.functional.dropouts import dropped
from minigrad.ops.algebra.products import bmm, matmul
from minigrad.ops.arguments import must_be_tensors
from minigrad.ops.elementwise.arithmetic import add, mul
from minigrad.ops.networks.softmax import softmax_row
from minigrad.ops.positions.masking import masked_fill_value
from minigrad.ops.shapes.reshaping import view
from minigrad.ops.shapes.transposing import transpose

#: what torch.nn.attention has, which this module is too
__path__ = []                   # as minigrad.nn.attention it has modules below it, which are inert
__all__ = ["SDPBackend", "sdpa_kernel"]

# Attention whose scores are functions of the positions is loaded the first time that it is used.
__getattr__ = _incomplete(__name__, {"flex_attention": "minigrad.nn.functional.flex_attention"})

# ------------------------------------------------------------------------------ masks

@lru_cache(8)
def later(queries, keys):
    """True where a query may not look: at keys that come after it. Kept, so that nobody may write to it."""
    hidden = ~np.tri(queries, keys, dtype=np.bool_)
    hidden.setflags(write=False)
    return hidden


def any_true(x):
    """Is there a True, as far as it is known? Inside a transform it may be."""
    return type(x._array) is not np.ndarray or bool(x._array.any())


def weights_of(scores, mask, is_causal):
    """The softmax of scores where the masks let them through; zeros where they let nothing through."""
    hidden = constant(later(*scores.shape[-2:]), scores) if is_causal else None
    if mask is None:
        return softmax_row(scores if hidden is None else masked_fill_value(scores, hidden, -math.inf), -1)
    if mask.dtype.name == "bool":
        hidden = ~mask if hidden is None else ~mask | hidden
        scores = masked_fill_value(scores, hidden, -math.inf)
    else:
        mask = mask if hidden is None else masked_fill_value(mask, hidden, -math.inf)
        scores = add(scores, mask)
        hidden = mask.detach() == -math.inf
    blind = hidden.all(-1, keepdim=True)
    if not any_true(blind):
        return softmax_row(scores, -1)
    return masked_fill_value(softmax_row(masked_fill_value(scores, blind, 0.), -1), blind, 0.)


# ------------------------------------------------------------------------------ one attention

def checked(query, key, value, attn_mask):
    for name, each in (("query", query), ("key", key), ("value", value)):
        if not isinstance(each, Tensor):
            raise must_be_tensors("scaled_dot_product_attention", **{name: each})
    if min(query.ndim, key.ndim, value.ndim) < 2:
        raise too_few_dims(query, key, value)
    if not query.dtype is key.dtype is value.dtype:
        raise dtypes_differ(query, key, value)
    if attn_mask is not None and attn_mask.dtype.name not in ("bool", "float32", query.dtype.name):
        raise mask_of_another_dtype(attn_mask, query)


def recorded_heads(query, key, value):
    """The dims before the last two, where there are several, the same for all three, and gradients to be recorded."""
    arrays = query._array, key._array, value._array
    if not (query.requires_grad or key.requires_grad or value.requires_grad) or not is_grad_enabled():
        return None
    if not all([type(array) is np.ndarray for array in arrays]):
        return None
    heads, of_keys, of_values = [array.shape[:-2] for array in arrays]
    return heads if len(heads) > 1 and heads == of_keys == of_values else None


def grouped(query, key, value):
    """Keys and values once for each head of the queries, several of which share a head of theirs."""
    heads, of_keys, of_values = query.shape[-3], key.shape[-3], value.shape[-3]
    if not of_keys or not of_values or heads % of_keys or heads % of_values:
        raise error("MG204", "scaled_dot_product_attention(): Number of heads in key and value must divide the number "
                             f"of heads in query, but there are {of_keys}, {of_values} and {heads}")
    return key.repeat_interleave(heads // of_keys, -3), value.repeat_interleave(heads // of_values, -3)


@Composite
def scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, *, scale=None,
                                 enable_gqa=False):
    """For each query an average of the values, weighted by ``softmax(scale * query @ key.T + mask)``.

    ``query`` has shape (..., L, E), ``key`` (..., S, E) and ``value`` (..., S, Ev); the result is (..., L, Ev). The
    scale is 1 / sqrt(E) unless it is given. ``attn_mask``, which broadcasts to (..., L, S), is added; if it is of
    bools, only what is True takes part. With ``is_causal`` a query sees keys up to its own position. ``dropout_p`` is
    the probability with which each weight becomes zero. With ``enable_gqa`` several heads of queries (dim -3) share one
    of keys and values. A query that sees no key gets zeros. In 16 bits it is computed in float32, and rounded once.

    >>> q, k, v = torch.tensor([[1., 0.]]), torch.tensor([[9., 0.], [0., 9.]]), torch.tensor([[1.], [0.]])
    >>> torch.nn.functional.scaled_dot_product_attention(q, k, v)
    tensor([[0.9983]])
    >>> torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
    tensor([[1.]])
    >>> torch.nn.functional.scaled_dot_product_attention(q, k, v, torch.tensor([[False, True]]))
    tensor([[0.]])
    """
    checked(query, key, value, attn_mask)
    dropout_p = number("scaled_dot_product_attention", "dropout_p", dropout_p)
    if not 0 <= dropout_p <= 1:
        raise error("MG204", "scaled_dot_product_attention(): dropout probability has to be between 0 and 1, but got "
                             f"{dropout_p}")
    kind = query.dtype
    if kind.itemsize == 2 and kind.is_floating_point:
        query, key, value = query.float(), key.float(), value.float()
        attn_mask = attn_mask if attn_mask is None or attn_mask.dtype.name == "bool" else attn_mask.float()
    if enable_gqa:
        key, value = grouped(query, key, value)
    heads = None if attn_mask is not None else recorded_heads(query, key, value)
    if heads:                   # one batch of them for both products, which else would each make it for themselves
        query, key, value = [reshaped(x, (math.prod(heads), *x._array.shape[-2:])) for x in (query, key, value)]
    if scale is None:
        size = query.shape[-1]
        scale = 1 / math.sqrt(size) if size else 1.
    multiply = bmm if heads else matmul
    weights = weights_of(multiply(mul(query, scale), transpose(key, -2, -1)), attn_mask, is_causal)
    if dropout_p:
        weights = dropped("scaled_dot_product_attention", weights, dropout_p, True, False)
    out = multiply(weights, value)
    if heads:
        out = view(out, (*heads, *out._array.shape[-2:]))
    return out if out.dtype is kind else out.to(kind)


# ------------------------------------------------------------------------------ the choice of an implementation

class SDPBackend(Enum):
    """PyTorch's implementations of attention.  Here there is one, MATH, which is FLASH_ATTENTION's result too."""

    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4


@contextmanager
def sdpa_kernel(backends, set_priority=False):
    """A block in which attention is computed by one of ``backends``: of PyTorch's, the CPU has the first two.

    >>> from minigrad.nn.attention import SDPBackend, sdpa_kernel
    >>> with sdpa_kernel(SDPBackend.MATH):
    ...     x = torch.nn.functional.scaled_dot_product_attention(*torch.ones(3, 1, 2, 2))
    >>> x
    tensor([[[1., 1.],
             [1., 1.]]])
    """
    backends = [backends] if isinstance(backends, SDPBackend) else backends
    if not isinstance(backends, list) or not all(isinstance(each, SDPBackend) for each in backends):
        raise not_a_backend(backends)
    if not {SDPBackend.MATH, SDPBackend.FLASH_ATTENTION} & {*backends}:
        raise no_backend(backends)
    yield {}


# ------------------------------------------------------------------------------ errors

def too_few_dims(query, key, value):
    return error("MG204", "scaled_dot_product_attention(): Expected query, key, and value to all be  at least 2 "
                          f"dimensional, but got query.dim: {query.ndim} key.dim: {key.ndim} and value.dim: "
                          f"{value.ndim} instead.")


def dtypes_differ(query, key, value):
    return error("MG202", "scaled_dot_product_attention(): Expected query, key, and value to have the same dtype, but "
                          f"got query.dtype: {query.dtype} key.dtype: {key.dtype} and value.dtype: {value.dtype} "
                          "instead.")


def mask_of_another_dtype(mask, query):
    return error("MG202", "scaled_dot_product_attention(): Expected attn_mask dtype to be bool or float or to match "
                          f"query dtype, but got attn_mask.dtype: {mask.dtype} and  query.dtype: {query.dtype} "
                          "instead.")


def not_a_backend(backends):
    return error("MG502", "Backend must be an instance of SDPBackend or a list of SDPBackend instances, got "
                          f"{type(backends).__name__}")


def no_backend(backends):
    names = ", ".join(each.name for each in backends)
    return error("MG204", f"No viable backend for scaled_dot_product_attention was found: {names or 'none'} is not for "
                          "the CPU. Add SDPBackend.MATH to the list.")
