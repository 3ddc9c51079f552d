"""
Through a solver
================

Some functions have no formula. Their value is what makes an equation true, and a solver finds it: a fixed-point
iteration, Newton's method, a routine of SciPy. On this page you differentiate such a function. First you record every
step of the solver, and then you derive the derivative from the equation, where no step occurs. Three programs use it: a
layer of a network that is an equation, a hyperparameter that is trained, and the steady state of a reaction.

After this page you can write the residual of a problem, differentiate its solution with ``torch.func.implicit`` at the
cost of one linear system, and recognize a solution that has no derivative.

You need :doc:`vjp_and_jvp` and :doc:`jacobians_and_hessians`.
"""

# %%
# The problem
# -----------
#
# A vector :math:`z` of 100 numbers is to satisfy
#
# .. math::
#
#    z = \tanh(W z + x)
#
# with a matrix :math:`W` and an input :math:`x`. It is found by *iteration*: start at 0, put :math:`z` into the right
# side, take the result for the new :math:`z`, and so on until nothing changes.

import math

import matplotlib.pyplot as plt
import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import root as scipy_root
from sklearn.datasets import load_digits

import minigrad as torch
from minigrad.autograd.graph import saved_bytes
from minigrad.teaching import expect_error

torch.set_default_dtype(torch.float64)
torch.manual_seed(0)

W = torch.randn(100, 100) * 0.09
x, weights = torch.randn(100) * 0.3, torch.randn(100)


def step(z, W, x):
    return torch.tanh(W @ z + x)


def iterated(W, x, steps):
    z = torch.zeros_like(x)
    for _ in range(steps):
        z = step(z, W, x)
    return z


z = iterated(W, x, 400)
print("z =", z[:3], "... changes by", (step(z, W, x) - z).abs().max().item())

# %%
# How does :math:`z` change with :math:`x`? We take a weighted sum of :math:`z` and ask for its gradient. The obvious
# way is to *unroll*: let autograd record all steps, and go back through them.

x.requires_grad_()


def unrolled(steps):
    total = weights @ iterated(W, x, steps)
    kept = saved_bytes(total).total
    (gradient,) = torch.autograd.grad(total, x)
    return gradient, kept


exact, _ = unrolled(400)
counts = [10, 20, 40, 80, 120]
errors_of_z, errors_unrolled = [], []
print("steps  error of z  error of the gradient  bytes kept")
for steps in counts:
    gradient, kept = unrolled(steps)
    error = (iterated(W, x, steps) - z).abs().max().item()
    error_of_gradient = (gradient - exact).abs().max().item()
    print(f"{steps:5}  {error:.1e}     {error_of_gradient:.1e}                {kept:9,}")
    errors_of_z.append(error)
    errors_unrolled.append(error_of_gradient)
assert all(g > e for e, g in zip(errors_of_z, errors_unrolled))

# %%
# It works, at a price. The graph grows with every step. The gradient is worse than the solution, since it is the
# derivative of a *rough* solution. And if the solver is SciPy's, or chooses its steps by looking at numbers, there is
# nothing to record at all.
#
# The idea
# --------
#
# We know more than the steps: we know the equation. Let
#
# .. math::
#
#    F(z, x) = \tanh(W z + x) - z
#
# be its *residual*, what is left when everything is on one side. At a solution it is 0. If :math:`x` moves by
# :math:`\dot x`, the solution moves by some :math:`\dot z` so that the residual stays 0. So its change is 0, too:
#
# .. math::
#
#    A \dot z + B \dot x = 0
#
# where :math:`A` is the Jacobian of the residual with respect to :math:`z`, and :math:`B` that with respect to
# :math:`x`. That is one linear system for :math:`\dot z`. It is the *implicit function theorem*, and nothing in it says
# how :math:`z` was found.
#
# For a gradient we need the transpose. If :math:`g` is the gradient with respect to :math:`z`, then
#
# .. math::
#
#    A^T w = g, \qquad \text{gradient with respect to } x = -B^T w
#
# which is one system and one ``vjp``:


def residual(z, W, x):
    return step(z, W, x) - z


def by_theorem(z):
    A = torch.func.jacrev(residual)(z, W, x.detach())
    w = torch.linalg.solve(A.T, weights)
    _, pull = torch.func.vjp(lambda x: residual(z, W, x), x.detach())
    return pull(-w)[0]


print("error:", (by_theorem(z) - exact).abs().max().item())
assert torch.allclose(by_theorem(z), exact)

# %%
# All digits, from :math:`z` alone.
#
# A function of a solver
# ----------------------
#
# ``torch.func.implicit(residual, solver)`` does this for any residual. It returns a function of the parameters. That
# function calls the solver, without recording it, and its derivative is the one above.


def solver(W, x):
    return iterated(W, x, 200)


equilibrium = torch.func.implicit(residual, solver)
total = weights @ equilibrium(W, x)
kept = saved_bytes(total).total
(gradient,) = torch.autograd.grad(total, x)
error = (gradient - exact).abs().max().item()
print(f"error of the gradient {error:.1e}, bytes kept {kept:,}")
assert error < 1e-9 and kept < 200_000

