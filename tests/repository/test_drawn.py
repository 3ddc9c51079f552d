"""Five commits in a row run everything that is drawn, and each of them about a fifth."""

import datetime
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from tests import drawn


class Item:
    def __init__(self, name, mark=None):
        self.nodeid, self.mark = name, mark

    def get_closest_marker(self, name):
        return self.mark


MARK, HALF = SimpleNamespace(kwargs={}), SimpleNamespace(kwargs={"one_in": 2})
ITEMS = [*[Item(f"test_a.py::test_many[{case}]", MARK) for case in range(23)],
         *[Item(f"test_b.py::test_{number}", MARK) for number in range(50)],
         *[Item(f"test_b.py::test_half[{case}]", HALF) for case in range(8)], Item("test_b.py::test_always")]


@pytest.fixture
def at(monkeypatch):
    def chosen(turn):
        monkeypatch.setattr(drawn, "turn", turn)
        return drawn.chosen(ITEMS)

    return chosen


@pytest.mark.parametrize("first", [0, 7, 738_000])
def test_five_turns_in_a_row_run_all_and_always_what_is_not_drawn(at, first):
    shares = [[each.nodeid for each in at(first + later)[0]] for later in range(5)]
    assert {name for share in shares for name in share} == {each.nodeid for each in ITEMS}
    for share in shares:
        assert share[-1] == "test_b.py::test_always" and share.count(share[-1]) == 1
        assert sum("many" in name for name in share) in (4, 5) and sum("half" in name for name in share) == 4
    assert sum(len(share) for share in shares) == 23 + 50 + 5 * 4 + 5


def test_tests_of_one_case_have_different_turns(at):
    assert all([1 < sum("test_b.py::test_" in each.nodeid for each in at(turn)[0]) - 5 < 25 for turn in range(5)])


def test_what_is_left_out_is_told(at):
    kept, left_out = at(3)
    assert sorted(map(id, kept + left_out)) == sorted(map(id, ITEMS))


def test_all_runs_where_no_share_is_asked_for(at):
    assert at(None) == (ITEMS, [])
    assert drawn.share("abc") == ["a", "b", "c"]


def test_a_share_within_a_test(at):
    at(6)
    assert drawn.share(range(12)) == [1, 6, 11] and drawn.share(range(12), one_in=4) == [2, 6, 10]


def test_each_commit_has_the_next_number(tmp_path, monkeypatch):
    monkeypatch.setattr(drawn, "ROOT", tmp_path)
    assert drawn.number_of_the_commit() == datetime.date.today().toordinal()       # no repository
    for command in (["init", "-q"], *[["-c", "user.name=x", "-c", "user.email=x@y", "commit", "-q", "--allow-empty",
                                       "-m", "x"]] * 2):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    assert drawn.number_of_the_commit() == 2
    subprocess.run(["git", "clone", "-q", "--depth=1", tmp_path.as_uri(), tmp_path / "shallow"], check=True)
    monkeypatch.setattr(drawn, "ROOT", tmp_path / "shallow")
    assert drawn.number_of_the_commit() == datetime.date.today().toordinal()


def test_the_option_leaves_out_and_the_mark_alone_does_not(tmp_path):
    path = tmp_path / "test_cases.py"
    path.write_text("import pytest\n@pytest.mark.drawn\n@pytest.mark.parametrize('case', range(10))\n"
                    "def test(case): pass\n")
    for options, said in ([], "10 passed in"), (["--drawn"], "2 passed, 8 deselected in"):
        command = [sys.executable, "-m", "pytest", "-q", "-c", "pyproject.toml", "-p", "tests.conftest",
                   "-p", "no:cacheprovider", *options, path]
        done = subprocess.run(command, cwd=drawn.ROOT, capture_output=True, text=True)
        assert said in done.stdout, done.stdout


GENERATOR = np.random.default_rng(3)


@pytest.mark.parametrize("time", range(2))
def test_a_test_draws_the_same_numbers_whichever_ran_before(time):
    assert GENERATOR.integers(10 ** 9, size=3).tolist() == np.random.default_rng(3).integers(10 ** 9, size=3).tolist()
