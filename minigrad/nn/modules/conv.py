"""Convolutions, and the transposed ones that undo their change of size.

A convolution has a weight of shape (out_channels, in_channels / groups, *kernel_size): what is added up at each place,
for each channel of the result.  The weight of a transposed one begins (in_channels, out_channels / groups, ...).

The classes differ in the number of dims and in the function they call; all else is common to them.
"""

from minigrad._core.errors import error
from minigrad.nn import functional as F
from minigrad.nn.modules.layer import Layer, bad_option, fill_from_fan_in
from minigrad.nn.modules.lazy import LazyModuleMixin
from minigrad.nn.modules.utils import ntuple
from minigrad.nn.parameter import Parameter

__all__ = ["Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d", "LazyConv1d",
           "LazyConv2d", "LazyConv3d", "LazyConvTranspose1d", "LazyConvTranspose2d", "LazyConvTranspose3d"]

PADDING_MODES = ("zeros", "reflect", "replicate", "circular")


class _ConvNd(Layer):
    """What all convolutions are made with; a class sets the number of dims and the function."""

    in_channels: int
    out_channels: int
    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: str | tuple[int, ...]
    dilation: tuple[int, ...]
    output_padding: tuple[int, ...]
    groups: int
    padding_mode: str
    weight: Parameter
    bias: Parameter | None

    ndim = None
    function = None
    transposed = False

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
                 padding_mode="zeros", device=None, dtype=None):
        each = ntuple(self.ndim)
        super().__init__(in_channels=in_channels, out_channels=out_channels, kernel_size=each(kernel_size),
                         stride=each(stride), padding=padding if isinstance(padding, str) else each(padding),
                         dilation=each(dilation), output_padding=(0,) * self.ndim, groups=groups,
                         padding_mode=padding_mode)
        self._check_options()
        self._reversed_padding_repeated_twice = self._pads()
        self._learn("weight", self._weight_shape(), device, dtype)
        self._learn("bias", (out_channels,) if bias else None, device, dtype)
        self.reset_parameters()

    def _check_options(self):
        if self.groups <= 0:
            raise bad_option("groups must be a positive integer")
        for name in ("in_channels", "out_channels"):
            if getattr(self, name) % self.groups:
                raise bad_option(f"{name} must be divisible by groups: {getattr(self, name)} by {self.groups}")
        if isinstance(self.padding, str):
            if self.padding not in ("same", "valid"):
                raise bad_option(f"Invalid padding string {self.padding!r}, should be one of 'same' and 'valid'")
            if self.padding == "same" and any(step != 1 for step in self.stride):
                raise bad_option("padding='same' is not supported for strided convolutions")
        if self.padding_mode not in PADDING_MODES:
            raise bad_option(f"padding_mode must be one of {', '.join(PADDING_MODES)}, but got "
                             f"padding_mode='{self.padding_mode}'")

    def _pads(self):
        """How many elements to add before and after, the last dim first: what ``pad`` takes."""
        if self.padding == "valid":
            return [0, 0] * self.ndim
        pads = []
        for i in reversed(range(self.ndim)):
            total = self.dilation[i] * (self.kernel_size[i] - 1) if self.padding == "same" else 2 * self.padding[i]
            pads += [total // 2, total - total // 2]
        return pads

    def _weight_shape(self):
        first, second = self.out_channels, self.in_channels
        if self.transposed:
            first, second = second, first
        return (first, second // self.groups, *self.kernel_size)

    def reset_parameters(self):
        """Draw new numbers."""
        fill_from_fan_in(self.weight, self.bias)

    def forward(self, input):
        return self._conv_forward(input, self.weight, self.bias)

    def _conv_forward(self, input, weight, bias):
        if self.padding_mode == "zeros":
            return self.function(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)
        padded = F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode)
        return self.function(padded, weight, bias, self.stride, 0, self.dilation, self.groups)

    def extra_repr(self):
        usual = {"padding": (0,) * len(self.padding), "dilation": (1,) * self.ndim, "output_padding": (0,) * self.ndim,
                 "groups": 1, "bias": True, "padding_mode": "zeros"}
        options = {**vars(self), "bias": self.bias is not None}
        return "{in_channels}, {out_channels}, kernel_size={kernel_size}, stride={stride}".format(**options) + "".join(
            f", {name}={options[name]}" for name, value in usual.items() if options[name] != value)


class Conv1d(_ConvNd):
    """A convolution of (N, C, L) or (C, L): each element of the result is a sum over a window of the input.

    Parameters
    ----------
    in_channels, out_channels : the numbers of channels of the input and of the result
    kernel_size : the size of the window, a number for all dims or one for each
    stride : how far the window moves
    padding : how many elements are added on both sides; ``"same"`` for a result of the same size, ``"valid"`` for none
    dilation : how far apart the elements of a window are
    groups : into how many independent groups the channels are split
    bias : whether a number for each channel is added
    padding_mode : what is added: ``"zeros"``, or ``"reflect"``, ``"replicate"``, ``"circular"`` as in ``pad``

    >>> layer = torch.nn.Conv1d(2, 4, 3, padding=1)
    >>> layer
    Conv1d(2, 4, kernel_size=(3,), stride=(1,), padding=(1,))
    >>> layer(torch.ones(5, 2, 10)).shape
    torch.Size([5, 4, 10])
    """

    ndim, function = 1, staticmethod(F.conv1d)


class Conv2d(_ConvNd):
    """A convolution of (N, C, H, W) or (C, H, W); see :class:`Conv1d` for its arguments.

    >>> layer = torch.nn.Conv2d(3, 8, 3, stride=2)
    >>> layer(torch.ones(5, 3, 9, 9)).shape, layer.weight.shape
    (torch.Size([5, 8, 4, 4]), torch.Size([8, 3, 3, 3]))
    """

    ndim, function = 2, staticmethod(F.conv2d)


class Conv3d(_ConvNd):
    """A convolution of (N, C, D, H, W) or (C, D, H, W); see :class:`Conv1d` for its arguments.

    >>> torch.nn.Conv3d(1, 2, (1, 2, 3))(torch.ones(1, 4, 4, 4)).shape
    torch.Size([2, 4, 3, 2])
    """

    ndim, function = 3, staticmethod(F.conv3d)


# ------------------------------------------------------------------------------ transposed

class _ConvTransposeNd(_ConvNd):
    """What transposed convolutions have besides: a size of the result that can be chosen."""

    transposed = True

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1,
                 bias=True, dilation=1, padding_mode="zeros", device=None, dtype=None):
        if padding_mode != "zeros":
            raise bad_option(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode,
                         device, dtype)
        self.output_padding = ntuple(self.ndim)(output_padding)

    def forward(self, input, output_size=None):
        more = self.output_padding if output_size is None else self._missing(input, output_size)
        return self.function(input, self.weight, self.bias, self.stride, self.padding, more, self.groups, self.dilation)

    def _missing(self, input, output_size):
        """By how much a result of ``output_size`` is larger than the smallest: the inputs of a convolution that give
        the same result have up to ``stride`` sizes."""
        lead = 2 if input.dim() == self.ndim + 2 else 1
        wanted = list(output_size)[lead:] if len(output_size) == lead + self.ndim else list(output_size)
        if len(wanted) != self.ndim:
            raise error("MG207", f"ConvTranspose{self.ndim}D: for {input.dim()}D input, output_size must have "
                                 f"{self.ndim} or {lead + self.ndim} elements (got {len(output_size)})")
        least = [(size - 1) * step - 2 * pad + apart * (window - 1) + 1 for size, step, pad, apart, window in zip(
            input.shape[lead:], self.stride, self.padding, self.dilation, self.kernel_size)]
        most = [size + step - 1 for size, step in zip(least, self.stride)]
        if any(not low <= size <= high for low, size, high in zip(least, wanted, most)):
            raise error("MG207", f"requested an output size of {wanted}, but valid sizes range from {least} to {most} "
                                 f"(for an input of {input.shape[2:]})")
        return [size - low for size, low in zip(wanted, least)]


