"""Convolutions of float32 and float64 in one to three dims: the three derivatives of one sum.

The sum is T(x, w, y) of ops/windows/convolution.py, and its derivatives with respect to y, x and w are the convolution,
the transposed convolution and the gradient of the weight.  Each is computed as a product of matrices, without the
matrix of all windows.

Note [Runs instead of columns]
------------------------------
For one element k of the kernel, the windows that lie side by side read numbers that lie side by side, a *run*.  If the
rows of an image have some room behind them, the windows of all rows are one run::

    image 3 x 4, kernel 2 x 2, 2 x 3 windows        memory:   a b c d e f g h i j k l
                                                    k = 00    a b c . e f g
        a b c d                                     k = 01      b c d . f g h
        e f g h                                     k = 10            e f g . i j k
        i j k l                                     k = 11              f g h . j k l

These are the rows of the matrix of windows, and they need not be written down: a row is the place where it begins.  The
numbers at the dots belong to no window.  They cost some time, and what is made of them is left out in the end.

With a stride s, windows that lie side by side read every s-th number.  So the image is laid out by *phases*, those
numbers whose places leave the same remainder by s; in each phase the windows read runs again::

    s = 2       a b c d e f g     ->     a c e g | b d f

So an image is first laid out in memory of the thread that computes it: with its padding, by phases, and several small
images one behind another, as one long image.  If there is neither padding nor a stride, it lies well as it is, and so
does the result of a kernel of one element.

The way back has the same runs.  The gradient of phase f is a sum over the elements of the kernel that read it, of runs
of y, which begin k places *before* its own; y is laid out with zeros in the gaps.  The gradient of the weight is a sum
along two runs, of x and of y; there the zeros of y meet the numbers at the dots.

What this cannot do, it leaves to the general way, and says so by None.  That is also so where a zero met an infinite
number, or nan, that belongs to no window.

Note [Who computes what]
------------------------
Threads take turns at images, or at groups of channels, and where these are few, at blocks of rows of the result.  For
the gradient of the weight they first lay out as many images as fit in the cache, each one some channels, and then take
turns at the columns of the weight.  Each number is computed by one thread, in an order that does not depend on how many
there are.
"""

from cpython.ref cimport PyObject
from libc.math cimport isfinite
from libc.stddef cimport ptrdiff_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset
cimport numpy as cnp
from numpy cimport (NPY_CORDER, NPY_DOUBLE, NPY_FLOAT, PyArray_DATA, PyArray_DIMS, PyArray_IS_C_CONTIGUOUS,
                    PyArray_NDIM, PyArray_NewCopy, PyArray_SIZE, PyArray_TYPE, ndarray, npy_intp)
from minigrad._core.blocks cimport new_array, new_zeros
from minigrad._core.geometry cimport MAX_DIMS, as_int, as_ints
from minigrad._core.loops cimport Loop, aligned
from minigrad._core.sums cimport real
from minigrad._core.threads cimport Job, parallel_for

cnp.import_array()

cdef extern from "convolving.h":
    ctypedef struct mg_convolving:
        void (*sums_float)(float*, ptrdiff_t*, float*, long, long, long, long, long, float*, float*,
                           long) noexcept nogil
        void (*sums_double)(double*, ptrdiff_t*, double*, long, long, long, long, long, double*, double*,
                            long) noexcept nogil
        void (*correlations_float)(float*, long, long, float*, ptrdiff_t*, long, long, float*, long,
                                   void*) noexcept nogil
        void (*correlations_double)(double*, long, long, double*, ptrdiff_t*, long, long, double*, long,
                                    void*) noexcept nogil
        int bytes, rows
    mg_convolving mg_convolving_for(int) noexcept nogil
    void* mg_desk_for(size_t) noexcept nogil
    void mg_clear_desk() noexcept nogil

cdef enum:
    LONG_ENOUGH = 512           # numbers of a run, up to which several images make it longer
    WORTH_SHARING = 1 << 19     # multiplications
    TURNS = 8                   # there should be as many for the threads to take
    CACHED = 2 << 20            # bytes of images that are laid out together
    LARGEST = 1 << 24           # sizes, strides ... that are computed with here

cdef mg_convolving LOOPS = mg_convolving_for(64)


def registers(int most):
    """Let convolutions use vector registers of this many bytes at most, and say how many they had before.

    The largest that the processor has are usual; others are for tests.
    """
    global LOOPS
    cdef int before = LOOPS.bytes
    LOOPS = mg_convolving_for(most)
    return before


