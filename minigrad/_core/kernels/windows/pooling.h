/* What is made of the elements of windows: the largest, or a weighted sum.  Which elements these are is in planes.h. */
#ifndef MINIGRAD_POOLING_H
#define MINIGRAD_POOLING_H

#include <math.h>
#include <string.h>

#include "kernels/windows/planes.h"

/* ------------------------------------------------------------------------------ the largest element */

/* The first of the largest, and its place in the plane; nan is larger than all, and the last one counts, as in PyTorch.
 * Of a window without elements, it is -inf, at no place.  There are always three dims: the first ones may be 1.
 *
 * In the middle of a row of results the windows are alike.  There one element of all windows is looked at at a time:
 *
 *     row of the plane   a b c d e f g h          windows of 2, 2 apart
 *     first elements     a   c   e   g            the largest so far
 *     second elements      b   d   f   h          where these are larger, they are
 *
 * These are loops without branches, over numbers and places of the same size, which compilers turn into vectors. */
#define BETTER(value, best) (((value) > (best)) | ((value) != (value)))
#define LARGEST(name, T, I)                                                                                            \
    static inline __attribute__((always_inline)) void name##_members(const T *restrict a, mg_int stride, I base,       \
                                                                     mg_int n, T *restrict best, I *restrict place)    \
    {                                                                                                                  \
        for (I x = 0; x < (I)n; x++) {                                                                                 \
            T value = a[x * stride];                                                                                   \
            I better = BETTER(value, best[x]);                                                                         \
            best[x] = better ? value : best[x];                                                                        \
            place[x] = better ? base + x * (I)stride : place[x];                                                       \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    static void name##_alike(const T *a, mg_int stride, mg_int base, mg_int n, T *best, I *place, int first)           \
    {                                                                                                                  \
        if (first)                                                                                                     \
            for (mg_int x = 0; x < n; x++) {                                                                           \
                best[x] = a[x * stride];                                                                               \
                place[x] = (I)(base + x * stride);                                                                     \
            }                                                                                                          \
        else if (stride == 1)                                                                                          \
            name##_members(a, 1, (I)base, n, best, place);                                                             \
        else if (stride == 2)                                                                                          \
            name##_members(a, 2, (I)base, n, best, place);                                                             \
        else                                                                                                           \
            name##_members(a, stride, (I)base, n, best, place);                                                        \
    }                                                                                                                  \
                                                                                                                       \
    static void name(const T *a, T *out, int64_t *at, const mg_windows *w, I *places)                                  \
    {                                                                                                                  \
        const mg_windows *d = w, *r = w + 1, *c = w + 2;                                                               \
        for (mg_int z = 0; z < d->n; z++)                                                                              \
            for (mg_int y = 0; y < r->n; y++, out += c->n, at += c->n) {                                               \
                mg_int deep = d->count[z], high = r->count[y];                                                         \
                mg_int from = c->from, to = deep * high > 0 ? c->to : c->from;                                         \
                const mg_int corner = (d->first[z] * r->size + r->first[y]) * c->size;                                 \
                for (mg_int i = 0; i < deep && from < to; i++)                                                         \
                    for (mg_int j = 0; j < high; j++)                                                                  \
                        for (mg_int k = 0; k < c->count[from]; k++) {                                                  \
                            mg_int base = corner + (i * d->step * r->size + j * r->step) * c->size                     \
                                          + c->first[from] + k * c->step;                                              \
                            name##_alike(a + base, c->stride, base, to - from, out + from, places, i + j + k == 0);    \
                        }                                                                                              \
                for (mg_int x = from; x < to; x++)                                                                     \
                    at[x] = places[x - from];                                                                          \
                for (mg_int x = 0; x < c->n; x++) {                                                                    \
                    mg_int place = -1;                                                                                 \
                    T best = (T)-INFINITY;                                                                             \
                    if (x >= from && x < to)                                                                           \
                        continue;                                                                                      \
                    for (mg_int i = 0; i < deep; i++)                                                                  \
                        for (mg_int j = 0; j < high; j++)                                                              \
                            for (mg_int k = 0; k < c->count[x]; k++) {                                                 \
                                mg_int here = corner + (i * d->step * r->size + j * r->step) * c->size                 \
                                              + c->first[x] + k * c->step;                                             \
                                if (place < 0 || BETTER(a[here], best)) {                                              \
                                    best = a[here];                                                                    \
                                    place = here;                                                                      \
                                }                                                                                      \
                            }                                                                                          \
                    out[x] = best;                                                                                     \
                    at[x] = place;                                                                                     \
                }                                                                                                      \
            }                                                                                                          \
    }
LARGEST(mg_largest_float, float, int32_t)
LARGEST(mg_largest_double, double, int64_t)
#undef LARGEST
#undef BETTER

/* ------------------------------------------------------------------------------ sums */

/* The weighted sum of each window, or the mean.  Dim after dim: the sums of whole slabs along the first one, for each
 * position, and of these the sums along the others.  `room` has a slab for each dim but the last.
 *
 *     image          rows 0, 1, 2 added up      windows of the sums
 *     . . . . .
 *     . . . . .      . . . . .                  . . .                 and so on, for the next three rows
 *     . . . . .
 */
#define SUMS(name, T)                                                                                                  \
    /* Of many: sixteen rows of eight in their own precision, and the rest in double precision. */                     \
    static T name##_of_many(const T *a, mg_int count)                                                                  \
    {                                                                                                                  \
        double total = 0;                                                                                              \
        for (mg_int first = 0; first < count; first += 128) {                                                          \
            const T *x = a + first;                                                                                    \
            const mg_int n = count - first < 128 ? count - first : 128;                                                \
            T part[8] = {0};                                                                                           \
            mg_int j = 0;                                                                                              \
            for (; j + 8 <= n; j += 8)                                                                                 \
                for (int l = 0; l < 8; l++)                                                                            \
                    part[l] += x[j + l];                                                                               \
            for (; j < n; j++)                                                                                         \
                part[0] += x[j];                                                                                       \
            total += ((part[0] + part[4]) + (part[1] + part[5])) + ((part[2] + part[6]) + (part[3] + part[7]));        \
        }                                                                                                              \
        return (T)total;                                                                                               \
    }                                                                                                                  \
                                                                                                                       \
    static inline T name##_of(const T *a, const T *by, mg_int count)                                                   \
    {                                                                                                                  \
        T total = 0;                                                                                                   \
        if (!by && count >= 32)                                                                                        \
            return name##_of_many(a, count);                                                                           \
        switch (count) {                            /* the usual ones are unrolled */                                  \
        case 1:                                                                                                        \
            return by ? by[0] * a[0] : a[0];                                                                           \
        case 2:                                                                                                        \
            return by ? by[0] * a[0] + by[1] * a[1] : a[0] + a[1];                                                     \
        case 4:                                                                                                        \
            return by ? by[0] * a[0] + by[1] * a[1] + by[2] * a[2] + by[3] * a[3] : a[0] + a[1] + a[2] + a[3];         \
        }                                                                                                              \
        for (mg_int j = 0; j < count; j++)                                                                             \
            total += by ? by[j] * a[j] : a[j];                                                                         \
        return total;                                                                                                  \
    }                                                                                                                  \
                                                                                                                       \
    static inline void name##_line(const T *restrict a, T *restrict out, const mg_windows *w, T divisor)               \
    {                                                                                                                  \
        const T *weights = (const T *)w->weights;                                                                      \
        if (weights)                                                                                                   \
            for (mg_int o = 0; o < w->n; o++)                                                                          \
                out[o] = name##_of(a + w->first[o], weights + o * w->most, w->count[o]);                               \
        else                                                                                                           \
            for (mg_int o = 0; o < w->n; o++)                                                                          \
                out[o] = name##_of(a + w->first[o], NULL, w->count[o]);                                                \
        if (w->divisor)                                                                                                \
            for (mg_int o = 0; o < w->n; o++)                                                                          \
                out[o] /= divisor * (T)w->divisor[o];                                                                  \
        else if (divisor != 1)                                                                                         \
            for (mg_int o = 0; o < w->n; o++)                                                                          \
                out[o] /= divisor;                                                                                     \
    }                                                                                                                  \
                                                                                                                       \
    static void name(const T *a, T *out, int ndim, const mg_windows *w, T *room, T divisor)                            \
    {                                                                                                                  \
        const T *weights = (const T *)w->weights;                                                                      \
        mg_int slab = 1, result = 1;                                                                                   \
        if (ndim == 1) {                                                                                               \
            name##_line(a, out, w, divisor);                                                                           \
            return;                                                                                                    \
        }                                                                                                              \
        for (int k = 1; k < ndim; k++) {                                                                               \
            slab *= w[k].size;                                                                                         \
            result *= w[k].n;                                                                                          \
        }                                                                                                              \
        for (mg_int o = 0; o < w->n; o++) {                                                                            \
            const T *from = a + w->first[o] * slab, *by = weights ? weights + o * w->most : NULL;                      \
            mg_int count = w->count[o];                                                                                \
            if (count != 1 || by) {                                                                                    \
                for (mg_int i = 0; i < slab; i++)                                                                      \
                    room[i] = count == 0 ? 0 : by ? by[0] * from[i] : from[i];                                         \
                for (mg_int j = 1; j < count; j++)                                                                     \
                    for (mg_int i = 0; i < slab; i++)                                                                  \
                        room[i] += by ? by[j] * from[j * slab + i] : from[j * slab + i];                               \
                from = room;                                                                                           \
            }                                                                                                          \
            if (o && count == 1 && !by && !w->divisor && w->count[o - 1] == 1 && w->first[o - 1] == w->first[o])       \
                memcpy(out + o * result, out + (o - 1) * result, (size_t)result * sizeof(T));                          \
            else                                                                                                       \
                name(from, out + o * result, ndim - 1, w + 1, room + slab,                                             \
                     w->divisor ? divisor * (T)w->divisor[o] : divisor);                                               \
        }                                                                                                              \
    }
SUMS(mg_sums_float, float)
SUMS(mg_sums_double, double)
#undef SUMS

/* Each element divided by the divisors of its windows: what goes before the transpose of means. */
#define SHARES(name, T)                                                                                                \
    static void name(const T *a, T *out, int ndim, const mg_windows *w, T divisor)                                     \
    {                                                                                                                  \
        mg_int slab = 1;                                                                                               \
        for (int k = 1; k < ndim; k++)                                                                                 \
            slab *= w[k].n;                                                                                            \
        for (mg_int o = 0; o < w->n; o++) {                                                                            \
            T share = w->divisor ? divisor * (T)w->divisor[o] : divisor;                                               \
            if (ndim == 1)                                                                                             \
                out[o] = a[o] / share;                                                                                 \
            else                                                                                                       \
                name(a + o * slab, out + o * slab, ndim - 1, w + 1, share);                                            \
        }                                                                                                              \
    }
SHARES(mg_shares_float, float)
SHARES(mg_shares_double, double)
#undef SHARES

#endif
