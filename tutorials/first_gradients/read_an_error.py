"""
How to read an error
====================

An error is the program's only way to ask you something. It knows what it was doing, with which tensors, and what went
wrong; it does not know what you *wanted*. On this page we take messages apart, ask three questions of each, and cure
the five that are most common. Then we find out why a ``.grad`` is ``None``, for which there is no error at all.

You need ``backward`` and ``.grad``, from :doc:`gradients_of_one_expression`, and ``detach``, from
:doc:`when_not_to_record`.

After this page you can find the line that a message is about, and say why a ``.grad`` is ``None``.
"""

# %%
# The problem
# -----------
#
# A line through five points, by gradient descent. The loss has two parts: the mean square of the differences, and a
# small penalty for a steep slope. The penalty does not depend on the points, so we compute it once, before the loop.

import warnings

import minigrad as torch
from minigrad.teaching import expect_error

times = torch.tensor([0.0, 1.0, 2.0, 3.0, 4.0])
heights = torch.tensor([1.1, 2.9, 5.2, 7.1, 8.8])


def fit(steps):
    slope = torch.tensor(0.0, requires_grad=True)
    start = torch.tensor(0.0, requires_grad=True)
    penalty = 0.001 * slope * slope
    for _ in range(steps):
        difference = slope * times + start - heights
        loss = (difference * difference).mean() + penalty
        loss.backward()
        with torch.no_grad():
            for parameter in (slope, start):
                parameter -= 0.05 * parameter.grad
                parameter.grad = None
    return slope, start


with expect_error(RuntimeError):
    fit(200)

# %%
# The message is long. Do not hunt for the one word that says it all; read it like a letter, from the beginning.
#
# The parts of a message
# ----------------------
#
# **What happened**, in the words of PyTorch, so that a search engine finds the discussions about it. **To whom**: the
# operation, by the name of its node; elsewhere also the argument, the shapes, the dtypes. **Where**, if the line at
# fault is not the one that raises. **Why**, and **what to write instead**. Last, in brackets, a code.

# sphinx_gallery_thumbnail_path = '_static/thumbnails/read_an_error.svg'
try:
    fit(200)
except torch.MinigradError as caught:
    problem = caught

message = str(problem)
assert message.startswith("Trying to backward through the graph a second time")
assert "MulBackward0 has already been run" in message
assert "was built once, outside the loop that calls backward()" in message
assert "compute it anew each time" in message
assert message.endswith("[MG102]")

print("the code:", problem.code)
print("the note below the traceback:", problem.__notes__[0])

# %%
# The code names the *kind* of mistake, and stays the same forever. The words may be improved; the code can be looked
# up, quoted in a forum, or tested in a program. Each has a page, with a program that fails, the reason, and a cure.
# The note says how to read it, without a network:
#
# .. code-block:: console
#
#    $ python -m minigrad explain MG102
#
# What it prints begins like this:

from minigrad import error_pages

page = error_pages.page(problem.code)
print(page[: page.index("A program that fails")])
assert "The cure" in page

# %%
# The class of the error is the one that PyTorch raises in the same place (or inherits from it), so a program that
# catches a ``RuntimeError`` there catches it here.
#
# Three questions
# ---------------
#
# Whatever the message, three questions lead from it to the line that you must change.
#
# 1. *Which tensor is meant?* Look for a shape, a dtype, the name of a node: ``MulBackward0`` comes from a product.
# 2. *What did my program do to it before?* The line that raises is where it was noticed. The mistake is often
#    earlier: in the last write to the tensor, in the first ``backward``, in the line where it was made.
# 3. *What did I want?* Only you know. It decides which of the cures is yours.
#
# Here it was a product that one ``backward`` had gone through when a second came by. Which product survives a round
# of the loop? Only one of them was made before it: the penalty. And what we wanted was the penalty *of the present
# slope*. It was never right to compute it once. The error has found a mistake of ours, and not only a rule that we
# broke.
#
# A picture shows it at once. Here are the losses of two rounds, drawn by ``viz.graph``: both lead through the same
# penalty.

slope = torch.tensor(0.0, requires_grad=True)
penalty = 0.001 * slope * slope
first = (slope * times - heights).square().mean() + penalty
second = (slope * times - heights).square().mean() + penalty
torch.viz.graph({"first": first, "second": second, "penalty": penalty, "slope": slope})

# %%
# So it belongs in the loop:


