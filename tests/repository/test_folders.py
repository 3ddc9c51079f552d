"""The folders of tests mirror those of minigrad, or are shelves that the README describes; and no path to a test is
stale."""

import itertools
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"
README = (TESTS / "README.md").read_text(encoding="utf-8")
SHELVES = {"benchmarks", "parity", "proofs", "random_programs", "repository", "robustness", "site"}
#: Folders within mirrors that hold what tests run.
HELD = {"distributed/programs", "homework/solutions", "homework/honest", "homework/cheats",
        "homework/cheats/ten_derivatives/exact", "homework/cheats/classifier/hidden",
        "homework/cheats/classifier/feedback", "homework/cheats/classifier/sizes",
        "homework/cheats/classifier/targets", "homework/cheats/ten_derivatives/numbers", "ops/samples",
        *[f"homework/honest/{style}" for style in ("classes", "einsum", "functional", "loops", "unusual",
                                                 "vectorised")],
        *[f"homework/cheats/{path.stem}" for path in (ROOT / "minigrad/homework/assignments").glob("[a-z]*.py")]}
MOST = 30


def folders(below):
    """All folders below that hold files, as paths from there."""
    return {parent.relative_to(below) for path in below.rglob("*") if path.is_file() and "__pycache__" not in path.parts
            for parent in path.parents if below in parent.parents}


FOLDERS = folders(TESTS)


# ------------------------------------------------------------------------------ the mirror

def is_mirror(name):
    """Whether minigrad has a module or package of this path; a leading underscore is left out in the tests."""
    first, slash, rest = name.partition("/")
    return any((ROOT / "minigrad" / f"{start}{slash}{rest}{end}").exists()
               for start in (first, f"_{first}") for end in (".py", "/__init__.py"))


MIRRORS = sorted(str(path) for path in FOLDERS if path.parts[0] not in SHELVES)


@pytest.mark.parametrize("name", MIRRORS)
def test_a_mirror_has_its_package(name):
    assert name in HELD or is_mirror(name)


@pytest.mark.parametrize("path", sorted(TESTS.glob("test_*.py")), ids=lambda path: path.name)
def test_a_file_at_the_root_has_its_module(path):
    assert is_mirror(path.stem.removeprefix("test_"))


def test_a_folder_without_a_package_is_found():
    assert is_mirror("core/graph") and is_mirror("doctor") and is_mirror("as_torch") and len(MIRRORS) > 30
    assert not is_mirror("core/gone") and not is_mirror("gone") and HELD <= {*MIRRORS}


@pytest.mark.parametrize("folder", [Path(), *sorted(FOLDERS)], ids=str)
def test_a_folder_has_few_files_and_a_name_that_says_which(folder):
    assert len([path for path in (TESTS / folder).iterdir() if path.is_file()]) <= MOST
    assert folder.name not in ("common", "misc", "utils") or is_mirror(folder.as_posix())


# ------------------------------------------------------------------------------ the README

def described(text):
    """{shelf: the folders that its item names}"""
    items = re.findall(r"^- `(\w+)`: ((?:.+\n)(?:  .+\n)*)", text, re.MULTILINE)
    return {shelf: {*re.findall(r"`(\w+)`", words)} for shelf, words in items}


def test_the_readme_describes_the_shelves_that_are_there():
    there = {shelf: {path.name for path in FOLDERS if str(path.parent) == shelf} for shelf in SHELVES}
    assert described(README) == there


def test_a_shelf_that_is_not_described_is_found():
    text = "- `a`: what `b` is,\n  and `c`, by `make d`.\n- `e`: f.\n\n`g`: h.\n"
    assert described(text) == {"a": {"b", "c"}, "e": set()}


# ------------------------------------------------------------------------------ paths to tests

PATH = re.compile(r"(?<![\w-])tests/((?:[\w*.-]+/)*[\w*.-]*\w)")
MODULE = re.compile(r"(?:-m |from |import |[\"`])tests\.([\w.]*\w)")
ENDINGS = (".h", ".md", ".mjs", ".pxd", ".py", ".pyx", ".rst", ".txt", ".yml")
ROOTS = (".ci", ".github", "docs", "minigrad", "tests", "tools", "tutorials")
#: What the site's extensions write below docs.
WRITTEN = ("_build", "tutorials", "reading", "errors", "reference/ops", "reference/generated")


def texts():
    """What may name tests, but for this file, which names some that do not exist: {path: text}."""
    found = [path for folder in ROOTS for path in (ROOT / folder).rglob("*") if path.suffix in ENDINGS]
    found += [ROOT / ".ci" / "run", *ROOT.glob("Makefile"), *ROOT.glob("*.*")]
    left_out = {Path(__file__), *[ROOT / "docs" / folder for folder in WRITTEN]}
    kept = [path for path in sorted(found) if path.is_file() and not left_out & {path, *path.parents}]
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in kept
            if path.suffix in (*ENDINGS, ".in", ".toml", "")}


def is_module(name):
    """Whether tests has this package or module; behind a module, the name goes on with what it defines."""
    *paths, whole = itertools.accumulate(name.split("."), "{}/{}".format)
    return (TESTS / whole).is_dir() or any((TESTS / f"{path}.py").is_file() for path in (*paths, whole))


def stale(text):
    """The paths to tests, and the modules, that do not exist."""
    paths = [f"tests/{path}" for path in PATH.findall(text) if not any(TESTS.glob(path))]
    modules = [name for name in MODULE.findall(text) if name not in ("py", "zip")]
    return paths + [f"tests.{name}" for name in modules if not is_module(name)]


def test_no_path_to_a_test_is_stale():
    found = {path: stale(text) for path, text in texts().items()}
    assert {path: gone for path, gone in found.items() if gone} == {}
    assert {"Makefile", "README.md", "docs/notes/adding.rst", "minigrad/__init__.py", "tests/conftest.py"} <= {*found}


def test_a_stale_path_is_found():
    assert stale('see tests/ops/test_ops.py::test_x, tests/nn, "$root/tests/gone", tests/core/test_gone.py; '
                 "tests/ops/samples/re*.py, tests/ops/samples/gone_*.py") == [
        "tests/gone", "tests/core/test_gone.py", "tests/ops/samples/gone_*.py"]
    assert stale('-m tests.proofs.balls, "tests.gone", from tests.ops.samples import x, `tests.ops.gone`, '
                 '"tests.drawn.turn", "tests.zip", tests.items()') == ["tests.gone", "tests.ops.gone"]
