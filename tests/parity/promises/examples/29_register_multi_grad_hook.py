# Example 29.
import torch

a = torch.rand(2, 3, requires_grad=True)
b = torch.rand(2, 3, requires_grad=True)
c = a * b
d = a * b


def fn(grads):
    print([g is not None for g in grads])


torch.autograd.graph.register_multi_grad_hook((a, b, c, d), fn)

c.sum().backward(retain_graph=True)
# prints: [True, True, True, False]
c.sum().backward(inputs=(a,), retain_graph=True)
# prints: [True, False, True, False]
