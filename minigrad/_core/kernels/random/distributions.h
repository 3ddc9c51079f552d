/* Distributions: how uniform, normal and other numbers are made of a stream of random bits (mersenne_twister.h).
 *
 * Note [Normal numbers]
 * ---------------------
 * Box and Muller turn two uniform numbers into two normal ones, a point of the plane by its radius and its angle:
 *
 *     r = sqrt(-2 log(1 - u))     t = 2 pi v     x = r cos t     y = r sin t
 *
 * A single number takes v and u as doubles and returns x; y waits for the next call that asks for a number.  Sixteen
 * and more in dense memory are made in blocks: the array is filled with uniform numbers, and in each block of sixteen
 * the first eight are u and become x, the others are v and become y.  If the size is not a multiple of sixteen, the
 * last sixteen elements are drawn again.  For floats, the logarithm, sine and cosine in the blocks are the polynomials
 * of the Cephes library, rounded as by a processor that multiplies and adds in one step: PyTorch's to the last bit.
 */
#ifndef MINIGRAD_LAWS_H
#define MINIGRAD_LAWS_H

#include <math.h>

#include "mersenne_twister.h"

#define WIDE_LAWS FOR_ALL("arch=x86-64-v3", "default")

/* ------------------------------------------------------------------------------ uniform numbers, many */

static void uniform_floats(mg_stream *s, float *a, mg_n n)
{
    while (n > 0) {
        if (all_used(s))
            refill(s);
        mg_n most = TWISTER_WORDS - s->next, count = n < most ? n : most;
        const uint32_t *words = s->tempered + s->next;
        for (mg_n i = 0; i < count; i++)
            a[i] = fraction_of_word(words[i]);
        s->next += (int)count;
        a += count;
        n -= count;
    }
}

WIDE_BITS static void uniform_doubles(mg_stream *s, double *a, mg_n n)
{
    while (n > 0) {
        mg_n pairs = all_used(s) ? 0 : (TWISTER_WORDS - s->next) / 2, count = n < pairs ? n : pairs;
        const uint32_t *words = s->tempered + s->next;
        for (mg_n i = 0; i < count; i++)
            a[i] = fraction_of(words[2 * i], words[2 * i + 1]);
        s->next += (int)(2 * count);
        a += count;
        n -= count;
        if (n > 0) {
            *a++ = next_double(s);
            n--;
        }
    }
}

/* x * scale + shift, rounded once */
WIDE_LAWS static void scale_floats(float *a, mg_n n, float scale, float shift)
{
    for (mg_n i = 0; i < n; i++)
        a[i] = __builtin_fmaf(a[i], scale, shift);
}

WIDE_LAWS static void scale_doubles(double *a, mg_n n, double scale, double shift)
{
    for (mg_n i = 0; i < n; i++)
        a[i] = __builtin_fma(a[i], scale, shift);
}

/* ------------------------------------------------------------------------ normal numbers; Note [Normal numbers] */

#define TWO_PI 6.283185307179586

static double next_normal(mg_stream *s)
{
    if (s->waits) {
        s->waits = 0;
        return s->waiting;
    }
    double angle = TWO_PI * next_double(s);
    double radius = sqrt(-2 * log1p(-next_double(s)));
    s->waiting = radius * sin(angle);
    s->waits = 1;
    return radius * cos(angle);
}

static void block_of_doubles(double *a, double mean, double std)
{
    for (int j = 0; j < 8; j++) {
        double radius = sqrt(-2 * log(1 - a[j])), angle = TWO_PI * a[j + 8];
        a[j] = fma(radius * cos(angle), std, mean);
        a[j + 8] = fma(radius * sin(angle), std, mean);
    }
}

INLINE float float_of_bits(uint32_t i) { float x; memcpy(&x, &i, 4); return x; }
INLINE uint32_t bits_of_float(float x) { uint32_t i; memcpy(&i, &x, 4); return i; }
/* x where all bits of the mask are set, y where none is: without a branch, for vector instructions */
INLINE float either(uint32_t mask, float x, float y)
{
    return float_of_bits((bits_of_float(x) & mask) | (bits_of_float(y) & ~mask));
}
/* x, or -x where bit 2 of `octants` is set */
INLINE float turned(float x, uint32_t octants) { return float_of_bits(bits_of_float(x) ^ (octants & 4) << 29); }

