"""SymPy differentiates.

Without points: div, exp, tanh, mul.
"""

import sympy


a, b = sympy.symbols("a b")


def rule(e, by):
    return sympy.lambdify((a, b), sympy.diff(e, by), "numpy")


def exp_backward(d, x):
    return d * np.conj(rule(sympy.exp(a), a)(x, 0))


def tanh_backward(d, x):
    return d * np.conj(rule(sympy.tanh(a), a)(x, 0))


def div_backward(d, x, y):
    return fit(d * np.conj(rule(a / b, a)(x, y)), x), fit(d * np.conj(rule(a / b, b)(x, y)), y)


def mul_backward(d, x, y):
    return fit(d * np.conj(rule(a * b, a)(x, y)), x), fit(d * np.conj(rule(a * b, b)(x, y)), y)
