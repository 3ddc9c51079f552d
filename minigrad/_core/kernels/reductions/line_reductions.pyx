"""The loops of reductions along lines, and of running extremes.

Each takes an array of shape (outer, n, inner) without gaps, and goes along its middle axis.  Where there is a result
for each line, it lies in an array of (outer, inner).  With inner > 1 the lines lie side by side, and all of them are
taken together, row by row::

    inner = 1       a line at a time        lanes, which are joined at the end
    inner > 1       a row at a time         results[k] = results[k] op row[k]

Either way neighbours in memory are computed side by side, which is what vector instructions do.  So the order of a
product is not that of the entries, and its last bits may differ from those of NumPy's; it is kept in double precision.
Sums are in pairs (pairwise_sums.pyx).  Extremes are the first of equal entries, and nan where there is any.

A loop returns False where it cannot do what is asked; then the general kernel of the row does it.
"""

from libc.float cimport DBL_EPSILON, DBL_MAX, DBL_MIN, FLT_EPSILON, FLT_MAX, FLT_MIN
from libc.math cimport INFINITY, fabs, fabsf, pow, powf, sqrt
from libc.string cimport memcpy
from minigrad._core.kernels.loops.real cimport real
from minigrad._core.kernels.reductions.lines cimport (ALL, ANY, BEFORE, COUNT, DEVIATION, DISTANCES, LARGEST,
                                                      LARGEST_AT, LEAST, LEAST_AT, MEAN, NANSUM, NORM, OTHERS, PRODUCT,
                                                      RECURRENCE, RECURRENCE_BACK, REST_SUM, RUNNING_LARGEST,
                                                      RUNNING_LEAST, RUNNING_LOGSUMEXP, RUNNING_PRODUCT, RUNNING_SUM,
                                                      SHARES, SHIFTED, SUM, VARIANCE, Lines, What, missing, number)
from minigrad._core.kernels.reductions.pairwise_sums cimport (RUN_BEFORE, RUN_PRODUCT, RUN_RECURRENCE, RUN_SUM,
                                                              RUN_TRANSPOSED, run_along, sum_middle)
from minigrad._core.kernels.reductions.vector_extremes cimport sum_of_products
from minigrad._core.runtime.numpy_api cimport int64_t, npy_intp, uint64_t, uint8_t
from minigrad._core.runtime.python_api cimport PyMem_RawFree, PyMem_RawMalloc

cdef extern from "kernels/reductions/vector_extremes.h" nogil:
    float float_line_extreme(const float* a, npy_intp n, bint largest)
    double double_line_extreme(const double* a, npy_intp n, bint largest)

cdef extern from "kernels/reductions/products.h" nogil:
    void mg_products_float(float* o, const float* a, npy_intp n, npy_intp inner)
    void mg_products_double(double* o, const double* a, npy_intp n, npy_intp inner)

cdef extern from "kernels/reductions/running_sums.h" nogil:
    void running_log_float(const float* x, float* o, npy_intp lines, npy_intp line, npy_intp n, npy_intp step)
    void running_log_double(const double* x, double* o, npy_intp lines, npy_intp line, npy_intp n, npy_intp step)

cdef enum:
    LANES = 16
    ROOM = 1024                 # numbers that find room on the stack
    BESIDE = 128                # lines that are gone along together


cdef bint reduce_lines(What what, Lines* l, number* a) noexcept nogil:
    if what == LARGEST:
        extreme(l, a, True)
    elif what == LEAST:
        extreme(l, a, False)
    elif what == LARGEST_AT:
        extreme_at(l, a, True)
    elif what == LEAST_AT:
        extreme_at(l, a, False)
    elif what == RUNNING_LARGEST:
        running_extreme(l, a, True)
    elif what == RUNNING_LEAST:
        running_extreme(l, a, False)
    elif what == PRODUCT:
        product(l, a)
    elif what == ALL:
        truth(l, a, True)
    elif what == ANY:
        truth(l, a, False)
    elif what == COUNT:
        count(l, a)
    elif number is float or number is double:
        return reduce_reals(what, l, a)
    elif what == SUM or what == NANSUM:
        sum_integers(l, a)
    elif what == RUNNING_SUM:
        run_integers(l, a, False)
    elif what == RUNNING_PRODUCT:
        run_integers(l, a, True)
    else:
        return False
    return True


