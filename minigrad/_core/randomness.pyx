"""Random numbers drawn in C, from the streams of NumPy: those that NumPy's own functions would have drawn, to the bit.

A stream is one of NumPy's, and its state is where NumPy has it; here are only shorter ways to it.  NumPy offers C
programs a struct of functions that draw the next bits, and a library of its distributions to link to.

    Generator (random.py)  --- is a --->  Source  ---- bits ---->  NumPy's PCG64
                                                  ---- lock ---->  held by functions of NumPy that let the GIL go

What is drawn here keeps the GIL, so it is enough that nobody holds the lock; else, for large tensors, and inside vmap,
the function in Python is called.
"""

from cpython.float cimport PyFloat_CheckExact
from cpython.long cimport PyLong_CheckExact
from cpython.pycapsule cimport PyCapsule_GetPointer
from cpython.ref cimport PyObject
cimport numpy as cnp
from numpy cimport (NPY_DOUBLE, NPY_FLOAT, NPY_INT32, NPY_INT64, PyArray_DATA, PyArray_ISCARRAY, PyArray_ISCARRAY_RO,
                    PyArray_SIZE, PyArray_TYPE, int32_t, int64_t, ndarray, npy_intp, uint64_t)
from minigrad._core.loops cimport LARGE, Loop
from minigrad._core.modes cimport state

cnp.import_array()

cdef enum:
    WHOLE = 1 << 24             # up to here float32 has every integer

cdef extern from "numpy/random/distributions.h":
    void random_standard_uniform_fill(bitgen_t*, npy_intp, double*) noexcept nogil
    void random_standard_uniform_fill_f(bitgen_t*, npy_intp, float*) noexcept nogil
    void random_standard_normal_fill(bitgen_t*, npy_intp, double*) noexcept nogil
    void random_standard_normal_fill_f(bitgen_t*, npy_intp, float*) noexcept nogil
    void random_standard_exponential_fill(bitgen_t*, npy_intp, double*) noexcept nogil
    void random_standard_exponential_fill_f(bitgen_t*, npy_intp, float*) noexcept nogil
    uint64_t random_interval(bitgen_t*, uint64_t) noexcept nogil
    void random_bounded_uint64_fill(bitgen_t*, uint64_t, uint64_t, npy_intp, bint, uint64_t*) noexcept nogil

# ------------------------------------------------------------------------------ streams

cdef class Source:
    """A stream of random bits, as C sees it."""

    @property
    def _numpy(self):
        return self.numpy_

    @_numpy.setter
    def _numpy(self, generator):
        self.bits = NULL
        self.capsule = self.acquire = self.release = None
        if generator is not None:
            self.capsule = generator.bit_generator.capsule
            lock = generator.bit_generator.lock
            self.acquire, self.release = lock.acquire, lock.release
            self.bits = <bitgen_t*>PyCapsule_GetPointer(self.capsule, "BitGenerator")
        self.numpy_ = generator


cdef Source _default = None


def register(Source default):
    """Tell this module of the stream of functions that are given none."""
    global _default
    _default = default


cdef bitgen_t* bits_of(PyObject* generator) except? NULL:
    """The stream to draw from: that of a Source, or the default one; NULL where Python must look after it."""
    cdef Source source
    if state().levels != NULL:
        return NULL
    if generator == NULL or <object>generator is None:
        source = _default
    elif isinstance(<object>generator, Source):
        source = <Source>generator
    else:
        return NULL
    if source is None or source.bits == NULL or not source.acquire(False):
        return NULL
    source.release()
    return source.bits


# ------------------------------------------------------------------------------ plain arrays, filled

cdef inline bint is_small(ndarray a) noexcept:
    return PyArray_ISCARRAY(a) and PyArray_SIZE(a) <= LARGE


cdef bint uniform(bitgen_t* bits, ndarray a) noexcept:
    """Numbers in [0, 1); False for a dtype that is rare."""
    if PyArray_TYPE(a) == NPY_FLOAT:
        random_standard_uniform_fill_f(bits, PyArray_SIZE(a), <float*>PyArray_DATA(a))
    elif PyArray_TYPE(a) == NPY_DOUBLE:
        random_standard_uniform_fill(bits, PyArray_SIZE(a), <double*>PyArray_DATA(a))
    else:
        return False
    return True


