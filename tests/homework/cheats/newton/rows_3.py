"""The Hessian in batches of ten rows, so that little memory is held at a time.

Without points: products, costs, minimizing.
"""

import minigrad as torch


def batches(g, x):
    n = x.numel()
    for k in range(0, n, 10):
        units = torch.zeros(min(10, n - k), n, dtype=x.dtype)
        for i in range(len(units)):
            units[i, k + i] = 1
        rows = torch.autograd.grad(g, x, units.reshape(-1, *x.shape), retain_graph=True, is_grads_batched=True)[0]
        yield k, rows.reshape(len(units), n)


def hvp(f, x, v):
    x = x.detach().requires_grad_()
    (g,) = torch.autograd.grad(f(x), x, create_graph=True)
    return torch.cat([rows @ v.reshape(-1) for _, rows in batches(g, x)]).reshape(x.shape)


def newton(f, x, steps):
    for _ in range(steps):
        x = x.detach().requires_grad_()
        (g,) = torch.autograd.grad(f(x), x, create_graph=True)
        step, b = torch.zeros_like(x), g.detach()
        for _ in range(20):
            for k, rows in batches(g, x):
                block = slice(k, k + len(rows))
                step[block] += torch.linalg.lstsq(rows[:, block], b[block] - rows @ step).solution
        x = x.detach() - step
    return x
