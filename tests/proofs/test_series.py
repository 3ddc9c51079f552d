"""Series in balls: coefficients of every elementwise row along a curve, to order ten, in Arb's power series.

The meaning of a row (meanings.py) is evaluated on power series whose coefficients are balls of 200 bits.  That shares
nothing with Taylor mode but the point: Arb composes series by Newton's method, and no formula of the table has a part
in it.
"""

import math
import zlib
from operator import methodcaller

import numpy as np
import pytest

pytest.importorskip("sympy")
flint = pytest.importorskip("flint")

import sympy as s

import minigrad as torch
from minigrad.func import jet
from minigrad.func.taylor_mode import Taylor
from tests.proofs import balls
from tests.proofs.meanings import ANY, DOMAINS, MEANINGS
from tests.proofs.symbolic import arguments_of, decided, variants

ORDER = 10
ROWS = balls.rows()
#: parameters in which there is no derivative, which is an error
HELD = dict.fromkeys(["igamma", "igammac", "gamma_density", "special_zeta"], "self")

# ------------------------------------------------------------------------------ series of balls


def constant(x):
    return flint.arb_series([x])


def by_exponentials(x):
    """sinh and cosh."""
    up, down = x.exp(), (-x).exp()
    return (up - down) / 2, (up + down) / 2


def through(derivative, x):
    """A function whose k-th derivative at the point is ``derivative(k)``, of a series.

    That is Taylor's polynomial of x - x0.
    """
    step, total = x - x.coeffs()[0], constant(0)
    for k in reversed(range(ORDER + 1)):
        total = total * step + derivative(k) / math.factorial(k)
    return total


def first(x):
    """The coefficient of a constant, or the value of another series."""
    return x.coeffs()[0] if x.coeffs() else flint.arb(0)


def polygamma(n, x):
    return through(lambda k: balls.polygamma(first(n) + k, first(x)), x)


def zeta(n, x):
    """Hurwitz' zeta function; each derivative in x is -n times that of n + 1."""
    rising = lambda k: math.prod([-(first(n) + i) for i in range(k)], start=flint.arb(1))
    return through(lambda k: rising(k) * (first(n) + k).zeta(first(x)), x)


def bessel_i(n, x):
    """Each derivative is half the sum of the neighbours on both sides."""
    return through(lambda k: sum([math.comb(k, j) * first(x).bessel_i(first(n) - k + 2 * j) for j in range(k + 1)])
                   / 2 ** k, x)


def erfinv(x):
    """By Newton's method, which doubles the number of coefficients each time."""
    y = constant(first(x).erfinv())
    for _ in range(ORDER.bit_length()):
        y = y - (y.erf() - x) * (y * y).exp() * flint.arb.pi().sqrt() / 2
    return y


def atan2(y, x):
    """From the quotient that is at most 1, moved to the angle of the point."""
    a, b = first(y), first(x)
    angle = (y / x).atan() if abs(a) < abs(b) else -(x / y).atan()
    return angle - first(angle) + flint.arb.atan2(a, b)


SERIES = {
    **{function: methodcaller(function.__name__)
       for function in (s.exp, s.log, s.sin, s.cos, s.tan, s.asin, s.acos, s.atan, s.erf, s.erfc, s.gamma)},
    s.loggamma: methodcaller("lgamma"), s.polygamma: polygamma, s.atan2: atan2, s.erfinv: erfinv,
    s.besseli: bessel_i, s.zeta: zeta,
    s.lowergamma: lambda a, x: flint.arb_series.gamma_lower(first(a), x),
    s.uppergamma: lambda a, x: flint.arb_series.gamma_upper(first(a), x),
    s.sinh: lambda x: by_exponentials(x)[0], s.cosh: lambda x: by_exponentials(x)[1],
    s.tanh: lambda x: by_exponentials(x)[0] / by_exponentials(x)[1],
    s.asinh: lambda x: (x + (x * x + 1).sqrt()).log(), s.acosh: lambda x: (x + (x * x - 1).sqrt()).log(),
    s.atanh: lambda x: ((1 + x) / (1 - x)).log() / 2,
}


