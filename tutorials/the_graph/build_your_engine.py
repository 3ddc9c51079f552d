"""
Build your engine
=================

A backward pass is a walk over the graph, and you can write it yourself. On this page we do, in three steps: six lines
that are right and hopeless, twenty-five that are fast, and sixty that do all that minigrad's own engine does. They are
not a model of an engine. ``loss.backward()`` will run them.

You need nodes and edges, from :doc:`/tutorials/the_graph/reading_the_graph`.

After this page you can write an engine that computes gradients, and say why a node must wait for all of them.
"""

# %%
# The problem
# -----------
#
# Here is a ladder. Each rung uses the number below it twice, so the paths from the top to the bottom double with
# every rung: 30 rungs have 60 operations, and more than a billion paths.

import collections
import time

import minigrad as torch
from minigrad.teaching import expect_error

torch.set_default_dtype(torch.float64)


def ladder(x, rungs):
    for _ in range(rungs):
        x = x * torch.cos(x)
    return x


x = torch.tensor(0.3, requires_grad=True)
began = time.perf_counter()
ladder(x, 30).backward()
print(f"x.grad = {x.grad.item():.6f}, after {1000 * (time.perf_counter() - began):.1f} ms")

# %%
# The chain rule is a sum over all paths. Nobody has added up a billion terms here. What does ``backward`` do
# instead? We find out by taking its place: inside ``torch.use_engine(engine)`` minigrad hands each pass to a function
# of ours. It is called with four things:
#
# - ``roots``: where to begin, as edges. An edge is a pair of a node and an output number, as in ``next_functions``.
# - ``gradients``: for each root the gradient to start from.
# - ``inputs``: edges whose gradients must be returned, for ``torch.autograd.grad``. For ``backward()`` there are
#   none.
# - ``keep_graph``: whether what the nodes saved must be kept.
#
# The chain rule, as it is written
# --------------------------------
#
# A node can be called with the gradient of its output, and returns those of its inputs: one gradient if it has one
# edge, a tuple if it has more. Follow each edge, and do the same there. The node of a leaf has no edges. When it is
# called, it adds the gradient to ``.grad``, and returns an empty tuple.

runs = 0


def as_tuple(results):
    return results if isinstance(results, tuple) else (results,)


def by_recursion(roots, gradients, inputs, keep_graph):
    global runs
    for (node, _), gradient in zip(roots, gradients):
        if node is not None:
            runs += 1
            by_recursion(node.next_functions, as_tuple(node(gradient)), (), keep_graph)


def gradient_by(engine, y, x):
    x.grad = torch.zeros_like(x)
    with torch.use_engine(engine):
        y.backward()
    return x.grad.item()


print("by ours:    ", gradient_by(by_recursion, ladder(x, 3), x))
print("by minigrad:", gradient_by(None, ladder(x, 3), x))
assert abs(gradient_by(by_recursion, ladder(x, 3), x)
           - gradient_by(None, ladder(x, 3), x)) < 1e-12

# %%
# The same number, up to rounding, since ours adds up in another order. Six lines, and this is an engine. Now let it
# climb.

for rungs in 2, 4, 8, 12:
    runs = 0
    gradient_by(by_recursion, ladder(x, rungs), x)
    print(f"{rungs:2} rungs: {2 * rungs + 1:2} nodes, which ran {runs:5} times")

# %%
# It runs every node once for each path that leads there. Thirty rungs would take it hours. Here is a ladder of four
# rungs, with the number of paths that lead from the top to each node, and next to it the runs:

import matplotlib.pyplot as plt


def runs_of(rungs):
    global runs
    runs = 0
    gradient_by(by_recursion, ladder(x, rungs), x)
    return runs


