"""
Find a nan
==========

A training run goes well, and after a while the loss is ``nan``: *not a number*. One of them is enough. Whatever is
computed from it is ``nan`` as well, and after one step of the optimizer all parameters are. On this page we catch it
where it is born, meet the four sources that nearly all of them come from, and prove each cure.

You need to have read an error before: :doc:`/tutorials/first_gradients/read_an_error`.
"""

# %%
# The problem
# -----------
#
# A phone measures its distance from three beacons, and wants to know where it is. We guess a place, compute what the
# distances would be, and let gradient descent make the differences small. The first guess is the first beacon.

import textwrap
import warnings

import minigrad as torch
from minigrad.teaching import expect_error

torch.set_default_dtype(torch.float64)

beacons = torch.tensor([[0.0, 0.0], [4.0, 0.0], [0.0, 3.0]])
phone = torch.tensor([1.0, 2.0])
measured = (phone - beacons).square().sum(dim=1).sqrt()


def distances(place):
    squares = (place - beacons).square().sum(dim=1)
    return squares.sqrt()


def locate(distances, start, steps=60, told=3):
    place = torch.tensor(start, requires_grad=True)
    for i in range(steps):
        place.grad = None
        loss = (distances(place) - measured).square().mean()
        loss.backward()
        if i < told:
            gradient = [round(entry, 4) for entry in place.grad.tolist()]
            print(f"step {i}: loss {loss.item():.4f}, gradient {gradient}")
        with torch.no_grad():
            place -= 0.5 * place.grad
    return place.detach()


place = locate(distances, [0.0, 0.0])
assert torch.isnan(place).all()

# %%
# The loss of the first step is a sound number, 2.5568. The gradient is not. So there is nothing to be found in the
# forward pass, however many values we print. The ``nan`` was born on the way back.
#
# What a nan is
# -------------
#
# It is the answer of arithmetic where there is no answer: :math:`0/0`, :math:`\infty - \infty`, :math:`0\cdot\infty`,
# the root of a negative number. It is equal to nothing, not even to itself, and no number takes it away again:

zero, infinity = torch.tensor(0.0), torch.tensor(float("inf"))
for said, value in [
    ("0 / 0", zero / zero),
    ("inf - inf", infinity - infinity),
    ("0 * inf", zero * infinity),
    ("sqrt(-1)", (zero - 1).sqrt()),
    ("0 * nan", zero * (zero / zero)),
]:
    print(f"{said:10} = {value.item()}")
    assert torch.isnan(value) and value != value

print("1 / 0      =", (1 / zero).item(), "  which is not yet a nan, but close")

# %%
# How it gets found
# -----------------
#
# In *anomaly mode* the backward pass looks at each gradient, and stops at the first ``nan``. The error says which
# operation made it. Its note says which line of the forward pass had made the operation. (The mode warns that it is
# slow, which we know.)


