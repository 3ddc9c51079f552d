from collections.abc import Callable
from typing import Any, Literal

from minigrad._core.graph import Tensor
from minigrad.viz.equations import Equation as Equation, Recurrence as Recurrence

class Derivation:
    forward: list[Equation | Recurrence]
    backward: list[Equation | Recurrence]
    level: int
    fold: bool
    sympy: bool
    @property
    def latex(self) -> str: ...
    def at(self, level: int) -> Derivation: ...
    def check(self) -> None: ...

def derive(
    what: Tensor | Callable[..., Tensor], *inputs: Any, level: int = 3, gradient: Tensor | None = None,
    mode: Literal["reverse", "forward"] = "reverse", fold: bool = True, sympy: bool = False
) -> Derivation: ...
def __getattr__(name: str) -> Any: ...
