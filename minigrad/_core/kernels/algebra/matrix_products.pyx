"""Products of matrices and vectors, in any layout and any dtype, with batches that broadcast.

All of them are one: a batch of products of (m, k) by (k, n).  A vector is a matrix of one row on the left, of one
column on the right; a single product is a batch of one; a factor that is broadcast stays where it is::

                                       products     m   k   n
    (4, 3) @ (3, 2)                    1            4   3   2
    (4, 3) @ (3,)                      1            4   3   1
    (3,) @ (3,)                        1            1   3   1
    (5, 4, 3) @ (5, 3, 2)              5            4   3   2
    (5, 4, 3) @ (3, 2)                 1            20  3   2      rows that follow each other: one product of them all
    (6, 1, 4, 3) @ (5, 3, 2)           6 times 5    4   3   2

What multiplies is the inner loop of ``np.matmul``, which hands floating point numbers to BLAS.  BLAS takes a matrix
whose rows, or whose columns, lie in memory without gaps; so a transposed factor costs nothing, and one in any other
layout is first copied, once.  Batches of NumPy's loop have one axis: the others are walked here.
"""

from minigrad._core.kernels.algebra.skinny_products cimport FEW, SHORT, one_by_one, slim_product
from minigrad._core.kernels.loops.copies cimport copy_elements, in_dtype, new_copy
from minigrad._core.kernels.loops.numpy_loops cimport LARGE, Loop, aligned, same_shape
from minigrad._core.kernels.loops.real cimport real
from minigrad._core.kernels.loops.strided cimport Loops, elementwise, elementwise_into, loops_of
from minigrad._core.kernels.shapes.strided_views cimport (MAX_DIMS, Geometry, array_at, as_int, new_axis, seen_as,
                                                          take_geometry)
from minigrad._core.runtime.memory_pool cimport new_array
from minigrad._core.runtime.thread_pool cimport blas_obeys, hold_blas, parallel_for, release_blas, threads_now
from minigrad._core.runtime.type_promotion cimport MAX_NUMS

import numpy as np

from minigrad._core.kernels.loops.new_ufuncs import weighted
from minigrad._core.runtime.numpy_api cimport (NPY_BOOL, NPY_CDOUBLE, NPY_CFLOAT, NPY_CORDER, NPY_DOUBLE, NPY_FLOAT,
                                               NPY_HALF, NPY_INT64, NPY_OBJECT, PyArray_DATA, PyArray_DIMS,
                                               PyArray_ISCARRAY_RO, PyArray_ISNOTSWAPPED, PyArray_ITEMSIZE,
                                               PyArray_NDIM, PyArray_SIZE, PyArray_STRIDES, PyArray_TYPE, PyArray_ZEROS,
                                               PyUFuncGenericFunction, ndarray, npy_intp, types_of, ufunc)
from minigrad._core.runtime.python_api cimport PyObject

cdef enum:
    COPIED = 1000               # multiplications, from which on a factor is copied into a layout that BLAS takes
    THREADED = 9000             # multiplications, up to which BLAS never takes several threads
    WORTH_THREADS = 1000000     # multiplications, from which on several threads are faster than one
    NARROW = 64                 # rows or columns, of which BLAS multiplies fewer much less quickly
    MUCH = 30000000             # multiplications, from which on BLAS divides well what has few of those
    WORTH_TURNING = 100000      # the same, from which on a layer of some rows is computed as its transpose
    IN_DOUBLES = 8              # multiplications by each integer, from which on a product is one of doubles

cdef double EXACT = 2.0 ** 53   # up to which all integers are doubles


# ------------------------------------------------------------------------------ the loops

cdef struct OfDtype:
    # The inner loop of one ufunc for operands and result of one dtype; NULL where there is none.
    PyUFuncGenericFunction f
    void* data

cdef OfDtype MATMUL[MAX_NUMS]
cdef OfDtype ADD[MAX_NUMS]


cdef int resolve(OfDtype* loops, ufunc u) except -1:
    """Take the first loop of each dtype whose operands and result all have it."""
    cdef const char* types = types_of(u)
    cdef int i, num
    for num in range(MAX_NUMS):
        loops[num].f = NULL
    for i in range(u.ntypes):
        num = types[3 * i]
        if num != types[3 * i + 1] or num != types[3 * i + 2] or num >= MAX_NUMS or loops[num].f != NULL:
            continue
        if num == NPY_OBJECT or num == NPY_HALF:
            continue
        loops[num].f = <PyUFuncGenericFunction><void*>u.functions[i]
        loops[num].data = u.data[i] if u.data != NULL else NULL
    return 0


