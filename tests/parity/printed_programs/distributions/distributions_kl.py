"""Divergences: all pairs that have a formula."""
# to 2e-4
import torch
from torch import distributions as D

torch.set_default_dtype(torch.float64)
t = torch.tensor


def pairs(**kinds):
    return kinds


KINDS = {
    "Bernoulli": [D.Bernoulli(t([0.2, 0.7, 0.0])), D.Bernoulli(t([0.5, 0.1, 1.0]))],
    "Binomial": [D.Binomial(4, t([0.2, 0.7, 0.1])), D.Binomial(4, t([0.5, 0.1, 0.3])),
                 D.Binomial(3, t([0.5, 0.1, 0.3]))],
    "Beta": [D.Beta(t([0.5, 2.0, 1.0]), 2.0), D.Beta(t([1.5, 1.0, 3.0]), 1.0)],
    "Categorical": [D.Categorical(t([[0.2, 0.8], [0.5, 0.5], [0.0, 1.0]])),
                    D.Categorical(t([[0.3, 0.7], [1.0, 0.0], [0.5, 0.5]]))],
    "Cauchy": [D.Cauchy(t([0.5, 2.0, 1.0]), 2.0), D.Cauchy(t([1.5, 1.0, 3.0]), 1.0)],
    "ContinuousBernoulli": [D.ContinuousBernoulli(t([0.2, 0.7, 0.5])), D.ContinuousBernoulli(t([0.5, 0.1, 0.9]))],
    "Dirichlet": [D.Dirichlet(t([[0.2, 0.8], [0.5, 0.5]])), D.Dirichlet(t([[0.3, 0.7], [1.0, 2.0]]))],
    "Exponential": [D.Exponential(t([0.5, 2.0, 1.0])), D.Exponential(t([1.5, 1.0, 3.0]))],
    "Gamma": [D.Gamma(t([0.5, 2.0, 1.0]), 2.0), D.Gamma(t([1.5, 1.0, 3.0]), 1.0)],
    "Chi2": [D.Chi2(t([0.5, 2.0, 1.0])), D.Chi2(t([1.5, 1.0, 3.0]))],
    "Geometric": [D.Geometric(t([0.2, 0.7, 0.5])), D.Geometric(t([0.5, 0.1, 0.9]))],
    "Gumbel": [D.Gumbel(t([0.5, 2.0, 1.0]), 2.0), D.Gumbel(t([1.5, 1.0, 3.0]), 1.0)],
    "HalfNormal": [D.HalfNormal(t([0.5, 2.0, 1.0])), D.HalfNormal(t([1.5, 1.0, 3.0]))],
    "Laplace": [D.Laplace(t([0.5, 2.0, 1.0]), 2.0), D.Laplace(t([1.5, 1.0, 3.0]), 1.0)],
    "LogNormal": [D.LogNormal(t([0.5, 2.0, 1.0]), 2.0), D.LogNormal(t([1.5, 1.0, 3.0]), 1.0)],
    "Normal": [D.Normal(t([0.5, 2.0, 1.0]), 2.0), D.Normal(t([1.5, 1.0, 3.0]), 1.0)],
    "OneHotCategorical": [D.OneHotCategorical(t([[0.2, 0.8]])), D.OneHotCategorical(t([[0.3, 0.7]]))],
    "Pareto": [D.Pareto(t([0.5, 2.0, 1.0]), t([3.0, 1.5, 0.5])), D.Pareto(t([0.4, 3.0, 0.3]), 1.0)],
    "Poisson": [D.Poisson(t([0.5, 2.0, 1.0])), D.Poisson(t([1.5, 1.0, 3.0]))],
    "Uniform": [D.Uniform(t([0.1, 0.2, -1.0]), t([0.5, 0.9, 3.0])), D.Uniform(t([0.0, 0.3, -2.0]), t([1.0, 0.9, 4.0]))],
    "Independent": [D.Independent(D.Normal(t([0.5, 2.0]), 2.0), 1), D.Independent(D.Normal(t([1.5, 1.0]), 1.0), 1)],
    "Wishart": [D.Wishart(t(3.5), t([[2.0, 0.5], [0.5, 1.0]])), D.Wishart(t(4.0), t([[1.0, 0.1], [0.1, 1.0]]))],
    "MultivariateNormal": [
        D.MultivariateNormal(t([0.5, 2.0]), t([[2.0, 0.5], [0.5, 1.0]])),
        D.MultivariateNormal(t([[0.0, 1.0], [1.0, 1.0]]), t([[1.0, 0.1], [0.1, 1.0]])),
        D.MultivariateNormal(t([0.0, 1.0]), t([[[1.0, 0.1], [0.1, 1.0]], [[3.0, 0.1], [0.1, 1.0]]]))],
    "LowRankMultivariateNormal": [
        D.LowRankMultivariateNormal(t([0.5, 2.0]), t([[2.0], [0.5]]), t([1.0, 2.0])),
        D.LowRankMultivariateNormal(t([[0.0, 1.0], [1.0, 1.0]]), t([[1.0], [0.1]]), t([0.5, 2.0]))],
}

for name, mine in KINDS.items():
    for other, theirs in KINDS.items():
        for p in mine:
            for q in theirs:
                try:
                    print(name, other, D.kl_divergence(p, q).tolist())
                except (NotImplementedError, ValueError, RuntimeError):
                    print(name, other, "none")

p = t([0.3, 1.2], requires_grad=True)
D.kl_divergence(D.Gamma(p, 2.0), D.Gamma(1.0, p)).sum().backward()
print(p.grad.tolist())


class Mine(D.Normal):
    pass


@D.register_kl(Mine, D.Normal)
def left(p, q):
    return t(1.0)


@D.register_kl(D.Normal, Mine)
def right(p, q):
    return t(2.0)


print(D.kl_divergence(Mine(0.0, 1.0), D.Normal(0.0, 1.0)), D.kl_divergence(D.Normal(0.0, 1.0), Mine(0.0, 1.0)))
print(D.kl_divergence(Mine(0.0, 1.0), Mine(0.0, 1.0)))
torch.set_default_dtype(torch.float32)
