/* Distances between points, and their slopes, for float and double: see distances.pyx.
 *
 * A sum of absolute values or of squares has eight partial sums, which the compiler keeps in one register; a few of
 * them are added to one in double precision at a time. */

#ifndef MG_DISTANCES_H
#define MG_DISTANCES_H

#include <float.h>

#include "kernels/loops/ufunc_loops.h"

#define WIDE "arch=x86-64-v3", "default"

enum { MG_COUNT, MG_SUM, MG_LENGTH, MG_LARGEST, MG_POWER };    /* the norms with p = 0, 1, 2, infinity and any other */

#define SUMMED(T, term)                                                                                                \
    double all = 0;                                                                                                    \
    for (mg_n first = 0; first < k; first += 128) {                                                                    \
        const T *x = a + first, *y = b + first;                                                                        \
        const mg_n n = k - first < 128 ? k - first : 128;                                                              \
        T s[8] = {0};                                                                                                  \
        mg_n i = 0;                                                                                                    \
        for (; i + 8 <= n; i += 8)                                                                                     \
            for (int l = 0; l < 8; l++) {                                                                              \
                const T d = x[i + l] - y[i + l];                                                                       \
                s[l] += (term);                                                                                        \
            }                                                                                                          \
        T part = ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]));                                    \
        for (; i < n; i++) {                                                                                           \
            const T d = x[i] - y[i];                                                                                   \
            part += (term);                                                                                            \
        }                                                                                                              \
        all += part;                                                                                                   \
    }

/* Is a sum of powers so far from the limits of the dtype that no power that matters was beyond them? */
#define SAFE(...) SAFE_WITHIN(__VA_ARGS__)
#define SAFE_WITHIN(all, MIN, EPSILON, MAX) ((all) > MIN / EPSILON && (all) <= MAX)

