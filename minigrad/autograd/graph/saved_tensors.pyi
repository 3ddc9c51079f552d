from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from minigrad._core.graph import Tensor

__all__ = ["allow_mutation_on_saved_tensors", "disable_saved_tensors_hooks", "save_on_cpu", "saved_tensors_hooks"]

class saved_tensors_hooks:
    pack_hook: Callable[[Tensor], Any]
    unpack_hook: Callable[[Any], Tensor]
    def __init__(self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]) -> None: ...
    def __enter__(self) -> None: ...
    def __exit__(self, *exception: object) -> None: ...

class save_on_cpu(saved_tensors_hooks):
    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None: ...

def disable_saved_tensors_hooks(error_message: str) -> AbstractContextManager[None]: ...

class _AllowMutationOnSavedContext:
    original: Any
    cloned: Any
    def clear(self) -> None: ...

def allow_mutation_on_saved_tensors() -> AbstractContextManager[_AllowMutationOnSavedContext]: ...