/* log(x) for normal x > 0: x = 2^e (1 + f) with 1 + f from sqrt(1/2) to sqrt(2); log(1 + f) = f - f^2 / 2 + f^3 P(f) */
INLINE float log_of_float(float x)
{
    uint32_t bits = bits_of_float(x);
    float half = float_of_bits((bits & 0x007fffffu) | 0x3f000000u);             /* from 1/2 to below 1 */
    float e = (float)((int32_t)(bits >> 23) - 126);
    uint32_t small = -(uint32_t)(bits_of_float(half) < 0x3f3504f3u);            /* sqrt(1/2) */
    e = e - either(small, 1.f, 0.f);
    float f = (half - 1.f) + either(small, half, 0.f), z = f * f;
    float p = 7.0376836292e-2f;
    p = __builtin_fmaf(p, f, -1.1514610310e-1f);
    p = __builtin_fmaf(p, f, 1.1676998740e-1f);
    p = __builtin_fmaf(p, f, -1.2420140846e-1f);
    p = __builtin_fmaf(p, f, 1.4249322787e-1f);
    p = __builtin_fmaf(p, f, -1.6668057665e-1f);
    p = __builtin_fmaf(p, f, 2.0000714765e-1f);
    p = __builtin_fmaf(p, f, -2.4999993993e-1f);
    p = __builtin_fmaf(p, f, 3.3333331174e-1f);
    p = __builtin_fmaf(p * f, z, e * -2.12194440e-4f);                          /* ln 2 = 0.693359375 - 0.000212... */
    p = __builtin_fmaf(-z, 0.5f, p);
    return __builtin_fmaf(e, 0.693359375f, f + p);
}

/* sin and cos of t from 0 to 2 pi: t less the nearest multiple of pi / 2, in three parts, and two polynomials */
INLINE void sine_and_cosine(float t, float *sine, float *cosine)
{
    int32_t octant = ((int32_t)(t * 1.27323954473516f) + 1) & ~1;
    float k = (float)octant;
    t = __builtin_fmaf(k, -0.78515625f, t);
    t = __builtin_fmaf(k, -2.4187564849853515625e-4f, t);
    t = __builtin_fmaf(k, -3.77489497744594108e-8f, t);
    float z = t * t;
    float c = 2.443315711809948e-5f, s = -1.9515295891e-4f;
    c = __builtin_fmaf(c, z, -1.388731625493765e-3f);
    c = __builtin_fmaf(c, z, 4.166664568298827e-2f);
    c = __builtin_fmaf(c * z, z, z * -0.5f) + 1.f;
    s = __builtin_fmaf(s, z, 8.3321608736e-3f);
    s = __builtin_fmaf(s, z, -1.6666654611e-1f);
    s = __builtin_fmaf(s * z, t, t);
    uint32_t odd = -((uint32_t)octant >> 1 & 1u);
    *sine = turned(either(odd, c, s), (uint32_t)octant);
    *cosine = turned(either(odd, s, c), ~((uint32_t)octant - 2));
}

WIDE_LAWS static void blocks_of_floats(float *a, mg_n blocks, float mean, float std)
{
    for (mg_n block = 0; block < blocks; block++, a += 16) {
        float *restrict x = a, *restrict y = a + 8;
        for (int j = 0; j < 8; j++) {
            float sine, cosine, radius = sqrtf(-2.f * log_of_float(1.f - x[j]));
            sine_and_cosine((float)TWO_PI * y[j], &sine, &cosine);
            x[j] = __builtin_fmaf(radius * cosine, std, mean);
            y[j] = __builtin_fmaf(radius * sine, std, mean);
        }
    }
}

/* At least sixteen numbers.  PyTorch draws floats and doubles in two passes, and 16-bit floats block by block, which
 * we compute as floats: there the elements after the last whole block are not drawn the first time. */
static void normal_floats(mg_stream *s, float *a, mg_n n, float mean, float std, int by_blocks)
{
    uniform_floats(s, a, by_blocks ? n - n % 16 : n);
    blocks_of_floats(a, n / 16, mean, std);
    if (n % 16) {
        uniform_floats(s, a + n - 16, 16);
        blocks_of_floats(a + n - 16, 1, mean, std);
    }
}

static void normal_doubles(mg_stream *s, double *a, mg_n n, double mean, double std)
{
    uniform_doubles(s, a, n);
    for (mg_n i = 0; i + 16 <= n; i += 16)
        block_of_doubles(a + i, mean, std);
    if (n % 16) {
        uniform_doubles(s, a + n - 16, 16);
        block_of_doubles(a + n - 16, mean, std);
    }
}

/* ------------------------------------------------------------------------------ other laws, number by number */

enum { NORMAL, LOG_NORMAL, EXPONENTIAL, CAUCHY, GEOMETRIC, BERNOULLI };

INLINE double draw_one(mg_stream *s, int law, double p, double q)
{
    switch (law) {
    case NORMAL:
        return fma(next_normal(s), q, p);
    case LOG_NORMAL:
        return exp(fma(next_normal(s), q, p));
    case EXPONENTIAL:
        return -1 / p * log1p(-next_double(s));
    case CAUCHY:
        return fma(tan(3.14159265358979323846 * (next_double(s) - 0.5)), q, p);
    default:            /* GEOMETRIC; of BERNOULLI, many are drawn at once */
        return ceil(log(next_double(s)) / log1p(-p));
    }
}

#endif
