"""Reductions: many numbers become one, over all dims or over some.

A reduction's formula has to give the lost dims back.  Two helpers do that for all of them:

- ``expand_reduced`` spreads d over the shape that was reduced (what sum's gradient is),
- ``restore_dims`` puts the lost dims back with size one; broadcasting in the product that follows
  does the rest, so that no shape has to be saved.

Neighbours: arguments.py (what the kernels share), cumulative.py (running sums and products), extremes.py (max, min),
norms.py.  This module defines its own ``sum``, ``all`` and ``any``: inside it, Python's are hidden.
"""

from math import prod as product

import numpy as np

from minigrad._core.errors import error, warn
from minigrad._core.kernels import table as kernels
from minigrad._core.kernels.reductions.along_dims import no_freedom
from minigrad._core.kernels.reductions.array_sums import total

from ..copying import as_multiplied
from ..elementwise.arithmetic import divide_or_zero, keep
from ..elementwise.comparison import isnan, logical_not
from ..elementwise.complex import conj
from ..elementwise.division import div
from ..elementwise.elementary import exp
from ..composites import composite
from ..kinds import general, linear, not_differentiable
from ..shapes.broadcasting import expand_kernel
from ..shapes.reshaping import reshape_to
from .cumulative import exclusive_cumprod, exclusive_cumprod_kernel, scan, shift
from ..arguments import cast, count_over, each_once, in_half, in_rows, in_single, many_dims, restored, scalar_name

SMALL = 4096            # up to this many elements, a filled array is faster than a view with zero strides

# ------------------------------------------------------------------------------ giving dims back

def expand_reduced_kernel(self, shape, dim, keepdim):
    """A view with zero strides costs no memory; of one number a small filled array is faster, to make and to read."""
    if not self.ndim and product(shape) <= SMALL:
        return np.full(shape, self)
    return expand_kernel(self.reshape([1 if dim is None or axis in dim else n for axis, n in enumerate(shape)]), shape)


expand_reduced = linear("expand_reduced(Tensor self, Sizes shape, Dims? dim=None, bool keepdim=False)",
                        expand_reduced_kernel,
                        self=lambda d, dim, keepdim: sum_dim(d, dim, keepdim),
                        public=False, fast=kernels.expand_reduced,
                        doc="A reduced tensor spread over the shape that was reduced: the transpose of ``sum``.")

restore_dims = linear("restore_dims(Tensor self, NewDims? dim, bool keepdim)", restored,
                      self=lambda d, self_shape: reshape_to(d, self_shape),
                      public=False, fast=kernels.restore_dims,
                      doc="A reduced tensor with the reduced dims put back with size one.")


# ------------------------------------------------------------------------------ sum and mean

def summed(self, axes, keepdim, dtype):
    """Add over the axes; bools and integers as int64, unless another dtype was asked for."""
    if dtype is None:
        return total(self, axes, keepdim)
    self = cast(self, dtype)
    return total(self, axes, keepdim).astype(self.dtype, copy=False)


sum_all = linear("sum(Tensor self, *, DType? dtype=None)",
                 lambda self, dtype: summed(self, None, False, dtype),
                 self=lambda d, self_shape: expand_reduced(d, self_shape),
                 node="SumBackward0", fast=kernels.sum_all, out="cast",
                 doc="The sum of all entries.", function_doc="""
The sum of all entries, or over the dims in ``dim`` (an int or a tuple; ``()`` means all).

Bools and integers are summed as int64. ``dtype`` converts the input first.

>>> torch.sum(torch.tensor([[1., 2.], [3., 4.]]), dim=0)
tensor([4., 6.])
>>> torch.sum(torch.tensor([True, True]))
tensor(2)
""")

sum_dim = linear("sum.dim_IntList(Tensor self, Dims? dim=None, bool keepdim=False, *, DType? dtype=None)",
                 summed,
                 self=lambda d, self_shape, dim, keepdim: expand_reduced(d, self_shape, dim, keepdim),
                 node="SumBackward1", fast=kernels.sum_dim, out="cast",
                 doc="The sum over one dim or several.")


