"""A few seconds of hostile inputs, another seed each time; planted faults; and submissions that reach for files."""

import os
import random
import sys

import pytest

from .__main__ import hunt
from .inputs import KINDS
from .planted import FAULTS
from .submissions import DEEDS, PLACES, outcome_of, submission

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is bounded as Linux does it")

SECONDS = 3


def test_no_input_does_harm():
    seed = int(os.environ.get("SEED") or random.randrange(1 << 32))
    read, refused, wrong = hunt(seed, SECONDS)
    assert not wrong, f"SEED={seed}\n" + "\n".join(wrong)
    assert {*read} == {kind.name for kind in KINDS}
    print(f"SEED={seed}: {sum(read.values())} inputs, of which {sum(refused.values())} were refused")


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.drawn
def test_a_planted_fault_is_noticed(name):
    *_, wrong = hunt(0, 20, plant=name, kinds=[FAULTS[name].kind])
    assert FAULTS[name].shown in wrong[-1], wrong[:3]


SQLITE = [deed for deed in DEEDS if "sqlite3" in deed]


@pytest.mark.parametrize("deeds", [*[[deed] for deed in SQLITE], *[DEEDS] * 2])
def test_a_submission_that_reaches_outside_is_a_foul(deeds, tmp_path):
    """One of these deeds, in some place of the program: others each time."""
    canary, place, deed = tmp_path / "canary", random.choice(PLACES), random.choice(deeds)
    canary.write_text("sings")
    said = outcome_of(submission(place, deed, canary))
    # a system may lack a module, and what runs at the end of the process has no judge any more
    assert said == "foul" or said == "error" and ("atexit" in place or "dbm" in deed), (place, deed, said)
    assert [each.name for each in tmp_path.iterdir()] == ["canary"] and canary.read_text() == "sings"


def test_a_submission_that_stays_inside_is_loaded():
    assert outcome_of("open('mine', 'w').write('x')\nimport math") == "loaded"
