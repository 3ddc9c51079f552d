"""Elementwise operations on arrays of any layout: what a ufunc does, without its overhead.

The loops of ``numpy_loops.pyx`` are for plain arrays of one dtype.  Here are the other cases of every day: a transposed
operand, a row or a column that broadcasts, every second element, integers, comparisons, float32 beside float64.  The
inner loop is NumPy's, or one of ours that looks the same, and walks along one axis.  Two things remain: to choose it
(`look_for`), and to walk along the other axes (Note [The walk]).

Rare cases are left to the general way: bytes that are swapped, numbers that do not fit.  There
`elementwise` returns None, as all fast kernels do.
"""

from libc.float cimport FLT_MAX
from libc.math cimport INFINITY, fabs, isfinite
from minigrad._core.kernels.loops.copies cimport (AS_IT_IS, Halves, copy_elements, half_holds, in_dtype, in_halves,
                                                  move_elements, stored_as)
from minigrad._core.kernels.loops.new_ufuncs cimport TO_NUMPY, mg_verdict
from minigrad._core.kernels.loops.numpy_loops cimport (ADD, LARGE, aligned, binary_into, empty_like, number,
                                                       same_shape)
from minigrad._core.runtime.memory_pool cimport new_array, new_array_with_strides
from minigrad._core.runtime.numpy_api cimport (NPY_BOOL, NPY_CDOUBLE, NPY_CFLOAT, NPY_DOUBLE, NPY_FLOAT, NPY_HALF,
                                               NPY_INT16, NPY_INT32, NPY_INT64, NPY_INT8, NPY_OBJECT, NPY_UINT8,
                                               PyArray_DATA, PyArray_DIMS, PyArray_DescrFromType,
                                               PyArray_ISCARRAY, PyArray_IS_C_CONTIGUOUS, PyArray_ITEMSIZE,
                                               PyArray_NDIM, PyArray_SIZE, PyArray_STRIDES, PyArray_TYPE,
                                               PyDataType_ELSIZE, PyUFuncGenericFunction, dtype as Descr, int16_t,
                                               int32_t, int64_t, int8_t, ndarray, npy_intp, types_of, ufunc, uint8_t)
from minigrad._core.runtime.python_api cimport (PyErr_Clear, PyErr_Occurred, PyLong_AsLongLongAndOverflow,
                                                PyLong_CheckExact, PyObject, Py_INCREF)
from minigrad._core.runtime.thread_pool cimport PART, WORTH_THREADS, parallel_for
from minigrad._core.runtime.type_promotion cimport (BFLOAT16, DIMENSIONS, NO_DIMENSIONS, NUMBER, in_tables, known_num,
                                                    number_num, outside_tables, real_num, result_num)

import numpy as np

cdef enum:
    MAX_DIMS = 32
    EXPANDED = 1000             # elements, from which on it is asked whether they repeat themselves


# ------------------------------------------------------------------------------ which loop

# Note [Operands of a loop]
# -------------------------
# A ufunc is given the arguments of its row one by one, unless the row says which operands it takes.  `clamp` of three
# operands serves these rows, whose `fast` is:
#
#     clamp(x, min=None, max=None)    (elementwise.clamp, "self", ("min", -inf), ("max", inf))     and what None means
#     relu6(x)                        (elementwise.clamp, "self", 0, 6)
#
# Where a parameter is a name, there may be a ufunc for each of its values:
#
#     gelu(x, *, approximate="none")  {"none": special_functions.gelu, "tanh": special_functions.gelu_tanh}

# Note [A loop that refuses]
# --------------------------
# Some loops refuse operands, because the row has an error to raise (a clamp without any bound) or NumPy rounds another
# way.  Then the general way answers.  Any thread may find it out: a clamp of many rows, each with bounds of its own, is
# shared among threads, and one row without bounds is in the part of one of them.  An exception belongs to a thread, and
# that of a helper would be lost.  So a loop of ours says so in its data, which for all of them is a verdict:
#
#     NumPy calls    loop(..., &TO_NUMPY)     raises
#     a walk calls   loop(..., &verdict)      is noted in it, from whatever thread, and asked for when all have ended
#
# Loops of NumPy raise, and are not shared where they may (`shareable`).  A ufunc of ours that refuses is only ever the
# `fast` of a row, and never its general kernel, behind which nothing would answer.

cdef dict numbers_of_kinds():
    """For each kind of dtype, which is a letter of NumPy's, a bit for each number of such a dtype."""
    found = {}
    for dtype in map(np.dtype, np.typecodes["All"]):
        found[dtype.kind] = found.get(dtype.kind, 0) | 1 << dtype.num
    return found


cdef dict nums_of = numbers_of_kinds()


