"""
Gradients of one expression
===========================

You throw a ball and it lands short of the mark. Should you throw harder, or at another angle? And by how much?
Two derivatives answer these questions. On this page we work them out by hand, let minigrad compute them, and see that
it goes through the same steps.

You need to know the derivative of a product and of the sine, and a little Python.

After this page you can differentiate an expression step by step, from its result to its inputs, and let ``backward``
do the same.
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
# In a picture, with the steps as boxes: each arrow carries a value from left to right, above the line, and its
# cotangent back from right to left, below it.

import matplotlib.pyplot as plt

# alt: A graph from left to right. The speed v = 9 goes twice into the step a = v v, which gives 81; the angle 0.5 goes
#      into b = 2 θ, which gives 1, and on into s = sin b, which gives 0.8415. Both meet in p = a s, which gives 68.16,
#      and R = p / g gives 6.948. Below the arrows are the cotangents, from right to left: 1 at R, 0.1019 at p, 0.0858
#      at a, 8.257 at s, 4.461 at b, and at the inputs 0.772 on each of the two arrows to v, and 8.922 for θ.
# sphinx_gallery_start_ignore
# name: (what is in the box, its place, the value, its cotangent, where they are written, how far apart)
twice = f"{a_bar * speed:.4g} + {a_bar * speed:.4g}"
steps = {
    "v": ("v", (0, 1), speed, twice, (0.95, 1), 0.17),
    "θ": ("θ", (0, 0), angle, f"{angle_bar:.4g}", (0.5, 0), 0.06),
    "a": ("a = v·v", (2, 1), a, f"{a_bar:.4g}", (2.95, 0.88), 0.03),
    "b": ("b = 2θ", (1, 0), b, f"{b_bar:.4g}", (1.48, 0), 0.06),
    "s": ("s = sin b", (2, 0), s, f"{s_bar:.4g}", (2.95, 0.12), 0.03),
    "p": ("p = a·s", (3, 0.5), p, f"{p_bar:.4g}", (3.5, 0.5), 0.06),
    "R": ("R = p/g", (4, 0.5), R, f"{R_bar:.4g}", (4.55, 0.5), 0.03),
}
figure, axes = plt.subplots(figsize=(7.6, 3.2), layout="constrained")
for start, end, bend in [("v", "a", 0.12), ("v", "a", -0.12), ("θ", "b", 0), ("b", "s", 0),
                         ("a", "p", 0), ("s", "p", 0), ("p", "R", 0)]:
    axes.annotate("", steps[end][1], steps[start][1], zorder=1, arrowprops={
        "arrowstyle": "-", "color": "#57606a", "connectionstyle": f"arc3,rad={bend}",
        "shrinkA": 12, "shrinkB": 12})
for name, (text, place, value, bar, (x, y), apart) in steps.items():
    box = {"boxstyle": "square", "facecolor": "#e4ecfb", "edgecolor": "#3b62a8"}
    if name in "vθ":
        box = {"boxstyle": "round", "facecolor": "#dcf3e1", "edgecolor": "#2a7339"}
    axes.text(place[0], place[1], text, ha="center", va="center", zorder=3, bbox=box)
    axes.text(x, y + apart, f"{value:.4g} →", ha="center", va="bottom", fontsize=9)
    axes.text(x, y - apart, f"← {bar}", ha="center", va="top", fontsize=9, color="#a83c2c")
axes.set(xlim=(-0.3, 4.9), ylim=(-0.35, 1.35))
axes.axis("off")
# sphinx_gallery_end_ignore
plt.show()

# %%
# Differentiating the whole formula in the usual way gives the same numbers:

assert math.isclose(speed_bar, 2 * speed * math.sin(2 * angle) / g)
assert math.isclose(angle_bar, 2 * speed ** 2 * math.cos(2 * angle) / g)

# %%
# (An ``assert`` stops the program if its condition is false. On these pages every claim about numbers is either printed
# or asserted, and all programs run when the pages are built. A cell marked *same in PyTorch 2.13* prints the same
# there. The lines that draw pictures are left out on the page; the file at its end has them.)
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
# runs there, too: with ``import torch`` instead, this page gives the same numbers. Only ``torch.viz``, which draws, is
# minigrad's own.

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
# A tensor that no recorded step has made is called a *leaf*. The tensors that you make are leaves, and ``backward``
# fills their ``.grad``; ``is_leaf`` tells. The results of the steps are not.

# teaches: Tensor.is_leaf
print("v:", v.is_leaf, "  distance:", distance.is_leaf)
assert v.is_leaf and not distance.is_leaf

# %%
# The printout looks like a tree, but what it shows is a graph: the two ends below ``v * v`` are one and the same
# node.

square = distance.grad_fn.next_functions[0][0].next_functions[0][0]
(left, _), (right, _) = square.next_functions
assert left is right and left.variable is v

# %%
# It is our picture, turned upright. Here it is to play with: ``play`` goes through the steps one by one, with the
# numbers that arrive at each. The next page, :doc:`watch_a_backward_pass`, is about nothing else. (Its last lines show
# what a real pass would add to ``.grad``. *Version 0* says that nobody has written into that tensor.)

torch.viz.play(v * v * torch.sin(2 * theta) / g)

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
# .. folded:: Several results at once
#
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
# Hitting the mark
# ----------------
#
# Back to the ball. We minimize the squared error. Its gradient says how it grows, so change speed and angle a little
# in the opposite direction, and repeat. That is called *gradient descent*. The correction is not part of the
# expression that we differentiate, so it is made in a block that records nothing, ``no_grad``.
#
# We do it twice: once properly, and once without the line that clears the gradients.


def lands_at(v, theta):
    return v * v * torch.sin(2 * theta) / g


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
        with torch.no_grad():
            v -= 0.002 * v.grad
            theta -= 0.002 * theta.grad
        distances.append(distance.item())
    return distances


cleared = practise(60, clear=True)
never_cleared = practise(60, clear=False)

# alt: Where the ball lands, by round. With cleared gradients the distance rises smoothly from 6.9 metres to the mark at
#      7.5 metres and stays there. Never cleared, it swings above and below the mark, up to half a metre, and does not
#      settle in 60 rounds.
# sphinx_gallery_start_ignore
figure, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
axes.axhline(mark, color="black", linestyle=":", label="the mark")
axes.plot(cleared, "o-", markersize=4, label="cleared in each round")
axes.plot(never_cleared, "^--", markersize=4, linewidth=1, label="never cleared")
axes.set(xlabel="round", ylabel="distance (m)", ylim=(6.8, 8.6))
axes.legend(loc="upper right", ncols=3, fontsize="small", columnspacing=1)
axes.grid(alpha=0.3)
# sphinx_gallery_end_ignore
plt.show()

# %%
# With cleared gradients the throws come closer and closer. Without clearing they overshoot the mark and come back,
# over and over: every correction still contains all earlier gradients, so it continues in their direction, like a
# ball that rolls through a valley and up the other side.

assert abs(cleared[-1] - mark) < 0.001
assert max(abs(d - mark) for d in never_cleared[-20:]) > 0.3

# %%
# What goes wrong
# ---------------
#
# Forgetting that gradients accumulate gives no error at all. You have seen what it looks like.
#
# .. folded:: Four mistakes that give an error
#
# Each kind of error has a code of its own, in brackets, which you can look up in the :doc:`list of errors
# </notes/errors>`. (``expect_error`` prints the error and goes on, so that this page can be built.)
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
# Summary
# -------
#
# - ``backward`` goes through the steps in reverse order, and applies the chain rule to one step at a time.
# - The gradients arrive in ``.grad`` of the tensors that were made with ``requires_grad=True``, and add up there.
# - ``torch.autograd.grad`` returns them instead.
# - A tensor that no recorded step has made is a leaf.
#
# Which numbers can have a gradient, from 16-bit floats to complex numbers, is said in the :doc:`reference
# </reference/tensor>`.
#
# Every page ends with exercises, and a check says what is wrong with an answer. ``python -m minigrad exercise`` lists
# them in a terminal, with a tick for each that you have done (:doc:`/exercises/index`).
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
