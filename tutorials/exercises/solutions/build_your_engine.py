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


# %% Project: 1
import contextlib
import threading
from heapq import heappop, heappush

import minigrad as torch
from minigrad.autograd.engines import outputs_of, tensor_hooks
from minigrad.autograd.engines.plain import run, survey


def with_two_threads(lock, between=lambda node: None):
    def engine(roots, gradients, inputs, keep_graph):
        arrivals, needed = survey(roots, inputs)
        asked = {node for node, _ in inputs}
        buffers, ready, found, failures, at_work = {}, [], {}, [], set()
        change, recording = threading.Condition(), torch.is_grad_enabled()

        def deliver(node, number, gradient):
            buffer = buffers.setdefault(node, [None] * outputs_of(node))
            before, left = buffer[number], arrivals[node]
            between(node)
            if gradient is not None:
                buffer[number] = gradient if before is None else before + gradient
            arrivals[node] = left - 1
            if arrivals[node] == 0:
                heappush(ready, (-node._sequence_nr(), id(node), node))

        def step(node, gradients):
            if node in asked and node not in needed:
                gradients = tensor_hooks(node, gradients)
            if node in asked:
                found.update({(node, number): each for number, each in enumerate(gradients)})
            results = run(node, gradients, keep_graph) if node in needed else [None] * len(node.next_functions)
            with change if lock else contextlib.nullcontext():
                for (child, number), result in zip(node.next_functions, results):
                    if child is not None:
                        deliver(child, number, result)

        def work():
            torch.set_grad_enabled(recording)           # it belongs to a thread
            while True:
                with change:
                    change.wait_for(lambda: ready or failures or not at_work)
                    if failures or not ready:
                        return
                    *_, node = heappop(ready)
                    at_work.add(node)
                    arrived = buffers.pop(node)
                try:
                    step(node, arrived)
                except BaseException as problem:
                    failures.append(problem)
                with change:
                    at_work.remove(node)
                    change.notify_all()

        for (node, number), gradient in zip(roots, gradients):
            deliver(node, number, gradient)
        threads = [threading.Thread(target=work) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]
        return [found.get(edge) for edge in inputs]

    return engine


assert torch.check_engine(with_two_threads(lock=True), verbose=False).failed == ["inputs of backward"]

x = torch.tensor(1.0, requires_grad=True)
both_have_read = threading.Barrier(2)


def meet(node):
    if hasattr(node, "variable"):
        both_have_read.wait(10)


with torch.use_engine(with_two_threads(lock=False, between=meet)):
    (x.sin() + x.cos()).backward()
assert x.grad is None


# %% Project: 2
import minigrad as torch
from minigrad.autograd.engines import outputs_of
from minigrad.autograd.engines.plain import survey

table = []


def engine(roots, gradients, inputs, keep_graph):
    arrivals, _ = survey(roots, inputs)
    sums, ready = {}, []

    def deliver(node, number, gradient):
        arrived = sums.setdefault(node, [None] * outputs_of(node))
        if gradient is not None:
            arrived[number] = gradient if arrived[number] is None else arrived[number] + gradient
        arrivals[node] -= 1
        if arrivals[node] == 0:
            ready.append(node)

    for (node, number), gradient in zip(roots, gradients):
        deliver(node, number, gradient)
    while ready:
        node = max(ready, key=lambda node: node._sequence_nr())
        ready.remove(node)
        arrived = sums.pop(node)
        results = node(*arrived)
        results = results if isinstance(results, tuple) else (results,)
        table.append((node.name().rpartition("::")[2], arrived, results))
        for (child, number), gradient in zip(node.next_functions, results):
            if child is not None:
                deliver(child, number, gradient)
    return []


a, b = (torch.tensor(number, dtype=torch.float64, requires_grad=True) for number in (2.0, 3.0))
result = torch.sin(a * b)
steps = torch.viz.play(result).steps
with torch.use_engine(engine):
    result.backward()
assert [name for name, *_ in table] == [step.name for step in steps]
returned = [[each.item() for each in results] for *_, results in table]
assert returned[:2] == [[flow.gradient.array.item() for flow in step.flows] for step in steps[:2]]
assert [[round(each, 4) for each in results] for results in returned] == [[0.9602], [2.8805, 1.9203], [], []]


# %% Project: 3
import minigrad as torch
from minigrad.autograd.engines.plain import survey


def peak(result, in_order_of_arrival):
    """The most bytes of gradients that are alive at once in a backward pass."""
    highest = 0

    def engine(roots, gradients, inputs, keep_graph):
        nonlocal highest
        arrivals, _ = survey(roots, inputs)
        sums, ready = {}, []

        def deliver(node, gradient):
            sums[node] = sums[node] + gradient if node in sums else gradient
            arrivals[node] -= 1
            if arrivals[node] == 0:
                ready.append(node)

        for (node, _), gradient in zip(roots, gradients):
            deliver(node, gradient)
        while ready:
            node = ready[0] if in_order_of_arrival else max(ready, key=lambda node: node._sequence_nr())
            ready.remove(node)
            results = node(sums.pop(node))
            for (child, _), gradient in zip(node.next_functions, results if isinstance(results, tuple) else [results]):
                if child is not None:
                    deliver(child, gradient)
            # What was expanded from one number has no strides, and its memory.
            alive = [each.nbytes if any(each.stride()) else each.element_size() for each in sums.values()]
            highest = max(highest, sum(alive))
        return []

    with torch.use_engine(engine):
        result.backward()
    return highest


x = torch.zeros(1000, requires_grad=True)


def branches():
    return torch.stack([torch.exp(k * x).sum() for k in range(400)]).sum()


one, other = peak(branches(), in_order_of_arrival=False), peak(branches(), in_order_of_arrival=True)
assert other > 100 * one
