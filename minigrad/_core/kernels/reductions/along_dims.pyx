"""Operations along the dims of an array: reductions, running totals, sorting, softmax.

A row says what it computes of a line (lines.pxd), and where its arguments are:
``of_lines(LARGEST, "dims keepdim")``.  The rest is one template for all of them.  Whatever the dims, the array is seen
as (outer, n, inner), with the lines along the middle axis::

    (4, 2, 3, 5) over dims 1 and 2              (4, 6, 5)               as it is
    (4, 2, 3, 5) over dims 0 and 2              (2 * 5, 4 * 3, 1)       a copy, with these dims behind the others
    x.t(), x[:, ::2], x.expand(3, 4)            (outer, n, inner)       a copy, without gaps

Some loops (sorting, softmax) take one line at a time and want it without gaps; to them inner is 1.

A copy costs a walk through memory.  That is little while it is small, and beside sorting; another large array that
would have to be copied is left to the general kernel, which does without.  So are large arrays where NumPy's own loops
are faster, and empty ones, for which rows differ in what they return.
"""

cimport cython

from libc.string cimport memcpy
from minigrad._core.errors import warn
from minigrad._core.kernels.loops.copies cimport copy_elements, in_dtype, new_copy, stored_as
from minigrad._core.kernels.loops.numpy_loops cimport LARGE, Loop, number as as_double, same_shape
from minigrad._core.kernels.loops.strided cimport Loops, loop_for, loops_of
from minigrad._core.kernels.reductions.line_reductions cimport reduce_lines
from minigrad._core.kernels.reductions.lines cimport (ALL, ANY, BEFORE, BEST, COUNT, DEVIATION, DISTANCES, KTH, LARGEST,
                                                      LARGEST_AT, LEAST, LEAST_AT, LOGSUMEXP, LOG_SOFTMAX,
                                                      LOG_SOFTMAX_BACK, MEDIAN, MODE, NANMEDIAN, NANSUM, OPERATIONS,
                                                      OTHERS, PRODUCT, RECURRENCE, RECURRENCE_BACK, REST_SUM,
                                                      RUNNING_LARGEST, RUNNING_LEAST, RUNNING_LOGSUMEXP,
                                                      RUNNING_PRODUCT, RUNNING_SUM, SHARES, SHIFTED, SOFTMAX,
                                                      SOFTMAX_BACK, SORTED, SUM, VARIANCE, Lines, What)
from minigrad._core.kernels.reductions.softmax cimport softmax_lines
from minigrad._core.kernels.reductions.sorting cimport order_lines
from minigrad._core.kernels.shapes.strided_views cimport (MAX_DIMS, Geometry, as_int, axes_at, axis_at, seen_as,
                                                          take_geometry)
from minigrad._core.runtime.memory_pool cimport new_array
from minigrad._core.runtime.numpy_api cimport (NPY_BOOL, NPY_CDOUBLE, NPY_CFLOAT, NPY_CORDER, NPY_DOUBLE, NPY_FLOAT,
                                               NPY_INT16, NPY_INT32, NPY_INT64, NPY_INT8, NPY_UINT8, PyArray_DATA,
                                               PyArray_DIMS, PyArray_ISCARRAY_RO, PyArray_ISNOTSWAPPED,
                                               PyArray_ITEMSIZE, PyArray_NBYTES, PyArray_NDIM, PyArray_SIZE,
                                               PyArray_TYPE, PyUFuncGenericFunction, dtype as Descr, int16_t, int32_t,
                                               int64_t, int8_t, ndarray, npy_intp, uint8_t)
from minigrad._core.runtime.python_api cimport PyObject, PyTuple_CheckExact, PyTuple_GET_SIZE
from minigrad._core.runtime.thread_pool cimport PART, WORTH_THREADS, parallel_for
from minigrad._core.runtime.type_promotion cimport in_tables

import numpy as np

cdef enum:
    SMALL = 1 << 16             # elements that may be copied
    MANY = 8192                 # NumPy's loops are the faster ones from here on, once they run; and the GIL is released
                                # for sorting, which takes longer than adding

cdef struct Dims:
    int ndim
    npy_intp* sizes             # of the array
    bint goes[MAX_DIMS]         # is it one of those that the lines run along?
    bint keep                   # with size one
    bint stay                   # a line of results has several entries, or may have
    bint moved                  # the lines are those of a copy in which these dims come last

