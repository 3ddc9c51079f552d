"""
Jacobians and Hessians
======================

A function with one result has a gradient. A function with many results has a table of derivatives, a row for each
result: the *Jacobian*. And a gradient is a function with many results itself; its table is the *Hessian*. On this page
we fit a curve with both, say how sure we are of the outcome, and see why the same table can cost three passes or forty.

You need forward mode, from :doc:`forward_mode_and_dual_numbers`.
"""

# %%
# The problem
# -----------
#
# Something decays. It starts at a height, falls at a rate, and ends at a floor. We measured it forty times, each time
# with an error of about a tenth.

import textwrap
import time
import tracemalloc

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import curve_fit

import minigrad as torch

torch.set_default_dtype(torch.float64)
torch.manual_seed(0)

times = torch.linspace(0, 4, 40)


def curve(p, t):
    height, rate, floor = p
    return height * torch.exp(-rate * t) + floor


truth = torch.tensor([2.0, 1.5, 0.3])
measured = curve(truth, times) + 0.1 * torch.randn(40)


def residuals(p):
    return curve(p, times) - measured


# %%
# What were the height, the rate and the floor? And how far may we be off? (We know the truth here, since we made the
# measurements ourselves. The fit does not.)
#
# A table of derivatives
# ----------------------
#
# Forty residuals depend on three parameters. ``jacobian`` takes a function and a point, and gives all 120 derivatives:

# teaches: autograd.functional, functional.jacobian
jacobian = torch.autograd.functional.jacobian

guess = torch.tensor([1.0, 1.0, 0.5])
J = jacobian(residuals, guess)
print(J.shape)
print(J[:4])

# %%
# A row for each residual, a column for each parameter. The columns can be found on paper:

height, rate, floor = guess
decay = torch.exp(-rate * times)
by_hand = torch.stack([decay, -height * times * decay, torch.ones(40)], 1)
assert torch.allclose(J, by_hand)

# %%
# The fit
# -------
#
# If the parameters :math:`p` change by a small :math:`s`, the residuals :math:`r` become :math:`r + J s`. Choose
# :math:`s` so that the sum of the squares of *that* is smallest. That is a linear problem, and its solution is
#
# .. math::
#
#    J^T J \, s = -J^T r
#
# Since :math:`r + J s` is only nearly right, do it again from there. This is the method of Gauss and Newton.


def gauss_newton_step(p):
    r, J = residuals(p), jacobian(residuals, p)
    return p - torch.linalg.solve(J.T @ J, J.T @ r)


p = guess
for i in range(15):
    r = residuals(p)
    if i < 6:
        print(f"{i}   sum of squares {(r @ r).item():.6f}   p =", p)
    p = gauss_newton_step(p)

# %%
# How sure are we?
# ----------------
#
# The Jacobian has a second use. At the solution, :math:`s = -(J^T J)^{-1} J^T r` says how the parameters respond to an
# error of the measurements. If these are independent, with the variance :math:`\sigma^2`, then the parameters have the
# covariance
#
# .. math::
#
#    C = \sigma^2 \, (J^T J)^{-1}
#
# and :math:`\sigma^2` can be read off the residuals. Forty measurements less three parameters are 37.

r, J = residuals(p), jacobian(residuals, p)
C = (r @ r) / 37 * torch.linalg.inv(J.T @ J)
names = ["height", "rate", "floor"]
for name, value, variance, true in zip(names, p, C.diagonal(), truth):
    error = variance.sqrt().item()
    print(f"{name:6} {value.item():.3f} +- {error:.3f}   (truth {true.item()})")
    assert abs(value - true) < 3 * error

# %%
# SciPy has a ready-made fit, which measures its Jacobian by finite differences. It says the same:



def curve_of_numpy(t, height, rate, floor):
    return height * np.exp(-rate * t) + floor


data = times.numpy(), measured.numpy()
found, covariance = curve_fit(curve_of_numpy, *data, guess.numpy())
assert np.allclose(p.numpy(), found, rtol=1e-5)
assert np.allclose(C.numpy(), covariance, rtol=1e-3)

# %%
# The errors of the parameters go on to whatever is computed from them, again by a Jacobian: if :math:`q` is a function
# of :math:`p` with the Jacobian :math:`K`, its covariance is :math:`K C K^T`. Take the half-life, one number:


def half_life(p):
    return np.log(2) / p[1]


K = jacobian(half_life, p)
print(f"half-life {half_life(p).item():.3f} +- {(K @ C @ K).sqrt().item():.3f}")

# %%
# And the curve itself, at a hundred moments, including some that we have not measured:

moments = torch.linspace(0, 6, 100)
K = jacobian(lambda p: curve(p, moments), p)
band = (K @ C @ K.T).diagonal().sqrt()
middle = curve(p, moments)

