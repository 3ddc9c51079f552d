"""Exercises of "Find a nan"."""

# %% Exercise: An entropy without a nan
# The entropy of a distribution is :math:`-\sum p \log p`, where a term with :math:`p = 0` counts as 0. Write it so
# that neither value nor gradient is ``nan`` for ``p = [1, 0]``. Where p is 0, let the gradient be 0.

# %% Starter
import minigrad as torch


def entropy(p):
    return -(p * p.log()).sum()


# %% Check
p = torch.tensor([0.5, 0.25, 0.25], dtype=torch.float64, requires_grad=True)
assert torch.allclose(entropy(p), -(p * p.log()).sum()), "For positive probabilities it is the usual sum."
assert torch.autograd.gradcheck(entropy, p), "For positive probabilities the gradient is the usual one."
p = torch.tensor([1.0, 0.0], dtype=torch.float64, requires_grad=True)
value = entropy(p)
assert value == 0, f"The entropy of a certainty is 0, not {value.item()}."
value.backward()
assert not p.grad.isnan().any(), "The gradient is nan: which branch of a where is computed, even if it is not taken?"
assert p.grad.isfinite().all() and p.grad[1] == 0, f"The gradient is {p.grad.tolist()}."

# %% Hint
# ``torch.where(p > 0, p * p.log(), 0)`` cures the value only. Give the logarithm something positive first.


# %% Exercise: A column that never changes
# ``standardize(x)`` subtracts from each column its mean and divides by its standard deviation. A constant column
# becomes ``nan``. Let it become 0, with the gradient 0, and leave all other columns exact.

# %% Starter
import minigrad as torch


def standardize(x):
    return (x - x.mean(0)) / x.std(0)


# %% Check
x = torch.tensor([[1.0, 5.0], [2.0, 5.0], [4.0, 5.0]], dtype=torch.float64, requires_grad=True)
y = standardize(x)
wanted = (x[:, 0] - x[:, 0].mean()) / x[:, 0].std()
assert torch.allclose(y[:, 0], wanted, atol=1e-12), "The first column must be exact: no small number in the divisor."
assert y[:, 1].tolist() == [0, 0, 0], f"The constant column becomes {y[:, 1].tolist()}."
weights = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], dtype=torch.float64)
found, = torch.autograd.grad((y * weights).sum(), x)
right, = torch.autograd.grad((wanted * weights[:, 0]).sum(), x)
assert not found.isnan().any(), "The gradient is nan: the root of a variance of 0 has an infinite slope."
assert torch.allclose(found[:, 0], right[:, 0]), "The gradient of the first column is wrong."
assert found[:, 1].tolist() == [0, 0, 0], "The gradient of the constant column is 0."

# %% Hint
# ``x.var(0)`` is 0 for a constant column. Replace that 0 by 1 *before* the root is taken. That makes the
# column 0; its gradient is 0 only if a second ``where``, outside, chooses 0 for the column.


# %% Exercise: A sum of exponentials
# Write ``log_sum_exp(x)``, :math:`\log \sum_i e^{x_i}` of a vector, so that it neither overflows for large numbers
# nor gives ``nan`` for minus infinity, and so that its gradient is the softmax.

# %% Starter
import minigrad as torch


def log_sum_exp(x):
    return x.exp().sum().log()


# %% Check
for numbers in ([1.0, 2.0, 3.0], [1000.0, 1001.0], [-1000.0, -1001.0], [0.0, float("-inf")]):
    x = torch.tensor(numbers, dtype=torch.float64, requires_grad=True)
    value = log_sum_exp(x)
    assert torch.allclose(value, torch.logsumexp(x, 0)), f"For {numbers} it is {torch.logsumexp(x, 0).item():.4f}."
    value.backward()
    assert torch.allclose(x.grad, torch.softmax(x, 0)), f"For {numbers} the gradient is {x.grad.tolist()}."

# %% Hint
# Subtract the largest number first, and add it again at the end. It may be detached: it cancels.


# %% Project: 1
# 10 points: 4 for the first answer, 6 for the second. Only the root of exactly 0 has an infinite derivative, and from
# ``[0.1, 0.1]`` the descent never comes nearer to a beacon than 0.14. After 60 steps it is at the phone, up to one in a
# million. A guess on the line between two beacons is not special either: these two pull along the line, but the third
# pulls away from it, and the descent from ``[2, 0]`` also ends at the phone. With two beacons only it would stay on
# their line for ever, without a ``nan``, at a loss that is not 0. The usual mistake is to expect a ``nan`` there, or to
# call ``[0.1, 0.1]`` safe because it is "far enough": ``1e-9`` works too, and ``1e-200``, whose square is rounded to 0,
# does not.


# %% Project: 2
# 10 points: 3 for the line, printed once and with the number of the step, 4 for the sources, 3 for what it does not
# tell. All four sources make the gradient of the last leaf ``nan``, so the line finds all of them: the root at 0, the
# branch not taken, the logarithm of 0 and the overflow. What it does not know is which operation made the first
# ``nan``, on which line of the forward pass, and whether the forward or the backward pass is to blame; anomaly mode
# names all three. It also prints nothing if the ``nan`` was replaced on the way. The usual mistake is ``gradient ==
# float("nan")``, which is never true; ``isnan().any()`` is right.
