/* The products of lines that lie side by side, kept in double precision: see line_reductions.pyx.
 *
 *     a (n, inner)    o[k] = a[0][k] a[1][k] a[2][k] ...
 *
 * Narrow rows are taken several at a time, as if they were one row, whose parts are multiplied at the end. */

#ifndef MG_PRODUCTS_H
#define MG_PRODUCTS_H

#include "kernels/loops/ufunc_loops.h"

#define WIDE "arch=x86-64-v3", "default"
#define LANES 16                /* products at a time, at least */
#define ROOM 512                /* and at most: they stay in the first cache */

#define PRODUCTS(T)                                                                                                    \
    FOR_ALL(WIDE)                                                                                                      \
    static double mg_line_product_##T(const T *a, mg_n n)                                                              \
    {                                                                                                                  \
        double lanes[LANES], all = 1;                                                                                  \
        mg_n i = 0;                                                                                                    \
        if (n >= 2 * LANES) {                                                                                          \
            for (int k = 0; k < LANES; k++)                                                                            \
                lanes[k] = 1;                                                                                          \
            for (; i + LANES <= n; i += LANES)                                                                         \
                for (int k = 0; k < LANES; k++)                                                                        \
                    lanes[k] *= a[i + k];                                                                              \
            for (int k = 0; k < LANES; k++)                                                                            \
                all *= lanes[k];                                                                                       \
        }                                                                                                              \
        for (; i < n; i++)                                                                                             \
            all *= a[i];                                                                                               \
        return all;                                                                                                    \
    }                                                                                                                  \
                                                                                                                       \
    FOR_ALL(WIDE)                                                                                                      \
    static void mg_rows_product_##T(double *restrict o, const T *restrict a, mg_n n, mg_n width, mg_n step)            \
    {                                                                                                                  \
        for (; n >= 4; n -= 4, a += 4 * step)                                                                          \
            for (mg_n k = 0; k < width; k++)                                                                           \
                o[k] *= ((double)a[k] * a[k + step]) * ((double)a[k + 2 * step] * a[k + 3 * step]);                    \
        for (; n > 0; n--, a += step)                                                                                  \
            for (mg_n k = 0; k < width; k++)                                                                           \
                o[k] *= a[k];                                                                                          \
    }                                                                                                                  \
                                                                                                                       \
    static void mg_products_##T(T *o, const T *a, mg_n n, mg_n inner)                                                  \
    {                                                                                                                  \
        double row[ROOM];                                                                                              \
        if (inner == 1) {                                                                                              \
            o[0] = (T)mg_line_product_##T(a, n);                                                                       \
            return;                                                                                                    \
        }                                                                                                              \
        const mg_n together = inner < LANES && n * inner >= 4 * LANES ? 2 * LANES / inner : 1, rows = n / together;    \
        for (mg_n first = 0; first < inner; first += ROOM) {                                                           \
            const mg_n width = inner - first < ROOM ? inner - first : ROOM;                                            \
            for (mg_n k = 0; k < width * together; k++)                                                                \
                row[k] = 1;                                                                                            \
            mg_rows_product_##T(row, a + first, rows, width * together, inner * together);                             \
            mg_rows_product_##T(row, a + first + rows * together * inner, n - rows * together, width, inner);          \
            for (mg_n part = 1; part < together; part++)                                                               \
                for (mg_n k = 0; k < width; k++)                                                                       \
                    row[k] *= row[part * width + k];                                                                   \
            for (mg_n k = 0; k < width; k++)                                                                           \
                o[first + k] = (T)row[k];                                                                              \
        }                                                                                                              \
    }

PRODUCTS(float)
PRODUCTS(double)
#undef PRODUCTS
#undef ROOM
#undef LANES
#undef WIDE

#endif
