"""The normal distribution: the logarithm and the inverse of its distribution function; and entropies.

What they are computed with is in _core/kernels/loops/normal.h.

Neighbours: special.py (ndtr, erf, erfc, xlogy).
"""

import math

from minigrad._core.kernels.loops import special_functions

from ..kinds import elementwise
from .arithmetic import keep
from .comparison import eq, le, logical_and, logical_not
from .elementary import exp, log

erfcx_slope = elementwise("erfcx_slope(Tensor self)", special_functions.erfcx_slope,
                          self=lambda d, self, result: d * (2 * special_erfcx(self) + 2 * self * result),
                          promote="float", public=False,
                          doc="The derivative of ``erfcx``: ``2 self erfcx(self) - 2 / sqrt(pi)``.")

special_erfcx = elementwise("special_erfcx(Tensor self)", special_functions.erfcx,
                            self=lambda d, self: d * erfcx_slope(self),
                            promote="float", refuse="c", doc="""
``exp(self^2) * erfc(self)``, which for large numbers is neither 0 nor inf times 0.

>>> torch.special.erfcx(torch.tensor([-1., 0., 100.]))
tensor([5.0090, 1.0000, 0.0056])
""")

hazard_gap = elementwise("hazard_gap(Tensor self)", special_functions.hazard_gap,
                         self=lambda d, self, result: d * (1 - hazard(self) * result),
                         promote="float", public=False, doc="``hazard(self) + self``, which is small far below 0.")

hazard = elementwise("hazard(Tensor self)", special_functions.hazard,
                     self=lambda d, self, result: -d * result * hazard_gap(self),
                     promote="float", public=False, doc="The derivative of ``log_ndtr``: the density over ``ndtr``.")

special_log_ndtr = elementwise("special_log_ndtr(Tensor self)", special_functions.log_ndtr,
                               self=lambda d, self: d * hazard(self),
                               promote="float", refuse="c", doc="""
``log(ndtr(self))``, even where the probability is too small for a number.

>>> torch.special.log_ndtr(torch.tensor([-100., 0., 2.]))
tensor([-5.0055e+03, -6.9315e-01, -2.3013e-02])
""")

special_ndtri = elementwise("special_ndtri(Tensor self)", special_functions.ndtri,
                            self=lambda d, result: d * (exp(0.5 * (result * result)) * math.sqrt(2 * math.pi)),
                            promote="float", refuse="c", doc="""
The inverse of ``ndtr``: the number below which a normal variable is with this probability.

>>> torch.special.ndtri(torch.tensor([0.025, 0.5, 0.975]))
tensor([-1.9600,  0.0000,  1.9600])
""")

erfinv = elementwise("erfinv(Tensor self)", special_functions.erfinv,
                     self=lambda d, result: d * (exp(result * result) * (math.sqrt(math.pi) / 2)),
                     promote="float", refuse="c", inplace_function=False, aliases=("special_erfinv",), doc="""
The inverse of ``erf``, for numbers from -1 to 1.

>>> torch.erfinv(torch.tensor([0., 0.5, -1.]))
tensor([0.0000, 0.4769,   -inf])
""")

special_entr = elementwise("special_entr(Tensor self)", special_functions.entr,
                           self=lambda d, self: -d * (1 + log(self)),
                           promote="float", refuse="c", doc="""
``-self * log(self)``, of which an entropy is the sum: 0 at 0, and -inf for negative numbers.

>>> torch.special.entr(torch.tensor([-0.5, 0., 0.5, 1.]))
tensor([  -inf, 0.0000, 0.3466, -0.0000])
""")

special_xlog1py = elementwise("special_xlog1py(Tensor self, Tensor other)", special_functions.xlog1py,
                              self=lambda d, self, other: keep(
                                  special_xlog1py(d, other),
                                  logical_not(logical_and(eq(self, 0), le(self + other, -1)))),
                              other=lambda d, self, other: d * self / (other + 1),
                              node="SpecialXlog1PyBackward0", promote="float", refuse="c",
                              or_numbers=("self", "other"), doc="""
``self * log1p(other)``, and 0 where ``self`` is 0, whatever the logarithm is.

>>> torch.special.xlog1py(torch.tensor([0., 1., 2.]), torch.tensor([-1., 1., 1e-10]))
tensor([0.0000e+00, 6.9315e-01, 2.0000e-10])
""")
