"""Sums and products: what the operators ``+ - *`` do.

The derivatives are those of the first weeks of calculus, and each formula is written as there:
``d`` stands for the small change of one argument (or, read backwards, for the gradient of the
result), and the formula says what it becomes.  A formula need not care about
broadcasting, dtypes or complex conjugates: the engine fits every gradient once, at the edge.

Options (``alpha=``) are parameters of the rows; a call without them costs what it would if there were none.

Neighbours: division.py (rounded quotients and remainders), powers.py, elementary.py (functions of
one variable), piecewise.py (kinks and jumps).
"""

import operator

import numpy as np

from minigrad._core.errors import error
from minigrad._core.kernels.loops import new_ufuncs as loops

from ..composites import composite
from ..kinds import elementwise
from .comparison import EITHER, refuse
from ..arguments import factor

# ------------------------------------------------------------------------------ masks in formulas

keep = elementwise("keep(Tensor self, Tensor mask)", lambda self, mask: np.where(mask, self, self.dtype.type(0)),
                   self=lambda d, mask: keep(d, mask),
                   promote_args=("self",), public=False, fast=loops.keep,
                   doc="``self`` where ``mask`` holds and 0 elsewhere; unlike ``self * mask`` it also stops inf and "
                       "nan.")


def divide_or_zero_kernel(self, other):
    if other.dtype.kind == "c":
        limits = np.finfo(other.dtype)
        small = np.absolute(other) < limits.tiny
        if small.any():         # NumPy divides complex numbers by way of 1 / other, which would overflow
            larger = np.where(small, limits.eps ** -2, 1).astype(other.real.dtype)
            self, other = self * larger, other * larger
    return np.where(other == 0, 0, np.true_divide(self, other))


divide_or_zero = elementwise("divide_or_zero(Tensor self, Tensor other)", divide_or_zero_kernel,
                             self=lambda d, other: divide_or_zero(d, other),
                             other=lambda d, other, result: -divide_or_zero(d * result, other),
                             linear_in=("self",), promote="float", public=False, fast=loops.divide_or_zero,
                             shown="divide", doc="``self / other``, and 0 where ``other`` is 0.")

times_or_zero = elementwise("times_or_zero(Tensor self, Tensor other)",
                            lambda self, other: np.where(self == 0, 0, self * other),
                            self=lambda d, other: d * other,
                            other=lambda d, self: times_or_zero(self, d),
                            public=False, fast=loops.times_or_zero,
                            doc="``self * other``, and 0 where ``self`` is 0, even where ``other`` is inf or nan.")

# ------------------------------------------------------------------------------ sums

def check_alpha(op, alpha, dtype):
    """``alpha`` takes no part in promotion, so it may not be of a wider category than the result."""
    if dtype.kind in "biu" and not isinstance(alpha, int):
        raise floating_alpha(op, alpha)
    if dtype.kind != "c" and isinstance(alpha, complex):
        raise complex_alpha(op, alpha)
    if isinstance(alpha, bool) and dtype.kind != "b":
        raise error("MG204", f"{op}(): Boolean alpha only supported for Boolean results: write alpha={int(alpha)}")


def scaled(op, x, alpha):
    """The array ``alpha * x``."""
    check_alpha(op, alpha, x.dtype)
    return np.multiply(x, factor(op, alpha, x.dtype))


#: ``alpha`` if it is left out
ONE = 1


def by(d, alpha):
    """``alpha * d`` in a formula; no multiplication where ``alpha`` is left out."""
    return d if alpha is ONE else d * alpha


add = elementwise("add(Tensor self, Tensor other, *, Scalar alpha=1)",
                  lambda self, other, alpha: np.add(self, scaled("add", other, alpha)),
                  self=lambda d: d,
                  other=lambda d, alpha: by(d, alpha),
                  plain=np.add, fast=(loops.addcmul, "self", "other", "alpha", 1),
                  number=operator.add, or_numbers=EITHER, numbers_alone=True, inplace_function=False, doc="""
The sum, elementwise: ``self + alpha * other``, with broadcasting and type promotion.

It saves nothing but ``alpha``.

>>> torch.add(torch.tensor([1., 2.]), torch.tensor([10., 20.]), alpha=2)
tensor([21., 42.])
""")

