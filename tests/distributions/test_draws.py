"""Draws: their moments, their gradients, their shapes, and the numbers that PyTorch draws."""

import numpy as np
import pytest

import minigrad as torch
from minigrad import distributions as D

MANY = 4000

#: after manual_seed(0)
RECORDED = {"multinomial": [2, 2, 2, 2, 2], "poisson": [1.0, 4.0, 47.0, 299.0], "binomial": [5.0, 0.0, 699.0],
            "gamma": [0.0496123842895031, 0.8397679328918457, 32.5821418762207]}

CASES = {
    "Normal": lambda: D.Normal(torch.tensor([0.5, -1.0]), 2.0),
    "Laplace": lambda: D.Laplace(torch.tensor([0.5, -1.0]), 2.0),
    "StudentT": lambda: D.StudentT(7.0, torch.tensor([0.5, -1.0]), 2.0),
    "Uniform": lambda: D.Uniform(torch.tensor([0.5, -1.0]), 2.0),
    "GeneralizedPareto": lambda: D.GeneralizedPareto(1.0, torch.tensor([0.5, 1.0]), 0.1),
    "Exponential": lambda: D.Exponential(torch.tensor([0.5, 2.0])),
    "Gamma": lambda: D.Gamma(torch.tensor([0.5, 2.0, 30.0]), 2.0),
    "Chi2": lambda: D.Chi2(torch.tensor([0.5, 2.0])),
    "Beta": lambda: D.Beta(torch.tensor([0.5, 2.0]), 2.0),
    "Dirichlet": lambda: D.Dirichlet(torch.tensor([0.5, 2.0, 1.0])),
    "FisherSnedecor": lambda: D.FisherSnedecor(torch.tensor([3.0, 8.0]), 12.0),
    "Bernoulli": lambda: D.Bernoulli(torch.tensor([0.1, 0.7])),
    "Binomial": lambda: D.Binomial(torch.tensor([5.0, 100.0, 100.0]), torch.tensor([0.1, 0.7, 0.3])),
    "Geometric": lambda: D.Geometric(torch.tensor([0.2, 0.7])),
    "NegativeBinomial": lambda: D.NegativeBinomial(3.0, torch.tensor([0.2, 0.7])),
    "Poisson": lambda: D.Poisson(torch.tensor([0.2, 7.0, 70.0])),
    "ContinuousBernoulli": lambda: D.ContinuousBernoulli(torch.tensor([0.2, 0.5])),
    "OneHotCategorical": lambda: D.OneHotCategorical(torch.tensor([0.2, 0.5, 1.0])),
    "Multinomial": lambda: D.Multinomial(6, torch.tensor([0.2, 0.5, 1.0])),
    "LogNormal": lambda: D.LogNormal(torch.tensor([0.5, -1.0]), 0.3),
    "HalfNormal": lambda: D.HalfNormal(torch.tensor([0.5, 2.0])),
    "InverseGamma": lambda: D.InverseGamma(torch.tensor([7.0, 9.0]), 2.0),
    "Pareto": lambda: D.Pareto(torch.tensor([0.5, 2.0]), 7.0),
    "Weibull": lambda: D.Weibull(torch.tensor([0.5, 2.0]), 2.0),
    "Gumbel": lambda: D.Gumbel(torch.tensor([0.5, 2.0]), 2.0),
    "Kumaraswamy": lambda: D.Kumaraswamy(torch.tensor([0.5, 2.0]), 2.0),
    "MultivariateNormal": lambda: D.MultivariateNormal(
        torch.tensor([0.5, 2.0]), torch.tensor([[2.0, 0.5], [0.5, 1.0]])),
    "LowRankMultivariateNormal": lambda: D.LowRankMultivariateNormal(
        torch.tensor([0.5, 2.0]), torch.tensor([[2.0], [0.5]]), torch.tensor([1.0, 0.5])),
    "Wishart": lambda: D.Wishart(torch.tensor(5.0), torch.tensor([[2.0, 0.5], [0.5, 1.0]])),
    "Independent": lambda: D.Independent(D.Normal(torch.tensor([0.5, -1.0]), 2.0), 1),
    "MixtureSameFamily": lambda: D.MixtureSameFamily(
        D.Categorical(torch.tensor([0.2, 0.8])), D.Normal(torch.tensor([-1.0, 2.0]), 1.0)),
}


@pytest.mark.parametrize("name", CASES)
def test_moments_of_draws(name):
    torch.manual_seed(1)
    dist = CASES[name]()
    x = dist.sample((MANY,))
    assert x.shape == (MANY, *dist.batch_shape, *dist.event_shape) and not x.requires_grad
    error = (x.mean(0) - dist.mean).abs() / (dist.stddev / MANY ** 0.5)
    assert bool((error < 5).all()), error
    assert bool(((x.var(0) / dist.variance).log().abs() < 0.35).all())


