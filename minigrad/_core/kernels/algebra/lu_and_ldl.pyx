"""Elimination: triangular factors with pivots, systems with triangular matrices, and symmetric matrices.

``numpy.linalg`` solves systems, and keeps the factors to itself.  So they are made here, by the textbook [Golub and Van
Loan, Matrix Computations, 3.4 and 4.4].  These are loops for small matrices, and for the blocks of large ones.  L and
U of a large matrix, and a system with a large triangle, are halved again and again, so that products do most of the
work [Toledo, 1997, "Locality of reference in LU decomposition with partial pivoting"]::

    A | B        factor A over C, then solve for B, subtract the product C B from D, and factor D
    -----
    C | D

All of them work in place, on double precision, and on batches that lie as linear_solves.pyx says.  The numbers of
pivots count from 1, as LAPACK's do.
"""

from libc.math cimport fabs, sqrt
from libc.string cimport memcpy, memset
from minigrad._core.errors import error
from minigrad._core.kernels.algebra.linear_solves cimport Matrices, as_precise, read
from minigrad._core.kernels.algebra.matrix_products cimport product_into
from minigrad._core.kernels.algebra.microkernels cimport clear_desk, desk_for
from minigrad._core.kernels.loops.copies cimport new_copy
from minigrad._core.kernels.loops.numpy_loops cimport LARGE, Loop
from minigrad._core.kernels.shapes.strided_views cimport MAX_DIMS
from minigrad._core.runtime.memory_pool cimport new_array
from minigrad._core.runtime.numpy_api cimport (NPY_CDOUBLE, NPY_CFLOAT, NPY_CORDER, NPY_DOUBLE, NPY_FLOAT, NPY_INT32,
                                               PyArray_DATA, PyArray_DIMS, PyArray_ISCARRAY_RO, PyArray_ISNOTSWAPPED,
                                               PyArray_NBYTES, PyArray_NDIM, PyArray_SIZE, PyArray_TYPE, ndarray,
                                               npy_intp)
from minigrad._core.runtime.python_api cimport PyObject

ctypedef fused number:
    double
    double complex

cdef extern from "complex.h" nogil:
    double creal(double complex)
    double cimag(double complex)
    double complex conj(double complex)


cdef enum:
    BLOCK = 8                   # rows or columns, up to which nothing is halved
    DESK = 1 << 15              # numbers of a product that are computed before they are subtracted


cdef inline double size(number x) noexcept nogil:
    """How large it is; of a complex number, as BLAS measures it, the sum of both parts."""
    if number is double:
        return fabs(x)
    else:
        return fabs(creal(x)) + fabs(cimag(x))


cdef inline number mirrored(number x, bint hermitian) noexcept nogil:
    if number is double:
        return x
    else:
        return conj(x) if hermitian else x


cdef inline void subtract(npy_intp n, number* y, npy_intp y_step, number a, number* x, npy_intp x_step) noexcept nogil:
    """y -= a x"""
    cdef npy_intp i
    if x_step == 1 and y_step == 1:
        for i in range(n):
            y[i] = y[i] - a * x[i]
    else:
        for i in range(n):
            y[i * y_step] = y[i * y_step] - a * x[i * x_step]


cdef void exchange(npy_intp n, number* x, npy_intp x_step, number* y, npy_intp y_step) noexcept nogil:
    cdef npy_intp i
    cdef number kept
    for i in range(n):
        kept = x[i * x_step]
        x[i * x_step] = y[i * y_step]
        y[i * y_step] = kept


