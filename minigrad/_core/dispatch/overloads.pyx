"""Overloads: one public name, several rows.

PyTorch's functions are often several: ``x.sum()`` and ``x.sum(dim=0)`` have different parameters, different formulas
and nodes of different names.  Here each is a row, and a call goes to the first of them that takes its arguments: that
many, by these names, and each of its type::

    sum(Tensor self, *, DType? dtype=None)                                SumBackward0
    sum.dim(Tensor self, Dims? dim, bool keepdim=False, *, ...)           SumBackward1

A tensor without dims can stand for a number, and a number for a tensor; so the rows are asked three times::

    EXACT       x.clamp(0, 1)           each argument is of its type
    READ        x.clamp(t, 1)           a tensor may be read as a number, if no gradient is lost: then t is min
    WRAPPED     remainder(2, t)         a number may be made a tensor

If no row takes the arguments, and their number and names fit only one of the rows, that one says what is wrong.

Nearly all calls are decided by the classes of their arguments, an int, a tensor, a tuple of ints: `certainly` looks at
these alone, and makes no object.  Where it is not sure of a row, all rows are asked in full.
"""

cimport cython

import inspect

import numpy as np

from minigrad._core.dispatch.arguments cimport (ANYTHING, A_BOOL, A_FLOAT, A_NUMBER, INTS, INT_OR_INTS, OR_NONE,
                                                all_ints, fits, takes_ints, takes_one_int)
from minigrad._core.dispatch.call cimport call, op_vectorcall
from minigrad._core.dispatch.op cimport (MAX_PARAMS, OPTIONAL, PLAIN, TENSOR, TENSORS, Op, PyTuple_GET_ITEM, bind,
                                         later, required)
from minigrad._core.dispatch.symbols cimport Symbol
from minigrad._core.dispatch.torch_function cimport overridden, unusual
from minigrad._core.errors import error
from minigrad._core.graph cimport Tensor, later as graph_later, needs_grad
from minigrad._core.graph.type_objects cimport declare_vectorcall
from minigrad._core.runtime.numpy_api cimport PyArray_NDIM, ndarray
from minigrad._core.runtime.python_api cimport (PyFloat_CheckExact, PyList_GET_ITEM, PyList_GET_SIZE, PyLong_CheckExact,
                                                PyObject, PySequence_Fast_ITEMS, PyTuple_GET_SIZE, PyVectorcall_Call,
                                                PyVectorcall_NARGS, Py_INCREF)
from minigrad._core.runtime.thread_state cimport state

cdef enum Reading:              # what may stand for what, see above
    EXACT
    READ
    WRAPPED


@cython.binding(False)
@cython.embedsignature(True)
cdef class Overloads:
    """A public function of several rows, which its arguments choose between."""

    def __init__(self, str name, Op first not None, *others):
        cdef Op row
        self.rows = [first, *others]
        for row in self.rows:
            self.takes_out = self.takes_out or row.takes_out
        self.__name__ = self.__qualname__ = name
        self.__module__ = "minigrad"            # where pickle looks for it
        self.__doc__ = first.function_doc or first.__doc__
        (<void**>&self.vectorcall)[0] = <void*>overloads_vectorcall

    def add(self, Op row not None):
        self.rows.append(row)
        self.takes_out = self.takes_out or row.takes_out

    cdef Op chosen(self, PyObject** args, Py_ssize_t n, PyObject* kwnames):
        """The first row that takes the arguments."""
        cdef Op row
        cdef list possible = []
        for row in self.rows:
            if takes(row, args, n, kwnames, EXACT):
                return row
        for row in self.rows:
            if takes(row, args, n, kwnames, READ):
                return row
        for row in self.rows:
            # a row of another function, as `maximum` is in `max`, takes tensors alone
            if row.function == self.rows[0].function and takes(row, args, n, kwnames, WRAPPED):
                return row
            if could_take(row, n, kwnames):
                possible.append(row)
        if not possible:
            possible = [row for row in self.rows if knows(row, n, kwnames)][:1]
        if len(possible) == 1:
            return possible[0]          # it says what is wrong
        raise no_row(self, args, n, kwnames)

    def row_for(self, *args, **kwargs):
        """The row that a call with these arguments goes to.

        >>> from minigrad.ops.exports import REGISTRY
        >>> REGISTRY["remainder"].row_for(torch.ones(2), 3)
        <op remainder.Scalar>
        """
        cdef list given = [*args, *kwargs.values()]
        cdef PyObject* bound[MAX_PARAMS]
        names = tuple(kwargs)
        row = sure_row(self, PySequence_Fast_ITEMS(given), len(args), <PyObject*>names if kwargs else NULL, bound,
                       NULL)
        return row_in_full(self, *args, **kwargs) if row is None else row

    def inplace(self, Tensor target not None, *args, **kwargs):
        """The in-place form: ``target`` takes the value of the function."""
        return self.row_for(target, *args, **kwargs).inplace(target, *args, **kwargs)

    @property
    def __signature__(self):
        """The parameters of all rows: what is not in each of them can be left out."""
        return joined([inspect.signature(row) for row in self.rows])

    def __call__(self, *args, **kwargs):
        return PyVectorcall_Call(self, args, kwargs)

    def __repr__(self):
        return f"<function {self.__name__}>"

    def __reduce__(self):
        return self.__name__


