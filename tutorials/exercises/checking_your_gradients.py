"""Exercises of "Checking your gradients"."""

# %% Exercise: A difference of fourth order
# Measure the derivative of a function of one number with four values, :math:`f(x \pm h)` and :math:`f(x \pm 2h)`,
# weighted so that the error is proportional to :math:`h^4`.

# %% Starter
def measure(f, x, h):
    return (f(x + h) - f(x - h)) / (2 * h)


# %% Check
import math

calls = []


def f(x):
    calls.append(x)
    return math.exp(math.sin(x))


true = math.exp(math.sin(1)) * math.cos(1)
errors = [abs(measure(f, 1.0, h) - true) for h in (0.1, 0.01)]
assert len(calls) <= 8, "Four values are enough for each measurement."
order = math.log10(errors[0] / errors[1])
assert order > 3.5, f"With a tenth of the step, the error falls by 10 to the power {order:.1f}; it should be 4."

# %% Hint
# The central difference with ``h`` has the error :math:`c h^2 + \ldots`, the one with ``2h`` has :math:`4 c h^2 +
# \ldots`. Which combination of the two has no :math:`h^2` left?


# %% Exercise: One number instead of a table
# ``fast_check(function, x, backward)`` compares two ways to compute :math:`v^T J u` for random vectors ``u`` and
# ``v``: by a central difference in the direction ``u``, and by ``backward(v)``, which returns :math:`J^T v`. Call
# ``function`` twice, no more. Return a ``bool``, ``True`` if they agree to one part in ten thousand. (A comparison of
# tensors is a tensor: ``.item()`` makes it a ``bool``.)

# %% Starter
import minigrad as torch


def fast_check(function, x, backward):
    return ...


# %% Check
torch.manual_seed(0)
A = torch.randn(4, 6, dtype=torch.float64)
x = torch.randn(6, dtype=torch.float64)
calls = []


def function(x):
    calls.append(1)
    return torch.tanh(A @ x)


def right(v):
    return A.T @ (v * (1 - torch.tanh(A @ x) ** 2))


for _ in range(5):
    assert fast_check(function, x, right) is True, "This backward is right."
assert len(calls) <= 10, "Two calls of the function are enough for each check."
assert fast_check(function, x, lambda v: 1.01 * right(v)) is False, "This backward is wrong by one percent."
assert fast_check(function, x, lambda v: A.T @ v) is False, "This backward forgets the derivative of tanh."
assert fast_check(function, x, lambda v: right(v).flip(0)) is False, "This backward exchanges entries."

# %% Hint
# ``(v * (above - below)).sum() / (2 * h)`` is one side, ``(backward(v) * u).sum()`` is the other.


# %% Exercise: Softmax as a Function
# Write the softmax of the rows of a matrix as a ``Function``. It must pass ``gradcheck`` and ``gradgradcheck``.

# %% Starter
import minigrad as torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.softmax(x, 1)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, y_bar):
        y, = ctx.saved_tensors
        return y_bar * y


# %% Check
torch.manual_seed(0)
x = torch.randn(2, 3, dtype=torch.float64, requires_grad=True)
found, = torch.autograd.grad((Softmax.apply(x) * torch.arange(3.0)).sum(), x)
assert torch.allclose(found.sum(1), torch.zeros(2, dtype=torch.float64)), \
    "Adding a number to a whole row changes nothing, so the gradient of each row must sum to 0."
try:
    torch.autograd.gradcheck(Softmax.apply, x)
except RuntimeError as problem:
    raise AssertionError(f"gradcheck says: {problem}") from None
assert torch.autograd.gradgradcheck(Softmax.apply, x), "The second derivatives are wrong."

# %% Hint
# The derivative is the linear map :math:`h \mapsto y\,(h - \langle y, h \rangle)` for each row. What is its
# transpose?


# %% Project: 1
# 10 points: 4 for the picture, 2 for the wall that moves, 4 for the derivation. The error of the formula grows with the
# third derivative, so this wall moves to smaller steps, and that of rounding stays. The sum is smallest where :math:`2
# c h = u / h^2`, at :math:`h = \sqrt[3]{u / 2c}`. With :math:`c` a sixth of the third derivative, which is up to
# :math:`100^3`, and :math:`u` about :math:`10^{-16}` the best step is about :math:`10^{-7}`; for :math:`\sin x` it is a
# hundred times as large.


# %% Project: 2
# 10 points: 4 for a mistake without a cause, 4 for one with a wrong cause, 2 for the reason. The derivative of ``x *
# x.detach()`` comes out as :math:`x`, and measured it is :math:`2x`. The report says "a constant factor: every entry is
# 0.5 times what it should be", which is true and not the cause: one of two paths is cut. No cause is named if the error
# is different everywhere, as for a sine with the derivative :math:`1 - x^2/2`: right near 0, wrong elsewhere, and no
# single change makes the tables agree. A cause is a guess that fits the numbers. The usual mistake is to plant a
# mistake at points where it does not show.


# %% Project: 3
# 10 points: 5 for one function, 3 for a second of another kind, 2 for the numbers. All those that reach the tensor by
# another way than their argument. A function that also uses the tensor by its name, such as ``lambda a: a * x``, called
# with ``x``: autograd says :math:`2x`, and so does a measurement that writes to ``x``; with moved copies it would be
# :math:`x`. The same goes for two arguments that share memory, of which only one would move, and for a function that
# asks ``a is x``. The usual mistake is a function that is merely random, which is measured wrongly in either way.
