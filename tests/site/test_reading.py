"""The library is read: in an order that is told once, and on walks through functions that exist."""

import ast
import re
from pathlib import Path

import pytest

from minigrad import _core

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "minigrad"
READ = (ROOT / "docs" / "read.rst").read_text(encoding="utf-8")

CORE = PACKAGE / "_core"
CORE_FOLDERS = sorted({path.parent for path in CORE.rglob("__init__.py")} - {CORE})
#: Above the core, these too open with a list of their files.
FOLDERS = CORE_FOLDERS + sorted({path.parent for name in ("autograd", "func", "ops")
                                 for path in (PACKAGE / name).rglob("__init__.py")})


def listed(heading, page=READ):
    """The modules of the core below one heading of docs/read.rst, in the order of that page."""
    section = re.search(rf"^{heading}\n-+\n(.*?)(?=^[^\n]+\n-+\n)", page, re.MULTILINE | re.DOTALL).group(1)
    return re.findall(r"<reading/_core-(?!__init__)([\w-]+)>", section)


def lines_of(module):
    return len((CORE / f"{module.replace('-', '/')}.pyx").read_text(encoding="utf-8").splitlines())


# ------------------------------------------------------------------------------ what is where


def rooms_in(folder):
    """The files of a folder, and its folders."""
    return {path.stem for path in folder.iterdir() if path.suffix in (".py", ".pyx", ".pxd")} - {"__init__"} | {
        path.name for path in folder.iterdir() if (path / "__init__.py").exists()}


def told_in(overview):
    """The rooms that an overview names: at the beginning of an item of a list, or anywhere in running text."""
    return set(re.findall(r"``(\w+)``", overview))


def items_of(overview):
    """The names at the beginnings of the items of its lists."""
    return [name for line in re.findall(r"^- ((?:``\w+``(?:, | and )?)+):", overview, re.MULTILINE)
            for name in re.findall(r"\w+", line.replace(" and ", " "))]


def faults_of_overview(folder, overview):
    items = items_of(overview)
    rooms = rooms_in(folder)
    yield from [f"{name} is listed twice" for name in sorted({*items}) if items.count(name) > 1]
    yield from [f"{name} is not told of" for name in sorted(rooms - told_in(overview))]
    yield from [f"{name} is gone" for name in sorted({*items} - rooms)]


def overview_of(folder):
    return ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))) or ""


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_the_overview_of_a_folder_tells_of_every_file_in_it(folder):
    assert list(faults_of_overview(folder, overview_of(folder))) == []


