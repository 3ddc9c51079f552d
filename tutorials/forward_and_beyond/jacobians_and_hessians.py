"""
Jacobians and Hessians
======================

A function with one result has a gradient. A function with many results has a table of derivatives with a row for each
result, the *Jacobian*. A gradient is itself a function with many results, and its table is the *Hessian*. On this page
you use both to fit a curve and to say how certain the outcome is, and you learn why the same table can cost three
passes or forty.

After this page you can compute a Jacobian in as few passes as its shape and its zeros allow, and use Jacobians and
Hessians to fit a curve or to measure how sharply it bends.

You need forward mode, from :doc:`forward_mode_and_dual_numbers`.
"""

# %%
# The problem
# -----------
#
# Something decays: it starts at a height, falls at a rate, and ends at a floor. We measured it forty times, each time
# with an error of about a tenth.

import time
import tracemalloc

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import curve_fit

import minigrad as torch
from minigrad.teaching import expect_error

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
# What were the height, the rate and the floor, and how far off may our answers be? (We know the truth, because we
# made up the measurements. The fit does not.)
#
# A table of derivatives
# ----------------------
#
# Forty residuals depend on three parameters. ``jacobian`` takes a function and a point, and returns all 120
# derivatives:

# teaches: autograd.functional, functional.jacobian
jacobian = torch.autograd.functional.jacobian

guess = torch.tensor([1.0, 1.0, 0.5])
J = jacobian(residuals, guess)
print(J.shape)
print(J[:4])

# %%
# There is a row for each residual and a column for each parameter. The columns can be derived on paper:

height, rate, floor = guess
decay = torch.exp(-rate * times)
by_hand = torch.stack([decay, -height * times * decay, torch.ones(40)], 1)
assert torch.allclose(J, by_hand)

# %%
# The fit
# -------
#
# If the parameters :math:`p` change by a small :math:`s`, the residuals :math:`r` become approximately :math:`r + J
# s`. We choose the :math:`s` that minimizes the sum of the squares of *these*. This is a linear problem, with the
# solution
#
# .. math::
#
#    J^T J \, s = -J^T r
#
# Since :math:`r + J s` is only an approximation, we repeat this from the new point. This is the method of Gauss and
# Newton.


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
# How certain is the result?
# --------------------------
#
# The Jacobian has a second use. At the solution, :math:`s = -(J^T J)^{-1} J^T r` says how the parameters respond to
# errors of the measurements. If these errors are independent, with the variance :math:`\sigma^2`, the parameters have
# the covariance
#
# .. math::
#
#    C = \sigma^2 \, (J^T J)^{-1}
#
# The residuals give an estimate of :math:`\sigma^2`: the sum of their squares, divided by 37, which is forty
# measurements less three parameters.

r, J = residuals(p), jacobian(residuals, p)
C = (r @ r) / 37 * torch.linalg.inv(J.T @ J)
names = ["height", "rate", "floor"]
for name, value, variance, true in zip(names, p, C.diagonal(), truth):
    error = variance.sqrt().item()
    print(f"{name:6} {value.item():.3f} +- {error:.3f}   (truth {true.item()})")
    assert abs(value - true) < 3 * error

# %%
# .. folded:: SciPy agrees
#
# SciPy has a ready-made fit, which estimates the Jacobian by finite differences:


def curve_of_numpy(t, height, rate, floor):
    return height * np.exp(-rate * t) + floor


data = times.numpy(), measured.numpy()
found, covariance = curve_fit(curve_of_numpy, *data, guess.numpy())
assert np.allclose(p.numpy(), found, rtol=1e-5)
assert np.allclose(C.numpy(), covariance, rtol=1e-3)

# %%
# Errors that are inherited
# -------------------------
#
# Whatever is computed from the parameters inherits their errors, again by a Jacobian: if :math:`q` is a function of
# :math:`p` with the Jacobian :math:`K`, its covariance is :math:`K C K^T`. The half-life is one number:


def half_life(p):
    return np.log(2) / p[1]


K = jacobian(half_life, p)
print(f"half-life {half_life(p).item():.3f} +- {(K @ C @ K).sqrt().item():.3f}")

# %%
# The curve itself is a hundred numbers, at moments that include some beyond the measurements:

