"""Resizing: images, lines and volumes with more elements, or with fewer.

Along each dim, an element of the result reads a few elements of the input, with weights that depend on where it falls
between them.  Every mode is a list of windows with such weights (sliding.py), made for a size and a wanted size; the
weights of an image are the products of those of its rows and its columns.  So all modes are one kernel, and the
transpose is the same kernel with the transposed windows::

    from 4 elements to 8, "linear"                  from 8 to 4, with antialias
    0         1         2         3                 0   1   2   3   4   5   6   7
    0   1   2   3   4   5   6   7                     0       1       2       3
    element 3: 3/4 of 1, 1/4 of 2                   element 1: 1/8 of 1, 3/8 of 2 and of 3, 1/8 of 4

With ``align_corners`` the first and the last elements of both lie upon each other; else elements are intervals of
length 1, and their outer ends do.  Positions are computed in the precision in which PyTorch computes them, since a
nearest element depends on the last bit.
"""

from functools import lru_cache
from operator import index as as_int

import numpy as np

from minigrad._core.dispatch.axes import plain_ints
from minigrad._core.errors import error, warn
from minigrad._core.kernels import table_of_networks as kernels

from ..elementwise.comparison import refuse
from ..composites import composite
from ..kinds import linear
from .pooling import ADAPTIVE_MEANS
from .sliding import DIMS, Windows, turned, weighed, weighed_along
from ..arguments import in_single

# ------------------------------------------------------------------------------ where an element falls

def step_between(size, n, align_corners, scale, real):
    """How far neighbours of the result are from each other, in elements of the input."""
    if align_corners:
        return real(size - 1) / real(n - 1) if n > 1 else real(0)
    return real(1 / scale) if scale is not None and scale > 0 else real(size) / real(n)


def unless_same(size, n, scale):
    """In PyTorch, most modes take no notice of a scale that does not change the size."""
    return None if n == size else scale


def positions(size, n, align_corners, scale, real):
    """Where the elements of the result fall between those of the input."""
    step, number = step_between(size, n, align_corners, scale, real), np.arange(n).astype(real)
    return step * number if align_corners else step * (number + real(0.5)) - real(0.5)


def nearest(size, n, align_corners, scale, real):
    """The element before: as if both began at 0."""
    step = step_between(size, n, False, scale, real)
    return alone(size, step * np.arange(n).astype(real))


def nearest_exact(size, n, align_corners, scale, real):
    """The element that is nearest."""
    step = step_between(size, n, False, scale, real)
    return alone(size, step * (np.arange(n).astype(real) + real(0.5)))


def alone(size, at):
    first = np.minimum(np.floor(at.astype(np.float32)).astype(np.intp), size - 1)
    return Windows(size, first, np.ones_like(first))


def between_two(size, n, align_corners, scale, real):
    """A straight line between two neighbours; at an end there is only one."""
    at = np.maximum(positions(size, n, align_corners, unless_same(size, n, scale), real), 0)
    first = np.minimum(np.floor(at).astype(np.intp), size - 1)
    share = np.clip(at - first.astype(real), 0, 1).astype(real)
    count = np.where(first < size - 1, 2, 1)
    weights = np.stack([1 - share, share], 1)
    weights[count == 1, 0] = 1
    return Windows(size, first, count, 1, weights)


def between_four(size, n, align_corners, scale, real):
    """A cubic through four neighbours; beyond an end, the last one counts again."""
    at = positions(size, n, align_corners, scale, real)
    before = np.minimum(np.floor(at).astype(np.intp), size - 1)
    share = np.clip(at - before.astype(real), 0, 1).astype(real)
    weights = np.stack([cubic(share + 1, -0.75), cubic(share, -0.75), cubic(1 - share, -0.75),
                        cubic(2 - share, -0.75)], 1)
    places = np.clip(before[:, None] + np.arange(-1, 3), 0, size - 1)
    first = places[:, 0]
    added = np.zeros_like(weights)
    np.add.at(added, (np.arange(n)[:, None], places - first[:, None]), weights)
    return Windows(size, first, places[:, -1] - first + 1, 1, added)