NO_NEGATION = ("Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use "
               "the `~` or `logical_not()` operator instead.")
NO_BOOLS = ("Subtraction, the `-` operator, with a bool tensor is not supported. To invert a mask use the `~` or "
            "`logical_not()` operator")

sub = elementwise("sub(Tensor self, Tensor other, *, Scalar alpha=1)",
                  lambda self, other, alpha: np.subtract(self, scaled("sub", other, alpha)),
                  self=lambda d: d,
                  other=lambda d, alpha: -by(d, alpha),
                  plain=np.subtract, fast=(loops.addcmul, "self", "other", "alpha", -1),
                  number=operator.sub, or_numbers=EITHER, numbers_alone=True, aliases=("subtract",),
                  refuse="b", refusal=NO_BOOLS,
                  inplace_function=False, doc="""
The difference, elementwise: ``self - alpha * other``, with broadcasting and type promotion.

It saves nothing but ``alpha``.

>>> torch.sub(torch.tensor([1., 2.]), torch.tensor([10., 20.]), alpha=2)
tensor([-19., -38.])
""")


def rsub_kernel(self, other, alpha):
    return np.subtract(other, scaled("rsub", self, alpha))


rsub_number = elementwise("rsub.Scalar(Tensor self, Scalar other, *, Scalar alpha=1)", rsub_kernel,
                          self=lambda d, alpha: -by(d, alpha),
                          plain=lambda self, other: np.subtract(other, self), promote_args=("self", "other"),
                          fast=(loops.addcmul, "other", "self", "alpha", -1),
                          node="RsubBackward1", refuse="b", refusal=NO_BOOLS, inplace=False, out=False,
                          doc="``other - alpha * self`` for a number ``other``.", function_doc="""
``other - alpha * self``: subtraction with its arguments exchanged.

>>> torch.rsub(torch.tensor([1., 2.]), 10)
tensor([9., 8.])
""")

rsub_tensor = elementwise("rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1)", rsub_kernel,
                          self=lambda d, alpha: -by(d, alpha),
                          other=lambda d: d,
                          plain=lambda self, other: np.subtract(other, self),
                          fast=(loops.addcmul, "other", "self", "alpha", -1),
                          node="RsubBackward0", refuse="b", refusal=NO_BOOLS, inplace=False, out=False,
                          doc="``other - alpha * self``.")


neg = elementwise("neg(Tensor self)", loops.negative,
                  self=lambda d: -d,
                  number=operator.neg, aliases=("negative",), refuse="b", refusal=NO_NEGATION, doc="""
The same number with the opposite sign.

>>> torch.neg(torch.tensor([1., -2.]))
tensor([-1.,  2.])
""")


@composite(out=False)
def positive(self):
    """``self``, as it is; what ``+x`` means.

    >>> torch.positive(torch.tensor([1., -2.]))
    tensor([ 1., -2.])
    """
    if self.dtype.category == 0:
        raise error("MG202", "positive: The `+` operator, on a bool tensor is not supported.")
    return self

# ------------------------------------------------------------------------------ products

mul = elementwise("mul(Tensor self, Tensor other)", np.multiply,
                  self=lambda d, other: d * other,
                  other=lambda d, self: d * self,
                  linear_in=("self", "other"), number=operator.mul, or_numbers=EITHER, numbers_alone=True,
                  aliases=("multiply",), doc="""
The product, elementwise, with broadcasting and type promotion. Each factor is saved only if the
other one needs a gradient.

>>> x = torch.tensor([1., 2.], requires_grad=True)
>>> torch.mul(x, torch.tensor([10., 20.]))
tensor([10., 40.], grad_fn=<MulBackward0>)
""")

