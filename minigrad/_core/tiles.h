/* The inner loops of convolutions for one size of vector registers: tiles.pyx. */
#ifndef MINIGRAD_TILES_H
#define MINIGRAD_TILES_H

#include <stddef.h>

typedef struct {
    void (*sums_float)(const float *, const ptrdiff_t *, const float *, long, long, long, long, long, const float *,
                       float *, long);
    void (*sums_double)(const double *, const ptrdiff_t *, const double *, long, long, long, long, long,
                        const double *, double *, long);
    void (*correlations_float)(const float *, const ptrdiff_t *, long, const float *, const ptrdiff_t *, long,
                               long, float *, long, long, void *);
    void (*correlations_double)(const double *, const ptrdiff_t *, long, const double *, const ptrdiff_t *, long,
                                long, double *, long, long, void *);
    void (*products_float)(const float *, const ptrdiff_t *, long, const ptrdiff_t *, const float *, long, long,
                           long, const float *, int, float *, long, long);
    void (*products_double)(const double *, const ptrdiff_t *, long, const ptrdiff_t *, const double *, long, long,
                            long, const double *, int, double *, long, long);
    void (*every_float)(const float *, float *, long, long);
    void (*every_double)(const double *, double *, long, long);
    int bytes, rows, dot_rows;
} mg_tiles;

#endif
