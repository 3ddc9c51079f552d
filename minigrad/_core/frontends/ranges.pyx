"""Ranges and patterns made in C, where the call is one of the usual ones: ``torch.arange(10)``, ``torch.eye(3)``.

creation/ranges.py knows every other case, and takes the numbers of floating point ranges from here (ranges.h).
"""

from libc.math cimport ceil, isfinite
from libc.string cimport memcpy
from minigrad._core.dispatch.front_end cimport front
from minigrad._core.frontends.creation cimport Options, finished, fits, read
from minigrad._core.graph cimport Tensor
from minigrad._core.kernels.loops.fill_and_copy cimport element_of
from minigrad._core.kernels.loops.numpy_loops cimport Loop, binary_into, number, resolve
from minigrad._core.runtime.memory_pool cimport new_array, new_zeros
from minigrad._core.runtime.numpy_api cimport (NPY_DOUBLE, NPY_FLOAT, NPY_INT64, PyArray_DATA,
                                               PyArray_ISCARRAY_RO, PyArray_ITEMSIZE, PyArray_NDIM, PyArray_TYPE,
                                               int64_t, ndarray, npy_intp)
from minigrad._core.runtime.python_api cimport PyLong_CheckExact, PyObject
from minigrad._core.runtime.thread_state cimport state
from minigrad._core.runtime.type_promotion cimport real_num

import numpy as np

cdef extern from "frontends/ranges.h" nogil:
    void mg_arange_floats(float* out, npy_intp n, double start, double step) noexcept
    void mg_arange_doubles(double* out, npy_intp n, double start, double step) noexcept
    void mg_linspace_floats(float* out, npy_intp n, float start, float end) noexcept
    void mg_linspace_doubles(double* out, npy_intp n, double start, double end) noexcept

cdef extern from *:
    """
    /* a * b, rounded: on some machines the compiler would join it with the sum that follows */
    static inline double mg_product(double a, double b) { volatile double p = a * b; return p; }
    """
    double product "mg_product"(double a, double b) noexcept nogil

cdef enum:
    SIDE = 1 << 20              # of a matrix: more positions than there is memory for

cdef double MANY = 2.**40       # elements, which no memory holds


