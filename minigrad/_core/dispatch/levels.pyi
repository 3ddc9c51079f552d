"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


def apply(op: Any, args: Any) -> Any:
    """``op`` on all arguments, including keyword-only ones, in the order of its schema."""

def become(view: Any, other: Any) -> Any:
    """``view``, whose base was lifted, becomes ``other``, which shows the same of the base on its new level."""

def call_on_payloads(op: Any, args: Any, level: Any, recording: Any) -> Any:
    """Run ``op`` one level down and wrap the result for ``level``, recorded there if ``recording``."""

def is_known_alone(t: Any, view: Any = None) -> Any:
    """Does nothing but ``view``, which can be read from it again, know the memory of ``t``?"""

def lift(t: Any, level: Any) -> Any:
    """``t``, a tensor of a lower level made inside a transform, becomes one of its level, on the same memory."""

def lined_up(mapped: Any, payloads: Any) -> Any:
    """True if payloads that have one leading dim more, where ``mapped``, broadcast with the others as they are."""

def may_be_lifted(t: Any, level: Any, view: Any = None) -> Any:
    """May ``t`` become a tensor of this level? Nothing but ``view`` may know it as a tensor of its own level."""

def note_view(op: Any, args: Any, result: Any) -> Any:
    """``result`` shows part of the first argument, on a level that keeps no history: let it be known as a view."""

def payload_may_be_lifted(t: Any, level: Any) -> Any:
    """The same for the payload of a tensor that is known to be alone."""

def taken_apart(args: Any, level: Any) -> Any:
    """Two lists, with an entry for each argument: is it a tensor of ``level``, and its payload if so, else itself."""

def was_made_inside(t: Any, level: Any) -> Any:
    """Has an operation made ``t`` since this level was opened, and not as a view?"""

def wrap_level(payload: Any, level: Any, hidden: Any = 0) -> Any:
    """A tensor of transform level ``level`` around ``payload``, whose first ``hidden`` dims are not shown."""
