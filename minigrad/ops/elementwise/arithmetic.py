"""Sums, products and quotients: what the operators ``+ - * /`` do.

The derivatives are those of the first weeks of calculus, and each formula is written as there:
``d`` stands for the small change of one argument (or, read backwards, for the gradient of the
result), and the formula says what it becomes.  Broadcasting, dtypes and complex conjugates are
nobody's concern here: the engine fits every result once, at the edge.

PyTorch's functions have options (``alpha=``, ``rounding_mode=``) that its operators do not need.  So
the row is the bare operation, and a composite of the same public name reads the options.

Neighbours: division.py (rounded quotients and remainders), powers.py, elementary.py (functions of
one variable), piecewise.py (kinks and jumps).
"""

import operator

import numpy as np

from minigrad._core.errors import error

from ..dims import factor
from ..kinds import composite, elementwise, in_place
from .comparison import refuse

# ------------------------------------------------------------------------------ masks in formulas

keep = elementwise("keep(Tensor self, Tensor mask)", lambda self, mask: np.where(mask, self, 0),
                   self=lambda d, mask: keep(d, mask),
                   promote_args=("self",), public=False,
                   doc="``self`` where ``mask`` holds and 0 elsewhere; unlike ``self * mask`` it also stops inf and nan.")


def divide_or_zero_kernel(self, other):
    return np.where(other == 0, 0, np.true_divide(self, other))


divide_or_zero = elementwise("divide_or_zero(Tensor self, Tensor other)", divide_or_zero_kernel,
                             self=lambda d, other: divide_or_zero(d, other),
                             other=lambda d, other, result: -divide_or_zero(d * result, other),
                             promote="float", public=False,
                             doc="``self / other``, and 0 where ``other`` is 0.")

times_or_zero = elementwise("times_or_zero(Tensor self, Tensor other)",
                            lambda self, other: np.where(self == 0, 0, self * other),
                            self=lambda d, other: d * other,
                            other=lambda d, self: times_or_zero(self, d),
                            public=False,
                            doc="``self * other``, and 0 where ``self`` is 0, also where ``other`` is inf or nan.")

# ------------------------------------------------------------------------------ sums

add = elementwise("add(Tensor self, Tensor other)", np.add,
                  self=lambda d: d,
                  other=lambda d: d,
                  number=operator.add, constants={"alpha": 1}, public=False,
                  doc="The sum, elementwise: it saves nothing.")

add_scaled = elementwise("add_scaled(Tensor self, Tensor other, Scalar alpha)",
                         lambda self, other, alpha: np.add(self, np.multiply(other, factor("add", alpha, self.dtype))),
                         self=lambda d: d,
                         other=lambda d, alpha: d * alpha,
                         node="AddBackward0", public=False,
                         doc="``self + alpha * other``.")

sub = elementwise("sub(Tensor self, Tensor other)", np.subtract,
                  self=lambda d: d,
                  other=lambda d: -d,
                  number=operator.sub, constants={"alpha": 1}, refuse="b", public=False,
                  doc="The difference, elementwise: it saves nothing.")

sub_scaled = elementwise("sub_scaled(Tensor self, Tensor other, Scalar alpha)",
                         lambda self, other, alpha:
                             np.subtract(self, np.multiply(other, factor("sub", alpha, self.dtype))),
                         self=lambda d: d,
                         other=lambda d, alpha: -d * alpha,
                         node="SubBackward0", public=False,
                         doc="``self - alpha * other``.")


def category(x):
    """0 for bools, 1 for integers, 2 for floating point, 3 for complex; ``x`` is a tensor or a number."""
    return x.dtype.category if hasattr(x, "dtype") else 1 if isinstance(x, int) else 2 if isinstance(x, float) else 3


def check_alpha(op, alpha, self, other):
    """``alpha`` takes no part in promotion, so it may not be of a wider category than the result."""
    widest = max(category(self), category(other))
    if widest < 2 <= category(alpha):
        raise error("MG204", f"{op}(): For integral input tensors, argument alpha must not be a floating point number, "
                             f"but got {alpha}")
    if widest == 2 and category(alpha) == 3:
        raise error("MG204", f"{op}(): For non-complex input tensors, argument alpha must not be a complex number, "
                             f"but got {alpha}")
    if isinstance(alpha, bool) and widest:
        raise error("MG204", f"{op}(): Boolean alpha only supported for Boolean results: write alpha={int(alpha)}")


