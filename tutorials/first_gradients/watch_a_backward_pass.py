"""
Watch a backward pass
=====================

``loss.backward()`` is one line, and when it returns everything has happened. On this page we watch it happen: which
step runs, what arrives there, by which formula it goes on, and where gradients add up. You will see the three moments
at which most people are surprised.

You need ``backward`` and ``.grad``, from :doc:`gradients_of_one_expression`.
:doc:`/tutorials/the_graph/reading_the_graph` explains the graph that we see here.

After this page you can say which gradient arrives at which step of a pass, and find out why a loop that adds gradients
up goes astray.
"""

# %%
# The problem
# -----------
#
# A line is fitted to four points by gradient descent. The step is well chosen, and still the loss, which falls at
# first, begins to rise.

import minigrad as torch

torch.set_default_dtype(torch.float64)

x = torch.tensor([0.0, 1.0, 2.0, 3.0])
y = torch.tensor([1.0, 3.0, 5.0, 7.0])
slope = torch.tensor(0.0, requires_grad=True)
start = torch.tensor(0.0, requires_grad=True)


def loss_of(slope, start):
    return ((slope * x + start - y) ** 2).mean()


losses = []
for step in range(8):
    loss = loss_of(slope, start)
    loss.backward()
    losses.append(round(loss.item(), 2))
    with torch.no_grad():
        for parameter in (slope, start):
            parameter -= 0.1 * parameter.grad

print(losses)
assert losses[2] < losses[0] < max(losses)

# %%
# If you have seen this before, the mistake is obvious. Let us pretend we have not, and look.
#
# One step at a time
# ------------------
#
# First something small. ``play`` rehearses the backward pass of a result and shows it. Press the large button, or
# step with the arrow keys.

# sphinx_gallery_thumbnail_path = '_static/thumbnails/watch_a_backward_pass.svg'
from minigrad.teaching import expect_error

a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(3.0, requires_grad=True)
result = torch.sin(a * b)
torch.viz.play(result)

# %%
# The picture is the graph. Its nodes are dashed until they have run; the one that runs is framed, and the edges on
# which its gradients leave are lit. What arrives at a node is called :math:`d`. The formulas are those of calculus,
# with the names of the operation's inputs: ``self`` is the first, as in ``self * other``. Each is followed by its
# numbers.
#
# Sine gives :math:`d \cos(\mathrm{self})`, with the value of ``self`` that it saved in the forward pass. The product
# sends to each factor :math:`d` times the *other* one. And ``AccumulateGrad`` is the end of a path, where the
# gradient is put into ``.grad``.
#
# These numbers were not made up for the picture. They were written down while the engine ran, and you can ask for
# them: ``player.steps`` are the steps, and the ``flows`` of a step are the gradients that leave it, each with its
# ``formula``. (A pass throws away what the graph has saved. ``retain_graph=True`` keeps it, for another pass.)

player = torch.viz.play(result)
for step in player.steps:
    for flow in step.flows:
        print(f"{step.name:16}{flow.formula:16} = {flow.gradient.text}")

to_a, to_b = player.steps[1].flows
assert to_a.gradient.array == torch.autograd.grad(result, a, retain_graph=True)[0].numpy()

# %%
# It was a rehearsal: the graph is still there, and nobody's ``.grad`` has changed.

assert a.grad is None
result.backward()
assert a.grad is not None

# %%
# Predict, then look
# ------------------
#
# You learn more from a step that you have predicted. With ``ask=True`` the player asks for each gradient before it
# shows it, and if you are wrong it says which term is missing or where the factor comes from. Take the quotient of
# two numbers. Two paths lead to ``q``; what arrives there in all?

p = torch.tensor(6.0, requires_grad=True)
q = torch.tensor(2.0, requires_grad=True)
torch.viz.play(p / q + q * q, ask=True)

# %%
# You can play an expression of your own without writing a program: ``python -m minigrad play "sin(x) * y" x=1 y=2
# --ask`` opens such a page.
#
# Which node is next?
# -------------------
#
# A node may run when all its gradients have arrived. Of those that may, the one that was recorded last runs first; an
# ``AccumulateGrad``, the end of a path, runs before all others. Watch the order here. The product is recorded first,
# and used twice. So it has to wait for both, although the path through the sum is short:

a = torch.tensor(2.0, requires_grad=True)
product = a * 3
result = product + torch.exp(torch.tanh(product))
player = torch.viz.play(result)
player

# %%
# Of the two gradients that go to the product one is *the first of 2 to arrive there*, and the other is *added to what
# is there*. Only then does the product run.

names = [step.name for step in player.steps]
print(" -> ".join(names))
assert names[0] == "AddBackward0" and names[-2:] == ["MulBackward0", "AccumulateGrad"]

# %%
# First surprise: the gradient of what was used twice is a sum
# ------------------------------------------------------------
#
# In :math:`x \cdot x` there is one :math:`x`, and there are two paths to it. Each brings the gradient as if the other
# did not exist: 3 and 3. They meet at the leaf, and are added: 6, which is :math:`2x`. The power rule follows from
# the product rule, by way of a ``+=``.

