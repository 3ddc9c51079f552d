"""Write sample_reach.json: the changed sample calls that PyTorch takes, for machines without PyTorch.

Run ``python -m tests.parity.records.make_sample_reach`` where torch 2.13 is installed.  For each sample row and each
change of tests/ops/reaching.py the file has the number of the first call that PyTorch takes, and the results: a letter
for the dtype, and the shape.  PyTorch ends the process in some of the calls, which then are not taken.
"""

import json
import os
import warnings
from pathlib import Path

from .make_result_dtypes import LETTERS, named, tensors_of

FILE = Path(__file__).with_name("sample_reach.json")


def described(result, library):
    return " ".join([LETTERS[str(y.dtype)[6:]] + str(list(y.shape)).replace(" ", "")
                     for y in tensors_of(result, library)])


if __name__ == "__main__":
    import torch

    from tests.ops.reaching import CHANGES, changed, dtype_for
    from tests.ops.test_ops import bound, call
    from tests.ops.test_result_dtypes import SHARED

    def make(array, requires_grad):
        return torch.from_numpy(array.copy()).requires_grad_(requires_grad)

    def first_taken(row, word):
        """The number of the call and its results, or None."""
        for number, case in enumerate(changed(row, word)):
            leaves, args, kwargs, _ = bound(make, row, case, dtype_for(word))
            try:
                result = call(torch, row, args, kwargs)
                sums = [abs(y).sum() for y in tensors_of(result, torch) if y.requires_grad]
                torch.autograd.grad(sums, leaves, allow_unused=True) if sums and leaves else None
            except Exception:
                continue
            return [number, described(result, torch)]

    def taken_by_a_child(row, word):
        ours, theirs = os.pipe()
        child = os.fork()
        if not child:
            os.write(theirs, json.dumps(first_taken(row, word)).encode())
            os._exit(0)
        os.close(theirs)
        os.waitpid(child, 0)
        with open(ours) as answer:
            return json.loads(answer.read() or "null")

    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    table = {}
    for name, row in named(SHARED):
        table[name] = {word: taken for word in CHANGES if (taken := taken_by_a_child(row, word))}
    FILE.write_text("{\n" + ",\n".join([f"{json.dumps(k)}: {json.dumps(v)}" for k, v in table.items()]) + "\n}\n")
