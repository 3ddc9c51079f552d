"""A few seconds of hostile inputs, another seed each time; planted faults; and submissions that reach for files."""

import os
import random
import sys

import pytest

from .__main__ import hunt
from .inputs import KINDS
from .planted import FAULTS

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is bounded as Linux does it")

SECONDS = 6


def test_no_input_does_harm():
    seed = int(os.environ.get("SEED") or random.randrange(1 << 32))
    read, refused, wrong = hunt(seed, SECONDS)
    assert not wrong, f"SEED={seed}\n" + "\n".join(wrong)
    assert {*read} == {kind.name for kind in KINDS}
    print(f"SEED={seed}: {sum(read.values())} inputs, of which {sum(refused.values())} were refused")


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_noticed(name):
    *_, wrong = hunt(0, 20, plant=name, kinds=[FAULTS[name].kind])
    assert FAULTS[name].shown in wrong[-1], wrong[:3]
