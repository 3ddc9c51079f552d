"""Solutions of the exercises of "Forward mode and dual numbers"."""

# %% Solution: Division and the exponential
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
        other = other if isinstance(other, Pair) else Pair(other)
        value = self.primal / other.primal
        return Pair(value, (self.tangent - value * other.tangent) / other.primal)

    def __rtruediv__(self, other):
        return Pair(other) / self


def exp_of_pair(x):
    value = math.exp(x.primal)
    return Pair(value, x.tangent * value)


# %% Solution: Pairs of pairs
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
    if isinstance(x, Pair):
        return Pair(sine(x.primal), x.tangent * cosine(x.primal))
    return math.sin(x)


def cosine(x):
    if isinstance(x, Pair):
        return Pair(cosine(x.primal), x.tangent * (-1 * sine(x.primal)))
    return math.cos(x)


def second(f, x):
    return f(Pair(Pair(x, 1.0), Pair(1.0, 0.0))).tangent.tangent


# %% Solution: A product of matrices, forwards
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
        if B_dot is None:
            return A_dot @ B
        if A_dot is None:
            return A @ B_dot
        return A_dot @ B + A @ B_dot


# %% Project: 1
import math

import minigrad as torch

fwAD = torch.autograd.forward_ad
length, gravity, step = 0.994, 9.809, 0.05


def last_passing(start):
    """How often it passes upwards, and the derivative of the last time with respect to the start."""
    with fwAD.dual_level():
        start = torch.tensor(start, dtype=torch.float64)
        angle = fwAD.make_dual(start, torch.ones_like(start))
        speed, angles = 0.0, []
        for _ in range(400):
            speed = speed - torch.sin(angle) * (gravity / length * step)
            angle = angle + speed * step
            angles.append(angle)
        value, tangent = fwAD.unpack_dual(torch.stack(angles))
    passings = [i for i in range(1, 399) if value[i - 1] < 0 <= value[i]]
    i = passings[-1]
    part = value[i - 1] / (value[i - 1] - value[i])         # from step i - 1 to step i
    speed = (value[i] - value[i - 1]) / step
    return len(passings), -(tangent[i - 1] + part * (tangent[i] - tangent[i - 1])) / speed


def exact_period(start):
    a, b = 1.0, math.cos(start / 2)
    for _ in range(10):
        a, b = (a + b) / 2, math.sqrt(a * b)
    return 2 * math.pi * math.sqrt(length / gravity) / a


for start, often, of_time in (0.3, 10, 0.75), (1.5, 8, 3.9):
    count, derivative = last_passing(start)
    exact = (exact_period(start + 1e-5) - exact_period(start - 1e-5)) / 2e-5
    assert count == often and abs(derivative - of_time) < 0.05
    assert abs(derivative / (count - 0.25) - exact) < 0.03 * exact


# %% Project: 2
import math

import minigrad as torch

fwAD = torch.autograd.forward_ad
length, gravity, step = 0.994, 9.809, 0.05


def digits_lost(start):
    """The logarithm of the tangent with respect to the start, after each of 4000 steps."""
    with fwAD.dual_level():
        start = torch.tensor(start, dtype=torch.float64)
        angle = fwAD.make_dual(start, torch.ones_like(start))
        speed, tangents = 0.0, []
        for i in range(4000):
            push = 12 * math.cos(2.1 * i * step) - 1.6 * speed
            speed = speed + (push - torch.sin(angle) * (gravity / length)) * step
            angle = angle + speed * step
            tangents.append(fwAD.unpack_dual(angle).tangent)
    return torch.stack(tangents).abs().log10()


for start in 0.3, 1.5:
    lost = digits_lost(start)
    assert 4 < 200 / lost.max() < 8             # seconds for each digit
    assert lost[2399:].max() > 16               # after two minutes


# %% Project: 3
import minigrad as torch


def f(x):
    return torch.cat([x[:-2] * x[1:-1] + x[2:], x[1:-1].sin() * x[2:] - x[:-2], x[:-2] * x[2:]])[:30]


x = torch.randn(20, dtype=torch.float64)
wanted = torch.func.jacfwd(f)(x)
found = torch.zeros(30, 20, dtype=torch.float64)
for start in range(3):
    together = torch.zeros(20, dtype=torch.float64)
    together[start::3] = 1
    _, column = torch.func.jvp(f, (x,), (together,))
    for i in range(30):
        (moved,) = [j for j in range(i % 18, i % 18 + 3) if j % 3 == start]
        found[i, moved] = column[i]
assert torch.allclose(found, wanted)
