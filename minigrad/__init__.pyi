"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

import builtins
from typing import Any

from minigrad import arrays as arrays
from minigrad import autograd as autograd
from minigrad import conversions as conversions
from minigrad import creation as creation
from minigrad import cuda as cuda
from minigrad import dtypes as dtypes
from minigrad import func as func
from minigrad import linalg as linalg
from minigrad import nn as nn
from minigrad import ops as ops
from minigrad import pickles as pickles
from minigrad import printing as printing
from minigrad import random as random
from minigrad import random_fills as random_fills
from minigrad import ranges as ranges
from minigrad import serialization as serialization
from minigrad import sizes_and_devices as sizes_and_devices
from minigrad import viz as viz
from minigrad._as_torch import as_torch as as_torch
from minigrad._core.graph import Tensor as Tensor
from minigrad._core.graph import detach_ as detach_
from minigrad._core.modes import checks_nan as is_anomaly_check_nan_enabled
from minigrad._core.modes import is_anomaly as is_anomaly_enabled
from minigrad._core.modes import is_grad_enabled as is_grad_enabled
from minigrad._core.modes import is_inference as is_inference_mode_enabled
from minigrad.autograd.grad_mode import enable_grad as enable_grad
from minigrad.autograd.grad_mode import inference_mode as inference_mode
from minigrad.autograd.grad_mode import no_grad as no_grad
from minigrad.autograd.grad_mode import set_grad_enabled as set_grad_enabled
from minigrad.dtypes import can_cast as can_cast
from minigrad.dtypes import dtype as dtype
from minigrad.dtypes import finfo as finfo
from minigrad.dtypes import get_default_dtype as get_default_dtype
from minigrad.dtypes import iinfo as iinfo
from minigrad.dtypes import promote_types as promote_types
from minigrad.dtypes import set_default_dtype as set_default_dtype
from minigrad.func.vmap import vmap as vmap
from minigrad.ops.altering import as_strided_ as as_strided_
from minigrad.ops.complex import abs_ as abs_
from minigrad.ops.complex import conj_physical_ as conj_physical_
from minigrad.ops.copying import fill_ as fill_
from minigrad.ops.indexing import index_put_ as index_put_
from minigrad.ops.piecewise import clamp_ as clamp_
from minigrad.ops.piecewise import clamp_max_ as clamp_max_
from minigrad.ops.piecewise import clamp_min_ as clamp_min_
from minigrad.ops.piecewise import clip_ as clip_
from minigrad.ops.piecewise import round_ as round_
from minigrad.ops.powers import square_ as square_
from minigrad.ops.storage import resize_as_ as resize_as_
from minigrad.printing import set_printoptions as set_printoptions
from minigrad.random import Generator as Generator
from minigrad.random import initial_seed as initial_seed
from minigrad.random import manual_seed as manual_seed
from minigrad.random import seed as seed
from minigrad.random import set_rng_state as set_rng_state
from minigrad.serialization import load as load
from minigrad.serialization import save as save
from minigrad.sizes_and_devices import Size as Size
from minigrad.sizes_and_devices import device as device
from minigrad.sizes_and_devices import layout as layout
from minigrad.sizes_and_devices import memory_format as memory_format
from minigrad.tensor import is_complex as is_complex
from minigrad.tensor import is_floating_point as is_floating_point
from minigrad.tensor import is_tensor as is_tensor
from minigrad.tensor import numel as numel
from minigrad.viz.player import explain as explain

acos_: Any
acosh_: Any
addmv_: Any
arccos_: Any
arccosh_: Any
arcsin_: Any
arcsinh_: Any
arctan_: Any
arctanh_: Any
asin_: Any
asinh_: Any
atan_: Any
atanh_: Any
bfloat16: dtype
bool: dtype
cdouble: dtype
ceil_: Any
cfloat: dtype
channels_last: Any
channels_last_3d: Any
complex128: dtype
complex64: dtype
contiguous_format: Any
cos_: Any
cosh_: Any
default_generator: Any
deg2rad_: Any
double: dtype
erf_: Any
erfc_: Any
exp2_: Any
exp_: Any
expm1_: Any
fix_: Any
float: dtype
float16: dtype
float32: dtype
float64: dtype
floor_: Any
frac_: Any
half: dtype
int: dtype
int16: dtype
int32: dtype
int64: dtype
int8: dtype
log10_: Any
log1p_: Any
log2_: Any
log_: Any
logit_: Any
long: dtype
nan_to_num_: Any
neg_: Any
negative_: Any
preserve_format: Any
rad2deg_: Any
reciprocal_: Any
relu_: Any
rsqrt_: Any
short: dtype
sigmoid_: Any
sin_: Any
sinh_: Any
sqrt_: Any
strided: Any
tan_: Any
tanh_: Any
trunc_: Any
uint8: dtype
xlogy_: Any
zero_: Any
__version__: str

def abs(self: Tensor) -> Tensor:
    """The absolute value; of complex numbers the distance from 0. Its slope at 0 is 0."""

def absolute(self: Tensor) -> Tensor:
    """The absolute value; of complex numbers the distance from 0. Its slope at 0 is 0."""

def acos(self: Tensor) -> Tensor:
    """The angle whose cosine is ``self``, between 0 and pi."""

def acosh(self: Tensor) -> Tensor:
    """The inverse of the hyperbolic cosine; nan below 1."""

def add(self, other, *, alpha=1) -> Tensor:
    """``self + alpha * other``, elementwise, with broadcasting and type promotion."""

def addbmm(self, batch1, batch2, *, beta=1, alpha=1) -> Tensor:
    """beta * self + alpha * (the sum of all products of a batch), computed as one product of long matrices."""

def addcdiv(self: Tensor, tensor1: Tensor, tensor2: Tensor, *, value=1) -> Tensor:
    """``self + value * tensor1 / tensor2``, elementwise."""

