"""Integers: successes, failures until one, events.  And what takes the place of a coin's two sides: (0, 1).

Where a probability is a parameter, its logit log(p / (1 - p)) can be given instead: it may be any real number, and
densities that are computed from it lose no digits at the ends.
"""

import math

import minigrad as torch
from minigrad._core.errors import error
from minigrad.distributions import constraints
from minigrad.distributions.distribution import ExponentialFamily, Parametric
from minigrad.distributions.gammas import Gamma
from minigrad.distributions.utils import (broadcast_all, clamp_probs, lazy_property, logits_to_probs, probs_to_logits,
                                          uniform)
from minigrad.nn.functional import binary_cross_entropy_with_logits, logsigmoid

__all__ = ["Bernoulli", "Binomial", "ContinuousBernoulli", "Geometric", "LogitRelaxedBernoulli", "NegativeBinomial",
           "Poisson"]


def either(**given):
    """The one name and value that are given."""
    found = [(name, value) for name, value in given.items() if value is not None]
    if len(found) != 1:
        raise error("MG731", "Either `probs` or `logits` must be specified, but not both.")
    return found[0]


class Coin(Parametric):
    """A distribution with a probability, ``probs`` or ``logits``; the other is computed when it is needed."""

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}

    def _begin_coin(self, probs, logits, validate_args, **others):
        name, param = either(probs=probs, logits=logits)
        self._begin(validate_args, **others, **{name: param})

    @property
    def _param(self):
        return self.__dict__["probs"] if "probs" in self.__dict__ else self.__dict__["logits"]

    @property
    def param_shape(self):
        return self._param.shape

    @lazy_property
    def logits(self):
        return probs_to_logits(self.probs, is_binary=True)

    @lazy_property
    def probs(self):
        return logits_to_probs(self.logits, is_binary=True)

    def _up_to(self, largest, expand):
        """The numbers from 0 to ``largest`` along a new first dimension."""
        values = torch.arange(largest + 1, dtype=self._param.dtype).view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1,) + self._batch_shape) if expand else values


class Bernoulli(Coin, ExponentialFamily):
    """1 with probability p, otherwise 0.

    >>> from minigrad.distributions import Bernoulli
    >>> Bernoulli(0.25).log_prob(torch.tensor([0., 1.])).exp()
    tensor([0.7500, 0.2500])
    """

    support = constraints.boolean
    has_enumerate_support = True
    _mean_carrier_measure = 0

    def __init__(self, probs=None, logits=None, validate_args=None):
        self._begin_coin(probs, logits, validate_args)

    @property
    def mean(self):
        return self.probs

    @property
    def mode(self):
        return (self.probs >= 0.5).to(self.probs).masked_fill(self.probs == 0.5, math.nan)

    @property
    def variance(self):
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape=torch.Size()):
        with torch.no_grad():
            return torch.bernoulli(self.probs.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        return -binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self):
        return binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")

    def enumerate_support(self, expand=True):
        return self._up_to(1, expand)

    @property
    def _natural_params(self):
        return torch.logit(self.probs),

    def _log_normalizer(self, x):
        return x.exp().log1p()


class Binomial(Coin):
    """The successes in ``total_count`` trials of probability p.

    >>> from minigrad.distributions import Binomial
    >>> Binomial(2, torch.tensor(0.5)).log_prob(torch.tensor([0., 1., 2.])).exp()
    tensor([0.2500, 0.5000, 0.2500])
    """

    arg_constraints = {"total_count": constraints.nonnegative_integer, **Coin.arg_constraints}
    has_enumerate_support = True

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        name, param = either(probs=probs, logits=logits)
        total_count, param = broadcast_all(total_count, param)
        self._begin(validate_args, total_count=total_count.type_as(param), **{name: param})

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self):
        return constraints.integer_interval(0, self.total_count)

    @property
    def mean(self):
        return self.total_count * self.probs

    @property
    def mode(self):
        return ((self.total_count + 1) * self.probs).floor().clamp(max=self.total_count)

    @property
    def variance(self):
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        with torch.no_grad():
            return torch.binomial(self.total_count.expand(shape), self.probs.expand(shape))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        n, logits = self.total_count, self.logits
        # n log(1 + e^logits), whose exponential never overflows; half the slope at 0 comes from each side.
        positive = (logits.clamp(min=0) + logits - logits.clamp(max=0)) / 2
        normalizer = n * (positive + (-logits.abs()).exp().log1p())
        choices = (n + 1).lgamma() - (value + 1).lgamma() - (n - value + 1).lgamma()
        return value * logits + choices - normalizer

    def entropy(self):
        log_prob = self.log_prob(self.enumerate_support(False))
        return -(log_prob.exp() * log_prob).sum(0)

    def enumerate_support(self, expand=True):
        largest = int(self.total_count.max())
        if self.total_count.min() != largest:
            raise error("MG732", "Inhomogeneous total count not supported by `enumerate_support`.")
        return self._up_to(largest, expand)


