"""The distances of points from one another, and the way back to the points.

A loop goes over two sets of points, or over the pairs of one set; what it computes of two points is in distances.h.
The differences themselves are never written down, and large sets are shared among the threads, some points of the
first set at a time::

    x1 (n, k), x2 (m, k)        result (n, m)               of each with each
    x (4, k)                    01 02 03 12 13 23           of pairs: the rows of a triangle one after the other
"""

from libc.math cimport INFINITY
from minigrad._core.kernels.loops.copies cimport new_copy
from minigrad._core.kernels.loops.numpy_loops cimport LARGE, Loop, number as as_double
from minigrad._core.kernels.loops.real cimport real
from minigrad._core.kernels.shapes.strided_views cimport MAX_DIMS, as_int
from minigrad._core.runtime.memory_pool cimport new_array, new_zeros
from minigrad._core.runtime.numpy_api cimport (NPY_CORDER, NPY_DOUBLE, NPY_FLOAT, PyArray_DATA, PyArray_DIMS,
                                               PyArray_ISCARRAY_RO, PyArray_ISNOTSWAPPED, PyArray_NDIM, PyArray_SIZE,
                                               PyArray_TYPE, ndarray, npy_intp)
from minigrad._core.runtime.python_api cimport PyObject
from minigrad._core.runtime.thread_pool cimport PART, parallel_for

cdef extern from "kernels/statistics/distances.h" nogil:
    void mg_distances_f(float* o, float* a, float* b, npy_intp count, npy_intp k, int norm, double p) noexcept
    void mg_distances_d(double* o, double* a, double* b, npy_intp count, npy_intp k, int norm, double p) noexcept
    void mg_slopes_f(float* o, float* a, float* b, npy_intp count, npy_intp k, int norm, double p, float* r,
                     float* g) noexcept
    void mg_slopes_d(double* o, double* a, double* b, npy_intp count, npy_intp k, int norm, double p, double* r,
                     double* g) noexcept
    int MG_COUNT, MG_SUM, MG_LENGTH, MG_LARGEST, MG_POWER

cdef struct Points:
    void* a                     # batches of n points with k coordinates
    void* b                     # and of m
    void* r                     # their distances, on the way back
    void* g                     # and the gradients of these
    void* o                     # the result
    npy_intp n, m, k
    int norm
    double p
    bint single                 # float32
    bint pairs                  # of each point those with the points after it


cdef ndarray plain(PyObject* x):
    """An array of float32 or float64 without gaps, or such a copy; None for anything else."""
    cdef ndarray a
    if type(<object>x) is not ndarray:
        return None
    a = <ndarray>x
    if PyArray_TYPE(a) != NPY_FLOAT and PyArray_TYPE(a) != NPY_DOUBLE:
        return None
    if PyArray_ISCARRAY_RO(a):
        return a
    return new_copy(a, NPY_CORDER) if PyArray_ISNOTSWAPPED(a) else None


cdef bint norm_at(PyObject* x, Points* s) except -1:
    """Which norm is it?"""
    if not as_double(<object>x, &s.p) or not s.p >= 0:
        return False
    s.norm = (MG_COUNT if s.p == 0 else MG_SUM if s.p == 1 else MG_LENGTH if s.p == 2 else
              MG_LARGEST if s.p == INFINITY else MG_POWER)
    return True


cdef bint same_batch(ndarray a, ndarray b) noexcept:
    """Do they agree in all dims but the last two?"""
    cdef int k
    if PyArray_NDIM(a) != PyArray_NDIM(b) or PyArray_NDIM(a) < 2:
        return False
    for k in range(PyArray_NDIM(a) - 2):
        if PyArray_DIMS(a)[k] != PyArray_DIMS(b)[k]:
            return False
    return True


