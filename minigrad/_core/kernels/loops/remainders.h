/* What division leaves, and the hypotenuse, of many numbers at a time; new_ufuncs.h makes ufuncs of them.
 *
 * Note [Remainders by products]
 * -----------------------------
 * C's fmod divides bit by bit.  But where the quotient is not too large, the rest r = x - k y is exact for the integer
 * k next to x / y: floats are multiplied in double precision, doubles by a fused multiplication.  Which k it is does
 * not matter, since a rest of the wrong sign is mended by one more y, exactly:
 *
 *     |r| <= |y| / 2      fmod: the sign of x     remainder: the sign of y     floor: k, or k - 1 where r was mended
 *
 * Larger quotients, zeros that divide, inf and nan go one by one to what NumPy calls for them. */
#ifndef MINIGRAD_REMAINDERS_H
#define MINIGRAD_REMAINDERS_H

#include <float.h>
#include "exponentials.h"

#define AT_A_TIME 256

/* `value` of x and y; where they are not `near`, which is rare, `far` */
#define TWO_WAYS(name, T, near, value, far)                                                                            \
    WIDE static int many_##name(const T *a, const T *b, T *out, mg_n n)                                                \
    {                                                                                                                  \
        int beyond = 0;                                                                                                \
        EACH for (mg_n i = 0; i < n; i++) {                                                                            \
            T x = a[i], y = b[i];                                                                                      \
            out[i] = value;                                                                                            \
            beyond |= !(near);                                                                                         \
        }                                                                                                              \
        return beyond;                                                                                                 \
    }                                                                                                                  \
    MG_LOOP(name)                                                                                                      \
    {                                                                                                                  \
        T left[AT_A_TIME], right[AT_A_TIME], kept[AT_A_TIME];                                                          \
        for (mg_n start = 0; start < *n; start += AT_A_TIME) {                                                         \
            mg_n m = *n - start < AT_A_TIME ? *n - start : AT_A_TIME;                                                  \
            char *p0 = p[0] + start * s[0], *p1 = p[1] + start * s[1], *to = p[2] + start * s[2];                      \
            const T *a = s[0] == sizeof(T) && p0 != to ? (T *)p0 : left;                                               \
            const T *b = s[1] == sizeof(T) && p1 != to ? (T *)p1 : right;                                              \
            T *out = s[2] == sizeof(T) ? (T *)to : kept;                                                               \
            for (mg_n i = 0; i < m && a == left; i++)                                                                  \
                left[i] = *(T *)(p0 + i * s[0]);                                                                       \
            for (mg_n i = 0; i < m && b == right; i++)                                                                 \
                right[i] = *(T *)(p1 + i * s[1]);                                                                      \
            if (many_##name(a, b, out, m))                                                                             \
                for (mg_n i = 0; i < m; i++) {                                                                         \
                    T x = a[i], y = b[i];                                                                              \
                    if (!(near))                                                                                       \
                        out[i] = far;                                                                                  \
                }                                                                                                      \
            for (mg_n i = 0; i < m && out == kept; i++)                                                                \
                *(T *)(to + i * s[2]) = kept[i];                                                                       \
        }                                                                                                              \
    }

INLINE double rest_float(double x, double y, double *k)
{
    *k = (x / y + ROUNDER) - ROUNDER;
    return x - *k * y;
}

INLINE double rest_double(double x, double y, double *k)
{
    *k = (x / y + ROUNDER) - ROUNDER;
    return fma(-*k, y, x);
}

#define REMAINDERS(T, rest, most, fmod_of, copysign_of)                                                                \
    INLINE T fmod_near_##T(T x, T y)                                                                                   \
    {                                                                                                                  \
        double k;                                                                                                      \
        T r = (T)rest(x, y, &k), size = y < 0 ? -y : y;                                                                \
        r = x < 0 ? (r > 0 ? r - size : r) : (r < 0 ? r + size : r);                                                   \
        return copysign_of(r, x);                                                                                      \
    }                                                                                                                  \
    INLINE T remainder_near_##T(T x, T y)                                                                              \
    {                                                                                                                  \
        double k;                                                                                                      \
        T r = (T)rest(x, y, &k);                                                                                       \
        r = (r != 0) & ((r < 0) != (y < 0)) ? r + y : r;                                                               \
        return r == 0 ? copysign_of(0, x) : r;                                                                         \
    }                                                                                                                  \
    INLINE T floor_near_##T(T x, T y)                                                                                  \
    {                                                                                                                  \
        double k;                                                                                                      \
        double r = rest(x, y, &k);                                                                                     \
        T whole = (T)((r != 0) & ((r < 0) != (y < 0)) ? k - 1 : k);                                                    \
        return whole == 0 ? copysign_of(0, x / y) : whole;                                                             \
    }                                                                                                                  \
    static T remainder_far_##T(T x, T y)                                                                               \
    {                                                                                                                  \
        T r = fmod_of(x, y);                                                                                           \
        r = (r != 0) & ((r < 0) != (y < 0)) & (y != 0) ? r + y : r;                                                    \
        return r == 0 ? copysign_of(0, x) : r;                                                                         \
    }                                                                                                                  \
    static T floor_far_##T(T x, T y)                                                                                   \
    {                                                                                                                  \
        T r = fmod_of(x, y), quotient = (x - r) / y, whole;                                                            \
        if (y == 0)                                                                                                    \
            return x / y;                                                                                              \
        quotient = (r != 0) & ((r < 0) != (y < 0)) ? quotient - 1 : quotient;                                          \
        if (quotient == 0)                                                                                             \
            return copysign_of(0, x / y);                                                                              \
        whole = (T)floor((double)quotient);                                                                            \
        return quotient - whole > (T)0.5 ? whole + 1 : whole;                                                          \
    }                                                                                                                  \
    TWO_WAYS(fmod_##T, T, NEAR(T, most), fmod_near_##T(x, y), fmod_of(x, y))                                           \
    TWO_WAYS(remainder_##T, T, NEAR(T, most), remainder_near_##T(x, y), remainder_far_##T(x, y))                       \
    TWO_WAYS(floor_divide_##T, T, NEAR(T, most), floor_near_##T(x, y), floor_far_##T(x, y))

/* NumPy takes floor(quotient) in steps of its own from 2^22 or 2^50 on, and rounds each. */
#define NEAR(T, most) ((fabs((double)x / (double)y) < (most)) & (fabs((double)y) <= LARGEST_##T))
#define LARGEST_float FLT_MAX
#define LARGEST_double DBL_MAX
REMAINDERS(float, rest_float, 0x1p22, fmodf, copysignf)
REMAINDERS(double, rest_double, 0x1p50, fmod, copysign)

/* A float is squared in double precision; a double may be too large for that, or too small. */
BINARY(hypot_float, float, float, float,
       (fabsf(x) == INFINITY) | (fabsf(y) == INFINITY) ? INFINITY : sqrt((double)x * x + (double)y * y))
INLINE double larger_size(double x, double y) { return fabs(x) > fabs(y) ? fabs(x) : fabs(y); }
INLINE int can_be_squared(double size) { return (size == 0) | ((size > 1e-140) & (size < 1e150)); }
TWO_WAYS(hypot_double, double, can_be_squared(larger_size(x, y)) & (x == x) & (y == y), sqrt(x * x + y * y),
         hypot(x, y))

#endif
