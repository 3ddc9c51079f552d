"""Sums of many terms, in which the last one counts as much as the first.

A float32 has 24 bits.  If ones are added up one after the other, the total remains at 16777216, however many follow.
So totals here are *pairwise*: rows are added in short blocks, the sums of blocks two by two, and so on.  No term takes
part in more additions than there are in a block and in the levels above it.  Running totals cannot be pairwise, as
every one of them is a result: they are kept in double precision.

The loops take plain memory only.  A sum over neighbouring axes of a C-contiguous array is a sum over the middle of
three axes::

    sum over axes 1 and 2 of (4, 2, 3, 5)    =    sum over the middle axis of (4, 6, 5)

array_sums.pyx brings arrays into this form.
"""

cdef extern from "kernels/reductions/pairwise_blocks.h" nogil:
    void mg_block_nansum_float(const float* a, float* o, npy_intp rows, npy_intp width, npy_intp s)
    void mg_block_nansum_double(const double* a, double* o, npy_intp rows, npy_intp width, npy_intp s)

cdef enum:
    BLOCK = 16                  # rows that are added one after the other
    LANES = 64                  # narrow rows are put side by side until they are as wide as this
    ROOM = 40 * LANES           # numbers for the totals of one level after another; no memory holds 2**40 rows
    TILE = 512                  # columns of running totals at a time: these stay in the nearest cache


# Note [Pairwise sums]
# --------------------
# The rows of a matrix are added as the leaves of a tree, each leaf a block of at most 16 rows:
#
#     rows    0 .. 15    16 .. 31    32 .. 47    48 .. 63
#                 \      /               \      /
#                  +----+                 +----+
#                        \               /
#                         +-------------+
#
# For n rows the error grows with log2(n), and not with n.  A matrix with few columns is first read as one with many:
# (1000000, 2) is the same memory as (31250, 64).  The sum of that is a row of 64: 32 sums of two columns, side by side,
# which are added in turn.  A vector is a matrix with one column.

cdef void add_block(real* a, real* o, npy_intp rows, npy_intp width, npy_intp s) noexcept nogil:
    """o[k] = the sum of a[i * s + k] over a few rows i, four at a time: totals in memory cost more than additions."""
    cdef npy_intp k, left = rows - 4 if rows >= 4 else rows - 1
    cdef real one
    if width == 1:                  # alike, without what loops of several columns prepare
        one = a[0] if rows < 4 else (a[0] + a[s]) + (a[2 * s] + a[3 * s])
        a += (rows - left) * s
        while left >= 4:
            one += (a[0] + a[s]) + (a[2 * s] + a[3 * s])
            a += 4 * s
            left -= 4
        for k in range(left):
            one += a[k * s]
        o[0] = one
        return
    for k in range(width):
        o[k] = a[k] if rows < 4 else (a[k] + a[k + s]) + (a[k + 2 * s] + a[k + 3 * s])
    a += (rows - left) * s
    while left >= 4:
        for k in range(width):
            o[k] += (a[k] + a[k + s]) + (a[k + 2 * s] + a[k + 3 * s])
        a += 4 * s
        left -= 4
    while left:
        for k in range(width):
            o[k] += a[k]
        a += s
        left -= 1


cdef void add_rows(real* a, real* o, npy_intp rows, npy_intp width, npy_intp stride, real* spare,
                   bint numbers) noexcept nogil:
    """The same of many rows; `spare` has `width` numbers for each level below.  With `numbers`, nan does not count."""
    cdef npy_intp k, half = BLOCK
    if rows <= BLOCK:
        if not numbers:
            add_block(a, o, rows, width, stride)
        elif real is float:
            mg_block_nansum_float(a, o, rows, width, stride)
        else:
            mg_block_nansum_double(a, o, rows, width, stride)
        return
    while 2 * half < rows:          # all blocks but the last are whole
        half *= 2
    add_rows(a, o, half, width, stride, spare, numbers)
    add_rows(a + half * stride, spare, rows - half, width, stride, spare + width, numbers)
    for k in range(width):
        o[k] += spare[k]