cdef void forget(OfDtype* loops) noexcept:
    cdef int num
    for num in range(MAX_NUMS):
        loops[num].f = NULL


cdef bint agree() except -1:
    """Do the bare loops give what the ufuncs give?  Tried once, so that another NumPy costs speed and nothing else."""
    a, b = np.array([[1., 2.], [3., 4.]]), np.array([[0.5, -1.], [4., 0.25]])
    product = multiplied(a, 2, b, 2, False)
    if product is None or not np.array_equal(product, np.matmul(a, b)):
        return False
    return add_to(product, a) and np.array_equal(product, np.matmul(a, b) + a)


# ------------------------------------------------------------------------------ a batch of products

cdef struct Factor:
    # A batch of matrices.
    char* data
    npy_intp rows, columns
    npy_intp by_row, by_column                  # strides
    int batch_dims
    npy_intp* shape                             # of the batch
    npy_intp* strides
    npy_intp step[MAX_DIMS]                     # along each dim of the common batch; 0 where it is broadcast


cdef void take_apart(Factor* x, ndarray a, int dims, bint left) noexcept:
    """The last dims of `a` as a matrix, of which a vector is a row on the left, and a column on the right."""
    cdef int ndim = PyArray_NDIM(a)
    x.data = <char*>PyArray_DATA(a)
    x.batch_dims = ndim - dims
    x.shape = PyArray_DIMS(a)
    x.strides = PyArray_STRIDES(a)
    if dims == 2:
        x.rows, x.columns = x.shape[ndim - 2], x.shape[ndim - 1]
        x.by_row, x.by_column = x.strides[ndim - 2], x.strides[ndim - 1]
    elif left:
        x.rows, x.columns, x.by_row, x.by_column = 1, x.shape[ndim - 1], 0, x.strides[ndim - 1]
    else:
        x.rows, x.columns, x.by_row, x.by_column = x.shape[ndim - 1], 1, x.strides[ndim - 1], 0


cdef bint lies_well(Factor* x, npy_intp itemsize) noexcept:
    """Can BLAS read it: have its rows, or its columns, no gaps between their elements?

    A stride along one element says nothing, and is set to what it would be if the matrix had no gaps.
    """
    if x.columns == 1:
        x.by_column = itemsize
    if x.rows == 1:
        x.by_row = x.columns * x.by_column if x.by_column == itemsize else itemsize
    return (x.by_column == itemsize and x.by_row >= x.columns * itemsize and x.by_row % itemsize == 0
            or x.by_row == itemsize and x.by_column >= x.rows * itemsize and x.by_column % itemsize == 0)


cdef bint common_batch(Factor* x, Factor* y, int batch, npy_intp* shape) noexcept:
    """The shape to which the batches are broadcast, and the steps of each factor along it; False where they differ."""
    cdef int i
    for i in range(batch):
        shape[i] = 1
        step_along(x, i - batch + x.batch_dims, i, shape)           # the first says what it is
        if not step_along(y, i - batch + y.batch_dims, i, shape):
            return False
    return True


cdef inline bint step_along(Factor* x, int own, int i, npy_intp* shape) noexcept:
    """The same for one factor and one dim of the batch, which is dim `own` of the factor."""
    x.step[i] = 0
    if own < 0 or x.shape[own] == 1:
        return True
    if shape[i] != 1 and shape[i] != x.shape[own]:
        return False
    shape[i] = x.shape[own]
    x.step[i] = x.strides[own]
    return True


