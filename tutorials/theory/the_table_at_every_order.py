"""
The table at every order
========================

A second derivative is a derivative of a derivative, and so on to the tenth. But to differentiate ten times in a row
costs a thousand times as much as the function. The rows of the table hold a shorter way, in which all ten come from
one evaluation. On this page you compute with power series by hand, let the table do it, solve a differential equation
to fifteen digits, and train a network on an equation with second derivatives.

After this page you can compute derivatives of any order along a line or a curve, take a step of a differential
equation by its Taylor series, and compute the Laplacian of a network without a second backward pass.

You need rows and their formulas, from :doc:`/tutorials/theory/the_table_itself`, and tangents, from
:doc:`/tutorials/forward_and_beyond/vjp_and_jvp`.
"""

# %%
# The problem
# -----------
#
# Along a line, a function of many numbers is a function of one: :math:`g(t) = f(x + t v)`. Its first derivative is what
# ``jvp`` computes. For the second, we apply ``jvp`` to a function that calls ``jvp``, and so on. How many operations
# does that take? A profiler counts them.

import math

import matplotlib.pyplot as plt

import minigrad as torch
from minigrad import nn
from minigrad.autograd import profiler
from minigrad.func import jet, jvp, taylor
from minigrad.teaching import expect_error

torch.set_default_dtype(torch.float64)
torch.manual_seed(0)


def nested(f, x, v, order):
    if order == 0:
        return f(x)
    return jvp(lambda x: nested(f, x, v, order - 1), (x,), (v,))[1]


def operations(run):
    with profiler.profile() as found:
        run()
    return sum(event.count for event in found.key_averages())


def f(x):
    return torch.exp(torch.sin(x) * x).sum()


x, v = torch.rand(2, 5)
orders = range(1, 8)
by_jvp = [operations(lambda: nested(f, x, v, order)) for order in orders]
by_series = [operations(lambda: taylor(f, x, v, order)) for order in orders]
print("jvp of jvp ...:", by_jvp)
print("taylor:        ", by_series)
assert by_jvp[-1] > 10 * by_series[-1]
assert torch.allclose(taylor(f, x, v, 6)[6], nested(f, x, v, 6), rtol=1e-3)

# %%
# Each ``jvp`` more than doubles the number. ``taylor`` returns the same sixth derivative, together with all those below
# it, and its number grows slowly. How can that be?
#
# Computing with series
# ---------------------
#
# Instead of derivatives, we keep the coefficients of a power series, :math:`x(t) = x_0 + x_1 t + x_2 t^2 + \cdots`, as
# a list. The coefficient :math:`x_k` is the k-th derivative divided by :math:`k!`. A sum is the sum of two lists. The
# product of two series is *Cauchy's product*: whatever two terms have :math:`t^k` in their product contribute to the
# coefficient k,
#
# .. math::
#
#    (x y)_k = \sum_{i=0}^{k} x_i \, y_{k-i} .


def times(x, y):
    return [sum(x[i] * y[k - i] for i in range(k + 1)) for k in range(len(x))]


print(times([1, 1, 0, 0], [1, -1, 0, 0]), "is (1 + t) (1 - t)")
assert times([1, 1, 0, 0], [1, -1, 0, 0]) == [1, 0, -1, 0]

# %%
# Now the exponential. Its row in the table has the formula ``d * result``, which says how a perturbation ``d`` passes
# through: :math:`y' = x' y`. Read it as an equation between *series*. On the left, the coefficient :math:`k - 1` of
# :math:`y'` is :math:`k\, y_k`. On the right it is a coefficient of a product:
#
# .. math::
#
#    k \, y_k = \sum_{j=1}^{k} j \, x_j \, y_{k-j} .
#
# On the right there are only coefficients of y below k. So each follows from those before it.


def exp(x):
    y = [math.exp(x[0])]
    for k in range(1, len(x)):
        y.append(sum(j * x[j] * y[k - j] for j in range(1, k + 1)) / k)
    return y


line = [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]      # x(t) = t
bell = exp([-each for each in times(line, line)])
print("exp(-t²):", [round(each, 4) for each in bell])
assert bell == [1, 0, -1, 0, 1 / 2, 0, -1 / 6]

