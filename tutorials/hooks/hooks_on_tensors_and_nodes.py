"""
Hooks on tensors and nodes
==========================

``backward`` computes a gradient for every intermediate result, uses it, and throws it away. A *hook* is a function of
yours that is called with such a gradient. It can look at the gradient, or replace it. On this page you use hooks to
find out where a gradient gets lost, to clip one that grows, and to train a network with less memory.

After this page you can find the step of a computation at which a gradient is lost or becomes nan, and change the
gradient of a tensor, of some of its rows, or of one path that leads to it.

You need ``backward`` and ``.grad``, from :doc:`/tutorials/first_gradients/gradients_of_one_expression`.
"""

# %%
# The problem
# -----------
#
# Here is a computation in thirty steps. Each multiplies a vector by the same matrix and takes the hyperbolic tangent:
# this is the core of a recurrent network. How does the end depend on the start?

import matplotlib.pyplot as plt

import minigrad as torch
from minigrad.teaching import expect_error

torch.manual_seed(0)
noise = torch.randn(64, 64) / 8
start = torch.randn(64)

for scale in 0.7, 3.0:
    matrix = scale * noise
    h = x = start.clone().requires_grad_()
    for step in range(30):
        h = torch.tanh(h @ matrix)
    h.sum().backward()
    print(f"matrix times {scale}: gradient of length {x.grad.norm().item():.5f}")

# %%
# One gradient is tiny and the other huge. With the first nothing is learned, with the second training diverges. In
# which of the thirty steps did it happen? ``.grad`` shows only the end of the story.
#
# Looking at a gradient
# ---------------------
#
# After ``tensor.register_hook(function)``, every backward pass calls ``function(gradient)`` as soon as the gradient
# of that tensor is known. We register a hook on each intermediate result:

lengths = {}
for scale in 0.7, 3.0:
    seen = lengths[scale] = []
    matrix = scale * noise
    h = x = start.clone().requires_grad_()
    for step in range(30):
        h = torch.tanh(h @ matrix)
        h.register_hook(lambda gradient, seen=seen: seen.append(gradient.norm().item()))
    assert seen == []               # so far nothing has gone backwards
    h.sum().backward()
    assert len(seen) == 30

# alt: The length of the gradient at each of thirty steps, on a logarithmic axis. Both curves are nearly straight
#      lines. From step 30 back to step 1, the one for the matrix times 3 rises by many orders of magnitude, and the
#      one for the matrix times 0.7 falls.
# sphinx_gallery_start_ignore
figure, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
axes.semilogy(range(30, 0, -1), lengths[3.0], "^-", markersize=4, label="matrix times 3")
axes.semilogy(range(30, 0, -1), lengths[0.7], "o-", markersize=4, label="matrix times 0.7")
axes.set(xlabel="step  (backward goes from right to left)", ylabel="length of the gradient")
axes.legend(frameon=False)
axes.grid(alpha=0.3)
# sphinx_gallery_end_ignore
plt.show()

# %%
# (The gradients arrive in the order of the backward pass, last step first.)
#
# No single step is to blame. Each multiplies the length of the gradient by about the same factor. Over thirty steps,
# a factor below 1 leaves almost nothing of it, and a factor above 1 makes it explode:

shrinking = (lengths[0.7][-1] / lengths[0.7][0]) ** (1 / 29)
growing = (lengths[3.0][-1] / lengths[3.0][0]) ** (1 / 29)
print(f"per step: times {shrinking:.2f}, times {growing:.2f}")
assert shrinking < 0.8 and growing > 1.2

# %%
# If you only want to see the gradient of one intermediate result, there is a shorter way: ``retain_grad`` has it put
# into ``.grad``, as if the result were a leaf.

# teaches: Tensor.retain_grad
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * x
y.retain_grad()
(3 * y).sum().backward()
print("y.grad =", y.grad)
assert y.grad.tolist() == [3, 3]

# %%
# A hook stays for as long as its tensor lives. ``register_hook`` returns a handle that takes it away again: call
# ``handle.remove()``, or use the handle in a ``with`` statement, which removes the hook at the end of the block.

# teaches: Tensor.register_hook, RemovableHandle.remove
calls = []
handle = x.register_hook(calls.append)
(x * x).sum().backward()
handle.remove()
(x * x).sum().backward()
print("after remove():", len(calls), "call")

