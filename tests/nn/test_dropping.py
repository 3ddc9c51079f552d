"""Dropouts and the Gumbel softmax: what is drawn, how often, and where gradients go."""

import warnings

import pytest

import minigrad as torch
from minigrad import func

F = torch.nn.functional
CHANNELS = {"dropout1d": (F.dropout1d, (200, 100, 3)), "dropout2d": (F.dropout2d, (200, 100, 3, 2)),
            "dropout3d": (F.dropout3d, (200, 100, 1, 2, 3)),
            "feature_dropout": (lambda x, p: torch.feature_dropout(x, p, True), (200, 100, 3))}


def test_each_element_is_kept_with_its_probability():
    torch.manual_seed(1)
    for p in (0.1, 0.5, 0.9):
        for kept in (torch.dropout(torch.ones(40_000), p, True), F.dropout(torch.ones(40_000), p),
                     torch.native_dropout(torch.ones(40_000), p, True)[0]):
            assert kept.unique().tolist() == [0, pytest.approx(1 / (1 - p))]
            assert kept.mean().item() == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize("name", CHANNELS)
def test_whole_channels_are_dropped(name):
    drop, shape = CHANNELS[name]
    out = drop(torch.ones(shape), 0.3).flatten(2)
    assert (out == out[..., :1]).all()
    assert (out[..., 0] == 0).to(torch.float32).mean().item() == pytest.approx(0.3, abs=0.03)


@pytest.mark.parametrize("drop", [lambda x: F.alpha_dropout(x, 0.3, True), lambda x: torch.alpha_dropout(x, 0.3, True),
                                  lambda x: F.feature_alpha_dropout(x, 0.3, True)])
def test_alpha_dropout_keeps_mean_and_variance(drop):
    torch.manual_seed(2)
    out = drop(torch.randn(200, 300, 3))
    assert abs(out.mean().item()) < 0.03 and out.std().item() == pytest.approx(1, abs=0.03)


def test_the_gradient_goes_where_elements_were_kept():
    for drop in (lambda x: F.dropout(x, 0.4), lambda x: F.dropout2d(x, 0.4), lambda x: F.alpha_dropout(x, 0.4, True)):
        x = torch.rand(6, 5, 2, 2, requires_grad=True)
        state = torch.get_rng_state()
        out = drop(x)
        torch.set_rng_state(state)
        with torch.no_grad():
            slope = drop(x + 1) - out
        grad, = torch.autograd.grad(out.sum(), x)
        assert torch.allclose(grad, slope, atol=1e-5)


@pytest.mark.parametrize("name", ["dropout_", "alpha_dropout_", "feature_dropout_", "feature_alpha_dropout_"])
def test_a_name_with_an_underscore_writes_in_place(name):
    x = torch.rand(8, 8, requires_grad=True)
    y = x * 1
    state = torch.get_rng_state()
    assert getattr(torch, name)(y, 0.5, True) is y and y._version > 0
    torch.set_rng_state(state)
    assert torch.allclose(y, getattr(torch, name[:-1])(x, 0.5, True))
    assert y.requires_grad


def test_samples_without_a_batch_are_written_to_in_place():
    for drop, shape in ((F.dropout1d, (4, 3)), (F.dropout3d, (4, 1, 2, 3))):
        x = torch.ones(shape)
        assert drop(x, 1., inplace=True) is x and not x.any()
        assert drop(torch.ones(shape), 1.).shape == shape


def test_nothing_is_done_outside_training_or_with_probability_zero():
    x = torch.ones(3, 4, 2)
    for drop in (F.dropout, F.alpha_dropout, F.dropout1d, F.feature_alpha_dropout):
        assert torch.equal(drop(x, 0.5, False), x) and torch.equal(drop(x, 0., True), x)
    out, kept = torch.native_dropout(x, 0.5, False)
    assert torch.equal(out, x) and kept.all()


@pytest.mark.parametrize("drop", [F.dropout, F.dropout2d, lambda x: torch.alpha_dropout_(x, 0.5, True)])
def test_complex_numbers_and_integers_are_refused(drop):
    with pytest.raises(RuntimeError, match="\"bernoulli_scalar_cpu_\" not implemented for 'ComplexFloat'"):
        drop(torch.ones(2, 3, 4, 5, dtype=torch.complex64))
    with pytest.raises(RuntimeError, match="result type Float can't be cast to the desired output type Long"):
        drop(torch.ones(2, 3, 4, 5, dtype=torch.int64))


