"""The usual mistakes in a formula, and the numbers that they give.

A question of the player knows its right answer, which flowed through the engine.  It also knows the answers of people
who made one mistake: they forgot a factor, a sign or a transpose, or took the wrong operand.  Nobody wrote these down.
They are the formula with one change, computed:

    d * cos(self)               d                   the factor cos(self) is missing
                                cos(self)           what arrives, d, is missing
    d * (1 - result²)           d * 1               the term -result² is missing
                                d * (1 - result)    the exponent of result² is missing

A :class:`Derivation` keeps a formula, as notation/ writes it, and the values of its names.  The unchanged formula is
computed as well: only if it gives what the engine gave are its variants believed.
"""

import operator
from ast import literal_eval
from dataclasses import dataclass, fields, replace
from functools import reduce
from math import pi

import numpy as np

import minigrad
from minigrad._core.devices.meta import is_meta
from minigrad._core.errors import MinigradError
from minigrad._core.graph import Tensor
from minigrad._core.runtime.errstate import quiet
from minigrad.autograd.grad_mode import no_grad
from minigrad.notation.expressions import (Bar, Cases, Expression, Function, Infix, Item, Mark, Matmul, Name,
                                           Not, Number, Power, Product, Sum, negated)
from minigrad.ops.exports import NN_REGISTRY, REGISTRY, ROWS

__all__ = ["Derivation", "close", "derivation_of", "gradient_of", "mistakes"]

#: Variants are computed only if no value in the formula has more entries.
LARGEST = 1 << 14

#: What the computation of a variant may raise: its shapes need not fit, and its functions need not be public.
NOT_COMPUTED = (MinigradError, ArithmeticError, AttributeError, IndexError, KeyError, TypeError, ValueError)


@dataclass
class Derivation:
    """How a gradient was computed: copied, so that nothing is kept alive."""
    formula: Expression
    values: dict                # name -> an array, or a parameter
    result: np.ndarray          # what the engine computed
    itself: Expression = None   # d times the operation itself, if the operation is a function of one number


def derivation_of(op, formula, gradient, used, result):
    """The Derivation of a ``result``; None if something in it is large, or neither a plain array nor a parameter."""
    values = {"d": gradient, **used}
    if not all(map(can_be_copied, [*values.values(), result])):
        return None
    values = {name: copied(value) for name, value in values.items()}
    alone = list(used) == ["self"] and op.shown in REGISTRY and len(op.formulas) == 1
    itself = Product.of([Name("d"), Function(op.shown, (Name("self"),))]) if alone else None
    return Derivation(formula, values, copied(result), itself)


def can_be_copied(x):
    """No batch of vmap, no array without data, no list of tensors, nothing that is gone."""
    if isinstance(x, Tensor):
        x = x._array
    if isinstance(x, np.ndarray):
        return not is_meta(x) and x.size <= LARGEST
    parts = x if isinstance(x, (tuple, list)) else [x]
    return all([isinstance(part, (bool, int, float, complex, str, type(None))) for part in parts])


def copied(value):
    if isinstance(value, Tensor):
        value = value._array
    return value.copy() if isinstance(value, np.ndarray) else value


def close(a, b):
    """Could the two be the same answer, one of them rounded?"""
    return a.shape == b.shape and bool(np.allclose(a, b, rtol=2e-3, atol=1e-7, equal_nan=True))


def mistakes(derivation):
    """[(array, what is wrong)] for each single mistake that can be computed, the likeliest first."""
    with no_grad(), quiet():
        values = tensors_of(derivation.values)
        plain = computed(derivation.formula, values)
        if plain is None or not close(plain, derivation.result):
            return []
        found = [(computed(each, values), why) for each, why in variants(derivation.formula, tensors_in(values))]
        if derivation.itself is not None:
            name = derivation.itself.text()
            found.append((computed(derivation.itself, values),
                          f"this is {name}, with the function itself in place of its derivative"))
    return [(value, why) for value, why in found if value is not None]


def gradient_of(derivation, d):
    """What the formula would give if another gradient, the array ``d``, arrived; None if it cannot be computed."""
    with no_grad(), quiet():
        return computed(derivation.formula, tensors_of(derivation.values | {"d": d}))


def tensors_of(values):
    return {name: minigrad.tensor(value) if isinstance(value, np.ndarray) else value for name, value in values.items()}


def tensors_in(values):
    return [name for name, value in values.items() if isinstance(value, Tensor) and name != "d"]


# ------------------------------------------------------------------------------ a formula with one change

def variants(x, names):
    """(expression, what is wrong) for each change of one place."""
    yield from CHANGES.get(type(x), lambda x, names: ())(x, names)
    for field in fields(x):
        for part, why in changed(getattr(x, field.name), names):
            yield replace(x, **{field.name: part}), why


def changed(part, names):
    """The same for a part of an expression, which may be a tuple of parts."""
    if isinstance(part, Expression):
        yield from variants(part, names)
    elif isinstance(part, tuple):
        for i, each in enumerate(part):
            for other, why in changed(each, names):
                yield (*part[:i], other, *part[i + 1:]), why