cdef void subtract_product(number* c, npy_intp c_row, npy_intp c_column, number* a, npy_intp a_row, npy_intp a_column,
                           number* b, npy_intp b_row, npy_intp b_column, npy_intp m, npy_intp k,
                           npy_intp n) noexcept nogil:
    """C -= A B, for (m, k) by (k, n): as many rows at a time as there is room for on the desk."""
    cdef npy_intp i, j, first = 0, rows = max(1, min(m, DESK // max(1, n)))
    cdef number one = 1
    cdef number* product = <number*>desk_for(rows * n * sizeof(number))
    while first < m:
        rows = min(rows, m - first)
        if product != NULL and product_into(NPY_DOUBLE if number is double else NPY_CDOUBLE, sizeof(number),
                                            a, a_row, a_column, b, b_row, b_column, product, rows, k, n):
            for i in range(rows):
                subtract(n, c + i * c_row, c_column, one, product + i * n, 1)
        else:
            for i in range(rows):
                for j in range(k):
                    subtract(n, c + i * c_row, c_column, a[i * a_row + j * a_column], b + j * b_row, b_column)
        a, c, first = a + rows * a_row, c + rows * c_row, first + rows
    clear_desk()


cdef bint reads(ndarray a, Matrices* m) except -1:
    """Whether there are matrices in ``a``, now described by ``m``; an array that cannot be read is refused."""
    if PyArray_SIZE(a) == 0:
        return False
    if read(<PyObject*>a, m) is not a:
        raise ValueError("the matrices must be aligned, in double precision, with one batch dim or in order")
    return True


# ------------------------------------------------------------------------------ L and U

cdef npy_intp factor_one(number* a, npy_intp rows, npy_intp columns, npy_intp by_row, npy_intp by_column, int* pivots,
                         bint pivot) noexcept nogil:
    """P L U of one matrix, L below the diagonal (its own is 1); which pivot is the first zero one, or 0."""
    cdef npy_intp i, k, best, info = 0, least = min(rows, columns)
    cdef number* row
    cdef number by
    for k in range(least):
        best = k
        if pivot:
            for i in range(k + 1, rows):
                if size(a[i * by_row + k * by_column]) > size(a[best * by_row + k * by_column]):
                    best = i
        pivots[k] = <int>(best + 1)
        row = a + k * by_row
        if row[k * by_column] == 0 and best == k:
            if info == 0:
                info = k + 1
            continue
        if best != k:
            exchange(columns, row, by_column, a + best * by_row, by_column)
        for i in range(k + 1, rows):
            by = a[i * by_row + k * by_column] / row[k * by_column]
            a[i * by_row + k * by_column] = by
            if by != 0:
                subtract(columns - k - 1, a + i * by_row + (k + 1) * by_column, by_column, by,
                         row + (k + 1) * by_column, by_column)
    return info


cdef npy_intp factor_halves(number* a, npy_intp rows, npy_intp columns, npy_intp by_row, npy_intp by_column,
                            int* pivots, bint pivot) noexcept nogil:
    """The same, half of the columns after the other."""
    cdef npy_intp i, first, second, least = min(rows, columns), half = least // 2
    cdef number* right = a + half * by_column
    cdef number* below = a + half * by_row
    cdef number* rest = below + half * by_column
    if least <= BLOCK:
        return factor_one(a, rows, columns, by_row, by_column, pivots, pivot)
    first = factor_halves(a, rows, half, by_row, by_column, pivots, pivot)
    swap_one(right, columns - half, by_row, by_column, pivots, half, False)
    substitute_halves(a, half, by_row, by_column, right, columns - half, by_row, by_column, False, True)
    subtract_product(rest, by_row, by_column, below, by_row, by_column, right, by_row, by_column, rows - half, half,
                     columns - half)
    second = factor_halves(rest, rows - half, columns - half, by_row, by_column, pivots + half, pivot)
    swap_one(below, half, by_row, by_column, pivots + half, least - half, False)
    for i in range(half, least):
        pivots[i] += <int>half
    return first or (second and second + half)


def factor(ndarray a not None, ndarray pivots not None, ndarray info not None, bint pivot):
    """Make L and U of each matrix, in place; ``info`` has for each the first pivot that is zero, or 0."""
    cdef Matrices m
    cdef int* order = <int*>PyArray_DATA(pivots)
    cdef int* zero = <int*>PyArray_DATA(info)
    cdef npy_intp k, least
    if not reads(a, &m):
        return
    least = min(m.rows, m.columns)
    with nogil:
        for k in range(m.n):
            if m.num == NPY_DOUBLE:
                zero[k] = <int>factor_halves[double](<double*>(m.data + k * m.step), m.rows, m.columns,
                                                     m.by_row // m.size, m.by_column // m.size, order + k * least,
                                                     pivot)
            else:
                zero[k] = <int>factor_halves["double complex"](
                    <double complex*>(m.data + k * m.step), m.rows, m.columns, m.by_row // m.size,
                    m.by_column // m.size, order + k * least, pivot)


cdef void swap_one(number* x, npy_intp columns, npy_intp by_row, npy_intp by_column, int* pivots, npy_intp n,
                   bint back) noexcept nogil:
    cdef npy_intp i, k, other
    for i in range(n):
        k = n - 1 - i if back else i
        other = pivots[k] - 1
        if other != k:
            exchange(columns, x + k * by_row, by_column, x + other * by_row, by_column)


def swap_rows(ndarray x not None, ndarray pivots not None, bint back):
    """Exchange the rows of each matrix in place as the pivots say, in their order or backwards."""
    cdef Matrices m
    cdef ndarray own = new_copy(pivots, NPY_CORDER)         # Note [Read once] in read_once.pxd
    cdef int* order = <int*>PyArray_DATA(own)
    cdef npy_intp k, n = PyArray_DIMS(pivots)[PyArray_NDIM(pivots) - 1]
    if not reads(x, &m):
        return
    for k in range(m.n * n):
        if not 1 <= order[k] <= m.rows:
            raise ValueError("a pivot is the number of a row, counted from 1")
    for k in range(m.n):
        if m.num == NPY_DOUBLE:
            swap_one[double](<double*>(m.data + k * m.step), m.columns, m.by_row // m.size, m.by_column // m.size,
                             order + k * n, n, back)
        else:
            swap_one["double complex"](<double complex*>(m.data + k * m.step), m.columns, m.by_row // m.size,
                                       m.by_column // m.size, order + k * n, n, back)


# ------------------------------------------------------------------------------ triangular systems

cdef void substitute_one(number* a, npy_intp n, npy_intp a_row, npy_intp a_column, number* x, npy_intp columns,
                         npy_intp x_row, npy_intp x_column, bint upper, bint unit) noexcept nogil:
    """X in T X = B, in the memory of B.  As soon as a row of X is known, it is taken out of all that are not."""
    cdef npy_intp i, j, k, step
    cdef number* row
    cdef number by
    for step in range(n):
        i = n - 1 - step if upper else step
        row = x + i * x_row
        if not unit:
            by = a[i * (a_row + a_column)]
            for k in range(columns):
                row[k * x_column] = row[k * x_column] / by
        for j in range(0 if upper else i + 1, i if upper else n):
            subtract(columns, x + j * x_row, x_column, a[j * a_row + i * a_column], row, x_column)


cdef void substitute_halves(number* a, npy_intp n, npy_intp a_row, npy_intp a_column, number* x, npy_intp columns,
                            npy_intp x_row, npy_intp x_column, bint upper, bint unit) noexcept nogil:
    """The same, half of the rows after the other."""
    cdef npy_intp half = n // 2, first = half if upper else 0, last = 0 if upper else half
    cdef npy_intp firsts = n - half if upper else half
    if n <= BLOCK:
        substitute_one(a, n, a_row, a_column, x, columns, x_row, x_column, upper, unit)
        return
    substitute_halves(a + first * (a_row + a_column), firsts, a_row, a_column, x + first * x_row, columns, x_row,
                      x_column, upper, unit)
    subtract_product(x + last * x_row, x_row, x_column, a + last * a_row + first * a_column, a_row, a_column,
                     x + first * x_row, x_row, x_column, n - firsts, firsts, columns)
    substitute_halves(a + last * (a_row + a_column), n - firsts, a_row, a_column, x + last * x_row, columns, x_row,
                      x_column, upper, unit)


def substitute(ndarray a not None, ndarray x not None, bint upper, bint unit):
    """Put X in T X = B in the memory of B, for the upper or lower triangle T of each matrix ``a``.

    Of another part than that nothing is read; with ``unit`` neither is the diagonal, which counts as 1.
    """
    cdef Matrices t, b
    cdef npy_intp k
    if not reads(a, &t) or not reads(x, &b):
        return
    if t.num != b.num or t.n != b.n or t.rows != t.columns or t.rows != b.rows:
        raise ValueError("the matrices do not fit each other")
    if <double>b.n * b.rows * b.rows * b.columns > 20 * LARGE:
        with nogil:
            substitute_all(&t, &b, upper, unit)
    else:
        substitute_all(&t, &b, upper, unit)


cdef void substitute_all(Matrices* t, Matrices* b, bint upper, bint unit) noexcept nogil:
    cdef npy_intp k
    for k in range(b.n):
        if t.num == NPY_DOUBLE:
            substitute_halves[double](<double*>(t.data + k * t.step), t.rows, t.by_row // t.size,
                                      t.by_column // t.size, <double*>(b.data + k * b.step), b.columns,
                                      b.by_row // b.size, b.by_column // b.size, upper, unit)
        else:
            substitute_halves["double complex"](<double complex*>(t.data + k * t.step), t.rows, t.by_row // t.size,
                                                t.by_column // t.size, <double complex*>(b.data + k * b.step),
                                                b.columns, b.by_row // b.size, b.by_column // b.size, upper, unit)


# ------------------------------------------------------------------------------ what rows name

cdef object lu(Loop* loop, PyObject** args, int n):
    """(A): the factors, the pivots, and the first that is zero"""
    cdef Matrices m
    cdef ndarray a = read(args[0], &m), pivots, info
    cdef npy_intp shape[MAX_DIMS]
    cdef int i, batch
    if a is None:
        return None
    a = new_copy(a, NPY_CORDER)
    batch = PyArray_NDIM(a) - 2
    for i in range(batch):
        shape[i] = PyArray_DIMS(a)[i]
    shape[batch] = min(m.rows, m.columns)
    pivots, info = new_array(batch + 1, shape, NPY_INT32), new_array(batch, shape, NPY_INT32)
    factor(a, pivots, info, True)
    return [as_precise(a, args[0]), pivots, info]


cdef object plu(Loop* loop, PyObject** args, int n):
    """(A): the three factors"""
    cdef object found = lu(loop, args, n)
    return None if found is None else three_factors(found[0], found[1])


cdef object unpacked(Loop* loop, PyObject** args, int n):
    """(LU, pivots): the three factors"""
    cdef ndarray a, pivots
    pivots = own_pivots(args)
    if pivots is None:
        return None
    a = <ndarray>args[0]
    if PyArray_DIMS(pivots)[PyArray_NDIM(pivots) - 1] != min(
            PyArray_DIMS(a)[PyArray_NDIM(a) - 2], PyArray_DIMS(a)[PyArray_NDIM(a) - 1]):
        return None
    return three_factors(a if PyArray_ISCARRAY_RO(a) else new_copy(a, NPY_CORDER), pivots)


cdef list three_factors(ndarray a, ndarray pivots):
    cdef ndarray p, l, u
    cdef npy_intp rows, columns, least, size, i, k, batch
    cdef char* row
    cdef char* lower
    cdef char* upper
    rows, columns, size = PyArray_DIMS(a)[PyArray_NDIM(a) - 2], PyArray_DIMS(a)[PyArray_NDIM(a) - 1], itemsize(a)
    least, batch = min(rows, columns), PyArray_SIZE(a) // (rows * columns)
    p, l, u = matrices_like(a, rows, rows), matrices_like(a, rows, least), matrices_like(a, least, columns)
    memset(PyArray_DATA(p), 0, PyArray_NBYTES(p))
    row, lower, upper = <char*>PyArray_DATA(a), <char*>PyArray_DATA(l), <char*>PyArray_DATA(u)
    for k in range(batch):
        for i in range(rows):
            lower_row(lower, row, i, least, PyArray_TYPE(a), size)
            if i < least:
                memset(upper, 0, i * size)
                memcpy(upper + i * size, row + i * size, (columns - i) * size)
                upper += columns * size
            row, lower = row + columns * size, lower + least * size
    fill_permutations(p, pivots, rows, least, batch)
    return [p, l, u]


cdef inline npy_intp itemsize(ndarray a) noexcept:
    return PyArray_NBYTES(a) // PyArray_SIZE(a)


cdef ndarray matrices_like(ndarray a, npy_intp rows, npy_intp columns):
    """New memory for matrices of another size, with the dtype and the batch of `a`."""
    cdef npy_intp shape[MAX_DIMS]
    cdef int i, batch = PyArray_NDIM(a) - 2
    for i in range(batch):
        shape[i] = PyArray_DIMS(a)[i]
    shape[batch], shape[batch + 1] = rows, columns
    return new_array(batch + 2, shape, PyArray_TYPE(a))


cdef inline void put_one(char* to, int num) noexcept:
    if num == NPY_DOUBLE or num == NPY_CDOUBLE:
        (<double*>to)[0] = 1
    else:
        (<float*>to)[0] = 1


cdef inline void lower_row(char* to, char* from_, npy_intp i, npy_intp columns, int num, npy_intp size) noexcept:
    """Row i of a lower triangle with ones on the diagonal."""
    cdef npy_intp kept = min(i, columns)
    memcpy(to, from_, kept * size)
    memset(to + kept * size, 0, (columns - kept) * size)
    if i < columns:
        put_one(to + i * size, num)


cdef void fill_permutations(ndarray p, ndarray pivots, npy_intp rows, npy_intp n, npy_intp batch):
    """Put the ones into matrices of zeros: row by row, where each comes from."""
    cdef int* order = <int*>PyArray_DATA(pivots)
    cdef npy_intp size = itemsize(p), i, k
    cdef char* to = <char*>PyArray_DATA(p)
    cdef list places
    for k in range(batch):
        places = list(range(rows))
        for i in range(n):
            places[i], places[order[i] - 1] = places[order[i] - 1], places[i]
        for i in range(rows):
            put_one(to + (<npy_intp>places[i] * rows + i) * size, PyArray_TYPE(p))
        order, to = order + n, to + rows * rows * size


cdef object unit_lower(Loop* loop, PyObject** args, int n):
    """(self): what is below the diagonal, and ones on it, of matrices that lie row by row"""
    cdef ndarray a, out
    cdef npy_intp rows, columns, size, i, k
    cdef char* from_
    cdef char* to
    if type(<object>args[0]) is not ndarray:
        return None
    a = <ndarray>args[0]
    if not floats(a) or PyArray_NDIM(a) < 2 or not PyArray_SIZE(a) or not PyArray_ISCARRAY_RO(a):
        return None
    rows, columns, size = PyArray_DIMS(a)[PyArray_NDIM(a) - 2], PyArray_DIMS(a)[PyArray_NDIM(a) - 1], itemsize(a)
    out = new_array(PyArray_NDIM(a), PyArray_DIMS(a), PyArray_TYPE(a))
    from_, to = <char*>PyArray_DATA(a), <char*>PyArray_DATA(out)
    for k in range(PyArray_SIZE(a) // (rows * columns)):
        for i in range(rows):
            lower_row(to, from_, i, columns, PyArray_TYPE(a), size)
            from_, to = from_ + columns * size, to + columns * size
    return out


cdef inline bint floats(ndarray a) noexcept:
    return PyArray_TYPE(a) in (NPY_FLOAT, NPY_DOUBLE, NPY_CFLOAT, NPY_CDOUBLE)


cdef object exchanged(Loop* loop, PyObject** args, int n):
    """(self, pivots): the rows of each matrix exchanged, in the order of the pivots"""
    return in_other_order(args, False)


cdef object exchanged_back(Loop* loop, PyObject** args, int n):
    """(self, pivots): the same backwards"""
    return in_other_order(args, True)


cdef object in_other_order(PyObject** args, bint back):
    cdef Matrices m
    cdef ndarray x = read(args[0], &m), pivots, out
    cdef int i
    cdef int* order
    cdef npy_intp k, count, rows
    if x is None or type(<object>args[1]) is not ndarray:
        return None
    pivots = <ndarray>args[1]
    if (PyArray_TYPE(pivots) != NPY_INT32 or not PyArray_ISCARRAY_RO(pivots)
            or PyArray_NDIM(pivots) != PyArray_NDIM(x) - 1):
        return None
    for i in range(PyArray_NDIM(x) - 2):
        if PyArray_DIMS(x)[i] != PyArray_DIMS(pivots)[i]:
            return None
    pivots = new_copy(pivots, NPY_CORDER)        # Note [Read once] in read_once.pxd
    order, count, rows = <int*>PyArray_DATA(pivots), PyArray_DIMS(pivots)[PyArray_NDIM(pivots) - 1], m.rows
    for k in range(PyArray_SIZE(pivots)):
        if not 1 <= order[k] <= rows:
            return None
    if count > rows:
        return None
    out = new_copy(x, NPY_CORDER)
    read(<PyObject*>out, &m)
    for k in range(m.n):
        if m.num == NPY_DOUBLE:
            swap_one[double](<double*>m.data + k * m.rows * m.columns, m.columns, m.columns, 1, order + k * count,
                             count, back)
        else:
            swap_one["double complex"](<double complex*>m.data + k * m.rows * m.columns, m.columns, m.columns, 1,
                                       order + k * count, count, back)
    return as_precise(out, args[0])


cdef ndarray own_pivots(PyObject** args):
    """A copy of the pivots (Note [Read once] in read_once.pxd), where they name rows of a matrix with L and U; else
    None."""
    cdef ndarray a, pivots
    cdef npy_intp rows, count, k
    cdef int i
    if type(<object>args[0]) is not ndarray or type(<object>args[1]) is not ndarray:
        return None
    a, pivots = <ndarray>args[0], <ndarray>args[1]
    if not floats(a) or not PyArray_ISNOTSWAPPED(a) or PyArray_NDIM(a) < 2 or not PyArray_SIZE(a):
        return None
    if (PyArray_TYPE(pivots) != NPY_INT32 or not PyArray_ISCARRAY_RO(pivots)
            or PyArray_NDIM(pivots) != PyArray_NDIM(a) - 1):
        return None
    for i in range(PyArray_NDIM(a) - 2):
        if PyArray_DIMS(a)[i] != PyArray_DIMS(pivots)[i]:
            return None
    pivots = new_copy(pivots, NPY_CORDER)
    rows, count = PyArray_DIMS(a)[PyArray_NDIM(a) - 2], PyArray_DIMS(pivots)[PyArray_NDIM(pivots) - 1]
    for k in range(PyArray_SIZE(pivots)):
        if not 1 <= (<int*>PyArray_DATA(pivots))[k] <= rows:
            return None
    return pivots if 0 < count <= rows else None


cdef object permutation(Loop* loop, PyObject** args, int n):
    """(LU, pivots): the matrix of the exchanges"""
    cdef ndarray a, pivots, p
    cdef npy_intp rows, count
    pivots = own_pivots(args)
    if pivots is None:
        return None
    a = <ndarray>args[0]
    rows, count = PyArray_DIMS(a)[PyArray_NDIM(a) - 2], PyArray_DIMS(pivots)[PyArray_NDIM(pivots) - 1]
    p = matrices_like(a, rows, rows)
    memset(PyArray_DATA(p), 0, PyArray_NBYTES(p))
    fill_permutations(p, pivots, rows, count, PyArray_SIZE(pivots) // count)
    return p


cdef object ldl(Loop* loop, PyObject** args, int n):
    """(A, hermitian), of real numbers"""
    cdef Matrices m
    cdef ndarray a = read(args[0], &m), pivots, info
    cdef npy_intp i, k
    cdef char* to
    if a is None or m.rows != m.columns or m.num != NPY_DOUBLE:
        return None
    a = new_copy(a, NPY_CORDER)
    to = <char*>PyArray_DATA(a)
    for k in range(m.n):
        for i in range(m.rows):
            memset(to + (i + 1) * 8, 0, (m.rows - i - 1) * 8)
            to += m.rows * 8
    pivots = new_array(PyArray_NDIM(a) - 1, PyArray_DIMS(a), NPY_INT32)
    info = new_array(PyArray_NDIM(a) - 2, PyArray_DIMS(a), NPY_INT32)
    factor_symmetric(a, pivots, info, False)
    return [as_precise(a, args[0]), pivots, info]


cdef object solve_triangular(Loop* loop, PyObject** args, int n):
    """(A, B, upper, left, unitriangular), with batches of one shape"""
    cdef Matrices t, b
    cdef ndarray a = read(args[0], &t), x = read(args[1], &b)
    cdef bint upper = <object>args[2], left = <object>args[3], unit = <object>args[4]
    cdef int i
    if a is None or x is None or t.rows != t.columns or t.num != b.num:
        return None
    if PyArray_NDIM(a) != PyArray_NDIM(x) or t.rows != (b.rows if left else b.columns):
        return None
    if PyArray_TYPE(<ndarray>args[0]) != PyArray_TYPE(<ndarray>args[1]):
        return None
    for i in range(PyArray_NDIM(a) - 2):
        if PyArray_DIMS(a)[i] != PyArray_DIMS(x)[i]:
            return None
    x = new_copy(x, NPY_CORDER)
    read(<PyObject*>x, &b)
    if not left:                        # A^T X^T = B^T
        t.by_row, t.by_column = t.by_column, t.by_row
        b.by_row, b.by_column = b.by_column, b.by_row
        b.rows, b.columns = b.columns, b.rows
        upper = not upper
    if <double>b.n * b.rows * b.rows * b.columns > 20 * LARGE:
        with nogil:
            substitute_all(&t, &b, upper, unit)
    else:
        substitute_all(&t, &b, upper, unit)
    return as_precise(x, args[1])


# ------------------------------------------------------------------------------ symmetric matrices

# Note [Pivots of a symmetric matrix]
# -----------------------------------
# P A P^T = L D L^T keeps a symmetric matrix symmetric, and D is not always a diagonal: where a diagonal entry is too
# small to divide by, and none further down is large enough, two rows at once are eliminated by a block of two rows
# [Bunch and Kaufman, 1977].  A pivot says which: k > 0, row k was exchanged with this one; -k, twice in succession, row
# k was exchanged with the second of a block.
#
#      d           pivots  1  -3 -3  4
#      l d
#      l b d       d b
#      l l l d     b d  is a block
#
# Only the lower triangle is read.  The exchanges are not carried out in the columns of L that are there already.

cdef double ALPHA = (1 + sqrt(17)) / 8


cdef npy_intp symmetric_one(number* a, npy_intp n, int* pivots, bint hermitian) noexcept nogil:
    """L D L^T of one dense matrix, or L D L^H; the first block of D that is zero, counted from 1, or 0."""
    cdef npy_intp i, j, k = 0, info = 0, largest, other, last, step
    cdef double here, in_column, in_row
    cdef number w
    while k < n:
        # Which row, and is it one or two?
        step, other, largest, in_column, in_row = 1, k, k, 0, 0
        here = size(a[k * n + k])
        for i in range(k + 1, n):
            if size(a[i * n + k]) > in_column:
                largest, in_column = i, size(a[i * n + k])
        if not (here > 0 or in_column > 0):
            info = info or k + 1
            pivots[k] = <int>(k + 1)
            k += 1
            continue
        if here < ALPHA * in_column:
            for j in range(k, largest):
                in_row = max(in_row, size(a[largest * n + j]))
            for i in range(largest + 1, n):
                in_row = max(in_row, size(a[i * n + largest]))
            if here < ALPHA * in_column * (in_column / in_row):
                other = largest
                if size(a[largest * n + largest]) < ALPHA * in_row:
                    step = 2

        # Exchange it with the row that is there, and the columns too.
        last = k + step - 1
        if other != last:
            exchange(n - other - 1, a + (other + 1) * n + last, n, a + (other + 1) * n + other, n)
            for i in range(last + 1, other):
                w = a[i * n + last]
                a[i * n + last] = mirrored(a[other * n + i], hermitian)
                a[other * n + i] = mirrored(w, hermitian)
            a[other * n + last] = mirrored(a[other * n + last], hermitian)
            exchange(1, a + last * (n + 1), 1, a + other * (n + 1), 1)
            if step == 2:
                exchange(1, a + (k + 1) * n + k, 1, a + other * n + k, 1)

        if step == 1:
            pivots[k] = <int>(other + 1)
            eliminate_row(a, n, k, hermitian)
        else:
            pivots[k] = pivots[k + 1] = <int>(-other - 1)
            eliminate_block(a, n, k, hermitian)
        k += step
    return info


cdef void eliminate_row(number* a, npy_intp n, npy_intp k, bint hermitian) noexcept nogil:
    """The column of L is that of A divided by the pivot; what is to come is diminished by their product."""
    cdef npy_intp i, j
    cdef number pivot = a[k * (n + 1)], w
    for j in range(k + 1, n):
        w = a[j * n + k] / pivot
        for i in range(j, n):
            a[i * n + j] = a[i * n + j] - a[i * n + k] * mirrored(w, hermitian)
        a[j * n + k] = w


cdef void eliminate_block(number* a, npy_intp n, npy_intp k, bint hermitian) noexcept nogil:
    """The same for two rows: (L1 L2) = (A1 A2) D^-1, where D is (p, conj(q); q, r), with p and r divided by q."""
    cdef npy_intp i, j
    cdef number q = a[(k + 1) * n + k]
    cdef number q_ = mirrored(q, hermitian)
    cdef number p = a[k * (n + 1)] / q_, r = a[(k + 1) * (n + 1)] / q
    cdef number det = p * r - 1, l1, l2
    for j in range(k + 2, n):
        l1 = (a[j * n + k] * r - a[j * n + k + 1]) / (q_ * det)
        l2 = (a[j * n + k + 1] * p - a[j * n + k]) / (q * det)
        for i in range(j, n):
            a[i * n + j] = (a[i * n + j] - a[i * n + k] * mirrored(l1, hermitian)
                            - a[i * n + k + 1] * mirrored(l2, hermitian))
        a[j * n + k], a[j * n + k + 1] = l1, l2


def factor_symmetric(ndarray a not None, ndarray pivots not None, ndarray info not None, bint hermitian):
    """Make L and D of each matrix in place; ``info`` as for `factor`."""
    cdef Matrices m
    cdef int* order = <int*>PyArray_DATA(pivots)
    cdef int* zero = <int*>PyArray_DATA(info)
    cdef npy_intp k
    if not reads(a, &m):
        return
    with nogil:
        for k in range(m.n):
            if m.num == NPY_DOUBLE:
                zero[k] = <int>symmetric_one[double](<double*>m.data + k * m.rows * m.rows, m.rows,
                                                     order + k * m.rows, hermitian)
            else:
                zero[k] = <int>symmetric_one["double complex"](<double complex*>m.data + k * m.rows * m.rows, m.rows,
                                                               order + k * m.rows, hermitian)


cdef void solve_symmetric_one(number* a, npy_intp n, int* pivots, bint hermitian, number* x,
                              npy_intp columns) noexcept nogil:
    """P L D L^T P^T X = B, factor by factor, in the memory of B: first L and D downwards, then L^T upwards."""
    cdef npy_intp i, j, k = 0, other
    cdef number p, q, q_, r, det, x1, x2
    while k < n:
        if pivots[k] > 0:
            exchange(columns, x + k * columns, 1, x + (pivots[k] - 1) * columns, 1)
            for i in range(k + 1, n):
                subtract(columns, x + i * columns, 1, a[i * n + k], x + k * columns, 1)
            for j in range(columns):
                x[k * columns + j] = x[k * columns + j] / a[k * (n + 1)]
            k += 1
            continue
        exchange(columns, x + (k + 1) * columns, 1, x + (-pivots[k] - 1) * columns, 1)
        for i in range(k + 2, n):
            subtract(columns, x + i * columns, 1, a[i * n + k], x + k * columns, 1)
            subtract(columns, x + i * columns, 1, a[i * n + k + 1], x + (k + 1) * columns, 1)
        q = a[(k + 1) * n + k]
        q_ = mirrored(q, hermitian)
        p, r = a[k * (n + 1)] / q_, a[(k + 1) * (n + 1)] / q
        det = p * r - 1
        for j in range(columns):
            x1, x2 = x[k * columns + j] / q_, x[(k + 1) * columns + j] / q
            x[k * columns + j] = (r * x1 - x2) / det
            x[(k + 1) * columns + j] = (p * x2 - x1) / det
        k += 2
    k = n - 1
    while k >= 0:
        other = k if pivots[k] > 0 else k - 1           # the first row of the block
        for i in range(k + 1, n):
            for j in range(other, k + 1):
                subtract(columns, x + j * columns, 1, mirrored(a[i * n + j], hermitian), x + i * columns, 1)
        exchange(columns, x + k * columns, 1, x + ((pivots[k] if pivots[k] > 0 else -pivots[k]) - 1) * columns, 1)
        k = other - 1


def solve_symmetric(ndarray a not None, ndarray pivots not None, ndarray x not None, bint hermitian):
    """Put the solution for each matrix in the memory of the right-hand sides, from what `factor_symmetric` has made."""
    cdef Matrices m, b
    cdef ndarray own = new_copy(pivots, NPY_CORDER)         # Note [Read once] in read_once.pxd
    cdef int* order = <int*>PyArray_DATA(own)
    cdef npy_intp k
    if not reads(a, &m) or not reads(x, &b):
        return
    if m.num != b.num or m.n != b.n or m.rows != m.columns or m.rows != b.rows or PyArray_SIZE(pivots) != m.n * m.rows:
        raise ValueError("the matrices do not fit each other")
    check_blocks(order, m.n, m.rows)
    with nogil:
        for k in range(m.n):
            if m.num == NPY_DOUBLE:
                solve_symmetric_one[double](<double*>m.data + k * m.rows * m.rows, m.rows, order + k * m.rows,
                                            hermitian, <double*>b.data + k * b.rows * b.columns, b.columns)
            else:
                solve_symmetric_one["double complex"](
                    <double complex*>m.data + k * m.rows * m.rows, m.rows, order + k * m.rows, hermitian,
                    <double complex*>b.data + k * b.rows * b.columns, b.columns)


cdef int check_blocks(int* pivots, npy_intp n, npy_intp rows) except -1:
    """Refuse pivots that name no row, and a block that has only one: they would lead out of the memory."""
    cdef npy_intp b, k
    for b in range(n):
        k = 0
        while k < rows:
            if not 1 <= (pivots[k] if pivots[k] > 0 else -pivots[k]) <= rows:
                raise wrong_pivot(pivots[k], rows)
            if pivots[k] < 0:
                if k + 1 == rows or pivots[k + 1] >= 0 or not 1 <= -pivots[k + 1] <= rows:
                    raise wrong_pivot(pivots[k], rows)
                k += 1
            k += 1
        pivots += rows
    return 0


cdef object wrong_pivot(int pivot, npy_intp rows):
    return error("MG204", f"linalg.ldl_solve: Pivots given to ldl_solve must all satisfy 1 <= |pivot| <= LD.size(-2), "
                          f"which is {rows}, and two negative ones in a row are those of a block; one of these is "
                          f"{pivot}. Did you properly pass the result of ldl_factor?")