cdef Loops loops_of(object fast, tuple params, tuple types, list counts, object promote, str refuse, bint moves=False,
                    bint rounded=False, int layout=AS_OPERANDS):
    """The loops for a row with these parameters, those that count promoted, that refuses dtypes of some kinds.

    `layout` is a Layout, or the parameter as which the result lies in memory.

    A row that `moves` elements does not compute with them: Note [Numbers that fit] in compute.pyx.  In one that is
    `rounded`, a number has no more bits than the operands.
    """
    cdef Loops loops = Loops.__new__(Loops)
    cdef int i
    if isinstance(fast, dict):
        loops.by_name = {name: loops_of(each, params, types, counts, promote, refuse, moves, rounded, layout)
                         for name, each in fast.items()}
        loops.named = [type_.startswith("str") for type_ in types].index(True)
        loops.n_arguments = loops.named + 1
        for each in loops.by_name.values():
            loops.n_arguments = max(loops.n_arguments, (<Loops>each).n_arguments)
        return loops
    operands = fast[1:] if isinstance(fast, tuple) else params[:fast.nin]
    loops.ufunc = fast[0] if isinstance(fast, tuple) else fast
    loops.n_in = len(operands)
    loops.to_float, loops.moves, loops.rounded = promote == "float", moves, rounded
    loops.layout = layout if layout < 0 else AS_OPERANDS
    for i, operand in enumerate(operands):
        loops.source[i] = -1
        if isinstance(operand, tuple):
            operand, loops.number[i] = operand
            loops.may_be_none[i] = True
        if isinstance(operand, str):
            loops.source[i] = params.index(operand)
            if loops.source[i] == layout:
                loops.layout = i
            loops.promotes[i] = counts[loops.source[i]]
            loops.is_array[i] = types[loops.source[i]].startswith("Tensor") and not loops.promotes[i]
        else:
            loops.number[i] = operand
        loops.n_arguments = max(loops.n_arguments, loops.source[i] + 1)
    for kind in refuse:
        loops.refused |= <unsigned int>nums_of.get(kind, 0)
    if loops.refused >> NPY_FLOAT & 1:
        loops.refused |= 1 << BFLOAT16
    return loops


cdef int look_for(Loops loops, int num) except -1:
    """Take the first loop whose promoted operands all have this dtype, if it does what the ufunc does."""
    cdef ufunc u = <ufunc>loops.ufunc
    cdef int i, k
    cdef bint fits
    loops.looked_for[num] = True
    if num == NPY_HALF or num == BFLOAT16:
        return look_for_halves(loops, num)
    for i in range(u.ntypes):
        fits = u.functions[i] != NULL
        for k in range(u.nargs):
            if (loops.promotes[k] if k < u.nin else False) and types_of(u)[i * u.nargs + k] != num:
                fits = False
            if types_of(u)[i * u.nargs + k] == NPY_OBJECT:
                fits = False
        if fits:
            loops.f[num] = <PyUFuncGenericFunction><void*>u.functions[i]
            loops.data[num] = u.data[i] if u.data != NULL else NULL
            for k in range(u.nargs):
                loops.types[num][k] = types_of(u)[i * u.nargs + k]
            if not agrees(loops, num):
                loops.f[num] = NULL
            return 0
    return 0


cdef PyUFuncGenericFunction loop_for(Loops loops, int num, void** data) except? NULL:
    """The loop for operands of this dtype, and its data; NULL where there is none."""
    if not loops.looked_for[num]:
        look_for(loops, num)
    data[0] = loops.data[num]
    return loops.f[num]


# Note [Loops on halves]
# ----------------------
# Operands of 16 bits have the loop of float32: a walk calls `in_halves` in its place, which looks the same.  That
# takes 512 elements at a time, which stay in the nearest cache, makes them float32, calls the loop, and rounds what
# comes out:
#
#     x (float16)    [ 512 ] --> float32 --.
#     y (float16)    [ 512 ] --> float32 ----> loop ----> float32 --> [ 512 ]    result (float16)
#
# So no loop is written for 16 bits.  Where elements only move, their bits do, by the loop of int16; and a ufunc of ours
# that has a loop for float16 looks at bits, too, which are where they are in a bfloat16: the opposite number.

cdef int look_for_halves(Loops loops, int num) except -1:
    """The loop that serves 16-bit floats."""
    cdef ufunc u = <ufunc>loops.ufunc
    cdef int i, k, by = NPY_INT16 if loops.moves else NPY_FLOAT
    for i in range(u.ntypes):
        if u.data != NULL and u.data[i] == &TO_NUMPY and types_of(u)[i * u.nargs] == NPY_HALF:
            loops.f[num], loops.data[num] = <PyUFuncGenericFunction><void*>u.functions[i], u.data[i]
            for k in range(u.nargs):
                loops.types[num][k] = num
            return 0
    if not loops.looked_for[by]:
        look_for(loops, by)
    loops.f[num], loops.data[num] = loops.f[by], loops.data[by]
    loops.in_float32[num] = by == NPY_FLOAT
    for k in range(u.nargs):
        loops.types[num][k] = num if loops.types[by][k] == by else loops.types[by][k]
    return 0


