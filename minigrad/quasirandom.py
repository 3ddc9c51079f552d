"""``torch.quasirandom``: Sobol sequences, points that fill a cube more evenly than random ones.

Dim by dim, the n-th point is the exclusive or of *direction numbers*, one for each 1 in the Gray code of n.  The first
few direction numbers of a dim are a choice, and a primitive polynomial over the integers modulo 2 gives all others.
The choice is that of Joe and Kuo, https://web.maths.unsw.edu.au/~fkuo/sobol/, which PyTorch has as well.
"""

import numpy as np

from minigrad._core.errors import error
from minigrad._core.errors.absent import answering as _answering
from minigrad.creation import from_numpy
from minigrad.creation.ranges import arange
from minigrad.dtypes import get_default_dtype, int64
from minigrad.random import Generator, randint

__all__ = ["SobolEngine"]

#: for each dim after the first, its choice: as many odd numbers as the degree of its polynomial
_CHOICE = """
1 1,3 1,3,1 1,1,1 1,1,3,3 1,3,5,13 1,1,5,5,17 1,1,5,5,5 1,1,7,11,19 1,1,5,1,1 1,1,1,3,11 1,3,5,5,31 1,3,3,9,7,49
1,1,1,15,21,21 1,3,1,13,27,49 1,1,1,15,7,5 1,3,1,15,13,25 1,1,5,5,19,61 1,3,7,11,23,15,103 1,3,7,13,13,15,69
1,1,3,13,7,35,63 1,3,5,9,1,25,53 1,3,1,13,9,35,107 1,3,1,5,27,61,31 1,1,5,11,19,41,61 1,3,5,3,3,13,69
1,1,7,13,1,19,1 1,3,7,5,13,19,59 1,1,3,9,25,29,41 1,3,5,13,23,1,55 1,3,7,3,13,59,17 1,3,1,3,5,53,69
1,1,5,5,23,33,13 1,1,7,7,1,61,123 1,1,7,9,13,61,49 1,3,3,5,3,55,33 1,3,1,15,31,13,49,245 1,3,5,15,31,59,63,97
1,3,1,11,11,11,77,249 1,3,1,11,27,43,71,9 1,1,7,15,21,11,81,45 1,3,7,3,25,31,65,79 1,3,1,1,19,11,3,205
1,1,5,9,19,21,29,157 1,3,7,11,1,33,89,185 1,3,3,3,15,9,79,71 1,3,7,11,15,39,119,27 1,1,3,1,11,31,97,225
1,1,1,3,23,43,57,177 1,3,7,7,17,17,37,71 1,3,1,5,27,63,123,213 1,1,3,5,11,43,53,133 1,3,5,5,29,17,47,173,479
1,3,3,11,3,1,109,9,69 1,1,1,5,17,39,23,5,343 1,3,1,5,25,15,31,103,499 1,1,1,11,11,17,63,105,183
1,1,5,11,9,29,97,231,363 1,1,5,15,19,45,41,7,383 1,3,7,7,31,19,83,137,221 1,1,1,3,23,15,111,223,83
1,1,5,13,31,15,55,25,161 1,1,3,13,25,47,39,87,257 1,1,1,11,21,53,125,249,293 1,1,7,11,11,7,57,79,323
1,1,5,5,17,13,81,3,131 1,1,7,13,23,7,65,251,475 1,3,5,1,9,43,3,149,11 1,1,3,13,31,13,13,255,487
1,3,3,1,5,63,89,91,127 1,1,3,3,1,19,123,127,237 1,1,5,7,23,31,37,243,289 1,1,5,11,17,53,117,183,491
1,1,1,5,1,13,13,209,345 1,1,3,15,1,57,115,7,33 1,3,1,11,7,43,81,207,175 1,3,1,1,15,27,63,255,49
1,3,5,3,27,61,105,171,305 1,1,5,3,1,3,57,249,149 1,1,3,5,5,57,15,13,159 1,1,1,11,7,11,105,141,225
1,3,3,5,27,59,121,101,271 1,3,5,9,11,49,51,59,115 1,1,7,1,23,45,125,71,419 1,1,3,5,23,5,105,109,75
1,1,7,15,7,11,67,121,453 1,3,7,3,9,13,31,27,449 1,3,1,15,19,39,39,89,15 1,1,1,1,1,33,73,145,379
1,3,1,15,15,43,29,13,483 1,1,7,3,19,27,85,131,431 1,3,3,3,5,35,23,195,349 1,3,3,7,9,27,39,59,297
1,1,3,9,11,17,13,241,157 1,3,7,15,25,57,33,189,213 1,1,7,1,9,55,73,83,217 1,3,3,13,19,27,23,113,249
1,3,5,3,23,43,3,253,479 1,1,5,5,11,5,45,117,217 1,3,3,7,29,37,33,123,147
"""


