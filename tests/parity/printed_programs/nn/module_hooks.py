"""Hooks of every kind, their order, and what they may return."""
import torch
from torch import nn


class Times(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = nn.Parameter(torch.tensor(float(factor)))

    def forward(self, x, *, plus=0.0):
        return x * self.factor + plus


net = nn.Sequential(Times(2), Times(3))
x = torch.tensor([1., 2.], requires_grad=True)
handles = [
    net[0].register_forward_pre_hook(lambda m, args: print("pre", args) or (args[0] + 1,)),
    net[0].register_forward_pre_hook(lambda m, args: print("first", args), prepend=True),
    net[0].register_forward_hook(lambda m, args, out: print("after", args, out) or out * 10),
    net[1].register_full_backward_pre_hook(lambda m, go: print("back pre", go) or (go[0] * 2,)),
    net[1].register_full_backward_hook(lambda m, gi, go: print("back", gi, go) or (gi[0] + 1,)),
]
net(x).sum().backward()
print(x.grad, net[0].factor.grad, net[1].factor.grad)
for handle in handles:
    handle.remove()
x.grad = None
net(x).sum().backward()
print(x.grad)

t = Times(4)
t.register_forward_pre_hook(lambda m, args, kwargs: (args, {"plus": kwargs["plus"] * 2}), with_kwargs=True)
t.register_forward_hook(lambda m, args, kwargs, out: print(kwargs, out), with_kwargs=True)
print(t(torch.tensor(1.), plus=3.0))


class Broken(nn.Module):
    def forward(self, x):
        raise ValueError("broken")


b = Broken()
b.register_forward_hook(lambda m, args, out: print("always", out), always_call=True)
b.register_forward_hook(lambda m, args, out: print("never"))
try:
    b(1)
except ValueError as e:
    print(e)

from torch.nn.modules.module import (register_module_forward_hook, register_module_forward_pre_hook,
                                     register_module_full_backward_hook, register_module_parameter_registration_hook)
with register_module_forward_pre_hook(lambda m, args: print("all pre", type(m).__name__)), \
        register_module_forward_hook(lambda m, args, out: print("all", type(m).__name__)), \
        register_module_full_backward_hook(lambda m, gi, go: print("all back", type(m).__name__, gi, go)):
    net(x).sum().backward()
with register_module_parameter_registration_hook(lambda m, name, p: print("registers", name)):
    Times(1)

u = Times(2)
u.register_full_backward_hook(lambda m, gi, go: print("no inputs", gi, go))
u(torch.ones(2)).sum().backward()
v = Times(2)
v.register_backward_hook(lambda m, gi, go: print("older", gi, go))
v(torch.tensor(1., requires_grad=True)).backward()
try:
    v.register_full_backward_hook(print)
except RuntimeError as e:
    print(str(e)[:60])


class Two(nn.Module):
    def forward(self, x, flag, y):
        return x * y, "text", y + 1


two = Two()
two.register_full_backward_hook(lambda m, gi, go: print(gi, go))
a, b = torch.tensor(2., requires_grad=True), torch.tensor(3., requires_grad=True)
p, text, q = two(a, True, b)
(p * 2 + q).backward()
print(text, a.grad, b.grad)
