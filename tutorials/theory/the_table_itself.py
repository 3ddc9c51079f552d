"""
The table itself
================

minigrad knows several hundred operations, and there is no backward method for any of them. Their derivatives are
written down as data, in a table of one-line formulas, from which forward mode, reverse mode, higher derivatives and
``vmap`` all follow. On this page you read rows of that table, see a proof that one formula serves both directions, and
add a row.

After this page you can write a row of your own, kernel and formula, tell which kind an operation is, and find the
transpose of a linear one.

You need the transpose of a linear map, from :doc:`/tutorials/theory/the_chain_rule_as_linear_maps`, and ``gradcheck``,
from :doc:`/tutorials/your_own_functions/checking_your_gradients`.
"""

# %%
# The problem
# -----------
#
# An operation has to be differentiated backward and forward, a second time, and under ``vmap``. Written by hand, that
# is four functions for each operation, and each of them can be wrong in its own way. How many would that be?

import matplotlib.pyplot as plt
import numpy as np

import minigrad as torch
from minigrad.ops.exports import ROWS

before = dict(ROWS)
print(len(ROWS), "operations, so", 4 * len(ROWS), "functions to write")

# %%
# Nobody has written them. The file of the sine has this instead:
#
# .. code-block:: python
#
#    sin = elementwise("sin(Tensor self)", ufuncs.sin,
#                      self=lambda d, self: d * cos(self),
#                      promote="float", ...)
#
# This is a **row**. Read aloud, it says: *the operation is called sin, and takes one tensor, called self. Its values
# come from a ufunc, a loop in C. It acts on each element by itself. When self is perturbed, the perturbation d is
# multiplied by the cosine of self. Integers are converted to floats first.*
#
# The row is an object that you can ask for all of that. Its formula can even be read back as text: minigrad calls it
# once with placeholders, and writes down what happens to them.

from typing import Any

from minigrad.notation.rows import written


def read(name):
    row = ROWS[name]
    print(f"{name} is {row.kind}")
    for formula in row.formulas:
        text: Any = written(row, formula.of)
        print(f"    {formula.of}: {text.text()}"
              f"    needs {', '.join(formula.names) or 'nothing'}")


for name in "sin", "exp", "mul", "cumsum", "mm":
    read(name)

# %%
# Look at the last column. It is the list of parameters of the formula, apart from ``d``, and it decides what the node
# saves: ``sin`` keeps its input, ``exp`` keeps its result, and a product keeps each factor for the gradient of the
# other. Nothing else says what to save, so a node cannot save too little, or forget to save at all:

x = torch.tensor([0.5, 1.0], requires_grad=True)
for name, y in ("sin", torch.sin(x)), ("exp", torch.exp(x)):
    (formula,) = ROWS[name].formulas
    saved = [each.removeprefix("_saved_") for each in dir(y.grad_fn)
             if each.startswith("_saved_")]
    print(f"{name}: the formula needs {list(formula.names)}, the node has saved {saved}")
    assert saved == list(formula.names)

# %%
# A census
# --------
#
# The word ``elementwise`` is the *kind* of the row. There are eight kinds. We count how many rows each of them has,
# and how long the formulas are, if they can be written out as text.

import collections

kinds = collections.Counter(row.kind for row in ROWS.values())
texts: Any = [written(row, formula.of) for row in ROWS.values() for formula in row.formulas]
lengths = [len(text.text()) for text in texts if text is not None]

# alt: Left, a bar for each of the eight kinds of rows, with the number of its rows. Right, a histogram of the
#      lengths of the formulas in characters: most are short, with the median, a dashed line, below forty, and a few
#      reach several hundred.
# sphinx_gallery_start_ignore
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4), width_ratios=(3, 2))
names = [name for name, _ in kinds.most_common()][::-1]
labels = [name.replace("_", " ") for name in names]
bars = left.barh(labels, [kinds[name] for name in names],
                 color=plt.cm.viridis(np.linspace(0.85, 0.25, len(names))))
left.bar_label(bars, padding=3)
left.set_xlim(0, 1.12 * max(kinds.values()))
left.set_xlabel("rows")
right.hist(lengths, bins=range(0, 481, 15), color="tab:orange")
right.axvline(np.median(lengths), color="gray", linestyle="--")
right.set_xlabel("characters in a formula")
right.set_ylabel("formulas")
fig.tight_layout()
# sphinx_gallery_end_ignore
plt.show()

