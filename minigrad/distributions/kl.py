"""The Kullback-Leibler divergence of two distributions: the mean of log p(x) - log q(x) over x drawn from p.

Within a family there is a closed form.  Between families

    KL(p || q) = -entropy(p) - E_p[log q(x)],

and log q is a sum of a few functions of x, whose means under p are known: x, x^2, log x, log(1 - x), exp(-x / s).  So
two tables of formulas, one for each p and one for each q, make all the pairs.  Where p has values that q cannot have,
the divergence is infinite.
"""

import math

import minigrad as torch
from minigrad._core.errors import error, warn
from minigrad.distributions.categories import Categorical, OneHotCategorical
from minigrad.distributions.composed import Independent, TransformedDistribution
from minigrad.distributions.counts import Bernoulli, Binomial, ContinuousBernoulli, Geometric, Poisson
from minigrad.distributions.distribution import Distribution, ExponentialFamily, gradients_of_normalizer
from minigrad.distributions.gammas import Beta, Dirichlet, Exponential, Gamma
from minigrad.distributions.line import Cauchy, Laplace, Normal, Uniform
from minigrad.distributions.multivariate import LowRankMultivariateNormal, MultivariateNormal
from minigrad.distributions.transformed import Gumbel, HalfNormal, Pareto
from minigrad.distributions.utils import euler_constant, sum_rightmost
from minigrad.nn.functional import softplus

__all__ = ["kl_divergence", "register_kl"]

_KL_REGISTRY = {}


def register_kl(type_p, type_q):
    """Decorator: the function computes the divergence of a ``type_p`` from a ``type_q``, or subclasses of them.

    Any class will do, be it a ``Distribution`` or not.

    >>> from minigrad.distributions import Normal, kl_divergence, register_kl
    >>> class Fixed(Normal):
    ...     pass
    >>> @register_kl(Fixed, Fixed)
    ... def distance(p, q):
    ...     return (p.loc - q.loc).abs()
    >>> kl_divergence(Fixed(1., 1.), Fixed(3., 1.))
    tensor(2.)
    """
    for name, kind in (("type_p", type_p), ("type_q", type_q)):
        if not isinstance(kind, type):
            raise error("MG205", f"Expected {name} to be a class, such as a subclass of Distribution, but got {kind}")

    def register(function):
        _KL_REGISTRY[type_p, type_q] = function
        return function
    return register


def kl_divergence(p, q):
    """The divergence of ``p`` from ``q``, for each distribution of the batch.

    >>> from minigrad.distributions import Normal, kl_divergence
    >>> kl_divergence(Normal(1., 1.), Normal(0., 1.))
    tensor(0.5000)
    """
    return _function_for(type(p), type(q))(p, q)


def _function_for(p, q):
    """The function of the nearest base classes: first of p, then of q; a warning if the other order finds another."""
    found = [(_distance(p, left), _distance(q, right), function)
             for (left, right), function in _KL_REGISTRY.items() if issubclass(p, left) and issubclass(q, right)]
    if not found:
        raise error("MG732", f"No KL(p || q) is implemented for p type {p.__name__} and q type {q.__name__}")
    left = min(found, key=lambda each: each[:2])
    right = min(found, key=lambda each: each[1::-1])
    if left[2] is not right[2]:
        classes = {function: pair for pair, function in _KL_REGISTRY.items()}
        warn(f"Ambiguous kl_divergence({p.__name__}, {q.__name__}). Please register_kl("
             f"{classes[left[2]][0].__name__}, {classes[right[2]][1].__name__})", RuntimeWarning)
    return left[2]


def _distance(kind, base):
    """How far a class is from one that it is a subclass of, or only counts as one."""
    return kind.__mro__.index(base) if base in kind.__mro__ else len(kind.__mro__)


# ------------------------------------------------------------------------------ within a family

