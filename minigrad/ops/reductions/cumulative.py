"""Running totals along a dim: cumsum, cumprod, cummax, cummin, logcumsumexp; and diff, which undoes cumsum.

Every entry of the result depends on the entries before it, so a gradient runs the other way, from
the last entry to the first.  One operation says this for all of them, the *linear recurrence*::

    scan(b, a, dim, step):      s[i] = b[i] + a[i] * s[i - step]        step = 1 or -1

cumsum is the scan with all a = 1, cumprod the one with b = (1, 0, 0 ...) shifted in.  As a matrix,
s = (I - A S)^-1 b, where S shifts by one place; its transpose (I - S' A)^-1 is again a scan, in the
other direction with a shifted.  So the recurrence is closed under differentiation, and cumprod,
logcumsumexp and (in totals.py) prod get gradients without a division: zeros need no special
case, however often one differentiates.

``dim=None`` in the helpers means: over all elements in their order, keeping the shape.
"""

import numpy as np

from minigrad._core.errors import error
from minigrad._core.kernels import table as kernels
from minigrad._core.kernels.loops import special_functions
from minigrad._core.kernels.reductions.array_sums import running

from ..copying import as_multiplied
from ..elementwise.arithmetic import keep, sub
from ..elementwise.comparison import logical_xor, ne
from ..elementwise.complex import conj
from ..elementwise.elementary import sigmoid, sigmoid_backward
from ..elementwise.powers import to_doubles
from ..composites import composite, in_place
from ..kinds import elementwise, general, linear
from ..positions.gathering import gather_backward
from ..shapes.joining import cat
from ..shapes.reshaping import clone
from ..shapes.slicing import slice_
from ..arguments import cast, in_half, in_rows, in_single, is_half, one_dim, refuse_complex

# ------------------------------------------------------------------------------ sums

def accumulated(ufunc):
    """The kernel of a running ufunc: integers are widened, and half precision is kept in single."""
    def kernel(self, dim, dtype):
        self = cast(self, dtype)
        if not self.ndim:
            return self.astype(np.int64 if dtype is None and self.dtype.kind in "biu" else self.dtype)
        if not self.size:                       # NumPy goes along every line, of which there may be many
            return np.empty(self.shape, np.int64 if dtype is None and self.dtype.kind in "biu" else self.dtype)
        if self.dtype.kind in "biu":
            return ufunc.accumulate(self, axis=dim, dtype=np.int64 if dtype is None else self.dtype)
        return accumulate(ufunc, self, dim)
    return kernel


def accumulate(ufunc, array, axis, backwards=False):
    """``ufunc.accumulate``, of add or multiply: one pass in double precision, from the end if ``backwards``."""
    if not array.size:
        return array.copy()
    found = running("sum" if ufunc is np.add else "product", array, None, axis, backwards)
    if found is not None:
        return found
    if is_half(array.dtype):
        return in_half(accumulate(ufunc, in_single(array), axis, backwards), array)
    wide = array.astype(np.complex128) if array.dtype == np.complex64 else array
    if backwards:
        wide = np.flip(wide, axis)
    wide = ufunc.accumulate(wide, axis=axis).astype(array.dtype, copy=False)
    return np.flip(wide, axis) if backwards else wide


def reverse_cumsum_kernel(self, dim):
    if not self.ndim:
        return self.copy()
    return accumulate(np.add, self, dim, True)


reverse_cumsum = linear("reverse_cumsum(Tensor self, Dim dim)", reverse_cumsum_kernel,
                        self=lambda d, dim: cumsum(d, dim),
                        public=False, fast=kernels.reverse_cumsum,
                        doc="The sum of each entry and all after it: the transpose of ``cumsum``.")

cumsum = linear("cumsum(Tensor self, Dim dim, *, DType? dtype=None)", accumulated(np.add),
                self=lambda d, dim: reverse_cumsum(d, dim),
                fast=kernels.cumsum, out="cast", doc="""The sum of each entry and all before it along ``dim``.

Integers and bools are summed as int64, as everywhere in PyTorch; ``dtype`` converts the input first.

>>> torch.cumsum(torch.tensor([1., 2., 3.]), 0)
tensor([1., 3., 6.])
""")


def check_own_dtype(op, self, dtype):
    """An in-place form cannot change the dtype."""
    if dtype is not None and dtype != self.dtype:
        raise cannot_change_dtype(op, self.dtype, dtype)