def test_native_dropout_scales_no_integers():
    with pytest.raises(RuntimeError, match="result type Float can't be cast to the desired output type Long"):
        torch.native_dropout(torch.ones(3, dtype=torch.int64), 0.5, True)
    assert torch.native_dropout(torch.ones(3, dtype=torch.int64), 0.5, False)[0].tolist() == [1, 1, 1]


def test_wrong_probabilities_and_dims():
    for call in (lambda: F.dropout(torch.ones(2), 1.5), lambda: F.dropout1d(torch.ones(2, 3), -0.1),
                 lambda: F.alpha_dropout(torch.ones(2), 2.)):
        with pytest.raises(ValueError, match="dropout probability has to be between 0 and 1"):
            call()
    with pytest.raises(RuntimeError, match="dropout probability has to be between 0 and 1"):
        torch.dropout(torch.ones(2), 1.5, True)
    with pytest.raises(RuntimeError, match="dropout1d: Expected 2D or 3D input, but received a 4D input"):
        F.dropout1d(torch.ones(1, 1, 1, 1))
    with pytest.raises(RuntimeError, match="Feature dropout requires at least 2 dimensions"):
        torch.feature_dropout(torch.ones(3), 0.5, True)
    for drop, shape, said in ((F.dropout2d, (2, 3), "dropout2d: Received a 2-D input"),
                              (F.dropout2d, (2, 3, 4), "dropout2d: Received a 3D input"),
                              (F.dropout3d, (2, 3, 4), "dropout3d: Received a 3-D input")):
        with pytest.warns(UserWarning, match=said):
            drop(torch.ones(shape))


def test_integers_cannot_be_scaled():
    for drop in (F.dropout, F.dropout1d, lambda x: F.alpha_dropout(x, 0.5, True)):
        with pytest.raises(RuntimeError, match="result type Float can't be cast"):
            drop(torch.ones(2, 3, dtype=torch.int64))
    assert not F.dropout(torch.ones(2, dtype=torch.int64), 1.).any()


def test_inside_vmap_numbers_are_drawn_as_it_says():
    x = torch.ones(30, 20, 3)
    with pytest.raises(RuntimeError, match="randomness error mode"):
        func.vmap(F.dropout1d)(x)
    same = func.vmap(F.dropout1d, randomness="same")(x)
    different = func.vmap(F.dropout1d, randomness="different")(x)
    assert (same == same[:1]).all() and not (different == different[:1]).all()
    assert (different == different[..., :1]).all()


# ------------------------------------------------------------------------------ choices

def test_gumbel_softmax_chooses_with_the_probabilities():
    torch.manual_seed(3)
    logits = torch.tensor([0.2, 0.5, 0.3]).log().expand(20_000, 3)
    chosen = F.gumbel_softmax(logits, hard=True)
    assert torch.allclose(chosen.sum(1), torch.ones(20_000)) and (chosen.max(1)[0] > 0.99).all()
    assert torch.allclose(chosen.mean(0), torch.tensor([0.2, 0.5, 0.3]), atol=0.02)


def test_a_hard_choice_has_the_gradient_of_the_soft_one():
    logits = torch.randn(4, 3, requires_grad=True)
    weights = torch.randn(4, 3)
    grads = []
    for hard in (False, True):
        torch.manual_seed(4)
        grads.append(torch.autograd.grad((F.gumbel_softmax(logits, 0.7, hard) * weights).sum(), logits)[0])
    assert torch.allclose(*grads) and grads[0].any()


def test_gumbel_softmax_along_another_dim_and_of_wrong_dtypes():
    assert torch.allclose(F.gumbel_softmax(torch.zeros(3, 2), dim=0).sum(0), torch.ones(2))
    with pytest.raises(RuntimeError, match="must be a floating point"):
        F.gumbel_softmax(torch.ones(2, dtype=torch.int64))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        F.gumbel_softmax(torch.zeros(2), eps=1e-5)
    assert "`eps` parameter is deprecated" in str(said[0].message)
