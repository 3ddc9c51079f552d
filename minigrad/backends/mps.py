"""Apple's GPUs, which are not used here.

>>> device = "mps" if torch.backends.mps.is_available() else "cpu"
>>> device
'cpu'
"""

__all__ = ["is_available", "is_built"]


def is_available():
    """False: tensors are on the CPU.

    >>> torch.backends.mps.is_available()
    False
    """
    return False


def is_built():
    """False.

    >>> torch.backends.mps.is_built()
    False
    """
    return False
