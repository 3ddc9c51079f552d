"""The library is read: in an order that is told once, and on walks through functions that exist."""

import re
from pathlib import Path

import pytest

from minigrad import _core

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "minigrad"
READ = (ROOT / "docs" / "read.rst").read_text(encoding="utf-8")

MODULES = {path.stem for path in (PACKAGE / "_core").iterdir() if path.suffix in (".py", ".pyx", ".pxd")} - {"__init__"}


def listed(heading):
    """The modules of the core below one heading of docs/read.rst, in the order of that page."""
    section = re.search(rf"^{heading}\n-+\n(.*?)(?=^[^\n]+\n-+\n)", READ, re.MULTILINE | re.DOTALL).group(1)
    return re.findall(r"<reading/_core-(?!__init__)(\w+)>", section)


def lines_of(module):
    return len((PACKAGE / "_core" / f"{module}.pyx").read_text(encoding="utf-8").splitlines())


# ------------------------------------------------------------------------------ the order of reading


def test_every_module_of_the_core_is_in_the_story_or_in_the_machinery():
    told = listed("The story") + listed("The machinery")
    assert sorted(told) == sorted({*told}), "a module is listed twice"
    assert MODULES <= set(told), f"docs/read.rst lists no {sorted(MODULES - set(told))}"
    assert set(told) <= MODULES, f"these are gone: {sorted(set(told) - MODULES)}"


def test_the_core_tells_the_story_in_the_same_order():
    assert re.findall(r"^\d+\. ``(\w+)``", _core.__doc__, re.MULTILINE) == listed("The story")


def test_the_story_is_as_long_as_it_is_said_to_be():
    said = int(re.search(r"some ([\d,]+) lines", READ).group(1).replace(",", ""))
    found = sum(map(lines_of, listed("The story")))
    assert abs(found - said) <= 0.05 * found, f"docs/read.rst says {said} lines, and the story has {found}"


def test_the_readme_sends_readers_to_that_page():
    assert "docs/read.rst" in (ROOT / "README.md").read_text(encoding="utf-8")


# ------------------------------------------------------------------------------ walks

PAGE = (ROOT / "docs" / "notes" / "walks.rst").read_text(encoding="utf-8")
WALKS = re.findall(r"^   ([\w/]+\.(?:pyx|pxd|py)) +(\w+)(?=  )", PAGE, re.MULTILINE)


@pytest.mark.parametrize(("file", "function"), sorted({*WALKS}))
def test_walks_lead_through_functions_that_exist(file, function):
    path = PACKAGE / file if "/" in file else PACKAGE / "_core" / file
    text = path.read_text(encoding="utf-8")
    assert re.search(rf"^ *(?:cdef|cpdef|def|class)\b[^=\n]*\b{function}\(", text, re.MULTILINE)


def test_the_walks_are_read():
    assert len(WALKS) > 60
