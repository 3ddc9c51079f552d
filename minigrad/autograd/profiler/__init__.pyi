from collections.abc import Callable
from contextlib import ContextDecorator
from dataclasses import dataclass
from os import PathLike
from typing import Any, Self, TypeVar

from minigrad.autograd.profiler.nvprof import load_nvprof as load_nvprof
from minigrad.autograd.profiler.vendors import emit_itt as emit_itt
from minigrad.autograd.profiler.vendors import emit_nvtx as emit_nvtx
from minigrad.autograd.profiler_util import EventList as EventList
from minigrad.autograd.profiler_util import FunctionEvent as FunctionEvent
from minigrad.autograd.profiler_util import FunctionEventAvg as FunctionEventAvg

_F = TypeVar("_F", bound=Callable[..., Any])

@dataclass
class _ExperimentalConfig:
    profiler_metrics: list[str] = ...
    profiler_measure_per_kernel: bool = False
    verbose: bool = False
    performance_events: list[str] = ...
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

class profile:
    enabled: bool
    trace_id: str
    def __init__(
        self,
        enabled: bool = True,
        *,
        use_cuda: bool = False,
        use_device: str | None = None,
        record_shapes: bool = False,
        with_flops: bool = False,
        profile_memory: bool = False,
        with_stack: bool = False,
        with_modules: bool = False,
        use_kineto: bool = False,
        use_cpu: bool = True,
        use_mtia: bool = False,
        experimental_config: _ExperimentalConfig | None = None,
        acc_events: bool = False,
        custom_trace_id_callback: Callable[[], str] | None = None,
        post_processing_timeout_s: float | None = None,
        activity_filters: dict[Any, set[str]] | None = None,
    ) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...
    @property
    def function_events(self) -> EventList: ...
    def table(
        self,
        sort_by: str | None = None,
        row_limit: int = 100,
        max_src_column_width: int = 75,
        max_name_column_width: int = 55,
        max_shapes_column_width: int = 80,
        header: str | None = None,
        top_level_events_only: bool = False,
        time_unit: str | None = None,
    ) -> str: ...
    def key_averages(
        self, group_by_input_shape: bool = False, group_by_stack_n: int = 0, group_by_overload_name: bool = False
    ) -> EventList: ...
    def total_average(self) -> FunctionEventAvg: ...
    @property
    def self_cpu_time_total(self) -> float: ...
    def export_chrome_trace(
        self, path: str | PathLike[str], metadata: dict[str, Any] | None = None, use_python_export: bool = False
    ) -> None: ...
    def export_stacks(self, path: str | PathLike[str], metric: str = "self_cpu_time_total") -> None: ...

class record_function(ContextDecorator):
    name: str
    def __init__(self, name: str, args: str | None = None) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...
    def __call__(self, function: _F) -> _F: ...
