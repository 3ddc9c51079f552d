/* Inner loops of the losses of single elements, and of their slopes; elementwise_losses.pyx makes ufuncs of them. */
#ifndef MINIGRAD_LOSSES_H
#define MINIGRAD_LOSSES_H

#include "kernels/loops/ufunc_loops.h"

/* As in new_ufuncs.h: a product and a sum are rounded one by one, as NumPy does. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("no-trapping-math", "no-math-errno", "fp-contract=off")
#endif
#define WIDE FOR_ALL("arch=x86-64-v4", "arch=x86-64-v3", "default")
#define COSTLY 0
#include "kernels/loops/exponentials.h"

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

#undef COSTLY
#define COSTLY 1

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

/* The smaller of the two probabilities, sigmoid(-|x|), counts once if "yes" has no weight w of its own, however large y
 * is. */
#define COUNT(y, w) ((w) == 1 ? 1 : 1 + ((w) - 1) * (y))

INLINE double of_logit_float(double x, double y, double w)
{
    double e = log1p_near(exp_clipped(-fabs(x)));
    return (x > 0 ? (1 - y) * x : -y * w * x) + COUNT(y, w) * e;
}

INLINE double of_logit_double(double x, double y, double w)
{
    double e = log1p_all(exp_all(-fabs(x)));
    return (x > 0 ? (1 - y) * x : -y * w * x) + COUNT(y, w) * e;
}

INLINE double logit_slope_float(double x, double y, double w)
{
    double e = exp_clipped(-fabs(x));
    double a = COUNT(y, w) * (e / (1 + e));
    return x > 0 ? (1 - y) - a : a - y * w;
}

INLINE double logit_slope_double(double x, double y, double w)
{
    double e = exp_all(-fabs(x));
    double a = COUNT(y, w) * (e / (1 + e));
    return x > 0 ? (1 - y) - a : a - y * w;
}

FOUR(binary_cross_entropy_with_logits_float, float, (float)of_logit_float(x, y, w) * z)
FOUR(binary_cross_entropy_with_logits_double, double, of_logit_double(x, y, w) * z)
TERNARY(logit_loss_slope_float, float, float, float, float, logit_slope_float(x, y, z))
TERNARY(logit_loss_slope_double, double, double, double, double, logit_slope_double(x, y, z))

/* ---- of y, a probability or its logarithm, and x, the logarithm of what is predicted */

#define TIMES_LOG(y, log_y) ((y) == 0 ? 0 : (y) * (log_y))

BINARY(kl_div_float, float, float, float, TIMES_LOG(y, (float)log_of(y)) - y * x)
BINARY(kl_div_double, double, double, double, TIMES_LOG(y, log_all(y)) - y * x)
BINARY(kl_div_of_logs_float, float, float, float, (float)exp_clipped(y) * (y - x))
BINARY(kl_div_of_logs_double, double, double, double, exp_all(y) * (y - x))

/* ---- of y, which was counted, and a rate: its logarithm x, or x + z */

BINARY(poisson_of_log_float, float, float, float, (float)exp_clipped(x) - y * x)
BINARY(poisson_of_log_double, double, double, double, exp_all(x) - y * x)
TERNARY(poisson_float, float, float, float, float, x - y * (float)log_of(x + z))
TERNARY(poisson_double, double, double, double, double, x - y * log_all(x + z))
UNARY(stirling_float, float, float, x <= 1 ? 0 : x * (float)log_of(x) - x + 0.5f * (float)log_of(6.28318531f * x))
UNARY(stirling_double, double, double, x <= 1 ? 0 : x * log_all(x) - x + 0.5 * log_all(6.28318530717958647693 * x))

/* ---- of y, drawn around x with the variance z */

TERNARY(gaussian_float, float, float, float, float, 0.5f * ((float)log_of(z) + (x - y) * (x - y) / z))
TERNARY(gaussian_double, double, double, double, double, 0.5 * (log_all(z) + (x - y) * (x - y) / z))

