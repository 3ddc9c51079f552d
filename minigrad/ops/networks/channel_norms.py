"""Normalising the channels of images and the like: group, batch and instance norm, and local response norm.

The first three are normalisations of lines, whose theory and whose ways back are in normalization.py.  Batch norm has
two rows.  In training a line has its own mean and variance, and the gradient goes through them.  Outside training
they are given, and it is multiplication and addition, channel by channel.

*Running* statistics are weighted means of those of the batches so far.  Nothing of them is recorded, but each write to
them is counted, so that a graph that was recorded outside training notices if they have changed since.

Neighbours: normalization.py.
"""

from math import prod

import numpy as np

from minigrad._core.errors import error
from minigrad._core.kernels import table_of_networks as kernels
from minigrad._core.runtime.thread_state import levels

from ..copying import copy
from ..elementwise.arithmetic import lerp_number
from ..elementwise.powers import rsqrt
from ..composites import composite
from ..kinds import general, linear
from ..reductions.totals import mean_dim
from ..shapes.arranging import repeat
from ..shapes.padding import constant_pad_nd
from ..shapes.reshaping import view
from ..shapes.slicing import select
from ..shapes.windows import unfold
from .normalization import (BATCH, GROUP, channels, check_dtypes, norm_backward, norm_weight_backward, normalized,
                            parameter_sum, rounded_stats, scaled, with_parameters)
from ..arguments import in_rows, in_single, scalar_name

# ------------------------------------------------------------------------------ groups