cdef dict WORD_OF = {"dim": DIM, "some_dims": DIM, "dims": DIM, "keepdim": KEEPDIM, "number": NUMBER, "k": K,
                     "flag": FLAG, "other": OTHER, "result": RESULT, "grad": GRAD,
                     "dtype": DTYPE, "_": IGNORED}
cdef dict DIMS_OF = {"dim": ONE, "some_dims": SOME, "dims": ALL_OR_SOME}


# Note [Traits]
# -------------
# What `along` must know of an operation besides its loop.  Each is said here once, of all that have it, so that nothing
# depends on the order in which lines.pxd names them.  An operation that is not named has one result for each line, of
# floating point numbers, without saying where it was found.

cdef enum:
    EACH = 1                    # a result for each entry of the line
    SAYS_WHERE = 2              # its loop writes the place of what it found beside it
    SORTS = 4                   # by sorting.pyx
    EXPONENTIALS = 8            # by softmax.pyx, but for the running one
    LINE_BY_LINE = 16           # its loop takes one line at a time, without gaps
    NUMPY_WINS = 32             # NumPy's function is the faster one for MANY elements
    CORRECTED = 64              # its number is the correction of a variance
    OF_INTEGERS = 128           # of integers too, and is one
    WIDENS = 256                # of integers too, and is an int64
    COUNTS = 512                # an int64 in any case
    TRUTH = 1024                # a bool, or a uint8 of uint8
    OF_COMPLEX = 2048           # of complex numbers too, and is one
    SHOWN_BY_ONE = 4096         # of equal numbers one says as much
    LOOP_WINS = 8192            # NumPy's loop is, line by line; where lines lie side by side, its function

cdef int TRAITS[<int>OPERATIONS]


cdef void all_have(int trait, list operations) except *:
    cdef int what
    for what in operations:
        TRAITS[what] |= trait


all_have(SORTS | SAYS_WHERE | LINE_BY_LINE | OF_INTEGERS, [SORTED, BEST, KTH, MEDIAN, NANMEDIAN, MODE])
all_have(EXPONENTIALS | LINE_BY_LINE, [LOGSUMEXP, SOFTMAX, LOG_SOFTMAX, SOFTMAX_BACK, LOG_SOFTMAX_BACK])
all_have(LINE_BY_LINE | CORRECTED, [VARIANCE, DEVIATION])
all_have(CORRECTED, [DISTANCES])
all_have(SAYS_WHERE, [LARGEST_AT, LEAST_AT])
all_have(NUMPY_WINS, [ALL, ANY, LARGEST_AT, LEAST_AT])
all_have(LOOP_WINS, [LARGEST, LEAST])
all_have(EACH, [SORTED, DISTANCES, SHARES, OTHERS, BEFORE, SHIFTED, RECURRENCE, RECURRENCE_BACK, REST_SUM, RUNNING_SUM,
                RUNNING_PRODUCT, RUNNING_LARGEST, RUNNING_LEAST, RUNNING_LOGSUMEXP, SOFTMAX, LOG_SOFTMAX, SOFTMAX_BACK,
                LOG_SOFTMAX_BACK])
all_have(OF_INTEGERS, [LARGEST, LEAST, LARGEST_AT, LEAST_AT, RUNNING_LARGEST, RUNNING_LEAST])
all_have(WIDENS, [SUM, NANSUM, PRODUCT, RUNNING_SUM, RUNNING_PRODUCT])
all_have(COUNTS, [COUNT])
all_have(TRUTH, [ALL, ANY])
all_have(OF_COMPLEX, [SUM])
all_have(SHOWN_BY_ONE, [ALL, ANY, LARGEST, LEAST])


cdef Loops MAXIMUM = loops_of(np.maximum, ("x", "y"), ("Tensor", "Tensor"), [True, True], None, "")
cdef Loops MINIMUM = loops_of(np.minimum, ("x", "y"), ("Tensor", "Tensor"), [True, True], None, "")


