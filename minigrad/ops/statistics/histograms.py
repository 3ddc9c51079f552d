"""Histograms with edges: how many points lie in each interval, or in each box.

A histogram in several dims counts points of as many coordinates; that of numbers is the case of one coordinate.  So one
row counts for both.  It is linear in the weights of the points, and its transpose reads, for each point, the number of
its box.

Neighbours: sorting.py among the reductions (histc, bincount and searchsorted).
"""

from math import isfinite, prod

import numpy as np

from minigrad._core.devices.device_arrays import constant
from minigrad._core.dispatch.op_introspection import named_results
from minigrad._core.errors import error
from minigrad._core.graph import Tensor

from ..composites import composite
from ..kinds import general
from ..positions.masking import choose
from ..reductions.extremes import amax, amin
from ..shapes.reshaping import reshaped
from ..shapes.slicing import select
from ..arguments import as_counts, one_int

# ------------------------------------------------------------------------------ counting


def boxes(points, edges):
    """The number of the box of each point among all; that after the last for points in none of them."""
    number, inside = np.zeros(len(points), np.int64), np.ones(len(points), np.bool_)
    for k, edge in enumerate(edges):
        numbers, bins = points[:, k], len(edge) - 1
        found = np.searchsorted(edge, numbers, "right") - 1
        found[numbers == edge[-1]] = bins - 1           # the last interval has both of its ends
        inside &= (numbers >= edge[0]) & (numbers <= edge[-1])
        number = number * bins + found
    return np.where(inside, number, prod([len(edge) - 1 for edge in edges]))


def counted_kernel(self, edges, weight):
    sizes = [len(edge) - 1 for edge in edges]
    counts = np.bincount(as_counts(boxes(self, edges)), weight, prod(sizes) + 1)
    return counts[:-1].astype(self.dtype).reshape(sizes)


def counted_backward_kernel(grad, points, edges):
    return np.append(grad, grad.dtype.type(0))[boxes(points, edges)]


counted = general("counted(Tensor self, Tensor[] edges, Tensor? weight)", counted_kernel,
                  weight=lambda d, self, edges: read_counts(d, self, edges),
                  no_gradient=("self", "edges"), public=False, batch="loop", shown="histogramdd",
                  doc="How many points, or the sum of their weights, lie in each box between edges.")

read_counts = general("read_counts(Tensor grad, Tensor points, Tensor[] edges)", counted_backward_kernel,
                      grad=lambda d, points, edges: counted(points, edges, d),
                      no_gradient=("points", "edges"), public=False, batch="loop",
                      doc="For each point the number of its box: the transpose of counting.")

# ------------------------------------------------------------------------------ edges


def check_points(op, points, weight, shape):
    if not points.dtype.is_floating_point:
        raise error("MG202", f'"histogramdd" not implemented for {points.dtype}: {op}() counts real numbers')
    if weight is not None:
        if weight.dtype is not points.dtype:
            raise error("MG202", "torch.histogramdd: if weight tensor is provided, input tensor and weight tensor "
                                 f"should have the same dtype, but got input({points.dtype}), and "
                                 f"weight({weight.dtype})")
        if tuple(weight.shape) != shape:
            raise another_shape_of_weights(op, shape, weight.shape)


def given_edges(op, points, bins):
    """The vectors of edges that were given, checked."""
    for k, edge in enumerate(bins):
        if edge.ndim != 1:
            raise error("MG201", f"torch.histogramdd: bins tensor should have one dimension, but got {edge.ndim} "
                                 f"dimensions in the bins tensor for dimension {k} of {op}()")
        if edge.dtype is not points.dtype:
            raise error("MG202", "torch.histogramdd: input tensor and bins tensors should have the same dtype, but got "
                                 f"input with dtype {points.dtype} and bins for dimension {k} with dtype {edge.dtype}")
        check_bins(op, edge.shape[0] - 1, k)
    return list(bins)


def check_bins(op, bins, k):
    if bins <= 0:
        raise error("MG204", f"torch.{op}(): bins must be > 0, but got {max(bins, 0)} for dimension {k}")


def edges_between(op, points, bins, range):
    """Edges of equal intervals in each dim, between the bounds in ``range`` or the extremes of the points."""
    if range is not None and len(range) != 2 * len(bins):
        raise error("MG201", f"torch.histogramdd: for a {len(bins)}-dimensional histogram range should have "
                             f"{2 * len(bins)} elements, but got {len(range)}")
    found = []
    for k, n in enumerate(bins):
        check_bins(op, n, k)
        if range is not None:
            bounds = [number(op, bound) for bound in range[2 * k:2 * k + 2]]
        elif points.shape[0]:
            column = select(points, 1, k)
            bounds = [amin(column), amax(column)]
        else:
            bounds = [0.0, 1.0]
        low, high = map(float, bounds)
        if not (isfinite(low) and isfinite(high)):
            raise error("MG204", f"torch.histogramdd: dimension {k}'s range [{low:g}, {high:g}] is not finite")
        if low > high:
            raise error("MG204", f"torch.histogramdd: min should not exceed max, but got min {low:g} max {high:g} for "
                                 f"dimension {k}")
        if low == high:
            bounds = [bounds[0] - 0.5, bounds[1] + 0.5]
        found.append(spread_between(points, *bounds, n))
    return found


