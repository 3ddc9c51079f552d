"""The base classes of all distributions: a density, and a way to draw.

    normal = Normal(torch.tensor([0., 5.]), 1.)     # batch_shape (2,): two distributions side by side
    x = normal.rsample((3,))                        # three draws of each, (3, 2), with gradients
    normal.log_prob(x)                              # the logarithms of their densities, (3, 2)

A sample has the shape ``sample_shape + batch_shape + event_shape``: what one asks for, the distributions side by side,
and what one draw consists of (nothing for a number, ``(n,)`` for a vector).  ``log_prob`` has it without the event.

The one idea: ``rsample`` writes a draw as a function of the parameters and of noise that does not depend on them, as in
``loc + scale * noise``.  So the gradient of an expectation is the expectation of a gradient (Kingma and Welling 2013).
``sample`` draws the same numbers without a graph.
"""

import minigrad as torch
from minigrad._core.errors import error, warn
from minigrad.distributions import constraints
from minigrad.distributions.utils import broadcast_all, lazy_property, undefined

__all__ = ["Distribution", "ExponentialFamily"]


class Distribution:
    """The base class.  A subclass gives ``arg_constraints``, ``support``, ``rsample`` or ``sample``, ``log_prob``."""

    has_rsample = False
    has_enumerate_support = False
    _validate_args = __debug__

    @staticmethod
    def set_default_validate_args(value):
        """Are parameters and values checked, unless ``validate_args`` says so?  Yes, except with ``python -O``."""
        if value not in (True, False):
            raise error("MG731", f"set_default_validate_args() takes True or False, not {value!r}")
        Distribution._validate_args = value

    def __init__(self, batch_shape=torch.Size(), event_shape=torch.Size(), validate_args=None):
        self._batch_shape, self._event_shape = batch_shape, event_shape
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            for name, constraint in _constraints_of(self).items():
                lazy = name not in self.__dict__ and isinstance(getattr(type(self), name), lazy_property)
                if not (lazy or constraints.is_dependent(constraint)):
                    value = getattr(self, name)
                    if not all_true(constraint.check(value)):
                        raise wrong_parameter(self, name, value, constraint)
        super().__init__()

    def expand(self, batch_shape, _instance=None):
        """The same distribution, repeated to another ``batch_shape`` without copying its parameters."""
        raise undefined(self, "expand")

    @property
    def batch_shape(self):
        """The shape of the distributions side by side."""
        return self._batch_shape

    @property
    def event_shape(self):
        """The shape of a single draw."""
        return self._event_shape

    @property
    def arg_constraints(self):
        """{name of a parameter: its constraint}."""
        raise undefined(self, "arg_constraints")

    @property
    def support(self):
        """The constraint that all samples satisfy."""
        raise undefined(self, "support")

    @property
    def mean(self):
        """The mean."""
        raise undefined(self, "mean")

    @property
    def mode(self):
        """The value of highest density."""
        raise error("MG732", f"{type(self)} does not implement mode")

    @property
    def variance(self):
        """The variance."""
        raise undefined(self, "variance")

    @property
    def stddev(self):
        """The standard deviation."""
        return self.variance.sqrt()

    def sample(self, sample_shape=torch.Size()):
        """Draws, without a graph."""
        with torch.no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape=torch.Size()):
        """Draws that have gradients with respect to the parameters."""
        raise undefined(self, "rsample")

    def sample_n(self, n):
        """``sample((n,))``, which PyTorch prefers."""
        warn("`sample_n(n)` will be deprecated. Use `sample((n,))` instead.", FutureWarning)
        return self.sample(torch.Size((n,)))

    def log_prob(self, value):
        """The logarithm of the density at ``value``, or of its probability."""
        raise undefined(self, "log_prob")

    def cdf(self, value):
        """The probability of at most ``value``."""
        raise undefined(self, "cdf")

    def icdf(self, value):
        """The inverse of ``cdf``: the quantile of a probability."""
        raise undefined(self, "icdf")

    def enumerate_support(self, expand=True):
        """All values of a discrete distribution, along a new first dimension."""
        raise undefined(self, "enumerate_support")

    def entropy(self):
        """The expectation of ``-log_prob``."""
        raise undefined(self, "entropy")

    def perplexity(self):
        """The exponential of the entropy."""
        return self.entropy().exp()

    def _extended_shape(self, sample_shape=torch.Size()):
        return torch.Size(sample_shape) + self._batch_shape + self._event_shape

    def _validate_sample(self, value):
        """Raise unless ``value`` has a shape and numbers that could have been drawn."""
        if not isinstance(value, torch.Tensor):
            raise error("MG731", "The value argument to log_prob must be a Tensor")
        shape, expected = value.shape, self._batch_shape + self._event_shape
        if shape[len(shape) - len(self._event_shape):] != self._event_shape:
            raise error("MG731", "The right-most size of value must match event_shape: "
                                 f"{shape} vs {self._event_shape}.")
        if any(1 != i != j != 1 for i, j in zip(reversed(shape), reversed(expected))):
            raise error("MG731", f"Value is not broadcastable with batch_shape+event_shape: {shape} vs {expected}.")
        try:
            support = self.support
        except NotImplementedError:
            return warn(f"{type(self)} does not define `support` to enable sample validation. Please initialize the "
                        "distribution with `validate_args=False` to turn off validation.")
        if not all_true(support.check(value)):
            raise wrong_value(self, value, support)

    def _get_checked_instance(self, cls, _instance=None):
        """A blank object for ``expand``; an error if a subclass has an ``__init__`` that ``expand`` cannot know."""
        if _instance is not None:
            return _instance
        if type(self).__init__ is not cls.__init__:
            raise error("MG732", f"Subclass {type(self).__name__} of {cls.__name__} that defines a custom __init__ "
                                 "method must also define a custom .expand() method.")
        return self.__new__(type(self))

    def __repr__(self):
        given = {name: self.__dict__[name] for name in self.arg_constraints if name in self.__dict__}
        shown = [f"{name}: {value if value.numel() == 1 else value.size()}" for name, value in given.items()]
        return f"{type(self).__name__}({', '.join(shown)})"


