"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


def free(node: Any) -> Any:
    """Free what ``node`` saved: in a pass without retain_graph, an engine of the user's does this once it has run."""

def run(roots: Any, gradients: Any, keep: Any, create_graph: Any, inputs: Any = None, accumulate: Any = True, raw: Any = False, delegate: Any = True) -> Any:
    """Run a backward pass."""

def run_with(engine: Any, *arguments: Any) -> Any:
    """``run(*arguments)`` with an engine of the user's, in a thread that knows of none."""
