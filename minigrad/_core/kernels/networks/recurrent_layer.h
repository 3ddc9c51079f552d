/* One step of a recurrent network, for all examples, and the way back through it: recurrent_layer.pyx.
 *
 * A cell is two bodies, written once for both dtypes, of what it does for one example.  IN(k) is what the input gives
 * to the element j of its gate k, OF(k) what the state gives, and GATE(k), where it is kept, how far the gate was open.
 * EVERY passes over one gate.  Numbers are bent in passes of their own, which all cells share: they are in cache. */
#ifndef MINIGRAD_RECURRENT_LAYER_H
#define MINIGRAD_RECURRENT_LAYER_H

#include "kernels/loops/ufunc_loops.h"

/* As in activations.h: a product and a sum are rounded one by one, as NumPy does. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("no-trapping-math", "no-math-errno", "fp-contract=off")
#endif
/* The products take most of the time: two processors are told apart, three where numbers are bent, and in double
 * precision none. */
#define WIDE FOR_ALL("arch=x86-64-v3", "default")
#include "sigmoids.h"

/* `n` numbers, each through the logistic function or through tanh. */
#define BENT(WIDE, T, R)                                                                                               \
    WIDE static void sigmoids_##T(T *x, mg_n n)                                                                        \
    {                                                                                                                  \
        EACH for (mg_n j = 0; j < n; j++) x[j] = sigmoid_##R(x[j]);                                                    \
    }                                                                                                                  \
    WIDE static void tanhs_##T(T *x, mg_n n)                                                                           \
    {                                                                                                                  \
        EACH for (mg_n j = 0; j < n; j++) x[j] = tanh_##R(x[j]);                                                       \
    }
BENT(FOR_ALL("arch=x86-64-v4", "arch=x86-64-v3", "default"), float, single)
BENT(, double, double)
#define SIGMOID(x, n) _Generic((x)[0], float: sigmoids_float, double: sigmoids_double)((void *)(x), n)
#define TANH(x, n) _Generic((x)[0], float: tanhs_float, double: tanhs_double)((void *)(x), n)

#define EVERY EACH for (mg_n j = 0; j < size; j++)
#define GATE(k) gate[j + (k) * size]
#define IN(k) (GATE(k) + b_ih[j + (k) * size])
#define OF(k) (of_h[j + (k) * size] + b_hh[j + (k) * size])

/* What a step reads and writes.  `before` is what goes on by itself, past the gates: c of an LSTM, h of a GRU; `kept`
 * is what the way back needs besides the gates. */
#define FORWARD_STEP(T)                                                                                                \
    T *gate, const T *of_h, const T *b_ih, const T *b_hh, const T *before, mg_n examples, mg_n size, T *kept, T *output
#define FORWARD(WIDE, CELL, T, GATES, ...)                                                                             \
    WIDE static void CELL##_forward_##T(FORWARD_STEP(T))                                                               \
    {                                                                                                                  \
        for (mg_n k = 0; k < examples; k++) {                                                                          \
            __VA_ARGS__                                                                                                \
            gate += GATES * size, of_h += GATES * size;                                                                \
            before += size, kept += size, output += size;                                                              \
        }                                                                                                              \
    }

/* The gradient h of the output is the sum of `d` and what the step behind gives, `later`; `carried` is the gradient of
 * what goes on by itself, and then of what this was before.  OF_GATE(k) is the gradient of IN(k), and OF_H(k) that of
 * OF(k) where it is another one.  The output goes into `state` again where that is no work. */
#define OF_GATE(k) of_gate[j + (k) * size]
#define OF_H(k) of_hidden[j + (k) * size]
#define BACK_STEP(T)                                                                                                   \
    const T *d, const T *later, const T *gate, const T *kept, const T *before, mg_n examples, mg_n size, T *carried,   \
        T *of_gate, T *of_hidden, T *state
#define BACK(WIDE, CELL, T, GATES, ...)                                                                                \
    WIDE static void CELL##_back_##T(BACK_STEP(T))                                                                     \
    {                                                                                                                  \
        typedef T real;                                                                                                \
        for (mg_n k = 0; k < examples; k++) {                                                                          \
            __VA_ARGS__                                                                                                \
            d += size, later += size, kept += size, before += size, carried += size, state += size;                    \
            gate += GATES * size, of_gate += GATES * size, of_hidden += GATES * size;                                  \
        }                                                                                                              \
    }

#define CELL_OF(CELL, GATES, STEP, WAY_BACK)                                                                           \
    FORWARD(WIDE, CELL, float, GATES, STEP)                                                                            \
    FORWARD(, CELL, double, GATES, STEP)                                                                               \
    BACK(WIDE, CELL, float, GATES, WAY_BACK)                                                                           \
    BACK(, CELL, double, GATES, WAY_BACK)

