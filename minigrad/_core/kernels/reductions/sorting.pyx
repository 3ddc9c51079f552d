"""Sorting along a line, and picking by rank.

Note [Places in the keys]
-------------------------
An entry and its place become one integer, its key: the entry in the high half, as an integer that is ordered as the
entries are, and the place in the low half.

    entries     3.    1.    nan   1.                    keys sorted     values      places
    keys        3.,0  1.,1  nan,2 1.,3           -->    1.,1            1.          1
                                                        1.,3            1.          3
                                                        3.,0            3.          0
                                                        nan,2           nan         2

No two keys are equal, so any way to sort them is stable, comparing two is one instruction, and whatever was sorted
names its place.  An int64 or a float64 has a key of 128 bits, anything else one of 64.

Floating point numbers are ordered as integers of the same bits, once those of the negative ones are turned around; nan
is the greatest, and -0. is made 0., to which it is equal.  In descending order the high half is turned around, and the
places still ascend.
"""

from libc.string cimport memcpy, memset
from minigrad._core.kernels.reductions.lines cimport BEST, KTH, MEDIAN, MODE, SORTED, Lines, What, missing, number
from minigrad._core.runtime.numpy_api cimport int64_t, npy_intp, uint32_t, uint64_t
from minigrad._core.runtime.python_api cimport PyMem_RawFree, PyMem_RawMalloc

# Cython does not know of it, and tells it from uint64_t by a sign that it has not.
cdef extern from *:
    ctypedef long long uint128 "unsigned __int128"

# As many places fit into the low half of the shorter key. A size of 32 bits cannot hold the number.
cdef extern from *:
    """
    #define PLACES 0xffffffffULL
    """
    const uint64_t PLACES

ctypedef fused key:
    uint64_t
    uint128

cdef enum:
    ROOM = 512                  # keys that find room on the stack
    SHORT = 24                  # keys of which none in particular is looked for
    FEW = 32                    # so many of the best are kept in order while the others pass by
    MANY = 512                  # keys that are sorted by their digits
    VALUES = 256                # of a digit


# ------------------------------------------------------------------------------ keys

cdef inline uint64_t rank_of(number x) noexcept nogil:
    """An integer that is ordered as numbers of this dtype are, in as many bits."""
    cdef uint32_t half
    cdef uint64_t bits
    if number is float:
        if missing(x):
            return <uint64_t>0xffffffff
        x = x + 0                       # -0. + 0. is 0.
        memcpy(&half, &x, 4)
        return half ^ (<uint32_t>0xffffffff if half >> 31 else <uint32_t>0x80000000)
    elif number is double:
        if missing(x):
            return <uint64_t>0xffffffffffffffff
        x = x + 0
        memcpy(&bits, &x, 8)
        return bits ^ (<uint64_t>0xffffffffffffffff if bits >> 63 else <uint64_t>0x8000000000000000)
    elif number is int64_t:
        return <uint64_t>x ^ <uint64_t>0x8000000000000000
    else:
        return <uint64_t>(<int64_t>x + <int64_t>0x80000000)


cdef inline npy_intp make_keys(number* a, key* keys, npy_intp n, bint descending) noexcept nogil:
    """How many of the entries are nan."""
    cdef npy_intp i, nans = 0
    cdef key x
    for i in range(n):
        nans += missing(a[i])
        x = rank_of(a[i])
        if key is uint64_t:
            if descending:
                x = <key>0xffffffff - x
            keys[i] = x << 32 | <key>i
        else:
            if descending:
                x = <uint64_t>0xffffffffffffffff - x
            keys[i] = x << 64 | <key>i
    return nans


cdef inline npy_intp place(key x) noexcept nogil:
    return <npy_intp>(x & <key>0xffffffff) if key is uint64_t else <npy_intp>x


# ------------------------------------------------------------------------------ sorting

cdef inline void insert_each(key* x, npy_intp n) noexcept nogil:
    cdef npy_intp i, j
    cdef key it
    for i in range(1, n):
        it = x[i]
        j = i
        while j > 0 and x[j - 1] > it:
            x[j] = x[j - 1]
            j -= 1
        x[j] = it


cdef inline void merge(key* x, npy_intp n, key* y, npy_intp m, key* o) noexcept nogil:
    """Two sorted rows as one; without branches as long as both last."""
    cdef npy_intp i = 0, j = 0
    cdef bint second
    while i < n and j < m:
        second = y[j] < x[i]
        o[i + j] = y[j] if second else x[i]
        j += second
        i += not second
    memcpy(o + i + j, x + i, (n - i) * sizeof(key))
    memcpy(o + n + j, y + j, (m - j) * sizeof(key))


