"""All sample rows, collected from the families' files samples_*.py in this folder."""

import importlib
from pathlib import Path

FAMILIES = sorted(path.stem for path in Path(__file__).parent.glob("samples_*.py"))
ROWS = [row for family in FAMILIES for row in importlib.import_module(f"tests.ops.{family}").ROWS]
