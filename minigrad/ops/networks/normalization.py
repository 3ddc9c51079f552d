"""Lines of numbers brought to mean 0 and variance 1: layer, group, batch, instance and RMS norm.

With z = (x - mean) r and r = 1 / sqrt(variance + eps), the result is z w + b.  A small step dx moves z by

    P(dx) = r (dx - mean(dx) - z mean(dx z))

with means over the line.  P is its own transpose, so it is also the way back, ``norm_backward``, and the rows here are
closed under differentiation with few more: <t, P(g)> is symmetric in t and g, and its derivative in x is

    -r (z mean(t P(g)) + P(t) mean(g z) + P(g) mean(t z))

The same holds for RMS norm, where no mean is subtracted (``mean`` is None), and with any eps.

Mean and r of each line are outputs of a row, and saved.  Other rows take them beside x, and as functions of x: their
formulas for x are total derivatives.  For 16-bit floats they are in single precision.

What a line is, and which numbers have a weight in common, is said by a number, ``over``:

    LAYER   x (*, *shape)       r (*, 1 ... 1)      weight (*shape)     a line for each of *
    GROUP   x (N, C, *)         r (N, groups)       weight (C)          a line for each sample and group of channels
    BATCH   x (N, C, *)         r (C)               weight (C)          a line for each channel

Neighbours: channel_norms.py (group and batch norm), totals.py (mean, var).
"""

from math import prod

import numpy as np

from minigrad._core.errors import error
from minigrad._core.kernels import table_of_networks as kernels
from minigrad._core.kernels.reductions.array_sums import total

from ..algebra.norms import norm_of
from ..elementwise.powers import rsqrt
from ..composites import composite
from ..kinds import general, linear, multilinear
from ..reductions.totals import mean_dim
from ..arguments import count_over, in_half, in_rows, in_single, is_half, scalar_name

LAYER, GROUP, BATCH = range(3)

#: the eps of RMS norm where none is given: that of the dtype in which it is computed
EPS = {"float16": 2.0**-23, "bfloat16": 2.0**-23, "float32": 2.0**-23, "float64": 2.0**-52,
       "complex64": 2.0**-23, "complex128": 2.0**-52}

# ------------------------------------------------------------------------------ arrays


