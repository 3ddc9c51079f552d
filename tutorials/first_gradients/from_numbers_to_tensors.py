"""
From numbers to tensors
=======================

The derivative of :math:`x w` with respect to :math:`x` is :math:`w`. What is it if :math:`x` and :math:`w` are
matrices? On this page we find the gradients of a layer of a network with pencil and paper: of a product of matrices, of
a row that is added to each row, and of the loss that classifies. Then we compare with ``backward``.

You need a gradient that arrives in several parts, from :doc:`watch_a_backward_pass`.

After this page you can find the gradients of an operation on matrices from the uses of a single entry, and write the
backward pass of a layer in four lines.
"""

# %%
# The problem
# -----------
#
# Two samples with three features each become two scores each: :math:`z = x W`. Suppose we know the gradient of the
# loss with respect to the scores, :math:`\bar z`. For numbers the gradient of :math:`x` would be :math:`\bar z w`. So
# let us try the same with matrices:

import matplotlib.pyplot as plt

import minigrad as torch
from minigrad.teaching import expect_error

torch.set_default_dtype(torch.float64)

x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True)
W = torch.tensor([[1.0, -1.0], [0.0, 2.0], [1.0, 0.0]], requires_grad=True)
z_bar = torch.tensor([[1.0, 0.0], [2.0, 1.0]])

with expect_error(RuntimeError):
    z_bar @ W

# %%
# The shapes do not fit. Many people now transpose and exchange until they do, and often that works. But if the
# matrices are square, everything fits:

square_x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
square_W = torch.tensor([[1.0, -1.0], [0.0, 2.0]])
loss = (square_x @ square_W * z_bar).sum()
(right,) = torch.autograd.grad(loss, square_x)

candidates = {
    "z_bar @ W": z_bar @ square_W,
    "W @ z_bar": square_W @ z_bar,
    "W.T @ z_bar": square_W.T @ z_bar,
    "z_bar @ W.T": z_bar @ square_W.T,
}
for name, candidate in candidates.items():
    verdict = "right" if candidate.equal(right) else "wrong"
    print(f"{name:12} {str(candidate.tolist()):28} {verdict}")
    assert (verdict == "right") == (name == "z_bar @ W.T")

# %%
# Three of four are wrong, and no shape says so. We need a reason, and there is a simple one.
#
# The idea: one entry, and all its uses
# -------------------------------------
#
# A matrix is a table of numbers, and about numbers we know everything. Take a single entry of :math:`x`, and ask
# where it is used. By the definition of the product,
#
# .. math:: z_{ij} = \sum_k x_{ik} \, W_{kj} \,,
#
# the entry :math:`x_{ik}` is used in all scores of its own sample :math:`i`, each time with another factor:

# alt: Three tables of numbers: x with 2 rows and 3 columns, W with 3 rows and 2 columns, z = x W with 2 rows and 2
#      columns. Marked in colour are the 4 in the second row of x, the whole first row of W (1 and -1), which it meets,
#      and the whole second row of z, to which it contributes.
# sphinx_gallery_start_ignore
fig, axes = plt.subplots(1, 3, figsize=(7, 2.1), gridspec_kw={"width_ratios": [3, 2, 2]})
uses = {"x": [(1, 0)], "W": [(0, 0), (0, 1)], "z = x W": [(1, 0), (1, 1)]}
for ax, (name, places), matrix in zip(axes, uses.items(), (x, W, x @ W)):
    marked = torch.zeros(matrix.shape)
    for place in places:
        marked[place] = 0.3
    ax.imshow(marked, cmap="Oranges", vmax=1)
    for i, row in enumerate(matrix.tolist()):
        for j, number in enumerate(row):
            ax.text(j, i, f"{number:g}", ha="center", va="center")
    ax.set_title(name)
    ax.axis("off")
# sphinx_gallery_end_ignore
plt.show()