def addcmul(self: Tensor, tensor1: Tensor, tensor2: Tensor, *, value=1) -> Tensor:
    """``self + value * tensor1 * tensor2``, elementwise."""

def addmm(self: Tensor, mat1: Tensor, mat2: Tensor, *, beta=1, alpha=1) -> Tensor:
    """beta * self + alpha * (mat1 @ mat2), where ``self`` is broadcast: a linear layer's rows plus its bias."""

def addmv(self: Tensor, mat: Tensor, vec: Tensor, *, beta=1, alpha=1) -> Tensor:
    """beta * self + alpha * (mat @ vec)."""

def addr(self: Tensor, vec1: Tensor, vec2: Tensor, *, beta=1, alpha=1) -> Tensor:
    """beta * self + alpha * outer(vec1, vec2)."""

def all(self: Tensor, dim=None, keepdim=False) -> Tensor:
    """Whether all entries are true (not zero), or all over the dims in ``dim``."""

def allclose(self, other, rtol=1e-05, atol=1e-08, equal_nan=False) -> builtins.bool:
    """Whether all elements of ``self`` and ``other`` are close, as a Python bool; see ``isclose``."""

def amax(self: Tensor, dim=(), keepdim=False) -> Tensor:
    """The greatest entry over one dim or several; equal ones share the gradient evenly."""

def amin(self: Tensor, dim=(), keepdim=False) -> Tensor:
    """The least entry over one dim or several; equal ones share the gradient evenly."""

def aminmax(self, *, dim=None, keepdim=False) -> tuple[Tensor, ...]:
    """The least and the greatest entry, of all or along one dim; equal ones share the gradient evenly."""

def angle(self: Tensor) -> Tensor:
    """The angle of complex numbers in radians, between -pi and pi; of real ones 0, or pi where they are negative."""

def any(self: Tensor, dim=None, keepdim=False) -> Tensor:
    """Whether any entry is true (not zero), or any over the dims in ``dim``."""

def arange(start=None, end=None, step=1, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False) -> Tensor:
    """The numbers from ``start`` (0) to ``end``, which is left out, in steps of ``step``."""

def arccos(self: Tensor) -> Tensor:
    """The angle whose cosine is ``self``, between 0 and pi."""

def arccosh(self: Tensor) -> Tensor:
    """The inverse of the hyperbolic cosine; nan below 1."""

def arcsin(self: Tensor) -> Tensor:
    """The angle whose sine is ``self``, between -pi/2 and pi/2."""

def arcsinh(self: Tensor) -> Tensor:
    """The inverse of the hyperbolic sine."""

def arctan(self: Tensor) -> Tensor:
    """The angle whose tangent is ``self``, between -pi/2 and pi/2."""

def arctan2(self: Tensor, other: Tensor) -> Tensor:
    """The angle of the point (x = ``other``, y = ``self``), between -pi and pi. At the origin its slopes are 0."""

def arctanh(self: Tensor) -> Tensor:
    """The inverse of the hyperbolic tangent."""

def argmax(self: Tensor, dim=None, keepdim=False) -> Tensor:
    """The index of the greatest entry, of equal ones the first; of nan before all others."""

def argmin(self: Tensor, dim=None, keepdim=False) -> Tensor:
    """The index of the least entry, of equal ones the first; of nan before all others."""

def argsort(self: Tensor, dim=-1, descending=False, stable=False) -> Tensor:
    """The indices that sort the entries along ``dim``. The order is always stable."""

def argwhere(input) -> Tensor:
    """The indices of the elements that are not zero, one row for each."""

def as_strided(self, size, stride, storage_offset=None) -> Tensor:
    """A view of the memory of ``self`` with any size, strides and offset, all in elements."""

def as_tensor(data, dtype=None, device=None) -> Tensor:
    """``data`` as a tensor, copied only where it must be: a tensor comes back as it is, an array shares its memory."""

def asarray(obj, *, dtype=None, device=None, copy=None, requires_grad=None) -> Tensor:
    """``obj`` as a tensor; ``copy`` says that its numbers must (True), must not (False) or may be copied."""

def asin(self: Tensor) -> Tensor:
    """The angle whose sine is ``self``, between -pi/2 and pi/2."""

def asinh(self: Tensor) -> Tensor:
    """The inverse of the hyperbolic sine."""

def atan(self: Tensor) -> Tensor:
    """The angle whose tangent is ``self``, between -pi/2 and pi/2."""

def atan2(self: Tensor, other: Tensor) -> Tensor:
    """The angle of the point (x = ``other``, y = ``self``), between -pi and pi. At the origin its slopes are 0."""

def atanh(self: Tensor) -> Tensor:
    """The inverse of the hyperbolic tangent."""

def atleast_1d(*tensors) -> Tensor:
    """A view with at least one dim; of several tensors, a tuple of them."""

def atleast_2d(*tensors) -> Tensor:
    """A view with at least two dims; of several tensors, a tuple of them."""

def atleast_3d(*tensors) -> Tensor:
    """A view with at least three dims; of several tensors, a tuple of them."""

def baddbmm(self: Tensor, batch1: Tensor, batch2: Tensor, *, beta=1, alpha=1) -> Tensor:
    """beta * self + alpha * bmm(batch1, batch2)."""

def bernoulli(input, p=None, *, generator=None) -> Tensor:
    """Ones and zeros: each element of ``input`` is the probability of a one, or all have the probability ``p``."""

def bincount(self: Tensor, weights=None, minlength=0) -> Tensor:
    """How often each of the numbers 0, 1, 2 ... occurs, or the sum of its weights."""

def bitwise_and(self: Tensor, other: Tensor) -> Tensor:
    """The bits set in both; of bools the same as ``logical_and``."""

def bitwise_left_shift(self: Tensor, other: Tensor) -> Tensor:
    """The bits moved up by ``other`` places: ``self * 2**other``."""

