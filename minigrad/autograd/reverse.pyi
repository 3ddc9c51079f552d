from collections.abc import Sequence
from typing import Any, Literal, overload

from minigrad._core.graph import Tensor
from minigrad.autograd.graph import GradientEdge

_Place = Tensor | GradientEdge

def backward(
    tensors: _Place | Sequence[_Place],
    grad_tensors: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Tensor | Sequence[Tensor | None] | None = None,
    inputs: _Place | Sequence[_Place] | None = None,
) -> None: ...
@overload
def grad(
    outputs: _Place | Sequence[_Place],
    inputs: _Place | Sequence[_Place],
    grad_outputs: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: Literal[True] = True,
    allow_unused: Literal[False] | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Tensor, ...]: ...
@overload
def grad(
    outputs: _Place | Sequence[_Place],
    inputs: _Place | Sequence[_Place],
    grad_outputs: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: Literal[True] = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Tensor | Any, ...]: ...
