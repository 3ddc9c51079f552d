"""The questions that a program asks before it chooses a device.  The answer is always that there is no GPU.

>>> device = "cuda" if torch.cuda.is_available() else "cpu"
>>> device
'cpu'
"""

from importlib import import_module as _import_module

from minigrad import dtypes as _dtypes
from minigrad._core.absent import absent as _absent

__all__ = ["current_device", "device_count", "empty_cache", "get_device_capability", "get_device_name",
           "get_device_properties", "is_available", "is_bf16_supported", "is_initialized", "manual_seed",
           "manual_seed_all", "max_memory_allocated", "max_memory_cached", "max_memory_reserved", "memory_allocated",
           "memory_cached", "memory_reserved", "reset_max_memory_allocated", "reset_max_memory_cached",
           "reset_peak_memory_stats", "seed", "seed_all", "set_device", "synchronize"]


def __getattr__(name):
    """Load the interface to CUDA's profiler, or to mixed precision, the first time it is used."""
    if name not in ("amp", "profiler"):
        raise _absent(__name__, name)
    return _import_module(f"minigrad.cuda.{name}")


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


def is_bf16_supported(including_emulation=True):
    """False, as there is no GPU.

    >>> torch.cuda.is_bf16_supported()
    False
    """
    return False


def is_initialized():
    """False.

    >>> torch.cuda.is_initialized()
    False
    """
    return False


def _nothing(*args, **kwargs):
    """Nothing: there is no GPU whose generator is set, or whose memory is freed."""


def _no_bytes(device=None):
    """The bytes of a GPU that are in use: 0.

    >>> torch.cuda.memory_allocated()
    0
    """
    return 0


def _refusing(name):
    def refuse(*args, **kwargs):
        _dtypes.as_device("cuda", f"torch.cuda.{name}")

    refuse.__name__ = refuse.__qualname__ = name
    refuse.__doc__ = "An error: there is no GPU."
    return refuse


empty_cache = manual_seed = manual_seed_all = seed = seed_all = _nothing
reset_max_memory_allocated = reset_max_memory_cached = reset_peak_memory_stats = _nothing
memory_allocated = memory_cached = memory_reserved = _no_bytes
max_memory_allocated = max_memory_cached = max_memory_reserved = _no_bytes
globals().update({name: _refusing(name) for name in (
    "current_device", "get_device_capability", "get_device_name", "get_device_properties", "set_device",
    "synchronize")})
