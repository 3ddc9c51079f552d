# Examples 3 and 9.
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class Func(Function):
    @staticmethod
    def forward(ctx, x):
        sorted, idx = x.sort()
        ctx.mark_non_differentiable(idx)
        ctx.save_for_backward(x, idx)
        return sorted, idx

    @staticmethod
    @once_differentiable
    def backward(ctx, g1, g2):  # still need to accept g2
        x, idx = ctx.saved_tensors
        grad_input = torch.zeros_like(x)
        grad_input.index_add_(0, idx, g1)
        return grad_input


x = torch.tensor([3., 1.], requires_grad=True)
values, indices = Func.apply(x)
(values * torch.tensor([1., 10.])).sum().backward()
print(indices.requires_grad, x.grad.tolist())  # prints: False [10.0, 1.0]
