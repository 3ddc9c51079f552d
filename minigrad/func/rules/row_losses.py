"""Map the losses of rows of scores, and of texts: the rows of all examples are the rows of one large example.

An example without a batch of its own is one row.  Means and sums are taken afterwards, for each example.
"""

from minigrad.ops.elementwise.division import div
from minigrad.ops.networks.ctc import ctc_loss_row, ctc_slopes
from minigrad.ops.networks.loss import MEAN, NONE
from minigrad.ops.networks.multi_margin import (at_rows, multi_margin_curvature, multi_margin_row, multi_margin_slope,
                                                multilabel_margin_row, multilabel_margin_slope, number_of_rows,
                                                share_of_rows)
from minigrad.ops.reductions.totals import mean_dim, sum_dim
from minigrad.ops.shapes.reshaping import reshape_to
from minigrad.ops.shapes.transposing import transpose

from .batch_rule import front, rank_of, rule, shape_of

# ------------------------------------------------------------------------------ margins between classes


def all_rows(x, mapped, size):
    """The rows of all examples, as a matrix."""
    shape = shape_of(x, mapped)
    return reshape_to(front(x, mapped, size), (size * number_of_rows(shape), shape[-1]))


def numbers_of_all_rows(x, mapped, size):
    """The class numbers of all examples, one for each row."""
    count = x.numel() if mapped else x.numel() * size
    return reshape_to(front(x, mapped, size), (count,))


def reduced(losses, rows, shape, reduction, size):
    """The losses in the shape of an example, or their mean or sum."""
    if reduction == NONE:
        return reshape_to(losses, (size, *shape))
    return (mean_dim if reduction == MEAN else sum_dim)(reshape_to(losses, (size, rows)), (1,))


def one_target_each(x, target, mapped):
    """Has each row of an example one target, and is there a row?"""
    shape, wanted = shape_of(x, mapped[0]), shape_of(target, mapped[1])
    return wanted == shape[:1] if len(shape) == 2 else len(shape) == 1 and wanted in ((), (1,))


@rule(multi_margin_row)
def multi_margin(op, mapped, payloads, size):
    x, target, p, margin, weight, reduction = payloads
    if mapped[4] or not one_target_each(x, target, mapped):
        return None
    losses = op(all_rows(x, mapped[0], size), numbers_of_all_rows(target, mapped[1], size), p, margin, weight, NONE)
    rows = number_of_rows(shape_of(x, mapped[0]))
    return reduced(losses, rows, shape_of(target, mapped[1]), reduction, size)


@rule(multi_margin_slope)
def multi_margin_slopes(op, mapped, payloads, size):
    x, target, p, margin, weight = payloads
    if mapped[4] or not one_target_each(x, target, mapped):
        return None
    slopes = op(all_rows(x, mapped[0], size), numbers_of_all_rows(target, mapped[1], size), p, margin, weight)
    return reshape_to(slopes, (size, *shape_of(x, mapped[0])))


@rule(multi_margin_curvature)
def multi_margin_curvatures(op, mapped, payloads, size):
    d, x, target, p, margin, weight = payloads
    if mapped[5] or not one_target_each(x, target, mapped[1:]):
        return None
    found = op(all_rows(d, mapped[0], size), all_rows(x, mapped[1], size), numbers_of_all_rows(target, mapped[2], size),
               p, margin, weight)
    return reshape_to(found, (size, *shape_of(x, mapped[1])))


@rule(multilabel_margin_row)
def multilabel_margin(op, mapped, payloads, size):
    x, target, reduction = payloads
    shape = shape_of(x, mapped[0])
    if not shape or shape_of(target, mapped[1]) != shape:
        return None
    losses = op(all_rows(x, mapped[0], size), all_rows(target, mapped[1], size), NONE)
    return reduced(losses, number_of_rows(shape), shape[:-1], reduction, size)


@rule(multilabel_margin_slope)
def multilabel_margin_slopes(op, mapped, payloads, size):
    x, target = payloads
    shape = shape_of(x, mapped[0])
    if not shape or shape_of(target, mapped[1]) != shape:
        return None
    return reshape_to(op(all_rows(x, mapped[0], size), all_rows(target, mapped[1], size)), (size, *shape))


@rule(share_of_rows)
def shares(op, mapped, payloads, size):
    d, like, reduction = payloads
    d = front(d, mapped[0], size)
    return div(d, number_of_rows(shape_of(like, mapped[1]))) if reduction == MEAN else d


@rule(at_rows)
def columns(op, mapped, payloads, size):
    d, like = payloads
    d, ndim = front(d, mapped[0], size), len(shape_of(like, mapped[1]))
    return reshape_to(d, (*d.shape, 1)) if ndim == 2 and d.ndim == 2 else d

# ------------------------------------------------------------------------------ texts


def all_texts(log_probs, targets, mapped, size):
    """The texts of all examples, beside each other: (T, N * size, C), and their targets."""
    times, n, characters = shape_of(log_probs, mapped[0])
    log_probs = transpose(front(log_probs, mapped[0], size), 0, 1)
    targets = front(targets, mapped[1], size)
    together = (size * n, targets.shape[2]) if targets.ndim == 3 else (targets.numel(),)
    return reshape_to(log_probs, (times, size * n, characters)), reshape_to(targets, together)


def fits(log_probs, targets, mapped):
    """Are there texts?  Wrong arguments are left to the row, which is given one example after the other."""
    ranks = rank_of(log_probs, mapped[0]), rank_of(targets, mapped[1])
    return log_probs.numel() and ranks in ((3, 1), (3, 2))


def apart(x, size):
    """The texts in the first dim, by example."""
    return reshape_to(x, (size, x.shape[0] // size, *x.shape[1:]))


@rule(ctc_loss_row)
def read(op, mapped, payloads, size):
    log_probs, targets, durations, lengths, blank, zero_infinity = payloads
    if not fits(log_probs, targets, mapped):
        return None
    found = op(*all_texts(log_probs, targets, mapped, size), durations * size, lengths * size, blank, zero_infinity)
    return type(found)(*[apart(each, size) for each in found])


@rule(ctc_slopes)
def slopes_of_texts(op, mapped, payloads, size):
    log_probs, targets, durations, lengths, losses, alpha, blank, zero_infinity = payloads
    losses, alpha = front(losses, mapped[4], size), front(alpha, mapped[5], size)
    slopes = op(*all_texts(log_probs, targets, mapped, size), durations * size, lengths * size,
                reshape_to(losses, (losses.numel(),)),
                reshape_to(alpha, (losses.numel(), *alpha.shape[2:])), blank, zero_infinity)
    times, n, characters = shape_of(log_probs, mapped[0])
    return transpose(reshape_to(slopes, (times, size, n, characters)), 0, 1)