moments = torch.linspace(0, 6, 100)
K = jacobian(lambda p: curve(p, moments), p)
band = (K @ C @ K.T).diagonal().sqrt()
middle = curve(p, moments)

# alt: Forty measured points fall steeply and level off at about 0.3. The fitted curve runs through them within a
#      narrow band of two errors. The dashed curve of the first guess begins below the points and ends above them.
# sphinx_gallery_start_ignore
figure, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
at, low, high = moments.numpy(), (middle - 2 * band).numpy(), (middle + 2 * band).numpy()
axes.fill_between(at, low, high, color="tab:orange", alpha=0.3, label="2 errors")
axes.plot(at, middle.numpy(), color="tab:orange", label="fitted")
axes.plot(at, curve(guess, moments).numpy(), "--", color="tab:gray", label="guess")
axes.plot(*data, ".", color="tab:blue", label="measured")
axes.set(xlabel="time")
axes.grid(alpha=0.3)
axes.legend(frameon=False)
# sphinx_gallery_end_ignore
plt.show()

# %%
# Are these errors right? Let us measure three hundred times, and fit each time. The results should vary as much as
# :math:`C` predicts. For that, a step becomes a function of the measurements as well. (``torch.func.jacfwd`` also
# computes a Jacobian. It takes a function and returns a function, and we will soon see what its name means.)

jacfwd = torch.func.jacfwd


def step(p, measured):
    def residuals(p):
        return curve(p, times) - measured

    r, J = residuals(p), jacfwd(residuals)(p)
    return p - torch.linalg.solve(J.T @ J, J.T @ r)


many = curve(truth, times) + 0.1 * torch.randn(300, 40)
fits = truth.expand(300, 3)
for _ in range(6):
    fits = torch.stack([step(p, measured) for p, measured in zip(fits, many)])

print("errors, from J:      ", C.diagonal().sqrt())
print("errors, from 300 fits:", fits.std(0))
J_true = jacobian(residuals, truth)
predicted = 0.1 * torch.linalg.inv(J_true.T @ J_true).diagonal().sqrt()
assert torch.allclose(fits.std(0), predicted, rtol=0.15)

# %%
# Row by row, or column by column
# -------------------------------
#
# How is a Jacobian computed? A backward pass that starts at one result gives a row. A forward pass that moves one
# input gives a column.

# alt: The Jacobian twice, as a table of eight rows, the results, and three columns, the inputs. A backward pass
#      fills one row of it, a forward pass one column.
# sphinx_gallery_start_ignore
figure, axes = plt.subplots(1, 2, figsize=(6.4, 2.8), layout="constrained")
for one, said, where in zip(
    axes, ("a backward pass", "a forward pass"), (np.s_[2:3, :], np.s_[:, 1:2])
):
    found = np.zeros((8, 3))
    found[where] = 1
    one.pcolormesh(found, cmap="Blues", vmax=1.5, edgecolors="gray", linewidth=1)
    one.set(title=said, xlabel="3 inputs", ylabel="results", xticks=[], yticks=[])
    one.invert_yaxis()
# sphinx_gallery_end_ignore
plt.show()

# %%
# We can count the backward passes, since a hook on the input is called once in each:

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
# Forty rows took forty passes. But there are only three columns. With dual numbers:

fwAD = torch.autograd.forward_ad

columns = []
with fwAD.dual_level():
    for direction in torch.eye(3):
        columns.append(fwAD.unpack_dual(residuals(fwAD.make_dual(p, direction))).tangent)
print(len(columns), "forward passes")
assert torch.allclose(torch.stack(columns, 1), J)

# %%
# So reverse mode is for functions with few results, and forward mode for functions with few inputs.
# ``torch.func.jacrev`` and ``torch.func.jacfwd`` are named after the modes. Here are both on a function with many
# inputs, and on one with many results:

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
# If there are as many inputs as results, both modes take the same number of passes. But forty passes one after the
# other are a loop in Python over small steps, and most of the time of a small step is overhead. The passes differ
# only in what they start with: row :math:`i` of the Jacobian starts with the :math:`i`-th unit vector. All unit
# vectors together are the identity matrix, and we can send *that* through a single pass. ``torch.autograd.grad`` calls
# it ``is_grads_batched``.

