# pyright: standard
"""Mistakes, each of which both checkers report at its line: those that end with `# wrong`, and no other.

It is never run.
"""

from typing import assert_type

import minigrad as torch
import minigrad.nn.functional as F
from minigrad import Tensor
from minigrad.autograd.function import FunctionCtx

x = torch.tensor([1.0, 2.0], requires_grad=True)

x.sume()  # wrong
x + "1"  # wrong
torch.zeros("2")  # wrong
x.sum(keepdims="yes")  # wrong
x.shape[0].sum()  # wrong
x.grad.zero()  # wrong
x.backward(retain_grahp=True)  # wrong
torch.cat(x, dim="0")  # wrong
torch.stack([1.0, 2.0])  # wrong
torch.exp("x")  # wrong
x.requires_grad = "yes"  # wrong
x.numpy().requires_grad  # wrong
x.max(0).value  # wrong
F.cross_entropy(x, 3)  # wrong
F.cross_entropi(x, x)  # wrong
torch.autograd.grad(x.sum(), "x")  # wrong
torch.float31  # wrong
torch.set_grad_enabled("on").enter()  # wrong
x.to_list()  # wrong
x.index_add(0, torch.tensor([0]), 1)  # wrong
x.select(0, x)  # wrong
x.nan_to_num(1j)  # wrong


@torch.no_grad()
def evaluate(weight: Tensor) -> float:
    return float(weight.sum())


evaluate(x, x)  # wrong
evaluate("x")  # wrong
evaluate(x).sum()  # wrong


@torch.no_grad
def count(weight: Tensor) -> int:
    return int(weight.sum())


count()  # wrong
assert_type(count(x), float)  # wrong


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx: FunctionCtx, x: Tensor) -> Tensor:
        ctx.save_for_backward([x])  # wrong
        ctx.mark_dirty("x")  # wrong
        return x * 2

    @staticmethod
    def backward(ctx: FunctionCtx, d: Tensor) -> Tensor:
        ctx.saved_tensors.first  # wrong
        return d * 2


Double.aply(x)  # wrong
torch.func.vmap(3)  # wrong
torch.func.vmap(torch.sin, randomness="sometimes")  # wrong
torch.autograd.graph.save_on_cpu(pin=True)  # wrong
with x:  # wrong
    pass