heights = list(range(1, 13))
counted = [runs_of(rungs) for rungs in heights]
# alt: Left, a ladder of four rungs: five nodes in a column, from the result at the top to x at the bottom, each joined
#      to the next by two lines, one of them by way of a cosine, with the number of paths to it: 1, 2, 4, 8 and 16.
#      Right, on a logarithmic axis, the runs of a node, one for each path, rise in a straight line from 4 at one rung
#      to 12,286 at twelve; the number of nodes stays below 26.
# sphinx_gallery_start_ignore
def draw_ladder(ax, rungs):
    for rung in range(rungs):
        paths = 2 ** (rungs - 1 - rung)
        ax.plot([0, 0], [rung, rung + 1], color="gray")
        ax.plot([0, 1, 0], [rung, rung + 0.5, rung + 1], color="gray")
        for where, said, colour in [((0, rung + 1), "mul", "tab:blue"),
                                    ((1, rung + 0.5), "cos", "tab:orange")]:
            ax.scatter(*where, s=420, color=colour, zorder=3)
            ax.annotate(f"{paths}", where, color="white", ha="center", va="center")
            ax.annotate(said, where, (20, 0), textcoords="offset points", va="center")
    ax.scatter(0, 0, s=420, color="tab:green", zorder=3)
    ax.annotate(f"{2**rungs}", (0, 0), color="white", ha="center", va="center")
    ax.annotate("x", (0, 0), (20, 0), textcoords="offset points", va="center")
    ax.set_xlim(-0.5, 1.8)
    ax.set_axis_off()


fig, (left, right) = plt.subplots(1, 2, figsize=(8, 3.8), width_ratios=(2, 3))
draw_ladder(left, 4)
right.semilogy(heights, counted, "o-", label="runs, one for each path")
right.semilogy(heights, [2 * rungs + 1 for rungs in heights], "s-", label="nodes")
right.set_xlabel("rungs")
right.legend()
fig.tight_layout()
# sphinx_gallery_end_ignore
plt.show()
assert counted == [3 * 2**rungs - 2 for rungs in heights]

# %%
# There is a second fault, which has nothing to do with paths. A chain has only one:

y = x
for _ in range(10_000):
    y = y + 1
with expect_error(RecursionError):
    gradient_by(by_recursion, y, x)

# %%
# A function that calls itself needs a place on Python's stack for every call, and there are about a thousand. The
# state of a recurrent network, or a solver with ten thousand steps, makes deeper graphs than that.
#
# The idea: add first, then go on
# -------------------------------
#
# Where two paths meet, their gradients can be *added*, and one sum goes on in place of two terms. That is the
# distributive law, :math:`g_1 J + g_2 J = (g_1 + g_2) J`, and the whole secret of the speed of reverse mode. But a
# node must not run before its last gradient has come. How does it know which is the last?
#
# It counts. Before anything runs, walk once over the graph and count the edges that lead to each node. This many
# gradients will come.


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


y = ladder(x, 2)
for node, count in count_arrivals([(y.grad_fn, 0)]).items():
    print(f"{node.name():34} {count}")

# %%
# The root has one, which is given. The product below it has two: it is used by a cosine and by the product above. The
# list ``waiting`` takes the place of the recursion. It can be as long as memory allows.
#
# The pass itself now *delivers* gradients, and a node that has received its last one is ready.


def by_counting(roots, gradients, inputs, keep_graph):
    counts, sums, ready = count_arrivals(roots), {}, []

    def deliver(node, gradient):
        sums[node] = sums[node] + gradient if node in sums else gradient
        counts[node] -= 1
        if counts[node] == 0:
            ready.append(node)

    for (node, _), gradient in zip(roots, gradients):
        deliver(node, gradient)
    while ready:
        node = ready.pop()
        results = as_tuple(node(sums.pop(node)))
        for (following, _), result in zip(node.next_functions, results):
            if following is not None:
                deliver(following, result)


began = time.perf_counter()
print(f"x.grad = {gradient_by(by_counting, ladder(x, 30), x):.6f}, "
      f"after {1000 * (time.perf_counter() - began):.1f} ms")
assert abs(gradient_by(by_counting, ladder(x, 30), x)
           - gradient_by(None, ladder(x, 30), x)) < 1e-12

y = x
for _ in range(10_000):
    y = y + 1
print("a chain of 10,000 steps:", gradient_by(by_counting, y, x))

# %%
# Some twenty lines more, and hours have become milliseconds. Every engine of this kind, minigrad's and PyTorch's
# included, is this program.
#
# What is missing
# ---------------
#
# There is a list of small programs that an engine should run. Each has a name, and a sentence that says why it
# matters.

for engine in by_recursion, by_counting:
    report = torch.check_engine(engine, verbose=False)
    print(engine.__name__, "passes", len(report.passed), "of", len(report.results))

