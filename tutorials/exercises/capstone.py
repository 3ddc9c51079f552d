"""Exercises of "Your own minigrad"."""

# %% Stage: The engine
# Write ``engine(roots, gradients, inputs, keep_graph)``, which runs a backward pass on minigrad's graphs and, from the
# next stage on, on your own. ``roots`` are edges, pairs of a node and 0, and ``gradients`` has a gradient for each. A
# node has ``next_functions``, the edges that lead on from it (the node of an edge may be ``None``); called with its
# gradient, it returns one gradient for each edge, or a tuple of them. ``_sequence_nr()`` is the higher the later a node
# was recorded. Assume that each node has one output, that ``inputs`` is empty, and that nothing is kept: return
# nothing. (:doc:`/tutorials/the_graph/build_your_engine` derives such an engine.)

# %% Starter
def engine(roots, gradients, inputs, keep_graph):
    ...


# %% Check
import minigrad as torch


class Step:
    """A node without minigrad: its gradient is a float, and goes on to each edge as it is."""

    count = 0

    def __init__(self, *leads_to):
        self.next_functions = tuple((node, 0) for node in leads_to)
        self.ran, self.number = [], Step.count
        Step.count += 1

    def __call__(self, gradient):
        self.ran.append(gradient)
        return tuple(gradient for _ in self.next_functions)

    def _sequence_nr(self):
        return self.number


class Silent(Step):
    """A node that has no gradient for what comes before it."""

    def __call__(self, gradient):
        return tuple(None for _ in self.next_functions)


leaf = Step()
middle = Step(leaf, leaf)
top = Step(middle, None, leaf)
engine([(top, 0)], [1.5], (), False)
assert top.ran, "The node of the root has not run."
assert [*map(len, (top.ran, middle.ran, leaf.ran))] == [1, 1, 1], "Each node runs once: add first, then go on."
assert leaf.ran == [4.5], f"Three paths of 1.5 lead to the leaf: it gets 4.5, not {leaf.ran[0]}."
leaf = Step()
engine([(Step(Silent(Step(leaf)), leaf), 0)], [1.5], (), False)
assert leaf.ran == [1.5], "Where only None arrives, None goes on: what comes after it must not wait for ever."

cases = ["a chain", "a given gradient", "a leaf used twice", "a diamond", "diamonds in a row",
         "a long way and a short one", "a shared gradient", "several roots", "a branch without gradient",
         "a wide graph", "a deep chain", "no elements", "complex numbers", "a gradient of None", "an exception"]
report = torch.check_engine(engine, cases, verbose=False)
failed = [f"{case.name}: {case.problem}. {case.why}" for case in report.results if not case.passed]
assert report, "\n".join([f"{len(failed)} of {len(cases)} graphs of minigrad's get wrong gradients.", *failed])

torch.manual_seed(0)
network = torch.nn.Sequential(torch.nn.Linear(3, 8), torch.nn.Tanh(), torch.nn.Linear(8, 2))
x = torch.randn(5, 3)
network(x).square().sum().backward()
wanted = [p.grad for p in network.parameters()]
network.zero_grad()
with torch.use_engine(engine):
    network(x).square().sum().backward()
for found, right in zip(network.parameters(), wanted):
    assert torch.allclose(found.grad, right), "A network of minigrad's gets other gradients from your engine."

# %% Hint
# First walk over the graph, with a list and no recursion, and count the edges that lead to each node. Each root counts
# as one more.

# %% Hint
# ``deliver(node, gradient)`` adds the gradient to the sum that waits at the node, and takes one from its count. At 0
# the node is ready. Add with ``+``, not with ``+=``: the same gradient may wait at another node too.

# %% Hint
# A gradient may be ``None``: it adds nothing, but it has arrived. A node to which only ``None`` came does not run, and
# delivers ``None`` along each of its edges.

# %% Rubric
# 20 points. Fifteen cases of ``torch.check_engine`` pass, among them 60 diamonds in a row and a chain of 100,000 steps,
# and under ``torch.use_engine`` a network of minigrad's gets the gradients that it has without it.


# %% Stage: Tensors that remember
# From here on: NumPy and your own code, no minigrad. A ``Tensor`` has ``data`` (an array of float64), ``grad`` (an
# array, or ``None``), ``shape``, ``requires_grad`` and ``grad_fn``, the node that made it. ``backward(gradient=None)``
# hands its graph to your engine, with ones by default. A leaf adds what arrives to its ``grad``. Write the nodes, and
# the first two operations, ``add(a, b)`` and ``mul(a, b)``, which broadcast and take plain numbers and arrays too. The
# operators are given; what they call comes in this stage and the next.