cdef bint two_sets(ndarray a, ndarray b, Points* s) noexcept:
    cdef int last = PyArray_NDIM(a) - 1
    if PyArray_TYPE(a) != PyArray_TYPE(b) or not same_batch(a, b) or PyArray_DIMS(a)[last] != PyArray_DIMS(b)[last]:
        return False
    s.n, s.m, s.k = PyArray_DIMS(a)[last - 1], PyArray_DIMS(b)[last - 1], PyArray_DIMS(a)[last]
    s.a, s.b, s.single, s.pairs = PyArray_DATA(a), PyArray_DATA(b), PyArray_TYPE(a) == NPY_FLOAT, False
    return True


# ------------------------------------------------------------------------------ the loops

cdef void measure(Points* s, npy_intp i, real kind) noexcept nogil:
    """The distances of the i-th point of all batches."""
    cdef npy_intp first = i + 1 if s.pairs else 0
    cdef real* a = <real*>s.a + i * s.k
    cdef real* b = <real*>s.b + (first if s.pairs else i // s.n * s.m) * s.k
    cdef real* o = <real*>s.o + (i * (2 * s.n - i - 1) // 2 if s.pairs else i * s.m)
    if real is float:
        mg_distances_f(o, a, b, s.m - first, s.k, s.norm, s.p)
    else:
        mg_distances_d(o, a, b, s.m - first, s.k, s.norm, s.p)


cdef void slope(Points* s, npy_intp i, real kind) noexcept nogil:
    """The gradient of the i-th point."""
    cdef real* a = <real*>s.a + i * s.k
    cdef real* b = <real*>s.b + i // s.n * s.m * s.k
    cdef real* o = <real*>s.o + i * s.k
    cdef real* r = <real*>s.r + i * s.m
    cdef real* g = <real*>s.g + i * s.m
    if real is float:
        mg_slopes_f(o, a, b, s.m, s.k, s.norm, s.p, r, g)
    else:
        mg_slopes_d(o, a, b, s.m, s.k, s.norm, s.p, r, g)


cdef void some_points(void* what, npy_intp first, npy_intp last) noexcept nogil:
    cdef Points* s = <Points*>what
    cdef npy_intp i
    for i in range(first, last):
        if s.g == NULL:
            if s.single:
                measure[float](s, i, 0)
            else:
                measure[double](s, i, 0)
        elif s.single:
            slope[float](s, i, 0)
        else:
            slope[double](s, i, 0)


cdef void all_points(Points* s, npy_intp count) noexcept:
    """Those of all batches, with several threads if there is much to do."""
    cdef npy_intp each = max(1, s.m * max(1, s.k))
    if each * count < LARGE:
        some_points(s, 0, count)
    else:
        with nogil:
            parallel_for(some_points, s, count, max(1, PART // each))


# ------------------------------------------------------------------------------ the kernels

cdef object distances(Loop* loop, PyObject** args, int n):
    """(x1, x2, p)"""
    cdef Points s
    cdef ndarray a = plain(args[0]), b = plain(args[1]), out
    cdef npy_intp sizes[MAX_DIMS]
    cdef int k
    if a is None or b is None or not two_sets(a, b, &s) or not norm_at(args[2], &s):
        return None
    for k in range(PyArray_NDIM(a)):
        sizes[k] = PyArray_DIMS(a)[k]
    sizes[PyArray_NDIM(a) - 1] = s.m
    out = new_array(PyArray_NDIM(a), sizes, PyArray_TYPE(a))
    s.o, s.r, s.g = PyArray_DATA(out), NULL, NULL
    if PyArray_SIZE(out):
        all_points(&s, PyArray_SIZE(out) // s.m)
    return out


cdef object distances_of_pairs(Loop* loop, PyObject** args, int n):
    """(self, p)"""
    cdef Points s
    cdef ndarray a = plain(args[0]), out
    cdef npy_intp count
    if a is None or PyArray_NDIM(a) != 2 or not two_sets(a, a, &s) or not norm_at(args[1], &s) or s.n > (1 << 31):
        return None
    count = s.n * (s.n - 1) // 2
    out = new_array(1, &count, PyArray_TYPE(a))
    s.o, s.r, s.g, s.pairs = PyArray_DATA(out), NULL, NULL, True
    if count:
        all_points(&s, s.n)
    return out


cdef object distances_backward(Loop* loop, PyObject** args, int n):
    """(grad, x1, x2, result, p): the gradient of x1"""
    cdef Points s
    cdef ndarray g = plain(args[0]), a = plain(args[1]), b = plain(args[2]), r = plain(args[3]), out
    cdef int last
    if g is None or a is None or b is None or r is None or not two_sets(a, b, &s) or not norm_at(args[4], &s):
        return None
    last = PyArray_NDIM(a) - 1
    for x in (g, r):
        if (PyArray_TYPE(<ndarray>x) != PyArray_TYPE(a) or not same_batch(<ndarray>x, a)
                or PyArray_DIMS(<ndarray>x)[last - 1] != s.n or PyArray_DIMS(<ndarray>x)[last] != s.m):
            return None
    out = new_zeros(PyArray_NDIM(a), PyArray_DIMS(a), PyArray_TYPE(a))
    s.o, s.r, s.g = PyArray_DATA(out), PyArray_DATA(r), PyArray_DATA(g)
    if PyArray_SIZE(out) and s.m and s.norm != MG_COUNT:
        all_points(&s, PyArray_SIZE(out) // s.k)
    return out


# ------------------------------------------------------------------------------ pairs, and the square they come from

cdef void fill_square(real* pairs, real* o, npy_intp n) noexcept nogil:
    cdef npy_intp i, j
    for i in range(n):
        o[i * n + i] = 0
        for j in range(i + 1, n):
            o[i * n + j] = o[j * n + i] = pairs[0]
            pairs += 1


cdef object square_of_pairs(Loop* loop, PyObject** args, int n):
    """(self, n): a symmetric matrix with these numbers, and zeros on the diagonal"""
    cdef ndarray a = plain(args[0]), out
    cdef npy_intp sizes[2]
    if a is None or PyArray_NDIM(a) != 1 or not as_int(args[1], sizes) or not 0 <= sizes[0] <= (1 << 31):
        return None
    sizes[1] = sizes[0]
    if PyArray_SIZE(a) != sizes[0] * (sizes[0] - 1) // 2:
        return None
    out = new_array(2, sizes, PyArray_TYPE(a))
    if PyArray_TYPE(a) == NPY_FLOAT:
        fill_square[float](<float*>PyArray_DATA(a), <float*>PyArray_DATA(out), sizes[0])
    else:
        fill_square[double](<double*>PyArray_DATA(a), <double*>PyArray_DATA(out), sizes[0])
    return out


cdef void add_triangles(real* a, real* o, npy_intp n) noexcept nogil:
    cdef npy_intp i, j
    for i in range(n):
        for j in range(i + 1, n):
            o[0] = a[i * n + j] + a[j * n + i]
            o += 1


cdef object pairs_of_square(Loop* loop, PyObject** args, int n):
    """(self): the numbers above the diagonal of a square, each with that below it added"""
    cdef ndarray a = plain(args[0]), out
    cdef npy_intp size, count
    if a is None or PyArray_NDIM(a) != 2 or PyArray_DIMS(a)[0] != PyArray_DIMS(a)[1]:
        return None
    size = PyArray_DIMS(a)[0]
    count = size * (size - 1) // 2
    out = new_array(1, &count, PyArray_TYPE(a))
    if PyArray_TYPE(a) == NPY_FLOAT:
        add_triangles[float](<float*>PyArray_DATA(a), <float*>PyArray_DATA(out), size)
    else:
        add_triangles[double](<double*>PyArray_DATA(a), <double*>PyArray_DATA(out), size)
    return out