cdef object make_arange(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """arange(end), arange(start, end) or arange(start, end, step)"""
    cdef Options options
    cdef double start = 0, end = 0, step = 1, count
    cdef bint whole = True
    cdef Py_ssize_t i
    cdef npy_intp size
    cdef ndarray out
    if not 1 <= n <= 3 or not read(args + n, kwnames, &options):
        return None
    for i in range(n):
        whole = whole and PyLong_CheckExact(<object>args[i])
    if not (number(<object>args[0], &end) if n == 1 else
            number(<object>args[0], &start) and number(<object>args[1], &end)):
        return None
    if n == 3 and not number(<object>args[2], &step):
        return None
    if options.num < 0:
        options.num = NPY_INT64 if whole else real_num(NPY_INT64)
    if not isfinite(start) or not isfinite(end) or not isfinite(step) or step == 0:
        return None
    if end < start if step > 0 else end > start:
        return None
    count = ceil((end - start) / step)
    if count > MANY or (options.num == NPY_INT64 and not whole):
        return None
    size = <npy_intp>count
    if options.num == NPY_INT64:
        out = new_array(1, &size, NPY_INT64)
        for i in range(size):
            (<int64_t*>PyArray_DATA(out))[i] = <int64_t>start + i * <int64_t>step
    elif options.num == NPY_FLOAT or options.num == NPY_DOUBLE:
        out = in_steps(size, options.num, start, step)
    else:
        return None
    return finished(out, &options)


cdef ndarray in_steps(npy_intp n, int num, double start, double step):
    """`n` numbers from `start` on, in float32 or float64."""
    cdef ndarray out = new_array(1, &n, num)
    if num == NPY_FLOAT:
        mg_arange_floats(<float*>PyArray_DATA(out), n, start, step)
    else:
        mg_arange_doubles(<double*>PyArray_DATA(out), n, start, step)
    return out


def numbers_in_steps(npy_intp n, dtype, double start, double step):
    """``n`` numbers from ``start`` on, a ``step`` apart, in NumPy's float32 or float64."""
    return in_steps(n, NPY_FLOAT if dtype == np.float32 else NPY_DOUBLE, start, step)


cdef ndarray from_to(npy_intp n, int num, double start, double end):
    """`n` numbers, the first of which is `start` and the last `end`, in float32 or float64."""
    cdef ndarray out = new_array(1, &n, num)
    if num == NPY_FLOAT:
        mg_linspace_floats(<float*>PyArray_DATA(out), n, <float>start, <float>end)
    else:
        mg_linspace_doubles(<double*>PyArray_DATA(out), n, start, end)
    return out


def numbers_from_to(npy_intp n, dtype, double start, double end):
    """``n`` numbers at equal distances from ``start`` to ``end``, in NumPy's float32 or float64."""
    return from_to(n, NPY_FLOAT if dtype == np.float32 else NPY_DOUBLE, start, end)


cdef inline void store(ndarray out, npy_intp i, double value) noexcept:
    if PyArray_TYPE(out) == NPY_DOUBLE:
        (<double*>PyArray_DATA(out))[i] = value
    else:
        (<float*>PyArray_DATA(out))[i] = <float>value


cdef bint in_a_tensor(object x, double* value) except -1:
    """The number in an ordinary tensor of floating point without dims, whose derivative nobody wants; else False."""
    cdef ndarray a
    if not isinstance(x, Tensor) or type((<Tensor>x).payload) is not ndarray:
        return False
    if (<Tensor>x).requires_grad_ or state().forward:
        return False
    a = <ndarray>(<Tensor>x).payload
    if PyArray_NDIM(a) or not PyArray_ISCARRAY_RO(a) or PyArray_TYPE(a) != NPY_DOUBLE and PyArray_TYPE(a) != NPY_FLOAT:
        return False
    value[0] = ((<double*>PyArray_DATA(a))[0] if PyArray_TYPE(a) == NPY_DOUBLE else (<float*>PyArray_DATA(a))[0])
    return True


cdef bint read_ends(PyObject** args, PyObject* kwnames, Py_ssize_t n, Options* options, double* ends,
                    npy_intp* steps) except -1:
    """The two ends, as elements of the result, and how many numbers there are from one to the other."""
    cdef int k
    if not read(args + n, kwnames, options) or not PyLong_CheckExact(<object>args[2]):
        return False
    if options.num < 0:
        options.num = real_num(NPY_INT64)
    if options.num != NPY_FLOAT and options.num != NPY_DOUBLE:
        return False
    for k in range(2):
        if not (number(<object>args[k], &ends[k]) or in_a_tensor(<object>args[k], &ends[k])):
            return False
        if not fits(ends[k], options.num):
            return False
        if options.num == NPY_FLOAT:
            ends[k] = <float>ends[k]
    if not 0 <= <object>args[2] < MANY:
        return False
    steps[0] = <object>args[2]
    return True


cdef inline double between(double start, double end, double step, npy_intp i, npy_intp n) noexcept:
    """Number `i` of `n`, counted from the nearer end, so that both ends are exact."""
    return start + product(step, <double>i) if i < n // 2 else end - product(step, <double>(n - 1 - i))


cdef object make_linspace(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """linspace(start, end, steps)"""
    cdef Options options
    cdef double ends[2]
    cdef npy_intp size = 0
    cdef ndarray out
    if n != 3 or not read_ends(args, kwnames, n, &options, ends, &size):
        return None
    out = from_to(size, options.num, ends[0], ends[1])
    return finished(out, &options)


cdef Loop POWER
resolve(&POWER, np.power)


cdef object make_logspace(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """logspace(start, end, steps, base)"""
    cdef Options options
    cdef double ends[2]
    cdef npy_intp i, size = 0
    cdef ndarray powers, out
    cdef object base = 10.0 if n == 3 else <object>args[3] if n == 4 else None
    if not 3 <= n <= 4 or not read_ends(args, kwnames, n, &options, ends, &size):
        return None
    powers = new_array(1, &size, NPY_DOUBLE)
    for i in range(size):
        store(powers, i, ends[0] if size == 1 else
              between(ends[0], ends[1], (ends[1] - ends[0]) / (size - 1), i, size))
    base = binary_into(&POWER, base, powers, None)
    if base is None:
        return None
    powers = <ndarray>base
    if options.num == NPY_DOUBLE:
        return finished(powers, &options)
    out = new_array(1, &size, options.num)
    for i in range(size):
        store(out, i, (<double*>PyArray_DATA(powers))[i])
    return finished(out, &options)


cdef object make_eye(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """eye(n) or eye(n, m)"""
    cdef Options options
    cdef npy_intp sizes[2]
    cdef npy_intp i
    cdef int k, width
    cdef char one[16]
    cdef ndarray out
    if not 1 <= n <= 2 or not read(args + n, kwnames, &options):
        return None
    for k in range(2):
        x = <object>args[k if n == 2 else 0]
        if not PyLong_CheckExact(x) or not 0 <= x < MANY:
            return None
        sizes[k] = x
    if options.num < 0:
        options.num = real_num(NPY_INT64)
    if not element_of(True, options.num, one):
        return None
    out = new_zeros(2, sizes, options.num)
    width = PyArray_ITEMSIZE(out)
    for i in range(min(sizes[0], sizes[1])):
        memcpy(<char*>PyArray_DATA(out) + i * (sizes[1] + 1) * width, one, width)
    return finished(out, &options)


# The positions of a triangle: the row numbers, and below them the column numbers.

cdef object make_tril_indices(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return triangle(args, n, kwnames, True)


cdef object make_triu_indices(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return triangle(args, n, kwnames, False)


cdef inline npy_intp within(npy_intp column, npy_intp columns) noexcept:
    return 0 if column < 0 else columns if column > columns else column


cdef object triangle(PyObject** args, Py_ssize_t n, PyObject* kwnames, bint lower):
    """(row, col, offset=0)"""
    cdef Options options
    cdef int k
    cdef npy_intp given[3]
    cdef npy_intp sizes[2]
    cdef npy_intp i, j, end
    cdef int64_t* to
    cdef ndarray out
    given[2] = 0
    if n == 2 and kwnames != NULL and (<tuple>kwnames) == ("offset",):
        n, kwnames = 3, NULL
    if not 2 <= n <= 3 or not read(args + n, kwnames, &options) or options.num not in (-1, NPY_INT64):
        return None
    for k in range(n):
        if not PyLong_CheckExact(<object>args[k]) or not (-SIDE if k == 2 else 0) <= <object>args[k] <= SIDE:
            return None
        given[k] = <object>args[k]
    sizes[0], sizes[1] = 2, 0
    for i in range(given[0]):
        end = within(i + given[2] + lower, given[1])        # up to here they are below the diagonal
        sizes[1] += end if lower else given[1] - end
    out = new_array(2, sizes, NPY_INT64)
    to = <int64_t*>PyArray_DATA(out)
    for i in range(given[0]):
        end = within(i + given[2] + lower, given[1])
        for j in range(0 if lower else end, end if lower else given[1]):
            to[0], to[sizes[1]] = i, j
            to += 1
    return finished(out, &options)


arange = front(make_arange)
linspace = front(make_linspace)
logspace = front(make_logspace)
eye = front(make_eye)
tril_indices = front(make_tril_indices)
triu_indices = front(make_triu_indices)
