"""Sampling at positions: ``grid_sample``, and ``affine_grid``, which makes the positions.

For each point, the grid has coordinates from -1 to 1, that of the last dim first.  A position falls between elements,
of which one, two or four along each dim are read, with weights that are polynomials of the fraction t behind the
element before it; the weights of a point are the products of those of its dims::

    elements     .     .  t  |        .     .             nearest    1
                    0     1     2     3                   linear     1 - t, t
                       reads 1, 2 or 0 ... 3              cubic      four polynomials of degree 3

Note [Derivatives of samples are samples]
-----------------------------------------
The values depend on the elements linearly, and on a position by the weights.  So the derivative with respect to a
coordinate is again a sample, with the derivatives of the polynomials in one dim: of *order* (1, 0) or (0, 1), where the
values are those of order (0, 0).  Three functions are enough for derivatives of every order, with S(x, p) for the
values of order o, S' for those of order o + 1 in coordinate i, and B for the transpose of S::

    S(x, p)                 with respect to x: B(d, p)                    to p: slope(d, x, p)
    B(d, p)                 with respect to d: S(v, p)                    to p: slope(d, v, p)
    slope_i = sum d S'      with respect to d: sum over i of v_i S'(x, p),
                            to x: sum over i of B'(v_i d, p), to p: sum over i of slope'(v_i d, x, p)
"""

import itertools
from functools import lru_cache
from math import prod

import numpy as np

from minigrad._core.errors import error, warn
from minigrad._core.kernels import table_of_networks as kernels

from ..elementwise.comparison import refuse
from ..composites import composite
from ..kinds import general, linear
from ..shapes.slicing import select
from ..shapes.transposing import unsqueeze
from .sliding import DIMS
from ..arguments import scalar_name

MODES, PADDINGS = ("bilinear", "nearest", "bicubic"), ("zeros", "border", "reflection")
LINEAR, NEAREST, CUBIC = range(3)
ZEROS, BORDER, REFLECTION = range(3)

_A = -0.75              # the slope of the cubic at 1

#: for each mode the polynomials of the elements that are read, by their coefficients of 1, t, t^2 ...
POLYNOMIALS = {
    LINEAR: [[1, -1], [0, 1]],
    NEAREST: [[1]],
    CUBIC: [[0, _A, -2 * _A, _A], [1, 0, -(_A + 3), _A + 2], [0, -_A, 2 * _A + 3, -(_A + 2)], [0, 0, _A, -_A]],
}


# ------------------------------------------------------------------------------ positions, and what is read there

def inside(x, size, padding, align_corners):
    """Positions brought back into 0 ... size - 1, and the factor of their derivative; nan becomes 0."""
    slope = np.ones_like(x)
    if padding == REFLECTION:
        low, span = (0, size - 1) if align_corners else (-0.5, size)
        if span == 0:
            return np.zeros_like(x), np.zeros_like(x)
        slope = np.where(x < low, -slope, slope)
        x = np.abs(x - x.dtype.type(low))
        flips, extra = np.floor(x / x.dtype.type(span)), np.fmod(x, x.dtype.type(span))
        odd = np.fmod(flips, 2) != 0
        slope = np.where(odd, -slope, slope)
        x = np.where(odd, span - extra, extra) + x.dtype.type(low)
    return (np.where(x > 0, np.minimum(x, size - 1), 0).astype(x.dtype),
            np.where((x > 0) & (x < size - 1), slope, 0).astype(x.dtype))


