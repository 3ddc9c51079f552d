"""Shuffles: elements between channels and places, and channels between groups.

They only reshape and permute:

    pixel_shuffle by 2      channels a b c d of 1 x 1           become  a b
                                                                        c d
    channel_shuffle by 2    channels a b c d                    become  a c b d
"""

from minigrad._core.errors import error
from minigrad._core.kernels import table_of_networks as kernels

from .. import kinds
from ..exports import in_nn_too


def shuffled(self, upscale_factor):
    r = upscale_factor
    *lead, channels, height, width = self.shape
    n, kept = len(lead), channels // (r * r)
    apart = self.reshape(*lead, kept, r, r, height, width)
    return apart.transpose(*range(n), n, n + 3, n + 1, n + 4, n + 2).copy().reshape(
        *lead, kept, height * r, width * r)


def unshuffled(self, downscale_factor):
    r = downscale_factor
    *lead, channels, height, width = self.shape
    n = len(lead)
    apart = self.reshape(*lead, channels, height // r, r, width // r, r)
    return apart.transpose(*range(n), n, n + 2, n + 4, n + 1, n + 3).copy().reshape(
        *lead, channels * r * r, height // r, width // r)


def pixel_shuffle_kernel(self, upscale_factor):
    check_image("pixel_shuffle", "upscale_factor", self.shape, upscale_factor)
    if upscale_factor ** 2 > 2 ** 63 - 1:
        raise error("MG207", "pixel_shuffle(): upscale factor is too large, (upscale_factor)^2 overflowed: "
                             f"upscale_factor={upscale_factor}")
    if self.shape[-3] % upscale_factor ** 2:
        raise not_divisible("pixel_shuffle", "its input's 'channel' dimension to be divisible by the square of "
                            "upscale_factor", self.shape, -3, upscale_factor ** 2)
    return shuffled(self, upscale_factor)


def pixel_unshuffle_kernel(self, downscale_factor):
    check_image("pixel_unshuffle", "downscale_factor", self.shape, downscale_factor)
    for axis, what in (-2, "height"), (-1, "width"):
        if self.shape[axis] % downscale_factor:
            raise not_divisible("pixel_unshuffle", f"{what} to be divisible by downscale_factor", self.shape, axis,
                                downscale_factor)
    return unshuffled(self, downscale_factor)


def check_image(op, argument, shape, factor):
    if len(shape) < 3:
        raise error("MG201", f"{op}(): {op} expects input to have at least 3 dimensions, but got input with "
                             f"{len(shape)} dimension(s): {list(shape)}")
    if factor <= 0:
        raise error("MG204", f"{op}(): {op} expects a positive {argument}, but got {factor}")


pixel_shuffle = kinds.linear("pixel_shuffle(Tensor self, int upscale_factor)", pixel_shuffle_kernel,
                             self=lambda d, upscale_factor: pixel_unshuffle(d, upscale_factor),
                             method=False, out=False, last_dims=3, fast=kernels.pixel_shuffle,
                             layout="channels", doc="""
Elements of ``upscale_factor`` squared channels, beside and below each other: (..., C r^2, H, W) becomes
(..., C, H r, W r).

>>> torch.pixel_shuffle(torch.arange(4.).reshape(4, 1, 1), 2)
tensor([[[0., 1.],
         [2., 3.]]])
""")

pixel_unshuffle = kinds.linear("pixel_unshuffle(Tensor self, int downscale_factor)", pixel_unshuffle_kernel,
                               self=lambda d, downscale_factor: pixel_shuffle(d, downscale_factor),
                               method=False, out=False, last_dims=3, fast=kernels.pixel_unshuffle,
                               layout="channels", doc="""
Blocks of ``downscale_factor`` squared elements as channels: (..., C, H r, W r) becomes (..., C r^2, H, W). It undoes
``pixel_shuffle``.

>>> torch.pixel_unshuffle(torch.arange(4.).reshape(1, 2, 2), 2).flatten()
tensor([0., 1., 2., 3.])
""")


def regrouped(self, groups):
    n, channels, *sizes = self.shape
    return self.reshape(n, groups, channels // (groups or 1), *sizes).swapaxes(1, 2).copy().reshape(self.shape)


def check_groups(op, shape, groups):
    if len(shape) < 3:
        raise error("MG201", f"{op}(): channel_shuffle expects input with > 2 dims, but got input with "
                             f"sizes {list(shape)}")
    if groups <= 0:
        raise error("MG204", f"{op}(): Number of groups to divide channels in must be positive. Value of "
                             f"groups:{groups}")
    if shape[1] % groups:
        raise error("MG204", f"{op}(): Number of channels must be divisible by groups. Got "
                             f"{shape[1]} channels and {groups} groups.")


def channel_shuffle_row(name):
    """PyTorch has two functions of this kind."""
    def kernel(self, groups):
        check_groups(name, self.shape, groups)
        return regrouped(self, groups)

    return kinds.linear(f"{name}(Tensor self, int groups)", kernel,
                        self=lambda d, groups: channel_unshuffle(d, groups),
                        method=False, out=False, fast=kernels.channel_shuffle, node="ChannelShuffleBackward0",
                        layout="channels", doc=f"""
The channels of the second dim in another order: the first of each of the ``groups``, then the second of each, and
so on.

>>> torch.{name}(torch.arange(6.).reshape(1, 6, 1), 2).flatten()
tensor([0., 3., 1., 4., 2., 5.])
""")


channel_shuffle, native_channel_shuffle = channel_shuffle_row("channel_shuffle"), channel_shuffle_row(
    "native_channel_shuffle")

channel_unshuffle = kinds.linear("channel_unshuffle(Tensor self, int groups)",
                                 lambda self, groups: regrouped(self, self.shape[1] // groups),
                                 self=lambda d, groups: channel_shuffle(d, groups),
                                 public=False, fast=kernels.channel_unshuffle, doc="It undoes ``channel_shuffle``.")

in_nn_too("pixel_shuffle", "pixel_unshuffle", "channel_shuffle", "native_channel_shuffle")


# ------------------------------------------------------------------------------ errors

def not_divisible(op, what, shape, axis, by):
    return error("MG204", f"{op}(): {op} expects {what}, but input.size({axis})={shape[axis]} is not divisible by {by}")