# %%
# In the picture it is the 4 in the second row of :math:`x`. It meets the first row of :math:`W`, and goes into both
# scores of the second sample. What is used twice gets a sum, one term for each use, and each term is that of a product
# of numbers: what arrives, times the other factor.
#
# .. math:: \bar x_{ik} = \sum_j \bar z_{ij} \, W_{kj} \,.
#
# For the 4 that is :math:`2 \cdot 1 + 1 \cdot (-1) = 1`. All of them together are again a product of matrices. The
# index :math:`j`, over which the sum runs, is the *second* of :math:`W`, and in a product of matrices it would be the
# first. So it is the product with the transpose:
#
# .. math:: \bar x = \bar z \, W^\top \,.
#
# And an entry of :math:`W`? :math:`W_{kj}` is used once for each sample: the sum now runs over :math:`i`, the first
# index of both factors.
#
# .. math:: \bar W_{kj} = \sum_i x_{ik} \, \bar z_{ij} \,, \qquad \text{so} \quad \bar W = x^\top \bar z \,.
#
# With the numbers from above, by hand. Each entry is two products and a sum:

x_bar_by_hand = torch.tensor([[1.0, 0.0, 1.0], [1.0, 2.0, 2.0]])
W_bar_by_hand = torch.tensor([[9.0, 4.0], [12.0, 5.0], [15.0, 6.0]])

z = x @ W
x_bar, W_bar = torch.autograd.grad((z * z_bar).sum(), (x, W))
print(x_bar.tolist())
print(W_bar.tolist())
assert torch.equal(x_bar, x_bar_by_hand) and torch.equal(W_bar, W_bar_by_hand)
assert torch.equal(x_bar, z_bar @ W.T) and torch.equal(W_bar, x.T @ z_bar)

# %%
# (The loss ``(z * z_bar).sum()`` is chosen so that the gradient of ``z`` is ``z_bar``, whatever that is: a trick that
# you will need again.) The player shows the two formulas at the node of the product:

torch.viz.play((x @ W * z_bar).sum())

# %%
# A row that is added to each row
# -------------------------------
#
# A layer also adds a bias, :math:`z_{ij} = \ldots + b_j`. The entry :math:`b_j` is used once for each sample, with
# the factor 1. So its gradient is the sum over the samples:
#
# .. math:: \bar b_j = \sum_i \bar z_{ij} \,.
#
# What is copied on the way forward is added up on the way back. Here that is 1 + 2 and 0 + 1:

b = torch.tensor([10.0, 20.0], requires_grad=True)
(b_bar,) = torch.autograd.grad(((x @ W + b) * z_bar).sum(), b)
print(b_bar.tolist())
assert b_bar.tolist() == [3, 1]

# %%
# From scores to a loss
# ---------------------
#
# To classify, the scores of a sample are turned into probabilities by the *softmax*. If :math:`t` is the right class,
# the loss is :math:`-\log p_t`; the mean of that over the samples is the *cross entropy*.
#
# .. math:: p_k = \frac{e^{z_k}}{\sum_j e^{z_j}} \,, \qquad L = -\log p_t = \log \sum_j e^{z_j} - z_t \,.
#
# The second form of :math:`L` is the one to differentiate. The derivative of the logarithm is one over its argument,
# and of the sum in it only the term with :math:`z_k` depends on :math:`z_k`:
#
# .. math:: \frac{\partial L}{\partial z_k} = \frac{e^{z_k}}{\sum_j e^{z_j}} - [k = t] = p_k - [k = t] \,.
#
# The bracket is 1 if :math:`k` is the right class, else 0. In words: the gradient of the scores is *what the network
# believes, less what is true*. Take scores whose softmax is easy to compute, the logarithms of 1, 2, 5 and of 2, 1,
# 1. The right classes are 2 and 0. (``requires_grad_()`` asks for the gradient of a tensor that has been made already:
# of the logarithms, not of the numbers that they were taken of.)

