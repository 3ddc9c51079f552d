"""NumPy's functions of arrays, on random inputs: the same numbers for a tensor, and the gradient."""

import re
import warnings

import numpy as np
import pytest

import minigrad
from minigrad import Tensor
from minigrad.autograd import gradcheck
from minigrad.numpy_interface import functions
from tests.checking import refuses

RANDOM = np.random.default_rng(7)
ARRAYS = {
    "a": RANDOM.normal(size=(3, 4)), "b": RANDOM.normal(size=(3, 4)), "v": RANDOM.normal(size=5),
    "w": RANDOM.normal(size=3), "u": RANDOM.normal(size=3), "c": RANDOM.normal(size=(2, 3, 4)),
    "n": np.where(RANDOM.random((3, 4)) < 0.3, np.nan, RANDOM.normal(size=(3, 4))),
    "p": RANDOM.uniform(0.5, 2, (3, 4)), "up": np.cumsum(RANDOM.uniform(0.2, 1, 5)), "q5": RANDOM.uniform(0.1, 1, 5),
    "M": RANDOM.normal(size=(3, 3)) + 4 * np.eye(3), "z": np.array([0., 0., 1.5, -2., 0., 3., 0.]),
    "s": np.array(1.3), "t": np.array(4.1), "h": RANDOM.normal(size=40),
}

