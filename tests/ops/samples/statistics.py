"""Sample rows of statistics.py, integrals.py, histograms.py and distances.py."""

import numpy as np

from tests.ops.sampling import T, case, row


def quantile(x, q, dim=None, keepdim=False, interpolation="linear"):
    return np.quantile(x, q, dim, method=interpolation, keepdims=keepdim)


def nanquantile(x, q, dim=None, keepdim=False, interpolation="linear"):
    return np.nanquantile(x, q, dim, method=interpolation, keepdims=keepdim)


def cov(x, correction=1, fweights=None, aweights=None):
    return np.cov(x, ddof=correction, fweights=fweights, aweights=aweights)


def trapezoid(y, x=None, dx=1, dim=-1):
    return np.trapezoid(y, x, dx, dim)


def cumulative(y, x=None, dx=1, dim=-1):
    y = np.moveaxis(y, dim, -1)
    width = dx if x is None else np.diff(x)
    return np.moveaxis(np.cumsum((y[..., 1:] + y[..., :-1]) / 2 * width, -1), -1, dim)


def slopes(x, spacing=1, dim=None, edge_order=1):
    spacings = spacing if isinstance(spacing, (list, tuple)) else [spacing]
    found = np.gradient(x, *spacings, axis=dim, edge_order=edge_order)
    return found if isinstance(found, (list, tuple)) else [found]


def distances(x, y, p=2.0, compute_mode=None):
    return np.linalg.norm(x[..., :, None, :] - y[..., None, :, :], p, -1)


def between_rows(x, p=2.0):
    return distances(x, x, p)[np.triu_indices(len(x), 1)]


def shortened(x, p, dim, maxnorm):
    norm = np.sum(np.abs(x) ** p, tuple([k for k in range(x.ndim) if k != dim % x.ndim]), keepdims=True) ** (1 / p)
    return x * np.where(norm > maxnorm, maxnorm / (norm + 1e-7), 1)


def in_boxes(x, bins, range=None, weight=None, density=False):
    range = None if range is None else np.reshape(range, (-1, 2))
    hist, edges = np.histogramdd(x, bins, range, density=density, weights=weight)
    return [hist, *edges]


SPREAD = T(4, 5, kind="distinct")
MISSING = T(values=[[1., np.nan, 3., 2.], [4., 1., np.nan, 0.]])

STATISTICS = [
    row("quantile", case(SPREAD, 0.3), case(SPREAD, 0.6, 1), case(SPREAD, T(values=[0.1, 0.6]), 0),
        case(SPREAD, T(values=[0.1, 0.6]), -1, True), case(SPREAD, 0.25, None, True), case(T(kind="distinct"), 0.4),
        numpy=quantile, node=False, bad=case(SPREAD, 1.5), unmapped="control flow"),
    *[row("quantile", case(SPREAD, 0.3, 1, interpolation=how), case(SPREAD, T(values=[0.4, 0.9]), interpolation=how),
          numpy=quantile, node=False, unmapped="control flow")
      for how in ("lower", "higher", "nearest", "midpoint")],
    row("nanquantile", case(MISSING, 0.4, 1), case(MISSING, T(values=[0.2, 0.7]), 1), numpy=nanquantile, node=False,
        bad=case(SPREAD, -1.0), unmapped="control flow", grad=False),
    row("nanquantile", case(SPREAD, 0.4), case(SPREAD, 0.7, 0, True), numpy=nanquantile, node=False),
    row("cov", case(T(3, 4)), case(T(5)), case(T(3, 4), correction=0), numpy=cov, complex=True, bad=case(T(2, 2, 2)),
        node=False),
    row("cov", case(T(3, 4), fweights=T(values=[1, 2, 0, 3], kind="int")),
        case(T(3, 4), aweights=T(4, kind="positive")),
        case(T(3, 4), fweights=T(values=[1, 2, 0, 3], kind="int"), aweights=T(4, kind="positive")), numpy=cov,
        node=False, unmapped="control flow"),
    row("corrcoef", case(T(3, 4)), case(T(2, 5)), numpy=np.corrcoef, node=False, bad=case(T(2, 2, 2)), kink=True),
]

