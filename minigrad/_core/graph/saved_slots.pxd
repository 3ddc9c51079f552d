# What a node saved, in its slots; see saved_slots.pyx.

from minigrad._core.graph cimport Node, Saved, Tensor, Version
from minigrad._core.runtime.numpy_api cimport PyArray_NDIM, ndarray
from minigrad._core.runtime.python_api cimport PyObject

cdef extern from *:
    """
    #ifdef MINIGRAD_CHECKED
    #define MG_KEEPS 0
    #else
    #define MG_KEEPS 1
    #endif
    """
    bint KEEPS "MG_KEEPS"           # what has died is kept for the next one; not where a sanitizer looks on (setup.py)

cdef void keep_numbers(Tensor t) noexcept
cdef object number_of(Saved* s)
cdef int bring_back(Node n, Saved* s) except -1
cdef void release_saved(Node n) noexcept
cdef void let_go_of_version(Node n, Saved* s) noexcept


cdef inline object in_slot(Saved* s):
    """What is in a slot, as an object; a number as a new array."""
    return number_of(s) if s.number else <object>s.value


cdef inline void saved_by(Version v, Node n, object payload) noexcept:
    """A slot of `n` has got this payload, with this Version."""
    if type(payload) is ndarray and PyArray_NDIM(<ndarray>payload) == 0:
        v.saver = <PyObject*>n
