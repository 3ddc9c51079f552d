"""A package that finds a good order of the products in ``einsum``, which minigrad does without."""

__all__ = ["is_available"]

enabled, strategy = False, None


def is_available():
    """False.

    >>> torch.backends.opt_einsum.is_available()
    False
    """
    return False