with x.register_hook(calls.append):
    (x * x).sum().backward()
(x * x).sum().backward()
print("after the block:", len(calls), "calls")
assert len(calls) == 2

# %%
# Changing a gradient
# -------------------
#
# What a hook returns replaces the gradient, and the backward pass continues with that. If it returns ``None``, as all
# our hooks have done so far, nothing changes. This one shortens a gradient that is too long:


def clip(gradient):
    length = gradient.norm()
    if length > 10:
        return gradient * (10 / length)


def gradient_at_start(hook):
    h = x = start.clone().requires_grad_()
    for step in range(30):
        h = torch.tanh(h @ (3.0 * noise))
        h.register_hook(hook)
    h.sum().backward()
    return x.grad


as_it_is, clipped = gradient_at_start(lambda gradient: None), gradient_at_start(clip)
cosine = (as_it_is @ clipped / (as_it_is.norm() * clipped.norm())).item()
print(f"length as it is {as_it_is.norm().item():.0f}, clipped {clipped.norm().item():.2f}")
print(f"cosine of the angle between them: {cosine:.4f}")
assert clipped.norm() < 30 and cosine > 0.999

# %%
# The direction is still that of the true gradient, because each hook only multiplied it by a number; the length is
# what we made it. Where several paths meet, even the direction would change if some of them were clipped and others
# were not. A hook that returns something is responsible for the result.
#
# Several hooks on one tensor run in the order in which they were registered, and each receives what the previous one
# returned:

x = torch.tensor(1.0, requires_grad=True)
x.register_hook(lambda gradient: gradient + 1)
x.register_hook(lambda gradient: gradient * 10)
(2 * x).backward()
assert x.grad == (2 + 1) * 10

# %%
# A tensor's hook sees the *whole* gradient of that tensor. If several paths lead to the result, ``backward`` waits
# until all of them have contributed, adds up, and calls the hook once.

x = torch.tensor(3.0, requires_grad=True)
seen = []
x.register_hook(lambda gradient: seen.append(gradient.item()))
(x * x + x * 5).backward()
assert seen == [2 * 3 + 5]

# %%
# So how do we change the gradient on *one* of the paths? By giving the path a tensor of its own. ``view_as`` makes a
# new one with the same numbers.

x = torch.tensor(3.0, requires_grad=True)
path = x.view_as(x)
path.register_hook(lambda gradient: -gradient)
(x * x + path * 5).backward()
assert x.grad == 2 * 3 - 5

# %%
# In the forward pass this changes nothing; in the backward pass it flips the sign. That looks odd, but is used in
# practice: a network that should *unlearn* something (who wrote this digit?) receives the gradient of that question
# reversed.
#
# When a leaf has its gradient
# ----------------------------
#
# Training usually takes two stages: ``backward`` fills every ``.grad``, then the weights are changed. In between, all
# gradients are in memory at once, as many numbers as there are weights. That is not necessary, because ``backward``
# finishes the weights one after the other. ``register_post_accumulate_grad_hook(function)`` has ``function(leaf)``
# called when ``leaf.grad`` is complete. We change the weight then and there, and drop its gradient:

# teaches: register_post_accumulate_grad_hook
import tracemalloc


def step_now(weight):
    with torch.no_grad():
        weight -= 0.01 * weight.grad
    weight.grad = None


def train(inside_backward):
    torch.manual_seed(1)
    weights = [(torch.randn(300, 300) / 17).requires_grad_() for _ in range(20)]
    h = torch.randn(8, 300)
    if inside_backward:
        for weight in weights:
            weight.register_post_accumulate_grad_hook(step_now)
    for weight in weights:
        h = torch.tanh(h @ weight)
    loss = (h * h).sum()
    tracemalloc.start()
    loss.backward()
    if not inside_backward:
        for weight in weights:
            step_now(weight)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return weights, peak


after, peak_after = train(inside_backward=False)
inside, peak_inside = train(inside_backward=True)
print(f"most memory, step after backward:  {peak_after / 1e6:5.2f} MB")
print(f"most memory, steps inside backward:{peak_inside / 1e6:5.2f} MB")

assert all(torch.equal(a, b) for a, b in zip(after, inside))
assert peak_inside < peak_after / 3

