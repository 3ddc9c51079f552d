/* Short rows copied and set to zero, and rows that become columns. */
#ifndef MINIGRAD_SHORT_ROWS_H
#define MINIGRAD_SHORT_ROWS_H

#include <stddef.h>
#include <string.h>

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

/* to[q][o] = from[o][q] for q < n and o < outputs, with zeros for outputs <= o < width; width is a multiple of 4.  Of
 * float32, 4 times 4 numbers are transposed in registers. */
#if defined(__clang__)
#define PICK(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
typedef int mg_places __attribute__((vector_size(16)));
#define PICK(a, b, i, j, k, l) __builtin_shuffle(a, b, (mg_places){i, j, k, l})
#endif

static inline void mg_columns_float(const float *from, mg_n by_output, mg_n outputs, mg_n n, float *to, mg_n width)
{
    mg_n first, q, o, i;
    for (first = 0; first < n; first += 16)                 /* a line of the cache, of each output */
        for (o = 0; o < width; o += 4)
            for (q = first; q < n && q < first + 16; q += 4) {
                const float *x = from + o * by_output + q;
                float *y = to + q * width + o;
                if (o + 4 > outputs || q + 4 > n) {
                    for (i = 0; i < 16; i++)
                        if (q + i / 4 < n)
                            y[i / 4 * width + i % 4] = o + i % 4 < outputs ? x[i % 4 * by_output + i / 4] : 0;
                    continue;
                }
                mg_piece a = *(const mg_piece *)x, b = *(const mg_piece *)(x + by_output);
                mg_piece c = *(const mg_piece *)(x + 2 * by_output), d = *(const mg_piece *)(x + 3 * by_output);
                mg_piece ab = PICK(a, b, 0, 4, 1, 5), cd = PICK(c, d, 0, 4, 1, 5);
                *(mg_piece *)y = PICK(ab, cd, 0, 1, 4, 5);
                *(mg_piece *)(y + width) = PICK(ab, cd, 2, 3, 6, 7);
                ab = PICK(a, b, 2, 6, 3, 7);
                cd = PICK(c, d, 2, 6, 3, 7);
                *(mg_piece *)(y + 2 * width) = PICK(ab, cd, 0, 1, 4, 5);
                *(mg_piece *)(y + 3 * width) = PICK(ab, cd, 2, 3, 6, 7);
            }
}

static inline void mg_columns_double(const double *from, mg_n by_output, mg_n outputs, mg_n n, double *to, mg_n width)
{
    for (mg_n q = 0; q < n; q++)
        for (mg_n o = 0; o < width; o++)
            to[q * width + o] = o < outputs ? from[o * by_output + q] : 0;
}

#endif
