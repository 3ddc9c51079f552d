"""Fourier transforms over several dims, one after the other; of real tensors, the last of the dims is the halved one.

The sizes ``s`` are those that the signal is cut or filled up to; -1 leaves a dim as it is.  Without ``dim`` it is the
last dims, as many as there are sizes, or all.

Neighbours: transforms.py (over one dim), pairs.py (the rows).
"""

from minigrad._core.errors import error
from minigrad._core.frontends import fourier

from ..elementwise.complex import conj
from ..composites import composite
from ..shapes.arranging import roll
from .pairs import fft_c2c, fft_c2r, fft_r2c
from .transforms import no_dims, no_points, normalization_of, prepared, resized
from ..arguments import ints, one_dim


def dims_and_sizes(op, input, s, dim):
    """The axes, and the number of points along each."""
    if dim is not None:
        axes = [axis_of(op, each, input.ndim) for each in ints(op, "dim", (dim,))]
        if len({*axes}) != len(axes):
            raise twice(op, dim)
    if s is not None:
        s = ints(op, "s", (s,))
        if dim is not None and len(s) != len(axes):
            raise not_as_many(op, s, dim)
        if len(s) > input.ndim:
            raise too_many_sizes(op, s, input.ndim)
    if dim is None:
        axes = list(range(input.ndim - (input.ndim if s is None else len(s)), input.ndim))
    sizes = [input.shape[axis] for axis in axes]
    if s is not None:
        sizes = [have if n == -1 else n for n, have in zip(s, sizes)]
    for size in sizes:
        if size < 1:
            raise no_points(op, size)
    return tuple(axes), sizes


def two(op, dim):
    """The dims of a function that has two of them, and takes others, but not None."""
    if dim is None:
        raise error("MG205", f"{op}(): argument 'dim' must be tuple of ints, not NoneType")
    return dim


def axis_of(op, dim, ndim):
    if not ndim:
        raise no_dims(op, dim)
    return one_dim(dim, ndim, op)


