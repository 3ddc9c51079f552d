"""Writes to an argument that the forward of a Function has not declared with `mark_dirty`.

The Function itself has the edge to what its argument was, and its author's `backward` says the gradient for that: so
far all is well.  But for autograd the argument is still what it was, though its numbers are others::

    y = Sloppy.apply(x)         writes to x
    y.sum().backward()          right
    (y * x).sum().backward()    x has the derivative of what it was before: wrong, and silently so in PyTorch

So there is a warning, and the argument receives a history that ends in an error, which the second program meets and
the first does not.  A leaf needs none: it is a variable, whose gradient is that for its new value, as after a write
under `no_grad`.
"""

from minigrad._core.errors import error
from minigrad.autograd.function import Function

__all__ = ["UndeclaredWrite"]


class UndeclaredWrite(Function):
    """The write that was not declared: it has no derivative, and a gradient that arrives here would be wrong."""

    @staticmethod
    def forward(ctx, x, message):
        ctx.mark_dirty(x)
        ctx.message = message
        return x

    @staticmethod
    def backward(ctx, gradient):
        raise error("MG301", ctx.message)