# ------------------------------------------------------------------------------ the problem

cdef struct Problem:
    # Of each dim of three; the first ones have size 1 where there are fewer.
    npy_intp images, groups
    npy_intp channels, outputs  # of a group
    npy_intp size[3]            # of the input
    npy_intp kernel[3]
    npy_intp places[3]          # of windows
    npy_intp stride[3]
    npy_intp padding[3]
    npy_intp dilation[3]
    npy_intp room[3]            # of a phase: what the windows read there, along each dim
    npy_intp remainders[3]      # how many there are among the elements of the kernel
    npy_intp* remainder[3]      # and which, for each
    npy_intp* number[3]         # of the remainder of each element of the kernel
    npy_intp inputs, results    # numbers of one channel of x and of y
    npy_intp elements           # of the kernel
    npy_intp phases
    npy_intp plane              # numbers of a phase
    npy_intp length             # of the run of all windows
    npy_intp* phase             # that an element of the kernel reads
    npy_intp* begins            # and where there
    npy_intp bunch              # images that are laid out as one


cdef bint three(PyObject* x, int n, npy_intp filled, npy_intp* to) except -1:
    """The parameters of `n` dims as those of three."""
    cdef npy_intp given[MAX_DIMS]
    if as_ints(x, given) != n:
        return False
    fill(given, n, filled, to)
    return True


cdef void fill(npy_intp* given, int n, npy_intp filled, npy_intp* to) noexcept:
    cdef int i
    for i in range(3):
        to[i] = filled if i < 3 - n else given[i - 3 + n]


