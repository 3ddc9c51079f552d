"""Normalising lines: the loops of layer, group, batch and RMS norm, and of the ways back through them.

All of them subtract from each line of numbers its mean, and divide by its deviation:

    z = (x - mean) r        r = 1 / sqrt(variance + eps)        result = z w + b

They differ in what a line is, and in which of its numbers have a weight in common: Note [Lines of a normalisation].
The variance is the mean of the squares of x - mean, in a second pass, and not that of x^2 minus that of x: numbers far
from zero keep their digits.  Sums are in double precision, but for few terms beside each other (vector_extremes.h).

Going back, with g = d w, and means over the line:

    x:  r (g - mean(g) - z mean(g z))           w:  sum of d z          b:  sum of d

Each result is the work of one thread, so that none depends on how many there are.
"""

# Note [Lines of a normalisation]
# -------------------------------
# Every operand is seen as an array of shape (N, G, D, L) without gaps.  A weight belongs to one index of (G, D), and a
# line is one of these:
#
#                 N           G           D           L           a line
#     layer norm  the rest    1           the shape   1           D L, for each of (N, G)
#     group norm  N           groups      C / groups  the rest    D L, for each of (N, G)
#     batch norm  N           C           1           the rest    N L, for each of G: it runs `across`
#
# In memory, a line is one or several pieces without gaps.  Where its numbers have different weights, a piece is what
# has the same one, or, with L = 1, the line itself, and then weights lie beside the numbers:
#
#     layer norm      x x x x x x     group norm, D = 2       x x x | x x x       batch norm      x x x    x x x   ...
#                     w w w w w w                               w       w                           w        w
#
# Lines that run across are columns in memory if L = 1, and many of them are taken together, row by row.

from libc.float cimport DBL_EPSILON, DBL_MAX, DBL_MIN, FLT_EPSILON, FLT_MIN
from libc.math cimport fabs, hypot, sqrt
from minigrad._core.kernels.loops.real cimport real
from minigrad._core.kernels.reductions.vector_extremes cimport subtract, sum_of, sum_of_products
from minigrad._core.runtime.numpy_api cimport NPY_FLOAT, npy_intp
from minigrad._core.runtime.thread_pool cimport PART, WORTH_THREADS, parallel_for

# As in softmax.pyx, the loops are compiled for several sizes of vector registers.
cdef extern from *:
    """
    #include "kernels/loops/ufunc_loops.h"
    #if defined(__GNUC__)
    #define FLAT_LINES __attribute__((flatten, optimize("no-trapping-math")))
    #else
    #define FLAT_LINES
    #endif
    FOR_ALL("arch=x86-64-v4", "arch=x86-64-v3", "default") FLAT_LINES static void norm_of_floats(void *, mg_n, mg_n);
    FOR_ALL("arch=x86-64-v4", "arch=x86-64-v3", "default") FLAT_LINES static void norm_of_doubles(void *, mg_n, mg_n);
    """

cdef enum:
    ROOM = 1024                 # numbers of a piece at a time, and lines beside each other: they stay in the cache
    BLOCK = 16                  # terms that are added in their own precision

cdef struct Pieces:             # of one line
    npy_intp first              # where the first one begins
    npy_intp n, length, step
    npy_intp weight, by         # the index of the first weight, and how far it is to that of the next piece
    bint beside                 # or do the weights lie beside the numbers?


cdef inline void take_apart(Norm* s, npy_intp i, bint by_weight, Pieces* p) noexcept nogil:
    """The pieces of line `i`, or those in which all numbers have the same weight."""
    p.beside = False
    p.n, p.by, p.length, p.step = 1, 0, s.D * s.L, 0
    p.first = i * s.D * s.L
    p.weight = i if s.across else i % s.G * s.D
    if s.across:
        p.first, p.n, p.length, p.step = i * s.L, s.N, s.L, s.G * s.L
    elif by_weight and (s.w != NULL or s.b != NULL):
        if s.L == 1:
            p.beside = True
        else:
            p.n, p.length, p.step, p.by = s.D, s.L, s.L, 1


# ------------------------------------------------------------------------------ forward

