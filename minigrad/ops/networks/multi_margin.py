"""A margin between the classes of a sample: multi_margin_loss, multilabel_margin_loss, multilabel_soft_margin_loss.

The scores of a sample are a row.  The first two losses compare its right classes with its wrong ones, two at a time; a
class that is behind by the margin costs nothing.  ``..._slope`` is the gradient of a row's loss with respect to its
scores; that of ``multi_margin_slope`` is symmetric, since it is a second derivative, and PyTorch has none.

Neighbours: margin.py, classification.py (cross_entropy), loss.py (reductions).
"""

import numpy as np

from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad._core.kernels import table_of_networks as kernels
from minigrad._core.kernels.reductions.array_sums import total

from ..copying import to_copy, zeros_of
from ..elementwise.arithmetic import add
from ..elementwise.comparison import refuse
from ..elementwise.division import div
from ..composites import composite
from ..kinds import general, linear
from ..reductions.totals import sum_dim
from ..shapes.reshaping import reshape_to
from .loss import (FLOAT, NONE, binary_cross_entropy_with_logits_row, in_one_shape, reduce_loss, reduced,
                   reduction_number, share_of)
from ..arguments import must_be_tensors, own, scalar_name


def rows_and_targets(op, self, target):
    """The scores as a matrix; and what PyTorch requires of shapes and dtypes."""
    refuse(self, "biuc", op)
    if self.ndim > 2 or self.ndim and not self.shape[-1]:
        raise no_rows(op, self.shape)
    return self.reshape(-1, self.shape[-1]) if self.ndim else self.reshape(1, 1)


def check_class_numbers(op, target):
    """After the shapes, as in PyTorch."""
    if target.dtype != np.int64:
        raise not_class_numbers(op, target.dtype)


def at_rows_kernel(d, like):
    return d.reshape(-1, 1) if like.ndim == 2 and d.ndim else d


at_rows = linear("at_rows(Tensor d, Tensor like)", at_rows_kernel,
                 d=lambda t, d_shape: reshape_to(t, d_shape),
                 no_gradient=("like",), public=False,
                 doc="A number for each row, as a column beside the rows.")

# ------------------------------------------------------------------------------ one right class


def lacking(self, target, p, margin, weight):
    """What each class costs, but for the power, and the weights; 0 for the right class."""
    rows, target = rows_and_targets("multi_margin_loss", self, target), own(target)
    check_classes(self, rows, target, weight)
    target = target.reshape(-1)
    every = np.arange(len(rows))
    costs = np.asarray(margin - rows[every, target][:, None] + rows)
    costs[every, target] = 0
    costs = np.where(costs > 0, costs, rows.dtype.type(0))
    return costs, target, np.ones(len(rows), rows.dtype) if weight is None else weight[target]


def check_classes(self, rows, target, weight):
    classes = rows.shape[1]
    if target.ndim > 1 or target.size != len(rows):
        raise other_number_of_targets(len(rows), target.shape, self.shape)
    if weight is not None:
        if weight.shape[0] != classes:
            raise other_number_of_weights(classes, weight.shape)
        if weight.dtype != self.dtype:
            raise weights_of_another_dtype(self.dtype, weight.dtype)
    check_class_numbers("multi_margin_loss", target)
    if ((target < 0) | (target >= classes)).any():
        raise no_such_class("multi_margin_loss", classes)


def multi_margin_kernel(self, target, p, margin, weight, reduction):
    costs, _, weights = lacking(self, target, p, margin, weight)
    losses = total(np.where(costs > 0, weights[:, None] * costs**p, 0), (1,), False) / costs.shape[1]
    return reduced(losses.astype(self.dtype, copy=False).reshape(target.shape), reduction)


def multi_margin_slope_kernel(self, target, p, margin, weight):
    costs, target, weights = lacking(self, target, p, margin, weight)
    return of_each_pair(costs > 0, target, (weights / costs.shape[1])[:, None] * (1 if p == 1 else 2 * costs),
                        self.shape)


def of_each_pair(costly, target, slopes, shape):
    """The slopes of the wrong classes that cost something, and minus their sum for the right class."""
    slopes = np.where(costly, slopes, slopes.dtype.type(0))
    slopes[np.arange(len(slopes)), target] = -slopes.sum(1)
    return slopes.reshape(shape)


def multi_margin_curvature_kernel(d, self, target, p, margin, weight):
    """2 w / n times u[j] - u[y] for each pair that costs something: a symmetric matrix, applied to u."""
    costs, target, weights = lacking(self, target, p, margin, weight)
    if p == 1:
        return np.zeros_like(self)
    u = d.reshape(costs.shape)
    u = u - u[np.arange(len(u)), target][:, None]
    return of_each_pair(costs > 0, target, (2 * weights / costs.shape[1])[:, None] * u, self.shape)


