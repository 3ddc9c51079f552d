"""Convolutions of float32 and float64 in one to three dims, and their transposes, without the matrix of all windows.

The sum T(x, w, y) of ops/windows/convolution.py has three derivatives.  Those with respect to y and x are computed
here, as products of the weight with runs of windows (window_layout.pyx); that with respect to w is in
convolution_weight.pyx.

Note [Who computes what]
------------------------
Threads take turns at images, or at groups of channels, and where these are few, at blocks of rows of the result.  Each
number is computed by one thread, in an order that does not depend on how many there are.

Note [Rows of outputs]
----------------------
A run of windows has gaps between the rows of an image, and of a small image they are a good part of it.  With enough
outputs there is another way: the weight is laid out as one row for each element, with a number for each output, and
each window multiplies its numbers by these rows, one by one::

    runs        out[o][q ...]  +=  w[o][r]  x[place[r] + q ...]             a vector of windows at a time
    rows        out[q][o ...]  +=  x[place[r] + point[q]]  w[r][o ...]      a vector of outputs at a time

What these loops cannot do, they leave to the general way, and say so by None.  That is also so where a zero would meet
an infinite number, or nan, that belongs to no window.
"""

from libc.math cimport isfinite
from libc.stddef cimport ptrdiff_t
from libc.stdlib cimport free, malloc
from minigrad._core.kernels.algebra.microkernels cimport (LOOPS, clear_desk, desk_for, divided_up, on_a_boundary,
                                                          products, sums)
from minigrad._core.kernels.loops.copies cimport new_copy
from minigrad._core.kernels.loops.numpy_loops cimport Loop, aligned
from minigrad._core.kernels.loops.real cimport real
from minigrad._core.kernels.shapes.strided_views cimport MAX_DIMS, as_ints
from minigrad._core.kernels.windows.window_layout cimport (Problem, bring_back, elements_begin, lay_out, lies_well,
                                                           measure, read, spread, turn_around, windows_begin,
                                                           without_gaps)
from minigrad._core.runtime.memory_pool cimport new_array
from minigrad._core.runtime.numpy_api cimport (NPY_CORDER, NPY_DOUBLE, NPY_FLOAT, PyArray_DATA, PyArray_DIMS,
                                               PyArray_IS_C_CONTIGUOUS, PyArray_NDIM, PyArray_SIZE, PyArray_TYPE,
                                               ndarray, npy_intp)
from minigrad._core.runtime.python_api cimport PyObject
from minigrad._core.runtime.thread_pool cimport Job, parallel_for

cdef extern from "kernels/algebra/short_rows.h":
    void zeros "mg_zeros"(void*, size_t) noexcept nogil

cdef enum:
    WORTH_SHARING = 1 << 19     # multiplications
    TURNS = 8                   # there should be as many for the threads to take


# ------------------------------------------------------------------------------ the work of the threads

cdef struct Work:
    Problem p
    void* x
    void* w
    void* y
    void* bias                  # of the result, or NULL
    void* packed                # the weights in the order in which they are multiplied
    ptrdiff_t* place            # where each run begins
    ptrdiff_t* point            # where each window begins
    npy_intp blocks, pieces     # of rows of the result; in how many turns
    npy_intp pitch              # from run to run, where images are laid out
    npy_intp tile               # numbers that are computed at a time
    npy_intp padded             # outputs of a group, with zeros up to full vectors
    bint by_outputs             # see Note [Rows of outputs]
    bint failed                 # there was no memory


