"""Discrete Fourier transforms: of complex and real tensors, and those with real spectra, over one dim.

A signal of n numbers and its spectrum, y[k] = sum over j of x[j] exp(-2 pi i j k / n).  Which of the two is real
decides the function; of what is then Hermitian, only a half is there:

=========  =================  ==============================
           signal             spectrum
=========  =================  ==============================
fft, ifft  n complex numbers  n complex numbers
rfft,      n real numbers     n // 2 + 1 complex numbers
irfft
hfft,      n // 2 + 1         n real numbers
ihfft      complex numbers
=========  =================  ==============================

A signal of another size than ``n`` is cut, or filled up with zeros, first.  The functions with an i divide by n;
``norm="forward"`` divides in the others instead, and ``norm="ortho"`` divides by the root of n in all.

Neighbours: pairs.py (the rows), many_dims.py (the same over several dims).
"""

from minigrad import dtypes
from minigrad._core.errors import error
from minigrad._core.frontends import fourier
from minigrad._core.graph import Tensor

from ..copying import to_copy
from ..elementwise.complex import conj
from ..composites import composite
from ..shapes.padding import constant_pad_nd
from ..shapes.slicing import slice_
from .pairs import fft_c2c, fft_c2r, fft_r2c
from ..arguments import must_be_tensors, one_dim, one_int


def prepared(op, input, complex_too):
    """The tensor in a dtype that can be transformed: integers become floats, and real numbers complex ones."""
    if not isinstance(input, Tensor):
        raise must_be_tensors(op, input=input)
    dtype = input.dtype
    if dtype.is_complex:
        return input
    if not dtype.is_floating_point:
        dtype = dtypes.get_default_dtype()
    if dtype.itemsize < 4:
        raise too_narrow(op, dtype)
    if complex_too:
        dtype = dtype.to_complex()
    return input if dtype is input.dtype else to_copy(input, dtype)


def normalization_of(op, norm, forward):
    """PyTorch's number for it."""
    if norm is None or norm == "backward":
        return 0 if forward else 2
    if norm == "ortho":
        return 1
    if norm == "forward":
        return 2 if forward else 0
    raise unknown_norm(op, norm)


def resized(x, dims, sizes):
    """Cut, or filled up with zeros at the end, to these sizes of these dims."""
    pad = [0] * (2 * x.ndim)
    for axis, size in zip(dims, sizes):
        if x.shape[axis] > size:
            x = slice_(x, axis, 0, size, 1)
        pad[2 * (x.ndim - axis) - 1] = size - x.shape[axis]
    return constant_pad_nd(x, pad) if any(pad) else x


def axis_and_size(op, input, n, dim, least=None):
    """The axis, and the number of points along it: ``n``, or what the tensor has there."""
    if not input.ndim:
        raise no_dims(op, dim)
    axis = one_dim(no_bool(op, "dim", dim), input.ndim, op)
    if n is None:
        size = input.shape[axis] if least is None else 2 * (input.shape[axis] - 1)
    else:
        size = one_int(op, "n", no_bool(op, "n", n))
    if size < 1:
        raise no_points(op, size)
    return axis, size


def no_bool(op, argument, value):
    if isinstance(value, bool):
        raise error("MG205", f"{op}(): argument '{argument}' must be int, not bool")
    return value


def complex_to_complex(op, input, n, dim, norm, forward):
    axis, size = axis_and_size(op, input, n, dim)
    x = resized(input, (axis,), (size,)) if n is not None else input
    return fft_c2c(x, (axis,), normalization_of(op, norm, forward), forward)


def real_to_complex(op, input, n, dim, norm, forward, onesided):
    """The other direction, with +i for -i, is the conjugate of this one."""
    input = prepared(op, input, False)
    if input.dtype.is_complex:
        raise not_real(op, input.dtype)
    axis, size = axis_and_size(op, input, n, dim)
    x = resized(input, (axis,), (size,)) if n is not None else input
    out = fft_r2c(x, (axis,), normalization_of(op, norm, forward), onesided)
    return out if forward else conj(out)


