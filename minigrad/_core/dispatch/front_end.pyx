"""Public functions of Python that are called in C first: a Question (queries.pyx), a Composite (composites.pyx).

To the program it is the function that it wraps: it has its name and documentation.  A subclass says what happens in C,
by its ``vectorcall``.
"""

cimport cython

from minigrad._core.graph cimport Tensor
from minigrad._core.runtime.python_api cimport PyVectorcall_Call


cdef class FrontEnd:
    """How a function of Python is called in C first."""


cdef FrontEnd front(Maker make):
    cdef FrontEnd it = FrontEnd.__new__(FrontEnd)
    it.make = make
    return it


@cython.binding(False)
@cython.embedsignature(True)
cdef class Wrapping:
    """A function of Python, and what is called in its place."""

    cdef int wrap(self, object function, void* vectorcall) except -1:
        (<void**>&self.vectorcall)[0] = vectorcall
        self.__wrapped__ = function
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self.__qualname__ = function.__qualname__
        self.__module__ = function.__module__
        return 0

    def __call__(self, *args, **kwargs):
        return PyVectorcall_Call(self, args, kwargs)

    def __repr__(self):
        return f"<function {self.__name__}>"

    def __reduce__(self):
        if getattr(Tensor, self.__name__, None) is self:
            return getattr, (Tensor, self.__name__)
        return self.__name__
