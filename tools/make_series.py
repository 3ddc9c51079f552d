"""Write minigrad/_core/kernels/loops/series.h: the polynomials that the Bessel functions and their relatives are
computed with.

    python tools/make_series.py                 needs mpmath

A function is divided by what is known of it (an exponential, a root, a factor x), mapped to -1 <= t <= 1, and expanded
in Chebyshev polynomials: with 50 digits at 64 points, and cut off where the rest is below half a unit in the last place
of a double.  The sum is written as a polynomial in t, for Horner's rule; `terms` and how much greater than the function
the terms are are in the file too.
"""

from fractions import Fraction
from pathlib import Path

import mpmath
from mpmath import mp, mpf

PATH = Path(__file__).resolve().parent.parent / "minigrad" / "_core" / "kernels" / "loops" / "series.h"
POINTS = 64
ORDERS, TERMS = 12, 18          # of Temme's expansion, in 1 / a and in eta
REST = mpf(2) ** -55

HEAD = """\
/* Made by tools/make_series.py: polynomials in t, -1 <= t <= 1. */
#ifndef MINIGRAD_SERIES_H
#define MINIGRAD_SERIES_H

#include "ufunc_loops.h"
"""


def chebyshev(f, low, high):
    """The coefficients of f(x), low <= x <= high, in the Chebyshev polynomials of t."""
    nodes = [mpmath.cos(mpmath.pi * (mpf(k) + 0.5) / POINTS) for k in range(POINTS)]
    values = [f((high + low) / 2 + (high - low) / 2 * t) for t in nodes]
    found = [2 * mpmath.fsum([v * mpmath.cos(mpmath.pi * j * (mpf(k) + 0.5) / POINTS) for k, v in enumerate(values)])
             / POINTS for j in range(POINTS)]
    found[0] /= 2
    return found, values


def as_polynomial(series):
    """The same sum in powers of t, by T(n + 1) = 2 t T(n) - T(n - 1)."""
    out = [mpf(0)] * len(series)
    before, now = [mpf(1)], [mpf(0), mpf(1)]
    for n, c in enumerate(series):
        for k, each in enumerate(before):
            out[k] += c * each
        after = [mpf(0)] + [2 * each for each in now]
        for k, each in enumerate(before):
            after[k] -= each
        before, now = now, after
    return out


def fitted(f, low, high, absolute=False):
    series, values = chebyshev(f, mpf(low), mpf(high))
    scale = max(map(abs, values)) if absolute else min(map(abs, values))
    size = len(series)
    while size > 1 and mpmath.fsum(map(abs, series[size - 1:])) < REST * scale:
        size -= 1
    polynomial = as_polynomial(series[:size])
    return polynomial, mpmath.fsum(map(abs, polynomial)) / scale


def amplitudes(order, sign):
    """P and Q of a Bessel function as J = sqrt(2 / (pi x)) (P cos(u) - Q sin(u)), u = x - (order / 2 + 1 / 4) pi; as
    functions of w = (5 / x)^2, Q without its factor 5 / x.  DLMF 10.17."""
    def part(w):
        if w == 0:
            return mpf(1) if sign > 0 else (4 * mpf(order) ** 2 - 1) / 8 / 5
        x = 5 / mpmath.sqrt(w)
        u = x - (mpf(order) / 2 + mpf(1) / 4) * mpmath.pi
        j, y = mpmath.besselj(order, x), mpmath.bessely(order, x)
        root = mpmath.sqrt(mpmath.pi * x / 2)
        if sign > 0:
            return root * (j * mpmath.cos(u) + y * mpmath.sin(u))
        return root * (y * mpmath.cos(u) - j * mpmath.sin(u)) * x / 5
    return part


def far_of_i(order):
    def f(w):                   # w = 8 / x
        if w == 0:
            return 1 / mpmath.sqrt(2 * mpmath.pi)
        x = 8 / w
        return mpmath.exp(-x) * mpmath.sqrt(x) * mpmath.besseli(order, x)
    return f


def far_of_k(order):
    def f(w):                   # w = 2 / x
        if w == 0:
            return mpmath.sqrt(mpmath.pi / 2)
        x = 2 / w
        return mpmath.exp(x) * mpmath.sqrt(x) * mpmath.besselk(order, x)
    return f


