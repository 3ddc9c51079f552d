"""Sums, means and running totals of many float32 numbers, along every axis, in every layout, and in gradients.

Half a million terms added up one by one lose two to three of seven digits; here none of them may.
"""

import contextlib

import numpy as np
import pytest

import minigrad
from minigrad import teaching
from minigrad._core.kernels.reductions.array_sums import running, total
from minigrad.func import vmap
from minigrad.nn import functional

N = 480_000
CLOSE = 5e-7                    # a few units in the last place of float32
X = (np.random.default_rng(0).random(N) + 0.5).astype(np.float32)
NEAR_ONE = (1 + (np.random.default_rng(1).random(N) - 0.5) * 1e-3).astype(np.float32)

LAYOUTS = {
    "one dim": lambda x: x,
    "tall": lambda x: x.reshape(-1, 2),
    "narrow": lambda x: x.reshape(-1, 48),
    "wide": lambda x: x.reshape(2, -1),
    "square": lambda x: x.reshape(600, 800),
    "batch": lambda x: x.reshape(-1, 4, 10),
    "middle": lambda x: x.reshape(4, -1, 3),
    "transposed": lambda x: x.reshape(-1, 2).T,
    "turned": lambda x: x.reshape(-1, 4, 10).transpose(1, 2, 0),
    "every second": lambda x: x[::2],
    "columns": lambda x: x.reshape(-1, 4)[:, 1:3],
    "backwards": lambda x: x.reshape(-1, 2)[::-1],
    "expanded": lambda x: np.broadcast_to(x[:1000, None], (1000, 700)),
    "odd": lambda x: x[:479_987].reshape(-1, 1),
}


def error(actual, expected):
    """The greatest relative error."""
    actual = actual.numpy(force=True) if hasattr(actual, "numpy") else np.asarray(actual)
    assert actual.dtype in (np.float32, np.complex64) and actual.shape == np.shape(expected)
    return float(np.max(np.abs(actual - np.asarray(expected)) / np.abs(expected)))


def axes_of(array):
    """Every set of axes, as torch and NumPy take them."""
    return [tuple(i for i in range(array.ndim) if bits >> i & 1) for bits in range(1, 2**array.ndim)]


def tensor(array):
    return minigrad.from_numpy(array) if array.flags.writeable else minigrad.tensor(1.).expand(array.shape)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("keepdims", [False, True])
def test_sums_over_any_axes_in_any_layout(layout, keepdims):
    x = LAYOUTS[layout](X)
    for axes in axes_of(x):
        assert error(total(x, axes, keepdims), x.sum(axes, dtype=np.float64, keepdims=keepdims)) < CLOSE, axes


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128", "int32", "bool", "float16"])
@pytest.mark.parametrize("shape", [(), (0,), (3, 0), (5,), (1, 1), (7, 1, 3), (2, 3, 4, 5), (17, 33), (40, 2), (9, 3)])
def test_the_sum_is_that_of_numpy(shape, dtype):
    x = np.asarray(np.random.default_rng(2).integers(0, 7, shape)).astype(dtype)
    for array in (x, x.T, x[::-1] if x.ndim else x, np.asarray(x[..., :2] if x.ndim else x)):
        for axes in [*axes_of(array), (), None]:
            found = total(array, axes, False)
            expected = np.asarray(array.sum(axes, dtype=np.int64 if dtype in ("int32", "bool") else None))
            assert type(found) is np.ndarray and found.dtype == expected.dtype
            np.testing.assert_array_equal(found, expected)
            assert total(array, axes, True).shape == array.sum(axes, keepdims=True).shape


def test_the_twenty_millionth_one_counts():
    assert minigrad.ones(1).expand(20_000_000, 2).sum(0).tolist() == [20_000_000] * 2


@pytest.mark.parametrize("op, expected", [
    ("sum", lambda x, axis: x.sum(axis)), ("mean", lambda x, axis: x.mean(axis)),
    ("var", lambda x, axis: x.var(axis, ddof=1)), ("std", lambda x, axis: x.std(axis, ddof=1)),
    ("norm", lambda x, axis: np.sqrt((x * x).sum(axis))), ("nansum", lambda x, axis: x.sum(axis)),
    ("logsumexp", lambda x, axis: np.log(np.exp(x).sum(axis)))])
@pytest.mark.parametrize("layout", ["tall", "narrow", "transposed", "columns"])
def test_reductions(op, expected, layout):
    x = LAYOUTS[layout](X)
    for axis in (0, 1):
        assert error(getattr(tensor(x), op)(dim=axis), expected(x.astype(np.float64), axis)) < CLOSE


@pytest.mark.parametrize("offset", [0, 1000, 1e5])
def test_the_variance_of_large_numbers(offset):
    x = (X[:100_000] + np.float32(offset)).astype(np.float32)
    assert error(tensor(x).var(), x.astype(np.float64).var(ddof=1)) < CLOSE


