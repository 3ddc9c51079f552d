"""Tensors made in C, where the call is one of the usual ones.

``torch.tensor([[1., 2.], [3., 4.]])`` and ``torch.zeros(2, 3)`` are functions in Python (creation.py, arrays.py), which
know everything about data, dtypes and errors.  Most calls need little of that: nested lists of Python's own numbers, a
shape, perhaps a dtype and ``requires_grad``.  Such a call is answered here.  Anything else, and whatever is wrong,
returns None, and the function in Python is called.
"""

from cpython.bool cimport PyBool_Check
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_CheckExact
from cpython.long cimport PyLong_AsLongLongAndOverflow, PyLong_CheckExact
from cpython.ref cimport PyObject
cimport numpy as cnp
from numpy cimport (NPY_ANYORDER, NPY_BOOL, NPY_DOUBLE, NPY_FLOAT, NPY_INT64, PyArray_DATA, PyArray_DIMS,
                    PyArray_ISCARRAY_RO, PyArray_ITEMSIZE, PyArray_NDIM, PyArray_NewCopy, PyArray_SIZE,
                    PyArray_TYPE, int64_t, ndarray, npy_intp)
from minigrad._core.blocks cimport new_array, new_zeros
from minigrad._core.graph cimport Tensor, dtype_of, new_tensor
from minigrad._core.promotion cimport MAX_NUMS, known_num, real_num

cnp.import_array()

cdef extern from "Python.h":
    bint PyList_CheckExact(object)
    bint PyTuple_CheckExact(object)
    PyObject** PySequence_Fast_ITEMS(object)
    Py_ssize_t PySequence_Fast_GET_SIZE(object)
    double PyLong_AsDouble(object) except? -1

cdef enum:
    MAX_DIMS = 32
    BOOLS = 1                   # what kinds of numbers there are among data
    INTS = 2
    FLOATS = 4

cdef struct Options:
    int num                     # of the dtype; -1 where none is given
    bint requires_grad


cdef class FrontEnd:
    """How a function of Python is called in C first."""


cdef FrontEnd front(Maker make):
    cdef FrontEnd it = FrontEnd.__new__(FrontEnd)
    it.make = make
    return it


# ------------------------------------------------------------------------------ arguments

cdef dict num_of = {}           # dtype -> NumPy's number of it


cdef bint read(PyObject** args, PyObject* kwnames, Options* options) except -1:
    """The keywords `dtype` and `requires_grad`; False where there is another one that says anything."""
    cdef Py_ssize_t i
    cdef object value
    options.num = -1
    options.requires_grad = False
    if kwnames == NULL:
        return True
    if not num_of:
        num_of.update({dtype: numpy_dtype.num for numpy_dtype, dtype in dtype_of.items()})
    for i, keyword in enumerate(<tuple>kwnames):
        value = <object>args[i]
        if keyword == "requires_grad":
            if value is not True and value is not False:
                return False
            options.requires_grad = value is True
        elif keyword == "dtype":
            if value is not None:
                options.num = num_of.get(value, MAX_NUMS) if type(value) is not type else MAX_NUMS
                if options.num >= MAX_NUMS:
                    return False
        elif value is not None or keyword == "out":
            return False
    return True


cdef object finished(ndarray array, Options* options):
    """The array as a tensor; None where it cannot require grad."""
    cdef Tensor t
    if options.requires_grad and array.dtype.kind not in "fc":
        return None
    t = new_tensor(array)
    t.requires_grad_ = options.requires_grad
    return t


cdef int read_sizes(PyObject** args, Py_ssize_t n, npy_intp* sizes) except -2:
    """How many sizes there are, given one by one or in one tuple; -1 if one is not a plain int."""
    cdef Py_ssize_t i
    cdef int overflow = 0
    if n == 1 and (isinstance(<object>args[0], tuple) or PyList_CheckExact(<object>args[0])):
        n = PySequence_Fast_GET_SIZE(<object>args[0])
        args = PySequence_Fast_ITEMS(<object>args[0])
    elif n == 0:
        return -1
    if n > MAX_DIMS:
        return -1
    for i in range(n):
        if not PyLong_CheckExact(<object>args[i]):
            return -1
        sizes[i] = PyLong_AsLongLongAndOverflow(<object>args[i], &overflow)
        if overflow or sizes[i] < 0:
            return -1
    return <int>n


# ------------------------------------------------------------------------------ from data

cdef inline bint is_list(object x) noexcept:
    return PyList_CheckExact(x) or PyTuple_CheckExact(x)


cdef int survey(object x, int depth, int ndim, npy_intp* shape) except -1:
    """Which kinds of numbers are in nested lists of this shape; 0 where there is anything else."""
    cdef Py_ssize_t i
    cdef int kinds = 0, found
    cdef PyObject** items
    if depth == ndim:
        if PyFloat_CheckExact(x):
            return FLOATS
        if PyLong_CheckExact(x):
            return INTS
        return BOOLS if PyBool_Check(x) else 0
    if not is_list(x) or PySequence_Fast_GET_SIZE(x) != shape[depth]:
        return 0
    items = PySequence_Fast_ITEMS(x)
    for i in range(shape[depth]):
        found = survey(<object>items[i], depth + 1, ndim, shape)
        if found == 0:
            return 0
        kinds |= found
    return kinds


