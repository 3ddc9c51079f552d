from os import PathLike
from typing import Any, NamedTuple, Self

class Interval:
    start_ns: int
    end_ns: int
    start: float
    end: float
    def __init__(self, start_ns: int, end_ns: int) -> None: ...
    def elapsed_us(self) -> float: ...

class Kernel(NamedTuple):
    name: str
    device: int
    duration: int

class _Times:
    key: str
    count: int
    cpu_time: float
    cpu_time_total: float
    self_cpu_time_total: float
    cpu_memory_usage: int
    self_cpu_memory_usage: int
    flops: int
    stack: list[str]
    def __getattr__(self, name: str) -> Any: ...

class FunctionEvent(_Times):
    name: str
    id: int
    thread: int
    time_range: Interval
    input_shapes: list[list[int]]
    cpu_parent: FunctionEvent | None
    cpu_children: list[FunctionEvent]
    kernels: list[Kernel]
    sequence_nr: int
    def set_cpu_parent(self, parent: FunctionEvent) -> None: ...
    def append_kernel(self, name: str, device: int, duration: int) -> None: ...

class FunctionEventAvg(_Times):
    def add(self, other: FunctionEvent | FunctionEventAvg) -> Self: ...

class EventList(list[Any]):
    @property
    def self_cpu_time_total(self) -> float: ...
    def key_averages(
        self, group_by_input_shapes: bool = False, group_by_stack_n: int = 0, group_by_overload_name: bool = False
    ) -> EventList: ...
    def total_average(self) -> FunctionEventAvg: ...
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
    def export_chrome_trace(self, path: str | PathLike[str]) -> None: ...
    def export_stacks(self, path: str | PathLike[str], metric: str) -> None: ...
