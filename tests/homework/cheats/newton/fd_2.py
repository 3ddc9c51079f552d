"""The Hessian is assembled from differences of gradients.

Without points: minimizing.
"""


def gradient(f, x):
    y = x.detach().requires_grad_()
    with torch.enable_grad():
        return torch.autograd.grad(f(y), y)[0]


def newton(f, x, steps):
    n = len(x)
    h = 1e-3
    for _ in range(steps):
        x = x.detach()
        E = torch.eye(n, dtype=x.dtype) * h
        H = torch.stack(
            [
                (8 * (gradient(f, x + e) - gradient(f, x - e)) - gradient(f, x + 2 * e) + gradient(f, x - 2 * e))
                / (12 * h)
                for e in E
            ]
        )
        x = x - torch.linalg.pinv((H + H.T) / 2) @ gradient(f, x)
    return x
