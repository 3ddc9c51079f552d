"""
Checkpointing: memory for time
==============================

To go backwards, autograd keeps what it computed in the forward pass. In a deep network this is most of the memory.
Instead, we can forget it, and compute it again when it is needed. On this page you write that as a Function of sixteen
lines whose ``backward`` calls ``backward``, and you find out how much memory it saves, and what that costs.

After this page you can write a checkpoint for a segment with one input or several, which notices if a weight has
changed in between, and leave it out where it saves nothing.

You need Functions, from :doc:`/tutorials/your_own_functions/your_own_function`.
"""

# %%
# The problem
# -----------
#
# We take a hundred layers, each a product with a matrix and a hyperbolic tangent. The input has 400 rows of 64
# numbers.

import functools
import gc
import math
import time
import tracemalloc

import matplotlib.pyplot as plt
from threadpoolctl import threadpool_limits

import minigrad as torch
from minigrad.teaching import expect_error

torch.manual_seed(0)
depth = 100
weights = [(torch.randn(64, 64) / 8).requires_grad_() for _ in range(depth)]
data = torch.randn(400, 64).requires_grad_()        # we will see why it requires grad

evaluations = 0


def run(layers, h):
    global evaluations
    for weight in layers:
        evaluations += 1
        h = torch.tanh(h @ weight)
    return h

# %%
# Each layer makes an array of 400 times 64 numbers of four bytes. ``tanh`` saves it, as its result, and the next
# product saves the same array, as its factor. So a hundred layers should keep a hundred arrays.
#
# We measure with ``tracemalloc``, which knows the memory of every NumPy array. The gradients exist before we start,
# and ``backward`` adds to them, so they do not count. All of it runs on one core, for steady times.

array_bytes = data.nbytes


@threadpool_limits.wrap(limits=1)
def measure(compute):
    """Arrays held at the worst moment, seconds, layer runs, and the gradients."""
    global evaluations
    seconds = []
    for _ in range(3):          # timed before: tracemalloc is slow, and first calls load
        start = time.perf_counter()
        compute(data).sum().backward()
        seconds.append(time.perf_counter() - start)
    for tensor in [data, *weights]:
        tensor.grad = torch.zeros_like(tensor)
    gc.collect()
    evaluations = 0
    tracemalloc.start()
    compute(data).sum().backward()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    count = evaluations
    gradients = [tensor.grad.clone() for tensor in [data, *weights]]
    return peak / array_bytes, min(seconds), count, gradients


def plain(h):
    return run(weights, h)


peak_plain, seconds_plain, count_plain, gradients_plain = measure(plain)
print(f"{peak_plain:.1f} arrays, {seconds_plain * 1000:.0f} ms, {count_plain} layer runs")

assert 100 < peak_plain < 108 and count_plain == 100

# %%
# A hundred arrays, and a few temporary ones.
#
# The idea
# --------
#
# Cut the chain into *segments* of ten layers, say. The forward pass keeps only the input of each segment, ten arrays,
# and records nothing inside. The backward pass begins with the last segment: it computes the segment once more from
# its input, this time with recording, goes backwards through it, and forgets it again. Then comes the segment before
# it. There are ten inputs, and ten arrays of the segment at work: twenty instead of a hundred. Here are twelve layers
# in three segments. Filled arrays are in memory:

# alt: Four rows of thirteen boxes; a filled box is an array in memory. After the forward pass only the inputs of
#      the three segments are filled. Going backward through segment 3, its four arrays are filled as well; then
#      they are gone, and those of segment 2 are filled; at last those of segment 1.
# sphinx_gallery_start_ignore
figure, axes = plt.subplots(figsize=(6.4, 2.6), layout="constrained")
moments = [
    ("after the forward pass", {4, 8}),
    ("backward through segment 3", {4, 8, 9, 10, 11, 12}),
    ("backward through segment 2", {4, 5, 6, 7, 8}),
    ("backward through segment 1", {1, 2, 3, 4}),
]
for row, (said, kept) in enumerate(moments):
    for layer in range(13):
        color = "tab:orange" if layer in {0, 4, 8} else "tab:blue"
        filled = layer == 0 or layer in kept
        box = plt.Rectangle(
            (layer + 0.1, -row), 0.8, 0.6, fill=filled, color=color, linewidth=1.2
        )
        axes.add_patch(box)
    axes.text(-0.3, 0.3 - row, said, ha="right", va="center", fontsize=9)
