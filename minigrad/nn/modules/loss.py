"""Losses: how far the results of a network are from their targets, as one number.

Each class keeps its options, and calls the function of the same name in ``nn.functional``, where the formulas are.
With ``reduction="mean"`` or ``"sum"`` the losses of a batch become one number; ``"none"`` keeps those of all elements.
Weights of classes are buffers: they move with the module, and are saved with it.
"""

from collections.abc import Callable
from math import prod

from minigrad._core.errors import error, warn
from minigrad._core.graph import Tensor
from minigrad.nn import functional as F
from minigrad.nn.modules.distance import PairwiseDistance
from minigrad.nn.modules.linear import Linear
from minigrad.nn.modules.module import Module
from minigrad.ops.networks.loss import reduction_number

__all__ = ["BCELoss", "BCEWithLogitsLoss", "CTCLoss", "CosineEmbeddingLoss", "CrossEntropyLoss", "GaussianNLLLoss",
           "HingeEmbeddingLoss", "HuberLoss", "KLDivLoss", "L1Loss", "LinearCrossEntropyLoss", "MSELoss",
           "MarginRankingLoss", "MultiLabelMarginLoss", "MultiLabelSoftMarginLoss", "MultiMarginLoss", "NLLLoss",
           "NLLLoss2d", "PoissonNLLLoss", "SmoothL1Loss", "SoftMarginLoss", "TripletMarginLoss",
           "TripletMarginWithDistanceLoss"]


class _Loss(Module):
    """A loss with a reduction; ``size_average`` and ``reduce`` are older words for it."""

    reduction: str

    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        if size_average is not None or reduce is not None:
            number = reduction_number(type(self).__name__, reduction, size_average, reduce)
            reduction = ("none", "mean", "sum")[number]
        self.reduction = reduction


class _WeightedLoss(_Loss):
    """A loss with a weight for each class, or each element."""

    weight: Tensor | None

    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)


# ------------------------------------------------------------------------------ numbers

class L1Loss(_Loss):
    """``|input - target|``.

    >>> torch.nn.L1Loss()(torch.tensor([1., 2.]), torch.tensor([1., 5.]))
    tensor(1.5000)
    """

    def forward(self, input, target):
        return F.l1_loss(input, target, reduction=self.reduction)


class MSELoss(_Loss):
    """``(input - target)^2``.

    >>> torch.nn.MSELoss(reduction="none")(torch.tensor([1., 2.]), torch.tensor([1., 5.]))
    tensor([0., 9.])
    """

    def forward(self, input, target):
        return F.mse_loss(input, target, reduction=self.reduction)


class SmoothL1Loss(_Loss):
    """A parabola up to a distance of ``beta``, from there on a line of slope 1.

    >>> torch.nn.SmoothL1Loss(beta=2.)(torch.tensor([1.]), torch.tensor([2.]))
    tensor(0.2500)
    """

    beta: float

    def __init__(self, size_average=None, reduce=None, reduction="mean", beta=1.0):
        super().__init__(size_average, reduce, reduction)
        self.beta = beta

    def forward(self, input, target):
        return F.smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)


class HuberLoss(_Loss):
    """The squared distance up to ``delta``, halved; from there on a line.

    >>> torch.nn.HuberLoss()(torch.tensor([0.]), torch.tensor([3.]))
    tensor(2.5000)
    """

    delta: float

    def __init__(self, reduction="mean", delta=1.0):
        if not isinstance(delta, (float, int)):
            raise error("MG205", f"delta must be a float or int, got: {type(delta)}")
        super().__init__(reduction=reduction)
        self.delta = delta

    def forward(self, input, target):
        return F.huber_loss(input, target, reduction=self.reduction, delta=self.delta)