# %%
# The weights are the same, bit for bit, and the peak is a fraction of what it was. May a weight change in the middle
# of a backward pass? At this point, yes: when the gradient of a weight is complete, every step that used the weight
# has been differentiated, so its old value is no longer needed. (If the same graph is run again, it is. Then the
# weight has another version than was saved, and there is an error: see :doc:`/tutorials/in_place/in_place_operations`.)
#
# Hooks on nodes
# --------------
#
# A *node* is a step of the graph: ``y.grad_fn`` is the one that made ``y``. It receives the gradients of its outputs
# and computes those of its inputs. A hook on a node sees one or both:
#
# - ``node.register_prehook(f)`` calls ``f(grad_outputs)`` before the node runs;
# - ``node.register_hook(f)`` calls ``f(grad_inputs, grad_outputs)`` after it has run.
#
# Both arguments are tuples, because a node can have several inputs and outputs. A gradient that is not needed is
# ``None``. A tuple that the hook returns replaces ``grad_outputs`` before, or ``grad_inputs`` after.

# teaches: Node.register_hook, Node.register_prehook
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * torch.tensor([10.0, 20.0])
y.grad_fn.register_prehook(lambda grad_outputs: print("goes in:  ", grad_outputs))
y.grad_fn.register_hook(lambda grad_inputs, _: print("comes out:", grad_inputs))
y.sum().backward()

# %%
# ``grad_outputs`` is what goes *in*: inputs and outputs are named after the forward pass.
#
# A node's hook can see what a tensor's hook cannot: the contribution of one path. A tensor's hook receives the sum:

x = torch.tensor(3.0, requires_grad=True)
square, multiple = x * x, x * 5
shares = []
for y in square, multiple:
    y.grad_fn.register_hook(lambda grad_inputs, _: shares.append(grad_inputs))
(square + multiple).backward()
print("shares:", shares)
print("sum:   ", x.grad)
assert sum(share for inputs in shares for share in inputs if share is not None) == x.grad

# %%
# The player names each hook at the step where it runs, so you can watch the contributions meet.
# (:doc:`/tutorials/first_gradients/watch_a_backward_pass` explains the player.)

x = torch.tensor(3.0, requires_grad=True)
square, multiple = x * x, x * 5
square.register_hook(lambda gradient: gradient * 10)
multiple.grad_fn.register_prehook(lambda grad_outputs: None)
x.register_hook(lambda gradient: None)
torch.viz.play(square + multiple)

# %%
# Several tensors at once
# -----------------------
#
# Some questions concern more than one gradient: how do those of two branches compare? Each arrives at its own time.
# ``register_multi_grad_hook(tensors, function)`` waits for the last of them, and calls ``function(gradients)`` with
# all of them, in the order of ``tensors``.

# teaches: register_multi_grad_hook
x = torch.tensor([1.0, 2.0], requires_grad=True)
left, right, unused = torch.sin(x), torch.exp(x), torch.cos(x)
ratios = []


def compare(gradients):
    of_left, of_right, of_unused = gradients
    assert of_unused is None            # it plays no part in the result
    ratios.append(of_right.norm().item() / of_left.norm().item())
    return [torch.zeros(2)] * 3         # ignored


torch.autograd.graph.register_multi_grad_hook([left, right, unused], compare)
(left + 3 * right).sum().backward()
print(f"ratio: {ratios[0]:.4f}, told {len(ratios)} time")
assert len(ratios) == 1 and abs(ratios[0] - 3) < 1e-6
assert torch.allclose(x.grad, torch.cos(x) + 3 * torch.exp(x))

# %%
# Such a hook may only look: what it returns is ignored. It waits only for the gradients that the pass computes; the
# place of a tensor that plays no part is ``None``.
#
# .. folded:: It must not write into the gradients either
#
# When it is called, the first of them has already been used, and only the last can still be changed. There is no
# error, just a result that is half one thing and half the other:

x = torch.tensor([1.0, 2.0], requires_grad=True)
z = torch.tensor([3.0, 4.0], requires_grad=True)
left, right = 5 * x, 5 * z


def clear_both(gradients):
    for gradient in gradients:
        gradient.zero_()