cdef inline bint reduce_reals(What what, Lines* l, real* a) noexcept nogil:
    """What is done to real numbers alone, or otherwise to them."""
    cdef real* o = <real*>l.o[0]
    if what == SUM:
        sum_middle(a, o, l.outer, l.n, l.inner)
    elif what == MEAN:
        sum_middle(a, o, l.outer, l.n, l.inner)
        divide(o, <real>l.n, l.outer * l.inner)
    elif what == NANSUM:
        sum_middle(a, o, l.outer, l.n, l.inner, True)
    elif what == NORM:
        return norm(l, a)
    elif what == VARIANCE:
        variances(l, a, False)
    elif what == DEVIATION:
        variances(l, a, True)
    elif what == RUNNING_SUM:
        run_along(RUN_SUM, a, a, o, l.outer, l.n, l.inner, l.flag)
    elif what == RUNNING_PRODUCT:
        run_along(RUN_PRODUCT, a, a, o, l.outer, l.n, l.inner, l.flag)
    elif what == REST_SUM:
        run_along(RUN_SUM, a, a, o, l.outer, l.n, l.inner, True)
    elif what == SHIFTED:
        if l.k == 0:
            return False
        shift_by(l.k, <real>l.number, a, o, l.outer, l.n, l.inner)
    elif what == BEFORE or what == RECURRENCE or what == RECURRENCE_BACK:
        if l.k != 1 and l.k != -1:
            return False
        run_along(RUN_BEFORE if what == BEFORE else RUN_RECURRENCE if what == RECURRENCE else RUN_TRANSPOSED,
                  a, <real*>l.b, o, l.outer, l.n, l.inner, (l.k < 0) != (what == RECURRENCE_BACK))
    elif what == RUNNING_LOGSUMEXP:
        running_logsumexp(l, a)
    elif what == DISTANCES:
        distances_from_mean(l, a)
    elif what == SHARES:
        shares(l, a)
    elif what == OTHERS:
        products_of_others(l, a)
    else:
        return False
    return True


# ------------------------------------------------------------------------------ extremes

cdef inline bint replaces(number y, number x, bint largest) noexcept nogil:
    """Does `y` take the place of `x`, the extreme so far?  nan does; which nan, does not matter."""
    return ((y > x) if largest else (y < x)) | missing(y)


cdef inline number extreme_of(number* a, npy_intp n, bint largest) noexcept nogil:
    """The extreme of a line without gaps; of equal entries none in particular."""
    cdef number x, y
    cdef npy_intp i
    if number is float:
        return float_line_extreme(a, n, largest)
    elif number is double:
        return double_line_extreme(a, n, largest)
    else:
        x = a[0]
        for i in range(1, n):
            y = a[i]
            x = y if replaces(y, x, largest) else x
        return x


cdef inline void extreme(Lines* l, number* a, bint largest) noexcept nogil:
    cdef number* o = <number*>l.o[0]
    cdef number x, y
    cdef npy_intp i, j, k
    for i in range(l.outer):
        if l.inner == 1:
            o[0] = extreme_of(a, l.n, largest)
            a += l.n
        else:
            memcpy(o, a, l.inner * sizeof(number))
            a += l.inner
            for j in range(1, l.n):
                for k in range(l.inner):
                    y = a[k]
                    x = o[k]
                    o[k] = y if replaces(y, x, largest) else x
                a += l.inner
        o += l.inner


cdef inline void extreme_at(Lines* l, number* a, bint largest) noexcept nogil:
    """The extreme of each line and the first place where it is."""
    cdef number* o = <number*>l.o[0]
    cdef int64_t* at = <int64_t*>l.o[1]
    cdef number x
    cdef npy_intp i, j, k
    for i in range(l.outer):
        if l.inner == 1:
            x = extreme_of(a, l.n, largest)
            j = 0
            if missing(x):
                while j < l.n - 1 and not missing(a[j]):
                    j += 1
            else:
                while j < l.n - 1 and a[j] != x:        # an end even if another thread writes to the line meanwhile
                    j += 1
            o[0] = a[j]
            at[0] = j
            a += l.n
        else:
            for k in range(l.inner):
                o[k] = a[k]
                at[k] = 0
            a += l.inner
            for j in range(1, l.n):
                for k in range(l.inner):
                    if replaces(a[k], o[k], largest) and not missing(o[k]):
                        o[k] = a[k]
                        at[k] = j
                a += l.inner
        o += l.inner
        at += l.inner