def complex_to_real(op, input, n, dim, norm, forward):
    input = prepared(op, input, True)
    axis, size = axis_and_size(op, input, n, dim, 1)
    x = resized(input, (axis,), (size // 2 + 1,)) if n is not None else input
    normalization = normalization_of(op, norm, forward)
    return fft_c2r(conj(x) if forward else x, (axis,), normalization, size)


# ------------------------------------------------------------------------------ functions

@composite(types="Tensor int? int str?", front=fourier.fft)
def fft_fft(input, n=None, dim=-1, norm=None):
    """The discrete Fourier transform over one dim, of ``n`` points.

    >>> torch.fft.fft(torch.tensor([0., 1., 2., 3.]))
    tensor([ 6.+0.j, -2.+2.j, -2.+0.j, -2.-2.j])
    """
    if prepared("fft_fft", input, False).dtype.is_complex:
        return complex_to_complex("fft_fft", input, n, dim, norm, True)
    return real_to_complex("fft_fft", input, n, dim, norm, True, False)


@composite(types="Tensor int? int str?", front=fourier.ifft)
def fft_ifft(input, n=None, dim=-1, norm=None):
    """The inverse of ``fft``.

    >>> torch.fft.ifft(torch.tensor([6 + 0j, -2 + 2j, -2 + 0j, -2 - 2j]))
    tensor([0.+0.j, 1.+0.j, 2.+0.j, 3.+0.j])
    """
    if prepared("fft_ifft", input, False).dtype.is_complex:
        return complex_to_complex("fft_ifft", input, n, dim, norm, False)
    return real_to_complex("fft_ifft", input, n, dim, norm, False, False)


@composite(types="Tensor int? int str?", front=fourier.rfft)
def fft_rfft(input, n=None, dim=-1, norm=None):
    """The transform of real numbers, without its second half, which repeats the first: ``n // 2 + 1`` numbers.

    >>> torch.fft.rfft(torch.tensor([0., 1., 2., 3.]))
    tensor([ 6.+0.j, -2.+2.j, -2.+0.j])
    """
    return real_to_complex("fft_rfft", input, n, dim, norm, True, True)


@composite(types="Tensor int? int str?", front=fourier.irfft)
def fft_irfft(input, n=None, dim=-1, norm=None):
    """The inverse of ``rfft``.

    The half of a spectrum does not say whether there were an even or an odd number of points: without ``n``, even.

    >>> torch.fft.irfft(torch.tensor([6 + 0j, -2 + 2j, -2 + 0j]))
    tensor([0., 1., 2., 3.])
    >>> torch.fft.irfft(torch.fft.rfft(torch.tensor([1., 2., 3.])), n=3)
    tensor([1., 2., 3.])
    """
    return complex_to_real("fft_irfft", input, n, dim, norm, False)


@composite(types="Tensor int? int str?", front=fourier.hfft)
def fft_hfft(input, n=None, dim=-1, norm=None):
    """The transform of a Hermitian signal, of which a half is given: ``n`` real numbers, by default an even number.

    >>> torch.fft.hfft(torch.tensor([1.5 + 0j, -0.5 - 0.5j, -0.5 + 0j]))
    tensor([0., 1., 2., 3.])
    """
    return complex_to_real("fft_hfft", input, n, dim, norm, True)


@composite(types="Tensor int? int str?", front=fourier.ihfft)
def fft_ihfft(input, n=None, dim=-1, norm=None):
    """The inverse of ``hfft``: the half of a Hermitian signal whose spectrum is real.

    >>> torch.fft.ihfft(torch.tensor([0., 1., 2., 3.]))
    tensor([ 1.5000-0.0000j, -0.5000-0.5000j, -0.5000-0.0000j])
    """
    return real_to_complex("fft_ihfft", input, n, dim, norm, False, True)


# ------------------------------------------------------------------------------ errors

def not_real(op, dtype):
    return error("MG202", f"{op}(): {op[4:]} expects a real input tensor, but got {dtype}: a transform of complex "
                          "numbers has no half that repeats the other. Take fft, or the real part of the tensor")


def too_narrow(op, dtype):
    return error("MG202", f"{op}(): Unsupported dtype {dtype}: there are transforms of float32 and float64, and of "
                          "complex numbers; x.float() is float32")


def unknown_norm(op, norm):
    if not isinstance(norm, str):
        return error("MG205", f"{op}(): argument 'norm' must be str, not {type(norm).__name__}")
    return error("MG204", f'{op}(): Invalid normalization mode: "{norm}". It is "backward", "ortho" or "forward"')


def no_dims(op, dim):
    return error("MG203", f"{op}(): Dimension specified as {dim} but tensor has no dimensions")


def no_points(op, size):
    return error("MG204", f"{op}(): Invalid number of data points ({size}) specified: a transform needs one at least")