#: expressions that are computed with arrays and with tensors; their gradients are checked
DIFFERENTIABLE = """
np.append(a, b)   np.append(a, b, axis=1)   np.append(v, 2.5)   np.append(v, [1., 2.])   np.delete(a, 1)
np.delete(a, [0, 2], axis=1)   np.delete(v, slice(1, 3))   np.delete(a, -1, 0)   np.insert(v, 2, 7.)
np.insert(v, [1, 3], w[:2])   np.insert(a, 1, b[:, 0], axis=1)   np.insert(a, [1, 1], 5., axis=0)
np.resize(a, (2, 7))   np.resize(v, 3)   np.rollaxis(c, 2)   np.rollaxis(c, 0, 3)   np.pad(v, 2)
np.pad(a, ((1, 0), (2, 3)), constant_values=4.)   np.pad(v, (3, 2), 'edge')   np.pad(a, 2, 'reflect')
np.pad(a, (1, 4), 'symmetric')   np.pad(v, 7, mode='wrap')   np.pad(v, 1, 'constant', constant_values=(3., -1.))
np.extract(p > 1, a)   np.compress([True, False, True], a, axis=0)   np.compress([0, 1, 1, 0], v)
np.partition(h, 5)[5]   np.choose([0, 1, 1, 0], [a, b])   np.select([a > 0, b > 0], [a, b * 2])
np.select([a > 1], [a], -3.)   np.block([[a, b], [b, a]])   np.block([a, b])   np.union1d(w, v)
np.intersect1d(np.concatenate([v, w]), w)   np.setdiff1d(np.concatenate([v, w]), w)   np.setxor1d(v, w)   np.median(a)
np.median(a, axis=0)   np.median(a, 1, keepdims=True)   np.median(c, axis=(0, 2))   np.median(n, axis=0)
np.nanmedian(n)   np.nanmedian(n, axis=1)   np.quantile(a, 0.3)   np.quantile(a, [0.1, 0.5], axis=1)
np.quantile(a, [[0.2], [1.]], axis=0, keepdims=True)   np.quantile(v, 0.7, method='lower')
np.quantile(v, 0.7, method='higher')   np.quantile(v, 0.4, method='midpoint')   np.quantile(v, 0.7, method='nearest')
np.percentile(a, 30)   np.percentile(a, [5, 95], axis=0)   np.nanquantile(n, 0.4, axis=0)
np.nanpercentile(n, [20, 70])   np.nanmax(n)   np.nanmax(n, axis=0)   np.nanmin(n, axis=1, keepdims=True)
np.nanprod(n)   np.nanprod(n, axis=1)   np.nancumsum(n)   np.nancumsum(n, axis=1)   np.nancumprod(n, axis=0)
np.nanvar(n)   np.nanvar(n, axis=1, ddof=1)   np.nanstd(n)   np.nanstd(n, axis=1, keepdims=True)
np.nansum(n, axis=0)   np.nanmean(n, axis=1)   np.average(a)   np.average(a, axis=0)   np.average(a, weights=p)
np.average(a, axis=1, weights=p)   np.average(a, axis=0, weights=w + 9)
np.average(a, axis=1, weights=p, returned=True)   np.average(a, 1, keepdims=True)   np.cov(a)   np.cov(a, b)
np.cov(a, rowvar=False)   np.cov(a, bias=True)   np.cov(v)   np.cov(a, aweights=[1, 2, 3, 4])
np.cov(a, fweights=[1, 2, 3, 4], ddof=0)   np.corrcoef(a)   np.corrcoef(a, b)   np.corrcoef(a, rowvar=False)
np.histogram(h, 5, (-2., 2.), weights=h * 2)   np.histogram(h, [-1., 0., 2.], weights=h, density=False)
np.ediff1d(a)   np.ediff1d(v, to_end=[1., 2.], to_begin=0.)   np.diff(a)   np.diff(a, 2, axis=0)
np.diff(v, prepend=0., append=[1.])   np.trapezoid(a)   np.trapezoid(v, up)   np.trapezoid(a, dx=0.3, axis=0)
np.trapezoid(a, p.cumsum(1))   np.gradient(a)   np.gradient(v, 0.5)   np.gradient(a, 2., axis=0)
np.gradient(v, np.array([0., 1., 1.5, 3., 4.]))   np.gradient(a, 0.5, 2.)   np.gradient(v, edge_order=2)
np.gradient(c, axis=(0, 2))   np.interp(q5 * 4, up, v)   np.interp(np.array([0.9, 1.7]), up, v)
np.interp(h, up, v, left=-1., right=9.)   np.unwrap(h * 3)   np.unwrap(a * 4, axis=0)   np.unwrap(h * 3, period=2.)
np.linspace(s, t, 5)   np.linspace(w, u, 4, endpoint=False)   np.linspace(w, u, 3, axis=1)
np.linspace(s, 3., 4, retstep=True)   np.logspace(s, t, 3)   np.logspace(s, 2., 3, base=2.)   np.geomspace(s, t, 4)
np.geomspace(p[0], p[1], 3, axis=-1)   np.convolve(v, w)   np.convolve(w, v, 'same')   np.convolve(v, w, 'valid')
np.convolve(v, v[:4], 'same')   np.correlate(v, w)   np.correlate(v, w, 'full')   np.correlate(w, v, 'same')
np.correlate(w, v, 'full')   np.cross(w, u)   np.cross(a[:, :3], w)   np.cross(a.T, b.T)   np.cross(a, b, axis=0)
np.cross(a, w, axisa=0)   np.vander(w)   np.vander(w, 2)   np.vander(w, increasing=True)
np.linalg.tensordot(a, b, axes=([0], [0]))   np.polyval(w, v)   np.polyval([1., 2.], a)   np.polyadd(w, v)
np.polysub(v, w)   np.polymul(w, v)   np.i0(a)   np.astype(a, np.float64)   np.real_if_close(a)   np.kron(a, w)
np.tensordot(a, b, 2)   np.einsum('ij,ij->i', a, b)   np.tensordot(a, c, ([1], [2]))   np.inner(a, b)   np.outer(v, w)
np.vdot(a, b)   np.dot(a, b.T)   np.dot(a, v[:4])   np.sum(a)   np.sum(c, axis=(0, 2))   np.prod(a, 0)
np.mean(a, axis=1, keepdims=True)   np.max(a, 1)   np.min(a)   np.ptp(a, 0)   np.std(a, ddof=1)
np.var(c, axis=(0, 1))   np.cumsum(a)   np.cumprod(a, 1)   np.cumulative_sum(a, axis=0)   np.sort(a)
np.sort(a, axis=None)   np.sort(c, 1)   np.take(a, [1, 5])   np.take(a, [2, 0], axis=1)
np.take_along_axis(a, np.argsort(ARRAYS['a'], 0), 0)   np.repeat(a, 2)   np.repeat(a, [1, 0, 2], axis=0)
np.tile(a, (2, 1))   np.roll(a, 2)   np.roll(a, (1, -1), axis=(0, 1))   np.rot90(a)   np.rot90(c, 3, (1, 2))
np.flip(a)   np.flip(c, (0, 2))   np.fliplr(a)   np.flipud(a)   np.transpose(c)   np.transpose(c, (1, 2, 0))
np.swapaxes(c, 0, 2)   np.moveaxis(c, 0, -1)   np.expand_dims(a, (0, 2))   np.squeeze(a[None])   np.ravel(a)
np.reshape(a, (4, 3))   np.broadcast_to(w, (2, 3))   np.broadcast_arrays(a, a[0])   np.concatenate([a, b], 1)
np.stack([a, b], -1)   np.vstack([a, b])   np.hstack([a, b])   np.dstack([a, b])   np.column_stack([w, u, M])
np.array_split(v, 2)   np.split(a, 2, axis=1)   np.hsplit(a, 2)   np.vsplit(a, 3)   np.dsplit(c, 2)   np.unstack(a)
np.meshgrid(w, v)   np.meshgrid(w, u, indexing='ij')   np.tril(a, 1)   np.triu(M)   np.diag(w)   np.diag(a, 1)
np.diagflat(w)   np.diagonal(a)   np.trace(M)   np.trace(c, 1, 1, 2)   np.where(a > 0, a, b)   np.clip(a, -0.5, 0.5)
np.nan_to_num(n, nan=2.)   np.sinc(a)   np.around(a * 0, 1)   np.copy(a)   np.atleast_1d(s)   np.atleast_2d(w)
np.atleast_3d(a)   np.real(a)   np.linalg.inv(M)   np.linalg.det(M)   np.linalg.slogdet(M)[1]   np.linalg.solve(M, w)
np.linalg.norm(a)   np.linalg.norm(a, axis=1)   np.linalg.norm(M, 'nuc')   np.linalg.norm(v, 3)   np.linalg.cond(M)
np.linalg.pinv(a)   np.linalg.matrix_power(M, 3)   np.linalg.svdvals(a)   np.linalg.svd(a, compute_uv=False)
np.linalg.eigvalsh(M + M.T)   np.linalg.cholesky(M @ M.T)   np.linalg.qr(M)[1]   np.linalg.multi_dot([a.T, M, b])
np.linalg.vector_norm(a, axis=0)   np.linalg.matrix_norm(M)   np.linalg.cross(w, u)   np.linalg.outer(w, v)
np.linalg.matmul(M, a)   np.linalg.trace(M)   np.linalg.vecdot(a, b)   np.linalg.tensorinv(M, 1)
np.linalg.tensorsolve(M, w)   np.linalg.diagonal(M)   np.amax(a, 0)   np.amin(a)   np.cumulative_prod(a, axis=1)
np.nanprod(n, axis=(0, 1))   np.nanmin(n)   np.round(a * 0)   np.fix(a)   np.linalg.eigh(M + M.T)[0]   np.unique(v)
np.unique(a, axis=0)   np.unique(np.concatenate([w, w]), True, True, True)   np.matrix_transpose(c)
np.linalg.matrix_transpose(c)   np.matmul(M, a)   np.vecdot(a, b)   np.gradient(a, 2.)   np.gradient(a, 1., 2.)
np.interp(v, [2.], [7.])   np.interp(v, [0., 1.], w[:2], left=-1, right=3)   np.average(a, axis=1, weights=p[0])
np.setxor1d(v, w, assume_unique=True)   np.average(a, axis=(0, 1), weights=p)
"""

