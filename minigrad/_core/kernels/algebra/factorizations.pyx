"""Factorizations of matrices: singular values, eigenvalues, orthogonal factors.

LAPACK does it, by the inner loops of ``numpy.linalg``, as in linear_solves.pyx.  Each loop has a signature, which says
what it takes and what it gives, as ``svd_s`` does with p = min(m, n)::

    (m,n) -> (m,p), (p), (p,n)        of real numbers  d -> ddd        of complex ones  D -> DdD

So one function serves them all: it reads the signature once, makes the results, and runs the loop over the batch.
A loop that fails says so by a flag of the processor, and then the general way answers, which has the words for it.
"""

cimport cython

from libc.math cimport fabs, fmax, hypot, sqrt
from libc.string cimport memcpy, memset
from minigrad._core.kernels.algebra.linear_solves cimport (ALL, FE_INVALID, LOWER, UPPER, Matrices, Part, all_finite,
                                                           as_precise, feclearexcept, fetestexcept, named, read,
                                                           take_rows)
from minigrad._core.kernels.loops.copies cimport new_copy
from minigrad._core.kernels.loops.numpy_loops cimport LARGE, Loop
from minigrad._core.kernels.shapes.strided_views cimport MAX_DIMS
from minigrad._core.runtime.memory_pool cimport new_array
from minigrad._core.runtime.numpy_api cimport (NPY_CDOUBLE, NPY_CORDER, NPY_DOUBLE, PyArray_DATA, PyArray_DIMS,
                                               PyArray_ISCARRAY_RO, PyArray_NDIM, PyArray_SIZE, PyArray_TYPE,
                                               PyUFuncGenericFunction, ndarray, npy_intp, ufunc)
from minigrad._core.runtime.python_api cimport PyErr_Occurred, PyObject
from minigrad._core.runtime.thread_pool cimport hold_blas, release_blas, threads_for_lapack

import numpy as np

cdef enum:
    MOST = 3                    # results of one loop
    SMALL = 8                   # rows and columns, up to which LAPACK takes longer to call than to reflect

cdef enum:
    ROWS, COLUMNS, LEAST        # m, n, and the smaller of the two


# ------------------------------------------------------------------------------ loops of numpy.linalg

@cython.final
cdef class MatrixLoop:
    """A loop of numpy.linalg: what it takes and gives."""
    cdef object function                        # the ufunc
    cdef PyUFuncGenericFunction f[2]            # its loops for double precision, real and complex; NULL for none
    cdef void* data[2]
    cdef bint tried[2]
    cdef int given, made                        # how many arguments, how many results
    cdef int n_sizes
    cdef int sizes[4]                           # the sizes that its signature names, in the order in which it does
    cdef int ndim[2 + MOST]
    cdef int dims[2 + MOST][2]                  # of each argument and result
    cdef bint pairs[2][MOST]                    # is the result complex?
    cdef Part finite                            # what LAPACK must not find an inf or nan in


cdef dict matrix_loops = {}


cdef object matrix_loop(str name):
    """The loop that has this name; without loops in C where NumPy has none such."""
    cdef MatrixLoop loop
    if name in matrix_loops:
        return matrix_loops[name]
    loop = MatrixLoop.__new__(MatrixLoop)
    loop.finite = LOWER if name.endswith("_lo") else UPPER if name.endswith("_up") else ALL
    found, signature = named(name)
    if found is not None:
        read_signature(loop, found, signature)
    matrix_loops[name] = loop
    return loop


cdef int read_signature(MatrixLoop loop, found, str signature) except -1:
    cdef ufunc u = <ufunc>found
    cdef int i, k, size
    cdef list seen = []
    given, made = [[each.strip("()").split(",") for each in side.split("),(")] for side in signature.split("->")]
    loop.given, loop.made = len(given), len(made)
    square = given[0] == ["m", "m"]
    for i, letters in enumerate(given + made):
        loop.ndim[i] = len(letters)
        for k, letter in enumerate(letters):
            # the second argument is as long as the smaller side of the first, whatever its signature calls that
            size = LEAST if i == 1 and loop.given == 2 or letter in "pk" else ROWS if letter == "m" else COLUMNS
            loop.dims[i][k] = ROWS if square else size
            if letter not in seen:
                seen.append(letter)
                loop.sizes[loop.n_sizes] = loop.dims[i][k]
                loop.n_sizes += 1
    loop.function = found
    for k, letter in enumerate("dD"):
        for types in found.types:
            of, _, to = types.partition("->")
            if set(of) == {letter}:
                loop.f[k] = <PyUFuncGenericFunction><void*>u.functions[found.types.index(types)]
                loop.data[k] = u.data[found.types.index(types)] if u.data != NULL else NULL
                for i in range(loop.made):
                    loop.pairs[k][i] = to[i] == "D"


