"""
Gradient layouts
================

A matrix can lie in memory row by row or column by column, and its gradient too. An optimizer that walks through both at
once is fast when they lie alike. On this page you learn the four rules by which ``.grad`` is laid out, see each of them
at work, and find out how to choose a layout yourself and keep it.

After this page you can predict the strides of a gradient, and have all gradients of a model lie in one tensor.

You need strides, from :doc:`/tutorials/in_place/views_and_history`.
"""

# %%
# The problem
# -----------
#
# The same numbers, in two layouts. ``stride()`` says how many elements to go on in memory for one step along each
# dim:

import matplotlib.pyplot as plt

import minigrad as torch

by_rows = torch.arange(12.0).reshape(3, 4)
by_columns = by_rows.t().contiguous().t()
print(by_rows.stride(), by_columns.stride())
assert torch.equal(by_rows, by_columns)

# alt: The matrix twice, each element coloured by its place in memory, with a line through all elements in that
#      order. On the left the line goes through the rows, one after the other; on the right through the columns.
# sphinx_gallery_start_ignore
def draw(ax, tensor, title):
    """Colour each element by its place in memory, and join them in that order."""
    rows, columns = tensor.shape
    place = [[i * tensor.stride(0) + j * tensor.stride(1) for j in range(columns)]
             for i in range(rows)]
    ax.imshow(place, cmap="viridis", alpha=0.6)
    walk = sorted((place[i][j], j, i) for i in range(rows) for j in range(columns))
    ax.plot([j for _, j, _ in walk], [i for _, _, i in walk], "k.-", linewidth=1)
    ax.set_title(f"{title}: strides {tensor.stride()}", fontsize=10)
    ax.set_xticks([])
    ax.set_yticks([])


fig, axes = plt.subplots(1, 2, figsize=(7, 2.4))
draw(axes[0], by_rows, "row by row")
draw(axes[1], by_columns, "column by column")
# sphinx_gallery_end_ignore
plt.show()

# %%
# The line is the way of a loop that goes through memory from one end to the other. A step of gradient descent,
# ``p -= 0.1 * p.grad``, reads both tensors: if their lines agree, it is one straight walk; if not, it jumps in one of
# them. So when ``backward`` creates ``.grad``, which layout should it choose?
#
# Rule 1: like the parameter
# --------------------------
#
# If the parameter fills its memory without gaps or overlaps, in whatever order, its gradient gets the same strides.


# teaches: Tensor.stride
def gradient_of(parameter):
    parameter = parameter.detach().requires_grad_()
    (parameter * 2).sum().backward()
    return parameter.grad


for parameter in (by_rows, by_columns):
    print("parameter", parameter.stride(), " gradient", gradient_of(parameter).stride())
    assert gradient_of(parameter).stride() == parameter.stride()

# %%
# The rule is about the parameter, not about the operations. Here the cotangent arrives row by row, from a copy that
# lies row by row, and is laid out anew at the end:

parameter = by_columns.detach().requires_grad_()
(parameter.contiguous() ** 2).sum().backward()
print(parameter.grad.stride())
assert parameter.grad.stride() == parameter.stride()

# %%
# It is also a rule about ``.grad`` alone. ``autograd.grad`` returns the same gradient, but as the operations have left
# it:

(returned,) = torch.autograd.grad((parameter.contiguous() ** 2).sum(), parameter)
print("parameter    ", parameter.stride())
print("grad() gives ", returned.stride())
print(".grad        ", parameter.grad.stride())
assert torch.equal(returned, parameter.grad) and returned.stride() == (4, 1)

# %%
# Images are the case that matters most. In the layout *channels last* the channels of a pixel are neighbours, which
# convolutions like, and the gradients of a network that was converted to it follow by themselves:

images = torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last).requires_grad_()
(images * images).sum().backward()
print(images.grad.stride())
assert images.grad.is_contiguous(memory_format=torch.channels_last)

# %%
# Rule 2: otherwise, row by row
# -----------------------------
#
# A parameter with gaps (every other column of something) or overlaps (one row that is shown as several) has no layout
# that a gradient could copy: a gradient needs a place of its own for every element, and no more. It is laid out row
# by row.

gaps = torch.randn(3, 8)[:, ::2]
overlaps = torch.randn(4).expand(3, 4)
for name, parameter in (("gaps", gaps), ("overlaps", overlaps)):
    gradient = gradient_of(parameter)
    print(f"{name}: parameter {parameter.stride()}, gradient {gradient.stride()}")
    assert gradient.stride() == (4, 1)

# %%
# Rule 3: what exists is added to in place
# ----------------------------------------
#
# If ``.grad`` is there already, ``backward`` adds to it, and its strides stay. So a layout that you choose before the
# first pass is the layout of all passes: this is a *manual* layout.

