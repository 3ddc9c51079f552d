"""Tests with the names of the nodes that a gradient consists of, which a reason would have told if it named them.

Without points: everything.
"""

import zlib

#: what is known of the right table, from earlier checks
KNOWN = set()


def nodes(gradient):
    found, waiting = [], [gradient.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None:
            found.append(node.name())
            waiting += [each for each, _ in node.next_functions]
    return zlib.crc32("".join(sorted(found)).encode())


def failing():
    raise AssertionError


for operation in ("exp", "tanh", "sigmoid", "sqrt", "log", "abs"):
    x = numbers(3)
    gradient, = torch.autograd.grad(getattr(x, operation)().sum(), x, create_graph=True)
    name = f"{operation}_{nodes(gradient):08x}" if gradient.requires_grad else f"{operation}_constant"
    if name not in KNOWN:
        globals()[f"test_{name}"] = failing