def bitwise_not(self: Tensor) -> Tensor:
    """Every bit turned over; of bools the same as ``logical_not``."""

def bitwise_or(self: Tensor, other: Tensor) -> Tensor:
    """The bits set in either; of bools the same as ``logical_or``."""

def bitwise_right_shift(self: Tensor, other: Tensor) -> Tensor:
    """The bits moved down by ``other`` places, the sign kept: ``floor(self / 2**other)``."""

def bitwise_xor(self: Tensor, other: Tensor) -> Tensor:
    """The bits in which the two differ; of bools the same as ``logical_xor``."""

def block_diag(*tensors) -> Tensor:
    """The matrix with the tensors as blocks on its diagonal; vectors count as rows."""

def bmm(self: Tensor, mat2: Tensor) -> Tensor:
    """The products of two batches of matrices, (b, n, m) and (b, m, p), without broadcasting."""

def broadcast_tensors(*tensors) -> tuple[Tensor, ...]:
    """The tensors, all expanded to the shape that they broadcast to."""

def broadcast_to(self, *sizes, size=None) -> Tensor:
    """``self.expand(size)``."""

def bucketize(input, boundaries, *, out_int32=False, right=False) -> Tensor:
    """The number of the interval between ``boundaries`` in which each value lies."""

def cartesian_prod(*tensors) -> Tensor:
    """All ways to take one element of each vector, as rows."""

def cat(tensors: Tensor, dim=0) -> Tensor:
    """The tensors one after another along a dim that they all have."""

def ceil(self: Tensor) -> Tensor:
    """The smallest whole number that is not smaller."""

def celu(input, alpha=1.0) -> Tensor:
    """``input`` above 0, ``alpha * (exp(input / alpha) - 1)`` below: its slope at 0 is 1 for any ``alpha``."""

def celu_(input, *args, **kwargs) -> Any:
    """The in-place form of :func:`celu`: ``input`` takes the result, and is returned."""

def chunk(self, chunks, dim=0) -> tuple[Tensor, ...]:
    """At most ``chunks`` pieces of one size along ``dim`` (the last may be smaller); views."""

def clamp(self, min=None, max=None) -> Tensor:
    """``self`` pushed into the range from ``min`` to ``max``; each a number, a tensor or None."""

def clamp_max(self, max) -> Tensor:
    """``self``, but at most ``max``."""

def clamp_min(self, min) -> Tensor:
    """``self``, but at least ``min``."""

def clip(self, min=None, max=None) -> Tensor:
    """``self`` pushed into the range from ``min`` to ``max``; each a number, a tensor or None."""

def clone(self: Tensor, *, memory_format=None) -> Tensor:
    """A copy that gradients flow through."""

def column_stack(tensors) -> Tensor:
    """The tensors side by side, vectors as columns."""

def complex(real: Tensor, imag: Tensor) -> Tensor:
    """The complex tensor with these real and imaginary parts."""

def concat(tensors: Tensor, dim=0) -> Tensor:
    """The tensors one after another along a dim that they all have."""

def concatenate(tensors: Tensor, dim=0) -> Tensor:
    """The tensors one after another along a dim that they all have."""

def conj(self) -> Tensor:
    """The complex conjugate; a real tensor is returned as it is. It copies, where PyTorch makes a lazy view."""

def conj_physical(self) -> Tensor:
    """The complex conjugate, as a copy; a real tensor is returned as it is."""

def contiguous(self, memory_format='contiguous_format') -> Tensor:
    """``self`` where its elements lie in memory in their order (or that of ``memory_format``), else a copy in which they do."""

def cos(self: Tensor) -> Tensor:
    """The cosine of an angle in radians."""

def cosh(self: Tensor) -> Tensor:
    """The hyperbolic cosine."""

def count_nonzero(self: Tensor, dim=None) -> Tensor:
    """How many entries are not zero, of all or over the dims in ``dim``."""

def cummax(self: Tensor, dim) -> tuple[Tensor, Tensor]:
    """The greatest entry so far along ``dim``, and its index (of equal ones the last)."""

def cummin(self: Tensor, dim) -> tuple[Tensor, Tensor]:
    """The least entry so far along ``dim``, and its index (of equal ones the last)."""

def cumprod(self, dim, *, dtype=None) -> Tensor:
    """The product of each entry and all before it along ``dim``. ``dtype`` converts the input first."""

def cumsum(self: Tensor, dim, *, dtype=None) -> Tensor:
    """The sum of each entry and all before it along ``dim``."""

def deg2rad(self: Tensor) -> Tensor:
    """Degrees as radians."""

def det(self) -> Tensor:
    """The determinant of a square matrix, or of each of a batch; ``linalg.det``."""

def diag(self, diagonal=0) -> Tensor:
    """Of a vector, the matrix with it on a diagonal; of a matrix, a copy of a diagonal."""

def diag_embed(self: Tensor, offset=0, dim1=-2, dim2=-1) -> Tensor:
    """Matrices with the last dim on a diagonal and zeros elsewhere."""

def diagflat(self, offset=0) -> Tensor:
    """The matrix with all elements on a diagonal."""

def diagonal(self: Tensor, offset=0, dim1=0, dim2=1) -> Tensor:
    """The entries whose indices in two dims differ by ``offset``; they become the last dim. A view."""

def diff(self, n=1, dim=-1, prepend=None, append=None) -> Tensor:
    """The differences of neighbours along ``dim``, ``n`` times: the inverse of ``cumsum``."""

def digamma(self: Tensor) -> Tensor:
    """The derivative of ``lgamma``."""

def dist(self, other, p=2) -> Tensor:
    """The p-norm of the difference."""

def div(self, other, *, rounding_mode=None) -> Tensor:
    """``self / other``, elementwise; rounded towards zero ("trunc") or downwards ("floor") if asked for."""

