"""Numbers whose squares overflow or vanish: results and gradients that are themselves within the dtype are right.

What scales with its operand is known at every magnitude from what it is at 1: f(s x) = s^k f(x), with the gradient
s^(k-1) f'(x), exactly so for a power of two.
"""

import pytest

import minigrad as torch
from minigrad import teaching
from minigrad.nn import functional as F

#: name: (function, its degree)
OF_VECTORS = {
    "vector_norm": (torch.linalg.vector_norm, 1),
    "norm of a dim": (lambda x: torch.linalg.vector_norm(x.view(2, 2), dim=0), 1),
    "norm 3": (lambda x: x.norm(3), 1),
    "norm 0.5": (lambda x: x.norm(.5, dim=0), 1),
    "norm -2": (lambda x: x.norm(-2), 1),
    "norm 4 of a dim": (lambda x: torch.linalg.vector_norm(x.view(2, 2), 4, dim=0), 1),
    "matrix norm": (lambda x: torch.linalg.matrix_norm(x.view(2, 2)), 1),
    "dist": (lambda x: torch.dist(x[:2], x[2:]), 1),
    "pairwise_distance": (lambda x: F.pairwise_distance(x[:2], x[2:], eps=0), 1),
    "normalize": (lambda x: F.normalize(x, dim=0, eps=0.), 0),
}
OF_REAL_NUMBERS = {
    "atan2": (lambda x: torch.atan2(x[:2], x[2:]), 0),
    "hypot": (lambda x: torch.hypot(x[:2], x[2:]), 1),
}
OF_COMPLEX_NUMBERS = {
    "angle": (torch.angle, 0),
    "abs": (torch.abs, 1),
    "sgn": (torch.sgn, 0),
    "polar": (lambda x: torch.polar(x.abs(), x.angle()), 1),
}
REAL, COMPLEX = [3., -4., 1.5, .75], [3 + 4j, -.5 + 2j, -1j, 1 - 1.5j]
#: a power of two whose square is beyond the limits of the dtype, though it is not
FAR = {torch.float32: 100, torch.float64: 800, torch.complex64: 100, torch.complex128: 800}


def both(function, numbers, dtype, scale):
    """The result, and the gradient of its entries in different proportions."""
    x = (torch.tensor(numbers, dtype=dtype) * scale).requires_grad_(True)
    y = function(x)
    weights = torch.linspace(1, 2, y.numel(), dtype=torch.float64).to(y.dtype).view(y.shape)
    return y.detach(), torch.autograd.grad(y, x, weights)[0]


def check(function, degree, numbers, dtype, sign):
    step = sign * FAR[dtype]
    y, slope = both(function, numbers, dtype, 1)
    far, far_slope = both(function, numbers, dtype, 2. ** step)
    eps = torch.finfo(dtype).eps
    torch.testing.assert_close(far * 2. ** (-step * degree), y, rtol=20 * eps, atol=0)
    torch.testing.assert_close(far_slope * 2. ** (step * (1 - degree)), slope, rtol=20 * eps, atol=40 * eps)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("name", [*OF_VECTORS, *OF_REAL_NUMBERS])
def test_real_numbers(name, dtype, sign):
    check(*{**OF_VECTORS, **OF_REAL_NUMBERS}[name], REAL, dtype, sign)
    with teaching.without_kernels():
        check(*{**OF_VECTORS, **OF_REAL_NUMBERS}[name], REAL, dtype, sign)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("dtype", [torch.complex64, torch.complex128], ids=str)
@pytest.mark.parametrize("name", [*OF_VECTORS, *OF_COMPLEX_NUMBERS])
def test_complex_numbers(name, dtype, sign):
    check(*{**OF_VECTORS, **OF_COMPLEX_NUMBERS}[name], COMPLEX, dtype, sign)


@pytest.mark.parametrize("exponent", [-1, -2, -3, -5])
@pytest.mark.parametrize("dtype", [torch.complex64, torch.complex128], ids=str)
def test_negative_powers_of_large_complex_numbers_vanish(exponent, dtype):
    step = FAR[dtype]
    y, slope = both(lambda x: x ** exponent, COMPLEX, dtype, 1)
    far, far_slope = both(lambda x: x ** exponent, COMPLEX, dtype, 2. ** step)
    tiny = torch.finfo(dtype).tiny
    torch.testing.assert_close(far, y * 2. ** max(step * exponent, -1074), rtol=1e-5, atol=tiny)
    torch.testing.assert_close(far_slope, torch.zeros_like(slope), rtol=0, atol=tiny)


@pytest.mark.parametrize("ord", [2, 3, .5, -1])
@pytest.mark.parametrize("dtype, least", [(torch.float32, 1e-44), (torch.float64, 5e-322)], ids=str)
def test_norms_of_subnormal_numbers_have_a_gradient(ord, dtype, least):
    for x in (torch.tensor([least, 0., -2 * least], dtype=dtype), torch.tensor([[least], [3 * least]], dtype=dtype)):
        x.requires_grad_(True)
        slope, = torch.autograd.grad(torch.linalg.vector_norm(x, ord), x)
        assert slope.isfinite().all(), slope
        if ord == 2:
            torch.testing.assert_close(slope.norm(), torch.ones((), dtype=dtype), rtol=.2, atol=0)


@pytest.mark.parametrize("ord", [2, 3, .5, -2])
def test_norms_of_zeros_infinities_and_nan(ord):
    inf, nan = float("inf"), float("nan")
    x = torch.tensor([[0., 0.], [inf, inf], [nan, 1.], [3., 3.]], dtype=torch.float64)
    expected = torch.tensor([0., inf, nan, 3 * 2 ** (1 / ord)], dtype=torch.float64)
    for _ in range(2):
        torch.testing.assert_close(torch.linalg.vector_norm(x, ord, dim=1), expected, equal_nan=True)
        torch.testing.assert_close(torch.linalg.vector_norm(x.T.contiguous(), ord, dim=0), expected, equal_nan=True)
        with teaching.without_kernels():
            torch.testing.assert_close(torch.linalg.vector_norm(x, ord, dim=1), expected, equal_nan=True)


@pytest.mark.parametrize("x", [5e-324, -1e-310, 1e308, 0.])
def test_the_angle_of_a_real_number_is_constant(x):
    x = torch.tensor([x], dtype=torch.float64, requires_grad=True)
    slope, = torch.autograd.grad(torch.angle(x), x, create_graph=True)
    second, = torch.autograd.grad(slope, x)
    assert slope.tolist() == second.tolist() == [0]
