"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format

from minigrad.autograd.graph import RemovableHandle
from minigrad.dtypes import Size
from minigrad.storage import UntypedStorage
from minigrad.types import _device


class ValuesIndices(NamedTuple):
    values: Tensor
    indices: Tensor

class MinMax(NamedTuple):
    min: Tensor
    max: Tensor

class SignLogabsdet(NamedTuple):
    sign: Tensor
    logabsdet: Tensor

class MantissaExponent(NamedTuple):
    mantissa: Tensor
    exponent: Tensor

class QR(NamedTuple):
    Q: Tensor
    R: Tensor

class Reflectors(NamedTuple):
    a: Tensor
    tau: Tensor

class SVD(NamedTuple):
    U: Tensor
    S: Tensor
    Vh: Tensor

class OldSVD(NamedTuple):
    U: Tensor
    S: Tensor
    V: Tensor

class Eigen(NamedTuple):
    eigenvalues: Tensor
    eigenvectors: Tensor

class PLU(NamedTuple):
    P: Tensor
    L: Tensor
    U: Tensor

class LUFactor(NamedTuple):
    LU: Tensor
    pivots: Tensor

class LUFactorEx(NamedTuple):
    LU: Tensor
    pivots: Tensor
    info: Tensor

class LDLFactor(NamedTuple):
    LD: Tensor
    pivots: Tensor

class LDLFactorEx(NamedTuple):
    LD: Tensor
    pivots: Tensor
    info: Tensor

class InvEx(NamedTuple):
    inverse: Tensor
    info: Tensor

class SolveEx(NamedTuple):
    result: Tensor
    info: Tensor

class CholeskyEx(NamedTuple):
    L: Tensor
    info: Tensor

class TriangularSolve(NamedTuple):
    solution: Tensor
    cloned_coefficient: Tensor

class LeastSquares(NamedTuple):
    solution: Tensor
    residuals: Tensor
    rank: Tensor
    singular_values: Tensor

