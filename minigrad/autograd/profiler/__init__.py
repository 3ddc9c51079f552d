"""Find out where the time goes: each operation, forward and backward, is an event with a start and an end.

    with torch.autograd.profiler.profile() as prof:
        loss = model(x)
        loss.backward()
    print(prof.key_averages().table(sort_by="self_cpu_time_total"))

The idea is a *listener*.  While a thread has one, the core tells it when an operation begins and when it ends; without
one the cost is a single comparison.  :class:`profile` keeps records, which become the events of profiler_util;
:class:`emit_nvtx` and :class:`emit_itt` pass everything on to another profiler.  :class:`record_function` reports a
block of your own to the listener.

Each thread has its own listener, so a profile covers one thread, including the asyncio tasks that run in it.

- ``records``: from what the core wrote down to a tree of events
- ``flops``: the number of floating-point operations of an event
- ``vendors``: ranges for the profilers of vendors: emit_nvtx, emit_itt
- ``nvprof``: files that nvprof has written
"""

import functools
import inspect
import threading
import time
import uuid
from contextlib import ContextDecorator
from dataclasses import dataclass, field

from minigrad._core.errors import error, warn
from minigrad._core.graph.listener import Labelled
from minigrad._core.profiling.recorders import Recorded, Recorder
from minigrad._core.runtime import memory_pool
from minigrad.autograd.profiler.nvprof import load_nvprof
from minigrad.autograd.profiler.vendors import emit_itt, emit_nvtx
from minigrad.autograd.profiler.records import events_of
from minigrad.autograd.profiler_util.traces import write_chrome_trace
from minigrad.autograd.profiler_util import EventList, FunctionEvent, FunctionEventAvg

__all__ = ["EventList", "FunctionEvent", "FunctionEventAvg", "emit_itt", "emit_nvtx", "load_nvprof", "profile",
           "record_function"]


@dataclass
class _ExperimentalConfig:
    """Options that PyTorch passes to Kineto, which profiles devices; here they are stored and have no effect.

    PyTorch promises no backward compatibility for them.

    >>> torch.autograd.profiler._ExperimentalConfig(verbose=True).verbose
    True
    """

    profiler_metrics: list = field(default_factory=list)
    profiler_measure_per_kernel: bool = False
    verbose: bool = False
    performance_events: list = field(default_factory=list)
    enable_cuda_sync_events: bool = False
    adjust_profiler_step: bool = False
    disable_external_correlation: bool = False
    profile_all_threads: bool = False
    capture_overload_names: bool = False
    record_python_gc_info: bool = False
    expose_kineto_event_metadata: bool = False
    custom_profiler_config: str = ""
    adjust_timestamps: bool = False
    trace_only: bool = False