print(f"half of the formulas have at most {np.median(lengths):.0f} characters")
assert len(kinds) == 8 and sum(kinds.values()) == len(ROWS)
assert np.median(lengths) < 40

# %%
# Half of the formulas are shorter than this sentence. That is possible only because the kind says the rest.
#
# One formula for two directions
# ------------------------------
#
# A row has one formula for each input, but there are two directions. Forward mode needs :math:`J t`, for a tangent
# :math:`t`; reverse mode needs :math:`J^{\mathsf T} d`, for a cotangent :math:`d`. What kind an operation is depends
# on the shape of its Jacobian matrix :math:`J`. Here are four of them:

from minigrad.func import jacrev, jvp, vjp

torch.manual_seed(0)
torch.set_default_dtype(torch.float64)
point = torch.randn(7)
pictures = {
    "sin: elementwise": torch.sin,
    "cumsum: linear": lambda x: torch.cumsum(x, 0),
    "flip: linear": lambda x: torch.flip(x, (0,)),
    "softmax: general": lambda x: torch.softmax(x, 0),
}
# alt: Four Jacobian matrices of seven rows and columns. That of sin has numbers on the diagonal only; that of
#      cumsum is 1 on and below the diagonal; that of flip has ones on the other diagonal; that of softmax is full.
# sphinx_gallery_start_ignore
fig, axes = plt.subplots(1, 4, figsize=(9, 2.5))
for ax, (title, function) in zip(axes, pictures.items()):
    J = jacrev(function)(point)
    largest = J.abs().max().item()
    ax.imshow(J, cmap="RdBu", vmin=-largest, vmax=largest)
    ax.set_title(title, fontsize=10)
    ax.set_xticks([])
    ax.set_yticks([])
fig.tight_layout()
# sphinx_gallery_end_ignore
plt.show()

# %%
# **Theorem.** For rows of the following kinds, one statement for each input gives both directions.
#
# *Elementwise.* The formula is :math:`D(d) = a \odot d`, with one factor :math:`a_i` for each element, so :math:`J`
# is diagonal. A diagonal matrix is its own transpose:
#
# .. math:: \langle d, J t \rangle = \sum_i d_i a_i t_i = \langle J d, t \rangle.
#
# So the same formula serves both directions. (For complex numbers, :math:`a` is conjugated on the way back.)
#
# *Linear.* From :math:`f(x + h) = f(x) + f(h)` we read off that the derivative is :math:`f` itself, with remainder
# zero. Forward mode calls the operation on the tangent, and the formula is only the transpose. A *view* is a linear
# operation whose result lies in the memory of its input.
#
# *Multilinear.* Expand the product:
#
# .. math:: f(x + h,\, y + k) = f(x, y) + f(h, y) + f(x, k) + f(h, k).
#
# The last term is bounded by :math:`C \|h\| \|k\|`, which is small compared with the step. The two before it are the
# derivative: forward mode calls the operation once for each factor, with its tangent in place of the factor. The
# formulas are the transposes. (*Windows*, the kind of convolutions, adds a bias to such a product.)
#
# *General.* Here the formula is :math:`v(d) = J^{\mathsf T} d`, and nothing is known about :math:`J`. But :math:`v`
# is linear in :math:`d`, whatever the operation is. Fix a tangent :math:`t` and differentiate the number
# :math:`\langle v(d), t \rangle = \langle d, J t \rangle` with respect to :math:`d`: the gradient is :math:`J t`. The
# transpose of the transpose is forward mode. ∎
#
# The remaining two kinds need no formula at all. A *piecewise constant* operation, such as ``floor``, has the
# derivative zero wherever it has one. One that is *not differentiable*, such as ``argmax``, is not recorded.
#
# The last argument of the proof is a program of three lines. It computes forward mode and calls only reverse mode:


def forward_by_reverse(function, x, t):
    x = x.detach().requires_grad_()
    y = function(x)
    d = torch.zeros_like(y).requires_grad_()
    (pulled,) = torch.autograd.grad(y, x, d, create_graph=True)
    return torch.autograd.grad(pulled, d, t)[0]


