"""
Views and history
=================

A row of a table is not a copy: both are in the same memory. Write to the row, and the table has changed. Then its
history must change as well, or its gradient is wrong. On this page we watch that happen, follow the numbers by hand,
fill a table in a loop and differentiate through it, and see which writes are refused.

You need versions, from :doc:`in_place_operations`.

After this page you can tell a view from a copy, and fill a table in a loop so that its gradient is right.
"""

# %%
# The problem
# -----------
#
# Four numbers and their squares. We look at the last two squares, and then multiply the middle two by a weight.

import minigrad as torch
from minigrad.teaching import expect_error

torch.set_default_dtype(torch.float64)

x = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
w = torch.tensor([10.0, 20.0], requires_grad=True)

y = x * x
last_two = y[2:]
y[1:3].mul_(w)
print(last_two.detach())

# %%
# The first of the last two is :math:`x_3^2 \, w_2 = 180` now. So it depends on ``w``. But when ``last_two`` was made,
# there was no ``w`` in it, and since then we have not touched it. Does it know?

(gradient,) = torch.autograd.grad(last_two.sum(), w)
print("gradient of w:", gradient)
assert gradient.tolist() == [0, 3 ** 2]

# %%
# It does. How?
#
# One memory
# ----------
#
# ``y[1:3]`` takes no memory for numbers. It is a *view*: a shape, laid over the memory of ``y``. The tensor below it
# is its *base*.

y = torch.arange(6.0)
v = y[1:3]
assert v._base is y
v[0] = 100
print(y)
assert y[1] == 100

# %%
# Which operations give a view, which a copy? Ask the tensors:

table = y.view(2, 3)
for said, tensor in [
    ("y[1:3]", y[1:3]),
    ("y[4]", y[4]),
    ("table.t()", table.t()),
    ("table.t().reshape(6)", table.t().reshape(6)),
    ("y.expand(2, 6)", y.expand(2, 6)),
    ("table.diagonal()", table.diagonal()),
    ("y[[1, 2]]", y[[1, 2]]),
    ("y[y > 3]", y[y > 3]),
    ("y.clone()", y.clone()),
    ("y + 0", y + 0),
]:
    print(f"{said:22}{'a view' if tensor._base is y else 'a copy'}")

assert y[1:3]._base is y and y[[1, 2]]._base is None

# %%
# Whatever can be described by a start, a shape and a step for each dimension is a view. Places given by a list or a
# mask cannot be described that way, so these copy. (And ``reshape`` gives a view if it can. For the transposed table
# in one row, it cannot.)
#
# The start, the shape and the steps are all that a view adds to the memory. The steps are also called *strides*, and
# ``stride()`` returns them.

# teaches: Tensor.stride
print("table:    ", table.storage_offset(), tuple(table.shape), table.stride())
print("table.t():", table.t().storage_offset(), tuple(table.t().shape), table.t().stride())
assert table.stride() == (3, 1) and table.t().stride() == (1, 3)

# %%
# Here are the six cells of the memory, and below them where the elements of each view lie.

import matplotlib.pyplot as plt
import numpy as np

# alt: The six cells of the memory of y, numbered from left to right: 0, 100, 2, 3, 4, 5. Below them four views with the
#      indices of their elements under the cells where they lie: y[1:3] covers cells 1 and 2; table, of shape (2, 3)
#      with steps (3, 1), covers all six in order; table.t(), of shape (3, 2) with steps (1, 3), covers the same cells
#      with the two indices exchanged; table.diagonal(), with one step of 4, covers cells 0 and 4.
# sphinx_gallery_start_ignore


def cells_of(tensor):
    """Where in the memory each element of ``tensor`` lies: start plus steps."""
    places = np.indices(tensor.shape)
    steps = np.array(tensor.stride()).reshape(-1, *[1] * tensor.dim())
    return tensor.storage_offset() + (places * steps).sum(0)