report = torch.check_engine(by_counting, verbose=False)
for case in report.results:
    if not case.passed:
        print(f"  {case.name:27} {case.why}")
assert "diamonds in a row" in report.passed and "a deep chain" in report.passed

# %%
# They fall into four groups.
#
# **What arrives.** A node with several outputs, such as that of ``unbind``, takes one gradient for each. This is what
# the output number of an edge is for. And ``None`` may arrive: nothing is added, but it counts.
#
# **What is asked for.** ``torch.autograd.grad(y, [h, x])`` names its ``inputs``. Their gradients are returned, and
# ``.grad`` stays as it is. Nodes that lead to no input must not run: they may be expensive, or have no derivative.
#
# **What is freed.** After its node has run, what an operation saved is of no more use. ``free(node)`` lets go of it,
# unless ``keep_graph`` is true.
#
# **Who watches.** A *hook* is a function of the user's that is registered for a tensor or a node, and is called with
# the gradient there once it is complete. ``tensor_hooks`` calls those of tensors, ``prehooks`` and ``posthooks`` those
# before and after a node. They may return another gradient, so we go on with what they return.
# (:doc:`/tutorials/hooks/hooks_on_tensors_and_nodes` is about what they are good for.)
#
# The whole engine
# ----------------
#
# Of several nodes that are ready, which one first? Any order gives the same sums. But hooks can see the order, and
# memory feels it. minigrad takes the node that was recorded last. A heap finds it, by the number that every node was
# given when it was recorded. These numbers also tell which nodes lead to the inputs: a node is recorded after all
# operations that its edges lead to, so going up from the lowest number, we know it of those before we ask. (Nodes of
# leaves have the highest numbers of all. They lead nowhere, so it does no harm.)

from heapq import heappop, heappush

from minigrad.autograd.engines import free, outputs_of, posthooks, prehooks, tensor_hooks


def nodes_that_lead_to(inputs, nodes):
    asked, leading = {node for node, _ in inputs}, set()
    for node in sorted(nodes, key=lambda node: node._sequence_nr()):
        if any(child in asked or child in leading for child, _ in node.next_functions):
            leading.add(node)
    return leading


def run(node, gradients, keep_graph):
    gradients = prehooks(node, tensor_hooks(node, gradients))
    results = posthooks(node, as_tuple(node(*gradients)), gradients)
    if not keep_graph:
        free(node)
    return results


def whole(roots, gradients, inputs, keep_graph):
    counts, arrived, ready, found = count_arrivals(roots), {}, [], {}
    needed = nodes_that_lead_to(inputs, counts) if inputs else set(counts)
    asked = {node for node, _ in inputs}

    def deliver(node, number, gradient):
        sums = arrived.setdefault(node, [None] * outputs_of(node))
        if gradient is not None:
            sums[number] = gradient if sums[number] is None else sums[number] + gradient
        counts[node] -= 1
        if counts[node] == 0:
            heappush(ready, (-node._sequence_nr(), id(node), node))

    for (node, number), gradient in zip(roots, gradients):
        deliver(node, number, gradient)
    while ready:
        *_, node = heappop(ready)
        gradients = arrived.pop(node)
        if node in asked and node not in needed:  # it will not run, but has hooks
            gradients = tensor_hooks(node, gradients)
        if node in asked:
            found.update({(node, number): each for number, each in enumerate(gradients)})
        results = [None] * len(node.next_functions)
        if node in needed:
            results = run(node, gradients, keep_graph)
        for (following, number), result in zip(node.next_functions, results):
            if following is not None:
                deliver(following, number, result)
    return [found.get(edge) for edge in inputs]


report = torch.check_engine(whole)
assert report

# %%
# Note what is *not* there. ``create_graph=True`` needs no line of code: minigrad runs the engine with recording on,
# so each node and each sum is recorded like any other operation, and can be differentiated again. Neither do complex
# numbers, in-place writes or custom Functions: these are the business of the nodes.
#
# So your engine can now do whatever is built on a backward pass, such as a second derivative:

with torch.use_engine(whole):
    x = torch.tensor(2.0, requires_grad=True)
    (slope,) = torch.autograd.grad(x ** 3, x, create_graph=True)
    (bend,) = torch.autograd.grad(slope, x)
print("the second derivative of x³ at 2:", bend.item())
assert bend.item() == 12