PARAMETERS = "Tensor self, Tensor target, int p, Scalar margin, Tensor? weight"

multi_margin_curvature = general(
    f"multi_margin_curvature(Tensor d, {PARAMETERS})", multi_margin_curvature_kernel,
    d=lambda t, self, target, p, margin, weight: multi_margin_curvature(t, self, target, p, margin, weight),
    no_gradient=("self",), public=False,
    doc="The second derivatives, applied to ``d``.")

multi_margin_slope = general(
    f"multi_margin_slope({PARAMETERS})", multi_margin_slope_kernel,
    self=lambda d, self, target, p, margin, weight: multi_margin_curvature(d, self, target, p, margin, weight),
    public=False, fast=kernels.multi_margin_slope,
    doc="The gradient of the loss of each row.")

multi_margin_row = general(
    f"multi_margin_loss({PARAMETERS}, int reduction)", multi_margin_kernel,
    self=lambda d, self, target, p, margin, weight, reduction:
        multi_margin_slope(self, target, p, margin, weight) * at_rows(share_of(d, target, reduction), self),
    public=False, fast=kernels.multi_margin_loss,
    doc="What the right class lacks to the margin over each other class.")


@composite(types="Tensor Tensor int float Tensor? bool? bool? str", nn=True)
def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"):
    """What the right class lacks to a margin over each of the others, to the power of ``p`` (1 or 2).

    ``input`` has shape (N, C), ``target`` (N) with class numbers, or (C) and () without a batch. ``weight`` has one
    number for each class; the sum over the classes is divided by C.

    >>> scores = torch.tensor([[0.1, 0.2, 0.4, 0.8]])
    >>> torch.nn.functional.multi_margin_loss(scores, torch.tensor([3]))
    tensor(0.3250)
    """
    if not (isinstance(input, Tensor) and isinstance(target, Tensor)):
        raise must_be_tensors("multi_margin_loss", input=input, target=target)
    reduction = reduction_number("multi_margin_loss", reduction, size_average, reduce)
    if p not in (1, 2):
        raise error("MG207", f"multi_margin_loss: only p == 1 and p == 2 supported, but p is {p}")
    if weight is not None and weight.ndim != 1:
        raise error("MG207", f"multi_margin_loss: weight must be one-dimensional, but it has {weight.ndim} dims")
    return multi_margin_row(input, target, p, margin, weight, reduction)

# ------------------------------------------------------------------------------ several right classes


def labels(self, target):
    """The scores as rows, and how often each class is a label."""
    rows = rows_and_targets("multilabel_margin_loss", self, target)
    if target.shape != self.shape and not (self.ndim < 2 and target.ndim < 2 and target.size == self.size):
        raise other_target_size(target.shape, self.shape)
    check_class_numbers("multilabel_margin_loss", target)
    target = own(target).reshape(rows.shape)
    if ((target < -1) | (target >= rows.shape[1])).any():
        raise labels_out_of_range(rows.shape[1])
    counted = np.logical_and.accumulate(target >= 0, 1)
    often = np.zeros(rows.shape, np.intp)
    np.add.at(often, (np.nonzero(counted)[0], target[counted]), 1)
    return rows, often


def each_label(rows, often):
    """For each label of each row: both numbers, and what it lacks to the margin over each class that is not a label."""
    for i, (row, times) in enumerate(zip(rows, often)):
        others = times == 0
        for y in np.flatnonzero(times):
            costs = 1 - row[y] + row
            yield i, y, np.where(others & (costs > 0), costs, 0)


def multilabel_margin_kernel(self, target, reduction):
    rows, often = labels(self, target)
    losses = np.zeros(len(rows), rows.dtype)
    for i, y, costs in each_label(rows, often):
        losses[i] += often[i, y] * total(costs) / rows.shape[1]
    if reduction != NONE and not len(rows):
        return rows.dtype.type(0)           # PyTorch's mean of no rows
    return reduced(losses.reshape(self.shape[:-1]), reduction)


def multilabel_margin_slope_kernel(self, target):
    rows, often = labels(self, target)
    slopes = np.zeros_like(rows)
    for i, y, costs in each_label(rows, often):
        share = often[i, y] * (costs > 0) / rows.shape[1]
        slopes[i] += share.astype(rows.dtype)
        slopes[i, y] -= share.sum()
    return slopes.reshape(self.shape)


multilabel_margin_slope = general(
    "multilabel_margin_slope(Tensor self, Tensor target)", multilabel_margin_slope_kernel,
    self=lambda d: zeros_of(d),
    public=False, fast=kernels.multilabel_margin_slope,
    doc="The gradient of the loss of each row.")

