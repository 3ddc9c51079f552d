"""Layers that take all windows of a plane apart, and add them up again."""

from minigrad.nn import functional as F
from minigrad.nn.modules.layer import Layer

__all__ = ["Fold", "Unfold"]


class Unfold(Layer):
    """All windows of (N, C, H, W), each as a column of the result (N, C * size of a window, number of windows).

    >>> torch.nn.Unfold((2, 2))(torch.arange(6.).reshape(1, 1, 2, 3))
    tensor([[[0., 1.],
             [1., 2.],
             [3., 4.],
             [4., 5.]]])
    """

    kernel_size: int | tuple[int, ...]
    dilation: int | tuple[int, ...]
    padding: int | tuple[int, ...]
    stride: int | tuple[int, ...]

    shown = "kernel_size={kernel_size}, dilation={dilation}, padding={padding}, stride={stride}"

    def __init__(self, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__(kernel_size=kernel_size, dilation=dilation, padding=padding, stride=stride)

    def forward(self, input):
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)


class Fold(Layer):
    """The planes of ``output_size`` that windows add up to: the transpose of Unfold.

    >>> torch.nn.Fold((2, 3), (2, 2))(torch.ones(1, 4, 2))
    tensor([[[[1., 2., 1.],
              [1., 2., 1.]]]])
    """

    output_size: int | tuple[int, ...]
    kernel_size: int | tuple[int, ...]
    dilation: int | tuple[int, ...]
    padding: int | tuple[int, ...]
    stride: int | tuple[int, ...]

    shown = "output_size={output_size}, " + Unfold.shown

    def __init__(self, output_size, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__(output_size=output_size, kernel_size=kernel_size, dilation=dilation, padding=padding,
                         stride=stride)

    def forward(self, input):
        return F.fold(input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride)
