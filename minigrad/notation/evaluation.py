"""The numbers of an expression, computed as it is written, sign by sign.

A formula that is printed must be the one that was computed, so its numbers can be asked for::

    value_of(d * (1 - result²), {Name("d"): ..., Name("result"): ...})

Names are looked up among those that are given.  A function is its row; one that has no row of this name is here.
"""

import operator
from ast import literal_eval
from math import e, log, pi, sqrt

import numpy as np

from minigrad._core.dispatch.levels import apply
from minigrad._core.dispatch.op import Op
from minigrad._core.graph import Tensor, wrap
from minigrad.notation.expressions import (HOLE, Bar, Cases, Cotangent, Function, Hole, Index, Indexed, Infix, Item,
                                           Mark, Matmul, Name, Not, Number, Part, Power, Product, Run, Series, Sum,
                                           SumOver, Tangent, With)
from minigrad.ops.exports import NN_REGISTRY, REGISTRY, ROWS

__all__ = ["value_of"]

SIGNS = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
         ">=": operator.ge, "and": operator.and_, "or": operator.or_}
CONSTANTS = {"π": pi, "e": e}


def value_of(x, names):
    """The value of an expression: a Tensor, a number, or what else an argument may be.  ``names`` has the values of
    names and of cotangents, {expression: value}, and the number of an index by its symbol, {Name("t"): 3}."""
    return VALUES[type(x)](x, lambda part: value_of(part, names), names)


def function(x, value, names):
    arguments = []
    for part in x.arguments:
        arguments += each_of(part, names) if isinstance(part, Run) else [value(part)]
    if x.name in ("view", "unsafe_view") and type(arguments[1]) in (tuple, list):
        return arguments[0].reshape(arguments[1])       # whatever the memory of the numbers is that stand for it here
    called = x.op or OWN.get(x.name) or ROWS.get(x.name) or REGISTRY.get(x.name) or NN_REGISTRY.get(x.name)
    if isinstance(called, Op):
        return apply(called, [*arguments, *called.defaults[len(arguments):]])
    return called(*arguments)


def product(x, value, names):
    out = 1
    for pairs, combined in ((x.above, operator.mul), (x.below, operator.truediv)):
        for factor, often in pairs:
            for _ in range(often):
                out = combined(out, value(factor))
    return -out if x.negative else out


def cases(x, value, names):
    out = value(x.otherwise)
    for each, condition in reversed(x.pairs):
        out = ROWS["where.self"](value(condition), value(each), out)
    return out


def marked(x, value, names):
    base = value(x.base)
    return base.inverse() if x.sign == "⁻¹" else base.mH if x.sign == "ᴴ" else base.mT if base.ndim > 1 else base


def part(x, value, names):
    bounds = [*map(value, x.bounds)]
    return value(x.base)[(*[slice(None)] * x.dim, slice(*bounds) if len(bounds) > 1 else bounds[0])]


def with_part(x, value, names):
    """Written into a view of a copy; where the place is not a view, into the elements that it shows."""
    whole = value(x.base).detach().contiguous().clone()
    part = value(x.part)
    part = part if isinstance(part, Tensor) else wrap(np.asarray(part))
    place = value_of(x.place, {**names, HOLE: whole})
    if np.may_share_memory(place.numpy(), whole.numpy()):
        place.copy_(part)
        return whole
    numbers = wrap(np.arange(whole.numel()).reshape(whole.shape))
    at = value_of(x.place, {**names, HOLE: numbers}).numpy()
    array = whole.numpy().reshape(-1)
    array[at.reshape(-1)] = np.broadcast_to(part.numpy(), at.shape).reshape(-1)
    return whole


def each_of(x, names):
    """The values of the terms of a series."""
    return [value_of(x.term, {**names, Name(x.symbol): number}) for number in x.numbers]


def series(x, value, names):
    first, *others = each_of(x, names)
    return sum(others, first)


def number(x, value, names):
    return x.value if x.value is not None else literal_eval(x.written)


VALUES = {
    Name: lambda x, value, names: CONSTANTS[x.name] if x.name in CONSTANTS and x not in names else names[x],
    Cotangent: lambda x, value, names: names[x],
    Tangent: lambda x, value, names: names[x],
    Number: number,
    Sum: lambda x, value, names: sum([value(term) for term in x.terms[1:]], value(x.terms[0])),
    Product: product,
    Power: lambda x, value, names: value(x.base) ** value(x.exponent),
    Mark: marked,
    Bar: lambda x, value, names: value(x.base).conj(),
    Matmul: lambda x, value, names: value(x.left) @ value(x.right),
    Infix: lambda x, value, names: SIGNS[x.sign](value(x.left), value(x.right)),
    Not: lambda x, value, names: value(x.inner).logical_not(),
    Cases: cases,
    Function: function,
    Item: lambda x, value, names: value(x.sequence)[value(x.number) if isinstance(x.number, Index) else x.number],
    Part: part,
    Index: lambda x, value, names: x.at(names[Name(x.symbol)]),
    Indexed: lambda x, value, names: names[x.at(names[Name(x.index.symbol)])],
    Series: series,
    Hole: lambda x, value, names: names[x],
    With: with_part,
    SumOver: lambda x, value, names: value(x.base).sum(x.axes) if x.axes else value(x.base),
}

#: Functions of the notation that the table has not, or by other names.
OWN = {
    "ln": lambda x: x.log() if isinstance(x, Tensor) else log(x),
    "sqrt": lambda x: x.sqrt() if isinstance(x, Tensor) else sqrt(x),
    "list": lambda *parts: list(parts),
    "sum": lambda x, *options: x.sum(*options),
    "expand": lambda x, size: (x if isinstance(x, Tensor) else wrap(np.asarray(x, np.float32))).expand(size),
    "restore_dims": lambda x, *dims: ROWS["restore_dims"](x, *dims) if isinstance(x, Tensor) else x,
}
