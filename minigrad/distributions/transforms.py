"""Functions with an inverse, and with the logarithm of the volume by which they stretch.

    t = AffineTransform(1., 2.)
    y = t(x);  x = t.inv(y);  t.log_abs_det_jacobian(x, y)      # log |dy/dx|

If x has the density p, then y = t(x) has p(x) / |dy/dx|: this is all that TransformedDistribution and normalizing flows
use.  A transform with ``cache_size=1`` remembers its last pair, so that the inverse of what it made is exact and free.
"""

import math
from functools import reduce
from operator import add, mul

import minigrad as torch
from minigrad._core.errors import error
from minigrad.distributions import constraints
from minigrad.distributions.utils import (broadcast_all, is_number, lazy_property, sum_rightmost, tril_matrix_to_vec,
                                          undefined, vec_to_tril_matrix)
from minigrad.nn.functional import logsigmoid, pad, softplus

__all__ = ["AbsTransform", "AffineTransform", "CatTransform", "ComposeTransform", "CorrCholeskyTransform",
           "CumulativeDistributionTransform", "ExpTransform", "IndependentTransform", "LowerCholeskyTransform",
           "PositiveDefiniteTransform", "PowerTransform", "ReshapeTransform", "SigmoidTransform", "SoftmaxTransform",
           "SoftplusTransform", "StackTransform", "StickBreakingTransform", "TanhTransform", "Transform",
           "identity_transform"]


class Transform:
    """The base class.  A subclass gives ``domain``, ``codomain``, ``_call``, ``_inverse``, ``log_abs_det_jacobian``."""

    bijective = False

    def __init__(self, cache_size=0):
        if cache_size not in (0, 1):
            raise error("MG731", "cache_size must be 0 or 1")
        self._cache_size = cache_size
        self._cached_x_y = None, None
        self._inv = None
        super().__init__()

    def __getstate__(self):
        return {**self.__dict__, "_inv": None}

    @property
    def event_dim(self):
        """The dimensions of an event, if they are as many before as after."""
        if self.domain.event_dim != self.codomain.event_dim:
            raise error("MG731", "Please use either .domain.event_dim or .codomain.event_dim")
        return self.domain.event_dim

    @property
    def inv(self):
        """The inverse transform."""
        if self._inv is None:
            self._inv = _InverseTransform(self)
        return self._inv

    @property
    def sign(self):
        """+1 for an increasing function of numbers, -1 for a decreasing one."""
        raise undefined(self, "sign")

    def with_cache(self, cache_size=1):
        """The same transform with another size of the cache."""
        if self._cache_size == cache_size:
            return self
        made = self._again(cache_size)
        if made is None:
            raise error("MG732", f"{type(self)}.with_cache is not implemented")
        return made

    def _again(self, cache_size):
        """The same transform, made again; None if it is not known how."""
        return type(self)(cache_size=cache_size) if type(self).__init__ is Transform.__init__ else None

    def __eq__(self, other):
        if type(self)._is_simple():
            return type(other) is type(self)
        return self is other

    __hash__ = object.__hash__

    @classmethod
    def _is_simple(cls):
        """Is it one of ours without parameters, so that all of its class are equal?"""
        return cls in _SIMPLE

    def __call__(self, x):
        return self._remembered(x, 0, self._call)

    def _inv_call(self, y):
        return self._remembered(y, 1, self._inverse)

    def _remembered(self, value, side, function):
        if self._cache_size and value is self._cached_x_y[side]:
            return self._cached_x_y[1 - side]
        result = function(value)
        if self._cache_size:
            self._cached_x_y = (result, value) if side else (value, result)
        return result

    def _call(self, x):
        raise undefined(self, "_call")

    def _inverse(self, y):
        raise undefined(self, "_inverse")

    def log_abs_det_jacobian(self, x, y):
        """log |det dy/dx| for each event, given the value before and after."""
        raise undefined(self, "log_abs_det_jacobian")

    def __repr__(self):
        return f"{type(self).__name__}()"

    def forward_shape(self, shape):
        """The shape of the result, given the input's."""
        return shape

    def inverse_shape(self, shape):
        """The shape of the input, given the result's."""
        return shape


