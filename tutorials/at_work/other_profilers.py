"""
Other profilers, and which line made a node
===========================================

A profile says that a node of the backward pass is slow. On this page you find the operation of the forward pass that
recorded it, read the same from the ranges that NVIDIA's and Intel's profilers draw, and learn what a profile covers and
what it leaves out.

After this page you can name the operation that made the slowest node, in a profile and in a list of ranges, and
register a hook on each of many nodes that reports its own name.

You need a profile and its table, from :doc:`profile_a_training_loop`.
"""

# %%
# The problem
# -----------
#
# This program multiplies twice, so its backward pass has two nodes named ``MulBackward0``. The table adds them up:

import asyncio
import threading

import matplotlib.pyplot as plt

import minigrad as torch
from minigrad.autograd import profiler
from minigrad.teaching import expect_error, expect_warning

torch.manual_seed(0)
x = torch.randn(500, requires_grad=True)
weights = torch.randn(500, 400, requires_grad=True)


def model(x):
    energy = x * x
    mixed = energy[:, None] * weights
    return mixed.tanh().mean()


with profiler.profile(record_shapes=True) as prof:
    model(x).backward()

for average in prof.key_averages():
    if average.key == "MulBackward0":
        print(f"{average.key}: {average.count} calls, {average.cpu_time_total:.0f} µs")

# %%
# Which of the two is slow? A group cannot tell. The single events can.
#
# A number for each node
# ----------------------
#
# Nodes are numbered as they are recorded. A node keeps its number, ``_sequence_nr``, and the event of the operation
# that recorded it has the same one, ``sequence_nr``. The ``scope`` of an event is 1 for a node and 0 for an operation.
# The backward pass of a chain runs the newest node first, so its numbers fall:

forward, backward = {}, []
for event in prof.function_events:
    if event.scope == 1 and event.sequence_nr >= 0:
        backward.append(event)
    elif event.scope == 0 and not backward:
        forward[event.sequence_nr] = event

for node in backward:
    made_by = forward[node.sequence_nr]
    print(f"{node.name:18} {node.cpu_time_total:7.1f} µs  made by "
          f"{made_by.name} of {made_by.input_shapes[0]}")

numbers = [node.sequence_nr for node in backward]
assert numbers == sorted(numbers, reverse=True)
small, wide = [e for e in forward.values() if e.name == "mul"]
assert small.input_shapes == [[500], [500]]
assert wide.input_shapes == [[500, 1], [500, 400]]

# %%
# The slow one belongs to the product with the weights. The same as a picture: each operation of the forward pass is
# joined to the node with its number, and the two passes are mirror images.

# alt: Ten dots in a row: the operations of the forward pass, mul, unsqueeze, mul, tanh and mean, and then their
#      nodes in the opposite order. An arc joins each operation to its node. The arcs are nested; the outermost
#      leads from the first operation to the last node.
# sphinx_gallery_start_ignore
order = {id(event): place for place, event in enumerate([*forward.values(), *backward])}
figure, axes = plt.subplots(figsize=(7.2, 2.9), layout="constrained")
for node in backward:
    made_by = forward[node.sequence_nr]
    left, right = order[id(made_by)], order[id(node)]
    axes.annotate("", (right, 0), (left, 0), arrowprops={
        "arrowstyle": "->", "connectionstyle": "arc3,rad=-0.5", "color": "tab:gray",
        "shrinkA": 8, "shrinkB": 8})
for events, color in (forward.values(), "tab:blue"), (backward, "tab:orange"):
    for event in events:
        place = order[id(event)]
        axes.plot(place, 0, "o", color=color, markersize=11)
        axes.annotate(event.name.replace("Backward0", "\nBackward0"), (place, 0), (0, -16),
                      textcoords="offset points", ha="center", va="top", fontsize=8)
axes.set(xlim=(-0.7, len(order) - 0.3), ylim=(-0.7, 2.3))
axes.axis("off")
# sphinx_gallery_end_ignore
plt.show()

