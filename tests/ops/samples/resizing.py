"""Samples: lines, images and volumes of other sizes."""

import numpy as np

from tests.ops.sampling import T, case, row


def weights(mode, size, n, scale, align_corners, antialias):
    """The matrix from the elements of a dim to those of the result, one element after the other."""
    step = (size - 1) / max(n - 1, 1) if align_corners else 1 / scale if scale and n != size else size / n
    matrix = np.zeros((n, size))
    for i in range(n):
        at = step * i if align_corners else step * (i + 0.5) - 0.5
        if mode == "nearest":
            matrix[i, min(int(step * i), size - 1)] = 1
        elif mode == "nearest-exact":
            matrix[i, min(int(step * (i + 0.5)), size - 1)] = 1
        elif mode == "area":
            first, end = i * size // n, -(-(i + 1) * size // n)
            matrix[i, first:end] = 1 / (end - first)
        elif antialias:
            stretch = max(step, 1)
            reach = {"linear": 1, "bilinear": 1, "bicubic": 2, "lanczos": 3}[mode] * stretch
            centre = step * (i + 0.5)
            for j in range(max(int(centre - reach + 0.5), 0), min(int(centre + reach + 0.5), size)):
                x = abs(j + 0.5 - centre) / stretch
                matrix[i, j] = (np.sinc(x) * np.sinc(x / 3) if mode == "lanczos" else keys(x, -0.5)
                                if mode == "bicubic" else 1 - x)
            matrix[i] /= matrix[i].sum()
        elif mode == "bicubic":
            for j in range(int(np.floor(at)) - 1, int(np.floor(at)) + 3):
                matrix[i, min(max(j, 0), size - 1)] += keys(abs(at - j), -0.75)
        else:
            at = min(max(at, 0), size - 1)
            for j in range(int(at), min(int(at) + 2, size)):
                matrix[i, j] = 1 - abs(at - j)
    return matrix


def keys(x, a):
    if x <= 1:
        return (a + 2) * x ** 3 - (a + 3) * x ** 2 + 1
    return a * (x ** 3 - 5 * x ** 2 + 8 * x - 4) if x < 2 else 0


def resized(x, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None,
            antialias=False):
    ndim = x.ndim - 2
    scales = [None] * ndim if scale_factor is None else np.broadcast_to(scale_factor, ndim)
    sizes = np.broadcast_to(size, ndim) if scale_factor is None else [
        int(n * scale) for n, scale in zip(x.shape[2:], scales)]
    for axis in range(2, x.ndim):
        scale = None if recompute_scale_factor else scales[axis - 2]
        matrix = weights(mode, x.shape[axis], int(sizes[axis - 2]), scale, align_corners, antialias)
        x = np.moveaxis(np.tensordot(x, matrix, (axis, 1)), -1, axis)
    return x


def bilinear(x, size=None, scale_factor=None):
    return resized(x, size, scale_factor, "bilinear", True)


LINE, IMAGE, VOLUME = (2, 2, 5), (1, 2, 4, 5), (1, 2, 3, 2, 4)
OURS = ("self_sym_sizes", "mode", "scale_factors", "align_corners")

ROWS = [
    row("interpolate",
        case(T(*LINE), 8), case(T(*IMAGE), (3, 7)), case(T(*VOLUME), scale_factor=2),
        case(T(*LINE), scale_factor=1.5, mode="nearest-exact"), case(T(*IMAGE), (6, 3), mode="nearest-exact"),
        case(T(*VOLUME), 2, mode="nearest-exact"),
        case(T(*LINE), 8, mode="linear"), case(T(*LINE), scale_factor=0.5, mode="linear", align_corners=True),
        case(T(*IMAGE), (7, 3), mode="bilinear"), case(T(*IMAGE), scale_factor=(1.7, 0.6), mode="bilinear"),
        case(T(*IMAGE), scale_factor=[1.7, 0.6], mode="bilinear", recompute_scale_factor=True),
        case(T(*IMAGE), (1, 9), mode="bilinear", align_corners=True),
        case(T(*VOLUME), (2, 3, 5), mode="trilinear"), case(T(*VOLUME), 4, mode="trilinear", align_corners=True),
        case(T(*IMAGE), (7, 3), mode="bicubic"), case(T(*IMAGE), scale_factor=2, mode="bicubic", align_corners=True),
        case(T(*IMAGE), (2, 8), mode="bilinear", antialias=True),
        case(T(*IMAGE), (3, 2), mode="bicubic", antialias=True),
        case(T(1, 1, 9, 8), (3, 4), mode="lanczos", antialias=True),
        case(T(*LINE), 2, mode="area"), case(T(*IMAGE), (2, 7), mode="area"), case(T(*VOLUME), 2, mode="area"),
        case(T(0, 2, 3, grad=False), 2),
        numpy=resized, node=False, bad=case(T(1, 3, 3), 4, mode="bilinear")),
    row("upsample", case(T(*LINE), 8), case(T(*IMAGE), None, 2, "bilinear"), numpy=resized, extra_saved=OURS),
    row("upsample_nearest", case(T(*IMAGE), (3, 7)), case(T(*VOLUME), scale_factor=2), numpy=resized,
        extra_saved=OURS),
    row("upsample_bilinear", case(T(*IMAGE), (3, 7)), case(T(*IMAGE), scale_factor=2), numpy=bilinear,
        extra_saved=OURS),
    row("resize_again", case(T(2, 4), (3,), "linear", False, (None,)),
        case(T(3, 2, 4), (5, 3), "cubic", False, (None, None)), where="row", torch=False,
        numpy=lambda x, sizes, mode, align_corners, scales: resized(
            x[None] if x.ndim == 3 else x[:, None], sizes, None, "bicubic" if mode == "cubic" else mode).reshape(
                *x.shape[:-len(sizes)], *sizes)),
]
