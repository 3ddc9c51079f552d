"""Solutions of the exercises of "Other profilers, and which line made a node"."""

# %% Solution: Which operation made the slowest node?
import minigrad as torch
from minigrad.autograd.profiler import profile


def slowest(events):
    nodes = [event for event in events if event.scope == 1 and event.sequence_nr >= 0]
    node = max(nodes, key=lambda event: event.cpu_time_total)
    first = next(place for place, event in enumerate(events) if event.scope == 1)
    made_by = {event.sequence_nr: event.name for event in events[:first]}
    return made_by[node.sequence_nr]


# %% Solution: Read the ranges
import re


def matches(texts):
    latest, found = {}, {}
    for text in texts:
        if parts := re.match(r"(\S+), (stashed )?seq = (\d+)", text):
            name, stashed, number = parts.groups()
            if stashed:
                found[name] = latest[number]
            else:
                latest[number] = name
    return found


# %% Solution: A hook for each layer
import minigrad as torch


def watch(results, log):
    for name, tensor in results.items():
        tensor.grad_fn.register_prehook(
            lambda gradients, name=name: log.append((name, gradients[0].norm().item())))


# %% Project: 1
import collections

import minigrad as torch
from minigrad.autograd import profiler


def slowest_line(function):
    """The line whose nodes take the most time in the backward pass, and its share of that time."""
    with profiler.profile(with_stack=True) as prof:
        function().backward()
    lines, times = {}, collections.Counter()
    for event in prof.function_events:
        if event.scope == 0 and event.sequence_nr > 0:
            lines.setdefault(event.sequence_nr, event.stack[0])
    for event in prof.function_events:
        if event.scope == 1 and event.sequence_nr in lines:
            times[lines[event.sequence_nr]] += event.cpu_time_total
            assert event.stack[0] == lines[event.sequence_nr]
    line, most = times.most_common(1)[0]
    return line, most / times.total()


small, large = torch.randn(3, requires_grad=True), torch.randn(600, 600, requires_grad=True)


def program():
    squares = (small * small).sum()
    products = (large @ large).mean()
    return squares + products


# Something else may run in between, so once is not enough.
found, first = [slowest_line(program) for _ in range(5)], program.__code__.co_firstlineno
right = [share for line, share in found if f"({first + 2}): program" in line]
assert len(right) >= 3 and max(right) > 0.8


# %% Project: 2
import time

import minigrad as torch
from minigrad.autograd import profiler


def longest_gap(function):
    """The milliseconds, and the operations before and after it."""
    with profiler.profile() as prof:
        function()
    outer = sorted([event for event in prof.function_events if event.cpu_parent is None],
                   key=lambda event: event.time_range.start)
    return max([((after.time_range.start - before.time_range.end) / 1000, before.name, after.name)
                for before, after in zip(outer, outer[1:])])


def program():
    x = torch.ones(100).exp()
    time.sleep(0.02)
    return x.sin().sum()


found = [longest_gap(program) for _ in range(3)]
assert min(found)[0] >= 20 and [each[1:] for each in found].count(("exp", "sin")) >= 2


# %% Project: 3
import minigrad as torch
from minigrad.autograd import profiler

x = torch.ones(5, requires_grad=True)
with profiler.profile() as prof:
    y = x.exp()
    (y.sin() + y.cos() * y.tanh()).sum().backward()
nodes = [event for event in prof.function_events if event.scope == 1 and event.sequence_nr >= 0]
numbers = [node.sequence_nr for node in nodes]
assert numbers == sorted(numbers, reverse=True)
assert [node.name for node in nodes][-4:] == ["TanhBackward0", "CosBackward0", "SinBackward0", "ExpBackward0"]
adding = [event.cpu_parent.name for event in prof.function_events if event.name == "add" and event.cpu_parent]
assert adding == ["CosBackward0", "SinBackward0"]
