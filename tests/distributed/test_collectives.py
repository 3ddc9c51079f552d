"""The collectives, on one to four ranks."""

import pytest

from tests.distributed.launching import passed


@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_every_collective_moves_what_it_should(ranks):
    assert passed(ranks, "collectives.py") == [f"rank {r} of {ranks} is right" for r in range(ranks)]
