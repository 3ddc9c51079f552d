"""Tensors made in C, where the call is one of the usual ones.

``torch.tensor([[1., 2.], [3., 4.]])`` and ``torch.zeros(2, 3)`` are functions in Python (creation/__init__.py,
creation/arrays.py), which know everything about data, dtypes and errors.  Most calls need little of that: nested lists
of Python's own numbers, a shape, perhaps a dtype and ``requires_grad``.  Such a call is answered here.  Anything else,
and whatever is wrong, returns None, and the function in Python is called.
"""

from libc.float cimport DBL_MAX, FLT_MAX
from minigrad._core.dispatch.front_end cimport front
from minigrad._core.graph cimport Tensor, new_tensor
from minigrad._core.kernels.loops.fill_and_copy cimport element_of, fill_with
from minigrad._core.runtime.memory_pool cimport new_array, new_zeros as array_of_zeros
from minigrad._core.runtime.numpy_api cimport (NPY_ANYORDER, NPY_BOOL, NPY_CFLOAT, NPY_DOUBLE, NPY_FLOAT, NPY_INT64,
                                               PyArray_DATA, PyArray_DIMS, PyArray_ISCARRAY_RO, PyArray_NDIM,
                                               PyArray_NewCopy, PyArray_TYPE, PyTypeNum_ISCOMPLEX, PyTypeNum_ISFLOAT,
                                               int64_t, ndarray, npy_intp)
from minigrad._core.runtime.provided cimport provided
from minigrad._core.runtime.python_api cimport (PyBool_Check, PyFloat_AS_DOUBLE, PyFloat_CheckExact, PyList_CheckExact,
                                                PyLong_AsDouble, PyLong_AsLongLongAndOverflow, PyLong_CheckExact,
                                                PyObject, PySequence_Fast_GET_SIZE, PySequence_Fast_ITEMS,
                                                PyTuple_CheckExact)
from minigrad._core.runtime.type_promotion cimport MAX_NUMS, known_num, number_num, real_num

cdef enum:
    BOOLS = 1                   # what kinds of numbers there are among data
    INTS = 2
    FLOATS = 4


# ------------------------------------------------------------------------------ arguments

cdef dict nums = {}             # dtype -> NumPy's number of it


cdef bint read(PyObject** args, PyObject* kwnames, Options* options, bint draws=False, bint like=False) except -1:
    """The keywords that most functions have, where it `draws`, `generator`, and where the result is `like` a tensor in
    rows, its `memory_format`; False where another one is given, or one that asks for something else."""
    cdef Py_ssize_t i
    cdef object value
    options.num = -1
    options.requires_grad = False
    options.generator = NULL
    if kwnames == NULL:
        return True
    for i, keyword in enumerate(<tuple>kwnames):
        value = <object>args[i]
        if keyword == "requires_grad":
            if value is not True and value is not False:
                return False
            options.requires_grad = value is True
        elif keyword == "dtype":
            if value is not None and not num_of(value, &options.num):
                return False
        elif keyword == "generator" and draws:
            options.generator = args[i]
        elif keyword == "device":
            if value is not None and not is_cpu(value):
                return False
        elif keyword == "memory_format" and like:
            if value is not None and not keeps_rows(value):
                return False
        elif keyword == "out" or value is not None and not (keyword == "pin_memory" and value is False):
            return False
    return True


cdef bint keeps_rows(object memory_format) except -1:
    """Does a tensor whose elements lie row by row keep this order?"""
    return str(memory_format) in ("torch.preserve_format", "torch.contiguous_format")


cdef bint num_of(object dtype, int* num) except -1:
    """NumPy's number of a dtype; False for anything else, and for bfloat16, which has none of NumPy's."""
    if not is_dtype(dtype):
        return False
    if not nums:
        nums.update({dtype: numpy_dtype.num for numpy_dtype, dtype in provided.dtype_of.items()})
    num[0] = nums.get(dtype, MAX_NUMS)
    return num[0] < MAX_NUMS


cdef bint is_dtype(object x) except -1:
    """Is it a dtype of ours?  Python's own types, which can replace one, are none."""
    return type(x) is provided.dtype


