"""Exercises of "Build your engine"."""

# %% Exercise: Count the paths
# ``paths(y, x)`` is the number of paths from the result ``y`` to the leaf ``x``: how often an engine that follows each
# path would come there. It must be quick where there are 2 ** 60 of them, and must not call itself: chains may be long.

# %% Starter
import minigrad as torch


def paths(y, x):
    ...


# %% Check
x = torch.tensor(0.5, requires_grad=True)
w = torch.tensor(2.0, requires_grad=True)
assert paths(torch.sin(x), x) == 1, "One operation, one path."
assert paths(x * x, x) == 2, "x * x uses x twice: its node has two edges to the leaf."
assert paths(x * w + x, x) == 2 and paths(x * w + x, w) == 1, "Count the paths to the leaf that was asked for."
assert paths(torch.sin(x), w) == 0, "No path leads to w."
y = x
for _ in range(60):
    y = y + torch.sin(y)
assert paths(y, x) == 2 ** 60, f"60 diamonds in a row have {2 ** 60} paths, and yours {paths(y, x)}."
y = x
for _ in range(20_000):
    y = y + 1
assert paths(y, x) == 1, "A chain of 20,000 steps has one path."

# %% Hint
# It is a backward pass in which every derivative is 1: the number of paths that arrive at a node are added up, and the
# sum goes along each of its edges.

# %% Hint
# By ``_sequence_nr()`` a node comes after the nodes that its edges lead to. So of the nodes that wait, take the one
# with the highest number; but the nodes of leaves, which have the highest of all, wait to the end.


# %% Exercise: Several outputs
# ``engine`` counts arrivals and passes most of the list, but knows only one gradient for each node. Let it deliver a
# gradient for the output that the edge names, and call the node with all of them.

# %% Starter
import collections

import minigrad as torch
from minigrad.autograd.engines import outputs_of


def count_arrivals(roots):
    counts = collections.Counter([node for node, _ in roots])
    waiting = list(counts)
    while waiting:
        for node, _ in waiting.pop().next_functions:
            if node is not None:
                if node not in counts:
                    waiting.append(node)
                counts[node] += 1
    return counts


def engine(roots, gradients, inputs, keep_graph):
    counts, sums, ready = count_arrivals(roots), {}, []

    def deliver(node, number, gradient):
        sums[node] = sums[node] + gradient if node in sums else gradient
        counts[node] -= 1
        if counts[node] == 0:
            ready.append(node)

    for (node, number), gradient in zip(roots, gradients):
        deliver(node, number, gradient)
    while ready:
        node = ready.pop()
        results = node(sums.pop(node))
        results = results if isinstance(results, tuple) else (results,)
        for (following, number), result in zip(node.next_functions, results):
            if following is not None:
                deliver(following, number, result)


# %% Check
wanted = ["a chain", "a diamond", "diamonds in a row", "several roots", "several outputs", "a custom Function",
          "a gradient of None", "a deep chain"]
report = torch.check_engine(engine, wanted, verbose=False)
assert report, str(report)

# %% Hint
# ``sums[node]`` becomes a list, ``[None] * outputs_of(node)`` at first.

# %% Hint
# A gradient of ``None`` is not added, but ``counts[node]`` goes down all the same.


# %% Exercise: An engine that watches another
# ``longest(y)`` runs ``y.backward()`` on ``minigrad.autograd.engines.plain.engine``, and returns the greatest number of
# nodes on a path from the root to a leaf. Write it as an engine around that engine: look at the graph before you hand
# the pass on.

# %% Starter
import minigrad as torch
from minigrad.autograd.engines.plain import engine as plain


def longest(y):
    ...


# %% Check
import traceback

from minigrad.autograd.engines import plain as with_that_engine

x = torch.tensor(0.5, requires_grad=True)
ran_on_it = []
x.register_hook(lambda gradient: ran_on_it.append(
    any(frame.filename == with_that_engine.__file__ for frame in traceback.extract_stack())))
assert longest(torch.sin(x)) == 2, "A sine and the leaf."
assert x.grad is not None, "The pass must run: x.grad is None."
assert ran_on_it == [True], "The pass must run once, on plain.engine: inside torch.use_engine, with an engine of yours."
assert longest(torch.sin(torch.sin(x)) + x) == 4, "The sum, two sines and the leaf."
assert longest(x + torch.sin(torch.sin(x))) == 4, "The sum, two sines and the leaf, which is the first term, too."
y = x
for _ in range(5000):
    y = y * 2 + x
assert longest(y) == 10_001, "The way round by the products, 5000 times two nodes, and the leaf."
x.grad = None
torch.sin(x).backward()
assert abs(x.grad.item() - 0.8776) < 1e-3 and not ran_on_it[-1], "Afterwards, minigrad's own engine runs again."

# %% Hint
# The roots that the engine is handed are edges. From the lowest sequence number up, the length at a node is 1 more than
# the greatest at its children; a leaf has 1.


# %% Project: 1
# 10 points: 4 for an engine with two threads that ends, and passes an error on; 3 for the lines, 3 for how often.
# Whatever reads and writes the shared tables needs the lock: all of ``deliver`` (adding, counting, pushing) and taking
# a node with its gradients. The run of a node needs none, because a node runs once. With the lock 31 of 32 cases pass:
# "inputs of backward" fails, because a pass is known to its own thread alone, and ``tensor_hooks`` runs in another.
# Without it, hardly anything fails in many runs, since Python changes threads rarely; with a pause between reading and
# writing "a diamond" and "a wide graph" fail each time. Two gradients arrive at once, one of them is lost, and so is a
# count: the node never runs. The usual mistake is to stop a thread when nothing is ready, although the other one is
# about to deliver.


# %% Project: 2
# 10 points: 4 for the table, 2 for several outputs and for ``None``, 4 for the comparison. Order and numbers are those
# of ``torch.viz.explain`` if of all ready nodes the one that was recorded last comes first; leaves have the highest
# numbers, so each is served as soon as its gradient is complete. For ``sin(a * b)`` at 2 and 3 there are four lines:
# the sine passes on :math:`\cos 6 = 0.9602`, the product 2.8805 and 1.9203, and the two leaves return an empty tuple.
# What ``explain`` has in addition are the formulas, what was saved, and ``.grad`` before and after. The usual mistake
# is to print the gradient that arrived last, and not the sum.


# %% Project: 3
# 10 points: 4 for counting bytes when a gradient is delivered and when its node has run, 4 for a graph, 2 for the
# reason. Many branches that begin at one node and have large gradients inside do it: the sum of 400 numbers, each of
# them ``torch.exp(k * x).sum()`` for a large ``x``. The node recorded last is the next one of the same branch, so one
# branch is finished before another begins, and about two arrays are alive. In the order of arrival all 400 exponentials
# run before the first product, and 400 arrays are alive. The usual mistake is to count a gradient that was only
# expanded, as that of a sum: it has the shape of ``x`` and the memory of a single number.
