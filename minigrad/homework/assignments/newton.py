"""Products with the Hessian, and Newton's method."""

import numpy as np

import minigrad as torch
from minigrad.homework.spec import Assignment

STARTER = '''
"""Hessian-vector products and Newton's method.

f takes a tensor and returns a tensor without dims. torch.autograd.grad is yours to use; a Hessian is never
formed.
"""

import minigrad as torch


def hvp(f, x, v):
    """The Hessian of f at x times v, a tensor of x's shape; f is called once."""
    raise NotImplementedError


def conjugate_gradient(product, b, steps):
    """x with product(x) = b, where product multiplies by a symmetric positive definite matrix; b is a vector.

    At most `steps` products.
    """
    raise NotImplementedError


def newton(f, x, steps):
    """`steps` steps of Newton's method towards a minimum of the convex function f, from x, a vector."""
    raise NotImplementedError
'''

homework = Assignment("Hessian-vector products and Newton's method", starter=STARTER,
                      forbidden=("autograd.functional.hvp", "autograd.functional.vhp", "autograd.functional.hessian",
                                 "autograd.functional.jacobian", "func.hessian", "func.jacfwd", "func.jacrev",
                                 "linalg.solve", "linalg.inv"))


def product(submission, v, x):
    return submission.hvp(lambda x: (x.exp() * x.sum()).sum() + (x ** 3).sum(), torch.tensor(x), torch.tensor(v))


def gradient(x):
    """Of f in ``product``, by hand: its derivative is measured, and the Hessian is symmetric."""
    return x.exp() * x.sum() + x.exp().sum() + 3 * x ** 2


@homework.item(4, "the product with the Hessian")
def products(judge):
    for shape in ((2, 3), (5,), (1, 2, 3)):
        judge.probe_pullback(gradient, product, judge.draw(*shape))


def cost(submission, n):
    f = Calls(lambda x: (x.exp() * x.sum()).sum())
    x, v = torch.zeros(n, dtype=torch.float64), torch.ones(n, dtype=torch.float64)
    _, most = peak(lambda: submission.hvp(f, x, v))
    return f.count, f.points, most


@homework.item(3, "what it costs")
def costs(judge):
    n = 20_000
    count, points, most = judge.run(cost, n)
    with judge.part(2, "calls"):
        judge.require(points == 1, "finite differences: it calls the function at points a small step apart; "
                                   "differentiate the gradient instead")
        judge.require(count == 1, f"the function is called {count} times; create_graph=True makes one call enough")
    with judge.part(1, "memory"):
        judge.require(most < 100 * 8 * n, f"it holds {most / (8 * n):.0f} vectors at a time, where some ten are enough")


def solved(submission, matrix, b, steps):
    a = torch.tensor(matrix)
    multiply = Calls(lambda x: a @ x)
    return submission.conjugate_gradient(multiply, torch.tensor(b), steps), multiply.count


@homework.item(4, "conjugate gradients")
def solving(judge):
    for n in (3, 7):
        root = judge.draw(n, n)
        matrix, b = root @ root.T + np.eye(n), judge.draw(n)
        x, count = judge.run(solved, matrix, b, n)
        judge.require(count <= n, f"{count} products for {n} unknowns, where {n} are enough")
        judge.same(matrix @ x, b, "the product with the solution", 1e-6)


def minimized(submission, a, x, steps):
    a = torch.tensor(a)
    f = Calls(lambda x: (a @ x).exp().sum() + (x * x).sum())
    return submission.newton(f, torch.tensor(x), steps), f.count


def steps_of_newton(a, x, steps):
    for _ in range(steps):
        e = np.exp(a @ x)
        x = x - np.linalg.solve((a.T * e) @ a + 2 * np.eye(len(x)), a.T @ e + 2 * x)
    return x


@homework.item(5, "Newton's method")
def minimizing(judge):
    a, x = judge.draw(6, 4), judge.draw(4)
    with judge.part(2, "one step"):
        found, _ = judge.run(minimized, a, x, 1)
        judge.same(found, steps_of_newton(a, x, 1), "the point after one step", 1e-6)
    with judge.part(3, "the minimum"):
        found, count = judge.run(minimized, a, x, 8)
        slope = a.T @ np.exp(a @ found) + 2 * found
        judge.require(np.abs(slope).max() < 1e-8, "after eight steps the gradient must be zero to eight digits: "
                                                  "Newton's method doubles the digits with each step")
        judge.require(count <= 80, f"f is called {count} times in eight steps")