class Tensor:
    """A multi-dimensional array that remembers how it was made."""

    H: Tensor  # The conjugate transpose of a matrix; the property ``Tensor.H``.
    T: Tensor  # All dims in reverse order; the property ``Tensor.T``.
    _base: Tensor | None
    _version: _int
    def abs(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The absolute value; for complex numbers, the distance from 0. Its slope at 0 is 0."""
    def abs_(self) -> Tensor:
        """``self`` takes its absolute value; not for complex numbers, whose absolute values are real."""
    def absolute(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The absolute value; for complex numbers, the distance from 0. Its slope at 0 is 0."""
    def absolute_(self) -> Tensor:
        """``self`` takes its absolute value; not for complex numbers, whose absolute values are real."""
    def acos(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The angle whose cosine is ``self``, between 0 and pi."""
    def acos_(self) -> Tensor:
        """The in-place form of :func:`acos`: the tensor takes the result."""
    def acosh(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The inverse of the hyperbolic cosine; nan below 1."""
    def acosh_(self) -> Tensor:
        """The in-place form of :func:`acosh`: the tensor takes the result."""
    def add(self, other: Operand, *, alpha: Scalar = 1, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The sum, elementwise: ``self + alpha * other``, with broadcasting and type promotion."""
    def add_(self, other: Operand, *, alpha: Scalar = 1) -> Tensor:
        """The in-place form of :func:`add`: the tensor takes the result."""
    def addbmm(self, batch1: Tensor, batch2: Tensor, *, beta: Scalar = 1, alpha: Scalar = 1, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """beta * self + alpha * (the sum of all products of a batch), computed as one product of long matrices."""
    def addbmm_(self, batch1: Tensor, batch2: Tensor, *, beta: Scalar = 1, alpha: Scalar = 1) -> Tensor:
        """``self`` takes the value of beta * self + alpha * (the sum of all products of a batch)."""
    def addcdiv(self, tensor1: Tensor, tensor2: Tensor, *, value: Scalar = 1, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``self + value * tensor1 / tensor2``, elementwise."""
    def addcdiv_(self, tensor1: Tensor, tensor2: Tensor, *, value: Scalar = 1) -> Tensor:
        """The in-place form of :func:`addcdiv`: the tensor takes the result."""
    def addcmul(self, tensor1: Tensor, tensor2: Tensor, *, value: Scalar = 1, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``self + value * tensor1 * tensor2``, elementwise."""
    def addcmul_(self, tensor1: Tensor, tensor2: Tensor, *, value: Scalar = 1) -> Tensor:
        """The in-place form of :func:`addcmul`: the tensor takes the result."""
    def addmm(self, mat1: Tensor, mat2: Tensor, *, beta: Scalar = 1, alpha: Scalar = 1, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """beta * self + alpha * (mat1 @ mat2), where ``self`` is broadcast, as the bias of a linear layer is."""
    def addmm_(self, mat1: Tensor, mat2: Tensor, *, beta: Scalar = 1, alpha: Scalar = 1) -> Tensor:
        """The in-place form of :func:`addmm`: the tensor takes the result."""
    def addmv(self, mat: Tensor, vec: Tensor, *, beta: Scalar = 1, alpha: Scalar = 1, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """beta * self + alpha * (mat @ vec)."""
    def addmv_(self, mat: Tensor, vec: Tensor, *, beta: Scalar = 1, alpha: Scalar = 1) -> Tensor:
        """The in-place form of :func:`addmv`: the tensor takes the result."""
    def addr(self, vec1: Tensor, vec2: Tensor, *, beta: Scalar = 1, alpha: Scalar = 1, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """beta * self + alpha * outer(vec1, vec2)."""
    def addr_(self, vec1: Tensor, vec2: Tensor, *, beta: Scalar = 1, alpha: Scalar = 1) -> Tensor:
        """The in-place form of :func:`addr`: the tensor takes the result."""
    def adjoint(self) -> Tensor:
        """The conjugate transpose of the last two dims: a view of real numbers, and a copy of complex ones."""
    def all(self, dim: Dims | None = None, keepdim: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Whether all entries are true (not zero), or all over the dims in ``dim``."""
    def allclose(self, other: Operand, rtol: _float = 1e-05, atol: _float = 1e-08, equal_nan: _bool = False) -> _bool:
        """Whether all elements of ``self`` and ``other`` are close, as a Python bool; see ``isclose``."""
    def amax(self, dim: Dims | None = (), keepdim: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The greatest entry over one dim or several; equal ones share the gradient evenly."""
    def amin(self, dim: Dims | None = (), keepdim: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The least entry over one dim or several; equal ones share the gradient evenly."""
    def aminmax(self, *, dim: _int | None = None, keepdim: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> MinMax:
        """The least and the greatest entry, of all or along one dim; equal ones share the gradient evenly."""
    def angle(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The angle of complex numbers in radians, between -pi and pi; for real ones 0, or pi if they are negative."""
    def any(self, dim: Dims | None = None, keepdim: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Whether any entry is true (not zero), or any over the dims in ``dim``."""
    def apply_(self, callable: Callable[..., Any]) -> Tensor:
        """Each element becomes ``callable(element)``, a function of a Python number."""
    def arccos(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The angle whose cosine is ``self``, between 0 and pi."""
    def arccos_(self) -> Tensor:
        """The in-place form of :func:`arccos`: the tensor takes the result."""
    def arccosh(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The inverse of the hyperbolic cosine; nan below 1."""
    def arccosh_(self) -> Tensor:
        """The in-place form of :func:`arccosh`: the tensor takes the result."""
    def arcsin(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The angle whose sine is ``self``, between -pi/2 and pi/2."""
    def arcsin_(self) -> Tensor:
        """The in-place form of :func:`arcsin`: the tensor takes the result."""
    def arcsinh(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The inverse of the hyperbolic sine."""
    def arcsinh_(self) -> Tensor:
        """The in-place form of :func:`arcsinh`: the tensor takes the result."""
    def arctan(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The angle whose tangent is ``self``, between -pi/2 and pi/2."""
    def arctan2(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The angle of the point (x = ``other``, y = ``self``), between -pi and pi. At the origin its slopes are 0."""
    def arctan2_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`arctan2`: the tensor takes the result."""
    def arctan_(self) -> Tensor:
        """The in-place form of :func:`arctan`: the tensor takes the result."""
    def arctanh(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The inverse of the hyperbolic tangent."""
    def arctanh_(self) -> Tensor:
        """The in-place form of :func:`arctanh`: the tensor takes the result."""
    def argmax(self, dim: _int | None = None, keepdim: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The index of the greatest entry, the first of equal ones; nan counts as greater than all numbers."""
    def argmin(self, dim: _int | None = None, keepdim: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The index of the least entry, the first of equal ones; nan counts as less than all numbers."""
    def argsort(self, dim: _int = -1, descending: _bool = False, stable: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The indices that sort the entries along ``dim``. The order is always stable."""
    def argwhere(self) -> Tensor:
        """The indices of the elements that are not zero, one row for each."""
    def as_strided(self, size: Sizes, stride: Sizes, storage_offset: _int | None = None) -> Tensor:
        """A view of the memory of ``self`` with any size, strides and offset, all in elements."""
    def as_strided_(self, size: Sizes, stride: Sizes, storage_offset: _int | None = None) -> Tensor:
        """``self`` takes any size, strides and offset in its memory; all are counted in elements."""
    def as_strided_scatter(self, src: Tensor, size: Sizes, stride: Sizes, storage_offset: _int | None = None) -> Tensor:
        """A copy of ``self`` with ``src`` in the places of the memory that ``as_strided`` would show."""
    def as_subclass(self, cls: Any) -> Tensor:
        """The same tensor as an instance of a subclass of Tensor: an alias, through which gradients flow."""
    def asin(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The angle whose sine is ``self``, between -pi/2 and pi/2."""
    def asin_(self) -> Tensor:
        """The in-place form of :func:`asin`: the tensor takes the result."""
    def asinh(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The inverse of the hyperbolic sine."""
    def asinh_(self) -> Tensor:
        """The in-place form of :func:`asinh`: the tensor takes the result."""
    def atan(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The angle whose tangent is ``self``, between -pi/2 and pi/2."""
    def atan2(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The angle of the point (x = ``other``, y = ``self``), between -pi and pi. At the origin its slopes are 0."""
    def atan2_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`atan2`: the tensor takes the result."""
    def atan_(self) -> Tensor:
        """The in-place form of :func:`atan`: the tensor takes the result."""
    def atanh(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The inverse of the hyperbolic tangent."""
    def atanh_(self) -> Tensor:
        """The in-place form of :func:`atanh`: the tensor takes the result."""
    def backward(self, gradient: Tensor | None = None, retain_graph: _bool | None = None, create_graph: _bool = False, inputs: TensorOrTensors | None = None) -> None:
        """Add the gradients of this tensor to ``.grad`` of the leaves; see :func:`torch.autograd.backward`."""
    def baddbmm(self, batch1: Tensor, batch2: Tensor, *, beta: Scalar = 1, alpha: Scalar = 1, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """beta * self + alpha * bmm(batch1, batch2)."""
    def baddbmm_(self, batch1: Tensor, batch2: Tensor, *, beta: Scalar = 1, alpha: Scalar = 1) -> Tensor:
        """The in-place form of :func:`baddbmm`: the tensor takes the result."""
    def bernoulli(self, p: Tensor | _float | None = None, *, generator: _Generator | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Random ones and zeros: each element of ``input`` is the probability of a one, or all have the probability ``p``."""
    @overload
    def bernoulli_(self, p: _float = 0.5, *, generator: _Generator | None = None) -> Tensor:
        """``self`` is filled with ones and zeros; ``p``, a number or a tensor of numbers, is the probability of a one."""
    @overload
    def bernoulli_(self, p: Tensor, *, generator: _Generator | None = None) -> Tensor:
        """``self`` is filled with ones and zeros; ``p``, a number or a tensor of numbers, is the probability of a one."""
    def bfloat16(self, memory_format: _memory_format | None = None) -> Tensor:
        """This tensor as ``torch.bfloat16``; itself if it has that dtype."""
    def bincount(self, weights: Tensor | None = None, minlength: _int = 0) -> Tensor:
        """How often each of the numbers 0, 1, 2 ... occurs, or the sum of its weights."""
    def bitwise_and(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The bits set in both; of bools the same as ``logical_and``."""
    def bitwise_and_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`bitwise_and`: the tensor takes the result."""
    def bitwise_left_shift(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The bits moved up by ``other`` places: ``self * 2**other``."""
    def bitwise_left_shift_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`bitwise_left_shift`: the tensor takes the result."""
    def bitwise_not(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Every bit turned over; of bools the same as ``logical_not``."""
    def bitwise_not_(self) -> Tensor:
        """The in-place form of :func:`bitwise_not`: the tensor takes the result."""
    def bitwise_or(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The bits set in either; of bools the same as ``logical_or``."""
    def bitwise_or_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`bitwise_or`: the tensor takes the result."""
    def bitwise_right_shift(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The bits moved down by ``other`` places, the sign kept: ``floor(self / 2**other)``."""
    def bitwise_right_shift_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`bitwise_right_shift`: the tensor takes the result."""
    def bitwise_xor(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The bits in which the two differ; of bools the same as ``logical_xor``."""
    def bitwise_xor_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`bitwise_xor`: the tensor takes the result."""
    def bmm(self, mat2: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The products of two batches of matrices, (b, n, m) and (b, m, p), without broadcasting."""
    def bool(self, memory_format: _memory_format | None = None) -> Tensor:
        """This tensor as ``torch.bool``; itself if it has that dtype."""
    @overload
    def broadcast_to(self, size: Sizes, *, implicit: _bool = False) -> Tensor:
        """Dims of size one repeated, and new dims in front, without a copy; -1 keeps a size. A view."""
    @overload
    def broadcast_to(self, *size: _int, implicit: _bool = False) -> Tensor:
        """Dims of size one repeated, and new dims in front, without a copy; -1 keeps a size. A view."""
    def byte(self, memory_format: _memory_format | None = None) -> Tensor:
        """This tensor as ``torch.uint8``; itself if it has that dtype."""
    def cauchy_(self, median: _float = 0.0, sigma: _float = 1.0, *, generator: _Generator | None = None) -> Tensor:
        """``self`` is filled with numbers of the Cauchy distribution, which has a median and a width, and no mean."""
    def cdouble(self, memory_format: _memory_format | None = None) -> Tensor:
        """This tensor as ``torch.complex128``; itself if it has that dtype."""
    def ceil(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The smallest integer that is not smaller."""
    def ceil_(self) -> Tensor:
        """The in-place form of :func:`ceil`: the tensor takes the result."""
    def cfloat(self, memory_format: _memory_format | None = None) -> Tensor:
        """This tensor as ``torch.complex64``; itself if it has that dtype."""
    def char(self, memory_format: _memory_format | None = None) -> Tensor:
        """This tensor as ``torch.int8``; itself if it has that dtype."""
    def cholesky(self, upper: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The Cholesky factor of a positive-definite matrix. Deprecated: it is ``linalg.cholesky``."""
    def cholesky_inverse(self, upper: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The inverse of A, from its Cholesky factor."""
    def cholesky_solve(self, input2: Tensor, upper: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """X in A X = ``self``, where ``input2`` is the Cholesky factor of A."""
    def chunk(self, chunks: _int, dim: _int = 0) -> tuple[Tensor, ...]:
        """At most ``chunks`` pieces of one size along ``dim`` (the last may be smaller); views."""
    @overload
    def clamp(self, min: Scalar | None = None, max: Scalar | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``self`` limited to the range from ``min`` to ``max``: numbers or tensors, of which one may be None."""
    @overload
    def clamp(self, min: Tensor | None = None, max: Tensor | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``self`` limited to the range from ``min`` to ``max``: numbers or tensors, of which one may be None."""
    @overload
    def clamp_(self, min: Scalar | None = None, max: Scalar | None = None) -> Tensor:
        """The in-place form of :func:`clamp`: the tensor takes the result."""
    @overload
    def clamp_(self, min: Tensor | None = None, max: Tensor | None = None) -> Tensor:
        """The in-place form of :func:`clamp`: the tensor takes the result."""
    @overload
    def clamp_max(self, max: Scalar, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``self``, but at most ``max``, a number or a tensor."""
    @overload
    def clamp_max(self, max: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``self``, but at most ``max``, a number or a tensor."""
    @overload
    def clamp_max_(self, max: Scalar) -> Tensor:
        """The in-place form of :func:`clamp_max`: the tensor takes the result."""
    @overload
    def clamp_max_(self, max: Operand) -> Tensor:
        """The in-place form of :func:`clamp_max`: the tensor takes the result."""
    @overload
    def clamp_min(self, min: Scalar, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``self``, but at least ``min``, a number or a tensor."""
    @overload
    def clamp_min(self, min: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``self``, but at least ``min``, a number or a tensor."""
    @overload
    def clamp_min_(self, min: Scalar) -> Tensor:
        """The in-place form of :func:`clamp_min`: the tensor takes the result."""
    @overload
    def clamp_min_(self, min: Operand) -> Tensor:
        """The in-place form of :func:`clamp_min`: the tensor takes the result."""
    @overload
    def clip(self, min: Scalar | None = None, max: Scalar | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``self`` limited to the range from ``min`` to ``max``: numbers or tensors, of which one may be None."""
    @overload
    def clip(self, min: Tensor | None = None, max: Tensor | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``self`` limited to the range from ``min`` to ``max``: numbers or tensors, of which one may be None."""
    @overload
    def clip_(self, min: Scalar | None = None, max: Scalar | None = None) -> Tensor:
        """The in-place form of :func:`clip`: the tensor takes the result."""
    @overload
    def clip_(self, min: Tensor | None = None, max: Tensor | None = None) -> Tensor:
        """The in-place form of :func:`clip`: the tensor takes the result."""
    def clone(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """A copy that gradients flow through."""
    def conj(self) -> Tensor:
        """The complex conjugate; a real tensor is returned as it is. It copies, where PyTorch makes a lazy view."""
    def conj_physical(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The complex conjugate, as a copy; a real tensor is returned as it is."""
    def conj_physical_(self) -> Tensor:
        """The in-place form of :func:`conj_physical`: the tensor takes the result."""
    def const_data_ptr(self) -> _int:
        """The address of the first element; 0 on the device "meta"."""
    def contiguous(self, memory_format: _memory_format | None = 'contiguous_format') -> Tensor:
        """``self`` if its elements lie in order in memory (or in that of ``memory_format``), else a copy in which they do."""
    def copy_(self, other: Operand, non_blocking: _bool = False) -> Tensor:
        """``self`` takes over the elements of ``other``, broadcast and cast."""
    @overload
    def copysign(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``self`` with the sign of ``other``, a tensor or a number; -0. is negative."""
    @overload
    def copysign(self, other: Number, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``self`` with the sign of ``other``, a tensor or a number; -0. is negative."""
    @overload
    def copysign_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`copysign`: the tensor takes the result."""
    @overload
    def copysign_(self, other: Number) -> Tensor:
        """The in-place form of :func:`copysign`: the tensor takes the result."""
    def corrcoef(self) -> Tensor:
        """The correlations of the rows: their covariances, divided by the two standard deviations."""
    def cos(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The cosine of an angle in radians."""
    def cos_(self) -> Tensor:
        """The in-place form of :func:`cos`: the tensor takes the result."""
    def cosh(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The hyperbolic cosine."""
    def cosh_(self) -> Tensor:
        """The in-place form of :func:`cosh`: the tensor takes the result."""
    def count_nonzero(self, dim: Dims | None = None) -> Tensor:
        """How many entries are not zero, among all or over the dims in ``dim``."""
    def cov(self, *, correction: _int = 1, fweights: Tensor | None = None, aweights: Tensor | None = None) -> Tensor:
        """The covariances of the rows, whose entries are observations."""
    def cpu(self, memory_format: _memory_format | None = None) -> Tensor:
        """This tensor, which is already on the CPU; or a copy in another memory format."""
    def cross(self, other: Tensor, dim: _int | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The cross products of the vectors of three numbers along ``dim``."""
    def cuda(self, device: Device | None = None, non_blocking: _bool = False, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor on a pretended device (:class:`torch.cuda.pretend`); else an error, since there is no GPU."""
    def cummax(self, dim: _int, *, out: Tensor | tuple[Tensor, ...] | None = None) -> ValuesIndices:
        """The greatest entry so far along ``dim``, and its index (of equal ones the last)."""
    def cummin(self, dim: _int, *, out: Tensor | tuple[Tensor, ...] | None = None) -> ValuesIndices:
        """The least entry so far along ``dim``, and its index (of equal ones the last)."""
    def cumprod(self, dim: _int, *, dtype: _dtype | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The product of each entry and all before it along ``dim``. ``dtype`` converts the input first."""
    def cumprod_(self, dim: _int, *, dtype: _dtype | None = None) -> Tensor:
        """Each entry of ``self`` becomes the product of it and all before it; ``dtype`` can only be that of ``self``."""
    def cumsum(self, dim: _int, *, dtype: _dtype | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The sum of each entry and all before it along ``dim``."""
    def cumsum_(self, dim: _int, *, dtype: _dtype | None = None) -> Tensor:
        """Each entry of ``self`` becomes the sum of it and all before it; ``dtype`` can only be that of ``self``."""
    data: Tensor  # The same memory without the history and without the version counter: writes to it go unnoticed.
    def data_ptr(self) -> _int:
        """The address of the first element; 0 on the device "meta"."""
    def deg2rad(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Degrees as radians."""
    def deg2rad_(self) -> Tensor:
        """The in-place form of :func:`deg2rad`: the tensor takes the result."""
    def det(self) -> Tensor:
        """The determinant of a square matrix, or of each of a batch; ``linalg.det``."""
    def detach(self) -> Tensor:
        """The same memory without the history; it shares the version counter, so writes to it are noticed."""
    def detach_(self) -> Tensor:
        """Forget the history of this tensor in place, and its tangent; it becomes a leaf."""
    device: _device  # Where the elements are: on the CPU; nowhere, which is ``"meta"``; or on a device that is pretended.
    def diag(self, diagonal: _int = 0, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """For a vector, the matrix with it on a diagonal; for a matrix, a copy of a diagonal."""
    def diag_embed(self, offset: _int = 0, dim1: _int = -2, dim2: _int = -1) -> Tensor:
        """Matrices with the last dim on a diagonal and zeros elsewhere."""
    def diagflat(self, offset: _int = 0) -> Tensor:
        """The matrix with all elements on a diagonal."""
    def diagonal(self, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Tensor:
        """The entries whose indices in two dims differ by ``offset``; they become the last dim. A view."""
    def diagonal_scatter(self, src: Tensor, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Tensor:
        """A copy with ``src`` on a diagonal."""
    def diff(self, n: _int = 1, dim: _int = -1, prepend: Tensor | None = None, append: Tensor | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The differences of neighbours along ``dim``, ``n`` times: the inverse of ``cumsum``."""
    def digamma(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The derivative of ``lgamma``."""
    def digamma_(self) -> Tensor:
        """The in-place form of :func:`digamma`: the tensor takes the result."""
    def dim(self) -> _int:
        """The number of dimensions."""
    def dim_order(self, *, ambiguity_check: _bool | Sequence[_memory_format] = False) -> tuple[_int, ...]:
        """The dims from the one with the longest stride to the one with the shortest."""
    def dist(self, other: Operand, p: Number = 2) -> Tensor:
        """The p-norm of the difference."""
    @overload
    def div(self, other: Operand, *, rounding_mode: str, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``self / other``, elementwise; rounded towards zero ("trunc") or downwards ("floor") if asked for."""
    @overload
    def div(self, other: Operand, *, rounding_mode: str | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``self / other``, elementwise; rounded towards zero ("trunc") or downwards ("floor") if asked for."""
    @overload
    def div_(self, other: Operand, *, rounding_mode: str) -> Tensor:
        """The in-place form of :func:`div`: the tensor takes the result."""
    @overload
    def div_(self, other: Operand, *, rounding_mode: str | None = None) -> Tensor:
        """The in-place form of :func:`div`: the tensor takes the result."""
    @overload
    def divide(self, other: Operand, *, rounding_mode: str, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``self / other``, elementwise; rounded towards zero ("trunc") or downwards ("floor") if asked for."""
    @overload
    def divide(self, other: Operand, *, rounding_mode: str | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``self / other``, elementwise; rounded towards zero ("trunc") or downwards ("floor") if asked for."""
    @overload
    def divide_(self, other: Operand, *, rounding_mode: str) -> Tensor:
        """The in-place form of :func:`divide`: the tensor takes the result."""
    @overload
    def divide_(self, other: Operand, *, rounding_mode: str | None = None) -> Tensor:
        """The in-place form of :func:`divide`: the tensor takes the result."""
    def dot(self, tensor: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The sum of the products of two vectors' entries, without conjugation."""
    def double(self, memory_format: _memory_format | None = None) -> Tensor:
        """This tensor as ``torch.float64``; itself if it has that dtype."""
    def dsplit(self, indices_or_sections: _int | Sequence[_int] | Tensor) -> tuple[Tensor, ...]:
        """Pieces one behind the other, along dim 2: the way back from ``dstack``. As ``hsplit`` otherwise."""
    dtype: _dtype  # The type of the elements, such as ``torch.float32``.
    def eig(self, eigenvectors: _bool = False, *, e: Any = None, v: Any = None) -> Any:
        """Removed: it is ``linalg.eig``, or without vectors ``linalg.eigvals``."""
    def element_size(self) -> _int:
        """The number of bytes of one element."""
    def eq(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Where ``self`` equals ``other``, as a bool tensor; nan equals nothing."""
    def eq_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`eq`: the tensor takes the result."""
    def equal(self, other: Operand) -> _bool:
        """Whether two tensors have the same shape and the same elements, as a Python bool."""
    def erf(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The error function: 2/sqrt(pi) times the integral of exp(-t^2) from 0 to ``self``."""
    def erf_(self) -> Tensor:
        """The in-place form of :func:`erf`: the tensor takes the result."""
    def erfc(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``1 - erf(self)``, exact even where that is small."""
    def erfc_(self) -> Tensor:
        """The in-place form of :func:`erfc`: the tensor takes the result."""
    def erfinv(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The inverse of ``erf``, for numbers from -1 to 1."""
    def erfinv_(self) -> Tensor:
        """The in-place form of :func:`erfinv`: the tensor takes the result."""
    def exp(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The exponential function, which is its own derivative: the node saves the result."""
    def exp2(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Two to the power of ``self``."""
    def exp2_(self) -> Tensor:
        """The in-place form of :func:`exp2`: the tensor takes the result."""
    def exp_(self) -> Tensor:
        """The in-place form of :func:`exp`: the tensor takes the result."""
    @overload
    def expand(self, size: Sizes, *, implicit: _bool = False) -> Tensor:
        """Dims of size one repeated, and new dims in front, without a copy; -1 keeps a size. A view."""
    @overload
    def expand(self, *size: _int, implicit: _bool = False) -> Tensor:
        """Dims of size one repeated, and new dims in front, without a copy; -1 keeps a size. A view."""
    def expand_as(self, other: Operand) -> Tensor:
        """``self.expand(other.shape)``."""
    def expm1(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``exp(self) - 1``, exact even for small ``self``."""
    def expm1_(self) -> Tensor:
        """The in-place form of :func:`expm1`: the tensor takes the result."""
    def exponential_(self, lambd: _float = 1.0, *, generator: _Generator | None = None) -> Tensor:
        """``self`` is filled with numbers of density ``lambd * exp(-lambd * x)``: waiting times, of mean ``1 / lambd``."""
    @overload
    def fill_(self, value: Scalar) -> Tensor:
        """The in-place form of :func:`fill`: the tensor takes the result."""
    @overload
    def fill_(self, value: Operand) -> Tensor:
        """The in-place form of :func:`fill`: the tensor takes the result."""
    def fill_diagonal_(self, fill_value: Scalar, wrap: _bool = False) -> Tensor:
        """The elements of ``self`` whose indices are all equal become one value."""
    def fix(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The whole part: rounding towards zero."""
    def fix_(self) -> Tensor:
        """The in-place form of :func:`fix`: the tensor takes the result."""
    def flatten(self, start_dim: _int = 0, end_dim: _int = -1) -> Tensor:
        """The dims from ``start_dim`` to ``end_dim`` as one; ``self`` itself if they are one already."""
    @overload
    def flip(self, dims: Dims) -> Tensor:
        """A copy with the order of the elements reversed along the given dims."""
    @overload
    def flip(self, *dims: _int) -> Tensor:
        """A copy with the order of the elements reversed along the given dims."""
    def fliplr(self) -> Tensor:
        """A copy with the columns in reverse order."""
    def flipud(self) -> Tensor:
        """A copy with the rows in reverse order."""
    def float(self, memory_format: _memory_format | None = None) -> Tensor:
        """This tensor as ``torch.float32``; itself if it has that dtype."""
    def float_power(self, exponent: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``self`` to the power of ``exponent``, computed in double precision; either may be a number."""
    def float_power_(self, exponent: Operand) -> Tensor:
        """``self`` becomes its power; its dtype must be torch.float64, or torch.complex128 if a number is complex."""
    def floor(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The largest integer that is not larger."""
    def floor_(self) -> Tensor:
        """The in-place form of :func:`floor`: the tensor takes the result."""
    def floor_divide(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``self / other`` rounded downwards: what ``//`` means. Its gradient is zero (PyTorch gives an error)."""
    def floor_divide_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`floor_divide`: the tensor takes the result."""
    def fmax(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The larger of the two, elementwise; nan loses. Of equal arguments the first has the gradient."""
    def fmin(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The smaller of the two, elementwise; nan loses. Of equal arguments the first has the gradient."""
    @overload
    def fmod(self, other: Scalar, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """What is left of ``self`` after division by ``other``, with the sign of ``self``: C's ``fmod``."""
    @overload
    def fmod(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """What is left of ``self`` after division by ``other``, with the sign of ``self``: C's ``fmod``."""
    @overload
    def fmod_(self, other: Scalar) -> Tensor:
        """The in-place form of :func:`fmod`: the tensor takes the result."""
    @overload
    def fmod_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`fmod`: the tensor takes the result."""
    def frac(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """What ``trunc`` takes away: the fractional part, with the sign of ``self``."""
    def frac_(self) -> Tensor:
        """The in-place form of :func:`frac`: the tensor takes the result."""
    def frexp(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> MantissaExponent:
        """The mantissa and the exponent: ``self = mantissa * 2**exponent``, with a mantissa of 0 or from 0.5 up to 1."""
    def gather(self, dim: _int, index: Tensor, *, sparse_grad: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Elements along ``dim`` by number: ``out[i][j] = self[i][index[i][j]]`` for ``dim=1``."""
    def gcd(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The greatest common divisor of two integers; it is not negative."""
    def gcd_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`gcd`: the tensor takes the result."""
    def ge(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Where ``self >= other``, as a bool tensor."""
    def ge_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`ge`: the tensor takes the result."""
    def geometric_(self, p: _float, *, generator: _Generator | None = None) -> Tensor:
        """``self`` is filled with integers from 1 on: how many trials it takes until one of probability ``p`` succeeds."""
    def geqrf(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Reflectors:
        """What LAPACK makes of A = Q R: R above the diagonal of ``a``, and below it the vectors of the reflections that Q is a product of, with their factors ``tau``: see :func:`linalg.householder_product`. It has no gradient."""
    def ger(self, vec2: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """All products of an entry of one vector and an entry of the other, as a matrix."""
    def get_device(self) -> _int:
        """The number of the device; -1 on the CPU."""
    @property
    def grad(self) -> Tensor:
        """The gradient that ``backward`` has accumulated for this leaf; None before."""
    @grad.setter
    def grad(self, value: Tensor | None) -> None: ...
    @grad.deleter
    def grad(self) -> None: ...
    grad_dtype: Any  # The dtype of the gradient of a leaf: its own, or one that was set.
    grad_fn: Node | Any  # The node that recorded the operation this tensor came from; None for a leaf.
    def greater(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Where ``self > other``, as a bool tensor."""
    def greater_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`greater`: the tensor takes the result."""
    def greater_equal(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Where ``self >= other``, as a bool tensor."""
    def greater_equal_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`greater_equal`: the tensor takes the result."""
    def gt(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Where ``self > other``, as a bool tensor."""
    def gt_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`gt`: the tensor takes the result."""
    def half(self, memory_format: _memory_format | None = None) -> Tensor:
        """This tensor as ``torch.float16``; itself if it has that dtype."""
    def hardshrink(self, lambd: Number = 0.5, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """0 where ``self`` is from ``-lambd`` to ``lambd``, and ``self`` elsewhere."""
    def heaviside(self, values: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """0 below zero, 1 above, and ``values`` at zero; 0 for nan. The gradient goes to ``values`` (PyTorch has none)."""
    def heaviside_(self, values: Tensor) -> Tensor:
        """The in-place form of :func:`heaviside`: the tensor takes the result."""
    def histc(self, bins: _int = 100, min: Scalar = 0, max: Scalar = 0, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """How many entries fall into each of ``bins`` equal intervals from min to max."""
    def histogram(self, bins: Any = 100, *, range: Any = None, weight: Tensor | None = None, density: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> tuple[Tensor, ...]:
        """How many elements lie in each interval between edges, and the edges."""
    def hsplit(self, indices_or_sections: _int | Sequence[_int] | Tensor) -> tuple[Tensor, ...]:
        """Pieces side by side, the way back from ``hstack``: as many equal ones as an int says, or cut at indices; views."""
    def hypot(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The length of the hypotenuse: ``sqrt(self**2 + other**2)``, without overflow."""
    def hypot_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`hypot`: the tensor takes the result."""
    def i0(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The modified Bessel function of the first kind of order 0, which grows like ``exp(abs(self))``."""
    def i0_(self) -> Tensor:
        """The in-place form of :func:`i0`: the tensor takes the result."""
    def igamma(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The regularised lower incomplete gamma function P(a, x), the integral of t^(a - 1) exp(-t) / Gamma(a) from 0 to x."""
    def igamma_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`igamma`: the tensor takes the result."""
    def igammac(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The regularised upper incomplete gamma function, ``1 - igamma(self, other)``, exact even where that is small."""
    def igammac_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`igammac`: the tensor takes the result."""
    imag: Tensor  # The imaginary part: a view of the same memory.
    def index_add(self, dim: _int, index: Tensor, source: Tensor, *, alpha: Scalar = 1, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """A copy with the parts of ``source``, times ``alpha``, added at the numbers in ``index``."""
    def index_add_(self, dim: _int, index: Tensor, source: Tensor, *, alpha: Scalar = 1) -> Tensor:
        """The in-place form of :func:`index_add`: the tensor takes the result."""
    def index_copy(self, dim: _int, index: Tensor, source: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """A copy with the parts of ``source`` written at the numbers in ``index``."""
    def index_copy_(self, dim: _int, index: Tensor, source: Tensor) -> Tensor:
        """The in-place form of :func:`index_copy`: the tensor takes the result."""
    @overload
    def index_fill(self, dim: _int, index: Tensor, value: Scalar) -> Tensor:
        """A copy with ``value`` (a number or a 0-d tensor) in the parts with the numbers in ``index``."""
    @overload
    def index_fill(self, dim: _int, index: Tensor, value: Tensor) -> Tensor:
        """A copy with ``value`` (a number or a 0-d tensor) in the parts with the numbers in ``index``."""
    @overload
    def index_fill_(self, dim: _int, index: Tensor, value: Scalar) -> Tensor:
        """The in-place form of :func:`index_fill`: the tensor takes the result."""
    @overload
    def index_fill_(self, dim: _int, index: Tensor, value: Tensor) -> Tensor:
        """The in-place form of :func:`index_fill`: the tensor takes the result."""
    def index_put(self, indices: Sequence[Tensor | None], values: Tensor | Scalar, accumulate: _bool = False) -> Tensor:
        """A copy of ``self`` with ``values`` written (or added, with ``accumulate``) at the positions ``indices``."""
    def index_put_(self, indices: Sequence[Tensor | None], values: Tensor | Scalar, accumulate: _bool = False) -> Tensor:
        """``values`` are written (or added, with ``accumulate``) at the positions ``indices`` of ``self``."""
    def index_reduce(self, dim: _int, index: Tensor, source: Tensor, reduce: str, *, include_self: _bool = True, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """A copy of ``self`` in which the parts of ``source`` are reduced into those with the numbers ``index``."""
    def index_reduce_(self, dim: _int, index: Tensor, source: Tensor, reduce: str, *, include_self: _bool = True) -> Tensor:
        """The parts of ``source`` along ``dim`` are reduced into those of ``self`` with the numbers ``index``."""
    def index_select(self, dim: _int, index: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The parts along ``dim`` with the numbers in the vector ``index``."""
    def inner(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The sums of products over the last dim of both: for vectors ``dot``, for matrices ``self @ other.T``."""
    def int(self, memory_format: _memory_format | None = None) -> Tensor:
        """This tensor as ``torch.int32``; itself if it has that dtype."""
    def inverse(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The inverse of a square matrix, or of each of a batch."""
    def is_complex(self) -> _bool:
        """True if the dtype is complex."""
    def is_conj(self) -> _bool:
        """False: conjugates are never lazy here."""
    def is_contiguous(self, memory_format: _memory_format | None = 'contiguous_format') -> _bool:
        """True if the elements are in memory row by row without gaps; or in the order of ``memory_format``."""
    is_cpu: _bool  # True on the CPU.
    is_cuda: _bool  # True on a pretended device: see :class:`torch.cuda.pretend`.
    def is_floating_point(self) -> _bool:
        """True if the dtype is floating point; complex dtypes are not."""
    def is_inference(self) -> _bool:
        """True for a tensor that was made in inference mode."""
    is_ipu: _bool
    is_leaf: _bool  # True for tensors that the user made, and for all that do not require grad.
    is_maia: _bool
    is_meta: _bool  # True on the device ``"meta"``, where a tensor has no numbers.
    is_mkldnn: _bool
    is_mps: _bool
    is_mtia: _bool
    def is_neg(self) -> _bool:
        """False: negations are never lazy here."""
    def is_nonzero(self) -> _bool:
        """Whether the only element of ``self`` is not zero: ``bool(self)``."""
    def is_pinned(self, device: Device | None = None) -> _bool:
        """False: see :meth:`pin_memory`."""
    is_quantized: _bool
    def is_same_size(self, other: Operand) -> _bool:
        """Whether two tensors have the same shape."""
    def is_set_to(self, tensor: Tensor) -> _bool:
        """True if both show the same memory with the same shape and strides."""
    def is_shared(self) -> _bool:
        """Can other processes share the memory of this tensor? See :meth:`share_memory_`."""
    def is_signed(self) -> _bool:
        """Whether the dtype of ``self`` has negative numbers."""
    is_sparse: _bool
    is_sparse_csr: _bool
    is_vulkan: _bool
    is_xla: _bool
    is_xpu: _bool
    def isclose(self, other: Tensor, rtol: _float = 1e-05, atol: _float = 1e-08, equal_nan: _bool = False) -> Tensor:
        """Where ``|self - other| <= atol + rtol * |other|``; equal infinities are close, nan only with ``equal_nan=True``."""
    def isfinite(self) -> Tensor:
        """Where ``self`` is neither infinite nor nan."""
    def isinf(self) -> Tensor:
        """Where ``self`` is plus or minus infinity (of complex numbers: where either part is)."""
    def isnan(self) -> Tensor:
        """Where ``self`` is nan (of complex numbers: where either part is)."""
    def isneginf(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Where ``self`` is minus infinity."""
    def isposinf(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Where ``self`` is plus infinity."""
    def isreal(self) -> Tensor:
        """Where the imaginary part of ``self`` is zero: everywhere in a real tensor."""
    def istft(self, n_fft: _int, hop_length: _int | None = None, win_length: _int | None = None, window: Tensor | None = None, center: _bool = True, normalized: _bool = False, onesided: _bool | None = None, length: _int | None = None, return_complex: _bool = False) -> Tensor:
        """The signal of which ``input`` is the short-time Fourier transform, made with the same arguments."""
    def item(self) -> Number:
        """The value of a tensor with one element, as a Python number."""
    itemsize: _int
    def kron(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The Kronecker product: every entry of ``self`` times the whole of ``other``, as blocks."""
    def kthvalue(self, k: _int, dim: _int = -1, keepdim: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> ValuesIndices:
        """The k-th least entry along ``dim`` (k counts from 1), and where it is."""
    layout: _layout
    def lcm(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The least common multiple of two integers; it is not negative."""
    def lcm_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`lcm`: the tensor takes the result."""
    def ldexp(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``self * 2**other``, exact for integers ``other``, even where the power would overflow."""
    def ldexp_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`ldexp`: the tensor takes the result."""
    def le(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Where ``self <= other``, as a bool tensor."""
    def le_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`le`: the tensor takes the result."""
    @overload
    def lerp(self, end: Operand, weight: Scalar, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Linear interpolation: ``self + weight * (end - self)``, for a number or a tensor of weights."""
    @overload
    def lerp(self, end: Tensor, weight: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Linear interpolation: ``self + weight * (end - self)``, for a number or a tensor of weights."""
    @overload
    def lerp_(self, end: Operand, weight: Scalar) -> Tensor:
        """The in-place form of :func:`lerp`: the tensor takes the result."""
    @overload
    def lerp_(self, end: Tensor, weight: Tensor) -> Tensor:
        """The in-place form of :func:`lerp`: the tensor takes the result."""
    def less(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Where ``self < other``, as a bool tensor."""
    def less_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`less`: the tensor takes the result."""
    def less_equal(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Where ``self <= other``, as a bool tensor."""
    def less_equal_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`less_equal`: the tensor takes the result."""
    def lgamma(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The logarithm of the absolute value of the gamma function, which extends (n - 1)! to all numbers."""
    def lgamma_(self) -> Tensor:
        """The in-place form of :func:`lgamma`: the tensor takes the result."""
    def log(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The natural logarithm; -inf at 0, nan for negative real numbers."""
    def log10(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The logarithm to base 10."""
    def log10_(self) -> Tensor:
        """The in-place form of :func:`log10`: the tensor takes the result."""
    def log1p(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``log(1 + self)``, exact even for small ``self``."""
    def log1p_(self) -> Tensor:
        """The in-place form of :func:`log1p`: the tensor takes the result."""
    def log2(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The logarithm to base 2."""
    def log2_(self) -> Tensor:
        """The in-place form of :func:`log2`: the tensor takes the result."""
    def log_(self) -> Tensor:
        """The in-place form of :func:`log`: the tensor takes the result."""
    def log_normal_(self, mean: _float = 1.0, std: _float = 2.0, *, generator: _Generator | None = None) -> Tensor:
        """``self`` is filled with numbers whose logarithms have the mean ``mean`` and the standard deviation ``std``."""
    def log_softmax(self, dim: _int, dtype: _dtype | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``log(softmax(self))`` over ``dim``, without overflow; ``dtype`` converts the input first."""
    def logaddexp(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``log(exp(self) + exp(other))``, without overflow."""
    def logaddexp2(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``log2(2**self + 2**other)``, without overflow."""
    def logcumsumexp(self, dim: _int, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The logarithm of the running sum of exponentials, computed without overflow."""
    def logdet(self) -> Tensor:
        """The logarithm of the determinant: nan where that is negative, and complex where the matrix is."""
    def logical_and(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Where both are nonzero."""
    def logical_and_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`logical_and`: the tensor takes the result."""
    def logical_not(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Where ``self`` is zero."""
    def logical_not_(self) -> Tensor:
        """The in-place form of :func:`logical_not`: the tensor takes the result."""
    def logical_or(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Where at least one of the two is nonzero."""
    def logical_or_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`logical_or`: the tensor takes the result."""
    def logical_xor(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Where exactly one of the two is nonzero."""
    def logical_xor_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`logical_xor`: the tensor takes the result."""
    def logit(self, eps: _float | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``log(x / (1 - x))``, the inverse of ``sigmoid``; with ``eps``, x is first clamped to [eps, 1 - eps]."""
    def logit_(self, eps: _float | None = None) -> Tensor:
        """The in-place form of :func:`logit`: the tensor takes the result."""
    def logsumexp(self, dim: Dims, keepdim: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """log(sum(exp(x))) over one dim or several, without overflow; its gradient is softmax(x)."""
    def long(self, memory_format: _memory_format | None = None) -> Tensor:
        """This tensor as ``torch.int64``; itself if it has that dtype."""
    def lstsq(self, A: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> LeastSquares:
        """Removed: it is ``linalg.lstsq``, whose arguments have the other order."""
    def lt(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Where ``self < other``, as a bool tensor."""
    def lt_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`lt`: the tensor takes the result."""
    def lu(self, pivot: _bool = True, get_infos: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Any:
        """L and U of a matrix in one matrix, and its pivots. Deprecated: it is ``linalg.lu_factor``."""
    def lu_solve(self, LU_data: Tensor, LU_pivots: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """X in A X = ``self``. Deprecated: it is ``linalg.lu_solve``."""
    mH: Tensor  # The conjugate transpose of the last two dims; the property ``Tensor.mH``.
    mT: Tensor  # The last two dims exchanged; the property ``Tensor.mT``.
    def map2_(self, tensor1: Tensor, tensor2: Tensor, callable: Callable[..., Any]) -> Tensor:
        """Each element becomes ``callable(element, that of tensor1, that of tensor2)``."""
    def map_(self, tensor: Tensor, callable: Callable[..., Any]) -> Tensor:
        """Each element becomes ``callable(element, the element of tensor)``; ``tensor`` is broadcast."""
    @overload
    def masked_fill(self, mask: Tensor, value: Scalar) -> Tensor:
        """A copy with ``value`` (a number or a 0-d tensor) where the bool tensor ``mask`` is True."""
    @overload
    def masked_fill(self, mask: Tensor, value: Tensor) -> Tensor:
        """A copy with ``value`` (a number or a 0-d tensor) where the bool tensor ``mask`` is True."""
    @overload
    def masked_fill_(self, mask: Tensor, value: Scalar) -> Tensor:
        """The in-place form of :func:`masked_fill`: the tensor takes the result."""
    @overload
    def masked_fill_(self, mask: Tensor, value: Tensor) -> Tensor:
        """The in-place form of :func:`masked_fill`: the tensor takes the result."""
    def masked_scatter(self, mask: Tensor, source: Tensor) -> Tensor:
        """A copy with the elements of ``source``, in their order, where ``mask`` is True."""
    def masked_scatter_(self, mask: Tensor, source: Tensor) -> Tensor:
        """The in-place form of :func:`masked_scatter`: the tensor takes the result."""
    def masked_select(self, mask: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The elements where ``mask``, broadcast together with ``self``, is True, in one dim."""
    def matmul(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The matrix product, which the operator ``@`` calls."""
    def matrix_exp(self) -> Tensor:
        """The exponential of a square matrix, or of each of a batch; ``linalg.matrix_exp``."""
    def matrix_power(self, n: _int, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The n-th power of a square matrix, by repeated squaring; of its inverse if n is negative."""
    @overload
    def max(self) -> Tensor:
        """The greatest entry of all; along a dim, with its index; or, given two tensors, of each pair."""
    @overload
    def max(self, dim: _int, keepdim: _bool = False, *, out: tuple[Tensor, Tensor] | None = None) -> ValuesIndices:
        """The greatest entry of all; along a dim, with its index; or, given two tensors, of each pair."""
    @overload
    def max(self, other: Tensor, *, out: Tensor | None = None) -> Tensor:
        """The greatest entry of all; along a dim, with its index; or, given two tensors, of each pair."""
    def maximum(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The larger of the two, elementwise; nan wins. Equal arguments share the gradient."""
    @overload
    def mean(self, *, dtype: _dtype | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The mean of all entries, or over the dims in ``dim``. Integers need ``dtype``, as in PyTorch."""
    @overload
    def mean(self, dim: Dims | None = None, keepdim: _bool = False, *, dtype: _dtype | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The mean of all entries, or over the dims in ``dim``. Integers need ``dtype``, as in PyTorch."""
    @overload
    def median(self) -> Tensor:
        """The entry in the middle (the lower of two), of all or along ``dim`` with its index; nan if any entry is nan."""
    @overload
    def median(self, dim: _int, keepdim: _bool = False, *, out: tuple[Tensor, Tensor] | None = None) -> ValuesIndices:
        """The entry in the middle (the lower of two), of all or along ``dim`` with its index; nan if any entry is nan."""
    @overload
    def min(self) -> Tensor:
        """The least entry of all; along a dim, with its index; or, given two tensors, of each pair."""
    @overload
    def min(self, dim: _int, keepdim: _bool = False, *, out: tuple[Tensor, Tensor] | None = None) -> ValuesIndices:
        """The least entry of all; along a dim, with its index; or, given two tensors, of each pair."""
    @overload
    def min(self, other: Tensor, *, out: Tensor | None = None) -> Tensor:
        """The least entry of all; along a dim, with its index; or, given two tensors, of each pair."""
    def minimum(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The smaller of the two, elementwise; nan wins. Equal arguments share the gradient."""
    def mm(self, mat2: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The product of two matrices."""
    def mode(self, dim: _int = -1, keepdim: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> ValuesIndices:
        """The most frequent entry along ``dim`` (of equally frequent ones the least), and its last index."""
    def moveaxis(self, source: Dims, destination: Dims) -> Tensor:
        """The dims ``source`` moved to the places ``destination``, the others in their order; a view."""
    def movedim(self, source: Dims, destination: Dims) -> Tensor:
        """The dims ``source`` moved to the places ``destination``, the others in their order; a view."""
    def msort(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The entries sorted along the first dim."""
    def mul(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The product, elementwise, with broadcasting and type promotion. Each factor is saved only if the other one needs a gradient."""
    def mul_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`mul`: the tensor takes the result."""
    def multinomial(self, num_samples: _int, replacement: _bool = False, *, generator: _Generator | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Places in the rows of ``input``, chosen at random with these weights."""
    def multiply(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The product, elementwise, with broadcasting and type promotion. Each factor is saved only if the other one needs a gradient."""
    def multiply_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`multiply`: the tensor takes the result."""
    def mv(self, vec: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The product of a matrix and a vector."""
    def mvlgamma(self, p: _int, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The logarithm of the gamma function of matrices of ``p`` rows: a sum of ``lgamma(self - k / 2)`` over k from 0 to p - 1."""
    def mvlgamma_(self, p: _int) -> Tensor:
        """The in-place form of :func:`mvlgamma`: the tensor takes the result."""
    names: Any
    def nan_to_num(self, nan: _float | None = None, posinf: _float | None = None, neginf: _float | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``self`` with numbers in place of nan (0), inf (the largest finite number) and -inf."""
    def nan_to_num_(self, nan: _float | None = None, posinf: _float | None = None, neginf: _float | None = None) -> Tensor:
        """The in-place form of :func:`nan_to_num`: the tensor takes the result."""
    def nanmean(self, dim: Dims | None = None, keepdim: _bool = False, *, dtype: _dtype | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The mean of the entries that are not nan."""
    @overload
    def nanmedian(self) -> Tensor:
        """``median`` of the entries that are not nan."""
    @overload
    def nanmedian(self, dim: _int, keepdim: _bool = False, *, out: tuple[Tensor, Tensor] | None = None) -> ValuesIndices:
        """``median`` of the entries that are not nan."""
    def nanquantile(self, q: Any, dim: _int | None = None, keepdim: _bool = False, *, interpolation: str = 'linear', out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``quantile`` of the entries that are not nan; nan where there are none."""
    def nansum(self, dim: Dims | None = None, keepdim: _bool = False, *, dtype: _dtype | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The sum of the entries that are not nan."""
    def narrow(self, dim: _int, start: Tensor | _int, length: _int) -> Tensor:
        """The part of ``dim`` that begins at ``start`` and has ``length`` indices; a view."""
    def narrow_copy(self, dim: _int, start: Number, length: _int, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """A copy of what ``narrow`` shows: no write to it reaches ``self``."""
    nbytes: _int
    ndim: _int  # The number of dimensions.
    def ndimension(self) -> _int:
        """The number of dimensions."""
    def ne(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Where ``self`` differs from ``other``, as a bool tensor; nan differs from everything."""
    def ne_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`ne`: the tensor takes the result."""
    def neg(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The same number with the opposite sign."""
    def neg_(self) -> Tensor:
        """The in-place form of :func:`neg`: the tensor takes the result."""
    def negative(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The same number with the opposite sign."""
    def negative_(self) -> Tensor:
        """The in-place form of :func:`negative`: the tensor takes the result."""
    def nelement(self) -> _int:
        """The number of elements."""
    def new(self, *args: Any, data: TensorLike | None = None, size: Sizes | None = None, other: Operand | None = None, device: Device | None = None) -> Tensor:
        """A tensor of the same dtype: ``x.new(2, 3)`` of that size, ``x.new([1, 2])`` of these numbers."""
    def new_empty(self, *shape: _int | Sizes, size: Sizes | None = None, dtype: _dtype | None = None, device: Device | None = None, requires_grad: _bool = False, layout: _layout | None = None, pin_memory: _bool = False) -> Tensor:
        """An uninitialized tensor with the dtype of ``self``."""
    def new_empty_strided(self, size: Sizes, stride: Sizes, dtype: _dtype | None = None, layout: _layout | None = None, device: Device | None = None, pin_memory: _bool = False, requires_grad: _bool = False) -> Tensor:
        """An uninitialized tensor with the given strides and the dtype of ``self``."""
    def new_full(self, size: Sizes, fill_value: Scalar, *, dtype: _dtype | None = None, device: Device | None = None, requires_grad: _bool = False, layout: _layout | None = None, pin_memory: _bool = False) -> Tensor:
        """A tensor with ``fill_value`` everywhere and the dtype of ``self``."""
    def new_ones(self, *shape: _int | Sizes, size: Sizes | None = None, dtype: _dtype | None = None, device: Device | None = None, requires_grad: _bool = False, layout: _layout | None = None, pin_memory: _bool = False) -> Tensor:
        """A tensor of ones with the dtype of ``self``."""
    def new_tensor(self, data: TensorLike, *, dtype: _dtype | None = None, device: Device | None = None, requires_grad: _bool = False, layout: _layout | None = None, pin_memory: _bool = False) -> Tensor:
        """A tensor with a copy of ``data`` and the dtype of ``self``."""
    def new_zeros(self, *shape: _int | Sizes, size: Sizes | None = None, dtype: _dtype | None = None, device: Device | None = None, requires_grad: _bool = False, layout: _layout | None = None, pin_memory: _bool = False) -> Tensor:
        """A tensor of zeros with the dtype of ``self``."""
    def nextafter(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The next number from ``self`` towards ``other``. It moves with ``self``, unless the two are equal."""
    def nextafter_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`nextafter`: the tensor takes the result."""
    @overload
    def nonzero(self, *, as_tuple: Literal[False] = False) -> Tensor:
        """The indices of the elements that are not zero: a row for each, or a tuple with a vector for each dim."""
    @overload
    def nonzero(self, *, as_tuple: Literal[True]) -> tuple[Tensor, ...]:
        """The indices of the elements that are not zero: a row for each, or a tuple with a vector for each dim."""
    def nonzero_static(self, *, size: _int, fill_value: _int = -1, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The first ``size`` places that ``nonzero`` finds, and rows of ``fill_value`` if there are fewer."""
    def norm(self, p: Number | str | None = 'fro', dim: Dims | None = None, keepdim: _bool = False, dtype: _dtype | None = None) -> Tensor:
        """The p-norm of all entries, or over the dims in ``dim``; see :func:`norm`."""
    def normal_(self, mean: _float = 0.0, std: _float = 1.0, *, generator: _Generator | None = None) -> Tensor:
        """``self`` is filled with normally distributed numbers."""
    def not_equal(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Where ``self`` differs from ``other``, as a bool tensor; nan differs from everything."""
    def not_equal_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`not_equal`: the tensor takes the result."""
    def numel(self) -> _int:
        """The number of elements."""
    def numpy(self, *, force: _bool = False) -> np.ndarray[Any, Any]:
        """The numbers as a NumPy array on the same memory: a write to one changes the other."""
    def orgqr(self, input2: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Another name of :func:`linalg.householder_product`."""
    def ormqr(self, input2: Tensor, input3: Tensor, left: _bool = True, transpose: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The product of Q and a matrix, where Q is the whole product of reflections that ``geqrf`` returns."""
    def outer(self, vec2: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """All products of an entry of one vector and an entry of the other, as a matrix."""
    output_nr: _int  # Which output of ``grad_fn`` this tensor is.
    @overload
    def permute(self, dims: Dims) -> Tensor:
        """The dims in another order; a view."""
    @overload
    def permute(self, *dims: _int) -> Tensor:
        """The dims in another order; a view."""
    def pin_memory(self, device: Device | None = None) -> Tensor:
        """An error: memory is pinned to be copied to an accelerator, and there is none."""
    def pinverse(self, rcond: _float = 1e-15) -> Tensor:
        """The pseudoinverse of a matrix; ``linalg.pinv``."""
    def polygamma(self, n: _int) -> Tensor:
        """The derivative of order ``n`` of ``digamma``: ``torch.polygamma(n, self)``."""
    def polygamma_(self, n: _int) -> Tensor:
        """The in-place form of :func:`polygamma`: the tensor takes the result."""
    def positive(self) -> Tensor:
        """``self``, as it is; what ``+x`` means."""
    @overload
    def pow(self, exponent: Scalar, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``self`` to the power of ``exponent``; either may be a number. What ``**`` means."""
    @overload
    def pow(self, exponent: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``self`` to the power of ``exponent``; either may be a number. What ``**`` means."""
    @overload
    def pow(self, exponent: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``self`` to the power of ``exponent``; either may be a number. What ``**`` means."""
    @overload
    def pow_(self, exponent: Scalar) -> Tensor:
        """The in-place form of :func:`pow`: the tensor takes the result."""
    @overload
    def pow_(self, exponent: Operand) -> Tensor:
        """The in-place form of :func:`pow`: the tensor takes the result."""
    def prelu(self, weight: Tensor) -> Tensor:
        """``self`` above 0, and ``weight * self`` below: a slope that is learned (He et al., Delving deep into rectifiers)."""
    @overload
    def prod(self, *, dtype: _dtype | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The product of all entries, or over one ``dim``. Gradients are right even with zeros among the entries."""
    @overload
    def prod(self, dim: _int, keepdim: _bool = False, *, dtype: _dtype | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The product of all entries, or over one ``dim``. Gradients are right even with zeros among the entries."""
    def put(self, index: Tensor, source: Tensor, accumulate: _bool = False) -> Tensor:
        """A copy of ``self`` with ``source`` written (or added, with ``accumulate``) at flat positions."""
    def put_(self, index: Tensor, source: Tensor, accumulate: _bool = False) -> Tensor:
        """The in-place form of :func:`put`: the tensor takes the result."""
    def qr(self, some: _bool = True, *, out: Tensor | tuple[Tensor, ...] | None = None) -> QR:
        """Q and R of a matrix. Deprecated: it is ``linalg.qr``."""
    def quantile(self, q: Any, dim: _int | None = None, keepdim: _bool = False, *, interpolation: str = 'linear', out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The entry below which the fraction ``q`` of all entries lies, of all or along ``dim``; nan if any entry is nan."""
    def rad2deg(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Radians as degrees."""
    def rad2deg_(self) -> Tensor:
        """The in-place form of :func:`rad2deg`: the tensor takes the result."""
    @overload
    def random_(self, from_: _int, to: _int | None, *, generator: _Generator | None = None) -> Tensor:
        """``random_(from, to)``, ``random_(to)`` or ``random_()``: ``self`` is filled with integers from ``from`` to below ``to``."""
    @overload
    def random_(self, to: _int, *, generator: _Generator | None = None) -> Tensor:
        """``random_(from, to)``, ``random_(to)`` or ``random_()``: ``self`` is filled with integers from ``from`` to below ``to``."""
    @overload
    def random_(self, *, generator: _Generator | None = None) -> Tensor:
        """``random_(from, to)``, ``random_(to)`` or ``random_()``: ``self`` is filled with integers from ``from`` to below ``to``."""
    def ravel(self) -> Tensor:
        """All elements in one dim: a view if they lie in order in memory, else a copy."""
    real: Tensor  # The real parts: a view, and of real numbers the tensor itself.
    def reciprocal(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``1 / self``, elementwise."""
    def reciprocal_(self) -> Tensor:
        """The in-place form of :func:`reciprocal`: the tensor takes the result."""
    def register_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call ``hook(grad)`` in every backward pass, when the gradient of this tensor is known and before it is used."""
    def register_post_accumulate_grad_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call ``hook(tensor)`` after a backward pass has added to ``.grad`` of this leaf. The hook returns None."""
    def relu(self) -> Tensor:
        """``max(self, 0)``; its slope at 0 is 0."""
    def relu_(self) -> Tensor:
        """The in-place form of :func:`relu`: the tensor takes the result."""
    @overload
    def remainder(self, other: Scalar, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """What is left of ``self`` after division by ``other``, with the sign of ``other``: Python's ``%``."""
    @overload
    def remainder(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """What is left of ``self`` after division by ``other``, with the sign of ``other``: Python's ``%``."""
    @overload
    def remainder_(self, other: Scalar) -> Tensor:
        """The in-place form of :func:`remainder`: the tensor takes the result."""
    @overload
    def remainder_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`remainder`: the tensor takes the result."""
    def renorm(self, p: Scalar, dim: _int, maxnorm: Scalar, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``self`` with the parts along ``dim`` whose p-norm is above ``maxnorm`` scaled to have that norm."""
    def renorm_(self, p: Scalar, dim: _int, maxnorm: Scalar) -> Tensor:
        """The parts of ``self`` along ``dim`` whose p-norm is above ``maxnorm`` are scaled to have that norm."""
    @overload
    def repeat(self, repeats: Dims) -> Tensor:
        """Copies of the tensor side by side, as many along each dim as the numbers say; more numbers than dims make new dims."""
    @overload
    def repeat(self, *repeats: _int) -> Tensor:
        """Copies of the tensor side by side, as many along each dim as the numbers say; more numbers than dims make new dims."""
    def repeat_interleave(self, repeats: Tensor | _int | None = None, dim: _int | None = None, *, output_size: _int | None = None) -> Tensor:
        """Each part along ``dim``, or without ``dim`` each element, as often as ``repeats`` says: a number or a vector."""
    requires_grad: _bool  # True where gradients must be computed for this tensor.
    def requires_grad_(self, requires_grad: _bool = True) -> Tensor:
        """Let autograd record operations on this tensor, or stop it; returns the tensor."""
    def reshape(self, *sizes: _int | Sizes, shape: Sizes | None = None) -> Tensor:
        """The elements of ``self``, in their order, under another shape: a view if possible, else a copy."""
    def reshape_as(self, other: Operand) -> Tensor:
        """``self.reshape(other.shape)``."""
    def resize(self, *sizes: _int | Sizes) -> Tensor:
        """``reshape``, as old programs call it."""
    def resize_(self, *sizes: _int | Sizes, size: Sizes | None = None, memory_format: _memory_format | None = None) -> Tensor:
        """``self`` takes another shape, with as many elements of its memory as that needs."""
    def resize_as(self, tensor: Tensor) -> Tensor:
        """``reshape_as``, as old programs call it."""
    def resize_as_(self, the_template: Tensor, *, memory_format: _memory_format | None = None) -> Tensor:
        """``self`` takes the shape of another tensor, as ``resize_`` does."""
    def resolve_conj(self) -> Tensor:
        """``self``: conjugates are never lazy here."""
    def resolve_neg(self) -> Tensor:
        """``self``: negations are never lazy here."""
    def retain_grad(self) -> None:
        """Let ``backward`` fill ``.grad`` of this tensor although it is not a leaf."""
    retains_grad: _bool  # True where :meth:`retain_grad` was called.
    def roll(self, shifts: Dims, dims: Dims | None = ()) -> Tensor:
        """Elements moved by ``shifts`` places along ``dims``; those that leave at one end enter at the other."""
    def rot90(self, k: _int = 1, dims: Dims = (0, 1)) -> Tensor:
        """A copy turned by ``k`` quarter turns, from the first dim towards the second."""
    @overload
    def round(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The nearest integer, or the nearest number with this many ``decimals``; halves go to the even one."""
    @overload
    def round(self, *, decimals: _int, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The nearest integer, or the nearest number with this many ``decimals``; halves go to the even one."""
    @overload
    def round_(self) -> Tensor:
        """The in-place form of :func:`round`: the tensor takes the result."""
    @overload
    def round_(self, *, decimals: _int) -> Tensor:
        """The in-place form of :func:`round`: the tensor takes the result."""
    def rsqrt(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """One divided by the square root."""
    def rsqrt_(self) -> Tensor:
        """The in-place form of :func:`rsqrt`: the tensor takes the result."""
    @overload
    def rsub(self, other: Scalar, *, alpha: Scalar = 1) -> Tensor:
        """``other - alpha * self``: subtraction with its arguments exchanged."""
    @overload
    def rsub(self, other: Operand, *, alpha: Scalar = 1) -> Tensor:
        """``other - alpha * self``: subtraction with its arguments exchanged."""
    @overload
    def scatter(self, dim: _int, index: Tensor, src: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """A copy of ``self`` with ``src`` (a tensor) or ``value`` (a number) written at the places ``index`` along ``dim``."""
    @overload
    def scatter(self, dim: _int, index: Tensor, value: Scalar, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """A copy of ``self`` with ``src`` (a tensor) or ``value`` (a number) written at the places ``index`` along ``dim``."""
    @overload
    def scatter(self, dim: _int, index: Tensor, src: Tensor, *, reduce: str, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """A copy of ``self`` with ``src`` (a tensor) or ``value`` (a number) written at the places ``index`` along ``dim``."""
    @overload
    def scatter(self, dim: _int, index: Tensor, value: Scalar, *, reduce: str, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """A copy of ``self`` with ``src`` (a tensor) or ``value`` (a number) written at the places ``index`` along ``dim``."""
    @overload
    def scatter_(self, dim: _int, index: Tensor, src: Tensor) -> Tensor:
        """The in-place form of :func:`scatter`: the tensor takes the result."""
    @overload
    def scatter_(self, dim: _int, index: Tensor, value: Scalar) -> Tensor:
        """The in-place form of :func:`scatter`: the tensor takes the result."""
    @overload
    def scatter_(self, dim: _int, index: Tensor, src: Tensor, *, reduce: str) -> Tensor:
        """The in-place form of :func:`scatter`: the tensor takes the result."""
    @overload
    def scatter_(self, dim: _int, index: Tensor, value: Scalar, *, reduce: str) -> Tensor:
        """The in-place form of :func:`scatter`: the tensor takes the result."""
    def scatter_add(self, dim: _int, index: Tensor, src: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """A copy of ``self`` with ``src`` added at the places ``index`` along ``dim``."""
    def scatter_add_(self, dim: _int, index: Tensor, src: Tensor) -> Tensor:
        """The in-place form of :func:`scatter_add`: the tensor takes the result."""
    def scatter_reduce(self, dim: _int, index: Tensor, src: Tensor, reduce: str, *, include_self: _bool = True, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """A copy of ``self`` in which ``src`` is reduced into the places ``index`` along ``dim``."""
    def scatter_reduce_(self, dim: _int, index: Tensor, src: Tensor, reduce: str, *, include_self: _bool = True) -> Tensor:
        """``src`` is reduced into the places ``index`` of ``self`` along ``dim``; see ``scatter_reduce``."""
    def select(self, dim: _int, index: _int) -> Tensor:
        """The part at one index of ``dim``, without that dim; a view."""
    def select_scatter(self, src: Tensor, dim: _int, index: _int) -> Tensor:
        """A copy with ``src`` at one index of ``dim``."""
    def set_(self, source: Tensor | None = None, storage_offset: _int = 0, size: Sizes | None = None, stride: Sizes | None = None) -> Tensor:
        """``self`` takes over the memory of the tensor ``source``; without one it becomes empty."""
    def sgn(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``z / |z|``, and 0 at 0: the sign of real numbers, the direction of complex ones."""
    def sgn_(self) -> Tensor:
        """The in-place form of :func:`sgn`: the tensor takes the result."""
    shape: Size  # The sizes of the dimensions, as a ``torch.Size``.
    def share_memory_(self) -> Tensor:
        """Move the numbers to memory that other processes can share, and return the tensor itself."""
    def short(self, memory_format: _memory_format | None = None) -> Tensor:
        """This tensor as ``torch.int16``; itself if it has that dtype."""
    def sigmoid(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The logistic function ``1 / (1 + exp(-self))``, with slope ``s * (1 - s)``."""
    def sigmoid_(self) -> Tensor:
        """The in-place form of :func:`sigmoid`: the tensor takes the result."""
    def sign(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """-1, 0 or 1; 0 for nan."""
    def sign_(self) -> Tensor:
        """The in-place form of :func:`sign`: the tensor takes the result."""
    def signbit(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Where the sign bit of ``self`` is set, which tells -0. from 0."""
    def sin(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The sine of an angle in radians."""
    def sin_(self) -> Tensor:
        """The in-place form of :func:`sin`: the tensor takes the result."""
    def sinc(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``sin(pi x) / (pi x)``, and 1 at 0. Its derivatives are accurate near 0, too."""
    def sinc_(self) -> Tensor:
        """The in-place form of :func:`sinc`: the tensor takes the result."""
    def sinh(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The hyperbolic sine."""
    def sinh_(self) -> Tensor:
        """The in-place form of :func:`sinh`: the tensor takes the result."""
    @overload
    def size(self) -> Size:
        """The shape, or the size of one dimension."""
    @overload
    def size(self, dim: _int) -> _int:
        """The shape, or the size of one dimension."""
    def slice_inverse(self, src: Tensor, dim: _int = 0, start: _int | None = None, end: _int | None = None, step: _int = 1) -> Tensor:
        """A view of the memory of ``self`` with the geometry of ``src``: all of what ``self`` is a slice of."""
    def slice_scatter(self, src: Tensor, dim: _int = 0, start: _int | None = None, end: _int | None = None, step: _int = 1, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """A copy with ``src`` in a range of ``dim``."""
    def slogdet(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> SignLogabsdet:
        """The sign of the determinant and the logarithm of its absolute value; ``linalg.slogdet``."""
    def softmax(self, dim: _int, dtype: _dtype | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``exp(self)`` divided by its sum over ``dim``; ``dtype`` converts the input first."""
    def solve(self, A: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Removed: it is ``linalg.solve``, whose arguments have the other order."""
    def sort(self, dim: _int = -1, descending: _bool = False, stable: _bool | None = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> ValuesIndices:
        """The entries sorted along ``dim``, and where they were. The order is always stable."""
    def split(self, split_size_or_sections: _int | Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
        """Pieces of one size along ``dim`` (the last may be smaller), or of the sizes in a list; views."""
    def split_with_sizes(self, split_sizes: Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
        """Pieces of the given sizes along ``dim``, as a tuple of views."""
    def sqrt(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The square root; nan for negative real numbers."""
    def sqrt_(self) -> Tensor:
        """The in-place form of :func:`sqrt`: the tensor takes the result."""
    def square(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``self * self``, recorded as ``self**2``."""
    def square_(self) -> Tensor:
        """The in-place form of :func:`square`: the tensor takes the result."""
    @overload
    def squeeze(self) -> Tensor:
        """The dims of size one dropped: all of them, or only ``dim`` (an int or several). A view."""
    @overload
    def squeeze(self, dim: _int) -> Tensor:
        """The dims of size one dropped: all of them, or only ``dim`` (an int or several). A view."""
    @overload
    def squeeze(self, dim: Dims) -> Tensor:
        """The dims of size one dropped: all of them, or only ``dim`` (an int or several). A view."""
    @overload
    def squeeze_(self) -> Tensor:
        """The in-place form of :func:`squeeze`: the tensor takes the result."""
    @overload
    def squeeze_(self, dim: _int) -> Tensor:
        """The in-place form of :func:`squeeze`: the tensor takes the result."""
    @overload
    def squeeze_(self, dim: Dims) -> Tensor:
        """The in-place form of :func:`squeeze`: the tensor takes the result."""
    def std(self, dim: Dims | None = None, unbiased: _bool | None = None, keepdim: _bool = False, *, correction: Number | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The standard deviation, the square root of ``var``; where it is 0 the gradient is 0."""
    def std_mean(self, dim: Dims | None = None, unbiased: _bool | None = None, keepdim: _bool = False, *, correction: Number | None = None) -> tuple[Tensor, Tensor]:
        """The pair (standard deviation, mean)."""
    def stft(self, n_fft: _int, hop_length: _int | None = None, win_length: _int | None = None, window: Tensor | None = None, center: _bool = True, pad_mode: str = 'reflect', normalized: _bool = False, onesided: _bool | None = None, return_complex: _bool | None = None, align_to_window: _bool | None = None) -> Tensor:
        """The short-time Fourier transform: a row for each frequency, a column for each frame."""
    def storage_offset(self) -> _int:
        """The place of the first element in the memory that the tensor shares, in elements."""
    @overload
    def stride(self) -> tuple[_int, ...]:
        """The distance in memory between neighbours along each dimension, in elements."""
    @overload
    def stride(self, dim: _int) -> _int:
        """The distance in memory between neighbours along each dimension, in elements."""
    def sub(self, other: Operand, *, alpha: Scalar = 1, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The difference, elementwise: ``self - alpha * other``, with broadcasting and type promotion."""
    def sub_(self, other: Operand, *, alpha: Scalar = 1) -> Tensor:
        """The in-place form of :func:`sub`: the tensor takes the result."""
    def subtract(self, other: Operand, *, alpha: Scalar = 1, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The difference, elementwise: ``self - alpha * other``, with broadcasting and type promotion."""
    def subtract_(self, other: Operand, *, alpha: Scalar = 1) -> Tensor:
        """The in-place form of :func:`subtract`: the tensor takes the result."""
    @overload
    def sum(self, *, dtype: _dtype | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The sum of all entries, or over the dims in ``dim`` (an int or a tuple; ``()`` means all)."""
    @overload
    def sum(self, dim: Dims | None = None, keepdim: _bool = False, *, dtype: _dtype | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The sum of all entries, or over the dims in ``dim`` (an int or a tuple; ``()`` means all)."""
    def sum_to_size(self, *sizes: _int | Sizes, size: Sizes | None = None) -> Tensor:
        """The sum over dims that leaves the shape ``size``, which must broadcast to the shape of ``self``."""
    def svd(self, some: _bool = True, compute_uv: _bool = True, *, out: Tensor | tuple[Tensor, ...] | None = None) -> OldSVD:
        """The singular value decomposition U diag(S) V^H; prefer ``linalg.svd``, which returns V^H."""
    def swapaxes(self, dim0: _int, dim1: _int) -> Tensor:
        """Two dims exchanged; a view."""
    def swapaxes_(self, dim0: _int, dim1: _int) -> Tensor:
        """The in-place form of :func:`swapaxes`: the tensor takes the result."""
    def swapdims(self, dim0: _int, dim1: _int) -> Tensor:
        """Two dims exchanged; a view."""
    def swapdims_(self, dim0: _int, dim1: _int) -> Tensor:
        """The in-place form of :func:`swapdims`: the tensor takes the result."""
    def symeig(self, eigenvectors: _bool = False, upper: _bool = True, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Any:
        """Removed: it is ``linalg.eigh``, or without vectors ``linalg.eigvalsh``."""
    def t(self) -> Tensor:
        """The transpose of a matrix; a view. Tensors with fewer dims stay as they are."""
    def t_(self) -> Tensor:
        """The in-place form of :func:`t`: the tensor takes the result."""
    def take(self, index: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The elements with these numbers in the flat tensor; the result has the shape of ``index``."""
    def take_along_dim(self, indices: Tensor, dim: _int | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``gather`` with broadcasting in the other dims, or from the flat tensor if ``dim`` is left out."""
    def tan(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The tangent of an angle in radians."""
    def tan_(self) -> Tensor:
        """The in-place form of :func:`tan`: the tensor takes the result."""
    def tanh(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The hyperbolic tangent, with slope ``1 - tanh(x)**2``."""
    def tanh_(self) -> Tensor:
        """The in-place form of :func:`tanh`: the tensor takes the result."""
    def tensor_split(self, indices_or_sections: _int | Sequence[_int] | Tensor, dim: _int = 0) -> tuple[Tensor, ...]:
        """As many nearly equal pieces as an int says, or pieces cut at the given indices; views."""
    def tile(self, *times: _int | Sizes, dims: Sizes | None = None) -> Tensor:
        """``repeat``, with 1 for each number that is missing in front."""
    def to(self, *args: Any, **kwargs: Any) -> Tensor:
        """This tensor in another dtype, or like another tensor; itself if nothing changes."""
    def to_dense(self, dtype: _dtype | None = None, *, masked_grad: _bool = True) -> Tensor:
        """The tensor itself, since all tensors are dense; converted, if a dtype is given."""
    def to_device(self, device: Device, *, stream: Any = None) -> Tensor:
        """The tensor itself, which is on the only device there is: the name that the array API standard has for ``to``."""
    def tolist(self) -> list[Any]:
        """The numbers as nested lists; for a tensor without dimensions, the number itself."""
    def topk(self, k: _int, dim: _int = -1, largest: _bool = True, sorted: _bool = True, *, out: Tensor | tuple[Tensor, ...] | None = None) -> ValuesIndices:
        """The k greatest entries along ``dim`` (or the least), in order, and where they are."""
    def trace(self) -> Tensor:
        """The sum of a matrix's diagonal."""
    def transpose(self, dim0: _int, dim1: _int) -> Tensor:
        """Two dims exchanged; a view."""
    def transpose_(self, dim0: _int, dim1: _int) -> Tensor:
        """The in-place form of :func:`transpose`: the tensor takes the result."""
    def triangular_solve(self, A: Tensor, upper: _bool = True, transpose: _bool = False, unitriangular: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Any:
        """X in A X = ``self``, for a triangular A, and a copy of A. Deprecated: it is ``linalg.solve_triangular``."""
    def tril(self, diagonal: _int = 0, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The lower triangle of a matrix (or a batch), up to the given diagonal; zeros above it."""
    def tril_(self, diagonal: _int = 0) -> Tensor:
        """The in-place form of :func:`tril`: the tensor takes the result."""
    def triu(self, diagonal: _int = 0, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The upper triangle of a matrix (or a batch), from the given diagonal on; zeros below it."""
    def triu_(self, diagonal: _int = 0) -> Tensor:
        """The in-place form of :func:`triu`: the tensor takes the result."""
    def true_divide(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``self / other``, elementwise: ``div`` without rounding."""
    def true_divide_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`true_divide`: the tensor takes the result."""
    def trunc(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The whole part: rounding towards zero."""
    def trunc_(self) -> Tensor:
        """The in-place form of :func:`trunc`: the tensor takes the result."""
    @overload
    def type(self, dtype: None = None) -> str:
        """The name of the tensor's type, or the tensor in another one."""
    @overload
    def type(self, dtype: _dtype | str) -> Tensor:
        """The name of the tensor's type, or the tensor in another one."""
    def type_as(self, other: Operand) -> Tensor:
        """This tensor in the dtype of another one, and on its device; itself if it is there and has that dtype."""
    def unbind(self, dim: _int = 0) -> tuple[Tensor, ...]:
        """All parts along ``dim``, as a tuple of views: ``for row in x`` iterates over them."""
    def unflatten(self, dim: _int, sizes: Sizes) -> Tensor:
        """One dim as several, which have these ``sizes``; one of them may be -1."""
    def unfold(self, dimension: _int, size: _int, step: _int) -> Tensor:
        """All windows of ``size`` elements along a dim, ``step`` apart; the window is the last dim. A view."""
    def uniform_(self, from_: _float = 0.0, to: _float = 1.0, *, generator: _Generator | None = None) -> Tensor:
        """``self`` is filled with numbers drawn evenly from ``from`` to below ``to``."""
    @overload
    def unique(self, sorted: _bool = True, return_inverse: Literal[False] = False, return_counts: Literal[False] = False, dim: _int | None = None) -> Tensor:
        """The distinct entries in ascending order, or the distinct slices along ``dim``. Of equal entries the first gets the gradient."""
    @overload
    def unique(self, sorted: _bool = True, *, return_inverse: Literal[True], return_counts: Literal[False] = False, dim: _int | None = None) -> tuple[Tensor, Tensor]:
        """The distinct entries in ascending order, or the distinct slices along ``dim``. Of equal entries the first gets the gradient."""
    @overload
    def unique(self, sorted: _bool = True, *, return_inverse: Literal[False] = False, return_counts: Literal[True], dim: _int | None = None) -> tuple[Tensor, Tensor]:
        """The distinct entries in ascending order, or the distinct slices along ``dim``. Of equal entries the first gets the gradient."""
    @overload
    def unique(self, sorted: _bool = True, *, return_inverse: Literal[True], return_counts: Literal[True], dim: _int | None = None) -> tuple[Tensor, Tensor, Tensor]:
        """The distinct entries in ascending order, or the distinct slices along ``dim``. Of equal entries the first gets the gradient."""
    @overload
    def unique_consecutive(self, return_inverse: Literal[False] = False, return_counts: Literal[False] = False, dim: _int | None = None) -> Tensor:
        """One entry for each run of equal ones."""
    @overload
    def unique_consecutive(self, *, return_inverse: Literal[True], return_counts: Literal[False] = False, dim: _int | None = None) -> tuple[Tensor, Tensor]:
        """One entry for each run of equal ones."""
    @overload
    def unique_consecutive(self, *, return_inverse: Literal[False] = False, return_counts: Literal[True], dim: _int | None = None) -> tuple[Tensor, Tensor]:
        """One entry for each run of equal ones."""
    @overload
    def unique_consecutive(self, *, return_inverse: Literal[True], return_counts: Literal[True], dim: _int | None = None) -> tuple[Tensor, Tensor, Tensor]:
        """One entry for each run of equal ones."""
    def unsafe_chunk(self, chunks: _int, dim: _int = 0) -> tuple[Tensor, ...]:
        """Copies of the pieces that ``chunk`` shows."""
    def unsafe_split(self, split_size: _int, dim: _int = 0) -> tuple[Tensor, ...]:
        """A copy of what ``split_equal`` shows: no write to it reaches ``self``."""
    def unsafe_split_with_sizes(self, split_sizes: Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
        """A copy of what ``split_with_sizes`` shows: no write to it reaches ``self``."""
    def unsqueeze(self, dim: _int) -> Tensor:
        """A new dim of size one at place ``dim``; a view."""
    def unsqueeze_(self, dim: _int) -> Tensor:
        """The in-place form of :func:`unsqueeze`: the tensor takes the result."""
    def untyped_storage(self) -> UntypedStorage:
        """The memory that a tensor shares with its views, as bytes: see ``torch.UntypedStorage``."""
    def var(self, dim: Dims | None = None, unbiased: _bool | None = None, keepdim: _bool = False, *, correction: Number | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The variance: the mean squared distance from the mean, with n - ``correction`` (default 1) instead of n."""
    def var_mean(self, dim: Dims | None = None, unbiased: _bool | None = None, keepdim: _bool = False, *, correction: Number | None = None) -> tuple[Tensor, Tensor]:
        """The pair (variance, mean)."""
    def vdot(self, other: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The inner product of two vectors: the first one is conjugated."""
    @overload
    def view(self, size: Sizes) -> Tensor:
        """The same memory under another shape (one size may be -1), or read as another dtype."""
    @overload
    def view(self, *size: _int) -> Tensor:
        """The same memory under another shape (one size may be -1), or read as another dtype."""
    @overload
    def view(self, dtype: _dtype) -> Tensor:
        """The same memory under another shape (one size may be -1), or read as another dtype."""
    def view_as(self, other: Operand) -> Tensor:
        """``self.view(other.shape)``."""
    def view_as_complex(self) -> Tensor:
        """A complex view of a real tensor whose last dim, of size 2, holds real and imaginary parts."""
    def view_as_real(self) -> Tensor:
        """A view with a last dim of size 2 for the real and the imaginary part."""
    def vsplit(self, indices_or_sections: _int | Sequence[_int] | Tensor) -> tuple[Tensor, ...]:
        """Pieces one below the other, along dim 0: the way back from ``vstack``. As ``hsplit`` otherwise."""
    @overload
    def where(self) -> tuple[Tensor, ...]:
        """``torch.where(condition, self, other)``: ``self`` is the branch taken where ``condition`` is True."""
    @overload
    def where(self, input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
        """``torch.where(condition, self, other)``: ``self`` is the branch taken where ``condition`` is True."""
    def why_no_grad(self, result: Tensor | None = None) -> str:
        """Why ``.grad`` of this tensor is None, in plain words and with a remedy; or that there is one."""
    def xlogy(self, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """``self * log(other)``, and 0 where ``self`` is 0, whatever the logarithm is: as in entropies."""
    def xlogy_(self, other: Operand) -> Tensor:
        """The in-place form of :func:`xlogy`: the tensor takes the result."""
    def zero_(self) -> Tensor:
        """Fill with zeros."""
    def __add__(self, other: Operand) -> Tensor: ...
    def __radd__(self, other: Operand) -> Tensor: ...
    def __iadd__(self, other: Operand) -> Self: ...
    def __sub__(self, other: Operand) -> Tensor: ...
    def __rsub__(self, other: Operand) -> Tensor: ...
    def __isub__(self, other: Operand) -> Self: ...
    def __mul__(self, other: Operand) -> Tensor: ...
    def __rmul__(self, other: Operand) -> Tensor: ...
    def __imul__(self, other: Operand) -> Self: ...
    def __truediv__(self, other: Operand) -> Tensor: ...
    def __rtruediv__(self, other: Operand) -> Tensor: ...
    def __itruediv__(self, other: Operand) -> Self: ...
    def __floordiv__(self, other: Operand) -> Tensor: ...
    def __rfloordiv__(self, other: Operand) -> Tensor: ...
    def __ifloordiv__(self, other: Operand) -> Self: ...
    def __mod__(self, other: Operand) -> Tensor: ...
    def __rmod__(self, other: Operand) -> Tensor: ...
    def __imod__(self, other: Operand) -> Self: ...
    def __pow__(self, other: Operand) -> Tensor: ...
    def __rpow__(self, other: Operand) -> Tensor: ...
    def __ipow__(self, other: Operand) -> Self: ...
    def __matmul__(self, other: Operand) -> Tensor: ...
    def __rmatmul__(self, other: Operand) -> Tensor: ...
    def __imatmul__(self, other: Operand) -> Self: ...
    def __and__(self, other: Operand) -> Tensor: ...
    def __rand__(self, other: Operand) -> Tensor: ...
    def __iand__(self, other: Operand) -> Self: ...
    def __or__(self, other: Operand) -> Tensor: ...
    def __ror__(self, other: Operand) -> Tensor: ...
    def __ior__(self, other: Operand) -> Self: ...
    def __xor__(self, other: Operand) -> Tensor: ...
    def __rxor__(self, other: Operand) -> Tensor: ...
    def __ixor__(self, other: Operand) -> Self: ...
    def __lshift__(self, other: Operand) -> Tensor: ...
    def __rlshift__(self, other: Operand) -> Tensor: ...
    def __ilshift__(self, other: Operand) -> Self: ...
    def __rshift__(self, other: Operand) -> Tensor: ...
    def __rrshift__(self, other: Operand) -> Tensor: ...
    def __irshift__(self, other: Operand) -> Self: ...
    def __neg__(self) -> Tensor: ...
    def __pos__(self) -> Tensor: ...
    def __abs__(self) -> Tensor: ...
    def __invert__(self) -> Tensor: ...
    def __eq__(self, other: Operand) -> Tensor: ...  # type: ignore[override]
    def __ne__(self, other: Operand) -> Tensor: ...  # type: ignore[override]
    def __lt__(self, other: Operand) -> Tensor: ...
    def __le__(self, other: Operand) -> Tensor: ...
    def __gt__(self, other: Operand) -> Tensor: ...
    def __ge__(self, other: Operand) -> Tensor: ...
    def __new__(cls, *args: Any, **kwargs: Any) -> Self: ...
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getitem__(self, index: Index) -> Tensor: ...
    def __setitem__(self, index: Index, value: TensorLike) -> None: ...
    def __iter__(self) -> Iterator[Tensor]: ...
    def __contains__(self, element: Operand) -> _bool: ...
    def __len__(self) -> _int: ...
    def __bool__(self) -> _bool: ...
    def __int__(self) -> _int: ...
    def __float__(self) -> _float: ...
    def __complex__(self) -> complex: ...
    def __index__(self) -> _int: ...
    def __hash__(self) -> _int: ...
    def __array__(self, dtype: Any = None, copy: _bool | None = None) -> np.ndarray[Any, Any]: ...

class Node:
    """One recorded operation in the graph; its edges lead to the nodes of the operation's inputs."""

    metadata: dict[Any, Any]  # A dictionary for the user's own notes.
    def name(self) -> str:
        """The name of the operation's backward, such as ``"MulBackward0"``."""
    next_functions: tuple[tuple[Node | Any, _int], ...]  # For each input: the node that its gradient goes to, and which output of that node the input was.
    def register_hook(self, fn: Callable[..., Any]) -> RemovableHandle:
        """Call ``fn(grad_inputs, grad_outputs)`` after this node has run; if ``fn`` returns a tuple, it replaces ``grad_inputs``."""
    def register_prehook(self, fn: Callable[..., Any]) -> RemovableHandle:
        """Call ``fn(grad_outputs)`` before this node runs; if ``fn`` returns a tuple, it replaces ``grad_outputs``."""
    requires_grad: _bool  # True: a node is made only where a gradient must be computed.
    def __call__(self, *gradients: Tensor | None) -> Any: ...
    def __getattr__(self, name: str) -> Any: ...

class AccumulateGrad(Node):
    """The end of every path: adds what arrives to ``.grad`` of its leaf, ``variable``."""

    def name(self) -> str: ...
    variable: Tensor


def wrap(array: Any, requires_grad: _bool = ...) -> Tensor: ...
