"""
Other profilers, and which line made this node
==============================================

A profile says that a node of the backward pass is slow. On this page you find the operation of the forward pass that
recorded it. Then you hand the same events to other people's profilers, NVIDIA's and Intel's, read a file that one of
them has written, and learn what a profile covers and what it leaves out.

You need a profile and its table, from :doc:`profile_a_training_loop`.
"""

# %%
# The problem
# -----------
#
# This program multiplies twice, so its backward pass has two nodes named ``MulBackward0``. The table adds them up:

import asyncio
import sys
import tempfile
import threading
import types
from pathlib import Path
from unittest import mock

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
# Ranges for NVIDIA's tools
# -------------------------
#
# A profiler made by someone else knows nothing about gradients. It can draw the threads of a process and the work of
# the graphics card, and it lets a program label a stretch of its timeline: a *range*, with a text. Inside
# ``emit_nvtx()`` every operation and every node is such a range. Operations are recorded by NVIDIA's profiler, not
# here, so you start the program under it and switch recording on where it matters:
#
# .. code-block:: none
#
#    nsys profile -t nvtx python train.py
#    nvprof --profile-from-start off -o trace.prof -- python train.py      (older cards)
#
# The texts go through the Python package ``nvtx``. To see them without any profiler, we put an object into its place
# that writes them down, indented by how many ranges are open.


class Ranges(types.ModuleType):
    """Stands in for a package of ranges: keeps what is pushed."""

    def __init__(self):
        super().__init__("nvtx")
        self.texts, self.open = [], 0

    def push_range(self, text, domain):
        self.texts.append("  " * self.open + text)
        self.open += 1

    def pop_range(self, domain):
        self.open -= 1


def ranges_of(function, **options):
    nvtx = Ranges()
    # teaches: emit_nvtx
    with mock.patch.dict(sys.modules, nvtx=nvtx), profiler.emit_nvtx(**options):
        function()
    assert nvtx.open == 0
    return nvtx.texts


leaf = torch.ones(3, requires_grad=True)
y = leaf.exp()
number = y.grad_fn._sequence_nr()


def compare_and_go_back():
    y > 2
    y.sin().sum().backward()


texts = ranges_of(compare_and_go_back)
print("\n".join(texts))

# %%
# Each range of the forward pass ends in ``seq = N``: the number that its node will get *if* it records one. A
# comparison records nothing, so the operation after it announces the same number. In the backward pass the outermost
# range of a node carries ``stashed seq = M``, the number it was created with. Where M equals N, that operation
# created that node. ``seq`` of what runs *inside* a node means nothing unless the backward pass is recorded, too, and
# is 0 here.


def seq(text):
    return int(text.rpartition("seq = ")[2].partition(",")[0])


def find(texts, name):
    return next(text for text in texts if text.startswith(name))


assert seq(find(texts, "gt")) == seq(find(texts, "sin")) == number + 1
assert seq(find(texts, "SinBackward0")) == seq(find(texts, "sin,"))
assert seq(find(texts, "ExpBackward0")) == number
assert seq(find(texts, "  cos")) == 0

# %%
# With ``create_graph=True`` the backward pass records nodes itself. Then the inner numbers are in use, and in the
# second backward pass they come back as ``stashed seq``: the product below was made by the first pass.

slopes = []


def first_pass():
    slopes[:] = torch.autograd.grad(leaf.exp().sum(), leaf, create_graph=True)


first = ranges_of(first_pass)
second = ranges_of(lambda: slopes[0].sum().backward())
print("first: ", find(first, "  mul").strip())
print("second:", find(second, "MulBackward0").strip())
assert seq(find(first, "  mul")) == seq(find(second, "MulBackward0")) > 0

# %%
# ``record_shapes=True`` adds the sizes of all arguments, as ``Tensor.size()`` returns them, in the order in which the
# kernel receives them; ``[]`` is anything that is not a tensor. That order need not be the one of your call:
# ``linear(x, W, b)`` is computed by ``addmm(b, x, W)``. With ``enabled=False`` there are no ranges at all.

x2, W, b = torch.ones(2, 3), torch.ones(4, 3), torch.ones(4)
# teaches: Tensor.size
print("sizes:", [list(argument.size()) for argument in (x2, W, b)])
texts = ranges_of(lambda: torch.nn.functional.linear(x2, W, b), record_shapes=True)
print("\n".join(texts))
assert find(texts, "linear").endswith("sizes = [[2, 3], [4, 3], [4]]")
assert find(texts, "  addmm").endswith("sizes = [[4], [2, 3], [3, 4]]")
assert ranges_of(lambda: leaf * 2, record_shapes=True)[0].endswith("sizes = [[3], []]")
assert ranges_of(lambda: leaf * 2, enabled=False) == []

# %%
# What happens where the package is not installed, or there is no card? The program runs, without ranges, and a
# warning says so. (``None`` in ``sys.modules`` makes Python behave as if the package were missing.)

# teaches: emit_nvtx, cuda.profiler.profile
model(x)        # warm up first: a first call is never typical
with mock.patch.dict(sys.modules, nvtx=None), expect_warning():
    with torch.cuda.profiler.profile():         # switches NVIDIA's profiler on
        with profiler.emit_nvtx():
            model(x)

