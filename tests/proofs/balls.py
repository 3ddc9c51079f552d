"""Kernels against ball arithmetic: how far each elementwise function is from what it means.

A *ball* is a number with a bound of its error.  Arb (python-flint) computes with balls: the result of each step
contains the true one.  So the meaning of a row (meanings.py), evaluated in balls of 200 bits, is known to all digits of
a float, and the error of the kernel can be counted.

The unit is an *ulp*, a unit in the last place of the true result; or, if that is more, what half an ulp of the inputs
changes: where a function has a zero, and few digits are left of a difference, no kernel can know more than it is given.
The points have all magnitudes; a result that no float can hold is not counted.
"""

import collections
import functools
import math
import sys
import zlib
from operator import methodcaller

import flint
import numpy as np
import sympy as s

from minigrad._core.dispatch.compute import on_arrays
from minigrad.ops import exports

from .meanings import ANY, DOMAINS, MEANINGS
from .symbolic import arguments_of, decided, variants

BITS, POINTS = 200, 400
Error = collections.namedtuple("Error", "ulp, at, found, true")


class Undecided(ArithmeticError):
    """Two numbers are too near to each other to be compared: the point lies on a kink, or beside one."""


def arb(x):
    """The ball of a SymPy number, or of a Fraction; what is a ball already stays what it is."""
    return x if isinstance(x, (flint.arb, flint.acb)) else flint.arb(flint.fmpq(int(x.p), int(x.q)))


def polygamma(n, x):
    """By Hurwitz' zeta function: psi_n(x) = (-1)^(n + 1) n! zeta(n + 1, x)."""
    n = int(n.unique_fmpz())
    return x.digamma() if n == 0 else (-1) ** (n + 1) * math.factorial(n) * flint.arb(n + 1).zeta(x)


def sign_of(x):
    """-1, 0 or 1; of a ball that contains 0 and other numbers it is not known."""
    x = x.real
    if x == 0:
        return 0
    if x.contains(0):
        raise Undecided("two numbers that are, or may be, equal")
    return 1 if x > 0 else -1


def holds(condition, values):
    """Is the condition true where its symbols have these values?"""
    if condition in (True, s.true):
        return True
    if condition in (False, s.false):
        return False
    parts = condition.args
    if isinstance(condition, s.core.relational.Relational):
        left, right = [ball(each, values) for each in parts]
        return bool(condition.func(s.Integer(sign_of(left - right)), 0))
    return {s.And: all, s.Or: any, s.Not: lambda found: not found[0]}[condition.func](
        [holds(each, values) for each in parts])


def extreme(which):
    return lambda *parts: functools.reduce(lambda x, y: x if sign_of(x - y) == which else y, parts)


FUNCTIONS = {
    **{function: methodcaller(function.__name__)
       for function in (s.exp, s.log, s.sin, s.cos, s.tan, s.asin, s.acos, s.atan, s.sinh, s.cosh, s.tanh, s.asinh,
                        s.acosh, s.atanh, s.erf, s.erfc, s.erfinv, s.gamma)},
    s.loggamma: methodcaller("lgamma"), s.polygamma: polygamma,
    s.atan2: flint.arb.atan2, s.besseli: lambda n, x: x.bessel_i(n), s.zeta: lambda n, x: n.zeta(x),
    s.lowergamma: lambda a, x: x.gamma_lower(a), s.uppergamma: lambda a, x: x.gamma_upper(a),
    s.Abs: abs, s.sign: lambda x: flint.arb(sign_of(x)), s.floor: flint.arb.floor,
    s.Max: extreme(1), s.Min: extreme(-1),
}


def ball(expression, values):
    """An enclosure of the expression where its symbols have these values; its guards are decided there."""
    if expression in values:
        return arb(values[expression])
    if expression.is_Rational:
        return arb(expression)
    if expression is s.pi:
        return flint.arb.pi()
    if expression is s.I:
        return flint.acb(0, 1)
    if expression is s.E:
        return flint.arb(1).exp()
    if expression.func is s.Piecewise:
        return ball(next(branch for branch, condition in expression.args if holds(condition, values)), values)
    parts = [ball(each, values) for each in expression.args]
    if expression.is_Add:
        return sum(parts, flint.arb(0))
    if expression.is_Mul:
        return math.prod(parts, start=flint.arb(1))
    if expression.is_Pow:
        exponent = expression.exp
        return parts[0].sqrt() if exponent == s.Rational(1, 2) else (
            parts[0] ** int(exponent) if exponent.is_Integer else parts[0] ** parts[1])
    return FUNCTIONS[expression.func](*parts)


