"""
In-place operations
===================

``y += 1`` writes into the memory of ``y``. The old numbers are gone. But the backward pass may need them, and then
a gradient would come out wrong without anybody noticing. On this page you see how such a program is caught. We read the
error message word by word, learn three cures, and find two kinds of writes that nothing catches.

You need ``backward`` and ``.grad``, from :doc:`/tutorials/first_gradients/gradients_of_one_expression`, and ``detach``,
from :doc:`/tutorials/first_gradients/when_not_to_record`.

After this page you can predict which writes a backward pass refuses, and choose one of three cures.
"""

# %%
# The problem
# -----------
#
# We want :math:`f(x) = \log(1 + e^x)`. Its derivative is
#
# .. math::
#
#    f'(x) = \frac{e^x}{1 + e^x}
#
# To save memory, we do not make a new tensor for every step. We add the 1 to what is there.

import minigrad as torch
from minigrad.teaching import expect_error

torch.set_default_dtype(torch.float64)

x = torch.tensor([-1.0, 0.0, 2.0], requires_grad=True)


def softplus(x):
    y = torch.exp(x)
    y += 1
    return torch.log(y)


print("values:", softplus(x).detach())
with expect_error(RuntimeError):
    softplus(x).sum().backward()

# %%
# The values are right, and ``backward`` refuses. We will read the message in a moment. First: what happened?
#
# What in place means
# -------------------
#
# A tensor is a piece of memory with a shape. ``y + 1`` takes new memory for its result. ``y.add_(1)`` puts the result
# where ``y`` was. All methods whose names end with an underscore do so: ``mul_``, ``exp_``, ``zero_``. So do ``+=``
# and its relatives, and assignment to a part, ``y[0] = 5``.

y = torch.tensor([1.0, 2.0, 3.0])
other_name = y
memory = y.data_ptr()

y.mul_(10)
y += 1
y[0] = 0
assert y.data_ptr() == memory
print("other_name is", other_name)

y = y + 1                       # a new tensor; only the name is the old one
assert y.data_ptr() != memory and other_name is not y

# %%
# Every tensor counts the writes to its memory. The count is its *version*. One operation counts once, however many
# numbers it changes.

versions = [other_name._version]
other_name.add_(1)
versions.append(other_name._version)
other_name[0] = 7
versions.append(other_name._version)
print("versions:", versions)
assert versions == [3, 4, 5]

# %%
# And a write is a step of the computation like any other. It is recorded, and it has a derivative:

w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = w + 1
y.mul_(10)
y += w * w
print(y)
(gradient,) = torch.autograd.grad(y.sum(), w)
print("gradient:", gradient)
assert gradient.tolist() == [10 + 2, 10 + 4, 10 + 6]

# %%
# In the player the two writes are steps like the others. (It shows the numbers that nodes have saved, and the version
# they had then. More on the player in :doc:`/tutorials/first_gradients/watch_a_backward_pass`.)

y = w + 1
y.mul_(10)
y += w * w
torch.viz.play(y.sum())

# %%
# So in-place operations are not forbidden. Only *some* writes destroy what is needed.
#
# Who keeps what
# --------------
#
# When an operation is recorded, it keeps what its derivative will need. The sine needs its *argument*, since its
# derivative is :math:`\cos x`. The exponential needs its *result*, since :math:`e^x` is its own derivative. A sum
# needs nothing. Let us ask a few. For each we write first to its argument, then to its result, and run the backward
# pass. Where there is no error, the gradient must be the one that comes out without the write.


def survives(operation, write_to):
    argument = x + 3            # not a leaf, so that we may write to it; and positive
    result = operation(argument)
    kept = result.clone()       # what we differentiate, not touched by the write
    {"argument": argument, "result": result}[write_to].mul_(2)
    try:
        (gradient,) = torch.autograd.grad(kept.sum(), x)
    except RuntimeError:
        return False
    (undisturbed,) = torch.autograd.grad(operation(x + 3).sum(), x)
    assert torch.equal(gradient, undisturbed)
    return True


