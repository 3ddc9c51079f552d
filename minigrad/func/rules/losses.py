"""Map a loss: all elements first, as for one large example, and then the reduction for each example."""

from math import prod

import numpy as np

from minigrad._core.graph import wrap
from minigrad.ops.elementwise.arithmetic import neg
from minigrad.ops.elementwise.division import div
from minigrad.ops.elementwise.comparison import ne
from minigrad.ops.networks.classification import nll_loss2d_row, nll_loss_backward, nll_loss_row
from minigrad.ops.networks.loss import MEAN, NONE, share_of
from minigrad.ops.reductions.totals import mean_dim, sum_dim
from minigrad.ops.shapes.broadcasting import expand
from minigrad.ops.shapes.reshaping import reshape_to

from .along_dims import all_behind
from .elementwise import align
from .batch_rule import front, in_rows, rank_of, ranked, rule, shape_of


def compared(op, mapped, payloads, size):
    """A loss that compares two tensors element by element: any row with a ``reduction`` and without a rule of its
    own."""
    at = op.positions["reduction"]
    reduction = payloads[at]
    # The rows do not sum gradients to the shape of a broadcast argument; expand, which is recorded, does.
    rank = max([rank_of(x, m) for x, m in zip(payloads[:2], mapped)])
    pair = [ranked(front(x, m, size), rank) for x, m in zip(payloads[:2], mapped)]
    shape = np.broadcast_shapes(*[tuple(x.shape) for x in pair])
    pair = [expand(x, shape) for x in pair]
    losses = align(op, [True, True, *mapped[2:]], [*pair, *payloads[2:at], NONE, *payloads[at + 1:]], size)
    if reduction == NONE or losses.ndim == 1:
        return losses
    return (mean_dim if reduction == MEAN else sum_dim)(losses, all_behind(losses.ndim - 1))


@rule(share_of)
def share(op, mapped, payloads, size):
    grad, like, reduction = payloads
    grad = front(grad, mapped[0], size)
    return div(grad, prod(shape_of(like, mapped[1]))) if reduction == MEAN else grad


# ------------------------------------------------------------------------------ classification

# All examples become one batch of samples (batch, classes, rest): an example of shape (C) is one sample, an example of
# shape (N, C, ...) is N samples.  The mean over an example divides by the sum of the weights of its targets.

def together(shape, size):
    """The shape of one batch with the samples of all examples of this shape."""
    return (size, *shape) if len(shape) == 1 else (size * shape[0], *shape[1:])


def shaped(x, shape):
    return x if tuple(x.shape) == shape else reshape_to(x, shape)


def weights(target, weight, ignore_index, dtype, size):
    """The total weight of the targets, for each example."""
    counted = ne(target, ignore_index)
    if weight is not None:
        flat = reshape_to(target, (prod(target.shape),))
        ones = wrap(np.ones((flat.shape[0], weight.shape[0]), dtype.numpy))
        counted = neg(nll_loss_row(ones, flat, weight, NONE, ignore_index))
    return counted if target.ndim == 1 else sum_dim(in_rows(reshape_to(counted, tuple(target.shape)), size), 1)


def fits(shape, wanted):
    """Is there one target for each sample?"""
    if len(shape) == 1:
        return wanted in ((), (1,))
    return bool(shape) and wanted == shape[:1] + shape[2:]


@rule(nll_loss_row, nll_loss2d_row)
def picked(op, mapped, payloads, size):
    x, target, weight, reduction, ignore_index = payloads
    shape, wanted = shape_of(x, mapped[0]), shape_of(target, mapped[1])
    if mapped[2] or not fits(shape, wanted):
        return None
    x, target = front(x, mapped[0], size), front(target, mapped[1], size)
    flat = together(shape, size)
    losses = op(shaped(x, flat), shaped(target, flat[:1] + flat[2:]), weight, NONE, ignore_index)
    if reduction == NONE:
        return shaped(losses, (size, *wanted))
    total = losses if len(shape) == 1 else sum_dim(reshape_to(losses, (size, prod(wanted))), 1)
    return div(total, weights(target, weight, ignore_index, x.dtype, size)) if reduction == MEAN else total


@rule(nll_loss_backward)
def picked_backward(op, mapped, payloads, size):
    grad, target, weight, shape, reduction, ignore_index = payloads
    if mapped[2]:
        return None
    grad, target = front(grad, mapped[0], size), front(target, mapped[1], size)
    if reduction == MEAN:
        grad = div(grad, weights(target, weight, ignore_index, grad.dtype, size))
    flat = together(shape, size)
    if reduction != NONE and len(shape) > 1:
        grad = expand(ranked(grad, target.ndim - 1), tuple(target.shape))
    samples = flat[:1] + flat[2:]
    out = op(shaped(grad, samples), shaped(target, samples), weight, flat, NONE, ignore_index)
    return shaped(out, (size, *shape))
