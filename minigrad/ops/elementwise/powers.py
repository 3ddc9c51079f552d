"""Powers and roots: what ``**`` means, for a tensor, a number or both.

PyTorch has a node for each of the three, because the gradients differ: with a number in the exponent
there is one input, and no logarithm.  The kinks are at zero: x**0 is 1 everywhere and has slope 0, even
where the textbook's 0 * x**-1 is nan; and 0**y does not change with a positive y, although log(0) is -inf.

Neighbours: arithmetic.py, elementary.py (exp and log).
"""

import numpy as np

from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad._core.kernels import table as kernels
from minigrad._core.kernels.loops import new_ufuncs as loops, special_functions

from ..composites import composite, in_place
from ..kinds import elementwise, linear, not_differentiable
from .arithmetic import keep, times_or_zero
from .comparison import refuse
from ..arguments import scalar_name

#: up to this exponent a power is a product where derivatives of every order are wanted
MOST_FACTORS = 1000


def power(x, exponent):
    """x**exponent for a Python number; the usual exponents have faster ways."""
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
    if exponent == -0.5:
        return np.reciprocal(np.sqrt(x))
    if x.dtype.kind == "c" and exponent.imag == 0 and exponent.real < 0 and exponent.real % 1 == 0:
        return np.power(np.reciprocal(x), -exponent)        # NumPy inverts the power, which may have overflowed
    return np.power(x, exponent)


def pow_number_kernel(self, exponent):
    if self.dtype.kind == "b":
        return self.copy() if exponent else np.ones_like(self)
    if self.dtype.kind in "iu" and exponent < 0:
        raise negative_exponent(exponent)
    return power(self, exponent)


def square_kernel(self):
    return np.square(self if self.dtype.kind != "b" else self.astype(np.int64))


def pow_slope_kernel(self, exponent, order):
    return pow_slope_factor(exponent, order) * pow_slope_power(self, exponent, order)


def pow_slope_factor(exponent, order):
    factor = 1
    for i in range(order):
        factor = factor * (exponent - i)
    return factor


def pow_slope_power(self, exponent, order):
    return np.zeros_like(self) if pow_slope_factor(exponent, order) == 0 else power(self, exponent - order)


def product_of(self, exponent):
    """A power as a product, by repeated squaring, if the exponent is an integer other than 0."""
    if isinstance(exponent, complex) or exponent % 1 or not 0 < abs(exponent) <= MOST_FACTORS:
        return None
    n, result = int(abs(exponent)), None
    while n:
        if n % 2:
            result = self if result is None else result * self
        n //= 2
        if n:
            self = self * self
    return result if exponent > 0 else 1 / result


def pow_slope_steps(self, exponent, order):
    power = product_of(self, exponent - order)
    return None if power is None else pow_slope_factor(exponent, order) * power


pow_slope = elementwise("pow_slope(Tensor self, Scalar exponent, int order)", pow_slope_kernel,
                        self=lambda d, self, exponent, order: d * pow_slope(self, exponent, order + 1),
                        parts=[("pow", lambda self, exponent, order: pow_slope_power(self, exponent, order)),
                               ("mul", lambda self, exponent, order, base: pow_slope_factor(exponent, order) * base)],
                        public=False, fast=kernels.pow_slope, shown="pow", steps=pow_slope_steps, doc="""
The derivative of ``self**exponent`` of any order: n (n-1) ... (n-k+1) x^(n-k).

Where the factor is 0 the derivative is 0, even at x = 0, where x^(n-k) is infinite: x**0 has slope 0.
""")

pow_number = elementwise("pow.Tensor_Scalar(Tensor self, Scalar exponent)", pow_number_kernel,
                         self=lambda d, self, exponent: d * pow_slope(self, exponent, 1),
                         promote_args=("self", "exponent"), fitting=True, inplace_function=False, node="PowBackward0",
                         fast=kernels.pow_number, steps=product_of,
                         doc="A tensor to the power of a number.", function_doc="""
``self`` to the power of ``exponent``; either may be a number. What ``**`` means.

``x**0`` has gradient 0 everywhere, even at 0; so has ``0**y`` for positive y.

>>> x = torch.tensor([0., 1., 2.], requires_grad=True)
>>> torch.pow(x, 2)
tensor([0., 1., 4.], grad_fn=<PowBackward0>)
>>> torch.pow(2, x)
tensor([1., 2., 4.], grad_fn=<PowBackward2>)
""")


def pow_kernel(self, exponent):
    refuse(self, "b", "pow")
    if self.dtype.kind != "i" or (exponent >= 0).all():
        return np.power(self, exponent)
    # NumPy refuses negative exponents; the integers nearest to the results are 1/1, 1/-1 and 0 otherwise.
    below = np.where(self == -1, 1 - 2 * (exponent & 1), self == 1)
    return np.where(exponent < 0, below, np.power(self, np.maximum(exponent, 0))).astype(self.dtype)


pow_tensor = elementwise("pow.Tensor_Tensor(Tensor self, Tensor exponent)", pow_kernel,
                         self=lambda d, self, exponent: d * pow_tensor_slope(self, exponent),
                         exponent=lambda d, self, exponent, result: d * times_log(result, self, exponent),
                         node="PowBackward1", fast=np.power,
                         doc="A tensor to the power of a tensor.")

