/* Distances between points, and their slopes, for float and double: see distances.pyx.
 *
 * A sum of absolute values or of squares has eight partial sums, which the compiler keeps in one register. */

#ifndef MG_DISTANCES_H
#define MG_DISTANCES_H

#include "kernels/loops/ufunc_loops.h"

#define WIDE "arch=x86-64-v3", "default"

enum { MG_COUNT, MG_SUM, MG_LENGTH, MG_LARGEST, MG_POWER };    /* the norms with p = 0, 1, 2, infinity and any other */

#define SUMMED(T, term)                                                                                                \
    T s[8] = {0};                                                                                                      \
    mg_n i = 0;                                                                                                        \
    for (; i + 8 <= k; i += 8)                                                                                         \
        for (int l = 0; l < 8; l++) {                                                                                  \
            const T d = a[i + l] - b[i + l];                                                                           \
            s[l] += (term);                                                                                            \
        }                                                                                                              \
    T all = ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]));                                         \
    for (; i < k; i++) {                                                                                               \
        const T d = a[i] - b[i];                                                                                       \
        all += (term);                                                                                                 \
    }

#define DISTANCES(T, fabs_, sqrt_, suffix)                                                                             \
    INLINE T mg_distance##suffix(const T *a, const T *b, mg_n k, int norm, double p)                                   \
    {                                                                                                                  \
        if (norm == MG_LENGTH) {                                                                                       \
            SUMMED(T, d * d)                                                                                           \
            return sqrt_(all);                                                                                         \
        }                                                                                                              \
        if (norm == MG_SUM) {                                                                                          \
            SUMMED(T, fabs_(d))                                                                                        \
            return all;                                                                                                \
        }                                                                                                              \
        double all = 0;                                                                                                \
        for (mg_n i = 0; i < k; i++) {                                                                                 \
            const T d = fabs_(a[i] - b[i]);                                                                            \
            if (norm == MG_COUNT)                                                                                      \
                all += d != 0;                                                                                         \
            else if (norm == MG_POWER)                                                                                 \
                all += pow(d, p);                                                                                      \
            else if (d > all || d != d)                                                                                \
                all = d;                                                                                               \
        }                                                                                                              \
        return (T)(norm == MG_POWER ? pow(all, 1 / p) : all);                                                          \
    }                                                                                                                  \
                                                                                                                       \
    /* To `o` the slopes of one distance r in its first point, times g. */                                             \
    INLINE void mg_add_slopes##suffix(T *restrict o, const T *a, const T *b, mg_n k, int norm, double p, T r,          \
                                             T g)                                                                      \
    {                                                                                                                  \
        if (norm == MG_LENGTH) {                                                                                       \
            const T w = r != 0 ? g / r : 0;                                                                            \
            for (mg_n i = 0; i < k; i++)                                                                               \
                o[i] += w * (a[i] - b[i]);                                                                             \
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
        } else if (norm == MG_POWER) {                                                                                 \
            const double size = r != 0 ? pow(r, p - 1) : 0, w = size != 0 ? g / size : 0;                              \
            for (mg_n i = 0; i < k; i++) {                                                                             \
                const T d = a[i] - b[i];                                                                               \
                o[i] += (T)(w * (d != 0 ? copysign(pow(fabs_(d), p - 1), d) : 0));                                     \
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

DISTANCES(float, fabsf, sqrtf, _f)
DISTANCES(double, fabs, sqrt, _d)
#undef DISTANCES
#undef SUMMED
#undef WIDE

#endif
