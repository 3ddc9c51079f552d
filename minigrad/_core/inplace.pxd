# Writing into tensors: what other ways of writing share with `x.mul_(y)`; see inplace.pyx.

from numpy cimport ndarray
from minigrad._core.graph cimport Tensor


cdef Tensor old_self(Tensor target, object payload)
cdef int put(ndarray to, ndarray result) except -1