# %%
# It keeps the parameters and the solution, 82 thousand bytes, most of them :math:`W`, however many steps there were. In
# the picture, the solver takes 10 to 120 steps. (``rtol=1`` allows solutions as rough as these; we come back to it.)

rough_errors = []
for steps in counts:
    rough = torch.func.implicit(residual, lambda W, x: iterated(W, x, steps), rtol=1.0)
    (gradient,) = torch.autograd.grad(weights @ rough(W, x), x)
    rough_errors.append((gradient - exact).abs().max().item())
assert all(mine < theirs for mine, theirs in zip(rough_errors, errors_unrolled))

# alt: The error of the gradient against the number of steps, on a logarithmic axis. Both curves fall in straight
#      lines. The one of implicit runs parallel to the error of the solution and below the one of the unrolled
#      solver, which needs more steps for the same digits.
# sphinx_gallery_start_ignore
figure, axes = plt.subplots(figsize=(6.4, 3.4), layout="constrained")
axes.semilogy(counts, errors_unrolled, "o-", color="tab:orange", label="gradient, unrolled")
axes.semilogy(counts, rough_errors, "o-", color="tab:blue", label="gradient, implicit")
axes.semilogy(counts, errors_of_z, "o--", color="gray", label="solution")
axes.set(xlabel="steps of the solver", ylabel="largest error")
axes.legend(frameon=False)
axes.grid(alpha=0.3)
# sphinx_gallery_end_ignore
plt.show()

# %%
# The result is an ordinary function. It has second derivatives, tangents, and it works under ``vmap``, where the solver
# is called for each example:


def number(t):
    return weights @ equilibrium(W, t * x.detach())


t = torch.tensor(1.0)
second = torch.func.grad(torch.func.grad(number))(t)
by_difference = (number(t + 1e-3) - 2 * number(t) + number(t - 1e-3)) / 1e-6
print(f"second derivative {second.item():.5f}, by a difference {by_difference.item():.5f}")
slopes = torch.vmap(torch.func.grad(number))(torch.tensor([0.5, 1.0, 1.5]))
print("slopes at three places:", slopes)
assert abs(second - by_difference) < 1e-3

# %%
# A layer that is an equation
# ---------------------------
#
# A *deep equilibrium layer* returns such a :math:`z`. It is a network of infinitely many equal layers, with the memory
# of one. We train one to read digits. The unknowns are those of a whole batch, 64 times 40 of them, too many for a
# matrix: with more than 1,000 unknowns the linear system is solved by GMRES, a relative of conjugate gradients, from
# products alone.

digits = load_digits()
order = torch.randperm(1797)
images = torch.tensor(digits.images.reshape(-1, 64) / 16)[order]
labels = torch.tensor(digits.target)[order]
network = {
    "W": torch.randn(40, 40) * 0.05, "U": torch.randn(64, 40) * 0.2, "b": torch.zeros(40),
    "V": torch.randn(40, 10) * 0.2,
}


def layer(z, network, images):
    return torch.tanh(z @ network["W"] + images @ network["U"] + network["b"]) - z


def settle(network, images):
    z = torch.zeros(len(images), 40)
    for _ in range(200):
        change = layer(z, network, images)
        z = z + change
        if change.abs().max() < 1e-6:
            break
    return z


hidden = torch.func.implicit(layer, settle, rtol=1e-5)


def scores(network, images):
    return hidden(network, images) @ network["V"]


def loss(network, images, labels):
    return torch.nn.functional.cross_entropy(scores(network, images), labels)


for epoch in range(4):
    for start in range(0, 1408, 64):
        batch = slice(start, start + 64)
        g = torch.func.grad(loss)(network, images[batch], labels[batch])
        network = {name: p - 0.5 * g[name] for name, p in network.items()}
right = (scores(network, images[1408:]).argmax(1) == labels[1408:]).double().mean().item()
print(f"held-out images: {right:.1%} right")
assert right > 0.9

# %%
# The parameters are a dictionary, and go through ``hidden`` to the residual and to the solver. What the residual uses
# must be passed in this way; we see below why.
#
# A minimum inside a function
# ---------------------------
#
# *Ridge regression* fits weights to data and punishes large ones; how much, says a number :math:`\lambda`. Which one is
# best? That which makes the error on *other* data small. So there is a minimum inside the function that we minimize, a
# *bilevel problem*. The inner minimum is the solution of an equation: there the gradient is 0.

X, other_X = torch.randn(30, 20), torch.randn(200, 20)
truth = torch.randn(20) * (torch.arange(20) < 5)
y, other_y = X @ truth + torch.randn(30), other_X @ truth + torch.randn(200)


def inner(w, log_penalty):
    return ((X @ w - y) ** 2).sum() / 2 + log_penalty.exp() * (w @ w) / 2


