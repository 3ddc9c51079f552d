"""Exercises of "The table itself"."""

# %% Exercise: A row for the bell curve
# Write the two parts of an elementwise row for :math:`e^{-x^2}`: ``kernel(self)``, which gets and returns a NumPy
# array, and ``formula(d, self, result)``, which is made of operations on tensors. The check builds the row.

# %% Starter
import numpy as np


def kernel(self):
    return ...


def formula(d, self, result):
    return ...


# %% Check
import minigrad as torch
from minigrad.ops.exports import ROWS
from minigrad.ops.kinds import elementwise

array = np.array([-1.0, 0.0, 2.0])
assert isinstance(kernel(array), np.ndarray), "kernel must return a NumPy array."
assert np.allclose(kernel(array), np.exp([-1.0, 0.0, -4.0])), "The values are those of exp(-x²)."
ROWS.pop("bell_of_the_exercise", None)      # from an earlier run of this cell
bell = elementwise("bell_of_the_exercise(Tensor self)", kernel, self=formula, promote="float", public=False)
try:
    x = torch.tensor([-1.0, 0.5, 2.0], dtype=torch.float64, requires_grad=True)
    probe = formula(torch.ones_like(x), x.detach(), bell(x).detach())
    assert isinstance(probe, torch.Tensor), "formula must return a tensor."
    twice = formula(2 * torch.ones_like(x), x.detach(), bell(x).detach())
    assert torch.allclose(twice, 2 * probe), "The formula must be linear in d: where d doubles, so does its result."
    slope = -2 * x.detach() * torch.exp(-x.detach() ** 2)
    assert not torch.allclose(probe, -slope), "The sign is wrong: the exponent is -x²."
    assert not torch.allclose(probe, slope / (-2 * x.detach())), "The factor from inside the exponent is missing."
    assert torch.allclose(probe, slope), "The formula is not the derivative times d."
    assert torch.autograd.gradcheck(bell, x, check_forward_ad=True), "gradcheck does not accept the row."
    assert torch.autograd.gradgradcheck(bell, x), "The second derivative is wrong."
finally:
    ROWS.pop("bell_of_the_exercise", None)

# %% Hint
# The result is :math:`e^{-x^2}` itself, so that the formula need not compute it again.


# %% Exercise: The transpose of a difference
# ``difference(x)`` returns ``x[1:] - x[:-1]``: from :math:`n` numbers it makes :math:`n - 1`. It is linear. Write its
# transpose, which takes :math:`n - 1` numbers and returns :math:`n`. Use no autograd.

# %% Starter
import minigrad as torch


def difference(x):
    return x[1:] - x[:-1]


def transpose(d):
    return ...


# %% Check
from minigrad.teaching import without_autograd

torch.manual_seed(0)
for n in (2, 3, 7):
    x, d = torch.randn(n, dtype=torch.float64), torch.randn(n - 1, dtype=torch.float64)
    with without_autograd():
        found = transpose(d)
    assert isinstance(found, torch.Tensor), "transpose must return a tensor."
    assert found.shape == (n,), f"From {n - 1} numbers it must return {n}, and it returned {list(found.shape)}."
    left, right = (difference(x) * d).sum(), (x * found).sum()
    assert not torch.allclose(left, -right), "The sign is wrong: x[1:] is counted positively."
    assert torch.allclose(left, right), (
        f"<A x, d> is {left.item():.4f} and <x, Aᵀ d> is {right.item():.4f}. Are the two ends right?")

# %% Hint
# Write the matrix for :math:`n = 3`, with the rows :math:`(-1, 1, 0)` and :math:`(0, -1, 1)`, and transpose it.

# %% Hint
# The number ``d[i]`` is added at place ``i + 1`` and subtracted at place ``i``.