scores = torch.tensor([[1.0, 2.0, 5.0], [2.0, 1.0, 1.0]]).log().requires_grad_()
targets = torch.tensor([2, 0])
believed = torch.tensor([[1 / 8, 2 / 8, 5 / 8], [2 / 4, 1 / 4, 1 / 4]])
true = torch.tensor([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])

loss = torch.nn.functional.cross_entropy(scores, targets)
(scores_bar,) = torch.autograd.grad(loss, scores)
print(scores_bar)
assert torch.allclose(scores_bar, (believed - true) / 2)

# %%
# Divided by 2, because the loss is the mean of two samples. Each row adds up to zero: what the right class is to
# gain, the others lose, each in proportion to what it is believed. And a sample about which the network is certain,
# and right, has no gradient at all.
#
# A layer, there and back
# -----------------------
#
# Now we have all the parts. Forwards and backwards, the layer with its loss is seven lines, and the last four are all
# that ``backward`` does in it. (``one_hot`` makes the table of what is true from the numbers of the classes.)

torch.manual_seed(0)
x = torch.randn(5, 4, requires_grad=True)
W = torch.randn(4, 3, requires_grad=True)
b = torch.randn(3, requires_grad=True)
targets = torch.tensor([2, 0, 1, 1, 0])

z = x @ W + b
p = z.softmax(1)
loss = -p[torch.arange(5), targets].log().mean()

z_bar = (p - torch.nn.functional.one_hot(targets, 3)) / 5
W_bar = x.T @ z_bar
b_bar = z_bar.sum(0)
x_bar = z_bar @ W.T

loss.backward()
for name, tensor, by_hand in (("x", x, x_bar), ("W", W, W_bar), ("b", b, b_bar)):
    print(name, "agrees:", torch.allclose(tensor.grad, by_hand))
    assert torch.allclose(tensor.grad, by_hand)

# %%
# A network has several layers. What leaves this one as ``x_bar`` is what arrives at the layer below as ``z_bar``, and
# the same lines go on from there.
#
# What goes wrong
# ---------------
#
# **The shapes fit.** With as many samples as features and classes, a forgotten transpose is a wrong number and no
# error. Try formulas with sizes that are all different.
#
# **The bias becomes a matrix.** Without the sum over the samples, a step makes a matrix of the row, and again nothing
# complains:

step = b - 0.1 * z_bar
print(tuple(b.shape), "became", tuple(step.shape))
assert step.shape == (5, 3)

# %%
# **Softmax twice.** ``cross_entropy`` takes scores. If it is given probabilities, it takes the softmax of these, and
# the gradient is no longer belief less truth: the network learns, but slowly, and the loss of three classes cannot
# fall below 0.55, even if every probability is right.

certain = torch.nn.functional.cross_entropy(true, torch.tensor([2, 0]))
print(f"certain and right, softmax twice: loss {certain.item():.2f}")
assert 0.55 < certain < 0.56

# %%
# Summary
# -------
#
# - To differentiate an operation on tensors, take one entry of an input, and add up over all its uses.
# - For :math:`z = x W`: :math:`\bar x = \bar z W^\top` and :math:`\bar W = x^\top \bar z`.
# - What is copied forwards, such as a bias, is added up backwards.
# - The gradient of the cross entropy with respect to the scores is what is believed, less what is true.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Find the gradients of ``torch.outer(u, v)``, of ``M @ v`` and of ``u @ v`` by their uses. Which of them are
#    special cases of the product of matrices?
# 2. The loss ``((x @ W - y) ** 2).mean()`` has its smallest value where its gradient is zero. Write that down as an
#    equation for ``W``: what do you get?
#
# :doc:`/tutorials/theory/the_chain_rule_as_linear_maps` and
# :doc:`/tutorials/theory/broadcasting_and_its_transpose` say why the transpose turns up everywhere.
