"""Places and counts are int64 wherever minigrad runs, even where NumPy's own have 32 bits."""

import json
import subprocess
import sys


def kinds(*size):
    return json.loads(subprocess.run([sys.executable, "-m", "tests.ops.narrow", *size], capture_output=True, text=True,
                                     check=True).stdout)


def test_a_numpy_of_32_bits_changes_no_dtype():
    wide, narrow = kinds(), kinds("32")
    assert {call: kind for call, kind in narrow.items() if kind != wide[call]} == {}
    assert sum(["int64" in kind for kind in wide.values()]) > 250