cdef inline void running_extreme(Lines* l, number* a, bint largest) noexcept nogil:
    """The extreme so far, and the last place where it is; nan, once met, stays, and only a later nan replaces it."""
    cdef number* o = <number*>l.o[0]
    cdef int64_t* at = <int64_t*>l.o[1]
    cdef number x
    cdef int64_t place
    cdef npy_intp i, j, k, step = l.inner
    for i in range(l.outer):
        for k in range(step):
            x = a[k]
            place = 0
            for j in range(l.n):
                if replaces(a[k + j * step], x, largest) or a[k + j * step] == x:
                    x = a[k + j * step]
                    place = j
                o[k + j * step] = x
                at[k + j * step] = place
        a += l.n * step
        o += l.n * step
        at += l.n * step


# ------------------------------------------------------------------------------ products, truth and counting

cdef inline void product(Lines* l, number* a) noexcept nogil:
    cdef npy_intp i
    for i in range(l.outer):
        if number is float:
            mg_products_float(<float*>l.o[0] + i * l.inner, a, l.n, l.inner)
        elif number is double:
            mg_products_double(<double*>l.o[0] + i * l.inner, a, l.n, l.inner)
        else:
            multiply_integers(<uint64_t*>l.o[0] + i * l.inner, a, l.n, l.inner)
        a += l.n * l.inner


cdef inline void multiply_integers(uint64_t* o, number* a, npy_intp n, npy_intp inner) noexcept nogil:
    """As int64, which wraps around."""
    cdef uint64_t lanes[LANES]
    cdef npy_intp j = 0, k
    if inner != 1:
        for k in range(inner):
            o[k] = 1
        while j + 4 <= n:
            for k in range(inner):
                o[k] *= (<uint64_t>a[k] * <uint64_t>a[inner + k]
                         * (<uint64_t>a[2 * inner + k] * <uint64_t>a[3 * inner + k]))
            j += 4
            a += 4 * inner
        for j in range(j, n):
            for k in range(inner):
                o[k] *= <uint64_t>a[k]
            a += inner
        return
    for k in range(LANES):
        lanes[k] = 1
    while j + LANES <= n:
        for k in range(LANES):
            lanes[k] *= <uint64_t>a[j + k]
        j += LANES
    for j in range(j, n):
        lanes[0] *= <uint64_t>a[j]
    for k in range(1, LANES if n >= LANES else 1):
        lanes[0] *= lanes[k]
    o[0] = lanes[0]


cdef inline void truth(Lines* l, number* a, bint all_of_them) noexcept nogil:
    cdef uint8_t* o = <uint8_t*>l.o[0]
    cdef npy_intp i, j, k
    for i in range(l.outer):
        if l.inner == 1:
            j = 0
            while j < l.n and (a[j] != 0) == all_of_them:
                j += 1
            o[0] = (j == l.n) == all_of_them
            a += l.n
        else:
            for k in range(l.inner):
                o[k] = all_of_them
            for j in range(l.n):
                for k in range(l.inner):
                    o[k] = (o[k] & (a[k] != 0)) if all_of_them else (o[k] | (a[k] != 0))
                a += l.inner
        o += l.inner


cdef inline void count(Lines* l, number* a) noexcept nogil:
    cdef int64_t* o = <int64_t*>l.o[0]
    cdef int64_t found
    cdef npy_intp i, j, k
    for i in range(l.outer):
        if l.inner == 1:
            found = 0
            for j in range(l.n):
                found += a[j] != 0
            o[0] = found
            a += l.n
        else:
            for k in range(l.inner):
                o[k] = 0
            for j in range(l.n):
                for k in range(l.inner):
                    o[k] += a[k] != 0
                a += l.inner
        o += l.inner


# ------------------------------------------------------------------------------ integers

cdef inline void sum_integers(Lines* l, number* a) noexcept nogil:
    """As int64, which wraps around."""
    cdef uint64_t* o = <uint64_t*>l.o[0]
    cdef uint64_t total
    cdef npy_intp i, j, k
    for i in range(l.outer):
        if l.inner == 1:
            total = 0
            for j in range(l.n):
                total += <uint64_t><int64_t>a[j]
            o[0] = total
            a += l.n
        else:
            for k in range(l.inner):
                o[k] = 0
            for j in range(l.n):
                for k in range(l.inner):
                    o[k] += <uint64_t><int64_t>a[k]
                a += l.inner
        o += l.inner


