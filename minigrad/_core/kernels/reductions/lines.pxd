# Arrays seen as lines, along which something is computed: the form into which along_dims.pyx brings them, for the loops
# of line_reductions.pyx and sorting.pyx.

from minigrad._core.runtime.numpy_api cimport int16_t, int32_t, int64_t, int8_t, npy_intp, uint8_t


ctypedef fused number:          # bool is seen as uint8
    uint8_t
    int8_t
    int16_t
    int32_t
    int64_t
    float
    double

cdef enum What:                 # is computed of a line
    SUM
    MEAN
    NANSUM
    PRODUCT
    ALL
    ANY
    COUNT                       # of entries that are not zero
    NORM
    VARIANCE
    DEVIATION                   # the square root of the variance
    LOGSUMEXP
    LARGEST
    LEAST
    LARGEST_AT                  # and where it is
    LEAST_AT
    SORTED
    BEST                        # the first k of the sorted ones
    KTH
    MEDIAN
    NANMEDIAN
    MODE
    DISTANCES                   # from the mean, times a factor
    SHARES                      # of a gradient, for the entries that are equal to the result
    OTHERS                      # the product of all others
    BEFORE                      # the product of all before it, or after it
    SHIFTED                     # the entry `k` places before it, or a number where there is none
    RECURRENCE                  # y[i] = x[i] + b[i] y[i - k]
    RECURRENCE_BACK             # its transpose, y[i] = x[i] + b[i + k] y[i + k]
    REST_SUM                    # the sum of it and all after it
    RUNNING_SUM                 # and these, what it is up to there
    RUNNING_PRODUCT
    RUNNING_LARGEST
    RUNNING_LEAST
    RUNNING_LOGSUMEXP
    SOFTMAX
    LOG_SOFTMAX
    SOFTMAX_BACK                # of a gradient and a softmax
    LOG_SOFTMAX_BACK
    OPERATIONS                  # how many there are

cdef struct Lines:
    npy_intp outer, n, inner    # the operand has this shape and no gaps; the lines run along its middle axis
    npy_intp m                  # how many entries of the result are made of each line
    void* b                     # another operand of the same shape and dtype
    void* result                # of the reduction whose way back this is, and the gradient of it: (outer, inner)
    void* grad
    void* o[2]                  # the results, of shape (outer, m, inner): values and places
    double number               # the parameter of the operation, such as the p of a norm
    npy_intp k
    bint flag


cdef inline bint missing(number x) noexcept nogil:
    """Is it nan?"""
    if number is float or number is double:
        return x != x
    else:
        return False
