"""Products of long and narrow matrices: at least one dim is long, and another short; in float32 and float64.

BLAS multiplies square matrices well, and copies its factors into blocks first.  Where one of them is slim, as in the
last layer of a network, that takes longer than the product.  The inner loops of convolutions (microkernels.pyx) read
factors where they lie.  Which of them serves, the layouts say::

    (m, k) by (k, n)                                                            a vector is

    dots      k is long, and runs along the rows of the left factor and the     a stretch of k
              columns of the right one: a layer, x @ weight.T
    few rows  the same layouts, with a long n: a layer of one example or few    a stretch of k
    runs      n is long, and runs along the rows of the right factor: the       a stretch of a row of the result
              gradients of a layer, few rows times a matrix, and up to 32
              rows times one that is not large
    rows      m or k is long, and n is short: x @ weight; or all of that is     the n numbers of a row of the result
              transposed

The long dim is cut into pieces, which the threads of our own pool take in turn.  If that is k, each piece has a result
of its own, and these are added up in order; so no number depends on how many threads there are.
"""

from libc.stddef cimport ptrdiff_t
from libc.stdlib cimport free, malloc
from minigrad._core.kernels.algebra.microkernels cimport (LOOPS, clear_desk, correlations, desk_for, divided_up,
                                                          on_a_boundary, products, sums)
from minigrad._core.kernels.loops.real cimport real
from minigrad._core.runtime.numpy_api cimport NPY_DOUBLE, NPY_FLOAT, npy_intp
from minigrad._core.runtime.thread_pool cimport Job, parallel_for

cdef extern from "kernels/algebra/short_rows.h":
    void zeros "mg_zeros"(void*, size_t) noexcept nogil

cdef enum:
    STRETCH = 2048              # numbers of a piece of a long dim; a multiple of all vectors
    RUN = 256                   # the same where the long dim is a row of the result
    BLOCK = 512                 # numbers of k, and rows, that are multiplied at a time where a vector is a row
    NUMBERS = 2048              # of the result, where k is long
    CACHED = 12 << 20           # bytes of a matrix that a cache is thought to hold
    NEAR = 1 << 20              # the same of the cache that each processor has for itself
    ALONE = 4                   # rows that are better multiplied one by one, by a matrix that lies by rows
    COLUMNS = 16                # of the right factor at a time, for few rows: a multiple of 4, which fits the cache
    WORTH_CUTTING = 1000000     # multiplications, up to which BLAS has good ways of its own


cdef struct Slim:
    npy_intp m, k, n
    npy_intp a_row, a_column, b_row, b_column       # strides, in numbers
    void* a
    void* b
    void* out
    void* room                  # the results of the pieces of k, or the left factor in order
    ptrdiff_t* place            # where rows, columns or numbers begin
    npy_intp pieces, blocks     # of the long dim; of k, or of few rows, where those are cut besides
    bint turned                 # is the result written by columns?
    bint failed                 # there was no memory


# ------------------------------------------------------------------------------ dots

cdef void dots(Slim* s, npy_intp first, npy_intp last, real* _) noexcept nogil:
    cdef npy_intp lanes = LOOPS.bytes // sizeof(real), piece, q, length, whole, block, i, j, rows
    cdef real* out
    cdef real* tails
    cdef real* a
    cdef real* b
    cdef char* desk = <char*>desk_for(LOOPS.dot_rows * (s.n + 3) * LOOPS.bytes + (s.m + s.n) * LOOPS.bytes)
    if desk == NULL:
        s.failed = True
        return
    tails = <real*>(desk + LOOPS.dot_rows * (s.n + 3) * LOOPS.bytes)
    for piece in range(first, last):
        q = piece * STRETCH
        length = s.k - q if piece == s.pieces - 1 else STRETCH
        whole = length // lanes * lanes
        a, b = <real*>s.a + q, <real*>s.b + q
        out = <real*>(s.out if s.pieces == 1 else s.room) + piece * s.m * s.n
        zeros(out, s.m * s.n * sizeof(real))
        if whole < length:                          # what is left over, with zeros up to full vectors
            zeros(tails, (s.m + s.n) * LOOPS.bytes)
            for j in range(length - whole):
                for i in range(s.m):
                    tails[i * lanes + j] = a[s.place[i] + whole + j]
                for i in range(s.n):
                    tails[(s.m + i) * lanes + j] = b[s.place[s.m + i] + whole + j]
        for block in range(divided_up(s.m, LOOPS.dot_rows)):
            i = block * LOOPS.dot_rows
            rows = min(LOOPS.dot_rows, s.m - i)
            correlations(a, s.place + i, rows, b, s.place + s.m, s.n, whole, out + i * s.n, s.n, 1, desk)
            if whole < length:
                correlations(tails, s.place + s.m + s.n + i, rows, tails, s.place + 2 * s.m + s.n, s.n, lanes,
                             out + i * s.n, s.n, 1, desk)
    clear_desk()


