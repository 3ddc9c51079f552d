"""Arguments that are not tensors: what a parameter takes, by its type in the schema.

Most calls give a parameter what most calls give it, an int for a dim, a tuple for a shape, or leave it at its default.
So dispatch looks at two pointers, and asks here only where both are others: `fits` knows what else will do (a NumPy
integer, a tensor without dims, anything with ``__index__``), and `complaint` says in PyTorch's words what is wrong::

    torch.cumsum(x, 0.5)        argument 'dim' must be int, not float
    torch.amax(x, (0.5,))       argument 'dim' must be tuple of ints, but found element of type float at pos 0

A bool is an int for Python, and not here: ``x.sum(True)`` is ``x.sum(keepdim=True)`` that was meant.
"""

from cpython.float cimport PyFloat_CheckExact
from cpython.long cimport PyLong_CheckExact
from cpython.number cimport PyIndex_Check
from cpython.tuple cimport PyTuple_CheckExact

import numpy as np

from minigrad._core.graph cimport Tensor
from minigrad._core.symbols cimport Symbol

cdef dict _TAKES = {"int": AN_INT, "Dim": AN_INT, "NewDim": AN_INT, "float": A_FLOAT, "Scalar": A_NUMBER,
                    "bool": A_BOOL, "str": A_STR, "int[]": INTS, "Sizes": INTS, "Dims": DIMS, "NewDims": DIMS}

cdef dict _WORDS = {AN_INT: "int", A_FLOAT: "float", A_NUMBER: "Number", A_BOOL: "bool", A_STR: "str",
                    INTS: "tuple of ints", DIMS: "tuple of ints"}


cdef int taken_by(str type_) except -1:
    """What a parameter of this type takes."""
    cdef int takes = _TAKES.get(type_.rstrip("?"), ANYTHING)
    return takes | OR_NONE if type_[-1:] == "?" else takes


cdef PyObject* usual_type(int takes) noexcept:
    """The class of what most calls give."""
    takes &= ~OR_NONE
    if takes == AN_INT or takes == DIMS:
        return <PyObject*>int
    if takes == A_FLOAT or takes == A_NUMBER:
        return <PyObject*>float
    if takes == A_BOOL:
        return <PyObject*>bool
    if takes == A_STR:
        return <PyObject*>str
    return NULL


cdef bint fits(int takes, object x) except -1:
    """Does a parameter take this?"""
    if x is None:
        return takes & OR_NONE or takes == ANYTHING
    takes &= ~OR_NONE
    if takes == ANYTHING:
        return True
    if PyLong_CheckExact(x):
        return takes == AN_INT or takes == DIMS or takes == A_NUMBER or takes == A_FLOAT
    if PyFloat_CheckExact(x):
        return takes == A_NUMBER or takes == A_FLOAT
    if isinstance(x, (Symbol, Tensor)):
        return True                     # what a formula is traced with; what dispatch makes a number of
    if takes == INTS or takes == DIMS:
        if isinstance(x, (tuple, list)):
            return misfit_at(x) < 0
        return takes == DIMS and is_int(x)
    if takes == AN_INT:
        return is_int(x)
    if takes == A_BOOL:
        return isinstance(x, (bool, np.bool_))
    if takes == A_STR:
        return isinstance(x, str)
    if isinstance(x, np.ndarray):
        return x.ndim == 0
    return isinstance(x, (int, float, np.number, np.bool_)) or (takes == A_NUMBER and isinstance(x, complex))


cdef bint is_int(object x) except -1:
    return PyLong_CheckExact(x) or (PyIndex_Check(x) and not isinstance(x, bool)) or isinstance(x, Symbol)


cdef Py_ssize_t misfit_at(object several) except -2:
    """The index of the first element that is not an int; -1 where all are."""
    cdef Py_ssize_t k
    for k in range(len(several)):
        if not is_int(several[k]):
            return k
    return -1


cdef str complaint(int takes, object x):
    """What is wrong with an argument that does not fit."""
    cdef Py_ssize_t k
    takes &= ~OR_NONE
    if (takes == INTS or takes == DIMS) and isinstance(x, (tuple, list)):
        k = misfit_at(x)
        return f"must be {_WORDS[takes]}, but found element of type {type(x[k]).__name__} at pos {k}"
    return f"must be {_WORDS[takes]}, not {type(x).__name__}"
