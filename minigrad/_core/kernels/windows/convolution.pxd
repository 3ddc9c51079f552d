# Convolutions; see convolution.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.kernels.loops.real cimport real
from minigrad._core.kernels.windows.window_layout cimport Problem
from minigrad._core.runtime.numpy_api cimport ndarray, npy_intp
from minigrad._core.runtime.python_api cimport PyObject
from minigrad._core.runtime.thread_pool cimport Job

cdef int dtype_of(PyObject* x) noexcept
cdef ndarray plain(PyObject* x, int num)
cdef bint all_finite(real* a, npy_intp n) noexcept
cdef void share(Problem* p, Job job, void* what, npy_intp turns) noexcept

cdef object convolve(Loop* loop, PyObject** args, int n)
cdef object convolve_back(Loop* loop, PyObject** args, int n)