def test_draws_without_moments():
    torch.manual_seed(1)
    x = D.VonMises(torch.tensor(1.0), 3.0).sample((MANY,))
    assert abs(torch.atan2(x.sin().mean(), x.cos().mean()).item() - 1.0) < 0.05
    assert abs(D.Cauchy(2.0, 1.0).sample((MANY,)).median().item() - 2.0) < 0.2
    assert abs(D.HalfCauchy(2.0).sample((MANY,)).median().item() - 2.0) < 0.2
    factor = D.LKJCholesky(3, 2.0).sample((50,))
    assert bool(D.constraints.corr_cholesky.check(factor).all())
    relaxed = D.RelaxedOneHotCategorical(torch.tensor(0.5), torch.tensor([0.2, 0.8])).rsample((50,))
    assert bool(D.constraints.simplex.check(relaxed).all())
    assert ((D.RelaxedBernoulli(torch.tensor(0.5), 0.3).sample((50,)) - 0.5).abs() <= 0.5).all()
    assert bool(D.constraints.simplex.check(D.LogisticNormal(torch.zeros(2), 1.0).sample((5,))).all())


# ------------------------------------------------------------------------------ gradients

def gradient_of_mean(make, value, of=lambda x: x):
    """The gradient of the mean of ``of(x)``, by way of draws."""
    torch.manual_seed(2)
    param = torch.tensor(value, dtype=torch.float64, requires_grad=True)
    of(make(param).rsample((MANY,))).mean().backward()
    return param.grad.item()


@pytest.mark.parametrize("make, value, expected", [
    (lambda a: D.Normal(a, 1.0), 0.5, 1.0),
    (lambda a: D.Gamma(a, 2.0), 0.3, 0.5),
    (lambda a: D.Gamma(a, 2.0), 5.0, 0.5),
    (lambda a: D.Gamma(3.0 + 0 * a, a), 2.0, -0.75),
    (lambda a: D.Beta(a, 2.0), 3.0, 2 / 25),
    (lambda a: D.Beta(2.0, a), 3.0, -2 / 25),
    (lambda a: D.LogNormal(a, 0.5), 0.1, np.exp(0.1 + 0.125)),
    (lambda a: D.Exponential(a), 2.0, -0.25),
])
def test_the_gradient_of_a_mean(make, value, expected):
    assert abs(gradient_of_mean(make, value) - expected) < 0.06 * max(1, abs(expected))


@pytest.mark.parametrize("a", [0.05, 0.7, 4.0, 90.0])
def test_a_gamma_draw_keeps_its_probability(a):
    """P(a + h, x + h dx/da) = P(a, x), and PyTorch's approximation is near."""
    a = torch.full((20,), a, dtype=torch.float64, requires_grad=True)
    x = torch._standard_gamma(a)
    slope, = torch.autograd.grad(x.sum(), a)
    x, a, h = x.detach(), a.detach(), 1e-4 * a.detach()
    near = torch.special.gammainc(a + h, x + h * slope) - torch.special.gammainc(a - h, x - h * slope)
    assert near.abs().max().item() < 1e-6


def test_a_beta_draw_keeps_its_probability():
    a, b, h = 1.7, 2.3, 1e-4
    c = torch.tensor([[a, b]], dtype=torch.float64).expand(20, 2).requires_grad_()
    x = torch._sample_dirichlet(c)
    slope = torch.autograd.grad(x[:, 0].sum(), c)[0][:, 0]
    x = x.detach()[:, 0]

    def cdf(value, a):
        grid = torch.linspace(0, 1, 20001, dtype=torch.float64)[1:-1]
        density = D.Beta(torch.tensor(a, dtype=torch.float64), b).log_prob(grid).exp()
        below = torch.cumulative_trapezoid(density, grid).numpy().tolist()
        return np.interp(value.numpy(), grid.numpy(), [*below, 1.0])
    np.testing.assert_allclose(cdf(x + h * slope, a + h), cdf(x - h * slope, a - h), atol=3e-5)


def slope_at_fixed_probability(mpmath, probability, a, x):
    """dx/da = -(dF/da) / (dF/dx), with 40 digits."""
    with mpmath.workdps(40):
        return float(-mpmath.diff(lambda a: probability(a, x), a) / mpmath.diff(lambda x: probability(a, x), x))


#: near the mean, and about two standard deviations from it
PLACES = (-2.0, -0.5, -0.01, 0.01, 0.5, 2.0)


