"""DLPack: capsules that hand memory to another library, or take it from one.

A capsule holds a C struct that says where elements lie, of what kind they are, and whom to tell when they are no longer
needed.  numpy_interface/dlpack.py makes ``from_dlpack`` and ``to_dlpack`` of this.  A capsule's name says whose it is::

    export(array)      "dltensor"  ------ another library takes it: "used_dltensor" ----> it calls the deleter
                       nobody takes it, and the capsule dies: so we call the deleter      the array is let go

    take(capsule)      "dltensor"  ------ we take it: "used_dltensor" ------------------> an array, whose base, a Loan,
                                                                                          calls the deleter

The struct came in two versions: the second, "dltensor_versioned", has flags in addition, which say that the memory is
read-only, or a copy.  NumPy's own capsules would do for most arrays, but not for bfloat16, nor for a writable array
from a capsule without flags.

    https://dmlc.github.io/dlpack/latest/c_api.html
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from minigrad._core.errors import error
from minigrad._core.runtime.malloc cimport memory
from minigrad._core.runtime.numpy_api cimport (NPY_ARRAY_WRITEABLE, PyArray_DATA, PyArray_DIMS, PyArray_ISWRITEABLE,
                                               PyArray_ITEMSIZE, PyArray_NDIM, PyArray_New, PyArray_STRIDES,
                                               PyArray_SetBaseObject, ndarray, npy_intp)
from minigrad._core.runtime.python_api cimport (PyCapsule_GetPointer, PyCapsule_IsValid, PyCapsule_New,
                                                PyCapsule_SetName, PyObject_Free, Py_DECREF, Py_INCREF)

cdef extern from "Python.h":
    bint Py_IsInitialized() nogil

cdef enum:
    CPU = 1
    MOST_DIMS = 64                  # of an array
    READ_ONLY = 1                   # the flags
    COPIED = 2


# ------------------------------------------------------------------------------ the structs, as DLPack defines them

ctypedef struct Elements:           # DLTensor
    void* data
    int32_t device_type, device_id
    int32_t ndim
    uint8_t code, bits
    uint16_t lanes
    int64_t* shape
    int64_t* strides
    uint64_t byte_offset

ctypedef struct Plain               # DLManagedTensor
ctypedef struct Versioned           # DLManagedTensorVersioned

ctypedef struct Plain:
    Elements elements
    void* owner
    void (*deleter)(Plain*) noexcept nogil

ctypedef struct Versioned:
    uint32_t major, minor
    void* owner
    void (*deleter)(Versioned*) noexcept nogil
    uint64_t flags
    Elements elements


# ------------------------------------------------------------------------------ given away

# Shape and strides lie behind the struct, in the same piece of memory.

def export(ndarray a not None, int code, bint versioned, bint copied=False):
    """A capsule with the memory of `a`, whose elements have DLPack's type `code`; it keeps the array alive."""
    cdef Versioned* v
    cdef Plain* p
    if versioned:
        v = <Versioned*>room(sizeof(Versioned), PyArray_NDIM(a))
        v.major = 1
        v.flags = (0 if PyArray_ISWRITEABLE(a) else READ_ONLY) | (COPIED if copied else 0)
        v.deleter = let_go_versioned
        describe(&v.elements, <int64_t*>(v + 1), a, code)
        v.owner = <void*>a
        Py_INCREF(a)
        return PyCapsule_New(v, "dltensor_versioned", never_taken)
    p = <Plain*>room(sizeof(Plain), PyArray_NDIM(a))
    p.deleter = let_go
    describe(&p.elements, <int64_t*>(p + 1), a, code)
    p.owner = <void*>a
    Py_INCREF(a)
    return PyCapsule_New(p, "dltensor", never_taken)


cdef void* room(size_t struct, int ndim) except NULL:
    cdef size_t size = struct + 2 * ndim * sizeof(int64_t)
    return memset(memory(size), 0, size)


cdef void describe(Elements* e, int64_t* numbers, ndarray a, int code) noexcept:
    cdef int i
    e.data = PyArray_DATA(a)
    e.device_type = CPU
    e.ndim = PyArray_NDIM(a)
    e.code = code
    e.bits = 8 * PyArray_ITEMSIZE(a)
    e.lanes = 1
    e.shape = numbers
    e.strides = numbers + e.ndim
    for i in range(e.ndim):
        e.shape[i] = PyArray_DIMS(a)[i]
        e.strides[i] = PyArray_STRIDES(a)[i] // PyArray_ITEMSIZE(a)


cdef void let_go(Plain* p) noexcept nogil:
    release(p.owner, p)


