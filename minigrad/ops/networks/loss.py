"""How wrong is a prediction?  The losses of ``minigrad.nn.functional``.

A loss compares ``input`` with ``target`` element by element and then reduces: to the mean, to the sum,
or not at all.  So its gradient is a product of two things: the slope of the comparison, which is
elementwise, and the share of ``d`` that an element gets (``share_of``): d itself, or d / n for a mean
over n.  The ``d`` of a reduced loss has no dims; broadcasting spreads it.

As in PyTorch, nodes save the reduction as a number: 0 for none, 1 for the mean, 2 for the sum.

Neighbours: divergence.py (distributions), margin.py (distances to keep), classification.py (one of several classes),
totals.py (mean and sum).
"""

import numpy as np

from minigrad._core.errors import error, warn
from minigrad._core.graph import Tensor
from minigrad._core.kernels import table_of_networks as kernels
from minigrad._core.kernels.networks import elementwise_losses
from minigrad._core.kernels.reductions.array_sums import total

from ..copying import to_copy
from ..elementwise.arithmetic import mul, sub
from ..elementwise.comparison import refuse
from ..elementwise.complex import abs
from ..elementwise.division import div
from ..elementwise.elementary import log, sigmoid
from ..elementwise.piecewise import clamp_min
from ..composites import composite
from ..kinds import elementwise, general, linear
from ..reductions.totals import averaged, mean_all, sum_all
from ..shapes.broadcasting import common_shape, expand
from .activation import hardtanh, logsigmoid
from ..arguments import must_be_tensors, one_int, scalar_name

NONE, MEAN, SUM = range(3)

#: the first category of dtypes whose numbers have fractions (dtypes)
FLOAT = 2

# ------------------------------------------------------------------------------ reductions


def reduced(losses, reduction):
    """The mean or the sum of the losses of the elements, or all of them."""
    return losses if reduction == NONE else averaged(losses, None, False, None) if reduction == MEAN else total(losses)


share_of = linear("share_of(Tensor grad, Tensor like, int reduction)",
                  lambda grad, like, reduction: grad / grad.dtype.type(like.size) if reduction == MEAN else grad,
                  grad=lambda d, like, reduction: share_of(d, like, reduction),
                  no_gradient=("like",), public=False, wide=True, fast=kernels.share_of,
                  doc="The share of each element in the gradient of a reduced loss: d, or d / n for a mean.")

weighted = elementwise("weighted(Tensor self, Tensor? weight)",
                       lambda self, weight: self.copy("K") if weight is None else self * weight,
                       self=lambda d, weight: weighted(d, weight),
                       weight=lambda d, self: d * self,
                       public=False, fast=(np.multiply, "self", ("weight", 1)),
                       doc="``self * weight``, or a copy of ``self`` where there are no weights.")

times_excess = elementwise("times_excess(Tensor self, Tensor? weight)",
                           lambda self, weight: np.zeros_like(self) if weight is None else self * (weight - 1),
                           self=lambda d, weight: times_excess(d, weight),
                           weight=lambda d, self: d * self,
                           public=False,
                           doc="What the weights add: ``self * (weight - 1)``, or 0 where there are none.")


NUMBERS = {"none": NONE, "mean": MEAN, "sum": SUM}


def reduction_number(op, reduction, size_average=None, reduce=None):
    """PyTorch's number for a reduction; two older arguments with the same meaning still work, with a warning."""
    if size_average is not None or reduce is not None:
        kept, summed = reduce is not None and not reduce, size_average is not None and not size_average
        reduction = "none" if kept else "sum" if summed else "mean"
        warn(f"size_average and reduce args will be deprecated, please use reduction='{reduction}' instead.")
    elif reduction == "elementwise_mean":
        warn("reduction='elementwise_mean' is deprecated. Please use reduction='mean' instead.")
        reduction = "mean"
    if reduction not in NUMBERS:
        raise error("MG207", f"{op}: {reduction} is not a valid value for reduction: it is 'none', 'mean' or 'sum'")
    return NUMBERS[reduction]


