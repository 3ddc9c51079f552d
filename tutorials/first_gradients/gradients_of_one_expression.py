"""
Gradients of one expression
===========================

You throw a ball and it lands short of the mark. Should you throw harder, or at another angle? And by how much?
Two derivatives answer these questions. On this page we work them out by hand, let minigrad compute them, and see that
it goes through the same steps.

You need to know the derivative of a product and of the sine, and a little Python.
"""

# %%
# The problem
# -----------
#
# A ball that leaves your hand with speed :math:`v`, at the angle :math:`\theta` above the ground, lands at the
# distance
#
# .. math::
#
#    R = \frac{v^2 \, \sin(2\theta)}{g}
#
# if we neglect air resistance and your height. Here :math:`g = 9.81` metres per second squared. You throw at 9 metres
# per second, at 0.5 radians, which is about 29 degrees. The mark is at 7.5 metres.

import math

g = 9.81
speed, angle, mark = 9.0, 0.5, 7.5
print(f"The ball lands at {speed ** 2 * math.sin(2 * angle) / g:.3f} m.")

# %%
# The throw is about half a metre short. You can change two things, so you need two numbers: how many metres each
# extra metre per second gains, and how many each extra radian gains. These are the partial derivatives
# :math:`\partial R / \partial v` and :math:`\partial R / \partial\theta`. Together they are called the *gradient* of
# :math:`R`.
#
# By hand
# -------
#
# Do not differentiate the whole formula at once. Cut it into steps so small that you know the derivative of each.

a = speed * speed
b = 2 * angle
s = math.sin(b)
p = a * s
R = p / g

# %%
# Now go through the steps backwards. For every intermediate value :math:`u` we ask: if :math:`u` grows a little, how
# fast does the result grow? Write :math:`\bar u` for the answer:
#
# .. math::
#
#    \bar u = \frac{\partial R}{\partial u}
#
# This number is called the *cotangent* of :math:`u`. The cotangent of the result itself is 1. All others follow from
# the chain rule, which says two things:
#
# - along a path, rates multiply;
# - where several paths lead from a value to the result, their rates add up.

R_bar = 1.0
p_bar = R_bar / g                           # R = p / g
a_bar = p_bar * s                           # p = a s
s_bar = p_bar * a
b_bar = s_bar * math.cos(b)                 # s = sin b
angle_bar = b_bar * 2                       # b = 2 angle
speed_bar = a_bar * speed + a_bar * speed   # a = speed speed: two paths, two terms

print(f"metres per metre/second: {speed_bar:.4f}")
print(f"metres per radian:       {angle_bar:.4f}")
print(f"metres per degree:       {math.radians(angle_bar):.4f}")

# %%
# Differentiating the whole formula in the usual way gives the same numbers:

assert math.isclose(speed_bar, 2 * speed * math.sin(2 * angle) / g)
assert math.isclose(angle_bar, 2 * speed ** 2 * math.cos(2 * angle) / g)

# %%
# (An ``assert`` stops the program if its condition is false. On these pages every claim about numbers is either
# printed or asserted, and all programs run when the pages are built.)
#
# Now we can answer the question, at least to first order:

missing = mark - R
print(f"{missing:.2f} m are missing.")
print(f"Throw {missing / speed_bar:.2f} m/s harder,")
print(f"or {missing / math.radians(angle_bar):.1f} degrees higher.")

# %%
# Finding the derivatives took patience but no ideas: every line goes back through one step, by the rule for that kind
# of step. A program can do that.
#
# With minigrad
# -------------
#
# The names in minigrad are those of PyTorch. We import it under PyTorch's name, so everything that you write here
# runs there, too: with ``import torch`` instead, this page gives the same numbers.

# teaches: torch.Tensor, torch.tensor
import minigrad as torch

torch.set_default_dtype(torch.float64)      # 16 digits; the default is float32, with 7

v = torch.tensor(9.0, requires_grad=True)
theta = torch.tensor(0.5, requires_grad=True)

distance = v * v * torch.sin(2 * theta) / g
print(distance)

