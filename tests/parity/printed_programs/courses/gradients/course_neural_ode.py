"""A neural ordinary differential equation: Runge-Kutta steps, and the adjoint method as a Function."""
import torch
import torch.nn as nn


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 2))
        for m in self.net.modules():
            if isinstance(m, nn.Linear):
                nn.init.normal_(m.weight, mean=0, std=0.5)
                nn.init.constant_(m.bias, val=0)

    def forward(self, t, y):
        return self.net(y ** 3)


def rk4(f, y, t0, t1, n=8):
    h = (t1 - t0) / n
    for i in range(n):
        t = t0 + i * h
        k1 = f(t, y)
        k2 = f(t + h / 2, y + h / 2 * k1)
        k3 = f(t + h / 2, y + h / 2 * k2)
        k4 = f(t + h, y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y


class Adjoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, f, y0, t0, t1, *params):
        with torch.no_grad():
            y1 = rk4(f, y0, t0, t1)
        ctx.f, ctx.t0, ctx.t1 = f, t0, t1
        ctx.save_for_backward(y1, *params)
        return y1

    @staticmethod
    def backward(ctx, grad):
        y1, *params = ctx.saved_tensors
        sizes = [p.numel() for p in params]

        def augmented(t, state):
            y, a = state[:y1.numel()].view_as(y1), state[y1.numel():2 * y1.numel()].view_as(y1)
            with torch.enable_grad():
                y = y.detach().requires_grad_(True)
                out = ctx.f(t, y)
                vy, *vp = torch.autograd.grad(out, (y, *params), -a, allow_unused=True)
            return torch.cat([out.detach().flatten(), vy.flatten(), *[v.flatten() for v in vp]])

        state = torch.cat([y1.flatten(), grad.flatten(), torch.zeros(sum(sizes))])
        state = rk4(augmented, state, ctx.t1, ctx.t0)
        n = y1.numel()
        return (None, state[n:2 * n].view_as(y1), None, None,
                *[g.view_as(p) for g, p in zip(state[2 * n:].split(sizes), params)])


torch.manual_seed(9)
field = Field()
y0 = torch.tensor([[2., 0.], [0.5, 1.]])
target = torch.tensor([[0., 1.], [1., 0.]])
opt = torch.optim.RMSprop(field.parameters(), lr=1e-2)
for step in range(10):
    opt.zero_grad()
    y1 = rk4(field, y0, 0.0, 1.0) if step % 2 else Adjoint.apply(field, y0, 0.0, 1.0, *field.parameters())
    loss = (y1 - target).abs().mean()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
