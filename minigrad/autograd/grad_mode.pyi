from collections.abc import Callable
from typing import Any, Self, TypeVar, overload

__all__ = ["no_grad", "enable_grad", "set_grad_enabled", "inference_mode", "set_multithreading_enabled",
           "enforce_grad_layout_policy"]

# As a decorator, a mode keeps the signature of the decorated function.
_F = TypeVar("_F", bound=Callable[..., Any])

class _Mode:
    def __call__(self, orig_func: _F) -> _F: ...
    def clone(self) -> Self: ...
    def __enter__(self) -> None: ...
    def __exit__(self, *exception: object) -> None: ...

class _PlainMode(_Mode):
    @overload
    def __new__(cls, orig_func: None = None) -> Self: ...
    @overload
    def __new__(cls, orig_func: _F) -> _F: ...  # type: ignore[misc]

class no_grad(_PlainMode): ...
class enable_grad(_PlainMode): ...

class set_grad_enabled(_Mode):
    mode: bool
    def __init__(self, mode: bool) -> None: ...

class inference_mode(_Mode):
    mode: bool
    @overload
    def __new__(cls, mode: bool = True) -> Self: ...
    @overload
    def __new__(cls, mode: _F) -> _F: ...  # type: ignore[misc]

class _Switch(_Mode):
    mode: bool
    prev: bool

class set_multithreading_enabled(_Switch):
    def __init__(self, mode: bool) -> None: ...

class enforce_grad_layout_policy(_Switch):
    def __init__(self, enable: bool = True) -> None: ...

def is_multithreading_enabled() -> bool: ...
