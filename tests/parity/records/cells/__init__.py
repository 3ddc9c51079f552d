"""What the cells of the tutorials print with PyTorch, where that is what they print with minigrad.

``python -m tests.parity.records.cells [PAGE ...]`` remakes it where torch 2.13 is installed: each tutorial runs cell by
cell, once with minigrad and once with ``import torch`` in its place.  A cell that needs what only minigrad has raises
under PyTorch, and is left out; so is one that prints something else.  The rest is kept, one file for a page: what
PyTorch printed, by the key of the cell, which changes with its code and with all code before it.  So a recording never
speaks for a cell that was edited since.

The site compares these texts with what its own build prints, and marks the cells that agree.  It needs no PyTorch.
"""

import ast
import contextlib
import importlib
import io
import json
import random
import re
import warnings
from pathlib import Path

from tests.parity.printed_programs.printing import difference

FOLDER = Path(__file__).parent
TOLERANCE = 1e-4


def file_of(page):
    return FOLDER / f"{page}.json"


def recorded(page):
    """{key: what PyTorch printed} for the cells of a page that agreed when it was recorded."""
    file = file_of(page)
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def agrees(recording, key, printed):
    """Whether a cell printed what PyTorch did, and printed anything at all."""
    return key in recording and bool(printed.strip()) and disagreement(printed, recording[key]) is None


def disagreement(ours, theirs):
    return difference(*["\n".join(line for line in text.splitlines() if line.strip()) for text in (ours, theirs)],
                      TOLERANCE)


# ------------------------------------------------------------------------------ running a page


def outputs(page, library):
    """{key: what the cell prints}, None where it raises, for a page that runs with "minigrad" or "torch"."""
    names, printed = {"__name__": "__main__", "__file__": str(page.path)}, {}
    start_afresh(importlib.import_module(library))
    for cell in page.cells:
        text = io.StringIO()
        with contextlib.redirect_stdout(text), contextlib.redirect_stderr(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                shown = run(with_library(ast.parse(cell.code), library), names)
            except Exception:
                printed[cell.key] = None
                continue
        printed[cell.key] = text.getvalue().expandtabs() + shown
    return printed


def start_afresh(library):
    """As after its import: the tutorials are run so on the site."""
    library.manual_seed(0)
    library.set_default_dtype(library.float32)
    library.set_grad_enabled(True)
    random.seed(0)


def run(tree, names):
    """Run a cell, and return what a notebook shows of its last expression; a failed import leaves its names unbound."""
    *statements, last = tree.body
    for statement in [*statements, *([] if isinstance(last, ast.Expr) else [last])]:
        try:
            exec(compile(ast.Module([statement], []), "cell", "exec"), names)
        except ImportError:
            if not isinstance(statement, (ast.Import, ast.ImportFrom)):
                raise
    if isinstance(last, ast.Expr):
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
        if value is not None and not hasattr(value, "_repr_html_"):
            return f"\n{value!r}"
    return ""


def with_library(tree, library):
    """The cell with PyTorch in place of minigrad, if that is the library."""
    for node in ast.walk(tree) if library != "minigrad" else ():
        if isinstance(node, ast.Import):
            for alias in node.names:
                alias.name = re.sub(r"^minigrad\b", library, alias.name)
        elif isinstance(node, ast.ImportFrom) and node.module and node.module != "minigrad.teaching":
            node.module = re.sub(r"^minigrad\b", library, node.module)
    return tree


def compared(page):
    """{key: what PyTorch printed} for the cells whose output is the same."""
    ours, theirs = outputs(page, "minigrad"), outputs(page, "torch")
    return {key: theirs[key].strip("\n") for key, text in ours.items()
            if text and text.strip() and theirs[key] is not None and disagreement(text, theirs[key]) is None}
