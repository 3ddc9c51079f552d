"""Distributions made of others: dimensions joined to an event, values transformed, mixtures."""

import minigrad as torch
from minigrad._core.errors import error
from minigrad.distributions import constraints
from minigrad.distributions.categories import Categorical
from minigrad.distributions.distribution import Distribution, Parametric
from minigrad.distributions.transforms import ComposeTransform, Transform
from minigrad.distributions.utils import sum_rightmost

__all__ = ["Independent", "MixtureSameFamily", "TransformedDistribution"]


class Independent(Parametric):
    """The last dimensions of a batch as one event: its parts are independent, their log densities add up.

    >>> from minigrad.distributions import Independent, Normal
    >>> vectors = Independent(Normal(torch.zeros(2, 3), 1.), 1)
    >>> vectors.batch_shape, vectors.event_shape
    (torch.Size([2]), torch.Size([3]))
    """

    arg_constraints = {}

    def __init__(self, base_distribution, reinterpreted_batch_ndims, validate_args=None):
        dims = len(base_distribution.batch_shape)
        if reinterpreted_batch_ndims > dims:
            raise error("MG731", "Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), actual "
                                 f"{reinterpreted_batch_ndims} vs {dims}")
        self.base_dist, self.reinterpreted_batch_ndims = base_distribution, reinterpreted_batch_ndims
        shape, cut = base_distribution._extended_shape(), dims - reinterpreted_batch_ndims
        super().__init__(shape[:cut], shape[cut:], validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        joined = self._event_shape[:self.reinterpreted_batch_ndims]
        return self._expanded(batch_shape, _instance, base_dist=self.base_dist.expand(torch.Size(batch_shape) + joined))

    @property
    def has_rsample(self):
        return self.base_dist.has_rsample

    @property
    def has_enumerate_support(self):
        return self.reinterpreted_batch_ndims == 0 and self.base_dist.has_enumerate_support

    @constraints.dependent_property
    def support(self):
        support = self.base_dist.support
        return constraints.independent(support, self.reinterpreted_batch_ndims
                                       ) if self.reinterpreted_batch_ndims else support

    @property
    def mean(self):
        return self.base_dist.mean

    @property
    def mode(self):
        return self.base_dist.mode

    @property
    def variance(self):
        return self.base_dist.variance

    def sample(self, sample_shape=torch.Size()):
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape=torch.Size()):
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value):
        return sum_rightmost(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self):
        return sum_rightmost(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    def enumerate_support(self, expand=True):
        if self.reinterpreted_batch_ndims > 0:
            raise error("MG732", "Enumeration over cartesian product is not implemented")
        return self.base_dist.enumerate_support(expand=expand)

    def __repr__(self):
        return f"{type(self).__name__}({self.base_dist}, {self.reinterpreted_batch_ndims})"


class TransformedDistribution(Parametric):
    """The distribution of t(x), where x has the base distribution: its density is p(x) / |dt/dx|.

    A normalizing flow is one whose transforms have parameters.

    >>> from minigrad.distributions import ExpTransform, Normal, TransformedDistribution
    >>> log_normal = TransformedDistribution(Normal(0., 1.), [ExpTransform()])
    >>> log_normal.log_prob(torch.tensor(1.))
    tensor(-0.9189)
    """

    arg_constraints = {}

    def __init__(self, base_distribution, transforms, validate_args=None):
        self.transforms = [transforms] if isinstance(transforms, Transform) else transforms
        if not isinstance(self.transforms, list):
            raise error("MG731", f"transforms must be a Transform or list, but was {transforms}")
        if not all(isinstance(each, Transform) for each in self.transforms):
            raise error("MG731", "transforms must be a Transform or a list of Transforms")
        whole = ComposeTransform(self.transforms)
        base_shape, base_event = base_distribution._extended_shape(), len(base_distribution.event_shape)
        before, after = whole.domain.event_dim, whole.codomain.event_dim
        if len(base_shape) < before:
            raise error("MG731", f"base_distribution needs to have shape with size at least {before}, "
                                 f"but got {base_shape}.")
        shape = whole.forward_shape(base_shape)
        needed = whole.inverse_shape(shape)
        if needed != base_shape:            # the parameters of a transform make more of them
            base_distribution = base_distribution.expand(needed[:len(needed) - base_event])
        if before > base_event:
            base_distribution = Independent(base_distribution, before - base_event)
        self.base_dist = base_distribution
        cut = len(shape) - max(after, base_event + after - before)
        super().__init__(shape[:cut], shape[cut:], validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        base_shape = ComposeTransform(self.transforms).inverse_shape(torch.Size(batch_shape) + self._event_shape)
        cut = len(base_shape) - len(self.base_dist.event_shape)
        return self._expanded(batch_shape, _instance, base_dist=self.base_dist.expand(base_shape[:cut]))

    @constraints.dependent_property(is_discrete=False)
    def support(self):
        if not self.transforms:
            return self.base_dist.support
        support = self.transforms[-1].codomain
        missing = len(self._event_shape) - support.event_dim
        return constraints.independent(support, missing) if missing > 0 else support

    @property
    def has_rsample(self):
        return self.base_dist.has_rsample

    def sample(self, sample_shape=torch.Size()):
        with torch.no_grad():
            return self._transformed(self.base_dist.sample(sample_shape))

    def rsample(self, sample_shape=torch.Size()):
        return self._transformed(self.base_dist.rsample(sample_shape))

    def _transformed(self, x):
        for transform in self.transforms:
            x = transform(x)
        return x

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        event_dim, y, stretched = len(self._event_shape), value, 0.0
        for transform in reversed(self.transforms):
            x = transform.inv(y)
            event_dim += transform.domain.event_dim - transform.codomain.event_dim
            stretched = stretched - sum_rightmost(transform.log_abs_det_jacobian(x, y),
                                                  event_dim - transform.domain.event_dim)
            y = x
        return stretched + sum_rightmost(self.base_dist.log_prob(y), event_dim - len(self.base_dist.event_shape))

    def _rising(self, probability):
        """1 - p instead of p, if the transforms turn small values into large ones."""
        sign = ComposeTransform(self.transforms).sign
        return probability if isinstance(sign, int) and sign == 1 else sign * (probability - 0.5) + 0.5

    def cdf(self, value):
        for transform in reversed(self.transforms):
            value = transform.inv(value)
        if self._validate_args:
            self.base_dist._validate_sample(value)
        return self._rising(self.base_dist.cdf(value))

    def icdf(self, value):
        return self._transformed(self.base_dist.icdf(self._rising(value)))


class MixtureSameFamily(Parametric):
    """A mixture: the last dimension of the batch of components is drawn at random.

    >>> from minigrad.distributions import Categorical, MixtureSameFamily, Normal
    >>> two_peaks = MixtureSameFamily(Categorical(torch.tensor([.5, .5])), Normal(torch.tensor([-1., 1.]), .1))
    >>> two_peaks.mean, two_peaks.variance
    (tensor(0.), tensor(1.0100))
    """

    arg_constraints = {}
    has_rsample = False

    def __init__(self, mixture_distribution, component_distribution, validate_args=None):
        if not isinstance(mixture_distribution, Categorical):
            raise error("MG731", " The Mixture distribution needs to be an  instance of "
                                 "torch.distributions.Categorical")
        if not isinstance(component_distribution, Distribution):
            raise error("MG731", "The Component distribution needs to be an instance of "
                                 "torch.distributions.Distribution")
        self._mixture_distribution, self._component_distribution = mixture_distribution, component_distribution
        ours, theirs = mixture_distribution.batch_shape, component_distribution.batch_shape[:-1]
        if any(1 != i != j != 1 for i, j in zip(reversed(ours), reversed(theirs))):
            raise error("MG731", f"`mixture_distribution.batch_shape` ({ours}) is not compatible with "
                                 f"`component_distribution.batch_shape`({theirs})")
        ours_last, theirs_last = mixture_distribution.logits.shape[-1], component_distribution.batch_shape[-1]
        if ours_last != theirs_last:
            raise error("MG731", f"`mixture_distribution component` ({ours_last}) does not equal "
                                 f"`component_distribution.batch_shape[-1]` ({theirs_last})")
        self._num_component = ours_last
        super().__init__(theirs, component_distribution.event_shape, validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        batch_shape = torch.Size(batch_shape)
        return self._expanded(
            batch_shape, _instance, _mixture_distribution=self._mixture_distribution.expand(batch_shape),
            _component_distribution=self._component_distribution.expand(batch_shape + (self._num_component,)))

    @constraints.dependent_property
    def support(self):
        return constraints.MixtureSameFamilyConstraint(self._component_distribution.support)

    @property
    def mixture_distribution(self):
        return self._mixture_distribution

    @property
    def component_distribution(self):
        return self._component_distribution

    @property
    def _dim(self):
        """The dimension of the components: in front of the event."""
        return -1 - len(self._event_shape)

    def _mean_of(self, values):
        """The mean over the components."""
        weights = self._mixture_distribution.probs
        return (weights.reshape(weights.shape + (1,) * len(self._event_shape)) * values).sum(self._dim)

    @property
    def mean(self):
        return self._mean_of(self._component_distribution.mean)

    @property
    def variance(self):
        # The mean of the variances, and the variance of the means.
        components = self._component_distribution
        apart = components.mean - self.mean.unsqueeze(self._dim)
        return self._mean_of(components.variance) + self._mean_of(apart.pow(2))

    def cdf(self, value):
        below = self._component_distribution.cdf(value.unsqueeze(self._dim))
        return (below * self._mixture_distribution.probs).sum(-1)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        log_probs = self._component_distribution.log_prob(value.unsqueeze(self._dim))
        return (log_probs + self._mixture_distribution.logits.log_softmax(-1)).logsumexp(-1)

    def sample(self, sample_shape=torch.Size()):
        with torch.no_grad():
            sample_shape = torch.Size(sample_shape)
            which = self._mixture_distribution.sample(sample_shape)
            drawn = self._component_distribution.sample(sample_shape)
            dim = len(sample_shape) + len(self._batch_shape)
            places = which.reshape(which.shape + (1,) * (1 + len(self._event_shape)))
            return drawn.gather(dim, places.expand(which.shape + (1,) + self._event_shape)).squeeze(dim)

    def __repr__(self):
        return f"MixtureSameFamily(\n  {self.mixture_distribution},\n  {self.component_distribution})"
