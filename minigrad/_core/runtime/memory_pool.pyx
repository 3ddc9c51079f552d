"""The memory pool: blocks of large arrays, kept for the next ones.

The C library gives large blocks of memory back to the system as soon as they are free, and the system clears each page
of a new one when it is first touched.  For arrays of 64 KiB and more that takes longer than the arithmetic.  So
the arrays that operations make take their memory from a pool, and give it back to the pool when they die, in whichever
thread that is::

    x * y  dies        [ 4 MB ]  -->  kept, as the newest          limit
    a + b              takes it again, and no page is touched for the first time     |
    c.exp() dies       [ 4 MB ] [ 4 MB ] [ 1 MB ] [ 1 MB ] [ 6 MB ]                  |
                        newest                              oldest: beyond the limit, given back to the system

Only arrays of our own are made like this: NumPy's allocator stays as it is, and so do the arrays of the program.  But
NumPy lets every single array say who frees it (NEP 49: a *handler*).  So an array from the pool owns its memory as any
other: it can be exported, pickled, resized and outlive its tensor.

Note [Sizes of blocks]
----------------------
Sizes are rounded up to a class, of which there are eight from one power of two to the next, so that at most an eighth
is wasted; and only blocks of one class replace each other::

    64 KiB   72   80   88   96   104   112   120   128   144   160 ...

In front of the memory of an array, and in the same cache line as nothing else, is the head: the neighbours among the
blocks that are kept (all of them in the order in which they came, and those of its class), and its size.
"""

import numpy as np

from libc.string cimport memcpy, memset

from minigrad._core.errors import error
from minigrad._core.runtime.allocation_counter cimport (PyDataMemAllocator, PyDataMem_DefaultHandler,
                                                        PyDataMem_GetHandler, PyDataMem_Handler, capsule_of, counting,
                                                        usual)
from minigrad._core.runtime.array_freelist import release as release_spare_arrays
from minigrad._core.runtime.numpy_api cimport (NPY_ARRAY_CARRAY, NPY_ARRAY_OWNDATA, PyArray_DescrFromType,
                                               PyArray_ENABLEFLAGS, PyArray_New, PyArray_ZEROS, PyDataType_ELSIZE,
                                               ndarray, npy_intp)
from minigrad._core.runtime.python_api cimport PyObject
from minigrad._core.runtime.thread_state cimport state

cdef extern from *:
    """
    #include "platform.h"
    static mg_mutex mg_pool = MG_UNLOCKED;
    static void mg_hold(void) { mg_lock(&mg_pool); }
    static void mg_release(void) { mg_unlock(&mg_pool); }

    static int mg_class(size_t size)            /* see Note [Sizes of blocks] */
    {
        int octave = 63 - __builtin_clzll(size - 1);
        return 8 * octave + (int)((size - 1) >> (octave - 3) & 7);
    }

    static size_t mg_room(int class_)
    {
        return (size_t)(8 + class_ % 8 + 1) << (class_ / 8 - 3);
    }

    static int mg_size(npy_intp item, int ndim, npy_intp *dims, size_t *size)   /* 0 if there is no such number */
    {
        *size = (size_t)item;
        for (int i = 0; i < ndim; i++)
            if (dims[i] < 0 || __builtin_mul_overflow(*size, (size_t)dims[i], size))
                return 0;
        return 1;
    }

    static void mg_owned_by(PyArrayObject *array, PyObject *handler)        /* as NumPy does for what it allocates */
    {
        Py_INCREF(handler);
        ((PyArrayObject_fields *)array)->mem_handler = handler;
    }

    #ifdef MINIGRAD_CHECKED
    enum { MG_KEPT = 0 };       /* what has died is nobody's, so that the sanitizers see it */
    #else
    enum { MG_KEPT = 256 << 20 };
    #endif
    """
    void mg_hold() noexcept nogil
    void mg_release() noexcept nogil
    int mg_class(size_t) noexcept nogil
    size_t mg_room(int) noexcept nogil
    bint mg_size(npy_intp, int, npy_intp*, size_t*) noexcept
    void mg_owned_by(ndarray, object) noexcept
    size_t MG_KEPT

cdef extern from "runtime/platform.h":
    void mg_at_fork(void (*)() noexcept nogil, void (*)() noexcept nogil, void (*)() noexcept nogil)

cdef extern from "Python.h":
    int PyTraceMalloc_Track(unsigned int domain, size_t memory, size_t size)

cdef enum:
    CLASSES = 8 * 64
    HEAD = 64
    MOST_DIMS = 64
    NUMPYS_DOMAIN = 389047      # under which tracemalloc lists arrays

cdef struct PoolBlock:
    void* allocated             # what NumPy's own allocator gave
    size_t room                 # bytes behind the head
    size_t counted              # bytes, if a profiler has counted the block
    PoolBlock* newer            # of all that are kept
    PoolBlock* older
    PoolBlock* newer_alike      # of its class
    PoolBlock* older_alike

