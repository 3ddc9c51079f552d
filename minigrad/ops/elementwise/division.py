"""Division with its options: rounded quotients, and what is left over.

A rounded quotient is constant between its jumps, so its gradient is zero.  A remainder is
``self - other * quotient``: there it grows with ``self`` at slope 1, and falls with ``other`` at the slope
of the quotient.  Integers have no inf to answer with, so they refuse to be divided by zero.

Neighbours: arithmetic.py (the plain quotient).
"""

import numpy as np

from minigrad._core import ufuncs
from minigrad._core.errors import error

from ..kinds import composite, elementwise, in_place, piecewise_constant
from .arithmetic import div
from .comparison import refuse

# ------------------------------------------------------------------------------ quotients


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


div_rounded = piecewise_constant("div_rounded(Tensor self, Tensor other, str rounding_mode)", div_rounded_kernel,
                                 node="DivBackward2", public=False,
                                 doc="The quotient rounded to an integer: its gradient is zero.")


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


@in_place("div_", "divide_", "true_divide_", row=div)
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


# ------------------------------------------------------------------------------ remainders


def whole_division(op, ufunc):
    """The kernel of a remainder."""
    def kernel(self, other):
        refuse(self, "bc", op)
        refuse_zero(other, op)
        return ufunc(self, other)
    return kernel


remainder_tensor = elementwise("remainder_tensor(Tensor self, Tensor other)",
                               whole_division("remainder", ufuncs.remainder),
                               self=lambda d: d,
                               other=lambda d, self, other: -d * div_rounded(self, other, "floor"),
                               node="RemainderBackward1", public=False,
                               doc="The remainder after division by a tensor.")

remainder_number = elementwise("remainder_number(Tensor self, Tensor other)",
                               whole_division("remainder", ufuncs.remainder),
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
