# Promotion in C, by NumPy's numbers of the dtypes; see type_promotion.pyx.

cdef enum:
    BFLOAT16 = 24               # NumPy's own dtypes have the numbers below; this one stands for bfloat16's,
    MAX_NUMS = 25               # which is 256 or more, and known when it is first used

cdef enum Tier:
    DIMENSIONS
    NO_DIMENSIONS
    NUMBER

cdef int number_num(object x) except -2
cdef int result_num(int n, int* nums, int* tiers) noexcept
cdef int real_num(int num) noexcept
cdef bint known_num(int num) noexcept
cdef int bfloat16_num           # -1 while it is not used


cdef inline int in_tables(int num) noexcept nogil:
    """The number under which tables have a dtype, which is that of NumPy but for bfloat16."""
    return num if num < BFLOAT16 else BFLOAT16 if num == bfloat16_num else MAX_NUMS


cdef inline int outside_tables(int num) noexcept nogil:
    """And back: NumPy's number."""
    return bfloat16_num if num == BFLOAT16 else num
