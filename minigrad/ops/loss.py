"""How wrong is a prediction?  The losses of ``minigrad.nn.functional``.

A loss compares ``input`` with ``target`` element by element and then reduces: to the mean, to the sum,
or not at all.  So its gradient is a product of two things: the slope of the comparison, which is
elementwise, and the share of ``d`` that an element gets (``share_of``): d itself, or d / n for a mean
over n.  The ``d`` of a reduced loss has no dims; broadcasting spreads it.

``nll_loss`` picks one entry of each row.  It is linear in its input, and so is its transpose
``nll_loss_backward``: each is the formula of the other.  ``cross_entropy`` is ``log_softmax`` followed by it.

As in PyTorch, nodes save the reduction as a number: 0 for none, 1 for the mean, 2 for the sum.

Neighbours: activation.py (log_softmax), reduction.py (mean and sum).
"""

import warnings

import numpy as np

from minigrad._core.errors import error

from .activation import log_softmax, logsigmoid
from .arithmetic import div, keep, mul, neg, sub
from .comparison import ne, refuse
from .complex import abs
from .dims import scalar_name
from .elementwise import log, sigmoid
from .kinds import composite, elementwise, general, linear
from .piecewise import clamp_min_number, clamp_numbers
from .reduction import mean_all, sum_all, sum_dim
from .shape import broadcast_tensors

NONE, MEAN, SUM = range(3)

# ------------------------------------------------------------------------------ reductions


def reduced(losses, reduction):
    """The mean, the sum, or all of the losses of the elements."""
    return losses if reduction == NONE else losses.mean() if reduction == MEAN else losses.sum()


share_of = linear("share_of(Tensor grad, Tensor like, reduction)",
                  lambda grad, like, reduction: grad / grad.dtype.type(like.size) if reduction == MEAN else grad,
                  grad=lambda d, like, reduction: share_of(d, like, reduction),
                  public=False,
                  doc="What each element gets of the gradient of a reduced loss: a mean shares it out.")

weighted = elementwise("weighted(Tensor self, Tensor? weight)", lambda self, weight: self if weight is None else self * weight,
                       self=lambda d, weight: weighted(d, weight),
                       public=False,
                       doc="``self * weight``, or ``self`` where there are no weights.")


def reduction_number(op, reduction, size_average=None, reduce=None):
    """PyTorch's number of a reduction; two older arguments with the same meaning still work there, with a warning."""
    if size_average is not None or reduce is not None:
        reduction = "none" if reduce is False else "sum" if size_average is False else "mean"
        warnings.warn(f"size_average and reduce args will be deprecated, please use reduction='{reduction}' instead.", stacklevel=3)
    if reduction not in ("none", "mean", "sum"):
        raise error("MG207", f"{op}: {reduction} is not a valid value for reduction: it is 'none', 'mean' or 'sum'")
    return ("none", "mean", "sum").index(reduction)


def reduce_loss(losses, reduction):
    """The same as ``reduced``, on Tensors."""
    return losses if reduction == NONE else mean_all(losses) if reduction == MEAN else sum_all(losses)

# ------------------------------------------------------------------------------ regression


def against_target(input, target):
    """Both in one shape; if they have to be broadcast, somebody may have forgotten an unsqueeze."""
    if input.shape == target.shape:
        return input, target
    warnings.warn(f"Using a target size ({target.shape}) that is different to the input size ({input.shape}). "
                  "This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size.", stacklevel=3)
    return broadcast_tensors(input, target)


def times_weight(losses, weight):
    """The losses of the elements, each with a weight of its own."""
    if weight.shape != losses.shape:
        raise error("MG207", f"Weights and input must have the same size, but they are {list(weight.shape)} and {list(losses.shape)}")
    return mul(losses, weight)


def weighted_loss(losses, weight, reduction):
    """The reduction of weighted losses; their mean is divided by the sum of the weights."""
    losses = times_weight(losses, weight)
    return div(sum_all(losses), sum_all(weight)) if reduction == MEAN else reduce_loss(losses, reduction)