def taps(coordinate, size, mode, padding, align_corners, order):
    """Along one dim: the elements that are read (-1 outside) and their weights, in a new last dim."""
    real = coordinate.dtype.type
    stretch = real(size - 1) / 2 if align_corners else real(size) / 2
    x = (coordinate + 1) / 2 * real(size - 1) if align_corners else ((coordinate + 1) * real(size) - 1) / 2
    slope = np.full_like(x, stretch)
    if padding != ZEROS and mode != CUBIC:
        x, factor = inside(x, size, padding, align_corners)
        slope = slope * factor
    before = np.rint(x) if mode == NEAREST else np.floor(x)
    t = x - before
    polynomials = [np.polynomial.polynomial.polyder(np.array(each, float), order) for each in POLYNOMIALS[mode]]
    weights = np.stack([np.polynomial.polynomial.polyval(t, each) * slope ** order if mode != NEAREST
                        else np.full_like(t, order == 0) for each in polynomials], -1)
    places = before[..., None] + (np.arange(len(polynomials)) - (mode == CUBIC))
    if padding != ZEROS and mode == CUBIC:
        places, _ = inside(places, size, padding, align_corners)
    there = (places > -1) & (places < size)
    return np.where(there, places, -1).astype(np.int64), weights.astype(coordinate.dtype)


def read_at(grid, sizes, mode, padding, align_corners, order):
    """Each element that is read at a point, as a place in the flat plane (-1 outside), with its weight."""
    ndim = len(sizes)
    along = [taps(grid[..., ndim - 1 - k], sizes[k], mode, padding, align_corners, order[ndim - 1 - k])
             for k in range(ndim)]
    for chosen in itertools.product(*[range(places.shape[-1]) for places, _ in along]):
        flat, outside, weight = 0, False, 1
        for (places, weights), j, size in zip(along, chosen, sizes):
            flat, outside = flat * size + places[..., j], outside | (places[..., j] < 0)
            weight = weight * weights[..., j]
        points = len(grid), prod(grid.shape[1:-1])
        yield np.where(outside, -1, flat).reshape(points), weight.reshape(points)


def check_grid(op, shape, grid, ndim):
    """PyTorch's demands on the shapes of planes and points."""
    if grid and grid[-1] != len(shape) - 2:
        raise not_a_grid(op, shape, grid, f"expected grid to have size {len(shape) - 2} in last dimension, for the "
                                          "coordinates")
    if len(shape) != ndim + 2 or len(grid) != ndim + 2:
        raise not_a_grid(op, shape, grid, f"expected {ndim + 2}D input and grid with same number of dimensions")
    if grid[0] != shape[0]:
        raise not_a_grid(op, shape, grid, "expected grid and input to have same batch size")
    if 0 in shape[2:]:
        raise not_a_grid(op, shape, grid, "expected input to have non-empty spatial dimensions")


def sample(input, grid, mode, padding, align_corners, order):
    n, channels, *sizes = input.shape
    planes = input.reshape(n, channels, prod(sizes))
    out = np.zeros((n, channels, prod(grid.shape[1:-1])), input.dtype)
    for places, weights in read_at(grid, sizes, mode, padding, align_corners, order):
        values = np.take_along_axis(planes, np.maximum(places, 0)[:, None], 2)
        out += np.where(places[:, None] < 0, 0, values) * weights[:, None]
    return out.reshape(n, channels, *grid.shape[1:-1])


def sample_back_kernel(grad, input_sizes, grid, mode, padding, align_corners, order):
    n, channels, *sizes = input_sizes
    d, out = grad.reshape(n, channels, prod(grad.shape[2:])), np.zeros((n, channels, prod(sizes)), grad.dtype)
    for places, weights in read_at(grid, sizes, mode, padding, align_corners, order):
        example, point = np.nonzero(places >= 0)
        np.add.at(out, (example, slice(None), places[example, point]),
                  d[example, :, point] * weights[example, point][:, None])
    return out.reshape(input_sizes)


def sample_slope_kernel(grad, input, grid, mode, padding, align_corners, order):
    return np.stack([(sample(input, grid, mode, padding, align_corners, raised(order, i)) * grad).sum(1)
                     for i in range(grid.shape[-1])], -1)


def raised(order, i):
    return (*order[:i], order[i] + 1, *order[i + 1:])


# ------------------------------------------------------------------------------ the rows

OPTIONS = "int interpolation_mode, int padding_mode, bool align_corners"