cdef bint agrees(Loops loops, int num) except -1:
    """Does the bare loop give what the ufunc gives?  Where a NumPy keeps its loops elsewhere, that costs speed only."""
    cdef StridedWalk w
    cdef int k
    # Between 0 and 1, where numbers have fractions: loops that take probabilities refuse others.
    unit = 1 if num < NPY_FLOAT else 16
    operands = [np.divide([1, 2, 3 + k], unit).astype(PyArray_DescrFromType(loops.types[num][k]))
                for k in range(loops.n_in)]
    result = np.empty(3, PyArray_DescrFromType(loops.types[num][loops.n_in]))
    w.n = loops.n_in + 1
    w.ndim = 1
    w.shape[0] = 3
    for k, array in enumerate(operands + [result]):
        w.at[k] = <char*>PyArray_DATA(<ndarray>array)
        w.strides[0][k] = PyArray_STRIDES(<ndarray>array)[0]
    with np.errstate(all="ignore"):
        expected = loops.ufunc(*operands)
    walk(&w, loops.f[num], loops.data[num])
    return expected.dtype == result.dtype and expected.tobytes() == result.tobytes()


# ------------------------------------------------------------------------------ the operation

cdef object elementwise(Loops loops, PyObject** args):
    """The ufunc on these arrays and numbers; None where that is left to the general way."""
    return computed(loops, args, None)


cdef bint elementwise_into(Loops loops, PyObject** args, object out) except -1:
    """The same into given memory, which may be that of an operand and overlaps no other; False, and nothing written,
    where that is left to the general way."""
    return aligned(<ndarray>out) and computed(loops, args, out) is not None


cdef Loops SUM = loops_of(np.add, ("x", "y"), ("Tensor", "Tensor"), [True, True], None, "")


cdef object add(object a, object b):
    """a + b for two gradients of one shape and dtype, row by row."""
    cdef object r = binary_into(&ADD, a, b, None)
    return add_to(a, b, empty_like(<ndarray>a)) if r is None else r


cdef object add_into(object a, object b):
    """a += b for two arrays of one shape and dtype."""
    if not PyArray_ISCARRAY(<ndarray>a) or binary_into(&ADD, a, b, a) is None:
        add_to(a, b, a)
    return a


cdef object add_to(object a, object b, object out):
    """The same in any layout."""
    cdef PyObject* args[2]
    args[0], args[1] = <PyObject*>a, <PyObject*>b
    if a is out and np.may_share_memory(b, out) or not elementwise_into(SUM, args, out):
        np.add(a, b, out=out, casting="unsafe")
    return out


cdef struct Operands:
    PyObject* x[MAX_OPERANDS]   # arrays and numbers; NULL for a number of the row
    char numbers[MAX_OPERANDS][16]
    PyObject* first             # of the arrays
    int num                     # the dtype in which the loop computes, as tables have it
    Halves halves            # Note [Loops on halves]; of no operands where it is another loop
    bint flat                   # do all of them lie in memory one element after the other, in the same order?


