# Memory that is not a Python object.

from minigrad._core.runtime.python_api cimport PyMem_Realloc, PyObject_Malloc


cdef inline void* memory(size_t size) except NULL:
    cdef void* block = PyObject_Malloc(size)
    if block == NULL:
        raise MemoryError()
    return block


cdef inline void* with_room(void* block, Py_ssize_t* room, size_t size) except NULL:
    """The block, with room for more items of `size` bytes; if there is no memory, block and `room` are as before."""
    cdef Py_ssize_t more = 2 * room[0] + 64
    block = PyMem_Realloc(block, more * size)
    if block == NULL:
        raise MemoryError()
    room[0] = more
    return block
