/* The inner loops of convolutions, compiled for several sizes of vector registers, and memory for each thread. */
#ifndef MINIGRAD_CONVOLVING_H
#define MINIGRAD_CONVOLVING_H

#include <stddef.h>
#include <stdlib.h>
#include "ufunc_loops.h"

#define STRETCH 1024                /* numbers of each run that are multiplied at a time; a multiple of all LANES */
#if defined(__GNUC__) && !defined(__clang__)
#define UNROLLED _Pragma("GCC unroll 16")
#else
#define UNROLLED _Pragma("unroll")
#endif

#define ENDING_(x, type, bytes) x##_##type##_##bytes
#define ENDING(x, type, bytes) ENDING_(x, type, bytes)

/* the processors have 32 registers of 64 bytes, or 16 of 32, or 16 of 16 */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(MINIGRAD_CHECKED)
#define SEVERAL_SIZES 1

#pragma GCC push_options
#pragma GCC target("arch=x86-64-v4")
#define BYTES 64
#define ROWS 12
#define DOT_ROWS 6
#define T float
#define NAME(x) ENDING(x, float, 64)
#include "convolving_tiles.h"
#define T double
#define NAME(x) ENDING(x, double, 64)
#include "convolving_tiles.h"
#undef BYTES
#undef ROWS
#undef DOT_ROWS
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("arch=x86-64-v3")
#define BYTES 32
#define ROWS 6
#define DOT_ROWS 3
#define T float
#define NAME(x) ENDING(x, float, 32)
#include "convolving_tiles.h"
#define T double
#define NAME(x) ENDING(x, double, 32)
#include "convolving_tiles.h"
#undef BYTES
#undef ROWS
#undef DOT_ROWS
#pragma GCC pop_options
#endif

#define BYTES 16
#define ROWS 6
#define DOT_ROWS 3
#define T float
#define NAME(x) ENDING(x, float, 16)
#include "convolving_tiles.h"
#define T double
#define NAME(x) ENDING(x, double, 16)
#include "convolving_tiles.h"
#undef BYTES
#undef ROWS
#undef DOT_ROWS

typedef struct {
    void (*sums_float)(const float *, const ptrdiff_t *, const float *, long, long, long, long, long, const float *,
                       float *, long);
    void (*sums_double)(const double *, const ptrdiff_t *, const double *, long, long, long, long, long,
                        const double *, double *, long);
    void (*correlations_float)(const float *, long, long, const float *, const ptrdiff_t *, long, long, float *, long,
                               void *);
    void (*correlations_double)(const double *, long, long, const double *, const ptrdiff_t *, long, long, double *,
                                long, void *);
    int bytes, rows;
} mg_convolving;

#define OF_SIZE(bytes, rows) {sums_float_##bytes, sums_double_##bytes, correlations_float_##bytes,                     \
                              correlations_double_##bytes, bytes, rows}

/* Those for this processor; `most` says how many bytes the registers may have. */
static mg_convolving mg_convolving_for(int most)
{
#ifdef SEVERAL_SIZES
    static const mg_convolving large = OF_SIZE(64, 12), middle = OF_SIZE(32, 6);
    if (most >= 64 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")
        && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")
        && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("fma"))
        return large;
    if (most >= 32 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
        && __builtin_cpu_supports("bmi2"))
        return middle;
#endif
    static const mg_convolving small = OF_SIZE(16, 6);
    return small;
}

/* Memory of this thread, which keeps it for its next convolution if it is not too much; NULL where there is none. */
#define KEPT_BY_A_THREAD (4 << 20)

static _Thread_local struct {
    char *memory;
    size_t size;
} mg_desk;

static void *mg_desk_for(size_t size)
{
    if (size > mg_desk.size) {
        free(mg_desk.memory);
        mg_desk.size = 0;
        mg_desk.memory = malloc(size + 64);
        if (mg_desk.memory == NULL)
            return NULL;
        mg_desk.size = size;
    }
    return mg_desk.memory + (64 - (size_t)mg_desk.memory % 64);
}

static void mg_clear_desk(void)
{
    if (mg_desk.size > KEPT_BY_A_THREAD) {
        free(mg_desk.memory);
        mg_desk.memory = NULL;
        mg_desk.size = 0;
    }
}

#endif
