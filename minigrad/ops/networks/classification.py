"""One of several classes: nll_loss and cross_entropy.

``nll_loss`` picks one entry of each row.  It is linear in its input, and so is its transpose
``nll_loss_backward``: each is the derivative of the other.  ``cross_entropy`` is ``log_softmax`` followed by it;
where the targets are probabilities instead of class numbers, it is a product and a sum.

Neighbours: loss.py (reductions, and the losses that compare elements), softmax.py.
"""

from math import nan, prod

import numpy as np

from minigrad._core.dispatch.matmul import layer
from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad._core.kernels import table_of_networks as kernels
from minigrad._core.kernels.reductions.array_sums import total

from ..elementwise.arithmetic import keep, mul, neg
from ..elementwise.comparison import ne
from ..elementwise.division import div
from ..composites import composite
from ..kinds import linear
from ..reductions.totals import sum_all, sum_dim
from ..shapes.reshaping import reshape_to
from .loss import MEAN, NONE, SUM, reduce_loss, reduction_number
from .softmax import log_softmax
from ..arguments import must_be_tensors, own, scalar_name


def check_classes(self, target, weight):
    """Check the shapes and dtypes of nll_loss; the dim of the classes is 1, or 0 if there is no batch."""
    if self.dtype.kind in "biuc":
        raise not_log_probabilities(self.dtype)
    if not self.ndim:
        raise no_classes()
    if target.dtype not in (np.int64, np.uint8):
        raise not_class_numbers(target.dtype)
    if self.ndim > 1 and (not target.ndim or self.shape[0] != target.shape[0]):
        raise batch_sizes_differ(self, target)
    expected = self.shape[:1] + self.shape[2:] if self.ndim > 1 else ()
    if self.ndim == 1 and target.ndim == 1 and len(target) != 1:
        raise several_targets_of_one_sample(len(target))
    if target.shape != expected and not (self.ndim == 1 and target.shape == (1,)):
        raise other_target_size(expected, target.shape, self.shape)
    classes = self.shape[1 if self.ndim > 1 else 0]
    if weight is not None and weight.shape != (classes,):
        raise other_number_of_weights(classes, weight.shape)
    if weight is not None and weight.dtype != self.dtype:
        raise weights_of_another_dtype(self.dtype, weight.dtype)


def places(shape, target, ignore_index):
    """The input seen as (batch, class, rest): its shape there, an index that picks the targets, and which ones count.

    An ignored target picks class 0, with weight 0.  Where there is no class, all of them are ignored.
    """
    n, classes = (shape[0], shape[1]) if len(shape) > 1 else (1, shape[0])
    target = own(target).astype(np.int64, copy=False).reshape(n, prod(shape[2:]))
    counted = target != ignore_index
    wrong = target[counted & ((target < 0) | (target >= classes))]
    if wrong.size:
        raise no_such_class(wrong[0], classes, ignore_index)
    index = (np.arange(n)[:, None], np.where(counted, target, 0), np.arange(target.shape[1]))
    return (n, classes, target.shape[1]), index, counted


def weights_of(weight, index, counted, dtype):
    if weight is None or not len(weight):
        return counted.astype(dtype)
    return np.where(counted, weight[index[1]], 0).astype(dtype, copy=False)


def nll_loss_kernel(self, target, weight, reduction, ignore_index):
    check_classes(self, target, weight)
    shape, index, counted = places(self.shape, target, ignore_index)
    weights = weights_of(weight, index, counted, self.dtype)
    picked = self.reshape(shape)[index] if shape[1] else weights
    losses = np.where(counted, -picked * weights, 0)
    if reduction == NONE:
        return losses.reshape(target.shape if self.ndim > 1 else ())
    return total(losses) / total(weights) if reduction == MEAN else total(losses)


