"""Numeric loops for the arrays that courses are made of: small, contiguous, of one dtype.

Calling a NumPy ufunc on eight numbers takes some 250 ns, of which the arithmetic takes 3: the rest
looks for a loop, checks layouts, and prepares for cases that are not there.  But NumPy's inner loops
can be had: a ufunc object holds pointers to them, one per dtype.  So where the operands are plain
(native, aligned, C-contiguous, one dtype of float32 or float64; a scalar operand as stride 0, a row
broadcast over rows) these functions call the very loop that the ufunc would have called.  Everything
else goes the general way, through the ufunc, with the same result; tests hold the two against each
other.  The loops let other threads run (release the GIL) where there
is enough to do.

The rest of the file are the few loops that need several passes in NumPy and one here.
"""

cimport cython
from cpython.ref cimport PyObject
from libc.math cimport log, INFINITY
from libc.string cimport memcpy, memset
cimport numpy as cnp
from numpy cimport ndarray, npy_intp, NPY_FLOAT, NPY_DOUBLE, NPY_CFLOAT, NPY_CDOUBLE
from minigrad._core.sums cimport RUN_PRODUCT, RUN_RECURRENCE, RUN_SUM, Running, real, run_along, sum_middle

import numpy as np

cnp.import_array()
cnp.import_ufunc()

cdef extern from "Python.h":
    int PyFloat_CheckExact(object)
    int PyLong_CheckExact(object)
    double PyFloat_AS_DOUBLE(object)
    long long PyLong_AsLongLongAndOverflow(object, int*) except? -1

cdef extern from "numpy/arrayobject.h":
    object PyArray_SimpleNew(int, npy_intp*, int)
    void* PyArray_DATA(ndarray) nogil
    npy_intp* PyArray_DIMS(ndarray) nogil
    npy_intp* PyArray_STRIDES(ndarray) nogil
    int PyArray_NDIM(ndarray) nogil
    int PyArray_TYPE(ndarray) nogil
    int PyArray_FLAGS(ndarray) nogil
    npy_intp PyArray_SIZE(ndarray) nogil
    int PyArray_ITEMSIZE(ndarray) nogil
    object PyArray_Transpose(ndarray, void*)
    int PyArray_ISCARRAY_RO(ndarray) nogil
    int PyArray_ISCARRAY(ndarray) nogil
    int PyArray_ISNOTSWAPPED(ndarray) nogil

cdef extern from "numpy/ufuncobject.h":
    ctypedef struct PyUFuncObject:
        int nin, nout, nargs
        PyUFuncGenericFunction* functions
        void** data
        int ntypes
        const char* types

cdef enum:
    LARGE = 50000               # elements: from here on other threads may run meanwhile
    MAX_DIMS = 64               # of an array
    GAPPED = 128                # elements that NumPy may add up one by one, where memory has gaps


cdef inline void run_loop(Loop* loop, int t, char** p, npy_intp* n, npy_intp* strides, bint large) noexcept:
    if large:
        with nogil:
            loop.f[t](p, n, strides, loop.data[t])
    else:
        loop.f[t](p, n, strides, loop.data[t])


# ------------------------------------------------------------------------------ finding the loops

cdef int resolve(Loop* loop, object ufunc) except -1:
    """Take the first loop of each of our two dtypes whose operands all have that dtype."""
    cdef PyUFuncObject* u = <PyUFuncObject*><PyObject*>ufunc
    cdef int i, t, j
    cdef bint fits
    loop.ufunc = <PyObject*>ufunc
    for t in range(2):
        loop.f[t] = NULL
        for i in range(u.ntypes):
            fits = True
            for j in range(u.nargs):
                if u.types[i * u.nargs + j] != NPY_FLOAT + t:
                    fits = False
            if fits:
                loop.f[t] = u.functions[i]
                loop.data[t] = u.data[i] if u.data != NULL else NULL
                break
        if loop.f[t] != NULL and not agrees(loop, t, ufunc):
            loop.f[t] = NULL
    return 0


cdef bint agrees(Loop* loop, int t, object ufunc) except -1:
    """Does the bare loop give what the ufunc gives?  A probe at import, so that a NumPy that keeps its loops elsewhere costs speed only."""
    cdef ndarray x, y, z
    cdef char* p[3]
    cdef npy_intp strides[3]
    cdef npy_intp n = 3
    cdef int nin = (<PyUFuncObject*><PyObject*>ufunc).nin
    if ufunc.signature is not None:
        return True                 # matmul: probed by its own kernel's test
    x = np.array([0.25, 0.5, 0.75], dtype=np.float32 if t == 0 else np.float64)
    y = np.array([1.5, 0.5, -2.0], dtype=x.dtype)
    z = np.empty_like(x)
    strides[0] = strides[1] = strides[2] = 4 if t == 0 else 8
    p[0] = <char*>PyArray_DATA(x)
    if nin == 2:
        p[1] = <char*>PyArray_DATA(y)
        p[2] = <char*>PyArray_DATA(z)
    else:
        p[1] = <char*>PyArray_DATA(z)
    loop.f[t](p, &n, strides, loop.data[t])
    with np.errstate(all="ignore"):
        expected = ufunc(x, y) if nin == 2 else ufunc(x)
    return expected.tobytes() == z.tobytes() or bool(np.array_equal(expected, z, equal_nan=True))


# ------------------------------------------------------------------------------ small helpers

cdef inline int code(ndarray a) noexcept:
    """0 for a plain float32 array, 1 for a plain float64 array, else -1."""
    cdef int t = PyArray_TYPE(a) - NPY_FLOAT
    return t if (t == 0 or t == 1) and PyArray_ISCARRAY_RO(a) else -1


