"""The steps of a formula on balls: each step computes what its row means.

A formula runs as its text, at a level (func/interpreters.py) whose tensors carry an array of balls beside their floats.
The floats decide what a formula may ask of its tensors: shapes, dtypes, which elements are chosen.  On balls a step is
the meaning of its row: for a general row that of array_meanings.py and its neighbours, for an elementwise one the
expression of meanings.py, and for a linear one its own matrix, found from the basis; exact.py shows that it is one.
"""

import functools
import operator
from fractions import Fraction

import flint
import numpy as np
import sympy as s

from minigrad._core.dispatch.compute import on_arrays
from minigrad._core.dispatch.levels import apply, taken_apart, wrap_level
from minigrad._core.graph import Tensor
from minigrad.func.interpreters import Tape

from . import array_meanings, decompositions, fourier_meanings, meanings, network_meanings
from .balls import ball
from .duals import I, Number, mapped, number, numbers
from .exact import KINDS
from .symbolic import exact, parameters

MEANINGS = {**array_meanings.MEANINGS, **network_meanings.MEANINGS, **decompositions.MEANINGS,
            **fourier_meanings.MEANINGS}


class Unproved(Exception):
    """What is needed is not known."""


class Enclosing(Tape):
    """A level on which each tensor of floating point or complex numbers has balls: ``payload.balls``."""

    def process(self, op, args, level):
        _, payloads = taken_apart(args, level)
        result = apply(op, payloads)
        several = result if isinstance(result, (tuple, list)) else [result]
        enclosures = step(op, [with_balls(each) for each in payloads])
        out = []
        for each, enclosure in zip(several, enclosures):
            if enclosure is not None:
                each.balls = np.asarray(enclosure, object).reshape(tuple(each.shape))
            out.append(wrap_level(each, level))
        return tuple(out) if isinstance(result, (tuple, list)) else out[0]


def with_balls(x):
    """(floats, balls) of a tensor, lists of both, or anything else twice."""
    if isinstance(x, (list, tuple)) and any([isinstance(each, Tensor) for each in x]):
        pairs = [with_balls(each) for each in x]
        return [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    if not isinstance(x, Tensor):
        return x, x
    array = x._array
    if array.dtype.kind not in "fc":
        return array, array
    return array, x.balls if hasattr(x, "balls") else numbers(array)


def step(op, pairs):
    """The enclosures of the outputs of a row, from the floats and the balls of its arguments."""
    floats, enclosed = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    return meaning_of(op, floats, enclosed)


def meaning_of(op, floats, enclosed):
    if op.name in MEANINGS:
        found = MEANINGS[op.name](*enclosed)
        return found if isinstance(found, tuple) else (found,)
    if op.name in meanings.MEANINGS and op.kind in ("elementwise", "piecewise_constant"):
        return (elementwise(op, enclosed),)
    if op.kind in ("not_differentiable", "piecewise_constant"):
        return [numbers(each) if each.dtype.kind in "fc" else None for each in outputs_of(op, floats)]
    return by_its_matrix(op, floats, enclosed)


def elementwise(op, arguments):
    """The expression of meanings.py for each element."""
    names = [name for name, *_ in parameters(op)]
    arrays = {name: each for name, each in zip(names, arguments) if isinstance(each, np.ndarray)}
    holomorphic = any([x.value.imag != 0 for each in arrays.values() if each.dtype == object for x in each.flat])
    symbols = {name: s.Symbol(name) if holomorphic else s.Symbol(name, real=True) for name in arrays}
    expression = s.sympify(meanings.MEANINGS[op.name](
        *[symbols[name] if name in symbols else exact(each) for name, each in zip(names, arguments)]))

    def at(*elements):
        values = [x.value if isinstance(x, Number) else flint.acb(int(x)) for x in elements]
        if not holomorphic:
            values = [x.real for x in values]
        return Number(flint.acb(ball(expression, dict(zip(symbols.values(), values)))))
    return mapped(at, *arrays.values())


def by_its_matrix(op, floats, enclosed):
    """A row that is linear in some inputs, together or one by one, is a sum of what it makes of the basis."""
    if op.kind not in KINDS:
        raise Unproved(f"its formula calls {op.name}, whose meaning is not written down yet")
    places = inputs_of(op, floats)
    if op.kind in ("multilinear", "windows") and len(places) > 1:
        first, second = places
        return total([[each * part for each in image(op, replaced(floats, first, unit), second, enclosed)]
                      for unit, part in basis(taken(enclosed, first), taken(floats, first))])
    zeros = functools.reduce(lambda arguments, place: replaced(arguments, place, 0 * taken(floats, place)), places,
                             floats)
    return total([image(op, zeros, place, enclosed) for place in places])


def inputs_of(op, floats):
    """The places of the arrays that have formulas: (argument, None), or (argument, number) in a list."""
    of, found = {formula.of for formula in op.formulas}, []
    for i, (name, *_) in enumerate(parameters(op)):
        if name in of:
            several = floats[i] if isinstance(floats[i], (list, tuple)) else [floats[i]]
            found += [(i, k if several is floats[i] else None) for k, each in enumerate(several)
                      if isinstance(each, np.ndarray)]
    return found


def image(op, floats, place, enclosed):
    """What a linear row makes of the balls at one place."""
    columns = [[rational(each, part) for each in outputs_of(op, replaced(floats, place, unit))]
               for unit, part in basis(taken(enclosed, place), taken(floats, place))]
    return total(columns) if columns else [numbers(each) for each in outputs_of(op, floats)]


def outputs_of(op, floats):
    found = on_arrays(op, *floats)
    return found if isinstance(found, (list, tuple)) else [found]


def total(several):
    """The sums of first outputs, of second outputs, ..."""
    return [functools.reduce(operator.add, each) for each in zip(*several)]


def basis(x, like):
    """(basis vector, the real number that belongs to it); of complex arrays twice as many."""
    for i in np.ndindex(x.shape):
        unit = np.zeros_like(like)
        unit[i] = 1
        yield unit, x[i].real
        if like.dtype.kind == "c":
            yield unit * 1j, x[i].imag


def rational(column, part):
    """A column of a matrix times a number; its entries are the fractions that the floats stand for."""
    out = np.full(column.shape, number(0), object)
    for i, entry in np.ndenumerate(column):
        if entry:
            re, im = [fraction(each) for each in (entry.real, entry.imag)]
            out[i] = part * number(re) if not im else part * (number(re) + I * number(im))
    return out


def fraction(entry):
    """The fraction that a rounded entry is: those with such denominators are far apart."""
    found = Fraction(float(entry)).limit_denominator(10 ** 5)
    if abs(float(found) - entry) > 1e-14 * abs(entry):
        raise Unproved("its formula calls a linear row whose matrix is not one of fractions")
    return found


def taken(arguments, place):
    i, k = place
    return arguments[i] if k is None else arguments[i][k]


def replaced(arguments, place, x):
    i, k = place
    here = x if k is None else [*arguments[i][:k], x, *arguments[i][k + 1:]]
    return [*arguments[:i], here, *arguments[i + 1:]]
