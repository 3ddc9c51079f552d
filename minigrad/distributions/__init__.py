"""Probability distributions, as in ``torch.distributions``: densities, draws with gradients, divergences.

Read distribution.py first, then line.py.  Everything here is written with minigrad itself, as a user would write it.
"""

from minigrad._core.errors.absent import answering as _answering
from minigrad._paths import below as _below
from minigrad.distributions import (categories, composed, constraint_registry, constraints, counts, distribution,
                                    gammas, kl, line, multivariate, transformed, transforms, utils)
from minigrad.distributions.categories import (Categorical, Multinomial, OneHotCategorical,
                                               OneHotCategoricalStraightThrough)
from minigrad.distributions.composed import Independent, MixtureSameFamily, TransformedDistribution
from minigrad.distributions.constraint_registry import biject_to, transform_to
from minigrad.distributions.counts import (Bernoulli, Binomial, ContinuousBernoulli, Geometric, NegativeBinomial,
                                           Poisson)
from minigrad.distributions.distribution import Distribution, ExponentialFamily
from minigrad.distributions.gammas import Beta, Chi2, Dirichlet, Exponential, FisherSnedecor, Gamma
from minigrad.distributions.kl import kl_divergence, register_kl
from minigrad.distributions.line import Cauchy, GeneralizedPareto, Laplace, Normal, StudentT, Uniform, VonMises
from minigrad.distributions.multivariate import LKJCholesky, LowRankMultivariateNormal, MultivariateNormal, Wishart
from minigrad.distributions.transformed import (Gumbel, HalfCauchy, HalfNormal, InverseGamma, Kumaraswamy, LogNormal,
                                                LogisticNormal, Pareto, RelaxedBernoulli, RelaxedOneHotCategorical,
                                                Weibull)
from minigrad.distributions.transforms import (
    AbsTransform, AffineTransform, CatTransform, ComposeTransform, CorrCholeskyTransform,
    CumulativeDistributionTransform, ExpTransform, IndependentTransform, LowerCholeskyTransform,
    PositiveDefiniteTransform, PowerTransform, ReshapeTransform, SigmoidTransform, SoftmaxTransform, SoftplusTransform,
    StackTransform, StickBreakingTransform, TanhTransform, Transform, identity_transform)

__all__ = ["Bernoulli", "Beta", "Binomial", "Categorical", "Cauchy", "Chi2", "ContinuousBernoulli", "Dirichlet",
           "Distribution", "Exponential", "ExponentialFamily", "FisherSnedecor", "Gamma", "GeneralizedPareto",
           "Geometric", "Gumbel", "HalfCauchy", "HalfNormal", "Independent", "InverseGamma", "Kumaraswamy",
           "LKJCholesky", "Laplace", "LogNormal", "LogisticNormal", "LowRankMultivariateNormal", "MixtureSameFamily",
           "Multinomial", "MultivariateNormal", "NegativeBinomial", "Normal", "OneHotCategorical",
           "OneHotCategoricalStraightThrough", "Pareto", "Poisson", "RelaxedBernoulli", "RelaxedOneHotCategorical",
           "StudentT", "TransformedDistribution", "Uniform", "VonMises", "Weibull", "Wishart", "biject_to",
           "kl_divergence", "register_kl", "transform_to", *transforms.__all__]

globals().update(_below(__name__))       # PyTorch's modules that have another name here
transformed.LogitRelaxedBernoulli = counts.LogitRelaxedBernoulli
transformed.__all__ = [*transformed.__all__, "LogitRelaxedBernoulli"]

__getattr__ = _answering(__name__)
