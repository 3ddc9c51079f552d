"""Upsampling layers: new elements between the old ones, by interpolation."""

from minigrad.nn import functional as F
from minigrad.nn.modules.layer import Layer

__all__ = ["Upsample", "UpsamplingBilinear2d", "UpsamplingNearest2d"]


class Upsample(Layer):
    """The input at another size, as ``nn.functional.interpolate`` computes it.

    ``size`` is that of the spatial dims, ``scale_factor`` by how much they grow; give one of the two.

    >>> layer = torch.nn.Upsample(scale_factor=2)
    >>> layer
    Upsample(scale_factor=2.0, mode='nearest')
    >>> layer(torch.tensor([[[1., 2.]]]))
    tensor([[[1., 1., 2., 2.]]])
    """

    name: str
    size: int | tuple[int, ...] | None
    scale_factor: float | tuple[float, ...] | None
    mode: str
    align_corners: bool | None
    recompute_scale_factor: bool | None

    def __init__(self, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
        if isinstance(scale_factor, tuple):
            scale_factor = tuple(float(factor) for factor in scale_factor)
        else:
            scale_factor = float(scale_factor) if scale_factor else None
        super().__init__(name=type(self).__name__, size=size, scale_factor=scale_factor, mode=mode,
                         align_corners=align_corners, recompute_scale_factor=recompute_scale_factor)

    def forward(self, input):
        return F.interpolate(input, self.size, self.scale_factor, self.mode, self.align_corners,
                             recompute_scale_factor=self.recompute_scale_factor)

    def extra_repr(self):
        growth = f"size={self.size!r}" if self.scale_factor is None else f"scale_factor={self.scale_factor!r}"
        return f"{growth}, mode={self.mode!r}"


class UpsamplingNearest2d(Upsample):
    """Planes at another size, each element the nearest old one.

    >>> torch.nn.UpsamplingNearest2d(size=(1, 4))(torch.tensor([[[[1., 2.]]]]))
    tensor([[[[1., 1., 2., 2.]]]])
    """

    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, mode="nearest")


class UpsamplingBilinear2d(Upsample):
    """Planes at another size, interpolated in both dims; the corners stay where they are.

    >>> torch.nn.UpsamplingBilinear2d(size=(1, 3))(torch.tensor([[[[1., 2.]]]]))
    tensor([[[[1.0000, 1.5000, 2.0000]]]])
    """

    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, mode="bilinear", align_corners=True)
