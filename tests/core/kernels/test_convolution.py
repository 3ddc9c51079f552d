"""Convolutions in C against those in NumPy: all three sums, vector registers of all sizes, any number of threads."""

import numpy as np
import pytest

from minigrad import get_num_threads, set_num_threads
from minigrad._core.dispatch.compute import on_arrays, on_arrays_general, on_arrays_in_c
from minigrad._core.kernels.algebra.microkernels import registers
from minigrad.ops.windows.convolution import convolve, convolve_back, convolve_weight
from minigrad.ops.windows.folding import columns_of, image_of

LARGEST = registers(64)
registers(LARGEST)


@pytest.fixture(params=[64, 32, 16])
def size(request):
    """The registers of this size, where the processor has them."""
    before = registers(request.param)
    yield request.param
    registers(before)


@pytest.fixture(params=[1, 3])
def threads(request):
    before = get_num_threads()
    set_num_threads(request.param)
    yield request.param
    set_num_threads(before)


def problem(rng, n):
    """The shapes of an input, a weight and a result, and the options; small and large ones, with any padding."""
    few = rng.random() < 0.5
    groups = int(rng.choice([1, 1, 2, 3]))
    channels, outputs = rng.integers(1, 4 if few else 20, 2) if rng.random() < 0.8 else (1, 1)
    kernel = [int(rng.integers(1, 5 if n < 3 else 4)) for _ in range(n)]
    stride, dilation = [[int(rng.choice([1, 1, 2, 3])) for _ in range(n)] for _ in range(2)]
    padding = [int(rng.choice([0, 0, 1, 2, 4])) for _ in range(n)]
    sizes = [int(rng.integers(1, 10 if few else (400, 40, 9)[n - 1])) for _ in range(n)]
    sizes = [max(m, (k - 1) * d + 1 - 2 * a) for m, k, d, a in zip(sizes, kernel, dilation, padding)]
    places = [(m + 2 * a - (k - 1) * d - 1) // s + 1
              for m, k, s, a, d in zip(sizes, kernel, stride, padding, dilation)]
    images = int(rng.integers(1, 9))
    return ((images, int(channels) * groups, *sizes), (int(outputs) * groups, int(channels), *kernel),
            (images, int(outputs) * groups, *places), (tuple(stride), tuple(padding), tuple(dilation), groups))


def calls(rng, n, dtype):
    """The three rows with the arguments of one problem."""
    x, w, y, options = problem(rng, n)

    def drawn(shape):
        return np.asarray(rng.standard_normal(shape), dtype)
    for shape in (None, y[1:2]):
        yield convolve, (drawn(x), drawn(w), None if shape is None else drawn(shape), y, *options)
    for shape in (None, x[1:2]):
        yield convolve_back, (drawn(y), drawn(w), None if shape is None else drawn(shape), x, *options)
    yield convolve_weight, (drawn(x), drawn(y), w, *options)


def close(a, b, what):
    assert a.dtype == b.dtype and a.shape == b.shape, what
    scale = max(1, abs(b).max())
    tolerance = 2e-5 if a.dtype == np.float32 else 1e-12
    np.testing.assert_allclose(a / scale, b / scale, rtol=tolerance, atol=tolerance, err_msg=what)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_loops_in_c_give_what_numpy_gives(n, dtype, size):
    rng = np.random.default_rng(n)
    for _ in range(12):
        for op, args in calls(rng, n, dtype):
            what = f"{op.name} {[x.shape if isinstance(x, np.ndarray) else x for x in args]}"
            close(on_arrays_in_c(op, *args), on_arrays_general(op, *args), what)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_windows_are_written_down_and_added_up_as_numpy_does_it(dtype, threads):
    rng = np.random.default_rng(0)
    for _ in range(30):
        x, w, y, (stride, padding, dilation, _) = problem(rng, 2)
        options = (w[2:], dilation, padding, stride)
        images = np.asarray(rng.standard_normal(x), dtype)
        for given in (images, images[0], images[:, :, ::-1], images[:0]):
            columns = on_arrays_general(columns_of, given, *options)
            found = on_arrays_in_c(columns_of, given, *options)
            assert found.dtype == columns.dtype and np.array_equal(found, columns), options
            columns = np.asarray(rng.standard_normal(columns.shape), dtype)
            if columns.size:
                close(on_arrays_in_c(image_of, columns, given.shape, *options),
                      on_arrays_general(image_of, columns, given.shape, *options), str(options))


