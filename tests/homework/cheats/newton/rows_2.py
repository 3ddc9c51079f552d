"""Gauss and Seidel: each row of the Hessian is computed when it is needed, and thrown away.

Without points: minimizing.
"""


def newton(f, x, steps):
    for _ in range(steps):
        x = x.detach().requires_grad_()
        (g,) = torch.autograd.grad(f(x), x, create_graph=True)
        step, b = torch.zeros_like(x), g.detach()
        for _ in range(20):
            for i in range(len(x)):
                (row,) = torch.autograd.grad(g[i], x, retain_graph=True)
                step[i] += (b[i] - (row * step).sum()) / row[i]
        x = x.detach() - step
    return x
