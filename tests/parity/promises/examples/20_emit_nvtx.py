# Example 20, with a model of two lines.  Without a GPU, and without the package nvtx, it runs and emits nothing.
import warnings

import torch

warnings.simplefilter("ignore")


def model(x):
    return (x * x).sum()


x = torch.ones(2, requires_grad=True)
with torch.cuda.profiler.profile():
    model(x)  # Warmup CUDA memory allocator and profiler
    with torch.autograd.profiler.emit_nvtx():
        model(x).backward()
print(x.grad.tolist())  # prints: [2.0, 2.0]
