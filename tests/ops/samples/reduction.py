"""Sample calls of the reductions: sums, means, products, extremes, variances, norms, running totals."""

import numpy as np

from tests.ops.sampling import T, case, row

INF = float("inf")
ZEROS = [[1.0, 0.0, 2.0], [0.0, 0.0, 3.0], [4.0, 5.0, -6.0]]      # a column each with one, two and no zeros
TIES = [[1.0, 5.0, 5.0], [5.0, 0.0, -2.0]]
NANS = [[1.0, float("nan"), 2.0], [float("nan"), 3.0, -4.0]]


def axes(dim):
    """PyTorch's ``dim`` as NumPy's ``axis``: an empty tuple means all."""
    return None if dim is None or dim == () else tuple(dim) if isinstance(dim, (tuple, list)) else dim


def reduced(function):
    """A NumPy reduction called as PyTorch calls it."""
    def reference(x, dim=None, keepdim=False, dtype=None):
        return function(x if dtype is None else x.astype(dtype), axis=axes(dim), keepdims=keepdim)
    return reference


def wide(x):
    return x.astype(np.int64) if x.dtype.kind in "biu" else x


def over_dims(by_name=False, **options):
    """The cases that every reduction over several dims has."""
    return [case(T(2, 3, 4, **options), dim, **{"keepdim": keepdim}) if by_name
            else case(T(2, 3, 4, **options), dim, keepdim)
            for dim in (0, -1, (0, 2), (-1, 1), ()) for keepdim in (False, True)]


def over_one_dim(**options):
    """The cases of operations along one dim."""
    return [case(T(3, 4, **options), dim, keepdim) for dim in (0, -1)
            for keepdim in (False, True)] + [case(T(**options), 0)]


def moments(power):
    """var and std by hand, with PyTorch's ways to say the correction."""
    def reference(x, dim=None, unbiased=None, keepdim=False, *, correction=None):
        if isinstance(dim, bool):
            dim, unbiased = None, dim
        correction = correction if correction is not None else 1 if unbiased is None else int(unbiased)
        axis = axes(dim)
        away = np.abs(x - x.mean(axis=axis, keepdims=True)) ** 2
        count = x.size / x.mean(axis=axis).size
        return (away.sum(axis=axis, keepdims=keepdim) / (count - correction)) ** power
    return reference


def moment_and_mean(power):
    def reference(x, dim=None, keepdim=False, correction=1):
        return moments(power)(x, dim, None, keepdim, correction=correction), x.mean(axis=dim, keepdims=keepdim)
    return reference


def log_sum_exp(x, dim, keepdim=False):
    return np.log(np.exp(x).sum(axis=axes(dim), keepdims=keepdim))


def p_norm(x, p=2, dim=None, keepdim=False):
    size = np.abs(x)
    if p == "fro":
        p = 2
    if p in (INF, -INF):
        return (size.max if p > 0 else size.min)(axis=axes(dim), keepdims=keepdim)
    if p == 0:
        return (size != 0).sum(axis=axes(dim), keepdims=keepdim).astype(size.dtype)
    return (size ** p).sum(axis=axes(dim), keepdims=keepdim) ** (1 / p)


def norm_cases(**options):
    return ([case(T(3, 4, **options), p) for p in (1, 2, 3, 1.5, 0.5, -1, INF, -INF)]
            + [case(T(3, 4, **options), p, 1) for p in (1, 2, 3, INF)]
            + [case(T(2, 3, 4, **options), 2, (0, 2), True), case(T(2, 3, **options), 3.0, -1, True)])


def along(function):
    """A NumPy function with ``axis`` as one with ``dim``."""
    return lambda x, dim, **kwargs: function(x, axis=dim, **kwargs) if x.ndim else x


def running_index(better):
    """cummax and cummin entry by entry."""
    def reference(x, dim):
        if not x.ndim:
            return x, np.zeros((), np.int64)
        lines = np.moveaxis(x, dim, -1)
        values, indices = np.empty(lines.shape, x.dtype), np.empty(lines.shape, np.int64)
        for place in np.ndindex(lines.shape[:-1]):
            best = 0
            for i, entry in enumerate(lines[place]):
                if better(entry, lines[place][best]):
                    best = i
                values[place][i], indices[place][i] = lines[place][best], best
        return np.moveaxis(values, -1, dim), np.moveaxis(indices, -1, dim)
    return reference