def test_no_number_depends_on_the_number_of_threads(threads):
    rng = np.random.default_rng(0)
    x, w = np.float32(rng.standard_normal((5, 8, 30, 30))), np.float32(rng.standard_normal((40, 8, 3, 3)))
    y = np.float32(rng.standard_normal((5, 40, 30, 30)))
    options = ((1, 1), (1, 1), (1, 1), 1)
    found = [on_arrays(convolve, x, w, None, y.shape, *options),
             on_arrays(convolve, x[:1], w, None, y[:1].shape, *options),
             on_arrays(convolve_back, y, w, None, x.shape, *options),
             on_arrays(convolve_weight, x, y, w.shape, *options)]
    set_num_threads(1)
    alone = [on_arrays(convolve, x, w, None, y.shape, *options),
             on_arrays(convolve, x[:1], w, None, y[:1].shape, *options),
             on_arrays(convolve_back, y, w, None, x.shape, *options),
             on_arrays(convolve_weight, x, y, w.shape, *options)]
    for a, b in zip(found, alone):
        assert np.array_equal(a, b)


@pytest.mark.parametrize("wrong", [np.inf, -np.inf, np.nan])
def test_what_is_not_finite_reaches_the_windows_that_read_it_and_no_others(wrong, size):
    rng = np.random.default_rng(0)
    for padding, stride in (((0, 0), (1, 1)), ((1, 2), (1, 1)), ((1, 0), (2, 2))):
        x, w = rng.standard_normal((2, 2, 7, 6)), rng.standard_normal((3, 2, 3, 2))
        places = [(n + 2 * a - k) // s + 1 for n, a, k, s in zip((7, 6), padding, (3, 2), stride)]
        y, options = rng.standard_normal((2, 3, *places)), (stride, padding, (1, 1), 1)
        for where in (x, w, y):
            kept = where.flat[5]
            where.flat[5] = wrong
            for op, args in ((convolve, (x, w, None, y.shape, *options)),
                             (convolve_back, (y, w, None, x.shape, *options)),
                             (convolve_weight, (x, y, w.shape, *options))):
                with np.errstate(all="ignore"):
                    np.testing.assert_allclose(on_arrays(op, *args), on_arrays_general(op, *args), rtol=1e-10,
                                               atol=1e-12)
            where.flat[5] = kept


def test_arrays_of_any_layout():
    rng = np.random.default_rng(0)
    x, w = rng.standard_normal((2, 4, 7, 6)), rng.standard_normal((3, 4, 3, 2))
    y, options = rng.standard_normal((2, 3, 5, 5)), ((1, 1), (0, 0), (1, 1), 1)
    expected = on_arrays_general(convolve, x, w, None, y.shape, *options)
    for change in (lambda a: np.asfortranarray(a), lambda a: a[::-1, ::-1].copy()[::-1, ::-1],
                   lambda a: np.repeat(a, 2, -1)[..., ::2], lambda a: a.astype(a.dtype.newbyteorder())):
        close(on_arrays(convolve, change(x), change(w), None, y.shape, *options).astype(np.float64), expected, "")


def test_an_image_that_would_be_mostly_zeros_is_left_to_numpy():
    """Between the two numbers and the elements of the kernel there are a million zeros of the padding."""
    rng = np.random.default_rng(0)
    x, w, y, options = np.array([[[3., 4.]]]), rng.standard_normal((1, 1, 3)), np.ones((1, 1, 2)), ((1,), (10**6,),
                                                                                                    (10**6,), 1)
    for op, args in ((convolve, (x, w, None, y.shape, *options)), (convolve_back, (y, w, None, x.shape, *options)),
                     (convolve_weight, (x, y, w.shape, *options))):
        assert on_arrays_in_c(op, *args) is None
    assert np.array_equal(on_arrays(convolve, x, w, None, y.shape, *options), x * w[0, 0, 1])


@pytest.mark.parametrize("bias", [np.ones(3, np.float32), np.ones(2), np.ones((3, 1)), np.ones(())])
def test_a_bias_that_does_not_fit_is_declined(bias):
    x, w, options = np.ones((1, 2, 4)), np.ones((3, 2, 2)), ((1,), (0,), (1,), 1)
    assert on_arrays_in_c(convolve, x, w, np.ones(3), (1, 3, 3), *options) is not None
    assert on_arrays_in_c(convolve, x, w, bias, (1, 3, 3), *options) is None
    assert on_arrays_in_c(convolve, x[0, 0], w[0, 0], np.ones(1), (1,), (), (), (), 1) is None


def test_a_kernel_that_is_mostly_gaps_is_not_laid_out():
    """Its elements lie so far apart that an image would be laid out with a million zeros."""
    x, w = np.ones((1, 1, 2)), np.ones((1, 1, 2))
    options = ((1,), (10**6,), (10**6,), 1)
    size = (1, 1, 2 + 10**6)
    out = on_arrays(convolve, x, w, None, size, *options)
    assert out.sum() == on_arrays_general(convolve, x, w, None, size, *options).sum() > 0