class _InverseTransform(Transform):
    """The inverse of a transform, which does all the work."""

    def __init__(self, transform):
        super().__init__(transform._cache_size)
        self._inv = transform

    def __getstate__(self):
        return self.__dict__

    @constraints.dependent_property(is_discrete=False)
    def domain(self):
        return self._inv.codomain

    @constraints.dependent_property(is_discrete=False)
    def codomain(self):
        return self._inv.domain

    @property
    def bijective(self):
        return self._inv.bijective

    @property
    def sign(self):
        return self._inv.sign

    def with_cache(self, cache_size=1):
        return self._inv.with_cache(cache_size).inv

    def __eq__(self, other):
        return isinstance(other, _InverseTransform) and self._inv == other._inv

    __hash__ = Transform.__hash__

    def __repr__(self):
        return f"_InverseTransform({self._inv!r})"

    def __call__(self, x):
        return self._inv._inv_call(x)

    def log_abs_det_jacobian(self, x, y):
        return -self._inv.log_abs_det_jacobian(y, x)

    def forward_shape(self, shape):
        return self._inv.inverse_shape(shape)

    def inverse_shape(self, shape):
        return self._inv.forward_shape(shape)


# ------------------------------------------------------------------------------ transforms of transforms

class ComposeTransform(Transform):
    """One transform after another.

    >>> from minigrad.distributions import ComposeTransform, ExpTransform, AffineTransform
    >>> ComposeTransform([AffineTransform(0., 2.), ExpTransform()])(torch.tensor(0.5))
    tensor(2.7183)
    """

    def __init__(self, parts, cache_size=0):
        super().__init__(cache_size)
        self.parts = [part.with_cache(cache_size) for part in parts] if cache_size else parts

    def _again(self, cache_size):
        return ComposeTransform(self.parts, cache_size)

    def __eq__(self, other):
        return isinstance(other, ComposeTransform) and self.parts == other.parts

    __hash__ = Transform.__hash__

    @constraints.dependent_property(is_discrete=False)
    def domain(self):
        return _end(self.parts, "domain", "codomain") if self.parts else constraints.real

    @constraints.dependent_property(is_discrete=False)
    def codomain(self):
        return _end(self.parts[::-1], "codomain", "domain") if self.parts else constraints.real

    @property
    def bijective(self):
        return all(part.bijective for part in self.parts)

    @property
    def sign(self):
        return reduce(mul, [part.sign for part in self.parts], 1)

    @property
    def inv(self):
        if self._inv is None:
            self._inv = ComposeTransform([part.inv for part in reversed(self.parts)])
            self._inv._inv = self
        return self._inv

    def __call__(self, x):
        for part in self.parts:
            x = part(x)
        return x

    def log_abs_det_jacobian(self, x, y):
        if not self.parts:
            return torch.zeros_like(x)
        values = [x]
        for part in self.parts[:-1]:
            values.append(part(values[-1]))
        values.append(y)
        total, event_dim = [], self.domain.event_dim
        for part, before, after in zip(self.parts, values, values[1:]):
            total.append(sum_rightmost(part.log_abs_det_jacobian(before, after), event_dim - part.domain.event_dim))
            event_dim += part.codomain.event_dim - part.domain.event_dim
        return reduce(add, total)

    def forward_shape(self, shape):
        for part in self.parts:
            shape = part.forward_shape(shape)
        return shape

    def inverse_shape(self, shape):
        for part in reversed(self.parts):
            shape = part.inverse_shape(shape)
        return shape

    def __repr__(self):
        return "ComposeTransform(\n    " + ",\n    ".join(map(repr, self.parts)) + "\n)"


def _end(parts, near, far):
    """The region at one end of a chain, whose event is as large as the largest along the chain demands."""
    region = getattr(parts[0], near)
    event_dim = getattr(parts[-1], far).event_dim
    for part in reversed(parts):
        event_dim += getattr(part, near).event_dim - getattr(part, far).event_dim
        event_dim = max(event_dim, getattr(part, near).event_dim)
    return _widened(region, event_dim - region.event_dim)


def _widened(region, dims):
    return constraints.independent(region, dims) if dims > 0 else region


identity_transform = ComposeTransform([])


