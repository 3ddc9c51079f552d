"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format

from minigrad import broadcast_tensors as broadcast_tensors
from minigrad import random as random
from minigrad._core.composites import Composite as Composite
from minigrad._core.errors import error as error
from minigrad._core.graph import Tensor as Tensor
from minigrad._core.graph import ValuesIndices, MinMax, SignLogabsdet, MantissaExponent, QR, Reflectors, SVD, OldSVD, Eigen, PLU, LUFactor, LUFactorEx, LDLFactor, LDLFactorEx, InvEx, SolveEx, CholeskyEx, TriangularSolve, LeastSquares
from minigrad.arrays import number as number
from minigrad.nn.slopes import rrelu_ as rrelu_
from minigrad.ops.dims import one_int as one_int

IN_PLACE: Any
NN_REGISTRY: Any
div: Any
in_place: Any
mul: Any
sigmoid: Any
sum_dim: Any
tanh: Any

def batch_norm(input: Tensor, running_mean: Tensor | None, running_var: Tensor | None, weight: Tensor | None = None, bias: Tensor | None = None, training: _bool = False, momentum: _float = 0.1, eps: _float = 1e-05) -> Tensor:
    """Each channel of ``input``, of shape (N, C, ...), minus its mean, divided by its deviation."""

def binary_cross_entropy(input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: _bool | None = None, reduce: _bool | None = None, reduction: str = 'mean') -> Tensor:
    """Minus the log-probability of the right answer, where ``input`` holds the probabilities of "yes"."""

def binary_cross_entropy_with_logits(input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: _bool | None = None, reduce: _bool | None = None, reduction: str = 'mean', pos_weight: Tensor | None = None) -> Tensor:
    """``binary_cross_entropy`` of ``sigmoid(input)``, without overflow: ``input`` holds scores of any size."""

def celu(self: Tensor, alpha: Scalar = 1.0, inplace: _bool = False) -> Tensor:
    """``self`` above 0, ``alpha * (exp(self / alpha) - 1)`` below: its slope at 0 is 1 for any ``alpha``."""