sample_order = general(
    f"sample_order(Tensor input, Tensor grid, {OPTIONS}, int[] order)", sample,
    input=lambda d, input_shape, grid, interpolation_mode, padding_mode, align_corners, order: sample_back(
        d, input_shape, grid, interpolation_mode, padding_mode, align_corners, order),
    grid=lambda d, input, grid, interpolation_mode, padding_mode, align_corners, order: sample_slope(
        d, input, grid, interpolation_mode, padding_mode, align_corners, order),
    public=False, fast=kernels.sample_order,
    doc="The derivative of ``grid_sample`` of some order along each coordinate.")

sample_back = general(
    f"sample_back(Tensor grad, Sizes input_sizes, Tensor grid, {OPTIONS}, int[] order)", sample_back_kernel,
    grad=lambda d, grid, interpolation_mode, padding_mode, align_corners, order: sample_order(
        d, grid, interpolation_mode, padding_mode, align_corners, order),
    grid=lambda d, grad, grid, interpolation_mode, padding_mode, align_corners, order: sample_slope(
        grad, d, grid, interpolation_mode, padding_mode, align_corners, order),
    public=False, fast=kernels.sample_back,
    doc="The transpose of ``sample_order``: what is read at a point is added there.")


def slope_of_grad(d, input, grid, interpolation_mode, padding_mode, align_corners, order):
    return sum([unsqueeze(select(d, -1, i), 1) * sample_order(input, grid, interpolation_mode, padding_mode,
                                                              align_corners, raised(order, i))
                for i in range(grid.shape[-1])])


def slope_of_input(d, grad, input_shape, grid, interpolation_mode, padding_mode, align_corners, order):
    return sum([sample_back(unsqueeze(select(d, -1, i), 1) * grad, input_shape, grid, interpolation_mode,
                            padding_mode, align_corners, raised(order, i)) for i in range(grid.shape[-1])])


def slope_of_grid(d, grad, input, grid, interpolation_mode, padding_mode, align_corners, order):
    return sum([sample_slope(unsqueeze(select(d, -1, i), 1) * grad, input, grid, interpolation_mode, padding_mode,
                             align_corners, raised(order, i)) for i in range(grid.shape[-1])])


sample_slope = general(
    f"sample_slope(Tensor grad, Tensor input, Tensor grid, {OPTIONS}, int[] order)", sample_slope_kernel,
    grad=slope_of_grad, input=slope_of_input, grid=slope_of_grid,
    traceable=False, public=False, fast=kernels.sample_slope,
    doc="For each coordinate of a point, the derivatives of its values with respect to it, times ``grad``.")


def sampler(ndim):
    """The row for planes of ``ndim`` dims."""
    op, order = f"grid_sampler_{ndim}d", (0,) * ndim

    def kernel(input, grid, interpolation_mode, padding_mode, align_corners):
        refuse(input, "biuc", op)
        if input.dtype != grid.dtype:
            raise other_dtypes(op, input.dtype, grid.dtype)
        check_grid(op, input.shape, grid.shape, ndim)
        if interpolation_mode == CUBIC and ndim == 3:
            raise error("MG204", f"{op}(): bicubic interpolation only supports 4D input")
        return sample(input, grid, *known(interpolation_mode, padding_mode), align_corners, order)

    return general(
        f"{op}(Tensor input, Tensor grid, {OPTIONS})", kernel,
        input=lambda d, input_shape, grid, interpolation_mode, padding_mode, align_corners: sample_back(
            d, input_shape, grid, interpolation_mode, padding_mode, align_corners, order),
        grid=lambda d, input, grid, interpolation_mode, padding_mode, align_corners: sample_slope(
            d, input, grid, interpolation_mode, padding_mode, align_corners, order),
        method=False, out=False, node=f"GridSampler{ndim}DBackward0", fast=kernels.grid_sampler[ndim], doc=f"""
``nn.functional.grid_sample`` of {DIMS[ndim]}, with numbers for the modes: bilinear 0, nearest 1, bicubic 2, and for
what lies outside: zeros 0, border 1, reflection 2.

>>> x = torch.arange(4.).reshape({(1,) * (ndim + 1) + (4,)})
>>> torch.grid_sampler_{ndim}d(x, torch.zeros({', '.join('1' * (ndim + 1))}, {ndim}), 0, 0, False).item()
1.5
""")


