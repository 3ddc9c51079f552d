"""A profile as a timeline: the Trace Event Format, which Perfetto and Chrome can show.

=======  ====================================================================================================
phase    meaning
=======  ====================================================================================================
X        a complete event: start (``ts``) and length (``dur``) in microseconds
b, e     start and end of an asynchronous event, which overlaps others
s, f     an arrow, from the operation that recorded a node to the node's run in a backward pass
C        a counter: the memory in use since the profile began, at the end of each event that changed it
M        names of the process and of its threads
=======  ====================================================================================================
"""

import json
import os

__all__ = ["write_chrome_trace"]


def write_chrome_trace(path, events, profile_memory, metadata=None):
    """Write ``events`` (those with a ``trace_name``) and ``metadata`` to ``path``."""
    shown = [event for event in events if event.trace_name is not None]
    process = os.getpid()
    trace = [*_names(process, sorted({event.thread for event in shown}))]
    for event in shown:
        trace += _overlapping(event) if event.is_async else [_complete(event)]
    trace += _arrows(shown)
    if profile_memory:
        trace += _memory(events)
    for entry in trace:
        entry["pid"] = process
    text = json.dumps({**(metadata or {}), "traceEvents": trace, "displayTimeUnit": "ns"}, separators=(",", ":"))
    with open(path, "w", encoding="utf-8") as file:
        # a page may hold a trace in a <script>, which a label must not end
        file.write(text.replace("<", "\\u003c"))


def _names(process, threads):
    yield {"ph": "M", "name": "process_name", "tid": 0, "args": {"name": f"minigrad ({process})"}}
    for thread in threads:
        yield {"ph": "M", "name": "thread_name", "tid": thread, "args": {"name": f"thread {thread}"}}


def _described(event, phase, ns, **more):
    category = "user_annotation" if event.is_user_annotation else "cpu_op"
    return {"ph": phase, "name": event.trace_name, "cat": category, "tid": event.thread, "ts": ns / 1000, **more}


def _arguments(event):
    known = {"Sequence number": event.sequence_nr, "Input Dims": event.input_shapes, "Call stack": event.stack,
             "Bytes": event.cpu_memory_usage,
             "Flops": event.flops}
    return {name: value for name, value in known.items() if value not in ([], 0, -1)}


def _complete(event):
    return _described(event, "X", event.time_range.start_ns, dur=event.total_ns / 1000, args=_arguments(event))


def _overlapping(event):
    for phase, ns in (("b", event.time_range.start_ns), ("e", event.time_range.end_ns)):
        yield _described(event, phase, ns, id=event.id, args=_arguments(event))


def _arrows(events):
    """Each arrow has a number of its own, since a node may run again in a second pass through a retained graph."""
    runs = [event for event in events if event.made_by is not None]
    for number, event in enumerate(runs):
        arrow = {"name": "forward to backward", "cat": "autograd", "id": number}
        for phase, end in (("s", event.made_by), ("f", event)):
            yield {"ph": phase, **arrow, "tid": end.thread, "ts": end.time_range.start_ns / 1000,
                   **({"bp": "e"} if phase == "f" else {})}


def _memory(events):
    in_use = 0
    for event in sorted(events, key=lambda event: event.time_range.end_ns):
        if event.self_cpu_memory_usage:
            in_use += event.self_cpu_memory_usage
            yield {"ph": "C", "name": "memory", "tid": event.thread, "ts": event.time_range.end_ns / 1000,
                   "args": {"bytes": in_use}}
