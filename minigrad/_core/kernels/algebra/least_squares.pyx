"""Least squares of small matrices, by reflections.

Reflections make A upper triangular, Q^H A = R, and R X = Q^H B is solved from the last row up [Golub and Van Loan,
Matrix Computations, 5.3].  What Q^H B has below the rows of R remains.  If A has more columns than rows, A^H is
reflected, and the shortest solution is Q R^-H B.  Only a matrix of full rank is solved like this::

    |R| |R^-1| rcond < 1        in the norms of all entries, which are at least those of singular values

so that none of its singular values is below ``rcond`` times the largest.  The others are left to the general way, which
finds these values, as are matrices whose squares overflow.
"""

from libc.math cimport isfinite, sqrt
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy
from minigrad._core.kernels.algebra.linear_solves cimport ALL, Matrices, all_finite, as_precise, read, result_for
from minigrad._core.kernels.loops.copies cimport new_copy
from minigrad._core.kernels.loops.numpy_loops cimport LARGE, Loop
from minigrad._core.runtime.memory_pool cimport new_array
from minigrad._core.runtime.numpy_api cimport (NPY_CORDER, NPY_DOUBLE, NPY_INT64, PyArray_DATA, PyArray_DIMS,
                                               PyArray_NDIM, PyArray_SIZE, PyArray_TYPE, int64_t, ndarray, npy_intp)
from minigrad._core.runtime.python_api cimport PyObject

ctypedef fused number:
    double
    double complex

cdef extern from "complex.h" nogil:
    double creal(double complex)
    double cimag(double complex)
    double complex conj(double complex)

cdef enum:
    SMALL = 48                  # rows of R
cdef double PRECISE = 1e-12     # the least ``rcond`` for which a condition is believed


cdef inline double square(number x) noexcept nogil:
    if number is double:
        return x * x
    else:
        return creal(x) * creal(x) + cimag(x) * cimag(x)


cdef inline number mirror(number x) noexcept nogil:
    if number is double:
        return x
    else:
        return conj(x)


cdef void reflect(number* v, npy_intp step, npy_intp rows, double factor, number* y, npy_intp columns, npy_intp y_step,
                  number* w) noexcept nogil:
    """y -= factor v (v^H y)"""
    cdef npy_intp i, j
    cdef number by
    for j in range(columns):
        w[j] = 0
    for i in range(rows):
        by = mirror(v[i * step])
        for j in range(columns):
            w[j] = w[j] + by * y[i * y_step + j]
    for i in range(rows):
        by = v[i * step] * factor
        for j in range(columns):
            y[i * y_step + j] = y[i * y_step + j] - by * w[j]


cdef bint triangulate(number* a, npy_intp rows, npy_intp columns, number* diagonal, double* factors,
                      number* w) noexcept nogil:
    """The vectors of the reflections on and below the diagonal of A, and R above it; false if its own has a zero."""
    cdef npy_intp i, k
    cdef double length
    cdef number* x
    for k in range(columns):
        x, length = a + k * (columns + 1), 0
        for i in range(rows - k):
            length += square(x[i * columns])
        length = sqrt(length)
        if not (length > 0 and isfinite(length)):
            return False
        diagonal[k] = -length if square(x[0]) == 0 else -length * (x[0] / sqrt(square(x[0])))
        factors[k] = 1 / (length * (length + sqrt(square(x[0]))))
        x[0] = x[0] - diagonal[k]
        reflect(x, columns, rows - k, factors[k], x + 1, columns - k - 1, columns, w)
    return True


cdef double condition(number* a, npy_intp n, number* diagonal, number* z) noexcept nogil:
    """|R| |R^-1|, column by column of the inverse."""
    cdef npy_intp i, j, k
    cdef double size = 0, inverse = 0
    cdef number total
    for j in range(n):
        z[j] = 1 / diagonal[j]
        size += square(diagonal[j])
        inverse += square(z[j])
        for i in range(j - 1, -1, -1):
            total = 0
            for k in range(i + 1, j + 1):
                total = total + a[i * n + k] * z[k]
            z[i] = -total / diagonal[i]
            size += square(a[i * n + j])
            inverse += square(z[i])
    return sqrt(size) * sqrt(inverse)


