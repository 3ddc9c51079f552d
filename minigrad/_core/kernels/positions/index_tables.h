/* Elements that are chosen by number: a table of places, and what is read, written or added there.
 *
 * A place is the distance in bytes from the beginning of an array.  The table is made once, with every number checked;
 * then blocks of so many bytes are moved, one for each place.
 */
#ifndef MINIGRAD_CHOOSING_H
#define MINIGRAD_CHOOSING_H

#include <stdint.h>
#include <string.h>

#include "kernels/loops/read_once.h"

typedef intptr_t mg_place;

/* ------------------------------------------------------------------------------ making the table */

/* The places of coordinates: each dim leads `strides[k]` bytes further. */
static inline mg_place *mg_own_places(mg_place *places, int ndim, const mg_place *dims, const mg_place *strides,
                               mg_place start)
{
    if (ndim <= 1) {
        const mg_place n = ndim ? dims[0] : 1, step = ndim ? strides[0] : 0;
        for (mg_place i = 0; i < n; i++)
            places[i] = start + i * step;
        return places + n;
    }
    for (mg_place i = 0; i < dims[0]; i++)
        places = mg_own_places(places, ndim - 1, dims + 1, strides + 1, start + i * strides[0]);
    return places;
}

/* Add to the places `stride` bytes for each unit of the numbers at `index`; NULL where one is outside of 0 ... size - 1
 * or, where they may count from the end, of -size ... size - 1. */
#define CHOOSING(name, T, once)                                                                                        \
    static inline mg_place *name(mg_place *places, int ndim, const mg_place *dims, const char *index,                  \
                          const mg_place *strides, mg_place size, mg_place stride, int from_end)                       \
    {                                                                                                                  \
        mg_place n = ndim ? dims[0] : 1, step = ndim ? strides[0] : 0;                                                 \
        if (ndim > 1) {                                                                                                \
            for (mg_place i = 0; i < n && places; i++)                                                                 \
                places = name(places, ndim - 1, dims + 1, index + i * step, strides + 1, size, stride, from_end);      \
            return places;                                                                                             \
        }                                                                                                              \
        for (mg_place i = 0; i < n; i++) {                                                                             \
            int64_t number = once((const T *)(index + i * step));       /* which may be wider than a place */          \
            if (from_end && number < 0)                                                                                \
                number += size;                                                                                        \
            if ((uint64_t)number >= (uint64_t)size)                                                                    \
                return NULL;                                                                                           \
            places[i] += (mg_place)number * stride;                                                                    \
        }                                                                                                              \
        return places + n;                                                                                             \
    }
CHOOSING(mg_choose_64, int64_t, mg_once_i64)
CHOOSING(mg_choose_32, int32_t, mg_once_i32)
#undef CHOOSING

/* The places of the elements that a mask chooses.  They were counted before: the mask is one that nobody else has. */
static inline mg_place *mg_masked_places(mg_place *places, int ndim, const mg_place *dims, const char *mask,
                                  const mg_place *mask_strides, const mg_place *strides, mg_place start)
{
    if (ndim == 0) {
        if (*mask)
            *places++ = start;
        return places;
    }
    if (ndim > 1) {
        for (mg_place i = 0; i < dims[0]; i++)
            places = mg_masked_places(places, ndim - 1, dims + 1, mask + i * mask_strides[0], mask_strides + 1,
                                      strides + 1, start + i * strides[0]);
        return places;
    }
    for (mg_place i = 0; i < dims[0]; i++) {
        *places = start + i * strides[0];
        places += mask[i * mask_strides[0]] != 0;
    }
    return places;
}

/* How many it chooses. */
static inline mg_place mg_count_mask(int ndim, const mg_place *dims, const char *mask, const mg_place *strides)
{
    mg_place found = 0;
    if (ndim == 0)
        return *mask != 0;
    for (mg_place i = 0; i < dims[0]; i++)
        found += ndim > 1 ? mg_count_mask(ndim - 1, dims + 1, mask + i * strides[0], strides + 1)
                          : mask[i * strides[0]] != 0;
    return found;
}

/* The coordinates of those elements: the numbers of each dim one after the other, and `count` numbers on, those of the
 * next dim; `at` has those of the dims before. */
static inline int64_t *mg_coordinates(int64_t *out, mg_place count, int ndim, int axis, const mg_place *dims,
                               const char *mask, const mg_place *strides, int64_t *at)
{
    if (axis == ndim) {
        for (int k = 0; k < ndim; k++)
            out[k * count] = at[k];
        return out + (*mask != 0);
    }
    for (at[axis] = 0; at[axis] < dims[axis]; at[axis]++, mask += strides[axis])
        if (axis + 1 < ndim || *mask)
            out = mg_coordinates(out, count, ndim, axis + 1, dims, mask, strides, at);
    return out;
}

/* ------------------------------------------------------------------------------ using it */

#define OF_SIZE(size, statement)                                                                                       \
    case size:                                                                                                         \
        for (mg_place i = 0; i < n; i++)                                                                               \
            statement;                                                                                                 \
        return;
#define BY_SIZE(block, copy)                                                                                           \
    switch (block) {                                                                                                   \
        OF_SIZE(1, copy(1)) OF_SIZE(2, copy(2)) OF_SIZE(4, copy(4)) OF_SIZE(8, copy(8)) OF_SIZE(16, copy(16))          \
    default:                                                                                                           \
        for (mg_place i = 0; i < n; i++)                                                                               \
            copy(block);                                                                                               \
    }

