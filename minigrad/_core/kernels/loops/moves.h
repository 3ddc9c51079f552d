/* Elements moved from one place to another, whatever the layouts: copied, converted, or added.
 *
 * Two arrays of one shape, each with its own strides.  The order does not matter, so the dims are taken as the elements
 * are written, one after the other.  Dims that follow one another in both arrays are one dim, and elements that follow
 * one another in both are one block; what remains is a loop in a loop, the inner one for elements of a known size.
 *
 * Where the elements are read in another order than they are written, as in the copy of a transposed matrix, each is in
 * another cache line than the one before, and the line has left the cache when its next element is wanted.  So such a
 * matrix is copied tile by tile, by way of a small block that stays in the cache:
 *
 *     read along its rows   [ a b c ]            [ a d ]   written along its columns
 *                           [ d e f ]  -- tile -- [ b e ]
 *                                                [ c f ]
 */
#ifndef MINIGRAD_MOVES_H
#define MINIGRAD_MOVES_H

#include <stdint.h>
#include <string.h>

typedef intptr_t mg_step;

/* bytes: of a tile; of what stays near; between rows that come to lie on the same lines of a cache */
enum { MG_DIMS = 64, MG_SHORT = 8, MG_TILE = 18624, MG_NEAR = 16384, MG_LINES = 1024 };

/* Bytes from the last one, eight at a time. */
static inline void mg_reverse_bytes(char *restrict to, const char *restrict last, mg_step n)
{
    uint64_t eight;
    for (; n >= 8; n -= 8, to += 8, last -= 8) {
        memcpy(&eight, last - 7, 8);
        eight = __builtin_bswap64(eight);
        memcpy(to, &eight, 8);
    }
    for (mg_step i = 0; i < n; i++)
        to[i] = last[-i];
}

/* `n` elements in a row, which mostly lie one after the other; those that are read may run backwards, or be one. */
static inline void mg_move_row(char *restrict to, mg_step s, const char *restrict from, mg_step t, mg_step n,
                               mg_step item)
{
#define EACH_OF(size, T)                                                                                               \
    case size: {                                                                                                       \
        T one;                                                                                                         \
        memcpy(&one, from, size);                                                                                      \
        if (s == size && t == size)                                                                                    \
            memcpy(to, from, (size_t)(n * size));                                                                      \
        else if (s == size && t == 0)                                                                                  \
            for (mg_step i = 0; i < n; i++)                                                                            \
                memcpy(to + i * size, &one, size);                                                                     \
        else if (s == size && t == -size && size == 1)                                                                 \
            mg_reverse_bytes(to, from, n);                                                                             \
        else if (s == size && t == -size)                                                                              \
            for (mg_step i = 0; i < n; i++)                                                                            \
                memcpy(to + i * size, from - i * size, size);                                                          \
        else                                                                                                           \
            for (mg_step i = 0; i < n; i++)                                                                            \
                memcpy(to + i * s, from + i * t, size);                                                                \
        return;                                                                                                        \
    }
    if (n <= 0)
        return;
    switch (item) {
        EACH_OF(1, uint8_t)
        EACH_OF(2, uint16_t)
        EACH_OF(4, uint32_t)
        EACH_OF(8, uint64_t)
        EACH_OF(16, struct { uint64_t parts[2]; })
    }
#undef EACH_OF
    for (mg_step i = 0; i < n; i++)
        memcpy(to + i * s, from + i * t, (size_t)item);
}

/* 4 by 4 elements of 4 bytes, turned in vector registers: pairs of two rows, then pairs of pairs. */
typedef uint32_t mg_four __attribute__((vector_size(16), aligned(4), may_alias));
#if defined(__clang__)
#define MG_PICK(x, y, a, b, c, d) __builtin_shufflevector(x, y, a, b, c, d)
#else
#define MG_PICK(x, y, a, b, c, d) __builtin_shuffle(x, y, (mg_four){a, b, c, d})
#endif