#: the results are complex, or the gradient is checked elsewhere
VALUES = """
np.fft.fft(v)   np.fft.ifft(v, 4)   np.fft.rfft(a, axis=0)   np.fft.irfft(v)   np.fft.hfft(v)   np.fft.ihfft(v)
np.fft.fft2(a)   np.fft.ifft2(a)   np.fft.rfft2(a)   np.fft.irfft2(a)   np.fft.fftn(c)   np.fft.ifftn(c)
np.fft.rfftn(c)   np.fft.irfftn(c)   np.fft.fft(v, norm='ortho')   np.fft.fftshift(a)   np.fft.ifftshift(a, axes=1)
np.linalg.eigvals(M).sum()   np.angle(a)   np.trim_zeros(z)   np.trim_zeros(z, 'f')   np.trim_zeros(z, trim='b')
np.linalg.eig(M)[0].sum()   np.imag(a + 0j)   np.real_if_close(a + 0j)   np.real_if_close(a + 1j)
"""

#: constant piece by piece: tensors without history, or Python's own answers
CONSTANT = """
np.argmax(a)   np.argmin(a, 1)   np.argsort(v)   np.digitize(v, [-1., 0., 1.])
np.digitize(v, [1., 0., -1.], right=True)   np.searchsorted(up, [1., 2.])   np.nanargmax(n)   np.nanargmin(n, axis=1)
np.lexsort((v, up))   np.iscomplex(a)   np.isreal(a)   np.iscomplexobj(a)   np.isrealobj(a)   np.ix_(np.argsort(v))
np.count_nonzero(a, axis=0)   np.nonzero(z)   np.flatnonzero(z)   np.argwhere(z)   np.all(a, 1)   np.any(a)
np.isclose(a, b)   np.allclose(a, a)   np.array_equal(a, b)   np.array_equiv(a, a)   np.isin(v, w)
np.shares_memory(a, b)   np.may_share_memory(a, b)   np.tril_indices_from(M)   np.triu_indices_from(M, 1)
np.diag_indices_from(M)   np.histogram(h, [-1., 0., 1.])   np.histogram(h, 4, (-2., 2.))   np.linalg.matrix_rank(M)
np.histogram(h, 4, (-2., 2.), density=True)   np.zeros_like(a)   np.ones_like(a)   np.full_like(a, 2.)   np.shape(a)
np.ndim(a)   np.size(a, 1)   np.isposinf(a)   np.isneginf(a)   np.array_repr(v[:0])   np.array2string(v[:0])
np.array_str(v[:0])   np.einsum_path('ij,jk', M, a)[0]   np.unravel_index(np.argsort(w), (2, 3))
np.ravel_multi_index((np.argsort(w), np.argsort(u)), (3, 3))   np.bincount(np.argsort(v))   np.packbits(a > 0)
np.unpackbits(np.packbits(a > 0))   np.result_type(a, v)   np.argpartition(v, 2)[2]   np.nanmax(np.argsort(v))
np.nanmin(np.argsort(a), axis=1, keepdims=True)
"""

