"""Pooling: one number for each window, the largest in it, or the mean.

A maximum is a choice.  Which element it is, is the second result of every maximum, ``indices``: its place in the flat
plane.  So the gradient goes there, and the gradient of the gradient is read there; ``max_unpool`` (unpooling.py) puts
values back where they came from.  Of equal elements the first counts; nan counts as larger than all, and of several the
last.

A mean is linear: the sum over a window, divided by the number of its elements (``weighed`` in sliding.py).

Which windows there are is in sliding.py; they slide, or adapt to the size of the result that is wanted, or
begin at random places (``fractional_max_pool``).
"""

from math import prod

import numpy as np

from minigrad._core.errors import error
from minigrad._core.kernels import table_of_networks as kernels

from ..elementwise.comparison import refuse
from ..composites import composite
from ..exports import in_nn_too
from ..kinds import general, linear
from .sliding import adapted, check_planes, checked, each_dim, members, slid, turned, weighed
from ..arguments import chosen, in_rows, own, scalar_name

PLANES = (1, 2, 3)                      # the dims that planes may have


def planes_flat(array, ndim):
    """The array with all planes in one dim, and their elements in another."""
    return array.reshape(prod(array.shape[:-ndim]), prod(array.shape[-ndim:]))


# ------------------------------------------------------------------------------ the largest element

def largest(array, ndim, places):
    """The largest element of each window of the last ``ndim`` dims, and its place.

    ``places`` has a row for each window, with those of its elements; all planes have the same, or each its own.
    """
    planes = planes_flat(array, ndim)
    lead, sizes, k = array.shape[:-ndim], places.shape[-ndim - 1:-1], places.shape[-1]
    places = places.reshape(prod(places.shape[:-ndim - 1]), prod(sizes), k)
    least = -np.inf if array.dtype.kind in "fV" else np.iinfo(array.dtype).min
    best = np.full((len(planes), places.shape[1]), least, array.dtype)
    index = np.full(best.shape, -1, np.int64)
    for member in range(k):
        here = places[..., member]
        at = np.maximum(here, 0)
        x = planes.take(at[0], 1) if len(at) == 1 else np.take_along_axis(planes, at, 1)
        better = (here >= 0) & ((x > best) | (x != x) | (index < 0))
        best, index = chosen(better, x, best), chosen(better, here, index)
    return best.reshape(*lead, *sizes), index.reshape(*lead, *sizes)


def put_kernel(grad, indices, input_sizes, ndim):
    out = np.zeros(input_sizes, grad.dtype)
    planes, grad, indices = planes_flat(out, ndim), planes_flat(grad, ndim), planes_flat(own(indices), ndim)
    kept = indices >= 0
    np.add.at(planes, (np.nonzero(kept)[0], indices[kept]), grad[kept])
    return out


def read_kernel(self, indices, ndim):
    planes, at = planes_flat(self, ndim), planes_flat(own(indices), ndim)
    found = np.where(at < 0, self.dtype.type(0), np.take_along_axis(planes, np.maximum(at, 0), 1))
    return in_rows(found.reshape(indices.shape))


put_in_planes = linear("put_in_planes(Tensor grad, Tensor indices, Sizes input_sizes, int ndim)", put_kernel,
                       grad=lambda d, indices, ndim: read_in_planes(d, indices, ndim),
                       public=False, wide=True, fast=kernels.put_in_planes,
                       doc="Numbers added up at their places in planes of zeros.")

read_in_planes = linear("read_in_planes(Tensor self, Tensor indices, int ndim)", read_kernel,
                        self=lambda d, indices, self_shape, ndim: put_in_planes(d, indices, self_shape, ndim),
                        public=False, last_dims=1, fast=kernels.read_in_planes,
                        doc="The elements of planes at these places: the transpose of ``put_in_planes``.")