cdef bint same_shape(ndarray a, ndarray b) noexcept:
    cdef int i, n = PyArray_NDIM(a)
    if PyArray_NDIM(b) != n:
        return False
    for i in range(n):
        if PyArray_DIMS(a)[i] != PyArray_DIMS(b)[i]:
            return False
    return True


cdef inline object like(ndarray a):
    return PyArray_SimpleNew(PyArray_NDIM(a), PyArray_DIMS(a), PyArray_TYPE(a))


cdef inline bint number(object x, double* value) except -1:
    """Is `x` a Python number that a double holds exactly?"""
    cdef int overflow = 0
    cdef long long i
    if PyFloat_CheckExact(x):
        value[0] = PyFloat_AS_DOUBLE(x)
        return True
    if PyLong_CheckExact(x):
        i = PyLong_AsLongLongAndOverflow(x, &overflow)
        if overflow or i > 9007199254740992 or i < -9007199254740992:
            return False
        value[0] = <double>i
        return True
    return False


# ------------------------------------------------------------------------------ elementwise

cdef object unary(Loop* loop, PyObject** args, int n):
    cdef ndarray a
    cdef char* p[2]
    cdef npy_intp strides[2]
    cdef npy_intp size
    cdef int t
    if type(<object>args[0]) is not ndarray:
        return None
    a = <ndarray>args[0]
    t = code(a)
    if t < 0 or loop.f[t] == NULL:
        return None
    o = like(a)
    size = PyArray_SIZE(a)
    p[0] = <char*>PyArray_DATA(a)
    p[1] = <char*>PyArray_DATA(<ndarray>o)
    strides[0] = strides[1] = 8 if t else 4
    run_loop(loop, t, p, &size, strides, size > LARGE)
    return o


cdef object binary(Loop* loop, PyObject** args, int n):
    return binary_into(loop, <object>args[0], <object>args[1], None)


cdef object binary_into(Loop* loop, object x, object y, object out):
    """x op y for plain operands, into `out` where it is given (and is as large as the result); None where something is not plain."""
    cdef ndarray a, b
    cdef ndarray o
    cdef char* p[3]
    cdef npy_intp s[3]
    cdef npy_intp size, rows, i
    cdef int t
    cdef double number_ = 0
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
                o = like(a) if out is None else <ndarray>out
            elif PyArray_NDIM(b) == 0:
                o = like(a) if out is None else <ndarray>out
                s[1] = 0
            elif PyArray_NDIM(a) == 0:
                if out is not None:
                    return None                             # it cannot grow
                o = like(b)
                s[0] = 0
            elif PyArray_NDIM(a) == 2 and PyArray_NDIM(b) == 1 and PyArray_DIMS(a)[1] == PyArray_DIMS(b)[0]:
                o = like(a) if out is None else <ndarray>out      # a row onto every row
                rows = PyArray_DIMS(a)[0]
                size = PyArray_DIMS(b)[0]
                p[2] = <char*>PyArray_DATA(o)
                for i in range(rows):
                    loop.f[t](p, &size, s, loop.data[t])
                    p[0] = <char*>PyArray_DATA(a) + (i + 1) * size * s[0]
                    p[1] = <char*>PyArray_DATA(b)
                    p[2] = <char*>PyArray_DATA(o) + (i + 1) * size * s[0]
                return o
            else:
                return None
        elif number(y, &number_):
            o = like(a) if out is None else <ndarray>out
            s[1] = 0
            single = <float>number_
            p[1] = <char*>&number_ if t else <char*>&single
        else:
            return None
    elif type(y) is ndarray and number(x, &number_):
        if out is not None:
            return None
        b = <ndarray>y
        t = code(b)
        if t < 0 or loop.f[t] == NULL:
            return None
        o = like(b)
        s[1] = s[2] = 8 if t else 4
        s[0] = 0
        single = <float>number_
        p[0] = <char*>&number_ if t else <char*>&single
        p[1] = <char*>PyArray_DATA(b)
    else:
        return None
    size = PyArray_SIZE(o)
    p[2] = <char*>PyArray_DATA(o)
    run_loop(loop, t, p, &size, s, size > LARGE)
    return o


cdef Loop ADD
resolve(&ADD, np.add)


cdef object add(object a, object b):
    """a + b for two gradients of one shape and dtype."""
    cdef object r = binary_into(&ADD, a, b, None)
    return np.add(a, b, out=np.empty(a.shape, a.dtype)) if r is None else r


cdef object add_into(object a, object b):
    """a += b for two arrays of one shape and dtype."""
    if not PyArray_ISCARRAY(<ndarray>a) or binary_into(&ADD, a, b, a) is None:
        np.add(a, b, out=a, casting="unsafe")
    return a


cdef Loop MUL
resolve(&MUL, np.multiply)


cdef object pow_number(Loop* loop, PyObject** args, int n):
    """x**2 and x**3, which is what people write."""
    cdef object x = <object>args[0], exponent = <object>args[1], r
    if PyLong_CheckExact(exponent) and (exponent == 2 or exponent == 3):
        r = binary_into(&MUL, x, x, None) if type(x) is ndarray else None
        return r if r is None or exponent == 2 else binary_into(&MUL, r, x, r)
    return None


cdef object pow_slope(Loop* loop, PyObject** args, int n):
    """Their first derivatives: 2x and 3x**2."""
    cdef object x = <object>args[0], exponent = <object>args[1], r
    if PyLong_CheckExact(exponent) and <object>args[2] == 1 and type(x) is ndarray:
        if exponent == 2:
            return binary_into(&MUL, x, 2, None)
        if exponent == 3:
            r = binary_into(&MUL, x, x, None)
            return None if r is None else binary_into(&MUL, r, 3, r)
    return None


