"""Regions in which values are valid: of a parameter, or of a random variable.

    constraints.positive.check(torch.tensor([-1., 2.]))     # tensor([False,  True])

A constraint is a test.  ``check(value)`` answers for each event, which has the last ``event_dim`` dimensions of
``value``: a number, a vector (1) or a matrix (2).  Distributions test their parameters and samples with them, and
``biject_to(constraint)`` finds a transform from all real numbers onto the region.
"""

import minigrad as torch
from minigrad._core.errors import error
from minigrad.distributions.utils import undefined

__all__ = ["Constraint", "MixtureSameFamilyConstraint", "boolean", "cat", "corr_cholesky", "dependent",
           "dependent_property", "greater_than", "greater_than_eq", "half_open_interval", "independent",
           "integer_interval", "interval", "is_dependent", "less_than", "lower_cholesky", "lower_triangular",
           "multinomial", "nonnegative", "nonnegative_integer", "one_hot", "positive", "positive_definite",
           "positive_integer", "positive_semidefinite", "real", "real_vector", "simplex", "square", "stack",
           "symmetric", "unit_interval"]


class Constraint:
    """The base class: ``check``, and whether the values are discrete, and the dimensions of an event."""

    is_discrete = False
    event_dim = 0

    def check(self, value):
        """Whether each event of ``value`` is valid: a boolean tensor without the event's dimensions."""
        raise undefined(self, "check")

    def __repr__(self):
        shown = ", ".join(f"{name}={value}" for name, value in vars(self).items())
        return f"{type(self).__name__.removeprefix('_')}({shown})"


# ------------------------------------------------------------------------------ known later

class _Dependent(Constraint):
    """A region that depends on other values, such as the support of Uniform on its bounds: it cannot check."""

    def __init__(self, *, is_discrete=NotImplemented, event_dim=NotImplemented):
        self._is_discrete, self._event_dim = is_discrete, event_dim

    @property
    def is_discrete(self):
        return known("is_discrete", self._is_discrete)

    @property
    def event_dim(self):
        return known("event_dim", self._event_dim)

    def __call__(self, *, is_discrete=NotImplemented, event_dim=NotImplemented):
        return _Dependent(is_discrete=self._is_discrete if is_discrete is NotImplemented else is_discrete,
                          event_dim=self._event_dim if event_dim is NotImplemented else event_dim)

    def check(self, value):
        raise error("MG731", "Cannot determine validity of dependent constraint")

    def __repr__(self):
        return "Dependent()"


def known(name, value):
    if value is NotImplemented:
        raise error("MG732", f".{name} cannot be determined statically")
    return value


class _DependentProperty(property, _Dependent):
    """A property of the object that is a ``dependent`` constraint of the class."""

    def __init__(self, fn=None, *, is_discrete=NotImplemented, event_dim=NotImplemented):
        super().__init__(fn)
        self._is_discrete, self._event_dim = is_discrete, event_dim

    def __call__(self, fn):
        return _DependentProperty(fn, is_discrete=self._is_discrete, event_dim=self._event_dim)


def is_dependent(constraint):
    """Can this constraint only be checked once other values are known?

    >>> from minigrad.distributions import Bernoulli, constraints
    >>> constraints.is_dependent(Bernoulli(0.5).arg_constraints["probs"])
    False
    """
    return isinstance(constraint, _Dependent)


# ------------------------------------------------------------------------------ numbers

class _Real(Constraint):
    def check(self, value):
        return value == value                               # nan is not equal to itself


class _Boolean(Constraint):
    is_discrete = True

    def check(self, value):
        return (value == 0) | (value == 1)


class _Above(Constraint):
    def __init__(self, lower_bound):
        self.lower_bound = lower_bound


class _Below(Constraint):
    def __init__(self, upper_bound):
        self.upper_bound = upper_bound


class _Between(Constraint):
    def __init__(self, lower_bound, upper_bound):
        self.lower_bound, self.upper_bound = lower_bound, upper_bound


class _GreaterThan(_Above):
    def check(self, value):
        return self.lower_bound < value


class _GreaterThanEq(_Above):
    def check(self, value):
        return self.lower_bound <= value


class _LessThan(_Below):
    def check(self, value):
        return value < self.upper_bound


class _Interval(_Between):
    def check(self, value):
        return (self.lower_bound <= value) & (value <= self.upper_bound)


class _HalfOpenInterval(_Between):
    def check(self, value):
        return (self.lower_bound <= value) & (value < self.upper_bound)


class _IntegerInterval(_Between):
    is_discrete = True

    def check(self, value):
        return (value % 1 == 0) & (self.lower_bound <= value) & (value <= self.upper_bound)


class _IntegerLessThan(_Below):
    is_discrete = True

    def check(self, value):
        return (value % 1 == 0) & (value <= self.upper_bound)


class _IntegerGreaterThan(_Above):
    is_discrete = True

    def check(self, value):
        return (value % 1 == 0) & (value >= self.lower_bound)


# ------------------------------------------------------------------------------ vectors

class _Simplex(Constraint):
    event_dim = 1

    def check(self, value):
        return (value >= 0).all(-1) & ((value.sum(-1) - 1).abs() < 1e-6)


class _OneHot(Constraint):
    is_discrete = True
    event_dim = 1

    def check(self, value):
        return boolean.check(value).all(-1) & (value.sum(-1) == 1)


class _Multinomial(_Below):
    is_discrete = True
    event_dim = 1

    def check(self, value):
        return (value >= 0).all(-1) & (value.sum(-1) <= self.upper_bound)

    def __repr__(self):
        return "Multinomial()"


