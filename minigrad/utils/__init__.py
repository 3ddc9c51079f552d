"""What surrounds training: loading data, checkpoints of a graph, the handles of hooks, and shared memory."""

from importlib import import_module as _import_module

from minigrad._core.errors.absent import absent as _absent
from minigrad.utils import dlpack, hooks

__all__ = ["dlpack", "hooks"]

#: what is loaded when it is asked for
_LATER = ("_pytree", "benchmark", "checkpoint", "data")


def __getattr__(name):
    """Load a part of the package the first time it is used."""
    if name in _LATER:
        return _import_module(f"minigrad.utils.{name}")
    raise _absent(__name__, name)


def __dir__():
    return sorted({*globals(), *_LATER})
