from typing import Any

from minigrad._core.graph import Tensor

class VariableMeta(type):
    def __call__(cls, data: Tensor | None = None, requires_grad: bool = False, volatile: Any = None,
                 *rest: Any) -> Tensor: ...

class Variable(Tensor, metaclass=VariableMeta): ...
