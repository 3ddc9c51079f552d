"""Kinks and jumps: signs, rounding, clamping, the larger of two.

Between the kinks every function here is a straight line, so its derivative is 1 or 0 and a formula
only has to say where: ``keep(d, mask)``.  At the kinks there is no derivative, only a choice, and
the choice is PyTorch's:

    clamp          passes the gradient at its bounds
    maximum        halves it between equal arguments (minimum too)
    fmax, fmin     give it to the first of equal arguments
    sign, round    have gradient 0 everywhere

Neighbours: comparison.py (the masks), activation.py (relu and its relatives), complex.py (abs, which
is a kink for real numbers and a cone for complex ones).
"""

import math
import sys

import numpy as np

from minigrad._core.errors import error
from minigrad._core.kernels.loops import new_ufuncs as loops, patched_ufuncs
from minigrad._core.runtime.type_promotion import result_dtype

from ..copying import zeros_of
from ..kinds import elementwise, piecewise_constant
from .arithmetic import divide_or_zero, keep
from .comparison import eq, ge, isfinite, isnan, le, logical_not, logical_or, refuse
from ..arguments import between, in_half, in_single, is_half, number_for

# ------------------------------------------------------------------------------ signs and rounding


def sign_kernel(self):
    refuse(self, "c", "sign", ": use torch.sgn, the direction of complex numbers")
    if self.dtype.kind == "b":
        return self.copy()
    out = np.asarray(np.sign(self))
    if self.dtype.kind not in "iu":
        out[out != out] = 0             # where NumPy says nan, PyTorch says 0
    return out


sign = piecewise_constant("sign(Tensor self)", sign_kernel, inplace_function=False, fast=loops.sign, doc="""
-1, 0 or 1; 0 for nan.

>>> torch.sign(torch.tensor([0.7, -1.2, 0.]))
tensor([ 1., -1.,  0.])
""")

floor = piecewise_constant("floor(Tensor self)", np.floor, refuse="bc", doc="""
The largest integer that is not larger.

>>> torch.floor(torch.tensor([-0.8, 1.4]))
tensor([-1.,  1.])
""")

ceil = piecewise_constant("ceil(Tensor self)", np.ceil, refuse="bc", doc="""
The smallest integer that is not smaller.

>>> torch.ceil(torch.tensor([-0.8, 1.4]))
tensor([-0., 2.])
""")

trunc = piecewise_constant("trunc(Tensor self)", np.trunc, refuse="bc", aliases=("fix",), doc="""
The whole part: rounding towards zero.

>>> torch.trunc(torch.tensor([-3.2, 3.9]))
tensor([-3.,  3.])
""")


def round_kernel(self):
    refuse(self, "bc", "round")
    return self.copy() if self.dtype.kind in "iu" else np.rint(self)


def round_decimals_kernel(self, decimals):
    refuse(self, "biuc", "round")
    return np.round(self, decimals)


round_whole = piecewise_constant("round(Tensor self)", round_kernel,
                                 node="RoundBackward0", out="exact", fast=loops.round, aliases=("special_round",),
                                 doc="The nearest integer; halves go to the even one.", function_doc="""
The nearest integer, or the nearest number with this many ``decimals``; halves go to the even one.

>>> torch.round(torch.tensor([0.5, 1.5, 2.4]))
tensor([0., 2., 2.])
>>> torch.round(torch.tensor([0.1234]), decimals=2)
tensor([0.1200])
""")

round_decimals = piecewise_constant("round.decimals(Tensor self, *, int decimals)", round_decimals_kernel,
                                    node="RoundBackward1", out="exact", fast=loops.round_decimals,
                                    aliases=("special_round",),
                                    doc="Rounding to some decimals.")


frac = elementwise("frac(Tensor self)", lambda self: self - np.trunc(self),
                   self=lambda d: d,
                   refuse="biuc", fast=loops.frac, doc="""
What ``trunc`` takes away: the fractional part, with the sign of ``self``.

>>> torch.frac(torch.tensor([1., 2.5, -3.25]))
tensor([ 0.0000,  0.5000, -0.2500])
""")