/* The blocks at the places, one after the other. */
static inline void mg_read_places(char *to, const char *data, const mg_place *places, mg_place n, mg_place block)
{
#define READ(size) memcpy(to + i * block, data + places[i], (size_t)(size))
    BY_SIZE(block, READ)
#undef READ
}

/* Blocks to the places; they follow one another by `step`, which is 0 where one block goes everywhere. */
static inline void mg_write_places(char *data, const mg_place *places, mg_place n, const char *from, mg_place step,
                            mg_place block)
{
#define WRITE(size) memcpy(data + places[i], from + i * step, (size_t)(size))
    BY_SIZE(block, WRITE)
#undef WRITE
}

/* Blocks of numbers added to those at the places, or multiplied with them, in their order.  Integers wrap around. */
#define COMBINING(T, with)                                                                                             \
    for (mg_place i = 0; i < n; i++) {                                                                                 \
        T *restrict a = (T *)(data + places[i]);                                                                       \
        const T *restrict b = (const T *)(from + i * step);                                                            \
        for (mg_place k = 0; k < block / (mg_place)sizeof(T); k++)                                                     \
            a[k] = (T)(a[k] with b[k]);                                                                                \
    }                                                                                                                  \
    return

enum { MG_FLOAT, MG_DOUBLE, MG_INT8, MG_INT16, MG_INT32, MG_INT64 };

#define COMBINED(name, with)                                                                                           \
    static inline void name(char *data, const mg_place *places, mg_place n, const char *from, mg_place step,           \
                            mg_place block, int type)                                                                  \
    {                                                                                                                  \
        switch (type) {                                                                                                \
        case MG_FLOAT:                                                                                                 \
            COMBINING(float, with);                                                                                    \
        case MG_DOUBLE:                                                                                                \
            COMBINING(double, with);                                                                                   \
        case MG_INT8:                                                                                                  \
            COMBINING(uint8_t, with);                                                                                  \
        case MG_INT16:                                                                                                 \
            COMBINING(uint16_t, with (unsigned));                                                                      \
        case MG_INT32:                                                                                                 \
            COMBINING(uint32_t, with);                                                                                 \
        case MG_INT64:                                                                                                 \
            COMBINING(uint64_t, with);                                                                                 \
        }                                                                                                              \
    }
COMBINED(mg_add_places, +)
COMBINED(mg_multiply_places, *)
#undef COMBINED
#undef COMBINING

/* ------------------------------------------------------------------------------ without a table */

typedef struct {
    mg_place size, stride;      /* of the dim that is chosen from */
    mg_place item, step;        /* of an element; to the next one that is read, written or added: 0 where it is one */
    int action, type;
} mg_choice;

enum { MG_READ, MG_WRITE, MG_ADD, MG_MULTIPLY };        /* the actions of index_tables.pxd */

typedef struct { uint64_t parts[2]; } mg_two;

/* A number for each element says where that is along one dim; along the others it has coordinates of its own, which
 * lead `own` bytes on.  Returns the end of `other`, from first to last; NULL where a number is outside. */
static inline char *mg_choose_along(const mg_choice *c, int ndim, const mg_place *dims, char *data, const mg_place *own,
                                    const char *index, const mg_place *strides, char *other)
{
    const mg_place n = dims[0], by = own[0], by_number = strides[0], size = c->size, stride = c->stride, step = c->step;
    const mg_place parts = c->type <= MG_DOUBLE && c->item > (c->type == MG_DOUBLE ? 8 : 4) ? 2 : 1;
    if (ndim > 1) {
        for (mg_place i = 0; i < n && other; i++)
            other = mg_choose_along(c, ndim - 1, dims + 1, data + i * by, own + 1, index + i * by_number,
                                    strides + 1, other);
        return other;
    }
#define EACH(T, statement)                                                                                             \
    for (mg_place i = 0; i < n; i++) {                                                                                 \
        const int64_t number = mg_once_i64((const int64_t *)(index + i * by_number));                                  \
        if ((uint64_t)number >= (uint64_t)size)                                                                        \
            return NULL;                                                                                               \
        T *a = (T *)(data + i * by + (mg_place)number * stride), *b = (T *)(other + i * step);                         \
        statement;                                                                                                     \
    }                                                                                                                  \
    break;
#define MOVED(size, T)                                                                                                 \
    case 4 * size + MG_READ:                                                                                           \
        EACH(T, *b = *a)                                                                                               \
    case 4 * size + MG_WRITE:                                                                                          \
        EACH(T, *a = *b)
#define COMBINED(name, T, with)                                                                                        \
    case 4 * name + MG_ADD:                                                                                            \
        EACH(T, for (mg_place k = 0; k < parts; k++) a[k] = (T)(a[k] + with b[k]))                                     \
    case 4 * name + MG_MULTIPLY:                                                                                       \
        EACH(T, *a = (T)(*a * with *b))
    switch (4 * (c->action <= MG_WRITE ? (int)c->item : c->type) + c->action) {
        MOVED(1, uint8_t)
        MOVED(2, uint16_t)
        MOVED(4, uint32_t)
        MOVED(8, uint64_t)
        MOVED(16, mg_two)
        COMBINED(MG_FLOAT, float, )
        COMBINED(MG_DOUBLE, double, )
        COMBINED(MG_INT8, uint8_t, )
        COMBINED(MG_INT16, uint16_t, (unsigned))
        COMBINED(MG_INT32, uint32_t, )
        COMBINED(MG_INT64, uint64_t, )
    default:
        return NULL;
    }
#undef COMBINED
#undef MOVED
#undef EACH
    return other + n * step;
}

#endif
