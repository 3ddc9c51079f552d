"""Division with its options: rounded quotients, and remainders.

A rounded quotient is constant between its jumps, so its gradient is zero.  A remainder is
``self - other * quotient``: between the jumps its slope is 1 in ``self`` and minus the quotient in ``other``.
Integers have no inf to answer with, so they refuse to be divided by zero.

Neighbours: arithmetic.py (sums and products).
"""

import operator

import numpy as np

from minigrad._core.errors import error
from minigrad._core.kernels.loops import new_ufuncs as loops, patched_ufuncs

from ..kinds import elementwise, piecewise_constant
from .comparison import EITHER, refuse

# ------------------------------------------------------------------------------ quotients


def refuse_zero(divisor, op):
    """Integers have no inf to answer with."""
    if divisor.dtype.kind in "iu" and not divisor.all():
        raise zero_divisor(op)


def truncated_quotient(self, other):
    if self.dtype.kind in "iu":         # exact where a division in floating point would round
        return (self - np.fmod(self, other)) // other
    return np.trunc(np.true_divide(self, other))


def div_rounded_kernel(self, other, rounding_mode):
    if rounding_mode not in ("trunc", "floor"):
        raise unknown_rounding(rounding_mode)
    refuse(self, "bc", f"div_{rounding_mode}")
    refuse_zero(other, "div")
    return np.floor_divide(self, other) if rounding_mode == "floor" else truncated_quotient(self, other)


div_rounded = piecewise_constant("div.mode(Tensor self, Tensor other, *, str rounding_mode)", div_rounded_kernel,
                                 node="DivBackward2", aliases=("divide",), or_numbers=EITHER,
                                 numbers_alone=True, inplace_function=False, fast={"floor": loops.floor_divide},
                                 doc="The quotient, rounded: its gradient is zero.", function_doc="""
``self / other``, elementwise; rounded towards zero ("trunc") or downwards ("floor") if asked for.

Without rounding, integers give the default floating dtype. A rounded quotient has gradient zero.

>>> torch.div(torch.tensor([-7, 7]), 2)
tensor([-3.5000,  3.5000])
>>> torch.div(torch.tensor([-7, 7]), 2, rounding_mode="floor")
tensor([-4,  3])
""")

QUOTIENT = dict(self=lambda d, other: d / other,
                other=lambda d, self, other: -d * (self / other) / other,
                linear_in=("self",), number=operator.truediv, promote="float",
                or_numbers=EITHER, numbers_alone=True, inplace_function=False)

div = elementwise("div(Tensor self, Tensor other, *, str? rounding_mode=None)",
                  lambda self, other, rounding_mode: np.true_divide(self, other),
                  plain=np.true_divide, aliases=("divide",), **QUOTIENT,
                  doc="The quotient, elementwise; integers give the default floating dtype.")

true_divide = elementwise("true_divide(Tensor self, Tensor other)", np.true_divide, node="DivBackward0", **QUOTIENT,
                          doc="""
``self / other``, elementwise: ``div`` without rounding.

>>> torch.true_divide(torch.tensor([1, 3]), 2)
tensor([0.5000, 1.5000])
""")


def floor_divide_kernel(self, other):
    refuse(self, "bc", "floor_divide")
    refuse_zero(other, "floor_divide")
    return np.floor_divide(self, other)


floor_divide = piecewise_constant("floor_divide(Tensor self, Tensor other)", floor_divide_kernel,
                                  node="DivBackward2", or_numbers=EITHER, numbers_alone=True,
                                  fast=loops.floor_divide, doc="""
``self / other`` rounded downwards: what ``//`` means. Its gradient is zero (PyTorch gives an error).

>>> torch.floor_divide(torch.tensor([-7, 7]), 2)
tensor([-4,  3])
""")


# ------------------------------------------------------------------------------ remainders


def whole_division(op, ufunc):
    """The kernel of a remainder.  A number is rounded to the dtype first, which decides what is left over."""
    def kernel(self, other):
        refuse(self, "bc", op)
        refuse_zero(other, op)
        return ufunc(self, other)
    return kernel


remainder_number = elementwise("remainder.Scalar(Tensor self, Scalar other)",
                               whole_division("remainder", patched_ufuncs.remainder),
                               self=lambda d: d,
                               promote_args=("self", "other"), node="RemainderBackward0", rounded=True,
                               fast=loops.remainder,
                               doc="The remainder after division by a number.", function_doc="""
What is left of ``self`` after division by ``other``, with the sign of ``other``: Python's ``%``.

>>> torch.remainder(torch.tensor([-3., 3.]), 2)
tensor([1., 1.])
""")

remainder_tensor = elementwise("remainder.Tensor(Tensor self, Tensor other)",
                               whole_division("remainder", patched_ufuncs.remainder),
                               self=lambda d: d,
                               other=lambda d, self, other: -d * div_rounded(self, other, rounding_mode="floor"),
                               node="RemainderBackward1", rounded=True, or_numbers=("self",), fast=loops.remainder,
                               doc="The remainder after division by a tensor.")

fmod_number = elementwise("fmod.Scalar(Tensor self, Scalar other)", whole_division("fmod", np.fmod),
                          self=lambda d: d,
                          promote_args=("self", "other"), node="FmodBackward0", rounded=True, fast=loops.fmod,
                          doc="The remainder of a quotient rounded towards zero, for a number.", function_doc="""
What is left of ``self`` after division by ``other``, with the sign of ``self``: C's ``fmod``.

>>> torch.fmod(torch.tensor([-3., 3.]), 2)
tensor([-1.,  1.])
""")

fmod_tensor = elementwise("fmod.Tensor(Tensor self, Tensor other)", whole_division("fmod", np.fmod),
                          self=lambda d: d,
                          other=lambda d, self, other: -d * div_rounded(self, other, rounding_mode="trunc"),
                          node="FmodBackward1", rounded=True, fast=loops.fmod,
                          doc="The remainder of a quotient rounded towards zero, for a tensor.")


# ------------------------------------------------------------------------------ errors


def zero_divisor(op):
    return error("MG208", f"ZeroDivisionError: {op}() of integer tensors found a zero in the divisor. "
                          "Convert to a floating dtype to get inf or nan there")


def unknown_rounding(rounding_mode):
    return error("MG204", "div expected rounding_mode to be one of None, 'trunc', or 'floor' "
                          f"but found {rounding_mode!r}")
