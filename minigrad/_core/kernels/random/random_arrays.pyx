"""Random numbers drawn in C: the streams, and arrays that are filled from them.

A stream is the Mersenne Twister, read as PyTorch reads it, so that the same seed gives the same numbers;
mersenne_twister.h has the stream, distributions.h the distributions, and this file the arrays::

    Generator (random)     --- is a --->  Source  --- has --->  mg_stream (mersenne_twister.h)

Whatever is drawn keeps the GIL: two threads that share a stream never get the same numbers.

The functions for Python fill arrays that are contiguous, of float32, float64 and, where it makes sense, of integers;
The package random makes other dtypes of these.
"""

from libc.string cimport memcpy
from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.numpy_api cimport (NPY_BOOL, NPY_DOUBLE, NPY_FLOAT, NPY_INT32, NPY_INT64, PyArray_DATA,
                                               PyArray_DIMS, PyArray_EMPTY, PyArray_ISCARRAY, PyArray_ISCARRAY_RO,
                                               PyArray_NDIM, PyArray_SIZE, PyArray_TYPE, ndarray, npy_bool, npy_intp)
from minigrad._core.runtime.provided cimport provided
from minigrad._core.runtime.python_api cimport (PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyFloat_CheckExact,
                                                PyLong_CheckExact, PyObject)
from minigrad._core.runtime.thread_state cimport state

cdef enum:
    WHOLE = 1 << 24             # up to here float32 has every integer
    SHORT = 1 << 28             # ranges below this take one word for each integer
    BLOCK = 16                  # of normal numbers
    MANY = 64
    LONG = 214748364            # permutations from this length on take two words for each place

cdef extern from "kernels/random/mersenne_twister.h":
    ctypedef struct mg_saved_stream:
        pass
    void begin_stream(mg_stream*, uint64_t) noexcept nogil
    void save_stream(mg_stream*, mg_saved_stream*) noexcept nogil
    bint load_stream(mg_stream*, mg_saved_stream*) noexcept nogil
    uint32_t next_word(mg_stream*) noexcept nogil
    uint64_t next_two_words(mg_stream*) noexcept nogil
    float next_float(mg_stream*) noexcept nogil
    double next_double(mg_stream*) noexcept nogil

cdef extern from "kernels/random/distributions.h":
    enum:
        NORMAL, LOG_NORMAL, EXPONENTIAL, CAUCHY, GEOMETRIC, BERNOULLI
    void uniform_floats(mg_stream*, float*, npy_intp) noexcept nogil
    void uniform_doubles(mg_stream*, double*, npy_intp) noexcept nogil
    void scale_floats(float*, npy_intp, float scale, float shift) noexcept nogil
    void scale_doubles(double*, npy_intp, double scale, double shift) noexcept nogil
    void normal_floats(mg_stream*, float*, npy_intp, float mean, float std, bint by_blocks) noexcept nogil
    void normal_doubles(mg_stream*, double*, npy_intp, double mean, double std) noexcept nogil
    double draw_one(mg_stream*, int law, double p, double q) noexcept nogil

#: the number of bytes of a saved state
STATE_BYTES = sizeof(mg_saved_stream)

#: the distributions that `each` draws from
LAWS = {"normal": NORMAL, "log_normal": LOG_NORMAL, "exponential": EXPONENTIAL, "cauchy": CAUCHY,
        "geometric": GEOMETRIC, "bernoulli": BERNOULLI}

ctypedef fused number:
    float
    double
    int64_t
    int32_t

# ------------------------------------------------------------------------------ streams

cdef class Source:
    """A stream of random bits, as C sees it."""

    def _begin(self, uint64_t seed):
        begin_stream(&self.bits, seed)

    def _first_seed(self):
        return self.bits.seed

    def _saved(self):
        """The state, as bytes."""
        cdef bytes saved = PyBytes_FromStringAndSize(NULL, sizeof(mg_saved_stream))
        save_stream(&self.bits, <mg_saved_stream*>PyBytes_AS_STRING(saved))
        return saved

    def _restore(self, bytes saved not None):
        """Continue from a state of STATE_BYTES bytes; False if it is not one."""
        cdef mg_saved_stream copied
        if len(saved) != sizeof(mg_saved_stream):
            return False
        memcpy(&copied, PyBytes_AS_STRING(saved), sizeof(mg_saved_stream))
        return bool(load_stream(&self.bits, &copied))

    def _exchange(self, bytes saved not None):
        """The same as a change of a Scope: returns the state that was."""
        cdef bytes before = self._saved()
        self._restore(saved)
        return before