# %% Starter
import itertools

import numpy as np

numbers = itertools.count()  # next(numbers) is the number of a new node


class Node:
    """What a result remembers: edges to the nodes of its operands, and a pullback for each."""

    def __init__(self, operands, pullbacks): ...

    def __call__(self, gradient): ...

    def _sequence_nr(self): ...


class Leaf:
    """The node of a tensor that was not computed: adds to its ``grad``, and leads nowhere."""


class Tensor:
    def __init__(self, data, requires_grad=False): ...

    def backward(self, gradient=None): ...

    def __add__(self, other):
        return add(self, other)

    def __sub__(self, other):
        return add(self, mul(other, -1.0))

    def __mul__(self, other):
        return mul(self, other)

    def __truediv__(self, other):
        return mul(self, power(other, -1.0))

    def __matmul__(self, other):
        return matmul(self, other)

    __radd__, __rmul__ = __add__, __mul__


def record(data, operands, pullbacks):
    """A tensor with a node, if one of the operands has one."""
    ...


def add(a, b): ...


def mul(a, b): ...


# %% Check
import numpy as np
import minigrad

random = np.random.default_rng(0)
x = Tensor([1.0, 2.0], requires_grad=True)
assert x.data.dtype == np.float64 and x.shape == (2,) and x.grad is None, "data, shape and grad of a new leaf."
assert x.requires_grad and not Tensor(3.0).requires_grad, "requires_grad tells whether a tensor has a node."
assert not add(Tensor(1.0), 2.0).requires_grad, "Nothing is recorded if no operand requires a gradient."
y = x * 3.0 + x
y.backward(np.array([1.0, 10.0]))
assert isinstance(x.grad, np.ndarray), "grad is an array."
assert x.grad.tolist() == [4.0, 40.0], f"x.grad is {x.grad.tolist()}, and should be [4, 40]."
(2.0 * x).backward()
assert x.grad.tolist() == [6.0, 42.0], "A second pass adds to grad."
for shapes in ((3, 4), (3, 4)), ((3, 4), (4,)), ((3, 1), (4,)), ((), (2, 3)), ((2, 1, 4), (3, 1)):
    arrays = [random.normal(size=shape) for shape in shapes]
    for ours, theirs in (add, minigrad.add), (mul, minigrad.mul):
        a, b = (Tensor(each, requires_grad=True) for each in arrays)
        c, d = (minigrad.tensor(each, requires_grad=True) for each in arrays)
        result, right = ours(a, b), theirs(c, d)
        assert np.allclose(result.data, right.detach().numpy()), f"{ours.__name__} of the shapes {shapes}: the values."
        gradient = random.normal(size=result.shape)
        result.backward(gradient)
        right.backward(minigrad.tensor(gradient))
        for name, found, wanted in ("first", a, c), ("second", b, d):
            what = f"{ours.__name__} of the shapes {shapes}, {name} operand: "
            assert found.grad.shape == found.shape, what + f"the gradient has the shape {found.grad.shape}."
            assert np.allclose(found.grad, wanted.grad.numpy()), what + "the gradient is wrong."
y = x = Tensor(1.0, requires_grad=True)
for _ in range(60):
    y = y + y
y.backward()
assert x.grad == 2.0 ** 60, "Sixty doublings have 2 ** 60 paths, and sixty nodes."

# %% Hint
# ``next_functions`` is a tuple of pairs ``(operand.grad_fn, 0)``, and ``grad_fn`` is ``None`` for a tensor that needs
# no gradient. A node calls the pullback of each edge that leads somewhere.

# %% Hint
# A pullback takes the gradient of the result and returns that of one operand: for ``mul``, ``lambda g: g * b.data``,
# and then back to the shape of the operand. What broadcasting has repeated is summed: first the dims in front, then
# those of size 1.

# %% Rubric
# 15 points. Values and gradients agree with minigrad's to 1e-8 for five pairs of shapes that broadcast.


# %% Stage: Ten rows
# With ``add`` and ``mul`` these make ten rows: ``power(x, exponent)`` (a number), ``exp(x)``, ``log(x)``,
# ``sum(x, dim=None, keepdim=False)``, ``matmul(a, b)`` (matrices, and stacks of them, which broadcast),
# ``reshape(x, shape)``, ``transpose(x, dim0, dim1)`` and ``take(x, rows)``, which is ``x[rows]`` for an array of
# integers that may name a row twice, or for one integer. Each computes its value with NumPy, and records a pullback.

