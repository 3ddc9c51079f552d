from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Any, Literal

import numpy as np

from minigrad._core.graph import Tensor

class Program:
    text: str
    data: dict[str, np.ndarray]
    results: list[tuple[str, str]]
    steps: list[list[str]]
    def __init__(self, text: str, data: dict[str, np.ndarray], results: list[tuple[str, str]]) -> None: ...
    def save(self, path: str | PathLike[str]) -> Path: ...
    def run(self) -> dict[str, Any]: ...

def code(
    what: Tensor | Callable[..., Tensor], *inputs: Any, gradient: Tensor | None = None,
    mode: Literal["reverse", "forward"] = "reverse", fold: bool = True
) -> Program: ...
def __getattr__(name: str) -> Any: ...