def celu_(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """The in-place form of :func:`celu`: ``input`` takes the result, and is returned."""

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

def cosine_similarity(x1: Tensor, x2: Tensor, dim: _int = 1, eps: _float = 1e-08) -> Tensor:
    """The cosine of the angle between vectors along ``dim``; ``eps`` bounds their lengths from below."""

def cross_entropy(input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: _bool | None = None, ignore_index: _int = -100, reduce: _bool | None = None, reduction: str = 'mean', label_smoothing: _float = 0.0) -> Tensor:
    """Minus the log-probability of the right class, where ``input`` holds unnormalised scores."""

def dropout(input: Tensor, p: Number = 0.5, training: _bool = True, inplace: _bool = False) -> Tensor:
    """In training, each element becomes 0 with probability ``p``, and the others are scaled by ``1 / (1 - p)``."""

def elu(self: Tensor, alpha: Scalar = 1.0, inplace: _bool = False) -> Tensor:
    """``self`` above 0, ``alpha * (exp(self) - 1)`` below."""

def elu_(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """The in-place form of :func:`elu`: ``input`` takes the result, and is returned."""

def embedding(input: Tensor, weight: Tensor, padding_idx: _int | None = None, max_norm: Scalar | None = None, norm_type: Number = 2.0, scale_grad_by_freq: _bool = False, sparse: _bool = False) -> Tensor:
    """The rows of the matrix ``weight`` with the numbers in ``input`` (int64, any shape)."""

def fold(input: Tensor, output_size: Dims, kernel_size: Dims, dilation: Dims = 1, padding: Dims = 0, stride: Dims = 1) -> Tensor:
    """Columns added up where their windows were in an image of ``output_size``: the transpose of :func:`unfold`."""

def gelu(self: Tensor, *, approximate: str = 'none') -> Tensor:
    """``input`` times the normal distribution function of ``input``; ``approximate="tanh"`` replaces that by a tanh."""

def glu(self: Tensor, dim: _int = -1) -> Tensor:
    """The first half of ``self`` along ``dim``, times the sigmoid of the second half (Dauphin et al., Language modeling with gated convolutional networks, 2017)."""

def group_norm(input: Tensor, num_groups: _int, weight: Tensor | None = None, bias: Tensor | None = None, eps: _float = 1e-05) -> Tensor:
    """Each of ``num_groups`` groups of channels of each sample, minus its mean, divided by its deviation."""

def hardshrink(self: Tensor, lambd: Number = 0.5, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """0 where ``self`` is from ``-lambd`` to ``lambd``, and ``self`` elsewhere."""

def hardsigmoid(self: Tensor, inplace: _bool = False) -> Tensor:
    """0 up to -3, 1 from 3 on, and ``self / 6 + 1 / 2`` between."""

def hardswish(self: Tensor, inplace: _bool = False) -> Tensor:
    """``self * hardsigmoid(self)``: 0 up to -3, ``self`` from 3 on (Howard et al., Searching for MobileNetV3, 2019)."""

def hardtanh(self: Tensor, min_val: Number = -1.0, max_val: Number = 1.0, inplace: _bool = False) -> Tensor:
    """``self`` limited to the range from ``min_val`` to ``max_val``; unlike ``clamp`` it stops the gradient at the bounds."""

def hardtanh_(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """The in-place form of :func:`hardtanh`: ``input`` takes the result, and is returned."""

def huber_loss(input: Tensor, target: Tensor, reduction: str = 'mean', delta: _float = 1.0, weight: Tensor | None = None) -> Tensor:
    """Half the squared differences up to ``delta``, a straight line beyond: ``delta * smooth_l1_loss(beta=delta)``."""

def instance_norm(input: Tensor, running_mean: Tensor | None = None, running_var: Tensor | None = None, weight: Tensor | None = None, bias: Tensor | None = None, use_input_stats: _bool = True, momentum: _float = 0.1, eps: _float = 1e-05) -> Tensor:
    """Each channel of each sample of ``input``, of shape (N, C, ...), minus its mean, divided by its deviation."""

def l1_loss(input: Tensor, target: Tensor, size_average: _bool | None = None, reduce: _bool | None = None, reduction: str = 'mean', weight: Tensor | None = None) -> Tensor:
    """The mean (or sum, or all) of the absolute differences."""

def layer_norm(input: Tensor, normalized_shape: Sizes, weight: Tensor | None = None, bias: Tensor | None = None, eps: _float = 1e-05) -> Tensor:
    """Each part over the last dims, which have the shape ``normalized_shape``, minus its mean, by its deviation."""

def leaky_relu(self: Tensor, negative_slope: Number = 0.01, inplace: _bool = False) -> Tensor:
    """``self`` above 0, ``negative_slope * self`` below."""

def leaky_relu_(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """The in-place form of :func:`leaky_relu`: ``input`` takes the result, and is returned."""

def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """``input @ weight.T + bias``: a fully connected layer."""

def local_response_norm(input: Tensor, size: _int, alpha: _float = 0.0001, beta: _float = 0.75, k: _float = 1.0) -> Tensor:
    """``input / (k + alpha m) ** beta``, where m is the mean square of ``size`` neighbouring channels."""

def log_softmax(input: Tensor, dim: _int | None = None, _stacklevel: _int = 3, dtype: _dtype | None = None) -> Tensor:
    """``log(softmax(input))`` over ``dim``, without overflow; ``dtype`` converts the input first."""

def logsigmoid(self: Tensor) -> Tensor:
    """``log(sigmoid(self))``, without underflow."""

def mish(self: Tensor, inplace: _bool = False) -> Tensor:
    """``self * tanh(softplus(self))``."""

def mse_loss(input: Tensor, target: Tensor, size_average: _bool | None = None, reduce: _bool | None = None, reduction: str = 'mean', weight: Tensor | None = None) -> Tensor:
    """The mean (or sum, or all) of the squared differences."""

def nll_loss(input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: _bool | None = None, ignore_index: _int = -100, reduce: _bool | None = None, reduction: str = 'mean') -> Tensor:
    """Minus the log-probability of the right class."""

def normalize(input: Tensor, p: Number = 2.0, dim: _int = 1, eps: _float = 1e-12, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``input`` divided by its ``p``-norm over ``dim``, or by ``eps`` if that is larger."""

def one_hot(input: Tensor, num_classes: _int = -1) -> Tensor:
    """Vectors with a one at the given class and zeros elsewhere, along a new last dim."""

def pad(input: Tensor, pad: Sizes, mode: str = 'constant', value: Number | None = None) -> Tensor:
    """More elements around a tensor: ``pad`` is (before, after) of the last dim, then of the one before it, and so on."""

def prelu(self: Tensor, weight: Tensor) -> Tensor:
    """``self`` above 0, and ``weight * self`` below: a slope that is learned (He et al., Delving deep into rectifiers)."""

def relu(self: Tensor, inplace: _bool = False) -> Tensor:
    """``max(self, 0)``; its slope at 0 is 0."""

def relu6(self: Tensor, inplace: _bool = False) -> Tensor:
    """``min(max(self, 0), 6)``, which is ``hardtanh`` from 0 to 6."""

def relu_(self: Tensor) -> Tensor:
    """The in-place form of :func:`relu`: ``input`` takes the result, and is returned."""

def rms_norm(input: Tensor, normalized_shape: Sizes, weight: Tensor | None = None, eps: _float | None = None) -> Tensor:
    """Each part over the last dims, of shape ``normalized_shape``, divided by the root of its mean square."""

def rrelu(input: Tensor, lower: _float = 0.125, upper: _float = 0.3333333333333333, training: _bool = False, inplace: _bool = False) -> Tensor:
    """``input`` above 0; below, ``input`` times a slope: drawn between the bounds in training, else their mean."""

def selu(self: Tensor, inplace: _bool = False) -> Tensor:
    """``elu`` with the scales that keep mean 0 and variance 1 through many layers (Klambauer et al., 2017)."""

def selu_(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """The in-place form of :func:`selu`: ``input`` takes the result, and is returned."""

def silu(self: Tensor, inplace: _bool = False) -> Tensor:
    """``self * sigmoid(self)``, also known as swish."""

def smooth_l1_loss(input: Tensor, target: Tensor, size_average: _bool | None = None, reduce: _bool | None = None, reduction: str = 'mean', beta: Scalar = 1.0) -> Tensor:
    """The absolute differences (less beta / 2), with the kink at 0 rounded by a parabola up to ``beta``."""

def softmax(input: Tensor, dim: _int | None = None, _stacklevel: _int = 3, dtype: _dtype | None = None) -> Tensor:
    """``exp(input)`` divided by its sum over ``dim``; ``dtype`` converts the input first."""

def softmin(input: Tensor, dim: _int | None = None, _stacklevel: _int = 3, dtype: _dtype | None = None) -> Tensor:
    """``softmax(-input)``."""

def softplus(self: Tensor, beta: Number = 1.0, threshold: Number = 20.0) -> Tensor:
    """``log(1 + exp(beta * self)) / beta``, a smooth relu; simply ``self`` where ``beta * self > threshold``."""

def softshrink(self: Tensor, lambd: Number = 0.5) -> Tensor:
    """``self`` moved towards 0 by ``lambd``, and 0 where it is nearer to 0 than that."""

def softsign(input: Tensor) -> Tensor:
    """``input / (1 + |input|)``."""

def tanhshrink(input: Tensor) -> Tensor:
    """``input - tanh(input)``."""

def threshold(self: Tensor, threshold: Number, value: Number, inplace: _bool = False) -> Tensor:
    """``self`` where it is above ``threshold``, and ``value`` elsewhere."""

def threshold_(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """The in-place form of :func:`threshold`: ``input`` takes the result, and is returned."""

def unfold(input: Tensor, kernel_size: Dims, dilation: Dims = 1, padding: Dims = 0, stride: Dims = 1) -> Tensor:
    """A column for each window of an image: shape (N, C * kernel elements, windows), or without N for one image."""