class SobolEngine:
    """Points of a Sobol sequence in a cube of ``dimension`` dims.

    Parameters
    ----------
    dimension : int
        At most 101.
    scramble : bool
        Whether the bits of the points are mixed and shifted at random, after Owen.
    seed : int, optional
        For the scrambling; without one it draws from the default generator.

    >>> engine = torch.quasirandom.SobolEngine(3)
    >>> engine.draw(3)
    tensor([[0.0000, 0.0000, 0.0000],
            [0.5000, 0.5000, 0.5000],
            [0.7500, 0.2500, 0.2500]])
    >>> engine.fast_forward(1).draw()
    tensor([[0.3750, 0.3750, 0.6250]])
    """

    MAXBIT = 30
    MAXDIM = 101

    def __init__(self, dimension, scramble=False, seed=None):
        if not 1 <= dimension <= self.MAXDIM:
            raise out_of_range(dimension, self.MAXDIM)
        self.dimension, self.scramble, self.seed = dimension, scramble, seed
        self.sobolstate = from_numpy(_direction_numbers(dimension, self.MAXBIT))
        self.shift = self.sobolstate.new_zeros(dimension)
        if scramble:
            self._scramble()
        self.quasi = self.shift.clone()
        self.num_generated = 0

    def draw(self, n=1, out=None, dtype=None):
        """The next ``n`` points, of shape (n, dimension)."""
        points = self._points(arange(self.num_generated, self.num_generated + n, dtype=int64))
        self.num_generated += n
        if n:
            self.quasi = points[-1]
        result = (points / 2**self.MAXBIT).to(get_default_dtype() if dtype is None else dtype)
        return result if out is None else out.resize_as_(result).copy_(result)

    def draw_base2(self, m, out=None, dtype=None):
        """The next 2**m points, after which as many are drawn as a power of 2: their balance depends on it."""
        total = self.num_generated + 2**m
        if total & (total - 1):
            raise not_a_power_of_2(self.num_generated, m, total)
        return self.draw(2**m, out=out, dtype=dtype)

    def reset(self):
        """Begin anew; returns the engine."""
        self.quasi, self.num_generated = self.shift.clone(), 0
        return self

    def fast_forward(self, n):
        """Leave out the next ``n`` points; returns the engine."""
        self.draw(n)
        return self

    def _points(self, numbers):
        """The points of these numbers, as integers."""
        gray, points = (numbers ^ numbers >> 1).unsqueeze(1), self.shift.expand(len(numbers), -1)
        for bit in range(self.MAXBIT):
            points = points ^ (gray >> bit & 1) * self.sobolstate[:, bit]
        return points

    def _scramble(self):
        """Multiply the bits of each direction number by a random triangular matrix, and shift all points."""
        generator = None if self.seed is None else Generator().manual_seed(self.seed)
        powers = 2**arange(self.MAXBIT)
        self.shift = randint(2, (self.dimension, self.MAXBIT), generator=generator) @ powers
        mixing = randint(2, (self.dimension, self.MAXBIT, self.MAXBIT), generator=generator).tril()
        mixing.diagonal(0, -2, -1).fill_(1)
        places = arange(self.MAXBIT - 1, -1, -1)
        bits = self.sobolstate.unsqueeze(2) >> places & 1               # the highest first
        self.sobolstate = (bits @ mixing.mT % 2) @ 2**places

    def __repr__(self):
        shown = [f"dimension={self.dimension}"]
        if self.scramble:
            shown.append("scramble=True")
        if self.seed is not None:
            shown.append(f"seed={self.seed}")
        return f"SobolEngine({', '.join(shown)})"


# ------------------------------------------------------------------------------ direction numbers

def _direction_numbers(dimension, bits):
    """An array of shape (dimension, bits): the k-th number of a dim has its lowest 1 at the k-th bit from the top."""
    found = [[1] * bits]                            # the first dim has the powers of 1/2
    polynomials = _primitive_polynomials()
    for choice in _CHOICE.split()[:dimension - 1]:
        numbers, (degree, polynomial) = [int(each) for each in choice.split(",")], next(polynomials)
        for k in range(degree, bits):
            number = numbers[k - degree] ^ numbers[k - degree] << degree
            for i in range(1, degree):
                if polynomial >> degree - i & 1:
                    number ^= numbers[k - i] << i
            numbers.append(number)
        found.append(numbers)
    return np.array([[number << bits - 1 - k for k, number in enumerate(numbers)] for numbers in found])


def _primitive_polynomials():
    """(degree, polynomial) over the integers modulo 2, as the bits of a number, in ascending order."""
    degree = 0
    while True:
        degree += 1
        for polynomial in range(2**degree + 1, 2**(degree + 1), 2):
            if _is_primitive(degree, polynomial):
                yield degree, polynomial


def _is_primitive(degree, polynomial):
    """Are the powers of x all the polynomials of a lower degree but 0, modulo this one?"""
    power = 1
    for exponent in range(1, 2**degree):
        power <<= 1
        if power >> degree:
            power ^= polynomial
        if power == 1:
            return exponent == 2**degree - 1
    return False


__getattr__ = _answering(__name__)


# ------------------------------------------------------------------------------ errors

def out_of_range(dimension, largest):
    return error("MG207", f"Supported range of dimensionality for SobolEngine is [1, {largest}], and not {dimension}: "
                          "minigrad has the direction numbers of these dims alone")


def not_a_power_of_2(generated, m, total):
    return error("MG207", "The balance properties of Sobol' points require n to be a power of 2. "
                          f"{generated} points have been previously generated, then: n={generated}+2**{m}={total}. If "
                          "you still want to do this, please use 'SobolEngine.draw()' instead.")
