"""Forward mode: dual numbers, and what they cost."""

import numpy as np

import minigrad as torch
from minigrad.homework.spec import Assignment

STARTER = '''
"""Forward mode with dual numbers.

A Dual is a pair of arrays: `value`, and `tangent`, the rate at which the value changes. What is computed
from Duals is a Dual. Numbers and arrays among the operands are constants.
"""

import numpy as np


class Dual:
    def __init__(self, value, tangent):
        self.value, self.tangent = value, tangent

    def __add__(self, other):
        raise NotImplementedError

    def __mul__(self, other):
        raise NotImplementedError

    def __truediv__(self, other):
        raise NotImplementedError

    def exp(self):
        raise NotImplementedError

    def $sin(self):
        raise NotImplementedError

    def $cos(self):
        raise NotImplementedError

    def sum(self, axis=None):
        raise NotImplementedError

    def __matmul__(self, other):
        raise NotImplementedError

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -other

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __rsub__(self, other):
        return -self + other


def jvp(f, x, v):
    """(f(x), the derivative of f at x in the direction v), with one call of f.

    f takes a Dual. Arrays as values must work, and so must Duals: then it gives second derivatives.
    """
    raise NotImplementedError
'''

homework = Assignment("Forward mode", starter=STARTER, forbidden=("minigrad", "torch", "jax"),
                      varies={"sin": ("sin", "sinh", "tanh"), "cos": ("cos", "cosh", "atan")})

#: how much may be computed for each entry; the most that an operation needs is a third of it
EACH = 60

#: each with its first and second derivative
DERIVATIVES = {
    "sin": (np.sin, np.cos, lambda x: -np.sin(x)), "sinh": (np.sinh, np.cosh, np.sinh),
    "tanh": (np.tanh, lambda x: 1 - np.tanh(x) ** 2, lambda x: -2 * np.tanh(x) * (1 - np.tanh(x) ** 2)),
}


def one(submission, tangents, inputs, name):
    """The tangent of an operation on Duals."""
    a, *rest = [submission.Dual(x, t) for x, t in zip(inputs, tangents)]
    done = {"+": lambda: a + rest[0], "-": lambda: a - rest[0], "*": lambda: a * rest[0], "/": lambda: a / rest[0],
            "sum": lambda: a.sum(0), "@": lambda: a @ rest[0], "2 - x": lambda: 2 - a,
            "3 * x": lambda: 3 * a + inputs[0]}.get(name, lambda: getattr(a, name)())()
    return done.tangent


OPERATIONS = {
    "+": (torch.add, (2, 3), (2, 3)), "-": (torch.sub, (2, 3), (3,)), "*": (torch.mul, (2, 3), (2, 3)),
    "/": (torch.div, (2, 3), (3,)), "exp": (torch.exp, (2, 3)), "sin": (None, (5,)), "cos": (None, (5,)),
    "sum": (lambda x: x.sum(0), (3, 2)), "@": (torch.matmul, (2, 3), (3, 4)),
}


#: of two factors of a product, and beside each that of its tangent
PAIRS = (7, 8), (7, 8), (8, 7), (8, 7)


def small(judge, name, x, t, y=0.0, s=0.0):
    """Tangents that are a millionth of the values: those of a sum are a sum, and lose no digit."""
    t, s = 1e-6 * t, 1e-6 * s
    tangents, inputs, wanted = ([t], [x], t.sum(0)) if name == "sum" else ([t, s], [x, y], t @ y + x @ s)
    found = judge.run(one, tangents, inputs, name)
    judge.require(isinstance(found, np.ndarray) and found.shape == wanted.shape
                  and np.abs(found - wanted).max() <= 1e-13 * np.abs(wanted).max(),
                  "of tangents that are much smaller than the values the tangent loses digits, as the difference of "
                  "two values does: it is a formula of the tangents")


