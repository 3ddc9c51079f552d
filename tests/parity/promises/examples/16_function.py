# Example 16.
import torch
from torch.autograd import Function


class Exp(Function):
    @staticmethod
    def forward(ctx, i):
        result = i.exp()
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx, grad_output):
        result, = ctx.saved_tensors
        return grad_output * result


# Use it by calling the apply method:
input = torch.tensor([0., 1.], requires_grad=True)
output = Exp.apply(input)
output.sum().backward()
print(torch.equal(input.grad, output))  # prints: True
