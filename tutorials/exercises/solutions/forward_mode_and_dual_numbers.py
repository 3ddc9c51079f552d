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