copysign = elementwise("copysign(Tensor self, Tensor other)", lambda self, other: np.copysign(self, other),
                       self=lambda d, self, result: d * divide_or_zero(result, self),
                       other=lambda d: zeros_of(d),
                       promote="float", refuse="c", node="CopysignBackward0", fast=loops.copysign,
                       doc="The sign of a tensor.", function_doc="""
``self`` with the sign of ``other``, a tensor or a number; -0. is negative.

>>> torch.copysign(torch.tensor([1., -2., 3.]), torch.tensor([-1., 4., -0.]))
tensor([-1.,  2., -3.])
""")

copysign_number = elementwise("copysign.Scalar(Tensor self, Scalar other)",
                              lambda self, other: np.copysign(self, other),
                              self=lambda d, self, result: d * divide_or_zero(result, self),
                              promote="float", promote_args=("self", "other"), refuse="c",
                              node="CopysignBackward1", fast=loops.copysign,
                              doc="The sign of a number.")



def heaviside_kernel(self, values):
    if self.dtype != values.dtype:
        raise steps_of_two_dtypes(self.dtype, values.dtype)
    if self.dtype.kind == "c":
        raise error("MG202", "heaviside is not yet implemented for complex tensors: complex numbers have no order")
    return np.where(self == 0, values, (self > 0).astype(self.dtype))


heaviside = elementwise("heaviside(Tensor self, Tensor values)", heaviside_kernel,
                        self=lambda d: zeros_of(d),
                        values=lambda d, self: keep(d, eq(self, 0)),
                        promote=None, inplace_function=False, fast=loops.heaviside, doc="""
0 below zero, 1 above, and ``values`` at zero; 0 for nan. The gradient goes to ``values`` (PyTorch has none).

>>> torch.heaviside(torch.tensor([-1.5, 0., 2.]), torch.tensor([0.5]))
tensor([0.0000, 0.5000, 1.0000])
""")


#: the largest number, of whichever dtype it is put into
LARGEST = sys.float_info.max


def nan_to_num_kernel(self, nan, posinf, neginf):
    nan = 0.0 if nan is None else nan
    if is_half(self.dtype):
        largest = float(np.nextafter(self.dtype.type(np.inf), self.dtype.type(0)))     # NumPy has no bfloat16
        posinf, neginf = largest if posinf is None else posinf, -largest if neginf is None else neginf
        return in_half(loops.nan_to_num(in_single(self), nan, posinf, neginf), self)
    return np.nan_to_num(self, nan=nan, posinf=posinf, neginf=neginf)


nan_to_num = elementwise("nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None)",
                         nan_to_num_kernel,
                         self=lambda d, self: keep(d, isfinite(self)), wide=False,
                         fast=(loops.nan_to_num, "self", ("nan", 0), ("posinf", LARGEST), ("neginf", -LARGEST)), doc="""
``self`` with numbers in place of nan (0), inf (the largest finite number) and -inf.

>>> torch.nan_to_num(torch.tensor([float('nan'), 1.5]), nan=2.)
tensor([2.0000, 1.5000])
""")

# ------------------------------------------------------------------------------ the larger of two

halved_at_ties = elementwise("halved_at_ties(Tensor grad, Tensor winner, Tensor loser)",
                             lambda grad, winner, loser:
                             np.where(winner == loser, grad / 2, np.where(winner < loser, 0, grad)),
                             grad=lambda d, winner, loser: halved_at_ties(d, winner, loser),
                             no_gradient=("winner", "loser"), public=False, fast=loops.halved_at_ties,
                             doc="The gradient where ``winner`` is larger, half of it where both are equal, "
                                 "0 where it is smaller.")


maximum = elementwise("maximum(Tensor self, Tensor other)", np.maximum,
                      self=lambda d, self, other: halved_at_ties(d, self, other),
                      other=lambda d, self, other: halved_at_ties(d, other, self),
                      refuse="c", inplace=False, doc="""
The larger of the two, elementwise; nan wins. Equal arguments share the gradient.

>>> torch.maximum(torch.tensor([1., 2., 3.]), torch.tensor([3., 2., 1.]))
tensor([3., 2., 3.])
""")

