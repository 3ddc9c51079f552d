"""Exercises of "The table at every order"."""

# %% Exercise: Sine and cosine together
# Write ``sin_and_cos(x)``, which takes the coefficients of a series as a list of numbers, and returns two lists of the
# same length: the coefficients of its sine, and of its cosine. Use numbers only.

# %% Starter
import math


def sin_and_cos(x):
    return ...


# %% Check
import minigrad as torch

for x in ([0.0, 1.0, 0.0, 0.0, 0.0], [0.5, -1.0, 2.0, 0.25], [1.0]):
    found = sin_and_cos(x)
    assert isinstance(found, tuple) and len(found) == 2, "It must return two lists, the sine and the cosine."
    for name, function, terms in zip(("sine", "cosine"), (torch.sin, torch.cos), found):
        assert isinstance(terms, list) and len(terms) == len(x), f"The {name} must be a list as long as x."
        assert all(isinstance(each, float) for each in terms), f"The {name} must be a list of numbers of Python."
        numbers = [torch.tensor(each, dtype=torch.float64) for each in x]
        value, rest = torch.func.jet(function, (numbers[0],), (tuple(numbers[1:]),), factorial_scaled=False)
        for k, (mine, true) in enumerate(zip(terms, (value, *rest))):
            true = true.item()
            assert abs(mine + true) > 1e-12 or abs(mine) < 1e-12, f"{name}: the coefficient {k} has another sign."
            assert abs(mine - true) < 1e-12, f"{name}: the coefficient {k} is {mine:.4f}, not {true:.4f}."

# %% Hint
# With :math:`s = \sin x` and :math:`c = \cos x` the rows say :math:`s' = x' c` and :math:`c' = -x' s`.

# %% Hint
# Compute both coefficients k before you go on to :math:`k + 1`: each needs those of the other below k.


# %% Exercise: A mixed derivative
# ``mixed(f, x, v, w)`` returns :math:`v^{\mathsf T} H w`, where H is the Hessian of ``f`` at ``x``. Use ``taylor`` and
# nothing else that differentiates.

# %% Starter
import minigrad as torch
from minigrad.func import taylor


def mixed(f, x, v, w):
    return ...


# %% Check
torch.manual_seed(0)
functions = [lambda x: (x[0] * x[1]).exp(), lambda x: torch.sin(x).prod(), lambda x: (x ** 3).sum() * x[0]]
for f in functions:
    x, v, w = torch.rand(3, 4, dtype=torch.float64)
    H = torch.func.hessian(f)(x)
    found = mixed(f, x, v, w)
    assert isinstance(found, torch.Tensor) and found.ndim == 0, "It must return a tensor with one number."
    assert not torch.allclose(found, 2 * v @ H @ w), "This is twice the mixed derivative: it occurs on both sides."
    assert not torch.allclose(found, (v + w) @ H @ (v + w)), "The derivatives along v and along w are still in it."
    assert torch.allclose(found, v @ H @ w), f"It is {(v @ H @ w).item():.4f}, not {found.item():.4f}."

# %% Hint
# The second derivative along :math:`v + w` has four terms, two of which are equal.


# %% Exercise: A step of a differential equation
# ``step(f, y, h, order)`` returns the state a time ``h`` after the state ``y``, for the equation :math:`y' = f(y)`, by
# the Taylor series of the solution up to the power ``order`` of h.

# %% Starter
import minigrad as torch
from minigrad.func import jet


def step(f, y, h, order):
    return ...


# %% Check
turning = lambda y: torch.stack([-y[1], y[0]])
y = torch.tensor([1.0, 0.0], dtype=torch.float64)
first = step(turning, y, 0.1, 1)
assert isinstance(first, torch.Tensor) and first.shape == (2,), "It must return a tensor like y."
assert torch.allclose(first, y + 0.1 * turning(y)), "With order 1 it is y + h f(y)."
second = step(turning, y, 0.1, 2)
assert not torch.allclose(second, torch.tensor([0.99, 0.1], dtype=torch.float64)), (
    "The term of the second power is a derivative, and must be divided by 2.")
assert torch.allclose(second, torch.tensor([0.995, 0.1], dtype=torch.float64)), "With order 2 it is wrong."
growing = lambda y: y * (1 - y)
start = torch.tensor([0.2], dtype=torch.float64)
for function, begin in (turning, y), (growing, start):
    found = step(function, begin, 0.5, 12)
    by_small_steps = begin
    for _ in range(16):
        by_small_steps = step(function, by_small_steps, 0.5 / 16, 12)
    assert torch.allclose(found, by_small_steps, atol=1e-7), "One step of order 12 and sixteen small ones differ."
exact = 1 / (1 + 4 * torch.exp(torch.tensor(-0.5, dtype=torch.float64)))
assert abs(step(growing, start, 0.5, 12).item() - exact.item()) < 1e-8, "y' = y (1 - y) is not solved."

# %% Hint
# The coefficient :math:`k + 1` of y is that of k of :math:`f(y)`, divided by :math:`k + 1`. ``jet`` has it, if it is
# given those of y up to k.

# %% Hint
# In ``jet(f, (y,), (terms,), factorial_scaled=False)`` the tuple ``terms`` begins with the first coefficient, and y
# itself is the zeroth.


# %% Project: 1
# 10 points: 4 for the steps, 3 for the energy, 3 for what the sizes show.
#
# With a tolerance of :math:`10^{-16}`, ``h = (1e-16 / terms[-1].norm()) ** (1 / order)``. For a swing of one radian the
# steps change by less than a factor of two: the nearest singularity, at a complex time, is about as far away from all
# points of the swing. The energy is off by less than :math:`10^{-13}`.
#
# The usual mistake: to use the last term alone. At a turning point, half of the terms of each coordinate are zero by
# symmetry, and the last one may be; then the step would be far too long. The smaller step of the last two is safe.


# %% Project: 2
# 10 points: 5 for the counts, 3 for the comparison with a square, 2 for the crossing.
#
# The number of operations has constant second differences: it is a square, plus a multiple of the order. Up to order 2
# both ways are the same; from order 3 on ``taylor`` needs fewer, and at order 5 less than half as many.
#
# The usual mistake: to take the time instead, which is that of Python for small tensors.