def in_four(x, r, over):
    """``x`` as (N, G, D, L), and the axes of that along which lines run: Note [Lines of a normalisation] in
    _core/kernels/networks/normalization_loops.pyx."""
    if over == LAYER:
        return x.reshape(r.size, 1, x.size // max(r.size, 1), 1), (2, 3)
    groups = r.shape[-1]
    sizes = x.shape[0], groups, x.shape[1] // max(groups, 1), prod(x.shape[2:])
    return x.reshape(sizes), (0, 3) if over == BATCH else (2, 3)


def lines_of(x, mean, r, over):
    """z, and r to broadcast against it, and the axes of the lines."""
    x, axes = in_four(in_single(x), r, over)
    r = r.reshape(broadcast_shape(r, over))
    return (x if mean is None else x - mean.reshape(r.shape)) * r, r, axes


def broadcast_shape(r, over):
    return (r.size, 1, 1, 1) if over == LAYER else (*(1, *r.shape)[-2:], 1, 1)


def mean_over(x, axes):
    """The mean along lines; 0 where they are empty."""
    return total(x, axes, True) / max(prod([x.shape[axis] for axis in axes]), 1)


def normalized(x, axes, eps, centred=True):
    """z of (N, G, D, L); mean, r and variance of each line."""
    x = in_single(x)
    if not x.size:
        nothing = mean_over(x, axes)
        return x, nothing, nothing + np.nan, nothing
    mean = mean_over(x, axes) if centred else None
    z = x - mean if centred else x
    variance = mean_over(z * z, axes)
    deviation = np.sqrt(variance + variance.dtype.type(eps))
    limits = np.finfo(deviation.dtype)
    square = variance.real + eps
    if eps >= 0 and z.dtype.kind == "f" and not ((square > limits.tiny / limits.eps) & (square <= limits.max)).all():
        # Some square may have been beyond the limits, though the deviation is not.
        deviation = np.hypot(norm_of(np.absolute(z), 2, axes, True) / z.dtype.type(count_over(z.shape, axes)) ** 0.5,
                             np.sqrt(z.dtype.type(eps)))
    r = 1 / deviation
    return z * r, mean, r, variance


def with_parameters(z, x, weight, bias, shape):
    """z w + b, in the shape and dtype of ``x``."""
    z = z.reshape(x.shape)
    if weight is not None:
        z = z * in_single(weight).reshape(shape)
    if bias is not None:
        z = z + in_single(bias).reshape(shape)
    return in_rows(in_half(z, x))


def channels(x):
    """The shape in which what belongs to channels broadcasts against (N, C, ...)."""
    return (-1, *(1,) * (x.ndim - 2))


def check_dtypes(op, x, *others):
    """Weights and statistics have the dtype of ``x``, or are in single precision where that is of 16 bits."""
    for each in others:
        if each is not None and each.dtype != x.dtype and not (is_half(x.dtype) and each.dtype == np.float32):
            raise other_dtype(op, each.dtype, x.dtype)


# ------------------------------------------------------------------------------ the ways back


def norm_backward_kernel(d, input, mean, rstd, weight, over):
    z, r, axes = lines_of(input, mean, rstd, over)
    g = in_single(d)
    if weight is not None:
        g = g * in_single(weight).reshape(weight.shape if over == LAYER else channels(d))
    g = g.reshape(z.shape)
    out = g - z * mean_over(g * z, axes)
    if mean is not None:
        out -= mean_over(g, axes)
    return in_rows(in_half((out * r).reshape(d.shape), d))


def standardized_kernel(input, mean, rstd, over):
    return in_half(lines_of(input, mean, rstd, over)[0].reshape(input.shape), input)


def line_deviation_kernel(input, mean, rstd, over):
    four, _ = in_four(input, rstd, over)
    return np.broadcast_to(rstd.reshape(broadcast_shape(rstd, over)), four.shape).reshape(input.shape).astype(
        input.dtype)


def line_mean_kernel(self, like, over):
    four, axes = in_four(in_single(self), like, over)
    return np.broadcast_to(mean_over(four, axes), four.shape).reshape(self.shape).astype(self.dtype)


def parameter_sum_kernel(self, over, sizes):
    x = in_single(self)
    axes = tuple(range(self.ndim - len(sizes))) if over == LAYER else (0, *range(2, self.ndim))
    return x.sum(axes)


def norm_weight_backward_kernel(d, input, mean, rstd, over, sizes):
    z = lines_of(input, mean, rstd, over)[0].reshape(input.shape)
    return parameter_sum_kernel(in_single(d) * z, over, sizes)


def spread_parameter_kernel(self, over, sizes):
    return np.broadcast_to(self.reshape(self.shape if over == LAYER else (-1, *(1,) * (len(sizes) - 2))), sizes).copy()


def scaled_kernel(self, weight, over):
    if weight is None:
        return self.copy()
    shaped = weight if over == LAYER else weight.reshape(channels(self))
    return in_half(in_single(self) * in_single(shaped), self)


def curvature(t, g, input, mean, rstd, over):
    """The derivative of <t, P(g)> in x."""
    z = standardized(input, mean, rstd, over)
    pt, pg = norm_backward(t, input, mean, rstd, None, over), norm_backward(g, input, mean, rstd, None, over)
    return -line_deviation(input, mean, rstd, over) * (
        z * line_mean(t * pg, rstd, over) + pt * line_mean(g * z, rstd, over) + pg * line_mean(t * z, rstd, over))


def norm_backward_steps(d, input, mean, rstd, weight, over):
    """P(d w), by the formula at the top."""
    g = d if weight is None else scaled(d, weight, over)
    z = standardized(input, mean, rstd, over)
    out = g - z * line_mean(g * z, rstd, over)
    return line_deviation(input, mean, rstd, over) * (out if mean is None else out - line_mean(g, rstd, over))


spread_parameter = linear("spread_parameter(Tensor self, int over, Sizes sizes)", spread_parameter_kernel,
                          self=lambda d, over, self_shape: parameter_sum(d, over, self_shape),
                          public=False, doc="What belongs to a weight, once for each number that it multiplies.")

parameter_sum = linear("parameter_sum(Tensor self, int over, Sizes sizes)", parameter_sum_kernel,
                       self=lambda d, over, self_shape: spread_parameter(d, over, self_shape),
                       public=False, fast=kernels.parameter_sum,
                       doc="The transpose: a sum for each weight.")

scaled = multilinear("scaled(Tensor self, Tensor? weight, int over)", scaled_kernel,
                     self=lambda d, weight, over: scaled(d, weight, over),
                     weight=lambda d, self, over, weight_shape: parameter_sum(d * self, over, weight_shape),
                     public=False, wide=False, doc="Each number times its weight, or a copy.")

line_mean = linear("line_mean(Tensor self, Tensor like, int over)", line_mean_kernel,
                   self=lambda d, like, over: line_mean(d, like, over),
                   no_gradient=("like",), public=False, doc="The mean of its line, in place of each number.")

line_deviation = general("line_deviation(Tensor input, Tensor? mean, Tensor rstd, int over)", line_deviation_kernel,
                         input=lambda d, input, mean, rstd, over, result:
                        -line_mean(d, rstd, over) * result * result * standardized(input, mean, rstd, over),
                    no_gradient=("mean", "rstd"), public=False, wide=False,
                    doc="r of its line, in place of each number.")

standardized = general("standardized(Tensor input, Tensor? mean, Tensor rstd, int over)", standardized_kernel,
                       input=lambda d, input, mean, rstd, over: norm_backward(d, input, mean, rstd, None, over),
                       no_gradient=("mean", "rstd"), public=False, wide=False, doc="z = (x - mean) r.")

norm_backward_kernel.shapes = lambda d, input, *others: input

norm_backward = general(
    "norm_backward(Tensor d, Tensor input, Tensor? mean, Tensor rstd, Tensor? weight, int over)", norm_backward_kernel,
    d=lambda t, input, mean, rstd, weight, over:
        scaled(norm_backward(t, input, mean, rstd, None, over), weight, over),
    input=lambda t, d, input, mean, rstd, weight, over:
        curvature(t, scaled(d, weight, over), input, mean, rstd, over),
    weight=lambda t, d, input, mean, rstd, over, weight_shape:
        parameter_sum(d * norm_backward(t, input, mean, rstd, None, over), over, weight_shape),
    no_gradient=("mean", "rstd"), public=False, wide=False, fast=kernels.norm_backward,
    steps=norm_backward_steps,
    doc="The gradient of what is normalised: P(d w).")

norm_weight_backward_kernel.shapes = lambda d, input, mean, rstd, over, sizes: np.broadcast_to(
    np.zeros((), d.dtype), sizes)

norm_weight_backward = general(
    "norm_weight_backward(Tensor d, Tensor input, Tensor? mean, Tensor rstd, int over, Sizes sizes)",
    norm_weight_backward_kernel,
    d=lambda t, input, mean, rstd, over: scaled(standardized(input, mean, rstd, over), t, over),
    input=lambda t, d, input, mean, rstd, over: norm_backward(d, input, mean, rstd, t, over),
    no_gradient=("mean", "rstd"), public=False, wide=False, fast=kernels.norm_weight_backward,
    steps=lambda d, input, mean, rstd, over, sizes:
        parameter_sum(d * standardized(input, mean, rstd, over), over, sizes),
    doc="The gradient of the weight: the sums of d z.")

# ------------------------------------------------------------------------------ over the last dims


def check_last_dims(op, x, sizes, **parameters):
    if not sizes:
        raise no_sizes(op)
    for name, each in parameters.items():
        if each is not None and tuple(each.shape) != tuple(sizes):
            raise parameter_of_another_shape(op, name, each.shape, sizes)
    if tuple(x.shape[-len(sizes):]) != tuple(sizes):
        raise other_last_dims(op, sizes, x.shape)


def over_last_dims(input, sizes, weight, bias, eps, centred):
    lines = input.shape[:input.ndim - len(sizes)]
    x = input.reshape(prod(lines), 1, prod(sizes), 1)
    z, mean, r, _ = normalized(x, (2, 3), eps, centred)
    shape = (*lines, *(1,) * len(sizes))
    out = with_parameters(z, input, weight, bias, sizes)
    return (out, mean.reshape(shape), r.reshape(shape)) if centred else (out, r.reshape(shape))


def layer_norm_kernel(input, normalized_shape, weight, bias, eps):
    check_last_dims("layer_norm", input, normalized_shape, weight=weight, bias=bias)
    check_dtypes("layer_norm", input, weight, bias)
    return over_last_dims(input, normalized_shape, weight, bias, eps, True)


def rms_norm_kernel(input, normalized_shape, weight, eps):
    if input.ndim < len(normalized_shape):
        raise error("MG207", f"rms_norm(): Input tensor must have at least {len(normalized_shape)} dimensions, but got "
                             f"{input.ndim}")
    check_last_dims("rms_norm", input, normalized_shape, weight=weight)
    return over_last_dims(input, normalized_shape, weight, None, eps, False)


layer_norm_row = general(
    "native_layer_norm(Tensor input, Sizes normalized_shape, Tensor? weight, Tensor? bias, float eps)",
    layer_norm_kernel,
    input=lambda d, input, mean, rstd, weight: norm_backward(d, input, mean, rstd, weight, LAYER),
    weight=lambda d, input, mean, rstd, weight_shape:
        norm_weight_backward(d, input, mean, rstd, LAYER, weight_shape),
    bias=lambda d, bias_shape: parameter_sum(d, LAYER, bias_shape),
    outputs=("output", "mean", "rstd"), differentiable=("output",), renamed={"mean": "result1", "rstd": "result2"},
    refuse="biuc", wide=False, public=False, shown="native_layer_norm", fast=kernels.layer_norm,
    doc="Each line over the last dims, normalised; and mean and r of the lines.")

rms_norm_row = general(
    "rms_norm(Tensor input, Sizes normalized_shape, Tensor? weight, float eps)", rms_norm_kernel,
    input=lambda d, input, rstd, weight: norm_backward(d, input, None, rstd, weight, LAYER),
    weight=lambda d, input, rstd, weight_shape: norm_weight_backward(d, input, None, rstd, LAYER, weight_shape),
    outputs=("output", "rstd"), differentiable=("output",), node="FusedRmsNormBackward0",
    refuse="biu", wide=False, public=False, fast=kernels.rms_norm,
    doc="The same without mean.")



# ------------------------------------------------------------------------------ what users call


def rounded_stats(results, input, weight, bias):
    """Results as a tuple, whose statistics are in 16 bits where all operands are."""
    output, *stats = results
    if input.dtype.itemsize == 2 and all([each is None or each.dtype is input.dtype for each in (weight, bias)]):
        stats = [each.to(input.dtype) for each in stats]
    return (output, *stats)


@composite(method=False, out=False, types="Tensor Sizes Tensor? Tensor? float")
def native_layer_norm(input, normalized_shape, weight, bias, eps):
    """:func:`layer_norm`, with the mean and the reciprocal deviation of each line, which are constant to autograd.

    >>> torch.native_layer_norm(torch.tensor([[1., 5.]]), (2,), None, None, 0.)
    (tensor([[-1.,  1.]]), tensor([[3.]]), tensor([[0.5000]]))
    """
    return rounded_stats(layer_norm_row(input, normalized_shape, weight, bias, eps), input, weight, bias)


@composite(method=False, out=False, types="Tensor Sizes Tensor? Tensor? float bool")
def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05, cudnn_enable=True):
    """``nn.functional.layer_norm``.

    >>> torch.layer_norm(torch.tensor([[1., 3.]]), (2,))
    tensor([[-1.0000,  1.0000]])
    """
    return layer_norm_row(input, normalized_shape, weight, bias, eps)[0]


