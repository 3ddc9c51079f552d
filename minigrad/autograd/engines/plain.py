"""An engine in a hundred lines of plain Python, which passes the whole checklist.

It is minigrad's own algorithm (``_core/backward/engine.pyx``, ``_core/backward/pass_state.pyx``) without its speed:

    survey          which nodes can be reached, how many gradients will arrive at each, and which are needed
    deliver         a gradient arrives at a node; with the last one, the node is ready
    take the node that is ready and was recorded last; hooks; run it; deliver what it returns

With inputs, only nodes that lead to them run.  An edge to any other node delivers None, so that the counts stay right.

>>> from minigrad.autograd.engines.plain import engine
>>> x = torch.tensor([1., 2.], requires_grad=True)
>>> with torch.use_engine(engine):
...     (x * x).sum().backward()
>>> x.grad
tensor([2., 4.])
"""

from collections import Counter
from heapq import heappop, heappush

from minigrad.autograd.engines import free, outputs_of, posthooks, prehooks, tensor_hooks

__all__ = ["engine"]


def survey(roots, inputs):
    """How many gradients will arrive at each node that can be reached, and the set of nodes that must run."""
    arrivals = Counter([node for node, _ in roots])
    waiting = list(arrivals)            # and not a function that calls itself: graphs are deep
    while waiting:
        for child, _ in waiting.pop().next_functions:
            if child is not None:
                if child not in arrivals:
                    waiting.append(child)
                arrivals[child] += 1
    if not inputs:
        return arrivals, set(arrivals)
    asked, needed = {node for node, _ in inputs}, set()
    for node in sorted(arrivals, key=lambda node: node._sequence_nr()):     # a node comes after those it leads to
        if any([child in needed or child in asked for child, _ in node.next_functions]):
            needed.add(node)
    return arrivals, needed


def engine(roots, gradients, inputs, keep_graph):
    """Walk the graph from ``roots``; the gradients of ``inputs``.  The protocol is that of ``torch.use_engine``."""
    arrivals, needed = survey(roots, inputs)
    asked = {node for node, _ in inputs}
    buffers = {}                        # node -> the gradients that have arrived, one for each output
    ready = []                          # a heap; the node that was recorded last comes first
    found = {}                          # edge -> gradient

    def deliver(node, number, gradient):
        buffer = buffers.setdefault(node, [None] * outputs_of(node))
        if gradient is not None:
            buffer[number] = gradient if buffer[number] is None else buffer[number] + gradient
        arrivals[node] -= 1
        if arrivals[node] == 0:
            heappush(ready, (-node._sequence_nr(), id(node), node))

    for (node, number), gradient in zip(roots, gradients):
        deliver(node, number, gradient)
    while ready:
        *_, node = heappop(ready)
        gradients = buffers.pop(node)
        if node in asked and node not in needed:
            gradients = tensor_hooks(node, gradients)
        if node in asked:
            found.update({(node, number): gradient for number, gradient in enumerate(gradients)})
        if node in needed:
            results = run(node, gradients, keep_graph)
        else:
            results = [None] * len(node.next_functions)
        for (child, number), result in zip(node.next_functions, results):
            if child is not None:
                deliver(child, number, result)
    return [found.get(edge) for edge in inputs]


def run(node, gradients, keep_graph):
    """Run one node, with its hooks: one gradient for each edge."""
    gradients = prehooks(node, tensor_hooks(node, gradients))
    results = node(*gradients)
    if not isinstance(results, tuple):
        results = (results,)
    results = posthooks(node, results, gradients)
    if not keep_graph:
        free(node)
    return results
