# Example 22.
import warnings

import torch

warnings.simplefilter("ignore")
x = torch.ones(2, requires_grad=True)
with torch.autograd.profiler.emit_itt():
    (x * x).sum().backward()
print(x.grad.tolist())  # prints: [2.0, 2.0]
