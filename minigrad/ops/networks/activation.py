"""Activations, the functions between the layers of a network: relu and its relatives.

A derivative that is needed at every training step is a row of its own, which computes it in one pass
(``threshold_backward``; the core has C loops for some).  Such a row has formulas like any other, so it
can be differentiated as often as you like.

Neighbours: softmax.py, loss.py, elementary.py (sigmoid, tanh).
"""

import math

import numpy as np

from minigrad._core.errors import error
from minigrad._core.kernels.loops import new_ufuncs as loops, special_functions

from ..copying import zeros_of
from ..elementwise.arithmetic import keep
from ..elementwise.comparison import ge, logical_not, refuse
from ..elementwise.elementary import exp, sigmoid, tanh
from ..elementwise.special import normal_cdf
from ..composites import composite
from ..kinds import elementwise, piecewise_constant
from ..arguments import between, chosen, number_for

# ------------------------------------------------------------------------------ relu and its relatives

threshold_backward = elementwise("threshold_backward(Tensor d, Tensor self, Scalar threshold)",
                                 lambda d, self, threshold: np.where(self <= threshold, 0, d),
                                 d=lambda t, self, threshold: threshold_backward(t, self, threshold),
                                 self=lambda t: zeros_of(t),
                                 public=False, fast=loops.threshold_backward,
                                 doc="``d`` where ``self`` is above the threshold, 0 elsewhere.")


relu = elementwise("relu(Tensor self)", lambda self: between(self, 0, None),
                   self=lambda d, result: threshold_backward(d, result, 0),
                   refuse="bc", nn="too", out=False, fast=loops.relu, doc="""
``max(self, 0)``; its slope at 0 is 0.

>>> x = torch.tensor([-1., 0., 2.], requires_grad=True)
>>> torch.relu(x)
tensor([0., 0., 2.], grad_fn=<ReluBackward0>)
""")


threshold = elementwise("threshold(Tensor self, Scalar threshold, Scalar value)",
                        lambda self, threshold, value:
                        chosen(self <= number_for("threshold", threshold, self.dtype),
                               number_for("threshold", value, self.dtype), self),
                        self=lambda d, self, threshold: threshold_backward(d, self, threshold),
                        refuse="bc", method=False, nn="too", inplace_node="ThresholdBackward1", out="cast",
                        fast=loops.threshold,
                        doc="""
``self`` where it is above ``threshold``, and ``value`` elsewhere.

>>> torch.nn.functional.threshold(torch.tensor([0.1, 0.7]), 0.5, 20.)
tensor([20.0000,  0.7000])
""")


def hardtanh_kernel(self, min_val, max_val):
    if min_val > max_val:
        raise error("MG207", f"hardtanh: min_val cannot be greater than max_val, but they are {min_val} and {max_val}")
    if self.dtype.kind == "u" and (min_val <= -1 or max_val <= -1):
        raise negative_limits(min_val, max_val)
    if self.dtype.kind in "iu":         # bounds take no part in promotion
        min_val, max_val = [number_for("hardtanh", int(bound) if math.isfinite(bound) else bound, self.dtype)
                            for bound in (min_val, max_val)]
    return between(self, min_val, max_val)


hardtanh_backward = elementwise("hardtanh_backward(Tensor d, Tensor self, Scalar min_val, Scalar max_val)",
                                lambda d, self, min_val, max_val:
                                np.where((self <= min_val) | (self >= max_val), 0, d),
                                d=lambda t, self, min_val, max_val: hardtanh_backward(t, self, min_val, max_val),
                                self=lambda t: zeros_of(t),
                                public=False, fast=loops.hardtanh_backward,
                                doc="``d`` where ``self`` is between the bounds, 0 elsewhere.")

hardtanh = elementwise("hardtanh(Tensor self, Scalar min_val=-1.0, Scalar max_val=1.0)", hardtanh_kernel,
                       self=lambda d, self, min_val, max_val: hardtanh_backward(d, self, min_val, max_val),
                       refuse="bc", nn=True, inplace=True, fast=loops.hardtanh, doc="""
``self`` limited to the range from ``min_val`` to ``max_val``; unlike ``clamp`` it stops the gradient at the bounds.

>>> torch.nn.functional.hardtanh(torch.tensor([-3., 0.5, 3.]))
tensor([-1.0000,  0.5000,  1.0000])
""")