def max_pool_row(ndim):
    """The row for planes of ``ndim`` dims."""
    op = f"max_pool{ndim}d"

    def kernel(self, kernel_size, stride, padding, dilation, ceil_mode):
        windows = [slid(*each) for each in checked(op, self.shape, ndim, kernel_size, stride, padding, dilation,
                                                   ceil_mode)]
        return largest(self, ndim, members(windows))

    return general(f"{op}_with_indices(Tensor self, int[1] kernel_size, int[1]? stride=None, int[1] padding=0, "
                   "int[1] dilation=1, bool ceil_mode=False)", kernel,
                   self=lambda d, indices, self_shape: put_in_planes(d, indices, self_shape, ndim),
                   outputs=("values", "indices"), differentiable=("values",), refuse="bc", public=False,
                   shown=op, node=f"MaxPool{ndim}DWithIndicesBackward0", renamed={"indices": "result1"},
                   fast=kernels.max_pool[ndim],
                   layout="channels", doc="The largest element of each window, and its place in its plane.")


def adaptive_max_pool_row(ndim):
    op = f"adaptive_max_pool{ndim}d"

    def kernel(self, output_size):
        check_planes(op, self.shape, ndim, 1)
        sizes = wanted(op, output_size, ndim)
        return largest(self, ndim, members([adapted(size, n) for size, n in zip(self.shape[-ndim:], sizes)]))

    return general(f"{op}(Tensor self, int[1] output_size)", kernel,
                   self=lambda d, indices, self_shape: put_in_planes(d, indices, self_shape, ndim),
                   outputs=("values", "indices"), differentiable=("values",), refuse="biuc", public=False,
                   shown=op, node=f"AdaptiveMaxPool{ndim}DBackward0", renamed={"indices": "result1"},
                   fast=kernels.adaptive_max_pool[ndim],
                   layout="channels", doc="The largest element of each window, and its place in its plane.")


def wanted(op, output_size, ndim):
    """The sizes of the result along the dims of a plane."""
    sizes = each_dim(op, "output_size", output_size, ndim)
    if min(sizes) < 0:
        raise error("MG204", f"{op}: elements of output_size must be greater than or equal to 0 but received {sizes}. "
                             f"Trying to create tensor with negative dimension {min(sizes)}: there would be so many "
                             "windows")
    return sizes


MAXIMA = {ndim: max_pool_row(ndim) for ndim in PLANES}
ADAPTIVE_MAXIMA = {ndim: adaptive_max_pool_row(ndim) for ndim in PLANES}


def random_starts(sample, size, n, kernel):
    """Where ``n`` windows begin along a dim, for each number between 0 and 1; the last one ends with the dim.

    They are at equal distances, of which the integer part is taken after a shift by the number.
    """
    step = (size - kernel) / sample.dtype.type(n - 1) if n > 1 else sample.dtype.type(0)
    starts = ((np.arange(n) + sample[..., None]) * step).astype(np.int64) - (sample * step).astype(np.int64)[..., None]
    starts[..., n - 1:] = size - kernel
    return starts


def fractional_max_pool_row(ndim):
    op = f"fractional_max_pool{ndim}d"

    def kernel(self, kernel_size, output_size, random_samples):
        check_planes(op, self.shape, ndim, 1)
        sizes, kernel = wanted(op, output_size, ndim), each_dim(op, "kernel_size", kernel_size, ndim)
        inner = self.shape[-ndim:]
        check_samples(op, self, random_samples, ndim)
        for size, n, k in zip(inner, sizes, kernel):
            if k < 1 or n + k - 1 > size - (ndim == 3):     # in a volume, one element must be left over
                raise does_not_fit(op, k, n, size)
        examples = prod(self.shape[:-ndim - 1])
        planes = planes_flat(random_samples[:examples], 1).astype(np.result_type(self.dtype, np.float32))
        if ndim == 2:
            planes = planes[:, ::-1]                    # the first one is for the columns, in PyTorch
        places = np.zeros((len(planes), *[1] * 2 * ndim), np.int64)
        for k in range(ndim):
            starts = random_starts(planes[:, k], inner[k], sizes[k], kernel[k])
            along = starts[..., None] + np.arange(kernel[k])
            places = places * inner[k] + along.reshape([len(planes)] + [
                sizes[k] if i == k else kernel[k] if i == ndim + k else 1 for i in range(2 * ndim)])
        return largest(self, ndim, places.reshape(len(planes), *sizes, prod(kernel)))

    return general(f"{op}(Tensor self, int[1] kernel_size, int[1] output_size, Tensor random_samples)", kernel,
                   self=lambda d, indices, self_shape: put_in_planes(d, indices, self_shape, ndim),
                   no_gradient=("random_samples",), outputs=("values", "indices"), differentiable=("values",),
                   refuse="biuc", public=False, node=f"FractionalMaxPool{ndim}DBackward0",
                   renamed={"indices": "result1"},
                   doc="The largest element of each window; the distances between windows are random.")