@in_place("cumsum_")
def cumsum_into(self, dim, *, dtype=None):
    """Each entry of ``self`` becomes the sum of it and all before it; ``dtype`` can only be that of ``self``.

    >>> torch.tensor([1., 2., 3.]).cumsum_(0)
    tensor([1., 3., 6.])
    """
    check_own_dtype("cumsum_", self, dtype)
    return cumsum.inplace(self, dim)

# ------------------------------------------------------------------------------ the linear recurrence

def along(dim, kernel, *arrays):
    """Run ``kernel(*arrays, axis)`` along a dim; None is along all elements in a row."""
    shape = arrays[0].shape
    if dim is None or not shape:
        return kernel(*[array.reshape(-1) for array in arrays], 0).reshape(shape)
    return kernel(*arrays, dim)


def part(array, axis, start, stop):
    """``array[start:stop]`` along ``axis``: a NumPy view."""
    return array[(slice(None),) * axis + (slice(start, stop),)]


def scan_kernel(self, coefficients, dim, step):
    """s[i] = b[i] + a[i] s[i - step]: in one pass for real numbers, and by doubling for complex ones.

    Doubling takes log2(n) passes over whole arrays, without a loop over entries.  The pair (a, b) stands for
    the map s -> a s + b.  After pass k an entry holds the composition of the 2**k maps that end in it, and
    the next pass composes it with the one 2**k places before.
    """
    def recurrence(b, a, axis):
        shape = np.broadcast_shapes(a.shape, b.shape)
        dtype = np.result_type(a, b)
        found = running("recurrence", np.broadcast_to(b, shape).astype(dtype, copy=False),
                        np.broadcast_to(a, shape).astype(dtype, copy=False), axis, step < 0)
        return doubling(b, a, axis, shape).astype(dtype) if found is None else found

    def doubling(b, a, axis, shape):
        if step < 0:
            a, b = np.flip(a, axis), np.flip(b, axis)
        a, b = np.broadcast_to(a, shape).astype(np.complex128), np.broadcast_to(b, shape).astype(np.complex128)
        reach = 1
        while reach < shape[axis]:
            late_a, late_b = part(a, axis, reach, None), part(b, axis, reach, None)
            late_b += late_a * part(b, axis, None, -reach)
            late_a *= part(a, axis, None, -reach).copy()
            reach *= 2
        return b if step > 0 else np.flip(b, axis)
    return along(dim, recurrence, self, coefficients)


def shift_kernel(self, dim, step, fill):
    """x[i - step], with ``fill`` where there is none."""
    def moved(x, axis):
        out = np.full_like(x, fill, order="C")
        if step > 0:
            part(out, axis, step, None)[...] = part(x, axis, None, -step)
        else:
            part(out, axis, None, step)[...] = part(x, axis, -step, None)
        return out
    return along(dim, moved, self)


shift = linear("shift(Tensor self, Dim? dim, int step)", lambda self, dim, step: shift_kernel(self, dim, step, 0),
               self=lambda d, dim, step: shift(d, dim, -step),
               public=False, fast=kernels.shift,
               doc="The entries moved by ``step`` places along ``dim``, with zeros moved in.")

shift_in = general("shift_in(Tensor self, Dim? dim, int step, Scalar fill)", shift_kernel,
                   self=lambda d, dim, step: shift(d, dim, -step),
                   public=False, fast=kernels.shift_in,
                   doc="The same with ``fill`` moved in: affine, so not of the linear kind.")


scan = general("scan(Tensor self, Tensor coefficients, Dim? dim, int step)", scan_kernel,
               self=lambda d, coefficients, dim, step: scan_back(d, conj(coefficients), dim, step),
               coefficients=lambda d, coefficients, result, dim, step:
                   scan_back(d, conj(coefficients), dim, step) * conj(shift(result, dim, step)),
               public=False, fast=kernels.scan,
               doc="""The linear recurrence s[i] = self[i] + coefficients[i] * s[i - step], for step 1 or -1.

With respect to the coefficients it is a product: (ds)[i] = a[i] (ds)[i - step] + (da)[i] s[i - step].
""")


def scan_back_kernel(self, coefficients, dim, step):
    return scan_kernel(self, shift_kernel(coefficients, dim, -step, 0), dim, -step)


scan_back = general("scan_back(Tensor self, Tensor coefficients, Dim? dim, int step)", scan_back_kernel,
                    self=lambda d, coefficients, dim, step: scan(d, conj(coefficients), dim, step),
                    coefficients=lambda d, coefficients, result, dim, step:
                        conj(result) * shift(scan(d, conj(coefficients), dim, step), dim, step),
                    public=False, fast=kernels.scan_back,
                    doc="""The transpose of ``scan``: r[i] = self[i] + coefficients[i + step] * r[i + step].

With respect to the coefficients: (dr)[i] = a[i + step] (dr)[i + step] + (da)[i + step] r[i + step].
""")

