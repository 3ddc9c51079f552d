"""
Profile a training loop, and make it faster
===========================================

A program is slow. Where? Most people guess, and most guesses are wrong. A *profiler* records when each operation began
and ended, forward and backward. On this page we profile a training loop with three faults: one makes it slow, one
makes it use more and more memory, and one makes it wrong. The tables show all three. You learn to read their columns,
to label parts of a program, and to see a run as a timeline.

After this page you can count what a program calls and where its time goes, and rewrite a loop so that it makes fewer
calls and takes no memory that it does not need.

You need a training loop as in :doc:`/tutorials/first_gradients/reading_digits`.
"""

# %%
# The problem
# -----------
#
# A network with one hidden layer should learn a noisy sine. Here is a loop as you might write it on your first day.
# It takes one point at a time, because that is what the formula on the blackboard does.

import math
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt

import minigrad as torch
from minigrad.autograd.profiler import profile, record_function

torch.manual_seed(0)

n = 100
x = torch.linspace(-3, 3, n)
y = torch.sin(x) + 0.1 * torch.randn(n)


def new_parameters():
    torch.manual_seed(1)
    W1, b1 = torch.randn(1, 16), torch.randn(16)
    parameters = [W1, b1, torch.randn(16, 1) / 4, torch.zeros(1)]
    return [p.requires_grad_() for p in parameters]


def network(parameters, x):
    W1, b1, W2, b2 = parameters
    return torch.tanh(x @ W1 + b1) @ W2 + b2


def update(parameters, rate=0.05):
    with torch.no_grad():
        for p in parameters:
            p -= rate * p.grad
            p.grad = None


def step_by_points(parameters):
    loss = torch.zeros(1, 1)
    for i in range(n):
        prediction = network(parameters, x[i].reshape(1, 1))
        loss = loss + (prediction - y[i]) ** 2
    loss = loss.sum() / n
    loss.backward()
    update(parameters)
    return loss


parameters = new_parameters()
print(f"loss before: {step_by_points(parameters).item():.4f}")

# %%
# The first profile
# -----------------
#
# ``profile()`` is a context manager that records every operation in its block as an *event*. ``key_averages()``
# combines the events of the same name, and ``table()`` prints them.

# teaches: autograd.profiler, autograd.profiler.profile, key_averages, EventList.table
with profile() as prof:
    step_by_points(parameters)

print(prof.key_averages().table(sort_by="self_cpu_time_total", row_limit=10))

# %%
# **Self CPU** is the time spent in an operation itself. **CPU total** adds the time in whatever it called: the node
# ``MmBackward0`` of the backward pass calls ``mm``, and the time of these products is part of its total, but not of
# its self time. The self times add up to the whole time that was measured.
#
# But look at **# of Calls** first. A network with two layers multiplies two pairs of matrices. This one did it
# hundreds of times:

calls = {average.key: average.count for average in prof.key_averages()}
print("mm:", calls["mm"], "calls;  all operations and nodes:", len(prof.function_events))
assert calls["mm"] == (2 + 3) * n       # three backward, since x needs no gradient
self_times = sum(average.self_cpu_time_total for average in prof.key_averages())
assert math.isclose(self_times, prof.self_cpu_time_total, rel_tol=1e-6)

# %%
# Each of these calls multiplies a matrix with a single row. The arithmetic costs next to nothing; the time goes into
# the call itself, which has to check its arguments, record a node and make a tensor. The cure is to give the network
# all points at once.


def step(parameters):
    loss = ((network(parameters, x[:, None]) - y) ** 2).mean()
    loss.backward()
    update(parameters)
    return loss


parameters = new_parameters()
print(f"loss before: {step(parameters).item():.4f}")
with profile(record_shapes=True) as prof:
    step(parameters)
print(len(prof.function_events), "operations and nodes, where there were thousands")

# %%
# What goes wrong: a shape that nobody expected
# ---------------------------------------------
#
# A hundred times fewer calls. Are we done? No: the loss printed above is not the one that the first loop printed, so
# ``step`` computes something else. We told the profile to record shapes, and can now group the operations by them:

table = prof.key_averages(group_by_input_shape=True)
print(table.table(sort_by="self_cpu_time_total", row_limit=8, max_name_column_width=20))

# %%
# There it is. ``sub`` received the shapes ``[[100, 1], [100]]``, a column and a row, which broadcast to a square of
# 100 by 100. Every prediction was compared with *every* target. There was no error, because broadcasting is a
# feature. But the profile shows the fault in the shapes, and in the times of operations that should have been small.

shapes = {average.key: average.input_shapes for average in table}
assert shapes["sub"] == [[100, 1], [100]]


def step(parameters):
    with record_function("forward"):
        loss = ((network(parameters, x[:, None]) - y[:, None]) ** 2).mean()
    with record_function("backward"):
        loss.backward()
    with record_function("update"):
        update(parameters)
    return loss


slow, fast = new_parameters(), new_parameters()
losses = [(step_by_points(slow).item(), step(fast).item()) for _ in range(3)]
for by_points, at_once in losses:
    print(f"{by_points:.6f}  {at_once:.6f}")
    assert math.isclose(by_points, at_once, rel_tol=1e-4)

# %%
# Now both loops compute the same loss.
#
# Labels
# ------
#
# ``record_function`` gives a part of the program a name, which appears in the table like an operation. So you see at
# once which part of a step is worth your time.

# teaches: self_cpu_time_total
with profile() as prof:
    for _ in range(20):
        step(fast)