cdef ndarray multiplied(ndarray a, int a_dims, ndarray b, int b_dims, bint turned):
    """The products of matrices (2 dims) or vectors (1 dim); the other dims are batches.  None where they do not fit.

    With `turned`, the matrices on the right are taken for their transposes.
    """
    cdef Factor x, y
    cdef npy_intp shape[MAX_DIMS]
    cdef npy_intp d[4]                          # products, m, k, n
    cdef npy_intp s[9]                          # from product to product; then by row and by column
    cdef npy_intp itemsize, work = 1
    cdef int i, batch, ndim, num = PyArray_TYPE(a)
    cdef ndarray o
    if (num != PyArray_TYPE(b) or num >= MAX_NUMS or num == NPY_BOOL or MATMUL[num].f == NULL
            or not aligned(a) or not aligned(b)):
        return None
    itemsize = PyArray_ITEMSIZE(a)
    take_apart(&x, a, a_dims, True)
    take_apart(&y, b, b_dims, False)
    if turned:
        y.rows, y.columns, y.by_row, y.by_column = y.columns, y.rows, y.by_column, y.by_row
    batch = ndim = x.batch_dims if x.batch_dims > y.batch_dims else y.batch_dims
    if x.columns != y.rows or batch + 2 > MAX_DIMS or not common_batch(&x, &y, batch, shape):
        return None
    if a_dims == 2 and x.rows > 1 and x.by_row == 0:
        return repeated(multiplied(first_alone(a, 2), a_dims, b, b_dims, turned), b_dims, x.rows)
    if b_dims == 2 and y.columns > 1 and y.by_column == 0:
        return repeated(multiplied(a, a_dims, first_alone(b, 2 if turned else 1), b_dims, turned), 1, y.columns)
    for i in range(batch):
        work *= shape[i]
    work *= x.rows * x.columns * y.columns
    if num < NPY_FLOAT and work > IN_DOUBLES * (PyArray_SIZE(a) + PyArray_SIZE(b)):
        o = by_way_of_doubles(a, a_dims, b, b_dims, turned)
        if o is not None:
            return o
    if not lies_well(&x, itemsize) and worth_a_copy(num, work):
        return multiplied(new_copy(a, NPY_CORDER), a_dims, b, b_dims, turned)
    if not lies_well(&y, itemsize) and worth_a_copy(num, work):
        return multiplied(a, a_dims, new_copy(b, NPY_CORDER), b_dims, turned)
    if a_dims == 2:
        shape[ndim] = x.rows
        ndim += 1
    if b_dims == 2:
        shape[ndim] = y.columns
        ndim += 1
    o = new_array(ndim, shape, num)

    # Rows that follow each other, times the same matrix, are one product.
    s[2] = x.rows * y.columns * itemsize
    while batch > 0 and (shape[batch - 1] == 1 or (y.step[batch - 1] == 0 and x.step[batch - 1] == x.rows * x.by_row)):
        x.rows *= shape[batch - 1]
        s[2] *= shape[batch - 1]
        batch -= 1
    d[0], d[1], d[2], d[3] = 1, x.rows, x.columns, y.columns
    s[0] = s[1] = 0
    if batch > 0:
        batch -= 1
        d[0], s[0], s[1] = shape[batch], x.step[batch], y.step[batch]
    if batch == 0 and d[0] == 1 and num == NPY_FLOAT and worth_turning(&x, &y):
        a = new_copy(matrix_in(a, x.columns, x.rows, x.by_column, x.by_row), NPY_CORDER)
        b = matrix_in(b, y.columns, y.rows, y.by_column, y.by_row)
        copy_elements(matrix_in(o, y.columns, x.rows, itemsize, y.columns * itemsize), multiplied(b, 2, a, 2, False))
        return o
    s[3], s[4] = x.by_row, x.by_column
    s[5], s[6] = y.by_row, y.by_column
    s[7], s[8] = y.columns * itemsize, itemsize
    if batch == 0 and d[0] == 1 and one_by_one(num, x.rows, x.columns, y.columns, y.by_column):
        d[0], d[1], s[0], s[1], s[2] = x.rows, 1, x.by_row, 0, y.columns * itemsize
    if work > WORTH_THREADS or work > LARGE and x.columns == 1:
        with nogil:
            if batch or d[0] != 1 or not slim_product(num, x.rows, x.columns, y.columns, x.data, x.by_row, x.by_column,
                                                      y.data, y.by_row, y.by_column, PyArray_DATA(o)):
                share(&MATMUL[num], &x, &y, <char*>PyArray_DATA(o), batch, shape, d, s)
    else:
        share(&MATMUL[num], &x, &y, <char*>PyArray_DATA(o), batch, shape, d, s)
    return o


# Note [A product in parts]
# -------------------------
# A batch is divided among the threads, or else the longer side of a single product (Note [BLAS in one thread]).  For
# each part BLAS arranges the other factor anew, which the multiplications of few rows would not pay for.  So parts have
# many; and a large product of which half the threads would have none is left to the threads of BLAS, which arrange each
# factor once for all.

