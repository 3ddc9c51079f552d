"""Write result_strides.json: how the results of PyTorch lie in memory, for machines without PyTorch.

Run ``python -m tests.parity.records.make_result_strides`` where torch 2.13 is installed.  Each sample row is called
with its first cases, its arguments lying in memory in each of the ways of LAYOUTS: all of them, and only the first.
An answer is the strides of the results, an asterisk where they lie row by row; those of dims of one place, on which
nothing depends, are 0.  What lies row by row both times is left out.
"""

import json
import warnings
from pathlib import Path

import numpy as np

from tests.parity.records.make_result_dtypes import named, tensors_of

FILE = Path(__file__).with_name("result_strides.json")

#: How many cases of a row are called.
CASES = 3


def ordered(order):
    """The elements in memory in the order of these dims, the last of which has the smallest steps."""
    def lay(t):
        dims = order(t.ndim)
        back = sorted(range(t.ndim), key=dims.__getitem__)
        return t.permute(dims).contiguous().permute(back)
    return lay


def sliced(t):
    """Every second element along the last dim of a tensor twice as long."""
    wide = t.new_zeros((*t.shape[:-1], 2 * t.shape[-1]))
    wide[..., ::2] = t
    return wide[..., ::2]


#: {name: (the fewest dims it is for, the tensor laid out so)}
LAYOUTS = {
    "contiguous": (0, lambda t: t),
    "transposed": (2, ordered(lambda n: [*range(n - 2), n - 1, n - 2])),
    "reversed": (2, ordered(lambda n: [*range(n)][::-1])),
    "rolled": (3, ordered(lambda n: [*range(1, n), 0])),
    "channels last": (3, ordered(lambda n: [0, *range(2, n), 1])),
    "sliced": (1, sliced),
    "expanded": (2, lambda t: t[:1].expand(t.shape)),
}


def answers(library, bound, call, row):
    """{case and layout: the strides of the results of both calls}, asked of ``library``.

    ``bound`` and ``call`` are those of tests/ops.
    """
    found = {}
    for i, case in enumerate(row.cases[:CASES]):
        for name in LAYOUTS:
            words = [answer(library, bound, call, row, case, name, alone) for alone in (False, True)]
            if None not in words:
                found[f"{i} {name}"] = words
    return found


def answer(library, bound, call, row, case, layout, alone):
    """The strides of the results; None if no argument has as many dims as the layout is for."""
    least, lay = LAYOUTS[layout]
    laid = []

    def make(array, requires_grad):
        t = library.tensor(array.copy())
        if t.ndim < least or (alone and laid):
            return t
        laid.append(t)
        return lay(t)

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        _, args, kwargs, _ = bound(make, row, case, "float64")
        if not laid:
            return None
        library.manual_seed(0)
        try:
            result = call(library, row, args, kwargs)
        except Exception:
            return "-"
    return " ".join([strides(y) for y in tensors_of(result, library)]) or "."


def shortened(found):
    """What is recorded of the answers."""
    return {case: words for case, words in found.items() if any([set(word) - set("* .") for word in words])}


def restored(recorded, found):
    """All answers again, from what is recorded and from ``found``, answers to the same calls: as many tensors."""
    return {case: recorded.get(case) or [" ".join(["*" if each != "." else each for each in word.split()])
                                         for word in words] for case, words in found.items()}


def strides(y):
    """As in 1,4; those of dims of one place are 0.  An asterisk for a tensor whose elements lie row by row."""
    if y.is_contiguous():
        return "*"
    return ",".join([str(step if size > 1 else 0) for step, size in zip(y.stride(), y.shape)])


if __name__ == "__main__":
    import torch

    from tests.ops.test_ops import bound, call
    from tests.ops.test_result_dtypes import SHARED

    table = {name: answers(torch, bound, call, row) for name, row in named(SHARED)}
    lines = [f"{json.dumps(name)}: {json.dumps(shortened(row))}" for name, row in table.items()]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")