# %%
# What a profile contains
# -----------------------
#
# ``function_events`` and ``key_averages()`` are both an ``EventList``: a list of events, with ``table`` and the
# exports as methods. ``total_average()`` makes one row of everything. Here is a small loop to count in:

# teaches: profiler_util.EventList, profile.total_average, GraphRoot
x1 = torch.randn((1, 1), requires_grad=True)
with profiler.profile() as prof:
    for _ in range(100):
        y = x1 ** 2
        y.backward()

averages = prof.key_averages()
print(averages.table(sort_by="self_cpu_time_total").partition("\n\n")[0])

EventList = torch.autograd.profiler_util.EventList
assert isinstance(averages, EventList) and isinstance(prof.function_events, EventList)
total = prof.total_average()
print("total:", total.count, "events,", len(averages), "kinds")
added = sum(event.self_cpu_time_total for event in prof.function_events)
assert abs(added - prof.self_cpu_time_total) < 1e-3 * added
assert abs(total.self_cpu_time_total - added) < 1e-3 * added
assert total.count == len(prof.function_events)

# %%
# Read the counts. There are 100 squares forward, and 100 of ``PowBackward0``, which computes :math:`2 x^{1}` by one
# more power and two products; that makes 200 ``pow`` and 200 ``mul``. ``AccumulateGrad`` puts the gradient into
# ``x.grad``: it stores the first and adds the other 99 (``add_``). ``GraphRoot`` is where a backward pass begins: it
# hands the first gradient, usually 1, to the node of the loss, once for each call of ``backward``.

counts = {average.key: average.count for average in averages}
assert counts["torch::autograd::GraphRoot"] == counts["PowBackward0"] == 100
assert counts["torch::autograd::AccumulateGrad"] == 100 and counts["add_"] == 99
assert counts["pow"] == counts["mul"] == 200

# %%
# In other profilers
# ------------------
#
# A profiler made by someone else knows nothing about gradients. It can draw the threads of a process and the work of
# the graphics card, and it lets a program label a stretch of its timeline: a *range*, with a text. In the block of
# ``emit_nvtx()`` every operation and every node becomes such a range for NVIDIA's tools, and in that of ``emit_itt()``
# for Intel's. A program that computes a sine and a sum, and goes back, emits these texts:
#
# .. code-block:: none
#
#    sin, seq = 7
#    sum, seq = 8
#    torch::autograd::GraphRoot
#    SumBackward0, stashed seq = 8
#      expand_reduced, seq = 0
#    SinBackward0, stashed seq = 7
#      cos, seq = 0
#      mul, seq = 0
#    torch::autograd::AccumulateGrad
#
# They carry the numbers of this page. A range of the forward pass ends in the number that its node will get *if* it
# records one: an operation that records nothing announces the number of the next. The range of a node has the number
# that it was made with, as ``stashed seq``. What runs inside a node records nothing, and has 0. So the same rule holds:
# equal numbers belong together. (:doc:`The reference </reference/profiler>` emits ranges, shows their options, and
# reads the file of a profiler.)
#
# What is covered
# ---------------
#
# A profile reports operations of the library. Your Python between them is not an event, and only shows as a gap.
# It covers the thread that entered it, together with the ``asyncio`` tasks that run there, and no other thread.


async def task():
    return torch.ones(2).sin()


async def tasks():
    await asyncio.gather(task(), task())


def in_a_thread(function):
    thread = threading.Thread(target=function)
    thread.start()
    thread.join()


def program(names):
    with profiler.profile() as prof:
        in_a_thread(lambda: torch.ones(2).exp())    # another thread
        asyncio.run(tasks())                        # this thread
        sorted(range(1000))                         # plain Python
    names += [event.name for event in prof.function_events]


names = []
in_a_thread(lambda: program(names))     # in a notebook this thread has a loop already
print(names)
assert names.count("sin") == 2 and "exp" not in names

# %%
# ``with_flops=True`` counts arithmetic from the shapes, for matrix products, ``mul`` and ``add``: the product of an
# (m, k) and a (k, n) matrix is :math:`2mkn`. Everything else counts as 0, so the number is a lower bound.