def reduce_loss(losses, reduction):
    """The same as ``reduced``, on Tensors."""
    return losses if reduction == NONE else mean_all(losses) if reduction == MEAN else sum_all(losses)


def check_reduction(op, reduction):
    """The reduction of a function of ``torch``, which is a number: any but two mean that nothing is reduced."""
    number = one_int(op, "reduction", reduction)
    return number if number in (MEAN, SUM) else NONE


# ------------------------------------------------------------------------------ regression


def against_target(loss, input, target):
    """Both in one shape; if they must be broadcast, an unsqueeze may be missing."""
    if input.shape == target.shape:
        return input, target
    warn_of_broadcasting(target.shape, input.shape)
    size = common_shape(loss, [tuple(input.shape), tuple(target.shape)])
    return expand(input, size), expand(target, size)


def in_one_shape(loss, *tensors):
    """Tensors, or None, broadcast to one shape: the formulas of a loss return gradients of that shape."""
    shapes = [tuple(x.shape) for x in tensors if x is not None]
    if shapes.count(shapes[0]) == len(shapes):
        return tensors
    size = common_shape(loss, shapes)
    return [x if x is None else expand(x, size) for x in tensors]


def check_weight(weight, shape):
    if weight is not None and weight.shape != shape:
        raise weight_of_another_size(weight.shape, shape)


def weighted_loss(losses, weight, reduction):
    """The reduction of weighted losses; their mean is divided by the sum of the weights."""
    losses = mul(losses, weight)
    return div(sum_all(losses), sum_all(weight)) if reduction == MEAN else reduce_loss(losses, reduction)


def compared(loss, input, target):
    """Both in one shape, and a target of bools as numbers, for a row that subtracts them."""
    input, target = against_target(loss, input, target)
    return input, target if target.dtype.category else to_copy(target, input.dtype)


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
    return hardtanh((self - target) / beta) * share_of(d, self, reduction)


def huber_slope(d, self, target, reduction, delta):
    return hardtanh(self - target, -delta, delta) * share_of(d, self, reduction)


mse_loss_row = general("mse_loss(Tensor self, Tensor target, int reduction)", regression("mse_loss", np.square),
                       self=mse_slope,
                       target=lambda d, self, target, reduction: mse_slope(d, target, self, reduction),
                       promote="common", public=False, fast=kernels.mse_loss,
                       layout="self", doc="The square of the difference.")

smooth_l1_loss_row = general("smooth_l1_loss(Tensor self, Tensor target, int reduction, float beta)",
                             regression("smooth_l1_loss", smooth_l1),
                             self=smooth_l1_slope,
                             target=lambda d, self, target, reduction, beta:
                                 smooth_l1_slope(d, target, self, reduction, beta),
                             node="SmoothL1LossBackward0", promote="common", public=False,
                             fast=kernels.smooth_l1_loss,
                             layout="self", doc="A parabola up to ``beta``, then a straight line of slope 1.")

huber_loss_row = general("huber_loss(Tensor self, Tensor target, int reduction, float delta)",
                         regression("huber_loss", huber),
                         self=huber_slope,
                         target=lambda d, self, target, reduction, delta:
                             huber_slope(d, target, self, reduction, delta),
                         promote="common", public=False, fast=kernels.huber_loss,
                         layout="self", doc="A parabola up to ``delta``, then a straight line of slope ``delta``.")


@composite(nn=True)
def mse_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    """The mean (or sum, or all) of the squared differences.

    >>> torch.nn.functional.mse_loss(torch.tensor([1., 2.]), torch.tensor([0., 4.]))
    tensor(2.5000)
    """
    reduction = reduction_number("mse_loss", reduction, size_average, reduce)
    shape = input.shape
    input, target = compared("mse_loss", input, target)
    check_weight(weight, shape)
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
    shape = input.shape
    losses = abs(sub(*against_target("l1_loss", input, target)))
    check_weight(weight, shape)
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
    if beta == 0:
        return reduce_loss(abs(sub(*against_target("smooth_l1_loss", input, target))), reduction)
    input, target = compared("smooth_l1_loss", input, target)
    return smooth_l1_loss_row(input, target, reduction, beta)