def nll_loss_backward_kernel(grad, target, weight, shape, reduction, ignore_index):
    flat, index, counted = places(shape, target, ignore_index)
    weights = weights_of(weight, index, counted, grad.dtype)
    if reduction == MEAN:
        grad = grad / total(weights)
    elif reduction == NONE:
        grad = grad.reshape(counted.shape)
    out = np.zeros(flat, grad.dtype)
    if flat[1]:
        out[index] = np.where(counted, -weights * grad, 0)
    return out.reshape(shape)


nll_loss_backward = linear("nll_loss_backward(Tensor grad, Tensor target, Tensor? weight, Sizes shape, int reduction, "
                           "int ignore_index)",
                           nll_loss_backward_kernel,
                           grad=lambda d, target, weight, reduction, ignore_index:
                               nll_loss_row(d, target, weight, reduction, ignore_index),
                           public=False, fast=kernels.nll_loss_backward,
                           wide=True,
                           doc="The transpose of ``nll_loss``: each gradient at the entry that was picked, zeros "
                               "elsewhere.")


def nll_transpose(d, target, weight, self_shape, reduction, ignore_index):
    return nll_loss_backward(d, target, weight, self_shape, reduction, ignore_index)


nll_loss_row = linear("nll_loss(Tensor self, Tensor target, Tensor? weight, int reduction, int ignore_index)",
                      nll_loss_kernel,
                      self=nll_transpose,
                      public=False, fast=kernels.nll_loss,
                      wide=True, doc="Minus the entry at the target, weighted.")

nll_loss2d_row = linear("nll_loss2d(Tensor self, Tensor target, Tensor? weight, int reduction, int ignore_index)",
                        nll_loss_kernel,
                        self=nll_transpose,
                        node="NllLoss2DBackward0", public=False, fast=kernels.nll_loss,
                        wide=True, doc="The same for more than two dims, where PyTorch's node has another name.")


def nll(input, target, weight, reduction, ignore_index):
    """The row that PyTorch chooses."""
    return (nll_loss2d_row if input.ndim > 2 else nll_loss_row)(input, target, weight, reduction, ignore_index)


@composite(nn=True)
def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    """Minus the log-probability of the right class.

    ``input`` has shape (C), (N, C) or (N, C, d1, d2 ...), ``target`` the same without C and holds class
    numbers; those equal to ``ignore_index`` do not count. ``weight`` has one entry for each class, and
    the mean is divided by the sum of the weights.

    >>> logp = torch.log(torch.tensor([[0.5, 0.5], [0.25, 0.75]]))
    >>> torch.nn.functional.nll_loss(logp, torch.tensor([0, 0]), reduction="none")
    tensor([0.6931, 1.3863])
    """
    return nll(input, target, weight, reduction_number("nll_loss", reduction, size_average, reduce), ignore_index)


@composite(nn=True)
def cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean",
                  label_smoothing=0.0):
    """Minus the log-probability of the right class, where ``input`` holds unnormalised scores.

    ``target`` holds class numbers (see ``nll_loss``) or, in the shape of ``input``, probabilities.
    ``label_smoothing`` spreads that much of the probability evenly over all classes.

    >>> scores = torch.tensor([[0., 0.], [0., 0.]], requires_grad=True)
    >>> torch.nn.functional.cross_entropy(scores, torch.tensor([0, 1]))
    tensor(0.6931, grad_fn=<NllLossBackward0>)
    """
    if not (isinstance(input, Tensor) and isinstance(target, Tensor)):
        raise must_be_tensors("cross_entropy", input=input, target=target)
    reduction = reduction_number("cross_entropy", reduction, size_average, reduce)
    if not 0 <= label_smoothing <= 1:
        raise error("MG204", f"cross_entropy: label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing}")
    class_dim = 0 if input.ndim == 1 else 1
    logp = log_softmax(input, class_dim)
    if target.shape == input.shape:
        if not target.dtype.is_floating_point:
            raise not_probabilities(target.dtype)
        if ignore_index >= 0:
            raise error("MG204", "cross_entropy: ignore_index is not supported for floating point target")
        return soft_cross_entropy(logp, target, weight, reduction, label_smoothing, class_dim)
    if target.dtype.is_floating_point:
        if input.ndim > 1 and (not target.ndim or input.shape[0] != target.shape[0]):
            raise batch_sizes_differ(input, target)
        raise neither_probabilities_nor_classes(input.shape, target)
    hard = nll(logp, target, weight, reduction, ignore_index)
    if not label_smoothing:
        return hard
    return hard * (1 - label_smoothing) + (even_cross_entropy(logp, target, weight, reduction, ignore_index, class_dim)
                                           * (label_smoothing / (input.shape[class_dim] or nan)))


