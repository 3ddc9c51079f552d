/* Elements moved from one place to another, whatever the layouts: copied, or added.
 *
 * Two arrays of one shape, each with its own strides.  Dims that follow one another in both are one dim, and elements
 * that follow one another in both are one block; what remains is a loop in a loop, the inner one for elements of a
 * known size.  A dim of few elements makes a poor inner loop, and the order does not matter: so the longest is inside.
 */
#ifndef MINIGRAD_MOVING_H
#define MINIGRAD_MOVING_H

#include <stdint.h>
#include <string.h>

typedef intptr_t mg_step;

enum { MG_DIMS = 64, MG_SHORT = 8 };

/* `n` elements in a row, which mostly lie there one after the other; those that are read may run backwards */
static inline void mg_move_row(char *restrict to, mg_step s, const char *restrict from, mg_step t, mg_step n,
                               mg_step item)
{
#define EACH_OF(size)                                                                                                  \
    case size:                                                                                                         \
        if (s == size && t == -size)                                                                                   \
            for (mg_step i = 0; i < n; i++)                                                                            \
                memcpy(to + i * size, from - i * size, size);                                                          \
        else                                                                                                           \
            for (mg_step i = 0; i < n; i++)                                                                            \
                memcpy(to + i * s, from + i * t, size);                                                                \
        return;
    switch (item) {
        EACH_OF(1)
        EACH_OF(2)
        EACH_OF(4)
        EACH_OF(8)
        EACH_OF(16)
    }
#undef EACH_OF
    for (mg_step i = 0; i < n; i++)
        memcpy(to + i * s, from + i * t, (size_t)item);
}

static inline void mg_move_dims(int ndim, const mg_step *dims, char *to, const mg_step *s, const char *from,
                                const mg_step *t, mg_step item)
{
    if (ndim == 0)
        memcpy(to, from, (size_t)item);
    else if (ndim == 1)
        mg_move_row(to, s[0], from, t[0], dims[0], item);
    else
        for (mg_step i = 0; i < dims[0]; i++)
            mg_move_dims(ndim - 1, dims + 1, to + i * s[0], s + 1, from + i * t[0], t + 1, item);
}

/* The dims that remain when those of one element are dropped and neighbours joined; -1 where there are no elements. */
static inline int mg_join_dims(int ndim, const mg_step *dims, const mg_step *s, const mg_step *t, mg_step *joined,
                               mg_step *joined_s, mg_step *joined_t)
{
    int n = 0;
    for (int k = 0; k < ndim; k++) {
        if (dims[k] == 0)
            return -1;
        if (dims[k] == 1)
            continue;
        if (n && joined_s[n - 1] == s[k] * dims[k] && joined_t[n - 1] == t[k] * dims[k]) {
            joined[n - 1] *= dims[k];
        } else {
            joined[n] = dims[k];
            n++;
        }
        joined_s[n - 1] = s[k];
        joined_t[n - 1] = t[k];
    }
    return n;
}

static inline void mg_longest_last(int n, mg_step *dims, mg_step *s, mg_step *t)
{
    int longest = n - 1;
    for (int k = 0; k < n; k++)
        if (dims[k] > dims[longest])
            longest = k;
    mg_step dim = dims[longest], step = s[longest], other = t[longest];
    dims[longest] = dims[n - 1], s[longest] = s[n - 1], t[longest] = t[n - 1];
    dims[n - 1] = dim, s[n - 1] = step, t[n - 1] = other;
}

static inline void mg_move(int ndim, const mg_step *dims, char *to, const mg_step *to_strides, const char *from,
                           const mg_step *from_strides, mg_step item)
{
    mg_step joined[MG_DIMS], s[MG_DIMS], t[MG_DIMS];
    int n = mg_join_dims(ndim, dims, to_strides, from_strides, joined, s, t);
    if (n < 0)
        return;
    if (n && s[n - 1] == item && t[n - 1] == item)
        item *= joined[--n];
    if (n > 1 && joined[n - 1] < MG_SHORT)
        mg_longest_last(n, joined, s, t);
    mg_move_dims(n, joined, to, s, from, t, item);
}

/* Adding instead of copying: the numbers at `from` to those at `to`.  Integers wrap around. */
#define ADDING(name, T)                                                                                                \
    static inline void name(int ndim, const mg_step *dims, char *to, const mg_step *s, const char *from,               \
                            const mg_step *t)                                                                          \
    {                                                                                                                  \
        if (ndim == 0) {                                                                                               \
            *(T *)to += *(const T *)from;                                                                              \
        } else if (ndim == 1 && s[0] == sizeof(T) && t[0] == sizeof(T)) {                                              \
            for (mg_step i = 0; i < dims[0]; i++)                                                                      \
                ((T *)to)[i] += ((const T *)from)[i];                                                                  \
        } else if (ndim == 1) {                                                                                        \
            for (mg_step i = 0; i < dims[0]; i++)                                                                      \
                *(T *)(to + i * s[0]) += *(const T *)(from + i * t[0]);                                                \
        } else {                                                                                                       \
            for (mg_step i = 0; i < dims[0]; i++)                                                                      \
                name(ndim - 1, dims + 1, to + i * s[0], s + 1, from + i * t[0], t + 1);                                \
        }                                                                                                              \
    }
ADDING(mg_add_float, float)
ADDING(mg_add_double, double)
#undef ADDING

#endif