minimum = elementwise("minimum(Tensor self, Tensor other)", np.minimum,
                      self=lambda d, self, other: halved_at_ties(d, other, self),
                      other=lambda d, self, other: halved_at_ties(d, self, other),
                      refuse="c", inplace=False, doc="""
The smaller of the two, elementwise; nan wins. Equal arguments share the gradient.

>>> torch.minimum(torch.tensor([1., 2., 3.]), torch.tensor([3., 2., 1.]))
tensor([1., 2., 1.])
""")


fmax = elementwise("fmax(Tensor self, Tensor other)", patched_ufuncs.fmax,
                   self=lambda d, self, other: keep(d, logical_or(ge(self, other), isnan(other))),
                   other=lambda d, self, other: keep(d, logical_not(logical_or(ge(self, other), isnan(other)))),
                   refuse="c", inplace=False, doc="""
The larger of the two, elementwise; nan loses. Of equal arguments the first has the gradient.

>>> torch.fmax(torch.tensor([1., float('nan')]), torch.tensor([0., 2.]))
tensor([1., 2.])
""")

fmin = elementwise("fmin(Tensor self, Tensor other)", patched_ufuncs.fmin,
                   self=lambda d, self, other: keep(d, logical_or(le(self, other), isnan(other))),
                   other=lambda d, self, other: keep(d, logical_not(logical_or(le(self, other), isnan(other)))),
                   refuse="c", inplace=False, doc="""
The smaller of the two, elementwise; nan loses. Of equal arguments the first has the gradient.

>>> torch.fmin(torch.tensor([1., float('nan')]), torch.tensor([0., 2.]))
tensor([0., 2.])
""")

# ------------------------------------------------------------------------------ clamp


def clamp_numbers_kernel(self, min, max):
    """Bounds that are numbers change the dtype only if they are of a wider category than the elements."""
    given = [bound for bound in (min, max) if bound is not None]
    if not given:
        raise no_bound()
    if self.dtype.kind in "biu" and (self.dtype.kind == "b" or {*map(type, given)} != {int}) or complex in map(
            type, given):
        self = self.astype(result_dtype([self, *given]))
    refuse(self, "c", "clamp", ": complex numbers have no order")
    min, max = [None if bound is None else number_for("clamp", bound, self.dtype) for bound in (min, max)]
    return between(self, min, max)


def clamp_tensors_kernel(self, min, max):
    refuse(self, "c", "clamp", ": complex numbers have no order")
    if min is not None:
        self = np.maximum(self, min)
    return self if max is None else np.minimum(self, max)


def clamp_share_kernel(d, self, min, max, of):
    """Which of the three the result follows; where min > max it is max, which comes last."""
    if of == "self":
        inside = True if min is None else self >= min
        inside = inside if max is None else inside & (self <= max)
    elif of == "min":
        inside = self < min if max is None else (self < min) & (min < max)
    else:
        inside = self > max if min is None else (self > max) | (max < min)
    return np.where(inside, d, d.dtype.type(0))


clamp_share = elementwise("clamp_share(Tensor d, Tensor self, Tensor? min, Tensor? max, str of)", clamp_share_kernel,
                          d=lambda t, self, min, max, of: clamp_share(t, self, min, max, of),
                          no_gradient=("self", "min", "max"), public=False, rounded=True,
                          fast={"self": (loops.clamp_to_self, "d", "self", ("min", -math.inf), ("max", math.inf)),
                                "min": (loops.clamp_to_min, "d", "self", "min", "max"),
                                "max": (loops.clamp_to_max, "d", "self", ("min", -math.inf), "max")},
                          shown="clamp", doc="""
``d`` where the result of clamp follows ``of`` ("self", "min" or "max"), and 0 elsewhere.

The bounds are compared in the dtype of the elements: in 16 bits 0.1 is rounded, and still equals its bound.
""")