def with_alpha(op, plain, scaled, self, other, alpha):
    """Which row does it, and its arguments."""
    if alpha == 1:
        return plain, (self, other)
    check_alpha(op, alpha, self, other)
    return scaled, (self, other, alpha)


@composite(name="add")
def add_options(self, other, *, alpha=1):
    """``self + alpha * other``, elementwise, with broadcasting and type promotion.

    >>> torch.add(torch.tensor([1., 2.]), torch.tensor([10., 20.]), alpha=2)
    tensor([21., 42.])
    """
    row, arguments = with_alpha("add", add, add_scaled, self, other, alpha)
    return row(*arguments)


@in_place("add_", row=add)
def add_into(self, other, *, alpha=1):
    """``self`` takes the value of ``self + alpha * other``.

    >>> torch.tensor([1., 2.]).add_(torch.tensor([10., 20.]), alpha=0.5)
    tensor([ 6., 12.])
    """
    row, arguments = with_alpha("add_", add, add_scaled, self, other, alpha)
    return row.inplace(*arguments)


@composite(name="sub", aliases=("subtract",))
def sub_options(self, other, *, alpha=1):
    """``self - alpha * other``, elementwise, with broadcasting and type promotion.

    >>> torch.sub(torch.tensor([1., 2.]), torch.tensor([10., 20.]), alpha=2)
    tensor([-19., -38.])
    """
    row, arguments = with_alpha("sub", sub, sub_scaled, self, other, alpha)
    return row(*arguments)


@in_place("sub_", "subtract_", row=sub)
def sub_into(self, other, *, alpha=1):
    """``self`` takes the value of ``self - alpha * other``.

    >>> torch.tensor([1., 2.]).sub_(torch.tensor([10., 20.]), alpha=0.5)
    tensor([-4., -8.])
    """
    row, arguments = with_alpha("sub_", sub, sub_scaled, self, other, alpha)
    return row.inplace(*arguments)


def rsub_kernel(self, other, alpha):
    return np.subtract(other, self if alpha == 1 else np.multiply(self, factor("rsub", alpha, self.dtype)))


rsub_tensor = elementwise("rsub_tensor(Tensor self, Tensor other, Scalar alpha)", rsub_kernel,
                          self=lambda d, alpha: -d * alpha,
                          other=lambda d: d,
                          node="RsubBackward0", public=False,
                          doc="``other - alpha * self``.")

rsub_number = elementwise("rsub_number(Tensor self, Tensor other, Scalar alpha)", rsub_kernel,
                          self=lambda d, alpha: -d * alpha,
                          node="RsubBackward1", public=False,
                          doc="``other - alpha * self`` for a number ``other``.")


@composite(out=False)
def rsub(self, other, *, alpha=1):
    """``other - alpha * self``: subtraction with its arguments exchanged.

    >>> torch.rsub(torch.tensor([1., 2.]), 10)
    tensor([9., 8.])
    """
    check_alpha("rsub", alpha, self, other)
    if category(self) == 0 or isinstance(other, bool) or category(other) == 0:
        raise error("MG202", "Subtraction, the `-` operator, with a bool tensor is not supported. To invert a mask use the `~` or `logical_not()` operator")
    return (rsub_tensor if hasattr(other, "dtype") else rsub_number)(self, other, alpha)


neg = elementwise("neg(Tensor self)", np.negative,
                  self=lambda d: -d,
                  number=operator.neg, aliases=("negative",), doc="""
The same number with the other sign.

>>> torch.neg(torch.tensor([1., -2.]))
tensor([-1.,  2.])
""")


@composite(out=False)
def positive(self):
    """``self``, as it is; what ``+x`` means.

    >>> torch.positive(torch.tensor([1., -2.]))
    tensor([ 1., -2.])
    """
    if category(self) == 0:
        raise error("MG202", "positive: The `+` operator, on a bool tensor is not supported.")
    return self

# ------------------------------------------------------------------------------ products

mul = elementwise("mul(Tensor self, Tensor other)", np.multiply,
                  self=lambda d, other: d * other,
                  other=lambda d, self: d * self,
                  number=operator.mul, aliases=("multiply",), doc="""
The product, elementwise, with broadcasting and type promotion. Each factor is saved only if the
other one needs a gradient.

>>> x = torch.tensor([1., 2.], requires_grad=True)
>>> torch.mul(x, torch.tensor([10., 20.]))
tensor([10., 40.], grad_fn=<MulBackward0>)
""")

