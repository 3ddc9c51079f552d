"""Neural networks: modules, which hold parameters, and the functions that they call.

The functions are in ``minigrad.nn.functional``, the classes in ``minigrad.nn.modules``, which are loaded when they are
first used.  Read ``modules/module.py`` first.
"""

from importlib import import_module as _import_module

from minigrad._core.errors.absent import absent as _absent

#: what is loaded when it is asked for, and where it is
_MODULES = ("attention", "common_types", "functional", "grad", "init", "modules", "parallel", "parameter", "utils")
_CLASSES = ("minigrad.nn.modules", "minigrad.nn.parallel", "minigrad.nn.parameter")

__all__ = ["functional", "grad"]


def __getattr__(name):
    """Load the classes the first time that one of them is used."""
    if name in _MODULES:
        return _import_module(f"minigrad.nn.{name}")
    for place in _CLASSES:
        module = _import_module(place)
        if name in module.__all__:
            globals()[name] = getattr(module, name)         # found at once from now on
            return globals()[name]
    raise _absent(__name__, name)


def __dir__():
    return sorted({*globals(), *_MODULES, *(name for place in _CLASSES for name in _import_module(place).__all__)})
