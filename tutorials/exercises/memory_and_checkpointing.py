"""Exercises of "Memory and checkpointing"."""

# %% Exercise: The best segment
# Writing a checkpoint to a disk costs memory of 0.1 states, and a state of the running segment costs 1. For a chain
# of ``n`` steps return the length ``k`` of segments for which ``0.1 * ceil(n / k) + k`` is smallest; if several are,
# the smallest ``k``.

# %% Starter
def best_segment(n):
    return ...


# %% Check
import math

for n in (1, 10, 22, 100, 125, 1000, 5000):
    costs = {k: 0.1 * math.ceil(n / k) + k for k in range(1, n + 1)}
    wanted = min(costs, key=lambda k: (round(costs[k], 9), k))
    answer = best_segment(n)
    assert isinstance(answer, int), "Return an integer."
    assert answer == wanted, f"For {n} steps it is {wanted}, not {answer}: near the root of 0.1 n."

# %% Hint
# The derivative gives :math:`\sqrt{0.1 n}`; the rounding upward makes it bumpy, so look at the neighbours, or at all.


# %% Exercise: A checkpoint of your own
# Write ``Checkpoint`` as a ``Function``: ``Checkpoint.apply(function, x)`` computes ``function(x)`` without keeping
# what happens inside, and computes it again in ``backward``.

# %% Starter
import minigrad as torch


class Checkpoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, function, x):
        ...

    @staticmethod
    def backward(ctx, grad):
        return None, grad


# %% Check
calls = []


def function(x):
    calls.append(torch.is_grad_enabled())
    return torch.sin(x) * torch.exp(x)


x = torch.tensor([0.3, 0.7], dtype=torch.float64, requires_grad=True)
y = Checkpoint.apply(function, x)
assert isinstance(y, torch.Tensor) and torch.allclose(y, function(x)), "The value is wrong."
calls.clear()
y = Checkpoint.apply(function, x)
assert calls == [False], "Forward runs the function once, without recording."
(found,) = torch.autograd.grad(y.sum(), x)
assert calls == [False, True], "Backward runs it once more, recording."
assert torch.allclose(found, torch.autograd.grad(function(x).sum(), x)[0]), "The gradient is wrong."

# %% Hint
# In ``backward``: ``x.detach().requires_grad_()``, then ``torch.enable_grad()``, then ``torch.autograd.grad``.


# %% Exercise: How many times?
# For a chain of ``n`` steps and ``s`` checkpoints, return the least ``r`` for which no step has to run forward more
# than ``r`` times.

# %% Starter
def runs(n, s):
    return ...


# %% Check
assert runs(1, 5) == 0, "A chain of one step is differentiated from its first state: no step need run."
assert runs(6, 5) == 1, "With five checkpoints and one run each: 6 steps."
assert runs(7, 5) == 2, "Seven steps are one too many for five checkpoints and one run."
assert runs(1000, 10) == 4, "With ten checkpoints: four times."
assert runs(10**6, 20) == 8, "A million steps with twenty checkpoints: eight times."

# %% Hint
# ``math.comb(s + r, s)`` is the longest chain for ``r``.


# %% Project: 1
# 10 points: 6 for the schedule, 4 for the counts. The first checkpoint comes after :math:`\binom{s + r - 1}{s}` steps:
# the steps before it are run once more, and with all checkpoints, so they are a task for :math:`r - 1` runs; those
# after it have one checkpoint less. The two add up to :math:`\binom{s + r}{s}`: 20 steps with three of each, after the
# first 10.


# %% Project: 2
# 10 points: 4 for the step and its inverse, 4 for the gradient from the last state alone, 2 for the rounding.
#
# Leapfrog with the speed turned round is its own inverse. So the backward pass holds one state and one gradient: it
# computes the state before, and pulls the gradient back through that one step. For a pendulum with the acceleration
# :math:`\cos x` and 1000 steps the result is the gradient of ``backward``, up to :math:`10^{-13}` in double precision
# and :math:`10^{-4}` in single: an inverse step does not quite lead to the state that was there, and the errors add up.
# A friction of 10 % in each step shows the limit. All starts end in the same rest, its inverse divides the speed by 0.9
# and so enlarges every rounding error again and again, and after 1000 steps nothing is left of the start.
#
# The usual mistake: the update of Euler, ``x + h * v, v + h * f(x)``, whose inverse has to solve an equation.