def in_product(x, names):
    for i, (factor, _) in enumerate(x.above):
        rest = replace(x, above=(*x.above[:i], *x.above[i + 1:]))
        yield rest, ("what arrives, d, is missing: the chain rule multiplies by it" if factor == Name("d")
                     else f"the factor {factor.text()} is missing")
    for i, (divisor, often) in enumerate(x.below):
        rest = replace(x, below=(*x.below[:i], *x.below[i + 1:]))
        yield rest, f"the division by {divisor.text()} is missing"
        yield (replace(rest, above=(*x.above, (divisor, often))),
               f"this multiplies by {divisor.text()}, where it must divide")
    for side in ("above", "below"):
        pairs = getattr(x, side)
        for i, (factor, often) in enumerate(pairs):
            if often > 1:
                squared = Product.of([factor] * often).text()
                yield (replace(x, **{side: (*pairs[:i], (factor, often - 1), *pairs[i + 1:])}),
                       f"the exponent of {squared} is too small")


def in_sum(x, names):
    for i, term in enumerate(x.terms):
        others = x.terms[:i], x.terms[i + 1:]
        yield Sum((*others[0], *others[1])), f"the term {term.text()} is missing"
        yield Sum((*others[0], negated(term), *others[1])), f"the sign of the term {term.text()} is wrong"


def in_cases(x, names):
    (value, condition), *others = x.pairs
    if not others:
        yield Cases(((x.otherwise, condition),), value), "the two cases are the wrong way round"
        yield value, f"the gradient passes only where {condition.text()}"


def of_name(x, names):
    for other in names if x.name in names else ():
        if other != x.name:
            yield Name(other), f"the formula has {x.name} there, not {other}"


#: The changes of each form of expression.
CHANGES = {
    Product: in_product,
    Sum: in_sum,
    Cases: in_cases,
    Name: of_name,
    Power: lambda x, names: [(x.base, f"the exponent of {x.text()} is missing")],
    Mark: lambda x, names: [(x.base, f"{x.base.text()} must be transposed here")] if x.sign in "ᵀᴴ" else [],
    Bar: lambda x, names: [(x.base, f"the conjugate of {x.base.text()} is missing")],
    Matmul: lambda x, names: [
        (Matmul(x.right, x.left), "the two matrices are multiplied in the wrong order"),
        (Product.of([x.left, x.right]), "this multiplies entry by entry, where it must be a product of matrices")],
}


# ------------------------------------------------------------------------------ computing an expression

def computed(x, values):
    """The expression as an array; None if it cannot be computed."""
    try:
        found = value_of(x, values)
    except NOT_COMPUTED:
        return None
    if isinstance(found, (bool, int, float, complex, Tensor)):
        return np.array(found._array if isinstance(found, Tensor) else found)
    return None


def value_of(x, values):
    return RULES[type(x)](x, lambda part: value_of(part, values), values)


def of_product(x, of, values):
    factors = [of(factor) ** often if often > 1 else of(factor) for factor, often in x.above]
    above = reduce(operator.mul, factors, -1 if x.negative else 1)
    return reduce(operator.truediv, [of(divisor) ** often for divisor, often in x.below], above)


def of_cases(x, of, values):
    found = of(x.otherwise)
    for value, condition in reversed(x.pairs):
        found = minigrad.where(of(condition), of(value), found)
    return found


def of_infix(x, of, values):
    return INFIX[x.sign](of(x.left), of(x.right))


def of_function(x, of, values):
    name, arguments = {"ln": "log"}.get(x.name, x.name), list(map(of, x.arguments))
    if not any([isinstance(argument, Tensor) for argument in arguments]):
        arguments = [minigrad.tensor(float(argument)) for argument in arguments]         # ln(2)
    if name == "sum" and len(arguments) == 2:       # as in a softmax, where it meets the whole again
        return minigrad.sum(*arguments, keepdim=True)
    return (REGISTRY.get(name) or NN_REGISTRY.get(name) or ROWS[name])(*arguments)


def of_mark(x, of, values):
    base = of(x.base)
    return minigrad.linalg.inv(base) if x.sign == "⁻¹" else base.mT if x.sign == "ᵀ" else base.mH


INFIX = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
         ">=": operator.ge, "and": minigrad.logical_and, "or": minigrad.logical_or}

#: How each form of expression is computed.
RULES = {
    Name: lambda x, of, values: pi if x.name == "π" else values[x.name],
    Number: lambda x, of, values: literal_eval(x.written),
    Sum: lambda x, of, values: reduce(operator.add, map(of, x.terms)),
    Product: of_product,
    Power: lambda x, of, values: of(x.base) ** of(x.exponent),
    Mark: of_mark,
    Bar: lambda x, of, values: minigrad.conj(minigrad.as_tensor(of(x.base))),
    Matmul: lambda x, of, values: of(x.left) @ of(x.right),
    Infix: of_infix,
    Not: lambda x, of, values: minigrad.logical_not(of(x.inner)),
    Cases: of_cases,
    Function: of_function,
    Item: lambda x, of, values: of(x.sequence)[x.number],
}