@composite(nn=True)
def huber_loss(input, target, reduction="mean", delta=1.0, weight=None):
    """Half the squared differences up to ``delta``, a straight line beyond: ``delta * smooth_l1_loss(beta=delta)``.

    >>> torch.nn.functional.huber_loss(torch.tensor([0.5, 4.]), torch.tensor([0., 0.]), reduction="none", delta=2.)
    tensor([0.1250, 6.0000])
    """
    reduction = reduction_number("huber_loss", reduction)
    shape, dtype = input.shape, input.dtype
    input, target = compared("huber_loss", input, target)
    check_weight(weight, shape)
    if delta <= 0:
        raise error("MG204", f"huber_loss does not support non-positive values for delta, but got {delta}")
    if target.dtype is not dtype and dtype.category < FLOAT <= target.dtype.category:
        raise huber_of_whole_numbers(dtype)
    losses = huber_loss_row(input, target, reduction if weight is None else NONE, delta)
    if losses.dtype is not dtype:
        losses = to_copy(losses, dtype)
    # Unlike in mse_loss, PyTorch divides the weighted mean by the number of elements.
    return losses if weight is None else reduce_loss(mul(losses, weight), reduction)

# ------------------------------------------------------------------------------ yes or no


def check_binary(op, self, target):
    refuse(self, "biuc", op)
    if self.dtype != target.dtype:
        raise target_of_another_dtype(op, target.dtype, self.dtype)


def probabilities(x):
    """Are all between 0 and 1?  nan is not."""
    return np.minimum.reduce(x, axis=None, initial=0) >= 0 and np.maximum.reduce(x, axis=None, initial=1) <= 1


def binary_cross_entropy_kernel(self, target, weight, reduction):
    check_binary("binary_cross_entropy", self, target)
    if not probabilities(self):
        raise input_not_probabilities()
    if not probabilities(target):
        raise target_not_probabilities()
    losses = (target - 1) * np.maximum(np.log1p(-self), -100) - target * np.maximum(np.log(self), -100)
    return reduced(losses if weight is None else losses * weight, reduction)


#: PyTorch's lower bound of x (1 - x): where the answer is certain, and wrong, the slope of the logarithm is infinite.
CERTAIN = 1e-12

binary_cross_entropy_slope = elementwise(
    "binary_cross_entropy_slope(Tensor self, Tensor target)",
    lambda self, target: (self - target) / np.maximum((1 - self) * self, CERTAIN),
    self=lambda d, self, target:
        d * (((self - 2 * target) * self + target) / ((self + CERTAIN) * (1 - self + CERTAIN))**2),
    target=lambda d, self: -d / clamp_min((1 - self) * self, CERTAIN),
    public=False, fast=elementwise_losses.binary_cross_entropy_slope,
    shown="binary_cross_entropy", doc="The slope of the loss, (x - t) / (x (1 - x)).")

binary_cross_entropy_row = general(
    "binary_cross_entropy(Tensor self, Tensor target, Tensor? weight, int reduction)", binary_cross_entropy_kernel,
    self=lambda d, self, target, weight, reduction:
        binary_cross_entropy_slope(self, target) * weighted(share_of(d, self, reduction), weight),
    target=lambda d, self, weight, reduction:
        (log(1 - self) - log(self)) * weighted(share_of(d, self, reduction), weight),
    weight=lambda d, self, target, reduction:
        binary_cross_entropy_row(self, target, None, NONE) * share_of(d, self, reduction),
    public=False, fast=kernels.binary_cross_entropy,
    layout="self", doc="-(t log(x) + (1 - t) log(1 - x)), where no logarithm is less than -100.")


def counts(target, pos_weight):
    """How much the smaller of the two probabilities counts: 1 without weights, however large the target is."""
    return 1 if pos_weight is None else np.where(pos_weight == 1, 1, 1 + (pos_weight - 1) * target)