clamp = elementwise("clamp(Tensor self, Scalar? min=None, Scalar? max=None)", clamp_numbers_kernel,
                    self=lambda d, self, min, max: clamp_share(d, self, min, max, "self"),
                    node="ClampBackward1", aliases=("clip",), out="cast",
                    fast=(loops.clamp, "self", ("min", -math.inf), ("max", math.inf)),
                    doc="clamp between numbers.", function_doc="""
``self`` limited to the range from ``min`` to ``max``: numbers or tensors, of which one may be None.

At the bounds the gradient passes. Where ``min > max`` the result is ``max``.

>>> x = torch.tensor([-1., 0., 0.5, 2.], requires_grad=True)
>>> torch.clamp(x, 0, 1)
tensor([0.0000, 0.0000, 0.5000, 1.0000], grad_fn=<ClampBackward1>)
>>> torch.clamp(x, 0, 1).sum().backward(); x.grad
tensor([0., 1., 1., 0.])
""")

clamp_tensor = elementwise("clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None)", clamp_tensors_kernel,
                           self=lambda d, self, min, max: clamp_share(d, self, min, max, "self"),
                           min=lambda d, self, min, max: clamp_share(d, self, min, max, "min"),
                           max=lambda d, self, min, max: clamp_share(d, self, min, max, "max"),
                           node="ClampBackward0", aliases=("clip",),
                           fast=(loops.clamp_between, "self", ("min", -math.inf), ("max", math.inf)),
                           doc="clamp between tensors, which get the gradient where they are the result.")

clamp_min = elementwise("clamp_min(Tensor self, Scalar min)", lambda self, min: clamp_numbers_kernel(self, min, None),
                        self=lambda d, self, min: clamp_share(d, self, min, None, "self"),
                        node="ClampMinBackward0", out="cast", fast=(loops.clamp, "self", "min", math.inf),
                        doc="A number as the lower bound.", function_doc="""
``self``, but at least ``min``, a number or a tensor.

>>> torch.clamp_min(torch.tensor([-1., 2.]), 0)
tensor([0., 2.])
""")

clamp_min_tensor = elementwise("clamp_min.Tensor(Tensor self, Tensor min)",
                               lambda self, min: clamp_tensors_kernel(self, min, None),
                               self=lambda d, self, min: clamp_share(d, self, min, None, "self"),
                               min=lambda d, self, min: clamp_share(d, self, min, None, "min"),
                               node="ClampMinBackward1", fast=(loops.clamp, "self", "min", math.inf),
                               doc="A tensor as the lower bound.")

clamp_max = elementwise("clamp_max(Tensor self, Scalar max)", lambda self, max: clamp_numbers_kernel(self, None, max),
                        self=lambda d, self, max: clamp_share(d, self, None, max, "self"),
                        node="ClampMaxBackward0", out="cast", fast=(loops.clamp, "self", -math.inf, "max"),
                        doc="A number as the upper bound.", function_doc="""
``self``, but at most ``max``, a number or a tensor.

>>> torch.clamp_max(torch.tensor([-1., 2.]), 0)
tensor([-1.,  0.])
""")

clamp_max_tensor = elementwise("clamp_max.Tensor(Tensor self, Tensor max)",
                               lambda self, max: clamp_tensors_kernel(self, None, max),
                               self=lambda d, self, max: clamp_share(d, self, None, max, "self"),
                               max=lambda d, self, max: clamp_share(d, self, None, max, "max"),
                               node="ClampMaxBackward1", fast=(loops.clamp, "self", -math.inf, "max"),
                               doc="A tensor as the upper bound.")


# ------------------------------------------------------------------------------ errors


def steps_of_two_dtypes(left, right):
    return error("MG202", f"heaviside is not yet implemented for tensors with different dtypes: {left} and {right}. "
                          "Convert one of the two with .to(dtype)")


def no_bound():
    return error("MG204", "torch.clamp: At least one of 'min' or 'max' must not be None: they are the bounds, as in "
                          "x.clamp(min=0)")