cdef bint begin_dots(Slim* s, npy_intp itemsize) noexcept nogil:
    cdef npy_intp i, lanes = LOOPS.bytes // itemsize
    s.pieces = max(1, s.k // STRETCH)
    s.place = <ptrdiff_t*>malloc(2 * (s.m + s.n) * sizeof(ptrdiff_t))
    s.room = malloc(s.pieces * s.m * s.n * itemsize) if s.pieces > 1 else NULL
    if s.place == NULL or s.room == NULL and s.pieces > 1:
        return False
    for i in range(s.m):
        s.place[i] = i * s.a_row
    for i in range(s.n):
        s.place[s.m + i] = i * s.b_column
    for i in range(s.m + s.n):
        s.place[s.m + s.n + i] = i * lanes
    return True


# ------------------------------------------------------------------------------ few rows

cdef void few_rows(Slim* s, npy_intp first, npy_intp last, real* _) noexcept nogil:
    """Each piece has some columns of the right factor."""
    cdef npy_intp lanes = LOOPS.bytes // sizeof(real), whole = s.k // lanes * lanes, piece, columns, block, i, j, r
    cdef real* a = <real*>s.a
    cdef real* b
    cdef real* out
    cdef real* desk = <real*>desk_for(LOOPS.dot_rows * COLUMNS * LOOPS.bytes)
    if desk == NULL:
        s.failed = True
        return
    for piece in range(first, last):
        columns = min(COLUMNS, s.n - piece * COLUMNS)
        b, out = <real*>s.b + piece * COLUMNS * s.b_column, <real*>s.out + piece * COLUMNS
        for i in range(s.m):
            for j in range(columns):
                out[i * s.n + j] = 0
                for r in range(whole, s.k):                 # what is left over of full vectors
                    out[i * s.n + j] += a[i * s.a_row + r] * b[j * s.b_column + r]
        for block in range(s.blocks):
            i = block * s.m // s.blocks
            correlations(a, s.place + i, (block + 1) * s.m // s.blocks - i, b, s.place + s.m, columns, whole,
                         out + i * s.n, s.n, 1, desk)
    clear_desk()


cdef bint begin_few_rows(Slim* s) noexcept nogil:
    cdef npy_intp i
    s.pieces, s.blocks = divided_up(s.n, COLUMNS), divided_up(s.m, LOOPS.dot_rows)
    s.place = <ptrdiff_t*>malloc((s.m + COLUMNS) * sizeof(ptrdiff_t))
    if s.place == NULL:
        return False
    for i in range(s.m):
        s.place[i] = i * s.a_row
    for i in range(COLUMNS):
        s.place[s.m + i] = i * s.b_column
    return True


# ------------------------------------------------------------------------------ runs

cdef void runs(Slim* s, npy_intp first, npy_intp last, real* _) noexcept nogil:
    cdef npy_intp piece, q, length
    for piece in range(first, last):
        q = piece * RUN
        length = s.n - q if piece == s.pieces - 1 else RUN
        sums(<real*>on_a_boundary(s.room), s.place, <real*>s.b + q, s.k, length, s.m, 0, s.blocks, <real*>NULL,
             <real*>s.out + q, s.n)


cdef bint begin_runs(Slim* s, real* _) noexcept nogil:
    """The left factor in blocks of rows; in each, all rows of the first column, then of the next ..."""
    cdef npy_intp r, i, j
    cdef real* to
    s.pieces, s.blocks = max(1, s.n // RUN), divided_up(s.m, LOOPS.rows)
    s.place = <ptrdiff_t*>malloc(s.k * sizeof(ptrdiff_t))
    s.room = malloc(s.m * s.k * sizeof(real) + LOOPS.bytes)
    if s.place == NULL or s.room == NULL:
        return False
    to = <real*>on_a_boundary(s.room)
    for r in range(s.k):
        s.place[r] = r * s.b_row
    for j in range(s.blocks):
        for r in range(s.k):
            for i in range(j * s.m // s.blocks, (j + 1) * s.m // s.blocks):
                to[0] = (<real*>s.a)[i * s.a_row + r * s.a_column]
                to += 1
    return True


# ------------------------------------------------------------------------------ rows

cdef void rows(Slim* s, npy_intp first, npy_intp last, real* _) noexcept nogil:
    """Each piece has some rows, all of them or BLOCK, and some of k, BLOCK or all of it, which is no more."""
    cdef npy_intp lanes = LOOPS.bytes // sizeof(real), piece, row, r, count, depth, block, o, i, wide, full, pitch
    cdef npy_intp by_point = 1 if s.turned else s.n, by_output = s.m if s.turned else 1
    cdef bint whole = s.blocks == 1                 # has each piece all of k?
    cdef real* b
    cdef real* out
    cdef real* desk = <real*>desk_for(BLOCK * 2 * LOOPS.bytes)
    if desk == NULL:
        s.failed = True
        return
    for piece in range(first, last):
        if whole:
            row, r, depth = piece * BLOCK, 0, s.k
            count, out = min(BLOCK, s.m - row), <real*>s.out + row * by_point
        else:
            row, r, depth = 0, piece * BLOCK, min(BLOCK, s.k - piece * BLOCK)
            count, out = s.m, <real*>s.room + piece * s.m * s.n
        for block in range(divided_up(s.n, 2 * lanes)):
            o = block * 2 * lanes
            wide = min(2 * lanes, s.n - o)
            full = lanes if wide <= lanes else 2 * lanes
            b, pitch = <real*>s.b + r * s.b_row + o * s.b_column, s.b_row
            if s.b_column != 1 or (r + depth - 1) * s.b_row + o + full > (s.k - 1) * s.b_row + s.n:
                for i in range(depth):              # a vector would read beyond the factor, or there is none
                    copy_row(b + i * s.b_row, s.b_column, wide, full, desk + i * full)
                b, pitch = desk, full
            products(<real*>s.a + row * s.a_row + r * s.a_column, s.place, count, s.place + BLOCK, b, pitch, depth,
                     wide, <real*>NULL, False, out + o * by_output, by_point, by_output)
    clear_desk()


cdef inline void copy_row(real* b, npy_intp stride, npy_intp n, npy_intp full, real* to) noexcept nogil:
    cdef npy_intp i
    if stride == 1:
        for i in range(n):
            to[i] = b[i]
    else:
        for i in range(n):
            to[i] = b[i * stride]
    for i in range(n, full):
        to[i] = 0


cdef bint begin_rows(Slim* s, npy_intp itemsize) noexcept nogil:
    cdef npy_intp i
    s.blocks = 1 if s.m > BLOCK else divided_up(s.k, BLOCK)
    s.pieces = divided_up(s.m, BLOCK) if s.blocks == 1 else s.blocks
    s.place = <ptrdiff_t*>malloc(2 * BLOCK * sizeof(ptrdiff_t))
    s.room = malloc(s.blocks * s.m * s.n * itemsize) if s.blocks > 1 else NULL
    if s.place == NULL or s.room == NULL and s.blocks > 1:
        return False
    for i in range(BLOCK):
        s.place[i] = i * s.a_row
        s.place[BLOCK + i] = i * s.a_column
    return True


cdef bint by_rows(Slim* s, bint single) noexcept nogil:
    """Is it worth it?  If its transpose is, take the product for that."""
    if short_rows(s, single):
        return True
    turn(s)
    return short_rows(s, single)


cdef bint short_rows(Slim* s, bint single) noexcept nogil:
    """Is the right factor long and lies by rows, or the left one, and the right one small?"""
    if s.b_column == 1 and s.k >= BLOCK and s.m <= SHORT and s.m * s.n <= NUMBERS:
        return True
    if single and SHORT // 4 < s.n <= 3 * SHORT // 8:       # half of a second vector would be empty
        return False
    return s.n <= SHORT // 2 and s.m >= BLOCK and s.k <= BLOCK


cdef void turn(Slim* s) noexcept nogil:
    s.m, s.n, s.a, s.b = s.n, s.m, s.b, s.a
    s.a_row, s.a_column, s.b_row, s.b_column = s.b_column, s.b_row, s.a_column, s.a_row
    s.turned = not s.turned


# ------------------------------------------------------------------------------ all together

cdef void float_dots(void* s, npy_intp first, npy_intp last) noexcept nogil:
    dots(<Slim*>s, first, last, <float*>NULL)


cdef void double_dots(void* s, npy_intp first, npy_intp last) noexcept nogil:
    dots(<Slim*>s, first, last, <double*>NULL)


cdef void float_few_rows(void* s, npy_intp first, npy_intp last) noexcept nogil:
    few_rows(<Slim*>s, first, last, <float*>NULL)


cdef void double_few_rows(void* s, npy_intp first, npy_intp last) noexcept nogil:
    few_rows(<Slim*>s, first, last, <double*>NULL)


cdef void float_runs(void* s, npy_intp first, npy_intp last) noexcept nogil:
    runs(<Slim*>s, first, last, <float*>NULL)


cdef void double_runs(void* s, npy_intp first, npy_intp last) noexcept nogil:
    runs(<Slim*>s, first, last, <double*>NULL)


cdef void float_rows(void* s, npy_intp first, npy_intp last) noexcept nogil:
    rows(<Slim*>s, first, last, <float*>NULL)


cdef void double_rows(void* s, npy_intp first, npy_intp last) noexcept nogil:
    rows(<Slim*>s, first, last, <double*>NULL)


cdef void add_up(Slim* s, real* _) noexcept nogil:
    """The results of all pieces, one after the other."""
    cdef npy_intp i, piece, size = s.m * s.n
    cdef real* out = <real*>s.out
    cdef real* part = <real*>s.room
    for i in range(size):
        out[i] = part[i]
    for piece in range(1, s.pieces):
        part += size
        for i in range(size):
            out[i] += part[i]


cdef bint one_by_one(int num, npy_intp m, npy_intp k, npy_intp n, npy_intp b_column) noexcept nogil:
    """Are the rows of the left factor better multiplied each by itself?

    BLAS reads a matrix that lies by rows once for each of them, as fast as the cache gives it; for two to four of them
    together it copies it first, which takes longer.  Where k or n is short, slim_product is faster still.
    """
    cdef npy_intp itemsize = sizeof(float) if num == NPY_FLOAT else sizeof(double)
    return (1 < m <= ALONE and (num == NPY_FLOAT or num == NPY_DOUBLE) and b_column == itemsize and k > 2 * SHORT
            and m * n >= NUMBERS // 2 and <double>m * k * n > WORTH_CUTTING and in_the_cache(k, n, itemsize))


cdef inline bint in_the_cache(npy_intp k, npy_intp n, npy_intp itemsize) noexcept nogil:
    return <double>k * n * itemsize <= CACHED


cdef inline bint few_and_near(npy_intp m, npy_intp k, npy_intp n, npy_intp itemsize) noexcept nogil:
    """Are these some rows, and a matrix that BLAS would copy first though it is at hand?  Our vectors must be large."""
    return (LOOPS.bytes == 64 and ALONE < m <= SHORT // 2 and n >= 2 * SHORT and <double>k * n * itemsize <= NEAR)


cdef bint slim_product(int num, npy_intp m, npy_intp k, npy_intp n, void* a, npy_intp a_row, npy_intp a_column,
                       void* b, npy_intp b_row, npy_intp b_column, void* out) noexcept nogil:
    """Write the product into `out`, which lies row by row; False where it is better left to BLAS.

    The strides are in bytes; in each factor, rows or columns are without gaps.
    """
    cdef Slim s
    cdef Job job
    cdef bint single = num == NPY_FLOAT, begun, of_pieces
    cdef npy_intp itemsize = sizeof(float) if single else sizeof(double)
    cdef double work = <double>m * k * n
    if num != NPY_FLOAT and num != NPY_DOUBLE or work < WORTH_CUTTING and k > 1:
        return False
    s.m, s.k, s.n, s.a, s.b, s.out, s.turned, s.failed = m, k, n, a, b, out, False, False
    s.a_row, s.a_column = a_row // itemsize, a_column // itemsize
    s.b_row, s.b_column = b_row // itemsize, b_column // itemsize
    s.room, s.place, s.blocks = NULL, NULL, 1
    of_pieces = False
    if s.a_column == 1 and s.b_row == 1 and k >= BLOCK // 2 and min(m, n) <= SHORT and m * n <= NUMBERS:
        begun, of_pieces = begin_dots(&s, itemsize), True
        job = float_dots if single else double_dots
    elif s.a_column == 1 and s.b_row == 1 and k >= BLOCK // 2 and 1 < m <= FEW:
        begun = begin_few_rows(&s)
        job = float_few_rows if single else double_few_rows
    elif s.b_column == 1 and (n >= BLOCK and (k <= 2 * SHORT and m <= BLOCK
                                              or ALONE < m <= FEW and in_the_cache(k, n, itemsize))
                              or few_and_near(m, k, n, itemsize)):
        begun = begin_runs(&s, <float*>NULL) if single else begin_runs(&s, <double*>NULL)
        job = float_runs if single else double_runs
    elif by_rows(&s, single):
        begun, of_pieces = begin_rows(&s, itemsize), s.blocks > 1
        job = float_rows if single else double_rows
    else:
        return False
    if begun:
        parallel_for(job, &s, s.pieces, 1)
        if of_pieces and s.pieces > 1:
            if single:
                add_up(&s, <float*>NULL)
            else:
                add_up(&s, <double*>NULL)
    free(s.place)
    free(s.room)
    return begun and not s.failed
