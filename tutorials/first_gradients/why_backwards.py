"""
Why backwards?
==============

A derivative can also be measured: change an input a little, and see how far the result moves. That needs no rules and
no graph. On this page we do so, and find out how exact it is and what it costs. Then it is clear why a backward pass
is worth having, and what measuring is still good for.

You need ``backward`` and ``no_grad``, from :doc:`gradients_of_one_expression`.

After this page you can measure a derivative with a step of the right size, and say what gradients of many inputs cost
forwards and backwards.
"""

# %%
# The problem
# -----------
#
# The distance of a throw was worked out twice on the first page, by hand and by ``backward``, but with the same rules.
# What if one of the rules is wrong? Here it is again, with its derivative with respect to the angle.

import math

import minigrad as torch

torch.set_default_dtype(torch.float64)

g, speed, angle = 9.81, 9.0, 0.5


def lands_at(v, theta):
    return v * v * torch.sin(2 * theta) / g


theta = torch.tensor(angle, requires_grad=True)
lands_at(speed, theta).backward()
by_rule = 2 * speed ** 2 * math.cos(2 * angle) / g
print("by backward:", theta.grad.item(), "  by the rules of calculus:", by_rule)
assert abs(theta.grad.item() - by_rule) < 1e-14 * by_rule

# %%
# Measure it: finite differences
# ------------------------------
#
# Change the angle a little in both directions.
#
# .. math::
#
#    \frac{\partial R}{\partial\theta} \approx \frac{R(\theta + h) - R(\theta - h)}{2h}
#
# How small should :math:`h` be? Let us try a range of sizes.

import matplotlib.pyplot as plt


def measured(h):
    ahead, behind = torch.tensor(angle + h), torch.tensor(angle - h)
    return (lands_at(speed, ahead) - lands_at(speed, behind)).item() / (2 * h)


steps = [10.0 ** (-k / 4) for k in range(4, 61)]
errors = [abs(measured(h) - by_rule) / by_rule for h in steps]

# alt: The relative error of the difference against the step h, both on logarithmic axes, is a valley. From h = 0.1 down
#      to 0.00001 the error falls along a straight line to about 1e-10; for smaller steps it rises again, in zigzags, up
#      to about 0.1 at h = 1e-15. A dashed line far below marks one rounding of a float64, 2.2e-16.
# sphinx_gallery_start_ignore
figure, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
axes.loglog(steps, errors, "o-", color="tab:blue", markersize=4, label="finite differences")
axes.axhline(2.2e-16, color="tab:orange", linestyle="--", label="one rounding of a float64")
axes.set(xlabel="step h", ylabel="relative error of the derivative", ylim=(3e-17, 1))
axes.legend(frameon=False)
axes.grid(alpha=0.3)
# sphinx_gallery_end_ignore
plt.show()

# %%
# With a large step the curve is not straight enough between the two points: on the right the error falls as
# :math:`h^2`. With a small step the two results agree in most of their digits, and the subtraction leaves little but
# rounding: on the left the error grows as :math:`1/h`. The best step is near :math:`h = 10^{-5}`, with about ten
# correct digits. ``backward`` has no step and takes no differences, so it is as exact as the result itself.

assert min(errors) < 1e-9 < 1e-4 < min(errors[0], max(errors[-4:]))