cdef bint is_cpu(object device) except -1:
    return device is provided.cpu or (type(device) is str and device == "cpu")


cdef object finished(object array, Options* options):
    """The array as a tensor; None where it cannot require grad."""
    cdef Tensor t
    if options.requires_grad and not (
            PyTypeNum_ISFLOAT(PyArray_TYPE(<ndarray>array)) or PyTypeNum_ISCOMPLEX(PyArray_TYPE(<ndarray>array))):
        return None
    t = new_tensor(array)
    t.requires_grad_ = options.requires_grad
    return t


cdef int read_sizes(PyObject** args, Py_ssize_t n, npy_intp* sizes) except -2:
    """How many sizes there are, given one by one or in one tuple; -1 if one is not a plain int."""
    cdef Py_ssize_t i
    cdef int64_t size
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
        size = PyLong_AsLongLongAndOverflow(<object>args[i], &overflow)
        sizes[i] = <npy_intp>size
        if overflow or sizes[i] < 0 or sizes[i] != size:
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
    if n != 1 or not read(args + 1, kwnames, &options):
        return None
    return made_of(<object>args[0], &options)


cdef object from_data_like(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """x.new_tensor(data, *, dtype, requires_grad): of the dtype of x where none is given"""
    cdef Options options
    cdef ndarray a
    if n != 2 or not read(args + 2, kwnames, &options):
        return None
    a = array_of(<object>args[0])
    if a is None:
        return None
    if options.num < 0:
        options.num = PyArray_TYPE(a)
    return made_of(<object>args[1], &options)


cdef object data_as(object data, object dtype):
    """The tensor of such data, of this dtype or (None) of their own; None where Python must make it."""
    cdef Options options
    options.num = -1
    options.requires_grad = False
    return None if dtype is not None and not num_of(dtype, &options.num) else made_of(data, &options)


cdef object made_of(object data, Options* options):
    cdef npy_intp shape[MAX_DIMS]
    cdef int ndim = 0, kinds, num
    cdef object x = data
    cdef ndarray out
    cdef char* to
    if type(data) is ndarray:
        return from_array(<ndarray>data, options)
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
    return finished(out, options) if store(data, 0, ndim, shape, &to, num) else None


cdef object from_array(ndarray a, Options* options):
    if not PyArray_ISCARRAY_RO(a) or not known_num(PyArray_TYPE(a)) or options.num not in (-1, PyArray_TYPE(a)):
        return None
    return finished(PyArray_NewCopy(a, NPY_ANYORDER), options)


# ------------------------------------------------------------------------------ one value everywhere

cdef ndarray filled(int ndim, npy_intp* sizes, int num, object value):
    """A new array with this number everywhere, or with anything (None); None where the number does not fit."""
    cdef char element[16]
    cdef ndarray out
    if value is None:
        return new_array(ndim, sizes, num)
    if PyLong_CheckExact(value) and value == 0:
        return array_of_zeros(ndim, sizes, num)       # which asks the system for zeros, where there are many
    if number_num(value) < 0:
        return None
    if num == NPY_BOOL:
        value = bool(value)
    if not element_of(value, num, element) or (PyFloat_CheckExact(value) and not fits(value, num)):
        return None
    out = new_array(ndim, sizes, num)
    fill_with(out, element)
    return out


cdef bint fits(double value, int num) noexcept:
    """Is it within the range of this dtype?  False also for what is not a number."""
    return -FLT_MAX <= value <= FLT_MAX if num == NPY_FLOAT or num == NPY_CFLOAT else -DBL_MAX <= value <= DBL_MAX


cdef object of_sizes(PyObject** args, Py_ssize_t n, PyObject* kwnames, object value, int otherwise):
    """A tensor with one value; of the dtype `otherwise` where none is given."""
    cdef Options options
    cdef npy_intp sizes[MAX_DIMS]
    cdef int ndim
    cdef ndarray out
    if not read(args + n, kwnames, &options):
        return None
    ndim = read_sizes(args, n, sizes)
    if ndim < 0:
        return None
    out = filled(ndim, sizes, otherwise if options.num < 0 else options.num, value)
    return None if out is None else finished(out, &options)


cdef object make_zeros(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return of_sizes(args, n, kwnames, 0, real_num(NPY_INT64))


cdef object make_ones(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return of_sizes(args, n, kwnames, 1, real_num(NPY_INT64))


cdef object make_empty(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return of_sizes(args, n, kwnames, None, real_num(NPY_INT64))


cdef object make_full(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """full(size, fill_value): without a dtype it has that of the value"""
    cdef Options options
    cdef npy_intp sizes[MAX_DIMS]
    cdef int ndim, num
    cdef ndarray out
    if n != 2 or not isinstance(<object>args[0], (tuple, list)) or not read(args + n, kwnames, &options):
        return None
    ndim, num = read_sizes(args, 1, sizes), number_num(<object>args[1])
    if ndim < 0 or num < 0:
        return None
    out = filled(ndim, sizes, num if options.num < 0 else options.num, <object>args[1])
    return None if out is None else finished(out, &options)


# ------------------------------------------------------------------------------ in the form of another tensor

cdef inline ndarray array_of(object x):
    """The array of a tensor, of one of NumPy's own dtypes; None for anything else."""
    if not isinstance(x, Tensor) or type((<Tensor>x).payload) is not ndarray:
        return None
    return <ndarray>(<Tensor>x).payload if PyArray_TYPE(<ndarray>(<Tensor>x).payload) < MAX_NUMS else None


cdef ndarray array_like(object tensor, int num):
    """A new array with the shape of a tensor whose elements lie one after the other, of its dtype or the given one."""
    cdef ndarray a = array_of(tensor)
    if a is None or not PyArray_ISCARRAY_RO(a):
        return None
    return new_array(PyArray_NDIM(a), PyArray_DIMS(a), PyArray_TYPE(a) if num < 0 else num)


cdef object of_form(PyObject** args, Py_ssize_t n, PyObject* kwnames, object value):
    cdef Options options
    cdef ndarray a, out
    if not read(args + n, kwnames, &options, False, True):
        return None
    a = array_of(<object>args[0])
    if a is None or not PyArray_ISCARRAY_RO(a):
        return None
    out = filled(PyArray_NDIM(a), PyArray_DIMS(a), PyArray_TYPE(a) if options.num < 0 else options.num, value)
    return None if out is None else finished(out, &options)


cdef object make_zeros_like(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return of_form(args, n, kwnames, 0) if n == 1 else None


cdef object make_ones_like(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return of_form(args, n, kwnames, 1) if n == 1 else None


cdef object make_empty_like(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return of_form(args, n, kwnames, None) if n == 1 else None


cdef object make_full_like(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return of_form(args, n, kwnames, <object>args[1]) if n == 2 and <object>args[1] is not None else None


cdef object of_dtype(PyObject** args, Py_ssize_t n, PyObject* kwnames, object value):
    """x.new_zeros(2, 3): the sizes are given, the dtype is that of x"""
    cdef ndarray a = array_of(<object>args[0]) if n else None
    return None if a is None else of_sizes(args + 1, n - 1, kwnames, value, PyArray_TYPE(a))


cdef object make_new_zeros(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return of_dtype(args, n, kwnames, 0)


cdef object make_new_ones(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return of_dtype(args, n, kwnames, 1)


cdef object make_new_empty(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    return of_dtype(args, n, kwnames, None)


cdef object make_new_full(PyObject** args, Py_ssize_t n, PyObject* kwnames):
    if n != 3 or not isinstance(<object>args[1], (tuple, list)) or <object>args[2] is None:
        return None
    return of_dtype(args, 2, kwnames, <object>args[2]) if kwnames == NULL else None


tensor = front(from_data)
zeros = front(make_zeros)
ones = front(make_ones)
empty = front(make_empty)
full = front(make_full)
zeros_like = front(make_zeros_like)
ones_like = front(make_ones_like)
empty_like = front(make_empty_like)
full_like = front(make_full_like)
new_zeros = front(make_new_zeros)
new_ones = front(make_new_ones)
new_empty = front(make_new_empty)
new_full = front(make_new_full)
new_tensor_ = front(from_data_like)
