# What writing through a view does to the graph.

from cpython.ref cimport PyObject
from numpy cimport ndarray
from minigrad._core.graph cimport Node, Tensor, View


cdef class CopySlices(Node):
    """The history of a base that was written to through a view; see Note [Views] in views.pyx."""
    cdef PyObject* inner        # the node of the write itself
    cdef int which              # the edge of `inner` that leads to the view's old value; ours leads to the base's
    cdef tuple base             # the geometry of the base: shape, strides, offset 0 (in bytes), dtype
    cdef tuple part             # that of the view in it
    cdef object mask            # True where the view lies, made the first time it is needed


cdef str cannot_follow(Tensor t, View v, str what, str operation=*)
cdef bint shows(ndarray base, ndarray part) except -1
cdef int rebase(Tensor t, Node n, int which) except -1
cdef object room_like_base(CopySlices c, object g)
cdef object part_of(CopySlices c, object array)
cdef object read_part(CopySlices c, object g)
cdef object with_part(CopySlices c, object g, object new)
cdef object part_of_tensor(object whole, ndarray part, ndarray base)
cdef object tensor_with_part(object whole, object new, ndarray part, ndarray base)
