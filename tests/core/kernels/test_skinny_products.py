"""Products of which one dim is long and another short: every form, layout and register, any number of threads."""

import numpy as np
import pytest

import minigrad as torch
from minigrad._core.dispatch.compute import on_arrays
from minigrad._core.kernels.algebra.microkernels import registers
from minigrad.ops.exports import ROWS

SHAPES = [(8, 32771, 10), (3, 9000, 61), (33, 2048, 62), (1, 2000, 600),            # a long k
          (10, 8, 32771), (200, 70, 601), (10, 1, 9001), (2, 120, 5000),            # a long row of the result
          (32771, 8, 10), (5000, 300, 3), (700, 500, 31), (9001, 1, 10),            # many rows
          (2, 771, 1501), (4, 530, 1100), (5, 301, 901), (8, 771, 530),             # few rows, and a matrix
          (9, 63, 258), (20, 301, 401), (128, 257, 270), (13, 310, 290), (32, 801, 131)]    # some rows, and a matrix
LAYOUTS = {"rows": lambda a: a, "columns": np.asfortranarray,
           "rows with gaps": lambda a: np.pad(a, ((0, 0), (0, 3)))[:, :-3],
           "columns with gaps": lambda a: np.pad(a, ((0, 3), (0, 0))).T.copy().T[:-3]}


@pytest.fixture(params=[64, 32, 16])
def size(request):
    """The vector registers of this size, where the processor has them."""
    before = registers(request.param)
    yield request.param
    registers(before)


def product(a, b, threads):
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        return on_arrays(ROWS["mm"], a, b)
    finally:
        torch.set_num_threads(before)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.drawn
def test_every_form_and_layout(size, shape, dtype):
    m, k, n = shape
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((m, k)).astype(dtype), rng.standard_normal((k, n)).astype(dtype)
    exact, bound = a.astype(float) @ b.astype(float), abs(a).astype(float) @ abs(b).astype(float)
    for left in LAYOUTS.values():
        for right in LAYOUTS.values():
            found = product(left(a), right(b), 1)
            assert found.dtype == dtype and found.flags.c_contiguous
            assert (abs(found - exact) <= 2 * k**0.5 * np.finfo(dtype).eps * bound).all()
            again = product(left(a), right(b), 3)
            assert (abs(again - exact) <= 2 * k**0.5 * np.finfo(dtype).eps * bound).all()
            if not np.array_equal(again, found):
                assert any(np.array_equal(found, way) for way in ways_of_blas(a, b)), "our own loops give the same bits"


def ways_of_blas(a, b):
    """What BLAS gives in one thread, however it is asked: it rounds by the shapes of the parts that it is given."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        lying = np.ascontiguousarray, np.asfortranarray
        return [way for p in lying for q in lying for way in (p(a) @ q(b), (q(b).T @ p(a).T).T)]
    finally:
        torch.set_num_threads(before)


@pytest.mark.parametrize("shape", [(8, 32771, 10), (10, 8, 32771), (32771, 8, 10)], ids=str)
def test_a_number_that_is_not_finite_stays_in_its_row_or_column(size, shape):
    m, k, n = shape
    for value in (np.inf, np.nan):
        for layout in LAYOUTS.values():
            a, b = np.ones((m, k), "float32"), np.ones((k, n), "float32")
            a[-1, -1] = value
            found = product(layout(a), layout(b), 1)
            assert not np.isfinite(found[-1]).any() and np.isfinite(found[:-1]).all()
            a[-1, -1], b[-1, -1] = 1, value
            found = product(layout(a), layout(b), 1)
            assert not np.isfinite(found[:, -1]).any() and np.isfinite(found[:, :-1]).all()


@pytest.mark.parametrize("leading", [(20,), (4, 5), (2, 1, 10), (1, 20), (2, 3, 5)])
def test_a_layer_of_some_rows_that_follow_each_other(leading):
    """BLAS multiplies them by the weight as it lies, where that is one product."""
    rng = np.random.default_rng(0)
    x, w = rng.standard_normal((*leading, 64)).astype("float32"), rng.standard_normal((256, 64)).astype("float32")
    exact = x.astype(float) @ w.T.astype(float)
    whole, given = torch.zeros(*leading[:-1], 2 * leading[-1], 70), torch.tensor(w)
    for layout in (torch.tensor(x), whole[..., :leading[-1], 3:67], whole[..., ::2, :64]):
        found = torch.matmul(layout.copy_(torch.tensor(x)), given.t())
        np.testing.assert_allclose(found.numpy(), exact, atol=2e-5)
        assert found.is_contiguous() and found.dtype is torch.float32
    same = torch.tensor(x).expand(3, *x.shape)
    for found in torch.matmul(same, given.t()):
        np.testing.assert_allclose(found.numpy(), exact, atol=2e-5)


def test_the_gradients_of_a_layer():
    rng = np.random.default_rng(0)
    x, w, b, d = [torch.tensor(rng.standard_normal(shape)) for shape in ((8, 32768), (10, 32768), (10,), (8, 10))]
    inputs = [each.requires_grad_() for each in (x, w, b)]
    y = torch.nn.functional.linear(*inputs)
    np.testing.assert_allclose(y.detach().numpy(), x.detach().numpy() @ w.detach().numpy().T + b.detach().numpy())
    of_x, of_w, of_b = torch.autograd.grad(y, inputs, d)
    np.testing.assert_allclose(of_x.numpy(), d.numpy() @ w.detach().numpy(), atol=1e-12)
    np.testing.assert_allclose(of_w.numpy(), d.numpy().T @ x.detach().numpy(), atol=1e-12)
    np.testing.assert_allclose(of_b.numpy(), d.numpy().sum(0), atol=1e-12)