f, x = layer(50, 50), torch.randn(50).requires_grad_()
y = f(x)
(at_once,) = torch.autograd.grad(y, x, torch.eye(50), is_grads_batched=True)
assert torch.allclose(at_once, jacobian(f, x))

# %%
# ``jacobian(..., vectorize=True)`` does that, and so do ``jacrev`` and ``jacfwd``. The product of the matrix with
# fifty vectors, one by one, becomes one product of two matrices.

x = x.detach()
one_by_one = milliseconds(lambda: jacobian(f, x))
vectorized = milliseconds(lambda: jacobian(f, x, vectorize=True))
print(f"one by one {one_by_one:.2f} ms, at once {vectorized:.2f} ms")

passes = 0
assert torch.allclose(jacobian(counted, p, vectorize=True), J)
assert passes == 1

# %%
# The same can be done with any function. ``torch.func.vmap`` turns a function of one example into a function of many,
# which run together: it is given a leading axis, and returns one. So the three hundred fits above need no loop:

vmap = torch.func.vmap

in_a_loop = milliseconds(lambda: [step(p, m) for p, m in zip(fits, many)])
together = milliseconds(lambda: vmap(step)(fits, many))
print(f"300 steps in a loop {in_a_loop:.1f} ms, together {together:.1f} ms")
assert torch.allclose(vmap(step)(fits, many)[0], step(fits[0], many[0]))

# %%
# .. folded:: Columns, from ``jacobian``
#
# ``jacobian`` can compute columns too: ``strategy="forward-mode"`` asks for that. It always computes them all at
# once, and so it wants ``vectorize=True`` as well.

# teaches: functional.jacobian
columns = jacobian(residuals, p, vectorize=True, strategy="forward-mode")
print(tuple(columns.shape), "equal:", torch.allclose(columns, J))
assert torch.allclose(columns, J)

with expect_error(NotImplementedError):
    jacobian(residuals, p, strategy="forward-mode")

# %%
# .. folded:: The price of computing all at once
#
# Fifty passes at once need fifty times the memory of one, which matters if the intermediate
# results are large. ``jacrev`` takes a ``chunk_size``: the number of rows to compute at once.


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
# .. folded:: Inputs and outputs that are not vectors
#
# "Rows" and "columns" belong to vectors. If the output has the shape :math:`(a, b)` and the input
# :math:`(c, d, e)`, the Jacobian has the shape :math:`(a, b, c, d, e)`: first the place in the output, then the place
# in the input. Several inputs or outputs give a tuple, or a tuple of tuples, output first.

A, b = torch.randn(2, 3), torch.randn(3)
to_A, to_b = jacobian(lambda A, b: A @ b, (A, b))
print("of A @ b: to A", tuple(to_A.shape), "  to b", tuple(to_b.shape))
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
# On paper, the gradient of :math:`\tfrac12 \sum r_i^2` is :math:`J^T r`, and its derivative is
#
# .. math::
#
#    H = J^T J + \sum_i r_i H_i
#
# where :math:`H_i` is the Hessian of the residual :math:`r_i`. All forty of them form one table of the shape
# :math:`(40, 3, 3)`, the Jacobian of the Jacobian:

r, J = residuals(p), jacfwd(residuals)(p)
all_H = jacfwd(jacfwd(residuals))(p)
print("all H_i:", tuple(all_H.shape))
assert torch.allclose(H, J.T @ J + torch.einsum("i,ijk->jk", r, all_H))
with expect_error(RuntimeError):
    hessian(residuals, p)               # it expects a function that returns one number

# %%
# So the method of Gauss and Newton replaces :math:`H` by :math:`J^T J`, and neglects the rest, which is small if the
# residuals are. Newton's own method uses all of it. Near the solution every step then doubles the number of correct
# digits:


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
# The error of Gauss-Newton shrinks by the same factor in each step. Measurements do not have that many digits, so
# here either method will do.
#
# .. folded:: Forward, reverse, or both?
#
# For the gradient of one number, reverse mode is right. The Jacobian of this gradient is square, so for the outer
# derivative both modes are good. That makes two good ways to a Hessian, and two more for comparison. With fifty
# inputs:

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
# With forward mode inside, the gradient alone takes fifty passes, and each of them is differentiated fifty times.
#
# The two good ways differ little. ``torch.func.hessian`` is forward over reverse.
# ``torch.autograd.functional.hessian`` is reverse over reverse, row by row unless you say ``vectorize=True``; with
# ``outer_jacobian_strategy="forward-mode"`` it is forward over reverse too.

