"""A kernel in C looks at each of its arguments before it reads memory.

A row checks what a user gives it, but nothing checks what the formula of another row gives it: a number for an array,
say, when that formula is wrong.  The kernel declines it, and the general way says what is wrong.
"""

import itertools

import numpy as np
import pytest

from minigrad._core.dispatch.compute import on_arrays_general, on_arrays_in_c
from minigrad.ops.exports import ROWS
from tests.core.kernels.test_two_paths import IN_C, MOST, chosen, difference, outcome
from tests.ops.calling import calls_of_rows
from tests.ops.sampling import replace


class Stranger:
    """Of this, no kernel knows anything."""


def calls_with(name, strangers, replaced):
    """Calls of a row in which one argument is a stranger, if its type is one that should be replaced."""
    for args in chosen(ROWS[name], calls_of_rows()[name])[:MOST]:
        for i, type_ in enumerate(ROWS[name].types):
            if replaced(type_):
                for stranger in strangers:
                    yield ROWS[name].params[i], stranger, [*args[:i], stranger, *args[i + 1:]]


@pytest.mark.parametrize("name", IN_C)
def test_a_kernel_declines_anything_that_is_not_an_array(name):
    """Or it does not read this argument at all, and neither does the general way."""
    op = ROWS[name]
    for parameter, stranger, args in calls_with(name, ["a", Stranger(), [], [1.]], lambda t: t.startswith("Tensor")):
        result = on_arrays_in_c(op, *args)
        assert result is None or not difference(op, result, outcome(on_arrays_general, op, args), args), \
            f"{parameter}={stranger!r}"


@pytest.mark.parametrize("name", IN_C)
def test_a_kernel_declines_parameters_of_another_kind(name):
    """A flag may also be read as true or false, and an error of Python's says the same."""
    for parameter, stranger, args in calls_with(name, ["a", Stranger(), ("a", 1.5)],
                                                lambda t: not t.startswith(("Tensor", "bool"))):
        result = outcome(on_arrays_in_c, ROWS[name], args)
        if not isinstance(result, (TypeError, KeyError)) and result is not None:
            expected = outcome(on_arrays_general, ROWS[name], args)
            assert not difference(ROWS[name], result, expected, args), f"{parameter}={stranger!r}"


@pytest.mark.parametrize("name", IN_C)
def test_a_kernel_reads_a_flag_of_another_kind_as_true_or_false_or_declines_it(name):
    op = ROWS[name]
    for parameter, stranger, args in calls_with(name, [Stranger(), None, 2], lambda t: t.startswith("bool")):
        result, at = outcome(on_arrays_in_c, op, args), op.params.index(parameter)
        flags = [outcome(on_arrays_in_c, op, [*args[:at], flag, *args[at + 1:]]) for flag in (False, True)]
        assert result is None or any([x is not None and not difference(op, result, x, args) for x in flags]), \
            f"{parameter}={stranger!r}"


@pytest.mark.parametrize("name", IN_C)
def test_a_kernel_declines_a_number_that_is_none(name):
    """Or takes it for what the general way takes it for."""
    op = ROWS[name]
    for parameter, none, args in calls_with(name, [None], lambda t: t in ("float", "Scalar", "int", "Sizes", "int[]")):
        result = outcome(on_arrays_in_c, op, args)
        assert result is None or isinstance(result, TypeError) or not difference(
            op, result, outcome(on_arrays_general, op, args), args), parameter


@pytest.mark.parametrize("name", IN_C)
def test_a_kernel_gives_for_integers_what_the_general_way_gives_or_declines_them(name):
    op, wrong = ROWS[name], set()
    with np.errstate(all="ignore"):
        for args, dtype in itertools.product(chosen(op, calls_of_rows()[name])[:MOST],
                                             ["int64", "int8", "uint8", "bool"]):
            whole = replace(args, lambda a: np.abs(a * 3).astype(dtype) if a.dtype.kind in "fc" else a)
            result = outcome(on_arrays_in_c, op, whole)
            if result is not None and difference(op, result, outcome(on_arrays_general, op, whole), whole):
                wrong.add(dtype)
    assert not wrong


def test_gradients_are_not_put_at_places_that_are_not_there():
    row, grad, places = ROWS["put_along"], np.ones((2, 1)), np.array([[1], [2]])
    for where, shape in ((places, (2, 3)), (places - 3, (2, 3)), (places + 1, (2, 3)), (places, (2, -1)),
                         (places.astype(np.int32), (2, 3))):
        found = on_arrays_in_c(row, grad, where, shape, 1, True)
        if found is not None:
            assert where is places and found.tolist() == [[0, 1, 0], [0, 0, 1]]


@pytest.mark.parametrize("name, args", [
    ("norm_backward", (0, np.zeros(0), 1)), ("norm_backward", (0, np.ones((5, 1)), 1)),
    ("norm_backward", (2, np.ones(2), 1)), ("norm_backward", (1, np.ones((5, 4)), 1)),
    ("norm_weight_backward", (0, np.ones((5, 1)), (4,))), ("norm_weight_backward", (2, np.ones(2), (4,))),
], ids=str)
def test_statistics_of_other_lines_are_declined(name, args):
    """Of none, of too many, or of half the channels: for a kernel they would be the places of other numbers."""
    over, r, last = args
    x = np.arange(12.).reshape(3, 4)
    last = (None, over) if name == "norm_backward" else (over, last)
    assert on_arrays_in_c(ROWS[name], x, x, r, r, *last) is None
    right = np.ones({0: (3, 1), 1: (3, 4), 2: 4}[over])
    assert on_arrays_in_c(ROWS[name], x, x, right, right, *last) is not None


@pytest.mark.parametrize("shape, sizes", [((2, 3), (0,)), ((6,), (2, 3)), ((2, 3), (2,))], ids=str)
def test_sums_for_parameters_of_another_shape_are_declined(shape, sizes):
    assert on_arrays_in_c(ROWS["parameter_sum"], np.ones(shape), 0, sizes) is None
    assert on_arrays_in_c(ROWS["parameter_sum"], np.ones(shape), 0, shape[-1:]).shape == shape[-1:]


def test_channels_are_not_normalized_by_statistics_that_are_missing():
    x, known = np.ones((3, 4)), np.ones(4)
    row = ROWS["native_batch_norm.fixed"]
    assert on_arrays_in_c(row, x, None, None, None, known, 1e-5) is None
    assert on_arrays_in_c(row, x, None, None, known, None, 1e-5) is None
    assert on_arrays_in_c(row, x, None, None, known, known, 1e-5).shape == x.shape


def test_windows_larger_than_any_number_of_a_place_are_declined():
    row, x = ROWS["avg_pool_again"], np.ones((1, 1, 4))
    assert on_arrays_in_c(row, x, 1, 2 ** 70, 1, 0, False, True, None) is None
    assert on_arrays_in_c(row, x, 1, 2, 1, 0, False, True, None).tolist() == [[[1, 1, 1]]]
