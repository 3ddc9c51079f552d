"""NumPy's statistics, polynomials and the like of tensors, written with operations of minigrad.

What is constant piece by piece, as the counts of ``np.histogram``, is NumPy's own answer, of the values.  A function
raises LeftToNumPy for options that it does not have.
"""

from math import prod

import numpy as np

from minigrad import creation, dtypes
from minigrad._core.errors import error
from minigrad._core.graph import Tensor, wrap
from minigrad.numpy_interface.functions import LeftToNumPy, listed, must_carry, operand, otherwise, tensors_of
from minigrad.numpy_interface.rearranging import constant, fetched, trim_zeros
from minigrad.ops.arguments import in_int64
from minigrad.ops.exports import EXPORTS, REGISTRY
from minigrad.tensors.to_python import values


def call(name, *args, **keywords):
    return REGISTRY[name](*args, **keywords)


def real(a):
    """Integers as floats."""
    return a if a.is_floating_point() or a.is_complex() else a.to(dtypes.get_default_dtype())


# ------------------------------------------------------------------------------ order

def last(a, axis):
    """The elements along the axes, as one last dim; and the shape with a 1 for each axis."""
    axes = range(a.ndim) if axis is None else [each % a.ndim for each in listed(axis)]
    others = [each for each in range(a.ndim) if each not in axes]
    kept = [1 if each in axes else n for each, n in enumerate(a.shape)]
    sizes = [a.shape[each] for each in others]
    return a.permute([*others, *axes]).reshape(*sizes, prod([a.shape[each] for each in axes])), kept


#: the places between which a quantile lies, from the exact one
PLACES = {"linear": lambda at: (np.floor(at), np.ceil(at), at - np.floor(at)),
          "lower": lambda at: (np.floor(at), np.floor(at), 0.0 * at),
          "higher": lambda at: (np.ceil(at), np.ceil(at), 0.0 * at),
          "midpoint": lambda at: (np.floor(at), np.ceil(at), 0.5 * (at % 1 != 0)),
          "nearest": lambda at: (np.rint(at), np.rint(at), 0.0 * at)}


def quantiles(a, q, axis, keepdims, method="linear", ignoring=False):
    """Quantiles of the elements along the axes: the two neighbours among those in order, and what is between them."""
    if method not in PLACES or isinstance(q, Tensor) and q.requires_grad:
        raise LeftToNumPy
    a = real(a)
    rows, kept = last(a, axis)
    order = rows.sort(-1)[0]                            # nan comes last
    array = values(order.detach(), "np.quantile()")
    missing = np.isnan(array).sum(-1)
    counts = array.shape[-1] - (missing if ignoring else 0 * missing)
    q = np.asarray(constant(q), np.float64)
    if q.size and not (q.min() >= 0 and q.max() <= 1):
        raise LeftToNumPy                       # NumPy says what is wrong
    at = np.maximum(q[..., *(None,) * counts.ndim] * (counts - 1), 0)
    if not array.shape[-1]:
        return rows.new_full([*q.shape, *(kept if keepdims else counts.shape)], float("nan"))
    low, high, weight = PLACES[method](at)
    low, high = [order.expand(*q.shape, *order.shape).gather(-1, wrap(each.astype(np.int64)[..., None])).squeeze(-1)
                 for each in (low, high)]
    step = call("where", low == high, 0.0, high - low)          # inf - inf is none
    result = low + step * wrap(weight.astype(a.dtype.numpy))
    if not ignoring:
        result = call("where", wrap(np.broadcast_to(missing > 0, at.shape).copy()), float("nan"), result)
    return result.reshape([*q.shape, *kept]) if keepdims else result


@otherwise
def median(a, axis=None, *, keepdims=False):
    return quantiles(a, 0.5, axis, keepdims)


@otherwise
def nanmedian(a, axis=None, *, keepdims=False):
    return quantiles(a, 0.5, axis, keepdims, ignoring=True)


@otherwise
def quantile(a, q, axis=None, *, method="linear", keepdims=False):
    return quantiles(a, q, axis, keepdims, method)


@otherwise
def nanquantile(a, q, axis=None, *, method="linear", keepdims=False):
    return quantiles(a, q, axis, keepdims, method, ignoring=True)


