"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

import builtins
from typing import Any


class Foreign:
    """The fields of a node that another pass has claimed."""


class Pass:
    """"""


def call_node(n, gradients) -> Any:
    """``node(*gradients)``: the gradients of the node's inputs from Tensors for its outputs, as in a pass with retain_graph."""

def hooks_to_run() -> Any:
    """The hooks of every tensor whose gradient the running pass will see, one dict for each tensor that has some."""

def laid_out_kernel(g, like) -> Any:
    """A copy of the gradient ``g`` with the strides that .grad of the tensor ``like`` is to have."""

def pass_notes() -> Any:
    """A dict that belongs to the backward pass that runs in this thread, innermost, and goes with it; None outside of one."""

def register(*, add, sum_to, real, to_dtype, clone, laid_out, zeros_of) -> Any:
    """The ops that the engine itself applies to gradients that are Tensors."""

def register_anomaly(tell_origin, refuse_nan) -> Any:
    """What anomaly mode says of an error, ``tell_origin(node, error)``, and of a nan; see autograd/anomaly_mode.py."""

def run(roots, gradients, keep, create_graph, inputs=None, accumulate=True, raw=False) -> Any:
    """Run a backward pass."""

def run_scalar(root) -> Any:
    """``root.backward()`` for an ordinary real scalar, the case of every training loop; False where `root` is something else."""

def set_story(story) -> Any:
    """From now on ``story`` is told of the backward passes of this thread; None ends that. Returns who was told before."""

def unpack_slot(n, k) -> Any:
    """The content of slot ``k``, by way of the unpack hook, which is the user's code."""
