"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

import builtins
from typing import Any

from minigrad import div as div
from minigrad import matmul as matmul
from minigrad import random as random
from minigrad import reshape as reshape
from minigrad._core.dispatch import Composite as Composite
from minigrad._core.errors import error as error
from minigrad._core.graph import Tensor as Tensor

IN_PLACE: Any
NN_REGISTRY: Any
addmm: Any
mul: Any
sigmoid: Any
sum_dim: Any
t: Any
tanh: Any

def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction='mean') -> Tensor:
    """Minus the log-probability of the right answer, where ``input`` holds the probabilities of "yes"."""

def binary_cross_entropy_with_logits(input, target, weight=None, size_average=None, reduce=None, reduction='mean', pos_weight=None) -> Tensor:
    """The same, where ``input`` holds scores of any size, to be made probabilities by ``sigmoid``."""

def celu(input, alpha=1.0, inplace=False) -> Tensor:
    """``input`` above 0, ``alpha * (exp(input / alpha) - 1)`` below: its slope at 0 is 1 for any ``alpha``."""

def celu_(input, *args, **kwargs) -> Any:
    """The in-place form of :func:`celu`: ``input`` takes the result, and is returned."""

def cosine_similarity(x1, x2, dim=1, eps=1e-08) -> Tensor:
    """The cosine of the angle between vectors along ``dim``; ``eps`` bounds their lengths from below."""

def cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean', label_smoothing=0.0) -> Tensor:
    """Minus the log-probability of the right class, where ``input`` holds unnormalised scores."""

def dropout(input, p=0.5, training=True, inplace=False) -> Tensor:
    """In training, each element becomes 0 with probability ``p``, and the others are scaled by ``1 / (1 - p)``."""

def elu(input, alpha=1.0, inplace=False) -> Tensor:
    """``input`` above 0, ``alpha * (exp(input) - 1)`` below."""

def elu_(input, *args, **kwargs) -> Any:
    """The in-place form of :func:`elu`: ``input`` takes the result, and is returned."""

def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False) -> Tensor:
    """The rows of the matrix ``weight`` with the numbers in ``input`` (int64, any shape)."""

def gelu(input, approximate='none') -> Tensor:
    """``input`` times the normal distribution function of ``input``; ``approximate="tanh"`` replaces that by a tanh."""

def hardtanh(self, min_val=-1.0, max_val=1.0, inplace=False) -> Tensor:
    """``self`` pushed into the range from ``min_val`` to ``max_val``; unlike ``clamp`` it stops the gradient at the bounds."""

def hardtanh_(input, *args, **kwargs) -> Any:
    """The in-place form of :func:`hardtanh`: ``input`` takes the result, and is returned."""

def huber_loss(input, target, reduction='mean', delta=1.0, weight=None) -> Tensor:
    """Half the squared differences up to ``delta``, growing in a straight line beyond: ``delta * smooth_l1_loss(beta=delta)``."""

def in_place(name) -> Any:
    """The function that is the function ``name`` with ``inplace=True``."""

def l1_loss(input, target, size_average=None, reduce=None, reduction='mean', weight=None) -> Tensor:
    """The mean (or sum, or all) of the absolute differences."""

def leaky_relu(self, negative_slope=0.01, inplace=False) -> Tensor:
    """``self`` above 0, ``negative_slope * self`` below."""

def leaky_relu_(input, *args, **kwargs) -> Any:
    """The in-place form of :func:`leaky_relu`: ``input`` takes the result, and is returned."""

def linear(input, weight, bias=None) -> Tensor:
    """``input @ weight.T + bias``: a fully connected layer."""

def log_softmax(input, dim=None, _stacklevel=3, dtype=None) -> Tensor:
    """``log(softmax(input))`` over ``dim``, without overflow; ``dtype`` converts the input first."""

def logsigmoid(self: Tensor) -> Tensor:
    """``log(sigmoid(self))``, without underflow."""

def mish(self, inplace=False) -> Tensor:
    """``self * tanh(softplus(self))``."""

def mse_loss(input, target, size_average=None, reduce=None, reduction='mean', weight=None) -> Tensor:
    """The mean (or sum, or all) of the squared differences."""

def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean') -> Tensor:
    """Minus the log-probability of the right class."""

def normalize(input, p=2.0, dim=1, eps=1e-12, out=None) -> Tensor:
    """``input`` divided by its ``p``-norm over ``dim``, or by ``eps`` where that is larger."""

def one_hot(input: Tensor, num_classes=-1) -> Tensor:
    """Vectors with a one at the given class and zeros elsewhere, along a new last dim."""

def pad(input, pad, mode='constant', value=None) -> Tensor:
    """More elements around a tensor: ``pad`` is (before, after) of the last dim, then of the one before it, and so on."""

def relu(input, inplace=False) -> Tensor:
    """``max(input, 0)``; its slope at 0 is 0."""

def relu6(input, inplace=False) -> Tensor:
    """``min(max(input, 0), 6)``."""

def relu_(input, *args, **kwargs) -> Any:
    """The in-place form of :func:`relu`: ``input`` takes the result, and is returned."""

def selu(input, inplace=False) -> Tensor:
    """``elu`` with the scales that keep mean 0 and variance 1 through many layers (Klambauer et al., 2017)."""

def selu_(input, *args, **kwargs) -> Any:
    """The in-place form of :func:`selu`: ``input`` takes the result, and is returned."""

def silu(self, inplace=False) -> Tensor:
    """``self * sigmoid(self)``, also known as swish."""

def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction='mean', beta=1.0) -> Tensor:
    """The absolute differences (less beta / 2), with the kink at 0 rounded by a parabola up to ``beta``."""

def softmax(input, dim=None, _stacklevel=3, dtype=None) -> Tensor:
    """``exp(input)`` divided by its sum over ``dim``; ``dtype`` converts the input first."""

def softmin(input, dim=None, _stacklevel=3, dtype=None) -> Tensor:
    """``softmax(-input)``."""

def softplus(self: Tensor, beta=1.0, threshold=20.0) -> Tensor:
    """``log(1 + exp(beta * self)) / beta``, a smooth relu; simply ``self`` where ``beta * self > threshold``."""

def softsign(input) -> Tensor:
    """``input / (1 + |input|)``."""

def tanhshrink(input) -> Tensor:
    """``input - tanh(input)``."""

def threshold(self, threshold, value, inplace=False) -> Tensor:
    """``self`` where it is above ``threshold``, and ``value`` elsewhere."""

def threshold_(input, *args, **kwargs) -> Any:
    """The in-place form of :func:`threshold`: ``input`` takes the result, and is returned."""
