"""Logistic regression by Newton's method, and Rosenbrock's valley by L-BFGS, conjugate gradients and line search."""
import torch
from torch.autograd.functional import hessian, jacobian, vhp

torch.manual_seed(28)
X = torch.cat([torch.randn(40, 2), torch.ones(40, 1)], 1).double()
y = (X @ torch.tensor([1.5, -2., 0.3], dtype=torch.double) + 0.3 * torch.randn(40).double() > 0).double()


def loss_of(w):
    return torch.nn.functional.binary_cross_entropy_with_logits(X @ w, y) + 0.01 * w.dot(w)


w = torch.zeros(3, dtype=torch.double)
for step in range(5):
    g, H = jacobian(loss_of, w), hessian(loss_of, w)
    w = w - torch.linalg.solve(H, g)
    print(f"{loss_of(w).item():.8f} {g.norm().item():.2e}" if g.norm() > 1e-9 else "converged")
print(w, vhp(loss_of, w, torch.ones(3).double())[1])

for search in (None, "strong_wolfe"):
    p = torch.tensor([-1.2, 1.0], dtype=torch.double, requires_grad=True)
    opt = torch.optim.LBFGS([p], lr=1.0 if search else 1e-3, max_iter=30, line_search_fn=search)
    calls = 0

    def closure():
        global calls
        calls += 1
        opt.zero_grad()
        value = (1 - p[0]) ** 2 + 100 * (p[1] - p[0] ** 2) ** 2
        value.backward()
        return value

    for _ in range(2):
        opt.step(closure)
    print(calls, f"{closure().item():.3e}" if not search else closure().item() < 1e-10)