@homework.item(9, "each operation")
def operations(judge):
    for name, (forward, *shapes) in OPERATIONS.items():
        name = judge.variant.get(name, name)
        forward = forward or getattr(torch, name)
        for is_complex in (False, True):
            with judge.part(0.5, f"{name}, {'complex' if is_complex else 'real'} numbers"):
                for sizes in (shapes, [(3, 3), (3, 3)]) if name == "@" else (shapes,):  # a transpose fits square ones
                    inputs = [judge.draw(*shape, complex=is_complex, low=0.4) for shape in sizes]
                    judge.pushforward(forward, one, *inputs, options=(name,), names=["self", "other"])
                if name in ("sum", "@"):            # of which each entry is a sum
                    small(judge, name, *[judge.draw(*sizes, complex=is_complex) for sizes in PAIRS[:2 * len(shapes)]])
                else:
                    many = [judge.draw(7, 9, complex=is_complex, low=0.4) for _ in shapes]
                    judge.tangent_digits(forward, one, *many, options=(name,), each=EACH)


@homework.item(2, "constants among the operands")
def constants(judge):
    for name, forward in (("2 - x", lambda x: 2 - x), ("3 * x", lambda x: 3 * x)):
        with judge.part(1, name):
            x, t = judge.draw(2, 3), judge.draw(2, 3)
            factor = -1 if name == "2 - x" else 3
            judge.same(judge.run(one, [t], [x], name, watch=True), factor * t, "the tangent")


def pushed(submission, tangents, inputs, sin, cos):
    """The tangent of jvp, of a function that counts its calls, as in every question about jvp."""
    f = Calls(lambda x: getattr(x * x, sin)() / x.exp() * (x + getattr(x, cos)()))
    return submission.jvp(f, inputs[0], tangents[0])[1]


def counted(submission, x, v, sin, cos):
    """(value, tangent, how often the function is called)."""
    f = Calls(lambda x: getattr(x * x, sin)() / x.exp() * (x + getattr(x, cos)()))
    value, tangent = submission.jvp(f, x, v)
    return value, tangent, f.count


@homework.item(4, "jvp")
def whole(judge):
    """The value and the cost are asked for at inputs, and of a function, like those of the derivative: what is an
    exact formula for one of these questions is so for all of them."""
    sin, cos = judge.variant["sin"], judge.variant["cos"]

    def forward(x):
        return getattr(x * x, sin)() / x.exp() * (x + getattr(x, cos)())

    with judge.part(2, "the derivative in a direction"):
        for shape in ((2, 3), (5,), (7, 9)):
            x, v = judge.draw(*shape), judge.draw(*shape)
            require_few_calls(judge, judge.run(counted, x, v, sin, cos)[2], 2)
            if shape != (7, 9):
                judge.pushforward(forward, pushed, judge.draw(*shape), options=(sin, cos))
        judge.tangent_digits(forward, pushed, judge.draw(7, 9), options=(sin, cos), each=2 * EACH)
    for what, most in (("the value", 2), ("the cost", 1)):
        with judge.part(1, what):
            x, v = judge.draw(7, 9), judge.draw(7, 9)
            wanted, slope = torch.func.jvp(forward, (torch.tensor(x),), (torch.tensor(v),))
            value, tangent, count = judge.run(counted, x, v, sin, cos)
            require_few_calls(judge, count, most)
            judge.same(value, wanted.numpy(), "the value")
            judge.same_digits(tangent, slope.numpy(), "the tangent")
            judge.run(counted, judge.draw(2, 3), judge.draw(2, 3), sin, cos, watch=True)


def require_few_calls(judge, count, most):
    judge.require(count <= most, f"the function is called {count} times: one call with a Dual gives both the value and "
                                 "the tangent")


def twice(submission, x, u, v, sin):
    def f(x):
        return getattr(x * x, sin)() * x

    return submission.jvp(lambda x: submission.jvp(f, x, u)[1], x, v)[1]


@homework.item(3, "second derivatives, from Duals of Duals")
def nested(judge):
    x, u, v = judge.draw(5, 7), judge.draw(5, 7), judge.draw(5, 7)
    sin = judge.variant["sin"]
    _, first, second = DERIVATIVES[sin]
    wanted = (6 * x * first(x * x) + 4 * x ** 3 * second(x * x)) * u * v
    judge.same_digits(judge.run(twice, x, u, v, sin, watch=True), wanted, f"the second derivative of {sin}(x^2) x")
