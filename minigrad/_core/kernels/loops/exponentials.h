/* Exponentials and logarithms of many numbers at a time.
 *
 * There are no branches: where a formula has two cases, both are computed and one is chosen, which the compiler turns
 * into vector instructions.  Functions that end in `_near` are for the numbers that a float can hold: they compute in
 * double precision, with as many terms as a float needs, and are rounded once.  Those in `_all` are for doubles.
 *
 * A header includes this one where it has said how its own functions are compiled.
 */
#ifndef MINIGRAD_EXPONENTIALS_H
#define MINIGRAD_EXPONENTIALS_H

#include <string.h>

/* 1.5 * 2^52: what is added to it is rounded to an integer, which is in the low bits. */
#define ROUNDER 6755399441055744.0

INLINE double with_bits(int64_t i) { double x; memcpy(&x, &i, 8); return x; }
INLINE int64_t bits_of(double x) { int64_t i; memcpy(&i, &x, 8); return i; }

/* exp(x) for -700 < x < 700: x = k ln 2 + r, and Taylor's series for exp(r). */
INLINE double exp_near(double x)
{
    double rounded = x * 1.4426950408889634 + ROUNDER;
    double k = rounded - ROUNDER;
    double r = (x - k * 0.693145751953125) - k * 1.4286068203094173e-06;
    double p = 1. / 3628800;
    p = p * r + 1. / 362880;
    p = p * r + 1. / 40320;
    p = p * r + 1. / 5040;
    p = p * r + 1. / 720;
    p = p * r + 1. / 120;
    p = p * r + 1. / 24;
    p = p * r + 1. / 6;
    p = p * r + 0.5;
    p = p * r + 1;
    p = p * r + 1;
    return with_bits(bits_of(p) + (int64_t)((uint64_t)bits_of(rounded) << 52));
}

/* log(x) for normal x > 0: x = 2^k m with m from sqrt(1/2) to sqrt(2), and log(m) = 2 artanh((m - 1) / (m + 1)). */
INLINE double log_near(double x)
{
    int64_t i = bits_of(x);
    int64_t shifted = i - 0x3fe6a09e667f3bcdLL;                 /* sqrt(1/2) */
    int64_t exponent = shifted >> 52;
    double m = with_bits(i - (int64_t)((uint64_t)exponent << 52));
    double k = with_bits(0x4338000000000000LL + exponent) - ROUNDER;
    double s = (m - 1) / (m + 1);
    double z = s * s;
    double p = 1. / 15;
    p = p * z + 1. / 13;
    p = p * z + 1. / 11;
    p = p * z + 1. / 9;
    p = p * z + 1. / 7;
    p = p * z + 1. / 5;
    p = p * z + 1. / 3;
    return k * 0.6931471805599453 + (2 * s + 2 * s * z * p);
}

/* exp(r) - 1 for |r| < 0.35, by Taylor's series. */
INLINE double expm1_of_little(double r)
{
    double p = 1. / 6227020800;
    p = p * r + 1. / 479001600;
    p = p * r + 1. / 39916800;
    p = p * r + 1. / 3628800;
    p = p * r + 1. / 362880;
    p = p * r + 1. / 40320;
    p = p * r + 1. / 5040;
    p = p * r + 1. / 720;
    p = p * r + 1. / 120;
    p = p * r + 1. / 24;
    p = p * r + 1. / 6;
    p = p * r + 0.5;
    return r + r * r * p;
}

INLINE double reduced(double x, double *k)
{
    *k = (x * 1.4426950408889634 + ROUNDER) - ROUNDER;
    return (x - *k * 0.693147180369123816490) - *k * 1.90821492927058770002e-10;
}

/* 2^k for whole k from -1022 to 1023 */
INLINE double power_of_two(double k) { return with_bits((int64_t)((uint64_t)bits_of(k + (ROUNDER + 1023)) << 52)); }

/* exp(x): 2^k is made in two halves, each of which is a number where the whole is not. */
INLINE double exp_all(double x)
{
    double k;
    double y = x > 710 ? 710 : x;
    y = y < -746 ? -746 : y;
    double p = 1 + expm1_of_little(reduced(y, &k));
    double half = (k * 0.5 + ROUNDER) - ROUNDER;
    return p * power_of_two(half) * power_of_two(k - half);
}

/* exp(x) - 1 */
INLINE double expm1_all(double x)
{
    double k;
    double y = x > 709 ? 709 : x;
    double p = expm1_of_little(reduced(y < -60 ? -60 : y, &k));
    double power = power_of_two(k);
    double out = (power - 1) + power * p;
    return x > 709 ? exp_all(x) : out;
}

