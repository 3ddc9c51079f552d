"""apply is replaced by an expression: no backward pass is written.

Without points: derivative, second_derivative, manners, power.
"""


class Distance(Function):
    """Not a Function at all: apply is an expression that autograd differentiates."""

    @staticmethod
    def forward(ctx, x, y):
        return (x * x + y * y).sqrt()

    @staticmethod
    def backward(ctx, d):
        return None, None

    apply = staticmethod(lambda x, y: (x * x + y * y).sqrt())


class Power(Function):
    @staticmethod
    def forward(ctx, x, n):
        return x**n

    @staticmethod
    def backward(ctx, d):
        return None, None

    apply = staticmethod(lambda x, n: x**n)
