"""Weights of convolutions in another order in memory, such as ``torch.channels_last``."""

from minigrad.nn.modules.conv import Conv2d, Conv3d, ConvTranspose2d, ConvTranspose3d

__all__ = ["convert_conv2d_weight_memory_format", "convert_conv3d_weight_memory_format"]


def converted(module, kinds, memory_format):
    for each in module.modules():
        if isinstance(each, kinds):
            each.weight.data = each.weight.detach().clone(memory_format=memory_format)
    return module


def convert_conv2d_weight_memory_format(module, memory_format):
    """Store the weights of all two-dimensional convolutions in a module in this order; returns the module.

    >>> layer = torch.nn.Conv2d(2, 3, 2)
    >>> layer = torch.nn.utils.convert_conv2d_weight_memory_format(layer, torch.channels_last)
    >>> layer.weight.is_contiguous(memory_format=torch.channels_last)
    True
    """
    return converted(module, (Conv2d, ConvTranspose2d), memory_format)


def convert_conv3d_weight_memory_format(module, memory_format):
    """Store the weights of all three-dimensional convolutions in a module in this order; returns the module.

    >>> layer = torch.nn.Conv3d(2, 3, 2)
    >>> layer = torch.nn.utils.convert_conv3d_weight_memory_format(layer, torch.channels_last_3d)
    >>> layer.weight.is_contiguous(memory_format=torch.channels_last_3d)
    True
    """
    return converted(module, (Conv3d, ConvTranspose3d), memory_format)
