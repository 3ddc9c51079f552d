"""The sizes of windows: one number stands for as many as there are dims."""

from collections.abc import Iterable
from itertools import repeat

__all__ = ["ntuple"]


def ntuple(n):
    """A function that makes a tuple of ``n`` numbers of one; a tuple or a list of several it takes as it is.

    >>> from minigrad.nn.modules.utils import ntuple
    >>> ntuple(2)(3), ntuple(2)([1, 2])
    ((3, 3), (1, 2))
    """
    def of(x):
        return tuple(x) if isinstance(x, Iterable) else tuple(repeat(x, n))

    return of


_ntuple, _single, _pair, _triple, _quadruple = ntuple, ntuple(1), ntuple(2), ntuple(3), ntuple(4)     # PyTorch's names
