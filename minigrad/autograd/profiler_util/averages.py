"""Averages: events of one name combined, and the times that they have in common with single events.

An average keeps sums, in nanoseconds; what it shows is divided by their number when somebody asks.
"""

from minigrad.autograd.profiler_util.tables import format_time

__all__ = ["FunctionEventAvg", "Times", "average_of", "averages_by_key"]


def _microseconds(name, meaning):
    return property(lambda self: getattr(self, name) / 1000, doc=meaning)


def _average(name, meaning):
    return property(lambda self: getattr(self, name) / 1000 / self.count if self.count else 0.0, doc=meaning)


def _text(name):
    return property(lambda self: format_time(getattr(self, name)), doc=f"``{name}`` with its unit, as tables show it.")


class Times:
    """Microseconds, averages and texts, for classes with ``total_ns``, ``self_ns`` and ``count``."""

    cpu_time_total = _microseconds("total_ns", "Time, including everything called inside, in microseconds.")
    self_cpu_time_total = _microseconds("self_ns", "Time, excluding everything called inside, in microseconds.")
    cpu_time = _average("total_ns", "``cpu_time_total`` of one call.")
    device_time_total = _microseconds("device_ns", "Time of the kernels started inside, in microseconds.")
    self_device_time_total = _microseconds("self_device_ns",
                                           "The same, without the kernels started by events inside.")
    device_time = _average("device_ns", "``device_time_total`` of one call.")
    cpu_time_str, cpu_time_total_str, self_cpu_time_total_str = _text("cpu_time"), _text("cpu_time_total"), _text(
        "self_cpu_time_total")
    device_time_str, device_time_total_str, self_device_time_total_str = (_text("device_time"), _text(
        "device_time_total"),
                                                                          _text("self_device_time_total"))


class FunctionEventAvg(Times):
    """Several events combined: times, memory, flops and ``count`` are sums, ``cpu_time`` is the average; the rest is
    taken from the first event."""

    def __init__(self):
        self.key = None
        self.count = self.total_ns = self.self_ns = self.device_ns = self.self_device_ns = 0
        self.cpu_memory_usage = self.self_cpu_memory_usage = self.flops = 0
        self.input_shapes, self.stack = [], []
        self.cpu_parent = self.scope = self.use_device = None
        self.is_async = self.is_remote = self.is_user_annotation = False
        self.node_id = -1
        self.overload_name = ""
        self.device_memory_usage = self.self_device_memory_usage = 0

    def add(self, other):
        """Add an event, or the sums of others, and return self."""
        if not self.count:
            for name in ("key", "input_shapes", "stack", "cpu_parent", "scope", "is_async", "is_user_annotation"):
                setattr(self, name, getattr(other, name))
        for name in ("count", "total_ns", "self_ns", "device_ns", "self_device_ns", "cpu_memory_usage",
                     "self_cpu_memory_usage", "flops"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        return self

    __iadd__ = add

    def __repr__(self):
        return (f"<FunctionEventAvg key={self.key} count={self.count} self_cpu_time={self.self_cpu_time_total_str} "
                f"cpu_time={self.cpu_time_str} input_shapes={self.input_shapes} "
                f"cpu_memory_usage={self.cpu_memory_usage}>")


def averages_by_key(events, by_input_shapes, by_stack_n):
    """The averages of events that have the same key, and, if so asked, the same shapes or the same innermost lines."""
    groups = {}
    for event in events:
        key = (event.key, event.is_user_annotation, str(event.input_shapes) if by_input_shapes else "",
               *event.stack[:by_stack_n])
        groups.setdefault(key, FunctionEventAvg()).add(event)
    for average in groups.values():
        average.stack = average.stack[:by_stack_n]
        if not by_input_shapes:
            average.input_shapes = []
    return groups.values()


def average_of(events):
    """All events as one."""
    total = FunctionEventAvg()
    for event in events:
        total.add(event)
    total.key = "Total"
    return total