reciprocal = elementwise("reciprocal(Tensor self)", np.reciprocal,
                         self=lambda d, result: -d * result * result,
                         promote="float", doc="""
``1 / self``, elementwise.

>>> torch.reciprocal(torch.tensor([2., -4.]))
tensor([ 0.5000, -0.2500])
""")

# ------------------------------------------------------------------------------ mixtures

def lerp_kernel(self, end, weight):
    refuse(self, "biu", "lerp")
    if not isinstance(weight, np.ndarray):
        weight = np.asarray(weight, self.dtype)
    step = end - self
    # From the nearer end, so that weight 1 gives `end` exactly.
    return np.where(np.abs(weight) < 0.5, self + weight * step, end - step * (1 - weight))


lerp_number = elementwise("lerp.Scalar(Tensor self, Tensor end, Scalar weight)", lerp_kernel,
                          self=lambda d, weight: d * (1 - weight),
                          end=lambda d, weight: d * weight,
                          node="LerpBackward0", inplace_function=False, fast=loops.lerp,
                          doc="Interpolation with the same weight for all elements.", function_doc="""
Linear interpolation: ``self + weight * (end - self)``, for a number or a tensor of weights.

In place, ``self`` goes part of the way to ``end``, as a moving average does.

>>> torch.lerp(torch.tensor([1., 2.]), torch.tensor([10., 20.]), 0.5)
tensor([ 5.5000, 11.0000])
""")

lerp_tensor = elementwise("lerp.Tensor(Tensor self, Tensor end, Tensor weight)", lerp_kernel,
                          self=lambda d, weight: d * (1 - weight),
                          end=lambda d, weight: d * weight,
                          weight=lambda d, self, end: d * (end - self),
                          node="LerpBackward1", inplace_function=False, fast=loops.lerp,
                          doc="Interpolation with a weight for each element.")


def times(op, value, x):
    """``value * x``, without a pass over x where ``value`` is the default."""
    return x if type(value) is int and value == 1 else factor(op, value, x.dtype) * x


addcmul = elementwise("addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1)",
                      lambda self, tensor1, tensor2, value: self + times("addcmul", value, tensor1) * tensor2,
                      self=lambda d: d,
                      tensor1=lambda d, tensor2, value: d * (tensor2 * value),
                      tensor2=lambda d, tensor1, value: d * (tensor1 * value),
                      refuse="b", fast=loops.addcmul, doc="""
``self + value * tensor1 * tensor2``, elementwise.

>>> torch.addcmul(torch.tensor([1., 1.]), torch.tensor([1., 2.]), torch.tensor([3., 4.]), value=0.5)
tensor([2.5000, 5.0000])
""")


def addcdiv_kernel(self, tensor1, tensor2, value):
    refuse(self, "biu", "addcdiv",
           ": Integer division with addcdiv is no longer supported. Convert to a floating dtype first")
    return self + np.divide(times("addcdiv", value, tensor1), tensor2)


addcdiv = elementwise("addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1)", addcdiv_kernel,
                      self=lambda d: d,
                      tensor1=lambda d, tensor2, value: d * (value / tensor2),
                      tensor2=lambda d, tensor1, tensor2, value: -d * (value * (tensor1 / tensor2)) / tensor2,
                      fast=loops.addcdiv, doc="""
``self + value * tensor1 / tensor2``, elementwise.

>>> torch.addcdiv(torch.tensor([1., 1.]), torch.tensor([1., 2.]), torch.tensor([2., 4.]), value=0.5)
tensor([1.2500, 1.2500])
""")


# ------------------------------------------------------------------------------ errors


def floating_alpha(op, alpha):
    return error("MG204", f"{op}(): For integral input tensors, argument alpha must not be a floating point number, "
                          f"but got {alpha}")


def complex_alpha(op, alpha):
    return error("MG204", f"{op}(): For non-complex input tensors, argument alpha must not be a complex number, "
                          f"but got {alpha}")