# %%
# ``requires_grad=True`` announces that we will want the derivative with respect to this tensor. From then on minigrad
# records every step that involves ``v`` or ``theta``. What it printed is a number that remembers the step it came
# from, a division: that is its ``grad_fn``. Now go backwards:

# teaches: Tensor.backward, Tensor.grad
distance.backward()
print("v.grad     =", v.grad)
print("theta.grad =", theta.grad)

assert math.isclose(v.grad.item(), speed_bar)
assert math.isclose(theta.grad.item(), angle_bar)

# %%
# These are our numbers. Next we check that minigrad finds them the way we did.
#
# The graph
# ---------
#
# Each step is a *node*. A node knows the nodes that its operands came from, ``next_functions``: next, because this is
# the direction in which ``backward`` goes. So the whole history can be reached from the result, and a few lines of
# code print it.


# teaches: Tensor.grad_fn, Node.next_functions
def show(node, depth=0):
    print("    " * depth + type(node).__name__)
    for following, _ in node.next_functions:
        if following is not None:
            show(following, depth + 1)


show(distance.grad_fn)

# %%
# Read it from the top: this is our list of steps, last step first. ``AccumulateGrad`` is where a path ends, at a
# tensor of yours; it puts the cotangent that arrives there into ``.grad``. The constants 2 and :math:`g` have no
# node, since nobody asked for their derivative; ``next_functions`` has ``None`` in their place.
#
# The printout looks like a tree, but what it shows is a graph: the two ends below ``v * v`` are one and the same
# node. (minigrad draws it, and plays the backward pass step by step: :doc:`watch_a_backward_pass`.)

square = distance.grad_fn.next_functions[0][0].next_functions[0][0]
(left, _), (right, _) = square.next_functions
assert left is right and left.variable is v

# %%
# The intermediate values have cotangents as well. Normally they are thrown away as soon as they have been used;
# ``retain_grad`` keeps them. They agree with those we found by hand:

# teaches: Tensor.retain_grad
v_squared = v * v
twice = 2 * theta
sine = torch.sin(twice)
product = v_squared * sine
distance = product / g

for step in (v_squared, twice, sine, product, distance):
    step.retain_grad()
distance.backward()

for name, step, by_hand in [
    ("R", distance, R_bar),
    ("p", product, p_bar),
    ("a", v_squared, a_bar),
    ("s", sine, s_bar),
    ("b", twice, b_bar),
]:
    by_minigrad = step.grad.item()
    print(f"cotangent of {name}: {by_hand:.6f} by hand, {by_minigrad:.6f} by minigrad")
    assert math.isclose(by_hand, by_minigrad)

# %%
# The surprise: gradients accumulate
# ----------------------------------
#
# We have now called ``backward`` twice. Look at ``v.grad`` again.

print("v.grad =", v.grad, "  by hand", round(speed_bar, 4))
assert math.isclose(v.grad.item(), 2 * speed_bar)

# %%
# It has doubled. ``backward`` does not set ``.grad``, it *adds* to it. That is the same rule that let the two paths
# through ``v * v`` add up, applied across calls: the gradient of a sum of results is the sum of their gradients. So
# you can work through a large sum in pieces. But in a loop it surprises nearly everyone once. Clear the gradient
# before you ask for a new one:

v.grad = theta.grad = None

# %%
# If you do not want accumulation, ask for the numbers directly. ``torch.autograd.grad`` returns the gradient and
# leaves ``.grad`` alone.

# teaches: torch.autograd, autograd.grad
R_v, R_theta = torch.autograd.grad(v * v * torch.sin(2 * theta) / g, [v, theta])
print("v.grad is left alone:", v.grad)
assert math.isclose(R_v.item(), speed_bar) and math.isclose(R_theta.item(), angle_bar)

# %%
# ``torch.autograd.backward`` takes several results at once and adds up their gradients:

# teaches: autograd.backward
height = (v * torch.sin(theta)) ** 2 / (2 * g)
seconds = 2 * v * torch.sin(theta) / g
torch.autograd.backward([height, seconds])
by_rule = speed * math.sin(angle) ** 2 / g + 2 * math.sin(angle) / g
print("v.grad =", v.grad, "  by hand", round(by_rule, 4))
assert math.isclose(v.grad.item(), by_rule)
v.grad = theta.grad = None

