"""Exponentials, logarithms, trigonometry, hyperbolic functions: functions of one variable, and atan2 and hypot of two.

A row of the table is a schema; a kernel, which computes the result from arrays; and for each input a formula, under the
name of the input: the derivative times ``d``.  For now, read ``d`` as the gradient of the result; kinds.py says what
else it is, and explains the options.  The most frequent one here, ``promote="float"``, makes floats of integers first.

Each element is computed by itself, so the Jacobian is diagonal and a derivative is one line.  All are
holomorphic where they take complex numbers: the same line is right for them, and the engine does the
conjugating.  Where the result makes the derivative cheaper than the input does (exp, tan, sigmoid),
the formula names ``result``, and that is then what the node saves.

The rest of the elementwise family lies beside this file:
comparison.py (masks), arithmetic.py (+ - * / **), piecewise.py (kinks and jumps),
special.py (erf, the gamma function), complex.py (what is not holomorphic).
"""

import math

import numpy as np

from minigrad._core.kernels.loops import new_ufuncs as loops, patched_ufuncs, special_functions

from ..kinds import elementwise
from .arithmetic import divide_or_zero, times_or_zero
from .comparison import refuse
from .powers import rsqrt

# ------------------------------------------------------------------------------ exponentials and logarithms

exp = elementwise("exp(Tensor self)", np.exp,
                  self=lambda d, result: d * result,
                  promote="float", doc="""
The exponential function, which is its own derivative: the node saves the result.

>>> torch.exp(torch.tensor([0., 1.]))
tensor([1.0000, 2.7183])
""")


def exp2_kernel(self):
    return np.exp(self * self.dtype.type(math.log(2))) if self.dtype.kind == "c" else np.exp2(self)


exp2 = elementwise("exp2(Tensor self)", exp2_kernel,
                   self=lambda d, result: d * (result * math.log(2)),
                   promote="float", fast=patched_ufuncs.exp2, aliases=("special_exp2",), doc="""
Two to the power of ``self``.

>>> torch.exp2(torch.tensor([0., 1., 3.]))
tensor([1., 2., 8.])
""")

expm1 = elementwise("expm1(Tensor self)", np.expm1,
                    self=lambda d, result: d * (result + 1),
                    promote="float", aliases=("special_expm1",), doc="""
``exp(self) - 1``, exact even for small ``self``.

>>> torch.expm1(torch.tensor([0., 1e-10]))
tensor([0.0000e+00, 1.0000e-10])
""")

log = elementwise("log(Tensor self)", np.log,
                  self=lambda d, self: d / self,
                  promote="float", doc="""
The natural logarithm; -inf at 0, nan for negative real numbers.

>>> torch.log(torch.tensor([1., 10.]))
tensor([0.0000, 2.3026])
""")

log2 = elementwise("log2(Tensor self)", np.log2,
                   self=lambda d, self: d / (self * math.log(2)),
                   promote="float", doc="""
The logarithm to base 2.

>>> torch.log2(torch.tensor([1., 8.]))
tensor([0., 3.])
""")

log10 = elementwise("log10(Tensor self)", np.log10,
                    self=lambda d, self: d / (self * math.log(10)),
                    promote="float", doc="""
The logarithm to base 10.

>>> torch.log10(torch.tensor([1., 50.]))
tensor([0.0000, 1.6990])
""")


def log1p_kernel(self):
    if self.dtype.kind != "c":
        return np.log1p(self)
    z = self.astype(np.complex128)
    out = np.asarray(np.log1p(z))
    # The real part is log |1 + z|.  NumPy rounds |1 + z| first, and where that is about 1, little is left.
    more = z.real * (2 + z.real) + z.imag * z.imag             # |1 + z|^2 - 1
    out.real = np.where(np.abs(more) < 0.5, np.log1p(more) / 2, out.real)
    return out.astype(self.dtype)


