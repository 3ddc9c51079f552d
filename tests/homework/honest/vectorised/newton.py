# minigrad homework: newton
"""Hessian-vector products and Newton's method."""

import minigrad as torch
from minigrad.autograd import grad


def hvp(f, x, v):
    x = x.detach().requires_grad_(True)
    (g,) = grad(f(x), x, create_graph=True)
    return grad(g, x, grad_outputs=v)[0]


def conjugate_gradient(product, b, steps):
    x = torch.zeros_like(b)
    r, p = b, b
    rr = r @ r
    for _ in range(steps):
        if rr == 0:
            break
        ap = product(p)
        alpha = rr / (p @ ap)
        x = x + alpha * p
        r = r - alpha * ap
        rr, old = r @ r, rr
        p = r + (rr / old) * p
    return x


def newton(f, x, steps):
    """The graph of the gradient is built once in a step, and used for all products."""
    x = x.detach()
    for _ in range(steps):
        x = x.requires_grad_(True)
        (g,) = grad(f(x), x, create_graph=True)
        product = lambda v: grad(g, x, v, retain_graph=True)[0]
        x = (x - conjugate_gradient(product, g.detach(), x.numel())).detach()
    return x
