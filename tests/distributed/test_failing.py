"""A rank that fails, or does what the others do not, ends all of them with an error that names it."""

import pytest

from tests.distributed.launching import started

DISAGREE = "the ranks disagree about what they do together"

CASES = {
    "shapes": (DISAGREE, "rank 0: all_reduce of float32 [3, 4], SUM, at failing.py:19",
               "rank 1: all_reduce of float32 [3, 5], SUM, at failing.py:19", "MG802"),
    "dtypes": (DISAGREE, "rank 1: broadcast of float64 [3, 4] from 0"),
    "calls": (DISAGREE, "rank 0: all_reduce", "rank 1: broadcast"),
    "async": (DISAGREE, "in call 4", "rank 0: barrier", "rank 1: all_reduce of float32 [10], SUM"),
    "raises": ("ValueError: the data of this rank are missing", "rank 1 of 2 has failed with ValueError"),
    "exits": (DISAGREE, "rank 1: nothing: its program has ended"),
    "ends": (DISAGREE, "rank 1: nothing: its program has ended"),
    "killed": (),
    "both receive": ("every rank waits", "rank 0: waits in recv of float32 [3, 4] from rank 1", "MG803"),
    "both send": ("every rank waits", "rank 1: waits in send of float32 [1000000] to rank 0"),
    "nobody sends": ("every rank waits", "rank 0: waits in recv", "rank 1: waits in barrier"),
    "letter": ("rank 0 sent float32 [3, 4], and rank 1 receives it as float32 [4, 3]",),
    "too many": ("rank 0 sent float32 [2], and rank 1 receives it as float32 [1]", "MG802"),
    "too few": ("rank 0 sent float32 [2], and rank 1 receives it as float32 [3]",),
    "late": ("rank 0 has waited 2", "rank 1: does not wait: it computes, or hangs"),
    "caught": (DISAGREE, "rank 1: all_reduce of float32 [3], SUM"),
    "other group": ("every rank waits", "rank 1: waits in nothing: its program has ended"),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.drawn
def test_all_ranks_end(case):
    done = started(2, "failing.py", case, seconds=60)
    assert done.returncode, done.stdout + done.stderr
    for words in CASES[case]:
        assert words in done.stderr, done.stderr


def test_no_rank_is_ended_that_only_takes_its_time():
    """Others wait for it for longer than it takes to find that all wait for ever."""
    done = started(2, "failing.py", "slow", seconds=60)
    assert done.returncode == 0 and done.stdout.split() == ["2.0", "2.0"], done.stdout + done.stderr
