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
