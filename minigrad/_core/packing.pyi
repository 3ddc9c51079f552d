"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


class Packed:
    """A saved tensor in the hands of a pair of saved-tensor hooks; see Note [Packed tensors]."""

    def let_go(*args: Any, **kwargs: Any) -> Any:
        """The context has ended: forget the tensor, and that it could be had."""

class SavedTensor:
    """SavedTensor()"""

    def register_hooks(*args: Any, **kwargs: Any) -> Any:
        """SavedTensor.register_hooks(self, pack_hook, unpack_hook)"""
    def unpack(*args: Any, **kwargs: Any) -> Any:
        """SavedTensor.unpack(self)"""

def announce_write(t: Any) -> Any:
    """The memory of ``t`` is about to change: whoever keeps it as it is takes a copy."""