cdef struct Shared:
    OfDtype* loop
    char* at[3]
    npy_intp by[3]                              # in bytes, to the next of what is divided
    npy_intp* d
    npy_intp* s
    int divided                                 # 0: products; 1: rows; 3: columns, as in d
    npy_intp size                               # of a part


cdef void multiply_part(void* what, npy_intp first, npy_intp last) noexcept nogil:
    """In pieces of the same size whether or not there are helpers: BLAS rounds by the shape of what it is given."""
    cdef Shared* w = <Shared*>what
    cdef char* p[3]
    cdef npy_intp d[4]
    cdef int i
    while first < last:
        for i in range(4):
            d[i] = w.d[i]
        d[w.divided] = w.size if w.size < last - first else last - first
        for i in range(3):
            p[i] = w.at[i] + first * w.by[i]
        w.loop.f(p, d, w.s, w.loop.data)
        first += w.size


cdef void share(OfDtype* loop, Factor* x, Factor* y, char* o, int batch, npy_intp* shape, npy_intp* d,
                npy_intp* s) noexcept nogil:
    """`walk`, by as many threads as are worth it."""
    cdef Shared w
    cdef int threads
    cdef npy_intp work = d[1] * d[2] * d[3]
    if d[0] * work <= THREADED:
        walk(loop, x, y, o, batch, shape, d, s)
        return
    threads = threads_now() if d[0] * work > WORTH_THREADS else 1
    w.loop, w.d, w.s = loop, d, s
    w.at[0], w.at[1], w.at[2] = x.data, y.data, o
    w.divided = 0
    w.by[0], w.by[1], w.by[2] = s[0], s[1], s[2]
    if d[0] == 1:
        w.divided, w.by[0], w.by[1], w.by[2] = 1, s[3], 0, s[7]
        if d[3] > d[1]:
            w.divided, w.by[0], w.by[1], w.by[2] = 3, 0, s[6], s[8]
    w.size = (d[w.divided] + threads - 1) // threads
    if w.divided:
        w.size = NARROW if w.size < NARROW else (w.size + 15) // 16 * 16
    if (not blas_obeys() or threads == 1 or batch or x.data == y.data
            or w.divided and work > MUCH and 2 * d[w.divided] <= w.size * threads):
        hold_blas(threads)
        walk(loop, x, y, o, batch, shape, d, s)
    else:
        hold_blas(1)
        parallel_for(multiply_part, &w, d[w.divided], w.size)
    release_blas()


cdef bint product_into(int num, npy_intp itemsize, void* a, npy_intp a_row, npy_intp a_column, void* b, npy_intp b_row,
                       npy_intp b_column, void* out, npy_intp m, npy_intp k, npy_intp n) noexcept nogil:
    """Put the product of (m, k) by (k, n) into dense memory, steps counted in numbers; False where no loop does it."""
    cdef npy_intp d[4]
    cdef npy_intp s[9]
    cdef Factor x, y
    if MATMUL[num].f == NULL:
        return False
    x.data, y.data = <char*>a, <char*>b
    d[0], d[1], d[2], d[3] = 1, m, k, n
    s[0] = s[1] = s[2] = 0
    s[3], s[4], s[5], s[6] = a_row * itemsize, a_column * itemsize, b_row * itemsize, b_column * itemsize
    s[7], s[8] = n * itemsize, itemsize
    share(&MATMUL[num], &x, &y, <char*>out, 0, NULL, d, s)
    return True


# Note [Factors that repeat themselves]
# -------------------------------------
# The gradient of a sum is one number, seen as a matrix by strides of zero; so is that of a mean, and a row that was
# expanded repeats itself.  If the rows of the left factor are all the same, those of the product are too, and so with
# the columns of the right factor: one is computed, and the factor never becomes a matrix in memory.

cdef ndarray first_alone(ndarray a, int from_end):
    """Of this axis, counted from the end with 1 as the last, only the first."""
    cdef Geometry g
    take_geometry(a, &g)
    g.dims[g.ndim - from_end] = 1
    return seen_as(a, &g)


