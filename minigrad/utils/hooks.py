"""Hooks of tensors and modules, under the names of ``torch.utils.hooks``: their handles, and how they are written."""

from minigrad.autograd.graph import RemovableHandle
from minigrad.tensors.copy_and_pickle import warn_if_has_hooks

__all__ = ["RemovableHandle", "unserializable_hook", "warn_if_has_hooks"]


def unserializable_hook(f):
    """A decorator: no warning that this hook is left out when its tensor is pickled, saved or sent."""
    f.__torch_unserializable__ = True
    return f
