"""What several ranks compute together: the collectives, their derivatives, and the training of a model."""

import pytest

from tests.distributed.launching import passed


@pytest.mark.parametrize("ranks", [1, 2, 3])
@pytest.mark.parametrize("program", ["collectives.py", "derivatives.py", "training.py"])
def test_every_rank_is_right(program, ranks):
    assert passed(ranks, program) == [f"rank {rank} of {ranks} is right" for rank in range(ranks)]
