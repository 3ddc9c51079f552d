"""Samples: values of planes at positions, grids of positions, and shuffles of pixels and channels."""

import itertools

import numpy as np

from tests.ops.sampling import T, case, row


def coordinate(u, size, align_corners):
    return (u + 1) / 2 * (size - 1) if align_corners else ((u + 1) * size - 1) / 2


def outside_in(x, size, padding, align_corners):
    """Where a position outside is read: nowhere else, at the border, or on the other side of it."""
    if padding == "reflection":
        low, high = (0, size - 1) if align_corners else (-0.5, size - 0.5)
        while high > low and not low <= x <= high:
            x = 2 * low - x if x < low else 2 * high - x
    return x if padding == "zeros" else min(max(x, 0), size - 1)


def kernel(mode, x):
    x = abs(x)
    if mode != "bicubic":
        return max(1 - x, 0)
    near, far = 1.25 * x ** 3 - 2.25 * x ** 2 + 1, -0.75 * (x ** 3 - 5 * x ** 2 + 8 * x - 4)
    return near if x <= 1 else far if x < 2 else 0


def grid_sample(x, grid, mode="bilinear", padding_mode="zeros", align_corners=False):
    """One point after the other, and one element after the other."""
    sizes = x.shape[2:]
    out = np.zeros((*x.shape[:2], *grid.shape[1:-1]))
    for n, *at in np.ndindex(*grid.shape[:-1]):
        point = [coordinate(u, size, align_corners) for u, size in zip(grid[(n, *at)][::-1], sizes)]
        if mode != "bicubic":
            point = [outside_in(u, size, padding_mode, align_corners) for u, size in zip(point, sizes)]
        if mode == "nearest":
            point = [np.rint(u) for u in point]
        for place in itertools.product(*[range(int(np.floor(u)) - 1, int(np.floor(u)) + 3) for u in point]):
            weight = np.prod([kernel(mode, u - i) for u, i in zip(point, place)])
            if mode == "bicubic":
                place = [int(outside_in(i, size, padding_mode, align_corners)) for i, size in zip(place, sizes)]
            if all([0 <= i < size for i, size in zip(place, sizes)]):
                out[(n, slice(None), *at)] += weight * x[(n, slice(None), *place)]
    return out


def by_numbers(x, grid, mode, padding, align_corners):
    return grid_sample(x, grid, ("bilinear", "nearest", "bicubic")[mode], ("zeros", "border", "reflection")[padding],
                       align_corners)


def of_order(x, grid, mode, padding, align_corners, order):
    """A derivative with respect to coordinates, by differences."""
    if not any(order):
        return by_numbers(x, grid, mode, padding, align_corners)
    i = int(np.flatnonzero(order)[0])
    step = np.where(np.arange(len(order)) == i, 1e-5, 0)
    less = tuple(n - (k == i) for k, n in enumerate(order))
    return (of_order(x, grid + step, mode, padding, align_corners, less)
            - of_order(x, grid - step, mode, padding, align_corners, less)) / 2e-5


def affine_grid(theta, size, align_corners=False):
    out = np.zeros((size[0], *size[2:], len(size) - 2))
    for n, *at in np.ndindex(*out.shape[:-1]):
        point = [(2 * i / (m - 1) - 1 if m > 1 else 0) if align_corners else (2 * i + 1) / m - 1
                 for i, m in zip(at, size[2:])]
        out[(n, *at)] = theta[n] @ [*point[::-1], 1]
    return out