class profile(Recorded):
    """Measure the time of the operations in a ``with`` block, in this thread and the asyncio tasks that run in it.

    Arguments
        - ``enabled``: if False, nothing is measured, and the results are empty.
        - ``record_shapes``: record the shapes of the arguments.
        - ``with_flops``: count the arithmetic of matrix products, ``mul`` and ``add``; records the shapes, too.
        - ``profile_memory``: record how many bytes are allocated and released for arrays, and how many large arrays
          found memory that was kept (:mod:`minigrad.memory`): a line of the table, and :attr:`large_arrays`.
        - ``with_stack``: record the lines of the program that called an operation.
        - ``use_cuda``, ``use_device``, ``use_mtia``: there is no device; a warning says so.
        - ``use_cpu=False``: an error, because there is nothing else to measure.
        - ``custom_trace_id_callback``: a function that returns the name of this profile, ``trace_id``, for exported
          traces.
        - ``with_modules``, ``use_kineto``, ``experimental_config``, ``acc_events``, ``post_processing_timeout_s``,
          ``activity_filters``: no effect; in PyTorch they concern TorchScript, devices, and events of schedules.

    Recording more takes longer, and the measured times include some of this cost.  To compare times, record nothing
    extra.

    Raises: RuntimeError (MG505) on a second entry, inside another profile in the same thread, or if results are
    requested before the block has ended; TypeError (MG205) for an ``experimental_config`` or a callback of another
    type; ValueError (MG207) for a negative timeout.

    >>> x = torch.randn((1, 1), requires_grad=True)
    >>> with torch.autograd.profiler.profile() as prof:
    ...     for _ in range(100):  # any normal python code, really!
    ...         y = x ** 2
    ...         y.backward()
    >>> print(prof.key_averages().table(sort_by="self_cpu_time_total"))
    ---...
    Name        ...Self CPU %...Self CPU  CPU total %...CPU total  CPU time avg  # of Calls
    ---...
    Self CPU time total: ...
    <BLANKLINE>
    Name          an operation, a node of the backward pass (...Backward), or a label of yours
    Self CPU %    Self CPU as a share of all Self CPU
    ...
    # of Calls    how often it ran
    <BLANKLINE>
    >>> {average.key: average.count for average in prof.key_averages()}["PowBackward0"]
    100
    """

    def __init__(self, enabled=True, *, use_cuda=False, use_device=None, record_shapes=False, with_flops=False,
                 profile_memory=False,
                 with_stack=False, with_modules=False, use_kineto=False, use_cpu=True, use_mtia=False,
                 experimental_config=None, acc_events=False, custom_trace_id_callback=None,
                 post_processing_timeout_s=None, activity_filters=None):
        self.enabled = enabled
        self.trace_id = ""
        self.custom_trace_id_callback = custom_trace_id_callback
        self.entered = self.ended = False
        self.record_shapes = record_shapes or with_flops
        self.with_flops = with_flops
        self.profile_memory = profile_memory
        self.with_stack = with_stack
        self._function_events = None if enabled else EventList()
        self._large = None
        if enabled and not use_cpu:
            raise nothing_to_profile(use_kineto)
        if experimental_config is not None and not isinstance(experimental_config, _ExperimentalConfig):
            raise not_a_config(experimental_config)
        if custom_trace_id_callback is not None and not callable(custom_trace_id_callback):
            raise error("MG205", "profile(): custom_trace_id_callback is a function that returns a text, not "
                                 f"{type(custom_trace_id_callback).__name__}")
        if post_processing_timeout_s is not None and post_processing_timeout_s < 0:
            raise error("MG207", f"profile(): post_processing_timeout_s must be non-negative, not "
                                 f"{post_processing_timeout_s}")
        asked = "cuda" if use_cuda else "mtia" if use_mtia else use_device
        if enabled and asked is not None:
            warn(f"profile(): {asked} is not available, and is not profiled: minigrad computes on the CPU")

    # -------------------------------------------------------------------------- the block

    def _begin(self):
        if self.entered:
            raise entered_before()
        callback = self.custom_trace_id_callback
        self.trace_id = str(callback()) if callback else uuid.uuid4().hex.upper()
        self._recorder = Recorder(self.record_shapes, self.with_stack, self.profile_memory)
        # A Python for web pages has one thread, and no number of it from the system.
        self._thread = getattr(threading, "get_native_id", threading.get_ident)()
        self._began = time.perf_counter_ns()
        self._large = memory_pool.figures() if self.profile_memory else None

    def _refuse_to_end(self):
        raise error("MG505", "profile: the block "
                             f"{'has ended already' if self.entered else 'was not entered'}. Use it as: with "
                             "profile() as prof: ...")

    def _end(self):
        if self.profile_memory:
            self._large = since(self._large)

    # -------------------------------------------------------------------------- results

    @property
    def function_events(self):
        """All events, in the order in which they began, as an :class:`EventList`."""
        # made on first use: it takes longer than recording
        if self._function_events is None and self.ended:
            events = events_of(self._recorder.records(), self._began, self._thread, self.with_flops)
            self._function_events = EventList(events, profile_memory=self.profile_memory, with_flops=self.with_flops)
            self._function_events.large_arrays = self._large
            del self._recorder
        if self._function_events is None:
            raise error("MG505", "profile: the results are available when the with block has ended. "
                                 + ("Ask for them below it." if self.entered else "This profile was not entered yet: "
                                                                                  "with profile() as prof: ..."))
        return self._function_events

    @property
    def large_arrays(self):
        """What became of arrays of 64 KiB and more in the block, in all threads.

        ``made`` is how many there were, ``reused`` for how many of these there was memory, and ``kept`` the bytes that
        were kept at the end.  None without ``profile_memory``.

        >>> x = torch.ones(100000)
        >>> with torch.autograd.profiler.profile(profile_memory=True) as prof:
        ...     for _ in range(10):
        ...         y = x * 2
        >>> prof.large_arrays["made"], prof.large_arrays["reused"] >= 8
        (10, True)
        """
        return self.function_events.large_arrays

    def __repr__(self):
        return repr(self.function_events) if self.ended or not self.enabled else "<unfinished torch.autograd.profile>"

    def __str__(self):
        return str(self.function_events) if self.ended or not self.enabled else "<unfinished torch.autograd.profile>"

    @functools.wraps(EventList.table)
    def table(self, *args, **kwargs):
        return self.function_events.table(*args, **kwargs)

    def key_averages(self, group_by_input_shape=False, group_by_stack_n=0, group_by_overload_name=False):
        """See :meth:`EventList.key_averages`."""
        return self.function_events.key_averages(group_by_input_shape, group_by_stack_n, group_by_overload_name)

    def total_average(self):
        """See :meth:`EventList.total_average`."""
        return self.function_events.total_average()

    @property
    def self_cpu_time_total(self):
        """The measured time in microseconds, which is the sum of all self times."""
        return self.function_events.self_cpu_time_total

    def export_chrome_trace(self, path, metadata=None, use_python_export=False):
        """See :meth:`EventList.export_chrome_trace`; ``metadata``, a dict that JSON can represent, becomes part of the
        file.

        ``use_python_export`` has no effect: this is Python.
        """
        described = {"trace_id": self.trace_id} if self.trace_id else {}
        write_chrome_trace(path, self.function_events, self.profile_memory, described | (metadata or {}))

    def export_stacks(self, path, metric="self_cpu_time_total"):
        """See :meth:`EventList.export_stacks`.  Raises: RuntimeError (MG505) if the profile was made without
        ``with_stack=True``."""
        events = self.function_events
        if self.enabled and not self.with_stack:
            raise stacks_needed()
        events.export_stacks(path, metric)


