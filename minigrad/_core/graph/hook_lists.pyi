"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


def node_hooks(node: Any) -> Any:
    """The hooks of ``node``, made if there are none; the dictionaries are live."""

def noted_traceback(n: Any) -> Any:
    """The lines that anomaly mode noted when the node was made, or None; the node itself does not change."""

def tensor_hooks(t: Any) -> Any:
    """The hooks of ``t``, made if there are none; its node, if any, is told of them."""