def regular_part_of_y0(u):
    """What is left of Y0 without its logarithm; u = x^2."""
    if u == 0:
        return 2 / mpmath.pi * (mpmath.euler - mpmath.log(2))
    x = mpmath.sqrt(u)
    return mpmath.bessely(0, x) - 2 / mpmath.pi * mpmath.log(x) * mpmath.besselj(0, x)


def regular_part_of_y1(u):
    if u == 0:
        return (2 * mpmath.euler - 1 - 2 * mpmath.log(2)) / (2 * mpmath.pi)
    x = mpmath.sqrt(u)
    return (mpmath.bessely(1, x) - 2 / mpmath.pi * (mpmath.log(x) * mpmath.besselj(1, x) - 1 / x)) / x


def regular_part_of_k0(u):
    if u == 0:
        return mpmath.log(2) - mpmath.euler
    x = mpmath.sqrt(u)
    return mpmath.besselk(0, x) + mpmath.log(x) * mpmath.besseli(0, x)


def regular_part_of_k1(u):
    if u == 0:
        return (2 * mpmath.euler - 1 - 2 * mpmath.log(2)) / 4
    x = mpmath.sqrt(u)
    return (mpmath.besselk(1, x) - mpmath.log(x) * mpmath.besseli(1, x) - 1 / x) / x


def near_two(x):
    if x in (0, 1):
        return mpmath.euler if x == 0 else 1 - mpmath.euler
    return mpmath.loggamma(1 + x) / (x * (x - 1))


def temme():
    """The coefficients d[k][n] of Temme's expansion, for the incomplete gamma functions of large a; DLMF 8.12.

    With eta^2 / 2 = mu - log(1 + mu), mu is a power series in eta, and 1 / mu = 1 / eta + sum of d[0][n] eta^n.
    Then d[k][n] = (n + 2) d[k - 1][n + 2] - d[k - 1][1] d[0][n].
    """
    size = TERMS + 2 * ORDERS + 2
    a = [Fraction(0), Fraction(1)]
    for n in range(2, size + 3):
        a.append((a[n - 1] - sum([j * a[j] * a[n + 1 - j] for j in range(2, n)])) / (n + 1))
    first = [Fraction(-1, 3)] + [(n + 2) * a[n + 2] for n in range(1, size)]
    rows = [first]
    for _ in range(1, ORDERS):
        last = rows[-1]
        rows.append([(n + 2) * last[n + 2] - last[1] * first[n] for n in range(len(last) - 2)])
    return [row[:TERMS] for row in rows]


def airy_right(w):
    """Ai(x) exp(z) x^(1/4), z = 2/3 x^(3/2) = 2 / w."""
    if w == 0:
        return 1 / (2 * mpmath.sqrt(mpmath.pi))
    z = 2 / w
    x = (z * 3 / 2) ** (mpf(2) / 3)
    return mpmath.airyai(x) * mpmath.exp(z) * x ** mpf(0.25)


def airy_left(sign):
    """Ai(-x) = x^(-1/4) (P cos(z - pi/4) + Q sin(z - pi/4)), z = 2/3 x^(3/2), w = (5 / z)^2; Q without 5 / z."""
    def f(w):
        if w == 0:
            return (1 if sign > 0 else mpf(5) / 72 / 5) / mpmath.sqrt(mpmath.pi)
        z = 5 / mpmath.sqrt(w)
        x = (z * 3 / 2) ** (mpf(2) / 3)
        a, b, u = mpmath.airyai(-x), mpmath.airybi(-x), z - mpmath.pi / 4
        p = (a * mpmath.cos(u) - b * mpmath.sin(u)) * x ** mpf(0.25)
        q = (a * mpmath.sin(u) + b * mpmath.cos(u)) * x ** mpf(0.25)
        return p if sign > 0 else q * z / 5
    return f