relu6 = elementwise("relu6(Tensor self)", lambda self: hardtanh_kernel(self, 0, 6),
                    self=lambda d, self: hardtanh_backward(d, self, 0, 6),
                    node="HardtanhBackward0", constants={"min_val": 0, "max_val": 6}, refuse="bc", nn=True,
                    inplace=True, fast=(loops.clamp, "self", 0, 6), doc="""
``min(max(self, 0), 6)``, which is ``hardtanh`` from 0 to 6.

>>> torch.nn.functional.relu6(torch.tensor([-1., 3., 8.]))
tensor([0., 3., 6.])
""")


leaky_relu_slope = piecewise_constant("leaky_relu_slope(Tensor self, Scalar negative_slope)",
                                      lambda self, negative_slope:
                                      np.where(self > 0, 1, negative_slope).astype(self.dtype),
                                      public=False, fast=loops.leaky_relu_slope,
                                      shown="leaky_relu", doc="1 above 0, ``negative_slope`` below.")


leaky_relu = elementwise("leaky_relu(Tensor self, Scalar negative_slope=0.01)",
                         lambda self, negative_slope: np.where(self > 0, self, self * negative_slope),
                         self=lambda d, self, negative_slope: d * leaky_relu_slope(self, negative_slope),
                         refuse="biuc", nn=True, inplace=True, inplace_node="LeakyReluBackward1",
                         fast=loops.leaky_relu, doc="""
``self`` above 0, ``negative_slope * self`` below.

>>> torch.nn.functional.leaky_relu(torch.tensor([-1., 2.]), 0.1)
tensor([-0.1000,  2.0000])
""")

# ------------------------------------------------------------------------------ smooth relatives


def elu_kernel(self, alpha, scale, input_scale):
    refuse(self, "biuc", "elu")
    return np.where(self < 0, scale * alpha * np.expm1(np.minimum(self, 0) * input_scale), scale * self)


def elu_slope_kernel(self, alpha, scale, input_scale):
    return np.where(self > 0, self.dtype.type(scale),
                    scale * alpha * input_scale * np.exp(np.minimum(self, 0) * input_scale))


elu_slope = elementwise("elu_slope(Tensor self, Scalar alpha, Scalar scale, Scalar input_scale)", elu_slope_kernel,
                        self=lambda d, self, result, input_scale:
                            keep(d * result * input_scale, logical_not(ge(self, 0))),       # nan stays nan
                        public=False, fast=special_functions.elu_slope,
                        shown="elu", doc="The derivative of ``elu``.")

elu = elementwise("elu(Tensor self, Scalar alpha=1.0)", lambda self, alpha: elu_kernel(self, alpha, 1, 1),
                  self=lambda d, self, alpha: d * elu_slope(self, alpha, 1, 1),
                  inplace_node="EluBackward1", constants={"scale": 1, "input_scale": 1}, nn=True, inplace=True,
                  fast=(special_functions.elu, "self", "alpha", 1, 1), doc="""
``self`` above 0, ``alpha * (exp(self) - 1)`` below.

>>> torch.nn.functional.elu(torch.tensor([-1., 2.]))
tensor([-0.6321,  2.0000])
""")

#: The two numbers of ``selu``: its alpha, and the scale of the whole.
ALPHA, SCALE = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946

selu = elementwise("selu(Tensor self)", lambda self: elu_kernel(self, ALPHA, SCALE, 1),
                   self=lambda d, self: d * elu_slope(self, ALPHA, SCALE, 1),
                   node="EluBackward0", inplace_node="EluBackward1",
                   constants={"alpha": ALPHA, "scale": SCALE, "input_scale": 1},
                   method=False, nn="too", out=False, fast=(special_functions.elu, "self", ALPHA, SCALE, 1), doc="""
``elu`` with the scales that keep mean 0 and variance 1 through many layers (Klambauer et al., 2017).

>>> torch.selu(torch.tensor([-1., 2.]))
tensor([-1.1113,  2.1014])
""")