@composite(name="layer_norm", nn=True, types="Tensor Sizes Tensor? Tensor? float")
def functional_layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    """Each part over the last dims, which have the shape ``normalized_shape``, minus its mean, by its deviation.

    The deviation is the root of the variance (divided by n) plus ``eps``. ``weight`` and ``bias``, of this shape,
    scale and shift the result. The variance is computed in a second pass, and 16-bit floats in float32.

    >>> x = torch.tensor([[1., 3.], [0., 100.]])
    >>> torch.nn.functional.layer_norm(x, (2,), bias=torch.tensor([10., 10.]))
    tensor([[ 9.0000, 11.0000],
            [ 9.0000, 11.0000]])
    """
    return layer_norm_row(input, normalized_shape, weight, bias, eps)[0]


def rms_norm_of(input, normalized_shape, weight, eps):
    if eps is None:
        eps = EPS.get(input.dtype.name, 0.)         # the row refuses other dtypes
    if input.dtype.is_complex:
        return complex_rms_norm(input, normalized_shape, weight, eps)
    if weight is not None and weight.dtype is not input.dtype:      # rounded in between, as in PyTorch
        return (rms_norm_row(input, normalized_shape, None, eps)[0] * weight).to(input.dtype)
    return rms_norm_row(input, normalized_shape, weight, eps)[0]