def group_norm_kernel(input, weight, bias, N, C, HxW, group, eps):
    if group < 1 or C % group:
        raise channels_do_not_divide(input.shape, group)
    for name, each in (("weight", weight), ("bias", bias)):
        if each is not None and each.shape != (C,):
            raise parameter_not_of_channels(name, each.shape, input.shape)
    if input.size != N * C * HxW:
        raise other_sizes(input.shape, N, C, HxW)
    check_dtypes("native_group_norm", input, weight, bias)
    z, mean, r, _ = normalized(input.reshape(N, group, C // group, HxW), (2, 3), eps)
    return (with_parameters(z, input, weight, bias, channels(input)), in_rows(mean.reshape(N, group)),
            in_rows(r.reshape(N, group)))


def group_norm_shapes(input, weight, bias, N, C, HxW, group, eps):
    if group < 1 or C % group:
        raise channels_do_not_divide(input.shape, group)
    of_groups = np.broadcast_to(np.zeros((), input.dtype), (N, group))
    return input, of_groups, of_groups


group_norm_kernel.shapes = group_norm_shapes

group_norm_row = general(
    "native_group_norm(Tensor input, Tensor? weight, Tensor? bias, int N, int C, int HxW, int group, float eps)",
    group_norm_kernel,
    input=lambda d, input, mean, rstd, weight: norm_backward(d, input, mean, rstd, weight, GROUP),
    weight=lambda d, input, mean, rstd, weight_shape:
        norm_weight_backward(d, input, mean, rstd, GROUP, weight_shape),
    bias=lambda d, bias_shape: parameter_sum(d, GROUP, bias_shape),
    outputs=("output", "mean", "rstd"), differentiable=("output",), renamed={"mean": "result1", "rstd": "result2"},
    refuse="biuc", wide=False, public=False, shown="native_group_norm", fast=kernels.group_norm,
    doc="Each group of channels of each sample, normalised; and mean and r of the groups.")


@composite(method=False, out=False, types="Tensor Tensor? Tensor? int int int int float")
def native_group_norm(input, weight, bias, N, C, HxW, group, eps):
    """:func:`group_norm`, with the mean and the reciprocal deviation of each group.

    >>> torch.native_group_norm(torch.tensor([[[1.], [5.]]]), None, None, 1, 2, 1, 1, 0.)
    (tensor([[[-1.],
             [ 1.]]]), tensor([[3.]]), tensor([[0.5000]]))
    """
    results = group_norm_row(input, weight, bias, N, C, HxW, group, eps)
    if not input.numel():
        return rounded_stats(results, input, weight, bias)
    lines = input.reshape(N, group, -1).to(results[1].dtype)        # PyTorch differentiates these two, and no others
    mean = mean_dim(lines, (2,))
    rstd = rsqrt(mean_dim((lines - mean.unsqueeze(2)).square(), (2,)) + eps)
    return rounded_stats((results[0], mean, rstd), input, weight, bias)


def grouped(input, shape, num_groups, weight, bias, eps, code):
    if len(shape) < 2:
        raise too_few_dims(code, shape)
    if type(num_groups) is not int or num_groups < 1:
        raise no_number_of_groups(num_groups)
    return group_norm_row(input, weight, bias, shape[0], shape[1], prod(shape[2:]), num_groups, eps)[0]


@composite(method=False, out=False, types="Tensor int Tensor? Tensor? float bool")
def group_norm(input, num_groups, weight=None, bias=None, eps=1e-05, cudnn_enabled=True):
    """``nn.functional.group_norm``.

    >>> torch.group_norm(torch.tensor([[1., 3., 10., 20.]]), 2)
    tensor([[-1.0000,  1.0000, -1.0000,  1.0000]])
    """
    return grouped(input, input.shape, num_groups, weight, bias, eps, "MG203")


@composite(name="group_norm", nn=True, types="Tensor int Tensor? Tensor? float")
def functional_group_norm(input, num_groups, weight=None, bias=None, eps=1e-05):
    """Each of ``num_groups`` groups of channels of each sample, minus its mean, divided by its deviation.

    ``input`` has shape (N, C, ...); ``weight`` and ``bias``, of shape (C), scale and shift the channels.

    >>> torch.nn.functional.group_norm(torch.tensor([[1., 3., 10., 20.]]), 2, bias=torch.tensor([0., 0., 5., 5.]))
    tensor([[-1.0000,  1.0000,  4.0000,  6.0000]])
    """
    shape = input.shape
    if len(shape) > 1 and num_groups.__class__ is int:
        if not num_groups:
            raise error("MG208", "group_norm(): integer division or modulo by zero: there are no 0 groups")
        if shape[0] * shape[1] // num_groups * prod(shape[2:]) == 1:
            raise one_value("group_norm", "value per channel", shape)
    return grouped(input, shape, num_groups, weight, bias, eps, "MG204")


# ------------------------------------------------------------------------------ batches


def check_channels(input, **others):
    """Is there one number for each channel, in the right dtype?"""
    if input.ndim < 2:
        raise without_channels("native_batch_norm", input.shape)
    for name, each in others.items():
        if each is not None and each.shape != input.shape[1:2]:
            raise other_number_of_channels(name, each.shape, input.shape[1])
    check_dtypes("native_batch_norm", input, *others.values())


def batch_norm_kernel(input, weight, bias, eps):
    check_channels(input, weight=weight, bias=bias)
    four = input.reshape(input.shape[0], input.shape[1], 1, prod(input.shape[2:]))
    z, mean, r, variance = normalized(four, (0, 3), eps)
    count = four.shape[0] * four.shape[3]
    unbiased = variance * variance.dtype.type(count) / variance.dtype.type(count - 1)
    return (with_parameters(z, input, weight, bias, channels(input)), mean.reshape(-1), r.reshape(-1),
            unbiased.reshape(-1))


def fixed_kernel(input, weight, bias, running_mean, running_var, eps):
    check_channels(input, running_mean=running_mean, running_var=running_var, weight=weight, bias=bias)
    shape = channels(input)
    z = in_single(input) - in_single(running_mean).reshape(shape)
    return with_parameters(z * channel_scale_kernel(None, running_var, eps).reshape(shape), input, weight, bias, shape)


def channel_scale_kernel(weight, running_var, eps):
    variance = in_single(running_var)
    r = 1 / np.sqrt(variance + variance.dtype.type(eps))
    return r if weight is None else weight * r


channel_scale = linear("channel_scale(Tensor? weight, Tensor running_var, float eps)", channel_scale_kernel,
                       weight=lambda d, running_var, eps: channel_scale(d, running_var, eps),
                       public=False, shown="native_batch_norm", doc="weight / sqrt(variance + eps).")

batch_norm_row = general(
    "native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, float eps)", batch_norm_kernel,
    input=lambda d, input, mean, invstd, weight: norm_backward(d, input, mean, invstd, weight, BATCH),
    weight=lambda d, input, mean, invstd, weight_shape:
        norm_weight_backward(d, input, mean, invstd, BATCH, weight_shape),
    bias=lambda d, bias_shape: parameter_sum(d, BATCH, bias_shape),
    outputs=("output", "mean", "invstd", "variance"), differentiable=("output",),
    renamed={"mean": "result1", "invstd": "result2"},
    constants={"running_mean": None, "running_var": None, "training": True},
    refuse="biuc", wide=False, public=False, shown="native_batch_norm", fast=kernels.batch_norm,
    doc="Each channel, normalised; and its mean, the reciprocal deviation, and the unbiased variance.")

fixed_batch_norm = general(
    "native_batch_norm.fixed(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, "
    "float eps)", fixed_kernel,
    input=lambda d, weight, running_var, eps: scaled(d, channel_scale(weight, running_var, eps), BATCH),
    weight=lambda d, input, running_mean, running_var, eps, weight_shape:
        parameter_sum(d * fixed_batch_norm(input, None, None, running_mean, running_var, eps), BATCH, weight_shape),
    bias=lambda d, bias_shape: parameter_sum(d, BATCH, bias_shape),
    constants={"result1": None, "result2": None, "training": False},
    refuse="biuc", wide=False, public=False, shown="native_batch_norm", fast=kernels.fixed_batch_norm,
    doc="The same with given means and variances.")


def normalized_batch(input, weight, bias, running_mean, running_var, training, momentum, eps, op="batch_norm"):
    """The result, mean and reciprocal deviation of each channel; running statistics have been brought up to date."""
    if not isinstance(momentum, (float, int, np.number)):
        raise error("MG205", f"{op}(): argument 'momentum' must be float, not {type(momentum).__name__}")
    if (running_mean is None) != (running_var is None):
        raise only_one_of_both()
    if not training:
        if running_mean is None:
            raise error("MG204", "native_batch_norm(): running_mean must be defined in evaluation mode")
        return fixed_batch_norm(input, weight, bias, running_mean, running_var, eps), None, None
    if running_mean is None:
        return batch_norm_row(input, weight, bias, eps)[:3]
    check_running(input, running_mean, running_var)
    output, mean, invstd, variance = batch_norm_row(input, weight, bias, eps)
    if input.numel():
        follow(running_mean, mean, momentum)
        follow(running_var, variance, momentum)
    return output, mean, invstd


def check_running(input, running_mean, running_var):
    """Refuse running statistics that could not follow, before anything is written."""
    shape, dtype, around = input.shape, input.dtype, levels()
    count = (shape[1],) if len(shape) > 1 else ()
    for name, each in (("running_mean", running_mean), ("running_var", running_var)):
        if each.dtype is not dtype and not (dtype.itemsize == 2 and each.dtype.name == "float32"):
            raise statistics_of_another_dtype(each.dtype, dtype)
        if count and each.shape != count:
            raise other_number_of_channels(name, each.shape, count[0])
        if each.requires_grad:
            raise error("MG212", f"The function 'native_batch_norm' is not differentiable with respect to argument "
                                 f"'{name}'. This input cannot have requires_grad True.")
        if around and any([level.maps and each._level < level.level <= input._level for level in around]):
            raise not_batched()


def follow(running, value, momentum):
    """``running`` moves towards ``value``; neither requires grad, and no transform but vmap hears of it.

    Where vmap maps over a weight alone, all examples have the same statistics.
    """
    around = levels()
    for level in reversed(around) if around else ():
        if value._level == level.level > running._level:
            value = select(value._array, 0, 0) if level.maps else value._array
    lerp_number.inplace(running, value if value.dtype is running.dtype else value.to(running.dtype), momentum)


@composite(method=False, out="exact", types="Tensor Tensor? Tensor? Tensor? Tensor? bool float float")
def native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps):
    """:func:`batch_norm`, with the mean and the reciprocal deviation of each channel.

    These two are constant to autograd, and outside training empty.

    >>> torch.native_batch_norm(torch.tensor([[1.], [5.]]), None, None, None, None, True, 0.1, 0.)
    (tensor([[-1.],
            [ 1.]]), tensor([3.]), tensor([0.5000]))
    """
    output, mean, invstd = normalized_batch(input, weight, bias, running_mean, running_var, training, momentum, eps)
    if mean is None:
        mean, invstd = input.new_empty((0,)), input.new_empty((0,))
    return rounded_stats((output, mean, invstd), input, weight, running_mean)


@composite(method=False, out=False, types="Tensor Tensor? Tensor? Tensor? Tensor? bool float float bool")
def batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled):
    """``nn.functional.batch_norm``, with its arguments in another order.

    >>> torch.batch_norm(torch.tensor([[1.], [3.]]), None, None, None, None, True, 0.1, 1e-5, False)
    tensor([[-1.0000],
            [ 1.0000]])
    """
    return normalized_batch(input, weight, bias, running_mean, running_var, training, momentum, eps)[0]


