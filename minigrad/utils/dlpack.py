"""``torch.utils.dlpack``: share memory with other libraries; see exchange.py."""

from minigrad._core.errors.absent import answering as _answering
from minigrad.exchange import DLDeviceType, from_dlpack, to_dlpack

__all__ = ["DLDeviceType", "from_dlpack", "to_dlpack"]

__getattr__ = _answering(__name__)