static inline void mg_turn_square(char *restrict to, mg_step s, const char *restrict from, mg_step t)
{
    const mg_four a = *(const mg_four *)from, b = *(const mg_four *)(from + t);
    const mg_four c = *(const mg_four *)(from + 2 * t), d = *(const mg_four *)(from + 3 * t);
    const mg_four left_ab = MG_PICK(a, b, 0, 4, 1, 5), left_cd = MG_PICK(c, d, 0, 4, 1, 5);
    const mg_four right_ab = MG_PICK(a, b, 2, 6, 3, 7), right_cd = MG_PICK(c, d, 2, 6, 3, 7);
    *(mg_four *)to = MG_PICK(left_ab, left_cd, 0, 1, 4, 5);
    *(mg_four *)(to + s) = MG_PICK(left_ab, left_cd, 2, 3, 6, 7);
    *(mg_four *)(to + 2 * s) = MG_PICK(right_ab, right_cd, 0, 1, 4, 5);
    *(mg_four *)(to + 3 * s) = MG_PICK(right_ab, right_cd, 2, 3, 6, 7);
}

/* The rows of a matrix without gaps between its elements, from the columns of another one. */
static inline void mg_turn_block(mg_step rows, mg_step columns, char *restrict to, mg_step s_row,
                                 const char *restrict from, mg_step t_row, mg_step item)
{
    for (mg_step i = 0, high; i < rows; i += high) {
        mg_step j = 0;
        high = item == 4 && i + 4 <= rows ? 4 : 1;
        for (; high == 4 && j + 4 <= columns; j += 4)
            mg_turn_square(to + i * s_row + j * 4, s_row, from + j * t_row + i * 4, t_row);
        for (mg_step k = i; k < i + high; k++)
            mg_move_row(to + k * s_row + j * item, item, from + j * t_row + k * item, t_row, columns - j, item);
    }
}

/* A matrix whose columns are written one after the other (step s), and whose rows are so read (step u). */
static inline void mg_move_tiles(mg_step rows, mg_step columns, char *to, mg_step s_row, mg_step s, const char *from,
                                 mg_step t_row, mg_step u, mg_step item)
{
    char tile[MG_TILE];
    mg_step side = item <= 2 ? 96 : item == 4 ? 64 : item == 8 ? 40 : 24, pitch = (side + 1) * item;
    for (mg_step i = 0; i < rows; i += side)
        for (mg_step j = 0; j < columns; j += side) {
            mg_step high = rows - i < side ? rows - i : side, broad = columns - j < side ? columns - j : side;
            const char *block = from + i * t_row + j * u;
            if (item == 4 && s == item && t_row == item && u % MG_LINES) {
                mg_turn_block(high, broad, to + i * s_row + j * s, s_row, block, u, item);
                continue;
            }
            for (mg_step k = 0; k < broad; k++)
                mg_move_row(tile + k * pitch, item, block + k * u, t_row, high, item);
            if (s == item)
                mg_turn_block(high, broad, to + i * s_row + j * s, s_row, tile, pitch, item);
            else
                for (mg_step k = 0; k < high; k++)
                    mg_move_row(to + (i + k) * s_row + j * s, s, tile + k * item, pitch, broad, item);
        }
}

typedef void (*mg_row)(char *to, mg_step s, const char *from, mg_step t, mg_step n, mg_step item);

static inline mg_step mg_size(mg_step step)
{
    return step < 0 ? -step : step;
}

static inline void mg_move_dims(int ndim, const mg_step *dims, char *to, const mg_step *s, const char *from,
                                const mg_step *t, mg_step item, int turned, mg_row row)
{
    if (ndim == 0)
        row(to, item, from, item, 1, item);
    else if (ndim == 1)
        row(to, s[0], from, t[0], dims[0], item);
    else if (ndim == 2 && turned)
        mg_move_tiles(dims[0], dims[1], to, s[0], s[1], from, t[0], t[1], item);
    else
        for (mg_step i = 0; i < dims[0]; i++)
            mg_move_dims(ndim - 1, dims + 1, to + i * s[0], s + 1, from + i * t[0], t + 1, item, turned, row);
}

/* Drop dims of one element, put the others in the order in which `to` is written, and join neighbours; returns how many
 * remain, -1 where there are no elements. */
