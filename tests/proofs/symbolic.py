"""Formulas as identities: each formula of an elementwise row equals the derivative of what the row means.

A formula of the table is a program (Note [Formulas as programs] in _core/backward/formulas.pyx).  Here it runs on
expressions of SymPy instead of arrays, each step by its meaning in meanings.py; and what comes out is compared with the
derivative of the row's own meaning, as expressions, so for all numbers at once.

Note [Regions]
--------------
A guard such as ``where(x > 0, x, 0)`` is another function on each side of its kink.  A point is drawn, and every guard,
in the formula and in the meaning, is decided there::

    where(x > 0, x, 0)      at x = 2/3:   x        on the whole region around that point, x > 0
                            at x = -1:    0        and around this one, x < 0

In the region of a point both are expressions without guards, whose difference must be zero.  Many points are drawn, and
each new pair of expressions is another identity.  Inputs that are held fixed are drawn as 0 too, which is where masks
change; the input that is differentiated is not, since a derivative at a kink is a convention.

For functions that are holomorphic the identity on a real interval is one for complex numbers as well, by the identity
theorem.  A formula calls rows of the table, so that derivatives of higher order are proved with those of first order.
"""

import functools
import random
from fractions import Fraction

import sympy as s

import minigrad
from minigrad._core.dispatch.op import signature
from minigrad.ops.schema import parse

from .meanings import ANY, DOMAINS, MEANINGS, VARIANTS, WITHOUT

POINTS = 24

# ------------------------------------------------------------------------------ numbers in formulas

#: What the table writes with ``math.sqrt(2 / math.pi)`` and the like arrives here as a float.
IRRATIONAL = [s.Integer(1), s.sqrt(s.pi), 1 / s.sqrt(s.pi), s.sqrt(2 * s.pi), 1 / s.sqrt(2 * s.pi), s.sqrt(2 / s.pi),
              s.log(2), 1 / s.log(2), s.log(10), 1 / s.log(10), s.pi, 1 / s.pi]


def exact(number):
    """The number that a float stands for: a fraction with a small denominator, or such a multiple of an irrational."""
    if isinstance(number, complex):
        return exact(number.real) + s.I * exact(number.imag)
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        return number
    if isinstance(number, int):
        return s.Integer(number)
    for unit in IRRATIONAL:
        ratio = Fraction(number / float(unit)).limit_denominator(10 ** 6)
        if abs(float(s.Rational(ratio) * unit) - number) <= 4e-16 * abs(number):
            return s.Rational(ratio) * unit
    return s.Rational(repr(number))


# ------------------------------------------------------------------------------ running a program on expressions


def arguments_of(row, variant):
    """{parameter: its symbol, or the value that the variant gives it}"""
    domains = DOMAINS.get(row.name, {})
    found = {}
    for name, type_, default, _ in parameters(row):
        if name in variant:
            found[name] = variant[name]
        elif type_.startswith(("Tensor", "Scalar", "float")):
            low, _ = domains.get(name, ANY)
            found[name] = s.Symbol(name, positive=True) if low >= 0 else s.Symbol(name, real=True)
        else:
            found[name] = default
    return found


@functools.cache
def parameters(row):
    """[(name, type, default, keyword only)], as the schema of the row has them."""
    return parse(row.name + "(" + signature(row).partition("(")[2])[1]


def run(program, registers, without=()):
    """What the program computes from these: the perturbation, and the values of the names of the formula."""
    registers = [*registers, *[s.Integer(0) if constant in without else exact(constant)
                               for constant in program.constants]]
    for op, places in program.steps:
        given = [registers[place] for place in places]
        rest = [default for *_, default, _ in parameters(op)[len(given):]]
        registers.append(MEANINGS[op.name](*given, *map(exact, rest)))
    return registers[program.result]


def formula_of(row, of):
    return next(formula for formula in row.formulas if formula.of == of)


def programs(row, of, variant):
    """The program of the formula; one that asks for a string is traced for the call of a node."""
    formula = formula_of(row, of)
    if not any([isinstance(value, str) for value in variant.values()]):
        return row.program(of)
    arguments = {name: variant.get(name, minigrad.ones((), dtype=minigrad.float64, requires_grad=name == of))
                 for name, *_ in parameters(row)}
    return row.program(of, row(**arguments).grad_fn) if formula.names else row.program(of)


def both_sides(row, of, variant):
    """(what the formula makes of a perturbation, the derivative of the meaning times the perturbation), symbols"""
    arguments = arguments_of(row, variant)
    meaning = MEANINGS[row.name](*arguments.values())
    known = {"result": meaning, **arguments}        # some rows have a parameter of that name
    d = s.Symbol("perturbation", real=True)
    formula = formula_of(row, of)
    ours = run(programs(row, of, variant), [d, *[known[name] for name in formula.names]], WITHOUT.get(row.name, ()))
    symbols = {name: value for name, value in arguments.items() if isinstance(value, s.Symbol)}
    return ours, meaning, d, symbols


# ------------------------------------------------------------------------------ Note [Regions]