for middle, said in (2.5, "segment 1"), (6.5, "segment 2"), (10.5, "segment 3"):
    axes.text(middle + 0.5, 0.85, said, ha="center", fontsize=9)
axes.set(xlim=(-6.5, 13.2), ylim=(-3.3, 1.3))
axes.axis("off")
# sphinx_gallery_end_ignore
plt.show()

# %%
# (Orange: the inputs of the segments. Blue: the arrays inside, which come back one segment at a time.)
#
# A segment becomes one node of the graph, so it is a ``Function``.
#
# - ``forward`` runs the segment. Nothing inside a ``forward`` is recorded, which is what we want here.
# - ``backward`` receives the cotangent of the output. It computes the segment again, on a copy of the input that has
#   no history, and goes backwards from the new output with this cotangent.


class Checkpoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, segment, h):
        ctx.segment = segment
        ctx.save_for_backward(h)
        return segment(h)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, gradient):
        (h,) = ctx.saved_tensors
        h = h.detach().requires_grad_()
        with torch.enable_grad():
            result = ctx.segment(h)
        torch.autograd.backward(result, gradient)
        return None, h.grad

# %%
# The second-to-last line calls ``backward`` while a ``backward`` is running. An engine that allows this is called
# *re-entrant*. The inner pass has a small graph of its own, that of one segment. This graph ends at two kinds of
# leaves: at the detached ``h``, whose gradient we pass on to the outer pass, and at the weights of the segment, to
# whose ``.grad`` the inner pass adds directly.


def in_segments(length, h):
    for i in range(0, depth, length):
        h = Checkpoint.apply(functools.partial(run, weights[i:i + length]), h)
    return h


peak, seconds, count, gradients = measure(functools.partial(in_segments, 10))
print(f"{peak:.1f} arrays, {seconds * 1000:.0f} ms, {count} layer runs")

assert 20 < peak < 28 and count == 200

# %%
# This is a fifth of the memory, as computed. And the gradients? The same operations ran on the same numbers in the
# same order, so they are not merely close:

assert all(torch.equal(a, b) for a, b in zip(gradients, gradients_plain))
print("All", len(gradients), "gradients agree to the last bit.")

# %%
# This is the right way to test it: against the plain run, and for equality. ``gradcheck`` can say less, but it finds
# out if a Function is wrong by itself.

small = torch.tensor([0.5, -1.0, 2.0], dtype=torch.float64, requires_grad=True)
assert torch.autograd.gradcheck(lambda x: Checkpoint.apply(torch.sin, x), (small,))

# %%
# The player shows the pass inside the pass (:doc:`/tutorials/first_gradients/watch_a_backward_pass`). Here are two
# segments of two sines each. The outer pass comes to each of them, and runs another pass there.

with torch.viz.record() as passes:
    halfway = Checkpoint.apply(lambda x: torch.sin(torch.sin(x)), small)
    Checkpoint.apply(lambda x: torch.sin(torch.sin(x)), halfway).sum().backward()

assert [story.within for story in passes.passes][1:] == [
    "step 2, CheckpointBackward", "step 3, CheckpointBackward",
]
passes

# %%
# How long should a segment be?
# -----------------------------
#
# With :math:`n` layers in segments of :math:`k` we keep :math:`n/k` inputs, and :math:`k` arrays inside one segment:
#
# .. math::
#
#    M(k) = \frac{n}{k} + k
#
# Short segments mean many inputs, long segments many arrays inside. The derivative is :math:`1 - n/k^2`, so the best
# length is :math:`k = \sqrt{n}`, with :math:`2\sqrt{n}` arrays. Do measurements agree with the formula?

lengths = [1, 2, 4, 5, 10, 20, 25, 50, 100]
measured = []
for length in lengths:
    peak, seconds, count, gradients = measure(functools.partial(in_segments, length))
    assert count == 200 and all(map(torch.equal, gradients, gradients_plain))
    measured.append(peak)
    slower = seconds / seconds_plain
    print(f"segments of {length:3}: {peak:6.1f} arrays, time x {slower:.2f}")

assert min(measured) == measured[lengths.index(10)]
assert all(0 < m - (depth / k + k) < 8 for k, m in zip(lengths, measured))

# %%
# As a picture:

