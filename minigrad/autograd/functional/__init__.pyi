from collections.abc import Callable
from typing import Any, Literal, overload

from minigrad._core.graph import Tensor
from minigrad.types import TensorOrTensors

_Strategy = Literal["reverse-mode", "forward-mode"]

# A single input or output gives a single result; a tuple gives a tuple.
def vjp(
    func: Callable[..., Any], inputs: TensorOrTensors, v: TensorOrTensors | None = None, create_graph: bool = False,
    strict: bool = False
) -> tuple[Any, Any]: ...
def jvp(
    func: Callable[..., Any], inputs: TensorOrTensors, v: TensorOrTensors | None = None, create_graph: bool = False,
    strict: bool = False
) -> tuple[Any, Any]: ...
def vhp(
    func: Callable[..., Any], inputs: TensorOrTensors, v: TensorOrTensors | None = None, create_graph: bool = False,
    strict: bool = False
) -> tuple[Tensor, Any]: ...
def hvp(
    func: Callable[..., Any], inputs: TensorOrTensors, v: TensorOrTensors | None = None, create_graph: bool = False,
    strict: bool = False
) -> tuple[Tensor, Any]: ...
def jacobian(
    func: Callable[..., Any],
    inputs: TensorOrTensors,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: _Strategy = "reverse-mode",
) -> Any: ...
@overload
def hessian(
    func: Callable[..., Tensor],
    inputs: Tensor,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: _Strategy = "reverse-mode",
) -> Tensor: ...
@overload
def hessian(
    func: Callable[..., Tensor],
    inputs: TensorOrTensors,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: _Strategy = "reverse-mode",
) -> Any: ...