with profiler.profile(with_flops=True) as prof:
    torch.ones(2, 3) @ torch.ones(3, 4)
    torch.ones(2, 3).exp()
flops = {event.name: event.flops for event in prof.function_events}
print({name: flops[name] for name in ("mm", "exp")})
assert flops["mm"] == 2 * 2 * 3 * 4 and flops["exp"] == 0

# %%
# ``enabled=False`` lets a flag of your program decide whether there is a profile. A device that is not there gives a
# warning, and a profile that leaves out the CPU is an error:

with profiler.profile(enabled=False) as prof:
    model(x)
print("switched off:", len(prof.function_events), "events")

with expect_warning():
    profiler.profile(use_device="cuda")
with expect_error(RuntimeError):
    profiler.profile(use_cpu=False)

# %%
# What goes wrong
# ---------------
#
# **A lambda that captures the variable of a loop.** We want to be told which layer a gradient has reached, so we
# register a hook on each node. All of them report the last layer:

leaf = torch.ones(3, requires_grad=True)
layers = [("first", leaf.exp())]
layers.append(("second", layers[-1][1].sin()))
layers.append(("third", layers[-1][1].tanh()))

reached = []
for name, tensor in layers:
    tensor.grad_fn.register_prehook(lambda _: reached.append(name))
tensor.sum().backward()
print("reached:", reached)
assert reached == ["third"] * 3

# %%
# The lambda looks up ``name`` when it *runs*, in the backward pass, and by then the loop has ended. A default
# argument is evaluated when the lambda is made:

result = leaf.exp()
nodes = {"first": result.grad_fn}
nodes["second"] = (result := result.sin()).grad_fn
nodes["third"] = (result := result.tanh()).grad_fn

reached = []
for name, node in nodes.items():
    node.register_prehook(lambda _, name=name: reached.append(name))
result.sum().backward()
print("reached:", reached)
assert reached == ["third", "second", "first"]

# %%
# **Matching by order.** "The third node from the end belongs to the third operation" is true until a tensor is used
# twice, an operation records nothing, or another thread records nodes as well. Match by number.
#
# .. folded:: Trusting the times of a profile that records a lot
#
# Recording takes time, too. It is done between operations, so the innermost events hardly notice; but the self time of
# an operation that calls others contains what it cost to record these calls. Compare a profile with and without, here
# for ``linear``, which calls ``addmm``:


x2, W, b = torch.ones(2, 3), torch.ones(4, 3), torch.ones(4)


def self_times(**options):
    """The median self times of linear and addmm in microseconds, after a warm-up."""
    for _ in range(2):
        with profiler.profile(**options) as prof:
            for _ in range(200):
                torch.nn.functional.linear(x2, W, b)
    for name in "linear", "addmm":
        found = [event for event in prof.function_events if event.name == name]
        yield sorted(event.self_cpu_time_total for event in found)[100]


for options in {}, {"record_shapes": True}, {"record_shapes": True, "with_stack": True}:
    outer, inner = self_times(**options)
    print(f"linear {outer:5.1f} µs, addmm {inner:5.1f} µs  with {[*options]}")

# %%
# Summary
# -------
#
# - ``sequence_nr`` of an operation and of a node are equal where the operation recorded the node; in ranges they read
#   ``seq`` and ``stashed seq``.
# - ``emit_nvtx`` and ``emit_itt`` hand the events to the profilers of NVIDIA and Intel.
# - A profile covers one thread, and operations only. Record less when you compare times.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Write ``slowest_line(function)``: the line of the forward pass whose nodes take the most time in the backward
#    pass. Combine the numbers of this page with ``with_stack=True``.
# 2. Install ``nvtx``, run one of your programs under Nsight Systems, and find the longest gap between two operations.
#    (Without a card, take the ``time_range`` of the events of a profile.) What does your program do there?
# 3. Draw the mirror image of a function that uses one tensor three times. Does its order differ from that of a chain?
#    What else does?
