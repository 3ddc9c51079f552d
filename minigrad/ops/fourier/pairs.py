"""The three transforms that all others are made of, each with its transpose.

With w = exp(-2 pi i / n), the transform of x is y[k] = sum over j of x[j] w^(j k): a symmetric matrix, whose conjugate
transpose is the same sum with the other sign in the exponent.  So each row has a formula which is another row, and the
other way round::

    complex to complex      _fft_c2c    x   --->  y
    real to complex         _fft_r2c    x   --->  y[0] ... y[n/2]      the rest of it: y[n - k] = conj(y[k])
    complex to real         _fft_c2r    y[0] ... y[n/2]  --->  x

Half of a spectrum stands for the whole of it: all but y[0], and y[n/2] where n is even, stand for two.  In the
transpose of ``_fft_c2r`` these two are one sum, so they count twice; in that of ``_fft_r2c`` each is alone, and would
count twice if it were given to ``_fft_c2r`` as it is::

    n = 6     y[0]  y[1]  y[2]  y[3]            n = 5     y[0]  y[1]  y[2]
                1     2     2     1     counts              1     2     2

Real numbers become complex ones by the sum with the sign -, and complex ones real by that with the sign +.
``normalization`` is PyTorch's: 0 leaves the sum as it is, 1 divides by the root of the number of elements, 2 by it.

NumPy computes: its ufuncs for one dim, which are M. Reinecke's pocketfft, O(n log n) for all n, and float32 in float32.

Neighbours: transforms.py (what users call), spectrograms.py.
"""

from math import prod, sqrt

import numpy as np

from minigrad._core.kernels import table_of_matrices as kernels

from ..kinds import linear
from ..arguments import at


def scale_of(shape, dim, normalization):
    """What the sum over these dims of an array of this shape is multiplied by."""
    n = prod([shape[axis] for axis in dim])
    return (1., 1 / sqrt(n), 1 / n)[normalization]


def along(name, x, scale, axis, n_out, dtype):
    """One of NumPy's transforms along an axis, which has ``n_out`` elements in the result.

    numpy.fft is loaded when the first one is asked for: few programs need it.
    """
    ufunc = getattr(np.fft._pocketfft_umath, name)
    out = np.empty(x.shape[:axis] + (n_out,) + x.shape[axis + 1:], dtype)
    return ufunc(x, scale, out, axes=[(axis,), (), (axis,)])


def sums(x, dim, forward, scale=1.):
    """The transforms of complex numbers over some dims, one after the other."""
    for axis in dim:
        x = along("fft" if forward else "ifft", x, scale, axis, x.shape[axis], x.dtype)
        scale = 1.
    return x


def c2c_kernel(self, dim, normalization, forward):
    if not dim:
        return self.copy()
    return sums(self, dim, forward, scale_of(self.shape, dim, normalization))


def r2c_kernel(self, dim, normalization, onesided):
    axis, n = dim[-1], self.shape[dim[-1]]
    half = along("rfft_n_odd" if n % 2 else "rfft_n_even", self,
                 scale_of(self.shape, dim, normalization), axis, n // 2 + 1, np.result_type(self.dtype, np.complex64))
    if onesided:
        return sums(half, dim[:-1], True)
    whole = np.empty(self.shape, half.dtype)
    whole[at(axis, slice(n // 2 + 1))] = half
    np.conjugate(half[at(axis, slice((n - 1) // 2, 0, -1))], whole[at(axis, slice(n // 2 + 1, None))])
    return sums(whole, dim[:-1], True)


def c2r_kernel(self, dim, normalization, last_dim_size):
    axis = dim[-1]
    shape = self.shape[:axis] + (last_dim_size,) + self.shape[axis + 1:]
    return along("irfft", sums(self, dim[:-1], False), scale_of(shape, dim, normalization), axis, last_dim_size,
                 self.real.dtype)


def count(half, axis, n, factor):
    """Multiply in place what stands for two elements of a spectrum of ``n``."""
    twice = half[at(axis, slice(1, (n + 1) // 2))]
    for part in (twice.real, twice.imag):       # as a complex number, 2 would make nan of inf
        part *= part.dtype.type(factor)
    return half


def r2c_backward_kernel(d, input_sizes, dim, normalization, onesided):
    if not onesided:
        return sums(d, dim, False, scale_of(input_sizes, dim, normalization)).real.copy()
    n = input_sizes[dim[-1]]
    return c2r_kernel(count(d.copy(), dim[-1], n, 0.5), dim, normalization, n)


def c2r_shapes(self, dim, normalization, last_dim_size):
    shape = list(self.shape)
    shape[dim[-1]] = last_dim_size
    return np.broadcast_to(np.zeros((), self.dtype).real, shape)


c2r_kernel.shapes = c2r_shapes


def c2r_backward_kernel(d, dim, normalization, last_dim_size):
    return count(r2c_kernel(d, dim, normalization, True), dim[-1], last_dim_size, 2)

# ------------------------------------------------------------------------------ rows

fft_c2c = linear("_fft_c2c(Tensor self, Dim[1] dim, int normalization, bool forward)", c2c_kernel,
                 self=lambda d, dim, normalization, forward: fft_c2c_backward(d, dim, normalization, forward),
                 node="FftC2CBackward0", fast=kernels.c2c, public=False, shown="fft",
                 doc="The transform of complex numbers over some dims, in either direction.")

fft_c2c_backward = linear("_fft_c2c_backward(Tensor d, Dim[1] dim, int normalization, bool forward)",
                          lambda d, dim, normalization, forward: c2c_kernel(d, dim, normalization, not forward),
                          d=lambda t, dim, normalization, forward: fft_c2c(t, dim, normalization, forward),
                          node="FftC2CBackward0", fast=kernels.c2c_backward, public=False, shown="fft",
                          doc="The transform in the other direction.")

fft_r2c = linear("_fft_r2c(Tensor self, Dim[1] dim, int normalization, bool onesided)", r2c_kernel,
                 self=lambda d, self_shape, dim, normalization, onesided: fft_r2c_backward(
                     d, self_shape, dim, normalization, onesided),
                 node="FftR2CBackward0", fast=kernels.r2c, public=False, shown="rfft",
                 doc="The transform of real numbers over some dims: one half of it along the last, or all.")

fft_r2c_backward = linear(
    "_fft_r2c_backward(Tensor d, Sizes input_sizes, Dim[1] dim, int normalization, bool onesided)", r2c_backward_kernel,
    d=lambda t, dim, normalization, onesided: fft_r2c(t, dim, normalization, onesided),
    node="FftR2CBackwardBackward0", fast=kernels.r2c_backward, public=False, shown="rfft",
    doc="The transpose of ``_fft_r2c``: the real part of the transform back.")

fft_c2r = linear("_fft_c2r(Tensor self, Dim[1] dim, int normalization, int last_dim_size)", c2r_kernel,
                 self=lambda d, dim, normalization, last_dim_size: fft_c2r_backward(
                     d, dim, normalization, last_dim_size),
                 node="FftC2RBackward0", fast=kernels.c2r, public=False, shown="irfft",
                 doc="Back to real numbers from the half of a spectrum that is Hermitian.")

fft_c2r_backward = linear("_fft_c2r_backward(Tensor d, Dim[1] dim, int normalization, int last_dim_size)",
                          c2r_backward_kernel,
                          d=lambda t, dim, normalization, last_dim_size: fft_c2r(t, dim, normalization, last_dim_size),
                          node="FftC2RBackwardBackward0", fast=kernels.c2r_backward, public=False, shown="irfft",
                          doc="The transpose of ``_fft_c2r``.")