pow_tensor_slope = elementwise("pow_tensor_slope(Tensor self, Tensor exponent)",
                               lambda self, exponent:
                                   np.where(exponent == 0, 0, exponent * np.power(self, exponent - 1)),
                               self=lambda d, self, exponent:
                                   d * times_or_zero(exponent, pow_tensor_slope(self, exponent - 1)),
                               exponent=lambda d, self, exponent, result:
                                   d * (pow_tensor(self, exponent - 1) + times_log(result, self, exponent - 1)),
                               public=False, shown="pow", doc="""
The derivative of ``self**exponent`` with respect to ``self``: exponent * self**(exponent - 1).

Where the exponent is 0 it is 0, even at 0, where self**-1 is infinite.
""")

number_pow = elementwise("pow.Scalar(Scalar self, Tensor exponent)", pow_kernel,
                         exponent=lambda d, self, exponent, result: d * times_log(result, self, exponent),
                         promote_args=("self", "exponent"), inplace=False, node="PowBackward2", fast=np.power,
                         layout="rows", doc="A number to the power of a tensor.")

rises = not_differentiable("rises(Tensor self, Tensor exponent)",
                           lambda self, exponent: (self != 0) | ~(exponent.real > 1),
                           promote="common", public=False, fast=loops.rises,
                           doc="Where self**exponent * log(self) is not flat: at 0 it is, with an exponent above 1.")

times_log = elementwise("times_log(Tensor result, Tensor self, Tensor exponent)",
                        lambda result, self, exponent:
                            np.where((self == 0) & (exponent.real >= 0), 0, result * np.log(self)),
                        result=lambda d, self, exponent: times_log(d, self, exponent),
                        self=lambda d, result, self, exponent: d * keep(result / self, rises(self, exponent)),
                        no_gradient=("exponent",), public=False, fast=special_functions.times_log, doc="""
The slope of ``result = self**exponent`` in the exponent: result * log(self), and 0 where the power does not change.

The exponent only decides where that is.
""")


to_doubles = linear("to_doubles(Tensor self, bool complex)",
                    lambda self, complex: self.astype(np.result_type(self, np.complex128 if complex else np.float64)),
                    self=lambda d: d,
                    node="ToCopyBackward0", public=False, last_dims=0, doc="``self`` in double precision.")


def double_for(op, *operands):
    """The NumPy dtype in which ``float_power`` computes."""
    for each in operands:
        if not isinstance(each, (Tensor, bool, int, float, complex)):
            raise neither_tensor_nor_number(op, each)
    if any([each.dtype.is_complex if isinstance(each, Tensor) else isinstance(each, complex) for each in operands]):
        return np.dtype(np.complex128)
    return np.dtype(np.float64)


def in_doubles(operand, wanted):
    """A tensor in this dtype; a number as it is."""
    if not isinstance(operand, Tensor) or operand.dtype.numpy == wanted:
        return operand
    return to_doubles(operand, wanted.kind == "c")


@composite(out="exact")
def float_power(self, exponent):
    """``self`` to the power of ``exponent``, computed in double precision; either may be a number.

    >>> torch.float_power(torch.tensor([2, 3]), 2)
    tensor([4., 9.], dtype=torch.float64)
    """
    wanted = double_for("float_power", self, exponent)
    if not (isinstance(self, Tensor) or isinstance(exponent, Tensor)):
        raise neither_tensor_nor_number("float_power", self)
    base, exponent = in_doubles(self, wanted), in_doubles(exponent, wanted)
    if not isinstance(base, Tensor):
        return number_pow(base, exponent)
    return (pow_tensor if isinstance(exponent, Tensor) else pow_number)(base, exponent)


@in_place("float_power_")
def float_power_into(self, exponent):
    """``self`` becomes its power; its dtype must be torch.float64, or torch.complex128 if a number is complex.

    >>> torch.tensor([2., 3.], dtype=torch.float64).float_power_(2)
    tensor([4., 9.], dtype=torch.float64)
    """
    wanted = double_for("float_power_", self, exponent)
    if self.dtype.numpy != wanted:
        raise not_doubles(self.dtype, wanted)
    return (pow_tensor if isinstance(exponent, Tensor) else pow_number).inplace(self, in_doubles(exponent, wanted))


square = elementwise("square(Tensor self)", square_kernel,
                     self=lambda d, self: d * pow_slope(self, 2, 1),
                     node="PowBackward0", constants={"exponent": 2}, out="cast", fast=kernels.square, doc="""
``self * self``, recorded as ``self**2``.

>>> torch.square(torch.tensor([-2., 1., 3.]))
tensor([4., 1., 9.])
""")

sqrt = elementwise("sqrt(Tensor self)", np.sqrt,
                   self=lambda d, result: d / (2 * result),
                   promote="float", doc="""
The square root; nan for negative real numbers.

>>> torch.sqrt(torch.tensor([4., 2., -1.]))
tensor([2.0000, 1.4142,    nan])
""")

rsqrt = elementwise("rsqrt(Tensor self)", lambda self: np.reciprocal(np.sqrt(self)),
                    self=lambda d, result: -0.5 * d * (result * result * result),
                    promote="float", fast=loops.rsqrt, doc="""
One divided by the square root.

>>> torch.rsqrt(torch.tensor([4., 0.25]))
tensor([0.5000, 2.0000])
""")


# ------------------------------------------------------------------------------ errors


def neither_tensor_nor_number(op, given):
    return error("MG205", f"{op}() received an invalid combination of arguments: one of the two is a Tensor, and the "
                          f"other a Tensor or a number, not {type(given).__name__}")


def not_doubles(given, needed):
    return error("MG202", f"the base given to float_power_ has dtype {scalar_name(given.numpy)} but the operation's "
                          f"result requires dtype {scalar_name(needed)}: write x = x.float_power(exponent)")


def negative_exponent(exponent):
    return error("MG204", "pow: Integers to negative integer powers are not allowed, but the exponent is "
                          f"{exponent}. Convert the tensor to a floating dtype first")
