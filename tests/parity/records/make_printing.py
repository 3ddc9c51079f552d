"""Write printing.json: how PyTorch prints arrays of many kinds, for machines without PyTorch.

Run ``python tests/parity/records/make_printing.py`` where torch 2.13 is installed.  The arrays themselves are
not in the file: ``case(number)`` makes them anew from NumPy's legacy generator, whose numbers are
promised never to change.
"""

import json
from pathlib import Path

import numpy as np

FILE = Path(__file__).with_name("printing.json")
CASES = 300             # of these, the ones with short texts are recorded
LONGEST = 1000

NAMES = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float32", "float64",
         "complex64", "complex128")
SPECIAL = [0.0, -0.0, np.nan, np.inf, -np.inf]
EDGES = [1.0, 10.0, 100.0, 1000.0, 1001.0, 1e-4, 9.9e-5, 99999999.0, 1e8, 1e9, 0.5]


def numbers(random, style, shape):
    if style == "ordinary":
        return random.standard_normal(shape)
    if style == "whole":
        return random.randint(-20, 20, shape) * 1.0
    if style == "wide":
        return random.standard_normal(shape) * 10.0 ** random.randint(-8, 9, shape)
    if style == "special":
        return random.choice([*SPECIAL, 1.0, 2.5, -3.0], shape)
    if style == "nothing":
        return random.choice(SPECIAL, shape)
    if style == "tiny":
        return random.standard_normal(shape) * 10.0 ** random.randint(-320, -3)
    if style == "large":
        return np.floor(random.standard_normal(shape) * 10.0 ** random.randint(1, 19))
    return random.choice(EDGES, shape) * random.choice([1, -1])


STYLES = ("ordinary", "whole", "wide", "special", "nothing", "tiny", "large", "edges")


def case(number):
    """Case ``number``: (dtype name, array, print options, default dtype, requires grad, has a grad_fn).

    The array of a bfloat16 is a float32 that it holds exactly.
    """
    random = np.random.RandomState(number)
    dims = random.choice([0, 1, 1, 1, 2, 2, 3, 4])
    longest = random.choice([1, 2, 3, 5, 9, 30, {0: 1, 1: 1200, 2: 60}.get(dims, 9)])
    shape = tuple(int(n) for n in random.randint(random.choice([0, 1, 1, 1, 1, 1]), longest + 1, dims))
    style, name = STYLES[random.randint(len(STYLES))], NAMES[random.randint(len(NAMES))]
    with np.errstate(all="ignore"):
        real = np.asarray(numbers(random, style, shape))
        if name.startswith("complex"):
            array = np.empty(shape, name)
            array.real, array.imag = real, numbers(random, STYLES[random.randint(len(STYLES))], shape)
        elif name == "bfloat16":
            array = (real.astype(np.float32).view(np.uint32) & 0xFFFF0000).view(np.float32)
        elif name in ("float16", "float32", "float64"):
            array = real.astype(name)
        else:
            array = np.nan_to_num(np.clip(real, -1e18, 1e18)).astype(np.int64).astype(name)
    return name, np.asarray(array), options(random), DEFAULTS[random.randint(len(DEFAULTS))], bool(
        random.randint(2)), bool(random.randint(2))


DEFAULTS = ("float32",) * 8 + ("float64",)


def options(random):
    chosen = {}
    if random.rand() < 0.1:
        return {"profile": ("short", "full")[random.randint(2)]}
    if random.rand() < 0.7:
        return chosen
    for option, values in (("precision", range(9)), ("threshold", (0, 3, 10, 50, 5000)), ("edgeitems", (0, 1, 2, 3, 5)),
                           ("linewidth", (1, 10, 20, 40, 79, 100, 200)), ("sci_mode", (True, False))):
        if random.rand() < 0.5:
            chosen[option] = values[random.randint(len(values))]
    return chosen


def ask(torch, number):
    """How ``torch`` prints the case."""
    name, array, chosen, default, requires_grad, has_node = case(number)
    torch.set_printoptions(profile="default")
    torch.set_printoptions(**chosen)
    torch.set_default_dtype(getattr(torch, default))
    try:
        tensor = torch.from_numpy(array.copy()).to(getattr(torch, name))
        if differentiable(name) and requires_grad:
            tensor.requires_grad_()
            if has_node:
                tensor = tensor.view_as(tensor)
        return repr(tensor)
    finally:
        torch.set_default_dtype(torch.float32)
        torch.set_printoptions(profile="default")


def differentiable(name):
    return name.startswith(("float", "bfloat", "complex"))


if __name__ == "__main__":
    import torch

    texts = {number: ask(torch, number) for number in range(CASES)}
    short = {number: text for number, text in texts.items() if len(text) <= LONGEST}
    FILE.write_text(json.dumps(short, indent=0) + "\n")