def averaged(self, axes, keepdim, dtype):
    """The sum over the axes divided by the number of entries; half precision is summed in single."""
    if dtype is not None:
        self = cast(self, dtype)
    if self.dtype.kind in "biu":
        raise no_mean(self.dtype, dtype)
    found = total(in_single(self), axes, keepdim)
    return in_half(found / found.dtype.type(count_over(self.shape, axes)), self)


mean_all = linear("mean(Tensor self, *, DType? dtype=None)",
                  lambda self, dtype: averaged(self, None, False, dtype),
                  self=lambda d, self_shape: mean_backward(d, self_shape, None, False),
                  node="MeanBackward0", fast=kernels.mean_all, out="cast",
                  doc="The mean of all entries.", function_doc="""
The mean of all entries, or over the dims in ``dim``. Integers need ``dtype``, as in PyTorch.

>>> torch.mean(torch.tensor([[1., 2.], [3., 4.]]), dim=1, keepdim=True)
tensor([[1.5000],
        [3.5000]])
""")

mean_dim = linear("mean.dim(Tensor self, Dims? dim=None, bool keepdim=False, *, DType? dtype=None)",
                  averaged,
                  self=lambda d, self_shape, dim, keepdim: mean_backward(d, self_shape, dim, keepdim),
                  node="MeanBackward1", fast=kernels.mean_dim, out="cast",
                  doc="The mean over one dim or several.")


def mean_backward_kernel(self, shape, dim, keepdim):
    return expand_reduced_kernel(in_rows(self / self.dtype.type(count_over(shape, dim))), shape, dim, keepdim)


mean_backward = linear("mean_backward(Tensor self, Sizes shape, Dims? dim, bool keepdim)", mean_backward_kernel,
                       self=lambda d, dim, keepdim: mean_dim(d, dim, keepdim),
                       public=False, fast=kernels.mean_backward,
                       wide=True, doc="The transpose of ``mean``, whose transpose is the mean again.")


def nansum_kernel(self, dim, keepdim, dtype):
    if self.dtype.kind == "c":
        raise error("MG202", "nansum on CPU does not support complex inputs. Sum x.real and x.imag separately")
    kept = np.where(self != self, self.dtype.type(0), self)
    return summed(kept, dim, keepdim, dtype)


nansum = general("nansum(Tensor self, Dims? dim=None, bool keepdim=False, *, DType? dtype=None)", nansum_kernel,
                 self=lambda d, self, dim, keepdim: keep(restore_dims(d, dim, keepdim), logical_not(isnan(self))),
                 fast=kernels.nansum, out="cast", doc="""The sum of the entries that are not nan.

>>> torch.nansum(torch.tensor([1., float("nan"), 2.]))
tensor(3.)
""")


@composite()
def nanmean(self, dim=None, keepdim=False, *, dtype=None):
    """The mean of the entries that are not nan.

    >>> torch.nanmean(torch.tensor([1., float("nan"), 3.]))
    tensor(2.)
    """
    if not (self.dtype.is_floating_point or self.dtype.is_complex):
        raise error("MG202", f"nanmean(): expected input to have floating point or complex dtype but got {self.dtype}")
    many_dims(dim, self.ndim, "nanmean")        # here, its error names nanmean
    present = sum_dim(logical_not(isnan(self)), dim, keepdim)
    return div(nansum(self, dim, keepdim, dtype=dtype), present)

# ------------------------------------------------------------------------------ prod

def multiplied(self, axes, keepdim, dtype):
    """Multiply over the axes; bools and integers as int64, unless another dtype was asked for.

    What is not exact is multiplied in double precision and rounded once: the errors of a product add up, in whatever
    order it is computed.
    """
    self = cast(self, dtype)
    own = np.dtype(np.int64) if dtype is None and self.dtype.kind in "biu" else self.dtype
    wide = own if own.kind in "biu" else np.result_type(own, np.float64)
    found = np.multiply.reduce(self, axis=axes, dtype=wide, keepdims=keepdim)
    return in_rows(np.asarray(found).astype(own, copy=False))


