# The node of a custom Function; see custom.pyx.

from minigrad._core.graph cimport Node


cdef class PyNode(Node):
    cdef object __weakref__
    cdef dict __dict__
    cdef bint records           # an argument requires grad