@pytest.mark.parametrize("a", [1e-3, 0.01, 0.1, 0.6, 1.0, 5.0, 100.0, 1e4])
def test_the_gradient_of_a_gamma_draw_is_precise(a):
    mpmath = pytest.importorskip("mpmath")
    # Of draws for a small a, most are far below the mean.
    x = [a * np.exp(place / np.sqrt(a + 1)) for place in (*PLACES, *([-40.0] if a < 1 else []))]
    slopes = torch._standard_gamma_grad(torch.full((len(x),), a, dtype=torch.float64),
                                        torch.tensor(x, dtype=torch.float64))
    expected = [slope_at_fixed_probability(mpmath, lambda a, x: mpmath.gammainc(a, 0, x, regularized=True), a, each)
                for each in x]
    np.testing.assert_allclose(slopes.numpy(), expected, rtol=1e-8)


@pytest.mark.parametrize("a", [1e-3, 0.1, 1.0, 30.0, 1e3])
@pytest.mark.parametrize("b", [1e-3, 0.1, 1.0, 30.0, 1e3])
def test_the_gradient_of_a_beta_draw_is_precise(a, b):
    mpmath = pytest.importorskip("mpmath")
    odds = a / b * np.exp(np.array(PLACES) * np.sqrt(1 / (a + 1) + 1 / (b + 1)))
    x = (odds / (1 + odds)).tolist()
    a, total = torch.tensor([a, a + b], dtype=torch.float64)
    slopes = torch._dirichlet_grad(torch.tensor(x, dtype=torch.float64), a, total)
    a, b = a.item(), (total - a).item()
    expected = [slope_at_fixed_probability(mpmath, lambda a, x: mpmath.betainc(a, b, 0, x, regularized=True), a, each)
                / (1 - each) for each in x]
    np.testing.assert_allclose(slopes.numpy(), expected, rtol=1e-7)


def test_gradients_of_shares_add_up_to_zero():
    c = torch.tensor([0.5, 2.0, 7.0], dtype=torch.float64, requires_grad=True)
    jacobian = torch.autograd.functional.jacobian(lambda c: D.Dirichlet(c).rsample(), c)
    assert jacobian.sum(0).abs().max().item() < 1e-12 and bool((jacobian.diagonal() > 0).all())


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_shares_of_numbers_that_underflow(dtype):
    c = torch.tensor([1e-6, 1e-6], dtype=dtype)
    assert D.Dirichlet(c).sample().tolist() == [0.5, 0.5] and D.Beta(c, c).sample().tolist() == [0.5, 0.5]
    # As in PyTorch, a number that underflows is the smallest normal one of float64, before its share is computed.
    torch.manual_seed(3)
    shares = D.Dirichlet(torch.tensor([1e-6, 1e-6, 1.0], dtype=dtype)).sample().tolist()
    least = 2.265993979685399e-308 if dtype == torch.float64 else 1.1754943508222875e-38
    np.testing.assert_allclose(shares, [least, least, 1.0], rtol=1e-7)


