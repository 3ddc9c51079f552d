"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


class Packed:
    """A saved tensor in the hands of a pair of saved-tensor hooks; see Note [Packed tensors]."""

    def let_go(self) -> Any:
        """The context has ended: forget the tensor, and that it was available."""

class SavedTensor:
    """A slot of a node, to be given hooks of its own: what ``node._raw_saved_self`` is."""

    def register_hooks(self, pack_hook: Any, unpack_hook: Any) -> Any:
        """Replace what is saved by ``pack_hook(tensor)``; ``unpack_hook`` gives the tensor back when it is needed."""
    def unpack(self) -> Any:
        """The saved tensor, as ``node._saved_...`` shows it; None where nothing was saved."""

def announce_write(t: Any) -> Any:
    """The memory of ``t`` is about to change: whoever keeps it as it is takes a copy."""

def held_by(n: Any) -> Any:
    """What ``n`` saved, as it lies there: arrays, Tensors, and whatever pack hooks made of them; nothing is unpacked."""

def noted_traceback(n: Any) -> Any:
    """The lines that anomaly mode noted when the node was made, or None; asking leaves no trace on the node."""
