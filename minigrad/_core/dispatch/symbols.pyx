"""Symbols: what a formula is called with when it is traced.

The formulas of the table are written for Tensors, but a plain backward pass has arrays.  So each is called once with
Symbols, to find out which ops it applies to what; from then on these ops run, on arrays (Note [Formulas as programs] in
formulas.pyx).  A Symbol computes nothing.  Whatever is done to it, by an operator (here) or by a call of an op of the
table (`call_unheard` in call.pyx), is noted down in its Tracer::

    d * (1 - result)        step 0: words.sub on 1 and result        step 1: words.mul on d and step 0

`words` are the few ops of the table that the core itself applies (core_ops.pyx).  What becomes of the steps comes
next, in formulas.pyx.
"""

from minigrad._core.graph cimport Tensor
from minigrad._core.runtime.core_ops cimport words
from minigrad._core.runtime.python_api cimport PyObject, Py_EQ, Py_GT, Py_LE, Py_LT, Py_NE


class Untraceable(TypeError):
    """A formula did with a Symbol what only a value can do, or computed with more than its arguments."""


cdef class Tracer:
    """The list of steps of one formula."""

    def __cinit__(self, int n_inputs):
        self.n_inputs = n_inputs
        self.steps = []
        self.constants = []


cdef class Symbol:
    """Stands for a value while a formula is traced."""

    def __add__(self, other):
        return emit(words.add, [self, other])

    def __radd__(self, other):
        return emit(words.add, [other, self])

    def __sub__(self, other):
        return emit(words.sub, [self, other])

    def __rsub__(self, other):
        return emit(words.sub, [other, self])

    def __mul__(self, other):
        return emit(words.mul, [self, other])

    def __rmul__(self, other):
        return emit(words.mul, [other, self])

    def __truediv__(self, other):
        return emit(words.div, [self, other])

    def __rtruediv__(self, other):
        return emit(words.div, [other, self])

    def __pow__(self, other, modulo):
        return emit(words.pow_tensor, [self, other])

    def __rpow__(self, other):
        return emit(words.pow_tensor, [other, self])

    def __matmul__(self, other):
        return emit(words.mm, [self, other])

    def __neg__(self):
        return emit(words.neg, [self])

    def __richcmp__(self, other, int comparison):
        if comparison == Py_EQ:
            return emit(words.eq, [self, other])
        if comparison == Py_NE:
            return emit(words.ne, [self, other])
        if comparison == Py_LT:
            return emit(words.lt, [self, other])
        if comparison == Py_LE:
            return emit(words.le, [self, other])
        if comparison == Py_GT:
            return emit(words.gt, [self, other])
        return emit(words.ge, [self, other])

    def __hash__(self):
        return id(self)

    def __bool__(self):
        raise Untraceable("a formula may not branch on a value")

    def __iter__(self):
        raise Untraceable("a formula may not unpack a value")

    def __getitem__(self, index):
        raise Untraceable("a formula may not index a value")

    def __getattr__(self, name):
        raise Untraceable(f"a formula may not read the attribute {name}")


cdef bint has_symbol(PyObject** args, int n) except -1:
    """Is one of the `n` arguments a Symbol, or a list that has one in it?"""
    cdef int i
    for i in range(n):
        if type(<object>args[i]) is Symbol:
            return True
        if type(<object>args[i]) is list or type(<object>args[i]) is tuple:
            for x in <object>args[i]:
                if type(x) is Symbol:
                    return True
    return False


cpdef object emit(object op, list args):
    """Note down that ``op`` is applied to ``args``, one or more of which are Symbols; the Symbol of the result."""
    cdef Tracer tracer = None
    cdef list bound = list(op.defaults)
    cdef int options = op.n_positional if op.plain is not None else len(bound)      # where they begin
    for x in args:
        for y in (x if type(x) in (list, tuple) else (x,)):
            if type(y) is Symbol:
                tracer = (<Symbol>y).tracer
    bound[:len(args)] = args
    # Options at their defaults are left out: Note [Options] in op.pyx.
    if all([x is default for x, default in zip(bound[options:], op.defaults[options:])]):
        bound = bound[:options]
    tracer.steps.append((op, [key_of(tracer, x) for x in bound]))
    return symbol(tracer, ("step", len(tracer.steps) - 1))


cdef Symbol symbol(Tracer tracer, tuple key):
    """A Symbol: an input of the formula, or the result of a step."""
    cdef Symbol s = Symbol.__new__(Symbol)
    s.tracer = tracer
    s.key = key
    return s


cdef object key_of(Tracer tracer, object x):
    """The key of a Symbol; anything else becomes a constant of the formula, and gets one."""
    if type(x) is Symbol:
        return (<Symbol>x).key
    if type(x) in (list, tuple) and any([type(y) is Symbol for y in x]):
        raise Untraceable("a formula may not build a list of values")
    if isinstance(x, Tensor):
        raise Untraceable("a formula may not compute with a tensor of its own")
    tracer.constants.append(x)
    return ("constant", len(tracer.constants) - 1)
