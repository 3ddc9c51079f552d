# Example 23; in a script the errors have to be caught.
import warnings

import torch
from torch import autograd

warnings.simplefilter("ignore")


class MyFunc(autograd.Function):
    @staticmethod
    def forward(ctx, inp):
        return inp.clone()

    @staticmethod
    def backward(ctx, gO):
        # Error during the backward pass
        raise RuntimeError("Some error in backward")


def run_fn(a):
    out = MyFunc.apply(a)
    return out.sum()


def told(fail):
    try:
        fail()
    except RuntimeError as error:
        return str(error).splitlines()[0], "run_fn" in "".join(getattr(error, "__notes__", []))


inp = torch.rand(10, 10, requires_grad=True)
print(told(lambda: run_fn(inp).backward()))  # prints: ('Some error in backward', False)
with autograd.detect_anomaly():
    inp = torch.rand(10, 10, requires_grad=True)
    print(told(lambda: run_fn(inp).backward()))  # prints: ('Some error in backward', True)
