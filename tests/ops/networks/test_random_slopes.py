"""rrelu in training: the slopes are drawn, each element has its own, and the gradient is the slope."""

import pytest

import minigrad
from minigrad.nn import functional as F
from tests.checking import refuses


def test_each_element_has_a_slope_between_the_bounds():
    x = minigrad.full((1000,), -1.)
    slopes = -F.rrelu(x, 0.25, 0.75, training=True)
    assert 0.25 <= slopes.min() < 0.3 and 0.7 < slopes.max() <= 0.75 and len(set(slopes.tolist())) > 900
    assert minigrad.equal(F.rrelu(-x, 0.25, 0.75, training=True), -x)


@pytest.mark.parametrize("form", [minigrad.rrelu, minigrad.rrelu_, F.rrelu, F.rrelu_])
def test_the_seed_repeats_the_slopes_and_the_gradient_is_the_slope(form):
    x = minigrad.tensor([-1., -2., 0., 3.], dtype=minigrad.float64, requires_grad=True)
    minigrad.manual_seed(5)
    y = form(x * 1, training=True)
    minigrad.manual_seed(5)
    assert minigrad.equal(form(x * 1, training=True), y)
    (g,) = minigrad.autograd.grad(y.sum(), x)
    assert minigrad.allclose(y, g * x) and g[3] == 1 and 1 / 8 <= g[2] <= 1 / 3
    assert len(set(g.tolist())) == 4
    assert y.grad_fn.name() == "RreluWithNoiseBackward" + ("1" if form.__name__ == "rrelu_" else "0")


def test_a_generator_of_its_own():
    x = minigrad.full((3,), -1.)
    first, second = [minigrad.rrelu(x, training=True, generator=minigrad.Generator().manual_seed(1)) for _ in range(2)]
    assert minigrad.equal(first, second)


def test_vmap_asks_for_its_randomness():
    x = minigrad.full((4, 3), -1.)
    with refuses(RuntimeError, "randomness", "MG117"):
        minigrad.func.vmap(lambda row: F.rrelu(row, training=True))(x)
    same = minigrad.func.vmap(lambda row: F.rrelu(row, training=True), randomness="same")(x)
    different = minigrad.func.vmap(lambda row: F.rrelu(row, training=True), randomness="different")(x)
    assert minigrad.equal(same[0], same[1]) and not minigrad.equal(different[0], different[1])


def test_slopes_of_16_bit_floats_and_of_nothing():
    assert F.rrelu(minigrad.full((5,), -1., dtype=minigrad.bfloat16), training=True).dtype is minigrad.bfloat16
    assert F.rrelu(minigrad.zeros(0, 3), training=True).shape == (0, 3)


@pytest.mark.parametrize("training", [False, True])
def test_wrong_bounds_and_integers_are_refused(training):
    x = minigrad.tensor([-1., 1.])
    with refuses(RuntimeError, "Lower bound should be less than or equal to the upper bound", "MG204"):
        F.rrelu(x, 0.5, 0.25, training)
    with refuses(RuntimeError, "upper bound must be finite", "MG204"):
        F.rrelu(x, 0.5, float("inf"), training)
    with refuses(RuntimeError, "not implemented", "MG202"):
        F.rrelu(x.int(), training=training)
    assert x.tolist() == [-1, 1]
