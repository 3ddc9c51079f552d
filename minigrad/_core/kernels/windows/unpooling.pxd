# Elements at places of their planes; see unpooling.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.python_api cimport PyObject

cdef object put_in_planes(Loop* loop, PyObject** args, int n)
cdef object read_in_planes(Loop* loop, PyObject** args, int n)
cdef object unpool(Loop* loop, PyObject** args, int n)
