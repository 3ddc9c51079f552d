"""Convolutions: windows that move over the input, each multiplied by the weight.

One sum is behind all of them.  For an input x, a weight w and a result y, in one dim, of one channel and one example,

    T(x, w, y)  =  sum of  y[p] w[k] x[p s + k d - a]  over p and k         s: stride, d: dilation, a: padding

where x is zero beyond its ends.  T is linear in each of the three, and the derivative with respect to each is a row,
which is given the shape of its result:

    convolve          dT/dy     from x and w      the convolution
    convolve_back     dT/dx     from y and w      the transposed convolution
    convolve_weight   dT/dw     from x and y      the gradient of the weight

So the vjp of each row consists of the other two, and no derivative of any order needs a fourth.  With many channels
each product is one of matrices; the elements of the kernel take turns:

    k = 0      x  . . . . . .      the windows begin at every s-th place
                  |   |   |
    k = 1         . . . . . .      their next elements lie d further on
                    |   |   |

Neighbours: folding.py (the windows themselves, without a product), ../shapes/padding.py.
"""

from functools import lru_cache
from math import prod

import numpy as np

from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad._core.kernels import table_of_networks as kernels

from ..composites import composite
from ..exports import NN_REGISTRY
from ..kinds import linear, multilinear, windows
from ..shapes.broadcasting import sum_to
from ..shapes.padding import constant_pad_nd
from ..shapes.transposing import permute, squeeze_dim, transpose, unsqueeze
from ..arguments import ints, must_be_tensors, one_int, scalar_name


# ------------------------------------------------------------------------------ the three rows

def meetings(kernel, places, stride, dilation):
    """For each element of the kernel: its index, and what it meets in the padded input, one element for each window."""
    for k in np.ndindex(*kernel):
        yield (..., *k), (..., *[slice(i * d, i * d + n * s, s) for i, n, s, d in zip(k, places, stride, dilation)])


def room(sizes, kernel, places, stride, padding, dilation):
    """The sizes of an input with its padding, in which no window reaches beyond the end."""
    return [max(n + a, (m - 1) * s + (k - 1) * d + 1)
            for n, k, m, s, a, d in zip(sizes, kernel, places, stride, padding, dilation)]


def inside(sizes, padding):
    """The index of the input in the padded input."""
    return (..., *[slice(a, a + n) for n, a in zip(sizes, padding)])


def with_padding(x, kernel, places, stride, padding, dilation):
    sizes = x.shape[2:]
    out = np.zeros((*x.shape[:2], *room(sizes, kernel, places, stride, padding, dilation)), x.dtype)
    out[inside(sizes, padding)] = x
    return out


