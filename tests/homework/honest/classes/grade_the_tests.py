# minigrad homework: grade_the_tests
"""Tests of derivatives. A Claim says what the derivative of a function is; an Examiner puts claims to the test."""

import math
from dataclasses import dataclass, field
from typing import Callable, Sequence

import minigrad as torch

Numbers = Sequence[complex]


@dataclass(frozen=True)
class Claim:
    name: str
    function: Callable
    derivative: Callable[[complex], complex]
    second: Callable[[complex], complex]
    points: Numbers
    holomorphic: bool = True

    def __str__(self):
        return f"the derivative of {self.name}"


@dataclass
class Examiner:
    tolerance: float = 1e-8
    rejected: list = field(default_factory=list)

    def same(self, got, expected, what):
        if not abs(got - expected) <= self.tolerance * max(abs(expected), 1e-300):
            raise AssertionError(f"{what}: {got} instead of {expected}")

    def tensor(self, point):
        dtype = torch.complex128 if isinstance(point, complex) else torch.float64
        return torch.tensor(point, dtype=dtype, requires_grad=True)

    def first(self, claim: Claim):
        for point in claim.points:
            x = self.tensor(point)
            y = claim.function(x)
            (g,) = torch.autograd.grad(y, x, torch.ones_like(y) * 1.5)
            expected = 1.5 * claim.derivative(point)
            if claim.holomorphic:
                expected = complex(expected).conjugate()
            self.same(g.item(), expected, f"{claim} at {point}")

    def second(self, claim: Claim):
        for point in claim.points:
            if isinstance(point, complex):
                continue
            x = self.tensor(point)
            (g,) = torch.autograd.grad(claim.function(x), x, create_graph=True)
            (h,) = torch.autograd.grad(g, x)
            self.same(h.item(), claim.second(point), f"the second derivative of {claim.name} at {point}")

    def examine(self, claim: Claim):
        self.first(claim)
        self.second(claim)


class Smooth:
    import cmath as _c

    POINTS = (-2.0, -0.7, -0.01, 0.3, 1.0, 2.4, 0.3 + 0.6j, -0.5 - 0.9j)
    POSITIVE = tuple(10.0**k for k in range(-14, 15)) + (0.3, 2.7, 0.4 + 1j, 1.5 - 2j)

    exp = Claim("exp", torch.exp, _c.exp, _c.exp, POINTS)
    tanh = Claim(
        "tanh",
        torch.tanh,
        lambda z: 1 - Smooth._c.tanh(z) ** 2,
        lambda z: -2 * Smooth._c.tanh(z) * (1 - Smooth._c.tanh(z) ** 2),
        POINTS,
    )
    sqrt = Claim("sqrt", torch.sqrt, lambda z: 0.5 * z**-0.5, lambda z: -0.25 * z**-1.5, POSITIVE)
    log = Claim("log", torch.log, lambda z: 1 / z, lambda z: -1 / z**2, POSITIVE)

    @staticmethod
    def s(z):
        return 1 / (1 + Smooth._c.exp(-z))

    sigmoid = Claim(
        "sigmoid",
        torch.sigmoid,
        lambda z: Smooth.s(z) * (1 - Smooth.s(z)),
        lambda z: Smooth.s(z) * (1 - Smooth.s(z)) * (1 - 2 * Smooth.s(z)),
        POINTS,
    )


class Abs:
    claim = Claim(
        "abs",
        torch.abs,
        lambda x: math.copysign(1.0, x),
        lambda x: 0.0,
        (-1e6, -3.0, -0.2, -1e-7, 1e-7, 0.2, 3.0, 1e6),
    )


@dataclass
class Matrix:
    """A linear map on entries, compared with how it acts on each unit vector: the transpose, from its definition."""

    function: Callable
    x: torch.Tensor

    def examine(self):
        x = self.x.detach().clone().requires_grad_()
        y = self.function(x)
        d = torch.arange(1.0, y.numel() + 1, dtype=torch.float64).reshape(y.shape).to(y.dtype)
        if y.is_complex():
            d = d * (1 + 0.5j)
        (g,) = torch.autograd.grad(y, x, d)
        flat = g.reshape(-1)
        for k in range(x.numel()):
            unit = torch.zeros(x.numel(), dtype=x.dtype)
            unit[k] = 1
            image = self.function(unit.reshape(x.shape)).detach()
            expected = (image.conj() * d).sum().item()
            assert abs(flat[k].item() - expected) < 1e-9, (k, flat[k].item(), expected)


class Fixtures:
    @staticmethod
    def matrix(*shape, dtype=torch.float64):
        generator = torch.Generator().manual_seed(99)
        return torch.randn(*shape, generator=generator, dtype=dtype)


def test_exp():
    Examiner().examine(Smooth.exp)


