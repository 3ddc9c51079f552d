# Random numbers drawn in C; see random_arrays.pyx.

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.numpy_api cimport ndarray, npy_intp
from minigrad._core.runtime.python_api cimport PyObject

cdef extern from "kernels/random/mersenne_twister.h":
    ctypedef struct mg_stream:
        uint64_t seed

cdef class Source:
    cdef mg_stream bits

cdef mg_stream* bits_of(PyObject* generator) except? NULL
cdef bint uniform_numbers(mg_stream* bits, ndarray a) noexcept
cdef bint normal_numbers(mg_stream* bits, ndarray a) noexcept
cdef bint normal_of(mg_stream* bits, ndarray a, double mean, double std) noexcept
cdef bint small_integers(mg_stream* bits, ndarray a, object low, object high) except -1
cdef void shuffle_integers(mg_stream* bits, int64_t* a, npy_intp n) noexcept nogil

cdef bint uniform_into(Loop* loop, PyObject** args, int n, ndarray out) except -1
cdef bint normal_into(Loop* loop, PyObject** args, int n, ndarray out) except -1
cdef bint exponential_into(Loop* loop, PyObject** args, int n, ndarray out) except -1
cdef bint bernoulli_into(Loop* loop, PyObject** args, int n, ndarray out) except -1
cdef bint bernoulli_each_into(Loop* loop, PyObject** args, int n, ndarray out) except -1
cdef bint integers_into(Loop* loop, PyObject** args, int n, ndarray out) except -1
