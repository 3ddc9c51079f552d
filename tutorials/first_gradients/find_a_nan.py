"""
Find a nan
==========

A training run goes well, and after a while the loss is ``nan``: *not a number*. One is enough: whatever is computed
from it is ``nan`` as well, and after one step of gradient descent so are all parameters. On this page we catch a
``nan`` where it is born, meet the four sources that nearly all of them come from, and test a cure for each.

You need to know how to read an error: :doc:`/tutorials/first_gradients/read_an_error`.

After this page you can find the operation that made a ``nan``, and cure the four that make nearly all of them.
"""

# %%
# The problem
# -----------
#
# A phone measures its distance from three beacons, and needs to know where it is. We guess a place, compute what the
# distances would be, and let gradient descent minimize the differences. The first guess is the first beacon.

import time
import warnings

import matplotlib.pyplot as plt

import minigrad as torch
from minigrad.teaching import expect_error, expect_warning

torch.set_default_dtype(torch.float64)

beacons = torch.tensor([[0.0, 0.0], [4.0, 0.0], [0.0, 3.0]])
phone = torch.tensor([1.0, 2.0])
measured = (phone - beacons).square().sum(dim=1).sqrt()


def distances(place):
    squares = (place - beacons).square().sum(dim=1)
    return squares.sqrt()


def locate(distances, start, steps=60, told=3, trail=None):
    place = torch.tensor(start, requires_grad=True)
    for i in range(steps):
        if trail is not None:
            trail.append(place.tolist())
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
# The loss of the first step is a sound number, 2.5568. Its gradient is not. However many values of the forward pass
# we print, we will find nothing wrong with them: the ``nan`` was born in the backward pass.
#
# What a nan is
# -------------
#
# It is what arithmetic returns when there is no answer: for :math:`0/0`, :math:`\infty - \infty`,
# :math:`0\cdot\infty`, or the square root of a negative number. It is equal to nothing, not even to itself, and no
# operation gets rid of it, not even multiplying by 0:

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
# In *anomaly mode* the backward pass checks each gradient, and stops at the first ``nan``. The error names the
# operation that made it, and a note adds the line of the forward pass that called this operation. (The mode also
# warns that it is slow. We know, and silence the warning.)


