"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format

from minigrad import bilinear as bilinear
from minigrad import cosine_similarity as cosine_similarity
from minigrad import pairwise_distance as pairwise_distance
from minigrad._core.dispatch.composites import Composite as Composite
from minigrad._core.errors import error as error
from minigrad._core.graph.graph import Tensor as Tensor
from minigrad._core.graph.graph import ValuesIndices, MinMax, SignLogabsdet, MantissaExponent, QR, Reflectors, SVD, OldSVD, Eigen, PLU, LUFactor, LUFactorEx, LDLFactor, LDLFactorEx, InvEx, SolveEx, CholeskyEx, TriangularSolve, LeastSquares
from minigrad.nn.attention import scaled_dot_product_attention as scaled_dot_product_attention
from minigrad.nn.dropping import alpha_dropout as alpha_dropout
from minigrad.nn.dropping import dropout as dropout
from minigrad.nn.dropping import dropout1d as dropout1d
from minigrad.nn.dropping import dropout2d as dropout2d
from minigrad.nn.dropping import dropout3d as dropout3d
from minigrad.nn.dropping import feature_alpha_dropout as feature_alpha_dropout
from minigrad.nn.dropping import gumbel_softmax as gumbel_softmax
from minigrad.nn.multi_head import multi_head_attention_forward as multi_head_attention_forward
from minigrad.nn.pooling import fractional_max_pool2d as fractional_max_pool2d
from minigrad.nn.pooling import fractional_max_pool2d_with_indices as fractional_max_pool2d_with_indices
from minigrad.nn.pooling import fractional_max_pool3d as fractional_max_pool3d
from minigrad.nn.pooling import fractional_max_pool3d_with_indices as fractional_max_pool3d_with_indices
from minigrad.nn.slopes import rrelu_ as rrelu_
from minigrad.ops.arguments import must_be_tensors as must_be_tensors

IN_PLACE: Any
NN_REGISTRY: Any
REGISTRY: Any
ROWS: Any
div: Any
sigmoid: Any
tanh: Any

def adaptive_avg_pool1d(self: Tensor, output_size: Dims) -> Tensor:
    """The means of ``output_size`` windows that cover each line and are as equal as can be."""

def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    """The means of windows that cover each plane and are as equal as can be; None leaves the size of a dim as it is."""

def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Tensor:
    """The means of windows that cover each volume and are as equal as can be; None leaves the size of a dim as it is."""

def adaptive_max_pool1d(input: Tensor, output_size: Any, return_indices: _bool = False) -> Tensor:
    """The largest elements of ``output_size`` windows that cover each plane and are as equal as can be; with ``return_indices`` their places in the flat planes too. None leaves the size of a dim as it is."""

def adaptive_max_pool1d_with_indices(input: Tensor, output_size: Any, return_indices: _bool = False) -> tuple[Tensor, ...]:
    """``adaptive_max_pool1d``, and where the largest elements are."""

def adaptive_max_pool2d(input: Tensor, output_size: Any, return_indices: _bool = False) -> Tensor:
    """The largest elements of ``output_size`` windows that cover each plane and are as equal as can be; with ``return_indices`` their places in the flat planes too. None leaves the size of a dim as it is."""

def adaptive_max_pool2d_with_indices(input: Tensor, output_size: Any, return_indices: _bool = False) -> tuple[Tensor, ...]:
    """``adaptive_max_pool2d``, and where the largest elements are."""

def adaptive_max_pool3d(input: Tensor, output_size: Any, return_indices: _bool = False) -> Tensor:
    """The largest elements of ``output_size`` windows that cover each plane and are as equal as can be; with ``return_indices`` their places in the flat planes too. None leaves the size of a dim as it is."""

def adaptive_max_pool3d_with_indices(input: Tensor, output_size: Any, return_indices: _bool = False) -> tuple[Tensor, ...]:
    """``adaptive_max_pool3d``, and where the largest elements are."""

