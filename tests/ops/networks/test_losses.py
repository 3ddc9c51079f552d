"""Losses where the samples do not reach: older arguments, dtypes, shapes, infinities, and what the errors say."""

import math
import warnings

import pytest

import minigrad
from minigrad.nn import functional as F
from tests.checking import refuses

inf, nan = math.inf, math.nan
x, y = minigrad.tensor([0.5, 0.25]), minigrad.tensor([1., -1.])


# ------------------------------------------------------------------------------ reductions


@pytest.mark.parametrize("size_average, reduce, same_as", [
    (True, None, "mean"), (False, None, "sum"), (None, False, "none"), (None, True, "mean"), (False, False, "none"),
    (0, 1, "sum")])
def test_the_older_arguments_mean_the_same_and_warn(size_average, reduce, same_as):
    for loss in (F.hinge_embedding_loss, F.soft_margin_loss, F.mse_loss, F.poisson_nll_loss):
        with pytest.warns(UserWarning, match=f"please use reduction='{same_as}' instead"):
            found = loss(x, y, size_average=size_average, reduce=reduce)
        assert minigrad.equal(found, loss(x, y, reduction=same_as))


def test_the_name_that_the_mean_once_had():
    with pytest.warns(UserWarning, match="reduction='elementwise_mean' is deprecated"):
        assert F.soft_margin_loss(x, y, reduction="elementwise_mean") == F.soft_margin_loss(x, y)


def test_numbers_for_reductions():
    for loss in (minigrad.kl_div, minigrad.hinge_embedding_loss, minigrad.binary_cross_entropy_with_logits):
        none, mean, total, other = [loss(x, y.abs(), reduction=number) for number in (0, 1, 2, 7)]
        assert minigrad.equal(none, other) and minigrad.equal(none, loss(x, y.abs()))
        assert minigrad.allclose(none.mean(), mean) and minigrad.allclose(none.sum(), total)
    with refuses(TypeError, "argument 'reduction' must be int, not str", "MG205"):
        minigrad.kl_div(x, y, "mean")


def test_kl_div_warns_of_its_mean_and_of_nothing_else():
    with pytest.warns(UserWarning, match="'batchmean' divides only by the batch size"):
        F.kl_div(x, y.abs())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for reduction in ("batchmean", "sum", "none"):
            F.kl_div(x, y.abs(), reduction=reduction)
    assert F.kl_div(minigrad.tensor(1.), minigrad.tensor(2.), reduction="batchmean").ndim == 0


# ------------------------------------------------------------------------------ scores and probabilities


def test_infinite_targets_have_infinite_losses_and_slopes():
    scores = minigrad.tensor([2., -2., 2., 1000.], requires_grad=True)
    target = minigrad.tensor([inf, inf, -inf, inf])
    losses = F.binary_cross_entropy_with_logits(scores, target, reduction="none")
    assert losses.tolist() == [-inf, inf, inf, -inf]
    assert minigrad.autograd.grad(losses.sum(), scores)[0].tolist() == [-inf, -inf, inf, -inf]


def test_a_right_answer_keeps_the_digits_of_its_loss_and_slope():
    score = minigrad.tensor(40., dtype=minigrad.float64, requires_grad=True)
    loss = F.binary_cross_entropy_with_logits(score, minigrad.ones_like(score))
    assert loss.item() == pytest.approx(math.exp(-40), rel=1e-12)
    assert minigrad.autograd.grad(loss, score)[0].item() == pytest.approx(-math.exp(-40), rel=1e-12)


def test_losses_with_logits_have_the_dtype_of_the_target():
    assert F.binary_cross_entropy_with_logits(x, y.double().abs()).dtype is minigrad.float64
    assert F.binary_cross_entropy_with_logits(x.double(), y.abs()).dtype is minigrad.float32
    with refuses(RuntimeError, "result type Float can't be cast to the desired output type Long", "MG202"):
        F.binary_cross_entropy_with_logits(x, y.long())


def test_a_weight_may_not_be_larger_than_the_probabilities():
    with refuses(RuntimeError, "doesn't match the broadcast shape [3, 2]", "MG201"):
        F.binary_cross_entropy(x, y.abs(), minigrad.ones(3, 2))


# ------------------------------------------------------------------------------ differences


def test_bools_as_targets_have_a_backward_pass():
    for loss in (F.mse_loss, F.smooth_l1_loss, F.huber_loss):
        a = x.clone().requires_grad_()
        (g,) = minigrad.autograd.grad(loss(a, minigrad.tensor([True, False])), a)
        (h,) = minigrad.autograd.grad(loss(a, minigrad.tensor([1., 0.])), a)
        assert minigrad.equal(g, h)


def test_huber_loss_keeps_the_dtype_of_its_input():
    assert F.huber_loss(x, y.double()).dtype is minigrad.float32
    with refuses(RuntimeError, "can't be cast to the desired output type Long", "MG202"):
        F.huber_loss(x.long(), y)


@pytest.mark.filterwarnings("ignore:Using a target size")
def test_a_weight_has_the_shape_of_the_input_before_it_is_broadcast():
    one = minigrad.tensor([0.5])
    assert F.mse_loss(one, y, weight=minigrad.tensor([2.]), reduction="none").tolist() == [0.5, 4.5]
    with refuses(ValueError, "Weights and input must have the same size", "MG207"):
        F.l1_loss(one, y, weight=minigrad.tensor([2., 1.]))


# ------------------------------------------------------------------------------ classes


def test_one_sample_and_its_target_in_brackets():
    logp = minigrad.tensor([-1., -2.])
    assert F.nll_loss(logp, minigrad.tensor([1]), reduction="none").shape == ()
    with refuses(ValueError, "For 1D input, 1D target must have size 1", "MG207"):
        F.nll_loss(logp, minigrad.tensor([1, 0, 1]))