cdef PoolBlock* newest = NULL       # the following change only under the lock
cdef PoolBlock* oldest = NULL
cdef PoolBlock* alike[CLASSES]      # the newest of each class
cdef size_t kept = 0, kept_blocks = 0, in_use = 0
cdef size_t limit = MG_KEPT
cdef long long taken = 0, reused = 0


# ------------------------------------------------------------------------------ the pool

cdef void keep(PoolBlock* b) noexcept nogil:
    global newest, oldest, kept, kept_blocks
    cdef PoolBlock** first = &alike[mg_class(b.room)]
    b.newer = b.newer_alike = NULL
    b.older, b.older_alike = newest, first[0]
    if newest != NULL:
        newest.newer = b
    else:
        oldest = b
    if first[0] != NULL:
        first[0].newer_alike = b
    newest = first[0] = b
    kept += b.room
    kept_blocks += 1


cdef void take_out(PoolBlock* b) noexcept nogil:
    global newest, oldest, kept, kept_blocks
    if b.newer != NULL:
        b.newer.older = b.older
    else:
        newest = b.older
    if b.older != NULL:
        b.older.newer = b.newer
    else:
        oldest = b.newer
    if b.newer_alike != NULL:
        b.newer_alike.older_alike = b.older_alike
    else:
        alike[mg_class(b.room)] = b.older_alike
    if b.older_alike != NULL:
        b.older_alike.newer_alike = b.newer_alike
    kept -= b.room
    kept_blocks -= 1


cdef PoolBlock* beyond(size_t bytes) noexcept nogil:
    """Take out the oldest blocks until no more than `bytes` are kept; returns them, for `give_back`."""
    cdef PoolBlock* out = NULL
    cdef PoolBlock* b
    while kept > bytes:
        b = oldest
        take_out(b)
        b.older = out
        out = b
    return out


cdef size_t give_back(PoolBlock* b) noexcept nogil:
    """Give blocks to the system, without the lock; returns how many bytes."""
    cdef size_t bytes = 0
    cdef PoolBlock* older
    while b != NULL:
        older = b.older
        bytes += b.room
        usual.free(usual.ctx, b.allocated, b.room + 2 * HEAD)
        b = older
    return bytes


cdef PoolBlock* made(size_t room, bint zeros) noexcept nogil:
    """A new block, aligned to a cache line; NULL if there is no memory."""
    cdef size_t size = room + 2 * HEAD
    cdef char* p = <char*>(usual.calloc(usual.ctx, 1, size) if zeros else usual.malloc(usual.ctx, size))
    cdef PoolBlock* b
    if p == NULL:
        return NULL
    b = <PoolBlock*>(p + (HEAD - <size_t>p % HEAD))
    b.allocated, b.room = p, room
    return b


cdef void* memory_for(size_t size, bint zeros, bint counted) noexcept nogil:
    """Memory for an array of `size` bytes; NULL if there is none."""
    global in_use, taken, reused
    cdef PoolBlock* b = NULL
    cdef PoolBlock* out
    cdef size_t room = size
    if size >= LARGE_BYTES:
        if size > <size_t>-1 >> 2:
            return NULL
        mg_hold()
        b = alike[mg_class(size)]
        if b != NULL:
            take_out(b)
            reused += 1
            in_use += b.room
        taken += 1
        mg_release()
        room = mg_room(mg_class(size))
    if b != NULL:
        if zeros:
            memset(<char*>b + HEAD, 0, size)
    else:
        b = made(room, zeros)
        if b == NULL:                           # perhaps it is all kept here
            mg_hold()
            out = beyond(0)
            mg_release()
            give_back(out)
            b = made(room, zeros)
            if b == NULL:
                return NULL
        if room >= LARGE_BYTES:
            mg_hold()
            in_use += room
            mg_release()
    b.counted = size if counted else 0
    state().allocated += b.counted
    return <char*>b + HEAD


cdef void give(void* memory) noexcept nogil:
    """The array with this memory has died."""
    global in_use
    cdef PoolBlock* b = <PoolBlock*>(<char*>memory - HEAD)
    cdef PoolBlock* out = NULL
    state().freed += b.counted
    b.older = NULL
    if b.room < LARGE_BYTES:
        give_back(b)
        return
    mg_hold()
    in_use -= b.room
    if b.room > limit:
        out = b
    else:
        keep(b)
        out = beyond(limit)
    mg_release()
    give_back(out)


# ------------------------------------------------------------------------------ as NumPy sees it

cdef void* pool_malloc(void* ctx, size_t size) noexcept nogil:
    return memory_for(size, False, False)


