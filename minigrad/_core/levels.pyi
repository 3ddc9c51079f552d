"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


def apply(op: Any, args: Any) -> Any:
    """``op`` on all arguments, including keyword-only ones, in the order of its schema."""

def call_on_payloads(op: Any, args: Any, level: Any, recording: Any) -> Any:
    """Run ``op`` one level down and wrap the result for ``level``, recorded there if ``recording``."""

def lift(t: Any, level: Any) -> Any:
    """``t``, a tensor of a lower level made inside a transform, becomes one of its level, on the same memory."""

def lined_up(mapped: Any, payloads: Any) -> Any:
    """True if payloads that have one leading dim more, where ``mapped``, broadcast with the others as they are."""

def taken_apart(args: Any, level: Any) -> Any:
    """Two lists, with an entry for each argument: is it a tensor of ``level``, and its payload if so, else itself."""

def wrap_level(payload: Any, level: Any, hidden: Any = 0) -> Any:
    """A tensor of transform level ``level`` around ``payload``, whose first ``hidden`` dims are not shown."""