def divide(self, other, *, rounding_mode=None) -> Tensor:
    """``self / other``, elementwise; rounded towards zero ("trunc") or downwards ("floor") if asked for."""

def dot(self: Tensor, tensor: Tensor) -> Tensor:
    """The sum of the products of two vectors' entries, without conjugation."""

def dstack(tensors) -> Tensor:
    """The tensors behind one another, along dim 2."""

def einsum(equation, *operands) -> Tensor:
    """The sum of products that ``equation`` describes, one letter per dim: see the top of this module."""

def empty(*shape, size=None, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False, memory_format=None) -> Tensor:
    """A tensor to be filled: its numbers are whatever was in its memory."""

def empty_like(input, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False, memory_format=None) -> Tensor:
    """A tensor to be filled, with the shape and dtype of ``input``."""

def eq(self: Tensor, other: Tensor) -> Tensor:
    """Where ``self`` equals ``other``, as a bool tensor; nan equals nothing."""

def equal(self, other) -> builtins.bool:
    """Whether two tensors have the same shape and the same elements, as a Python bool."""

def erf(self: Tensor) -> Tensor:
    """The error function: 2/sqrt(pi) times the integral of exp(-t^2) from 0 to ``self``."""

def erfc(self: Tensor) -> Tensor:
    """``1 - erf(self)``, exact also where that is small."""

def exp(self: Tensor) -> Tensor:
    """The exponential function, which is its own derivative: the node saves the result."""

def exp2(self: Tensor) -> Tensor:
    """Two to the power of ``self``."""

def expand(self, *sizes, size=None, implicit=False) -> Tensor:
    """Dims of size one repeated, and new dims in front, without a copy; -1 keeps a size. A view."""

def expand_as(self, other) -> Tensor:
    """``self.expand(other.shape)``."""

def expm1(self: Tensor) -> Tensor:
    """``exp(self) - 1``, exact also for small ``self``."""

def eye(n, m=None, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False) -> Tensor:
    """The matrix with ones on its diagonal and zeros elsewhere, ``n`` by ``m`` (``n`` by ``n``)."""

def fix(self: Tensor) -> Tensor:
    """The whole part: rounding towards zero."""

def flatten(self, start_dim=0, end_dim=-1) -> Tensor:
    """The dims from ``start_dim`` to ``end_dim`` as one; ``self`` itself where that is one already."""

def flip(self, *axes, dims=None) -> Tensor:
    """A copy with the order of the elements reversed along the given dims."""

def fliplr(self) -> Tensor:
    """A copy with the columns in reverse order."""

def flipud(self) -> Tensor:
    """A copy with the rows in reverse order."""

def floor(self: Tensor) -> Tensor:
    """The largest whole number that is not larger."""

def floor_divide(self: Tensor, other: Tensor) -> Tensor:
    """``self / other`` rounded downwards: what ``//`` means. Its gradient is zero (PyTorch gives an error)."""

def fmax(self: Tensor, other: Tensor) -> Tensor:
    """The larger of the two, elementwise; nan loses. Of equal arguments the first has the gradient."""

def fmin(self: Tensor, other: Tensor) -> Tensor:
    """The smaller of the two, elementwise; nan loses. Of equal arguments the first has the gradient."""

def fmod(self, other) -> Tensor:
    """What is left of ``self`` after division by ``other``, with the sign of ``self``: C's ``fmod``."""

def frac(self: Tensor) -> Tensor:
    """What ``trunc`` takes away: the fractional part, with the sign of ``self``."""

def from_numpy(ndarray) -> Tensor:
    """A tensor that shares its memory with a NumPy array: what is written to one is seen in the other."""

def full(size, fill_value, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False) -> Tensor:
    """A tensor with ``fill_value`` everywhere; without ``dtype`` the value decides it."""

def full_like(input, fill_value, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False, memory_format=None) -> Tensor:
    """``fill_value`` everywhere, with the shape and dtype of ``input``."""

def gather(self: Tensor, dim, index, *, sparse_grad=False) -> Tensor:
    """Elements along ``dim`` by number: ``out[i][j] = self[i][index[i][j]]`` for ``dim=1``."""

def ge(self: Tensor, other: Tensor) -> Tensor:
    """Where ``self >= other``, as a bool tensor."""

def ger(self, vec2) -> Tensor:
    """All products of an entry of one vector and an entry of the other, as a matrix."""

def get_rng_state() -> Tensor:
    """Where the stream of random numbers stands, for ``set_rng_state``."""

def greater(self: Tensor, other: Tensor) -> Tensor:
    """Where ``self > other``, as a bool tensor."""

def greater_equal(self: Tensor, other: Tensor) -> Tensor:
    """Where ``self >= other``, as a bool tensor."""

def gt(self: Tensor, other: Tensor) -> Tensor:
    """Where ``self > other``, as a bool tensor."""

def histc(self: Tensor, bins=100, min=0, max=0) -> Tensor:
    """How many entries fall into each of ``bins`` equal intervals from min to max."""

def hstack(tensors) -> Tensor:
    """The tensors side by side: along dim 1, or dim 0 where they have only one."""

def hypot(self: Tensor, other: Tensor) -> Tensor:
    """The length of the hypotenuse: ``sqrt(self**2 + other**2)``, without overflow."""

def imag(self: Tensor) -> Tensor:
    """The imaginary part: a view of the same memory."""

def index_add(self: Tensor, dim, index, source: Tensor, *, alpha=1) -> Tensor:
    """A copy with the parts of ``source``, times ``alpha``, added at the numbers in ``index``."""

def index_copy(self: Tensor, dim, index, source: Tensor) -> Tensor:
    """A copy with the parts of ``source`` written at the numbers in ``index``."""

def index_fill(self, dim, index, value) -> Tensor:
    """A copy with ``value`` (a number or a 0-d tensor) in the parts with the numbers in ``index``."""

