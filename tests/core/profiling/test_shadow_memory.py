"""Numbers beside the numbers of arrays: measured in C as in NumPy, found by every view, believed while they fit."""

import gc

import numpy as np
import pytest

from minigrad._core.profiling.shadow_memory import (Operand, Shadows, absorbed_part, address, all_in_double, any_moved,
                                                    any_unknown, arrays_of, computed, flat, in_double, is_inexact,
                                                    jumps, largest_error, makers, owner_of, same_bits, sample_of_errors,
                                                    widest)
from minigrad._core.graph import wrap

SINGLE, DOUBLE = np.dtype(np.float32), np.dtype(np.float64)


def arrays(n, dtype=np.float32, seed=0):
    """(numbers with errors of all sizes, the numbers that they should be)"""
    drawn = np.random.default_rng(seed)
    high = drawn.standard_normal(n) * 10.0 ** drawn.integers(-5, 5, n)
    return (high * (1 + drawn.standard_normal(n) * 10.0 ** drawn.integers(-8, -1, n))).astype(dtype), high


def in_numpy(low, high):
    """Their relative errors."""
    with np.errstate(all="ignore"):
        error = np.abs(high - low) / np.abs(high)
    agree = (low == high) | (low != low) & (high != high)
    return np.where(agree, 0, np.where(np.isfinite(error), error, np.inf))


# ------------------------------------------------------------------------------ whole arrays

@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n", [0, 1, 63, 64, 65, 1000, 5000])
def test_the_largest_error(n, dtype):
    for seed in range(5):
        low, high = arrays(n, dtype, seed)
        assert largest_error(low, high) == in_numpy(low, high).max(initial=0)


@pytest.mark.parametrize(("low", "high", "error"), [
    (np.inf, np.inf, 0), (-np.inf, np.inf, np.inf), (np.nan, np.nan, 0), (np.nan, 1, np.inf), (1, np.nan, np.inf),
    (np.inf, 1e300, np.inf), (1, np.inf, np.inf), (0, 0, 0), (-0.0, 0.0, 0), (1, 0, np.inf), (0, 1, 1), (1, 2, 0.5)])
@pytest.mark.parametrize("at", [0, 70, 99])
def test_errors_of_what_is_not_finite(low, high, error, at):
    x, y = np.ones(100, np.float32), np.ones(100)
    x[at], y[at] = low, high
    assert largest_error(x, y) == error
    relative, _ = sample_of_errors(x, y, 100, 1e-3)
    assert relative[at] == error and np.count_nonzero(relative) == (error != 0)


def test_a_sample_of_errors():
    low, high = arrays(1000)
    high[::7] *= 1e-6
    low[::7] *= np.float32(1e-6)
    relative, typical = sample_of_errors(low, high, 300, 1e-3)
    low, high = low[::4], high[::4]
    assert relative.size == 250
    np.testing.assert_array_equal(relative, in_numpy(low, high))
    np.testing.assert_array_equal(typical, np.abs(high - low) / np.maximum(np.abs(high), 1e-3 * np.abs(high).max()))


def test_what_is_measured_in_numpy():
    low, high = arrays(12)
    for x, y in ((low[::2], high[::2]), (low.astype(np.float16), high), (low, high.astype(np.longdouble)),
                 (low.reshape(3, 4).T, high.reshape(3, 4).T), (low, high[:6]), (low[:6], high[::2])):
        assert largest_error(x, y) is None and sample_of_errors(x, y, 4, 1e-3) is None
    assert absorbed_part(low[::2], low[::2], 1.0, 4) is None and absorbed_part(low, high, 1.0, 4) is None
    assert absorbed_part(low, low, None, 4) is None and jumps(low, low, 0.1) is None


def test_the_part_that_was_not_felt():
    x = np.array([1, 1, 1e-9, 1], np.float32)
    y = np.array([1e-9, 1, 1, 0], np.float32)
    assert absorbed_part(x + y, x, y, 4) == 0.5
    assert absorbed_part(y - x, y, x, 4) == 0.5         # the third is -x: 1 - 1e-9, the first 1e-9 - 1
    assert absorbed_part(x + np.float32(1e-9), x, 1e-9, 4) == 0.75
    assert absorbed_part(np.full(1000, 2.0), np.full(1000, 2.0), 1e-30, 10) == 1


def test_jumps():
    x = np.array([1.0, 2.0, 0.0])
    assert jumps(x, x * 1.05, 0.1) is False and jumps(x, x * [1, 1.2, 1], 0.1) is True
    assert jumps(x, np.array([1, 2, 1e-300]), 0.1) is True and jumps(np.zeros(0), np.zeros(0), 0.1) is False