class IndependentTransform(Transform):
    """A transform of which further dimensions belong to the event: their Jacobians are multiplied."""

    def __init__(self, base_transform, reinterpreted_batch_ndims, cache_size=0):
        super().__init__(cache_size)
        self.base_transform = base_transform.with_cache(cache_size)
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims

    def _again(self, cache_size):
        return IndependentTransform(self.base_transform, self.reinterpreted_batch_ndims, cache_size)

    @constraints.dependent_property(is_discrete=False)
    def domain(self):
        return constraints.independent(self.base_transform.domain, self.reinterpreted_batch_ndims)

    @constraints.dependent_property(is_discrete=False)
    def codomain(self):
        return constraints.independent(self.base_transform.codomain, self.reinterpreted_batch_ndims)

    @property
    def bijective(self):
        return self.base_transform.bijective

    @property
    def sign(self):
        return self.base_transform.sign

    def _call(self, x):
        return self.base_transform(_at_least(x, self.domain.event_dim))

    def _inverse(self, y):
        return self.base_transform.inv(_at_least(y, self.codomain.event_dim))

    def log_abs_det_jacobian(self, x, y):
        return sum_rightmost(self.base_transform.log_abs_det_jacobian(x, y), self.reinterpreted_batch_ndims)

    def __repr__(self):
        return f"IndependentTransform({self.base_transform!r}, {self.reinterpreted_batch_ndims})"

    def forward_shape(self, shape):
        return self.base_transform.forward_shape(shape)

    def inverse_shape(self, shape):
        return self.base_transform.inverse_shape(shape)


def _at_least(value, dims):
    """A tensor or a shape, if it has that many dimensions."""
    if (value.dim() if isinstance(value, torch.Tensor) else len(value)) < dims:
        raise error("MG731", "Too few dimensions on input")
    return value


class _PiecewiseTransform(Transform):
    """Several transforms, each for its own piece of a tensor: ``_pieces`` cuts, ``_joined`` puts together."""

    def __init__(self, tseq, dim, cache_size):
        super().__init__(cache_size)
        self.transforms = [each.with_cache(cache_size) for each in tseq] if cache_size else list(tseq)
        self.dim = dim

    @property
    def bijective(self):
        return all(each.bijective for each in self.transforms)

    def _call(self, x):
        return self._joined([each(piece) for each, piece in zip(self.transforms, self._pieces(x))])

    def _inverse(self, y):
        return self._joined([each.inv(piece) for each, piece in zip(self.transforms, self._pieces(y))])

    def _jacobians(self, x, y):
        return [each.log_abs_det_jacobian(*pair)
                for each, *pair in zip(self.transforms, self._pieces(x), self._pieces(y))]


class CatTransform(_PiecewiseTransform):
    """A transform for each piece of ``lengths`` along ``dim``.

    >>> from minigrad.distributions import CatTransform, ExpTransform, identity_transform
    >>> CatTransform([ExpTransform(), identity_transform], lengths=[1, 2])(torch.zeros(3))
    tensor([1., 0., 0.])
    """

    def __init__(self, tseq, dim=0, lengths=None, cache_size=0):
        super().__init__(tseq, dim, cache_size)
        self.lengths = [1] * len(self.transforms) if lengths is None else list(lengths)

    def _again(self, cache_size):
        return CatTransform(self.transforms, self.dim, self.lengths, cache_size)

    @property
    def event_dim(self):
        return max(each.event_dim for each in self.transforms)

    @property
    def length(self):
        return sum(self.lengths)

    def _pieces(self, x):
        return x.split(self.lengths, self.dim)

    def _joined(self, pieces):
        return torch.cat(pieces, self.dim)

    def log_abs_det_jacobian(self, x, y):
        terms = [sum_rightmost(term, self.event_dim - each.event_dim)
                 for each, term in zip(self.transforms, self._jacobians(x, y))]
        dim = (self.dim - x.dim() if self.dim >= 0 else self.dim) + self.event_dim
        return torch.cat(terms, dim) if dim < 0 else reduce(add, terms)

    @constraints.dependent_property
    def domain(self):
        return constraints.cat([each.domain for each in self.transforms], self.dim, self.lengths)

    @constraints.dependent_property
    def codomain(self):
        return constraints.cat([each.codomain for each in self.transforms], self.dim, self.lengths)