#define LSTM_STEP                                                                                                      \
    EACH for (mg_n j = 0; j < 4 * size; j++) GATE(0) = IN(0) + OF(0);                                                  \
    SIGMOID(gate, 2 * size);                                                                                           \
    TANH(gate + 2 * size, size);                                                                                       \
    SIGMOID(gate + 3 * size, size);                                                                                    \
    EVERY output[j] = kept[j] = GATE(1) * before[j] + GATE(0) * GATE(2);                                               \
    TANH(output, size);                                                                                                \
    EVERY output[j] *= GATE(3);
#define LSTM_BACK                                                                                                      \
    memcpy(state, kept, size * sizeof(real));                                                                          \
    TANH(state, size);                                                                                                 \
    EVERY {                                                                                                            \
        real i = GATE(0), f = GATE(1), g = GATE(2), o = GATE(3), t = state[j], h = d[j] + later[j];                    \
        real c = carried[j] + h * o * (1 - t * t);                                                                     \
        OF_GATE(0) = c * g * (i * (1 - i));                                                                            \
        OF_GATE(1) = c * before[j] * (f * (1 - f));                                                                    \
        OF_GATE(2) = c * i * (1 - g * g);                                                                              \
        OF_GATE(3) = h * t * (o * (1 - o));                                                                            \
        carried[j] = c * f;                                                                                            \
        state[j] = o * t;                                                                                              \
    }
CELL_OF(lstm, 4, LSTM_STEP, LSTM_BACK)

#define GRU_STEP                                                                                                       \
    EACH for (mg_n j = 0; j < 2 * size; j++) GATE(0) = IN(0) + OF(0);                                                  \
    SIGMOID(gate, 2 * size);                                                                                           \
    EVERY {                                                                                                            \
        kept[j] = OF(2);                                                                                               \
        GATE(2) = IN(2) + GATE(0) * kept[j];                                                                           \
    }                                                                                                                  \
    TANH(gate + 2 * size, size);                                                                                       \
    EVERY output[j] = GATE(2) + GATE(1) * (before[j] - GATE(2));
#define GRU_BACK                                                                                                       \
    EVERY {                                                                                                            \
        real r = GATE(0), z = GATE(1), n = GATE(2), h = d[j] + later[j] + carried[j];                                  \
        real of_n = h * (1 - z) * (1 - n * n);                                                                         \
        OF_H(0) = OF_GATE(0) = of_n * kept[j] * (r * (1 - r));                                                         \
        OF_H(1) = OF_GATE(1) = h * (before[j] - n) * (z * (1 - z));                                                    \
        OF_GATE(2) = of_n;                                                                                             \
        OF_H(2) = of_n * r;                                                                                            \
        carried[j] = h * z;                                                                                            \
    }
CELL_OF(gru, 3, GRU_STEP, GRU_BACK)

#define TANH_STEP                                                                                                      \
    EVERY GATE(0) = IN(0) + OF(0);                                                                                     \
    TANH(gate, size);                                                                                                  \
    memcpy(output, gate, size * sizeof(*gate));
#define RELU_STEP EVERY output[j] = GATE(0) = IN(0) + OF(0) < 0 ? 0 : IN(0) + OF(0);
#define RNN_BACK(slope)                                                                                                \
    EVERY {                                                                                                            \
        real y = GATE(0), h = d[j] + later[j];                                                                         \
        OF_GATE(0) = slope;                                                                                            \
        state[j] = y;                                                                                                  \
    }
CELL_OF(rnn_tanh, 1, TANH_STEP, RNN_BACK(h * (1 - y * y)))
CELL_OF(rnn_relu, 1, RELU_STEP, RNN_BACK(y <= 0 ? 0 : h))

/* The state of a GRU after a step again, from how far its gates were open. */
#define AGAIN(T)                                                                                                       \
    static void gru_again_##T(const T *gate, const T *before, mg_n examples, mg_n size, T *state)                      \
    {                                                                                                                  \
        for (mg_n k = 0; k < examples; k++) {                                                                          \
            EVERY state[j] = GATE(2) + GATE(1) * (before[j] - GATE(2));                                                \
            gate += 3 * size, before += size, state += size;                                                           \
        }                                                                                                              \
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
    RUN_ANY(forward, gate, of_h, b_ih, b_hh, before, examples, size, kept, output)
}
static void step_back(int cell, int in_double, BACK_STEP(void))
{
    RUN_ANY(back, d, later, gate, kept, before, examples, size, carried, of_gate, of_hidden, state)
}
static void step_again(int in_double, const void *gate, const void *before, mg_n examples, mg_n size, void *state)
{
    RUN(again, gru, gate, before, examples, size, state);
}

#endif
