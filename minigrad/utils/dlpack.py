"""``torch.utils.dlpack``: share memory with other libraries; see numpy_interface/dlpack.py."""

from minigrad._core.errors.absent import answering as _answering
from minigrad.numpy_interface.dlpack import from_dlpack, to_dlpack
from minigrad.numpy_interface.dlpack_devices import DLDeviceType

__all__ = ["DLDeviceType", "from_dlpack", "to_dlpack"]

__getattr__ = _answering(__name__)