cdef bint read(Problem* p, int ndim, npy_intp* x, npy_intp* w, npy_intp* y, PyObject** args) except -1:
    """What follows from the shapes and from (stride, padding, dilation, groups); False where it does not fit."""
    cdef int i, n = ndim - 2
    cdef npy_intp span, most
    cdef double numbers
    if not 1 <= n <= 3 or not three(args[0], n, 1, p.stride) or not three(args[1], n, 0, p.padding):
        return False
    if not three(args[2], n, 1, p.dilation) or not as_int(args[3], &p.groups) or not 0 < p.groups <= LARGEST:
        return False
    for i in range(ndim):
        if not (0 < x[i] <= LARGEST and 0 < w[i] <= LARGEST and 0 < y[i] <= LARGEST):
            return False
    p.images, p.channels, p.outputs = x[0], w[1], w[0] // p.groups
    if y[0] != x[0] or y[1] != w[0] or x[1] != p.channels * p.groups or w[0] != p.outputs * p.groups:
        return False
    fill(x + 2, n, 1, p.size)
    fill(w + 2, n, 1, p.kernel)
    fill(y + 2, n, 1, p.places)
    p.inputs = p.results = p.elements = p.phases = p.plane = 1
    p.length, numbers = 0, 1
    for i in range(3):
        if not (0 < p.stride[i] <= LARGEST and 0 < p.dilation[i] <= LARGEST and 0 <= p.padding[i] <= LARGEST):
            return False
        span = (p.kernel[i] - 1) * p.dilation[i]
        p.room[i] = p.places[i] + span // p.stride[i]
        p.inputs *= p.size[i]
        p.results *= p.places[i]
        p.elements *= p.kernel[i]
        numbers *= <double>p.room[i] * min(p.stride[i], p.kernel[i])
    most = p.inputs if p.inputs > p.results else p.results
    if numbers > 64. * most + 4096:             # mostly padding
        return False
    for i in range(3):
        p.plane *= p.room[i]
        p.length = p.length * p.room[i] + p.places[i] - 1
    p.length += 1
    p.bunch = min((LONG_ENOUGH - 1) // p.plane + 1, p.images)
    return tables(p)


cdef bint tables(Problem* p) except -1:
    """What the elements of the kernel read."""
    cdef npy_intp i, j, k, r
    cdef npy_intp at[3]
    cdef npy_intp* rest = <npy_intp*>malloc((2 * p.elements + 2 * (p.kernel[0] + p.kernel[1] + p.kernel[2]))
                                            * sizeof(npy_intp))
    if rest == NULL:
        return False
    p.phase, p.begins = rest, rest + p.elements
    rest += 2 * p.elements
    for i in range(3):
        p.remainder[i], p.number[i] = rest, rest + p.kernel[i]
        rest += 2 * p.kernel[i]
        p.remainders[i] = 0
        for k in range(p.kernel[i]):
            r = k * p.dilation[i] % p.stride[i]
            j = 0
            while j < p.remainders[i] and p.remainder[i][j] != r:
                j += 1
            if j == p.remainders[i]:
                p.remainder[i][j] = r
                p.remainders[i] += 1
            p.number[i][k] = j
        p.phases *= p.remainders[i]
    for k in range(p.elements):
        at[2] = k % p.kernel[2]
        at[1] = k // p.kernel[2] % p.kernel[1]
        at[0] = k // (p.kernel[2] * p.kernel[1])
        p.phase[k] = p.begins[k] = 0
        for i in range(3):
            p.phase[k] = p.phase[k] * p.remainders[i] + p.number[i][at[i]]
            p.begins[k] = p.begins[k] * p.room[i] + at[i] * p.dilation[i] // p.stride[i]
    return True


cdef inline bint lies_well(Problem* p) noexcept nogil:
    """Is an image laid out as it is?"""
    cdef int i
    for i in range(3):
        if p.stride[i] != 1 or p.padding[i] != 0 or p.room[i] != p.size[i]:
            return False
    return p.bunch == 1


cdef inline npy_intp cdiv(npy_intp a, npy_intp b) noexcept nogil:
    """a / b for b > 0, rounded up."""
    return (a + b - 1) // b if a > 0 else -(-a // b)


cdef inline void inside(Problem* p, int i, npy_intp remainder, npy_intp* first, npy_intp* end) noexcept nogil:
    """The places of a phase, along one dim, that are in the image: from `first` to before `end`."""
    first[0] = max(0, cdiv(p.padding[i] - remainder, p.stride[i]))
    end[0] = min(p.room[i], cdiv(p.size[i] + p.padding[i] - remainder, p.stride[i]))
    end[0] = max(first[0], end[0])


# ------------------------------------------------------------------------------ images laid out

cdef void lay_out(Problem* p, real* x, npy_intp count, real* out, npy_intp pitch) noexcept nogil:
    """One channel of some images, phase by phase, each phase `pitch` numbers from the last."""
    cdef npy_intp f0, f1, f2, i, u0, u1, u2, a0, b0, a1, b1, a2, b2, s = p.stride[2]
    cdef real* row
    cdef real* from_
    for f0 in range(p.remainders[0]):
        inside(p, 0, p.remainder[0][f0], &a0, &b0)
        for f1 in range(p.remainders[1]):
            inside(p, 1, p.remainder[1][f1], &a1, &b1)
            for f2 in range(p.remainders[2]):
                inside(p, 2, p.remainder[2][f2], &a2, &b2)
                row = out
                for i in range(count):
                    for u0 in range(p.room[0]):
                        if not a0 <= u0 < b0 or b1 == a1 or b2 == a2:
                            memset(row, 0, p.room[1] * p.room[2] * sizeof(real))
                            row += p.room[1] * p.room[2]
                            continue
                        memset(row, 0, a1 * p.room[2] * sizeof(real))
                        row += a1 * p.room[2]
                        for u1 in range(a1, b1):
                            from_ = x + i * p.groups * p.channels * p.inputs + p.remainder[2][f2] - p.padding[2] + (
                                (u0 * p.stride[0] + p.remainder[0][f0] - p.padding[0]) * p.size[1]
                                + u1 * p.stride[1] + p.remainder[1][f1] - p.padding[1]) * p.size[2]
                            for u2 in range(a2):
                                row[u2] = 0
                            if s == 1:
                                memcpy(row + a2, from_ + a2, (b2 - a2) * sizeof(real))
                            else:
                                for u2 in range(a2, b2):
                                    row[u2] = from_[u2 * s]
                            for u2 in range(b2, p.room[2]):
                                row[u2] = 0
                            row += p.room[2]
                        memset(row, 0, (p.room[1] - b1) * p.room[2] * sizeof(real))
                        row += (p.room[1] - b1) * p.room[2]
                out += pitch


cdef void bring_back(Problem* p, real* out, npy_intp pitch, npy_intp count, real* x, real filled) noexcept nogil:
    """The other way round; what no window has read is `filled`."""
    cdef npy_intp f0, f1, f2, i, k, u0, u1, u2, a0, b0, a1, b1, a2, b2, s = p.stride[2]
    cdef real* row
    cdef real* to
    for i in range(count):
        for k in range(p.inputs):
            x[i * p.groups * p.channels * p.inputs + k] = filled
    for f0 in range(p.remainders[0]):
        inside(p, 0, p.remainder[0][f0], &a0, &b0)
        for f1 in range(p.remainders[1]):
            inside(p, 1, p.remainder[1][f1], &a1, &b1)
            for f2 in range(p.remainders[2]):
                inside(p, 2, p.remainder[2][f2], &a2, &b2)
                for i in range(count):
                    for u0 in range(a0, b0):
                        for u1 in range(a1, b1):
                            row = out + i * p.plane + (u0 * p.room[1] + u1) * p.room[2]
                            to = x + i * p.groups * p.channels * p.inputs + p.remainder[2][f2] - p.padding[2] + (
                                (u0 * p.stride[0] + p.remainder[0][f0] - p.padding[0]) * p.size[1]
                                + u1 * p.stride[1] + p.remainder[1][f1] - p.padding[1]) * p.size[2]
                            if s == 1:
                                memcpy(to + a2, row + a2, (b2 - a2) * sizeof(real))
                            else:
                                for u2 in range(a2, b2):
                                    to[u2 * s] = row[u2]
                out += pitch


cdef void spread(Problem* p, real* y, npy_intp count, real* out) noexcept nogil:
    """One channel of some results, with zeros in the gaps."""
    cdef npy_intp i, u0, u1
    for i in range(count):
        for u0 in range(p.places[0]):
            for u1 in range(p.places[1]):
                memcpy(out, y + (u0 * p.places[1] + u1) * p.places[2], p.places[2] * sizeof(real))
                memset(out + p.places[2], 0, (p.room[2] - p.places[2]) * sizeof(real))
                out += p.room[2]
            memset(out, 0, (p.room[1] - p.places[1]) * p.room[2] * sizeof(real))
            out += (p.room[1] - p.places[1]) * p.room[2]
        memset(out, 0, (p.room[0] - p.places[0]) * p.room[1] * p.room[2] * sizeof(real))
        out += (p.room[0] - p.places[0]) * p.room[1] * p.room[2]
        y += p.groups * p.outputs * p.results


cdef void without_gaps(Problem* p, real* out, npy_intp count, real* y) noexcept nogil:
    """The other way round."""
    cdef npy_intp i, u0, u1
    for i in range(count):
        for u0 in range(p.places[0]):
            for u1 in range(p.places[1]):
                memcpy(y + (u0 * p.places[1] + u1) * p.places[2],
                       out + (i * p.room[0] + u0) * p.room[1] * p.room[2] + u1 * p.room[2],
                       p.places[2] * sizeof(real))
        y += p.groups * p.outputs * p.results


# ------------------------------------------------------------------------------ the work of the threads

cdef struct Work:
    Problem p
    void* x
    void* w
    void* y
    void* bias                  # of the result, or NULL
    void* packed                # the weights in the order in which they are multiplied
    ptrdiff_t* place            # where each run begins
    npy_intp blocks, pieces     # of rows of the result; in how many turns
    npy_intp pitch              # from run to run, where images are laid out
    npy_intp tile               # numbers that are computed at a time
    npy_intp first, count       # images, for the gradient of the weight
    npy_intp along              # numbers of the runs there
    bint failed                 # there was no memory


cdef inline void sums(real* a, ptrdiff_t* place, real* b, npy_intp k, npy_intp n, npy_intp rows, npy_intp first,
                      npy_intp last, real* start, real* out, npy_intp pitch) noexcept nogil:
    if real is float:
        LOOPS.sums_float(a, place, b, k, n, rows, first, last, start, out, pitch)
    else:
        LOOPS.sums_double(a, place, b, k, n, rows, first, last, start, out, pitch)


cdef bint plan(Work* w, npy_intp rows, npy_intp itemsize) noexcept:
    """In how many turns the rows of the result are computed."""
    cdef npy_intp turns = ((w.p.images - 1) // w.p.bunch + 1) * w.p.groups
    w.tile = 2 * LOOPS.bytes // itemsize
    w.blocks = (rows - 1) // LOOPS.rows + 1
    w.pieces = min(w.blocks, cdiv(TURNS, turns)) if turns < TURNS else 1
    w.pitch = w.p.bunch * w.p.plane
    return True


cdef void share(Work* w, Job job, npy_intp turns) noexcept:
    """Let the threads take turns, if there is enough to do."""
    cdef double work = <double>w.p.images * w.p.groups * w.p.channels * w.p.outputs * w.p.elements * w.p.results
    if work < WORTH_SHARING:
        job(w, 0, turns)
        return
    with nogil:
        parallel_for(job, w, turns, cdiv(turns, 64))


cdef void forward(Work* w, long first, long last, real* _) noexcept nogil:
    cdef Problem* p = &w.p
    cdef npy_intp turn, piece, group, image, count, length, c, j, row, rows, laid = -1
    cdef npy_intp k = p.channels * p.elements, sizes = p.channels * p.phases * w.pitch
    cdef bint as_it_is = lies_well(p) and p.length >= w.tile
    cdef bint straight = p.plane == p.results and p.bunch == 1 and p.length >= w.tile
    cdef npy_intp pitch = p.plane if straight else max(w.pitch, w.tile)
    cdef real* x
    cdef real* y
    cdef real* start
    cdef real* desk
    cdef real* out
    rows = (p.outputs - 1) // w.pieces + LOOPS.rows + 1         # at most, of a piece
    desk = <real*>mg_desk_for(((0 if as_it_is else sizes + w.tile) + (0 if straight else rows * pitch + w.tile))
                              * sizeof(real))
    if desk == NULL:
        w.failed = True
        return
    for turn in range(first, last):
        piece, group, image = turn % w.pieces, turn // w.pieces % p.groups, turn // (w.pieces * p.groups) * p.bunch
        count = min(p.bunch, p.images - image)
        length = (count - 1) * p.plane + p.length
        x = <real*>w.x + (image * p.groups + group) * p.channels * p.inputs
        if not as_it_is:
            if laid != turn // w.pieces:
                for c in range(p.channels):
                    lay_out(p, x + c * p.inputs, count, desk + c * p.phases * w.pitch, w.pitch)
                memset(desk + sizes, 0, w.tile * sizeof(real))
                laid = turn // w.pieces
            x = desk
        j = piece * w.blocks // w.pieces
        row = j * p.outputs // w.blocks
        rows = (piece + 1) * w.blocks // w.pieces * p.outputs // w.blocks - row
        y = <real*>w.y + ((image * p.groups + group) * p.outputs + row) * p.results
        out = y if straight else desk + (0 if as_it_is else sizes + w.tile)
        start = <real*>w.bias + group * p.outputs if w.bias != NULL else NULL
        sums(<real*>w.packed + group * p.outputs * k, w.place, x, k, length, p.outputs, j,
             (piece + 1) * w.blocks // w.pieces, start, out, pitch)
        if not straight:
            for c in range(rows):
                without_gaps(p, out + c * pitch, count, y + c * p.results)
    mg_clear_desk()


cdef void backward(Work* w, long first, long last, real* _) noexcept nogil:
    cdef Problem* p = &w.p
    cdef npy_intp turn, piece, group, image, count, c, f, k, o, j, row, rows, done, laid = -1
    cdef npy_intp before = p.plane - p.length                   # the numbers of the longest gap
    cdef npy_intp sizes = before + p.outputs * w.pitch
    cdef bint as_it_is = p.plane == p.results and p.bunch == 1 and p.plane >= w.tile
    cdef bint straight = lies_well(p) and p.plane >= w.tile
    cdef npy_intp pitch = p.plane if straight else max(w.pitch, w.tile)
    cdef real* x
    cdef real* y
    cdef real* start
    cdef real* desk
    cdef real* out
    rows = (p.channels - 1) // w.pieces + LOOPS.rows + 1
    desk = <real*>mg_desk_for(((0 if as_it_is else sizes + w.tile) + (0 if straight else rows * p.phases * pitch
                                                                      + w.tile)) * sizeof(real))
    if desk == NULL:
        w.failed = True
        return
    for turn in range(first, last):
        piece, group, image = turn % w.pieces, turn // w.pieces % p.groups, turn // (w.pieces * p.groups) * p.bunch
        count = min(p.bunch, p.images - image)
        y = <real*>w.y + (image * p.groups + group) * p.outputs * p.results
        if not as_it_is:
            if laid != turn // w.pieces:
                memset(desk, 0, before * sizeof(real))
                for o in range(p.outputs):
                    spread(p, y + o * p.results, count, desk + before + o * w.pitch)
                memset(desk + sizes, 0, w.tile * sizeof(real))
                laid = turn // w.pieces
            y = desk + before
        j = piece * w.blocks // w.pieces
        row = j * p.channels // w.blocks
        rows = (piece + 1) * w.blocks // w.pieces * p.channels // w.blocks - row
        x = <real*>w.x + ((image * p.groups + group) * p.channels + row) * p.inputs
        out = x if straight else desk + (0 if as_it_is else sizes + w.tile)
        start = <real*>w.bias + group * p.channels if w.bias != NULL else NULL
        done = 0
        for f in range(p.phases):
            k = 0
            for c in range(p.elements):
                k += p.phase[c] == f
            k *= p.outputs
            sums(<real*>w.packed + (group * p.outputs * p.elements + done) * p.channels, w.place + done, y, k,
                 count * p.plane, p.channels, j, (piece + 1) * w.blocks // w.pieces, start, out + f * pitch,
                 p.phases * pitch)
            done += k
        if not straight:
            for c in range(rows):
                bring_back(p, out + c * p.phases * pitch, pitch, count, x + c * p.inputs,
                           start[row + c] if start != NULL else <real>0)
    mg_clear_desk()


cdef void lay_out_all(Work* w, long first, long last, real* _) noexcept nogil:
    """Some channels of the images of both factors: first those of x, and then those of y."""
    cdef Problem* p = &w.p
    cdef npy_intp c, channels = p.groups * p.channels
    cdef real* x = <real*>w.x + w.first * channels * p.inputs
    cdef real* y = <real*>w.y + w.first * p.groups * p.outputs * p.results
    cdef real* desk = <real*>w.packed
    cdef real* out
    for c in range(first, last):
        if c < channels:
            lay_out(p, x + c * p.inputs, w.count, desk + c * p.phases * w.pitch, w.pitch)
        else:
            out = desk + channels * p.phases * w.pitch + (c - channels) * w.pitch
            spread(p, y + (c - channels) * p.results, w.count, out)
            memset(out + w.count * p.plane, 0, (w.pitch - w.count * p.plane) * sizeof(real))


cdef void correlate(Work* w, long first, long last, real* _) noexcept nogil:
    """Four columns of the gradient of a group's weight in each turn."""
    cdef Problem* p = &w.p
    cdef npy_intp turn, group, column, k = p.channels * p.elements, quarters = (k - 1) // 4 + 1
    cdef real* x
    cdef real* y
    cdef real* out
    cdef void* desk = mg_desk_for(4 * p.outputs * LOOPS.bytes)
    if desk == NULL:
        w.failed = True
        return
    for turn in range(first, last):
        group, column = turn // quarters, turn % quarters * 4
        x = <real*>w.packed + group * p.channels * p.phases * w.pitch
        y = <real*>w.packed + (p.groups * p.channels * p.phases + group * p.outputs) * w.pitch
        out = <real*>w.w + group * p.outputs * k + column
        if real is float:
            LOOPS.correlations_float(y, w.pitch, p.outputs, x, w.place + column, min(4, k - column), w.along, out, k,
                                     desk)
        else:
            LOOPS.correlations_double(y, w.pitch, p.outputs, x, w.place + column, min(4, k - column), w.along, out, k,
                                      desk)
    mg_clear_desk()


cdef void forward_floats(void* w, long first, long last) noexcept nogil:
    forward(<Work*>w, first, last, <float*>NULL)


cdef void forward_doubles(void* w, long first, long last) noexcept nogil:
    forward(<Work*>w, first, last, <double*>NULL)


cdef void backward_floats(void* w, long first, long last) noexcept nogil:
    backward(<Work*>w, first, last, <float*>NULL)


cdef void backward_doubles(void* w, long first, long last) noexcept nogil:
    backward(<Work*>w, first, last, <double*>NULL)


cdef void lay_out_floats(void* w, long first, long last) noexcept nogil:
    lay_out_all(<Work*>w, first, last, <float*>NULL)


cdef void lay_out_doubles(void* w, long first, long last) noexcept nogil:
    lay_out_all(<Work*>w, first, last, <double*>NULL)


cdef void correlate_floats(void* w, long first, long last) noexcept nogil:
    correlate(<Work*>w, first, last, <float*>NULL)


cdef void correlate_doubles(void* w, long first, long last) noexcept nogil:
    correlate(<Work*>w, first, last, <double*>NULL)


# ------------------------------------------------------------------------------ the weights in order

cdef void pack_forward(Work* w, real* to) noexcept:
    """Blocks of rows; in each, all outputs of the first element of the kernel, then of the next ..."""
    cdef Problem* p = &w.p
    cdef npy_intp g, j, row, end, i, r, k = p.channels * p.elements
    cdef real* from_ = <real*>w.w
    for g in range(p.groups):
        for j in range(w.blocks):
            row, end = j * p.outputs // w.blocks, (j + 1) * p.outputs // w.blocks
            for r in range(k):
                for i in range(row, end):
                    to[0] = from_[(g * p.outputs + i) * k + r]
                    to += 1
    for i in range(p.channels):
        for r in range(p.elements):
            w.place[i * p.elements + r] = (i * p.phases + p.phase[r]) * w.pitch + p.begins[r]


cdef void pack_backward(Work* w, real* to) noexcept:
    """The same for each phase, of the transposed weights."""
    cdef Problem* p = &w.p
    cdef npy_intp g, f, j, row, end, i, o, r, n = 0
    cdef real* from_ = <real*>w.w
    for g in range(p.groups):
        for f in range(p.phases):
            for j in range(w.blocks):
                row, end = j * p.channels // w.blocks, (j + 1) * p.channels // w.blocks
                for o in range(p.outputs):
                    for r in range(p.elements):
                        if p.phase[r] != f:
                            continue
                        for i in range(row, end):
                            to[0] = from_[((g * p.outputs + o) * p.channels + i) * p.elements + r]
                            to += 1
    for f in range(p.phases):
        for o in range(p.outputs):
            for r in range(p.elements):
                if p.phase[r] == f:
                    w.place[n] = o * w.pitch - p.begins[r]
                    n += 1


cdef bint all_finite(real* a, npy_intp n) noexcept:
    cdef npy_intp i
    for i in range(n):
        if not isfinite(a[i]):
            return False
    return True


# ------------------------------------------------------------------------------ the kernels of the rows

cdef ndarray plain(PyObject* x, int num):
    """An array of this dtype that lies row by row; None where it has another dtype."""
    if type(<object>x) is not ndarray or PyArray_TYPE(<ndarray>x) != num or not aligned(<ndarray>x):
        return None
    return <ndarray>x if PyArray_IS_C_CONTIGUOUS(<ndarray>x) else PyArray_NewCopy(<ndarray>x, NPY_CORDER)


cdef int dtype_of(PyObject* x) noexcept:
    """float32 or float64; -1 for anything else."""
    if type(<object>x) is not ndarray:
        return -1
    cdef int num = PyArray_TYPE(<ndarray>x)
    return num if num == NPY_FLOAT or num == NPY_DOUBLE else -1


cdef object convolve(Loop* loop, PyObject** args, int n):
    """(input, weight, bias, size, stride, padding, dilation, groups)"""
    return multiplied(args, False)


cdef object convolve_back(Loop* loop, PyObject** args, int n):
    """(grad, weight, bias, size, stride, padding, dilation, groups)"""
    return multiplied(args, True)


cdef object multiplied(PyObject** args, bint back):
    cdef Work w
    cdef npy_intp size[MAX_DIMS]
    cdef npy_intp itemsize, turns
    cdef ndarray x, weight, bias = None, out
    cdef bint single
    cdef int num = dtype_of(args[0]), ndim
    if num < 0:
        return None
    x, weight = plain(args[0], num), plain(args[1], num)
    if x is None or weight is None:
        return None
    ndim = PyArray_NDIM(x)
    if PyArray_NDIM(weight) != ndim or as_ints(args[3], size) != ndim:
        return None
    if <object>args[2] is not None:
        bias = plain(args[2], num)
        if bias is None or PyArray_NDIM(bias) != 1 or ndim < 2 or PyArray_DIMS(bias)[0] != size[1]:
            return None
    single = num == NPY_FLOAT
    itemsize = sizeof(float) if single else sizeof(double)
    if back and not (all_finite(<float*>PyArray_DATA(weight), PyArray_SIZE(weight)) if single else
                     all_finite(<double*>PyArray_DATA(weight), PyArray_SIZE(weight))):
        return None
    if not read(&w.p, ndim, &size[0] if back else PyArray_DIMS(x), PyArray_DIMS(weight),
                PyArray_DIMS(x) if back else &size[0], args + 4):
        return None
    w.packed = w.place = NULL
    try:
        plan(&w, w.p.channels if back else w.p.outputs, itemsize)
        w.packed = malloc(PyArray_SIZE(weight) * itemsize)
        w.place = <ptrdiff_t*>malloc((w.p.outputs if back else w.p.channels) * w.p.elements * sizeof(ptrdiff_t))
        if w.packed == NULL or w.place == NULL:
            return None
        out = new_array(ndim, size, num)
        w.x, w.y = (PyArray_DATA(out), PyArray_DATA(x)) if back else (PyArray_DATA(x), PyArray_DATA(out))
        w.w, w.bias, w.failed = PyArray_DATA(weight), PyArray_DATA(bias) if bias is not None else NULL, False
        turns = ((w.p.images - 1) // w.p.bunch + 1) * w.p.groups * w.pieces
        if back:
            if single:
                pack_backward(&w, <float*>w.packed)
                share(&w, backward_floats, turns)
            else:
                pack_backward(&w, <double*>w.packed)
                share(&w, backward_doubles, turns)
        elif single:
            pack_forward(&w, <float*>w.packed)
            share(&w, forward_floats, turns)
        else:
            pack_forward(&w, <double*>w.packed)
            share(&w, forward_doubles, turns)
        return None if w.failed else out
    finally:
        free(w.packed)
        free(w.place)
        free(w.p.phase)


cdef object convolve_weight(Loop* loop, PyObject** args, int n):
    """(input, grad, size, stride, padding, dilation, groups)"""
    cdef Work w
    cdef npy_intp size[MAX_DIMS]
    cdef npy_intp itemsize, lanes, numbers, k, i, r
    cdef ndarray x, y, out, desk
    cdef bint single
    cdef int num = dtype_of(args[0]), ndim
    if num < 0:
        return None
    x, y = plain(args[0], num), plain(args[1], num)
    if x is None or y is None:
        return None
    ndim = PyArray_NDIM(x)
    if PyArray_NDIM(y) != ndim or as_ints(args[2], size) != ndim:
        return None
    if not read(&w.p, ndim, PyArray_DIMS(x), size, PyArray_DIMS(y), args + 3):
        return None
    w.place = NULL
    try:
        single = num == NPY_FLOAT
        itemsize = sizeof(float) if single else sizeof(double)
        lanes = LOOPS.bytes // itemsize
        k = w.p.channels * w.p.elements
        numbers = w.p.groups * (w.p.channels * w.p.phases + w.p.outputs) * w.p.plane        # of one image
        w.count = min(w.p.images, max(1, CACHED // (numbers * itemsize)))
        w.pitch = cdiv(w.count * w.p.plane, lanes) * lanes
        numbers = w.p.groups * (w.p.channels * w.p.phases + w.p.outputs) * w.pitch + lanes
        w.place = <ptrdiff_t*>malloc(k * sizeof(ptrdiff_t))
        if w.place == NULL:
            return None
        for i in range(w.p.channels):
            for r in range(w.p.elements):
                w.place[i * w.p.elements + r] = (i * w.p.phases + w.p.phase[r]) * w.pitch + w.p.begins[r]
        out = new_zeros(ndim, size, num)
        desk = new_zeros(1, &numbers, num)      # what lies between the runs meets zeros, and must be finite
        w.x, w.y, w.w, w.packed = PyArray_DATA(x), PyArray_DATA(y), PyArray_DATA(out), PyArray_DATA(desk)
        w.failed = False
        w.first = 0
        while w.first < w.p.images:
            w.count = min(w.count, w.p.images - w.first)
            w.along = cdiv((w.count - 1) * w.p.plane + w.p.length, lanes) * lanes
            share(&w, lay_out_floats if single else lay_out_doubles, w.p.groups * (w.p.channels + w.p.outputs))
            share(&w, correlate_floats if single else correlate_doubles, w.p.groups * ((k - 1) // 4 + 1))
            if w.failed:
                return None
            w.first += w.count
        if not (all_finite(<float*>w.w, PyArray_SIZE(out)) if single else all_finite(<double*>w.w, PyArray_SIZE(out))):
            return None
        return out
    finally:
        free(w.place)
        free(w.p.phase)
