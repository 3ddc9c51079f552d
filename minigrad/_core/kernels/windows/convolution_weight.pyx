"""The gradient of the weight of a convolution: sums of products of the input and of the gradient of the result.

Each number of it is a sum along two runs, of x for an element of the kernel, and of y for an output; y is laid out with
zeros in the gaps of the runs (window_layout.pyx).  A vector has some windows then, and its numbers are added up in the
end.  With enough outputs it has some outputs instead, as in Note [Rows of outputs] in convolution.pyx: y is transposed,
so that a window is a row of all outputs, and no image has gaps::

    runs        out[o][k]     +=  the sum of  y[o][q ...]  x[place[k] + q ...]
    rows        out[k][o ...]  =  the sum over q of  x[place[k] + point[q]]  y[q][o ...]

As many images as fit in the cache are laid out at a time, each thread some channels; then the threads take turns at the
columns of the weight, so that no sum depends on how many threads there are.
"""

from libc.stddef cimport ptrdiff_t
from libc.stdlib cimport free, malloc
from minigrad._core.kernels.algebra.microkernels cimport (LOOPS, clear_desk, correlations, desk_for, divided_up,
                                                          on_a_boundary, products)
from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.kernels.loops.real cimport real
from minigrad._core.kernels.shapes.strided_views cimport MAX_DIMS, as_ints
from minigrad._core.kernels.windows.convolution cimport all_finite, dtype_of, plain, share
from minigrad._core.kernels.windows.window_layout cimport (Problem, elements_begin, lay_out, lies_well, measure, read,
                                                           spread, windows_begin)
from minigrad._core.runtime.memory_pool cimport new_array, new_zeros
from minigrad._core.runtime.numpy_api cimport (NPY_FLOAT, PyArray_DATA, PyArray_DIMS, PyArray_NDIM, PyArray_SIZE,
                                               ndarray, npy_intp)
from minigrad._core.runtime.python_api cimport PyObject

cdef extern from "kernels/algebra/short_rows.h":
    void mg_columns_float(float*, npy_intp, npy_intp, npy_intp, float*, npy_intp) noexcept nogil
    void mg_columns_double(double*, npy_intp, npy_intp, npy_intp, double*, npy_intp) noexcept nogil
    void zeros "mg_zeros"(void*, size_t) noexcept nogil

cdef enum:
    CACHED = 1 << 20            # bytes of images that are laid out together
    MANY = 32                   # columns, from which on rows of outputs are worth writing down
    COLUMNS = 36                # of the gradient of a weight, for which sums are kept at a time

cdef struct Weighing:
    Problem p
    void* x
    void* y
    void* w                     # the result
    void* packed                # what is laid out: x, and then y
    ptrdiff_t* place            # where runs and windows begin
    ptrdiff_t* point
    npy_intp first, images      # that are laid out together
    npy_intp pitch              # from run to run
    npy_intp tile, padded       # as in convolution.pyx
    bint by_outputs
    bint laid                   # is x laid out?
    npy_intp along              # numbers of the runs
    void* left                  # the runs of the rows of the result
    void* right                 # and those of its columns
    npy_intp left_group, right_group            # from group to group
    ptrdiff_t* of_rows          # where these runs begin
    ptrdiff_t* of_columns
    npy_intp rows, columns, by_row, by_column
    npy_intp blocks, width, parts               # of rows; of columns in one turn, and how many turns
    bint failed                 # there was no memory


# ------------------------------------------------------------------------------ the plan

