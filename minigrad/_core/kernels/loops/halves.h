/* 16-bit floats as float32, and back, many at a time.
 *
 *     float16     1 sign, 5 exponent, 10 fraction         bfloat16    the upper half of a float32
 *
 * Rounding is to the nearest, to the even one of two, as IEEE 754 says.  Processors with F16C have an instruction for
 * float16; for others the same is done with integers, without a branch, so that the compiler takes vectors.  A nan
 * keeps its sign and the upper bits of its fraction, and is quiet; in bfloat16 it keeps its sign, as in ml_dtypes.
 *
 * NumPy's own conversions take an element at a time, in thirty times as long.
 */
#ifndef MINIGRAD_HALVES_H
#define MINIGRAD_HALVES_H

#include "kernels/loops/ufunc_loops.h"

enum { MG_AS_IT_IS, MG_FLOAT16, MG_BFLOAT16 };      /* how the elements of an operand are stored */
enum { MG_HALVES = 512, MG_HALF_OPERANDS = 7 };     /* elements that stay in the nearest cache; those of strided.pxd */

INLINE float mg_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, 4);
    return value;
}

INLINE uint32_t mg_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, 4);
    return bits;
}

/* A product with 2^112 moves the exponent, and makes subnormal numbers normal. */
INLINE float mg_float_of_float16(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, rest = (uint32_t)(h & 0x7fff) << 13;
    uint32_t finite = mg_bits(mg_float(rest) * 0x1p112f);
    uint32_t special = rest | 0x7f800000 | (rest > 0x0f800000 ? 0x400000 : 0);
    return mg_float((rest >= 0x0f800000 ? special : finite) | sign);
}

/* A sum with 1/2 rounds what becomes subnormal: the last bit of the sum is worth 2^-24. */
INLINE uint16_t mg_float16_of(float value)
{
    uint32_t bits = mg_bits(value), sign = bits >> 16 & 0x8000, a = bits & 0x7fffffff;
    uint32_t normal = (a - 0x38000000 + 0xfff + (a >> 13 & 1)) >> 13;
    uint32_t small = mg_bits(mg_float(a) + 0.5f) - 0x3f000000;
    uint32_t finite = a < 0x38800000 ? small : normal;
    uint32_t special = a > 0x7f800000 ? 0x7e00 | (a >> 13 & 0x3ff) : 0x7c00;
    return (uint16_t)((a >= 0x47800000 ? special : finite) | sign);
}

INLINE float mg_float_of_bfloat16(uint16_t h)
{
    return mg_float((uint32_t)h << 16);
}

INLINE uint16_t mg_bfloat16_of(float value)
{
    uint32_t bits = mg_bits(value);
    uint32_t nearest = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    return (uint16_t)((bits & 0x7fffffff) > 0x7f800000 ? (bits >> 16 & 0x8000) | 0x7fc0 : nearest);
}

/* ------------------------------------------------------------------------------ side by side */

#define EACH_HALF(name, FROM, TO, convert)                                                                             \
    FOR_ALL("arch=x86-64-v4", "avx2", "default")                                                                       \
    static void name(const FROM *restrict from, TO *restrict to, mg_n n)                                               \
    {                                                                                                                  \
        for (mg_n i = 0; i < n; i++)                                                                                   \
            to[i] = convert(from[i]);                                                                                  \
    }
EACH_HALF(mg_widen_float16, uint16_t, float, mg_float_of_float16)
EACH_HALF(mg_narrow_float16, float, uint16_t, mg_float16_of)
EACH_HALF(mg_widen_bfloat16, uint16_t, float, mg_float_of_bfloat16)
EACH_HALF(mg_narrow_bfloat16, float, uint16_t, mg_bfloat16_of)
#undef EACH_HALF

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define MG_HAS_F16C() (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c"))

__attribute__((target("avx2,f16c"))) static mg_n mg_widen_f16c(const uint16_t *from, float *to, mg_n n)
{
    mg_n i = 0;
    for (; i + 8 <= n; i += 8)
        _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(from + i))));
    return i;
}

__attribute__((target("avx2,f16c"))) static mg_n mg_narrow_f16c(const float *from, uint16_t *to, mg_n n)
{
    mg_n i = 0;
    for (; i + 8 <= n; i += 8)
        _mm_storeu_si128((__m128i *)(to + i), _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT));
    return i;
}
#else
#define MG_HAS_F16C() 0

INLINE mg_n mg_widen_f16c(__attribute__((unused)) const uint16_t *from, __attribute__((unused)) float *to,
                          __attribute__((unused)) mg_n n)
{
    return 0;
}

INLINE mg_n mg_narrow_f16c(__attribute__((unused)) const float *from, __attribute__((unused)) uint16_t *to,
                           __attribute__((unused)) mg_n n)
{
    return 0;
}
#endif

/* May the processor's own instruction be used?  Tests say no, to see the other way. */
static int mg_f16c = -1;

static int mg_has_f16c(void)
{
    if (mg_f16c < 0)
        mg_f16c = MG_HAS_F16C() != 0;
    return mg_f16c;
}

