"""A program in a copy of an interpreter (tests/starting.py) meets what it would meet in one of its own."""

import ast
import os
import subprocess
import sys

import pytest

from tests import drawn, starting

if not hasattr(os, "fork"):
    pytest.skip("there are no forks on this system", allow_module_level=True)

pytestmark = pytest.mark.usefixtures("interpreters")

#: What a program can see of its process, but for addresses and numbers that are its own.
LOOKING = """
import minigrad
names = dir()
import gc, os, re, signal, sys, threading
print({
    "names": names, "modules": sorted(sys.modules), "main": sorted(vars(sys.modules["__main__"])),
    "arguments": [sys.argv, sys.orig_argv], "flags": str(sys.flags), "path": sys.path, "folder": os.getcwd(),
    "importing": re.sub("0x[0-9a-f]+", "", str([sys.meta_path, sys.path_hooks])), "hooks": sys.excepthook.__name__,
    "environment": {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"},
    "files": [number for number in range(64) if os.path.exists(f"/dev/fd/{number}")],
    "threads": threading.active_count(),
    "terminals": [os.isatty(number) for number in range(3)], "encodings": [sys.stdout.encoding, sys.stderr.encoding],
    "buffers": [sys.stdout.line_buffering, sys.stderr.line_buffering], "alive": len(gc.get_referrers(minigrad)) > 0,
    "signals": [str(signal.getsignal(each)) for each in sorted(signal.valid_signals())],
    "drawn": minigrad.randn(2).tolist() and minigrad.initial_seed() != 0, "dtype": str(minigrad.get_default_dtype()),
})
"""


@pytest.fixture(params=["a process of its own", "a copy"])
def run(request, monkeypatch):
    monkeypatch.setattr(drawn, "turn", None if request.param == "a process of its own" else 0)
    return starting.run


def test_it_sees_what_one_of_its_own_would_see(monkeypatch, tmp_path):
    found = []
    for turn in None, 0, 0:
        monkeypatch.setattr(drawn, "turn", turn)
        found.append(ast.literal_eval(starting.run(LOOKING, cwd=tmp_path, check=True).stdout))
    for name, value in found[0].items():
        assert value == found[1][name] == found[2][name], name


def test_what_it_prints_and_how_it_ends_is_told(run):
    done = run("import minigrad, sys\nprint(minigrad.ones(1))\nprint('a line', file=sys.stderr)\nsys.exit(7)")
    assert (done.returncode, done.stdout, done.stderr) == (7, "tensor([1.])\n", "a line\n")
    done = run("import minigrad\n1 / 0")
    assert done.returncode == 1 and not done.stdout
    assert done.stderr.startswith('Traceback (most recent call last):\n  File "<string>", line 2, in <module>\n')
    assert done.stderr.endswith("ZeroDivisionError: division by zero\n") and done.stderr.count("File") == 1
    assert run("import minigrad, os\nos.abort()").returncode < 0
    done = run("import minigrad\nraise SystemExit('no')")
    assert (done.returncode, done.stderr) == (1, "no\n") and run("import minigrad\nraise SystemExit").returncode == 0
    with pytest.raises(subprocess.CalledProcessError):
        run("import minigrad\nraise SystemExit(1)", check=True)


def test_what_is_to_run_at_the_end_runs(run):
    assert run("import minigrad, atexit\natexit.register(print, 'over')").stdout == "over\n"


def test_it_leaves_nothing_to_the_next(run):
    run("import minigrad, builtins, sys\nbuiltins.left = sys.modules['left'] = 1\nminigrad.manual_seed(5)")
    assert run("import minigrad, builtins, sys\nprint(hasattr(builtins, 'left'), 'left' in sys.modules)"
               ).stdout == "False False\n"


def test_one_without_end_is_ended(run):
    with pytest.raises(subprocess.TimeoutExpired):
        run("import minigrad\nwhile True: pass", timeout=0.3)
    assert run("import minigrad\nprint(1)").stdout == "1\n"


@pytest.mark.parametrize("code, begins", [
    ("import minigrad", True), ("\nimport sys, types\nfrom minigrad.autograd import grad", True),
    ("import math, minigrad as torch\nx = 1", True), ("import numpy\nimport minigrad", False),
    ("import torch, minigrad", False), ("import sys\nsys.path.append('x')\nimport minigrad", False), ("import", False),
    ("print(1)", False), ("import sys", False)])
def test_nothing_else_is_imported_before(code, begins):
    assert starting.begins_with_minigrad(code) == begins