#: what prepares arrays gives arrays, as it does for PyTorch's tensors, where no derivative has to pass
AS_ARRAYS = ("np.broadcast_arrays", "np.meshgrid", "np.interp")

#: what NumPy does not do, and says why
REFUSED = """
np.quantile(a, 1.5)   np.average(a, axis=0, weights=w[:2])   np.convolve(v, w, 'other')   np.convolve(v, [])
np.correlate(a, a)   np.gradient(a, 1., 2., 3.)   np.split(a, 3, axis=1)   np.cross(v, v)
"""


def expressions(text):
    return [each.strip() for line in text.strip().splitlines() for each in line.split("   ")]


def evaluated(expression, **instead):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return eval(expression, {"np": np, "ARRAYS": ARRAYS, **ARRAYS, **instead})


def names_in(expression):
    return [name for name in compile(expression, "", "eval").co_names if name in ARRAYS]


def floats_of(result):
    results = result if isinstance(result, (tuple, list)) else [result]
    return [y for y in results if isinstance(y, Tensor) and (y.is_floating_point() or y.is_complex())]


def assert_same(ours, numpys):
    if isinstance(numpys, (tuple, list)) and not isinstance(ours, str):
        assert len(ours) == len(numpys)
        for pair in zip(ours, numpys):
            assert_same(*pair)
    elif isinstance(ours, (Tensor, np.ndarray)):
        assert tuple(ours.shape) == np.shape(numpys)
        array = ours.detach().numpy() if isinstance(ours, Tensor) else ours
        np.testing.assert_allclose(array, numpys, rtol=1e-9, atol=1e-12)
    else:
        assert ours == numpys


