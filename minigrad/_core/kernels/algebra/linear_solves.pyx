"""Linear systems: inverses, determinants, solutions, Cholesky factors, singular values.

LAPACK does it, by the inner loops of ``numpy.linalg``, as BLAS multiplies by that of ``np.matmul``
(matrix_products.pyx).  ``np.linalg.inv`` of a matrix of three rows takes 6 us, its loop takes one.  Only the loops of
double precision are used, in which numpy.linalg computes whatever it is given.

A loop walks along one axis of matrices, and takes them in any layout::

    (3, 3)              1 matrix
    (5, 3, 3)           5 matrices, wherever they lie
    (2, 5, 3, 3)        10 matrices, if they lie one after the other

One that fails, since a matrix is singular, says so by a flag of the processor.  Then the general way answers, which
has the words for it.
"""

from libc.float cimport DBL_MAX, DBL_MIN
from libc.math cimport atan2, fabs
from minigrad._core.kernels.loops.numpy_loops cimport LARGE, Loop, aligned
from minigrad._core.kernels.shapes.strided_views cimport MAX_DIMS
from minigrad._core.runtime.memory_pool cimport new_array, new_zeros
from minigrad._core.runtime.numpy_api cimport (NPY_CDOUBLE, NPY_CFLOAT, NPY_DOUBLE, NPY_FLOAT, NPY_INT32, PyArray_Cast,
                                               PyArray_DATA, PyArray_DIMS, PyArray_IS_C_CONTIGUOUS, PyArray_NBYTES,
                                               PyArray_NDIM, PyArray_SIZE, PyArray_STRIDES, PyArray_TYPE,
                                               PyUFuncGenericFunction, ndarray, npy_intp, ufunc)
from minigrad._core.runtime.python_api cimport PyErr_Occurred, PyObject, Py_DECREF, Py_INCREF
from minigrad._core.runtime.thread_pool cimport hold_blas, release_blas, threads_for_lapack

import numpy as np

cdef enum:
    WELL = 10000                # the condition up to which a matrix of cofactors is computed by way of the inverse
    SMALL = 8                   # rows of a matrix for which LAPACK takes longer to call than to run
    LARGEST_INVERSE = 48        # rows, beyond which L and U make an inverse in less time: ops/algebra/solving.py


# ------------------------------------------------------------------------------ the loops

cdef struct Solver:
    # The inner loops of a function of numpy.linalg for double precision, of real and complex numbers; NULL for none.
    PyUFuncGenericFunction f[2]
    void* data[2]

cdef Solver INV, DET, SLOGDET, CHOLESKY, SOLVE, SVD
cdef bint tried[2]              # of real and complex numbers


# Note [Loops under two names]
# ----------------------------
# The ufuncs of NumPy 2.0 cannot say p = min(m, n), so it has two for one loop, the first for wide matrices::
#
#     svd_m_s    (m,n) -> (m,m), (m), (m,n)
#     svd_n_s    (m,n) -> (m,n), (n), (n,n)
#     svd_s      (m,n) -> (m,p), (p), (p,n)        in newer ones
#
# Where the two differ, there is p.  The loop itself reads m and n, and computes p.

cdef tuple named(str name):
    """The ufunc of numpy.linalg that has this name, and its signature; (None, "") where NumPy has none such."""
    module = getattr(np.linalg, "_umath_linalg", None)
    found = [getattr(module, each) for each in dir(module)
             if name in (each, each.replace("_m", "").replace("_n", ""))]
    if not found or not all([isinstance(each, np.ufunc) and each.signature for each in found]):
        return None, ""
    letters = [set(each) for each in zip(*[each.signature.replace(" ", "") for each in found])]
    return found[0], "".join([min(each) if len(each) == 1 else "p" for each in letters])


cdef int resolve(Solver* solver, str name, str real, str complex_) except -1:
    cdef object found = named(name)[0]
    cdef ufunc u
    cdef int k
    for k, types in enumerate((real, complex_)):
        solver.f[k] = NULL
        if found is not None and types in found.types:
            u = <ufunc>found
            solver.f[k] = <PyUFuncGenericFunction><void*>u.functions[found.types.index(types)]
            solver.data[k] = u.data[found.types.index(types)] if u.data != NULL else NULL
    return 0