def filtered(filter, reach):
    """The windows of a filter, which is stretched where the result is smaller: so nothing is left out."""
    def windows(size, n, align_corners, scale, real):
        step = step_between(size, n, align_corners, unless_same(size, n, scale), real)
        stretch = max(step, real(1))
        centre = step * (np.arange(n).astype(real) + real(0.5))
        support = real(reach) * stretch
        first = np.maximum((centre - support + real(0.5)).astype(np.intp), 0)
        count = np.minimum((centre + support + real(0.5)).astype(np.intp), size) - first
        count = np.clip(count, 0, 2 * int(np.ceil(support)) + 1)
        member = np.arange(count.max(initial=1))
        x = ((member + first[:, None]).astype(real) - centre[:, None] + real(0.5)) / stretch
        weights = np.where(member < count[:, None], filter(x), 0).astype(real)
        total = weights.sum(1, keepdims=True)
        return Windows(size, first, count, 1, weights / np.where(total == 0, 1, total))
    return windows


def triangle(x):
    return np.maximum(1 - np.abs(x), 0)


def cubic(x, a):
    """The kernel of cubic convolution (Keys, 1981), with the slope ``a`` at 1."""
    x = np.abs(x)
    near, far = ((a + 2) * x - (a + 3)) * x * x + 1, ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
    return np.where(x <= 1, near, np.where(x < 2, far, 0)).astype(x.dtype)


def lanczos(x):
    return np.where(np.abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0).astype(x.dtype)


WINDOWS = {
    "nearest": nearest, "nearest-exact": nearest_exact, "linear": between_two, "cubic": between_four,
    "linear, antialias": filtered(triangle, 1), "cubic, antialias": filtered(lambda x: cubic(x, -0.5), 2),
    "lanczos, antialias": filtered(lanczos, 3),
}


@lru_cache(maxsize=256)
def windows_for(mode, size, n, align_corners, scale, single, transposed):
    """The windows along a dim, or their transpose, with weights in single precision or in double."""
    real = np.float32 if single else np.float64
    found = WINDOWS[mode](size, n, align_corners, scale, real)
    found = turned(found) if transposed else found
    weights = None if found.weights is None else np.ascontiguousarray(found.weights, real)
    return found._replace(first=np.ascontiguousarray(found.first, np.intp), weights=weights,
                          count=np.ascontiguousarray(found.count, np.intp))


RESIZE, RESIZE_BACKWARD = kernels.resizing_by(windows_for)

# ------------------------------------------------------------------------------ the rows


def resized(array, sizes, output_size, mode, align_corners, scale_factors, transposed):
    """The weighted sums of the windows of all dims."""
    real = in_single(array)
    windows = [windows_for(mode, size, n, align_corners, scale, real.dtype == np.float32, transposed)
               for size, n, scale in zip(sizes[-len(output_size):], output_size, scale_factors)]
    if array.dtype == np.uint8:
        return weighed_bytes(array, windows)
    return weighed(real, windows).astype(array.dtype, copy=False)


def weighed_bytes(array, windows):
    """As PyTorch does it: the last dim first, each rounded to bytes, and weights are integers of 16 bits."""
    for axis, along in reversed(list(enumerate(windows, array.ndim - len(windows)))):
        if along.weights is None:
            array = weighed_along(array, axis, along)
            continue
        bits = 0
        while bits < 22 and int(0.5 + along.weights.max() * 2 ** (bits + 1)) < 2 ** 15:
            bits += 1
        whole = along._replace(weights=np.trunc(along.weights * 2 ** bits + np.copysign(0.5, along.weights)))
        total = weighed_along(array.astype(np.int64), axis, whole) + 2 ** bits // 2
        array = np.clip(total >> bits, 0, 255).astype(np.uint8)
    return array