cdef PyObject* overloads_vectorcall(PyObject* self, PyObject** args, size_t nargsf, PyObject* kwnames) except NULL:
    cdef Py_ssize_t n = PyVectorcall_NARGS(nargsf)
    cdef PyObject* bound[MAX_PARAMS]
    cdef PyObject* target = NULL            # what was given as out=
    cdef Op row
    cdef object out
    if unusual(args, n, kwnames):
        out = overridden(<object>self, args, n, kwnames)
        if out is not NotImplemented:
            Py_INCREF(out)
            return <PyObject*>out
    row = sure_row(<Overloads>self, args, n, kwnames, bound, &target)
    if row is None:
        row = (<Overloads>self).chosen(args, n, kwnames)
        return op_vectorcall(<PyObject*>row, args, nargsf, kwnames)
    if row.spread >= 0 and n > row.spread + 1:
        return op_vectorcall(<PyObject*>row, args, nargsf, kwnames)
    if target == NULL or <object>target is None:
        out = call(row, bound)
    else:
        out = later.call_into(row, bound, <object>target)
    Py_INCREF(out)
    return <PyObject*>out


# ------------------------------------------------------------------------------ by the classes alone

cdef enum Verdict:              # in this order: of several, the least counts
    NO
    UNSURE
    YES


cdef Op sure_row(Overloads function, PyObject** args, Py_ssize_t n, PyObject* kwnames, PyObject** bound,
                 PyObject** out):
    """The row that the arguments choose by their classes, with what is bound; None where these do not say it.

    Of sizes that are given one by one, as in `x.view(2, 3)`, only the first is bound.
    """
    cdef Py_ssize_t i, total = n if kwnames == NULL else n + PyTuple_GET_SIZE(<object>kwnames)
    cdef Py_ssize_t k = surely(function, args, n, kwnames, bound, out, EXACT)
    if k == NONE_OF_THEM:
        for i in range(total):          # one of them might be read as a number
            if isinstance(<object>args[i], Tensor) and not has_dims(<Tensor>args[i]):
                return None
        k = surely(function, args, n, kwnames, bound, out, WRAPPED)
    return <Op>PyList_GET_ITEM(function.rows, k) if k >= 0 else None


cdef enum:
    NONE_OF_THEM = -2
    NOBODY_KNOWS = -3


cdef Py_ssize_t surely(Overloads function, PyObject** args, Py_ssize_t n, PyObject* kwnames, PyObject** bound,
                       PyObject** out, Reading reading) except -1:
    """The place of the first row that takes the arguments; or that none does, or that it cannot be said."""
    cdef Py_ssize_t k
    cdef int verdict
    cdef Op row, first = <Op>PyList_GET_ITEM(function.rows, 0)
    for k in range(PyList_GET_SIZE(function.rows)):
        row = <Op>PyList_GET_ITEM(function.rows, k)
        if reading == WRAPPED and row.function != first.function:
            continue
        verdict = certainly(row, args, n, kwnames, bound, out, reading)
        if verdict != NO:
            return k if verdict == YES else NOBODY_KNOWS
    return NONE_OF_THEM


cdef inline bint has_dims(Tensor t) noexcept:
    """Has it dims, for certain?"""
    return type(t.payload) is ndarray and PyArray_NDIM(<ndarray>t.payload) > 0


