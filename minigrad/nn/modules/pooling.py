"""Pooling: windows of each channel become one element each, their maximum, mean or norm.

The numbers 1, 2 and 3 in the names are those of the spatial dims of the input, (N, C, ...) or (C, ...).
"""

from minigrad.nn import functional as F
from minigrad.nn.modules.layer import Layer, bad_option
from minigrad.nn.modules.utils import ntuple

__all__ = ["AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d", "AdaptiveMaxPool1d", "AdaptiveMaxPool2d",
           "AdaptiveMaxPool3d", "AvgPool1d", "AvgPool2d", "AvgPool3d", "FractionalMaxPool2d", "FractionalMaxPool3d",
           "LPPool1d", "LPPool2d", "LPPool3d", "MaxPool1d", "MaxPool2d", "MaxPool3d", "MaxUnpool1d", "MaxUnpool2d",
           "MaxUnpool3d"]


class _Pool(Layer):
    """A pooling layer: ``function`` is that of its number of dims."""

    function = None


# ------------------------------------------------------------------------------ maxima

class _MaxPoolNd(_Pool):
    """What MaxPool1d, 2d and 3d are made with."""

    kernel_size: int | tuple[int, ...]
    stride: int | tuple[int, ...]
    padding: int | tuple[int, ...]
    dilation: int | tuple[int, ...]
    return_indices: bool
    ceil_mode: bool

    shown = ("kernel_size={kernel_size}, stride={stride}, padding={padding}, dilation={dilation}, "
             "ceil_mode={ceil_mode}")

    def __init__(self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
        super().__init__(kernel_size=kernel_size, stride=kernel_size if stride is None else stride, padding=padding,
                         dilation=dilation, return_indices=return_indices, ceil_mode=ceil_mode)

    def forward(self, input):
        return self.function(input, self.kernel_size, self.stride, self.padding, self.dilation,
                             ceil_mode=self.ceil_mode, return_indices=self.return_indices)


class MaxPool1d(_MaxPoolNd):
    """The largest element of each window.

    Parameters
    ----------
    kernel_size : the size of a window, a number for all dims or one for each
    stride : how far the window moves; by default its size
    padding : how many elements, which are never the largest, are added on both sides
    dilation : how far apart the elements of a window are
    return_indices : whether the places of the elements are returned too, as MaxUnpool takes them
    ceil_mode : whether windows may begin inside and end outside

    >>> torch.nn.MaxPool1d(2)(torch.tensor([[1., 5., 2., 3.]]))
    tensor([[5., 3.]])
    """

    function = staticmethod(F.max_pool1d)


class MaxPool2d(_MaxPoolNd):
    """The largest element of each window of a plane: see :class:`MaxPool1d`.

    >>> torch.nn.MaxPool2d(3, stride=2)(torch.ones(1, 4, 9, 9)).shape
    torch.Size([1, 4, 4, 4])
    """

    function = staticmethod(F.max_pool2d)


class MaxPool3d(_MaxPoolNd):
    """The largest element of each window of a volume: see :class:`MaxPool1d`.

    >>> torch.nn.MaxPool3d(2)(torch.ones(1, 4, 4, 4)).shape
    torch.Size([1, 2, 2, 2])
    """

    function = staticmethod(F.max_pool3d)


class _MaxUnpoolNd(_Pool):
    """What MaxUnpool1d, 2d and 3d are made with."""

    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]

    ndim = None
    shown = "kernel_size={kernel_size}, stride={stride}, padding={padding}"

    def __init__(self, kernel_size, stride=None, padding=0):
        each = ntuple(self.ndim)
        super().__init__(kernel_size=each(kernel_size), stride=each(kernel_size if stride is None else stride),
                         padding=each(padding))

    def forward(self, input, indices, output_size=None):
        return self.function(input, indices, self.kernel_size, self.stride, self.padding, output_size)


class MaxUnpool1d(_MaxUnpoolNd):
    """Elements back in the places where MaxPool1d found them, and zeros elsewhere.

    >>> x = torch.tensor([[1., 5., 2., 3.]])
    >>> torch.nn.MaxUnpool1d(2)(*torch.nn.MaxPool1d(2, return_indices=True)(x))
    tensor([[0., 5., 0., 3.]])
    """

    ndim, function = 1, staticmethod(F.max_unpool1d)


class MaxUnpool2d(_MaxUnpoolNd):
    """Elements back in the places where MaxPool2d found them, and zeros elsewhere.

    >>> torch.nn.MaxUnpool2d(2)(torch.tensor([[[7.]]]), torch.tensor([[[3]]]))
    tensor([[[0., 0.],
             [0., 7.]]])
    """

    ndim, function = 2, staticmethod(F.max_unpool2d)