# %%
# ``torch.autograd.grad`` takes several results too. It returns one sum for each tensor that you ask about, and again
# leaves ``.grad`` alone:

height = (v * torch.sin(theta)) ** 2 / (2 * g)
seconds = 2 * v * torch.sin(theta) / g
(both,) = torch.autograd.grad([height, seconds], v)
print("returned", both, "  v.grad =", v.grad)
assert math.isclose(both.item(), by_rule) and v.grad is None

# %%
# Which numbers can have a gradient
# ---------------------------------
#
# A derivative describes the effect of a small change, so only numbers that can change by a little have one:
# floating-point numbers of 16, 32 or 64 bits, and complex numbers made of two of them. The gradient has the dtype of
# its tensor.

# teaches: torch.half, torch.float, torch.double, torch.cfloat, torch.cdouble
for kind in (torch.half, torch.float, torch.double, torch.cfloat, torch.cdouble):
    number = torch.tensor(1.5, dtype=kind, requires_grad=True)
    (number * number).abs().backward()
    print(f"{str(kind):17} {number.grad.item()}")
    assert number.grad.dtype == kind and number.grad == 3

# %%
# There is one more, ``torch.bfloat16``. It has 16 bits, the range of a float32, and fewer digits. NumPy does not have
# it. The package ``ml_dtypes`` adds it, and without that package minigrad tells you what to install.

# teaches: torch.bfloat16
try:
    number = torch.tensor(1.5, dtype=torch.bfloat16, requires_grad=True)
    (number * number).backward()
    print(number.grad)
    assert number.grad.dtype == torch.bfloat16 and number.grad == 3
except RuntimeError as missing_package:
    assert "ml_dtypes" in str(missing_package)
    print(missing_package)

# %%
# Integers and booleans are refused:

for kind in (torch.int32, torch.uint8, torch.bool):
    try:
        torch.tensor(1, dtype=kind, requires_grad=True)
    except RuntimeError as refusal:
        print(f"{kind}: {refusal}".splitlines()[0][:90])
    else:
        raise AssertionError(f"{kind} was accepted")

# %%
# An independent judge: finite differences
# ----------------------------------------
#
# Both calculations used the same rules. What if one of the rules is wrong? A derivative can also be measured without
# any rules: change the angle a little in both directions, and see how far the result moves.
#
# .. math::
#
#    \frac{\partial R}{\partial\theta} \approx \frac{R(\theta + h) - R(\theta - h)}{2h}
#
# How small should :math:`h` be? Let us try a range of sizes.

import matplotlib.pyplot as plt


def lands_at(v, theta):
    return v * v * torch.sin(2 * theta) / g


def measured(h):
    at = theta.detach()
    return (lands_at(9.0, at + h) - lands_at(9.0, at - h)).item() / (2 * h)


steps = [10.0 ** (-k / 4) for k in range(4, 61)]
errors = [abs(measured(h) - angle_bar) / angle_bar for h in steps]

figure, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
axes.loglog(steps, errors, "o-", color="tab:blue", markersize=4, label="finite differences")
axes.axhline(2.2e-16, color="tab:orange", linestyle="--", label="one rounding of a float64")
axes.set(xlabel="step h", ylabel="relative error of the derivative", ylim=(3e-17, 1))
axes.legend(frameon=False)
axes.grid(alpha=0.3)
plt.show()

# %%
# With a large step the curve is not straight enough between the two points: on the right the error falls as
# :math:`h^2`. With a small step the two results agree in most of their digits, and the subtraction leaves little but
# rounding: on the left the error grows as :math:`1/h`. The best step is near :math:`h = 10^{-5}`, with about ten
# correct digits. ``backward`` has no step and takes no differences, so it is as exact as the result itself.
#
# Measuring is too rough and, as we will see, too slow to replace our rules. But it knows nothing about them, and that
# makes it a good judge. :doc:`/tutorials/your_own_functions/checking_your_gradients` says more about it.

assert min(errors) < 1e-9 < 1e-4 < min(errors[0], max(errors[-4:]))
assert abs(R_theta.item() - angle_bar) / angle_bar < 1e-14