@cython.final
cdef class LineOperation:
    """What `along` needs to know.

    "dims keepdim" are the arguments of a row behind its tensor, "_" one that is ignored; "values places" the results.
    """

    def __init__(self, What what, str arguments, str results):
        cdef int i
        self.what, self.traits = what, TRAITS[<int>what]
        self.values, self.places, self.dims = "values" in results, "places" in results, ONE
        for i, word in enumerate(arguments.split(), 1):
            self.at[<int>WORD_OF[word]] = i
            self.dims = DIMS_OF.get(word, self.dims)


cdef object along(Loop* loop, PyObject** args, int n):
    """The operation that the row names; None where it is left to the general kernel."""
    cdef LineOperation f = <LineOperation?><object>loop.told
    cdef Lines l
    cdef Dims d
    cdef ndarray a, b = None, result = None, grad = None, values = None, places = None
    cdef int num
    if type(<object>args[0]) is not ndarray:
        return None
    a = <ndarray>args[0]
    if PyArray_SIZE(a) == 0 or PyArray_NDIM(a) >= MAX_DIMS or not PyArray_ISNOTSWAPPED(a):
        return None
    d.ndim, d.sizes, d.stay = PyArray_NDIM(a), PyArray_DIMS(a), f.traits & EACH != 0 or f.what == BEST
    if not read_arguments(f, args, a, &d, &l):
        return None
    if PyArray_SIZE(a) > SMALL and not (f.at[OTHER] or f.at[RESULT] or f.at[GRAD]):
        b = once(a, &d, f.traits & SHOWN_BY_ONE != 0)
        if b is not None:
            return repeated(along_with(loop, b, args, n), a, &d)
    if f.at[DTYPE] and <object>args[f.at[DTYPE]] is not None:
        return in_given_dtype(f, loop, a, args, n)
    if f.traits & NUMPY_WINS and PyArray_SIZE(a) > MANY:
        return None
    if stored_as(in_tables(PyArray_TYPE(a))):           # computed in float32, and then rounded
        if f.traits & EXPONENTIALS or f.at[OTHER] or f.at[RESULT] or f.at[GRAD]:
            return None
        return rounded(along_with(loop, in_dtype(a, NPY_FLOAT), args, n), PyArray_TYPE(a))

    # the operands as lines
    num = PyArray_TYPE(a)
    a = in_lines(a, &d, &l, f.traits & LINE_BY_LINE, f.traits & SORTS)
    if a is None or f.traits & LOOP_WINS and PyArray_SIZE(a) > MANY and l.inner != 1:
        return None
    l.b = l.result = l.grad = l.o[0] = l.o[1] = NULL
    if f.at[OTHER]:
        b = beside(<object>args[f.at[OTHER]], <ndarray>args[0], &d)
        if b is None:
            return None
        l.b = PyArray_DATA(b)
    if f.at[RESULT]:
        result = of_each_line(<object>args[f.at[RESULT]], a, &d)
        if result is None:
            return None
        l.result = PyArray_DATA(result)
    if f.at[GRAD]:
        grad = of_each_line(<object>args[f.at[GRAD]], a, &d)
        if grad is None:
            return None
        l.grad = PyArray_DATA(grad)
    if not fits_lines(f, &d, &l):
        return None

    # the results
    num = result_num(f.traits, num)
    if num < 0:
        return None
    values = new_result(&d, &l, num)
    l.o[0] = PyArray_DATA(values)
    if f.places or f.traits & SAYS_WHERE:
        places = new_result(&d, &l, NPY_INT64)
        l.o[1] = PyArray_DATA(places)
    if not computed(f, &l, a, b, result, grad, values, places):
        return None
    if l.m != 1 and d.moved:
        values, places = moved_back(values, &d, &l), None if places is None else moved_back(places, &d, &l)
    if (f.what == VARIANCE or f.what == DEVIATION) and l.number == 0:
        warn(no_freedom("std" if f.what == DEVIATION else "var"))
    if f.values and f.places:
        return (values, places)
    return places if f.places else values


# Note [Lines that are all the same]
# ----------------------------------
# Along a dim that is expanded and stays, all lines are the same, and so are their results: one is computed, and seen as
# often as there are lines.  `x.expand(1000, 1000).max(1)` takes the largest number of one line.  And where it does not
# matter how often a number is there (`SHOWN_BY_ONE`), the lines themselves take one place along a dim that is expanded.

