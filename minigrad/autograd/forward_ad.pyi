from typing import Any, NamedTuple

from minigrad._core.graph import Tensor
from minigrad.autograd.grad_mode import _Mode

class UnpackedDualTensor(NamedTuple):
    primal: Tensor
    tangent: Tensor | Any  # or None

class dual_level(_Mode):
    def __enter__(self) -> int: ...  # type: ignore[override]

def enter_dual_level() -> int: ...
def exit_dual_level(*, level: int | None = None) -> None: ...
def make_dual(tensor: Tensor, tangent: Tensor, *, level: int | None = None) -> Tensor: ...
def unpack_dual(tensor: Tensor, *, level: int | None = None) -> UnpackedDualTensor: ...
