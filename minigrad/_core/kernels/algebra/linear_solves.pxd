# Linear systems; see linear_solves.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.numpy_api cimport ndarray, npy_intp
from minigrad._core.runtime.python_api cimport PyObject

cdef extern from "fenv.h" nogil:
    int FE_INVALID
    int feclearexcept(int)
    int fetestexcept(int)

cdef enum Part:
    # What a loop reads of a matrix, and must be finite.
    ALL, LOWER, UPPER

cdef struct Matrices:
    # A batch of them, in double precision.
    int num                                     # of the dtype
    npy_intp size                               # of an element
    char* data
    npy_intp n, rows, columns
    npy_intp step, by_row, by_column            # from matrix to matrix, and within one

cdef tuple named(str name)
cdef ndarray read(PyObject* x, Matrices* m)
cdef bint all_finite(Matrices* m, Part part) noexcept nogil
cdef ndarray as_precise(ndarray a, PyObject* x)
cdef void take_rows(Matrices* m, npy_intp k, double* to) noexcept nogil
cdef ndarray result_for(ndarray a, int num, int ndim, npy_intp rows, npy_intp columns)
cdef object inverse(Loop* loop, PyObject** args, int n)
cdef object determinant(Loop* loop, PyObject** args, int n)
cdef object sign_and_logarithm(Loop* loop, PyObject** args, int n)
cdef object complex_logarithm(Loop* loop, PyObject** args, int n)
cdef object cofactors(Loop* loop, PyObject** args, int n)
cdef object solution(Loop* loop, PyObject** args, int n)
cdef object cholesky(Loop* loop, PyObject** args, int n)
cdef object singular_values(Loop* loop, PyObject** args, int n)
cdef object inverse_ex(Loop* loop, PyObject** args, int n)
cdef object cholesky_ex(Loop* loop, PyObject** args, int n)
cdef object solution_ex(Loop* loop, PyObject** args, int n)