operations = {
    "y + 1": lambda y: y + 1,
    "3 * y": lambda y: 3 * y,
    "y * y": lambda y: y * y,
    "sin(y)": torch.sin,
    "log(y)": torch.log,
    "exp(y)": torch.exp,
    "sqrt(y)": torch.sqrt,
    "relu(y)": torch.relu,
}
print(f"{'':10}{'write to y':15}write to the result")
for name, operation in operations.items():
    answers = [survives(operation, where) for where in ("argument", "result")]
    argument, result = ("fine" if fine else "error" for fine in answers)
    print(f"{name:10}{argument:15}{result}")

assert survives(torch.sin, "result") and not survives(torch.sin, "argument")
assert survives(torch.exp, "argument") and not survives(torch.exp, "result")
plus_one = operations["y + 1"]
assert survives(plus_one, "argument") and survives(plus_one, "result")

# %%
# Read each line as a rule of calculus. :math:`\sqrt y` has the derivative :math:`1 / (2 \sqrt y)`, which is best
# computed from the result. ``relu`` has the derivative 1 where its result is positive. And ``log`` keeps its
# argument.
#
# Keeping is not copying. A copy of everything would cost as much memory again. So the operation keeps the tensor,
# *and the version it has at that moment*. In the backward pass the two versions are compared. If they are equal,
# nothing was written, and the numbers are the right ones. If not, there is an error rather than a wrong gradient. In
# our program:

y = torch.exp(x)
print("exp keeps its result, at version", y._version)
y += 1
print("now it is at version", y._version)
assert y._version == 1

# %%
# There is one memory and one counter. The node has noted what the counter said:

import matplotlib.pyplot as plt

y = torch.exp(x)
saved_at = y._version
states = [("y = torch.exp(x)", y.tolist(), y._version)]
y += 1
states.append(("y += 1", y.tolist(), y._version))

# alt: Two rows of three boxes, the memory of y before and after the write. After y = torch.exp(x) the numbers are blue:
#      version 0, as saved. After y += 1 each number has grown by 1 and the boxes are red: version 1, not what was
#      saved. Above them it says that ExpBackward0 saved y at version 0.
# sphinx_gallery_start_ignore
figure, axes = plt.subplots(figsize=(7.6, 2.7), layout="constrained")
for row, (line, numbers, version) in enumerate(states):
    same = version == saved_at
    axes.text(-0.3, row + 0.3, line, ha="right", va="center", family="monospace")
    for column, number in enumerate(numbers):
        color = "tab:blue" if same else "tab:red"
        box = plt.Rectangle((column, row), 1, 0.6, facecolor=color, edgecolor="white")
        axes.add_patch(box)
        at = column + 0.5, row + 0.3
        axes.text(*at, f"{number:.2f}", ha="center", va="center", color="white")
    axes.text(3.3, row + 0.3, f"version {version}", va="center", weight="bold")
    verdict = "as saved" if same else "not what was saved"
    axes.text(5.1, row + 0.3, verdict, va="center", color=color)
axes.text(1.5, -0.45, "memory of y", ha="center")
axes.text(5.1, -0.45, f"ExpBackward0 saved y at version {saved_at}", ha="center")
axes.set(xlim=(-2.8, 7.6), ylim=(1.8, -0.8))
axes.axis("off")
# sphinx_gallery_end_ignore
plt.show()

# %%
# The message, word by word
# -------------------------
#
# Here it is again, cut into pieces.

try:
    softplus(x).sum().backward()
except RuntimeError as problem:
    message = str(problem)

pieces = {
    "What happened": "modified by an inplace operation",
    "What it is": "[torch.DoubleTensor [3]]",
    "Where it came from": "output 0 of ExpBackward0",
    "The two versions": "is at version 1; expected version 0",
    "Who kept it, as what": "ExpBackward0 saved it (its own 'result')",
    "Who wrote to it": "`y += 1`",
    "What to do": "Write that operation out of place",
}
for question, answer in pieces.items():
    assert answer in message
    print(f"{question + ':':22}{answer}")

