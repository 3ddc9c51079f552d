"""Intel's library for matrices and Fourier transforms, which is not here."""

__all__ = ["is_available"]


def is_available():
    """False.

    >>> torch.backends.mkl.is_available()
    False
    """
    return False
