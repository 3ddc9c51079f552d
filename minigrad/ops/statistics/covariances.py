"""Covariances and correlations, of the rows of a matrix whose columns are observations.

Both are made of other rows.  Neighbours: quantiles.py, totals.py among the reductions (mean and variance).
"""

from minigrad._core.errors import error, warn

from ..algebra.products import mm
from ..elementwise.complex import complex, conj, imag, real
from ..elementwise.division import true_divide
from ..elementwise.piecewise import clamp
from ..elementwise.powers import sqrt
from ..composites import composite
from ..reductions.totals import sum_dim
from ..shapes.arranging import diag
from ..shapes.reshaping import reshaped, view
from ..shapes.transposing import squeeze_all, t
from ..arguments import scalar_name

def check_matrix(op, self):
    if self.ndim > 2:
        raise error("MG201", f"{op}(): expected input to have two or fewer dimensions but got an input with "
                             f"{self.ndim} dimensions")


def check_weights(name, weights, observations, kinds, wanted):
    """Refuse weights of observations that have another shape, another kind of dtype, or a sign."""
    if weights.ndim > 1:
        raise error("MG201", f"cov(): expected {name} to have one or fewer dimensions but got {name} with "
                             f"{weights.ndim} dimensions")
    if weights.dtype.numpy.kind not in kinds:
        raise error("MG202", f"cov(): expected {name} to have {wanted} dtype but got {name} with "
                             f"{scalar_name(weights.dtype.numpy)} dtype")
    if weights.numel() != observations:
        raise error("MG201", f"cov(): expected {name} to have the same numel as there are observations in the input "
                             f"but got {weights.numel()} != {observations}")
    if bool((weights < 0).any()):
        raise error("MG204", f"cov(): {name} cannot be negative")


@composite(out=False, types="Tensor int Tensor? Tensor?")
def cov(self, *, correction=1, fweights=None, aweights=None):
    """The covariances of the rows, whose entries are observations.

    ``fweights`` says how often each observation was made, ``aweights`` how important it is.  The sums are divided by
    the number of observations less ``correction``.

    >>> torch.cov(torch.tensor([[0., 1., 2.], [2., 1., 0.]]))
    tensor([[ 1., -1.],
            [-1.,  1.]])
    """
    check_matrix("cov", self)
    if self.dtype.category == 0:
        raise error("MG202", "cov(): bool dtype is not supported for input")
    rows = self if self.ndim == 2 else reshaped(self, (1, -1))
    observations = rows.shape[1]
    if fweights is not None:
        check_weights("fweights", fweights, observations, "iu", "integral")
    if aweights is not None:
        check_weights("aweights", aweights, observations, "fV", "floating point")
    weights = fweights if aweights is None else aweights if fweights is None else fweights * aweights
    total = observations if weights is None else weights.sum()
    if weights is not None and not bool(total):
        raise error("MG204", "cov(): weights sum to zero, can't be normalized")
    weighted = rows if weights is None else rows * weights
    mean = true_divide(sum_dim(weighted, 1, True), total)
    if weights is None or aweights is None or not correction:
        freedom = total - correction
    else:
        freedom = total - correction * (weights * aweights).sum() / total
    if bool(freedom <= 0):
        warn(NO_FREEDOM)
        freedom = 0
    away = rows - mean
    return squeeze_all(true_divide(mm(away, conj(t(away if weights is None else away * weights))), freedom))


NO_FREEDOM = ("cov(): degrees of freedom is <= 0. Correction should be strictly less than the number of observations.")


@composite(out=False)
def corrcoef(self):
    """The correlations of the rows: their covariances, divided by the two standard deviations.

    >>> torch.corrcoef(torch.tensor([[0., 1., 2.], [2., 1., 0.]]))
    tensor([[ 1., -1.],
            [-1.,  1.]])
    """
    check_matrix("corrcoef", self)
    found = cov(self)
    if not found.ndim:
        return found / found                # 1, or nan where nothing varies
    variances = diag(found)
    deviations = sqrt(real(variances) if variances.dtype.is_complex else variances)
    found = found / view(deviations, (-1, 1)) / view(deviations, (1, -1))
    if found.dtype.is_complex:
        return complex(clamp(real(found), -1, 1), clamp(imag(found), -1, 1))
    return clamp(found, -1, 1)