# %%
# The same engine, with its comments, is ``minigrad.autograd.engines.plain``; the protocol is in the reference
# (:doc:`/reference/engines`). How much slower is it than minigrad's?


def seconds(engine, y):
    began = time.perf_counter()
    with torch.use_engine(engine):
        torch.autograd.grad(y, x, retain_graph=True)
    return time.perf_counter() - began


y = ladder(x, 1000)
ratio = min(seconds(whole, y) for _ in range(5)) / min(seconds(None, y) for _ in range(5))
print(f"{ratio:.0f} times as long as minigrad's own")
assert ratio > 2

# %%
# What goes wrong
# ---------------
#
# Adding in place, leaving out what is ``None``, returning too little, keeping notes on the nodes: four mistakes that a
# chain and a ladder do not show. ``check_engine`` has a program for each.
#
# .. folded:: The four mistakes, one by one
#
# **Adding in place.** ``sums[number] += gradient`` saves an allocation, and is wrong. The node of a sum hands the
# *same* gradient to both of its inputs, so adding to one of them changes the other.

from minigrad.autograd.engines import plain


def with_a_fault(right, wrong):
    with open(plain.__file__, encoding="utf-8") as file:
        source = file.read()
    assert source.count(right) == 1
    names = {"__name__": "faulty"}
    exec(source.replace(right, wrong), names)
    return names["engine"]


faulty = with_a_fault("buffer[number] + gradient", "buffer[number].add_(gradient)")
report = torch.check_engine(faulty, verbose=False)
print("fails:", report.failed)
assert report.failed == ["a shared gradient"]

# %%
# minigrad's engine does add in place, where it can prove that nobody else has the array: it asks for the reference
# count.
#
# **Skipping None.** "Nothing came, so there is nothing to deliver" sounds right. But the node below has counted this
# edge, and waits forever. No error, only a gradient that is missing:

faulty = with_a_fault("if child is not None:\n                deliver",
                      "if result is not None:\n                deliver")
report = torch.check_engine(faulty, verbose=False)
print("fails:", report.failed)
assert report.failed == ["a gradient of None"]

# %%
# **Forgetting what was asked for.** An engine that returns too little fails *inputs of grad*, and is not silently
# believed elsewhere. The pass checks the number of gradients, their shapes and their dtypes:

with expect_error(RuntimeError), torch.use_engine(by_counting):
    torch.autograd.grad(ladder(x, 2), x)

# %%
# **Notes that outlive a pass.** A hook may start another pass over the same nodes (*a pass inside a pass*), and an
# exception may end a pass in the middle (*an exception*). If counts were kept on the nodes, or in a global variable,
# the next pass would find them. Ours are local variables. (minigrad's are on the nodes, for speed, and a good part of
# its engine is there to give them back.)
#
# Summary
# -------
#
# - The chain rule is a sum over paths; an engine adds where paths meet, so that each node runs once.
# - It counts the edges first, and a node runs when its last gradient has come. No recursion.
# - An edge is a node and an output number. ``None`` adds nothing, and counts.
# - With inputs, only what leads to them runs. Hooks run when a gradient is complete, and at the end the node is
#   freed.
# - ``torch.use_engine`` runs your engine, ``torch.check_engine`` says what it cannot do yet.
#
# .. admonition:: Now in PyTorch
#
#    Graphs can be read in PyTorch 2.13 as in "Reading the graph": with ``import torch`` in place of ``import minigrad
#    as torch``, its cells print the same nodes, the same edges, the same saved tensors, and the same gradients by
#    hand. So does ``count_arrivals`` on this page. What differs:
#
#    - ``torch.viz`` and ``torch.autograd.graph.saved_bytes`` are minigrad's own, and so is the part of an error
#      message that says where a node has already run.
#    - ``torch.use_engine`` and ``torch.check_engine`` are minigrad's own too, so the engines of this page do not run
#      there.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Let two threads run nodes that are ready at the same time. Which lines need a lock? Which cases of the list fail
#    without it, and how often?
# 2. Write an engine that prints the pass as a table: node, what arrived, what it returned. Compare it with
#    ``torch.viz.explain``.
# 3. Measure how many bytes of gradients are alive at once, in the order of this page and in the order of arrival.
#    Find a graph in which one order needs a hundred times as much as the other.