cdef ndarray once(ndarray a, Dims* d, bint lines_too):
    """The array with one place of each such dim; None where there is none."""
    cdef Geometry g
    cdef bint found = False
    cdef int i
    take_geometry(a, &g)
    for i in range(g.ndim):
        if g.strides[i] == 0 and g.dims[i] > 1 and (lines_too or not d.goes[i]):
            g.dims[i] = 1
            found = True
    return seen_as(a, &g) if found else None


cdef object along_with(Loop* loop, ndarray a, PyObject** args, int n, int left_out=-1):
    """The operation on another array, with the same arguments, one of which may be left out."""
    cdef PyObject* others[MAX_DIMS]
    cdef int i
    if n > MAX_DIMS:
        return None
    for i in range(n):
        others[i] = args[i]
    others[0] = <PyObject*>a
    if left_out >= 0:
        others[left_out] = <PyObject*>None
    return along(loop, others, n)


cdef object in_given_dtype(LineOperation f, Loop* loop, ndarray a, PyObject** args, int n):
    """The operation on `a` in the dtype that the call gives; None for dtypes that are left to the general kernel.

    Integers are computed with as int64 and cut off at the end: what wraps around gives the same in any order.
    """
    cdef object result, wanted = getattr(<object>args[f.at[DTYPE]], "numpy", None)
    cdef int num = in_tables(PyArray_TYPE(a)), to = (<Descr>wanted).type_num if isinstance(wanted, Descr) else NPY_BOOL
    if f.traits & WIDENS and to != NPY_BOOL and result_num(WIDENS, num) == result_num(WIDENS, to) == NPY_INT64:
        result = along_with(loop, a, args, n, f.at[DTYPE])
        return result if result is None or to == NPY_INT64 else in_dtype(<ndarray>result, to)
    if to != num and not (num <= NPY_FLOAT or stored_as(num)):          # too large for the other dtype, perhaps
        return None
    if to != NPY_FLOAT and to != NPY_DOUBLE and not stored_as(in_tables(to)):
        return None
    return along_with(loop, a if PyArray_TYPE(a) == to else in_dtype(a, to), args, n, f.at[DTYPE])


cdef object repeated(object result, ndarray a, Dims* d):
    """The result, or both, for all places of the dims that `a` repeats."""
    cdef npy_intp sizes[MAX_DIMS]
    cdef int i, k = 0
    cdef ndarray out
    if result is None:
        return None
    if type(result) is tuple:
        return tuple([repeated(x, a, d) for x in result])
    for i in range(d.ndim):
        if d.goes[i] and not (d.stay or d.keep):
            continue
        sizes[k] = PyArray_DIMS(<ndarray>result)[k] if d.goes[i] else PyArray_DIMS(a)[i]
        k += 1
    out = new_array(k, sizes, PyArray_TYPE(<ndarray>result))
    copy_elements(out, <ndarray>result)
    return out


cdef object rounded(object result, int num):
    """The result, or both, where it is of float32 in this dtype."""
    if type(result) is tuple:
        return tuple([rounded(x, num) for x in result])
    return result if result is None or PyArray_TYPE(<ndarray>result) != NPY_FLOAT else in_dtype(<ndarray>result, num)


cdef bint read_arguments(LineOperation f, PyObject** args, ndarray a, Dims* d, Lines* l) except -1:
    """The dims and numbers that a call gives; False where they are for the general kernel to read."""
    cdef npy_intp k = 0
    d.keep = f.at[KEEPDIM] and <object>args[f.at[KEEPDIM]] is True
    if f.at[KEEPDIM] and not d.keep and <object>args[f.at[KEEPDIM]] is not False:
        return False
    if not read_dims(d, a, args[f.at[DIM]] if f.at[DIM] else NULL, f.dims):
        return False
    l.flag = f.at[FLAG] and <object>args[f.at[FLAG]] is True
    l.number = 0
    if f.at[NUMBER] and not read_number(<object>args[f.at[NUMBER]], f.traits & CORRECTED != 0, &l.number):
        return False
    if f.at[K] and not as_int(args[f.at[K]], &k):
        return False
    l.k = k
    return True


cdef bint fits_lines(LineOperation f, Dims* d, Lines* l) noexcept:
    """How many results each line has, and by what a variance is divided; False where the line has no place `k`."""
    if f.what == KTH and not 1 <= l.k <= l.n or f.what == BEST and not (0 if d.ndim else 1) <= l.k <= l.n:
        return False
    if f.traits & CORRECTED:
        l.number = l.n - l.number
        if not l.number > 0:
            l.number = 0
    l.m = l.n if f.traits & EACH else l.k if f.what == BEST else 1
    return True