class PoissonNLLLoss(_Loss):
    """The negative log likelihood of counts, whose rate, or its logarithm, is ``input``.

    >>> torch.nn.PoissonNLLLoss()(torch.tensor([0.]), torch.tensor([2.]))
    tensor(1.)
    """

    log_input: bool
    full: bool
    eps: float

    def __init__(self, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.log_input, self.full, self.eps = log_input, full, eps

    def forward(self, log_input, target):
        return F.poisson_nll_loss(log_input, target, log_input=self.log_input, full=self.full, eps=self.eps,
                                  reduction=self.reduction)


class GaussianNLLLoss(_Loss):
    """The negative log likelihood of numbers, whose mean is ``input`` and whose variance is ``var``.

    >>> torch.nn.GaussianNLLLoss()(torch.tensor([1.]), torch.tensor([3.]), torch.tensor([1.]))
    tensor(2.)
    """

    full: bool
    eps: float

    def __init__(self, *, full=False, eps=1e-6, reduction="mean"):
        super().__init__(None, None, reduction)
        self.full, self.eps = full, eps

    def forward(self, input, target, var):
        return F.gaussian_nll_loss(input, target, var, full=self.full, eps=self.eps, reduction=self.reduction)


# ------------------------------------------------------------------------------ probabilities and classes

class NLLLoss(_WeightedLoss):
    """The negative log likelihood of the classes ``target``, from log probabilities of shape (N, C, ...).

    >>> torch.nn.NLLLoss()(torch.tensor([[-1., -2.]]), torch.tensor([1]))
    tensor(2.)
    """

    ignore_index: int

    def __init__(self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index

    def forward(self, input, target):
        return F.nll_loss(input, target, weight=self.weight, ignore_index=self.ignore_index, reduction=self.reduction)


class NLLLoss2d(NLLLoss):
    """An older name of :class:`NLLLoss`."""

    def __init__(self, *args, **kwargs):
        warn("`NLLLoss2d` has been deprecated. Please use `NLLLoss` instead as a drop-in replacement", FutureWarning)
        super().__init__(*args, **kwargs)


class CrossEntropyLoss(_WeightedLoss):
    """The negative log likelihood of the classes ``target``, or of their probabilities, from scores of shape
    (N, C, ...).

    >>> torch.nn.CrossEntropyLoss()(torch.tensor([[0., 0.]]), torch.tensor([1]))
    tensor(0.6931)
    """

    ignore_index: int
    label_smoothing: float

    def __init__(self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean",
                 label_smoothing=0.0):
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index, self.label_smoothing = ignore_index, label_smoothing

    def forward(self, input, target):
        return F.cross_entropy(input, target, weight=self.weight, ignore_index=self.ignore_index,
                               reduction=self.reduction, label_smoothing=self.label_smoothing)


class LinearCrossEntropyLoss(_WeightedLoss):
    """A linear layer that makes scores, and their cross entropy.

    >>> loss = torch.nn.LinearCrossEntropyLoss(3, 5)
    >>> loss(torch.ones(4, 3), torch.tensor([0, 1, 2, 3])).shape
    torch.Size([])
    """

    num_classes: int
    out_features: int | tuple[int, ...]
    ignore_index: int | None
    label_smoothing: float
    options: dict | None
    linear: Linear

    def __init__(self, in_features, num_classes, *, out_features=(), bias=False, device=None, dtype=None,
                 reduction="mean", weight=None, ignore_index=None, label_smoothing=0.0, options=None):
        if weight is not None and tuple(weight.shape) != (num_classes,):
            raise error("MG204", f"expected weight shape to be {(num_classes,)}, got {tuple(weight.shape)}")
        if not 0 <= label_smoothing <= 1:
            raise error("MG204", f"expected label_smoothing to be in range [0, 1], got {label_smoothing}")
        super().__init__(weight, reduction=reduction)
        self.num_classes, self.out_features = num_classes, out_features
        self.ignore_index, self.label_smoothing, self.options = ignore_index, label_smoothing, options
        self.linear = Linear(in_features, prod(out_features, start=num_classes), bias, device, dtype)

    def forward(self, input, target):
        shape, bias = (self.num_classes, *self.out_features), self.linear.bias
        return F.linear_cross_entropy(
            input, self.linear.weight.reshape((*shape, -1)), target,
            linear_bias=None if bias is None else bias.reshape(shape), weight=self.weight, reduction=self.reduction,
            ignore_index=self.ignore_index, label_smoothing=self.label_smoothing, options=self.options)

    def extra_repr(self):
        return (f"in_features={self.linear.in_features}, num_classes={self.num_classes}, "
                f"out_features={self.out_features}, bias={self.linear.bias is not None}, reduction={self.reduction}, "
                f"ignore_index={self.ignore_index}, label_smoothing={self.label_smoothing}, options={self.options}")


class KLDivLoss(_Loss):
    """The Kullback-Leibler divergence of ``input``, which are log probabilities, from ``target``.

    >>> torch.nn.KLDivLoss(reduction="sum")(torch.tensor([0.5, 0.5]).log(), torch.tensor([1., 0.]))
    tensor(0.6931)
    """

    log_target: bool

    def __init__(self, size_average=None, reduce=None, reduction="mean", log_target=False):
        super().__init__(size_average, reduce, reduction)
        self.log_target = log_target

    def forward(self, input, target):
        return F.kl_div(input, target, reduction=self.reduction, log_target=self.log_target)


class BCELoss(_WeightedLoss):
    """The cross entropy of two classes, from the probability of one of them.

    >>> torch.nn.BCELoss()(torch.tensor([0.5]), torch.tensor([1.]))
    tensor(0.6931)
    """

    def forward(self, input, target):
        return F.binary_cross_entropy(input, target, weight=self.weight, reduction=self.reduction)


class BCEWithLogitsLoss(_WeightedLoss):
    """The cross entropy of two classes, from a score: ``BCELoss`` of its sigmoid.

    >>> torch.nn.BCEWithLogitsLoss()(torch.tensor([0.]), torch.tensor([1.]))
    tensor(0.6931)
    """

    pos_weight: Tensor | None

    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None):
        super().__init__(weight, size_average, reduce, reduction)
        self.register_buffer("pos_weight", pos_weight)

    def forward(self, input, target):
        return F.binary_cross_entropy_with_logits(input, target, self.weight, pos_weight=self.pos_weight,
                                                  reduction=self.reduction)


class CTCLoss(_Loss):
    """The negative log likelihood of texts over all ways to read them, one character or ``blank`` at a step.

    ``log_probs`` has shape (T, N, C), ``targets`` (N, S) or all texts one after the other.

    >>> log_probs = torch.full((2, 1, 2), 0.5).log()
    >>> torch.nn.CTCLoss(reduction="sum")(log_probs, torch.tensor([[1]]), torch.tensor([2]), torch.tensor([1])).exp()
    tensor(1.3333)
    """

    blank: int
    zero_infinity: bool

    def __init__(self, blank=0, reduction="mean", zero_infinity=False):
        super().__init__(reduction=reduction)
        self.blank, self.zero_infinity = blank, zero_infinity

    def forward(self, log_probs, targets, input_lengths, target_lengths):
        return F.ctc_loss(log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction,
                          self.zero_infinity)


# ------------------------------------------------------------------------------ margins

class _Margin(_Loss):
    """A loss that asks for a distance."""

    margin: float

    def __init__(self, margin, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.margin = margin


class SoftMarginLoss(_Loss):
    """``log(1 + exp(-target * input))``, for targets 1 and -1.

    >>> torch.nn.SoftMarginLoss()(torch.tensor([0.]), torch.tensor([1.]))
    tensor(0.6931)
    """

    def forward(self, input, target):
        return F.soft_margin_loss(input, target, reduction=self.reduction)


class HingeEmbeddingLoss(_Margin):
    """Distances that must be small where ``target`` is 1, and at least ``margin`` where it is -1.

    >>> torch.nn.HingeEmbeddingLoss()(torch.tensor([0.5, 0.75]), torch.tensor([1, -1]))
    tensor(0.3750)
    """

    def __init__(self, margin=1.0, size_average=None, reduce=None, reduction="mean"):
        super().__init__(margin, size_average, reduce, reduction)

    def forward(self, input, target):
        return F.hinge_embedding_loss(input, target, margin=self.margin, reduction=self.reduction)


class CosineEmbeddingLoss(_Margin):
    """Vectors that must be alike where ``target`` is 1, and no more alike than ``margin`` where it is -1.

    >>> x, y = torch.tensor([[1., 0.]]), torch.tensor([[0., 2.]])
    >>> torch.nn.CosineEmbeddingLoss()(x, y, torch.tensor([1]))
    tensor(1.)
    """

    def __init__(self, margin=0.0, size_average=None, reduce=None, reduction="mean"):
        super().__init__(margin, size_average, reduce, reduction)

    def forward(self, input1, input2, target):
        return F.cosine_embedding_loss(input1, input2, target, margin=self.margin, reduction=self.reduction)


class MarginRankingLoss(_Margin):
    """``input1`` must be larger than ``input2`` by ``margin`` where ``target`` is 1, smaller where it is -1.

    >>> torch.nn.MarginRankingLoss()(torch.tensor([1.]), torch.tensor([3.]), torch.tensor([1]))
    tensor(2.)
    """

    def __init__(self, margin=0.0, size_average=None, reduce=None, reduction="mean"):
        super().__init__(margin, size_average, reduce, reduction)

    def forward(self, input1, input2, target):
        return F.margin_ranking_loss(input1, input2, target, margin=self.margin, reduction=self.reduction)


class MultiLabelMarginLoss(_Loss):
    """The scores of all labels of a row must be larger than those of the other classes by 1.

    >>> torch.nn.MultiLabelMarginLoss()(torch.tensor([[0., 0.]]), torch.tensor([[1, -1]]))
    tensor(0.5000)
    """

    def forward(self, input, target):
        return F.multilabel_margin_loss(input, target, reduction=self.reduction)


class MultiLabelSoftMarginLoss(_WeightedLoss):
    """The cross entropy of each class by itself, averaged over the classes of a row.

    >>> torch.nn.MultiLabelSoftMarginLoss()(torch.tensor([[0., 0.]]), torch.tensor([[1., 0.]]))
    tensor(0.6931)
    """

    def forward(self, input, target):
        return F.multilabel_soft_margin_loss(input, target, weight=self.weight, reduction=self.reduction)


class MultiMarginLoss(_WeightedLoss):
    """The score of the class ``target`` must be larger than those of the other classes by ``margin``.

    >>> torch.nn.MultiMarginLoss()(torch.tensor([[0., 0.]]), torch.tensor([1]))
    tensor(0.5000)
    """

    p: int
    margin: float

    def __init__(self, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"):
        super().__init__(weight, size_average, reduce, reduction)
        if p not in (1, 2):
            raise error("MG207", f"only p == 1 and p == 2 supported, not p == {p}")
        if weight is not None and weight.dim() != 1:
            raise error("MG207", f"MultiMarginLoss: expected weight to be None or 1D tensor, got {weight.dim()}D "
                                 "instead")
        self.p, self.margin = p, margin

    def forward(self, input, target):
        return F.multi_margin_loss(input, target, p=self.p, margin=self.margin, weight=self.weight,
                                   reduction=self.reduction)


class TripletMarginLoss(_Margin):
    """``anchor`` must be nearer to ``positive`` than to ``negative``, by ``margin`` in the ``p``-norm.

    >>> x = torch.tensor([[0., 0.]])
    >>> torch.nn.TripletMarginLoss()(x, x + 3, x)
    tensor(5.2426)
    """

    p: float
    eps: float
    swap: bool

    def __init__(self, margin=1.0, p=2.0, eps=1e-6, swap=False, size_average=None, reduce=None, reduction="mean"):
        super().__init__(margin, size_average, reduce, reduction)
        if margin <= 0:
            raise no_margin(self, margin)
        self.p, self.eps, self.swap = p, eps, swap

    def forward(self, anchor, positive, negative):
        return F.triplet_margin_loss(anchor, positive, negative, margin=self.margin, p=self.p, eps=self.eps,
                                     swap=self.swap, reduction=self.reduction)


class TripletMarginWithDistanceLoss(_Margin):
    """``TripletMarginLoss`` for any distance: a function of two tensors.

    >>> x = torch.tensor([[0., 0.]])
    >>> torch.nn.TripletMarginWithDistanceLoss(distance_function=lambda x, y: (x - y).abs().sum(1))(x, x + 3, x)
    tensor(7.)
    """

    swap: bool
    distance_function: Callable[..., Tensor]

    def __init__(self, *, distance_function=None, margin=1.0, swap=False, reduction="mean"):
        super().__init__(margin, reduction=reduction)
        if margin <= 0:
            raise no_margin(self, margin)
        self.distance_function = PairwiseDistance() if distance_function is None else distance_function
        self.swap = swap

    def forward(self, anchor, positive, negative):
        return F.triplet_margin_with_distance_loss(
            anchor, positive, negative, distance_function=self.distance_function, margin=self.margin, swap=self.swap,
            reduction=self.reduction)


# ------------------------------------------------------------------------------ what the errors say

def no_margin(loss, margin):
    return error("MG207", f"{type(loss).__name__}: expected margin to be greater than 0, got {margin} instead")