@otherwise
def percentile(a, q, axis=None, *, method="linear", keepdims=False):
    return quantiles(a, np.true_divide(constant(q), 100), axis, keepdims, method)


@otherwise
def nanpercentile(a, q, axis=None, *, method="linear", keepdims=False):
    return quantiles(a, np.true_divide(constant(q), 100), axis, keepdims, method, ignoring=True)


# ------------------------------------------------------------------------------ without nan

def filled(a, value):
    """With a number for each nan."""
    return call("where", a.isnan(), value, a) if a.is_floating_point() or a.is_complex() else a


def extreme(a, axis, keepdims, name, worst):
    if not a.is_floating_point():
        return call(name, a, *(() if axis is None else (axis,)), keepdim=keepdims)
    found = call(name, filled(a, worst), *(() if axis is None else (axis,)), keepdim=keepdims)
    return call("where", a.isnan().all(*(() if axis is None else (axis,)), keepdim=keepdims), float("nan"), found)


@otherwise
def nanmax(a, axis=None, *, keepdims=False):
    return extreme(a, axis, keepdims, "amax", float("-inf"))


@otherwise
def nanmin(a, axis=None, *, keepdims=False):
    return extreme(a, axis, keepdims, "amin", float("inf"))


@otherwise
def nanprod(a, axis=None, *, keepdims=False):
    if not isinstance(axis, int):
        rows, kept = last(filled(a, 1), axis)
        return rows.prod(-1).reshape(kept) if keepdims else rows.prod(-1)
    return filled(a, 1).prod(axis, keepdim=keepdims)


@otherwise
def nancumsum(a, axis=None, dtype=None):
    return filled(a.flatten() if axis is None else a, 0).cumsum(axis or 0, dtype=dtype)


@otherwise
def nancumprod(a, axis=None, dtype=None):
    return filled(a.flatten() if axis is None else a, 1).cumprod(axis or 0, dtype=dtype)


@otherwise
def nanvar(a, axis=None, *, ddof=0, keepdims=False):
    dims = () if axis is None else (axis,)
    there = a.isnan().logical_not()
    count = there.sum(*dims, keepdim=True)
    off = call("where", there, a - filled(a, 0).sum(*dims, keepdim=True) / count, 0)
    total = (off * off.conj()).real.sum(*dims, keepdim=keepdims)
    left = count.reshape(total.shape) - ddof
    return call("where", left > 0, total, float("nan")) / left


@otherwise
def nanstd(a, axis=None, *, ddof=0, keepdims=False):
    return nanvar(a, axis, ddof=ddof, keepdims=keepdims).sqrt()


# ------------------------------------------------------------------------------ means and spreads

@otherwise
def average(a, axis=None, weights=None, returned=False, *, keepdims=False):
    dims = () if axis is None else (axis,)
    if weights is None:
        mean = real(a).mean(*dims, keepdim=keepdims)
        return (mean, creation.full_like(mean, a.numel() / max(mean.numel(), 1))) if returned else mean
    if weights.shape != a.shape:
        if not isinstance(axis, int) or weights.ndim != 1 or len(weights) != a.shape[axis]:
            raise LeftToNumPy
        weights = weights.reshape([-1 if each == axis % a.ndim else 1 for each in range(a.ndim)]).expand_as(a)
    scale = weights.sum(*dims, keepdim=keepdims)
    mean = (a * weights).sum(*dims, keepdim=keepdims) / scale
    return (mean, scale) if returned else mean


def rows_of(m, y, rowvar):
    """One row for each variable."""
    def rows(x):
        x = x.reshape(1, -1) if x.ndim < 2 else x
        return x.T if not rowvar and x.shape[0] != 1 else x
    return rows(m) if y is None else call("cat", [rows(m), rows(y)])


@otherwise
def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None):
    rows = rows_of(m, y, rowvar)
    weights = {} if fweights is None else {"fweights": creation.as_tensor(fweights)}
    if aweights is not None:
        weights["aweights"] = real(creation.as_tensor(aweights))
    ddof = (0 if bias else 1) if ddof is None else ddof
    return call("cov", real(rows), correction=ddof, **weights).squeeze()


@otherwise
def corrcoef(x, y=None, rowvar=True):
    return call("corrcoef", real(rows_of(x, y, rowvar))).squeeze()