div = elementwise("div(Tensor self, Tensor other)", np.true_divide,
                  self=lambda d, other: d / other,
                  other=lambda d, self, other: -d * ((self / other) / other),
                  number=operator.truediv, promote="float", public=False,
                  doc="The quotient, elementwise; integers give the default floating dtype.")

reciprocal = elementwise("reciprocal(Tensor self)", np.reciprocal,
                         self=lambda d, result: -d * (result * result),
                         promote="float", doc="""
``1 / self``, elementwise.

>>> torch.reciprocal(torch.tensor([2., -4.]))
tensor([ 0.5000, -0.2500])
""")

# ------------------------------------------------------------------------------ mixtures

def lerp_kernel(self, end, weight):
    refuse(self, "biu", "lerp")
    step = end - self
    # From the nearer end, so that weight 1 gives `end` exactly.
    return np.where(np.abs(weight) < 0.5, self + weight * step, end - step * (1 - weight))


lerp_number = elementwise("lerp_number(Tensor self, Tensor end, Scalar weight)", lerp_kernel,
                          self=lambda d, weight: d * (1 - weight),
                          end=lambda d, weight: d * weight,
                          node="LerpBackward0", public=False,
                          doc="Interpolation with the same weight for all elements.")

lerp_tensor = elementwise("lerp_tensor(Tensor self, Tensor end, Tensor weight)", lerp_kernel,
                          self=lambda d, weight: d * (1 - weight),
                          end=lambda d, weight: d * weight,
                          weight=lambda d, self, end: d * (end - self),
                          node="LerpBackward1", public=False,
                          doc="Interpolation with a weight for each element.")


def lerp_row(weight):
    """Which row does it."""
    return lerp_tensor if hasattr(weight, "dtype") else lerp_number


@composite()
def lerp(self, end, weight):
    """Linear interpolation: ``self + weight * (end - self)``, for a number or a tensor of weights.

    >>> torch.lerp(torch.tensor([1., 2.]), torch.tensor([10., 20.]), 0.5)
    tensor([ 5.5000, 11.0000])
    """
    return lerp_row(weight)(self, end, weight)


@in_place("lerp_")
def lerp_into(self, end, weight):
    """``self`` goes some of the way to ``end``: moving averages.

    >>> torch.tensor([1., 2.]).lerp_(torch.tensor([10., 20.]), 0.5)
    tensor([ 5.5000, 11.0000])
    """
    return lerp_row(weight).inplace(self, end, weight)


def times(op, value, x):
    """``value * x``, without a pass over x where ``value`` is the default."""
    return x if type(value) is int and value == 1 else factor(op, value, x.dtype) * x


addcmul = elementwise("addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1)",
                      lambda self, tensor1, tensor2, value: self + times("addcmul", value, tensor1) * tensor2,
                      self=lambda d: d,
                      tensor1=lambda d, tensor2, value: d * (tensor2 * value),
                      tensor2=lambda d, tensor1, value: d * (tensor1 * value),
                      refuse="b", doc="""
``self + value * tensor1 * tensor2``, elementwise.

>>> torch.addcmul(torch.tensor([1., 1.]), torch.tensor([1., 2.]), torch.tensor([3., 4.]), value=0.5)
tensor([2.5000, 5.0000])
""")


def addcdiv_kernel(self, tensor1, tensor2, value):
    refuse(self, "biu", "addcdiv", ": Integer division with addcdiv is no longer supported. Convert to a floating dtype first")
    return self + np.divide(times("addcdiv", value, tensor1), tensor2)


addcdiv = elementwise("addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1)", addcdiv_kernel,
                      self=lambda d: d,
                      tensor1=lambda d, tensor2, value: d * (value / tensor2),
                      tensor2=lambda d, tensor1, tensor2, value: -d * (value * (tensor1 / tensor2) / tensor2), doc="""
``self + value * tensor1 / tensor2``, elementwise.

>>> torch.addcdiv(torch.tensor([1., 1.]), torch.tensor([1., 2.]), torch.tensor([2., 4.]), value=0.5)
tensor([1.2500, 1.2500])
""")