cdef mg_stream* bits_of(PyObject* generator) except? NULL:
    """The stream to draw from: that of a Source, or the default one; NULL where Python must look after it."""
    if state().levels != NULL:
        return NULL
    if generator == NULL or <object>generator is None:
        return NULL if provided.default_generator is None else &(<Source>provided.default_generator).bits
    if isinstance(<object>generator, Source):
        return &(<Source>generator).bits
    return NULL


# ------------------------------------------------------------------------------ plain arrays, filled

cdef bint uniform_numbers(mg_stream* bits, ndarray a) noexcept:
    """Numbers in [0, 1); False for a dtype that is rare."""
    if PyArray_TYPE(a) == NPY_FLOAT:
        uniform_floats(bits, <float*>PyArray_DATA(a), PyArray_SIZE(a))
    elif PyArray_TYPE(a) == NPY_DOUBLE:
        uniform_doubles(bits, <double*>PyArray_DATA(a), PyArray_SIZE(a))
    else:
        return False
    return True


cdef bint uniform_between(mg_stream* bits, ndarray a, double low, double high) noexcept:
    cdef float least = <float>low, most = <float>high
    if not uniform_numbers(bits, a):
        return False
    if low == 0 and high == 1:
        return True
    if PyArray_TYPE(a) == NPY_FLOAT:
        scale_floats(<float*>PyArray_DATA(a), PyArray_SIZE(a), most - least, least)
    else:
        scale_doubles(<double*>PyArray_DATA(a), PyArray_SIZE(a), high - low, low)
    return True


cdef void fill_each(number* a, npy_intp n, mg_stream* bits, int law, double p, double q) noexcept nogil:
    cdef npy_intp i, count
    cdef double drawn[MANY]
    cdef number success = <number>q
    if law != BERNOULLI:
        for i in range(n):
            a[i] = <number>draw_one(bits, law, p, q)
        return
    while n > 0:                        # uniform numbers, many at a time, and what is below p
        count = min(n, MANY)
        uniform_doubles(bits, drawn, count)
        for i in range(count):
            a[i] = success if drawn[i] < p else 0
        a += count
        n -= count


cdef bint draw_each(mg_stream* bits, ndarray a, int law, double p, double q) noexcept:
    """Numbers of one of the LAWS, drawn one by one in double precision; False for a dtype that is rare."""
    cdef int num = PyArray_TYPE(a)
    if num == NPY_FLOAT:
        fill_each(<float*>PyArray_DATA(a), PyArray_SIZE(a), bits, law, p, q)
    elif num == NPY_DOUBLE:
        fill_each(<double*>PyArray_DATA(a), PyArray_SIZE(a), bits, law, p, q)
    elif num == NPY_INT64:
        fill_each(<int64_t*>PyArray_DATA(a), PyArray_SIZE(a), bits, law, p, q)
    else:
        return False
    return True


cdef bint normal_of(mg_stream* bits, ndarray a, double mean, double std) noexcept:
    """Normal numbers in dense memory; False for a dtype that is rare."""
    if PyArray_SIZE(a) < BLOCK:
        return (PyArray_TYPE(a) == NPY_FLOAT or PyArray_TYPE(a) == NPY_DOUBLE) and draw_each(bits, a, NORMAL, mean, std)
    if PyArray_TYPE(a) == NPY_FLOAT:
        normal_floats(bits, <float*>PyArray_DATA(a), PyArray_SIZE(a), <float>mean, <float>std, False)
    elif PyArray_TYPE(a) == NPY_DOUBLE:
        normal_doubles(bits, <double*>PyArray_DATA(a), PyArray_SIZE(a), mean, std)
    else:
        return False
    return True


cdef bint normal_numbers(mg_stream* bits, ndarray a) noexcept:
    """Numbers with mean 0 and variance 1; False for a dtype that is rare."""
    return normal_of(bits, a, 0, 1)


cdef void fill_integers(number* a, npy_intp n, mg_stream* bits, int64_t low, uint64_t span, bint wide) noexcept nogil:
    cdef npy_intp i
    cdef uint32_t narrow = <uint32_t>span
    if wide:
        for i in range(n):
            a[i] = <number><int64_t>((next_two_words(bits) % span if span else next_two_words(bits)) + <uint64_t>low)
    else:
        for i in range(n):
            a[i] = <number><int64_t>(next_word(bits) % narrow + <uint64_t>low)


