"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format

from minigrad import accelerator as accelerator
from minigrad import amp as amp
from minigrad import array_api as array_api
from minigrad import autograd as autograd
from minigrad import backends as backends
from minigrad import compiler as compiler
from minigrad import cpu as cpu
from minigrad import creation as creation
from minigrad import cuda as cuda
from minigrad import distributed as distributed
from minigrad import distributions as distributions
from minigrad import dtypes as dtypes
from minigrad import fft as fft
from minigrad import func as func
from minigrad import homework as homework
from minigrad import jit as jit
from minigrad import linalg as linalg
from minigrad import memory as memory
from minigrad import mps as mps
from minigrad import nn as nn
from minigrad import numpy_interface as numpy_interface
from minigrad import ops as ops
from minigrad import optim as optim
from minigrad import overrides as overrides
from minigrad import random as random
from minigrad import serialization as serialization
from minigrad import signal as signal
from minigrad import special as special
from minigrad import tensors as tensors
from minigrad import testing as testing
from minigrad import torch_version as torch_version
from minigrad import types as types
from minigrad import utils as utils
from minigrad import version as version
from minigrad import viz as viz
from minigrad import xpu as xpu
from minigrad._as_torch import as_torch as as_torch
from minigrad._core.dispatch.torch_function import DisableTorchFunction as DisableTorchFunction
from minigrad._core.dispatch.torch_function import DisableTorchFunctionSubclass as DisableTorchFunctionSubclass
from minigrad._core.errors import MinigradError as MinigradError
from minigrad._core.graph.graph import Tensor as Tensor
from minigrad._core.graph.graph import ValuesIndices, MinMax, SignLogabsdet, MantissaExponent, QR, Reflectors, SVD, OldSVD, Eigen, PLU, LUFactor, LUFactorEx, LDLFactor, LDLFactorEx, InvEx, SolveEx, CholeskyEx, TriangularSolve, LeastSquares
from minigrad._core.runtime.thread_pool import get_num_interop_threads as get_num_interop_threads
from minigrad._core.runtime.thread_pool import get_num_threads as get_num_threads
from minigrad._core.runtime.thread_pool import set_num_interop_threads as set_num_interop_threads
from minigrad._core.runtime.thread_pool import set_num_threads as set_num_threads
from minigrad._core.runtime.thread_state import checks_nan as _is_anomaly_check_nan_enabled
from minigrad._core.runtime.thread_state import is_anomaly as _is_anomaly_enabled
from minigrad._core.runtime.thread_state import is_grad_enabled as is_grad_enabled
from minigrad._core.runtime.thread_state import is_inference as _is_inference_mode_enabled
from minigrad._tensor import is_complex as is_complex
from minigrad._tensor import is_floating_point as is_floating_point
from minigrad._tensor import is_tensor as is_tensor
from minigrad._tensor import numel as numel
from minigrad.amp import GradScaler as GradScaler
from minigrad.amp import autocast as autocast
from minigrad.amp import is_autocast_enabled as is_autocast_enabled
from minigrad.autograd.engines.checklist import check_engine as check_engine
from minigrad.autograd.engines.using import use_engine as use_engine
from minigrad.autograd.grad_mode import enable_grad as enable_grad
from minigrad.autograd.grad_mode import inference_mode as inference_mode
from minigrad.autograd.grad_mode import no_grad as no_grad
from minigrad.autograd.grad_mode import set_grad_enabled as set_grad_enabled
from minigrad.creation.buffers import empty_permuted as empty_permuted
from minigrad.creation.buffers import empty_strided as empty_strided
from minigrad.creation.buffers import frombuffer as frombuffer
from minigrad.creation.typed import BFloat16Tensor as BFloat16Tensor
from minigrad.creation.typed import BoolTensor as BoolTensor
from minigrad.creation.typed import ByteTensor as ByteTensor
from minigrad.creation.typed import CharTensor as CharTensor
from minigrad.creation.typed import DoubleTensor as DoubleTensor
from minigrad.creation.typed import FloatTensor as FloatTensor
from minigrad.creation.typed import HalfTensor as HalfTensor
from minigrad.creation.typed import IntTensor as IntTensor
from minigrad.creation.typed import LongTensor as LongTensor
from minigrad.creation.typed import ShortTensor as ShortTensor
from minigrad.creation.typed import set_default_tensor_type as set_default_tensor_type
from minigrad.dtypes import can_cast as can_cast
from minigrad.dtypes import dtype as dtype
from minigrad.dtypes import finfo as finfo
from minigrad.dtypes import get_default_dtype as get_default_dtype
from minigrad.dtypes import iinfo as iinfo
from minigrad.dtypes import promote_types as promote_types
from minigrad.dtypes import result_type as result_type
from minigrad.dtypes import set_default_dtype as set_default_dtype
from minigrad.dtypes.sizes_and_devices import Size as Size
from minigrad.dtypes.sizes_and_devices import broadcast_shapes as broadcast_shapes
from minigrad.dtypes.sizes_and_devices import device as device
from minigrad.dtypes.sizes_and_devices import layout as layout
from minigrad.dtypes.sizes_and_devices import memory_format as memory_format
from minigrad.environment import are_deterministic_algorithms_enabled as are_deterministic_algorithms_enabled
from minigrad.environment import compile as compile
from minigrad.environment import compiled_with_cxx11_abi as compiled_with_cxx11_abi
from minigrad.environment import get_default_device as get_default_device
from minigrad.environment import get_deterministic_debug_mode as get_deterministic_debug_mode
from minigrad.environment import get_float32_matmul_precision as get_float32_matmul_precision
from minigrad.environment import is_deterministic_algorithms_warn_only_enabled as is_deterministic_algorithms_warn_only_enabled
from minigrad.environment import is_storage as is_storage
from minigrad.environment import is_warn_always_enabled as is_warn_always_enabled
from minigrad.environment import set_anomaly_enabled as set_anomaly_enabled
from minigrad.environment import set_default_device as set_default_device
from minigrad.environment import set_deterministic_debug_mode as set_deterministic_debug_mode
from minigrad.environment import set_float32_matmul_precision as set_float32_matmul_precision
from minigrad.environment import set_flush_denormal as set_flush_denormal
from minigrad.environment import set_warn_always as set_warn_always
from minigrad.environment import typename as typename
from minigrad.environment import use_deterministic_algorithms as use_deterministic_algorithms
from minigrad.func.vmap import vmap as vmap
from minigrad.linalg.low_rank import pca_lowrank as pca_lowrank
from minigrad.linalg.low_rank import svd_lowrank as svd_lowrank
from minigrad.nn.dropping import native_dropout as native_dropout
from minigrad.nn.recurrent import gru as gru
from minigrad.nn.recurrent import gru_cell as gru_cell
from minigrad.nn.recurrent import lstm as lstm
from minigrad.nn.recurrent import lstm_cell as lstm_cell
from minigrad.nn.recurrent import rnn_relu as rnn_relu
from minigrad.nn.recurrent import rnn_relu_cell as rnn_relu_cell
from minigrad.nn.recurrent import rnn_tanh as rnn_tanh
from minigrad.nn.recurrent import rnn_tanh_cell as rnn_tanh_cell
from minigrad.nn.slopes import rrelu as rrelu
from minigrad.nn.slopes import rrelu_ as rrelu_
from minigrad.numpy_interface.dlpack import from_dlpack as from_dlpack
from minigrad.numpy_interface.dlpack import to_dlpack as to_dlpack
from minigrad.random import Generator as Generator
from minigrad.random import initial_seed as initial_seed
from minigrad.random import manual_seed as manual_seed
from minigrad.random import seed as seed
from minigrad.random import set_rng_state as set_rng_state
from minigrad.random.distributions import binomial as binomial
from minigrad.random.distributions import multinomial as multinomial
from minigrad.random.distributions import poisson as poisson
from minigrad.serialization import load as load
from minigrad.serialization import save as save
from minigrad.tensors.attributes import get_device as get_device
from minigrad.tensors.attributes import is_inference as is_inference
from minigrad.tensors.printing import set_printoptions as set_printoptions
from minigrad.viz.player import explain as explain

__version__: str
bfloat16: _dtype
bool: _dtype
cdouble: _dtype
cfloat: _dtype
channels_last: _memory_format
channels_last_3d: _memory_format
complex128: _dtype
complex64: _dtype
contiguous_format: _memory_format
default_generator: Any
double: _dtype
e: _float
float: _dtype
float16: _dtype
float32: _dtype
float64: _dtype
half: _dtype
has_lapack: _bool
has_mkl: _bool
has_openmp: _bool
has_spectral: _bool
inf: _float
int: _dtype
int16: _dtype
int32: _dtype
int64: _dtype
int8: _dtype
is_anomaly_check_nan_enabled = _is_anomaly_check_nan_enabled
is_anomaly_enabled = _is_anomaly_enabled
is_inference_mode_enabled = _is_inference_mode_enabled
legacy_contiguous_format: _memory_format
long: _dtype
nan: _float
newaxis: None
pi: _float
preserve_format: _memory_format
short: _dtype
strided: _layout
uint16: _dtype
uint32: _dtype
uint64: _dtype
uint8: _dtype

