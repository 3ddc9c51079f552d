"""Neural networks: modules, which hold parameters, and the functions that they call.

The functions are in ``minigrad.nn.functional``, the classes in ``minigrad.nn.modules``, which are loaded when they are
first used.  Read ``modules/module.py`` first.
"""

from minigrad._lazy_modules import incomplete as _incomplete

#: the modules whose classes are here too
_CLASSES = ("minigrad.nn.modules", "minigrad.nn.parallel", "minigrad.nn.parameter")

__getattr__ = _incomplete(__name__, {name: f"minigrad.nn.{name}" for name in (
    "attention", "common_types", "functional", "grad", "init", "modules", "parallel", "parameter", "utils")}, _CLASSES)