# alt: Arrays held at once, against the length k of a segment. The nine measured points lie a little above the curve
#      n / k + k: about a hundred at both ends, and a minimum of some twenty at a length of ten. Without checkpoints
#      it is a horizontal line just above a hundred.
# sphinx_gallery_start_ignore
figure, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
ks = [1 + i / 20 for i in range(1981)]
axes.axhline(peak_plain, color="tab:gray", linestyle="--", label="without checkpoints")
axes.plot(ks, [depth / k + k for k in ks], color="tab:orange", label="n / k + k")
axes.plot(lengths, measured, "o", color="tab:blue", label="measured")
axes.set(xscale="log", xlabel="layers in a segment, k", ylabel="arrays held at once")
axes.set_ylim(0, 125)
axes.set_xticks([1, 2, 5, 10, 20, 50, 100], ["1", "2", "5", "10", "20", "50", "100"])
axes.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, 0.8))
axes.grid(alpha=0.3)
# sphinx_gallery_end_ignore
plt.show()

# %%
# They do, up to a few temporary arrays. At both ends nothing is gained: a hundred segments of one layer keep all
# inputs, and one segment of a hundred layers is the whole chain.
#
# And the time? Every layer is computed twice, however long the segments are. The backward pass costs about twice as
# much as the forward pass, since it has two matrix products for each one. So a plain run costs :math:`1 + 2`, and a
# run with checkpoints :math:`1 + 1 + 2`, a third more. Often it is less: arrays that are used again right away are
# still in the processor's cache. (A segment may have checkpoints of its own. How little memory is enough in the end is
# the question of :doc:`/tutorials/theory/memory_and_checkpointing`.)
#
# Random numbers
# --------------
#
# Computing a segment again must give the same result. *Dropout* sets entries to 0, chosen at random, and the second
# draw differs:


def with_dropout(layers, h):
    for weight in layers:
        h = torch.nn.functional.dropout(torch.tanh(h @ weight), 0.2)
    return h


def gradient_of_data(function):
    torch.manual_seed(5)
    segment = functools.partial(with_dropout, weights[:10])
    result = function.apply(segment, data) if function else segment(data)
    return torch.autograd.grad(result.sum(), data)[0]


right = gradient_of_data(None)
wrong = gradient_of_data(Checkpoint)
print(f"error: {(wrong - right).norm().item() / right.norm().item():.0%}")
assert not torch.allclose(wrong, right, rtol=0.1)

# %%
# There is no error message, and the gradient belongs to another network than the one that was run. The cure: remember
# the state of the random number generator, return to it for the second run, and restore it afterwards.


class RandomCheckpoint(Checkpoint):
    @staticmethod
    def forward(ctx, segment, h):
        ctx.random_state = torch.get_rng_state()
        return Checkpoint.forward(ctx, segment, h)

    @staticmethod
    def backward(ctx, gradient):
        now = torch.get_rng_state()
        torch.set_rng_state(ctx.random_state)
        try:
            return Checkpoint.backward(ctx, gradient)
        finally:
            torch.set_rng_state(now)


assert torch.equal(gradient_of_data(RandomCheckpoint), right)

# %%
# What goes wrong
# ---------------
#
# **The input does not require grad.** A node is made only if some input of the Function requires grad. The weights
# do, but ``apply`` does not see them; it sees ``segment`` and ``h``. That is why our data require grad.

result = Checkpoint.apply(functools.partial(run, weights[:10]), data.detach())
print("requires grad:", result.requires_grad)
assert not result.requires_grad

# %%
# These ten layers would learn nothing. Neither would a checkpointed segment after them, since its input does not
# require grad either. But plain layers after them would learn, so the loss would still fall, and the mistake would go
# unnoticed.
#
# **The segment has changed in between.** The Function watches the version of ``h``, which it saved. The weights are
# merely used. If one of them changes before ``backward``, another segment is computed than the one that was run:


def change_before_backward(compute):
    weight = torch.tensor([0.5], requires_grad=True)
    x = torch.tensor([1.0], requires_grad=True)
    y = compute(lambda x: torch.sin(x * weight), x)
    with torch.no_grad():
        weight.mul_(2)
    y.backward()
    return x.grad


wrong, right = change_before_backward(Checkpoint.apply).item(), 0.5 * math.cos(0.5)
print(f"with the checkpoint: {wrong:.4f}, but right is {right:.4f}")
assert not math.isclose(wrong, right, rel_tol=0.1)
with expect_error(RuntimeError):
    change_before_backward(lambda segment, x: segment(x))  # without it

