"""The free list of small arrays: those that have died, kept for the next ones.

NumPy takes some 100 ns to make an array of eight numbers and to free it, which is ten times as long as to multiply
them.  Most arrays in a program have few different shapes, so one that dies is kept as it is, and is the next of its
shape and dtype::

    y = x * w       a new array                                     y = x * w       the same array again
    del y           the tensor is the last that has it  -->  [ (8,), float32: a0 a1 a2 ]
                                                             [ (), float64:   a3       ]

It is *left* where arrays die in great number: in tensors (deallocation.pyx), and in a backward pass (engine.pyx,
formulas.pyx).  Nothing else can notice, since only an array with a single reference, ours, is kept.
What was not made in the usual way is not kept: views, arrays with memory from elsewhere or another allocator, arrays of
another class.  Nor is anything kept or used again while there is a listener, since it may count memory
(allocation_counter.pyx).
"""

from minigrad._core.runtime.allocation_counter cimport PyDataMem_DefaultHandler
from minigrad._core.runtime.numpy_api cimport (NPY_ARRAY_ALIGNED, NPY_ARRAY_C_CONTIGUOUS, NPY_ARRAY_F_CONTIGUOUS,
                                               NPY_ARRAY_OWNDATA, NPY_ARRAY_WRITEABLE, NPY_BOOL, NPY_CDOUBLE,
                                               NPY_CFLOAT, NPY_DOUBLE, NPY_FLOAT, NPY_INT64, PyArray_BASE, PyArray_DATA,
                                               PyArray_DESCR, PyArray_DescrFromType, PyArray_FLAGS, PyArray_ITEMSIZE,
                                               PyArray_STRIDES)
from minigrad._core.runtime.python_api cimport PyObject, PyTypeObject

cdef extern from *:
    """
    static PyObject *mg_allocator(PyObject *array)
    {
        return ((PyArrayObject_fields *)array)->mem_handler;
    }

    #ifdef MINIGRAD_CHECKED
    enum { MG_KEEPS_ARRAYS = 0 };       /* what has died is nobody's, so that the sanitizers see it */
    #else
    enum { MG_KEEPS_ARRAYS = 1 };
    #endif
    """
    PyObject* mg_allocator(PyObject*) noexcept
    bint KEEPS "MG_KEEPS_ARRAYS"

cdef enum:
    USUAL = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED | NPY_ARRAY_WRITEABLE | NPY_ARRAY_OWNDATA
    BYTES_OF_A_BUCKET = 32768

# NumPy's descriptors of the dtypes whose arrays are kept; another object is another dtype, with swapped bytes perhaps.
cdef PyObject* descriptors[NPY_CDOUBLE + 1]
cdef Py_ssize_t weak_references = (<PyTypeObject*>ndarray).tp_weaklistoffset    # where an array has them


cdef int know_descriptors() except -1:
    cdef object dtype
    for num in (NPY_BOOL, NPY_INT64, NPY_FLOAT, NPY_DOUBLE, NPY_CFLOAT, NPY_CDOUBLE):
        dtype = PyArray_DescrFromType(num)
        descriptors[<int>num] = <PyObject*>dtype        # NumPy has it for ever
    return 0


know_descriptors()


cdef bint keep(PyObject* array) noexcept:
    """Keep an array, whose only reference the caller has; False, and nothing is done, where that is not possible."""
    cdef ndarray a
    cdef Bucket* b
    cdef npy_intp step
    cdef int k, num
    if not KEEPS or listeners or type(<object>array) is not ndarray:
        return False
    a = <ndarray>array
    num = PyArray_TYPE(a)
    if (PyArray_FLAGS(a) & ~NPY_ARRAY_F_CONTIGUOUS != USUAL or PyArray_BASE(a) != NULL
            or PyArray_NDIM(a) > SPARE_DIMS or num > NPY_CDOUBLE
            or <PyObject*>PyArray_DESCR(a) != descriptors[num] or mg_allocator(array) != PyDataMem_DefaultHandler
            or (<PyObject**>(<char*>array + weak_references))[0] != NULL):
        return False
    step = PyArray_ITEMSIZE(a)
    for k in range(PyArray_NDIM(a) - 1, -1, -1):
        if PyArray_STRIDES(a)[k] != step or PyArray_DIMS(a)[k] > SPARE_BYTES:
            return False
        step *= PyArray_DIMS(a)[k]
    if step == 0 or step > SPARE_BYTES:
        return False
    b = &buckets[bucket_of(PyArray_NDIM(a), PyArray_DIMS(a), num)]
    if b.n and not is_alike(<ndarray>b.arrays[b.n - 1], PyArray_NDIM(a), PyArray_DIMS(a), num):
        empty(b)                        # two shapes meet in one bucket: it is for the later one
    if b.n == SPARES or b.n * (step + 128) > BYTES_OF_A_BUCKET:
        return False
    b.arrays[b.n] = array
    b.n += 1
    return True


cdef void empty(Bucket* b) noexcept:
    while b.n:
        b.n -= 1
        Py_DECREF(<object>b.arrays[b.n])


def release():
    """Give up all spare arrays."""
    for i in range(BUCKETS):
        empty(&buckets[i])
