# New arrays from the elements of others; see data_movement.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.kernels.shapes.strided_views cimport Geometry
from minigrad._core.runtime.numpy_api cimport ndarray, npy_intp
from minigrad._core.runtime.python_api cimport PyObject

cdef enum:
    LARGEST_ELEMENT = 16        # bytes: a complex128

cdef enum:
    MOST = 0xFFFFFFFFFFFFFFF     # elements, of 8 bytes, that an address can tell apart

cdef ndarray fresh(ndarray like, Geometry* g)
cdef ndarray zeros(ndarray like, Geometry* g)
cdef ndarray copied(ndarray a)
cdef bint put(Geometry* to, ndarray a, Geometry* g) noexcept
cdef bint sizes_at(PyObject* x, Geometry* g) except -1
cdef bint element(object x, ndarray like, char* out) except -1
cdef bint movable(ndarray a) noexcept
cdef void move(Geometry* to, Geometry* source, npy_intp item) noexcept
cdef ndarray moved(ndarray a, Geometry* g)
cdef ndarray movable_at(PyObject** args, Geometry* g)
cdef bint same_sizes(Geometry* a, Geometry* b) noexcept
cdef bint add(Geometry* to, Geometry* g, int num) noexcept
cdef void one_everywhere(char* value, Geometry* g, Geometry* source) noexcept

cdef object reshape(Loop* loop, PyObject** args, int n)
cdef object clone(Loop* loop, PyObject** args, int n)
cdef object flip(Loop* loop, PyObject** args, int n)
cdef object rot90(Loop* loop, PyObject** args, int n)
cdef object roll(Loop* loop, PyObject** args, int n)
cdef object unroll(Loop* loop, PyObject** args, int n)
cdef object repeat(Loop* loop, PyObject** args, int n)
cdef object tril(Loop* loop, PyObject** args, int n)
cdef object triu(Loop* loop, PyObject** args, int n)
cdef object diag_embed(Loop* loop, PyObject** args, int n)
cdef object shown_copied(Loop* loop, PyObject** args, int n)
