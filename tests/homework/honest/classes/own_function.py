# minigrad homework: own_function
"""A Function that can be differentiated twice. Its backward is a Function too, with a backward by hand."""

from dataclasses import dataclass
from functools import cached_property
from typing import Optional

import minigrad as torch
from minigrad.autograd import Function

Tensor = torch.Tensor


@dataclass
class Point:
    x: Tensor
    y: Tensor

    @cached_property
    def r(self) -> Tensor:
        """The distance from the origin; scaled, so that large coordinates do not overflow."""
        big = torch.maximum(self.x.abs(), self.y.abs())
        safe = torch.where(big > 0, big, torch.ones_like(big))
        return big * torch.sqrt((self.x / safe) ** 2 + (self.y / safe) ** 2)

    @property
    def cos(self) -> Tensor:
        return self.x / self.r

    @property
    def sin(self) -> Tensor:
        return self.y / self.r


class Distance(Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return Point(x, y).r

    @staticmethod
    def backward(ctx, d):
        x, y = ctx.saved_tensors
        gx, gy = Direction.apply(d, x, y)
        return Mask(ctx)(gx, gy)


class Direction(Function):
    """(d x / r, d y / r)."""

    @staticmethod
    def forward(ctx, d, x, y):
        ctx.save_for_backward(d, x, y)
        p = Point(x, y)
        return d * p.cos, d * p.sin

    @staticmethod
    def backward(ctx, a, b):
        # the derivatives of cos are sin^2 / r and -sin cos / r; those of sin are -sin cos / r and cos^2 / r
        d, x, y = ctx.saved_tensors
        r = (x**2 + y**2).sqrt()
        c, s = x / r, y / r
        across = d * (a * s - b * c) / r
        return a * c + b * s, across * s, -across * c


@dataclass
class Mask:
    """None in place of the gradients that nobody needs."""

    ctx: object

    def __call__(self, *gradients: Tensor) -> tuple[Optional[Tensor], ...]:
        return tuple(g if n else None for g, n in zip(gradients, self.ctx.needs_input_grad))


class Power(Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.exponent = n
        ctx.save_for_backward(x)
        return Squarer(x).power(n)

    @staticmethod
    def backward(ctx, d):
        (x,) = ctx.saved_tensors
        n = ctx.exponent
        return Mask(ctx)(d * n * Squarer(x.conj()).power(n - 1), None)


@dataclass
class Squarer:
    """Powers by repeated squaring."""

    base: Tensor

    def power(self, n: int) -> Tensor:
        result, square = torch.ones_like(self.base), self.base
        while n:
            if n & 1:
                result = result * square
            square, n = square * square, n >> 1
        return result
