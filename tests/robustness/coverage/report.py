"""Figures, and the list of what is not covered: each a line with its function, its text and what never happened."""

import bisect
import dataclasses
import re

from . import python

__all__ = ["Gap", "Share", "core_gaps", "functions", "python_gaps"]

DEFINED = {
    ".pyx": re.compile(r"( *)(?:cdef|cpdef|def)\b(?!\s+extern)[^#=]*?(\w+)\("),
    ".h": re.compile(r"()(?:[A-Za-z_][\w ]*[ *])?(\w+)\("),
    ".py": re.compile(r"( *)(?:async )?def (\w+)\("),
}
DEFINED[".pxd"] = DEFINED[".pyx"]


@dataclasses.dataclass(frozen=True)
class Gap:
    """Something that was written and never happened."""

    file: str
    line: int
    function: str
    text: str
    what: str

    def __str__(self):
        return f"{self.file}:{self.line}: {self.what}    [{self.function}] {self.text.strip()}"


@dataclasses.dataclass
class Share:
    """How many lines of a file ran, and how many of the ways its conditions can go were taken."""

    run: int = 0
    lines: int = 0
    taken: int = 0
    ways: int = 0

    def __add__(self, other):
        return Share(*[mine + theirs for mine, theirs in zip(dataclasses.astuple(self), dataclasses.astuple(other))])

    def __str__(self):
        return (f"{self.run} of {self.lines} lines ({self.run / max(self.lines, 1):.2%}), "
                f"{self.taken} of {self.ways} ways ({self.taken / max(self.ways, 1):.2%})")


def functions(text, suffix):
    """The name of the function that each line is in, or an empty one; the first line is line 1."""
    name, begun = "", []
    for number, line in enumerate(text.split("\n"), 1):
        found = DEFINED[suffix].match(line)
        if found and not line.startswith(("return", "else", "if", "for", "while", "typedef", "#")):
            begun.append((number, found[2]))
    return begun


def function_at(begun, line):
    at = bisect.bisect_right(begun, (line, "\uffff"))
    return begun[at - 1][1] if at else ""


def core_gaps(name, file, text):
    """What never happened in a file of the core, and the share of what did."""
    lines, begun = text.split("\n"), functions(text, "." + name.rpartition(".")[2])
    gaps, share = [], Share()

    def gap(line, what):
        gaps.append(Gap(name, line, function_at(begun, line), lines[line - 1], what))

    ran = {line: count for line, count in file.lines.items() if 0 < line <= len(lines)}
    share.lines, share.run = len(ran), sum([count > 0 for count in ran.values()])
    for line in sorted(ran):
        if not ran[line]:
            gap(line, "never run")
    for (line, asked), condition in sorted(file.conditions.items()):
        share.ways += 2
        share.taken += (condition.true > 0) + (condition.false > 0)
        if (condition.true > 0) != (condition.false > 0):
            way = "always true" if condition.true else "always false"
            gap(line, f"{asked}: {way}" if asked else way)
    return gaps, share


def python_gaps(name, file, text):
    """The same of a Python module."""
    lines, begun = text.split("\n"), functions(text, ".py")
    share = Share(sum(file.lines.values()), len(file.lines), sum(file.branches.values()), len(file.branches))
    gaps = [(line, "never run") for line, ran in file.lines.items() if not ran]
    gaps += [(line, python.way(file.tree, line, then)) for (line, then), seen in file.branches.items()
             if not seen and file.lines.get(line)]
    return [Gap(name, line, function_at(begun, line), lines[line - 1], what) for line, what in sorted(gaps)], share
