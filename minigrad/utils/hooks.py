"""The handle of a registered hook, under its public name ``torch.utils.hooks.RemovableHandle``."""

from minigrad.autograd.graph import RemovableHandle

__all__ = ["RemovableHandle"]
