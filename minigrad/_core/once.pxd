# Numbers that say which memory is touched, each read once: see Note [Read once] in once.h.

from minigrad._core.numpy_c cimport int8_t, int16_t, int32_t, int64_t, uint8_t

cdef extern from "once.h" nogil:
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
