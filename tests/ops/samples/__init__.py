"""All sample rows, collected from the files of the families in this folder."""

import importlib
from pathlib import Path

FAMILIES = sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py"))
ROWS = [row for family in FAMILIES for row in importlib.import_module(f"tests.ops.samples.{family}").ROWS]
