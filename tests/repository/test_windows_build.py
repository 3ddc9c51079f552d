"""What setup.py would do on Windows: it runs here under Windows' name, with a compiler that only writes down the calls.

Python's own half of a build (the folders and libraries that ``os.name`` decides on) stays that of this system.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytest.importorskip("Cython")
pytest.importorskip("setuptools")

#: in place of the package ``ziglang``: notes its arguments, says what it is, writes the file that it was asked for
COMPILER = """
import json, sys
with open({log!r}, "a") as file:
    file.write(json.dumps(sys.argv[1:]) + chr(10))
if "-dumpmachine" in sys.argv:
    print("x86_64-unknown-windows-gnu")
if "-o" in sys.argv:
    open(sys.argv[sys.argv.index("-o") + 1], "w").close()
"""
#: what is imported before the name changes still knows the system that it is on
BUILD = """
import runpy, sys, sysconfig
import numpy, setuptools, setuptools.command.build_ext, setuptools.modified, Cython.Build, concurrent.futures
from setuptools._distutils import cygwinccompiler
sys.platform, sysconfig.get_platform = "win32", lambda: {platform!r}
sys.argv = ["setup.py", "--quiet", "build_ext", "--inplace"]
runpy.run_path("setup.py", run_name="__main__")
"""


def calls(folder, platform, setup=None):
    """The arguments of each call of the compiler that builds a core of two small modules."""
    core, log = folder / "minigrad" / "_core", folder / "log"
    core.mkdir(parents=True)
    (folder / "ziglang").mkdir()
    (folder / "ziglang" / "__main__.py").write_text(COMPILER.format(log=str(log)))
    (folder / "setup.py").write_text(setup or (ROOT / "setup.py").read_text(encoding="utf-8"))
    for package in (folder / "minigrad", core):
        (package / "__init__.py").touch()
    for name in ("one", "two"):
        (core / f"{name}.pyx").write_text(f"def {name}():\n    return 1\n")
    ran = subprocess.run([sys.executable, "-c", BUILD.format(platform=platform)], cwd=folder, capture_output=True,
                         text=True)
    assert ran.returncode == 0, ran.stderr
    return [json.loads(line) for line in log.read_text().splitlines()]


def faults(made, target):
    """What is wrong with these calls for Windows."""
    compiled = [call for call in made if "-c" in call]
    linked = [call for call in made if not {"-c", "-dumpmachine"} & set(call)]
    wrong = [] if len(compiled) == 3 and len(linked) == 1 else ["each module is compiled once, and all are linked once"]
    for call in made:
        wrong += [] if call[:3] == ["cc", "-target", target] else [f"not Clang for {target}: {call[:3]}"]
        wrong += [f"{each} is not for Windows" for each in call
                  if each in ("-fPIC", "-pthread", "-lm", "-lpthread", "-ldl") or each.startswith(("/O", "-march"))]
    for call in compiled:           # two modules, and what Cython needs in both, which -Os is enough for
        level = "-Os" if "cython_shared.c" in " ".join(call) else "-O3"
        wrong += [f"{flag} is missing" for flag in (level, "-fno-math-errno", "-ffp-contract=off", "-DMS_WIN64=")
                  if flag not in call]
        wrong += [] if "minigrad/_core/importing.h" in call else ["importing.h is not included first"]
    return wrong


@pytest.mark.drawn
@pytest.mark.parametrize(("platform", "target"), [("win-amd64", "x86_64-windows-gnu"),
                                                  ("win-arm64", "aarch64-windows-gnu")])
def test_clang_is_called_with_flags_for_windows(tmp_path, platform, target):
    assert faults(calls(tmp_path, platform), target) == []


@pytest.mark.parametrize(("planted", "instead", "noticed"), [
    ('[] if sys.platform == "win32" else ["m"]', '["m"]', "-lm is not for Windows"),
    ('in ("darwin", "win32")', '== "darwin"', "-ffp-contract=off is missing"),
    ("cc -target {target}'", "cc'", "not Clang for x86_64-windows-gnu"),
])
@pytest.mark.drawn
def test_a_planted_fault_of_the_build_is_found(tmp_path, planted, instead, noticed):
    setup = (ROOT / "setup.py").read_text(encoding="utf-8")
    assert planted in setup
    assert noticed in "; ".join(faults(calls(tmp_path, "win-amd64", setup.replace(planted, instead)),
                                       "x86_64-windows-gnu"))