# %%
# .. folded:: Gradients asked for by name
#
# ``torch.autograd.grad`` returns gradients and leaves ``.grad`` alone. The inner
# pass does not know about that. It adds to ``.grad``, and the outer pass finds no path to the weights:

weights[0].grad = None
result = Checkpoint.apply(functools.partial(run, weights[:10]), data).sum()
with expect_error(RuntimeError):
    torch.autograd.grad(result, [data, weights[0]])
assert weights[0].grad is not None

# %%
# With this kind of checkpoint, use ``backward``.
#
# .. folded:: A forgotten detach
#
# Without it, the inner pass does not stop at the start of the segment. It continues into what came before, and the
# outer pass arrives there again:


class Forgetful(Checkpoint):
    @staticmethod
    def backward(ctx, gradient):
        (h,) = ctx.saved_tensors
        h.retain_grad()                         # should be h = h.detach().requires_grad_()
        with torch.enable_grad():
            result = ctx.segment(h)
        torch.autograd.backward(result, gradient)
        return None, h.grad


layer_0 = torch.tanh(data)
with expect_error(RuntimeError):
    Forgetful.apply(functools.partial(run, weights[:10]), layer_0).sum().backward()

# %%
# The ready-made kind
# -------------------
#
# ``torch.utils.checkpoint.checkpoint(function, *inputs)`` does what we built, if ``use_reentrant=True``. With
# ``use_reentrant=False`` it works by saved-tensor hooks instead of a Function: no ``backward`` inside a ``backward``,
# the input need not require grad, and gradients may be asked for by name.

checkpoint = torch.utils.checkpoint.checkpoint


def ready_made(h):
    for i in range(0, depth, 10):
        segment = functools.partial(run, weights[i:i + 10])
        h = checkpoint(segment, h, use_reentrant=False)
    return h


peak, seconds, count, gradients = measure(ready_made)
print(f"{peak:.1f} arrays, {count} layer runs")
assert peak < 30 and all(map(torch.equal, gradients, gradients_plain))

segment = functools.partial(run, weights[:10])
result = checkpoint(segment, data.detach(), use_reentrant=False)
(by_name,) = torch.autograd.grad(result.sum(), weights[0])
assert torch.equal(by_name, torch.autograd.grad(segment(data).sum(), weights[0])[0])
with expect_error(RuntimeError):
    change_before_backward(functools.partial(checkpoint, use_reentrant=False))

# %%
# It notices even the weight that has changed in between.
#
# Summary
# -------
#
# - A checkpoint keeps the input of a segment, and computes the rest again in the backward pass: memory for time.
# - For :math:`n` layers, segments of :math:`\sqrt n` are best; every layer then runs twice.
# - The second run must repeat the first: the same random numbers, the same weights.
# - Test against the plain run, for equality.
# - Prefer ``checkpoint(..., use_reentrant=False)``, which has fewer pitfalls than a ``backward`` inside a
#   ``backward``.
#
# .. admonition:: Now in PyTorch
#
#    With ``import torch`` in place of ``import minigrad as torch``, the hooks of this part run in PyTorch 2.13, in
#    the same order and with the same arguments. What differs:
#
#    - ``torch.viz``, and the explanations in error messages, are minigrad's own.
#    - ``tracemalloc`` does not see PyTorch's memory. The cells that measure bytes need ``torch.profiler`` there.
#    - Of a product, PyTorch packs the second factor first.
#    - PyTorch checks neither the shape of what ``unpack`` returns, nor whether a tensor that ``pack`` returned
#      unchanged was written to afterwards. minigrad reports both.
#    - If a weight changes between the two runs of a segment, PyTorch's ``checkpoint`` silently returns another
#      gradient, even with ``use_reentrant=False``.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Three levels instead of two, with segments of segments: for which lengths is the memory smallest? Show that it
#    grows like :math:`3\sqrt[3]{n}`, and measure.
# 2. Not all layers are alike. Let the widths go from 8 to 512, so that late arrays are larger. Where should the cuts
#    be now?
# 3. Write the checkpoint without a Function: a pair of saved-tensor hooks whose ``pack`` keeps only a number, and
#    whose ``unpack`` computes the segment again the first time it is called.
