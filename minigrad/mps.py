"""Apple's GPUs, which are not used here: the questions that a program asks before it chooses a device.

>>> torch.mps.is_available()
False
"""

from minigrad._lazy_modules import incomplete as _incomplete

__all__ = ["device_count", "is_available", "manual_seed"]


def is_available():
    """False: tensors are on the CPU.

    >>> torch.mps.is_available()
    False
    """
    return False


def device_count():
    """The number of GPUs: 0.

    >>> torch.mps.device_count()
    0
    """
    return 0


def manual_seed(seed):
    """Nothing: there is no generator but that of the CPU, which ``torch.manual_seed`` sets.

    >>> torch.mps.manual_seed(0)
    """


__getattr__ = _incomplete(__name__, {})