prod_all = general("prod(Tensor self, *, DType? dtype=None)",
                   lambda self, dtype: multiplied(self, None, False, dtype),
                   self=lambda d, self, result: d * conj(
                       product_of_others(as_multiplied(self, result), result, None, False)),
                   node="ProdBackward0", fast=kernels.prod_all, out="cast",
                   doc="The product of all entries.", function_doc="""
The product of all entries, or over one ``dim``. Gradients are right even with zeros among the entries.

Bools and integers are multiplied as int64. ``dtype`` converts the input first.

>>> x = torch.tensor([2., 0., 5.], requires_grad=True)
>>> torch.prod(x).backward(); x.grad
tensor([ 0., 10.,  0.])
""")

prod_dim = general("prod.dim_int(Tensor self, Dim dim, bool keepdim=False, *, DType? dtype=None)",
                   lambda self, dim, keepdim, dtype: multiplied(self, dim if self.ndim else (), keepdim, dtype),
                   self=lambda d, self, result, dim, keepdim: restore_dims(d, dim, keepdim) * conj(
                       product_of_others(as_multiplied(self, result), result, dim, keepdim)),
                   node="ProdBackward1", fast=kernels.prod_dim, out="cast",
                   doc="The product over one dim.")


def product_of_others_kernel(self, result, dim, keepdim):
    """Divide the product by each entry if that is safe; else multiply the products of those before and after it."""
    self = self.astype(result.dtype, copy=False)
    size = np.abs(result)
    tiny = np.finfo(result.dtype).tiny
    if (size >= tiny).all() and (size < np.inf).all():
        return in_rows(restored(result, dim, keepdim) / self)
    return in_rows(exclusive_cumprod_kernel(self, dim, 1) * exclusive_cumprod_kernel(self, dim, -1))


def product_of_others_vjp(d, self, dim):
    r"""d others[i]/d x[k] is the product without i and k: (before the first)(between them)(after the second).

    For i < k, sum over i of d[i] before[i] (between i and k) is a recurrence that runs forward, and what
    is after k multiplies it; for i > k the same from the other end.
    """
    self = conj(self)
    before, after = exclusive_cumprod(self, dim, 1), exclusive_cumprod(self, dim, -1)
    return (after * shift(scan(d * before, self, dim, 1), dim, 1)
            + before * shift(scan(d * after, self, dim, -1), dim, -1))


product_of_others = general("product_of_others(Tensor self, Tensor result, Dim? dim, bool keepdim)",
                            product_of_others_kernel,
                            self=product_of_others_vjp,
                            no_gradient=("result",), public=False, fast=kernels.product_of_others,
                            doc="""For each entry the product of all others; exact with any number of zeros.

``result`` is the product of all, which ``prod``'s formula has anyway: a shortcut, and not another variable.
""")


# ------------------------------------------------------------------------------ truth and counting

def truth(op, ufunc):
    """The kernel of all and any; uint8 stays uint8, and an empty tuple of dims reduces nothing."""
    def kernel(self, dim, keepdim):
        axes = None if dim is None else each_once(op, dim)
        found = ufunc.reduce(in_single(self), axis=axes if self.ndim else None, keepdims=keepdim, dtype=np.bool_)
        return in_rows(found.astype(np.uint8) if self.dtype == np.uint8 else found)
    return kernel


all = not_differentiable("all(Tensor self, Dim[1]? dim=None, bool keepdim=False)", truth("all", np.logical_and),
                         fast=kernels.all_,
                         doc="""Whether all entries are true (not zero), or all over the dims in ``dim``.

>>> torch.all(torch.tensor([[True, False], [True, True]]), dim=1)
tensor([False,  True])
""")

any = not_differentiable("any(Tensor self, Dim[1]? dim=None, bool keepdim=False)", truth("any", np.logical_or),
                         fast=kernels.any_,
                         doc="""Whether any entry is true (not zero), or any over the dims in ``dim``.

>>> torch.any(torch.tensor([0, 0, 3]))
tensor(True)
""")

count_nonzero = not_differentiable(
    "count_nonzero(Tensor self, Dims? dim=None)",
    lambda self, dim: np.asarray(np.count_nonzero(in_single(self), axis=dim), np.int64, order="C"),
    fast=kernels.count_nonzero, out=False, doc="""How many entries are not zero, among all or over the dims in ``dim``.

>>> torch.count_nonzero(torch.tensor([[0, 1], [2, 3]]), dim=0)
tensor([1, 2])
""")

