# Shuffles of pixels and channels; see shuffling.pyx.

from cpython.ref cimport PyObject
from minigrad._core.loops cimport Loop

cdef object pixel_shuffle(Loop* loop, PyObject** args, int n)
cdef object pixel_unshuffle(Loop* loop, PyObject** args, int n)
cdef object channel_shuffle(Loop* loop, PyObject** args, int n)
cdef object channel_unshuffle(Loop* loop, PyObject** args, int n)
