"""Layers that add elements on both sides of the last dims; ``nn.functional.pad`` has pictures of the modes.

``padding`` is one number for all sides, or two for each dim, the last dim first: (left, right, top, bottom, ...).
"""

from minigrad._core.errors import error
from minigrad.nn import functional as F
from minigrad.nn.modules.layer import Layer
from minigrad.nn.modules.utils import ntuple

__all__ = ["CircularPad1d", "CircularPad2d", "CircularPad3d", "ConstantPad1d", "ConstantPad2d", "ConstantPad3d",
           "ReflectionPad1d", "ReflectionPad2d", "ReflectionPad3d", "ReplicationPad1d", "ReplicationPad2d",
           "ReplicationPad3d", "ZeroPad1d", "ZeroPad2d", "ZeroPad3d"]


class _Pad(Layer):
    """A layer that pads ``ndim`` dims in the way ``mode``."""

    padding: tuple[int, ...]

    ndim = mode = None
    shown = "{padding}"

    def __init__(self, padding, **options):
        super().__init__(padding=ntuple(2 * self.ndim)(padding), **options)

    def forward(self, input):
        return F.pad(input, self.padding, self.mode)


# ------------------------------------------------------------------------------ with a number

class _ConstantPadNd(_Pad):
    """What ConstantPad1d, 2d and 3d have in common."""

    value: float

    mode = "constant"
    shown = "padding={padding}, value={value}"

    def __init__(self, padding, value):
        super().__init__(padding, value=value)

    def forward(self, input):
        return F.pad(input, self.padding, self.mode, self.value)


class ConstantPad1d(_ConstantPadNd):
    """``value`` on both sides of (N, C, L) or (C, L).

    >>> torch.nn.ConstantPad1d((2, 1), 9.)(torch.tensor([[1., 2.]]))
    tensor([[9., 9., 1., 2., 9.]])
    """

    ndim = 1


class ConstantPad2d(_ConstantPadNd):
    """``value`` on the four sides of (N, C, H, W) or (C, H, W).

    >>> torch.nn.ConstantPad2d((1, 1, 0, 1), 9.)(torch.tensor([[[1., 2.]]]))
    tensor([[[9., 1., 2., 9.],
             [9., 9., 9., 9.]]])
    """

    ndim = 2


class ConstantPad3d(_ConstantPadNd):
    """``value`` on the six sides of (N, C, D, H, W) or (C, D, H, W).

    >>> torch.nn.ConstantPad3d(1, 9.)(torch.ones(1, 1, 1, 1)).shape
    torch.Size([1, 3, 3, 3])
    """

    ndim = 3


class ZeroPad1d(ConstantPad1d):
    """Zeros on both sides of (N, C, L) or (C, L).

    >>> torch.nn.ZeroPad1d(1)(torch.tensor([[1., 2.]]))
    tensor([[0., 1., 2., 0.]])
    """

    shown = _Pad.shown

    def __init__(self, padding):
        super().__init__(padding, 0.)


class ZeroPad2d(ConstantPad2d):
    """Zeros on the four sides of (N, C, H, W) or (C, H, W).

    >>> torch.nn.ZeroPad2d((1, 0, 0, 1))(torch.tensor([[[1., 2.]]]))
    tensor([[[0., 1., 2.],
             [0., 0., 0.]]])
    """

    shown = _Pad.shown

    def __init__(self, padding):
        super().__init__(padding, 0.)


class ZeroPad3d(ConstantPad3d):
    """Zeros on the six sides of (N, C, D, H, W) or (C, D, H, W).

    >>> torch.nn.ZeroPad3d(1)(torch.ones(1, 1, 1, 1)).sum()
    tensor(1.)
    """

    shown = _Pad.shown

    def __init__(self, padding):
        super().__init__(padding, 0.)


# ------------------------------------------------------------------------------ with elements of the input

class _FromInside(_Pad):
    """A layer that pads with elements of the input."""

    def __init__(self, padding):
        super().__init__(padding)


class _ReflectionPadNd(_FromInside):
    mode = "reflect"


class ReflectionPad1d(_ReflectionPadNd):
    """The input in a mirror on both sides, without the element at the border.

    >>> torch.nn.ReflectionPad1d(2)(torch.tensor([[1., 2., 3.]]))
    tensor([[3., 2., 1., 2., 3., 2., 1.]])
    """

    ndim = 1


class ReflectionPad2d(_ReflectionPadNd):
    """ReflectionPad1d for planes.

    >>> torch.nn.ReflectionPad2d((1, 0, 1, 0))(torch.tensor([[[1., 2.], [3., 4.]]]))
    tensor([[[4., 3., 4.],
             [2., 1., 2.],
             [4., 3., 4.]]])
    """

    ndim = 2


class ReflectionPad3d(_ReflectionPadNd):
    """ReflectionPad1d for volumes.

    >>> torch.nn.ReflectionPad3d(1)(torch.ones(1, 2, 2, 2)).shape
    torch.Size([1, 4, 4, 4])
    """

    ndim = 3


class _ReplicationPadNd(_FromInside):
    mode = "replicate"


class ReplicationPad1d(_ReplicationPadNd):
    """The elements at the borders, again and again.

    >>> torch.nn.ReplicationPad1d(2)(torch.tensor([[1., 2., 3.]]))
    tensor([[1., 1., 1., 2., 3., 3., 3.]])
    """

    ndim = 1


class ReplicationPad2d(_ReplicationPadNd):
    """ReplicationPad1d for planes.

    >>> torch.nn.ReplicationPad2d((1, 0, 1, 0))(torch.tensor([[[1., 2.]]]))
    tensor([[[1., 1., 2.],
             [1., 1., 2.]]])
    """

    ndim = 2


class ReplicationPad3d(_ReplicationPadNd):
    """ReplicationPad1d for volumes.

    >>> torch.nn.ReplicationPad3d(1)(torch.ones(1, 1, 1, 1)).sum()
    tensor(27.)
    """

    ndim = 3


class _CircularPadNd(_FromInside):
    mode = "circular"

    def forward(self, input):
        if input.dim() not in (self.ndim + 1, self.ndim + 2):
            raise error("MG207", f"expected {self.ndim + 1}D or {self.ndim + 2}D input (got {input.dim()}D input)")
        return super().forward(input)


class CircularPad1d(_CircularPadNd):
    """The other end of the input, as if it were a ring.

    >>> torch.nn.CircularPad1d((1, 2))(torch.tensor([[1., 2., 3.]]))
    tensor([[3., 1., 2., 3., 1., 2.]])
    """

    ndim = 1


class CircularPad2d(_CircularPadNd):
    """CircularPad1d for planes.

    >>> torch.nn.CircularPad2d((1, 0, 0, 1))(torch.tensor([[[1., 2.]]]))
    tensor([[[2., 1., 2.],
             [2., 1., 2.]]])
    """

    ndim = 2


class CircularPad3d(_CircularPadNd):
    """CircularPad1d for volumes.

    >>> torch.nn.CircularPad3d(1)(torch.ones(1, 1, 1, 1)).sum()
    tensor(27.)
    """

    ndim = 3
