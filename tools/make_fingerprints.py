"""Writes minigrad/homework/fingerprints.json: what `homework report` knows of the official solutions.

    python tools/make_fingerprints.py

The solutions are public, in tests/homework/solutions, but are not installed with minigrad.  Their fingerprints
(minigrad/homework/likeness.py) are: [hash, first line, last line] for each.  A test compares the two.
"""

import json
import sys
from pathlib import Path

from minigrad import homework
from minigrad.homework.likeness import OFFICIAL, Text

SOLUTIONS = Path(__file__).resolve().parent.parent / "tests" / "homework" / "solutions"


def main(arguments):
    """Write the file; with ``--check`` only say whether it is what would be written: the status of the process."""
    new, old = text(), OFFICIAL.read_text(encoding="utf-8") if OFFICIAL.exists() else ""
    if "--check" not in arguments:
        OFFICIAL.write_text(new, encoding="utf-8")
    elif new != old:
        print("not up to date: minigrad/homework/fingerprints.json\nA solution, a starter or the way to compare has "
              "changed: write it with `python tools/make_fingerprints.py`.")
        return 1
    return 0


def text():
    """What the file should say: a line for each assignment."""
    found = {}
    for name in homework.names():
        solution = Text.of(name, (SOLUTIONS / f"{name}.py").read_text(encoding="utf-8"), homework.find(name).starter)
        found[name] = [[number, *lines] for number, lines in solution.fingerprints.items()]
    lines = [f'"{name}": {json.dumps(prints, separators=(",", ":"))}' for name, prints in found.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