cdef object computed(Loops loops, PyObject** args, object into):
    cdef int i, k, want
    cdef npy_intp size
    cdef ndarray a, out
    cdef object x, keep = None
    cdef Operands o
    cdef StridedWalk w
    cdef npy_intp shape[MAX_DIMS]
    cdef int order[MAX_DIMS]
    cdef Again again
    o.halves.n = again.n = 0
    if loops.by_name is not None:
        x = <object>args[loops.named]
        loops = loops.by_name.get(x) if type(x) is str else None
        if loops is None:
            return None
    o.flat = into is None or PyArray_IS_C_CONTIGUOUS(<ndarray>into)
    if not read_operands(loops, args, &o):
        return None

    # the shape of the result
    w.n = loops.n_in + 1
    w.ndim = 0
    if not o.flat:
        for i in range(loops.n_in):
            if (o.x[i] != NULL and type(<object>o.x[i]) is ndarray
                    and not broadcast(&w.ndim, shape, <ndarray>o.x[i])):
                return None
    if loops.in_float32[o.num]:
        o.halves.n = w.n
        for i in range(w.n):
            o.halves.kinds[i] = stored_as(loops.types[o.num][i])
    if into is not None and not (takes(<ndarray>into, loops.types[o.num][loops.n_in])
                                 and (same_shape(<ndarray>into, <ndarray>o.first) if o.flat else
                                      has_shape(<ndarray>into, w.ndim, shape))):
        return None

    # the operands, each in the dtype of the loop
    for i in range(loops.n_in):
        want = loops.types[o.num][i]
        if o.x[i] == NULL or type(<object>o.x[i]) is not ndarray:
            if not put_number(loops, &o, &w, i, want):
                return None
            continue
        a = <ndarray>o.x[i]
        if in_tables(PyArray_TYPE(a)) != want:
            if not loops.promotes[i]:
                return None
            if o.halves.n and PyArray_NDIM(a) == 0 and not loops.rounded:      # as numbers are
                want, o.halves.kinds[i] = NPY_FLOAT, AS_IT_IS
            a = in_dtype(a, outside_tables(want))
            keep = (a, keep)
        w.at[i] = <char*>PyArray_DATA(a)
        if o.flat:
            w.strides[0][i] = PyArray_ITEMSIZE(a) if PyArray_NDIM(a) else 0
        for k in range(w.ndim):
            steps_along(&w, shape, i, k, a)
    want = outside_tables(loops.types[o.num][loops.n_in])
    if o.flat:
        a = <ndarray>o.first
        out = new_array(PyArray_NDIM(a), PyArray_DIMS(a), want) if into is None else <ndarray>into
        w.at[loops.n_in] = <char*>PyArray_DATA(out)
        w.strides[0][loops.n_in] = PyArray_ITEMSIZE(out)
        w.shape[0] = size = PyArray_SIZE(out)
        w.ndim = 1
    else:
        out = laid_out(&w, shape, order, want, into, loops.layout)
        size = 1
        for k in range(w.ndim):
            size *= w.shape[k]
    if size > EXPANDED:
        size = once(&w, &again)
    if not walked(loops, &o, &w, size):
        return None
    if again.n:
        repeat(&w, &again, PyArray_ITEMSIZE(out))
    return out


# Note [What is expanded]
# -----------------------
# Along an axis where no operand steps, all results are the same: `walked` computes one of them, and the others are
# copies.  Such are the axes that `expand` has made, and those of the gradient of a sum.

cdef struct Again:
    # the axes along which the results repeat themselves
    int n
    int axes[MAX_DIMS]
    npy_intp sizes[MAX_DIMS]


cdef npy_intp once(StridedWalk* w, Again* again) noexcept:
    """Let axes along which no operand steps be of one place; returns how many places are left."""
    cdef npy_intp size = 1
    cdef int i, k
    cdef bint stays
    for k in range(w.ndim):
        stays = w.shape[k] > 1
        for i in range(w.n - 1):
            stays = stays and w.strides[k][i] == 0
        if stays:
            again.axes[again.n], again.sizes[again.n] = k, w.shape[k]
            again.n += 1
            w.shape[k] = 1
        size *= w.shape[k]
    return size


cdef void repeat(StridedWalk* w, Again* again, npy_intp item) noexcept:
    """Copy the results along these axes, one after the other."""
    cdef npy_intp dims[MAX_DIMS]
    cdef npy_intp steps[MAX_DIMS]
    cdef npy_intp staying[MAX_DIMS]
    cdef npy_intp step
    cdef int j, k, last = w.n - 1
    for j in range(again.n):
        for k in range(w.ndim):
            dims[k] = w.shape[k]
            steps[k] = staying[k] = w.strides[k][last]
        k = again.axes[j]
        step = steps[k]
        dims[k], staying[k] = again.sizes[j] - 1, 0
        move_elements(w.ndim, dims, w.at[last] + step, steps, w.at[last], staying, item)
        w.shape[k] = again.sizes[j]


cdef inline bint read_operands(Loops loops, PyObject** args, Operands* o) except -1:
    """The operands, the dtype of them all, and whether they are flat; False where the general way has to see."""
    cdef int nums[MAX_OPERANDS]
    cdef int tiers[MAX_OPERANDS]
    cdef int i, num, n = 0
    cdef bint one_dtype = True
    cdef ndarray a
    cdef object x
    o.first = NULL
    for i in range(loops.n_in):
        o.x[i] = NULL if loops.source[i] < 0 else args[loops.source[i]]
        if o.x[i] == NULL:
            continue
        x = <object>o.x[i]
        if type(x) is ndarray:
            a = <ndarray>x
            num = in_tables(PyArray_TYPE(a))
            if not aligned(a) or num >= MAX_NUMS or PyArray_NDIM(a) > MAX_DIMS:
                return False
            if o.first == NULL:
                o.first = <PyObject*>a
            o.flat = (o.flat and PyArray_IS_C_CONTIGUOUS(a)
                      and (PyArray_NDIM(a) == 0 or same_shape(a, <ndarray>o.first)))
        elif x is None and loops.may_be_none[i]:
            o.x[i] = NULL
            continue
        else:
            num = number_num(x)
            if num < 0:
                return False
            one_dtype = False
        if loops.refused >> num & 1 and not PyLong_CheckExact(x):       # a tensor of integers is refused, no 2 is
            return False
        if loops.promotes[i]:
            nums[n] = num
            tiers[n] = NUMBER if type(x) is not ndarray else DIMENSIONS if PyArray_NDIM(<ndarray>x) else NO_DIMENSIONS
            one_dtype = one_dtype and num == nums[0]
            n += 1
    if o.first == NULL:
        return False
    num = nums[0] if one_dtype and known_num(nums[0]) else result_num(n, nums, tiers)
    if num >= 0 and loops.to_float:
        num = real_num(num)
    if num < 0:
        return False
    if not loops.looked_for[num]:
        look_for(loops, num)
    o.num = num
    return loops.f[num] != NULL