def affine_grid(theta: Tensor, size: Sequence[_int], align_corners: _bool | None = None) -> Tensor:
    """The points of a grid for ``grid_sample``, each moved by a matrix: ``theta`` is (N, 2, 3), or (N, 3, 4)."""

def avg_pool1d(self: Tensor, kernel_size: Dims, stride: Dims | None = None, padding: Dims = 0, ceil_mode: _bool = False, count_include_pad: _bool = True) -> Tensor:
    """The mean of each window of ``kernel_size`` elements; the windows are ``stride`` apart, by default as much as they are long."""

def avg_pool2d(self: Tensor, kernel_size: Dims, stride: Dims | None = None, padding: Dims = 0, ceil_mode: _bool = False, count_include_pad: _bool = True, divisor_override: _int | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The mean of each window of ``kernel_size`` elements; the windows are ``stride`` apart, by default as much as they are long."""

def avg_pool3d(self: Tensor, kernel_size: Dims, stride: Dims | None = None, padding: Dims = 0, ceil_mode: _bool = False, count_include_pad: _bool = True, divisor_override: _int | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The mean of each window of ``kernel_size`` elements; the windows are ``stride`` apart, by default as much as they are long."""

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

def channel_shuffle(self: Tensor, groups: _int) -> Tensor:
    """The channels of the second dim in another order: the first of each of the ``groups``, then the second of each, and so on."""

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

def cosine_embedding_loss(input1: Tensor, input2: Tensor, target: Tensor, margin: _float = 0.0, size_average: _bool | None = None, reduce: _bool | None = None, reduction: str = 'mean') -> Tensor:
    """How far two vectors are from one direction where ``target`` is 1, or from different ones where it is -1."""

def cross_entropy(input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: _bool | None = None, ignore_index: _int = -100, reduce: _bool | None = None, reduction: str = 'mean', label_smoothing: _float = 0.0) -> Tensor:
    """Minus the log-probability of the right class, where ``input`` holds unnormalised scores."""

def ctc_loss(log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any, blank: _int = 0, reduction: str = 'mean', zero_infinity: _bool = False) -> Tensor:
    """Minus the log-probability of texts, over all ways in which repeated characters and blanks are read as them."""

def elu(self: Tensor, alpha: Scalar = 1.0, inplace: _bool = False) -> Tensor:
    """``self`` above 0, ``alpha * (exp(self) - 1)`` below."""

def elu_(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """The in-place form of :func:`elu`: ``input`` takes the result, and is returned."""

def embedding(input: Tensor, weight: Tensor, padding_idx: _int | None = None, max_norm: _float | None = None, norm_type: _float = 2.0, scale_grad_by_freq: _bool = False, sparse: _bool = False) -> Tensor:
    """The rows of the matrix ``weight`` with the numbers in ``input`` (int64, any shape)."""

def embedding_bag(input: Tensor, weight: Tensor, offsets: Tensor | None = None, max_norm: _float | None = None, norm_type: _float = 2, scale_grad_by_freq: _bool = False, mode: str = 'mean', sparse: _bool = False, per_sample_weights: Tensor | None = None, include_last_offset: _bool = False, padding_idx: _int | None = None) -> Tensor:
    """For each bag of row numbers the sum, the mean or the largest of these rows of the matrix ``weight``."""

def fold(input: Tensor, output_size: Dims, kernel_size: Dims, dilation: Dims = 1, padding: Dims = 0, stride: Dims = 1) -> Tensor:
    """Columns added up where their windows were in an image of ``output_size``: the transpose of :func:`unfold`."""

def gaussian_nll_loss(input: Tensor, target: Tensor, var: Any, full: _bool = False, eps: _float = 1e-06, reduction: str = 'mean') -> Tensor:
    """Minus the log-density of ``target`` in a normal distribution with mean ``input`` and variance ``var``."""

def gelu(self: Tensor, *, approximate: str = 'none') -> Tensor:
    """``input`` times the normal distribution function of ``input``; ``approximate="tanh"`` replaces that by a tanh."""

def glu(self: Tensor, dim: _int = -1) -> Tensor:
    """The first half of ``self`` along ``dim``, times the sigmoid of the second half (Dauphin et al., Language modeling with gated convolutional networks, 2017)."""

def grid_sample(input: Tensor, grid: Tensor, mode: str = 'bilinear', padding_mode: str = 'zeros', align_corners: _bool | None = None) -> Tensor:
    """The values of planes at the points of a grid."""

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

def hinge_embedding_loss(input: Tensor, target: Tensor, margin: _float = 1.0, size_average: _bool | None = None, reduce: _bool | None = None, reduction: str = 'mean') -> Tensor:
    """``input``, a distance, where ``target`` is 1, and what it lacks to the margin where ``target`` is -1."""

def huber_loss(input: Tensor, target: Tensor, reduction: str = 'mean', delta: _float = 1.0, weight: Tensor | None = None) -> Tensor:
    """Half the squared differences up to ``delta``, a straight line beyond: ``delta * smooth_l1_loss(beta=delta)``."""

def instance_norm(input: Tensor, running_mean: Tensor | None = None, running_var: Tensor | None = None, weight: Tensor | None = None, bias: Tensor | None = None, use_input_stats: _bool = True, momentum: _float = 0.1, eps: _float = 1e-05) -> Tensor:
    """Each channel of each sample of ``input``, of shape (N, C, ...), minus its mean, divided by its deviation."""

def interpolate(input: Tensor, size: Any = None, scale_factor: Any = None, mode: str = 'nearest', align_corners: _bool | None = None, recompute_scale_factor: _bool | None = None, antialias: _bool = False) -> Tensor:
    """The input with the size ``size`` of its last dims, or ``scale_factor`` times as large."""

def kl_div(input: Tensor, target: Tensor, size_average: _bool | None = None, reduce: _bool | None = None, reduction: str = 'mean', log_target: _bool = False) -> Tensor:
    """``target * (log(target) - input)``, where ``input`` holds logarithms, and so does ``target`` with ``log_target``."""

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

def linear_cross_entropy(input: Tensor, linear_weight: Tensor, target: Tensor, *, linear_bias: Tensor | None = None, weight: Tensor | None = None, reduction: str = 'mean', ignore_index: _int | None = None, label_smoothing: _float = 0.0, options: Any = None) -> Tensor:
    """``cross_entropy`` of scores that a linear layer makes: ``cross_entropy(linear(input, linear_weight), target)``."""

def local_response_norm(input: Tensor, size: _int, alpha: _float = 0.0001, beta: _float = 0.75, k: _float = 1.0) -> Tensor:
    """``input / (k + alpha m) ** beta``, where m is the mean square of ``size`` neighbouring channels."""

def log_softmax(input: Tensor, dim: _int | None = None, _stacklevel: _int = 3, dtype: _dtype | None = None) -> Tensor:
    """``log(softmax(input))`` over ``dim``, without overflow; ``dtype`` converts the input first."""

def logsigmoid(self: Tensor) -> Tensor:
    """``log(sigmoid(self))``, without underflow."""

def lp_pool1d(input: Tensor, norm_type: Scalar, kernel_size: Dims, stride: Dims | None = None, ceil_mode: _bool = False) -> Tensor:
    """The p-norm of each window, (sum of x^p)^(1/p), with p = ``norm_type``. For p = 1 it is the sum."""

def lp_pool2d(input: Tensor, norm_type: Scalar, kernel_size: Dims, stride: Dims | None = None, ceil_mode: _bool = False) -> Tensor:
    """The p-norm of each window of a plane, (sum of x^p)^(1/p), with p = ``norm_type``."""

def lp_pool3d(input: Tensor, norm_type: Scalar, kernel_size: Dims, stride: Dims | None = None, ceil_mode: _bool = False) -> Tensor:
    """The p-norm of each window of a volume, (sum of x^p)^(1/p), with p = ``norm_type``."""

def margin_ranking_loss(input1: Tensor, input2: Tensor, target: Tensor, margin: _float = 0.0, size_average: _bool | None = None, reduce: _bool | None = None, reduction: str = 'mean') -> Tensor:
    """What the larger score lacks: of ``input1`` where ``target`` is 1, and of ``input2`` where it is -1."""

def max_pool1d(input: Tensor, kernel_size: Dims, stride: Dims | None = None, padding: Dims = 0, dilation: Dims = 1, ceil_mode: _bool = False, return_indices: _bool = False) -> tuple[Tensor, ...]:
    """The largest element of each window of ``kernel_size`` elements: :func:`torch.max_pool1d`, and with ``return_indices`` their places in the flat planes too."""

def max_pool1d_with_indices(input: Tensor, kernel_size: Dims, stride: Dims | None = None, padding: Dims = 0, dilation: Dims = 1, ceil_mode: _bool = False, return_indices: _bool = False) -> tuple[Tensor, ...]:
    """``max_pool1d``, and where the largest elements are: their places in the flat planes, for ``max_unpool1d``."""

def max_pool2d(input: Tensor, kernel_size: Dims, stride: Dims | None = None, padding: Dims = 0, dilation: Dims = 1, ceil_mode: _bool = False, return_indices: _bool = False) -> tuple[Tensor, ...]:
    """The largest element of each window of ``kernel_size`` elements: :func:`torch.max_pool2d`, and with ``return_indices`` their places in the flat planes too."""

def max_pool2d_with_indices(input: Tensor, kernel_size: Dims, stride: Dims | None = None, padding: Dims = 0, dilation: Dims = 1, ceil_mode: _bool = False, return_indices: _bool = False) -> tuple[Tensor, ...]:
    """``max_pool2d``, and where the largest elements are: their places in the flat planes, for ``max_unpool2d``."""

def max_pool3d(input: Tensor, kernel_size: Dims, stride: Dims | None = None, padding: Dims = 0, dilation: Dims = 1, ceil_mode: _bool = False, return_indices: _bool = False) -> tuple[Tensor, ...]:
    """The largest element of each window of ``kernel_size`` elements: :func:`torch.max_pool3d`, and with ``return_indices`` their places in the flat planes too."""

def max_pool3d_with_indices(input: Tensor, kernel_size: Dims, stride: Dims | None = None, padding: Dims = 0, dilation: Dims = 1, ceil_mode: _bool = False, return_indices: _bool = False) -> tuple[Tensor, ...]:
    """``max_pool3d``, and where the largest elements are: their places in the flat planes, for ``max_unpool3d``."""

def max_unpool1d(input: Tensor, indices: Tensor, kernel_size: Dims, stride: Dims | None = None, padding: Dims = 0, output_size: Any = None) -> Tensor:
    """The values of a ``max_pool1d`` back at their places, which are in ``indices``, among zeros."""

def max_unpool2d(input: Tensor, indices: Tensor, kernel_size: Dims, stride: Dims | None = None, padding: Dims = 0, output_size: Any = None) -> Tensor:
    """The values of a ``max_pool2d`` back at their places, which are in ``indices``, among zeros."""

def max_unpool3d(input: Tensor, indices: Tensor, kernel_size: Dims, stride: Dims | None = None, padding: Dims = 0, output_size: Any = None) -> Tensor:
    """The values of a ``max_pool3d`` back at their places, which are in ``indices``, among zeros."""

def mish(self: Tensor, inplace: _bool = False) -> Tensor:
    """``self * tanh(softplus(self))``."""

def mse_loss(input: Tensor, target: Tensor, size_average: _bool | None = None, reduce: _bool | None = None, reduction: str = 'mean', weight: Tensor | None = None) -> Tensor:
    """The mean (or sum, or all) of the squared differences."""

def multi_margin_loss(input: Tensor, target: Tensor, p: _int = 1, margin: _float = 1.0, weight: Tensor | None = None, size_average: _bool | None = None, reduce: _bool | None = None, reduction: str = 'mean') -> Tensor:
    """What the right class lacks to a margin over each of the others, to the power of ``p`` (1 or 2)."""

def multilabel_margin_loss(input: Tensor, target: Tensor, size_average: _bool | None = None, reduce: _bool | None = None, reduction: str = 'mean') -> Tensor:
    """What each right class lacks to a margin of 1 over each wrong one, where a sample has several right classes."""

def multilabel_soft_margin_loss(input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: _bool | None = None, reduce: _bool | None = None, reduction: str = 'mean') -> Tensor:
    """``binary_cross_entropy_with_logits`` of each class, averaged over the classes, which are the last dim."""

def native_channel_shuffle(self: Tensor, groups: _int) -> Tensor:
    """The channels of the second dim in another order: the first of each of the ``groups``, then the second of each, and so on."""

def nll_loss(input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: _bool | None = None, ignore_index: _int = -100, reduce: _bool | None = None, reduction: str = 'mean') -> Tensor:
    """Minus the log-probability of the right class."""

def normalize(input: Tensor, p: Number = 2.0, dim: _int = 1, eps: _float = 1e-12, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``input`` divided by its ``p``-norm over ``dim``, or by ``eps`` if that is larger."""

def one_hot(input: Tensor, num_classes: _int = -1) -> Tensor:
    """Vectors with a one at the given class and zeros elsewhere, along a new last dim."""

def pad(input: Tensor, pad: Sizes, mode: str = 'constant', value: Number | None = None) -> Tensor:
    """More elements around a tensor: ``pad`` is (before, after) of the last dim, then of the one before it, and so on."""

def pdist(input: Tensor, p: _float = 2.0) -> Tensor:
    """The distances between the rows of a matrix, each pair once: those of ``cdist`` above the diagonal, in one dim."""

def pixel_shuffle(self: Tensor, upscale_factor: _int) -> Tensor:
    """Elements of ``upscale_factor`` squared channels, beside and below each other: (..., C r^2, H, W) becomes (..., C, H r, W r)."""

def pixel_unshuffle(self: Tensor, downscale_factor: _int) -> Tensor:
    """Blocks of ``downscale_factor`` squared elements as channels: (..., C, H r, W r) becomes (..., C r^2, H, W). It undoes ``pixel_shuffle``."""

def poisson_nll_loss(input: Tensor, target: Tensor, log_input: _bool = True, full: _bool = False, size_average: _bool | None = None, eps: _float = 1e-08, reduce: _bool | None = None, reduction: str = 'mean') -> Tensor:
    """Minus the log-probability of a count, where ``input`` is the logarithm of the rate, or the rate itself."""

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

def soft_margin_loss(input: Tensor, target: Tensor, size_average: _bool | None = None, reduce: _bool | None = None, reduction: str = 'mean') -> Tensor:
    """``log(1 + exp(-target * input))``, where the targets are 1 or -1; without overflow."""

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

def triplet_margin_loss(anchor: Tensor, positive: Tensor, negative: Tensor, margin: _float = 1.0, p: _float = 2.0, eps: _float = 1e-06, swap: _bool = False, size_average: _bool | None = None, reduce: _bool | None = None, reduction: str = 'mean') -> Tensor:
    """What ``anchor`` lacks in being nearer to ``positive`` than to ``negative``, by ``margin`` (Balntas et al., 2016)."""

def triplet_margin_with_distance_loss(anchor: Tensor, positive: Tensor, negative: Tensor, *, distance_function: Any = None, margin: _float = 1.0, swap: _bool = False, reduction: str = 'mean') -> Tensor:
    """``triplet_margin_loss`` with a distance of your own, a function of two tensors."""

def unfold(input: Tensor, kernel_size: Dims, dilation: Dims = 1, padding: Dims = 0, stride: Dims = 1) -> Tensor:
    """A column for each window of an image: shape (N, C * kernel elements, windows), or without N for one image."""

def upsample(input: Tensor, size: Any = None, scale_factor: Any = None, mode: str = 'nearest', align_corners: _bool | None = None) -> Tensor:
    """The older name of :func:`interpolate`, with a warning."""

def upsample_bilinear(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    """``interpolate`` of images with straight lines and ``align_corners``, with a warning."""

def upsample_nearest(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    """``interpolate`` with the nearest elements, with a warning."""
