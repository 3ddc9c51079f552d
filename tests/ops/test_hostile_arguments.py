"""Arguments that no operation expects: whatever is refused is refused by an error of ours, and never by NumPy's.

Each sample is called a few times with one or two of its arguments replaced: by another dtype, another shape, nothing,
text, a number that is too large.  What PyTorch takes is not the question here.  The replacements are drawn at random,
always the same ones. """

import random
import warnings

import numpy as np
import pytest

import minigrad
from tests.ops.samples import ROWS
from tests.ops.test_ops import bound, call, place

DTYPES = [getattr(minigrad, name) for name in (
    "bool", "uint8", "int8", "int16", "int32", "int64", "uint16", "uint64", "float16", "float32", "float64",
    "complex64", "complex128")]

#: Numbers between the large ones and the impossible ones would only take long.
VALUES = [None, 0, 1, -1, 2, -2, 3, 7, -7, 1.5, -0.5, float("nan"), float("inf"), "abc", True, [], (), [0], [1, 2],
          (-1, 5), 1j, 2**64, -2**70, 1e300, np.int64(2), np.float32(0.5), np.ones(2), minigrad.float64, object,
          minigrad.ones(2), minigrad.tensor(1)]

#: How a tensor is replaced by another one.
CHANGES = [
    lambda x, r: x.to(r.choice(DTYPES)), lambda x, r: x.unsqueeze(r.randint(0, x.ndim)),
    lambda x, r: x.select(r.randrange(x.ndim), 0), lambda x, r: x.narrow(r.randrange(x.ndim), 0, 0),
    lambda x, r: x.transpose(0, -1), lambda x, r: x.flatten(), lambda x, r: x * float("nan"),
    lambda x, r: x * r.choice([0, 1e30, -1, float("inf")]), lambda x, r: minigrad.cat([x, x], r.randrange(x.ndim)),
    lambda x, r: minigrad.zeros(()), lambda x, r: x[..., None].expand(*x.shape, 3)]


def changed(x, r):
    """Something else instead of this argument."""
    if isinstance(x, minigrad.Tensor) and r.random() < 0.8:
        change = r.choice(CHANGES)
        return change(x, r) if x.ndim and x.numel() else minigrad.zeros(2, 0, 3)
    if isinstance(x, (list, tuple)) and x and r.random() < 0.7:
        entries = list(x)
        i = r.randrange(len(entries))
        entries[i:i + 1] = r.choice([[changed(entries[i], r)], [entries[i]] * 2, []])
        return type(x)(entries)
    return r.choice(VALUES)


def arguments_of(row, case, r):
    """The arguments of a sample, of which one, two or three are changed."""
    _, args, kwargs, _ = bound(lambda array, grad: minigrad.tensor(array.copy()), row, case,
                               r.choice(["float64", "float32"]))
    for _ in range(r.choice([1, 1, 2, 3])):
        places = [*range(len(args)), *[name for name in kwargs if name != "dtype"]]
        if places:
            chosen = r.choice(places)
            into = args if isinstance(chosen, int) else kwargs
            into[chosen] = changed(into[chosen], r)
    return args, kwargs


def refusal(row, args, kwargs):
    """The error of a call, if there is one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            call(minigrad, row, args, kwargs)
        except Exception as e:
            return e
    return None


def is_ours(e):
    return isinstance(e, minigrad.MinigradError)


@pytest.mark.drawn
@pytest.mark.parametrize("row", [row for row in ROWS if place(row) != "row"], ids=str)
@pytest.mark.filterwarnings("ignore:Casting complex values")
def test_every_refusal_is_in_our_words(row):
    r = random.Random(str(row))
    for case in row.cases * 4:
        args, kwargs = arguments_of(row, case, r)
        if place(row) == "method" and not isinstance(args[0], minigrad.Tensor):
            continue                    # Python's own error: the object has no such method
        refused = refusal(row, args, kwargs)
        assert refused is None or is_ours(refused), f"{row}{tuple(args)}, {kwargs}: {refused!r}"


def test_a_bare_error_of_numpy_is_found(monkeypatch):
    """One that the kernel of a row lets through."""
    row = next(row for row in ROWS if row.name == "linalg.det")
    monkeypatch.setattr(minigrad.linalg, "det", lambda x: np.linalg.det(np.ones(2)))
    refused = refusal(row, [minigrad.ones(2)], {})
    assert isinstance(refused, np.linalg.LinAlgError) and not is_ours(refused)


#: Of these, one of the tensors may also be a number, or PyTorch's own code computes with it before it asks.
COMPUTED_WITH = {("multi_head_attention_forward", 11)}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row}")
def test_what_should_be_a_tensor_is_named(row):
    """``mse_loss(3.0, y)`` is told of its argument ``input``, and not of an attribute that a float has not."""
    if not row.cases:
        return
    case = row.cases[0]
    _, args, kwargs, _ = bound(lambda array, grad: minigrad.tensor(array.copy()), row, case, "float64")
    for i, x in enumerate(args):
        if not isinstance(x, minigrad.Tensor) or place(row) == "method" and i == 0 or (row.name, i) in COMPUTED_WITH:
            continue
        for other in (3.0, None):
            given = [*args[:i], other, *args[i + 1:]]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    call(minigrad, row, given, kwargs)
                except Exception as failure:
                    assert "has no attribute" not in str(failure), (row, i, other)