@pytest.mark.parametrize("value", [0.1, 1e-3, 12345.678])
def test_equal_numbers_vary_by_nothing(value):
    assert minigrad.full((7, 3), value).var(0).tolist() == minigrad.full((7, 3), value).std(0).tolist() == [0, 0, 0]


@pytest.mark.parametrize("layout", ["one dim", "tall", "wide", "narrow", "transposed", "middle", "backwards"])
def test_running_totals(layout):
    x, near = LAYOUTS[layout](X), LAYOUTS[layout](NEAR_ONE)
    for axis in range(x.ndim):
        assert error(tensor(x.copy()).cumsum(axis), np.cumsum(x, axis, dtype=np.float64)) < CLOSE
        assert error(tensor(near.copy()).cumprod(axis), np.cumprod(near, axis, dtype=np.float64)) < CLOSE


@pytest.mark.parametrize("layout", [name for name in LAYOUTS if name != "expanded"])
def test_products(layout):
    x = LAYOUTS[layout](NEAR_ONE)
    expected = np.prod(x, dtype=np.float64)
    assert error(tensor(x.copy()).prod(), expected) < CLOSE
    for axis in range(x.ndim):
        expected = np.prod(x, axis, dtype=np.float64)
        assert error(tensor(x.copy()).prod(axis), expected) < CLOSE
        with teaching.without_kernels():
            assert error(tensor(x.copy()).prod(axis), expected) < CLOSE
    z = np.exp(1j * x[..., :1000]).astype(np.complex64)
    assert error(tensor(z).prod(0), np.prod(z, 0, dtype=np.complex128)) < CLOSE


@pytest.mark.parametrize("dtype", ["float32", "float64", "int8", "uint8", "int16", "int32", "int64", "bool"])
@pytest.mark.parametrize("shape", [(1,), (31,), (32,), (33,), (70,), (2000,), (7, 3), (90, 3), (33, 15), (5, 16),
                                   (130, 17), (3, 513), (9, 1100), (2, 40, 5)])
def test_the_product_is_that_of_numpy(shape, dtype):
    x = np.ones(shape, dtype)
    x.reshape(-1)[np.random.default_rng(4).integers(0, x.size, 10)] = 3     # the product of all is a float32
    for axis in [None, *range(x.ndim)]:
        expected = np.prod(x, axis, dtype=None if x.dtype.kind == "f" else np.int64)
        found = minigrad.from_numpy(x).prod() if axis is None else minigrad.from_numpy(x).prod(axis)
        assert found.numpy().dtype == expected.dtype
        np.testing.assert_array_equal(found.numpy(), expected)


def test_a_product_on_its_way_may_be_beyond_its_dtype():
    x = minigrad.tensor([1e30, 1e30, 1e-30, 1e-30] * 20)
    for found in (x.prod(), x.view(-1, 4).prod(1)[0], x.view(-1, 4).T.contiguous().prod(0)[0]):
        assert error(found, 1) < 1e-5


def test_running_complex_totals():
    x = np.add(X[:100_000], 1j * X[100_000:200_000])
    assert error(tensor(x).cumsum(0), np.cumsum(x, dtype=np.complex128)) < CLOSE


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("shape", [(3, 4, 5), (2, 1, 600), (4, 0, 2)])
def test_the_recurrence(shape, axis, backwards):
    b, a = np.random.default_rng(3).random((2, *shape))
    expected, s = np.zeros(shape), 0
    rows = range(shape[axis])
    for i in reversed(rows) if backwards else rows:
        at = (slice(None),) * axis + (i,)
        expected[at] = s = b[at] + a[at] * s
    np.testing.assert_allclose(running("recurrence", b, a, axis, backwards), expected)


def grad(f, x):
    x.requires_grad_()
    f(x).backward()
    return x.grad


def with_create_graph(f, x):
    return minigrad.autograd.grad(f(x.requires_grad_()), x, create_graph=True)[0]


def with_func(f, x):
    return minigrad.func.grad(f)(x)