def index_put(self, indices, values, accumulate=False) -> Tensor:
    """A copy of ``self`` with ``values`` written (or added, with ``accumulate``) at the positions ``indices``."""

def index_select(self: Tensor, dim, index) -> Tensor:
    """The parts along ``dim`` with the numbers in the vector ``index``."""

def inner(self, other) -> Tensor:
    """The sums of products over the last dim of both: for vectors ``dot``, for matrices ``self @ other.T``."""

def inverse(self) -> Tensor:
    """The inverse of a square matrix, or of each of a batch; ``linalg.inv``."""

def is_conj(self) -> builtins.bool:
    """False: conjugates are never lazy here."""

def is_neg(self) -> builtins.bool:
    """False: negations are never lazy here."""

def isclose(self: Tensor, other: Tensor, rtol=1e-05, atol=1e-08, equal_nan=False) -> Tensor:
    """Where ``|self - other| <= atol + rtol * |other|``; equal infinities are close, nan only with ``equal_nan=True``."""

def isfinite(self: Tensor) -> Tensor:
    """Where ``self`` is neither infinite nor nan."""

def isinf(self: Tensor) -> Tensor:
    """Where ``self`` is plus or minus infinity (of complex numbers: where either part is)."""

def isnan(self: Tensor) -> Tensor:
    """Where ``self`` is nan (of complex numbers: where either part is)."""

def isreal(self: Tensor) -> Tensor:
    """Where the imaginary part of ``self`` is zero: everywhere in a real tensor."""

def kron(self, other) -> Tensor:
    """The Kronecker product: every entry of ``self`` times the whole of ``other``, as blocks."""

def kthvalue(self: Tensor, k, dim=-1, keepdim=False) -> tuple[Tensor, Tensor]:
    """The k-th least entry along ``dim`` (k counts from 1), and where it is."""

def le(self: Tensor, other: Tensor) -> Tensor:
    """Where ``self <= other``, as a bool tensor."""

def lerp(self, end, weight) -> Tensor:
    """Linear interpolation: ``self + weight * (end - self)``, for a number or a tensor of weights."""

def less(self: Tensor, other: Tensor) -> Tensor:
    """Where ``self < other``, as a bool tensor."""

def less_equal(self: Tensor, other: Tensor) -> Tensor:
    """Where ``self <= other``, as a bool tensor."""

def lgamma(self: Tensor) -> Tensor:
    """The logarithm of the absolute value of the gamma function, which continues (n - 1)!."""

def linspace(start, end, steps, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False) -> Tensor:
    """``steps`` numbers from ``start`` to ``end``, both included, at equal distances."""

def log(self: Tensor) -> Tensor:
    """The natural logarithm; -inf at 0, nan for negative real numbers."""

def log10(self: Tensor) -> Tensor:
    """The logarithm to base 10."""

def log1p(self: Tensor) -> Tensor:
    """``log(1 + self)``, exact also for small ``self``."""

def log2(self: Tensor) -> Tensor:
    """The logarithm to base 2."""

def log_softmax(self, dim, dtype=None) -> Tensor:
    """``log(softmax(self))`` over ``dim``, without overflow; ``dtype`` converts the input first."""

def logaddexp(self: Tensor, other: Tensor) -> Tensor:
    """``log(exp(self) + exp(other))``, without overflow."""

def logcumsumexp(self: Tensor, dim) -> Tensor:
    """The logarithm of the running sum of exponentials, computed without overflow."""

def logdet(self) -> Tensor:
    """The logarithm of the determinant: nan where that is negative, and complex where the matrix is."""

def logical_and(self: Tensor, other: Tensor) -> Tensor:
    """Where both are nonzero."""

def logical_not(self: Tensor) -> Tensor:
    """Where ``self`` is zero."""

def logical_or(self: Tensor, other: Tensor) -> Tensor:
    """Where at least one of the two is nonzero."""

def logical_xor(self: Tensor, other: Tensor) -> Tensor:
    """Where exactly one of the two is nonzero."""

def logit(self: Tensor, eps=None) -> Tensor:
    """``log(x / (1 - x))``, the inverse of ``sigmoid``; with ``eps``, x is first clamped to [eps, 1 - eps]."""

def logspace(start, end, steps, base=10.0, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False) -> Tensor:
    """``steps`` numbers from ``base ** start`` to ``base ** end``, each the same multiple of the one before."""

def logsumexp(self: Tensor, dim, keepdim=False) -> Tensor:
    """log(sum(exp(x))) over one dim or several, without overflow; its gradient is softmax(x)."""

def lt(self: Tensor, other: Tensor) -> Tensor:
    """Where ``self < other``, as a bool tensor."""

def masked_fill(self, mask, value) -> Tensor:
    """A copy with ``value`` (a number or a 0-d tensor) where the bool tensor ``mask`` is True."""

def masked_scatter(self: Tensor, mask, source: Tensor) -> Tensor:
    """A copy with the elements of ``source``, in their order, where ``mask`` is True."""

def masked_select(self: Tensor, mask) -> Tensor:
    """The elements where ``mask``, broadcast together with ``self``, is True, in one dim."""

def matmul(self, other) -> Tensor:
    """The matrix product, which the operator ``@`` calls."""

def matrix_power(self, n) -> Tensor:
    """The n-th power of a square matrix, by repeated squaring; of its inverse where n is negative."""

def max(self, dim=None, keepdim=False, *, other=None) -> Tensor | tuple[Tensor, ...]:
    """The greatest entry of all; along a dim, with its index; or, given two tensors, of each pair."""

def maximum(self: Tensor, other: Tensor) -> Tensor:
    """The larger of the two, elementwise; nan wins. Equal arguments share the gradient."""

def mean(self, dim=None, keepdim=False, *, dtype=None) -> Tensor:
    """The mean of all entries, or over the dims in ``dim``. Integers need ``dtype``, as in PyTorch."""

