"""Honest solutions have full points: nine assignments in five styles, by readers who did not know the judge."""

from pathlib import Path

import pytest

from minigrad import homework

HONEST = Path(__file__).parent / "honest"
SOLUTIONS = sorted([str(path.relative_to(HONEST)) for path in HONEST.rglob("*.py")])


def test_there_are_five_styles_of_each_assignment():
    styles = {path.partition("/")[0] for path in SOLUTIONS}
    assert SOLUTIONS == sorted([f"{style}/{name}.py" for style in styles for name in homework.names()])
    assert len(SOLUTIONS) == 45


@pytest.mark.parametrize("path", SOLUTIONS)
@pytest.mark.drawn
def test_an_honest_solution_has_full_points(path):
    result = homework.check(HONEST / path)
    assert result.earned == result.points, str(result)
