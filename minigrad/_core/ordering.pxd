# Sorting, and selection by rank; see ordering.pyx.

from minigrad._core.lines cimport Lines, What, number

cdef bint order_lines(What what, Lines* l, number* a) noexcept nogil