cdef ndarray repeated(ndarray product, int from_end, npy_intp n):
    """The product with this axis, which has one element, repeated; None where there is none."""
    cdef npy_intp shape[MAX_DIMS]
    cdef int i
    cdef ndarray out
    if product is None:
        return None
    for i in range(PyArray_NDIM(product)):
        shape[i] = PyArray_DIMS(product)[i]
    shape[PyArray_NDIM(product) - from_end] = n
    out = new_array(PyArray_NDIM(product), shape, PyArray_TYPE(product))
    copy_elements(out, product)
    return out


# Note [Layers of some rows]
# --------------------------
# A layer multiplies the rows of its input by a matrix that lies by columns, x @ weight.T.  BLAS copies that matrix into
# another order first, number by number; if the rows are few, this takes as long as half the product.  The transposed
# product, weight @ x.T, needs no such copy if x.T is laid out by rows: 10 to 128 rows take 0.5 to 0.95 of the time,
# with the copies of x and of the result, which are smaller than the weight.  In double precision BLAS knows better.

cdef inline bint worth_turning(Factor* x, Factor* y) noexcept:
    cdef double m = x.rows, k = x.columns, n = y.columns
    return (x.by_column == sizeof(float) and y.by_row == sizeof(float) and FEW < m <= 2 * SHORT
            and m * (k + n) <= k * n and m * k * n > WORTH_TURNING)


cdef ndarray matrix_in(ndarray a, npy_intp rows, npy_intp columns, npy_intp by_row, npy_intp by_column):
    """The memory of `a` as one matrix with these strides."""
    cdef Geometry g
    g.ndim, g.data = 2, <char*>PyArray_DATA(a)
    g.dims[0], g.dims[1], g.strides[0], g.strides[1] = rows, columns, by_row, by_column
    return seen_as(a, &g)


# Note [Products of integers]
# ---------------------------
# BLAS has no integers, and NumPy multiplies them one by one.  A double has 53 bits: as long as no sum needs more, the
# product in double precision is exact, in whatever order it is added up.  By Cauchy and Schwarz no sum of products of a
# row and a column, nor any part of it, exceeds the norm of all of `a` times that of all of `b`.  Larger numbers, which
# wrap around, are left to NumPy.

cdef ndarray by_way_of_doubles(ndarray a, int a_dims, ndarray b, int b_dims, bint turned):
    """The product of integers, in their dtype, if no sum of it needs more than 53 bits; else None."""
    cdef int num = PyArray_TYPE(a)
    cdef ndarray o
    a, b = in_dtype(a, NPY_DOUBLE), in_dtype(b, NPY_DOUBLE)
    if sum_of_squares(a) * sum_of_squares(b) >= EXACT * EXACT / 4:          # which are rounded themselves
        return None
    o = in_dtype(multiplied(a, a_dims, b, b_dims, turned), NPY_INT64)
    return o if num == NPY_INT64 else in_dtype(o, num)


cdef double sum_of_squares(ndarray a) noexcept:
    """Of an array without gaps, in whichever order its elements lie."""
    cdef npy_intp d[4]
    cdef npy_intp s[9]
    cdef char* p[3]
    cdef double found
    d[0], d[1], d[2], d[3] = 1, 1, PyArray_SIZE(a), 1
    s[0] = s[1] = s[2] = s[3] = s[6] = s[7] = s[8] = 0
    s[4] = s[5] = sizeof(double)
    p[0] = p[1] = <char*>PyArray_DATA(a)
    p[2] = <char*>&found
    hold_blas(1)
    MATMUL[<int>NPY_DOUBLE].f(p, d, s, MATMUL[<int>NPY_DOUBLE].data)
    release_blas()
    return found


cdef inline bint worth_a_copy(int num, npy_intp work) noexcept:
    return work > COPIED and (num == NPY_FLOAT or num == NPY_DOUBLE or num == NPY_CFLOAT or num == NPY_CDOUBLE)


cdef void walk(OfDtype* loop, Factor* x, Factor* y, char* o, int batch, npy_intp* shape, npy_intp* d,
               npy_intp* s) noexcept nogil:
    """Call the inner loop for each place of the outer axes of the batch; the result has no gaps."""
    cdef npy_intp index[MAX_DIMS]
    cdef char* p[3]
    cdef int i
    for i in range(batch):
        if shape[i] == 0:
            return
        index[i] = 0
    while True:
        p[0], p[1], p[2] = x.data, y.data, o    # which the loop may change
        loop.f(p, d, s, loop.data)
        i = batch - 1
        while i >= 0:
            index[i] += 1
            x.data += x.step[i]
            y.data += y.step[i]
            if index[i] < shape[i]:
                break
            x.data -= x.step[i] * shape[i]
            y.data -= y.step[i] * shape[i]
            index[i] = 0
            i -= 1
        if i < 0:
            return
        o += d[0] * s[2]


