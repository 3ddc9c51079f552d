"""Normalising lines: layer, group, batch and RMS norm, and the ways back through them.

All of them subtract from each line of numbers its mean, and divide by its deviation:

    z = (x - mean) r        r = 1 / sqrt(variance + eps)        result = z w + b

They differ in what a line is, and in which of its numbers have a weight in common: Note [Lines of a normalisation].
The variance is the mean of the squares of x - mean, in a second pass, and not that of x^2 minus that of x: numbers far
from zero keep their digits.  Sums are in double precision, but for few terms beside each other (lanes.h).

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

from libc.math cimport sqrt
from cpython.ref cimport PyObject
cimport numpy as cnp
from numpy cimport (NPY_CORDER, NPY_DOUBLE, NPY_FLOAT, PyArray_DATA, PyArray_DIMS, PyArray_ISCARRAY_RO, PyArray_NDIM,
                    PyArray_NewCopy, PyArray_SIZE, PyArray_TYPE, ndarray, npy_intp)
from minigrad._core.blocks cimport new_array
from minigrad._core.geometry cimport MAX_DIMS, as_int, as_ints
from minigrad._core.lanes cimport subtract, sum_of, sum_of_products
from minigrad._core.loops cimport LARGE, Loop, aligned, empty_like, number as as_double, same_shape
from minigrad._core.sums cimport real
from minigrad._core.threads cimport PART, WORTH_THREADS, parallel_for

cnp.import_array()

# As in softmax.pyx, the loops are compiled for several sizes of vector registers.
cdef extern from *:
    """
    #include "ufunc_loops.h"
    #if defined(__GNUC__)
    #define FLAT_LINES __attribute__((flatten, optimize("no-trapping-math")))
    #else
    #define FLAT_LINES
    #endif
    FOR_ALL("arch=x86-64-v4", "arch=x86-64-v3", "default") FLAT_LINES static void norm_of_floats(void *, long, long);
    FOR_ALL("arch=x86-64-v4", "arch=x86-64-v3", "default") FLAT_LINES static void norm_of_doubles(void *, long, long);
    """

cdef enum:
    ROOM = 1024                 # numbers of a piece at a time, and lines beside each other: they stay in the cache
    BLOCK = 16                  # terms that are added in their own precision

cdef enum Way:
    FORWARD                     # the result, and mean and r of each line
    BACK                        # the gradient of x
    TO_PARAMETER                # that of a weight, or where there is no x, that of a bias
    FIXED                       # the result, with means and variances that are given

cdef enum:                      # `over` in ops/networks/normalization.py
    LAYER = 0
    GROUP = 1
    BATCH = 2

cdef struct Norm:
    Way way
    npy_intp N, G, D, L
    bint across
    bint centred                # is the mean subtracted?
    double eps
    void* x
    void* d
    void* w                     # NULL where there is none, as for the next one
    void* b
    void* mean                  # of each line
    void* r
    void* variance              # unbiased, where it is wanted
    void* o

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
    r = 1 / sqrt(squares / size + s.eps)
    (<real*>s.r)[i] = <real>r
    if s.centred:
        (<real*>s.mean)[i] = mean
    if s.variance != NULL:
        (<real*>s.variance)[i] = <real>(squares / (size - 1))
    scale_line(s, i, <real>r, o if s.centred else x, o)


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
        r = 1 / sqrt(squares[k] / s.N + s.eps)
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
    slope = <real>(r * r * products / size)
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
        parts[k] = <real>(<double>r[k] * r[k] * products[k] / s.N)
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

cdef void norm_of_floats "norm_of_floats"(void* s, long first, long last) noexcept nogil:
    some_lines(<Norm*>s, first, last, <float*>(<Norm*>s).x)


cdef void norm_of_doubles "norm_of_doubles"(void* s, long first, long last) noexcept nogil:
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


# ------------------------------------------------------------------------------ operands

cdef ndarray plain(PyObject* x):
    """A float32 or float64 array without gaps: `x` or a copy; None for others, and for empty ones."""
    cdef ndarray a
    if type(<object>x) is not ndarray:
        return None
    a = <ndarray>x
    if not aligned(a) or PyArray_SIZE(a) == 0 or PyArray_TYPE(a) != NPY_FLOAT and PyArray_TYPE(a) != NPY_DOUBLE:
        return None
    return a if PyArray_ISCARRAY_RO(a) else PyArray_NewCopy(a, NPY_CORDER)


cdef bint vector(PyObject* x, npy_intp n, int num, void** data) noexcept:
    """The memory of `n` numbers without gaps, or NULL for None; False where it is something else."""
    cdef ndarray a
    data[0] = NULL
    if <object>x is None:
        return True
    if type(<object>x) is not ndarray:
        return False
    a = <ndarray>x
    data[0] = PyArray_DATA(a)
    return PyArray_TYPE(a) == num and PyArray_ISCARRAY_RO(a) and PyArray_SIZE(a) == n


cdef bint fits(PyObject* x, int ndim, npy_intp* shape) noexcept:
    """Has the array this shape, if it is not None?"""
    cdef int k
    if <object>x is None:
        return True
    if type(<object>x) is not ndarray or PyArray_NDIM(<ndarray>x) != ndim:
        return False
    for k in range(ndim):
        if PyArray_DIMS(<ndarray>x)[k] != shape[k]:
            return False
    return True


cdef bint in_channels(Norm* s, ndarray a, npy_intp groups) noexcept:
    """N, G, D, L of an array of shape (N, C, ...)."""
    cdef npy_intp* shape = PyArray_DIMS(a)
    if PyArray_NDIM(a) < 2 or groups < 1 or shape[1] % groups:
        return False
    s.N, s.G, s.D = shape[0], groups, shape[1] // groups
    s.L = PyArray_SIZE(a) // (shape[0] * shape[1])
    return True


cdef tuple forward(Norm* s, ndarray a, int ndim, npy_intp* stats, bint variance):
    """Result, mean, r, and the unbiased variance if it is wanted."""
    cdef int num = PyArray_TYPE(a)
    cdef ndarray out = empty_like(a), r = new_array(ndim, stats, num)
    cdef ndarray mean = new_array(ndim, stats, num) if s.centred else None
    cdef ndarray unbiased = new_array(ndim, stats, num) if variance else None
    s.way = FORWARD
    s.x, s.o, s.r = PyArray_DATA(a), PyArray_DATA(out), PyArray_DATA(r)
    s.mean = PyArray_DATA(mean) if s.centred else NULL
    s.variance = PyArray_DATA(unbiased) if variance else NULL
    run(s, num)
    if not s.centred:
        return (out, r)
    return (out, mean, r, unbiased) if variance else (out, mean, r)


cdef object of_last_dims(PyObject** args, PyObject* bias, PyObject* eps, bint centred):
    """(input, normalized_shape, weight ...)"""
    cdef npy_intp sizes[MAX_DIMS]
    cdef npy_intp stats[MAX_DIMS]
    cdef Norm s
    cdef int k, ndim, count
    cdef ndarray a = plain(args[0])
    if a is None or not as_double(<object>eps, &s.eps):
        return None
    ndim, count = PyArray_NDIM(a), as_ints(args[1], sizes)
    if count < 1 or count > ndim or ndim > MAX_DIMS:
        return None
    s.N = s.G = s.D = s.L = 1
    s.across, s.centred = False, centred
    for k in range(ndim):
        stats[k] = PyArray_DIMS(a)[k]
        if k < ndim - count:
            s.N *= stats[k]
        elif stats[k] != sizes[k - ndim + count]:
            return None
        else:
            s.D *= stats[k]
            stats[k] = 1
    if not fits(args[2], count, sizes) or not vector(args[2], s.D, PyArray_TYPE(a), &s.w):
        return None
    s.b = NULL
    if bias != NULL and not (fits(bias, count, sizes) and vector(bias, s.D, PyArray_TYPE(a), &s.b)):
        return None
    return forward(&s, a, ndim, stats, False)


cdef object layer_norm(Loop* loop, PyObject** args, int n):
    """(input, normalized_shape, weight, bias, eps)"""
    return of_last_dims(args, args[3], args[4], True)


cdef object rms_norm(Loop* loop, PyObject** args, int n):
    """(input, normalized_shape, weight, eps)"""
    return of_last_dims(args, NULL, args[3], False)


cdef object group_norm(Loop* loop, PyObject** args, int n):
    """(input, weight, bias, N, C, HxW, group, eps)"""
    cdef npy_intp groups = 0, samples = 0, channels = 0, rest = 0
    cdef npy_intp stats[2]
    cdef Norm s
    cdef ndarray a = plain(args[0])
    if a is None or not as_int(args[6], &groups) or not as_double(<object>args[7], &s.eps):
        return None
    if not as_int(args[3], &samples) or not as_int(args[4], &channels) or not as_int(args[5], &rest):
        return None
    if (PyArray_NDIM(a) < 2 or PyArray_DIMS(a)[0] != samples or PyArray_DIMS(a)[1] != channels
            or PyArray_SIZE(a) != samples * channels * rest):
        return None
    if not in_channels(&s, a, groups) or not with_parameters(&s, a, args):
        return None
    s.across, s.centred = False, True
    stats[0], stats[1] = s.N, s.G
    return forward(&s, a, 2, stats, False)


cdef object batch_norm(Loop* loop, PyObject** args, int n):
    """(input, weight, bias, eps)"""
    cdef Norm s
    cdef ndarray a = plain(args[0])
    if a is None or PyArray_NDIM(a) < 2 or not as_double(<object>args[3], &s.eps):
        return None
    if not in_channels(&s, a, PyArray_DIMS(a)[1]) or not with_parameters(&s, a, args) or s.N * s.L < 2:
        return None
    s.across = s.centred = True
    return forward(&s, a, 1, &s.G, True)


cdef object fixed_batch_norm(Loop* loop, PyObject** args, int n):
    """(input, weight, bias, running_mean, running_var, eps)"""
    cdef Norm s
    cdef int num
    cdef ndarray out, a = plain(args[0])
    if a is None or PyArray_NDIM(a) < 2 or not as_double(<object>args[5], &s.eps):
        return None
    num = PyArray_TYPE(a)
    if not in_channels(&s, a, PyArray_DIMS(a)[1]) or not with_parameters(&s, a, args):
        return None
    if not (fits(args[3], 1, &s.G) and vector(args[3], s.G, num, &s.mean) and s.mean != NULL
            and fits(args[4], 1, &s.G) and vector(args[4], s.G, num, &s.variance) and s.variance != NULL):
        return None
    out = empty_like(a)
    s.way, s.across, s.centred, s.x, s.o, s.d, s.r = FIXED, True, True, PyArray_DATA(a), PyArray_DATA(out), NULL, NULL
    run(&s, num)
    return out


cdef bint with_parameters(Norm* s, ndarray a, PyObject** args) noexcept:
    """Weight and bias, one for each channel: the arguments behind the first."""
    cdef npy_intp channels = s.G * s.D
    return (fits(args[1], 1, &channels) and vector(args[1], channels, PyArray_TYPE(a), &s.w)
            and fits(args[2], 1, &channels) and vector(args[2], channels, PyArray_TYPE(a), &s.b))


cdef bint read_stats(Norm* s, ndarray a, PyObject* mean, PyObject* r, PyObject* over) except -1:
    """The shape, from that of `r`, and mean and `r` of each line."""
    cdef npy_intp kind = 0, lines
    cdef ndarray stats
    if not as_int(over, &kind) or type(<object>r) is not ndarray or PyArray_SIZE(<ndarray>r) == 0:
        return False
    stats = <ndarray>r
    lines = PyArray_SIZE(stats)
    s.centred, s.across = <object>mean is not None, kind == BATCH
    if s.across and not s.centred:
        return False
    if kind == LAYER:
        s.N, s.G, s.D, s.L = lines, 1, PyArray_SIZE(a) // lines, 1
        if s.N * s.D != PyArray_SIZE(a):
            return False
    elif PyArray_NDIM(stats) == 0 or not in_channels(s, a, PyArray_DIMS(stats)[PyArray_NDIM(stats) - 1]):
        return False
    elif lines != (s.G if s.across else s.N * s.G) or s.across and s.D != 1:
        return False
    return vector(mean, lines, PyArray_TYPE(a), &s.mean) and vector(r, lines, PyArray_TYPE(a), &s.r)


cdef object norm_backward(Loop* loop, PyObject** args, int n):
    """(d, input, mean, rstd, weight, over)"""
    cdef Norm s
    cdef ndarray d = plain(args[0]), a = plain(args[1]), out
    if d is None or a is None or not same_shape(d, a) or PyArray_TYPE(d) != PyArray_TYPE(a):
        return None
    if not read_stats(&s, a, args[2], args[3], args[5]) or not vector(args[4], s.G * s.D, PyArray_TYPE(a), &s.w):
        return None
    out = empty_like(a)
    s.way, s.b, s.variance = BACK, NULL, NULL
    s.x, s.d, s.o = PyArray_DATA(a), PyArray_DATA(d), PyArray_DATA(out)
    run(&s, PyArray_TYPE(a))
    return out


cdef object norm_weight_backward(Loop* loop, PyObject** args, int n):
    """(d, input, mean, rstd, over, sizes)"""
    cdef npy_intp kind = 0
    cdef Norm s
    cdef ndarray d = plain(args[0]), a = plain(args[1])
    if d is None or a is None or not same_shape(d, a) or PyArray_TYPE(d) != PyArray_TYPE(a):
        return None
    if not read_stats(&s, a, args[2], args[3], args[4]):
        return None
    return of_parameters(&s, PyArray_DATA(a), d, args[5], as_int(args[4], &kind) and kind == LAYER)


cdef object parameter_sum(Loop* loop, PyObject** args, int n):
    """(d, over, sizes)"""
    cdef npy_intp kind = 0, size = 1
    cdef npy_intp sizes[MAX_DIMS]
    cdef Norm s
    cdef int k, count = as_ints(args[2], sizes)
    cdef ndarray d = plain(args[0])
    if d is None or count < 1 or not as_int(args[1], &kind):
        return None
    if kind == LAYER:
        for k in range(count):
            size *= sizes[k]
        if size == 0 or PyArray_SIZE(d) % size:
            return None
        s.N, s.G, s.D, s.L = PyArray_SIZE(d) // size, 1, size, 1
    elif not in_channels(&s, d, 1):
        return None
    s.across, s.centred, s.mean, s.r = False, False, NULL, NULL
    return of_parameters(&s, NULL, d, args[2], kind == LAYER)


cdef object of_parameters(Norm* s, void* x, ndarray d, PyObject* sizes_, bint of_last_dims):
    """The parameters have the shape of the last dims, or there is one for each channel."""
    cdef npy_intp sizes[MAX_DIMS]
    cdef npy_intp size = 1
    cdef int k, count = as_ints(sizes_, sizes)
    cdef ndarray out
    for k in range(count):
        size *= sizes[k]
    if count < 1 or size != s.G * s.D or not of_last_dims and count != 1:
        return None
    for k in range(count if of_last_dims else 0):
        if count > PyArray_NDIM(d) or PyArray_DIMS(d)[PyArray_NDIM(d) - count + k] != sizes[k]:
            return None
    out = new_array(count, sizes, PyArray_TYPE(d))
    s.way, s.x, s.d, s.o, s.w, s.b, s.variance = TO_PARAMETER, x, PyArray_DATA(d), PyArray_DATA(out), NULL, NULL, NULL
    run(s, PyArray_TYPE(d))
    return out