def fit(steps):
    slope = torch.tensor(0.0, requires_grad=True)
    start = torch.tensor(0.0, requires_grad=True)
    for _ in range(steps):
        difference = slope * times + start - heights
        penalty = 0.001 * slope * slope
        loss = (difference * difference).mean() + penalty
        loss.backward()
        with torch.no_grad():
            for parameter in (slope, start):
                parameter -= 0.05 * parameter.grad
                parameter.grad = None
    return slope, start


slope, start = fit(200)
print(f"height = {slope.item():.3f} * time + {start.item():.3f}")
assert abs(slope.item() - 1.96) < 0.02 and abs(start.item() - 1.1) < 0.05

# %%
# The five most common errors
# ---------------------------
#
# Here they are, each as a small program that fails, with its cure. Ask the three questions before you read on below a
# message.
#
# **1. There is nothing to go back through.** A count of mistakes looks like something that one could minimize.

scores = torch.tensor([[2.0, 1.0], [0.3, 0.5]], requires_grad=True)
classes = torch.tensor([0, 0])
mistakes = (scores.argmax(dim=1) != classes).sum()
with expect_error(RuntimeError):
    mistakes.backward()

# %%
# Which tensor? ``mistakes``. What was done to it? It came out of ``argmax`` and a comparison, and there the history
# was cut: a class number does not change by a little when the scores do. What did we want? Fewer mistakes; and for
# that people take a loss that *has* a derivative.

loss = torch.nn.functional.cross_entropy(scores, classes)
loss.backward()
print(scores.grad)
assert scores.grad[1, 0] < 0 < scores.grad[1, 1]        # more of class 0, less of class 1

# %%
# **2. Several results.** A loss for each sample, and ``backward`` called on all of them.

samples = torch.tensor([1.0, 2.0, 3.0])
weight = torch.tensor(2.0, requires_grad=True)
with expect_error(RuntimeError):
    ((weight * samples - 1) ** 2).backward()

# %%
# The message offers two cures, and question 3 decides: one number for all (``sum``, or ``mean``), or weights for
# each.

((weight * samples - 1) ** 2).mean().backward()
print("by the mean:", weight.grad)
assert abs(weight.grad.item() - (2 * samples * (2 * samples - 1)).mean().item()) < 1e-5

# %%
# **3. A step that would be recorded.** The update of a parameter, written as in a textbook.

weight.grad = None
((weight * samples - 1) ** 2).mean().backward()
with expect_error(RuntimeError):
    weight -= 0.1 * weight.grad

# %%
# A parameter is a leaf, and a recorded write would make it the result of an operation. An update is not part of the
# function that we differentiate, so it is not recorded.

with torch.no_grad():
    weight -= 0.1 * weight.grad
print("after the step:", weight)
assert weight.is_leaf and weight.item() < 2

# %%
# **4. Overwritten too early.** A sigmoid, and a correction in place.

inputs = torch.tensor([-1.0, 0.0, 1.0], requires_grad=True)
activity = torch.sigmoid(inputs)
activity *= 0.9
with expect_error(RuntimeError):
    activity.sum().backward()

# %%
# Here the line at fault is not the one that raises, so the message names it: ``activity *= 0.9``. The sigmoid needs
# its own result for its derivative. (:doc:`/tutorials/in_place/in_place_operations` is about nothing else.)

activity = torch.sigmoid(inputs)
activity = 0.9 * activity
activity.sum().backward()
assert torch.allclose(inputs.grad, activity * (1 - activity / 0.9))
print(inputs.grad)

# %%
# **5. Shapes that do not go together.** Four samples of three numbers, and a weight for each *sample*.

data = torch.arange(12.0).reshape(4, 3)
weights = torch.tensor([1.0, 0.0, 0.0, 2.0])
with expect_error(RuntimeError):
    data * weights

# %%
# Shapes are compared from the right: 3 with 4. So the weights need another dimension after theirs.

print(data * weights[:, None])
assert (data * weights[:, None]).sum().item() == 0 + 1 + 2 + 2 * (9 + 10 + 11)

# %%
# Which line of the forward pass was it?
# --------------------------------------
#
# An operation may fail in the backward pass, long after its own line has run, and then you want to see the forward
# pass: which of the many products was it? That is not written down, because every operation would pay for it. In
# *anomaly mode* it is. The answer is in a second note on the error.


# teaches: autograd.detect_anomaly
def overwritten():
    first = inputs * 2
    second = first * first              # this one
    first.zero_()
    return second.sum()


with warnings.catch_warnings():
    warnings.simplefilter("ignore")     # it warns that it is slow
    with torch.autograd.detect_anomaly():
        try:
            overwritten().backward()
        except RuntimeError as problem:
            note = problem.__notes__[-1]

