# Products of matrices and vectors; see matrix_products.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.numpy_api cimport ndarray, npy_intp
from minigrad._core.runtime.python_api cimport PyObject

cdef ndarray multiplied(ndarray a, int a_dims, ndarray b, int b_dims, bint turned)
cdef bint product_into(int num, npy_intp itemsize, void* a, npy_intp a_row, npy_intp a_column, void* b, npy_intp b_row,
                       npy_intp b_column, void* out, npy_intp m, npy_intp k, npy_intp n) noexcept nogil
cdef bint add_to(ndarray o, ndarray a) except -1
cdef object mm(Loop* loop, PyObject** args, int n)
cdef object bmm(Loop* loop, PyObject** args, int n)
cdef object mv(Loop* loop, PyObject** args, int n)
cdef object dot(Loop* loop, PyObject** args, int n)
cdef object vdot(Loop* loop, PyObject** args, int n)
cdef object vecdot(Loop* loop, PyObject** args, int n)
cdef object trace(Loop* loop, PyObject** args, int n)
cdef object times(Loop* loop, PyObject** args, int n)
cdef object outer(Loop* loop, PyObject** args, int n)
cdef object state_rows(Loop* loop, PyObject** args, int n)
cdef object addmm(Loop* loop, PyObject** args, int n)
cdef object addmv(Loop* loop, PyObject** args, int n)
cdef object baddbmm(Loop* loop, PyObject** args, int n)
cdef object addr(Loop* loop, PyObject** args, int n)
cdef object adjoint(Loop* loop, PyObject** args, int n)
cdef object cross(Loop* loop, PyObject** args, int n)
