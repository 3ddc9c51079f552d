"""Normal vectors, with a whole covariance matrix or one of low rank; and random matrices."""

import math

import minigrad as torch
from minigrad._core.errors import error, warn
from minigrad.distributions import constraints
from minigrad.distributions.distribution import Distribution, ExponentialFamily, Parametric  # noqa: F401
from minigrad.distributions.gammas import Beta, Chi2
from minigrad.distributions.utils import broadcast_all, is_number, lazy_property, standard_normal
from minigrad.linalg import cholesky, slogdet, solve_triangular

__all__ = ["LKJCholesky", "LowRankMultivariateNormal", "MultivariateNormal", "Wishart"]


def apply(matrix, vector):
    return (matrix @ vector.unsqueeze(-1)).squeeze(-1)


def log_diagonal(triangle):
    """The sum of the logarithms of the diagonal: the log determinant of a triangular matrix."""
    return triangle.diagonal(dim1=-2, dim2=-1).log().sum(-1)


def squares(triangle, columns):
    """|L^-1 x|^2 for each column x of a matrix: the squared distance from 0, in standard deviations."""
    return solve_triangular(triangle, columns, upper=False).square().sum(-2)


def mahalanobis(triangle, x):
    """The same for vectors: with one triangle for all they are its columns, so that it is solved once."""
    if triangle.dim() == 2:
        return squares(triangle, x.reshape(-1, x.shape[-1]).T).reshape(x.shape[:-1])
    return squares(triangle, x.unsqueeze(-1)).squeeze(-1)


def plus_identity(matrix):
    return matrix + torch.eye(matrix.shape[-1], dtype=matrix.dtype)


def _precision_to_scale_tril(precision):
    """The L with L L^T = P^-1.

    With rows and columns in reverse order, the Cholesky factor of P becomes an upper triangle U with P = U U^T; then
    P^-1 = U^-T U^-1, and U^-T is a lower triangle.
    """
    upper = cholesky(precision.flip(-2, -1)).flip(-2, -1)
    return solve_triangular(upper.mT, torch.eye(precision.shape[-1], dtype=precision.dtype), upper=False)


class WithCovariance(Parametric):
    """A distribution given by one of a covariance matrix, its inverse, or its Cholesky factor; it keeps the factor."""

    def _given(self, missing, **matrices):
        given = [(name, matrix) for name, matrix in matrices.items() if matrix is not None]
        if len(given) != 1:
            raise error("MG731", "Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.")
        if given[0][1].dim() < 2:
            raise error("MG731", missing.format(given[0][0]))
        return given[0]

    def _factor(self, name, matrix):
        made = {"scale_tril": lambda tril: tril, "covariance_matrix": cholesky,
                "precision_matrix": _precision_to_scale_tril}
        self._unbroadcasted_scale_tril = made[name](matrix)

    def _of_batch(self, matrix):
        return matrix.expand(self._batch_shape + (self._event_shape[-1],) * 2)

    @lazy_property
    def scale_tril(self):
        return self._of_batch(self._unbroadcasted_scale_tril)

    @lazy_property
    def covariance_matrix(self):
        return self._of_batch(self._unbroadcasted_scale_tril @ self._unbroadcasted_scale_tril.mT)

    @lazy_property
    def precision_matrix(self):
        return self._of_batch(torch.cholesky_inverse(self._unbroadcasted_scale_tril))


