from minigrad._core.graph cimport Node
from minigrad._core.runtime.python_api cimport PyObject

cdef void bury(PyObject* n) noexcept
cdef void drain() noexcept
