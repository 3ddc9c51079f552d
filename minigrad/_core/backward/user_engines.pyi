"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


class Delegation:
    """A backward pass that the user's engine walks."""


def call_node(n: Any, gradients: Any) -> Any:
    """``node(*gradients)``: the gradients of the node's inputs from Tensors for its outputs."""

def outputs_of(node: Any) -> Any:
    """How many outputs the operation had. The node is called with one gradient (or None) for each."""

def posthooks(node: Any, results: Any, gradients: Any) -> Any:
    """Run the hooks that were registered with ``node.register_hook``, after the node."""

def prehooks(node: Any, gradients: Any) -> Any:
    """Run the hooks that were registered with ``node.register_prehook``."""

def set_engine(engine: Any) -> Any:
    """From now on ``engine`` walks the backward passes of this thread; None ends that. Returns the one before."""

def tensor_hooks(node: Any, gradients: Any) -> Any:
    """Run the hooks of the tensors that are outputs of ``node``, and fill ``.grad`` of those with ``retain_grad()``."""