cdef void* pool_calloc(void* ctx, size_t n, size_t size) noexcept nogil:
    if size and n > <size_t>-1 / size:
        return NULL
    return memory_for(n * size, True, False)


cdef void* pool_realloc(void* ctx, void* memory, size_t size) noexcept nogil:
    cdef PoolBlock* b = <PoolBlock*>(<char*>memory - HEAD)
    cdef void* new
    if memory == NULL:
        return memory_for(size, False, False)
    new = memory_for(size, False, b.counted != 0)
    if new != NULL:
        memcpy(new, memory, min(size, b.room))
        give(memory)
    return new


cdef void pool_free(void* ctx, void* memory, size_t size) noexcept nogil:
    if memory != NULL:
        give(memory)


cdef PyDataMem_Handler handler
handler.allocator = PyDataMemAllocator(NULL, pool_malloc, pool_calloc, pool_realloc, pool_free)
pooling = capsule_of(&handler, "minigrad_pool")
mg_at_fork(mg_hold, mg_release, mg_release)


cdef ndarray large_array(int ndim, npy_intp* dims, int num, npy_intp* strides, bint zeros):
    """An array that may be large: from the pool if it is, unless the program has an allocator of its own in force."""
    cdef size_t size
    cdef void* memory = NULL
    cdef ndarray a
    cdef object in_force
    if mg_size(PyDataType_ELSIZE(PyArray_DescrFromType(num)), ndim, dims, &size) and size >= LARGE_BYTES:
        in_force = PyDataMem_GetHandler()
        if <PyObject*>in_force == PyDataMem_DefaultHandler or in_force is counting or in_force is pooling:
            memory = memory_for(size, zeros, in_force is counting)
    if memory == NULL:                          # where there is no memory, NumPy says so
        if zeros:
            return PyArray_ZEROS(ndim, dims, num, 0)
        return PyArray_New(ndarray, ndim, dims, num, strides, NULL, 0, 0, None)
    try:
        a = PyArray_New(ndarray, ndim, dims, num, strides, memory, 0, NPY_ARRAY_CARRAY, None)
    except BaseException:
        give(memory)
        raise
    mg_owned_by(a, pooling)
    PyArray_ENABLEFLAGS(a, NPY_ARRAY_OWNDATA)
    PyTraceMalloc_Track(NUMPYS_DOMAIN, <size_t>memory, size)
    return a


def empty(shape, dtype):
    """``np.empty`` for code in Python: a large array has its memory from the pool."""
    cdef npy_intp sizes[MOST_DIMS]
    cdef int ndim = 0
    if len(shape) > MOST_DIMS:
        return np.empty(shape, dtype)           # which says so
    try:
        for size in shape:
            sizes[ndim] = size
            ndim += 1
    except OverflowError:
        return np.empty(shape, dtype)           # so does this
    return new_array(ndim, sizes, dtype.num)


# ------------------------------------------------------------------------------ what the program sees

def get_limit():
    """How many bytes are kept at most; at the beginning 256 MiB (268435456).

    >>> minigrad.memory.get_limit()
    268435456
    """
    return limit


def set_limit(bytes, /):
    """Keep at most this number of bytes of the memory that arrays have left; with 0, none is kept.

    >>> before = minigrad.memory.get_limit()
    >>> minigrad.memory.set_limit(100 << 20)
    >>> minigrad.memory.get_limit()
    104857600
    >>> minigrad.memory.set_limit(before)
    """
    global limit
    cdef PoolBlock* out
    if type(bytes) is not int or not 0 <= bytes < 1 << 62:
        raise error("MG204", f"set_limit() takes a number of bytes, an int from 0 on, and got {bytes!r}")
    mg_hold()
    limit = bytes
    out = beyond(limit)
    mg_release()
    give_back(out)


def release():
    """Give all memory that is kept back to the system; returns how many bytes that is.

    The small arrays that are kept (array_freelist.pyx) are given up too, but not counted.

    >>> x = torch.ones(1000, 1000)
    >>> del x
    >>> released = minigrad.memory.release()
    >>> minigrad.memory.figures()["kept"]
    0
    """
    cdef PoolBlock* out
    release_spare_arrays()
    mg_hold()
    out = beyond(0)
    mg_release()
    return give_back(out)


def figures():
    """What there is: a dict.

    ``limit``, ``kept`` (bytes that wait to be taken again), ``kept_blocks``, ``in_use`` (bytes that large arrays have
    now), and, since the program began, ``taken`` (how many large arrays were made) and ``reused`` (for how many of
    these there was memory).
    """
    cdef dict found
    mg_hold()
    cdef size_t a = limit, b = kept, c = kept_blocks, d = in_use
    cdef long long e = taken, f = reused
    mg_release()
    return {"limit": a, "kept": b, "kept_blocks": c, "in_use": d, "taken": e, "reused": f}
