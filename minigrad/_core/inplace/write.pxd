# Writing into tensors: what other ways of writing share with `x.mul_(y)`; see write.pyx.

from minigrad._core.dispatch.op cimport Op
from minigrad._core.runtime.numpy_api cimport ndarray
from minigrad._core.runtime.python_api cimport PyObject

cdef object write(Op op, PyObject** bound)
cdef int put(ndarray to, ndarray result) except -1
cdef tuple ordinary(Op op, PyObject** bound, PyObject** raw, int first, bint recording)
