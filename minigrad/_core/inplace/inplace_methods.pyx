"""Writing in place: ``x.mul_(y)``, ``x *= y``, ``F.relu(x, inplace=True)``, and ``op.inplace(x, y)`` of the table.

A method is an InPlace; an operator comes from the slots of Tensor; a function with the argument ``inplace`` is a
WithInplace.  All of them bind their arguments, and end in `write` (write.pyx).
"""

import inspect

from minigrad._core.dispatch.call cimport op_vectorcall
from minigrad._core.dispatch.op cimport MAX_PARAMS, Op, bind, bind_slowly, later, vectorcall_t
from minigrad._core.dispatch.numbers_first import usual_order
from minigrad._core.dispatch.operators cimport acceptable
from minigrad._core.dispatch.overloads cimport Overloads
from minigrad._core.dispatch.torch_function cimport DECLINED, answered_or_declined, either_unusual, overridden, unusual
from minigrad._core.graph cimport Tensor
from minigrad._core.graph.special_methods cimport later as slots_later
from minigrad._core.graph.type_objects cimport declare_vectorcall
from minigrad._core.graph.type_objects import bound_method
from minigrad._core.inplace.write cimport write
from minigrad._core.runtime.python_api cimport (PyObject, PySequence_Fast_ITEMS, PyTuple_GET_ITEM, PyVectorcall_Call,
                                                PyVectorcall_NARGS, Py_INCREF)


cdef object write_tuple(Op op, tuple bound):
    """Write, with the arguments in the order of the schema: for `op.inplace`."""
    cdef PyObject* pointers[MAX_PARAMS]
    cdef int i
    for i in range(op.n_params):
        pointers[i] = <PyObject*>bound[i]
    return write(op, pointers)


def write_bound(Op op not None, tuple bound not None):
    """The same for Python code."""
    return write_tuple(op, bound)


cdef object inplace_operator(object op, object a, object b):
    """`a += b`, from the operator slots of Tensor."""
    cdef PyObject* bound[MAX_PARAMS]
    cdef int i
    if either_unusual(<PyObject*>a, <PyObject*>b):
        result = answered_or_declined(getattr(Tensor, op.written), [a, b])
        if result is not NotImplemented:
            return NotImplemented if result is DECLINED else result
    if not acceptable(b):
        return NotImplemented
    if (<Op?>op).n_positional != 2:
        return op.inplace(a, b)
    bound[0] = <PyObject*>a
    bound[1] = <PyObject*>b
    for i in range(2, (<Op>op).n_params):
        bound[i] = PyTuple_GET_ITEM((<Op>op).defaults, i)
    return write(<Op>op, bound)


slots_later.in_place = inplace_operator
later.write = write_tuple


cdef class InPlace:
    """The in-place form of a row, or of several rows to choose from; a method of Tensor: ``x.mul_(y)``."""
    cdef vectorcall_t vectorcall
    cdef readonly Op op
    cdef readonly Overloads rows
    cdef dict __dict__

    def __init__(self, row, str name, bint alone=False):
        if isinstance(row, Overloads):
            self.rows = row
        else:
            self.op = row
        self.__name__ = name
        self.__qualname__ = f"Tensor.{name}"
        if alone:                       # there is fill_, but no fill
            self.__doc__ = getattr(row, "function_doc", None) or row.__doc__
        else:
            self.__doc__ = f"The in-place form of :func:`{name[:-1]}`: the tensor takes the result."
        (<void**>&self.vectorcall)[0] = <void*>inplace_vectorcall

    @property
    def also(self):
        """The other names for its arguments."""
        return {} if self.op is None else self.op.also

    @property
    def __signature__(self):
        return self.op.__signature__ if self.rows is None else self.rows.__signature__

    def __call__(self, *args, **kwargs):
        return PyVectorcall_Call(self, args, kwargs)

    def __repr__(self):
        return f"<method {self.__qualname__}>"

    def __reduce__(self):
        return getattr, (Tensor, self.__name__)


