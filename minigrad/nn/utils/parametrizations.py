"""Three parametrizations of weights: orthogonal matrices, weight normalization and spectral normalization.

    weight_norm      w = g v / |v|         a length and a direction          (Salimans and Kingma, 2016)
    spectral_norm    w = v / sigma(v)      sigma: the largest singular value (Miyato and others, 2018)
    orthogonal       w w^T = 1             the exponential of a skew-symmetric matrix, and others
"""

from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad.autograd.grad_mode import no_grad
from minigrad.creation import zeros_like
from minigrad.creation.ranges import eye
from minigrad.dtypes import finfo
from minigrad.linalg import householder_product, matrix_exp, solve
from minigrad.nn.functional import normalize
from minigrad.nn.modules.module import Module
from minigrad.nn.utils.parametrize import register_parametrization
from minigrad.ops.exports import EXPORTS
from minigrad.ops.shapes.joining import cat
from minigrad.random import randn

__all__ = ["orthogonal", "spectral_norm", "weight_norm"]

_TOP = EXPORTS["minigrad"]


# ------------------------------------------------------------------------------ weight normalization

def weight_norm(module, name="weight", dim=0):
    """Let a weight be a length for each index of ``dim``, times a direction; with ``dim=None`` one length.

    >>> layer = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(2, 3))
    >>> [(name, tuple(p.shape)) for name, p in layer.named_parameters()][1:]
    [('parametrizations.weight.original0', (3, 1)), ('parametrizations.weight.original1', (3, 2))]
    """
    register_parametrization(module, name, _WeightNorm(dim), unsafe=True)

    def rename(state_dict, prefix, *others):
        """The older form of the state has other names."""
        old = [f"{prefix}{name}_g", f"{prefix}{name}_v"]
        if all(key in state_dict for key in old):
            for i, key in enumerate(old):
                state_dict[f"{prefix}parametrizations.{name}.original{i}"] = state_dict.pop(key)

    module._register_load_state_dict_pre_hook(rename)
    return module


class _WeightNorm(Module):
    def __init__(self, dim=0):
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, length, direction):
        return with_length(length, direction, self.dim)

    def right_inverse(self, weight):
        return length_of(weight, self.dim), weight


def length_of(weight, dim):
    """The norms over all dims but one."""
    return _TOP["norm_except_dim"](weight, 2, dim)


def with_length(length, direction, dim):
    return direction * (length / length_of(direction, dim))


# ------------------------------------------------------------------------------ spectral normalization

def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    """Divide a weight by its largest singular value, which each forward pass in training estimates a little better.

    ``dim`` is the dim of the outputs: 1 for transposed convolutions, otherwise 0.

    >>> layer = torch.nn.utils.parametrizations.spectral_norm(torch.nn.Linear(4, 3), n_power_iterations=50)
    >>> torch.linalg.matrix_norm(layer.weight, 2).round(decimals=3)
    tensor(1., grad_fn=<RoundBackward1>)
    """
    weight = tensor_of(module, name)
    register_parametrization(module, name, _SpectralNorm(weight, n_power_iterations, dim_of_outputs(module, dim), eps))
    return module


class _SpectralNorm(Module):
    def __init__(self, weight, n_power_iterations=1, dim=0, eps=1e-12):
        super().__init__()
        if not -weight.dim() <= dim < weight.dim():
            raise error("MG203", f"Dimension out of range (expected to be in range of [-{weight.dim()}, "
                                 f"{weight.dim() - 1}] but got {dim})")
        check_iterations(n_power_iterations)
        self.dim, self.eps, self.n_power_iterations = dim % weight.dim(), eps, n_power_iterations
        if weight.dim() > 1:
            matrix = as_matrix(weight, self.dim)
            self.register_buffer("_u", direction(matrix, 0, eps))
            self.register_buffer("_v", direction(matrix, 1, eps))
            self._power_method(matrix, 15)

    @no_grad()
    def _power_method(self, matrix, times):
        """Come nearer to the singular vectors of the largest singular value; see Golub and Van Loan, 7.3.1."""
        for _ in range(times):
            self._u = normalize(matrix.mv(self._v), dim=0, eps=self.eps)
            self._v = normalize(matrix.mH.mv(self._u), dim=0, eps=self.eps)

    def forward(self, weight):
        if weight.dim() == 1:
            return normalize(weight, dim=0, eps=self.eps)
        matrix = as_matrix(weight, self.dim)
        if self.training:
            self._power_method(matrix, self.n_power_iterations)
        return weight / _TOP["vdot"](self._u.clone(), matrix.mv(self._v.clone()))

    def right_inverse(self, value):
        return value


def direction(matrix, dim, eps):
    """A random unit vector with as many elements as that dim."""
    return normalize(matrix.new_empty(matrix.shape[dim]).normal_(0, 1), dim=0, eps=eps).detach()


def as_matrix(weight, dim):
    return weight.movedim(dim, 0).reshape(weight.shape[dim], -1)


def dim_of_outputs(module, dim):
    if dim is not None:
        return dim
    return 1 if type(module).__name__.startswith(("ConvTranspose", "LazyConvTranspose")) else 0


# ------------------------------------------------------------------------------ orthogonal matrices

