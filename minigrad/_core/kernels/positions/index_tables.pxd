# Tables of the locations of chosen elements, and what is done there; see index_tables.pyx.

from minigrad._core.kernels.shapes.strided_views cimport MAX_DIMS, Geometry
from minigrad._core.runtime.numpy_api cimport ndarray, npy_intp
from minigrad._core.runtime.python_api cimport PyObject

cdef enum:
    FEW = 128
    LITTLE = 1024               # elements of a mask of which a copy finds room on the stack

cdef struct Table:
    npy_intp* places
    npy_intp count
    int ndim                    # the sizes of what is chosen, without the dims around it
    npy_intp dims[MAX_DIMS]
    npy_intp few[FEW]

cdef enum Action:
    READ
    WRITE
    ADD
    MULTIPLY

cdef struct Around:
    # The dims of an array that are not chosen from: the choice is made at each place of `before`, and takes a block
    # with all of `after`.
    char* data
    Geometry before
    Geometry after

cdef object room(Table* t, npy_intp count)
cdef npy_intp sizes_of(Table* t, ndarray like) noexcept
cdef bint is_index(object x) noexcept
cdef bint is_mask(object x) noexcept
cdef void at_zero(Table* t) noexcept
cdef bint choose(Table* t, ndarray index, npy_intp size, npy_intp stride, bint from_end) noexcept
cdef int number_type(int num) noexcept
cdef bint is_one_number(ndarray a) noexcept
cdef bint broadcast(Geometry* g, int ndim, npy_intp* dims) noexcept
cdef bint join_sizes(int* ndim, npy_intp* dims, ndarray a) noexcept
cdef void around(Geometry* g, int first, int last, Around* w) noexcept
cdef bint meet(Table* t, Around* w, Action action, int num, npy_intp item, char* other, bint one) except -1
cdef bint combines(int num, Action action) noexcept
cdef ndarray read(Table* t, Around* w, ndarray a)
cdef bint store(Table* t, Around* w, Action action, ndarray out, ndarray values) except -1
cdef bint store_element(Table* t, Around* w, Action action, ndarray out, object value) except -1
cdef bint store_zero(Table* t, Around* w, ndarray out) except -1
cdef ndarray in_order(ndarray a, Geometry* g)
cdef ndarray array(PyObject* x, Geometry* g)
cdef ndarray zeros_like_of(PyObject* grad, PyObject* sizes, Geometry* g)
cdef bint has_sizes(ndarray a, Around* w, Table* t) noexcept
cdef ndarray own_mask(ndarray mask, Geometry* m, char* little)
cdef object masked_table(Table* t, ndarray mask, int ndim, npy_intp* dims, npy_intp* strides)