def no_freedom(str op):
    """What is said of a variance whose sum of squares is divided by nothing."""
    return (f"{op}(): degrees of freedom is <= 0. Correction should be strictly less than the reduction factor (input "
            "numel divided by output numel).")


cdef int result_num(int traits, int num) noexcept:
    """The dtype of the values for operands of this one; -1 where it is left to the general kernel."""
    if num == NPY_BOOL or num == NPY_UINT8 or NPY_INT8 <= num <= NPY_INT64:
        if traits & TRUTH:
            return NPY_UINT8 if num == NPY_UINT8 else NPY_BOOL
        return NPY_INT64 if traits & (COUNTS | WIDENS) else num if traits & OF_INTEGERS else -1
    if num == NPY_FLOAT or num == NPY_DOUBLE:
        return NPY_BOOL if traits & TRUTH else NPY_INT64 if traits & COUNTS else num
    return num if (num == NPY_CFLOAT or num == NPY_CDOUBLE) and traits & OF_COMPLEX else -1


cdef struct Slabs:
    # Lines that threads share: each array in `outer` equal parts, which are so many bytes.
    What what
    int traits
    Lines* l
    int num
    char* a
    npy_intp of_a, of_result, of_grad
    npy_intp of_o[2]
    PyUFuncGenericFunction loop                 # of NumPy, for a line; NULL where it is one of ours
    void* data
    bint refused


