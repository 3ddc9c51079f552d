/* Windows along dims: which elements of a plane each position of the result reads.
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
#ifndef MINIGRAD_PLANES_H
#define MINIGRAD_PLANES_H

#include <stdint.h>

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

#endif
