"""The layout of windows: where they read, and images laid out so that they read contiguous runs.

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
"""

from libc.stdlib cimport malloc
from minigrad._core.kernels.algebra.microkernels cimport divided_up
from minigrad._core.kernels.shapes.strided_views cimport MAX_DIMS, as_int, as_ints
from minigrad._core.runtime.python_api cimport PyObject

cdef extern from "kernels/algebra/short_rows.h":
    void copy "mg_copy"(void*, void*, size_t) noexcept nogil
    void zeros "mg_zeros"(void*, size_t) noexcept nogil
    void every_float "mg_every_float"(float*, float*, npy_intp n, npy_intp s) noexcept nogil
    void every_double "mg_every_double"(double*, double*, npy_intp n, npy_intp s) noexcept nogil

cdef enum:
    LONG_ENOUGH = 512           # numbers of a run, up to which several images make it longer
    LARGEST = 1 << 24           # sizes, strides ... that are computed with here


# ------------------------------------------------------------------------------ the problem

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
    """The shapes and (stride, padding, dilation, groups) of a problem; False where they do not fit."""
    cdef int i, n = ndim - 2
    if not 1 <= n <= 3 or not three(args[0], n, 1, p.stride) or not three(args[1], n, 0, p.padding):
        return False
    if not three(args[2], n, 1, p.dilation) or not as_int(args[3], &p.groups) or not 0 < p.groups <= LARGEST:
        return False
    for i in range(ndim):
        if not (0 < x[i] <= LARGEST and 0 < w[i] <= LARGEST and 0 < y[i] <= LARGEST):
            return False
    for i in range(3):
        if not (0 < p.stride[i] <= LARGEST and 0 < p.dilation[i] <= LARGEST and 0 <= p.padding[i] <= LARGEST):
            return False
    p.images, p.channels, p.outputs = x[0], w[1], w[0] // p.groups
    fill(x + 2, n, 1, p.size)
    fill(w + 2, n, 1, p.kernel)
    fill(y + 2, n, 1, p.places)
    return y[0] == x[0] and y[1] == w[0] and x[1] == p.channels * p.groups and w[0] == p.outputs * p.groups


cdef bint turn_around(Problem* p) noexcept:
    """Make the way back a way forward, a convolution of y with the reversed kernel, if that is shorter."""
    cdef npy_intp span
    cdef int i
    cdef double forward = 0, back = 1           # numbers that are computed
    for i in range(3):
        span = (p.kernel[i] - 1) * p.dilation[i]
        if p.stride[i] != 1 or span < p.padding[i]:
            return False
        forward = forward * (p.size[i] + span) + p.size[i] - 1
        back *= p.places[i] + span
    if forward > back:
        return False
    for i in range(3):
        p.padding[i] = (p.kernel[i] - 1) * p.dilation[i] - p.padding[i]
        p.size[i], p.places[i] = p.places[i], p.size[i]
    p.channels, p.outputs = p.outputs, p.channels
    return True


cdef bint measure(Problem* p) except -1:
    """What follows from the shapes; False where the image would be laid out with much more than its numbers."""
    cdef int i
    cdef double numbers = 1, most
    p.inputs = p.results = p.elements = p.phases = p.plane = 1
    p.length = 0
    for i in range(3):
        p.room[i] = p.places[i] + (p.kernel[i] - 1) * p.dilation[i] // p.stride[i]
        p.inputs *= p.size[i]
        p.results *= p.places[i]
        p.elements *= p.kernel[i]
        numbers *= <double>p.room[i] * min(p.stride[i], p.kernel[i])
    most = p.inputs if p.inputs > p.results else p.results
    if numbers > 64 * most + 4096:
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


cdef bint lies_well(Problem* p) noexcept nogil:
    """Is an image laid out as it is?"""
    cdef int i
    for i in range(3):
        if p.stride[i] != 1 or p.padding[i] != 0 or p.room[i] != p.size[i]:
            return False
    return True


