from collections.abc import Iterator
from typing import Any

class Equation:
    name: Any
    expression: Any
    quantity: Any
    own: bool
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def equations(self) -> tuple[Equation, ...]: ...
    def rounds(self) -> Iterator[tuple[dict[Any, int], Equation, Any, Any]]: ...
    def latex(self) -> list[str]: ...
    def mathml(self) -> str: ...

class Recurrence:
    symbol: str
    numbers: range
    equations: tuple[Equation, ...]
    quantities: tuple[tuple[Any, ...], ...]
    members: tuple[tuple[Any, bool, tuple[str, ...]], ...]
    def rounds(self) -> Iterator[tuple[dict[Any, int], Equation, Any, Any]]: ...
    def latex(self) -> list[str]: ...
