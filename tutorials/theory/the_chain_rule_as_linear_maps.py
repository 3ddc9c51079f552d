"""
The chain rule as linear maps
=============================

A derivative is not a number and not a matrix. It is a linear map, and the chain rule says that such maps are composed.
With that one sentence, forward mode and reverse mode are two ways to evaluate the same product, and every formula in
the table of derivatives has to answer only one question. On this page we prove it, and check each step.

After this page you can write the derivative of an operation as a linear map, find the transpose of such a map, and push
tangents forward and pull cotangents back through a list of operations.

You need ``vjp`` and ``jvp``, from :doc:`/tutorials/forward_and_beyond/vjp_and_jvp`.
"""

# %%
# The problem
# -----------
#
# At school a derivative is a slope. For functions of several numbers one learns partial derivatives, then gradients,
# then Jacobian matrices, each with a chain rule of its own and sums over indices. But a network multiplies
# *matrices*. What is the derivative of :math:`Y = A X`, where all three are matrices? A table with four indices? Let
# us count its entries for a layer of ordinary size:

import minigrad as torch

rows, inner, columns = 512, 512, 64
entries = (rows * columns) * (inner * columns)
print(f"{entries:,} entries, {entries * 4 / 2**30:.0f} GiB, all but one in {columns} zero")

# %%
# Nobody computes that, so it cannot be what a derivative *is*.
#
# A derivative is a linear map
# ----------------------------
#
# Move the input of :math:`f` by a small :math:`h`, and look at how the result moves. If there is a **linear** map
# :math:`D` with
#
# .. math:: f(x + h) = f(x) + D h + r(h), \qquad \frac{\|r(h)\|}{\|h\|} \to 0,
#
# then :math:`f` is differentiable at :math:`x`, and :math:`D = Df(x)` is its derivative (Fréchet's definition).
# Nothing here asks whether :math:`x` is a number, a matrix or a list of tensors: it must be something that can be
# added and scaled. For the product, :math:`A(X + H) = AX + AH`, so :math:`D H = A H` and :math:`r = 0`. No table, one
# product.
#
# There is only one such map. If :math:`D` and :math:`E` both fit, then :math:`\|(D - E)h\| / \|h\| \to 0`; but for a
# linear map this quotient does not change when :math:`h` is scaled down, so it is zero from the start. That proves
# that "the derivative" deserves its article.
#
# In PyTorch's words :math:`h` is a *tangent*, and ``jvp`` applies the map. We draw what the definition says: the
# remainder falls faster than the step.

import matplotlib.pyplot as plt
from minigrad.func import jvp, vjp

torch.manual_seed(0)
A = torch.randn(4, 3, dtype=torch.float64)


def f(X):
    return torch.sin(A @ X)


X, H = torch.randn(3, 2, dtype=torch.float64), torch.randn(3, 2, dtype=torch.float64)
_, DH = jvp(f, (X,), (H,))
steps = [2.0**-k for k in range(1, 18)]
moved = [(f(X + t * H) - f(X)).norm().item() for t in steps]
remainder = [(f(X + t * H) - f(X) - t * DH).norm().item() for t in steps]

# alt: Two straight lines over the step t, both axes logarithmic. The movement of the result falls in proportion to
#      the step. The remainder, after the linear part has been taken away, lies below it and falls twice as steeply.
# sphinx_gallery_start_ignore
fig, ax = plt.subplots(figsize=(6, 3.2))
ax.loglog(steps, moved, "o-", label=r"$\|f(x + th) - f(x)\|$")
ax.loglog(steps, remainder, "s-", label=r"$\|f(x + th) - f(x) - t\,Dh\|$")
ax.set_xlabel("$t$")
ax.legend()
# sphinx_gallery_end_ignore
plt.show()
assert remainder[-1] / steps[-1] < 1e-4 * moved[-1] / steps[-1]

# %%
# The upper line has slope 1: the result moves in proportion to the step. The lower one has slope 2. What is left,
# after the linear part has been taken away, is a square.
#
# The chain rule
# --------------
#
# **Theorem.** If :math:`f` is differentiable at :math:`x`, and :math:`g` at :math:`y = f(x)`, then
#
# .. math:: D(g \circ f)(x) = Dg(y) \circ Df(x).
#
# *Proof.* Put :math:`k = f(x + h) - f(x) = Df(x) h + r(h)`. Then
#
# .. math:: g(f(x + h)) = g(y + k) = g(y) + Dg(y) k + s(k) = g(y) + Dg(y) Df(x) h + [Dg(y) r(h) + s(k)].
#
# It remains to show that the bracket is small against :math:`h`. Linear maps between finite dimensions are bounded,
# so :math:`\|Dg(y) r(h)\| \le C \|r(h)\|`, which is small; and :math:`\|k\| \le (C' + 1)\|h\|` for small :math:`h`,
# so :math:`\|s(k)\| / \|h\| = (\|s(k)\| / \|k\|)(\|k\| / \|h\|)` is a product of something that tends to zero and
# something bounded (and where :math:`k = 0`, so is :math:`s(k)`). ∎
#
# That is all. The derivative of a program of a thousand operations is the composition of a thousand linear maps, one
# for each operation, and the program that pushes a tangent through them one after the other is forward mode:


def g(Y):
    return (Y * Y).sum()


value, tangent = X, H
for operation in (lambda X: A @ X, torch.sin, g):
    value, tangent = jvp(operation, (value,), (tangent,))
_, at_once = jvp(lambda X: g(f(X)), (X,), (H,))
print(tangent, at_once)
assert torch.allclose(tangent, at_once)