def check_samples(op, array, samples, ndim):
    """Is there a number between 0 and 1 for each dim of each plane?"""
    lead = array.shape[:-ndim]
    wanted = (1,) * (2 - len(lead)) + lead + (ndim,)            # for more examples will do, too
    if samples.dtype != array.dtype:
        raise error("MG202", f"{op}(): Expect _random_samples to have the same dtype as input, but they are of "
                             f"{scalar_name(samples.dtype)} and {scalar_name(array.dtype)}")
    if samples.ndim != 3 or samples.shape[1:] != wanted[1:] or len(samples) < wanted[0]:
        raise error("MG201", f"{op}(): Expect _random_samples of shape {list(wanted)}, which equals to input channel "
                             f"size and has a number for each dim of a plane; got {list(samples.shape)}")


FRACTIONAL_MAXIMA = {ndim: fractional_max_pool_row(ndim) for ndim in (2, 3)}

# ------------------------------------------------------------------------------ means

def mean_divisors(windows, padding, given, counts):
    """What the sum of each window is divided by: its elements, with those in the padding or without; or a number.

    A window ends with the padding behind the elements, where ``ceil_mode`` lets it go on.
    """
    if given is not None:
        return given
    total = np.ones((), np.int64)
    for along, (size, kernel, stride, padding, _, ceil_mode) in zip(windows, padding):
        start = np.arange(len(along.first)) * stride - padding
        total = total[..., None] * (np.minimum(start + kernel, size + padding) - start if counts else along.count)
    return total


def divided(sums, by):
    """Integers are cut towards zero, as in C."""
    if sums.dtype.kind != "i":
        return sums / np.asarray(by, sums.dtype)
    if np.ndim(by) == 0 and by < 0:
        return divided(-sums, -by)
    down = sums // by
    return down + ((down < 0) & (down * by != sums))


def averaging(op, shape, ndim, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override,
              any_number=False):
    """The windows, and the divisors of their sums."""
    if divisor_override == 0:
        raise error("MG204", f"{op}(): divisor must be not zero: divisor_override divides the sum of each window")
    planes = checked(op, shape, ndim, kernel_size, stride, padding, 1, ceil_mode, any_number)
    if ndim == 3 and any([size < kernel for size, kernel, *_ in planes]):
        raise smaller_than_windows(op, planes)
    windows = [slid(*each) for each in planes]
    return windows, mean_divisors(windows, planes, divisor_override, count_include_pad)


def means(self, *arguments, any_number=False):
    windows, divisors = averaging(*arguments, any_number=any_number)
    return divided(weighed(self, windows), divisors)


def avg_pool_backward_kernel(grad, input_sizes, ndim, *arguments):
    windows, divisors = averaging("avg_pool_backward", input_sizes, ndim, *arguments, any_number=True)
    return weighed(divided(grad, divisors), [turned(along) for along in windows])


OPTIONS = "int[1] kernel_size, int[1]? stride, int[1] padding, bool ceil_mode, bool count_include_pad"

avg_pool_backward = linear(
    f"avg_pool_backward(Tensor grad, Sizes input_sizes, int ndim, {OPTIONS}, int? divisor_override)",
    lambda grad, input_sizes, ndim, *arguments: avg_pool_backward_kernel(grad, input_sizes, ndim, *arguments),
    grad=lambda d, ndim, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override: avg_pool_again(
        d, ndim, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override),
    public=False, wide=True, fast=kernels.avg_pool_backward,
    doc="Each number in equal shares to the elements of its window: the transpose of ``avg_pool``.")

