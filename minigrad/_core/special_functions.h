/* Special functions of many float32 numbers at a time; special_functions.pyx gives the formulas and their sources.
 *
 * Each number is computed in double precision and rounded once, so that no step needs care.  There are no branches:
 * where a formula has two cases, both are computed and one is chosen, which the compiler turns into vector
 * instructions.  On x86-64 every loop is compiled three times, for three sizes of vector registers, and `choose` takes
 * the largest that the processor has.
 */
#ifndef MINIGRAD_SPECIAL_H
#define MINIGRAD_SPECIAL_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("no-trapping-math")        /* comparisons may be computed although their results are not used */
#endif
#define INLINE static inline __attribute__((always_inline))

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

INLINE double erf_near(double x)
{
    double y = x > 4 ? 4 : x;
    y = y < -4 ? -4 : y;
    double z = y * y;
    double p = 6.7848029227219727e-06;
    p = p * z + 0.00041111853552056377;
    p = p * z + 0.0042266578142678875;
    p = p * z + 0.055747964636156523;
    p = p * z + 0.19289490406846305;
    p = p * z + 1.1283791698806897;
    double q = 2.6013949951524478e-07;
    q = q * z + 7.2515812587054095e-05;
    q = q * z + 0.0014210350705986066;
    q = q * z + 0.016294958957408299;
    q = q * z + 0.1174987421780404;
    q = q * z + 0.50428208890116658;
    q = q * z + 1;
    return y * p / q;
}

INLINE double erfc_near(double x)
{
    double y = fabs(x);
    y = y > 14 ? 14 : y;
    double shared = 1 / ((y + 3.75) * (1 + 2 * y));         /* one division for two */
    double t = (y - 3.75) * (1 + 2 * y) * shared;
    double p = 2.2046719095669687e-05;
    p = p * t - 0.00022411675308831036;
    p = p * t + 0.00033016744819001043;
    p = p * t + 0.0016759121790528297;
    p = p * t - 0.009770086966454983;
    p = p * t + 0.02840925194323063;
    p = p * t - 0.05868544057011604;
    p = p * t + 0.09229076653718948;
    p = p * t - 0.10880522429943085;
    p = p * t + 0.08227842301130295;
    p = p * t + 0.003585495287552476;
    p = p * t - 0.1402406543493271;
    p = p * t + 1.2375125885009766;
    p = p * exp_near(-y * y) * ((y + 3.75) * shared);
    return x < 0 ? 2 - p : p;
}

/* The sum of 1 / (x + k) for k from 0 to 7, as one fraction. */
INLINE double steps_of_one(double x)
{
    double a = x + 1, b = x + 2, c = x + 3, d = x + 4, e = x + 5, f = x + 6, g = x + 7;
    double p = x * a, q = b * c, r = d * e, s = f * g;
    double left = (x + a) * q + (b + c) * p, right = (d + e) * s + (f + g) * r;
    double pq = p * q, rs = r * s;
    return (left * rs + right * pq) / (pq * rs);
}

INLINE double pair_of_squares(double a, double b, double *product)
{
    a *= a;
    b *= b;
    *product = a * b;
    return a + b;
}

INLINE double steps_of_squares(double x)
{
    double p, q, r, s;
    double a = pair_of_squares(x, x + 1, &p), b = pair_of_squares(x + 2, x + 3, &q);
    double c = pair_of_squares(x + 4, x + 5, &r), d = pair_of_squares(x + 6, x + 7, &s);
    double left = a * q + b * p, right = c * s + d * r;
    double pq = p * q, rs = r * s;
    return (left * rs + right * pq) / (pq * rs);
}

INLINE double lgamma_near(double x)
{
    int early = x < 8;
    double near = early ? x : 1;
    double p = (near * (near + 1)) * ((near + 2) * (near + 3));
    p *= ((near + 4) * (near + 5)) * ((near + 6) * (near + 7));
    double y = early ? x + 8 : x;
    double z = 1 / (y * y);
    double series = 1. / 156;
    series = series * z - 691. / 360360;
    series = series * z + 1. / 1188;
    series = series * z - 1. / 1680;
    series = series * z + 1. / 1260;
    series = series * z - 1. / 360;
    series = series * z + 1. / 12;
    double out = (y - 0.5) * (log_near(y) - 1) + 0.41893853320467274178 + series / y;
    double lower = out - log_near(p);
    out = early ? lower : out;
    return (x - 1) * (x - 2) == 0 ? 0 : out;
}

