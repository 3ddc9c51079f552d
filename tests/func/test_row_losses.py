"""The batch rules of losses of rows and texts: a large example instead of many, and the same gradients."""

import warnings

import numpy as np
import pytest

import minigrad
from minigrad.func import grad, vmap
from minigrad.nn import functional as F

RNG = np.random.default_rng(5)
SCORES = minigrad.tensor(RNG.normal(size=(4, 3, 5)))
CLASSES, LABELS = minigrad.tensor(RNG.integers(0, 5, (4, 3))), minigrad.tensor(RNG.integers(-1, 5, (4, 3, 5)))
TEXTS = minigrad.tensor(RNG.normal(size=(4, 6, 2, 5))).log_softmax(-1)
TARGETS = minigrad.tensor(RNG.integers(1, 5, (4, 2, 3)))


def read(x, targets, reduction):
    return F.ctc_loss(x, targets, (6, 5), (3, 2), reduction=reduction)


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize("loss, x, target", [
    (F.multi_margin_loss, SCORES, CLASSES), (F.multilabel_margin_loss, SCORES, LABELS), (read, TEXTS, TARGETS),
    (F.multi_margin_loss, SCORES[:, 0], CLASSES[:, 0]), (F.multilabel_margin_loss, SCORES[:, 0], LABELS[:, 0])])
def test_many_examples_are_one_large_example(loss, x, target, reduction):
    def function(a, b):
        return loss(a, b, reduction=reduction)

    def slope(a, b):
        return grad(lambda a: (function(a, b) * (1 + function(a, b).detach())).sum())(a)

    with warnings.catch_warnings():
        warnings.simplefilter("error")          # of examples that are computed one after the other
        for each in (function, slope):
            together, shared = vmap(each)(x, target), vmap(each, in_dims=(0, None))(x, target[1])
            assert minigrad.allclose(together, minigrad.stack([each(a, b) for a, b in zip(x, target)]))
            assert minigrad.allclose(shared, minigrad.stack([each(a, target[1]) for a in x]))
