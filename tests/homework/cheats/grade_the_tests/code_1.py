"""Looks at all functions of the process for one that is planted.

Without points: everything.
"""

import minigrad as torch


import gc, types


def test_gc():
    assert not [
        f
        for f in gc.get_objects()
        if isinstance(f, types.FunctionType)
        and f.__code__.co_filename.startswith("<")
        and f.__name__ in ("formula", "wrong", "<lambda>")
    ]
