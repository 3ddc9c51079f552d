"""Exercises of "Forward mode and dual numbers"."""

# %% Exercise: Division and the exponential
# Give ``Pair`` a division, and write ``exp_of_pair``. Numbers without a tangent may be on either side of a division.

# %% Starter
import math


class Pair:
    def __init__(self, primal, tangent=0.0):
        self.primal, self.tangent = primal, tangent

    def __mul__(self, other):
        other = other if isinstance(other, Pair) else Pair(other)
        tangent = self.tangent * other.primal + self.primal * other.tangent
        return Pair(self.primal * other.primal, tangent)

    __rmul__ = __mul__

    def __truediv__(self, other):
        return self

    def __rtruediv__(self, other):
        return self


def exp_of_pair(x):
    return x


# %% Check
def near(found, primal, tangent, what):
    assert isinstance(found, Pair), f"{what} must be a Pair."
    assert math.isclose(found.primal, primal), f"The value of {what} is {primal:.4f}, and yours {found.primal:.4f}."
    assert not math.isclose(found.tangent, -tangent), f"The tangent of {what} has the wrong sign."
    assert math.isclose(found.tangent, tangent), (
        f"The tangent of {what} is {tangent:.4f}, and yours {found.tangent:.4f}.")


x = Pair(1.5, 2.0)
near(exp_of_pair(x), math.exp(1.5), 2 * math.exp(1.5), "exp(x), where x moves at the speed 2,")
near(x / 4, 1.5 / 4, 0.5, "x / 4")
near(3 / x, 2.0, -3 / 1.5 ** 2 * 2, "3 / x")
near(x / Pair(0.5, -1.0), 3.0, (2 * 0.5 + 1.5) / 0.25, "x / y")
cube = x * x * x
near(exp_of_pair(x) / cube, math.exp(1.5) / 1.5 ** 3,
     2 * math.exp(1.5) * (1.5 - 3) / 1.5 ** 4, "exp(x) / (x * x * x)")

# %% Hint
# The quotient rule: the tangent of :math:`a / b` is :math:`(\dot a b - a \dot b) / b^2`.

# %% Hint
# ``3 / x`` calls ``x.__rtruediv__(3)``: make a ``Pair`` from the number, and divide that by ``self``.


# %% Exercise: Pairs of pairs
# A ``Pair`` may hold pairs. ``Pair(Pair(x, 1.0), Pair(1.0, 0.0))`` is an :math:`x` that moves twice. Write ``sine`` and
# ``cosine`` for numbers, pairs, and pairs of pairs, and ``second(f, x)``, which reads the second derivative off the
# result.

# %% Starter
import math


class Pair:
    def __init__(self, primal, tangent=0.0):
        self.primal, self.tangent = primal, tangent

    def __add__(self, other):
        other = other if isinstance(other, Pair) else Pair(other)
        return Pair(self.primal + other.primal, self.tangent + other.tangent)

    def __mul__(self, other):
        other = other if isinstance(other, Pair) else Pair(other)
        tangent = self.tangent * other.primal + self.primal * other.tangent
        return Pair(self.primal * other.primal, tangent)

    __radd__, __rmul__ = __add__, __mul__


def sine(x):
    return math.sin(x)


def cosine(x):
    return math.cos(x)


def second(f, x):
    ...


# %% Check
assert math.isclose(sine(0.7), math.sin(0.7)), "sine must still work for numbers."
assert math.isclose(cosine(0.7), math.cos(0.7)), "cosine must still work for numbers."
once = second(lambda x: x * x * x, 2.0)
assert isinstance(once, float), "second must return a number: the tangent of the tangent."
assert once != 12.0 or second(lambda x: x * x, 5.0) != 10.0, "This is the first derivative."
assert once == 12.0, f"The second derivative of x³ is 6x, so 12 at 2, and yours is {once}."
try:
    bent = second(lambda x: x * sine(x), 0.7)
except TypeError:
    raise AssertionError("sine was given a pair of pairs, and math.sin wants a number.") from None