# %%
# Hitting the mark
# ----------------
#
# Back to the ball. We minimize the squared error. Its gradient says how it grows, so change speed and angle a little
# in the opposite direction, and repeat. That is called *gradient descent*.
#
# We do it twice: once properly, and once without the line that clears the gradients.


# teaches: no_grad
def practise(rounds, clear):
    v = torch.tensor(9.0, requires_grad=True)
    theta = torch.tensor(0.5, requires_grad=True)
    distances = []
    for _ in range(rounds):
        if clear:
            v.grad = theta.grad = None
        distance = lands_at(v, theta)
        ((distance - mark) ** 2).backward()
        with torch.no_grad():           # the correction is not part of the expression
            v -= 0.002 * v.grad
            theta -= 0.002 * theta.grad
        distances.append(distance.item())
    return distances


cleared = practise(60, clear=True)
never_cleared = practise(60, clear=False)

figure, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
axes.axhline(mark, color="black", linestyle=":", label="the mark")
axes.plot(cleared, "o-", markersize=4, label="cleared in each round")
axes.plot(never_cleared, "^--", markersize=4, linewidth=1, label="never cleared")
axes.set(xlabel="round", ylabel="distance (m)", ylim=(6.8, 8.6))
axes.legend(loc="upper right", ncols=3, fontsize="small", columnspacing=1)
axes.grid(alpha=0.3)
plt.show()

# %%
# With cleared gradients the throws come closer and closer. Without clearing they overshoot the mark and come back,
# over and over: every correction still contains all earlier gradients, so it continues in their direction, like a
# ball that rolls through a valley and up the other side.

assert abs(cleared[-1] - mark) < 0.001
assert max(abs(d - mark) for d in never_cleared[-20:]) > 0.3

# %%
# Why backwards?
# --------------
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
assert torch.allclose(x.grad, torch.tensor(slopes), atol=1e-7)

# %%
# The price is memory: the backward pass needs values from the forward pass, such as :math:`b` for its cosine, so the
# graph keeps them until ``backward`` has used them. And for a function of one input with a thousand results, forwards
# is the better way. A network that learns has millions of inputs, its weights, and one result, the error. That is why
# networks learn in reverse mode.
#
# What goes wrong
# ---------------
#
# Here are four mistakes that everyone makes, with what minigrad says about them. Each kind of error has a code of its
# own, in brackets, which you can look up in the :doc:`list of errors </notes/errors>`. (``expect_error`` prints the
# error and goes on, so that this page can be built.)
#
# Calling ``backward`` twice on one graph:

from minigrad.teaching import expect_error

result = torch.sin(theta)
result.backward()
with expect_error(RuntimeError):
    result.backward()

# %%
# Calling ``backward`` when nothing requires a gradient:

fixed = torch.tensor(0.5)
with expect_error(RuntimeError):
    torch.sin(fixed).backward()

# %%
# Calling ``backward`` on three results instead of one:

angles = torch.tensor([0.4, 0.5, 0.6], requires_grad=True)
with expect_error(RuntimeError):
    lands_at(9.0, angles).backward()

# %%
# Writing to a tensor that requires grad, outside ``no_grad``:

with expect_error(RuntimeError):
    v -= 0.1

# %%
# A fifth mistake gives no error at all: forgetting that gradients accumulate. You have seen what it looks like.
#
# Summary
# -------
#
# - ``backward`` goes through the steps in reverse order, and applies the chain rule to one step at a time.
# - The gradients arrive in ``.grad`` of the tensors that were made with ``requires_grad=True``, and add up there.
# - ``torch.autograd.grad`` returns them instead; ``torch.autograd.backward`` starts from several results.
# - One pass gives the derivatives of one result with respect to all inputs.
# - Floating-point and complex numbers can have gradients. Integers and booleans cannot.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. At which angle is :math:`\partial R / \partial\theta` zero? Let minigrad find it: use ``torch.autograd.grad(...,
#    create_graph=True)``, which makes the derivative itself a result with a graph, and take Newton steps on it.
# 2. ``torch.abs`` has no derivative at 0. What does ``backward`` give there, and what do finite differences give? Try
#    ``torch.sqrt(x * x)`` as well.
