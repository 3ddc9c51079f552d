"""Copies between arrays of any layout and dtype, and new arrays of the same layout.

Elements of one dtype are moved, and those of 16 bits become float32 and back many at a time; everything else is left to
NumPy, which takes its time over both.  How elements are moved is in moves.h, how they are converted in halves.h::

    float16  <-->  float32               halves.h
    float16  <-->  int64, float64 ...    by way of float32, which loses nothing that NumPy would keep
"""

from minigrad._core.kernels.loops.numpy_loops cimport LARGE, aligned
from minigrad._core.runtime.memory_pool cimport new_array, new_array_with_strides
from minigrad._core.runtime.numpy_api cimport (NPY_BOOL, NPY_CORDER, NPY_FLOAT, NPY_HALF,
                                               NPY_KEEPORDER,
                                               PyArray_CopyInto, PyArray_DATA, PyArray_DIMS, PyArray_DescrFromType,
                                               PyArray_ISWRITEABLE, PyArray_IS_C_CONTIGUOUS, PyArray_ITEMSIZE,
                                               PyArray_NDIM, PyArray_NewCopy, PyArray_NewLikeArray, PyArray_SIZE,
                                               PyArray_STRIDES, PyArray_TYPE, PyDataType_ELSIZE, dtype as Descr)
from minigrad._core.runtime.python_api cimport Py_INCREF
from minigrad._core.runtime.type_promotion cimport BFLOAT16, in_tables, known_num

cdef extern from "kernels/loops/halves.h" nogil:
    int mg_f16c
    void mg_in_halves(char**, const npy_intp*, const npy_intp*, void*)
    void mg_widen(int kind, const void* source, float* to, npy_intp n)
    void mg_narrow(int kind, const float* source, void* to, npy_intp n)
    ctypedef void (*mg_row)(char* to, npy_intp s, const char* source, npy_intp t, npy_intp n, npy_intp item)
    void mg_from_float16s(char* to, npy_intp s, const char* source, npy_intp t, npy_intp n, npy_intp item)
    void mg_to_float16s(char* to, npy_intp s, const char* source, npy_intp t, npy_intp n, npy_intp item)
    void mg_from_bfloat16s(char* to, npy_intp s, const char* source, npy_intp t, npy_intp n, npy_intp item)
    void mg_to_bfloat16s(char* to, npy_intp s, const char* source, npy_intp t, npy_intp n, npy_intp item)

cdef extern from "kernels/loops/moves.h" nogil:
    void mg_move(int ndim, npy_intp* dims, char* to, npy_intp* to_strides, char* source, npy_intp* from_strides,
                 npy_intp item)
    void mg_convert(int ndim, npy_intp* dims, char* to, npy_intp* to_strides, char* source, npy_intp* from_strides,
                    npy_intp item, mg_row row)

cdef enum:
    MAX_DIMS = 32
    EXPANDED = 1000             # elements, from which on it is asked whether they repeat themselves


# ------------------------------------------------------------------------------ 16-bit floats

cdef Stored stored_as(int num) noexcept nogil:
    """How the elements of this dtype are stored, by its number in tables."""
    return FLOAT16 if num == NPY_HALF else BRAIN_FLOAT16 if num == BFLOAT16 else AS_IT_IS


cdef void in_halves(char** p, const npy_intp* n, const npy_intp* s, void* halves) noexcept nogil:
    """An inner loop of float32 on operands of 16 bits: Note [Loops on halves] in strided.pyx."""
    mg_in_halves(p, n, s, halves)


cdef bint half_holds(int kind, double value, void* half) noexcept:
    """Write a number in 16 bits; is it exactly that number?"""
    cdef float single = <float>value
    mg_narrow(kind, &single, half, 1)
    mg_widen(kind, half, &single, 1)
    return single == value


def by_instruction(wanted):
    """Let float16 be converted by the processor's own instruction, if it has one, or not.  For tests."""
    global mg_f16c
    mg_f16c = -1 if wanted else 0


# ------------------------------------------------------------------------------ from one array to another