def orthogonal(module, name="weight", orthogonal_map=None, *, use_trivialization=True):
    """Let a matrix have orthonormal rows, or columns if it is higher than wide.

    Parameters
    ----------
    module, name : whose matrix, or batch of matrices, it is
    orthogonal_map : "matrix_exp" (for square and complex matrices by default), "cayley", or "householder"
    use_trivialization : multiply by a fixed matrix, the one that was assigned last; with it, the optimization is
        easier, and every matrix can be assigned

    >>> layer = torch.nn.utils.parametrizations.orthogonal(torch.nn.Linear(3, 2))
    >>> torch.allclose(layer.weight @ layer.weight.T, torch.eye(2), atol=1e-6)
    True
    """
    weight = tensor_of(module, name)
    if weight.dim() < 2:
        raise error("MG207", f"Expected a matrix or batch of matrices. Got a tensor of {weight.dim()} dimensions.")
    if orthogonal_map is None:
        square = weight.shape[-2] == weight.shape[-1]
        orthogonal_map = "matrix_exp" if square or weight.is_complex() else "householder"
    if orthogonal_map not in ("matrix_exp", "cayley", "householder"):
        raise error("MG207", 'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got: '
                             f"{orthogonal_map}")
    register_parametrization(module, name, _Orthogonal(weight, orthogonal_map, use_trivialization), unsafe=True)
    return module


class _Orthogonal(Module):
    """Matrices are n by k here, with n >= k; others are transposed before and after."""

    def __init__(self, weight, orthogonal_map, use_trivialization=True):
        super().__init__()
        if weight.is_complex() and orthogonal_map == "householder":
            raise error("MG207", "The householder parametrization does not support complex tensors.")
        self.shape, self.orthogonal_map = weight.shape, orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, x):
        transposed = x.shape[-2] < x.shape[-1]
        x = x.mT if transposed else x
        q = self._reflected(x) if self.orthogonal_map == "householder" else self._rotated(x)
        if hasattr(self, "base"):
            q = self.base @ q
        return q.mT if transposed else q

    def _rotated(self, x):
        """From a skew-symmetric matrix A, of which x is the lower half: exp(A), or (1 - A/2)^-1 (1 + A/2)."""
        n, k = x.shape[-2:]
        x = x.tril()
        if n != k:
            x = cat([x, x.new_zeros((*x.shape[:-1], n - k))], dim=-1)
        a = x - x.mH
        if self.orthogonal_map == "matrix_exp":
            return matrix_exp(a)[..., :k]
        identity = eye(n, dtype=a.dtype)
        return solve(identity - 0.5 * a, identity + 0.5 * a)[..., :k]

    def _reflected(self, x):
        """The product of reflections at the columns of x below the diagonal, with the signs of its diagonal."""
        a = x.tril(diagonal=-1)
        q = householder_product(a, 2 / (1 + (a * a).sum(dim=-2)))
        return q * x.diagonal(dim1=-2, dim2=-1).int().unsqueeze(-2)

    @no_grad()
    def right_inverse(self, q):
        if q.shape != self.shape:
            raise error("MG207", f"Expected a matrix or batch of matrices of shape {self.shape}. Got a tensor of shape "
                                 f"{q.shape}.")
        if hasattr(self, "base"):
            return self._as_base(q)
        if self.orthogonal_map != "householder":
            raise error("MG305", "It is not possible to assign to the matrix exponential or the Cayley "
                                 "parametrizations when use_trivialization=False.")
        transposed = q.shape[-2] < q.shape[-1]
        a, tau = _TOP["geqrf"](q.mT if transposed else q)
        signs = a.diagonal(dim1=-2, dim2=-1).sign()
        a.diagonal(dim1=-2, dim2=-1).copy_(_TOP["where"](tau == 0, -signs, signs))
        return a.mT if transposed else a

    def _as_base(self, given):
        """Keep the matrix, completed to a square one, as the base; the rest is the identity, for which x is -1."""
        q = given.mT if given.shape[-2] < given.shape[-1] else given
        n, k = q.shape[-2:]
        if n != k:
            more = randn(*q.shape[:-1], n - k, dtype=q.dtype)
            self.base = made_orthogonal(cat([q, more], dim=-1))
        else:
            self.base = q.clone() if is_orthogonal(q) else made_orthogonal(q)
        x = zeros_like(given)
        x.diagonal(dim1=-2, dim2=-1).fill_(-1)
        return x


def is_orthogonal(q):
    n, k = q.shape[-2:]
    return (q.mH @ q).allclose(eye(k, dtype=q.dtype), atol=10 * n * finfo(q.dtype).eps)


def made_orthogonal(a):
    """The factor Q of a = Q R, for an R with a positive diagonal."""
    reflections, tau = _TOP["geqrf"](a)
    return householder_product(reflections, tau) * reflections.diagonal(dim1=-2, dim2=-1).sgn().unsqueeze(-2)


# ------------------------------------------------------------------------------ what is refused

def tensor_of(module, name):
    weight = getattr(module, name, None)
    if not isinstance(weight, Tensor):
        raise error("MG207", f"Module '{module}' has no parameter or buffer with name '{name}'")
    return weight


def check_iterations(n):
    if n <= 0:
        raise error("MG207", f"Expected n_power_iterations to be positive, but got n_power_iterations={n}")
