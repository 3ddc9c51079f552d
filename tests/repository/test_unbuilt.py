"""``import minigrad`` where its core is not there: the error names the folder and what to run."""

import shutil
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

import minigrad

PACKAGE = Path(minigrad.__file__).parent
SUFFIX = EXTENSION_SUFFIXES[0]


@pytest.fixture
def clone(tmp_path):
    folder = tmp_path / "clone"
    shutil.copytree(PACKAGE, folder / "minigrad", ignore=shutil.ignore_patterns("*.so", "*.c", "__pycache__"))
    (folder / "setup.py").touch()
    return folder


def error(folder, **environment):
    ran = subprocess.run([sys.executable, "-c", "import minigrad"], cwd=folder, capture_output=True, text=True,
                         env={"PATH": "", "PYTHONPATH": str(Path(minigrad.__file__).parent.parent / "nowhere"),
                              **environment})
    assert ran.returncode == 1
    return ran.stderr.partition("ImportError: ")[2]


def test_a_clone_that_was_not_built_says_so(clone):
    said = error(clone)
    assert said.startswith(f"minigrad cannot be imported from {clone}: its core, _core{SUFFIX}, is not there.")
    assert "nothing was compiled yet" in said and f"cd {clone}, then make build" in said


def test_a_clone_that_was_built_for_another_python_says_so(clone):
    (clone / "minigrad" / "_core.cpython-39-other.so").touch()
    assert f"compiled for another Python (_core.cpython-39-other.so); this one is {sys.executable}" in error(clone)


def test_a_clone_that_hides_an_installed_minigrad_says_so(clone, tmp_path):
    installed = tmp_path / "site"
    (installed / "minigrad").mkdir(parents=True)
    assert "It hides" not in error(clone, PYTHONPATH=str(installed))
    (installed / "minigrad" / f"_core{SUFFIX}").touch()
    said = error(clone, PYTHONPATH=str(installed))
    assert f"It hides the minigrad that is installed in {installed}" in said
    assert "cd to another folder" in said and "make build" not in said


def test_a_clone_whose_build_is_older_than_its_list_of_modules_says_so(clone):
    (clone / "minigrad" / f"_core{SUFFIX}").touch()
    (clone / "minigrad" / "_core.modules.txt").unlink()
    said = error(clone)
    assert "its core, _core.modules.txt, is not there." in said and "another Python" not in said
    assert f"cd {clone}, then make build" in said


def test_an_installation_without_its_library_says_so(clone):
    (clone / "setup.py").unlink()
    said = error(clone)
    assert "clone" not in said.partition(str(clone))[2] and "pip install --force-reinstall minigrad-autograd" in said