cdef inline void normalize(Norm* s, npy_intp i, real* x, real* o) noexcept nogil:
    cdef Pieces p
    cdef real* from_
    cdef real* to
    cdef double total = 0, squares = 0, rest = 0, r
    cdef real mean = 0
    cdef npy_intp j, k, m, size
    take_apart(s, i, False, &p)
    size = p.n * p.length
    if s.centred:
        for j in range(p.n):
            total += sum_of(x + p.first + j * p.step, p.length)
        mean = <real>(total / size)
    for j in range(p.n):
        from_, to = x + p.first + j * p.step, o + p.first + j * p.step
        k = 0
        while k < p.length:
            m = min(<npy_intp>ROOM, p.length - k)
            if s.centred:
                subtract(from_ + k, mean, to + k, m)
                rest += sum_of(to + k, m)
                squares += sum_of_products(to + k, to + k, m)
            else:
                squares += sum_of_products(from_ + k, from_ + k, m)
            k += ROOM
    squares = squares - rest * rest / size      # `mean` is rounded, and `rest` would be 0 without that
    r = 1 / (sqrt(squares / size + s.eps) if is_safe(squares / size + s.eps, mean) else
             far_deviation(&p, o if s.centred else x, s.eps, s.centred))
    (<real*>s.r)[i] = <real>r
    if s.centred:
        (<real*>s.mean)[i] = mean
    if s.variance != NULL:
        (<real*>s.variance)[i] = <real>(squares / (size - 1))
    scale_line(s, i, <real>r, o if s.centred else x, o)


cdef inline bint is_safe(double square, real like) noexcept nogil:
    """Has no square that matters been beyond the limits of the dtype?"""
    if real is float:
        return FLT_MIN / FLT_EPSILON < square <= DBL_MAX
    else:
        return DBL_MIN / DBL_EPSILON < square <= DBL_MAX


cdef inline double far_deviation(Pieces* p, real* z, double eps, bint centred) noexcept nogil:
    """sqrt(variance + eps) of a line, in units of its largest number: no square overflows or vanishes."""
    cdef double unit = 0, rest = 0, squares = 0, y
    cdef npy_intp j, k, size = p.n * p.length
    for j in range(p.n):
        for k in range(p.first + j * p.step, p.first + j * p.step + p.length):
            y = fabs(z[k])
            if y != y:
                return y
            unit = max(unit, y)
    if unit == 0 or unit > DBL_MAX:
        return sqrt(eps) + unit
    for j in range(p.n):
        for k in range(p.first + j * p.step, p.first + j * p.step + p.length):
            y = z[k] / unit
            rest += y
            squares += y * y
    return hypot(unit * sqrt((squares - (rest * rest / size if centred else 0)) / size), sqrt(eps))


cdef inline void scale_line(Norm* s, npy_intp i, real r, real* x, real* o) noexcept nogil:
    """x r w + b, along line `i`."""
    cdef Pieces p
    cdef real* w = <real*>s.w
    cdef real* b = <real*>s.b
    cdef real scale, shift
    cdef npy_intp j, k, n
    take_apart(s, i, True, &p)
    n = p.length
    for j in range(p.n):
        k = p.first + j * p.step
        if p.beside:
            scale_beside(x + k, r, NULL if w == NULL else w + p.weight, NULL if b == NULL else b + p.weight, o + k, n)
            continue
        scale = r if w == NULL else r * w[p.weight + j * p.by]
        shift = 0 if b == NULL else b[p.weight + j * p.by]
        scale_piece(x + k, scale, shift, b != NULL, o + k, n)


cdef inline void scale_beside(real* x, real r, real* w, real* b, real* o, npy_intp n) noexcept nogil:
    cdef npy_intp k
    if w == NULL:
        for k in range(n):
            o[k] = x[k] * r + b[k]
    elif b == NULL:
        for k in range(n):
            o[k] = x[k] * r * w[k]
    else:
        for k in range(n):
            o[k] = x[k] * r * w[k] + b[k]


cdef inline void scale_piece(real* x, real scale, real shift, bint shifts, real* o, npy_intp n) noexcept nogil:
    cdef npy_intp k
    if shifts:
        for k in range(n):
            o[k] = x[k] * scale + shift
    else:
        for k in range(n):
            o[k] = x[k] * scale


cdef inline void normalize_columns(Norm* s, npy_intp c, npy_intp width, real* x, real* o) noexcept nogil:
    """Some lines that are columns beside each other, from `c` on."""
    cdef double total[ROOM]
    cdef double squares[ROOM]
    cdef real mean[ROOM]
    cdef real part[ROOM]
    cdef real parts[ROOM]
    cdef real* w = <real*>s.w
    cdef real* b = <real*>s.b
    cdef npy_intp n = 0, i, k, m
    cdef double r
    cdef Pieces column
    column.n, column.length, column.step = s.N, 1, s.G
    x += c
    o += c
    clear(total, width)
    clear(squares, width)
    while n < s.N:
        m = min(<npy_intp>BLOCK, s.N - n)
        clear(part, width)
        for i in range(n, n + m):
            for k in range(width):
                part[k] += x[i * s.G + k]
        add(part, total, width)
        n += m
    for k in range(width):
        mean[k] = <real>(total[k] / s.N)
        (<real*>s.mean)[c + k] = mean[k]
    clear(total, width)
    n = 0
    while n < s.N:
        m = min(<npy_intp>BLOCK, s.N - n)
        clear(part, width)
        clear(parts, width)
        for i in range(n, n + m):
            for k in range(width):
                o[i * s.G + k] = x[i * s.G + k] - mean[k]
                part[k] += o[i * s.G + k]
                parts[k] += o[i * s.G + k] * o[i * s.G + k]
        add(part, total, width)
        add(parts, squares, width)
        n += m
    for k in range(width):
        squares[k] -= total[k] * total[k] / s.N
        column.first = k
        r = 1 / (sqrt(squares[k] / s.N + s.eps) if is_safe(squares[k] / s.N + s.eps, mean[k]) else
                 far_deviation(&column, o, s.eps, True))
        (<real*>s.r)[c + k] = <real>r
        part[k] = <real>r * (w[c + k] if w != NULL else 1)
        if s.variance != NULL:
            (<real*>s.variance)[c + k] = <real>(squares[k] / (s.N - 1))
    for n in range(s.N):
        if b != NULL:
            for k in range(width):
                o[n * s.G + k] = o[n * s.G + k] * part[k] + b[c + k]
        else:
            for k in range(width):
                o[n * s.G + k] *= part[k]


