# The loops of the normalisations; see normalization_loops.pyx.

from minigrad._core.runtime.numpy_api cimport npy_intp


cdef enum Way:
    FORWARD                     # the result, and mean and r of each line
    BACK                        # the gradient of x
    TO_PARAMETER                # that of a weight, or where there is no x, that of a bias
    FIXED                       # the result, with means and variances that are given

cdef struct Norm:
    Way way
    npy_intp N, G, D, L
    bint across
    bint centred                # is the mean subtracted?
    double eps
    void* x
    void* d
    void* w                     # NULL where there is none, as for the next one
    void* b
    void* mean                  # of each line
    void* r
    void* variance              # unbiased, where it is wanted
    void* o

cdef void run(Norm* s, int num) noexcept
