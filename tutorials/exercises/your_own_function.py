"""Exercises of "Your own Function"."""

# %% Exercise: A cube root that saves its output
# Write a Function for the cube root of positive numbers, :math:`y = x^{1/3}`, that saves only its output.

# %% Starter
import minigrad as torch


class CubeRoot(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ...

    @staticmethod
    def backward(ctx, y_bar):
        ...


# %% Check
x = torch.tensor([1.0, 8.0, 0.5], dtype=torch.float64, requires_grad=True)
y = CubeRoot.apply(x)
assert y is not None and torch.allclose(y ** 3, x), "forward must return the cube root."
saved = y.grad_fn.saved_tensors
assert len(saved) == 1 and saved[0].data_ptr() == y.data_ptr(), "Save the output y, and nothing else."
torch.autograd.gradcheck(CubeRoot.apply, x)
torch.autograd.gradgradcheck(CubeRoot.apply, x)

# %% Hint
# :math:`x^{-2/3} / 3` is :math:`1 / (3 y^2)`.


# %% Exercise: Rounding that lets gradients through
# Rounding has the derivative 0 almost everywhere, so nothing before it learns. ``Round`` rounds, and passes the
# cotangent on as it is.

# %% Starter
import minigrad as torch


class Round(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ...

    @staticmethod
    def backward(ctx, y_bar):
        ...


# %% Check
x = torch.tensor([0.2, 1.7, -2.6], requires_grad=True)
y = Round.apply(x)
assert y is not None and y.tolist() == [0, 2, -3], "forward must round."
(3 * y).sum().backward()
assert x.grad is not None, "No gradient arrives."
assert x.grad.tolist() != [1, 1, 1], "backward must return the cotangent, not 1."
assert x.grad.tolist() == [3, 3, 3], f"The gradient must be [3, 3, 3], and is {x.grad.tolist()}."
(gradient,) = torch.autograd.grad(Round.apply(x), x, torch.tensor([1.0, -2.0, 0.5]))
assert gradient.tolist() == [1, -2, 0.5], f"For the cotangent [1, -2, 0.5] backward returns {gradient.tolist()}."

# %% Hint
# ``backward`` needs nothing from ``forward``.


# %% Exercise: Power with a number
# ``Power.apply(x, n)`` is :math:`x^n`, where ``n`` is a number and not a tensor.

# %% Starter
import minigrad as torch


class Power(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ...

    @staticmethod
    def backward(ctx, y_bar):
        ...


# %% Check
x = torch.tensor([1.0, 2.0, 0.5], dtype=torch.float64, requires_grad=True)
for n in (2, 3.5):
    y = Power.apply(x, n)
    assert y is not None and torch.allclose(y, x ** n), "forward must return x to the power n."
    torch.autograd.gradcheck(lambda x: Power.apply(x, n), x)
    torch.autograd.gradgradcheck(lambda x: Power.apply(x, n), x)

# %% Hint
# Keep ``n`` on ``ctx``, and return ``None`` for it.


# %% Project: 1
# 10 points: 4 for the Function, 3 for what ``gradcheck`` makes of the mistake, 3 for the check with other sizes. With
# ``y_bar @ b`` in place of ``y_bar @ b.T`` and 3 by 3 matrices the shapes fit. ``gradcheck`` finds 18 of 81 derivatives
# for input 0 wrong, and the cause, too: the Jacobian is transposed. The other 63 are 0, or on the diagonal of ``b``.
# With a (2, 3) and a (3, 4) matrix the product in ``backward`` itself raises, before there is anything to compare. A
# symmetric ``b`` hides the mistake completely. The usual mistake is to check with matrices of ones, or with square ones
# alone.


# %% Project: 2
# 8 points: 5 for two Functions that call each other, 3 for the answer. As often as you like: the tenth derivative of
# the sine at 1 is :math:`-\sin 1 = -0.8415`.
