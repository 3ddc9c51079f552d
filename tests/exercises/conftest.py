"""What the tests of exercises share: a page of their own, and a file of progress that is nobody's."""

import os
import textwrap

import pytest

from minigrad.exercises import pages, running
from tests import drawn

PAGE = '''"""Exercises of "Small numbers"."""

# %% Exercise: One
# Let ``x`` be 1, as in :math:`x = 1`.

# %% Starter
x = ...

# %% Check
assert x == 1, "It is 1."

# %% Hint
# Count.

# %% Hint
# Count to ``1``.


# %% Exercise: Twice
# Write ``twice(x)``.

# %% Starter
def twice(x):
    ...


# %% Check
assert twice(2) == 4, f"Twice 2 is 4, not {twice(2)}."

# %% Hint
# Add.
'''
STAGES = '''"""Exercises of "Built up"."""

# %% Stage: First
# Let ``x`` be 1.

# %% Starter
x = ...

# %% Check
assert x == 1, "It is 1."

# %% Hint
# Count.

# %% Rubric
# 3 points. ``x`` is 1.


# %% Stage: Second
# Let ``y`` be one more than ``x``.

# %% Starter
y = ...

# %% Check
assert y == x + 1, "One more."

# %% Hint
# Count on.

# %% Rubric
# 7 points.
'''
PATH = '''[[parts]]
title = "Numbers"
pages = { small_numbers = 5, without_exercises = 5 }
'''


def forget():
    """What was read of another course."""
    for each in pages.sources, pages.parts, pages.page:
        each.cache_clear()


@pytest.fixture(autouse=True)
def forks(monkeypatch):
    if drawn.turn is not None and hasattr(os, "fork"):
        from tests.exercises import forking         # needs what no Windows has
        monkeypatch.setattr(running, "subprocess", forking)


@pytest.fixture(autouse=True)
def progress(tmp_path, monkeypatch):
    file = tmp_path / "state" / "progress.json"
    monkeypatch.setenv("MINIGRAD_PROGRESS", str(file))
    return file


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A course of two small pages, and a working directory."""
    folder = tmp_path / "tutorials"
    (folder / "exercises").mkdir(parents=True)
    (folder / "exercises" / "small_numbers.py").write_text(PAGE)
    (folder / "exercises" / "built_up.py").write_text(STAGES)
    (folder / "path.toml").write_text(PATH)
    monkeypatch.setattr(pages, "TUTORIALS", folder)
    forget()
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    yield folder
    forget()


@pytest.fixture
def write(course):
    """write(name, text): a file in the working directory."""
    def written(name, text):
        with open(name, "w", encoding="utf-8") as file:
            file.write(textwrap.dedent(text))
        return name
    return written
