"""Sample rows of losses: of distributions, and of margins."""

import math

import numpy as np

from tests.ops.sampling import T, case, row


def each_reduction(*args, **kwargs):
    return [case(*args, reduction=reduction, **kwargs) for reduction in ("mean", "sum", "none")]


def each_number(*args, **kwargs):
    """The same for the functions of ``torch``, where a number says it, after the other arguments."""
    return [case(*args, number, **kwargs) for number in (0, 1, 2)]


def reduced(losses):
    """A reference: what ``losses`` gives for each element, reduced as a word or the last argument says."""
    def reference(*args, reduction=None, **kwargs):
        if reduction is None and isinstance(args[-1], int) and not isinstance(args[-1], bool):
            *args, number = args
            reduction = ("none", "mean", "sum")[number]
        out = np.asarray(losses(*args, **kwargs))
        return out.sum() if reduction == "sum" else out if reduction == "none" else out.mean()
    return reference


P = T(2, 3, kind="positive")
FIXED = T(2, 3, kind="positive", grad=False)
SIGNS = T(values=[[1., -1., 1.], [-1., 1., -1.]], grad=False)


# ------------------------------------------------------------------------------ distributions


def kl_div(x, target, log_target=False):
    return np.exp(target) * (target - x) if log_target else target * (np.log(target) - x)


def batchmean(x, target, reduction):
    return kl_div(x, target).sum() / len(x)


def poisson(x, target, log_input=True, full=False, eps=1e-8):
    losses = np.exp(x) - target * x if log_input else x - target * np.log(x + eps)
    stirling = target * np.log(target) - target + 0.5 * np.log(2 * math.pi * target)
    return losses + np.where(target > 1, stirling, 0) if full else losses


def gaussian(x, target, var, full=False, eps=1e-6):
    if np.ndim(var) == x.ndim - 1 and np.ndim(var):
        var = var[..., None]
    var = np.maximum(var, eps)
    return 0.5 * (np.log(var) + (x - target)**2 / var + full * math.log(2 * math.pi))


DISTRIBUTIONS = [
    row("kl_div", *each_reduction(T(2, 3), P), *each_reduction(T(2, 3), T(2, 3), log_target=True),
        case(T(2, 3), T(3, kind="positive")),
        case(T(0, 3), T(0, 3), reduction="sum"), case(T(), T(kind="positive")), where="nn.functional", node=False,
        numpy=reduced(kl_div), bad=case(T(3, kind="int"), T(3))),
    row("kl_div", case(T(2, 3), P, reduction="batchmean"), where="nn.functional", node=False, numpy=batchmean),
    row("kl_div", *each_number(T(2, 3), P), case(T(2, 3), T(2, 3), 2, log_target=True), node=False,
        numpy=reduced(kl_div), bad=case(T(3), 2.0)),
    row("poisson_nll_loss", *each_reduction(T(2, 3), P), *each_reduction(P, P, log_input=False, full=True),
        case(P, P, log_input=False, eps=0.5), case(T(2, 3), T(3, kind="positive")), case(T(), T()),
        where="nn.functional", node=False, numpy=reduced(poisson), bad=case(T(3), T(3), reduction="most")),
    row("poisson_nll_loss", *each_number(T(2, 3), P, True, True, 1e-8), *each_number(P, P, False, False, 0.1),
        node=False, numpy=reduced(poisson), bad=case(T(3), T(3), True, True, 1e-8, "mean")),
    row("poisson_nll_loss", case(P, T(values=[[1., 0., 3.], [2., 1., 1.]], grad=False), full=True),
        kink=True, where="nn.functional", node=False),
    row("gaussian_nll_loss", *each_reduction(T(2, 3), T(2, 3), P), case(T(2, 3), T(2, 3), T(2, kind="positive")),
        case(T(2, 3), T(2, 3), T(2, 1, kind="positive"), full=True), case(T(2, 3), T(3), 0.5),
        case(T(0, 3), T(0, 3), T(0, 3), reduction="sum"), node=False, numpy=reduced(gaussian),
        bad=case(T(2, 3), T(2, 3), T(values=[[1., 1., -1.]]))),
    row("gaussian_nll_loss", case(T(2), T(2), T(values=[0., 0.1]), eps=0.5), kink=True, node=False,
        numpy=reduced(gaussian), bad=case(T(2, 3), T(2, 3), T(3, kind="positive"))),
]

# ------------------------------------------------------------------------------ margins


def hinge(x, target, margin=1.0):
    return np.where(target == 1, x, np.maximum(margin - x, 0))


def ranking(x, y, target, margin=0.0):
    return np.maximum(-target * (x - y) + margin, 0)


def cosine_embedding(x, y, target, margin=0.0):
    c = (x * y).sum(-1) / np.sqrt(((x * x).sum(-1) + 1e-12) * ((y * y).sum(-1) + 1e-12))
    return np.where(target == 1, 1 - c, np.maximum(c - margin, 0))


def distance(x, y, p, eps):
    return (np.abs(x - y + eps)**p).sum(-1)**(1 / p)