# %%
# .. dropdown:: The pieces, one by one
#
#    - A *DoubleTensor* ``[3]`` is three numbers of type float64. Shape and type help to find the tensor in a program
#      that has many.
#    - *Output 0 of ExpBackward0*: it is what ``exp`` returned.
#    - *Version 1, expected 0*: one write too many. If the two are far apart, look for a loop.
#    - *Saved it (its own 'result')*: the line of the table above that we ran into. For ``sin`` it would say *its
#      argument 'self'*, for the second factor of a product *its argument 'other'*.
#    - Then the file and the line of the *write*. That is the line to change. (Of several writes, the last is named. If
#      that one is innocent, cure it all the same, and the message will name the one before.)
#    - The code in brackets at the end leads to its page in the :doc:`list of errors </notes/errors>`.
#
# PyTorch says what happened, which tensor it is, and the two versions. The rest is minigrad's.
#
# Three cures
# -----------
#
# **Out of place.** Give the result new memory. Try this first; usually it is all you need.


def out_of_place(x):
    y = torch.exp(x)
    y = y + 1
    return torch.log(y)


# %%
# **A clone.** If you want to write, write to a copy. ``clone`` makes one, and is recorded, so gradients pass through
# it. The kept numbers stay as they are. It takes the same memory as the first cure, and is good where many writes
# follow.


# teaches: Tensor.clone
def with_a_clone(x):
    y = torch.exp(x)
    z = y.clone()
    z += 1
    return torch.log(z)


# %%
# Both are right now: the derivative of :math:`\log(1 + e^x)` is :math:`e^x / (1 + e^x)`.

for f in out_of_place, with_a_clone:
    (gradient,) = torch.autograd.grad(f(x).sum(), x)
    print(f"{f.__name__:14} {gradient}")
    assert torch.allclose(gradient, torch.exp(x) / (1 + torch.exp(x)))

# %%
# **Another order.** Sometimes the write is right, but comes too early. Here are two losses, one weight, and an update
# between the two passes. (Both losses go back through ``square``. ``retain_graph=True`` says that the first pass must
# not throw away what the second one needs.)


def step(weight):
    with torch.no_grad():
        weight -= 0.1 * weight.grad


def too_early(weight, x):
    square = weight * weight
    first, second = (square * x).sum(), (square - x).pow(2).sum()
    first.backward(retain_graph=True)
    step(weight)
    second.backward()


def in_order(weight, x):
    square = weight * weight
    first, second = (square * x).sum(), (square - x).pow(2).sum()
    first.backward(retain_graph=True)
    second.backward()
    step(weight)


data = torch.tensor([1.0, 2.0, 3.0])
with expect_error(RuntimeError):
    too_early(torch.tensor(2.0, requires_grad=True), data)

weight = torch.tensor(2.0, requires_grad=True)
in_order(weight, data)
assert weight == 2 - 0.1 * (4 * 6 + 8 * (3 + 2 + 1))        # 2 w Σ x, then Σ 4 w (w² - x)

# %%
# The second loss was computed with the old weight, so its gradient must be too. The first two cures are not meant for
# this case: each would silence the error, and then a gradient that belongs to the old weight would change the new
# one.
#
# Leaves, and the step of an optimizer
# ------------------------------------
#
# A leaf that requires grad is a value with respect to which you want to differentiate. If a write were recorded, the
# leaf would be the result of something. If it were not, the gradient would belong to numbers that are no longer
# there. So it is refused:

weight = torch.tensor([1.0, 2.0], requires_grad=True)
with expect_error(RuntimeError):
    weight -= 0.1

# %%
# Unless you say that the write is not part of the computation. That is what ``torch.no_grad`` is for, and what the
# step of an optimizer does, as did ``step`` above. Here is the one with momentum, which needs no memory but that of
# the velocity:

velocity = torch.zeros(2)
for _ in range(100):
    weight.grad = None
    ((weight - 5) ** 2).sum().backward()
    with torch.no_grad():
        velocity.mul_(0.8).add_(weight.grad)
        weight.sub_(velocity, alpha=0.05)

print(weight)
assert weight.is_leaf and weight._version == 100
assert torch.allclose(weight, torch.tensor([5.0, 5.0]), atol=1e-3)

# %%
# The versions count here, too: ``no_grad`` switches off the recording, not the counting. It is how ``too_early`` was
# caught.
#
# What is refused
# ---------------
#
# Some writes make no sense in any program. They are refused at once, before a single number has changed.

strip = torch.ones(1, 3)
whole = torch.tensor([1, 2, 3])

refused = [
    ("a leaf", weight, lambda: weight.mul_(2)),
    ("a part of a leaf", weight, lambda: weight[:1].mul_(2)),
    ("a result too large for the memory", strip, lambda: strip.add_(torch.ones(5, 3))),
    ("fractions into integers", whole, lambda: whole.mul_(0.5)),
    ("many elements, one memory", strip, lambda: strip.expand(4, 3).add_(1)),
    ("reading what was just written", strip, lambda: strip[:, 1:].copy_(strip[:, :-1])),
]
for name, target, write in refused:
    before, version = target.tolist(), target._version
    print(f"-- {name}")
    with expect_error(RuntimeError):
        write()
    assert (target.tolist(), target._version) == (before, version)

# %%
# (:doc:`The next page <views_and_history>` adds some about views.)
#
# What goes wrong unnoticed
# -------------------------
#
# Old programs write through ``.data``, and people still recommend it: *then the error goes away*. It does.


def softplus_by_force(x):
    y = torch.exp(x)
    y.data += 1
    return torch.log(y)


values = softplus_by_force(x)
(gradient,) = torch.autograd.grad(values.sum(), x)
print("values:  ", values.detach())
print("gradient:", gradient)
print("right:   ", (torch.exp(x) / (1 + torch.exp(x))).detach())
assert torch.equal(values, softplus(x))
assert torch.allclose(gradient, torch.ones(3))      # wrong!

# %%
# The values are right, the gradient is 1 everywhere. You can see why: ``log`` gives :math:`1 / (1 + e^x)`, and
# ``exp`` multiplies by what it has kept, its result. That is no longer :math:`e^x` but :math:`1 + e^x`, and the two
# cancel.
#
# ``.data`` returns a tensor on the same memory, with a version of its own, so the write was counted elsewhere. That
# is its very purpose. ``detach()`` shares the version. It is what you want instead:

# teaches: Tensor.data, Tensor.detach
y = torch.exp(x)
y.data.add_(1)
assert y._version == 0
y.detach().add_(1)
assert y._version == 1

# %%
# NumPy is the other way past the counter. ``numpy()`` gives an array on the same memory, and NumPy knows nothing of
# versions.

# teaches: Tensor.numpy
y = torch.exp(x)
result = torch.log(1 + y)
y.detach().numpy()[:] = 100
(gradient,) = torch.autograd.grad(result.sum(), x)
print("gradient:", gradient)
assert y._version == 0 and not torch.allclose(gradient, torch.exp(x) / (1 + torch.exp(x)))

# %%
# So: no ``.data``, and no writes to an array while a graph needs its memory. A copy is safe, as in
# ``y.detach().numpy().copy()``. And if you suspect such a write in a function that you have not written, measure
# (:doc:`/tutorials/first_gradients/why_backwards`):

(gradient,) = torch.autograd.grad(softplus_by_force(x).sum(), x)
with torch.no_grad():
    measured = (softplus_by_force(x + 1e-6) - softplus_by_force(x - 1e-6)) / 2e-6
