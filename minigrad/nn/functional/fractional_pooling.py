"""Fractional max pooling: where its windows begin is drawn at random here, above the table."""

from minigrad import dtypes
from minigrad._core.dispatch.composites import Composite
from minigrad._core.errors import error
from minigrad.ops.windows.pooling import FRACTIONAL_MAXIMA
from minigrad.random import arrays


def maxima(ndim, input, kernel_size, output_size, output_ratio, samples):
    """The largest elements of windows of a plane, which begin where ``samples`` say, and their places."""
    op = f"fractional_max_pool{ndim}d"
    if output_size is None and output_ratio is None:
        raise error("MG207", f"{op} requires specifying either an output_size or an output_ratio")
    if output_size is None:
        output_size = sizes_of(op, ndim, input, output_ratio)
    if samples is None:
        lead = tuple(input.shape)[:-ndim]
        kind = input.dtype if input.dtype.is_floating_point else dtypes.float32         # to be refused
        samples = arrays.drawn(op, arrays.fill_uniform, (1,) * (2 - len(lead)) + lead + (ndim,), kind,
                               device=input.device)
    values, indices = FRACTIONAL_MAXIMA[ndim](input, kernel_size, output_size, samples)
    return values, indices


def sizes_of(op, ndim, input, output_ratio):
    """The sizes of the result, as a share of those of the input."""
    if not isinstance(output_ratio, (tuple, list)):
        raise error("MG205", f"{op}(): argument 'output_ratio' must be tuple of floats, not "
                             f"{type(output_ratio).__name__}")
    if len(output_ratio) != ndim:
        raise error("MG207", f"{op} requires output_ratio to either be a single Int or tuple of Ints: one for each of "
                             f"{ndim} dims, but got {output_ratio}")
    return [int(size * ratio) for size, ratio in zip(input.shape[-ndim:], output_ratio)]


@Composite
def fractional_max_pool2d_with_indices(input, kernel_size, output_size=None, output_ratio=None, return_indices=False,
                                       _random_samples=None):
    """``fractional_max_pool2d``, and where the largest elements are: their places in the flat planes.

    >>> x = torch.tensor([[[1., 5., 2., 0.]]])
    >>> torch.nn.functional.fractional_max_pool2d_with_indices(x, (1, 2), (1, 1))
    (tensor([[[2.]]]), tensor([[[2]]]))
    """
    return maxima(2, input, kernel_size, output_size, output_ratio, _random_samples)


@Composite
def fractional_max_pool2d(input, kernel_size, output_size=None, output_ratio=None, return_indices=False,
                          _random_samples=None):
    """The largest elements of windows of a plane, at distances that are random, as in Graham's Fractional Max-Pooling.

    The size of the result is ``output_size``, or the share ``output_ratio`` of the input's. The distances between
    windows differ by at most one, and do not repeat, as they would at a fixed stride. The random numbers come from the
    default generator (``torch.manual_seed``), a pair for each plane.

    >>> x = torch.arange(25.).reshape(1, 5, 5)
    >>> torch.nn.functional.fractional_max_pool2d(x, 2, (2, 2), _random_samples=torch.tensor([[[0.5, 0.5]]]))
    tensor([[[ 6.,  9.],
             [21., 24.]]])
    """
    values, indices = maxima(2, input, kernel_size, output_size, output_ratio, _random_samples)
    return (values, indices) if return_indices else values


@Composite
def fractional_max_pool3d_with_indices(input, kernel_size, output_size=None, output_ratio=None, return_indices=False,
                                       _random_samples=None):
    """``fractional_max_pool3d``, and where the largest elements are: their places in the flat volumes.

    >>> x = torch.arange(27.).reshape(1, 3, 3, 3)
    >>> torch.nn.functional.fractional_max_pool3d_with_indices(x, 2, 1)
    (tensor([[[[26.]]]]), tensor([[[[26]]]]))
    """
    return maxima(3, input, kernel_size, output_size, output_ratio, _random_samples)


@Composite
def fractional_max_pool3d(input, kernel_size, output_size=None, output_ratio=None, return_indices=False,
                          _random_samples=None):
    """The largest elements of windows of a volume, at distances that are random: see ``fractional_max_pool2d``.

    >>> x = torch.arange(27.).reshape(1, 3, 3, 3)
    >>> torch.nn.functional.fractional_max_pool3d(x, (1, 1, 2), (2, 2, 1)).shape
    torch.Size([1, 2, 2, 1])
    """
    values, indices = maxima(3, input, kernel_size, output_size, output_ratio, _random_samples)
    return (values, indices) if return_indices else values


__all__ = ["fractional_max_pool2d", "fractional_max_pool2d_with_indices", "fractional_max_pool3d",
           "fractional_max_pool3d_with_indices"]
