"""Sums, products, quotients and powers: what the operators ``+ - * / ** // %`` do.

The derivatives are those of the first weeks of calculus, and each formula is written as there:
``d`` stands for the small change of one argument (or, read backwards, for the gradient of the
result), and the formula says what it becomes.  Broadcasting, dtypes and complex conjugates are
nobody's concern here: the engine fits every result once, at the edge.

PyTorch's functions have options (``alpha=``, ``rounding_mode=``) and overloads that its operators do
not need.  So the row is the bare operation, and a composite of the same public name reads the options.

Neighbours: elementwise.py (functions of one variable), piecewise.py (kinks and jumps).
"""

import operator

import numpy as np

from minigrad._core.errors import error

from .comparison import ne, refuse
from .kinds import METHODS, composite, elementwise, not_differentiable, piecewise_constant



def in_place(*names):
    """Decorator: a method of Tensor under these names, the in-place form of a composite."""
    def decorate(function):
        for name in names:
            METHODS[name] = function
        return function
    return decorate

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

# ------------------------------------------------------------------------------ sums

add = elementwise("add(Tensor self, Tensor other)", np.add,
                  self=lambda d: d,
                  other=lambda d: d,
                  number=operator.add, public=False,
                  doc="The sum, elementwise: it saves nothing.")

add_scaled = elementwise("add_scaled(Tensor self, Tensor other, alpha)",
                         lambda self, other, alpha: np.add(self, np.multiply(other, alpha)),
                         self=lambda d: d,
                         other=lambda d, alpha: d * alpha,
                         node="AddBackward0", public=False,
                         doc="``self + alpha * other``.")

sub = elementwise("sub(Tensor self, Tensor other)", np.subtract,
                  self=lambda d: d,
                  other=lambda d: -d,
                  number=operator.sub, public=False,
                  doc="The difference, elementwise: it saves nothing.")