@composite(types="Tensor Tensor Tensor Tensor? Tensor? str int? float Any", nn=True)
def linear_cross_entropy(input, linear_weight, target, *, linear_bias=None, weight=None, reduction="mean",
                         ignore_index=None, label_smoothing=0.0, options=None):
    """``cross_entropy`` of scores that a linear layer makes: ``cross_entropy(linear(input, linear_weight), target)``.

    ``input`` has shape (features) or (N, features), ``linear_weight`` (C, features), or (C, d1, d2 ..., features) for
    targets of shape (N, d1, d2 ...). ``options``, which save memory in PyTorch and change no result, are ignored.

    >>> x, weight = torch.tensor([[0., 1.]]), torch.tensor([[1., 0.], [0., 0.]])
    >>> torch.nn.functional.linear_cross_entropy(x, weight, torch.tensor([1]))
    tensor(0.6931)
    """
    for name, given in (("input", input), ("linear_weight", linear_weight), ("target", target)):
        if not isinstance(given, Tensor):
            raise must_be_tensors("linear_cross_entropy", **{name: given})
    if not 1 <= input.ndim <= 2:
        raise input_of_other_dims(input.ndim)
    if linear_weight.ndim < 2:
        raise layer_of_other_dims(linear_weight.ndim)
    if input.shape[-1] != linear_weight.shape[-1]:
        raise other_features(input.shape[-1], linear_weight.shape[-1])
    outputs = tuple(linear_weight.shape[:-1])
    if linear_bias is not None and tuple(linear_bias.shape) != outputs:
        raise other_bias(outputs, linear_bias.shape)
    if len(outputs) > 1 and input.ndim == 1:
        raise no_batch(linear_weight.shape, input.shape)
    shape = (*input.shape[:-1], *outputs)
    if tuple(target.shape) == shape and ignore_index is not None:
        raise nothing_to_ignore()
    if len(outputs) > 1:
        linear_weight = reshape_to(linear_weight, (prod(outputs), linear_weight.shape[-1]))
        linear_bias = linear_bias if linear_bias is None else reshape_to(linear_bias, (prod(outputs),))
    scores = reshape_to(layer(input, linear_weight, linear_bias), shape)
    return cross_entropy(scores, target, weight=weight, reduction=reduction,
                         ignore_index=-100 if ignore_index is None else ignore_index, label_smoothing=label_smoothing)


def along_classes(weight, ndim):
    """The weights of the classes, shaped to be broadcast against the input."""
    return weight.reshape([-1] + [1] * (ndim - 2)) if ndim > 1 else weight