@composite(name="batch_norm", nn=True, types="Tensor Tensor? Tensor? Tensor? Tensor? bool float float")
def functional_batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1,
                          eps=1e-05):
    """Each channel of ``input``, of shape (N, C, ...), minus its mean, divided by its deviation.

    In training the mean and the variance (divided by n) are those of the channel in this batch, and gradients go
    through them; ``running_mean`` and ``running_var``, where given, move towards the mean and the unbiased variance by
    the part ``momentum``, unrecorded. Otherwise these two are used, as they are. ``weight`` and ``bias``, of shape
    (C), scale and shift the channels.

    >>> running_mean, running_var = torch.zeros(1), torch.ones(1)
    >>> x = torch.tensor([[1.], [3.]])
    >>> torch.nn.functional.batch_norm(x, running_mean, running_var, training=True)
    tensor([[-1.0000],
            [ 1.0000]])
    >>> running_mean, running_var
    (tensor([0.2000]), tensor([1.1000]))
    >>> torch.nn.functional.batch_norm(x, torch.tensor([1.]), torch.tensor([4.]))
    tensor([[0.0000],
            [1.0000]])
    """
    if training:
        if eps <= 0:
            raise error("MG207", f"batch_norm eps must be positive during training, but got {eps}")
        shape = input.shape
        if len(shape) > 1 and shape[0] == 1 and prod(shape[2:]) == 1:
            raise one_value("batch_norm", "value per channel", shape)
    return normalized_batch(input, weight, bias, running_mean, running_var, training, momentum, eps)[0]