# ------------------------------------------------------------------------------ products of matrices

cdef object mm(Loop* loop, PyObject** args, int n):
    """A matrix product of two 2-d arrays in any layout: NumPy's loop hands it to BLAS."""
    cdef ndarray a, b
    cdef npy_intp d[4]
    cdef npy_intp s[9]
    cdef npy_intp od[2]
    cdef char* p[3]
    cdef int t
    if type(<object>args[0]) is not ndarray or type(<object>args[1]) is not ndarray:
        return None
    a = <ndarray>args[0]
    b = <ndarray>args[1]
    t = PyArray_TYPE(a) - NPY_FLOAT
    if (t != 0 and t != 1) or PyArray_TYPE(b) != PyArray_TYPE(a) or PyArray_NDIM(a) != 2 or PyArray_NDIM(b) != 2:
        return None
    if PyArray_DIMS(a)[1] != PyArray_DIMS(b)[0] or loop.f[t] == NULL or not aligned(a) or not aligned(b):
        return None
    od[0] = PyArray_DIMS(a)[0]
    od[1] = PyArray_DIMS(b)[1]
    o = PyArray_SimpleNew(2, od, NPY_FLOAT + t)
    d[0] = 1
    d[1] = od[0]
    d[2] = PyArray_DIMS(a)[1]
    d[3] = od[1]
    s[0] = s[1] = s[2] = 0
    s[3] = PyArray_STRIDES(a)[0]
    s[4] = PyArray_STRIDES(a)[1]
    s[5] = PyArray_STRIDES(b)[0]
    s[6] = PyArray_STRIDES(b)[1]
    s[7] = od[1] * (8 if t else 4)
    s[8] = 8 if t else 4
    p[0] = <char*>PyArray_DATA(a)
    p[1] = <char*>PyArray_DATA(b)
    p[2] = <char*>PyArray_DATA(<ndarray>o)
    run_loop(loop, t, p, d, s, od[0] * od[1] * d[2] > 20 * LARGE)
    return o


cdef inline bint aligned(ndarray a) noexcept:
    return (PyArray_FLAGS(a) & cnp.NPY_ARRAY_ALIGNED) != 0 and PyArray_ISNOTSWAPPED(a)


cdef object transpose2(Loop* loop, PyObject** args, int n):
    """The transpose of a real matrix, as a view."""
    cdef ndarray a
    if type(<object>args[0]) is not ndarray:
        return None
    a = <ndarray>args[0]
    if PyArray_NDIM(a) != 2 or PyArray_TYPE(a) == cnp.NPY_CFLOAT or PyArray_TYPE(a) == cnp.NPY_CDOUBLE:
        return None
    return PyArray_Transpose(a, NULL)


# ------------------------------------------------------------------------------ sums

cdef void sum_plain(real* data, real* o, npy_intp outer, npy_intp n, npy_intp inner) noexcept:
    """`sum_middle`; a large one lets other threads run meanwhile."""
    if outer * n * inner > LARGE:
        with nogil:
            sum_middle(data, o, outer, n, inner)
    else:
        sum_middle(data, o, outer, n, inner)


cdef void sum_into(ndarray o, void* data, int t, npy_intp outer, npy_intp n, npy_intp inner) noexcept:
    """The sums over the middle axis of plain memory, into the plain array `o`; see sums.pyx."""
    if n == 0:
        memset(PyArray_DATA(o), 0, outer * inner * (8 if t else 4))
    elif t:
        sum_plain(<double*>data, <double*>PyArray_DATA(o), outer, n, inner)
    else:
        sum_plain(<float*>data, <float*>PyArray_DATA(o), outer, n, inner)


cdef object sum_of(ndarray a):
    """The sum of all elements of a plain array, by the loop of `add` with stride 0 for the result, which NumPy makes
    a pairwise sum.

    None where the array is not plain.
    """
    cdef ndarray o
    cdef npy_intp size
    cdef npy_intp s[3]
    cdef char* p[3]
    cdef int t = code(a)
    if t < 0 or ADD.f[t] == NULL:
        return None
    o = PyArray_SimpleNew(0, NULL, NPY_FLOAT + t)
    size = PyArray_SIZE(a)
    if t:
        (<double*>PyArray_DATA(o))[0] = 0
    else:
        (<float*>PyArray_DATA(o))[0] = 0
    p[0] = p[2] = <char*>PyArray_DATA(o)
    p[1] = <char*>PyArray_DATA(a)
    s[0] = s[2] = 0
    s[1] = 8 if t else 4
    run_loop(&ADD, t, p, &size, s, size > LARGE)
    return o


cdef object sum_along(ndarray a, int axis, bint keepdims):
    """The sum over one axis of a plain array; None where it is not plain."""
    cdef ndarray o
    cdef npy_intp dims[MAX_DIMS]
    cdef npy_intp outer = 1, inner = 1
    cdef int t = code(a), ndim = PyArray_NDIM(a), i, k = 0
    if t < 0:
        return None
    for i in range(ndim):
        if i < axis:
            outer *= PyArray_DIMS(a)[i]
        elif i > axis:
            inner *= PyArray_DIMS(a)[i]
        if i != axis or keepdims:
            dims[k] = 1 if i == axis else PyArray_DIMS(a)[i]
            k += 1
    o = PyArray_SimpleNew(k, dims, NPY_FLOAT + t)
    sum_into(o, PyArray_DATA(a), t, outer, PyArray_DIMS(a)[axis], inner)
    return o


