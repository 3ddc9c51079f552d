/* Inner loops of elementwise functions that NumPy has not, in the form in which a ufunc wants them.
 *
 * A loop is given, for each operand, where it begins and how many bytes lie between its elements.  Mostly that is the
 * size of an element, or 0 for one number; where the compiler can see it, it does several elements at a time.  So each
 * body is compiled for these cases, and for any other; and where the linker can choose among functions when the library
 * is loaded, also for processors with larger vectors.
 */
#ifndef MINIGRAD_ELEMENTWISE_H
#define MINIGRAD_ELEMENTWISE_H

#include <Python.h>
#include <math.h>
#include <stdint.h>

/* Comparisons may be computed although their results are not used; but a product and a sum are rounded one by one, as
 * NumPy does. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("no-trapping-math", "fp-contract=off")
#define EACH _Pragma("GCC ivdep")           /* a result never lies where another operand is still to be read */
#else
#define EACH
#endif
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && !defined(MINIGRAD_CHECKED)
#define WIDE __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define WIDE
#endif
#define INLINE static inline __attribute__((always_inline))

typedef long mg_n;

#define AT(T, k) (*(T *)(p##k + i * s##k))

/* A loop that refuses its operands leaves an error, as NumPy's own do. */
static void refuse_operands(void)
{
    PyGILState_STATE state = PyGILState_Ensure();
    PyErr_SetNone(PyExc_ValueError);
    PyGILState_Release(state);
}

/* one operand of the type T, and the result of the type R */
#define UNARY(name, T, R, expression)                                                                                  \
    INLINE void name##_body(char *p0, char *p1, mg_n n, mg_n s0, mg_n s1)                                              \
    {                                                                                                                  \
        EACH for (mg_n i = 0; i < n; i++) {                                                                            \
            T x = AT(T, 0);                                                                                            \
            AT(R, 1) = (R)(expression);                                                                                \
        }                                                                                                              \
    }                                                                                                                  \
    WIDE static void name(char **p, const mg_n *n, const mg_n *s, void *data)                                          \
    {                                                                                                                  \
        if (s[0] == sizeof(T) && s[1] == sizeof(R))                                                                    \
            name##_body(p[0], p[1], *n, sizeof(T), sizeof(R));                                                         \
        else                                                                                                           \
            name##_body(p[0], p[1], *n, s[0], s[1]);                                                                   \
    }

/* two, of the types T and U */
#define BINARY(name, T, U, R, expression)                                                                              \
    INLINE void name##_body(char *p0, char *p1, char *p2, mg_n n, mg_n s0, mg_n s1, mg_n s2)                           \
    {                                                                                                                  \
        EACH for (mg_n i = 0; i < n; i++) {                                                                            \
            T x = AT(T, 0);                                                                                            \
            U y = AT(U, 1);                                                                                            \
            AT(R, 2) = (R)(expression);                                                                                \
        }                                                                                                              \
    }                                                                                                                  \
    WIDE static void name(char **p, const mg_n *n, const mg_n *s, void *data)                                          \
    {                                                                                                                  \
        if (s[0] == sizeof(T) && s[1] == sizeof(U) && s[2] == sizeof(R))                                               \
            name##_body(p[0], p[1], p[2], *n, sizeof(T), sizeof(U), sizeof(R));                                        \
        else if (s[0] == sizeof(T) && s[1] == 0 && s[2] == sizeof(R))                                                  \
            name##_body(p[0], p[1], p[2], *n, sizeof(T), 0, sizeof(R));                                                \
        else if (s[0] == 0 && s[1] == sizeof(U) && s[2] == sizeof(R))                                                  \
            name##_body(p[0], p[1], p[2], *n, 0, sizeof(U), sizeof(R));                                                \
        else                                                                                                           \
            name##_body(p[0], p[1], p[2], *n, s[0], s[1], s[2]);                                                       \
    }

/* three, of the types T, U and V */
#define TERNARY(name, T, U, V, R, expression)                                                                          \
    INLINE void name##_body(char *p0, char *p1, char *p2, char *p3, mg_n n, mg_n s0, mg_n s1, mg_n s2, mg_n s3)        \
    {                                                                                                                  \
        EACH for (mg_n i = 0; i < n; i++) {                                                                            \
            T x = AT(T, 0);                                                                                            \
            U y = AT(U, 1);                                                                                            \
            V z = AT(V, 2);                                                                                            \
            AT(R, 3) = (R)(expression);                                                                                \
        }                                                                                                              \
    }                                                                                                                  \
    WIDE static void name(char **p, const mg_n *n, const mg_n *s, void *data)                                          \
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