@pytest.mark.parametrize("grad", [grad, with_create_graph, with_func])
def test_gradients_of_what_was_broadcast(grad):
    x, wide = X.reshape(-1, 2), X.astype(np.float64)
    columns, batch, sums = tensor(x), tensor(X.reshape(-1, 4, 10)), wide.reshape(-1, 2).sum(0)
    assert error(grad(lambda b: ((columns + b) * columns).sum(), minigrad.zeros(2)), sums) < CLOSE
    assert error(grad(lambda b: ((columns + b) * columns).sum(), minigrad.zeros(1, 1)), [[wide.sum()]]) < CLOSE
    assert error(grad(lambda b: ((columns + b) * columns).sum(), minigrad.zeros(())), wide.sum()) < CLOSE
    assert error(grad(lambda b: (b.expand(N // 2, 2) * columns).sum(), minigrad.zeros(2)), sums) < CLOSE
    assert error(grad(lambda b: ((batch + b) * batch).sum(), minigrad.zeros(1, 4, 1)),
                 wide.reshape(-1, 4, 10).sum((0, 2)).reshape(1, 4, 1)) < CLOSE
    assert error(grad(lambda b: (b.repeat(N // 2, 1) * columns).sum(), minigrad.zeros(1, 2)), sums[None]) < CLOSE


def test_gradients_of_what_as_strided_repeats():
    x, wide = tensor(X), X.astype(np.float64)
    assert error(grad(lambda b: (b.as_strided((N,), (0,)) * x).sum(), minigrad.zeros(1)), [wide.sum()]) < CLOSE
    pairs = wide.reshape(-1, 2).sum(0)
    for ways in (contextlib.nullcontext, teaching.without_kernels):
        with ways():
            assert error(grad(lambda b: (b.as_strided((N // 2, 2), (0, 1)) * x.view(-1, 2)).sum(), minigrad.zeros(2)),
                         pairs) < CLOSE


def test_means_of_long_windows():
    x, wide = tensor(X), X.astype(np.float64)
    for n in (31, 32, 127, 128, 129, 1000, N):
        expected = wide[:N // n * n].reshape(1, -1, n).mean(2)
        assert error(functional.avg_pool1d(x[None], n), expected) < CLOSE
    assert error(functional.adaptive_avg_pool1d(x[None], 1), wide.reshape(1, 1, N).mean(2)) < CLOSE
    assert error(functional.adaptive_avg_pool2d(x.view(1, 600, 800), (1, 2)),
                 wide.reshape(1, 1, 600, 2, 400).mean((2, 4))) < CLOSE


@pytest.mark.parametrize("p", [1., 2., 3.])
def test_distances_in_many_dims(p):
    x, y = X[:100_000], X[100_000:200_000]
    expected = (np.abs(x.astype(np.float64) - y) ** p).sum() ** (1 / p)
    assert error(minigrad.cdist(tensor(x[None]), tensor(y[None]), p), [[expected]]) < CLOSE
    assert error(functional.pdist(tensor(np.stack([x, y])), p), [expected]) < CLOSE


def test_gradients_of_running_totals():
    x = tensor(X)
    assert error(grad(lambda c: (c.cumsum(0) * x).sum(), minigrad.ones(N))[:1], [X.sum(dtype=np.float64)]) < CLOSE
    near, weights = NEAR_ONE[:100_000].astype(np.float64), X[:100_000].astype(np.float64)
    expected = np.cumsum((np.cumprod(near) * weights)[::-1])[::-1] / near
    start = tensor(NEAR_ONE[:100_000].copy())
    assert error(grad(lambda c: (c.cumprod(0) * x[:100_000]).sum(), start), expected) < CLOSE


def test_under_vmap_and_in_forward_mode():
    x = tensor(X).reshape(2, -1, 2)
    expected = X.astype(np.float64).reshape(2, -1, 2).sum(1)
    assert error(vmap(lambda t: t.sum(0))(x), expected) < CLOSE
    assert error(minigrad.func.jvp(lambda t: t.sum(1), (x,), (x,))[1], expected) < CLOSE


@pytest.mark.parity
@pytest.mark.parametrize("layout", ["tall", "narrow", "middle", "transposed", "columns"])
def test_no_worse_than_torch(layout):
    torch = pytest.importorskip("torch")
    x = LAYOUTS[layout](X)
    for name in ("sum", "mean", "var", "std"):
        for axis in range(x.ndim):
            expected = getattr(tensor(x.astype(np.float64)), name)(dim=axis).numpy()
            ours, theirs = (error(getattr(make(x), name)(dim=axis), expected) for make in (tensor, torch.from_numpy))
            assert ours <= theirs + 3e-7, (name, axis)


@pytest.mark.parametrize("layout", ["one dim", "tall", "wide", "middle"])
@pytest.mark.parametrize("dtype", ["float32", "complex64"])
@pytest.mark.drawn
def test_running_totals_of_exponentials(layout, dtype):
    x = LAYOUTS[layout](X[:120_000])
    expected = np.logaddexp.accumulate(x.astype(np.float64), axis=0)
    found = minigrad.logcumsumexp(tensor(x.astype(dtype)), 0)
    assert error(found, expected) < CLOSE
    with teaching.without_kernels():
        assert error(minigrad.logcumsumexp(tensor(x.astype(dtype)), 0), expected) < CLOSE
    if dtype == "float32":
        found, exact = [grad(lambda c: c.logcumsumexp(0).sum(), tensor(x.astype(kind)))[0] for kind in (dtype, "f8")]
        assert error(found, exact.numpy()) < 2 * CLOSE
