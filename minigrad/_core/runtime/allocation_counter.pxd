# The allocator that counts; see allocation_counter.pyx.

from libc.stdint cimport uint8_t
from minigrad._core.runtime.python_api cimport PyObject

cdef extern from "numpy/arrayobject.h":
    ctypedef struct PyDataMemAllocator:
        void* ctx
        void* (*malloc)(void*, size_t) noexcept nogil
        void* (*calloc)(void*, size_t, size_t) noexcept nogil
        void* (*realloc)(void*, void*, size_t) noexcept nogil
        void (*free)(void*, void*, size_t) noexcept nogil
    ctypedef struct PyDataMem_Handler:
        char name[127]
        uint8_t version
        PyDataMemAllocator allocator
    object PyDataMem_SetHandler(object)
    object PyDataMem_GetHandler()
    PyObject* PyDataMem_DefaultHandler

cdef PyDataMemAllocator usual           # NumPy's own
cdef object counting
cdef object capsule_of(PyDataMem_Handler* handler, const char* name)
cdef object handler_in_force()
cdef object set_handler(object handler)
