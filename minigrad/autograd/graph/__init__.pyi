from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, NamedTuple, Self

from minigrad._core.graph import Node as Node
from minigrad._core.graph import Tensor
from minigrad.autograd.graph.saved_memory import saved_bytes as saved_bytes
from minigrad.autograd.graph.saved_tensors import _AllowMutationOnSavedContext as _AllowMutationOnSavedContext
from minigrad.autograd.graph.saved_tensors import allow_mutation_on_saved_tensors as allow_mutation_on_saved_tensors
from minigrad.autograd.graph.saved_tensors import disable_saved_tensors_hooks as disable_saved_tensors_hooks
from minigrad.autograd.graph.saved_tensors import save_on_cpu as save_on_cpu
from minigrad.autograd.graph.saved_tensors import saved_tensors_hooks as saved_tensors_hooks

class RemovableHandle:
    id: int
    next_id: int
    def __init__(self, hooks_dict: Any, *, extra_dict: Any = None) -> None: ...
    def remove(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...

class GradientEdge(NamedTuple):
    node: Node
    output_nr: int
    ownership_token: Node | None = None

def get_gradient_edge(tensor: Tensor) -> GradientEdge: ...
def increment_version(tensor: Tensor | Iterable[Tensor]) -> None: ...
def register_multi_grad_hook(tensors: Sequence[Tensor], fn: Callable[..., Any], *,
                             mode: Literal["all", "any"] = "all") -> RemovableHandle: ...