cdef inline void merge_halves(key* x, npy_intp n, key* o) noexcept nogil:
    """Two sorted rows of n keys, one behind the other, as one: the least from the front, the greatest from the back.

    No key is equal to another, so that each side takes n of them, and nothing has to be asked but which one is less.
    """
    cdef npy_intp i = 0, j = n, p = n - 1, q = 2 * n - 1, k
    cdef bint second
    for k in range(n):
        second = x[j] < x[i]
        o[k] = x[j] if second else x[i]
        j += second
        i += not second
        second = x[q] > x[p]
        o[2 * n - 1 - k] = x[q] if second else x[p]
        q -= second
        p -= not second


cdef inline void put_in_order(key* x, key* y) noexcept nogil:
    cdef key less = x[0] if x[0] < y[0] else y[0]
    y[0] = y[0] if x[0] < y[0] else x[0]
    x[0] = less


cdef inline void sort_four(key* x) noexcept nogil:
    put_in_order(x, x + 1)
    put_in_order(x + 2, x + 3)
    put_in_order(x, x + 2)
    put_in_order(x + 1, x + 3)
    put_in_order(x + 1, x + 2)


cdef void sort_by_digits(key* x, key* spare, npy_intp n) noexcept nogil:
    """In place, for keys whose places ascend: by the last digit of their entries, then by the one before ..., each time
    in the order in which they are.  The entries are counted from the least one: small integers have one digit or two.
    """
    cdef int half = 32 if key is uint64_t else 64, shift = 0, digit
    cdef npy_intp ends[VALUES + 1]              # where keys of this digit go next, so in the end where they end
    cdef npy_intp i
    cdef uint64_t least = <uint64_t>(x[0] >> half), most = least, entry
    cdef key* from_ = x
    cdef key* to = spare
    for i in range(n):
        entry = <uint64_t>(x[i] >> half)
        least, most = min(least, entry), max(most, entry)
    while shift < half and most - least >> shift:
        memset(ends, 0, sizeof(ends))
        for i in range(n):
            ends[1 + (<uint64_t>(from_[i] >> half) - least >> shift & VALUES - 1)] += 1
        for digit in range(1, VALUES):
            ends[digit] += ends[digit - 1]
        for i in range(n):
            digit = <int>(<uint64_t>(from_[i] >> half) - least >> shift & VALUES - 1)
            to[ends[digit]] = from_[i]
            ends[digit] += 1
        from_, to = to, from_
        shift += 8
    if from_ != x:
        memcpy(x, from_, n * sizeof(key))


cdef inline bint ascend(key* x, npy_intp n) noexcept nogil:
    """Are they in order as they are?"""
    cdef npy_intp i
    for i in range(1, n):
        if x[i] < x[i - 1]:
            return False
    return True


cdef void sort_keys(key* x, key* spare, npy_intp n) noexcept nogil:
    """In place, for keys whose places ascend: rows of four, which are then merged, from one array to the other and
    back; of many keys, digit by digit."""
    cdef npy_intp i = 0, width = 4
    cdef key* from_ = x
    cdef key* to = spare
    if ascend(x, n):
        return
    if n >= MANY:
        sort_by_digits(x, spare, n)
        return
    while i + 4 <= n:
        sort_four(x + i)
        i += 4
    insert_each(x + i, n - i)
    while width < n:
        i = 0
        while i < n:
            if i + 2 * width <= n:
                merge_halves(from_ + i, width, to + i)
            elif i + width < n:
                merge(from_ + i, width, from_ + i + width, min(width, n - i - width), to + i)
            else:
                memcpy(to + i, from_ + i, (n - i) * sizeof(key))
            i += 2 * width
        from_, to = to, from_
        width *= 2
    if from_ != x:
        memcpy(x, from_, n * sizeof(key))


cdef void put_best_first(key* x, key* spare, npy_intp n, npy_intp k) noexcept nogil:
    """The first k of the sorted keys come first."""
    cdef npy_intp i, j
    cdef key it
    if k > FEW or 2 * k > n:
        sort_keys(x, spare, n)
        return
    insert_each(x, k)
    for i in range(k, n):
        it = x[i]
        if k and it < x[k - 1]:
            j = k - 1
            while j > 0 and x[j - 1] > it:
                x[j] = x[j - 1]
                j -= 1
            x[j] = it


cdef key of_rank(key* x, npy_intp n, npy_intp k) noexcept nogil:
    """The key of rank k, by Hoare's selection: the part in which it is becomes smaller and smaller."""
    cdef npy_intp low = 0, high = n - 1, i, j
    cdef key pivot, swap
    while high - low >= SHORT:
        i = low + (high - low) // 2                     # the middle one of three
        pivot = (max(min(x[low], x[i]), min(max(x[low], x[i]), x[high])))
        i, j = low, high
        while i <= j:
            while x[i] < pivot:
                i += 1
            while x[j] > pivot:
                j -= 1
            if i <= j:
                swap = x[i]
                x[i] = x[j]
                x[j] = swap
                i += 1
                j -= 1
        if k <= j:
            high = j
        elif k >= i:
            low = i
        else:
            return x[k]
    insert_each(x + low, high - low + 1)
    return x[k]