cdef bint store(object x, int depth, int ndim, npy_intp* shape, char** to, int num) except -1:
    """Write the numbers one after the other; False where one does not fit."""
    cdef Py_ssize_t i
    cdef PyObject** items
    cdef double value
    cdef int overflow = 0
    if depth < ndim:
        items = PySequence_Fast_ITEMS(x)
        for i in range(shape[depth]):
            if not store(<object>items[i], depth + 1, ndim, shape, to, num):
                return False
        return True
    if num == NPY_BOOL:
        to[0][0] = x is True
        to[0] += 1
    elif num == NPY_INT64:
        (<int64_t*>to[0])[0] = PyLong_AsLongLongAndOverflow(x, &overflow)
        to[0] += sizeof(int64_t)
    else:
        if PyFloat_CheckExact(x):
            value = PyFloat_AS_DOUBLE(x)
        else:
            try:
                value = PyLong_AsDouble(x)
            except OverflowError:
                return False
        if num == NPY_DOUBLE:
            (<double*>to[0])[0] = value
            to[0] += sizeof(double)
        else:
            (<float*>to[0])[0] = <float>value
            to[0] += sizeof(float)
    return not overflow


cdef object from_data(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """torch.tensor(data, *, dtype, requires_grad)"""
    cdef Options options
    cdef npy_intp shape[MAX_DIMS]
    cdef int ndim = 0, kinds, num
    cdef object data, x
    cdef ndarray out
    cdef char* to
    if n != 1 or not read(args + 1, kwnames, &options):
        return None
    data = x = <object>args[0]
    if type(data) is ndarray:
        return from_array(<ndarray>data, &options)
    while is_list(x):
        if ndim == MAX_DIMS:
            return None
        shape[ndim] = PySequence_Fast_GET_SIZE(x)
        if shape[ndim] == 0:
            return None
        ndim += 1
        x = <object>PySequence_Fast_ITEMS(x)[0]
    kinds = survey(data, 0, ndim, shape)
    if kinds == 0:
        return None
    num = real_num(NPY_INT64) if kinds & FLOATS else NPY_INT64 if kinds & INTS else NPY_BOOL
    if options.num >= 0:
        if (num != NPY_BOOL and options.num == NPY_BOOL) or (kinds & FLOATS and options.num == NPY_INT64):
            return None
        num = options.num
    if num != NPY_FLOAT and num != NPY_DOUBLE and num != NPY_INT64 and num != NPY_BOOL:
        return None
    out = new_array(ndim, shape, num)
    to = <char*>PyArray_DATA(out)
    return finished(out, &options) if store(data, 0, ndim, shape, &to, num) else None


cdef object from_array(ndarray a, Options* options):
    if not PyArray_ISCARRAY_RO(a) or not known_num(PyArray_TYPE(a)) or options.num not in (-1, PyArray_TYPE(a)):
        return None
    return finished(PyArray_NewCopy(a, NPY_ANYORDER), options)


# ------------------------------------------------------------------------------ one value everywhere

cdef object everywhere(PyObject** args, Py_ssize_t n, PyObject* kwnames, int value):
    """A tensor of zeros or ones, or of anything (-1)."""
    cdef Options options
    cdef npy_intp sizes[MAX_DIMS]
    cdef int ndim, num
    cdef ndarray out
    if not read(args + n, kwnames, &options):
        return None
    ndim = read_sizes(args, n, sizes)
    if ndim < 0:
        return None
    num = real_num(NPY_INT64) if options.num < 0 else options.num
    if value == 0:
        out = new_zeros(ndim, sizes, num)
    else:
        out = new_array(ndim, sizes, num)
        if value == 1:
            fill_with_one(out)
    return finished(out, &options)


cdef int fill_with_one(ndarray a) except -1:
    cdef npy_intp i
    if PyArray_TYPE(a) == NPY_FLOAT:
        for i in range(PyArray_SIZE(a)):
            (<float*>PyArray_DATA(a))[i] = 1
    elif PyArray_TYPE(a) == NPY_DOUBLE:
        for i in range(PyArray_SIZE(a)):
            (<double*>PyArray_DATA(a))[i] = 1
    else:
        a.fill(1)
    return 0


cdef object make_zeros(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return everywhere(args, n, kwnames, 0)


cdef object make_ones(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return everywhere(args, n, kwnames, 1)


cdef object make_empty(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return everywhere(args, n, kwnames, -1)


cdef object like(PyObject** args, Py_ssize_t n, PyObject* kwnames, int value):
    """The same in the shape and dtype of a tensor whose elements lie one after the other."""
    cdef Options options
    cdef ndarray a, out
    if n != 1 or not read(args + 1, kwnames, &options) or not isinstance(<object>args[0], Tensor):
        return None
    if type((<Tensor><object>args[0]).payload) is not ndarray:
        return None
    a = <ndarray>(<Tensor><object>args[0]).payload
    if not PyArray_ISCARRAY_RO(a) or PyArray_TYPE(a) >= MAX_NUMS:
        return None
    if options.num < 0:
        options.num = PyArray_TYPE(a)
    if value == 0:
        out = new_zeros(PyArray_NDIM(a), PyArray_DIMS(a), options.num)
    else:
        out = new_array(PyArray_NDIM(a), PyArray_DIMS(a), options.num)
        if value == 1:
            fill_with_one(out)
    return finished(out, &options)


cdef object make_zeros_like(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return like(args, n, kwnames, 0)


cdef object make_ones_like(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return like(args, n, kwnames, 1)


cdef object make_empty_like(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return like(args, n, kwnames, -1)


tensor = front(from_data)
zeros = front(make_zeros)
ones = front(make_ones)
empty = front(make_empty)
zeros_like = front(make_zeros_like)
ones_like = front(make_ones_like)
empty_like = front(make_empty_like)
