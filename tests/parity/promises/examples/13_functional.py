# Example 13.
import torch
from torch.autograd.functional import jacobian


def f(x, constant, flag=False):
    return (x * constant).sum() if flag else x * constant


input, constant, flag = torch.tensor([1., 2.]), 3., True
print(jacobian(lambda x: f(x, constant, flag=flag), input))  # prints: tensor([3., 3.])
