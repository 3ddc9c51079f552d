"""uint16, uint32 and uint64: stored, converted, promoted to floats only.  Each test states what both libraries do."""

import copy

import numpy as np
import pytest

import minigrad
from tests.checking import refuses

NAMES = ("uint16", "uint32", "uint64")


@pytest.fixture(params=NAMES)
def kind(request, torch):
    return getattr(torch, request.param)


@pytest.mark.parametrize(("expression", "dtype", "values"), [
    ("x * x", "own", [1, 4, 9]), ("x * 3", "own", [3, 6, 9]), ("x * 2.5", "float32", [2.5, 5, 7.5]),
    ("x / x", "float32", [1, 1, 1]), ("x & x", "own", [1, 2, 3]), ("x == 2", "bool", [False, True, False]),
    ("x.sum()", "int64", 6), ("x.cumsum(0)", "int64", [1, 3, 6]), ("x.float()", "float32", [1, 2, 3]),
    ("x.to(torch.int8)", "int8", [1, 2, 3]), ("x * torch.tensor([1., 2., 3.])", "float32", [1, 4, 9]),
    ("x * torch.tensor(2)", "own", [2, 4, 6]), ("torch.cat([x, x])", "own", [1, 2, 3, 1, 2, 3]),
    ("torch.where(x == 2, x, 1)", "own", [1, 2, 1]), ("x.view(3, 1).expand(3, 2)[2]", "own", [3, 3]),
    ("copy.deepcopy(x)", "own", [1, 2, 3]), ("x.mul_(2)", "own", [2, 4, 6]), ("x * 1j", "complex64", [1j, 2j, 3j]),
    ("x.copy_(torch.tensor([1., 2., 300.]))", "own", [1, 2, 300]), ("x.new_zeros(2)", "own", [0, 0])])
def test_results(torch, kind, expression, dtype, values):
    result = eval(expression, {"torch": torch, "copy": copy, "x": torch.tensor([1, 2, 3]).to(kind)})
    assert result.dtype is (kind if dtype == "own" else getattr(torch, dtype)) and result.tolist() == values


def test_numpys_arrays_keep_their_dtype(torch, kind):
    name = str(kind).removeprefix("torch.")
    array = np.array([1, 2], name)
    assert torch.from_numpy(array).dtype is torch.tensor(array).dtype is kind
    assert torch.from_numpy(array).numpy().dtype == name


def test_their_greatest_numbers(torch, kind):
    greatest = torch.iinfo(kind).max
    assert not kind.is_signed and greatest == 2 ** (8 * kind.itemsize) - 1
    x = torch.full((2,), greatest, dtype=kind)
    assert x.tolist() == [greatest] * 2 == torch.zeros(2, dtype=kind).fill_(-1).tolist()
    assert repr(x) == f"tensor([{greatest}, {greatest}], dtype={kind})"


def test_numbers_that_do_not_fit_are_refused(torch, kind):
    x = torch.zeros(2, dtype=kind)
    for write in (lambda: x.fill_(2 ** 64), lambda: torch.full((2,), 2 ** 64, dtype=kind)):
        with pytest.raises((RuntimeError, ValueError, OverflowError)):
            write()
    assert x.tolist() == [0, 0]


@pytest.mark.parametrize("other", ["int64", "uint8", "bool", "complex64"])
def test_they_are_promoted_to_floats_only(torch, kind, other):
    x, y = torch.ones(2).to(kind), torch.ones(2).to(getattr(torch, other))
    for compute in (lambda: x * y, lambda: y * x, lambda: torch.promote_types(kind, y.dtype)):
        with refuses(RuntimeError, "Promotion for uint16, uint32, uint64 types is not supported", "MG202"):
            compute()
    assert torch.promote_types(kind, torch.float16) is torch.float16


def test_they_are_refused_as_indices(torch, kind):
    x = torch.tensor([0]).to(kind)
    with pytest.raises(IndexError, match="tensors used as indices must be long, int, byte or bool tensors"):
        torch.arange(5)[x]
    with pytest.raises(RuntimeError, match="can require gradients"):
        x.requires_grad_()


def test_what_pytorch_lacks_is_computed():
    x = minigrad.tensor([1, 65535], dtype=minigrad.uint16)
    assert (x + x).tolist() == [2, 65534] and x.max().item() == 65535 and (x > 1).tolist() == [False, True]
    assert minigrad.arange(3, dtype=minigrad.uint32).tolist() == [0, 1, 2]