# %%
# Ranges for Intel's tools
# ------------------------
#
# ``emit_itt`` does the same for VTune, through the package ``ittapi``. Arguments and texts are those of
# ``emit_nvtx``. Start the program with ``vtune``, and the ranges are rows of its timeline.

# teaches: emit_itt
told = []
ittapi = types.ModuleType("ittapi")
vars(ittapi).update(
    domain=lambda text: text,
    string_handle=lambda text: text,
    task_begin=lambda domain, text: told.append(text),
    task_end=lambda domain: None,
)

with mock.patch.dict(sys.modules, ittapi=ittapi), profiler.emit_itt(record_shapes=True):
    leaf * 2
print(told)
assert told[0].startswith("mul, seq = ") and told[0].endswith("sizes = [[3], []]")

with mock.patch.dict(sys.modules, ittapi=None), expect_warning():
    with profiler.emit_itt():
        leaf * 2

# %%
# Reading what nvprof wrote
# -------------------------
#
# ``nvprof`` writes its file when the process ends, and not before. The file is an SQLite database, and its tables are
# documented, so we can write a small one as a card would have: a node with an operation inside it, which launched a
# kernel. A range has a row where it starts, with the number of its name, and one where it ends, with 0; a call of the
# CUDA runtime and the kernel that it launched share a ``correlationId``. All times are nanoseconds.

import sqlite3

path = Path(tempfile.mkdtemp()) / "trace.prof"
database = sqlite3.connect(path)
database.executescript("""
    CREATE TABLE StringTable (_id_ INTEGER PRIMARY KEY, value TEXT);
    CREATE TABLE CUPTI_ACTIVITY_KIND_MARKER (
        timestamp INT, id INT, objectId BLOB, name INT);
    CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (
        start INT, end INT, correlationId INT, cbid INT);
    CREATE TABLE CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL (
        start INT, end INT, deviceId INT, correlationId INT, name INT);

    INSERT INTO StringTable VALUES
        (1, 'MulBackward0, stashed seq = 5'), (2, 'mul, seq = 0'), (3, 'multiply_kernel');
    INSERT INTO CUPTI_ACTIVITY_KIND_MARKER VALUES
        (1000, 11, x'01', 1), (2000, 12, x'01', 2),
        (5000, 12, x'01', 0), (9000, 11, x'01', 0);
    INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (2100, 2200, 71, 211);
    INSERT INTO CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL VALUES (20000, 20400, 0, 71, 3);
""")
database.close()

# teaches: load_nvprof
events = profiler.load_nvprof(path)
for event in events:
    inside = event.cpu_parent.name.partition(",")[0] if event.cpu_parent else "nothing"
    print(f"{event.name:30} {event.cpu_time_total:.1f} µs, inside {inside}, "
          f"on the card {[(kernel.name, kernel.duration) for kernel in event.kernels]}")
node, mul = events
assert isinstance(events, EventList) and mul.cpu_parent is node
assert (node.cpu_time_total, mul.cpu_time_total, mul.device_time_total) == (8.0, 3.0, 0.4)

# %%
# The kernel ran long after the call that launched it had returned: a card works while the program goes on. So the
# kernel is listed with the ranges that were open at the *launch*.
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
# The other options are about devices, and about PyTorch's own machinery. ``enabled=False`` lets a flag of your
# program decide. ``experimental_config`` takes an ``_ExperimentalConfig``, whose options may change with any release
# of PyTorch; minigrad keeps them and does nothing with them, and the same holds for ``with_modules`` and
# ``use_kineto``. A device that is not there gives a warning, and a profile that leaves out the CPU is an error.

with profiler.profile(enabled=False) as prof:
    model(x)
print("switched off:", len(prof.function_events), "events")

# teaches: _ExperimentalConfig
config = profiler._ExperimentalConfig(verbose=True)
with profiler.profile(
    experimental_config=config, with_modules=True, use_kineto=True
) as prof:
    model(x)
print("with options that change nothing:", len(prof.function_events), "events")

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
# **Trusting the times of a profile that records a lot.** Recording takes time, too. It is done between operations, so
# the innermost events hardly notice; but the self time of an operation that calls others contains what it cost to
# record these calls. Compare a profile with and without, here for ``linear``, which calls ``addmm``:


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
# **Matching by order.** "The third node from the end belongs to the third operation" is true until a tensor is used
# twice, an operation records nothing, or another thread records nodes as well. Match by number.
#
# Summary
# -------
#
# - ``sequence_nr`` of an operation and of a node are equal where the operation recorded the node; in ranges they read
#   ``seq`` and ``stashed seq``.
# - ``emit_nvtx`` and ``emit_itt`` hand the events to the profilers of NVIDIA and Intel. Without the packages
#   ``nvtx`` and ``ittapi`` they warn and do nothing.
# - ``load_nvprof`` reads the file of ``nvprof`` as an ``EventList``, with the kernels that each range launched.
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
#    What does your program do there?
# 3. Draw the mirror image of a function that uses one tensor three times. How does its order differ from that of a
#    chain?
