"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


class Packed:
    """A saved tensor in the hands of a pair of saved-tensor hooks; see Note [Packed tensors]."""

    def let_go(self) -> Any:
        """The context has ended: forget the tensor and the context."""

class SavedTensor:
    """A slot of a node, which can be given hooks of its own: ``node._raw_saved_self``."""

    def register_hooks(self, pack_hook: Any, unpack_hook: Any = None) -> Any:
        """Replace what is saved by ``pack_hook(tensor)``; ``unpack_hook`` gives the tensor back when it is needed."""
    def unpack(self) -> Any:
        """The saved tensor, as ``node._saved_...`` shows it; None where nothing was saved."""

def announce_write(t: Any) -> Any:
    """The memory of ``t`` is about to change: saved tensors that share it are copied, and its tangent is zero."""

def held_by(n: Any) -> Any:
    """What ``n`` saved, without unpacking it: arrays, Tensors, and whatever pack hooks made of these."""