def resize_kernel(self, output_size, mode, align_corners, scale_factors):
    refuse(self, "bic" if self.dtype == np.uint8 else "biuc", "interpolate")
    return resized(self, self.shape, output_size, mode, align_corners, scale_factors, False)


resize_backward = linear(
    "resize_backward(Tensor grad, Sizes input_sizes, int[] output_size, str mode, bool align_corners, "
    "Any scale_factors)",
    lambda grad, input_sizes, output_size, mode, align_corners, scale_factors: resized(
        grad, input_sizes, output_size, mode, align_corners, scale_factors, True),
    grad=lambda d, output_size, mode, align_corners, scale_factors: resize_again(
        d, output_size, mode, align_corners, scale_factors),
    public=False, wide=True, fast=RESIZE_BACKWARD,
    doc="The transpose of ``interpolate``: each number to the elements that it was made of, with the same weights.")


def resize_row(name, ndim):
    """The row of one mode and number of dims; PyTorch has a node for each."""
    node = "".join([word[:1].upper() + word[1:] for word in name.split("_")])
    return linear(f"upsample_{name}(Tensor self, int[] output_size, str mode, bool align_corners, Any scale_factors)",
                  resize_kernel,
                  self=lambda d, self_shape, output_size, mode, align_corners, scale_factors: resize_backward(
                      d, self_shape, output_size, mode, align_corners, scale_factors),
                  node=f"Upsample{node.replace('1d', '1D').replace('2d', '2D').replace('3d', '3D')}Backward0",
                  public=False, shown="interpolate", wide=True, last_dims=ndim, fast=RESIZE,
                  layout="channels", doc="``interpolate`` by the weights of a mode.")


#: (mode, antialias, dims) -> the row, and the name of its windows
ROWS = {
    **{("nearest", False, n): (resize_row(f"nearest{n}d", n), "nearest") for n in (1, 2, 3)},
    **{("nearest-exact", False, n): (resize_row(f"nearest_exact{n}d", n), "nearest-exact") for n in (1, 2, 3)},
    ("linear", False, 1): (resize_row("linear1d", 1), "linear"),
    ("bilinear", False, 2): (resize_row("bilinear2d", 2), "linear"),
    ("trilinear", False, 3): (resize_row("trilinear3d", 3), "linear"),
    ("bicubic", False, 2): (resize_row("bicubic2d", 2), "cubic"),
    ("bilinear", True, 2): (resize_row("bilinear2d_aa", 2), "linear, antialias"),
    ("bicubic", True, 2): (resize_row("bicubic2d_aa", 2), "cubic, antialias"),
    ("lanczos", True, 2): (resize_row("lanczos2d_aa", 2), "lanczos, antialias"),
}

resize_again = linear("resize_again(Tensor self, int[] output_size, str mode, bool align_corners, Any scale_factors)",
                      resize_kernel,
                      self=lambda d, self_shape, output_size, mode, align_corners, scale_factors: resize_backward(
                          d, self_shape, output_size, mode, align_corners, scale_factors),
                      public=False, wide=True, last_dims=1, fast=RESIZE,
                      shown="interpolate",
                      doc="The transpose of the transpose of ``interpolate``, for any number of dims.")

# ------------------------------------------------------------------------------ the functions

SLANTED = ("linear", "bilinear", "bicubic", "trilinear", "lanczos")
MODES = ("nearest", "linear", "bilinear", "bicubic", "trilinear", "lanczos", "area", "nearest-exact")
NEEDS = {"linear": 1, "bilinear": 2, "trilinear": 3}


