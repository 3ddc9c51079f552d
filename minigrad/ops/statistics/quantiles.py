"""Quantiles.

A quantile lies between two entries in sorted order, and is differentiated as such: by way of ``sort``, ``gather`` and
``lerp``, so that the two entries share its gradient, and a tensor of probabilities has one too.

Neighbours: sorting.py among the reductions (the median), covariances.py.
"""

import numpy as np

from minigrad._core.devices.device_arrays import constant
from minigrad._core.errors import error
from minigrad._core.graph import Tensor

from ..copying import to_copy
from ..elementwise.arithmetic import lerp_number, lerp_tensor
from ..elementwise.comparison import isnan, logical_not
from ..elementwise.piecewise import ceil, clamp_min, floor, round_whole
from ..composites import composite
from ..positions.gathering import gather
from ..positions.masking import choose
from ..reductions.sorting import sort
from ..reductions.totals import any, sum_dim
from ..shapes.broadcasting import expand
from ..shapes.reshaping import reshaped
from ..shapes.transposing import movedim
from ..arguments import one_dim

#: interpolation -> which entry, by its rank in sorted order; two of them lie between the entry below and that above
RANKS = {"lower": floor, "higher": ceil, "nearest": round_whole, "linear": floor, "midpoint": floor}


def check_quantile(op, self, q, interpolation):
    if self.dtype.numpy not in (np.float32, np.float64):
        raise error("MG202", f"{op}() input tensor must be either float or double dtype, not {self.dtype}")
    if 0 in self.shape:
        raise error("MG204", f"{op}() input tensor must be non-empty, but its shape is {list(self.shape)}")
    if interpolation not in RANKS:
        raise error("MG204", f"{op}() interpolation must be one of linear, lower, higher, midpoint or nearest, but got "
                             f"{interpolation}")
    if not isinstance(q, Tensor):
        if not isinstance(q, (int, float)):
            raise error("MG205", f"{op}(): argument 'q' (position 2) must be Tensor or float, not {type(q).__name__}")
        if not 0 <= q <= 1:
            raise error("MG204", f"{op}() q must be in the range [0, 1] but got {q}")
        return
    if q.ndim > 1:
        raise error("MG204", f"{op}() q must be a scalar or 1D tensor, but it has {q.ndim} dims")
    if q.dtype is not self.dtype:
        raise error("MG202", f"{op}() q tensor must be same dtype as the input tensor: {q.dtype} and {self.dtype}")
    if not q.is_meta and not bool(((q >= 0) & (q <= 1)).all()):
        raise error("MG204", f"{op}() q values must be in the range [0, 1]")


def quantile_over(op, self, q, dim, keepdim, interpolation, without_nan):
    check_quantile(op, self, q, interpolation)
    axis = None if dim is None else one_dim(dim, self.ndim, op)
    if axis is None or not self.ndim:
        values, order = sort(reshaped(self, (-1,)), -1)
    else:
        values, order = sort(movedim(self, axis, -1), -1)
    alone = not (isinstance(q, Tensor) and q.ndim)
    q = reshaped(q, (-1,)) if isinstance(q, Tensor) else constant(np.asarray([q], self.dtype.numpy), self)
    ranks = ranks_of(values, q, without_nan)
    found = gather(values, -1, to_copy(RANKS[interpolation](ranks), order.dtype))
    if interpolation in ("linear", "midpoint"):
        above = gather(values, -1, to_copy(ceil(ranks), order.dtype))
        found = (lerp_number(found, above, 0.5) if interpolation == "midpoint"
                 else lerp_tensor(found, above, ranks - floor(ranks)))
    shape = list(self.shape)
    if axis is not None and shape:
        shape[axis:axis + 1] = [1] if keepdim else []
    elif keepdim:
        shape = [1] * len(shape)
    else:
        shape = []
    return reshaped(movedim(found, -1, 0), tuple(shape) if alone else (*q.shape, *shape))


def ranks_of(values, q, without_nan):
    """Where the quantiles lie among the entries, which are sorted; nan are last, and one is enough to be the result."""
    last = values.shape[-1] - 1
    if without_nan:
        numbers = sum_dim(logical_not(isnan(values)), -1, True)
        ranks = q * clamp_min(numbers - 1, 0)
    else:
        ranks = choose(any(isnan(values), -1, True), float(last), q * last)
    return expand(ranks, (*values.shape[:-1], *q.shape))


@composite(out="exact", types="Tensor Any Dim? bool str")
def quantile(self, q, dim=None, keepdim=False, *, interpolation="linear"):
    """The entry below which the fraction ``q`` of all entries lies, of all or along ``dim``; nan if any entry is nan.

    ``q`` is a number from 0 to 1 or a vector of them, whose results are along a new first dim.  Between two entries
    ``interpolation`` says what the result is: "linear", "lower", "higher", "nearest" or "midpoint".

    >>> torch.quantile(torch.tensor([1., 2., 4.]), torch.tensor([0.5, 0.75]))
    tensor([2., 3.])
    """
    return quantile_over("quantile", self, q, dim, keepdim, interpolation, False)


@composite(out="exact", types="Tensor Any Dim? bool str")
def nanquantile(self, q, dim=None, keepdim=False, *, interpolation="linear"):
    """``quantile`` of the entries that are not nan; nan where there are none.

    >>> torch.nanquantile(torch.tensor([1., float("nan"), 2.]), 0.5)
    tensor(1.5000)
    """
    return quantile_over("nanquantile", self, q, dim, keepdim, interpolation, True)