class MultivariateNormal(WithCovariance):
    """Normal vectors: loc + L z with independent standard normal z, and the covariance matrix L L^T.

    >>> from minigrad.distributions import MultivariateNormal
    >>> MultivariateNormal(torch.zeros(2), torch.eye(2)).log_prob(torch.zeros(2))
    tensor(-1.8379)
    """

    arg_constraints = {"loc": constraints.real_vector, "covariance_matrix": constraints.positive_definite,
                       "precision_matrix": constraints.positive_definite, "scale_tril": constraints.lower_cholesky}
    support = constraints.real_vector
    has_rsample = True

    def __init__(self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        if loc.dim() < 1:
            raise error("MG731", "loc must be at least one-dimensional.")
        name, matrix = self._given("{} must be at least two-dimensional, with optional leading batch dimensions"
                                   if scale_tril is None else "{} matrix must be at least two-dimensional, with "
                                   "optional leading batch dimensions", covariance_matrix=covariance_matrix,
                                   precision_matrix=precision_matrix, scale_tril=scale_tril)
        batch_shape = torch.broadcast_shapes(matrix.shape[:-2], loc.shape[:-1])
        setattr(self, name, matrix.expand(batch_shape + (-1, -1)))
        self.loc = loc.expand(batch_shape + (-1,))
        super().__init__(batch_shape, loc.shape[-1:], validate_args=validate_args)
        self._factor(name, matrix)

    def _log_det(self):
        return 2 * log_diagonal(self._unbroadcasted_scale_tril)

    def _squares(self, columns):
        return squares(self._unbroadcasted_scale_tril, columns)

    @property
    def _roots(self):
        """Matrices whose products with their transposes add up to the covariance."""
        return [self._unbroadcasted_scale_tril]

    @property
    def mean(self):
        return self.loc

    mode = mean

    @property
    def variance(self):
        return self._unbroadcasted_scale_tril.square().sum(-1).expand(self._batch_shape + self._event_shape)

    def rsample(self, sample_shape=torch.Size()):
        noise = standard_normal(self._extended_shape(sample_shape), self.loc)
        return self.loc + apply(self._unbroadcasted_scale_tril, noise)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        distance = mahalanobis(self._unbroadcasted_scale_tril, value - self.loc)
        return (-0.5 * (self._event_shape[0] * math.log(2 * math.pi) + distance)
                - log_diagonal(self._unbroadcasted_scale_tril))

    def entropy(self):
        entropy = (0.5 * self._event_shape[0] * (1.0 + math.log(2 * math.pi))
                   + log_diagonal(self._unbroadcasted_scale_tril))
        return entropy.expand(self._batch_shape)


class LowRankMultivariateNormal(Parametric):
    """Normal vectors of covariance W W^T + D, where W has few columns and D is diagonal.

    Woodbury's formula and the matrix determinant lemma need the Cholesky factor of the small I + W^T D^-1 W alone.
    """

    arg_constraints = {"loc": constraints.real_vector, "cov_factor": constraints.independent(constraints.real, 2),
                       "cov_diag": constraints.independent(constraints.positive, 1)}
    support = constraints.real_vector
    has_rsample = True

    def __init__(self, loc, cov_factor, cov_diag, validate_args=None):
        if loc.dim() < 1:
            raise error("MG731", "loc must be at least one-dimensional.")
        event_shape = loc.shape[-1:]
        if cov_factor.dim() < 2:
            raise error("MG731", "cov_factor must be at least two-dimensional, with optional leading batch dimensions")
        if cov_factor.shape[-2:-1] != event_shape:
            raise error("MG731", f"cov_factor must be a batch of matrices with shape {event_shape[0]} x m")
        if cov_diag.shape[-1:] != event_shape:
            raise error("MG731", f"cov_diag must be a batch of vectors with shape {event_shape}")
        try:
            batch_shape = torch.broadcast_shapes(loc.shape[:-1], cov_factor.shape[:-2], cov_diag.shape[:-1])
        except RuntimeError:
            raise error("MG731", f"Incompatible batch shapes: loc {loc.shape}, cov_factor {cov_factor.shape}, "
                                 f"cov_diag {cov_diag.shape}") from None
        self.loc, self.cov_diag = loc.expand(batch_shape + (-1,)), cov_diag.expand(batch_shape + (-1,))
        self.cov_factor = cov_factor.expand(batch_shape + (-1, -1))
        self._unbroadcasted_cov_factor, self._unbroadcasted_cov_diag = cov_factor, cov_diag
        self._capacitance_tril = cholesky(plus_identity(self._weighed() @ cov_factor))
        super().__init__(batch_shape, event_shape, validate_args=validate_args)

    def _weighed(self):
        """W^T D^-1"""
        return self._unbroadcasted_cov_factor.mT / self._unbroadcasted_cov_diag.unsqueeze(-2)

    def _log_det(self):
        return 2 * log_diagonal(self._capacitance_tril) + self._unbroadcasted_cov_diag.log().sum(-1)

    def _distance(self, x):
        """x^T (W W^T + D)^-1 x"""
        return ((x.square() / self._unbroadcasted_cov_diag).sum(-1)
                - mahalanobis(self._capacitance_tril, apply(self._weighed(), x)))

    def _squares(self, columns):
        return ((columns.square() / self._unbroadcasted_cov_diag.unsqueeze(-1)).sum(-2)
                - squares(self._capacitance_tril, self._weighed() @ columns))

    @property
    def _roots(self):
        return [self._unbroadcasted_cov_factor, self._unbroadcasted_cov_diag.sqrt().diag_embed()]

    def _of_batch(self, matrix):
        return matrix.expand(self._batch_shape + self._event_shape * 2)

    @property
    def mean(self):
        return self.loc

    mode = mean

    @lazy_property
    def variance(self):
        variance = self._unbroadcasted_cov_factor.square().sum(-1) + self._unbroadcasted_cov_diag
        return variance.expand(self._batch_shape + self._event_shape)

    @lazy_property
    def covariance_matrix(self):
        factor = self._unbroadcasted_cov_factor
        return self._of_batch(factor @ factor.mT + self._unbroadcasted_cov_diag.diag_embed())

    @lazy_property
    def scale_tril(self):
        root = self._unbroadcasted_cov_diag.sqrt().unsqueeze(-1)
        factor = self._unbroadcasted_cov_factor / root
        return self._of_batch(root * cholesky(plus_identity(factor @ factor.mT)))

    @lazy_property
    def precision_matrix(self):
        part = solve_triangular(self._capacitance_tril, self._weighed(), upper=False)
        return self._of_batch(self._unbroadcasted_cov_diag.reciprocal().diag_embed() - part.mT @ part)

    def rsample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        shared = standard_normal(shape[:-1] + self.cov_factor.shape[-1:], self.loc)
        apart = standard_normal(shape, self.loc)
        return (self.loc + apply(self._unbroadcasted_cov_factor, shared)
                + self._unbroadcasted_cov_diag.sqrt() * apart)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + self._log_det()
                       + self._distance(value - self.loc))

    def entropy(self):
        entropy = 0.5 * (self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + self._log_det())
        return entropy.expand(self._batch_shape)


