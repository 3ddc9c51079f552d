/* Running totals of exponentials: y[i] = log(exp(y[i - 1]) + exp(x[i])), the larger of the two taken out first.
 *
 * The total is kept in double precision, as that of every running sum.  Each number waits for the one before it, so
 * many lines are taken side by side, a number of each at a time.
 */
#ifndef MINIGRAD_RUNNING_H
#define MINIGRAD_RUNNING_H

#include "kernels/loops/ufunc_loops.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("no-trapping-math")
#endif
#define WIDE FOR_ALL("arch=x86-64-v4", "arch=x86-64-v3", "default")
#include "kernels/loops/exponentials.h"

#define SIDE_BY_SIDE 64

#define RUNNING_LOG(T, exp_of_negative, log1p_of)                                                                      \
    INLINE double add_exponentials_##T(double x, double y)                                                             \
    {                                                                                                                  \
        double sum = (x > y ? x : y) + log1p_of(exp_of_negative(-fabs(x - y)));                                        \
        sum = x - y == x - y ? sum : x + y;                         /* nan */                                          \
        return x == y ? x + 0.69314718055994530942 : sum;           /* infinities too */                               \
    }                                                                                                                  \
                                                                                                                       \
    /* of lines that begin `line` numbers apart, along n numbers that lie `step` apart */                              \
    WIDE static void running_log_##T(const T *x, T *o, mg_n lines, mg_n line, mg_n n, mg_n step)                       \
    {                                                                                                                  \
        double y[SIDE_BY_SIDE];                                                                                        \
        for (; lines > 0; lines -= SIDE_BY_SIDE, x += SIDE_BY_SIDE * line, o += SIDE_BY_SIDE * line) {                 \
            mg_n m = lines < SIDE_BY_SIDE ? lines : SIDE_BY_SIDE;                                                      \
            for (mg_n k = 0; k < m; k++)                                                                               \
                y[k] = o[k * line] = x[k * line];                                                                      \
            for (mg_n i = 1; i < n; i++) {                                                                             \
                EACH for (mg_n k = 0; k < m; k++)                                                                      \
                    y[k] = add_exponentials_##T(x[k * line + i * step], y[k]);                                         \
                for (mg_n k = 0; k < m; k++)                                                                           \
                    o[k * line + i * step] = (T)y[k];                                                                  \
            }                                                                                                          \
        }                                                                                                              \
    }
RUNNING_LOG(float, exp_clipped, log1p_near)
RUNNING_LOG(double, exp_all, log1p_all)

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

#endif
