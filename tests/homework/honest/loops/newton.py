# minigrad homework: newton
"""Hessian-vector products and Newton's method. Dot products are loops over numbers."""

import minigrad as torch


def _dot(a, b):
    """The dot product of two vectors, as a number."""
    total = 0.0
    for s, t in zip(a.tolist(), b.tolist()):
        total += s * t
    return total


def hvp(f, x, v):
    x = x.detach().clone().requires_grad_()
    (g,) = torch.autograd.grad(f(x), x, create_graph=True)
    # <g, v>, a row at a time
    inner = torch.zeros((), dtype=x.dtype)
    if g.dim() < 2:
        inner = (g * v).sum()
    else:
        for i in range(g.shape[0]):
            inner = inner + (g[i] * v[i]).sum()
    if not inner.requires_grad:  # f is linear
        return torch.zeros_like(x)
    (h,) = torch.autograd.grad(inner, x, allow_unused=True)
    return torch.zeros_like(x) if h is None else h


def conjugate_gradient(product, b, steps):
    x = torch.zeros_like(b)
    residual = b.clone()
    direction = residual.clone()
    size = _dot(residual, residual)
    enough = size * 1e-30
    for _ in range(steps):
        if size <= enough:
            break
        image = product(direction)
        length = size / _dot(direction, image)
        x = x + length * direction
        residual = residual - length * image
        new_size = _dot(residual, residual)
        direction = residual + (new_size / size) * direction
        size = new_size
    return x


def newton(f, x, steps):
    x = x.detach().clone()
    for step in range(steps):
        here = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(f(here), here)
        x = x - conjugate_gradient(lambda v: hvp(f, x, v), g, len(x))
    return x


if __name__ == "__main__":
    f = lambda t: (t**4).sum() / 4 + (t**2).sum() - t[0] * t[1] + t.sum()
    x = torch.tensor([1.0, -2.0, 0.5], dtype=torch.float64)
    for k in range(6):
        print(k, f(newton(f, x, k)).item())
