/* Sampling a plane at positions between its elements, and the derivatives of that with respect to the positions.
 *
 * Along each dim a position falls between elements; the nearest one, the two or the four around it are read, with
 * weights that are polynomials of the fraction t behind the element before it:
 *
 *     elements     .     .  t  |        .     .             nearest    1
 *                     0     1     2     3                   linear     1 - t, t
 *                        reads 1, 2 or 0 ... 3              cubic      four polynomials of degree 3
 *
 * A derivative with respect to the position is the same with the derivatives of these polynomials.
 */
#ifndef MINIGRAD_GRIDS_H
#define MINIGRAD_GRIDS_H

#include <math.h>
#include <stdint.h>
#include <string.h>
#include "kernels/loops/ufunc_loops.h"

/* As in new_ufuncs.h: a product and a sum are rounded one by one, as NumPy does. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("no-trapping-math", "no-math-errno", "fp-contract=off")
#endif
#define WIDE FOR_ALL("arch=x86-64-v3", "default")

typedef intptr_t mg_int;

enum { MG_LINEAR, MG_NEAREST, MG_CUBIC };               /* PyTorch's numbers of the modes */
enum { MG_ZEROS, MG_BORDER, MG_REFLECTION };            /* and of what lies outside */
enum { MG_TAPS = 16 };                                  /* the most elements that are read: those of a cubic image */
enum { MG_AT_ONCE = 64 };                               /* points whose places and weights are found at a time */

typedef struct {
    int ndim, mode, outside, corners;
    mg_int size[3];             /* of a plane */
    int order[3];               /* of the derivative along each dim */
} mg_grid;

#define A (-0.75)
/* the coefficients of 1, t, t^2 and t^3 */
static const double mg_polynomials[3][4][4] = {
    {{1, -1}, {0, 1}},
    {{1}},
    {{0, A, -2 * A, A}, {1, 0, -(A + 3), A + 2}, {0, -A, 2 * A + 3, -(A + 2)}, {0, 0, A, -A}},
};
#undef A

/* Loops over so many dims and elements are written once, and compiled for each number of them. */
#define MG_UNROLLED __attribute__((always_inline))
#define BY_FORM(function, ...)                                                                                         \
    switch (g->ndim * 3 + g->mode) {                                                                                   \
    case 2 * 3 + MG_LINEAR: function(g, 2, 2, __VA_ARGS__); break;                                                     \
    case 2 * 3 + MG_NEAREST: function(g, 2, 1, __VA_ARGS__); break;                                                    \
    case 2 * 3 + MG_CUBIC: function(g, 2, 4, __VA_ARGS__); break;                                                      \
    case 3 * 3 + MG_LINEAR: function(g, 3, 2, __VA_ARGS__); break;                                                     \
    case 3 * 3 + MG_NEAREST: function(g, 3, 1, __VA_ARGS__); break;                                                    \
    }

/* Is this what four_neighbours.h has? */
static inline int mg_of_four(const mg_grid *g)
{
    return g->ndim == 2 && g->mode == MG_LINEAR && g->order[0] == 0 && g->order[1] == 0;
}