def ridge(log_penalty):
    A = X.T @ X + log_penalty.exp() * torch.eye(20)
    return np.linalg.solve(A.numpy(), (X.T @ y).numpy())


fitted = torch.func.implicit(torch.func.grad(inner), ridge, symmetric=True)


def outer(log_penalty):
    return ((other_X @ fitted(log_penalty) - other_y) ** 2).mean()


slope, curvature = torch.func.grad(outer), torch.func.grad(torch.func.grad(outer))
p = torch.tensor(0.0)
for _ in range(6):
    penalty, error, slope_there = p.exp().item(), outer(p).item(), slope(p).item()
    print(f"penalty {penalty:7.4f}, error {error:.5f}, slope {slope_there:9.1e}")
    p = p - slope(p) / curvature(p).abs()
assert abs(slope(p)) < 1e-6

# %%
# The residual is ``torch.func.grad(inner)``, and the solver is NumPy. Since the slope has a derivative, too, the outer
# minimum is found by Newton's method. A search over a grid would have done as well for one penalty; with a penalty for
# each weight it would not.
#
# Where a reaction comes to rest
# ------------------------------
#
# The *Brusselator* is a chemical reaction. Its two concentrations change with time as the function ``speed`` says,
# which depends on two rates.


def speed(c, rates):
    a, b = rates
    grow = c[0] ** 2 * c[1]
    return torch.stack([a + grow - (b + 1) * c[0], b * c[0] - grow])


def after_a_while(rates):
    def of_arrays(time, c):
        return speed(torch.tensor(c), rates).numpy()

    return solve_ivp(of_arrays, (0, 100), [1.0, 1.0]).y[:, -1]


# %%
# After a long time nothing changes any more. The *steady state* solves :math:`\text{speed} = 0`, so the residual is
# the speed itself, and the time that has passed does not matter. What if we take what SciPy's simulation ends with?

rates = torch.tensor([1.0, 1.5])
steady = torch.func.implicit(speed, after_a_while)
with expect_error(RuntimeError):
    steady(rates)

# %%
# The simulation was accurate to three digits, and its end is not a steady state. A few steps of a root finder from
# there make it one.


def at_rest(rates):
    def of_arrays(c):
        return speed(torch.tensor(c), rates).numpy()

    return scipy_root(of_arrays, after_a_while(rates), tol=1e-12).x


steady = torch.func.implicit(speed, at_rest)
sensitivity = torch.func.jacfwd(steady)(rates)
print("steady state:", steady(rates))
print(sensitivity.round(decimals=6))
a, b = rates
assert torch.allclose(steady(rates), torch.stack([a, b / a]))
assert torch.allclose(sensitivity, torch.tensor([[1, 0], [-b / a ** 2, 1 / a]]))

# %%
# That is right: the concentrations at rest are :math:`a` and :math:`b / a`.
#
# What goes wrong
# ---------------
#
# *Not a solution.* We have seen it: the derivative at a point that is not a solution would be a number, and a wrong
# one, so the residual is checked. It is compared with the terms that cancel in it. A rough solution must be asked for
# with ``rtol``, as for the layer above, whose gradient then has about as many digits as :math:`z`.
#
# *A tensor from outside.* The solver is not recorded. A residual that reads a tensor that requires grad, and did not
# get it as a parameter, would silently leave it without a gradient.

W.requires_grad_()
closed = torch.func.implicit(lambda z, x: step(z, W, x) - z, lambda x: solver(W, x))
with expect_error(RuntimeError):
    closed(x)

# %%
# *No derivative.* The roots of :math:`z^2 = x` are :math:`\pm\sqrt x`. At :math:`x = 0` they meet, the slope is
# infinite, and the Jacobian :math:`2 z` is singular.

fold = torch.func.implicit(lambda z, x: z * z - x, torch.sqrt)
print("slope at 0.01:", torch.func.grad(fold)(torch.tensor(0.01)))
with expect_error(RuntimeError):
    torch.func.grad(fold)(torch.tensor(0.0))

# %%
# The same error says that the equations leave an unknown open, or say one thing twice.
#
# Summary
# -------
#
# - A solver's result is a function of what goes in, given by an equation, the residual that is 0.
# - Its derivative is the solution of a linear system at that point. No step of the solver occurs in it.
# - ``torch.func.implicit(residual, solver)`` is that function, with derivatives of any order in both modes.
# - It keeps the parameters and the solution, while an unrolled solver keeps every step, and gives fewer digits.
# - A minimum is an equation for its gradient, and a steady state one for the speed.
# - It needs a solution, all parameters by name, and a Jacobian that is not singular.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. A penalty for each weight: minimize the outer error of the ridge regression over 20 logarithms of penalties, by
#    gradient descent. Which weights are punished most, and how much smaller is the error than with one penalty?
# 2. Where does the iteration end? Make the matrix of the first section larger little by little, and count the steps for
#    ten digits. Compare with Newton's method as the solver. What happens to the derivative?