def known(mode, padding):
    """As in PyTorch, numbers that stand for nothing are the first ones."""
    return mode if mode in (NEAREST, CUBIC) else LINEAR, padding if padding in (BORDER, REFLECTION) else ZEROS


grid_sampler_2d, grid_sampler_3d = sampler(2), sampler(3)
SAMPLERS = {2: grid_sampler_2d, 3: grid_sampler_3d}

# ------------------------------------------------------------------------------ the functions


@composite(method=False, out=False, types="Tensor Tensor int int bool")
def grid_sampler(input, grid, interpolation_mode, padding_mode, align_corners):
    """``nn.functional.grid_sample``, with numbers for the modes: see ``torch.grid_sampler_2d``.

    >>> x = torch.arange(4.).reshape(1, 1, 2, 2)
    >>> torch.grid_sampler(x, torch.zeros(1, 1, 1, 2), 0, 0, False)
    tensor([[[[1.5000]]]])
    """
    ndim = input.dim() - 2
    if ndim not in SAMPLERS:
        check_grid("grid_sampler", tuple(input.shape), tuple(grid.shape), 3 if ndim > 2 else 2)
    return SAMPLERS[ndim](input, grid, interpolation_mode, padding_mode, align_corners)


@composite(nn=True, types="Tensor Tensor str str bool?")
def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    """The values of planes at the points of a grid.

    ``input`` is (N, C, H, W) or (N, C, D, H, W), ``grid`` (N, ..., 2) or (N, ..., 3): for each point its coordinates,
    x first, from -1 to 1 over the plane. With ``align_corners`` these are the centres of the outer elements, else their
    outer edges. ``mode`` is "bilinear", "nearest", or for images "bicubic"; outside there are ``padding_mode`` "zeros",
    the elements of the "border", or the plane once more, in "reflection". Gradients go to the input and to the grid.

    >>> x = torch.tensor([[[[0., 1.], [2., 3.]]]])
    >>> grid = torch.tensor([[[[-1., -1.], [0., 0.], [1., 0.5]]]])
    >>> torch.nn.functional.grid_sample(x, grid, align_corners=True)
    tensor([[[[0.0000, 1.5000, 2.5000]]]])
    """
    if mode not in MODES:
        raise error("MG207", "nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', "
                             f"but got: '{mode}'")
    if padding_mode not in PADDINGS:
        raise error("MG207", "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or "
                             f"'reflection', but got: '{padding_mode}'")
    return grid_sampler(input, grid, MODES.index(mode), PADDINGS.index(padding_mode), or_false(align_corners))


def or_false(align_corners):
    if align_corners is None:
        warn("Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0. Please "
             "specify align_corners=True if the old behavior is desired. See the documentation of grid_sample for "
             "details.")
    return bool(align_corners)


@lru_cache(maxsize=32)
def base_grid(sizes, align_corners, dtype):
    """The points of the output itself, and a 1: (D, H, W, 4), or (H, W, 3); the coordinate of the last dim is first."""
    ndim = len(sizes)
    out = np.ones((*sizes, ndim + 1), dtype)
    for k, n in enumerate(sizes):
        along = np.linspace(-1, 1, n) if n > 1 else np.zeros(n)
        along = along if align_corners else along * ((n - 1) / max(n, 1))
        out[..., ndim - 1 - k] = along.reshape([n if i == k else 1 for i in range(ndim)])
    return out


affine_grid_row = linear(
    "affine_grid_generator(Tensor theta, int[] size, bool align_corners)",
    lambda theta, size, align_corners: affine_kernel(theta, size, align_corners),
    theta=lambda d, size, align_corners: affine_grid_backward(d, size, align_corners),
    method=False, out=False, wide=True, doc="""
``nn.functional.affine_grid``: the points of a grid of the size of an output (N, C, H, W) or (N, C, D, H, W), moved by
matrices ``theta``.

>>> torch.affine_grid_generator(torch.tensor([[[1., 0., 0.], [0., 1., 0.]]]), (1, 1, 1, 2), False)
tensor([[[[-0.5000,  0.0000],
          [ 0.5000,  0.0000]]]])
""")