# %% Starter
def power(x, exponent): ...


def exp(x): ...


def log(x): ...


def sum(x, dim=None, keepdim=False): ...


def matmul(a, b): ...


def reshape(x, shape): ...


def transpose(x, dim0, dim1): ...


def take(x, rows): ...


# %% Check
import numpy as np
import minigrad as torch

random = np.random.default_rng(1)


def agree(name, ours, theirs, *shapes):
    """The value and the gradients are minigrad's, at random points between 0.5 and 1.5."""
    arrays = [random.uniform(0.5, 1.5, shape) for shape in shapes]
    mine = [Tensor(each, requires_grad=True) for each in arrays]
    right = [torch.tensor(each, requires_grad=True) for each in arrays]
    result, wanted = ours(*mine), theirs(*right)
    assert isinstance(result, Tensor), f"{name} returns {type(result).__name__}, and should return a Tensor."
    assert result.shape == tuple(wanted.shape), f"{name}: the shape is {result.shape}, not {tuple(wanted.shape)}."
    assert np.allclose(result.data, wanted.detach().numpy()), f"{name}: the values are wrong."
    gradient = random.normal(size=result.shape)
    try:
        result.backward(gradient)
    except Exception as problem:
        raise AssertionError(f"{name}: in the backward pass, {type(problem).__name__}: {problem}") from None
    wanted.backward(torch.tensor(gradient))
    for number, (x, y) in enumerate(zip(mine, right), 1):
        operand = f" of operand {number}" if len(mine) > 1 else ""
        assert x.grad is not None, f"{name}: no gradient{operand} arrives."
        assert x.grad.shape == x.shape, f"{name}: the gradient{operand} has the shape {x.grad.shape}, not {x.shape}."
        assert np.allclose(x.grad, y.grad.numpy()), f"{name}: the gradient{operand} is wrong."


for exponent in 3, -0.5, -1.0:
    agree(f"power(x, {exponent})", lambda x: power(x, exponent), lambda x: x ** exponent, (3, 4))
agree("exp", exp, torch.exp, (3, 4))
agree("log", log, torch.log, (3, 4))
agree("sum(x)", lambda x: sum(x), lambda x: x.sum(), (3, 4))
for dim in 0, -1:
    for keepdim in True, False:
        agree(f"sum(x, {dim}, {keepdim})", lambda x: sum(x, dim, keepdim), lambda x: x.sum(dim, keepdim), (2, 3, 4))
for shapes in ((3, 4), (4, 5)), ((2, 3, 4), (4, 5)), ((2, 1, 3, 4), (5, 4, 2)):
    agree(f"matmul of the shapes {shapes}", matmul, torch.matmul, *shapes)
agree("reshape", lambda x: reshape(x, (2, 6)), lambda x: x.reshape(2, 6), (3, 4))
agree("transpose", lambda x: transpose(x, 0, 2), lambda x: x.transpose(0, 2), (2, 3, 4))
rows = np.array([[2, 0], [2, 2]])
agree("take(x, rows)", lambda x: take(x, rows), lambda x: x[torch.tensor(rows)], (3, 4))
agree("take(x, 1)", lambda x: take(x, 1), lambda x: x[1], (3, 4))
agree("(a - b) / (a + b)", lambda a, b: (a - b) / (a + b), lambda a, b: (a - b) / (a + b), (3, 1), (4,))

# %% Hint
# The transpose of a sum repeats: ``np.broadcast_to``, after ``np.expand_dims`` if the dim is gone.

# %% Hint
# For matrices the gradients of ``a @ b`` are ``g @ b.T`` and ``a.T @ g``. In a stack of matrices only the last two dims
# are turned, ``swapaxes(-1, -2)``, and stacks that were repeated are summed, as in ``mul``.

# %% Hint
# ``zeros[rows] += g`` forgets that a row may come twice; ``np.add.at(zeros, rows, g)`` does not.

# %% Rubric
# 15 points. Values and gradients agree with minigrad's to 1e-8, for stacks of matrices and for rows that come twice
# too.


