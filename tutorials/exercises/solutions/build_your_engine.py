"""Solutions of the exercises of "Build your engine"."""

# %% Solution: Count the paths
import minigrad as torch


def paths(y, x):
    found, waiting = {}, [y.grad_fn]
    while waiting:
        node = waiting.pop()
        if node not in found:
            found[node] = 0
            waiting += [child for child, _ in node.next_functions if child is not None]
    found[y.grad_fn] = 1
    recorded = [node for node in found if not hasattr(node, "variable")]
    for node in sorted(recorded, key=lambda node: -node._sequence_nr()):
        for child, _ in node.next_functions:
            if child is not None:
                found[child] += found[node]
    return sum(count for node, count in found.items() if getattr(node, "variable", None) is x)


# %% Solution: Several outputs
import collections

import minigrad as torch
from minigrad.autograd.engines import outputs_of


def count_arrivals(roots):
    counts = collections.Counter([node for node, _ in roots])
    waiting = list(counts)
    while waiting:
        for node, _ in waiting.pop().next_functions:
            if node is not None:
                if node not in counts:
                    waiting.append(node)
                counts[node] += 1
    return counts


def engine(roots, gradients, inputs, keep_graph):
    counts, sums, ready = count_arrivals(roots), {}, []

    def deliver(node, number, gradient):
        buffer = sums.setdefault(node, [None] * outputs_of(node))
        if gradient is not None:
            buffer[number] = gradient if buffer[number] is None else buffer[number] + gradient
        counts[node] -= 1
        if counts[node] == 0:
            ready.append(node)

    for (node, number), gradient in zip(roots, gradients):
        deliver(node, number, gradient)
    while ready:
        node = ready.pop()
        results = node(*sums.pop(node))
        results = results if isinstance(results, tuple) else (results,)
        for (following, number), result in zip(node.next_functions, results):
            if following is not None:
                deliver(following, number, result)


# %% Solution: An engine that watches another
import minigrad as torch
from minigrad.autograd.engines.plain import engine as plain


def longest(y):
    lengths = {}

    def watching(roots, gradients, inputs, keep_graph):
        seen, waiting = set(), [node for node, _ in roots]
        while waiting:
            node = waiting.pop()
            if node not in seen:
                seen.add(node)
                waiting += [child for child, _ in node.next_functions if child is not None]
        leaves_first = sorted(seen, key=lambda node: (bool(node.next_functions), node._sequence_nr()))
        for node in leaves_first:
            children = [lengths[child] for child, _ in node.next_functions if child is not None]
            lengths[node] = 1 + max(children, default=0)
        return plain(roots, gradients, inputs, keep_graph)

    with torch.use_engine(watching):
        y.backward()
    return max(lengths.values())
