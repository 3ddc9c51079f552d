# Products of long and narrow matrices; see skinny_products.pyx.

from minigrad._core.runtime.numpy_api cimport npy_intp

cdef enum:
    SHORT = 64                  # as long as a short dim can be
    FEW = 8                     # rows that are multiplied while one pass reads the right factor

cdef bint slim_product(int num, npy_intp m, npy_intp k, npy_intp n, void* a, npy_intp a_row, npy_intp a_column,
                       void* b, npy_intp b_row, npy_intp b_column, void* out) noexcept nogil
cdef bint one_by_one(int num, npy_intp m, npy_intp k, npy_intp n, npy_intp b_column) noexcept nogil
