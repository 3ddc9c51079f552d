"""Distances between points, and vectors made shorter: cdist, pdist, renorm.

The distances in all norms are one row, whose kernel in C (_core/kernels/statistics/distances.pyx) goes over the pairs
of points, and so does that of its gradient; neither writes the differences down.  In the norm p = 2, a product of
matrices gives the distances of large sets, as |x - y|^2 = |x|^2 + |y|^2 - 2 x y.  Where two points are equal, the
distance has a corner, and the gradient is 0.  ``pdist`` is the same for the pairs of one set::

    the gradients of the pairs      d01 d02 d12
    as a square, for each point     .   d01 d02         the row of point 0
                                    d01 .   d12
                                    d02 d12 .

Neighbours: norms.py in algebra (the norms of vectors).
"""

from math import inf

import numpy as np

from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad._core.kernels import table_of_networks as kernels

from ..algebra.norms import linalg_vector_norm, norm_of, power_of_abs, signed_power
from ..algebra.products import matmul, times
from ..copying import copy, zeros_of
from ..elementwise.arithmetic import divide_or_zero, keep
from ..elementwise.comparison import eq
from ..elementwise.complex import abs, sgn
from ..elementwise.division import true_divide
from ..composites import composite, in_place
from ..exports import NN_REGISTRY
from ..kinds import general, linear
from ..positions.masking import choose
from ..reductions.totals import sum_dim
from ..shapes.broadcasting import common_shape, expand
from ..shapes.reshaping import clone
from ..shapes.transposing import transpose, unsqueeze
from ..arguments import must_be_tensors, one_dim, scalar_name

#: the numbers of the differences that are in memory at a time
AT_A_TIME = 1 << 18

# ------------------------------------------------------------------------------ from differences