cdef int try_all(int k) except -1:
    """Keep the bare loops that give what numpy.linalg gives.  Another NumPy costs speed and nothing else.

    It is tried when the first matrix comes: LAPACK takes two megabytes, which few programs need.
    """
    cdef PyObject* args[2]
    cdef object one = 1., n = SMALL + 1
    if k:
        one = 1j
    a, b = 4 * np.eye(n) + np.eye(n, k=1) * one + np.eye(n, k=-1) / one, np.full((n, 1), one)
    args[0], args[1] = <PyObject*>a, <PyObject*>b
    keep(&INV, k, inverse(NULL, args, 1), np.linalg.inv(a))
    keep(&DET, k, determinant(NULL, args, 1), np.linalg.det(a))
    keep(&SOLVE, k, solution(NULL, args, 2), np.linalg.solve(a, b))
    keep(&SLOGDET, k, sign_and_logarithm(NULL, args, 1), np.linalg.slogdet(a))
    keep(&CHOLESKY, k, to_matrices(&CHOLESKY, args[0], False, LOWER), np.linalg.cholesky(a))
    keep(&SVD, k, singular_values(NULL, args, 1), np.linalg.svd(a, compute_uv=False))
    return 0


cdef int keep(Solver* solver, int k, object ours, object theirs) except -1:
    """Keep the loop if it gives what numpy.linalg gives."""
    if ours is None or not np.array_equal(ours, theirs):
        solver.f[k] = NULL
    return 0


# ------------------------------------------------------------------------------ matrices

cdef ndarray read(PyObject* x, Matrices* m):
    """The array that has the matrices; None where they are not floating point numbers, or there is nothing."""
    cdef ndarray a
    cdef int ndim
    if type(<object>x) is not ndarray:
        return None
    a = <ndarray>x
    ndim = PyArray_NDIM(a)
    if ndim < 2 or not PyArray_SIZE(a) or not aligned(a) or (ndim > 3 and not PyArray_IS_C_CONTIGUOUS(a)):
        return None
    if PyArray_TYPE(a) == NPY_FLOAT or PyArray_TYPE(a) == NPY_CFLOAT:
        a = in_double(a)
    m.num = PyArray_TYPE(a)
    if m.num != NPY_DOUBLE and m.num != NPY_CDOUBLE:
        return None
    m.size = 16 if m.num == NPY_CDOUBLE else 8
    m.data = <char*>PyArray_DATA(a)
    m.rows, m.columns = PyArray_DIMS(a)[ndim - 2], PyArray_DIMS(a)[ndim - 1]
    m.by_row, m.by_column = PyArray_STRIDES(a)[ndim - 2], PyArray_STRIDES(a)[ndim - 1]
    m.n = PyArray_SIZE(a) // (m.rows * m.columns)
    # a dim of size 1 has any stride
    m.step = PyArray_STRIDES(a)[0] if ndim == 3 else m.size * m.rows * m.columns
    return a


cdef ndarray in_double(ndarray a):
    cdef bint pairs = PyArray_TYPE(a) == NPY_CFLOAT
    cdef int num = NPY_CDOUBLE if pairs else NPY_DOUBLE
    cdef ndarray out
    cdef npy_intp i
    if not PyArray_IS_C_CONTIGUOUS(a):
        return PyArray_Cast(a, num)
    out = new_array(PyArray_NDIM(a), PyArray_DIMS(a), num)
    for i in range(PyArray_SIZE(a) << pairs):
        (<double*>PyArray_DATA(out))[i] = (<float*>PyArray_DATA(a))[i]
    return out


cdef ndarray as_precise(ndarray a, PyObject* x):
    """The result in the precision of the argument; None where there is none."""
    cdef bint pairs
    cdef ndarray out
    cdef npy_intp i
    if a is None or PyArray_TYPE(<ndarray>x) == NPY_DOUBLE or PyArray_TYPE(<ndarray>x) == NPY_CDOUBLE:
        return a
    pairs = PyArray_TYPE(a) == NPY_CDOUBLE
    out = new_array(PyArray_NDIM(a), PyArray_DIMS(a), NPY_CFLOAT if pairs else NPY_FLOAT)
    for i in range(PyArray_SIZE(a) << pairs):
        (<float*>PyArray_DATA(out))[i] = <float>(<double*>PyArray_DATA(a))[i]
    return out


