"""Unpooling: values put back where the largest elements of windows were, among zeros.

``indices`` are the places that ``max_pool`` returns.  Where windows overlap, two values can have one place; the later
one stays there, and as in PyTorch the gradient of the place goes to both.
"""

import numpy as np

from minigrad._core.errors import error
from minigrad._core.kernels import table_of_networks as kernels

from ..elementwise.comparison import refuse
from ..composites import composite
from ..kinds import linear
from .pooling import PLANES, documented, planes_flat, read_in_planes
from .sliding import each_dim
from ..arguments import own, scalar_name


def unpool_kernel(self, indices, output_size, ndim):
    op = f"max_unpool{ndim}d"
    refuse(self, "biuc", op)
    if indices.dtype != np.int64:
        raise error("MG202", f"{op}(): elements in indices should be type int64 but got: {scalar_name(indices.dtype)}")
    if indices.shape != self.shape:
        raise other_indices(op, self.shape, indices.shape)
    out = np.zeros(output_size, self.dtype)
    planes, values, places = planes_flat(out, ndim), planes_flat(self, ndim), planes_flat(own(indices), ndim)
    wrong = places[(places < 0) | (places >= planes.shape[1])]
    if wrong.size:
        raise outside(op, wrong[0], output_size[-ndim:])
    for window in range(values.shape[1]):               # in their order, since the last one stays
        planes[np.arange(len(planes)), places[:, window]] = values[:, window]
    return out


unpool = linear("unpool(Tensor self, Tensor indices, Sizes output_size, int ndim)", unpool_kernel,
                self=lambda d, indices, ndim: read_in_planes(d, indices, ndim),
                public=False, node="MaxUnpoolBackward0", fast=kernels.unpool,
                layout="channels", doc="Values at their places in planes of zeros, the later ones over the earlier.")


def unpooled_size(op, shape, kernel_size, stride, padding, output_size, ndim):
    """The sizes of the planes: those that are given, or the least for which these windows make the values."""
    kernel = each_dim(op, "kernel_size", as_given(kernel_size), ndim)
    stride = each_dim(op, "stride", as_given(stride), ndim, unless=kernel)
    padding = each_dim(op, "padding", as_given(padding), ndim)
    least = [(n - 1) * step + size - 2 * pad for n, size, step, pad in zip(shape[-ndim:], kernel, stride, padding)]
    if output_size is None:
        return least
    given = tuple(output_size)
    if len(given) == ndim + 2:
        given = given[2:]
    if len(given) != ndim:
        raise not_a_size(op, given, ndim)
    for k, (n, usual, step) in enumerate(zip(given, least, stride)):
        if not usual - step < n < usual + step:
            raise size_out_of_range(op, given, k, usual - step, usual + step)
    return given


def as_given(several):
    return tuple(several) if isinstance(several, list) else several


def max_unpools(ndim):
    """The function for planes of ``ndim`` dims."""
    op = f"max_unpool{ndim}d"
    window = 2 if ndim == 1 else (1,) * (ndim - 1) + (2,)
    shape = (1,) * ndim + (2,)
    values, places = f"torch.tensor([3., 4.]).reshape({shape})", f"torch.tensor([1, 2]).reshape({shape})"
    found = "tensor(" + "[" * (ndim + 1) + "0., 3., 4., 0." + "]" * (ndim + 1) + ")"

    @composite(name=op, nn=True, types="Tensor Tensor int[1] int[1]? int[1] Any")
    @documented(f"""
The values of a ``max_pool{ndim}d`` back at their places, which are in ``indices``, among zeros.

How large the planes were does not follow from the values: without ``output_size`` they get the least size.

>>> values, indices = {values}, {places}
>>> torch.nn.functional.max_unpool{ndim}d(values, indices, {window})
{found}
""")
    def max_unpool(input, indices, kernel_size, stride=None, padding=0, output_size=None):
        shape = tuple(input.shape)
        sizes = unpooled_size(op, (1,) * ndim + shape, kernel_size, stride, padding, output_size, ndim)
        if len(shape) not in (ndim + 1, ndim + 2):
            raise not_unpooled(op, shape, ndim)
        if 0 in shape[1:]:
            raise nothing_to_unpool(op, shape)
        return unpool(input, indices, (*shape[:-ndim], *sizes), ndim)


for _ndim in PLANES:
    max_unpools(_ndim)


# ------------------------------------------------------------------------------ errors

def other_indices(op, shape, indices):
    return error("MG201", f"{op}(): Expected shape of indices to be same as that of the input tensor ({list(shape)}) "
                          f"but got indices tensor with shape: {list(indices)}")


def outside(op, place, sizes):
    return error("MG204", f"{op}(): Found an invalid max index: {place} (output volumes are of size "
                          f"{'x'.join(map(str, sizes))}). indices are places in flat planes; perhaps output_size is "
                          "too small")


def not_a_size(op, given, ndim):
    return error("MG207", f"{op}(): output_size should be a sequence containing {ndim} or {ndim + 2} elements, but it "
                          f"has a length of '{len(given)}'")


def size_out_of_range(op, given, k, low, high):
    return error("MG207", f"{op}(): invalid output_size \"{given}\" (dim {k} must be between {low} and {high})")


def not_unpooled(op, shape, ndim):
    return error("MG201", f"{op}(): Input to max_unpooling{ndim}d should be a {ndim + 1}d or {ndim + 2}d Tensor, but "
                          f"got a tensor with {len(shape)} dimensions: {list(shape)}")


def nothing_to_unpool(op, shape):
    return error("MG201", f"{op}(): Expected input to have non-zero size for non-batch dimensions, but got "
                          f"{list(shape)}")