# teaches: functional.hessian
mixed = hessian(square, x, vectorize=True, outer_jacobian_strategy="forward-mode")
print(tuple(mixed.shape), "symmetric:", torch.allclose(mixed, mixed.T))
assert torch.allclose(mixed, torch.func.hessian(square)(x))

# %%
# What goes wrong
# ---------------
#
# **Newton's method goes anywhere the gradient is 0.** From a good guess that is the minimum. Elsewhere the Hessian
# may have a negative eigenvalue, and then the step can lead anywhere.

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
# Newton's method has found a curve that is over before the second measurement. There the gradient nearly vanishes
# too, since it makes no difference how fast the curve has fallen by then. :math:`J^T J` has no negative eigenvalue,
# whatever :math:`J` is. Neglecting the rest makes the steps worse near the end, and safer far away. (They are still
# not safe, since a step may be too long. In :doc:`hessian_vector_products` such a step is shortened.)
#
# **The Jacobian of a batch.** A network reads 64 examples at once, each with 10 inputs and 5 outputs. We want a table
# of 5 by 10 for each. ``jacobian`` does not know that the examples are independent:

network, examples = layer(10, 5), torch.randn(64, 10)
everything = jacobian(vmap(network), examples)
print(f"{tuple(everything.shape)}, {(everything == 0).float().mean().item():.0%} zeros")

each = vmap(jacrev(network))(examples)
print(tuple(each.shape))
assert torch.allclose(each, torch.stack([everything[i, :, i] for i in range(64)]))

# %%
# .. folded:: Zeros that should be an error
#
# A chain that was cut gives zeros. Here a number was taken out of a tensor:


def cut(height, rate, floor):
    return height * torch.exp(-rate.item() * times) + floor


by_height, by_rate, by_floor = jacobian(cut, tuple(p))
print("with respect to the rate:", by_rate[:4])
assert not by_rate.any()

# %%
# These zeros could be right: some results really do not depend on an input. If you know that yours do, ask for
# ``strict=True``:

with expect_error(RuntimeError):
    jacobian(cut, tuple(p), strict=True)

# %%
# (This does not work together with ``vectorize=True``, where all rows come from one pass, and a missing one cannot be
# told from zeros.)
#
# .. folded:: Zeros that are right, but useless
#
# Outliers do less harm to the sum of the *absolute* differences. As a function
# of the floor, this sum consists of straight pieces. Its derivative is a sum of signs, its second derivative is 0,
# and Newton's method divides by it.


def absolute(floor):
    return (floor - measured[20:]).abs().sum()


print("second derivative at the floor:", hessian(absolute, p[2]).item())
assert hessian(absolute, p[2]) == 0

# %%
# .. folded:: A function of something else
#
# The function is called with tensors that represent its inputs. Any other tensor
# that it uses is a constant, even if it holds the same numbers:

wrong = jacobian(lambda q: p[0] * q[1], p)      # p[0] should be q[0]
print(wrong)
assert wrong.tolist() == [0, p[0].item(), 0]

# %%
# Summary
# -------
#
# - ``jacobian(f, x)`` has a row for each result and a column for each input. Its shape is that of the output,
#   followed by that of the input.
# - Reverse mode computes rows, forward mode (``jacfwd``, ``strategy="forward-mode"``) columns. Take the shorter side.
# - ``vectorize=True`` computes all rows in one pass, and holds them all; ``chunk_size`` is the compromise.
# - A Hessian is the Jacobian of a gradient: forward over reverse, or reverse over reverse.
# - :math:`J^T J` gives the step of a fit, and its inverse the errors of the result.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Fit the *period* of a noisy sine, to forty measurements from 0 to 4 of one with the period 1. From how far away
#    does Gauss-Newton still find it? Draw the sum of squares over the period, and look for the places where its
#    second derivative is negative.
# 2. The measurements are not equally good: give each its own error, and fit with ``residuals / errors``. What becomes
#    of :math:`C`? Check it with simulated measurements.
# 3. From which number of inputs on is ``jacfwd`` slower than ``jacrev``, for a ``layer`` with 100 results? Predict it
#    by counting, measure it, and explain the difference.