multilabel_margin_row = general(
    "multilabel_margin_loss(Tensor self, Tensor target, int reduction)", multilabel_margin_kernel,
    self=lambda d, self, target, reduction:
        multilabel_margin_slope(self, target) * at_rows(share_of_rows(d, self, reduction), self),
    public=False, fast=kernels.multilabel_margin_loss,
    doc="What each label lacks to the margin over each class that is not a label.")


def number_of_rows(shape):
    return shape[0] if len(shape) == 2 else 1


share_of_rows = linear("share_of_rows(Tensor d, Tensor like, int reduction)",
                       lambda d, like, reduction: d / d.dtype.type(number_of_rows(like.shape)) if reduction == 1 else d,
                       d=lambda t, like, reduction: share_of_rows(t, like, reduction),
                       no_gradient=("like",), public=False, wide=True,
                       doc="The share of each row in the gradient of a reduced loss.")


@composite(types="Tensor Tensor bool? bool? str", nn=True)
def multilabel_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """What each right class lacks to a margin of 1 over each wrong one, where a sample has several right classes.

    Both tensors have shape (N, C) or (C). A row of ``target`` begins with the numbers of the right classes, and a
    negative number ends them.

    >>> scores, labels = torch.tensor([[0.1, 0.2, 0.4, 0.8]]), torch.tensor([[3, 0, -1, 1]])
    >>> torch.nn.functional.multilabel_margin_loss(scores, labels)
    tensor(0.8500)
    """
    if not (isinstance(input, Tensor) and isinstance(target, Tensor)):
        raise must_be_tensors("multilabel_margin_loss", input=input, target=target)
    reduction = reduction_number("multilabel_margin_loss", reduction, size_average, reduce)
    return multilabel_margin_row(input, target, reduction)


@composite(types="Tensor Tensor Tensor? bool? bool? str", nn=True)
def multilabel_soft_margin_loss(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    """``binary_cross_entropy_with_logits`` of each class, averaged over the classes, which are the last dim.

    >>> scores, target = torch.tensor([[0., 2.]]), torch.tensor([[1., 0.]])
    >>> torch.nn.functional.multilabel_soft_margin_loss(scores, target)
    tensor(1.4100)
    """
    if not isinstance(input, Tensor):
        raise must_be_tensors("multilabel_soft_margin_loss", input=input)
    reduction = reduction_number("multilabel_soft_margin_loss", reduction, size_average, reduce)
    if not input.ndim:
        raise no_classes()
    if not isinstance(target, Tensor):
        target = add(zeros_of(input), target)
    classes = input.shape[-1]
    if target.dtype.category < FLOAT:
        target = to_copy(target, input.dtype)
    both = in_one_shape("multilabel_soft_margin_loss", input, target, weight)
    losses = binary_cross_entropy_with_logits_row(both[0], both[1], both[2], None, NONE)
    losses = div(sum_dim(losses, input.ndim - 1), classes)
    return reduce_loss(losses, reduction)


# ------------------------------------------------------------------------------ errors


def no_rows(op, shape):
    return error("MG201", f"{op}: Expected non-empty vector or matrix with optional 0-dim batch size, but got: "
                          f"{list(shape)}")


def not_class_numbers(op, dtype):
    return error("MG202", f"{op}: expected scalar type Long but found {scalar_name(dtype)}: the target holds class "
                          "numbers, target.long()")


def other_number_of_targets(rows, target, input):
    return error("MG201", "multi_margin_loss: target tensor should be 1-D with size equal to the number of input "
                          f"samples (batch size). Expected target size [{rows}], but got {list(target)}. Input has "
                          f"shape {list(input)}.")


def other_number_of_weights(classes, weight):
    return error("MG201", f"multi_margin_loss: inconsistent weight size, expected {classes} but got {list(weight)}")


def weights_of_another_dtype(expected, found):
    return error("MG202", f"multi_margin_loss: expected scalar type {scalar_name(expected)} but found "
                          f"{scalar_name(found)}: convert the weight to the dtype of the input")


def no_such_class(op, classes):
    return error("MG204", f"{op}: target out of range. There are {classes} classes, numbered from 0")


def other_target_size(target, input):
    return error("MG201", f"multilabel_margin_loss: inconsistent target size: {list(target)} for input of size: "
                          f"{list(input)}")


def labels_out_of_range(classes):
    return error("MG204", f"multilabel_margin_loss: argument #2 'target' is out of range. There are {classes} classes, "
                          "numbered from 0, and -1 ends the labels of a row")


def no_classes():
    return error("MG203", "multilabel_soft_margin_loss: Dimension specified as -1 but tensor has no dimensions: the "
                          "last dim of the input is that of the classes")