print("backward:", gradient)
print("measured:", measured)
assert not torch.allclose(gradient, measured, atol=1e-3)

# %%
# When is it worth it?
# --------------------
#
# In place for what is not recorded: optimizers, running sums, buffers. In place to fill a table, row by row: the next
# page. Everywhere else out of place, until you have measured.
#
# .. folded:: The measurements behind this rule
#
# Where nothing is recorded, in-place operations save what they promise. Here is the line with the momentum in both
# forms, for a million numbers. ``tracemalloc`` measures the *peak*, the largest amount of memory that was in use at
# one time, and what is still *held* at the end, with the result. What was there before does not count.

import time
import tracemalloc

velocity, gradient = torch.zeros(1_000_000), torch.ones(1_000_000)


def measure(said, compute):
    tracemalloc.start()
    result = compute()
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    times = []
    for _ in range(5):
        start = time.perf_counter()
        compute()
        times.append(time.perf_counter() - start)
    memory = f"peak {peak / 1e6:5.1f} MB   held {held / 1e6:5.1f} MB"
    print(f"{said:28} {memory}   {min(times) * 1e3:5.1f} ms")
    return peak, held, result


new, *_ = measure("0.9 * velocity + gradient", lambda: 0.9 * velocity + gradient)
in_place, *_ = measure(
    "velocity.mul_(0.9).add_(...)",
    lambda: velocity.mul_(0.9).add_(gradient),
)
assert in_place < 0.01 * new

# %%
# But where a graph is recorded, look twice. Five layers of a network, out of place and in place:

images = torch.randn(1000, 250)
matrix = torch.randn(250, 250, requires_grad=True)
bias = torch.zeros(250, requires_grad=True)


def layers(activation):
    h = images
    for _ in range(5):
        h = activation(h @ matrix + bias)
    return h


def layers_in_place(activation):
    h = images
    for _ in range(5):
        h = h @ matrix
        h += bias
        h = activation(h)
    return h


_, relu, a = measure("relu", lambda: layers(torch.relu))
_, relu_, b = measure("relu_", lambda: layers_in_place(torch.Tensor.relu_))
_, sin, c = measure("sin", lambda: layers(torch.sin))
_, sin_, d = measure("sin_", lambda: layers_in_place(torch.Tensor.sin_))

assert torch.equal(a, b) and torch.equal(c, d)
assert abs(relu / relu_ - 1) < 0.01 and abs(sin / sin_ - 1) < 0.01

# %%
# No memory is gained, and the times vary too much from run to run to say anything. With ``relu`` out of place, the
# product and the sum are freed as soon as the next step is done, because nobody keeps them. What remains is what the
# derivatives need, and no way of writing can save that. The second pair shows it best. The derivative of the sine needs
# its argument, which is overwritten, so ``sin_`` copies it before it writes. Then the gradient is right:

# teaches: Tensor.sin_
w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = 2 * w
returned = y.sin_()
(gradient,) = torch.autograd.grad(y.sum(), w)
print("y is now", y)
print("gradient:", gradient)
assert returned is y and y._version == 1
assert torch.allclose(gradient, 2 * torch.cos(2 * w))

# %%
# Summary
# -------
#
# - A write into memory is recorded and has a derivative. What it must not do is destroy a number that a graph has
#   kept.
# - Every tensor counts its writes; a graph keeps the version it saw, and compares before it uses the numbers.
# - The cures: write out of place, write to a clone, or write later.
# - Writes through ``.data`` and through NumPy are not counted. A measurement finds what they do.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Write ``softplus`` with ``torch.log1p``, which computes :math:`\log(1 + y)`. How much does the graph hold now,
#    for a million numbers? And with the first cure? Measure.
# 2. Break ``in_order`` so that no version moves, but the gradient is wrong. How would you find that in someone else's
#    program?
# 3. Version numbers are compared in the backward pass, not at the write. Why can that not be done at the write? Write
#    a program with a write that destroys something kept, and is harmless all the same.
