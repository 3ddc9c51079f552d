# Example 15.
import torch

autograd_tensor = torch.randn((2, 3, 4), requires_grad=True)
variable = torch.autograd.Variable(torch.ones(2), requires_grad=True)
print(autograd_tensor.requires_grad, variable)  # prints: True tensor([1., 1.], requires_grad=True)
