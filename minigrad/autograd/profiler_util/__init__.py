"""The results of a profile: an event for each operation that ran, averages over events, and lists of both.

An event knows when it began and ended, and which events it contains.  From this follow the two times in every table:

    total    from start to end, including everything that it called      total_ns
    self     the same, without the events directly inside                self_ns

The self times of a tree add up to the total of its root: each moment belongs to just one event, the innermost.  This
holds exactly, because times are kept as integers, in nanoseconds; tables show microseconds, as in PyTorch.

An *asynchronous* event is a label whose block did not close in order, because tasks took turns.  It overlaps its
neighbours and contains none of them: it has a total, but no children and no self time, and does not count in the sums
of others.

- ``averages``: events of one name combined: key_averages, FunctionEventAvg
- ``tables``: a profile as a table
- ``traces``: a profile as a timeline, for a browser
"""

import re
from typing import NamedTuple

from minigrad._core.errors import error
from minigrad.autograd.profiler_util.averages import FunctionEventAvg, Times as _Times, average_of, averages_by_key
from minigrad.autograd.profiler_util.tables import build_table
from minigrad.autograd.profiler_util.traces import write_chrome_trace

__all__ = ["EventList", "FunctionEvent", "FunctionEventAvg", "Interval", "Kernel"]


# ------------------------------------------------------------------------------ times

class Interval:
    """An interval of time since the profile began: ``start`` and ``end`` in microseconds, ``start_ns`` and ``end_ns``
    exactly."""

    def __init__(self, start_ns, end_ns):
        self.start_ns = start_ns
        self.end_ns = end_ns

    start = property(lambda self: self.start_ns / 1000)
    end = property(lambda self: self.end_ns / 1000)

    def elapsed_us(self):
        """Its length in microseconds."""
        return (self.end_ns - self.start_ns) / 1000


class Kernel(NamedTuple):
    """A program that ran on a device, as :func:`load_nvprof` finds them; ``duration`` is in nanoseconds."""

    name: str
    device: int
    duration: int


# ------------------------------------------------------------------------------ events

class FunctionEvent(_Times):
    """One run of an operation, of a node of the graph, or of a labelled block.

    ``name`` (also ``key``), ``trace_name`` (None if it does not appear in traces), ``id``, ``thread``, ``time_range``;
    ``cpu_parent`` and ``cpu_children``, the events around and directly inside it; ``scope``: 0 for an operation, 1 for
    a node in a backward pass, 7 for a label; ``sequence_nr``: for a node its number, for other events the number of the
    node that they recorded, if any; ``made_by``: for a node the event of the operation that recorded it, if that was
    profiled too.

    If requested: ``input_shapes``, a list for each argument; ``stack``, strings such as ``train.py(12): step``,
    innermost first; ``flops``; ``cpu_memory_usage``, bytes allocated minus bytes released, including everything called
    inside. """

    count = 1
    is_remote = False
    node_id = -1
    use_device = None
    overload_name = ""
    device_memory_usage = self_device_memory_usage = 0

    def __init__(self, id, name, thread, start_ns, end_ns, *, trace_name=None, scope=0, input_shapes=(), stack=(),
                 sequence_nr=-1, cpu_memory_usage=0, flops=0, is_async=False):
        self.id = id
        self.name = name
        self.trace_name = trace_name
        self.thread = thread
        self.time_range = Interval(start_ns, end_ns)
        self.scope = scope
        self.input_shapes = list(input_shapes)
        self.stack = list(stack)
        self.sequence_nr = sequence_nr
        self.cpu_memory_usage = cpu_memory_usage
        self.flops = flops
        self.is_async = is_async
        self.cpu_parent = None
        self.cpu_children = []
        self.made_by = None
        self.kernels = []

    key = property(lambda self: self.name, doc="The key by which :meth:`EventList.key_averages` groups.")
    is_user_annotation = property(lambda self: self.scope == 7, doc="Is it a label of :class:`record_function`?")
    fwd_thread = property(lambda self: self.made_by and self.made_by.thread,
                          doc="For a node, the thread of the operation that recorded it.")

    def set_cpu_parent(self, parent):
        """Put this event directly inside ``parent``."""
        self.cpu_parent = parent
        parent.cpu_children.append(self)

    def append_kernel(self, name, device, duration):
        """Add a kernel that this event, or one inside it, started, and that ran for ``duration`` nanoseconds."""
        self.kernels.append(Kernel(name, device, duration))

    @property
    def total_ns(self):
        """Nanoseconds from start to end."""
        return self.time_range.end_ns - self.time_range.start_ns

    @property
    def self_ns(self):
        """Nanoseconds outside the events inside it; 0 if the event is asynchronous."""
        return 0 if self.is_async else self.total_ns - sum([child.total_ns for child in self.cpu_children])

    @property
    def device_ns(self):
        """Nanoseconds of the kernels started inside."""
        return sum([kernel.duration for kernel in self.kernels])

    @property
    def self_device_ns(self):
        """Nanoseconds of the kernels started by this event itself, not by events inside it."""
        return self.device_ns - sum([child.device_ns for child in self.cpu_children])

    @property
    def self_cpu_memory_usage(self):
        """Bytes allocated minus bytes released by the event itself; 0 if the event is asynchronous."""
        return (0 if self.is_async else self.cpu_memory_usage
                - sum([child.cpu_memory_usage for child in self.cpu_children]))

    def __repr__(self):
        return (f"<FunctionEvent id={self.id} name={self.name} cpu_time={self.cpu_time_str} "
                f"start_us={self.time_range.start} end_us={self.time_range.end} "
                f"cpu_children={[child.id for child in self.cpu_children]} thread={self.thread} "
                f"input_shapes={self.input_shapes} cpu_memory_usage={self.cpu_memory_usage} is_async={self.is_async} "
                f"seq_nr={self.sequence_nr}>")


