"""The 30 examples of the documents run under PyTorch's name, each in an interpreter of its own, and print what they
say.

What is left out: examples 19 and 21 are shell commands for nvprof and VTune, and two are broken in the documents
themselves (their files say how).  The programs need nothing but minigrad: CI runs them after ``pip install`` of the
wheel alone.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = sorted((Path(__file__).parent / "examples").glob("*.py"))
SHELL_COMMANDS = {19, 21}


def expected(path):
    return re.findall(r"# prints: (.*)", path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.drawn
def test_an_example_runs_and_prints_what_it_says(path):
    done = subprocess.run([sys.executable, "-m", "minigrad", "run", str(path)], capture_output=True, text=True,
                          timeout=60, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == expected(path) != []


def test_every_example_is_here():
    said = " ".join(re.search(r"^# Examples? ([\d, and]+)", path.read_text(encoding="utf-8"))[1] for path in EXAMPLES)
    assert {int(number) for number in re.findall(r"\d+", said)} | SHELL_COMMANDS == set(range(1, 31))
