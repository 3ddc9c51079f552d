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

import numpy as np

from minigrad._core import ufuncs
from minigrad._core.errors import error
from minigrad._core.forward import tangent_of

from ..dims import in_single, is_half, number_for
from ..kinds import composite, elementwise, in_place, not_differentiable, piecewise_constant
from .arithmetic import keep
from .comparison import ge, gt, isfinite, isnan, le, logical_not, logical_or, lt, refuse

# ------------------------------------------------------------------------------ signs and rounding


def sign_kernel(self):
    refuse(self, "c", "sign", ": use torch.sgn, the direction of complex numbers")
    if self.dtype.kind == "b":
        return self.copy()
    out = np.asarray(np.sign(self))
    if self.dtype.kind not in "iu":
        out[out != out] = 0             # where NumPy says nan, PyTorch says 0
    return out


sign = piecewise_constant("sign(Tensor self)", sign_kernel, inplace_function=False, doc="""
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
                                 node="RoundBackward0", out="exact",
                                 doc="The nearest integer; halves go to the even one.", function_doc="""
The nearest integer, halves to the even one; or rounding to some ``decimals``.

>>> torch.round(torch.tensor([0.5, 1.5, 2.4]))
tensor([0., 2., 2.])
>>> torch.round(torch.tensor([0.1234]), decimals=2)
tensor([0.1200])
""")

round_decimals = piecewise_constant("round.decimals(Tensor self, *, int decimals)", round_decimals_kernel,
                                    node="RoundBackward1", out="exact",
                                    doc="Rounding to some decimals.")


frac = elementwise("frac(Tensor self)", lambda self: self - np.trunc(self),
                   self=lambda d: d,
                   refuse="biuc", doc="""
What ``trunc`` takes away: the fractional part, with the sign of ``self``.

>>> torch.frac(torch.tensor([1., 2.5, -3.25]))
tensor([ 0.0000,  0.5000, -0.2500])
""")


def nan_to_num_kernel(self, nan, posinf, neginf):
    if is_half(self.dtype):
        largest = float(np.nextafter(self.dtype.type(np.inf), self.dtype.type(0)))     # NumPy knows no bfloat16
        posinf, neginf = largest if posinf is None else posinf, -largest if neginf is None else neginf
    found = np.nan_to_num(in_single(self), nan=0.0 if nan is None else nan, posinf=posinf, neginf=neginf)
    return found.astype(self.dtype, copy=False)


nan_to_num = elementwise("nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None)",
                         nan_to_num_kernel,
                         self=lambda d, self: keep(d, isfinite(self)), wide=False, doc="""
``self`` with numbers in the place of nan (0), inf (the largest finite number) and -inf.

>>> torch.nan_to_num(torch.tensor([float('nan'), 1.5]), nan=2.)
tensor([2.0000, 1.5000])
""")

# ------------------------------------------------------------------------------ the larger of two

halved_at_ties = elementwise("halved_at_ties(Tensor grad, Tensor winner, Tensor loser)",
                             lambda grad, winner, loser:
                             np.where(winner == loser, grad / 2, np.where(winner < loser, 0, grad)),
                             grad=lambda d, winner, loser: halved_at_ties(d, winner, loser),
                             no_gradient=("winner", "loser"), public=False,
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


fmax = elementwise("fmax(Tensor self, Tensor other)", ufuncs.fmax,
                   self=lambda d, self, other: keep(d, logical_or(ge(self, other), isnan(other))),
                   other=lambda d, self, other: keep(d, logical_not(logical_or(ge(self, other), isnan(other)))),
                   refuse="c", inplace=False, doc="""
The larger of the two, elementwise; nan loses. Of equal arguments the first has the gradient.

>>> torch.fmax(torch.tensor([1., float('nan')]), torch.tensor([0., 2.]))
tensor([1., 2.])
""")

fmin = elementwise("fmin(Tensor self, Tensor other)", ufuncs.fmin,
                   self=lambda d, self, other: keep(d, logical_or(le(self, other), isnan(other))),
                   other=lambda d, self, other: keep(d, logical_not(logical_or(le(self, other), isnan(other)))),
                   refuse="c", inplace=False, doc="""
The smaller of the two, elementwise; nan loses. Of equal arguments the first has the gradient.

>>> torch.fmin(torch.tensor([1., float('nan')]), torch.tensor([0., 2.]))
tensor([0., 2.])
""")

# ------------------------------------------------------------------------------ clamp


def clamp_numbers_kernel(self, min, max):
    refuse(self, "c", "clamp", ": complex numbers have no order")
    if self.dtype.kind == "u":
        min, max = [None if bound is None else number_for("clamp", bound, self.dtype) for bound in (min, max)]
    if min is not None:
        self = np.maximum(min, self)        # of equal ones the second: -0. stays -0.
    return self if max is None else np.minimum(max, self)


def clamp_tensors_kernel(self, min, max):
    refuse(self, "c", "clamp", ": complex numbers have no order")
    if min is not None:
        self = np.maximum(self, min)
    return self if max is None else np.minimum(self, max)


def clamp_mask_kernel(self, min, max, of):
    """Which of the three the result follows; where min > max it is max, which comes last."""
    if of == "self":
        inside = True if min is None else self >= min
        return inside if max is None else inside & (self <= max)
    if of == "min":
        return self < min if max is None else (self < min) & (min < max)
    return self > max if min is None else (self > max) | (max < min)


clamp_mask = not_differentiable("clamp_mask(Tensor self, Tensor? min, Tensor? max, str of)", clamp_mask_kernel,
                                public=False,
                                doc="Where the result of clamp follows ``of``: \"self\", \"min\" or \"max\".")

clamp_numbers = elementwise("clamp_numbers(Tensor self, Scalar? min=None, Scalar? max=None)", clamp_numbers_kernel,
                            self=lambda d, self, min, max: keep(d, clamp_mask(self, min, max, "self")),
                            node="ClampBackward1", public=False,
                            doc="clamp between numbers.")

clamp_tensors = elementwise("clamp_tensors(Tensor self, Tensor? min=None, Tensor? max=None)", clamp_tensors_kernel,
                            self=lambda d, self, min, max: keep(d, clamp_mask(self, min, max, "self")),
                            min=lambda d, self, min, max: keep(d, clamp_mask(self, min, max, "min")),
                            max=lambda d, self, min, max: keep(d, clamp_mask(self, min, max, "max")),
                            node="ClampBackward0", public=False,
                            doc="clamp between tensors, which get the gradient where they are the result.")


def category(x):
    """0 for bools, 1 for integers, 2 for floating point, 3 for complex; ``x`` is a tensor or a number."""
    return x.dtype.category if hasattr(x, "dtype") else 1 if isinstance(x, int) else 2 if isinstance(x, float) else 3


def clamp_row(self, *bounds):
    """Which row does it: numbers are parameters, unless a tensor is among them or the dtype has to change."""
    given = [bound for bound in bounds if bound is not None]
    if not given:
        raise error("MG204", "torch.clamp: At least one of 'min' or 'max' must not be None: they are the bounds, as in "
                             "x.clamp(min=0)")
    for bound in given:
        if hasattr(bound, "dtype") or category(bound) > category(self):
            return clamp_tensors
    return clamp_numbers


def as_bound(self, bound, other=None):
    """A bound as ``self`` holds it: 16 bits round a number, and at the bound itself the gradient passes.

    Where the ``other`` one is a number, a tensor without dims is one too, as in PyTorch: it takes no part in promotion.
    """
    if bound is None or type(bound) is int or (type(bound) is float and self.dtype.itemsize != 2):
        return bound
    if isinstance(other, (int, float)) and hasattr(bound, "dtype") and not bound.ndim:
        constant = not (bound.requires_grad or bound._level) and tangent_of(bound) is None
        bound = bound.item() if constant else bound
    if isinstance(bound, float) and self.dtype.itemsize == 2 and self.dtype.is_floating_point:
        return float(np.asarray(bound, self.dtype.numpy))
    return bound


@composite(aliases=("clip",))
def clamp(self, min=None, max=None):
    """``self`` pushed into the range from ``min`` to ``max``; each a number, a tensor or None.

    At the bounds the gradient passes. Where ``min > max`` the result is ``max``.

    >>> x = torch.tensor([-1., 0., 0.5, 2.], requires_grad=True)
    >>> torch.clamp(x, 0, 1)
    tensor([0.0000, 0.0000, 0.5000, 1.0000], grad_fn=<ClampBackward1>)
    >>> torch.clamp(x, 0, 1).sum().backward(); x.grad
    tensor([0., 1., 1., 0.])
    """
    min, max = as_bound(self, min, max), as_bound(self, max, min)
    return clamp_row(self, min, max)(self, min, max)


@in_place("clamp_", "clip_", function_too=True)
def clamp_into(self, min=None, max=None):
    """``self`` is pushed into the range from ``min`` to ``max``.

    >>> torch.tensor([-1., 0.5, 2.]).clamp_(0, 1)
    tensor([0.0000, 0.5000, 1.0000])
    """
    min, max = as_bound(self, min, max), as_bound(self, max, min)
    return clamp_row(self, min, max).inplace(self, min, max)


clamp_min_number = elementwise("clamp_min_number(Tensor self, Scalar min)",
                               lambda self, min: clamp_numbers_kernel(self, min, None),
                               self=lambda d, self, min: keep(d, ge(self, min)),
                               node="ClampMinBackward0", public=False,
                               doc="A number as the lower bound.")

clamp_min_tensor = elementwise("clamp_min_tensor(Tensor self, Tensor min)",
                               lambda self, min: clamp_tensors_kernel(self, min, None),
                               self=lambda d, self, min: keep(d, ge(self, min)),
                               min=lambda d, self, min: keep(d, lt(self, min)),
                               node="ClampMinBackward1", public=False,
                               doc="A tensor as the lower bound.")

clamp_max_number = elementwise("clamp_max_number(Tensor self, Scalar max)",
                               lambda self, max: clamp_numbers_kernel(self, None, max),
                               self=lambda d, self, max: keep(d, le(self, max)),
                               node="ClampMaxBackward0", public=False,
                               doc="A number as the upper bound.")

clamp_max_tensor = elementwise("clamp_max_tensor(Tensor self, Tensor max)",
                               lambda self, max: clamp_tensors_kernel(self, None, max),
                               self=lambda d, self, max: keep(d, le(self, max)),
                               max=lambda d, self, max: keep(d, gt(self, max)),
                               node="ClampMaxBackward1", public=False,
                               doc="A tensor as the upper bound.")


def clamp_min_row(self, min):
    """Which row does it."""
    return clamp_min_number if clamp_row(self, min) is clamp_numbers else clamp_min_tensor


def clamp_max_row(self, max):
    """Which row does it."""
    return clamp_max_number if clamp_row(self, max) is clamp_numbers else clamp_max_tensor


@composite()
def clamp_min(self, min):
    """``self``, but at least ``min``.

    >>> torch.clamp_min(torch.tensor([-1., 2.]), 0)
    tensor([0., 2.])
    """
    return clamp_min_row(self, min)(self, as_bound(self, min))


@composite()
def clamp_max(self, max):
    """``self``, but at most ``max``.

    >>> torch.clamp_max(torch.tensor([-1., 2.]), 0)
    tensor([-1.,  0.])
    """
    return clamp_max_row(self, max)(self, as_bound(self, max))


@in_place("clamp_min_", function_too=True)
def clamp_min_into(self, min):
    """``self`` is raised to at least ``min``.

    >>> torch.tensor([-1., 2.]).clamp_min_(0)
    tensor([0., 2.])
    """
    return clamp_min_row(self, min).inplace(self, as_bound(self, min))


@in_place("clamp_max_", function_too=True)
def clamp_max_into(self, max):
    """``self`` is lowered to at most ``max``.

    >>> torch.tensor([-1., 2.]).clamp_max_(0)
    tensor([-1.,  0.])
    """
    return clamp_max_row(self, max).inplace(self, as_bound(self, max))