cdef bint can(MatrixLoop loop, int k) except -1:
    """Does the bare loop give what the function gives?  Another NumPy costs speed and nothing else.

    It is tried when the first matrix comes: LAPACK takes two megabytes, which few programs need.
    """
    cdef Matrices m
    cdef tuple ours
    cdef PyObject* x
    if loop.tried[k] or loop.f[k] == NULL:
        return loop.f[k] != NULL
    loop.tried[k] = True
    a = np.array([[4., 1j], [-1j, 3.]] if k else [[4., 1.], [1., 3.]])
    tau = np.array([0.5, 1.5]).astype(a.dtype)
    given = (a, tau)[:loop.given]
    try:
        theirs = loop.function(*[each.copy() for each in given])     # some loops write over what they get
        x = <PyObject*>a
        matrices = read(x, &m)
        ours = run(loop, matrices, &m, <ndarray>tau)
        agree = ours is not None and all([np.array_equal(*each) for each in zip(
            ours, theirs if loop.made > 1 else (theirs,))])
    except BaseException:               # of memory, or an interrupt: another time
        loop.tried[k] = False
        raise
    if not agree:
        loop.f[k] = NULL
    return agree


cdef ndarray made_for(ndarray a, int num, int ndim, npy_intp rows, npy_intp columns):
    """New memory for a matrix or a vector for each matrix of the batch."""
    cdef npy_intp shape[MAX_DIMS]
    cdef int i, batch = PyArray_NDIM(a) - 2
    for i in range(batch):
        shape[i] = PyArray_DIMS(a)[i]
    shape[batch] = rows
    shape[batch + ndim - 1] = columns if ndim == 2 else rows
    return new_array(batch + ndim, shape, num)


cdef inline int no_error() except -1:
    """Raise what a loop of NumPy has set: it needs memory of its own, of which there may be none."""
    return -1 if PyErr_Occurred() != NULL else 0


cdef tuple run(MatrixLoop loop, ndarray a, Matrices* m, ndarray second):
    """The results for the matrices of `a`, in double precision; None where the loop fails.

    The second argument of a loop lies densely.
    """
    cdef char* p[2 + MOST]
    cdef npy_intp sizes[5]
    cdef npy_intp steps[2 + MOST + 2 * (2 + MOST)]
    cdef npy_intp size_of[LEAST + 1]
    cdef npy_intp size, rows, columns
    cdef int i, at, k = m.num == NPY_CDOUBLE, n = loop.given + loop.made
    cdef ndarray out
    cdef list results = []
    cdef double work
    size_of[ROWS], size_of[COLUMNS], size_of[LEAST] = m.rows, m.columns, min(m.rows, m.columns)
    sizes[0] = m.n
    for i in range(loop.n_sizes):
        sizes[i + 1] = size_of[loop.sizes[i]]
    p[0], steps[0] = m.data, m.step
    steps[n], steps[n + 1] = m.by_row, m.by_column
    at = n + 2
    for i in range(1, n):
        rows, columns = size_of[loop.dims[i][0]], size_of[loop.dims[i][1]]
        if i < loop.given:
            out, size = second, m.size
        else:
            size = 16 if loop.pairs[k][i - loop.given] else 8
            out = made_for(a, NPY_CDOUBLE if size == 16 else NPY_DOUBLE, loop.ndim[i], rows, columns)
            results.append(out)
        p[i] = <char*>PyArray_DATA(out)
        if loop.ndim[i] == 2:
            steps[i], steps[at], steps[at + 1] = size * rows * columns, size * columns, size
        else:
            steps[i], steps[at] = size * rows, size
        at += loop.ndim[i]
    work = <double>m.n * m.rows * m.columns * max(m.rows, m.columns)
    hold_blas(threads_for_lapack(m.rows * m.columns))
    feclearexcept(FE_INVALID)
    if work > 20 * LARGE:
        with nogil:
            loop.f[k](p, sizes, steps, loop.data[k])
    else:
        loop.f[k](p, sizes, steps, loop.data[k])
    release_blas()
    no_error()
    return None if fetestexcept(FE_INVALID) else tuple(results)


# ------------------------------------------------------------------------------ what rows name

