from collections.abc import Callable
from contextlib import ContextDecorator
from os import PathLike
from typing import Any, Self, TypeVar

from minigrad.autograd.profiler_nvprof import load_nvprof as load_nvprof
from minigrad.autograd.profiler_ranges import emit_itt as emit_itt
from minigrad.autograd.profiler_ranges import emit_nvtx as emit_nvtx
from minigrad.autograd.profiler_util import EventList as EventList
from minigrad.autograd.profiler_util import FunctionEvent as FunctionEvent
from minigrad.autograd.profiler_util import FunctionEventAvg as FunctionEventAvg

_F = TypeVar("_F", bound=Callable[..., Any])

class profile:
    enabled: bool
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
        experimental_config: Any = None,
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
    def key_averages(self, group_by_input_shape: bool = False, group_by_stack_n: int = 0) -> EventList: ...
    def total_average(self) -> FunctionEventAvg: ...
    @property
    def self_cpu_time_total(self) -> float: ...
    def export_chrome_trace(self, path: str | PathLike[str]) -> None: ...
    def export_stacks(self, path: str | PathLike[str], metric: str = "self_cpu_time_total") -> None: ...

class record_function(ContextDecorator):
    name: str
    def __init__(self, name: str, args: str | None = None) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...
    def __call__(self, function: _F) -> _F: ...