avg_pool_again = linear(
    f"avg_pool_again(Tensor self, int ndim, {OPTIONS}, int? divisor_override)",
    lambda self, ndim, *arguments: means(self, "avg_pool", self.shape, ndim, *arguments, any_number=True),
    self=lambda d, self_shape, ndim, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override:
        avg_pool_backward(d, self_shape, ndim, kernel_size, stride, padding, ceil_mode, count_include_pad,
                          divisor_override),
    public=False, wide=True, last_dims=1, fast=kernels.avg_pool_again,
    doc="The transpose of the transpose of ``avg_pool``, for planes of any number of dims.")


def refuse_means(array, op):
    """PyTorch takes means of floats, and of int64 alone among integers."""
    refuse(array, "bcu" if array.dtype == np.int64 else "biuc", op)


def avg_pool_kernel(op, ndim):
    def kernel(self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
        refuse_means(self, op)
        return means(self, op, self.shape, ndim, kernel_size, stride, padding, ceil_mode, count_include_pad,
                     divisor_override)
    return kernel


def avg_pool_row(ndim):
    """The row of ``avg_pool2d`` or ``avg_pool3d``."""
    op = f"avg_pool{ndim}d"
    size = {2: "2", 3: "(1, 2, 2)"}[ndim]
    return linear(
        f"{op}(Tensor self, int[1] kernel_size, int[1]? stride=None, int[1] padding=0, bool ceil_mode=False, "
        "bool count_include_pad=True, int? divisor_override=None)", avg_pool_kernel(op, ndim),
        self=lambda d, self_shape, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override:
            avg_pool_backward(d, self_shape, ndim, kernel_size, stride, padding, ceil_mode, count_include_pad,
                              divisor_override),
        nn=True, method=False, out=True, wide=True, node=f"AvgPool{ndim}DBackward0", fast=kernels.avg_pool[ndim],
        layout="channels" if ndim == 2 else None, doc=f"""
The mean of each window of ``kernel_size`` elements; the windows are ``stride`` apart, by default as much as they are
long.

Around the planes lie ``padding`` zeros, which the mean counts or not (``count_include_pad``); with ``divisor_override``
sums are divided by that number. With ``ceil_mode`` a last window may go beyond the end.

>>> torch.nn.functional.avg_pool{ndim}d(torch.arange(8.).reshape({"1, 2, 4" if ndim == 2 else "1, 1, 2, 4"}), {size})
tensor({"[[[2.5000, 4.5000]]]" if ndim == 2 else "[[[[2.5000, 4.5000]]]]"})
""")


avg_pool1d = linear(
    "avg_pool1d(Tensor self, int[1] kernel_size, int[1]? stride=None, int[1] padding=0, bool ceil_mode=False, "
    "bool count_include_pad=True)",
    lambda self, kernel_size, stride, padding, ceil_mode, count_include_pad: avg_pool_kernel("avg_pool1d", 1)(
        self, kernel_size, stride, padding, ceil_mode, count_include_pad, None),
    self=lambda d, self_shape, kernel_size, stride, padding, ceil_mode, count_include_pad: avg_pool_backward(
        d, self_shape, 1, kernel_size, stride, padding, ceil_mode, count_include_pad, None),
    method=False, out=False, wide=True, fast=kernels.avg_pool[1], doc="""
The mean of each window of ``kernel_size`` elements; the windows are ``stride`` apart, by default as much as they are
long.

Around the lines lie ``padding`` zeros, which the mean counts or not (``count_include_pad``). With ``ceil_mode`` a last
window may go beyond the end.

>>> torch.avg_pool1d(torch.tensor([[1., 3., 5., 7.]]), 2)
tensor([[2., 6.]])
>>> torch.avg_pool1d(torch.tensor([[1., 3., 5., 7.]]), 3, stride=1, padding=1, count_include_pad=False)
tensor([[2., 3., 5., 6.]])
""")

avg_pool2d, avg_pool3d = avg_pool_row(2), avg_pool_row(3)
MEANS = {1: avg_pool1d, 2: avg_pool2d, 3: avg_pool3d}


def adaptive_means(self, output_size):
    windows = [adapted(size, n) for size, n in zip(self.shape[-len(output_size):], output_size)]
    return weighed(self, windows) / adaptive_divisors(windows).astype(self.dtype)


def adaptive_divisors(windows):
    total = np.ones((), np.int64)
    for along in windows:
        total = total[..., None] * along.count
    return total


def adaptive_avg_pool_backward_kernel(grad, input_sizes, output_size):
    windows = [adapted(size, n) for size, n in zip(input_sizes[-len(output_size):], output_size)]
    return weighed(grad / adaptive_divisors(windows).astype(grad.dtype), [turned(along) for along in windows])


adaptive_avg_pool_backward = linear(
    "adaptive_avg_pool_backward(Tensor grad, Sizes input_sizes, int[] output_size)", adaptive_avg_pool_backward_kernel,
    grad=lambda d, output_size: adaptive_avg_pool_again(d, output_size),
    public=False, wide=True, fast=kernels.adaptive_avg_pool_backward,
    doc="Each number in equal shares to the elements of its window: the transpose of ``adaptive_avg_pool``.")

adaptive_avg_pool_again = linear(
    "adaptive_avg_pool_again(Tensor self, int[] output_size)", adaptive_means,
    self=lambda d, self_shape, output_size: adaptive_avg_pool_backward(d, self_shape, output_size),
    public=False, wide=True, last_dims=1, fast=kernels.adaptive_avg_pool_again,
    doc="The transpose of the transpose of ``adaptive_avg_pool``, for planes of any number of dims.")


def adaptive_avg_pool_row(ndim, **options):
    op = f"adaptive_avg_pool{ndim}d"

    def kernel(self, output_size):
        check_planes(op, self.shape, ndim, 1 if ndim == 3 else self.ndim - ndim)
        sizes = wanted(op, output_size, ndim)
        refuse(self, "biu" if max(sizes) == 1 else "biuc", op)          # a mean of all takes complex numbers, too
        return adaptive_means(self, sizes)

    return linear(f"{op}(Tensor self, int[1] output_size)", kernel,
                  self=lambda d, self_shape, output_size: adaptive_avg_pool_backward(d, self_shape, output_size),
                  wide=True, node=f"AdaptiveAvgPool{ndim}DBackward0", fast=kernels.adaptive_avg_pool[ndim],
                  layout="channels" if ndim == 2 else None, **options)


adaptive_avg_pool1d = adaptive_avg_pool_row(1, method=False, out=False, doc="""
The means of ``output_size`` windows that cover each line and are as equal as can be.

>>> torch.adaptive_avg_pool1d(torch.tensor([[1., 3., 5., 7., 9.]]), 2)
tensor([[3., 7.]])
""")
ADAPTIVE_MEANS = {1: adaptive_avg_pool1d} | {
    ndim: adaptive_avg_pool_row(ndim, public=False, doc="The means of windows that cover each plane.")
    for ndim in (2, 3)}

# ------------------------------------------------------------------------------ functions for each number of dims


def or_as_it_is(op, output_size, input, ndim):
    """The sizes of the result; None for a dim leaves its size as it is."""
    if output_size is None:
        raise error("MG205", f"{op}(): argument 'output_size' must be tuple of ints, not NoneType")
    if not isinstance(output_size, (tuple, list)):
        return (output_size,) * ndim
    if len(output_size) >= len(input.shape):
        raise error("MG207", f"{op}(): Input dimension should be at least {len(output_size) + 1}, but the input has "
                             f"shape {list(input.shape)}")
    if len(output_size) != ndim:
        raise error("MG204", f"{op}(): output_size must be {ndim}: one number for each of the last dims, or one for "
                             f"all, but it is {output_size}")
    return tuple([have if size is None else size for size, have in zip(output_size, input.shape[-ndim:])])


def documented(doc):
    """Decorator: a function made for several numbers of dims says what it does for each."""
    def write(function):
        function.__doc__ = doc
        return function
    return write


def brackets(ndim, inside):
    return "tensor(" + "[" * (ndim + 1) + inside + "]" * (ndim + 1) + ")"


def max_pools(ndim):
    """The functions that take maxima over windows of ``ndim`` dims."""
    row, adaptive = MAXIMA[ndim], ADAPTIVE_MAXIMA[ndim]
    line = f"x = torch.tensor([1., 3., 4., 2.]).reshape({(1,) * ndim + (4,)})"
    window = 2 if ndim == 1 else (1,) * (ndim - 1) + (2,)
    sizes = 2 if ndim == 1 else (None,) * (ndim - 1) + (2,)
    found, places = brackets(ndim, "3., 4."), brackets(ndim, "1, 2")

    def sizes_for(output_size, input):
        return output_size if ndim == 1 else or_as_it_is(adaptive.shown, output_size, input, ndim)

    @composite(name=f"max_pool{ndim}d", method=False, out=False, types="Tensor int[1] int[1]? int[1] int[1] bool")
    @documented(f"""
The largest element of each window of ``kernel_size`` elements, which are ``dilation`` apart; the windows are ``stride``
apart, by default as much as they are long.

Around the planes lie ``padding`` elements that are less than all. With ``ceil_mode`` a last window may go beyond the
end. Of equal elements the first counts, and the gradient goes there; nan counts as larger than all.

>>> {line}
>>> torch.max_pool{ndim}d(x, {window})
{found}
""")
    def max_pool(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False):
        return row(input, kernel_size, stride, padding, dilation, ceil_mode)[0]

    @composite(name=f"max_pool{ndim}d_with_indices", nn=True, types="Tensor int[1] int[1]? int[1] int[1] bool bool")
    @documented(f"""
``max_pool{ndim}d``, and where the largest elements are: their places in the flat planes, for ``max_unpool{ndim}d``.

>>> {line}
>>> torch.nn.functional.max_pool{ndim}d_with_indices(x, {window})[1]
{places}
""")
    def max_pool_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False,
                              return_indices=False):
        values, indices = row(input, kernel_size, stride, padding, dilation, ceil_mode)
        return values, indices

    @composite(name=f"max_pool{ndim}d", nn=True, types="Tensor int[1] int[1]? int[1] int[1] bool bool")
    @documented(f"""
The largest element of each window of ``kernel_size`` elements: :func:`torch.max_pool{ndim}d`, and with
``return_indices`` their places in the flat planes too.

>>> {line}
>>> torch.nn.functional.max_pool{ndim}d(x, {window}, return_indices=True)
({found}, {places})
""")
    def max_pool_or_both(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False,
                         return_indices=False):
        values, indices = row(input, kernel_size, stride, padding, dilation, ceil_mode)
        return (values, indices) if return_indices else values

    @composite(name=f"adaptive_max_pool{ndim}d_with_indices", nn=True, types="Tensor Any bool")
    @documented(f"""
``adaptive_max_pool{ndim}d``, and where the largest elements are.

>>> {line}
>>> torch.nn.functional.adaptive_max_pool{ndim}d_with_indices(x, {sizes})[1]
{places}
""")
    def adaptive_max_pool_with_indices(input, output_size, return_indices=False):
        values, indices = adaptive(input, sizes_for(output_size, input))
        return values, indices

    @composite(name=f"adaptive_max_pool{ndim}d", nn=True, types="Tensor Any bool")
    @documented(f"""
The largest elements of ``output_size`` windows that cover each plane and are as equal as can be; with
``return_indices`` their places in the flat planes too. None leaves the size of a dim as it is.

>>> {line}
>>> torch.nn.functional.adaptive_max_pool{ndim}d(x, {sizes})
{found}
""")
    def adaptive_max_pool(input, output_size, return_indices=False):
        values, indices = adaptive(input, sizes_for(output_size, input))
        return (values, indices) if return_indices else values