class Geometric(Coin):
    """The failures before the first success of probability p."""

    support = constraints.nonnegative_integer

    def __init__(self, probs=None, logits=None, validate_args=None):
        self._begin_coin(probs, logits, validate_args)
        if self._validate_args and probs is not None and not bool((self.probs > 0).all()):
            raise not_positive(self)

    @property
    def mean(self):
        return 1.0 / self.probs - 1.0

    @property
    def mode(self):
        return torch.zeros_like(self.probs)

    @property
    def variance(self):
        return (1.0 / self.probs - 1.0) / self.probs

    def sample(self, sample_shape=torch.Size()):
        with torch.no_grad():
            tiny = torch.finfo(self.probs.dtype).tiny
            u = self.probs.new_empty(self._extended_shape(sample_shape)).uniform_(tiny, 1)
            return (u.log() / (-self.probs).log1p()).floor()

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        value, probs = broadcast_all(value, self.probs)
        failures = torch.where((probs == 1) & (value == 0), 0.0, probs)         # 0 log 0 = 0
        return value * (-failures).log1p() + self.probs.log()

    def entropy(self):
        return binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none") / self.probs


def not_positive(distribution):
    probs = distribution.probs
    return error("MG731", f"Expected parameter probs ({type(probs).__name__} of shape {tuple(probs.shape)}) of "
                          f"distribution {distribution!r} to be positive but found invalid values:\n"
                          f"{probs.detach()[~(probs > 0)]}")


class NegativeBinomial(Coin):
    """The successes of probability p before ``total_count`` failures, which may be fractional.

    It is a Poisson distribution whose rate has a gamma distribution.
    """

    arg_constraints = {"total_count": constraints.greater_than_eq(0),
                       "probs": constraints.half_open_interval(0.0, 1.0), "logits": constraints.real}
    support = constraints.nonnegative_integer

    def __init__(self, total_count, probs=None, logits=None, validate_args=None):
        name, param = either(probs=probs, logits=logits)
        total_count, param = broadcast_all(total_count, param)
        self._begin(validate_args, total_count=total_count.type_as(param), **{name: param})

    @property
    def mean(self):
        return self.total_count * self.logits.exp()

    @property
    def mode(self):
        return ((self.total_count - 1) * self.logits.exp()).floor().clamp(min=0.0)

    @property
    def variance(self):
        return self.mean / (-self.logits).sigmoid()

    def sample(self, sample_shape=torch.Size()):
        with torch.no_grad():
            rates = Gamma(self.total_count, (-self.logits).exp(), validate_args=False)
            return torch.poisson(rates.sample(sample_shape))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        n = self.total_count
        choices = (n + value).lgamma() - (1.0 + value).lgamma() - n.lgamma()
        return (n * logsigmoid(-self.logits) + value * logsigmoid(self.logits)
                + choices.masked_fill(n + value == 0, 0.0))


