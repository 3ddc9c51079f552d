/* Inner loops of elementwise functions that NumPy has not: masks, bounds, mixtures. */
#ifndef MINIGRAD_ELEMENTWISE_H
#define MINIGRAD_ELEMENTWISE_H

#include "ufunc_loops.h"

/* Comparisons may be computed although their results are not used; but a product and a sum are rounded one by one, as
 * NumPy does. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("no-trapping-math", "no-math-errno", "fp-contract=off")
#endif
#define WIDE FOR_ALL("arch=x86-64-v3", "default")
#define COSTLY 0

#include "remainders.h"

/* ---- masks: elements are moved, and only their size counts */

#define BY_SIZE(LOOP)                                                                                                  \
    LOOP(1, uint8_t)                                                                                                   \
    LOOP(2, uint16_t)                                                                                                  \
    LOOP(4, uint32_t)                                                                                                  \
    LOOP(8, uint64_t)

#define KEEP(size, T) BINARY(keep_##size, T, uint8_t, T, y ? x : 0)
#define WHERE(size, T) TERNARY(where_##size, uint8_t, T, T, T, x ? y : z)
#define MASKED_FILL(size, T) TERNARY(masked_fill_##size, T, uint8_t, T, T, y ? z : x)
BY_SIZE(KEEP)
BY_SIZE(WHERE)
BY_SIZE(MASKED_FILL)

/* ---- the opposite number.  NumPy has it too; but where elements lie 4, 8 or 16 apart, its loops write to the wrong
 * places (2.4.6: np.negative(x, out=x) for x = a[::8]).  Integers wrap around, whatever their sign */

#define NEGATIVE(size, T) UNARY(negative_##size, T, T, 0 - x)
BY_SIZE(NEGATIVE)
UNARY(negative_half, uint16_t, uint16_t, x ^ 0x8000)
UNARY_REAL(negative, -x)
UNARY(negative_single, float _Complex, float _Complex, -x)
UNARY(negative_complex, double _Complex, double _Complex, -x)

/* ---- bounds: what is not compared, a nan, passes; a bound that is nan wins */

#define ABOVE(x, low) ((x) < (low) || (low) != (low) ? (low) : (x))
#define BELOW(x, high) ((x) > (high) || (high) != (high) ? (high) : (x))
#define ABOVE_OR_AT(x, low) ((x) <= (low) || (low) != (low) ? (low) : (x))
#define BELOW_OR_AT(x, high) ((x) >= (high) || (high) != (high) ? (high) : (x))

TERNARY_REAL(bounded, BELOW(ABOVE(x, y), z))
FOUR_REAL(clamp_to_self, (y >= z) & (y <= w) ? x : 0)
FOUR_REAL(clamp_to_min, (y < z) & (z < w) ? x : 0)
FOUR_REAL(clamp_to_max, (y > w) | (w < z) ? x : 0)
FOUR_REAL(hardtanh_backward, (y <= z) | (y >= w) ? 0 : x)
TERNARY_REAL(threshold, x <= y ? z : x)
TERNARY_REAL(threshold_backward, y <= z ? 0 : x)
UNARY_REAL(relu, x < 0 ? 0 : x)
BINARY_REAL(leaky_relu, x > 0 ? x : x * y)
BINARY_REAL(leaky_relu_slope, x > 0 ? 1 : y)
TERNARY_REAL(halved_at_ties, y == z ? x / 2 : y < z ? 0 : x)
FOUR_REAL(nan_to_num, x != x ? y : x - x == 0 ? x : x > 0 ? z : w)

TERNARY_REAL(between, BELOW_OR_AT(ABOVE_OR_AT(x, y), z))

