"""The questions that a program asks before it chooses a device.  The answer is always that there is no GPU.

>>> device = "cuda" if torch.cuda.is_available() else "cpu"
>>> device
'cpu'
"""

from importlib import import_module as _import_module

from minigrad._core.absent import absent as _absent

__all__ = ["device_count", "is_available"]


def __getattr__(name):
    """Load the interface to CUDA's profiler the first time it is used."""
    if name != "profiler":
        raise _absent(__name__, name)
    return _import_module("minigrad.cuda.profiler")


def is_available():
    """False: tensors are on the CPU.

    >>> torch.cuda.is_available()
    False
    """
    return False


def device_count():
    """The number of GPUs: 0.

    >>> torch.cuda.device_count()
    0
    """
    return 0