for _ndim in PLANES:
    max_pools(_ndim)


@composite(name="max_pool1d_with_indices", method=False, out=False, types="Tensor int[1] int[1]? int[1] int[1] bool")
def max_pool1d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False):
    """The largest element of each window, and its place in its line.

    >>> torch.max_pool1d_with_indices(torch.tensor([[1., 3., 4., 2.]]), 2)
    (tensor([[3., 4.]]), tensor([[1, 2]]))
    """
    values, indices = MAXIMA[1](input, kernel_size, stride, padding, dilation, ceil_mode)
    return values, indices


@composite(name="adaptive_max_pool1d", method=False, out=False, types="Tensor int[1]")
def adaptive_max_pool1d(input, output_size):
    """The largest elements of ``output_size`` windows that cover each line, and their places in it.

    >>> torch.adaptive_max_pool1d(torch.tensor([[1., 3., 4., 2.]]), 2)
    (tensor([[3., 4.]]), tensor([[1, 2]]))
    """
    values, indices = ADAPTIVE_MAXIMA[1](input, output_size)
    return values, indices


in_nn_too("avg_pool1d", "adaptive_avg_pool1d")


@composite(nn=True, types="Tensor Any")
def adaptive_avg_pool2d(input, output_size):
    """The means of windows that cover each plane and are as equal as can be; None leaves the size of a dim as it is.

    >>> torch.nn.functional.adaptive_avg_pool2d(torch.arange(12.).reshape(1, 3, 4), (None, 2))
    tensor([[[ 0.5000,  2.5000],
             [ 4.5000,  6.5000],
             [ 8.5000, 10.5000]]])
    """
    return ADAPTIVE_MEANS[2](input, or_as_it_is("adaptive_avg_pool2d", output_size, input, 2))


