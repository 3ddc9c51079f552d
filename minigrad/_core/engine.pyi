"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


class Foreign:
    """The fields of a node that another pass has claimed."""


class Pass:
    """"""


def call_node(n: Any, gradients: Any) -> Any:
    """``node(*gradients)``: the gradients of the node's inputs from Tensors for its outputs, as in a pass with retain_graph."""

def hooks_to_run() -> Any:
    """The hooks of every tensor whose gradient the running pass will see, one dict for each tensor that has some."""

def laid_out_kernel(g: Any, like: Any) -> Any:
    """A copy of the gradient ``g`` with the strides that .grad of a tensor of the array ``like`` is to have."""

def pass_notes() -> Any:
    """A dict that belongs to the backward pass that runs in this thread, innermost, and goes with it; None outside of one."""

def register_anomaly(tell_origin: Any, refuse_nan: Any) -> Any:
    """What anomaly mode says of an error, ``tell_origin(node, error)``, and of a nan; see autograd/anomaly_mode.py."""

def run(roots: Any, gradients: Any, keep: Any, create_graph: Any, inputs: Any = None, accumulate: Any = True, raw: Any = False) -> Any:
    """Run a backward pass."""

def run_scalar(root: Any) -> Any:
    """``root.backward()`` for an ordinary real scalar, the case of every training loop; False where `root` is something else."""

def set_story(story: Any) -> Any:
    """From now on ``story`` is told of the backward passes of this thread; None ends that. Returns who was told before."""

def unpack_slot(n: Any, k: Any) -> Any:
    """The content of slot ``k``, by way of the unpack hook, which is the user's code."""