cdef void add_narrow_rows(real* a, real* o, npy_intp n, npy_intp inner, npy_intp side, real* spare,
                          bint numbers) noexcept nogil:
    """The same for rows of `inner` numbers without gaps, `side` of them side by side."""
    cdef real lanes[LANES]
    cdef npy_intp width = side * inner, whole = n // side, rest = n - whole * side, k
    add_rows(a, lanes, whole, width, width, spare, numbers)
    add_rows(lanes, o, side, inner, inner, spare, False)
    if rest:
        add_rows(a + whole * width, lanes, rest, inner, inner, spare, numbers)
        for k in range(inner):
            o[k] += lanes[k]


cdef void sum_middle(real* a, real* o, npy_intp outer, npy_intp n, npy_intp inner, bint numbers=False) noexcept nogil:
    """Sum an array of shape (outer, n, inner), n > 0, over its middle axis into one of shape (outer, inner); with
    `numbers`, what is not nan."""
    cdef real spare[ROOM]
    cdef npy_intp i, k, rows = n, levels = 1
    cdef npy_intp side = min(LANES // inner, n // 4) if inner else 0
    while rows > BLOCK:
        rows //= 2
        levels += 1
    for i in range(outer):
        if side > 1:
            add_narrow_rows(a, o, n, inner, side, spare, numbers)
        else:
            k = 0
            while k < inner:                # as many columns at a time as there is room for
                add_rows(a + k, o + k, n, min(ROOM // levels, inner - k), inner, spare, numbers)
                k += ROOM // levels
        a += n * inner
        o += inner


# ------------------------------------------------------------------------------ running totals

cdef void run_row(Running what, real* b, real* a, real* o, npy_intp n, npy_intp step) noexcept nogil:
    """Along n numbers that lie `step` apart."""
    cdef npy_intp i
    cdef double s = what == RUN_PRODUCT or what == RUN_BEFORE
    for i in range(n):
        if what == RUN_SUM:
            s += b[i * step]
        elif what == RUN_PRODUCT:
            s *= b[i * step]
        elif what == RUN_RECURRENCE:
            s = b[i * step] + a[i * step] * s
        elif what == RUN_TRANSPOSED:
            s = b[i * step] + (a[(i - 1) * step] if i else 0) * s
        elif i:
            s *= b[(i - 1) * step]
        o[i * step] = <real>s


cdef void run_rows(Running what, real* b, real* a, real* o, npy_intp n, npy_intp width, npy_intp step) noexcept nogil:
    """Along n rows of `width` numbers that lie `step` apart."""
    cdef double s[TILE]
    cdef npy_intp i, k
    for k in range(width):
        s[k] = what == RUN_PRODUCT or what == RUN_BEFORE
    for i in range(n):
        if what == RUN_SUM:
            for k in range(width):
                s[k] += b[k]
        elif what == RUN_PRODUCT:
            for k in range(width):
                s[k] *= b[k]
        elif what == RUN_RECURRENCE:
            for k in range(width):
                s[k] = b[k] + a[k] * s[k]
        elif what == RUN_TRANSPOSED:
            for k in range(width):
                s[k] = b[k] + (a[k - step] if i else 0) * s[k]
        elif i:
            for k in range(width):
                s[k] *= b[k - step]
        for k in range(width):
            o[k] = <real>s[k]
        a += step
        b += step
        o += step


cdef void run_along(Running what, real* b, real* a, real* o,
                    npy_intp outer, npy_intp n, npy_intp inner, bint backwards) noexcept nogil:
    """The running totals of arrays of shape (outer, n, inner) along the middle axis, from its end if `backwards`.

    `a` has the coefficients of a recurrence; sums and products do not read it.
    """
    cdef npy_intp i, k, start, step = -inner if backwards else inner
    if a == NULL:
        a = b                           # it is carried along, and C has no steps from a null pointer
    for i in range(outer):
        start = i * n * inner + ((n - 1) * inner if backwards else 0)
        if inner == 1:
            run_row(what, b + start, a + start, o + start, n, step)
            continue
        k = 0
        while k < inner:
            run_rows(what, b + start + k, a + start + k, o + start + k, n, min(TILE, inner - k), step)
            k += TILE
