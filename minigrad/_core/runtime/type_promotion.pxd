# Promotion in C, by NumPy's numbers of the dtypes; see type_promotion.pyx.

cdef enum:
    MAX_NUMS = 24               # NumPy's own dtypes have the numbers below

cdef enum Tier:
    DIMENSIONS
    NO_DIMENSIONS
    NUMBER

cdef int number_num(object x) except -2
cdef int result_num(int n, int* nums, int* tiers) noexcept
cdef int real_num(int num) noexcept
cdef bint known_num(int num) noexcept
