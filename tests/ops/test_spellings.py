"""The same call in other words: arguments by keyword, and with tensors without dims, numbers, or nothing in them.

Made from the sample rows (see sampling.py) and the recorded signatures.  Whatever PyTorch takes we take, with the same
result; what PyTorch refuses we may take.
"""

import json
from pathlib import Path

import numpy as np
import pytest

import minigrad
from minigrad._core.graph import wrap
from tests.ops.samples import ROWS
from tests.ops.test_ops import array, bound, call, flat, place

TABLE = json.loads((Path(__file__).parents[1] / "parity" / "records" / "signatures.json").read_text())
COMPARED = [row for row in ROWS if row.torch and place(row) != "row" and row.name not in ("dropout", "__matmul__")]


def each(rows):
    return pytest.mark.parametrize("row", rows, ids=str)


def ours(array, requires_grad):
    return wrap(array.copy())


def answers(library, row, args, kwargs):
    try:
        return flat(call(library, row, args, kwargs))
    except Exception as refusal:
        return refusal


def agree(mine, theirs, what, rtol=1e-6):
    """The same results: values and dtypes."""
    assert not isinstance(mine, Exception), f"{what} is refused: {mine}"
    assert len(mine) == len(theirs), what
    for a, e in zip(mine, theirs):
        if hasattr(e, "dtype"):
            assert repr(a.dtype) == repr(e.dtype), f"{what}: dtype {a.dtype}, and not {e.dtype}"
        np.testing.assert_allclose(array(a), array(e), rtol=rtol, atol=1e-7, err_msg=what)


# ------------------------------------------------------------------------------ by keyword


def spelled(row, args, kwargs):
    """The call with all arguments but the tensor by keyword, by each
    of PyTorch's signatures that have room for them."""
    home = {"torch": "torch", "method": "torch.Tensor", "nn.functional": "torch.nn.functional"}[place(row)]
    for overload in TABLE.get(f"{home}.{row.name}", ()):
        names = [part.rstrip("=") for part in overload.split(", *")[0].split(", ")]
        if len(names) >= len(args) > 1 and not any(name.startswith("*") for name in names):
            yield args[:1], {**dict(zip(names[1:], args[1:])), **kwargs}


@pytest.mark.filterwarnings("ignore")
@each([row for row in ROWS if place(row) != "row" and row.name != "dropout"])
def test_arguments_by_keyword(row):
    """One of PyTorch's signatures at least is that of the call."""
    for case in row.cases:
        _, args, kwargs, _ = bound(ours, row, case, "float64")
        expected = answers(minigrad, row, args, kwargs)
        found = [answers(minigrad, row, *other) for other in spelled(row, args, kwargs)]
        if not found or isinstance(expected, Exception):
            continue
        # max(x, dim=), max(x, other=)
        taken = [answer for answer in found if not isinstance(answer, Exception) and len(answer) == len(expected)]
        assert taken, f"{row}({case}) by keyword: {found}"
        agree(taken[0], expected, f"{row}({case}) by keyword")


@pytest.mark.parity
@pytest.mark.filterwarnings("ignore")
@each(COMPARED)
def test_arguments_by_the_keywords_that_pytorch_takes(row):
    torch = pytest.importorskip("torch")
    for case in row.cases:
        _, args, kwargs, _ = bound(lambda array, grad: torch.from_numpy(array.copy()), row, case, "float64")
        for theirs, mine in zip(spelled(row, args, kwargs), spelled(row, *bound(ours, row, case, "float64")[1:3])):
            expected = answers(torch, row, *theirs)
            if not isinstance(expected, Exception):
                agree(answers(minigrad, row, *mine), expected, f"{row}({case}) with {sorted(mine[1])}")


# ------------------------------------------------------------------------------ other arguments


def is_tensor(x):
    return hasattr(x, "numpy") and hasattr(x, "reshape")


def without_dims(x):
    return x.reshape(-1)[0] if is_tensor(x) and x.numel() else x


def as_number(x):
    return without_dims(x).item() if is_tensor(x) and x.numel() else x


def without_elements(x):
    return x[:0] if is_tensor(x) and x.ndim else x


def in_lists(change):
    return lambda x: type(x)(map(change, x)) if type(x) in (list, tuple) else change(x)


CHANGES = {
    "the first without dims": lambda args, size: [without_dims(args[0]), *args[1:]],
    "the second without dims": lambda args, size: [*args[:1], *map(without_dims, args[1:2]), *args[2:]],
    "all without dims": lambda args, size: [*map(in_lists(without_dims), args)],
    "a number first": lambda args, size: [as_number(args[0]), *args[1:]],
    "a number second": lambda args, size: [*args[:1], *map(as_number, args[1:2]), *args[2:]],
    "no elements": lambda args, size: [*map(in_lists(without_elements), args)],
    "dims in lists": lambda args, size: [args[0], *[[x] if type(x) is int else x for x in args[1:]]],
    "lists for tuples": lambda args, size: [list(x) if isinstance(x, tuple) else tuple(x) if isinstance(x, list) else x
                                            for x in args],
    "a Size": lambda args, size: [size(x) if isinstance(x, (list, tuple)) and x and all(type(n) is int for n in x)
                                  else x for x in args],
}

#: what PyTorch takes and we refuse, and why
REFUSED = {
    ("softmax", "no elements"): "PyTorch checks the dtype only where there is something to compute",
    ("batch_norm", "no elements"): "PyTorch checks sizes only where there is something to compute",
    ("native_batch_norm", "no elements"): "the same",
    ("native_batch_norm", "the second without dims"): "PyTorch reads behind the end of the weight",
    ("lu_unpack", "the second without dims"): "PyTorch reads behind the end of the pivots",
    ("multi_margin_loss", "no elements"): "PyTorch's mean of no samples is what happens to be in memory",
    ("multilabel_margin_loss", "no elements"): "the same",
    ("scaled_dot_product_attention", "no elements"): "PyTorch does not look at the mask then",
    ("pixel_unshuffle", "no elements"): "PyTorch's result has the shape of the argument then",
    ("bincount", "no elements"): "the dtype follows the weights here, even if there are none",
}


@pytest.mark.parity
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("change", CHANGES)
@each(COMPARED)
def test_what_pytorch_takes_is_taken(row, change):
    torch = pytest.importorskip("torch")
    if (row.name, change) in REFUSED:
        return
    for case in row.cases:
        _, theirs, kwargs, _ = bound(lambda array, grad: torch.from_numpy(array.copy()), row, case, "float64")
        _, mine, our_kwargs, _ = bound(ours, row, case, "float64")
        if not theirs:
            continue
        expected = answers(torch, row, CHANGES[change](theirs, torch.Size), kwargs)
        if not isinstance(expected, Exception):
            agree(answers(minigrad, row, CHANGES[change](mine, minigrad.Size), our_kwargs), expected,
                  f"{row}({case}) with {change}")