@register_kl(Normal, Normal)
def _normal(p, q):
    ratio = (p.scale / q.scale).pow(2)
    return 0.5 * (ratio + ((p.loc - q.loc) / q.scale).pow(2) - 1 - ratio.log())


@register_kl(HalfNormal, HalfNormal)
def _half_normal(p, q):
    return _normal(p.base_dist, q.base_dist)


@register_kl(Laplace, Laplace)
def _laplace(p, q):
    ratio, apart = p.scale / q.scale, (p.loc - q.loc).abs()
    return -ratio.log() + apart / q.scale + ratio * (-apart / p.scale).exp() - 1


@register_kl(Cauchy, Cauchy)
def _cauchy(p, q):          # Chyzak and Nielsen 2019
    return ((p.scale + q.scale).pow(2) + (p.loc - q.loc).pow(2)).log() - (4 * p.scale * q.scale).log()


@register_kl(Gumbel, Gumbel)
def _gumbel(p, q):
    ratio, apart = p.scale / q.scale, (p.loc - q.loc) / q.scale
    return (-ratio.log() + apart + ratio * euler_constant + ((1 + ratio).lgamma() - apart).exp()
            - (1 + euler_constant))


@register_kl(Uniform, Uniform)
def _uniform(p, q):
    return _unless((q.low > p.low) | (q.high < p.high), ((q.high - q.low) / (p.high - p.low)).log())


@register_kl(Pareto, Pareto)
def _pareto(p, q):
    ratio = q.alpha / p.alpha
    return _unless(p.scale < q.scale, q.alpha * (p.scale / q.scale).log() - ratio.log() + ratio - 1)


@register_kl(Exponential, Exponential)
def _exponential(p, q):
    ratio = q.rate / p.rate
    return -ratio.log() + ratio - 1


@register_kl(Gamma, Gamma)
def _gamma(p, q):
    c, d = p.concentration, q.concentration
    return (d * (p.rate / q.rate).log() + d.lgamma() - c.lgamma() + (c - d) * c.digamma()
            + (q.rate - p.rate) * (c / p.rate))


@register_kl(Beta, Beta)
def _beta(p, q):
    return _dirichlet(p._dirichlet, q._dirichlet)


@register_kl(Dirichlet, Dirichlet)
def _dirichlet(p, q):
    c, d = p.concentration, q.concentration
    total = c.sum(-1)
    return (total.lgamma() - d.sum(-1).lgamma() - (c.lgamma() - d.lgamma()).sum(-1)
            + ((c - d) * (c.digamma() - total.digamma().unsqueeze(-1))).sum(-1))


@register_kl(Bernoulli, Bernoulli)
def _bernoulli(p, q):
    ones = p.probs * (softplus(-q.logits) - softplus(-p.logits))
    zeros = (1 - p.probs) * (softplus(q.logits) - softplus(p.logits))
    return (_unless(q.probs == 0, ones).masked_fill(p.probs == 0, 0.0)
            + _unless(q.probs == 1, zeros).masked_fill(p.probs == 1, 0.0))


@register_kl(Binomial, Binomial)
def _binomial(p, q):
    if bool((p.total_count < q.total_count).any()):
        raise error("MG732", "KL between Binomials where q.total_count > p.total_count is not implemented")
    one = p.probs * (p.logits - q.logits) + (-p.probs).log1p() - (-q.probs).log1p()
    return _unless(p.total_count > q.total_count, p.total_count * one)


@register_kl(Geometric, Geometric)
def _geometric(p, q):
    return -p.entropy() - (-q.probs).log1p() / p.probs - q.logits


@register_kl(Poisson, Poisson)
def _poisson(p, q):
    return p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate)


@register_kl(Categorical, Categorical)
def _categorical(p, q):
    terms = p.probs * (p.logits - q.logits)
    return _unless(q.probs == 0, terms).masked_fill(p.probs == 0, 0.0).sum(-1)


@register_kl(OneHotCategorical, OneHotCategorical)
def _one_hot(p, q):
    return _categorical(p._categorical, q._categorical)