def picked(function, arg):
    """max and min: of all entries, or along a dim with the index."""
    def reference(x, dim=None, keepdim=False):
        if dim is None:
            return function(x)
        if not x.ndim:
            return x, np.zeros((), np.int64)
        return function(x, axis=dim, keepdims=keepdim), arg(x, axis=dim, keepdims=keepdim)
    return reference


def least_and_greatest(x, *, dim=None, keepdim=False):
    return x.min(axis=dim, keepdims=keepdim), x.max(axis=dim, keepdims=keepdim)


def index_of(arg):
    return lambda x, dim=None, keepdim=False: np.asarray(arg(x, axis=dim, keepdims=keepdim), np.int64)


def truth(function):
    """all and any, for which an empty tuple of dims means that nothing is reduced."""
    return lambda x, dim=None, keepdim=False: function(x, axis=tuple(dim) if isinstance(dim, (tuple, list)) else dim,
                                                       keepdims=keepdim)


ROWS = [
    row("sum", *over_dims(), case(T(2, 3)), case(T()), case(T(), 0), case(T(0, 3)), case(T(0, 3), 1),
        case(T(2, 3, kind="bool")), case(T(2, 3, kind="int"), 0),
        numpy=lambda x, *args, **kwargs: reduced(np.sum)(wide(x), *args, **kwargs), complex=True, ints=True,
        bad=case(T(2, 3), 5)),
    row("mean", *over_dims(), case(T(2, 3)), case(T()), case(T(2, 3, kind="int"), dtype="float32"),
        case(T(2, 3, kind="int"), 0, dtype="float64"), numpy=reduced(np.mean), complex=True,
        bad=case(T(2, 3, kind="int"))),
    row("nansum", *over_dims(), case(T(2, 3)), case(T(values=NANS)), case(T(values=NANS), 0),
        case(T(values=NANS), 1, True), numpy=reduced(np.nansum), bad=case(T(2, 3), 2)),
    row("nanmean", *over_dims(), case(T(2, 3)), case(T(values=NANS), 0), numpy=reduced(np.nanmean), node=False,
        bad=case(T(2, 3), 2)),
    row("prod", *over_one_dim(), case(T(2, 3)), case(T(values=ZEROS)), case(T(values=ZEROS), 0),
        case(T(values=ZEROS), 1, True), case(T()), case(T(0)), case(T(2, 3, kind="bool"), 0),
        numpy=lambda x, *args, **kwargs: reduced(np.prod)(wide(x), *args, **kwargs), complex=True, ints=True,
        bad=case(T(2, 3), -3)),
    row("amax", *over_dims(kind="distinct"), case(T(2, 3, kind="distinct")), numpy=reduced(np.max), ints=True,
        bad=case(T(0, 3), 0)),
    row("amin", *over_dims(kind="distinct"), case(T(2, 3, kind="distinct")), numpy=reduced(np.min), ints=True,
        bad=case(T(0, 3))),
    row("amax", case(T(values=TIES)), case(T(values=TIES), 1), case(T(values=TIES), 0, True), numpy=reduced(np.max),
        kink=True),
    row("amin", case(T(values=TIES)), case(T(values=TIES), 1), case(T(values=TIES), 0, True), numpy=reduced(np.min),
        kink=True),
    row("max", case(T(values=TIES)), case(T(values=TIES), 1), case(T(values=NANS)), case(T(values=NANS), 0), kink=True),
    row("min", case(T(values=TIES)), case(T(values=TIES), 1), case(T(values=NANS)), case(T(values=NANS), 0), kink=True),
    row("aminmax", case(T(values=TIES)), case(T(values=TIES), dim=0), kink=True, node=False),
    row("max", *over_one_dim(kind="distinct"), case(T(2, 3, kind="distinct")), case(T(2, 3, kind="bool"), 1),
        numpy=picked(np.max, np.argmax), ints=True, bad=case(T(0, 3), 0)),
    row("min", *over_one_dim(kind="distinct"), case(T(2, 3, kind="distinct")), case(T(2, 3, kind="bool"), 1),
        numpy=picked(np.min, np.argmin), ints=True, bad=case(T(0, 3))),
    row("max", case(T(2, 3, kind="distinct"), T(2, 3)), case(T(2, 3), T(3)), numpy=np.maximum),
    row("min", case(T(2, 3, kind="distinct"), T(2, 3)), case(T(2, 3), other=T(3)),
        numpy=lambda x, other: np.minimum(x, other)),
    row("aminmax", case(T(2, 3, kind="distinct")), case(T(2, 3, kind="distinct"), dim=0),
        case(T(2, 3, kind="distinct"), dim=-1, keepdim=True), numpy=least_and_greatest, ints=True, node=False,
        bad=case(T(0, 3))),
    row("argmax", case(T(2, 3)), case(T(2, 3), 0), case(T(2, 3), -1, True), case(T(2, 3), None, True), case(T()),
        numpy=index_of(np.argmax), ints=True, grad=False, bad=case(T(0, 3))),
    row("argmin", case(T(2, 3)), case(T(2, 3), 0), case(T(2, 3), -1, True), case(T()), numpy=index_of(np.argmin),
        ints=True, grad=False, bad=case(T(0, 3), 0)),
    row("all", case(T(2, 3)), case(T(2, 3, kind="bool"), 0), case(T(2, 3, 4, kind="bool"), (0, -1), True),
        case(T(2, 3, kind="int"), ()), case(T(0)), numpy=truth(np.all), grad=False, bad=case(T(2, 3), 2)),
    row("any", case(T(2, 3)), case(T(2, 3, kind="bool"), 0), case(T(2, 3, 4, kind="bool"), (0, -1), True), case(T(0)),
        numpy=truth(np.any), grad=False, bad=case(T(2, 3), (0, 0))),
    row("count_nonzero", case(T(2, 3, kind="int", high=2)), case(T(2, 3, kind="bool"), 0), case(T(2, 3), (0, 1)),
        numpy=lambda x, dim=None: np.asarray(np.count_nonzero(x, axis=dim)), grad=False, bad=case(T(2, 3), 2)),
    row("var", *over_dims(by_name=True)[:8], case(T(4)), case(T(4), False), case(T(2, 3), 1, False),
        case(T(2, 3), 1, True, True), case(T(2, 3), correction=0), case(T(2, 5), dim=1, correction=2), numpy=moments(1),
        complex=True, bad=case(T(2, 3, kind="int"))),
    row("std", *over_dims(by_name=True)[:8], case(T(4)), case(T(4), False), case(T(2, 3), 1, False),
        case(T(2, 3), 1, True, True), case(T(2, 3), correction=0), numpy=moments(0.5), complex=True,
        bad=case(T(2, 3), 2)),
    row("var_mean", case(T(2, 3)), case(T(2, 3), 1), case(T(2, 3), 0, keepdim=True), case(T(2, 3), correction=0),
        complex=True, node=False,
        numpy=moment_and_mean(1)),
    row("std_mean", case(T(2, 3)), case(T(2, 3), 1), case(T(2, 3), 0, keepdim=True), case(T(2, 3), correction=0),
        complex=True, node=False,
        numpy=moment_and_mean(0.5)),
    row("logsumexp", case(T(2, 3), 0), case(T(2, 3, 4), (0, 2)), case(T(2, 3), -1, True), case(T(), 0),
        case(T(2, 3, kind="int"), 1),
        numpy=lambda x, *args: log_sum_exp(x, *args).astype(np.float32 if x.dtype.kind == "i" else x.dtype),
        complex=True, bad=case(T(2, 3), 2)),
    row("logsumexp", case(T(values=[[1000.0, 1000.0], [-1000.0, -1001.0]]), 1), grad=False,
        numpy=lambda x, dim: x.max(axis=dim) + np.log(np.exp(x - x.max(axis=dim, keepdims=True)).sum(axis=dim))),
    row("norm", *norm_cases(kind="nonzero"), case(T(2, 3)), case(T()), numpy=p_norm, complex=True,
        bad=case(T(2, 3, kind="int"))),
    row("norm", case(T(values=[0.0, 0.0])), case(T(values=[0.0, 2.0, -2.0]), INF), case(T(values=[0.0, 2.0, -2.0]), 1),
        case(T(values=[0.0, 0.0]), 3), case(T(values=[0.0, 2.0]), 0.5), case(T(2, 3), 0), numpy=p_norm, kink=True),
    row("std", case(T(values=[1.0, 1.0])), case(T(values=[[1.0, 1.0], [1.0, 2.0]]), 1), numpy=moments(0.5), kink=True),
    row("linalg.vector_norm", *norm_cases(kind="nonzero"), case(T(2, 3)), numpy=p_norm, complex=True,
        bad=case(T(2, 3), "a")),
    row("linalg.matrix_norm", *[case(T(2, 3, 4, kind="nonzero"), p) for p in ("fro", 1, -1, INF, -INF)],
        case(T(3, 2, 4, kind="nonzero"), 1, (0, 2), True), node=False, complex=True, bad=case(T(3))),
    row("linalg.matrix_norm", *[case(T(2, 3, 4), p) for p in ("nuc", 2, -2)], case(T(3, 3), "nuc", keepdim=True),
        case(T(4, 2, 3), 2, (2, 0)), case(T(2, 4, 3), "nuc", (-1, 0), True),
        numpy=lambda x, p, dim=(-2, -1), keepdim=False: np.linalg.norm(x, p, dim, keepdim), complex=True),
    row("norm", case(T(2, 3), "nuc"), case(T(2, 3, 4), "nuc", (0, 2)), complex=True),
    row("linalg.norm", case(T(2, 3), 2), case(T(2, 3), -2), case(T(2, 3), "nuc"), case(T(3, 2, 2), 2, (0, 1)),
        complex=True),
    row("linalg.norm", case(T(2, 3)), case(T(3), 1), case(T(2, 3), 1), case(T(2, 3), INF, 1),
        case(T(2, 3), None, (0, 1), True), node=False,
        numpy=lambda x, p=None, dim=None, keepdim=False: np.linalg.norm(x, p, dim, keepdim), bad=case(T(2, 3, 4), 1)),
    row("dist", case(T(2, 3), T(3)), case(T(2, 3), T(2, 3), 1), case(T(3), T(3), 3), node=False, complex=True,
        numpy=lambda x, y, p=2: p_norm(x - y, p)),
    row("cumsum", case(T(3, 4), 0), case(T(3, 4), -1), case(T(), 0), case(T(0, 3), 0), case(T(3, kind="bool"), 0),
        numpy=lambda x, dim: along(np.cumsum)(wide(x), dim), complex=True, ints=True, bad=case(T(2), 1)),
    row("cumprod", case(T(3, 4), 0), case(T(3, 4), -1), case(T(), 0), case(T(values=ZEROS), 0),
        case(T(values=ZEROS), 1),
        case(T(7), 0), numpy=lambda x, dim: along(np.cumprod)(wide(x), dim), complex=True, ints=True,
        bad=case(T(2), 1)),
    row("logcumsumexp", case(T(3, 4), 0), case(T(3, 4), -1), case(T(), 0), case(T(7), 0),
        numpy=lambda x, dim: np.log(np.cumsum(np.exp(x), axis=dim)) if x.ndim else x, complex=True, bad=case(T(2), 1)),
    row("cummax", case(T(3, 4, kind="distinct"), 0), case(T(3, 4, kind="distinct"), -1), case(T(), 0),
        numpy=running_index(lambda x, best: x >= best), ints=True, extra_saved=("self_sym_sizes",), bad=case(T(2), 1)),
    row("cummin", case(T(3, 4, kind="distinct"), 0), case(T(3, 4, kind="distinct"), -1), case(T(), 0),
        numpy=running_index(lambda x, best: x <= best), ints=True, extra_saved=("self_sym_sizes",), bad=case(T(2), 1)),
    row("diff", case(T(2, 5)), case(T(2, 5), 2), case(T(3, 4), 1, 0),
        case(T(3, 4), n=2, dim=0, prepend=T(1, 4), append=T(2, 4)), case(T(3), 5), case(T(5, kind="bool")),
        complex=True,
        ints=True, numpy=lambda x, n=1, dim=-1, **ends: np.diff(x, min(n, x.shape[dim]), dim, **ends), bad=case(T())),
    # Large ones, whose gradients are views with zero strides.
    *[row(name, case(T(100, 60)), case(T(100, 60), 1), kink=True) for name in ("sum", "mean")],
    # In another dtype: finite differences see nothing in single precision, so only PyTorch is compared with.
    *[row(name, case(T(2, 3), dtype="float32"), case(T(2, 3), 1, dtype="float32"),
          case(T(2, 3), 0, True, dtype="float64"),
        kink=True, rtol=1e-5) for name in ("sum", "mean", "prod", "nansum")],
    *[row(name, case(T(3, 4), 1, dtype="float32"), case(T(3, 4), 0, dtype="float64"),
        case(T(3, kind="int"), 0, dtype="float32"), kink=True, inplace=False, rtol=1e-5)
        for name in ("cumsum", "cumprod")],
]