@pytest.mark.parametrize("expression", expressions(REFUSED))
def test_the_same_is_refused(expression):
    with pytest.raises(Exception) as of_numpy:
        evaluated(expression)
    words = str(of_numpy.value)[:30]
    with pytest.raises(type(of_numpy.value), match=re.escape(words)):
        evaluated(expression, **{name: minigrad.tensor(ARRAYS[name]) for name in names_in(expression)})


@pytest.mark.parametrize("expression", expressions(DIFFERENTIABLE) + expressions(VALUES) + expressions(CONSTANT))
def test_the_same_numbers(expression):
    tensors = {name: minigrad.tensor(ARRAYS[name]) for name in names_in(expression)}
    result = evaluated(expression, **tensors)
    assert_same(result, evaluated(expression))
    results = result if isinstance(result, tuple) else [result]
    assert all([isinstance(y, np.ndarray) == expression.startswith(AS_ARRAYS) for y in results])


@pytest.mark.parametrize("expression", expressions(DIFFERENTIABLE))
def test_gradients(expression):
    names = names_in(expression)
    tensors = [minigrad.tensor(ARRAYS[name]).nan_to_num(100.).requires_grad_() for name in names]
    missing = [np.isnan(ARRAYS[name]) for name in names]

    def function(*tensors):
        given = [x.masked_fill(minigrad.tensor(gaps), float("nan")) if gaps.any() else x
                 for x, gaps in zip(tensors, missing)]
        results = floats_of(evaluated(expression, **dict(zip(names, given))))
        return tuple([y.nan_to_num(0.) for y in results if y.requires_grad])

    assert gradcheck(function, tensors)


@pytest.mark.parametrize("expression", expressions(CONSTANT))
def test_constants_have_no_history(expression):
    if not names_in(expression):
        return
    tensors = {name: minigrad.tensor(ARRAYS[name]).requires_grad_() for name in names_in(expression)}
    result = evaluated(expression, **tensors)
    assert not any([y.requires_grad for y in floats_of(result)])
    assert_same(result, evaluated(expression))


LEFT = """
np.histogram(a)   np.histogram2d(v, v)   np.histogramdd(a)   np.histogram_bin_edges(a)
np.apply_along_axis(sum, 0, a)   np.apply_over_axes(np.sum, a, [0])   np.piecewise(v, [v > 0], [1., 2.])
np.polyfit(v, v, 1)   np.roots(v)   np.poly(w)   np.polyder(v)   np.polyint(v)   np.polydiv(v, w)
np.pad(v, 1, 'mean')   np.pad(v, 1, 'linear_ramp')   np.quantile(v, 0.5, method='weibull')
np.interp(v, up, v, period=3.)   np.sum(v, where=[True] * 5)   np.sort_complex(v)   np.unique_values(v)
np.linalg.lstsq(a, w)   np.savetxt('/dev/null', v)   np.min_scalar_type(s)   np.gradient(v, up)
"""


@pytest.mark.parametrize("expression", expressions(LEFT))
def test_what_nothing_answers_to_raises_rather_than_lose_a_gradient(expression):
    tensors = {name: minigrad.tensor(ARRAYS[name]).requires_grad_() for name in names_in(expression)}
    with refuses(RuntimeError, "Can't call numpy() on Tensor that requires grad", "MG108"):
        evaluated(expression, sum=sum, **tensors)


def test_empties():
    empty = minigrad.ones(0, 3)
    with np.errstate(all="ignore"):
        for call in (lambda x: np.median(x, axis=0), lambda x: np.median(x, axis=1), lambda x: np.resize(x, (2, 2)),
                     lambda x: np.quantile(x, [0.1, 0.2], axis=1, keepdims=True), lambda x: np.unique(x),
                     lambda x: np.pad(x, 1), lambda x: np.delete(x, [], 0), lambda x: np.union1d(x, x)):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                assert_same(call(empty), call(empty.numpy()))


