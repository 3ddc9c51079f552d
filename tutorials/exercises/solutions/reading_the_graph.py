"""Solutions of the exercises of "Reading the graph"."""

# %% Solution: The longest path
import minigrad as torch


def depth(result):
    known, waiting = {}, [result.grad_fn]
    while waiting:
        node = waiting[-1]
        below = [after for after, _ in node.next_functions if after is not None]
        missing = [after for after in below if after not in known]
        if missing and node not in known:
            waiting.extend(missing)
        else:
            waiting.pop()
            known[node] = 1 + max((known[after] for after in below), default=0)
    return known[result.grad_fn]


# %% Solution: All leaves
import minigrad as torch


def leaves(result):
    found, seen, waiting = set(), set(), [result.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        if hasattr(node, "variable"):
            found.add(node.variable)
        waiting.extend(after for after, _ in node.next_functions)
    return found


# %% Solution: Which one saves less?
import minigrad as torch

ways = {
    "sigmoid": lambda x: x * torch.sigmoid(x),
    "exp": lambda x: x / (1 + torch.exp(-x)),
    "silu": torch.nn.functional.silu,
}
order = ["silu", "sigmoid", "exp"]


# %% Project: 1
import minigrad as torch

x = torch.tensor(0.5, requires_grad=True)
(slope,) = torch.autograd.grad(torch.sin(x) * x, x, create_graph=True)
names, waiting = {}, [slope.grad_fn]
while waiting:
    node = waiting.pop()
    names[node] = type(node).__name__
    waiting += [before for before, _ in node.next_functions if before is not None]
operations = [name for name in names.values() if name != "AccumulateGrad"]
assert len(operations) == 6 and {"SinBackward0", "CosBackward0"} < {*operations}
assert type(slope.grad_fn).__name__ == "AddBackward0" and round(slope.item(), 4) == 0.9182


# %% Project: 2
import minigrad as torch
from minigrad.autograd.engines import outputs_of


def gradients_of(result):
    waiting, leaves = {}, {}

    def deliver(node, number, gradient):
        arrived = (leaves if hasattr(node, "variable") else waiting).setdefault(node, [None] * outputs_of(node))
        if gradient is not None:
            arrived[number] = gradient if arrived[number] is None else arrived[number] + gradient

    deliver(result.grad_fn, result.output_nr, torch.ones_like(result))
    while waiting:
        node = max(waiting, key=lambda node: node._sequence_nr())
        outgoing = node(*waiting.pop(node))
        outgoing = outgoing if isinstance(outgoing, tuple) else (outgoing,)
        for (following, number), gradient in zip(node.next_functions, outgoing):
            if following is not None:
                deliver(following, number, gradient)
    return {node.variable: gradient for node, (gradient,) in leaves.items()}


x = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
left, right = x.split(2)
assert gradients_of((left * left).sum())[x].tolist() == [2, 4, 0, 0]
result = (left * right.exp() + right).sum()
assert torch.allclose(gradients_of(result)[x], torch.autograd.grad(result, x)[0])


# %% Project: 3
import minigrad as torch

times = torch.tensor([0.0, 1.0, 2.0])
measured = torch.tensor([3.0, 2.0, 1.5])
height, rate, floor = (torch.tensor(number, requires_grad=True) for number in (2.0, 0.5, 1.0))


def cut(tensor, result):
    place = torch.autograd.graph.get_gradient_edge(tensor).node
    constants, seen, waiting = [], set(), [result.grad_fn]
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        for number, (following, _) in enumerate(node.next_functions):
            if following is None:
                constants.append((node.name(), number))
            else:
                waiting.append(following)
    return [] if place in seen else constants


def loss(floor):
    curve = height * torch.exp(-rate * times) + floor
    return ((curve - measured) ** 2).mean()


found = cut(floor, loss(floor.item()))
assert sorted(found) == [("AddBackward0", 1), ("MulBackward0", 1), ("SubBackward0", 1)]
assert cut(floor, loss(floor)) == []