cdef object by_loop(Loop* loop, PyObject** args, int n):
    """(A): what the loop gives"""
    cdef MatrixLoop known = <MatrixLoop?><object>loop.told
    cdef Matrices m
    cdef ndarray a = read(args[0], &m)
    cdef tuple results
    if a is None or known.given != 1 or (known.dims[0][1] == ROWS and m.rows != m.columns):
        return None
    if not can(known, m.num == NPY_CDOUBLE) or not all_finite(&m, known.finite):
        return None
    results = run(known, a, &m, None)
    if results is None:
        return None
    if known.made == 1:
        return as_precise(results[0], args[0])
    return [as_precise(each, args[0]) for each in results]


# Note [Reflectors]
# -----------------
# LAPACK makes A upper triangular by reflections, and leaves in the memory of A what they are: the vector of each below
# the diagonal, where there would be zeros (its first entry is 1, and not written), R above it::
#
#      r r r        H_k = I - tau_k v_k v_k^H
#     v0 r r        Q = H_0 H_1 H_2,  of which the columns are made from the v's by another loop
#     v0 v1 r
#     v0 v1 v2

cdef MatrixLoop RAW
cdef MatrixLoop REDUCED
cdef MatrixLoop COMPLETE


cdef tuple raw(PyObject* x):
    """(the dense copy that has the reflectors, the tau's); None where that is left to the general way."""
    cdef Matrices m
    cdef ndarray a = read(x, &m)
    cdef tuple results
    if a is None or not can(RAW, m.num == NPY_CDOUBLE):
        return None
    a = new_copy(a, NPY_CORDER)
    a = read(<PyObject*>a, &m)
    results = run(RAW, a, &m, None)
    return None if results is None else (a, results[0])


cdef object reflectors(Loop* loop, PyObject** args, int n):
    """(A): Note [Reflectors]"""
    cdef tuple found = raw(args[0])
    return None if found is None else [as_precise(found[0], args[0]), as_precise(found[1], args[0])]


cdef ndarray upper_part(ndarray a, Matrices* m, npy_intp rows):
    """R of the reflectors: what is on and above the diagonal, as far as there are rows."""
    cdef ndarray r = made_for(a, m.num, 2, rows, m.columns)
    cdef npy_intp i, k, size = m.size
    cdef char* from_
    cdef char* to
    for k in range(m.n):
        from_, to = m.data + k * m.rows * m.columns * size, <char*>PyArray_DATA(r) + k * rows * m.columns * size
        for i in range(rows):
            memset(to, 0, min(i, m.columns) * size)
            if i < m.columns:
                memcpy(to + i * size, from_ + i * (m.columns + 1) * size, (m.columns - i) * size)
            to += m.columns * size
    return r


cdef void reflect(double* v, npy_intp step, npy_intp rows, double tau, double* y, npy_intp y_step,
                  npy_intp columns) noexcept nogil:
    """y -= tau v (v^T y), where the first entry of v is 1 and not written"""
    cdef npy_intp i, j
    cdef double w
    for j in range(columns):
        w = y[j]
        for i in range(1, rows):
            w += v[i * step] * y[i * y_step + j]
        w *= tau
        y[j] -= w
        for i in range(1, rows):
            y[i * y_step + j] -= w * v[i * step]


cdef bint reflect_small(double* a, npy_intp rows, npy_intp columns, double* tau) noexcept nogil:
    """The same of one matrix; False where digits or signs would depend on the order of sums: LAPACK decides then."""
    cdef npy_intp i, j, k
    cdef double largest = 0, squares, length
    for i in range(rows * columns):
        largest = fmax(largest, fabs(a[i]))
    if not 1e-100 < largest < 1e100:
        return False
    for k in range(min(rows, columns)):
        squares = 0
        for i in range(k + 1, rows):
            squares += a[i * columns + k] * a[i * columns + k]
        length = hypot(a[k * (columns + 1)], sqrt(squares))
        if length < 1e-12 * largest or 0 < squares < 1e-20 * length * length:
            return False
        tau[k] = 0
        if squares > 0:
            length = -length if a[k * (columns + 1)] >= 0 else length
            tau[k] = 1 - a[k * (columns + 1)] / length
            for i in range(k + 1, rows):
                a[i * columns + k] /= a[k * (columns + 1)] - length
            a[k * (columns + 1)] = length
        elif k + 1 < rows:
            for i in range(k + 1, rows):
                if a[i * columns + k] != 0:
                    return False
        reflect(a + k * columns + k, columns, rows - k, tau[k], a + k * (columns + 1) + 1, columns, columns - k - 1)
    return True