print(note.splitlines()[0])
print(note.splitlines()[-1])
assert note.startswith("Error detected in MulBackward0.")
assert note.rstrip().endswith("second = first * first              # this one")

# %%
# (:doc:`find_a_nan` uses it to find a ``nan``.)
#
# No error, and no gradient
# -------------------------
#
# The most frequent question about autograd is not about an error: *why is my* ``.grad`` ``None``? Ask the tensor.
# Here are three that look like parameters.

first = torch.tensor([1.0, 2.0], requires_grad=True)
second = torch.ones(2, requires_grad=True) * 0.1
third = torch.tensor([1.0, 2.0], requires_grad=True)

loss = (first * second).sum() + third.detach().sum()
loss.backward()
print("first: ", first.why_no_grad(), "\n")
print("second:", second.why_no_grad(), "\n")
print("third: ", third.why_no_grad(loss))

# %%
# The second is the usual trap: it was a leaf before it was multiplied. The tensor that requires grad is the one made
# of ones, and nothing in the program refers to it any more. The third *is* a leaf, but the loss does not depend on
# it. A tensor cannot know that by itself, so we gave it the loss, from which the graph can be followed. (A cure for the
# second is below: ``requires_grad_()`` comes last, and makes a leaf of the result.)

assert first.why_no_grad().startswith("There is one")
assert "not a leaf but the result of an operation (MulBackward0)" in second.why_no_grad()
assert "no path leads to it" in third.why_no_grad(loss)

second = (torch.ones(2) * 0.1).requires_grad_()
loss = (first * second).sum() + third.sum()
loss.backward()
assert second.grad is not None and third.grad is not None

# %%
# What goes wrong when you cure the message
# -----------------------------------------
#
# A message is easier to get rid of than a mistake. Here are three cures that are passed on in forums, and what they
# do.
#
# ``retain_graph=True``, in the first program. It is the one word of the message that looks like a switch.


def fit_with_retained_graph(steps):
    slope = torch.tensor(0.0, requires_grad=True)
    penalty = 0.001 * slope * slope
    slopes = []
    for _ in range(steps):
        difference = slope * times + 1 - heights
        loss = (difference * difference).mean() + penalty
        loss.backward(retain_graph=True)
        with torch.no_grad():
            slope -= 0.05 * slope.grad
        slope.grad = None
        slopes.append(slope.item())
    return slopes


with expect_error(RuntimeError):
    fit_with_retained_graph(2)

# %%
# Another error, and rightly so: the graph of the penalty was kept, but the slope has another value now. This time we
# were lucky. Had we written to ``slope.data`` (the same memory, as a tensor that autograd does not watch), the penalty
# would silently have continued with the wrong slope.
#
# ``requires_grad_()`` on the result, to cure MG103:

mistakes = (scores.argmax(dim=1) != classes).sum().float().requires_grad_()
scores.grad = None
mistakes.backward()
print("mistakes.grad:", mistakes.grad, "  scores.grad:", scores.grad)
assert scores.grad is None

# %%
# There is no error any more. The result has become a leaf, its own gradient is 1, and nothing learns.
#
# And the broadcast that *does* fit. Five predictions in a column, five heights in a row:

predicted = (slope * times + start).detach()[:, None]
wrong = ((predicted - heights) ** 2).mean()
right = ((predicted[:, 0] - heights) ** 2).mean()
print(f"loss with shape {list((predicted - heights).shape)}: {wrong.item():.3f}")
print(f"loss with shape {list((predicted[:, 0] - heights).shape)}:    {right.item():.3f}")
assert wrong > 10 * right

# %%
# Each prediction was compared with each height. No error can know that this was not meant. A line such as ``assert
# predicted.shape == heights.shape`` does.
#
# Summary
# -------
#
# - A message says what happened, to which tensor, where, why, and what to write instead; its code never changes.
# - Ask three questions: which tensor, what was done to it before, and what did I want?
# - ``why_no_grad`` answers the question for which there is no error.
# - A cure that only removes the message usually removes the learning too.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. ``python -m minigrad explain`` lists all errors. Find one whose title you do not understand, and read its page.
#    Say in two sentences of your own when it is raised, and write a program that raises it, and its cure.
# 2. Take a program of yours that raised an error last week, or one that an exercise of this course made you write.
#    Answer the three questions in writing, one line each.
# 3. Break a program of yours, or the fit of this page, in three ways. Write down what you expect each message to say
#    before you run it, and compare.
