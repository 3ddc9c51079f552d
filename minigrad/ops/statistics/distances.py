"""Distances between points, and vectors made shorter: cdist, pdist, renorm.

``cdist`` has a row for the norms with one formula each: p = 0, 1, 2, infinity and any other p, as norms.py has.  The
difference of each point of one set with each of the other is needed for all of them but one: a product of matrices
gives the distances of large sets, as |x - y|^2 = |x|^2 + |y|^2 - 2 x y.  Where two points are equal, the distance has a
corner, and the gradient is 0.

Neighbours: norms.py in algebra (the norms of vectors).
"""

from math import inf

import numpy as np

from minigrad._core.errors import error
from minigrad._core.graph import Tensor, wrap

from ..algebra.norms import linalg_vector_norm, norm_of, power_of_abs, signed_power
from ..algebra.products import matmul, times
from ..copying import copy, zeros_of
from ..dims import must_be_tensors, one_dim, scalar_name
from ..elementwise.arithmetic import divide_or_zero
from ..elementwise.complex import abs, sgn
from ..elementwise.division import true_divide
from ..kinds import NN_REGISTRY, composite, general, in_place
from ..positions.gathering import take
from ..positions.masking import choose
from ..reductions.extremes import spread_to_ties
from ..reductions.totals import sum_dim
from ..shapes.broadcasting import common_shape, expand
from ..shapes.reshaping import clone
from ..shapes.transposing import transpose, unsqueeze

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
        out[..., start:start + step, :] = norm_of(away, p, (away.ndim - 1,), False)
    return out


def differences(x1, x2):
    return unsqueeze(x1, -2) - unsqueeze(x2, -3)


def slopes_0(d, x, result, p):
    return zeros_of(x)


def slopes_1(d, x, result, p):
    return sgn(x) * unsqueeze(d, -1)


def slopes_2(d, x, result, p):
    return x * unsqueeze(divide_or_zero(d, result), -1)


def slopes_inf(d, x, result, p):
    return sgn(x) * spread_to_ties(abs(x), unsqueeze(result, -1), unsqueeze(d, -1), -1, True)


def slopes_p(d, x, result, p):
    return signed_power(x, p - 1) * unsqueeze(divide_or_zero(d, power_of_abs(result, p - 1)), -1)


def distances(name, slopes):
    """The row of the distances in one norm; ``slopes`` is the gradient of the differences ``x``."""
    return general(f"{name}(Tensor x1, Tensor x2, float p)", distances_kernel,
                   x1=lambda d, x1, x2, result, p: sum_dim(slopes(d, differences(x1, x2), result, p), -2),
                   x2=lambda d, x1, x2, result, p: -sum_dim(slopes(d, differences(x1, x2), result, p), -3),
                   node="CdistBackward0", public=False, last_dims=2, shown="cdist",
                   doc="The distance of each of the points ``x1`` from each of ``x2``.")


ROW_OF_P = {0: distances("distances_0", slopes_0), 1: distances("distances_1", slopes_1),
            2: distances("distances_2", slopes_2), inf: distances("distances_inf", slopes_inf)}
distances_p = distances("distances_p", slopes_p)

# ------------------------------------------------------------------------------ from products


def by_products_kernel(x1, x2):
    """What rounding leaves of a small difference of large squares may be negative, and counts as 0."""
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
    return ROW_OF_P.get(p, distances_p)(x1, x2, float(p))


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
    n = input.shape[0]
    above = np.ravel_multi_index(np.triu_indices(n, 1), (n, n)) if n > 1 else np.empty(0, np.int64)
    return take(ROW_OF_P.get(p, distances_p)(input, input, float(p)), wrap(above))


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
    return self * choose(norm > maxnorm, true_divide(maxnorm, norm + TINY), 1.0)


@in_place("renorm_")
def renorm_into(self, p, dim, maxnorm):
    """The parts of ``self`` along ``dim`` whose p-norm is above ``maxnorm`` are scaled to have that norm.

    >>> torch.tensor([[3., 4.], [0.6, 0.8]]).renorm_(2, 0, 2.5)
    tensor([[1.5000, 2.0000],
            [0.6000, 0.8000]])
    """
    return copy.inplace(self, renorm(clone(self), p, dim, maxnorm))