def test_which_are_inexact():
    kinds = {kind: is_inexact(np.zeros(1, kind)) for kind in "?bhilBefdgFDG"}
    assert "".join([kind for kind, yes in kinds.items() if yes]) == "efdgFDG"


def test_raised():
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    for array in (x, x.T, x[:, ::2], x.astype(np.float16), x.astype(float), x.astype(np.complex64)):
        high = in_double(array, True)._array
        assert high.dtype == (np.complex128 if array.dtype.kind == "c" else float)
        np.testing.assert_array_equal(high, array)
    assert in_double(x, False)._array is x and in_double(x > 1, True)._array.dtype == bool
    raised = all_in_double([wrap(x), 3, [wrap(x), None]])
    assert raised[0]._array.dtype == raised[2][0]._array.dtype == DOUBLE and raised[1] == 3 and raised[2][1] is None


@pytest.mark.parametrize("n", [1, 2047, 2048, 5000])
def test_a_ufunc_in_one_pass(n):
    low, high = arrays(n)
    single, double = np.abs(low) + 1, np.abs(high) + 1
    for function, args in ((np.add, (single, double)), (np.multiply, (single, 0.1)), (np.divide, (2, single)),
                           (np.exp, (np.minimum(single, 3),)), (np.subtract, (double, np.array(3.0))),
                           (np.subtract, (np.array(3, np.float32), single))):
        exact = function(*[x.astype(float) if isinstance(x, np.ndarray) else x for x in args])
        rounded = exact.astype(np.float32)
        found, error = computed(function, [*args], rounded)
        np.testing.assert_array_equal(found, exact)
        assert error == in_numpy(rounded, exact).max()
        assert computed(function, [*args], None)[1] == 0


def test_what_takes_more_than_one_pass():
    x = np.ones((2, 3), np.float32)
    for args in ((x, np.ones(3)), (x, x.T), (x, x[:, ::2]), (x, "x"), (x > 1, x), (2.0, 3.0), (x,), (x, x, x),
                 (x.astype(np.longdouble), x), (x, 2**60)):
        assert computed(np.add, [*args], None) is None
    assert computed(np.logical_and, [x, x], None) is None and computed(np.frexp, [x], None) is None
    assert computed(np.add, [x, x], x.T) is None and computed(np.add, [x, x], x.astype(float)) is None


# ------------------------------------------------------------------------------ memory

@pytest.fixture
def shadows():
    return Shadows({SINGLE: DOUBLE, np.dtype(np.complex64): np.dtype(np.complex128), np.dtype(np.float16): DOUBLE}.get)


def test_every_view_finds_its_part(shadows):
    x = np.arange(24, dtype=np.float32).reshape(4, 6)
    shadows.write(x, x + 0.5, "made")
    for view in (x, x.T, x[1:3, ::2], x.reshape(-1)[5:], x[::-1], x.reshape(2, 12), x[2, 3:4], x.view(np.complex64)):
        found = shadows.read(view)
        assert found.record == "made" and not found.unknown
        np.testing.assert_array_equal(found.high, view + 0.5 * (1 + 1j * (view.dtype.kind == "c")))


@pytest.mark.parametrize("view", [lambda x: x, lambda x: x.T, lambda x: x[1:], lambda x: x[:, ::2], lambda x: x[::-1]])
@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.complex64])
@pytest.mark.parametrize("order", "CF")
def test_a_part_is_written(shadows, view, dtype, order):
    x = np.arange(12).reshape(3, 4).astype(dtype, order=order)
    before = x.astype(complex)
    for half in (0.25, 0.5):
        high = (view(x) + half).astype(np.complex128 if x.dtype.kind == "c" else float)
        shadows.write(view(x), high, half)
        np.testing.assert_array_equal(shadows.read(view(x)).high, high)
        view(before)[...] = view(x) + half
        np.testing.assert_array_equal(shadows.read(x).high, before)


def test_what_others_have_written_is_exact(shadows):
    x = np.arange(5, dtype=np.float32)
    shadows.write(x, (x + 0.5).astype(float), "made")
    kept = shadows.read(x).high
    x[2] = 7
    found = shadows.read(x)
    assert found.high.tolist() == [0.5, 1.5, 7, 3.5, 4.5] and found.record == "made" and shadows.outside == 1
    assert kept.tolist() == [0.5, 1.5, 2.5, 3.5, 4.5]                   # somebody else keeps that one
    x[:] = -1
    assert shadows.read(x).record is None and shadows.read(x).high.tolist() == [-1] * 5 and shadows.outside == 6
    x[0] = np.nan
    shadows.read(x)
    assert shadows.read(x).high.tolist()[1:] == [-1] * 4 and shadows.outside == 7