def triplet(anchor, positive, negative, margin=1.0, p=2.0, eps=1e-6, swap=False):
    far = distance(anchor, negative, p, eps)
    if swap:
        far = np.minimum(far, distance(positive, negative, p, eps))
    return np.maximum(margin + distance(anchor, positive, p, eps) - far, 0)


def with_distance(a, p, n, distance_function=None, margin=1.0, swap=False):
    return triplet(a, p, n, margin, swap=swap)


MARGINS = [
    row("hinge_embedding_loss", *each_reduction(T(2, 3), SIGNS), case(T(2, 3), SIGNS, margin=0.3),
        case(T(2, 3), T(values=[1, -1, 0], kind="int")), case(T(0), T(0, grad=False), reduction="none"),
        where="nn.functional", node=False, bad=case(T(3), T(3, grad=False), reduction="most")),
    row("hinge_embedding_loss", *each_number(T(2, 3), SIGNS, 0.5), node=False,
        numpy=reduced(hinge), bad=case(T(3), 1.0)),
    row("margin_ranking_loss", *each_reduction(T(2, 3), T(2, 3), SIGNS), case(T(3), T(3), T(3), 0.5),
        case(T(), T(), T(), margin=0.5), case(T(0), T(0), T(0), reduction="sum"), where="nn.functional", node=False,
        numpy=reduced(ranking), bad=case(T(3), T(3), T())),
    row("margin_ranking_loss", *each_number(T(2, 3), T(3), SIGNS, 0.25), node=False,
        numpy=reduced(ranking), bad=case(T(3), T(3), 1.0)),
    row("margin_ranking_loss", case(T(values=[1., 1.5]), T(values=[1., 1.]), T(values=[1., 1.]), 0.5), node=False,
        kink=True, numpy=ranking),
    row("cosine_embedding_loss", *each_reduction(T(3, 4), T(3, 4), T(values=[1., -1., 1.], grad=False)),
        case(T(3, 4), T(3, 4), T(values=[1, -1, -1], kind="int"), 0.2),
        case(T(3, 4), T(1, 4), T(values=[1, -1, -1], kind="int")),
        case(T(4), T(4), T(values=1., grad=False)), where="nn.functional", node=False, numpy=reduced(cosine_embedding),
        bad=case(T(3, 4), T(3, 4), T(3, 1, grad=False))),
    row("cosine_embedding_loss", *each_number(T(2, 4), T(2, 4), T(values=[1., -1.], grad=False), 0.1), node=False,
        numpy=reduced(cosine_embedding), bad=case(T(4), T(4), T(4, grad=False))),
    row("cosine_embedding_loss", case(T(values=[[0., 0.], [1., 0.]]), T(values=[[1., 1.], [1., 0.]]),
                                      T(values=[1, 0], kind="int")), node=False, kink=True, rtol=1e-8),
    row("triplet_margin_loss", *each_reduction(T(3, 4), T(3, 4), T(3, 4)), case(T(4), T(4), T(4), 2.0),
        *each_reduction(T(3, 4), T(3, 4), T(3, 4), margin=2.0, swap=True), case(T(3, 4), T(3, 4), T(3, 4), p=3.0),
        case(T(3, 4), T(1, 4), T(3, 4), p=1, eps=1e-3), where="nn.functional", node=False, numpy=reduced(triplet),
        bad=case(T(3, 4), T(3, 4), T(3, 4), margin=-1.0)),
    row("triplet_margin_loss", *each_number(T(3, 4), T(3, 4), T(3, 4), 1.5, 2.0, 1e-6, False),
        node=False, numpy=reduced(triplet), bad=case(T(3, 4), T(4), T(3, 4))),
    row("triplet_margin_with_distance_loss", *each_reduction(T(3, 4), T(3, 4), T(3, 4)),
        case(T(3, 4), T(3, 4), T(3, 4), margin=2.0, swap=True), node=False, numpy=reduced(with_distance),
        bad=case(T(3, 4), T(4), T(3, 4))),
    row("soft_margin_loss", *each_reduction(T(2, 3), SIGNS), case(T(2, 3), T(3, grad=False)), case(T(), T(grad=False)),
        case(T(2, 3), T(values=[1, -1, 1], kind="int")), case(T(0), T(0, grad=False), reduction="none"),
        numpy=reduced(lambda x, target: np.log(1 + np.exp(-target * x))), bad=case(T(3), T(2, 3, grad=False))),
]

# ------------------------------------------------------------------------------ margins between classes


def multi_margin(x, target, p=1, margin=1.0, weight=None):
    rows, right = np.atleast_2d(x), np.atleast_1d(target)
    losses = [sum([max(0, margin - row[y] + row[j])**p for j in range(len(row)) if j != y])
              * (1 if weight is None else weight[y]) / len(row) for row, y in zip(rows, right)]
    return np.reshape(losses, target.shape)


