/* Elements at places of their planes. */
#ifndef MINIGRAD_UNPOOLING_H
#define MINIGRAD_UNPOOLING_H

#include <stdint.h>

#include "kernels/loops/read_once.h"
#include "kernels/windows/planes.h"

/* For planes of `inside` elements, and as many of `outside` numbers, each of which has a place in its plane: read what
 * is there, write it, or add it.  False where a place is outside of the plane; -1 is the place of nothing, to add. */
#define AT_PLACES(T)                                                                                                   \
    static int mg_read_planes_##T(const T *a, T *out, const int64_t *at, mg_int planes, mg_int inside, mg_int outside) \
    {                                                                                                                  \
        for (; planes; planes--, a += inside)                                                                          \
            for (mg_int i = 0; i < outside; i++, out++, at++) {                                                        \
                int64_t place = mg_once_i64(at);                                                                       \
                if (place < -1 || place >= inside)                                                                     \
                    return 0;                                                                                          \
                *out = place < 0 ? 0 : a[place];                                                                       \
            }                                                                                                          \
        return 1;                                                                                                      \
    }                                                                                                                  \
    static int mg_add_planes_##T(T *a, const T *from, const int64_t *at, mg_int planes, mg_int inside, mg_int outside) \
    {                                                                                                                  \
        for (; planes; planes--, a += inside)                                                                          \
            for (mg_int i = 0; i < outside; i++, from++, at++) {                                                       \
                int64_t place = mg_once_i64(at);                                                                       \
                if (place < -1 || place >= inside)                                                                     \
                    return 0;                                                                                          \
                if (place >= 0)                                                                                        \
                    a[place] += *from;                                                                                 \
            }                                                                                                          \
        return 1;                                                                                                      \
    }                                                                                                                  \
    static int mg_write_planes_##T(T *a, const T *from, const int64_t *at, mg_int planes, mg_int inside,               \
                                   mg_int outside)                                                                     \
    {                                                                                                                  \
        for (; planes; planes--, a += inside)                                                                          \
            for (mg_int i = 0; i < outside; i++, from++, at++) {                                                       \
                int64_t place = mg_once_i64(at);                                                                       \
                if ((uint64_t)place >= (uint64_t)inside)                                                               \
                    return 0;                                                                                          \
                a[place] = *from;                                                                                      \
            }                                                                                                          \
        return 1;                                                                                                      \
    }
AT_PLACES(float)
AT_PLACES(double)
#undef AT_PLACES

#endif
