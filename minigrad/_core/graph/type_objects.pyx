"""Properties of classes that Cython has no syntax for: set in C, once the class exists.

A compiled class refuses new attributes, and Cython has no syntax for a call without an argument tuple, or for a
subclass whose instances the cyclic collector does not track.
"""

from minigrad._core.graph cimport Node, Tensor
from minigrad._core.runtime.python_api cimport (PyDict_DelItem, PyDict_SetItem, PyObject_Free, PyTypeObject,
                                                PyType_Modified, Py_DECREF, Py_SET_TYPE, Py_TPFLAGS_HAVE_GC,
                                                Py_TPFLAGS_HAVE_VECTORCALL, Py_TPFLAGS_METHOD_DESCRIPTOR)


# ------------------------------------------------------------------------------ attributes

def attach(str name, value, type cls not None=Tensor):
    """Make ``value`` an attribute of Tensor, or of ``cls`` (a compiled class refuses plain assignment)."""
    PyDict_SetItem(<object>(<PyTypeObject*>cls).tp_dict, name, value)
    PyType_Modified(<PyTypeObject*>cls)


def unattach(str name, type cls=Tensor):
    """Take away what :func:`attach` gave."""
    PyDict_DelItem(<object>(<PyTypeObject*>cls).tp_dict, name)
    PyType_Modified(<PyTypeObject*>cls)


# ------------------------------------------------------------------------------ names

# A compiled class is named after its file, and users know Tensor as `minigrad.Tensor`: so it is printed, and pickled.

(<PyTypeObject*>Tensor).tp_name = "minigrad.Tensor"


# ------------------------------------------------------------------------------ calls

# That instances are called by vectorcall (PEP 590) spares the argument tuple; that they are methods spares the bound
# method of `x.exp()`.

cdef int declare_vectorcall(PyObject* cls, Py_ssize_t offset) except -1:
    cdef PyTypeObject* c = <PyTypeObject*>cls
    c.tp_vectorcall_offset = offset
    c.tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR
    PyType_Modified(c)
    return 0


# ------------------------------------------------------------------------------ nodes

# Note [A node's public class]
# ----------------------------
# `type(y.grad_fn).__name__` is "MulBackward0", and MulBackward0 carries the properties _saved_self
# and _saved_other: one class per row, made from the row.  Creating an instance of such a class is
# slower than a whole multiplication, and almost no node is ever looked at.  So nodes are born as plain
# Nodes, and get their public class when Python first sees them (`publish` in graph.pyx).  That changes only
# the type of the object, for which two things must hold.  The classes add no fields (__slots__ = ()), so the
# memory layout is the same.  And the cyclic collector does not track their instances, as it does those
# of any other Python class: our nodes have no room for its links (`make_node_class` takes the flag away).

def make_node_class(str name, dict body):
    """The public class of the nodes of one op."""
    cls = type(name, (Node,), body)
    cdef PyTypeObject* c = <PyTypeObject*>cls
    c.tp_flags &= ~Py_TPFLAGS_HAVE_GC
    c.tp_traverse = c.tp_clear = NULL
    c.tp_free = <void*>PyObject_Free
    return cls


# ------------------------------------------------------------------------------ rows

def become(x):
    """Let ``x``, of a class that adds nothing but methods to another, be of that one: see ops/lazy.py."""
    cdef type before = type(x), after = before.__base__
    if (before.__basicsize__ != after.__basicsize__ or before.__dictoffset__ != after.__dictoffset__
            or before.__weakrefoffset__ != after.__weakrefoffset__):    # a __dict__ is not in the size since 3.12
        raise TypeError(f"{before} has fields of its own, and cannot become {after}")
    Py_SET_TYPE(<PyObject*>x, <PyTypeObject*>after)
    Py_DECREF(before)           # an instance owns its class, if that was made in Python