INLINE double digamma_near(double x)
{
    int early = x < 8;
    double sum = steps_of_one(early ? x : 1);
    double y = early ? x + 8 : x;
    double z = 1 / (y * y);
    double series = -1. / 240;
    series = series * z + 1. / 252;
    series = series * z - 1. / 120;
    series = series * z + 1. / 12;
    double out = log_near(y) - 0.5 / y - series * z;
    return early ? out - sum : out;
}

INLINE double trigamma_near(double x)
{
    int early = x < 8;
    double sum = steps_of_squares(early ? x : 1);
    double y = early ? x + 8 : x;
    double w = 1 / y, z = w * w;
    double series = -1. / 30;
    series = series * z + 1. / 42;
    series = series * z - 1. / 30;
    series = series * z + 1. / 6;
    double out = w + 0.5 * z + series * z * w;
    return early ? out + sum : out;
}

/* exp(x) for any x whose exponential a float can hold; beyond, something near 0 or too large for one. */
INLINE double exp_clipped(double x)
{
    double y = x > 110 ? 110 : x;
    return exp_near(y < -110 ? -110 : y);
}

/* log(1 + x) for x >= 0, which keeps the digits of a small x: Kahan's quotient makes up for the rounding of 1 + x. */
INLINE double log1p_near(double x)
{
    double u = 1 + x;
    double v = u == 1 ? 1 : u - 1;
    return u == 1 ? x : log_near(u) * (x / v);
}

INLINE double mish_near(double x)       /* tanh(log(1 + e)) = (e^2 + 2 e) / (e^2 + 2 e + 2) */
{
    double e = exp_near(x > 50 ? 50 : x < -110 ? -110 : x);
    double n = e * (e + 2);
    return x * (n / (n + 2));
}

typedef void (*many_t)(const float *, float *, long);

#define LOOP_FOR(name, target, expression)                                                                             \
    target static void name(const float *in, float *out, long n)                                                       \
    {                                                                                                                  \
        for (long i = 0; i < n; i++) {                                                                                 \
            double x = in[i];                                                                                          \
            out[i] = (float)(expression);                                                                              \
        }                                                                                                              \
    }

#if defined(__x86_64__) && defined(__GNUC__) && !defined(MINIGRAD_CHECKED)
#define LOOP(name, expression)                                                                                         \
    LOOP_FOR(name##_128, , expression)                                                                                 \
    LOOP_FOR(name##_256, __attribute__((target("avx2,fma"))), expression)                                              \
    LOOP_FOR(name##_512, __attribute__((target("avx512f,avx512dq,avx512vl,fma"))), expression)                         \
    static many_t name(void)                                                                                           \
    {                                                                                                                  \
        __builtin_cpu_init();                                                                                          \
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")                                    \
            && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma"))                                    \
            return name##_512;                                                                                         \
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? name##_256 : name##_128;              \
    }
#else
#define LOOP(name, expression)                                                                                         \
    LOOP_FOR(name##_any, , expression)                                                                                 \
    static many_t name(void) { return name##_any; }
#endif

LOOP(many_erf, erf_near(x))
LOOP(many_erfc, erfc_near(x))
LOOP(many_cdf, 0.5 * erfc_near(-0.70710678118654752440 * x))
LOOP(many_gelu, 0.5 * x * erfc_near(-0.70710678118654752440 * x))
LOOP(many_sigmoid, 1 / (1 + exp_clipped(-x)))
LOOP(many_silu, x / (1 + exp_clipped(-x)))
LOOP(many_logsigmoid, (x < 0 ? x : x == x ? 0 : x) - log1p_near(exp_clipped(-fabs(x))))
LOOP(many_mish, mish_near(x))
LOOP(many_lgamma, lgamma_near(x))
LOOP(many_digamma, digamma_near(x))
LOOP(many_trigamma, trigamma_near(x))

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

#endif