def soft_cross_entropy(logp, target, weight, reduction, label_smoothing, class_dim):
    """The cross entropy when the targets are probabilities."""
    classes = logp.shape[class_dim]
    if label_smoothing:
        target = target * (1 - label_smoothing) + label_smoothing / (classes or nan)
    terms = mul(logp, target)
    if weight is not None:
        if tuple(weight.shape) != (classes,):
            raise other_number_of_weights(classes, weight.shape)
        terms = mul(terms, along_classes(weight, logp.ndim))
    if reduction == NONE:
        return neg(sum_dim(terms, class_dim))
    total = neg(sum_all(terms))
    return div(total, logp.numel() // classes if classes else 0) if reduction == MEAN else total


def even_cross_entropy(logp, target, weight, reduction, ignore_index, class_dim):
    """The cross entropy when the targets give every class probability 1; its mean is divided as for hard ones."""
    terms = logp if weight is None else mul(logp, along_classes(weight, logp.ndim))
    losses = keep(neg(sum_dim(terms, class_dim)), ne(target, ignore_index))
    if reduction != MEAN:
        return reduce_loss(losses, reduction)
    minus_one = logp.detach() * 0 - 1       # the result is then the sum of the weights
    return div(sum_all(losses), nll(minus_one, target, weight, SUM, ignore_index))


# ------------------------------------------------------------------------------ errors


def not_log_probabilities(dtype):
    return error("MG202", f'"nll_loss" is not implemented for \'{scalar_name(dtype)}\': the input holds '
                          'log-probabilities')


def no_classes():
    return error("MG207", "nll_loss: Expected 1 or more dimensions (got 0): the input has one log-probability for "
                          "each class")


def not_class_numbers(dtype):
    return error("MG202", "nll_loss: expected target dtype to be Long or Byte, but got "
                          f"{scalar_name(dtype)}. Class numbers are integers: target.long()")


def batch_sizes_differ(input, target):
    return error("MG207", f"nll_loss: Expected input batch_size ({input.shape[0]}) to match target batch_size "
                          f"({target.shape[0] if target.ndim else 0})"
                          f"{'' if target.ndim else ': a target without dims is for one sample of shape (C)'}.")


def other_target_size(expected, target, input):
    if len(input) == 2:
        return error("MG201", "nll_loss: 0D or 1D target tensor expected, multi-target not supported: one class number "
                              f"for each sample, but the target has the shape {list(target)}")
    return error("MG201", f"nll_loss: Expected target size {list(expected)}, got {list(target)}: "
                          f"one class number for each place of the input, whose shape is {list(input)}")


def weights_of_another_dtype(expected, found):
    return error("MG202", f"nll_loss: expected scalar type {scalar_name(expected)} but found {scalar_name(found)}: "
                          "convert the weight to the dtype of the input")


def several_targets_of_one_sample(size):
    return error("MG207", f"nll_loss: For 1D input, 1D target must have size 1, but got target size: {size}")


def other_number_of_weights(classes, weight):
    return error("MG204", f"weight tensor should be defined either for all {classes} classes or no classes "
                          f"but got weight tensor of shape: {list(weight)}")


def no_such_class(target, classes, ignore_index):
    return error("MG206", f"nll_loss: Target {target} is out of bounds. There are {classes} classes, numbered "
                          f"from 0; {ignore_index} is ignored")


def input_of_other_dims(ndim):
    return error("MG201", f"linear_cross_entropy: expected input with dimensionality 1 or 2, got {ndim}")


def layer_of_other_dims(ndim):
    return error("MG201", f"linear_cross_entropy: expected linear_weight with dimensionality at least 2, got {ndim}")


def other_features(input, weight):
    return error("MG201", "linear_cross_entropy: expected equal input and linear_weight last dimensions (in_features), "
                          f"got {input} and {weight}, respectively")


def other_bias(outputs, bias):
    return error("MG201", f"linear_cross_entropy: expected linear_bias shape {outputs}, got {tuple(bias)}")


def no_batch(weight, input):
    return error("MG201", "linear_cross_entropy: K-dimensional loss defined by linear_weight shape "
                          f"{tuple(weight)} requires batched input, (N, {input[-1]}), got unbatched input with shape "
                          f"{tuple(input)}")


def nothing_to_ignore():
    return error("MG204", "linear_cross_entropy: ignore_index cannot be specified when target contains probabilities")


def not_probabilities(dtype):
    return error("MG202", "cross_entropy: Expected floating point type for target with class probabilities, got "
                          f"{scalar_name(dtype.numpy)}. A target in the shape of the input holds probabilities")


def neither_probabilities_nor_classes(input, target):
    return error("MG201", "cross_entropy: expected target dtype to be Long or Byte, but got "
                          f"{scalar_name(target.dtype.numpy)}. A floating point target holds probabilities and has "
                          f"the shape of the input, {list(input)}, but this one has shape {list(target.shape)}. Class "
                          "numbers are integers: target.long()")