# %% Stage: Modules, and a loss
# A ``Module`` has ``parameters()``, a list of all tensors that require a gradient, its own and those of its modules,
# also of modules in lists. ``Linear(n_in, n_out, random)`` computes ``x @ weight + bias`` with ``weight`` of the shape
# (n_in, n_out), ``Embedding(n, width, random)`` takes rows of its ``weight``, and ``LayerNorm(width)`` brings each
# vector to mean 0 and variance 1 (add 1e-5 to the variance), then scales it with ``weight`` and shifts it by ``bias``.
# ``random`` is a generator of NumPy's, for the first values. Write ``relu(x)``, ``softmax(x)`` over the last dim, and
# ``cross_entropy(scores, targets)``: the mean over all places, ``targets`` being an array of integers. Large scores
# must not overflow.

# %% Starter
class Module:
    def parameters(self): ...


class Linear(Module):
    def __init__(self, n_in, n_out, random): ...

    def __call__(self, x): ...


class Embedding(Module):
    def __init__(self, n, width, random): ...

    def __call__(self, ids): ...


class LayerNorm(Module):
    def __init__(self, width): ...

    def __call__(self, x): ...


def relu(x): ...


def softmax(x): ...


def cross_entropy(scores, targets): ...


# %% Check
import numpy as np
import minigrad as torch

F = torch.nn.functional
random = np.random.default_rng(2)


def theirs(tensor):
    return torch.tensor(tensor.data, requires_grad=True)


def same(name, result, right, pairs):
    assert np.allclose(result.data, right.detach().numpy()), f"{name}: the values are wrong."
    gradient = random.normal(size=result.shape)
    result.backward(gradient)
    right.backward(torch.tensor(gradient))
    for what, x, y in pairs:
        assert x.grad is not None and x.grad.shape == x.shape, f"{name}: {what} has no gradient of its shape."
        assert np.allclose(x.grad, y.grad.numpy()), f"{name}: the gradient of {what} is wrong."


x = Tensor(random.normal(size=(2, 3, 4)), requires_grad=True)
y, layer = theirs(x), Linear(4, 5, random)
assert layer.weight.shape == (4, 5) and layer.bias.shape == (5,), "The shapes of the weight and the bias of Linear."
assert layer.weight.data.std() > 0, "The first weight of a Linear must be drawn at random."
w, b = theirs(layer.weight), theirs(layer.bias)
same("Linear", layer(x), y @ w + b, [("x", x, y), ("weight", layer.weight, w), ("bias", layer.bias, b)])
layer, ids = Embedding(6, 4, random), np.array([[1, 5, 1]])
w = theirs(layer.weight)
same("Embedding", layer(ids), F.embedding(torch.tensor(ids), w), [("weight", layer.weight, w)])
x, layer = Tensor(random.normal(size=(2, 3, 4)), requires_grad=True), LayerNorm(4)
layer.weight.data, layer.bias.data = random.normal(size=4), random.normal(size=4)
y, w, b = theirs(x), theirs(layer.weight), theirs(layer.bias)
same("LayerNorm", layer(x), F.layer_norm(y, (4,), w, b),
     [("x", x, y), ("weight", layer.weight, w), ("bias", layer.bias, b)])
for name, function, right in ("relu", relu, F.relu), ("softmax", softmax, lambda y: F.softmax(y, -1)):
    x = Tensor(random.normal(size=(2, 3, 4)), requires_grad=True)
    y = theirs(x)
    same(name, function(x), right(y), [("x", x, y)])
x, targets = Tensor(random.normal(size=(2, 3, 4)), requires_grad=True), np.array([[0, 3, 1], [1, 1, 2]])
y = theirs(x)
same("cross_entropy", cross_entropy(x, targets), F.cross_entropy(y.flatten(0, 1), torch.tensor(targets.reshape(-1))),
     [("scores", x, y)])
large = cross_entropy(Tensor([[1000.0, 0.0]]), np.array([1])).data
assert abs(large - 1000.0) < 1e-6, f"The cross entropy of the scores 1000 and 0 is 1000 for the second, not {large}."


class Two(Module):
    def __init__(self):
        self.name, self.first, self.rest = "two", Linear(2, 3, random), [LayerNorm(3), Linear(3, 1, random)]


assert [p.shape for p in Two().parameters()] == [(2, 3), (3,), (3,), (3,), (3, 1), (1,)], (
    "parameters() finds those of modules, and of modules in lists, in the order in which they were assigned.")

# %% Hint
# ``vars(self).values()`` has what was assigned to a module, in order. A value may be a tensor, a module, or a list of
# modules.