# %%
# Nothing here is special to the exponential. A row of the table gives :math:`y'` in terms of :math:`x'`, :math:`x` and
# :math:`y`; the formula is made of rows again; and so the first-order rule of each operation, the only one that was
# ever written down, determines all orders:
#
# - a **linear** operation acts on each coefficient by itself;
# - a **product**, of numbers, matrices or windows, is Cauchy's;
# - an **elementwise** operation has :math:`y' = x' G`, with the formula for :math:`d = 1` as G, a series like others;
# - any other has its **differential**, as it is.
#
# A product of two series costs about :math:`n^2 / 2` products of coefficients, and a function of ten operations has ten
# such sums. So n derivatives cost about :math:`n^2` evaluations, in place of :math:`2^n`. This is *Taylor mode*.
#
# From a list to a tensor
# -----------------------
#
# ``taylor(f, x, v, order)`` returns the value of f at x, and the derivatives of :math:`f(x + t v)`. To compare them
# with our coefficients, we multiply those by :math:`k!`:

zero, one = torch.tensor(0.0), torch.tensor(1.0)
derivatives = taylor(lambda t: torch.exp(-t * t), zero, one, 6)
print([each.item() for each in derivatives])
for k, each in enumerate(derivatives):
    assert abs(each.item() - math.factorial(k) * bell[k]) < 1e-12

# %%
# ``jet`` takes curves instead of lines: for each argument its value, and a list with its first derivative, its second,
# and so on. With ``factorial_scaled=False`` both what you give and what you get are coefficients. For the curve
# :math:`t + t^2` and the sine:

value, series = jet(torch.sin, (zero,), ((one, one, zero, zero),), factorial_scaled=False)
print("sin(t + t²):", [round(each.item(), 4) for each in (value, *series)])
assert abs(series[2].item() + 1 / 6) < 1e-15 and abs(series[3].item() + 1 / 2) < 1e-15

# %%
# An equation solved by its series
# --------------------------------
#
# A pendulum has an angle and an angular velocity, and the equation :math:`y' = f(y)` says how they change. That is once
# more an equation between series: the coefficient :math:`k + 1` of y is that of k of :math:`f(y)`, divided by
# :math:`k + 1`. We know :math:`y_0`, so we find :math:`y_1`; with it :math:`y_2`; and so on. The sum of the series is
# the state after a step of size h.


def pendulum(y):
    return torch.stack([y[1], -torch.sin(y[0])])


def coefficients(f, y, order):
    found = []
    for k in range(order):
        value, rest = jet(f, (y,), (tuple(found),), factorial_scaled=False)
        found.append((value, *rest)[k] / (k + 1))
    return [y, *found]


def after(terms, h):
    total = terms[-1]
    for term in reversed(terms[:-1]):
        total = total * h + term
    return total


def energy(y):
    return (y[1] ** 2 / 2 - torch.cos(y[0])).item()


start = torch.tensor([1.0, 0.0])
sizes = [2 ** -k for k in range(6)]
drift = {}
for order in (4, 8, 16):
    drift[order] = []
    for h in sizes:
        y = start
        for _ in range(round(2 / h)):
            y = after(coefficients(pendulum, y, order), h)
        drift[order].append(abs(energy(y) - energy(start)) + 1e-17)
    print(f"order {order:2}: energy off by {drift[order][0]:.0e} with h = 1,"
          f" by {drift[order][2]:.0e} with h = 1/4")
assert drift[16][2] < 1e-13 < drift[4][2]

# alt: The error of the energy of a pendulum over the size of the step, both on logarithmic axes. Three lines fall with
#      smaller steps, the steeper the higher the order. That of order 16 reaches the rounding error, near 1e-16, at a
#      step of one quarter.
# sphinx_gallery_start_ignore
fig, ax = plt.subplots(figsize=(6, 3.4))
for order, errors in drift.items():
    ax.loglog(sizes, errors, "o-", label=f"order {order}")
ax.axhline(2e-16, color="gray", linestyle="--")
ax.set_xlabel("size of a step")
ax.set_ylabel("error of the energy")
ax.legend()
fig.tight_layout()
# sphinx_gallery_end_ignore
plt.show()

# %%
# A method of order 4 halves its step to gain a digit or so. Order 16 with four steps to a unit of time is exact to
# rounding, and nobody has derived its formula. Astronomers compute orbits in this way.
#
# A network that solves an equation
# ---------------------------------
#
# The *Laplacian* :math:`\Delta u` is the sum of the second derivatives in the directions of all axes. It occurs
# wherever something spreads: heat, electric charge, a stretched skin. We look for u on a square, zero on the border,
# with
#
# .. math::
#
#    \Delta u = -2 \pi^2 \sin(\pi x) \sin(\pi y) ,
#
# as a network: it is right where the two sides agree, so their squared difference is the loss. Reverse mode needs a
# backward pass for the gradient, a second one for each axis, recorded, and a third one for the parameters. In Taylor
# mode, :math:`\Delta u` comes forward with u, and one backward pass is left. Since u treats each point by itself, the
# same direction serves all points at once.