cdef bint all_finite(Matrices* m, Part part) noexcept nogil:
    """Is there no inf and no nan in this part of the matrices?  LAPACK may look for their values for ever."""
    cdef npy_intp b, i, j
    cdef double* x
    for b in range(m.n):
        for i in range(m.rows):
            for j in range(i if part == UPPER else 0, min(i + 1, m.columns) if part == LOWER else m.columns):
                x = <double*>(m.data + b * m.step + i * m.by_row + j * m.by_column)
                if x[0] - x[0] != 0 or m.size == 16 and x[1] - x[1] != 0:
                    return False
    return True


cdef ndarray result_for(ndarray a, int num, int ndim, npy_intp rows, npy_intp columns):
    """New memory for a matrix, a vector (of columns) or a number for each matrix of the batch."""
    cdef npy_intp shape[MAX_DIMS]
    cdef int i, batch = PyArray_NDIM(a) - 2
    for i in range(batch):
        shape[i] = PyArray_DIMS(a)[i]
    if ndim == 2:
        shape[batch] = rows
    if ndim:
        shape[batch + ndim - 1] = columns
    return new_array(batch + ndim, shape, num)


cdef inline bint can(Solver* solver, Matrices* m) except -1:
    cdef int k = m.num == NPY_CDOUBLE
    if not tried[k]:
        tried[k] = True
        try:
            try_all(k)
        except BaseException:               # of memory, or an interrupt: another time
            tried[k] = False
            raise
    return solver.f[k] != NULL


cdef int done(Solver* solver, Matrices* m, char** p, npy_intp* sizes, npy_intp* steps) except -1:
    """Run the loop for these matrices; did it succeed?  It needs memory of its own, and raises where there is none."""
    cdef int k = m.num == NPY_CDOUBLE
    cdef double work = <double>sizes[0] * sizes[1] * sizes[1] * sizes[1]
    hold_blas(threads_for_lapack(sizes[1] * sizes[1]))
    feclearexcept(FE_INVALID)
    if work > 20 * LARGE:
        with nogil:
            solver.f[k](p, sizes, steps, solver.data[k])
    else:
        solver.f[k](p, sizes, steps, solver.data[k])
    release_blas()
    if PyErr_Occurred() != NULL:
        return -1
    return not fetestexcept(FE_INVALID)


