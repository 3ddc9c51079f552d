"""Exercises of "Jacobians and Hessians"."""

# %% Exercise: A banded Jacobian in five passes
# Each result of ``f`` depends on the input in its own place, and on two on either side: the Jacobian is 0 except in a
# band of five diagonals. So inputs that are five places apart can move together, without two of them reaching the same
# result. Write ``banded_jacobian(f, x)``, which calls ``torch.func.jvp`` at most five times.

# %% Starter
import minigrad as torch


def banded_jacobian(f, x):
    ...


# %% Check
from unittest import mock

torch.manual_seed(0)
calls = 0


def refuse(*arguments, **keywords):
    raise AssertionError("This takes a pass for each input, one after the other or at once: use torch.func.jvp.")


def f(x):
    global calls
    calls += 1
    wide = torch.cat([torch.zeros(2), x, torch.zeros(2)])
    n = len(x)
    return torch.sin(wide[:n]) + wide[1:n + 1] * wide[2:n + 2] - 3 * wide[3:n + 3] ** 2 + torch.exp(wide[4:n + 4])


for n in (12, 20):
    x = torch.randn(n)
    wanted = torch.autograd.functional.jacobian(f, x)
    calls = 0
    with (mock.patch.multiple(torch.func, jacrev=refuse, jacfwd=refuse),
          mock.patch.multiple(torch.autograd.functional, jacobian=refuse)):
        found = banded_jacobian(f, x)
    assert found is not None and tuple(found.shape) == (n, n), f"The Jacobian of {n} inputs must be {n} by {n}."
    assert calls <= 5, f"f was called {calls} times for {n} inputs. Let several inputs move at once."
    if n > 12:
        assert not torch.allclose(found, wanted.T), "This is the transpose: a row belongs to a result."
    outside = (torch.arange(n)[:, None] - torch.arange(n)).abs() > 2
    assert not found[outside].any(), "Outside the band all derivatives are 0."
    assert torch.allclose(found, wanted, atol=1e-5), "Inside the band some derivatives are wrong."

# %% Hint
# The direction of pass ``k`` is 1 at the places ``k, k + 5, k + 10, ...`` and 0 elsewhere.

# %% Hint
# Of the tangent of pass ``k``, the entries from ``j - 2`` to ``j + 2`` belong to column ``j``, for each of these ``j``.


# %% Exercise: The curvature of a curve
# The points with :math:`f(x, y) = 0` form a curve. With the gradient :math:`g` and the Hessian :math:`H` of :math:`f`,
# and the vector :math:`t = (-g_y, g_x)` along the curve, its curvature is :math:`|t^T H t| / |g|^3`. Write
# ``curvatures(f, points)`` for many points, an array of the shape (n, 2), with ``vmap`` and without a loop.

# %% Starter
import minigrad as torch


def curvatures(f, points):
    ...


# %% Check
calls = 0


def circle(p):
    global calls
    calls += 1
    return p @ p - 4


def ellipse(p):
    return p[0] ** 2 / 9 + p[1] ** 2 - 1


angles = torch.linspace(0.1, 6.0, 30)
around = torch.stack([torch.cos(angles), torch.sin(angles)], 1)
found = curvatures(circle, 2 * around)
assert found is not None and tuple(found.shape) == (30,), "There must be a curvature for each of the 30 points."
assert not torch.allclose(found, torch.full((30,), 2.0)), "A circle of radius 2 is not *more* curved than one of 1."
assert torch.allclose(found, torch.full((30,), 0.5)), "A circle of radius 2 has the curvature 1/2 everywhere."
assert torch.allclose(curvatures(lambda p: -3 * circle(p), 2 * around), found), (
    "The same curve described by another function has the same curvature. Is the power of |g| right?")
found = curvatures(ellipse, around * torch.tensor([3.0, 1.0]))
wanted = 3 / (9 * torch.sin(angles) ** 2 + torch.cos(angles) ** 2) ** 1.5
assert torch.allclose(found, wanted, rtol=1e-4), "For an ellipse the curvatures are wrong. Is t along the curve?"
calls = 0
curvatures(circle, 2 * around)
assert calls <= 4, f"f was called {calls} times for 30 points. vmap calls it once for all of them."

# %% Hint
# Write the curvature at *one* point first, with ``torch.func.grad(f)(p)`` and ``torch.func.hessian(f)(p)``.


