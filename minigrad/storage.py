"""``torch.storage``: the memory of a tensor as bytes, without shape and dtype.

>>> x = torch.tensor([1, 2], dtype=torch.int16)
>>> x.untyped_storage().tolist()
[1, 0, 2, 0]
>>> x[1:].untyped_storage().data_ptr() == x.data_ptr()
True
"""

import numpy as np

from minigrad._core.errors import error
from minigrad._core.graph.shared_memory import bump_version
from minigrad._lazy_modules import incomplete as _incomplete
from minigrad.dtypes.sizes_and_devices import device as _device

__all__ = ["UntypedStorage"]


class UntypedStorage:
    """Bytes: ``UntypedStorage(5)`` has five zeros, ``UntypedStorage([1, 2])`` these two, and ``x.untyped_storage()``
    those of a tensor, which the tensor sees change.

    Raises: RuntimeError (MG211) if it would have to grow.

    >>> storage = torch.zeros(2, dtype=torch.uint8).untyped_storage()
    >>> storage[1] = 7
    >>> storage.tolist(), storage.nbytes(), torch.UntypedStorage([1, 2])[0]
    ([0, 7], 2, 1)
    """

    def __init__(self, content=0, *, device="cpu"):
        self._bytes = np.zeros(content, np.uint8) if isinstance(content, int) else np.array(content, np.uint8)
        self._owner = None

    device = _device("cpu")
    is_cuda = is_sparse = is_hpu = False

    def data_ptr(self):
        """The address of the first byte."""
        return self._bytes.ctypes.data if self._bytes.size else 0

    _cdata = property(data_ptr)

    def nbytes(self):
        """The number of bytes."""
        return self._bytes.size

    size = __len__ = nbytes

    def element_size(self):
        """1: a byte."""
        return 1

    def tolist(self):
        """The bytes, as numbers."""
        return self._bytes.tolist()

    def __iter__(self):
        return iter(self.tolist())

    def __getitem__(self, index):
        if isinstance(index, slice):
            part = type(self)()
            part._owner, part._bytes = self._owner, self._bytes[index]
            return part
        return int(self._bytes[index])

    def __setitem__(self, index, value):
        self._bytes[index] = value
        self._written()

    def _written(self):
        if self._owner is not None:
            bump_version(self._owner)

    def fill_(self, value):
        """Write one value to each byte."""
        self[:] = value
        return self

    def copy_(self, source, non_blocking=False):
        """Write the bytes of another storage of this size."""
        if source.nbytes() != self.nbytes():
            raise error("MG211", f"size does not match, self was {self.nbytes()} bytes but src was {source.nbytes()} "
                                 "bytes")
        self[:] = source._bytes
        return self

    def clone(self):
        """A copy."""
        return type(self)(self._bytes)

    def cpu(self):
        """The storage itself."""
        return self

    def resize_(self, size):
        """Nothing, where it has this many bytes: memory that others share does not grow."""
        if size != self.nbytes():
            raise error("MG211", f"resize_: this memory has {self.nbytes()} bytes, which a NumPy array shares, and "
                                 f"cannot have {size}. Make another tensor, and copy what is needed")
        return self

    def is_shared(self):
        """Whether other processes see it."""
        return self._owner is not None and self._owner.is_shared()

    def __repr__(self):
        numbers = " ".join(map(str, self.tolist()))
        return f"{numbers}\n[torch.storage.UntypedStorage(device=cpu) of size {self.nbytes()}]"


def _bytes_of(array):
    """All bytes of the array that owns the memory."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    in_memory = array.transpose(np.argsort([-step for step in array.strides], kind="stable"))
    return in_memory.reshape(-1).view(np.uint8)


def of(array, owner):
    """The memory of an array, which a tensor shows."""
    storage = UntypedStorage()
    storage._owner, storage._bytes = owner, _bytes_of(array)
    return storage


__getattr__ = _incomplete(__name__, {})