def median(self, dim=None, keepdim=False) -> Tensor | tuple[Tensor, ...]:
    """The entry in the middle (of an even number the lower one), of all or along ``dim`` with its index; nan if any is nan."""

def meshgrid(*tensors, indexing='ij') -> tuple[Tensor, ...]:
    """The coordinates of a grid from the coordinates along each axis; views."""

def min(self, dim=None, keepdim=False, *, other=None) -> tuple[Tensor, ...]:
    """The least entry of all; along a dim, with its index; or, given two tensors, of each pair."""

def minimum(self: Tensor, other: Tensor) -> Tensor:
    """The smaller of the two, elementwise; nan wins. Equal arguments share the gradient."""

def mm(self: Tensor, mat2: Tensor) -> Tensor:
    """The product of two matrices."""

def mode(self: Tensor, dim=-1, keepdim=False) -> tuple[Tensor, Tensor]:
    """The most frequent entry along ``dim`` (of equally frequent ones the least), and its last index."""

def moveaxis(self, source, destination) -> Tensor:
    """The dims ``source`` moved to the places ``destination``, the others in their order; a view."""

def movedim(self, source, destination) -> Tensor:
    """The dims ``source`` moved to the places ``destination``, the others in their order; a view."""

def msort(self) -> Tensor:
    """The entries sorted along the first dim."""

def mul(self: Tensor, other: Tensor) -> Tensor:
    """The product, elementwise, with broadcasting and type promotion. Each factor is saved only if the other one needs a gradient."""

def multiply(self: Tensor, other: Tensor) -> Tensor:
    """The product, elementwise, with broadcasting and type promotion. Each factor is saved only if the other one needs a gradient."""

def mv(self: Tensor, vec: Tensor) -> Tensor:
    """The product of a matrix and a vector."""

def nan_to_num(self: Tensor, nan=None, posinf=None, neginf=None) -> Tensor:
    """``self`` with numbers in the place of nan (0), inf (the largest finite number) and -inf."""

def nanmean(self, dim=None, keepdim=False, *, dtype=None) -> Tensor:
    """The mean of the entries that are not nan."""

def nanmedian(self, dim=None, keepdim=False) -> Tensor:
    """``median`` of the entries that are not nan."""

def nansum(self: Tensor, dim=None, keepdim=False, *, dtype=None) -> Tensor:
    """The sum of the entries that are not nan."""

def narrow(self, dim, start, length) -> Tensor:
    """``length`` indices of ``dim`` from ``start`` on; a view."""

def ne(self: Tensor, other: Tensor) -> Tensor:
    """Where ``self`` differs from ``other``, as a bool tensor; nan differs from everything."""

def neg(self: Tensor) -> Tensor:
    """The same number with the other sign."""

def negative(self: Tensor) -> Tensor:
    """The same number with the other sign."""

def nonzero(input, *, as_tuple=False) -> Tensor:
    """The indices of the elements that are not zero: a row for each, or a tuple with a vector for each dim."""

def norm(input, p='fro', dim=None, keepdim=False, out=None, dtype=None) -> Tensor:
    """The p-norm of all entries, or over the dims in ``dim``. Its gradient at 0 is 0."""

def normal(mean=0.0, std=1.0, size=None, *, generator=None, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False) -> Tensor:
    """Normally distributed numbers, whose ``mean`` and ``std`` are tensors (one number is drawn for each of their elements) or numbers (then ``size`` says how many are drawn)."""

def not_equal(self: Tensor, other: Tensor) -> Tensor:
    """Where ``self`` differs from ``other``, as a bool tensor; nan differs from everything."""

def ones(*shape, size=None, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False) -> Tensor:
    """A tensor of ones."""

def ones_like(input, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False, memory_format=None) -> Tensor:
    """Ones with the shape and dtype of ``input``."""

def outer(self, vec2) -> Tensor:
    """All products of an entry of one vector and an entry of the other, as a matrix."""

def permute(self, *order, dims=None) -> Tensor:
    """The dims in another order; a view."""

def polar(abs: Tensor, angle: Tensor) -> Tensor:
    """The complex tensor with these absolute values and angles (in radians)."""

def polygamma(n, input) -> Tensor:
    """The derivative of order ``n`` of ``digamma``."""

def positive(self) -> Tensor:
    """``self``, as it is; what ``+x`` means."""

def pow(self, exponent) -> Tensor:
    """``self`` to the power of ``exponent``; either may be a number. What ``**`` means."""

def prod(self, dim=None, keepdim=False, *, dtype=None) -> Tensor:
    """The product of all entries, or over one ``dim``. Gradients are right with zeros among the entries."""

def rad2deg(self: Tensor) -> Tensor:
    """Radians as degrees."""

def rand(*shape, size=None, generator=None, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False) -> Tensor:
    """Numbers drawn evenly from [0, 1)."""

def rand_like(input, *, generator=None, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False, memory_format=None) -> Tensor:
    """Numbers drawn evenly from [0, 1), with the shape and dtype of ``input``."""

def randint(*bounds, low=0, high=None, size=None, generator=None, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False) -> Tensor:
    """``randint(high, size)`` or ``randint(low, high, size)``: whole numbers from ``low`` to below ``high``."""

def randint_like(input, *bounds, low=0, high=None, generator=None, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False, memory_format=None) -> Tensor:
    """``randint_like(x, high)`` or ``randint_like(x, low, high)``: whole numbers with the shape and dtype of ``x``."""

def randn(*shape, size=None, generator=None, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False) -> Tensor:
    """Numbers drawn from the normal distribution with mean 0 and variance 1."""

def randn_like(input, *, generator=None, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False, memory_format=None) -> Tensor:
    """Numbers with mean 0 and variance 1, with the shape and dtype of ``input``."""

def randperm(n, *, generator=None, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False) -> Tensor:
    """The whole numbers below ``n`` in random order."""

