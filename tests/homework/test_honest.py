"""Honest solutions have full points: nine assignments in five styles, by readers who did not know the judge, and
unusual ones, which lie close to what is evidence."""

from pathlib import Path

import pytest

from minigrad import homework

HONEST = Path(__file__).parent / "honest"
SOLUTIONS = sorted([str(path.relative_to(HONEST)) for path in HONEST.rglob("*.py")])


def test_there_are_five_styles_of_each_assignment():
    usual = [path for path in SOLUTIONS if not path.startswith("unusual/")]
    styles = {path.partition("/")[0] for path in usual}
    assert usual == sorted([f"{style}/{name}.py" for style in styles for name in homework.names()])
    assert len(usual) == 45


@pytest.mark.parametrize("path", SOLUTIONS)
@pytest.mark.drawn
def test_an_honest_solution_has_full_points(path):
    result = homework.check(HONEST / path, seconds=100)
    assert result.earned == result.points, str(result)
