"""Probability distributions, as in ``torch.distributions``: densities, draws with gradients, divergences.

Read distribution.py first, then line.py.  Everything here is written with minigrad itself, as a user would write it.
"""

import sys as _sys

from minigrad._core.errors.absent import answering as _answering
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

#: PyTorch's modules that have another name here: one for each distribution there, one for each kind here
_THEIRS = {
    categories: "categorical multinomial one_hot_categorical",
    composed: "independent mixture_same_family transformed_distribution",
    counts: "bernoulli binomial continuous_bernoulli geometric negative_binomial poisson",
    distribution: "exp_family",
    gammas: "beta chi2 dirichlet exponential fishersnedecor gamma",
    line: "cauchy generalized_pareto laplace normal studentT uniform von_mises",
    multivariate: "lkj_cholesky lowrank_multivariate_normal multivariate_normal wishart",
    transformed: "gumbel half_cauchy half_normal inverse_gamma kumaraswamy log_normal logistic_normal pareto "
                 "relaxed_bernoulli relaxed_categorical weibull",
}
for _ours, _names in _THEIRS.items():
    for _name in _names.split():
        globals()[_name] = _sys.modules[f"{__name__}.{_name}"] = _ours
transformed.LogitRelaxedBernoulli = counts.LogitRelaxedBernoulli

__getattr__ = _answering(__name__)