def in_groups(weight, groups):
    """The weight as matrices (groups, outputs, inputs), one for each element of the kernel."""
    return weight.reshape(groups, weight.shape[0] // groups, *weight.shape[1:])


def add_bias(out, bias):
    if bias is not None:
        out += bias.reshape(-1, *[1] * (out.ndim - 2))
    return out


def convolve_kernel(input, weight, bias, size, stride, padding, dilation, groups):
    kernel, places = weight.shape[2:], size[2:]
    x = with_padding(input, kernel, places, stride, padding, dilation)
    w = in_groups(weight, groups)
    columns = (len(x), groups, w.shape[2], prod(places))
    out = np.zeros((len(x), groups, w.shape[1], prod(places)), x.dtype)
    for of_kernel, of_input in meetings(kernel, places, stride, dilation):
        out += np.matmul(w[of_kernel], x[of_input].reshape(columns))
    return add_bias(out.reshape(size), bias)


def convolve_back_kernel(grad, weight, bias, size, stride, padding, dilation, groups):
    kernel, places = weight.shape[2:], grad.shape[2:]
    x = np.zeros((*size[:2], *room(size[2:], kernel, places, stride, padding, dilation)), grad.dtype)
    w = in_groups(weight, groups)
    y = grad.reshape(len(grad), groups, w.shape[1], prod(places))
    for of_kernel, of_input in meetings(kernel, places, stride, dilation):
        x[of_input] += np.matmul(w[of_kernel].mT, y).reshape(*size[:2], *places)
    return add_bias(x[inside(size[2:], padding)].copy(), bias)


def convolve_weight_kernel(input, grad, size, stride, padding, dilation, groups):
    kernel, places = size[2:], grad.shape[2:]
    x = with_padding(input, kernel, places, stride, padding, dilation)
    w = np.zeros((groups, size[0] // groups, *size[1:]), x.dtype)
    y = grad.reshape(len(grad), groups, w.shape[1], prod(places))
    for of_kernel, of_input in meetings(kernel, places, stride, dilation):
        columns = x[of_input].reshape(len(x), groups, size[1], prod(places))
        w[of_kernel] = np.matmul(y, columns.mT).sum(0, dtype=x.dtype)
    return w.reshape(size)


def channel_sums(d, bias_shape):
    """The gradient of a bias: what reaches each channel."""
    return sum_to(transpose(d, 1, -1), bias_shape)


conjugate = linear("conjugate(Tensor self)", lambda self: self.conj() if self.dtype.kind == "c" else self,
                   self=lambda d: conjugate(d), public=False, last_dims=0,
                   doc="The conjugate; of real numbers it is ``self`` itself, and nothing is copied.")

convolve = windows(
    "convolve(Tensor input, Tensor weight, Tensor? bias, Sizes size, int[] stride, int[] padding, int[] dilation, "
    "int groups)", convolve_kernel,
    input=lambda d, input_shape, weight, stride, padding, dilation, groups: convolve_back(
        d, conjugate(weight), None, input_shape, stride, padding, dilation, groups),
    weight=lambda d, input, weight_shape, stride, padding, dilation, groups: convolve_weight(
        conjugate(input), d, weight_shape, stride, padding, dilation, groups),
    bias=lambda d, bias_shape: channel_sums(d, bias_shape),
    node="ConvolutionBackward0", public=False, shown="convolution", fast=kernels.convolve,
    constants={"transposed": False},
    renamed={"bias_shape": "bias_sym_sizes_opt"},
    layout="channels",
    doc="Each window of the input times the weight. ``size`` is the shape of the result; windows that reach beyond "
        "the input find zeros there.")

convolve_back = windows(
    "convolve_back(Tensor grad, Tensor weight, Tensor? bias, Sizes size, int[] stride, int[] padding, "
    "int[] dilation, int groups)", convolve_back_kernel,
    grad=lambda d, grad_shape, weight, stride, padding, dilation, groups: convolve(
        d, conjugate(weight), None, grad_shape, stride, padding, dilation, groups),
    weight=lambda d, grad, weight_shape, stride, padding, dilation, groups: convolve_weight(
        d, conjugate(grad), weight_shape, stride, padding, dilation, groups),
    bias=lambda d, bias_shape: channel_sums(d, bias_shape),
    node="ConvolutionBackward0", public=False, shown="convolution", fast=kernels.convolve_back,
    constants={"transposed": True},
    renamed={"grad": "input", "grad_shape": "input_sym_sizes", "bias_shape": "bias_sym_sizes_opt"},
    layout="channels",
    doc="The transposed convolution: each element times the weight, added up where its window was. ``size`` is the "
        "shape of the result.")

convolve_weight = multilinear(
    "convolve_weight(Tensor input, Tensor grad, Sizes size, int[] stride, int[] padding, int[] dilation, int groups)",
    convolve_weight_kernel,
    input=lambda d, input_shape, grad, stride, padding, dilation, groups: convolve_back(
        conjugate(grad), d, None, input_shape, stride, padding, dilation, groups),
    grad=lambda d, input, grad_shape, stride, padding, dilation, groups: convolve(
        conjugate(input), d, None, grad_shape, stride, padding, dilation, groups),
    node="ConvolutionBackwardBackward0", public=False, shown="convolution", fast=kernels.convolve_weight,
    doc="The gradient of the weight of a convolution, which has the shape ``size``.")


# ------------------------------------------------------------------------------ arguments

def per_dim(op, name, value, n):
    """A parameter for each of ``n`` dims, of which one number may be given for all."""
    if type(value) is int:
        return (value,) * n
    values = tuple(ints(op, name, (value,)))
    if len(values) == 1:
        return values * n
    if len(values) != n:
        raise wrong_length(op, name, values, n)
    return values


@lru_cache(1024)
def shape_of_result(op, shape, weight, stride, padding, dilation, transposed, output_padding, groups):
    """The shape of the convolution of tensors of these shapes; what does not fit together is refused.

    A network asks for the same ones again and again, and they take longer to compute than a small convolution.
    """
    if min(stride) <= 0:
        raise bad_number(op, "non-positive stride is not supported", "stride", stride)
    if min(padding) < 0:
        raise bad_number(op, "negative padding is not supported", "padding", padding)
    if min(output_padding) < 0:
        raise bad_number(op, "negative output_padding is not supported", "output_padding", output_padding)
    if min(dilation) <= 0:
        raise bad_number(op, "dilation should be greater than zero", "dilation", dilation)
    if groups <= 0:
        raise bad_number(op, "non-positive groups is not supported", "groups", groups)
    if min(weight[2:]) <= 0:
        raise bad_number(op, "kernel size should be greater than zero", "the shape of the weight", weight)
    if weight[0] < groups:
        raise too_few_outputs(op, groups, weight)
    if weight[0] % groups:
        raise not_divisible(op, groups, weight)
    inputs, outputs = (weight[0], weight[1] * groups) if transposed else (weight[1] * groups, weight[0])
    if shape[1] != inputs:
        raise other_channels(op, groups, transposed, weight, shape, inputs)
    along = transposed_sizes if transposed else sizes_of_result
    out = along(op, shape[2:], weight[2:], stride, padding, dilation, output_padding)
    if 0 in shape[2:] and 0 not in shape[:2]:
        raise no_elements(op, shape)
    return (shape[0], outputs, *out)


def sizes_of_result(op, sizes, kernel, stride, padding, dilation, output_padding):
    spans = [(k - 1) * d + 1 for k, d in zip(kernel, dilation)]
    for n, a, span in zip(sizes, padding, spans):
        if n + 2 * a < span:
            raise too_large_kernel(op, sizes, padding, spans)
    return [(n + 2 * a - span) // s + 1 for n, s, a, span in zip(sizes, stride, padding, spans)]


def transposed_sizes(op, sizes, kernel, stride, padding, dilation, output_padding):
    for more, s, d in zip(output_padding, stride, dilation):
        if more >= s and more >= d:
            raise too_much_output_padding(op, output_padding, stride, dilation)
    out = [(n - 1) * s - 2 * a + (k - 1) * d + 1 + more
           for n, k, s, a, d, more in zip(sizes, kernel, stride, padding, dilation, output_padding)]
    if min(out) < 1:
        raise too_small(op, sizes, out)
    return out


def check_dtypes(op, input, **others):
    """Refuse bools, and tensors of another dtype than the first."""
    for name, other in others.items():
        if other.dtype != input.dtype:
            raise of_two_dtypes(op, name, input.dtype, other.dtype)
    if not input.dtype.category:
        raise no_bools(op)


def convolution_of(op, input, weight, bias, stride, padding, dilation, transposed, output_padding, groups):
    """Check the arguments, find the shape of the result, and call the row."""
    size = shape_of_result(op, tuple(input.shape), tuple(weight.shape), stride, padding, dilation, transposed,
                           output_padding, groups)
    if bias is None:
        check_dtypes(op, input, weight=weight)
    else:
        check_dtypes(op, input, weight=weight, bias=bias)
        if tuple(bias.shape) != size[1:2]:
            raise other_bias(op, transposed, weight.shape, size[1], bias.shape)
    row = convolve_back if transposed else convolve
    return row(input, weight, bias, size, stride, padding, dilation, groups)


def of_dims(op, n, input, weight, bias, stride, padding, dilation, groups, transposed=False, output_padding=0):
    """A convolution over the last ``n`` dims of a batch, or of one example."""
    if not (isinstance(input, Tensor) and isinstance(weight, Tensor) and isinstance(bias, (Tensor, type(None)))):
        raise must_be_tensors(op, input=input, weight=weight, bias=weight if bias is None else bias)
    if input.ndim not in (n + 1, n + 2):
        raise neither_batch_nor_example(op, n, input.shape)
    if weight.ndim != n + 2:
        raise other_weight(op, n, weight.shape, input.shape)
    stride, dilation = per_dim(op, "stride", stride, n), per_dim(op, "dilation", dilation, n)
    output_padding, groups = per_dim(op, "output_padding", output_padding, n), one_int(op, "groups", groups)
    example = input.ndim == n + 1
    if example:
        input = unsqueeze(input, 0)
    if isinstance(padding, str) and not transposed:
        input, padding = by_name(op, padding, input, weight, stride, dilation, n)
    else:
        padding = per_dim(op, "padding", padding, n)
    out = convolution_of(op, input, weight, bias, stride, padding, dilation, transposed, output_padding, groups)
    return squeeze_dim(out, 0) if example else out


def by_name(op, name, input, weight, stride, dilation, n):
    """The numbers that "valid" and "same" stand for; where these differ by one, the end gets the larger one before."""
    if name == "valid":
        return input, (0,) * n
    if name != "same":
        raise error("MG204", f"{op}(): Invalid padding string: {name!r}: it is 'valid', 'same' or numbers")
    if max(stride) > 1:
        raise error("MG204", f"{op}(): padding='same' is not supported for strided convolutions, but the stride is "
                             f"{stride}")
    total = [max((k - 1) * d, 0) for k, d in zip(weight.shape[2:], dilation)]
    if any([each % 2 for each in total]):
        input = constant_pad_nd(input, tuple([m for each in reversed(total) for m in (0, each % 2)]))
    return input, tuple([each // 2 for each in total])


# ------------------------------------------------------------------------------ the functions

def everywhere(**options):
    """Decorator: a composite that is in nn.functional as well, and no method."""
    def decorate(function):
        function = composite(method=False, out=False, **options)(function)
        NN_REGISTRY[function.__name__] = function
        return function
    return decorate


CONVOLUTION = "Tensor Tensor Tensor? int[1] Any int[1] int"
TRANSPOSED = "Tensor Tensor Tensor? int[1] int[1] int[1] int int[1]"


@everywhere(types=CONVOLUTION)
def conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """Windows that move over a sequence, each multiplied by the weight: a convolution in one dim.

    ``input`` has shape (N, C, L), or (C, L) for one example, ``weight`` (outputs, C / groups, kernel size) and ``bias``
    (outputs).  Windows begin ``stride`` apart, their elements lie ``dilation`` apart, and ``padding`` zeros are put
    before and after the input; "valid" means none, "same" as many as keep the length.  With ``groups``, each group of
    outputs sees only its own group of channels.

    >>> x = torch.tensor([[[1., 2., 3., 4.]]])
    >>> torch.conv1d(x, torch.tensor([[[1., 1.]]]))
    tensor([[[3., 5., 7.]]])
    >>> torch.conv1d(x, torch.tensor([[[1., 0., -1.]]]), padding="same")
    tensor([[[-2., -2., -2.,  3.]]])
    """
    return of_dims("conv1d", 1, input, weight, bias, stride, padding, dilation, groups)


@everywhere(types=CONVOLUTION)
def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """Windows that move over an image, each multiplied by the weight: a convolution in two dims.

    ``input`` has shape (N, C, H, W), or (C, H, W) for one example, ``weight`` (outputs, C / groups, kH, kW) and
    ``bias`` (outputs).  The other parameters are one number or one for each dim, and are explained at
    :func:`conv1d`.

    >>> x = torch.arange(9.).reshape(1, 1, 3, 3)
    >>> torch.conv2d(x, torch.ones(1, 1, 2, 2))
    tensor([[[[ 8., 12.],
              [20., 24.]]]])
    """
    return of_dims("conv2d", 2, input, weight, bias, stride, padding, dilation, groups)


@everywhere(types=CONVOLUTION)
def conv3d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """Windows that move over a volume, each multiplied by the weight: a convolution in three dims.

    ``input`` has shape (N, C, D, H, W), or (C, D, H, W) for one example, ``weight`` (outputs, C / groups, kD, kH, kW)
    and ``bias`` (outputs).  The other parameters are explained at :func:`conv1d`.

    >>> torch.conv3d(torch.ones(1, 1, 2, 2, 2), torch.ones(1, 1, 2, 2, 2))
    tensor([[[[[8.]]]]])
    """
    return of_dims("conv3d", 3, input, weight, bias, stride, padding, dilation, groups)


@everywhere(types=TRANSPOSED)
def conv_transpose1d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """The transpose of :func:`conv1d`: each element times the weight, added up where its window was.

    ``weight`` has shape (C, outputs / groups, kernel size).  A convolution with a stride gives several lengths of input
    the same length of result; ``output_padding`` chooses among them, and lengthens the result at its end.

    >>> torch.conv_transpose1d(torch.tensor([[[1., 2.]]]), torch.tensor([[[1., 1., 1.]]]), stride=2)
    tensor([[[1., 1., 3., 2., 2.]]])
    """
    return of_dims("conv_transpose1d", 1, input, weight, bias, stride, padding, dilation, groups, True, output_padding)


@everywhere(types=TRANSPOSED)
def conv_transpose2d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """The transpose of :func:`conv2d`; see :func:`conv_transpose1d`.

    >>> torch.conv_transpose2d(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2))
    tensor([[[[1., 2., 1.],
              [2., 4., 2.],
              [1., 2., 1.]]]])
    """
    return of_dims("conv_transpose2d", 2, input, weight, bias, stride, padding, dilation, groups, True, output_padding)


@everywhere(types=TRANSPOSED)
def conv_transpose3d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """The transpose of :func:`conv3d`; see :func:`conv_transpose1d`.

    >>> torch.conv_transpose3d(torch.ones(1, 1, 1, 1, 2), torch.ones(1, 1, 1, 1, 2))
    tensor([[[[[1., 2., 1.]]]]])
    """
    return of_dims("conv_transpose3d", 3, input, weight, bias, stride, padding, dilation, groups, True, output_padding)


@composite(method=False, out=False, types="Tensor Tensor Tensor? int[] int[] int[] bool int[] int")
def convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups):
    """All convolutions in one function, for one, two or three dims: those of the weight behind its first two.

    >>> torch.convolution(torch.ones(1, 1, 3), torch.ones(1, 1, 2), None, [1], [0], [1], False, [0], 1)
    tensor([[[2., 2.]]])
    """
    op = "convolution"
    if not (isinstance(input, Tensor) and isinstance(weight, Tensor) and isinstance(bias, (Tensor, type(None)))):
        raise must_be_tensors(op, input=input, weight=weight, bias=weight if bias is None else bias)
    n = weight.ndim - 2
    if n < 1:
        raise error("MG201", f"convolution(): weight should have at least three dimensions, but has shape "
                             f"{list(weight.shape)}")
    if input.ndim != n + 2:
        raise other_rank(weight.shape, input.shape)
    if n > 3:
        raise error("MG201", f"convolution(): unsupported ConvNd parameters: a weight of shape {list(weight.shape)} "
                             f"would move over {n} dims, and three are the most")
    stride, padding, dilation, output_padding = [
        per_dim(op, name, as_list(op, name, value), n)
        for name, value in (("stride", stride), ("padding", padding), ("dilation", dilation),
                            ("output_padding", output_padding))]
    return convolution_of(op, input, weight, bias, stride, padding, dilation, bool(transposed), output_padding,
                          one_int(op, "groups", groups))


def as_list(op, name, value):
    if not isinstance(value, (tuple, list)):
        raise error("MG205", f"{op}(): argument '{name}' must be tuple of ints, not {type(value).__name__}")
    return value


@everywhere(types="Tensor Tensor Tensor int")
def conv_tbc(input, weight, bias, pad=0):
    """A convolution of sequences whose dims are (time, batch, channels); the weight is (time, channels, outputs).

    >>> torch.conv_tbc(torch.ones(3, 1, 1), torch.ones(2, 1, 1), torch.zeros(1)).flatten()
    tensor([2., 2.])
    """
    op = "conv_tbc"
    if not (isinstance(input, Tensor) and isinstance(weight, Tensor) and isinstance(bias, Tensor)):
        raise must_be_tensors(op, input=input, weight=weight, bias=bias)
    if input.ndim != 3 or weight.ndim != 3 or bias.ndim != 1:
        raise not_by_time(input.shape, weight.shape, bias.shape)
    pad = one_int(op, "pad", pad)
    out = convolution_of(op, permute(input, (1, 2, 0)), permute(weight, (2, 1, 0)), bias, (1,), (pad,), (1,), False,
                         (0,), 1)
    return permute(out, (2, 0, 1))


# ------------------------------------------------------------------------------ errors

def by(sizes):
    """Sizes as PyTorch writes them: ``(5 x 7)``."""
    return f"({' x '.join(map(str, sizes))})"


def wrong_length(op, name, values, n):
    return error("MG204", f"{op}(): expected {name} to be a single integer value or a list of {n} values to match the "
                          f"convolution dimensions, but got {name}={list(values)}")


def bad_number(op, what, name, values):
    values = list(values) if isinstance(values, tuple) else values
    return error("MG204", f"{op}(): {what}, but {name} is {values}")


def too_few_outputs(op, groups, shape):
    return error("MG201", f"{op}(): Given groups={groups}, expected weight to be at least {groups} at dimension 0, but "
                          f"got weight of size {list(shape)} instead")


def not_divisible(op, groups, shape):
    return error("MG201", f"{op}(): Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, "
                          f"but got weight of size [{list(shape)}] instead")


def other_channels(op, groups, transposed, weight, input, channels):
    given = "transposed=1" if transposed else f"groups={groups}"
    return error("MG201", f"{op}(): Given {given}, weight of size {list(weight)}, expected input{list(input)} to have "
                          f"{channels} channels, but got {input[1]} channels instead")


def other_bias(op, transposed, weight, outputs, bias):
    given = "Given transposed=1, weight" if transposed else "Given weight"
    return error("MG201", f"{op}(): {given} of size {list(weight)}, expected bias to be 1-dimensional with {outputs} "
                          f"elements, but got bias of size {list(bias)} instead")


def of_two_dtypes(op, name, input, other):
    return error("MG202", f"{op}(): expected scalar type {scalar_name(input.numpy)} but found "
                          f"{scalar_name(other.numpy)}: Input type ({input}) and {name} type ({other}) should be the "
                          "same. Convert one of them, for example with .to(torch.float32)")


def no_bools(op):
    return error("MG202", f"{op}(): not implemented for 'Bool': convert the tensors to a number type first")


def too_much_output_padding(op, output_padding, stride, dilation):
    return error("MG204", f"{op}(): output padding must be smaller than either stride or dilation, but got "
                          f"output_padding {list(output_padding)}, stride {list(stride)}, dilation {list(dilation)}")


def too_small(op, sizes, out):
    return error("MG201", f"{op}(): Given input size per channel: {by(sizes)}. Calculated output size per channel: "
                          f"{by(out)}. Output size is too small")


def too_large_kernel(op, sizes, padding, spans):
    padded = [n + 2 * a for n, a in zip(sizes, padding)]
    return error("MG201", f"{op}(): Calculated padded input size per channel: {by(padded)}. Kernel size: {by(spans)}. "
                          "Kernel size can't be greater than actual input size")


def no_elements(op, shape):
    return error("MG201", f"{op}(): Only zero batch or zero channel inputs are supported, but got input shape: "
                          f"{list(shape)}")


def neither_batch_nor_example(op, n, shape):
    return error("MG201", f"Expected {n + 1}D (unbatched) or {n + 2}D (batched) input to {op}, but got input of size: "
                          f"{list(shape)}")


def other_weight(op, n, shape, input):
    what = "weight should have at least three dimensions" if len(shape) < 3 else (
        f"Expected {len(shape)}-dimensional input for {len(shape)}-dimensional weight {list(shape)}, but got "
        f"{len(input)}-dimensional input of size {list(input)} instead")
    return error("MG201", f"{op}(): {what}. A weight has two dims of channels and {n} of the kernel, and this one is "
                          f"of size {list(shape)}")


def other_rank(weight, input):
    return error("MG201", f"convolution(): Expected {len(weight)}-dimensional input for {len(weight)}-dimensional "
                          f"weight {list(weight)}, but got {len(input)}-dimensional input of size {list(input)} "
                          "instead")


def not_by_time(input, weight, bias):
    return error("MG201", "conv_tbc(): Input must have 3 dims: time, batch, in_channel; the weight 3 dims: time, "
                          f"in_channel, out_channel; the bias 1. They have shapes {list(input)}, {list(weight)} and "
                          f"{list(bias)}")