/* A position brought back into 0 ... size - 1, and the factor of its derivative; nan becomes 0. */
#define SAMPLING(T, fabs, fmod, floor)                                                                                 \
    static inline T mg_inside_##T(const mg_grid *g, mg_int size, T x, T *slope)                                        \
    {                                                                                                                  \
        T last = (T)(size - 1);                                                                                        \
        if (g->outside == MG_REFLECTION) {                                                                             \
            T low = g->corners ? 0 : (T)-0.5, span = g->corners ? last : (T)size, extra, flips;                        \
            if (span == 0) {                                                                                           \
                *slope = 0;                                                                                            \
                return 0;                                                                                              \
            }                                                                                                          \
            if (x < low)                                                                                               \
                *slope = -*slope;                                                                                      \
            x = fabs(x - low);                                                                                         \
            extra = fmod(x, span);                                                                                     \
            flips = floor(x / span);                                                                                   \
            if (fmod(flips, 2) != 0) {                                                                                 \
                extra = span - extra;                                                                                  \
                *slope = -*slope;                                                                                      \
            }                                                                                                          \
            x = extra + low;                                                                                           \
        }                                                                                                              \
        if (!(x > 0)) {                                                                                                \
            *slope = 0;                                                                                                \
            return 0;                                                                                                  \
        }                                                                                                              \
        if (x >= last) {                                                                                               \
            *slope = 0;                                                                                                \
            return last;                                                                                               \
        }                                                                                                              \
        return x;                                                                                                      \
    }                                                                                                                  \
                                                                                                                       \
    /* Along one dim: the `n` elements that are read (-1 outside), and their weights. */                               \
    static inline MG_UNROLLED void mg_along_##T(const mg_grid *g, int n, mg_int size, T at, int order,                 \
                                                mg_int *places, T *weights)                                            \
    {                                                                                                                  \
        T slope = g->corners ? (T)(size - 1) / 2 : (T)size / 2, factor = 1, t, one = 1;                                \
        T x = g->corners ? (at + 1) / 2 * (T)(size - 1) : ((at + 1) * (T)size - 1) / 2;                                \
        mg_int before = -MG_TAPS;                   /* where nothing is read */                                        \
        if (g->outside != MG_ZEROS && n != 4)                                                                          \
            x = mg_inside_##T(g, size, x, &slope);                                                                     \
        if (x > (T)-1e9 && x < (T)1e9) {            /* a floor, for which not all processors have an instruction */    \
            before = (mg_int)(n == 1 ? x + (T)0.5 : x);                                                                \
            before -= (n == 1 ? x + (T)0.5 : x) < (T)before;                                                           \
            if (n == 1 && (T)before - x == (T)0.5)                                                                     \
                before &= ~(mg_int)1;               /* halves to even */                                               \
            t = x - (T)before;                                                                                         \
        } else                                                                                                         \
            t = x - floor(x);                                                                                          \
        for (int j = 0; j < n; j++)                                                                                    \
            places[j] = (uintptr_t)(before + j - (n == 4)) < (uintptr_t)size ? before + j - (n == 4) : -1;             \
        if (n == 4 && g->outside != MG_ZEROS)                                                                          \
            for (int j = 0; j < n; j++)                                                                                \
                places[j] = (mg_int)mg_inside_##T(g, size, floor(x) + (T)(j - 1), &one);                               \
        if (order == 0) {                                                                                              \
            for (int j = 0; j < n; j++) {                                                                              \
                const double *c = mg_polynomials[g->mode][j];                                                          \
                weights[j] = n == 1 ? 1 : n == 2 ? (j ? t : 1 - t)                                                     \
                                                 : (T)c[0] + t * ((T)c[1] + t * ((T)c[2] + t * (T)c[3]));              \
            }                                                                                                          \
            return;                                                                                                    \
        }                                                                                                              \
        for (int k = 0; k < order; k++)                                                                                \
            factor *= slope;                                                                                           \
        for (int j = 0; j < n; j++) {                                                                                  \
            weights[j] = 0;                                                                                            \
            for (int k = 3; k >= order; k--) {                                                                         \
                double falling = mg_polynomials[g->mode][j][k];                                                        \
                for (int i = 0; i < order; i++)                                                                        \
                    falling *= k - i;                                                                                  \
                weights[j] = weights[j] * t + (T)falling;                                                              \
            }                                                                                                          \
            weights[j] *= factor;                                                                                      \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    /* For one point, whose coordinates begin with that of the last dim: all elements that are read, as places in the  \
     * flat plane, and their weights; derived once more along the dim `more`. */                                       \
    static inline MG_UNROLLED int mg_taps_##T(const mg_grid *g, int ndim, int n, const T *point, int more,             \
                                              mg_int *places, T *weights)                                              \
    {                                                                                                                  \
        mg_int all = 0;                                                                                                \
        mg_int along[3][4] = {{0}};                                                                                    \
        T by[3][4] = {{1}};                                                                                            \
        for (int k = 0; k < ndim; k++)                                                                                 \
            mg_along_##T(g, n, g->size[k], point[ndim - 1 - k], g->order[k] + (k == more), along[k + 3 - ndim],        \
                         by[k + 3 - ndim]);                                                                            \
        for (int z = 0; z < (ndim == 3 ? n : 1); z++)                                                                  \
            for (int y = 0; y < n; y++)                                                                                \
                for (int x = 0; x < n; x++) {                                                                          \
                    mg_int i = along[0][z], j = along[1][y], k = along[2][x];                                          \
                    all |= i | j | k;                                                                                  \
                    *places++ = (i | j | k) < 0 ? -1 : (i * g->size[ndim - 2] + j) * g->size[ndim - 1] + k;            \
                    *weights++ = by[0][z] * (by[1][y] * by[2][x]);                                                     \
                }                                                                                                      \
        return all >= 0;                                                                                               \
    }                                                                                                                  \
                                                                                                                       \
    static inline MG_UNROLLED T mg_read_##T(const T *plane, int n, int all, const mg_int *places, const T *weights)    \
    {                                                                                                                  \
        T total = 0;                                                                                                   \
        for (int k = 0; k < n; k++)                                                                                    \
            total += weights[k] * (!all && places[k] < 0 ? 0 : plane[places[k]]);                                      \
        return total;                                                                                                  \
    }                                                                                                                  \
                                                                                                                       \
    static inline MG_UNROLLED void mg_samples_##T(const mg_grid *g, int ndim, int reads, const T *planes, T *values,   \
                                                  const T *points, mg_int channels, mg_int inside, mg_int n,           \
                                                  mg_int count)                                                        \
    {                                                                                                                  \
        mg_int places[MG_TAPS];                                                                                        \
        T weights[MG_TAPS];                                                                                            \
        for (mg_int p = 0; p < count; p++) {                                                                           \
            int taps = ndim == 2 ? reads * reads : reads * reads * reads;                                              \
            if (mg_taps_##T(g, ndim, reads, points + p * ndim, -1, places, weights))                                   \
                for (mg_int c = 0; c < channels; c++)                                                                  \
                    values[c * n + p] = mg_read_##T(planes + c * inside, taps, 1, places, weights);                    \
            else                                                                                                       \
                for (mg_int c = 0; c < channels; c++)                                                                  \
                    values[c * n + p] = mg_read_##T(planes + c * inside, taps, 0, places, weights);                    \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    static inline MG_UNROLLED void mg_backs_##T(const mg_grid *g, int ndim, int reads, T *planes, const T *values,     \
                                                const T *points, mg_int channels, mg_int inside, mg_int n,             \
                                                mg_int count)                                                          \
    {                                                                                                                  \
        mg_int places[MG_TAPS];                                                                                        \
        T weights[MG_TAPS];                                                                                            \
        for (mg_int p = 0; p < count; p++) {                                                                           \
            mg_taps_##T(g, ndim, reads, points + p * ndim, -1, places, weights);                                       \
            for (mg_int c = 0; c < channels; c++)                                                                      \
                for (int k = 0; k < (ndim == 2 ? reads * reads : reads * reads * reads); k++)                          \
                    if (places[k] >= 0)                                                                                \
                        planes[c * inside + places[k]] += weights[k] * values[c * n + p];                              \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    static inline MG_UNROLLED void mg_slopes_##T(const mg_grid *g, int ndim, int reads, const T *planes,               \
                                                 const T *values, const T *points, T *slopes, mg_int channels,         \
                                                 mg_int inside, mg_int n, mg_int count)                                \
    {                                                                                                                  \
        mg_int places[MG_TAPS];                                                                                        \
        T weights[MG_TAPS];                                                                                            \
        for (mg_int p = 0; p < count; p++)                                                                             \
            for (int i = 0; i < ndim; i++) {                                                                           \
                T total = 0;                                                                                           \
                int taps = ndim == 2 ? reads * reads : reads * reads * reads;                                          \
                int all = mg_taps_##T(g, ndim, reads, points + p * ndim, ndim - 1 - i, places, weights);               \
                for (mg_int c = 0; c < channels; c++)                                                                  \
                    total += values[c * n + p] * mg_read_##T(planes + c * inside, taps, all, places, weights);         \
                slopes[p * ndim + i] = total;                                                                          \
            }                                                                                                          \
    }
SAMPLING(float, fabsf, fmodf, floorf)
SAMPLING(double, fabs, fmod, floor)
#undef SAMPLING

#define T float
#define NAME(x) x##_float
#include "four_neighbours.h"
#define T double
#define NAME(x) x##_double
#include "four_neighbours.h"
#undef BY_FORM
#undef WIDE
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

/* What is done, with double precision and with single. */
typedef void (*mg_sampler)(const mg_grid *, void *planes, void *values, const void *points, void *slopes,
                           mg_int channels, mg_int inside, mg_int n, mg_int count);
static const mg_sampler mg_samplers[3][2] = {
    {mg_sample_double, mg_sample_float},
    {mg_sample_back_double, mg_sample_back_float},
    {mg_sample_slope_double, mg_sample_slope_float},
};

#endif