cdef inline void run_integers(Lines* l, number* a, bint multiplied) noexcept nogil:
    """The running totals or products."""
    cdef uint64_t* o = <uint64_t*>l.o[0]
    cdef uint64_t x
    cdef npy_intp i, j, k, step = l.inner
    for i in range(l.outer):
        for k in range(step):
            x = multiplied
            for j in range(l.n):
                if multiplied:
                    x *= <uint64_t><int64_t>a[k + j * step]
                else:
                    x += <uint64_t><int64_t>a[k + j * step]
                o[k + j * step] = x
        a += l.n * step
        o += l.n * step


# ------------------------------------------------------------------------------ sums of something

cdef inline void divide(real* o, real by, npy_intp n) noexcept nogil:
    cdef npy_intp i
    for i in range(n):
        o[i] /= by


cdef inline bint sum_of_powers(Lines* l, real* a, double p) noexcept nogil:
    """The sums of |x|**p."""
    cdef real room[ROOM]
    cdef real* each = room
    cdef npy_intp i, size = l.outer * l.n * l.inner
    if size > ROOM:
        each = <real*>PyMem_RawMalloc(size * sizeof(real))
        if each == NULL:
            return False
    if p == 0:
        for i in range(size):
            each[i] = a[i] != 0
    elif p == 1:
        for i in range(size):
            each[i] = <real>fabs(a[i])
    elif p == 2:
        for i in range(size):
            each[i] = a[i] * a[i]
    elif real is float:
        for i in range(size):
            each[i] = powf(fabsf(a[i]), <float>p)
    else:
        for i in range(size):
            each[i] = pow(fabs(a[i]), p)
    sum_middle(each, <real*>l.o[0], l.outer, l.n, l.inner)
    if each != room:
        PyMem_RawFree(each)
    return True


