"""The library for threads that PyTorch uses.  minigrad's threads are its own."""

__all__ = ["is_available"]


def is_available():
    """False.

    >>> torch.backends.openmp.is_available()
    False
    """
    return False
