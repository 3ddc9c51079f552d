"""Symbols: what a formula is called with when it is traced, see Note [Formulas as programs] in formulas.pyx.

A Symbol computes nothing.  Whatever is done to it, by an operator or by a call of a table op, is noted down
in its Tracer.
"""

class Untraceable(TypeError):
    """A formula asked a symbol for its value."""


cdef class Tracer:
    """The list of steps of one formula."""

    def __cinit__(self, int n_inputs):
        self.n_inputs = n_inputs
        self.steps = []
        self.constants = []


cdef class Symbol:
    """Stands for a value while a formula is traced."""

    def __add__(self, other):
        return emit_operator("add", self, other)

    def __radd__(self, other):
        return emit_operator("add", other, self)

    def __sub__(self, other):
        return emit_operator("sub", self, other)

    def __rsub__(self, other):
        return emit_operator("sub", other, self)

    def __mul__(self, other):
        return emit_operator("mul", self, other)

    def __rmul__(self, other):
        return emit_operator("mul", other, self)

    def __truediv__(self, other):
        return emit_operator("div", self, other)

    def __rtruediv__(self, other):
        return emit_operator("div", other, self)

    def __pow__(self, other, modulo):
        return emit_operator("pow_tensor", self, other)

    def __rpow__(self, other):
        return emit_operator("pow_tensor", other, self)

    def __matmul__(self, other):
        return emit_operator("mm", self, other)

    def __neg__(self):
        return emit_operator("neg", self)

    def __richcmp__(self, other, int comparison):
        return emit_operator(("lt", "le", "eq", "ne", "gt", "ge")[comparison], self, other)

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


cdef dict _operators = {}


def register(operators):
    """The ops behind the operators of a Symbol, by name."""
    _operators.update(operators)


cdef object emit_operator(str name, object a, object b=None):
    return emit(_operators[name], [a] if b is None else [a, b])


cpdef object emit(object op, list args):
    """Note down that ``op`` is applied to ``args``, some of which are Symbols; returns the Symbol of the result."""
    cdef Tracer tracer = None
    cdef list registers = list(op.defaults)
    for x in args:
        for y in (x if type(x) in (list, tuple) else (x,)):
            if type(y) is Symbol:
                tracer = (<Symbol>y).tracer
    registers[:len(args)] = args
    tracer.steps.append((op, [key_of(tracer, x) for x in registers]))
    return symbol(tracer, ("step", len(tracer.steps) - 1))


cdef Symbol symbol(Tracer tracer, tuple key):
    cdef Symbol s = Symbol.__new__(Symbol)
    s.tracer = tracer
    s.key = key
    return s


cdef object key_of(Tracer tracer, object x):
    if type(x) is Symbol:
        return (<Symbol>x).key
    if type(x) in (list, tuple) and any([type(y) is Symbol for y in x]):
        raise Untraceable("a formula may not build a list of values")
    tracer.constants.append(x)
    return ("constant", len(tracer.constants) - 1)
