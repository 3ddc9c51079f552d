# Random numbers drawn in C; see randomness.pyx.

from cpython.ref cimport PyObject
from numpy cimport int64_t, ndarray, npy_intp
from minigrad._core.loops cimport Loop

cdef extern from "numpy/random/bitgen.h":
    ctypedef struct bitgen_t:
        double (*next_double)(void* state) noexcept nogil
        void* state

cdef extern from *:
    """
    /* x * scale + shift, rounded twice, as NumPy rounds it: some machines would do both in one step */
    static inline double mg_scaled(double x, double scale, double shift)
    { volatile double p = x * scale; return p + shift; }
    static inline float mg_scaled_f(float x, float scale, float shift)
    { volatile float p = x * scale; return p + shift; }
    """
    double scaled "mg_scaled"(double x, double scale, double shift) noexcept nogil
    float scaled_f "mg_scaled_f"(float x, float scale, float shift) noexcept nogil

cdef class Source:
    cdef object numpy_          # the numpy.random.Generator, or None where it is still to be made
    cdef object acquire, release            # NumPy's lock
    cdef object capsule         # owns `bits`
    cdef bitgen_t* bits

cdef bitgen_t* bits_of(PyObject* generator) except? NULL
cdef bint uniform(bitgen_t* bits, ndarray a) noexcept
cdef bint gaussian(bitgen_t* bits, ndarray a) noexcept
cdef bint integers(bitgen_t* bits, ndarray a, object low, object high) except -1
cdef void shuffle(bitgen_t* bits, int64_t* a, npy_intp n) noexcept

cdef bint uniform_into(Loop* loop, PyObject** args, int n, ndarray out) except -1
cdef bint normal_into(Loop* loop, PyObject** args, int n, ndarray out) except -1
cdef bint exponential_into(Loop* loop, PyObject** args, int n, ndarray out) except -1
cdef bint bernoulli_into(Loop* loop, PyObject** args, int n, ndarray out) except -1
cdef bint bernoulli_each_into(Loop* loop, PyObject** args, int n, ndarray out) except -1
cdef bint integers_into(Loop* loop, PyObject** args, int n, ndarray out) except -1