def row_in_full(Overloads function not None, *args, **kwargs):
    """The row to which a call goes if all rows are asked in full: a test holds `certainly` against it."""
    cdef list given = [*args, *kwargs.values()]
    names = tuple(kwargs)
    return function.chosen(PySequence_Fast_ITEMS(given), len(args), <PyObject*>names if kwargs else NULL)


cdef int certainly(Op row, PyObject** args, Py_ssize_t n, PyObject* kwnames, PyObject** bound,
                   PyObject** out, Reading reading) except -1:
    """Does the row take the arguments?  If so, they are in `bound`, in the order of the schema."""
    cdef int verdict = YES
    cdef Py_ssize_t i
    if row.spread >= 0 and n > row.spread + 1:      # sizes, one after the other: x.view(2, 3)
        for i in range(row.spread, n):
            if not PyLong_CheckExact(<object>args[i]):
                return UNSURE
        if kwnames != NULL:
            return UNSURE
        n = row.spread + 1
    if not bind(row, args, n, kwnames, bound, out):
        return NO                       # where there is an out= and `out` is NULL, no row binds
    for i in range(row.n_params):
        if bound[i] == PyTuple_GET_ITEM(row.defaults, i):
            continue
        verdict = min(verdict, by_class(row, i, <object>bound[i], reading))
        if verdict == NO:
            break
    return verdict


cdef inline int by_class(Op row, Py_ssize_t i, object x, Reading reading) noexcept:
    """What `suits` says, as far as the class of an argument tells; a tensor has dims where it says so of WRAPPED."""
    cdef int taken = row.takes[i] & ~OR_NONE
    if isinstance(x, Tensor):
        return YES if taken == ANYTHING and (row.type_of[i] == TENSOR or row.type_of[i] == OPTIONAL) else NO
    if taken == ANYTHING and row.type_of[i] == TENSOR and reading == WRAPPED and row.promote is not None:
        return YES if row.or_number[i] and (PyLong_CheckExact(x) or PyFloat_CheckExact(x)) else UNSURE
    if PyLong_CheckExact(x):
        return YES if takes_one_int(taken) or taken >= INT_OR_INTS or taken == A_NUMBER or taken == A_FLOAT else NO
    if PyFloat_CheckExact(x):
        return YES if taken == A_NUMBER or taken == A_FLOAT else NO
    if x is True or x is False:
        return YES if taken == A_BOOL or taken == A_NUMBER or taken == A_FLOAT else NO
    if all_ints(<PyObject*>x) and taken >= INTS:
        return YES
    return UNSURE


# ------------------------------------------------------------------------------ in full

cdef bint takes(Op row, PyObject** args, Py_ssize_t n, PyObject* kwnames, Reading reading) except -1:
    """Does the row take arguments of these types?"""
    cdef Py_ssize_t i, at
    if not could_take(row, n, kwnames):
        return False
    for i in range(n):
        if not suits(row, i if i < places_for(row, n) else row.spread, <object>args[i], reading):
            return False
    if kwnames != NULL:
        for i in range(len(<tuple>kwnames)):
            name = (<tuple>kwnames)[i]
            if name in row.positions:
                at = row.positions[name]
                if not suits(row, at, <object>args[n + i], reading):
                    return False
    return True


cdef inline Py_ssize_t places_for(Op row, Py_ssize_t n) noexcept:
    """How many parameters so many arguments are for: the sizes in `x.view(2, 3)` are one."""
    return row.spread + 1 if 0 <= row.spread < n else n


cdef bint could_take(Op row, Py_ssize_t n, PyObject* kwnames) except -1:
    """Does the row take so many arguments, with these names?"""
    cdef unsigned int given
    cdef Py_ssize_t i, at
    n = places_for(row, n)
    if n > row.n_positional:
        return False
    given = (1u << n) - 1
    if kwnames != NULL:
        for keyword in <tuple>kwnames:
            if keyword in row.positions:
                at = row.positions[keyword]
                if given >> at & 1:
                    return False
                given |= 1u << at
            elif not (keyword == "out" and row.takes_out):
                return False
    for i in range(n, row.n_params):
        if not given >> i & 1 and row.defaults[i] is required:
            return False
    return True


cdef bint knows(Op row, Py_ssize_t n, PyObject* kwnames) except -1:
    """Has the row such parameters, though one may be given twice and another not at all?"""
    return (places_for(row, n) <= row.n_positional
            and (kwnames == NULL or all([keyword in row.positions for keyword in <tuple>kwnames])))


