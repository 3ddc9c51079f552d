# Example 14.
import torch

parameters = [torch.ones(2, requires_grad=True), torch.zeros(2, 3).t().requires_grad_()]
for iterations in range(3):
    for param in parameters:
        param.grad = None
    loss = sum((param * param + param).sum() for param in parameters)
    loss.backward()
print([param.grad.stride() for param in parameters])  # prints: [(1,), (1, 3)]