ctypedef fused either:
    float
    double


cdef inline void clear(either* o, npy_intp n) noexcept nogil:
    cdef npy_intp k
    for k in range(n):
        o[k] = 0


cdef inline void add(real* x, double* o, npy_intp n) noexcept nogil:
    cdef npy_intp k
    for k in range(n):
        o[k] += x[k]


cdef inline void normalize_fixed(Norm* s, npy_intp c, npy_intp width, real* x, real* o) noexcept nogil:
    """Some channels, from `c` on, with given statistics: one, or with L = 1 several."""
    cdef real scale[ROOM]
    cdef real* mean = <real*>s.mean
    cdef real* w = <real*>s.w
    cdef real* b = <real*>s.b
    cdef real shift
    cdef npy_intp n, k, first
    for k in range(width):
        scale[k] = <real>(1 / sqrt((<real*>s.variance)[c + k] + s.eps)) * (w[c + k] if w != NULL else 1)
    for n in range(s.N):
        first = (n * s.G + c) * s.L
        if s.L == 1:
            for k in range(width if b != NULL else 0):
                o[first + k] = (x[first + k] - mean[c + k]) * scale[k] + b[c + k]
            for k in range(width if b == NULL else 0):
                o[first + k] = (x[first + k] - mean[c + k]) * scale[k]
        else:
            shift = b[c] if b != NULL else 0
            for k in range(s.L):
                o[first + k] = (x[first + k] - mean[c]) * scale[0] + shift


# ------------------------------------------------------------------------------ the gradient of x

cdef inline void back(Norm* s, npy_intp i, real* x, real* d, real* o) noexcept nogil:
    cdef Pieces p
    cdef real room[ROOM]
    cdef double total = 0, products = 0, r = (<real*>s.r)[i]
    cdef real mean = (<real*>s.mean)[i] if s.centred else 0
    cdef real scale = <real>r, shift, slope
    cdef npy_intp j, k, m, size, first
    if s.w != NULL:
        scale_line(s, i, 1, d, o)
        d = o
    take_apart(s, i, False, &p)
    size = p.n * p.length
    for j in range(p.n):
        k = 0
        while k < p.length:
            m = min(<npy_intp>ROOM, p.length - k)
            first = p.first + j * p.step + k
            subtract(x + first, mean, room, m)
            products += sum_of_products(d + first, room, m)
            if s.centred:
                total += sum_of(d + first, m)
            k += ROOM
    slope = <real>(r * (r * products / size))
    shift = <real>(total / size)
    for j in range(p.n):
        first = p.first + j * p.step
        for k in range(first, first + p.length):
            o[k] = (d[k] - shift - (x[k] - mean) * slope) * scale


cdef inline void back_columns(Norm* s, npy_intp c, npy_intp width, real* x, real* d, real* o) noexcept nogil:
    cdef double total[ROOM]
    cdef double products[ROOM]
    cdef real part[ROOM]
    cdef real parts[ROOM]
    cdef real scale[ROOM]
    cdef real* mean = <real*>s.mean + c
    cdef real* r = <real*>s.r + c
    cdef real* w = <real*>s.w
    cdef npy_intp n = 0, i, k, m
    x += c
    d += c
    o += c
    clear(total, width)
    clear(products, width)
    while n < s.N:
        m = min(<npy_intp>BLOCK, s.N - n)
        clear(part, width)
        clear(parts, width)
        for i in range(n, n + m):
            for k in range(width):
                part[k] += d[i * s.G + k]
                parts[k] += d[i * s.G + k] * (x[i * s.G + k] - mean[k])
        add(part, total, width)
        add(parts, products, width)
        n += m
    for k in range(width):
        part[k] = <real>(total[k] / s.N)
        parts[k] = <real>(r[k] * (r[k] * products[k] / s.N))
        scale[k] = r[k] * (w[c + k] if w != NULL else 1)
    for n in range(s.N):
        for k in range(width):
            o[n * s.G + k] = (d[n * s.G + k] - part[k] - (x[n * s.G + k] - mean[k]) * parts[k]) * scale[k]