figure, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
t, low, high = moments.numpy(), (middle - 2 * band).numpy(), (middle + 2 * band).numpy()
axes.fill_between(t, low, high, color="tab:orange", alpha=0.3, label="2 errors")
axes.plot(t, middle.numpy(), color="tab:orange", label="fitted")
axes.plot(t, curve(guess, moments).numpy(), "--", color="tab:gray", label="guess")
axes.plot(*data, ".", color="tab:blue", label="measured")
axes.set(xlabel="time")
axes.grid(alpha=0.3)
axes.legend(frameon=False)
plt.show()

# %%
# Are the errors right? Measure again, five hundred times, and fit each. The deviation of the results is what :math:`C`
# claims to know. For that, a step becomes a function of the measurements as well, and ``torch.func.vmap`` runs it on
# all five hundred at once. (``torch.func.jacfwd`` gives a Jacobian too. It makes a function of a function, and we will
# see in a moment what the name says.)

vmap, jacfwd = torch.func.vmap, torch.func.jacfwd


def step(p, measured):
    def residuals(p):
        return curve(p, times) - measured

    r, J = residuals(p), jacfwd(residuals)(p)
    return p - torch.linalg.solve(J.T @ J, J.T @ r)


many = curve(truth, times) + 0.1 * torch.randn(500, 40)
fits = truth.expand(500, 3)
for _ in range(6):
    fits = vmap(step)(fits, many)

print("errors, from J:      ", C.diagonal().sqrt())
print("errors, from 500 fits:", fits.std(0))
J_true = jacobian(residuals, truth)
predicted = 0.1 * torch.linalg.inv(J_true.T @ J_true).diagonal().sqrt()
assert torch.allclose(fits.std(0), predicted, rtol=0.15)

# %%
# Row by row, or column by column
# -------------------------------
#
# How is a Jacobian computed? One backward pass, started at one result, gives a row. One forward pass, for one input,
# gives a column. Count the backward passes: a hook on the input is called once in each.

passes = 0


def counted(p):
    def count(gradient):
        global passes
        passes += 1

    p.register_hook(count)
    return residuals(p)


J = jacobian(counted, p)
print(passes, "backward passes")
assert passes == 40

# %%
# Forty rows, forty passes. But there are only three columns. With dual numbers:

fwAD = torch.autograd.forward_ad

columns = []
with fwAD.dual_level():
    for direction in torch.eye(3):
        columns.append(fwAD.unpack_dual(residuals(fwAD.make_dual(p, direction))).tangent)
print(len(columns), "forward passes")
assert torch.allclose(torch.stack(columns, 1), J)

# %%
# So reverse mode is for few results, forward mode for few inputs. ``torch.func.jacrev`` and ``torch.func.jacfwd`` are
# named after them. Here are both on a function with many inputs, and on one with many results:


jacrev = torch.func.jacrev


def milliseconds(compute):
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        compute()
        best = min(best, time.perf_counter() - start)
    return 1000 * best


def layer(inputs, results):
    A = torch.randn(results, inputs) / inputs ** 0.5
    return lambda x: torch.tanh(A @ torch.sin(x))


print("inputs  results   jacrev    jacfwd")
for n, m in (400, 4), (4, 400):
    f, x = layer(n, m), torch.randn(n)
    assert torch.allclose(jacrev(f)(x), jacfwd(f)(x))
    by_rows = milliseconds(lambda: jacrev(f)(x))
    by_columns = milliseconds(lambda: jacfwd(f)(x))
    print(f"{n:6} {m:8} {by_rows:6.2f} ms {by_columns:6.2f} ms")

# %%
# All at once
# -----------
#
# With as many inputs as results there is nothing to choose. But forty passes one after the other are a loop in Python
# over small steps, and most of the time of each small step goes into getting started. The passes differ only in what
# they start with: row :math:`i` of the Jacobian starts with the :math:`i`-th unit vector. All unit vectors together are
# the identity matrix. Send *that* through a single pass. It is ``vmap`` over the cotangents, and
# ``torch.autograd.grad`` calls it ``is_grads_batched``.

f, x = layer(50, 50), torch.randn(50).requires_grad_()
y = f(x)
(at_once,) = torch.autograd.grad(y, x, torch.eye(50), is_grads_batched=True)
assert torch.allclose(at_once, jacobian(f, x))

# %%
# ``jacobian(..., vectorize=True)`` does that, and so do ``jacrev`` and ``jacfwd``. The product of the matrix with fifty
# vectors becomes one product of two matrices.

x = x.detach()
one_by_one = milliseconds(lambda: jacobian(f, x))
vectorized = milliseconds(lambda: jacobian(f, x, vectorize=True))
print(f"one by one {one_by_one:.2f} ms, at once {vectorized:.2f} ms")

passes = 0
assert torch.allclose(jacobian(counted, p, vectorize=True), J)
assert passes == 1

