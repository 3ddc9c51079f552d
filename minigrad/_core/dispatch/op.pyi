"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


class Formula:
    """The derivative of an op with respect to one of its inputs."""

    names: Any
    of: Any
    text: Any

class Op:
    """One primitive operation: a row of the table of derivatives, callable on Tensors."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    also: Any
    apart: Any
    batch: Any
    computes_in_c: Any  # Has it a kernel in C, of any kind?
    conjugate: Any
    constants: Any
    defaults: Any
    draws: Any
    elementwise: Any
    exact_out: Any
    fills: Any
    fitting: Any
    formulas: Any
    function: Any
    function_doc: Any
    in_place_class: Any  # The same for nodes that record a write, which PyTorch sometimes gives a number of their own.
    in_place_name: Any
    def inplace(self, target: Any, *args: Any, **kwargs: Any) -> Any:
        """The in-place form: ``target`` takes the value of ``op(target, *args)``."""
    int_lists: Any
    def is_cast(self, i: Any) -> Any:
        """Does argument `i` follow the dtype of another one, while a gradient flows to it: is it only moved?"""
    is_linear: Any
    is_view: Any
    kernel: Any
    kind: Any
    last_dims: Any
    least_dims: Any
    list_output: Any
    loops_in_c: Any  # Has it inner loops in C for arrays of any layout?
    may_copy: Any
    moves: Any
    n_params: Any
    n_positional: Any
    name: Any
    node_class: Any  # The public class of this op's nodes, with a property for everything that they may save.
    node_name: Any
    number: Any
    out_apart: Any
    outputs: Any
    params: Any
    parts: Any
    plain: Any
    positions: Any
    def program(self, of: Any, node: Any = None) -> Any:
        """The formula for the input ``of`` as a Program, or what it is for this ``node``; None where it cannot be traced."""
    promote: Any
    refusal: Any
    refuse: Any
    renamed: Any
    result_type: Any
    rounded: Any
    same_everywhere: Any
    shown: Any
    slots: Any
    spread: Any
    takes_out: Any
    traceable: Any
    types: Any
    wide: Any
    written: Any

class Program:
    """A formula as data: a list of table ops on numbered registers; see Note [Formulas as programs] in formulas.pyx."""

    constants: Any
    n_inputs: Any
    result: Any
    results: Any
    steps: Any

def register(program: Any = None, write: Any = None, write_out: Any = None) -> Any: ...

def signature(op: Any) -> Any:
    """How ``op`` is called, for messages: ``add(Tensor self, Tensor other, *, Scalar alpha=1)``."""
