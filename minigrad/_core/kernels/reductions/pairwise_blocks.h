/* The leaves of sums in pairs (pairwise_sums.pyx): a few rows that are added one after the other, four at a time, since
 * totals in memory cost more than additions.  Columns are added side by side, as many as a register holds, and each in
 * the same order on any processor. */

#ifndef MG_PAIRWISE_BLOCKS_H
#define MG_PAIRWISE_BLOCKS_H

#include "kernels/loops/ufunc_loops.h"

#define FOUR_ROWS(a, s, k) ((TERM((a)[k]) + TERM((a)[k + s])) + (TERM((a)[k + 2 * s]) + TERM((a)[k + 3 * s])))

/* o[k] = the sum of TERM(a[i * s + k]) over the rows i */
#define BLOCK_SUM(name, T)                                                                                             \
    FOR_ALL("arch=x86-64-v3", "default")                                                                               \
    static void name##_##T(const T *restrict a, T *restrict o, mg_n rows, mg_n width, mg_n s)                          \
    {                                                                                                                  \
        mg_n left = rows >= 4 ? rows - 4 : rows - 1;                                                                   \
        for (mg_n k = 0; k < width; k++)                                                                               \
            o[k] = rows < 4 ? TERM(a[k]) : FOUR_ROWS(a, s, k);                                                         \
        a += (rows - left) * s;                                                                                        \
        for (; left >= 4; left -= 4, a += 4 * s)                                                                       \
            for (mg_n k = 0; k < width; k++)                                                                           \
                o[k] += FOUR_ROWS(a, s, k);                                                                            \
        for (; left > 0; left--, a += s)                                                                               \
            for (mg_n k = 0; k < width; k++)                                                                           \
                o[k] += TERM(a[k]);                                                                                    \
    }

#define TERM(x) (x)
BLOCK_SUM(mg_block_sum, float)
BLOCK_SUM(mg_block_sum, double)
#undef TERM
#define TERM(x) ((x) == (x) ? (x) : 0)
BLOCK_SUM(mg_block_nansum, float)
BLOCK_SUM(mg_block_nansum, double)
#undef TERM
#undef BLOCK_SUM
#undef FOUR_ROWS

#endif