def regression(op, loss):
    """The kernel of a regression loss whose value for an element depends on the difference alone."""
    def kernel(self, target, reduction, *parameters):
        refuse(self, "biuc", op)
        return reduced(loss(self - target, *parameters), reduction)
    return kernel


def smooth_l1(difference, beta):
    size = np.abs(difference)
    return np.where(size < beta, 0.5 * size * size / beta, size - 0.5 * beta)


def huber(difference, delta):
    size = np.abs(difference)
    return np.where(size <= delta, 0.5 * size * size, delta * (size - 0.5 * delta))


def mse_slope(d, self, target, reduction):
    return (self - target) * (2 * share_of(d, self, reduction))


def smooth_l1_slope(d, self, target, reduction, beta):
    return clamp_numbers((self - target) / beta, -1, 1) * share_of(d, self, reduction)


def huber_slope(d, self, target, reduction, delta):
    return clamp_numbers(self - target, -delta, delta) * share_of(d, self, reduction)


mse_loss_row = general("mse_loss(Tensor self, Tensor target, reduction)", regression("mse_loss", np.square),
                       self=mse_slope,
                       target=lambda d, self, target, reduction: -mse_slope(d, self, target, reduction),
                       promote="common", public=False,
                       doc="The square of the difference.")

smooth_l1_loss_row = general("smooth_l1_loss(Tensor self, Tensor target, reduction, beta)", regression("smooth_l1_loss", smooth_l1),
                             self=smooth_l1_slope,
                             target=lambda d, self, target, reduction, beta:
                                 -smooth_l1_slope(d, self, target, reduction, beta),
                             node="SmoothL1LossBackward0", promote="common", public=False,
                             doc="A parabola up to ``beta``, then a straight line of slope 1.")

huber_loss_row = general("huber_loss(Tensor self, Tensor target, reduction, delta)", regression("huber_loss", huber),
                         self=huber_slope,
                         target=lambda d, self, target, reduction, delta:
                             -huber_slope(d, self, target, reduction, delta),
                         promote="common", public=False,
                         doc="A parabola up to ``delta``, then a straight line of slope ``delta``.")


@composite(nn=True)
def mse_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    """The mean (or sum, or all) of the squared differences.

    >>> torch.nn.functional.mse_loss(torch.tensor([1., 2.]), torch.tensor([0., 4.]))
    tensor(2.5000)
    """
    reduction = reduction_number("mse_loss", reduction, size_average, reduce)
    input, target = against_target(input, target)
    if weight is not None:
        return weighted_loss(mse_loss_row(input, target, NONE), weight, reduction)
    return mse_loss_row(input, target, reduction)


@composite(nn=True)
def l1_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    """The mean (or sum, or all) of the absolute differences.

    >>> torch.nn.functional.l1_loss(torch.tensor([1., 2.]), torch.tensor([0., 4.]))
    tensor(1.5000)
    """
    reduction = reduction_number("l1_loss", reduction, size_average, reduce)
    losses = abs(sub(*against_target(input, target)))
    return reduce_loss(losses, reduction) if weight is None else weighted_loss(losses, weight, reduction)


@composite(nn=True)
def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    """The absolute differences (less beta / 2), with the kink at 0 rounded by a parabola up to ``beta``.

    >>> torch.nn.functional.smooth_l1_loss(torch.tensor([0.5, 4.]), torch.tensor([0., 0.]), reduction="none")
    tensor([0.1250, 3.5000])
    """
    reduction = reduction_number("smooth_l1_loss", reduction, size_average, reduce)
    if beta < 0:
        raise error("MG204", f"smooth_l1_loss does not support negative values for beta, but got {beta}")
    input, target = against_target(input, target)
    if beta == 0:
        return reduce_loss(abs(sub(input, target)), reduction)
    return smooth_l1_loss_row(input, target, reduction, beta)