class MaxUnpool3d(_MaxUnpoolNd):
    """Elements back in the places where MaxPool3d found them, and zeros elsewhere.

    >>> torch.nn.MaxUnpool3d((1, 1, 2))(torch.tensor([[[[7.]]]]), torch.tensor([[[[1]]]]))
    tensor([[[[0., 7.]]]])
    """

    ndim, function = 3, staticmethod(F.max_unpool3d)


class _FractionalMaxPoolNd(_Pool):
    """What FractionalMaxPool2d and 3d are made with."""

    kernel_size: tuple[int, ...]
    return_indices: bool
    output_size: int | tuple[int, ...]
    output_ratio: float | tuple[float, ...] | None

    ndim = None

    def __init__(self, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
        each = ntuple(self.ndim)
        super().__init__(kernel_size=each(kernel_size), return_indices=return_indices,
                         output_size=None if output_size is None else each(output_size),
                         output_ratio=None if output_ratio is None else each(output_ratio))
        self.register_buffer("_random_samples", _random_samples)
        if any(size <= 0 for size in self.kernel_size):
            raise bad_option(f"kernel_size must be greater than 0, but got {kernel_size}")
        if output_size is None and output_ratio is None:
            raise bad_option(f"{type(self).__name__} requires specifying either an output size, or a pooling ratio")
        if output_size is not None and output_ratio is not None:
            raise bad_option("only one of output_size and output_ratio may be specified")
        if output_ratio is not None and not all(0 < ratio < 1 for ratio in self.output_ratio):
            raise bad_option(f"output_ratio must be between 0 and 1 (got {output_ratio})")

    def forward(self, input):
        return self.function(input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices,
                             _random_samples=self._random_samples)


class FractionalMaxPool2d(_FractionalMaxPoolNd):
    """The largest elements of windows at random distances, so many that the result has ``output_size``, or the share
    ``output_ratio`` of the size of the input (Graham, 2014).

    >>> torch.nn.FractionalMaxPool2d(2, output_size=(3, 4))(torch.ones(1, 7, 7)).shape
    torch.Size([1, 3, 4])
    """

    ndim, function = 2, staticmethod(F.fractional_max_pool2d)


class FractionalMaxPool3d(_FractionalMaxPoolNd):
    """FractionalMaxPool2d for volumes.

    >>> torch.nn.FractionalMaxPool3d(2, output_ratio=0.5)(torch.ones(1, 6, 6, 6)).shape
    torch.Size([1, 3, 3, 3])
    """

    ndim, function = 3, staticmethod(F.fractional_max_pool3d)


# ------------------------------------------------------------------------------ means and norms

class _AvgPoolNd(_Pool):
    """What AvgPool2d and 3d are made with."""

    kernel_size: int | tuple[int, ...]
    stride: int | tuple[int, ...]
    padding: int | tuple[int, ...]
    ceil_mode: bool
    count_include_pad: bool
    divisor_override: int | None

    shown = "kernel_size={kernel_size}, stride={stride}, padding={padding}"

    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True,
                 divisor_override=None):
        super().__init__(kernel_size=kernel_size, stride=kernel_size if stride is None else stride, padding=padding,
                         ceil_mode=ceil_mode, count_include_pad=count_include_pad, divisor_override=divisor_override)

    def forward(self, input):
        return self.function(input, self.kernel_size, self.stride, self.padding, self.ceil_mode,
                             self.count_include_pad, self.divisor_override)


class AvgPool1d(_Pool):
    """The mean of each window.

    Parameters
    ----------
    kernel_size : the size of a window, a number for all dims or one for each
    stride : how far the window moves; by default its size
    padding : how many zeros are added on both sides
    ceil_mode : whether windows may begin inside and end outside
    count_include_pad : whether the added zeros count

    >>> torch.nn.AvgPool1d(2)(torch.tensor([[1., 5., 2., 3.]]))
    tensor([[3.0000, 2.5000]])
    """

    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    ceil_mode: bool
    count_include_pad: bool

    shown = _AvgPoolNd.shown

    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
        each = ntuple(1)
        super().__init__(kernel_size=each(kernel_size), stride=each(kernel_size if stride is None else stride),
                         padding=each(padding), ceil_mode=ceil_mode, count_include_pad=count_include_pad)

    def forward(self, input):
        return F.avg_pool1d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad)


class AvgPool2d(_AvgPoolNd):
    """The mean of each window of a plane: see :class:`AvgPool1d`.  The sum is divided by ``divisor_override`` instead
    of the size of the window, if that is given.

    >>> torch.nn.AvgPool2d(2, divisor_override=1)(torch.ones(1, 2, 4))
    tensor([[[4., 4.]]])
    """

    function = staticmethod(F.avg_pool2d)


class AvgPool3d(_AvgPoolNd):
    """The mean of each window of a volume: see :class:`AvgPool2d`.

    >>> torch.nn.AvgPool3d(2)(torch.ones(1, 2, 2, 4))
    tensor([[[[1., 1.]]]])
    """

    function = staticmethod(F.avg_pool3d)