cdef void let_go_versioned(Versioned* v) noexcept nogil:
    release(v.owner, v)


cdef void release(void* owner, void* struct) noexcept nogil:
    """Called by the library that had the memory, in whichever thread; perhaps after Python has ended."""
    if Py_IsInitialized():
        with gil:
            Py_DECREF(<object>owner)
            PyObject_Free(struct)


cdef void never_taken(object capsule) noexcept:
    cdef Plain* p
    cdef Versioned* v
    if PyCapsule_IsValid(capsule, "dltensor"):
        p = <Plain*>PyCapsule_GetPointer(capsule, "dltensor")
        p.deleter(p)
    elif PyCapsule_IsValid(capsule, "dltensor_versioned"):
        v = <Versioned*>PyCapsule_GetPointer(capsule, "dltensor_versioned")
        v.deleter(v)


# ------------------------------------------------------------------------------ taken

cdef class Loan:
    """The memory of another library, in use here: the base of the array that lies in it."""
    cdef Plain* plain
    cdef Versioned* versioned

    def __dealloc__(self):
        if self.plain != NULL and self.plain.deleter != NULL:
            self.plain.deleter(self.plain)
        if self.versioned != NULL and self.versioned.deleter != NULL:
            self.versioned.deleter(self.versioned)


def take(capsule, dict kinds not None):
    """The array in a capsule, which cannot be taken again; `kinds` is {(code, bits): dtype}.

    A capsule that is refused is left as it was.
    """
    cdef Loan loan = Loan.__new__(Loan)
    cdef Plain* p = NULL
    cdef Versioned* v = NULL
    cdef ndarray a
    if PyCapsule_IsValid(capsule, "dltensor"):
        p = <Plain*>PyCapsule_GetPointer(capsule, "dltensor")
        a = array_in(&p.elements, kinds, False)
        PyCapsule_SetName(capsule, "used_dltensor")
    elif PyCapsule_IsValid(capsule, "dltensor_versioned"):
        v = <Versioned*>PyCapsule_GetPointer(capsule, "dltensor_versioned")
        if v.major != 1:
            raise another_version(v.major, v.minor)
        a = array_in(&v.elements, kinds, v.flags & READ_ONLY)
        PyCapsule_SetName(capsule, "used_dltensor_versioned")
    else:
        raise no_capsule(capsule)
    loan.plain, loan.versioned = p, v
    Py_INCREF(loan)
    PyArray_SetBaseObject(a, loan)
    return a


cdef ndarray array_in(Elements* e, dict kinds, bint read_only):
    """An array on the elements; it does not own them yet."""
    cdef npy_intp[MOST_DIMS] dims, strides
    cdef npy_intp step, itemsize
    cdef int i
    if e.device_type != CPU:
        raise elsewhere(e.device_type, e.device_id)
    kind = kinds.get((e.code, e.bits))
    if kind is None or e.lanes != 1:
        raise another_type(e.code, e.bits, e.lanes)
    if not 0 <= e.ndim <= MOST_DIMS:
        raise too_many_dims(e.ndim)
    step = itemsize = kind.itemsize
    for i in reversed(range(e.ndim)):
        dims[i] = <npy_intp>e.shape[i]
        strides[i] = step if e.strides == NULL else <npy_intp>e.strides[i] * itemsize
        step *= dims[i]
    return PyArray_New(ndarray, e.ndim, dims, kind.numpy.num, strides, <char*>e.data + e.byte_offset, 0,
                       0 if read_only else NPY_ARRAY_WRITEABLE, None)


# ------------------------------------------------------------------------------ what the errors say

cdef object no_capsule(object given):
    return error("MG405", f"from_dlpack received an invalid capsule: {given!r}. Note that DLTensor capsules can be "
                          "consumed only once, so you might have already constructed a tensor from it once.")


cdef object another_version(major, minor):
    return error("MG405", f"from_dlpack(): the capsule has version {major}.{minor} of DLPack, and minigrad reads 1")


cdef object elsewhere(device_type, device_id):
    return error("MG405", f"from_dlpack(): the memory is on device {(device_type, device_id)} of DLPack, and minigrad "
                          "computes on the CPU, (1, 0): copy it there first")


cdef object another_type(code, bits, lanes):
    return error("MG405", f"Unsupported dtype in DLTensor: code {code} of {bits} bits, with {lanes} lanes. Convert "
                          "the elements in the other library first")


cdef object too_many_dims(ndim):
    return error("MG405", f"from_dlpack(): {ndim} dims are more than the {MOST_DIMS} that an array may have")
