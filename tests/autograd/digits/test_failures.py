"""Fifty classic failures, each with the known answer: the class, the line, and what to write instead."""

import linecache

import pytest

import minigrad
from tests.autograd.digits.failures import FAILURES, FUNCTIONS_OF_EXTENDED


def expected_line(program):
    """The number of the line that ends in ``# here``."""
    code = program.__code__
    number = code.co_firstlineno
    while not linecache.getline(code.co_filename, number).rstrip().endswith("# here"):
        number += 1
    return number


def test_there_are_fifty_of_them_in_all_classes():
    assert len(FAILURES) >= 50
    assert {kind for _, kind, _ in FAILURES} >= {"cancellation", "absorption", "overflow", "underflow", "rounding",
                                                 "ill-conditioned"}


@pytest.mark.parametrize(("program", "kind", "advice"), FAILURES, ids=[program.__name__ for program, _, _ in FAILURES])
def test_it_is_found(program, kind, advice):
    if not FUNCTIONS_OF_EXTENDED and "double" in program.__code__.co_names:
        pytest.skip("longdouble or its functions are those of double here, so that nothing is known beside float64")
    with minigrad.autograd.digits() as report:
        left = program()
    assert report.worst is not None, report.table()
    assert (report.worst.kind, report.worst.line) == (kind, expected_line(program)), report.table()
    assert advice in report.worst.advice
    assert report.worst.digits < report.worst.full / 2
    assert report.of(left).typical == report.worst.digits
