# What writing through a view does to the graph.

from minigrad._core.graph cimport Node, Tensor, View
from minigrad._core.runtime.python_api cimport PyObject


cdef class CopySlices(Node):
    """The history of a base that was written to through a view; see Note [Views] in view_history.pyx."""
    cdef PyObject* inner        # the node of the write itself
    cdef int which              # the edge of `inner` that leads to the view's old value; ours leads to the base's
    cdef tuple base             # the placement of the base: shape, strides, offset 0 (in bytes), dtype
    cdef tuple part             # that of the view in it
    cdef object mask            # True where the view lies, made the first time it is needed


cdef object cannot_follow(Tensor t, View v, str what, str operation=*)
cdef int rebase(Tensor t, Node n, int which) except -1
cdef object with_part(CopySlices c, object g, object new)
