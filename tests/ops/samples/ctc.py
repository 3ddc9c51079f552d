"""Sample rows of ctc_loss.

Its gradient is that with respect to the scores of which ``log_softmax`` made the input, so that finite differences of
the input do not give it: those are in test_ctc.py.
"""

import itertools

import numpy as np

from tests.ops.sampling import T, case, row


def log_probs(*shape):
    scores = np.random.default_rng(0).normal(size=shape)
    return T(values=(scores - np.log(np.exp(scores).sum(-1, keepdims=True))).tolist())


def reading(path, blank):
    """What is read of a path: repetitions and blanks are left out."""
    return [c for c, _ in itertools.groupby(path) if c != blank]


def loss_of(logp, text, blank):
    """The sum over all paths, one by one."""
    paths = itertools.product(range(logp.shape[1]), repeat=len(logp))
    found = [logp[range(len(logp)), path].sum() for path in paths if reading(path, blank) == list(text)]
    return -np.logaddexp.reduce(found) if found else np.inf


def ctc_loss(logp, targets, durations, lengths, blank=0, reduction="mean", zero_infinity=False):
    logp = logp if logp.ndim == 3 else logp[:, None]
    texts = ([row[:n] for row, n in zip(targets, lengths)] if targets.ndim == 2 else
             np.split(targets, np.cumsum(lengths)[:-1]))
    losses = np.array([loss_of(logp[:n, i], text, blank) for i, (n, text) in enumerate(zip(durations, texts))])
    if zero_infinity:
        losses[np.isinf(losses)] = 0
    reduction = reduction if isinstance(reduction, str) else ("none", "mean", "sum")[reduction]
    return (losses if reduction == "none" else losses.sum() if reduction == "sum" else
            (losses / np.maximum(lengths, 1)).mean())


PADDED = T(values=[[1, 2], [2, 2]], kind="int")
TOGETHER = T(values=[1, 2, 2], kind="int")

ROWS = [
    row("ctc_loss", *[case(log_probs(5, 2, 3), PADDED, (5, 4), (2, 2), reduction=reduction)
                      for reduction in ("mean", "sum", "none")],
        case(log_probs(5, 2, 3), TOGETHER, (5, 5), (1, 2), reduction="none"),
        case(log_probs(4, 2, 3), T(values=[[0, 1], [1, 0]], kind="int"), (4, 3), (2, 0), 2, "sum"),
        case(log_probs(4, 2, 3), PADDED, (1, 4), (2, 2), zero_infinity=True),
        where="nn.functional", numpy=ctc_loss, kink=True, gradgrad=False, node=False,
        bad=case(log_probs(5, 2, 3), PADDED, (6, 5), (2, 2))),
    row("ctc_loss", *[case(log_probs(5, 2, 3), PADDED, (5, 4), (2, 1), 0, reduction) for reduction in (0, 1, 2)],
        numpy=ctc_loss, kink=True, gradgrad=False, node=False, bad=case(log_probs(5, 2, 3), PADDED, (5, 5), (3, 2))),
]
