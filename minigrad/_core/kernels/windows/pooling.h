/* Windows along dims: which elements of a plane each position of the result reads, and what it makes of them.
 *
 * A plane is what lies along the last dims, a line, an image or a volume; the dims before them only repeat it.  Along
 * each dim a window is a first element, a step to the next, and how many there are.  With a size of 5, windows of 3
 * elements that are 2 apart, and 1 element of padding on either side, which is not there:
 *
 *     element        . 0 1 2 3 4 .
 *     window 0       [ 0 1 ]                  first 0, count 2
 *     window 1           [ 1 2 3 ]            first 1, count 3
 *     window 2               [ 3 4 ]          first 3, count 2
 *
 * The window of an image is the product of those of its rows and its columns.
 */
#ifndef MINIGRAD_POOLING_H
#define MINIGRAD_POOLING_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "kernels/loops/read_once.h"

typedef intptr_t mg_int;

typedef struct {
    mg_int size, n;             /* elements along the dim, and windows */
    mg_int step;                /* from one element of a window to the next */
    mg_int *first, *count;      /* of each window */
    mg_int from, to, stride;    /* the windows from ... to - 1 have all that there can be, and are `stride` apart */
    mg_int *divisor;            /* of each window, where a mean is taken; or NULL */
    const void *weights;        /* `most` for each window; NULL where all are 1 */
    mg_int most;
} mg_windows;

/* ------------------------------------------------------------------------------ where the windows are */

/* Windows of `kernel` elements, `stride` apart, that begin `padding` elements before the first.  For a mean, padding
 * counts like elements, or it does not. */
static inline void mg_slide(mg_windows *w, mg_int kernel, mg_int stride, mg_int padding, int counts)
{
    w->from = w->to = 0;
    w->stride = stride;
    for (mg_int o = 0; o < w->n; o++) {
        mg_int start = o * stride - padding, end = start + (kernel - 1) * w->step + 1;
        if (start < 0)
            w->from = w->to = o + 1;
        else if (end <= w->size)
            w->to = o + 1;
        mg_int from = start < 0 ? start + (w->step - 1 - start) / w->step * w->step : start;
        mg_int to = end < w->size ? end : w->size;
        w->first[o] = from < w->size ? from : 0;
        w->count[o] = from < to ? (to - from - 1) / w->step + 1 : 0;
        if (w->divisor)
            w->divisor[o] = counts ? (end < w->size + padding ? end : w->size + padding) - start : w->count[o];
    }
}

/* As many windows as are wanted, which cover everything, and are as equal as can be. */
static inline void mg_adapt(mg_windows *w)
{
    w->stride = w->n ? w->size / w->n : 0;
    w->from = 0;
    w->to = w->n * w->stride == w->size ? w->n : 0;
    for (mg_int o = 0; o < w->n; o++) {
        w->first[o] = o / w->n * w->size + o % w->n * w->size / w->n;
        w->count[o] = 1 + ((o + 1) * w->size - 1) / w->n - w->first[o];
        if (w->divisor)
            w->divisor[o] = w->count[o];
    }
}

/* The transpose: for each element, which windows it is in.  They follow each other, if windows have no gaps. */
static inline void mg_turn(const mg_windows *w, mg_windows *turned)
{
    mg_int first = 0, end = 0;
    for (mg_int i = 0; i < w->size; i++) {
        while (first < w->n && w->first[first] + w->count[first] <= i)
            first++;
        while (end < w->n && w->first[end] <= i)
            end++;
        turned->first[i] = first < end ? first : 0;
        turned->count[i] = first < end ? end - first : 0;
    }
}

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
    static inline T name##_of(const T *a, const T *by, mg_int count)                                                   \
    {                                                                                                                  \
        T total = 0;                                                                                                   \
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

/* ------------------------------------------------------------------------------ elements at places */

/* For planes of `inside` elements, and as many of `outside` numbers, each of which has a place in its plane: read what
 * is there, write it, or add it.  False where a place is outside of the plane; -1 is the place of nothing, to add. */
#define AT_PLACES(T)                                                                                                   \
    static int mg_read_planes_##T(const T *a, T *out, const int64_t *at, mg_int planes, mg_int inside, mg_int outside) \
    {                                                                                                                  \
        for (; planes; planes--, a += inside)                                                                          \
            for (mg_int i = 0; i < outside; i++, out++, at++) {                                                        \
                int64_t place = mg_once_i64(at);                                                                       \
                if (place < -1 || place >= inside)                                                                     \
                    return 0;                                                                                          \
                *out = place < 0 ? 0 : a[place];                                                                       \
            }                                                                                                          \
        return 1;                                                                                                      \
    }                                                                                                                  \
    static int mg_add_planes_##T(T *a, const T *from, const int64_t *at, mg_int planes, mg_int inside, mg_int outside) \
    {                                                                                                                  \
        for (; planes; planes--, a += inside)                                                                          \
            for (mg_int i = 0; i < outside; i++, from++, at++) {                                                       \
                int64_t place = mg_once_i64(at);                                                                       \
                if (place < -1 || place >= inside)                                                                     \
                    return 0;                                                                                          \
                if (place >= 0)                                                                                        \
                    a[place] += *from;                                                                                 \
            }                                                                                                          \
        return 1;                                                                                                      \
    }                                                                                                                  \
    static int mg_write_planes_##T(T *a, const T *from, const int64_t *at, mg_int planes, mg_int inside,               \
                                   mg_int outside)                                                                     \
    {                                                                                                                  \
        for (; planes; planes--, a += inside)                                                                          \
            for (mg_int i = 0; i < outside; i++, from++, at++) {                                                       \
                int64_t place = mg_once_i64(at);                                                                       \
                if ((uint64_t)place >= (uint64_t)inside)                                                               \
                    return 0;                                                                                          \
                a[place] = *from;                                                                                      \
            }                                                                                                          \
        return 1;                                                                                                      \
    }
AT_PLACES(float)
AT_PLACES(double)
#undef AT_PLACES

#endif