first, last = nn.Linear(2, 24), nn.Linear(24, 1)
points = torch.rand(128, 2)
charge = 2 * math.pi ** 2 * torch.sin(math.pi * points).prod(1)


def u(p):
    return (p * (1 - p)).prod(1) * last(torch.tanh(first(p)))[:, 0]


def laplacian(u, points):
    across, up = [axis.expand(128, 2) for axis in torch.eye(2)]
    return taylor(u, points, across, 2)[2] + taylor(u, points, up, 2)[2]


hessian = torch.func.hessian(lambda p: u(p[None])[0])(points[0])
assert torch.allclose(laplacian(u, points)[0], hessian.trace(), atol=1e-4)

optimizer = torch.optim.Adam([*first.parameters(), *last.parameters()], lr=0.01)
for step in range(401):
    optimizer.zero_grad()
    loss = (laplacian(u, points) + charge).square().mean()
    loss.backward()
    optimizer.step()
    if step % 200 == 0:
        print(f"step {step}: loss {loss.item():.4f}")

others = torch.rand(1000, 2)
with torch.no_grad():
    error = (u(others) - torch.sin(math.pi * others).prod(1)).abs().max().item()
print(f"the solution is sin(πx) sin(πy); the network is off by at most {error:.3f}")
assert error < 0.1

# %%
# Mixed derivatives come from directions as well. In the direction :math:`v + w` the second derivative is
# :math:`v^{\mathsf T} H v + 2\, v^{\mathsf T} H w + w^{\mathsf T} H w`, so three directions give the one in the middle.
#
# What goes wrong
# ---------------
#
# **A kink.** A network of ReLUs is made of flat pieces. Taylor mode follows the piece on which the point lies, and its
# second derivatives are zero, whatever the parameters are. The loss above could not be learned:

flat = nn.Sequential(nn.Linear(2, 24), nn.ReLU(), nn.Linear(24, 1))
print("largest Laplacian:", laplacian(lambda p: flat(p)[:, 0], points).abs().max().item())
assert laplacian(lambda p: flat(p)[:, 0], points).abs().max() == 0

# %%
# **A step that is too large.** A series converges only up to the nearest singularity, real or complex. That of
# :math:`1 / (1 + t^2)` is at :math:`\pm i`. Within 1 more terms help, and beyond they do harm:

value, series = jet(lambda t: 1 / (1 + t * t), (zero,), ((one, *[zero] * 29),),
                    factorial_scaled=False)
for h in (0.5, 1.5):
    found = after([value, *series], h).item()
    print(f"at {h}: {found:.6g}, and it is {1 / (1 + h * h):.6g}")
assert abs(after([value, *series], 0.5) - 0.8) < 1e-8 and abs(found) > 1e4

# %%
# **A write in place.** A tensor that moves has a series, and memory has room for one number at a time:

with expect_error(RuntimeError):
    taylor(lambda x: x.clone().mul_(2), x, v, 3)
torch.set_default_dtype(torch.float32)

# %%
# Summary
# -------
#
# - The differential of a row is an equation between series, and gives each coefficient from those below it.
# - n derivatives along a curve cost about :math:`n^2` evaluations; ``jvp`` inside ``jvp`` costs :math:`2^n`.
# - ``taylor`` follows a line, ``jet`` a curve. They return derivatives, or coefficients on request.
# - The series of the solution of :math:`y' = f(y)` follows from f alone.
# - A Laplacian is a sum of second derivatives along the axes, and one backward pass differentiates it.
#
# .. admonition:: Now in PyTorch
#
#    PyTorch has ``jvp``, which may be nested as above, and neither ``taylor`` nor ``jet``. JAX has ``jet``, with the
#    same arguments and the same results.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Let the order of the pendulum's steps be 16, and choose each step so that the last term is as large as the rounding
#    error. How does the size of the steps change in the course of a swing?
# 2. Count the operations of ``taylor`` for a network of your choice, up to order 20. By how much does the number grow
#    from one order to the next, and is that a square? From which order on are they fewer than those of ``jvp`` inside
#    ``jvp``?
