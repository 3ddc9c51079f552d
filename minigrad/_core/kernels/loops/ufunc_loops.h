/* How an inner loop of a ufunc is written: the body once, as an expression.
 *
 * A loop is given, for each operand, where it begins and how many bytes lie between its elements.  Mostly that is the
 * size of an element, or 0 for one number; where the compiler can see it, it does several elements at a time.  So each
 * body is compiled for these cases, and for any other.
 *
 * A body of a few instructions is worth that.  One that computes an exponential has a thousand bytes for each case and
 * each processor, and nobody notices a copy beside it: it is compiled for elements side by side, and operands that lie
 * otherwise are brought together, `mg_in_blocks`.  So are those of any body where there are many.
 *
 * A header that has such loops says with WIDE for which processors, with COSTLY which of the two the bodies are that
 * follow, and ends with a list of its functions.
 */
#ifndef MINIGRAD_UFUNC_LOOPS_H
#define MINIGRAD_UFUNC_LOOPS_H

#include <Python.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

typedef void (*mg_loop)(char **, const mg_n *, const mg_n *, void *);

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

/* ---- operands that lie otherwise */

enum { MG_BLOCK = 256, MG_MOST_OPERANDS = 5 };

/* n elements of `size` bytes, from one place to another: one number is repeated, and else one side lies densely. */
#define MG_COPY_AS(T)                                                                                                  \
    if (from_step == 0)                                                                                                \
        for (mg_n i = 0; i < n; i++) ((T *)to)[i] = *(const T *)from;                                                  \
    else if (to_step == sizeof(T))                                                                                     \
        for (mg_n i = 0; i < n; i++) ((T *)to)[i] = *(const T *)(from + i * from_step);                                \
    else                                                                                                               \
        for (mg_n i = 0; i < n; i++) *(T *)(to + i * to_step) = ((const T *)from)[i];
static inline void mg_copy(char *to, mg_n to_step, const char *from, mg_n from_step, mg_n size, mg_n n)
{
    if (size == 4) {
        MG_COPY_AS(uint32_t)
    } else if (size == 1) {
        MG_COPY_AS(uint8_t)
    } else if (size == 8) {
        MG_COPY_AS(uint64_t)
    } else {
        for (mg_n i = 0; i < n; i++)
            memcpy(to + i * to_step, from + i * from_step, size);
    }
}

/* Run a loop on blocks of its operands in which elements lie side by side:
 *
 *     x, every second  [a . b . c . d .]  ---->  [a b c d]  --.
 *     y, one number    [e]                ---->  [e e e e]  ----> loop ---->  [r r r r]  ---->  [r . r . r . r .]
 *
 * What is one number is repeated once, for all blocks.  Where results fall on one place, as in a reduction, each
 * element is read when the one before it is written. */
static __attribute__((unused)) void mg_in_blocks(mg_loop loop, int operands, const mg_n *sizes, char **p, mg_n n,
                                                 const mg_n *s, void *data)
{
    char blocks[MG_MOST_OPERANDS][MG_BLOCK * 2 * sizeof(double)] __attribute__((aligned(64)));
    char *at[MG_MOST_OPERANDS];
    int result = operands - 1, reduces = s[result] == 0;
    for (mg_n start = 0, some; start < n; start += some) {
        some = reduces ? 1 : n - start < MG_BLOCK ? n - start : MG_BLOCK;
        for (int k = 0; k < operands; k++) {
            at[k] = s[k] == sizes[k] ? p[k] + start * s[k] : blocks[k];
            if (at[k] == blocks[k] && k != result && (start == 0 || s[k] != 0 || reduces))
                mg_copy(at[k], sizes[k], p[k] + start * s[k], s[k], sizes[k], some);
        }
        loop(at, &some, sizes, data);
        if (at[result] == blocks[result])
            mg_copy(p[result] + start * s[result], s[result], at[result], sizes[result], sizes[result], some);
    }
}

/* What a costly body does with operands of any other strides; any body, where there are many elements: the sizes of its
 * elements. */
#define MG_IN_BLOCKS_IF(condition, name, operands, ...)                                                                \
    if (condition) {                                                                                                   \
        static const mg_n sizes[operands] = {__VA_ARGS__};                                                             \
        mg_in_blocks(name, operands, sizes, p, *n, s, data);                                                           \
    } else