leaf = torch.tensor(3.0, requires_grad=True)
player = torch.viz.play(leaf * leaf)
player

# %%
first, second = player.steps[0].flows
for flow in first, second:
    print(f"{flow.formula} = {flow.gradient.text}, together {flow.total.text}")
assert first.first and not second.first and second.total.array == 6

# %%
# Second surprise: backwards, a broadcast is a sum
# ------------------------------------------------
#
# ``start`` is one number, added to four. Forwards it was silently copied four times. Backwards each of the four has a
# gradient, and the one number that they all came from gets the sum. In the player this is the row *fitted*. It is not
# part of the formula: the engine does it on the edge, for all operations in the same way. (Here both numbers are made
# anew. Those of the loop above have something in ``.grad`` from its last round, and the third surprise is about that.)

slope = torch.tensor(3.0, requires_grad=True)
start = torch.tensor(0.0, requires_grad=True)
loss = loss_of(slope, start)
torch.viz.play(loss)

# %%
# A row that is added to a matrix is the usual case, the bias of a layer:

inputs, weight = torch.ones(4, 3), torch.ones(3, 2, requires_grad=True)
bias = torch.zeros(2, requires_grad=True)
player = torch.viz.play((inputs @ weight + bias).sum())

step = next(step for step in player.steps if step.name == "AddBackward0")
to_bias = step.flows[1]
print(f"{to_bias.result.shape} {to_bias.fitted}")
assert to_bias.gradient.array.tolist() == [4, 4]

# %%
# Third surprise: .grad is added to
# ---------------------------------
#
# Back to our line. ``record`` writes down the passes that a program makes by itself. Here are two rounds of the loop,
# from the beginning. Go to the last step of each, with the slider.

slope = torch.tensor(0.0, requires_grad=True)
start = torch.tensor(0.0, requires_grad=True)

with torch.viz.record() as passes:
    for _ in range(2):
        loss = loss_of(slope, start)
        loss.backward()
        with torch.no_grad():
            slope -= 0.1 * slope.grad
            start -= 0.1 * start.grad

passes

# %%
# In the first pass ``slope.grad`` goes from ``None`` to a number. In the second it does not: it was there, and the
# new gradient is *added*. So each step of our descent went in the direction of all gradients that there had ever
# been.

for step in passes.steps:
    if step.leaf == "slope":
        before = step.before.text if step.before else "None"
        print(f"slope.grad: {before} += {step.added.text} gives {step.after.text}")
assert step.before is not None

# %%
# The cure is to clear it before each pass. (Why does ``backward`` add at all? Because a parameter may be used in
# several losses, or see a large batch in several parts. Then the sum is what you want.) The descent goes on from where
# the two rounds ended:

losses = []
for _ in range(8):
    for parameter in (slope, start):
        parameter.grad = None
    loss = loss_of(slope, start)
    loss.backward()
    losses.append(round(loss.item(), 2))
    with torch.no_grad():
        for parameter in (slope, start):
            parameter -= 0.1 * parameter.grad

print(losses)
assert losses == sorted(losses, reverse=True)

# %%
# In a terminal, and in a file
# ----------------------------
#
# ``torch.explain`` prints the story. It says the same, and it is what you want in a debugger:

z = torch.tensor(2.0, requires_grad=True)
torch.explain(torch.sin(z * z))

# %%
# ``player.save("pass.html")`` writes a page that needs no other file and no network: for a lecture, or for the person
# who asked what your loss does.
#
# What goes wrong
# ---------------
#
# **A pass that fails.** ``play`` raises nothing then. It shows the pass up to where it failed, with what had been
# saved and what was overwritten, and the message. (The underscore of ``add_`` says that it writes into the tensor
# itself, as ``+=`` does. Here it writes over a number that the product needs.)

h = torch.tensor([1.0, 2.0], requires_grad=True).clone()
loss = (h * h).sum()
h.add_(1)
player = torch.viz.play(loss)
print(player.steps[-1].name, "-", player.steps[-1].saved[0].note)
assert "MG101" in player.steps[-1].error

# %%
# **Too much to watch.** More than 400 nodes are refused, before anything runs. Play the gradient of something on the
# way, or of one round of the loop instead of a hundred:

deep = a
for _ in range(500):
    deep = torch.sin(deep)
with expect_error(RuntimeError):
    torch.viz.play(deep)

# %%
# **Names.** The player names tensors after the variables of the function that called it. A tensor that only a list or
# an object refers to has no name there. In the picture it is *the leaf*.
#
# Summary
# -------
#
# - ``play`` rehearses a pass and shows it; ``record`` shows the passes of a block; ``explain`` prints one.
# - A gradient that arrives at a used tensor is added to what is there: on the way, and in ``.grad``.
# - A node runs once, when everything that can arrive has arrived.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. ``torch.maximum(a, b)`` with ``a`` equal to ``b``: what does each get? Find the formula in the player, and the
#    row in ``minigrad/ops``.
# 2. Take the network of :doc:`reading_digits` with two images and three hidden units, and play its loss. Find all
#    sums over the batch.
# 3. Play ``torch.where(x > 0, x.sqrt(), x)`` at zero and below. At which step does the ``nan`` first appear?
