# Elimination; see lu_and_ldl.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.python_api cimport PyObject

cdef object lu(Loop* loop, PyObject** args, int n)
cdef object solve_triangular(Loop* loop, PyObject** args, int n)
cdef object plu(Loop* loop, PyObject** args, int n)
cdef object unpacked(Loop* loop, PyObject** args, int n)
cdef object unit_lower(Loop* loop, PyObject** args, int n)
cdef object exchanged(Loop* loop, PyObject** args, int n)
cdef object exchanged_back(Loop* loop, PyObject** args, int n)
cdef object ldl(Loop* loop, PyObject** args, int n)
cdef object permutation(Loop* loop, PyObject** args, int n)