cdef bint computed(LineOperation f, Lines* l, ndarray a, ndarray b, ndarray result, ndarray grad, ndarray values,
                   ndarray places) except -1:
    """Without the GIL where it takes long, and by several threads where it takes longer.

    Each line is computed by one thread, so that no sum depends on how many there are.
    """
    cdef Slabs s
    cdef npy_intp size = PyArray_SIZE(a), each = size // l.outer
    cdef bint long_lines = f.traits & (SORTS | EXPONENTIALS) or f.what == RUNNING_LOGSUMEXP
    s.what, s.traits, s.l, s.num, s.loop, s.refused = f.what, f.traits, l, PyArray_TYPE(a), NULL, False
    if f.traits & LOOP_WINS and size > MANY:
        s.loop = loop_for(MAXIMUM if f.what == LARGEST else MINIMUM, s.num, &s.data)
    s.a = <char*>PyArray_DATA(a)
    s.of_a = PyArray_NBYTES(a) // l.outer
    s.of_result = 0 if result is None else PyArray_NBYTES(result) // l.outer
    s.of_grad = 0 if grad is None else PyArray_NBYTES(grad) // l.outer
    s.of_o[0] = PyArray_NBYTES(values) // l.outer
    s.of_o[1] = 0 if places is None else PyArray_NBYTES(places) // l.outer
    if s.num == NPY_CFLOAT or s.num == NPY_CDOUBLE:     # pairs of real numbers, which stay
        s.num -= NPY_CFLOAT - NPY_FLOAT
        l.inner *= 2
    if size >= (WORTH_THREADS if long_lines else 4 * WORTH_THREADS):
        with nogil:
            parallel_for(slab, &s, l.outer, PART // each if each < PART else 1)
    elif size > (MANY if f.traits & SORTS else LARGE):
        with nogil:
            slab(&s, 0, l.outer)
    else:
        slab(&s, 0, l.outer)
    return not s.refused


cdef void slab(void* shared, npy_intp first, npy_intp last) noexcept nogil:
    """The lines of some of the outermost indices."""
    cdef Slabs* s = <Slabs*>shared
    cdef Lines l = s.l[0]
    l.outer = last - first
    if l.b != NULL:
        l.b = <char*>l.b + first * s.of_a
    if l.result != NULL:
        l.result = <char*>l.result + first * s.of_result
    if l.grad != NULL:
        l.grad = <char*>l.grad + first * s.of_grad
    l.o[0] = <char*>l.o[0] + first * s.of_o[0]
    if l.o[1] != NULL:
        l.o[1] = <char*>l.o[1] + first * s.of_o[1]
    if s.loop != NULL:
        reduce_by(s.loop, s.data, s.a + first * s.of_a, <char*>l.o[0], l.outer, l.n, s.of_o[0])
    elif not by_dtype(s.what, s.traits, &l, s.a + first * s.of_a, s.num):
        s.refused = True


cdef void reduce_by(PyUFuncGenericFunction loop, void* data, char* a, char* o, npy_intp lines, npy_intp n,
                    npy_intp item) noexcept nogil:
    """Each line by one call of the loop, whose result is its first operand, as in a reduction of NumPy's."""
    cdef char* p[3]
    cdef npy_intp s[3]
    cdef npy_intp i, rest = n - 1
    s[0], s[1], s[2] = 0, item, 0
    for i in range(lines):
        memcpy(o, a, item)
        p[0], p[1], p[2] = o, a + item, o
        if rest:
            loop(p, &rest, s, data)
        a += n * item
        o += item


cdef bint by_dtype(What what, int traits, Lines* l, void* a, int num) noexcept nogil:
    cdef bint ordered = traits & SORTS, exponentials = traits & EXPONENTIALS
    if num == NPY_FLOAT:
        if exponentials:
            return softmax_lines(what, l, <float*>a)
        return order_lines(what, l, <float*>a) if ordered else reduce_lines(what, l, <float*>a)
    if num == NPY_DOUBLE:
        if exponentials:
            return softmax_lines(what, l, <double*>a)
        return order_lines(what, l, <double*>a) if ordered else reduce_lines(what, l, <double*>a)
    if num == NPY_INT64:
        return order_lines(what, l, <int64_t*>a) if ordered else reduce_lines(what, l, <int64_t*>a)
    if num == NPY_INT32:
        return order_lines(what, l, <int32_t*>a) if ordered else reduce_lines(what, l, <int32_t*>a)
    if num == NPY_INT16:
        return order_lines(what, l, <int16_t*>a) if ordered else reduce_lines(what, l, <int16_t*>a)
    if num == NPY_INT8:
        return order_lines(what, l, <int8_t*>a) if ordered else reduce_lines(what, l, <int8_t*>a)
    if num == NPY_UINT8 or num == NPY_BOOL:
        return order_lines(what, l, <uint8_t*>a) if ordered else reduce_lines(what, l, <uint8_t*>a)
    return False


# ------------------------------------------------------------------------------ arguments

cdef bint read_dims(Dims* d, ndarray a, PyObject* given, Taken taken) except -1:
    """Which dims are reduced; None is all of them."""
    cdef npy_intp axes[MAX_DIMS]
    cdef int ndim = PyArray_NDIM(a), i, count = 0, axis = 0
    d.moved = False
    if given == NULL or <object>given is None or (taken == ALL_OR_SOME and PyTuple_CheckExact(<object>given)
                                                  and PyTuple_GET_SIZE(<object>given) == 0):
        for i in range(ndim):
            d.goes[i] = True
        return True
    for i in range(ndim):
        d.goes[i] = False
    if PyTuple_CheckExact(<object>given):
        if taken == ONE or not axes_at(given, max(ndim, 1), axes, &count) or count == 0:
            return False
        for i in range(count if ndim else 0):
            d.goes[axes[i]] = True
        return True
    if not axis_at(given, max(ndim, 1), &axis):
        return False
    if ndim:
        d.goes[axis] = True
    return True


cdef bint read_number(object x, bint correction, double* value) except -1:
    """The parameter, such as the p of a norm; None, which only a correction may be, is 1."""
    if x is None and correction:
        value[0] = 1
        return True
    return as_double(x, value)


# ------------------------------------------------------------------------------ lines

cdef ndarray in_lines(ndarray a, Dims* d, Lines* l, bint line_by_line, bint of_any_size):
    """The array whose memory the loops get: `a` or a copy; None where that would be too large."""
    cdef npy_intp* sizes = PyArray_DIMS(a)
    cdef int ndim = PyArray_NDIM(a), i, state = 0
    cdef bint adjacent = True
    l.outer = l.n = l.inner = 1
    for i in range(ndim):
        if d.goes[i]:
            l.n *= sizes[i]
            adjacent = adjacent and (state < 2 or sizes[i] == 1)
            state = 1 if sizes[i] != 1 or state == 1 else state
        elif state == 0:
            l.outer *= sizes[i]
        else:
            l.inner *= sizes[i]
            state = 2 if sizes[i] != 1 else state
    if adjacent and not (line_by_line and l.inner != 1):
        if PyArray_ISCARRAY_RO(a):
            return a
        if PyArray_SIZE(a) <= SMALL or line_by_line:
            return new_copy(a, NPY_CORDER)
    if PyArray_SIZE(a) > SMALL and not of_any_size:
        return None
    l.outer *= l.inner
    l.inner = 1
    d.moved = True
    return copied(a, d)


cdef ndarray beside(object x, ndarray a, Dims* d):
    """Another operand, which must be as `a` is, with its lines in the same order."""
    cdef ndarray b
    if type(x) is not ndarray:
        return None
    b = <ndarray>x
    if PyArray_TYPE(b) != PyArray_TYPE(a) or not same_shape(a, b) or not PyArray_ISNOTSWAPPED(b):
        return None
    if d.moved:
        return copied(b, d)
    return b if PyArray_ISCARRAY_RO(b) else new_copy(b, NPY_CORDER)


cdef ndarray of_each_line(object x, ndarray a, Dims* d):
    """An operand that has one number for each line; the lines of a copy are in its order too."""
    cdef ndarray b
    cdef int i, k = 0
    if type(x) is not ndarray:
        return None
    b = <ndarray>x
    if PyArray_TYPE(b) != PyArray_TYPE(a) or not PyArray_ISNOTSWAPPED(b):
        return None
    for i in range(d.ndim):
        if not d.goes[i] or d.keep:
            if k == PyArray_NDIM(b) or PyArray_DIMS(b)[k] != (1 if d.goes[i] else d.sizes[i]):
                return None
            k += 1
    if k != PyArray_NDIM(b):
        return None
    return b if PyArray_ISCARRAY_RO(b) else new_copy(b, NPY_CORDER)


cdef ndarray copied(ndarray a, Dims* d):
    """The elements one behind the other, the reduced dims behind the others."""
    cdef npy_intp size = PyArray_SIZE(a)
    cdef ndarray o = new_array(1, &size, PyArray_TYPE(a))
    copy_elements(as_lines(o, d, PyArray_DIMS(a)), a)
    return o


cdef ndarray as_lines(ndarray memory, Dims* d, npy_intp* sizes):
    """Elements one behind the other, the reduced dims behind the others, as an array that has its dims in order."""
    cdef Geometry g
    cdef npy_intp step = PyArray_ITEMSIZE(memory)
    cdef int i
    cdef bint last
    take_geometry(memory, &g)
    g.ndim = d.ndim
    for last in (True, False):          # from the innermost dim to the outermost
        for i in range(d.ndim - 1, -1, -1):
            if d.goes[i] == last:
                g.dims[i], g.strides[i] = sizes[i], step
                step *= sizes[i]
    return <ndarray>seen_as(memory, &g)


cdef inline npy_intp size_of(Dims* d, Lines* l, int i) noexcept:
    """How large this dim is in results that have `l.m` entries for each line: several dims at once keep their sizes."""
    return l.m if d.goes[i] and l.m != l.n else d.sizes[i]


cdef ndarray moved_back(ndarray lines, Dims* d, Lines* l):
    """The results of `copied` lines, which are (outer, m), where they belong."""
    cdef npy_intp sizes[MAX_DIMS]
    cdef int i
    cdef ndarray o
    for i in range(d.ndim):
        sizes[i] = size_of(d, l, i)
    o = new_array(d.ndim, sizes, PyArray_TYPE(lines))
    copy_elements(o, as_lines(lines, d, sizes))
    return o


cdef ndarray new_result(Dims* d, Lines* l, int num):
    """An array for results; where they are made of copied lines and are several for each, in the order of those."""
    cdef npy_intp sizes[MAX_DIMS]
    cdef npy_intp flat[2]
    cdef int i, k = 0
    if l.m != 1 and d.moved:
        flat[0], flat[1] = l.outer, l.m
        return new_array(2, flat, num)
    for i in range(d.ndim):
        if not d.goes[i] or d.keep or d.stay:
            sizes[k] = 1 if d.goes[i] and not d.stay else size_of(d, l, i)
            k += 1
    return new_array(k, sizes, num)