# %%
# The transpose
# -------------
#
# A loss is one number, and we ask how it depends on *every* entry of :math:`X`. To push tangents forward, we would
# need one pass for each entry. Instead, look at the last map alone: :math:`Dg(y)` takes a tangent and returns a
# number. A linear map into the numbers is a *cotangent*; written as a scalar product it is :math:`h \mapsto \langle
# \bar y, h \rangle`, and this :math:`\bar y` is what everybody calls the gradient of :math:`g`. To get the gradient
# with respect to :math:`x` we move the map to the other side of the scalar product:
#
# .. math:: \langle \bar y, Df(x) h \rangle = \langle Df(x)^{\mathsf T} \bar y, h \rangle \quad\text{for all } h.
#
# The map :math:`Df(x)^{\mathsf T}` is the *transpose*, or adjoint; ``vjp`` applies it. It goes from cotangents of the
# result to cotangents of the input, against the direction of the program, and the transpose of a composition is the
# composition of the transposes in the opposite order:
#
# .. math:: (D_3 D_2 D_1)^{\mathsf T} = D_1^{\mathsf T} D_2^{\mathsf T} D_3^{\mathsf T}.
#
# That is why the pass goes backward. It is not a trick of bookkeeping but a fact about transposes, and the equation
# above is a test for any formula that claims to be one:


def adjoint_test(function, *shapes):
    """Print the two sides of the definition, for random tangents and cotangents."""
    inputs = [torch.randn(shape, dtype=torch.float64) for shape in shapes]
    tangents = [torch.randn(shape, dtype=torch.float64) for shape in shapes]
    result, pushed = jvp(function, tuple(inputs), tuple(tangents))
    cotangent = torch.randn(result.shape, dtype=torch.float64)
    pulled = vjp(function, *inputs)[1](cotangent)
    left = (cotangent * pushed).sum()
    right = torch.stack([(p * t).sum() for p, t in zip(pulled, tangents)]).sum()
    print(f"{left.item():+.12f} {right.item():+.12f}")
    assert torch.allclose(left, right)


adjoint_test(torch.matmul, (4, 3), (3, 2))
adjoint_test(lambda x: x.cumsum(0), (5,))
adjoint_test(lambda x: torch.softmax(x, 1), (2, 6))
adjoint_test(lambda x: x.permute(2, 0, 1)[1:], (3, 4, 2))

# %%
# What a row of the table has to say
# ----------------------------------
#
# So each operation contributes one linear map, and reverse mode needs its transpose. For some operations the
# transpose is a name that you know already, and this small list covers a large part of a network:
#
# ============================  ==================================  ==========================
# Operation                     Derivative, applied to a tangent    Transpose
# ============================  ==================================  ==========================
# ``sin(x)``, one by one        multiply by ``cos(x)``              the same
# ``A @ X``                     ``A @ H``                           ``A.T @ G``
# ``x.sum()``                   ``h.sum()``                         ``expand``
# ``x.expand(n, m)``            ``h.expand(n, m)``                  sum over the new dim
# ``x[2:5]``                    ``h[2:5]``                          put into zeros
# ``x.permute(2, 0, 1)``        the same permutation                the inverse permutation
# ``torch.cat([x, y])``         ``cat`` of the tangents             ``split``
# ============================  ==================================  ==========================
#
# An operation that is linear itself is its own derivative, so only the transpose is left to find. An operation that
# acts on each element by itself has a diagonal map, and the transpose of a diagonal map is that map. These two
# remarks are the *kinds* of :doc:`the notes on the table </notes/kinds>`: most rows state a differential, and the
# transposes follow.
#
# What goes wrong
# ---------------
#
# **Composing in the wrong order.** For square matrices of the same size the wrong product exists, and gives numbers.
# Only shapes that differ make the mistake visible; that is why checks should never use square matrices:

W, V = torch.randn(2, 3, 3, dtype=torch.float64)
x = torch.randn(3, dtype=torch.float64)
ones = torch.ones(3, dtype=torch.float64)
right = vjp(lambda x: V @ (W @ x), x)[1](ones)[0]
wrong = V.T @ (W.T @ ones)
print("right:", right)
print("wrong:", wrong)
assert torch.allclose(right, W.T @ (V.T @ ones))
assert not torch.allclose(right, wrong)

# %%
# **Taking the Jacobian for the gradient.** For one result and a scalar product, the gradient is the transposed
# Jacobian. With another scalar product, in which some directions count more than others, the Jacobian is the same and
# the gradient is another vector: *natural* gradients and preconditioners are nothing else.
#
# **A derivative where there is none.** ``relu`` at 0 has no linear map that fits: the remainder to the left and to
# the right cannot both be small. Libraries return a convention there. The definition shows it, for three slopes that
# one might try:

for slope in (0.0, 0.5, 1.0):
    quotients = [abs(max(h, 0.0) - slope * h) / abs(h) for h in (-1e-6, 1e-6)]
    left, right = quotients
    print(f"slope {slope}: remainder / step is {left:.1f} and {right:.1f}")
    assert max(quotients) > 0.1

# %%
# Summary
# -------
#
# - A derivative is the linear map that approximates a function up to a remainder smaller than the step. There is only
#   one.
# - Maps are composed as the functions are: that is the chain rule, and applying it to a tangent is forward mode.
# - A gradient is a cotangent; the transposes of the maps carry it backward, in the opposite order.
# - The equation :math:`\langle \bar y, D h\rangle = \langle D^{\mathsf T} \bar y, h\rangle` tests any pair of
#   formulas.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Write the derivative of :math:`X \mapsto X^{-1}` as a linear map: expand :math:`(X + H)^{-1}` to first order,
#    then find its transpose. Compare with ``torch.linalg.inv``.
# 2. Put a scalar product :math:`\langle a, b \rangle_M = a^{\mathsf T} M b` on the inputs. Write ``natural_gradient``
#    and minimize a badly scaled quadratic function with it, beside plain gradient descent.
