"""
Broadcasting and its transpose
==============================

``x + bias`` works for a matrix and a row, and nobody writes the loop that copies the row. The gradient of the row is
the sum over the copies, and nobody writes that sum either. On this page you see that these two are one fact, that every
operation that broadcasts needs it, and that it can be done in one place.

After this page you can write the gradients of an operation whose inputs have different shapes, and guard a program
against shapes that broadcast by accident.

You need the transpose of a linear map, from :doc:`the_chain_rule_as_linear_maps`.
"""

# %%
# The problem
# -----------
#
# A layer adds a bias to each row of a batch. Somebody trains it without autograd. The derivative of a sum with
# respect to each of its terms is 1, so the gradient of the result is passed on unchanged, to ``x`` and to ``bias``:

import matplotlib.pyplot as plt

import minigrad as torch

torch.manual_seed(0)
x = torch.randn(3, 4, dtype=torch.float64)
bias = torch.zeros(4, dtype=torch.float64)
target = torch.ones(3, 4, dtype=torch.float64)
for step in range(3):
    grad = 2 * (x + bias - target)
    bias = bias - 0.1 * grad
    print("step", step, " bias of shape", tuple(bias.shape))

# %%
# The bias has become a matrix, one row for each sample of the batch, and no error was raised. The gradient of four
# numbers cannot have twelve. Which four are right?
#
# Expanding is a linear map
# -------------------------
#
# Broadcasting makes ``bias`` as large as ``x`` by reading it again for every row. Seen as a function of its own,
# ``expand``, it is linear: twice the bias gives twice the matrix. As a matrix on the flattened numbers it has one 1
# in each row, since each entry of the result is a copy of one entry of the input. We draw it, and its transpose:

from minigrad.func import jacrev

bias = torch.randn(4, dtype=torch.float64)
E = jacrev(lambda b: b.expand(3, 4).reshape(-1))(bias)
# alt: Two matrices of zeros and ones. Left, expand: twelve rows and four columns, the identity matrix three times,
#      one below the other. Right, its transpose: four rows and twelve columns, the identity matrix three times side
#      by side, so that each row adds up three numbers.
# sphinx_gallery_start_ignore
fig, axes = plt.subplots(1, 2, figsize=(8, 3.4), gridspec_kw={"width_ratios": [1, 2.6]})
for ax, matrix, title in ((axes[0], E, "expand: 4 numbers to 12"),
                          (axes[1], E.T, "its transpose: 12 numbers to 4")):
    ax.imshow(matrix, cmap="Greys", vmin=0, vmax=1.5)
    ax.set_xticks(range(matrix.shape[1]))
    ax.set_yticks(range(matrix.shape[0]))
    ax.tick_params(labelsize=7)
    ax.set_title(title, fontsize=10)
# sphinx_gallery_end_ignore
plt.show()

# %%
# A row of the transpose has a 1 for each copy that was made of one entry. Applied to a cotangent it adds up what
# arrives at the copies. **The transpose of copying is summing**, and this is the proof, in one line:
#
# .. math:: \langle G, \operatorname{expand} b \rangle = \sum_{i,j} G_{ij}\, b_j
#           = \sum_j (\sum_i G_{ij}) b_j = \langle \operatorname{sum}_i G,\, b \rangle.
#
# The other direction holds as well: the transpose of ``sum`` is ``expand``. Each is the backward pass of the other.

G = torch.randn(3, 4, dtype=torch.float64)
assert torch.allclose((G * bias.expand(3, 4)).sum(), (G.sum(0) * bias).sum())
assert torch.allclose((E.T @ G.reshape(-1)), G.sum(0))

# %%
# The rule in general
# -------------------
#
# Broadcasting aligns shapes at their last dims. A dim is copied if the input does not have it, or has it with size 1.
# So to come back: sum over the dims that were added in front, and over those that had size 1, keeping the latter. Six
# lines that every array library with gradients contains somewhere:


def sum_to(cotangent, shape):
    """The transpose of broadcasting from ``shape``: sum over the dims that were copied."""
    added = cotangent.dim() - len(shape)
    stretched = [added + i for i, size in enumerate(shape) if size == 1]
    dims = [*range(added), *(i for i in stretched if cotangent.shape[i] != 1)]
    summed = cotangent.sum(dims, keepdim=True) if dims else cotangent
    return summed.reshape(shape)


