# What Cython cannot say of a class, said in C.

from minigrad._core.runtime.python_api cimport PyObject


cdef int declare_vectorcall(PyObject* cls, Py_ssize_t offset) except -1
