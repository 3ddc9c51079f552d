/* One step of a recurrent network, for all examples, and the way back through it: recurrent_layer.pyx.
 *
 * A cell is its two bodies, for the element j of an example's state: IN(k) is what the input gives to its gate k, OF(k)
 * what the state gives, and in GATE(k) it is kept how far the gate was open.  They are written once for both dtypes. */
#ifndef MINIGRAD_RECURRENT_LAYER_H
#define MINIGRAD_RECURRENT_LAYER_H

#include "kernels/loops/ufunc_loops.h"

/* As in activations.h: a product and a sum are rounded one by one, as NumPy does. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("no-trapping-math", "no-math-errno", "fp-contract=off")
#endif
/* The products take most of the time: two processors are told apart, and in double precision none. */
#define WIDE FOR_ALL("arch=x86-64-v3", "default")
#include "sigmoids.h"

#define SIGMOID(x) _Generic(x, float: sigmoid_single, double: sigmoid_double)(x)
#define TANH(x) _Generic(x, float: tanh_single, double: tanh_double)(x)

#define GATE(k) gate[j + (k) * size]
#define IN(k) (GATE(k) + b_ih[j + (k) * size])
#define OF(k) (of_h[j + (k) * size] + b_hh[j + (k) * size])

/* What a step reads and writes.  `before` is what goes on by itself, past the gates: c of an LSTM, h of a GRU; `kept` is
 * what the way back needs besides the gates. */
#define FORWARD_STEP(T)                                                                                                \
    T *gates, const T *of_h, const T *b_ih, const T *b_hh, const T *before, mg_n examples, mg_n size, T *kept,         \
        T *outputs
#define FORWARD(WIDE, CELL, T, GATES, ...)                                                                             \
    WIDE static void CELL##_forward_##T(FORWARD_STEP(T))                                                               \
    {                                                                                                                  \
        typedef T real;                                                                                                \
        (void)before, (void)kept;                                                                                      \
        for (mg_n k = 0; k < examples; k++, of_h += GATES * size) {                                                    \
            T *gate = gates + k * GATES * size;                                                                        \
            EACH for (mg_n j = 0; j < size; j++) {                                                                     \
                mg_n at = k * size + j;                                                                                \
                __VA_ARGS__                                                                                            \
            }                                                                                                          \
        }                                                                                                              \
    }

/* The gradient h of the output is the sum of `d` and what the step behind gives, `later`; `carried` is the gradient of
 * what goes on by itself, and then of what this was before.  OF_GATE(k) is the gradient of IN(k), and OF_H(k) that of
 * OF(k) where it is another one.  The output goes into `states` again where that is no work. */
#define OF_GATE(k) of_gate[j + (k) * size]
#define OF_H(k) of_hidden[j + (k) * size]
#define BACK_STEP(T)                                                                                                   \
    const T *d, const T *later, const T *gates, const T *kept, const T *before, mg_n examples, mg_n size, T *carried,  \
        T *of_gates, T *of_hidden, T *states
#define BACK(WIDE, CELL, T, GATES, ...)                                                                                \
    WIDE static void CELL##_back_##T(BACK_STEP(T))                                                                     \
    {                                                                                                                  \
        typedef T real;                                                                                                \
        (void)kept, (void)before, (void)carried, (void)states;                                                         \
        for (mg_n k = 0; k < examples; k++, of_hidden += GATES * size) {                                               \
            const T *gate = gates + k * GATES * size;                                                                  \
            T *of_gate = of_gates + k * GATES * size;                                                                  \
            EACH for (mg_n j = 0; j < size; j++) {                                                                     \
                mg_n at = k * size + j;                                                                                \
                real h = d[at] + later[at];                                                                            \
                __VA_ARGS__                                                                                            \
            }                                                                                                          \
        }                                                                                                              \
    }

#define CELL_OF(CELL, GATES, STEP, WAY_BACK)                                                                           \
    FORWARD(WIDE, CELL, float, GATES, STEP)                                                                            \
    FORWARD(, CELL, double, GATES, STEP)                                                                               \
    BACK(WIDE, CELL, float, GATES, WAY_BACK)                                                                           \
    BACK(, CELL, double, GATES, WAY_BACK)

#define LSTM_STEP                                                                                                      \
    real i = SIGMOID(IN(0) + OF(0)), f = SIGMOID(IN(1) + OF(1)), g = TANH(IN(2) + OF(2)), o = SIGMOID(IN(3) + OF(3));  \
    real c = f * before[at] + i * g;                                                                                   \
    GATE(0) = i, GATE(1) = f, GATE(2) = g, GATE(3) = o;                                                                \
    kept[at] = c;                                                                                                      \
    outputs[at] = o * TANH(c);
