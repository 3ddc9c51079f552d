"""The stubs say what the library is: they are what ``make stubs`` would write today."""

import ast
import importlib.util
from pathlib import Path

import pytest

from minigrad.ops import kinds

ROOT = Path(__file__).resolve().parent.parent


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


STUBS = load(ROOT / "tools" / "make_stubs.py").stubs()


@pytest.mark.parametrize("path", STUBS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_stub_is_up_to_date(path):
    assert path.exists() and path.read_text(encoding="utf-8") == STUBS[path], "write them anew: make stubs"


@pytest.mark.parametrize("path", STUBS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_stub_is_python(path):
    ast.parse(STUBS[path])


def test_every_method_is_offered():
    tree = ast.parse(STUBS[ROOT / "minigrad/_core/graph.pyi"])
    tensor = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Tensor")
    offered = {node.name for node in tensor.body if isinstance(node, ast.FunctionDef)}
    assert {name for name in (*kinds.METHODS, *kinds.INPLACE) if not name.startswith("_")} <= offered
