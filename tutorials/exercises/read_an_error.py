"""Exercises of "How to read an error"."""

# %% Exercise: A loop that fails in its second round
# ``train`` follows the temperature of a room and raises an error in its second round. Ask the three questions and
# correct it; the estimate must still start where the last round ended.

# %% Starter
import minigrad as torch


def train(readings, rate=0.1):
    gain = torch.tensor(0.3, requires_grad=True)
    estimate = readings[0]
    for reading in readings[1:]:
        estimate = estimate + gain * (reading - estimate)
        loss = (estimate - 20) ** 2
        loss.backward()
        with torch.no_grad():
            gain -= rate * gain.grad
            gain.grad = None
    return gain, estimate


# %% Check
readings = torch.tensor([19.0, 21.0, 20.5, 19.5])
try:
    gain, estimate = train(readings)
except RuntimeError as problem:
    raise AssertionError(f"It still fails: {str(problem)[:60]} ...") from None
value, state = 0.3, 19.0
for reading in (21.0, 20.5, 19.5):
    after = state + value * (reading - state)
    value, state = value - 0.1 * 2 * (after - 20) * (reading - state), after
assert gain.requires_grad and gain.is_leaf, "gain must stay a parameter."
assert abs(estimate.item() - state) < 1e-4, f"The estimate must end at {state:.4f}, and yours at {float(estimate):.4f}."
assert abs(gain.item() - value) < 1e-4, f"The gain must end at {value:.4f}, and yours at {gain.item():.4f}."

# %% Hint
# Which tensor survives a round of the loop, and still hangs on to the graph of that round?


# %% Exercise: A parameter that never gets a gradient
# Make two parameters and a few points, and call ``loss_of`` and ``backward``: no error, but ``start.grad`` stays
# ``None``. Ask ``start.why_no_grad(loss)``, and draw ``torch.viz.graph(loss)``. Then correct the program, so that both
# parameters get the gradient of the whole loss.

# %% Starter
import minigrad as torch


@torch.no_grad()
def line(slope, start, times):
    return slope * times + start


def loss_of(slope, start, times, heights):
    differences = line(slope, start, times) - heights
    return differences.square().mean() + 0.001 * slope * slope


# %% Check
times, heights = torch.tensor([0.0, 1.0, 2.0, 3.0]), torch.tensor([1.1, 2.9, 5.2, 7.1])
slope, start = torch.tensor(1.5, requires_grad=True), torch.tensor(0.5, requires_grad=True)
loss = loss_of(slope, start, times, heights)
differences = 1.5 * times + 0.5 - heights
assert abs(loss.item() - (differences.square().mean().item() + 0.00225)) < 1e-5, "The loss must stay as it was."
loss.backward()
assert start.grad is not None, start.why_no_grad(loss)
wanted = 2 * (differences * times).mean().item() + 0.003
assert slope.grad is not None and abs(slope.grad.item() - wanted) < 1e-4, \
    f"The gradient of slope is {wanted:.3f}: both parts of the loss depend on it."
wanted = 2 * differences.mean().item()
assert abs(start.grad.item() - wanted) < 1e-4, f"The gradient of start is {wanted:.3f}, not {start.grad.item():.3f}."

# %% Hint
# In the picture one path leads to ``slope``, and it is that of the penalty. Which of the reasons that ``why_no_grad``
# lists is in the program?


# %% Exercise: Advice of your own
# ``advise(program)`` runs a function without arguments. If it raises the error with the code MG102, return the string
# ``"compute it inside the loop"``; for MG105, ``"use no_grad"``; for any other error let it pass; and if there is
# none, return ``None``.

# %% Starter
import minigrad as torch


def advise(program):
    program()


# %% Check
w = torch.tensor(1.0, requires_grad=True)
y = torch.sin(w)


def update():
    global w
    w -= 0.1


assert advise(lambda: y.backward()) is None, "The first backward is right: there is nothing to say."
try:
    assert advise(lambda: y.backward()) == "compute it inside the loop", "The second backward raises MG102."
    assert advise(update) == "use no_grad", "A recorded write to a leaf raises MG105."
except torch.MinigradError as problem:
    raise AssertionError(f"advise let the error {problem.code} pass.") from None
for program in (lambda: torch.ones(2) @ torch.ones(3), lambda: 1 / 0):
    try:
        advise(program)
    except (RuntimeError, ZeroDivisionError):
        continue
    raise AssertionError("Other errors must pass.")

# %% Hint
# ``torch.MinigradError`` is the base class of all errors that have a ``code``.


# %% Project: 1
# 10 points: 3 for saying in two sentences of one's own when the error is raised, 4 for a program, not the one of the
# page, that raises it, 3 for the same program with a cure, and the reason why the cure is the right one there. The list
# has more than 80 errors, in groups; each page has the parts "A program that fails", "Why it matters" and "The cure". A
# good choice is MG111: only numbers with a fraction can change by a little, so integers have no gradient. The usual
# mistake is to copy the program of the page with other names.


# %% Project: 2
# 10 points: 3 for each question, 1 for the line that was changed. A good answer to the first names a tensor of the
# program, with its shape or its node, and does not repeat the message. The second names an earlier line: for half of
# all errors of autograd the line that raises is innocent. The third says what you wanted to compute, in words without
# autograd. For example: the error MG101 in ``loss.backward()``. 1. ``rate``, the result of ``exp``, of shape (3,). 2.
# ``rate.clamp_(max=10)`` wrote to it, one line later. 3. Rates of at most 10; ``rate.clamp(max=10)`` computes them, and
# the gradient is 0 where the rate was cut. The usual mistake is to answer the third with a cure, "no error".


# %% Project: 3
# 10 points: 2 for each break whose message was predicted in its essence (which tensor, and whether it is raised in the
# forward pass, in ``backward`` or in the step), 1 for each with its cure, 1 for three different codes. With the fit of
# this page: leaving out ``no_grad`` is refused in the step (MG105), calling ``backward`` before ``mean`` in the pass
# (MG104), and ``loss.item()`` as the loss is not an error of autograd at all, but an ``AttributeError`` of Python. A
# prediction that was wrong is worth the points if the report says why. The usual mistake is to break three lines that
# all end in the same message.