# teaches: autograd.detect_anomaly
def search(function, *arguments):
    """What is said of the nan that stops it; nothing where none does."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with torch.autograd.detect_anomaly():
            try:
                function(*arguments).sum().backward()
            except torch.MinigradError as problem:
                print(textwrap.fill(str(problem), 76, break_on_hyphens=False))
                print("The line:", problem.__notes__[-1].rstrip().splitlines()[-1].strip())
                return str(problem)
    print("no nan")
    return ""


def loss_with(distances):
    return lambda place: (distances(place) - measured).square().mean()


place = torch.tensor([0.0, 0.0], requires_grad=True)
found = search(loss_with(distances), place)
assert "[MG128]" in found and "PowBackward0" in found
assert "The incoming gradient has inf" in found

# %%
# Read it from the end. The line is that of the squares; but it says that what *came in* was infinite, and that this
# was made between there and the loss. Between a square and the loss there is one suspect: the root.
#
# First source: a root at 0
# -------------------------
#
# The derivative of :math:`\sqrt s` is :math:`1 / (2\sqrt s)`, and at 0 it is infinite. Our first guess *is* a beacon,
# so one of the distances is 0. The square before it has the derivative :math:`2\cdot 0`. And :math:`\infty\cdot 0` is
# not a number.

s = torch.tensor([4.0, 0.01, 0.0], requires_grad=True)
s.sqrt().sum().backward()
print("derivative of the root:", s.grad)
assert s.grad.tolist()[0] == 0.25 and torch.isinf(s.grad[2])

# %%
# What should the gradient be? The distance from a beacon has a kink there, like the tip of a cone. Every direction
# leads up, and the sensible answer is 0: this beacon does not say where to go, let the others decide.
#
# The usual first idea is to take the root only where it is safe:


def chosen(place):
    squares = (place - beacons).square().sum(dim=1)
    return torch.where(squares > 0, squares.sqrt(), 0.0)


found = search(loss_with(chosen), place)
assert "SqrtBackward0" in found and "the 0 came from WhereBackward0" in found

# %%
# Second source: the branch that was not taken
# --------------------------------------------
#
# It does not help, and the message says why. ``torch.where`` chooses between two *results*; both have been computed.
# On the way back it sends the gradient to the one that was taken, and 0 to the other. The root receives that 0, and
# multiplies it by its derivative: :math:`0\cdot\infty`. A factor of 0 does not protect what is behind it.
#
# The cure is to keep the dangerous *input* away from the root. Where the result will not be used, put in anything
# harmless:


def guarded(place):
    squares = (place - beacons).square().sum(dim=1)
    safe = torch.where(squares > 0, squares, 1.0)
    return torch.where(squares > 0, safe.sqrt(), 0.0)


assert search(loss_with(guarded), place) == ""

# %%
# There are two ``where``: the inner one for the backward pass, the outer one for the value. Does it give the right
# derivative where there is one? ``gradcheck`` compares with differences. At the beacon itself we know what we want.

somewhere = torch.tensor([0.3, 1.1], requires_grad=True)
assert torch.autograd.gradcheck(guarded, (somewhere,))

(jacobian,) = torch.func.jacrev(lambda place: (guarded(place),))(place.detach())
print(jacobian)
assert jacobian[0].tolist() == [0.0, 0.0]
assert torch.allclose(jacobian[1], torch.tensor([-1.0, 0.0]))

found_place = locate(guarded, [0.0, 0.0])
print("the phone is at", [round(x, 3) for x in found_place.tolist()])
assert torch.allclose(found_place, phone, atol=1e-3)

# %%
# And if there is an operation for what you mean, use it: someone has thought about its derivative. A norm knows that
# it has a tip.


def norms(place):
    return torch.linalg.vector_norm(place - beacons, dim=1)


assert search(loss_with(norms), place) == ""
assert torch.allclose(locate(norms, [0.0, 0.0], told=0), phone, atol=1e-3)

# %%
# Third source: a logarithm of 0
# ------------------------------
#
# A classifier, whose scores are far apart. The probability of the right class is so small that it is stored as 0, and
# the loss is its logarithm.

scores = torch.tensor([[1000.0, 0.0]], requires_grad=True)


def surprise(scores):
    probability = torch.softmax(scores, dim=1)[0, 1]
    return -probability.log()


print("loss:", surprise(scores).item())
found = search(surprise, scores)
assert "SoftmaxBackward0" in found
assert "The incoming gradient has inf" in found

# %%
# The loss is already infinite, and its derivative, :math:`1/0`, too. The probability was only a detour:
# :math:`\log\mathrm{softmax}(z)_i = z_i - \log\sum_j e^{z_j}` needs none. The true loss is 1000, and not infinite at
# all.


def surprise_without_detour(scores):
    return -torch.log_softmax(scores, dim=1)[0, 1]


assert search(surprise_without_detour, scores) == ""
print("loss:", surprise_without_detour(scores).item(), "  gradient:", scores.grad.tolist())
assert surprise_without_detour(scores).item() == 1000
assert scores.grad.tolist() == [[1.0, -1.0]]
assert torch.nn.functional.cross_entropy(scores, torch.tensor([1])).item() == 1000

# %%
# ``torch.nn.functional.cross_entropy`` does the same. Adding a small number, ``(probability + 1e-8).log()``, hides
# the error and bends the loss: it can never be larger than 18.4, and is flat there, so that nothing is learnt from
# the very samples that are most wrong.

scores.grad = None
(-(torch.softmax(scores, dim=1)[0, 1] + 1e-8).log()).backward()
print("with 1e-8:", scores.grad.tolist())
assert scores.grad.tolist() == [[0.0, 0.0]]

# %%
# Fourth source: an overflow
# --------------------------
#
# A softmax as in the textbook, written by hand.


def softmax_by_hand(scores):
    powers = scores.exp()
    return powers / powers.sum(dim=1, keepdim=True)


print("largest float64:  ", torch.finfo(torch.float64).max)
print("exp(1000):        ", scores.detach().exp()[0, 0].item())
print("softmax by hand:  ", softmax_by_hand(scores).tolist())
found = search(lambda scores: softmax_by_hand(scores)[0, 0], scores)
assert "It came from the forward pass" in found and "saved inf" in found

# %%
# This time the forward pass is to blame, and the message says so: what the division had saved was infinite. Here you
# can search from the front. Look for the first tensor that is not finite:


def first_not_finite(**tensors):
    return next((name for name, x in tensors.items() if not torch.isfinite(x).all()), None)


powers = scores.exp()
total = powers.sum(dim=1, keepdim=True)
print("not finite:", first_not_finite(scores=scores, powers=powers, total=total))
assert first_not_finite(scores=scores, powers=powers, total=total) == "powers"

# %%
# The cure is a line of algebra. Numerator and denominator may be divided by the same number, so subtract the largest
# score first. Then no power is larger than 1, and the sum is at least 1.


# teaches: Tensor.exp
def softmax_with_care(scores):
    powers = (scores - scores.max(dim=1, keepdim=True).values).exp()
    return powers / powers.sum(dim=1, keepdim=True)


assert search(lambda scores: softmax_with_care(scores)[0, 0], scores) == ""
print(softmax_with_care(scores).tolist())
small = torch.tensor([[0.5, -1.0, 2.0]], requires_grad=True)
assert torch.allclose(softmax_with_care(small), softmax_by_hand(small))
assert torch.allclose(softmax_with_care(small), torch.softmax(small, dim=1))
assert torch.autograd.gradcheck(softmax_with_care, (small,))

# %%
# On and off, and without the search for nan
# ------------------------------------------
#
# ``detect_anomaly`` is for one block. ``set_detect_anomaly`` does the same with a flag, so that an option of your
# program can decide. It works as a context manager, and as a plain call, whose effect lasts until the next one.


# teaches: autograd.set_detect_anomaly
def nan_gradient():
    place = torch.tensor([0.0, 0.0], requires_grad=True)
    loss_with(distances)(place).backward()
    return place.grad


with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    with torch.autograd.set_detect_anomaly(True):
        with expect_error(RuntimeError):
            nan_gradient()
    print("after the block:", nan_gradient().tolist())

    torch.autograd.set_detect_anomaly(True)
    assert torch.is_anomaly_enabled()
    torch.autograd.set_detect_anomaly(False)
assert not torch.is_anomaly_enabled() and torch.isnan(nan_gradient()).all()

# %%
# The mode does two things: it looks for ``nan``, and it notes where each operation was called. With
# ``check_nan=False`` it does only the second. A ``nan`` passes, but an error in a ``backward`` of your own still comes
# with the line of the forward pass:


class Broken(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, gradient):
        raise RuntimeError("this backward is not finished")


def run_broken():
    x = torch.tensor(2.0, requires_grad=True)
    Broken.apply(x).backward()


def line_noted():
    """The line of the forward pass that the error names, or None."""
    try:
        run_broken()
    except RuntimeError as problem:
        notes = getattr(problem, "__notes__", [])
        return notes[-1].rstrip().splitlines()[-1].strip() if notes else None


with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    with torch.autograd.set_detect_anomaly(True, check_nan=False):
        print("nan passes:", nan_gradient().tolist())
        print("with the mode:   ", line_noted())
        assert "Broken.apply(x)" in line_noted()
print("without the mode:", line_noted())
assert line_noted() is None

# %%
# What goes wrong when it is hidden
# ---------------------------------
#
# **Multiply by a mask.** Samples that were not measured are stored as ``nan``, and get the weight 0.

heights = torch.tensor([1.0, float("nan"), 3.0])
known = ~torch.isnan(heights)
slope = torch.tensor(1.0, requires_grad=True)


def masked(slope):
    return ((slope - heights).square() * known).sum()


print("masked loss:", masked(slope).item())
found = search(masked, slope)
assert torch.isnan(masked(slope)) and "[MG128]" in found

# %%
# :math:`0\cdot\mathrm{nan}` is ``nan``. Pick out what is known, so that nothing is computed with the rest:


def selected(slope):
    return (slope - heights[known]).square().sum()


assert search(selected, slope) == "" and slope.grad.item() == 2 * (0 - 2)

# %%
# **Replace it in the gradient.** ``nan_to_num`` turns them into zeros, and training goes on as if nothing had
# happened.


def locate_in_spite(start):
    place = torch.tensor(start, requires_grad=True)
    for _ in range(60):
        place.grad = None
        loss_with(distances)(place).backward()
        with torch.no_grad():
            place -= 0.5 * torch.nan_to_num(place.grad)
    return place.detach()


stuck = locate_in_spite([0.0, 0.0])
print("the phone is at", stuck.tolist(), "for ever")
assert stuck.tolist() == [0.0, 0.0]

# %%
# The ``nan`` took the whole gradient with it, and with that the advice of the two other beacons.
#
# **Leave anomaly mode on.** It looks at every gradient and notes a traceback for every operation. It is for the
# search: switch it on for the step that fails, and off again.
#
# Summary
# -------
#
# - A ``nan`` in the gradient may come from a loss that is a sound number: it is born on the way back.
# - Anomaly mode stops at the first one, and names the operation and its line in the forward pass.
# - Nearly all come from a root at 0, a logarithm of 0, 0 times infinity in a ``where``, or an overflow of ``exp``.
# - Cure the input of the operation, not its result: a ``nan`` in a branch that is not taken still spoils the
#   gradient.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Why does ``locate`` work from ``[0.1, 0.1]`` with the first ``distances``? And from a guess on the line between
#    two beacons?
# 2. Register a hook on a tensor that prints a line if a ``nan`` comes by. Which of the sources on this page does it
#    find, and what does it not tell that anomaly mode tells?
