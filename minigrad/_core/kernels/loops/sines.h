/* The sine and the cosine of many doubles at a time: most builds of NumPy compute these one by one.
 *
 * Note [The rest of an angle]
 * ---------------------------
 * x = k pi/2 + r with |r| <= pi/4, and k modulo 4 says which of the sine and the cosine of r is wanted, and with which
 * sign.  Since r may be tiny where x is large, pi/2 is cut into three parts of 33 bits and a rest [W. J. Cody and W.
 * Waite, Software Manual for the Elementary Functions, 1980].  k has at most 20 bits, so its products with the parts
 * are exact, and what each difference loses is kept:
 *
 *     x - k P1            exact
 *     ... - k P2 - k P3   each with what it loses
 *     ... - k P4          and the sum of all that was lost: r, and a tail of r behind its last bit
 *
 * The polynomials are those of FreeBSD's libm.  The error is below 0.8 ulp, as tests find it with 50 digits.  An angle
 * that is too large, infinite or nan goes to the C library. */
#ifndef MINIGRAD_WAVES_H
#define MINIGRAD_WAVES_H

#include "ufunc_loops.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("no-trapping-math")
#endif
#define WIDE FOR_ALL("arch=x86-64-v4", "arch=x86-64-v3", "default")
#include "exponentials.h"

#define FARTHEST 823549.0       /* 2^19 pi/2 */
#define AT_A_TIME 256

/* a - b, and what that is too large by */
INLINE double difference(double a, double b, double *excess)
{
    double d = a - b, back = d - a;
    *excess = (b + back) - (a - (d - back));
    return d;
}

INLINE double wave(double x, int quarters)
{
    double shifted = x * 0.63661977236758134308 + ROUNDER;                      /* 2/pi */
    double k = shifted - ROUNDER;
    int64_t quadrant = bits_of(shifted) + quarters;
    double second, third;
    double r = difference(x - k * 1.57079632673412561417, k * 6.07710050630396597660e-11, &second);
    r = difference(r, k * 2.02226624871116645580e-21, &third);
    double excess = k * 8.47842766036889956997e-32 + (second + third);
    double y = r - excess;
    double tail = (r - y) - excess;
    double z = y * y, v = z * y, zz = z * z;
    double p = 8.33333333332248946124e-03
               + z * (-1.98412698298579493134e-04 + z * (2.75573137070700676789e-06
               + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
    double sine = y - ((z * (0.5 * tail - v * p) - tail) + v * 1.66666666666666324348e-01);
    double q = z * (4.16666666666666019037e-02 + z * (-1.38888888888741095749e-03 + z * 2.48015872894767294178e-05))
               + zz * zz * (-2.75573143513906633035e-07
               + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11));
    double half = 0.5 * z, w = 1 - half;
    double cosine = w + (((1 - w) - half) + (z * q - y * tail));
    double out = quadrant & 1 ? cosine : sine;
    return with_bits(bits_of(out) ^ (int64_t)((uint64_t)(quadrant & 2) << 62));
}

#define WAVES(name, quarters, far)                                                                                     \
    WIDE static int many_##name(const double *in, double *out, mg_n n)                                                 \
    {                                                                                                                  \
        int beyond = 0;                                                                                                \
        EACH for (mg_n i = 0; i < n; i++) {                                                                            \
            out[i] = wave(in[i], quarters);                                                                            \
            beyond |= !(fabs(in[i]) < FARTHEST);                                                                       \
        }                                                                                                              \
        return beyond;                                                                                                 \
    }                                                                                                                  \
    MG_LOOP(name)                                                                                                      \
    {                                                                                                                  \
        double copied[AT_A_TIME], kept[AT_A_TIME];                                                                     \
        for (mg_n start = 0; start < *n; start += AT_A_TIME) {                                                         \
            mg_n m = *n - start < AT_A_TIME ? *n - start : AT_A_TIME;                                                  \
            char *from = p[0] + start * s[0], *to = p[1] + start * s[1];                                               \
            const double *in = s[0] == sizeof(double) && from != to ? (double *)from : copied;                         \
            double *out = s[1] == sizeof(double) ? (double *)to : kept;                                                \
            for (mg_n i = 0; i < m && in == copied; i++)                                                               \
                copied[i] = *(double *)(from + i * s[0]);                                                              \
            if (many_##name(in, out, m))                                                                               \
                for (mg_n i = 0; i < m; i++)                                                                           \
                    if (!(fabs(in[i]) < FARTHEST))                                                                     \
                        out[i] = far(in[i]);                                                                           \
            for (mg_n i = 0; i < m && out == kept; i++)                                                                \
                *(double *)(to + i * s[1]) = kept[i];                                                                  \
        }                                                                                                              \
    }
WAVES(sin_doubles, 0, sin)
WAVES(cos_doubles, 1, cos)

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

#endif