def affine_kernel(theta, size, align_corners):
    sizes = spatial(size)
    ndim = len(sizes)
    if theta.ndim != 3 or theta.shape[0] != size[0] or theta.shape[1:] != (ndim, ndim + 1):
        raise not_affine(theta.shape, size, ndim)
    points = base_grid(sizes, align_corners, theta.dtype).reshape(prod(sizes), ndim + 1)
    return np.matmul(points, theta.swapaxes(1, 2)).reshape(size[0], *sizes, ndim)


def spatial(size):
    if len(size) not in (4, 5):
        raise error("MG204", "affine_grid_generator(): AffineGridGenerator needs 4d (spatial) or 5d (volumetric) "
                             f"inputs, but the size is {list(size)}")
    return size[2:]


affine_grid_backward = linear(
    "affine_grid_backward(Tensor grad, int[] size, bool align_corners)",
    lambda grad, size, align_corners: np.matmul(
        grad.reshape(size[0], prod(size[2:]), grad.shape[-1]).swapaxes(1, 2),
        base_grid(size[2:], align_corners, grad.dtype).reshape(prod(size[2:]), grad.shape[-1] + 1)),
    grad=lambda d, size, align_corners: affine_grid_row(d, size, align_corners),
    public=False, wide=True, doc="The transpose of ``affine_grid``.")


@composite(nn=True, types="Tensor int[] bool?")
def affine_grid(theta, size, align_corners=None):
    """The points of a grid for ``grid_sample``, each moved by a matrix: ``theta`` is (N, 2, 3), or (N, 3, 4).

    ``size`` is the size of the output, (N, C, H, W) or (N, C, D, H, W); ``align_corners`` as in :func:`grid_sample`.

    >>> theta = torch.tensor([[[1., 0., 0.5], [0., 1., 0.]]])
    >>> torch.nn.functional.affine_grid(theta, (1, 1, 1, 2), align_corners=False)
    tensor([[[[0., 0.],
              [1., 0.]]]])
    """
    align_corners = or_false(align_corners)
    size = tuple(size)
    if not theta.is_floating_point():
        raise error("MG207", f"affine_grid(): Expected theta to have floating point type, but got {theta.dtype}")
    if len(size) not in (4, 5):
        raise error("MG305", "affine_grid(): affine_grid only supports 4D and 5D sizes, for 2D and 3D affine "
                             f"transforms, respectively. Got size {size}.")
    ndim = len(size) - 2
    if theta.dim() != 3 or tuple(theta.shape[1:]) != (ndim, ndim + 1):
        raise error("MG207", f"affine_grid(): Expected a batch of {ndim}D affine matrices of shape Nx{ndim}x{ndim + 1} "
                             f"for size {size}. Got {list(theta.shape)}.")
    if align_corners and min(size[2:]) == 1:
        warn("Since version 1.3.0, affine_grid behavior has changed for unit-size grids when align_corners=True. This "
             "is not an intended use case of affine_grid. See the documentation of affine_grid for details.")
    elif min(size) <= 0:
        raise error("MG207", f"affine_grid(): Expected non-zero, positive output size. Got {size}")
    return affine_grid_row(theta, size, align_corners)


# ------------------------------------------------------------------------------ errors

def not_a_grid(op, shape, grid, what):
    return error("MG201", f"{op}(): {what}, but got input with sizes {list(shape)} and grid with sizes {list(grid)}. "
                          "An input of (N, C, H, W) needs a grid of (N, ..., 2), one of (N, C, D, H, W) one of "
                          "(N, ..., 3)")


def other_dtypes(op, input, grid):
    return error("MG202", f"{op}(): expected scalar type {scalar_name(input)} but found {scalar_name(grid)}: input and "
                          "grid must have the same dtype")


def not_affine(theta, size, ndim):
    return error("MG201", f"affine_grid_generator(): Expected theta of size [{size[0]}, {ndim}, {ndim + 1}] for the "
                          f"size {list(size)}, but got: {list(theta)}")
