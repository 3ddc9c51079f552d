# NumPy's inner loops on plain arrays; see numpy_loops.pyx.

from minigrad._core.runtime.memory_pool cimport new_array
from minigrad._core.runtime.numpy_api cimport (NPY_ARRAY_ALIGNED, NPY_FLOAT, PyArray_DIMS, PyArray_FLAGS,
                                               PyArray_ISCARRAY_RO, PyArray_ISNOTSWAPPED, PyArray_NDIM, PyArray_TYPE,
                                               PyUFuncGenericFunction, ndarray, npy_intp, ufunc)
from minigrad._core.runtime.python_api cimport PyObject
from minigrad._core.runtime.thread_pool cimport PART, run_parts

cdef struct Loop

# A C kernel takes its arguments in the order of the row's schema. It returns None if the layout is not plain, and then
# the row's general kernel computes the same.
ctypedef object (*Fast)(Loop* loop, PyObject** args, int n)

# The same into given memory, which may be that of the first argument and overlaps no other; False where it does not
# apply, and then it has written nothing.
ctypedef bint (*Into)(Loop* loop, PyObject** args, int n, ndarray out) except -1

cdef struct Loop:
    # What a kernel has besides its arguments. Most need one of these, or none; the others are zero.
    PyUFuncGenericFunction f[2]     # the inner loops of one ufunc, for float32 and float64; NULL where there is none
    void* data[2]                   # what NumPy hands to each of them
    Fast view                       # the view of which the kernel makes a copy, or a part of which it writes
    Into into                       # the kernel for given memory, where this one makes the memory
    int ndim                        # how many dims windows move over
    PyObject* told                  # an object that lives as long as the program, of a class that the kernel asks for

cdef enum:
    LARGE = 50000               # elements, from which on the GIL is released


cdef inline int code(ndarray a) noexcept:
    """0 for a plain float32 array, 1 for a plain float64 array, else -1."""
    cdef int t = PyArray_TYPE(a) - NPY_FLOAT
    return t if (t == 0 or t == 1) and PyArray_ISCARRAY_RO(a) else -1


cdef inline bint aligned(ndarray a) noexcept:
    return (PyArray_FLAGS(a) & NPY_ARRAY_ALIGNED) != 0 and PyArray_ISNOTSWAPPED(a)


cdef inline bint same_shape(ndarray a, ndarray b) noexcept:
    cdef int i, n = PyArray_NDIM(a)
    if PyArray_NDIM(b) != n:
        return False
    for i in range(n):
        if PyArray_DIMS(a)[i] != PyArray_DIMS(b)[i]:
            return False
    return True


cdef inline object empty_like(ndarray a):
    return new_array(PyArray_NDIM(a), PyArray_DIMS(a), PyArray_TYPE(a))


cdef inline void run_loop(Loop* loop, int t, char** p, npy_intp* n, npy_intp* strides, bint large) noexcept:
    if large:
        with nogil:
            loop.f[t](p, n, strides, loop.data[t])
    else:
        loop.f[t](p, n, strides, loop.data[t])


cdef inline void run_elements(Loop* loop, int t, int operands, char** p, npy_intp n, npy_intp* strides) noexcept:
    if n > LARGE:
        with nogil:
            run_parts(loop.f[t], loop.data[t], operands, p, n, strides, PART)
    else:
        loop.f[t](p, &n, strides, loop.data[t])


cdef int resolve(Loop* loop, ufunc u) except -1
cdef bint number(object x, double* value) except -1
cdef object unary(Loop* loop, PyObject** args, int n)
cdef object binary(Loop* loop, PyObject** args, int n)
cdef bint unary_into(Loop* loop, PyObject** args, int n, ndarray out) except -1
cdef bint write_binary(Loop* loop, PyObject** args, int n, ndarray out) except -1
cdef object binary_into(Loop* loop, object a, object b, object out)
cdef Loop ADD
cdef object pow_number(Loop* loop, PyObject** args, int n)
cdef object pow_slope(Loop* loop, PyObject** args, int n)
cdef object transpose(Loop* loop, PyObject** args, int n)