cdef inline bint put_number(Loops loops, Operands* o, StridedWalk* w, int i, int want) except -1:
    """Let the walk stay at operand `i`, which is one number; False where that loses something in this dtype."""
    cdef int k
    if stored_as(want) and o.halves.n and not (loops.rounded and o.x[i] != NULL):
        want, o.halves.kinds[i] = NPY_FLOAT, AS_IT_IS
    if o.x[i] == NULL:
        if not pack_double(loops.number[i], want, o.numbers[i]):
            return False
    elif (loops.is_array[i] or not (loops.promotes[i] and not loops.moves or exact(<object>o.x[i], want))
          or not pack(<object>o.x[i], want, o.numbers[i])):
        return False
    w.at[i] = o.numbers[i]
    w.strides[0][i] = 0
    for k in range(1, w.ndim):
        w.strides[k][i] = 0
    return True


cdef inline bint walked(Loops loops, Operands* o, StridedWalk* w, npy_intp size) except -1:
    """Run the loop over all elements; False where it refuses one."""
    cdef mg_verdict verdict
    cdef void* data = loops.data[o.num] if loops.data[o.num] != &TO_NUMPY else &verdict
    cdef list keep
    cdef int i
    cdef PyUFuncGenericFunction f = loops.f[o.num]
    verdict.raises = verdict.refused = False
    if o.halves.n:
        o.halves.loop, o.halves.data = f, data
        f, data = in_halves, &o.halves
    if size > LARGE:
        # Without the GIL, another thread may give an argument other data: x.data = y.
        keep = [<object>o.x[i] for i in range(loops.n_in) if o.x[i] != NULL]
        with nogil:
            if size >= WORTH_THREADS and shareable(loops.types[o.num][loops.n_in]):
                walk_in_parts(w, size, f, data)
            else:
                walk(w, f, data)
    elif size:
        walk(w, f, data)
    if verdict.refused:
        return False
    if PyErr_Occurred() != NULL:        # a loop of NumPy refuses, as that of integers to a negative power: what the
        PyErr_Clear()                   # general way raises says why
        return False
    return True


cdef bint takes(ndarray out, int num) noexcept:
    """Can the loop write here?  Those of integers may refuse halfway, which is too late.

    Loops of ours refuse before they write; a clamp may refuse in one row of several, but can be done twice.
    """
    return in_tables(PyArray_TYPE(out)) == num and not NPY_BOOL < num < NPY_FLOAT


cdef bint has_shape(ndarray a, int ndim, npy_intp* shape) noexcept:
    """Is that its shape, counted from the last axis?"""
    cdef int k
    if PyArray_NDIM(a) != ndim:
        return False
    for k in range(ndim):
        if PyArray_DIMS(a)[ndim - 1 - k] != shape[k]:
            return False
    return True


cdef bint broadcast(int* ndim, npy_intp* shape, ndarray a) noexcept:
    """Let `shape`, of `ndim` axes counted from the last, be that of what is broadcast with `a` too; can it be?"""
    cdef int k
    cdef npy_intp n
    for k in range(PyArray_NDIM(a)):
        n = PyArray_DIMS(a)[PyArray_NDIM(a) - 1 - k]
        if k >= ndim[0]:
            shape[k] = n
            ndim[0] = k + 1
        elif shape[k] == 1:
            shape[k] = n
        elif n != 1 and n != shape[k]:
            return False
    return True


cdef inline void steps_along(StridedWalk* w, npy_intp* shape, int i, int k, ndarray a) noexcept:
    """Let operand `i`, which is `a`, step along axis `k` from the last; not at all where it is broadcast."""
    cdef int axis = PyArray_NDIM(a) - 1 - k
    w.strides[k][i] = 0 if axis < 0 or PyArray_DIMS(a)[axis] != shape[k] else PyArray_STRIDES(a)[axis]


