"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

import builtins
from typing import Any

from minigrad.dtypes import Size, dtype


class Tensor:
    """A multi-dimensional array that remembers how it was made."""

    H: Tensor  # The conjugate transpose of a matrix; the property ``Tensor.H``.
    T: Tensor  # All dims in reverse order; the property ``Tensor.T``.
    def abs(self) -> Tensor:
        """The absolute value; of complex numbers the distance from 0. Its slope at 0 is 0."""
    def abs_(self) -> Tensor:
        """``self`` takes its absolute value; not for complex numbers, whose absolute values are real."""
    def absolute(self) -> Tensor:
        """The absolute value; of complex numbers the distance from 0. Its slope at 0 is 0."""
    def absolute_(self) -> Any:
        """``self`` takes its absolute value; not for complex numbers, whose absolute values are real."""
    def acos(self) -> Tensor:
        """The angle whose cosine is ``self``, between 0 and pi."""
    def acos_(self) -> Tensor:
        """The in-place form of :func:`acos`: the tensor takes the result."""
    def acosh(self) -> Tensor:
        """The inverse of the hyperbolic cosine; nan below 1."""
    def acosh_(self) -> Tensor:
        """The in-place form of :func:`acosh`: the tensor takes the result."""
    def add(self, other, *, alpha=1) -> Tensor:
        """``self + alpha * other``, elementwise, with broadcasting and type promotion."""
    def add_(self, other, *, alpha=1) -> Tensor:
        """``self`` takes the value of ``self + alpha * other``."""
    def addbmm(self, batch1, batch2, *, beta=1, alpha=1) -> Tensor:
        """beta * self + alpha * (the sum of all products of a batch), computed as one product of long matrices."""
    def addbmm_(self, batch1, batch2, *, beta=1, alpha=1) -> Tensor:
        """``self`` takes the value of beta * self + alpha * (the sum of all products of a batch)."""
    def addcdiv(self, tensor1: Tensor, tensor2: Tensor, *, value=1) -> Tensor:
        """``self + value * tensor1 / tensor2``, elementwise."""
    def addcdiv_(self, tensor1: Tensor, tensor2: Tensor, *, value=1) -> Tensor:
        """The in-place form of :func:`addcdiv`: the tensor takes the result."""
    def addcmul(self, tensor1: Tensor, tensor2: Tensor, *, value=1) -> Tensor:
        """``self + value * tensor1 * tensor2``, elementwise."""
    def addcmul_(self, tensor1: Tensor, tensor2: Tensor, *, value=1) -> Tensor:
        """The in-place form of :func:`addcmul`: the tensor takes the result."""
    def addmm(self, mat1: Tensor, mat2: Tensor, *, beta=1, alpha=1) -> Tensor:
        """beta * self + alpha * (mat1 @ mat2), where ``self`` is broadcast: a linear layer's rows plus its bias."""
    def addmm_(self, mat1: Tensor, mat2: Tensor, *, beta=1, alpha=1) -> Tensor:
        """The in-place form of :func:`addmm`: the tensor takes the result."""
    def addmv(self, mat: Tensor, vec: Tensor, *, beta=1, alpha=1) -> Tensor:
        """beta * self + alpha * (mat @ vec)."""
    def addmv_(self, mat: Tensor, vec: Tensor, *, beta=1, alpha=1) -> Tensor:
        """The in-place form of :func:`addmv`: the tensor takes the result."""
    def addr(self, vec1: Tensor, vec2: Tensor, *, beta=1, alpha=1) -> Tensor:
        """beta * self + alpha * outer(vec1, vec2)."""
    def addr_(self, vec1: Tensor, vec2: Tensor, *, beta=1, alpha=1) -> Tensor:
        """The in-place form of :func:`addr`: the tensor takes the result."""
    def all(self, dim=None, keepdim=False) -> Tensor:
        """Whether all entries are true (not zero), or all over the dims in ``dim``."""
    def allclose(self, other, rtol=1e-05, atol=1e-08, equal_nan=False) -> builtins.bool:
        """Whether all elements of ``self`` and ``other`` are close, as a Python bool; see ``isclose``."""
    def amax(self, dim=(), keepdim=False) -> Tensor:
        """The greatest entry over one dim or several; equal ones share the gradient evenly."""
    def amin(self, dim=(), keepdim=False) -> Tensor:
        """The least entry over one dim or several; equal ones share the gradient evenly."""
    def aminmax(self, *, dim=None, keepdim=False) -> tuple[Tensor, ...]:
        """The least and the greatest entry, of all or along one dim; equal ones share the gradient evenly."""
    def angle(self) -> Tensor:
        """The angle of complex numbers in radians, between -pi and pi; of real ones 0, or pi where they are negative."""
    def any(self, dim=None, keepdim=False) -> Tensor:
        """Whether any entry is true (not zero), or any over the dims in ``dim``."""
    def apply_(self, callable) -> Tensor:
        """Each element becomes ``callable(element)``, a function of a Python number."""
    def arccos(self) -> Tensor:
        """The angle whose cosine is ``self``, between 0 and pi."""
    def arccos_(self) -> Tensor:
        """The in-place form of :func:`arccos`: the tensor takes the result."""
    def arccosh(self) -> Tensor:
        """The inverse of the hyperbolic cosine; nan below 1."""
    def arccosh_(self) -> Tensor:
        """The in-place form of :func:`arccosh`: the tensor takes the result."""
    def arcsin(self) -> Tensor:
        """The angle whose sine is ``self``, between -pi/2 and pi/2."""
    def arcsin_(self) -> Tensor:
        """The in-place form of :func:`arcsin`: the tensor takes the result."""
    def arcsinh(self) -> Tensor:
        """The inverse of the hyperbolic sine."""
    def arcsinh_(self) -> Tensor:
        """The in-place form of :func:`arcsinh`: the tensor takes the result."""
    def arctan(self) -> Tensor:
        """The angle whose tangent is ``self``, between -pi/2 and pi/2."""
    def arctan2(self, other: Tensor) -> Tensor:
        """The angle of the point (x = ``other``, y = ``self``), between -pi and pi. At the origin its slopes are 0."""
    def arctan2_(self, other: Tensor) -> Tensor:
        """The in-place form of :func:`arctan2`: the tensor takes the result."""
    def arctan_(self) -> Tensor:
        """The in-place form of :func:`arctan`: the tensor takes the result."""
    def arctanh(self) -> Tensor:
        """The inverse of the hyperbolic tangent."""
    def arctanh_(self) -> Tensor:
        """The in-place form of :func:`arctanh`: the tensor takes the result."""
    def argmax(self, dim=None, keepdim=False) -> Tensor:
        """The index of the greatest entry, of equal ones the first; of nan before all others."""
    def argmin(self, dim=None, keepdim=False) -> Tensor:
        """The index of the least entry, of equal ones the first; of nan before all others."""
    def argsort(self, dim=-1, descending=False, stable=False) -> Tensor:
        """The indices that sort the entries along ``dim``. The order is always stable."""
    def argwhere(self) -> Tensor:
        """The indices of the elements that are not zero, one row for each."""
    def as_strided(self, size, stride, storage_offset=None) -> Tensor:
        """A view of the memory of ``self`` with any size, strides and offset, all in elements."""
    def as_strided_(self, size, stride, storage_offset=None) -> Tensor:
        """``self`` takes any size, strides and offset in its memory; all are counted in elements."""
    def asin(self) -> Tensor:
        """The angle whose sine is ``self``, between -pi/2 and pi/2."""
    def asin_(self) -> Tensor:
        """The in-place form of :func:`asin`: the tensor takes the result."""
    def asinh(self) -> Tensor:
        """The inverse of the hyperbolic sine."""
    def asinh_(self) -> Tensor:
        """The in-place form of :func:`asinh`: the tensor takes the result."""
    def atan(self) -> Tensor:
        """The angle whose tangent is ``self``, between -pi/2 and pi/2."""
    def atan2(self, other: Tensor) -> Tensor:
        """The angle of the point (x = ``other``, y = ``self``), between -pi and pi. At the origin its slopes are 0."""
    def atan2_(self, other: Tensor) -> Tensor:
        """The in-place form of :func:`atan2`: the tensor takes the result."""
    def atan_(self) -> Tensor:
        """The in-place form of :func:`atan`: the tensor takes the result."""
    def atanh(self) -> Tensor:
        """The inverse of the hyperbolic tangent."""
    def atanh_(self) -> Tensor:
        """The in-place form of :func:`atanh`: the tensor takes the result."""
    def backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None) -> None:
        """Add the gradients of this tensor to ``.grad`` of the leaves; see :func:`torch.autograd.backward`."""
    def baddbmm(self, batch1: Tensor, batch2: Tensor, *, beta=1, alpha=1) -> Tensor:
        """beta * self + alpha * bmm(batch1, batch2)."""
    def baddbmm_(self, batch1: Tensor, batch2: Tensor, *, beta=1, alpha=1) -> Tensor:
        """The in-place form of :func:`baddbmm`: the tensor takes the result."""
    def bernoulli(input, p=None, *, generator=None) -> Tensor:
        """Ones and zeros: each element of ``input`` is the probability of a one, or all have the probability ``p``."""
    def bernoulli_(self, p=0.5, *, generator=None) -> Tensor:
        """``self`` takes ones and zeros; ``p``, a number or a tensor of numbers, is the probability of a one."""
    def bfloat16(self, memory_format=None) -> Tensor:
        """This tensor as ``torch.bfloat16``; itself if it has that dtype."""
    def bincount(self, weights=None, minlength=0) -> Tensor:
        """How often each of the numbers 0, 1, 2 ... occurs, or the sum of its weights."""
    def bitwise_and(self, other: Tensor) -> Tensor:
        """The bits set in both; of bools the same as ``logical_and``."""
    def bitwise_and_(self, other: Tensor) -> Tensor:
        """The in-place form of :func:`bitwise_and`: the tensor takes the result."""
    def bitwise_left_shift(self, other: Tensor) -> Tensor:
        """The bits moved up by ``other`` places: ``self * 2**other``."""
    def bitwise_left_shift_(self, other: Tensor) -> Tensor:
        """The in-place form of :func:`bitwise_left_shift`: the tensor takes the result."""
    def bitwise_not(self) -> Tensor:
        """Every bit turned over; of bools the same as ``logical_not``."""
    def bitwise_not_(self) -> Tensor:
        """The in-place form of :func:`bitwise_not`: the tensor takes the result."""
    def bitwise_or(self, other: Tensor) -> Tensor:
        """The bits set in either; of bools the same as ``logical_or``."""
    def bitwise_or_(self, other: Tensor) -> Tensor:
        """The in-place form of :func:`bitwise_or`: the tensor takes the result."""
    def bitwise_right_shift(self, other: Tensor) -> Tensor:
        """The bits moved down by ``other`` places, the sign kept: ``floor(self / 2**other)``."""
    def bitwise_right_shift_(self, other: Tensor) -> Tensor:
        """The in-place form of :func:`bitwise_right_shift`: the tensor takes the result."""
    def bitwise_xor(self, other: Tensor) -> Tensor:
        """The bits in which the two differ; of bools the same as ``logical_xor``."""
    def bitwise_xor_(self, other: Tensor) -> Tensor:
        """The in-place form of :func:`bitwise_xor`: the tensor takes the result."""
    def bmm(self, mat2: Tensor) -> Tensor:
        """The products of two batches of matrices, (b, n, m) and (b, m, p), without broadcasting."""
    def bool(self, memory_format=None) -> Tensor:
        """This tensor as ``torch.bool``; itself if it has that dtype."""
    def broadcast_to(self, *sizes, size=None) -> Tensor:
        """``self.expand(size)``."""
    def byte(self, memory_format=None) -> Tensor:
        """This tensor as ``torch.uint8``; itself if it has that dtype."""
    def cauchy_(self, median=0.0, sigma=1.0, *, generator=None) -> Tensor:
        """``self`` takes numbers of the Cauchy distribution, which has a median and a width, and no mean."""
    def cdouble(self, memory_format=None) -> Tensor:
        """This tensor as ``torch.complex128``; itself if it has that dtype."""
    def ceil(self) -> Tensor:
        """The smallest whole number that is not smaller."""
    def ceil_(self) -> Tensor:
        """The in-place form of :func:`ceil`: the tensor takes the result."""
    def cfloat(self, memory_format=None) -> Tensor:
        """This tensor as ``torch.complex64``; itself if it has that dtype."""
    def char(self, memory_format=None) -> Tensor:
        """This tensor as ``torch.int8``; itself if it has that dtype."""
    def chunk(self, chunks, dim=0) -> tuple[Tensor, ...]:
        """At most ``chunks`` pieces of one size along ``dim`` (the last may be smaller); views."""
    def clamp(self, min=None, max=None) -> Tensor:
        """``self`` pushed into the range from ``min`` to ``max``; each a number, a tensor or None."""
    def clamp_(self, min=None, max=None) -> Tensor:
        """``self`` is pushed into the range from ``min`` to ``max``."""
    def clamp_max(self, max) -> Tensor:
        """``self``, but at most ``max``."""
    def clamp_max_(self, max) -> Tensor:
        """``self`` is lowered to at most ``max``."""
    def clamp_min(self, min) -> Tensor:
        """``self``, but at least ``min``."""
    def clamp_min_(self, min) -> Tensor:
        """``self`` is raised to at least ``min``."""
    def clip(self, min=None, max=None) -> Tensor:
        """``self`` pushed into the range from ``min`` to ``max``; each a number, a tensor or None."""
    def clip_(self, min=None, max=None) -> Any:
        """``self`` is pushed into the range from ``min`` to ``max``."""
    def clone(self, *, memory_format=None) -> Tensor:
        """A copy that gradients flow through."""
    def conj(self) -> Tensor:
        """The complex conjugate; a real tensor is returned as it is. It copies, where PyTorch makes a lazy view."""
    def conj_physical(self) -> Tensor:
        """The complex conjugate, as a copy; a real tensor is returned as it is."""
    def conj_physical_(self) -> Tensor:
        """``self`` takes the value of its complex conjugate."""
    def contiguous(self, memory_format='contiguous_format') -> Tensor:
        """``self`` where its elements lie in memory in their order (or that of ``memory_format``), else a copy in which they do."""
    def copy_(self, src, non_blocking=False) -> Tensor:
        """``self`` takes over the elements of ``src``, broadcast and cast."""
    def cos(self) -> Tensor:
        """The cosine of an angle in radians."""
    def cos_(self) -> Tensor:
        """The in-place form of :func:`cos`: the tensor takes the result."""
    def cosh(self) -> Tensor:
        """The hyperbolic cosine."""
    def cosh_(self) -> Tensor:
        """The in-place form of :func:`cosh`: the tensor takes the result."""
    def count_nonzero(self, dim=None) -> Tensor:
        """How many entries are not zero, of all or over the dims in ``dim``."""
    def cpu(self, memory_format=None) -> Tensor:
        """This tensor, which is on the CPU already; a copy where it is to lie in memory in another way."""
    def cuda(self, device=None, non_blocking=False, memory_format=None) -> Tensor:
        """Refused: there is no GPU, and a program that believed to be on one would be far slower than its author expects."""
    def cummax(self, dim) -> tuple[Tensor, Tensor]:
        """The greatest entry so far along ``dim``, and its index (of equal ones the last)."""
    def cummin(self, dim) -> tuple[Tensor, Tensor]:
        """The least entry so far along ``dim``, and its index (of equal ones the last)."""
    def cumprod(self, dim, *, dtype=None) -> Tensor:
        """The product of each entry and all before it along ``dim``. ``dtype`` converts the input first."""
    def cumprod_(self, dim, *, dtype=None) -> Tensor:
        """Each entry of ``self`` becomes the product of it and all before it; ``dtype`` can only be that of ``self``."""
    def cumsum(self, dim, *, dtype=None) -> Tensor:
        """The sum of each entry and all before it along ``dim``."""
    def cumsum_(self, dim, *, dtype=None) -> Tensor:
        """Each entry of ``self`` becomes the sum of it and all before it; ``dtype`` can only be that of ``self``."""
    data: Tensor  # The same memory without the history and without the version counter: writes to it go unnoticed.
    def data_ptr(self) -> builtins.int:
        """The address of the first element."""
    def deg2rad(self) -> Tensor:
        """Degrees as radians."""
    def deg2rad_(self) -> Tensor:
        """The in-place form of :func:`deg2rad`: the tensor takes the result."""
    def det(self) -> Tensor:
        """The determinant of a square matrix, or of each of a batch; ``linalg.det``."""
    def detach(self) -> Tensor:
        """The same memory without the history; it shares the version counter, so writes to it are noticed."""
    def detach_(self) -> Tensor:
        """Forget the history of this tensor in place, and its tangent; it becomes a leaf."""
    device: Any  # Where the elements are: always the CPU.
    def diag(self, diagonal=0) -> Tensor:
        """Of a vector, the matrix with it on a diagonal; of a matrix, a copy of a diagonal."""
    def diag_embed(self, offset=0, dim1=-2, dim2=-1) -> Tensor:
        """Matrices with the last dim on a diagonal and zeros elsewhere."""
    def diagflat(self, offset=0) -> Tensor:
        """The matrix with all elements on a diagonal."""
    def diagonal(self, offset=0, dim1=0, dim2=1) -> Tensor:
        """The entries whose indices in two dims differ by ``offset``; they become the last dim. A view."""
    def diff(self, n=1, dim=-1, prepend=None, append=None) -> Tensor:
        """The differences of neighbours along ``dim``, ``n`` times: the inverse of ``cumsum``."""
    def digamma(self) -> Tensor:
        """The derivative of ``lgamma``."""
    def digamma_(self) -> Tensor:
        """The in-place form of :func:`digamma`: the tensor takes the result."""
    def dim(self) -> builtins.int: ...
    def dist(self, other, p=2) -> Tensor:
        """The p-norm of the difference."""
    def div(self, other, *, rounding_mode=None) -> Tensor:
        """``self / other``, elementwise; rounded towards zero ("trunc") or downwards ("floor") if asked for."""
    def div_(self, other, *, rounding_mode=None) -> Tensor:
        """``self`` takes the value of ``self / other``, rounded if asked for."""
    def divide(self, other, *, rounding_mode=None) -> Tensor:
        """``self / other``, elementwise; rounded towards zero ("trunc") or downwards ("floor") if asked for."""
    def divide_(self, other, *, rounding_mode=None) -> Any:
        """``self`` takes the value of ``self / other``, rounded if asked for."""
    def dot(self, tensor: Tensor) -> Tensor:
        """The sum of the products of two vectors' entries, without conjugation."""
    def double(self, memory_format=None) -> Tensor:
        """This tensor as ``torch.float64``; itself if it has that dtype."""
    dtype: dtype  # The type of the elements, such as ``torch.float32``.
    def element_size(self) -> builtins.int: ...
    def eq(self, other: Tensor) -> Tensor:
        """Where ``self`` equals ``other``, as a bool tensor; nan equals nothing."""
    def eq_(self, other: Tensor) -> Tensor:
        """The in-place form of :func:`eq`: the tensor takes the result."""
    def equal(self, other) -> builtins.bool:
        """Whether two tensors have the same shape and the same elements, as a Python bool."""
    def erf(self) -> Tensor:
        """The error function: 2/sqrt(pi) times the integral of exp(-t^2) from 0 to ``self``."""
    def erf_(self) -> Tensor:
        """The in-place form of :func:`erf`: the tensor takes the result."""
    def erfc(self) -> Tensor:
        """``1 - erf(self)``, exact also where that is small."""
    def erfc_(self) -> Tensor:
        """The in-place form of :func:`erfc`: the tensor takes the result."""
    def exp(self) -> Tensor:
        """The exponential function, which is its own derivative: the node saves the result."""
    def exp2(self) -> Tensor:
        """Two to the power of ``self``."""
    def exp2_(self) -> Tensor:
        """The in-place form of :func:`exp2`: the tensor takes the result."""
    def exp_(self) -> Tensor:
        """The in-place form of :func:`exp`: the tensor takes the result."""
    def expand(self, *sizes, size=None, implicit=False) -> Tensor:
        """Dims of size one repeated, and new dims in front, without a copy; -1 keeps a size. A view."""
    def expand_as(self, other) -> Tensor:
        """``self.expand(other.shape)``."""
    def expm1(self) -> Tensor:
        """``exp(self) - 1``, exact also for small ``self``."""
    def expm1_(self) -> Tensor:
        """The in-place form of :func:`expm1`: the tensor takes the result."""
    def exponential_(self, lambd=1.0, *, generator=None) -> Tensor:
        """``self`` takes numbers of density ``lambd * exp(-lambd * x)``: waiting times, of mean ``1 / lambd``."""
    def fill_(self, value) -> Tensor:
        """All elements of ``self`` take one value, a number or a 0-d tensor."""
    def fill_diagonal_(self, fill_value, wrap=False) -> Tensor:
        """The elements of ``self`` whose indices are all equal take one value."""
    def fix(self) -> Tensor:
        """The whole part: rounding towards zero."""
    def fix_(self) -> Tensor:
        """The in-place form of :func:`fix`: the tensor takes the result."""
    def flatten(self, start_dim=0, end_dim=-1) -> Tensor:
        """The dims from ``start_dim`` to ``end_dim`` as one; ``self`` itself where that is one already."""
    def flip(self, *axes, dims=None) -> Tensor:
        """A copy with the order of the elements reversed along the given dims."""
    def fliplr(self) -> Tensor:
        """A copy with the columns in reverse order."""
    def flipud(self) -> Tensor:
        """A copy with the rows in reverse order."""
    def float(self, memory_format=None) -> Tensor:
        """This tensor as ``torch.float32``; itself if it has that dtype."""
    def floor(self) -> Tensor:
        """The largest whole number that is not larger."""
    def floor_(self) -> Tensor:
        """The in-place form of :func:`floor`: the tensor takes the result."""
    def floor_divide(self, other: Tensor) -> Tensor:
        """``self / other`` rounded downwards: what ``//`` means. Its gradient is zero (PyTorch gives an error)."""
    def floor_divide_(self, other: Tensor) -> Tensor:
        """The in-place form of :func:`floor_divide`: the tensor takes the result."""
    def fmax(self, other: Tensor) -> Tensor:
        """The larger of the two, elementwise; nan loses. Of equal arguments the first has the gradient."""
    def fmin(self, other: Tensor) -> Tensor:
        """The smaller of the two, elementwise; nan loses. Of equal arguments the first has the gradient."""
    def fmod(self, other) -> Tensor:
        """What is left of ``self`` after division by ``other``, with the sign of ``self``: C's ``fmod``."""
    def fmod_(self, other) -> Tensor:
        """``self`` takes the value of ``self.fmod(other)``."""
    def frac(self) -> Tensor:
        """What ``trunc`` takes away: the fractional part, with the sign of ``self``."""
    def frac_(self) -> Tensor:
        """The in-place form of :func:`frac`: the tensor takes the result."""
    def gather(self, dim, index, *, sparse_grad=False) -> Tensor:
        """Elements along ``dim`` by number: ``out[i][j] = self[i][index[i][j]]`` for ``dim=1``."""
    def ge(self, other: Tensor) -> Tensor:
        """Where ``self >= other``, as a bool tensor."""
    def ge_(self, other: Tensor) -> Tensor:
        """The in-place form of :func:`ge`: the tensor takes the result."""
    def geometric_(self, p, *, generator=None) -> Tensor:
        """``self`` takes whole numbers from 1 on: how many trials it takes until one of probability ``p`` succeeds."""
    def ger(self, vec2) -> Tensor:
        """All products of an entry of one vector and an entry of the other, as a matrix."""
    grad: Tensor | None  # The gradient that ``backward`` has accumulated for this leaf; None before.
    grad_fn: Node | None  # The node that recorded the operation this tensor came from; None for a leaf.
    def greater(self, other: Tensor) -> Tensor:
        """Where ``self > other``, as a bool tensor."""
    def greater_(self, other: Tensor) -> Tensor:
        """The in-place form of :func:`greater`: the tensor takes the result."""
    def greater_equal(self, other: Tensor) -> Tensor:
        """Where ``self >= other``, as a bool tensor."""
    def greater_equal_(self, other: Tensor) -> Tensor:
        """The in-place form of :func:`greater_equal`: the tensor takes the result."""
    def gt(self, other: Tensor) -> Tensor:
        """Where ``self > other``, as a bool tensor."""
    def gt_(self, other: Tensor) -> Tensor:
        """The in-place form of :func:`gt`: the tensor takes the result."""
    def half(self, memory_format=None) -> Tensor:
        """This tensor as ``torch.float16``; itself if it has that dtype."""
    def histc(self, bins=100, min=0, max=0) -> Tensor:
        """How many entries fall into each of ``bins`` equal intervals from min to max."""
    def hypot(self, other: Tensor) -> Tensor:
        """The length of the hypotenuse: ``sqrt(self**2 + other**2)``, without overflow."""
    def hypot_(self, other: Tensor) -> Tensor:
        """The in-place form of :func:`hypot`: the tensor takes the result."""
    def imag(self) -> Tensor:
        """The imaginary part: a view of the same memory."""
    def index_add(self, dim, index, source: Tensor, *, alpha=1) -> Tensor:
        """A copy with the parts of ``source``, times ``alpha``, added at the numbers in ``index``."""
    def index_add_(self, dim, index, source: Tensor, *, alpha=1) -> Tensor:
        """The in-place form of :func:`index_add`: the tensor takes the result."""
    def index_copy(self, dim, index, source: Tensor) -> Tensor:
        """A copy with the parts of ``source`` written at the numbers in ``index``."""
    def index_copy_(self, dim, index, source: Tensor) -> Tensor:
        """The in-place form of :func:`index_copy`: the tensor takes the result."""
    def index_fill(self, dim, index, value) -> Tensor:
        """A copy with ``value`` (a number or a 0-d tensor) in the parts with the numbers in ``index``."""
    def index_fill_(self, dim, index, value) -> Tensor:
        """The parts of ``self`` with the numbers in ``index`` take ``value``."""
    def index_put(self, indices, values, accumulate=False) -> Tensor:
        """A copy of ``self`` with ``values`` written (or added, with ``accumulate``) at the positions ``indices``."""
    def index_put_(self, indices, values, accumulate=False) -> Tensor:
        """``values`` are written (or added, with ``accumulate``) at the positions ``indices`` of ``self``."""
    def index_select(self, dim, index) -> Tensor:
        """The parts along ``dim`` with the numbers in the vector ``index``."""
    def inner(self, other) -> Tensor:
        """The sums of products over the last dim of both: for vectors ``dot``, for matrices ``self @ other.T``."""
    def int(self, memory_format=None) -> Tensor:
        """This tensor as ``torch.int32``; itself if it has that dtype."""
    def inverse(self) -> Tensor:
        """The inverse of a square matrix, or of each of a batch; ``linalg.inv``."""
    def is_complex(input) -> builtins.bool:
        """True where the dtype is complex."""
    def is_conj(self) -> builtins.bool:
        """False: conjugates are never lazy here."""
    def is_contiguous(self, memory_format='contiguous_format') -> builtins.bool:
        """True where the elements lie in memory row by row without gaps; or as ``memory_format`` has it."""
    is_cuda: builtins.bool
    def is_floating_point(input) -> builtins.bool:
        """True where the dtype is a floating one, which complex ones are not."""
    def is_inference(self) -> builtins.bool:
        """True for a tensor that was made in inference mode."""
    is_leaf: builtins.bool  # True for tensors that the user made, and for all that do not require grad.
    def is_neg(self) -> builtins.bool:
        """False: negations are never lazy here."""
    is_quantized: builtins.bool
    is_sparse: builtins.bool
    def isclose(self, other: Tensor, rtol=1e-05, atol=1e-08, equal_nan=False) -> Tensor:
        """Where ``|self - other| <= atol + rtol * |other|``; equal infinities are close, nan only with ``equal_nan=True``."""
    def isfinite(self) -> Tensor:
        """Where ``self`` is neither infinite nor nan."""
    def isinf(self) -> Tensor:
        """Where ``self`` is plus or minus infinity (of complex numbers: where either part is)."""
    def isnan(self) -> Tensor:
        """Where ``self`` is nan (of complex numbers: where either part is)."""
    def isreal(self) -> Tensor:
        """Where the imaginary part of ``self`` is zero: everywhere in a real tensor."""
    def item(self) -> Any:
        """The value of a tensor with one element, as a Python number."""
    itemsize: builtins.int
    def kron(self, other) -> Tensor:
        """The Kronecker product: every entry of ``self`` times the whole of ``other``, as blocks."""
    def kthvalue(self, k, dim=-1, keepdim=False) -> tuple[Tensor, Tensor]:
        """The k-th least entry along ``dim`` (k counts from 1), and where it is."""
    layout: Any
    def le(self, other: Tensor) -> Tensor:
        """Where ``self <= other``, as a bool tensor."""
    def le_(self, other: Tensor) -> Tensor:
        """The in-place form of :func:`le`: the tensor takes the result."""
    def lerp(self, end, weight) -> Tensor:
        """Linear interpolation: ``self + weight * (end - self)``, for a number or a tensor of weights."""
    def lerp_(self, end, weight) -> Tensor:
        """``self`` goes some of the way to ``end``: moving averages."""
    def less(self, other: Tensor) -> Tensor:
        """Where ``self < other``, as a bool tensor."""
    def less_(self, other: Tensor) -> Tensor:
        """The in-place form of :func:`less`: the tensor takes the result."""
    def less_equal(self, other: Tensor) -> Tensor:
        """Where ``self <= other``, as a bool tensor."""
    def less_equal_(self, other: Tensor) -> Tensor:
        """The in-place form of :func:`less_equal`: the tensor takes the result."""
    def lgamma(self) -> Tensor:
        """The logarithm of the absolute value of the gamma function, which continues (n - 1)!."""
    def lgamma_(self) -> Tensor:
        """The in-place form of :func:`lgamma`: the tensor takes the result."""
    def log(self) -> Tensor:
        """The natural logarithm; -inf at 0, nan for negative real numbers."""
    def log10(self) -> Tensor:
        """The logarithm to base 10."""
    def log10_(self) -> Tensor:
        """The in-place form of :func:`log10`: the tensor takes the result."""
    def log1p(self) -> Tensor:
        """``log(1 + self)``, exact also for small ``self``."""
    def log1p_(self) -> Tensor:
        """The in-place form of :func:`log1p`: the tensor takes the result."""
    def log2(self) -> Tensor:
        """The logarithm to base 2."""
    def log2_(self) -> Tensor:
        """The in-place form of :func:`log2`: the tensor takes the result."""
    def log_(self) -> Tensor:
        """The in-place form of :func:`log`: the tensor takes the result."""
    def log_normal_(self, mean=1.0, std=2.0, *, generator=None) -> Tensor:
        """``self`` takes numbers whose logarithms have the mean ``mean`` and the standard deviation ``std``."""
    def log_softmax(self, dim, dtype=None) -> Tensor:
        """``log(softmax(self))`` over ``dim``, without overflow; ``dtype`` converts the input first."""
    def logaddexp(self, other: Tensor) -> Tensor:
        """``log(exp(self) + exp(other))``, without overflow."""
    def logcumsumexp(self, dim) -> Tensor:
        """The logarithm of the running sum of exponentials, computed without overflow."""
    def logdet(self) -> Tensor:
        """The logarithm of the determinant: nan where that is negative, and complex where the matrix is."""
    def logical_and(self, other: Tensor) -> Tensor:
        """Where both are nonzero."""
    def logical_and_(self, other: Tensor) -> Tensor:
        """The in-place form of :func:`logical_and`: the tensor takes the result."""
    def logical_not(self) -> Tensor:
        """Where ``self`` is zero."""
    def logical_not_(self) -> Tensor:
        """The in-place form of :func:`logical_not`: the tensor takes the result."""
    def logical_or(self, other: Tensor) -> Tensor:
        """Where at least one of the two is nonzero."""
    def logical_or_(self, other: Tensor) -> Tensor:
        """The in-place form of :func:`logical_or`: the tensor takes the result."""
    def logical_xor(self, other: Tensor) -> Tensor:
        """Where exactly one of the two is nonzero."""
    def logical_xor_(self, other: Tensor) -> Tensor:
        """The in-place form of :func:`logical_xor`: the tensor takes the result."""
    def logit(self, eps=None) -> Tensor:
        """``log(x / (1 - x))``, the inverse of ``sigmoid``; with ``eps``, x is first clamped to [eps, 1 - eps]."""
    def logit_(self, eps=None) -> Tensor:
        """The in-place form of :func:`logit`: the tensor takes the result."""
    def logsumexp(self, dim, keepdim=False) -> Tensor:
        """log(sum(exp(x))) over one dim or several, without overflow; its gradient is softmax(x)."""
    def long(self, memory_format=None) -> Tensor:
        """This tensor as ``torch.int64``; itself if it has that dtype."""
    def lt(self, other: Tensor) -> Tensor:
        """Where ``self < other``, as a bool tensor."""
    def lt_(self, other: Tensor) -> Tensor:
        """The in-place form of :func:`lt`: the tensor takes the result."""
    mH: Tensor  # The conjugate transpose of the last two dims; the property ``Tensor.mH``.
    mT: Tensor  # The last two dims exchanged; the property ``Tensor.mT``.
    def map2_(self, tensor1, tensor2, callable) -> Tensor:
        """Each element becomes ``callable(element, that of tensor1, that of tensor2)``."""
    def map_(self, tensor, callable) -> Tensor:
        """Each element becomes ``callable(element, the element of tensor)``; ``tensor`` is broadcast."""
    def masked_fill(self, mask, value) -> Tensor:
        """A copy with ``value`` (a number or a 0-d tensor) where the bool tensor ``mask`` is True."""
    def masked_fill_(self, mask, value) -> Tensor:
        """The elements of ``self`` where ``mask`` is True take ``value``."""
    def masked_scatter(self, mask, source: Tensor) -> Tensor:
        """A copy with the elements of ``source``, in their order, where ``mask`` is True."""
    def masked_scatter_(self, mask, source: Tensor) -> Tensor:
        """The in-place form of :func:`masked_scatter`: the tensor takes the result."""
    def masked_select(self, mask) -> Tensor:
        """The elements where ``mask``, broadcast together with ``self``, is True, in one dim."""
    def matmul(self, other) -> Tensor:
        """The matrix product, which the operator ``@`` calls."""
    def matrix_power(self, n) -> Tensor:
        """The n-th power of a square matrix, by repeated squaring; of its inverse where n is negative."""
    def max(self, dim=None, keepdim=False, *, other=None) -> Tensor | tuple[Tensor, ...]:
        """The greatest entry of all; along a dim, with its index; or, given two tensors, of each pair."""
    def maximum(self, other: Tensor) -> Tensor:
        """The larger of the two, elementwise; nan wins. Equal arguments share the gradient."""
    def mean(self, dim=None, keepdim=False, *, dtype=None) -> Tensor:
        """The mean of all entries, or over the dims in ``dim``. Integers need ``dtype``, as in PyTorch."""
    def median(self, dim=None, keepdim=False) -> Tensor | tuple[Tensor, ...]:
        """The entry in the middle (of an even number the lower one), of all or along ``dim`` with its index; nan if any is nan."""
    def min(self, dim=None, keepdim=False, *, other=None) -> tuple[Tensor, ...]:
        """The least entry of all; along a dim, with its index; or, given two tensors, of each pair."""
    def minimum(self, other: Tensor) -> Tensor:
        """The smaller of the two, elementwise; nan wins. Equal arguments share the gradient."""
    def mm(self, mat2: Tensor) -> Tensor:
        """The product of two matrices."""
    def mode(self, dim=-1, keepdim=False) -> tuple[Tensor, Tensor]:
        """The most frequent entry along ``dim`` (of equally frequent ones the least), and its last index."""
    def moveaxis(self, source, destination) -> Tensor:
        """The dims ``source`` moved to the places ``destination``, the others in their order; a view."""
    def movedim(self, source, destination) -> Tensor:
        """The dims ``source`` moved to the places ``destination``, the others in their order; a view."""
    def msort(self) -> Tensor:
        """The entries sorted along the first dim."""
    def mul(self, other: Tensor) -> Tensor:
        """The product, elementwise, with broadcasting and type promotion. Each factor is saved only if the other one needs a gradient."""
    def mul_(self, other: Tensor) -> Tensor:
        """The in-place form of :func:`mul`: the tensor takes the result."""
    def multiply(self, other: Tensor) -> Tensor:
        """The product, elementwise, with broadcasting and type promotion. Each factor is saved only if the other one needs a gradient."""
    def multiply_(self, other: Tensor) -> Tensor:
        """The in-place form of :func:`multiply`: the tensor takes the result."""
    def mv(self, vec: Tensor) -> Tensor:
        """The product of a matrix and a vector."""
    names: Any
    def nan_to_num(self, nan=None, posinf=None, neginf=None) -> Tensor:
        """``self`` with numbers in the place of nan (0), inf (the largest finite number) and -inf."""
    def nan_to_num_(self, nan=None, posinf=None, neginf=None) -> Tensor:
        """The in-place form of :func:`nan_to_num`: the tensor takes the result."""
    def nanmean(self, dim=None, keepdim=False, *, dtype=None) -> Tensor:
        """The mean of the entries that are not nan."""
    def nanmedian(self, dim=None, keepdim=False) -> Tensor:
        """``median`` of the entries that are not nan."""
    def nansum(self, dim=None, keepdim=False, *, dtype=None) -> Tensor:
        """The sum of the entries that are not nan."""
    def narrow(self, dim, start, length) -> Tensor:
        """``length`` indices of ``dim`` from ``start`` on; a view."""
    nbytes: builtins.int
    ndim: builtins.int  # The number of dimensions.
    def ndimension(self) -> builtins.int: ...
    def ne(self, other: Tensor) -> Tensor:
        """Where ``self`` differs from ``other``, as a bool tensor; nan differs from everything."""
    def ne_(self, other: Tensor) -> Tensor:
        """The in-place form of :func:`ne`: the tensor takes the result."""
    def neg(self) -> Tensor:
        """The same number with the other sign."""
    def neg_(self) -> Tensor:
        """The in-place form of :func:`neg`: the tensor takes the result."""
    def negative(self) -> Tensor:
        """The same number with the other sign."""
    def negative_(self) -> Tensor:
        """The in-place form of :func:`negative`: the tensor takes the result."""
    def nelement(input) -> builtins.int:
        """The number of elements."""
    def new_empty(self, *shape, size=None, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False) -> Tensor:
        """A tensor to be filled, with the dtype of ``self``."""
    def new_full(self, size, fill_value, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False) -> Tensor:
        """A tensor with ``fill_value`` everywhere and the dtype of ``self``."""
    def new_ones(self, *shape, size=None, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False) -> Tensor:
        """A tensor of ones with the dtype of ``self``."""
    def new_tensor(self, data, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False) -> Tensor:
        """A tensor with a copy of ``data`` and the dtype of ``self``."""
    def new_zeros(self, *shape, size=None, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False) -> Tensor:
        """A tensor of zeros with the dtype of ``self``."""
    def nonzero(self, *, as_tuple=False) -> Tensor:
        """The indices of the elements that are not zero: a row for each, or a tuple with a vector for each dim."""
    def norm(self, p='fro', dim=None, keepdim=False, dtype=None) -> Tensor:
        """The p-norm of all entries, or over the dims in ``dim``; see :func:`norm`."""
    def normal_(self, mean=0.0, std=1.0, *, generator=None) -> Tensor:
        """``self`` takes normally distributed numbers."""
    def not_equal(self, other: Tensor) -> Tensor:
        """Where ``self`` differs from ``other``, as a bool tensor; nan differs from everything."""
    def not_equal_(self, other: Tensor) -> Tensor:
        """The in-place form of :func:`not_equal`: the tensor takes the result."""
    def numel(input) -> builtins.int:
        """The number of elements."""
    def numpy(self, *, force=False) -> Any:
        """The numbers as a NumPy array on the same memory: what is written to one is seen in the other."""
    def outer(self, vec2) -> Tensor:
        """All products of an entry of one vector and an entry of the other, as a matrix."""
    output_nr: builtins.int  # Which output of ``grad_fn`` this tensor is.
    def permute(self, *order, dims=None) -> Tensor:
        """The dims in another order; a view."""
    def polygamma(self, n) -> Tensor:
        """The derivative of order ``n`` of ``digamma``: ``torch.polygamma(n, self)``."""
    def polygamma_(self, n) -> Tensor:
        """``self`` takes the value of ``self.polygamma(n)``."""
    def positive(self) -> Tensor:
        """``self``, as it is; what ``+x`` means."""
    def pow(self, exponent) -> Tensor:
        """``self`` to the power of ``exponent``; either may be a number. What ``**`` means."""
    def pow_(self, exponent) -> Tensor:
        """``self`` takes the value of ``self**exponent``."""
    def prod(self, dim=None, keepdim=False, *, dtype=None) -> Tensor:
        """The product of all entries, or over one ``dim``. Gradients are right with zeros among the entries."""
    def rad2deg(self) -> Tensor:
        """Radians as degrees."""
    def rad2deg_(self) -> Tensor:
        """The in-place form of :func:`rad2deg`: the tensor takes the result."""
    def random_(self, *bounds, low=None, to=None, generator=None) -> Tensor:
        """``random_(low, high)``, ``random_(high)`` or ``random_()``: ``self`` takes whole numbers from ``low`` to below ``high``."""
    def ravel(self) -> Tensor:
        """All elements in one dim: a view where they lie in order, else a copy."""
    def real(self) -> Tensor: ...
    def reciprocal(self) -> Tensor:
        """``1 / self``, elementwise."""
    def reciprocal_(self) -> Tensor:
        """The in-place form of :func:`reciprocal`: the tensor takes the result."""
    def register_hook(self, hook) -> Any:
        """Call ``hook(grad)`` in every backward pass, when the gradient of this tensor is known and before it is used."""
    def register_post_accumulate_grad_hook(self, hook) -> Any:
        """Call ``hook(tensor)`` after a backward pass has added to ``.grad`` of this leaf. It returns None."""
    def relu(self) -> Tensor:
        """``max(self, 0)``; its slope at 0 is 0."""
    def relu_(self) -> Tensor:
        """The in-place form of :func:`relu`: the tensor takes the result."""
    def remainder(self, other) -> Tensor:
        """What is left of ``self`` after division by ``other``, with the sign of ``other``: Python's ``%``."""
    def remainder_(self, other) -> Tensor:
        """``self`` takes the value of ``self % other``."""
    def repeat(self, *times, repeats=None) -> Tensor:
        """The whole tensor, as often along each dim as the numbers say; more numbers than dims make new dims."""
    def repeat_interleave(self, repeats=None, dim=None, *, output_size=None) -> Tensor:
        """Each part along ``dim`` as often as ``repeats`` says, a number or a vector; without ``dim`` of the flat tensor."""
    requires_grad: builtins.bool  # True where gradients are to be computed for this tensor.
    def requires_grad_(self, requires_grad=True) -> Tensor:
        """Let autograd record operations on this tensor (or not); returns the tensor."""
    def reshape(self, *sizes, shape=None) -> Tensor:
        """The elements of ``self``, in their order, under another shape: a view if possible, else a copy."""
    def reshape_as(self, other) -> Tensor:
        """``self.reshape(other.shape)``."""
    def resize_(self, *sizes, size=None, memory_format=None) -> Tensor:
        """``self`` takes another shape, with as many elements of its memory as that needs."""
    def resize_as_(self, the_template, *, memory_format=None) -> Tensor:
        """``self`` takes the shape of another tensor, as ``resize_`` does."""
    def resolve_conj(self) -> Tensor:
        """``self``: conjugates are never lazy here."""
    def resolve_neg(self) -> Tensor:
        """``self``: negations are never lazy here."""
    def retain_grad(self) -> None:
        """Let ``backward`` fill ``.grad`` of this tensor although it is not a leaf."""
    retains_grad: builtins.bool  # True where :meth:`retain_grad` was called.
    def roll(self, shifts, dims=()) -> Tensor:
        """Elements moved by ``shifts`` places along ``dims``; those that leave at one end enter at the other."""
    def rot90(self, k=1, dims=(0, 1)) -> Tensor:
        """A copy turned by ``k`` quarter turns, from the first dim towards the second."""
    def round(self, *, decimals=0) -> Tensor:
        """The nearest whole number, halves to the even one; or rounding to some ``decimals``."""
    def round_(self, *, decimals=0) -> Tensor:
        """``self`` takes the value of ``self.round()``."""
    def rsqrt(self) -> Tensor:
        """One divided by the square root."""
    def rsqrt_(self) -> Tensor:
        """The in-place form of :func:`rsqrt`: the tensor takes the result."""
    def rsub(self, other, *, alpha=1) -> Tensor:
        """``other - alpha * self``: subtraction with its arguments exchanged."""
    def scatter(self, dim, index, src=None, *, value=None, reduce=None) -> Tensor:
        """A copy of ``self`` with ``src`` (a tensor or a number) written at the places ``index`` along ``dim``."""
    def scatter_(self, dim, index, src=None, *, value=None, reduce=None) -> Tensor:
        """``src``, a tensor or a number, is written at the places ``index`` along ``dim`` of ``self``."""
    def scatter_add(self, dim, index, src: Tensor) -> Tensor:
        """A copy of ``self`` with ``src`` added at the places ``index`` along ``dim``."""
    def scatter_add_(self, dim, index, src: Tensor) -> Tensor:
        """The in-place form of :func:`scatter_add`: the tensor takes the result."""
    def select(self, dim, index) -> Tensor:
        """The part at one index of ``dim``, without that dim; a view."""
    def set_(self, source=None, storage_offset=0, size=None, stride=None) -> Tensor:
        """``self`` takes over the memory of the tensor ``source``, or none at all."""
    def sgn(self) -> Tensor:
        """``z / |z|``, and 0 at 0: the sign of real numbers, the direction of complex ones."""
    def sgn_(self) -> Tensor:
        """The in-place form of :func:`sgn`: the tensor takes the result."""
    shape: Size  # The sizes of the dimensions, as a ``torch.Size``.
    def short(self, memory_format=None) -> Tensor:
        """This tensor as ``torch.int16``; itself if it has that dtype."""
    def sigmoid(self) -> Tensor:
        """The logistic function ``1 / (1 + exp(-self))``, with slope ``s * (1 - s)``."""
    def sigmoid_(self) -> Tensor:
        """The in-place form of :func:`sigmoid`: the tensor takes the result."""
    def sign(self) -> Tensor:
        """-1, 0 or 1; 0 for nan."""
    def sign_(self) -> Tensor:
        """The in-place form of :func:`sign`: the tensor takes the result."""
    def signbit(self) -> Tensor:
        """Where the sign bit of ``self`` is set, which tells -0. from 0."""
    def sin(self) -> Tensor:
        """The sine of an angle in radians."""
    def sin_(self) -> Tensor:
        """The in-place form of :func:`sin`: the tensor takes the result."""
    def sinh(self) -> Tensor:
        """The hyperbolic sine."""
    def sinh_(self) -> Tensor:
        """The in-place form of :func:`sinh`: the tensor takes the result."""
    def size(self, dim=None) -> Any:
        """The shape, or the size of one dimension."""
    def slogdet(self) -> tuple[Tensor, ...]:
        """The sign of the determinant and the logarithm of its absolute value; ``linalg.slogdet``."""
    def softmax(self, dim, dtype=None) -> Tensor:
        """``exp(self)`` divided by its sum over ``dim``; ``dtype`` converts the input first."""
    def sort(self, dim=-1, descending=False, stable=False) -> tuple[Tensor, Tensor]:
        """The entries sorted along ``dim``, and where they were. The order is always stable."""
    def split(self, split_size_or_sections, dim=0) -> tuple[Tensor, ...]:
        """Pieces of one size along ``dim`` (the last may be smaller), or of the sizes in a list; views."""
    def split_with_sizes(self, split_sizes, dim=0) -> tuple[Tensor, ...]:
        """Pieces of the given sizes along ``dim``, as a tuple of views."""
    def sqrt(self) -> Tensor:
        """The square root; nan for negative real numbers."""
    def sqrt_(self) -> Tensor:
        """The in-place form of :func:`sqrt`: the tensor takes the result."""
    def square(self) -> Tensor:
        """``self * self``, recorded as ``self**2``."""
    def square_(self) -> Tensor:
        """``self`` takes the value of ``self * self``."""
    def squeeze(self, dim=None) -> Tensor:
        """The dims of size one dropped: all of them, or only ``dim`` (an int or several). A view."""
    def squeeze_(self, dim=None) -> Tensor:
        """``self`` loses its dims of size one: all of them, or only ``dim`` (an int or several)."""
    def std(self, dim=None, unbiased=None, keepdim=False, *, correction=None) -> Tensor:
        """The standard deviation, the square root of ``var``; where it is 0 the gradient is 0."""
    def std_mean(self, dim=None, unbiased=None, keepdim=False, *, correction=None) -> tuple[Tensor, ...]:
        """The pair (standard deviation, mean)."""
    def storage_offset(self) -> builtins.int:
        """The place of the first element in the memory that the tensor shares, in elements."""
    def stride(self, dim=None) -> Any:
        """How many elements to step over in memory, for each dimension."""
    def sub(self, other, *, alpha=1) -> Tensor:
        """``self - alpha * other``, elementwise, with broadcasting and type promotion."""
    def sub_(self, other, *, alpha=1) -> Tensor:
        """``self`` takes the value of ``self - alpha * other``."""
    def subtract(self, other, *, alpha=1) -> Tensor:
        """``self - alpha * other``, elementwise, with broadcasting and type promotion."""
    def subtract_(self, other, *, alpha=1) -> Any:
        """``self`` takes the value of ``self - alpha * other``."""
    def sum(self, dim=None, keepdim=False, *, dtype=None) -> Tensor:
        """The sum of all entries, or over the dims in ``dim`` (an int or a tuple; ``()`` means all)."""
    def sum_to_size(self, *sizes, size=None) -> Tensor:
        """Summed over dims until the shape is ``size``, which must broadcast to the shape of ``self``."""
    def swapaxes(self, axis0, axis1) -> Tensor:
        """NumPy's name for ``transpose``."""
    def swapaxes_(self, axis0, axis1) -> Tensor:
        """NumPy's name for ``transpose_``."""
    def swapdims(self, axis0, axis1) -> Tensor:
        """NumPy's name for ``transpose``."""
    def swapdims_(self, dim0, dim1) -> Tensor:
        """Another name for ``transpose_``."""
    def t(self) -> Tensor:
        """The transpose of a matrix; a view. Tensors with fewer dims stay as they are."""
    def t_(self) -> Tensor:
        """A matrix becomes its transpose."""
    def take(self, index) -> Tensor:
        """The elements with these numbers in the flat tensor; the result has the shape of ``index``."""
    def take_along_dim(self, indices, dim=None) -> Tensor:
        """``gather`` with broadcasting in the other dims, or from the flat tensor where ``dim`` is left out."""
    def tan(self) -> Tensor:
        """The tangent of an angle in radians."""
    def tan_(self) -> Tensor:
        """The in-place form of :func:`tan`: the tensor takes the result."""
    def tanh(self) -> Tensor:
        """The hyperbolic tangent, with slope ``1 - tanh(x)**2``."""
    def tanh_(self) -> Tensor:
        """The in-place form of :func:`tanh`: the tensor takes the result."""
    def tensor_split(self, indices_or_sections, dim=0) -> tuple[Tensor, ...]:
        """As many nearly equal pieces as an int says, or pieces cut at the given indices; views."""
    def tile(self, *times, dims=None) -> Tensor:
        """``repeat``, where missing numbers in front count as 1."""
    def to(self, *args, **kwargs) -> Tensor:
        """This tensor in another dtype, or like another tensor; itself where nothing changes."""
    def tolist(self) -> Any:
        """The numbers as nested lists; of a tensor without dimensions, the number itself."""
    def topk(self, k, dim=-1, largest=True, sorted=True) -> tuple[Tensor, Tensor]:
        """The k greatest entries along ``dim`` (or the least), in order, and where they are."""
    def trace(self) -> Tensor:
        """The sum of a matrix's diagonal."""
    def transpose(self, dim0, dim1) -> Tensor:
        """Two dims exchanged; a view."""
    def transpose_(self, dim0, dim1) -> Tensor:
        """Two dims of ``self`` are exchanged."""
    def tril(self, diagonal=0) -> Tensor:
        """The lower triangle of a matrix (or a batch), up to the diagonal of that number; zeros above."""
    def tril_(self, diagonal=0) -> Tensor:
        """The in-place form of :func:`tril`: the tensor takes the result."""
    def triu(self, diagonal=0) -> Tensor:
        """The upper triangle of a matrix (or a batch), from the diagonal of that number on; zeros below."""
    def triu_(self, diagonal=0) -> Tensor:
        """The in-place form of :func:`triu`: the tensor takes the result."""
    def true_divide(self, other) -> Tensor:
        """``self / other``, elementwise: ``div`` without rounding."""
    def true_divide_(self, other, *, rounding_mode=None) -> Any:
        """``self`` takes the value of ``self / other``, rounded if asked for."""
    def trunc(self) -> Tensor:
        """The whole part: rounding towards zero."""
    def trunc_(self) -> Tensor:
        """The in-place form of :func:`trunc`: the tensor takes the result."""
    def type(self, dtype=None, non_blocking=False) -> Any:
        """The name of the tensor's type, or the tensor in another one."""
    def type_as(self, other) -> Tensor: ...
    def unbind(self, dim=0) -> tuple[Tensor, ...]:
        """All parts along ``dim``, as a tuple of views: what ``for row in x`` goes through."""
    def unflatten(self, dim, sizes) -> Tensor:
        """One dim as several, of these ``sizes``; one of them may be -1."""
    def unfold(self, dimension, size, step) -> Tensor:
        """All windows of ``size`` elements along a dim, ``step`` apart; the window is the last dim. A view."""
    def uniform_(self, low=0.0, to=1.0, *, generator=None) -> Tensor:
        """``self`` takes numbers drawn evenly from ``low`` to below ``to``."""
    def unique(self, sorted=True, return_inverse=False, return_counts=False, dim=None) -> tuple[Tensor, ...]:
        """The distinct entries in ascending order, or the distinct slices along ``dim``; never part of a graph."""
    def unique_consecutive(self, return_inverse=False, return_counts=False, dim=None) -> Tensor:
        """One entry for each run of equal ones."""
    def unsqueeze(self, dim) -> Tensor:
        """A new dim of size one at place ``dim``; a view."""
    def unsqueeze_(self, dim) -> Tensor:
        """``self`` gets a new dim of size one at place ``dim``."""
    def var(self, dim=None, unbiased=None, keepdim=False, *, correction=None) -> Tensor:
        """The variance: the mean squared distance from the mean, with n - ``correction`` (default 1) instead of n."""
    def var_mean(self, dim=None, unbiased=None, keepdim=False, *, correction=None) -> tuple[Tensor, ...]:
        """The pair (variance, mean)."""
    def vdot(self, other: Tensor) -> Tensor:
        """The inner product of two vectors: the first one is conjugated."""
    def view(self, *shape, size=None, dtype=None) -> Tensor:
        """The same memory under another shape (one size may be -1), or read as another dtype."""
    def view_as(self, other) -> Tensor:
        """``self.view(other.shape)``."""
    def view_as_complex(self) -> Tensor:
        """A complex view of a real tensor whose last dim, of size 2, holds real and imaginary parts."""
    def view_as_real(self) -> Tensor:
        """A view with a last dim of size 2 for the real and the imaginary part."""
    def where(self, condition, other) -> Tensor:
        """``torch.where(condition, self, other)``: as a method, ``self`` is the branch that is taken where True."""
    def why_no_grad(self, result=None) -> str:
        """Why ``.grad`` of this tensor is None, in plain words and with what to do about it; or that there is one."""
    def xlogy(self, other: Tensor) -> Tensor:
        """``self * log(other)``, and 0 where ``self`` is 0, whatever the logarithm is: as in entropies."""
    def xlogy_(self, other: Tensor) -> Tensor:
        """The in-place form of :func:`xlogy`: the tensor takes the result."""
    def zero_(self) -> Tensor:
        """The in-place form of :func:`zero`: the tensor takes the result."""
    def __add__(self, other: Any) -> Tensor: ...
    def __radd__(self, other: Any) -> Tensor: ...
    def __sub__(self, other: Any) -> Tensor: ...
    def __rsub__(self, other: Any) -> Tensor: ...
    def __mul__(self, other: Any) -> Tensor: ...
    def __rmul__(self, other: Any) -> Tensor: ...
    def __truediv__(self, other: Any) -> Tensor: ...
    def __rtruediv__(self, other: Any) -> Tensor: ...
    def __floordiv__(self, other: Any) -> Tensor: ...
    def __rfloordiv__(self, other: Any) -> Tensor: ...
    def __mod__(self, other: Any) -> Tensor: ...
    def __rmod__(self, other: Any) -> Tensor: ...
    def __pow__(self, other: Any) -> Tensor: ...
    def __rpow__(self, other: Any) -> Tensor: ...
    def __matmul__(self, other: Any) -> Tensor: ...
    def __rmatmul__(self, other: Any) -> Tensor: ...
    def __and__(self, other: Any) -> Tensor: ...
    def __rand__(self, other: Any) -> Tensor: ...
    def __or__(self, other: Any) -> Tensor: ...
    def __ror__(self, other: Any) -> Tensor: ...
    def __xor__(self, other: Any) -> Tensor: ...
    def __rxor__(self, other: Any) -> Tensor: ...
    def __lshift__(self, other: Any) -> Tensor: ...
    def __rlshift__(self, other: Any) -> Tensor: ...
    def __rshift__(self, other: Any) -> Tensor: ...
    def __rrshift__(self, other: Any) -> Tensor: ...
    def __neg__(self) -> Tensor: ...
    def __pos__(self) -> Tensor: ...
    def __abs__(self) -> Tensor: ...
    def __invert__(self) -> Tensor: ...
    def __eq__(self, other: Any) -> Tensor: ...  # type: ignore[override]
    def __ne__(self, other: Any) -> Tensor: ...  # type: ignore[override]
    def __lt__(self, other: Any) -> Tensor: ...  # type: ignore[override]
    def __le__(self, other: Any) -> Tensor: ...  # type: ignore[override]
    def __gt__(self, other: Any) -> Tensor: ...  # type: ignore[override]
    def __ge__(self, other: Any) -> Tensor: ...  # type: ignore[override]
    def __getitem__(self, index: Any) -> Tensor: ...
    def __setitem__(self, index: Any, value: Any) -> None: ...
    def __len__(self) -> builtins.int: ...
    def __bool__(self) -> builtins.bool: ...
    def __float__(self) -> builtins.float: ...
    def __int__(self) -> builtins.int: ...

class Node:
    """One recorded operation in the graph; its edges lead to the nodes of the operation's inputs."""

    metadata: dict[Any, Any]  # A dictionary for the user's own notes.
    def name(self) -> str:
        """The name of the operation's backward, such as ``"MulBackward0"``."""
    next_functions: tuple[tuple[Node | None, builtins.int], ...]  # For each input: the node that its gradient goes to, and which output of that node the input was.
    def register_hook(self, fn) -> Any:
        """Call ``fn(grad_inputs, grad_outputs)`` after this node has run; a tuple that it returns replaces ``grad_inputs``."""
    def register_prehook(self, fn) -> Any:
        """Call ``fn(grad_outputs)`` before this node runs; a tuple that it returns replaces them."""
    requires_grad: builtins.bool  # True: a node is made only where a gradient is to be computed.

class AccumulateGrad(Node):
    """The end of every path: adds what arrives to ``.grad`` of its leaf, ``variable``."""

    def name(self) -> str: ...
    variable: Tensor


def wrap(array: Any, requires_grad: bool = ...) -> Tensor: ...
