"""Turn the core's records into a tree of events, and find for each node the operation that recorded it.

For each event the core records the number of the event around it, and one sequence number:

    for an operation        the number that its node will have, if it records one
    for a node that runs    the number of the node

So the operation that recorded node N is the last one that began while N was the next number: when a later one begins,
N is already taken.  (`linear` begins with N too; the `addmm` inside it, which records the node, begins later.)  A node
gets the stack of the operation that recorded it, and so does everything that runs inside the node: the time of a
backward pass is best charged to lines of the forward pass.
"""

from minigrad.autograd.profiler.flops import flops_of
from minigrad.autograd.profiler_util import FunctionEvent

__all__ = ["events_of"]

_SCOPES = {"op": 0, "function": 0, "memory": 0, "node": 1, "user": 7}


def events_of(records, began, thread, with_flops):
    """Return a list of :class:`FunctionEvent` for the core's ``records``, with times since ``began`` (nanoseconds)."""
    events, makers = [], {}
    for number, (name, kind, start, end, parent, sequence, shapes, stack, allocated, freed,
                 asynchronous) in enumerate(records):
        event = FunctionEvent(
            number, name, thread, start - began, end - began,
            trace_name=None if kind == "memory" else name, scope=_SCOPES[kind], input_shapes=shapes or (),
            stack=[f"{file}({line}): {function}" for file, line, function in stack or ()],
            sequence_nr=-1 if kind in ("user", "memory") else sequence, cpu_memory_usage=allocated - freed,
            flops=flops_of(name, shapes) if with_flops and kind == "op" else 0,
            is_async=asynchronous,
        )
        events.append(event)
        around = _around(event, events, records, parent)
        if around is not None:
            event.set_cpu_parent(around)
        if kind == "node":
            event.made_by = makers.get(sequence)
        elif kind in ("op", "function"):
            makers[sequence] = event
        source = event.made_by or _node_around(around)
        if source is not None:
            event.stack = list(source.stack)
    return events


def _around(event, events, records, parent):
    """The innermost event that contains ``event``, from number ``parent`` outward; an asynchronous event neither
    contains others nor is contained."""
    while parent >= 0 and (events[parent].is_async or events[parent].time_range.end_ns < event.time_range.end_ns):
        parent = records[parent][4]
    return None if parent < 0 or event.is_async else events[parent]


def _node_around(event):
    """The innermost run of a node around ``event`` whose operation is known."""
    while event is not None and event.made_by is None:
        event = event.cpu_parent
    return event
