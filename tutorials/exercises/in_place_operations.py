"""Exercises of "In-place operations"."""

# %% Exercise: What survives?
# For each operation, say whether the backward pass survives a write to its argument, and a write to its result.

# %% Starter
survives = {            # (argument, result)
    "tanh": (..., ...),
    "cos": (..., ...),
    "reciprocal": (..., ...),
    "sigmoid": (..., ...),
    "neg": (..., ...),
}


# %% Check
import minigrad as torch


def really_survives(operation, which):
    argument = torch.tensor([0.5, 1.5], dtype=torch.float64, requires_grad=True) + 1
    result = operation(argument)
    (argument, result)[which].mul_(2)
    try:
        result.sum().backward()
    except RuntimeError:
        return False
    return True


names = ["cos", "neg", "reciprocal", "sigmoid", "tanh"]
assert sorted(survives) == names, f"Answer for each of {', '.join(names)}."
for name, answers in survives.items():
    for which, place in enumerate(("argument", "result")):
        assert isinstance(answers[which], bool), f"{name}: answer True or False for the {place}."
        right = really_survives(getattr(torch, name), which)
        assert answers[which] == right, f"{name}: think again about a write to its {place}. What is its derivative?"

# %% Hint
# Write the derivative of each in terms of the argument, and in terms of the result. The operation keeps one of the
# two.


# %% Exercise: A normalization that cannot be differentiated
# ``normalize`` divides each row by its length and a little more, and adds a bias. ``backward`` raises an error.
# Two lines write in place, and one of them is innocent. Find the other one, and cure it.

# %% Starter
import minigrad as torch


def normalize(x, bias):
    squares = x * x
    length = squares.sum(1, keepdim=True).sqrt()
    length += 0.1                   # so that no row is divided by 0
    y = x / length
    y += bias
    return y


# %% Check
x = torch.randn(3, 4, dtype=torch.float64, requires_grad=True)
bias = torch.randn(4, dtype=torch.float64, requires_grad=True)
wanted = x / (x.norm(dim=1, keepdim=True) + 0.1) + bias
assert torch.allclose(normalize(x, bias), wanted), "The values must stay the same."
try:
    normalize(x, bias).sum().backward()
except RuntimeError as problem:
    raise AssertionError(f"backward says: {str(problem)[:90]} ...") from None
assert torch.autograd.gradcheck(normalize, (x, bias)), "The gradient is wrong."

# %% Hint
# The square root keeps its result, and the division what it divides by. Which line writes to one of them afterwards?


# %% Exercise: A guard
# Write a block ``unchanged(*tensors)`` that raises ``RuntimeError`` at its end if one of the tensors was written to
# inside. It need not notice writes through ``.data`` and NumPy.

# %% Starter
import contextlib


@contextlib.contextmanager
def unchanged(*tensors):
    yield


# %% Check
import minigrad as torch

a, b = torch.zeros(3), torch.ones(3)
with unchanged(a, b):
    c = a + b
    c.add_(1)
for write in (lambda: a.add_(1), lambda: b[1:].zero_(), lambda: b.detach().mul_(2), lambda: a.mul_(1)):
    noticed = False
    try:
        with unchanged(a, b):
            write()
    except RuntimeError:
        noticed = True
    assert noticed, ("A write went unnoticed. Views and detached tensors share the version, and a write that changes "
                     "no number counts, too.")
try:
    with unchanged(a):
        raise KeyError("of the block itself")
except KeyError:
    pass
except RuntimeError:
    raise AssertionError("An error of the block itself must pass.") from None

# %% Hint
# ``tensor._version`` before and after.


# %% Project: 1
# 8 points: 3 for the function, 3 for the two numbers, 2 for the reason. For a million numbers in single precision the
# graph holds 4 MB: ``exp`` has saved its result, ``log1p`` its operand, and that is the same memory. With the first
# cure it is 8.


# %% Project: 2
# 10 points: 4 for the break, 3 for the numbers, 3 for a way to find it. Write the step as ``weight.data -= 0.1 *
# weight.grad`` and put it between the two passes. With the data of this page ``weight.grad`` should be 24 + 48 = 72.
# The step makes the weight -0.4, the second pass multiplies by that in place of 2, and the sum is 14.4; the version of
# the weight is 0 before and after. In someone else's program: measure the gradient, or compare it with that of a fresh
# graph, and search for ``.data`` and ``.numpy()``. The usual mistake is a break that is caught, such as ``detach()``,
# which shares the version.


# %% Project: 3
# 10 points: 5 for the reason, 5 for a program. At the write nobody knows whether a backward pass will come, and through
# which nodes. In ``loss = (3 * w + h).sum()`` with ``h = torch.exp(x)``, a write to ``h`` destroys what the exponential
# has kept. The gradient of ``w`` is right all the same, since no path from the loss to ``w`` leads through that node;
# only a pass to ``x`` raises. A graph that is let go of without a pass is the simplest case. The usual mistake is a
# write that destroys nothing kept, such as one to the result of a sine.
