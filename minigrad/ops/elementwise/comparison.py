"""Questions about numbers: comparisons, logic, bits.

Every operation here answers with bools or integers.  Its value jumps or does not move at all, so
there is nothing to differentiate: the kind is ``not_differentiable`` and no node is recorded.
Formulas of other rows use the answers as masks, mostly through ``keep`` in arithmetic.py.

Neighbours: arithmetic.py (sums and products), piecewise.py (maximum, clamp: choosing between values).
"""

import numpy as np

from minigrad._core.errors import error
from minigrad._core.frontends import queries
from minigrad._core.graph import Tensor
from minigrad._core.kernels.loops import new_ufuncs as loops

from ..composites import composite
from ..kinds import not_differentiable
from ..arguments import in_half, in_single, is_half, must_be_tensors, scalar_name


#: a number may stand for either tensor, or for the second alone
EITHER, OTHER = ("self", "other"), ("other",)


def refuse(array, kinds, op, why=""):
    """Raise MG202 if ``array`` has one of the dtype ``kinds`` (NumPy's letters) that ``op`` cannot take."""
    if array.dtype.kind in kinds:
        raise error("MG202", f'"{op}" is not implemented for \'{scalar_name(array.dtype)}\'{why}')


# Note [A number that an array cannot hold]
# -----------------------------------------
# A kernel that takes unsigned arrays compares them with -1.0, not with -1. Python's numbers have no dtype, so NumPy has
# loops of its own for an array and an int that is beyond its dtype; those of NumPy 2.1 crash where the array is not
# contiguous. With a float it compares numbers of one dtype.

# ------------------------------------------------------------------------------ comparisons

eq = not_differentiable("eq(Tensor self, Tensor other)", np.equal, or_numbers=OTHER, inplace=True, doc="""
Where ``self`` equals ``other``, as a bool tensor; nan equals nothing.

>>> torch.eq(torch.tensor([1, 2, 3]), torch.tensor([1, 5, 3]))
tensor([ True, False,  True])
""")

ne = not_differentiable("ne(Tensor self, Tensor other)", np.not_equal, or_numbers=OTHER, inplace=True,
                        aliases=("not_equal",), doc="""
Where ``self`` differs from ``other``, as a bool tensor; nan differs from everything.

>>> torch.ne(torch.tensor([1, 2, 3]), 2)
tensor([ True, False,  True])
""")


lt = not_differentiable("lt(Tensor self, Tensor other)", np.less, or_numbers=OTHER, refuse="c", inplace=True,
                        aliases=("less",), doc="""
Where ``self < other``, as a bool tensor.

>>> torch.lt(torch.tensor([1., 2., 3.]), 2)
tensor([ True, False, False])
""")

le = not_differentiable("le(Tensor self, Tensor other)", np.less_equal, or_numbers=OTHER, refuse="c", inplace=True,
                        aliases=("less_equal",), doc="""
Where ``self <= other``, as a bool tensor.

>>> torch.le(torch.tensor([1., 2., 3.]), 2)
tensor([ True,  True, False])
""")

gt = not_differentiable("gt(Tensor self, Tensor other)", np.greater, or_numbers=OTHER, refuse="c", inplace=True,
                        aliases=("greater",), doc="""
Where ``self > other``, as a bool tensor.

>>> torch.gt(torch.tensor([1., 2., 3.]), torch.tensor([3., 2., 1.]))
tensor([False, False,  True])
""")

ge = not_differentiable("ge(Tensor self, Tensor other)", np.greater_equal, or_numbers=OTHER, refuse="c", inplace=True,
                        aliases=("greater_equal",), doc="""
Where ``self >= other``, as a bool tensor.

>>> torch.ge(torch.tensor([1., 2., 3.]), torch.tensor([3., 2., 1.]))
tensor([False,  True,  True])
""")


def rounded(array, like):
    """What is computed in single precision, rounded as one of the steps of a computation in half."""
    return in_single(in_half(array, like)) if is_half(like.dtype) else array


def isclose_kernel(self, other, rtol, atol, equal_nan):
    if rtol < 0 or atol < 0:
        name, given = ("rtol", rtol) if rtol < 0 else ("atol", atol)
        raise error("MG204", f"isclose: {name} must be greater than or equal to zero, but got {given}")
    if self.dtype != other.dtype:
        raise isclose_of_two_dtypes(self.dtype, other.dtype)
    close = self == other
    if self.dtype.kind == "b":
        return close
    if equal_nan:
        close = close | (self != self) & (other != other)
    if self.dtype.kind in "iu":         # a difference may wrap around, but without a sign it has room
        distance = np.subtract(np.maximum(self, other), np.minimum(self, other)).view(f"u{self.itemsize}")
        other = other.astype(np.float64)
    else:
        distance = rounded(np.abs(in_single(self) - in_single(other)), self)
        other = in_single(other)
    return close | np.isfinite(distance) & (distance <= rounded(atol + rounded(np.abs(rtol * other), self), self))


