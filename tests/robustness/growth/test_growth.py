"""What costs n times as much for n things does so for every n: counted, not timed."""

import shutil

import pytest

from tests.drawn import share

from . import planted
from .counting import MOST, counted_steps, instructions
from .programs import PROGRAMS

SIZES = [60, 240]               # of Python's steps
LARGE = [250, 1000]            # of the processor's
GROWING = planted.SEEN_BY_STEPS + planted.SEEN_BY_INSTRUCTIONS_ALONE

counted_by_valgrind = pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind counts the instructions")


@pytest.mark.drawn
@pytest.mark.parametrize("name", PROGRAMS)
def test_steps_of_python(name):
    PROGRAMS[name](2)()                         # modules are imported, and what is kept once is there
    few, many = counted_steps(PROGRAMS[name], SIZES)
    assert many <= MOST * few, f"{few} steps for {SIZES[0]}, {many} for {SIZES[1]}"


@pytest.fixture(scope="module")
def counts():
    """Of the processor's instructions, in one run of valgrind, since most of its time is that of importing the library.
    """
    return instructions([*share([*PROGRAMS]), *GROWING], LARGE)


@counted_by_valgrind
@pytest.mark.slow
def test_instructions(counts):
    assert {name: each for name, each in counts.items() if each[1] > MOST * each[0] and name not in GROWING} == {}


@pytest.mark.parametrize("name", planted.SEEN_BY_STEPS)
def test_a_planted_search_is_noticed(name):
    few, many = counted_steps(getattr(planted, name), SIZES)
    assert many > MOST * few


@counted_by_valgrind
@pytest.mark.slow
def test_planted_growth_shows_in_instructions(counts):
    for name in GROWING:
        few, many = counts[name]
        assert many > MOST * few, name
