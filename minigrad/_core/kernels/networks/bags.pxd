# Bags of rows; see bags.pyx.

from minigrad._core.kernels.loops.loops cimport Loop
from minigrad._core.runtime.python_c cimport PyObject

cdef object embedding_bags(Loop* loop, PyObject** args, int n)
cdef object bag_sums(Loop* loop, PyObject** args, int n)
cdef object bag_spread(Loop* loop, PyObject** args, int n)
cdef object bag_products(Loop* loop, PyObject** args, int n)
cdef object largest_in_bags(Loop* loop, PyObject** args, int n)
