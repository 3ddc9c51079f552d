"""
Double backward of your own Function
====================================

Sometimes a derivative is not the end of a computation but a part of it: an equation of motion contains
accelerations, a penalty contains slopes. Then ``backward`` itself is differentiated. A Function whose first derivative
is right may have a second derivative that is silently wrong. On this page that makes a pendulum swing wrongly. We see
what ``backward`` may use, four ways to write it, and how to check it, up to the third derivative.

You need Functions, from :doc:`your_own_function`, and ``gradcheck``, from
:doc:`/tutorials/your_own_functions/checking_your_gradients`.

After this page you can write a ``backward`` that can be differentiated itself, and find out what a second derivative
lacks.
"""

# %%
# The problem
# -----------
#
# A pendulum is released at an angle of 2 radians, not far from the top. From then on it obeys
#
# .. math::
#
#    u''(t) = -\sin u(t), \qquad u(0) = 2, \quad u'(0) = 0
#
# Let us find :math:`u` with a small network: sixteen bumps, each with its own place, width and height, 48 numbers in
# all. The two conditions at the start are built in. The numbers are chosen so that the equation holds at a hundred
# points of time. The loss is the error of the equation, :math:`u'' + \sin u`, squared. Such a fit is called
# *physics-informed*.
#
# A bump is the bell curve :math:`e^{-x^2/2}`. Its slope is :math:`-x e^{-x^2/2}`, and since we have the exponential
# in hand anyway, we compute the slope along with it and save that. There is only one tensor to keep, and ``backward``
# is a product:

import math
import warnings

import matplotlib.pyplot as plt
import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import minimize

import minigrad as torch
from minigrad.teaching import expect_error, expect_warning

torch.set_default_dtype(torch.float64)