def multilabel_margin(x, target):
    losses = []
    for row, right in zip(np.atleast_2d(x), np.atleast_2d(target)):
        right = list(right)
        right = right[:right.index(-1)] if -1 in right else right
        losses.append(sum([max(0, 1 - row[y] + row[j]) for y in right for j in range(len(row)) if j not in right])
                      / len(row))
    return np.reshape(losses, x.shape[:-1])


def multilabel_soft_margin(x, target, weight=1.0):
    p = 1 / (1 + np.exp(-x))
    return -(weight * (target * np.log(p) + (1 - target) * np.log(1 - p))).mean(-1)


CLASSES = T(values=[3, 0, 1], kind="int")
LABELS = T(values=[[3, 0, -1, 1], [-1, 2, 1, 0], [0, 1, 2, 3]], kind="int")

BETWEEN_CLASSES = [
    row("multi_margin_loss", *each_reduction(T(3, 4), CLASSES), *each_reduction(T(3, 4), CLASSES, p=2, margin=0.5),
        *each_reduction(T(3, 4), CLASSES, weight=T(4, kind="positive", grad=False)),
        case(T(4), T(values=2, kind="int")),
        case(T(4), T(values=[2], kind="int"), p=2, reduction="none"), numpy=reduced(multi_margin),
        bad=case(T(3, 4), T(values=[3, 0, 4], kind="int")), extra_saved=("target_sym_sizes",),
        loops="multi_margin_loss multi_margin_slope multi_margin_curvature"),
    row("multilabel_margin_loss", *each_reduction(T(3, 4), LABELS),
        case(T(4), T(values=[1, 1, -1, 0], kind="int"), reduction="none"),
        case(T(4), T(values=[2, -1, -1, 0], kind="int")), numpy=reduced(multilabel_margin),
        bad=case(T(3, 4), T(3, 2, kind="int"))),
    row("multilabel_soft_margin_loss", *each_reduction(T(3, 4), T(3, 4, kind="unit")),
        *each_reduction(T(3, 4), T(3, 4, kind="unit"), weight=T(4, kind="positive")), case(T(4), T(4, kind="unit")),
        case(T(3, 4), T(values=[1, 0, 1, 1], kind="int")), case(T(2, 3, 4), T(4, kind="unit")), node=False,
        numpy=reduced(multilabel_soft_margin), bad=case(T(), T())),
    row("multi_margin_curvature", case(T(3, 4), T(3, 4, grad=False), CLASSES, 2, 0.5, None), where="row"),
    row("binary_cross_entropy_with_logits", *each_number(T(2, 3), T(2, 3, kind="unit"), None, None),
        *each_number(T(2, 3), T(2, 3, kind="unit"), *[T(3, kind="positive", grad=False)] * 2),
        node=False, bad=case(T(3), T(3, kind="int"))),
    row("binary_cross_entropy_with_logits",
        case(T(values=[-1., 2., 3.]), T(values=[math.inf, math.inf, -math.inf], grad=False)),
        where="nn.functional", kink=True),
]


def linear_cross_entropy(x, layer, target, linear_bias=0.0, weight=None, ignore_index=None, label_smoothing=0.0):
    """With class numbers."""
    scores = np.einsum("...i,...ci->...c" if layer.ndim == 2 else "ni,cdi->ncd", x, layer) + linear_bias
    axis = 0 if x.ndim == 1 else 1
    logp = scores - np.log(np.exp(scores).sum(axis, keepdims=True))
    counted = target != ignore_index
    right = np.where(counted, target, 0)
    factors = (np.ones(len(layer)) if weight is None else weight)[right] * counted
    losses = -np.take_along_axis(logp, np.expand_dims(right, axis), axis).squeeze(axis) * factors
    even = -np.moveaxis(logp, axis, -1) @ (np.ones(len(layer)) if weight is None else weight) * counted / len(layer)
    return (losses * (1 - label_smoothing) + label_smoothing * even), factors


def mean_of_weights(*args, reduction="mean", **kwargs):
    losses, factors = linear_cross_entropy(*args, **kwargs)
    return losses if reduction == "none" else losses.sum() / (factors.sum() if reduction == "mean" else 1)


AFTER_A_LAYER = [
    row("linear_cross_entropy", *each_reduction(T(3, 2), T(4, 2), CLASSES),
        *each_reduction(T(3, 2), T(4, 2), CLASSES, linear_bias=T(4), weight=T(4, kind="positive", grad=False)),
        case(T(3, 2), T(4, 2), CLASSES, ignore_index=3, label_smoothing=0.2),
        case(T(2), T(4, 2), T(values=2, kind="int")),
        case(T(3, 2), T(4, 2, 2), T(values=[[0, 3], [1, 1], [2, 0]], kind="int"), linear_bias=T(4, 2)),
        numpy=mean_of_weights, node=False, bad=case(T(3, 2), T(4, 3), CLASSES),
        loops="nll_loss nll_loss2d nll_loss_backward"),
    row("linear_cross_entropy", case(T(3, 2), T(4, 2), T(3, 4, kind="unit")), node=False),
]

ROWS = AFTER_A_LAYER + DISTRIBUTIONS + MARGINS + BETWEEN_CLASSES
