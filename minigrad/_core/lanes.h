/* The extreme of a line of numbers, several at a time: for y in line: x = y > x or y is nan ? y : x

   The vectors are those of GCC and Clang, of 16 bytes, which every processor has.  A loop over an array of lanes would
   say the same, but compilers take it apart into single numbers before they look for vectors. */

#ifndef MINIGRAD_LANES_H
#define MINIGRAD_LANES_H

#include <math.h>
#include <string.h>

#define LINE_EXTREME(name, type, mask, WIDTH)                                                                         \
                                                                                                                      \
typedef type name##_lanes __attribute__((vector_size(16)));                                                           \
typedef mask name##_masks __attribute__((vector_size(16)));                                                           \
                                                                                                                      \
static inline name##_lanes name##_of_two(name##_lanes x, name##_lanes y, int largest)                                 \
{                                                                                                                     \
    name##_masks m = (name##_masks)(y != y);                                                                          \
    m |= largest ? (name##_masks)(y > x) : (name##_masks)(y < x);                                                     \
    return (name##_lanes)(((name##_masks)y & m) | ((name##_masks)x & ~m));                                            \
}                                                                                                                     \
                                                                                                                      \
static inline type name(const type *a, Py_ssize_t n, int largest)                                                     \
{                                                                                                                     \
    type x = a[0];                                                                                                    \
    Py_ssize_t i = 1;                                                                                                 \
    if (n >= 4 * WIDTH) {                                                                                             \
        name##_lanes best, more, y, z;                                                                                \
        memcpy(&best, a, 16);                                                                                         \
        memcpy(&more, a + WIDTH, 16);                                                                                 \
        for (i = 2 * WIDTH; i + 2 * WIDTH <= n; i += 2 * WIDTH) {                                                     \
            memcpy(&y, a + i, 16);                                                                                    \
            memcpy(&z, a + i + WIDTH, 16);                                                                            \
            best = name##_of_two(best, y, largest);                                                                   \
            more = name##_of_two(more, z, largest);                                                                   \
        }                                                                                                             \
        best = name##_of_two(best, more, largest);                                                                    \
        x = best[0];                                                                                                  \
        for (int k = 1; k < WIDTH; k++)                                                                               \
            x = (largest ? best[k] > x : best[k] < x) | (best[k] != best[k]) ? best[k] : x;                           \
    }                                                                                                                 \
    for (; i < n; i++)                                                                                                \
        x = (largest ? a[i] > x : a[i] < x) | (a[i] != a[i]) ? a[i] : x;                                              \
    return x;                                                                                                         \
}

/* The largest number of a line, nan apart, and sums: many numbers at a time, in as few registers as the processor needs
   for them.  At the end halves are put upon each other, so that few steps wait for another.

   A sum is kept in its own precision for 16 rows of lanes, and then added to one in double precision: it is as exact as
   a sum in pairs. */

#define ALWAYS static inline __attribute__((always_inline))

/* lanes of x become those of y where these are larger */
#define LARGER(masks, lanes, x, y) ((lanes)(((masks)(y) & ((y) > (x))) | ((masks)(x) & ~((y) > (x)))))

#define LINE_TOTALS(type, mask, W)                                                                                    \
                                                                                                                      \
typedef type type##_lines __attribute__((vector_size(64)));                                                           \
typedef mask type##_lines_masks __attribute__((vector_size(64)));                                                     \
typedef type type##_part __attribute__((vector_size(16)));                                                            \
typedef mask type##_part_masks __attribute__((vector_size(16)));                                                      \
                                                                                                                      \
ALWAYS type type##_line_top(const type *x, Py_ssize_t n)                                                              \
{                                                                                                                     \
    type top = (type)-INFINITY;                                                                                       \
    Py_ssize_t i = 0;                                                                                                 \
    if (n >= W) {                                                                                                     \
        type##_lines best = (type##_lines){0} + top, more = best, y;                                                  \
        type##_part part[4];                                                                                          \
        for (; i + 2 * W <= n; i += 2 * W) {                                                                          \
            memcpy(&y, x + i, 64);                                                                                    \
            best = LARGER(type##_lines_masks, type##_lines, best, y);                                                 \
            memcpy(&y, x + i + W, 64);                                                                                \
            more = LARGER(type##_lines_masks, type##_lines, more, y);                                                 \
        }                                                                                                             \
        if (i + W <= n) {                                                                                             \
            memcpy(&y, x + i, 64);                                                                                    \
            best = LARGER(type##_lines_masks, type##_lines, best, y);                                                 \
            i += W;                                                                                                   \
        }                                                                                                             \
        best = LARGER(type##_lines_masks, type##_lines, best, more);                                                  \
        memcpy(part, &best, 64);                                                                                      \
        part[0] = LARGER(type##_part_masks, type##_part, part[0], part[2]);                                           \
        part[1] = LARGER(type##_part_masks, type##_part, part[1], part[3]);                                           \
        part[0] = LARGER(type##_part_masks, type##_part, part[0], part[1]);                                           \
        for (int k = 0; k < W / 4; k++)                                                                               \
            top = part[0][k] > top ? part[0][k] : top;                                                                \
    }                                                                                                                 \
    for (; i < n; i++)                                                                                                \
        top = x[i] > top ? x[i] : top;                                                                                \
    return top;                                                                                                       \
}                                                                                                                     \
                                                                                                                      \
ALWAYS double type##_line_sum(const type *x, Py_ssize_t n)                                                            \
{                                                                                                                     \
    double sum = 0;                                                                                                   \
    Py_ssize_t i = 0, end;                                                                                            \
    while (i + W <= n) {                                                                                              \
        type##_lines a = {0}, y;                                                                                      \
        type##_part part[4];                                                                                          \
        for (end = i + 16 * W < n ? i + 16 * W : n; i + W <= end; i += W) {                                           \
            memcpy(&y, x + i, 64);                                                                                    \
            a += y;                                                                                                   \
        }                                                                                                             \
        memcpy(part, &a, 64);                                                                                         \
        part[0] = (part[0] + part[2]) + (part[1] + part[3]);                                                          \
        for (int k = 0; k < W / 4; k++)                                                                               \
            sum += part[0][k];                                                                                        \
    }                                                                                                                 \
    for (; i < n; i++)                                                                                                \
        sum += x[i];                                                                                                  \
    return sum;                                                                                                       \
}                                                                                                                     \
                                                                                                                      \
ALWAYS double type##_line_product(const type *x, const type *y, Py_ssize_t n)                                         \
{                                                                                                                     \
    double sum = 0;                                                                                                   \
    Py_ssize_t i = 0, end;                                                                                            \
    while (i + W <= n) {                                                                                              \
        type##_lines a = {0}, p, q;                                                                                   \
        type##_part part[4];                                                                                          \
        for (end = i + 16 * W < n ? i + 16 * W : n; i + W <= end; i += W) {                                           \
            memcpy(&p, x + i, 64);                                                                                    \
            memcpy(&q, y + i, 64);                                                                                    \
            a += p * q;                                                                                               \
        }                                                                                                             \
        memcpy(part, &a, 64);                                                                                         \
        part[0] = (part[0] + part[2]) + (part[1] + part[3]);                                                          \
        for (int k = 0; k < W / 4; k++)                                                                               \
            sum += part[0][k];                                                                                        \
    }                                                                                                                 \
    for (; i < n; i++)                                                                                                \
        sum += (double)x[i] * y[i];                                                                                   \
    return sum;                                                                                                       \
}

LINE_TOTALS(double, long long, 8)
LINE_TOTALS(float, int, 16)

LINE_EXTREME(float_line_extreme, float, int, 4)
LINE_EXTREME(double_line_extreme, double, long long, 2)

#endif