# %% Exercise: Which kind is it?
# ``kind(function, n)`` returns the kind of a function from :math:`n` numbers to :math:`n` numbers: ``"linear"`` if it
# is its own derivative, else ``"elementwise"`` if its Jacobian is diagonal, else ``"general"``. Test it at a random
# point.

# %% Starter
import minigrad as torch
from minigrad.func import jacrev, jvp


def kind(function, n):
    return ...


# %% Check
torch.manual_seed(0)
torch.set_default_dtype(torch.float64)
cases = {
    "sin": (torch.sin, "elementwise"), "3 x": (lambda x: 3 * x, "linear"), "x + 1": (lambda x: x + 1, "elementwise"),
    "cumsum": (lambda x: torch.cumsum(x, 0), "linear"), "softmax": (lambda x: torch.softmax(x, 0), "general"),
    "flip": (lambda x: torch.flip(x, (0,)), "linear"), "x - mean": (lambda x: x - x.mean(), "linear"),
    "x * flip": (lambda x: x * torch.flip(x, (0,)), "general"), "exp": (torch.exp, "elementwise"),
    "cumsum + 1": (lambda x: torch.cumsum(x, 0) + 1, "general"),
}
try:
    for name, (function, wanted) in cases.items():
        found = kind(function, 4)
        assert not (name == "x + 1" and found == "linear"), (
            "x + 1 is not linear: its derivative multiplies by 1, and does not add 1.")
        assert found == wanted, f"{name} is {wanted}, and kind returned {found!r}."
finally:
    torch.set_default_dtype(torch.float32)

# %% Hint
# For a linear function, ``jvp(function, (x,), (t,))`` returns ``function(t)`` as the tangent, whatever ``x`` is.

# %% Hint
# A matrix ``J`` is diagonal if it equals ``torch.diag(torch.diag(J))``.


# %% Project: 1
# 10 points: 5 for the graph, 2 for the row that is called most, 3 for those that call themselves with a reason.
#
# The graph has an arrow for about a thousand pairs of rows. ``mul`` is called most, by over 150 rows, three times as
# many as the next, ``neg``: a derivative is a product with a factor. More than eighty rows call themselves, for one of
# two reasons. Some are linear, and their own transpose or close to it: ``flip``, ``transpose``, ``tril``, ``neg``. Of
# others the derivative contains the operation again: ``mul``, ``mm``, ``div``. ``exp`` is not among them, though its
# derivative is itself: its formula uses the result that the node has saved, and calls ``mul``. More than half of the
# rows are called by none.
#
# The usual mistake: to take the formulas as they are written, where ``d * other`` is a product and no call.


# %% Project: 2
# 10 points: 4 for the list of rows, 3 for inputs that they accept, 3 for the planted fault.
#
# Ask for the kind, and for one parameter, a tensor: ``row.kind == "linear" and row.types == ("Tensor",)`` finds fewer
# than twenty rows. A square matrix suits most of them; a few want pairs of numbers or complex ones, for which both
# scalar products need a conjugate and the real part. All that can be called fit up to :math:`10^{-12}`; only
# ``from_meta``, which takes a tensor without values, cannot be tried. A copy of the transpose whose formula has the
# factor 3 has a gap of the size of the numbers.
#
# The usual mistakes: to count a row that has raised an error as one that fits, and to leave the planted row in the
# table.


# %% Project: 3
# 10 points: 4 for the row, 3 for the write, 3 for the gradient.
#
# The kernel is ``self[::3]``, which NumPy does not copy; the formula puts ``d`` back among zeros, for which
# ``slice_backward`` exists. The result shares the memory of its base: after ``third(y).mul_(10)`` the elements 0, 3 and
# 6 of ``y`` are ten times as large, its node is ``CopySlices``, and the gradient of its sum is 10 at these places and 1
# elsewhere. None of this is in the row; the kind brings it. ``gradcheck`` accepts the row.
#
# The usual mistake: a kernel that copies, such as one with a list of indices. The values are right, and a write to the
# result never reaches the base.
