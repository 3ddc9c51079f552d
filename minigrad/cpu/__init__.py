"""The CPU, asked in the same words as a GPU: it is always there, and never has to be waited for.

>>> torch.cpu.is_available(), torch.cpu.device_count(), torch.cpu.current_device()
(True, 1, 'cpu')
"""

from minigrad._core.errors.absent import answering as _answering
from minigrad.cpu import amp

__all__ = ["current_device", "device_count", "is_available", "is_initialized", "set_device", "synchronize"]


def is_available():
    """True.

    >>> torch.cpu.is_available()
    True
    """
    return True


is_initialized = is_available


def device_count():
    """1, however many cores it has.

    >>> torch.cpu.device_count()
    1
    """
    return 1


def current_device():
    """"cpu".

    >>> torch.cpu.current_device()
    'cpu'
    """
    return "cpu"


def set_device(device):
    """Nothing: there is one.

    >>> torch.cpu.set_device("cpu")
    """


def synchronize(device=None):
    """Nothing: a computation is done when its call returns.

    >>> torch.cpu.synchronize()
    """


__getattr__ = _answering(__name__)