#define MG_IN_BLOCKS(...) MG_IN_BLOCKS_IF(COSTLY, __VA_ARGS__)
#define MG_LONG_IN_BLOCKS(...) MG_IN_BLOCKS_IF(*n >= MG_BLOCK && !COSTLY, __VA_ARGS__)

/* ---- bodies */

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
        else MG_IN_BLOCKS_IF(COSTLY || *n >= MG_BLOCK, name, 2, sizeof(T), sizeof(R))                                  \
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
        else MG_IN_BLOCKS(name, 3, sizeof(T), sizeof(U), sizeof(R))                                                    \
        if (s[0] == sizeof(T) && s[1] == 0 && s[2] == sizeof(R))                                                       \
            name##_body(p[0], p[1], p[2], *n, sizeof(T), 0, sizeof(R));                                                \
        else if (s[0] == 0 && s[1] == sizeof(U) && s[2] == sizeof(R))                                                  \
            name##_body(p[0], p[1], p[2], *n, 0, sizeof(U), sizeof(R));                                                \
        else MG_LONG_IN_BLOCKS(name, 3, sizeof(T), sizeof(U), sizeof(R))                                               \
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
        else MG_IN_BLOCKS(name, 4, sizeof(T), sizeof(U), sizeof(V), sizeof(R))                                         \
        if (s[0] == sizeof(T) && s[1] == sizeof(U) && s[2] == 0 && s[3] == sizeof(R))                                  \
            name##_body(p[0], p[1], p[2], p[3], *n, sizeof(T), sizeof(U), 0, sizeof(R));                               \
        else if (s[0] == sizeof(T) && s[1] == 0 && s[2] == 0 && s[3] == sizeof(R))                                     \
            name##_body(p[0], p[1], p[2], p[3], *n, sizeof(T), 0, 0, sizeof(R));                                       \
        else MG_LONG_IN_BLOCKS(name, 4, sizeof(T), sizeof(U), sizeof(V), sizeof(R))                                    \
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
        if (s[0] == t && s[1] == t && s[2] == t && s[3] == t && s[4] == t)                                             \
            name##_body(p[0], p[1], p[2], p[3], p[4], *n, sizeof(T), sizeof(T), sizeof(T), sizeof(T), sizeof(T));      \
        else MG_IN_BLOCKS(name, 5, sizeof(T), sizeof(T), sizeof(T), sizeof(T), sizeof(T))                              \
        if (s[0] == t && s[1] == t && s[2] == t && s[3] == 0 && s[4] == t)                                             \
            name##_body(p[0], p[1], p[2], p[3], p[4], *n, sizeof(T), sizeof(T), sizeof(T), 0, sizeof(T));              \
        else if (s[0] == t && s[1] == t && s[2] == 0 && s[3] == 0 && s[4] == t)                                        \
            name##_body(p[0], p[1], p[2], p[3], p[4], *n, sizeof(T), sizeof(T), 0, 0, sizeof(T));                      \
        else if (s[0] == t && s[1] == 0 && s[2] == 0 && s[3] == 0 && s[4] == t)                                        \
            name##_body(p[0], p[1], p[2], p[3], p[4], *n, sizeof(T), 0, 0, 0, sizeof(T));                              \
        else MG_LONG_IN_BLOCKS(name, 5, sizeof(T), sizeof(T), sizeof(T), sizeof(T), sizeof(T))                         \
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

/* ---- the list of functions, of which ufunc_of (new_ufuncs.pyx) makes ufuncs */

typedef struct {
    const char *name;
    const char *types;          /* of the operands and the result: x that of the elements, c complex, ? bool */
    int n_loops;
    mg_loop loops[13];
} mg_function;

#define REAL(name, types) {#name, types, 2, {name##_float, name##_double}}
#define FLOATS(name, types) {#name, types, 3, {name##_2, name##_4, name##_8}}
#define NUMBERS(name, types)                                                                                           \
    {#name, types, 13, {name##_1, name##_1, name##_2, name##_2, name##_4, name##_4, name##_8, name##_8, name##_half,   \
                        name##_float, name##_double, name##_single, name##_complex}}
#define ANY(name, types)                                                                                               \
    {#name, types, 9, {name##_1, name##_1, name##_1, name##_2, name##_4, name##_4, name##_8, name##_8, name##_8}}

#endif