cdef object small_qr(ndarray a, Matrices* m, npy_intp rows):
    """[Q, R] of real matrices that are small, in double precision, where R has so many rows; None for LAPACK."""
    cdef double x[SMALL * SMALL]
    cdef double tau[SMALL]
    cdef npy_intp b, i, j, k, columns = m.columns
    cdef ndarray q = made_for(a, NPY_DOUBLE, 2, m.rows, rows), r = made_for(a, NPY_DOUBLE, 2, rows, columns)
    cdef double* to_q = <double*>PyArray_DATA(q)
    cdef double* to_r = <double*>PyArray_DATA(r)
    for b in range(m.n):
        take_rows(m, b, x)
        if not reflect_small(x, m.rows, columns, tau):
            return None
        for i in range(rows):
            for j in range(columns):
                to_r[i * columns + j] = x[i * columns + j] if j >= i else 0
        for i in range(m.rows):
            for j in range(rows):
                to_q[i * rows + j] = i == j
        for k in range(min(m.rows, columns) - 1, -1, -1):
            reflect(x + k * (columns + 1), columns, m.rows - k, tau[k], to_q + k * (rows + 1), rows, rows - k)
        to_q, to_r = to_q + m.rows * rows, to_r + rows * columns
    return [q, r]


cdef object qr(Loop* loop, PyObject** args, int n):
    """(A, mode)"""
    cdef Matrices m
    cdef tuple found, q
    cdef ndarray a
    cdef npy_intp rows
    cdef MatrixLoop wanted
    cdef bint complete = <object>args[1] == "complete"
    if not complete and <object>args[1] != "reduced":
        return None
    a = read(args[0], &m)
    if a is not None and m.num == NPY_DOUBLE and max(m.rows, m.columns) <= SMALL and all_finite(&m, ALL):
        small = small_qr(a, &m, m.rows if complete else min(m.rows, m.columns))
        if small is not None:
            return [as_precise(small[0], args[0]), as_precise(small[1], args[0])]
    found = raw(args[0])
    if found is None:
        return None
    a = read(<PyObject*>found[0], &m)
    wanted = COMPLETE if complete and m.rows > m.columns else REDUCED
    if not can(wanted, m.num == NPY_CDOUBLE):
        return None
    rows = m.rows if complete else min(m.rows, m.columns)
    r = upper_part(a, &m, rows)
    q = run(wanted, a, &m, <ndarray>found[1])
    return None if q is None else [as_precise(q[0], args[0]), as_precise(r, args[0])]


cdef object qr_r(Loop* loop, PyObject** args, int n):
    """(A): R alone"""
    cdef Matrices m
    cdef tuple found = raw(args[0])
    if found is None:
        return None
    a = read(<PyObject*>found[0], &m)
    return as_precise(upper_part(a, &m, min(m.rows, m.columns)), args[0])


cdef object reflected(Loop* loop, PyObject** args, int n):
    """(input, tau): the first columns of the product, as many as the input has; tau is 0 where it is not given"""
    cdef Matrices m
    cdef ndarray a = read(args[0], &m), tau, all_
    cdef tuple q
    cdef npy_intp given, k, i
    if a is None or m.rows < m.columns or not can(REDUCED, m.num == NPY_CDOUBLE):
        return None
    if type(<object>args[1]) is not ndarray or PyArray_TYPE(<ndarray>args[1]) != PyArray_TYPE(<ndarray>args[0]):
        return None
    tau = <ndarray>args[1]
    if not PyArray_ISCARRAY_RO(tau) or PyArray_NDIM(tau) != PyArray_NDIM(a) - 1 or m.num != NPY_DOUBLE:
        return None
    for i in range(PyArray_NDIM(a) - 2):
        if PyArray_DIMS(tau)[i] != PyArray_DIMS(a)[i]:
            return None
    given = PyArray_DIMS(tau)[PyArray_NDIM(tau) - 1]
    if given > m.columns:
        return None
    all_ = made_for(a, NPY_DOUBLE, 1, m.columns, 0)
    for k in range(m.n):
        for i in range(m.columns):
            (<double*>PyArray_DATA(all_))[k * m.columns + i] = (
                0 if i >= given else (<double*>PyArray_DATA(tau))[k * given + i]
                if PyArray_TYPE(tau) == NPY_DOUBLE else (<float*>PyArray_DATA(tau))[k * given + i])
    if not all_finite(&m, LOWER):               # OpenBLAS 0.3.27 makes 0 of nan times a tau of 0
        return None
    q = run(REDUCED, a, &m, all_)
    if q is None or not finite(q[0]):           # an order of its own
        return None
    return as_precise(q[0], args[0])