def celu_kernel(x, alpha):
    if alpha == 0:
        raise zero_alpha()
    return elu_kernel(x, alpha, 1, 1 / alpha)


celu = elementwise("celu(Tensor self, Scalar alpha=1.0)", celu_kernel,
                   self=lambda d, self, alpha: d * elu_slope(self, alpha, 1, 1 / alpha),
                   inplace_node="CeluBackward1", method=False, nn="too", out=False, fast=special_functions.celu, doc="""
``self`` above 0, ``alpha * (exp(self / alpha) - 1)`` below: its slope at 0 is 1 for any ``alpha``.

>>> torch.celu(torch.tensor([-1., 2.]), alpha=2.)
tensor([-0.7869,  2.0000])
""")


def gelu_kernel(self):
    refuse(self, "biuc", "gelu")
    return self * normal_cdf.kernel(self)


def gelu_kernel_by_name(self, approximate):
    if approximate == "none":
        return gelu_kernel(self)
    if approximate != "tanh":
        raise error("MG204", f"gelu: approximate argument must be either none or tanh, but got {approximate!r}")
    refuse(self, "biuc", "gelu")
    return 0.5 * self * (1 + np.tanh(math.sqrt(2 / math.pi) * (self + 0.044715 * (self * self * self))))


def gelu_backward_kernel(d, self):
    return d * (normal_cdf.kernel(self) + self * (np.exp(-0.5 * self * self) * (1 / math.sqrt(2 * math.pi))))


def gelu_backward_kernel_by_name(d, self, approximate):
    if approximate == "none":
        return gelu_backward_kernel(d, self)
    squared = self * self
    t = np.tanh(math.sqrt(2 / math.pi) * (self + 0.044715 * squared * self))
    return d * (0.5 * (1 + t) + 0.5 * self * (1 - t * t) * (math.sqrt(2 / math.pi) * (1 + 3 * 0.044715 * squared)))


def gelu_curvature(t, d, self, approximate):
    """(2 - x^2) phi(x), from phi' = -x phi; or (1 - t^2) (u' - x t u'^2 + x u'' / 2), with t = tanh(u)."""
    squared = self * self
    if approximate == "none":
        return t * d * ((2 - squared) * (exp(-0.5 * squared) * (1 / math.sqrt(2 * math.pi))))
    c = math.sqrt(2 / math.pi)
    y, slope = tanh(c * (self + 0.044715 * squared * self)), c * (1 + 3 * 0.044715 * squared)
    return t * d * ((1 - y * y) * (slope - self * y * (slope * slope) + (3 * 0.044715 * c) * squared))


gelu_backward = elementwise("gelu_backward(Tensor d, Tensor self, *, str approximate='none')",
                            gelu_backward_kernel_by_name, plain=gelu_backward_kernel,
                            d=lambda t, self, approximate: gelu_backward(t, self, approximate=approximate),
                            self=gelu_curvature,
                            public=False,
                            fast={"none": special_functions.gelu_backward,
                                  "tanh": special_functions.gelu_tanh_backward},
                            doc="""``d`` times the slope of ``gelu``: Phi(x) + x phi(x), with the distribution function
Phi and the density phi of the normal distribution; the approximation is 2 Phi(x) = 1 + tanh(sqrt(2 / pi) (x +
0.044715 x^3)).""")

gelu = elementwise("gelu(Tensor self, *, str approximate='none')", gelu_kernel_by_name,
                   self=lambda d, self, approximate: gelu_backward(d, self, approximate=approximate),
                   plain=gelu_kernel, nn=True, out="exact",
                   fast={"none": special_functions.gelu, "tanh": special_functions.gelu_tanh}, doc="""
``input`` times the normal distribution function of ``input``; ``approximate="tanh"`` replaces that by a tanh.

>>> torch.nn.functional.gelu(torch.tensor([-1., 0., 1.]))
tensor([-0.1587,  0.0000,  0.8413])
""")


def silu_slope(d, self):
    """s (1 + x (1 - s)), with s = sigmoid(x)."""
    s = sigmoid(self)
    return d * (s * (1 + self * (1 - s)))


