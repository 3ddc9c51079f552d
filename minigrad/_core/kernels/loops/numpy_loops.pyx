"""Calling NumPy's inner loops directly, for arrays that are small, contiguous and of one dtype.

Calling a NumPy ufunc on eight numbers takes some 250 ns, of which the arithmetic takes 3: in the rest NumPy looks for a
loop, checks layouts, and prepares for cases that do not occur.  But its inner loops are available: a ufunc object has
pointers to them, one per dtype.  So if the operands are plain (native, aligned, C-contiguous, of one dtype, float32 or
float64), these functions call the very loop that the ufunc would have called.  Everything else goes the general way,
through the ufunc, with the same result.  Large arrays are computed without the GIL, so that other threads can run.

An inner loop knows nothing of shapes.  It is told, for each operand, where it begins and how many bytes there are from
one element to the next (its stride)::

    (3, 4) * (3, 4)     12 elements, strides 8, 8 --> 8
    (3, 4) * 2.5        12 elements, strides 8, 0 --> 8         the number is read again and again
    (3, 4) * (4,)       3 times 4 elements, strides 8, 8 --> 8  the row begins anew for each row
"""

from minigrad._core.runtime.numpy_api cimport (NPY_CDOUBLE, NPY_CFLOAT, NPY_FLOAT, PyArray_DATA, PyArray_DIMS,
                                               PyArray_ISCARRAY, PyArray_ITEMSIZE, PyArray_NDIM, PyArray_SIZE,
                                               PyArray_TYPE, PyArray_Transpose, PyUFuncGenericFunction, ndarray,
                                               npy_intp, types_of, ufunc)
from minigrad._core.runtime.python_api cimport (PyFloat_AS_DOUBLE, PyFloat_CheckExact, PyLong_AsLongLongAndOverflow,
                                                PyLong_CheckExact, PyObject)
from minigrad._core.runtime.thread_pool cimport PART, parallel_for

import numpy as np


# ------------------------------------------------------------------------------ finding the loops

cdef int resolve(Loop* loop, ufunc u) except -1:
    """Take the first loop of each of our two dtypes whose operands all have that dtype."""
    cdef int i, t, j
    cdef bint fits
    for t in range(2):
        loop.f[t] = NULL
        for i in range(u.ntypes):
            fits = True
            for j in range(u.nargs):
                if types_of(u)[i * u.nargs + j] != NPY_FLOAT + t:
                    fits = False
            if fits:
                loop.f[t] = <PyUFuncGenericFunction><void*>u.functions[i]
                loop.data[t] = u.data[i] if u.data != NULL else NULL
                break
        if loop.f[t] != NULL and not agrees(loop, t, u):
            loop.f[t] = NULL
    return 0


cdef bint agrees(Loop* loop, int t, ufunc u) except -1:
    """True if the bare loop computes what the ufunc does.

    It is tried once, at import, so that with a NumPy that keeps its loops elsewhere we are slower, and not wrong.
    """
    cdef ndarray x, y, z
    cdef char* p[3]
    cdef npy_intp strides[3]
    cdef npy_intp n = 3
    x = np.array([0.25, 0.5, 0.75], dtype=np.float64 if t else np.float32)
    y = np.array([1.5, 0.5, -2.0], dtype=x.dtype)
    z = np.empty_like(x)
    strides[0] = strides[1] = strides[2] = 8 if t else 4
    p[0], p[1] = <char*>PyArray_DATA(x), <char*>PyArray_DATA(y)
    p[u.nin] = <char*>PyArray_DATA(z)
    loop.f[t](p, &n, strides, loop.data[t])
    with np.errstate(all="ignore"):
        expected = u(x, y) if u.nin == 2 else u(x)
    return expected.tobytes() == z.tobytes() or bool(np.array_equal(expected, z, equal_nan=True))


# ------------------------------------------------------------------------------ elementwise

