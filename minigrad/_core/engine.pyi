"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


def run(roots: Any, gradients: Any, keep: Any, create_graph: Any, inputs: Any = None, accumulate: Any = True, raw: Any = False) -> Any:
    """Run a backward pass."""

def run_scalar(root: Any) -> Any:
    """``root.backward()`` for an ordinary real scalar, the case of every training loop."""