@composite(nn=True, types="Tensor Any")
def adaptive_avg_pool3d(input, output_size):
    """The means of windows that cover each volume and are as equal as can be; None leaves the size of a dim as it is.

    >>> torch.nn.functional.adaptive_avg_pool3d(torch.arange(8.).reshape(1, 2, 2, 2), (1, 1, 2))
    tensor([[[[3., 4.]]]])
    """
    return ADAPTIVE_MEANS[3](input, or_as_it_is("adaptive_avg_pool3d", output_size, input, 3))

# ------------------------------------------------------------------------------ norms


def norm_over_windows(mean, input, norm_type, kernel_size, stride, ceil_mode, ndim):
    """(sum of x^p)^(1/p) over windows; a negative sum, of an odd power, counts as zero."""
    if norm_type == 0:
        raise error("MG208", f"lp_pool{ndim}d(): norm_type must not be 0: there is no root of degree 0")
    sizes = kernel_size if isinstance(kernel_size, (tuple, list)) else (kernel_size,) * ndim
    out = mean(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
    return (out.abs().relu() * out.sign()).mul(prod(sizes)).pow(1 / norm_type)


@composite(nn=True, types="Tensor Scalar int[1] int[1]? bool")
def lp_pool1d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """The p-norm of each window, (sum of x^p)^(1/p), with p = ``norm_type``. For p = 1 it is the sum.

    >>> torch.nn.functional.lp_pool1d(torch.tensor([[3., 4., 5., 12.]]), 2, 2)
    tensor([[ 5., 13.]])
    """
    return norm_over_windows(avg_pool1d, input, norm_type, kernel_size, stride, ceil_mode, 1)


@composite(nn=True, types="Tensor Scalar int[1] int[1]? bool")
def lp_pool2d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """The p-norm of each window of a plane, (sum of x^p)^(1/p), with p = ``norm_type``.

    >>> torch.nn.functional.lp_pool2d(torch.tensor([[[3., 0.], [0., 4.]]]), 2, 2)
    tensor([[[5.]]])
    """
    return norm_over_windows(avg_pool2d, input, norm_type, kernel_size, stride, ceil_mode, 2)


@composite(nn=True, types="Tensor Scalar int[1] int[1]? bool")
def lp_pool3d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """The p-norm of each window of a volume, (sum of x^p)^(1/p), with p = ``norm_type``.

    >>> torch.nn.functional.lp_pool3d(torch.tensor([[[[3., 0.], [0., 4.]]]]), 2, (1, 2, 2))
    tensor([[[[5.]]]])
    """
    return norm_over_windows(avg_pool3d, input, norm_type, kernel_size, stride, ceil_mode, 3)


# ------------------------------------------------------------------------------ errors

def smaller_than_windows(op, planes):
    sizes, kernel = [each[0] for each in planes], [each[1] for each in planes]
    return error("MG204", f"{op}(): input image of {sizes} smaller than kernel size {kernel}: without its padding, a "
                          "volume must hold a window")


def does_not_fit(op, kernel, n, size):
    return error("MG204", f"{op}(): pool size {kernel} too large relative to input size {size}: {n} windows of it, "
                          "none of which begins with another, do not fit")
