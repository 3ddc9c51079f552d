from collections.abc import Sequence
from os import PathLike
from typing import Any

from minigrad._core.graph import Node, Tensor
from minigrad.viz.derivation import Derivation as Derivation
from minigrad.viz.derivation import Equation as Equation
from minigrad.viz.derivation import Recurrence as Recurrence
from minigrad.viz.derivation import derive as derive
from minigrad.viz.player import Player as Player
from minigrad.viz.player import explain as explain
from minigrad.viz.player import play as play
from minigrad.viz.expressions import play_expression as play_expression
from minigrad.viz.player import record as record
from minigrad.viz.program import Program as Program
from minigrad.viz.program import code as code
from minigrad.viz.recording import Recording as Recording
from minigrad.viz.recording import recording as recording

__all__ = ["Derivation", "Equation", "Graph", "Player", "Program", "Recording", "Recurrence", "code", "derive",
           "explain", "graph", "play", "play_expression", "record", "recording"]

_Start = Tensor | Node

class Graph:
    def __init__(self, picture: Any) -> None: ...
    def svg(self) -> str: ...
    def dot(self) -> str: ...
    def save(self, path: str | PathLike[str]) -> None: ...

def graph(
    tensors: _Start | Sequence[_Start] | dict[str, _Start], *, saved: bool = False, shapes: bool = True,
    depth: int | None = None
) -> Graph: ...