log1p = elementwise("log1p(Tensor self)", log1p_kernel,
                    self=lambda d, self: d / (self + 1),
                    node="Log1PBackward0", promote="float", fast=patched_ufuncs.log1p, aliases=("special_log1p",),
                    doc="""
``log(1 + self)``, exact even for small ``self``.

>>> torch.log1p(torch.tensor([0., 1e-10]))
tensor([0.0000e+00, 1.0000e-10])
""")

# ------------------------------------------------------------------------------ trigonometry

sin = elementwise("sin(Tensor self)", patched_ufuncs.sin,
                  self=lambda d, self: d * cos(self),
                  promote="float", doc="""
The sine of an angle in radians.

>>> torch.sin(torch.tensor([0., 1.]))
tensor([0.0000, 0.8415])
""")

cos = elementwise("cos(Tensor self)", patched_ufuncs.cos,
                  self=lambda d, self: -d * sin(self),
                  promote="float", doc="""
The cosine of an angle in radians.

>>> torch.cos(torch.tensor([0., 1.]))
tensor([1.0000, 0.5403])
""")

tan = elementwise("tan(Tensor self)", np.tan,
                  self=lambda d, result: d * (1 + result * result),
                  promote="float", doc="""
The tangent of an angle in radians.

>>> torch.tan(torch.tensor([0., 1.]))
tensor([0.0000, 1.5574])
""")

asin = elementwise("asin(Tensor self)", np.arcsin,
                   self=lambda d, self: d * rsqrt(1 - self * self),
                   promote="float", aliases=("arcsin",), doc="""
The angle whose sine is ``self``, between -pi/2 and pi/2.

>>> torch.asin(torch.tensor([0., 1.]))
tensor([0.0000, 1.5708])
""")

acos = elementwise("acos(Tensor self)", np.arccos,
                   self=lambda d, self: -d * rsqrt(1 - self * self),
                   promote="float", aliases=("arccos",), doc="""
The angle whose cosine is ``self``, between 0 and pi.

>>> torch.acos(torch.tensor([0., 1.]))
tensor([1.5708, 0.0000])
""")

atan = elementwise("atan(Tensor self)", np.arctan,
                   self=lambda d, self: d / (1 + self * self),
                   promote="float", aliases=("arctan",), doc="""
The angle whose tangent is ``self``, between -pi/2 and pi/2.

>>> torch.atan(torch.tensor([0., 1.]))
tensor([0.0000, 0.7854])
""")

def over_square(d, self, other):
    """``d`` over the square of the radius, which itself may overflow or vanish, times ``self``: 0 at the origin."""
    length = radius(self, other)
    return divide_or_zero(d * divide_or_zero(self, length), length)


atan2 = elementwise("atan2(Tensor self, Tensor other)", np.arctan2,
                    self=lambda d, self, other: over_square(d, other, self),
                    other=lambda d, self, other: over_square(-d, self, other),
                    promote="float", aliases=("arctan2",), doc="""
The angle of the point (x = ``other``, y = ``self``), between -pi and pi. At the origin its slopes are 0.

>>> torch.atan2(torch.tensor([1., -1.]), torch.tensor([0., -1.]))
tensor([ 1.5708, -2.3562])
""")


def hypot_kernel(self, other):
    refuse(self, "biu", "hypot")        # bool, and integers with and without a sign
    return np.hypot(self, other)


radius = elementwise("radius(Tensor self, Tensor other)", hypot_kernel,
                     self=lambda d, self, result: d * divide_or_zero(self, result),
                     other=lambda d, other, result: d * divide_or_zero(other, result),
                     public=False, fast=loops.hypot, shown="hypot", doc="``hypot``, with slopes of 0 at the origin.")

hypot = elementwise("hypot(Tensor self, Tensor other)", hypot_kernel,
                    self=lambda d, self, result: d * (self / result),
                    other=lambda d, other, result: d * (other / result), fast=loops.hypot, doc="""
The length of the hypotenuse: ``sqrt(self**2 + other**2)``, without overflow.

>>> torch.hypot(torch.tensor([3.]), torch.tensor([4.]))
tensor([5.])
""")