cdef bint exact(object x, int num) except -1:
    """Can a number that does not promote be an element of this dtype?  Small integers are left to the general way."""
    if x is True or x is False:
        return num == NPY_BOOL
    return num == NPY_INT64 and PyLong_CheckExact(x) or num in (NPY_FLOAT, NPY_DOUBLE, NPY_CFLOAT, NPY_HALF, BFLOAT16)


cdef bint pack(object x, int num, char* to) except -1:
    """A Python number as an element of this dtype; False where it is not one, too large, or the dtype rare."""
    cdef double value = 0
    cdef long long i
    cdef int overflow = 0
    if num == NPY_DOUBLE or num == NPY_FLOAT or num == NPY_CDOUBLE or num == NPY_CFLOAT:
        if x is True or x is False:
            value = x is True
        elif not number(x, &value):
            return False
        if (num == NPY_FLOAT or num == NPY_CFLOAT) and FLT_MAX < fabs(value) < INFINITY:
            return False
        if num == NPY_DOUBLE or num == NPY_CDOUBLE:
            (<double*>to)[0] = value
            (<double*>to)[1] = 0
        else:
            (<float*>to)[0] = <float>value
            (<float*>to)[1] = 0
        return True
    if stored_as(num):
        if x is True or x is False:
            value = x is True
        elif not number(x, &value):
            return False
        return half_holds(stored_as(num), value, to)            # the general way rounds any other
    if num == NPY_BOOL:
        to[0] = x is True
        return x is True or x is False
    if not isinstance(x, int):
        return False
    i = PyLong_AsLongLongAndOverflow(x, &overflow)
    if overflow:
        return False
    if num == NPY_INT64:
        (<int64_t*>to)[0] = i
    elif num == NPY_INT32:                  # wrapped around, as NumPy's astype does
        (<int32_t*>to)[0] = <int32_t>i
    elif num == NPY_INT16:
        (<int16_t*>to)[0] = <int16_t>i
    elif num == NPY_INT8:
        (<int8_t*>to)[0] = <int8_t>i
    elif num == NPY_UINT8:
        (<uint8_t*>to)[0] = <uint8_t>i
    else:
        return False
    return True


cdef bint pack_double(double x, int num, char* to) noexcept:
    """A number of the row as an element of this dtype; one that is finite stays so."""
    if num == NPY_DOUBLE:
        (<double*>to)[0] = x
    elif num == NPY_FLOAT:
        (<float*>to)[0] = <float>(x if not isfinite(x) else max(-<double>FLT_MAX, min(<double>FLT_MAX, x)))
    else:
        return False
    return True


# ------------------------------------------------------------------------------ the walk

# Note [The walk]
# ---------------
# The axes are put in an order such that memory is passed from one end to the other, as PyTorch does (and NumPy): the
# axis with the smallest steps is walked by the inner loop, and the result is laid out as the operands are, the first
# of them before the others.  Axes that
# follow each other without a gap, in all operands, are walked as one.
#
#     x of (3, 4), strides 16, 4                  one axis of 12
#     x.t() of (4, 3), strides 4, 16              the same axis, and the result is a transposed array too
#     x of (3, 4) + row of (4,)                   an outer axis of 3, where the row begins anew (strides 16, 0), and
#                                                 an inner one of 4 (strides 4, 4)

cdef struct StridedWalk:
    int n                                       # operands, with the result
    int ndim
    npy_intp shape[MAX_DIMS]                    # the inner axis first
    npy_intp strides[MAX_DIMS][MAX_OPERANDS]
    char* at[MAX_OPERANDS]                      # where each begins


cdef ndarray laid_out(StridedWalk* w, npy_intp* shape, int* order, int num, object into, int layout):
    """A new array for the result, unless one is given, and the axes of the walk in their order.

    `shape` counts them from the last.
    """
    cdef npy_intp dims[MAX_DIMS]
    cdef npy_intp strides[MAX_DIMS]
    cdef npy_intp old[MAX_DIMS][MAX_OPERANDS]
    cdef npy_intp step
    cdef int i, k, axis, last = w.n - 1
    cdef bint as_they_are = True
    cdef ndarray out
    for k in range(w.ndim):
        dims[w.ndim - 1 - k] = shape[k]
        order[k] = k
    if layout != ROWS:
        sort(w, shape, order, layout)
    for k in range(w.ndim):
        as_they_are = as_they_are and order[k] == k
    if into is not None:
        out = <ndarray>into
    elif as_they_are:
        out = new_array(w.ndim, dims, num)
    else:
        step = PyDataType_ELSIZE(PyArray_DescrFromType(num))
        for k in range(w.ndim):
            strides[w.ndim - 1 - order[k]] = step
            step *= shape[order[k]]
        out = new_array_with_strides(w.ndim, dims, num, strides)
    w.at[last] = <char*>PyArray_DATA(out)
    for k in range(w.ndim):
        for i in range(last):
            old[k][i] = w.strides[k][i]
    for k in range(w.ndim):
        axis = order[k]
        w.shape[k] = shape[axis]
        for i in range(last):
            w.strides[k][i] = old[axis][i]
        w.strides[k][last] = PyArray_STRIDES(out)[w.ndim - 1 - axis]
    join(w)
    return out