@composite(nn=True)
def huber_loss(input, target, reduction="mean", delta=1.0, weight=None):
    """Half the squared differences up to ``delta``, growing in a straight line beyond: ``delta * smooth_l1_loss(beta=delta)``.

    >>> torch.nn.functional.huber_loss(torch.tensor([0.5, 4.]), torch.tensor([0., 0.]), reduction="none", delta=2.)
    tensor([0.1250, 6.0000])
    """
    reduction = reduction_number("huber_loss", reduction)
    if delta <= 0:
        raise error("MG204", f"huber_loss does not support non-positive values for delta, but got {delta}")
    input, target = against_target(input, target)
    if weight is not None:
        # Unlike mse_loss: PyTorch's weighted mean of this one is divided by the number of elements.
        return reduce_loss(times_weight(huber_loss_row(input, target, NONE, delta), weight), reduction)
    return huber_loss_row(input, target, reduction, delta)

# ------------------------------------------------------------------------------ one of several classes


def check_classes(self, target, weight):
    """Shapes and dtypes of nll_loss; the dim of the classes is 1, or 0 where there is no batch."""
    if self.dtype.kind in "biuc":
        raise error("MG202", f'"nll_loss" is not implemented for \'{scalar_name(self.dtype)}\': the input holds log-probabilities')
    if not self.ndim:
        raise error("MG207", "nll_loss: Expected 1 or more dimensions (got 0): the input has one log-probability for each class")
    if target.dtype not in (np.int64, np.uint8):
        raise error("MG202", f"nll_loss: expected target dtype to be Long or Byte, but got {scalar_name(target.dtype)}. "
                             "Class numbers are integers: target.long()")
    if self.ndim > 1 and (not target.ndim or self.shape[0] != target.shape[0]):
        raise error("MG207", f"nll_loss: Expected input batch_size ({self.shape[0]}) to match target batch_size "
                             f"({target.shape[0] if target.ndim else 1}).")
    expected = self.shape[:1] + self.shape[2:] if self.ndim > 1 else ()
    if target.shape != expected and not (self.ndim == 1 and target.shape == (1,)):
        raise error("MG201", f"nll_loss: Expected target size {list(expected)}, got {list(target.shape)}: "
                             f"one class number for each place of the input, whose shape is {list(self.shape)}")
    classes = self.shape[1 if self.ndim > 1 else 0]
    if weight is not None and weight.shape != (classes,):
        raise error("MG204", f"weight tensor should be defined either for all {classes} classes or no classes "
                             f"but got weight tensor of shape: {list(weight.shape)}")


def places(shape, target, ignore_index):
    """The input seen as (batch, class, rest): its shape there, an index that picks the targets, and which of them count.

    An ignored target picks class 0, with weight 0.
    """
    n, classes = (shape[0], shape[1]) if len(shape) > 1 else (1, shape[0])
    target = target.astype(np.int64, copy=False).reshape(n, -1)
    counted = target != ignore_index
    wrong = target[counted & ((target < 0) | (target >= classes))]
    if wrong.size:
        raise error("MG206", f"nll_loss: Target {wrong[0]} is out of bounds. There are {classes} classes, numbered from 0; "
                             f"{ignore_index} is ignored")
    index = (np.arange(n)[:, None], np.where(counted, target, 0), np.arange(target.shape[1]))
    return (n, classes, target.shape[1]), index, counted


def weights_of(weight, index, counted, dtype):
    return counted.astype(dtype) if weight is None else np.where(counted, weight[index[1]], 0).astype(dtype, copy=False)


def nll_loss_kernel(self, target, weight, reduction, ignore_index):
    check_classes(self, target, weight)
    shape, index, counted = places(self.shape, target, ignore_index)
    weights = weights_of(weight, index, counted, self.dtype)
    losses = np.where(counted, -self.reshape(shape)[index] * weights, 0)
    if reduction == NONE:
        return losses.reshape(target.shape)
    return losses.sum() / weights.sum() if reduction == MEAN else losses.sum()


def nll_loss_backward_kernel(grad, target, weight, shape, reduction, ignore_index):
    flat, index, counted = places(shape, target, ignore_index)
    weights = weights_of(weight, index, counted, grad.dtype)
    if reduction == MEAN:
        grad = grad / weights.sum()
    elif reduction == NONE:
        grad = grad.reshape(counted.shape)
    out = np.zeros(flat, grad.dtype)
    out[index] = np.where(counted, -weights * grad, 0)
    return out.reshape(shape)


