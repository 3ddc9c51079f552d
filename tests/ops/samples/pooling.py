"""Samples: pooling over windows of lines, planes and volumes, and what puts values back."""

import itertools

import numpy as np

from tests.ops.sampling import T, case, row


def windows_of(size, kernel, stride, padding, dilation=1, ceil=False):
    """The elements of each window along a dim, one list for each; and how long it is with its padding."""
    found, start = [], -padding
    span = dilation * (kernel - 1) + 1
    while start + span <= size + padding or ceil and start + span < size + padding + stride and start < size:
        elements = [i for i in range(start, start + span, dilation) if 0 <= i < size]
        found.append((elements, min(start + span, size + padding) - start))
        start += stride
    return found


def adaptive(size, n):
    return [(list(range(i * size // n, -(-(i + 1) * size // n))), 0) for i in range(n)]


def pooled(x, ndim, lists, reduce):
    """``reduce(elements, places, length)`` of each window of the last dims."""
    sizes = [len(windows) for windows in lists]
    out = [np.zeros((*x.shape[:-ndim], *sizes)) for _ in range(2)]
    for lead in np.ndindex(*x.shape[:-ndim]):
        for at in np.ndindex(*sizes):
            chosen = [windows[i] for windows, i in zip(lists, at)]
            places = list(itertools.product(*[elements for elements, _ in chosen]))
            values = [x[lead + place] for place in places]
            flat = [int(np.ravel_multi_index(place, x.shape[-ndim:])) for place in places]
            result = reduce(np.array(values), flat, int(np.prod([length for _, length in chosen])))
            for each, value in zip(out, result):
                each[lead + at] = value
    return out


def spread(n, value):
    return value if isinstance(value, (tuple, list)) and len(value) == n else (
        tuple(value) * n if isinstance(value, (tuple, list)) else (value,) * n)


def sliding(x, ndim, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False):
    kernel = spread(ndim, kernel_size)
    return [windows_of(*each, ceil_mode) for each in zip(
        x.shape[-ndim:], kernel, kernel if stride in (None, ()) else spread(ndim, stride), spread(ndim, padding),
        spread(ndim, dilation))]


def first_largest(values, flat, length):
    best = int(np.argmax(values))
    return values[best], flat[best]


def maxima(ndim, both=False):
    def numpy(x, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
        values, places = pooled(x, ndim, sliding(x, ndim, kernel_size, stride, padding, dilation, ceil_mode),
                                first_largest)
        return (values, places.astype(np.int64)) if both or return_indices else values
    return numpy


def adaptive_maxima(ndim, both=False):
    def numpy(x, output_size, return_indices=False):
        sizes = [have if n is None else n for n, have in zip(spread(ndim, output_size), x.shape[-ndim:])]
        values, places = pooled(x, ndim, [adaptive(*each) for each in zip(x.shape[-ndim:], sizes)], first_largest)
        return (values, places.astype(np.int64)) if both or return_indices else values
    return numpy


def means(ndim):
    def numpy(x, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
        def mean(values, flat, length):
            return values.sum() / (divisor_override or (length if count_include_pad else len(values))), 0
        found = pooled(x, ndim, sliding(x, ndim, kernel_size, stride, padding, 1, ceil_mode), mean)[0]
        return np.trunc(found).astype(x.dtype) if x.dtype.kind == "i" else found
    return numpy


def adaptive_means(ndim):
    def numpy(x, output_size):
        sizes = [have if n is None else n for n, have in zip(spread(ndim, output_size), x.shape[-ndim:])]
        return pooled(x, ndim, [adaptive(*each) for each in zip(x.shape[-ndim:], sizes)],
                      lambda values, flat, length: (values.mean(), 0))[0]
    return numpy


def norms(ndim):
    def numpy(x, norm_type, kernel_size, stride=None, ceil_mode=False):
        return pooled(x, ndim, sliding(x, ndim, kernel_size, stride, 0, 1, ceil_mode), lambda values, flat, length: (
            max((values ** norm_type).mean() * np.prod(spread(ndim, kernel_size)), 0) ** (1 / norm_type), 0))[0]
    return numpy


def unpooled(ndim):
    def numpy(x, indices, kernel_size, stride=None, padding=0, output_size=None):
        kernel = spread(ndim, kernel_size)
        stride = kernel if stride is None else spread(ndim, stride)
        sizes = output_size or [(n - 1) * s + k - 2 * p for n, s, k, p in zip(
            x.shape[-ndim:], stride, kernel, spread(ndim, padding))]
        out = np.zeros((*x.shape[:-ndim], int(np.prod(sizes[-ndim:]))), x.dtype)
        for lead in np.ndindex(*x.shape[:-ndim]):
            out[lead][indices[lead].ravel()] = x[lead].ravel()
        return out.reshape(*x.shape[:-ndim], *sizes[-ndim:])
    return numpy


def fractional(ndim):
    def starts(size, n, k, sample):
        step = (size - k) / (n - 1) if n > 1 else 0
        return [int((i + sample) * step) - int(sample * step) for i in range(n - 1)] + [size - k]

    def numpy(x, kernel_size, output_size, output_ratio=None, return_indices=False, _random_samples=None):
        lead, inner = x.shape[:-ndim], x.shape[-ndim:]
        kernel, sizes = spread(ndim, kernel_size), spread(ndim, output_size)
        values, places = np.zeros((*lead, *sizes)), np.zeros((*lead, *sizes), np.int64)
        samples = _random_samples.reshape(*lead, ndim)
        for at in np.ndindex(*lead):
            numbers = samples[at][::-1] if ndim == 2 else samples[at]
            lists = [[(list(range(start, start + k)), 0) for start in starts(size, n, k, u)]
                     for size, n, k, u in zip(inner, sizes, kernel, numbers)]
            values[at], places[at] = pooled(x[at], ndim, lists, first_largest)
        return (values, places) if return_indices else values
    return numpy


def distinct(*shape):
    return T(*shape, kind="distinct")


LINE, PLANE, VOLUME = (2, 7), (2, 2, 5, 4), (1, 2, 3, 4, 3)

ROWS = [
    row("max_pool1d", case(distinct(*LINE), 2), case(distinct(2, 2, 7), 3, 2, 1), case(distinct(*LINE), (3,), 1),
        case(distinct(*LINE), 2, padding=1, dilation=3, ceil_mode=True), case(T(0, 2, 5, grad=False), 2),
        numpy=maxima(1), where="torch", node=False, bad=case(T(2, 3), 4)),
    row("max_pool2d", case(distinct(*PLANE), 2), case(distinct(2, 5, 4), (3, 2), (1, 2), (1, 0)),
        case(distinct(*PLANE), 2, 3, 1, 2, True), numpy=maxima(2), where="torch", ints=True,
        extra_saved=("self_sym_sizes",), bad=case(T(2, 3, 3), 2, padding=2)),
    row("max_pool3d", case(distinct(*VOLUME), 2), case(distinct(2, 3, 4, 3), (1, 2, 3), 1, (0, 1, 1)), numpy=maxima(3),
        where="torch", ints=True, extra_saved=("self_sym_sizes",), bad=case(T(1, 3, 3), 2)),
    row("max_pool1d", case(distinct(2, 2, 7), 2), case(distinct(*LINE), 3, return_indices=True),
        where="nn.functional", numpy=maxima(1), node=False, bad=case(T(1, 3), 2, 0)),
    row("max_pool2d", case(distinct(*PLANE), 3, 1, 1), case(distinct(*PLANE), 2, return_indices=True),
        where="nn.functional", numpy=maxima(2), ints=True, extra_saved=("self_sym_sizes",), bad=case(T(5, 5), 2)),
    row("max_pool3d", case(distinct(*VOLUME), 2, return_indices=True), where="nn.functional", numpy=maxima(3),
        ints=True, extra_saved=("self_sym_sizes",), bad=case(T(2, 2, 2, 2), (2, 2))),
    row("max_pool2d_with_indices",
        case(T(1, 1, 2, 4, values=[[[[1., 1., 2., 2.], [1., 0., 2., 2.]]]]), 2),
        case(T(1, 1, 4, values=[[[1., np.nan, np.nan, 2.]]]), (1, 4)), kink=True,
        extra_saved=("self_sym_sizes",)),
    row("max_pool1d_with_indices", case(distinct(2, 2, 7), 3, 2), numpy=maxima(1, True), node=False),
    row("max_pool1d_with_indices", case(distinct(*LINE), 2), where="nn.functional", numpy=maxima(1, True), node=False),
    row("max_pool3d_with_indices", case(distinct(*VOLUME), 2), numpy=maxima(3, True),
        extra_saved=("self_sym_sizes",)),
    row("adaptive_max_pool1d", case(distinct(2, 2, 7), 3), case(distinct(*LINE), (2,)), numpy=adaptive_maxima(1, True),
        node=False, bad=case(T(2, 3), (2, 2))),
    row("adaptive_max_pool1d", case(distinct(*LINE), 3), case(distinct(2, 2, 6), 3, return_indices=True),
        where="nn.functional", numpy=adaptive_maxima(1), node=False),
    row("adaptive_max_pool2d", case(distinct(*PLANE), 2), case(distinct(2, 5, 4), (None, 3)),
        case(distinct(*PLANE), (7, 4), return_indices=True), numpy=adaptive_maxima(2),
        extra_saved=("self_sym_sizes",), bad=case(T(1, 3, 3), (2, 2, 2))),
    row("adaptive_max_pool3d", case(distinct(*VOLUME), (2, 3, 1)), case(distinct(2, 3, 4, 3), 2),
        numpy=adaptive_maxima(3), extra_saved=("self_sym_sizes",)),
    row("adaptive_max_pool1d_with_indices", case(distinct(*LINE), 3), numpy=adaptive_maxima(1, True),
        node=False),
    row("adaptive_max_pool2d_with_indices", case(distinct(*PLANE), 3), numpy=adaptive_maxima(2, True),
        extra_saved=("self_sym_sizes",)),
    row("adaptive_max_pool3d_with_indices", case(distinct(*VOLUME), 2), numpy=adaptive_maxima(3, True),
        extra_saved=("self_sym_sizes",)),
    row("avg_pool1d", case(T(*LINE), 2), case(T(2, 2, 7), 3, 2, 1), case(T(*LINE), 3, 2, 1, True, False),
        numpy=means(1), ints=True, node=False, bad=case(T(2, 3), 4)),
    row("avg_pool1d", case(T(2, 2, 7), (3,), stride=1), where="nn.functional", numpy=means(1), node=False),
    row("avg_pool2d", case(T(*PLANE), 2), case(T(2, 5, 4), (3, 2), (2, 1), (1, 0), True, False),
        case(T(*PLANE), 3, 2, 1, divisor_override=-2), case(T(0, 2, 4, 4, grad=False), 2), numpy=means(2), ints=True,
        extra_saved=("self_sym_sizes",), bad=case(T(1, 3, 3), 2, divisor_override=0)),
    row("avg_pool3d", case(T(*VOLUME), 2), case(T(2, 3, 4, 3), (1, 2, 3), 1, (0, 1, 1), True, False),
        case(T(*VOLUME), (2, 3, 1), ceil_mode=True, divisor_override=5), numpy=means(3), ints=True,
        extra_saved=("self_sym_sizes",), bad=case(T(2, 2, 2), 2)),
    row("adaptive_avg_pool1d", case(T(2, 2, 7), 3), case(T(*LINE), (2,)), numpy=adaptive_means(1), node=False,
        bad=case(T(2, 3), (2, 2))),
    row("adaptive_avg_pool1d", case(T(*LINE), 9), where="nn.functional", numpy=adaptive_means(1), node=False),
    row("adaptive_avg_pool2d", case(T(*PLANE), 2), case(T(2, 5, 4), (None, 3)), case(T(*PLANE), (7, 1)),
        numpy=adaptive_means(2), extra_saved=("self_sym_sizes", "output_size"), bad=case(T(1, 3, 3), (2, 2, 2))),
    row("adaptive_avg_pool3d", case(T(*VOLUME), (2, 3, 1)), case(T(2, 3, 4, 3), 2),
        numpy=adaptive_means(3), extra_saved=("self_sym_sizes", "output_size"), bad=case(T(2, 3, 3), (2, 2, 2))),
    row("adaptive_avg_pool_again", case(T(2, 2, 3, 7), (2, 3)), case(T(7), (2,)), where="row", torch=False,
        numpy=lambda x, sizes: adaptive_means(len(sizes))(x, sizes)),
    row("lp_pool1d", case(T(2, 2, 7, kind="positive"), 2, 3), case(T(*LINE, kind="positive"), 3, 2, 1),
        numpy=norms(1)),
    row("lp_pool2d", case(T(*PLANE, kind="positive"), 2, 2),
        case(T(2, 5, 4, kind="positive"), 1.5, (2, 3), 1, True), numpy=norms(2)),
    row("lp_pool3d", case(T(*VOLUME, kind="positive"), 2, 2), numpy=norms(3)),
    row("fractional_max_pool2d",
        case(distinct(*PLANE), 2, (3, 2), _random_samples=T(2, 2, 2, kind="unit", grad=False)),
        case(distinct(2, 6, 5), (1, 3), 3, return_indices=True,
             _random_samples=T(1, 2, 2, kind="unit", grad=False)), numpy=fractional(2),
        extra_saved=("self_sym_sizes",),
        bad=case(T(1, 3, 3), 2, 3, _random_samples=T(1, 1, 2, kind="unit", grad=False))),
    row("fractional_max_pool2d_with_indices",
        case(distinct(2, 6, 5), 2, 3, return_indices=True, _random_samples=T(1, 2, 2, kind="unit", grad=False)),
        numpy=fractional(2), extra_saved=("self_sym_sizes",)),
    row("fractional_max_pool3d",
        case(distinct(1, 2, 4, 5, 4), 2, (2, 3, 1), _random_samples=T(1, 2, 3, kind="unit", grad=False)),
        numpy=fractional(3), extra_saved=("self_sym_sizes",)),
    row("fractional_max_pool3d_with_indices",
        case(distinct(2, 4, 5, 4), 2, 2, return_indices=True, _random_samples=T(1, 2, 3, kind="unit", grad=False)),
        numpy=fractional(3), extra_saved=("self_sym_sizes",)),
    row("max_unpool1d", case(T(2, 3), T(2, 3, values=[[0, 3, 5], [1, 2, 4]], kind="int"), 2),
        case(T(1, 2, 2), T(1, 2, 2, values=[[[0, 3], [2, 5]]], kind="int"), 3, 2, output_size=(6,)), numpy=unpooled(1),
        node=False, bad=case(T(1, 2), T(1, 2, values=[[0, 9]], kind="int"), 2)),
    row("max_unpool2d",
        case(T(1, 2, 2, 2), T(1, 2, 2, 2, values=[[[[0, 3], [9, 15]], [[5, 2], [8, 10]]]], kind="int"), 2),
        case(T(1, 2, 2), T(1, 2, 2, values=[[[0, 3], [9, 15]]], kind="int"), 2, output_size=(1, 1, 5, 4)),
        numpy=unpooled(2), node=False, bad=case(T(2, 2), T(2, 2, values=[[0, 1], [2, 3]], kind="int"), 2)),
    row("max_unpool3d",
        case(T(1, 1, 1, 2, 2), T(1, 1, 1, 2, 2, values=[[[[[0, 3], [9, 15]]]]], kind="int"), (1, 2, 2)),
        numpy=unpooled(3), node=False),
]
