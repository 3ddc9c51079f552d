"""What distributions refuse, and what they say."""
import torch
from torch import distributions as D
from torch.distributions import constraints, transforms as T

t = torch.tensor


def refused(ask):
    try:
        print(ask())
    except (ValueError, NotImplementedError, TypeError, RuntimeError) as problem:
        print("not implemented" if isinstance(problem, NotImplementedError) else problem)


refused(lambda: D.Normal(0.0, -1.0))
refused(lambda: D.Normal(t([0.0, float("nan")]), 1.0))
refused(lambda: D.Normal("a", 1.0))
refused(lambda: D.Uniform(1.0, 0.0))
refused(lambda: D.Bernoulli(1.5))
refused(lambda: D.Bernoulli())
refused(lambda: D.Bernoulli(0.5, 0.5))
refused(lambda: D.Categorical(t(1.0)))
refused(lambda: D.Categorical(t([-1.0, 2.0])))
refused(lambda: D.Categorical(t([0.5, 0.5])).log_prob(t(2)))
refused(lambda: D.Categorical(t([0.5, 0.5])).log_prob(t(0.5)))
refused(lambda: D.Normal(0.0, 1.0).log_prob(1.0))
refused(lambda: D.Normal(torch.zeros(3), 1.0).log_prob(torch.zeros(2)))
refused(lambda: D.MultivariateNormal(torch.zeros(3), torch.eye(3)).log_prob(torch.zeros(2)))
refused(lambda: D.MultivariateNormal(t(0.0), torch.eye(3)))
refused(lambda: D.MultivariateNormal(torch.zeros(3)))
refused(lambda: D.MultivariateNormal(torch.zeros(2), -torch.eye(2)))
refused(lambda: D.MultivariateNormal(torch.zeros(2), torch.zeros(2)))
refused(lambda: D.Exponential(1.0).log_prob(t(-1.0)))
refused(lambda: D.Beta(0.0, 1.0))
refused(lambda: D.Geometric(0.0))
refused(lambda: D.Poisson(-1.0))
refused(lambda: D.Dirichlet(t(1.0)))
refused(lambda: D.Independent(D.Normal(torch.zeros(2), 1.0), 2))
refused(lambda: D.Multinomial(t(2), torch.ones(2)))
refused(lambda: D.Binomial(t([2.0, 3.0]), t(0.5)).enumerate_support())
refused(lambda: D.LKJCholesky(1))
refused(lambda: D.MixtureSameFamily(D.Normal(0.0, 1.0), D.Normal(torch.zeros(2), 1.0)))
refused(lambda: D.MixtureSameFamily(D.Categorical(torch.ones(3)), D.Normal(torch.zeros(2), 1.0)))
refused(lambda: D.TransformedDistribution(D.Normal(0.0, 1.0), 3))
refused(lambda: D.TransformedDistribution(D.Normal(0.0, 1.0), [3]))
refused(lambda: D.TransformedDistribution(D.Normal(0.0, 1.0), T.StickBreakingTransform()))
refused(lambda: D.kl_divergence(D.Normal(0.0, 1.0), D.Poisson(1.0)))
refused(lambda: D.biject_to(constraints.boolean))
refused(lambda: constraints.dependent.check(t(1.0)))
refused(lambda: constraints.dependent.event_dim)
refused(lambda: T.ExpTransform(cache_size=2))
refused(lambda: T.ReshapeTransform((2,), (3,)))
refused(lambda: D.Normal(0.0, 1.0, validate_args=False).log_prob(t(float("nan"))))
refused(lambda: D.Normal(0.0, -1.0, validate_args=False))
refused(lambda: D.Wishart(t(1.0), torch.eye(3)))


class Custom(D.Normal):
    def __init__(self, loc):
        super().__init__(loc, 1.0)


refused(lambda: Custom(0.0).expand((2,)))
refused(lambda: D.Distribution(validate_args=False).mean)
D.Distribution.set_default_validate_args(False)
refused(lambda: D.Normal(0.0, -1.0))
D.Distribution.set_default_validate_args(True)
