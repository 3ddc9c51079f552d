/* Numbers that say which memory is touched, each read once: Note [Read once] in read_once.pxd. */
#ifndef MINIGRAD_ONCE_H
#define MINIGRAD_ONCE_H

#include <stdint.h>

#define ONCE(name, T) static inline T name(const T *p) { return *(const volatile T *)p; }
ONCE(mg_once_i8, int8_t)
ONCE(mg_once_u8, uint8_t)
ONCE(mg_once_i16, int16_t)
ONCE(mg_once_i32, int32_t)
ONCE(mg_once_i64, int64_t)
#undef ONCE

#endif