INTEGRALS = [
    row("trapezoid", case(T(3, 4)), case(T(3, 4), dx=0.5, dim=0), case(T(3, 4), T(4)), case(T(3, 4), T(3, 4), dim=0),
        numpy=trapezoid, node=False, complex=True, bad=case(T(3, 4), T(3))),
    row("trapz", case(T(3, 4), dx=2.0), case(T(3, 4), T(4)), numpy=trapezoid, node=False, complex=True),
    row("cumulative_trapezoid", case(T(3, 4)), case(T(3, 4), dx=0.5, dim=0), case(T(3, 4), T(4)), numpy=cumulative,
        node=False, complex=True, bad=case(T(3, 4), T(3))),
    row("gradient", case(T(5)), case(T(3, 4)), case(T(3, 4), spacing=2.0), case(T(3, 4), dim=1, edge_order=2),
        case(T(3, 4), spacing=[2.0, 0.5]), numpy=slopes, complex=True, bad=case(T(1, 4)),
        extra_saved=("tensors_sym_sizes",)),
    row("gradient", case(T(3, 4), spacing=[T(values=[0., 1., 3.]), T(values=[0., 1., 3., 3.5])]),
        case(T(5), spacing=[T(values=[0., 1., 3., 3.5, 6.])], edge_order=2), numpy=slopes,
        extra_saved=("tensors_sym_sizes",)),
]

HISTOGRAMS = [
    row("histogram", case(T(6, grad=False), 5), case(T(2, 3, grad=False), 4, range=(-1.0, 1.5)),
        case(T(6, grad=False), T(values=[-1., 0., 0.5, 2.], grad=False), density=True), grad=False,
        numpy=lambda x, bins, **how: list(np.histogram(x, bins, **how)), bad=case(T(3), 0),
        unmapped="calling .float()"),
    row("histogramdd", case(T(6, 2, grad=False), [2, 3]), case(T(6, 2, grad=False), 2, range=[-1.0, 1.0, -2.0, 2.0]),
        grad=False, numpy=in_boxes, bad=case(T(3), 2), unmapped="calling .float()"),
    row("histogramdd", case(T(6, 1, grad=False), (T(values=[-1., 0., 0.5, 2.], grad=False),), weight=T(6)),
        numpy=in_boxes, torch=False),
    row("counted", case(T(6, 2, grad=False), [T(values=[-2., 0., 2.], grad=False), T(values=[-2., 1., 2.], grad=False)],
                        T(6)),
        where="row", numpy=lambda x, edges, weight: np.histogramdd(x, edges, weights=weight)[0]),
]

DISTANCES = [
    row("cdist", case(T(3, 4), T(2, 4)), *[case(T(3, 4), T(2, 4), p=p) for p in (1.0, 1.5, 3.0, np.inf)],
        case(T(5, 3, 4), T(2, 4)), case(T(0, 4), T(2, 4)), numpy=distances, bad=case(T(3, 4), T(2, 3))),
    row("cdist", case(T(3, 4), T(2, 4), p=0.0), numpy=lambda x, y, p: np.full((3, 2), 4.0), gradgrad=False),
    row("cdist", case(T(3, 4), T(2, 4), compute_mode="use_mm_for_euclid_dist"), case(T(2, 30, 3), T(2, 3)),
        numpy=distances, node=False, atol=1e-7),
    row("cdist", case(T(values=[[1., 2.], [3., 4.]]), T(values=[[1., 2.]])),
        case(T(values=[[1., 2.], [3., 4.]]), T(values=[[1., 2.], [2., 0.]]), p=np.inf),
        case(T(values=[[1., 2.], [3., 2.]]), T(values=[[1., 2.], [2., 0.]]), p=1.0),
        case(T(values=[[1., 2.], [3., 2.]]), T(values=[[1., 2.], [2., 0.]]), p=1.5), numpy=distances, kink=True),
    row("pdist", case(T(4, 3)), case(T(4, 3), 1.0), case(T(3, 2), np.inf), case(T(1, 3)), numpy=between_rows,
        node=False, bad=case(T(3))),
    row("renorm", case(T(3, 4), 2, 0, 1.0), case(T(3, 4), 1, -1, 1.5), case(T(2, 3, 2), 3.5, 1, 1.0), numpy=shortened,
        node=False, complex=True, bad=case(T(3), 2, 0, 1.0)),
]

ROWS = STATISTICS + INTEGRALS + HISTOGRAMS + DISTANCES
