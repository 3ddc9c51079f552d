/* How far numbers are from what they should be: loops over an array, and the same numbers with more digits beside it.
 *
 * The largest relative error needs no division for most elements: |high - low| > worst |high| says whether one is worse
 * than the worst so far, and few are.  So a block is looked at without branches, and gone through only if it has one.
 */
#ifndef MINIGRAD_ROUNDING_ERRORS_H
#define MINIGRAD_ROUNDING_ERRORS_H

#include "kernels/loops/ufunc_loops.h"

enum { MG_FEW = 64 };

#define MG_WIDE FOR_ALL("avx2", "default")

/* 0 where they are the same, nan and nan or inf and inf too; inf where one is not finite and the other is another. */
static double mg_error_of(double low, double high)
{
    double error = fabs(high - low) / fabs(high);
    if (low == high || (low != low && high != high))
        return 0;
    return isfinite(error) ? error : INFINITY;
}

#define MG_LARGEST_ERROR(name, T)                                                                                      \
    MG_WIDE static double name(const T *low, const double *high, mg_n n, double worst)                                 \
    {                                                                                                                  \
        for (mg_n start = 0; start < n && worst < INFINITY; start += MG_FEW) {                                         \
            mg_n end = n - start < MG_FEW ? n : start + MG_FEW;                                                        \
            int64_t worse = 0;                                                                                         \
            for (mg_n i = start; i < end; i++) {                                                                       \
                double distance = fabs(high[i] - (double)low[i]);                                                      \
                worse |= (distance > worst * fabs(high[i])) | (distance - distance != 0);                              \
            }                                                                                                          \
            for (mg_n i = start; worse && i < end; i++)                                                                \
                worst = fmax(worst, mg_error_of(low[i], high[i]));                                                     \
        }                                                                                                              \
        return worst;                                                                                                  \
    }

MG_LARGEST_ERROR(mg_largest_error_f, float)
MG_LARGEST_ERROR(mg_largest_error_d, double)

/* Of every step-th number: its relative error, and the same measured against a part `floor` of the largest of them,
 * where it is smaller than that. */
#define MG_ERRORS(name, T)                                                                                             \
    static void name(const T *low, const double *high, mg_n n, mg_n step, double floor, double *error, double *typical)\
    {                                                                                                                  \
        double least = 0;                                                                                              \
        for (mg_n i = 0; i < n; i += step)                                                                             \
            if (isfinite(high[i]))                                                                                     \
                least = fmax(least, floor * fabs(high[i]));                                                            \
        for (mg_n i = 0, k = 0; i < n; i += step, k++) {                                                               \
            double distance = fabs(high[i] - low[i]);                                                                  \
            error[k] = typical[k] = mg_error_of(low[i], high[i]);                                                      \
            if (error[k] > 0 && isfinite(distance))                                                                    \
                typical[k] = distance / fmax(least, fabs(high[i]));                                                    \
        }                                                                                                              \
    }

MG_ERRORS(mg_errors_f, float)
MG_ERRORS(mg_errors_d, double)

MG_WIDE static void mg_raise(const float *from, double *to, mg_n n)
{
    EACH
    for (mg_n i = 0; i < n; i++)
        to[i] = from[i];
}

/* Of every step-th sum a + b: in how many was one of the terms, which is not 0, not felt?  A step of 0 in a term: it is
 * one number. */
#define MG_ABSORBED(name, T)                                                                                           \
    static mg_n name(const T *sum, const T *a, mg_n step_a, const T *b, mg_n step_b, mg_n n, mg_n step)                \
    {                                                                                                                  \
        mg_n found = 0;                                                                                                \
        for (mg_n i = 0; i < n; i += step) {                                                                           \
            T x = a[i * step_a], y = b[i * step_b];                                                                    \
            found += (sum[i] == x && y != 0) || (fabs(sum[i]) == fabs(y) && x != 0);                                   \
        }                                                                                                              \
        return found;                                                                                                  \
    }

MG_ABSORBED(mg_absorbed_f, float)
MG_ABSORBED(mg_absorbed_d, double)

#endif
