"""Products of runs of numbers, and of rows of numbers, a tile of the result at a time.

These are the inner loops of convolutions.  They keep as many sums as the processor has vector registers for, so they
are compiled for registers of 64, 32 and 16 bytes, and the largest are chosen when the program starts::

    sums            out[i][q]  =  sum over r of  a[r][i]  b[place[r] + q]           weights times runs of windows
    products        out[p][o]  =  sum over r of  x[point[p] + step[r]]  y[r][o]     numbers times rows of outputs
    correlations    out[i][j]  =  sum over q of  a[row[i] + q]  b[column[j] + q]    runs times runs

What they are called with is in convolution.pyx and convolution_weight.pyx.  A thread has a desk, memory on which it
lays out what it multiplies, and uses it again and again.
"""

cdef extern from "kernels/algebra/microkernels_loops.h":
    mg_tiles mg_tiles_for(int) noexcept nogil
    void* mg_desk_for(size_t) noexcept nogil
    void mg_clear_desk() noexcept nogil

LOOPS = mg_tiles_for(64)


def registers(int most):
    """Let convolutions use vector registers of this many bytes at most, and say how many they had before.

    The largest that the processor has are usual; others are for tests.
    """
    global LOOPS
    cdef int before = LOOPS.bytes
    LOOPS = mg_tiles_for(most)
    return before


cdef void* desk_for(size_t size) noexcept nogil:
    """Memory of this thread, from a boundary of 64 bytes on; NULL where there is none."""
    return mg_desk_for(size)


cdef void clear_desk() noexcept nogil:
    """Give it up if it is much."""
    mg_clear_desk()