cdef object sum_rows(ndarray a):
    """The sum over the first axis, which the gradient of a broadcast bias needs; None where `a` is not plain."""
    return None if PyArray_NDIM(a) < 1 else sum_along(a, 0, False)


cdef object sum_all(Loop* loop, PyObject** args, int n):
    if type(<object>args[0]) is not ndarray or (n > 1 and <object>args[1] is not None):
        return None
    return sum_of(<ndarray>args[0])


cdef object sum_dim(Loop* loop, PyObject** args, int n):
    """(self, dim, keepdim, dtype): over one dim."""
    cdef int axis
    if (type(<object>args[0]) is not ndarray or not PyLong_CheckExact(<object>args[1])
        or (n > 3 and <object>args[3] is not None)
            or (n > 2 and type(<object>args[2]) is not bool)):
        return None
    axis = axis_of(<ndarray>args[0], <object>args[1])
    return None if axis < 0 else sum_along(<ndarray>args[0], axis, n > 2 and <object>args[2])


cdef inline int axis_of(ndarray a, object dim) except -2:
    """The axis that the Python int `dim` names; -1 where there is none."""
    cdef int overflow = 0, ndim = PyArray_NDIM(a)
    cdef long long axis = PyLong_AsLongLongAndOverflow(dim, &overflow)
    if overflow or axis >= ndim or axis < -ndim:
        return -1
    return <int>(axis + ndim if axis < 0 else axis)


cdef object mean_all(Loop* loop, PyObject** args, int n):
    return divided(sum_all(loop, args, n), <object>args[0])


cdef object mean_dim(Loop* loop, PyObject** args, int n):
    return divided(sum_dim(loop, args, n), <object>args[0])


cdef object divided(object total, object a):
    """The sums of the elements of `a`, in place, as means; None stays None."""
    cdef ndarray o
    cdef npy_intp size, count
    if total is None:
        return None
    o = <ndarray>total
    size = PyArray_SIZE(o)
    if size:
        count = PyArray_SIZE(<ndarray>a) // size
        if PyArray_TYPE(o) == NPY_DOUBLE:
            divide(<double*>PyArray_DATA(o), <double>count, size)
        else:
            divide(<float*>PyArray_DATA(o), <float>count, size)
    return o


cdef void divide(real* o, real by, npy_intp n) noexcept nogil:
    cdef npy_intp i
    for i in range(n):
        o[i] /= by


cpdef object total(array, axes=None, bint keepdims=False):
    """The sum over a tuple of axes (None for all), by the one routine that the library has for it.

    Floating point numbers are summed in pairs, in whatever layout; 16-bit ones in single precision; bools and
    integers as int64.
    """
    cdef ndarray a = np.asarray(array)
    cdef bint reduced[MAX_DIMS]
    cdef int order[MAX_DIMS]
    cdef npy_intp count = 1
    cdef int i, t = PyArray_TYPE(a), ndim = PyArray_NDIM(a)
    cdef object kind, found
    if axes is None and not keepdims:
        found = sum_of(a)
        if found is not None:
            return found
    kind = (<object>a).dtype.kind
    if kind in "biu":
        return np.asarray(np.add.reduce(a, axis=axes, dtype=np.int64, keepdims=keepdims))
    if kind in "fV" and PyArray_ITEMSIZE(a) == 2:
        return total((<object>a).astype(np.float32), axes, keepdims).astype((<object>a).dtype)
    for i in range(ndim):
        reduced[i] = axes is None
    if axes is not None:
        for axis in axes:
            reduced[<int>axis] = True
    for i in range(ndim):
        if reduced[i]:
            count *= PyArray_DIMS(a)[i]
    if ((t != NPY_FLOAT and t != NPY_DOUBLE and t != NPY_CFLOAT and t != NPY_CDOUBLE)
            or PyArray_SIZE(a) == 0 or not aligned(a) or (count <= GAPPED and not PyArray_ISCARRAY_RO(a))):
        return np.asarray(np.add.reduce(a, axis=axes, keepdims=keepdims))
    if dense_order(a, order):
        return total_dense(a, order, reduced, keepdims)
    return total_strided(a, tuple([i for i in range(ndim) if reduced[i]]), keepdims)


cdef bint dense_order(ndarray a, int* order):
    """Put the axes in the order of their strides, the widest first; is the array without gaps in that order?"""
    cdef int ndim = PyArray_NDIM(a), i, k, axis
    cdef npy_intp* strides = PyArray_STRIDES(a)
    cdef npy_intp* dims = PyArray_DIMS(a)
    cdef npy_intp step = PyArray_ITEMSIZE(a)
    for i in range(ndim):
        order[i] = i
    if PyArray_ISCARRAY_RO(a):
        return True
    for i in range(1, ndim):
        axis = order[i]
        k = i
        while k and strides[order[k - 1]] < strides[axis]:
            order[k] = order[k - 1]
            k -= 1
        order[k] = axis
    for i in range(ndim - 1, -1, -1):
        if dims[order[i]] != 1:
            if strides[order[i]] != step:
                return False
            step *= dims[order[i]]
    return True


