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

/* The largest number of a line, nan apart, and sums: four vectors at a time, so that no step waits for the one before.
   Wider vectors would be no better: where a function is compiled for several processors, GCC takes them apart for the
   least of these first, and comparisons into single numbers.

   A sum is kept in its own precision for 16 rows of lanes, and then added to one in double precision: it is as exact as
   a sum in pairs. */

#define ALWAYS static inline __attribute__((always_inline))

/* lanes of x become those of y where these are larger */
#define LARGER(type, x, y)                                                                                            \
    ((type##_part)(((type##_part_masks)(y) & ((y) > (x))) | ((type##_part_masks)(x) & ~((y) > (x)))))

#define LINE_TOTALS(type, mask, W)                                                                                    \
                                                                                                                      \
typedef type type##_part __attribute__((vector_size(16)));                                                            \
typedef mask type##_part_masks __attribute__((vector_size(16)));                                                      \
                                                                                                                      \
ALWAYS type##_part type##_part_at(const type *x)                                                                      \
{                                                                                                                     \
    type##_part y;                                                                                                    \
    memcpy(&y, x, 16);                                                                                                \
    return y;                                                                                                         \
}                                                                                                                     \
                                                                                                                      \
ALWAYS type type##_line_top(const type *x, Py_ssize_t n)                                                              \
{                                                                                                                     \
    type top = (type)-INFINITY;                                                                                       \
    type##_part a = (type##_part){0} + top, b = a, c = a, d = a;                                                      \
    Py_ssize_t i = 0;                                                                                                 \
    for (; i + 4 * W <= n; i += 4 * W) {                                                                              \
        type##_part p = type##_part_at(x + i), q = type##_part_at(x + i + W);                                         \
        type##_part r = type##_part_at(x + i + 2 * W), s = type##_part_at(x + i + 3 * W);                             \
        a = LARGER(type, a, p);                                                                                       \
        b = LARGER(type, b, q);                                                                                       \
        c = LARGER(type, c, r);                                                                                       \
        d = LARGER(type, d, s);                                                                                       \
    }                                                                                                                 \
    for (; i + W <= n; i += W) {                                                                                      \
        type##_part p = type##_part_at(x + i);                                                                        \
        a = LARGER(type, a, p);                                                                                       \
    }                                                                                                                 \
    a = LARGER(type, a, b);                                                                                           \
    c = LARGER(type, c, d);                                                                                           \
    a = LARGER(type, a, c);                                                                                           \
    for (int k = 0; k < W; k++)                                                                                       \
        top = a[k] > top ? a[k] : top;                                                                                \
    for (; i < n; i++)                                                                                                \
        top = x[i] > top ? x[i] : top;                                                                                \
    return top;                                                                                                       \
}                                                                                                                     \
                                                                                                                      \
LINE_TOTAL(type, W, type##_line_sum(const type *x, Py_ssize_t n), type##_part_at(x + i + k * W), (double)x[i])        \
LINE_TOTAL(type, W, type##_line_product(const type *x, const type *y, Py_ssize_t n),                                  \
           type##_part_at(x + i + k * W) * type##_part_at(y + i + k * W), (double)x[i] * y[i])

/* `part` has the k-th vector from i on, and `single` the term i. */
#define LINE_TOTAL(type, W, signature, part, single)                                                                  \
ALWAYS double signature                                                                                               \
{                                                                                                                     \
    double sum = 0;                                                                                                   \
    Py_ssize_t i = 0, k, end;                                                                                         \
    while (i + W <= n) {                                                                                              \
        type##_part a = {0}, b = {0}, c = {0}, d = {0};                                                               \
        for (end = i + 64 * W < n ? i + 64 * W : n; i + 4 * W <= end; i += 4 * W) {                                   \
            k = 0, a += part;                                                                                         \
            k = 1, b += part;                                                                                         \
            k = 2, c += part;                                                                                         \
            k = 3, d += part;                                                                                         \
        }                                                                                                             \
        for (k = 0; i + W <= end; i += W)                                                                             \
            a += part;                                                                                                \
        a = (a + c) + (b + d);                                                                                        \
        for (k = 0; k < W; k++)                                                                                       \
            sum += a[k];                                                                                              \
    }                                                                                                                 \
    for (; i < n; i++)                                                                                                \
        sum += single;                                                                                                \
    return sum;                                                                                                       \
}

LINE_TOTALS(double, long long, 2)
LINE_TOTALS(float, int, 4)

LINE_EXTREME(float_line_extreme, float, int, 4)
LINE_EXTREME(double_line_extreme, double, long long, 2)

#endif
