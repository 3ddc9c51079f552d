"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


class Asked:
    """A block in which this mode is asked: see Note [Ctrl-C at the edge of a block]."""


class DisableTorchFunction:
    """In this block, no class overrides anything."""


class DisableTorchFunctionSubclass:
    """In this block, only modes override functions: subclasses of Tensor are treated like Tensor."""


class Modes(_local):
    """The modes of a thread: (the innermost, (the next one, ...)), which needs no memory to become shorter."""

    stack: Any

def answer_or_decline(function: Any, operands: Any) -> Any:
    """The same for an operator in Python, some of whose operands have a say: NotImplemented is what Python expects."""

def as_subclass(self, cls: Any) -> Any:
    """The same tensor as an instance of a subclass of Tensor: an alias, through which gradients flow."""

def ask(function: Any, *args: Any, **kwargs: Any) -> Any:
    """The call, which a class of its arguments answers where it can."""

def disabled_torch_function(func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
    """The ``__torch_function__`` of a class that overrides nothing: ``__torch_function__ = torch._C...``."""

def enter_mode(mode: Any) -> Any:
    """Ask `mode` about every function of this thread, before all others."""

def handle(function: Any, relevant: Any, args: Any, kwargs: Any) -> Any:
    """The answer of the innermost mode; or of the first class that has one."""

def in_class_of(self, t: Any) -> Any:
    """Another tensor on the memory of ``self``, as an instance of its class."""

def leave_mode() -> Any:
    """Ask the innermost mode no longer."""

def make_subclass(cls: Any, data: Any, requires_grad: Any) -> Any:
    """A leaf of the class ``cls`` on the memory of ``data``, with which it shares the version counter."""

def mode_is_on() -> Any:
    """Is there a mode to ask, in this thread?"""

def overloaded(arguments: Any) -> Any:
    """Those of the arguments whose classes have a ``__torch_function__`` of their own, in the order of asking."""

def overrides(cls: Any) -> Any:
    """Does the class say what functions do with its instances?"""

def torch_function(cls: Any, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
    """What functions do with a subclass of Tensor that does not say otherwise: their results are of the subclass."""

def unwrapped() -> Any:
    """The getters whose tensors keep their class: they are other tensors, with a class of their own."""