#: name, what it is, function, interval, must only the absolute error be small?
SERIES = [
    ("i0_far", "exp(-x) sqrt(x) I0(x), t = 16 / x - 1, x >= 8", far_of_i(0), 0, 1, False),
    ("i1_far", "exp(-x) sqrt(x) I1(x), t = 16 / x - 1, x >= 8", far_of_i(1), 0, 1, False),
    ("k0_far", "exp(x) sqrt(x) K0(x), t = 4 / x - 1, x >= 2", far_of_k(0), 0, 1, False),
    ("k1_far", "exp(x) sqrt(x) K1(x), t = 4 / x - 1, x >= 2", far_of_k(1), 0, 1, False),
    ("k0_near", "K0(x) + log(x) I0(x), t = 2 x^2 - 1, x <= 1", regular_part_of_k0, 0, 1, False),
    ("k1_near", "(K1(x) - log(x) I1(x) - 1/x) / x, the same t", regular_part_of_k1, 0, 1, False),
    ("k0_middle", "K0(x), t = 2 x - 3, 1 <= x <= 2", lambda x: mpmath.besselk(0, x), 1, 2, False),
    ("k1_middle", "K1(x), t = 2 x - 3, 1 <= x <= 2", lambda x: mpmath.besselk(1, x), 1, 2, False),
    ("j0_near", "J0(x), t = 2 x^2 / 25 - 1, x <= 5", lambda u: mpmath.besselj(0, mpmath.sqrt(u)), 0, 25, True),
    ("j1_near", "J1(x) / x, the same t", lambda u: mpmath.besselj(1, mpmath.sqrt(u)) / mpmath.sqrt(u), 0, 25, True),
    ("y0_near", "Y0(x) - 2/pi log(x) J0(x), the same t", regular_part_of_y0, 0, 25, True),
    ("y1_near", "(Y1(x) - 2/pi (log(x) J1(x) - 1/x)) / x, the same t", regular_part_of_y1, 0, 25, True),
    ("j0_p", "of J0 and Y0, t = 50 / x^2 - 1, x >= 5", amplitudes(0, 1), 0, 1, False),
    ("j0_q", "of J0 and Y0, without 5 / x", amplitudes(0, -1), 0, 1, False),
    ("j1_p", "of J1 and Y1", amplitudes(1, 1), 0, 1, False),
    ("j1_q", "of J1 and Y1, without 5 / x", amplitudes(1, -1), 0, 1, False),
    ("lgamma_near_two", "log(Gamma(1 + x)) / (x (x - 1)), t = 2 x - 1, 0 <= x <= 1", near_two, 0, 1, False),
    ("ai_right", "Ai(x) exp(z) x^(1/4), t = 4 / z - 1, z = 2/3 x^(3/2) >= 2", airy_right, 0, 1, False),
    ("ai_middle", "Ai(x), t = (x - 1.6) / 0.6, 1 <= x <= 2.2", mpmath.airyai, 1, mpf(22) / 10, False),
    ("ai_near", "Ai(x), t = x, -1 <= x <= 1", mpmath.airyai, -1, 1, False),
    ("ai_left", "Ai(x), t = (x + 2.5) / 1.5, -4 <= x <= -1", mpmath.airyai, -4, -1, True),
    ("ai_p", "of Ai(-x), t = 50 / z^2 - 1, z = 2/3 x^(3/2) >= 5", airy_left(1), 0, 1, False),
    ("ai_q", "of Ai(-x), without 5 / z", airy_left(-1), 0, 1, False),
]


def function(name, polynomial):
    """Horner's rule, written out."""
    last, *others = [repr(float(c)) for c in reversed(polynomial)]
    return [f"INLINE double {name}(double t)", "{", f"    double p = {last};",
            *[f"    p = p * t + {c};".replace("+ -", "- ") for c in others], "    return p;", "}", ""]


def main():
    mp.dps = 50
    lines = [HEAD]
    for name, what, f, low, high, absolute in SERIES:
        polynomial, size = fitted(f, low, high, absolute)
        print(name, len(polynomial), "terms, up to", mpmath.nstr(size, 3), "times the function")
        lines.append(f"/* {what}; the terms are up to {mpmath.nstr(size, 2)} times the function */")
        lines += function(name, polynomial)
    for order in (0, 1):
        what = f"I{order}(x)" + " / (x / 2)" * order
        lines.append(f"/* {what}, t = x^2 / 4, x <= 8: its power series, all terms of which are positive */")
        lines += function(f"i{order}_near", [1 / mpmath.factorial(k) / mpmath.factorial(k + order) for k in range(25)])
    lines += ["/* of Temme's expansion in powers of 1 / a, each a polynomial in eta */",
              f"static const double TEMME[{ORDERS}][{TERMS}] = {{"]
    for row in temme():
        numbers = [repr(float(c)) for c in row]
        lines.append("    {" + ",\n     ".join([", ".join(numbers[k:k + 4]) for k in range(0, TERMS, 4)]) + "},")
    lines.append("};")
    PATH.write_text("\n".join(lines) + "\n#endif\n", encoding="utf-8")


if __name__ == "__main__":
    main()