cdef int copy_elements(ndarray to, ndarray source) except -1:
    """What ``to[...] = source`` writes, where the source may broadcast."""
    cdef int num = in_tables(PyArray_TYPE(to)), from_num = in_tables(PyArray_TYPE(source))
    cdef mg_row row = row_between(from_num, num)
    cdef ndarray one
    if not can_be_moved(to, source) or not known_num(num) or not known_num(from_num):
        return PyArray_CopyInto(to, source)
    if num != from_num and PyArray_SIZE(source) > EXPANDED:
        one = shown_once(source)
        if one is not source:
            return copy_elements(to, in_dtype(one, PyArray_TYPE(to)))
    if num == from_num or row != NULL:
        return move(to, source, row)
    if stored_as(from_num) and not stored_as(num) or stored_as(num) and NPY_BOOL <= from_num < NPY_FLOAT:
        return copy_elements(to, in_dtype(source, NPY_FLOAT))
    return PyArray_CopyInto(to, source)


def shown_once(ndarray a not None, axes=None):
    """The array with one place of each dim that is expanded, of all or of these, so that each element is converted, or
    added up, once; the array itself where there is none."""
    cdef int k
    cdef list parts = None
    for k in range(PyArray_NDIM(a)):
        if PyArray_STRIDES(a)[k] == 0 and PyArray_DIMS(a)[k] > 1 and (axes is None or k in axes):
            parts = parts or [slice(None)] * PyArray_NDIM(a)
            parts[k] = slice(1)
    return a if parts is None else (<object>a)[tuple(parts)]


cdef mg_row row_between(int from_num, int num) noexcept:
    """The function that converts a row from one dtype to another; NULL where there is none."""
    if from_num == NPY_FLOAT and num == NPY_HALF:
        return mg_to_float16s
    if from_num == NPY_FLOAT and num == BFLOAT16:
        return mg_to_bfloat16s
    if num == NPY_FLOAT and from_num == NPY_HALF:
        return mg_from_float16s
    if num == NPY_FLOAT and from_num == BFLOAT16:
        return mg_from_bfloat16s
    return NULL


cdef bint can_be_moved(ndarray to, ndarray source) noexcept:
    """Are these plain arrays, apart from each other, the second of which broadcasts to the first?"""
    cdef int k, more = PyArray_NDIM(to) - PyArray_NDIM(source)
    cdef char* first[2]
    cdef char* last[2]
    if not aligned(to) or not aligned(source) or not PyArray_ISWRITEABLE(to) or more < 0 or PyArray_NDIM(to) > MAX_DIMS:
        return False
    for k in range(PyArray_NDIM(source)):
        if PyArray_DIMS(source)[k] != PyArray_DIMS(to)[k + more] and PyArray_DIMS(source)[k] != 1:
            return False
    span(to, &first[0], &last[0])
    span(source, &first[1], &last[1])
    return last[0] <= first[1] or last[1] <= first[0]


cdef void span(ndarray a, char** first, char** last) noexcept:
    """Where its elements begin and end."""
    cdef int k
    first[0] = <char*>PyArray_DATA(a)
    last[0] = first[0] + (PyArray_ITEMSIZE(a) if PyArray_SIZE(a) else 0)
    for k in range(PyArray_NDIM(a) if PyArray_SIZE(a) else 0):
        if PyArray_STRIDES(a)[k] > 0:
            last[0] += (PyArray_DIMS(a)[k] - 1) * PyArray_STRIDES(a)[k]
        else:
            first[0] += (PyArray_DIMS(a)[k] - 1) * PyArray_STRIDES(a)[k]


cdef void move_elements(int ndim, npy_intp* dims, char* to, npy_intp* to_strides, char* source,
                        npy_intp* from_strides, npy_intp item) noexcept nogil:
    """The same between places of one shape, which lie apart; compiled once for all modules that move."""
    mg_move(ndim, dims, to, to_strides, source, from_strides, item)


