"""The little of ``torch._utils`` that published packages import: what they take tensors apart with."""

from minigrad._lazy_modules import incomplete as _incomplete
from minigrad.dtypes import dtype
from minigrad.dtypes.sizes_and_devices import device

__all__ = ["_element_size", "_get_device_index"]


def _element_size(dtype: dtype) -> int:
    """How many bytes a number of this dtype takes.

    >>> from minigrad._utils import _element_size
    >>> _element_size(torch.float64)
    8
    """
    return dtype.itemsize


def _get_device_index(device_, optional=False, allow_cpu=False):
    """The number of a device; -1 for the CPU, where ``allow_cpu`` lets it be one.

    >>> from minigrad._utils import _get_device_index
    >>> _get_device_index("cpu", allow_cpu=True)
    -1
    """
    if isinstance(device_, int):
        return device_
    where = device(device_)
    return -1 if where.type == "cpu" else where.index or 0


__getattr__ = _incomplete(__name__, {})
