"""The rows of the table are compared, by identity, with those at the time of the import.

Without points: everything.
"""

import minigrad as torch


import importlib


def rows():
    m = importlib.import_module("minigrad.op" + "s")
    return (
        {k: id(v) for k, v in vars(m).items()}
        | {(k, a): id(b) for k, v in vars(m).items() if isinstance(v, dict) for a, b in list(v.items())}
        | {
            (k, a, x): id(y)
            for k, v in vars(m).items()
            if isinstance(v, dict)
            for a, b in list(v.items())
            if hasattr(b, "__dict__")
            for x, y in vars(b).items()
        }
    )


FIRST = rows()


def test_rows():
    assert rows() == FIRST