#define DISTANCES(T, fabs_, sqrt_, suffix, LIMITS)                                                                     \
    /* The distance in units of the largest difference: no power overflows or vanishes, as in the sum `found`. */      \
    static double mg_far_distance##suffix(const T *a, const T *b, mg_n k, double p, double found)                      \
    {                                                                                                                  \
        double unit = 0, all = 0;                                                                                      \
        if (found == 0 && memcmp(a, b, k * sizeof(T)) == 0)                                                            \
            return 0;                                                                                                  \
        for (mg_n i = 0; i < k; i++) {                                                                                 \
            const double d = fabs((double)a[i] - b[i]);                                                                \
            if (d != d)                                                                                                \
                return d;                                                                                              \
            if (d > unit)                                                                                              \
                unit = d;                                                                                              \
        }                                                                                                              \
        if (unit == 0 || unit > DBL_MAX)                                                                               \
            return unit;                                                                                               \
        for (mg_n i = 0; i < k; i++) {                                                                                 \
            const double d = fabs((double)a[i] - b[i]) / unit;                                                         \
            all += p == 2 ? d * d : pow(d, p);                                                                         \
        }                                                                                                              \
        return unit * (p == 2 ? sqrt(all) : pow(all, 1 / p));                                                          \
    }                                                                                                                  \
                                                                                                                       \
    INLINE T mg_distance##suffix(const T *a, const T *b, mg_n k, int norm, double p)                                   \
    {                                                                                                                  \
        if (norm == MG_LENGTH) {                                                                                       \
            SUMMED(T, d * d)                                                                                           \
            return SAFE(all, LIMITS) ? sqrt_((T)all) : (T)mg_far_distance##suffix(a, b, k, p, all);                    \
        }                                                                                                              \
        if (norm == MG_SUM) {                                                                                          \
            SUMMED(T, fabs_(d))                                                                                        \
            return (T)all;                                                                                             \
        }                                                                                                              \
        double all = 0;                                                                                                \
        for (mg_n i = 0; i < k; i++) {                                                                                 \
            const T d = fabs_(a[i] - b[i]);                                                                            \
            if (norm == MG_COUNT)                                                                                      \
                all += d != d ? d : d != 0;                                                                            \
            else if (norm == MG_POWER)                                                                                 \
                all += pow(d, p);                                                                                      \
            else if (d > all || d != d)                                                                                \
                all = d;                                                                                               \
        }                                                                                                              \
        if (norm != MG_POWER)                                                                                          \
            return (T)all;                                                                                             \
        return (T)(SAFE(all, DOUBLE_LIMITS) ? pow(all, 1 / p) : mg_far_distance##suffix(a, b, k, p, all));             \
    }                                                                                                                  \
                                                                                                                       \
    /* To `o` the slopes of one distance r in its first point, times g. */                                             \
    INLINE void mg_add_slopes##suffix(T *restrict o, const T *a, const T *b, mg_n k, int norm, double p, T r,          \
                                             T g)                                                                      \
    {                                                                                                                  \
        if (norm == MG_LENGTH) {                                                                                       \
            const T w = r != 0 ? g / r : 0;                                                                            \
            if (SAFE(fabs_(w), LIMITS))                                                                                \
                for (mg_n i = 0; i < k; i++)                                                                           \
                    o[i] += w * (a[i] - b[i]);                                                                         \
            else if (r != 0 && g != 0)                                                                                 \
                for (mg_n i = 0; i < k; i++)                                                                           \
                    o[i] += g * ((a[i] - b[i]) / r);                                                                   \
        } else if (norm == MG_SUM) {                                                                                   \
            for (mg_n i = 0; i < k; i++) {                                                                             \
                const T d = a[i] - b[i];                                                                               \
                o[i] += g * (d > 0 ? (T)1 : d < 0 ? (T)-1 : d);                                                        \
            }                                                                                                          \
        } else if (norm == MG_LARGEST) {                                                                               \
            for (mg_n i = 0; i < k; i++) {                                                                             \
                const T d = a[i] - b[i];                                                                               \
                o[i] += (fabs_(d) == r ? g : 0) * (d > 0 ? (T)1 : d < 0 ? (T)-1 : d);                                  \
            }                                                                                                          \
        } else if (norm == MG_POWER && r != 0) {                                                                       \
            for (mg_n i = 0; i < k; i++) {                                                                             \
                const double d = ((double)a[i] - b[i]) / r;                                                            \
                o[i] += (T)(g * (d != 0 ? copysign(pow(fabs(d), p - 1), d) : 0));                                      \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    /* The distances of `a` from `count` points, and the slopes of all of these. */                                    \
    FOR_ALL(WIDE)                                                                                                      \
    static void mg_distances##suffix(T *o, const T *a, const T *b, mg_n count, mg_n k, int norm, double p)             \
    {                                                                                                                  \
        for (mg_n j = 0; j < count; j++)                                                                               \
            o[j] = mg_distance##suffix(a, b + j * k, k, norm, p);                                                      \
    }                                                                                                                  \
                                                                                                                       \
    FOR_ALL(WIDE)                                                                                                      \
    static void mg_slopes##suffix(T *o, const T *a, const T *b, mg_n count, mg_n k, int norm, double p, const T *r,    \
                                  const T *g)                                                                          \
    {                                                                                                                  \
        for (mg_n j = 0; j < count; j++)                                                                               \
            mg_add_slopes##suffix(o, a, b + j * k, k, norm, p, r[j], g[j]);                                            \
    }

#define FLOAT_LIMITS FLT_MIN, FLT_EPSILON, FLT_MAX
#define DOUBLE_LIMITS DBL_MIN, DBL_EPSILON, DBL_MAX
DISTANCES(float, fabsf, sqrtf, _f, FLOAT_LIMITS)
DISTANCES(double, fabs, sqrt, _d, DOUBLE_LIMITS)
#undef DISTANCES
#undef FLOAT_LIMITS
#undef DOUBLE_LIMITS
#undef SAFE
#undef SAFE_WITHIN
#undef SUMMED
#undef WIDE

#endif
