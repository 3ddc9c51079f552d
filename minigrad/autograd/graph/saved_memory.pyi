from collections.abc import Sequence
from typing import Any

from minigrad._core.graph import Node, Tensor
from minigrad.autograd.graph import GradientEdge

__all__ = ["OpBytes", "SavedBytes", "saved_bytes"]

class OpBytes:
    nodes: int
    bytes: int
    lines: dict[str, int]

class SavedBytes:
    total: int
    leaves: int
    nodes: int
    node_bytes: int
    pieces: int
    unknown: int
    sums: int
    by_op: dict[str, OpBytes]

def saved_bytes(tensors: Tensor | GradientEdge | Node | Sequence[Any]) -> SavedBytes: ...
