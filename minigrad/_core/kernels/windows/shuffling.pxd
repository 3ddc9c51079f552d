# Shuffles of pixels and channels; see shuffling.pyx.

from minigrad._core.kernels.loops.loops cimport Loop
from minigrad._core.runtime.python_c cimport PyObject

cdef object pixel_shuffle(Loop* loop, PyObject** args, int n)
cdef object pixel_unshuffle(Loop* loop, PyObject** args, int n)
cdef object channel_shuffle(Loop* loop, PyObject** args, int n)
cdef object channel_unshuffle(Loop* loop, PyObject** args, int n)
