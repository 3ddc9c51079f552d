"""Norms within an example: over its last dims, over groups of channels, and over neighbouring channels."""

from numbers import Integral

from minigrad._core.errors import error
from minigrad.creation.ranges import arange
from minigrad.nn import functional as F, init
from minigrad.nn.modules.layer import Layer, bad_option
from minigrad.nn.parameter import Parameter

__all__ = ["CrossMapLRN2d", "GroupNorm", "LayerNorm", "LocalResponseNorm", "RMSNorm"]


class _Scaled(Layer):
    """A norm that is followed by a weight of 1 and perhaps a bias of 0, which are learned."""

    eps: float | None
    weight: Parameter | None

    def reset_parameters(self):
        """Begin again: weights 1, biases 0."""
        for name, param in self._parameters.items():
            if param is not None:
                (init.ones_ if name == "weight" else init.zeros_)(param)


def shape_tuple(shape):
    return (shape,) if isinstance(shape, Integral) else tuple(shape)


class LayerNorm(_Scaled):
    """The last dims, of sizes ``normalized_shape``, with mean 0 and variance 1; then ``weight`` and ``bias``.

    ``eps`` is added to the variance.  Without ``elementwise_affine`` there are no parameters.

    >>> layer = torch.nn.LayerNorm(2)
    >>> layer
    LayerNorm((2,), eps=1e-05, elementwise_affine=True, bias=True)
    >>> layer(torch.tensor([[1., 3.]])).detach()
    tensor([[-1.0000,  1.0000]])
    """

    normalized_shape: tuple[int, ...]
    elementwise_affine: bool
    bias: Parameter | None

    shown = "{normalized_shape}, eps={eps}, elementwise_affine={elementwise_affine}, bias={bias_is}"

    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, bias=True, device=None, dtype=None):
        shape = shape_tuple(normalized_shape)
        super().__init__(normalized_shape=shape, eps=eps, elementwise_affine=elementwise_affine)
        self._learn("weight", shape if elementwise_affine else None, device, dtype)
        self._learn("bias", shape if elementwise_affine and bias else None, device, dtype)
        self.reset_parameters()

    def forward(self, input):
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)


class RMSNorm(_Scaled):
    """The last dims, of sizes ``normalized_shape``, divided by the root of the mean of their squares; then ``weight``.

    ``eps`` is added to the mean; None is the smallest step from 1 of the dtype.

    >>> torch.nn.RMSNorm(2)(torch.tensor([[3., 3.]])).detach()
    tensor([[1., 1.]])
    """

    normalized_shape: tuple[int, ...]
    elementwise_affine: bool

    shown = "{normalized_shape}, eps={eps}, elementwise_affine={elementwise_affine}"

    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None):
        shape = shape_tuple(normalized_shape)
        super().__init__(normalized_shape=shape, eps=eps, elementwise_affine=elementwise_affine)
        self._learn("weight", shape if elementwise_affine else None, device, dtype)
        self.reset_parameters()

    def forward(self, x):
        return F.rms_norm(x, self.normalized_shape, self.weight, self.eps)


class GroupNorm(_Scaled):
    """``num_groups`` groups of the channels of (N, C, ...), each with mean 0 and variance 1; then ``weight``, ``bias``.

    >>> layer = torch.nn.GroupNorm(1, 2)
    >>> layer
    GroupNorm(1, 2, eps=1e-05, affine=True, bias=True)
    >>> layer(torch.tensor([[1., 3.]])).detach()
    tensor([[-1.0000,  1.0000]])
    """

    num_groups: int
    num_channels: int
    affine: bool
    bias: Parameter | None

    shown = "{num_groups}, {num_channels}, eps={eps}, affine={affine}, bias={bias_is}"

    def __init__(self, num_groups, num_channels, eps=1e-5, affine=True, device=None, dtype=None, *, bias=True):
        super().__init__(num_groups=num_groups, num_channels=num_channels, eps=eps, affine=affine)
        if num_channels % num_groups:
            raise bad_option(f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})")
        self._learn("weight", num_channels if affine else None, device, dtype)
        self._learn("bias", num_channels if affine and bias else None, device, dtype)
        self.reset_parameters()

    def forward(self, input):
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)


# ------------------------------------------------------------------------------ over neighbouring channels

class _AmongNeighbours(Layer):
    """x / (k + alpha * the mean square of ``size`` neighbouring channels) ** beta."""

    size: int
    alpha: float
    beta: float
    k: float

    shown = "{size}, alpha={alpha}, beta={beta}, k={k}"

    def __init__(self, size, alpha=1e-4, beta=0.75, k=1.):
        super().__init__(size=size, alpha=alpha, beta=beta, k=k)


class LocalResponseNorm(_AmongNeighbours):
    """x / (k + alpha * the mean square of ``size`` neighbouring channels) ** beta, for (N, C, ...).

    >>> torch.nn.LocalResponseNorm(1, alpha=1., beta=1.)(torch.tensor([[[1.], [3.]]]))
    tensor([[[0.5000],
             [0.3000]]])
    """

    def forward(self, input):
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)


class CrossMapLRN2d(_AmongNeighbours):
    """The older form of LocalResponseNorm, for (N, C, H, W); as in PyTorch, the first channel counts in every sum.

    >>> torch.nn.CrossMapLRN2d(1, alpha=1., beta=1.)(torch.tensor([[[[1.]], [[3.]]]]))
    tensor([[[[0.5000]],
    <BLANKLINE>
             [[0.2727]]]])
    """

    def __init__(self, size, alpha=1e-4, beta=0.75, k=1):
        super().__init__(size, alpha, beta, k)

    def forward(self, input):
        if input.dim() != 4:
            raise error("MG207", f"CrossMapLRN2d: Expected input to be 4D, got {input.dim()}D instead.")
        place, reach = arange(input.shape[1]), (self.size + 1) // 2
        counts = ((place[:, None] - place).abs() < reach) | (place == 0)
        squares = counts.to(input.dtype) @ input.square().flatten(2)
        return input / (squares.reshape(input.shape) * (self.alpha / self.size) + self.k) ** self.beta
