"""Numbers in base 2: mantissas and exponents, the next number, logarithms of sums, integers without a point.

A floating point number is a mantissa times a power of two.  ``frexp`` takes the two apart and ``ldexp`` puts them
together, exactly; so the derivative of one is the other.  ``nextafter`` goes to the neighbour of a number.

Neighbours: elementary.py (exp2, log2), special.py (logaddexp), division.py (remainders).
"""

import math

import numpy as np

from minigrad._core.errors import error
from minigrad._core.kernels.loops import new_ufuncs as loops

from ..copying import zeros_of
from ..kinds import elementwise, general, not_differentiable
from .arithmetic import keep
from .comparison import ne, refuse
from .elementary import sigmoid

# ------------------------------------------------------------------------------ mantissa and exponent


def frexp_kernel(self):
    if self.dtype.kind != "f":
        raise no_mantissa(self.dtype)
    return np.frexp(self)


frexp = general("frexp(Tensor self)", frexp_kernel,
                self=lambda d, exponent: ldexp(d, -exponent),
                outputs=("mantissa", "exponent"), differentiable=("mantissa",), last_dims=0, doc="""
The mantissa and the exponent: ``self = mantissa * 2**exponent``, with a mantissa of 0 or from 0.5 up to 1.

>>> torch.frexp(torch.tensor([8., 0.3]))
torch.return_types.frexp(
mantissa=tensor([0.5000, 0.6000]),
exponent=tensor([ 4, -1], dtype=torch.int32))
""")


def ldexp_kernel(self, other):
    """In two steps: the whole part of ``other`` moves the point, which is exact, and leaves a factor from 1/2 to 2."""
    if self.dtype.kind == "c":
        return self * np.power(2, other)
    whole = np.trunc(np.nan_to_num(other, nan=0, posinf=MOST, neginf=-MOST)).clip(-MOST, MOST)
    return np.ldexp(self * np.exp2(np.where(np.isfinite(other), other - np.trunc(other), other)),
                    whole.astype(np.int32))


#: a power of two beyond which any number is 0 or inf
MOST = 5000

ldexp = elementwise("ldexp(Tensor self, Tensor other)", ldexp_kernel,
                    self=lambda d, other: ldexp(d, other),
                    other=lambda d, result: d * (result * math.log(2)),
                    promote="float", inplace_function=True, fast=loops.ldexp, doc="""
``self * 2**other``, exact for integers ``other``, even where the power would overflow.

>>> torch.ldexp(torch.tensor([1., 3.]), torch.tensor([2, -1]))
tensor([4.0000, 1.5000])
""")


def nextafter_kernel(self, other):
    refuse(self, "biuc", "nextafter")
    return np.nextafter(self, other)


nextafter = elementwise("nextafter(Tensor self, Tensor other)", nextafter_kernel,
                        self=lambda d, self, other: keep(d, ne(self, other)),
                        other=lambda d: zeros_of(d),
                        wide=False, inplace_function=False, fast=np.nextafter, doc="""
The next number from ``self`` towards ``other``. It moves with ``self``, unless the two are equal.

>>> torch.nextafter(torch.tensor([1.]), torch.tensor([2.])) - 1
tensor([1.1921e-07])
""")

# ------------------------------------------------------------------------------ logarithms


def logaddexp2_kernel(self, other):
    refuse(self, "biuc", "logaddexp2")
    return np.logaddexp2(self, other)


logaddexp2 = elementwise("logaddexp2(Tensor self, Tensor other)", logaddexp2_kernel,
                         self=lambda d, self, other: d * sigmoid((self - other) * math.log(2)),
                         other=lambda d, self, other: d * sigmoid((other - self) * math.log(2)),
                         inplace=False, fast=np.logaddexp2, doc="""
``log2(2**self + 2**other)``, without overflow.

>>> torch.logaddexp2(torch.tensor([1., 1000.]), torch.tensor([1., 1000.]))
tensor([   2., 1001.])
""")

# ------------------------------------------------------------------------------ integers


def of_integers(op, ufunc):
    """The kernel of a function of integers."""
    def kernel(self, other):
        refuse(self, "bfcV", op)
        return ufunc(self, other)
    return kernel


gcd = not_differentiable("gcd(Tensor self, Tensor other)", of_integers("gcd", np.gcd), inplace=True,
                         inplace_function=True, fast=np.gcd, doc="""
The greatest common divisor of two integers; it is not negative.

>>> torch.gcd(torch.tensor([12, -18, 0]), torch.tensor([8, 12, 5]))
tensor([4, 6, 5])
""")

lcm = not_differentiable("lcm(Tensor self, Tensor other)", of_integers("lcm", np.lcm), inplace=True,
                         inplace_function=True, fast=np.lcm, doc="""
The least common multiple of two integers; it is not negative.

>>> torch.lcm(torch.tensor([4, -6]), torch.tensor([6, 4]))
tensor([12, 12])
""")


# ------------------------------------------------------------------------------ errors


def no_mantissa(dtype):
    return error("MG202", f"torch.frexp() only supports floating-point dtypes, but the dtype is {dtype}. Convert with "
                          ".float() first")