def binary_cross_entropy_with_logits_kernel(self, target, weight, pos_weight, reduction):
    refuse(self, "biuc", "binary_cross_entropy_with_logits")
    yes = target if pos_weight is None else target * pos_weight
    losses = np.asarray(-yes * self)
    np.copyto(losses, (1 - target) * self, where=self > 0)
    losses += counts(target, pos_weight) * np.log1p(np.exp(-np.abs(self)))
    return reduced(losses if weight is None else losses * weight, reduction)


def logit_loss_slope_kernel(self, target, pos_weight):
    dtype = np.result_type(self, target)
    self, target = self.astype(np.float64), target.astype(np.float64)      # digits cancel where the target is right
    yes = target if pos_weight is None else target * pos_weight
    e = np.exp(-np.abs(self))
    smaller = counts(target, pos_weight) * (e / (1 + e))
    return np.where(self > 0, (1 - target) - smaller, smaller - yes).astype(dtype, copy=False)


logit_loss_slope = elementwise(
    "logit_loss_slope(Tensor self, Tensor target, Tensor? pos_weight)", logit_loss_slope_kernel,
    self=lambda d, self, target, pos_weight:
        (d + times_excess(d * target, pos_weight)) * (sigmoid(self) * sigmoid(-self)),
    target=lambda d, self, pos_weight: -(d + times_excess(d * sigmoid(-self), pos_weight)),
    pos_weight=lambda d, self, target: -(d * target) * sigmoid(-self),
    public=False, fast=(elementwise_losses.logit_loss_slope, "self", "target", ("pos_weight", 1)),
    shown="binary_cross_entropy_with_logits", doc="""
(1 - t) s(x) - t w s(-x), where s is the sigmoid: the slope of the loss below.

It is written as a difference of the larger probability, which is 1 - s(-|x|), and of s(-|x|): both are exact, and
infinite targets lead to infinite slopes instead of nan.
""")

binary_cross_entropy_with_logits_row = general(
    "binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight, Tensor? pos_weight, int reduction)",
    binary_cross_entropy_with_logits_kernel,
    self=lambda d, self, target, weight, pos_weight, reduction:
        logit_loss_slope(self, target, pos_weight) * weighted(share_of(d, self, reduction), weight),
    target=lambda d, self, weight, pos_weight, reduction:
        -(self + times_excess(logsigmoid(self), pos_weight)) * weighted(share_of(d, self, reduction), weight),
    weight=lambda d, self, target, pos_weight, reduction:
        binary_cross_entropy_with_logits_row(self, target, None, pos_weight, NONE) * share_of(d, self, reduction),
    pos_weight=lambda d, self, target, weight, reduction:
        -target * logsigmoid(self) * weighted(share_of(d, self, reduction), weight),
    public=False, fast=kernels.binary_cross_entropy_with_logits,
    layout="target", doc="The same for x = sigmoid(self), without overflow; the targets count ``pos_weight`` times.")


@composite(nn=True)
def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    """Minus the log-probability of the right answer, where ``input`` holds the probabilities of "yes".

    >>> torch.nn.functional.binary_cross_entropy(torch.tensor([0.5, 0.25]), torch.tensor([1., 0.]), reduction="none")
    tensor([0.6931, 0.2877])
    """
    reduction = reduction_number("binary_cross_entropy", reduction, size_average, reduce)
    if input.shape != target.shape:
        raise target_of_another_size(target.shape, input.shape)
    if weight is not None and weight.shape != input.shape:
        shape = common_shape("binary_cross_entropy", [tuple(input.shape), tuple(weight.shape)])
        if shape != tuple(input.shape):
            raise larger_weight(shape, input.shape)
        weight = expand(weight, shape)
    return binary_cross_entropy_row(input, target, weight, reduction)


