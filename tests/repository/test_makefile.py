"""What the commands of the Makefile remove and keep, and what they look for first: each in a copy of the Makefile."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: What the recipes call.
CALLED = ("sh", "find", "rm", "rmdir", "grep", "make", "uname", "cat")

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")


@pytest.fixture
def clone(tmp_path):
    """A folder with the Makefile, the tools, and what the commands have made."""
    folder = tmp_path / "clone"
    shutil.copytree(ROOT / "tools", folder / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "Makefile", folder)
    for made in (".venv/bin/python", ".venv/live/live/live.json", "dist/minigrad.whl", "docs/_build/html/index.html",
                 "minigrad/_core/call.c", "minigrad/_core/call.pyx"):
        (folder / made).parent.mkdir(parents=True, exist_ok=True)
        (folder / made).touch()
    return folder


def make(folder, *arguments, **environment):
    return subprocess.run([shutil.which("make"), *arguments], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, "MAKEFLAGS": "", **environment})


def left(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
            and not path.is_relative_to(folder / "tools")} - {"Makefile"}


def test_clean_keeps_what_make_live_built_and_distclean_removes_it(clone):
    done = make(clone, "clean")
    assert done.returncode == 0, done.stderr
    assert left(clone) == {".venv/live/live/live.json", "minigrad/_core/call.pyx"}
    assert "distclean" in done.stdout
    done = make(clone, "distclean")
    assert done.returncode == 0, done.stderr
    assert left(clone) == {"minigrad/_core/call.pyx"} and not (clone / ".venv").exists()


def test_clean_removes_the_environment(clone):
    shutil.rmtree(clone / ".venv" / "live")
    assert make(clone, "clean").returncode == 0
    assert not (clone / ".venv").exists()


def test_live_looks_for_its_tools_before_it_compiles(clone, tmp_path):
    only = tmp_path / "bin"
    only.mkdir()
    for name in CALLED:
        (only / name).symlink_to(shutil.which(name))
    done = make(clone, "live", f"PYTHON={sys.executable}", PATH=str(only), HOME=str(tmp_path), PYTHON313="")
    assert done.returncode != 0 and "emcc: apt install" in done.stderr
    assert "Compiling" not in done.stdout and not (clone / ".venv" / "installed").exists()