@composite(nn=True, types="Tensor Any Any str bool? bool? bool")
def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None,
                antialias=False):
    """The input with the size ``size`` of its last dims, or ``scale_factor`` times as large.

    The input is (examples, channels, length), (..., height, width) or (..., depth, height, width). ``mode`` is
    "nearest", "nearest-exact" (the element that is really nearest) or "area" (the mean, for any number of dims), or
    "linear", "bilinear" or "trilinear" for one dim, two or three; for images also "bicubic" and "lanczos". With
    ``antialias``, images that become smaller are averaged first. ``align_corners`` says whether the outer elements keep
    their places. With a ``scale_factor`` distances are ``1 / scale_factor``, or, with ``recompute_scale_factor``, they
    follow from the rounded size.

    >>> x = torch.tensor([[[[1., 2.], [3., 4.]]]])
    >>> torch.nn.functional.interpolate(x, scale_factor=2)
    tensor([[[[1., 1., 2., 2.],
              [1., 1., 2., 2.],
              [3., 3., 4., 4.],
              [3., 3., 4., 4.]]]])
    >>> torch.nn.functional.interpolate(x, size=(2, 3), mode="bilinear", align_corners=True)
    tensor([[[[1.0000, 1.5000, 2.0000],
              [3.0000, 3.5000, 4.0000]]]])
    """
    size = tuple(size) if type(size) is list else size
    scale_factor = tuple(scale_factor) if type(scale_factor) is list else scale_factor
    known = planned if type(size) is not tuple or plain_ints(size) else planned.__wrapped__
    row, *parameters = known(tuple(input.shape), size, scale_factor, mode, align_corners, recompute_scale_factor,
                             antialias)
    return row(input, *parameters)


@lru_cache(maxsize=256, typed=True)
def planned(shape, size, scale_factor, mode, align_corners, recompute_scale_factor, antialias):
    """The row for a call of ``interpolate``, and its parameters."""
    ndim = len(shape) - 2
    if mode in SLANTED:
        align_corners = bool(align_corners)
    elif align_corners is not None:
        raise error("MG207", "interpolate(): align_corners option can only be set with the interpolating modes: "
                             f"{' | '.join(SLANTED)}, and not with {mode!r}")
    output_size, scales = wanted_sizes(shape, size, scale_factor, ndim)
    if recompute_scale_factor and size is not None:
        raise error("MG207", "interpolate(): recompute_scale_factor is not meaningful with an explicit size.")
    if recompute_scale_factor:
        scales = (None,) * ndim
    if antialias and (mode not in ("bilinear", "bicubic", "lanczos") or ndim != 2):
        raise error("MG207", "interpolate(): Anti-alias option is restricted to bilinear, bicubic, and lanczos modes "
                             f"and requires a 4-D tensor as input, not {mode!r} and {len(shape)} dims")
    if mode == "area" and ndim in ADAPTIVE_MEANS:
        return ADAPTIVE_MEANS[ndim], output_size
    if (mode, bool(antialias), ndim) not in ROWS:
        raise not_a_mode(mode, ndim, align_corners)
    check_sizes(shape, output_size)
    if ndim == 2 and mode == "nearest":     # as in PyTorch, images that keep their size, or double it, do so exactly
        scales = tuple([None if n == size or n == 2 * size else scale
                        for n, size, scale in zip(output_size, shape[2:], scales)])
    row, windows = ROWS[mode, bool(antialias), ndim]
    return row, output_size, windows, bool(align_corners), scales


def wanted_sizes(shape, size, scale_factor, ndim):
    """The sizes of the result, and the factors by which it is larger, where these were given."""
    if size is None and scale_factor is None:
        raise error("MG207", "interpolate(): either size or scale_factor should be defined")
    if size is not None and scale_factor is not None:
        raise error("MG207", "interpolate(): only one of size or scale_factor should be defined")
    given, what = (size, "output size") if scale_factor is None else (scale_factor, "scale_factor")
    several = tuple(given) if isinstance(given, (tuple, list)) else (given,) * ndim
    if len(several) != ndim:
        raise other_dims(shape, given, what)
    if scale_factor is None:
        return tuple([an_int(size, several) for size in several]), (None,) * ndim
    for factor in several:
        if isinstance(factor, bool) or not isinstance(factor, (int, float, np.number)):
            raise error("MG205", "interpolate(): argument 'scale_factor' must be float or tuple of floats, not "
                                 f"{type(factor).__name__}")
    return (tuple([int(n * float(factor)) for n, factor in zip(shape[2:], several)]),
            tuple([float(factor) for factor in several]))


