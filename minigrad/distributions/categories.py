"""One of n categories: as a number, as a one-hot vector, as counts of several draws."""

import minigrad as torch
from math import inf, lgamma, nan
from minigrad._core.errors import error
from minigrad.distributions import constraints
from minigrad.distributions.counts import Binomial, either
from minigrad.distributions.distribution import Parametric
from minigrad.distributions.utils import broadcast_all, lazy_property, logits_to_probs, probs_to_logits
from minigrad.nn.functional import one_hot

__all__ = ["Categorical", "Multinomial", "OneHotCategorical", "OneHotCategoricalStraightThrough"]


class Categorical(Parametric):
    """A number below n, with probabilities that are given up to a factor, or logits that are given up to a constant.

    >>> from minigrad.distributions import Categorical
    >>> Categorical(torch.tensor([1., 3.])).log_prob(torch.tensor(1)).exp()
    tensor(0.7500)
    """

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    has_enumerate_support = True

    def __init__(self, probs=None, logits=None, validate_args=None):
        name, param = either(probs=probs, logits=logits)
        if param.dim() < 1:
            raise error("MG731", f"`{name}` parameter must be at least one-dimensional.")
        if name == "probs":
            self.probs = probs / probs.sum(-1, keepdim=True)
        else:
            self.logits = logits - logits.logsumexp(dim=-1, keepdim=True)
        super().__init__(self._param.shape[:-1], validate_args=validate_args)

    @property
    def _param(self):
        return self.__dict__["probs"] if "probs" in self.__dict__ else self.__dict__["logits"]

    @property
    def _num_events(self):
        return self._param.shape[-1]

    @property
    def param_shape(self):
        return self._param.shape

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self):
        return constraints.integer_interval(0, self._num_events - 1)

    @lazy_property
    def logits(self):
        return probs_to_logits(self.probs)

    @lazy_property
    def probs(self):
        return logits_to_probs(self.logits)

    @property
    def mean(self):
        return self.probs.new_full(self._batch_shape, nan)      # categories have no order

    variance = mean

    @property
    def mode(self):
        return self.probs.argmax(-1)

    def sample(self, sample_shape=torch.Size()):
        sample_shape = torch.Size(sample_shape)
        rows = self.probs.detach().reshape(-1, self._num_events)
        return torch.multinomial(rows, sample_shape.numel(), True).T.reshape(self._extended_shape(sample_shape))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        value, logits = torch.broadcast_tensors(value.long().unsqueeze(-1), self.logits)
        return logits.gather(-1, value[..., :1]).squeeze(-1)

    def entropy(self):
        # A logit of -inf has probability 0, and contributes 0.
        return -(self.logits.clamp(min=torch.finfo(self.logits.dtype).min) * self.probs).sum(-1)

    def enumerate_support(self, expand=True):
        values = torch.arange(self._num_events).view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1,) + self._batch_shape) if expand else values


class OverCategories(Parametric):
    """Vectors with a place for each category of ``_categorical``."""

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}

    def _begin_over(self, categorical, validate_args):
        self._categorical = categorical
        Parametric.__init__(self, categorical.batch_shape, categorical.param_shape[-1:], validate_args=validate_args)

    @property
    def _param(self):
        return self._categorical._param

    @property
    def probs(self):
        return self._categorical.probs

    @property
    def logits(self):
        return self._categorical.logits

    @property
    def param_shape(self):
        return self._categorical.param_shape


class OneHotCategorical(OverCategories):
    """A one-hot vector of one category.

    >>> from minigrad.distributions import OneHotCategorical
    >>> OneHotCategorical(torch.tensor([0., 1., 0.])).sample()
    tensor([0., 1., 0.])
    """

    support = constraints.one_hot
    has_enumerate_support = True

    def __init__(self, probs=None, logits=None, validate_args=None):
        self._begin_over(Categorical(probs, logits), validate_args)

    @property
    def mean(self):
        return self.probs

    @property
    def mode(self):
        return one_hot(self.probs.argmax(-1), self._event_shape[0]).to(self.probs)

    @property
    def variance(self):
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape=torch.Size()):
        return one_hot(self._categorical.sample(sample_shape), self._event_shape[0]).to(self.probs)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return self._categorical.log_prob(value.argmax(-1))

    def entropy(self):
        return self._categorical.entropy()

    def enumerate_support(self, expand=True):
        n, = self._event_shape
        values = torch.eye(n, dtype=self._param.dtype).view((n,) + (1,) * len(self._batch_shape) + (n,))
        return values.expand((n,) + self._batch_shape + (n,)) if expand else values


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """One-hot vectors whose gradients are those of the probabilities (Bengio, Leonard and Courville 2013)."""

    has_rsample = True

    def rsample(self, sample_shape=torch.Size()):
        return self.sample(sample_shape) + (self.probs - self.probs.detach())


class Multinomial(OverCategories):
    """How often each category occurs in ``total_count`` draws.

    >>> from minigrad.distributions import Multinomial
    >>> Multinomial(10, torch.tensor([1., 1.])).mean
    tensor([5., 5.])
    """

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        if not isinstance(total_count, int):
            raise error("MG732", "inhomogeneous total_count is not supported")
        self.total_count = total_count
        self._begin_over(Categorical(probs, logits), validate_args)

    @constraints.dependent_property(is_discrete=True, event_dim=1)
    def support(self):
        return constraints.multinomial(self.total_count)

    @property
    def mean(self):
        return self.probs * self.total_count

    @property
    def variance(self):
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape=torch.Size()):
        sample_shape = torch.Size(sample_shape)
        drawn = self._categorical.sample(torch.Size((self.total_count,)) + sample_shape).movedim(0, -1)
        counts = drawn.new_zeros(self._extended_shape(sample_shape))
        return counts.scatter_add(-1, drawn, torch.ones_like(drawn)).type_as(self.probs)

    def entropy(self):
        # n H(categories) - log n! + the expectation of the sum of log k! (each count is binomial)
        binomial = Binomial(self.total_count, probs=self.probs)
        counts = binomial.enumerate_support(expand=False)[1:]
        chances = binomial.log_prob(counts).exp()
        return (self.total_count * self._categorical.entropy() - lgamma(self.total_count + 1)
                + (chances * (counts + 1).lgamma()).sum([0, -1]))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        logits = logits.masked_fill((value == 0) & (logits == -inf), 0.0)       # 0 log 0 = 0
        return (value.sum(-1) + 1).lgamma() - (value + 1).lgamma().sum(-1) + (logits * value).sum(-1)
