"""The sizes of windows: one number stands for as many as there are dims."""

from collections.abc import Iterable
from itertools import repeat

__all__ = ["consume_prefix_in_state_dict_if_present", "ntuple"]


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


def consume_prefix_in_state_dict_if_present(state_dict, prefix):
    """Take a prefix away from the keys of a state dict, in place: one of ``DataParallel`` begins with "module.".

    >>> from minigrad.nn.modules.utils import consume_prefix_in_state_dict_if_present
    >>> state = {"module.weight": 1, "steps": 2}
    >>> consume_prefix_in_state_dict_if_present(state, "module.")
    >>> state
    {'steps': 2, 'weight': 1}
    """
    for key in [key for key in state_dict if key.startswith(prefix)]:
        state_dict[key[len(prefix):]] = state_dict.pop(key)
    versions = getattr(state_dict, "_metadata", {})
    for key in [key for key in versions if key and (key == prefix.replace(".", "") or key.startswith(prefix))]:
        versions[key[len(prefix):]] = versions.pop(key)
