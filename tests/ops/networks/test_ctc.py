"""ctc_loss where the samples do not reach: its gradient through log_softmax, edges, transforms, wrong arguments."""

import math

import numpy as np
import pytest

import minigrad
from minigrad._core.dispatch.compute import on_arrays_general, on_arrays_in_c
from minigrad.nn import functional as F
from minigrad.ops.exports import ROWS
from tests.checking import of_kernels, refuses

TARGETS = minigrad.tensor([[1, 2], [2, 2]])


def scores(*shape, dtype=minigrad.float64):
    return minigrad.tensor(np.random.default_rng(1).normal(size=shape), dtype=dtype, requires_grad=True)


def loss(x, targets=TARGETS, durations=(5, 4), lengths=(2, 2), **options):
    return F.ctc_loss(x.log_softmax(-1), targets, durations, lengths, **options)


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
def test_the_gradient_with_respect_to_the_scores(reduction):
    x = scores(5, 2, 3)
    assert minigrad.autograd.gradcheck(lambda x: loss(x, reduction=reduction), x, check_forward_ad=True)
    with refuses(RuntimeError, "derivative for aten::_ctc_loss_backward is not implemented", "MG117"):
        (g,) = minigrad.autograd.grad(loss(x), x, create_graph=True)
        minigrad.autograd.grad(g.sum(), x)


def test_texts_in_rows_and_one_after_the_other_are_the_same():
    x = scores(6, 3, 4)
    rows = loss(x, minigrad.tensor([[1, 2, 3], [3, 0, 0], [1, 1, 0]]), (6, 5, 4), (3, 1, 2), reduction="none")
    together = loss(x, minigrad.tensor([1, 2, 3, 3, 1, 1]), minigrad.tensor([6, 5, 4]), minigrad.tensor([3, 1, 2]),
                    reduction="none")
    alone = [loss(x[:, i], minigrad.tensor(text), (n,), (len(text),), reduction="none")
             for i, (text, n) in enumerate([([1, 2, 3], 6), ([3], 5), ([1, 1], 4)])]
    assert minigrad.equal(rows, together) and minigrad.allclose(rows, minigrad.stack(alone)) and alone[0].ndim == 0


def test_any_layout_and_many_texts_at_once():
    x = scores(40, 70, 30)
    targets = minigrad.tensor(np.random.default_rng(2).integers(1, 30, (70, 9)))
    plain = loss(x, targets, (40,) * 70, (9,) * 70, reduction="none")
    turned = loss(x.detach().transpose(0, 2).contiguous().transpose(0, 2), targets, (40,) * 70, (9,) * 70,
                  reduction="none")
    assert minigrad.allclose(plain, turned)
    (all_of_them,) = minigrad.autograd.grad(plain.sum(), x)
    (one,) = minigrad.autograd.grad(loss(x[:, 7:8], targets[7:8], (40,), (9,), reduction="sum"), x)
    assert minigrad.allclose(all_of_them[:, 7], one[:, 7]) and all_of_them.sum(-1).abs().max() < 1e-12


def test_a_text_that_cannot_be_read_costs_infinity_or_nothing():
    x = scores(5, 2, 3)
    assert loss(x, durations=(1, 5), reduction="none")[0] == math.inf
    zero = loss(x, durations=(1, 5), reduction="none", zero_infinity=True)
    assert zero[0] == 0 and zero[1] > 0
    (g,) = minigrad.autograd.grad(zero.sum(), x)
    assert g[:, 0].count_nonzero() == 0 and g[:, 1].count_nonzero() > 0
    (g,) = minigrad.autograd.grad(loss(x, durations=(1, 5), reduction="sum"), x)
    assert g[0, 0].isnan().all() and g[1:, 0].count_nonzero() == 0


def test_empty_texts_and_inputs():
    x = scores(5, 2, 3).detach().log_softmax(-1)
    blanks = F.ctc_loss(x, TARGETS, (5, 3), (0, 0), reduction="none")
    assert minigrad.allclose(blanks, -minigrad.stack([x[:, 0, 0].sum(), x[:3, 1, 0].sum()]))
    assert F.ctc_loss(x, TARGETS, (0, 0), (0, 1), reduction="none").tolist() == [0, math.inf]


def test_a_probability_of_zero_has_no_nan_in_its_gradient():
    log_probs = minigrad.tensor([[[0.5, 0.5, 0.]]] * 3).log().requires_grad_()
    y = F.ctc_loss(log_probs, minigrad.tensor([[1]]), (3,), (1,), reduction="sum")
    assert y.item() == pytest.approx(-math.log(6 / 8))
    assert minigrad.autograd.grad(y, log_probs)[0].isfinite().all()


