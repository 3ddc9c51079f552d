"""Transforms of functions; the function that they return takes the arguments of the given one."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeVar

from minigrad._core.graph import Tensor
from minigrad.func.vmap import vmap as vmap

__all__ = ["debug_unwrap", "functional_call", "functionalize", "grad", "grad_and_value", "hessian", "implicit",
           "jacfwd", "jacrev", "jet", "jvp", "linearize", "replace_all_batch_norm_modules_", "stack_module_state",
           "taylor", "vjp", "vmap"]

_Argnums = int | tuple[int, ...]
_Randomness = Literal["error", "same", "different"]
_Module = TypeVar("_Module")

def grad(func: Callable[..., Any], argnums: _Argnums = 0, has_aux: bool = False) -> Callable[..., Any]: ...
def grad_and_value(func: Callable[..., Any], argnums: _Argnums = 0,
                   has_aux: bool = False) -> Callable[..., tuple[Any, Any]]: ...
def vjp(func: Callable[..., Any], *primals: Any, has_aux: bool = False) -> tuple[Any, ...]: ...
def jvp(func: Callable[..., Any], primals: tuple[Any, ...], tangents: tuple[Any, ...], *, strict: bool = False,
        has_aux: bool = False) -> tuple[Any, ...]: ...
def jacrev(func: Callable[..., Any], argnums: _Argnums = 0, *, has_aux: bool = False,
           chunk_size: int | None = None) -> Callable[..., Any]: ...
def jacfwd(func: Callable[..., Any], argnums: _Argnums = 0, has_aux: bool = False, *,
           randomness: _Randomness = "error") -> Callable[..., Any]: ...
def hessian(func: Callable[..., Any], argnums: _Argnums = 0) -> Callable[..., Any]: ...
def linearize(func: Callable[..., Any], *primals: Any) -> tuple[Any, Callable[..., Any]]: ...
def jet(fun: Callable[..., Any], primals: Sequence[Tensor], series: Sequence[Sequence[Tensor]],
        factorial_scaled: bool = True) -> tuple[Any, Any]: ...
def taylor(f: Callable[..., Any], x: Tensor, v: Tensor, order: int) -> tuple[Any, ...]: ...
def implicit(
    residual: Callable[..., Any],
    solver: Callable[..., Any],
    *,
    linear_solver: Callable[[Callable[[Any], Tensor], Tensor], Any] | None = None,
    symmetric: bool = False,
    rtol: float | None = None,
    atol: float = 0.0,
    generate_vmap_rule: bool = False,
) -> Callable[..., Any]: ...
def functional_call(
    module: Any,
    parameter_and_buffer_dicts: dict[str, Tensor] | Sequence[dict[str, Tensor]],
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any: ...
def stack_module_state(models: Sequence[Any]) -> tuple[dict[str, Tensor], dict[str, Tensor]]: ...
def replace_all_batch_norm_modules_(root: _Module) -> _Module: ...
def debug_unwrap(tensor: Tensor, *, recurse: bool = True) -> Tensor: ...
def functionalize(func: Callable[..., Any], *, remove: str = "mutations") -> Callable[..., Any]: ...
