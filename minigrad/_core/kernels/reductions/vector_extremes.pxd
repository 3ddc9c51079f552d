# Sums along a line of floats or doubles; see vector_extremes.h.

from minigrad._core.kernels.loops.real cimport real
from minigrad._core.runtime.numpy_api cimport npy_intp

cdef extern from "kernels/reductions/vector_extremes.h" nogil:
    double float_line_sum(const float* x, npy_intp n)
    double double_line_sum(const double* x, npy_intp n)
    double float_line_product(const float* x, const float* y, npy_intp n)
    double double_line_product(const double* x, const double* y, npy_intp n)


cdef inline double sum_of(real* x, npy_intp n) noexcept nogil:
    if real is float:
        return float_line_sum(x, n)
    else:
        return double_line_sum(x, n)


cdef inline double sum_of_products(real* x, real* y, npy_intp n) noexcept nogil:
    if real is float:
        return float_line_product(x, y, n)
    else:
        return double_line_product(x, y, n)


cdef inline void subtract(real* x, real y, real* o, npy_intp n) noexcept nogil:
    cdef npy_intp k
    for k in range(n):
        o[k] = x[k] - y