# ------------------------------------------------------------------------------ lists of events

_METRICS = {"self_cpu_time_total": "self_ns", "self_cuda_time_total": "self_device_ns",
            "self_xpu_time_total": "self_device_ns",
            "self_privateuse1_time_total": "self_device_ns"}
_NOT_IN_A_FRAME = re.compile(r"[\s;]")        # what ends a frame, or the line


class EventList(list):
    """A list of events, or of averages, which can be summed up, printed and written to files.

    >>> x = torch.ones(3, requires_grad=True)
    >>> with torch.autograd.profiler.profile() as prof:
    ...     y = (x * x).sum()
    >>> prof.function_events.__class__.__name__, [event.name for event in prof.function_events]
    ('EventList', ['mul', 'sum'])
    """

    def __init__(self, events=(), *, use_device=None, profile_memory=False, with_flops=False):
        super().__init__(events)
        self._use_device = use_device
        self._profile_memory = profile_memory
        self._with_flops = with_flops
        self.large_arrays = None                # what profile.large_arrays says

    def __str__(self):
        return self.table()

    @property
    def self_cpu_time_total(self):
        """The measured time in microseconds, which is the sum of all self times."""
        return sum([event.self_ns for event in self]) / 1000

    def key_averages(self, group_by_input_shapes=False, group_by_stack_n=0, group_by_overload_name=False):
        """Combine events of the same name; returns an EventList of :class:`FunctionEventAvg`.

        ``group_by_input_shapes`` also requires the same shapes (the profile needs ``record_shapes=True``), and
        ``group_by_stack_n`` the same innermost n lines of the stack (``with_stack=True``).  ``group_by_overload_name``
        has no effect: an operation has one form here.

        >>> x = torch.ones(3, requires_grad=True)
        >>> with torch.autograd.profiler.profile(record_shapes=True) as prof:
        ...     y = x * x + torch.ones(2, 3) * x
        >>> [(average.key, average.count) for average in prof.key_averages() if average.key == "mul"]
        [('mul', 2)]
        >>> shapes = prof.key_averages(group_by_input_shape=True)
        >>> [(average.input_shapes, average.count) for average in shapes if average.key == "mul"]
        [([[3], [3]], 1), ([[2, 3], [3]], 1)]
        """
        averages = averages_by_key(self, group_by_input_shapes, group_by_stack_n)
        found = EventList(averages, use_device=self._use_device, profile_memory=self._profile_memory,
                          with_flops=self._with_flops)
        found.large_arrays = self.large_arrays
        return found

    def total_average(self):
        """All events as one :class:`FunctionEventAvg`, whose key is "Total".

        Its ``cpu_time_total`` counts an event inside another one twice or more; ``self_cpu_time_total`` counts
        nothing twice. """
        return average_of(self)

    def table(self, sort_by=None, row_limit=100, max_src_column_width=75, max_name_column_width=55,
              max_shapes_column_width=80, header=None, top_level_events_only=False, time_unit=None):
        """The list as a table, in a string; a legend below the table explains its columns.

        ``sort_by``: ``"cpu_time"``, ``"cpu_time_total"``, ``"self_cpu_time_total"``, ``"cpu_memory_usage"``,
        ``"self_cpu_memory_usage"``, ``"count"``, ``"flops"``, or ``"device_time"``, ``"device_time_total"``,
        ``"self_device_time_total"`` (or PyTorch's names for one device, such as ``"cuda_time"``); the largest comes
        first.  By default the rows are in the order in which events began.  At most ``row_limit`` rows are shown (all
        if it is -1); with ``top_level_events_only``, only events that are not inside another.  Texts longer than
        ``max_..._width`` are cut, unless it is None.  ``header`` is printed above.  ``time_unit``, ``"s"``, ``"ms"`` or
        ``"us"``, is the unit of all times; by default each has a unit that fits.

        Raises: ValueError (MG207) for another ``sort_by`` or ``time_unit``.

        >>> with torch.autograd.profiler.profile() as prof:
        ...     y = torch.ones(3).exp()
        >>> print(prof.key_averages().table(sort_by="slowness"))
        Traceback (most recent call last):
        minigrad._core.errors.AutogradValueError: table(): cannot sort by 'slowness'; sort_by is one of ...
        """
        return build_table(self, sort_by, row_limit, max_src_column_width, max_name_column_width,
                           max_shapes_column_width, header,
                           top_level_events_only, time_unit, self._profile_memory, self._with_flops,
                           self.large_arrays)

    def export_chrome_trace(self, path):
        """Write a file that https://ui.perfetto.dev and ``chrome://tracing`` show as a timeline.

        Arrows lead from operations of the forward pass to their nodes in the backward pass; with
        ``profile_memory=True`` a curve shows the memory in use.  The format is the `Trace Event Format
        <https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU>`_.
        """
        write_chrome_trace(path, self, self._profile_memory)

    def supported_export_stacks_metrics(self):
        """The metrics that :meth:`export_stacks` can write.

        >>> torch.autograd.profiler_util.EventList().supported_export_stacks_metrics()
        ['self_cpu_time_total', ...]
        """
        return list(_METRICS)

    def export_stacks(self, path, metric):
        """Write a line for each event, such as ``train.py(30):_<module>;train.py(12):_step 42``: its stack, outermost
        first, and its microseconds.

        This is the format of folded stacks, which ``flamegraph.pl`` and https://www.speedscope.app draw as flame
        graphs.  The profile needs ``with_stack=True``; events shorter than a microsecond are left out.

        Raises: ValueError (MG207) for a metric that is not among :meth:`supported_export_stacks_metrics`.
        """
        if metric not in _METRICS:
            raise error("MG207", f"export_stacks(): metric should be one of: {self.supported_export_stacks_metrics()}, "
                                 f"not {metric!r}")
        with open(path, "w", encoding="utf-8", errors="backslashreplace") as file:
            for event in self:
                microseconds = getattr(event, _METRICS[metric]) // 1000
                if event.stack and microseconds:
                    file.write(f"{';'.join([_NOT_IN_A_FRAME.sub('_', frame) for frame in reversed(event.stack)])} "
                               f"{microseconds}\n")
