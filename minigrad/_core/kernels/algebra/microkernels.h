/* The inner loops of convolutions for one size of vector registers: microkernels.pyx. */
#ifndef MINIGRAD_TILES_H
#define MINIGRAD_TILES_H

#include <stddef.h>

typedef ptrdiff_t mg_n;

typedef struct {
    void (*sums_float)(const float *, const mg_n *, const float *, mg_n, mg_n, mg_n, mg_n, mg_n, const float *,
                       float *, mg_n);
    void (*sums_double)(const double *, const mg_n *, const double *, mg_n, mg_n, mg_n, mg_n, mg_n, const double *,
                        double *, mg_n);
    void (*correlations_float)(const float *, const mg_n *, mg_n, const float *, const mg_n *, mg_n, mg_n, float *,
                               mg_n, mg_n, void *);
    void (*correlations_double)(const double *, const mg_n *, mg_n, const double *, const mg_n *, mg_n, mg_n, double *,
                                mg_n, mg_n, void *);
    void (*products_float)(const float *, const mg_n *, mg_n, const mg_n *, const float *, mg_n, mg_n, mg_n,
                           const float *, int, float *, mg_n, mg_n);
    void (*products_double)(const double *, const mg_n *, mg_n, const mg_n *, const double *, mg_n, mg_n, mg_n,
                            const double *, int, double *, mg_n, mg_n);
    int bytes, rows, dot_rows;
} mg_tiles;

#endif
