"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


def accumulator_of(t: Any) -> Any:
    """The node of ``t`` in the graph, as ``(node, output number)``; ``(None, 0)`` where it does not require grad."""

def at_edge(node: Any, nr: Any, payload: Any = None) -> Any:
    """A tensor that stands for output ``nr`` of ``node``: where its place in the graph matters, and at most its form."""

def form_of(t: Any) -> Any:
    """The (shape, NumPy dtype) of a tensor; None for one without data."""

def forms_of(n: Any) -> Any:
    """For each output of ``n`` its (shape, NumPy dtype), or None where the node has nothing that tells."""

def is_led_to(t: Any) -> Any:
    """True where a graph that still exists leads to the leaf ``t``."""

def stored_grad(t: Any) -> Any:
    """``t.grad`` as it is, without the warning that there will be none."""
