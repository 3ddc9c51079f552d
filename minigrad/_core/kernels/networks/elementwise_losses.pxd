# Losses of elements, and what is made of them; see elementwise_losses.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.python_api cimport PyObject

cdef int read_loss(Loop* loop, object elements, str arguments, bint promotes) except -1
cdef object loss(Loop* loop, PyObject** args, int n)
cdef object share_of(Loop* loop, PyObject** args, int n)
