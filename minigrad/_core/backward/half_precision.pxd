# Formulas on 16-bit floats.

cdef object half_of(object d)
cdef object all_widened(object x)
cdef object all_rounded(object out, object half)
cdef bint in_half_precision(object d) except -1
cdef object text_in_single_precision(object text, object d, list arguments)