#define VARIANCE(T)                                                                                                    \
    BINARY(at_least_##T, T, T, T, x < y ? y : x)                                                                       \
    static void variance_##T(char **p, const mg_n *n, const mg_n *s, void *data)                                       \
    {                                                                                                                  \
        int negative = 0;                                                                                              \
        for (mg_n i = 0; i < *n; i++)                                                                                  \
            negative |= *(T *)(p[0] + i * s[0]) < 0;                                                                   \
        if (negative)                                                                                                  \
            refuse_operands(data);                                                                                     \
        else                                                                                                           \
            at_least_##T(p, n, s, data);                                                                               \
    }
VARIANCE(float)
VARIANCE(double)

#undef COSTLY
#define COSTLY 0

/* ---- of a margin: what is below 0 costs nothing; and where the margin is not kept, or just so */

#define UP(x) ((x) < 0 ? 0 : (x))

TERNARY_REAL(hinge_embedding, (y != 1 ? UP(z - x) : 0) + (y != -1 ? x : 0))
TERNARY_REAL(hinge_embedding_slope, ((y != -1) - ((y != 1) & (z - x >= 0))))
FOUR_REAL(margin_ranking, UP(-z * (x - y) + w))
FOUR_REAL(margin_ranking_reached, -z * (x - y) + w >= 0)
TERNARY_REAL(triplet, UP(z + x - y))
TERNARY_REAL(triplet_reached, z + x - y >= 0)
TERNARY_REAL(cosine_embedding, y == 1 ? 1 - x : y == -1 ? UP(x - z) : 0)
TERNARY_REAL(cosine_embedding_slope, y == 1 ? -1 : (y == -1) & (x - z >= 0))
TERNARY(cosine_float, float, float, float, float, x / sqrtf((y + 1e-12f) * (z + 1e-12f)))
TERNARY(cosine_double, double, double, double, double, x / sqrt((y + 1e-12) * (z + 1e-12)))
TERNARY_REAL(apart, x - y + z)

/* log(1 + exp(-y x)) */
#undef COSTLY
#define COSTLY 1
BINARY(soft_margin_float, float, float, float,
       (float)(POSITIVE_PART(-y * x) + log1p_near(exp_clipped(-fabs((double)y * x)))))
BINARY(soft_margin_double, double, double, double, POSITIVE_PART(-y * x) + log1p_all(exp_all(-fabs(y * x))))
BINARY(soft_margin_slope_float, float, float, float, (float)(-y / (1 + exp_clipped((double)y * x))))
BINARY(soft_margin_slope_double, double, double, double, -y / (1 + exp_all(y * x)))

static mg_function FUNCTIONS[] = {
    REAL(squared_difference, "xxx"),
    REAL(smooth_l1, "xxxx"),
    REAL(huber, "xxxx"),
    REAL(binary_cross_entropy, "xxxx"),
    REAL(binary_cross_entropy_slope, "xxx"),
    REAL(binary_cross_entropy_with_logits, "xxxxx"),
    REAL(logit_loss_slope, "xxxx"),
    REAL(kl_div, "xxx"),
    REAL(kl_div_of_logs, "xxx"),
    REAL(poisson_of_log, "xxx"),
    REAL(poisson, "xxxx"),
    REAL(stirling, "xx"),
    REAL(gaussian, "xxxx"),
    REAL(variance, "xxx"),
    REAL(hinge_embedding, "xxxx"),
    REAL(hinge_embedding_slope, "xxxx"),
    REAL(margin_ranking, "xxxxx"),
    REAL(margin_ranking_reached, "xxxxx"),
    REAL(triplet, "xxxx"),
    REAL(triplet_reached, "xxxx"),
    REAL(cosine_embedding, "xxxx"),
    REAL(cosine_embedding_slope, "xxxx"),
    REAL(cosine, "xxxx"),
    REAL(apart, "xxxx"),
    REAL(soft_margin, "xxx"),
    REAL(soft_margin_slope, "xxx"),
};

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

#endif