# %%
# Ten digits are enough for a judge. Measuring knows nothing about our rules, and that is what makes it a good one.
# :doc:`/tutorials/your_own_functions/checking_your_gradients` is about that.
#
# Which end first?
# ----------------
#
# The chain rule does not say at which end to start. We can also go forwards: start from the angle and carry along how
# fast each step changes with *the angle*. That gives the derivative with respect to one input. For a second input we
# go through all steps again. Finite differences have the same drawback.
#
# Backwards, we carry along how fast *the result* changes with each step. At the end that is known for every input at
# once, and one pass is enough, for two inputs or for a thousand. This is called *reverse mode*. Each step of it takes
# the cotangent of the step's output and gives the cotangents of its inputs. If we write the derivatives of the step
# as a matrix, its Jacobian :math:`J`, that is a product of a row vector with a matrix,
#
# .. math::
#
#    \bar x = \bar y \, J
#
# and so it is called a *vector-Jacobian product*, or vjp. The matrix itself is never built. For ``sin`` of a thousand
# numbers it would have a million entries, nearly all zero; the vjp multiplies a thousand numbers by their cosines.
#
# Count the passes
# ----------------
#
# Let us count for a function of a thousand inputs.

# teaches: torch.randn, torch.zeros, torch.allclose
import time

evaluations = 0


def bumpy(x):
    global evaluations
    evaluations += 1
    return torch.sin(x[1:] * x[:-1]).sum()


torch.manual_seed(0)
x = torch.randn(1000, requires_grad=True)
bumpy(x).backward()                     # the first time takes longer, and does not count
x.grad, evaluations = None, 0

start = time.perf_counter()
bumpy(x).backward()
reverse_time, reverse_evaluations = time.perf_counter() - start, evaluations

start, evaluations = time.perf_counter(), 0
slopes = []
with torch.no_grad():
    for i in range(1000):
        step = torch.zeros(1000)
        step[i] = 1e-5
        slopes.append((bumpy(x + step) - bumpy(x - step)).item() / 2e-5)
difference_time = time.perf_counter() - start

print(f"reverse mode:       {reverse_evaluations:4} evaluation  {reverse_time:8.5f} s")
print(f"finite differences: {evaluations:4} evaluations {difference_time:8.5f} s")
assert reverse_evaluations == 1 and evaluations == 2000
assert x.grad is not None and torch.allclose(x.grad, torch.tensor(slopes), atol=1e-7)

# %%
# The price is memory: the backward pass needs values from the forward pass, such as the angle for its cosine, so the
# graph keeps them until ``backward`` has used them. And for a function of one input with a thousand results, forwards
# is the better way. A network that learns has millions of inputs, its weights, and one result, the error. That is why
# networks learn in reverse mode.
#
# What goes wrong
# ---------------
#
# **A step for other digits.** With the default of 7 digits instead of 16, the valley is not so deep and lies
# elsewhere. A step of :math:`10^{-5}`, the best before, leaves two or three digits; a larger one is better.


def measured_in_float32(h):
    ahead, behind = (torch.tensor(angle + each, dtype=torch.float32) for each in (h, -h))
    return (lands_at(speed, ahead) - lands_at(speed, behind)).item() / (2 * h)


for h in (1e-2, 1e-5):
    error = abs(measured_in_float32(h) - by_rule) / by_rule
    print(f"float32, h = {h:g}: relative error {error:.0e}")
large, small = (abs(measured_in_float32(h) / by_rule - 1) for h in (1e-2, 1e-5))
assert large < 2e-4 < 1e-3 < small

# %%
# **Measuring across a jump.** A difference always returns a number, even where there is no derivative. The step of
# ``floor`` at 1 looks like a slope of 50,000:

above, below = torch.tensor(1.0 + 1e-5), torch.tensor(1.0 - 1e-5)
jump = (torch.floor(above) - torch.floor(below)).item() / 2e-5
print("a slope of", round(jump))
assert abs(jump - 50_000) < 1

# %%
# Summary
# -------
#
# - A central difference has an error that grows for large steps and for small ones; the best has about ten of 16
#   digits.
# - Measuring, or going forwards, takes a pass for each input. A backward pass gives all derivatives of one result.
# - The price of going backwards is memory.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Draw the valley for the one-sided difference :math:`(R(\theta + h) - R(\theta)) / h` too. Where is its best step,
#    and how many digits has it?
# 2. Measure how the time of ``bumpy`` with and without ``backward`` grows from a thousand to a million inputs.