# ------------------------------------------------------------------------------ instances


def normalized_instances(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps):
    """Batch norm of one sample that has the channels of all of them."""
    if not (use_input_stats or running_mean is not None and running_var is not None):
        raise error("MG204", "instance_norm(): Expected running_mean and running_var to be defined when "
                             "use_input_stats is false")
    if input.ndim < 2:
        raise without_channels("instance_norm", input.shape)
    samples, count, *rest = input.shape
    for name, each in (("weight", weight), ("bias", bias), ("running_mean", running_mean),
                       ("running_var", running_var)):
        if each is not None and each.shape != (count,):
            raise other_number_of_channels(name, each.shape, count)
    moving = running_mean, running_var
    if weight is None and bias is None:             # then PyTorch takes statistics of any dtype
        running_mean, running_var = [statistics_for(input.dtype, each) for each in moving]
    weight, bias, *running = [None if each is None else repeat(each, samples)
                              for each in (weight, bias, running_mean, running_var)]
    if use_input_stats and running_mean is not None and running_var is not None:
        check_running(input, running_mean, running_var)
    together = input.contiguous().view(1, samples * count, *rest)
    out = normalized_batch(together, weight, bias, *running, use_input_stats, momentum, eps, "instance_norm")[0]
    if use_input_stats and running_mean is not None and input.numel():
        for each, moved in zip(moving, running):
            copy.inplace(each, mean_dim(view(moved, (samples, count)), (0,)))
    return view(out, (samples, count, *rest))


def statistics_for(dtype, running):
    """Running statistics in the dtype of an input, or in single precision beside one of half the size."""
    if running is None or running.dtype is dtype or dtype.itemsize == 2 and running.dtype.name == "float32":
        return running
    return running.to(dtype)


@composite(method=False, out=False, types="Tensor Tensor? Tensor? Tensor? Tensor? bool float float bool")
def instance_norm(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, cudnn_enabled):
    """``nn.functional.instance_norm``, with its arguments in another order.

    >>> torch.instance_norm(torch.tensor([[[1., 3.]]]), None, None, None, None, True, 0.1, 1e-5, False)
    tensor([[[-1.0000,  1.0000]]])
    """
    return normalized_instances(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps)


@composite(name="instance_norm", nn=True, types="Tensor Tensor? Tensor? Tensor? Tensor? bool float float")
def functional_instance_norm(input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True,
                             momentum=0.1, eps=1e-05):
    """Each channel of each sample of ``input``, of shape (N, C, ...), minus its mean, divided by its deviation.

    With ``use_input_stats=False`` they are ``running_mean`` and ``running_var``; else these move, as those of
    ``batch_norm`` do, towards the means over the samples.

    >>> torch.nn.functional.instance_norm(torch.tensor([[[1., 3.], [5., 5.]]]))
    tensor([[[-1.0000,  1.0000],
             [ 0.0000,  0.0000]]])
    """
    if use_input_stats and prod(input.shape[2:]) == 1:
        raise one_value("instance_norm", "spatial element", input.shape)
    return normalized_instances(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps)


