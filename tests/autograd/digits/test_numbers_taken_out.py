"""Decisions by numbers that have left their tensors: heard, followed, and made by the floats that they would be."""

import copy
import json
import math
import pickle
import threading

import numpy as np
import pytest

import minigrad
from minigrad.autograd.digits import HAS_EXTENDED

torch = minigrad        # as users call it


def lossy(value=1e-4, dtype=None):
    """A tensor with few digits: (1 + x) - 1, which is x."""
    return (1 + torch.tensor(value, dtype=dtype)) - 1


def decisions(program, *args):
    """(what the program returns, what is said of its decisions)"""
    with torch.autograd.digits() as report:
        returned = program(*args)
    return returned, [line for line in report.table().splitlines() if "otherwise" in line]


def branch():
    return "above" if lossy().item() > 1e-4 else "below"            # 1.00016593e-4 beside 0.99999997e-4


def truth():
    return bool(lossy(1e-9))                                        # 0, and it is not


def truth_of_the_number():
    return bool(lossy(1e-3).item() - 0.001000046730041504)          # 0 beside 5e-8


def whole():
    return int(lossy(0.7) * 10)                                     # 7.0000005 beside 6.9999999


def whole_from_the_number():
    return int(lossy(0.7).item() * 10), round(lossy(0.45).item())


def computed():
    return (2 * lossy().item() - 1e-4) / 1 > 1e-4


def the_smaller():
    return min([1.0001e-4, lossy().item()])


def in_a_list():
    return [x > 1e-4 for x in (torch.tensor([1e-4, 3.]) + 1 - 1).tolist()]


def in_double():
    return lossy(1e-13, torch.float64).item() > 0.9995e-13


@pytest.mark.parametrize(("program", "returned", "said"), [
    (branch, "above", "item() > at "), (truth, False, "bool() at "),
    (truth_of_the_number, False, "item() as a truth value at "), (computed, True, "item() > at "),
    (the_smaller, 1.0001e-4, "item() < at "), (in_a_list, [True, True], "tolist() > at "),
    (whole, 7, "int() at "), (whole_from_the_number, (7, 0), "item() as an int at "),
    pytest.param(in_double, False, "item() > at ", marks=pytest.mark.skipif(not HAS_EXTENDED, reason="no longdouble")),
])
def test_a_decision_that_would_turn_out_otherwise(program, returned, said):
    plain = program()
    found, notes = decisions(program)
    assert found == plain
    assert len(notes) == 1 and notes[0].startswith(said) and "test_numbers_taken_out.py" in notes[0], notes


def test_sound_decisions_are_silent():
    def root(x):
        y = torch.tensor(1.)
        while abs((y * y - x).item()) > 1e-5:
            y = (y + x / y) / 2
        return y.item(), bool(y), int(y * 10)

    (found, *_), notes = decisions(root, torch.tensor(2.))
    assert found == root(torch.tensor(2.))[0] and notes == []


def test_it_is_the_float_that_it_would_be():
    plain = lossy().item()
    with torch.autograd.digits():
        x = lossy().item()
        assert isinstance(x, float) and x == plain and hash(x) == hash(plain) and {plain: 1}[x] == 1
        assert (repr(x), f"{x:.3e}", json.dumps([x])) == (repr(plain), f"{plain:.3e}", json.dumps([plain]))
        for y in (pickle.loads(pickle.dumps(x)), copy.deepcopy(x), copy.copy(x), float(x), x * np.float64(1), x % 1):
            assert type(y) in (float, np.float64) and y == plain
        for y, z in ((x + 1, plain + 1), (1 - x, 1 - plain), (x / 3, plain / 3), (3 / x, 3 / plain),
                     (x ** 2, plain ** 2), (2 ** x, 2 ** plain), (-x, -plain), (abs(-x), plain), (+x, plain),
                     (x * x, plain * plain)):
            assert y == z and type(y) is type(x)
        assert (math.floor(x), math.ceil(x), math.trunc(x), round(x, 5)) == (0, 1, 0, round(plain, 5))
        assert math.sqrt(x) == math.sqrt(plain) and (x ** 1j) == plain ** 1j
        assert (x == "x", x != "x") == (False, True)
        assert type(1 / (x - x._high)) is float             # with more digits it divides by 0
        with pytest.raises(TypeError):
            x < "x"
        with pytest.raises(ZeroDivisionError):
            x / 0


def test_back_in_a_tensor_it_is_a_number():
    t = torch.rand(3)
    with torch.autograd.digits() as report:
        x = lossy().item()
        products = [t * x, x * t, t.add(t, alpha=x), torch.full((3,), x), torch.tensor([x] * 3), np.float32(1) * x]
    plain = float(x)
    for y, z in zip(products, [t * plain, plain * t, t.add(t, alpha=plain), torch.full((3,), plain),
                               torch.tensor([plain] * 3), np.float32(1) * plain]):
        assert y.dtype == z.dtype and np.array_equal(np.asarray(y), np.asarray(z))
    assert report.of(products[0]).worst > 7


def test_exact_numbers_and_others_are_as_ever():
    with torch.autograd.digits():
        assert type(torch.tensor(0.5).item()) is float and type(torch.tensor(3).item()) is int
        assert type((torch.tensor(0.1) > 0).item()) is bool and type((torch.tensor(1j) / 3).item()) is complex
        assert type(float(lossy())) is float
        for refused in (lambda: torch.ones(2).item(), lambda: bool(torch.ones(2)), lambda: int(torch.ones(2))):
            with pytest.raises((RuntimeError, ValueError, TypeError)):
                refused()


def test_after_the_block_nothing_is_watched():
    with torch.autograd.digits() as report:
        x = lossy().item()
    assert x > 1e-4 and type(x + 1) is float and "otherwise" not in report.table()
    assert type(lossy().item()) is float


def test_other_threads_have_plain_numbers():
    kinds = []
    with torch.autograd.digits():
        thread = threading.Thread(target=lambda: kinds.append(type(lossy().item())))
        thread.start()
        thread.join()
    assert kinds == [float]


def test_inside_a_transform():
    def f(x):
        y = (1 + x) - 1
        return y * 2 if y.item() > 1e-4 else y

    slope, notes = decisions(torch.func.grad(f), torch.tensor(1e-4))
    assert slope == 2 and len(notes) == 1 and notes[0].startswith("item() > at ")
