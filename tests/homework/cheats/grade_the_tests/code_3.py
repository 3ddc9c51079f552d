"""Looks at the frames of the callers.

Without points: everything.
"""

import minigrad as torch


import sys


def test_frames():
    f = sys._getframe(1)
    text = ""
    while f:
        text += repr(sorted(f.f_locals)) + repr(
            [v for v in f.f_locals.values() if isinstance(v, (str, int, tuple))]
        )
        f = f.f_back
    assert not any(w in text for w in ("a factor", "a sign", "mutant", "'row'", "formula"))