class StackTransform(_PiecewiseTransform):
    """A transform for each place along ``dim``."""

    def __init__(self, tseq, dim=0, cache_size=0):
        super().__init__(tseq, dim, cache_size)

    def _again(self, cache_size):
        return StackTransform(self.transforms, self.dim, cache_size)

    def _pieces(self, x):
        return x.unbind(self.dim)

    def _joined(self, pieces):
        return torch.stack(pieces, self.dim)

    def log_abs_det_jacobian(self, x, y):
        return self._joined(self._jacobians(x, y))

    @constraints.dependent_property
    def domain(self):
        return constraints.stack([each.domain for each in self.transforms], self.dim)

    @constraints.dependent_property
    def codomain(self):
        return constraints.stack([each.codomain for each in self.transforms], self.dim)


class ReshapeTransform(Transform):
    """Another shape of the event, with as many elements."""

    bijective = True

    def __init__(self, in_shape, out_shape, cache_size=0):
        self.in_shape, self.out_shape = torch.Size(in_shape), torch.Size(out_shape)
        if self.in_shape.numel() != self.out_shape.numel():
            raise error("MG731", "in_shape, out_shape have different numbers of elements")
        super().__init__(cache_size)

    def _again(self, cache_size):
        return ReshapeTransform(self.in_shape, self.out_shape, cache_size)

    @constraints.dependent_property
    def domain(self):
        return constraints.independent(constraints.real, len(self.in_shape))

    @constraints.dependent_property
    def codomain(self):
        return constraints.independent(constraints.real, len(self.out_shape))

    def _call(self, x):
        return x.reshape(x.shape[:x.dim() - len(self.in_shape)] + self.out_shape)

    def _inverse(self, y):
        return y.reshape(y.shape[:y.dim() - len(self.out_shape)] + self.in_shape)

    def log_abs_det_jacobian(self, x, y):
        return x.new_zeros(x.shape[:x.dim() - len(self.in_shape)])

    def forward_shape(self, shape):
        return _replaced(shape, self.in_shape, self.out_shape)

    def inverse_shape(self, shape):
        return _replaced(shape, self.out_shape, self.in_shape)


def _replaced(shape, before, after):
    cut = len(_at_least(shape, len(before))) - len(before)
    if shape[cut:] != before:
        raise error("MG731", f"Shape mismatch: expected {shape[cut:]} but got {before}")
    return shape[:cut] + after


# ------------------------------------------------------------------------------ numbers

class _Broadcasting(Transform):
    """A transform with parameters whose shapes broadcast with the value's."""

    def forward_shape(self, shape):
        return torch.broadcast_shapes(shape, *[getattr(each, "shape", ()) for each in self._parameters])

    inverse_shape = forward_shape

    def __eq__(self, other):
        return type(other) is type(self) and all(
            bool(torch.as_tensor(mine == its).all()) for mine, its in zip(self._parameters, other._parameters))

    __hash__ = Transform.__hash__


class AffineTransform(_Broadcasting):
    """y = loc + scale x."""

    bijective = True

    def __init__(self, loc, scale, event_dim=0, cache_size=0):
        super().__init__(cache_size)
        self.loc, self.scale, self._event_dim = loc, scale, event_dim

    def _again(self, cache_size):
        return AffineTransform(self.loc, self.scale, self._event_dim, cache_size)

    @property
    def _parameters(self):
        return self.loc, self.scale

    @property
    def event_dim(self):
        return self._event_dim

    @constraints.dependent_property(is_discrete=False)
    def domain(self):
        return _widened(constraints.real, self._event_dim)

    codomain = domain

    @property
    def sign(self):
        if is_number(self.scale):
            return (self.scale > 0) - (self.scale < 0)
        return self.scale.sign()

    def _call(self, x):
        return self.loc + self.scale * x

    def _inverse(self, y):
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x, y):
        stretch = torch.full_like(x, math.log(abs(self.scale))) if is_number(self.scale) else self.scale.abs().log()
        return sum_rightmost(stretch.expand(x.shape), self._event_dim)