cdef bint solve_one(number* a, npy_intp rows, npy_intp n, bint flat, double rcond, number* b, npy_intp columns,
                    number* x, double* rest, number* diagonal, double* factors, number* w) noexcept nogil:
    """X for A, or for A^H if it is flat, with as many rows as columns or more; both are written over."""
    cdef npy_intp i, j, k
    if not triangulate(a, rows, n, diagonal, factors, w) or not condition(a, n, diagonal, w) * rcond < 1:
        return False
    if flat:
        for i in range(n):
            for k in range(i):
                for j in range(columns):
                    b[i * columns + j] = b[i * columns + j] - mirror(a[k * n + i]) * b[k * columns + j]
            for j in range(columns):
                b[i * columns + j] = b[i * columns + j] / mirror(diagonal[i])
        memcpy(x, b, n * columns * sizeof(number))
        for i in range(n * columns, rows * columns):
            x[i] = 0
        for k in range(n - 1, -1, -1):
            reflect(a + k * (n + 1), n, rows - k, factors[k], x + k * columns, columns, columns, w)
        return True
    for k in range(n):
        reflect(a + k * (n + 1), n, rows - k, factors[k], b + k * columns, columns, columns, w)
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            for j in range(columns):
                b[i * columns + j] = b[i * columns + j] - a[i * n + k] * b[k * columns + j]
        for j in range(columns):
            b[i * columns + j] = b[i * columns + j] / diagonal[i]
    memcpy(x, b, n * columns * sizeof(number))
    for j in range(columns if rest != NULL else 0):
        rest[j] = 0
        for i in range(n, rows):
            rest[j] += square(b[i * columns + j])
    return True


cdef bint solve_all(number* a, npy_intp batch, npy_intp m, npy_intp n, double rcond, number* b, npy_intp columns,
                    number* x, double* rest) noexcept nogil:
    """X for a dense batch; false if one of the matrices has not full rank."""
    cdef npy_intp k, i, j, least = min(m, n), longest = max(m, n)
    cdef bint flat = m < n, good = True
    cdef number* space = <number*>malloc((longest * least + least + max(columns, longest)) * sizeof(number))
    cdef double* factors = <double*>malloc(least * sizeof(double))
    cdef number* diagonal = space + longest * least
    if space == NULL or factors == NULL:
        free(space)
        free(factors)
        return False
    for k in range(batch):
        if flat:
            for i in range(m):
                for j in range(n):
                    space[j * m + i] = mirror(a[i * n + j])
        else:
            memcpy(space, a, m * n * sizeof(number))
        good = solve_one(space, longest, least, flat, rcond, b, columns, x, rest, diagonal, factors, diagonal + least)
        if not good:
            break
        a, b, x = a + m * n, b + m * columns, x + n * columns
        if rest != NULL:
            rest += columns
    free(space)
    free(factors)
    return good


cdef bint solve(Matrices* m, void* a, void* b, npy_intp columns, void* x, double rcond, double* rest) noexcept nogil:
    if m.num == NPY_DOUBLE:
        return solve_all[double](<double*>a, m.n, m.rows, m.columns, rcond, <double*>b, columns, <double*>x, rest)
    return solve_all["double complex"](<double complex*>a, m.n, m.rows, m.columns, rcond, <double complex*>b, columns,
                                       <double complex*>x, rest)


cdef object least_squares(Loop* loop, PyObject** args, int n):
    """(A, B, rcond, driver), of small matrices with batches of one shape, where no singular values are asked for"""
    cdef Matrices left, right
    cdef ndarray a = read(args[0], &left), b = read(args[1], &right), x, rank, rest = None
    cdef bint good, plain = <object>args[3] == "gels"
    cdef double rcond
    cdef double* remains = NULL
    cdef npy_intp none = 0, i
    if a is None or b is None or left.num != right.num or min(left.rows, left.columns) > SMALL:
        return None
    if PyArray_TYPE(<ndarray>args[0]) != PyArray_TYPE(<ndarray>args[1]) or PyArray_NDIM(a) != PyArray_NDIM(b):
        return None
    if left.rows != right.rows or type(<object>args[2]) is not float or not plain and <object>args[3] != "gelsy":
        return None
    for i in range(PyArray_NDIM(a) - 2):
        if PyArray_DIMS(a)[i] != PyArray_DIMS(b)[i]:
            return None
    if not all_finite(&left, ALL) or not all_finite(&right, ALL):
        return None
    rcond = <object>args[2]
    if rcond != rcond:
        return None
    rcond = PRECISE if plain else max(PRECISE, rcond)
    a, b = new_copy(a, NPY_CORDER), new_copy(b, NPY_CORDER)
    x = result_for(a, left.num, 2, left.columns, right.columns)
    if plain and left.rows > left.columns:
        rest = result_for(a, NPY_DOUBLE, 1, 0, right.columns)
        remains = <double*>PyArray_DATA(rest)
    if <double>PyArray_SIZE(a) * (left.columns + right.columns) > 20 * LARGE:
        with nogil:
            good = solve(&left, PyArray_DATA(a), PyArray_DATA(b), right.columns, PyArray_DATA(x), rcond, remains)
    else:
        good = solve(&left, PyArray_DATA(a), PyArray_DATA(b), right.columns, PyArray_DATA(x), rcond, remains)
    if not good:
        return None
    if plain:
        rank = new_array(1, &none, NPY_INT64)
    else:
        rank = result_for(a, NPY_INT64, 0, 0, 0)
        for i in range(left.n):
            (<int64_t*>PyArray_DATA(rank))[i] = min(left.rows, left.columns)
    values = as_precise(new_array(1, &none, NPY_DOUBLE), args[0])
    return [as_precise(x, args[0]), values if rest is None else as_precise(rest, args[0]), rank, values.copy()]