def complex_rms_norm(input, sizes, weight, eps):
    """The same of complex numbers, whose squares are complex, as in PyTorch."""
    check_last_dims("rms_norm", input, sizes, weight=weight)
    dims = tuple(range(-len(sizes), 0))
    z = input * rsqrt(mean_dim(input * input, dims, True) + eps)
    return z if weight is None else (z * weight).to(input.dtype)


@composite(method=False, out=False, types="Tensor Sizes Tensor? float?")
def rms_norm(input, normalized_shape, weight=None, eps=None):
    """``nn.functional.rms_norm``.

    >>> torch.rms_norm(torch.tensor([[1., -1.]]), (2,))
    tensor([[ 1.0000, -1.0000]])
    """
    return rms_norm_of(input, normalized_shape, weight, eps)


@composite(name="rms_norm", nn=True, types="Tensor Sizes Tensor? float?")
def functional_rms_norm(input, normalized_shape, weight=None, eps=None):
    """Each part over the last dims, of shape ``normalized_shape``, divided by the root of its mean square.

    ``eps`` is added to the mean square; by default it is that of the dtype. ``weight`` scales the result.

    >>> torch.nn.functional.rms_norm(torch.tensor([[1., 7.]]), (2,), torch.tensor([1., 10.]))
    tensor([[ 0.2000, 14.0000]])
    """
    return rms_norm_of(input, normalized_shape, weight, eps)


# ------------------------------------------------------------------------------ errors


def other_dtype(op, dtype, wanted):
    return error("MG202", f"{op}: mixed dtype (CPU): expect parameter to have scalar type of "
                          f"{scalar_name(wanted)}, but one is {scalar_name(dtype)}. Convert it with .to(input.dtype)")


def no_sizes(op):
    return error("MG204", f"{op}(): Expected normalized_shape to be at least 1-dimensional, i.e., containing at least "
                          "one element, but got normalized_shape = []")


def parameter_of_another_shape(op, name, shape, sizes):
    return error("MG204", f"{op}(): Expected {name} to be of same shape as normalized_shape, but got {name} of shape "
                          f"{list(shape)} and normalized_shape = {list(sizes)}")


def other_last_dims(op, sizes, shape):
    return error("MG204", f"{op}(): Given normalized_shape={list(sizes)}, expected input with shape "
                          f"[*, {', '.join(map(str, sizes))}], but got input of size{list(shape)}: the last dims are "
                          "those that are normalised")
