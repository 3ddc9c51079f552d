"""Softmax, its logarithm and the logarithm of a sum of exponentials, line by line in one pass.

    softmax(x) = exp(x - max) / sum(exp(x - max))           log_softmax(x) = x - max - log(sum(exp(x - max)))
                                                            logsumexp(x)   = max + log(sum(exp(x - max)))

x - max is in [-inf, 0], so that no exponential overflows.  Those of doubles are done by NumPy's loop of exp, many at a
time.  Those of floats are done here, in half of the time: by a polynomial with an error of one unit in the last place,
and what would be less than the least normal number, 1.2e-38, is 0.  Sums are in double precision, but for the
few terms that lie beside each other: in float, the millionth term would be lost.
"""

from libc.math cimport INFINITY, log
from minigrad._core.kernels.loops.numpy_loops cimport Loop, resolve
from minigrad._core.kernels.loops.real cimport real
from minigrad._core.kernels.reductions.lines cimport (LOGSUMEXP, LOG_SOFTMAX, LOG_SOFTMAX_BACK, SOFTMAX, SOFTMAX_BACK,
                                                      Lines, What)
from minigrad._core.kernels.reductions.vector_extremes cimport subtract, sum_of, sum_of_products
from minigrad._core.runtime.numpy_api cimport npy_intp

import numpy as np

# The loops are compiled for several sizes of vector registers; the linker takes the largest that there is.  That of the
# exponential is apart: only a function that traps nothing as a whole is computed many numbers at a time.
cdef extern from *:
    """
    #include "kernels/loops/ufunc_loops.h"
    #if defined(__GNUC__)
    #define FLAT __attribute__((flatten, optimize("no-trapping-math")))
    #else
    #define FLAT
    #endif
    #if defined(__GNUC__) && !defined(__clang__)
    #pragma GCC push_options
    #pragma GCC optimize("no-trapping-math", "no-math-errno")
    #endif
    #include "kernels/loops/exponentials.h"
    FOR_ALL("arch=x86-64-v4", "arch=x86-64-v3", "default") static void exp_of_floats(const float *x, float *o, mg_n n)
    {
        EACH for (mg_n i = 0; i < n; i++)
            o[i] = exp_of_float(x[i]);
    }
    #if defined(__GNUC__) && !defined(__clang__)
    #pragma GCC pop_options
    #endif
    FOR_ALL("arch=x86-64-v4", "arch=x86-64-v3", "default") FLAT static int in_floats(int, void *, void *);
    FOR_ALL("arch=x86-64-v4", "arch=x86-64-v3", "default") FLAT static int in_doubles(int, void *, void *);
    """
    void exp_of_floats(const float* x, float* o, npy_intp n) nogil
    double log_of(double) nogil

cdef extern from "kernels/reductions/vector_extremes.h" nogil:
    float float_line_top(const float* x, npy_intp n)
    double double_line_top(const double* x, npy_intp n)

cdef enum:
    ROOM = 2048                 # numbers that stay in the nearest cache

cdef Loop EXP
resolve(&EXP, np.exp)


cdef bint softmax_lines(What what, Lines* l, real* a) noexcept nogil:
    """What is asked for of lines without gaps; False where NumPy's loop was not found."""
    if real is float:
        return in_floats(what, l, a)
    else:
        return in_doubles(what, l, a)


cdef bint in_floats "in_floats"(int what, void* l, void* a) noexcept nogil:
    return in_parts(<What>what, <Lines*>l, <float*>a)


cdef bint in_doubles "in_doubles"(int what, void* l, void* a) noexcept nogil:
    return in_parts(<What>what, <Lines*>l, <double*>a)


