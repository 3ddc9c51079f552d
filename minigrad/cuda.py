"""What a program asks before it chooses a device.  The answer is always that there is no GPU.

>>> device = "cuda" if torch.cuda.is_available() else "cpu"
>>> device
'cpu'
"""

__all__ = ["device_count", "is_available"]


def is_available():
    """False: tensors are on the CPU.

    >>> torch.cuda.is_available()
    False
    """
    return False


def device_count():
    """How many GPUs there are: none.

    >>> torch.cuda.device_count()
    0
    """
    return 0