# %% Exercise: Levenberg and Marquardt
# Far from the solution a Gauss-Newton step can be too long. Levenberg and Marquardt solve with
# :math:`J^T J + \lambda I` instead: a large :math:`\lambda` makes the step short. If a step lowers the sum of squares,
# take it and divide :math:`\lambda` by 10; otherwise stay, and multiply it by 10. Write ``fit(residuals, p, steps)``,
# which begins with :math:`\lambda = 1` and returns the last ``p``.

# %% Starter
import minigrad as torch


def fit(residuals, p, steps):
    for _ in range(steps):
        r = residuals(p)
        J = torch.autograd.functional.jacobian(residuals, p)
        p = p - torch.linalg.solve(J.T @ J, J.T @ r)
    return p


# %% Check
def rosenbrock(p):
    return torch.stack([10 * (p[1] - p[0] ** 2), 1 - p[0]])


def saturating(p):
    return p[0] * torch.atan(p[1] * times) - measured


def squares(f, p):
    return (f(p) ** 2).sum().item()


times = torch.linspace(0, 5, 20, dtype=torch.float64)
measured = 2 * torch.atan(0.7 * times)
start = torch.tensor([-1.2, 1.0], dtype=torch.float64)
first = squares(rosenbrock, start)
for steps in (1, 2, 3, 4, 5, 6):
    now = squares(rosenbrock, fit(rosenbrock, start, steps))
    assert now <= first, f"After {steps} steps the sum of squares is {now:.3g}, and before it was {first:.3g}."
    first = now
assert squares(rosenbrock, fit(rosenbrock, start, 100)) < 1e-16, "After 100 steps the minimum should be reached."
p = fit(saturating, torch.tensor([0.5, 8.0], dtype=torch.float64), 60)
assert p.isfinite().all(), "The fit ended in numbers that are not finite."
assert torch.allclose(p, torch.tensor([2.0, 0.7], dtype=torch.float64)), f"It should find 2 and 0.7, and found {p}."

# %% Hint
# Keep two things between the steps: ``p`` and :math:`\lambda`. Compare ``(r @ r)`` before and after the step.


# %% Project: 1
# 10 points: 4 for the fit, 3 for how far away it may start, 3 for the picture.
#
# From periods between 0.86 and 1.20 Gauss-Newton finds 1.000: a wrong period must not be off by more than about two
# thirds of a swing at the end of the measurements, so with more swings the valley is narrower. From elsewhere it
# settles in another valley of the sum of squares, at 0.56, 0.65, 0.77 or 1.45, without any warning. The second
# derivative is negative on the slopes between the valleys, from 0.81 to 0.92 and from 1.10 to 1.28; a step of Newton's
# would lead uphill there, and a step with :math:`J^T J`, which is never negative, does not.
#
# The usual mistake: to start at 1 and to report that it works.


# %% Project: 2
# 10 points: 3 for the fit, 3 for :math:`C`, 4 for the check.
#
# With :math:`J` the Jacobian of ``residuals / errors``, the covariance is :math:`(J^T J)^{-1}`: the factor
# :math:`\sigma^2` is 1, since the divided residuals have that variance. With errors that grow from 0.02 to 0.2 over the
# forty measurements, :math:`C` gives 0.033, 0.063 and 0.032 for height, rate and floor; a thousand simulated fits vary
# by the same, up to 5 %. Fits that treat all measurements alike vary more: in the rate by a factor of about 1.6.
#
# The usual mistake: to divide by the errors and to keep the factor from the residuals as well. It is close to 1 if the
# errors were stated honestly, and so it hides a mistake in either place; compute it as a check.


# %% Project: 3
# 10 points: 3 for the prediction, 4 for the measurement, 3 for the explanation.
#
# Counting says from 101 on: ``jacrev`` takes 100 passes whatever the number of inputs, and ``jacfwd`` one for each
# input. For the page's ``layer(n, 100)`` the profiler counts the same arithmetic in both at :math:`n = 100`, a half as
# much in ``jacfwd`` at 50, and ten times as much at 1000. Measured, there is little between them up to 100 (less than a
# factor of two): all passes run at once, and the calls cost more than the arithmetic. From 200 on ``jacfwd`` falls
# behind, and at 1000 it takes ten times as long or more, since :math:`n` directions of :math:`n` numbers no longer fit
# into the cache.
#
# The usual mistakes: a single run for each time, and several threads for products this small; take the least of
# several, on one core.