cdef object total_dense(ndarray a, int* order, bint* reduced, bint keepdims):
    """Neighbouring axes that are all to go, or all to stay, count as one;
    those to go are summed over from the last to the first."""
    cdef npy_intp sizes[MAX_DIMS + 1]
    cdef bint goes[MAX_DIMS + 1]
    cdef npy_intp dims[MAX_DIMS]
    cdef npy_intp outer = PyArray_SIZE(a), inner = 1
    cdef int ndim = PyArray_NDIM(a), t = PyArray_TYPE(a), i, groups = 0, left = 0
    cdef bint moved = False
    cdef ndarray o, whole
    cdef object source = a
    for i in range(ndim):
        dims[i] = 1 if reduced[order[i]] else PyArray_DIMS(a)[order[i]]
        moved = moved or order[i] != i
        if PyArray_DIMS(a)[order[i]] == 1:
            continue
        if groups and goes[groups - 1] == reduced[order[i]]:
            sizes[groups - 1] *= PyArray_DIMS(a)[order[i]]
        else:
            sizes[groups] = PyArray_DIMS(a)[order[i]]
            goes[groups] = reduced[order[i]]
            left += goes[groups]
            groups += 1
    whole = PyArray_SimpleNew(ndim, dims, t)
    if left == 0:
        memcpy(PyArray_DATA(whole), PyArray_DATA(a), PyArray_SIZE(a) * PyArray_ITEMSIZE(a))
    if t == NPY_CFLOAT or t == NPY_CDOUBLE:         # pairs of real numbers, which stay
        t += NPY_FLOAT - NPY_CFLOAT
        inner = 2
    for i in range(groups - 1, -1, -1):
        outer //= sizes[i]
        if goes[i]:
            left -= 1
            dims[0] = outer * inner
            o = whole if left == 0 else PyArray_SimpleNew(1, dims, t)
            sum_into(o, PyArray_DATA(<ndarray>source), t - NPY_FLOAT, outer, sizes[i], inner)
            source = o
        else:
            inner *= sizes[i]
    out = whole
    if moved:
        out = out.transpose(np.argsort([order[i] for i in range(ndim)]))
    return out if keepdims else out.reshape([PyArray_DIMS(a)[i] for i in range(ndim) if not reduced[i]])


cdef object total_strided(object a, tuple axes, bint keepdims):
    """Memory with gaps: blocks along the longest axis first, whose sums are an array without gaps."""
    cdef npy_intp blocks
    axis = max(axes, key=a.shape.__getitem__, default=0)
    if np.prod([a.shape[i] for i in axes], dtype=np.int64) <= GAPPED:
        return np.asarray(np.add.reduce(a, axis=axes, keepdims=keepdims))
    before = (slice(None),) * axis
    blocks = a.shape[axis] // GAPPED
    split = a[before + (slice(blocks * GAPPED),)].reshape(a.shape[:axis] + (blocks, GAPPED) + a.shape[axis + 1:])
    rest = a[before + (slice(blocks * GAPPED, None),)]
    parts = [np.add.reduce(split, axis=axis + 1), np.add.reduce(rest, axis=axis, keepdims=True)]
    return total(np.concatenate(parts, axis=axis), axes, keepdims)


def running(str what, ndarray self not None, coefficients, int axis, bint backwards=False):
    """Running totals along an axis, kept in double precision: ``"sum"``, ``"product"`` or ``"recurrence"``; see
    sums.pyx.

    None where the dtype is not float32 or float64.  ``coefficients``, those of a recurrence, are of the same shape
    and dtype.
    """
    cdef ndarray b, a, o
    cdef npy_intp outer = 1, inner = 1
    cdef int t = PyArray_TYPE(self) - NPY_FLOAT, i
    cdef Running kind = RUN_SUM if what == "sum" else RUN_PRODUCT if what == "product" else RUN_RECURRENCE
    if t != 0 and t != 1:
        return None
    b = np.ascontiguousarray(self)
    o = like(b)
    a = b if coefficients is None else np.ascontiguousarray(coefficients)
    for i in range(PyArray_NDIM(b)):
        if i < axis:
            outer *= PyArray_DIMS(b)[i]
        elif i > axis:
            inner *= PyArray_DIMS(b)[i]
    if t:
        with nogil:
            run_along(kind, <double*>PyArray_DATA(b), <double*>PyArray_DATA(a), <double*>PyArray_DATA(o), outer,
                      PyArray_DIMS(b)[axis], inner, backwards)
    else:
        with nogil:
            run_along(kind, <float*>PyArray_DATA(b), <float*>PyArray_DATA(a), <float*>PyArray_DATA(o), outer,
                      PyArray_DIMS(b)[axis], inner, backwards)
    return o


def filled(shape, ndarray value not None):
    """A new array of ``shape`` with the 0-d ``value`` everywhere, or None where the dtype is not plain."""
    cdef int t = code(value)
    cdef npy_intp dims[32]
    cdef npy_intp i, size
    cdef int k = 0
    cdef ndarray o
    if t < 0 or PyArray_NDIM(value) != 0 or len(shape) > 32:
        return None
    for d in shape:
        dims[k] = d
        k += 1
    o = PyArray_SimpleNew(k, dims, NPY_FLOAT + t)
    size = PyArray_SIZE(o)
    if t:
        fill(<double*>PyArray_DATA(o), (<double*>PyArray_DATA(value))[0], size)
    else:
        fill(<float*>PyArray_DATA(o), (<float*>PyArray_DATA(value))[0], size)
    return o


cdef void fill(real* o, real value, npy_intp n) noexcept nogil:
    cdef npy_intp i
    for i in range(n):
        o[i] = value


# ------------------------------------------------------------------------------ one pass instead of several

cdef void relu_loop(real* x, real* o, npy_intp n) noexcept nogil:
    cdef npy_intp i
    cdef real value
    for i in range(n):
        value = x[i]
        o[i] = 0 if value < 0 else value            # a nan stays a nan, and -0. stays -0.


