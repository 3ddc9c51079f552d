"""Distributions on the real line: a place, a width, and a shape."""

import math

import minigrad as torch
from minigrad.distributions import constraints
from minigrad.distributions.distribution import ExponentialFamily, Parametric
from minigrad.distributions.gammas import Chi2
from minigrad.distributions.utils import broadcast_all, lazy_property, standard_normal, uniform

__all__ = ["Cauchy", "GeneralizedPareto", "Laplace", "Normal", "StudentT", "Uniform", "VonMises"]


class Normal(Parametric, ExponentialFamily):
    """Density exp(-((x - loc) / scale)^2 / 2) / (scale sqrt(2 pi)).

    >>> from minigrad.distributions import Normal
    >>> Normal(0., 1.).log_prob(torch.tensor(0.))
    tensor(-0.9189)
    """

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True
    _mean_carrier_measure = 0

    def __init__(self, loc, scale, validate_args=None):
        self._begin(validate_args, loc=loc, scale=scale)

    @property
    def mean(self):
        return self.loc

    mode = mean

    @property
    def stddev(self):
        return self.scale

    @property
    def variance(self):
        return self.stddev.pow(2)

    def sample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        with torch.no_grad():
            return torch.normal(self.loc.expand(shape), self.scale.expand(shape))

    def rsample(self, sample_shape=torch.Size()):
        return self.loc + standard_normal(self._extended_shape(sample_shape), self.loc) * self.scale

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return -(value - self.loc) ** 2 / (2 * self.scale ** 2) - self.scale.log() - math.log(math.sqrt(2 * math.pi))

    def cdf(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return 0.5 * (1 + ((value - self.loc) * self.scale.reciprocal() / math.sqrt(2)).erf())

    def icdf(self, value):
        return self.loc + self.scale * (2 * value - 1).erfinv() * math.sqrt(2)

    def entropy(self):
        return 0.5 + 0.5 * math.log(2 * math.pi) + self.scale.log()

    @property
    def _natural_params(self):
        return self.loc / self.scale.pow(2), -0.5 * self.scale.pow(2).reciprocal()

    def _log_normalizer(self, x, y):
        return -0.25 * x.pow(2) / y + 0.5 * (-math.pi / y).log()


class Laplace(Parametric):
    """Density exp(-|x - loc| / scale) / (2 scale)."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        self._begin(validate_args, loc=loc, scale=scale)

    @property
    def mean(self):
        return self.loc

    mode = mean

    @property
    def variance(self):
        return 2 * self.scale.pow(2)

    @property
    def stddev(self):
        return 2 ** 0.5 * self.scale

    def rsample(self, sample_shape=torch.Size()):
        u = self.loc.new_empty(self._extended_shape(sample_shape)).uniform_(torch.finfo(self.loc.dtype).eps - 1, 1)
        return self.loc - self.scale * u.sign() * (-u.abs()).log1p()

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return -(2 * self.scale).log() - (value - self.loc).abs() / self.scale

    def cdf(self, value):
        if self._validate_args:
            self._validate_sample(value)
        apart = value - self.loc
        return 0.5 - 0.5 * apart.sign() * (-apart.abs() / self.scale).expm1()

    def icdf(self, value):
        apart = value - 0.5
        return self.loc - self.scale * apart.sign() * (-2 * apart.abs()).log1p()

    def entropy(self):
        return 1 + (2 * self.scale).log()


class Cauchy(Parametric):
    """Density 1 / (pi scale (1 + ((x - loc) / scale)^2)): the ratio of two normal numbers.  It has no mean."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        self._begin(validate_args, loc=loc, scale=scale)

    @property
    def mean(self):
        return torch.full_like(self.loc, math.nan)

    @property
    def mode(self):
        return self.loc

    @property
    def variance(self):
        return torch.full_like(self.loc, math.inf)

    def rsample(self, sample_shape=torch.Size()):
        return self.loc + self.loc.new_empty(self._extended_shape(sample_shape)).cauchy_() * self.scale

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return -math.log(math.pi) - self.scale.log() - (((value - self.loc) / self.scale) ** 2).log1p()

    def cdf(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return ((value - self.loc) / self.scale).atan() / math.pi + 0.5

    def icdf(self, value):
        return (math.pi * (value - 0.5)).tan() * self.scale + self.loc

    def entropy(self):
        return math.log(4 * math.pi) + self.scale.log()


class StudentT(Parametric):
    """loc + scale T, where T is a normal number divided by an estimate of its standard deviation from ``df`` others."""

    arg_constraints = {"df": constraints.positive, "loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True

    def __init__(self, df, loc=0.0, scale=1.0, validate_args=None):
        df, loc, scale = broadcast_all(df, loc, scale)
        self._chi2 = Chi2(df)
        self._begin(validate_args, df=df, loc=loc, scale=scale)

    @property
    def mean(self):
        return self.loc.masked_fill(self.df <= 1, math.nan)

    @property
    def mode(self):
        return self.loc

    @property
    def variance(self):
        variance = self.scale.pow(2) * self.df / (self.df - 2)
        return variance.masked_fill(self.df <= 2, math.inf).masked_fill(self.df <= 1, math.nan)

    def rsample(self, sample_shape=torch.Size()):
        normal = standard_normal(self._extended_shape(sample_shape), self.df)
        return self.loc + self.scale * normal * (self._chi2.rsample(sample_shape) / self.df).rsqrt()

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        y, df = (value - self.loc) / self.scale, self.df
        return -0.5 * (df + 1.0) * (y ** 2.0 / df).log1p() - self.scale.log() - 0.5 * df.log() - _log_beta(df)

    def entropy(self):
        half, df = 0.5 * (self.df + 1), self.df
        return self.scale.log() + half * (half.digamma() - (0.5 * df).digamma()) + 0.5 * df.log() + _log_beta(df)


def _log_beta(df):
    """log B(df / 2, 1 / 2)"""
    return (0.5 * df).lgamma() + math.lgamma(0.5) - (0.5 * (df + 1)).lgamma()


class Uniform(Parametric):
    """All numbers from ``low`` to below ``high``, equally likely.

    >>> from minigrad.distributions import Uniform
    >>> Uniform(1., 3.).stddev
    tensor(0.5774)
    """

    has_rsample = True

    def __init__(self, low, high, validate_args=None):
        self._begin(validate_args, low=low, high=high)

    @property
    def arg_constraints(self):
        return {"low": constraints.less_than(self.high), "high": constraints.greater_than(self.low)}

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self):
        return constraints.interval(self.low, self.high)

    @property
    def mean(self):
        return (self.high + self.low) / 2

    @property
    def mode(self):
        return math.nan * self.high

    @property
    def stddev(self):
        return (self.high - self.low) / 12 ** 0.5

    @property
    def variance(self):
        return (self.high - self.low).pow(2) / 12

    def rsample(self, sample_shape=torch.Size()):
        return self.low + uniform(self._extended_shape(sample_shape), self.low) * (self.high - self.low)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        inside = (self.low <= value) & (value < self.high)
        return inside.type_as(self.low).log() - (self.high - self.low).log()

    def cdf(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return ((value - self.low) / (self.high - self.low)).clamp(min=0, max=1)

    def icdf(self, value):
        return value * (self.high - self.low) + self.low

    def entropy(self):
        return (self.high - self.low).log()


class GeneralizedPareto(Parametric):
    """The excess over a high threshold: exponential if the concentration is 0, otherwise with a power tail."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive, "concentration": constraints.real}
    has_rsample = True

    def __init__(self, loc, scale, concentration, validate_args=None):
        self._begin(validate_args, loc=loc, scale=scale, concentration=concentration)

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self):
        end = self.loc - self.scale / self.concentration
        return constraints.interval(self.loc, torch.where(self.concentration < 0, end, math.inf))

    def _by_tail(self, exponential, power):
        """``exponential`` where the concentration c is 0, and ``power(c)`` elsewhere."""
        c = self.concentration
        none = torch.isclose(c, torch.zeros_like(c))
        return torch.where(none, exponential, power(torch.where(none, 1.0, c)))

    def _standardized(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return (value - self.loc) / self.scale

    def rsample(self, sample_shape=torch.Size()):
        return self.icdf(uniform(self._extended_shape(sample_shape), self.loc))

    def log_prob(self, value):
        z = self._standardized(value)
        return -self.scale.log() - self._by_tail(z, lambda c: (1 / c + 1).expand_as(z * c).xlogy(1 + c * z))

    def log_survival_function(self, value):
        """The logarithm of the probability of more than ``value``."""
        z = self._standardized(value)
        return self._by_tail(-z, lambda c: -(c * z).log1p() / c)

    def log_cdf(self, value):
        """The logarithm of ``cdf``."""
        return (-self.log_survival_function(value).exp()).log1p()

    def cdf(self, value):
        return self.log_cdf(value).exp()

    def icdf(self, value):
        log_above = (-value).log1p()
        return self.loc + self.scale * self._by_tail(-log_above, lambda c: (-c * log_above).expm1() / c)

    @property
    def mean(self):
        c = self.concentration
        return torch.where(c < 1, self.loc + self.scale / (1 - torch.where(c < 1, c, 0.5)), math.nan)

    @property
    def variance(self):
        c, exists = self.concentration, self.concentration < 0.5
        safe = torch.where(exists, c, 0.25)
        return torch.where(exists, self.scale ** 2 / ((1 - safe) ** 2 * (1 - 2 * safe)), math.nan)

    @property
    def mode(self):
        return self.loc

    def entropy(self):
        return self.scale.log() + self.concentration + 1


# ------------------------------------------------------------------------------ on a circle

class VonMises(Parametric):
    """An angle, with a density proportional to exp(concentration cos(x - loc)): the normal distribution of a circle."""

    arg_constraints = {"loc": constraints.real, "concentration": constraints.positive}
    support = constraints.real

    def __init__(self, loc, concentration, validate_args=None):
        self._begin(validate_args, loc=loc, concentration=concentration)

    @property
    def mean(self):
        return self.loc

    mode = mean

    @lazy_property
    def variance(self):
        """1 minus the length of the mean of the points on the circle."""
        k = self.concentration
        return 1 - torch.special.i1e(k) / torch.special.i0e(k)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        k = self.concentration
        log_bessel = torch.special.i0e(k).log() + k
        return k * (value - self.loc).cos() - math.log(2 * math.pi) - log_bessel

    def sample(self, sample_shape=torch.Size()):
        """By rejection from a wrapped Cauchy distribution (Best and Fisher 1979), in double precision."""
        with torch.no_grad():
            loc, k = self.loc.double(), self.concentration.double()
            tau = 1 + (1 + 4 * k ** 2).sqrt()
            rho = (tau - (2 * tau).sqrt()) / (2 * k)
            r = torch.where(k < 1e-5, 1 / k + k, (1 + rho ** 2) / (2 * rho))
            x = loc.new_zeros(self._extended_shape(sample_shape))
            done = torch.zeros(x.shape, dtype=torch.bool)
            while not done.all():
                u1, u2, u3 = torch.rand((3,) + x.shape, dtype=torch.float64)
                z = (math.pi * u1).cos()
                f = (1 + r * z) / (r + z)
                c = k * (r - f)
                accept = (c * (2 - c) - u2 > 0) | ((c / u2).log() + 1 - c >= 0)
                x = torch.where(accept, (u3 - 0.5).sign() * f.acos(), x)
                done = done | accept
            return ((x + math.pi + loc) % (2 * math.pi) - math.pi).to(self.loc.dtype)
