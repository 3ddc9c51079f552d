"""Connectionist temporal classification: ctc_loss, for texts that are shorter than what they are read from.

The loss is minus the logarithm of the probability of a text, summed over all ways in which characters and blanks can
be read as it; Note [The lattice of a text] in _core/kernels/networks/ctc_loss.pyx has the dynamic program.  Here it is
again, in NumPy.

The gradient is PyTorch's: that with respect to the scores of which ``log_softmax`` made the input.
Logarithms of probabilities that are made in another way get this gradient too.

Neighbours: classification.py (one class for each sample), loss.py (reductions).
"""

import numpy as np

from minigrad._core.devices.device_arrays import constant
from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad._core.kernels import table_of_networks as kernels
from minigrad.dtypes import int64

from ..copying import to_copy
from ..elementwise.comparison import refuse
from ..elementwise.division import div
from ..elementwise.piecewise import nan_to_num
from ..composites import composite
from ..kinds import general
from ..reductions.totals import mean_all, sum_all
from ..shapes.transposing import squeeze_dim, unsqueeze
from .loss import MEAN, NONE, SUM, check_reduction, reduction_number
from ..arguments import must_be_tensors, own

# ------------------------------------------------------------------------------ the lattice


def texts(log_probs, targets, input_lengths, target_lengths, blank):
    """The characters of each text with blanks around them, one after the other; raises where arguments do not fit."""
    if not log_probs.size:
        raise nothing_to_read(log_probs.shape)
    if log_probs.ndim != 3:
        raise log_probs_of_other_dims(log_probs.ndim)
    if not 1 <= targets.ndim <= 2:
        raise targets_of_other_dims(targets.ndim)
    refuse(log_probs, "biuc", "ctc_loss")
    times, n, characters = log_probs.shape
    if not 0 <= blank < characters:
        raise blank_out_of_range(blank, characters)
    targets = own(targets)
    for name, lengths in (("input_lengths", input_lengths), ("target_lengths", target_lengths)):
        if len(lengths) != n:
            raise other_number_of_lengths(name, len(lengths), n)
        if min(lengths) < 0:
            raise length_too_small(name, min(lengths))
    if max(input_lengths) > times:
        raise duration_too_long(times, max(input_lengths))
    if targets.ndim == 2:
        if targets.shape[0] != n:
            raise other_number_of_targets(n, targets.shape[0])
        if targets.shape[1] < max(target_lengths):
            raise targets_too_short(max(target_lengths), targets.shape[1])
        found = [row[:length] for row, length in zip(targets, target_lengths)]
    else:
        if targets.shape[0] != sum(target_lengths):
            raise other_number_of_targets(sum(target_lengths), targets.shape[0])
        found = np.split(targets, np.cumsum(target_lengths)[:-1])
    for text in found:
        if ((text < 0) | (text >= characters)).any():
            raise no_such_character(text, characters)
    return [with_blanks(text, blank) for text in found]


def with_blanks(text, blank):
    states = np.full(2 * len(text) + 1, blank, np.int64)
    states[1::2] = text
    return states


def log_sum(*terms):
    top = np.maximum.reduce(terms)
    top = np.where(top == -np.inf, 0, top)
    return top + np.log(sum([np.exp(each - top) for each in terms]))


def step(before, states):
    """The logarithm of the probability to come into each state from those of the time before."""
    blocked = np.array([-np.inf, -np.inf])
    past = np.concatenate((blocked, before[:-2]))[:len(before)]
    past[2:] = np.where(states[2:] != states[:-2], past[2:], -np.inf)
    return log_sum(before, np.concatenate((blocked[:1], before[:-1])), past)


def ctc_loss_kernel(log_probs, targets, input_lengths, target_lengths, blank, zero_infinity):
    found = texts(log_probs, targets, input_lengths, target_lengths, blank)
    times, n, _ = log_probs.shape
    alpha = np.full((n, times, max(map(len, found))), -np.inf, log_probs.dtype)
    losses = np.empty(n, log_probs.dtype)
    for i, (states, duration) in enumerate(zip(found, input_lengths)):
        if not duration:
            losses[i] = -0. if len(states) == 1 else np.inf
            continue
        paths = np.full(len(states), -np.inf)
        paths[:2] = log_probs[0, i, states[:2]]
        for t in range(duration):
            if t:
                paths = step(alpha[i, t - 1, :len(states)].astype(np.float64), states) + log_probs[t, i, states]
            alpha[i, t, :len(states)] = paths
        losses[i] = -log_sum(*alpha[i, duration - 1, :len(states)][-2:])
    return losses, alpha