cdef void threshold_backward_loop(real* d, real* x, real threshold, real* o, npy_intp n) noexcept nogil:
    cdef npy_intp i
    cdef real kept
    for i in range(n):
        kept = d[i]                 # read first, so that the compiler can do without a branch
        o[i] = 0 if x[i] <= threshold else kept


cdef void tanh_backward_loop(real* d, real* y, real* o, npy_intp n) noexcept nogil:
    cdef npy_intp i
    for i in range(n):
        o[i] = d[i] * (1 - y[i] * y[i])


cdef void sigmoid_backward_loop(real* d, real* y, real* o, npy_intp n) noexcept nogil:
    cdef npy_intp i
    for i in range(n):
        o[i] = d[i] * (1 - y[i]) * y[i]


# Each pair of calls below is one loop, compiled for double and for float.

cdef object relu(Loop* loop, PyObject** args, int n):
    cdef ndarray a
    cdef ndarray o
    cdef int t
    if type(<object>args[0]) is not ndarray:
        return None
    a = <ndarray>args[0]
    t = code(a)
    if t < 0:
        return None
    o = like(a)
    if t:
        relu_loop(<double*>PyArray_DATA(a), <double*>PyArray_DATA(o), PyArray_SIZE(a))
    else:
        relu_loop(<float*>PyArray_DATA(a), <float*>PyArray_DATA(o), PyArray_SIZE(a))
    return o


cdef inline int pair(PyObject** args) noexcept:
    """The code of two plain arrays of one shape and dtype, else -1."""
    cdef int t
    if type(<object>args[0]) is not ndarray or type(<object>args[1]) is not ndarray:
        return -1
    t = code(<ndarray>args[0])
    return t if t >= 0 and code(<ndarray>args[1]) == t and same_shape(<ndarray>args[0], <ndarray>args[1]) else -1


cdef object threshold_backward(Loop* loop, PyObject** args, int n):
    cdef int t = pair(args)
    cdef double threshold = 0
    cdef ndarray o
    if t < 0 or not number(<object>args[2], &threshold):
        return None
    o = like(<ndarray>args[0])
    if t:
        threshold_backward_loop(<double*>PyArray_DATA(<ndarray>args[0]), <double*>PyArray_DATA(<ndarray>args[1]),
                                threshold, <double*>PyArray_DATA(o), PyArray_SIZE(o))
    else:
        threshold_backward_loop(<float*>PyArray_DATA(<ndarray>args[0]), <float*>PyArray_DATA(<ndarray>args[1]),
                                <float>threshold, <float*>PyArray_DATA(o), PyArray_SIZE(o))
    return o


cdef object tanh_backward(Loop* loop, PyObject** args, int n):
    cdef int t = pair(args)
    cdef ndarray o
    if t < 0:
        return None
    o = like(<ndarray>args[0])
    if t:
        tanh_backward_loop(<double*>PyArray_DATA(<ndarray>args[0]), <double*>PyArray_DATA(<ndarray>args[1]),
                           <double*>PyArray_DATA(o), PyArray_SIZE(o))
    else:
        tanh_backward_loop(<float*>PyArray_DATA(<ndarray>args[0]), <float*>PyArray_DATA(<ndarray>args[1]),
                           <float*>PyArray_DATA(o), PyArray_SIZE(o))
    return o


cdef object sigmoid_backward(Loop* loop, PyObject** args, int n):
    cdef int t = pair(args)
    cdef ndarray o
    if t < 0:
        return None
    o = like(<ndarray>args[0])
    if t:
        sigmoid_backward_loop(<double*>PyArray_DATA(<ndarray>args[0]), <double*>PyArray_DATA(<ndarray>args[1]),
                              <double*>PyArray_DATA(o), PyArray_SIZE(o))
    else:
        sigmoid_backward_loop(<float*>PyArray_DATA(<ndarray>args[0]), <float*>PyArray_DATA(<ndarray>args[1]),
                              <float*>PyArray_DATA(o), PyArray_SIZE(o))
    return o


# The softmax family over the last axis: x - max is in [-inf, 0], so no exponential overflows.
# NumPy's loop of exp does the exponentials (SIMD); the sums run here.

cdef Loop EXP, LOG
resolve(&EXP, np.exp)
resolve(&LOG, np.log)


cdef void shift_rows(real* x, real* o, npy_intp rows, npy_intp n) noexcept nogil:
    cdef npy_intp i, k
    cdef real largest
    for i in range(rows):
        largest = x[0]
        for k in range(1, n):
            if x[k] > largest:
                largest = x[k]
        if largest == -INFINITY:
            largest = 0
        for k in range(n):
            o[k] = x[k] - largest
        x += n
        o += n


cdef void divide_rows(real* o, npy_intp rows, npy_intp n) noexcept nogil:
    cdef npy_intp i, k
    cdef double total               # in float, the millionth term would be rounded away
    for i in range(rows):
        total = 0
        for k in range(n):
            total += o[k]
        total = 1 / total
        for k in range(n):
            o[k] = <real>(o[k] * total)
        o += n


cdef void log_rows(real* e, real* o, npy_intp rows, npy_intp n) noexcept nogil:
    cdef npy_intp i, k
    cdef double total               # in float, the millionth term would be rounded away
    for i in range(rows):
        total = 0
        for k in range(n):
            total += e[k]
        total = log(total)
        for k in range(n):
            o[k] = <real>(o[k] - total)
        e += n
        o += n


cdef void softmax_backward_rows(real* d, real* y, real* o, npy_intp rows, npy_intp n) noexcept nogil:
    cdef npy_intp i, k
    cdef double total               # in float, the millionth term would be rounded away
    for i in range(rows):
        total = 0
        for k in range(n):
            total += <double>d[k] * y[k]
        for k in range(n):
            o[k] = <real>(y[k] * (d[k] - total))
        d += n
        y += n
        o += n


