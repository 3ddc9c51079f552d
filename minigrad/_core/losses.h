/* Inner loops of the losses of single elements, and of a slope; losses.pyx makes ufuncs of them. */
#ifndef MINIGRAD_LOSSES_H
#define MINIGRAD_LOSSES_H

#include "ufunc_loops.h"

/* As in elementwise.h: a product and a sum are rounded one by one, as NumPy does. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("no-trapping-math", "no-math-errno", "fp-contract=off")
#endif
#define WIDE FOR_ALL("arch=x86-64-v4", "arch=x86-64-v3", "default")
#include "exponentials.h"

/* ---- of a difference: x is the input, y the target, z beta or delta */

INLINE float smooth_l1_of_float(float d, float z) { return d < z ? 0.5f * d * d / z : d - 0.5f * z; }
INLINE double smooth_l1_of_double(double d, double z) { return d < z ? 0.5 * d * d / z : d - 0.5 * z; }
INLINE float huber_of_float(float d, float z) { return d <= z ? 0.5f * d * d : z * (d - 0.5f * z); }
INLINE double huber_of_double(double d, double z) { return d <= z ? 0.5 * d * d : z * (d - 0.5 * z); }

BINARY_REAL(squared_difference, (x - y) * (x - y))
TERNARY(smooth_l1_float, float, float, float, float, smooth_l1_of_float(fabsf(x - y), z))
TERNARY(smooth_l1_double, double, double, double, double, smooth_l1_of_double(fabs(x - y), z))
TERNARY(huber_float, float, float, float, float, huber_of_float(fabsf(x - y), z))
TERNARY(huber_double, double, double, double, double, huber_of_double(fabs(x - y), z))

/* ---- of a probability x, or of one that is sigmoid(x): y is the target, and then come the weights */

#define AT_LEAST(x, low) ((x) > (low) ? (x) : (low))
#define POSITIVE_PART(x) ((x) > 0 ? (x) : (x) == (x) ? 0 : (x))

INLINE double uncertainty_float(double x, double y)
{
    return (y - 1) * AT_LEAST(x < 1 ? log1p_near(-x) : -100, -100) - y * AT_LEAST(log_of(x), -100);
}

INLINE double uncertainty_double(double x, double y)
{
    double no = x < 1 ? log1p_all(-x) : -100;
    no = x == 0 ? -x : no;                                      /* -0., as it should be */
    return (y - 1) * AT_LEAST(no, -100) - y * AT_LEAST(log_all(x), -100);
}

#define OF_PROBABILITIES(T)                                                                                            \
    TERNARY(weighted_uncertainty_##T, T, T, T, T, (T)uncertainty_##T(x, y) * z)                                        \
    static int probabilities_##T(const char *p, mg_n n, mg_n s)                                                        \
    {                                                                                                                  \
        int all = 1;                                                                                                   \
        for (mg_n i = 0; i < (s ? n : 1); i++) {                                                                       \
            T x = *(const T *)(p + i * s);                                                                             \
            all &= (x >= 0) & (x <= 1);                                                                                \
        }                                                                                                              \
        return all;                                                                                                    \
    }                                                                                                                  \
    static void binary_cross_entropy_##T(char **p, const mg_n *n, const mg_n *s, void *data)                           \
    {                                                                                                                  \
        if (probabilities_##T(p[0], *n, s[0]) && probabilities_##T(p[1], *n, s[1]))                                    \
            weighted_uncertainty_##T(p, n, s, data);                                                                   \
        else                                                                                                           \
            refuse_operands(data);                                                                                     \
    }
OF_PROBABILITIES(float)
OF_PROBABILITIES(double)

BINARY(binary_cross_entropy_slope_float, float, float, float, (x - y) / AT_LEAST((1 - x) * x, 1e-12f))
BINARY(binary_cross_entropy_slope_double, double, double, double, (x - y) / AT_LEAST((1 - x) * x, 1e-12))

INLINE double of_logit_float(double x, double no, double yes)
{
    double e = log1p_near(exp_clipped(-fabs(x)));
    return no * (POSITIVE_PART(x) + e) + yes * (POSITIVE_PART(-x) + e);
}

INLINE double of_logit_double(double x, double no, double yes)
{
    double e = log1p_all(exp_all(-fabs(x)));
    return no * (POSITIVE_PART(x) + e) + yes * (POSITIVE_PART(-x) + e);
}

FOUR(binary_cross_entropy_with_logits_float, float, (float)of_logit_float(x, 1 - y, y * w) * z)
FOUR(binary_cross_entropy_with_logits_double, double, of_logit_double(x, 1 - y, y * w) * z)

static mg_function FUNCTIONS[] = {
    REAL(squared_difference, "xxx"),
    REAL(smooth_l1, "xxxx"),
    REAL(huber, "xxxx"),
    REAL(binary_cross_entropy, "xxxx"),
    REAL(binary_cross_entropy_slope, "xxx"),
    REAL(binary_cross_entropy_with_logits, "xxxxx"),
};

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

#endif