torch.autograd.graph.register_multi_grad_hook([left, right], clear_both)
(left * torch.ones(2) + right * torch.ones(2)).sum().backward()
print("x.grad", x.grad.tolist(), " z.grad", z.grad.tolist())
assert x.grad.tolist() == [0, 0] and z.grad.tolist() == [5, 5]

# %%
# The order of hooks
# ------------------
#
# If several hooks wait at one place, their order matters. The hooks of the tensor come first, in the order of their
# registration. Then comes the node: its prehooks, its work, its hooks. At a leaf, the gradient is added to ``.grad``
# after the leaf's hooks, and the hooks after accumulation come last. (:doc:`The order in which things happen
# </notes/order>` states it in full.)
#
# .. folded:: See it happen

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 3
told = []


def tell(what):
    return lambda *ignored: told.append(what)


y.grad_fn.register_hook(tell("y's node: hook"))         # registered in the wrong order,
y.grad_fn.register_prehook(tell("y's node: prehook"))   # to show that it does not matter
y.register_hook(tell("y: first hook"))
y.register_hook(tell("y: second hook"))
x.register_post_accumulate_grad_hook(tell("x: .grad is complete"))
x.register_hook(tell("x: hook"))

y.sum().backward()
print(*told, sep="\n")

assert told == [
    "y: first hook",
    "y: second hook",
    "y's node: prehook",
    "y's node: hook",
    "x: hook",
    "x: .grad is complete",
]

# %%
# A hook on several tensors runs among the hooks of the tensor whose gradient comes last, at the place at which it was
# registered there:

x = torch.tensor([1.0, 2.0], requires_grad=True)
a, b = x * 3, x * 5
told.clear()
for name, tensor in ("a", a), ("b", b):
    tensor.register_hook(tell(f"{name}: first hook"))
torch.autograd.graph.register_multi_grad_hook([a, b], tell("a and b"))
for name, tensor in ("a", a), ("b", b):
    tensor.register_hook(tell(f"{name}: later hook"))
    tensor.grad_fn.register_prehook(tell(f"{name}'s node: prehook"))

(a + b).sum().backward()
print(*told, sep="\n")
assert told == [
    "b: first hook",
    "b: later hook",
    "b's node: prehook",
    "a: first hook",
    "a and b",
    "a: later hook",
    "a's node: prehook",
]

# %%
# And ``retain_grad``? It keeps what the tensor's hooks have made of the gradient, but not what a prehook does to it:

y = x * 3
y.retain_grad()
y.register_hook(lambda gradient: gradient + 1)
y.grad_fn.register_prehook(lambda grad_outputs: (grad_outputs[0] * 100,))
y.sum().backward()
assert y.grad.tolist() == [2, 2]

# %%
# .. folded:: Before and after an in-place operation
#
# ``y.mul_(10)`` writes new numbers into ``y``. From then on the *name* ``y`` refers to another value in the graph,
# with another gradient. Which of the two gradients does a hook see that was registered before?

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 2
saw = {}
y.register_hook(lambda gradient: saw.update(early=gradient))
y.retain_grad()
y.mul_(10)
y.register_hook(lambda gradient: saw.update(late=gradient))
y.sum().backward()

print("registered before:", saw["early"])
print("registered after: ", saw["late"])
print("retained:         ", y.grad)
assert saw["early"].tolist() == [10, 10]
assert saw["late"].tolist() == [1, 1] == y.grad.tolist()

# %%
# A hook belongs to the *value* that the tensor had when it was registered. The sum grows ten times as fast as the
# early value, and exactly as fast as the late one. ``retain_grad`` belongs to the *tensor*, and shows the gradient of
# what it holds in the end.
#
# What goes wrong
# ---------------
#
# **A hook that writes into its argument.** A gradient may be shared. In a sum, both terms have the same gradient, and
# to save memory they get the very same tensor:

x = torch.tensor([1.0, 2.0], requires_grad=True)
z = torch.tensor([1.0, 2.0], requires_grad=True)
x.register_hook(lambda gradient: gradient.mul_(0))      # meant: no gradient for x
((x + z) * torch.tensor([3.0, 4.0])).sum().backward()
print("x.grad =", x.grad, "  z.grad =", z.grad)
assert z.grad.tolist() == [0, 0]                        # it should be 3 and 4!

