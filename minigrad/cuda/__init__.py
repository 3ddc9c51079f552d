"""The questions that a program asks before it chooses a device.  The answer is that there is no GPU.

>>> device = "cuda" if torch.cuda.is_available() else "cpu"
>>> device
'cpu'

:class:`pretend` is a block in which there is one, of a kind: a device in the memory of the CPU that keeps the rules of
an accelerator.
"""

from importlib import import_module as _import_module

from minigrad import dtypes as _dtypes
from minigrad._lazy_modules import incomplete as _incomplete
from minigrad.dtypes.sizes_and_devices import CURRENT as _CURRENT, PRETENDED as _PRETENDED

__all__ = ["amp", "current_device", "device_count", "empty_cache", "get_device_capability", "get_device_name",
           "get_device_properties", "get_rng_state_all", "is_available", "is_bf16_supported", "is_initialized",
           "manual_seed",
           "manual_seed_all", "max_memory_allocated", "max_memory_cached", "max_memory_reserved", "memory_allocated",
           "memory_cached", "memory_reserved", "pretend", "profiler", "reset_max_memory_allocated",
           "reset_max_memory_cached", "reset_peak_memory_stats", "seed", "seed_all", "set_device", "set_rng_state_all",
           "synchronize"]


# CUDA's profiler, mixed precision and the pretended device are loaded the first time that they are used.
__getattr__ = _incomplete(__name__, {"pretend": "minigrad.cuda.pretending",
                                     **{name: f"minigrad.cuda.{name}" for name in ("amp", "pretending", "profiler")}})


def is_available():
    """Is there a GPU?  Only inside :class:`pretend`.

    >>> torch.cuda.is_available()
    False
    """
    return bool(_PRETENDED)


def device_count():
    """The number of GPUs: 0, or as many as are pretended.

    >>> torch.cuda.device_count()
    0
    """
    return len(_PRETENDED)


def is_bf16_supported(including_emulation=True):
    """Does the GPU compute with bfloat16?  A pretended one does.

    >>> torch.cuda.is_bf16_supported()
    False
    """
    return bool(_PRETENDED)


def is_initialized():
    """Is a device pretended?

    >>> torch.cuda.is_initialized()
    False
    """
    return bool(_PRETENDED)


def _pretended(function, device=None):
    """The device that ``device=`` names, the current one if it is None; an error if none is pretended."""
    return _dtypes.placed("cuda" if device is None else device, f"torch.cuda.{function}")


def current_device():
    """The number of the device that "cuda" means; an error if none is pretended.

    >>> with torch.cuda.pretend(devices=2):
    ...     torch.cuda.set_device(1)
    ...     torch.cuda.current_device()
    1
    """
    return _pretended("current_device").index


def set_device(device):
    """From now on "cuda" means this device.

    >>> with torch.cuda.pretend(devices=2):
    ...     torch.cuda.set_device("cuda:1")
    ...     torch.ones(1, device="cuda").device
    device(type='cuda', index=1)
    """
    _CURRENT[0] = _pretended("set_device", device).index


def get_device_name(device=None):
    """What the device is called: it says that it is pretended.

    >>> with torch.cuda.pretend():
    ...     torch.cuda.get_device_name()
    'a pretended device (cuda:0, in the memory of the CPU)'
    """
    return f"a pretended device ({_pretended('get_device_name', device)}, in the memory of the CPU)"


def synchronize(device=None):
    """Wait until the device has computed what it was asked: nothing to wait for, since the CPU did it.

    >>> with torch.cuda.pretend():
    ...     torch.cuda.synchronize()
    """
    _pretended("synchronize", device)


def _nothing(*args, **kwargs):
    """Nothing: there is no GPU whose generator is set, or whose memory is freed."""


def memory_allocated(device=None):
    """The bytes of the device that tensors hold: 0 without a GPU.

    >>> with torch.cuda.pretend():
    ...     x = torch.ones(256, device="cuda")
    ...     torch.cuda.memory_allocated()
    1024
    """
    return _memory("memory_allocated", device, "held")


def max_memory_allocated(device=None):
    """The most bytes of the device that tensors have held since `pretend` or ``reset_peak_memory_stats()``.

    >>> with torch.cuda.pretend():
    ...     x = torch.ones(256, device="cuda").sum()
    ...     torch.cuda.max_memory_allocated()
    1028
    """
    return _memory("max_memory_allocated", device, "peak")


def _memory(function, device, what):
    if not _PRETENDED:
        return 0
    pretending = _import_module("minigrad.cuda.pretending")
    return getattr(pretending.class_of(_pretended(function, device).index).memory, what)


def reset_peak_memory_stats(device=None):
    """From now on ``max_memory_allocated`` counts anew.

    >>> torch.cuda.reset_peak_memory_stats()
    """
    if _PRETENDED:
        _import_module("minigrad.cuda.pretending").class_of(
            _pretended("reset_peak_memory_stats", device).index).memory.reset()


def get_rng_state_all():
    """The states of the generators of all GPUs: none.

    >>> torch.cuda.get_rng_state_all()
    []
    """
    return []


def set_rng_state_all(new_states):
    """Set the states that :func:`get_rng_state_all` gave: none; an error if there is one, which has no generator here.

    >>> torch.cuda.set_rng_state_all(torch.cuda.get_rng_state_all())
    """
    for _ in new_states:
        _dtypes.as_device("cuda", "torch.cuda.set_rng_state_all")


def _refusing(name):
    def refuse(*args, **kwargs):
        _dtypes.as_device("cuda", f"torch.cuda.{name}")

    refuse.__name__ = refuse.__qualname__ = name
    refuse.__doc__ = "An error: there is no GPU."
    return refuse


empty_cache = manual_seed = manual_seed_all = seed = seed_all = _nothing
reset_max_memory_allocated = reset_max_memory_cached = reset_peak_memory_stats
memory_cached = memory_reserved = memory_allocated
max_memory_cached = max_memory_reserved = max_memory_allocated
globals().update({name: _refusing(name) for name in ("get_device_capability", "get_device_properties")})
