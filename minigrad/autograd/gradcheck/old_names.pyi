from collections.abc import Callable, Sequence
from typing import Any

from minigrad._core.graph import Tensor
from minigrad.types import TensorOrTensors

__all__ = ["get_analytical_jacobian", "get_numerical_jacobian", "get_numerical_jacobian_wrt_specific_input"]

def get_numerical_jacobian(
    fn: Callable[..., Any], inputs: Tensor | Sequence[Any], target: TensorOrTensors | None = None, eps: float = 1e-3,
    grad_out: float = 1.0
) -> tuple[Tensor, ...]: ...
def get_numerical_jacobian_wrt_specific_input(
    fn: Callable[..., Any],
    input_idx: int,
    inputs: Sequence[Any],
    outputs: Sequence[Tensor],
    eps: float,
    input: Tensor | None = None,
    is_forward_ad: bool = False,
) -> tuple[Tensor, ...]: ...
def get_analytical_jacobian(
    inputs: Tensor | Sequence[Any], output: Tensor, nondet_tol: float = 0.0, grad_out: float = 1.0
) -> tuple[tuple[Tensor, ...], bool, bool, bool]: ...