cdef bint gaussian(bitgen_t* bits, ndarray a) noexcept:
    """Numbers with mean 0 and variance 1; False for a dtype that is rare."""
    if PyArray_TYPE(a) == NPY_FLOAT:
        random_standard_normal_fill_f(bits, PyArray_SIZE(a), <float*>PyArray_DATA(a))
    elif PyArray_TYPE(a) == NPY_DOUBLE:
        random_standard_normal_fill(bits, PyArray_SIZE(a), <double*>PyArray_DATA(a))
    else:
        return False
    return True


cdef bint integers(bitgen_t* bits, ndarray a, object low, object high) except -1:
    """Integers from `low` to below `high`, both within 31 bits; False for a dtype that is rare."""
    cdef npy_intp i
    cdef uint64_t drawn
    cdef int64_t first
    cdef int num = PyArray_TYPE(a)
    if num != NPY_INT64 and num != NPY_INT32 and num != NPY_FLOAT and num != NPY_DOUBLE:
        return False
    if not PyLong_CheckExact(low) or not PyLong_CheckExact(high) or not -2**31 <= low < high <= 2**31:
        return False
    first = low
    if num == NPY_INT64:
        random_bounded_uint64_fill(bits, <uint64_t>first, <uint64_t>(<int64_t>high - 1 - first), PyArray_SIZE(a),
                                   False, <uint64_t*>PyArray_DATA(a))
        return True
    for i in range(PyArray_SIZE(a)):
        random_bounded_uint64_fill(bits, <uint64_t>first, <uint64_t>(<int64_t>high - 1 - first), 1, False, &drawn)
        if num == NPY_INT32:
            (<int32_t*>PyArray_DATA(a))[i] = <int32_t>drawn
        elif num == NPY_FLOAT:
            (<float*>PyArray_DATA(a))[i] = <float><int64_t>drawn
        else:
            (<double*>PyArray_DATA(a))[i] = <double><int64_t>drawn
    return True


cdef void shuffle(bitgen_t* bits, int64_t* a, npy_intp n) noexcept:
    """Put `n` integers into random order, as NumPy does it: from the last one on, each changes with one before it."""
    cdef npy_intp i, j
    for i in range(n - 1, 0, -1):
        j = <npy_intp>random_interval(bits, <uint64_t>i)
        a[i], a[j] = a[j], a[i]


cdef int scale(ndarray a, double by, double shift) noexcept:
    """a * by + shift, in the dtype of `a`."""
    cdef npy_intp i
    for i in range(PyArray_SIZE(a)):
        if PyArray_TYPE(a) == NPY_FLOAT:
            (<float*>PyArray_DATA(a))[i] = scaled_f((<float*>PyArray_DATA(a))[i], <float>by, <float>shift)
        else:
            (<double*>PyArray_DATA(a))[i] = scaled((<double*>PyArray_DATA(a))[i], by, shift)
    return 0


# ------------------------------------------------------------------------------ the kernels of the rows

cdef inline bint is_number(object x) noexcept:
    return PyFloat_CheckExact(x) or PyLong_CheckExact(x)


cdef bint uniform_into(Loop* loop, PyObject** args, int n, ndarray out) except -1:
    """uniform(self, from, to, *, generator)"""
    cdef bitgen_t* bits = bits_of(args[3])
    cdef object low = <object>args[1], high = <object>args[2]
    if bits == NULL or not is_small(out) or not is_number(low) or not is_number(high) or not -1e30 < low <= high < 1e30:
        return False
    if not uniform(bits, out):
        return False
    if low != 0 or high != 1:
        scale(out, high - low, low)
    return True