cdef void log_softmax_backward_rows(real* d, real* e, real* o, npy_intp rows, npy_intp n) noexcept nogil:
    cdef npy_intp i, k
    cdef double total               # in float, the millionth term would be rounded away
    for i in range(rows):
        total = 0
        for k in range(n):
            total += d[k]
        for k in range(n):
            o[k] = <real>(d[k] - e[k] * total)
        d += n
        e += n
        o += n


cdef inline bint last_axis(ndarray a, object dim, npy_intp* rows, npy_intp* n) except -1:
    """Does `dim` name the last axis of a non-empty array?  Then how many rows has it, and how long?"""
    cdef int ndim = PyArray_NDIM(a)
    if ndim == 0 or PyArray_SIZE(a) == 0 or not PyLong_CheckExact(dim) or (dim != -1 and dim != ndim - 1):
        return False
    n[0] = PyArray_DIMS(a)[ndim - 1]
    rows[0] = PyArray_SIZE(a) // n[0]
    return True


cdef inline void exponentiate(ndarray a, ndarray o, int t) noexcept:
    cdef char* p[2]
    cdef npy_intp s[2]
    cdef npy_intp size = PyArray_SIZE(a)
    p[0] = <char*>PyArray_DATA(a)
    p[1] = <char*>PyArray_DATA(o)
    s[0] = s[1] = 8 if t else 4
    EXP.f[t](p, &size, s, EXP.data[t])


cdef object softmax(Loop* loop, PyObject** args, int n):
    cdef ndarray a
    cdef ndarray o
    cdef npy_intp rows, length
    cdef int t
    if type(<object>args[0]) is not ndarray or (n > 2 and <object>args[2] is not None):
        return None
    a = <ndarray>args[0]
    t = code(a)
    if t < 0 or EXP.f[t] == NULL or not last_axis(a, <object>args[1], &rows, &length):
        return None
    o = like(a)
    if t:
        shift_rows(<double*>PyArray_DATA(a), <double*>PyArray_DATA(o), rows, length)
    else:
        shift_rows(<float*>PyArray_DATA(a), <float*>PyArray_DATA(o), rows, length)
    exponentiate(o, o, t)
    if t:
        divide_rows(<double*>PyArray_DATA(o), rows, length)
    else:
        divide_rows(<float*>PyArray_DATA(o), rows, length)
    return o


cdef object log_softmax(Loop* loop, PyObject** args, int n):
    cdef ndarray a
    cdef ndarray o
    cdef ndarray e
    cdef npy_intp rows, length
    cdef int t
    if type(<object>args[0]) is not ndarray or (n > 2 and <object>args[2] is not None):
        return None
    a = <ndarray>args[0]
    t = code(a)
    if t < 0 or EXP.f[t] == NULL or not last_axis(a, <object>args[1], &rows, &length):
        return None
    o = like(a)
    e = like(a)
    if t:
        shift_rows(<double*>PyArray_DATA(a), <double*>PyArray_DATA(o), rows, length)
        exponentiate(o, e, t)
        log_rows(<double*>PyArray_DATA(e), <double*>PyArray_DATA(o), rows, length)
    else:
        shift_rows(<float*>PyArray_DATA(a), <float*>PyArray_DATA(o), rows, length)
        exponentiate(o, e, t)
        log_rows(<float*>PyArray_DATA(e), <float*>PyArray_DATA(o), rows, length)
    return o


cdef object softmax_backward(Loop* loop, PyObject** args, int n):
    cdef int t = pair(args)
    cdef npy_intp rows, length
    cdef ndarray o
    if t < 0 or not last_axis(<ndarray>args[0], <object>args[2], &rows, &length):
        return None
    o = like(<ndarray>args[0])
    if t:
        softmax_backward_rows(<double*>PyArray_DATA(<ndarray>args[0]), <double*>PyArray_DATA(<ndarray>args[1]),
                              <double*>PyArray_DATA(o), rows, length)
    else:
        softmax_backward_rows(<float*>PyArray_DATA(<ndarray>args[0]), <float*>PyArray_DATA(<ndarray>args[1]),
                              <float*>PyArray_DATA(o), rows, length)
    return o


cdef object log_softmax_backward(Loop* loop, PyObject** args, int n):
    cdef int t = pair(args)
    cdef npy_intp rows, length
    cdef ndarray o
    cdef ndarray e
    if t < 0 or EXP.f[t] == NULL or not last_axis(<ndarray>args[0], <object>args[2], &rows, &length):
        return None
    o = like(<ndarray>args[0])
    e = like(o)
    exponentiate(<ndarray>args[1], e, t)
    if t:
        log_softmax_backward_rows(<double*>PyArray_DATA(<ndarray>args[0]), <double*>PyArray_DATA(e),
                                  <double*>PyArray_DATA(o), rows, length)
    else:
        log_softmax_backward_rows(<float*>PyArray_DATA(<ndarray>args[0]), <float*>PyArray_DATA(e),
                                  <float*>PyArray_DATA(o), rows, length)
    return o


# ------------------------------------------------------------------------------ picking one class of each row

cdef enum:
    MEAN = 1                        # the reductions of ops/networks/loss.py
    SUM = 2


