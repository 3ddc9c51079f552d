"""Numbers whose squares overflow or vanish: results and gradients that are themselves within the dtype are right.

What scales with its operand is known at every magnitude from what it is at 1: f(s x) = s^k f(x), with the gradient
s^(k-1) f'(x), exactly so for a power of two.
"""

import contextlib

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
    "std": (torch.std, 1),
    "std of a dim": (lambda x: x.view(2, 2).std(0), 1),
    "norm of seven": (lambda x: torch.cat([x, x[:3]]).norm(), 1),
}
OF_REAL_NUMBERS = {
    "atan2": (lambda x: torch.atan2(x[:2], x[2:]), 0),
    "hypot": (lambda x: torch.hypot(x[:2], x[2:]), 1),
    "cosine_similarity": (lambda x: torch.cosine_similarity(x[:2], x[2:], dim=0, eps=0.), 0),
    "div": (lambda x: x[:2] / x[2:], 0),
    "cdist": (lambda x: torch.cdist(x.view(2, 2), x.view(2, 2).flip(0) * .5), 1),
    "cdist of eleven": (lambda x: torch.cdist(x.repeat(3)[None, :11], x.repeat(4)[None, 2:13]), 1),
    "cdist 3": (lambda x: torch.cdist(x.view(2, 2), x.view(2, 2).flip(0) * .5, 3), 1),
    "cdist 0.5": (lambda x: torch.cdist(x.view(2, 2), x.view(2, 2).flip(0) * .5, .5), 1),
    "cdist inf": (lambda x: torch.cdist(x.view(2, 2), x.view(2, 2).flip(0) * .5, float("inf")), 1),
    "cdist by products": (lambda x: torch.cdist(torch.arange(1, 31)[:, None] * x[:2], x[2:][None]), 1),
    "pdist": (lambda x: F.pdist(x.view(2, 2)), 1),
    "layer_norm": (lambda x: F.layer_norm(x, (4,), eps=0.), 0),
    "group_norm": (lambda x: F.group_norm(x.view(1, 2, 2), 1, eps=0.), 0),
    "instance_norm": (lambda x: F.instance_norm(torch.cat([x, x[:1] * 2, x[:1]]).view(1, 2, 3), eps=0.), 0),
    "rms_norm": (lambda x: F.rms_norm(x, (4,), eps=0.), 0),
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


@pytest.mark.parametrize("size", range(1, 18))
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_norms_of_every_length(size, dtype, sign):
    check(torch.linalg.vector_norm, 1, [1.5 - k % 5 / 2 for k in range(size)], dtype, sign)
    check(lambda x: torch.cdist(x[None], 2 * x[None] + x.flip(0)), 1, [1.5 - k % 5 / 2 for k in range(size)], dtype,
          sign)


@pytest.mark.parametrize("norm", [
    lambda x: F.layer_norm(x, (4,), 2 * torch.ones_like(x), eps=1e-30), lambda x: F.rms_norm(x, (4,), eps=1e-30),
    lambda x: F.batch_norm(torch.cat([x, x[1:3]]).view(3, 2), None, None, training=True, eps=1e-30),
    lambda x: F.batch_norm(torch.stack([x, x.flip(0)]).view(2, 2, 2), None, None, training=True, eps=1e-30)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_beside_large_numbers_eps_does_not_count(norm, dtype):
    check(norm, 0, REAL, dtype, 1)
    with teaching.without_kernels():
        check(norm, 0, REAL, dtype, 1)


@pytest.mark.parametrize("bad", [float("inf"), float("nan")])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_what_is_not_finite_stays_so(bad, dtype):
    for row in ([1., bad, 2., 3.], [bad, 1., 2., 3.], [1., 2., 3., bad], [bad, bad, 1e30, bad]):
        x = torch.tensor([row], dtype=dtype)
        for ways in (contextlib.nullcontext, teaching.without_kernels):
            with ways():
                assert x.std().isnan() and F.layer_norm(x, (4,)).isnan().any()
                assert not torch.cdist(x, x * 0).isfinite().any()


def test_renorm_of_large_numbers():
    check(lambda x: x.view(2, 2).renorm(2, 0, 1.), 0, REAL, torch.float32, 1)


@pytest.mark.parametrize("x", [5e-324, -1e-310, 1e308, 0.])
def test_the_angle_of_a_real_number_is_constant(x):
    x = torch.tensor([x], dtype=torch.float64, requires_grad=True)
    slope, = torch.autograd.grad(torch.angle(x), x, create_graph=True)
    second, = torch.autograd.grad(slope, x)
    assert slope.tolist() == second.tolist() == [0]