# ------------------------------------------------------------------------------ variance

def freedom_of(shape, axes, correction):
    """What the sum of squares is divided by; never less than 0. PyTorch's correction None means 1."""
    freedom = count_over(shape, axes) - (1 if correction is None else correction)
    return freedom if freedom > 0 else 0


def variance(op):
    """The kernels of var and std: the sum of squared distances from the mean, divided by n - correction."""
    def kernel(self, dim, correction, keepdim):
        if self.dtype.kind in "biu":
            raise no_variance(op, self.dtype)
        freedom = freedom_of(self.shape, dim, correction)
        if freedom == 0:
            warn(no_freedom(op))
        found = squared_distances(self, dim)
        result = found / found.dtype.type(freedom)
        if op == "std":
            result = np.sqrt(result)
            limits = np.finfo(result.dtype)
            if not ((found > limits.tiny / limits.eps) & (found <= limits.max)).all():
                result = far_from_mean(self, dim) / np.sqrt(found.dtype.type(freedom))
        return in_rows((result if keepdim else result.squeeze(dim)).astype(self.real.dtype, copy=False))
    return kernel


def far_from_mean(self, axes):
    """The square root of ``squared_distances``, in units of the largest of them: no square overflows or vanishes."""
    away = centred(self, axes)
    unit = np.maximum.reduce(np.absolute(away), axis=axes, keepdims=True, initial=0)
    unit = np.where((unit > 0) & (unit <= np.finfo(unit.dtype).max), unit, 1).astype(unit.dtype)
    parts = (away.real, away.imag) if away.dtype.kind == "c" else (away,)
    return np.sqrt(sum([squared_distances(part / unit, axes) for part in parts])) * unit


def centred(self, axes):
    """The distances from the mean."""
    count = self.dtype.type(count_over(self.shape, axes))
    return self - total(self, axes, True) / count


def squared_distances(self, axes):
    """The sum of the squared distances from the mean, with the dims kept.

    The mean is rounded, which matters if all entries are large compared with their distances.  The mean of the
    distances is the error: by Steiner's theorem, the sum is too large by its square for each entry.
    """
    away = centred(self, axes)
    count = self.real.dtype.type(count_over(self.shape, axes))
    off = total(away, axes, True) / count
    excess = count * squared_size(off)
    found = total(squared_size(away), axes, True)
    if (found > 4 * excess).all():
        return found - excess
    return total(squared_size(away - off), axes, True)      # the distances are hardly more than the error


def squared_size(array):
    return array.real ** 2 + array.imag ** 2 if array.dtype.kind == "c" else array * array


def deviation_kernel(self, dim, correction):
    away = centred(in_single(self), dim)
    freedom = away.real.dtype.type(freedom_of(self.shape, dim, correction))
    return in_rows(in_half(away * (2 / freedom), self))


deviation = linear("deviation(Tensor self, Dims? dim, Scalar? correction)", deviation_kernel,
                   self=lambda d, dim, correction: deviation(d, dim, correction),
                   public=False, fast=kernels.slope_of_variance,
                   doc="""2 (x - mean) / (n - correction), the slope of the variance.

Subtracting the mean is a projection, so this is its own transpose.
""")

var_over = general("var_over(Tensor self, Dims? dim=None, Scalar? correction=None, bool keepdim=False)",
                   variance("var"),
                   self=lambda d, self, dim, correction, keepdim:
                       restore_dims(d, dim, keepdim) * deviation(self, dim, correction),
                   public=False, node="VarBackward0", fast=kernels.variance,
                   shown="var", doc="The variance over dims.")

std_over = general("std_over(Tensor self, Dims? dim=None, Scalar? correction=None, bool keepdim=False)",
                   variance("std"),
                   self=lambda d, self, result, dim, correction, keepdim:
                       restore_dims(divide_or_zero(d, 2 * result), dim, keepdim) * deviation(self, dim, correction),
                   public=False, node="StdBackward0", fast=kernels.deviation,
                   shown="std",
                   doc="The standard deviation: the square root of the variance, with gradient 0 where it is 0.")


