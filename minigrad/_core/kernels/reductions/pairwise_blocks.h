/* The leaves of sums in pairs (pairwise_sums.pyx) where nan does not count: a few rows that are added one after the
 * other, their columns side by side, as many as a register holds. */

#ifndef MG_PAIRWISE_BLOCKS_H
#define MG_PAIRWISE_BLOCKS_H

#include "kernels/loops/ufunc_loops.h"

#define COUNTED(x) ((x) == (x) ? (x) : 0)
#define FOUR_ROWS (COUNTED(a[k]) + COUNTED(a[k + s])) + (COUNTED(a[k + 2 * s]) + COUNTED(a[k + 3 * s]))

/* o[k] = the sum of what counts of a[i * s + k] over the rows i, from -0 on, to which any number is added as it is. */
#define BLOCK_NANSUM(T)                                                                                                \
    static void mg_block_nansum_##T(const T *restrict a, T *restrict o, mg_n rows, mg_n width, mg_n s)                 \
    {                                                                                                                  \
        for (mg_n k = 0; k < width; k++)                                                                               \
            o[k] = -(T)0;                                                                                              \
        for (; rows >= 4; rows -= 4, a += 4 * s)                                                                       \
            for (mg_n k = 0; k < width; k++)                                                                           \
                o[k] += FOUR_ROWS;                                                                                     \
        for (; rows > 0; rows--, a += s)                                                                               \
            for (mg_n k = 0; k < width; k++)                                                                           \
                o[k] += COUNTED(a[k]);                                                                                 \
    }

FOR_ALL("arch=x86-64-v3", "default")
BLOCK_NANSUM(float)
BLOCK_NANSUM(double)
#undef BLOCK_NANSUM
#undef FOUR_ROWS
#undef COUNTED

#endif