sub_scaled = elementwise("sub_scaled(Tensor self, Tensor other, alpha)",
                         lambda self, other, alpha: np.subtract(self, np.multiply(other, alpha)),
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
        raise error("MG204", f"{op}(): For integral input tensors, argument alpha must not be a floating point number, but got {alpha}")
    if widest == 2 and category(alpha) == 3:
        raise error("MG204", f"{op}(): For non-complex input tensors, argument alpha must not be a complex number, but got {alpha}")


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


@in_place("add_")
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


@in_place("sub_", "subtract_")
def sub_into(self, other, *, alpha=1):
    """``self`` takes the value of ``self - alpha * other``.

    >>> torch.tensor([1., 2.]).sub_(torch.tensor([10., 20.]), alpha=0.5)
    tensor([-4., -8.])
    """
    row, arguments = with_alpha("sub_", sub, sub_scaled, self, other, alpha)
    return row.inplace(*arguments)


def rsub_kernel(self, other, alpha):
    return np.subtract(other, self if alpha == 1 else np.multiply(self, alpha))


rsub_tensor = elementwise("rsub_tensor(Tensor self, Tensor other, alpha)", rsub_kernel,
                          self=lambda d, alpha: -d * alpha,
                          other=lambda d: d,
                          node="RsubBackward0", public=False,
                          doc="``other - alpha * self``.")

rsub_number = elementwise("rsub_number(Tensor self, Tensor other, alpha)", rsub_kernel,
                          self=lambda d, alpha: -d * alpha,
                          node="RsubBackward1", public=False,
                          doc="``other - alpha * self`` for a number ``other``.")


@composite()
def rsub(self, other, *, alpha=1):
    """``other - alpha * self``: subtraction with its arguments exchanged.

    >>> torch.rsub(torch.tensor([1., 2.]), 10)
    tensor([9., 8.])
    """
    check_alpha("rsub", alpha, self, other)
    return (rsub_tensor if hasattr(other, "dtype") else rsub_number)(self, other, alpha)


neg = elementwise("neg(Tensor self)", np.negative,
                  self=lambda d: -d,
                  number=operator.neg, aliases=("negative",), doc="""
The same number with the other sign.

>>> torch.neg(torch.tensor([1., -2.]))
tensor([-1.,  2.])
""")


@composite()
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


def refuse_zero(divisor, op):
    """Integers have no inf to answer with."""
    if divisor.dtype.kind in "iu" and not divisor.all():
        raise error("MG208", f"ZeroDivisionError: {op}() of integer tensors found a zero in the divisor. "
                             "Convert to a floating dtype to get inf or nan there")


def truncated_quotient(self, other):
    if self.dtype.kind in "iu":         # exact where a division in floating point would round
        return (self - np.fmod(self, other)) // other
    return np.trunc(np.true_divide(self, other))


def div_rounded_kernel(self, other, rounding_mode):
    refuse(self, "bc", f"div_{rounding_mode}")
    refuse_zero(other, "div")
    return np.floor_divide(self, other) if rounding_mode == "floor" else truncated_quotient(self, other)


div_rounded = piecewise_constant("div_rounded(Tensor self, Tensor other, rounding_mode)", div_rounded_kernel,
                                 node="DivBackward2", public=False,
                                 doc="The quotient rounded to a whole number: its gradient is zero.")


def with_rounding(self, other, rounding_mode):
    """Which row does it, and its arguments."""
    if rounding_mode is None:
        return div, (self, other)
    if rounding_mode not in ("trunc", "floor"):
        raise error("MG204", "div expected rounding_mode to be one of None, 'trunc', or 'floor' "
                             f"but found {rounding_mode!r}")
    return div_rounded, (self, other, rounding_mode)


@composite(name="div", aliases=("divide",))
def div_options(self, other, *, rounding_mode=None):
    """``self / other``, elementwise; rounded towards zero ("trunc") or downwards ("floor") if asked for.

    Without rounding, integers give the default floating dtype. A rounded quotient has gradient zero.

    >>> torch.div(torch.tensor([-7, 7]), 2)
    tensor([-3.5000,  3.5000])
    >>> torch.div(torch.tensor([-7, 7]), 2, rounding_mode="floor")
    tensor([-4,  3])
    """
    row, arguments = with_rounding(self, other, rounding_mode)
    return row(*arguments)


@in_place("div_", "divide_", "true_divide_")
def div_into(self, other, *, rounding_mode=None):
    """``self`` takes the value of ``self / other``, rounded if asked for.

    >>> torch.tensor([1., 3.]).div_(2)
    tensor([0.5000, 1.5000])
    """
    row, arguments = with_rounding(self, other, rounding_mode)
    return row.inplace(*arguments)


@composite()
def true_divide(self, other):
    """``self / other``, elementwise: ``div`` without rounding.

    >>> torch.true_divide(torch.tensor([1, 3]), 2)
    tensor([0.5000, 1.5000])
    """
    return div(self, other)


def floor_divide_kernel(self, other):
    refuse(self, "bc", "floor_divide")
    refuse_zero(other, "floor_divide")
    return np.floor_divide(self, other)


floor_divide = piecewise_constant("floor_divide(Tensor self, Tensor other)", floor_divide_kernel,
                                  node="DivBackward2", doc="""
``self / other`` rounded downwards: what ``//`` means. Its gradient is zero (PyTorch gives an error).

>>> torch.floor_divide(torch.tensor([-7, 7]), 2)
tensor([-4,  3])
""")


def whole_division(op, ufunc):
    """The kernel of a remainder."""
    def kernel(self, other):
        refuse(self, "bc", op)
        refuse_zero(other, op)
        return ufunc(self, other)
    return kernel


# Both are self - other * quotient, with a quotient that is constant between its jumps: so they grow with
# ``self`` at slope 1, and fall with ``other`` at the slope of the quotient.
remainder_tensor = elementwise("remainder_tensor(Tensor self, Tensor other)", whole_division("remainder", np.remainder),
                               self=lambda d: d,
                               other=lambda d, self, other: -d * div_rounded(self, other, "floor"),
                               node="RemainderBackward1", public=False,
                               doc="The remainder after division by a tensor.")

remainder_number = elementwise("remainder_number(Tensor self, Tensor other)", whole_division("remainder", np.remainder),
                               self=lambda d: d,
                               node="RemainderBackward0", public=False,
                               doc="The remainder after division by a number.")

fmod_tensor = elementwise("fmod_tensor(Tensor self, Tensor other)", whole_division("fmod", np.fmod),
                          self=lambda d: d,
                          other=lambda d, self, other: -d * div_rounded(self, other, "trunc"),
                          node="FmodBackward1", public=False,
                          doc="The same for the quotient rounded towards zero.")

fmod_number = elementwise("fmod_number(Tensor self, Tensor other)", whole_division("fmod", np.fmod),
                          self=lambda d: d,
                          node="FmodBackward0", public=False,
                          doc="The same for a number.")


@composite()
def remainder(self, other):
    """What is left of ``self`` after division by ``other``, with the sign of ``other``: Python's ``%``.

    >>> torch.remainder(torch.tensor([-3., 3.]), 2)
    tensor([1., 1.])
    """
    return (remainder_tensor if hasattr(other, "dtype") else remainder_number)(self, other)


@in_place("remainder_")
def remainder_into(self, other):
    """``self`` takes the value of ``self % other``.

    >>> torch.tensor([-3., 3.]).remainder_(2)
    tensor([1., 1.])
    """
    return (remainder_tensor if hasattr(other, "dtype") else remainder_number).inplace(self, other)


@composite()
def fmod(self, other):
    """What is left of ``self`` after division by ``other``, with the sign of ``self``: C's ``fmod``.

    >>> torch.fmod(torch.tensor([-3., 3.]), 2)
    tensor([-1.,  1.])
    """
    return (fmod_tensor if hasattr(other, "dtype") else fmod_number)(self, other)


@in_place("fmod_")
def fmod_into(self, other):
    """``self`` takes the value of ``self.fmod(other)``.

    >>> torch.tensor([-3., 3.]).fmod_(2)
    tensor([-1.,  1.])
    """
    return (fmod_tensor if hasattr(other, "dtype") else fmod_number).inplace(self, other)

# ------------------------------------------------------------------------------ powers

def power(x, exponent):
    """x**exponent for a Python number; the exponents that people write have faster ways."""
    if exponent == 2:
        return np.square(x)
    if exponent == 1:
        return x.copy()
    if exponent == 0:
        return np.ones_like(x)
    if exponent == 0.5:
        return np.sqrt(x)
    if exponent == 3:
        return x * x * x
    if exponent == -1:
        return np.reciprocal(x)
    return np.power(x, exponent)


def pow_number_kernel(self, exponent):
    if self.dtype.kind == "b":
        self = self.astype(np.int64)
    if self.dtype.kind in "iu" and exponent < 0:
        raise error("MG204", f"pow: Integers to negative integer powers are not allowed, but the exponent is {exponent}. "
                             "Convert the tensor to a floating dtype first")
    return power(self, exponent)


def pow_slope_kernel(self, exponent, order):
    factor = 1
    for i in range(order):
        factor = factor * (exponent - i)
    if factor == 0:
        return np.zeros_like(self)
    return factor * power(self, exponent - order)


pow_slope = elementwise("pow_slope(Tensor self, exponent, order)", pow_slope_kernel,
                        self=lambda d, self, exponent, order: d * pow_slope(self, exponent, order + 1),
                        public=False, doc="""
The derivative of ``self**exponent`` of any order: n (n-1) ... (n-k+1) x^(n-k).

Where the factor is 0 the derivative is 0, also at x = 0, where x^(n-k) is infinite: x**0 has slope 0.
""")

pow_number = elementwise("pow_number(Tensor self, exponent)", pow_number_kernel,
                         self=lambda d, self, exponent: d * pow_slope(self, exponent, 1),
                         node="PowBackward0", public=False,
                         doc="A tensor to the power of a number.")


def pow_kernel(self, exponent):
    refuse(self, "b", "pow")
    if self.dtype.kind != "i" or (exponent >= 0).all():
        return np.power(self, exponent)
    # NumPy refuses negative exponents; the whole numbers nearest to zero are 1/1, 1/-1 and 0 otherwise.
    below = np.where(self == -1, 1 - 2 * (exponent & 1), self == 1)
    return np.where(exponent < 0, below, np.power(self, np.maximum(exponent, 0))).astype(self.dtype)


pow_tensor = elementwise("pow_tensor(Tensor self, Tensor exponent)", pow_kernel,
                         self=lambda d, self, exponent: d * (exponent * pow_tensor(self, exponent - ne(exponent, 0))),
                         exponent=lambda d, self, exponent, result: d * times_log(result, self, exponent),
                         node="PowBackward1", public=False, doc="""
A tensor to the power of a tensor.

Where the exponent is 0 the slope in ``self`` is 0 * self**0 = 0, not 0 * self**-1, which is nan at 0.
""")

number_pow = elementwise("number_pow(Tensor self, Tensor exponent)", pow_kernel,
                         exponent=lambda d, self, exponent, result: d * times_log(result, self, exponent),
                         node="PowBackward2", public=False,
                         doc="A number to the power of a tensor.")

has_slope = not_differentiable("has_slope(Tensor self, Tensor exponent)",
                               lambda self, exponent: (self != 0) | (exponent.real < 0),
                               promote="common", public=False,
                               doc="Where self**exponent moves with its exponent: 0**exponent is 0 (or 1) for all that are >= 0.")

times_log = elementwise("times_log(Tensor result, Tensor self, Tensor exponent)",
                        lambda result, self, exponent: np.where((self != 0) | (exponent.real < 0), result * np.log(self), 0),
                        result=lambda d, self, exponent: times_log(d, self, exponent),
                        self=lambda d, result, self, exponent: d * keep(result / self, has_slope(self, exponent)),
                        public=False, doc="""
The slope of ``result = self**exponent`` in the exponent: result * log(self), and 0 where the power does not move.
""")


def pow_row(self, exponent):
    """Which row does it.

    A number in the exponent is a parameter, which takes no part in promotion; where it would change
    the dtype, it is an operand.
    """
    if not hasattr(self, "dtype"):
        return number_pow
    widens = not hasattr(exponent, "dtype") and category(exponent) > max(category(self), 1)
    return pow_tensor if widens or hasattr(exponent, "dtype") else pow_number


@composite()
def pow(self, exponent):
    """``self`` to the power of ``exponent``; either may be a number. What ``**`` means.

    ``x**0`` has gradient 0 everywhere, also at 0; so has ``0**y`` for positive y.

    >>> x = torch.tensor([0., 1., 2.], requires_grad=True)
    >>> torch.pow(x, 2)
    tensor([0., 1., 4.], grad_fn=<PowBackward0>)
    >>> torch.pow(2, x)
    tensor([1., 2., 4.], grad_fn=<PowBackward2>)
    """
    return pow_row(self, exponent)(self, exponent)


@in_place("pow_")
def pow_into(self, exponent):
    """``self`` takes the value of ``self**exponent``.

    >>> torch.tensor([1., 3.]).pow_(2)
    tensor([1., 9.])
    """
    return pow_row(self, exponent).inplace(self, exponent)


@composite()
def square(self):
    """``self * self``, recorded as ``self**2``.

    >>> torch.square(torch.tensor([-2., 1., 3.]))
    tensor([4., 1., 9.])
    """
    return pow_number(self, 2)


@in_place("square_")
def square_into(self):
    """``self`` takes the value of ``self * self``.

    >>> torch.tensor([-2., 3.]).square_()
    tensor([4., 9.])
    """
    return pow_number.inplace(self, 2)


sqrt = elementwise("sqrt(Tensor self)", np.sqrt,
                   self=lambda d, result: d / (2 * result),
                   promote="float", doc="""
The square root; nan for negative real numbers.

>>> torch.sqrt(torch.tensor([4., 2., -1.]))
tensor([2.0000, 1.4142,    nan])
""")

rsqrt = elementwise("rsqrt(Tensor self)", lambda self: np.reciprocal(np.sqrt(self)),
                    self=lambda d, result: -0.5 * d * (result * result * result),
                    promote="float", doc="""
One divided by the square root.

>>> torch.rsqrt(torch.tensor([4., 0.25]))
tensor([0.5000, 2.0000])
""")

# ------------------------------------------------------------------------------ mixtures

def lerp_kernel(self, end, weight):
    refuse(self, "biu", "lerp")
    step = end - self
    # From the nearer end, so that weight 1 gives `end` exactly.
    return np.where(np.abs(weight) < 0.5, self + weight * step, end - step * (1 - weight))


lerp_number = elementwise("lerp_number(Tensor self, Tensor end, weight)", lerp_kernel,
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


addcmul = elementwise("addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, value=1)",
                      lambda self, tensor1, tensor2, value: self + tensor1 * tensor2 * value,
                      self=lambda d: d,
                      tensor1=lambda d, tensor2, value: d * (tensor2 * value),
                      tensor2=lambda d, tensor1, value: d * (tensor1 * value), doc="""
``self + value * tensor1 * tensor2``, elementwise.

>>> torch.addcmul(torch.tensor([1., 1.]), torch.tensor([1., 2.]), torch.tensor([3., 4.]), value=0.5)
tensor([2.5000, 5.0000])
""")


def addcdiv_kernel(self, tensor1, tensor2, value):
    refuse(self, "biu", "addcdiv", ": Integer division with addcdiv is no longer supported. Convert to a floating dtype first")
    return self + value * (tensor1 / tensor2)


addcdiv = elementwise("addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, value=1)", addcdiv_kernel,
                      self=lambda d: d,
                      tensor1=lambda d, tensor2, value: d * (value / tensor2),
                      tensor2=lambda d, tensor1, tensor2, value: -d * (value * (tensor1 / tensor2) / tensor2), doc="""
``self + value * tensor1 / tensor2``, elementwise.

>>> torch.addcdiv(torch.tensor([1., 1.]), torch.tensor([1., 2.]), torch.tensor([2., 4.]), value=0.5)
tensor([1.2500, 1.2500])
""")