deg2rad = elementwise("deg2rad(Tensor self)", lambda self: np.deg2rad(self),
                      self=lambda d: d * (math.pi / 180),
                      fast=(np.multiply, "self", math.pi / 180),
                      node="Deg2RadBackward0", promote="float", doc="""
Degrees as radians.

>>> torch.deg2rad(torch.tensor([180., 90.]))
tensor([3.1416, 1.5708])
""")

rad2deg = elementwise("rad2deg(Tensor self)", lambda self: self * (180 / math.pi),
                      self=lambda d: d * (180 / math.pi),
                      fast=(np.multiply, "self", 180 / math.pi),
                      node="Rad2DegBackward0", promote="float", doc="""
Radians as degrees.

>>> torch.rad2deg(torch.tensor([0., 1.]))
tensor([ 0.0000, 57.2958])
""")

# ------------------------------------------------------------------------------ hyperbolic functions

sinh = elementwise("sinh(Tensor self)", np.sinh,
                   self=lambda d, self: d * cosh(self),
                   promote="float", doc="""
The hyperbolic sine.

>>> torch.sinh(torch.tensor([0., 1.]))
tensor([0.0000, 1.1752])
""")

cosh = elementwise("cosh(Tensor self)", np.cosh,
                   self=lambda d, self: d * sinh(self),
                   promote="float", doc="""
The hyperbolic cosine.

>>> torch.cosh(torch.tensor([0., 1.]))
tensor([1.0000, 1.5431])
""")


def scratch(array):
    """An array of the same shape and dtype to compute in, dense whatever the strides of ``array`` are."""
    return np.empty(array.shape, array.dtype)


# The derivative of tanh is an op of its own, computed in one pass.  There `d` is an input, so its formulas call the
# perturbation t.

def tanh_backward_kernel(d, result):
    slope = np.multiply(result, result, out=scratch(result))
    np.subtract(1, slope, out=slope)
    return d * slope


tanh_backward = elementwise("tanh_backward(Tensor d, Tensor result)", tanh_backward_kernel,
                            d=lambda t, result: tanh_backward(t, result),
                            result=lambda t, d, result: t * (-2 * d * result),
                            public=False, fast=loops.tanh_backward,
                            doc="``d * (1 - result**2)`` in one pass, as recurrent networks need it at each step.")

tanh = elementwise("tanh(Tensor self)", np.tanh,
                   self=lambda d, result: tanh_backward(d, result),
                   promote="float", doc="""
The hyperbolic tangent, with slope ``1 - tanh(x)**2``.

>>> x = torch.tensor([0., 1.], requires_grad=True)
>>> torch.tanh(x)
tensor([0.0000, 0.7616], grad_fn=<TanhBackward0>)
>>> torch.tanh(x).sum().backward(); x.grad
tensor([1.0000, 0.4200])
""")


def hypotenuse_kernel(self):
    if self.dtype.kind != "c":
        return np.hypot(self, self.dtype.type(1))
    turned = np.empty_like(self)            # by 90 degrees: i self, where an infinite part does not make the other nan
    turned.real, turned.imag = -self.imag, self.real
    return np.sqrt(1 + turned) * np.sqrt(1 - turned)


hypotenuse = elementwise("hypotenuse(Tensor self)", hypotenuse_kernel,
                         self=lambda d, self, result: times_or_zero(d, self / result),
                         public=False, fast=(loops.hypot, "self", 1), shown="asinh",
                         doc="sqrt(1 + self^2), without the square of what is large.")

asinh = elementwise("asinh(Tensor self)", np.arcsinh,
                    self=lambda d, self: d / hypotenuse(self),
                    promote="float", aliases=("arcsinh",), inplace_node="AsinhBackward1", doc="""
The inverse of the hyperbolic sine.

>>> torch.asinh(torch.tensor([0., 1.]))
tensor([0.0000, 0.8814])
""")