@otherwise
def histogram(a, bins=10, range=None, density=None, weights=None):
    array, given = values(a, "np.histogram()"), constant(bins)
    if np.ndim(given) == 0 and range is None and a.requires_grad or isinstance(bins, Tensor) and bins.requires_grad:
        raise LeftToNumPy                       # the edges depend on them
    edges = np.histogram_bin_edges(array, given, range, None if weights is None else constant(weights))
    if weights is None:
        return tensors_of(np.histogram(array, edges, density=density))
    flat = array.ravel()
    places = np.where(flat == edges[-1], len(edges) - 2, np.searchsorted(edges, flat, "right") - 1)
    inside = np.flatnonzero((flat >= edges[0]) & (flat <= edges[-1]))
    counts = weights.new_zeros(len(edges) - 1).index_add(0, wrap(in_int64(places[inside])), fetched(weights, inside))
    return counts / counts.sum() / wrap(np.diff(edges)) if density else counts, wrap(edges)


# ------------------------------------------------------------------------------ differences, integrals, in between

@otherwise
def ediff1d(ary, to_end=None, to_begin=None):
    parts = [to_begin, ary.flatten().diff(), to_end]
    return call("cat", [creation.as_tensor(operand(part)).flatten().to(ary.dtype)
                        for part in parts if part is not None])


@otherwise
def diff(a, n=1, axis=-1, prepend=None, append=None):
    def whole(end):
        if end is None or isinstance(end, Tensor) and end.ndim:
            return end
        return creation.as_tensor(end).to(a.dtype).expand([1 if each == axis % a.ndim else size
                                                           for each, size in enumerate(a.shape)])
    return call("diff", a, n, axis, whole(prepend), whole(append))


@otherwise
def trapezoid(y, x=None, dx=1.0, axis=-1):
    return call("trapezoid", y, dx=dx, dim=axis) if x is None else call("trapezoid", y, x, dim=axis)


@otherwise
def gradient(f, *varargs, axis=None, edge_order=1):
    axes = range(f.ndim) if axis is None else [each % f.ndim for each in listed(axis)]
    f = real(f)
    if len(varargs) == 1 and len(axes) > 1 and np.ndim(constant(varargs[0])) == 0:
        varargs = varargs * len(axes)
    if len(varargs) not in (0, len(axes)):
        raise error("MG205", "gradient(): invalid number of arguments: give one spacing, or one for each dim")
    if any([isinstance(x, Tensor) and x.requires_grad for x in varargs]):
        raise LeftToNumPy
    found = []
    for i, each in enumerate(axes):
        spacing = varargs[i] if varargs else 1.0
        if np.ndim(constant(spacing)):
            spacing = (creation.as_tensor(spacing),)
        else:
            spacing = float(spacing)
        found.append(call("gradient", f, spacing=spacing, dim=each, edge_order=edge_order)[0])
    return found[0] if len(found) == 1 else tuple(found)


@otherwise
def interp(x, xp, fp, left=None, right=None, period=None):
    if period is not None:
        raise LeftToNumPy
    x, xp, fp = [real(creation.as_tensor(each)) for each in (x, xp, fp)]
    must_carry(x, xp, fp)
    at, knots = [np.asarray(values(each.detach(), "np.interp()")) for each in (x, xp)]
    after = np.clip(np.searchsorted(knots, at, "right"), 1, max(len(knots) - 1, 1))
    if len(knots) == 1:
        between = fetched(fp, np.zeros(at.shape, np.int64)) + 0 * x
    else:
        x0, x1, y0, y1 = [fetched(a, place) for a in (xp, fp) for place in (after - 1, after)]
        between = y0 + (x.clamp(knots[0].item(), knots[-1].item()) - x0) * ((y1 - y0) / (x1 - x0))
    for outside, end, value in ((at < knots[0], 0, left), (at > knots[-1], -1, right)):
        value = fp[end] if value is None else value
        between = call("where", wrap(np.asarray(outside)), value, between)
    return between


@otherwise
def unwrap(p, discont=None, axis=-1, *, period=2 * np.pi):
    array = values(p.detach(), "np.unwrap()")
    return p + wrap(np.asarray(np.unwrap(array, discont, axis, period=period) - array))


