"""Exercises of "Why backwards?"."""

# %% Exercise: How many passes?
# A function has ``inputs`` inputs and ``outputs`` results. Write down how many times it must be evaluated, or gone
# through backwards, for all derivatives of all results: with central differences, and with backward passes.

# %% Starter
def by_differences(inputs, outputs):
    return ...


def by_backward_passes(inputs, outputs):
    return ...


# %% Check
for inputs, outputs in ((1, 1), (1000, 1), (3, 1000)):
    answer = by_differences(inputs, outputs)
    assert answer == 2 * inputs, f"Two evaluations show what one input does to all results; yours is {answer}."
    answer = by_backward_passes(inputs, outputs)
    assert answer == outputs, f"One backward pass shows what all inputs do to one result; yours is {answer}."

# %% Hint
# A difference changes one input, and all results can be read off. A backward pass starts from one result, and reaches
# all inputs.


# %% Exercise: Forwards, by hand
# Go through :math:`y = \sin(x_1 x_2)` forwards: ``forwards(x1, x2, d1, d2)`` returns the value, and how fast it changes
# if ``x1`` changes at the rate ``d1`` and ``x2`` at the rate ``d2``. Everything is a Python number.

# %% Starter
import math


def forwards(x1, x2, d1, d2):
    return ..., ...


# %% Check
import minigrad as torch

for x1, x2 in ((0.5, 2.0), (-1.0, 0.3)):
    a, b = (torch.tensor(number, dtype=torch.float64, requires_grad=True) for number in (x1, x2))
    y = torch.sin(a * b)
    y.backward()
    for d1, d2 in ((1.0, 0.0), (0.0, 1.0), (2.0, -3.0)):
        value, rate = forwards(x1, x2, d1, d2)
        assert abs(value - y.item()) < 1e-12, f"The value is {y.item():.6f}, not {value:.6f}."
        wanted = d1 * a.grad.item() + d2 * b.grad.item()
        assert abs(rate - wanted) < 1e-12, f"At the rates {d1} and {d2} it changes by {wanted:.6f}, not by {rate:.6f}."

# %% Hint
# The product changes at the rate ``d1 * x2 + x1 * d2``. What does the sine make of a rate?


# %% Exercise: A judge
# Write ``check(f, *inputs)``: it returns True if the gradient that ``torch.autograd.grad`` gives of the scalar
# ``f(*inputs)`` agrees with central differences for every element of every input, to one part in ten thousand.

# %% Starter
import minigrad as torch


def check(f, *inputs):
    return ...


# %% Check
def wrong(x):
    """The square, by way of a constant for all elements but the first: their gradient is half of what it should be."""
    half = torch.cat([x[:1], torch.tensor(x[1:].tolist(), dtype=x.dtype)])
    return x * half


a = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)
b = torch.tensor([0.5, -1.0, 2.0], dtype=torch.float64, requires_grad=True)
assert check(lambda a, b: (a * b).sin().sum(), a, b) is True, "This gradient is right."
assert check(lambda a, b: (wrong(a) * b).sum(), a, b) is False, "The gradient of the first input is wrong."
assert check(lambda a, b: (a * wrong(b)).sum(), a, b) is False, "The gradient of the second input is wrong."
assert check(lambda a, b: (torch.cat([a[:1].detach(), a[1:]]) * b).sum(), a, b) is False, (
    "The gradient of the first element is wrong.")
assert check(lambda a, b: ((a + 0.001 * a.detach()) * b).sum(), a, b) is False, "It is off by one part in a thousand."


def exchanged(a, b):
    moved = (a - a.detach()) * b.detach().flip(0) + (b - b.detach()) * a.detach()
    return (a.detach() * b.detach() + moved).sum()


assert check(exchanged, a, b) is False, "The sum of the gradient is right, its elements are not."
assert a.tolist() == [1.0, 2.0, 3.0] and a.grad is None, "check must leave its inputs as they were."

# %% Hint
# Go over the elements by their number: ``step = torch.zeros_like(x)``, ``step.view(-1)[i] = 1e-6``. (``view(-1)`` is
# the same memory as one row, whatever the shape of ``step``.)

# %% Hint
# The evaluations for the differences need no graph: put them under ``torch.no_grad()``.


# %% Project: 1
# 10 points: 4 for the picture with both valleys, 3 for the step, 3 for the digits and the reason. To the right the
# one-sided difference falls as :math:`h`, not :math:`h^2`; to the left both rise as :math:`1/h`, because the rounding
# is the same. So its best step is smaller, near :math:`\sqrt{10^{-16}} = 10^{-8}`, and it has about 8 digits; the
# central difference has 10 or more at :math:`10^{-5}`, near :math:`\sqrt[3]{10^{-16}}`. The usual mistake is to read
# the best step off the single lowest point: on the left the errors jump by a factor of ten, so look at the upper edge
# of the dots.


# %% Project: 2
# 10 points: 3 for fair times (the best of several, after a first run that does not count), 3 for a picture with both
# axes logarithmic, 4 for what it says. Both times grow in proportion to the number of inputs, with a constant part that
# can be seen below ten thousand: a million inputs take 300 to 2,000 times as long as a thousand. With ``backward`` it
# takes 2 to 8 times as long as without, and this factor does not depend much on the number of inputs, which is the
# point: a thousand or a million derivatives cost a few evaluations. The usual mistake is to leave the recording on in
# the run that is meant to be without, or to time the first call.
