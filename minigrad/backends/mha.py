"""A shortcut for attention without gradients, which is not here.  Its switch is kept, and has no effect."""

__all__ = ["get_fastpath_enabled", "set_fastpath_enabled"]

_enabled = True


def get_fastpath_enabled():
    """Has it been allowed?

    >>> torch.backends.mha.get_fastpath_enabled()
    True
    """
    return _enabled


def set_fastpath_enabled(value):
    """Allow it or not.

    >>> torch.backends.mha.set_fastpath_enabled(True)
    """
    global _enabled
    _enabled = value
