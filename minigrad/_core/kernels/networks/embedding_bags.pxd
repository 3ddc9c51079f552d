# Embedding bags; see embedding_bags.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.python_api cimport PyObject

cdef object embedding_bags(Loop* loop, PyObject** args, int n)
cdef object bag_sums(Loop* loop, PyObject** args, int n)
cdef object bag_spread(Loop* loop, PyObject** args, int n)
cdef object bag_products(Loop* loop, PyObject** args, int n)
cdef object largest_in_bags(Loop* loop, PyObject** args, int n)
