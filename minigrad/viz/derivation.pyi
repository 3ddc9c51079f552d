from collections.abc import Callable
from typing import Any

from minigrad._core.graph import Tensor

class Equation:
    name: Any
    expression: Any
    quantity: Any
    own: bool
    @property
    def shape(self) -> tuple[int, ...]: ...
    def mathml(self) -> str: ...

class Derivation:
    forward: list[Equation]
    backward: list[Equation]
    level: int
    @property
    def latex(self) -> str: ...
    def at(self, level: int) -> Derivation: ...
    def check(self) -> None: ...

def derive(
    what: Tensor | Callable[..., Tensor], *inputs: Any, level: int = 3, gradient: Tensor | None = None
) -> Derivation: ...
def __getattr__(name: str) -> Any: ...