def all_true(valid):
    return bool(torch.func.debug_unwrap(valid, recurse=True).all())


def _constraints_of(distribution):
    try:
        return distribution.arg_constraints
    except NotImplementedError:
        warn(f"{type(distribution)} does not define `arg_constraints`. Please set `arg_constraints = {{}}` or "
             "initialize the distribution with `validate_args=False` to turn off validation.")
        return {}


def wrong_parameter(distribution, name, value, constraint):
    return error("MG731", f"Expected parameter {name} ({type(value).__name__} of shape {tuple(value.shape)}) of "
                          f"distribution {distribution!r} to satisfy the constraint {constraint!r}, but found invalid "
                          f"values:\n{value}")


def wrong_value(distribution, value, support):
    return error("MG731", f"Expected value argument ({type(value).__name__} of shape {tuple(value.shape)}) to be "
                          f"within the support ({support!r}) of the distribution {distribution!r}, but found invalid "
                          f"values:\n{value}")


# ------------------------------------------------------------------------------ what most of them are

class Parametric(Distribution):
    """A distribution given by tensors, which are attributes of the names in ``arg_constraints``.

    They all begin with the batch's dimensions; those of the event follow.  So ``expand`` is the same for all.
    """

    def _begin(self, validate_args, **parameters):
        """Set the parameters, numbers or tensors, in one shape: the batch's."""
        for name, value in zip(parameters, broadcast_all(*parameters.values())):
            setattr(self, name, value)
        Distribution.__init__(self, value.shape, validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        return self._expanded(batch_shape, _instance)

    def _expanded(self, batch_shape, _instance=None, **given):
        """A copy of another batch shape, with some attributes ``given``."""
        ours = next(cls for cls in type(self).__mro__ if cls.__module__.startswith(__package__))
        new, batch_shape = self._get_checked_instance(ours, _instance), torch.Size(batch_shape)
        had, names = len(self._batch_shape), _parameters(self)
        for name, value in self.__dict__.items():
            if name in given:
                value = given[name]
            elif name in names:
                value = value.expand(batch_shape + value.shape[had:])
            elif isinstance(value, Distribution):
                value = value.expand(batch_shape + value.batch_shape[had:])
            elif isinstance(getattr(type(self), name, None), lazy_property):
                continue                                    # computed again when it is needed
            setattr(new, name, value)
        Distribution.__init__(new, batch_shape, self._event_shape, validate_args=False)
        new._validate_args = self._validate_args
        return new


def _parameters(distribution):
    """The names in ``arg_constraints`` of its class and of those above: Chi2 has Gamma's parameters, and ``df``."""
    given = [distribution.arg_constraints, *[vars(cls).get("arg_constraints") for cls in type(distribution).__mro__]]
    return {name for each in given if isinstance(each, dict) for name in each}


class ExponentialFamily(Distribution):
    """Densities exp(t(x) . theta - F(theta) + k(x)): natural parameters theta, and their log normalizer F.

    The gradient of F is the mean of t(x), so autograd computes the entropy F - theta . grad F - E[k]
    (Nielsen and Nock, "Entropies and cross-entropies of exponential families", 2010).
    """

    @property
    def _natural_params(self):
        raise undefined(self, "_natural_params")

    def _log_normalizer(self, *natural_params):
        raise undefined(self, "_log_normalizer")

    @property
    def _mean_carrier_measure(self):
        raise undefined(self, "_mean_carrier_measure")

    def entropy(self):
        params, normalizer, gradients = gradients_of_normalizer(self)
        # A parameter has dimensions of its own after the batch: none for Wishart's df, two for its matrix.
        return normalizer - self._mean_carrier_measure - sum(
            (param * gradient).reshape(*self._batch_shape, -1).sum(-1) for param, gradient in zip(params, gradients))


def gradients_of_normalizer(family):
    """The natural parameters, the log normalizer, and its gradients: the means of the sufficient statistics."""
    params = [param.detach().requires_grad_() for param in family._natural_params]
    with torch.enable_grad():
        normalizer = family._log_normalizer(*params)
        return params, normalizer, torch.autograd.grad(normalizer.sum(), params, create_graph=True)