isclose = not_differentiable("isclose(Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, "
                             "bool equal_nan=False)",
                             isclose_kernel, promote=None, out=False, doc="""
Where ``|self - other| <= atol + rtol * |other|``; equal infinities are close, nan only with ``equal_nan=True``.

>>> torch.isclose(torch.tensor([1., 2.]), torch.tensor([1.000001, 2.1]))
tensor([ True, False])
""")


@composite(out=False)
def allclose(self, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Whether all elements of ``self`` and ``other`` are close, as a Python bool; see ``isclose``.

    >>> torch.allclose(torch.tensor([10000., 1e-07]), torch.tensor([10000.1, 1e-08]))
    False
    """
    return bool(isclose(self, other, rtol, atol, equal_nan).all())


@composite(out=False, front=queries.equal)
def equal(self, other):
    """Whether two tensors have the same shape and the same elements, as a Python bool.

    >>> torch.equal(torch.tensor([1, 2]), torch.tensor([1, 2]))
    True
    """
    return self.shape == other.shape and bool(eq(self, other).all())


@composite(out=False)
def is_same_size(self, other):
    """Whether two tensors have the same shape.

    >>> torch.is_same_size(torch.zeros(2, 1), torch.zeros(2))
    False
    """
    if not isinstance(other, Tensor):
        raise must_be_tensors("is_same_size", self=self, other=other)
    return self.shape == other.shape


@composite(out=False)
def is_nonzero(self):
    """Whether the only element of ``self`` is not zero: ``bool(self)``.

    >>> torch.is_nonzero(torch.tensor([0.]))
    False
    """
    return bool(self)


@composite(out=False)
def is_signed(self):
    """Whether the dtype of ``self`` has negative numbers.

    >>> torch.is_signed(torch.tensor([1.])), torch.is_signed(torch.tensor([1], dtype=torch.uint8))
    (True, False)
    """
    return self.dtype.is_signed


# ------------------------------------------------------------------------------ what kind of number it is

isnan = not_differentiable("isnan(Tensor self)", np.isnan, out=False, doc="""
Where ``self`` is nan (of complex numbers: where either part is).

>>> torch.isnan(torch.tensor([1., float('nan'), 2.]))
tensor([False,  True, False])
""")

isinf = not_differentiable("isinf(Tensor self)", np.isinf, out=False, doc="""
Where ``self`` is plus or minus infinity (of complex numbers: where either part is).

>>> torch.isinf(torch.tensor([1., float('-inf'), float('nan')]))
tensor([False,  True, False])
""")

isfinite = not_differentiable("isfinite(Tensor self)", np.isfinite, out=False, doc="""
Where ``self`` is neither infinite nor nan.

>>> torch.isfinite(torch.tensor([1., float('inf'), float('nan')]))
tensor([ True, False, False])
""")


def infinite(op, of_this_sign):
    """The kernel that finds one of the two infinities."""
    def kernel(self):
        if self.dtype.kind == "c":
            raise error("MG202", f"{op} does not support complex inputs. Ask of x.real and x.imag")
        if self.dtype.kind in "biu":
            return np.zeros(self.shape, np.bool_)
        # bfloat16 is not a float to NumPy
        return of_this_sign(self if self.dtype.kind == "f" else self.astype(np.float32))
    return kernel


isposinf = not_differentiable("isposinf(Tensor self)", infinite("isposinf", np.isposinf), fast=loops.isposinf, doc="""
Where ``self`` is plus infinity.

>>> torch.isposinf(torch.tensor([1., float('inf'), float('-inf')]))
tensor([False,  True, False])
""")

isneginf = not_differentiable("isneginf(Tensor self)", infinite("isneginf", np.isneginf), fast=loops.isneginf, doc="""
Where ``self`` is minus infinity.

>>> torch.isneginf(torch.tensor([1., float('inf'), float('-inf')]))
tensor([False, False,  True])
""")

isreal = not_differentiable("isreal(Tensor self)", np.isreal, out=False, fast=loops.always, doc="""
Where the imaginary part of ``self`` is zero: everywhere in a real tensor.

>>> torch.isreal(torch.tensor([1, 1 + 1j, 2 + 0j]))
tensor([ True, False,  True])
""")


def signbit_kernel(self):
    """NumPy converts bools and small integers to float16, an element at a time."""
    return np.less(self, 0) if self.dtype.kind in "biu" else np.signbit(self)


signbit = not_differentiable("signbit(Tensor self)", signbit_kernel, fast=np.signbit, refuse="c", doc="""
Where the sign bit of ``self`` is set, which tells -0. from 0.

>>> torch.signbit(torch.tensor([0.7, -1.2, 0., -0.]))
tensor([False,  True, False,  True])
""")


# ------------------------------------------------------------------ logic: zero is False, everything else True

logical_and = not_differentiable("logical_and(Tensor self, Tensor other)", np.logical_and, inplace=True, doc="""
Where both are nonzero.

>>> torch.logical_and(torch.tensor([True, False, True]), torch.tensor([True, False, False]))
tensor([ True, False, False])
""")

logical_or = not_differentiable("logical_or(Tensor self, Tensor other)", np.logical_or, inplace=True, doc="""
Where at least one of the two is nonzero.

>>> torch.logical_or(torch.tensor([0., 0., 3.]), torch.tensor([0, 2, 0]))
tensor([False,  True,  True])
""")

logical_xor = not_differentiable("logical_xor(Tensor self, Tensor other)", np.logical_xor, inplace=True, doc="""
Where exactly one of the two is nonzero.

>>> torch.logical_xor(torch.tensor([True, False, True]), torch.tensor([True, False, False]))
tensor([False, False,  True])
""")

logical_not = not_differentiable("logical_not(Tensor self)", np.logical_not, inplace=True, out="cast", doc="""
Where ``self`` is zero.

>>> torch.logical_not(torch.tensor([0., 1.5, -10.]))
tensor([ True, False, False])
""")


# ------------------------------------------------------------------------------ bits of bools and integers

bitwise_and = not_differentiable("bitwise_and(Tensor self, Tensor other)", np.bitwise_and, or_numbers=EITHER,
                                 inplace=True, doc="""
The bits set in both; of bools the same as ``logical_and``.

>>> torch.bitwise_and(torch.tensor([-1, -2, 3]), torch.tensor([1, 0, 3]))
tensor([1, 0, 3])
""")

bitwise_or = not_differentiable("bitwise_or(Tensor self, Tensor other)", np.bitwise_or, or_numbers=EITHER,
                                inplace=True, doc="""
The bits set in either; of bools the same as ``logical_or``.

>>> torch.bitwise_or(torch.tensor([-1, -2, 3]), torch.tensor([1, 0, 3]))
tensor([-1, -2,  3])
""")

bitwise_xor = not_differentiable("bitwise_xor(Tensor self, Tensor other)", np.bitwise_xor, or_numbers=EITHER,
                                 inplace=True, doc="""
The bits in which the two differ; of bools the same as ``logical_xor``.

>>> torch.bitwise_xor(torch.tensor([-1, -2, 3]), torch.tensor([1, 0, 3]))
tensor([-2, -2,  0])
""")

bitwise_not = not_differentiable("bitwise_not(Tensor self)", np.invert, inplace=True, doc="""
Every bit turned over; of bools the same as ``logical_not``.

>>> torch.bitwise_not(torch.tensor([-1, -2, 3]))
tensor([ 0,  1, -4])
""")


def shifted(op, ufunc):
    """The kernel of a shift.  One operand may be bool, which promotion has made an integer; not both."""
    def kernel(self, other):
        refuse(self, "b", op)
        return ufunc(self, other)
    return kernel


bitwise_left_shift = not_differentiable("bitwise_left_shift(Tensor self, Tensor other)",
                                        shifted("bitwise_left_shift", np.left_shift), inplace=True, or_numbers=EITHER,
                                        fast=np.left_shift, doc="""
The bits moved up by ``other`` places: ``self * 2**other``.

>>> torch.bitwise_left_shift(torch.tensor([-1, -2, 3]), torch.tensor([1, 0, 3]))
tensor([-2, -2, 24])
""")

bitwise_right_shift = not_differentiable("bitwise_right_shift(Tensor self, Tensor other)",
                                         shifted("bitwise_right_shift", np.right_shift), inplace=True,
                                         or_numbers=EITHER, fast=np.right_shift, doc="""
The bits moved down by ``other`` places, the sign kept: ``floor(self / 2**other)``.

>>> torch.bitwise_right_shift(torch.tensor([-2, -7, 31]), torch.tensor([1, 0, 3]))
tensor([-1, -7,  3])
""")


# ------------------------------------------------------------------------------ errors


def isclose_of_two_dtypes(left, right):
    return error("MG202", f"isclose: {scalar_name(left)} did not match {scalar_name(right)}. "
                          "Convert one of the two with .to(dtype)")
