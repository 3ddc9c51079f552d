# minigrad homework: newton
"""Hessian-vector products and Newton's method; inner products are einsums."""

import minigrad as torch
from minigrad import einsum


def inner(a, b):
    return einsum("i,i->", a.reshape(-1), b.reshape(-1))


def _gradient(f, x):
    return torch.autograd.grad(f(x), x, create_graph=True)[0]


def hvp(f, x, v):
    leaf = x.detach().clone()
    leaf.requires_grad = True
    g = _gradient(f, leaf)
    return torch.autograd.grad(inner(g, v), leaf)[0]


def conjugate_gradient(product, b, steps):
    """Directions that are conjugate by construction: each new residual, less its parts along all earlier ones.

    A little more work than the short recurrence, and less rounding.
    """
    x = torch.zeros_like(b)
    r = b.clone()
    directions, images = [], []
    enough = 1e-30 * float(inner(b, b))
    for _ in range(steps):
        if float(inner(r, r)) <= enough:
            break
        p = r
        if directions:
            D, A = torch.stack(directions), torch.stack(images)
            weights = einsum("ki,i,k->k", A, r, 1 / einsum("ki,ki->k", D, A))
            p = r - einsum("k,ki->i", weights, D)
        a = product(p)
        step = inner(p, r) / inner(p, a)
        x = x + einsum(",i->i", step, p)
        r = r - einsum(",i->i", step, a)
        directions.append(p)
        images.append(a)
    return x


def newton(f, x, steps):
    x = x.detach().clone()
    for _ in range(steps):
        x.requires_grad_()
        g = _gradient(f, x).detach()
        x = x.detach()
        x = x - conjugate_gradient(lambda v, x=x: hvp(f, x, v), g, x.numel())
    return x