def ctc_slopes_kernel(log_probs, targets, input_lengths, target_lengths, losses, alpha, blank, zero_infinity):
    found = texts(log_probs, targets, input_lengths, target_lengths, blank)
    slopes = np.zeros(log_probs.shape, log_probs.dtype)
    for i, (states, duration) in enumerate(zip(found, input_lengths)):
        if losses[i] == np.inf:
            slopes[:duration, i] = 0 if zero_infinity else np.nan
            continue
        rest = np.full(len(states), -np.inf)
        rest[-2:] = 0
        for t in range(duration - 1, -1, -1):
            before = alpha[i, t, :len(states)]
            share = np.where((before == -np.inf) | (rest == -np.inf), 0, np.exp(before + rest + losses[i]))
            slopes[t, i] = np.exp(log_probs[t, i])
            np.subtract.at(slopes[t, i], states, share.astype(slopes.dtype))
            rest = step((rest + log_probs[t, i, states])[::-1], states[::-1])[::-1]
    return slopes


def second_derivative(d):
    raise error("MG117", "ctc_loss: derivative for aten::_ctc_loss_backward is not implemented, here as in PyTorch: "
                         "the loss can be differentiated once")


ctc_slopes = general(
    "ctc_slopes(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, "
    "Tensor neg_log_likelihood, Tensor log_alpha, int blank, bool zero_infinity)", ctc_slopes_kernel,
    log_probs=second_derivative,
    no_gradient=("neg_log_likelihood", "log_alpha"), traceable=False, public=False,
    fast=kernels.ctc_slopes,
    doc="What the losses of the texts change by with the scores at each time, and 0 behind the end of an input.")

ctc_loss_row = general(
    "_ctc_loss(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, int blank, "
    "bool zero_infinity)", ctc_loss_kernel,
    log_probs=lambda d, log_probs, targets, input_lengths, target_lengths, neg_log_likelihood, log_alpha, blank,
    zero_infinity: unsqueeze(d, -1) * ctc_slopes(log_probs, targets, input_lengths, target_lengths,
                                                 neg_log_likelihood, log_alpha, blank, zero_infinity),
    outputs=("neg_log_likelihood", "log_alpha"), differentiable=("neg_log_likelihood",),
    renamed={"neg_log_likelihood": "result0", "log_alpha": "result1"},
    node="CtcLossBackward0", public=False, shown="ctc_loss", fast=kernels.ctc_loss,
    doc="Minus the log-probability of each text; and that of the beginnings of paths, for the gradient.")

# ------------------------------------------------------------------------------ the loss


def lengths_of(name, lengths):
    """A tensor of integers, or numbers in a list, as a tuple."""
    if isinstance(lengths, Tensor):
        if lengths.dtype.category > 1 or lengths.dtype.category < 1:
            raise lengths_not_integral(name)
        return tuple(lengths.reshape(-1).tolist())
    if not isinstance(lengths, (tuple, list)) or not all([type(length) is int for length in lengths]):
        raise lengths_of_another_type(name, lengths)
    return tuple(lengths)


def read(log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity):
    if not (isinstance(log_probs, Tensor) and isinstance(targets, Tensor)):
        raise must_be_tensors("ctc_loss", log_probs=log_probs, targets=targets)
    if isinstance(input_lengths, Tensor) is not isinstance(target_lengths, Tensor):
        raise lengths_of_two_types()
    input_lengths = lengths_of("input_lengths", input_lengths)
    target_lengths = lengths_of("target_lengths", target_lengths)
    if targets.dtype is not int64:
        targets = to_copy(targets, int64)
    batched = log_probs.ndim == 3
    losses = ctc_loss_row(log_probs if batched else unsqueeze(log_probs, 1), targets, input_lengths, target_lengths,
                          blank, bool(zero_infinity))[0]
    if zero_infinity:
        losses = nan_to_num(losses, NAN, 0.0, -INFINITY)
    if reduction == MEAN:
        characters = np.array([max(length, 1) for length in target_lengths]).astype(losses.dtype.numpy)
        return mean_all(div(losses, constant(characters, losses)))
    if reduction == SUM:
        return sum_all(losses)
    return losses if batched else squeeze_dim(losses, 0)


