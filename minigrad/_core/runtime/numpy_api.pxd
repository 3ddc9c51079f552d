# What the core uses of NumPy's C API, and all of it: what is not declared here is declared nowhere else.
#
# NumPy brings such a file of its own, numpy/__init__.pxd, which declares 600 things and has code for some.  A module
# that names one of them is compiled with all of that, and imports twenty classes when it is loaded.  What a function
# does is in NumPy's documentation, numpy.org/doc/stable/reference/c-api.

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from minigrad._core.runtime.python_api cimport PyObject

cdef extern from "runtime/numpy_api.h":
    ctypedef Py_ssize_t npy_intp
    ctypedef unsigned char npy_bool

    ctypedef class numpy.ndarray [object PyArrayObject, check_size ignore]:
        pass

    ctypedef class numpy.dtype [object PyArray_Descr, check_size ignore]:
        cdef int type_num

    # an inner loop of a ufunc: operands, length, strides, data
    ctypedef void (*PyUFuncGenericFunction)(char**, const npy_intp*, const npy_intp*, void*) noexcept nogil

    ctypedef class numpy.ufunc [object PyUFuncObject, check_size ignore]:
        cdef int nin, nargs, ntypes
        cdef PyUFuncGenericFunction* functions
        cdef void** data

    # ---------------------------- numbers that have names

    enum NPY_TYPES:
        NPY_BOOL, NPY_INT8, NPY_INT16, NPY_INT32, NPY_INT64, NPY_INTP, NPY_UINT8
        NPY_HALF, NPY_FLOAT, NPY_DOUBLE, NPY_FLOAT32, NPY_FLOAT64, NPY_CFLOAT, NPY_CDOUBLE, NPY_CLONGDOUBLE
        NPY_OBJECT
        NPY_USERDEF                 # from here on, dtypes from outside NumPy, such as bfloat16

    ctypedef enum NPY_ORDER:
        NPY_ANYORDER, NPY_CORDER, NPY_KEEPORDER

    enum:                           # flags of an array
        NPY_ARRAY_C_CONTIGUOUS, NPY_ARRAY_F_CONTIGUOUS, NPY_ARRAY_OWNDATA, NPY_ARRAY_ALIGNED, NPY_ARRAY_WRITEABLE
        NPY_ARRAY_CARRAY, NPY_ARRAY_CARRAY_RO

    bint PyTypeNum_ISBOOL(int) nogil
    bint PyTypeNum_ISINTEGER(int) nogil
    bint PyTypeNum_ISFLOAT(int) nogil
    bint PyTypeNum_ISCOMPLEX(int) nogil

    # ---------------------------- to ask an array

    int PyArray_NDIM(ndarray) nogil
    npy_intp* PyArray_DIMS(ndarray) nogil
    npy_intp* PyArray_STRIDES(ndarray) nogil
    npy_intp PyArray_SIZE(ndarray) nogil
    npy_intp PyArray_ITEMSIZE(ndarray) nogil
    npy_intp PyArray_NBYTES(ndarray) nogil
    int PyArray_TYPE(ndarray) nogil
    void* PyArray_DATA(ndarray) nogil
    PyObject* PyArray_BASE(ndarray) nogil                                       # borrowed
    PyObject* PyArray_DESCR "(PyObject *)PyArray_DESCR"(ndarray) nogil          # borrowed
    int PyArray_FLAGS(ndarray) nogil
    bint PyArray_CHKFLAGS(ndarray, int) nogil
    bint PyArray_IS_C_CONTIGUOUS(ndarray) nogil
    bint PyArray_ISONESEGMENT(ndarray) nogil
    bint PyArray_ISCARRAY(ndarray) nogil
    bint PyArray_ISCARRAY_RO(ndarray) nogil
    bint PyArray_ISNOTSWAPPED(ndarray) nogil
    bint PyArray_ISWRITEABLE(ndarray) nogil
    object PyArray_GETITEM(ndarray, void*)

    # ---------------------------- to make one

    object PyArray_SimpleNew(int, npy_intp*, int)
    object PyArray_EMPTY(int, npy_intp*, int, int)
    object PyArray_ZEROS(int, npy_intp*, int, int)
    object PyArray_New(type, int, npy_intp*, int, npy_intp*, void*, int, int, object)
    object PyArray_NewCopy(ndarray, NPY_ORDER)
    object PyArray_Transpose(ndarray, void*)                                    # NULL: all dims reversed
    object PyArray_Cast(ndarray, int)
    dtype PyArray_DescrFromType(int)
    npy_intp PyDataType_ELSIZE(dtype) nogil
    # These steal the dtype: give them one that they may keep.
    ndarray PyArray_NewFromDescr(type, dtype, int, npy_intp*, npy_intp*, void*, int, object)
    ndarray PyArray_NewLikeArray(ndarray, NPY_ORDER, void*, int)                # NULL: the dtype of the array
    ndarray PyArray_Zeros(int, npy_intp*, dtype, int)
    ndarray PyArray_CastToType(ndarray, dtype, bint)

    # ---------------------------- to change one

    void PyArray_ENABLEFLAGS(ndarray, int) nogil
    int PyArray_SetBaseObject(ndarray, object) except -1                        # steals the base
    int PyArray_CopyInto(ndarray, ndarray) except -1
    int PyArray_CanCastSafely(int, int)

    # ---------------------------- ufuncs

    enum:
        PyUFunc_None
    object PyUFunc_FromFuncAndData(PyUFuncGenericFunction*, void**, char*, int, int, int, int, char*, char*, int)
    # The numbers of the dtypes of all loops, one after the other.
    const char* types_of "mg_types_of"(object)
