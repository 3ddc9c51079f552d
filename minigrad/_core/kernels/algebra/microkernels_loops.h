/* The inner loops of convolutions, compiled for several sizes of vector registers, and memory for each thread. */
#ifndef MINIGRAD_TILES_LOOPS_H
#define MINIGRAD_TILES_LOOPS_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "runtime/platform.h"
#include "microkernels.h"
#include "kernels/loops/ufunc_loops.h"

#define STRETCH 512                 /* numbers of each run that are multiplied at a time; a multiple of all LANES */
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
#define POINTS 8
#define T float
#define NAME(x) ENDING(x, float, 64)
#include "microkernels_of_size.h"
#define T double
#define NAME(x) ENDING(x, double, 64)
#include "microkernels_of_size.h"
#undef BYTES
#undef ROWS
#undef DOT_ROWS
#undef POINTS
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("arch=x86-64-v3")
#define BYTES 32
#define ROWS 6
#define DOT_ROWS 3
#define POINTS 6
#define T float
#define NAME(x) ENDING(x, float, 32)
#include "microkernels_of_size.h"
#define T double
#define NAME(x) ENDING(x, double, 32)
#include "microkernels_of_size.h"
#undef BYTES
#undef ROWS
#undef DOT_ROWS
#undef POINTS
#pragma GCC pop_options
#endif

#define BYTES 16
#define ROWS 6
#define DOT_ROWS 3
#define POINTS 6
#define T float
#define NAME(x) ENDING(x, float, 16)
#include "microkernels_of_size.h"
#define T double
#define NAME(x) ENDING(x, double, 16)
#include "microkernels_of_size.h"
#undef BYTES
#undef ROWS
#undef DOT_ROWS
#undef POINTS

#define BOTH(name, bytes) name##_float_##bytes, name##_double_##bytes
#define OF_SIZE(bytes, rows, dot_rows) {BOTH(sums, bytes), BOTH(correlations, bytes), BOTH(products, bytes),           \
                                        bytes, rows, dot_rows}

/* Those for this processor; `most` says how many bytes the registers may have. */
static mg_tiles mg_tiles_for(int most)
{
#ifdef SEVERAL_SIZES
    static const mg_tiles large = OF_SIZE(64, 12, 6), middle = OF_SIZE(32, 6, 3);
    if (most >= 64 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")
        && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")
        && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("fma"))
        return large;
    if (most >= 32 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
        && __builtin_cpu_supports("bmi2"))
        return middle;
#else
    (void)most;
#endif
    static const mg_tiles small = OF_SIZE(16, 6, 3);
    return small;
}

/* Memory of this thread, which keeps it for its next convolution if it is not too much, and frees it when it ends; NULL
 * where there is none. */
#define KEPT_BY_A_THREAD (4 << 20)

static _Thread_local struct {
    char *memory;
    size_t size;
} mg_desk;

MG_AT_THREADS_END(mg_leave_desk, free)

static void mg_new_desk(size_t size)
{
    free(mg_desk.memory);
    mg_desk.memory = size ? malloc(size + 64) : NULL;
    mg_desk.size = mg_desk.memory ? size : 0;
    mg_leave_desk(mg_desk.memory);
}

static void *mg_desk_for(size_t size)
{
    if (size > mg_desk.size || mg_desk.memory == NULL)
        mg_new_desk(size ? size : 1);
    return mg_desk.memory == NULL ? NULL : mg_desk.memory + (64 - (size_t)mg_desk.memory % 64);
}

static void mg_clear_desk(void)
{
    if (mg_desk.size > KEPT_BY_A_THREAD)
        mg_new_desk(0);
}

#endif