@register_kl(ContinuousBernoulli, ContinuousBernoulli)
def _continuous_bernoulli(p, q):
    return (p.mean * (p.logits - q.logits) + p._cont_bern_log_norm() + (-p.probs).log1p()
            - q._cont_bern_log_norm() - (-q.probs).log1p())


@register_kl(ExponentialFamily, ExponentialFamily)
def _exponential_family(p, q):
    """The Bregman divergence of the log normalizers."""
    if type(p) is not type(q):
        raise error("MG732", "The cross KL-divergence between different exponential families cannot be computed using "
                             "Bregman divergences")
    params, normalizer, gradients = gradients_of_normalizer(p)
    others = q._natural_params
    return q._log_normalizer(*others) - normalizer - sum(
        sum_rightmost((theirs - ours) * gradient, len(q.event_shape))
        for ours, theirs, gradient in zip(params, others, gradients))


@register_kl(Independent, Independent)
def _independent(p, q):
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise error("MG732", "No KL(p || q) of Independent distributions that take different numbers of dims together")
    return sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)


@register_kl(TransformedDistribution, TransformedDistribution)
def _transformed(p, q):
    if p.transforms != q.transforms or p.event_shape != q.event_shape:
        raise error("MG732", "No KL(p || q) of distributions behind different transforms")
    return kl_divergence(p.base_dist, q.base_dist)


# ------------------------------------------------------------------------------ normal vectors

def _normal_vectors(p, q):
    """(tr(Q^-1 P) + (m - n)^T Q^-1 (m - n) - k + log det Q - log det P) / 2, by Cholesky factors."""
    if p.event_shape != q.event_shape:
        raise error("MG731", "KL-divergence between two Multivariate Normals with different event shapes cannot be "
                             "computed")
    trace = sum(q._squares(root).sum(-1) for root in p._roots)
    distance = q._squares((q.loc - p.loc).unsqueeze(-1)).squeeze(-1)
    return 0.5 * (q._log_det() - p._log_det() + trace + distance - p.event_shape[0])


for _p in (MultivariateNormal, LowRankMultivariateNormal):
    for _q in (MultivariateNormal, LowRankMultivariateNormal):
        register_kl(_p, _q)(_normal_vectors)


# ------------------------------------------------------------------------------ between families

def _unless(impossible, divergence):
    """Infinity, where p has values that q cannot have."""
    return torch.where(impossible, math.inf, divergence)


def _x_log_x(x):
    return x.xlogy(x)


def _mean_log(p):
    """The mean of log x."""
    if isinstance(p, Exponential):
        return -euler_constant - p.rate.log()
    if isinstance(p, Pareto):
        return p.scale.log() + p.alpha.reciprocal()
    if isinstance(p, Beta):
        return p.concentration1.digamma() - (p.concentration1 + p.concentration0).digamma()
    return (_x_log_x(p.high) - _x_log_x(p.low)) / (p.high - p.low) - 1


def _mean_log_rest(p):
    """The mean of log(1 - x), of a uniform p."""
    return (_x_log_x(1 - p.low) - _x_log_x(1 - p.high)) / (p.high - p.low) - 1


def _mean_exp(p, scale):
    """The mean of exp(-x / scale)."""
    if isinstance(p, Normal):
        return (-p.loc / scale + 0.5 * (p.scale / scale).pow(2)).exp()
    if isinstance(p, Uniform):
        return scale / (p.high - p.low) * ((-p.low / scale).exp() - (-p.high / scale).exp())
    return (1 + (p.rate * scale).reciprocal()).pow(-getattr(p, "concentration", 1.0))


def _mean_distance(p, loc):
    """The mean of |x - loc|, of a normal p."""
    apart = (p.loc - loc) / p.scale
    return p.scale * (math.sqrt(2 / math.pi) * (-0.5 * apart.pow(2)).exp() + apart * (apart * math.sqrt(0.5)).erf())