# %%
# There is no warning. Return a new tensor instead, ``gradient * 0``, and leave the argument as it is.
#
# **A hook on a tensor that is not on the path.** An expression such as ``W.T`` makes a *new* tensor each time. A hook
# on one of them sees only what passes through that one: here, nothing.

W = torch.randn(2, 2, requires_grad=True)
seen = []
W.T.register_hook(seen.append)          # nothing uses this transpose
(W.T @ x.detach()).sum().backward()     # this one is another
assert seen == []

# %%
# **A hook that was never removed.** A leaf lives long. A hook registered inside the training loop is registered again
# in every iteration:

weight = torch.tensor(1.0, requires_grad=True)
for _ in range(3):
    weight.grad = None
    weight.register_hook(lambda gradient: gradient / 2)     # belongs before the loop
    (8 * weight).backward()
    print("gradient:", weight.grad.item())
assert weight.grad == 8 / 2 ** 3

# %%
# .. folded:: A hook that keeps its tensor alive
#
# The tensor holds the hook. If the hook mentions the tensor, it holds the
# tensor as well: they form a *cycle*. Nothing but Python's garbage collector can free it, which comes by now and then,
# and until it does all memory of the graph behind it is in use. (PyTorch's collector does not see this cycle at all.)

import gc
import weakref


def with_cycle(x):
    y = x * 2
    y.register_hook(lambda gradient: gradient * y.detach())     # mentions y
    return weakref.ref(y)


def without_cycle(x):
    y = x * 2
    numbers = y.detach()                                        # outside, once
    y.register_hook(lambda gradient: gradient * numbers)
    return weakref.ref(y)


gc.disable()
kept, freed = with_cycle(x), without_cycle(x)
assert kept() is not None and freed() is None
gc.enable()
gc.collect()
print("after the collector:", "gone" if kept() is None else "still there")

# %%
# A ``weakref.ref(y)`` does not keep ``y`` alive, and tells whether it still exists. Mention what you need *of* the
# tensor, or remove the hook when you are done.
#
# .. folded:: A hook that returns the wrong thing, or raises
#
# What replaces a gradient must have its shape. This is checked:

double = x * 2
double.register_hook(lambda gradient: gradient.sum())
with expect_error(RuntimeError):
    double.sum().backward()

# %%
# The exception that a hook raises comes out of ``backward``, which stops there. What has been accumulated by then stays
# in ``.grad``: an incomplete gradient. Clear it before you go on.


def refuse(gradient):
    raise ValueError("not through here")


a, b = (torch.tensor(1.0, requires_grad=True) for _ in range(2))
inner = a * 2
inner.register_hook(refuse)
with expect_error(ValueError):
    (inner + b).backward()
print("a:", a.grad, " b:", b.grad)
assert a.grad is None and b.grad == 1

# %%
# Summary
# -------
#
# - ``tensor.register_hook(f)`` calls ``f(gradient)`` in every pass; what ``f`` returns replaces the gradient. Never
#   write into the argument.
# - ``register_post_accumulate_grad_hook`` runs when a leaf's ``.grad`` is complete: an optimizer step fits there.
# - ``grad_fn.register_prehook`` and ``grad_fn.register_hook`` run before and after a node, and see the contribution
#   of one path.
# - ``register_multi_grad_hook`` waits for the gradients of several tensors, and only looks.
# - Every registration returns a handle. Remove what you no longer need, and let no hook mention its own tensor.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. ``clip`` clips each gradient by itself. Optimizers clip all of them *together*: if all gradients, taken as one
#    long vector, are longer than 1, each is multiplied by the same factor. Why can no tensor hook do that? Do it
#    after ``backward``.
# 2. Use one weight in two steps of a chain, and count how often its post-accumulate hook is called. Then call
#    ``backward(retain_graph=True)`` twice with ``step_now`` on that weight. What happens, and why?
# 3. Find the median absolute value of the gradients of every intermediate result of your own network, and draw it by
#    depth. Prehooks on all nodes below the loss reach the results that have no name
#    (:doc:`/tutorials/the_graph/reading_the_graph` walks a graph).
# 4. A node's two hooks run before and after its work. Register such a pair on every node below a loss, let them read
#    the clock, and print where the time of a backward pass goes. Compare it with
#    :doc:`/tutorials/at_work/profile_a_training_loop`.
