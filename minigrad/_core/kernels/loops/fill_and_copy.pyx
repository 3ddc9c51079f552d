"""Filling with one number, and copying from another array: ``x.zero_()``, ``x.fill_(v)``, ``x.copy_(y)``.

Where these kernels return False, the general way answers: it takes what is rare, and raises what is wrong.
"""

from libc.string cimport memcpy, memmove, memset
from minigrad._core.kernels.loops.copies cimport copy_elements, new_like
from minigrad._core.kernels.loops.numpy_loops cimport aligned
from minigrad._core.kernels.loops.strided cimport pack
from minigrad._core.runtime.errstate cimport silence, unsilence
from minigrad._core.runtime.memory_pool cimport new_array
from minigrad._core.runtime.numpy_api cimport (NPY_CDOUBLE, NPY_CFLOAT, NPY_INT16, NPY_INT32, NPY_INT8, NPY_UINT8,
                                               PyArray_CanCastSafely, PyArray_DATA, PyArray_DIMS, PyArray_ISCARRAY_RO,
                                               PyArray_ISONESEGMENT, PyArray_IS_C_CONTIGUOUS, PyArray_ITEMSIZE,
                                               PyArray_NBYTES, PyArray_NDIM, PyArray_SIZE, PyArray_SimpleNew,
                                               PyArray_TYPE, PyTypeNum_ISCOMPLEX, dtype as Descr, int16_t, int32_t,
                                               int64_t, ndarray, npy_intp)
from minigrad._core.runtime.python_api cimport PyObject
from minigrad._core.runtime.type_promotion cimport in_tables, known_num


cdef object in_new_memory(Loop* loop, PyObject** args, int n):
    """What the kernel in `loop` writes, in memory laid out as that of the first argument; or None."""
    cdef ndarray out
    if type(<object>args[0]) is not ndarray or not aligned(<ndarray>args[0]):
        return None                     # bytes that are swapped would be in the result too
    out = new_like(<ndarray>args[0], PyArray_TYPE(<ndarray>args[0]))
    return out if loop.into(loop, args, n, out) else None


# ------------------------------------------------------------------------------ one number everywhere

cdef bint zero_into(Loop* loop, PyObject** args, int n, ndarray out) except -1:
    """zero(self)"""
    cdef char zeros[16]
    if not known_num(in_tables(PyArray_TYPE(out))):
        return False
    if PyArray_ISONESEGMENT(out):
        memset(PyArray_DATA(out), 0, PyArray_NBYTES(out))
        return True
    memset(zeros, 0, sizeof(zeros))
    fill_with(out, zeros)
    return True


cdef bint fill_into(Loop* loop, PyObject** args, int n, ndarray out) except -1:
    """fill(self, value), for a number or an array without dims"""
    cdef char element[16]
    cdef object value = <object>args[1]
    if not known_num(in_tables(PyArray_TYPE(out))) or not aligned(out):
        return False
    if type(value) is ndarray:
        if (PyArray_NDIM(<ndarray>value) or PyArray_TYPE(<ndarray>value) != PyArray_TYPE(out)
                or not aligned(<ndarray>value)):
            return False
        memcpy(element, PyArray_DATA(<ndarray>value), PyArray_ITEMSIZE(out))
    elif not element_of(value, in_tables(PyArray_TYPE(out)), element):
        return False
    fill_with(out, element)
    return True


cdef bint element_of(object x, int num, char* element) except -1:
    """A Python number as an element of a dtype; False where it is out of range, or rare."""
    if not pack(x, num, element):
        return False
    return not (num == NPY_INT8 and not -2**7 <= x < 2**7 or num == NPY_UINT8 and not 0 <= x < 2**8
                or num == NPY_INT16 and not -2**15 <= x < 2**15 or num == NPY_INT32 and not -2**31 <= x < 2**31)


ctypedef fused element_of_size:
    int16_t
    int32_t
    int64_t