cdef bint draw_integers(mg_stream* bits, ndarray a, int64_t low, uint64_t span, bint wide) noexcept:
    """Integers from `low` on, of which there are `span` (0: 2^64), from one word each, or `wide`, from two."""
    cdef int num = PyArray_TYPE(a)
    if num == NPY_INT64:
        fill_integers(<int64_t*>PyArray_DATA(a), PyArray_SIZE(a), bits, low, span, wide)
    elif num == NPY_INT32:
        fill_integers(<int32_t*>PyArray_DATA(a), PyArray_SIZE(a), bits, low, span, wide)
    elif num == NPY_FLOAT:
        fill_integers(<float*>PyArray_DATA(a), PyArray_SIZE(a), bits, low, span, wide)
    elif num == NPY_DOUBLE:
        fill_integers(<double*>PyArray_DATA(a), PyArray_SIZE(a), bits, low, span, wide)
    else:
        return False
    return True


cdef bint small_integers(mg_stream* bits, ndarray a, object low, object high) except -1:
    """Integers from `low` to below `high`, both within 31 bits, or where floats have no gaps; False for rare dtypes."""
    cdef int64_t first, most = 2**31 if PyArray_TYPE(a) == NPY_INT64 or PyArray_TYPE(a) == NPY_INT32 else WHOLE
    cdef uint64_t span
    if not PyLong_CheckExact(low) or not PyLong_CheckExact(high) or not -most <= low < high <= most:
        return False
    first, span = low, high - low
    return draw_integers(bits, a, first, span, span >= SHORT)


cdef void shuffle_integers(mg_stream* bits, int64_t* a, npy_intp n) noexcept nogil:
    """Put `n` integers into random order: from the first one on, each changes with itself or one behind it."""
    cdef npy_intp i, j
    for i in range(n - 1):
        if n < LONG:
            j = i + <npy_intp>(next_word(bits) % <uint32_t>(n - i))
        else:
            j = i + <npy_intp>(next_two_words(bits) % <uint64_t>(n - i))
        a[i], a[j] = a[j], a[i]


# ------------------------------------------------------------------------------ for Python

cdef check(bint filled, ndarray a):
    if not filled:
        raise TypeError(f"no random numbers are drawn into {a.dtype}")


def uniform(Source source not None, ndarray a not None, double low, double high):
    """Numbers from `low` to below `high`."""
    assert PyArray_ISCARRAY(a)
    check(uniform_between(&source.bits, a, low, high), a)


def normal(Source source not None, ndarray a not None, double mean, double std, bint by_blocks=False):
    """Normal numbers as in dense memory; `by_blocks` as for 16-bit floats."""
    assert PyArray_ISCARRAY(a)
    if by_blocks and PyArray_TYPE(a) == NPY_FLOAT and PyArray_SIZE(a) >= BLOCK:
        normal_floats(&source.bits, <float*>PyArray_DATA(a), PyArray_SIZE(a), <float>mean, <float>std, True)
    else:
        check(normal_of(&source.bits, a, mean, std), a)


def each(Source source not None, str law not None, ndarray a not None, double p, double q=0):
    """Numbers of one of the LAWS, with these parameters, drawn one by one: of "bernoulli" `q` with probability `p`."""
    assert PyArray_ISCARRAY(a)
    check(draw_each(&source.bits, a, LAWS[law], p, q), a)


def integers(Source source not None, ndarray a not None, int64_t low, uint64_t span, bint wide):
    """Integers from `low` on, of which there are `span` (0: 2^64), from one word each, or `wide`, from two."""
    assert PyArray_ISCARRAY(a)
    check(draw_integers(&source.bits, a, low, span, wide), a)


def shuffle(Source source not None, ndarray a not None):
    """Put integers into random order."""
    assert PyArray_ISCARRAY(a) and PyArray_TYPE(a) == NPY_INT64
    shuffle_integers(&source.bits, <int64_t*>PyArray_DATA(a), PyArray_SIZE(a))