# ------------------------------------------------------------------------------ products

def exclusive_cumprod_kernel(self, dim, step):
    def before(x, axis):
        return accumulate(np.multiply, shift_kernel(x, axis, step, 1), axis, step < 0)
    return along(dim, before, self)


exclusive_cumprod = general("exclusive_cumprod(Tensor self, Dim? dim, int step)", exclusive_cumprod_kernel,
                            self=lambda d, self, result, dim, step: conj(result) * shift(
                                scan(d, conj(self), dim, -step), dim, -step),
                            public=False, fast=kernels.exclusive_cumprod,
                            doc="""The product of all entries before each one (after it, for ``step=-1``).

The entry i depends on x[k] for k < i, with the derivative (product before k) * (product between k
and i); the sum over i of d[i] times the latter is a recurrence that runs backwards.
""")

cumprod = general("cumprod(Tensor self, Dim dim, *, DType? dtype=None)", accumulated(np.multiply),
                  self=lambda d, self, result, dim:
                      conj(shift_in(result, dim, 1, 1)) * scan_back(d, conj(as_multiplied(self, result)), dim, 1),
                  fast=kernels.cumprod, out="cast", doc="""
The product of each entry and all before it along ``dim``. ``dtype`` converts the input first.

With respect to x[k], it is (product before k) times a recurrence.  The gradient divides by nothing, so zeros among the
entries need no special case.

>>> x = torch.tensor([2., 0., 3.], requires_grad=True)
>>> torch.cumprod(x, 0)
tensor([2., 0., 0.], grad_fn=<CumprodBackward0>)
>>> torch.cumprod(x, 0).sum().backward(); x.grad
tensor([1., 8., 0.])
""")


@in_place("cumprod_")
def cumprod_into(self, dim, *, dtype=None):
    """Each entry of ``self`` becomes the product of it and all before it; ``dtype`` can only be that of ``self``.

    >>> torch.tensor([1., 2., 3.]).cumprod_(0)
    tensor([1., 2., 6.])
    """
    check_own_dtype("cumprod_", self, dtype)
    return cumprod.inplace(self, dim)

# ------------------------------------------------------------------------------ logcumsumexp

def add_exponentials(x, y):
    """log(exp(x) + exp(y)) of complex numbers: the one with the larger real part is taken out, so nothing overflows."""
    larger, smaller = np.where(x.real >= y.real, (x, y), (y, x))
    return np.where(larger.real == -np.inf, -np.inf, larger + np.log1p(np.exp(smaller - larger)))


def logcumsumexp_kernel(self, dim):
    if self.dtype.kind not in "fc" and self.dtype.name != "bfloat16":
        raise only_floating(self.dtype)
    if self.dtype.kind != "c":
        wide = self.astype(np.float64)
        return in_rows(np.logaddexp.accumulate(wide, axis=dim) if self.ndim else wide).astype(self.dtype)
    out = np.where(self.real == -np.inf, -np.inf, self).astype(np.complex128)
    rows = np.moveaxis(out, dim, 0) if self.ndim else ()
    for i in range(1, len(rows)):
        rows[i] = add_exponentials(rows[i - 1], rows[i])
    return out.astype(self.dtype)


def share_kernel(self, other):
    gap = np.where((self.real == other.real) & np.isinf(self.real), 0, self - other)
    if gap.dtype.kind != "c":
        return sigmoid.kernel(gap)
    gap = np.where(np.isinf(gap.real), gap.real, gap)
    less = np.exp(np.where(gap.real < 0, gap, -gap))
    return (np.where(gap.real < 0, less, 1) / (1 + less)).astype(self.dtype)


share = elementwise("share(Tensor self, Tensor other)", share_kernel,
                    self=lambda d, result: sigmoid_backward(d, result),
                    other=lambda d, result: -sigmoid_backward(d, result),
                    public=False, fast=special_functions.share,
                    doc="exp(self) / (exp(self) + exp(other)), or sigmoid(self - other); 1/2 for equal infinities.")


def logcumsumexp_slope(d, self, result, dim):
    d, self, result = to_doubles(d, False), to_doubles(self, False), to_doubles(result, False)
    before, after = shift_in(result, dim, 1, -np.inf), shift_in(self, dim, -1, -np.inf)
    added = keep(share(self, before), ne(result, -np.inf))      # nothing has a share in exp(-inf), the empty sum
    return conj(added) * scan(d, conj(share(result, after)), dim, -1)