def test_tanh():
    Examiner().examine(Smooth.tanh)


def test_sigmoid():
    Examiner().examine(Smooth.sigmoid)


def test_sqrt():
    Examiner().examine(Smooth.sqrt)


def test_log():
    Examiner().examine(Smooth.log)


def test_abs():
    Examiner().first(Abs.claim)


def test_mul_and_div():
    examiner = Examiner()
    for c in (-2.5, 0.5, 1 - 2j):
        for claim in (
            Claim("x c", lambda x: x * c, lambda _: c, lambda _: 0, (1.5, -0.5) if c.imag == 0 else (1.5 + 1j,)),
            Claim("c x", lambda x: c * x, lambda _: c, lambda _: 0, (1.5, -0.5) if c.imag == 0 else (1.5 + 1j,)),
            Claim("x / c", lambda x: x / c, lambda _: 1 / c, lambda _: 0, (1.5, -0.5) if c.imag == 0 else (1.5 + 1j,)),
            Claim("c / x", lambda x: c / x, lambda z: -c / z**2, None, (1.5, -0.5) if c.imag == 0 else (1.5 + 1j,)),
        ):
            examiner.first(claim)


def test_mul_and_div_of_tensors():
    a = torch.tensor([2.0, -3.0], dtype=torch.float64, requires_grad=True)
    b = torch.tensor([5.0, 0.5], dtype=torch.float64, requires_grad=True)
    torch.mul(a, b).sum().backward()
    assert a.grad.tolist() == [5.0, 0.5] and b.grad.tolist() == [2.0, -3.0]
    a.grad = b.grad = None
    torch.div(a, b).sum().backward()
    assert torch.allclose(a.grad, 1 / b.detach())
    assert torch.allclose(b.grad, (-a / b**2).detach())


def test_linear_maps():
    x = Fixtures.matrix(2, 3, 4)
    for dims in ((0,), (1,), (2,), (0, 1), (1, 2), (0, 2), (0, 1, 2)):
        Matrix(lambda t: t.sum(dims), x).examine()
    for dim in (0, 1, 2):
        Matrix(lambda t: t.cumsum(dim), x).examine()


def test_products_of_matrices():
    for dtype in (torch.float64, torch.complex128):
        a, b = Fixtures.matrix(2, 3, dtype=dtype), Fixtures.matrix(3, 2, dtype=dtype) * 2
        Matrix(lambda t: torch.mm(t, b), a).examine()
        Matrix(lambda t: torch.mm(a, t), b).examine()


class Corner:
    """Inputs at which a wrong derivative is not seen elsewhere."""

    def __init__(self, function, *inputs):
        self.function = function
        self.inputs = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in inputs]

    def gradients(self):
        return [g.tolist() for g in torch.autograd.grad(self.function(*self.inputs).sum(), self.inputs)]


class Overwriting:
    """What was saved for the backward pass is written to before it."""

    def __init__(self, function):
        self.x = torch.tensor([0.4, 0.6], dtype=torch.float64, requires_grad=True)
        self.y = function(self.x)
        self.y.mul_(3)

    @property
    def is_noticed(self):
        try:
            self.y.sum().backward()
        except RuntimeError:
            return True
        return False


def test_corners():
    assert Corner(torch.abs, [0.0, -1.0]).gradients() == [[0.0, -1.0]]
    assert Corner(torch.div, [2.0, -0.5], [2.0, -0.5]).gradients() == [[0.5, -2.0], [-0.5, 2.0]]
    assert Corner(lambda x: x.sum(0), [[1.0, 2.0]]).gradients() == [[[1.0, 1.0]]]
    assert Corner(lambda x: x.sum(1), [[1.0], [2.0]]).gradients() == [[[1.0], [1.0]]]
    assert Corner(torch.mm, [[1.0, 2.0]], [[3.0], [4.0]]).gradients() == [[[3.0, 4.0]], [[1.0], [2.0]]]


def test_matrices_without_rows():
    a = torch.ones(0, 3, requires_grad=True)
    b = torch.ones(3, 2, requires_grad=True)
    ga, gb = torch.autograd.grad(torch.mm(a, b).sum(), (a, b))
    assert ga.shape == a.shape and torch.equal(gb, torch.zeros(3, 2))


def test_numbers_that_are_replaced():
    class Replaced(Corner):
        def gradients(self):
            x, source = self.inputs
            y = x * 2
            y.copy_(source)
            return [g.tolist() for g in torch.autograd.grad(y.sum(), (x, source))]

    assert Replaced(None, [1.0, 2.0], [5.0, 6.0]).gradients() == [[0.0, 0.0], [1.0, 1.0]]


def test_saved_results():
    for claim in (Smooth.exp, Smooth.tanh, Smooth.sigmoid, Smooth.sqrt):
        assert Overwriting(claim.function).is_noticed, claim