cdef int move(ndarray to, ndarray source, mg_row row) except -1:
    cdef npy_intp steps[MAX_DIMS]
    cdef int k, ndim = PyArray_NDIM(to), more = ndim - PyArray_NDIM(source)
    for k in range(ndim):
        steps[k] = (0 if k < more or PyArray_DIMS(source)[k - more] != PyArray_DIMS(to)[k] else
                    PyArray_STRIDES(source)[k - more])
    if PyArray_SIZE(to) < LARGE:
        move_to(to, <char*>PyArray_DATA(source), steps, row)
    else:
        with nogil:
            move_to(to, <char*>PyArray_DATA(source), steps, row)
    return 0


cdef inline void move_to(ndarray to, char* source, npy_intp* steps, mg_row row) noexcept nogil:
    if row == NULL:
        move_elements(PyArray_NDIM(to), PyArray_DIMS(to), <char*>PyArray_DATA(to), PyArray_STRIDES(to), source, steps,
                      PyArray_ITEMSIZE(to))
    else:
        mg_convert(PyArray_NDIM(to), PyArray_DIMS(to), <char*>PyArray_DATA(to), PyArray_STRIDES(to), source, steps,
                   PyArray_ITEMSIZE(to), row)


# ------------------------------------------------------------------------------ new arrays

cdef ndarray new_like(ndarray a, int num):
    """A new array whose elements follow one another in the order in which those of `a` do, as PyTorch reads it off the
    strides: a dim that steps nowhere stays in its place (Note [The walk] in strided.pyx)."""
    cdef npy_intp strides[MAX_DIMS]
    cdef npy_intp step
    cdef int order[MAX_DIMS]            # the inner dim first
    cdef int k, at, j, verdict, ndim = PyArray_NDIM(a)
    cdef Descr dtype
    if PyArray_IS_C_CONTIGUOUS(a):
        return new_array(ndim, PyArray_DIMS(a), num)
    if ndim > MAX_DIMS or not PyArray_SIZE(a):
        dtype = PyArray_DescrFromType(num)
        Py_INCREF(dtype)
        return PyArray_NewLikeArray(a, NPY_KEEPORDER, <void*>dtype, 0)
    for k in range(ndim):
        order[k] = ndim - 1 - k
        at = k
        for j in range(k - 1, -1, -1):
            verdict = before(a, order[at], order[j])
            if verdict > 0:
                order[at], order[j] = order[j], order[at]
                at = j
            elif verdict < 0:
                break
    step = PyDataType_ELSIZE(PyArray_DescrFromType(num))
    for k in range(ndim):
        strides[order[k]] = step
        step *= PyArray_DIMS(a)[order[k]]
    return new_array_with_strides(ndim, PyArray_DIMS(a), num, strides)


cdef inline int before(ndarray a, int i, int j) noexcept:
    """1 where dim `i` has the smaller steps, -1 where it has not, 0 where nothing speaks for either."""
    cdef npy_intp x = abs(PyArray_STRIDES(a)[i]), y = abs(PyArray_STRIDES(a)[j])
    if x == 0 or y == 0:
        return 0
    if x != y:
        return 1 if x < y else -1
    return 1 if PyArray_DIMS(a)[j] > PyArray_DIMS(a)[i] else 0


cdef ndarray new_copy(ndarray a, NPY_ORDER order):
    """A copy of `a`, in the order of its dims (NPY_CORDER) or in its own."""
    cdef ndarray copy
    if not (known_num(in_tables(PyArray_TYPE(a))) and aligned(a)) or order != NPY_CORDER and order != NPY_KEEPORDER:
        return PyArray_NewCopy(a, order)
    copy = (new_array(PyArray_NDIM(a), PyArray_DIMS(a), PyArray_TYPE(a)) if order == NPY_CORDER else
            new_like(a, PyArray_TYPE(a)))
    copy_elements(copy, a)
    return copy


cdef ndarray in_dtype(ndarray a, int num):
    """A copy of `a` in another dtype, laid out as `a` is."""
    cdef ndarray copy = new_like(a, num)
    copy_elements(copy, a)
    return copy



def converted(ndarray array not None, Descr dtype not None):
    """A copy of an array in another dtype, for kernels in Python: NumPy converts 16-bit floats one by one."""
    return in_dtype(array, dtype.type_num)