/* a clamp without any bound is refused, and so is a hardtanh whose bounds are crossed */
#define UNBOUNDED(T) (s[1] == 0 && s[2] == 0 && *(T *)p[1] == -INFINITY && *(T *)p[2] == INFINITY)
#define CLAMP(T)                                                                                                       \
    MG_LOOP(clamp_##T)                                                                                                 \
    {                                                                                                                  \
        if (UNBOUNDED(T))                                                                                              \
            refuse_operands(data);                                                                                     \
        else                                                                                                           \
            bounded_##T(p, n, s, data);                                                                                \
    }                                                                                                                  \
    MG_LOOP(clamp_between_##T)                                                                                         \
    {                                                                                                                  \
        if (UNBOUNDED(T))                                                                                              \
            refuse_operands(data);                                                                                     \
        else                                                                                                           \
            between_##T(p, n, s, data);                                                                                \
    }                                                                                                                  \
    MG_LOOP(hardtanh_##T)                                                                                              \
    {                                                                                                                  \
        for (mg_n i = 0; i < *n && (i == 0 || s[1] || s[2]); i++)                                                      \
            if (*(T *)(p[1] + i * s[1]) > *(T *)(p[2] + i * s[2])) {                                                   \
                refuse_operands(data);                                                                                 \
                return;                                                                                                \
            }                                                                                                          \
        bounded_##T(p, n, s, data);                                                                                    \
    }
CLAMP(float)
CLAMP(double)

/* ---- of one number */

UNARY(rsqrt_float, float, float, 1 / sqrtf(x))
UNARY(rsqrt_double, double, double, 1 / sqrt(x))
UNARY(frac_float, float, float, x - truncf(x))
UNARY(frac_double, double, double, x - trunc(x))
UNARY(round_float, float, float, rintf(x))
UNARY(round_double, double, double, rint(x))
UNARY_REAL(sign, (x > 0) - (x < 0))

/* to some decimals: times or over a power of ten, mostly one for all elements */
#define ROUND_DECIMALS(T, rint)                                                                                        \
    BINARY(round_behind_##T, T, T, T, rint(x * y) / y)                                                                 \
    BINARY(round_before_##T, T, T, T, rint(x / y) * y)                                                                 \
    MG_LOOP(round_decimals_##T)                                                                                        \
    {                                                                                                                  \
        mg_n one = 1, many = s[1] == 0 ? *n : 1;                                                                       \
        for (mg_n i = 0; i < *n; i += many) {                                                                          \
            T decimals = *(T *)(p[1] + i * s[1]);                                                                      \
            if (fabs(decimals) > 22) {              /* beyond, the power is not exact, and NumPy has its own */        \
                refuse_operands(data);                                                                                 \
                return;                                                                                                \
            }                                                                                                          \
            T power = (T)pow(10, fabs(decimals));                                                                      \
            char *at[] = {p[0] + i * s[0], (char *)&power, p[2] + i * s[2]};                                           \
            mg_n steps[] = {s[0], 0, s[2]};                                                                            \
            (decimals >= 0 ? round_behind_##T : round_before_##T)(at, many == 1 ? &one : n, steps, data);              \
        }                                                                                                              \
    }
ROUND_DECIMALS(float, rintf)
ROUND_DECIMALS(double, rint)
UNARY_REAL(angle, x != x ? x : x < 0 ? 3.14159265358979323846 : 0)
UNARY(always_float, float, uint8_t, x == x || 1)
UNARY(always_double, double, uint8_t, x == x || 1)

/* ---- of several */

BINARY_REAL(divide_or_zero, y == 0 ? 0 : x / y)
BINARY_REAL(times_or_zero, x == 0 ? 0 : x * y)
BINARY_REAL(tanh_backward, x * (1 - y * y))
BINARY_REAL(sigmoid_backward, x * (1 - y) * y)
FOUR_REAL(addcmul, x + w * y * z)
FOUR_REAL(addcdiv, x + w * y / z)
FOUR_REAL(weighted, x * z + y * w)
TERNARY(lerp_float, float, float, float, float, fabsf(z) < 0.5f ? x + z * (y - x) : y - (y - x) * (1 - z))
TERNARY(lerp_double, double, double, double, double, fabs(z) < 0.5 ? x + z * (y - x) : y - (y - x) * (1 - z))
BINARY(rises_float, float, float, uint8_t, (x != 0) | !(y > 1))
BINARY(rises_double, double, double, uint8_t, (x != 0) | !(y > 1))

/* x * 2^y: the whole part of y moves the point, which is exact; what is left of y is a factor between 1/2 and 2.  Where
 * 2^y is inf, 0 or nan, so is the factor. */
#define MOST_MOVED 5000
#define SCALED(T, trunc, exp2, ldexp)                                                                                  \
    INLINE T scaled_##T(T x, T y)                                                                                      \
    {                                                                                                                  \
        if (!(y > -MOST_MOVED && y < MOST_MOVED))                                                                      \
            return y - y == 0 ? ldexp(x, y > 0 ? MOST_MOVED : -MOST_MOVED) : x * exp2(y);                              \
        T whole = trunc(y);                                                                                            \
        return ldexp(y == whole ? x : x * exp2(y - whole), (int)whole);                                                \
    }
SCALED(float, truncf, exp2f, ldexpf)
SCALED(double, trunc, exp2, ldexp)
BINARY(ldexp_float, float, float, float, scaled_float(x, y))
BINARY(ldexp_double, double, double, double, scaled_double(x, y))

/* ---- steps: what is not compared, a nan, is no step */

BINARY_REAL(heaviside, x == 0 ? y : x > 0)
UNARY(isposinf_float, float, uint8_t, x == INFINITY)
UNARY(isposinf_double, double, uint8_t, x == INFINITY)
UNARY(isneginf_float, float, uint8_t, x == -INFINITY)
UNARY(isneginf_double, double, uint8_t, x == -INFINITY)

/* ---- the sign of another number, which is a bit */

#define COPYSIGN(size, T, sign) BINARY(copysign_##size, T, T, T, (x & (T)~sign) | (y & sign))
COPYSIGN(2, uint16_t, 0x8000u)
COPYSIGN(4, uint32_t, 0x80000000u)
COPYSIGN(8, uint64_t, 0x8000000000000000u)

/* ---- complex numbers from two real ones */

#define COMPLEX(name, T, re, im)                                                                                       \
    MG_LOOP(name)                                                                                                      \
    {                                                                                                                  \
        for (mg_n i = 0; i < *n; i++) {                                                                                \
            T x = *(T *)(p[0] + i * s[0]), y = *(T *)(p[1] + i * s[1]);                                                \
            T *z = (T *)(p[2] + i * s[2]);                                                                             \
            z[0] = re;                                                                                                 \
            z[1] = im;                                                                                                 \
        }                                                                                                              \
    }
COMPLEX(complex_float, float, x, y)
COMPLEX(complex_double, double, x, y)
COMPLEX(polar_float, float, x * cosf(y), x * sinf(y))
COMPLEX(polar_double, double, x * cos(y), x * sin(y))

static mg_function FUNCTIONS[] = {
    ANY(keep, "x?x"),
    ANY(where, "?xxx"),
    ANY(masked_fill, "x?xx"),
    NUMBERS(negative, "xx"),
    FLOATS(copysign, "xxx"),
    REAL(clamp, "xxxx"),
    REAL(clamp_between, "xxxx"),
    REAL(clamp_to_self, "xxxxx"),
    REAL(clamp_to_min, "xxxxx"),
    REAL(clamp_to_max, "xxxxx"),
    REAL(hardtanh, "xxxx"),
    REAL(hardtanh_backward, "xxxxx"),
    REAL(threshold, "xxxx"),
    REAL(threshold_backward, "xxxx"),
    REAL(relu, "xx"),
    REAL(leaky_relu, "xxx"),
    REAL(leaky_relu_slope, "xxx"),
    REAL(halved_at_ties, "xxxx"),
    REAL(nan_to_num, "xxxxx"),
    REAL(rsqrt, "xx"),
    REAL(frac, "xx"),
    REAL(round, "xx"),
    REAL(round_decimals, "xxx"),
    REAL(sign, "xx"),
    REAL(angle, "xx"),
    REAL(always, "x?"),
    REAL(divide_or_zero, "xxx"),
    REAL(times_or_zero, "xxx"),
    REAL(tanh_backward, "xxx"),
    REAL(sigmoid_backward, "xxx"),
    REAL(addcmul, "xxxxx"),
    REAL(addcdiv, "xxxxx"),
    REAL(weighted, "xxxxx"),
    REAL(lerp, "xxxx"),
    REAL(rises, "xx?"),
    REAL(fmod, "xxx"),
    REAL(remainder, "xxx"),
    REAL(floor_divide, "xxx"),
    REAL(hypot, "xxx"),
    REAL(ldexp, "xxx"),
    REAL(heaviside, "xxx"),
    REAL(isposinf, "x?"),
    REAL(isneginf, "x?"),
    REAL(complex, "xxc"),
    REAL(polar, "xxc"),
};

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

#endif
