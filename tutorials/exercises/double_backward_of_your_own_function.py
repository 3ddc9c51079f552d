"""Exercises of "Double backward of your own Function"."""

# %% Exercise: Swish, to be differentiated twice
# ``Swish`` computes :math:`x\,\sigma(x)`. Its first derivative is right. Change what it saves, and ``backward``, so
# that the second is right too.

# %% Starter
import minigrad as torch


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        s = torch.sigmoid(x)
        ctx.save_for_backward(s * (1 + x * (1 - s)))
        return x * s

    @staticmethod
    def backward(ctx, y_bar):
        (slope,) = ctx.saved_tensors
        return y_bar * slope


# %% Check
import warnings

x = torch.tensor([-1.0, 0.5, 2.0], dtype=torch.float64, requires_grad=True)
assert torch.autograd.gradcheck(Swish.apply, x), "The first derivative was right before."
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    right = torch.autograd.gradgradcheck(Swish.apply, x, raise_exception=False)
assert right, "The second derivative is wrong: does backward use a value that depends on x, but has no history?"

# %% Hint
# Save the input. What ``backward`` computes from it is recorded.


# %% Exercise: The inverse of a matrix
# The matrix inverse has the derivative :math:`\bar A = -Y^T \bar Y Y^T`, where :math:`Y` is the output. Write it as a
# Function with NumPy's ``inv`` in ``forward``. It must be right twice.

# %% Starter
import numpy as np

import minigrad as torch


class Inverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, A):
        return torch.from_numpy(np.linalg.inv(A.numpy()))

    @staticmethod
    def backward(ctx, Y_bar):
        ...


# %% Check
A = torch.tensor([[2.0, 1.0, 0.0], [0.5, 3.0, 1.0], [0.0, 0.2, 1.5]], dtype=torch.float64, requires_grad=True)
assert torch.allclose(Inverse.apply(A) @ A, torch.eye(3, dtype=torch.float64)), "This is not the inverse."
(found,) = torch.autograd.grad(Inverse.apply(A)[0, 1], A, allow_unused=True)
assert found is not None, "backward returns no gradient."
assert torch.autograd.gradcheck(Inverse.apply, A), "The first derivative is wrong."
assert torch.autograd.gradgradcheck(Inverse.apply, A), "The second derivative is wrong."

# %% Hint
# An output may be saved; its history is the Function itself, so the second pass comes through it again.


# %% Exercise: An honest refusal
# ``Quick`` saves its slope, so its second derivative would be wrong. Let it raise an error when
# someone asks for one.

# %% Starter
import minigrad as torch


class Quick(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(torch.cos(x))
        return torch.sin(x)

    @staticmethod
    def backward(ctx, y_bar):
        (slope,) = ctx.saved_tensors
        return y_bar * slope


# %% Check
import warnings

x = torch.tensor([0.3, 1.0], dtype=torch.float64, requires_grad=True)
assert torch.autograd.gradcheck(Quick.apply, x), "The first derivative must stay right."
refused = False
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    try:
        (slope,) = torch.autograd.grad((Quick.apply(x) ** 2).sum(), x, create_graph=True)
        torch.autograd.grad((x * slope).sum(), x)
    except RuntimeError:
        refused = True
assert refused, "The second derivative is computed, and it is wrong."

# %% Hint
# There is a decorator for ``backward`` in ``torch.autograd.function``.


# %% Project: 1
# 10 points: 4 for a loss with the penalty, 3 for the number of derivatives, 3 for what the wrong one does. Two: the
# first is in the loss, with ``create_graph=True``, and the second is that of the loss with respect to the parameters.
# So ``gradgradcheck`` is enough here. With ``ThriftyBell`` the loss has the same value, and it falls, because the last
# layer gets the right gradient. But of the penalty's gradient the places of the bells get nothing at all, and that of
# their widths is off by more than half. After the same number of steps the loss is higher than with ``Bell``, by about
# one percent. The usual mistake is to conclude from the falling loss that the derivative is right, or to leave out
# ``create_graph=True``, which makes the penalty a constant.


# %% Project: 2
# 10 points: 3 for the friction in the loss, 3 for the unknown as one more entry of the parameters, 4 for its value. The
# equation enters with ``p[-1] * velocity``, and the measured angles as a second square in the loss. With four exact
# angles between 0.75 and 3 seconds the friction comes out as 0.2, up to one in a thousand, starting from 0. The angle
# at 3 seconds is -0.882. It needs three derivatives still: that of the loss with respect to the friction is one more
# entry, not one more pass. The usual mistake is to leave out the angles: then any friction solves the equation, each
# with another curve, and it stays where it began or goes astray.


# %% Project: 3
# 10 points: 6 for the Function, 2 for its sign, 2 for a check with ``gradgradcheck``. The :math:`n`-th derivative is
# :math:`(-1)^n` times the polynomial times the bell. At 1 the second is 0, the third 1.2131 and the sixth 9.7045.
