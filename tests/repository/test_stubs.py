"""The stubs say what the library is: they are what ``make build`` and ``make stubs`` would write today."""

import ast
import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from minigrad.ops import composites, exports, schema
from tests.checking import the_table_as_it_was

ROOT = Path(__file__).resolve().parents[2]


def test_they_are_up_to_date():
    """Asked in a fresh interpreter: here, other tests may have imported what ``import minigrad`` does not."""
    command = [sys.executable, "tools/make_stubs.py", "--check"]
    answer = subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True,
                            text=True)
    assert answer.returncode == 0, f"{answer.stdout}{answer.stderr}"
    assert answer.stderr == "", "what is written here is what a newcomer reads at the end of make build"


def test_those_that_are_made_are_not_in_the_repository_but_for_one():
    """The data model's is read beside its source, and written by hand are those of Python modules."""
    if not (ROOT / ".git").exists():
        pytest.skip("outside a clone")
    paths = {path.relative_to(ROOT).as_posix(): path for path in (ROOT / "minigrad").rglob("*.pyi")}
    made = {name for name, path in paths.items() if "Made by `make stubs`" in path.read_text(encoding="utf-8")}
    asked = subprocess.run(["git", "check-ignore", "--no-index", *paths], cwd=ROOT, capture_output=True, text=True)
    assert {*asked.stdout.split()} == made - {"minigrad/_core/graph/graph.pyi"} and len(made) > 50


def test_so_is_the_index_of_the_table():
    """For this, all files of rows are imported without the index, and each row is checked (kinds.py)."""
    command = [sys.executable, "tools/make_index.py", "--check"]
    answer = subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True,
                            text=True)
    assert answer.returncode == 0, f"{answer.stdout}{answer.stderr}"


def test_one_that_is_old_is_named_with_the_command_that_writes_it(make_stubs, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(make_stubs, "ROOT", tmp_path)
    monkeypatch.setattr(make_stubs, "stubs", lambda: {tmp_path / "old.pyi": "x: int\n"})
    (tmp_path / "old.pyi").write_text("x: str\n", encoding="utf-8")
    assert make_stubs.main(["--check"]) == 1
    printed = capsys.readouterr().out
    assert "not up to date: old.pyi" in printed and "make stubs" in printed
    assert make_stubs.main([]) == 0 == make_stubs.main(["--check"])


@pytest.fixture
def make_stubs(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "tools")
    return importlib.import_module("make_stubs")


def a_function(A, swing):
    """Nothing says what a swing is."""


def test_a_composite_says_its_types_in_the_words_of_schemas(make_stubs):
    with the_table_as_it_was():
        function = composites.composite(types="Tensor Scalar?")(a_function)
        assert make_stubs.parameters("a_function", function)[:2] == ["A: Tensor", "swing: Scalar | None"]


def test_a_parameter_without_a_type_is_refused_with_what_to_write(make_stubs):
    with the_table_as_it_was(), pytest.raises(SystemExit) as refused:
        make_stubs.parameters("a_function", composites.composite()(a_function))
    for words in ("a_function() has a parameter 'swing'", '@composite(types="Tensor Dim")', "'a_function.swing'",
                  "tools/stub_types.py"):
        assert words in str(refused.value)


def test_every_type_of_a_schema_has_one_in_the_stubs(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "tools")
    assert importlib.import_module("stub_types").SCHEMA.keys() == {*schema.TYPES}


def test_every_method_is_offered():
    tree = ast.parse((ROOT / "minigrad/_core/graph/graph.pyi").read_text(encoding="utf-8"))
    tensor = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Tensor")
    offered = {node.name for node in tensor.body if isinstance(node, ast.FunctionDef)}
    # real and imag are attributes
    offered |= {node.target.id for node in tensor.body if isinstance(node, ast.AnnAssign)}
    assert {name for name in (*exports.METHODS, *exports.INPLACE) if not name.startswith("_")} <= offered


def test_every_operation_is_offered():
    tree = ast.parse((ROOT / "minigrad/__init__.pyi").read_text(encoding="utf-8"))
    offered = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert exports.REGISTRY.keys() <= offered
