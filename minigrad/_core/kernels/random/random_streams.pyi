"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


class Source:
    """A stream of random bits, as C sees it."""


def chances(source: Any, p: Any) -> Any:
    """Whether each of several events happens, which have these probabilities."""

def each(source: Any, law: Any, a: Any, p: Any, q: Any = 0.0) -> Any:
    """Numbers of one of the LAWS, with these parameters, drawn one by one."""

def integers(source: Any, a: Any, low: Any, span: Any, wide: Any) -> Any:
    """Integers from `low` on, of which there are `span` (0: 2^64), from one word each, or `wide`, from two."""

def normal(source: Any, a: Any, mean: Any, std: Any, by_blocks: Any = False) -> Any:
    """Normal numbers as in dense memory; `by_blocks` as for 16-bit floats."""

def register(default: Any) -> Any:
    """Tell this module of the stream of functions that are given none."""

def shuffle(source: Any, a: Any) -> Any:
    """Put integers into random order."""

def uniform(source: Any, a: Any, low: Any, high: Any) -> Any:
    """Numbers from `low` to below `high`."""