cdef bint suits(Op row, Py_ssize_t i, object x, Reading reading) except -1:
    """Is `x` of the type of parameter `i`, or can it stand for something that is?"""
    cdef int taken = row.takes[i] & ~OR_NONE
    if type(x) is Symbol:               # in a formula, a number may be one too
        return reading == WRAPPED or (taken == ANYTHING and row.type_of[i] != PLAIN)
    if taken != ANYTHING:
        if not PyLong_CheckExact(x) and isinstance(x, (Tensor, np.ndarray)):
            return reading != EXACT and read_as_number(x, taken, reading)
        return fits(row.takes[i], x)
    if row.type_of[i] == TENSORS:
        return isinstance(x, (tuple, list))
    if row.type_of[i] == PLAIN:         # a dtype, a generator
        return not isinstance(x, Tensor) and not is_number(x)
    return (isinstance(x, (Tensor, np.ndarray)) or (x is None and row.type_of[i] == OPTIONAL)
            or (reading == WRAPPED and row.or_number[i] and is_number(x)))


cdef bint read_as_number(object x, int taken, Reading reading) except -1:
    """Can a tensor, or an array, stand for a number, or for a dim?"""
    if x.ndim:
        return False
    if takes_ints(taken):
        return True
    return reading == READ and (taken == A_NUMBER or taken == A_FLOAT) and is_constant(x)


cdef bint is_constant(object x) except -1:
    """Has it no gradient or tangent, which would be lost where it is read?"""
    if not isinstance(x, Tensor):
        return True
    return not (needs_grad(<Tensor>x) or (<Tensor>x).level
                or (state().forward and graph_later.tangent_of(x) is not None))


cdef inline bint is_number(object x) except -1:
    return isinstance(x, (int, float, complex, np.generic))


cdef object no_row(Overloads function, PyObject** args, Py_ssize_t n, PyObject* kwnames):
    """PyTorch's words, and the calls that there are."""
    cdef Py_ssize_t i
    given = [type(<object>args[i]).__name__ for i in range(n)]
    if kwnames != NULL:
        given += [f"{name}={type(<object>args[n + i]).__name__}" for i, name in enumerate(<tuple>kwnames)]
    calls = "\n".join([f" * ({', '.join(typed(row))})" for row in function.rows])
    return error("MG205", f"{function.__name__}() received an invalid combination of arguments - got "
                          f"({', '.join(given)}), but expected one of:\n{calls}")


cdef list typed(Op row):
    """The parameters of a row with their types, as in its schema."""
    cdef list words = []
    for i, (name, type_, default) in enumerate(zip(row.params, row.types, row.defaults)):
        if i == row.n_positional:
            words.append("*")
        words.append(f"{type_} {name}" if default is required else f"{type_} {name}={default!r}")
    return words


def joined(list signatures):
    """One signature for all: parameters by position as in the longest, or up to a spread one, then the keywords."""
    kinds = inspect.Parameter
    found = max([places(signature) for signature in signatures],
                key=lambda several: (several[-1].kind is kinds.VAR_POSITIONAL, len(several)))
    names = [each.name for each in found]
    keywords = []
    for signature in signatures:
        for each in signature.parameters.values():
            if each.name not in names:
                names.append(each.name)
                keywords.append(each.replace(kind=kinds.KEYWORD_ONLY))
    parameters = []
    for each in [*found, *keywords]:
        if each.kind is each.VAR_POSITIONAL:
            parameters.append(each)
            continue
        everywhere = all([each.name in signature.parameters for signature in signatures])
        if each.default is kinds.empty:
            defaults = [signature.parameters[each.name].default for signature in signatures
                        if each.name in signature.parameters]
            given = [default for default in defaults if default is not kinds.empty]
            each = each.replace(default=given[0] if given else kinds.empty if everywhere else None)
        parameters.append(each)
    return inspect.Signature(parameters)


def places(signature):
    return [each for each in signature.parameters.values() if each.kind is not each.KEYWORD_ONLY]


cdef Overloads an_overload = Overloads.__new__(Overloads)
declare_vectorcall(<PyObject*>Overloads, <char*>&an_overload.vectorcall - <char*><PyObject*>an_overload)