/* four, all of the type T */
#define FOUR(name, T, expression)                                                                                      \
    INLINE void name##_body(char *p0, char *p1, char *p2, char *p3, char *p4, mg_n n, mg_n s0, mg_n s1, mg_n s2,       \
                            mg_n s3, mg_n s4)                                                                          \
    {                                                                                                                  \
        EACH for (mg_n i = 0; i < n; i++) {                                                                            \
            T x = AT(T, 0);                                                                                            \
            T y = AT(T, 1);                                                                                            \
            T z = AT(T, 2);                                                                                            \
            T w = AT(T, 3);                                                                                            \
            AT(T, 4) = (T)(expression);                                                                                \
        }                                                                                                              \
    }                                                                                                                  \
    WIDE static void name(char **p, const mg_n *n, const mg_n *s, void *data)                                          \
    {                                                                                                                  \
        mg_n t = sizeof(T);                                                                                            \
        if (s[0] == t && s[1] == t && s[2] == t && s[3] == 0 && s[4] == t)                                             \
            name##_body(p[0], p[1], p[2], p[3], p[4], *n, sizeof(T), sizeof(T), sizeof(T), 0, sizeof(T));              \
        else if (s[0] == t && s[1] == t && s[2] == 0 && s[3] == 0 && s[4] == t)                                        \
            name##_body(p[0], p[1], p[2], p[3], p[4], *n, sizeof(T), sizeof(T), 0, 0, sizeof(T));                      \
        else if (s[0] == t && s[1] == 0 && s[2] == 0 && s[3] == 0 && s[4] == t)                                        \
            name##_body(p[0], p[1], p[2], p[3], p[4], *n, sizeof(T), 0, 0, 0, sizeof(T));                              \
        else                                                                                                           \
            name##_body(p[0], p[1], p[2], p[3], p[4], *n, s[0], s[1], s[2], s[3], s[4]);                               \
    }