def of_logits(input, target, weight, pos_weight, reduction):
    """As in PyTorch, the losses have the dtype of the target."""
    if not (isinstance(input, Tensor) and isinstance(target, Tensor)):
        raise must_be_tensors("binary_cross_entropy_with_logits", input=input, target=target)
    if target.dtype.category < FLOAT:
        raise target_of_whole_numbers(target.dtype)
    if weight is not None or pos_weight is not None or input.shape != target.shape:
        input, target, weight, pos_weight = in_one_shape("binary_cross_entropy_with_logits", input, target, weight,
                                                         pos_weight)
    loss = binary_cross_entropy_with_logits_row(input, target, weight, pos_weight, reduction)
    return loss if loss.dtype is target.dtype else to_copy(loss, target.dtype)


@composite(name="binary_cross_entropy_with_logits", types="Tensor Tensor Tensor? Tensor? int", method=False, out=False)
def logits_by_number(input, target, weight=None, pos_weight=None, reduction=NONE):
    """The function of ``nn.functional``, with the reduction as a number: 0 is none, 1 the mean, 2 the sum.

    >>> torch.binary_cross_entropy_with_logits(torch.tensor([0., 1.]), torch.tensor([1., 0.]))
    tensor([0.6931, 1.3133])
    """
    reduction = check_reduction("binary_cross_entropy_with_logits", reduction)
    return of_logits(input, target, weight, pos_weight, reduction)


@composite(nn=True)
def binary_cross_entropy_with_logits(input, target, weight=None, size_average=None, reduce=None, reduction="mean",
                                     pos_weight=None):
    """``binary_cross_entropy`` of ``sigmoid(input)``, without overflow: ``input`` holds scores of any size.

    The answer "yes" counts ``pos_weight`` times.

    >>> logits, target = torch.tensor([0., 1000.]), torch.tensor([1., 0.])
    >>> torch.nn.functional.binary_cross_entropy_with_logits(logits, target, reduction="none")
    tensor([6.9315e-01, 1.0000e+03])
    """
    reduction = reduction_number("binary_cross_entropy_with_logits", reduction, size_average, reduce)
    if isinstance(input, Tensor) and isinstance(target, Tensor) and input.shape != target.shape:
        raise target_unlike_logits(target.shape, input.shape)
    return of_logits(input, target, weight, pos_weight, reduction)


# ------------------------------------------------------------------------------ errors and warnings


def warn_of_broadcasting(target, input):
    warn(f"Using a target size ({target}) that is different to the input size ({input}). "
         "This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size.")


def weight_of_another_size(weight, losses):
    return error("MG207", f"Weights and input must have the same size, but they are {list(weight)} and {list(losses)}")


def target_of_another_dtype(op, target, input):
    return error("MG202", f"{op}: Found dtype {scalar_name(target)} but expected {scalar_name(input)}. "
                          "The target holds probabilities: convert it with target.to(input.dtype)")


def target_of_whole_numbers(dtype):
    return error("MG202", "binary_cross_entropy_with_logits: result type Float can't be cast to the desired output "
                          f"type {scalar_name(dtype.numpy)}, which is that of the target: the target holds "
                          "probabilities, target.float()")


def huber_of_whole_numbers(dtype):
    return error("MG202", "huber_loss: result type Float can't be cast to the desired output type "
                          f"{scalar_name(dtype.numpy)}, which is that of the input: convert it with input.float()")


def larger_weight(shape, input):
    return error("MG201", f"binary_cross_entropy: output with shape {list(input)} doesn't match the broadcast shape "
                          f"{list(shape)}: the weight is larger than the input")


def input_not_probabilities():
    return error("MG204", "binary_cross_entropy: all elements of input should be between 0 and 1. "
                          "For scores of any size there is binary_cross_entropy_with_logits")


def target_not_probabilities():
    return error("MG204", "binary_cross_entropy: all elements of target should be between 0 and 1: "
                          "they are probabilities")


def target_of_another_size(target, input):
    return error("MG207", f"binary_cross_entropy: Using a target size ({target}) that is different to the "
                          f"input size ({input}) is deprecated. Please ensure they have the same size.")


def target_unlike_logits(target, input):
    return error("MG207", f"binary_cross_entropy_with_logits: Target size ({target}) must be the same as "
                          f"input size ({input})")
