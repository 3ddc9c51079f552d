"""A cubic fitted to a sine in seven ways: from plain tensors to a module with parameters shared at random."""
import math
import random

import torch
from torch import nn

torch.manual_seed(1)
x = torch.linspace(-math.pi, math.pi, 200)
y = torch.sin(x)

a, b, c, d = (torch.randn((), dtype=torch.float) for _ in range(4))
for t in range(100):
    error = a + b * x + c * x ** 2 + d * x ** 3 - y
    slope = 2.0 * error
    a -= 1e-4 * slope.sum()
    b -= 1e-4 * (slope * x).sum()
    c -= 1e-5 * (slope * x ** 2).sum()
    d -= 1e-6 * (slope * x ** 3).sum()
print("tensors", f"{error.pow(2).sum().item():.4f}")


class Legendre3(torch.autograd.Function):
    @staticmethod
    def forward(ctx, input):
        ctx.save_for_backward(input)
        return 0.5 * (5 * input ** 3 - 3 * input)

    @staticmethod
    def backward(ctx, grad_output):
        input, = ctx.saved_tensors
        return grad_output * 1.5 * (5 * input ** 2 - 1)


a, b, c, d = (torch.full((), v, requires_grad=True) for v in (0.0, -1.0, 0.0, 0.3))
for t in range(200):
    loss = (a + b * Legendre3.apply(c + d * x) - y).pow(2).sum()
    loss.backward()
    with torch.no_grad():
        for p in (a, b, c, d):
            p -= 5e-6 * p.grad
            p.grad = None
print("Function", f"{loss.item():.4f} {a.item():.5f} {d.item():.5f}")

xx = x.unsqueeze(-1).pow(torch.tensor([1, 2, 3]))
model = nn.Sequential(nn.Linear(3, 1), nn.Flatten(0, 1))
loss_fn = nn.MSELoss(reduction="sum")
optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3)
for t in range(200):
    loss = loss_fn(model(xx), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
linear = model[0]
print("optim", f"{loss.item():.4f}", linear.bias.shape, linear.weight.shape)


class DynamicNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.c, self.d, self.e = (nn.Parameter(torch.randn(())) for _ in range(5))

    def forward(self, x):
        y = self.a + self.b * x + self.c * x ** 2 + self.d * x ** 3
        for exp in range(4, random.randint(4, 6)):
            y = y + self.e * x ** exp
        return y


random.seed(3)
model = DynamicNet()
optimizer = torch.optim.SGD(model.parameters(), lr=1e-8, momentum=0.9)
for t in range(50):
    loss = loss_fn(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("module", f"{loss.item():.1f}", [name for name, _ in model.named_parameters()])