static void mg_widen(int kind, const void *from, float *to, mg_n n)
{
    const uint16_t *halves = from;
    mg_n done = 0;
    if (kind == MG_BFLOAT16) {
        mg_widen_bfloat16(halves, to, n);
        return;
    }
    if (mg_has_f16c())
        done = mg_widen_f16c(halves, to, n);
    mg_widen_float16(halves + done, to + done, n - done);
}

static void mg_narrow(int kind, const float *from, void *to, mg_n n)
{
    uint16_t *halves = to;
    mg_n done = 0;
    if (kind == MG_BFLOAT16) {
        mg_narrow_bfloat16(from, halves, n);
        return;
    }
    if (mg_has_f16c())
        done = mg_narrow_f16c(from, halves, n);
    mg_narrow_float16(from + done, halves + done, n - done);
}

/* ------------------------------------------------------------------------------ at any distance, at most MG_HALVES */

static void mg_gather_halves(int kind, const char *from, mg_n step, float *to, mg_n n)
{
    uint16_t together[MG_HALVES];
    if (step == 2) {
        mg_widen(kind, from, to, n);
        return;
    }
    for (mg_n i = 0; i < n; i++)
        memcpy(together + i, from + i * step, 2);
    mg_widen(kind, together, to, n);
}

static void mg_scatter_halves(int kind, const float *from, char *to, mg_n step, mg_n n)
{
    uint16_t together[MG_HALVES];
    if (step == 2) {
        mg_narrow(kind, from, to, n);
        return;
    }
    mg_narrow(kind, from, together, n);
    for (mg_n i = 0; i < n; i++)
        memcpy(to + i * step, together + i, 2);
}

/* ------------------------------------------------------------------------------ a row of any length, for moves.h */

#define ROW_OF(kind, name)                                                                                             \
    static void mg_from_##name(char *to, mg_n s, const char *from, mg_n t, mg_n n,                                     \
                               __attribute__((unused)) mg_n item)                                                      \
    {                                                                                                                  \
        float block[MG_HALVES];                                                                                        \
        for (mg_n i = 0; i < n; i += MG_HALVES) {                                                                      \
            mg_n m = n - i < MG_HALVES ? n - i : MG_HALVES;                                                            \
            mg_gather_halves(kind, from + i * t, t, s == 4 ? (float *)(to + i * 4) : block, m);                        \
            for (mg_n k = 0; s != 4 && k < m; k++)                                                                     \
                memcpy(to + (i + k) * s, block + k, 4);                                                                \
        }                                                                                                              \
    }                                                                                                                  \
    static void mg_to_##name(char *to, mg_n s, const char *from, mg_n t, mg_n n,                                       \
                             __attribute__((unused)) mg_n item)                                                        \
    {                                                                                                                  \
        float block[MG_HALVES];                                                                                        \
        for (mg_n i = 0; i < n; i += MG_HALVES) {                                                                      \
            mg_n m = n - i < MG_HALVES ? n - i : MG_HALVES;                                                            \
            for (mg_n k = 0; t != 4 && k < m; k++)                                                                     \
                memcpy(block + k, from + (i + k) * t, 4);                                                              \
            mg_scatter_halves(kind, t == 4 ? (const float *)(from + i * 4) : block, to + i * s, s, m);                 \
        }                                                                                                              \
    }
ROW_OF(MG_FLOAT16, float16s)
ROW_OF(MG_BFLOAT16, bfloat16s)
#undef ROW_OF

/* ------------------------------------------------------------------------------ a loop of float32 on halves */

typedef struct {
    mg_loop loop;                       /* of float32 */
    void *data;
    int n;                              /* operands, with the result */
    int kinds[MG_HALF_OPERANDS];
} mg_halves;

/* An inner loop like others, whose data is a mg_halves: blocks become float32, are computed with, and rounded. */
static void mg_in_halves(char **p, const mg_n *n, const mg_n *s, void *data)
{
    const mg_halves *h = data;
    float blocks[MG_HALF_OPERANDS][MG_HALVES];
    char *at[MG_HALF_OPERANDS];
    mg_n steps[MG_HALF_OPERANDS];
    int last = h->n - 1;
    for (mg_n i = 0; i < *n; i += MG_HALVES) {
        mg_n m = *n - i < MG_HALVES ? *n - i : MG_HALVES;
        for (int k = 0; k < h->n; k++) {
            at[k] = h->kinds[k] ? (char *)blocks[k] : p[k] + i * s[k];
            steps[k] = h->kinds[k] && s[k] ? 4 : h->kinds[k] ? 0 : s[k];
            if (h->kinds[k] && k < last && (s[k] || i == 0))
                mg_gather_halves(h->kinds[k], p[k] + i * s[k], s[k], blocks[k], s[k] ? m : 1);
        }
        if (h->kinds[last])
            steps[last] = 4;
        h->loop(at, &m, steps, h->data);
        if (h->kinds[last])
            mg_scatter_halves(h->kinds[last], blocks[last], p[last] + i * s[last], s[last], m);
    }
}

#endif
