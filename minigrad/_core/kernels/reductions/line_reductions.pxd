# Reductions along lines; see line_reductions.pyx.

from minigrad._core.kernels.reductions.lines cimport Lines, What, number

cdef bint reduce_lines(What what, Lines* l, number* a) noexcept nogil
