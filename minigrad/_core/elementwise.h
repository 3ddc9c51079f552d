/* Inner loops of elementwise functions that NumPy has not, in the form in which a ufunc wants them.
 *
 * A loop is given, for each operand, where it begins and how many bytes lie between its elements.  Mostly that is the
 * size of an element, or 0 for one number; where the compiler can see it, it does several elements at a time.  So each
 * body is compiled for these cases, and for any other.
 */
#ifndef MINIGRAD_ELEMENTWISE_H
#define MINIGRAD_ELEMENTWISE_H

#include <stdint.h>
#include "special_functions.h"

typedef long mg_n;

#define AT(T, k) (*(T *)(p##k + i * s##k))

/* one operand */
#define UNARY(name, T, expression)                                                                                     \
    INLINE void name##_body(char *p0, char *p1, mg_n n, mg_n s0, mg_n s1)                                              \
    {                                                                                                                  \
        for (mg_n i = 0; i < n; i++) {                                                                                 \
            T x = AT(T, 0);                                                                                            \
            AT(T, 1) = (T)(expression);                                                                                \
        }                                                                                                              \
    }                                                                                                                  \
    static void name(char **p, const mg_n *n, const mg_n *s, void *data)                                               \
    {                                                                                                                  \
        if (s[0] == sizeof(T) && s[1] == sizeof(T))                                                                    \
            name##_body(p[0], p[1], *n, sizeof(T), sizeof(T));                                                         \
        else                                                                                                           \
            name##_body(p[0], p[1], *n, s[0], s[1]);                                                                   \
    }

/* two operands of the types T and U */
#define BINARY(name, T, U, expression)                                                                                 \
    INLINE void name##_body(char *p0, char *p1, char *p2, mg_n n, mg_n s0, mg_n s1, mg_n s2)                           \
    {                                                                                                                  \
        for (mg_n i = 0; i < n; i++) {                                                                                 \
            T x = AT(T, 0);                                                                                            \
            U y = AT(U, 1);                                                                                            \
            AT(T, 2) = (T)(expression);                                                                                \
        }                                                                                                              \
    }                                                                                                                  \
    static void name(char **p, const mg_n *n, const mg_n *s, void *data)                                               \
    {                                                                                                                  \
        if (s[0] == sizeof(T) && s[1] == sizeof(U) && s[2] == sizeof(T))                                               \
            name##_body(p[0], p[1], p[2], *n, sizeof(T), sizeof(U), sizeof(T));                                        \
        else if (s[0] == sizeof(T) && s[1] == 0 && s[2] == sizeof(T))                                                  \
            name##_body(p[0], p[1], p[2], *n, sizeof(T), 0, sizeof(T));                                                \
        else                                                                                                           \
            name##_body(p[0], p[1], p[2], *n, s[0], s[1], s[2]);                                                       \
    }

/* three, of the types T, U and V; the result is of the type of x where it is T, else of y */
#define TERNARY(name, T, U, V, R, expression)                                                                          \
    INLINE void name##_body(char *p0, char *p1, char *p2, char *p3, mg_n n, mg_n s0, mg_n s1, mg_n s2, mg_n s3)        \
    {                                                                                                                  \
        for (mg_n i = 0; i < n; i++) {                                                                                 \
            T x = AT(T, 0);                                                                                            \
            U y = AT(U, 1);                                                                                            \
            V z = AT(V, 2);                                                                                            \
            AT(R, 3) = (R)(expression);                                                                                \
        }                                                                                                              \
    }                                                                                                                  \
    static void name(char **p, const mg_n *n, const mg_n *s, void *data)                                               \
    {                                                                                                                  \
        if (s[0] == sizeof(T) && s[1] == sizeof(U) && s[2] == sizeof(V) && s[3] == sizeof(R))                          \
            name##_body(p[0], p[1], p[2], p[3], *n, sizeof(T), sizeof(U), sizeof(V), sizeof(R));                       \
        else if (s[0] == sizeof(T) && s[1] == sizeof(U) && s[2] == 0 && s[3] == sizeof(R))                             \
            name##_body(p[0], p[1], p[2], p[3], *n, sizeof(T), sizeof(U), 0, sizeof(R));                               \
        else if (s[0] == sizeof(T) && s[1] == 0 && s[2] == 0 && s[3] == sizeof(R))                                     \
            name##_body(p[0], p[1], p[2], p[3], *n, sizeof(T), 0, 0, sizeof(R));                                       \
        else                                                                                                           \
            name##_body(p[0], p[1], p[2], p[3], *n, s[0], s[1], s[2], s[3]);                                           \
    }

/* ---- masks: elements are moved, and only their size counts */

BINARY(keep_1, uint8_t, uint8_t, y ? x : 0)
BINARY(keep_2, uint16_t, uint8_t, y ? x : 0)
BINARY(keep_4, uint32_t, uint8_t, y ? x : 0)
BINARY(keep_8, uint64_t, uint8_t, y ? x : 0)

TERNARY(where_1, uint8_t, uint8_t, uint8_t, uint8_t, x ? y : z)
TERNARY(where_2, uint8_t, uint16_t, uint16_t, uint16_t, x ? y : z)
TERNARY(where_4, uint8_t, uint32_t, uint32_t, uint32_t, x ? y : z)
TERNARY(where_8, uint8_t, uint64_t, uint64_t, uint64_t, x ? y : z)

TERNARY(masked_fill_1, uint8_t, uint8_t, uint8_t, uint8_t, y ? z : x)
TERNARY(masked_fill_2, uint16_t, uint8_t, uint16_t, uint16_t, y ? z : x)
TERNARY(masked_fill_4, uint32_t, uint8_t, uint32_t, uint32_t, y ? z : x)
TERNARY(masked_fill_8, uint64_t, uint8_t, uint64_t, uint64_t, y ? z : x)

/* ---- bounds: what is not compared, a nan, passes; a bound that is nan wins */

#define ABOVE(x, low) ((x) < (low) || (low) != (low) ? (low) : (x))
#define BELOW(x, high) ((x) > (high) || (high) != (high) ? (high) : (x))

TERNARY(clamp_float, float, float, float, float, BELOW(ABOVE(x, y), z))
TERNARY(clamp_double, double, double, double, double, BELOW(ABOVE(x, y), z))
TERNARY(threshold_float, float, float, float, float, x <= y ? z : x)
TERNARY(threshold_double, double, double, double, double, x <= y ? z : x)
BINARY(leaky_relu_float, float, float, x > 0 ? x : x * y)
BINARY(leaky_relu_double, double, double, x > 0 ? x : x * y)

/* ---- of one number */

UNARY(rsqrt_float, float, 1 / sqrtf(x))
UNARY(rsqrt_double, double, 1 / sqrt(x))
TERNARY(softplus_float, float, float, float, float,
        (double)x * y > z ? x : log1p_near(exp_clipped((double)x * y)) / y)
TERNARY(softplus_double, double, double, double, double, x * y > z ? x : log1p(exp(x * y)) / y)

/* ---- of two */

BINARY(rsub_float, float, float, y - x)
BINARY(rsub_double, double, double, y - x)

#endif
