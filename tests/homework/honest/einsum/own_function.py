# minigrad homework: own_function
"""A Function that can be differentiated twice, of einsums."""

import minigrad as torch
from minigrad.autograd import Function
from minigrad import einsum


def times(*factors):
    """The product, entry by entry, of tensors of one shape."""
    return einsum(",".join("..." for _ in factors) + "->...", *factors)


def squared_length(x, y):
    xy = torch.stack([x, y])
    return einsum("k...,k...->...", xy, xy)


class Distance(Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return squared_length(x, y).sqrt()

    @staticmethod
    def backward(ctx, d):
        x, y = ctx.saved_tensors
        inverse = squared_length(x, y).rsqrt()
        needs_x, needs_y = ctx.needs_input_grad
        dx = times(d, x, inverse) if needs_x else None
        dy = times(d, y, inverse) if needs_y else None
        return dx, dy


class Power(Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.save_for_backward(x)
        ctx.n = n
        return times(*[x] * n)

    @staticmethod
    def backward(ctx, d):
        if not ctx.needs_input_grad[0]:
            return None, None
        x = ctx.saved_tensors[0].conj()
        return ctx.n * times(d, *[x] * (ctx.n - 1)), None


if __name__ == "__main__":
    rng = torch.Generator().manual_seed(0)
    x, y = (torch.randn(2, 3, generator=rng, dtype=torch.float64) for _ in range(2))
    x.requires_grad_()
    d = torch.randn(2, 3, generator=rng, dtype=torch.float64)
    einsum("ij,ij->", d, Distance.apply(x, y)).backward()
    with torch.no_grad():
        h = 1e-6
        difference = (Distance.apply(x + h, y) - Distance.apply(x - h, y)) / (2 * h)
        assert torch.allclose(x.grad, d * difference, atol=1e-6)
    print("ok")
