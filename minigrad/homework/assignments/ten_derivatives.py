"""The derivatives of ten operations, as functions on arrays."""

import numpy as np

import minigrad as torch
from minigrad.homework.spec import Assignment

STARTER = '''
"""The derivatives of ten operations, in NumPy.

Each function gets d, the gradient of the loss with respect to the result, and the inputs. It returns the
gradient with respect to each input: one array, or a tuple of them. Complex inputs count too: there the
gradient is d times the conjugate of the derivative.
"""

import numpy as np


def add_backward(d, x, y):
    """x + y, which broadcast."""
    raise NotImplementedError


def mul_backward(d, x, y):
    """x * y, which broadcast."""
    raise NotImplementedError


def div_backward(d, x, y):
    """x / y, which broadcast."""
    raise NotImplementedError


def exp_backward(d, x):
    """np.exp(x)."""
    raise NotImplementedError


def tanh_backward(d, x):
    """np.tanh(x)."""
    raise NotImplementedError


def sum_backward(d, x, axis):
    """x.sum(axis)."""
    raise NotImplementedError


def matmul_backward(d, x, y):
    """x @ y, of matrices, or of stacks of matrices that broadcast."""
    raise NotImplementedError


def cumsum_backward(d, x, axis):
    """x.cumsum(axis)."""
    raise NotImplementedError


def where_backward(d, mask, x, y):
    """np.where(mask, x, y): the gradients of x and y."""
    raise NotImplementedError


def logsumexp_backward(d, x, axis):
    """np.log(np.exp(x).sum(axis)), even where exp(x) is larger than any float. Real numbers only."""
    raise NotImplementedError
'''

homework = Assignment("The derivatives of ten operations", starter=STARTER,
                      forbidden=("minigrad", "torch", "jax", "gradcheck"))
PARTS = ((2, False, "real numbers"), (1, True, "complex numbers"))


def drawn(judge, shapes, is_complex, low, high):
    return [judge.draw(*shape, complex=is_complex, low=low, high=high) for shape in shapes]


def across(judge, shape):
    """Numbers of all magnitudes between 1e-9 and 1e9, with both signs."""
    return 10 ** judge.draw(*shape, low=-9, high=9) * judge.random.choice([-1.0, 1.0], shape)


def operation(name, title, forward, *cases, names, grown, domain=(-1.5, 1.5), options=()):
    """An item of three points: two for real numbers, one for complex ones, each with all shapes in ``cases``.

    ``grown`` says by the number of rows which shapes a larger question has.
    """
    def item(judge):
        for points, is_complex, what in PARTS:
            with judge.part(points, what):
                for shapes in cases:
                    judge.pullback(lambda *given: forward(*given, *options), f"{name}_backward",
                                   *drawn(judge, shapes, is_complex, *domain), options=options, names=names)

                def question(rows):
                    inputs = drawn(judge, grown(rows), is_complex, *domain)
                    d = forward(*map(torch.tensor, inputs), *options).numpy()
                    return d, *inputs, *options

                judge.grow(f"{name}_backward", question)
                if not is_complex:
                    extreme = ([judge.draw(7, low=-20, high=20)] if name in ("exp", "tanh") else
                               [across(judge, shape) for shape in cases[0]])
                    judge.extremes(lambda *given: forward(*given, *options), f"{name}_backward", *extreme,
                                   options=options, names=names)

    item.__name__ = name
    homework.item(3, title)(item)


operation("add", "addition, with broadcasting", torch.add, [(2, 3), (3,)], [(4, 1), (1, 3)],
          names=("x", "y"), grown=lambda n: [(n, 3), (3,)])
operation("mul", "multiplication, with broadcasting", torch.mul, [(2, 3), (3,)], [(4, 1), (3,)],
          names=("x", "y"), grown=lambda n: [(n, 3), (3,)])
operation("div", "division, with broadcasting", torch.div, [(2, 3), (3,)], [(1, 3), (4, 1)], domain=(0.5, 2),
          names=("x", "y"), grown=lambda n: [(n, 3), (3,)])
operation("exp", "the exponential", torch.exp, [(5,)], [(2, 3)], names=("x",), grown=lambda n: [(n, 3)])
operation("tanh", "the hyperbolic tangent", torch.tanh, [(5,)], [(2, 3)], domain=(-0.7, 0.7), names=("x",),
          grown=lambda n: [(n, 3)])
operation("sum", "a sum over an axis", torch.sum, [(2, 3, 4)], options=(1,), names=("x",), grown=lambda n: [(n, 3, 2)])
operation("matmul", "products of matrices", torch.matmul, [(2, 3), (3, 4)], [(3, 2, 4), (4, 5)], names=("x", "y"),
          grown=lambda n: [(n, 3), (3, 4)])
operation("cumsum", "running totals", torch.cumsum, [(2, 5)], options=(1,), names=("x",), grown=lambda n: [(n, 5)])


@homework.item(3, "a choice between two arrays")
def where(judge):
    for points, is_complex, what in PARTS:
        with judge.part(points, what):
            mask = judge.random.permutation(6).reshape(2, 3) % 2
            x, y = judge.draw(2, 3, complex=is_complex), judge.draw(3, complex=is_complex)
            judge.pullback(lambda mask, x, y: torch.where(mask != 0, x, y), "where_backward", mask, x, y,
                           names=["x", "y"])

            def question(rows):
                x, y = judge.draw(rows, 3, complex=is_complex), judge.draw(3, complex=is_complex)
                return x, judge.random.integers(0, 2, (rows, 3)), x, y

            judge.grow("where_backward", question)
            if not is_complex:
                x, y = across(judge, (2, 3)), across(judge, (3,))
                judge.extremes(lambda mask, x, y: torch.where(mask != 0, x, y), "where_backward", mask, x, y,
                               names=["x", "y"])


@homework.item(3, "the logarithm of a sum of exponentials")
def logsumexp(judge):
    with judge.part(2, "real numbers"):
        judge.pullback(lambda x: torch.logsumexp(x, 1), "logsumexp_backward", judge.draw(3, 4),
                       options=(1,), names=["x"])
        judge.grow("logsumexp_backward", lambda rows: (judge.draw(rows), judge.draw(rows, 4), 1))
    with judge.part(1, "large numbers"):
        x = judge.draw(2, 5) + 800
        weights = np.exp(x - x.max(0))
        found = judge.call("logsumexp_backward", np.ones(5), x, 0, watch=True)
        judge.same(found, weights / weights.sum(0), "the gradient")
