/* Short rows copied, thinned out and set to zero, and rows that become columns. */
#ifndef MINIGRAD_SHORT_ROWS_H
#define MINIGRAD_SHORT_ROWS_H

#include <stddef.h>
#include <string.h>
#include "kernels/loops/moves.h"

typedef ptrdiff_t mg_n;

/* Short rows, which take longer to call for than to copy; the sizes are multiples of 4. */
typedef float mg_piece __attribute__((vector_size(16), aligned(4), may_alias));
typedef int mg_word __attribute__((may_alias));
#define SHORT 256

static inline void mg_copy(void *to, const void *from, size_t n)
{
    if (n > SHORT) {
        memcpy(to, from, n);
        return;
    }
    if (n < 16) {
        for (size_t i = 0; i < n / 4; i++)
            ((mg_word *)to)[i] = ((const mg_word *)from)[i];
        return;
    }
    for (size_t i = 0; i + 16 <= n; i += 16)
        *(mg_piece *)((char *)to + i) = *(const mg_piece *)((const char *)from + i);
    *(mg_piece *)((char *)to + n - 16) = *(const mg_piece *)((const char *)from + n - 16);
}

static inline void mg_zeros(void *to, size_t n)
{
    if (n > SHORT) {
        memset(to, 0, n);
        return;
    }
    if (n < 16) {
        for (size_t i = 0; i < n / 4; i++) {
            ((mg_word *)to)[i] = 0;
            __asm__ volatile("");           /* or the compiler calls memset */
        }
        return;
    }
    for (size_t i = 0; i + 16 <= n; i += 16)
        *(mg_piece *)((char *)to + i) = (mg_piece){0};
    *(mg_piece *)((char *)to + n - 16) = (mg_piece){0};
}

/* Every s-th number. Of float32, every second one in registers: those of 0 to 3 and of 3 to 6, and never one behind. */
static inline void mg_every_float(const float *from, float *to, mg_n n, mg_n s)
{
    mg_n i = 0;
    for (; s == 2 && n >= 4 && i < n; i += 4) {
        i = i + 4 > n ? n - 4 : i;
        const mg_four x = *(const mg_four *)(from + 2 * i), y = *(const mg_four *)(from + 2 * i + 3);
        *(mg_four *)(to + i) = MG_PICK(x, y, 0, 2, 5, 7);
    }
    for (; i < n; i++)
        to[i] = from[s * i];
}

static inline void mg_every_double(const double *from, double *to, mg_n n, mg_n s)
{
    for (mg_n i = 0; i < n; i++)
        to[i] = from[s * i];
}

/* to[q][o] = from[o][q] for q < n and o < outputs, with zeros for outputs <= o < width; width is a multiple of 4.  Of
 * float32, 4 times 4 numbers are transposed in registers. */
static inline void mg_columns_float(const float *from, mg_n by_output, mg_n outputs, mg_n n, float *to, mg_n width)
{
    mg_n first, q, o, i;
    for (first = 0; first < n; first += 16)                 /* a line of the cache, of each output */
        for (o = 0; o < width; o += 4)
            for (q = first; q < n && q < first + 16; q += 4) {
                const float *x = from + o * by_output + q;
                float *y = to + q * width + o;
                if (o + 4 <= outputs && q + 4 <= n) {
                    mg_turn_square((char *)y, width * 4, (const char *)x, by_output * 4);
                    continue;
                }
                for (i = 0; i < 16; i++)
                    if (q + i / 4 < n)
                        y[i / 4 * width + i % 4] = o + i % 4 < outputs ? x[i % 4 * by_output + i / 4] : 0;
            }
}

static inline void mg_columns_double(const double *from, mg_n by_output, mg_n outputs, mg_n n, double *to, mg_n width)
{
    for (mg_n q = 0; q < n; q++)
        for (mg_n o = 0; o < width; o++)
            to[q * width + o] = o < outputs ? from[o * by_output + q] : 0;
}

#endif
