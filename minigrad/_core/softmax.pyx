"""Softmax, its logarithm and the logarithm of a sum of exponentials, line by line in one pass.

    softmax(x) = exp(x - max) / sum(exp(x - max))           log_softmax(x) = x - max - log(sum(exp(x - max)))
                                                            logsumexp(x)   = max + log(sum(exp(x - max)))

x - max is in [-inf, 0], so that no exponential overflows.  NumPy's loop of exp does the exponentials, many at a time;
what is done to each line is done here.  Sums are in double precision: in float, the millionth term would be lost.
"""

from libc.math cimport INFINITY, log
from numpy cimport npy_intp
from minigrad._core.lines cimport LOG_SOFTMAX, LOG_SOFTMAX_BACK, LOGSUMEXP, SOFTMAX, SOFTMAX_BACK, Lines, What
from minigrad._core.loops cimport Loop, resolve
from minigrad._core.sums cimport real

import numpy as np

# The loops are compiled twice, the second time for processors with vectors of 8 numbers, and chosen at import.
cdef extern from *:
    """
    #if defined(__GNUC__) && defined(__x86_64__) && !defined(MINIGRAD_CHECKED)
    #define WIDE __attribute__((target("avx2"), flatten))
    #define has_wide() __builtin_cpu_supports("avx2")
    #else
    #define WIDE
    #define has_wide() 0
    #endif
    WIDE static int wide_floats(int, void *, void *);
    WIDE static int wide_doubles(int, void *, void *);
    """
    bint has_wide() nogil

cdef enum:
    LANES = 8
    ROOM = 2048                 # numbers that stay in the nearest cache

cdef Loop EXP
resolve(&EXP, np.exp)


cdef bint WITH_WIDE = has_wide()


cdef bint softmax_lines(What what, Lines* l, real* a) noexcept nogil:
    """What is asked for of lines without gaps; False where NumPy's loop was not found."""
    if not WITH_WIDE:
        return in_parts(what, l, a)
    if real is float:
        return wide_floats(what, l, a)
    else:
        return wide_doubles(what, l, a)


cdef bint wide_floats "wide_floats"(int what, void* l, void* a) noexcept nogil:
    return in_parts(<What>what, <Lines*>l, <float*>a)


cdef bint wide_doubles "wide_doubles"(int what, void* l, void* a) noexcept nogil:
    return in_parts(<What>what, <Lines*>l, <double*>a)


cdef inline bint in_parts(What what, Lines* l, real* a) noexcept nogil:
    """As many lines at a time as there is room for."""
    cdef real room[ROOM]
    cdef real* o = <real*>l.o[0]
    cdef npy_intp i = 0, rows, n = l.n
    if EXP.f[sizeof(real) == sizeof(double)] == NULL:
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
    cdef int t = sizeof(real) == sizeof(double)
    cdef npy_intp strides[2]
    cdef char* p[2]
    strides[0] = strides[1] = sizeof(real)
    p[0], p[1] = <char*>x, <char*>o
    EXP.f[t](p, &size, strides, EXP.data[t])


cdef inline real top_of(real* x, npy_intp n) noexcept nogil:
    """The largest number of a line, nan apart; -inf where there is none."""
    cdef real lanes[LANES]
    cdef real largest
    cdef npy_intp i = 0, k
    for k in range(LANES):
        lanes[k] = -INFINITY
    while i + LANES <= n:
        for k in range(LANES):
            lanes[k] = x[i + k] if x[i + k] > lanes[k] else lanes[k]
        i += LANES
    largest = lanes[0]
    for k in range(1, LANES):
        largest = lanes[k] if lanes[k] > largest else largest
    for i in range(i, n):
        largest = x[i] if x[i] > largest else largest
    return largest


cdef inline real finite_top_of(real* x, npy_intp n) noexcept nogil:
    """The same, or 0 where that is infinite."""
    cdef real top = top_of(x, n)
    return top if -INFINITY < top < INFINITY else 0


cdef inline double sum_of(real* x, npy_intp n) noexcept nogil:
    cdef double lanes[LANES]
    cdef double total = 0
    cdef npy_intp i = 0, k
    for k in range(LANES):
        lanes[k] = 0
    while i + LANES <= n:
        for k in range(LANES):
            lanes[k] += x[i + k]
        i += LANES
    for i in range(i, n):
        total += x[i]
    for k in range(LANES):
        total += lanes[k]
    return total


cdef inline double sum_of_products(real* x, real* y, npy_intp n) noexcept nogil:
    cdef double lanes[LANES]
    cdef double total = 0
    cdef npy_intp i = 0, k
    for k in range(LANES):
        lanes[k] = 0
    while i + LANES <= n:
        for k in range(LANES):
            lanes[k] += <double>x[i + k] * y[i + k]
        i += LANES
    for i in range(i, n):
        total += <double>x[i] * y[i]
    for k in range(LANES):
        total += lanes[k]
    return total


cdef inline void subtract(real* x, real y, real* o, npy_intp n) noexcept nogil:
    cdef npy_intp k
    for k in range(n):
        o[k] = x[k] - y


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
    cdef npy_intp i
    cdef double total
    shift(x, o, rows, n)
    if n <= ROOM:
        exponentiate(o, room, rows * n)
    for i in range(rows):
        total = sum_of(room + i * n, n) if n <= ROOM else sum_of_exponentials(o, room, n)
        subtract(o, <real>log(total), o, n)
        o += n


cdef inline double sum_of_exponentials(real* x, real* room, npy_intp n) noexcept nogil:
    """A line that is longer than there is room for is taken piece by piece."""
    cdef double total = 0
    while n > 0:
        exponentiate(x, room, min(n, ROOM))
        total += sum_of(room, min(n, ROOM))
        x += ROOM
        n -= ROOM
    return total


cdef inline void logsumexp(real* x, real* o, real* room, npy_intp rows, npy_intp n) noexcept nogil:
    cdef npy_intp i, k, m
    cdef real top
    cdef double total
    if n <= ROOM:
        for i in range(rows):
            o[i] = finite_top_of(x + i * n, n)
            subtract(x + i * n, o[i], room + i * n, n)
        exponentiate(room, room, rows * n)
        for i in range(rows):
            o[i] = <real>(log(sum_of(room + i * n, n)) + o[i])
        return
    for i in range(rows):
        top = finite_top_of(x, n)
        total = 0
        k = 0
        while k < n:
            m = min(n - k, ROOM)
            subtract(x + k, top, room, m)
            total += sum_of_exponentials(room, room, m)
            k += ROOM
        o[i] = <real>(log(total) + top)
        x += n


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