class _LPPoolNd(_Pool):
    """What LPPool1d, 2d and 3d are made with."""

    norm_type: float
    kernel_size: int | tuple[int, ...]
    stride: int | tuple[int, ...] | None
    ceil_mode: bool

    shown = "norm_type={norm_type}, kernel_size={kernel_size}, stride={stride}, ceil_mode={ceil_mode}"

    def __init__(self, norm_type, kernel_size, stride=None, ceil_mode=False):
        super().__init__(norm_type=norm_type, kernel_size=kernel_size, stride=stride, ceil_mode=ceil_mode)

    def forward(self, input):
        return self.function(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)


class LPPool1d(_LPPoolNd):
    """The p-norm of each window, where p is ``norm_type``.

    >>> torch.nn.LPPool1d(2, 2)(torch.tensor([[3., 4., 0., 1.]]))
    tensor([[5., 1.]])
    """

    function = staticmethod(F.lp_pool1d)


class LPPool2d(_LPPoolNd):
    """The p-norm of each window of a plane: see :class:`LPPool1d`.

    >>> torch.nn.LPPool2d(1, 2)(torch.ones(1, 2, 2))
    tensor([[[4.]]])
    """

    function = staticmethod(F.lp_pool2d)


class LPPool3d(_LPPoolNd):
    """The p-norm of each window of a volume: see :class:`LPPool1d`.

    >>> torch.nn.LPPool3d(1, 2)(torch.ones(1, 2, 2, 2))
    tensor([[[[8.]]]])
    """

    function = staticmethod(F.lp_pool3d)


# ------------------------------------------------------------------------------ to a given size

class _AdaptiveMaxPoolNd(_Pool):
    """What AdaptiveMaxPool1d, 2d and 3d are made with."""

    output_size: int | tuple[int, ...]
    return_indices: bool

    shown = "output_size={output_size}"

    def __init__(self, output_size, return_indices=False):
        super().__init__(output_size=output_size, return_indices=return_indices)

    def forward(self, input):
        return self.function(input, self.output_size, self.return_indices)


class AdaptiveMaxPool1d(_AdaptiveMaxPoolNd):
    """The largest elements of as many windows as ``output_size`` says, which cover the input evenly.

    >>> torch.nn.AdaptiveMaxPool1d(2)(torch.tensor([[1., 5., 2., 3.]]))
    tensor([[5., 3.]])
    """

    function = staticmethod(F.adaptive_max_pool1d)


class AdaptiveMaxPool2d(_AdaptiveMaxPoolNd):
    """AdaptiveMaxPool1d for planes; None in ``output_size`` is the size of the input.

    >>> torch.nn.AdaptiveMaxPool2d((None, 2))(torch.ones(1, 3, 5)).shape
    torch.Size([1, 3, 2])
    """

    function = staticmethod(F.adaptive_max_pool2d)


class AdaptiveMaxPool3d(_AdaptiveMaxPoolNd):
    """AdaptiveMaxPool1d for volumes.

    >>> torch.nn.AdaptiveMaxPool3d(2)(torch.ones(1, 3, 5, 4)).shape
    torch.Size([1, 2, 2, 2])
    """

    function = staticmethod(F.adaptive_max_pool3d)


class _AdaptiveAvgPoolNd(_Pool):
    """What AdaptiveAvgPool1d, 2d and 3d are made with."""

    output_size: int | tuple[int, ...]

    shown = "output_size={output_size}"

    def __init__(self, output_size):
        super().__init__(output_size=output_size)

    def forward(self, input):
        return self.function(input, self.output_size)


class AdaptiveAvgPool1d(_AdaptiveAvgPoolNd):
    """The means of as many windows as ``output_size`` says, which cover the input evenly.

    >>> torch.nn.AdaptiveAvgPool1d(2)(torch.tensor([[1., 5., 2., 3.]]))
    tensor([[3.0000, 2.5000]])
    """

    function = staticmethod(F.adaptive_avg_pool1d)


class AdaptiveAvgPool2d(_AdaptiveAvgPoolNd):
    """AdaptiveAvgPool1d for planes; with ``output_size=1`` the mean of each channel.

    >>> torch.nn.AdaptiveAvgPool2d(1)(torch.tensor([[[1., 2.], [3., 4.]]]))
    tensor([[[2.5000]]])
    """

    function = staticmethod(F.adaptive_avg_pool2d)


class AdaptiveAvgPool3d(_AdaptiveAvgPoolNd):
    """AdaptiveAvgPool1d for volumes.

    >>> torch.nn.AdaptiveAvgPool3d((1, None, 2))(torch.ones(1, 3, 5, 4)).shape
    torch.Size([1, 1, 5, 2])
    """

    function = staticmethod(F.adaptive_avg_pool3d)
