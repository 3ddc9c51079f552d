# Views by geometry; see strided_views.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.numpy_api cimport int64_t, ndarray, npy_intp
from minigrad._core.runtime.python_api cimport PyObject

cdef enum:
    MAX_DIMS = 64

cdef struct Geometry:
    int ndim
    char* data                  # where it begins
    npy_intp dims[MAX_DIMS]
    npy_intp strides[MAX_DIMS]

cdef ndarray array_at(PyObject** args, Geometry* g)
cdef tuple place_of(ndarray a)
cdef bint as_int64(PyObject* x, int64_t* value) except -1
cdef bint as_int(PyObject* x, npy_intp* value) except -1
cdef int as_ints(PyObject* x, npy_intp* values) except -2
cdef bint axis_at(PyObject* x, int ndim, int* axis) except -1
cdef bint axes_at(PyObject* x, int ndim, npy_intp* axes, int* count) except -1
cdef void take_geometry(ndarray a, Geometry* g) noexcept
cdef bint index_at(PyObject** args, Geometry* g) except -1
cdef bint range_at(PyObject** args, Geometry* g) except -1
cdef bint diagonal_at(PyObject** args, Geometry* g) except -1
cpdef ndarray another(ndarray a)
cdef object seen_as(ndarray a, Geometry* g)
cdef void drop(Geometry* g, int axis) noexcept
cdef void new_axis(Geometry* g, int axis) noexcept
cdef void range_of(Geometry* g, int axis, int64_t start, int64_t end, int64_t step) noexcept

cdef object transpose(Loop* loop, PyObject** args, int n)
cdef object permute(Loop* loop, PyObject** args, int n)
cdef object unpermute(Loop* loop, PyObject** args, int n)
cdef object select(Loop* loop, PyObject** args, int n)
cdef object slice_(Loop* loop, PyObject** args, int n)
cdef object unsqueeze(Loop* loop, PyObject** args, int n)
cdef object squeeze(Loop* loop, PyObject** args, int n)
cdef object squeeze_dim(Loop* loop, PyObject** args, int n)
cdef object squeeze_dims(Loop* loop, PyObject** args, int n)
cdef object expand(Loop* loop, PyObject** args, int n)
cdef void in_order(Geometry* g, npy_intp stride) noexcept
cdef object view(Loop* loop, PyObject** args, int n)
cdef object diagonal(Loop* loop, PyObject** args, int n)
cdef object unfold(Loop* loop, PyObject** args, int n)
cdef object as_strided(Loop* loop, PyObject** args, int n)
cdef object view_as_real(Loop* loop, PyObject** args, int n)
cdef object view_as_complex(Loop* loop, PyObject** args, int n)
cdef object pairs_to_complex(Loop* loop, PyObject** args, int n)
cdef object alias(Loop* loop, PyObject** args, int n)
