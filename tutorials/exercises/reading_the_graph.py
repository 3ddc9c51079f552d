"""Exercises of "Reading the graph"."""

# %% Exercise: The longest path
# ``depth(result)`` is the number of nodes on the longest path from ``result.grad_fn`` to an end of the graph, the
# ends included. It must cope with a chain of 20,000 steps.

# %% Starter
import minigrad as torch


def depth(result):
    return ...


# %% Check
x = torch.tensor(1.0, requires_grad=True)
assert depth(x * 2) == 2, "A product and the AccumulateGrad of x: two nodes."
for y in (torch.sin(torch.exp(x)) * x, x * torch.sin(torch.exp(x))):
    assert depth(y) == 4, "The longer way leads through exp, whichever factor comes first."
z = x
for _ in range(20_000):
    z = z + 1
assert depth(z) == 20_001, "A long chain has a node for each step."
w = x
for _ in range(40):
    w = w * w
assert depth(w) == 41, "There are 2**40 paths: visit each node once."

# %% Hint
# A function that calls itself runs out of stack. Keep a list of nodes that wait, and a dict of depths that are known.


# %% Exercise: All leaves
# ``leaves(result)`` returns the set of leaf tensors that ``backward`` would give a gradient to.

# %% Starter
import minigrad as torch


def leaves(result):
    return ...


# %% Check
a, b, c = (torch.ones(2, requires_grad=True) for _ in range(3))
fixed = torch.ones(2)
result = (a * b).sum() + (a * fixed).sum() + (c.detach() * 2).sum()
found = leaves(result)
assert isinstance(found, (set, frozenset)), "Return a set."
assert {id(leaf) for leaf in found} == {id(a), id(b)}, "a and b get a gradient; fixed and the detached c do not."

# %% Hint
# Leaves are the ``variable`` of the nodes that have one.


# %% Exercise: Which one saves less?
# Below is one function, :math:`x\,\sigma(x)` elementwise, written in three ways: with ``torch.sigmoid``, with
# ``torch.exp``, and with ``torch.nn.functional.silu``. Put their names in the order of the bytes that their graphs
# keep, least first. Leave ``ways`` as it is.

# %% Starter
import minigrad as torch

ways = {
    "sigmoid": lambda x: x * torch.sigmoid(x),
    "exp": lambda x: x / (1 + torch.exp(-x)),
    "silu": torch.nn.functional.silu,
}
order = ["sigmoid", "exp", "silu"]


# %% Check
def kept(result):
    """The bytes that the nodes of ``result`` have saved, each piece of memory counted once."""
    pieces, seen, waiting = {}, set(), [result.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        for name in dir(node):
            if name.startswith("_saved_"):
                value = getattr(node, name)
                if isinstance(value, torch.Tensor):
                    pieces[value.data_ptr()] = value.nbytes
        waiting.extend(after for after, _ in node.next_functions)
    return sum(pieces.values())


x = torch.randn(100, requires_grad=True)
bytes_of = {name: kept(way(x)) for name, way in ways.items()}
assert set(order) == set(ways), "Name all three."
assert order == sorted(order, key=bytes_of.get), f"They keep {[bytes_of[name] for name in order]} bytes."
assert len(set(bytes_of.values())) == 3, f"The three should differ: {bytes_of}"

# %% Hint
# A product keeps both factors, a quotient both of its sides, and ``exp`` keeps its result. What does ``silu`` keep?


# %% Project: 1
# 8 points: 4 for the drawing, 4 for both terms in it. There are six operations, two of which are the sine and the
# cosine; the uppermost is the addition of :math:`x \cos x` and :math:`\sin x`. At 0.5 its value is 0.9182.


# %% Project: 2
# 10 points: 4 for a list of gradients for each node, as long as it has outputs, 3 for ``None`` where none has arrived,
# 3 for a check with ``split`` where only one part is used. How many outputs a node has, the graph does not say;
# ``minigrad.autograd.engines.outputs_of(node)`` does. For ``left, right = x.split(2)`` and ``(left * left).sum()``, the
# node of ``split`` is called with the gradient of ``left`` and ``None``, and ``x`` gets zeros in its second half. The
# usual mistake is to forget the output number on the edge, which adds both gradients up: the result has the right shape
# if the parts are equally long.


# %% Project: 3
# 10 points: 4 for a walk that visits each node once, 3 for saying which operand of which operation was a constant, 3
# for the example of this page. In the first loss there are three such places: the second operand of the sum, where
# ``floor.item()`` came in; the second of the product with ``times``; and the second of the difference, ``measured``.
# Two of them are data and meant to be constants; the reader must find the third. If a path leads to the tensor, the
# answer is an empty list. The usual mistake is to take each operation with an edge to ``None`` for a cut: that of a
# product with a number is ordinary.