nll_loss_backward = linear("nll_loss_backward(Tensor grad, Tensor target, Tensor? weight, shape, reduction, ignore_index)",
                           nll_loss_backward_kernel,
                           grad=lambda d, target, weight, reduction, ignore_index:
                               nll_loss_row(d, target, weight, reduction, ignore_index),
                           public=False,
                           doc="The transpose of ``nll_loss``: each gradient at the entry that was picked, zeros elsewhere.")


def nll_transpose(d, target, weight, self_shape, reduction, ignore_index):
    return nll_loss_backward(d, target, weight, self_shape, reduction, ignore_index)


nll_loss_row = linear("nll_loss(Tensor self, Tensor target, Tensor? weight, reduction, ignore_index)", nll_loss_kernel,
                      self=nll_transpose,
                      public=False,
                      doc="Minus the entry at the target, weighted.")

nll_loss2d_row = linear("nll_loss2d(Tensor self, Tensor target, Tensor? weight, reduction, ignore_index)", nll_loss_kernel,
                        self=nll_transpose,
                        node="NllLoss2DBackward0", public=False,
                        doc="The same for more than two dims, where PyTorch's node has another name.")


def nll(input, target, weight, reduction, ignore_index):
    """The row that PyTorch takes."""
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
    ``label_smoothing`` moves that much of the probability evenly to all classes.

    >>> scores = torch.tensor([[0., 0.], [0., 0.]], requires_grad=True)
    >>> torch.nn.functional.cross_entropy(scores, torch.tensor([0, 1]))
    tensor(0.6931, grad_fn=<NllLossBackward0>)
    """
    reduction = reduction_number("cross_entropy", reduction, size_average, reduce)
    if not 0 <= label_smoothing <= 1:
        raise error("MG204", f"cross_entropy: label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing}")
    class_dim = 0 if input.ndim == 1 else 1
    logp = log_softmax(input, class_dim)
    if target.shape == input.shape and target.dtype.is_floating_point:
        if ignore_index >= 0:
            raise error("MG204", "cross_entropy: ignore_index is not supported for floating point target")
        return soft_cross_entropy(logp, target, weight, reduction, label_smoothing, class_dim)
    if target.dtype.is_floating_point:
        raise error("MG201", f"cross_entropy: a floating point target holds probabilities and has the shape of the input, "
                             f"{list(input.shape)}, but this one has shape {list(target.shape)}. Class numbers are integers: target.long()")
    hard = nll(logp, target, weight, reduction, ignore_index)
    if not label_smoothing:
        return hard
    return hard * (1 - label_smoothing) + (even_cross_entropy(logp, target, weight, reduction, ignore_index, class_dim)
                                           * (label_smoothing / input.shape[class_dim]))


def along_classes(weight, ndim):
    """The weights of the classes, shaped to be broadcast against the input."""
    return weight.reshape([-1] + [1] * (ndim - 2)) if ndim > 1 else weight


def soft_cross_entropy(logp, target, weight, reduction, label_smoothing, class_dim):
    """The targets are probabilities."""
    classes = logp.shape[class_dim]
    if label_smoothing:
        target = target * (1 - label_smoothing) + label_smoothing / classes
    terms = mul(logp, target)
    if weight is not None:
        terms = mul(terms, along_classes(weight, logp.ndim))
    if reduction == NONE:
        return neg(sum_dim(terms, class_dim))
    total = neg(sum_all(terms))
    return div(total, logp.numel() // classes) if reduction == MEAN else total


def even_cross_entropy(logp, target, weight, reduction, ignore_index, class_dim):
    """The targets give every class probability 1; the mean is taken as that of the hard targets is."""
    terms = logp if weight is None else mul(logp, along_classes(weight, logp.ndim))
    losses = keep(neg(sum_dim(terms, class_dim)), ne(target, ignore_index))
    if reduction != MEAN:
        return reduce_loss(losses, reduction)
    minus_one = logp.detach() * 0 - 1       # so the weights of the targets come out
    return div(sum_all(losses), nll(minus_one, target, weight, SUM, ignore_index))

# ------------------------------------------------------------------------------ yes or no


def check_binary(op, self, target):
    refuse(self, "biuc", op)
    if self.dtype != target.dtype:
        raise error("MG202", f"{op}: Found dtype {scalar_name(target.dtype)} but expected {scalar_name(self.dtype)}. "
                             "The target holds probabilities: convert it with target.to(input.dtype)")


def binary_cross_entropy_kernel(self, target, weight, reduction):
    check_binary("binary_cross_entropy", self, target)
    if not ((self >= 0) & (self <= 1)).all():
        raise error("MG204", "binary_cross_entropy: all elements of input should be between 0 and 1. "
                             "For scores of any size there is binary_cross_entropy_with_logits")
    losses = (target - 1) * np.maximum(np.log1p(-self), -100) - target * np.maximum(np.log(self), -100)
    return reduced(losses if weight is None else losses * weight, reduction)


binary_cross_entropy_row = general(
    "binary_cross_entropy(Tensor self, Tensor target, Tensor? weight, reduction)", binary_cross_entropy_kernel,
    self=lambda d, self, target, weight, reduction:
        (self - target) / clamp_min_number((1 - self) * self, 1e-12) * weighted(share_of(d, self, reduction), weight),
    target=lambda d, self, weight, reduction:
        (log(1 - self) - log(self)) * weighted(share_of(d, self, reduction), weight),
    public=False,
    doc="-(t log(x) + (1 - t) log(1 - x)), where no logarithm is less than -100.")


def softplus(x):
    return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))


def binary_cross_entropy_with_logits_kernel(self, target, weight, pos_weight, reduction):
    refuse(self, "biuc", "binary_cross_entropy_with_logits")
    yes = target if pos_weight is None else target * pos_weight
    losses = (1 - target) * softplus(self) + yes * softplus(-self)
    return reduced(losses if weight is None else losses * weight, reduction)


binary_cross_entropy_with_logits_row = general(
    "binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight, Tensor? pos_weight, reduction)",
    binary_cross_entropy_with_logits_kernel,
    self=lambda d, self, target, weight, pos_weight, reduction:
        ((1 - target) * sigmoid(self) - weighted(target, pos_weight) * sigmoid(-self))
        * weighted(share_of(d, self, reduction), weight),
    target=lambda d, self, weight, pos_weight, reduction:
        (logsigmoid(-self) - weighted(logsigmoid(self), pos_weight)) * weighted(share_of(d, self, reduction), weight),
    public=False,
    doc="The same of x = sigmoid(self), without overflow; the targets count ``pos_weight`` times.")


@composite(nn=True)
def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    """Minus the log-probability of the right answer, where ``input`` holds the probabilities of "yes".

    >>> torch.nn.functional.binary_cross_entropy(torch.tensor([0.5, 0.25]), torch.tensor([1., 0.]), reduction="none")
    tensor([0.6931, 0.2877])
    """
    reduction = reduction_number("binary_cross_entropy", reduction, size_average, reduce)
    if input.shape != target.shape:
        raise error("MG207", f"binary_cross_entropy: Using a target size ({target.shape}) that is different to the input size "
                             f"({input.shape}) is deprecated. Please ensure they have the same size.")
    return binary_cross_entropy_row(input, target, weight, reduction)


@composite(nn=True)
def binary_cross_entropy_with_logits(input, target, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None):
    """The same, where ``input`` holds scores of any size, to be made probabilities by ``sigmoid``.

    >>> torch.nn.functional.binary_cross_entropy_with_logits(torch.tensor([0., 1000.]), torch.tensor([1., 0.]), reduction="none")
    tensor([6.9315e-01, 1.0000e+03])
    """
    reduction = reduction_number("binary_cross_entropy_with_logits", reduction, size_average, reduce)
    if input.shape != target.shape:
        raise error("MG207", f"binary_cross_entropy_with_logits: Target size ({target.shape}) must be the same as input size ({input.shape})")
    return binary_cross_entropy_with_logits_row(input, target, weight, pos_weight, reduction)