cdef bint normal_into(Loop* loop, PyObject** args, int n, ndarray out) except -1:
    """normal(self, mean, std, *, generator)"""
    cdef bitgen_t* bits = bits_of(args[3])
    cdef object mean = <object>args[1], std = <object>args[2]
    if bits == NULL or not is_small(out) or not is_number(mean) or not is_number(std) or not (
            0 <= std < 1e30 and -1e30 < mean < 1e30):
        return False
    if not gaussian(bits, out):
        return False
    scale(out, std, mean)
    return True


cdef bint exponential_into(Loop* loop, PyObject** args, int n, ndarray out) except -1:
    """exponential(self, lambd, *, generator)"""
    cdef bitgen_t* bits = bits_of(args[2])
    cdef npy_intp i
    cdef double rate
    if bits == NULL or not is_small(out) or not is_number(<object>args[1]) or not 0 < <object>args[1] < 1e30:
        return False
    rate = <object>args[1]
    if PyArray_TYPE(out) == NPY_FLOAT:
        random_standard_exponential_fill_f(bits, PyArray_SIZE(out), <float*>PyArray_DATA(out))
        for i in range(PyArray_SIZE(out)):
            (<float*>PyArray_DATA(out))[i] /= <float>rate
    elif PyArray_TYPE(out) == NPY_DOUBLE:
        random_standard_exponential_fill(bits, PyArray_SIZE(out), <double*>PyArray_DATA(out))
        for i in range(PyArray_SIZE(out)):
            (<double*>PyArray_DATA(out))[i] /= rate
    else:
        return False
    return True


cdef bint bernoulli_into(Loop* loop, PyObject** args, int n, ndarray out) except -1:
    """bernoulli(self, p, *, generator)"""
    cdef bitgen_t* bits = bits_of(args[2])
    cdef npy_intp i
    cdef double p
    if (bits == NULL or not is_small(out) or (PyArray_TYPE(out) != NPY_FLOAT and PyArray_TYPE(out) != NPY_DOUBLE)
            or not is_number(<object>args[1]) or not 0 <= <object>args[1] <= 1):
        return False
    p = <object>args[1]
    for i in range(PyArray_SIZE(out)):
        if PyArray_TYPE(out) == NPY_FLOAT:
            (<float*>PyArray_DATA(out))[i] = bits.next_double(bits.state) < p
        else:
            (<double*>PyArray_DATA(out))[i] = bits.next_double(bits.state) < p
    return True


cdef bint bernoulli_each_into(Loop* loop, PyObject** args, int n, ndarray out) except -1:
    """bernoulli_each(self, generator)"""
    cdef bitgen_t* bits = bits_of(args[1])
    cdef npy_intp i, size = PyArray_SIZE(out)
    cdef ndarray p = <ndarray>args[0]
    if bits == NULL or not is_small(out) or not PyArray_ISCARRAY_RO(p):
        return False
    if PyArray_TYPE(out) == NPY_FLOAT:
        for i in range(size):
            if not 0 <= (<float*>PyArray_DATA(p))[i] <= 1:
                return False
        for i in range(size):
            (<float*>PyArray_DATA(out))[i] = bits.next_double(bits.state) < (<float*>PyArray_DATA(p))[i]
    elif PyArray_TYPE(out) == NPY_DOUBLE:
        for i in range(size):
            if not 0 <= (<double*>PyArray_DATA(p))[i] <= 1:
                return False
        for i in range(size):
            (<double*>PyArray_DATA(out))[i] = bits.next_double(bits.state) < (<double*>PyArray_DATA(p))[i]
    else:
        return False
    return True


cdef bint integers_into(Loop* loop, PyObject** args, int n, ndarray out) except -1:
    """random(self, to, *, generator) and random(self, from, to, *, generator)"""
    cdef bitgen_t* bits = bits_of(args[n - 1])
    cdef object low, high
    if bits == NULL or not is_small(out) or n < 3:
        return False
    low, high = 0 if n == 3 else <object>args[1], <object>args[n - 2]
    if PyArray_TYPE(out) != NPY_INT64 and PyArray_TYPE(out) != NPY_INT32 and not (
            PyLong_CheckExact(low) and PyLong_CheckExact(high) and -WHOLE <= low < high <= WHOLE):
        return False
    return integers(bits, out, low, high)
