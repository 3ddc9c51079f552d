"""A kernel in C looks at each of its arguments before it reads memory.

A row checks what a user gives it, but nothing checks what the formula of another row gives it: a number for an array,
say, when that formula is wrong.  The kernel declines it, and the general way says what is wrong.
"""

import numpy as np
import pytest

from minigrad._core.computing import on_arrays_general, on_arrays_in_c
from minigrad.ops.kinds import ROWS
from tests.core.test_two_paths import IN_C, MOST, chosen, difference, outcome
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


@pytest.mark.parametrize("dtype", ["int64", "int8", "uint8", "bool"])
@pytest.mark.parametrize("name", IN_C)
def test_a_kernel_gives_for_integers_what_the_general_way_gives_or_declines_them(name, dtype):
    op = ROWS[name]
    with np.errstate(all="ignore"):
        for args in chosen(op, calls_of_rows()[name])[:MOST]:
            whole = replace(args, lambda a: np.abs(a * 3).astype(dtype) if a.dtype.kind in "fc" else a)
            result = outcome(on_arrays_in_c, op, whole)
            if result is not None:
                assert not difference(op, result, outcome(on_arrays_general, op, whole), whole)


def test_gradients_are_not_put_at_places_that_are_not_there():
    row, grad, places = ROWS["put_along"], np.ones((2, 1)), np.array([[1], [2]])
    for where, shape in ((places, (2, 3)), (places - 3, (2, 3)), (places + 1, (2, 3)), (places, (2, -1)),
                         (places.astype(np.int32), (2, 3))):
        found = on_arrays_in_c(row, grad, where, shape, 1, True)
        if found is not None:
            assert where is places and found.tolist() == [[0, 1, 0], [0, 0, 1]]
