/* How an inner loop of a ufunc is written: the body once, as an expression.
 *
 * A loop is given, for each operand, where it begins and how many bytes lie between its elements.  Mostly that is the
 * size of an element, or 0 for one number; where the compiler can see it, it does several elements at a time.  So each
 * body is compiled for these cases, and for any other.
 *
 * A header that has such loops says with WIDE for which processors, and ends with a list of its functions.
 */
#ifndef MINIGRAD_UFUNC_LOOPS_H
#define MINIGRAD_UFUNC_LOOPS_H

#include <Python.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* A result never lies where another operand is still to be read. */
#if defined(__GNUC__) && !defined(__clang__)
#define EACH _Pragma("GCC ivdep")
#else
#define EACH
#endif
/* A function that is compiled for several sizes of vector registers; the linker takes the largest that there is. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && !defined(MINIGRAD_CHECKED)
#define FOR_ALL(...) __attribute__((target_clones(__VA_ARGS__)))
#else
#define FOR_ALL(...)
#endif
#define INLINE static inline __attribute__((always_inline))

typedef ptrdiff_t mg_n;

/* The head of a loop: operands, how many elements, strides, and what few of them read: the verdict below. */
#define MG_LOOP(name)                                                                                                  \
    static void name(char **p, const mg_n *n, const mg_n *s, __attribute__((unused)) void *data)

#define AT(T, k) (*(T *)(p##k + i * s##k))

/* What is the data of all our loops: here a loop says that it refuses its operands, before it writes; Note [A loop that
 * refuses] in strided.pyx. */
typedef struct {
    int raises;                 /* the caller is NumPy, to which an error says so */
    int refused;
} mg_verdict;

static inline void refuse_operands(void *data)
{
    mg_verdict *verdict = data;
    if (verdict->raises) {
        PyGILState_STATE state = PyGILState_Ensure();
        PyErr_SetNone(PyExc_ValueError);
        PyGILState_Release(state);
    } else
        __atomic_store_n(&verdict->refused, 1, __ATOMIC_RELAXED);
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
    WIDE MG_LOOP(name)                                                                                                 \
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
    WIDE MG_LOOP(name)                                                                                                 \
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
    WIDE MG_LOOP(name)                                                                                                 \
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
    WIDE MG_LOOP(name)                                                                                                 \
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

/* ---- the list of functions, of which ufunc_of (elementwise.pyx) makes ufuncs */

typedef void (*mg_loop)(char **, const mg_n *, const mg_n *, void *);

typedef struct {
    const char *name;
    const char *types;          /* of the operands and the result: x that of the elements, c complex, ? bool */
    int n_loops;
    mg_loop loops[13];
} mg_function;

#define REAL(name, types) {#name, types, 2, {name##_float, name##_double}}
#define NUMBERS(name, types)                                                                                           \
    {#name, types, 13, {name##_1, name##_1, name##_2, name##_2, name##_4, name##_4, name##_8, name##_8, name##_half,   \
                        name##_float, name##_double, name##_single, name##_complex}}
#define ANY(name, types)                                                                                               \
    {#name, types, 9, {name##_1, name##_1, name##_1, name##_2, name##_4, name##_4, name##_8, name##_8, name##_8}}

#endif