names = "forward", "backward", "update"
labels = [average for average in prof.key_averages() if average.key in names]
for average in sorted(labels, key=lambda average: -average.cpu_time_total):
    share = average.cpu_time_total / prof.self_cpu_time_total
    print(f"{average.key:9} {average.count} times, {share:5.0%} of the time")

# %%
# ``with_stack=True`` records which *line* called each operation, and ``group_by_stack_n=1`` groups the events by it:

with profile(with_stack=True) as prof:
    step(fast)
by_line = prof.key_averages(group_by_stack_n=1)
print(by_line.table(sort_by="self_cpu_time_total", row_limit=5, max_src_column_width=60))

# %%
# Memory that never comes back
# ----------------------------
#
# Now the third fault. To draw a curve, the program keeps its losses:

history = []


def run(keep, steps=50):
    """How many more bytes are held after these steps."""
    parameters = new_parameters()
    with profile(profile_memory=True) as prof:
        for _ in range(steps):
            keep(step(parameters))
    return sum([event.self_cpu_memory_usage for event in prof.function_events])


kept = run(history.append)
print(f"keeping the losses:        {kept / 50:6.0f} more bytes with each step")

# %%
# A loss is one number of four bytes, but it is also the end of a graph. Here ``backward()`` has freed what the graph
# had saved. After ``backward(retain_graph=True)``, or if a loss is never differentiated, such as one on held-out
# points, all of it stays:


def held_out(parameters):
    return ((network(parameters, x[:, None]) - y[:, None]) ** 2).mean()


def watch(keep):
    return run(lambda loss: keep(held_out(fast)))


with_graph = watch(history.append)
as_number = watch(lambda loss: history.append(loss.item()))
print(f"keeping held-out losses:   {with_graph / 50:6.0f} more bytes with each step")
print(f"keeping them as numbers:   {as_number / 50:6.0f} more bytes with each step")
assert with_graph > 50 * n * 16 * 4 > 10 * kept and as_number < kept

# %%
# Each loss kept the hidden layer for a hundred points alive. The cure is ``.item()``, or a forward pass under
# ``torch.no_grad()``. In the table, the columns **CPU Mem** and **Self CPU Mem** show how much each operation
# allocated and did not release. Rows named ``[memory]`` are what was allocated or released between operations, for
# example when Python dropped the last reference to a tensor.
#
# A timeline
# ----------
#
# Tables add times up. A timeline shows what happened when. Each event has a ``time_range`` in microseconds, and
# ``cpu_parent``, the event that contains it; so every event is a bar, drawn below the one that called it:

with profile(record_shapes=True) as prof:
    step(fast)


def depth(event):
    return 0 if event.cpu_parent is None else 1 + depth(event.cpu_parent)


events = [event for event in prof.function_events if event.name != "[memory]"]
start = min(event.time_range.start for event in events)
colors = {"forward": "tab:blue", "backward": "tab:orange", "update": "tab:green"}

# alt: A timeline of one training step. The upper row has three bars, one after the other: forward, backward,
#      update. Under each lie the shorter bars of the operations and nodes in it, with gaps between them, and under
#      the nodes those of the operations that they call.
# sphinx_gallery_start_ignore
figure, axes = plt.subplots(figsize=(7.2, 3), layout="constrained")
for event in events:
    outermost = event
    while outermost.cpu_parent is not None:
        outermost = outermost.cpu_parent
    bar = (event.time_range.start - start, event.time_range.elapsed_us())
    axes.broken_barh([bar], (-depth(event) - 0.8, 0.8), color=colors[outermost.name],
                     alpha=0.9 - 0.2 * depth(event), edgecolor="white", linewidth=0.6)
    if event is outermost:
        axes.annotate(event.name, (bar[0] + bar[1] / 2, 0.05), ha="center", va="bottom")
levels = max(depth(event) for event in events) + 1
axes.set(xlabel="µs since the step began", ylim=(-levels - 0.1, 0.5), yticks=[])
axes.spines[["left", "right", "top"]].set_visible(False)
# sphinx_gallery_end_ignore
plt.show()

# %%
# The upper row holds the three labels. Below them are operations and nodes, and below a node are the operations that
# it called. Gaps are the time that Python needs between two operations.
#
# For more than a picture, write the events to a file and open it in a trace viewer, such as
# `Perfetto <https://ui.perfetto.dev>`_ or the page ``chrome://tracing`` of Chromium. You can zoom in there, and an
# arrow leads from each operation to its node in the backward pass.

# teaches: export_chrome_trace
trace = Path(tempfile.mkdtemp()) / "step.json"
prof.export_chrome_trace(trace)
print(f"wrote {trace.name}: {len(prof.function_events)} events")

# %%
# ``export_stacks`` writes a file for flame graphs. :doc:`other_profilers` sends the same events to the profilers of
# NVIDIA and Intel.
#
# What a profile costs
# --------------------
#
# An operation outside a profile pays next to nothing for it. Inside one, each operation takes a little longer, and
# more so with shapes, stacks and memory. So record everything to find the place, and little to compare times.
#
# Summary
# -------
#
# - Look at the number of calls before the times: a small operation costs mostly its call.
# - Self time tells you where the work is done, total time which operation caused it.
# - A shape that you did not expect is often a mistake. ``record_shapes=True`` lists them all.
# - Memory that grows with each step is often a graph that is kept: store losses as numbers, with ``.item()``.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Profile the network of :doc:`/tutorials/first_gradients/reading_digits`. Which share of a step goes into the
#    matrix products? How does the share change when the batch is four times as large, and why?
# 2. Label the two layers of ``network`` with ``record_function``. Their nodes in the backward pass carry no label.
#    How can you still tell which layer a node belongs to? (:doc:`other_profilers` has a way.)
