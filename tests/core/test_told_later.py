"""What the core is told by files above: Note [Told later] in provided.pyx.  All of it is listed, checked, and told in
two ways only."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import minigrad
from minigrad._core.runtime import core_ops, provided

ROOT = Path(minigrad.__file__).parent
if not (ROOT.parent / "docs").exists():
    pytest.skip("the notes are not in this copy", allow_module_level=True)
PAGE = (ROOT.parent / "docs/notes/design.rst").read_text(encoding="utf-8")
NAMES = {name for name in vars(provided.Provided) if not name.startswith("_")}
WORDS = {name for name in vars(core_ops.Vocabulary) if not name.startswith("_")}


def tables(page):
    """[{where: the names in the second column}] for the tables of the section, in order."""
    section = page.partition("\nWhat is told later\n")[2].partition("\nLaws\n")[0]
    found = []
    for table in section.split(".. list-table::")[1:]:
        rows, where = {}, None
        for row in re.split(r"\n   \* - ?", table)[2:]:
            cells = re.split(r"\n     - ", row)
            where = cells[0].strip() or where
            rows.setdefault(where, []).extend(re.findall(r"``(\w+)``", cells[1]))
        found.append(rows)
    return found


def structs():
    """{page of declarations: the fields of its struct `later`}, from the sources."""
    found = {}
    for path in (ROOT / "_core").rglob("*.pxd"):
        struct = re.search(r"^cdef struct Later:.*\n((?:    .*\n)+)cdef Later later$", path.read_text(encoding="utf-8"),
                           re.MULTILINE)
        if struct:
            found[path.name] = re.findall(r"^    [\w*]+ \(?\*? ?(\w+)", struct[1], re.MULTILINE)
    return found


def provisions(source):
    """The names that a file provides by keyword; ``**`` is left out."""
    if "provide" not in source:                 # most are not worth a syntax tree
        return []
    return [keyword.arg for call in calls(source) if ast.unparse(call.func).endswith("provide")
            for keyword in call.keywords if keyword.arg]


def calls(source):
    """The calls that are statements of the module, as in ``provide(...)``."""
    return [node.value for node in ast.parse(source).body
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)]


SOURCES = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in ROOT.rglob("*.py")}


def test_the_page_lists_every_field_of_the_structs():
    listed, _ = tables(PAGE)
    assert {page: sorted(names) for page, names in listed.items()} == {
        page: sorted(names) for page, names in structs().items()}


def test_the_page_lists_everything_that_is_provided_and_where():
    _, listed = tables(PAGE)
    assert sorted(sum(listed.values(), [])) == sorted(NAMES)
    providing = {path: {*names} - WORDS for path, source in SOURCES.items() if (names := provisions(source))}
    special = {*minigrad.tensors.to_python.SLOTS, *minigrad.tensors.copy_and_pickle.SLOTS}
    providing["_tensor.py"] |= special
    assert providing == {where: {*names} for where, names in listed.items()}


def test_a_field_that_is_not_listed_is_found():
    listed, _ = tables(PAGE.replace("``node_dies``, ", ""))
    assert "node_dies" not in listed["graph.pxd"] and "node_dies" in structs()["graph.pxd"]


# ------------------------------------------------------------------------------ what is refused

@pytest.mark.parametrize("wrong, why", [
    ({"sum_too": max}, "no use for .'sum_too'."), ({"vmap": min, "repr": max}, "no use for .'repr'."),
    ({"sum_to": max}, "another sum_to already"), ({"vmap": max}, "another vmap already"),
])
def test_what_is_unknown_or_provided_twice_is_refused_and_changes_nothing(wrong, why):
    before = provided.provisions.vmap, core_ops.meaning("sum_to")
    with pytest.raises(ValueError, match=why):
        provided.provide(**wrong)
    assert before == (provided.provisions.vmap, core_ops.meaning("sum_to"))


def test_the_same_may_be_provided_again():
    provided.provide(vmap=provided.provisions.vmap, sum_to=core_ops.meaning("sum_to"))


def test_what_is_missing_is_named(monkeypatch):
    assert provided.missing() == []
    provided.check_provided()
    monkeypatch.setattr(provided.provisions, "vmap", None)
    monkeypatch.setattr(provided.provisions, "repr_", None)
    with pytest.raises(ValueError, match="not been provided with .'repr_', 'vmap'."):
        provided.check_provided()


@pytest.mark.parametrize("module, field", [("inplace.out_argument", "op.pxd: field 3 of later"),
                                           ("frontends.subscripting", "special_methods.pxd: field 4 of later")])
def test_a_struct_that_no_file_has_filled_is_noticed_at_import(module, field):
    program = f"import sys\nsys.modules['minigrad._core.{module}'] = sys\nimport minigrad"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT.parent)
    assert run.returncode == 1 and field in run.stderr


# ------------------------------------------------------------------------------ and no other way

#: Functions of the core that a module may call as it is imported.
CALLED = {"provide", "check_provided",      # this way
          "attach",                         # a method for a class of the core
          "register",                       # a device, and the class of its arrays: there may be any number
          "update"}                         # of a set of functions, by `_tensor`


def other_ways(source):
    """The functions of the core that a module calls for their effect while it is imported."""
    if "minigrad._core" not in source or not (functions := [ast.unparse(call.func) for call in calls(source)]):
        return []
    known = {alias.asname or alias.name for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)
             and (node.module or "").startswith("minigrad._core") for alias in node.names}
    return [name for name in functions if name.split(".")[0] in known and name.split(".")[-1] not in CALLED]


def test_no_module_tells_the_core_in_another_way():
    assert {path: ways for path, source in SOURCES.items() if (ways := other_ways(source))} == {}


def test_another_way_is_found():
    assert other_ways("from minigrad._core.graph import graph\ngraph.sizes_are(3)\n") == ["graph.sizes_are"]


def asks_to_be_told(source):
    return re.findall(r"^def ((?:register|learn|fill|know|tell|install)(?:_\w+)?)\(", source, re.MULTILINE)


def test_no_module_of_the_core_has_a_function_to_be_told_by():
    paths = [*(ROOT / "_core").rglob("*.py"), *(ROOT / "_core").rglob("*.pyx")]
    assert {path.name: found for path in paths if (found := asks_to_be_told(path.read_text(encoding="utf-8")))} == {
        "device_arrays.py": ["register"]}


def test_a_function_to_be_told_by_is_found():
    assert asks_to_be_told("x = 1\ndef register_alter(alter):\n    pass\n") == ["register_alter"]