cdef bint any_nan(ndarray found) noexcept:
    """Is there a nan among these?  Only so is a singular matrix noticed where FE_INVALID is 0: in a web page."""
    cdef npy_intp i
    cdef double* x = <double*>PyArray_DATA(found)
    for i in range(PyArray_NBYTES(found) // <npy_intp>sizeof(double)):
        if x[i] != x[i]:
            return True
    return False


cdef ndarray square(PyObject* x, Matrices* m):
    cdef ndarray a = read(x, m)
    return a if a is not None and m.rows == m.columns else None


cdef ndarray to_matrices(Solver* solver, PyObject* x, bint turned, Part part):
    """A square matrix of each, in double precision, or its transpose: the inverse, or the factor."""
    cdef Matrices m
    cdef npy_intp sizes[2]
    cdef npy_intp steps[6]
    cdef char* p[2]
    cdef ndarray a = square(x, &m), out
    if a is None or not can(solver, &m) or not all_finite(&m, part):
        return None
    out = result_for(a, m.num, 2, m.rows, m.rows)
    p[0], p[1] = m.data, <char*>PyArray_DATA(out)
    sizes[0], sizes[1] = m.n, m.rows
    steps[0], steps[1], steps[2], steps[3] = m.step, m.size * m.rows * m.rows, m.by_row, m.by_column
    steps[4 + turned], steps[5 - turned] = m.size * m.rows, m.size
    if not done(solver, &m, p, sizes, steps) or not FE_INVALID and any_nan(out):
        return None
    return out


cdef ndarray to_numbers(Solver* solver, PyObject* x, PyObject** second):
    """A number of each, in double precision; and if `second` is given, another one, which is real."""
    cdef Matrices m
    cdef npy_intp sizes[2]
    cdef npy_intp steps[5]
    cdef char* p[3]
    cdef int k = 1
    cdef ndarray a = square(x, &m), out, other
    if a is None or not can(solver, &m):
        return None
    out = result_for(a, m.num, 0, 0, 0)
    p[0], p[1] = m.data, <char*>PyArray_DATA(out)
    sizes[0], sizes[1] = m.n, m.rows
    steps[0], steps[1] = m.step, m.size
    if second != NULL:
        other = result_for(a, NPY_DOUBLE, 0, 0, 0)
        k, p[2], steps[2] = 2, <char*>PyArray_DATA(other), 8
    steps[k + 1], steps[k + 2] = m.by_row, m.by_column
    done(solver, &m, p, sizes, steps)           # a determinant always exists
    if second != NULL:
        Py_INCREF(other)
        second[0] = <PyObject*>other
    return out


cdef tuple sign_and_size(PyObject* x):
    """The sign of each determinant, and the logarithm of its size; None where that is left to the general way."""
    cdef PyObject* second = NULL
    cdef ndarray sign = to_numbers(&SLOGDET, x, &second)
    if sign is None:
        return None
    size = <object>second
    Py_DECREF(size)
    return sign, size


# ------------------------------------------------------------------------------ small matrices

# Gauss's elimination, with the largest entry of a column as its pivot, as LAPACK has it; but for the last digit, the
# numbers are the same.

cdef bint eliminate(double* a, npy_intp n, double* x, npy_intp columns, double* det) noexcept nogil:
    """Make U of the rows of `a`, and do to those of `x` what is done to them; False where a pivot is zero."""
    cdef npy_intp i, j, k, best
    cdef double by
    det[0] = 1
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if fabs(a[i * n + k]) > fabs(a[best * n + k]):
                best = i
        det[0] *= a[best * n + k] if best == k else -a[best * n + k]
        if a[best * n + k] == 0:
            return False
        if best != k:
            for j in range(k, n):
                a[k * n + j], a[best * n + j] = a[best * n + j], a[k * n + j]
            for j in range(columns):
                x[k * columns + j], x[best * columns + j] = x[best * columns + j], x[k * columns + j]
        for i in range(k + 1, n):
            by = a[i * n + k] / a[k * n + k]
            for j in range(k + 1, n):
                a[i * n + j] -= by * a[k * n + j]
            for j in range(columns):
                x[i * columns + j] -= by * x[k * columns + j]
    return True


cdef void substitute(double* u, npy_intp n, double* x, npy_intp columns) noexcept nogil:
    """x becomes U^-1 x."""
    cdef npy_intp i, j, k
    for k in range(n - 1, -1, -1):
        for j in range(columns):
            x[k * columns + j] /= u[k * n + k]
        for i in range(k):
            for j in range(columns):
                x[i * columns + j] -= u[i * n + k] * x[k * columns + j]


cdef inline bint is_small(Matrices* m) noexcept:
    return m.num == NPY_DOUBLE and m.rows <= SMALL


cdef void take_rows(Matrices* m, npy_intp k, double* to) noexcept nogil:
    """The k-th matrix, row by row."""
    cdef npy_intp i, j
    for i in range(m.rows):
        for j in range(m.columns):
            to[i * m.columns + j] = (<double*>(m.data + k * m.step + i * m.by_row + j * m.by_column))[0]


cdef bint solve_small(Matrices* a, Matrices* b, double* out) noexcept nogil:
    """Of each matrix the solution, or the inverse where `b` is NULL; False where one is singular."""
    cdef double u[SMALL * SMALL]
    cdef double det
    cdef npy_intp k, i, columns = a.rows if b == NULL else b.columns
    for k in range(a.n):
        take_rows(a, k, u)
        if b != NULL:
            take_rows(b, k, out)
        else:
            for i in range(a.rows * a.rows):
                out[i] = i % (a.rows + 1) == 0
        if not eliminate(u, a.rows, out, columns, &det):
            return False
        substitute(u, a.rows, out, columns)
        out += a.rows * columns
    return True


# ------------------------------------------------------------------------------ what rows name

cdef object inverse(Loop* loop, PyObject** args, int n):
    """(A)"""
    cdef Matrices m
    cdef ndarray out, a = square(args[0], &m)
    if a is None or m.rows > LARGEST_INVERSE:
        return None
    if not is_small(&m):
        return as_precise(to_matrices(&INV, args[0], False, ALL), args[0])
    out = result_for(a, m.num, 2, m.rows, m.rows)
    if not all_finite(&m, ALL) or not solve_small(&m, NULL, <double*>PyArray_DATA(out)):
        return None
    return as_precise(out, args[0])


cdef object determinant(Loop* loop, PyObject** args, int n):
    """(A)"""
    cdef Matrices m
    cdef double u[SMALL * SMALL]
    cdef npy_intp k
    cdef ndarray out, a = square(args[0], &m)
    if a is None or not is_small(&m) or not all_finite(&m, ALL):
        return as_precise(to_numbers(&DET, args[0], NULL), args[0])
    out = result_for(a, m.num, 0, 0, 0)
    for k in range(m.n):
        take_rows(&m, k, u)
        eliminate(u, m.rows, NULL, 0, <double*>PyArray_DATA(out) + k)
    return as_precise(out, args[0])


cdef object sign_and_logarithm(Loop* loop, PyObject** args, int n):
    """(A)"""
    cdef tuple found = sign_and_size(args[0])
    return None if found is None else [as_precise(found[0], args[0]), as_precise(found[1], args[0])]


cdef object complex_logarithm(Loop* loop, PyObject** args, int n):
    """(A), of complex numbers: the logarithm of the determinant"""
    cdef tuple found = sign_and_size(args[0])
    cdef double* z
    cdef npy_intp i
    if found is None or PyArray_TYPE(<ndarray>found[0]) != NPY_CDOUBLE:
        return None
    z = <double*>PyArray_DATA(<ndarray>found[0])
    for i in range(0, 2 * PyArray_SIZE(<ndarray>found[0]), 2):
        z[i + 1] = atan2(z[i + 1], z[i])
        if z[i + 1] != z[i + 1]:
            return None
        z[i] = (<double*>PyArray_DATA(<ndarray>found[1]))[i // 2]
    return as_precise(found[0], args[0])


cdef object cholesky(Loop* loop, PyObject** args, int n):
    """(A, upper): the lower factor, from the lower triangle; or the upper one of a real matrix, from the upper one"""
    cdef bint upper = <object>args[1] is True
    cdef object a = <object>args[0]
    if not upper and <object>args[1] is not False:
        return None
    if upper:
        if type(a) is not ndarray or PyArray_NDIM(<ndarray>a) < 2 or PyArray_TYPE(<ndarray>a) >= NPY_CFLOAT:
            return None
        a = a.swapaxes(-2, -1)
    cdef ndarray found = to_matrices(&CHOLESKY, <PyObject*>a, upper, LOWER)
    return None if found is None or ends_in_nan(found) else as_precise(found, args[0])


cdef bint ends_in_nan(ndarray found) noexcept:
    """Is the last element of one of the factors nan?  LAPACK does not notice one, and passes it on to there."""
    cdef npy_intp n = PyArray_DIMS(found)[PyArray_NDIM(found) - 1], size = PyArray_SIZE(found), i
    cdef int parts = 1 if PyArray_TYPE(found) == NPY_DOUBLE else 2
    cdef double* x = <double*>PyArray_DATA(found)
    for i in range(n * n, size + 1, n * n):
        if x[(i - 1) * parts] != x[(i - 1) * parts]:
            return True
    return False


cdef object solution(Loop* loop, PyObject** args, int n):
    """(A, B), with batches of one shape"""
    cdef Matrices a, b
    cdef npy_intp sizes[3]
    cdef npy_intp steps[9]
    cdef char* p[3]
    cdef int i
    cdef ndarray left = square(args[0], &a), right = read(args[1], &b), out
    if left is None or right is None or not can(&SOLVE, &a) or a.rows != b.rows:
        return None
    if not all_finite(&a, ALL):
        return None
    if PyArray_TYPE(<ndarray>args[0]) != PyArray_TYPE(<ndarray>args[1]) or PyArray_NDIM(left) != PyArray_NDIM(right):
        return None
    for i in range(PyArray_NDIM(left) - 2):
        if PyArray_DIMS(left)[i] != PyArray_DIMS(right)[i]:
            return None
    out = result_for(left, a.num, 2, b.rows, b.columns)
    if is_small(&a):
        return as_precise(out, args[0]) if solve_small(&a, &b, <double*>PyArray_DATA(out)) else None
    p[0], p[1], p[2] = a.data, b.data, <char*>PyArray_DATA(out)
    sizes[0], sizes[1], sizes[2] = a.n, a.rows, b.columns
    steps[0], steps[1], steps[2] = a.step, b.step, a.size * b.rows * b.columns
    steps[3], steps[4], steps[5], steps[6] = a.by_row, a.by_column, b.by_row, b.by_column
    steps[7], steps[8] = a.size * b.columns, a.size
    if not done(&SOLVE, &a, p, sizes, steps) or not FE_INVALID and any_nan(out):
        return None
    return as_precise(out, args[0])


cdef object singular_values(Loop* loop, PyObject** args, int n):
    """(A)"""
    cdef Matrices m
    cdef npy_intp sizes[4]
    cdef npy_intp steps[5]
    cdef char* p[2]
    cdef ndarray a = read(args[0], &m), out
    if a is None or not can(&SVD, &m) or not all_finite(&m, ALL):
        return None
    sizes[0], sizes[1], sizes[2] = m.n, m.rows, m.columns
    sizes[3] = min(m.rows, m.columns)
    out = result_for(a, NPY_DOUBLE, 1, 0, sizes[3])
    p[0], p[1] = m.data, <char*>PyArray_DATA(out)
    steps[0], steps[1], steps[2], steps[3], steps[4] = m.step, 8 * sizes[3], m.by_row, m.by_column, 8
    return as_precise(out, args[0]) if done(&SVD, &m, p, sizes, steps) else None


cdef object inverse_ex(Loop* loop, PyObject** args, int n):
    """(A): the inverses, if all matrices have one, and zeros"""
    return with_zeros(inverse(loop, args, n), args[0])


cdef object cholesky_ex(Loop* loop, PyObject** args, int n):
    """(A, upper)"""
    return with_zeros(cholesky(loop, args, n), args[0])


cdef object solution_ex(Loop* loop, PyObject** args, int n):
    """(A, B)"""
    return with_zeros(solution(loop, args, n), args[0])


cdef object with_zeros(object found, PyObject* x):
    """What was found, and that nothing has failed: a zero for each matrix."""
    return None if found is None else [found, new_zeros(PyArray_NDIM(<ndarray>x) - 2, PyArray_DIMS(<ndarray>x),
                                                        NPY_INT32)]


# Note [Cofactors of a regular matrix]
# ------------------------------------
# are det(A) A^-T, at a tenth of the cost of the singular values that the general way takes.  Digits are lost as the
# matrix comes near a singular one; so the two ways part at a condition of 10000 (by the largest sums of a column), up
# to which the inverse keeps 12 digits, and single precision all of its own.

cdef object cofactors(Loop* loop, PyObject** args, int n):
    """(self), of real numbers"""
    cdef Matrices m
    cdef ndarray a = square(args[0], &m), inv, det, out
    cdef PyObject* precise[1]
    cdef double* from_
    cdef double* to
    cdef double d
    cdef npy_intp i, j, k, size
    if a is None or m.num != NPY_DOUBLE:
        return None
    precise[0] = <PyObject*>a
    inv = inverse(NULL, precise, 1)
    det = None if inv is None else determinant(NULL, precise, 1)
    if det is None:
        return None
    out = result_for(a, NPY_DOUBLE, 2, m.rows, m.rows)
    size = m.rows * m.rows
    for k in range(m.n):
        from_, to = <double*>PyArray_DATA(inv) + k * size, <double*>PyArray_DATA(out) + k * size
        d = (<double*>PyArray_DATA(det))[k]
        if (not DBL_MIN <= fabs(d) <= DBL_MAX
                or not (largest_column(m.data + k * m.step, m.rows, m.by_row, m.by_column)
                        * largest_column(<char*>from_, m.rows, 8 * m.rows, 8) <= WELL)):
            return None
        for i in range(m.rows):
            for j in range(m.rows):
                to[i * m.rows + j] = d * from_[j * m.rows + i]
    return as_precise(out, args[0])


cdef double largest_column(char* a, npy_intp n, npy_intp by_row, npy_intp by_column) noexcept nogil:
    """The largest sum of the absolute values of a column."""
    cdef double largest = 0, total
    cdef npy_intp i, j
    for j in range(n):
        total = 0
        for i in range(n):
            total += fabs((<double*>(a + i * by_row + j * by_column))[0])
        if not total <= largest:
            largest = total
    return largest


resolve(&INV, "inv", "d->d", "D->D")
resolve(&DET, "det", "d->d", "D->D")
resolve(&SLOGDET, "slogdet", "d->dd", "D->Dd")
resolve(&CHOLESKY, "cholesky_lo", "d->d", "D->D")
resolve(&SOLVE, "solve", "dd->d", "DD->D")
resolve(&SVD, "svd", "d->d", "D->d")
