"""The path through the course: each page and part says its place, how long it takes and what it builds on."""

import importlib
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def course():
    """The extension of the site that knows the path."""
    sys.path.insert(0, str(ROOT / "docs" / "_ext"))
    yield importlib.import_module("course")
    sys.path.remove(str(ROOT / "docs" / "_ext"))


def test_the_path_names_every_page_once(course):
    scripts = {path.relative_to(ROOT / "tutorials").with_suffix("").as_posix()
               for path in (ROOT / "tutorials").glob("*/*.py") if path.parent.name != "exercises"}
    assert scripts == set(course.PAGES) and len(course.PAGES) == len(scripts)


def test_a_part_builds_on_earlier_parts_only(course):
    before = set()
    for part in course.PARTS:
        assert set(part["needs"]) <= before, part["folder"]
        before.add(part["folder"])


def test_the_index_says_below_each_part_how_long_it_takes(course):
    source = ["Tutorials\n=========\n\n" + "".join(
        f"{part['title']}\n{'=' * len(part['title'])}\n\nAbout {part['folder']}.\n\n" for part in course.PARTS)]
    course.add_place(None, "tutorials/index", source)
    for letter, part in zip("ABCDEFGH", course.PARTS, strict=True):
        _, _, below = source[0].partition(f"{part['title']}\n{'=' * len(part['title'])}\n")
        said, _, _ = below.partition(f"About {part['folder']}.")
        assert said.strip().startswith(f".. rst-class:: place\n\nPart {letter} takes about "), part["folder"]


def test_a_page_shows_its_number_and_the_map_of_its_part(course):
    source = ["Build your engine\n=================\n\nText.\n"]
    course.add_place(None, "tutorials/the_graph/build_your_engine", source)
    title, place, text = source[0].partition("Part B, :doc:`The graph </tutorials/the_graph/index>`: page 2 of 2")
    assert place and title.startswith("Build your engine\n=====") and text.endswith("Text.\n")
    assert '<li class="here" aria-current="page"><a href="build_your_engine.html">' in text


def test_other_pages_are_left_alone(course):
    source = ["Reference\n=========\n"]
    course.add_place(None, "reference/tensor", source)
    assert source == ["Reference\n=========\n"]
