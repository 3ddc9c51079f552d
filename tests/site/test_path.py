"""The path through the course: each page and part says its place, how long it takes and what it builds on."""

import ast
import importlib
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: The pages that do not say yet what one can do afterwards, and whose pictures have no words. The list may only become
#: shorter.
WAITING = {"at_work/a_character_level_gpt"}


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


# ------------------------------------------------------------------------------ what a page says and shows


def pages(course):
    """(name, script) of each page that says and shows what it should."""
    return [(page, ROOT / "tutorials" / f"{page}.py") for page in course.PAGES
            if page not in WAITING]


def test_a_page_says_two_things_that_one_can_do_afterwards(course):
    for page, script in pages(course):
        said = re.search(r"^After this page you can (.+?)\.$", ast.get_docstring(ast.parse(script.read_text("utf-8"))),
                         re.MULTILINE | re.DOTALL)
        assert said and re.search(r"\band\b", said[1]), page


def cells_that_draw(script):
    taught = pytest.importorskip("docs._ext.taught")
    return [cell for cell in taught.Page(script).cells if re.search(r"\bplt\.show\(", cell.code)]


def test_a_picture_has_words_that_carry_its_content(course):
    pytest.importorskip("sphinx_gallery")
    for page, script in pages(course):
        for cell in cells_that_draw(script):
            assert len(cell.alt.split()) >= 20, f"{page}:{cell.line}: write `# alt: ` and what the picture shows"


def test_each_page_of_the_first_part_has_a_picture(course):
    for page in course.PARTS[0]["pages"]:
        text = (ROOT / "tutorials" / "first_gradients" / f"{page}.py").read_text("utf-8")
        assert re.search(r"\bplt\.show\(|\bviz\.(play|graph)\(", text), page


HIDDEN = re.compile(r"# sphinx_gallery_start_ignore\n(.*?)# sphinx_gallery_end_ignore\n", re.DOTALL)


def names(code, kind):
    nodes = list(ast.walk(ast.parse(code)))
    found = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, kind)}
    if kind is ast.Store:
        found |= {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
        found |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    return found


def needed_elsewhere(text):
    """The names that only hidden code defines, and code that is shown uses."""
    hidden, shown = "".join(HIDDEN.findall(text)), HIDDEN.sub("", text)
    return (names(hidden, ast.Store) - names(shown, ast.Store)) & names(shown, ast.Load)


def test_nothing_that_is_shown_needs_what_is_hidden(course):
    """So a reader who copies the cells of a page has a program that runs, but for its drawings."""
    for page in course.PAGES:
        found = needed_elsewhere((ROOT / "tutorials" / f"{page}.py").read_text("utf-8"))
        assert not found, (page, found)


def test_a_name_that_only_hidden_code_defines_is_found():
    hidden = "# sphinx_gallery_start_ignore\ndef draw():\n    pass\n\n\nx = 1\n# sphinx_gallery_end_ignore\n"
    assert needed_elsewhere(f"{hidden}y = x\ndraw()\n") == {"x", "draw"}
    assert not needed_elsewhere(f"x = 2\n{hidden}y = x\n")
