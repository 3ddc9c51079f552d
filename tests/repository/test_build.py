"""What setup.py compiles again, how, and what it says when it cannot: a core of three small modules is built."""

import ast
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SETUP = (ROOT / "setup.py").read_text(encoding="utf-8")
pytest.importorskip("Cython")
pytest.importorskip("setuptools")
COMPILER = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]

#: Drawn for the same commits, since to build a core takes longer than to build it again.
together = pytest.mark.drawn(first=0)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A folder in which such a core was built once."""
    folder = tmp_path_factory.mktemp("built")
    core = folder / "minigrad" / "_core"
    core.mkdir(parents=True)
    (folder / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "check_machine.py", folder / "tools")
    (folder / "setup.py").write_text(SETUP)
    for package in (folder / "minigrad", core):
        (package / "__init__.py").touch()
    shutil.copy(ROOT / "minigrad" / "_core" / "importing.h", core)
    (core / "number.h").write_text("static inline int number(void) { return 1; }\n")
    (core / "reads.pyx").write_text('cdef extern from "number.h":\n    int number()\n\ndef one():\n    return number()')
    (core / "plain.pyx").write_text("def two():\n    return 2\n")
    (core / "view_history.pyx").write_text("def three():\n    return 3\n")   # -O2 is enough for it
    if shutil.which(COMPILER) is None:
        pytest.skip("there is no compiler")
    assert build(folder).returncode == 0
    return folder


def build(folder, **environment):
    return subprocess.run([sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"], cwd=folder,
                          capture_output=True, text=True, env={**os.environ, **environment})


def objects(folder):
    """When each object file was made, and at which level."""
    found = {path.stem: path for path in (folder / "build").rglob("*.o")}
    levels = {name: Path(f"{path}.d").read_text().split()[0] for name, path in found.items()}
    return {name: path.stat().st_mtime_ns for name, path in found.items()}, levels


@pytest.fixture
def change(built):
    """Add a line to a file of the core; afterwards it is as it was, and as old: the next test finds nothing to do."""
    before = {}

    def changed(name, text):
        path = built / "minigrad" / "_core" / name
        before[path] = path.read_text(), path.stat().st_mtime_ns
        path.write_text(path.read_text() + text)

    yield changed
    for path, (text, age) in before.items():
        path.write_text(text)
        os.utime(path, ns=(age, age))


def made_again(folder, **environment):
    before, _ = objects(folder)
    ran = build(folder, **environment)
    assert ran.returncode == 0, ran.stderr
    after, levels = objects(folder)
    return {name: levels[name] for name in after if after[name] != before.get(name)}


@together
def test_each_module_is_optimized_as_the_lists_say(built):
    assert built and objects(built)[1] == {"reads": "-O3", "plain": "-O3", "view_history": "-O2",
                                           "cython_shared": "-Os"}


def test_the_lists_name_modules():
    lists = re.search(r"\nCALLS = \{.*?\}\n.*?\nONCE = \{.*?\}\n", SETUP, re.DOTALL).group()
    named = re.findall(r'"(\w+)"', lists)
    there = {path.stem for path in (ROOT / "minigrad" / "_core").rglob("*.pyx")}
    assert set(named) <= there and len(named) == len(set(named)) > 50


@together
def test_what_has_not_changed_is_not_made_again(built):
    assert made_again(built) == {}


@together
def test_a_header_that_changes_is_compiled_where_it_is_read(built, change):
    change("number.h", "/* changed */\n")
    assert made_again(built) == {"reads": "-O3"}


@together
def test_a_module_that_changes_is_translated_and_compiled(built, change):
    change("plain.pyx", "\ndef four():\n    return 4\n")
    assert made_again(built) == {"plain": "-O3"}


@together
def test_other_flags_compile_everything_again(built):
    (built / "setup.py").write_text(SETUP.replace('"-fno-math-errno",', '"-fno-math-errno", "-DOTHER",'))
    assert set(made_again(built)) == {"reads", "plain", "view_history", "cython_shared"}
    (built / "setup.py").write_text(SETUP)
    assert set(made_again(built)) == {"reads", "plain", "view_history", "cython_shared"}


@together
def test_in_a_hurry_what_changed_is_not_optimized_and_the_next_build_makes_up_for_it(built, change):
    change("plain.pyx", "\ndef five():\n    return 5\n")
    assert made_again(built, MINIGRAD_QUICK="1") == {"plain": "-O0"}
    assert made_again(built, MINIGRAD_QUICK="1") == {}
    assert made_again(built) == {"plain": "-O3"}


@together
def test_a_compiler_that_is_missing_is_named(built, change):
    change("plain.pyx", "\ndef six():\n    return 6\n")
    ran = build(built, CC="no-such-compiler")
    assert ran.returncode == 1
    assert "minigrad: No C compiler: no-such-compiler is not on the PATH" in ran.stderr
    assert "apt install gcc" in ran.stderr and "Traceback" not in ran.stderr


@together
def test_what_does_not_compile_is_named(built, change):
    change("number.h", "#error planted\n")
    ran = build(built)
    assert ran.returncode == 1
    assert "minigrad: minigrad/_core/reads.c was not compiled" in ran.stderr and "memory" in ran.stderr
    assert "planted" in ran.stderr and "Traceback" not in ran.stderr


@together
def test_what_failed_beside_others_is_tried_alone(built, change, tmp_path):
    """As where memory is short: a compiler that fails once stands for one that was killed."""
    change("plain.pyx", "\ndef seven():\n    return 7\n")
    script, failed = tmp_path / "compiler", tmp_path / "failed"
    script.write_text(f'#!/bin/sh\n[ -e {failed} ] || {{ touch {failed}; kill -9 $$; }}\nexec {COMPILER} "$@"\n')
    script.chmod(0o755)
    assert made_again(built, CC=str(script))["plain"] == "-O3"
    assert failed.exists()


def test_a_translation_that_cannot_be_corrected_any_more_is_refused(tmp_path):
    parts = [node for node in ast.parse(SETUP).body if isinstance(node, ast.FunctionDef) and node.name == "correct"
             or isinstance(node, ast.Assign) and node.targets[0].id in ("APPEND", "CORRECT")]
    names = {"COVERED": False, "CYTHON": "4.0"}
    exec(compile(ast.Module(parts, []), "setup.py", "exec"), names)
    head = "static int __Pyx_ListComp_AppendAndDecref(PyObject* list, PyObject* x) {\n"
    path = tmp_path / "module.c"
    path.write_text(head + names["APPEND"])
    for _ in range(2):                      # what is correct stays so
        names["correct"](path)
        assert path.read_text() == head + names["CORRECT"]
    path.write_text(head + "    return append(list, x);\n")
    with pytest.raises(SystemExit, match="Cython 4.0 writes comprehensions in another way"):
        names["correct"](path)
