"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


class Level:
    """``with Level(interpreter) as n``: level ``n`` is open inside the block, and closed afterwards in any case."""


class SavedHooks:
    """A block with the pair ``pack_hook`` and ``unpack_hook``: see Note [Ctrl-C at the edge of a block]."""


class WithinDevice:
    """A block in which tensors are made on this device: see Note [Ctrl-C at the edge of a block]."""


def checks_nan() -> Any:
    """True where anomaly mode, when it is on, looks for nan."""

def devices_are(placed: Any, default: Any, cpu: Any) -> Any:
    """Tell ``WithinDevice`` how devices are found, and where a thread has those of its open blocks."""

def disable_saved_hooks(message: Any) -> Any:
    """Refuse saved-tensor hooks in this thread with ``message``; None allows them again. Returns what it was."""

def interpreter(level: Any, what: Any = '') -> Any:
    """The interpreter of an open level."""

def is_anomaly() -> Any:
    """True where anomaly mode is on, in this thread."""

def is_grad_enabled() -> Any:
    """True where operations on tensors that require grad are recorded."""

def is_inference() -> Any:
    """True in inference mode."""

def is_recording() -> Any:
    """True where operations on tensors that require grad really are recorded: in inference mode they never are."""

def levels() -> Any:
    """The interpreters of the open transform levels of this thread, outermost first."""

def other_device(begins: Any) -> Any:
    """From now on, or no longer, this thread makes tensors on another device than the CPU if a call does not say."""

def pop_level() -> Any:
    """Close the innermost transform level."""

def pop_saved_hooks() -> Any:
    """Take the innermost pair away."""

def push_level(interpreter: Any, again: Any = None) -> Any:
    """Open a transform level and return its number; ``again`` is that of a level to open once more, for a pass."""

def push_saved_hooks(pack: Any, unpack: Any) -> Any:
    """From now on, in this thread, what is saved goes through ``pack``, and through ``unpack`` when it is needed."""

def put_anomaly(mode: Any) -> Any:
    """The same with (enabled, check_nan), as a change of a Scope: returns what it was."""

def saved_hooks_alone(context: Any) -> Any:
    """Let ``context`` be in force without ``unpack``, as a change of a Scope; None takes it away again."""

def saved_hooks_depth() -> Any:
    """How many pairs of hooks are open in this thread."""

def set_anomaly(enabled: Any, check_nan: Any) -> Any:
    """Switch anomaly mode in this thread."""

def set_grad_enabled(enabled: Any) -> Any:
    """Switch recording on or off in this thread; returns what it was."""

def set_inference(enabled: Any) -> Any:
    """The same from Python; returns what it was."""
