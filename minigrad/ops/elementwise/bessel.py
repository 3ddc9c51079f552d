"""Bessel functions, and Airy's.

The modified ones of the first kind have derivatives; for an order n,

    I(n)' = (I(n - 1) + I(n + 1)) / 2

which is right at 0 too, where the usual ``I0 - I1 / x`` divides by zero.  The others have none, as in PyTorch; an
argument that requires grad is refused.  What they are computed with is in _core/kernels/loops/bessel.h.

Neighbours: special.py.
"""

from minigrad._core.kernels.loops import special_functions

from ..kinds import elementwise
from .piecewise import sign

# ------------------------------------------------------------------------------ with derivatives

bessel_i = elementwise("bessel_i(Tensor self, int n)",
                       lambda self, n: special_functions.bessel_i(self, self.dtype.type(n)),
                       self=lambda d, self, n: d * (0.5 * (bessel_i(self, n - 1) + bessel_i(self, n + 1))),
                       promote="float", public=False, fast=special_functions.bessel_i,
                       doc="The modified Bessel function of the first kind, of order n; I(-n) is I(n).")

bessel_ie = elementwise("bessel_ie(Tensor self, int n)",
                        lambda self, n: special_functions.bessel_ie(self, self.dtype.type(n)),
                        self=lambda d, self, n, result: d * (
                            0.5 * (bessel_ie(self, n - 1) + bessel_ie(self, n + 1)) - sign(self) * result),
                        promote="float", public=False, fast=special_functions.bessel_ie,
                        doc="The same times exp(-abs(x)).")

i0 = elementwise("i0(Tensor self)", special_functions.i0,
                 self=lambda d, self: d * special_i1(self),
                 promote="float", refuse="c", aliases=("special_i0",), doc="""
The modified Bessel function of the first kind of order 0, which grows like ``exp(abs(self))``.

>>> torch.i0(torch.tensor([0., 1., -2.]))
tensor([1.0000, 1.2661, 2.2796])
""")

special_i0e = elementwise("special_i0e(Tensor self)", special_functions.i0e,
                          self=lambda d, self, result: d * (special_i1e(self) - sign(self) * result),
                          node="SpecialI0EBackward0", promote="float", refuse="c", doc="""
``i0(self) * exp(-abs(self))``, without overflow.

>>> torch.special.i0e(torch.tensor([0., 1., 1000.]))
tensor([1.0000, 0.4658, 0.0126])
""")

special_i1 = elementwise("special_i1(Tensor self)", special_functions.i1,
                         self=lambda d, self: d * (0.5 * (i0(self) + bessel_i(self, 2))),
                         promote="float", refuse="c", doc="""
The modified Bessel function of the first kind of order 1, the derivative of ``i0``.

>>> torch.special.i1(torch.tensor([0., 1., -2.]))
tensor([ 0.0000,  0.5652, -1.5906])
""")

special_i1e = elementwise("special_i1e(Tensor self)", special_functions.i1e,
                          self=lambda d, self, result: d * (
                              0.5 * (special_i0e(self) + bessel_ie(self, 2)) - sign(self) * result),
                          node="SpecialI1EBackward0", promote="float", refuse="c", doc="""
``i1(self) * exp(-abs(self))``, without overflow.

>>> torch.special.i1e(torch.tensor([0., 1., 1000.]))
tensor([0.0000, 0.2079, 0.0126])
""")

# ------------------------------------------------------------------------------ without

special_modified_bessel_i0 = elementwise(
    "special_modified_bessel_i0(Tensor self)", special_functions.i0, promote="float", refuse="c", doc="""
``i0`` without a derivative.

>>> torch.special.modified_bessel_i0(torch.tensor([0., 1.]))
tensor([1.0000, 1.2661])
""")

