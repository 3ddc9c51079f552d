/* The numbers of `arange` and `linspace`, to the last digit as PyTorch computes them with the vectors of AVX2.

   Each product joined with a sum is rounded once (fma). `arange` computes in double precision: two vectors at once,
   of the first number of a vector, and of the others by their distance from what that was rounded to; what is left,
   one by one:

       float32, 20 numbers     start + 0 step = a     a + step ... a + 7 step      a vector of 8
                               start + 8 step = b     b + step ... b + 7 step      another
                               start + 16 step, start + 17 step ... start + 19 step

   `linspace` computes in the dtype of the result, each number from the nearer end. */

#ifndef MINIGRAD_RANGES_H
#define MINIGRAD_RANGES_H

#include "../kernels/loops/ufunc_loops.h"

#define VECTOR 32               /* bytes */
#define WIDE_RANGE FOR_ALL("arch=x86-64-v3", "default")

#define ARANGE(name, T)                                                                                                \
    WIDE_RANGE static void name(T *out, mg_n n, double start, double step)                                             \
    {                                                                                                                  \
        const mg_n lanes = VECTOR / sizeof(T), whole = n - n % (2 * lanes);                                            \
        for (mg_n i = 0; i < whole; i += lanes) {                                                                      \
            T first = (T)fma(step, (double)i, start);                                                                  \
            for (mg_n k = 0; k < lanes; k++)                                                                           \
                out[i + k] = (T)fma(step, (double)k, (double)first);                                                   \
        }                                                                                                              \
        for (mg_n i = whole; i < n; i++)                                                                               \
            out[i] = (T)fma(step, (double)i, start);                                                                   \
    }
ARANGE(mg_arange_floats, float)
ARANGE(mg_arange_doubles, double)

#define LINSPACE(name, T, joined)                                                                                      \
    WIDE_RANGE static void name(T *out, mg_n n, T start, T end)                                                        \
    {                                                                                                                  \
        const T step = n > 1 ? (end - start) / (T)(n - 1) : 0;                                                         \
        const mg_n half = n > 1 ? n / 2 : n;                                                                           \
        for (mg_n i = 0; i < half; i++)                                                                                \
            out[i] = joined(step, (T)i, start);                                                                        \
        for (mg_n i = half; i < n; i++)                                                                                \
            out[i] = joined(-step, (T)(n - 1 - i), end);                                                               \
    }
LINSPACE(mg_linspace_floats, float, fmaf)
LINSPACE(mg_linspace_doubles, double, fma)

#endif