#define LSTM_BACK                                                                                                      \
    real i = GATE(0), f = GATE(1), g = GATE(2), o = GATE(3), t = TANH(kept[at]);                                       \
    real c = carried[at] + h * o * (1 - t * t);                                                                        \
    OF_GATE(0) = c * g * (i * (1 - i));                                                                                \
    OF_GATE(1) = c * before[at] * (f * (1 - f));                                                                       \
    OF_GATE(2) = c * i * (1 - g * g);                                                                                  \
    OF_GATE(3) = h * t * (o * (1 - o));                                                                                \
    carried[at] = c * f;                                                                                               \
    states[at] = o * t;
CELL_OF(lstm, 4, LSTM_STEP, LSTM_BACK)

#define GRU_STEP                                                                                                       \
    real r = SIGMOID(IN(0) + OF(0)), z = SIGMOID(IN(1) + OF(1)), s = OF(2), n = TANH(IN(2) + r * s);                   \
    GATE(0) = r, GATE(1) = z, GATE(2) = n;                                                                             \
    kept[at] = s;                                                                                                      \
    outputs[at] = n + z * (before[at] - n);
#define GRU_BACK                                                                                                       \
    real r = GATE(0), z = GATE(1), n = GATE(2);                                                                        \
    h += carried[at];                                                                                                  \
    real of_n = h * (1 - z) * (1 - n * n);                                                                             \
    OF_H(0) = OF_GATE(0) = of_n * kept[at] * (r * (1 - r));                                                            \
    OF_H(1) = OF_GATE(1) = h * (before[at] - n) * (z * (1 - z));                                                       \
    OF_GATE(2) = of_n;                                                                                                 \
    OF_H(2) = of_n * r;                                                                                                \
    carried[at] = h * z;
CELL_OF(gru, 3, GRU_STEP, GRU_BACK)

#define RNN_BACK(slope)                                                                                                \
    real y = GATE(0);                                                                                                  \
    OF_GATE(0) = slope;                                                                                                \
    states[at] = y;
#define TANH_STEP                                                                                                      \
    real y = TANH(IN(0) + OF(0));                                                                                      \
    outputs[at] = GATE(0) = y;
CELL_OF(rnn_tanh, 1, TANH_STEP, RNN_BACK(h * (1 - y * y)))

#define RELU_STEP                                                                                                      \
    real x = IN(0) + OF(0);                                                                                            \
    outputs[at] = GATE(0) = x < 0 ? 0 : x;
CELL_OF(rnn_relu, 1, RELU_STEP, RNN_BACK(y <= 0 ? 0 : h))

/* The states of a GRU again, from how far its gates were open. */
#define AGAIN(T)                                                                                                       \
    static void gru_again_##T(const T *gates, const T *before, mg_n examples, mg_n size, T *states)                    \
    {                                                                                                                  \
        for (mg_n k = 0; k < examples; k++, gates += 3 * size)                                                         \
            EACH for (mg_n j = 0; j < size; j++) {                                                                     \
                T z = gates[j + size], n = gates[j + 2 * size];                                                        \
                states[k * size + j] = n + z * (before[k * size + j] - n);                                             \
            }                                                                                                          \
    }
AGAIN(float)
AGAIN(double)

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

enum { LSTM, GRU, RNN_TANH, RNN_RELU };

/* A step of any of them. */
#define RUN(WAY, CELL, ...) in_double ? CELL##_##WAY##_double(__VA_ARGS__) : CELL##_##WAY##_float(__VA_ARGS__)
#define RUN_ANY(WAY, ...)                                                                                              \
    if (cell == LSTM) RUN(WAY, lstm, __VA_ARGS__);                                                                     \
    else if (cell == GRU) RUN(WAY, gru, __VA_ARGS__);                                                                  \
    else if (cell == RNN_TANH) RUN(WAY, rnn_tanh, __VA_ARGS__);                                                        \
    else RUN(WAY, rnn_relu, __VA_ARGS__);
static void step_forward(int cell, int in_double, FORWARD_STEP(void))
{
    RUN_ANY(forward, gates, of_h, b_ih, b_hh, before, examples, size, kept, outputs)
}
static void step_back(int cell, int in_double, BACK_STEP(void))
{
    RUN_ANY(back, d, later, gates, kept, before, examples, size, carried, of_gates, of_hidden, states)
}
static void step_again(int in_double, const void *gates, const void *before, mg_n examples, mg_n size, void *states)
{
    RUN(again, gru, gates, before, examples, size, states);
}

#endif
