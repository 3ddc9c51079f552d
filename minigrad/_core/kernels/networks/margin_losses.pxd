# Margin losses between the classes of a row; see margin_losses.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.python_api cimport PyObject

cdef object multi_margin_loss(Loop* loop, PyObject** args, int n)
cdef object multi_margin_slope(Loop* loop, PyObject** args, int n)
cdef object multilabel_margin_loss(Loop* loop, PyObject** args, int n)
cdef object multilabel_margin_slope(Loop* loop, PyObject** args, int n)