def chances(Source source not None, ndarray p not None):
    """Whether each of several events happens, which have these probabilities."""
    cdef npy_intp i
    cdef ndarray out = PyArray_EMPTY(PyArray_NDIM(p), PyArray_DIMS(p), NPY_BOOL, 0)
    assert PyArray_ISCARRAY_RO(p) and (PyArray_TYPE(p) == NPY_FLOAT or PyArray_TYPE(p) == NPY_DOUBLE)
    for i in range(PyArray_SIZE(p)):
        if PyArray_TYPE(p) == NPY_FLOAT:
            (<npy_bool*>PyArray_DATA(out))[i] = next_float(&source.bits) < (<float*>PyArray_DATA(p))[i]
        else:
            (<npy_bool*>PyArray_DATA(out))[i] = next_double(&source.bits) < (<double*>PyArray_DATA(p))[i]
    return out


# ------------------------------------------------------------------------------ the kernels of the rows

cdef inline bint is_number(object x) noexcept:
    return PyFloat_CheckExact(x) or PyLong_CheckExact(x)


cdef inline bint in_order(PyObject** args, ndarray out) noexcept:
    """Do the elements lie in their order, in the memory to fill and in that of the first argument?"""
    return PyArray_ISCARRAY(out) and PyArray_ISCARRAY_RO(<ndarray>args[0])


cdef bint uniform_into(Loop* loop, PyObject** args, int n, ndarray out) except -1:
    """uniform(self, from, to, *, generator)"""
    cdef mg_stream* bits = bits_of(args[3])
    cdef object low = <object>args[1], high = <object>args[2]
    if bits == NULL or not in_order(args, out) or not is_number(low) or not is_number(high):
        return False
    return -1e30 < low <= high < 1e30 and uniform_between(bits, out, low, high)


cdef bint normal_into(Loop* loop, PyObject** args, int n, ndarray out) except -1:
    """normal(self, mean, std, *, generator)"""
    cdef mg_stream* bits = bits_of(args[3])
    cdef object mean = <object>args[1], std = <object>args[2]
    if bits == NULL or not in_order(args, out) or not is_number(mean) or not is_number(std):
        return False
    return 0 <= std < 1e30 and -1e30 < mean < 1e30 and normal_of(bits, out, mean, std)


cdef bint is_floating(ndarray a) noexcept:
    return PyArray_TYPE(a) == NPY_FLOAT or PyArray_TYPE(a) == NPY_DOUBLE


cdef bint exponential_into(Loop* loop, PyObject** args, int n, ndarray out) except -1:
    """exponential(self, lambd, *, generator)"""
    cdef mg_stream* bits = bits_of(args[2])
    if bits == NULL or not in_order(args, out) or not is_floating(out) or not is_number(<object>args[1]):
        return False
    return 0 < <object>args[1] < 1e30 and draw_each(bits, out, EXPONENTIAL, <object>args[1], 0)


cdef bint bernoulli_into(Loop* loop, PyObject** args, int n, ndarray out) except -1:
    """bernoulli(self, p, *, generator)"""
    cdef mg_stream* bits = bits_of(args[2])
    if bits == NULL or not in_order(args, out) or not is_floating(out) or not is_number(<object>args[1]):
        return False
    return 0 <= <object>args[1] <= 1 and draw_each(bits, out, BERNOULLI, <object>args[1], 1)


cdef bint bernoulli_each_into(Loop* loop, PyObject** args, int n, ndarray out) except -1:
    """bernoulli_each(self, generator)"""
    cdef mg_stream* bits = bits_of(args[1])
    cdef npy_intp i, size = PyArray_SIZE(out)
    cdef ndarray p = <ndarray>args[0]
    if bits == NULL or not in_order(args, out) or not is_floating(out) or PyArray_TYPE(p) != PyArray_TYPE(out):
        return False
    if PyArray_TYPE(out) == NPY_FLOAT:
        for i in range(size):
            if not 0 <= (<float*>PyArray_DATA(p))[i] <= 1:
                return False
        for i in range(size):
            (<float*>PyArray_DATA(out))[i] = next_float(bits) < (<float*>PyArray_DATA(p))[i]
    else:
        for i in range(size):
            if not 0 <= (<double*>PyArray_DATA(p))[i] <= 1:
                return False
        for i in range(size):
            (<double*>PyArray_DATA(out))[i] = next_double(bits) < (<double*>PyArray_DATA(p))[i]
    return True


cdef bint integers_into(Loop* loop, PyObject** args, int n, ndarray out) except -1:
    """random(self, to, *, generator) and random(self, from, to, *, generator)"""
    cdef mg_stream* bits = bits_of(args[n - 1])
    cdef object low, high
    if bits == NULL or not in_order(args, out):
        return False
    low, high = 0 if n == 3 else <object>args[1], <object>args[n - 2]
    return small_integers(bits, out, low, high)