cdef void sort(StridedWalk* w, npy_intp* shape, int* order, int layout) noexcept:
    """Put the axes in the order of their steps, the smallest first, as PyTorch's TensorIterator does.

    The first operand that has something to say of two axes decides, `layout` before all others.  Where all of them
    are broadcast along one of the two, the last axis remains the first.
    """
    cdef int k, j, at, verdict
    for k in range(1, w.ndim):
        at = k
        for j in range(k - 1, -1, -1):
            verdict = before(w, shape, order[at], order[j], layout)
            if verdict > 0:
                order[at], order[j] = order[j], order[at]
                at = j
            elif verdict < 0:
                break


cdef int before(StridedWalk* w, npy_intp* shape, int a, int b, int layout) noexcept:
    """1 where axis `a` has the smaller steps, -1 where it has not, 0 where nothing speaks for either."""
    cdef int i, k
    cdef npy_intp x, y
    for k in range(w.n - 1):
        i = k if layout < k else layout if k == 0 else k - 1
        x, y = size_of_step(w.strides[a][i]), size_of_step(w.strides[b][i])
        if x == 0 or y == 0:
            continue
        if x != y:
            return 1 if x < y else -1
        if shape[b] > shape[a]:         # equal steps: one of them is of one place
            return 1
    return 0


cdef inline npy_intp size_of_step(npy_intp step) noexcept:
    return step if step > 0 else -step


def laid_out_as(ndarray result not None, list operands not None, int layout):
    """The result of an operation on these operands, copied if it does not lie in memory as it should."""
    cdef StridedWalk w
    cdef npy_intp shape[MAX_DIMS]
    cdef npy_intp strides[MAX_DIMS]
    cdef npy_intp step = PyArray_ITEMSIZE(result)
    cdef int order[MAX_DIMS]
    cdef int i, k
    cdef bint lies_so = True
    cdef ndarray copy
    if layout >= 0:
        operands = [operands[layout], *operands]
    w.ndim, w.n = PyArray_NDIM(result), 1
    if w.ndim < 2 or w.ndim > MAX_DIMS or not PyArray_SIZE(result):
        return result
    for k in range(w.ndim):
        shape[k] = PyArray_DIMS(result)[w.ndim - 1 - k]
        order[k] = k
    if layout >= 0 and type(operands[-1]) is list:
        w.n += steps_of_indexed(&w, <ndarray?>operands[0], <list>operands[-1])
        operands = []
    for x in operands if layout > ROWS else ():
        if type(x) is ndarray and PyArray_NDIM(<ndarray>x) <= w.ndim and w.n < MAX_OPERANDS:
            for k in range(w.ndim):
                steps_along(&w, shape, w.n - 1, k, <ndarray>x)
            w.n += 1
    sort(&w, shape, order, AS_OPERANDS)
    if layout == CHANNELS and have_channels_last(operands, w.ndim):
        for k in range(w.ndim):                         # axes counted from the last: the channels before the pixels
            order[k] = w.ndim - 2 if k == 0 else k - 1 if k < w.ndim - 1 else k
    for k in range(w.ndim):
        i = w.ndim - 1 - order[k]
        strides[i] = step
        lies_so = lies_so and (shape[order[k]] == 1 or PyArray_STRIDES(result)[i] == step)
        step *= shape[order[k]]
    if lies_so:
        return result
    copy = new_array_with_strides(w.ndim, PyArray_DIMS(result), PyArray_TYPE(result), strides)
    copy_elements(copy, result)
    return copy


cdef int steps_of_indexed(StridedWalk* w, ndarray a, list indices):
    """Let operand 0 step as `a` does along the axes that are not indexed, and nowhere along those of the indices."""
    cdef int k, axis = 0, indexed = 0, first = -1, last = -1, at, wide
    cdef bint[MAX_DIMS] is_indexed
    for k in range(PyArray_NDIM(a)):
        is_indexed[k] = False
    for x in indices:
        if type(x) is not ndarray:
            axis += 1
            continue
        for k in range(PyArray_NDIM(<ndarray>x) if PyArray_TYPE(<ndarray>x) == NPY_BOOL else 1):
            if axis < PyArray_NDIM(a):
                is_indexed[axis] = True
                first, last = axis if first < 0 else first, axis
                indexed += 1
            axis += 1
    wide = w.ndim - PyArray_NDIM(a) + indexed           # axes of the indices: in front, unless all are side by side
    at = first if last - first + 1 == indexed else 0
    for k in range(w.ndim):
        w.strides[k][0] = 0
    axis = 0
    for k in range(PyArray_NDIM(a)):
        if k == at:
            axis += wide
        if not is_indexed[k]:
            if axis >= w.ndim:
                return 0
            w.strides[w.ndim - 1 - axis][0] = PyArray_STRIDES(a)[k]
            axis += 1
    return 1


