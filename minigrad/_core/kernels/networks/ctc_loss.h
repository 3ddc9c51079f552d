/* From one time to the next, for all states of a text at once; see ctc_loss.pyx. */
#ifndef MINIGRAD_CTC_H
#define MINIGRAD_CTC_H

#include "kernels/loops/ufunc_loops.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("no-trapping-math", "no-math-errno")
#endif
#define WIDE FOR_ALL("arch=x86-64-v3", "default")
#include "kernels/loops/exponentials.h"

/* The logarithm of a sum of three exponentials, where all may be -inf: then nothing is taken away from them. */
#define LOG_SUM(T, EXP, LOG)                                                                                           \
    INLINE double log_sum_##T(double a, double b, double c)                                                            \
    {                                                                                                                  \
        double top = a > b ? a : b;                                                                                    \
        top = c > top ? c : top;                                                                                       \
        top = top == -INFINITY ? 0 : top;                                                                              \
        return top + LOG(EXP(a - top) + EXP(b - top) + EXP(c - top));                                                  \
    }
LOG_SUM(float, exp_clipped, log_of)
LOG_SUM(double, exp_all, log_all)

/* Two more elements lie in front of `before`; `skip` is 0 where a step over one state is allowed, and else -inf. */
#define STEP(T)                                                                                                        \
    WIDE static void step_##T(const T *before, const T *skip, T *to, mg_n n)                                           \
    {                                                                                                                  \
        EACH for (mg_n i = 0; i < n; i++)                                                                              \
            to[i] = (T)log_sum_##T(before[i], before[i - 1], skip[i] == 0 ? before[i - 2] : -INFINITY);                \
    }
STEP(float)
STEP(double)

/* exp(a + b + c), and 0 where one of the first two is -inf */
#define SHARES(T, EXP)                                                                                                 \
    WIDE static void shares_##T(const T *a, const T *b, T c, T *to, mg_n n)                                            \
    {                                                                                                                  \
        EACH for (mg_n i = 0; i < n; i++) {                                                                            \
            double share = EXP((double)a[i] + b[i] + c);                                                               \
            to[i] = (T)((a[i] == -INFINITY) | (b[i] == -INFINITY) ? 0 : share);                                        \
        }                                                                                                              \
    }
SHARES(float, exp_clipped)
SHARES(double, exp_all)

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

#endif