cdef bint number(object x, double* value) except -1:
    """True if `x` is a Python number that is exactly a double, put into `value`."""
    cdef int overflow = 0
    cdef long long i
    if PyFloat_CheckExact(x):
        value[0] = PyFloat_AS_DOUBLE(x)
        return True
    if PyLong_CheckExact(x):
        i = PyLong_AsLongLongAndOverflow(x, &overflow)
        if overflow or i > 9007199254740992 or i < -9007199254740992:       # 2**53
            return False
        value[0] = <double>i
        return True
    return False


cdef object unary(Loop* loop, PyObject** args, int n):
    cdef ndarray o
    if type(<object>args[0]) is not ndarray or code(<ndarray>args[0]) < 0:
        return None
    o = empty_like(<ndarray>args[0])
    return o if unary_into(loop, args, n, o) else None


cdef bint unary_into(Loop* loop, PyObject** args, int n, ndarray out) except -1:
    cdef ndarray a
    cdef char* p[2]
    cdef npy_intp strides[2]
    cdef npy_intp size
    cdef int t = code(out)
    if type(<object>args[0]) is not ndarray:
        return False
    a = <ndarray>args[0]
    if t < 0 or code(a) != t or loop.f[t] == NULL or not same_shape(a, out):
        return False
    size = PyArray_SIZE(a)
    p[0], p[1] = <char*>PyArray_DATA(a), <char*>PyArray_DATA(out)
    strides[0] = strides[1] = 8 if t else 4
    run_elements(loop, t, 2, p, size, strides)
    return True


cdef object binary(Loop* loop, PyObject** args, int n):
    return binary_into(loop, <object>args[0], <object>args[1], None)


cdef bint write_binary(Loop* loop, PyObject** args, int n, ndarray out) except -1:
    cdef object a = <object>args[0]
    return (type(a) is ndarray and code(out) >= 0 and PyArray_TYPE(<ndarray>a) == PyArray_TYPE(out)
            and same_shape(<ndarray>a, out) and binary_into(loop, a, <object>args[1], out) is not None)


cdef object binary_into(Loop* loop, object x, object y, object out):
    """x op y for plain operands, in `out` if that is given (and as large as the result); None if one is not plain."""
    cdef ndarray a, b, o
    cdef char* p[3]
    cdef npy_intp s[3]
    cdef npy_intp size
    cdef int t
    cdef double value = 0
    cdef float single
    if type(x) is ndarray:
        a = <ndarray>x
        t = code(a)
        if t < 0 or loop.f[t] == NULL:
            return None
        s[0] = s[1] = s[2] = 8 if t else 4
        p[0] = <char*>PyArray_DATA(a)
        if type(y) is ndarray:
            b = <ndarray>y
            if code(b) != t:
                return None
            p[1] = <char*>PyArray_DATA(b)
            if same_shape(a, b):
                o = empty_like(a) if out is None else <ndarray>out
            elif PyArray_NDIM(b) == 0:
                o = empty_like(a) if out is None else <ndarray>out
                s[1] = 0
            elif PyArray_NDIM(a) == 0 and out is None:      # `out` could not grow
                o = empty_like(b)
                s[0] = 0
            elif PyArray_NDIM(a) == 2 and PyArray_NDIM(b) == 1 and PyArray_DIMS(a)[1] == PyArray_DIMS(b)[0]:
                return each_row(loop, t, a, b, empty_like(a) if out is None else <ndarray>out)
            else:
                return None
        elif number(y, &value):
            o = empty_like(a) if out is None else <ndarray>out
            single = <float>value
            p[1] = <char*>&value if t else <char*>&single
            s[1] = 0
        else:
            return None
    elif type(y) is ndarray and out is None and number(x, &value):
        b = <ndarray>y
        t = code(b)
        if t < 0 or loop.f[t] == NULL:
            return None
        o = empty_like(b)
        single = <float>value
        p[0], p[1] = <char*>&value if t else <char*>&single, <char*>PyArray_DATA(b)
        s[0] = 0
        s[1] = s[2] = 8 if t else 4
    else:
        return None
    size = PyArray_SIZE(o)
    p[2] = <char*>PyArray_DATA(o)
    run_elements(loop, t, 3, p, size, s)
    return o