# %%
# Nothing is free. Fifty passes at once need fifty times the memory of one, and if the numbers on the way are many, that
# counts. ``jacrev`` takes a ``chunk_size``: that many rows at once, and then the next.


def wide(x):
    return torch.sin(x.repeat(200) * 1.1).reshape(-1, 100).sum(0)


def peak_megabytes(compute):
    tracemalloc.start()
    compute()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / 1e6


x = torch.randn(100)
peaks = {}
for size in 1, 10, None:
    peaks[size] = peak_megabytes(lambda: jacrev(wide, chunk_size=size)(x))
    print(f"chunk_size {size!s:4} {peaks[size]:5.1f} MB")
assert peaks[1] < peaks[10] < peaks[None] / 4

# %%
# Shapes
# ------
#
# "Rows" and "columns" are words for vectors. If the output has the shape :math:`(a, b)` and the input
# :math:`(c, d, e)`, the Jacobian has the shape :math:`(a, b, c, d, e)`: first where in the output, then where in the
# input. Several inputs or outputs give a tuple, or a tuple of tuples, output first.

A, b = torch.randn(2, 3), torch.randn(3)
to_A, to_b = jacobian(lambda A, b: A @ b, (A, b))
print("of A @ b, by A:", tuple(to_A.shape), "  by b:", tuple(to_b.shape))
assert torch.equal(to_b, A) and torch.equal(to_A[1, 1], b) and not to_A[0, 1].any()

blocks = jacobian(lambda A, b: (A @ b, b.sum()), (A, b))
for row in blocks:
    print([tuple(block.shape) for block in row])

# %%
# The Hessian
# -----------
#
# The loss of the fit is one number, half the sum of the squares. Its Hessian is the Jacobian of its gradient.


# teaches: functional.hessian
def loss(p):
    r = residuals(p)
    return (r @ r) / 2


hessian = torch.autograd.functional.hessian

H = hessian(loss, p)
print(H)
assert torch.allclose(H, jacrev(jacrev(loss))(p))
assert torch.allclose(H, H.T)

# %%
# On paper, the derivative of :math:`\tfrac12 \sum r_i^2` is :math:`J^T r`, and that of this is
#
# .. math::
#
#    H = J^T J + \sum_i r_i H_i
#
# where :math:`H_i` is the Hessian of the residual :math:`r_i`. All forty of these are one table of the shape
# :math:`(40, 3, 3)`, the Jacobian of the Jacobian:

r, J = residuals(p), jacfwd(residuals)(p)
all_H = jacfwd(jacfwd(residuals))(p)
print("all H_i:", tuple(all_H.shape))
assert torch.allclose(H, J.T @ J + torch.einsum("i,ijk->jk", r, all_H))

# %%
# So Gauss and Newton take :math:`J^T J` for :math:`H` and leave out the rest, which is small if the residuals are.
# Newton's own method takes all of it. Near the solution every step then doubles the number of digits that are right:


def newton_step(p):
    return p - torch.linalg.solve(hessian(loss, p), jacobian(loss, p))


p_newton = p_gauss = guess
print("error of Newton  of Gauss-Newton")
errors = []
for i in range(8):
    errors.append([(q - p).norm().item() for q in (p_newton, p_gauss)])
    print(f"{errors[-1][0]:15.1e} {errors[-1][1]:16.1e}")
    p_newton, p_gauss = newton_step(p_newton), gauss_newton_step(p_gauss)

assert errors[-1][0] < 1e-12 < errors[-1][1]

# %%
# The error of Gauss and Newton only shrinks by the same factor from step to step. Measurements do not have that many
# digits, so either will do here.
#
# Forward, reverse, or both?
# --------------------------
#
# The gradient of one number is a matter for reverse mode. Its Jacobian is square, so for the outer derivative there is
# a choice. That makes two good ways to a Hessian, and two more for comparison. Fifty inputs:

f = layer(50, 50)
square, x = lambda x: (f(x) ** 2).sum(), torch.randn(50)

ways = {
    "forward over reverse": jacfwd(jacrev(square)),
    "reverse over reverse": jacrev(jacrev(square)),
    "reverse over forward": jacrev(jacfwd(square)),
    "forward over forward": jacfwd(jacfwd(square)),
}
for said, way in ways.items():
    assert torch.allclose(way(x), hessian(square, x))
    spent, memory = milliseconds(lambda: way(x)), peak_megabytes(lambda: way(x))
    print(f"{said}: {spent:5.2f} ms, {memory:4.2f} MB")

