"""
When not to record
==================

Recording costs memory, and sometimes it is wrong: when a program measures, updates or samples, nobody will ask for a
gradient. On this page we switch recording off for a block, for a tensor and for good, and find out how ``no_grad`` and
``inference_mode`` differ.

You need ``backward`` and ``.grad``, from :doc:`gradients_of_one_expression`.

After this page you can keep a measurement or an update out of the graph, and cut a single tensor off from its history.
"""

# %%
# The problem
# -----------
#
# From two readings of a thermometer one can guess better than from one: we start at the first, and go a part of the way
# to the next. A weight says how far. Before it is learned we want to see how good the guesses are, and print the mean
# of their losses now and then. The first version of the program adds them up:

import minigrad as torch

torch.manual_seed(0)
readings = 20 + torch.randn(200)
weight = torch.tensor(0.5, requires_grad=True)


def graph_size(result):
    """The number of nodes that ``result`` keeps alive."""
    seen, waiting = set(), [result.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in seen:
            seen.add(node)
            waiting.extend(earlier for earlier, _ in node.next_functions)
    return len(seen)


total, before = torch.tensor(0.0), readings[0]
for number, reading in enumerate(readings[1:], 1):
    guess = before + torch.sigmoid(weight) * (reading - before)
    total = total + (guess - 20) ** 2
    if number in (1, 10, 100):
        mean = total.item() / number
        print(f"{number:3} readings: mean loss {mean:.3f}, {graph_size(total):4} nodes")
    before = reading

# %%
# The mean is a number to look at, yet ``total`` carries a graph that grows with every reading: each loss hangs on to
# the tensors of its own step, and ``total`` to all the losses. This is a memory leak, and no error will ever report
# it.
#
# A block that is not recorded
# ----------------------------
#
# Inside ``torch.no_grad()`` operations compute, and write nothing down. Their results do not require gradients, and
# have no ``grad_fn``:

# sphinx_gallery_thumbnail_path = '_static/thumbnails/when_not_to_record.svg'
y = torch.sigmoid(weight)
# teaches: no_grad, Tensor.requires_grad
with torch.no_grad():
    z = torch.sigmoid(weight)
    print("recording:", torch.is_grad_enabled())
print(y.requires_grad, y.grad_fn)
print(z.requires_grad, z.grad_fn)
assert y == z and torch.is_grad_enabled()

# %%
# The same sum, with the addition in such a block: ``total`` is now a number like any other.

total, before = torch.tensor(0.0), readings[0]
for reading in readings[1:]:
    guess = before + torch.sigmoid(weight) * (reading - before)
    loss = (guess - 20) ** 2
    with torch.no_grad():
        total += loss
    before = reading
print("requires grad:", total.requires_grad, " grad_fn:", total.grad_fn)
assert total.grad_fn is None

# %%
# ``no_grad`` is also a decorator, for functions that never record. And inside it ``enable_grad`` records again. A
# function that takes a gradient step *on its own*, whatever its caller does, needs both:


@torch.no_grad()
def step_towards(target, parameter, rate=0.1):
    # teaches: enable_grad
    with torch.enable_grad():
        loss = (torch.sigmoid(parameter) - target) ** 2
    slope, = torch.autograd.grad(loss, parameter)
    parameter -= rate * slope  # allowed: it is not recorded
    return loss.item()


with torch.no_grad():
    losses = [step_towards(0.9, weight) for _ in range(100)]
print(f"{losses[0]:.4f} -> {losses[-1]:.4f}, weight {weight.item():.3f}")
assert losses[-1] < losses[0] and weight.requires_grad

# %%
# When a flag decides, ``set_grad_enabled`` takes it. It is a block like the others, or, called by itself, a switch
# that stays where you put it.


def run(samples, train):
    # teaches: set_grad_enabled
    with torch.set_grad_enabled(train):
        return (torch.sigmoid(weight) * samples).sum()


print("training:  ", run(readings, train=True).requires_grad)
print("evaluating:", run(readings, train=False).requires_grad)
torch.set_grad_enabled(False)
# teaches: is_grad_enabled
print("recording: ", torch.is_grad_enabled())
torch.set_grad_enabled(True)
assert torch.is_grad_enabled()

# %%
# One tensor, cut off
# -------------------
#
# A block switches everything off. ``detach`` cuts one tensor: it returns a tensor on the same memory (``data_ptr`` is
# its address), without a history. Gradients stop there, and only there. The classical use is a *target* that depends on
# the parameters, but must not be moved: below, the guess is drawn to its own next value.

weight = torch.tensor(0.5, requires_grad=True)
first, second = torch.sigmoid(weight), torch.sigmoid(2 * weight)
((first - second) ** 2).backward()
both = weight.grad.item()

weight.grad = None
first, second = torch.sigmoid(weight), torch.sigmoid(2 * weight)
# teaches: Tensor.detach
((first - second.detach()) ** 2).backward()
print(f"through both: {both:.4f}, through the first alone: {weight.grad.item():.4f}")
assert second.detach().data_ptr() == second.data_ptr()
assert abs(both - weight.grad.item()) > 1e-3

# %%
# ``viz.graph`` draws what is recorded. There are two sigmoids in the program, and one in the graph: the other was cut
# off.

loss = (torch.sigmoid(weight) - torch.sigmoid(2 * weight).detach()) ** 2
torch.viz.graph({"loss": loss, "weight": weight})

# %%
# ``detach_`` cuts the tensor itself, in place: what was an intermediate result becomes a leaf. A recurrent network
# that reads an endless text does it between two chunks, so that ``backward`` stops at the last chunk.
# ``requires_grad_`` does the opposite for a leaf: from now on, record.

state = torch.zeros(3, requires_grad=True) * 2
print(state.grad_fn, state.is_leaf)
# teaches: Tensor.detach_
state.detach_()
print(state.grad_fn, state.is_leaf)
state.requires_grad_()
assert state.requires_grad and state.is_leaf

# %%
# Inference mode
# --------------
#
# A tensor made under ``no_grad`` can still be used in a graph later, so the writes to it are counted (the *version*
# that the player shows), and a part of a tensor has to know whose part it is. If you promise never to do that,
# ``inference_mode`` leaves this bookkeeping out too. What is made inside is an *inference tensor* for ever, and
# autograd refuses it where it would have to save it:

from minigrad.teaching import expect_error

# teaches: inference_mode, is_inference_mode_enabled
with torch.inference_mode():
    fast = torch.ones(3) * 2
    print("inference mode:", torch.is_inference_mode_enabled())
    print("recording:", torch.is_grad_enabled())
print("an inference tensor:", fast.is_inference())

w = torch.ones(3, requires_grad=True)
with expect_error(RuntimeError):
    (w * fast).sum()

# %%
# The product must save ``fast`` for the gradient of ``w``, and cannot check later that nobody has written to it. A
# copy, made outside the block, is an ordinary tensor. Side by side:
#
# =======================================  ===========  ====================
# After the block, a tensor made in it     ``no_grad``  ``inference_mode``
# =======================================  ===========  ====================
# can be computed with, unrecorded          yes          yes
# can be saved for a gradient              yes          only a clone of it
# can be written to                        yes          only in such a block
# =======================================  ===========  ====================

(w * fast.clone()).sum().backward()
print(w.grad)
with expect_error(RuntimeError):
    fast += 1
with torch.no_grad():
    slow = torch.ones(3) * 2
slow += 1
(w * slow).sum().backward()

# %%
# Use ``inference_mode`` to serve a trained model, and ``no_grad`` for everything that goes on in a training loop.
#
# What goes wrong
# ---------------
#
# **Switching off too much.** In a block without recording a loss has no history, and ``backward`` has nowhere to go:

with torch.no_grad():
    loss = (torch.sigmoid(weight) * readings).mean()
with expect_error(RuntimeError):
    loss.backward()

# %%
# **Curing that with** ``requires_grad_``. The error disappears, and so does the learning: the loss is now a leaf of
# its own, and no parameter gets a gradient.

weight.grad = None
loss.requires_grad_()
loss.backward()
print("of the loss:", loss.grad, " of the weight:", weight.grad)
assert weight.grad is None

# %%
# .. folded:: Old code with Variable
#
# Before tensors could record, a wrapper named ``Variable`` did it for them. Programs that still use it work: the
# wrapper returns an ordinary tensor.

# teaches: Variable
old = torch.autograd.Variable(torch.ones(2), requires_grad=True)
print(type(old).__name__, old.requires_grad)
assert isinstance(old, torch.Tensor)

# %%
# Everything that a tensor does, ``old`` does too. Without ``requires_grad=True`` the wrapper records nothing, just as
# a tensor made by a function of today, to which the size may be given as a tuple:

(old * 3).sum().backward()
print("gradient", old.grad, " detached, recorded:", old.detach().requires_grad)
assert old.grad.tolist() == [3, 3] and not old.detach().requires_grad

print("wrapped, recorded:", torch.autograd.Variable(torch.ones(2)).requires_grad)
new = torch.randn((2, 3, 4), requires_grad=True)
print("today:", tuple(new.shape), new.requires_grad)
assert not torch.autograd.Variable(torch.ones(2)).requires_grad and new.requires_grad

# %%
# Summary
# -------
#
# - ``no_grad`` for a block, ``enable_grad`` to record again in it, ``set_grad_enabled`` where a flag decides.
# - ``detach`` cuts one tensor off and shares its memory; ``detach_`` cuts the tensor itself.
# - ``inference_mode`` saves a little more, and its tensors can never be saved for a gradient.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Write ``memory_of(result)``: the bytes of all tensors that the graph of ``result`` has saved. Compare the two
#    loops of the first section.
# 2. A target network follows a network by ``target = 0.99 * target + 0.01 * source``, parameter by parameter. Write
#    it three ways, with ``no_grad``, with ``detach`` and with ``.data``, and say what each would do if it were
#    forgotten.
