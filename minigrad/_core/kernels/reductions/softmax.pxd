# Softmax and its relatives; see softmax.pyx.

from minigrad._core.kernels.loops.real cimport real
from minigrad._core.kernels.reductions.lines cimport Lines, What

cdef bint softmax_lines(What what, Lines* l, real* a) noexcept nogil
