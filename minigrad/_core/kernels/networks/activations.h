/* Inner loops of piecewise activations, and of gates; activations.pyx makes ufuncs of them. */
#ifndef MINIGRAD_ACTIVATIONS_H
#define MINIGRAD_ACTIVATIONS_H

#include "kernels/loops/ufunc_loops.h"

/* As in new_ufuncs.h: a product and a sum are rounded one by one, as NumPy does. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("no-trapping-math", "no-math-errno", "fp-contract=off")
#endif
#define WIDE FOR_ALL("arch=x86-64-v4", "arch=x86-64-v3", "default")
#define COSTLY 0
#include "sigmoids.h"

/* ---- x with a piece around 0 taken out: y says how far it reaches */

BINARY_REAL(hardshrink, (x >= -y) & (x <= y) ? 0 : x)
BINARY_REAL(shrunk, x > y ? x - y : x < -y ? x + y : x == x ? 0 : x)
TERNARY_REAL(beyond, (y >= -z) & (y <= z) ? 0 : x)

/* it may not be negative, nor infinite */
#define SOFTSHRINK(T)                                                                                                  \
    static void softshrink_##T(char **p, const mg_n *n, const mg_n *s, void *data)                                     \
    {                                                                                                                  \
        for (mg_n i = 0; i < *n && (i == 0 || s[1]); i++) {                                                            \
            T y = *(T *)(p[1] + i * s[1]);                                                                             \
            if (!(y >= 0 && y < INFINITY)) {                                                                           \
                refuse_operands(data);                                                                                 \
                return;                                                                                                \
            }                                                                                                          \
        }                                                                                                              \
        shrunk_##T(p, n, s, data);                                                                                     \
    }
SOFTSHRINK(float)
SOFTSHRINK(double)

/* ---- straight from -3 to 3 */

#define RISING(x) ((x) + 3 < 0 ? 0 : (x) + 3 > 6 ? 6 : (x) + 3)

UNARY_REAL(hardsigmoid, RISING(x) / 6)
UNARY_REAL(hardswish, x * RISING(x) / 6)
UNARY_REAL(hardswish_slope, x <= -3 ? 0 : x < 3 ? x / 3 + 0.5f : 1)
TERNARY_REAL(inside, (y > -z) & (y < z) ? x : 0)

/* ---- a slope of its own below 0 */

BINARY_REAL(prelu, x > 0 ? x : x * y)
TERNARY_REAL(prelu_backward, y > 0 ? x : x * z)
BINARY_REAL(not_above_zero, y > 0 ? 0 : x)

#undef COSTLY
#define COSTLY 1

/* ---- a gate: x is let through as far as sigmoid(y) is open, and z is the gradient */

BINARY(gated_float, float, float, float, x * (1 / (1 + exp_single(-y))))
BINARY(gated_double, double, double, double, x * (1 / (1 + exp_all(-y))))

INLINE float gate_slope_float(float x, float y, float z)
{
    float gate = 1 / (1 + exp_single(-y));
    return (1 - gate) * gate * z * x;
}

INLINE double gate_slope_double(double x, double y, double z)
{
    double gate = 1 / (1 + exp_all(-y));
    return (1 - gate) * gate * z * x;
}

TERNARY(gate_backward_float, float, float, float, float, gate_slope_float(x, y, z))
TERNARY(gate_backward_double, double, double, double, double, gate_slope_double(x, y, z))

/* ---- the state and the output of an LSTM, and what both need backward: d tanh(g) s'(i) and d tanh'(g) s(i) */

#define LSTM(T, R)                                                                                                     \
    INLINE T gate_of_tanh_##T(T d, T g, T i)                                                                           \
    {                                                                                                                  \
        T s = sigmoid_##R(i);                                                                                          \
        return d * tanh_##R(g) * (s * (1 - s));                                                                        \
    }                                                                                                                  \
    INLINE T tanh_of_gate_##T(T d, T g, T i)                                                                           \
    {                                                                                                                  \
        T t = tanh_##R(g);                                                                                             \
        return d * sigmoid_##R(i) * (1 - t * t);                                                                       \
    }                                                                                                                  \
    FOUR(lstm_state_##T, T, sigmoid_##R(y) * w + sigmoid_##R(x) * tanh_##R(z))                                         \
    BINARY(lstm_output_##T, T, T, T, sigmoid_##R(x) * tanh_##R(y))                                                     \
    TERNARY(lstm_gate_backward_##T, T, T, T, T, gate_of_tanh_##T(x, y, z))                                             \
    TERNARY(lstm_tanh_backward_##T, T, T, T, T, tanh_of_gate_##T(x, y, z))
LSTM(float, single)
LSTM(double, double)

static mg_function FUNCTIONS[] = {
    REAL(hardshrink, "xxx"),
    REAL(softshrink, "xxx"),
    REAL(beyond, "xxxx"),
    REAL(hardsigmoid, "xx"),
    REAL(hardswish, "xx"),
    REAL(hardswish_slope, "xx"),
    REAL(inside, "xxxx"),
    REAL(prelu, "xxx"),
    REAL(prelu_backward, "xxxx"),
    REAL(not_above_zero, "xxx"),
    REAL(gated, "xxx"),
    REAL(gate_backward, "xxxx"),
    REAL(lstm_state, "xxxxx"),
    REAL(lstm_output, "xxx"),
    REAL(lstm_gate_backward, "xxxx"),
    REAL(lstm_tanh_backward, "xxxx"),
};

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

#endif