cdef PyObject* inplace_vectorcall(PyObject* self, PyObject** args, size_t nargsf, PyObject* kwnames) except NULL:
    """`x.mul_(y)` from Python."""
    cdef Op op = (<InPlace>self).op
    cdef Overloads rows = (<InPlace>self).rows
    cdef Py_ssize_t n = PyVectorcall_NARGS(nargsf)
    cdef object out
    if unusual(args, n, kwnames):
        out = overridden(<object>self, args, n, kwnames)
        if out is not NotImplemented:
            Py_INCREF(out)
            return <PyObject*>out
    if rows is not None:
        op = rows.chosen(args, n, kwnames)
    return write_called(op, args, n, kwnames)


cdef PyObject* write_called(Op op, PyObject** args, Py_ssize_t n, PyObject* kwnames) except NULL:
    """The write that was called with these arguments."""
    cdef PyObject* bound[MAX_PARAMS]
    cdef Py_ssize_t i
    cdef object out
    if bind(op, args, n, kwnames, bound, NULL):
        out = write(op, bound)
    else:
        keywords = {} if kwnames == NULL else {name: <object>args[n + i] for i, name in enumerate(<tuple>kwnames)}
        given = tuple([<object>args[i] for i in range(n)])
        if n > op.n_positional:
            given, keywords = usual_order(op, given, keywords, op.written) or (given, keywords)
        out = write_tuple(op, bind_slowly(op, given, keywords))
    Py_INCREF(out)
    return <PyObject*>out


cdef class WithInplace:
    """A function of ``nn.functional`` whose last argument is ``inplace``: ``relu(x, inplace=True)`` returns ``x``."""
    cdef vectorcall_t vectorcall
    cdef readonly Op row
    cdef dict __dict__

    def __init__(self, Op row not None):
        self.row = row
        self.__name__ = self.__qualname__ = row.name
        self.__module__ = "minigrad.nn.functional"      # where pickle looks for it
        self.__doc__ = row.__doc__
        (<void**>&self.vectorcall)[0] = <void*>with_inplace_vectorcall

    @property
    def __signature__(self):
        signature = self.row.__signature__
        last = inspect.Parameter("inplace", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=False)
        return signature.replace(parameters=[*signature.parameters.values(), last])

    def __get__(self, instance, owner):         # in PyTorch it is a function of Python, and binds as one
        return self if instance is None else bound_method(self, instance)

    def __call__(self, *args, **kwargs):
        return PyVectorcall_Call(self, args, kwargs)

    def __repr__(self):
        return f"<function {self.__name__}>"

    def __reduce__(self):
        return self.__name__


cdef PyObject* with_inplace_vectorcall(PyObject* self, PyObject** args, size_t nargsf, PyObject* kwnames) except NULL:
    cdef Op op = (<WithInplace>self).row
    cdef Py_ssize_t n = PyVectorcall_NARGS(nargsf), i
    cdef list given, names
    cdef object out
    if unusual(args, n, kwnames):
        out = overridden(<object>self, args, n, kwnames)
        if out is not NotImplemented:
            Py_INCREF(out)
            return <PyObject*>out
    if kwnames == NULL:
        if n != op.n_positional + 1:
            return op_vectorcall(<PyObject*>op, args, n, NULL)
        n -= 1
        return write_called(op, args, n, NULL) if <object>args[n] else op_vectorcall(<PyObject*>op, args, n, NULL)
    names = list(<tuple>kwnames)
    if "inplace" not in names:
        return op_vectorcall(<PyObject*>op, args, n, kwnames)
    i = names.index("inplace")
    given = [<object>args[k] for k in range(n + len(names))]        # owns what the call borrows
    inplace = given.pop(n + i)
    del names[i]
    others = tuple(names)
    kwnames = <PyObject*>others if others else NULL
    if inplace:
        return write_called(op, PySequence_Fast_ITEMS(given), n, kwnames)
    return op_vectorcall(<PyObject*>op, PySequence_Fast_ITEMS(given), n, kwnames)


cdef int declare() except -1:
    cdef InPlace method = InPlace.__new__(InPlace)
    cdef WithInplace function = WithInplace.__new__(WithInplace)
    declare_vectorcall(<PyObject*>InPlace, <char*>&method.vectorcall - <char*><PyObject*>method)
    declare_vectorcall(<PyObject*>WithInplace, <char*>&function.vectorcall - <char*><PyObject*>function)
    return 0


declare()