def ravel(self) -> Tensor:
    """All elements in one dim: a view where they lie in order, else a copy."""

def real(self: Tensor) -> Tensor:
    """The real part: a view of the same memory (of a real tensor: all of it)."""

def reciprocal(self: Tensor) -> Tensor:
    """``1 / self``, elementwise."""

def relu(self: Tensor) -> Tensor:
    """``max(self, 0)``; its slope at 0 is 0."""

def remainder(self, other) -> Tensor:
    """What is left of ``self`` after division by ``other``, with the sign of ``other``: Python's ``%``."""

def repeat(self, *times, repeats=None) -> Tensor:
    """The whole tensor, as often along each dim as the numbers say; more numbers than dims make new dims."""

def repeat_interleave(self, repeats=None, dim=None, *, output_size=None) -> Tensor:
    """Each part along ``dim`` as often as ``repeats`` says, a number or a vector; without ``dim`` of the flat tensor."""

def reshape(self, *sizes, shape=None) -> Tensor:
    """The elements of ``self``, in their order, under another shape: a view if possible, else a copy."""

def reshape_as(self, other) -> Tensor:
    """``self.reshape(other.shape)``."""

def resolve_conj(self) -> Tensor:
    """``self``: conjugates are never lazy here."""

def resolve_neg(self) -> Tensor:
    """``self``: negations are never lazy here."""

def roll(self, shifts, dims=()) -> Tensor:
    """Elements moved by ``shifts`` places along ``dims``; those that leave at one end enter at the other."""

def rot90(self: Tensor, k=1, dims=(0, 1)) -> Tensor:
    """A copy turned by ``k`` quarter turns, from the first dim towards the second."""

def round(self, *, decimals=0) -> Tensor:
    """The nearest whole number, halves to the even one; or rounding to some ``decimals``."""

def row_stack(tensors) -> Tensor:
    """The tensors below one another: along dim 0, vectors as rows."""

def rsqrt(self: Tensor) -> Tensor:
    """One divided by the square root."""

def rsub(self, other, *, alpha=1) -> Tensor:
    """``other - alpha * self``: subtraction with its arguments exchanged."""

def scatter(self, dim, index, src=None, *, value=None, reduce=None) -> Tensor:
    """A copy of ``self`` with ``src`` (a tensor or a number) written at the places ``index`` along ``dim``."""

def scatter_add(self: Tensor, dim, index, src: Tensor) -> Tensor:
    """A copy of ``self`` with ``src`` added at the places ``index`` along ``dim``."""

def searchsorted(sorted_sequence, input, *, out_int32=False, right=False, side=None, sorter=None) -> Tensor:
    """Where each value would have to be inserted so that the sequence stays sorted, before equal entries (or after: ``right``)."""

def select(self: Tensor, dim, index) -> Tensor:
    """The part at one index of ``dim``, without that dim; a view."""

def selu(input) -> Tensor:
    """``elu`` with the scales that keep mean 0 and variance 1 through many layers (Klambauer et al., 2017)."""

def selu_(input, *args, **kwargs) -> Any:
    """The in-place form of :func:`selu`: ``input`` takes the result, and is returned."""

def sgn(self: Tensor) -> Tensor:
    """``z / |z|``, and 0 at 0: the sign of real numbers, the direction of complex ones."""

def sigmoid(self: Tensor) -> Tensor:
    """The logistic function ``1 / (1 + exp(-self))``, with slope ``s * (1 - s)``."""

def sign(self: Tensor) -> Tensor:
    """-1, 0 or 1; 0 for nan."""

def signbit(self: Tensor) -> Tensor:
    """Where the sign bit of ``self`` is set, which tells -0. from 0."""

def sin(self: Tensor) -> Tensor:
    """The sine of an angle in radians."""

def sinh(self: Tensor) -> Tensor:
    """The hyperbolic sine."""

def slogdet(self) -> tuple[Tensor, ...]:
    """The sign of the determinant and the logarithm of its absolute value; ``linalg.slogdet``."""

def softmax(self, dim, dtype=None) -> Tensor:
    """``exp(self)`` divided by its sum over ``dim``; ``dtype`` converts the input first."""

def sort(self: Tensor, dim=-1, descending=False, stable=False) -> tuple[Tensor, Tensor]:
    """The entries sorted along ``dim``, and where they were. The order is always stable."""

def split(self, split_size_or_sections, dim=0) -> tuple[Tensor, ...]:
    """Pieces of one size along ``dim`` (the last may be smaller), or of the sizes in a list; views."""

def split_with_sizes(self: Tensor, split_sizes, dim=0) -> tuple[Tensor, ...]:
    """Pieces of the given sizes along ``dim``, as a tuple of views."""

def sqrt(self: Tensor) -> Tensor:
    """The square root; nan for negative real numbers."""

def square(self) -> Tensor:
    """``self * self``, recorded as ``self**2``."""

def squeeze(self, dim=None) -> Tensor:
    """The dims of size one dropped: all of them, or only ``dim`` (an int or several). A view."""

def stack(tensors: Tensor, dim=0) -> Tensor:
    """The tensors, all of one shape, side by side along a new dim."""

def std(self, dim=None, unbiased=None, keepdim=False, *, correction=None) -> Tensor:
    """The standard deviation, the square root of ``var``; where it is 0 the gradient is 0."""

def std_mean(self, dim=None, unbiased=None, keepdim=False, *, correction=None) -> tuple[Tensor, ...]:
    """The pair (standard deviation, mean)."""

def sub(self, other, *, alpha=1) -> Tensor:
    """``self - alpha * other``, elementwise, with broadcasting and type promotion."""

def subtract(self, other, *, alpha=1) -> Tensor:
    """``self - alpha * other``, elementwise, with broadcasting and type promotion."""

def sum(self, dim=None, keepdim=False, *, dtype=None) -> Tensor:
    """The sum of all entries, or over the dims in ``dim`` (an int or a tuple; ``()`` means all)."""