# ------------------------------------------------------------------------------ the products of the table

cdef inline bint of_dims(PyObject* x, int ndim) noexcept:
    return type(<object>x) is ndarray and PyArray_NDIM(<ndarray>x) == ndim


cdef inline object of_two(PyObject** args, int left, int right):
    """The product of two arrays with so many dims."""
    if not of_dims(args[0], left) or not of_dims(args[1], right):
        return None
    return multiplied(<ndarray>args[0], left, <ndarray>args[1], right, False)


cdef object mm(Loop* loop, PyObject** args, int n):
    """(self, mat2)"""
    return of_two(args, 2, 2)


cdef object bmm(Loop* loop, PyObject** args, int n):
    """(self, mat2): batches of one size"""
    if not of_dims(args[0], 3) or not of_dims(args[1], 3):
        return None
    if PyArray_DIMS(<ndarray>args[0])[0] != PyArray_DIMS(<ndarray>args[1])[0]:
        return None
    return multiplied(<ndarray>args[0], 2, <ndarray>args[1], 2, False)


cdef object mv(Loop* loop, PyObject** args, int n):
    """(self, vec)"""
    return of_two(args, 2, 1)


cdef object dot(Loop* loop, PyObject** args, int n):
    """(self, tensor)"""
    return of_two(args, 1, 1)


cdef object vdot(Loop* loop, PyObject** args, int n):
    """(self, other): of real numbers, which are their own conjugates"""
    if not of_dims(args[0], 1) or PyArray_TYPE(<ndarray>args[0]) >= NPY_CFLOAT:
        return None
    return of_two(args, 1, 1)


cdef object vecdot(Loop* loop, PyObject** args, int n):
    """(x, y, dim): rows times columns along the last dim, of real numbers"""
    cdef ndarray x, y
    cdef npy_intp dim = 0
    if type(<object>args[0]) is not ndarray or type(<object>args[1]) is not ndarray or not as_int(args[2], &dim):
        return None
    x, y = <ndarray>args[0], <ndarray>args[1]
    if not PyArray_NDIM(x) or not same_shape(x, y) or (dim != -1 and dim != PyArray_NDIM(x) - 1):
        return None
    if PyArray_TYPE(x) != NPY_FLOAT and PyArray_TYPE(x) != NPY_DOUBLE:
        return None
    return multiplied(x, 1, y, 1, False)


ctypedef fused floating_number:
    float
    double


cdef void cross_all(floating_number* a, floating_number* b, floating_number* to, npy_intp before,
                    npy_intp after) noexcept nogil:
    """For each of `before` blocks, the three rows of `after` numbers."""
    cdef npy_intp k, i
    cdef int at, one, two
    for k in range(before):
        for at in range(3):
            one, two = (at + 1) % 3, (at + 2) % 3
            for i in range(after):
                to[at * after + i] = a[one * after + i] * b[two * after + i] - a[two * after + i] * b[one * after + i]
        a, b, to = a + 3 * after, b + 3 * after, to + 3 * after


cdef object cross(Loop* loop, PyObject** args, int n):
    """(self, other, dim), of real numbers"""
    cdef ndarray x, y, out
    cdef npy_intp dim = 0, before = 1, after = 1
    cdef int i
    if type(<object>args[0]) is not ndarray or type(<object>args[1]) is not ndarray or not as_int(args[2], &dim):
        return None
    x, y = <ndarray>args[0], <ndarray>args[1]
    if dim < 0:
        dim += PyArray_NDIM(x)
    if not same_shape(x, y) or PyArray_TYPE(x) != PyArray_TYPE(y) or not 0 <= dim < PyArray_NDIM(x):
        return None
    if (PyArray_TYPE(x) != NPY_FLOAT and PyArray_TYPE(x) != NPY_DOUBLE) or PyArray_DIMS(x)[dim] != 3:
        return None
    if not PyArray_ISNOTSWAPPED(x) or not PyArray_ISNOTSWAPPED(y):
        return None
    x, y = in_rows(x), in_rows(y)
    for i in range(dim):
        before *= PyArray_DIMS(x)[i]
    for i in range(dim + 1, PyArray_NDIM(x)):
        after *= PyArray_DIMS(x)[i]
    out = new_array(PyArray_NDIM(x), PyArray_DIMS(x), PyArray_TYPE(x))
    if PyArray_TYPE(x) == NPY_FLOAT:
        cross_all[float](<float*>PyArray_DATA(x), <float*>PyArray_DATA(y), <float*>PyArray_DATA(out), before, after)
    else:
        cross_all[double](<double*>PyArray_DATA(x), <double*>PyArray_DATA(y), <double*>PyArray_DATA(out), before, after)
    return out


