"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format

from minigrad._core.graph.graph import Node as Node

class CopySlices(Node):
    """The history of a base that was written to through a view; see Note [Views] in view_history.pyx."""

    def name(self) -> Any: ...

def rebase_in_function(t: Any, n: Any, nr: Any, which: Any) -> Any:
    """``t``, modified in place by the forward of the custom Function ``n``, becomes output ``nr`` of it."""

def register_replay(function: Any) -> Any:
    """``function(view, base)``: the view, recorded anew as a part of its base, which are tensors of a transform."""