# %% Hint
# ``relu`` is a product with ``x.data > 0``, which is a constant. So is the largest score, which softmax and cross
# entropy subtract first: taken from ``scores.data``, it has no gradient, and needs none.

# %% Hint
# The cross entropy is the mean of the logarithm of ``sum(exp(s))`` minus the score of the target. A product with an
# array that is 1 at the targets chooses them: ``np.eye(n)[targets]``.

# %% Rubric
# 15 points. Values and gradients agree with ``minigrad.nn.functional`` to 1e-8, and the cross entropy of the scores
# 1000 and 0 is 1000.


# %% Stage: An optimizer
# Write ``AdamW(parameters, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01)`` with ``step()`` and
# ``zero_grad()``, and an attribute ``lr`` that may be changed between steps. A step first multiplies each parameter by
# :math:`1 - \text{lr} \cdot \text{weight\_decay}`, and then subtracts
#
# .. math::
#
#    \text{lr} \cdot \frac{m / (1 - \beta_1^t)}{\sqrt{v / (1 - \beta_2^t)} + \varepsilon},
#
# where :math:`m` and :math:`v` are the running means of the gradient and of its square, and :math:`t` counts the steps.

# %% Starter
class AdamW:
    def __init__(self, parameters, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01): ...

    def zero_grad(self): ...

    def step(self): ...


# %% Check
import numpy as np
import minigrad as torch