/* the same for float and for double */
#define UNARY_REAL(name, expression) UNARY(name##_float, float, float, expression) \
    UNARY(name##_double, double, double, expression)
#define BINARY_REAL(name, expression) BINARY(name##_float, float, float, float, expression) \
    BINARY(name##_double, double, double, double, expression)
#define TERNARY_REAL(name, expression) TERNARY(name##_float, float, float, float, float, expression) \
    TERNARY(name##_double, double, double, double, double, expression)
#define FOUR_REAL(name, expression) FOUR(name##_float, float, expression) FOUR(name##_double, double, expression)

/* ---- masks: elements are moved, and only their size counts */

#define BY_SIZE(LOOP)                                                                                                  \
    LOOP(1, uint8_t)                                                                                                   \
    LOOP(2, uint16_t)                                                                                                  \
    LOOP(4, uint32_t)                                                                                                  \
    LOOP(8, uint64_t)

#define KEEP(size, T) BINARY(keep_##size, T, uint8_t, T, y ? x : 0)
#define WHERE(size, T) TERNARY(where_##size, uint8_t, T, T, T, x ? y : z)
#define MASKED_FILL(size, T) TERNARY(masked_fill_##size, T, uint8_t, T, T, y ? z : x)
BY_SIZE(KEEP)
BY_SIZE(WHERE)
BY_SIZE(MASKED_FILL)

/* ---- bounds: what is not compared, a nan, passes; a bound that is nan wins */

#define ABOVE(x, low) ((x) < (low) || (low) != (low) ? (low) : (x))
#define BELOW(x, high) ((x) > (high) || (high) != (high) ? (high) : (x))
#define ABOVE_OR_AT(x, low) ((x) <= (low) || (low) != (low) ? (low) : (x))
#define BELOW_OR_AT(x, high) ((x) >= (high) || (high) != (high) ? (high) : (x))

TERNARY_REAL(bounded, BELOW(ABOVE(x, y), z))
FOUR_REAL(clamp_to_self, (y >= z) & (y <= w) ? x : 0)
FOUR_REAL(clamp_to_min, (y < z) & (z < w) ? x : 0)
FOUR_REAL(clamp_to_max, (y > w) | (w < z) ? x : 0)
FOUR_REAL(hardtanh_backward, (y <= z) | (y >= w) ? 0 : x)
TERNARY_REAL(threshold, x <= y ? z : x)
TERNARY_REAL(threshold_backward, y <= z ? 0 : x)
UNARY_REAL(relu, x < 0 ? 0 : x)
BINARY_REAL(leaky_relu, x > 0 ? x : x * y)
BINARY_REAL(leaky_relu_slope, x > 0 ? 1 : y)
TERNARY_REAL(halved_at_ties, y == z ? x / 2 : y < z ? 0 : x)
FOUR_REAL(nan_to_num, x != x ? y : x - x == 0 ? x : x > 0 ? z : w)

TERNARY_REAL(between, BELOW_OR_AT(ABOVE_OR_AT(x, y), z))

/* a clamp without any bound is refused, and so is a hardtanh whose bounds are crossed */
#define UNBOUNDED(T) (s[1] == 0 && s[2] == 0 && *(T *)p[1] == -INFINITY && *(T *)p[2] == INFINITY)
#define CLAMP(T)                                                                                                       \
    static void clamp_##T(char **p, const mg_n *n, const mg_n *s, void *data)                                          \
    {                                                                                                                  \
        if (UNBOUNDED(T))                                                                                              \
            refuse_operands();                                                                                         \
        else                                                                                                           \
            bounded_##T(p, n, s, data);                                                                                \
    }                                                                                                                  \
    static void clamp_between_##T(char **p, const mg_n *n, const mg_n *s, void *data)                                  \
    {                                                                                                                  \
        if (UNBOUNDED(T))                                                                                              \
            refuse_operands();                                                                                         \
        else                                                                                                           \
            between_##T(p, n, s, data);                                                                                \
    }                                                                                                                  \
    static void hardtanh_##T(char **p, const mg_n *n, const mg_n *s, void *data)                                       \
    {                                                                                                                  \
        for (mg_n i = 0; i < *n && (i == 0 || s[1] || s[2]); i++)                                                      \
            if (*(T *)(p[1] + i * s[1]) > *(T *)(p[2] + i * s[2])) {                                                   \
                refuse_operands();                                                                                     \
                return;                                                                                                \
            }                                                                                                          \
        bounded_##T(p, n, s, data);                                                                                    \
    }
CLAMP(float)
CLAMP(double)

/* ---- of one number */

UNARY(rsqrt_float, float, float, 1 / sqrtf(x))
UNARY(rsqrt_double, double, double, 1 / sqrt(x))
UNARY(frac_float, float, float, x - truncf(x))
UNARY(frac_double, double, double, x - trunc(x))
UNARY(round_float, float, float, rintf(x))
UNARY(round_double, double, double, rint(x))
UNARY_REAL(sign, (x > 0) - (x < 0))
UNARY_REAL(angle, x != x ? x : x < 0 ? 3.14159265358979323846 : 0)
UNARY(always_float, float, uint8_t, x == x || 1)
UNARY(always_double, double, uint8_t, x == x || 1)

/* ---- of several */

BINARY_REAL(divide_or_zero, y == 0 ? 0 : x / y)
BINARY_REAL(times_or_zero, x == 0 ? 0 : x * y)
BINARY_REAL(tanh_backward, x * (1 - y * y))
BINARY_REAL(sigmoid_backward, x * (1 - y) * y)
FOUR_REAL(addcmul, x + w * y * z)
FOUR_REAL(addcdiv, x + w * y / z)
TERNARY(lerp_float, float, float, float, float, fabsf(z) < 0.5f ? x + z * (y - x) : y - (y - x) * (1 - z))
TERNARY(lerp_double, double, double, double, double, fabs(z) < 0.5 ? x + z * (y - x) : y - (y - x) * (1 - z))
BINARY(rises_float, float, float, uint8_t, (x != 0) | !(y > 1))
BINARY(rises_double, double, double, uint8_t, (x != 0) | !(y > 1))

/* ---- complex numbers from two real ones */

#define COMPLEX(name, T)                                                                                               \
    static void name(char **p, const mg_n *n, const mg_n *s, void *data)                                               \
    {                                                                                                                  \
        for (mg_n i = 0; i < *n; i++) {                                                                                \
            T *z = (T *)(p[2] + i * s[2]);                                                                             \
            z[0] = *(T *)(p[0] + i * s[0]);                                                                            \
            z[1] = *(T *)(p[1] + i * s[1]);                                                                            \
        }                                                                                                              \
    }
COMPLEX(complex_float, float)
COMPLEX(complex_double, double)

/* ---- the ufuncs: elementwise.pyx makes one of each line */

typedef void (*mg_loop)(char **, const mg_n *, const mg_n *, void *);

typedef struct {
    const char *name;
    const char *types;          /* of the operands and the result: x that of the elements, c complex, ? bool */
    int n_loops;
    mg_loop loops[9];
} mg_function;

#define REAL(name, types) {#name, types, 2, {name##_float, name##_double}}
#define ANY(name, types)                                                                                               \
    {#name, types, 9, {name##_1, name##_1, name##_1, name##_2, name##_4, name##_4, name##_8, name##_8, name##_8}}

static mg_function FUNCTIONS[] = {
    ANY(keep, "x?x"),
    ANY(where, "?xxx"),
    ANY(masked_fill, "x?xx"),
    REAL(clamp, "xxxx"),
    REAL(clamp_between, "xxxx"),
    REAL(clamp_to_self, "xxxxx"),
    REAL(clamp_to_min, "xxxxx"),
    REAL(clamp_to_max, "xxxxx"),
    REAL(hardtanh, "xxxx"),
    REAL(hardtanh_backward, "xxxxx"),
    REAL(threshold, "xxxx"),
    REAL(threshold_backward, "xxxx"),
    REAL(relu, "xx"),
    REAL(leaky_relu, "xxx"),
    REAL(leaky_relu_slope, "xxx"),
    REAL(halved_at_ties, "xxxx"),
    REAL(nan_to_num, "xxxxx"),
    REAL(rsqrt, "xx"),
    REAL(frac, "xx"),
    REAL(round, "xx"),
    REAL(sign, "xx"),
    REAL(angle, "xx"),
    REAL(always, "x?"),
    REAL(divide_or_zero, "xxx"),
    REAL(times_or_zero, "xxx"),
    REAL(tanh_backward, "xxx"),
    REAL(sigmoid_backward, "xxx"),
    REAL(addcmul, "xxxxx"),
    REAL(addcdiv, "xxxxx"),
    REAL(lerp, "xxxx"),
    REAL(rises, "xx?"),
    REAL(complex, "xxc"),
};

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

#endif
