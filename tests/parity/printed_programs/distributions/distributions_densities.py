"""All that a distribution answers: density, entropy, distribution function, moments, gradients, what it prints."""
# to 2e-4
import torch
from torch import distributions as D

t = torch.tensor
torch.set_default_dtype(torch.float64)
p3 = t([[0.2, 0.3, 0.5], [0.1, 0.1, 0.8]])
tril = t([[1.5, 0.0], [0.4, 0.7]])
CASES = [
    (lambda a, b: D.Normal(a, b), [[0.5, -1.0], [1.0, 2.0]], [0.3, 2.0]),
    (lambda a, b: D.Laplace(a, b), [[0.5, -1.0], [1.0, 2.0]], [0.3, 2.0]),
    (lambda a, b: D.Cauchy(a, b), [[0.5, -1.0], [1.0, 2.0]], [0.3, 2.0]),
    (lambda a, b, c: D.StudentT(a, b, c), [[3.0, 1.5], [0.5, 1.0], [1.0, 2.0]], [0.3, 2.0]),
    (lambda a, b: D.Uniform(a, b), [[0.0, -1.0], [1.0, 2.0]], [0.3, 1.5]),
    (lambda a, b, c: D.GeneralizedPareto(a, b, c), [[0.0, 0.1, 0.2], [1.0, 2.0, 1.0], [0.0, 0.3, -0.2]],
     [0.3, 1.5, 0.9]),
    (lambda a, b: D.VonMises(a, b), [[0.5, -1.0], [1.0, 7.0]], [0.3, 1.5]),
    (lambda a: D.Exponential(a), [[0.5, 2.0]], [0.3, 1.5]),
    (lambda a, b: D.Gamma(a, b), [[0.5, 3.0], [1.0, 2.0]], [0.3, 1.5]),
    (lambda a: D.Chi2(a), [[0.5, 3.0]], [0.3, 1.5]),
    (lambda a, b: D.Beta(a, b), [[0.5, 3.0], [1.5, 2.0]], [0.3, 0.9]),
    (lambda a, b: D.FisherSnedecor(a, b), [[1.5, 3.0], [3.5, 5.0]], [0.3, 0.9]),
    (lambda a: D.Dirichlet(a), [[[0.5, 3.0, 1.0], [2.0, 2.0, 3.0]]], [[0.2, 0.3, 0.5], [0.1, 0.1, 0.8]]),
    (lambda a: D.Bernoulli(a), [[0.2, 0.7]], [1.0, 0.0]),
    (lambda a: D.Bernoulli(logits=a), [[0.2, -0.7]], [1.0, 0.0]),
    (lambda a: D.Binomial(4, a), [[0.2, 0.7]], [1.0, 3.0]),
    (lambda a: D.Binomial(4, logits=a), [[0.2, -0.7]], [1.0, 3.0]),
    (lambda a: D.Geometric(a), [[0.2, 0.7]], [1.0, 3.0]),
    (lambda a: D.Geometric(logits=a), [[0.2, -0.7]], [0.0, 3.0]),
    (lambda a: D.NegativeBinomial(3.0, a), [[0.2, 0.7]], [1.0, 3.0]),
    (lambda a: D.Poisson(a), [[0.2, 3.7]], [1.0, 3.0]),
    (lambda a: D.ContinuousBernoulli(a), [[0.2, 0.4995]], [0.3, 0.9]),
    (lambda a: D.ContinuousBernoulli(logits=a), [[0.2, -2.0]], [0.3, 0.9]),
    (lambda a: D.Categorical(a), [[[0.2, 0.3, 0.5], [1.0, 1.0, 8.0]]], [2, 0]),
    (lambda a: D.Categorical(logits=a), [[[0.2, 0.3, 0.5], [1.0, -1.0, 0.0]]], [2, 0]),
    (lambda a: D.OneHotCategorical(a), [[[0.2, 0.3, 0.5], [1.0, 1.0, 8.0]]], [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    (lambda a: D.Multinomial(4, a), [[[0.2, 0.3, 0.5], [1.0, 1.0, 8.0]]], [[0.0, 1.0, 3.0], [2.0, 1.0, 1.0]]),
    (lambda a, b: D.LogNormal(a, b), [[0.5, -1.0], [1.0, 2.0]], [0.3, 2.0]),
    (lambda a: D.HalfNormal(a), [[0.5, 2.0]], [0.3, 2.0]),
    (lambda a: D.HalfCauchy(a), [[0.5, 2.0]], [0.3, 2.0]),
    (lambda a, b: D.InverseGamma(a, b), [[2.5, 1.5], [1.0, 2.0]], [0.3, 2.0]),
    (lambda a, b: D.Pareto(a, b), [[0.2, 1.5], [3.0, 1.5]], [0.3, 2.0]),
    (lambda a, b: D.Weibull(a, b), [[0.5, 1.5], [3.0, 1.5]], [0.3, 2.0]),
    (lambda a, b: D.Gumbel(a, b), [[0.5, -1.5], [3.0, 1.5]], [0.3, 2.0]),
    (lambda a, b: D.Kumaraswamy(a, b), [[0.5, 1.5], [3.0, 1.5]], [0.3, 0.7]),
    (lambda a, b: D.LogisticNormal(a, b), [[0.5, -1.5], [3.0, 1.5]], [0.3, 0.2, 0.5]),
    (lambda a: D.RelaxedBernoulli(t(0.7), a), [[0.2, 0.7]], [0.3, 0.8]),
    (lambda a: D.RelaxedOneHotCategorical(t(0.7), a), [[[0.2, 0.3, 0.5], [1.0, 1.0, 8.0]]],
     [[0.2, 0.3, 0.5], [0.1, 0.1, 0.8]]),
    (lambda a, b: D.MultivariateNormal(a, b), [[0.5, -1.5], [[2.0, 0.5], [0.5, 1.0]]], [[0.3, 0.7], [0.0, 1.0]]),
    (lambda a, b: D.MultivariateNormal(a, precision_matrix=b), [[0.5, -1.5], [[2.0, 0.5], [0.5, 1.0]]], [0.3, 0.7]),
    (lambda a, b: D.MultivariateNormal(a, scale_tril=b), [[[0.5, -1.5], [0.0, 1.0]], tril.tolist()], [0.3, 0.7]),
    (lambda a, b, c: D.LowRankMultivariateNormal(a, b, c),
     [[0.5, -1.5, 0.0], [[2.0, 0.5], [0.5, 1.0], [0.3, 0.1]], [1.0, 2.0, 0.5]], [0.3, 0.7, -1.0]),
    (lambda a, b: D.Wishart(a, b), [[3.5, 4.5], [[2.0, 0.5], [0.5, 1.0]]], [[2.0, 0.4], [0.4, 3.0]]),
    (lambda a: D.LKJCholesky(2, a), [[0.5, 1.5]], [[1.0, 0.0], [0.6, 0.8]]),
    (lambda a, b: D.Independent(D.Normal(a, b), 1), [[[0.5, -1.0], [0.0, 1.0]], [1.0, 2.0]], [0.3, 2.0]),
    (lambda a, b: D.MixtureSameFamily(D.Categorical(a), D.Normal(b, 1.0)), [[0.2, 0.8], [-1.0, 2.0]], [0.3, 2.0]),
    (lambda a, b: D.MixtureSameFamily(D.Categorical(a), D.Independent(D.Normal(b, 1.0), 1)),
     [[0.2, 0.8], [[-1.0, 2.0], [0.0, 1.0]]], [0.3, 2.0]),
    (lambda a, b: D.TransformedDistribution(D.Normal(a, b), [D.ExpTransform(), D.AffineTransform(1.0, -2.0)]),
     [[0.5, -1.0], [1.0, 2.0]], [-0.3, -2.0]),
]


def shown(thing):
    return thing.tolist() if isinstance(thing, torch.Tensor) else thing


def answer(name, ask):
    try:
        result = ask()
    except NotImplementedError:
        return None
    print(f"  {name}", shown(result.detach() if isinstance(result, torch.Tensor) else result))
    return result


for make, numbers, value in CASES:
    params = [t(each).requires_grad_() for each in numbers]
    value = t(value)
    dist = make(*params)
    print(dist, dist.batch_shape, dist.event_shape, dist.has_rsample, dist.has_enumerate_support)
    print("  support", type(dist.support).__name__, dist.support.event_dim)
    log_prob = answer("log_prob", lambda: dist.log_prob(value))
    print("  gradients", [shown(each) for each in torch.autograd.grad(log_prob.sum(), params, retain_graph=True)])
    entropy = answer("entropy", lambda: dist.entropy())
    if entropy is not None and entropy.requires_grad:
        print("  gradients", [each if each is None else shown(each) for each in torch.autograd.grad(
            entropy.sum(), params, allow_unused=True, retain_graph=True)])
    for name in ("mean", "mode", "variance", "stddev"):
        answer(name, lambda: getattr(dist, name))
    if type(dist).__name__ not in ("HalfCauchy",):
        answer("cdf", lambda: dist.cdf(value))
    if not dist.event_shape:
        answer("icdf", lambda: dist.icdf(t([0.1, 0.6] if dist.batch_shape != (3,) else 0.6)))
    if dist.has_enumerate_support:
        answer("enumerate", lambda: dist.enumerate_support())
        answer("enumerate", lambda: dist.enumerate_support(expand=False))
    wide = dist.expand((3, 1) + dist.batch_shape)
    print(" ", type(wide).__name__, wide.batch_shape, wide.event_shape, wide.log_prob(value).sum(0).tolist())
    answer("mean", lambda: wide.mean.shape)

a = D.Normal(0.0, 1.0)
print(a, D.Normal(torch.zeros(1), 1.0), D.Categorical(torch.ones(3)), D.Chi2(2.0), D.Uniform(0.0, torch.ones(2)))
print(D.Bernoulli(0.3), D.Bernoulli(logits=torch.zeros(2)), D.Binomial(3, torch.tensor(0.5)), D.Beta(1.0, 2.0))
print(a.perplexity().item(), a.sample().shape, a.sample((2, 3)).shape, a.expand((2,)).sample((3,)).shape)
torch.set_default_dtype(torch.float32)