/* log(x) for x > 0, as in FreeBSD's libm: with s = f / (2 + f), log(1 + f) = f - f^2 / 2 + s (f^2 / 2 + R(s^2)). */
INLINE double log_all(double x)
{
    double scaled = x < 2.2250738585072014e-308 ? x * 18014398509481984. : x;       /* 2^54: no longer subnormal */
    int64_t i = bits_of(scaled);
    int64_t shifted = i - 0x3fe6a09e667f3bcdLL;
    int64_t exponent = shifted >> 52;
    double f = with_bits(i - (int64_t)((uint64_t)exponent << 52)) - 1;
    double k = with_bits(0x4338000000000000LL + exponent) - ROUNDER;
    k = scaled == x ? k : k - 54;
    double s = f / (2 + f), z = s * s;
    double p = 1.479819860511658591e-01;
    p = p * z + 1.531383769920937332e-01;
    p = p * z + 1.818357216161805012e-01;
    p = p * z + 2.222219843214978396e-01;
    p = p * z + 2.857142874366239149e-01;
    p = p * z + 3.999999999940941908e-01;
    p = p * z + 6.666666666666735130e-01;
    double half = 0.5 * f * f;
    double out = k * 6.93147180369123816490e-01
                 - ((half - (s * (half + z * p) + k * 1.90821492927058770002e-10)) - f);
    out = x == INFINITY ? x : out;
    out = x > 0 ? out : x == 0 ? -INFINITY : x - x;
    return x < 0 ? NAN : out;
}

/* log(1 + y) for y >= 0: what the rounding of 1 + y leaves is made up for. */
INLINE double log1p_all(double y)
{
    double u = 1 + y;
    return log_all(u) + (y - (u - 1)) / u;
}

/* In single precision, for what is rounded to it more than once: a unit in the last place. */
INLINE float exp_single(float x)
{
    float y = x > 89 ? 89 : x;
    y = y < -104 ? -104 : y;
    float k = (y * 1.44269504f + 12582912.f) - 12582912.f;          /* 1.5 * 2^23 */
    float r = (y - k * 0.693359375f) + k * 2.12194440e-4f;
    float p = 1.f / 5040;
    p = p * r + 1.f / 720;
    p = p * r + 1.f / 120;
    p = p * r + 1.f / 24;
    p = p * r + 1.f / 6;
    p = p * r + 0.5f;
    p = 1 + (r + r * r * p);
    float half = (k * 0.5f + 12582912.f) - 12582912.f, rest = k - half;
    int32_t a = (int32_t)half, b = (int32_t)rest;
    a = (a + 127) << 23;
    b = (b + 127) << 23;
    float first, second;
    memcpy(&first, &a, 4);
    memcpy(&second, &b, 4);
    return p * first * second;
}

/* The same, where subnormal results may be 0: x = k ln 2 + r, exp(r) by a polynomial (Cephes), and
 * k is added to the exponent. */
INLINE float exp_of_float(float x)
{
    float shifted = x * 1.44269504f + 12582912.f;
    float k = shifted - 12582912.f;
    float r = (x - k * 0.693359375f) + k * 2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = (r * r * p + r) + 1;
    uint32_t exponent, bits;
    memcpy(&exponent, &shifted, 4);                                 /* k is in its low bits */
    memcpy(&bits, &p, 4);
    bits += exponent << 23;
    memcpy(&p, &bits, 4);
    p = x < -87.336544f ? 0 : p;                                    /* the least normal number */
    p = x > 88.722839f ? INFINITY : p;
    return x == x ? p : x;
}

/* exp(x) for any x, as exact as a float needs it: 0 and inf beyond what a float can hold. */
INLINE double exp_clipped(double x)
{
    double y = x > 110 ? 110 : x;
    double e = exp_near(y < -110 ? -110 : y);
    e = x < -110 ? 0 : e;
    return x > 110 ? INFINITY : e;
}

/* log(1 + x) for x > -1, which keeps the digits of a small x: Kahan's quotient makes up for the rounding of 1 + x */
INLINE double log1p_near(double x)
{
    double u = 1 + x;
    double v = u == 1 ? 1 : u - 1;
    return u == 1 ? x : log_near(u) * (x / v);
}

/* exp(x) - 1, near 0 by its first terms: the difference has few digits there */
INLINE double expm1_near(double x)
{
    double little = x * (1 + x * (0.5 + x * (1. / 6)));
    double out = exp_clipped(x) - 1;
    return fabs(x) < 1e-4 ? little : out;
}

/* log(x) of any float */
INLINE double log_of(double x)
{
    double out = x == INFINITY ? x : log_near(x > 0 ? x : 1);
    return x > 0 ? out : x == 0 ? -INFINITY : NAN;
}

#endif