cdef inline ndarray in_rows(ndarray x):
    """The array as it lies, if that is row by row and native, else a copy."""
    return x if PyArray_ISCARRAY_RO(x) else new_copy(x, NPY_CORDER)


cdef object trace(Loop* loop, PyObject** args, int n):
    """(self): the diagonal of a matrix of floating point numbers, added up as NumPy does it"""
    cdef ndarray a, o
    cdef char* p[3]
    cdef npy_intp s[3]
    cdef npy_intp size
    cdef int num
    if not of_dims(args[0], 2):
        return None
    a = <ndarray>args[0]
    num = PyArray_TYPE(a)
    if (num != NPY_FLOAT and num != NPY_DOUBLE) or ADD[num].f == NULL or not aligned(a):
        return None
    size = PyArray_DIMS(a)[0] if PyArray_DIMS(a)[0] < PyArray_DIMS(a)[1] else PyArray_DIMS(a)[1]
    o = PyArray_ZEROS(0, NULL, num, 0)
    p[0] = p[2] = <char*>PyArray_DATA(o)
    p[1] = <char*>PyArray_DATA(a)
    s[0] = s[2] = 0
    s[1] = PyArray_STRIDES(a)[0] + PyArray_STRIDES(a)[1]
    ADD[num].f(p, &size, s, ADD[num].data)
    return o


cdef object times(Loop* loop, PyObject** args, int n):
    """(self, mat2): batches that broadcast"""
    if type(<object>args[0]) is not ndarray or type(<object>args[1]) is not ndarray:
        return None
    if PyArray_NDIM(<ndarray>args[0]) < 2 or PyArray_NDIM(<ndarray>args[1]) < 2:
        return None
    return multiplied(<ndarray>args[0], 2, <ndarray>args[1], 2, False)


cdef Loops MULTIPLY = loops_of(np.multiply, ("a", "b"), ("Tensor", "Tensor"), [True, True], None, "")


cdef object outer(Loop* loop, PyObject** args, int n):
    """(self, vec2): a column times a row, element by element"""
    cdef Geometry g
    cdef PyObject* factors[2]
    cdef ndarray column
    if not of_dims(args[0], 1) or not of_dims(args[1], 1):
        return None
    if PyArray_TYPE(<ndarray>args[0]) != PyArray_TYPE(<ndarray>args[1]):
        return None
    column = array_at(args, &g)
    new_axis(&g, 1)
    column = seen_as(column, &g)
    factors[0], factors[1] = <PyObject*>column, args[1]
    return elementwise(MULTIPLY, factors)


cdef object adjoint(Loop* loop, PyObject** args, int n):
    """(self): the last two dims of a real array exchanged, as a view"""
    cdef Geometry g
    cdef ndarray a = array_at(args, &g)
    if a is None or g.ndim < 2 or PyArray_TYPE(a) >= NPY_CFLOAT and PyArray_TYPE(a) != NPY_HALF:
        return None
    g.dims[g.ndim - 1], g.dims[g.ndim - 2] = g.dims[g.ndim - 2], g.dims[g.ndim - 1]
    g.strides[g.ndim - 1], g.strides[g.ndim - 2] = g.strides[g.ndim - 2], g.strides[g.ndim - 1]
    return seen_as(a, &g)


# ------------------------------------------------------------------------------ a product added to something

cdef Loops WEIGHTED = loops_of(weighted, ("a", "b", "u", "v"), ("Tensor", "Tensor", "Scalar", "Scalar"),
                               [True, True, False, False], None, "")