def draw_row(axes, height, texts, color):
    for cell, text in texts.items():
        box = plt.Rectangle((cell, height), 1, 0.7, facecolor=color, edgecolor="white")
        axes.add_patch(box)
        axes.text(cell + 0.5, height + 0.35, text, ha="center", va="center", color="white")


figure, axes = plt.subplots(figsize=(7.6, 3.6), layout="constrained")
draw_row(axes, 0, {i: f"{number:g}" for i, number in enumerate(y.tolist())}, "dimgray")
axes.text(-0.2, 0.35, "memory of y", ha="right", va="center")
for row, (said, tensor, color) in enumerate([
    ("y[1:3]", v, "tab:blue"),
    ("table", table, "tab:green"),
    ("table.t()", table.t(), "tab:purple"),
    ("table.diagonal()", table.diagonal(), "tab:brown"),
], 1):
    cells = cells_of(tensor)
    texts = {cell: ", ".join(map(str, at)) for at, cell in np.ndenumerate(cells)}
    draw_row(axes, row, texts, color)
    axes.text(-0.2, row + 0.35, said, ha="right", va="center", family="monospace")
    shape, steps = tuple(tensor.shape), tuple(tensor.stride())
    description = f"start {tensor.storage_offset()}, shape {shape}, steps {steps}"
    axes.text(6.2, row + 0.35, description, va="center")
    assert (y.numpy()[cells] == tensor.numpy()).all()
axes.set(xlim=(-3.3, 11.5), ylim=(4.9, -0.2))
axes.axis("off")
# sphinx_gallery_end_ignore
plt.show()

# %%
# Elements of different views in one column are the same number. Transposing moves no number: it swaps the two sizes
# and the two steps, and so the elements get other indices.
#
# One memory has one version. A write through any of the tensors counts for all of them:

before = y._version
v.add_(1)
table.t().mul_(2)
print("writes since then:", [tensor._version - before for tensor in (y, v, table)])
assert y._version == v._version == table._version == before + 2

# %%
# A write through a view
# ----------------------
#
# Now the squares again, with a name for each of the two views.

y = x * x
v = y[1:3]
u = y[2:]
print("before:", y, v, u, sep="\n   ")

v.mul_(w)
print("after:", y, v, u, sep="\n   ")

# %%
# All three have new values now. And all three have another ``grad_fn``. Why?
#
# .. code-block:: text
#
#    y    [ 1   4   9  16 ]       before:  y    MulBackward0
#    v        [ 4   9 ]                    v    SliceBackward0 --> MulBackward0
#    u            [ 9  16 ]                u    SliceBackward0 --> MulBackward0
#
#    v.mul_(w):
#
#    y    [ 1  40 180  16 ]
#              ##  ##             written
#    v        [40 180 ]
#    u           [180  16 ]
#
# Before, ``y`` was the result of ``x * x``. Now it is not: two of its numbers depend on ``w`` as well. One of these
# is in ``u``, though we never touched ``u``. All three histories had become wrong.
#
# So the history belongs to the memory, and that means to the base. The base gets a new node, ``CopySlices``. The
# views read their history from the base, with a node ``AsStridedBackward0``:
#
# .. code-block:: text
#
#    after:     y    CopySlices --> MulBackward0 --> x
#                              \--> w
#
#               v    AsStridedBackward0 --> CopySlices      the one of y
#               u    AsStridedBackward0 --> CopySlices      the same

copy_slices = y.grad_fn
assert "CopySlices" in copy_slices.name()
(below, _), (leaf, _) = copy_slices.next_functions
assert below.name() == "MulBackward0" and leaf.variable is w

for view in v, u:
    assert view.grad_fn.name() == "AsStridedBackward0"
    assert view.grad_fn.next_functions[0][0] is copy_slices