class ConvTranspose1d(_ConvTransposeNd):
    """The transpose of a Conv1d as a linear map: from the shape of its result to the shape of its input.

    The arguments are those of :class:`Conv1d`, which it reverses.  With a stride, inputs of several sizes lead to
    results of one size: ``output_padding``, or ``output_size`` of the call, says which size is meant.

    >>> layer = torch.nn.ConvTranspose1d(4, 2, 3, stride=2)
    >>> layer(torch.ones(5, 4, 4)).shape, layer(torch.ones(5, 4, 4), output_size=[10]).shape
    (torch.Size([5, 2, 9]), torch.Size([5, 2, 10]))
    """

    ndim, function = 1, staticmethod(F.conv_transpose1d)


class ConvTranspose2d(_ConvTransposeNd):
    """The transpose of a Conv2d: see :class:`ConvTranspose1d`.

    >>> torch.nn.ConvTranspose2d(4, 2, 2, stride=2)(torch.ones(5, 4, 3, 3)).shape
    torch.Size([5, 2, 6, 6])
    """

    ndim, function = 2, staticmethod(F.conv_transpose2d)


class ConvTranspose3d(_ConvTransposeNd):
    """The transpose of a Conv3d: see :class:`ConvTranspose1d`.

    >>> torch.nn.ConvTranspose3d(4, 2, 2)(torch.ones(4, 3, 3, 3)).shape
    torch.Size([2, 4, 4, 4])
    """

    ndim, function = 3, staticmethod(F.conv_transpose3d)