def test_nan_stays_nan():
    x = scores(5, 2, 3).detach().log_softmax(-1)
    x[2, 0, 1] = math.nan
    found = F.ctc_loss(x, TARGETS, (5, 5), (2, 2), reduction="none")
    assert found[0].isnan() and not found[1].isnan()


def test_single_precision_and_16_bits():
    exact = loss(scores(5, 2, 3))
    assert loss(scores(5, 2, 3, dtype=minigrad.float32)).item() == pytest.approx(exact.item(), rel=1e-6)
    half = loss(scores(5, 2, 3, dtype=minigrad.float16))
    assert half.dtype is minigrad.float16 and half.item() == pytest.approx(exact.item(), rel=5e-3)


def test_vmap_and_func():
    x = scores(4, 5, 2, 3).detach()
    each = minigrad.func.vmap(minigrad.func.grad(loss))(x)
    assert minigrad.allclose(each[2], minigrad.func.grad(loss)(x[2]))


@pytest.mark.parametrize("changes, phrase, code", [
    (dict(durations=(6, 5)), "Expected input_lengths to have value at most 5, but got value 6", "MG204"),
    (dict(durations=(5, -1)), "Expected input_lengths to have value at least 0, but got value -1", "MG204"),
    (dict(lengths=(3, 2)), "Expected tensor to have size at least 3 at dimension 1, but got size 2", "MG201"),
    (dict(lengths=(2,)), "target_lengths must be of size batch_size", "MG201"),
    (dict(targets=TARGETS[0]), "Expected tensor to have size 4 at dimension 0, but got size 2", "MG201"),
    (dict(blank=3), "blank must be in label range", "MG204"),
    (dict(durations=minigrad.tensor([5., 4.]), lengths=minigrad.tensor([2, 2])), "input_lengths must be integral",
     "MG202"),
])
def test_wrong_arguments(changes, phrase, code):
    with refuses(RuntimeError, phrase, code):
        loss(scores(5, 2, 3), **changes)


def test_targets_out_of_range_are_refused_but_padding_is_not():
    with refuses(IndexError, "a target is out of range", "MG206"):
        loss(scores(5, 2, 3), minigrad.tensor([[1, 3], [1, 1]]))
    assert loss(scores(5, 2, 3), minigrad.tensor([[1, 99], [1, 1]]), lengths=(1, 2)).isfinite()     # padding


def test_targets_of_32_bits_are_the_same_targets(torch):
    generator = np.random.default_rng(0)
    scores = torch.tensor(generator.standard_normal((5, 2, 4))).log_softmax(2).requires_grad_()
    lengths = torch.tensor([5, 4]), torch.tensor([2, 1])
    losses = []
    for dtype in (torch.int32, torch.int64):
        loss = torch.nn.functional.ctc_loss(scores, torch.tensor([[1, 2], [2, 3]], dtype=dtype), *lengths)
        losses.append((loss.item(), *torch.autograd.grad(loss, scores)[0].flatten().tolist()))
    assert losses[0] == pytest.approx(losses[1], abs=1e-15)


@of_kernels
def test_a_kernel_in_c_reads_no_further_than_the_arrays_go():
    """Of two texts in an alphabet of four, in five steps of time."""
    loss, slopes = ROWS["_ctc_loss"], ROWS["ctc_slopes"]
    scores, targets = np.full((5, 2, 4), np.log(0.25)), np.array([[1, 2], [2, 3]])
    losses, alpha = on_arrays_in_c(loss, scores, targets, (5, 5), (2, 2), 0, False)
    right = [scores, targets, (5, 5), (2, 2), losses, alpha, 0, False]
    assert np.allclose(on_arrays_in_c(slopes, *right), on_arrays_general(slopes, *right), rtol=1e-13)
    for place, wrong in ((1, targets.astype(np.int32)), (1, targets - 2), (1, targets + 1), (2, (5, 6)), (2, (5, -1)),
                         (3, (2, 3)), (3, (2, -1)), (3, (2,)), (4, losses[:1]), (4, losses[:, None]),
                         (5, alpha[:1].copy()), (5, alpha[:, :4].copy()), (5, alpha[..., :4].copy()),
                         (5, alpha.astype(np.float32))):
        changed = [wrong if k == place else x for k, x in enumerate(right)]
        assert on_arrays_in_c(slopes, *changed) is None, (place, wrong)
        if place < 4:
            assert on_arrays_in_c(loss, *changed[:4], 0, False) is None, (place, wrong)