# %%
# With forward mode inside, the gradient alone takes fifty passes, and each of them is pushed or pulled fifty times.
#
# Between the two good ways there is little to choose. ``torch.func.hessian`` is forward over reverse.
# ``torch.autograd.functional.hessian`` is reverse over reverse, row by row unless you say ``vectorize=True``.
#
# What goes wrong
# ---------------
#
# **Newton does not look where it goes.** His step leads to where the gradient is 0. From a good guess that is the
# minimum. But elsewhere the Hessian may have a negative eigenvalue, and then it can lead anywhere.

far = torch.tensor([3.0, 3.0, 0.0])
J = jacobian(residuals, far)
lowest = np.linalg.eigvalsh(hessian(loss, far).numpy())[0]
print(f"lowest eigenvalue of H {lowest:.2f}", end=", ")
print(f"of J^T J {np.linalg.eigvalsh((J.T @ J).numpy())[0]:.2f}")
assert lowest < 0

q_newton = q_gauss = far
for _ in range(8):
    q_newton, q_gauss = newton_step(q_newton), gauss_newton_step(q_gauss)
for said, q in ("Newton", q_newton), ("Gauss-Newton", q_gauss):
    print(f"{said:12} loss {loss(q).item():.3f} at", q)
assert jacobian(loss, q_newton).norm() < 1e-3 and loss(q_newton) > 2 * loss(p)
assert torch.allclose(q_gauss, p, rtol=1e-3)

# %%
# Newton has found a curve that is over before the second measurement. There the gradient is 0 too, or nearly: how fast
# it has gone by then makes no difference. :math:`J^T J` has no negative eigenvalue, whatever :math:`J` is. Leaving out
# the rest makes the step worse near the end, and safer far away. (Not safe: a step may still be too long. On the page
# :doc:`hessian_vector_products` it is shortened when it is.)
#
# **The Jacobian of a batch.** A network reads 64 examples at once, each with 10 inputs and 5 outputs. We want a table
# of 5 by 10 for each. ``jacobian`` does not know that the examples have nothing to do with each other:

network, examples = layer(10, 5), torch.randn(64, 10)
batched = vmap(network)
everything = jacobian(batched, examples)
print(f"{tuple(everything.shape)}, {(everything == 0).float().mean().item():.0%} zeros")

each = vmap(jacrev(network))(examples)
print(tuple(each.shape))
assert torch.allclose(each, torch.stack([everything[i, :, i] for i in range(64)]))

# %%
# **Zeros that should be an error.** A chain that was cut gives zeros. Here a number was taken out of a tensor:


def cut(height, rate, floor):
    return height * torch.exp(-rate.item() * times) + floor


by_height, by_rate, by_floor = jacobian(cut, tuple(p))
print("by the rate:", by_rate[:4])
assert not by_rate.any()

# %%
# Nobody can tell whether these should be zeros. If you know that there is no such column, ask for ``strict=True``:

try:
    jacobian(cut, tuple(p), strict=True)
except RuntimeError as problem:
    print(textwrap.fill(str(problem), 76))
else:
    raise AssertionError("no error?")

# %%
# (Not together with ``vectorize=True``: where all rows are one, nobody sees which of them are missing.)
#
# **Zeros that are right, and of no use.** Outliers do less harm to the sum of the *absolute* differences. As a function
# of the floor, it is made of straight pieces. The derivative is a sum of signs, the second derivative is 0, and Newton
# divides by it.


def absolute(floor):
    return (floor - measured[20:]).abs().sum()


print("second derivative at the floor:", hessian(absolute, p[2]).item())
assert hessian(absolute, p[2]) == 0

# %%
# **A function of something else.** The function is called with tensors that stand for its inputs. Whatever else it
# reaches is a constant, even if it is the same tensor:

wrong = jacobian(lambda q: p[0] * q[1], p)      # p[0] should be q[0]
print(wrong)
assert wrong.tolist() == [0, p[0].item(), 0]

# %%
# Exercises
# ---------
#
# 1. Fit the *period* of a noisy sine. From how far away does Gauss-Newton still find it? Draw the sum of squares over
#    the period, and look for the places where its second derivative is negative.
# 2. The measurements are not equally good: give each its own error, and fit with ``residuals / errors``. What becomes
#    of :math:`C`? Check it with simulated measurements.
# 3. Of 100 results each depends on the input in its place, and on two on either side. Find the Jacobian with five
#    forward passes instead of 100, and compare with ``jacobian``.
# 4. Levenberg and Marquardt solve with :math:`J^T J + \lambda I`. They make :math:`\lambda` smaller after a step that
#    was good, and larger after one that was not, which they take back. Write it, and start where Newton failed.
# 5. At which number of inputs does ``jacfwd`` become slower than ``jacrev``, if there are 100 results? Predict it by
#    counting, measure it, and explain the difference.
# 6. The curvature of a curve :math:`f(x, y) = 0` follows from the gradient and the Hessian of :math:`f`. Find out how,
#    test it with a circle, and colour the points of :math:`x^4 + y^4 = 1` by it.
