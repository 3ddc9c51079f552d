"""Layers that move elements between channels and pixels, or from channel to channel."""

from minigrad.nn import functional as F
from minigrad.nn.modules.layer import Layer

__all__ = ["ChannelShuffle", "PixelShuffle", "PixelUnshuffle"]


class PixelShuffle(Layer):
    """Of r * r channels one that is r times as high and wide: (N, C r^2, H, W) becomes (N, C, H r, W r).

    >>> torch.nn.PixelShuffle(2)(torch.arange(4.).reshape(1, 4, 1, 1))
    tensor([[[[0., 1.],
              [2., 3.]]]])
    """

    upscale_factor: int

    shown = "upscale_factor={upscale_factor}"

    def __init__(self, upscale_factor):
        super().__init__(upscale_factor=upscale_factor)

    def forward(self, input):
        return F.pixel_shuffle(input, self.upscale_factor)


class PixelUnshuffle(Layer):
    """The inverse of PixelShuffle.

    >>> torch.nn.PixelUnshuffle(2)(torch.ones(1, 1, 4, 6)).shape
    torch.Size([1, 4, 2, 3])
    """

    downscale_factor: int

    shown = "downscale_factor={downscale_factor}"

    def __init__(self, downscale_factor):
        super().__init__(downscale_factor=downscale_factor)

    def forward(self, input):
        return F.pixel_unshuffle(input, self.downscale_factor)


class ChannelShuffle(Layer):
    """The channels of (N, C, ...) in another order: the first of each of ``groups`` groups, then the second ...

    >>> torch.nn.ChannelShuffle(2)(torch.arange(4.).reshape(1, 4, 1)).flatten()
    tensor([0., 2., 1., 3.])
    """

    groups: int

    shown = "groups={groups}"

    def __init__(self, groups):
        super().__init__(groups=groups)

    def forward(self, input):
        return F.channel_shuffle(input, self.groups)