class PowerTransform(_Broadcasting):
    """y = x ** exponent, of positive numbers."""

    domain = codomain = constraints.positive
    bijective = True

    def __init__(self, exponent, cache_size=0):
        super().__init__(cache_size)
        self.exponent, = broadcast_all(exponent)

    def _again(self, cache_size):
        return PowerTransform(self.exponent, cache_size)

    @property
    def _parameters(self):
        return self.exponent,

    @lazy_property
    def sign(self):
        return self.exponent.sign()

    def _call(self, x):
        return x.pow(self.exponent)

    def _inverse(self, y):
        return y.pow(1 / self.exponent)

    def log_abs_det_jacobian(self, x, y):
        return (self.exponent * y / x).abs().log()


class ExpTransform(Transform):
    """y = exp(x)."""

    domain, codomain = constraints.real, constraints.positive
    bijective, sign = True, +1

    def _call(self, x):
        return x.exp()

    def _inverse(self, y):
        return y.log()

    def log_abs_det_jacobian(self, x, y):
        return x


class SigmoidTransform(Transform):
    """y = 1 / (1 + exp(-x)), kept off 0 and 1 by a rounding error."""

    domain, codomain = constraints.real, constraints.unit_interval
    bijective, sign = True, +1

    def _call(self, x):
        return _clipped_sigmoid(x)

    def _inverse(self, y):
        y = _inside(y)
        return y.log() - (-y).log1p()

    def log_abs_det_jacobian(self, x, y):
        return -softplus(-x) - softplus(x)


def _clipped_sigmoid(x):
    return _inside(x.sigmoid())


def _inside(probs):
    finfo = torch.finfo(probs.dtype)
    return probs.clamp(min=finfo.tiny, max=1.0 - finfo.eps)


class SoftplusTransform(Transform):
    """y = log(1 + exp(x))."""

    domain, codomain = constraints.real, constraints.positive
    bijective, sign = True, +1

    def _call(self, x):
        return softplus(x)

    def _inverse(self, y):
        return (-(-y).expm1()).log() + y

    def log_abs_det_jacobian(self, x, y):
        return -softplus(-x)


class TanhTransform(Transform):
    """y = tanh(x)."""

    domain, codomain = constraints.real, constraints.interval(-1.0, 1.0)
    bijective, sign = True, +1

    def _call(self, x):
        return x.tanh()

    def _inverse(self, y):
        return y.atanh()

    def log_abs_det_jacobian(self, x, y):
        # 1 - tanh^2 = 4 / (e^x + e^-x)^2, in a form that does not cancel for large |x|
        return 2.0 * (math.log(2.0) - x - softplus(-2.0 * x))


class AbsTransform(Transform):
    """y = |x|; the inverse returns the positive one of two."""

    domain, codomain = constraints.real, constraints.positive

    def _call(self, x):
        return x.abs()

    def _inverse(self, y):
        return y


class CumulativeDistributionTransform(Transform):
    """y = the cumulative probability of x in a distribution: uniform in [0, 1] if x was drawn from it."""

    bijective, sign = True, +1
    codomain = constraints.unit_interval

    def __init__(self, distribution, cache_size=0):
        super().__init__(cache_size)
        self.distribution = distribution

    def _again(self, cache_size):
        return CumulativeDistributionTransform(self.distribution, cache_size)

    @property
    def domain(self):
        return self.distribution.support

    def _call(self, x):
        return self.distribution.cdf(x)

    def _inverse(self, y):
        return self.distribution.icdf(y)

    def log_abs_det_jacobian(self, x, y):
        return self.distribution.log_prob(x)


# ------------------------------------------------------------------------------ vectors and matrices

class SoftmaxTransform(Transform):
    """Real vectors to probabilities, by softmax.  It is not bijective: only differences count."""

    domain, codomain = constraints.real_vector, constraints.simplex

    def _call(self, x):
        weights = (x - x.amax(-1, True)).exp()
        return weights / weights.sum(-1, True)

    def _inverse(self, y):
        return y.log()

    def forward_shape(self, shape):
        return _at_least(shape, 1)

    inverse_shape = forward_shape