cdef void windows_begin(Problem* p, npy_intp images, npy_intp step, ptrdiff_t* point) noexcept:
    """Where each window begins in some images that lie `step` apart."""
    cdef npy_intp i, u0, u1, u2, n = 0
    for i in range(images):
        for u0 in range(p.places[0]):
            for u1 in range(p.places[1]):
                for u2 in range(p.places[2]):
                    point[n] = i * step + (u0 * p.room[1] + u1) * p.room[2] + u2
                    n += 1


cdef void elements_begin(Problem* p, npy_intp pitch, ptrdiff_t* place) noexcept:
    """Where the run of each element of the kernel begins, for all channels of a group."""
    cdef npy_intp c, r
    for c in range(p.channels):
        for r in range(p.elements):
            place[c * p.elements + r] = (c * p.phases + p.phase[r]) * pitch + p.begins[r]


cdef inline void inside(Problem* p, int i, npy_intp remainder, npy_intp* first, npy_intp* end) noexcept nogil:
    """The places of a phase, along one dim, that are in the image: from `first` to before `end`."""
    first[0] = max(0, divided_up(p.padding[i] - remainder, p.stride[i]))
    end[0] = min(p.room[i], divided_up(p.size[i] + p.padding[i] - remainder, p.stride[i]))
    end[0] = max(first[0], end[0])


# ------------------------------------------------------------------------------ images laid out

cdef void lay_out(Problem* p, real* x, npy_intp count, real* out, npy_intp pitch) noexcept nogil:
    """One channel of some images, phase by phase, each phase `pitch` numbers from the last."""
    cdef npy_intp f0, f1, f2, i, u0, u1, a0, b0, a1, b1, a2, b2, s = p.stride[2]
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
                            zeros(row, p.room[1] * p.room[2] * sizeof(real))
                            row += p.room[1] * p.room[2]
                            continue
                        zeros(row, a1 * p.room[2] * sizeof(real))
                        row += a1 * p.room[2]
                        for u1 in range(a1, b1):
                            from_ = x + i * p.groups * p.channels * p.inputs + p.remainder[2][f2] - p.padding[2] + (
                                (u0 * p.stride[0] + p.remainder[0][f0] - p.padding[0]) * p.size[1]
                                + u1 * p.stride[1] + p.remainder[1][f1] - p.padding[1]) * p.size[2]
                            zeros(row, a2 * sizeof(real))
                            if s == 1:
                                copy(row + a2, from_ + a2, (b2 - a2) * sizeof(real))
                            elif real is float:
                                every_float(from_ + a2 * s, row + a2, b2 - a2, s)
                            else:
                                every_double(from_ + a2 * s, row + a2, b2 - a2, s)
                            zeros(row + b2, (p.room[2] - b2) * sizeof(real))
                            row += p.room[2]
                        zeros(row, (p.room[1] - b1) * p.room[2] * sizeof(real))
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
                                copy(to + a2, row + a2, (b2 - a2) * sizeof(real))
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
                copy(out, y + (u0 * p.places[1] + u1) * p.places[2], p.places[2] * sizeof(real))
                zeros(out + p.places[2], (p.room[2] - p.places[2]) * sizeof(real))
                out += p.room[2]
            zeros(out, (p.room[1] - p.places[1]) * p.room[2] * sizeof(real))
            out += (p.room[1] - p.places[1]) * p.room[2]
        zeros(out, (p.room[0] - p.places[0]) * p.room[1] * p.room[2] * sizeof(real))
        out += (p.room[0] - p.places[0]) * p.room[1] * p.room[2]
        y += p.groups * p.outputs * p.results


cdef void without_gaps(Problem* p, real* out, npy_intp count, real* y) noexcept nogil:
    """The other way round."""
    cdef npy_intp i, u0, u1
    for i in range(count):
        for u0 in range(p.places[0]):
            for u1 in range(p.places[1]):
                copy(y + (u0 * p.places[1] + u1) * p.places[2],
                       out + (i * p.room[0] + u0) * p.room[1] * p.room[2] + u1 * p.room[2],
                       p.places[2] * sizeof(real))
        y += p.groups * p.outputs * p.results