def test_a_target_in_the_shape_of_the_scores_holds_probabilities():
    with refuses(RuntimeError, "Expected floating point type for target with class probabilities, got Long", "MG202"):
        F.cross_entropy(minigrad.zeros(2, 2), minigrad.tensor([[0, 1], [1, 0]]))
    with refuses(RuntimeError, "weight tensor should be defined either for all 2 classes", "MG204"):
        F.cross_entropy(minigrad.zeros(2, 2), minigrad.zeros(2, 2), minigrad.ones(3))


def test_weights_of_classes_have_the_dtype_of_the_scores():
    with refuses(RuntimeError, "expected scalar type Float but found Double", "MG202"):
        F.nll_loss(minigrad.zeros(2, 2), minigrad.tensor([0, 1]), minigrad.ones(2, dtype=minigrad.float64))


def test_means_over_no_samples():
    nothing, classes = minigrad.zeros(0, 3), minigrad.zeros(0, dtype=minigrad.int64)
    assert F.multi_margin_loss(nothing, classes).isnan()
    assert F.multilabel_margin_loss(nothing, nothing.long()) == 0


def test_a_label_counts_as_often_as_it_is_given():
    scores = minigrad.tensor([0.1, 0.2, 0.4, 0.8])
    once = F.multilabel_margin_loss(scores, minigrad.tensor([3, -1, 0, 0]))
    assert F.multilabel_margin_loss(scores, minigrad.tensor([3, 3, -1, 0])) == 2 * once


def test_second_derivatives_of_a_squared_margin():
    scores = minigrad.rand(3, 4, dtype=minigrad.float64, requires_grad=True)
    for weight in (None, minigrad.tensor([1., 2., 3., 4.], dtype=minigrad.float64)):
        assert minigrad.autograd.gradgradcheck(
            lambda s: F.multi_margin_loss(s, minigrad.tensor([0, 3, 1]), p=2, margin=0.7, weight=weight), scores)


# ------------------------------------------------------------------------------ margins and distributions


def test_a_soft_margin_does_not_overflow():
    score = minigrad.tensor([-1000., 1000.], requires_grad=True)
    losses = F.soft_margin_loss(score, minigrad.ones(2), reduction="none")
    assert losses.tolist() == [1000, 0]
    assert minigrad.autograd.grad(losses.sum(), score)[0].tolist() == [-1, 0]


def test_at_the_bend_the_gradient_passes():
    a, b = minigrad.ones(2, requires_grad=True), minigrad.ones(2, requires_grad=True)
    assert minigrad.autograd.grad(F.margin_ranking_loss(a, b, y), a)[0].tolist() == [-0.5, 0.5]
    assert minigrad.autograd.grad(F.hinge_embedding_loss(a, -minigrad.ones(2)), a)[0].tolist() == [-0.5, -0.5]
    c = minigrad.tensor([[1., 0.]], requires_grad=True)
    (g,) = minigrad.autograd.grad(F.triplet_margin_loss(c, c.detach() + 1, c.detach() + 2, margin=math.sqrt(2)), c)
    assert g.isfinite().all()


def test_a_variance_counts_at_least_eps_but_has_its_gradient():
    var = minigrad.tensor([0., 1.], requires_grad=True)
    loss = F.gaussian_nll_loss(x, x + 1, var, eps=0.5, reduction="sum")
    assert loss.item() == pytest.approx(0.5 * (math.log(0.5) + 2 + 1))
    assert minigrad.autograd.grad(loss, var)[0].tolist() == [pytest.approx(0.5 * (2 - 4)), 0]
    with refuses(ValueError, "var has negative entry/entries", "MG207"):
        F.gaussian_nll_loss(x, x, -0.5)


def test_the_divergence_of_what_does_not_happen():
    logp = minigrad.tensor([-1., -inf], requires_grad=True)
    found = F.kl_div(logp, minigrad.tensor([0., 1.]), reduction="none")
    assert found.tolist() == [0, inf]


def test_stirlings_formula_counts_from_1_on():
    target = minigrad.tensor([0., 1., 4.], requires_grad=True)
    full, plain = [F.poisson_nll_loss(minigrad.zeros(3), target, full=f, reduction="none") for f in (True, False)]
    assert (full - plain).tolist() == [0, 0, pytest.approx(math.log(24), abs=0.03)]
    assert minigrad.autograd.grad(full.sum(), target)[0].isfinite().all()


@pytest.mark.parametrize("shape", [(0,), (2, 0)])
def test_scores_of_no_classes_have_targets_that_do_not_count(torch, shape):
    x = torch.zeros(shape, requires_grad=True)
    loss = torch.nn.functional.nll_loss(x, torch.full(shape[:-1], -100), reduction="sum")
    loss.backward()
    assert loss.item() == 0 and x.grad.shape == shape


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8"])
def test_the_angle_between_vectors_of_integers_is_a_float(torch, dtype):
    a, b = [torch.tensor(v).to(getattr(torch, dtype)) for v in ([[2, 3, 4], [6, 2, 4]], [[2, 3, 5], [3, 2, 1]])]
    loss = torch.nn.functional.cosine_embedding_loss(a, b, torch.tensor([1, -1]))
    assert loss.dtype == torch.float32 and loss.item() == pytest.approx(0.46724, abs=1e-4)


def test_counts_of_poisson_may_be_bools(torch):
    x = torch.tensor([1., 2.], requires_grad=True)
    loss = torch.nn.functional.poisson_nll_loss(x, torch.tensor([True, False]), reduction="sum")
    (g,) = torch.autograd.grad(loss, x)
    assert torch.allclose(g, x.detach().exp() - torch.tensor([1., 0.]))
