# Numbers that say which memory is touched, each read once.
#
# Note [Read once]
# ----------------
# An index, a class, a pivot or an offset lies in a tensor, and another thread may write to it at any moment: in NumPy
# or in a kernel, without the interpreter lock, also while this thread holds it.  So what was checked may have changed
# when it is used:
#
#     if (0 <= index[i] && index[i] < size)       3, which is in bounds
#         total += x[index[i]];                   2**40, which another thread has written since
#
# What is checked and what is used must come from one load.  A local variable alone does not promise that, since a
# compiler that runs out of registers may read its value from where it came from; a volatile one is.  Where a number is
# used often, or by NumPy, which looks at all indices first and then follows them, a private copy is made, and the
# numbers in it are checked: `own` in ops/arguments.py.  What remains open is which of the values is used.

from minigrad._core.runtime.numpy_api cimport int16_t, int32_t, int64_t, int8_t, uint8_t

cdef extern from "kernels/loops/read_once.h" nogil:
    int8_t of_int8 "mg_once_i8"(const int8_t*) noexcept
    uint8_t of_uint8 "mg_once_u8"(const uint8_t*) noexcept
    int16_t of_int16 "mg_once_i16"(const int16_t*) noexcept
    int32_t of_int32 "mg_once_i32"(const int32_t*) noexcept
    int64_t read_once "mg_once_i64"(const int64_t*) noexcept

ctypedef fused whole:
    uint8_t
    int8_t
    int16_t
    int32_t
    int64_t


cdef inline whole whole_once(const whole* p) noexcept nogil:
    if whole is uint8_t:
        return of_uint8(p)
    elif whole is int8_t:
        return of_int8(p)
    elif whole is int16_t:
        return of_int16(p)
    elif whole is int32_t:
        return of_int32(p)
    else:
        return read_once(p)