cdef inline void fill_row(element_of_size* to, element_of_size element, npy_intp n) noexcept:
    cdef npy_intp i
    for i in range(n):
        to[i] = element


cdef int fill_with(ndarray a, char* element) except -1:
    """Each element of `a` becomes the one in these bytes."""
    cdef npy_intp i, n = PyArray_SIZE(a)
    cdef char* to = <char*>PyArray_DATA(a)
    cdef int size = PyArray_ITEMSIZE(a)
    cdef ndarray one
    if not PyArray_ISONESEGMENT(a):
        one = PyArray_SimpleNew(0, NULL, PyArray_TYPE(a))
        memcpy(PyArray_DATA(one), element, size)
        copy_elements(a, one)
    elif size == 1:
        memset(to, (<unsigned char*>element)[0], n)
    elif size == 2:
        fill_row(<int16_t*>to, (<int16_t*>element)[0], n)
    elif size == 4:
        fill_row(<int32_t*>to, (<int32_t*>element)[0], n)
    elif size == 8:
        fill_row(<int64_t*>to, (<int64_t*>element)[0], n)
    else:
        for i in range(n):
            memcpy(to + i * size, element, size)
    return 0


# ------------------------------------------------------------------------------ elements from elsewhere

cdef bint copy_into(Loop* loop, PyObject** args, int n, ndarray out) except -1:
    """copy(self, other)"""
    cdef ndarray other
    cdef int num = PyArray_TYPE(out), from_num
    if type(<object>args[1]) is not ndarray:
        return False
    other = <ndarray>args[1]
    from_num = PyArray_TYPE(other)
    if (not known_num(in_tables(num)) or not known_num(in_tables(from_num)) or not broadcasts_to(other, out)
            or ((from_num == NPY_CFLOAT or from_num == NPY_CDOUBLE) and num != NPY_CFLOAT and num != NPY_CDOUBLE)):
        return False
    if (num == from_num and PyArray_ISCARRAY_RO(out) and PyArray_ISCARRAY_RO(other)
            and PyArray_SIZE(out) == PyArray_SIZE(other)):
        memmove(PyArray_DATA(out), PyArray_DATA(other), PyArray_NBYTES(out))
    else:
        cast_into(out, other)
    return True


cdef int cast_into(ndarray out, ndarray other) except -1:
    """The elements of `other` in the dtype of `out`; an overflow gives inf, and no warning."""
    if PyArray_CanCastSafely(PyArray_TYPE(other), PyArray_TYPE(out)):
        return copy_elements(out, other)
    quiet = silence()
    try:
        copy_elements(out, other)
    finally:
        unsilence(quiet)
    return 0


cdef object to_copy(Loop* loop, PyObject** args, int n):
    """_to_copy(self, dtype, memory_format)"""
    cdef object dtype = getattr(<object>args[1], "numpy", None)
    cdef ndarray a, out
    cdef int num
    if type(<object>args[0]) is not ndarray or not isinstance(dtype, Descr) or <object>args[2] is not None:
        return None
    a, num = <ndarray>args[0], (<Descr>dtype).type_num
    if (not known_num(in_tables(num)) or not known_num(in_tables(PyArray_TYPE(a))) or not aligned(a)
            or (PyTypeNum_ISCOMPLEX(PyArray_TYPE(a)) and not PyTypeNum_ISCOMPLEX(num))):
        return None
    out = new_like(a, num)
    cast_into(out, a)
    return out


cdef bint broadcasts_to(ndarray a, ndarray out) noexcept:
    """Has `a` the shape of `out`, or sizes of one in its place?"""
    cdef int k, more = PyArray_NDIM(out) - PyArray_NDIM(a)
    if more < 0:
        return False
    for k in range(PyArray_NDIM(a)):
        if PyArray_DIMS(a)[k] != PyArray_DIMS(out)[k + more] and PyArray_DIMS(a)[k] != 1:
            return False
    return True
