from cpython.ref cimport PyObject
from minigrad._core.graph cimport Node

cdef void bury(PyObject* n) noexcept
cdef void drain() noexcept