# %%
# (A view does not get its new node at the write. It compares versions when its ``grad_fn`` is asked for, and catches
# up then. A thousand old rows of a table cost nothing if nobody looks at them any more.)
#
# By hand
# -------
#
# ``CopySlices`` has to undo this: *take the part, do something with it, put it back*. So it cuts the gradient of the
# base in two. What belongs to the part goes through the derivative of the write. The rest bypasses it.
#
# Let the gradient of ``y`` be ``[1, 2, 3, 4]``:
#
# .. code-block:: text
#
#    gradient of y      [ 1    2    3    4 ]
#                         |    |    |    |
#                         |  * w1 * w2   |   with respect to v: times w
#                         |    |    |    |
#    goes on to x * x   [ 1   20   60    4 ]
#
#    goes to w              [ 4*2  9*3 ]    with respect to w: times the old v
#                         = [  8   27 ]
#
# A node can be called, so we can check every step.

gradient = torch.tensor([1.0, 2.0, 3.0, 4.0])
goes_on, to_w = copy_slices(gradient)
print("goes on:", goes_on.tolist(), "  to w:", to_w.tolist())
assert goes_on.tolist() == [1, 20, 60, 4] and to_w.tolist() == [8, 27]

# %%
# The last step is the square, so ``x`` gets :math:`2 x` times that:

x_bar, w_bar = torch.autograd.grad(y, [x, w], gradient, retain_graph=True)
print("gradient of x:", x_bar.tolist(), "  of w:", w_bar.tolist())
assert x_bar.tolist() == [2 * 1 * 1, 2 * 2 * 20, 2 * 3 * 60, 2 * 4 * 4]
assert torch.equal(w_bar, to_w)

# %%
# All of it at once, step by step. (What the player is: :doc:`/tutorials/first_gradients/watch_a_backward_pass`.)

torch.viz.play(y, gradient)

# %%
# And ``u``, the view that was not involved? It is :math:`[x_3^2 \, w_2, \; x_4^2]`. Its sum has the derivatives
# :math:`2 x_3 w_2 = 120` and :math:`2 x_4 = 8`, and :math:`x_3^2 = 9` with respect to :math:`w_2`. With its old
# history it would know nothing about ``w``.

x_bar, w_bar = torch.autograd.grad(u.sum(), [x, w], retain_graph=True)
print("gradient of x:", x_bar.tolist(), "  of w:", w_bar.tolist())
assert x_bar.tolist() == [0, 0, 120, 8] and w_bar.tolist() == [0, 9]

# %%
# Views of views
# --------------
#
# A view of a view is a view of the base. There are never two levels, so the rules above are all the rules.

y = x * x
square = y.view(2, 2)
second_row = square[1]
last = second_row[1:]
assert square._base is second_row._base is last._base is y

last.mul_(5)
square.t()[0].add_(w)                   # the first column of the square: elements 0 and 2
print(y)
assert y.tolist() == [1 + 10, 4, 9 + 20, 16 * 5]

x_bar, w_bar = torch.autograd.grad(y.sum(), [x, w])
assert x_bar.tolist() == [2, 4, 6, 8 * 5] and w_bar.tolist() == [1, 1]

# %%
# A base does not have to require grad beforehand. It does as soon as something that requires grad is written to it,
# and so do all its views, the old ones included:

# teaches: Tensor.requires_grad
room = torch.zeros(3)
start, end = room[:1], room[1:]
assert not room.requires_grad and not start.requires_grad
end.copy_(w)
assert room.requires_grad and start.requires_grad
print(room)

# %%
# A table, filled in a loop
# -------------------------
#
# ``y[i] = value`` is such a write: take the view ``y[i]``, copy into it. So we can allocate a table and fill it. Here
# is a series that is smoothed. Each value is a fraction :math:`a` of the one before, and the rest is new:
#
# .. math::
#
#    y_i = a \, y_{i-1} + (1 - a) \, x_i
#
# How does the result depend on :math:`a`?

series = torch.tensor([3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0])
a = torch.tensor(0.7, requires_grad=True)


def smooth(a):
    y = torch.zeros(len(series))
    y[0] = series[0]
    for i in range(1, len(series)):
        y[i] = a * y[i - 1] + (1 - a) * series[i]
    return y


