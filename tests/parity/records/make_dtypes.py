"""Write dtypes.json: PyTorch's answers about dtypes, for machines without PyTorch.

Run ``python tests/parity/records/make_dtypes.py`` where torch 2.13 is installed.  The tables name every
operand of a binary operation: a dtype with ``[1]`` (one dimension) or ``[]`` (none), or a Python type.
"""

import json
from pathlib import Path

FILE = Path(__file__).with_name("dtypes.json")

NAMES = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64",
         "complex128", "uint16", "uint32", "uint64")
NUMBERS = {"bool": True, "int": 2, "float": 0.5, "complex": 1j}
OPERANDS = [f"{name}[1]" for name in NAMES] + [f"{name}[]" for name in NAMES] + list(NUMBERS)
DEFAULTS = ("float32", "float64", "float16", "bfloat16")


def answer(function, *args):
    """The dtype that the function gives for them; "refused" where it raises."""
    try:
        return str(function(*args))[6:]
    except RuntimeError:
        return "refused"


def ask(torch):
    """The tables, asked of ``torch``."""
    tensors = {f"{name}[1]": torch.ones(1, dtype=getattr(torch, name)) for name in NAMES}
    tensors |= {f"{name}[]": torch.ones((), dtype=getattr(torch, name)) for name in NAMES}
    values = tensors | NUMBERS
    answers = {"operands": OPERANDS, "result_type": {}}
    for default in DEFAULTS:
        torch.set_default_dtype(getattr(torch, default))
        try:
            answers["result_type"][default] = [" ".join([answer(torch.result_type, values[a], values[b])
                                                         for b in OPERANDS])
                                               for a in OPERANDS]
        finally:
            torch.set_default_dtype(torch.float32)
    kinds = [getattr(torch, name) for name in NAMES]
    answers["promote_types"] = [" ".join([answer(torch.promote_types, a, b) for b in kinds]) for a in kinds]
    answers["can_cast"] = [" ".join(str(int(torch.can_cast(a, b))) for b in kinds) for a in kinds]
    answers["info"] = {name: repr((torch.finfo if getattr(torch, name).is_floating_point
                                   or getattr(torch, name).is_complex
                                   else torch.iinfo)(getattr(torch, name))) for name in NAMES if name != "bool"}
    answers["attributes"] = {name: [kind.itemsize, kind.is_floating_point, kind.is_complex, kind.is_signed]
                             for name, kind in zip(NAMES, kinds)}
    return answers


if __name__ == "__main__":
    import torch

    FILE.write_text(json.dumps(ask(torch), indent=1) + "\n")