def test_straight_through():
    logits = torch.zeros(3, requires_grad=True)
    x = D.OneHotCategoricalStraightThrough(logits=logits).rsample()
    assert sorted(x.tolist()) == [0.0, 0.0, 1.0]
    (x * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
    assert logits.grad.abs().sum() > 0


# ------------------------------------------------------------------------------ log_prob in every mode

@pytest.mark.parametrize("make", [
    lambda a: D.Normal(a, a.exp()), lambda a: D.Gamma(a, a + 1), lambda a: D.StudentT(a, 0.5, a),
    lambda a: D.Beta(a, 2.0), lambda a: D.LogNormal(a, a), lambda a: D.Weibull(a, a + 1)])
def test_second_gradients_of_densities(make):
    a = torch.tensor([0.7, 1.9], dtype=torch.float64, requires_grad=True)
    value = torch.tensor([0.3, 0.6], dtype=torch.float64)
    assert torch.autograd.gradcheck(lambda a: make(a).log_prob(value), a)
    assert torch.autograd.gradgradcheck(lambda a: make(a).log_prob(value), a)


def test_densities_in_vmap():
    a = torch.tensor([0.5, 1.5, 2.5])
    apart = torch.vmap(lambda a: D.Gamma(a, 1.0).log_prob(a))(a)
    assert torch.allclose(apart, D.Gamma(a, 1.0).log_prob(a))
    assert torch.allclose(torch.vmap(lambda a: D.kl_divergence(D.Normal(a, 1.0), D.Normal(0.0, a)))(a),
                          D.kl_divergence(D.Normal(a, 1.0), D.Normal(0.0, a)))
    with pytest.raises(ValueError, match="to satisfy the constraint"):
        torch.vmap(lambda a: D.Gamma(a, 1.0).log_prob(a))(-a)


# ------------------------------------------------------------------------------ the numbers

def drawn(torch, name):
    from importlib import import_module
    D = import_module(f"{torch.__name__}.distributions")
    t = torch.tensor
    calls = {
        "Gamma": lambda: D.Gamma(t([0.1, 0.5, 2.0, 30.0]), 2.0).sample((5,)),
        "Dirichlet": lambda: D.Dirichlet(t([0.5, 2.0, 1.0])).sample((5,)),
        "Beta": lambda: D.Beta(t([0.5, 2.0]), 1.0).sample((5,)),
        "Beta that underflows": lambda: D.Beta(t([1e-6, 1e-2]), t([1e-6, 1e-2])).sample((5,)),
        "Poisson": lambda: D.Poisson(t([0.2, 7.0, 70.0, 0.0])).sample((9,)),
        "Binomial": lambda: D.Binomial(t([5.0, 100.0, 100.0, 50.0]), t([0.1, 0.7, 0.3, 1.0])).sample((9,)),
        "Categorical": lambda: D.Categorical(t([[0.2, 0.5, 1.0], [0.5, 0.2, 0.1]])).sample((9,)),
        "one Categorical": lambda: D.Categorical(t([[0.2, 0.5, 1.0], [0.5, 0.2, 0.1]])).sample(),
        "multinomial": lambda: torch.multinomial(t([[0.2, 0.5, 1.0, 0.0, 2.0]] * 3), 3),
        "Multinomial": lambda: D.Multinomial(6, t([0.2, 0.5, 1.0])).sample((4,)),
        "StudentT": lambda: D.StudentT(3.0, t([0.5, -1.0])).sample((4,)),
        "Normal": lambda: D.Normal(t([0.5, -1.0]), 1.0).sample((4,)),
        "rsample": lambda: D.Normal(t([0.5, -1.0]), 1.0).rsample((4,)),
        "Laplace": lambda: D.Laplace(t([0.5, -1.0]), 1.0).sample((4,)),
        "Cauchy": lambda: D.Cauchy(t([0.5, -1.0]), 1.0).sample((4,)),
        "Gumbel": lambda: D.Gumbel(t([0.5, -1.0]), 1.0).sample((4,)),
        "Geometric": lambda: D.Geometric(t([0.5, 0.1])).sample((4,)),
        "Bernoulli": lambda: D.Bernoulli(t([0.5, 0.1])).sample((4,)),
        "NegativeBinomial": lambda: D.NegativeBinomial(t([3.0, 10.0]), 0.4).sample((4,)),
        "VonMises": lambda: D.VonMises(t([0.5, 1.0]), 0.4).sample((4,)),
        "Weibull": lambda: D.Weibull(t([0.5, 1.0]), 0.4).sample((4,)),
        "Kumaraswamy": lambda: D.Kumaraswamy(t([0.5, 1.0]), 0.4).sample((4,)),
        "MultivariateNormal": lambda: D.MultivariateNormal(torch.zeros(2), torch.eye(2)).sample((4,)),
        "Wishart": lambda: D.Wishart(t(4.0), torch.eye(2)).sample((4,)),
        "LKJCholesky": lambda: D.LKJCholesky(3, 2.0).sample((4,)),
        "FisherSnedecor": lambda: D.FisherSnedecor(t([3.0, 5.0]), 4.0).sample((4,)),
        "MixtureSameFamily": lambda: D.MixtureSameFamily(
            D.Categorical(t([0.2, 0.8])), D.Normal(t([-1.0, 2.0]), 1.0)).sample((4,)),
        "RelaxedBernoulli": lambda: D.RelaxedBernoulli(t(0.5), t([0.3, 0.8])).sample((4,)),
        "RelaxedOneHotCategorical": lambda: D.RelaxedOneHotCategorical(t(0.5), t([0.3, 0.8])).sample((4,)),
        "LogisticNormal": lambda: D.LogisticNormal(torch.zeros(2), 1.0).sample((4,)),
    }
    if name is None:
        return list(calls)
    torch.manual_seed(5)
    return np.stack([calls[name]().numpy() for _ in range(2)])


@pytest.mark.parity
@pytest.mark.parametrize("name", drawn(torch, None))
def test_a_seed_gives_the_numbers_of_pytorch(name):
    np.testing.assert_allclose(drawn(torch, name), drawn(pytest.importorskip("torch"), name), rtol=2e-4, atol=1e-6)


def test_recorded_numbers():
    """What PyTorch 2.13 draws after ``manual_seed(0)``."""
    torch.manual_seed(0)
    assert torch.multinomial(torch.tensor([0.5, 1.0, 2.0]), 5, True).tolist() == RECORDED["multinomial"]
    assert torch.poisson(torch.tensor([1.0, 5.0, 50.0, 300.0])).tolist() == RECORDED["poisson"]
    assert torch.binomial(torch.tensor([10.0, 100.0, 1000.0]), torch.tensor([0.5, 0.01, 0.7])
                          ).tolist() == RECORDED["binomial"]
    np.testing.assert_allclose(torch._standard_gamma(torch.tensor([0.5, 2.0, 30.0])).numpy(), RECORDED["gamma"],
                               rtol=1e-5)