def drawn(rng, row, symbols, of):
    """A point, off the kinks of the input ``of``."""
    domains, point = DOMAINS.get(row.name, {}), {}
    for name, symbol in symbols.items():
        low, high = domains.get(name, ANY)
        if low < 0 and name != of and rng.random() < 0.2:
            point[symbol] = s.Integer(0)
        else:
            point[symbol] = low + (high - low) * s.Rational(rng.randrange(1, 997), 997)
    return point


def decided(expression, point):
    """The expression without guards that agrees with this one in the region of the point."""
    if isinstance(expression, bool):
        return s.true if expression else s.false
    if not getattr(expression, "args", ()) or not expression.has(
            s.Piecewise, s.Abs, s.sign, s.floor, s.Max, s.Min, s.core.relational.Relational):
        return expression
    if isinstance(expression, s.Piecewise):
        for branch, condition in expression.args:
            if holds(condition, point):
                return decided(branch, point)
        raise ValueError(f"no branch of {expression} at {point}")
    if isinstance(expression, s.logic.boolalg.Boolean):
        return s.true if holds(expression, point) else s.false
    parts = [decided(each, point) for each in expression.args]
    if isinstance(expression, (s.Max, s.Min)):
        choose = max if isinstance(expression, s.Max) else min
        return choose(parts, key=lambda part: part.subs(point).evalf(30))
    if isinstance(expression, (s.Abs, s.sign, s.floor)):
        value = parts[0].subs(point)
        if isinstance(expression, s.floor):
            return s.floor(value)
        direction = s.sign(value.evalf(30)) if not value.is_rational else s.sign(value)
        return direction * (parts[0] if isinstance(expression, s.Abs) else 1)
    return expression.func(*parts)


def holds(condition, point):
    """Is the condition true at the point?"""
    if condition in (True, s.true):
        return True
    if condition in (False, s.false):
        return False
    if isinstance(condition, (s.And, s.Or, s.Not)):
        parts = [holds(each, point) for each in condition.args]
        return {s.And: all, s.Or: any, s.Not: lambda found: not found[0]}[condition.func](parts)
    if isinstance(condition, s.core.relational.Relational):
        left, right = [decided(each, point).subs(point) for each in (condition.lhs, condition.rhs)]
        gap = left - right
        if not gap.is_Rational:
            gap = gap.evalf(40)
            gap = s.Integer(0) if abs(gap) < 1e-30 else gap
        return bool(condition.func(gap, 0))
    raise ValueError(f"{condition} is not decided at {point}")


def is_zero(expression):
    """Is this zero for all values of its symbols?  True only if SymPy shows it by algebra."""
    for way in (lambda e: e, s.expand, lambda e: s.cancel(s.together(e)), s.simplify,
                lambda e: s.simplify(s.expand_func(e)), lambda e: s.simplify(s.expand(e.rewrite(s.exp))),
                lambda e: s.simplify(s.expand(s.powsimp(s.expand(e.rewrite(s.exp)), force=True))),
                lambda e: s.simplify(e.rewrite(s.erf)),
                lambda e: s.simplify(s.gammasimp(e))):
        if way(expression) == 0:
            return True
    return False


class Refuted(AssertionError):
    """The formula is not the derivative of the meaning."""


class Refused(Exception):
    """The formula says that there is no derivative."""


class Unproved(Exception):
    """SymPy can neither show that the two are equal, nor that they differ."""


def prove(row, of, points=POINTS):
    """How many identities were proved of this formula.

    Raises Refuted, with a point, where the formula differs from the derivative; Unproved where nothing is known.
    """
    rng, proved = random.Random(f"{row.name} {of}"), set()
    if any([op.name == "underived" for op, _ in programs(row, of, variants(row)[0]).steps]):
        raise Refused(f"{row.name}, {of}: there is no derivative in closed form, and asking for it is an error")
    for variant in variants(row):
        if of in variant:
            continue                    # it is left out
        ours, meaning, d, symbols = both_sides(row, of, variant)
        for _ in range(points):
            point = drawn(rng, row, symbols, of)
            zeros = {symbol: value for symbol, value in point.items() if value == 0}
            mine = decided(s.sympify(ours), point).subs(zeros)
            theirs = (d * s.diff(decided(s.sympify(meaning), point), symbols[of])).subs(zeros)
            identity = mine - theirs
            if identity in proved or theirs.has(s.zoo, s.nan):      # nan: not where the row is defined
                continue
            if not is_zero(identity):
                value = identity.subs(point).subs(d, 3).evalf(40)
                if value.is_number and abs(value) > 1e-25:
                    raise Refuted(f"{row.name}, {of}: at {point} the formula is {mine}, and the derivative {theirs}")
                raise Unproved(f"{row.name}, {of}: {mine} - ({theirs})")
            proved.add(identity)
    return len(proved)


def variants(row):
    """The calls whose formulas are compared: with values for what is not a real number, with and without options."""
    if row.name in VARIANTS:
        return VARIANTS[row.name]
    found = [{}]
    for name, type_, _, _ in parameters(row):
        if type_.endswith("?"):
            found = [{**each, **more} for each in found for more in ({}, {name: None})]
    return found