cdef inline bint norm(Lines* l, real* a) noexcept nogil:
    """(sum |x|**p)**(1 / p)"""
    cdef real* o = <real*>l.o[0]
    cdef double p = l.number, total
    cdef npy_intp i
    if p == INFINITY or p == -INFINITY:
        farthest(l, a, p > 0)
        return True
    if p == 2 and l.inner == 1:
        for i in range(l.outer):
            total = sum_of_products(a + i * l.n, a + i * l.n, l.n)
            o[i] = <real>(sqrt(total) if is_safe(<real>total) else scaled_norm(a + i * l.n, l.n, 1, 2))
        return True
    if not sum_of_powers(l, a, p):
        return False
    if p == 0 or p == 1:
        return True
    for i in range(l.outer * l.inner):
        if not is_safe(o[i]):
            o[i] = <real>scaled_norm(a + i // l.inner * l.n * l.inner + i % l.inner, l.n, l.inner, p)
        elif p == 2:
            o[i] = <real>sqrt(o[i])
        else:
            o[i] = powf(o[i], <float>(1 / p)) if real is float else <real>pow(o[i], 1 / p)
    return True


cdef inline bint is_safe(real total) noexcept nogil:
    """Is this sum of powers so far from the limits of its dtype that no power that matters was beyond them?"""
    if real is float:
        return FLT_MIN / FLT_EPSILON < total <= FLT_MAX
    else:
        return DBL_MIN / DBL_EPSILON < total <= DBL_MAX


cdef inline double scaled_norm(real* a, npy_intp n, npy_intp step, double p) noexcept nogil:
    """The norm of a line in units of its largest entry, or with p < 0 of its smallest: no power overflows."""
    cdef double unit = 0 if p > 0 else INFINITY, total = 0, x
    cdef npy_intp i
    if p != p:
        return p
    for i in range(n):
        x = fabs(a[i * step])
        if x != x:
            return x
        if (x > unit) == (p > 0):
            unit = x
    if unit == 0 or unit == INFINITY:
        return unit
    for i in range(n):
        x = fabs(a[i * step]) / unit
        total += x * x if p == 2 else pow(x, p)
    return unit * (sqrt(total) if p == 2 else pow(total, 1 / p))


cdef inline void farthest(Lines* l, real* a, bint largest) noexcept nogil:
    """The largest absolute value, or the smallest."""
    cdef real* o = <real*>l.o[0]
    cdef real x, y
    cdef npy_intp i, j, k
    for i in range(l.outer):
        for k in range(l.inner):
            o[k] = <real>fabs(a[k])
        a += l.inner
        for j in range(1, l.n):
            for k in range(l.inner):
                y = <real>fabs(a[k])
                x = o[k]
                o[k] = y if replaces(y, x, largest) else x
            a += l.inner
        o += l.inner


cdef inline void variances(Lines* l, real* a, bint root) noexcept nogil:
    """The sum of the squared distances from the mean of each line, which has no gaps, divided by `l.number`."""
    cdef real* o = <real*>l.o[0]
    cdef double found
    cdef npy_intp i
    for i in range(l.outer):
        found = squared_distances(a, l.n)
        if not root:
            o[i] = <real>(found / l.number)
        elif DBL_MIN / DBL_EPSILON < found <= DBL_MAX:
            o[i] = <real>sqrt(found / l.number)
        else:
            o[i] = <real>(far_from_mean(a, l.n) / sqrt(l.number))
        a += l.n


cdef inline double squared_distances(real* a, npy_intp n) noexcept nogil:
    """The mean is rounded, which matters if all entries are large compared with their distances.

    By Steiner's theorem the sum is then too large, by the square of the error for each entry: totals.py of the ops.
    """
    cdef real sum_
    cdef double mean, away = 0, square = 0, off
    sum_middle(a, &sum_, 1, n, 1)
    mean = <double>sum_ / n
    distances(a, n, mean, &away, &square)
    off = away / n
    if not square > 4 * n * off * off:
        distances(a, n, mean + off, &away, &square)
        return square
    return square - n * off * off


cdef inline double far_from_mean(real* a, npy_intp n) noexcept nogil:
    """The length of the vector of all distances from the mean, in units of the largest of them: no square overflows."""
    cdef real sum_
    cdef double mean, unit = 0, away = 0, square = 0, x
    cdef npy_intp i
    sum_middle(a, &sum_, 1, n, 1)
    mean = <double>sum_ / n
    for i in range(n):
        x = fabs(a[i] - mean)
        if x != x:
            return x
        unit = max(unit, x)
    if unit == 0 or unit > DBL_MAX:
        return unit
    for i in range(n):
        x = (a[i] - mean) / unit
        away += x
        square += x * x
    return unit * sqrt(square - away * away / n)


cdef inline void distances(real* a, npy_intp n, double mean, double* away, double* square) noexcept nogil:
    """The sums of the distances from the mean, and of their squares, in double precision."""
    cdef double once[LANES]
    cdef double twice[LANES]
    cdef double x
    cdef npy_intp i, k, end
    away[0] = square[0] = 0
    i = 0
    while i < n:                        # a block at a time: few additions are on top of each other
        end = min(n, i + LANES * LANES)
        for k in range(LANES):
            once[k] = twice[k] = 0
        while i + LANES <= end:
            for k in range(LANES):
                x = a[i + k] - mean
                once[k] += x
                twice[k] += x * x
            i += LANES
        for i in range(i, end):
            x = a[i] - mean
            once[0] += x
            twice[0] += x * x
        i = end
        for k in range(1, LANES):
            once[0] += once[k]
            twice[0] += twice[k]
        away[0] += once[0]
        square[0] += twice[0]


cdef inline void shift_by(npy_intp places, real fill, real* a, real* o, npy_intp outer, npy_intp n,
                          npy_intp inner) noexcept nogil:
    """The entries moved so many places along the lines, back where that is negative, and `fill` where none arrives."""
    cdef npy_intp i, k, gap = min(n, places if places > 0 else -places) * inner, rest = n * inner - gap
    for i in range(outer):
        for k in range(gap):
            o[k if places > 0 else rest + k] = fill
        memcpy(o + (gap if places > 0 else 0), a + (0 if places > 0 else gap), rest * sizeof(real))
        a += n * inner
        o += n * inner


cdef inline void running_logsumexp(Lines* l, real* a) noexcept nogil:
    """Lines beside each other in each of the `outer` blocks, or, where each block is a line, all blocks beside each
    other."""
    cdef real* o = <real*>l.o[0]
    cdef npy_intp i, side = l.inner, line = 1, blocks = l.outer
    if l.inner == 1:
        side, line, blocks = l.outer, l.n, 1
    for i in range(blocks):
        if real is float:
            running_log_float(a, o, side, line, l.n, l.inner)
        else:
            running_log_double(a, o, side, line, l.n, l.inner)
        a += l.n * l.inner
        o += l.n * l.inner


# ------------------------------------------------------------------------------ the ways back

cdef inline void distances_from_mean(Lines* l, real* a) noexcept nogil:
    """2 (x - mean) / l.number; the means are kept where the first results will be."""
    cdef real* o = <real*>l.o[0]
    cdef real by = <real>(2 / <real>l.number), count = <real>l.n
    cdef npy_intp i, j, k
    for i in range(l.outer):
        sum_middle(a, o, 1, l.n, l.inner)
        divide(o, count, l.inner)
        for j in range(l.n - 1, -1, -1):
            for k in range(l.inner):
                o[j * l.inner + k] = (a[j * l.inner + k] - o[k]) * by
        a += l.n * l.inner
        o += l.n * l.inner


# Lines that lie side by side are gone along together, BESIDE of them at a time: memory is read as it lies.

cdef inline void shares(Lines* l, real* a) noexcept nogil:
    """The gradient in equal shares for the entries that have the extreme value; nan is equal to nan."""
    cdef real* o = <real*>l.o[0]
    cdef real* result = <real*>l.result
    cdef real* grad = <real*>l.grad
    cdef npy_intp i, k, step = l.inner
    for i in range(l.outer):
        if step == 1:
            shares_of(a, result, grad, o, l.n, 1, 1)
        k = 0
        while k < step and step != 1:
            shares_of(a + k, result + k, grad + k, o + k, l.n, step, min(BESIDE, step - k))
            k += BESIDE
        a += l.n * step
        o += l.n * step
        result += step
        grad += step


cdef inline bint same(real x, real y) noexcept nogil:
    return (x == y) | (missing(x) & missing(y))


cdef inline void shares_of(real* a, real* result, real* grad, real* o, npy_intp n, npy_intp step,
                           npy_intp width) noexcept nogil:
    cdef npy_intp found[BESIDE]
    cdef real share[BESIDE]
    cdef npy_intp j, k
    for k in range(width):
        found[k] = 0
    for j in range(n):
        for k in range(width):
            found[k] += same(a[j * step + k], result[k])
    for k in range(width):
        share[k] = grad[k] / <real>found[k]
    for j in range(n):
        for k in range(width):
            o[j * step + k] = share[k] if same(a[j * step + k], result[k]) else 0


cdef inline void products_of_others(Lines* l, real* a) noexcept nogil:
    """The products divided by each, if that is safe; else those before it times those after it, in double precision."""
    cdef real* o = <real*>l.o[0]
    cdef real* result = <real*>l.result
    cdef real x
    cdef double tiny = FLT_MIN if real is float else DBL_MIN
    cdef npy_intp i, k, step = l.inner
    cdef bint safe = True
    for i in range(l.outer * step):
        x = <real>fabs(result[i])
        safe = safe and tiny <= x < INFINITY
    for i in range(l.outer):
        if step == 1:
            others_of(a, result, o, l.n, 1, 1, safe)
        k = 0
        while k < step and step != 1:
            others_of(a + k, result + k, o + k, l.n, step, min(BESIDE, step - k), safe)
            k += BESIDE
        a += l.n * step
        o += l.n * step
        result += step


cdef inline void others_of(real* a, real* result, real* o, npy_intp n, npy_intp step, npy_intp width,
                           bint safe) noexcept nogil:
    cdef double so_far[BESIDE]
    cdef npy_intp j, k
    if safe:
        for j in range(n):
            for k in range(width):
                o[j * step + k] = result[k] / a[j * step + k]
        return
    for k in range(width):
        so_far[k] = 1
    for j in range(n):
        for k in range(width):
            o[j * step + k] = <real>so_far[k]
            so_far[k] *= a[j * step + k]
    for k in range(width):
        so_far[k] = 1
    for j in range(n - 1, -1, -1):
        for k in range(width):
            o[j * step + k] *= <real>so_far[k]
            so_far[k] *= a[j * step + k]