cdef bint finite(ndarray a) noexcept:
    """Are all numbers in double precision finite?  Not if their differences with themselves are not 0."""
    cdef double* x = <double*>PyArray_DATA(a)
    cdef double total = 0
    cdef npy_intp i
    for i in range(PyArray_SIZE(a)):
        total += x[i] - x[i]
    return total == 0


cdef MatrixLoop SVD, EIGH


cdef object spectral(Loop* loop, PyObject** args, int n):
    """(A, w), of real numbers: U diag(w) V^H"""
    cdef Matrices m
    cdef ndarray a = read(args[0], &m), w, out
    cdef tuple found
    cdef double* u
    cdef double* s
    cdef double* v
    cdef double* to
    cdef double* row
    cdef double factor
    cdef npy_intp b, i, j, k, least
    if a is None or m.num != NPY_DOUBLE or not can(SVD, 0) or not all_finite(&m, ALL):
        return None
    if type(<object>args[1]) is not ndarray or PyArray_TYPE(<ndarray>args[1]) != PyArray_TYPE(<ndarray>args[0]):
        return None
    w = <ndarray>args[1]
    least = min(m.rows, m.columns)
    if not PyArray_ISCARRAY_RO(w) or PyArray_NDIM(w) != PyArray_NDIM(a) - 1:
        return None
    for i in range(PyArray_NDIM(w)):
        if PyArray_DIMS(w)[i] != (PyArray_DIMS(a)[i] if i < PyArray_NDIM(w) - 1 else least):
            return None
    found = run(SVD, a, &m, None)
    if found is None:
        return None
    w = w.astype(np.float64) if PyArray_TYPE(w) != NPY_DOUBLE else w
    out = made_for(a, NPY_DOUBLE, 2, m.rows, m.columns)
    to, s = <double*>PyArray_DATA(out), <double*>PyArray_DATA(w)
    u, v = <double*>PyArray_DATA(<ndarray>found[0]), <double*>PyArray_DATA(<ndarray>found[2])
    for b in range(m.n):
        for i in range(m.rows):
            memset(to, 0, m.columns * sizeof(double))
            for k in range(least):
                factor, row = u[k] * s[k], v + k * m.columns
                for j in range(m.columns):
                    to[j] += factor * row[j]
            to, u = to + m.columns, u + least
        s, v = s + least, v + least * m.columns
    return as_precise(out, args[0])


cdef object pinv(Loop* loop, PyObject** args, int n):
    """(self, atol, rtol, hermitian), of real numbers: V S^+ U^T; of a symmetric matrix V E^+ V^T"""
    cdef Matrices m
    cdef ndarray a = read(args[0], &m), left, values, right
    cdef MatrixLoop known = EIGH if <object>args[3] is True else SVD
    cdef tuple found
    if a is None or m.num != NPY_DOUBLE or type(<object>args[3]) is not bool or type(<object>args[1]) is not float:
        return None
    if type(<object>args[2]) is not float or known is EIGH and m.rows != m.columns or not can(known, 0):
        return None
    if not m.rows or not m.columns or not all_finite(&m, known.finite):
        return None
    found = run(known, a, &m, None)
    if found is None:
        return None
    if known is SVD:
        left, values, right = found
        left = left.mT
    else:
        values, right = found
        left = right.mT
        right = new_copy(left, NPY_CORDER)
    scale_rows(right, values, m.n, m.columns, <object>args[1], <object>args[2])
    return as_precise(np.matmul(right.mT, left), args[0])


cdef void scale_rows(ndarray matrices, ndarray values, npy_intp many, npy_intp columns, double atol,
                     double rtol) noexcept:
    """Divide each row by its value, and put zeros where that is too small; many matrices lie one after the other."""
    cdef npy_intp least = PyArray_SIZE(values) // many, b, k, j
    cdef double* s = <double*>PyArray_DATA(values)
    cdef double* x = <double*>PyArray_DATA(matrices)
    cdef double tolerance
    for b in range(many):
        tolerance = rtol * fmax(fabs(s[0]), fabs(s[least - 1]))
        if not tolerance >= atol and tolerance == tolerance:        # if either is nan, none counts
            tolerance = atol
        for k in range(least):
            for j in range(columns):
                x[k * columns + j] = x[k * columns + j] / s[k] if fabs(s[k]) > tolerance else 0
        s, x = s + least, x + least * columns


RAW, REDUCED, COMPLETE = matrix_loop("qr_r_raw"), matrix_loop("qr_reduced"), matrix_loop("qr_complete")
SVD, EIGH = matrix_loop("svd_s"), matrix_loop("eigh_lo")
