"""Counting the memory of arrays, while a profiler asks for it.

Note [Counting memory]
----------------------
NumPy lets a program bring an allocator of its own (NEP 49), and every array remembers the allocator that made it.  Ours
calls NumPy's, adds to two counters of the thread, and keeps the size of each block in front of it::

    what NumPy's allocator gave    | size | the memory of the array ... |
                                          ^ what the array gets

So a block counts with the same size when it is allocated and when it is freed, by whatever thread and however much
later.  The allocator is in force only while a `Recorder` counts memory, in the context of that; arrays that were made
before are not counted when they are freed.  An event has used what the counters gained between its beginning and end.
"""

from libc.string cimport strcpy

from minigrad._core.runtime.python_api cimport PyCapsule_GetPointer, PyCapsule_New, PyObject
from minigrad._core.runtime.thread_state cimport state

cdef object handler_in_force():
    """The handler from which NumPy takes new memory, in this context."""
    return PyDataMem_GetHandler()


cdef object set_handler(object handler):
    """Let NumPy take new memory from `handler`, in this context; returns the handler that it had."""
    return PyDataMem_SetHandler(handler)


cdef enum:
    HEAD = 16                   # bytes: the memory behind them is as aligned as before

usual = (<PyDataMem_Handler*>PyCapsule_GetPointer(<object>PyDataMem_DefaultHandler, "mem_handler")).allocator


cdef void* counted(char* block, size_t size) noexcept nogil:
    """Note the size in a new block; returns the memory behind its head."""
    if block == NULL:
        return NULL
    (<size_t*>block)[0] = size
    state().allocated += size
    return block + HEAD


cdef void* counted_malloc(void* ctx, size_t size) noexcept nogil:
    return counted(<char*>usual.malloc(usual.ctx, size + HEAD), size)


cdef void* counted_calloc(void* ctx, size_t n, size_t size) noexcept nogil:
    if size and n > (<size_t>-1 - HEAD) / size:
        return NULL
    return counted(<char*>usual.calloc(usual.ctx, 1, n * size + HEAD), n * size)


cdef void* counted_realloc(void* ctx, void* memory, size_t size) noexcept nogil:
    cdef char* block
    cdef size_t before
    if memory == NULL:
        return counted_malloc(ctx, size)
    block = <char*>memory - HEAD
    before = (<size_t*>block)[0]
    block = <char*>usual.realloc(usual.ctx, block, size + HEAD)
    if block != NULL:
        state().freed += before
    return counted(block, size)


cdef void counted_free(void* ctx, void* memory, size_t size) noexcept nogil:
    cdef char* block
    if memory != NULL:
        block = <char*>memory - HEAD
        size = (<size_t*>block)[0]
        state().freed += size
        usual.free(usual.ctx, block, size + HEAD)


cdef object capsule_of(PyDataMem_Handler* handler, const char* name):
    """Name a handler, whose allocator is set, and give it the form in which NumPy takes it."""
    strcpy(handler.name, name)
    handler.version = 1
    return PyCapsule_New(handler, "mem_handler", NULL)


cdef PyDataMem_Handler handler
handler.allocator = PyDataMemAllocator(NULL, counted_malloc, counted_calloc, counted_realloc, counted_free)
counting = capsule_of(&handler, "minigrad_counting")
