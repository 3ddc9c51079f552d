# Examples 25 and 26.
import torch


def pack_hook(x):
    print("Packing", x)
    return x


def unpack_hook(x):
    print("Unpacking", x)
    return x


a = torch.ones(5, requires_grad=True)
b = torch.ones(5, requires_grad=True) * 2
with torch.autograd.graph.saved_tensors_hooks(pack_hook, unpack_hook):
    y = a * b
# prints: Packing tensor([1., 1., 1., 1., 1.], requires_grad=True)
# prints: Packing tensor([2., 2., 2., 2., 2.], grad_fn=<MulBackward0>)
y.sum().backward()
# prints: Unpacking tensor([1., 1., 1., 1., 1.], requires_grad=True)
# prints: Unpacking tensor([2., 2., 2., 2., 2.], grad_fn=<MulBackward0>)