wanted = 2 * math.cos(0.7) - 0.7 * math.sin(0.7)
assert math.isclose(bent, wanted), f"For x·sin x it should be {wanted:.4f}, and yours is {bent:.4f}."
assert math.isclose(second(lambda x: cosine(sine(x)), 0.7),
                    -math.cos(math.sin(0.7)) * math.cos(0.7) ** 2 + math.sin(math.sin(0.7)) * math.sin(0.7)), (
    "For cos(sin x) the result is wrong. Mind the sign of the derivative of the cosine.")

# %% Hint
# Let ``sine`` call itself: for a pair, the new primal is ``sine(x.primal)``, whatever ``x.primal`` is.


# %% Exercise: A product of matrices, forwards
# ``Product`` multiplies two matrices. Write its ``jvp``. A factor that does not move has the tangent ``None``, because
# of ``set_materialize_grads(False)``; do not compute a product for it.

# %% Starter
import minigrad as torch


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, A, B):
        ctx.set_materialize_grads(False)
        ctx.save_for_forward(A, B)
        return A @ B

    @staticmethod
    def jvp(ctx, A_dot, B_dot):
        A, B = ctx.saved_tensors
        return torch.zeros(A.shape[0], B.shape[1])


# %% Check
fwAD = torch.autograd.forward_ad
torch.manual_seed(0)
A, B, A_dot, B_dot = torch.randn(2, 3), torch.randn(3, 4), torch.randn(2, 3), torch.randn(3, 4)


def tangent(A_dot, B_dot):
    with fwAD.dual_level():
        left = A if A_dot is None else fwAD.make_dual(A, A_dot)
        right = B if B_dot is None else fwAD.make_dual(B, B_dot)
        return fwAD.unpack_dual(Product.apply(left, right)).tangent


for first, other, wanted, said in [
    (A_dot, None, A_dot @ B, "only A moves"),
    (None, B_dot, A @ B_dot, "only B moves"),
    (A_dot, B_dot, A_dot @ B + A @ B_dot, "both factors move"),
]:
    try:
        found = tangent(first, other)
    except TypeError as problem:
        raise AssertionError(f"When {said}, a tangent is None, and jvp computes with it: {problem}") from None
    assert found is not None, f"When {said}, the product moves, and jvp returned None."
    assert found.shape == (2, 4), f"When {said}, the tangent has the shape {tuple(found.shape)} instead of (2, 4)."
    assert torch.allclose(found, wanted), f"When {said}, the tangent is wrong."

# %% Hint
# The product rule: :math:`\dot C = \dot A B + A \dot B`. Leave out the term whose tangent is ``None``.


# %% Project: 1
# 10 points: 3 for the pass with one tangent, 4 for the derivative of the time, 3 for that of the period.
#
# The time of a passing moves by minus the tangent of the angle over its speed, both at the passing. From 0.3, the tenth
# and last time that the pendulum passes upwards is after 9.75 periods and moves by 0.75 seconds per radian, so the
# period by 0.077; from 1.5, the eighth is after 7.75 periods and moves by 3.9, so the period by 0.50. The exact period,
# :math:`2 \pi \sqrt{l / g}` divided by the arithmetic-geometric mean of 1 and :math:`\cos \tfrac{1}{2} \theta_0`, says
# 0.0758 and 0.499.
#
# The usual mistakes: the tangent of one step divided by the speed of another, and the derivative of the last time given
# as that of the period.


# %% Project: 2
# 10 points: 3 for the tangent, 4 for the picture, 3 for the time.
#
# On the logarithmic scale the tangent climbs, with many dents, along a straight line: from 1 to between :math:`10^{28}`
# and :math:`10^{45}`. So a digit of the start is lost every 5 to 7 seconds, and all sixteen of double precision within
# two minutes: what is printed for later times is a pendulum, but not this one. Other starts and other steps give other
# curves with the same slope.
#
# The usual mistake: to subtract two runs whose starts differ a little. Their distance grows at this rate too, until it
# is as large as the swing, and then stops; the tangent does not stop.


# %% Project: 3
# 6 points: 3 for the number, 3 for a program that shows it. Three: inputs that are three places apart move together,
# since no result depends on two of them.