def steps(num, endpoint, span):
    """num numbers from 0 to 1, along a first dim in front of those of ``span``, and of its dtype."""
    whole = num - 1 if endpoint else num
    return wrap((np.arange(num) / (whole or 1)).reshape(-1, *(1,) * span.ndim)).to(span.dtype)


@otherwise
def linspace(start, stop, num=50, endpoint=True, retstep=False, *, axis=0):
    start, stop = [creation.as_tensor(operand(each)) for each in (start, stop)]
    span = real(stop - start)
    made = start + span * steps(num, endpoint, span)
    return (made.movedim(0, axis), span / (num - 1 if endpoint else num)) if retstep else made.movedim(0, axis)


@otherwise
def logspace(start, stop, num=50, endpoint=True, base=10.0, *, axis=0):
    return call("pow", base, linspace(start, stop, num, endpoint, axis=axis))


@otherwise
def geomspace(start, stop, num=50, endpoint=True, *, axis=0):
    start, stop = [creation.as_tensor(operand(each)) for each in (start, stop)]
    ratio = stop / start
    return (start * ratio ** steps(num, endpoint, ratio)).movedim(0, axis)


# ------------------------------------------------------------------------------ products and polynomials

@otherwise
def convolve(a, v, mode="full"):
    if a.numel() < v.numel():
        a, v = v, a
    return sliding(a, v.flip(0), mode)


@otherwise
def correlate(a, v, mode="valid"):
    v = v.conj() if v.is_complex() else v
    return sliding(a, v, mode) if a.numel() >= v.numel() else sliding(v, a, mode).flip(0)


def sliding(a, v, mode):
    """The sums of ``a`` times ``v`` at each place; v is the shorter."""
    if a.ndim != 1 or v.ndim != 1 or not v.numel() or mode not in ("full", "same", "valid"):
        raise LeftToNumPy
    n = v.numel() - 1
    before, after = {"full": (n, n), "same": (n - n // 2, n // 2), "valid": (0, 0)}[mode]
    common = dtypes.result_type(a, v)
    a = call("cat", [a.new_zeros(before), a, a.new_zeros(after)]).to(common)
    return call("mv", a.unfold(0, n + 1, 1), v.to(common))


@otherwise
def vdot(a, b):
    common = dtypes.result_type(a, b)
    return call("vdot", a.flatten().to(common), b.flatten().to(common))


@otherwise
def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    axisa, axisb, axisc = (axisa, axisb, axisc) if axis is None else (axis,) * 3
    a, b = a.movedim(axisa, -1), b.movedim(axisb, -1)
    if a.shape[-1] != 3 or b.shape[-1] != 3:
        raise LeftToNumPy
    return EXPORTS["minigrad.linalg"]["cross"](*call("broadcast_tensors", a, b)).movedim(-1, axisc)


@otherwise
def vander(x, N=None, increasing=False):
    made = EXPORTS["minigrad.linalg"]["vander"](x, N=len(x) if N is None else N)
    return made if increasing else made.flip(-1)


@otherwise
def linalg__tensordot(x1, x2, *, axes=2):
    return call("tensordot", x1, x2, axes if isinstance(axes, int) else [listed(each) for each in axes])


@otherwise
def polyval(p, x):
    x = creation.as_tensor(x)
    result = creation.zeros_like(x)
    for coefficient in p.unbind(0) if isinstance(p, Tensor) else p:
        result = result * x + coefficient
    return result


def of_one_length(a1, a2):
    n = max(a1.numel(), a2.numel())
    return [call("cat", [a.new_zeros(n - a.numel()), a.reshape(-1)]) for a in (a1, a2)]


@otherwise
def polyadd(a1, a2):
    return call("add", *of_one_length(a1, a2))


@otherwise
def polysub(a1, a2):
    return call("sub", *of_one_length(a1, a2))


@otherwise
def polymul(a1, a2):
    return convolve(*[trim_zeros(a.reshape(-1), "f") for a in (a1, a2)])


# ------------------------------------------------------------------------------ kinds of numbers

@otherwise
def i0(x):
    return call("i0", x)


@otherwise
def astype(x, dtype, /, *, copy=True, device=None):
    return x.to(dtype, copy=copy)


@otherwise
def real_if_close(a, tol=100):
    if not a.is_complex():
        return a
    return a if np.iscomplexobj(np.real_if_close(values(a, "np.real_if_close()"), tol)) else a.real
