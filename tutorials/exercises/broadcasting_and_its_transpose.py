"""Exercises of "Broadcasting and its transpose"."""

# %% Exercise: The gradients of a product that broadcasts
# Write ``product_vjp(a, b, grad)`` for tensors whose shapes may differ: the gradients of ``a * b``, each with the
# shape of its input. Use no autograd.

# %% Starter
import minigrad as torch


def product_vjp(a, b, grad):
    return ..., ...


# %% Check
from minigrad.teaching import without_autograd

torch.manual_seed(0)
for shapes in (((3, 4), (3, 4)), ((3, 4), (4,)), ((3, 1), (4,)), ((2, 3, 4), (3, 1)), ((1,), (5,)), ((), (2, 3))):
    a, b = (torch.randn(shape, dtype=torch.float64, requires_grad=True) for shape in shapes)
    grad = torch.randn(torch.broadcast_shapes(*shapes), dtype=torch.float64)
    wanted = torch.autograd.grad(a * b, (a, b), grad)
    with without_autograd():
        found = product_vjp(a.detach(), b.detach(), grad)
    for name, x, y in zip("ab", found, wanted):
        assert isinstance(x, torch.Tensor), "Return two tensors."
        assert x.shape == y.shape, f"For shapes {shapes}: the gradient of {name} has the shape {tuple(x.shape)}."
        assert torch.allclose(x, y), f"For shapes {shapes} the gradient of {name} is wrong."

# %% Hint
# First the formula for equal shapes: ``grad * b`` and ``grad * a``. Then sum each to the shape of its input.

# %% Hint
# ``tensor.sum_to_size(shape)`` is the ``sum_to`` of the page.


# %% Exercise: The mean and its way back
# ``center(x)`` subtracts from each row its mean. Write the vector-Jacobian product ``center_vjp(g)`` with tensor
# operations, without autograd.

# %% Starter
import minigrad as torch


def center(x):
    return x - x.mean(1, keepdim=True)


def center_vjp(g):
    return ...


# %% Check
from minigrad.func import vjp
from minigrad.teaching import without_autograd

for shape in ((3, 5), (1, 4), (2, 2)):
    x, g = torch.randn(shape, dtype=torch.float64), torch.randn(shape, dtype=torch.float64)
    with without_autograd():
        answer = center_vjp(g)
    assert isinstance(answer, torch.Tensor) and answer.shape == shape, "A cotangent of x has the shape of x."
    assert not torch.allclose(answer, g), "This is the way through x alone; the mean depends on x too."
    assert torch.allclose(answer, vjp(center, x)[1](g)[0]), f"Wrong for the shape {shape}: which dim is summed over?"

# %% Hint
# ``mean`` is ``sum`` divided by n, and the transpose of ``sum`` copies. So what is the transpose of "copy the mean"?


# %% Exercise: A guard against accidents
# Write ``difference(predictions, targets)`` that subtracts tensors of equal shapes and raises ``ValueError`` for all
# others, with both shapes in its message. One case may broadcast: a target that is a single number.

# %% Starter
def difference(predictions, targets):
    return predictions - targets


# %% Check
import minigrad as torch

a = torch.randn(5, 1, requires_grad=True)
assert torch.equal(difference(a, torch.zeros(5, 1)), a), "Equal shapes must be subtracted."
assert torch.equal(difference(a, torch.tensor(0.0)), a), "A single number may be subtracted from everything."
for shape, other in (((5, 1), (5,)), ((5, 1), (1, 5)), ((5, 1), (1,)), ((5, 1), (5, 2)), ((), (5, 1))):
    try:
        difference(torch.zeros(shape), torch.zeros(other))
    except ValueError as problem:
        told = str(problem)
        for each in (shape, other):
            assert str(each) in told or str([*each]) in told, f"The message must name the shape {each}: {told}"
    else:
        raise AssertionError(f"The shapes {shape} and {other} went through.")

# %% Hint
# ``targets.dim() == 0`` tells a single number from a tensor with one entry.


# %% Project: 1
# 8 points: 3 for the matrix, 3 for the two properties, 2 for what follows. For :math:`n` numbers it is the unit matrix
# less :math:`1/n` everywhere: for 4, 0.75 on the diagonal and -0.25 beside it. It is symmetric and its own square, a
# projection, so the backward pass is the function itself.


# %% Project: 2
# 10 points: 5 for the rule, 3 for a check against ``backward``, 2 for letters that only one operand has.
#
# For ``einsum("ij,jk->ik", a, b)`` the gradient of ``a`` is ``einsum("ik,jk->ij", g, b)``: the letters of the result
# and those of the other operand go in, and those of ``a`` come out. A letter that is in the result alone or in ``b``
# alone is summed there, as a copy has to be; a letter that ``a`` has, and neither ``b`` nor the result, was summed on
# the way forward, and is copied on the way back. No ``einsum`` of two operands can do that: it needs a row of ones for
# that letter, or an ``expand``.
#
# The usual mistakes: to check with square matrices, where swapped letters pass, and to forget that the gradient of
# complex numbers takes the conjugate of the other operand.
