from collections.abc import Callable, Mapping
from types import ModuleType, TracebackType
from typing import Any, Union

from minigrad.dtypes.sizes_and_devices import device
from minigrad.serialization.torch_format import Storage
from minigrad.types import FileLike

_Place = Union[str, device, Mapping[str, str], Callable[[Storage, str], Union[Storage, None]], None]

def add_safe_globals(safe_globals: list[Any]) -> None: ...
def clear_safe_globals() -> None: ...
def get_safe_globals() -> list[Any]: ...
def get_unsafe_globals_in_checkpoint(f: FileLike) -> list[str]: ...

class safe_globals:
    def __init__(self, safe_globals: list[Any]) -> None: ...
    def __enter__(self) -> None: ...
    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None: ...

def save(
    obj: Any,
    f: FileLike,
    pickle_module: ModuleType = ...,
    pickle_protocol: int = 2,
    _use_new_zipfile_serialization: bool = True,
    _disable_byteorder_record: bool = False,
) -> None: ...
def load(
    f: FileLike,
    map_location: _Place = None,
    pickle_module: ModuleType | None = None,
    *,
    weights_only: bool | None = None,
    mmap: bool | None = None,
    **pickle_load_args: Any,
) -> Any: ...
def __getattr__(name: str) -> Any: ...