t = torch.randn(7)
twice = forward_by_reverse(pictures["softmax: general"], point, t)
_, pushed = jvp(pictures["softmax: general"], (point,), (t,))
print(twice)
print(pushed)
assert torch.allclose(twice, pushed)

# %%
# A row of your own
# -----------------
#
# The *haversine* of an angle, :math:`(1 - \cos x) / 2`, is what navigators had tables of. Here it becomes a row of
# ours. Its formula calls ``sin``, which is a row itself. (``public=False`` keeps the function from becoming
# ``torch.haversine`` and a method of every tensor.)

from minigrad.ops.kinds import elementwise, linear

haversine = elementwise("haversine(Tensor self)", lambda self: (1 - np.cos(self)) / 2,
                        self=lambda d, self: d * torch.sin(self) / 2,
                        promote="float", public=False)
read("haversine")

# %%
# We wrote one line about its derivative. Now we ask for everything else.

from minigrad.func import grad, vmap

angle = torch.tensor([0.5, 1.0, 2.0], requires_grad=True)
y = haversine(angle)
y.sum().backward()
print("node:    ", y.grad_fn.name())
print("backward:", angle.grad)
_, pushed = jvp(haversine, (angle.detach(),), (torch.ones(3),))
print("forward: ", pushed)
assert torch.allclose(angle.grad, torch.sin(angle) / 2)
assert torch.allclose(angle.grad, pushed)

# %%
# A formula is made of rows, and a row can be differentiated. So the gradient has a derivative too, and so has that.
# With ``vmap`` we draw all of them, each from the one before:

angles = torch.linspace(-4, 4, 161)
derivative, curves = haversine, []
for _ in range(4):
    curves.append(vmap(derivative)(angles))
    derivative = grad(derivative)

# alt: Four curves over the angle from -4 to 4, each the derivative of the one before: the haversine, which is 0 at
#      0 and never negative, then half a sine, half a cosine, and half a negative sine.
# sphinx_gallery_start_ignore
fig, ax = plt.subplots(figsize=(7, 3.2))
for order, curve in enumerate(curves):
    ax.plot(angles, curve, label=["haversine", "1st derivative", "2nd", "3rd"][order])
ax.set_xlabel("angle")
ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
fig.tight_layout()
# sphinx_gallery_end_ignore
plt.show()
assert torch.allclose(curves[2], torch.cos(angles) / 2)
assert torch.allclose(curves[3], -torch.sin(angles) / 2)

# %%
# Checking a row
# --------------
#
# A formula is a claim, and there are two ways to test it. The first is to measure: ``gradcheck`` compares the formula
# with finite differences of the operation, and can do so for both directions, under ``vmap``, and for the second
# derivative.

assert torch.autograd.gradcheck(haversine, angle,
                                check_forward_ad=True, check_batched_grad=True)
assert torch.autograd.gradgradcheck(haversine, angle)

# %%
# The second needs no small step, and is exact up to rounding. For a linear row, forward mode is the operation and
# reverse mode is the formula. These two were written separately, and
# :math:`\langle A x, y \rangle = \langle x, A^{\mathsf T} y \rangle` says how they must fit together:


def adjoint_gap(function, x):
    """How far apart the two sides of the identity are, at random."""
    t = torch.randn(x.shape)
    _, pushed = jvp(function, (x,), (t,))
    d = torch.randn(pushed.shape)
    (pulled,) = vjp(function, x)[1](d)
    return ((d * pushed).sum() - (pulled * t).sum()).abs().item()


linear_rows = {
    "cumsum": lambda x: torch.cumsum(x, 1),
    "flip": lambda x: torch.flip(x, (0,)),
    "roll": lambda x: torch.roll(x, 2, 1),
    "sum": torch.sum,
    "tril": torch.tril,
    "repeat": lambda x: x.repeat(2, 3),
    "index_select": lambda x: torch.index_select(x, 1, torch.tensor([0, 0, 3])),
}
for name, function in linear_rows.items():
    assert ROWS[name].kind == "linear"
    gap = adjoint_gap(function, torch.randn(3, 5))
    print(f"{name:13} {'fits' if gap < 1e-12 else 'does not fit'}")
    assert gap < 1e-12