acosh = elementwise("acosh(Tensor self)", np.arccosh,
                    self=lambda d, self: d * (rsqrt(self - 1) * rsqrt(self + 1)),
                    promote="float", aliases=("arccosh",), inplace_node="AcoshBackward1", doc="""
The inverse of the hyperbolic cosine; nan below 1.

The slope is written with two roots: ``rsqrt(self**2 - 1)`` has the wrong sign for complex numbers
with a negative real part.

>>> torch.acosh(torch.tensor([1., 2.]))
tensor([0.0000, 1.3170])
""")

atanh = elementwise("atanh(Tensor self)", np.arctanh,
                    self=lambda d, self: d / (1 - self * self),
                    promote="float", aliases=("arctanh",), inplace_node="AtanhBackward1", doc="""
The inverse of the hyperbolic tangent.

>>> torch.atanh(torch.tensor([0., 0.5]))
tensor([0.0000, 0.5493])
""")

# ------------------------------------------------------------------------------ the logistic function


def sigmoid_kernel(self):
    out = np.negative(self, out=scratch(self))
    np.exp(out, out=out)                # inf for very negative numbers, and 1 / (1 + inf) = 0 is right
    np.add(out, 1, out=out)
    return np.reciprocal(out, out=out)


def sigmoid_backward_kernel(d, result):
    return d * (1 - result) * result


sigmoid_backward = elementwise("sigmoid_backward(Tensor d, Tensor result)", sigmoid_backward_kernel,
                               d=lambda t, result: sigmoid_backward(t, result),
                               result=lambda t, d, result: t * (d * (1 - 2 * result)),
                               public=False, fast=loops.sigmoid_backward,
                               doc="``d * result * (1 - result)`` in one pass.")

sigmoid = elementwise("sigmoid(Tensor self)", sigmoid_kernel,
                      self=lambda d, result: sigmoid_backward(d, result),
                      promote="float", fast=special_functions.sigmoid, aliases=("special_expit",), doc="""
The logistic function ``1 / (1 + exp(-self))``, with slope ``s * (1 - s)``.

>>> torch.sigmoid(torch.tensor([0., 1.]))
tensor([0.5000, 0.7311])
""")

# ------------------------------------------------------------------------------ the cardinal sine


def sinc_derivative_kernel(self, n):
    """The derivative of order ``n`` with respect to ``self`` of y = sin(t) / t, where t = pi * self.

    From y t = sin(t) follows y' t + y = cos(t), and so on: each derivative follows from the one before.  Near 0 that
    difference would lose its digits to cancellation, so there the power series is summed.
    """
    t = self * math.pi
    near = np.abs(t) < 1 + n / 2
    small, large = np.where(near, t, 0), np.where(near, 1, t)
    series, far = 0 * small, np.sin(large) / large
    for k in range((n + 1) // 2, n + 14):
        series += (-1)**k * math.perm(2 * k, n) / math.factorial(2 * k + 1) * small**(2 * k - n)
    for m in range(1, n + 1):
        far = (np.sin(large + m * math.pi / 2) - m * far) / large
    return math.pi**n * np.where(near, series, far)


sinc_derivative = elementwise("sinc_derivative(Tensor self, int n)", sinc_derivative_kernel,
                              self=lambda d, self, n: d * sinc_derivative(self, n + 1),
                              public=False, fast=special_functions.sinc_derivative,
                              shown="sinc", doc="The derivative of ``sinc`` of order ``n``.")

sinc = elementwise("sinc(Tensor self)", np.sinc,
                   self=lambda d, self: d * sinc_derivative(self, 1),
                   promote="float", fast=special_functions.sinc, aliases=("special_sinc",), doc="""
``sin(pi x) / (pi x)``, and 1 at 0. Its derivatives are accurate near 0, too.

>>> torch.sinc(torch.tensor([0., 0.5, 1.5]))
tensor([ 1.0000,  0.6366, -0.2122])
""")