def an_int(size, several):
    try:
        if not isinstance(size, bool):
            return as_int(size)
    except TypeError:
        pass
    raise error("MG205", "interpolate(): expected size to be one of int or Tuple[int] or Tuple[int, int] or Tuple[int, "
                         f"int, int], but got size with types {[type(each) for each in several]}: argument 'size' must "
                         "be int or tuple of ints")


def check_sizes(shape, output_size):
    if min(*output_size, *shape[2:]) < 1:
        raise error("MG204", "interpolate(): Input and output sizes should be greater than 0, but got input "
                             f"{list(shape[2:])} output {list(output_size)}")
    if not shape[1]:
        raise error("MG201", f"interpolate(): Non-empty {len(shape)}D data tensor expected but got a tensor with "
                             f"sizes {list(shape)}")


@composite(nn=True, types="Tensor Any Any str bool?")
def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """The older name of :func:`interpolate`, with a warning.

    >>> import warnings
    >>> warnings.simplefilter("ignore")
    >>> torch.nn.functional.upsample(torch.tensor([[[1., 2.]]]), 4)
    tensor([[[1., 1., 2., 2.]]])
    """
    warn("`nn.functional.upsample` is deprecated. Use `nn.functional.interpolate` instead.")
    return interpolate(input, size, scale_factor, mode, align_corners)


@composite(nn=True, types="Tensor Any Any")
def upsample_nearest(input, size=None, scale_factor=None):
    """``interpolate`` with the nearest elements, with a warning.

    >>> import warnings
    >>> warnings.simplefilter("ignore")
    >>> torch.nn.functional.upsample_nearest(torch.tensor([[[1., 2.]]]), 4)
    tensor([[[1., 1., 2., 2.]]])
    """
    warn("`nn.functional.upsample_nearest` is deprecated. Use `nn.functional.interpolate` instead.")
    return interpolate(input, size, scale_factor, mode="nearest")


@composite(nn=True, types="Tensor Any Any")
def upsample_bilinear(input, size=None, scale_factor=None):
    """``interpolate`` of images with straight lines and ``align_corners``, with a warning.

    >>> import warnings
    >>> warnings.simplefilter("ignore")
    >>> torch.nn.functional.upsample_bilinear(torch.tensor([[[[1., 2.]]]]), (1, 3))
    tensor([[[[1.0000, 1.5000, 2.0000]]]])
    """
    warn("`nn.functional.upsample_bilinear` is deprecated. Use `nn.functional.interpolate` instead.")
    return interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)


# ------------------------------------------------------------------------------ errors

def other_dims(shape, given, what):
    return error("MG207", f"interpolate(): Input and {what} must have the same number of spatial dimensions, but got "
                          f"input with spatial dimensions of {list(shape[2:])} and {what} of {given}. Please provide "
                          "input tensor in (N, C, d1, d2, ...,dK) format and one number for each of d1 ... dK.")


def not_a_mode(mode, ndim, align_corners):
    if mode == "lanczos" and ndim == 2:
        return error("MG207", "interpolate(): Lanczos mode " + ("does not support align_corners=True" if align_corners
                                                                else "requires antialias=True"))
    if mode in NEEDS and ndim in DIMS:
        return error("MG305", f"interpolate(): Got {ndim + 2}D input, but {mode} mode needs {NEEDS[mode] + 2}D input")
    return error("MG305", f"interpolate(): Input Error: Only 3D, 4D and 5D input Tensors supported (got {ndim + 2}D) "
                          f"for the modes: {' | '.join(MODES)} (got {mode})")