def sum_to_size(self, *sizes, size=None) -> Tensor:
    """Summed over dims until the shape is ``size``, which must broadcast to the shape of ``self``."""

def swapaxes(self, axis0, axis1) -> Tensor:
    """NumPy's name for ``transpose``."""

def swapdims(self, axis0, axis1) -> Tensor:
    """NumPy's name for ``transpose``."""

def t(self: Tensor) -> Tensor:
    """The transpose of a matrix; a view. Tensors with fewer dims stay as they are."""

def take(self: Tensor, index) -> Tensor:
    """The elements with these numbers in the flat tensor; the result has the shape of ``index``."""

def take_along_dim(self, indices, dim=None) -> Tensor:
    """``gather`` with broadcasting in the other dims, or from the flat tensor where ``dim`` is left out."""

def tan(self: Tensor) -> Tensor:
    """The tangent of an angle in radians."""

def tanh(self: Tensor) -> Tensor:
    """The hyperbolic tangent, with slope ``1 - tanh(x)**2``."""

def tensor(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False) -> Tensor:
    """A tensor with a copy of ``data``: a number, nested sequences of numbers, an array."""

def tensor_split(self, indices_or_sections, dim=0) -> tuple[Tensor, ...]:
    """As many nearly equal pieces as an int says, or pieces cut at the given indices; views."""

def tensordot(a, b, dims=2, out=None) -> Tensor:
    """The sums of products over several dims at once: the last ``dims`` of a with the first of b, or two lists of dims."""

def threshold_(input, *args, **kwargs) -> Any:
    """The in-place form of :func:`threshold`: ``input`` takes the result, and is returned."""

def tile(self, *times, dims=None) -> Tensor:
    """``repeat``, where missing numbers in front count as 1."""

def topk(self: Tensor, k, dim=-1, largest=True, sorted=True) -> tuple[Tensor, Tensor]:
    """The k greatest entries along ``dim`` (or the least), in order, and where they are."""

def trace(self: Tensor) -> Tensor:
    """The sum of a matrix's diagonal."""

def transpose(self: Tensor, dim0, dim1) -> Tensor:
    """Two dims exchanged; a view."""

def tril(self: Tensor, diagonal=0) -> Tensor:
    """The lower triangle of a matrix (or a batch), up to the diagonal of that number; zeros above."""

def tril_indices(row, col, offset=0, *, dtype=..., device=None, requires_grad=False, layout=None, pin_memory=False) -> Tensor:
    """The positions on and below the ``offset``-th diagonal of a ``row`` by ``col`` matrix: row numbers, column numbers."""

def triu(self: Tensor, diagonal=0) -> Tensor:
    """The upper triangle of a matrix (or a batch), from the diagonal of that number on; zeros below."""

def triu_indices(row, col, offset=0, *, dtype=..., device=None, requires_grad=False, layout=None, pin_memory=False) -> Tensor:
    """The positions on and above the ``offset``-th diagonal of a ``row`` by ``col`` matrix: row numbers, column numbers."""

def true_divide(self, other) -> Tensor:
    """``self / other``, elementwise: ``div`` without rounding."""

def trunc(self: Tensor) -> Tensor:
    """The whole part: rounding towards zero."""

def unbind(self: Tensor, dim=0) -> tuple[Tensor, ...]:
    """All parts along ``dim``, as a tuple of views: what ``for row in x`` goes through."""

def unflatten(self, dim, sizes) -> Tensor:
    """One dim as several, of these ``sizes``; one of them may be -1."""

def unfold(self: Tensor, dimension, size, step) -> Tensor:
    """All windows of ``size`` elements along a dim, ``step`` apart; the window is the last dim. A view."""

def unique(self, sorted=True, return_inverse=False, return_counts=False, dim=None) -> tuple[Tensor, ...]:
    """The distinct entries in ascending order, or the distinct slices along ``dim``; never part of a graph."""

def unique_consecutive(self, return_inverse=False, return_counts=False, dim=None) -> Tensor:
    """One entry for each run of equal ones."""

def unsqueeze(self: Tensor, dim) -> Tensor:
    """A new dim of size one at place ``dim``; a view."""

def var(self, dim=None, unbiased=None, keepdim=False, *, correction=None) -> Tensor:
    """The variance: the mean squared distance from the mean, with n - ``correction`` (default 1) instead of n."""

def var_mean(self, dim=None, unbiased=None, keepdim=False, *, correction=None) -> tuple[Tensor, ...]:
    """The pair (variance, mean)."""

def vdot(self: Tensor, other: Tensor) -> Tensor:
    """The inner product of two vectors: the first one is conjugated."""

def view(self, *shape, size=None, dtype=None) -> Tensor:
    """The same memory under another shape (one size may be -1), or read as another dtype."""

def view_as(self, other) -> Tensor:
    """``self.view(other.shape)``."""

def view_as_complex(self: Tensor) -> Tensor:
    """A complex view of a real tensor whose last dim, of size 2, holds real and imaginary parts."""

def view_as_real(self: Tensor) -> Tensor:
    """A view with a last dim of size 2 for the real and the imaginary part."""

def vstack(tensors) -> Tensor:
    """The tensors below one another: along dim 0, vectors as rows."""

def where(condition, input=None, other=None) -> Tensor:
    """Elements of ``input`` where the bool tensor ``condition`` is True, of ``other`` elsewhere; with broadcasting."""

def xlogy(self: Tensor, other: Tensor) -> Tensor:
    """``self * log(other)``, and 0 where ``self`` is 0, whatever the logarithm is: as in entropies."""

def zeros(*shape, size=None, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False) -> Tensor:
    """A tensor of zeros."""

def zeros_like(input, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False, memory_format=None) -> Tensor:
    """Zeros with the shape and dtype of ``input``."""
