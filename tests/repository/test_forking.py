"""Tests that run in several processes (``--forks``) are told as in one, and none is lost where a process ends."""

import faulthandler
import os
import pathlib
import subprocess
import sys
import time

import pytest

from tests import conftest

from tests.forking import NONE, Shares

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks on Windows")

OUTCOMES = """
import os, warnings
import pytest

@pytest.fixture
def faulty():
    yield
    raise ValueError("afterwards")

def test_passes(tmp_path, capfd):
    os.system("echo printed")
    assert capfd.readouterr().out == "printed\\n"

def test_fails():
    print("hello")
    assert 1 == 2

def test_ends_the_process():
    os._exit(7)

@pytest.mark.skip(reason="this one")
def test_skipped(): pass

@pytest.mark.xfail(reason="that one")
def test_fails_as_expected(): assert False

def test_is_faulty_afterwards(faulty): pass

def test_warns(): warnings.warn("beware")

@pytest.mark.parametrize("number", range(600))
def test_many(number): pass
"""
GARBAGE = """
class Faulty:
    def __del__(self):
        raise ValueError("when collected")

def test_leaves_garbage():
    faulty = Faulty()
    faulty.itself = faulty
"""


def run(folder, tests, *options):
    path = folder / "test_outcomes.py"
    path.write_text(tests)
    command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-p", "no:cacheprovider", "--rootdir", folder,
               "-W", "default::UserWarning", *options, path]
    done = subprocess.run(command, cwd=pathlib.Path(__file__).parents[2], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_every_outcome_is_told(tmp_path):
    code, said = run(tmp_path, OUTCOMES, "--forks", "2")
    assert code == 1
    assert "2 failed, 603 passed, 1 skipped, 1 xfailed, 1 warning, 1 error in" in said, said
    for words in ("hello", "assert 1 == 2", "the process that ran this test ended with 7", "ValueError: afterwards",
                  "UserWarning: beware"):
        assert words in said


@pytest.mark.drawn
def test_how_much_is_left_is_told(tmp_path):
    """In one process, too."""
    for options in (), ("--forks", "2"):
        _, said = run(tmp_path, OUTCOMES, "--deselect", "test_outcomes.py::test_ends_the_process", *options)
        lines = [line for line in said.splitlines() if " of 606 tests" in line]
        assert len(lines) == 10 and lines[-1] == "606 of 606 tests (100 %), 2 failed", said
        assert " left, " in lines[0]


def test_the_run_ends_with_the_first_failure_if_that_is_asked(tmp_path):
    code, said = run(tmp_path, OUTCOMES, "--forks", "2", "-x", "-k", "fails")
    assert code == 1 and "stopping after 1 failures" in said


def test_an_exception_of_the_last_garbage_is_an_error(tmp_path):
    code, said = run(tmp_path, GARBAGE, "--forks", "1")
    assert code == 3 and "ValueError: when collected" in said and "after its last test" in said


@pytest.mark.drawn
def test_another_order_has_the_same_tests(tmp_path):
    orders = [run(tmp_path, OUTCOMES, "-v", "--shuffle", seed, "-k", "many")[1].splitlines() for seed in "112"]
    first, again, other = [[line.split()[0] for line in order if "::test_many" in line] for order in orders]
    assert first == again != other and sorted(first) == sorted(other) and len(first) == 600


@pytest.mark.parametrize("number", range(2))
def test_a_case_is_where_its_function_is(request, number):
    """Which conftest.py looks up once for all cases; pytest, for each."""
    items = request.session.items
    for item in [request.node, *items[::len(items) // 100 + 1]]:
        _, line, name = item.reportinfo()
        assert item.location[1:] == (line, name) and item.location[0].endswith(item.path.name)
    assert request.node.location[2] == f"test_a_case_is_where_its_function_is[{number}]"


@pytest.mark.parametrize("turns", ["0", "1", "01", "001", "0101112", "210"])
def test_every_test_is_taken_once(turns):
    shares, taken = Shares(20, 3), []
    for _ in range(40):
        for process in map(int, turns):
            both = shares.advance(process)
            if both[0] != NONE:
                taken.append(both[0])
    left = {number for process in range(3) for number in shares[process][3:] if number != NONE}
    assert len(taken) == len({*taken}) and {*taken} | left == {*range(20)}


def test_a_test_in_which_a_process_ends_is_not_run_again():
    shares = Shares(4, 1)
    assert shares.advance(0) == [0, 1]
    assert shares.lost(0) == 0 and shares.advance(0) == [1, 2]


def test_the_stacks_of_a_long_test_are_printed(monkeypatch, capfd):
    monkeypatch.setattr(conftest, "MINUTES", 0.2 / 60)
    around = conftest.StacksOfLongTests().pytest_runtest_protocol()
    next(around)
    time.sleep(0.5)
    faulthandler.cancel_dump_traceback_later()
    assert "in test_the_stacks_of_a_long_test_are_printed" in capfd.readouterr().err
