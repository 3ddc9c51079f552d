"""Exercises of "Other profilers, and which line made a node"."""

# %% Exercise: Which operation made the slowest node?
# ``slowest(events)`` receives the ``function_events`` of a profile in which something was computed and differentiated
# once. Return the name of the operation of the forward pass whose node took the most time (``cpu_time_total``).

# %% Starter
import minigrad as torch
from minigrad.autograd.profiler import profile


def slowest(events):
    return max(events, key=lambda event: event.cpu_time_total).name


# %% Check
import time


class Sleepy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, gradient):
        time.sleep(0.02)
        return gradient


small, large = torch.ones(3, requires_grad=True), torch.ones(300, 300, requires_grad=True)
with profile() as prof:
    y = small.exp()
    z = y.sin().sum() + (large @ large).sum()
    z.backward()
events = prof.function_events
found = slowest(events)
assert isinstance(found, str), "Return the name of an operation, a string."
assert "Backward" not in found and "::" not in found, f"{found} is a node. Return what made it."
assert found in ("mm", "matmul"), f"The product of the large matrices made the slowest node, not {found}."

with profile() as prof:
    Sleepy.apply(small).cos().sum().backward()
assert slowest(prof.function_events) == "Sleepy", "A Function of your own is an operation, and its node may be slow."

# %% Hint
# Nodes are the events whose ``scope`` is 1; ``GraphRoot`` and ``AccumulateGrad`` have no number, and their
# ``sequence_nr`` is -1.

# %% Hint
# Several operations may announce the same number, because one that records nothing does not use it up. The last one
# before the backward pass recorded the node.


# %% Exercise: Read the ranges
# ``matches(texts)`` receives the texts of ``emit_nvtx``, in order, such as ``"sin, seq = 7"`` and
# ``"SinBackward0, stashed seq = 7"``, and returns a dictionary from the names of nodes to the names of the operations
# that created them. Texts without a number (labels, ``AccumulateGrad``) count as neither.

# %% Starter
def matches(texts):
    return {}


# %% Check
texts = ["step", "exp, seq = 5", "gt, seq = 6", "sin, seq = 6", "sum, seq = 7, sizes = [[3], [], [], []]",
         "torch::autograd::GraphRoot", "SumBackward0, stashed seq = 7", "expand, seq = 0",
         "SinBackward0, stashed seq = 6", "cos, seq = 0", "mul, seq = 0", "ExpBackward0, stashed seq = 5",
         "mul, seq = 0", "torch::autograd::AccumulateGrad"]
found = matches(texts)
assert isinstance(found, dict), "Return a dictionary."
assert set(found) == {"SumBackward0", "SinBackward0", "ExpBackward0"}, f"The keys are {sorted(found)}."
assert found["SumBackward0"] == "sum", "The number may be followed by sizes."
assert found["SinBackward0"] == "sin", f"gt records nothing: sin made the node, not {found['SinBackward0']}."
assert found["ExpBackward0"] == "exp", f"exp made ExpBackward0, not {found['ExpBackward0']}."
assert matches(["mul, seq = 0", "MulBackward0, stashed seq = 0", "mul, seq = 0"]) == {"MulBackward0": "mul"}, (
    "0 is a number like any other: PyTorch begins with it.")
assert matches(["mul, seq = 0", "MulBackward0, stashed seq = 0", "add, seq = 0"]) == {"MulBackward0": "mul"}, (
    "An operation after the node cannot have created it.")

# %% Hint
# ``re.match(r"(\S+), (stashed )?seq = (\d+)", text)`` takes a text apart.

# %% Hint
# Keep the latest operation of each number, and look it up when a node comes.


# %% Exercise: A hook for each layer
# ``watch(results, log)`` receives a dictionary from names to tensors. It registers a prehook on the node of each, which
# appends the name and the norm of the arriving gradient, a float, to ``log``.

# %% Starter
import minigrad as torch


def watch(results, log):
    for name, tensor in results.items():
        tensor.grad_fn.register_prehook(lambda gradients: log.append((name, gradients[0].norm().item())))


# %% Check
x = torch.tensor([1.0, 2.0], requires_grad=True)
first = x * 3
second = first * 4
log = []
watch({"first": first, "second": second}, log)
second.sum().backward()
assert len(log) == 2, f"There are two nodes to watch, and the log has {len(log)} entries."
assert all(isinstance(norm, float) for _, norm in log), "The norm is a float: use .item()."
names = [name for name, _ in log]
assert names != ["second", "second"], "Both hooks look up the variable of the loop when they run, after the loop."
assert names == ["second", "first"], f"The gradient reaches second, then first; the log says {names}."
assert abs(log[0][1] - 2 ** 0.5) < 1e-6, "The gradient that arrives at second is [1, 1]."
assert abs(log[1][1] - 4 * 2 ** 0.5) < 1e-6, "The gradient that arrives at first is [4, 4]."
assert x.grad.tolist() == [12.0, 12.0], "Watching must not change the gradient: the hook returns None."

# %% Hint
# A default argument, ``lambda gradients, name=name: ...``, is evaluated when the lambda is made.

# %% Hint
# ``log.append`` returns None, which leaves the gradient as it is.


# %% Project: 1
# 10 points: 4 for joining nodes to lines, 3 for adding up, 3 for a case that shows it.
#
# Profile with ``with_stack=True``; the line of an operation is the first of its ``stack``, its number leads to the
# node, and ``cpu_time_total`` of the node is added to the line. Of two lines, of which one squares three numbers and
# the other multiplies matrices of 600 × 600, the second takes more than nine tenths of the backward pass. Composite
# operations have several events of one number, such as ``matmul`` and the ``mm`` in it: take one line for each number,
# not one for each event, or its node counts twice. (minigrad also gives nodes the line of their operation, which serves
# as a check.)
#
# The usual mistake: ``self_cpu_time_total``, which leaves out the products that a node calls.


# %% Project: 2
# 10 points: 4 for a timeline of one step, 3 for the gap and its share of the step, 3 for its cause.
#
# A gap lies between the end of one operation and the beginning of the next that is not inside another. State it as a
# share of the step, over several steps, since the first is never typical. What is usually found: reading and converting
# the next batch, ``print`` or a drawing, ``.item()`` of a loss on a graphics card, which waits for it, and many small
# operations from a Python loop, whose gaps are short and add up. With a sleep of 20 milliseconds between two
# operations, the longest gap of the profile begins after the first of them and is at least as long.
#
# The usual mistakes: to take the time inside an event for a gap, and to name the operations around a gap without the
# statement between them.


# %% Project: 3
# 10 points: 3 for the picture, 4 for the order, 3 for the sums.
#
# The order does not differ. The three nodes that used the tensor are ready at different moments, but among the nodes
# that are ready the engine runs the one with the highest number first, so the numbers fall here, too, and the arcs are
# still nested. What differs is inside. The node that made the tensor has to wait for all three, and two of the nodes
# before it contain an ``add``: the gradients of the three uses are added up as they arrive. The picture shows uses by
# their numbers only; to see that three arcs belong to one tensor, draw ``next_functions``.
#
# The usual mistake: to draw the order that one expects, in which the node of the tensor runs after its first use.
