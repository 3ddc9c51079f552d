"""Write result_dtypes.json: the dtypes of results that PyTorch computes, for machines without PyTorch.

Run ``python -m tests.parity.records.make_result_dtypes`` where torch 2.13 is installed.  Each sample row is called with
its first case, its floating point arguments in each dtype; and if there are several, with the first of them in each
dtype and the others in int64, in float64, or without dims.  An answer is the dtypes of the results, or "refused"; the
dtypes are letters, so that the file stays small.
"""

import json
import warnings
from pathlib import Path

import numpy as np

FILE = Path(__file__).with_name("result_dtypes.json")

DTYPES = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64",
          "complex128")
#: complex32, which NumPy lacks, is complex64 here.
LETTERS = dict(zip((*DTYPES, "complex32"), "buqhilHBfdFDF"))

#: How the floating point arguments after the first are changed: in its dtype, or in another, with or without dims.
PARTNERS = {"same": None, "int64": "int64", "float64": "float64", "0-d": "0-d"}


def named(rows):
    """[(name, row)]: several rows of one operation are counted, as in ``softmax 2``."""
    seen, names = {}, []
    for row in rows:
        seen[str(row)] = seen.get(str(row), 0) + 1
        names.append((f"{row} {seen[str(row)]}", row))
    return names


def answers(library, bound, call, row):
    """{partner: a word for each dtype}, asked of ``library``; ``bound`` and ``call`` are those of tests/ops."""
    found = {}
    for name, partner in PARTNERS.items() if row.cases else ():
        words = [answer(library, bound, call, row, dtype, partner) for dtype in DTYPES]
        if None in words:               # there is no second one
            break
        found[name] = " ".join(words)
    return found


def answer(library, bound, call, row, dtype, partner):
    """The letters of the dtypes of the results; None if a partner was asked for, and no argument can be one."""
    places = []

    def make(array, requires_grad):
        if array.dtype.kind != "f":
            return library.tensor(array.copy())
        places.append(array)
        if len(places) == 1 or partner is None:
            return library.tensor(array.copy()).to(getattr(library, dtype))
        if partner == "0-d":
            return library.tensor(1.0, dtype=library.float64)
        return library.tensor(array.copy()).to(getattr(library, partner))

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        _, args, kwargs, _ = bound(make, row, row.cases[0], "float64")
        if partner is not None and len(places) < 2:
            return None
        try:
            result = call(library, row, args, kwargs)
        except Exception:
            return "-"
    letters = "".join([LETTERS[str(y.dtype)[6:]] for y in tensors_of(result, library)])
    return letters or "."


def tensors_of(result, library):
    if isinstance(result, library.Tensor):
        return [result]
    return [y for x in result for y in tensors_of(x, library)] if isinstance(result, (tuple, list)) else []


if __name__ == "__main__":
    import torch

    from tests.ops.test_ops import bound, call
    from tests.ops.test_result_dtypes import SHARED

    table = {name: answers(torch, bound, call, row) for name, row in named(SHARED)}
    lines = [f"{json.dumps(name)}: {json.dumps(row)}" for name, row in table.items()]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")