class StickBreakingTransform(Transform):
    """n real numbers to n + 1 probabilities: each breaks its share off the rest of a stick of length 1.

    Zero breaks off 1 / (n + 1) of the first stick, 1 / n of the second: it is mapped to the middle of the simplex
    (Stan reference manual, "Unit simplex").
    """

    domain, codomain = constraints.real_vector, constraints.simplex
    bijective = True

    def _call(self, x):
        shares = _clipped_sigmoid(x - _sticks(x, 1).log())
        return pad(shares, [0, 1], value=1) * pad((1 - shares).cumprod(-1), [1, 0], value=1)

    def _inverse(self, y):
        pieces = y[..., :-1]
        rest = (1 - pieces.cumsum(-1)).clamp(min=torch.finfo(y.dtype).tiny)
        return pieces.log() - rest.log() + _sticks(pieces, 1).log()

    def log_abs_det_jacobian(self, x, y):
        x = x - _sticks(x, 1).log()
        return (-x + logsigmoid(x) + y[..., :-1].log()).sum(-1)

    def forward_shape(self, shape):
        return _at_least(shape, 1)[:-1] + (shape[-1] + 1,)

    def inverse_shape(self, shape):
        return _at_least(shape, 1)[:-1] + (shape[-1] - 1,)


def _sticks(x, last):
    """n, n - 1, ..., ``last``: pieces still to come after each."""
    return torch.arange(x.shape[-1], last - 1, -1, dtype=x.dtype)


class CorrCholeskyTransform(Transform):
    """n (n - 1) / 2 real numbers to the Cholesky factor of a correlation matrix: rows of length 1.

    tanh of each number is a canonical partial correlation; the square of the rest of its row is a stick that is broken
    (Lewandowski, Kurowicka and Joe 2009; Stan reference manual, "Cholesky factors of correlation matrices").
    """

    domain, codomain = constraints.real_vector, constraints.corr_cholesky
    bijective = True

    def _call(self, x):
        eps = torch.finfo(x.dtype).eps
        partial = vec_to_tril_matrix(x.tanh().clamp(min=-1 + eps, max=1 - eps), diag=-1)
        rest = (1 - partial ** 2).sqrt().cumprod(-1)
        return (partial + torch.eye(partial.shape[-1], dtype=x.dtype)) * pad(rest[..., :-1], [1, 0], value=1)

    def _inverse(self, y):
        rest = pad(1 - (y * y).cumsum(-1)[..., :-1], [1, 0], value=1)
        return (tril_matrix_to_vec(y, diag=-1) / tril_matrix_to_vec(rest, diag=-1).sqrt()).atanh()

    def log_abs_det_jacobian(self, x, y):
        rest = tril_matrix_to_vec(1 - (y * y).cumsum(-1), diag=-2)
        return 0.5 * rest.log().sum(-1) - 2 * (x + softplus(-2 * x) - math.log(2.0)).sum(-1)

    def forward_shape(self, shape):
        entries = _at_least(shape, 1)[-1]
        n = round((0.25 + 2 * entries) ** 0.5 + 0.5)
        if n * (n - 1) // 2 != entries:
            raise error("MG731", "Input is not a flattened lower-diagonal number")
        return shape[:-1] + (n, n)

    def inverse_shape(self, shape):
        n = _at_least(shape, 2)[-1]
        if shape[-2] != n:
            raise error("MG731", "Input is not square")
        return shape[:-2] + (n * (n - 1) // 2,)


class LowerCholeskyTransform(Transform):
    """Real matrices to lower triangles with a positive diagonal, the exponential of the given one."""

    domain, codomain = constraints.independent(constraints.real, 2), constraints.lower_cholesky

    def _call(self, x):
        return x.tril(-1) + x.diagonal(dim1=-2, dim2=-1).exp().diag_embed()

    def _inverse(self, y):
        return y.tril(-1) + y.diagonal(dim1=-2, dim2=-1).log().diag_embed()


class PositiveDefiniteTransform(Transform):
    """Real matrices to positive definite ones, L L^T with L from LowerCholeskyTransform."""

    domain, codomain = constraints.independent(constraints.real, 2), constraints.positive_definite

    def _call(self, x):
        factor = LowerCholeskyTransform()(x)
        return factor @ factor.mT

    def _inverse(self, y):
        return LowerCholeskyTransform().inv(torch.linalg.cholesky(y))


_SIMPLE = {ExpTransform, SigmoidTransform, SoftplusTransform, TanhTransform, AbsTransform, SoftmaxTransform,
           StickBreakingTransform, LowerCholeskyTransform, PositiveDefiniteTransform}