cdef bint have_channels_last(list operands, int ndim):
    """Does an operand of images lie in channels_last?  Of a list all must, which may be volumes in channels_last_3d."""
    for x in operands:
        if type(x) is list:
            return bool(x) and all([type(a) is ndarray and PyArray_NDIM(<ndarray>a) == ndim
                                    and suggests_channels_last(<ndarray>a) for a in x])
        if type(x) is ndarray and ndim == 4 == PyArray_NDIM(<ndarray>x) and suggests_channels_last(<ndarray>x):
            return True
    return False


cdef bint suggests_channels_last(ndarray a) noexcept:
    """As PyTorch reads it off the strides, which are ambiguous where a dim has one place: then the answer is no."""
    cdef int n = PyArray_NDIM(a), k, d
    cdef npy_intp least = 0
    cdef npy_intp* strides = PyArray_STRIDES(a)
    if n != 4 and n != 5 or strides[1] == 0:
        return False
    for k in range(n):
        d = 1 if k == 0 else n - k if k < n - 1 else 0
        if PyArray_DIMS(a)[d] == 0 or strides[d] < least or (d == 0 and least == strides[1]):
            return False
        least = strides[d] * PyArray_DIMS(a)[d]
    return True


cdef void join(StridedWalk* w) noexcept:
    """Let axes that follow each other without a gap be one, and leave out those of size one."""
    cdef int k, i, kept = 0
    cdef bint follows
    for k in range(w.ndim):
        if w.shape[k] == 1 and w.ndim > 1:
            continue
        follows = kept > 0
        for i in range(w.n):
            if follows and w.strides[k][i] != w.strides[kept - 1][i] * w.shape[kept - 1]:
                follows = False
        if follows:
            w.shape[kept - 1] *= w.shape[k]
            continue
        w.shape[kept] = w.shape[k]
        for i in range(w.n):
            w.strides[kept][i] = w.strides[k][i]
        kept += 1
    w.ndim = kept


cdef void walk(StridedWalk* w, PyUFuncGenericFunction f, void* data) noexcept nogil:
    """Call the inner loop for each place of the outer axes."""
    cdef npy_intp index[MAX_DIMS]
    cdef char* p[MAX_OPERANDS]
    cdef npy_intp one = 1
    cdef int i, k
    for i in range(w.n):
        p[i] = w.at[i]
    if w.ndim == 0:
        for i in range(w.n):
            w.strides[0][i] = 0
        f(p, &one, w.strides[0], data)
        return
    for k in range(1, w.ndim):
        index[k] = 0
    while True:
        f(p, &w.shape[0], w.strides[0], data)
        k = 1
        while k < w.ndim:
            index[k] += 1
            for i in range(w.n):
                w.at[i] += w.strides[k][i]
            if index[k] < w.shape[k]:
                break
            for i in range(w.n):
                w.at[i] -= w.strides[k][i] * w.shape[k]
            index[k] = 0
            k += 1
        if k == w.ndim:
            return
        for i in range(w.n):
            p[i] = w.at[i]


cdef bint shareable(int num) noexcept nogil:
    """Can a loop with results of this dtype be shared among threads?  Some of NumPy's loops of integers raise."""
    return num == NPY_BOOL or num >= NPY_FLOAT


cdef struct Shared:
    StridedWalk* whole
    int axis                                    # along which it is cut
    PyUFuncGenericFunction f
    void* data


cdef void walk_in_parts(StridedWalk* w, npy_intp size, PyUFuncGenericFunction f, void* data) noexcept nogil:
    """The walk, shared among threads: cut along the inner axis if that is long, and else along the outermost."""
    cdef Shared s
    cdef npy_intp across
    s.whole, s.f, s.data = w, f, data
    s.axis = 0 if w.shape[0] >= WORTH_THREADS else w.ndim - 1
    across = size // w.shape[s.axis] if s.axis else 1
    parallel_for(walk_part, &s, w.shape[s.axis], PART // across if across < PART else 1)


cdef void walk_part(void* shared, npy_intp first, npy_intp last) noexcept nogil:
    cdef Shared* s = <Shared*>shared
    cdef StridedWalk w = s.whole[0]
    cdef int i
    w.shape[s.axis] = last - first
    for i in range(w.n):
        w.at[i] += first * w.strides[s.axis][i]
    walk(&w, s.f, s.data)