class ThriftyBell(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.exp(-x * x / 2)
        slope = -x * y
        ctx.save_for_backward(slope)
        return y

    @staticmethod
    def backward(ctx, y_bar):
        (slope,) = ctx.saved_tensors
        return y_bar * slope


points = torch.linspace(-2, 2, 6).requires_grad_()
assert torch.autograd.gradcheck(ThriftyBell.apply, points)

# %%
# ``gradcheck`` approves. Now the network. Both derivatives with respect to :math:`t` come from autograd, and so does
# the one with respect to the 48 numbers, with which an optimizer from SciPy reduces the loss.

end = 6.0
times = torch.linspace(0, end, 100).view(-1, 1).requires_grad_()


def angle(parameters, t, bell):
    width, place, height = parameters.view(3, 16)
    bumps = bell(t * width - place)
    return 2 + t * t * (bumps @ height.view(-1, 1)) / 4         # u(0) = 2 and u'(0) = 0


def loss(parameters, bell):
    u = angle(parameters, times, bell)
    (velocity,) = torch.autograd.grad(u.sum(), times, create_graph=True)
    (acceleration,) = torch.autograd.grad(velocity.sum(), times, create_graph=True)
    return ((acceleration + torch.sin(u)) ** 2).mean()


places = torch.linspace(0, 1.5 * end, 16)
start = torch.cat([torch.full((16,), 1.5), places, torch.zeros(16)])


def fit(bell):
    def value_and_gradient(numbers):
        parameters = torch.tensor(numbers, requires_grad=True)
        value = loss(parameters, bell)
        value.backward()
        return value.item(), parameters.grad.numpy()

    options = {"maxiter": 1000}
    result = minimize(value_and_gradient, start.numpy(), jac=True, options=options)
    print(f"loss {result.fun:.1e} after {result.nit} steps")
    return torch.tensor(result.x), result


with warnings.catch_warnings():
    warnings.simplefilter("ignore")                 # we come to that
    spoilt, result = fit(ThriftyBell.apply)
print(result.message)
assert not result.success and "precision" in result.message and result.fun > 0.1

# %%
# The loss has stopped far from 0, and the optimizer blames precision. The real cause is that it was given derivatives
# that do not belong to its function, so no step does what it should. The function is wrong, too, since it contains
# the wrong acceleration. Compare the pendulum with a solver that is made for such equations:

fine = torch.linspace(0, end, 200).view(-1, 1)
solution = solve_ivp(
    lambda t, u: [u[1], -math.sin(u[0])], (0, end), [2, 0],
    t_eval=fine.numpy().ravel(), rtol=1e-9, atol=1e-9,
)
true = solution.y[0]


def swing(parameters):
    return angle(parameters, fine, lambda x: torch.exp(-x * x / 2)).numpy().ravel()


print(f"largest error of the angle: {abs(swing(spoilt) - true).max():.1f}")
assert abs(swing(spoilt) - true).max() > 1

# %%
# What backward may use
# ---------------------
#
# What happens inside ``forward`` is not recorded. So ``slope`` is a tensor without a history: it came from :math:`x`,
# but nobody knows that. It did no harm as long as ``backward`` was only run. When it is *differentiated*, the history
# of each tensor in it is followed, and ``slope``, which has none, counts as a constant.
#
# The derivative of :math:`\bar x = \bar y \, s` is then only the one with respect to :math:`\bar y`. The one with
# respect to :math:`s` is missing, with the second derivative of the bell in it.
#
# Which tensors know where they come from? Let us look into a ``backward`` while it is recorded:


class Watched(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.exp(-x * x / 2)
        ctx.save_for_backward(x, y, -x * y)
        return y

    @staticmethod
    def backward(ctx, y_bar):
        for name, tensor in zip(("input", "output", "intermediate"), ctx.saved_tensors):
            seen[name] = tensor.requires_grad
            print(f"{name:13}{type(tensor.grad_fn).__name__}")
        return y_bar * ctx.saved_tensors[2]


seen = {}
x = 3 * points
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    torch.autograd.grad(Watched.apply(x).sum(), points, create_graph=True)
assert seen == {"input": True, "output": True, "intermediate": False}

# %%
# The input comes back with its history: it is the product ``3 * points``. The output comes back as what it is, the
# result of this very node. The intermediate comes back as numbers.
#
# PyTorch does not report this. minigrad warns at the moment when it matters. (``ctx.mark_constant``, which the warning
# mentions, is minigrad's own: it says of a saved tensor that it does not depend on the inputs, so that no derivative is
# missing, and there is no warning.)

y = ThriftyBell.apply(points)
with expect_warning():
    torch.autograd.grad(y.sum(), points, create_graph=True)

# %%
# And ``gradgradcheck`` finds it. It measures the derivatives of ``backward``, and compares.


def report(function, inputs):
    with warnings.catch_warnings(), expect_error(RuntimeError) as caught:
        warnings.simplefilter("ignore")
        torch.autograd.gradgradcheck(function, inputs)
    return str(caught.error)


said = report(ThriftyBell.apply, points)
assert "ThriftyBellBackward saved an intermediate of forward" in said

# %%
# Four ways to do it right
# ------------------------
#
# **Save inputs and outputs.** The slope is :math:`-xy`, a product of an input and an output. So save these, and
# compute the product in ``backward``, where it is recorded. If neither input nor output is enough, compute the
# intermediate again from the input.


class Bell(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.exp(-x * x / 2)
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, y_bar):
        x, y = ctx.saved_tensors
        return y_bar * (-x * y)


assert torch.autograd.gradcheck(Bell.apply, points)
assert torch.autograd.gradgradcheck(Bell.apply, points)

# %%
# Watch the two passes. The first has one node of ours. While it ran, what ``backward`` did was recorded; so in the
# second pass there is a node for each product in it, and two paths lead from them back to the input: one directly,
# and one through :math:`y`.

x = torch.tensor([0.5, 1.0], requires_grad=True)
with torch.viz.record() as passes:
    (slope,) = torch.autograd.grad(Bell.apply(x).sum(), x, create_graph=True)
    slope.sum().backward()
passes

# %%
# **Return it.** If it is expensive to compute again, make it an output. Then it may be saved. But then it is an
# output like the others: it has a cotangent, too, and ``backward`` must take it into account. That is where the
# second derivative goes in, :math:`s' = (x^2 - 1) \, y`:


class BellAndSlope(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.exp(-x * x / 2)
        slope = -x * y
        ctx.save_for_backward(x, y, slope)
        return y, slope

    @staticmethod
    def backward(ctx, y_bar, slope_bar):
        x, y, slope = ctx.saved_tensors
        return y_bar * slope + slope_bar * (x * x - 1) * y


def bell_of_two(x):
    y, _ = BellAndSlope.apply(x)            # the user need not see the slope
    return y


assert torch.autograd.gradcheck(BellAndSlope.apply, points)
assert torch.autograd.gradgradcheck(bell_of_two, points)

# %%
# **Refuse.** If nobody will ever need a second derivative, say so. ``once_differentiable`` leaves the first one as it
# is and makes an error of the second. ``OnceBell`` can do no less than ``ThriftyBell``, and nobody gets a wrong
# number from it.


# teaches: once_differentiable
class OnceBell(ThriftyBell):
    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, y_bar):
        (slope,) = ctx.saved_tensors
        return y_bar * slope


total = (OnceBell.apply(points) ** 2).sum()
(slope,) = torch.autograd.grad(total, points, create_graph=True)
with expect_error(RuntimeError) as caught:
    slope.sum().backward()
assert "differentiate twice" in str(caught.error)

# %%
# **A Function for backward.** Finally, ``backward`` may itself call a Function, with a derivative by hand. Do this
# when another library does the work, because its steps cannot be recorded. The step from :math:`x` and :math:`\bar y`
# to :math:`\bar x = -x y \bar y` has two inputs, so its ``backward`` returns two cotangents:


# teaches: Function.backward
class BellStep(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y_bar):
        ctx.save_for_backward(x, y_bar)
        a = x.numpy()
        return torch.from_numpy(-a * np.exp(-a * a / 2) * y_bar.numpy())

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, step_bar):
        x, y_bar = ctx.saved_tensors
        a = x.numpy()
        y = np.exp(-a * a / 2)
        by_x = step_bar.numpy() * (a * a - 1) * y * y_bar.numpy()
        by_y_bar = step_bar.numpy() * -a * y
        return torch.from_numpy(by_x), torch.from_numpy(by_y_bar)


class NumPyBell(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        a = x.numpy()
        return torch.from_numpy(np.exp(-a * a / 2))

    @staticmethod
    def backward(ctx, y_bar):
        (x,) = ctx.saved_tensors
        return BellStep.apply(x, y_bar)


assert torch.autograd.gradcheck(NumPyBell.apply, points)
assert torch.autograd.gradgradcheck(NumPyBell.apply, points)

# %%
# How often is often enough?
# --------------------------
#
# We now have three bells with correct second derivatives. Do all three work for the pendulum?

for bell in bell_of_two, Bell.apply:
    fitted, _ = fit(bell)
    print(f"largest error of the angle: {abs(swing(fitted) - true).max():.5f}")
    assert abs(swing(fitted) - true).max() < 0.01

with expect_error(RuntimeError) as caught:
    fit(NumPyBell.apply)
assert "differentiate twice" in str(caught.error)

# %%
# The first two work. With the third, the loss can be computed, but not its gradient: the acceleration is a second
# derivative, the gradient of the loss differentiates it once more, and ``BellStep`` can be differentiated only once. So
# an equation of the second order needs *three* derivatives, and ``once_differentiable`` has told us.
#
# Here are the solver, the fit with ``Bell``, and the one with ``ThriftyBell`` from the beginning of the page:

# alt: The angle of the pendulum over time. A thick grey curve, the solver, swings from 2 down to -2 and
#      begins to come back. The curve fitted with Bell lies on it. The one fitted with ThriftyBell, dashed, rises to
#      nearly 3 instead.
# sphinx_gallery_start_ignore
figure, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
for angles, color, width, line, label in [
    (true, "darkgray", 5, "-", "solver"),
    (swing(fitted), "tab:blue", 1.5, "-", "Bell"),
    (swing(spoilt), "tab:orange", 1.5, "--", "ThriftyBell"),
]:
    axes.plot(fine.numpy().ravel(), angles, line, color=color, linewidth=width, label=label)
axes.set(xlabel="time", ylabel="angle")
axes.legend(frameon=False)
axes.grid(alpha=0.3)
# sphinx_gallery_end_ignore
plt.show()

# %%
# How does one check a third derivative? ``gradgradcheck`` takes any function, even one that is a derivative already:


def derivative(function):
    return lambda x: torch.autograd.grad(function(x).sum(), x, create_graph=True)[0]


for function in Bell.apply, bell_of_two:
    assert torch.autograd.gradgradcheck(derivative(function), points)

# %%
# Or check the very thing that is used: the gradient of the loss. ``gradcheck`` only needs a function and its inputs.

parameters = (start + 0.1).requires_grad_()
assert torch.autograd.gradcheck(lambda p: loss(p, Bell.apply), parameters)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    assert not torch.autograd.gradcheck(
        lambda p: loss(p, ThriftyBell.apply), parameters, raise_exception=False
    )

# %%
# What else goes wrong
# --------------------
#
# .. folded:: Mistakes that only a second derivative shows
#
# **The cotangent of an output that nobody uses.** In ``BellAndSlope`` it is tempting to forget about ``slope_bar``.
# The user does not see the slope, so its cotangent must be 0? The first time it is. The second time, ``backward`` has
# used the slope, so its cotangent is no longer 0:


class Forgetful(BellAndSlope):
    @staticmethod
    def backward(ctx, y_bar, slope_bar):
        x, y, slope = ctx.saved_tensors
        return y_bar * slope


assert torch.autograd.gradcheck(lambda x: Forgetful.apply(x)[0], points)
assert not torch.autograd.gradgradcheck(
    lambda x: Forgetful.apply(x)[0], points, raise_exception=False
)

# %%
# No warning here, since an output *may* be saved. Let ``gradcheck`` see all outputs, and it finds this one, too:

assert not torch.autograd.gradcheck(Forgetful.apply, points, raise_exception=False)

# %%
# **A detached cotangent.** ``y_bar`` is an input of ``backward`` like any other. It depends on :math:`x`, by way of
# everything that comes after the bell. ``detach()`` cuts that off, and so does ``torch.no_grad``:


class Detached(Bell):
    @staticmethod
    def backward(ctx, y_bar):
        x, y = ctx.saved_tensors
        return y_bar.detach() * (-x * y)


said = report(Detached.apply, points)
assert "no gradient arrives" in said

# %%
# Input 1 of the report is the cotangent, as the report itself says.
#
# **An error from NumPy, silenced.** ``numpy()`` refuses a tensor that is being recorded. If you add ``detach()`` to
# get rid of the error, you also get rid of the only warning:


class Loud(NumPyBell):
    @staticmethod
    def backward(ctx, y_bar):
        (x,) = ctx.saved_tensors
        a = x.numpy()
        return y_bar * torch.from_numpy(-a * np.exp(-a * a / 2))


class Silenced(NumPyBell):
    @staticmethod
    def backward(ctx, y_bar):
        (x,) = ctx.saved_tensors
        a = x.detach().numpy()
        return y_bar * torch.from_numpy(-a * np.exp(-a * a / 2))


for function in Loud, Silenced:
    assert torch.autograd.gradcheck(function.apply, points)
with expect_error(RuntimeError):
    derivative(Loud.apply)(points)
assert not torch.autograd.gradgradcheck(Silenced.apply, points, raise_exception=False)

# %%
# **A refusal that goes unnoticed.** ``once_differentiable`` puts a step into the graph that raises when the pass
# comes to it. It leads on to everything that ``backward`` has used, so that every pass for ``points`` comes to it:

total = (OnceBell.apply(points) ** 2).sum()
(slope,) = torch.autograd.grad(total, points, create_graph=True)
with expect_error(RuntimeError) as caught:
    torch.autograd.grad((points * slope).sum(), points)
assert "differentiate twice" in str(caught.error)

# %%
# In PyTorch the step leads nowhere. ``backward`` goes everywhere, and raises. But ``torch.autograd.grad`` goes only
# where a path leads to the inputs it was asked for, so it passes by the step and gives what comes along the other
# path: the derivative of ``points``, but not of ``slope``. There, only ``gradgradcheck`` notices.

# %%
# Summary
# -------
#
# - ``backward`` is differentiated like any other code, so it may use inputs and outputs, but not intermediates.
# - An intermediate is computed again, returned as an output, or left to a Function of its own.
# - ``once_differentiable`` refuses a second derivative that would be wrong, and ``gradgradcheck`` measures it.
#
# .. admonition:: Now in PyTorch
#
#    Functions are written in the same way in PyTorch 2.13, with the same names on ``ctx``. PyTorch does not warn of a
#    saved intermediate or of a tensor kept on ``ctx``, lets a second ``save_for_backward`` replace the first, and has
#    no ``mark_constant``. Its ``gradcheck`` does not guess the cause.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. A *gradient penalty* adds the squared length of the gradient with respect to the input to a loss, to keep a
#    function flat. Train a network on noisy points with ``ThriftyBell`` and with ``Bell``, with such a penalty. How
#    many derivatives does that need? What does the wrong one make of it?
# 2. Let the pendulum have friction, :math:`u'' = -\sin u - 0.2 \, u'`. And let the friction be unknown, but a few
#    angles be measured: make it number 49, and fit it along.
# 3. The :math:`n`-th derivative of the bell is the bell times a polynomial, named after Hermite
#    (``numpy.polynomial.HermiteE``). Write a Function that takes :math:`n` and calls *itself* in ``backward``, with
#    :math:`n + 1`: it can be differentiated as often as you like.