def test_what_is_lent_does_not_change(shadows):
    x = np.arange(4, dtype=np.float32)
    shadows.write(x, x + 0.5, None)
    shadows.write(x[:1], np.array([9.0]), None)
    first = shadows.read(x).high
    shadows.write(x[:1], np.array([8.0]), None)
    assert first[0] == 8                                                # it was not lent
    shadows.lend(x)
    shadows.write(x[:1], np.array([7.0]), None)
    assert first[0] == 8 and shadows.read(x).high[0] == 7


def test_one_array_as_two_shadows(shadows):
    x, y = np.zeros(3, np.float32), np.zeros(3, np.float32)
    shadows.write(x, x + 0.5, None)
    shadows.lend(x)
    shadows.write(y, shadows.read(x).high, None)
    shadows.write(y[:1], np.array([9.0]), None)
    assert shadows.read(x).high.tolist() == [0.5] * 3 and shadows.read(y).high.tolist() == [9, 0.5, 0.5]


def test_a_view_as_a_shadow_is_copied(shadows):
    x, memory = np.zeros(3, np.float32), np.arange(4.0)
    shadows.write(x, memory[1:], None)
    memory[:] = 9
    assert shadows.read(x).high.tolist() == [1, 2, 3]


def test_unknown(shadows):
    x = np.zeros(4, np.float32)
    assert shadows.read(x).high is None and not shadows.read(x).unknown and shadows.of(x) is None
    shadows.write(x, None, "nobody")
    assert shadows.read(x).unknown and shadows.read(x).record == "nobody"
    shadows.write(x[:2], np.zeros(2), "half")
    assert shadows.read(x).unknown                                      # the rest still is
    shadows.write(x, x + 0.5, "all")
    assert not shadows.read(x).unknown and shadows.read(x).high.tolist() == [0.5] * 4
    y = np.zeros(3)
    shadows.write(y, None, "nobody")                                    # beside it there is no more precision
    assert shadows.read(y).unknown and shadows.read(y.view(np.float32)).unknown
    assert shadows.read(x.view(np.float64)).unknown                     # and these numbers have another size


def test_the_shadow_of_what_was_there_before(shadows):
    x = np.arange(3, dtype=np.float32)
    assert shadows.before(x, x) is None
    shadows.write(x, x + 0.5, None)
    old = x.copy()
    x += 1
    assert shadows.before(x, old).tolist() == [0.5, 1.5, 2.5] and shadows.before(x, x) is None


def test_a_shadow_goes_with_its_owner(shadows):
    x = np.zeros(3, np.float32)
    shadows.write(x[1:], np.zeros(2), "made")
    assert [memory.record for memory in shadows.alive()] == ["made"]
    del x
    gc.collect()
    assert shadows.alive() == [] and shadows.memories == {}


# ------------------------------------------------------------------------------ operands

def test_operands(shadows):
    x = np.zeros(3, np.float32)
    shadows.write(x, x + 0.5, "made")
    found = shadows.operands([wrap(x), 2, (wrap(x), np.zeros(2)), [], "sum", (1, 2)])
    assert found[0].high.tolist() == [0.5] * 3 and found[1] == 2 and found[3:] == [[], "sum", (1, 2)]
    tensors = flat(found)
    assert [y.record for y in tensors] == ["made", "made", None]
    assert any_moved(tensors) and not any_moved(tensors[2:]) and not any_unknown(tensors)
    assert any_unknown([Operand(x, None, None, True)])
    assert makers([*found, 0.5, True]) == ["made", 2, ["made", None], [], None, None, 0.5, None]
    assert widest(tensors, [None]) == 8 and widest(tensors[:1], [x > 1]) == 4 and widest([], [x > 1]) == 0
    assert arrays_of((wrap(x), 3))[1] is None and arrays_of(wrap(x))[0] is x


def test_owners():
    x = np.zeros((2, 3), np.float32)
    assert owner_of(x.T[1:]) is x and address(x[1]) == address(x) + 12
    assert same_bits(x, x.copy()) and same_bits(x.T, x.copy().T) and not same_bits(x, x + 1)
    assert not same_bits(x, x.T) and not same_bits(x[:, 1:], x[:, 1:]) and not same_bits(x, x.astype(float))
    assert not same_bits(x[0], x[0, :2]) and not same_bits(x[0, :2], x[0])
