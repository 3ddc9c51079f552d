"""Memory overlap: do two elements share a location in memory, of one array or of two?

Strides say it, and nothing else is looked at: what that means for a write, or for a gradient that is taken over, others
know (Note [Elements at one location] in write_checks.pyx).
"""

import numpy as np

from minigrad._core.runtime.numpy_api cimport (NPY_ARRAY_C_CONTIGUOUS, NPY_ARRAY_F_CONTIGUOUS, PyArray_CHKFLAGS,
                                               PyArray_DATA, PyArray_DIMS, PyArray_ISONESEGMENT, PyArray_ITEMSIZE,
                                               PyArray_NBYTES, PyArray_NDIM, PyArray_STRIDES, ndarray, npy_intp)
from minigrad._core.runtime.python_api cimport given

# ------------------------------------------------------------------------------ one array

cdef bint repeats_itself(ndarray a) noexcept:
    """True if a dim is expanded, so that all its elements are at one location."""
    cdef int i
    cdef bint repeats = False
    for i in range(PyArray_NDIM(a)):
        if PyArray_DIMS(a)[i] == 0:
            return False
        if PyArray_DIMS(a)[i] > 1 and PyArray_STRIDES(a)[i] == 0:
            repeats = True
    return repeats


cpdef bint meets_itself(ndarray a) except -1:
    """True if two elements are at one location."""
    given(a)
    cdef npy_intp* dims = PyArray_DIMS(a)
    cdef npy_intp* strides = PyArray_STRIDES(a)
    cdef npy_intp reach
    cdef int i, j
    cdef bint plain = True
    if PyArray_CHKFLAGS(a, NPY_ARRAY_C_CONTIGUOUS):
        return False
    for i in range(PyArray_NDIM(a)):    # each step must lead beyond everything that smaller steps reach
        reach = PyArray_ITEMSIZE(a)
        for j in range(PyArray_NDIM(a)):
            if abs(strides[j]) < abs(strides[i]) or (strides[j] == strides[i] and j < i):
                reach += (dims[j] - 1) * abs(strides[j])
        plain = plain and (dims[i] == 1 or abs(strides[i]) >= reach)
    if plain:
        return False
    steps = zip((<object>a).shape, (<object>a).strides)         # the dims interleave: count addresses
    return np.unique(sum(np.ix_(*[np.arange(n) * step for n, step in steps]))).size < (<object>a).size


cdef bint dense(ndarray a) except -1:
    """True if no elements overlap or are left out: each axis, by stride, steps over what the smaller ones cover."""
    cdef npy_intp step = PyArray_ITEMSIZE(a)
    if PyArray_CHKFLAGS(a, NPY_ARRAY_C_CONTIGUOUS) or PyArray_CHKFLAGS(a, NPY_ARRAY_F_CONTIGUOUS):
        return True
    for stride, size in sorted([((<object>a).strides[i], (<object>a).shape[i])
                                for i in range(PyArray_NDIM(a)) if (<object>a).shape[i] != 1]):
        if stride != step:
            return False
        step *= size
    return True


# ------------------------------------------------------------------------------ two arrays

cdef bint side_by_side(ndarray a, ndarray b) noexcept:
    """True if both are dense, and one ends before the other begins."""
    cdef char* pa = <char*>PyArray_DATA(a)
    cdef char* pb = <char*>PyArray_DATA(b)
    return (PyArray_ISONESEGMENT(a) and PyArray_ISONESEGMENT(b)
            and (pa + PyArray_NBYTES(a) <= pb or pb + PyArray_NBYTES(b) <= pa))


cdef bint same_steps(ndarray a, ndarray b) noexcept:
    """True if both go through memory with the same steps; a dim of one element takes none."""
    cdef int i
    if PyArray_NDIM(a) != PyArray_NDIM(b):
        return False
    for i in range(PyArray_NDIM(a)):
        if (PyArray_DIMS(a)[i] != PyArray_DIMS(b)[i]
                or (PyArray_DIMS(a)[i] > 1 and PyArray_STRIDES(a)[i] != PyArray_STRIDES(b)[i])):
            return False
    return True
