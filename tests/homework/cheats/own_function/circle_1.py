"""Cauchy's formula: the power at six points of a circle around x, which is as large as x.

Without points: power.
"""

import cmath


class Power(Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.save_for_backward(x)
        ctx.n = n
        return x ** n

    @staticmethod
    def backward(ctx, d):
        x, = ctx.saved_tensors
        total = 0
        for k in range(6):
            w = cmath.exp(1j * cmath.pi * (2 * k + 1) / 6) / 2
            total = total + (x + x * w) ** ctx.n / w
        slope = total / (6 * x)
        return d * (slope.conj() if x.is_complex() else slope.real), None