# ------------------------------------------------------------------------------ matrices

class Wishart(WithCovariance, ExponentialFamily):
    """Scatter matrices: the sum of x x^T over ``df`` normal vectors of this covariance (``df`` may be fractional)."""

    support = constraints.positive_definite
    has_rsample = True
    _mean_carrier_measure = 0

    @property
    def arg_constraints(self):
        return {"covariance_matrix": constraints.positive_definite, "precision_matrix": constraints.positive_definite,
                "scale_tril": constraints.lower_cholesky, "df": constraints.greater_than(self.event_shape[-1] - 1)}

    def __init__(self, df, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        name, matrix = self._given("scale_tril must be at least two-dimensional, with optional leading batch "
                                   "dimensions", covariance_matrix=covariance_matrix,
                                   precision_matrix=precision_matrix, scale_tril=scale_tril)
        size = matrix.shape[-1]
        given, df = df, torch.tensor(df, dtype=matrix.dtype) if is_number(df) else df
        batch_shape = torch.broadcast_shapes(matrix.shape[:-2], df.shape)
        self.df = df.expand(batch_shape)
        if bool((self.df <= size - 1).any()):
            raise error("MG731", f"Value of df={given} expected to be greater than ndim - 1 = {size - 1}.")
        if bool((self.df < size).any()):
            warn("Low df values detected. Singular samples are highly likely to occur for ndim - 1 < df < ndim.")
        setattr(self, name, matrix.expand(batch_shape + (-1, -1)))
        super().__init__(batch_shape, matrix.shape[-2:], validate_args=validate_args)
        self._factor(name, matrix)
        self._dist_chi2 = Chi2(self.df.unsqueeze(-1) - torch.arange(size, dtype=matrix.dtype))

    @property
    def _factor_of_df(self):
        return self.df.reshape(self._batch_shape + (1, 1))

    @property
    def mean(self):
        return self._factor_of_df * self.covariance_matrix

    @property
    def mode(self):
        factor = self._factor_of_df - self._event_shape[-1] - 1
        return factor.masked_fill(factor <= 0, math.nan) * self.covariance_matrix

    @property
    def variance(self):
        diagonal = self.covariance_matrix.diagonal(dim1=-2, dim2=-1)
        return self._factor_of_df * (self.covariance_matrix.square()
                                     + diagonal.unsqueeze(-1) * diagonal.unsqueeze(-2))

    def _bartlett_sampling(self, sample_shape=torch.Size()):
        """L A A^T L^T, where A has chi numbers on its diagonal and normal ones below (Bartlett 1933)."""
        size = self._event_shape[-1]
        chi = self._dist_chi2.rsample(sample_shape).sqrt()
        chi = chi.clamp(min=torch.finfo(chi.dtype).eps)
        rows, columns = torch.tril_indices(size, size, offset=-1)
        below = torch.randn(chi.shape[:-1] + (size * (size - 1) // 2,), dtype=chi.dtype)
        noise = torch.zeros(chi.shape + (size,), dtype=chi.dtype)
        noise[..., rows, columns] = below
        factor = self._unbroadcasted_scale_tril @ (noise + chi.diag_embed())
        return factor @ factor.mT

    def rsample(self, sample_shape=torch.Size(), max_try_correction=None):
        # PyTorch takes the first matrices for singular ones, whatever they are, and draws again.  So do we, for its
        # numbers.
        self._bartlett_sampling(torch.Size(sample_shape))
        return self._bartlett_sampling(torch.Size(sample_shape))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        nu, size, factor = self.df, self._event_shape[-1], self._unbroadcasted_scale_tril
        trace = torch.cholesky_solve(value, factor).diagonal(dim1=-2, dim2=-1).sum(-1)
        return (-nu * (size * math.log(2) / 2 + log_diagonal(factor)) - torch.mvlgamma(nu / 2, size)
                + (nu - size - 1) / 2 * slogdet(value).logabsdet - trace / 2)

    def entropy(self):
        nu, size = self.df, self._event_shape[-1]
        digammas = (nu.unsqueeze(-1) / 2 - torch.arange(size, dtype=nu.dtype) / 2).digamma().sum(-1)
        return ((size + 1) * (size * math.log(2) / 2 + log_diagonal(self._unbroadcasted_scale_tril))
                + torch.mvlgamma(nu / 2, size) - (nu - size - 1) / 2 * digammas + nu * size / 2)

    @property
    def _natural_params(self):
        return -self.precision_matrix / 2, (self.df - self._event_shape[-1] - 1) / 2

    def _log_normalizer(self, x, y):
        size = self._event_shape[-1]
        half = y + (size + 1) / 2
        return half * (size * math.log(2) - slogdet(-2 * x).logabsdet) + torch.mvlgamma(half, size)


class LKJCholesky(Parametric):
    """Cholesky factors of correlation matrices, whose density is proportional to det^(concentration - 1).

    With concentration 1 all correlation matrices are equally likely (Lewandowski, Kurowicka and Joe 2009: the "onion",
    a row at a time: its length is a beta number, its direction is uniform).
    """

    arg_constraints = {"concentration": constraints.positive}
    support = constraints.corr_cholesky

    def __init__(self, dim, concentration=1.0, validate_args=None):
        if dim < 2:
            raise error("MG731", f"Expected dim to be an integer greater than or equal to 2. Found dim={dim}.")
        self.dim = dim
        self.concentration, = broadcast_all(concentration)
        row = torch.arange(-1, dim - 1, dtype=self.concentration.dtype).clamp(min=0)
        self._beta = Beta(row + 0.5, (self.concentration + 0.5 * (dim - 2)).unsqueeze(-1) - 0.5 * row)
        super().__init__(self.concentration.shape, torch.Size((dim, dim)), validate_args=validate_args)

    def sample(self, sample_shape=torch.Size()):
        square = self._beta.sample(sample_shape).unsqueeze(-1)
        direction = torch.randn(self._extended_shape(sample_shape), dtype=square.dtype).tril(-1)
        direction = direction / direction.norm(dim=-1, keepdim=True)
        direction[..., 0, :] = 0.0
        rows = square.sqrt() * direction
        rest = (1 - rows.square().sum(-1)).clamp(min=torch.finfo(rows.dtype).tiny)
        return rows + rest.sqrt().diag_embed()

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        powers = 2 * (self.concentration - 1).unsqueeze(-1) + self.dim - torch.arange(2, self.dim + 1)
        density = (powers * value.diagonal(dim1=-1, dim2=-2)[..., 1:].log()).sum(-1)
        # The normalizer is on page 1999 of the paper, in its products of beta functions.
        below = self.dim - 1
        alpha = self.concentration + 0.5 * below
        return density - (0.5 * below * math.log(math.pi) + torch.mvlgamma(alpha - 0.5, below)
                          - alpha.lgamma() * below)
