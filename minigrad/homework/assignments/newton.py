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
    """$Matrix times v, a tensor of x's shape; f is called once."""
    raise NotImplementedError


def conjugate_gradient(product, b, steps):
    """x with product(x) = b, where product multiplies by a symmetric positive definite matrix; b is a vector.

    It begins at zero, and makes at most `steps` products. With less than are needed, the result is what
    conjugate gradients have then.
    """
    raise NotImplementedError


def newton(f, x, steps):
    """`steps` steps of Newton's method towards a minimum of the convex function f, from x, a vector$damped."""
    raise NotImplementedError
'''

PLAIN = {"damping": 0, "Matrix": "The Hessian of f at x", "damped": ""}


def damped(damping):
    """The variant in which a multiple of the identity is added to the Hessian, as Levenberg and Marquardt do."""
    return {"damping": damping, "Matrix": f"H + {damping} I, where H is the Hessian of f at x,",
            "damped": f";\n    with H + {damping} I in place of H"}


homework = Assignment("Hessian-vector products and Newton's method", starter=STARTER,
                      forbidden=("autograd.functional.hvp", "autograd.functional.vhp", "autograd.functional.hessian",
                                 "autograd.functional.jacobian", "func.hessian", "func.jacfwd", "func.jacrev",
                                 "linalg.solve", "linalg.inv"),
                      varies={"damping": (PLAIN, *[damped(each) for each in (0.5, 1, 2, 3, 4)])})


FORMED = "it holds {:.0f} vectors at a time, where some ten are enough: a Hessian is never formed"
POINTS = ("it evaluates the function at {} points, as finite differences do, where the one that is given is enough: "
          "differentiate the gradient there")
VISITED = ("it evaluates the function at {} points in {}, where one for each is enough: a secant or a line search "
           "looks at others, and a step of Newton's method differentiates the gradient at the point where it is")


def product(submission, v, x):
    return submission.hvp(lambda x: (x.exp() * x.sum()).sum() + (x ** 3).sum(), torch.tensor(x), torch.tensor(v))


def visited(submission, v, x):
    f = Calls(lambda x: (x.exp() * x.sum()).sum() + (x ** 3).sum())
    return submission.hvp(f, torch.tensor(x), torch.tensor(v)), f


def gradient(x, damping):
    """Of f in ``product``, by hand: its derivative is measured, and the Hessian is symmetric."""
    return x.exp() * x.sum() + x.exp().sum() + 3 * x ** 2 + damping * x


@homework.item(4, "the product with the Hessian")
def products(judge):
    one_by_one(judge)
    for shape in ((2, 3), (5,), (1, 2, 3)):
        x, v = judge.draw(*shape), judge.draw(*shape)
        _, (_, points) = judge.run(visited, v, x)
        judge.require(points == 1, POINTS.format(points))
        judge.probe_pullback(lambda x: gradient(x, judge.variant["damping"]), product, x)


#: how much may be computed for a product, and for a step of Newton's method, in products of the judge's own
ONE, STEP = 20, 150
SPENT = ("it computes as much as {:.0f} products with the Hessian, where {} enough: differentiate <gradient, v>, which "
         "needs no row of the Hessian")


def one_by_one(judge):
    """Rows of the Hessian that are thrown away one after the other take no memory, but much work."""
    judge.run(product, judge.draw(2, 3), judge.draw(2, 3), watch=True)
    (*_, most), work = judge.measured(cost, 400)
    judge.require(most < 100 * 8 * 400, FORMED.format(most / (8 * 400)))
    times = work / judge.measured(twice, np.zeros((1, 400)), np.zeros(400))[1]
    judge.require(times < ONE, SPENT.format(times, "one is"))


def twice(submission, a, x):
    """A product with the Hessian of the functions in ``cost`` and ``minimized``."""
    a, x = torch.tensor(a), torch.tensor(x, requires_grad=True)
    slope, = torch.autograd.grad((a @ x).exp().sum() + (x * x).sum(), x, create_graph=True)
    return torch.autograd.grad(slope, x, torch.ones_like(x))


def cost(submission, n):
    f = Calls(lambda x: (x.exp() * x.sum()).sum())
    x, v = torch.zeros(n, dtype=torch.float64), torch.ones(n, dtype=torch.float64)
    result, _, most = peak(lambda: submission.hvp(f, x, v))
    return result.sum(), f, most


@homework.item(3, "what it costs")
def costs(judge):
    one_by_one(judge)
    n = 20_000
    _, (count, points), most = judge.run(cost, n)
    with judge.part(2, "calls"):
        judge.require(points == 1, POINTS.format(points))
        judge.require(count == 1, f"the function is called {count} times; create_graph=True makes one call enough")
    with judge.part(1, "memory"):
        judge.require(points == 1, POINTS.format(points))
        judge.require(most < 100 * 8 * n, FORMED.format(most / (8 * n)))


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
    n, steps = 9, 4
    root = judge.draw(n, n)
    matrix, b = root @ root.T + np.eye(n), judge.draw(n)
    found, best = errors(matrix, b, judge.run(solved, matrix, b, steps)[0], steps)
    judge.require(found < 1.001 * best, EARLIER.format(steps, n, np.sqrt(found / best)))
    n, values = 24, (0.5, 1.0, 3.0)         # conjugate gradients need one step for each of the different eigenvalues
    q = np.linalg.qr(judge.draw(n, n))[0]
    matrix, b = (q * np.resize(values, n)) @ q.T, judge.draw(n)
    x, count = judge.run(solved, matrix, b, 3)
    judge.require(count <= 3, f"{count} products, where at most `steps`, which is 3, are allowed")
    judge.same(matrix @ x, b, "the product with the solution, for a matrix with three different eigenvalues and three "
                              "steps,", 1e-6)


EARLIER = ("after {} steps for {} unknowns the error, in the norm of the matrix, is {:.2g} times that of conjugate "
           "gradients: of all sums of b, product(b), product(product(b)) ... theirs is the smallest")


def errors(matrix, b, x, steps):
    """Half the squared errors of x and of conjugate gradients after these steps, in the norm of the matrix."""
    powers = [b]
    for _ in range(steps - 1):
        powers.append(matrix @ powers[-1])
    q = np.linalg.qr(np.stack(powers, 1))[0]
    best, exact = q @ np.linalg.solve(q.T @ matrix @ q, q.T @ b), np.linalg.solve(matrix, b)
    return [(y - exact) @ matrix @ (y - exact) / 2 for y in (x, best)]


def minimized(submission, a, x, steps):
    a = torch.tensor(a)
    f = Calls(lambda x: (a @ x).exp().sum() + (x * x).sum())
    result, _, most = peak(lambda: submission.newton(f, torch.tensor(x), steps))
    return result, f, most


def step_of_newton(a, x, damping):
    e = np.exp(a @ x)
    return x - np.linalg.solve((a.T * e) @ a + (2 + damping) * np.eye(len(x)), a.T @ e + 2 * x)


@homework.item(5, "Newton's method")
def minimizing(judge):
    a, x, damping, n = judge.draw(6, 4), judge.draw(4, low=-1, high=1), judge.variant["damping"], 1000
    wide = judge.draw(2, n, low=-0.1, high=0.1)     # three different eigenvalues, so that three products are enough
    asked = [judge.measured(minimized, wide, judge.draw(n), 1) for _ in range(3)]
    most, work = min([most for (*_, most), _ in asked]), min([work for _, work in asked])
    judge.require(most < n * n * 8 / 2, FORMED.format(most / (8 * n)))
    times = work / judge.measured(twice, wide, judge.draw(n))[1]
    judge.require(times < STEP, SPENT.format(times, "some five are"))
    with judge.part(2, "one step"):
        found, (_, points), _ = judge.run(minimized, a, x, 1)
        wanted = step_of_newton(a, x, damping)
        judge.require(points <= 2, VISITED.format(points, "one step"))
        judge.require(not np.allclose(found - x, x - wanted, 1e-6), "the step has the wrong sign: it leads uphill")
        judge.same(found, wanted, "the point after one step", 1e-6)
    with judge.part(3, "the minimum"):
        steps = 60 if damping else 8
        found, (count, points), _ = judge.run(minimized, a, x, steps)
        judge.require(points <= 2 * steps, VISITED.format(points, f"{steps} steps"))
        slope = a.T @ np.exp(a @ found) + 2 * found
        judge.require(np.abs(slope).max() < 1e-8, f"after {steps} steps the gradient must be zero to eight digits"
                      + ("" if damping else ": Newton's method doubles the digits with each step"))
        judge.require(count <= 10 * steps, f"f is called {count} times in {steps} steps")
