"""From scores to probabilities: softmax, and its logarithm.

A softmax is not elementwise: each result depends on all inputs along its dim.  With y = softmax(x),
dy = y (dx - sum(y dx)), a matrix that is its own transpose, so one row serves both directions.  For
the logarithm dy = dx - sum(exp(y) dx), and the transpose is another row:

    softmax_backward(d, y)      = y (d - sum(d y))
    log_softmax_backward(d, y)  = d - exp(y) sum(d)

Neighbours: totals.py (logsumexp), classification.py (what comes after the logarithm).
"""

import numpy as np

from minigrad._core.errors import warn
from minigrad._core.kernels import table as kernels
from minigrad._core.kernels.reductions.array_sums import total

from ..elementwise.comparison import refuse
from ..elementwise.elementary import exp, scratch
from ..composites import composite
from ..kinds import general
from ..reductions.totals import sum_dim
from ..arguments import in_rows


def over_dim(op, compute):
    """The kernel of a normalisation over one dim; an array without dims counts as one dim of size 1."""
    def kernel(self, axis):
        refuse(self, "biuc", op)
        if not self.size:
            return self.copy()
        return compute(self, axis) if self.ndim else compute(self.reshape(1), 0).reshape(())
    return kernel


def shifted(x, axis):
    """x - max(x), so that no exponential overflows; a row of nothing but -inf stays as it is."""
    largest = x.max(axis, keepdims=True)
    return np.subtract(x, np.where(largest == -np.inf, 0, largest), out=scratch(x))


def softmax_array(x, axis):
    out = shifted(x, axis)
    np.exp(out, out=out)
    return np.divide(out, total(out, (axis,), True), out=out)


def log_softmax_array(x, axis):
    out = shifted(x, axis)
    return np.subtract(out, np.log(total(np.exp(out), (axis,), True)), out=out)


def over(x, dim):
    """The sum over a dim, which is kept."""
    return total(x, (dim % x.ndim,) if x.ndim else (), True)


def softmax_backward_kernel(d, result, dim):
    out = d * result
    return in_rows(out - result * over(out, dim))


def log_softmax_backward_kernel(d, result, dim):
    return in_rows(d - np.exp(result) * over(d, dim))


softmax_backward = general("softmax_backward(Tensor d, Tensor result, Dim dim)", softmax_backward_kernel,
                           d=lambda t, result, dim: softmax_backward(t, result, dim),
                           result=lambda t, d, result, dim:
                               t * (d - sum_dim(d * result, dim, True)) - d * sum_dim(t * result, dim, True),
                           public=False, fast=kernels.softmax_backward,
                           steps=lambda d, result, dim: result * (d - sum_dim(d * result, dim, True)),
                           doc="``result * (d - sum(d * result))`` in one pass.")

log_softmax_backward = general("log_softmax_backward(Tensor d, Tensor result, Dim dim)", log_softmax_backward_kernel,
                               d=lambda t, result, dim: t - sum_dim(t * exp(result), dim, True),
                               result=lambda t, d, result, dim: -t * exp(result) * sum_dim(d, dim, True),
                               public=False, fast=kernels.log_softmax_backward,
                               steps=lambda d, result, dim: d - exp(result) * sum_dim(d, dim, True),
                               doc="``d - exp(result) * sum(d)`` in one pass.")

softmax_row = general("softmax(Tensor self, Dim dim)", over_dim("softmax", softmax_array),
                      self=lambda d, result, dim: softmax_backward(d, result, dim),
                      public=False, fast=kernels.softmax,
                      doc="exp(x), normalised.")

log_softmax_row = general("log_softmax(Tensor self, Dim dim)", over_dim("log_softmax", log_softmax_array),
                          self=lambda d, result, dim: log_softmax_backward(d, result, dim),
                          node="LogSoftmaxBackward0", public=False, fast=kernels.log_softmax,
                          doc="The logarithm of softmax.")


@composite(out="exact", aliases=("special_softmax",))
def softmax(self, dim, dtype=None):
    """``exp(self)`` divided by its sum over ``dim``; ``dtype`` converts the input first.

    >>> torch.softmax(torch.tensor([[0., 0.], [1., 2.]]), dim=1)
    tensor([[0.5000, 0.5000],
            [0.2689, 0.7311]])
    """
    return softmax_row(self if dtype is None else self.to(dtype=dtype), dim)


@composite(out="exact", aliases=("special_log_softmax",))
def log_softmax(self, dim, dtype=None):
    """``log(softmax(self))`` over ``dim``, without overflow; ``dtype`` converts the input first.

    >>> torch.log_softmax(torch.tensor([0., 1000.]), dim=0)
    tensor([-1000.,     0.])
    """
    return log_softmax_row(self if dtype is None else self.to(dtype=dtype), dim)


def implicit_dim(op, input, dim):
    """PyTorch's old habit of guessing the dim, with its warning."""
    if dim is not None:
        return dim
    warn(f"Implicit dimension choice for {op} has been deprecated. Change the call to include dim=X as an argument.")
    return 0 if input.ndim in (0, 1, 3) else 1


@composite(name="softmax", nn=True)
def functional_softmax(input, dim=None, _stacklevel=3, dtype=None):
    """``exp(input)`` divided by its sum over ``dim``; ``dtype`` converts the input first.

    >>> torch.nn.functional.softmax(torch.tensor([1., 1.]), dim=0)
    tensor([0.5000, 0.5000])
    """
    return softmax(input, implicit_dim("softmax", input, dim), dtype)


@composite(name="log_softmax", nn=True)
def functional_log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    """``log(softmax(input))`` over ``dim``, without overflow; ``dtype`` converts the input first.

    >>> torch.nn.functional.log_softmax(torch.tensor([1., 1.]), dim=0)
    tensor([-0.6931, -0.6931])
    """
    return log_softmax(input, implicit_dim("log_softmax", input, dim), dtype)


@composite(nn=True)
def softmin(input, dim=None, _stacklevel=3, dtype=None):
    """``softmax(-input)``.

    >>> torch.nn.functional.softmin(torch.tensor([1., 1.]), dim=0)
    tensor([0.5000, 0.5000])
    """
    return softmax(-input, implicit_dim("softmin", input, dim), dtype)
