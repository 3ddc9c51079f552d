# Example 30.
import torch

with torch.autograd.graph.allow_mutation_on_saved_tensors():
    # forward
    a = torch.ones(2, 3, requires_grad=True)
    b = a.clone()
    out = (b**2).sum()
    b.sin_()
    # backward
    out.sum().backward()
print(a.grad.tolist())  # prints: [[2.0, 2.0, 2.0], [2.0, 2.0, 2.0]]