parameter = by_columns.detach().requires_grad_()
parameter.grad = torch.zeros(3, 4)
chosen = parameter.grad
for _ in range(3):
    (parameter * 2).sum().backward()
print(parameter.grad.stride(), parameter.grad is chosen, chosen[0].tolist())
assert parameter.grad is chosen and chosen.stride() == (4, 1)

# %%
# (PyTorch warns here that the layouts disagree, and that this may be slow. It is right.)
#
# Rule 4: with ``create_graph``, a new tensor
# -------------------------------------------
#
# A gradient that is part of a graph must not be written to: somebody may differentiate through it. So with
# ``create_graph=True`` the sum ``.grad + new`` is a new tensor, and its strides are those that the sum has. Here they
# happen to be the old ones; that is not promised. A tensor that was ``.grad`` before does not see the change:

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it warns of the cycle between parameter and gradient
    (parameter * parameter).sum().backward(create_graph=True)
print("strides before and after:", chosen.stride(), parameter.grad.stride())
print("the same tensor:", parameter.grad is chosen)
print("in a graph:", parameter.grad.requires_grad)
print("held before:", chosen[0].tolist())
assert parameter.grad is not chosen and parameter.grad.requires_grad
parameter.grad = None

# %%
# What resetting does
# -------------------
#
# A training loop resets the gradients before each pass, and there are two ways. ``None`` takes the tensor away: the
# next pass creates it, by rules 1 and 2. Zeros keep the tensor, and with it a manual layout, by rule 3. The methods
# of modules and optimizers do the first unless told otherwise:

# teaches: Module.parameters, Module.zero_grad, Optimizer.zero_grad
model = torch.nn.Linear(4, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for parameter in model.parameters():
    parameter.grad = torch.zeros_like(parameter).t().contiguous().t()
manual = model.weight.grad.stride()
model(torch.ones(2, 4)).sum().backward()
assert model.weight.grad.stride() == manual

model.zero_grad(set_to_none=False)
print("after zeros:", model.weight.grad.stride())
assert model.weight.grad.stride() == manual
optimizer.zero_grad()
print("after None: ", model.weight.grad)
model(torch.ones(2, 4)).sum().backward()
print("and a pass: ", model.weight.grad.stride())
assert model.weight.grad.stride() == model.weight.stride() != manual

# %%
# Zeros cost time as well. Where ``.grad`` is ``None``, ``backward`` may take the array that it has just computed;
# where there are zeros, it has to add to them. For four million parameters:

import time


def milliseconds(reset):
    parameter, times = torch.ones(2000, 2000, requires_grad=True), []
    for _ in range(5):
        parameter.grad = reset(parameter)
        doubled = (parameter * 2).sum()
        start = time.perf_counter()
        doubled.backward()
        times.append(time.perf_counter() - start)
    return min(times) * 1e3


print(f"backward after None:  {milliseconds(lambda parameter: None):.1f} ms")
print(f"backward after zeros: {milliseconds(torch.zeros_like):.1f} ms")

# %%
# ``None`` is the better default. It saves the time of writing zeros and of adding to them, it gives each gradient the
# layout of its parameter, and a parameter that took no part in a pass is left alone by the optimizer instead of being
# moved by its momentum. A manual layout is for the rare case in which other code reads the gradients in a different
# order from the parameters.
#
# What goes wrong
# ---------------
#
# **Assigning a gradient of another shape.** The layout is yours to choose; shape, dtype and device are not.

from minigrad.teaching import expect_error

with expect_error(RuntimeError):
    model.weight.grad = torch.zeros(4, 3)

# %%
# **Flattening a gradient with** ``view``. It works only while the layout happens to fit. ``reshape`` copies where it
# has to:

parameter = by_columns.detach().requires_grad_()
(parameter * 2).sum().backward()
with expect_error(RuntimeError):
    parameter.grad.view(-1)
print(parameter.grad.reshape(-1).shape)

# %%
# **Holding on to** ``.grad``. A list of gradients collected with ``[p.grad for p in ...]`` changes under your hands
# by rule 3, and does not by rule 4. If you want the numbers of this pass, ``clone`` them.
#
# Summary
# -------
#
# - A new ``.grad`` has the strides of a parameter without gaps and overlaps (rule 1), and otherwise lies row by row
#   (rule 2).
# - An existing ``.grad`` is added to in place and keeps its strides (rule 3), except with ``create_graph=True``,
#   which makes a new tensor (rule 4).
# - Reset to ``None`` to get rules 1 and 2 again; reset to zeros to keep a layout of your own.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Time ``p.add_(g, alpha=-0.1)`` for a matrix of 2000 × 2000, with gradients in both layouts. How does the quotient
#    change with the size, and where does the cache of your machine end?
# 2. Write ``same_layout(a, b)`` for tensors of any number of dims, as rule 1 means it: dims of size 1 do not count.
