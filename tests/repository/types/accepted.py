# pyright: strict
"""A program with types: both checkers accept it, and know what it says they know.  It is read, not run."""

from collections.abc import Callable
from typing import Any, assert_type

import numpy as np

import minigrad as torch
import minigrad.nn.functional as F
from minigrad import Tensor
from minigrad.autograd.function import FunctionCtx, once_differentiable
from minigrad.autograd.graph import GradientEdge, RemovableHandle, get_gradient_edge, saved_tensors_hooks
from minigrad.types import Number

x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)

# ---- what a tensor is
assert_type(x, Tensor)
assert_type(x.shape[0], int)
assert_type(x.shape, torch.Size)
assert_type(x.size(0), int)
assert_type(x.size(), torch.Size)
assert_type(x.stride(), tuple[int, ...])
assert_type(x.dtype, torch.dtype)
assert_type(x.numpy(), np.ndarray[Any, Any])
assert_type(x.tolist(), list[Any])
assert_type(x.grad, Tensor)
assert_type(x.requires_grad, bool)
assert_type(x.type(), str)
assert_type(x.real, Tensor)
rows, columns = x.shape
assert_type(rows, int)
for row in x:
    assert_type(row, Tensor)
first, *rest = x
assert_type(first, Tensor)
x.grad = None
assert_type(x.select(0, 1), Tensor)
assert_type(x.index_add(0, torch.tensor([0]), x), Tensor)
number: Number = x.sum().item()

# ---- operations
assert_type(x + 1, Tensor)
assert_type(2 ** x @ x.T, Tensor)
assert_type(x[0, 1:], Tensor)
assert_type(x > 0, Tensor)
assert_type(x.max(), Tensor)
values, indices = x.max(dim=1)
assert_type(values, Tensor)
assert_type(x.max(1).indices, Tensor)
assert_type(x.sort().values, Tensor)
assert_type(x.sum((0, 1), keepdim=True), Tensor)
assert_type(torch.cat([x, x], dim=1), Tensor)
assert_type(torch.cat((x, x)), Tensor)
assert_type(torch.stack([row for row in x]), Tensor)
assert_type(torch.where(x > 0, x, 0), Tensor)
assert_type(x.view(-1), Tensor)
assert_type(x.reshape(2, 2).permute(1, 0), Tensor)
assert_type(x.unbind(), tuple[Tensor, ...])
assert_type(x.unique(), Tensor)
assert_type(torch.allclose(x, x), bool)
assert_type(F.cross_entropy(x, torch.tensor([0, 1])), Tensor)
assert_type(F.relu(x, inplace=False), Tensor)
assert_type(torch.exp_(x.detach()), Tensor)
assert_type(torch.zeros(2, 3, dtype=torch.float64), Tensor)
x.detach()[0] = 5.0
x.detach().add_(1).mul_(x.detach())


# ---- modes: a block, and a decorator that leaves the signature as it is
with torch.no_grad(), torch.enable_grad(), torch.inference_mode(), torch.set_grad_enabled(True):
    pass


@torch.no_grad()
def evaluate(weight: Tensor, often: int = 1) -> float:
    return float(weight.sum()) * often


@torch.no_grad
def evaluate_too(weight: Tensor) -> int:
    return int(weight.sum())


@torch.inference_mode()
def predict(weight: Tensor) -> Tensor:
    return weight * 2


assert_type(evaluate(x, often=3), float)
assert_type(evaluate_too(x), int)
assert_type(predict(x), Tensor)


# ---- a Function
class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx: FunctionCtx, x: Tensor, scale: float) -> Tensor:
        ctx.save_for_backward(x)
        ctx.scale = scale
        return x**3 * scale

    @staticmethod
    @once_differentiable
    def backward(ctx: FunctionCtx, d: Tensor) -> tuple[Tensor | None, None]:
        (x,) = ctx.saved_tensors
        if not ctx.needs_input_grad[0]:
            return None, None
        return 3 * x**2 * d * ctx.scale, None


y: Tensor = Cube.apply(x, 2.0)

# ---- gradients, graph, hooks
y.sum().backward(retain_graph=True, inputs=[x])
torch.autograd.backward([y.sum()], inputs=x)
(g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
assert_type(g, Tensor)
def double(gradient: Tensor) -> Tensor:
    return gradient * 2


handle = x.register_hook(double)
assert_type(handle, RemovableHandle)
handle.remove()
assert_type(get_gradient_edge(y), GradientEdge)
print(y.grad_fn.name(), y.grad_fn.next_functions[0][0].variable, y.grad_fn._saved_self)
with saved_tensors_hooks(Tensor.numpy, torch.from_numpy):
    y = x.exp()
with torch.autograd.detect_anomaly(), torch.autograd.set_detect_anomaly(True):
    pass
with torch.autograd.profiler.profile(record_shapes=True) as prof:
    y = x * 2
print(prof.key_averages().table(sort_by="self_cpu_time_total"))
assert torch.autograd.gradcheck(Cube.apply, (x.double(), 2.0))

# ---- transforms
per_sample: Callable[..., Any] = torch.func.vmap(torch.func.grad(torch.sum))
value, pull = torch.func.vjp(torch.sin, x)
def residual(y: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    return y * y - x
root: Callable[..., Any] = torch.func.implicit(residual, torch.sqrt, rtol=1e-3)
with torch.autograd.forward_ad.dual_level():
    dual = torch.autograd.forward_ad.make_dual(x, torch.ones_like(x))
    print(torch.autograd.forward_ad.unpack_dual(dual).tangent.sum())