cdef void plan(Work* w, bint back, npy_intp itemsize) noexcept:
    """How, and in how many turns, the rows of the result are computed."""
    cdef Problem* p = &w.p
    cdef npy_intp rows = p.channels if back else p.outputs
    cdef npy_intp turns = ((p.images - 1) // p.bunch + 1) * p.groups
    cdef double in_runs, k = p.channels * p.elements
    w.tile = 2 * LOOPS.bytes // itemsize
    w.padded = divided_up(p.outputs, w.tile // 2) * (w.tile // 2)
    in_runs = (<double>(p.bunch - 1) * p.plane + p.length) / p.bunch * p.outputs
    w.by_outputs = not back and p.results * w.padded * (1.1 + 32 / k) < in_runs
    w.blocks = divided_up(rows, w.tile if w.by_outputs else LOOPS.rows)
    w.pieces = min(w.blocks, divided_up(TURNS, turns)) if turns < TURNS else 1
    w.pitch = p.bunch * p.plane


cdef void share(Problem* p, Job job, void* what, npy_intp turns) noexcept:
    """Let the threads take turns, if there is enough to do."""
    cdef double work = <double>p.images * p.groups * p.channels * p.outputs * p.elements * p.results
    if work < WORTH_SHARING:
        job(what, 0, turns)
        return
    with nogil:
        parallel_for(job, what, turns, divided_up(turns, 64))


cdef void forward(Work* w, npy_intp first, npy_intp last, real* _) noexcept nogil:
    cdef Problem* p = &w.p
    cdef npy_intp turn, piece, group, image, count, c, i, row, end, rows, laid = -1
    cdef npy_intp k = p.channels * p.elements, sizes = p.channels * p.phases * w.pitch
    cdef bint long_enough = p.bunch == 1 and (w.by_outputs or p.length >= w.tile)
    cdef bint as_it_is = long_enough and lies_well(p)
    cdef bint straight = w.by_outputs or long_enough and p.plane == p.results
    cdef npy_intp pitch = p.plane if straight else max(w.pitch, w.tile)
    cdef real* x
    cdef real* y
    cdef real* start
    cdef real* desk
    cdef real* out
    rows = (p.outputs - 1) // w.pieces + LOOPS.rows + 1         # at most, of a piece
    desk = <real*>desk_for(((0 if as_it_is else sizes + w.tile) + (0 if straight else rows * pitch + w.tile))
                              * sizeof(real))
    if desk == NULL:
        w.failed = True
        return
    for turn in range(first, last):
        piece, group, image = turn % w.pieces, turn // w.pieces % p.groups, turn // (w.pieces * p.groups) * p.bunch
        count = min(p.bunch, p.images - image)
        x = <real*>w.x + (image * p.groups + group) * p.channels * p.inputs
        if not as_it_is:
            if laid != turn // w.pieces:
                for c in range(p.channels):
                    lay_out(p, x + c * p.inputs, count, desk + c * p.phases * w.pitch, w.pitch)
                zeros(desk + sizes, w.tile * sizeof(real))
                laid = turn // w.pieces
            x = desk
        y = <real*>w.y + (image * p.groups + group) * p.outputs * p.results
        start = <real*>w.bias + group * p.outputs if w.bias != NULL else NULL
        if w.by_outputs:
            for i in range(count):
                for c in range(piece * w.blocks // w.pieces, (piece + 1) * w.blocks // w.pieces):
                    row = c * w.tile
                    products(x + i * p.plane, w.point, p.results, w.place,
                             <real*>w.packed + (group * w.padded + row) * k, 0, k, min(w.tile, p.outputs - row),
                             start + row if start != NULL else NULL, False,
                             y + i * p.groups * p.outputs * p.results + row * p.results, 1, p.results)
            continue
        row = piece * w.blocks // w.pieces * p.outputs // w.blocks
        end = (piece + 1) * w.blocks // w.pieces * p.outputs // w.blocks
        out = y + row * p.results if straight else desk + (0 if as_it_is else sizes + w.tile)
        sums(<real*>w.packed + group * p.outputs * k, w.place, x, k, (count - 1) * p.plane + p.length, p.outputs,
             piece * w.blocks // w.pieces, (piece + 1) * w.blocks // w.pieces, start, out, pitch)
        if not straight:
            for c in range(row, end):
                without_gaps(p, out + (c - row) * pitch, count, y + c * p.results)
    clear_desk()


cdef void backward(Work* w, npy_intp first, npy_intp last, real* _) noexcept nogil:
    cdef Problem* p = &w.p
    cdef npy_intp turn, piece, group, image, count, c, f, k, o, j, row, rows, done, laid = -1
    cdef npy_intp before = p.plane - p.length                   # the numbers of the longest gap
    cdef npy_intp sizes = before + p.outputs * w.pitch
    cdef bint as_it_is = p.plane == p.results and p.bunch == 1 and p.plane >= w.tile
    cdef bint straight = lies_well(p) and p.bunch == 1 and p.plane >= w.tile
    cdef npy_intp pitch = p.plane if straight else max(w.pitch, w.tile)
    cdef real* x
    cdef real* y
    cdef real* start
    cdef real* desk
    cdef real* out
    rows = (p.channels - 1) // w.pieces + LOOPS.rows + 1
    desk = <real*>desk_for(((0 if as_it_is else sizes + w.tile) + (0 if straight else rows * p.phases * pitch
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
                zeros(desk, before * sizeof(real))
                for o in range(p.outputs):
                    spread(p, y + o * p.results, count, desk + before + o * w.pitch)
                zeros(desk + sizes, w.tile * sizeof(real))
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
    clear_desk()


cdef void forward_floats(void* w, npy_intp first, npy_intp last) noexcept nogil:
    forward(<Work*>w, first, last, <float*>NULL)


cdef void forward_doubles(void* w, npy_intp first, npy_intp last) noexcept nogil:
    forward(<Work*>w, first, last, <double*>NULL)


cdef void backward_floats(void* w, npy_intp first, npy_intp last) noexcept nogil:
    backward(<Work*>w, first, last, <float*>NULL)


cdef void backward_doubles(void* w, npy_intp first, npy_intp last) noexcept nogil:
    backward(<Work*>w, first, last, <double*>NULL)


# ------------------------------------------------------------------------------ the weights in order

cdef void pack_forward(Work* w, real* to, bint turned) noexcept:
    """Blocks of rows; in each, all outputs of the first element of the kernel, then of the next ...

    Weights that are turned have outputs where others have channels, and are reversed.
    """
    cdef Problem* p = &w.p
    cdef npy_intp g, j, row, end, full, i, c, r, by_output = p.channels * p.elements, by_channel = p.elements
    cdef real* from_
    if turned:
        by_output, by_channel = p.elements, p.outputs * p.elements
    for g in range(p.groups):
        for j in range(w.blocks):
            if w.by_outputs:
                row, end, full = j * w.tile, min((j + 1) * w.tile, p.outputs), min((j + 1) * w.tile, w.padded)
            else:
                row, end = j * p.outputs // w.blocks, (j + 1) * p.outputs // w.blocks
                full = end
            for c in range(p.channels):
                for r in range(p.elements):
                    from_ = <real*>w.w + g * p.outputs * p.channels * p.elements + c * by_channel + (
                        p.elements - 1 - r if turned else r)
                    for i in range(row, end):
                        to[i - row] = from_[i * by_output]
                    for i in range(end, full):
                        to[i - row] = 0
                    to += full - row
    elements_begin(p, w.pitch, w.place)


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


# ------------------------------------------------------------------------------ the kernels of the rows

cdef ndarray plain(PyObject* x, int num):
    """An array of this dtype that lies row by row; None where it has another dtype."""
    if type(<object>x) is not ndarray or PyArray_TYPE(<ndarray>x) != num or not aligned(<ndarray>x):
        return None
    return <ndarray>x if PyArray_IS_C_CONTIGUOUS(<ndarray>x) else new_copy(<ndarray>x, NPY_CORDER)


cdef int dtype_of(PyObject* x) noexcept:
    """float32 or float64; -1 for anything else."""
    if type(<object>x) is not ndarray:
        return -1
    cdef int num = PyArray_TYPE(<ndarray>x)
    return num if num == NPY_FLOAT or num == NPY_DOUBLE else -1


cdef bint all_finite(real* a, npy_intp n) noexcept:
    cdef npy_intp i
    for i in range(n):
        if not isfinite(a[i]):
            return False
    return True


cdef object convolve(Loop* loop, PyObject** args, int n):
    """(input, weight, bias, size, stride, padding, dilation, groups)"""
    return multiplied(args, False)


cdef object convolve_back(Loop* loop, PyObject** args, int n):
    """(grad, weight, bias, size, stride, padding, dilation, groups)"""
    return multiplied(args, True)


cdef object multiplied(PyObject** args, bint back):
    cdef Work w
    cdef npy_intp size[MAX_DIMS]
    cdef npy_intp itemsize, turns, k
    cdef ndarray x, weight, bias = None, out
    cdef void* weights
    cdef bint single, turned
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
    turned = back and turn_around(&w.p)
    if turned:
        back = False
    if not measure(&w.p):
        return None
    weights = w.place = NULL
    try:
        plan(&w, back, itemsize)
        k = (w.p.outputs if back else w.p.channels) * w.p.elements
        weights = malloc(w.p.groups * k * (w.p.channels if back else w.padded) * itemsize + LOOPS.bytes)
        w.place = <ptrdiff_t*>malloc((k + w.p.results) * sizeof(ptrdiff_t))
        if weights == NULL or w.place == NULL:
            return None
        w.packed = on_a_boundary(weights)
        w.point = w.place + k
        if w.by_outputs:
            windows_begin(&w.p, 1, 0, w.point)
        out = new_array(ndim, size, num)
        w.x, w.y = (PyArray_DATA(out), PyArray_DATA(x)) if back else (PyArray_DATA(x), PyArray_DATA(out))
        w.w, w.bias, w.failed = PyArray_DATA(weight), PyArray_DATA(bias) if bias is not None else NULL, False
        turns = ((w.p.images - 1) // w.p.bunch + 1) * w.p.groups * w.pieces
        if back:
            if single:
                pack_backward(&w, <float*>w.packed)
                share(&w.p, backward_floats, &w, turns)
            else:
                pack_backward(&w, <double*>w.packed)
                share(&w.p, backward_doubles, &w, turns)
        elif single:
            pack_forward(&w, <float*>w.packed, turned)
            share(&w.p, forward_floats, &w, turns)
        else:
            pack_forward(&w, <double*>w.packed, turned)
            share(&w.p, forward_doubles, &w, turns)
        return None if w.failed else out
    finally:
        free(weights)
        free(w.place)
        free(w.p.phase)