# ------------------------------------------------------------------------------ the gradients of weight and bias

cdef inline void to_parameter(Norm* s, npy_intp c, real* x, real* d, real* o) noexcept nogil:
    """That of parameter `c`, whose numbers are pieces of L."""
    cdef real room[ROOM]
    cdef double total = 0, products
    cdef npy_intp n, k, m, first, line
    for n in range(s.N):
        first = (n * s.G * s.D + c) * s.L
        if x == NULL:
            total += sum_of(d + first, s.L)
            continue
        line = c if s.across else n * s.G + c // s.D
        products = 0
        k = 0
        while k < s.L:
            m = min(<npy_intp>ROOM, s.L - k)
            subtract(x + first + k, (<real*>s.mean)[line] if s.centred else 0, room, m)
            products += sum_of_products(d + first + k, room, m)
            k += ROOM
        total += products * (<real*>s.r)[line]
    o[c] = <real>total


cdef inline void to_parameters(Norm* s, npy_intp c, npy_intp width, real* x, real* d, real* o) noexcept nogil:
    """Those from `c` on, whose numbers lie beside each other; but across lines, they are parameters of one group."""
    cdef double total[ROOM]
    cdef real part[ROOM]
    cdef real* means = <real*>s.mean
    cdef real* r = <real*>s.r
    cdef real mean, scale
    cdef npy_intp n = 0, i, k, m, first, line
    clear(total, width)
    while n < s.N:
        m = min(<npy_intp>BLOCK, s.N - n)
        clear(part, width)
        for i in range(n, n + m):
            first = i * s.G * s.D + c
            if x == NULL:
                for k in range(width):
                    part[k] += d[first + k]
            elif s.across:
                for k in range(width):
                    part[k] += d[first + k] * (x[first + k] - means[c + k])
            else:
                line = i * s.G + c // s.D
                mean, scale = means[line] if s.centred else 0, r[line]
                for k in range(width):
                    part[k] += d[first + k] * ((x[first + k] - mean) * scale)
        add(part, total, width)
        n += m
    for k in range(width):
        o[c + k] = <real>(total[k] * r[c + k] if s.across and x != NULL else total[k])


# ------------------------------------------------------------------------------ all lines

cdef void norm_of_floats "norm_of_floats"(void* s, npy_intp first, npy_intp last) noexcept nogil:
    some_lines(<Norm*>s, first, last, <float*>(<Norm*>s).x)


cdef void norm_of_doubles "norm_of_doubles"(void* s, npy_intp first, npy_intp last) noexcept nogil:
    some_lines(<Norm*>s, first, last, <double*>(<Norm*>s).x)


cdef inline void some_lines(Norm* s, npy_intp first, npy_intp last, real* x) noexcept nogil:
    """These lines, or these parameters."""
    cdef real* d = <real*>s.d
    cdef real* o = <real*>s.o
    cdef npy_intp width, i = first
    cdef bint together = s.L == 1 and (s.across or s.way == TO_PARAMETER)
    while i < last:
        width = 1
        if together:
            width = min(<npy_intp>ROOM, last - i)
            if not s.across:
                width = min(width, s.D - i % s.D)
            if s.way == FIXED:
                normalize_fixed(s, i, width, x, o)
            elif s.way == FORWARD:
                normalize_columns(s, i, width, x, o)
            elif s.way == BACK:
                back_columns(s, i, width, x, d, o)
            else:
                to_parameters(s, i, width, x, d, o)
        elif s.way == FIXED:
            normalize_fixed(s, i, 1, x, o)
        elif s.way == FORWARD:
            normalize(s, i, x, o)
        elif s.way == BACK:
            back(s, i, x, d, o)
        else:
            to_parameter(s, i, x, d, o)
        i += width


cdef void run(Norm* s, int num) noexcept:
    cdef npy_intp size = s.N * s.G * s.D * s.L
    cdef npy_intp lines = s.G * s.D if s.way == TO_PARAMETER else s.G if s.across else s.N * s.G
    cdef npy_intp part = max(<npy_intp>1, PART * lines // size)
    if size >= WORTH_THREADS:
        with nogil:
            parallel_for(norm_of_floats if num == NPY_FLOAT else norm_of_doubles, s, lines, part)
    elif num == NPY_FLOAT:
        norm_of_floats(s, 0, lines)
    else:
        norm_of_doubles(s, 0, lines)