# ------------------------------------------------------------------------------ matrices

class _LowerTriangular(Constraint):
    event_dim = 2

    def check(self, value):
        return (value.tril() == value).flatten(-2).all(-1)


class _LowerCholesky(Constraint):
    event_dim = 2

    def check(self, value):
        return lower_triangular.check(value) & (value.diagonal(dim1=-2, dim2=-1) > 0).all(-1)


class _CorrCholesky(Constraint):
    event_dim = 2

    def check(self, value):
        rounding = 10 * torch.finfo(value.dtype).eps * value.size(-1)
        lengths = value.detach().square().sum(-1).sqrt()
        return lower_cholesky.check(value) & ((lengths - 1).abs() <= rounding).all(-1)


class _Square(Constraint):
    event_dim = 2

    def check(self, value):
        return torch.full(value.shape[:-2], value.shape[-2] == value.shape[-1], dtype=torch.bool)


class _Symmetric(_Square):
    def check(self, value):
        squares = super().check(value)
        return torch.isclose(value, value.mT, atol=1e-6).all(-2).all(-1) if squares.all() else squares


class _PositiveSemidefinite(_Symmetric):
    def check(self, value):
        symmetric = super().check(value)
        return (torch.linalg.eigvalsh(value) >= 0).all(-1) if symmetric.all() else symmetric


class _PositiveDefinite(_Symmetric):
    def check(self, value):
        symmetric = super().check(value)
        return torch.linalg.cholesky_ex(value).info == 0 if symmetric.all() else symmetric


# ------------------------------------------------------------------------------ constraints of constraints

class _IndependentConstraint(Constraint):
    """An event of ``base_constraint`` for every place of further dimensions, all of them valid."""

    def __init__(self, base_constraint, reinterpreted_batch_ndims):
        self.base_constraint, self.reinterpreted_batch_ndims = base_constraint, reinterpreted_batch_ndims

    @property
    def is_discrete(self):
        return self.base_constraint.is_discrete

    @property
    def event_dim(self):
        return self.base_constraint.event_dim + self.reinterpreted_batch_ndims

    def check(self, value):
        valid = self.base_constraint.check(value)
        if valid.dim() < self.reinterpreted_batch_ndims:
            raise error("MG731", f"Expected value.dim() >= {self.event_dim} but got {value.dim()}")
        return valid.reshape(valid.shape[:valid.dim() - self.reinterpreted_batch_ndims] + (-1,)).all(-1)

    def __repr__(self):
        return f"IndependentConstraint({self.base_constraint!r}, {self.reinterpreted_batch_ndims})"


class MixtureSameFamilyConstraint(Constraint):
    """The values of a mixture: valid where every component's constraint holds."""

    def __init__(self, base_constraint):
        self.base_constraint = base_constraint

    @property
    def is_discrete(self):
        return self.base_constraint.is_discrete

    @property
    def event_dim(self):
        return self.base_constraint.event_dim

    def check(self, value):
        valid = self.base_constraint.check(value.unsqueeze(-1 - self.event_dim))
        return valid.reshape(valid.shape[:value.dim() - self.event_dim] + (-1,)).all(-1)

    def __repr__(self):
        return f"MixtureSameFamilyConstraint({self.base_constraint!r})"


class _Cat(Constraint):
    """A constraint for each piece of ``lengths`` along ``dim``."""

    def __init__(self, cseq, dim=0, lengths=None):
        self.cseq, self.dim = list(cseq), dim
        self.lengths = [1] * len(self.cseq) if lengths is None else list(lengths)

    @property
    def is_discrete(self):
        return any(each.is_discrete for each in self.cseq)

    @property
    def event_dim(self):
        return max(each.event_dim for each in self.cseq)

    def check(self, value):
        pieces = value.split(self.lengths, self.dim)
        return torch.cat([each.check(piece) for each, piece in zip(self.cseq, pieces)], self.dim)

    def __repr__(self):
        return "Cat()"


class _Stack(Constraint):
    """A constraint for each place along ``dim``."""

    def __init__(self, cseq, dim=0):
        self.cseq, self.dim = list(cseq), dim

    @property
    def is_discrete(self):
        return any(each.is_discrete for each in self.cseq)

    @property
    def event_dim(self):
        dim = max(each.event_dim for each in self.cseq)
        return dim + 1 if self.dim + dim < 0 else dim

    def check(self, value):
        return torch.stack([each.check(part) for each, part in zip(self.cseq, value.unbind(self.dim))], self.dim)

    def __repr__(self):
        return "Stack()"


dependent = _Dependent()
dependent_property = _DependentProperty
independent = _IndependentConstraint
boolean = _Boolean()
one_hot = _OneHot()
nonnegative_integer = _IntegerGreaterThan(0)
positive_integer = _IntegerGreaterThan(1)
integer_interval = _IntegerInterval
real = _Real()
real_vector = independent(real, 1)
positive = _GreaterThan(0.0)
nonnegative = _GreaterThanEq(0.0)
greater_than = _GreaterThan
greater_than_eq = _GreaterThanEq
less_than = _LessThan
multinomial = _Multinomial
unit_interval = _Interval(0.0, 1.0)
interval = _Interval
half_open_interval = _HalfOpenInterval
simplex = _Simplex()
lower_triangular = _LowerTriangular()
lower_cholesky = _LowerCholesky()
corr_cholesky = _CorrCholesky()
square = _Square()
symmetric = _Symmetric()
positive_semidefinite = _PositiveSemidefinite()
positive_definite = _PositiveDefinite()
cat = _Cat
stack = _Stack
