# The inner loops of convolutions; see microkernels.pyx.

from libc.stddef cimport ptrdiff_t
from minigrad._core.kernels.loops.real cimport real
from minigrad._core.runtime.numpy_api cimport npy_intp

cdef extern from "kernels/algebra/microkernels.h":
    ctypedef ptrdiff_t mg_n
    ctypedef struct mg_tiles:
        void (*sums_float)(float*, mg_n*, float*, mg_n, mg_n, mg_n, mg_n, mg_n, float*, float*, mg_n) noexcept nogil
        void (*sums_double)(double*, mg_n*, double*, mg_n, mg_n, mg_n, mg_n, mg_n, double*, double*,
                            mg_n) noexcept nogil
        void (*correlations_float)(float*, mg_n*, mg_n, float*, mg_n*, mg_n, mg_n, float*, mg_n, mg_n,
                                   void*) noexcept nogil
        void (*correlations_double)(double*, mg_n*, mg_n, double*, mg_n*, mg_n, mg_n, double*, mg_n, mg_n,
                                    void*) noexcept nogil
        void (*products_float)(float*, mg_n*, mg_n, mg_n*, float*, mg_n, mg_n, mg_n, float*, bint, float*, mg_n,
                               mg_n) noexcept nogil
        void (*products_double)(double*, mg_n*, mg_n, mg_n*, double*, mg_n, mg_n, mg_n, double*, bint, double*, mg_n,
                                mg_n) noexcept nogil
        int bytes, rows, dot_rows

cdef mg_tiles LOOPS

cdef void* desk_for(size_t size) noexcept nogil
cdef void clear_desk() noexcept nogil


cdef inline void sums(real* a, ptrdiff_t* place, real* b, npy_intp k, npy_intp n, npy_intp rows, npy_intp first,
                      npy_intp last, real* start, real* out, npy_intp pitch) noexcept nogil:
    if real is float:
        LOOPS.sums_float(a, place, b, k, n, rows, first, last, start, out, pitch)
    else:
        LOOPS.sums_double(a, place, b, k, n, rows, first, last, start, out, pitch)


cdef inline void products(real* x, ptrdiff_t* point, npy_intp points, ptrdiff_t* step, real* y,
                          npy_intp pitch, npy_intp k, npy_intp outputs, real* start, bint add, real* out,
                          npy_intp by_point, npy_intp by_output) noexcept nogil:
    if real is float:
        LOOPS.products_float(x, point, points, step, y, pitch, k, outputs, start, add, out, by_point, by_output)
    else:
        LOOPS.products_double(x, point, points, step, y, pitch, k, outputs, start, add, out, by_point, by_output)


cdef inline void correlations(real* a, ptrdiff_t* row, npy_intp rows, real* b, ptrdiff_t* column, npy_intp columns,
                              npy_intp n, real* out, npy_intp by_row, npy_intp by_column, void* room) noexcept nogil:
    if real is float:
        LOOPS.correlations_float(a, row, rows, b, column, columns, n, out, by_row, by_column, room)
    else:
        LOOPS.correlations_double(a, row, rows, b, column, columns, n, out, by_row, by_column, room)


cdef inline void* on_a_boundary(void* memory) noexcept nogil:
    """From here on or a little later, so that a vector lies in one line of the cache."""
    return <char*>memory + (-<size_t>memory) % LOOPS.bytes


cdef inline npy_intp divided_up(npy_intp a, npy_intp b) noexcept nogil:
    """a / b for b > 0, rounded up."""
    return (a + b - 1) // b if a > 0 else -(-a // b)