cdef object added(PyObject** args, int n, ndarray product):
    """(self, a, b): self, which may be broadcast, is added to their product, in place

    (self, a, b, beta, alpha): both are first multiplied by these numbers, if they are real
    """
    cdef PyObject* operands[4]
    if product is None or type(<object>args[0]) is not ndarray:
        return None
    if n == 3:
        return product if add_to(product, <ndarray>args[0]) else None
    if PyArray_TYPE(<ndarray>args[0]) != PyArray_TYPE(product) or <object>args[3] == 0:
        return None
    operands[0], operands[1], operands[2], operands[3] = <PyObject*>product, args[0], args[4], args[3]
    return product if elementwise_into(WEIGHTED, operands, product) else None


cdef object addmm(Loop* loop, PyObject** args, int n):
    return added(args, n, mm(loop, args + 1, 2))


cdef object addmv(Loop* loop, PyObject** args, int n):
    return added(args, n, mv(loop, args + 1, 2))


cdef object baddbmm(Loop* loop, PyObject** args, int n):
    return added(args, n, bmm(loop, args + 1, 2))


cdef object addr(Loop* loop, PyObject** args, int n):
    return added(args, n, outer(loop, args + 1, 2))


cdef object state_rows(Loop* loop, PyObject** args, int n):
    """(state, weight, turned, bias): the state times ``turned``, of one example or of several, and the bias if any"""
    cdef ndarray product
    if not of_dims(args[2], 2) or not (of_dims(args[0], 1) or of_dims(args[0], 2)):
        return None
    product = multiplied(<ndarray>args[0], PyArray_NDIM(<ndarray>args[0]), <ndarray>args[2], 2, False)
    if product is None or <object>args[3] is None:
        return product
    return product if type(<object>args[3]) is ndarray and add_to(product, <ndarray>args[3]) else None


cdef bint add_to(ndarray o, ndarray a) except -1:
    """o += a for an array of ours; False where `a` has another dtype, or does not broadcast to `o`."""
    cdef npy_intp step[MAX_DIMS]                # of `a` along each axis of `o`
    cdef npy_intp* shape = PyArray_DIMS(o)
    cdef int i, ndim = PyArray_NDIM(o), lead = ndim - PyArray_NDIM(a), num = PyArray_TYPE(o)
    cdef npy_intp size = 1
    if PyArray_TYPE(a) != num or num >= MAX_NUMS or ADD[num].f == NULL or not aligned(a):
        return False
    if not 0 <= lead < ndim:
        return False
    for i in range(ndim):
        size *= shape[i]
        if i < lead or PyArray_DIMS(a)[i - lead] == 1:
            step[i] = 0
        elif PyArray_DIMS(a)[i - lead] == shape[i]:
            step[i] = PyArray_STRIDES(a)[i - lead]
        else:
            return False
    if size > LARGE:
        with nogil:
            add_rows(num, <char*>PyArray_DATA(o), PyArray_STRIDES(o), <char*>PyArray_DATA(a), step, shape, ndim)
    elif size:
        add_rows(num, <char*>PyArray_DATA(o), PyArray_STRIDES(o), <char*>PyArray_DATA(a), step, shape, ndim)
    return True


cdef void add_rows(int num, char* o, npy_intp* by, char* a, npy_intp* step, npy_intp* shape, int ndim) noexcept nogil:
    """The same along the axes of `shape`, the last by the inner loop; for the short rows of a layer's bias that would
    take longer to call than to run."""
    cdef char* p[3]
    cdef npy_intp s[3]
    cdef npy_intp i
    if ndim > 1:
        for i in range(shape[0]):
            add_rows(num, o + i * by[0], by + 1, a + i * step[0], step + 1, shape + 1, ndim - 1)
        return
    if num == NPY_DOUBLE and by[0] == sizeof(double) and step[0] == sizeof(double):
        add_row(<double*>o, <double*>a, shape[0])
        return
    if num == NPY_FLOAT and by[0] == sizeof(float) and step[0] == sizeof(float):
        add_row(<float*>o, <float*>a, shape[0])
        return
    p[0], p[1], p[2] = o, a, o
    s[0], s[1], s[2] = by[0], step[0], by[0]
    ADD[num].f(p, shape, s, ADD[num].data)


cdef inline void add_row(real* o, real* a, npy_intp n) noexcept nogil:
    cdef npy_intp i
    for i in range(n):
        o[i] += a[i]


resolve(MATMUL, np.matmul)
resolve(ADD, np.add)
if not agree():
    forget(MATMUL)
