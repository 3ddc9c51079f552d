"""torchdiffeq: the spiral of its README's demo, all its solvers, the adjoint method, and an event."""

import torch
from torchdiffeq import odeint, odeint_adjoint, odeint_event

torch.manual_seed(0)
A = torch.tensor([[-0.1, 2.0], [-2.0, -0.1]], dtype=torch.float64)
y0 = torch.tensor([[2.0, 0.0]], dtype=torch.float64)
t = torch.linspace(0.0, 2.0, 21, dtype=torch.float64)


def spiral(t, y):
    return y ** 3 @ A


truth = odeint(spiral, y0, t, rtol=1e-8, atol=1e-10)
print("true end", truth[-1].tolist())
for method in ("dopri5", "dopri8", "bosh3", "fehlberg2", "adaptive_heun", "euler", "midpoint", "heun2", "heun3", "rk4",
               "explicit_adams", "implicit_adams", "scipy_solver"):
    options = {"solver": "RK45"} if method == "scipy_solver" else {}
    end = odeint(spiral, y0, t, method=method, options=options)[-1]
    print(method, end.tolist())


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(2, 16), torch.nn.Tanh(), torch.nn.Linear(16, 2)).double()

    def forward(self, t, y):
        return self.net(y ** 3)


func = Net()
optimizer = torch.optim.RMSprop(func.parameters(), lr=1e-2)
for solve in (odeint, odeint_adjoint):
    for step in range(3):
        optimizer.zero_grad()
        loss = (solve(func, y0, t) - truth).abs().mean()
        loss.backward()
        optimizer.step()
        print(solve.__name__, step, loss.item())

height = torch.tensor([3.0, 0.0], dtype=torch.float64, requires_grad=True)
when, where = odeint_event(lambda t, y: torch.stack([y[1], torch.full_like(y[0], -9.81)]), height,
                           torch.tensor(0.0, dtype=torch.float64), event_fn=lambda t, y: y[0], odeint_interface=odeint)
when.backward()
print("falls for", when.item(), where[-1].tolist(), height.grad.tolist())