class Poisson(Parametric, ExponentialFamily):
    """The number of events that occur at a rate.

    >>> from minigrad.distributions import Poisson
    >>> Poisson(2.).log_prob(torch.tensor([0., 1.])).exp()
    tensor([0.1353, 0.2707])
    """

    arg_constraints = {"rate": constraints.nonnegative}
    support = constraints.nonnegative_integer

    def __init__(self, rate, validate_args=None):
        self._begin(validate_args, rate=rate)

    @property
    def mean(self):
        return self.rate

    variance = mean

    @property
    def mode(self):
        return self.rate.floor()

    def sample(self, sample_shape=torch.Size()):
        with torch.no_grad():
            return torch.poisson(self.rate.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        rate, value = broadcast_all(self.rate, value)
        return value.xlogy(rate) - rate - (value + 1).lgamma()

    @property
    def _natural_params(self):
        return self.rate.log(),

    def _log_normalizer(self, x):
        return x.exp()


# ------------------------------------------------------------------------------ between 0 and 1

class ContinuousBernoulli(Coin, ExponentialFamily):
    """Numbers in [0, 1] with a density proportional to p^x (1 - p)^(1 - x) (Loaiza-Ganem and Cunningham 2019).

    Its formulas divide by 1 - 2 p; inside ``lims``, around p = 1/2, their Taylor polynomials are used.
    """

    support = constraints.unit_interval
    has_rsample = True
    _mean_carrier_measure = 0

    def __init__(self, probs=None, logits=None, lims=(0.499, 0.501), validate_args=None):
        name, param = either(probs=probs, logits=logits)
        param, = broadcast_all(param)
        if name == "probs":
            if validate_args is not None and not bool(constraints.unit_interval.check(param).all()):
                raise error("MG731", "The parameter probs has invalid values")
            param = clamp_probs(param)
        self._lims = lims
        self._begin(validate_args, **{name: param})

    @lazy_property
    def probs(self):
        return clamp_probs(logits_to_probs(self.logits, is_binary=True))

    def _away(self, formula, near):
        """``formula(p)`` where p is outside the limits, and ``near`` inside; p is changed there to stay finite."""
        low, high = self._lims
        outside = (self.probs <= low) | (self.probs > high)
        return torch.where(outside, formula(torch.where(outside, self.probs, low)), near)

    def _cont_bern_log_norm(self):
        def formula(p):     # log(2 artanh(1 - 2 p) / (1 - 2 p))
            return ((-p).log1p() - p.log()).abs().log() - (1.0 - 2.0 * p).abs().log()
        x = (self.probs - 0.5) ** 2
        return self._away(formula, math.log(2.0) + (4.0 / 3.0 + 104.0 / 45.0 * x) * x)

    @property
    def mean(self):
        x = self.probs - 0.5
        return self._away(lambda p: p / (2.0 * p - 1.0) + 1.0 / ((-p).log1p() - p.log()),
                          0.5 + (1.0 / 3.0 + 16.0 / 45.0 * x ** 2) * x)

    @property
    def variance(self):
        x = (self.probs - 0.5) ** 2
        return self._away(lambda p: p * (p - 1.0) / (1.0 - 2.0 * p) ** 2 + 1.0 / ((-p).log1p() - p.log()) ** 2,
                          1.0 / 12.0 - (1.0 / 15.0 - 128.0 / 945.0 * x) * x)

    def rsample(self, sample_shape=torch.Size()):
        return self.icdf(uniform(self._extended_shape(sample_shape), self.probs))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        return self._cont_bern_log_norm() - binary_cross_entropy_with_logits(logits, value, reduction="none")

    def cdf(self, value):
        if self._validate_args:
            self._validate_sample(value)
        inside = self._away(lambda p: (p ** value * (1.0 - p) ** (1.0 - value) + p - 1.0) / (2.0 * p - 1.0), value)
        return torch.where(value <= 0, 0.0, torch.where(value >= 1, 1.0, inside))

    def icdf(self, value):
        return self._away(lambda p: ((-p + value * (2.0 * p - 1.0)).log1p() - (-p).log1p())
                          / (p.log() - (-p).log1p()), value)

    def entropy(self):
        none = (-self.probs).log1p()
        return self.mean * (none - self.probs.log()) - self._cont_bern_log_norm() - none

    @property
    def _natural_params(self):
        return self.logits,

    def _log_normalizer(self, x):       # log((e^x - 1) / x)
        low, high = (limit - 0.5 for limit in self._lims)
        outside = (x <= low) | (x > high)
        away = torch.where(outside, x, low)
        return torch.where(outside, away.expm1().abs().log() - away.abs().log(),
                           0.5 * x + x ** 2 / 24.0 - x ** 4 / 2880.0)


class LogitRelaxedBernoulli(Coin):
    """The logit of a relaxed Bernoulli variable, which is smooth: a logistic one, divided by the temperature
    (Maddison, Mnih and Teh 2017)."""

    support = constraints.real

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        self.temperature = temperature
        self._begin_coin(probs, logits, validate_args)

    def rsample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        probs = clamp_probs(self.probs.expand(shape))
        noise = clamp_probs(uniform(shape, probs))
        return (noise.log() - (-noise).log1p() + probs.log() - (-probs).log1p()) / self.temperature

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        apart = logits - value * self.temperature
        return self.temperature.log() + apart - 2 * apart.exp().log1p()