# ------------------------------------------------------------------------------ along the lines

cdef inline void* allocate(npy_intp n, size_t size) noexcept nogil:
    """NULL where there is no memory, or where pointers have 32 bits and the product needs more."""
    return PyMem_RawMalloc(<size_t>n * size) if <size_t>n <= <size_t>-1 // size else NULL


cdef bint order_lines(What what, Lines* l, number* a) noexcept nogil:
    """For each line, which has no gaps: what is asked for, and where it is."""
    if number is double or number is int64_t:
        return by_key(what, l, a, <uint128*>NULL)
    elif True:
        return <uint64_t>l.n < PLACES and by_key(what, l, a, <uint64_t*>NULL)


cdef inline bint by_key(What what, Lines* l, number* a, key* keys) noexcept nogil:
    cdef key room[2 * ROOM]
    cdef number* o = <number*>l.o[0]
    cdef int64_t* at = <int64_t*>l.o[1]
    cdef npy_intp i, j, nans
    keys = room
    if l.n > ROOM:
        keys = <key*>allocate(l.n, 2 * sizeof(key))
        if keys == NULL:
            return False
    for i in range(l.outer):
        nans = make_keys(a, keys, l.n, l.flag)
        if what == SORTED:
            sort_keys(keys, keys + l.n, l.n)
        elif what == BEST:
            put_best_first(keys, keys + l.n, l.n, l.m)
        elif what == MODE:
            sort_keys(keys, keys + l.n, l.n)
            keys[0] = most_frequent(a, keys, l.n)
        else:
            if what == KTH:
                j = l.k - 1
            elif what == MEDIAN:                        # nan, where there is any
                j = l.n - nans if nans else (l.n - 1) // 2
            else:
                j = (l.n - nans - 1) // 2 if nans < l.n else 0
            keys[0] = of_rank(keys, l.n, j)
        for j in range(l.m):
            at[j] = place(keys[j])
            o[j] = a[at[j]]
        a += l.n
        o += l.m
        at += l.m
    if keys != room:
        PyMem_RawFree(keys)
    return True


cdef inline key most_frequent(number* a, key* x, npy_intp n) noexcept nogil:
    """The last key of the longest run of equal entries, the first such run; nan is equal to none."""
    cdef npy_intp i, length = 0, longest = 0
    cdef key best = x[0]
    for i in range(n):
        length = length + 1 if i and a[place(x[i])] == a[place(x[i - 1])] else 1
        if length > longest:
            longest = length
            best = x[i]
    return best


# ------------------------------------------------------------------------------ distinct entries

cdef npy_intp find_distinct(number* a, npy_intp n, int64_t* firsts, int64_t* inverse, int64_t* counts) noexcept nogil:
    """How many distinct entries there are; where each comes first, which one each entry is, how often each occurs.

    They are in ascending order; nan is equal to none.  -1 where there is no memory for keys.
    """
    if number is double or number is int64_t:
        return distinct_by_key(a, n, firsts, inverse, counts, <uint128*>NULL)
    elif True:
        if <uint64_t>n >= PLACES:
            return -1
        return distinct_by_key(a, n, firsts, inverse, counts, <uint64_t*>NULL)


cdef inline npy_intp distinct_by_key(number* a, npy_intp n, int64_t* firsts, int64_t* inverse, int64_t* counts,
                                     key* keys) noexcept nogil:
    cdef key room[2 * ROOM]
    cdef npy_intp i, at, found = -1
    keys = room
    if n > ROOM:
        keys = <key*>allocate(n, 2 * sizeof(key))
        if keys == NULL:
            return -1
    make_keys(a, keys, n, False)
    sort_keys(keys, keys + n, n)
    for i in range(n):
        at = place(keys[i])
        if i == 0 or a[at] != a[place(keys[i - 1])]:
            found += 1
            firsts[found] = at
            counts[found] = 0
        inverse[at] = found
        counts[found] += 1
    if keys != room:
        PyMem_RawFree(keys)
    return found + 1


cdef npy_intp find_runs(number* a, npy_intp n, int64_t* firsts, int64_t* inverse, int64_t* counts) noexcept nogil:
    """The same of runs of equal entries, in the order in which they come."""
    cdef npy_intp i, found = -1
    for i in range(n):
        if i == 0 or a[i] != a[i - 1]:
            found += 1
            firsts[found] = i
            counts[found] = 0
        inverse[i] = found
        counts[found] += 1
    return found + 1
