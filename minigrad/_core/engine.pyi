"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

import builtins
from typing import Any


class Foreign:
    """The fields of a node that another pass has claimed."""


class Pass:
    """"""


def call_node(n, gradients) -> Any:
    """``node(*gradients)``: the gradients of the node's inputs from Tensors for its outputs, as in a pass with retain_graph."""

def laid_out_kernel(g, like) -> Any:
    """A copy of the gradient ``g`` with the strides that .grad of the tensor ``like`` is to have."""

def register(*, add, sum_to, real, to_dtype, clone, laid_out) -> Any:
    """The ops that the engine itself applies to gradients that are Tensors."""

def run(roots, gradients, keep, create_graph, inputs=None, accumulate=True, raw=False) -> Any:
    """Run a backward pass."""

def run_scalar(root) -> Any:
    """``root.backward()`` for an ordinary real scalar, the case of every training loop; False where `root` is something else."""