def distances_kernel(x1, x2, p):
    """Some points of the first set at a time, with all of the second."""
    out = np.empty((*x1.shape[:-1], x2.shape[-2]), x1.dtype)
    if not out.size or not x1.shape[-1]:
        return np.zeros_like(out)
    step = max(1, AT_A_TIME // max(1, x2.size))
    for start in range(0, x1.shape[-2], step):
        some = x1[..., start:start + step, :]
        away = np.abs(some[..., :, None, :] - x2[..., None, :, :])
        if p == 0:
            away, p = np.minimum(np.ceil(away), 1), 1           # how many differ: nan where one is nan
        out[..., start:start + step, :] = norm_of(away, p, (away.ndim - 1,), False)
    return out


def sloped(d, x, lengths, p):
    """The gradient of the differences ``x``, arrays all, where ``d`` is that of their norms."""
    if p == 0:
        return np.zeros_like(x)
    if p == 1:
        return np.sign(x) * d[..., None]
    if p == inf:
        return np.sign(x) * np.where(np.abs(x) == lengths[..., None], d[..., None], x.dtype.type(0))
    unit = divide_or_zero.kernel(x, lengths[..., None])
    return (unit if p == 2 else signed_power.kernel(unit, p - 1)) * d[..., None]


def distances_backward_kernel(grad, x1, x2, lengths, p):
    """Some points of the first set at a time, with all of the second."""
    out = np.zeros(x1.shape, x1.dtype)
    if not (grad.size and x1.size):
        return out
    step = max(1, AT_A_TIME // max(1, x2.size))
    for start in range(0, x1.shape[-2], step):
        some = np.s_[..., start:start + step, :]
        x = x1[some][..., :, None, :] - x2[..., None, :, :]
        out[some] = np.sum(sloped(grad[some], x, lengths[some], p), -2)
    return out


def differences(x1, x2):
    return unsqueeze(x1, -2) - unsqueeze(x2, -3)


def slopes(x, lengths, p):
    """The derivative of each distance with respect to the differences ``x``; of the largest, to all that are tied."""
    if p == 0:
        return zeros_of(x)
    if p == 1:
        return sgn(x)
    if p == inf:
        return keep(sgn(x), eq(abs(x), unsqueeze(lengths, -1)))
    unit = divide_or_zero(x, unsqueeze(lengths, -1))
    return unit if p == 2 else signed_power(unit, p - 1)


def bends(x, lengths, p):
    """The second derivative with respect to the differences, without the way through the distance."""
    if p in (0, 1, inf):
        return zeros_of(x)
    if p == 2:
        return divide_or_zero(zeros_of(x) + 1, unsqueeze(lengths, -1))
    bend = (p - 1) * power_of_abs(divide_or_zero(x, unsqueeze(lengths, -1)), p - 2)
    return divide_or_zero(bend, unsqueeze(lengths, -1))


def bent(d, grad, x1, x2, lengths, p):
    """What reaches the difference of each two points from the gradient ``d`` of the gradient of ``x1``."""
    return unsqueeze(grad, -1) * unsqueeze(d, -2) * bends(differences(x1, x2), lengths, p)


def shortened(d, grad, x1, x2, lengths, p):
    """What reaches their distance: the slopes are of degree 1 - p in it."""
    if p in (0, 1, inf):
        return zeros_of(lengths)
    along = sum_dim(unsqueeze(d, -2) * slopes(differences(x1, x2), lengths, p), -1)
    return divide_or_zero((1 - p) * grad * along, lengths)


def traded(x):
    """The same numbers for the other set of points."""
    return transpose(x, -1, -2)


distances_backward = general(
    "distances_backward(Tensor grad, Tensor x1, Tensor x2, Tensor lengths, float p)", distances_backward_kernel,
    grad=lambda d, x1, x2, lengths, p: sum_dim(unsqueeze(d, -2) * slopes(differences(x1, x2), lengths, p), -1),
    x1=lambda d, grad, x1, x2, lengths, p: sum_dim(bent(d, grad, x1, x2, lengths, p), -2),
    x2=lambda d, grad, x1, x2, lengths, p: -sum_dim(bent(d, grad, x1, x2, lengths, p), -3),
    lengths=lambda d, grad, x1, x2, lengths, p: shortened(d, grad, x1, x2, lengths, p),
    node="CdistBackwardBackward0", public=False, last_dims=2, traceable=False, fast=kernels.distances_backward,
    doc="The gradient of ``x1``: the sum of the slopes of its distances from all of ``x2``.")

distances = general(
    "distances(Tensor x1, Tensor x2, float p)", distances_kernel,
    x1=lambda d, x1, x2, result, p: distances_backward(d, x1, x2, result, p),
    x2=lambda d, x1, x2, result, p: distances_backward(traded(d), x2, x1, traded(result), p),
    node="CdistBackward0", public=False, last_dims=2, shown="cdist", fast=kernels.distances,
    doc="The distance of each of the points ``x1`` from each of ``x2``.")

# ------------------------------------------------------------------------------ of pairs


def pairs_kernel(self, p):
    n = len(self)
    out = np.empty(n * (n - 1) // 2, self.dtype)
    start = 0
    for i in range(n - 1):
        out[start:start + n - 1 - i] = distances_kernel(self[i:i + 1], self[i + 1:], p)[0]
        start += n - 1 - i
    return out


def square_kernel(self, n):
    out = np.zeros((n, n), self.dtype)
    above = np.triu_indices(n, 1)
    out[above] = self
    return out + out.T


def triangle_kernel(self):
    above = np.triu_indices(len(self), 1)
    return (self + self.T)[above]


square_of_pairs = linear("square_of_pairs(Tensor self, int n)", square_kernel,
                         self=lambda d: pairs_of_square(d),
                         public=False, batch="loop", fast=kernels.square_of_pairs,
                         shown="pdist",
                         doc="What each two points have, as a symmetric matrix with zeros on the diagonal.")

pairs_of_square = linear("pairs_of_square(Tensor self)", triangle_kernel,
                         self=lambda d, self_shape: square_of_pairs(d, self_shape[0]),
                         public=False, batch="loop", wide=True, traceable=False, fast=kernels.pairs_of_square,
                         doc="For each two points the two numbers of a matrix, added: the transpose of "
                             "``square_of_pairs``.")


def slope_of_pairs(d, self, result, self_shape, p):
    """Each point has a distance from each of the others, on either side."""
    return distances_backward(square_of_pairs(d, self_shape[0]), self, self, square_of_pairs(result, self_shape[0]), p)


distances_of_pairs = general("distances_of_pairs(Tensor self, float p)", pairs_kernel,
                             self=lambda d, self, result, self_shape, p: slope_of_pairs(d, self, result, self_shape, p),
                             node="PdistBackward0", public=False, batch="loop", shown="pdist",
                             fast=kernels.distances_of_pairs, traceable=False,
                             doc="The distances of each two points, each pair once.")

# ------------------------------------------------------------------------------ from products


def by_products_kernel(x1, x2):
    """What rounding leaves of a small difference of large squares may be negative, and counts as 0."""
    largest, limits = max([np.abs(x).max(initial=0) for x in (x1, x2)]), np.finfo(x1.dtype)
    if 0 < largest < limits.tiny ** 0.5 / limits.eps or limits.max ** 0.5 / x1.shape[-1] < largest < np.inf:
        return distances_kernel(x1, x2, 2)              # squares would vanish or overflow
    squares = [np.sum(x * x, axis=-1, keepdims=True) for x in (x1, x2)]
    found = squares[0] + squares[1].swapaxes(-1, -2) - 2 * np.matmul(x1, x2.swapaxes(-1, -2))
    return np.sqrt(np.maximum(found, 0))


def slope_by_products(d, x1, x2, result):
    """The sum over j of w[i, j] (x1[i] - x2[j]), where w = d / distance."""
    weights = divide_or_zero(d, result)
    return x1 * sum_dim(weights, -1, True) - times(weights, x2)


distances_by_products = general(
    "distances_by_products(Tensor x1, Tensor x2)", by_products_kernel,
    x1=lambda d, x1, x2, result: slope_by_products(d, x1, x2, result),
    x2=lambda d, x1, x2, result: slope_by_products(transpose(d, -1, -2), x2, x1, transpose(result, -1, -2)),
    node="CdistBackward0", public=False, last_dims=2, shown="cdist",
    doc="The lengths of the differences, by way of a product of matrices.")

#: compute_mode -> from how many points on the distances come from products
MODES = {"use_mm_for_euclid_dist_if_necessary": 26, "use_mm_for_euclid_dist": 0, "donot_use_mm_for_euclid_dist": inf}


@composite(method=False, out=False, types="Tensor Tensor float str")
def cdist(x1, x2, p=2.0, compute_mode="use_mm_for_euclid_dist_if_necessary"):
    """The p-norm of the difference of each row of ``x1`` and each row of ``x2``; dims before these are a batch.

    The gradient of a distance of 0 is 0.  For p = 2, ``compute_mode`` may be "use_mm_for_euclid_dist", which is fast
    and loses digits of small distances, "donot_use_mm_for_euclid_dist", or the default: fast from 26 rows on.

    >>> torch.cdist(torch.tensor([[0., 0.], [3., 0.]]), torch.tensor([[0., 4.]]))
    tensor([[4.],
            [5.]])
    """
    if not (isinstance(x1, Tensor) and isinstance(x2, Tensor)):
        raise must_be_tensors("cdist", x1=x1, x2=x2)
    if compute_mode not in MODES:
        raise error("MG207", f"cdist(): {compute_mode} is not a valid value for compute_mode: it is one of {[*MODES]}")
    check_points(x1, x2, p)
    batch = common_shape("cdist", [tuple(x.shape[:-2]) for x in (x1, x2)])
    x1, x2 = [x if tuple(x.shape[:-2]) == batch else expand(x, (*batch, *x.shape[-2:])) for x in (x1, x2)]
    if p == 2 and max(x1.shape[-2], x2.shape[-2]) >= MODES[compute_mode] and x1.shape[-1]:
        return distances_by_products(x1, x2)
    return distances(x1, x2, float(p))


def check_points(x1, x2, p):
    for name, x in (("X1", x1), ("X2", x2)):
        if not x.dtype.is_floating_point:
            raise error("MG202", f"cdist only supports floating-point dtypes, {name} got: "
                                 f"{scalar_name(x.dtype.numpy)}")
        if x.ndim < 2:
            raise error("MG201", f"cdist only supports at least 2D tensors, {name} got: {x.ndim}D")
    if x1.dtype is not x2.dtype:
        raise error("MG202", f"cdist(): expected scalar type {scalar_name(x1.dtype.numpy)} but found "
                             f"{scalar_name(x2.dtype.numpy)}")
    if x1.shape[-1] != x2.shape[-1]:
        raise error("MG201", f"cdist(): X1 and X2 must have the same number of columns. X1: {x1.shape[-1]} X2: "
                             f"{x2.shape[-1]}")
    if not p >= 0:
        raise error("MG204", f"cdist only supports non-negative p values, not {p}")


@composite(method=False, out=False, types="Tensor float")
def pdist(input, p=2.0):
    """The distances between the rows of a matrix, each pair once: those of ``cdist`` above the diagonal, in one dim.

    >>> torch.pdist(torch.tensor([[0.], [1.], [3.]]))
    tensor([1., 3., 2.])
    """
    if input.ndim != 2:
        raise error("MG201", f"pdist only supports 2D tensors, got: {input.ndim}D")
    if not input.dtype.is_floating_point:
        raise error("MG202", f"pdist only supports floating-point dtypes, not {input.dtype}")
    if not p >= 0:
        raise error("MG204", f"pdist only supports non-negative p values, not {p}")
    return distances_of_pairs(input, float(p))


NN_REGISTRY["pdist"] = pdist


# ------------------------------------------------------------------------------ made shorter

#: what PyTorch adds to a norm before it divides
TINY = 1e-7


@composite(out="exact", types="Tensor Scalar Dim Scalar")
def renorm(self, p, dim, maxnorm):
    """``self`` with the parts along ``dim`` whose p-norm is above ``maxnorm`` scaled to have that norm.

    >>> torch.renorm(torch.tensor([[3., 4.], [0.6, 0.8]]), 2, 0, 2.5)
    tensor([[1.5000, 2.0000],
            [0.6000, 0.8000]])
    """
    for name, given in (("p", p), ("maxnorm", maxnorm)):
        if isinstance(given, complex):
            raise error("MG204", f"renorm: {name} must be real-valued")
    if p <= 0:
        raise error("MG204", f"renorm: non-positive-norm not supported, but p is {p}")
    if maxnorm < 0:
        raise error("MG204", f"renorm: expected maxnorm to be >= 0 but got {maxnorm}")
    if self.ndim < 2:
        raise error("MG201", f"renorm: input needs at least 2 dimensions, got {self.ndim} dimensions")
    axis = one_dim(dim, self.ndim, "renorm")
    norm = linalg_vector_norm(self, p, tuple([each for each in range(self.ndim) if each != axis]), True)
    return choose(norm > maxnorm, true_divide(self, norm + TINY) * maxnorm, self)


@in_place("renorm_")
def renorm_into(self, p, dim, maxnorm):
    """The parts of ``self`` along ``dim`` whose p-norm is above ``maxnorm`` are scaled to have that norm.

    >>> torch.tensor([[3., 4.], [0.6, 0.8]]).renorm_(2, 0, 2.5)
    tensor([[1.5000, 2.0000],
            [0.6000, 0.8000]])
    """
    return copy.inplace(self, renorm(clone(self), p, dim, maxnorm))