def since(before):
    """What the figures of the pool of memory say of the time since then."""
    now = memory_pool.figures()
    return {"made": now["taken"] - before["taken"], "reused": now["reused"] - before["reused"], "kept": now["kept"]}


class record_function(Labelled, ContextDecorator):
    """Give a block of code, or a function, a label that shows in profiles: an event around everything that it calls.

    Without a profile it costs next to nothing.  ``args`` is accepted for compatibility, and not shown.

    As a decorator it labels each call of a function, and each run of a coroutine function.  The labels of tasks that
    take turns overlap; such an event is *asynchronous* (``is_async``), and has no children.  If a label is left in a
    different thread than it was entered in, it lasts until the profile ends.

    Raises: TypeError (MG205) if ``name`` is not a str.

    >>> x = torch.ones(3, requires_grad=True)
    >>> with torch.autograd.profiler.profile() as prof:
    ...     with torch.autograd.profiler.record_function("square"):
    ...         y = x * x
    >>> event, = [event for event in prof.function_events if event.name == "square"]
    >>> [child.name for child in event.cpu_children]
    ['mul']
    """

    def __init__(self, name, args=None):
        if not isinstance(name, str):
            raise error("MG205", f"record_function(): the name is a text, not {type(name).__name__}: "
                                 "record_function(\"epoch\")")
        self.name = name
        self.args = args
        self._open = None

    def _refuse_to_end(self):
        raise label_not_begun()

    def _recreate_cm(self):
        """A new label for each call of a decorated function, since calls may overlap."""
        return type(self)(self.name, self.args)

    def __call__(self, function):
        if not inspect.iscoroutinefunction(function):
            return super().__call__(function)

        @functools.wraps(function)
        async def labelled(*args, **kwargs):
            with self._recreate_cm():
                return await function(*args, **kwargs)

        return labelled


# ------------------------------------------------------------------------------ errors


def label_not_begun():
    return error("MG505", "record_function: Expected record to be set, by `with` or __enter__(), before it is left")


def nothing_to_profile(use_kineto):
    return error("MG505", "profile(use_cpu=False): Device-only events supported only with Kineto "
                 "(use_kineto=True)" if not use_kineto else
                 "profile(use_cpu=False): No activities specified for the profiler: the CPU is all that "
                 "minigrad computes on")


def not_a_config(experimental_config):
    return error("MG205", "profile(): experimental_config is an _ExperimentalConfig, not "
                          f"{type(experimental_config).__name__}: "
                          "profile(experimental_config=_ExperimentalConfig(verbose=True))")


def entered_before():
    return error("MG505", "Profiler context manager is not reentrant: this profile was entered before. Make a "
                          "new one for another block.")


def stacks_needed():
    return error("MG505", "export_stacks() requires with_stack=True: profile(with_stack=True) records the lines "
                          "from which operations are called")
