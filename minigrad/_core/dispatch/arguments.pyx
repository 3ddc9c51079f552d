"""Arguments that are not tensors: what a parameter takes, by its type in the schema.

Most calls give a parameter what most calls give it, an int for a dim, or leave it at its default.  So dispatch looks at
two pointers, and asks here only where both are others: `taken` knows what else will do (a NumPy integer, a tensor
without dims, anything with ``__index__``) and returns it as the op records it, Python's own ints in tuples of their
own; `complaint` says in PyTorch's words what is wrong::

    torch.cumsum(x, 0.5)        argument 'dim' must be int, not float
    torch.amax(x, (0.5,))       argument 'dim' must be tuple of ints, but found element of type float at pos 0

A bool is an int for Python, and not here: ``x.sum(True)`` is ``x.sum(keepdim=True)`` that was meant.

What the kernel gets in place of a dim is found later, when the tensor is known: axes.pyx.
"""

from minigrad._core.runtime.provided cimport provided
from minigrad._core.runtime.python_api cimport (PyFloat_CheckExact, PyIndex_Check, PyLong_CheckExact,
                                                PyTuple_CheckExact, PyTuple_GET_ITEM, PyTuple_GET_SIZE, PyTuple_New,
                                                PyTuple_SET_ITEM, Py_INCREF)

from operator import index as as_int

import numpy as np

cdef dict _TAKES = {
    "int": AN_INT, "Dim": A_DIM, "NewDim": A_NEW_DIM, "float": A_FLOAT, "Scalar": A_NUMBER, "bool": A_BOOL,
    "str": A_STR, "DType": A_DTYPE, "Generator": A_GENERATOR, "MemoryFormat": A_FORMAT,
    "int[]": INTS, "Sizes": INTS, "int[1]": INT_OR_INTS, "int...": INT_OR_INTS, "Sizes...": INT_OR_INTS,
    "Dim[1]": DIM_LIST, "Dim...": DIM_LIST, "Dims": DIMS, "NewDims": NEW_DIMS,
}

cdef dict _WORDS = {
    AN_INT: "int", A_DIM: "int", A_NEW_DIM: "int", A_FLOAT: "float", A_NUMBER: "Number", A_BOOL: "bool", A_STR: "str",
    A_DTYPE: "torch.dtype", A_GENERATOR: "torch.Generator", A_FORMAT: "torch.memory_format",
}


cdef int taken_by(str type_) except -1:
    """What a parameter of this type takes."""
    cdef int takes = _TAKES.get(type_.rstrip("?"), ANYTHING)
    return takes | OR_NONE if type_[-1:] == "?" else takes


cdef PyObject* usual_type(int takes) except? NULL:
    """The class of what most calls give, where all of that class will do."""
    takes &= ~OR_NONE
    if takes_one_int(takes) or takes >= DIMS:
        return <PyObject*>int
    if takes == A_FLOAT or takes == A_NUMBER:
        return <PyObject*>float
    if takes == A_BOOL:
        return <PyObject*>bool
    if takes == A_STR:
        return <PyObject*>str
    cls = class_provided(takes)
    return NULL if cls is None else <PyObject*>cls


cdef object class_provided(int takes):
    """The class of dtypes or of generators, which are made above; None for anything else."""
    return provided.dtype if takes == A_DTYPE else provided.generator if takes == A_GENERATOR else None


# ------------------------------------------------------------------------------ what is taken

cdef object taken(int takes, object x):
    """The argument as it is recorded, or NotImplemented where the parameter does not take it."""
    cdef bint optional = takes & OR_NONE
    takes &= ~OR_NONE
    if takes == ANYTHING:
        return x
    if x is None:
        return x if optional else NotImplemented
    if takes >= INTS:
        if all_ints(<PyObject*>x):
            return x
        if isinstance(x, (tuple, list)):
            return as_ints(x)
        if takes == INTS:
            return NotImplemented
    if takes == INT_OR_INTS or takes == DIM_LIST:
        x = as_one_int(x)
        return x if x is NotImplemented else (x,)
    if takes >= DIMS or takes_one_int(takes):
        return as_one_int(x)
    if takes == A_DTYPE and isinstance(x, type):
        x = provided.dtype_for.get(x, x)
    return x if fits(takes, x) else NotImplemented


cdef object as_one_int(object x):
    if PyLong_CheckExact(x):
        return x
    if not is_int(x):
        return NotImplemented
    try:
        return as_int(x)
    except TypeError:
        return NotImplemented


cdef object as_ints(object several):
    """A tuple of ints.  A bool counts as one, but not in front, as in PyTorch: there it may mean something else."""
    cdef list found = []
    for x in tuple(several):
        x = int(x) if found and type(x) is bool else as_one_int(x)
        if x is NotImplemented:
            return x
        found.append(x)
    return tuple(found)


cdef object gathered(PyObject** args, Py_ssize_t n):
    """The last arguments of a call as one: ``x.view(2, 3)`` is ``x.view((2, 3))``."""
    if n == 1:
        return <object>args[0]
    cdef tuple several = PyTuple_New(n)
    cdef Py_ssize_t k
    for k in range(n):
        Py_INCREF(<object>args[k])
        PyTuple_SET_ITEM(several, k, <object>args[k])
    return several


# ------------------------------------------------------------------------------ whether it is taken

cdef bint fits(int takes, object x) except -1:
    """Is it what a parameter takes that wants something of it?  Dispatch has looked at tensors and Symbols before."""
    if x is None:
        return takes & OR_NONE
    takes &= ~OR_NONE
    if PyLong_CheckExact(x):
        return takes_one_int(takes) or takes >= INT_OR_INTS or takes == A_NUMBER or takes == A_FLOAT
    if PyFloat_CheckExact(x):
        return takes == A_NUMBER or takes == A_FLOAT
    if takes >= INTS:
        if isinstance(x, (tuple, list)):
            return misfit_at(x) < 0
        return takes != INTS and is_int(x)
    if takes_one_int(takes):
        return is_int(x)
    if takes == A_BOOL:
        return isinstance(x, (bool, np.bool_))
    if takes == A_STR:
        return isinstance(x, str)
    if takes == A_DTYPE and isinstance(x, type) and x in provided.dtype_for:
        return True
    if takes == A_DTYPE or takes == A_GENERATOR:
        return isinstance(x, class_provided(takes))
    if takes == A_FORMAT:
        return True
    if isinstance(x, np.ndarray):
        return x.ndim == 0
    return isinstance(x, (int, float, np.number, np.bool_)) or (takes == A_NUMBER and isinstance(x, complex))


cdef bint is_int(object x) except -1:
    return PyIndex_Check(x) and not isinstance(x, bool)


cdef Py_ssize_t misfit_at(object several) except -2:
    """The index of the first element that is not an int; -1 where all are."""
    cdef Py_ssize_t k
    for k, x in enumerate(tuple(several)):
        if as_one_int(x) is NotImplemented and not (k and type(x) is bool):
            return k
    return -1


cdef str complaint(int takes, object x):
    """What is wrong with an argument that does not fit."""
    cdef Py_ssize_t k
    takes &= ~OR_NONE
    if takes >= INTS and isinstance(x, (tuple, list)):
        x = tuple(x)                    # a list that its own elements could shorten, by their __index__
        k = misfit_at(x)
        return f"must be tuple of ints, but found element of type {type(x[k]).__name__} at pos {k}"
    return f"must be {_WORDS.get(takes, 'tuple of ints')}, not {type(x).__name__}"