start = np.array([1.0, -2.0, 3.0])
x, y = Tensor(start, requires_grad=True), torch.tensor(start, requires_grad=True)
unused = Tensor(1.0, requires_grad=True)
ours = AdamW([x, unused], lr=0.1, weight_decay=0.1)
theirs = torch.optim.AdamW([y], lr=0.1, weight_decay=0.1)
for step in range(20):
    ours.lr = 0.1 - 0.002 * step
    theirs.param_groups[0]["lr"] = 0.1 - 0.002 * step
    ours.zero_grad()
    theirs.zero_grad()
    assert x.grad is None, "zero_grad sets grad to None."
    sum(mul(power(x, 2), [1.0, 2.0, 3.0])).backward()
    (y ** 2 * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
    ours.step()
    theirs.step()
    assert np.allclose(x.data, y.detach().numpy(), rtol=1e-9, atol=1e-12), (
        f"After step {step + 1} the parameter is {x.data}, and should be {y.detach().numpy()}.")
assert unused.data == 1.0, "A parameter without a gradient stays as it is."

# %% Hint
# :math:`m \leftarrow \beta_1 m + (1 - \beta_1) g` and :math:`v \leftarrow \beta_2 v + (1 - \beta_2) g^2`, both 0 at
# first.

# %% Hint
# A step should not be recorded: it changes ``p.data``, which is an array.

# %% Rubric
# 10 points. Twenty steps agree with ``minigrad.optim.AdamW`` to 1e-9, with a learning rate that changes.


# %% Stage: The model
# Write ``GPT(alphabet, context, width, heads, depth, seed=0)``: a module that is called with an array of integers of
# the shape (batch, places), with at most ``context`` places, and returns scores of the shape (batch, places, alphabet).
# It adds the embeddings of character and place; then come ``depth`` blocks, a ``LayerNorm`` and a ``Linear``. A block
# adds to ``x`` first causal attention of ``LayerNorm(x)``, with one ``Linear`` for queries, keys and values and one for
# what comes out, then a network of ``LayerNorm(x)``: a ``Linear`` to four times the width, ``relu``, a ``Linear`` back.
# (:doc:`/tutorials/at_work/a_character_level_gpt` explains all of it.)

# %% Starter
class Block(Module):
    def __init__(self, width, heads, random): ...

    def __call__(self, x): ...


class GPT(Module):
    def __init__(self, alphabet, context, width, heads, depth, seed=0): ...

    def __call__(self, ids): ...


# %% Check
import builtins
import numpy as np

model = GPT(36, 32, 32, 4, 2)
count = builtins.sum(p.data.size for p in model.parameters())
assert count == 28_836, f"A GPT(36, 32, 32, 4, 2) has 28,836 parameters, and yours {count:,}."
random = np.random.default_rng(3)
ids = random.integers(0, 36, (4, 32))
scores = model(ids)
assert isinstance(scores, Tensor) and scores.shape == (4, 32, 36), f"The scores have the shape {scores.shape}."
assert model(ids[:, :5]).shape == (4, 5, 36), "A shorter context works too."
changed = ids.copy()
changed[:, 20] = (changed[:, 20] + 1) % 36
moved = np.abs(model(changed).data - scores.data).max((0, 2))
assert (moved[:20] == 0).all(), "A place must not see what comes after it: a character changed the scores before it."
assert (moved[20:] > 0).all(), "Each place must see all places before it."
swapped = ids.copy()
swapped[:, [3, 4]] = ids[:, [4, 3]]
assert np.abs(model(swapped).data - scores.data)[:, 10].max() > 1e-9, "The order of the characters must matter."
targets = random.integers(0, 36, (4, 32))
loss = cross_entropy(scores, targets)
assert abs(float(loss.data) - np.log(36)) < 0.5, f"The loss is {float(loss.data):.2f} at first: expected is about 3.6."
loss.backward()
assert all(p.grad is not None and np.abs(p.grad).max() > 0 for p in model.parameters()), (
    "A parameter has no gradient: the loss does not depend on it, or a pullback is missing.")
for p in model.parameters()[::5]:
    place = np.unravel_index(np.abs(p.grad).argmax(), p.shape)
    kept, values = p.data.copy(), []
    for step in 1e-5, -1e-5:
        p.data = kept.copy()
        p.data[place] += step
        values.append(float(cross_entropy(model(ids), targets).data))
    p.data = kept
    slope = (values[0] - values[1]) / 2e-5
    assert abs(slope - p.grad[place]) < 1e-4 * max(1, abs(slope)), (
        f"An entry of a parameter of the shape {p.shape} has the gradient {p.grad[place]:.6f}, measured {slope:.6f}.")

# %% Hint
# Heads: reshape ``(batch, places, 3 * width)`` to ``(batch, places, 3, heads, width // heads)``, and bring 3 and heads
# to the front with ``transpose``; then ``take(parts, 0)`` is the query of all heads.

# %% Hint
# The mask is an array that is added to the scores: ``np.triu(np.full((n, n), -1e9), 1)``. Divide the scores by the
# square root of the width of a head first.

# %% Rubric
# 15 points. 28,836 parameters, a first loss of about :math:`\log 36 = 3.6`, no place sees a later one, and gradients
# agree with measured slopes.


# %% Stage: It learns a poem
# ``train(model, ids, context, steps, seed=0)`` trains the model, in each step on a few pieces of ``ids`` that start at
# random, and returns the list of the losses. ``write(model, ids, context, length)`` continues ``ids`` by ``length``
# characters, each the most likely one after the last ``context`` characters, and returns all. The text is a verse of
# Edward Lear, which the model can learn by heart.

# %% Starter
def train(model, ids, context, steps, seed=0): ...


def write(model, ids, context, length): ...


# %% Check
import numpy as np

text = """The Owl and the Pussy-cat went to sea
In a beautiful pea-green boat,
They took some honey, and plenty of money,
Wrapped up in a five-pound note.
The Owl looked up to the stars above,
And sang to a small guitar,
"O lovely Pussy! O Pussy, my love,
What a beautiful Pussy you are,
You are,
You are!
What a beautiful Pussy you are!"
"""
alphabet = sorted(set(text))
ids = np.array([alphabet.index(character) for character in text])
model = GPT(len(alphabet), 32, 32, 4, 2)
losses = train(model, ids, 32, 300)
assert len(losses) == 300, "One loss for each step."
assert abs(losses[0] - np.log(len(alphabet))) < 0.5, f"The first loss is {losses[0]:.2f}; expected is about 3.6."
last = np.mean(losses[-20:])
assert last < 0.5, f"The mean of the last 20 losses is {last:.2f}; expected is about 0.2, and 0.5 at most."
written = write(model, ids[:32], 32, 200)
assert len(written) == 232 and (np.array(written[:32]) == ids[:32]).all(), "write returns the beginning, and 200 more."
said = "".join(alphabet[number] for number in written)
print(said)
words, known = said.split()[:-1], set(text.split())
share = np.mean([word in known for word in words])
assert share > 0.6, f"Of the words that it writes {share:.0%} are in the poem; expected are 80%, and 60% at least."

# %% Hint
# ``ids[starts[:, None] + np.arange(context + 1)]`` are pieces, one longer than the context: without its last character
# a piece is the input, and without its first the target.

# %% Hint
# Eight pieces in a step and a learning rate of 0.006 that falls to 0 in a straight line are enough.

# %% Rubric
# 10 points. After 300 steps of eight pieces, some ten seconds, the loss has fallen from 3.6 to about 0.2, and four of
# five words that the model writes are in the poem.