def drawn(rng, domain):
    """A float in the interval, of any magnitude, in single precision too."""
    low, high = map(float, domain)
    while True:
        x = rng.uniform(low, high) if rng.random() < 0.5 else rng.choice([-1, 1]) * 2.0 ** rng.uniform(-30, 8)
        x = float(np.float32(x))
        if low < x < high or (domain == ANY or high == 3 and low == 0) and x > low and x != 0:
            return x


def errors(row, dtype, points=POINTS):
    """The greatest error of the kernel, as an Error; None if no point has a result."""
    rng = np.random.default_rng(zlib.crc32(row.name.encode()))
    greatest = None
    for variant in variants(row):
        arguments = arguments_of(row, variant)
        meaning = s.sympify(MEANINGS[row.name](*arguments.values()))
        domains = DOMAINS.get(row.name, {})
        for _ in range(points // len(variants(row))):
            given = {name: drawn(rng, domains.get(name, ANY)) if isinstance(value, s.Symbol) else value
                     for name, value in arguments.items()}
            error = error_at(row, meaning, arguments, given, dtype)
            if error is not None and (greatest is None or error.ulp > greatest.ulp):
                greatest = error
    return greatest


def argument(name, type_, value, dtype):
    if name in ("mask", "condition"):
        return np.asarray(value != 0)
    return np.asarray(value, dtype) if type_.startswith("Tensor") and value is not None else value


def ulp(x, dtype):
    with np.errstate(all="ignore"):
        return float(np.spacing(np.abs(np.asarray(x, dtype))))


@functools.lru_cache(1000)
def slope(expression, symbol):
    return s.diff(expression, symbol)


def shift(expression, symbol, point):
    """How much the result moves with an input; 0 where SymPy's derivative is not among Arb's functions."""
    try:
        return abs(float(ball(slope(expression, symbol), point)))
    except KeyError:
        return 0


def error_at(row, meaning, arguments, given, dtype):
    point = {symbol: s.Rational(given[name]) for name, symbol in arguments.items() if isinstance(symbol, s.Symbol)}
    with np.errstate(all="ignore"):
        found = float(on_arrays(row, *[argument(name, type_, given[name], dtype)
                                       for name, type_ in zip(arguments, row.types)]))
    precision, flint.ctx.prec = flint.ctx.prec, BITS
    try:
        smooth = decided(meaning, point)
        true = ball(smooth, point)
        shifts = [shift(smooth, symbol, point) * ulp(given[name], dtype) / 2
                  for name, symbol in arguments.items() if symbol in point]
    except (ValueError, ZeroDivisionError, OverflowError):
        return None
    finally:
        flint.ctx.prec = precision
    middle = float(true)
    unit = ulp(middle, dtype) + sum(shifts)
    if not math.isfinite(middle) or not math.isfinite(unit) or float(true.rad()) > unit / 8:
        return None
    if not abs(middle) >= np.finfo(dtype).tiny * 2:
        return None                     # denormal: some processors flush it
    return Error(abs(float(true - flint.arb(found))) / unit if math.isfinite(found) else math.inf, given, found, middle)


#: rows whose errors are larger than those of others, and why; the rest of them are within USUAL
USUAL = 5
LARGER = {
    "digamma": (16, "beside its zero at 1.46"),
    "erfcx_slope": (64, "two terms cancel for large numbers"), "hazard_gap": (32, "two terms cancel"),
    "hazard": (12, "a quotient of two functions"),
    "gelu_backward": (64, "1 - tanh^2, where tanh is nearly 1"),
    "pow_slope": (32, "the power is taken of a rounded exponent"),
    "pow_tensor_slope": (32, "the power is taken of a rounded exponent"),
    **dict.fromkeys(["lstm_gate_backward", "lstm_tanh_backward"],
                    (math.inf, "1 - tanh^2 and 1 - s, where both are nearly 1: 0 in place of less than 1e-16")),
    "igamma": (2000, "far tails: the exponent is rounded"), "igammac": (2000, "far tails: the exponent is rounded"),
    "gamma_density": (2000, "far tails: the exponent is rounded"),
}


def rows():
    """The elementwise rows that have a meaning; but not that of which the meaning is only its gradient's."""
    return [row for name, row in sorted(exports.ROWS.items())
            if row.kind == "elementwise" and name in MEANINGS and name != "variance"]


def main():
    """``python -m tests.proofs.balls``: the greatest error of each row, in double and in single precision."""
    print(f"{'row':32}   float64   float32   (ulp, or what half an ulp of the inputs changes)")
    for row in [row for row in rows() if row.name in sys.argv[1:] or not sys.argv[1:]]:
        found = [errors(row, dtype) for dtype in ("float64", "float32")]
        print(f"{row.name:32}" + "".join(["         -" if each is None else f"{each.ulp:10.2f}" for each in found])
              + f"   {LARGER.get(row.name, ('', ''))[1]}", flush=True)


if __name__ == "__main__":
    main()