@pytest.mark.parametrize("folder", [each for each in FOLDERS if each not in CORE_FOLDERS],
                         ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_above_the_core_an_overview_is_a_list(folder):
    assert {*items_of(overview_of(folder))} == rooms_in(folder)


def test_an_overview_that_tells_wrongly_is_found():
    overview = overview_of(CORE / "forward")
    assert "- ``differentials``:" in overview
    assert list(faults_of_overview(CORE / "forward", overview.replace("``differentials``", "``gone``"))) == [
        "differentials is not told of", "gone is gone"]
    assert list(faults_of_overview(CORE / "forward", overview + "\n- ``differentials``: again")) == [
        "differentials is listed twice"]


def test_every_folder_of_the_core_has_its_section():
    headings = re.findall(r"^``([\w/]+)``\n\^+\n", READ, re.MULTILINE)
    assert sorted(headings) == [path.relative_to(CORE).as_posix() for path in CORE_FOLDERS]
    for heading in headings:
        assert f"   {heading}: overview <reading/_core-{heading.replace('/', '-')}-__init__>\n" in READ


@pytest.mark.parametrize("folder", CORE_FOLDERS, ids=lambda path: path.relative_to(CORE).as_posix())
def test_no_folder_has_more_files_than_can_be_kept_in_mind(folder):
    assert len(rooms_in(folder)) <= 20


# ------------------------------------------------------------------------------ the order of reading


def in_order(doc):
    return re.findall(r"^\d+\. ``(\w+)``", doc, re.MULTILINE)


def test_the_core_tells_the_story_in_the_same_order():
    assert in_order(_core.__doc__) == [each.rpartition("-")[2] for each in listed("The story")]


def test_another_order_is_found():
    one, two, *_ = in_order(_core.__doc__)
    swapped = re.sub(rf"``({one}|{two})``", lambda found: f"``{two if found[1] == one else one}``", _core.__doc__)
    assert in_order(swapped)[:2] == [two, one] != in_order(_core.__doc__)[:2]


def fault_of_length(page=READ):
    said = int(re.search(r"some ([\d,]+) lines", page).group(1).replace(",", ""))
    found = sum(map(lines_of, listed("The story")))
    return None if abs(found - said) <= 0.05 * found else f"docs/read.rst says {said} lines, and the story has {found}"


def test_the_story_is_as_long_as_it_is_said_to_be():
    assert fault_of_length() is None


def test_another_length_is_found():
    said = re.search(r"some ([\d,]+) lines", READ).group(1)
    assert "says 100 lines" in fault_of_length(READ.replace(f"some {said} lines", "some 100 lines"))
    longer = int(said.replace(",", "")) * 11 // 10
    assert f"says {longer} lines" in fault_of_length(READ.replace(f"some {said} lines", f"some {longer:,} lines"))


def test_the_readme_sends_readers_to_that_page():
    assert "docs/read.rst" in (ROOT / "README.md").read_text(encoding="utf-8")


# ------------------------------------------------------------------------------ what is built on the core

#: The sections that list their files one by one, and what files there are.
SECTIONS = {
    "Networks": "nn/**/*.py", "Optimizers": "optim/*.py", "Data": "utils/data/*.py",
    "Several processes": "distributed/**/*.py", "Distributions": "distributions/*.py", "Random numbers": "random/*.py",
}


def pages_below(heading, page=READ):
    """The pages listed in one section of docs/read.rst, in its order."""
    section = re.search(rf"^{heading}\n-+\n(.*?)(?=^[^\n]+\n-+\n)", page, re.MULTILINE | re.DOTALL).group(1)
    return re.findall(r"<reading/([\w-]+)>", section)


def pages_for(files):
    return sorted(path.relative_to(PACKAGE).with_suffix("").as_posix().replace("/", "-")
                  for path in PACKAGE.glob(files) if path.stat().st_size)


@pytest.mark.parametrize(("heading", "files"), SECTIONS.items())
def test_every_file_has_its_place_in_the_order_of_its_section(heading, files):
    assert sorted(pages_below(heading)) == pages_for(files)


def test_a_file_without_a_place_is_found():
    shorter = READ.replace("<reading/optim-sgd>", "<reading/optim-gone>")
    assert {*pages_for(SECTIONS["Optimizers"])} ^ {*pages_below("Optimizers", shorter)} == {"optim-sgd", "optim-gone"}


@pytest.mark.parametrize(("heading", "first"), [
    ("Networks", ["nn-parameter", "nn-modules-members", "nn-modules-states", "nn-modules-calls",
                  "nn-modules-backward_hooks", "nn-modules-module"]),
    ("Optimizers", ["optim-optimizer", "optim-rules", "optim-sgd"]),
    ("Distributions", ["distributions-distribution"]),
])
def test_what_a_package_is_built_on_is_read_first(heading, first):
    assert pages_below(heading)[:len(first)] == first


# ------------------------------------------------------------------------------ walks

PAGE = (ROOT / "docs" / "notes" / "walks.rst").read_text(encoding="utf-8")
WALK = re.compile(r"^   ([\w/]+\.(?:pyx|pxd|py)) +(\w+)(?=  )", re.MULTILINE)


def is_there(file, function):
    """Does this file, of the core if no folder is said, define the function?"""
    defines = re.compile(rf"^ *(?:cdef|cpdef|def|class)\b[^=\n]*\b{function}\(", re.MULTILINE)
    found = [PACKAGE / file] if "/" in file else CORE.rglob(file)
    return any(path.exists() and defines.search(path.read_text(encoding="utf-8")) for path in found)


@pytest.mark.parametrize(("file", "function"), sorted({*WALK.findall(PAGE)}))
def test_walks_lead_through_functions_that_exist(file, function):
    assert is_there(file, function)


def test_the_walks_are_read():
    assert len(WALK.findall(PAGE)) > 60
    assert WALK.findall("::\n\n   engine.pyx     run_backward    the loop\n   ops/rows.py    row     the row\n") == [
        ("engine.pyx", "run_backward"), ("ops/rows.py", "row")]


@pytest.mark.parametrize(("file", "function"), [("gone.pyx", "run"), ("ops/rows.py", "gone"), ("ops/rows.py", "ro"),
                                                ("ops/exports.py", "ROWS")])
def test_a_step_that_leads_nowhere_is_found(file, function):
    assert is_there("ops/rows.py", "row") and not is_there(file, function)