def series(expression, values):
    """The series of an expression without guards, where its symbols have these."""
    if expression in values:
        return values[expression]
    if not expression.free_symbols:
        return constant(balls.ball(expression, {}))
    parts = [series(each, values) for each in expression.args]
    if expression.is_Add:
        return sum(parts, constant(0))
    if expression.is_Mul:
        return math.prod(parts, start=constant(1))
    if expression.is_Pow:
        exponent = expression.exp
        if exponent.is_Integer:
            power = math.prod([parts[0]] * abs(int(exponent)), start=constant(1))
            return power if exponent > 0 else 1 / power
        return parts[0].sqrt() if exponent == s.Rational(1, 2) else (parts[0].log() * parts[1]).exp()
    return SERIES[expression.func](*parts)

# ------------------------------------------------------------------------------ curves


def drawn(rng, low, high):
    """A number well inside the interval, with few digits, so that its ball has no radius."""
    return round(rng.uniform(low + (high - low) / 8, high - (high - low) / 8) * 1024) / 1024 or 0.25


def coefficients(row, variant, rng):
    """What Taylor mode finds on a curve that is drawn, and what Arb finds."""
    arguments, domains = arguments_of(row, variant), DOMAINS.get(row.name, {})
    given, moving, curves = {}, [], {}
    for (name, value), type_ in zip(arguments.items(), row.types):
        given[name] = drawn(rng, *map(float, domains.get(name, ANY))) if isinstance(value, s.Symbol) else value
        if isinstance(value, s.Symbol) and name != HELD.get(row.name) and name in [f.of for f in row.formulas]:
            moving.append(name)
    point = {symbol: s.Rational(given[name]) for name, symbol in arguments.items() if isinstance(symbol, s.Symbol)}
    for name, symbol in arguments.items():
        if symbol in point:
            curves[name] = [given[name], *([drawn(rng, -0.5, 0.5) for _ in range(2)] if name in moving else [])]
    precision, cap, flint.ctx.prec, flint.ctx.cap = flint.ctx.prec, flint.ctx.cap, balls.BITS, ORDER + 1
    try:
        meaning = decided(s.sympify(MEANINGS[row.name](*arguments.values())), point)
        values = {arguments[name]: flint.arb_series(curve) for name, curve in curves.items()}
        true = [float(c) for c in series(meaning, values).coeffs()[:ORDER + 1]]
    finally:
        flint.ctx.prec, flint.ctx.cap = precision, cap
    true += [0.0] * (ORDER + 1 - len(true))
    tensor = lambda x: torch.tensor(x, dtype=torch.float64)

    def function(*moved):
        moved = dict(zip(moving, moved))
        return row(**{name: moved[name] if name in moved else fixed(name, type_, given[name])
                      for name, type_ in zip(arguments, row.types)})

    terms = [tuple([tensor(c) for c in [*curves[name][1:], *[0.0] * (ORDER - 2)]]) for name in moving]
    value, found = jet(function, tuple([tensor(given[name]) for name in moving]), tuple(terms), factorial_scaled=False)
    return [value.item(), *[c.item() for c in found]], true


def fixed(name, type_, value):
    array = balls.argument(name, type_, value, np.float64)
    return torch.tensor(array) if isinstance(array, np.ndarray) else array


def distance(found, true):
    """How far the coefficients are from each other, in units of a geometric series that is above all true ones."""
    size = max(1.0, abs(true[0]))
    growth = max([(abs(c) / size) ** (1 / k) for k, c in enumerate(true) if k] + [1e-3])
    return max([abs(a - b) / (size * growth ** k) for k, (a, b) in enumerate(zip(found, true))])


def farthest(row, draws=2):
    rng = np.random.default_rng(zlib.crc32(row.name.encode()))
    return max([distance(*coefficients(row, variant, rng)) for variant in variants(row) for _ in range(draws)])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_coefficients_of_a_row_to_order_ten(row):
    assert farthest(row) < 1e-9


def test_a_coefficient_that_is_wrong_is_noticed(monkeypatch):
    row = next(row for row in ROWS if row.name == "tanh")
    divided = Taylor.convolved
    monkeypatch.setattr(Taylor, "convolved", lambda self, series, gain, k:
                        divided(self, series, gain, k) * (1 + 1e-7 * (k == 8)))
    assert farthest(row) > 1e-9