static inline int mg_join_dims(int ndim, const mg_step *dims, const mg_step *s, const mg_step *t, mg_step *joined,
                               mg_step *joined_s, mg_step *joined_t)
{
    int n = 0, kept = 0;
    for (int k = 0; k < ndim; k++) {
        if (dims[k] == 0)
            return -1;
        if (dims[k] == 1)
            continue;
        int at = n++;
        for (; at > 0 && mg_size(joined_s[at - 1]) < mg_size(s[k]); at--)
            joined[at] = joined[at - 1], joined_s[at] = joined_s[at - 1], joined_t[at] = joined_t[at - 1];
        joined[at] = dims[k], joined_s[at] = s[k], joined_t[at] = t[k];
    }
    for (int k = 0; k < n; k++) {
        if (kept && joined_s[kept - 1] == joined_s[k] * joined[k] && joined_t[kept - 1] == joined_t[k] * joined[k])
            joined[kept - 1] *= joined[k];
        else
            joined[kept++] = joined[k];
        joined_s[kept - 1] = joined_s[k];
        joined_t[kept - 1] = joined_t[k];
    }
    return kept;
}

/* Put the dim `chosen` at a later place; the others keep their order. */
static inline void mg_put_at(int at, int chosen, mg_step *dims, mg_step *s, mg_step *t)
{
    mg_step dim = dims[chosen], step = s[chosen], other = t[chosen];
    for (int k = chosen; k < at; k++)
        dims[k] = dims[k + 1], s[k] = s[k + 1], t[k] = t[k + 1];
    dims[at] = dim, s[at] = step, t[at] = other;
}

/* A dim of few elements makes a poor inner loop: let the longest be the last. */
static inline void mg_longest_last(int n, mg_step *dims, mg_step *s, mg_step *t)
{
    int longest = n - 1;
    if (n < 2 || dims[n - 1] >= MG_SHORT)
        return;
    for (int k = 0; k < n; k++)
        if (dims[k] > dims[longest])
            longest = k;
    mg_put_at(n - 1, longest, dims, s, t);
}

/* Is there a dim that is read in smaller steps than the last one, which is the first to be written?  If the two are a
 * matrix that is worth tiles, it is put before the last. */
static inline int mg_turn(int n, mg_step *dims, mg_step *s, mg_step *t, mg_step item)
{
    int first = n - 1;
    for (int k = n - 2; k >= 0; k--)
        if (t[k] && dims[k] >= MG_SHORT && mg_size(t[k]) < mg_size(t[first]))
            first = k;
    if (first == n - 1 || dims[n - 1] < MG_SHORT || item > 16 || item & (item - 1)
        || (item != 4 && dims[n - 1] * mg_size(t[n - 1]) < MG_NEAR))
        return 0;
    mg_put_at(n - 2, first, dims, s, t);
    return 1;
}

static inline void mg_move(int ndim, const mg_step *dims, char *to, const mg_step *to_strides, const char *from,
                           const mg_step *from_strides, mg_step item)
{
    mg_step joined[MG_DIMS], s[MG_DIMS], t[MG_DIMS];
    int n = mg_join_dims(ndim, dims, to_strides, from_strides, joined, s, t), turned = 0;
    if (n < 0)
        return;
    if (n && s[n - 1] == item && t[n - 1] == item)
        item *= joined[--n];
    else
        turned = mg_turn(n, joined, s, t, item);
    if (!turned)
        mg_longest_last(n, joined, s, t);
    mg_move_dims(n, joined, to, s, from, t, item, turned, mg_move_row);
}

/* The same, with a function that converts what it moves. */
static inline void mg_convert(int ndim, const mg_step *dims, char *to, const mg_step *to_strides, const char *from,
                              const mg_step *from_strides, mg_step item, mg_row row)
{
    mg_step joined[MG_DIMS], s[MG_DIMS], t[MG_DIMS];
    int n = mg_join_dims(ndim, dims, to_strides, from_strides, joined, s, t);
    if (n < 0)
        return;
    mg_longest_last(n, joined, s, t);
    mg_move_dims(n, joined, to, s, from, t, item, 0, row);
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