def read_correction(dim, unbiased, correction):
    """(dim, correction) of the three spellings: ``var(False)``, ``var(dim, False)`` and ``var(dim, correction=0)``."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    if unbiased is None:
        return dim, correction
    if correction is not None:
        raise two_corrections()
    return dim, int(unbiased)


@composite()
def var(self, dim=None, unbiased=None, keepdim=False, *, correction=None):
    """The variance: the mean squared distance from the mean, with n - ``correction`` (default 1) instead of n.

    >>> torch.var(torch.tensor([1., 2., 3., 4.]))
    tensor(1.6667)
    >>> torch.var(torch.tensor([1., 2., 3., 4.]), correction=0)
    tensor(1.2500)
    """
    dim, correction = read_correction(dim, unbiased, correction)
    return var_over(self, dim, correction, keepdim)


@composite()
def std(self, dim=None, unbiased=None, keepdim=False, *, correction=None):
    """The standard deviation, the square root of ``var``; where it is 0 the gradient is 0.

    >>> torch.std(torch.tensor([[1., 3.], [2., 6.]]), dim=1)
    tensor([1.4142, 2.8284])
    """
    dim, correction = read_correction(dim, unbiased, correction)
    return std_over(self, dim, correction, keepdim)


@composite(out=False)
def var_mean(self, dim=None, unbiased=None, keepdim=False, *, correction=None):
    """The pair (variance, mean).

    >>> torch.var_mean(torch.tensor([1., 2., 3.]))
    (tensor(1.), tensor(2.))
    """
    dim, correction = read_correction(dim, unbiased, correction)
    return var_over(self, dim, correction, keepdim), mean_dim(self, dim, keepdim)


@composite(out=False)
def std_mean(self, dim=None, unbiased=None, keepdim=False, *, correction=None):
    """The pair (standard deviation, mean).

    >>> torch.std_mean(torch.tensor([1., 2., 3.]))
    (tensor(1.), tensor(2.))
    """
    dim, correction = read_correction(dim, unbiased, correction)
    return std_over(self, dim, correction, keepdim), mean_dim(self, dim, keepdim)

# ------------------------------------------------------------------------------ logsumexp

def logsumexp_kernel(self, dim, keepdim):
    """With the greatest real part taken out first, no exponential overflows."""
    if not self.size:
        return np.log(total(np.exp(self), dim, keepdim))
    top = np.maximum.reduce(self.real, axis=dim, keepdims=True)
    top = np.where(np.isfinite(top), top, top.dtype.type(0))
    found = np.log(total(np.exp(self - top), dim, True)) + top
    return in_rows(found if keepdim else found.squeeze(dim))


logsumexp = general("logsumexp(Tensor self, Dims dim, bool keepdim=False)", logsumexp_kernel, promote="float",
                    self=lambda d, self, result, dim, keepdim: restore_dims(d, dim, keepdim) * conj(
                        exp(self - restore_dims(result, dim, keepdim))),
                    fast=kernels.logsumexp, aliases=("special_logsumexp",),
                    doc="""log(sum(exp(x))) over one dim or several, without overflow; its gradient is softmax(x).

>>> torch.logsumexp(torch.tensor([1000., 1000.]), dim=0)
tensor(1000.6932)
""")


# ------------------------------------------------------------------------------ errors and warnings

def no_mean(own, dtype):
    return error("MG202", f"mean(): could not infer output dtype. {'Input' if dtype is None else 'Optional'} dtype "
                          f"must be either a floating point or complex dtype. Got: {scalar_name(own)}. Write "
                          "x.mean(dtype=torch.float32), or convert the tensor with x.float()")


def no_variance(op, dtype):
    return error("MG202", f"std and var only support floating point and complex dtypes. {op}() was given "
                          f"{scalar_name(dtype)}: write {op}(x.float())")


def two_corrections():
    return error("MG205", "var() and std() take either unbiased or correction, not both: unbiased=True is "
                          "correction=1, unbiased=False is correction=0")