cdef object each_row(Loop* loop, int t, ndarray a, ndarray row, ndarray o):
    """Each row of the matrix `a` with the same row, into `o`."""
    cdef Rows r
    r.f, r.data = loop.f[t], loop.data[t]
    r.a, r.row, r.o = <char*>PyArray_DATA(a), <char*>PyArray_DATA(row), <char*>PyArray_DATA(o)
    r.n, r.size = PyArray_DIMS(row)[0], 8 if t else 4
    if PyArray_SIZE(a) > LARGE:
        with nogil:
            parallel_for(rows, &r, PyArray_DIMS(a)[0], PART // r.n if r.n < PART else 1)
    else:
        rows(&r, 0, PyArray_DIMS(a)[0])
    return o


cdef struct Rows:
    PyUFuncGenericFunction f
    void* data
    char* a
    char* row
    char* o
    npy_intp n, size


cdef void rows(void* what, npy_intp first, npy_intp last) noexcept nogil:
    cdef Rows* r = <Rows*>what
    cdef npy_intp i, width = r.n * r.size
    cdef npy_intp s[3]
    cdef char* p[3]
    s[0] = s[1] = s[2] = r.size
    for i in range(first, last):
        p[0], p[1], p[2] = r.a + i * width, r.row, r.o + i * width
        r.f(p, &r.n, s, r.data)


cdef Loop ADD, MUL
resolve(&ADD, np.add)
resolve(&MUL, np.multiply)


cdef Loop SQRT, RECIPROCAL, POWER
resolve(&SQRT, np.sqrt)
resolve(&RECIPROCAL, np.reciprocal)
resolve(&POWER, np.power)


cdef object powered(object x, object exponent):
    """x**exponent for a plain array and a number, other than 0 and 1: by the shorter ways of `power` in ops/."""
    cdef PyObject* args[1]
    cdef double value = 0
    cdef object r
    if type(x) is not ndarray or not number(exponent, &value) or value == 0 or value == 1:
        return None
    args[0] = <PyObject*>x
    if value == 2:
        return binary_into(&MUL, x, x, None)
    if value == 3:
        r = binary_into(&MUL, x, x, None)
        return None if r is None else binary_into(&MUL, r, x, r)
    if value == 0.5:
        return unary(&SQRT, args, 1)
    if value == -1:
        return unary(&RECIPROCAL, args, 1)
    if value == -0.5:
        r = unary(&SQRT, args, 1)
        args[0] = <PyObject*>r
        return None if r is None or not unary_into(&RECIPROCAL, args, 1, r) else r
    return binary_into(&POWER, x, exponent, None)


cdef object pow_number(Loop* loop, PyObject** args, int n):
    """(self, exponent)"""
    return powered(<object>args[0], <object>args[1])


cdef object pow_slope(Loop* loop, PyObject** args, int n):
    """(self, exponent, order), of the first: 2x, 3x**2, 0.5 x**-0.5"""
    cdef object x = <object>args[0], exponent = <object>args[1], r
    cdef double value = 0
    if type(x) is not ndarray or not number(exponent, &value) or value == 0 or <object>args[2] != 1:
        return None
    if value == 2:
        return binary_into(&MUL, x, 2, None)
    r = powered(x, exponent - 1)
    return None if r is None else binary_into(&MUL, r, exponent, r)


# ------------------------------------------------------------------------------ matrices

cdef object transpose(Loop* loop, PyObject** args, int n):
    """The transpose of a real matrix, as a view."""
    cdef ndarray a
    if type(<object>args[0]) is not ndarray:
        return None
    a = <ndarray>args[0]
    if PyArray_NDIM(a) != 2 or PyArray_TYPE(a) == NPY_CFLOAT or PyArray_TYPE(a) == NPY_CDOUBLE:
        return None
    return PyArray_Transpose(a, NULL)