def number(op, bound):
    if isinstance(bound, bool) or not isinstance(bound, (int, float)):
        raise error("MG205", f"{op}(): argument 'range' must be tuple of floats, not {type(bound).__name__}")
    return float(bound)


def spread_between(like, low, high, n):
    """``n + 1`` numbers, the same from either end: those above the middle are counted from ``high``."""
    dtype = like.dtype.numpy
    low, high = [bound if isinstance(bound, Tensor) else constant(np.asarray(bound, dtype), like)
                 for bound in (low, high)]
    step, place = (high - low) / n, constant(np.arange(n + 1).astype(dtype), like)
    return choose(constant(np.arange(n + 1) < (n + 1) // 2, like), low + step * place, high - step * (n - place))


def count(points, edges, weight, density):
    """The counts; with ``density`` divided by the sum of all and by the sizes of the boxes."""
    found = counted(points, edges, weight)
    if not density:
        return found
    for k, edge in enumerate(edges):
        sizes = edge[1:] - edge[:-1]
        found = found / sizes.view([-1 if i == k else 1 for i in range_of(len(edges))])
    return found / counted(points, edges, weight).sum()


range_of = range
HISTOGRAM = named_results("histogram", ("hist", "bin_edges"))
HISTOGRAMDD = named_results("histogramdd", ("hist", "bin_edges"))


@composite(out="exact", types="Tensor Any Any Tensor? bool")
def histogram(self, bins=100, *, range=None, weight=None, density=False):
    """How many elements lie in each interval between edges, and the edges.

    ``bins`` is a vector of edges, or a number of equal intervals in ``range``, by default that of the elements.
    ``weight`` counts elements that often; with ``density`` the integral of the result is 1.

    >>> torch.histogram(torch.tensor([1., 2., 1.]), bins=4, range=(0., 3.))
    torch.return_types.histogram(
    hist=tensor([0., 2., 1., 0.]),
    bin_edges=tensor([0.0000, 0.7500, 1.5000, 2.2500, 3.0000]))
    """
    check_points("histogram", self, weight, tuple(self.shape))
    points = reshaped(self, (-1, 1))
    if isinstance(bins, Tensor):
        if range is not None:
            raise error("MG205", "histogram() received an invalid combination of arguments: range goes with a number "
                                 "of bins, and not with a tensor of edges")
        edges = given_edges("histogram", self, [bins])
    else:
        edges = edges_between("histogram", points, [one_int("histogram", "bins", bins)], range)
    hist = count(points, edges, None if weight is None else reshaped(weight, (-1,)), density)
    return HISTOGRAM(hist, edges[0])


@composite(method=False, out=False, types="Tensor Any Any Tensor? bool")
def histogramdd(input, bins, range=None, weight=None, density=False):
    """How many points lie in each box of a grid, and the edges along each dim; a point is a row of ``input``.

    ``bins`` is the number of intervals along each dim, or a list of such numbers, or of vectors of edges.

    >>> torch.histogramdd(torch.tensor([[0., 1.], [1., 0.], [1., 1.]]), bins=2).hist
    tensor([[0., 1.],
            [1., 1.]])
    """
    if input.ndim < 2:
        raise error("MG201", "torch.histogramdd: input tensor should have at least 2 dimensions, one for the points "
                             "and one for their coordinates")
    check_points("histogramdd", input, weight, tuple(input.shape[:-1]))
    ndim = input.shape[-1]
    bins = list(bins) if isinstance(bins, (tuple, list)) else [bins] * ndim
    if len(bins) != ndim:
        raise error("MG201", "histogramdd: The size of bins must be equal to the innermost dimension of the input: "
                             f"they are {len(bins)} and {ndim}")
    points = reshaped(input, (-1, ndim))
    if bins and isinstance(bins[0], Tensor):
        edges = given_edges("histogramdd", input, bins)
    else:
        edges = edges_between("histogramdd", points, [one_int("histogramdd", "bins", each) for each in bins], range)
    hist = count(points, edges, None if weight is None else reshaped(weight, (-1,)), density)
    return HISTOGRAMDD(hist, tuple(edges))


# ------------------------------------------------------------------------------ errors


def another_shape_of_weights(op, shape, weight):
    return error("MG201", f"{op}(): torch.histogramdd: if weight tensor is provided it should have the same shape as "
                          f"the input tensor excluding its innermost dimension: {list(shape)}, not {list(weight)}")