logcumsumexp = general("logcumsumexp(Tensor self, Dim dim)", logcumsumexp_kernel,
                       self=logcumsumexp_slope,
                       fast=kernels.logcumsumexp,
                       doc="""The logarithm of the running sum of exponentials, computed without overflow.

For y = logcumsumexp(x), an entry adds exp(x[k]) to exp(y[k-1]): its share in y[k] is sigmoid(x[k] - y[k-1]).  Then
y[k+1] has the part sigmoid(y[k] - x[k+1]) from y[k], and so on: the gradient is a recurrence from the end,
in double precision, since its shares are nearly 1, and the errors of their product add up.
Both are right even if y[k] is so large that the digits of log(2) are lost, and at infinities.

>>> torch.logcumsumexp(torch.tensor([0., 1000., 1000.]), 0)
tensor([   0.0000, 1000.0000, 1000.6932])
""")

# ------------------------------------------------------------------------------ running extremes

def running_extreme(op, ufunc, at_least):
    """The kernel of cummax and cummin: the values, and where each was last seen (ties take the latest)."""
    def kernel(self, dim):
        refuse_complex(self, op)
        if not self.ndim:
            return self.copy(), np.zeros((), np.int64)
        values = ufunc.accumulate(self, axis=dim)
        places = np.arange(self.shape[dim], dtype=np.int64).reshape((-1,) + (1,) * (self.ndim - 1 - dim))
        before = shift_kernel(values, dim, 1, 0)
        # A new extreme, or an equal one: nan, once met, stays, and only a later nan replaces it.
        seen = at_least(self, before) | (self != self)
        part(seen, dim, 0, 1)[...] = True
        return in_rows(values), in_rows(np.maximum.accumulate(np.where(seen, places, 0), axis=dim))
    return kernel


cummax = general("cummax(Tensor self, Dim dim)", running_extreme("cummax", np.maximum, np.greater_equal),
                 self=lambda d, self_shape, indices, dim: gather_backward(d, self_shape, dim, indices),
                 outputs=("values", "indices"), differentiable=("values",),
                 fast=kernels.cummax,
                 doc="""The greatest entry so far along ``dim``, and its index (of equal ones the last).

>>> torch.cummax(torch.tensor([1., 3., 2., 3.]), 0).indices
tensor([0, 1, 1, 3])
""")

cummin = general("cummin(Tensor self, Dim dim)", running_extreme("cummin", np.minimum, np.less_equal),
                 self=lambda d, self_shape, indices, dim: gather_backward(d, self_shape, dim, indices),
                 outputs=("values", "indices"), differentiable=("values",),
                 fast=kernels.cummin,
                 doc="""The least entry so far along ``dim``, and its index (of equal ones the last).

>>> torch.cummin(torch.tensor([3., 1., 2., 1.]), 0).indices
tensor([0, 1, 1, 3])
""")

# ------------------------------------------------------------------------------ differences


@composite()
def diff(self, n=1, dim=-1, prepend=None, append=None):
    """The differences of neighbours along ``dim``, ``n`` times: the inverse of ``cumsum``.

    Tensors to ``prepend`` or ``append`` are joined on first. For bools, the result is True where they change.

    >>> torch.diff(torch.tensor([1., 4., 9., 16.]))
    tensor([3., 5., 7.])
    """
    if not self.ndim:
        raise error("MG201", "diff expects input to be at least one-dimensional")
    if n < 0:
        raise error("MG204", f"order must be non-negative but got {n}")
    if n == 0:
        return clone(self)              # as in PyTorch, nothing is joined on
    axis = one_dim(dim, self.ndim, "diff")
    parts = [each for each in (prepend, self, append) if each is not None]
    if len(parts) > 1:
        self = cat(parts, axis)
    for _ in range(min(n, self.shape[axis])):
        rest = self.shape[axis] - 1
        late, early = slice_(self, axis, 1, rest + 1, 1), slice_(self, axis, 0, rest, 1)
        self = logical_xor(late, early) if self.dtype.name == "bool" else sub(late, early)
    return self


# ------------------------------------------------------------------------------ errors

def cannot_change_dtype(op, own, dtype):
    return error("MG204", f"{op}(): Bad in-place call: input tensor dtype {own} and output tensor dtype {dtype} "
                          f"should match. Use the out-of-place {op[:-1]}")


def only_floating(dtype):
    return error("MG202", "logcumsumexp(): expects a floating point or complex tensor, but got one of dtype "
                          f"{dtype.name}. Convert it first, for example with x.double()")
