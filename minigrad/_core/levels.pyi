"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


def apply(op: Any, args: Any) -> Any:
    """``op`` on arguments in the order of its schema, all of them, keyword-only ones too."""

def call_on_payloads(op: Any, args: Any, level: Any, recording: Any) -> Any:
    """Run ``op`` one level down and wrap the result for ``level``, recorded there if ``recording``."""

def lift(t: Any, level: Any) -> Any:
    """Make ``t``, a tensor of a lower level that was made inside a transform, one of its level; its memory stays."""

def lined_up(mapped: Any, payloads: Any) -> Any:
    """Do arrays with one leading dim more, where ``mapped``, broadcast as they are: do the others have no dim there?"""

def taken_apart(args: Any, level: Any) -> Any:
    """For each argument: is it a tensor of ``level``, and its payload if so; for a list of tensors, lists of both."""

def wrap_level(payload: Any, level: Any, hidden: Any = 0) -> Any:
    """A tensor of transform level ``level`` around ``payload``, of which ``hidden`` leading dims are not shown."""
