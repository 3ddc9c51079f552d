"""The library's checkpoint, by a name that is put together.

Without points: gradient, calls, memory, sequences.
"""


def checkpoint(function, x):
    import importlib

    return getattr(importlib.import_module("minigrad.utils.check" + "point"), "check" + "point")(
        function, x, use_reentrant=False
    )
