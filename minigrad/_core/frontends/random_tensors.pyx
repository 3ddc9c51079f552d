"""Random tensors made in C, where the call is one of the usual ones: ``torch.rand(2, 3)``, ``torch.randn_like(x)``."""

from minigrad._core.dispatch.front_end cimport front
from minigrad._core.frontends.creation cimport MAX_DIMS, Options, array_like, finished, read, read_sizes
from minigrad._core.graph cimport Tensor
from minigrad._core.kernels.random.random_arrays cimport (bits_of, mg_stream, normal_numbers, normal_of,
                                                          shuffle_integers, small_integers, uniform_numbers)
from minigrad._core.runtime.memory_pool cimport new_array
from minigrad._core.runtime.numpy_api cimport (NPY_DOUBLE, NPY_INT64, PyArray_DATA, PyArray_SIZE, PyArray_TYPE, int64_t,
                                               ndarray, npy_intp)
from minigrad._core.runtime.python_api cimport PyFloat_CheckExact, PyLong_CheckExact, PyObject
from minigrad._core.runtime.type_promotion cimport real_num

cdef enum:
    LIMIT = 1 << 26             # elements, from which on memory may be short

ctypedef bint (*Draw)(mg_stream* bits, ndarray a) noexcept


cdef ndarray of_plain_sizes(PyObject** args, Py_ssize_t n, int num):
    """A new array of these sizes; None where they are not plain, or so many that Python must answer for them."""
    cdef npy_intp sizes[MAX_DIMS]
    cdef double count = 1
    cdef int ndim = read_sizes(args, n, sizes), k
    for k in range(ndim):
        count *= sizes[k]
    return None if ndim < 0 or count > LIMIT else new_array(ndim, sizes, num)


cdef object drawn(ndarray a, Draw draw, Options* options):
    """The array, filled; None where Python must do that."""
    cdef mg_stream* bits = bits_of(options.generator)
    return finished(a, options) if a is not None and bits != NULL and draw(bits, a) else None


cdef object of_sizes(PyObject** args, Py_ssize_t n, PyObject* kwnames, Draw draw):
    cdef Options options
    if not read(args + n, kwnames, &options, True):
        return None
    return drawn(of_plain_sizes(args, n, real_num(NPY_INT64) if options.num < 0 else options.num), draw, &options)


cdef object of_form(PyObject** args, Py_ssize_t n, PyObject* kwnames, Draw draw):
    cdef Options options
    cdef ndarray a
    if n != 1 or not read(args + 1, kwnames, &options, True, True):
        return None
    a = array_like(<object>args[0], options.num)
    return None if a is None else drawn(a, draw, &options)


cdef object make_rand(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return of_sizes(args, n, kwnames, uniform_numbers)


cdef object make_randn(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return of_sizes(args, n, kwnames, normal_numbers)


cdef object make_rand_like(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return of_form(args, n, kwnames, uniform_numbers)


cdef object make_randn_like(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return of_form(args, n, kwnames, normal_numbers)


cdef object integers_drawn(ndarray a, PyObject** bounds, Py_ssize_t n, Options* options):
    """The array, filled with integers from 0, or from the first of two bounds, to below the last."""
    cdef mg_stream* bits = bits_of(options.generator)
    if a is None or bits == NULL or options.requires_grad:
        return None
    if not small_integers(bits, a, 0 if n == 1 else <object>bounds[0], <object>bounds[n - 1]):
        return None
    return finished(a, options)


cdef object make_randint(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """randint(high, size) or randint(low, high, size)"""
    cdef Options options
    if not 2 <= n <= 3 or not isinstance(<object>args[n - 1], (tuple, list)):
        return None
    if not read(args + n, kwnames, &options, True):
        return None
    return integers_drawn(of_plain_sizes(args + n - 1, 1, NPY_INT64 if options.num < 0 else options.num), args, n - 1,
                          &options)


cdef object make_randint_like(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """randint_like(x, high) or randint_like(x, low, high)"""
    cdef Options options
    if not 2 <= n <= 3 or not read(args + n, kwnames, &options, True):
        return None
    return integers_drawn(array_like(<object>args[0], options.num), args + 1, n - 1, &options)


cdef object make_normal(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """normal(mean, std, size), of two numbers"""
    cdef Options options
    cdef ndarray a
    cdef mg_stream* bits
    cdef double mean, std
    if n != 3 or not isinstance(<object>args[2], (tuple, list)) or not read(args + n, kwnames, &options, True):
        return None
    if not (PyFloat_CheckExact(<object>args[0]) and PyFloat_CheckExact(<object>args[1])):
        return None
    mean, std = <object>args[0], <object>args[1]
    bits = bits_of(options.generator)
    a = of_plain_sizes(args + 2, 1, real_num(NPY_INT64) if options.num < 0 else options.num)
    if a is None or bits == NULL or not 0 <= std < 1e30 or not -1e30 < mean < 1e30 or not normal_of(bits, a, mean, std):
        return None
    return finished(a, &options)


cdef object make_randperm(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """randperm(n)"""
    cdef Options options
    cdef mg_stream* bits
    cdef ndarray out
    cdef npy_intp i, size
    if n != 1 or not PyLong_CheckExact(<object>args[0]) or not 0 <= <object>args[0] <= LIMIT:
        return None
    if not read(args + n, kwnames, &options, True) or options.num not in (-1, NPY_INT64) or options.requires_grad:
        return None
    bits = bits_of(options.generator)
    if bits == NULL:
        return None
    size = <object>args[0]
    out = new_array(1, &size, NPY_INT64)
    for i in range(size):
        (<int64_t*>PyArray_DATA(out))[i] = i
    shuffle_integers(bits, <int64_t*>PyArray_DATA(out), size)
    return finished(out, &options)


rand = front(make_rand)
randn = front(make_randn)
rand_like = front(make_rand_like)
randn_like = front(make_randn_like)
randint = front(make_randint)
randint_like = front(make_randint_like)
normal = front(make_normal)
randperm = front(make_randperm)