cdef void arrange(Weighing* w, npy_intp itemsize) noexcept:
    """How the gradient of the weight is computed, of how many images at a time, and in which parts."""
    cdef Problem* p = &w.p
    cdef npy_intp k = p.channels * p.elements
    cdef npy_intp numbers = p.groups * (p.channels * p.phases + p.outputs) * p.plane    # of one image
    w.tile = 2 * LOOPS.bytes // itemsize
    w.padded = divided_up(p.outputs, w.tile // 2) * (w.tile // 2)
    w.images = min(p.images, max(1, CACHED // (numbers * itemsize)))
    w.by_outputs = 5 * w.padded <= 8 * p.outputs and (k >= MANY or k >= MANY // 2 and lies_well(p))
    w.laid = not (w.by_outputs and lies_well(p))
    w.pitch = divided_up(w.images * p.plane, w.tile // 2) * (w.tile // 2) if w.laid else p.plane
    if w.by_outputs:
        w.rows, w.columns, w.by_row, w.by_column, w.blocks = p.outputs, k, k, 1, divided_up(p.outputs, w.tile)
    else:
        w.rows, w.columns, w.by_row, w.by_column = p.outputs, k, k, 1
        if p.outputs == 1:                      # as a column
            w.rows, w.columns, w.by_row, w.by_column = k, 1, 1, k
        w.blocks = (w.rows - 1) // LOOPS.dot_rows + 1
        w.left_group = p.outputs * w.pitch
    w.right_group = p.channels * (p.phases * w.pitch if w.laid else p.inputs)
    w.width = min(w.columns, COLUMNS)
    w.parts = (w.columns - 1) // COLUMNS + 1


cdef void begin(Weighing* w, npy_intp itemsize) noexcept:
    """Where the runs begin."""
    cdef Problem* p = &w.p
    cdef npy_intp i, k = p.channels * p.elements
    w.of_columns, w.of_rows, w.point = w.place, w.place + k, w.place + k + p.outputs
    elements_begin(p, w.pitch, w.of_columns)
    for i in range(p.outputs):
        w.of_rows[i] = i * w.pitch
    windows_begin(p, w.images, p.plane if w.laid else p.groups * p.channels * p.inputs, w.point)
    w.right, w.left = w.packed if w.laid else w.x, w.packed
    if w.laid:
        w.left = <char*>w.packed + p.groups * p.channels * p.phases * w.pitch * itemsize
    if w.by_outputs:
        w.left = on_a_boundary(w.left)
    elif p.outputs == 1:
        w.of_rows, w.of_columns, w.left, w.right = w.of_columns, w.of_rows, w.right, w.left
        w.left_group, w.right_group = w.right_group, w.left_group


# ------------------------------------------------------------------------------ the work of the threads

cdef void lay_out_all(Weighing* w, npy_intp first, npy_intp last, real* _) noexcept nogil:
    """Some channels of the images of both factors, those of x first; or, of y, some rows of outputs."""
    cdef Problem* p = &w.p
    cdef npy_intp c, i, row, group, width, channels = p.groups * p.channels if w.laid else 0
    cdef npy_intp tiles = divided_up(p.outputs, w.tile)
    cdef real* x = <real*>w.x + w.first * p.groups * p.channels * p.inputs
    cdef real* y = <real*>w.y + w.first * p.groups * p.outputs * p.results
    cdef real* left = <real*>w.packed + channels * p.phases * w.pitch
    cdef real* out
    cdef real* from_
    for c in range(first, last):
        if c < channels:
            out = <real*>w.packed + c * p.phases * w.pitch
            lay_out(p, x + c * p.inputs, w.images, out, w.pitch)
            for i in range(1, p.phases + 1):            # what lies between the runs meets zeros, and must be finite
                zeros(out + i * w.pitch - w.pitch + w.images * p.plane, (w.pitch - w.images * p.plane) * sizeof(real))
        elif w.by_outputs:
            i, row = (c - channels) % w.images, (c - channels) // w.images
            group, row = row // tiles, row % tiles * w.tile
            width = min(w.tile, w.padded - row)
            out = <real*>w.left + (group * w.padded + row) * w.along + i * p.results * width
            from_ = y + ((i * p.groups + group) * p.outputs + row) * p.results
            if real is float:
                mg_columns_float(from_, p.results, min(w.tile, p.outputs - row), p.results, out, width)
            else:
                mg_columns_double(from_, p.results, min(w.tile, p.outputs - row), p.results, out, width)
        else:
            out = left + (c - channels) * w.pitch
            spread(p, y + (c - channels) * p.results, w.images, out)
            zeros(out + w.images * p.plane, (w.pitch - w.images * p.plane) * sizeof(real))


cdef void correlate(Weighing* w, npy_intp first, npy_intp last, real* _) noexcept nogil:
    """In each turn some rows and some columns of the gradient of a group's weight."""
    cdef npy_intp turn, group, i, row, rows, column, columns
    cdef npy_intp k = w.p.channels * w.p.elements
    cdef real* left
    cdef real* right
    cdef real* out
    cdef void* desk = desk_for(<size_t>LOOPS.dot_rows * (w.width + 3) * LOOPS.bytes)
    if desk == NULL:
        w.failed = True
        return
    for turn in range(first, last):
        column, i, group = turn % w.parts * w.width, turn // w.parts % w.blocks, turn // (w.parts * w.blocks)
        columns = min(w.width, w.columns - column)
        left = <real*>w.left + group * w.left_group
        right = <real*>w.right + group * w.right_group
        out = <real*>w.w + group * w.p.outputs * k + column * w.by_column
        if w.by_outputs:
            row = i * w.tile
            products(right, w.of_columns + column, columns, w.point, left + row * w.along, 0, w.along,
                     min(w.tile, w.rows - row), <real*>NULL, True, out + row * k, 1, k)
            continue
        row = i * w.rows // w.blocks
        rows, out = (i + 1) * w.rows // w.blocks - row, out + row * w.by_row
        correlations(left, w.of_rows + row, rows, right, w.of_columns + column, columns, w.along, out, w.by_row,
                     w.by_column, desk)
    clear_desk()


cdef void lay_out_floats(void* w, npy_intp first, npy_intp last) noexcept nogil:
    lay_out_all(<Weighing*>w, first, last, <float*>NULL)


cdef void lay_out_doubles(void* w, npy_intp first, npy_intp last) noexcept nogil:
    lay_out_all(<Weighing*>w, first, last, <double*>NULL)


cdef void correlate_floats(void* w, npy_intp first, npy_intp last) noexcept nogil:
    correlate(<Weighing*>w, first, last, <float*>NULL)


cdef void correlate_doubles(void* w, npy_intp first, npy_intp last) noexcept nogil:
    correlate(<Weighing*>w, first, last, <double*>NULL)


# ------------------------------------------------------------------------------ the kernel of the row

cdef object convolve_weight(Loop* loop, PyObject** args, int n):
    """(input, grad, size, stride, padding, dilation, groups)"""
    cdef Weighing w
    cdef Problem* p = &w.p
    cdef npy_intp size[MAX_DIMS]
    cdef npy_intp itemsize, numbers, turns, to_lay_out
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
    if not read(p, ndim, PyArray_DIMS(x), size, PyArray_DIMS(y), args + 3) or not measure(p):
        return None
    w.place = NULL
    try:
        single = num == NPY_FLOAT
        itemsize = sizeof(float) if single else sizeof(double)
        out = new_zeros(ndim, size, num)
        w.x, w.y, w.w, w.failed, w.first = PyArray_DATA(x), PyArray_DATA(y), PyArray_DATA(out), False, 0
        arrange(&w, itemsize)
        numbers = (p.groups * p.channels * p.phases * w.pitch if w.laid else 0) + LOOPS.bytes
        numbers += p.groups * (w.padded * w.images * p.results if w.by_outputs else p.outputs * w.pitch)
        desk = new_array(1, &numbers, num)
        w.place = <ptrdiff_t*>malloc((p.channels * p.elements + p.outputs + w.images * p.results) * sizeof(ptrdiff_t))
        if w.place == NULL:
            return None
        w.packed = on_a_boundary(PyArray_DATA(desk))
        begin(&w, itemsize)
        turns = p.groups * w.blocks * w.parts
        while w.first < p.images:
            w.images = min(w.images, p.images - w.first)
            to_lay_out = p.groups * p.channels if w.laid else 0
            if w.by_outputs:
                w.along = w.images * p.results
                w.left_group = w.padded * w.along
                to_lay_out += p.groups * divided_up(p.outputs, w.tile) * w.images
            else:
                w.along = divided_up((w.images - 1) * p.plane + p.length, w.tile // 2) * (w.tile // 2)
                to_lay_out += p.groups * p.outputs
            share(p, lay_out_floats if single else lay_out_doubles, &w, to_lay_out)
            share(p, correlate_floats if single else correlate_doubles, &w, turns)
            if w.failed:
                return None
            w.first += w.images
            if not w.laid:
                w.right = <char*>w.right + w.images * p.groups * p.channels * p.inputs * itemsize
        if not (all_finite(<float*>w.w, PyArray_SIZE(out)) if single else all_finite(<double*>w.w, PyArray_SIZE(out))):
            return None
        return out
    finally:
        free(w.place)
        free(p.phase)