# %%
# What goes wrong
# ---------------
#
# **A transpose that is none.** The sum of each element and all *before* it has as its transpose the sum of each
# element and all *after* it. It is easy to write the first one twice:

running = linear("running(Tensor self)", lambda self: np.cumsum(self),
                 self=lambda d: torch.cumsum(d, 0), public=False)
gap = adjoint_gap(running, torch.randn(5))
print("fits" if gap < 1e-12 else "does not fit")
assert gap > 1e-3

# %%
# ``gradcheck`` finds it too, and recognizes what it has found:

from minigrad.autograd.gradcheck import GradcheckError
from minigrad.teaching import expect_error

with expect_error(GradcheckError):
    torch.autograd.gradcheck(running, torch.randn(3, requires_grad=True))

# %%
# **A check that cannot fail.** The same identity is worthless for an elementwise row. Both directions come from one
# formula, so they fit together whatever the formula says. Here the sine has become a cosine, and the identity notices
# nothing. Finite differences do, since they ask the operation itself:

planted = elementwise("planted(Tensor self)", lambda self: (1 - np.cos(self)) / 2,
                      self=lambda d, self: d * torch.cos(self) / 2,
                      promote="float", public=False)
gap = adjoint_gap(planted, torch.randn(5))
print("fits" if gap < 1e-12 else "does not fit")
assert gap < 1e-12
with expect_error(GradcheckError):
    torch.autograd.gradcheck(planted, angle)

# %%
# A check must compare two things that were written separately. For a linear row, that is the operation and its
# transpose; for any row, the operation and its formula.
#
# **The wrong kind.** The kind is a claim as well, and is believed. This running sum says that it is elementwise. The
# formula is the diagonal of its Jacobian, and everything off the diagonal is lost:

claimed = elementwise("claimed(Tensor self)", lambda self: np.cumsum(self),
                      self=lambda d: d * 1, public=False)
print(jacrev(claimed)(torch.randn(3)))
with expect_error(GradcheckError):
    torch.autograd.gradcheck(claimed, torch.randn(3, requires_grad=True))

# %%
# **A row that contradicts itself** is refused at once, before anybody can call it:

with expect_error(ValueError):
    elementwise("cube(Tensor self)", lambda self: self**3, other=lambda d, other: d)

# %%
# Our rows, right and wrong, must not stay in the table. We take them out, and it is what it was:

for row in (haversine, running, planted, claimed):
    del ROWS[row.name]
assert ROWS == before
torch.set_default_dtype(torch.float32)

# %%
# Summary
# -------
#
# - A row says what an operation computes, and for each input a formula: what becomes of a perturbation ``d``.
# - The parameters of the formula are what the node saves.
# - The kind says how both directions follow: a diagonal is its own transpose; a linear operation is its own
#   derivative; and the transpose of a vjp is forward mode.
# - Formulas are made of rows, so every derivative can be differentiated again.
# - Finite differences test any row. The adjoint identity tests a linear one exactly, and says nothing about an
#   elementwise one.
#
# .. admonition:: Now in PyTorch
#
#    With ``import torch`` in place of ``import minigrad as torch``, the pages of this part before this one run in
#    PyTorch 2.13 and print the same numbers. What differs:
#
#    - Error messages begin with the same sentence, but minigrad's go on to explain it.
#    - Zeros may have the other sign, as in the coefficients of the complex derivatives.
#    - Hooks on saved tensors see the input of each checkpointed segment in PyTorch, and not in minigrad: 10 tensors
#      where "Memory and checkpointing" counts none.
#
#    This page is about minigrad's own table. Only forward mode by two reverse passes runs in PyTorch. There, too,
#    most derivatives are rows of a table, ``tools/autograd/derivatives.yaml``, from which the code of the nodes is
#    generated.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Draw the table as a graph: an arrow from each row to the rows that its formulas call. (For each of
#    ``row.formulas``, ``row.program(formula.of)`` has them in its ``steps``, or is ``None``.) Which row is called
#    most? Which rows call themselves?
# 2. Run ``adjoint_gap`` on every linear row that takes one tensor and nothing else. Plant a wrong factor in a copy of
#    one of them, and check that you would have found it.
# 3. Add a *view* of your own, such as the border of a matrix's rows or every third element, as :doc:`the notes on
#    adding an operation </notes/adding>` do. Write into it, and follow the gradient.
