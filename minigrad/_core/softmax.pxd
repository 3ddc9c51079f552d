# Softmax and its relatives; see softmax.pyx.

from minigrad._core.lines cimport Lines, What
from minigrad._core.real cimport real

cdef bint softmax_lines(What what, Lines* l, real* a) noexcept nogil
