"""A tutorial runs once, as a script, for all tests that look at what it prints, in whichever process they run."""

import collections
import functools
import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from docs._ext import taught
from tests.parity.records import cells

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = Path(cells.__file__).with_name("script.py")
#: What all of it printed, and {key of a cell: what that printed}.
Run = collections.namedtuple("Run", "output cells")


def environment(**more):
    """As a user runs a script, but without windows."""
    search = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    return os.environ | {"MPLBACKEND": "Agg", "PYTHONPATH": search, "PYTHONIOENCODING": "utf-8"} | more


def output_of(command, environment):
    """The output of a command, which succeeds and does not warn."""
    done = subprocess.run([sys.executable, "-W", "ignore:FigureCanvasAgg", *command], env=environment,
                          capture_output=True, text=True, encoding="utf-8", timeout=600)
    assert done.returncode == 0, f"{command} failed:\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    assert "Warning" not in done.stderr, done.stderr
    return done.stdout


@functools.cache
def cells_of(path):
    """None where nothing splits a script into cells."""
    return taught.Page(path).cells if importlib.util.find_spec("sphinx_gallery") else []


@functools.cache
def run(path, folder):
    """A Run of a tutorial, which leaves what it prints in a folder; skipped where what it needs is not installed."""
    for package in re.findall(r"^(?:import|from) (matplotlib|scipy|sklearn|threadpoolctl|tqdm)",
                              path.read_text("utf-8"), re.M):
        pytest.importorskip(package)
    kept = folder / f"{path.parent.name}.{path.stem}.json"
    if not kept.exists():
        made = kept.with_suffix(f".{os.getpid()}")
        output = output_of([SCRIPT, path, made, *[str(cell.line) for cell in cells_of(path)]], environment())
        made.write_text(json.dumps([output, json.loads(made.read_text("utf-8"))]), "utf-8")
        made.replace(kept)
    output, texts = json.loads(kept.read_text("utf-8"))
    return Run(output, dict(zip([cell.key for cell in cells_of(path)], texts, strict=True)))