cdef inline bint in_parts(What what, Lines* l, real* a) noexcept nogil:
    """As many lines at a time as there is room for."""
    cdef real room[ROOM]
    cdef real* o = <real*>l.o[0]
    cdef npy_intp i = 0, rows, n = l.n
    if real is double and EXP.f[1] == NULL:
        return False
    while i < l.outer:
        rows = min(l.outer - i, max(<npy_intp>1, ROOM // n))
        if what == SOFTMAX:
            softmax(a, o, rows, n)
        elif what == SOFTMAX_BACK:
            softmax_back(a, <real*>l.b + i * n, o, rows, n)
        elif what == LOG_SOFTMAX:
            log_softmax(a, o, room, rows, n)
        elif what == LOG_SOFTMAX_BACK:
            log_softmax_back(a, <real*>l.b + i * n, o, room, rows, n)
        else:
            logsumexp(a, o, room, rows, n)
        a += rows * n
        o += rows * n if what != LOGSUMEXP else rows
        i += rows
    return True


# ------------------------------------------------------------------------------ one line

cdef inline void exponentiate(real* x, real* o, npy_intp size) noexcept nogil:
    """o = exp(x)"""
    cdef npy_intp strides[2]
    cdef char* p[2]
    if real is float:
        exp_of_floats(x, o, size)
    else:
        strides[0] = strides[1] = sizeof(double)
        p[0], p[1] = <char*>x, <char*>o
        EXP.f[1](p, &size, strides, EXP.data[1])


cdef inline real top_of(real* x, npy_intp n) noexcept nogil:
    """The largest number of a line, nan apart; -inf where there is none."""
    if real is float:
        return float_line_top(x, n)
    else:
        return double_line_top(x, n)


cdef inline real finite_top_of(real* x, npy_intp n) noexcept nogil:
    """The same, or 0 where that is infinite."""
    cdef real top = top_of(x, n)
    return top if -INFINITY < top < INFINITY else 0


# ------------------------------------------------------------------------------ several lines

cdef inline void shift(real* x, real* o, npy_intp rows, npy_intp n) noexcept nogil:
    """Subtract from each line its largest number; from one of -inf alone, nothing."""
    cdef npy_intp i
    cdef real top
    for i in range(rows):
        top = top_of(x + i * n, n)
        subtract(x + i * n, 0 if top == -INFINITY else top, o + i * n, n)


cdef inline void softmax(real* x, real* o, npy_intp rows, npy_intp n) noexcept nogil:
    cdef npy_intp i, k
    cdef real scale
    shift(x, o, rows, n)
    exponentiate(o, o, rows * n)
    for i in range(rows):
        scale = <real>(1 / sum_of(o, n))
        for k in range(n):
            o[k] *= scale
        o += n


cdef inline void log_softmax(real* x, real* o, real* room, npy_intp rows, npy_intp n) noexcept nogil:
    cdef double totals[ROOM]
    cdef npy_intp i
    shift(x, o, rows, n)
    if n <= ROOM:
        exponentiate(o, room, rows * n)
    for i in range(rows):
        totals[i] = sum_of(room + i * n, n) if n <= ROOM else sum_of_exponentials(o, 0, room, n)
    take_logs(totals, rows, o)
    for i in range(rows):
        subtract(o, <real>totals[i], o, n)
        o += n


cdef inline void take_logs(double* totals, npy_intp rows, real* kind) noexcept nogil:
    """The logarithm of each, as exact as these numbers need it."""
    cdef npy_intp i
    for i in range(rows):
        if real is float:
            totals[i] = log_of(totals[i])
        else:
            totals[i] = log(totals[i])


cdef inline double sum_of_exponentials(real* x, real top, real* room, npy_intp n) noexcept nogil:
    """Of a line that is longer than there is room for, piece by piece."""
    cdef double total = 0
    cdef npy_intp m
    while n > 0:
        m = min(n, ROOM)
        subtract(x, top, room, m)
        exponentiate(room, room, m)
        total += sum_of(room, m)
        x += m
        n -= m
    return total


cdef inline void logsumexp(real* x, real* o, real* room, npy_intp rows, npy_intp n) noexcept nogil:
    cdef double totals[ROOM]
    cdef npy_intp i
    for i in range(rows):
        o[i] = finite_top_of(x + i * n, n)
        if n <= ROOM:
            subtract(x + i * n, o[i], room + i * n, n)
    if n <= ROOM:
        exponentiate(room, room, rows * n)
    for i in range(rows):
        totals[i] = sum_of(room + i * n, n) if n <= ROOM else sum_of_exponentials(x, o[i], room, n)
    take_logs(totals, rows, o)
    for i in range(rows):
        o[i] = <real>(totals[i] + o[i])


cdef inline void softmax_back(real* d, real* y, real* o, npy_intp rows, npy_intp n) noexcept nogil:
    """y (d - sum(d y))"""
    cdef npy_intp i, k
    cdef real total
    for i in range(rows):
        total = <real>sum_of_products(d, y, n)
        for k in range(n):
            o[k] = y[k] * (d[k] - total)
        d += n
        y += n
        o += n


cdef inline void log_softmax_back(real* d, real* y, real* o, real* room, npy_intp rows, npy_intp n) noexcept nogil:
    """d - exp(y) sum(d)"""
    cdef npy_intp i, j, k, m
    cdef real total
    if n <= ROOM:
        exponentiate(y, room, rows * n)
        for i in range(rows):
            total = <real>sum_of(d, n)
            for k in range(n):
                o[k] = d[k] - room[i * n + k] * total
            d += n
            o += n
        return
    for i in range(rows):
        total = <real>sum_of(d, n)
        j = 0
        while j < n:
            m = min(n - j, ROOM)
            exponentiate(y + j, room, m)
            for k in range(m):
                o[j + k] = d[j + k] - room[k] * total
            j += ROOM
        d += n
        y += n
        o += n
