/* Numbers that say which memory is touched, each read once.
 *
 * Note [Read once]
 * ----------------
 * An index, a class, a pivot or an offset lies in a tensor, and another thread may write to it at any moment: in NumPy
 * or in a kernel, without the interpreter lock, also while this thread holds it.  So what was checked may have changed
 * when it is used:
 *
 *     if (0 <= index[i] && index[i] < size)       3, which is in bounds
 *         total += x[index[i]];                   2**40, which another thread has written since
 *
 * What is checked and what is used must come from one load.  A local variable alone is no promise of that, since a
 * compiler that runs out of registers may read its value from where it came from; a volatile one is.  Where a number is
 * used often, or by NumPy, which looks at all indices first and then follows them, a private copy is made, and the
 * numbers in it are checked: `own` in ops/dims.py.  What remains open is which of the values is used.
 */
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