# ------------------------------------------------------------------------------ lazy

class _LazyConv(LazyModuleMixin):
    """A convolution that learns ``in_channels`` from its first input."""

    def __init__(self, out_channels, *args, **kwargs):
        super().__init__(0, out_channels, *args, **kwargs)
        self._wait()

    def reset_parameters(self):
        if self.in_channels and not self.has_uninitialized_params():
            super().reset_parameters()

    def initialize_parameters(self, input, *args, **kwargs):
        if not self.has_uninitialized_params():
            return
        if input.dim() not in (self.ndim + 1, self.ndim + 2):
            raise error("MG204", f"Expected {self.ndim + 1}D (unbatched) or {self.ndim + 2}D (batched) input to "
                                 f"{type(self).__name__}, but got input of size: {input.shape}")
        self.in_channels = input.shape[-self.ndim - 1]
        self._check_options()
        self.weight.materialize(self._weight_shape())
        if self.bias is not None:
            self.bias.materialize((self.out_channels,))
        self.reset_parameters()


class LazyConv1d(_LazyConv, Conv1d):
    """A Conv1d that learns ``in_channels`` from its first input.

    >>> layer = torch.nn.LazyConv1d(4, 3)
    >>> layer(torch.ones(5, 2, 10)).shape, layer
    (torch.Size([5, 4, 8]), Conv1d(2, 4, kernel_size=(3,), stride=(1,)))
    """

    cls_to_become = Conv1d


class LazyConv2d(_LazyConv, Conv2d):
    """A Conv2d that learns ``in_channels`` from its first input.

    >>> torch.nn.LazyConv2d(4, 3)(torch.ones(5, 2, 3, 3)).shape
    torch.Size([5, 4, 1, 1])
    """

    cls_to_become = Conv2d


class LazyConv3d(_LazyConv, Conv3d):
    """A Conv3d that learns ``in_channels`` from its first input.

    >>> torch.nn.LazyConv3d(4, 1)(torch.ones(5, 2, 3, 3, 3)).shape
    torch.Size([5, 4, 3, 3, 3])
    """

    cls_to_become = Conv3d


class LazyConvTranspose1d(_LazyConv, ConvTranspose1d):
    """A ConvTranspose1d that learns ``in_channels`` from its first input.

    >>> torch.nn.LazyConvTranspose1d(4, 3)(torch.ones(5, 2, 10)).shape
    torch.Size([5, 4, 12])
    """

    cls_to_become = ConvTranspose1d


class LazyConvTranspose2d(_LazyConv, ConvTranspose2d):
    """A ConvTranspose2d that learns ``in_channels`` from its first input.

    >>> torch.nn.LazyConvTranspose2d(4, 3)(torch.ones(5, 2, 3, 3)).shape
    torch.Size([5, 4, 5, 5])
    """

    cls_to_become = ConvTranspose2d


class LazyConvTranspose3d(_LazyConv, ConvTranspose3d):
    """A ConvTranspose3d that learns ``in_channels`` from its first input.

    >>> torch.nn.LazyConvTranspose3d(4, 1)(torch.ones(5, 2, 3, 3, 3)).shape
    torch.Size([5, 4, 3, 3, 3])
    """

    cls_to_become = ConvTranspose3d