def halved_sizes(op, input, s, dim):
    """The same where the last of the dims is given by its half: also how many points it has in the result."""
    axes, sizes = dims_and_sizes(op, input, s, dim)
    if not axes:
        raise no_axis(op)
    last = 2 * (input.shape[axes[-1]] - 1) if s is None or ints(op, "s", (s,))[-1] == -1 else sizes[-1]
    if last < 1:
        raise no_points(op, last)
    return axes, [*sizes[:-1], last // 2 + 1], last


def complex_to_complex(op, input, s, dim, norm, forward):
    x = prepared(op, input, True)
    axes, sizes = dims_and_sizes(op, x, s, dim)
    return fft_c2c(resized(x, axes, sizes), axes, normalization_of(op, norm, forward), forward)


def real_to_complex(op, input, s, dim, norm):
    x = prepared(op, input, False)
    if x.dtype.is_complex:
        raise not_real_valued(op, x.dtype)
    axes, sizes = dims_and_sizes(op, x, s, dim)
    if not axes:
        raise no_axis(op)
    return fft_r2c(resized(x, axes, sizes), axes, normalization_of(op, norm, True), True)


def complex_to_real(op, input, s, dim, norm):
    x = prepared(op, input, True)
    axes, sizes, last = halved_sizes(op, x, s, dim)
    return fft_c2r(resized(x, axes, sizes), axes, normalization_of(op, norm, False), last)


def hermitian_to_real(op, input, s, dim, norm):
    """Forward along the other dims, and then along the last as ``hfft``."""
    x = prepared(op, input, True)
    axes, sizes, last = halved_sizes(op, x, s, dim)
    normalization = normalization_of(op, norm, True)
    x = resized(x, axes, sizes)
    if len(axes) > 1:
        x = fft_c2c(x, axes[:-1], normalization, True)
    return fft_c2r(conj(x), axes[-1:], normalization, last)


def real_to_hermitian(op, input, s, dim, norm):
    x = prepared(op, input, False)
    if x.dtype.is_complex:
        raise not_floating(op, x.dtype)
    axes, sizes = dims_and_sizes(op, x, s, dim)
    if not axes:
        raise no_axis(op)
    normalization = normalization_of(op, norm, False)
    half = conj(fft_r2c(resized(x, axes, sizes), axes[-1:], normalization, True))
    return fft_c2c(half, axes[:-1], normalization, False) if len(axes) > 1 else half


# ------------------------------------------------------------------------------ functions over two dims

@composite(types="Tensor int[1]? Dims str?", front=fourier.fft2)
def fft_fft2(input, s=None, dim=(-2, -1), norm=None):
    """The discrete Fourier transform over two dims, which are the last ones.

    >>> torch.fft.fft2(torch.tensor([[0., 1.], [2., 3.]]))
    tensor([[ 6.+0.j, -2.+0.j],
            [-4.+0.j,  0.+0.j]])
    """
    return complex_to_complex("fft_fft2", input, s, two("fft_fft2", dim), norm, True)


@composite(types="Tensor int[1]? Dims str?", front=fourier.ifft2)
def fft_ifft2(input, s=None, dim=(-2, -1), norm=None):
    """The inverse of ``fft2``.

    >>> torch.fft.ifft2(torch.tensor([[6., -2.], [-4., 0.]]))
    tensor([[0.+0.j, 1.+0.j],
            [2.+0.j, 3.+0.j]])
    """
    return complex_to_complex("fft_ifft2", input, s, two("fft_ifft2", dim), norm, False)


@composite(types="Tensor int[1]? Dims str?", front=fourier.rfft2)
def fft_rfft2(input, s=None, dim=(-2, -1), norm=None):
    """``fft2`` of real numbers, without the second half along the last dim.

    >>> torch.fft.rfft2(torch.ones(2, 4))
    tensor([[8.+0.j, 0.+0.j, 0.+0.j],
            [0.+0.j, 0.+0.j, 0.+0.j]])
    """
    return real_to_complex("fft_rfft2", input, s, two("fft_rfft2", dim), norm)


@composite(types="Tensor int[1]? Dims str?", front=fourier.irfft2)
def fft_irfft2(input, s=None, dim=(-2, -1), norm=None):
    """The inverse of ``rfft2``; without ``s``, an even number of points along the last dim.

    >>> torch.fft.irfft2(torch.tensor([[8., 0., 0.], [0., 0., 0.]]))
    tensor([[1., 1., 1., 1.],
            [1., 1., 1., 1.]])
    """
    return complex_to_real("fft_irfft2", input, s, two("fft_irfft2", dim), norm)


@composite(types="Tensor int[1]? Dims str?", front=fourier.hfft2)
def fft_hfft2(input, s=None, dim=(-2, -1), norm=None):
    """The transform over two dims of a signal that is Hermitian along the last one, which is given by its half.

    >>> torch.fft.hfft2(torch.tensor([[1., 0., 0.], [0., 0., 0.]]))
    tensor([[1., 1., 1., 1.],
            [1., 1., 1., 1.]])
    """
    return hermitian_to_real("fft_hfft2", input, s, two("fft_hfft2", dim), norm)


@composite(types="Tensor int[1]? Dims str?", front=fourier.ihfft2)
def fft_ihfft2(input, s=None, dim=(-2, -1), norm=None):
    """The inverse of ``hfft2``.

    >>> torch.fft.ihfft2(torch.ones(2, 4)).abs()
    tensor([[1., 0., 0.],
            [0., 0., 0.]])
    """
    return real_to_hermitian("fft_ihfft2", input, s, two("fft_ihfft2", dim), norm)


# ------------------------------------------------------------------------------ functions over any dims

@composite(types="Tensor int[1]? Dims? str?", front=fourier.fftn)
def fft_fftn(input, s=None, dim=None, norm=None):
    """The discrete Fourier transform over several dims, or all.

    >>> torch.fft.fftn(torch.ones(2, 2, 2)).abs().sum()
    tensor(8.)
    """
    return complex_to_complex("fft_fftn", input, s, dim, norm, True)


@composite(types="Tensor int[1]? Dims? str?", front=fourier.ifftn)
def fft_ifftn(input, s=None, dim=None, norm=None):
    """The inverse of ``fftn``.

    >>> torch.fft.ifftn(torch.ones(2, 2), dim=0)
    tensor([[1.+0.j, 1.+0.j],
            [0.+0.j, 0.+0.j]])
    """
    return complex_to_complex("fft_ifftn", input, s, dim, norm, False)


@composite(types="Tensor int[1]? Dims? str?", front=fourier.rfftn)
def fft_rfftn(input, s=None, dim=None, norm=None):
    """``fftn`` of real numbers, without the second half along the last of the dims.

    >>> torch.fft.rfftn(torch.ones(2, 4)).shape
    torch.Size([2, 3])
    """
    return real_to_complex("fft_rfftn", input, s, dim, norm)


@composite(types="Tensor int[1]? Dims? str?", front=fourier.irfftn)
def fft_irfftn(input, s=None, dim=None, norm=None):
    """The inverse of ``rfftn``; without ``s``, an even number of points along the last of the dims.

    >>> torch.fft.irfftn(torch.fft.rfftn(torch.ones(2, 3)), s=(2, 3))
    tensor([[1., 1., 1.],
            [1., 1., 1.]])
    """
    return complex_to_real("fft_irfftn", input, s, dim, norm)


@composite(types="Tensor int[1]? Dims? str?", front=fourier.hfftn)
def fft_hfftn(input, s=None, dim=None, norm=None):
    """The transform of a signal that is Hermitian along the last of the dims, and given by its half there.

    >>> torch.fft.hfftn(torch.ones(1, 3))
    tensor([[4., 0., 0., 0.]])
    """
    return hermitian_to_real("fft_hfftn", input, s, dim, norm)


@composite(types="Tensor int[1]? Dims? str?", front=fourier.ihfftn)
def fft_ihfftn(input, s=None, dim=None, norm=None):
    """The inverse of ``hfftn``.

    >>> torch.fft.ihfftn(torch.ones(2, 2, 4)).shape
    torch.Size([2, 2, 3])
    """
    return real_to_hermitian("fft_ihfftn", input, s, dim, norm)


# ------------------------------------------------------------------------------ shifts

def shifted(op, input, dim, more):
    axes = range(input.ndim) if dim is None else [one_dim(each, input.ndim, op) for each in ints(op, "dim", (dim,))]
    return roll(input, [(input.shape[axis] + more) // 2 for axis in axes], tuple(axes))


@composite(types="Tensor Dims?", out=False)
def fft_fftshift(input, dim=None):
    """A spectrum with the frequency 0 in the middle, and not at the beginning, along some dims or all.

    >>> torch.fft.fftshift(torch.tensor([0, 1, 2, -2, -1]))
    tensor([-2, -1,  0,  1,  2])
    """
    return shifted("fft_fftshift", input, dim, 0)


@composite(types="Tensor Dims?", out=False)
def fft_ifftshift(input, dim=None):
    """The inverse of ``fftshift``.

    >>> torch.fft.ifftshift(torch.tensor([-2, -1, 0, 1, 2]))
    tensor([ 0,  1,  2, -2, -1])
    """
    return shifted("fft_ifftshift", input, dim, 1)


# ------------------------------------------------------------------------------ errors

def twice(op, dim):
    return error("MG204", f"{op}(): FFT dims must be unique, but dim={dim} has one of them twice")


def not_as_many(op, s, dim):
    return error("MG204", f"{op}(): When given, dim and shape arguments must have the same length, but s={s} and "
                          f"dim={dim}")


def too_many_sizes(op, s, ndim):
    return error("MG204", f"{op}(): Got shape with {len(s)} values but input tensor only has {ndim} dimensions.")


def not_real_valued(op, dtype):
    return error("MG202", f"{op}(): rfftn expects a real-valued input tensor, but got {dtype}: a transform of complex "
                          "numbers has no half that repeats the other. Take fftn, or the real part of the tensor")


def not_floating(op, dtype):
    return error("MG202", f"{op}(): Only supports floating-point dtypes, but found: {dtype}. A spectrum that is real "
                          "has a Hermitian signal; take ifftn for a complex one")


def no_axis(op):
    return error("MG204", f"{op}(): {op[4:].replace('2', 'n')} must transform at least one axis")
