"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format

from minigrad._core.graph.graph import Node as Node

class PyNode(Node):
    """The node of a custom Function, which is also its ctx; minigrad/autograd/function builds on it."""

    constants: Any
    dirty_tensors: Any
    materialize_grads: Any
    def name(self) -> Any: ...
    needs_input_grad: Any
    non_differentiable: Any
    def save_for_backward(self, *tensors: Any) -> Any:
        """Keep tensors, or None, for ``backward``, which finds them in ``ctx.saved_tensors``."""
    saved_for_forward: Any
    saved_tensors: Any  # The tensors given to `save_for_backward`, after a check that none has been modified since.
    to_save: Any

def as_view_of_input(t: Any) -> Any:
    """What a custom Function returns when its forward returns its input ``t`` untouched: a view of ``t``."""

def know_function(function: Any) -> Any:
    """Be told of the class Function, whose ``vjp`` no author has written."""

def run_forward(function: Any, ctx: Any, args: Any, separate: Any) -> Any:
    """Run the forward of a custom Function, and its ``setup_context`` where it is ``separate``; returns the output."""
