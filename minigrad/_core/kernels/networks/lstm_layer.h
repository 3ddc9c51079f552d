/* The gates of one step of an LSTM, for all examples, and the way back through them: lstm_layer.pyx.
 *
 * An example has four times `size` numbers, those of the gates i, f, g and o, and `size` numbers of a state. */
#ifndef MINIGRAD_LSTM_LAYER_H
#define MINIGRAD_LSTM_LAYER_H

#include "kernels/loops/ufunc_loops.h"

/* As in activations.h: a product and a sum are rounded one by one, as NumPy does. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("no-trapping-math", "no-math-errno", "fp-contract=off")
#endif
/* The products take most of the time: two processors are told apart, and in double precision none. */
#define WIDE FOR_ALL("arch=x86-64-v3", "default")
#include "sigmoids.h"

/* `gates` holds what the inputs give, and then what each gate lets through. */
#define FORWARD(WIDE, T, R)                                                                                            \
    WIDE static void lstm_forward_##T(T *gates, const T *of_state, const T *bias, const T *before, mg_n examples,      \
                                      mg_n size, T *cells, T *outputs)                                                 \
    {                                                                                                                  \
        for (mg_n k = 0; k < examples; k++) {                                                                          \
            EACH for (mg_n j = 0; j < size; j++) {                                                                     \
                T i = sigmoid_##R(gates[j] + bias[j] + of_state[j]);                                                   \
                T f = sigmoid_##R(gates[j + size] + bias[j + size] + of_state[j + size]);                              \
                T g = tanh_##R(gates[j + 2 * size] + bias[j + 2 * size] + of_state[j + 2 * size]);                     \
                T o = sigmoid_##R(gates[j + 3 * size] + bias[j + 3 * size] + of_state[j + 3 * size]);                  \
                T c = f * before[j] + i * g;                                                                           \
                gates[j] = i;                                                                                          \
                gates[j + size] = f;                                                                                   \
                gates[j + 2 * size] = g;                                                                               \
                gates[j + 3 * size] = o;                                                                               \
                cells[j] = c;                                                                                          \
                outputs[j] = o * tanh_##R(c);                                                                          \
            }                                                                                                          \
            gates += 4 * size, of_state += 4 * size, before += size, cells += size, outputs += size;                   \
        }                                                                                                              \
    }
FORWARD(WIDE, float, single)
FORWARD(, double, double)

/* The gradient of the output is the sum of `d` and what the step behind gives, `later`; `of_cell` is that of the cell,
 * and then that of the cell before.  The output itself is computed again, into `states`. */
#define BACK(WIDE, T, R)                                                                                               \
    WIDE static void lstm_back_##T(const T *d, const T *later, const T *gates, const T *cells, const T *before,        \
                                   mg_n examples, mg_n size, T *of_cell, T *of_gates, T *states)                       \
    {                                                                                                                  \
        for (mg_n k = 0; k < examples; k++) {                                                                          \
            EACH for (mg_n j = 0; j < size; j++) {                                                                     \
                T i = gates[j], f = gates[j + size], g = gates[j + 2 * size], o = gates[j + 3 * size];                 \
                T t = tanh_##R(cells[j]), h = d[j] + later[j];                                                         \
                T c = of_cell[j] + h * o * (1 - t * t);                                                                \
                of_gates[j] = c * g * (i * (1 - i));                                                                   \
                of_gates[j + size] = c * before[j] * (f * (1 - f));                                                    \
                of_gates[j + 2 * size] = c * i * (1 - g * g);                                                          \
                of_gates[j + 3 * size] = h * t * (o * (1 - o));                                                        \
                of_cell[j] = c * f;                                                                                    \
                states[j] = o * t;                                                                                     \
            }                                                                                                          \
            d += size, later += size, cells += size, before += size, of_cell += size;                                  \
            gates += 4 * size, of_gates += 4 * size, states += size;                                                   \
        }                                                                                                              \
    }
BACK(WIDE, float, single)
BACK(, double, double)

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

#endif