print(smooth(a))
with expect_error(RuntimeError):
    smooth(a).sum().backward()

# %%
# The product ``a * y[i - 1]`` has kept ``y[i - 1]``. That is a view, and its version is that of ``y``. Then we write
# to ``y[i]``. No number of ``y[i - 1]`` has changed! But there is one counter for the whole memory, so it has moved.
# A counter for every number would cost more than it saves: the check is careful rather than exact.
#
# What can we do? Keep the last value in a tensor of its own. Or read a clone. Or make no table until the end: collect
# the values in a list, and ``torch.stack`` them. That is the plainest.


def smooth_with_last(a):
    y = torch.zeros(len(series))
    y[0] = last = series[0]
    for i in range(1, len(series)):
        last = a * last + (1 - a) * series[i]
        y[i] = last
    return y


def smooth_with_clone(a):
    y = torch.zeros(len(series))
    y[0] = series[0]
    for i in range(1, len(series)):
        y[i] = a * y[i - 1].clone() + (1 - a) * series[i]
    return y


def smooth_with_stack(a):
    values = [series[0]]
    for new in series[1:]:
        values.append(a * values[-1] + (1 - a) * new)
    return torch.stack(values)


with torch.no_grad():
    measured = (smooth(a + 1e-6) - smooth(a - 1e-6)).sum().item() / 2e-6
print(f"{'measured':18} {measured:.6f}")
for f in smooth_with_last, smooth_with_clone, smooth_with_stack:
    (slope,) = torch.autograd.grad(f(a).sum(), a)
    print(f"{f.__name__:18} {slope.item():.6f}")
    assert torch.equal(f(a), smooth(a)) and abs(slope.item() - measured) < 1e-6

# %%
# All three are right, but they do not leave the same graph. Each write made a view and a ``CopySlices``, one on top of
# the other, and in the backward pass each of these cuts the gradient of the table in two once more. Count them:


def count(result, name):
    found, waiting = {result.grad_fn}, [result.grad_fn]
    while waiting:
        for node, _ in waiting.pop().next_functions:
            if node is not None and node not in found:
                found.add(node)
                waiting.append(node)
    return sum(name in node.name() for node in found)


for f in smooth_with_last, smooth_with_clone, smooth_with_stack:
    copies, stacks = count(f(a), "CopySlices"), count(f(a), "Stack")
    print(f"{f.__name__:18} {copies} CopySlices, {stacks} StackBackward0")
assert count(smooth_with_last(a), "CopySlices") == len(series) - 1
assert count(smooth_with_stack(a), "CopySlices") == 0

# %%
# (The first of the eight writes is missing: its value and its room required no grad, so there was nothing to record.)
#
# With a mask
# -----------
#
# A mask gives a copy, so ``y[mask].mul_(0.1)`` changes a tensor that nobody has. But ``y[mask] *= 0.1`` is more than
# that. Python reads ``y[mask]``, multiplies, *and assigns the result back*. That last step is a write to ``y``.

x = torch.tensor([-1.0, 2.0, -3.0], requires_grad=True)

y = x * 1
y[y < 0].mul_(0.1)
print("lost:   ", y)
assert torch.equal(y, x)

y[y < 0] *= 0.1
print("written:", y)
(gradient,) = torch.autograd.grad(y.sum(), x)
assert gradient.tolist() == [0.1, 1, 0.1]

# %%
# The node is ``IndexPutBackward0``, not ``CopySlices``, since there is no view. The gradient is that of a leaky ramp,
# as it should be.
#
# detach and .data
# ----------------
#
# The last page has used both; here is what they are, in terms of views. ``detach`` gives a tensor on the same memory
# without a history: a view that is not a view. It shares the *version*, so what is written to it is noticed.
# ``.data`` shares the memory only.

# teaches: Tensor.data, Tensor.detach
y = x * 1
detached, data = y.detach(), y.data
assert detached.data_ptr() == data.data_ptr() == y.data_ptr()

