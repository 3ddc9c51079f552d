# Example 24.
import torch

a = torch.tensor([0., 0., 0.], requires_grad=True)
b = a.exp()
print(isinstance(b.grad_fn, torch.autograd.graph.Node))  # prints: True
print("_saved_result" in dir(b.grad_fn))  # prints: True
print(torch.allclose(b.grad_fn._saved_result, b))  # prints: True
