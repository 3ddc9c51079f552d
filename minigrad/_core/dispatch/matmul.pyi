"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


def contracted(a: Any, b: Any, first: Any, second: Any) -> Any:
    """The sums of products over these axes of `a` and of `b`, which belong together in pairs of one size."""

def layer(input: Any, weight: Any, bias: Any) -> Any:
    """input @ weight.T + bias, of tensors whose shapes fit."""

def product_of(a: Any, b: Any) -> Any:
    """a @ b, of tensors whose shapes fit; of others, an error from the product that they come to."""

def reshaped(t: Any, shape: Any) -> Any:
    """reshape to a shape that is known to fit: for an ordinary tensor that lies in order, or has that shape, a view and nothing else."""
