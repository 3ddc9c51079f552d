"""Instruments that cannot be reached: what they count, and that nothing leads to what they hold."""

import copy
import itertools
import math
import pickle

import numpy as np
import pytest

import minigrad
from minigrad._core.profiling.instruments import Calls, Meter, Sealed, SealedMethod, Shown, Tick


@pytest.fixture
def meter():
    meter = Meter([each for each in vars(np).values() if isinstance(each, np.ufunc)],
                  lambda value: value.numpy() if isinstance(value, minigrad.Tensor) else value)
    yield meter
    meter.close()


def secret(x, *, by=1):
    return x + by


#: attributes that lead from a function or an object to what it holds
LEADING = {"function", "__closure__", "__globals__", "__self__", "__func__", "__wrapped__", "__dict__"}


@pytest.mark.parametrize("made", [Sealed(secret), SealedMethod(secret), Calls(secret), Shown(math.exp)])
def test_nothing_leads_to_what_they_hold(made):
    assert not LEADING & {*dir(made)}
    for way in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="cannot pickle"):
            way(made)
    for change in (lambda: setattr(made, "count", 0), lambda: setattr(type(made), "__call__", print)):
        with pytest.raises((AttributeError, TypeError)):
            change()


def test_there_is_one_meter_at_a_time(meter):
    seen = []
    meter.watch(lambda ufunc, operands, result: seen.append(ufunc))
    for again in (lambda: Meter([]), lambda: Meter.__new__(Meter, [])):
        with pytest.raises(RuntimeError, match="another meter counts"):
            again()
    np.exp(np.ones(2))
    assert len(seen) == 1


def test_a_sealed_function_is_called_with_everything_and_stays_when_it_is_initialized_again():
    sealed = Sealed(secret)
    sealed.__init__(print)
    assert sealed(1) == 2 and sealed(x=1, by=4) == 5
    with pytest.raises(ZeroDivisionError):
        Sealed(lambda: 1 / 0)()


def test_a_sealed_method_gets_its_object():
    class A:
        method = SealedMethod(lambda self, x: (self, x))

    a = A()
    assert a.method(1) == (a, 1) == A.method(a, x=1)


def test_calls_and_points_are_counted(meter):
    calls = Calls(lambda *x: x)
    for x in (1.0, 1.0, 2.0, np.ones(2), np.ones(2), minigrad.ones(3), minigrad.ones(3), "text"):
        calls(x)
    calls()
    assert (calls.count, calls.points) == (9, 6)


def test_operators_functions_and_callbacks_count_elements(meter):
    x, counts = np.ones((3, 4)), []
    for computes in (lambda: x + 1, lambda: np.exp(x), lambda: list(map(np.add, x, x)), lambda: x.__iadd__(x),
                     lambda: x @ x.T, lambda: np.divmod(x, 2), lambda: x.sum(), lambda: x.reshape(2, 6)):
        before = meter.read()[0]
        computes()
        counts.append(meter.read()[0] - before)
    assert counts == [12, 12, 12, 12, 36, 12, 0, 0]


def test_what_objects_take_is_counted(meter):
    for made, least in ((lambda: [i + 0.5 for i in range(1000)], 24_000), (lambda: 1 << 80_000, 10_000),
                        (lambda: bytes(10_000), 10_000), (lambda: "a" * 10_000, 10_000)):
        before = meter.objects()
        held = made()
        assert least <= meter.objects() - before < 8 * least
        del held
    meter.close()
    before = meter.objects()
    assert bytes(10_000) and meter.objects() == before


def test_what_iterators_compute_is_shown_when_they_do(meter):
    seen, tick = [], Tick()
    meter.watch(lambda ufunc, operands, result: seen.append(result))
    for lazy in (map(abs, [-1, -2]), itertools.starmap(pow, [(1, 2), (2, 1)]), itertools.accumulate([1, 1])):
        following = tick(lazy)
        assert iter(following) is following and next(following) == 1 and [*following] == [2]
        assert seen == [lazy, 1, 2]
        seen.clear()
    assert tick(x := iter([1])) is x and tick(y := zip([1])) is y


def test_memory_is_counted(meter):
    _, _, taken, given = meter.read()
    meter.peak()
    held = np.ones(1000)
    del held
    x = np.ones(100) + 1
    _, _, taken_now, given_now = meter.read()
    assert taken_now - taken >= 8 * 1200 and (taken_now - taken) - (given_now - given) == x.nbytes
    assert meter.peak() >= meter.peak()


def test_a_watcher_sees_each_execution_and_its_mistakes_change_nothing(meter):
    seen = []
    meter.watch(lambda ufunc, operands, result: seen.append((ufunc and ufunc.__name__, len(operands))) or 1 / 0)
    x = np.ones(3)
    assert (x * 2).sum() == 6 and Tick()(5) == 5 and Shown(math.exp)(0.) == 1
    np.add(x, 1, out=x)
    assert seen == [("multiply", 2), (None, 0), ("exp", 1), ("add", 2)]
    meter.watch(None)
    np.exp(x)
    assert len(seen) == 4


def test_a_watcher_is_not_watched_when_it_calls_a_function_of_numbers(meter):
    exp, seen = Shown(math.exp), []
    meter.watch(lambda ufunc, operands, result: seen.append(exp(0.0)))
    assert exp(0.0) == 1.0 and seen == [1.0]


def test_an_object_as_result_counts_as_one_element(meter):
    ones = [np.array(number, dtype=object) for number in (1, 1000, 2 ** 40)]
    before = meter.read()[0]
    assert [np.add(one, 1) for one in ones] == [2, 1001, 2 ** 40 + 1]
    assert meter.read()[0] - before == 3


def test_a_watcher_is_not_watched_and_an_error_of_numpy_is_raised(meter):
    seen = []
    meter.watch(lambda ufunc, operands, result: seen.append(np.exp(1.) + np.ones(2)))
    np.tanh(np.ones(2))
    assert len(seen) == 1
    with pytest.raises(ValueError, match="broadcast"):
        np.add(np.ones(2), np.ones(3))
    assert len(seen) == 1


def test_afterwards_numpy_is_as_before():
    meter = Meter([np.exp])
    np.exp(np.ones(5))
    meter.close()
    before = meter.read()
    np.exp(np.ones(5))
    assert meter.read() == before
