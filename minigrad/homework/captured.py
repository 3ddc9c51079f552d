"""NumPy and minigrad as they are before a submission runs, for the judge's own code in its process.

A submission can replace ``np.allclose``; the names in these copies lead to what was there before.
"""

import importlib.util
import os
import types

__all__ = ["captured", "loaded_part", "paths"]

#: the ``__dict__`` of a module as it is now, even of one that loads a part of its names when it is asked for them
loaded_part = types.ModuleType.__dict__["__dict__"].__get__


def captured(module):
    """A copy of the module, and of those of its package that are in it, with the names that it has now."""
    root, copies = module.__name__.partition(".")[0], {}

    def copied(module):
        if module not in copies:
            copy = copies[module] = types.ModuleType(module.__name__)
            for name, value in list(loaded_part(module).items()):
                is_part = isinstance(value, types.ModuleType) and value.__name__.partition(".")[0] == root
                vars(copy)[name] = copied(value) if is_part else value
        return copies[module]

    return copied(module)


def paths():
    """A module like ``os.path``, which is made anew and shares no function in Python with it.

    Its loader is asked for the code: in a web page Python's library is an archive, and ``os.path`` has no file.
    """
    name, module = os.path.__name__, types.ModuleType("paths")
    exec(importlib.util.find_spec(name).loader.get_code(name), vars(module))
    module.os = captured(os)
    return module
