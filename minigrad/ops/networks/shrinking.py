"""Activations made of straight pieces: hardshrink, softshrink, hardsigmoid, hardswish.

They approximate smooth curves and cost little.  Each of their formulas lets the gradient through on some pieces and
stops it on others; at a bend between two of them there is no derivative, but PyTorch's choice::

    hardshrink     0 from -lambd to lambd, ``self`` elsewhere      no slope at the jumps
    softshrink     ``self``, nearer to 0 by lambd                  no slope at +-lambd
    hardsigmoid    0 up to -3, 1 from 3, straight between          no slope at +-3
    hardswish      ``self`` times that                             0 at -3, and 1 at 3

Neighbours: activation.py (relu and its relatives), gates.py.
"""

import numpy as np

from minigrad._core.errors import error
from minigrad._core.kernels.networks import activations

from ..copying import zeros_of
from ..exports import NN_REGISTRY
from ..kinds import elementwise
from ..arguments import scalar_name

# ------------------------------------------------------------------------------ without what is near 0

beyond = elementwise("beyond(Tensor d, Tensor self, Scalar lambd)",
                     lambda d, self, lambd: np.where((self >= -lambd) & (self <= lambd), d.dtype.type(0), d),
                     d=lambda t, self, lambd: beyond(t, self, lambd),
                     self=lambda t: zeros_of(t),
                     public=False, fast=activations.beyond,
                     doc="``d`` where ``self`` is farther from 0 than ``lambd``, 0 elsewhere.")


hardshrink = elementwise("hardshrink(Tensor self, Scalar lambd=0.5)",
                         lambda self, lambd: np.where((self >= -lambd) & (self <= lambd), self.dtype.type(0), self),
                         self=lambda d, self, lambd: beyond(d, self, lambd),
                         refuse="biuc", inplace=False, out="exact", fast=activations.hardshrink, doc="""
0 where ``self`` is from ``-lambd`` to ``lambd``, and ``self`` elsewhere.

>>> torch.hardshrink(torch.tensor([-1., -0.3, 0.5, 0.7]))
tensor([-1.0000,  0.0000,  0.0000,  0.7000])
""")
NN_REGISTRY["hardshrink"] = hardshrink


def softshrink_kernel(self, lambd):
    largest = np.finfo(self.dtype).max
    if not 0 <= lambd <= largest:
        raise beyond_range(lambd, largest, self.dtype)
    return np.where(self > lambd, self - lambd, np.where(self < -lambd, self + lambd, np.where(self == self, 0, self)))


softshrink = elementwise("softshrink(Tensor self, Scalar lambd=0.5)", softshrink_kernel,
                         self=lambda d, self, lambd: beyond(d, self, lambd),
                         refuse="biuc", nn=True, out="exact", fast=activations.softshrink, doc="""
``self`` moved towards 0 by ``lambd``, and 0 where it is nearer to 0 than that.

>>> torch.nn.functional.softshrink(torch.tensor([-1., -0.3, 0.5, 0.7]))
tensor([-0.5000,  0.0000,  0.0000,  0.2000])
""")

# ------------------------------------------------------------------------------ straight from -3 to 3

inside = elementwise("inside(Tensor d, Tensor self, Scalar bound)",
                     lambda d, self, bound: np.where((self > -bound) & (self < bound), d, d.dtype.type(0)),
                     d=lambda t, self, bound: inside(t, self, bound),
                     self=lambda t: zeros_of(t),
                     public=False, fast=activations.inside,
                     doc="``d`` where ``self`` is nearer to 0 than ``bound``, 0 elsewhere.")


def rising(x):
    """0 up to -3, 6 from 3, and straight between."""
    return np.minimum(np.maximum(x + 3, 0), 6)


hardsigmoid = elementwise("hardsigmoid(Tensor self)", lambda self: rising(self) / 6,
                          self=lambda d, self: inside(d * (1 / 6), self, 3),
                          refuse="biuc", nn=True, inplace=True, fast=activations.hardsigmoid, doc="""
0 up to -3, 1 from 3 on, and ``self / 6 + 1 / 2`` between.

>>> torch.nn.functional.hardsigmoid(torch.tensor([-4., 0., 1.5]))
tensor([0.0000, 0.5000, 0.7500])
""")


def hardswish_slope_kernel(self):
    # -3.0, not -3: Note [A number that an array cannot hold] in comparison.py
    slope = np.where(self <= -3.0, 0, np.where(self < 3, self / 3 + 0.5, 1))
    return slope.astype(self.dtype, copy=False)


hardswish_slope = elementwise("hardswish_slope(Tensor self)", hardswish_slope_kernel,
                              self=lambda d, self: inside(d * (1 / 3), self, 3),
                              public=False, fast=activations.hardswish_slope,
                              shown="hardswish", doc="The derivative of ``hardswish``.")

hardswish = elementwise("hardswish(Tensor self)", lambda self: self * rising(self) / 6,
                        self=lambda d, self: d * hardswish_slope(self),
                        refuse="biuc", nn=True, inplace=True, fast=activations.hardswish, doc="""
``self * hardsigmoid(self)``: 0 up to -3, ``self`` from 3 on (Howard et al., Searching for MobileNetV3, 2019).

>>> torch.nn.functional.hardswish(torch.tensor([-4., 1.5, 4.]))
tensor([-0.0000, 1.1250, 4.0000])
""")


# ------------------------------------------------------------------------------ errors


def beyond_range(lambd, largest, dtype):
    return error("MG204", f"softshrink: lambda must be in range [0, {float(largest):g}] for input dtype "
                          f"{scalar_name(dtype)}, but found {lambd:g}")
