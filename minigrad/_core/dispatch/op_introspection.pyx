"""What Python sees of an operation: the classes of its nodes, the tuples of its results, its signature.

None of it takes part in a computation.  It is made the first time that somebody looks.
"""

import inspect
import sys
from keyword import iskeyword

import numpy as np

from minigrad._core.graph cimport Node, new_tensor
from minigrad._core.graph.saved_tensor_hooks cimport raw_slot
from minigrad._core.graph.saved_tensors cimport shown_slot


# ------------------------------------------------------------------------------ places

def public_place(function, str name):
    """(the module where programs find the function, its name there): ``linalg_det`` is ``det`` of ``linalg``."""
    head, _, short = name.partition("_")
    for module, each in (("minigrad", name), (f"minigrad.{head}", short), ("minigrad.nn.functional", name)):
        if each and module in sys.modules and getattr(sys.modules[module], each, None) is function:
            return module, each
    return None, name


# ------------------------------------------------------------------------------ nodes

# Note [A node's public class]
# ----------------------------
# `type(y.grad_fn).__name__` is "MulBackward0", and MulBackward0 carries the properties _saved_self
# and _saved_other: one class per row, made from the row.  Creating an instance of such a class is
# slower than a whole multiplication, and almost no node is ever looked at.  So nodes are born as plain
# Nodes, and get their public class when Python first sees them (`publish` in graph.pyx).  That changes only
# the type of the object, for which the classes must add no fields (__slots__ = ()), so that the memory layout is the
# same.  Nor does the cyclic collector track their instances, but for those that have hooks (graph.pyx).

def node_class(op, str node_name):
    """The class of the nodes of ``op``, with the properties _saved_self, _raw_saved_self and so on of its slots."""
    body = {"__slots__": (), "__module__": "minigrad._core.graph"}
    inputs = {name for name, type_ in zip(op.params, op.types) if type_.startswith("Tensor")}
    outputs = set(op.outputs or ("result",)) - {*op.params}
    for i, slot in enumerate(op.slots):
        attribute = op.renamed.get(slot, slot[:-6] + "_sym_sizes" if slot.endswith("_shape") else slot)
        body[f"_saved_{attribute}"] = property(saved_getter(i, slot in inputs, slot in op.int_lists))
        if slot in inputs or slot in outputs:
            body[f"_raw_saved_{attribute}"] = property(raw_getter(i))
    for name, value in op.constants.items():
        body[f"_saved_{name}"] = value
    return type(node_name, (Node,), body)


def saved_getter(int i, bint tensor, bint ints):
    def saved(Node self not None):
        value = shown_slot(self, i)
        if ints and isinstance(value, int):
            return (value,)                             # x.sum(0): PyTorch's dim is a list
        if tensor and isinstance(value, (int, float, complex)):
            return new_tensor(np.asarray(value))        # x * 2: PyTorch shows the number as a tensor
        return value
    return saved


def raw_getter(int i):
    def raw(Node self not None):
        return raw_slot(self, i)
    return raw


# ------------------------------------------------------------------------------ results

def named_results(str name, tuple fields):
    """The class of several named outputs, printed as PyTorch prints it."""
    body = {field: property(item_getter(i)) for i, field in enumerate(fields)}
    body["__new__"] = lambda cls, *values: tuple.__new__(cls, values)
    body["__repr__"] = lambda self: (f"torch.return_types.{name}(\n"
                                     + ",\n".join([f"{f}={v!r}" for f, v in zip(fields, self)]) + ")")
    body["__reduce__"] = lambda self: (tuple, (list(self),))
    body["_fields"] = fields
    body["__module__"] = "torch.return_types"
    return type(name, (tuple,), body)


def item_getter(int i):
    def item(self):
        return self[i]
    return item


# ------------------------------------------------------------------------------ signatures

class Type(str):
    """A type in a schema, which ``help()`` shows without quotes."""
    __repr__ = str.__str__


def signature_of(op, required):
    """What ``help()`` shows, with the types of the schema; ``required`` is the default of parameters without one.

    A keyword of Python cannot be a name there: ``from`` is ``from_``, as in PyTorch's stubs.  What is ``*size`` can be
    given as one tuple too, also by name.
    """
    P = inspect.Parameter
    return inspect.Signature([P(name + "_" * iskeyword(name),
                                P.VAR_POSITIONAL if i == op.spread else
                                P.POSITIONAL_OR_KEYWORD if i < op.n_positional else P.KEYWORD_ONLY,
                                default=P.empty if op.defaults[i] is required else op.defaults[i],
                                annotation=Type(op.types[i].removesuffix("...")))
                              for i, name in enumerate(op.params)])


# ------------------------------------------------------------------------------ programs

def program_as_text(program):
    """A formula as a list of steps, ``r2 = mul(r0, r1)``; constants are written out."""
    cdef int first = program.n_inputs + len(program.constants)

    def name(r):
        constant = program.n_inputs <= r < first
        return repr(program.constants[r - program.n_inputs]) if constant else f"r{r}"

    lines = [f"r{first + i} = {op.shown}({', '.join([name(r) for r in registers])})"
             for i, (op, registers) in enumerate(program.steps)]
    results = (program.result,) if program.results is None else program.results
    return "\n".join(lines + [f"return {', '.join([f'r{r}' for r in results])}"])
