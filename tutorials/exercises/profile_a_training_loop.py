"""Exercises of "Profile a training loop, and make it faster"."""

# %% Exercise: Count the calls
# ``calls(function)`` runs a function without arguments under a profiler, and returns how often each operation ran, as
# a dictionary from names to numbers. Nodes of a backward pass do not count.

# %% Starter
import minigrad as torch


def calls(function):
    return {}


# %% Check
w = torch.randn(3, 3, requires_grad=True)


def program():
    y = torch.sin(w @ w) + torch.sin(w)
    y.sum().backward()


found = calls(program)
assert isinstance(found, dict) and found, "Return a dictionary."
assert found.get("sin") == 2, f"sin runs twice, and you count {found.get('sin')}."
assert found.get("mm") == 3, f"mm runs once forward and twice in the backward pass, and you count {found.get('mm')}."
nodes = [name for name in found if "Backward" in name or "::" in name]
assert not nodes, f"Nodes of the backward pass, such as {nodes[0]}, are not operations."

# %% Hint
# ``prof.key_averages()`` has an event for each name, with ``key`` and ``count``. The names of nodes end in
# ``Backward0`` or the like, or begin with ``torch::autograd::``.


# %% Exercise: All points at once
# ``slow`` computes a weighted distance of each point to each centre, one pair at a time. Write ``fast`` with the same
# result and gradients, and at most ten operations.

# %% Starter
import minigrad as torch


def slow(points, centres, weights):
    rows = []
    for point in points:
        rows.append(torch.stack([(weights * (point - centre) ** 2).sum() for centre in centres]))
    return torch.stack(rows)


def fast(points, centres, weights):
    return slow(points, centres, weights)


# %% Check
torch.manual_seed(0)
points, centres = torch.randn(7, 3, dtype=torch.float64), torch.randn(4, 3, dtype=torch.float64)
weights = torch.rand(3, dtype=torch.float64)
inputs = [tensor.requires_grad_() for tensor in (points, centres, weights)]
with torch.autograd.profiler.profile() as prof:
    found = fast(*inputs)
ran = len(prof.function_events)
assert found.shape == (7, 4), "There is a row for each point, and a column for each centre."
assert torch.allclose(found, slow(*inputs)), "The distances differ from those of slow."
for name, a, b in zip(("points", "centres", "weights"), torch.autograd.grad(found.sum(), inputs),
                      torch.autograd.grad(slow(*inputs).sum(), inputs)):
    assert torch.allclose(a, b), f"The gradient of the {name} differs."
assert ran <= 10, f"fast runs {ran} operations."

# %% Hint
# ``points[:, None]`` and ``centres`` broadcast to (points, centres, dims).


# %% Exercise: A step without waste
# ``step`` updates parameters, and makes new tensors for each of them. Write it so that no new memory is taken for
# results, and no graph is recorded, and the parameters stay the same tensors.

# %% Starter
import minigrad as torch


def step(parameters, rate):
    for i, p in enumerate(parameters):
        parameters[i] = (p - rate * p.grad).detach().requires_grad_()


# %% Check
import tracemalloc

parameters = [torch.ones(2, 3, requires_grad=True), torch.zeros(4, requires_grad=True)]
kept, places = list(parameters), [p.data_ptr() for p in parameters]
for p in parameters:
    p.grad = torch.full_like(p, 2.0)
step(parameters, 0.25)
assert all(p is q for p, q in zip(parameters, kept)), "The parameters must stay the same tensors."
assert [p.data_ptr() for p in parameters] == places, "Write in place: the numbers have moved to other memory."
assert parameters[0][0, 0] == 0.5 and parameters[1][0] == -0.5, "The step is rate times the gradient, downhill."
assert all(p.is_leaf and p.requires_grad for p in parameters), "They must stay leaves that require grad."
assert all((p.grad == 2).all() for p in parameters), "The gradients must stay as they are."
large = torch.ones(100_000, requires_grad=True)
large.grad = torch.ones(100_000)
tracemalloc.start()
step([large], 0.25)
taken = tracemalloc.get_traced_memory()[1]
tracemalloc.stop()
assert taken < 100_000, f"For 100000 numbers of 4 bytes {taken} bytes were taken: is the product a tensor of its own?"

# %% Hint
# ``p.add_(p.grad, alpha=...)`` multiplies and adds in one operation, without a result in between.


# %% Project: 1
# 10 points: 3 for the share, 3 for the larger batch, 4 for the reason.
#
# Add up ``self_cpu_time_total`` of ``addmm`` and ``mm``, over several steps, on one core. There are five products in a
# step, two forward and three back, because the images need no gradient. Of a step with 32 images they take about a
# third of the time, with 128 a half, and with 1024 three quarters: the arithmetic grows with the batch, and the number
# of calls does not. So four times the batch takes much less than four times the time, and the share grows more slowly
# the closer it comes to 1.
#
# The usual mistakes: the totals of ``linear`` and of ``AddmmBackward0`` counted together with the products that they
# contain, and several threads, which make products of this size slower.


# %% Project: 2
# 10 points: 3 for the labels, 4 for the numbers, 3 for a table of time for each layer.
#
# Operations inside a label have it as their ``cpu_parent``, or as that of their parent, and carry a ``sequence_nr``;
# the node that an operation has recorded has the same number, and its ``scope`` is 1. Of the page's network,
# ``MmBackward0``, ``AddBackward0`` and ``TanhBackward0`` belong to the first layer, ``AddBackward0`` and
# ``MmBackward0`` to the second. The nodes of the loss belong to neither, and ``AccumulateGrad`` has no number: it
# belongs to a parameter, not to an operation.
#
# The usual mistake: to label the call of ``backward``, which gives all nodes one label.
