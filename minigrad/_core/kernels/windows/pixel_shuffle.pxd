# Shuffles of pixels and channels; see pixel_shuffle.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.python_api cimport PyObject

cdef object pixel_shuffle(Loop* loop, PyObject** args, int n)
cdef object pixel_unshuffle(Loop* loop, PyObject** args, int n)
cdef object channel_shuffle(Loop* loop, PyObject** args, int n)
cdef object channel_unshuffle(Loop* loop, PyObject** args, int n)
