/* The extreme of a line of numbers, several at a time: for y in line: x = y > x or y is nan ? y : x

   The vectors are those of GCC and Clang, of 16 bytes, which every processor has.  A loop over an array of lanes would
   say the same, but compilers take it apart into single numbers before they look for vectors. */

#ifndef MINIGRAD_LANES_H
#define MINIGRAD_LANES_H

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

LINE_EXTREME(float_line_extreme, float, int, 4)
LINE_EXTREME(double_line_extreme, double, long long, 2)

#endif
