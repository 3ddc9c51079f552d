"""Kernels of general rows against ball arithmetic: how far the results are from what the row means.

As in balls.py, but for rows whose results depend on many elements, at the points of enclosing.py.  The unit is an ulp
of the largest element of a result: where terms cancel, no kernel keeps the digits of a small one.
"""

import itertools
import math
import sys

import flint
import numpy as np

from minigrad._core.dispatch.compute import on_arrays
from minigrad._core.errors import MinigradError
from minigrad.ops import exports

from . import ledger
from .balls import Undecided, ulp
from .duals import numbers
from .enclosing import approximate, consistent, points, precisely
from .stepping import MEANINGS, Unproved, meaning_of

USUAL = 20
SINGLE = {"f": np.float32, "c": np.complex64}

NEAR = "vectors turn fast where singular values are near to each other"
GIVEN = "the mean of each line is given, rounded"
#: rows whose errors are larger than those of others, and why; the rest of them are within USUAL
LARGER = {"cofactors": (50, "by singular values"), "singular_values_kept": (400, NEAR),
          "spectral_diagonal": (150, NEAR), "spectral_turn": (150, NEAR),
          "norm_backward": (900, GIVEN), "norm_weight_backward": (200, GIVEN),
          "native_layer_norm": (200, "the mean, where numbers cancel")}


def rows():
    """The rows that have a meaning on arrays, and a formula that is compared with it."""
    compared = {entry.row for entry in ledger.read() if entry.means == "balls"}
    return [row for name, row in sorted(exports.ROWS.items()) if name in MEANINGS and name in compared]


def errors(row, dtype, n=None):
    """The greatest error of the kernel at n points, or all, in ulp of this dtype; None if no point has a result."""
    greatest = None
    with precisely():
        for call, _ in itertools.islice(points(row, row.formulas[0].of), n):
            try:
                found = error_at(row, call, dtype)
            except (Undecided, Unproved, ZeroDivisionError, MinigradError):
                continue
            greatest = found if greatest is None else max(found, greatest)
    return greatest


def error_at(row, call, dtype):
    """The greatest error of one call."""
    call = {name: rounded(each, dtype) for name, each in call.items()}
    enclosed = {name: numbers(x) if is_floating(x) else x for name, x in call.items()}
    for name, balls in consistent(row, call, enclosed).items():
        call[name] = approximate(np.asarray(balls, object), call[name])
        enclosed[name] = numbers(call[name])
    meant, found = meaning_of(row, list(call.values()), list(enclosed.values())), on_arrays(row, *call.values())
    several = found if isinstance(found, (list, tuple)) else [found]
    pairs = zip(meant if isinstance(meant, (list, tuple)) else [meant], several)
    return max([distance(np.asarray(true, object), array) for true, array in pairs if true is not None])


def is_floating(x):
    return isinstance(x, np.ndarray) and x.dtype.kind in "fc"


def rounded(x, dtype):
    return x.astype(SINGLE[x.dtype.kind]) if is_floating(x) and dtype == "float32" else x


def distance(true, array):
    """How far the numbers are from the balls, in ulp of the largest; a call may ask for results of another dtype."""
    sizes = [abs(complex(x)) for x in true.flat]
    if not sizes or not math.isfinite(max(sizes)) or not max(sizes):
        return 0.0
    far = [abs(complex(x.value - flint.acb(complex(y).real, complex(y).imag))) for x, y in zip(true.flat, array.flat)]
    return max(far) / ulp(max(sizes), array.real.dtype)


def main():
    """``python -m tests.proofs.array_errors``: the greatest error of each row, in double and in single precision."""
    print(f"{'row':32}   float64   float32   (ulp of the largest result)")
    for row in [row for row in rows() if row.name in sys.argv[1:] or not sys.argv[1:]]:
        found = [errors(row, dtype) for dtype in ("float64", "float32")]
        print(f"{row.name:32}" + "".join(["         -" if each is None else f"{each:10.2f}" for each in found])
              + f"   {LARGER.get(row.name, ('', ''))[1]}", flush=True)


if __name__ == "__main__":
    main()