cdef inline bint plain_classes(object target, npy_intp rows, npy_intp classes, npy_intp ignored, npy_intp* counted) except -1:
    """Are these `rows` class numbers, all of them in range?  Then how many count?"""
    cdef npy_intp i, k
    cdef cnp.int64_t* t
    if type(target) is not ndarray or PyArray_TYPE(<ndarray>target) != cnp.NPY_INT64 or not PyArray_ISCARRAY_RO(<ndarray>target):
        return False
    if PyArray_NDIM(<ndarray>target) != 1 or PyArray_DIMS(<ndarray>target)[0] != rows:
        return False
    t = <cnp.int64_t*>PyArray_DATA(<ndarray>target)
    k = 0
    for i in range(rows):
        if t[i] != ignored:
            if t[i] < 0 or t[i] >= classes:
                return False
            k += 1
    counted[0] = k
    return True


cdef double pick(real* x, cnp.int64_t* t, npy_intp rows, npy_intp classes, npy_intp ignored) noexcept nogil:
    cdef npy_intp i
    cdef double total = 0
    for i in range(rows):
        if t[i] != ignored:
            total -= x[i * classes + t[i]]
    return total


cdef void place(real* o, real value, cnp.int64_t* t, npy_intp rows, npy_intp classes, npy_intp ignored) noexcept nogil:
    cdef npy_intp i
    for i in range(rows * classes):
        o[i] = 0
    for i in range(rows):
        if t[i] != ignored:
            o[i * classes + t[i]] = value


cdef object nll_loss(Loop* loop, PyObject** args, int n):
    """(self, target, weight, reduction, ignore_index), without weights, reduced to a number."""
    cdef ndarray a, o
    cdef int t, reduction
    cdef npy_intp rows, classes, ignored, counted = 0
    cdef cnp.int64_t* places
    if type(<object>args[0]) is not ndarray or <object>args[2] is not None:
        return None
    a = <ndarray>args[0]
    t = code(a)
    reduction = <object>args[3]
    if t < 0 or PyArray_NDIM(a) != 2 or (reduction != MEAN and reduction != SUM):
        return None
    rows = PyArray_DIMS(a)[0]
    classes = PyArray_DIMS(a)[1]
    ignored = <object>args[4]
    if not plain_classes(<object>args[1], rows, classes, ignored, &counted):
        return None
    places = <cnp.int64_t*>PyArray_DATA(<ndarray>args[1])
    o = PyArray_SimpleNew(0, NULL, NPY_FLOAT + t)
    if t:
        (<double*>PyArray_DATA(o))[0] = pick(<double*>PyArray_DATA(a), places, rows, classes, ignored) / (counted if reduction == MEAN else 1)
    else:
        (<float*>PyArray_DATA(o))[0] = <float>(pick(<float*>PyArray_DATA(a), places, rows, classes, ignored) / (counted if reduction == MEAN else 1))
    return o


cdef object nll_loss_backward(Loop* loop, PyObject** args, int n):
    """(grad, target, weight, shape, reduction, ignore_index), the transpose of the above."""
    cdef ndarray g, o
    cdef int t, reduction
    cdef npy_intp dims[2]
    cdef npy_intp ignored, counted = 0
    cdef cnp.int64_t* places
    if type(<object>args[0]) is not ndarray or <object>args[2] is not None:
        return None
    g = <ndarray>args[0]
    t = code(g)
    reduction = <object>args[4]
    shape = <object>args[3]
    if t < 0 or PyArray_NDIM(g) != 0 or len(shape) != 2 or (reduction != MEAN and reduction != SUM):
        return None
    dims[0] = shape[0]
    dims[1] = shape[1]
    ignored = <object>args[5]
    if not plain_classes(<object>args[1], dims[0], dims[1], ignored, &counted):
        return None
    places = <cnp.int64_t*>PyArray_DATA(<ndarray>args[1])
    o = PyArray_SimpleNew(2, dims, NPY_FLOAT + t)
    if t:
        place(<double*>PyArray_DATA(o), -(<double*>PyArray_DATA(g))[0] / (counted if reduction == MEAN else 1), places, dims[0], dims[1], ignored)
    else:
        place(<float*>PyArray_DATA(o), -(<float*>PyArray_DATA(g))[0] / <float>(counted if reduction == MEAN else 1), places, dims[0], dims[1], ignored)
    return o


# ------------------------------------------------------------------------------ which op has which

cdef Fast fast_for(object name, object kernel, Loop* loop) except? NULL:
    """The C kernel of the op called `name`, or the loops of its ufunc; NULL where it has neither."""
    loop.f[0] = loop.f[1] = NULL
    if name == "mm":
        resolve(loop, np.matmul)
        return mm
    if name == "sum_all":
        return sum_all
    if name == "mean_all":
        return mean_all
    if name == "sum_dim":
        return sum_dim
    if name == "mean_dim":
        return mean_dim
    if name == "adjoint":
        return transpose2
    if name == "pow_number":
        return pow_number
    if name == "pow_slope":
        return pow_slope
    if name == "relu":
        return relu
    if name == "threshold_backward":
        return threshold_backward
    if name == "tanh_backward":
        return tanh_backward
    if name == "sigmoid_backward":
        return sigmoid_backward
    if name == "softmax":
        return softmax
    if name == "log_softmax":
        return log_softmax
    if name == "softmax_backward":
        return softmax_backward
    if name == "log_softmax_backward":
        return log_softmax_backward
    if name == "nll_loss":
        return nll_loss
    if name == "nll_loss_backward":
        return nll_loss_backward
    if isinstance(kernel, np.ufunc) and kernel.nout == 1:
        resolve(loop, kernel)
        if loop.f[0] == NULL and loop.f[1] == NULL:
            return NULL
        return unary if kernel.nin == 1 else binary
    return NULL
