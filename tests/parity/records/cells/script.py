"""``python script.py PAGE FILE LINE ...``: run a tutorial as a script, and keep what each of its cells prints.

The cells begin at these lines. What they print goes out as it does from any script, and to FILE: a list of texts, each
with what a notebook would show of the last expression of the cell. The random numbers begin as on the site.
"""

import ast
import bisect
import io
import json
import sys
import types
from pathlib import Path

import minigrad
from tests.parity.records.cells import start_afresh


class Both(io.TextIOBase):
    """What is written goes out, and is kept."""

    def __init__(self, out):
        self.out, self.kept = out, []

    def write(self, text):
        self.kept.append(text)
        return self.out.write(text)

    def flush(self):
        self.out.flush()


class Cells:
    """What the cells have printed, as they come to their ends."""

    def __init__(self, lines):
        self.lines, self.texts = lines, [""] * len(lines)

    def noted(self, tree):
        """The script, in which each cell ends with a call."""
        parts = {}
        for statement in tree.body:
            parts.setdefault(bisect.bisect(self.lines, statement.lineno) - 1, []).append(statement)
        for cell, (*_, last) in parts.items():
            if cell >= 0:
                end = ast.parse(f"{self.NAME}({cell})").body[0]
                if isinstance(last, ast.Expr):
                    end.value.args.append(last.value)
                    parts[cell].pop()
                ast.copy_location(end, last)
                ast.fix_missing_locations(end)
                parts[cell].append(end)
        tree.body = [statement for part in parts.values() for statement in part]
        return tree

    NAME = "__the_cell_ends__"

    def end(self, cell, value=None):
        shown = "" if value is None or hasattr(value, "_repr_html_") else f"\n{value!r}"
        self.texts[cell] = "".join(sys.stdout.kept).expandtabs() + shown
        sys.stdout.kept.clear()


def main(path, file, *lines):
    cells = Cells([int(line) for line in lines])
    code = compile(cells.noted(ast.parse(Path(path).read_text(encoding="utf-8"))), path, "exec")
    script = sys.modules["__main__"] = types.ModuleType("__main__")
    vars(script).update({"__file__": path, Cells.NAME: cells.end})
    sys.argv, sys.path[0], sys.stdout = [path], str(Path(path).parent), Both(sys.stdout)
    start_afresh(minigrad)
    exec(code, vars(script))
    Path(file).write_text(json.dumps(cells.texts), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
