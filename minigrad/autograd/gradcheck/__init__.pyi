from collections.abc import Callable, Sequence
from typing import Any

from minigrad._core.errors import MinigradError
from minigrad._core.graph import Tensor
from minigrad.autograd.gradcheck.old_names import get_analytical_jacobian as get_analytical_jacobian
from minigrad.autograd.gradcheck.old_names import get_numerical_jacobian as get_numerical_jacobian
from minigrad.autograd.gradcheck.old_names import (
    get_numerical_jacobian_wrt_specific_input as get_numerical_jacobian_wrt_specific_input)
from minigrad.types import TensorOrTensors

__all__ = ["gradcheck", "gradgradcheck", "GradcheckError", "get_numerical_jacobian", "get_analytical_jacobian",
           "get_numerical_jacobian_wrt_specific_input"]

class GradcheckError(MinigradError, RuntimeError): ...

def gradcheck(
    func: Callable[..., Any],
    inputs: Tensor | Sequence[Any],
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool: ...
def gradgradcheck(
    func: Callable[..., Any],
    inputs: Tensor | Sequence[Any],
    grad_outputs: TensorOrTensors | None = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool: ...
