"""Numbers whose squares overflow or vanish: results and gradients that are themselves within the dtype are right.

What scales with its operand is known at every magnitude from what it is at 1: f(s x) = s^k f(x), with the gradient
s^(k-1) f'(x), exactly so for a power of two.
"""

import contextlib

import numpy as np
import pytest

import minigrad as torch
from minigrad import teaching
from minigrad._core.graph import wrap
from minigrad.nn import functional as F
from tests.ops.samples import ROWS
from tests.ops.test_ops import bound, call, flat

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
                assert not torch.cdist(x, x * 0).isfinite().any() and torch.cdist(x, x).isnan().all()


def test_renorm_of_large_numbers():
    check(lambda x: x.view(2, 2).renorm(2, 0, 1.), 0, REAL, torch.float32, 1)
    for scale in (1., 2. ** 100):
        x = torch.tensor(REAL).view(2, 2)
        y, tangent = torch.func.jvp(lambda x: x.renorm(2, 0, 1.), (x * scale,), (x.flip(1),))
        exact = torch.func.jvp(lambda x: x.renorm(2, 0, 1.), (x.double() * scale,), (x.double().flip(1),))
        torch.testing.assert_close(y.double(), exact[0])
        torch.testing.assert_close(tangent.double() * scale, exact[1] * scale, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("x", [5e-324, -1e-310, 1e308, 0.])
def test_the_angle_of_a_real_number_is_constant(x):
    x = torch.tensor([x], dtype=torch.float64, requires_grad=True)
    slope, = torch.autograd.grad(torch.angle(x), x, create_graph=True)
    second, = torch.autograd.grad(slope, x)
    assert slope.tolist() == second.tolist() == [0]


# ------------------------------------------------------------------------------ the table

#: samples of which some result or gradient is inf, nan or lost at 1e30 or 1e-30, though the true one is not, and why
KNOWN = {
    "products of arguments are beyond the limits on the way, though not what they are made into":
        "batch_norm binary_cross_entropy_with_logits cosine_embedding_loss cross_entropy ctc_loss cumprod "
        "gelu_backward group_norm gru gru_cell instance_norm istft l1_loss layer_norm line_deviation "
        "linear_cross_entropy lstm lstm_cell margin_ranking_loss multi_head_attention_forward native_group_norm "
        "native_layer_norm nll_loss norm_backward prod rnn_relu_cell rnn_tanh rnn_tanh_cell "
        "scaled_dot_product_attention scatter_reduce standardized",
    "the function is defined by squares or powers, which PyTorch writes in the same way":
        "corrcoef cov gaussian_nll_loss gradient local_response_norm lp_pool1d lp_pool2d lp_pool3d rms_norm",
    "slopes of complex numbers, with a square that becomes inf + nan i":
        "acos asin atan atanh",
    "products of matrices, or squares of singular values, in a formula":
        "cholesky_inverse cholesky_solve linalg.householder_product linalg.lstsq linalg.lu_solve linalg.pinv "
        "linalg.svd linalg.tensorinv lu_solve svd",
    "a rounding error, of an angle, a coordinate or a gradient of 0, is all that is left":
        "cosine_similarity erfcx_slope expm1 grid_sample sample_order sinc",
}


def as_doubles(array):
    return array.astype(np.result_type(array, np.float64)) if array.dtype.kind in "fc" else array


def outcomes(row, case, dtype, scale, precise):
    """The results and the gradients of a case of numbers in single precision, computed in single or in double."""
    def make(array, requires_grad):
        if array.dtype.kind in "fc":
            array = (array * scale).astype(np.complex64 if array.dtype.kind == "c" else np.float32)
        return wrap(as_doubles(array) if precise else array.copy(), requires_grad)

    inputs, args, kwargs, _ = bound(make, row, case, dtype)
    results = [y for y in flat(call(torch, row, args, kwargs)) if isinstance(y, torch.Tensor)]
    moving = [y for y in results if y.requires_grad]
    weights = [torch.linspace(1, 2, y.numel(), dtype=torch.float64).to(y.dtype).view(y.shape) for y in moving]
    slopes = torch.autograd.grad(moving, inputs, weights, allow_unused=True) if inputs and moving else []
    return [y.numpy(force=True) for y in (*results, *slopes) if y is not None and y.dtype.category > 1]


def is_lost(found, true):
    """Is an entry inf or nan, or not even nearly right, where single precision could hold the true one?"""
    found, true = [np.asarray(as_doubles(x)).reshape(-1).view(np.float64) for x in (found, true)]
    limits = np.finfo(np.float32)
    held = np.abs(true) < limits.max
    near = 0.01 * np.abs(true[held]).max(initial=0) + 4 * limits.smallest_subnormal
    return not (np.abs(found - true)[held] <= near).all()


def loses(row):
    """Does a case of the row lose something at a far magnitude?"""
    for case in row.cases:
        if isinstance(case.kwargs.get("dtype"), str):
            continue
        for dtype in ["float64"] + ["complex128"] * row.complex:
            for scale in (1e30, 1e-30):
                try:
                    true = outcomes(row, case, dtype, scale, True)
                except RuntimeError:                # such as probabilities above 1
                    continue
                if any(map(is_lost, outcomes(row, case, dtype, scale, False), true)):
                    return True
    return False


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted({row.name for row in ROWS if row.grad}))
def test_the_table(name):
    known = {each for names in KNOWN.values() for each in names.split()}
    found = any([loses(row) for row in ROWS if row.name == name and row.grad])
    assert found == (name in known), "take it off the list" if not found else "a number is lost at 1e30 or 1e-30"
