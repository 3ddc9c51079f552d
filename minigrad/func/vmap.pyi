from collections.abc import Callable
from typing import Any, Literal, TypeVar

_F = TypeVar("_F", bound=Callable[..., Any])

def vmap(
    func: _F,
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: Literal["error", "same", "different"] = "error",
    *,
    chunk_size: int | None = None,
) -> _F: ...
def __getattr__(name: str) -> Any: ...
