"""Exercises of "Gradients of one expression"."""

# %% Exercise: A power of itself
# Differentiate :math:`f(x) = x^x` by hand, and write the derivative as a function of a Python number. How many paths
# lead from :math:`x` to the result? The check asks ``backward``.

# %% Starter
import math


def slope(x):
    return ...


# %% Check
import minigrad as torch

for number in (0.5, 1.0, 2.0):
    x = torch.tensor(number, dtype=torch.float64, requires_grad=True)
    (x ** x).backward()
    answer = slope(number)
    assert isinstance(answer, float), "slope(x) must return a number."
    assert abs(answer - number * number ** (number - 1)) > 1e-6 or number == 1.0, \
        "This is the path through the base alone; the exponent depends on x too."
    assert abs(answer - x.grad.item()) < 1e-6, f"At {number} it is {x.grad.item():.6f}, and yours is {answer:.6f}."

# %% Hint
# Write the two places of :math:`x` as two variables, :math:`a^b` with :math:`a = b = x`, and add up the two partial
# derivatives.

# %% Hint
# The derivative of :math:`a^b` with respect to :math:`b` is :math:`a^b \ln a`.


# %% Exercise: What a metre of height is worth
# A ball that starts :math:`h` metres above the ground flies
#
# .. math:: R = \frac{v \cos\theta}{g} \left(v \sin\theta + \sqrt{v^2 \sin^2\theta + 2 g h}\right).
#
# Write ``range_from(v, theta, h)`` with tensors, :math:`g = 9.81`, and ``worth(v, theta, h)``: by how much
# :math:`R` grows per metre of height, as a Python number. Let ``backward`` do the work.

# %% Starter
import minigrad as torch


def range_from(v, theta, h):
    return ...


def worth(v, theta, h):
    return ...


# %% Check
v, theta, h = (torch.tensor(number, dtype=torch.float64) for number in (9.0, 0.7, 1.5))
flown = range_from(v, theta, h)
assert isinstance(flown, torch.Tensor), "range_from must return a tensor: use torch.sin, not math.sin."
assert abs(flown.item() - 9.6399) < 1e-3, f"The ball flies 9.640 m, and yours {flown.item():.3f} m."
nearly = (range_from(v, theta, h + 1e-6) - range_from(v, theta, h - 1e-6)).item() / 2e-6
for attempt in (worth(9.0, 0.7, 1.5), worth(9.0, 0.7, 1.5)):
    assert isinstance(attempt, float), f"worth must return a number of Python, not {attempt}: use .item()."
    assert abs(attempt - nearly) < 1e-4, f"A difference gives {nearly:.4f}, and worth gives {attempt:.4f}."

# %% Hint
# Only :math:`h` has to require a gradient, and ``h.grad`` is what is asked for.


# %% Exercise: Which of them is a leaf?
# Four tensors are made from ``x``, which requires a gradient. Say of each whether it is a leaf, True or False, before
# you run the check.

# %% Starter
leaves = {"x": ..., "2 * x": ..., "x.sin()": ..., "torch.tensor(2.0)": ...}

# %% Check
import minigrad as torch

x = torch.tensor(1.0, requires_grad=True)
for name, tensor in {"x": x, "2 * x": 2 * x, "x.sin()": x.sin(), "torch.tensor(2.0)": torch.tensor(2.0)}.items():
    assert isinstance(leaves[name], bool), f"Say True or False of {name}."
    assert leaves[name] == tensor.is_leaf, f"{name}: has a recorded step made it?"

# %% Hint
# A constant that you make has no step before it either. It is a leaf that asks for no gradient.


# %% Project: 1
# 10 points: 4 for the second derivative, with ``create_graph=True``, 3 for Newton steps that update ``theta`` without
# being recorded, 3 for the comparison with the formula. From 0.6 the angle is :math:`\pi / 4 = 0.785398` after two
# steps, up to one in a million.


# %% Project: 2
# 6 points: 2 for each of the three answers with its reason. ``backward`` gives 0 for ``abs``, one slope of many that
# would do; central differences give 0 too, those to one side 1 and -1. ``sqrt(x * x)`` gives ``nan``: an infinite slope
# times 0.