@pytest.mark.parametrize("expression", ["np.copyto(a, b)", "np.fill_diagonal(a, 1.)", "np.place(a, a > 0, [1.])",
                                        "np.put(a, [0], [1.])", "np.putmask(a, a > 0, 1.)",
                                        "np.put_along_axis(a, np.zeros((1, 4), int), 1., 0)"])
def test_writes_are_refused(expression):
    x = minigrad.tensor(ARRAYS["a"])
    with refuses(RuntimeError, "NumPy would write into the memory of a tensor", "MG210"):
        evaluated(expression, a=x)
    assert x._version == 0 and x.tolist() == ARRAYS["a"].tolist()


def dispatched():
    """The public functions of NumPy's that ask their arguments."""
    for prefix, module in (("", np), ("linalg.", np.linalg), ("fft.", np.fft)):
        for name in dir(module):
            function = getattr(module, name)
            if not name.startswith("_") and type(function).__name__ == "_ArrayFunctionDispatcher":
                yield prefix + name, function


#: functions to which nothing answers, since they compute with functions, files, dates or dtypes, or search for roots
UNANSWERED = {
    "apply_along_axis", "apply_over_axes", "busday_count", "busday_offset", "can_cast", "common_type",
    "datetime_as_string", "histogram2d", "histogram_bin_edges", "histogramdd", "is_busday", "linalg.lstsq",
    "min_scalar_type", "piecewise", "poly", "polyder", "polydiv", "polyfit", "polyint", "roots", "save", "savetxt",
    "savez", "savez_compressed", "sort_complex", "unique_all", "unique_counts", "unique_inverse", "unique_values"}


def test_there_is_a_decision_on_every_function():
    tables = {*functions.OTHERWISE, *functions.LIKE_OURS, *functions.OF_VALUES, *functions.WRITES}
    left = {name for name, function in dispatched() if not {name, functions.name_of(function)} & tables}
    assert left <= UNANSWERED, sorted(left - UNANSWERED)
    tested = DIFFERENTIABLE + VALUES + CONSTANT
    untested = {name for name, function in dispatched() if name in tables - functions.WRITES
                and f"np.{name}(" not in tested}
    assert untested == {"empty_like"}


def test_what_prepares_arrays_takes_tensors_of_several_dtypes_and_what_is_none():
    x, ones = minigrad.arange(3.), np.ones((2, 3))
    first, second, nothing = np.broadcast_arrays(x, ones, None)
    assert first.dtype == np.float32 and first.tolist() == [[0., 1., 2.]] * 2 and nothing.shape == (2, 3)
    columns, rows = np.meshgrid(x, np.arange(2))
    assert (columns.dtype, rows.dtype) == (np.float32, np.int64) and columns.tolist() == [[0., 1., 2.]] * 2
    assert np.interp(0.5, x, 2 * x) == 1. and np.ndim(np.interp(0.5, x, 2 * x)) == 0
    columns, rows = np.meshgrid(x.requires_grad_(), minigrad.arange(2))
    assert columns.requires_grad and columns.dtype is minigrad.float32 and rows.dtype is minigrad.int64
    with refuses(RuntimeError, "Can't call numpy() on Tensor that requires grad", "MG108"):
        np.broadcast_arrays(x, None)


@pytest.mark.parametrize("kind", ["bar", "barh", "plot_surface", "plot_wireframe", "errorbar", "contourf"])
def test_matplotlib_draws_tensors_as_it_draws_arrays(kind):
    figure_of = pytest.importorskip("matplotlib.figure").Figure
    canvas_of = pytest.importorskip("matplotlib.backends.backend_agg").FigureCanvasAgg

    def drawn(x, grid):
        figure = figure_of(figsize=(1, 1))
        canvas = canvas_of(figure)
        axes = figure.add_subplot(projection="3d" if kind.startswith("plot_") else None)
        given = (grid, grid.T, grid) if kind.startswith("plot_") else (grid,) if kind == "contourf" else (x, x + 1)
        getattr(axes, kind)(*given)
        canvas.draw()
        return bytes(canvas.buffer_rgba())

    x, grid = np.arange(3.), np.arange(9.).reshape(3, 3)
    assert drawn(minigrad.tensor(x), minigrad.tensor(grid)) == drawn(x, grid)