#: {q: E_p[log q(x)]}
_MEAN_LOG_PROB = {
    Normal: lambda p, q: (-q.scale.log() - 0.5 * math.log(2 * math.pi)
                          - (p.variance + (p.mean - q.loc).pow(2)) / (2 * q.scale.pow(2))),
    Laplace: lambda p, q: -(2 * q.scale).log() - _mean_distance(p, q.loc) / q.scale,
    Gumbel: lambda p, q: (-q.scale.log() - (p.mean - q.loc) / q.scale
                          - (q.loc / q.scale).exp() * _mean_exp(p, q.scale)),
    Exponential: lambda p, q: q.rate.log() - q.rate * p.mean,
    Gamma: lambda p, q: (q.concentration * q.rate.log() - q.concentration.lgamma()
                         + (q.concentration - 1) * _mean_log(p) - q.rate * p.mean),
    Pareto: lambda p, q: q.alpha.log() + q.alpha * q.scale.log() - (q.alpha + 1) * _mean_log(p),
    Beta: lambda p, q: ((q.concentration1 - 1) * _mean_log(p) + (q.concentration0 - 1) * _mean_log_rest(p)
                        + (q.concentration1 + q.concentration0).lgamma() - q.concentration1.lgamma()
                        - q.concentration0.lgamma()),
    ContinuousBernoulli: lambda p, q: p.mean * q.logits + (-q.probs).log1p() + q._cont_bern_log_norm(),
    Uniform: lambda p, q: -(q.high - q.low).log(),
    Poisson: lambda p, q: p.mean * q.rate.log() - q.rate,       # of 0 and 1, whose factorials are 1
}

#: {p: {q: where p has values that q cannot have, or None: nowhere}}
_PAIRS = {
    Bernoulli: {Poisson: None},
    Beta: {ContinuousBernoulli: None, Exponential: None, Gamma: None, Normal: None,
           Uniform: lambda p, q: (q.low > 0) | (q.high < 1)},
    ContinuousBernoulli: {Exponential: None, Normal: None, Uniform: lambda p, q: (q.low >= 0) | (q.high <= 1)},
    Exponential: {Gamma: None, Gumbel: None, Normal: None},
    Gamma: {Exponential: None, Gumbel: None, Normal: None},
    Gumbel: {Normal: None},
    Laplace: {Normal: None},
    Normal: {Gumbel: None, Laplace: None},
    Pareto: {Exponential: None, Gamma: None, Normal: None},
    Uniform: {Beta: lambda p, q: (p.high > 1) | (p.low < 0),
              ContinuousBernoulli: lambda p, q: (p.high >= 1) | (p.low <= 0),
              Exponential: lambda p, q: p.low < 0, Gamma: lambda p, q: p.low < 0, Gumbel: None, Normal: None,
              Pareto: lambda p, q: p.low < q.scale},
}

#: {p: the q that cannot have some of its values, whatever the parameters}
_INFINITE = {
    Beta: [Pareto],
    ContinuousBernoulli: [Pareto],
    Exponential: [Beta, ContinuousBernoulli, Pareto, Uniform],
    Gamma: [Beta, ContinuousBernoulli, Pareto, Uniform],
    Gumbel: [Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform],
    Laplace: [Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform],
    Normal: [Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform],
    Pareto: [Beta, ContinuousBernoulli, Uniform],
    Poisson: [Bernoulli, Binomial],
}


def _between(mean_log_prob, impossible):
    def divergence(p, q):
        kl = -p.entropy() - mean_log_prob(p, q)
        return kl if impossible is None else _unless(impossible(p, q), kl)
    return divergence


def _infinite(p, q):
    return torch.full_like(p.mean, math.inf)


for _p, _others in _PAIRS.items():
    for _q, _impossible in _others.items():
        register_kl(_p, _q)(_between(_MEAN_LOG_PROB[_q], _impossible))
for _p, _others in _INFINITE.items():
    for _q in _others:
        register_kl(_p, _q)(_infinite)
