"""Paths of modules that lie elsewhere: PyTorch's, and those of before."""

import importlib
import pickle
import re
import subprocess
import sys
import types
from pathlib import Path

import pytest

import minigrad
from minigrad import _paths

PATHS = {**_paths.THEIRS, **_paths.BEFORE}


@pytest.mark.parametrize("path", PATHS)
def test_an_import_gives_the_module_itself(path):
    other, module = importlib.import_module(path), importlib.import_module(PATHS[path])
    assert other is module and module.__spec__.name == module.__name__ == PATHS[path]


@pytest.mark.parametrize("path", PATHS)
def test_the_module_is_not_changed_for_a_moment(path, monkeypatch):
    """Another thread may be importing it, and would see what Python knows of another module."""
    changed = []

    class Watched(types.ModuleType):
        def __setattr__(self, name, value):
            changed.append(name)
            super().__setattr__(name, value)

    module = importlib.import_module(PATHS[path])
    monkeypatch.delitem(sys.modules, path, raising=False)
    kind, module.__class__ = type(module), Watched
    try:
        assert importlib.import_module(path) is module
    finally:
        module.__class__ = kind
    assert set(changed) <= {"__class__"}


def test_a_class_is_the_same_under_both():
    from minigrad.nn.modules.container import Sequential
    from minigrad.sizes_and_devices import Size
    assert Sequential is minigrad.nn.Sequential and Size is minigrad.Size


def test_a_pickle_of_before_loads():
    said = pickle.dumps(minigrad.Size((2, 3)), protocol=0).replace(b"minigrad.dtypes.sizes_and_devices",
                                                                  b"minigrad.sizes_and_devices")
    assert b"minigrad.sizes_and_devices" in said and pickle.loads(said) == minigrad.Size((2, 3))


def test_a_path_that_is_gone_is_not_a_module():
    with pytest.raises(ModuleNotFoundError, match="minigrad.never"):
        importlib.import_module("minigrad.never")


def test_nothing_of_it_is_loaded_before_it_is_asked_for():
    code = f"import minigrad, sys; print(*[path for path in {[*PATHS]} if path in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip() == ""


def test_the_page_has_the_paths_of_before():
    page = Path(__file__).resolve().parent.parent / "docs" / "notes" / "where.rst"
    if not page.exists():
        pytest.skip("the notes are not in this copy")
    assert dict(re.findall(r"^   \* - ``(minigrad\.[\w.]+)``\n     - ``([\w.]+)``$", page.read_text(encoding="utf-8"),
                           re.MULTILINE)) == _paths.BEFORE