def abs(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The absolute value; for complex numbers, the distance from 0. Its slope at 0 is 0."""

def abs_(self: Tensor) -> Tensor:
    """``self`` takes its absolute value; not for complex numbers, whose absolute values are real."""

def absolute(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The absolute value; for complex numbers, the distance from 0. Its slope at 0 is 0."""

def acos(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The angle whose cosine is ``self``, between 0 and pi."""

def acos_(self: Tensor) -> Tensor:
    """The in-place form of :func:`acos`: the tensor takes the result."""

def acosh(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse of the hyperbolic cosine; nan below 1."""

def acosh_(self: Tensor) -> Tensor:
    """The in-place form of :func:`acosh`: the tensor takes the result."""

def adaptive_avg_pool1d(self: Tensor, output_size: Dims) -> Tensor:
    """The means of ``output_size`` windows that cover each line and are as equal as can be."""

def adaptive_max_pool1d(input: Tensor, output_size: Dims) -> tuple[Tensor, ...]:
    """The largest elements of ``output_size`` windows that cover each line, and their places in it."""

def add(self: Tensor, other: Operand, *, alpha: Scalar = 1, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The sum, elementwise: ``self + alpha * other``, with broadcasting and type promotion."""

def addbmm(self: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Scalar = 1, alpha: Scalar = 1, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """beta * self + alpha * (the sum of all products of a batch), computed as one product of long matrices."""

def addcdiv(self: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Scalar = 1, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``self + value * tensor1 / tensor2``, elementwise."""

def addcmul(self: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Scalar = 1, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``self + value * tensor1 * tensor2``, elementwise."""

def addmm(self: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Scalar = 1, alpha: Scalar = 1, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """beta * self + alpha * (mat1 @ mat2), where ``self`` is broadcast, as the bias of a linear layer is."""

def addmv(self: Tensor, mat: Tensor, vec: Tensor, *, beta: Scalar = 1, alpha: Scalar = 1, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """beta * self + alpha * (mat @ vec)."""

def addmv_(self: Tensor, mat: Tensor, vec: Tensor, *, beta: Scalar = 1, alpha: Scalar = 1) -> Tensor:
    """The in-place form of :func:`addmv`: the tensor takes the result."""

def addr(self: Tensor, vec1: Tensor, vec2: Tensor, *, beta: Scalar = 1, alpha: Scalar = 1, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """beta * self + alpha * outer(vec1, vec2)."""

def adjoint(self: Tensor) -> Tensor:
    """The conjugate transpose of the last two dims: a view of real numbers, and a copy of complex ones."""

def affine_grid_generator(theta: Tensor, size: Sequence[_int], align_corners: _bool) -> Tensor:
    """``nn.functional.affine_grid``: the points of a grid of the size of an output (N, C, H, W) or (N, C, D, H, W), moved by matrices ``theta``."""

def alias_copy(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A copy of what ``alias`` shows: no write to it reaches ``self``."""

def all(self: Tensor, dim: Dims | None = None, keepdim: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Whether all entries are true (not zero), or all over the dims in ``dim``."""

def allclose(self: Tensor, other: Operand, rtol: _float = 1e-05, atol: _float = 1e-08, equal_nan: _bool = False) -> _bool:
    """Whether all elements of ``self`` and ``other`` are close, as a Python bool; see ``isclose``."""

def alpha_dropout(input: Tensor, p: Number, train: _bool) -> Tensor:
    """``nn.functional.alpha_dropout``."""

def alpha_dropout_(input: Tensor, p: Number, train: _bool) -> Tensor:
    """``nn.functional.alpha_dropout``. The result is written into ``input``."""

def amax(self: Tensor, dim: Dims | None = (), keepdim: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The greatest entry over one dim or several; equal ones share the gradient evenly."""

def amin(self: Tensor, dim: Dims | None = (), keepdim: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The least entry over one dim or several; equal ones share the gradient evenly."""

def aminmax(self: Tensor, *, dim: _int | None = None, keepdim: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> MinMax:
    """The least and the greatest entry, of all or along one dim; equal ones share the gradient evenly."""

def angle(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The angle of complex numbers in radians, between -pi and pi; for real ones 0, or pi if they are negative."""

def any(self: Tensor, dim: Dims | None = None, keepdim: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Whether any entry is true (not zero), or any over the dims in ``dim``."""

def arange(start: Number | None = None, end: Number | None = None, step: Number = 1, *, dtype: _dtype | None = None, device: Device | None = None, requires_grad: _bool = False, layout: _layout | None = None, pin_memory: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The numbers from ``start`` (0) up to, but without, ``end``, in steps of ``step``."""

def arccos(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The angle whose cosine is ``self``, between 0 and pi."""

def arccos_(self: Tensor) -> Tensor:
    """The in-place form of :func:`arccos`: the tensor takes the result."""

def arccosh(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse of the hyperbolic cosine; nan below 1."""

def arccosh_(self: Tensor) -> Tensor:
    """The in-place form of :func:`arccosh`: the tensor takes the result."""

def arcsin(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The angle whose sine is ``self``, between -pi/2 and pi/2."""

def arcsin_(self: Tensor) -> Tensor:
    """The in-place form of :func:`arcsin`: the tensor takes the result."""

def arcsinh(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse of the hyperbolic sine."""

def arcsinh_(self: Tensor) -> Tensor:
    """The in-place form of :func:`arcsinh`: the tensor takes the result."""

def arctan(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The angle whose tangent is ``self``, between -pi/2 and pi/2."""

def arctan2(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The angle of the point (x = ``other``, y = ``self``), between -pi and pi. At the origin its slopes are 0."""

def arctan_(self: Tensor) -> Tensor:
    """The in-place form of :func:`arctan`: the tensor takes the result."""

def arctanh(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse of the hyperbolic tangent."""

def arctanh_(self: Tensor) -> Tensor:
    """The in-place form of :func:`arctanh`: the tensor takes the result."""

def argmax(self: Tensor, dim: _int | None = None, keepdim: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The index of the greatest entry, the first of equal ones; nan counts as greater than all numbers."""

def argmin(self: Tensor, dim: _int | None = None, keepdim: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The index of the least entry, the first of equal ones; nan counts as less than all numbers."""

def argsort(self: Tensor, dim: _int = -1, descending: _bool = False, stable: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The indices that sort the entries along ``dim``. The order is always stable."""

def argwhere(self: Tensor) -> Tensor:
    """The indices of the elements that are not zero, one row for each."""

def as_strided(self: Tensor, size: Sizes, stride: Sizes, storage_offset: _int | None = None) -> Tensor:
    """A view of the memory of ``self`` with any size, strides and offset, all in elements."""

def as_strided_(self: Tensor, size: Sizes, stride: Sizes, storage_offset: _int | None = None) -> Tensor:
    """``self`` takes any size, strides and offset in its memory; all are counted in elements."""

def as_strided_copy(self: Tensor, size: Sizes, stride: Sizes, storage_offset: _int | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A copy of what ``as_strided`` shows: no write to it reaches ``self``."""

def as_strided_scatter(self: Tensor, src: Tensor, size: Sizes, stride: Sizes, storage_offset: _int | None = None) -> Tensor:
    """A copy of ``self`` with ``src`` in the places of the memory that ``as_strided`` would show."""

def as_tensor(data: TensorLike, dtype: _dtype | None = None, device: Device | None = None) -> Tensor:
    """``data`` as a tensor, copied only if necessary: a tensor is returned unchanged, an array shares its memory."""

def asarray(obj: TensorLike, *, dtype: _dtype | None = None, device: Device | None = None, copy: _bool | None = None, requires_grad: _bool | None = None) -> Tensor:
    """``obj`` as a tensor; its numbers must be copied if ``copy`` is True, must not if it is False, and may by default."""

def asin(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The angle whose sine is ``self``, between -pi/2 and pi/2."""

def asin_(self: Tensor) -> Tensor:
    """The in-place form of :func:`asin`: the tensor takes the result."""

def asinh(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse of the hyperbolic sine."""

def asinh_(self: Tensor) -> Tensor:
    """The in-place form of :func:`asinh`: the tensor takes the result."""

def atan(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The angle whose tangent is ``self``, between -pi/2 and pi/2."""

def atan2(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The angle of the point (x = ``other``, y = ``self``), between -pi and pi. At the origin its slopes are 0."""

def atan_(self: Tensor) -> Tensor:
    """The in-place form of :func:`atan`: the tensor takes the result."""

def atanh(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse of the hyperbolic tangent."""

def atanh_(self: Tensor) -> Tensor:
    """The in-place form of :func:`atanh`: the tensor takes the result."""

def atleast_1d(*tensors: Tensor | Tensors) -> Tensor:
    """A view with at least one dim; for several tensors, a tuple of views."""

def atleast_2d(*tensors: Tensor | Tensors) -> Tensor:
    """A view with at least two dims; for several tensors, a tuple of views."""

def atleast_3d(*tensors: Tensor | Tensors) -> Tensor:
    """A view with at least three dims; for several tensors, a tuple of views."""

def avg_pool1d(self: Tensor, kernel_size: Dims, stride: Dims | None = None, padding: Dims = 0, ceil_mode: _bool = False, count_include_pad: _bool = True) -> Tensor:
    """The mean of each window of ``kernel_size`` elements; the windows are ``stride`` apart, by default as much as they are long."""

def baddbmm(self: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Scalar = 1, alpha: Scalar = 1, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """beta * self + alpha * bmm(batch1, batch2)."""

def bartlett_window(window_length: _int, periodic: _bool = True, *, dtype: _dtype | None = None, device: Device | None = None, requires_grad: _bool = False, layout: _layout | None = None, pin_memory: _bool = False) -> Tensor:
    """A triangle, from 0 to 1 and back."""

def batch_norm(input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor | None, running_var: Tensor | None, training: _bool, momentum: _float, eps: _float, cudnn_enabled: _bool) -> Tensor:
    """``nn.functional.batch_norm``, with its arguments in another order."""

def bernoulli(input: Tensor, p: Tensor | _float | None = None, *, generator: _Generator | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Random ones and zeros: each element of ``input`` is the probability of a one, or all have the probability ``p``."""

def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """``x1 @ weight[k] @ x2 + bias[k]`` for each k and each pair of vectors: a bilinear layer."""

def binary_cross_entropy_with_logits(input: Tensor, target: Tensor, weight: Tensor | None = None, pos_weight: Tensor | None = None, reduction: _int = 0) -> Tensor:
    """The function of ``nn.functional``, with the reduction as a number: 0 is none, 1 the mean, 2 the sum."""

def bincount(self: Tensor, weights: Tensor | None = None, minlength: _int = 0) -> Tensor:
    """How often each of the numbers 0, 1, 2 ... occurs, or the sum of its weights."""

def bitwise_and(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The bits set in both; of bools the same as ``logical_and``."""

def bitwise_left_shift(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The bits moved up by ``other`` places: ``self * 2**other``."""

def bitwise_not(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Every bit turned over; of bools the same as ``logical_not``."""

def bitwise_or(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The bits set in either; of bools the same as ``logical_or``."""

def bitwise_right_shift(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The bits moved down by ``other`` places, the sign kept: ``floor(self / 2**other)``."""

def bitwise_xor(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The bits in which the two differ; of bools the same as ``logical_xor``."""

def blackman_window(window_length: _int, periodic: _bool = True, *, dtype: _dtype | None = None, device: Device | None = None, requires_grad: _bool = False, layout: _layout | None = None, pin_memory: _bool = False) -> Tensor:
    """Two cosines: ``0.42 - 0.5 cos(2 pi k / N) + 0.08 cos(4 pi k / N)``."""

def block_diag(*tensors: Tensor | Tensors) -> Tensor:
    """The matrix with the tensors as blocks on its diagonal; vectors count as rows."""

def bmm(self: Tensor, mat2: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The products of two batches of matrices, (b, n, m) and (b, m, p), without broadcasting."""

def broadcast_tensors(*tensors: Tensor | Tensors) -> tuple[Tensor, ...]:
    """The tensors, all expanded to the shape that they broadcast to."""

@overload
def broadcast_to(self: Tensor, size: Sizes, *, implicit: _bool = False) -> Tensor:
    """Dims of size one repeated, and new dims in front, without a copy; -1 keeps a size. A view."""
@overload
def broadcast_to(self: Tensor, *size: _int, implicit: _bool = False) -> Tensor:
    """Dims of size one repeated, and new dims in front, without a copy; -1 keeps a size. A view."""

def bucketize(input: Tensor | Scalar, boundaries: Tensor, *, out_int32: _bool = False, right: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The number of the interval between ``boundaries`` in which each value lies."""

def cartesian_prod(*tensors: Tensor | Tensors) -> Tensor:
    """All combinations of one element from each vector, as rows."""

def cat(tensors: Tensors, dim: _int = 0, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The tensors one after another along a dim that they all have."""

def cdist(x1: Tensor, x2: Tensor, p: _float = 2.0, compute_mode: str = 'use_mm_for_euclid_dist_if_necessary') -> Tensor:
    """The p-norm of the difference of each row of ``x1`` and each row of ``x2``; dims before these are a batch."""

def ceil(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The smallest integer that is not smaller."""

def ceil_(self: Tensor) -> Tensor:
    """The in-place form of :func:`ceil`: the tensor takes the result."""

def celu(self: Tensor, alpha: Scalar = 1.0) -> Tensor:
    """``self`` above 0, ``alpha * (exp(self / alpha) - 1)`` below: its slope at 0 is 1 for any ``alpha``."""

def celu_(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """The in-place form of :func:`celu`: ``input`` takes the result, and is returned."""

def chain_matmul(*matrices: Any, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The product of several matrices. Deprecated: it is ``linalg.multi_dot``."""

def channel_shuffle(self: Tensor, groups: _int) -> Tensor:
    """The channels of the second dim in another order: the first of each of the ``groups``, then the second of each, and so on."""

def cholesky(self: Tensor, upper: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The Cholesky factor of a positive-definite matrix. Deprecated: it is ``linalg.cholesky``."""

def cholesky_inverse(self: Tensor, upper: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse of A, from its Cholesky factor."""

def cholesky_solve(self: Tensor, input2: Tensor, upper: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """X in A X = ``self``, where ``input2`` is the Cholesky factor of A."""

def chunk(self: Tensor, chunks: _int, dim: _int = 0) -> tuple[Tensor, ...]:
    """At most ``chunks`` pieces of one size along ``dim`` (the last may be smaller); views."""

@overload
def clamp(self: Tensor, min: Scalar | None = None, max: Scalar | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``self`` limited to the range from ``min`` to ``max``: numbers or tensors, of which one may be None."""
@overload
def clamp(self: Tensor, min: Tensor | None = None, max: Tensor | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``self`` limited to the range from ``min`` to ``max``: numbers or tensors, of which one may be None."""

@overload
def clamp_(self: Tensor, min: Scalar | None = None, max: Scalar | None = None) -> Tensor:
    """The in-place form of :func:`clamp`: the tensor takes the result."""
@overload
def clamp_(self: Tensor, min: Tensor | None = None, max: Tensor | None = None) -> Tensor:
    """The in-place form of :func:`clamp`: the tensor takes the result."""

@overload
def clamp_max(self: Tensor, max: Scalar, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``self``, but at most ``max``, a number or a tensor."""
@overload
def clamp_max(self: Tensor, max: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``self``, but at most ``max``, a number or a tensor."""

@overload
def clamp_max_(self: Tensor, max: Scalar) -> Tensor:
    """The in-place form of :func:`clamp_max`: the tensor takes the result."""
@overload
def clamp_max_(self: Tensor, max: Operand) -> Tensor:
    """The in-place form of :func:`clamp_max`: the tensor takes the result."""

@overload
def clamp_min(self: Tensor, min: Scalar, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``self``, but at least ``min``, a number or a tensor."""
@overload
def clamp_min(self: Tensor, min: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``self``, but at least ``min``, a number or a tensor."""

@overload
def clamp_min_(self: Tensor, min: Scalar) -> Tensor:
    """The in-place form of :func:`clamp_min`: the tensor takes the result."""
@overload
def clamp_min_(self: Tensor, min: Operand) -> Tensor:
    """The in-place form of :func:`clamp_min`: the tensor takes the result."""

@overload
def clip(self: Tensor, min: Scalar | None = None, max: Scalar | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``self`` limited to the range from ``min`` to ``max``: numbers or tensors, of which one may be None."""
@overload
def clip(self: Tensor, min: Tensor | None = None, max: Tensor | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``self`` limited to the range from ``min`` to ``max``: numbers or tensors, of which one may be None."""

@overload
def clip_(self: Tensor, min: Scalar | None = None, max: Scalar | None = None) -> Tensor:
    """The in-place form of :func:`clip`: the tensor takes the result."""
@overload
def clip_(self: Tensor, min: Tensor | None = None, max: Tensor | None = None) -> Tensor:
    """The in-place form of :func:`clip`: the tensor takes the result."""

def clone(self: Tensor, *, memory_format: _memory_format | None = None) -> Tensor:
    """A copy that gradients flow through."""

def column_stack(tensors: Tensors, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The tensors side by side, vectors as columns."""

def combinations(self: Tensor, r: _int = 2, with_replacement: _bool = False) -> Tensor:
    """All choices of ``r`` elements of a vector in their order, as rows; with ``with_replacement`` elements may repeat."""

def complex(real: Tensor, imag: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The complex tensor with these real and imaginary parts."""

def concat(tensors: Tensors, dim: _int = 0, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The tensors one after another along a dim that they all have."""

def concatenate(tensors: Tensors, dim: _int = 0, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The tensors one after another along a dim that they all have."""

def conj(self: Tensor) -> Tensor:
    """The complex conjugate; a real tensor is returned as it is. It copies, where PyTorch makes a lazy view."""

def conj_physical(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The complex conjugate, as a copy; a real tensor is returned as it is."""

def conj_physical_(self: Tensor) -> Tensor:
    """The in-place form of :func:`conj_physical`: the tensor takes the result."""

def constant_pad_nd(self: Tensor, pad: Sequence[_int], value: Scalar = 0) -> Tensor:
    """``pad`` with a constant: ``pad`` is (before, after) of the last dim, then of the one before it, and so on."""

def contiguous(self: Tensor, memory_format: _memory_format | None = 'contiguous_format') -> Tensor:
    """``self`` if its elements lie in order in memory (or in that of ``memory_format``), else a copy in which they do."""

def conv1d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Dims = 1, padding: Any = 0, dilation: Dims = 1, groups: _int = 1) -> Tensor:
    """Windows that move over a sequence, each multiplied by the weight: a convolution in one dim."""

def conv2d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Dims = 1, padding: Any = 0, dilation: Dims = 1, groups: _int = 1) -> Tensor:
    """Windows that move over an image, each multiplied by the weight: a convolution in two dims."""

def conv3d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Dims = 1, padding: Any = 0, dilation: Dims = 1, groups: _int = 1) -> Tensor:
    """Windows that move over a volume, each multiplied by the weight: a convolution in three dims."""

def conv_tbc(input: Tensor, weight: Tensor, bias: Tensor, pad: _int = 0) -> Tensor:
    """A convolution of sequences whose dims are (time, batch, channels); the weight is (time, channels, outputs)."""

def conv_transpose1d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Dims = 1, padding: Dims = 0, output_padding: Dims = 0, groups: _int = 1, dilation: Dims = 1) -> Tensor:
    """The transpose of :func:`conv1d`: each element times the weight, added up where its window was."""

def conv_transpose2d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Dims = 1, padding: Dims = 0, output_padding: Dims = 0, groups: _int = 1, dilation: Dims = 1) -> Tensor:
    """The transpose of :func:`conv2d`; see :func:`conv_transpose1d`."""

def conv_transpose3d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Dims = 1, padding: Dims = 0, output_padding: Dims = 0, groups: _int = 1, dilation: Dims = 1) -> Tensor:
    """The transpose of :func:`conv3d`; see :func:`conv_transpose1d`."""

def convolution(input: Tensor, weight: Tensor, bias: Tensor | None, stride: Sequence[_int], padding: Sequence[_int], dilation: Sequence[_int], transposed: _bool, output_padding: Sequence[_int], groups: _int) -> Tensor:
    """All convolutions in one function, for one, two or three dims: those of the weight behind its first two."""

@overload
def copysign(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``self`` with the sign of ``other``, a tensor or a number; -0. is negative."""
@overload
def copysign(self: Tensor, other: Number, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``self`` with the sign of ``other``, a tensor or a number; -0. is negative."""

def corrcoef(self: Tensor) -> Tensor:
    """The correlations of the rows: their covariances, divided by the two standard deviations."""

def cos(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The cosine of an angle in radians."""

def cos_(self: Tensor) -> Tensor:
    """The in-place form of :func:`cos`: the tensor takes the result."""

def cosh(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The hyperbolic cosine."""

def cosh_(self: Tensor) -> Tensor:
    """The in-place form of :func:`cosh`: the tensor takes the result."""

def cosine_embedding_loss(input1: Tensor, input2: Tensor, target: Tensor, margin: _float = 0.0, reduction: _int = 0) -> Tensor:
    """``nn.functional.cosine_embedding_loss``, with the reduction as a number: 0 is none, 1 the mean, 2 the sum."""

def cosine_similarity(x1: Tensor, x2: Tensor, dim: _int = 1, eps: _float = 1e-08) -> Tensor:
    """The cosine of the angle between vectors along ``dim``; ``eps`` bounds their lengths from below."""

def count_nonzero(self: Tensor, dim: Dims | None = None) -> Tensor:
    """How many entries are not zero, among all or over the dims in ``dim``."""

def cov(self: Tensor, *, correction: _int = 1, fweights: Tensor | None = None, aweights: Tensor | None = None) -> Tensor:
    """The covariances of the rows, whose entries are observations."""

def cross(self: Tensor, other: Tensor, dim: _int | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The cross products of the vectors of three numbers along ``dim``."""

def ctc_loss(log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any, blank: _int = 0, reduction: _int = 0, zero_infinity: _bool = False) -> Tensor:
    """``nn.functional.ctc_loss``, with the reduction as a number: 0 is none, 1 the mean, 2 the sum."""

def cummax(self: Tensor, dim: _int, *, out: Tensor | tuple[Tensor, ...] | None = None) -> ValuesIndices:
    """The greatest entry so far along ``dim``, and its index (of equal ones the last)."""

def cummin(self: Tensor, dim: _int, *, out: Tensor | tuple[Tensor, ...] | None = None) -> ValuesIndices:
    """The least entry so far along ``dim``, and its index (of equal ones the last)."""

def cumprod(self: Tensor, dim: _int, *, dtype: _dtype | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The product of each entry and all before it along ``dim``. ``dtype`` converts the input first."""

def cumsum(self: Tensor, dim: _int, *, dtype: _dtype | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The sum of each entry and all before it along ``dim``."""

def cumulative_trapezoid(y: Tensor, x: Tensor | None = None, *, dx: Scalar | None = None, dim: _int = -1) -> Tensor:
    """The integrals by the trapezoidal rule from the first point to each of the others."""

def deg2rad(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Degrees as radians."""

def deg2rad_(self: Tensor) -> Tensor:
    """The in-place form of :func:`deg2rad`: the tensor takes the result."""

def det(self: Tensor) -> Tensor:
    """The determinant of a square matrix, or of each of a batch; ``linalg.det``."""

def detach(self: Tensor) -> Tensor:
    """Another tensor on the same memory, without history: ``self.detach()``."""

def detach_(self: Tensor) -> Tensor:
    """Forget the history of this tensor in place, and its tangent; it becomes a leaf."""

def detach_copy(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A copy without history: no gradient flows through it, and no write to it reaches ``self``."""

def diag(self: Tensor, diagonal: _int = 0, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """For a vector, the matrix with it on a diagonal; for a matrix, a copy of a diagonal."""

def diag_embed(self: Tensor, offset: _int = 0, dim1: _int = -2, dim2: _int = -1) -> Tensor:
    """Matrices with the last dim on a diagonal and zeros elsewhere."""

def diagflat(self: Tensor, offset: _int = 0) -> Tensor:
    """The matrix with all elements on a diagonal."""

def diagonal(self: Tensor, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Tensor:
    """The entries whose indices in two dims differ by ``offset``; they become the last dim. A view."""

def diagonal_copy(self: Tensor, offset: _int = 0, dim1: _int = 0, dim2: _int = 1, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A copy of what ``diagonal`` shows: no write to it reaches ``self``."""

def diagonal_scatter(self: Tensor, src: Tensor, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Tensor:
    """A copy with ``src`` on a diagonal."""

def diff(self: Tensor, n: _int = 1, dim: _int = -1, prepend: Tensor | None = None, append: Tensor | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The differences of neighbours along ``dim``, ``n`` times: the inverse of ``cumsum``."""

def digamma(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The derivative of ``lgamma``."""

def dist(self: Tensor, other: Operand, p: Number = 2) -> Tensor:
    """The p-norm of the difference."""

@overload
def div(self: Tensor, other: Operand, *, rounding_mode: str, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``self / other``, elementwise; rounded towards zero ("trunc") or downwards ("floor") if asked for."""
@overload
def div(self: Tensor, other: Operand, *, rounding_mode: str | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``self / other``, elementwise; rounded towards zero ("trunc") or downwards ("floor") if asked for."""

@overload
def divide(self: Tensor, other: Operand, *, rounding_mode: str, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``self / other``, elementwise; rounded towards zero ("trunc") or downwards ("floor") if asked for."""
@overload
def divide(self: Tensor, other: Operand, *, rounding_mode: str | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``self / other``, elementwise; rounded towards zero ("trunc") or downwards ("floor") if asked for."""

def dot(self: Tensor, tensor: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The sum of the products of two vectors' entries, without conjugation."""

def dropout(input: Tensor, p: Number, train: _bool) -> Tensor:
    """``nn.functional.dropout``."""

def dropout_(input: Tensor, p: Number, train: _bool) -> Tensor:
    """``nn.functional.dropout``. The result is written into ``input``."""

def dsplit(self: Tensor, indices_or_sections: _int | Sequence[_int] | Tensor) -> tuple[Tensor, ...]:
    """Pieces one behind the other, along dim 2: the way back from ``dstack``. As ``hsplit`` otherwise."""

def dstack(tensors: Tensors, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The tensors behind one another, along dim 2."""

def eig(self: Tensor, eigenvectors: _bool = False, *, e: Any = None, v: Any = None) -> Any:
    """Removed: it is ``linalg.eig``, or without vectors ``linalg.eigvals``."""

def einsum(equation: str, *operands: Any) -> Tensor:
    """The sum of products that ``equation`` describes, one letter per dim: see the top of this module."""

def embedding(weight: Tensor, indices: Tensor, padding_idx: _int = -1, scale_grad_by_freq: _bool = False, sparse: _bool = False) -> Tensor:
    """``nn.functional.embedding`` with the table first; a negative ``padding_idx`` is none."""

def embedding_bag(weight: Tensor, indices: Tensor, offsets: Tensor, scale_grad_by_freq: _bool = False, mode: _int = 0, sparse: _bool = False, per_sample_weights: Tensor | None = None, include_last_offset: _bool = False, padding_idx: _int | None = None) -> tuple[Tensor, ...]:
    """``nn.functional.embedding_bag`` with the modes 0 (sum), 1 (mean) and 2 (max), and what it computes on the way."""

def embedding_renorm_(self: Tensor, indices: Tensor, max_norm: _float, norm_type: _float) -> Tensor:
    """Make the rows of ``self`` with these numbers no longer than ``max_norm``: in place, and not differentiable."""

def empty(*shape: _int | Sizes, size: Sizes | None = None, dtype: _dtype | None = None, device: Device | None = None, requires_grad: _bool = False, layout: _layout | None = None, pin_memory: _bool = False, memory_format: _memory_format | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """An uninitialized tensor: its numbers are whatever was in its memory."""

def empty_like(input: Tensor, *, dtype: _dtype | None = None, device: Device | None = None, requires_grad: _bool = False, layout: _layout | None = None, pin_memory: _bool = False, memory_format: _memory_format | None = None) -> Tensor:
    """An uninitialized tensor with the shape and dtype of ``input``."""

def eq(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Where ``self`` equals ``other``, as a bool tensor; nan equals nothing."""

def equal(self: Tensor, other: Operand) -> _bool:
    """Whether two tensors have the same shape and the same elements, as a Python bool."""

def erf(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The error function: 2/sqrt(pi) times the integral of exp(-t^2) from 0 to ``self``."""

def erf_(self: Tensor) -> Tensor:
    """The in-place form of :func:`erf`: the tensor takes the result."""

def erfc(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``1 - erf(self)``, exact even where that is small."""

def erfc_(self: Tensor) -> Tensor:
    """The in-place form of :func:`erfc`: the tensor takes the result."""

def erfinv(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse of ``erf``, for numbers from -1 to 1."""

def exp(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The exponential function, which is its own derivative: the node saves the result."""

def exp2(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Two to the power of ``self``."""

def exp2_(self: Tensor) -> Tensor:
    """The in-place form of :func:`exp2`: the tensor takes the result."""

def exp_(self: Tensor) -> Tensor:
    """The in-place form of :func:`exp`: the tensor takes the result."""

@overload
def expand(self: Tensor, size: Sizes, *, implicit: _bool = False) -> Tensor:
    """Dims of size one repeated, and new dims in front, without a copy; -1 keeps a size. A view."""
@overload
def expand(self: Tensor, *size: _int, implicit: _bool = False) -> Tensor:
    """Dims of size one repeated, and new dims in front, without a copy; -1 keeps a size. A view."""

def expand_as(self: Tensor, other: Operand) -> Tensor:
    """``self.expand(other.shape)``."""

def expand_copy(self: Tensor, size: Sizes, *, implicit: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A copy of what ``expand`` shows: no write to it reaches ``self``."""

def expm1(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``exp(self) - 1``, exact even for small ``self``."""

def expm1_(self: Tensor) -> Tensor:
    """The in-place form of :func:`expm1`: the tensor takes the result."""

def eye(n: _int, m: _int | None = None, *, dtype: _dtype | None = None, device: Device | None = None, requires_grad: _bool = False, layout: _layout | None = None, pin_memory: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The ``n`` by ``m`` matrix (by default ``n`` by ``n``) with ones on its diagonal and zeros elsewhere."""

def feature_alpha_dropout(input: Tensor, p: Number, train: _bool) -> Tensor:
    """``nn.functional.feature_alpha_dropout``."""

def feature_alpha_dropout_(input: Tensor, p: Number, train: _bool) -> Tensor:
    """``nn.functional.feature_alpha_dropout``. The result is written into ``input``."""

def feature_dropout(input: Tensor, p: Number, train: _bool) -> Tensor:
    """``nn.functional.dropout2d`` for any number of dims: (N, C, ...)."""

def feature_dropout_(input: Tensor, p: Number, train: _bool) -> Tensor:
    """``nn.functional.dropout2d`` for any number of dims: (N, C, ...). The result is written into ``input``."""

@overload
def fill(self: Tensor, value: Scalar) -> Tensor:
    """A tensor of the shape and dtype of ``self`` with one value everywhere, a number or a 0-d tensor."""
@overload
def fill(self: Tensor, value: Operand) -> Tensor:
    """A tensor of the shape and dtype of ``self`` with one value everywhere, a number or a 0-d tensor."""

@overload
def fill_(self: Tensor, value: Scalar) -> Tensor:
    """The in-place form of :func:`fill`: the tensor takes the result."""
@overload
def fill_(self: Tensor, value: Operand) -> Tensor:
    """The in-place form of :func:`fill`: the tensor takes the result."""

def fix(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The whole part: rounding towards zero."""

def fix_(self: Tensor) -> Tensor:
    """The in-place form of :func:`fix`: the tensor takes the result."""

def flatten(self: Tensor, start_dim: _int = 0, end_dim: _int = -1) -> Tensor:
    """The dims from ``start_dim`` to ``end_dim`` as one; ``self`` itself if they are one already."""

@overload
def flip(self: Tensor, dims: Dims) -> Tensor:
    """A copy with the order of the elements reversed along the given dims."""
@overload
def flip(self: Tensor, *dims: _int) -> Tensor:
    """A copy with the order of the elements reversed along the given dims."""

def fliplr(self: Tensor) -> Tensor:
    """A copy with the columns in reverse order."""

def flipud(self: Tensor) -> Tensor:
    """A copy with the rows in reverse order."""

def float_power(self: Operand, exponent: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``self`` to the power of ``exponent``, computed in double precision; either may be a number."""

def floor(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The largest integer that is not larger."""

def floor_(self: Tensor) -> Tensor:
    """The in-place form of :func:`floor`: the tensor takes the result."""

def floor_divide(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``self / other`` rounded downwards: what ``//`` means. Its gradient is zero (PyTorch gives an error)."""

def fmax(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The larger of the two, elementwise; nan loses. Of equal arguments the first has the gradient."""

def fmin(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The smaller of the two, elementwise; nan loses. Of equal arguments the first has the gradient."""

@overload
def fmod(self: Tensor, other: Scalar, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """What is left of ``self`` after division by ``other``, with the sign of ``self``: C's ``fmod``."""
@overload
def fmod(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """What is left of ``self`` after division by ``other``, with the sign of ``self``: C's ``fmod``."""

def frac(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """What ``trunc`` takes away: the fractional part, with the sign of ``self``."""

def frac_(self: Tensor) -> Tensor:
    """The in-place form of :func:`frac`: the tensor takes the result."""

def frexp(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> MantissaExponent:
    """The mantissa and the exponent: ``self = mantissa * 2**exponent``, with a mantissa of 0 or from 0.5 up to 1."""

def frobenius_norm(self: Tensor, dim: Dims, keepdim: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Any:
    """The length of all entries over one dim or two. Deprecated: it is ``linalg.vector_norm``."""

def from_numpy(ndarray: np.ndarray[Any, Any]) -> Tensor:
    """A tensor that shares its memory with a NumPy array: a write to one changes the other."""

def full(size: Sizes, fill_value: Scalar, *, dtype: _dtype | None = None, device: Device | None = None, requires_grad: _bool = False, layout: _layout | None = None, pin_memory: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A tensor with ``fill_value`` everywhere; without ``dtype`` it follows from the value."""

def full_like(input: Tensor, fill_value: Scalar, *, dtype: _dtype | None = None, device: Device | None = None, requires_grad: _bool = False, layout: _layout | None = None, pin_memory: _bool = False, memory_format: _memory_format | None = None) -> Tensor:
    """``fill_value`` everywhere, with the shape and dtype of ``input``."""

def gather(self: Tensor, dim: _int, index: Tensor, *, sparse_grad: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Elements along ``dim`` by number: ``out[i][j] = self[i][index[i][j]]`` for ``dim=1``."""

def gcd(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The greatest common divisor of two integers; it is not negative."""

def gcd_(self: Tensor, other: Operand) -> Tensor:
    """The in-place form of :func:`gcd`: the tensor takes the result."""

def ge(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Where ``self >= other``, as a bool tensor."""

def geqrf(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Reflectors:
    """What LAPACK makes of A = Q R: R above the diagonal of ``a``, and below it the vectors of the reflections that Q is a product of, with their factors ``tau``: see :func:`linalg.householder_product`. It has no gradient."""

def ger(self: Tensor, vec2: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """All products of an entry of one vector and an entry of the other, as a matrix."""

def get_rng_state() -> Tensor:
    """The state of the stream of random numbers, for ``set_rng_state``."""

def gradient(input: Tensor, *, spacing: Any = 1, dim: Dims | None = None, edge_order: _int = 1) -> tuple[Tensor, ...]:
    """The slopes of ``input`` along all dims or those in ``dim``, as a tuple of tensors of its shape."""

def greater(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Where ``self > other``, as a bool tensor."""

def greater_equal(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Where ``self >= other``, as a bool tensor."""

def grid_sampler(input: Tensor, grid: Tensor, interpolation_mode: _int, padding_mode: _int, align_corners: _bool) -> Tensor:
    """``nn.functional.grid_sample``, with numbers for the modes: see ``torch.grid_sampler_2d``."""

def grid_sampler_2d(input: Tensor, grid: Tensor, interpolation_mode: _int, padding_mode: _int, align_corners: _bool) -> Tensor:
    """``nn.functional.grid_sample`` of height, width, with numbers for the modes: bilinear 0, nearest 1, bicubic 2, and for what lies outside: zeros 0, border 1, reflection 2."""

def grid_sampler_3d(input: Tensor, grid: Tensor, interpolation_mode: _int, padding_mode: _int, align_corners: _bool) -> Tensor:
    """``nn.functional.grid_sample`` of depth, height, width, with numbers for the modes: bilinear 0, nearest 1, bicubic 2, and for what lies outside: zeros 0, border 1, reflection 2."""

def group_norm(input: Tensor, num_groups: _int, weight: Tensor | None = None, bias: Tensor | None = None, eps: _float = 1e-05, cudnn_enabled: _bool = True) -> Tensor:
    """``nn.functional.group_norm``."""

def gt(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Where ``self > other``, as a bool tensor."""

def hamming_window(window_length: _int, periodic: _bool = True, alpha: _float = 0.54, beta: _float = 0.46, *, dtype: _dtype | None = None, device: Device | None = None, requires_grad: _bool = False, layout: _layout | None = None, pin_memory: _bool = False) -> Tensor:
    """A raised cosine that does not begin with 0: ``alpha - beta cos(2 pi k / N)``."""

def hann_window(window_length: _int, periodic: _bool = True, *, dtype: _dtype | None = None, device: Device | None = None, requires_grad: _bool = False, layout: _layout | None = None, pin_memory: _bool = False) -> Tensor:
    """One period of a cosine, raised so that it begins and ends with 0: ``(1 - cos(2 pi k / N)) / 2``."""

def hardshrink(self: Tensor, lambd: Number = 0.5, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """0 where ``self`` is from ``-lambd`` to ``lambd``, and ``self`` elsewhere."""

def heaviside(self: Tensor, values: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """0 below zero, 1 above, and ``values`` at zero; 0 for nan. The gradient goes to ``values`` (PyTorch has none)."""

def hinge_embedding_loss(input: Tensor, target: Tensor, margin: _float = 1.0, reduction: _int = 0) -> Tensor:
    """``nn.functional.hinge_embedding_loss``, with the reduction as a number: 0 is none, 1 the mean, 2 the sum."""

def histc(self: Tensor, bins: _int = 100, min: Scalar = 0, max: Scalar = 0, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """How many entries fall into each of ``bins`` equal intervals from min to max."""

def histogram(self: Tensor, bins: Any = 100, *, range: Any = None, weight: Tensor | None = None, density: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> tuple[Tensor, ...]:
    """How many elements lie in each interval between edges, and the edges."""

def histogramdd(input: Tensor, bins: Any, range: Any = None, weight: Tensor | None = None, density: _bool = False) -> tuple[Any, ...]:
    """How many points lie in each box of a grid, and the edges along each dim; a point is a row of ``input``."""

def hsplit(self: Tensor, indices_or_sections: _int | Sequence[_int] | Tensor) -> tuple[Tensor, ...]:
    """Pieces side by side, the way back from ``hstack``: as many equal ones as an int says, or cut at indices; views."""

def hstack(tensors: Tensors, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The tensors side by side: along dim 1, or dim 0 if they have only one."""

def hypot(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The length of the hypotenuse: ``sqrt(self**2 + other**2)``, without overflow."""

def i0(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The modified Bessel function of the first kind of order 0, which grows like ``exp(abs(self))``."""

def i0_(self: Tensor) -> Tensor:
    """The in-place form of :func:`i0`: the tensor takes the result."""

def igamma(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The regularised lower incomplete gamma function P(a, x), the integral of t^(a - 1) exp(-t) / Gamma(a) from 0 to x."""

def igammac(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The regularised upper incomplete gamma function, ``1 - igamma(self, other)``, exact even where that is small."""

def imag(self: Tensor) -> Tensor:
    """The imaginary part: a view of the same memory."""

def index_add(self: Tensor, dim: _int, index: Tensor, source: Tensor, *, alpha: Scalar = 1, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A copy with the parts of ``source``, times ``alpha``, added at the numbers in ``index``."""

def index_copy(self: Tensor, dim: _int, index: Tensor, source: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A copy with the parts of ``source`` written at the numbers in ``index``."""

@overload
def index_fill(self: Tensor, dim: _int, index: Tensor, value: Scalar) -> Tensor:
    """A copy with ``value`` (a number or a 0-d tensor) in the parts with the numbers in ``index``."""
@overload
def index_fill(self: Tensor, dim: _int, index: Tensor, value: Tensor) -> Tensor:
    """A copy with ``value`` (a number or a 0-d tensor) in the parts with the numbers in ``index``."""

def index_put(self: Tensor, indices: Sequence[Tensor | None], values: Tensor | Scalar, accumulate: _bool = False) -> Tensor:
    """A copy of ``self`` with ``values`` written (or added, with ``accumulate``) at the positions ``indices``."""

def index_put_(self: Tensor, indices: Sequence[Tensor | None], values: Tensor | Scalar, accumulate: _bool = False) -> Tensor:
    """``values`` are written (or added, with ``accumulate``) at the positions ``indices`` of ``self``."""

def index_reduce(self: Tensor, dim: _int, index: Tensor, source: Tensor, reduce: str, *, include_self: _bool = True, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A copy of ``self`` in which the parts of ``source`` are reduced into those with the numbers ``index``."""

def index_select(self: Tensor, dim: _int, index: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The parts along ``dim`` with the numbers in the vector ``index``."""

def inner(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The sums of products over the last dim of both: for vectors ``dot``, for matrices ``self @ other.T``."""

def instance_norm(input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor | None, running_var: Tensor | None, use_input_stats: _bool, momentum: _float, eps: _float, cudnn_enabled: _bool) -> Tensor:
    """``nn.functional.instance_norm``, with its arguments in another order."""

def inverse(A: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse of a square matrix, or of each of a batch."""

def is_conj(self: Tensor) -> _bool:
    """False: conjugates are never lazy here."""

def is_neg(self: Tensor) -> _bool:
    """False: negations are never lazy here."""

def is_nonzero(self: Tensor) -> _bool:
    """Whether the only element of ``self`` is not zero: ``bool(self)``."""

def is_same_size(self: Tensor, other: Operand) -> _bool:
    """Whether two tensors have the same shape."""

def is_signed(self: Tensor) -> _bool:
    """Whether the dtype of ``self`` has negative numbers."""

def isclose(self: Tensor, other: Tensor, rtol: _float = 1e-05, atol: _float = 1e-08, equal_nan: _bool = False) -> Tensor:
    """Where ``|self - other| <= atol + rtol * |other|``; equal infinities are close, nan only with ``equal_nan=True``."""

def isfinite(self: Tensor) -> Tensor:
    """Where ``self`` is neither infinite nor nan."""

def isin(elements: Tensor, test_elements: Operand, *, assume_unique: _bool = False, invert: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Which of ``elements`` are among ``test_elements``; with ``invert``, which are not. nan is equal to nothing."""

def isinf(self: Tensor) -> Tensor:
    """Where ``self`` is plus or minus infinity (of complex numbers: where either part is)."""

def isnan(self: Tensor) -> Tensor:
    """Where ``self`` is nan (of complex numbers: where either part is)."""

def isneginf(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Where ``self`` is minus infinity."""

def isposinf(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Where ``self`` is plus infinity."""

def isreal(self: Tensor) -> Tensor:
    """Where the imaginary part of ``self`` is zero: everywhere in a real tensor."""

def istft(input: Tensor, n_fft: _int, hop_length: _int | None = None, win_length: _int | None = None, window: Tensor | None = None, center: _bool = True, normalized: _bool = False, onesided: _bool | None = None, length: _int | None = None, return_complex: _bool = False) -> Tensor:
    """The signal of which ``input`` is the short-time Fourier transform, made with the same arguments."""

def kaiser_window(window_length: _int, periodic: _bool = True, beta: _float = 12.0, *, dtype: _dtype | None = None, device: Device | None = None, requires_grad: _bool = False, layout: _layout | None = None, pin_memory: _bool = False) -> Tensor:
    """``I0(beta sqrt(1 - t^2)) / I0(beta)``, t from -1 to 1: the greater ``beta``, the narrower."""

def kl_div(input: Tensor, target: Tensor, reduction: _int = 0, *, log_target: _bool = False) -> Tensor:
    """``nn.functional.kl_div``, with the reduction as a number: 0 is none, 1 the mean, 2 the sum."""

def kron(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The Kronecker product: every entry of ``self`` times the whole of ``other``, as blocks."""

def kthvalue(self: Tensor, k: _int, dim: _int = -1, keepdim: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> ValuesIndices:
    """The k-th least entry along ``dim`` (k counts from 1), and where it is."""

def layer_norm(input: Tensor, normalized_shape: Sizes, weight: Tensor | None = None, bias: Tensor | None = None, eps: _float = 1e-05, cudnn_enable: _bool = True) -> Tensor:
    """``nn.functional.layer_norm``."""

def lcm(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The least common multiple of two integers; it is not negative."""

def lcm_(self: Tensor, other: Operand) -> Tensor:
    """The in-place form of :func:`lcm`: the tensor takes the result."""

def ldexp(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``self * 2**other``, exact for integers ``other``, even where the power would overflow."""

def ldexp_(self: Tensor, other: Operand) -> Tensor:
    """The in-place form of :func:`ldexp`: the tensor takes the result."""

def le(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Where ``self <= other``, as a bool tensor."""

@overload
def lerp(self: Tensor, end: Operand, weight: Scalar, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Linear interpolation: ``self + weight * (end - self)``, for a number or a tensor of weights."""
@overload
def lerp(self: Tensor, end: Tensor, weight: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Linear interpolation: ``self + weight * (end - self)``, for a number or a tensor of weights."""

def less(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Where ``self < other``, as a bool tensor."""

def less_equal(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Where ``self <= other``, as a bool tensor."""

def lgamma(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The logarithm of the absolute value of the gamma function, which extends (n - 1)! to all numbers."""

def linspace(start: Number, end: Number, steps: _int, *, dtype: _dtype | None = None, device: Device | None = None, requires_grad: _bool = False, layout: _layout | None = None, pin_memory: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``steps`` numbers from ``start`` to ``end``, both included, at equal distances."""

def lobpcg(A: Tensor, k: _int | None = None, B: Tensor | None = None, X: Tensor | None = None, n: _int | None = None, iK: Tensor | None = None, niter: _int | None = None, tol: _float | None = None, largest: _bool | None = None, method: str | None = None, tracker: Any = None, ortho_iparams: Any = None, ortho_fparams: Any = None, ortho_bparams: Any = None) -> tuple[Tensor, ...]:
    """The k largest eigenvalues of a symmetric matrix A and their vectors; the smallest with ``largest=False``."""

def log(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The natural logarithm; -inf at 0, nan for negative real numbers."""

def log10(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The logarithm to base 10."""

def log10_(self: Tensor) -> Tensor:
    """The in-place form of :func:`log10`: the tensor takes the result."""

def log1p(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``log(1 + self)``, exact even for small ``self``."""

def log1p_(self: Tensor) -> Tensor:
    """The in-place form of :func:`log1p`: the tensor takes the result."""

def log2(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The logarithm to base 2."""

def log2_(self: Tensor) -> Tensor:
    """The in-place form of :func:`log2`: the tensor takes the result."""

def log_(self: Tensor) -> Tensor:
    """The in-place form of :func:`log`: the tensor takes the result."""

def log_softmax(self: Tensor, dim: _int, dtype: _dtype | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``log(softmax(self))`` over ``dim``, without overflow; ``dtype`` converts the input first."""

def logaddexp(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``log(exp(self) + exp(other))``, without overflow."""

def logaddexp2(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``log2(2**self + 2**other)``, without overflow."""

def logcumsumexp(self: Tensor, dim: _int, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The logarithm of the running sum of exponentials, computed without overflow."""

def logdet(self: Tensor) -> Tensor:
    """The logarithm of the determinant: nan where that is negative, and complex where the matrix is."""

def logical_and(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Where both are nonzero."""

def logical_not(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Where ``self`` is zero."""

def logical_or(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Where at least one of the two is nonzero."""

def logical_xor(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Where exactly one of the two is nonzero."""

def logit(self: Tensor, eps: _float | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``log(x / (1 - x))``, the inverse of ``sigmoid``; with ``eps``, x is first clamped to [eps, 1 - eps]."""

def logit_(self: Tensor, eps: _float | None = None) -> Tensor:
    """The in-place form of :func:`logit`: the tensor takes the result."""

def logspace(start: Number, end: Number, steps: _int, base: _float = 10.0, *, dtype: _dtype | None = None, device: Device | None = None, requires_grad: _bool = False, layout: _layout | None = None, pin_memory: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``steps`` numbers from ``base ** start`` to ``base ** end``, each the same multiple of the one before."""

def logsumexp(self: Tensor, dim: Dims, keepdim: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """log(sum(exp(x))) over one dim or several, without overflow; its gradient is softmax(x)."""

def lstsq(self: Tensor, A: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> LeastSquares:
    """Removed: it is ``linalg.lstsq``, whose arguments have the other order."""

def lt(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Where ``self < other``, as a bool tensor."""

def lu(self: Tensor, pivot: _bool = True, get_infos: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Any:
    """L and U of a matrix in one matrix, and its pivots. Deprecated: it is ``linalg.lu_factor``."""

def lu_solve(self: Tensor, LU_data: Tensor, LU_pivots: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """X in A X = ``self``. Deprecated: it is ``linalg.lu_solve``."""

def lu_unpack(LU_data: Tensor, LU_pivots: Tensor, unpack_data: _bool = True, unpack_pivots: _bool = True, *, out: Tensor | tuple[Tensor, ...] | None = None) -> PLU:
    """P, L and U of what ``linalg.lu_factor`` returns; those that are not asked for have no elements."""

def margin_ranking_loss(input1: Tensor, input2: Tensor, target: Tensor, margin: _float = 0.0, reduction: _int = 0) -> Tensor:
    """``nn.functional.margin_ranking_loss``, with the reduction as a number: 0 is none, 1 the mean, 2 the sum."""

@overload
def masked_fill(self: Tensor, mask: Tensor, value: Scalar) -> Tensor:
    """A copy with ``value`` (a number or a 0-d tensor) where the bool tensor ``mask`` is True."""
@overload
def masked_fill(self: Tensor, mask: Tensor, value: Tensor) -> Tensor:
    """A copy with ``value`` (a number or a 0-d tensor) where the bool tensor ``mask`` is True."""

def masked_scatter(self: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """A copy with the elements of ``source``, in their order, where ``mask`` is True."""

def masked_select(self: Tensor, mask: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The elements where ``mask``, broadcast together with ``self``, is True, in one dim."""

def matmul(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The matrix product, which the operator ``@`` calls."""

def matrix_exp(self: Tensor) -> Tensor:
    """The exponential of a square matrix, or of each of a batch; ``linalg.matrix_exp``."""

def matrix_power(self: Tensor, n: _int, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The n-th power of a square matrix, by repeated squaring; of its inverse if n is negative."""

def matrix_rank(self: Tensor, tol: _float | None = None, symmetric: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Removed: it is ``linalg.matrix_rank``."""

@overload
def max(input: Tensor) -> Tensor:
    """The greatest entry of all; along a dim, with its index; or, given two tensors, of each pair."""
@overload
def max(input: Tensor, dim: _int, keepdim: _bool = False, *, out: tuple[Tensor, Tensor] | None = None) -> ValuesIndices:
    """The greatest entry of all; along a dim, with its index; or, given two tensors, of each pair."""
@overload
def max(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The greatest entry of all; along a dim, with its index; or, given two tensors, of each pair."""

def max_pool1d(input: Tensor, kernel_size: Dims, stride: Dims | None = None, padding: Dims = 0, dilation: Dims = 1, ceil_mode: _bool = False) -> Tensor:
    """The largest element of each window of ``kernel_size`` elements, which are ``dilation`` apart; the windows are ``stride`` apart, by default as much as they are long."""

def max_pool1d_with_indices(input: Tensor, kernel_size: Dims, stride: Dims | None = None, padding: Dims = 0, dilation: Dims = 1, ceil_mode: _bool = False) -> tuple[Tensor, ...]:
    """The largest element of each window, and its place in its line."""

def max_pool2d(input: Tensor, kernel_size: Dims, stride: Dims | None = None, padding: Dims = 0, dilation: Dims = 1, ceil_mode: _bool = False) -> Tensor:
    """The largest element of each window of ``kernel_size`` elements, which are ``dilation`` apart; the windows are ``stride`` apart, by default as much as they are long."""

def max_pool3d(input: Tensor, kernel_size: Dims, stride: Dims | None = None, padding: Dims = 0, dilation: Dims = 1, ceil_mode: _bool = False) -> Tensor:
    """The largest element of each window of ``kernel_size`` elements, which are ``dilation`` apart; the windows are ``stride`` apart, by default as much as they are long."""

def maximum(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The larger of the two, elementwise; nan wins. Equal arguments share the gradient."""

@overload
def mean(self: Tensor, *, dtype: _dtype | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The mean of all entries, or over the dims in ``dim``. Integers need ``dtype``, as in PyTorch."""
@overload
def mean(self: Tensor, dim: Dims | None = None, keepdim: _bool = False, *, dtype: _dtype | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The mean of all entries, or over the dims in ``dim``. Integers need ``dtype``, as in PyTorch."""

@overload
def median(input: Tensor) -> Tensor:
    """The entry in the middle (the lower of two), of all or along ``dim`` with its index; nan if any entry is nan."""
@overload
def median(input: Tensor, dim: _int, keepdim: _bool = False, *, out: tuple[Tensor, Tensor] | None = None) -> ValuesIndices:
    """The entry in the middle (the lower of two), of all or along ``dim`` with its index; nan if any entry is nan."""

def meshgrid(*tensors: Tensor | Tensors, indexing: str = 'ij') -> tuple[Tensor, ...]:
    """The coordinates of a grid from the coordinates along each axis, as views."""

@overload
def min(input: Tensor) -> Tensor:
    """The least entry of all; along a dim, with its index; or, given two tensors, of each pair."""
@overload
def min(input: Tensor, dim: _int, keepdim: _bool = False, *, out: tuple[Tensor, Tensor] | None = None) -> ValuesIndices:
    """The least entry of all; along a dim, with its index; or, given two tensors, of each pair."""
@overload
def min(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The least entry of all; along a dim, with its index; or, given two tensors, of each pair."""

def minimum(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The smaller of the two, elementwise; nan wins. Equal arguments share the gradient."""

def mm(self: Tensor, mat2: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The product of two matrices."""

def mode(self: Tensor, dim: _int = -1, keepdim: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> ValuesIndices:
    """The most frequent entry along ``dim`` (of equally frequent ones the least), and its last index."""

def moveaxis(self: Tensor, source: Dims, destination: Dims) -> Tensor:
    """The dims ``source`` moved to the places ``destination``, the others in their order; a view."""

def movedim(self: Tensor, source: Dims, destination: Dims) -> Tensor:
    """The dims ``source`` moved to the places ``destination``, the others in their order; a view."""

def msort(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The entries sorted along the first dim."""

def mul(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The product, elementwise, with broadcasting and type promotion. Each factor is saved only if the other one needs a gradient."""

def multiply(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The product, elementwise, with broadcasting and type promotion. Each factor is saved only if the other one needs a gradient."""

def mv(self: Tensor, vec: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The product of a matrix and a vector."""

def mvlgamma(self: Tensor, p: _int, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The logarithm of the gamma function of matrices of ``p`` rows: a sum of ``lgamma(self - k / 2)`` over k from 0 to p - 1."""

def nan_to_num(self: Tensor, nan: _float | None = None, posinf: _float | None = None, neginf: _float | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``self`` with numbers in place of nan (0), inf (the largest finite number) and -inf."""

def nan_to_num_(self: Tensor, nan: _float | None = None, posinf: _float | None = None, neginf: _float | None = None) -> Tensor:
    """The in-place form of :func:`nan_to_num`: the tensor takes the result."""

def nanmean(self: Tensor, dim: Dims | None = None, keepdim: _bool = False, *, dtype: _dtype | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The mean of the entries that are not nan."""

@overload
def nanmedian(input: Tensor) -> Tensor:
    """``median`` of the entries that are not nan."""
@overload
def nanmedian(input: Tensor, dim: _int, keepdim: _bool = False, *, out: tuple[Tensor, Tensor] | None = None) -> ValuesIndices:
    """``median`` of the entries that are not nan."""

def nanquantile(self: Tensor, q: Any, dim: _int | None = None, keepdim: _bool = False, *, interpolation: str = 'linear', out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``quantile`` of the entries that are not nan; nan where there are none."""

def nansum(self: Tensor, dim: Dims | None = None, keepdim: _bool = False, *, dtype: _dtype | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The sum of the entries that are not nan."""

def narrow(self: Tensor, dim: _int, start: Tensor | _int, length: _int) -> Tensor:
    """The part of ``dim`` that begins at ``start`` and has ``length`` indices; a view."""

def narrow_copy(self: Tensor, dim: _int, start: Number, length: _int, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A copy of what ``narrow`` shows: no write to it reaches ``self``."""

def native_batch_norm(input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor | None, running_var: Tensor | None, training: _bool, momentum: _float, eps: _float, *, out: Tensor | tuple[Tensor, ...] | None = None) -> tuple[Tensor, ...]:
    """:func:`batch_norm`, with the mean and the reciprocal deviation of each channel."""

def native_channel_shuffle(self: Tensor, groups: _int) -> Tensor:
    """The channels of the second dim in another order: the first of each of the ``groups``, then the second of each, and so on."""

def native_group_norm(input: Tensor, weight: Tensor | None, bias: Tensor | None, N: _int, C: _int, HxW: _int, group: _int, eps: _float) -> tuple[Tensor, ...]:
    """:func:`group_norm`, with the mean and the reciprocal deviation of each group."""

def native_layer_norm(input: Tensor, normalized_shape: Sizes, weight: Tensor | None, bias: Tensor | None, eps: _float) -> tuple[Tensor, ...]:
    """:func:`layer_norm`, with the mean and the reciprocal deviation of each line, which are constant to autograd."""

def ne(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Where ``self`` differs from ``other``, as a bool tensor; nan differs from everything."""

def neg(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The same number with the opposite sign."""

def neg_(self: Tensor) -> Tensor:
    """The in-place form of :func:`neg`: the tensor takes the result."""

def negative(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The same number with the opposite sign."""

def negative_(self: Tensor) -> Tensor:
    """The in-place form of :func:`negative`: the tensor takes the result."""

def nextafter(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The next number from ``self`` towards ``other``. It moves with ``self``, unless the two are equal."""

@overload
def nonzero(input: Tensor, *, as_tuple: Literal[False] = False) -> Tensor:
    """The indices of the elements that are not zero: a row for each, or a tuple with a vector for each dim."""
@overload
def nonzero(input: Tensor, *, as_tuple: Literal[True]) -> tuple[Tensor, ...]:
    """The indices of the elements that are not zero: a row for each, or a tuple with a vector for each dim."""

def nonzero_static(self: Tensor, *, size: _int, fill_value: _int = -1, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The first ``size`` places that ``nonzero`` finds, and rows of ``fill_value`` if there are fewer."""

def norm(input: Tensor, p: Number | str | None = 'fro', dim: Dims | None = None, keepdim: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None, dtype: _dtype | None = None) -> Tensor:
    """The p-norm of all entries, or over the dims in ``dim``. Its gradient at 0 is 0."""

def norm_except_dim(v: Tensor, pow: _int = 2, dim: _int = 0) -> Tensor:
    """The norms over all dims but one, which are kept with size 1; with dim=-1, over all dims."""

def normal(mean: Tensor | _float = 0.0, std: Tensor | _float = 1.0, size: Sizes | None = None, *, generator: _Generator | None = None, dtype: _dtype | None = None, device: Device | None = None, requires_grad: _bool = False, layout: _layout | None = None, pin_memory: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Random numbers from normal distributions; ``mean`` and ``std`` are tensors, with one draw for each element, or numbers, with a ``size``."""

def not_equal(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Where ``self`` differs from ``other``, as a bool tensor; nan differs from everything."""

def nuclear_norm(self: Tensor, dim: Any = None, keepdim: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Any:
    """The sum of the singular values of a matrix, or of those in two dims. Deprecated."""

def ones(*shape: _int | Sizes, size: Sizes | None = None, dtype: _dtype | None = None, device: Device | None = None, requires_grad: _bool = False, layout: _layout | None = None, pin_memory: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A tensor of ones."""

def ones_like(input: Tensor, *, dtype: _dtype | None = None, device: Device | None = None, requires_grad: _bool = False, layout: _layout | None = None, pin_memory: _bool = False, memory_format: _memory_format | None = None) -> Tensor:
    """Ones with the shape and dtype of ``input``."""

def orgqr(self: Tensor, input2: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Another name of :func:`linalg.householder_product`."""

def ormqr(self: Tensor, input2: Tensor, input3: Tensor, left: _bool = True, transpose: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The product of Q and a matrix, where Q is the whole product of reflections that ``geqrf`` returns."""

def outer(self: Tensor, vec2: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """All products of an entry of one vector and an entry of the other, as a matrix."""

def pairwise_distance(x1: Tensor, x2: Tensor, p: _float = 2.0, eps: _float = 1e-06, keepdim: _bool = False) -> Tensor:
    """The ``p``-norms of ``x1 - x2 + eps`` along the last dim."""

def pdist(input: Tensor, p: _float = 2.0) -> Tensor:
    """The distances between the rows of a matrix, each pair once: those of ``cdist`` above the diagonal, in one dim."""

@overload
def permute(self: Tensor, dims: Dims) -> Tensor:
    """The dims in another order; a view."""
@overload
def permute(self: Tensor, *dims: _int) -> Tensor:
    """The dims in another order; a view."""

def permute_copy(self: Tensor, dims: Dims, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A copy of what ``permute`` shows: no write to it reaches ``self``."""

def pinverse(self: Tensor, rcond: _float = 1e-15) -> Tensor:
    """The pseudoinverse of a matrix; ``linalg.pinv``."""

def pixel_shuffle(self: Tensor, upscale_factor: _int) -> Tensor:
    """Elements of ``upscale_factor`` squared channels, beside and below each other: (..., C r^2, H, W) becomes (..., C, H r, W r)."""

def pixel_unshuffle(self: Tensor, downscale_factor: _int) -> Tensor:
    """Blocks of ``downscale_factor`` squared elements as channels: (..., C, H r, W r) becomes (..., C r^2, H, W). It undoes ``pixel_shuffle``."""

def poisson_nll_loss(input: Tensor, target: Tensor, log_input: _bool, full: _bool, eps: _float, reduction: _int) -> Tensor:
    """``nn.functional.poisson_nll_loss``, with the reduction as a number: 0 is none, 1 the mean, 2 the sum."""

def polar(abs: Tensor, angle: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The complex tensor with these absolute values and angles (in radians)."""

def polygamma(n: _int, input: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The derivative of order ``n`` of ``digamma``."""

def positive(self: Tensor) -> Tensor:
    """``self``, as it is; what ``+x`` means."""

@overload
def pow(self: Operand, exponent: Scalar, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``self`` to the power of ``exponent``; either may be a number. What ``**`` means."""
@overload
def pow(self: Operand, exponent: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``self`` to the power of ``exponent``; either may be a number. What ``**`` means."""
@overload
def pow(self: Operand, exponent: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``self`` to the power of ``exponent``; either may be a number. What ``**`` means."""

def prelu(self: Tensor, weight: Tensor) -> Tensor:
    """``self`` above 0, and ``weight * self`` below: a slope that is learned (He et al., Delving deep into rectifiers)."""

@overload
def prod(self: Tensor, *, dtype: _dtype | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The product of all entries, or over one ``dim``. Gradients are right even with zeros among the entries."""
@overload
def prod(self: Tensor, dim: _int, keepdim: _bool = False, *, dtype: _dtype | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The product of all entries, or over one ``dim``. Gradients are right even with zeros among the entries."""

def put(self: Tensor, index: Tensor, source: Tensor, accumulate: _bool = False) -> Tensor:
    """A copy of ``self`` with ``source`` written (or added, with ``accumulate``) at flat positions."""

def qr(self: Tensor, some: _bool = True, *, out: Tensor | tuple[Tensor, ...] | None = None) -> QR:
    """Q and R of a matrix. Deprecated: it is ``linalg.qr``."""

def quantile(self: Tensor, q: Any, dim: _int | None = None, keepdim: _bool = False, *, interpolation: str = 'linear', out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The entry below which the fraction ``q`` of all entries lies, of all or along ``dim``; nan if any entry is nan."""

def rad2deg(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Radians as degrees."""

def rad2deg_(self: Tensor) -> Tensor:
    """The in-place form of :func:`rad2deg`: the tensor takes the result."""

def rand(*shape: _int | Sizes, size: Sizes | None = None, generator: _Generator | None = None, dtype: _dtype | None = None, device: Device | None = None, requires_grad: _bool = False, layout: _layout | None = None, pin_memory: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Uniform random numbers in [0, 1)."""

def rand_like(input: Tensor, *, generator: _Generator | None = None, dtype: _dtype | None = None, device: Device | None = None, requires_grad: _bool = False, layout: _layout | None = None, pin_memory: _bool = False, memory_format: _memory_format | None = None) -> Tensor:
    """Uniform random numbers in [0, 1), with the shape and dtype of ``input``."""

def randint(*bounds: _int | Sizes, low: _int = 0, high: _int | None = None, size: Sizes | None = None, generator: _Generator | None = None, dtype: _dtype | None = None, device: Device | None = None, requires_grad: _bool = False, layout: _layout | None = None, pin_memory: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``randint(high, size)`` or ``randint(low, high, size)``: random integers from ``low`` to below ``high``."""

def randint_like(input: Tensor, *bounds: _int | Sizes, low: _int = 0, high: _int | None = None, generator: _Generator | None = None, dtype: _dtype | None = None, device: Device | None = None, requires_grad: _bool = False, layout: _layout | None = None, pin_memory: _bool = False, memory_format: _memory_format | None = None) -> Tensor:
    """``randint_like(x, high)`` or ``randint_like(x, low, high)``: random integers with the shape and dtype of ``x``."""

def randn(*shape: _int | Sizes, size: Sizes | None = None, generator: _Generator | None = None, dtype: _dtype | None = None, device: Device | None = None, requires_grad: _bool = False, layout: _layout | None = None, pin_memory: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Random numbers from the normal distribution with mean 0 and variance 1."""

def randn_like(input: Tensor, *, generator: _Generator | None = None, dtype: _dtype | None = None, device: Device | None = None, requires_grad: _bool = False, layout: _layout | None = None, pin_memory: _bool = False, memory_format: _memory_format | None = None) -> Tensor:
    """Random numbers from the normal distribution with mean 0 and variance 1, with the shape and dtype of ``input``."""

def randperm(n: _int, *, generator: _Generator | None = None, dtype: _dtype | None = None, device: Device | None = None, requires_grad: _bool = False, layout: _layout | None = None, pin_memory: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The integers below ``n`` in random order."""

def ravel(self: Tensor) -> Tensor:
    """All elements in one dim: a view if they lie in order in memory, else a copy."""

def real(self: Tensor) -> Tensor:
    """The real part: a view of the same memory (of a real tensor: all of it)."""

def reciprocal(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``1 / self``, elementwise."""

def reciprocal_(self: Tensor) -> Tensor:
    """The in-place form of :func:`reciprocal`: the tensor takes the result."""

def relu(self: Tensor) -> Tensor:
    """``max(self, 0)``; its slope at 0 is 0."""

def relu_(self: Tensor) -> Tensor:
    """The in-place form of :func:`relu`: the tensor takes the result."""

@overload
def remainder(self: Tensor, other: Scalar, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """What is left of ``self`` after division by ``other``, with the sign of ``other``: Python's ``%``."""
@overload
def remainder(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """What is left of ``self`` after division by ``other``, with the sign of ``other``: Python's ``%``."""

def renorm(self: Tensor, p: Scalar, dim: _int, maxnorm: Scalar, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``self`` with the parts along ``dim`` whose p-norm is above ``maxnorm`` scaled to have that norm."""

@overload
def repeat(self: Tensor, repeats: Dims) -> Tensor:
    """Copies of the tensor side by side, as many along each dim as the numbers say; more numbers than dims make new dims."""
@overload
def repeat(self: Tensor, *repeats: _int) -> Tensor:
    """Copies of the tensor side by side, as many along each dim as the numbers say; more numbers than dims make new dims."""

def repeat_interleave(self: Tensor, repeats: Tensor | _int | None = None, dim: _int | None = None, *, output_size: _int | None = None) -> Tensor:
    """Each part along ``dim``, or without ``dim`` each element, as often as ``repeats`` says: a number or a vector."""

def reshape(self: Tensor, *sizes: _int | Sizes, shape: Sizes | None = None) -> Tensor:
    """The elements of ``self``, in their order, under another shape: a view if possible, else a copy."""

def reshape_as(self: Tensor, other: Operand) -> Tensor:
    """``self.reshape(other.shape)``."""

def resize_as_(self: Tensor, the_template: Tensor, *, memory_format: _memory_format | None = None) -> Tensor:
    """``self`` takes the shape of another tensor, as ``resize_`` does."""

def resolve_conj(self: Tensor) -> Tensor:
    """``self``: conjugates are never lazy here."""

def resolve_neg(self: Tensor) -> Tensor:
    """``self``: negations are never lazy here."""

def rms_norm(input: Tensor, normalized_shape: Sizes, weight: Tensor | None = None, eps: _float | None = None) -> Tensor:
    """``nn.functional.rms_norm``."""

def roll(self: Tensor, shifts: Dims, dims: Dims | None = ()) -> Tensor:
    """Elements moved by ``shifts`` places along ``dims``; those that leave at one end enter at the other."""

def rot90(self: Tensor, k: _int = 1, dims: Dims = (0, 1)) -> Tensor:
    """A copy turned by ``k`` quarter turns, from the first dim towards the second."""

@overload
def round(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The nearest integer, or the nearest number with this many ``decimals``; halves go to the even one."""
@overload
def round(self: Tensor, *, decimals: _int, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The nearest integer, or the nearest number with this many ``decimals``; halves go to the even one."""

@overload
def round_(self: Tensor) -> Tensor:
    """The in-place form of :func:`round`: the tensor takes the result."""
@overload
def round_(self: Tensor, *, decimals: _int) -> Tensor:
    """The in-place form of :func:`round`: the tensor takes the result."""

def row_stack(tensors: Tensors, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The tensors below one another: along dim 0, vectors as rows."""

def rsqrt(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """One divided by the square root."""

def rsqrt_(self: Tensor) -> Tensor:
    """The in-place form of :func:`rsqrt`: the tensor takes the result."""

@overload
def rsub(self: Tensor, other: Scalar, *, alpha: Scalar = 1) -> Tensor:
    """``other - alpha * self``: subtraction with its arguments exchanged."""
@overload
def rsub(self: Tensor, other: Operand, *, alpha: Scalar = 1) -> Tensor:
    """``other - alpha * self``: subtraction with its arguments exchanged."""

def scalar_tensor(s: Number, *, dtype: _dtype | None = None, layout: _layout | None = None, device: Device | None = None, pin_memory: _bool = False, requires_grad: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A tensor without dims that holds a number, in the default dtype if none is given."""

@overload
def scatter(self: Tensor, dim: _int, index: Tensor, src: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A copy of ``self`` with ``src`` (a tensor) or ``value`` (a number) written at the places ``index`` along ``dim``."""
@overload
def scatter(self: Tensor, dim: _int, index: Tensor, value: Scalar, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A copy of ``self`` with ``src`` (a tensor) or ``value`` (a number) written at the places ``index`` along ``dim``."""
@overload
def scatter(self: Tensor, dim: _int, index: Tensor, src: Tensor, *, reduce: str, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A copy of ``self`` with ``src`` (a tensor) or ``value`` (a number) written at the places ``index`` along ``dim``."""
@overload
def scatter(self: Tensor, dim: _int, index: Tensor, value: Scalar, *, reduce: str, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A copy of ``self`` with ``src`` (a tensor) or ``value`` (a number) written at the places ``index`` along ``dim``."""

def scatter_add(self: Tensor, dim: _int, index: Tensor, src: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A copy of ``self`` with ``src`` added at the places ``index`` along ``dim``."""

def scatter_reduce(self: Tensor, dim: _int, index: Tensor, src: Tensor, reduce: str, *, include_self: _bool = True, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A copy of ``self`` in which ``src`` is reduced into the places ``index`` along ``dim``."""

def searchsorted(sorted_sequence: Tensor, input: Tensor | Scalar | None, *, out_int32: _bool = False, right: _bool = False, side: Literal['left', 'right'] | None = None, sorter: Tensor | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Where to insert each value so that the sequence stays sorted: before equal entries, or after them (``right``)."""

def segment_reduce(data: Tensor, reduce: str, *, lengths: Tensor | None = None, indices: Tensor | None = None, offsets: Tensor | None = None, axis: _int = 0, unsafe: _bool = False, initial: Scalar | None = None) -> Tensor:
    """Each segment of ``data`` along ``axis`` reduced to one element: "sum", "mean", "prod", "max" or "min"."""

def select(self: Tensor, dim: _int, index: _int) -> Tensor:
    """The part at one index of ``dim``, without that dim; a view."""

def select_copy(self: Tensor, dim: _int, index: _int, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A copy of what ``select`` shows: no write to it reaches ``self``."""

def select_scatter(self: Tensor, src: Tensor, dim: _int, index: _int) -> Tensor:
    """A copy with ``src`` at one index of ``dim``."""

def selu(self: Tensor) -> Tensor:
    """``elu`` with the scales that keep mean 0 and variance 1 through many layers (Klambauer et al., 2017)."""

def selu_(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """The in-place form of :func:`selu`: ``input`` takes the result, and is returned."""

def sgn(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``z / |z|``, and 0 at 0: the sign of real numbers, the direction of complex ones."""

def sigmoid(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The logistic function ``1 / (1 + exp(-self))``, with slope ``s * (1 - s)``."""

def sigmoid_(self: Tensor) -> Tensor:
    """The in-place form of :func:`sigmoid`: the tensor takes the result."""

def sign(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """-1, 0 or 1; 0 for nan."""

def signbit(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Where the sign bit of ``self`` is set, which tells -0. from 0."""

def sin(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The sine of an angle in radians."""

def sin_(self: Tensor) -> Tensor:
    """The in-place form of :func:`sin`: the tensor takes the result."""

def sinc(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``sin(pi x) / (pi x)``, and 1 at 0. Its derivatives are accurate near 0, too."""

def sinc_(self: Tensor) -> Tensor:
    """The in-place form of :func:`sinc`: the tensor takes the result."""

def sinh(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The hyperbolic sine."""

def sinh_(self: Tensor) -> Tensor:
    """The in-place form of :func:`sinh`: the tensor takes the result."""

def slice_copy(self: Tensor, dim: _int = 0, start: _int | None = None, end: _int | None = None, step: _int = 1, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A copy of what ``slice`` shows: no write to it reaches ``self``."""

def slice_inverse(self: Tensor, src: Tensor, dim: _int = 0, start: _int | None = None, end: _int | None = None, step: _int = 1) -> Tensor:
    """A view of the memory of ``self`` with the geometry of ``src``: all of what ``self`` is a slice of."""

def slice_scatter(self: Tensor, src: Tensor, dim: _int = 0, start: _int | None = None, end: _int | None = None, step: _int = 1, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A copy with ``src`` in a range of ``dim``."""

def slogdet(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> SignLogabsdet:
    """The sign of the determinant and the logarithm of its absolute value; ``linalg.slogdet``."""

def softmax(self: Tensor, dim: _int, dtype: _dtype | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``exp(self)`` divided by its sum over ``dim``; ``dtype`` converts the input first."""

def solve(self: Tensor, A: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Removed: it is ``linalg.solve``, whose arguments have the other order."""

def sort(self: Tensor, dim: _int = -1, descending: _bool = False, stable: _bool | None = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> ValuesIndices:
    """The entries sorted along ``dim``, and where they were. The order is always stable."""

def split(self: Tensor, split_size_or_sections: _int | Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
    """Pieces of one size along ``dim`` (the last may be smaller), or of the sizes in a list; views."""

def split_copy(self: Tensor, split_size: _int, dim: _int = 0, *, out: Tensor | tuple[Tensor, ...] | None = None) -> tuple[Tensor, ...]:
    """A copy of what ``split_equal`` shows: no write to it reaches ``self``."""

def split_with_sizes(self: Tensor, split_sizes: Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
    """Pieces of the given sizes along ``dim``, as a tuple of views."""

def split_with_sizes_copy(self: Tensor, split_sizes: Sequence[_int], dim: _int = 0, *, out: Tensor | tuple[Tensor, ...] | None = None) -> tuple[Tensor, ...]:
    """A copy of what ``split_with_sizes`` shows: no write to it reaches ``self``."""

def sqrt(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The square root; nan for negative real numbers."""

def sqrt_(self: Tensor) -> Tensor:
    """The in-place form of :func:`sqrt`: the tensor takes the result."""

def square(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``self * self``, recorded as ``self**2``."""

def square_(self: Tensor) -> Tensor:
    """The in-place form of :func:`square`: the tensor takes the result."""

@overload
def squeeze(self: Tensor) -> Tensor:
    """The dims of size one dropped: all of them, or only ``dim`` (an int or several). A view."""
@overload
def squeeze(self: Tensor, dim: _int) -> Tensor:
    """The dims of size one dropped: all of them, or only ``dim`` (an int or several). A view."""
@overload
def squeeze(self: Tensor, dim: Dims) -> Tensor:
    """The dims of size one dropped: all of them, or only ``dim`` (an int or several). A view."""

@overload
def squeeze_copy(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A copy of what ``squeeze`` shows: no write to it reaches ``self``."""
@overload
def squeeze_copy(self: Tensor, dim: _int, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A copy of what ``squeeze`` shows: no write to it reaches ``self``."""
@overload
def squeeze_copy(self: Tensor, dim: Dims, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A copy of what ``squeeze`` shows: no write to it reaches ``self``."""

def stack(tensors: Tensors, dim: _int = 0, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The tensors, all of one shape, side by side along a new dim."""

def std(self: Tensor, dim: Dims | None = None, unbiased: _bool | None = None, keepdim: _bool = False, *, correction: Number | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The standard deviation, the square root of ``var``; where it is 0 the gradient is 0."""

def std_mean(self: Tensor, dim: Dims | None = None, unbiased: _bool | None = None, keepdim: _bool = False, *, correction: Number | None = None) -> tuple[Tensor, Tensor]:
    """The pair (standard deviation, mean)."""

def stft(input: Tensor, n_fft: _int, hop_length: _int | None = None, win_length: _int | None = None, window: Tensor | None = None, center: _bool = True, pad_mode: str = 'reflect', normalized: _bool = False, onesided: _bool | None = None, return_complex: _bool | None = None, align_to_window: _bool | None = None) -> Tensor:
    """The short-time Fourier transform: a row for each frequency, a column for each frame."""

def sub(self: Tensor, other: Operand, *, alpha: Scalar = 1, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The difference, elementwise: ``self - alpha * other``, with broadcasting and type promotion."""

def subtract(self: Tensor, other: Operand, *, alpha: Scalar = 1, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The difference, elementwise: ``self - alpha * other``, with broadcasting and type promotion."""

@overload
def sum(self: Tensor, *, dtype: _dtype | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The sum of all entries, or over the dims in ``dim`` (an int or a tuple; ``()`` means all)."""
@overload
def sum(self: Tensor, dim: Dims | None = None, keepdim: _bool = False, *, dtype: _dtype | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The sum of all entries, or over the dims in ``dim`` (an int or a tuple; ``()`` means all)."""

def sum_to_size(self: Tensor, *sizes: _int | Sizes, size: Sizes | None = None) -> Tensor:
    """The sum over dims that leaves the shape ``size``, which must broadcast to the shape of ``self``."""

def svd(self: Tensor, some: _bool = True, compute_uv: _bool = True, *, out: Tensor | tuple[Tensor, ...] | None = None) -> OldSVD:
    """The singular value decomposition U diag(S) V^H; prefer ``linalg.svd``, which returns V^H."""

def swapaxes(self: Tensor, dim0: _int, dim1: _int) -> Tensor:
    """Two dims exchanged; a view."""

def swapdims(self: Tensor, dim0: _int, dim1: _int) -> Tensor:
    """Two dims exchanged; a view."""

def symeig(self: Tensor, eigenvectors: _bool = False, upper: _bool = True, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Any:
    """Removed: it is ``linalg.eigh``, or without vectors ``linalg.eigvalsh``."""

def t(self: Tensor) -> Tensor:
    """The transpose of a matrix; a view. Tensors with fewer dims stay as they are."""

def t_copy(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A copy of what ``t`` shows: no write to it reaches ``self``."""

def take(self: Tensor, index: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The elements with these numbers in the flat tensor; the result has the shape of ``index``."""

def take_along_dim(self: Tensor, indices: Tensor, dim: _int | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``gather`` with broadcasting in the other dims, or from the flat tensor if ``dim`` is left out."""

def tan(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The tangent of an angle in radians."""

def tan_(self: Tensor) -> Tensor:
    """The in-place form of :func:`tan`: the tensor takes the result."""

def tanh(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The hyperbolic tangent, with slope ``1 - tanh(x)**2``."""

def tanh_(self: Tensor) -> Tensor:
    """The in-place form of :func:`tanh`: the tensor takes the result."""

def tensor(data: TensorLike, *, dtype: _dtype | None = None, device: Device | None = None, requires_grad: _bool = False, pin_memory: _bool = False) -> Tensor:
    """A tensor with a copy of ``data``: a number, nested sequences of numbers, an array."""

def tensor_split(self: Tensor, indices_or_sections: _int | Sequence[_int] | Tensor, dim: _int = 0) -> tuple[Tensor, ...]:
    """As many nearly equal pieces as an int says, or pieces cut at the given indices; views."""

def tensordot(a: Tensor, b: Tensor, dims: Any = 2, out: Tensor | None = None) -> Tensor:
    """The sums of products over several dims at once: the last ``dims`` of a with the first of b, or two lists of dims, which may be the rows of a tensor."""

def threshold(self: Tensor, threshold: Number, value: Number, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``self`` where it is above ``threshold``, and ``value`` elsewhere."""

def threshold_(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """The in-place form of :func:`threshold`: ``input`` takes the result, and is returned."""

def tile(self: Tensor, *times: _int | Sizes, dims: Sizes | None = None) -> Tensor:
    """``repeat``, with 1 for each number that is missing in front."""

def topk(self: Tensor, k: _int, dim: _int = -1, largest: _bool = True, sorted: _bool = True, *, out: Tensor | tuple[Tensor, ...] | None = None) -> ValuesIndices:
    """The k greatest entries along ``dim`` (or the least), in order, and where they are."""

def trace(self: Tensor) -> Tensor:
    """The sum of a matrix's diagonal."""

def transpose(self: Tensor, dim0: _int, dim1: _int) -> Tensor:
    """Two dims exchanged; a view."""

def transpose_copy(self: Tensor, dim0: _int, dim1: _int, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A copy of what ``transpose`` shows: no write to it reaches ``self``."""

def trapezoid(y: Tensor, x: Tensor | None = None, *, dx: Scalar | None = None, dim: _int = -1) -> Tensor:
    """The integral by the trapezoidal rule of ``y`` along ``dim``, at the points ``x``, or ``dx`` apart (1 by default)."""

def trapz(y: Tensor, x: Tensor | None = None, *, dx: Scalar | None = None, dim: _int = -1) -> Tensor:
    """Another name of ``trapezoid``."""

def triangular_solve(self: Tensor, A: Tensor, upper: _bool = True, transpose: _bool = False, unitriangular: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Any:
    """X in A X = ``self``, for a triangular A, and a copy of A. Deprecated: it is ``linalg.solve_triangular``."""

def tril(self: Tensor, diagonal: _int = 0, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The lower triangle of a matrix (or a batch), up to the given diagonal; zeros above it."""

def tril_indices(row: _int, col: _int, offset: _int = 0, *, dtype: _dtype | None = ..., device: Device | None = None, requires_grad: _bool = False, layout: _layout | None = None, pin_memory: _bool = False) -> Tensor:
    """The positions on and below the ``offset``-th diagonal of a ``row`` by ``col`` matrix: row numbers, column numbers."""

def triplet_margin_loss(anchor: Tensor, positive: Tensor, negative: Tensor, margin: _float = 1.0, p: _float = 2.0, eps: _float = 1e-06, swap: _bool = False, reduction: _int = 0) -> Tensor:
    """``nn.functional.triplet_margin_loss``, with the reduction as a number: 0 is none, 1 the mean, 2 the sum."""

def triu(self: Tensor, diagonal: _int = 0, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The upper triangle of a matrix (or a batch), from the given diagonal on; zeros below it."""

def triu_indices(row: _int, col: _int, offset: _int = 0, *, dtype: _dtype | None = ..., device: Device | None = None, requires_grad: _bool = False, layout: _layout | None = None, pin_memory: _bool = False) -> Tensor:
    """The positions on and above the ``offset``-th diagonal of a ``row`` by ``col`` matrix: row numbers, column numbers."""

def true_divide(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``self / other``, elementwise: ``div`` without rounding."""

def trunc(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The whole part: rounding towards zero."""

def trunc_(self: Tensor) -> Tensor:
    """The in-place form of :func:`trunc`: the tensor takes the result."""

def unbind(self: Tensor, dim: _int = 0) -> tuple[Tensor, ...]:
    """All parts along ``dim``, as a tuple of views: ``for row in x`` iterates over them."""

def unbind_copy(self: Tensor, dim: _int = 0, *, out: Tensor | tuple[Tensor, ...] | None = None) -> tuple[Tensor, ...]:
    """A copy of what ``unbind`` shows: no write to it reaches ``self``."""

def unflatten(self: Tensor, dim: _int, sizes: Sizes) -> Tensor:
    """One dim as several, which have these ``sizes``; one of them may be -1."""

def unfold(self: Tensor, dimension: _int, size: _int, step: _int) -> Tensor:
    """All windows of ``size`` elements along a dim, ``step`` apart; the window is the last dim. A view."""

def unfold_copy(self: Tensor, dimension: _int, size: _int, step: _int, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A copy of what ``unfold`` shows: no write to it reaches ``self``."""

@overload
def unique(input: Tensor, sorted: _bool = True, return_inverse: Literal[False] = False, return_counts: Literal[False] = False, dim: _int | None = None) -> Tensor:
    """The distinct entries in ascending order, or the distinct slices along ``dim``. Of equal entries the first gets the gradient."""
@overload
def unique(input: Tensor, sorted: _bool = True, *, return_inverse: Literal[True], return_counts: Literal[False] = False, dim: _int | None = None) -> tuple[Tensor, Tensor]:
    """The distinct entries in ascending order, or the distinct slices along ``dim``. Of equal entries the first gets the gradient."""
@overload
def unique(input: Tensor, sorted: _bool = True, *, return_inverse: Literal[False] = False, return_counts: Literal[True], dim: _int | None = None) -> tuple[Tensor, Tensor]:
    """The distinct entries in ascending order, or the distinct slices along ``dim``. Of equal entries the first gets the gradient."""
@overload
def unique(input: Tensor, sorted: _bool = True, *, return_inverse: Literal[True], return_counts: Literal[True], dim: _int | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """The distinct entries in ascending order, or the distinct slices along ``dim``. Of equal entries the first gets the gradient."""

@overload
def unique_consecutive(input: Tensor, return_inverse: Literal[False] = False, return_counts: Literal[False] = False, dim: _int | None = None) -> Tensor:
    """One entry for each run of equal ones."""
@overload
def unique_consecutive(input: Tensor, *, return_inverse: Literal[True], return_counts: Literal[False] = False, dim: _int | None = None) -> tuple[Tensor, Tensor]:
    """One entry for each run of equal ones."""
@overload
def unique_consecutive(input: Tensor, *, return_inverse: Literal[False] = False, return_counts: Literal[True], dim: _int | None = None) -> tuple[Tensor, Tensor]:
    """One entry for each run of equal ones."""
@overload
def unique_consecutive(input: Tensor, *, return_inverse: Literal[True], return_counts: Literal[True], dim: _int | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """One entry for each run of equal ones."""

def unravel_index(indices: Tensor, shape: Any) -> tuple[Tensor, ...]:
    """The coordinates, in a tensor of this shape, of elements that are given by their numbers in the flat tensor."""

def unsafe_chunk(self: Tensor, chunks: _int, dim: _int = 0) -> tuple[Tensor, ...]:
    """Copies of the pieces that ``chunk`` shows."""

def unsafe_split(self: Tensor, split_size: _int, dim: _int = 0) -> tuple[Tensor, ...]:
    """A copy of what ``split_equal`` shows: no write to it reaches ``self``."""

def unsafe_split_with_sizes(self: Tensor, split_sizes: Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
    """A copy of what ``split_with_sizes`` shows: no write to it reaches ``self``."""

def unsqueeze(self: Tensor, dim: _int) -> Tensor:
    """A new dim of size one at place ``dim``; a view."""

def unsqueeze_copy(self: Tensor, dim: _int, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A copy of what ``unsqueeze`` shows: no write to it reaches ``self``."""

def vander(x: Tensor, N: _int | None = None, increasing: _bool = False) -> Tensor:
    """The powers N - 1 to 0 of each number of a vector, or 0 to N - 1 if they are ``increasing``, in columns."""

def var(self: Tensor, dim: Dims | None = None, unbiased: _bool | None = None, keepdim: _bool = False, *, correction: Number | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The variance: the mean squared distance from the mean, with n - ``correction`` (default 1) instead of n."""

def var_mean(self: Tensor, dim: Dims | None = None, unbiased: _bool | None = None, keepdim: _bool = False, *, correction: Number | None = None) -> tuple[Tensor, Tensor]:
    """The pair (variance, mean)."""

def vdot(self: Tensor, other: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inner product of two vectors: the first one is conjugated."""

@overload
def view(self: Tensor, size: Sizes) -> Tensor:
    """The same memory under another shape (one size may be -1), or read as another dtype."""
@overload
def view(self: Tensor, *size: _int) -> Tensor:
    """The same memory under another shape (one size may be -1), or read as another dtype."""
@overload
def view(self: Tensor, dtype: _dtype) -> Tensor:
    """The same memory under another shape (one size may be -1), or read as another dtype."""

def view_as(self: Tensor, other: Operand) -> Tensor:
    """``self.view(other.shape)``."""

def view_as_complex(self: Tensor) -> Tensor:
    """A complex view of a real tensor whose last dim, of size 2, holds real and imaginary parts."""

def view_as_complex_copy(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A copy of what ``view_as_complex`` shows: no write to it reaches ``self``."""

def view_as_real(self: Tensor) -> Tensor:
    """A view with a last dim of size 2 for the real and the imaginary part."""

def view_as_real_copy(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A copy of what ``view_as_real`` shows: no write to it reaches ``self``."""

@overload
def view_copy(self: Tensor, size: Sizes, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A copy of what ``view`` shows: no write to it reaches ``self``."""
@overload
def view_copy(self: Tensor, dtype: _dtype, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A copy of what ``view`` shows: no write to it reaches ``self``."""

def vsplit(self: Tensor, indices_or_sections: _int | Sequence[_int] | Tensor) -> tuple[Tensor, ...]:
    """Pieces one below the other, along dim 0: the way back from ``vstack``. As ``hsplit`` otherwise."""

def vstack(tensors: Tensors, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The tensors below one another: along dim 0, vectors as rows."""

@overload
def where(condition: Tensor) -> tuple[Tensor, ...]:
    """Elements of ``input`` where the bool tensor ``condition`` is True, of ``other`` elsewhere; with broadcasting."""
@overload
def where(condition: Tensor, input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Elements of ``input`` where the bool tensor ``condition`` is True, of ``other`` elsewhere; with broadcasting."""

def xlogy(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``self * log(other)``, and 0 where ``self`` is 0, whatever the logarithm is: as in entropies."""

def xlogy_(self: Tensor, other: Operand) -> Tensor:
    """The in-place form of :func:`xlogy`: the tensor takes the result."""

def zero_(self: Tensor) -> Tensor:
    """Fill with zeros."""

def zeros(*shape: _int | Sizes, size: Sizes | None = None, dtype: _dtype | None = None, device: Device | None = None, requires_grad: _bool = False, layout: _layout | None = None, pin_memory: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A tensor of zeros."""

def zeros_like(input: Tensor, *, dtype: _dtype | None = None, device: Device | None = None, requires_grad: _bool = False, layout: _layout | None = None, pin_memory: _bool = False, memory_format: _memory_format | None = None) -> Tensor:
    """Zeros with the shape and dtype of ``input``."""
