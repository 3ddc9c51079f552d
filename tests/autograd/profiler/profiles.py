"""What the tests of the profiler ask of its events."""

import pytest

import minigrad

ONES, FOUR = minigrad.ones(3), minigrad.ones(4)


def ours(**options):
    return minigrad.autograd.profiler.profile(**options)


def named(events, name):
    return [event for event in events if event.name == name]


def inside(event):
    return [child.name for child in event.cpu_children]


def short(name):
    return name.removeprefix("aten::").removeprefix("torch::").removeprefix("autograd::")


def operations(prof):
    """The names of the operations that lie in no other, in order; PyTorch has calls of its own among them, without the
    aten:: in front."""
    return [short(event.name) for event in prof.function_events if event.scope == 0 and event.cpu_parent is None
            and (event.name.startswith("aten::") or isinstance(event, minigrad.autograd.profiler.FunctionEvent))]


def nodes(prof):
    return [short(event.name) for event in prof.function_events if event.scope == 1 and "GraphRoot" not in event.name]


def check_nesting(events):
    """Each event lies in its parent, after its elder siblings; the self times of a tree are the total of its root."""
    def selves(event):
        return event.self_ns + sum([selves(child) for child in event.cpu_children])

    for event in events:
        assert event.total_ns >= 0 and event.self_ns >= 0
        time_range = event.time_range
        assert (time_range.end - time_range.start) * 1000 == pytest.approx(event.total_ns)
        after = time_range.start_ns
        for child in event.cpu_children:
            assert child.cpu_parent is event
            assert after <= child.time_range.start_ns <= child.time_range.end_ns <= time_range.end_ns
            after = child.time_range.end_ns
        if event.cpu_parent is None and not event.is_async:
            assert selves(event) == event.total_ns
    roots = sum([event.total_ns for event in events if event.cpu_parent is None and not event.is_async])
    assert sum([event.self_ns for event in events]) == roots
