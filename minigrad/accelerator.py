"""The accelerator of this machine, whatever its make.  There is none: tensors are on the CPU.

>>> device = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else torch.device("cpu")
>>> device
device(type='cpu')
"""

from minigrad._core.errors import error
from minigrad._core.errors.absent import answering as _answering

__all__ = ["current_accelerator", "current_device_idx", "current_device_index", "current_stream", "device_count",
           "empty_cache", "is_available", "set_device_idx", "set_device_index", "set_stream", "synchronize"]


def is_available():
    """False.

    >>> torch.accelerator.is_available()
    False
    """
    return False


def device_count():
    """The number of accelerators: 0.

    >>> torch.accelerator.device_count()
    0
    """
    return 0


def current_accelerator(check_available=False):
    """None: there is none.

    >>> torch.accelerator.current_accelerator()
    """
    return None


def _refusing(name):
    def refuse(*args, **kwargs):
        raise error("MG404", f"Cannot access accelerator device when none is available: {name}() speaks of one, and "
                             "minigrad computes on the CPU. Ask torch.accelerator.is_available() first")

    refuse.__name__ = refuse.__qualname__ = name
    refuse.__doc__ = "An error: there is no accelerator."
    return refuse


globals().update({name: _refusing(name) for name in __all__ if name not in globals()})
__getattr__ = _answering(__name__)