def run_checked(function, *arguments):
    """A forward and a backward pass in anomaly mode."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with torch.autograd.detect_anomaly():
            function(*arguments).sum().backward()


def line_noted(problem):
    """The line of the forward pass that the error names, or None."""
    notes = [note for note in getattr(problem, "__notes__", []) if "Error detected" in note]
    return notes[-1].rstrip().splitlines()[-1].strip() if notes else None


# teaches: autograd.detect_anomaly
def search(function, *arguments):
    """Show the nan that stops the backward pass, and return what is said of it."""
    with expect_error(RuntimeError) as caught:
        run_checked(function, *arguments)
    print("The line:", line_noted(caught.error))
    return str(caught.error)


def loss_with(distances):
    return lambda place: (distances(place) - measured).square().mean()


place = torch.tensor([0.0, 0.0], requires_grad=True)
found = search(loss_with(distances), place)
assert "[MG128]" in found and "PowBackward0" in found
assert "The incoming gradient has inf" in found

# %%
# Read it from the end. The line is the one with the squares (``square`` is recorded as a power), but the error says
# that the gradient which *came in* was already infinite, so it was made between this line and the loss. There is only
# one suspect there: the root.
#
# First source: a root at 0
# -------------------------
#
# The derivative of :math:`\sqrt s` is :math:`1 / (2\sqrt s)`, and at 0 it is infinite. Our first guess *is* a beacon,
# so one of the distances is 0. The square inside the root has the derivative :math:`2\cdot 0` there, and
# :math:`\infty\cdot 0` is not a number.

s = torch.tensor([4.0, 0.01, 0.0], requires_grad=True)
s.sqrt().sum().backward()
print("derivative of the root:", s.grad)
assert s.grad.tolist()[0] == 0.25 and torch.isinf(s.grad[2])

# %%
# What should the gradient be? As a function of the place, the distance from a beacon is a cone, and we are at its
# tip. Every direction leads up, so the sensible answer is 0: this beacon has no opinion, and the others decide.
#
# The first idea most people have is to take the root only where it is safe:


def chosen(place):
    squares = (place - beacons).square().sum(dim=1)
    return torch.where(squares > 0, squares.sqrt(), 0.0)


found = search(loss_with(chosen), place)
assert "SqrtBackward0" in found and "the 0 came from WhereBackward0" in found

# %%
# Second source: the branch that was not taken
# --------------------------------------------
#
# It does not help, and the message says why. ``torch.where`` chooses between two *results*, and both have been
# computed. In the backward pass it sends the gradient to the one that was taken, and 0 to the other. The root
# receives that 0 and multiplies it by its derivative: :math:`0\cdot\infty`. A factor of 0 protects nothing.
#
# The cure is to keep the dangerous *input* away from the root. Where its result will not be used, give it any
# harmless number:


def guarded(place):
    squares = (place - beacons).square().sum(dim=1)
    safe = torch.where(squares > 0, squares, 1.0)
    return torch.where(squares > 0, safe.sqrt(), 0.0)


run_checked(loss_with(guarded), place)

# %%
# So there are two calls of ``where``: the inner one for the backward pass, the outer one for the value. Away from the
# beacons the derivative must be that of the unguarded distances. At the beacon itself we know what we want.


def slopes(distances, place, beacon):
    """The gradient of the distance from one beacon."""
    return torch.autograd.grad(distances(place)[beacon], place)[0]


somewhere = torch.tensor([0.3, 1.1], requires_grad=True)
for i in range(3):
    assert slopes(guarded, somewhere, i).equal(slopes(distances, somewhere, i))

print("from the beacon:     ", slopes(guarded, place, 0).tolist())
print("from its neighbour:  ", slopes(guarded, place, 1).tolist())
assert slopes(guarded, place, 0).tolist() == [0.0, 0.0]
assert torch.allclose(slopes(guarded, place, 1), torch.tensor([-1.0, 0.0]))

trail = []
found_place = locate(guarded, [0.0, 0.0], trail=trail)
print("the phone is at", [round(x, 3) for x in found_place.tolist()])
assert torch.allclose(found_place, phone, atol=1e-3)

# %%
# The loss as a landscape, dark where it is small. It has a kink at each beacon, and the first guess was exactly on
# one. With a gradient of 0 from that beacon, the other two lead away from it:

across, up = torch.linspace(-1, 5, 150), torch.linspace(-1, 4, 125)
places = torch.cartesian_prod(across, up)
landscape = (torch.cdist(places, beacons) - measured).square().mean(dim=1)

# alt: The loss as shades of blue over the plane, with three beacons as triangles at (0, 0), (4, 0) and (0, 3), and the
#      phone as a star at (1, 2), where the loss is smallest. The path of the descent begins at the first beacon and
#      leads in a slight curve to the phone.
# sphinx_gallery_start_ignore
figure, axes = plt.subplots(figsize=(6.4, 4.4), layout="constrained")
height = landscape.reshape(150, 125).T.sqrt().numpy()
axes.contourf(across.numpy(), up.numpy(), height, levels=14, cmap="Blues_r")
axes.plot(*zip(*trail), ".-", color="tab:orange", label="descent")
axes.plot(*zip(*beacons.tolist()), "^", color="black", markersize=9, label="beacons")
axes.plot(*phone.tolist(), "*", color="tab:red", markersize=14, label="the phone")
axes.set(aspect="equal", xlabel="x", ylabel="y")
axes.legend(loc="upper right")
# sphinx_gallery_end_ignore
plt.show()

# %%
# If there is an operation for what you mean, use it: somebody has thought about its derivative. ``vector_norm`` has
# the gradient 0 at its tip.


def norms(place):
    return torch.linalg.vector_norm(place - beacons, dim=1)


run_checked(loss_with(norms), place)
assert torch.allclose(locate(norms, [0.0, 0.0], told=0), phone, atol=1e-3)

# %%
# Third source: a logarithm of 0
# ------------------------------
#
# A classifier returns scores that are far apart. The probability of the right class is so small that it is rounded to
# 0, and the loss is minus its logarithm.

scores = torch.tensor([[1000.0, 0.0]], requires_grad=True)


def surprise(scores):
    probability = torch.softmax(scores, dim=1)[0, 1]
    return -probability.log()


print("loss:", surprise(scores).item())
found = search(surprise, scores)
assert "SoftmaxBackward0" in found
assert "The incoming gradient has inf" in found

# %%
# Here the loss itself is infinite, and so is its derivative, :math:`1/0`. The probability was a detour:
# :math:`\log\mathrm{softmax}(z)_i = z_i - \log\sum_j e^{z_j}` does without it. The true loss is 1000, far from
# infinite.


def surprise_without_detour(scores):
    return -torch.log_softmax(scores, dim=1)[0, 1]


run_checked(surprise_without_detour, scores)
print("loss:", surprise_without_detour(scores).item(), "  gradient:", scores.grad.tolist())
assert surprise_without_detour(scores).item() == 1000
assert scores.grad.tolist() == [[1.0, -1.0]]
assert torch.nn.functional.cross_entropy(scores, torch.tensor([1])).item() == 1000

# %%
# ``torch.nn.functional.cross_entropy`` computes it this way. Adding a small number instead, as in
# ``(probability + 1e-8).log()``, hides the error and bends the loss: it never exceeds 18.4, and it is flat there, so
# nothing is learned from the very samples that are most wrong.

scores.grad = None
(-(torch.softmax(scores, dim=1)[0, 1] + 1e-8).log()).backward()
print("with 1e-8:", scores.grad.tolist())
assert scores.grad.tolist() == [[0.0, 0.0]]

# %%
# Fourth source: an overflow
# --------------------------
#
# Here is a softmax as textbooks define it:


def softmax_by_hand(scores):
    powers = scores.exp()
    return powers / powers.sum(dim=1, keepdim=True)


print("largest float64:  ", torch.finfo(torch.float64).max)
print("exp(1000):        ", scores.detach().exp()[0, 0].item())
print("softmax by hand:  ", softmax_by_hand(scores).tolist())
found = search(lambda scores: softmax_by_hand(scores)[0, 0], scores)
assert "It came from the forward pass" in found and "saved inf" in found

# %%
# This time the forward pass is to blame, and the message says so: the division had saved an infinite number. So you
# can search from the front, for the first tensor that is not finite:


def first_not_finite(**tensors):
    return next((name for name, x in tensors.items() if not torch.isfinite(x).all()), None)


powers = scores.exp()
total = powers.sum(dim=1, keepdim=True)
print("not finite:", first_not_finite(scores=scores, powers=powers, total=total))
assert first_not_finite(scores=scores, powers=powers, total=total) == "powers"

# %%
# The cure is a line of algebra. Numerator and denominator may both be divided by :math:`e^m`, where :math:`m` is the
# largest score: subtract it from all scores first. Then no power exceeds 1, and their sum is at least 1.


# teaches: Tensor.exp
def softmax_with_care(scores):
    powers = (scores - scores.max(dim=1, keepdim=True).values).exp()
    return powers / powers.sum(dim=1, keepdim=True)


run_checked(lambda scores: softmax_with_care(scores)[0, 0], scores)
print(softmax_with_care(scores).tolist())
small = torch.tensor([[0.5, -1.0, 2.0]], requires_grad=True)
assert torch.allclose(softmax_with_care(small), softmax_by_hand(small))
assert torch.allclose(softmax_with_care(small), torch.softmax(small, dim=1))
by_hand, = torch.autograd.grad(softmax_with_care(small)[0, 2], small)
by_minigrad, = torch.autograd.grad(torch.softmax(small, dim=1)[0, 2], small)
assert torch.allclose(by_hand, by_minigrad)

# %%
# Switching it on and off
# -----------------------
#
# .. folded:: A flag, and a mode that only notes the lines
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
# ``check_nan=False`` it does only the second. A ``nan`` passes, but another error still comes with the line of the
# forward pass:


def run_broken():
    x = torch.tensor(2.0, requires_grad=True)
    y = torch.exp(x)                # this one
    y.zero_()
    y.backward()


with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    with torch.autograd.set_detect_anomaly(True, check_nan=False):
        print("nan passes:", nan_gradient().tolist())
        with expect_error(RuntimeError) as caught:
            run_broken()
print("with the mode, the line is noted:", line_noted(caught.error))
assert "this one" in str(line_noted(caught.error))

with expect_error(RuntimeError) as caught:
    run_broken()
print("without the mode:", line_noted(caught.error))
assert line_noted(caught.error) is None

# %%
# What goes wrong when it is hidden
# ---------------------------------
#
# **Multiplying by a mask.** Samples that were not measured are stored as ``nan``, and get the weight 0.

heights = torch.tensor([1.0, float("nan"), 3.0])
known = ~torch.isnan(heights)
slope = torch.tensor(1.0, requires_grad=True)


def masked(slope):
    return ((slope - heights).square() * known).sum()


print("masked loss:", masked(slope).item())
found = search(masked, slope)
assert torch.isnan(masked(slope)) and "[MG128]" in found

# %%
# :math:`0\cdot\mathrm{nan}` is ``nan``. Select the known samples instead, so that nothing is computed with the
# others:


def selected(slope):
    return (slope - heights[known]).square().sum()


run_checked(selected, slope)
assert slope.grad.item() == 2 * (0 - 2)

# %%
# **Replacing it in the gradient.** ``nan_to_num`` turns each ``nan`` into 0, and training goes on as if nothing had
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
print("the phone stays at", stuck.tolist())
assert stuck.tolist() == [0.0, 0.0]

# %%
# The ``nan`` of one beacon had spoiled the sum, and with it what the other two had to say.
#
# **Leaving anomaly mode on.** It checks every gradient, and keeps a traceback for every operation. ``detect_anomaly``
# says so when it begins, and a clock tells how much it is. (``expect_warning`` prints the warning and goes on.)


def two_hundred_sines():
    x = y = torch.tensor(1.0, requires_grad=True)
    for _ in range(200):
        y = torch.sin(y)
    y.backward()


def milliseconds():
    times = []
    for _ in range(5):
        start = time.perf_counter()
        two_hundred_sines()
        times.append(time.perf_counter() - start)
    return min(times) * 1e3


print(f"without the mode: {milliseconds():.2f} ms")
with expect_warning():
    with torch.autograd.detect_anomaly():
        slow = milliseconds()
print(f"with it:          {slow:.2f} ms")

# %%
# Switch it on for the step that fails, and off again.
#
# Summary
# -------
#
# - The gradient of a sound loss may be ``nan``: it was born in the backward pass.
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
# 2. Print a line in ``locate`` when a gradient contains a ``nan``, and do the same for the other losses of this page.
#    Which of the four sources does it find, and what does anomaly mode tell you that this line does not?
