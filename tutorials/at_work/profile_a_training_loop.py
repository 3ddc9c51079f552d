"""
Profile a training loop, and make it faster
===========================================

A program is slow. Where? Guessing is the usual way, and the usual guess is wrong. A *profiler* writes down when each
operation began and ended, forward and backward. On this page a training loop with three faults is profiled: one makes
it slow, one makes it eat memory, and one makes it wrong. All three show in the tables. You learn to read the columns,
to label parts of a program, and to look at a run as a timeline.

You need a training loop as in :doc:`/tutorials/first_gradients/reading_digits`.
"""

# %%
# The problem
# -----------
#
# A network with one hidden layer should learn a noisy sine. Here is a loop as you might write it on your first day:
# one point after the other, since that is what the formula on the blackboard says.

import math
import tempfile
from pathlib import Path

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
# ``profile()`` is a context manager: what runs in its block is written down. ``key_averages()`` puts the events of
# one name together, and ``table()`` prints them.

# teaches: autograd.profiler, autograd.profiler.profile, key_averages, EventList.table
with profile() as prof:
    step_by_points(parameters)

print(prof.key_averages().table(sort_by="self_cpu_time_total", row_limit=10))

# %%
# How to read it: **Self CPU** is the time spent in an operation itself, **CPU total** adds what it called: the node
# ``MmBackward0`` of the backward pass calls products ``mm``, whose time is in its total and not in its self. The self
# times add up to what was measured.
#
# But look at **# of Calls** first. A network of two layers multiplies two matrices. This one did it hundreds of
# times:

calls = {average.key: average.count for average in prof.key_averages()}
print("mm:", calls["mm"], "calls;  all operations and nodes:", len(prof.function_events))
assert calls["mm"] == (2 + 3) * n       # three backward: nobody wants the gradient of x

# %%
# Each of these calls multiplies a matrix of one row. Its cost is not arithmetic, but the call: look up, record, wrap.
# The cure is to give the network all points at once.


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
# What goes wrong, and shows in the shapes
# ----------------------------------------
#
# A hundred times fewer calls, and done? The loss printed above is not the one that the first loop printed. ``step``
# computes something else! We asked the profile for shapes, so let it group the operations by them:

table = prof.key_averages(group_by_input_shape=True)
print(table.table(sort_by="self_cpu_time_total", row_limit=8, max_name_column_width=20))

# %%
# There it is. ``sub`` received the shapes ``[[100, 1], [100]]``: a column and a row, which broadcast to a square of
# 100 by 100. Every prediction was compared with *every* target. No error was raised, and none can be: broadcasting is
# a feature. The profile shows it in the shapes, and in the time: what should be small operations are the most
# expensive.

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
# Now both loops compute the same.
#
# Labels
# ------
#
# ``record_function`` gives a part of the program a name, and the name appears in the table like an operation. One
# look shows which third of a step is worth the work.

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
# ``with_stack=True`` shows which *line* it is. ``group_by_stack_n=1`` keeps the events apart by the innermost line:

with profile(with_stack=True) as prof:
    step(fast)
by_line = prof.key_averages(group_by_stack_n=1)
print(by_line.table(sort_by="self_cpu_time_total", row_limit=5, max_src_column_width=60))

# %%
# Memory that never comes back
# ----------------------------
#
# The third fault. To draw a curve, the program keeps the losses:

history = []


def run(keep, steps=50):
    """How many bytes more are held when these steps are over."""
    parameters = new_parameters()
    with profile(profile_memory=True) as prof:
        for _ in range(steps):
            keep(step(parameters))
    return sum([event.self_cpu_memory_usage for event in prof.function_events])


kept = run(history.append)
print(f"keeping the losses:        {kept / 50:6.0f} bytes more with each step")

# %%
# A loss is one number of four bytes. It is also the end of a graph. ``backward()`` has freed what the graph had
# saved; but ``retain_graph=True``, or a loss that nobody differentiates, such as one on held-out points, keeps all of
# it:


def held_out(parameters):
    return ((network(parameters, x[:, None]) - y[:, None]) ** 2).mean()


def watch(keep):
    return run(lambda loss: keep(held_out(fast)))


with_graph = watch(history.append)
as_number = watch(lambda loss: history.append(loss.item()))
print(f"keeping held-out losses:   {with_graph / 50:6.0f} bytes more with each step")
print(f"keeping them as numbers:   {as_number / 50:6.0f} bytes more with each step")
assert with_graph > 50 * n * 16 * 4 > 10 * kept and as_number < kept

# %%
# Each loss kept alive the hidden layer for a hundred points. ``.item()``, or a forward pass under
# ``torch.no_grad()``, is the cure. In the table the columns **CPU Mem** and **Self CPU Mem** show which operations
# allocated what is still there; rows named ``[memory]`` are what was allocated and released between operations, when
# Python let go of a tensor.
#
# A timeline
# ----------
#
# Tables add up. To see what came when, write the events to a file and open it in a viewer of traces, such as
# `Perfetto <https://ui.perfetto.dev>`_ or the page ``chrome://tracing`` of Chromium: labels contain operations, and
# an arrow leads from each operation to its node in the backward pass.

# teaches: export_chrome_trace
with profile(record_shapes=True) as prof:
    step(fast)
trace = Path(tempfile.mkdtemp()) / "step.json"
prof.export_chrome_trace(trace)
print(f"wrote {trace.name}: {len(prof.function_events)} events")

# %%
# ``export_stacks`` writes the same for flame graphs; ``emit_nvtx`` and ``emit_itt`` show the operations in the
# profilers of NVIDIA and Intel, as ranges.
#
# What a profile costs
# --------------------
#
# Nothing, as long as none is on. While one is on, each operation takes a few tenths of a microsecond longer, and more
# with shapes, stacks and memory. So find the place with everything on, and compare times without.
#
# Summary
# -------
#
# - Look at the number of calls before you look at the times. Small operations cost their call.
# - Self time is where the work is done; total time is who ordered it.
# - Shapes that you did not expect are mistakes, and a profile with ``record_shapes=True`` lists them all.
# - Memory that grows with each step is a graph that something keeps: take numbers out of tensors with ``.item()``.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Profile the network of :doc:`/tutorials/first_gradients/reading_digits`. Which share of a step goes into the
#    matrix products? Make the batch four times as large, and see how the share changes, and why.
# 2. Label the two layers of ``network`` with ``record_function``. Their nodes in the backward pass carry no label.
#    Find them all the same, by the lines of their forward operations (``with_stack=True``).