# ------------------------------------------------------------------------------ neighbouring channels


@composite(nn=True, types="Tensor int float float float")
def local_response_norm(input, size, alpha=0.0001, beta=0.75, k=1.0):
    """``input / (k + alpha m) ** beta``, where m is the mean square of ``size`` neighbouring channels.

    Beyond the first and the last channel there are zeros; ``input`` has shape (N, C, ...) and at least three dims.

    >>> torch.nn.functional.local_response_norm(torch.tensor([[[3.], [4.]]]), 2, alpha=2., beta=1., k=1.)
    tensor([[[0.3000],
             [0.1538]]])
    """
    if len(input.shape) < 3:
        raise error("MG207", f"local_response_norm: Expected 3D or higher dimensionality input (got {input.ndim} "
                             "dimensions): (N, C, ...)")
    if not input.dtype.is_floating_point:
        raise no_responses(input.dtype)
    if not input.numel():
        return input
    if size < 1:
        raise error("MG204", f"local_response_norm: kernel size should be greater than zero, but got {size} channels")
    margin = (0, 0) * (input.ndim - 2) + (size // 2, (size - 1) // 2)
    mean = mean_dim(unfold(constant_pad_nd(input * input, margin, 0), 1, size, 1), (-1,))
    return input / (mean * alpha + k) ** beta


# ------------------------------------------------------------------------------ errors


def no_responses(dtype):
    return error("MG202", f'"local_response_norm" not implemented for \'{scalar_name(dtype.numpy)}\': it takes real '
                          "floating-point numbers. Convert the input with .float()")


def one_value(op, what, shape):
    return error("MG207", f"{op}(): Expected more than 1 {what} when training, got input size {shape}: the variance of "
                          "one number is 0")


def no_number_of_groups(groups):
    if type(groups) is int:
        return error("MG204", f"group_norm(): Expected num groups to be greater than 0, got {groups}")
    return error("MG205", f"group_norm(): argument 'num_groups' (position 2) must be int, not {type(groups).__name__}")


def without_channels(op, shape):
    return error("MG203", f"{op}(): Dimension out of range (expected to be in range of [-1, 0], but got 1): input has "
                          f"shape {list(shape)}, and the channels are dim 1")


def channels_do_not_divide(shape, groups):
    return error("MG204", "native_group_norm(): Expected number of channels in input to be divisible by num_groups, "
                          f"but got input of shape {list(shape)} and num_groups={groups}")


def parameter_not_of_channels(name, shape, input):
    return error("MG204", f"native_group_norm(): Expected {name} to be a vector of size equal to the number of "
                          f"channels in input, but got {name} of shape {list(shape)} and input of shape {list(input)}")


def other_sizes(shape, N, C, HxW):
    return error("MG204", "native_group_norm(): Expected X.numel() == N * C * HxW to be true, but got false: input of "
                          f"shape {list(shape)}, N={N}, C={C}, HxW={HxW}")


def too_few_dims(code, shape):
    return error(code, f"group_norm(): Expected at least 2 dimensions for input tensor but received {len(shape)}: "
                       "(N, C, ...)")


def only_one_of_both():
    return error("MG207", "native_batch_norm(): running_mean and running_var must either both be None or "
                          "neither be None")


def other_number_of_channels(name, shape, count):
    if len(shape) != 1:
        return error("MG204", f"native_batch_norm(): {name} expected 1 dims but tensor has {len(shape)}: it should "
                              f"contain {count} elements, one for each channel")
    return error("MG204", f"native_batch_norm(): {name} should contain {count} elements not {shape[0]}: one for "
                          "each channel")


def statistics_of_another_dtype(dtype, wanted):
    return error("MG202", f"native_batch_norm(): expected scalar type {wanted} but found {dtype} for the running "
                          "statistics: mixed dtype (CPU): expect parameter to have scalar type of Float")


def not_batched():
    return error("MG117", "Batch norm got a batched tensor as input while the running_mean or running_var, which will "
                          "be updated in place, were not batched. Outside training they are only read; or give "
                          "each example its own, or leave them out.")
