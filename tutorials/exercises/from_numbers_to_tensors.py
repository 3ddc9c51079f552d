"""Exercises of "From numbers to tensors"."""

# %% Exercise: Weights on the left
# Some books write a layer as ``z = W @ x``, with a column of ``x`` for each sample. Return the gradients of ``W`` and
# ``x`` for a given gradient ``z_bar`` of ``z``. Use no autograd.

# %% Starter
import minigrad as torch


def gradients(W, x, z_bar):
    return ..., ...


# %% Check
from minigrad.teaching import without_autograd

W = torch.randn(2, 3, requires_grad=True)
x = torch.randn(3, 4, requires_grad=True)
z_bar = torch.randn(2, 4)
wanted = torch.autograd.grad((W @ x * z_bar).sum(), (W, x))
with without_autograd():
    answers = gradients(W.detach(), x.detach(), z_bar)
for name, answer, right in zip("Wx", answers, wanted):
    assert isinstance(answer, torch.Tensor), f"The gradient of {name} is a tensor."
    assert answer.shape == right.shape, f"The gradient of {name} has the shape of {name}, {list(right.shape)}."
    assert torch.allclose(answer, right), f"The shape fits, the numbers of the gradient of {name} do not."

# %% Hint
# Where is the entry ``W[i, k]`` used? Over which index does the sum run, and is it the first or the second of each
# factor?


# %% Exercise: A factor for each row
# ``y = s * x + b``, where ``x`` has shape (n, m), ``s`` (n, 1) and ``b`` (m,). Return the gradients of ``s`` and ``b``
# for a given gradient ``y_bar`` of ``y``. Use no autograd.

# %% Starter
import minigrad as torch


def gradients(s, x, b, y_bar):
    return ..., ...


# %% Check
from minigrad.teaching import without_autograd

s = torch.randn(4, 1, requires_grad=True)
x = torch.randn(4, 3)
b = torch.randn(3, requires_grad=True)
y_bar = torch.randn(4, 3)
wanted = torch.autograd.grad(((s * x + b) * y_bar).sum(), (s, b))
with without_autograd():
    answers = gradients(s.detach(), x, b.detach(), y_bar)
for name, answer, right in zip("sb", answers, wanted):
    assert isinstance(answer, torch.Tensor), f"The gradient of {name} is a tensor."
    assert answer.shape == right.shape, f"The gradient of {name} has the shape of {name}, {list(right.shape)}."
    assert torch.allclose(answer, right), f"Each use of an entry of {name} has a factor of its own. Which one?"

# %% Hint
# ``s[i, 0]`` is used once for each column, with the factor ``x[i, j]``. ``sum`` takes ``keepdim=True``.


# %% Exercise: The softmax by itself
# Without the logarithm behind it the softmax has a less simple gradient. First find how ``p[j]`` changes with ``z[j]``,
# and how with another ``z[k]``. Then return the gradient of one row ``z``, for a given gradient ``p_bar`` of its
# softmax. Use no autograd, and do not make a matrix.

# %% Starter
import minigrad as torch


def gradient(z, p_bar):
    return ...


# %% Check
from minigrad.teaching import without_autograd

for n in 2, 5:
    z = torch.randn(n, requires_grad=True)
    p_bar = torch.randn(n)
    (right,) = torch.autograd.grad((z.softmax(0) * p_bar).sum(), z)
    with without_autograd():
        answer = gradient(z.detach(), p_bar)
    assert isinstance(answer, torch.Tensor) and answer.shape == z.shape, "The gradient has the shape of z."
    assert abs(answer.sum().item()) < 1e-5, "If all scores grow by the same, nothing changes. So what is the sum?"
    assert torch.allclose(answer, right, atol=1e-6), "How does each probability depend on its own score, and on others?"

# %% Hint
# ``p[j] = exp(z[j]) / s``, where ``s`` is the sum of all powers. By the quotient rule ``p[j]`` changes with ``z[j]`` at
# the rate ``p[j] * (1 - p[j])``. Another ``z[k]`` is in ``s`` alone: at which rate?

# %% Hint
# The derivative of ``p[j]`` with respect to ``z[k]`` is ``p[j] * ((j == k) - p[k])``. Multiply by ``p_bar[j]``, and add
# over ``j``: what stays outside the sum?


# %% Project: 1
# 10 points: 2 for each of the three, 4 for what they have in common. For ``torch.outer(u, v)``, where ``u[i]`` is used
# in row ``i``, ``u_bar = z_bar @ v`` and ``v_bar = z_bar.T @ u``. For ``M @ v``, ``M_bar = torch.outer(y_bar, v)`` and
# ``v_bar = M.T @ y_bar``. For ``u @ v``, ``u_bar = s_bar * v`` and ``v_bar = s_bar * u``. All three are products of
# matrices, with a vector as a matrix of one column or one row: (n, 1) by (1, m), (n, m) by (m, 1) and (1, n) by (n, 1).
# The usual mistake is ``M.T @ y_bar`` without the transpose, which has the right shape for a square ``M``.


# %% Project: 2
# 10 points: 4 for the gradient, 3 for the equation, 3 for a check with numbers. The gradient is ``2 / y.numel() * x.T @
# (x @ W - y)``. It is zero where ``x.T @ x @ W = x.T @ y``: the *normal equations* of least squares, one set of linear
# equations for each column of ``W``. ``torch.linalg.solve`` gives the same ``W`` as ``torch.linalg.lstsq``, and the
# gradient there is 0 up to rounding, below 1e-12. The usual mistake is to cancel ``x.T`` on both sides: it is not
# square, and ``x @ W = y`` has no solution if there are more samples than features.