for shape in ((4,), (3, 1), (1, 4), (1, 1), (), (2, 3, 4), (2, 1, 4), (1, 3, 1)):
    wide = torch.broadcast_shapes(shape, (3, 4))
    b, G = torch.randn(shape, dtype=torch.float64), torch.randn(wide, dtype=torch.float64)
    left, right = (G * b.expand(wide)).sum(), (sum_to(G, shape) * b).sum()
    print(f"{str([*shape]):10} -> {str([*wide]):10} {left.item():+.6f} {right.item():+.6f}")
    assert torch.allclose(left, right)

# %%
# One place is enough
# -------------------
#
# An elementwise operation of two inputs is a composition: expand both, then compute element by element. By the chain
# rule its transpose is the product of the transposes: first the elementwise formula, which knows nothing of shapes,
# then ``sum_to`` for each input. So a library can write the formula of ``mul`` as if the shapes were equal, and
# reduce at the edge of the graph, for all operations at once. minigrad and PyTorch do that with every gradient on its
# way to an input, even with those that a ``Function`` returns. So this one, as naive as the program above, is right:


class Add(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        return a + b

    @staticmethod
    def backward(ctx, grad):
        return grad, grad


x.requires_grad_()
bias = torch.randn(4, dtype=torch.float64, requires_grad=True)
y = torch.randn(3, 1, dtype=torch.float64, requires_grad=True)
assert torch.autograd.gradcheck(Add.apply, (x, bias))
assert torch.autograd.gradcheck(Add.apply, (y, bias))
(y * bias).sum().backward()
print(y.grad.shape, bias.grad.shape)
assert y.grad.shape == y.shape and bias.grad.shape == bias.shape

# %%
# The pair turns up in unexpected places. A batch of losses is averaged: the transpose of ``mean`` expands
# the cotangent, divided by the size. ``layer_norm`` subtracts a mean from every entry: its backward subtracts a mean
# from the gradient. And a weight that is used in every step of a recurrent network is *copied* along time: its
# gradient is the sum over all steps, which is why gradients are added up at leaves at all. Accumulation is the
# transpose of using twice.

w = torch.tensor(2.0, requires_grad=True)
both = torch.stack([w, w])
(both * torch.tensor([3.0, 5.0])).sum().backward()
print(w.grad)
assert w.grad == 8

# %%
# What goes wrong
# ---------------
#
# **Broadcasting by accident.** Predictions of shape ``(n, 1)`` and targets of shape ``(n,)`` have a
# difference of shape ``(n, n)``. There is no error, the loss even falls, and the gradient is the sum over all pairs:

features, targets = torch.randn(50, 1), torch.randn(50)
weight = torch.zeros(1, requires_grad=True)


def slope(predictions):
    difference = predictions - targets
    print("difference:", tuple(difference.shape))
    return torch.autograd.grad((difference**2).mean(), weight)[0]


wrong = slope(features * weight)
right = slope((features * weight).squeeze(1))
print(f"gradient {wrong.item():+.4f}, of the right pairs {right.item():+.4f}")
assert not torch.allclose(wrong, right)

# %%
# The loss functions of ``torch.nn.functional`` warn when the two shapes differ; your own arithmetic does not.
#
# **Summing over the wrong dim.** If a batch happens to be square, both sums have the right shape, and only one of
# them is right. This is the second reason, after products of matrices, never to check with square shapes:

square = torch.randn(4, 4, dtype=torch.float64)
print("same shape:", square.sum(0).shape == square.sum(1).shape)
print("same sums: ", torch.allclose(square.sum(0), square.sum(1)))

# %%
# **Forgetting** ``keepdim``. ``x / x.sum(1)`` divides the rows of a square matrix by the sums of *other* rows, and
# fails for every other shape. ``x / x.sum(1, keepdim=True)`` says what is meant.
#
# Summary
# -------
#
# - ``expand`` and ``sum`` are transposes of each other: what is copied on the way forward is added up on the way
#   back.
# - To undo a broadcast, sum over the dims that were added or had size 1; one function does it for all operations.
# - Accumulating at a leaf that is used twice is the same rule.
# - Shapes that broadcast by accident give a wrong gradient, and no error.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Write ``normalize(x) = x - x.mean(1, keepdim=True)`` as a matrix on one row. Show that it is its own transpose,
#    and that applying it twice changes nothing. What does that say about its backward pass?
# 2. ``torch.einsum`` copies and sums by letters. Write its backward for two operands as another ``einsum``: which
#    letters go where?