def pixel_shuffle(x, r):
    out = np.zeros((*x.shape[:-3], x.shape[-3] // (r * r), x.shape[-2] * r, x.shape[-1] * r), x.dtype)
    for i, j in np.ndindex(r, r):
        out[..., i::r, j::r] = x[..., i * r + j::r * r, :, :]
    return out


def pixel_unshuffle(x, r):
    out = np.zeros((*x.shape[:-3], x.shape[-3] * r * r, x.shape[-2] // r, x.shape[-1] // r), x.dtype)
    for i, j in np.ndindex(r, r):
        out[..., i * r + j::r * r, :, :] = x[..., i::r, j::r]
    return out


def channel_shuffle(x, groups):
    n = x.shape[1] // groups
    return x[:, [k % groups * n + k // groups for k in range(x.shape[1])]]


def points(*shape):
    """Random points, some of them outside; none between two elements, where there is a kink."""
    return T(*shape, low=-1.3, high=1.3)


IMAGE, VOLUME = (2, 2, 4, 3), (1, 2, 3, 2, 4)
SHAPES = ("input_sym_sizes",)

ROWS = [
    row("grid_sample",
        *[case(T(*IMAGE, low=-0.5, high=0.5), points(2, 2, 3, 2), mode, padding, align_corners)
          for mode in ("bilinear", "nearest", "bicubic") for padding in ("zeros", "border", "reflection")
          for align_corners in (False, True)],
        *[case(T(*VOLUME), points(1, 2, 1, 2, 3), mode, padding, align_corners)
          for mode in ("bilinear", "nearest") for padding, align_corners in (
              ("zeros", False), ("border", True), ("reflection", False))],
        case(T(0, 2, 3, 3, grad=False), T(0, 1, 1, 2, grad=False), align_corners=False),
        numpy=grid_sample, extra_saved=SHAPES, rtol=1e-8, atol=1e-10,
        bad=case(T(2, 2, 3, 3), T(1, 2, 2, 2), align_corners=False)),
    row("grid_sampler", case(T(*IMAGE), points(2, 2, 3, 2), 0, 1, False),
        case(T(*VOLUME), points(1, 2, 1, 2, 3), 0, 0, True), numpy=by_numbers, extra_saved=SHAPES,
        bad=case(T(3, 3, 3), T(3, 2, 2), 0, 0, False)),
    row("grid_sampler_2d", case(T(*IMAGE), points(2, 2, 3, 2), 2, 0, False), numpy=by_numbers, extra_saved=SHAPES,
        bad=case(T(1, 1, 2, 2), T(1, 1, 1, 3), 0, 0, False)),
    row("grid_sampler_3d", case(T(*VOLUME), points(1, 2, 1, 2, 3), 0, 0, True), numpy=by_numbers, extra_saved=SHAPES,
        bad=case(T(1, 1, 2, 2), T(1, 1, 1, 2), 0, 0, False)),
    row("sample_order", case(T(*IMAGE), points(2, 2, 3, 2), 0, 0, False, (1, 0)),
        case(T(*IMAGE), points(2, 2, 3, 2), 2, 1, True, (0, 1)),
        case(T(*VOLUME), points(1, 2, 1, 2, 3), 0, 2, True, (0, 0, 1)), where="row", torch=False, numpy=of_order,
        rtol=1e-6, atol=1e-7),
    row("affine_grid", case(T(2, 2, 3), (2, 3, 2, 4), False), case(T(2, 2, 3), [2, 1, 1, 3], align_corners=True),
        case(T(1, 3, 4), (1, 1, 2, 3, 2), False), numpy=affine_grid, bad=case(T(2, 3, 3), (2, 1, 2, 2), False)),
    row("affine_grid_generator", case(T(2, 2, 3), (2, 3, 2, 4), True), numpy=affine_grid,
        bad=case(T(1, 2, 3), (2, 1, 2, 2), False)),
    row("pixel_shuffle", case(T(2, 8, 2, 3), 2), case(T(9, 1, 2), 3), case(T(0, 4, 2, 2, grad=False), 2),
        numpy=pixel_shuffle, complex=True, ints=True, bad=case(T(3, 2, 2), 2)),
    row("pixel_unshuffle", case(T(2, 2, 4, 6), 2), case(T(1, 3, 6), 3), numpy=pixel_unshuffle, complex=True, ints=True,
        bad=case(T(1, 3, 4), 2)),
    row("channel_shuffle", case(T(2, 6, 3), 2), case(T(1, 6, 2, 2), 3), numpy=channel_shuffle, complex=True, ints=True,
        bad=case(T(2, 6), 2)),
    row("native_channel_shuffle", case(T(2, 6, 3), 3), numpy=channel_shuffle, complex=True, ints=True, grad=False,
        node=False, bad=case(T(2, 6, 3), 4)),
]
