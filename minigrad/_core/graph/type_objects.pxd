# Properties of classes that Cython has no syntax for; see type_objects.pyx.

from minigrad._core.runtime.python_api cimport PyObject


cdef int declare_vectorcall(PyObject* cls, Py_ssize_t offset) except -1