print("version of                  y  y.detach()  y.data")
for said, tensor in ("y", y), ("y.detach()", detached), ("y.data", data):
    tensor.add_(1)
    versions = f"{y._version}  {detached._version:10}  {data._version:6}"
    print(f"after a write to {said:10} {versions}")
assert (y._version, detached._version, data._version) == (2, 2, 1)

# %%
# Neither of the last two writes is in the history of ``y``. The difference: after the one through ``detach``,
# ``backward`` raises if the old numbers are needed. After the one through ``.data`` it takes the wrong ones.
#
# What goes wrong
# ---------------
#
# Two kinds of views cannot be written to like this: those made under ``no_grad``, and one of several.
#
# .. folded:: What is refused, and why
#
# **A view made in no_grad.** Was the write meant to be recorded? The view says no, the line of the write says yes.

y = x * 1
with torch.no_grad():
    quiet = y[:2]

with expect_error(RuntimeError):
    quiet.mul_(2)
with torch.no_grad():
    quiet.mul_(2)                       # both inside: not recorded, and meant to be
y[:2].mul_(2)                           # both outside: recorded

# %%
# The same with the write on the other side: ``y`` has been written to since. Then nobody can tell what the *history*
# of ``quiet`` is. Its numbers are there; the error comes with its ``grad_fn``.

print(quiet.tolist())
with expect_error(RuntimeError):
    quiet.grad_fn

# %%
# **One of several.** ``split``, ``unbind`` and the like return many views from one node. A write to one of them would
# have to change the history of all. A loop over a tensor is an ``unbind``, and that is where you meet this error:

rows = (x * 1).view(3, 1) * torch.ones(2)

with expect_error(RuntimeError):
    for row in rows:
        row.mul_(2)
assert rows._version == 0

for i in range(len(rows)):              # one view, one node at a time
    rows[i].mul_(2)
assert torch.equal(rows[:, 0], 2 * x)

# %%
# The way out
# -----------
#
# In every case on this page there are two ways out, and both use a second memory. ``clone`` gives a copy that is
# nobody's view, and is recorded like any other operation. Or do not write, but make a new tensor: with
# ``torch.where`` instead of a mask, ``torch.stack`` instead of a table, ``torch.cat`` instead of a part.

first, second, third = (x * 1).unbind()
mine = first.clone()
mine.mul_(2)                            # fine now
assert first == x[0] and mine == 2 * x[0]

by_where = torch.where(x < 0, 0.1 * x, x)
by_mask = x.clone()
by_mask[x < 0] *= 0.1
assert torch.equal(by_where, by_mask)

# %%
# Summary
# -------
#
# - A view shares memory, and the version, with its base. A write to one is a write to all.
# - The history follows: after a write, the base and its views get new nodes, by which gradients find their way.
# - The version belongs to the whole memory. A table that is filled row by row must not be read back by an operation
#   that saves what it reads, such as a product.
# - Views made under ``no_grad``, and one of several views of a node, are refused. ``clone`` is the way out.
#
# .. admonition:: Now in PyTorch
#
#    PyTorch 2.13 has the same versions, the same views and the same refusals. What this part prints of *causes* (the
#    operation that saved a tensor, the line that wrote to it) is minigrad's; PyTorch's messages say the first sentence
#    of it.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Draw the graph of ``y = x * x; y[0].mul_(2); y[1].mul_(y[0])``, on paper first. Two ``CopySlices``: which of them
#    is on top? What has the last product kept? Predict the error of ``backward``, and cure it with one ``clone``.
# 2. Time ``smooth_with_last`` and ``smooth_with_stack`` for a series of 10,000 values, forward and backward. What
#    does a write to a part cost, compared with an entry in a list?
# 3. ``b = torch.zeros(3); v = b[1:]; s = torch.sin(v)``. Now write something to ``b`` that requires grad. Does ``v``
#    require grad? Does ``s``?