special_modified_bessel_i1 = elementwise(
    "special_modified_bessel_i1(Tensor self)", special_functions.i1, promote="float", refuse="c", doc="""
``i1`` without a derivative.

>>> torch.special.modified_bessel_i1(torch.tensor([0., 1.]))
tensor([0.0000, 0.5652])
""")

special_modified_bessel_k0 = elementwise(
    "special_modified_bessel_k0(Tensor self)", special_functions.k0, promote="float", refuse="c", doc="""
The modified Bessel function of the second kind of order 0, for positive numbers.

>>> torch.special.modified_bessel_k0(torch.tensor([0.5, 1., 2.]))
tensor([0.9244, 0.4210, 0.1139])
""")

special_modified_bessel_k1 = elementwise(
    "special_modified_bessel_k1(Tensor self)", special_functions.k1, promote="float", refuse="c", doc="""
The modified Bessel function of the second kind of order 1, for positive numbers.

>>> torch.special.modified_bessel_k1(torch.tensor([0.5, 1., 2.]))
tensor([1.6564, 0.6019, 0.1399])
""")

special_scaled_modified_bessel_k0 = elementwise(
    "special_scaled_modified_bessel_k0(Tensor self)", special_functions.k0e, promote="float", refuse="c", doc="""
``modified_bessel_k0(self) * exp(self)``, without underflow.

>>> torch.special.scaled_modified_bessel_k0(torch.tensor([0.5, 1., 1000.]))
tensor([1.5241, 1.1445, 0.0396])
""")

special_scaled_modified_bessel_k1 = elementwise(
    "special_scaled_modified_bessel_k1(Tensor self)", special_functions.k1e, promote="float", refuse="c", doc="""
``modified_bessel_k1(self) * exp(self)``, without underflow.

>>> torch.special.scaled_modified_bessel_k1(torch.tensor([0.5, 1., 1000.]))
tensor([2.7310, 1.6362, 0.0396])
""")

special_bessel_j0 = elementwise(
    "special_bessel_j0(Tensor self)", special_functions.j0, promote="float", refuse="c", doc="""
The Bessel function of the first kind of order 0.

>>> torch.special.bessel_j0(torch.tensor([0., 1., 10.]))
tensor([ 1.0000,  0.7652, -0.2459])
""")

special_bessel_j1 = elementwise(
    "special_bessel_j1(Tensor self)", special_functions.j1, promote="float", refuse="c", doc="""
The Bessel function of the first kind of order 1.

>>> torch.special.bessel_j1(torch.tensor([0., 1., 10.]))
tensor([0.0000, 0.4401, 0.0435])
""")

special_bessel_y0 = elementwise(
    "special_bessel_y0(Tensor self)", special_functions.y0, promote="float", refuse="c", doc="""
The Bessel function of the second kind of order 0, for positive numbers.

>>> torch.special.bessel_y0(torch.tensor([0., 1., 10.]))
tensor([  -inf, 0.0883, 0.0557])
""")

special_bessel_y1 = elementwise(
    "special_bessel_y1(Tensor self)", special_functions.y1, promote="float", refuse="c", doc="""
The Bessel function of the second kind of order 1, for positive numbers.

>>> torch.special.bessel_y1(torch.tensor([0., 1., 10.]))
tensor([   -inf, -0.7812,  0.2490])
""")

special_spherical_bessel_j0 = elementwise(
    "special_spherical_bessel_j0(Tensor self)", special_functions.spherical_j0, promote="float", refuse="c", doc="""
``sin(self) / self``, and 1 at 0.

>>> torch.special.spherical_bessel_j0(torch.tensor([0., 1., 3.]))
tensor([1.0000, 0.8415, 0.0470])
""")

special_airy_ai = elementwise(
    "special_airy_ai(Tensor self)", special_functions.airy_ai, promote="float", refuse="c", doc="""
Airy's function: oscillating for negative numbers, and decreasing from 0 on.

>>> torch.special.airy_ai(torch.tensor([-2., 0., 2.]))
tensor([0.2274, 0.3550, 0.0349])
""")