silu = elementwise("silu(Tensor self)", lambda self: self * sigmoid.kernel(self),
                   self=silu_slope,
                   refuse="biu", nn=True, inplace=True, fast=special_functions.silu, doc="""
``self * sigmoid(self)``, also known as swish.

>>> torch.nn.functional.silu(torch.tensor([-1., 0., 1.]))
tensor([-0.2689,  0.0000,  0.7311])
""")


def softplus_kernel(self, beta, threshold):
    scaled = self * beta
    straight = scaled > threshold
    return np.where(straight, self, np.log1p(np.exp(np.where(straight, 0, scaled))) / beta)


def softplus_slope_kernel(self, beta, threshold):
    scaled = self * beta
    return np.where(scaled > threshold, self.dtype.type(1), sigmoid.kernel(scaled))


softplus_slope = elementwise("softplus_slope(Tensor self, Scalar beta, Scalar threshold)", softplus_slope_kernel,
                             self=lambda d, result, self, beta, threshold:
                                 keep(d * (result * (1 - result) * beta), logical_not(ge(self * beta, threshold))),
                             public=False, fast=special_functions.softplus_slope,
                             shown="softplus",
                             doc="The derivative of ``softplus``: a sigmoid, and 1 on the straight part.")

softplus = elementwise("softplus(Tensor self, Scalar beta=1.0, Scalar threshold=20.0)", softplus_kernel,
                       self=lambda d, self, beta, threshold: d * softplus_slope(self, beta, threshold),
                       refuse="biuc", nn=True, out="exact", fast=special_functions.softplus, doc="""
``log(1 + exp(beta * self)) / beta``, a smooth relu; simply ``self`` where ``beta * self > threshold``.

>>> torch.nn.functional.softplus(torch.tensor([-1., 0., 30.]))
tensor([ 0.3133,  0.6931, 30.0000])
""")


logsigmoid = elementwise("logsigmoid(Tensor self)", lambda self: np.minimum(self, 0) - np.log1p(np.exp(-np.abs(self))),
                         self=lambda d, self: d * sigmoid(-self),
                         node="LogSigmoidBackward0", refuse="biuc", nn=True, out="exact",
                         fast=special_functions.logsigmoid,
                         layout="rows", doc="""
``log(sigmoid(self))``, without underflow.

>>> torch.nn.functional.logsigmoid(torch.tensor([-1000., 0.]))
tensor([-1.0000e+03, -6.9315e-01])
""")


@composite(nn=True)
def softsign(input):
    """``input / (1 + |input|)``.

    >>> torch.nn.functional.softsign(torch.tensor([-1., 3.]))
    tensor([-0.5000,  0.7500])
    """
    return input / (abs(input) + 1)


@composite(nn=True)
def tanhshrink(input):
    """``input - tanh(input)``.

    >>> torch.nn.functional.tanhshrink(torch.tensor([0., 1.]))
    tensor([0.0000, 0.2384])
    """
    return input - tanh(input)


def mish_slope(d, self):
    """t + x (1 - t^2) s, with t = tanh(softplus(x)) and s = sigmoid(x)."""
    t = tanh(softplus(self))
    return d * (t + self * ((1 - t * t) * sigmoid(self)))


mish = elementwise("mish(Tensor self)", lambda self: self * np.tanh(softplus_kernel(self, 1, 20)),
                   self=mish_slope,
                   refuse="biuc", nn=True, inplace=True, fast=special_functions.mish, doc="""
``self * tanh(softplus(self))``.

>>> torch.nn.functional.mish(torch.tensor([-1., 0., 1.]))
tensor([-0.3034,  0.0000,  0.8651])
""")


# ------------------------------------------------------------------------------ errors


def negative_limits(min_val, max_val):
    return error("MG204", "cannot do hardtanh on an unsigned type with negative limits, "
                          f"but they are {min_val} and {max_val}")


def zero_alpha():
    return error("MG205", "celu: alpha cannot be 0 for CELU, which divides by it: its curve below 0 is alpha * "
                          "(exp(x / alpha) - 1)")