INFINITY, NAN = float("inf"), float("nan")


@composite(types="Tensor Tensor Any Any int int bool", method=False, out=False)
def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction=NONE, zero_infinity=False):
    """``nn.functional.ctc_loss``, with the reduction as a number: 0 is none, 1 the mean, 2 the sum.

    >>> log_probs = torch.full((2, 1, 2), 0.5).log()
    >>> torch.ctc_loss(log_probs, torch.tensor([[1]]), [2], [1])
    tensor([0.2877])
    """
    reduction = check_reduction("ctc_loss", reduction)
    return read(log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity)


@composite(name="ctc_loss", types="Tensor Tensor Any Any int str bool", nn=True)
def functional_ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean",
                        zero_infinity=False):
    """Minus the log-probability of texts, over all ways in which repeated characters and blanks are read as them.

    ``log_probs`` has shape (T, N, C), for T times, N texts and C characters with the blank, or (T, C); it is the result
    of ``log_softmax``, and the gradient is made for that (Graves et al., Connectionist temporal classification, 2006).
    ``targets`` has shape (N, S), or is all texts one after the other. The lengths are tensors or tuples. The mean
    divides by the lengths of the texts first; ``zero_infinity`` lets texts that are too long for their input cost
    nothing.

    >>> log_probs = torch.full((3, 1, 3), 1 / 3).log()        # 5 of 27 ways are read as "1, 2"
    >>> torch.nn.functional.ctc_loss(log_probs, torch.tensor([[1, 2]]), (3,), (2,), reduction="none").exp()
    tensor([5.4000])
    """
    return read(log_probs, targets, input_lengths, target_lengths, blank, reduction_number("ctc_loss", reduction),
                zero_infinity)


# ------------------------------------------------------------------------------ errors


def nothing_to_read(shape):
    return error("MG204", f"ctc_loss: log_probs tensor must not be empty, but its shape is {list(shape)}")


def log_probs_of_other_dims(ndim):
    return error("MG201", f"ctc_loss: Expected 3-dimensional tensor, but got {ndim}-dimensional tensor for argument #1 "
                          "'log_probs': its dims are time, batch and character")


def targets_of_other_dims(ndim):
    return error("MG201", f"ctc_loss: Expected 1 to 2 dimensions, but got {ndim}-dimensional tensor for argument #2 "
                          "'targets': a text in each row, or all texts one after the other")


def blank_out_of_range(blank, characters):
    return error("MG204", f"ctc_loss: blank must be in label range: it is {blank}, and there are {characters} "
                          "characters, numbered from 0")


def other_number_of_lengths(name, lengths, n):
    return error("MG201", f"ctc_loss: {name} must be of size batch_size: there are {lengths} lengths and {n} texts")


def length_too_small(name, length):
    return error("MG204", f"ctc_loss: Expected {name} to have value at least 0, but got value {length}")


def duration_too_long(times, length):
    return error("MG204", f"ctc_loss: Expected input_lengths to have value at most {times}, but got value {length}: "
                          "log_probs is not longer")


def other_number_of_targets(expected, found):
    return error("MG201", f"ctc_loss: Expected tensor to have size {expected} at dimension 0, but got size {found} for "
                          "argument #2 'targets'")


def targets_too_short(expected, found):
    return error("MG201", f"ctc_loss: Expected tensor to have size at least {expected} at dimension 1, but got size "
                          f"{found} for argument #2 'targets'")


def no_such_character(text, characters):
    return error("MG206", f"ctc_loss: a target is out of range: {text.tolist()}, where there are {characters} "
                          "characters, numbered from 0")


def lengths_not_integral(name):
    return error("MG202", f"ctc_loss: {name} must be integral")


def lengths_of_another_type(name, lengths):
    return error("MG205", f"ctc_loss(): argument '{name}' must be tuple of ints, or a tensor of integers, not "
                          f"{type(lengths).__name__}")


def lengths_of_two_types():
    return error("MG205", "ctc_loss() received an invalid combination of arguments: input_lengths and target_lengths "
                          "are both tensors, or both tuples of ints")
