"""Formulas on 16-bit floats: several steps are computed in float32, and only the result is rounded.

Note [16-bit floats] in compute.pyx says why.  Here is what of a formula has 16 bits, and how it gets 32: arrays, for
formulas as programs, and Tensors, for formulas as they are written.
"""


import numpy as np

from minigrad._core.dispatch.compute cimport half_type, rounded, widened
from minigrad._core.graph cimport Tensor
from minigrad._core.runtime.core_ops cimport words
from minigrad._core.runtime.numpy_api cimport PyArray_TYPE, ndarray
from minigrad._core.runtime.provided cimport provided

cdef object _float32 = np.dtype(np.float32)


# ------------------------------------------------------------------------------ arrays

cdef object half_of(object d):
    """The dtype of a gradient, or of the first of several that is not None, if it has 16 bits; else None."""
    if type(d) is ndarray:
        return (<ndarray>d).dtype if half_type(PyArray_TYPE(<ndarray>d)) else None
    if type(d) is list:
        for x in d:
            if x is not None:
                return half_of(x)
    return None


cdef object all_widened(object x):
    """An array, or a list of them, in float32 where it is in 16 bits; anything else as it is."""
    return [widened(y) for y in x] if type(x) is list else widened(x)


cdef object all_rounded(object out, object half):
    """And back: the result of a formula, or several."""
    return tuple([rounded(x, half) for x in out]) if type(out) is tuple else rounded(out, half)


# ------------------------------------------------------------------------------ Tensors

cdef bint in_half_precision(object d) except -1:
    """Has a gradient, or the first of several that is not None, 16 bits?"""
    return is_half(first_of(d))


cdef object first_of(object d):
    if type(d) in (list, tuple):
        for x in d:
            if x is not None:
                return x
        return None
    return d


cdef object text_in_single_precision(object text, object d, list arguments):
    """The text of a formula on Tensors in float32; its result has the dtype of `d` again."""
    first = first_of(d)
    out = text(single(d), *[single(x) for x in arguments])
    if type(out) in (list, tuple):
        return tuple([in_half(x, first) for x in out])
    return in_half(out, first)


cdef bint is_half(object x) except -1:
    return isinstance(x, Tensor) and x.dtype.itemsize == 2 and x.dtype.is_floating_point


cdef object single(object x):
    """A Tensor, or a list of them, in float32 where it is in 16 bits; anything else as it is."""
    if type(x) in (list, tuple):
        return type(x)([single(y) for y in x])
    return words.to_dtype(x, provided.dtype_of[_float32]) if is_half(x) else x


cdef object in_half(object x, Tensor like):
    return words.to_dtype(x, like.dtype) if isinstance(x, Tensor) and x.dtype is provided.dtype_of[_float32] else x
