"""Which submissions are alike, and in which lines.

Two texts are compared by what is left when names, numbers, comments, docstrings and layout are taken away: the nodes of
the syntax tree, one after the other.  Names of Python and of libraries stay, those that the file makes itself do not:

    total = np.exp(rate * x)        assign name call exp mult name name
    y = np.exp(a * b)   # the sum   assign name call exp mult name name

Each function and each statement outside functions is written down by itself, so that their order does not matter.
Of every run of `RUN` nodes the hash is taken, and of `WINDOW` hashes in a row the smallest one is kept: the
*fingerprints* of the text.  This is winnowing (Schleimer, Wilkerson and Aiken, "Winnowing: local algorithms for
document fingerprinting", 2003): a part that two texts have in common leaves the same fingerprints in both, wherever
it is.

What is in the starter file does not count.  The likeness of two texts is the part of the smaller one's fingerprints
that the other has too.  It is evidence, with lines to be read by a person, and not a finding: short formulas can be
written in one way only.
"""

import ast
import json
import zlib
from collections import namedtuple
from functools import cache
from pathlib import Path

import numpy as np

from minigrad.homework.judge import source_of
from minigrad.homework.rules import Refused
from minigrad.homework.spec import find, named_in
from minigrad.homework.variants import resolved

__all__ = ["Pair", "Text", "alike", "in_folder", "official", "shown"]

RUN, WINDOW = 12, 4
#: a pair is listed from this likeness on, and from this number of common fingerprints on; what different people wrote
#: by themselves was at most 0.38, and mostly below 0.1
SHARE, LEAST = 0.5, 8
#: the official solutions are public, and their fingerprints come with minigrad: tools/make_fingerprints.py
OFFICIAL = Path(__file__).with_name("fingerprints.json")


class Text:
    """The fingerprints of a text, {hash: (first line, last line)}; with a source that cannot be parsed, none."""

    def __init__(self, name, fingerprints):
        self.name, self.fingerprints = name, fingerprints

    @classmethod
    def of(cls, name, source, *starters):
        """The text of a source, without what is in the starter files."""
        known = {number for starter in starters for unit in units(starter) for number, _ in hashes(unit)}
        found = {}
        for unit in units(source):
            for number, lines in winnowed(list(hashes(unit))):
                if number not in known:
                    found.setdefault(number, lines)
        return cls(name, found)


#: two texts, by name, their likeness between 0 and 1, and the parts that they have in common: pairs of (first, last)
Pair = namedtuple("Pair", "first second share parts")


# ------------------------------------------------------------------------------ from a source to fingerprints


def units(source):
    """[(token, line)] of each function, and of each statement outside functions."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    reader = Reader(tree)
    waiting = [*tree.body]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.ClassDef):
            waiting += node.body
        elif not isinstance(node, (ast.Import, ast.ImportFrom)):
            yield reader.tokens(node)


def hashes(unit):
    """(hash, (first line, last line)) of each run of tokens."""
    for at in range(len(unit) - RUN + 1):
        run = unit[at:at + RUN]
        lines = [line for _, line in run]
        yield zlib.crc32(" ".join([token for token, _ in run]).encode("utf-8")), (min(lines), max(lines))


def winnowed(found):
    """The smallest hash of each window, the last one of equals; of a text that is shorter than a window, its own."""
    kept = []
    for at in range(max(len(found) - WINDOW + 1, min(len(found), 1))):
        window = range(at, min(at + WINDOW, len(found)))
        best = max(window, key=lambda i: (-found[i][0], i))
        if not kept or kept[-1] != best:
            kept.append(best)
    return [found[i] for i in kept]


class Reader:
    """Writes a syntax tree down as tokens; which names are the file's own is read from the whole tree first."""

    def __init__(self, tree):
        self.own, self.modules = set(), set()
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                self.own.add(node.name)
            elif isinstance(node, ast.arg):
                self.own.add(node.arg)
            elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                self.own.add(node.id)
            elif isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
                self.own.add(node.attr)
            elif isinstance(node, ast.ImportFrom):
                self.own -= {each.name for each in node.names}
            elif isinstance(node, ast.Import):
                self.modules |= {(each.asname or each.name).partition(".")[0] for each in node.names}

    def tokens(self, node):
        """[(token, line)], each node before its parts."""
        found = []
        self.write(node, found, getattr(node, "lineno", 1))
        return found

    def write(self, node, found, line):
        line = getattr(node, "lineno", line)
        parts = [each for name in node._fields if name not in UNREAD for each in listed(getattr(node, name, None))]
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):         # a docstring
            return
        if isinstance(node, ast.Constant):
            token, parts = str(node.value) if node.value is None or isinstance(node.value, bool) else "constant", []
        elif isinstance(node, ast.JoinedStr):
            token, parts = "constant", []
        elif isinstance(node, ast.Name):
            token = "name" if node.id in self.own else node.id
        elif isinstance(node, ast.Attribute):
            token = "name" if node.attr in self.own else node.attr
            if isinstance(node.value, ast.Name) and node.value.id in self.modules:      # np.exp is exp
                parts = []
        elif isinstance(node, ast.AugAssign):                                           # x += y is x = x + y
            token, parts = "Assign", [node.target, ast.BinOp(node.target, node.op, node.value)]
        elif isinstance(node, ast.AnnAssign):
            token = "Assign"
        else:
            token = type(node).__name__
        found.append((token, line))
        for part in parts:
            self.write(part, found, line)


#: fields that say nothing about what is computed, or that not every version of Python has
UNREAD = {"annotation", "returns", "ctx", "type_comment", "type_params", "type_ignores", "simple", "kind"}


def listed(value):
    return [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, ast.AST)]


# ------------------------------------------------------------------------------ from fingerprints to pairs


def alike(texts, known=()):
    """The pairs among the texts, and of one of them and a known one, that are alike; the most alike first."""
    everything = [*texts, *known]
    numbers = {}
    for text in everything:
        for each in text.fingerprints:
            numbers.setdefault(each, len(numbers))
    has = np.zeros((len(everything), len(numbers)), np.float32)
    for row, text in enumerate(everything):
        has[row, [numbers[each] for each in text.fingerprints]] = 1
    common, sizes = has[:len(texts)] @ has.T, has.sum(1)
    smaller = np.minimum(sizes[:len(texts), None], sizes)
    likely = (common >= LEAST) & (common >= SHARE * smaller)
    names = np.array(list(numbers), np.int64)
    found = []
    for i, j in np.argwhere(np.triu(likely, 1)):
        shared = names[(has[i] * has[j]) > 0].tolist()
        found.append(Pair(everything[i].name, everything[j].name, float(common[i, j] / smaller[i, j]),
                          parts(everything[i].fingerprints, everything[j].fingerprints, shared)))
    return sorted(found, key=lambda pair: -pair.share)


def in_folder(files, known=(), assignment=None):
    """The pairs among files, [(name, path)], of the same assignment; the known ones and the official solution with
    them."""
    texts = {}
    for kind, listed in enumerate((files, known)):
        for name, path in listed:
            try:
                source = source_of(path)
                homework = find(assignment or named_in(source) or "")
            except (LookupError, Refused, OSError):
                continue
            text = Text.of(f"{name} (known)" if kind else name, source, *starters_of(homework, source))
            texts.setdefault(homework.name, ([], []))[kind].append(text)
    return [pair for name, (submitted, others) in texts.items()
            for pair in alike(submitted, [*others, *official(name)])]


def starters_of(homework, source):
    """The published starter, and that of the variant."""
    try:
        return {homework.starter, homework.of(resolved(homework.name, homework.varies, source)[0]).starter}
    except LookupError:
        return {homework.starter}


def parts(first, second, shared):
    """[((first, last), (first, last))]: the lines of both in which the shared fingerprints are, joined where they
    touch in both."""
    found = []
    for a, b in sorted([(first[each], second[each]) for each in shared]):
        if found:
            (a0, a1), (b0, b1) = found[-1]
            if a[0] <= a1 + 1 and b[0] <= b1 + 1 and b[1] >= b0 - 1:
                found[-1] = (a0, max(a1, a[1])), (min(b0, b[0]), max(b1, b[1]))
                continue
        found.append((a, b))
    return found


def shown(pairs):
    """The pairs as text, with their lines."""
    lines = [HEAD if pairs else "No two submissions are alike."]
    for pair in pairs:
        lines += ["", f"{pair.first} and {pair.second}: {100 * pair.share:.0f} percent"]
        lines += [f"    lines {first[0]}-{first[1]} and {second[0]}-{second[1]}" for first, second in pair.parts]
    return "\n".join(lines) + "\n"


HEAD = """\
These are alike when names, numbers, comments, layout and the order of functions are taken away: the number says how
much of the shorter text is in the other. This is a reason to read both, and to ask, and no more than that. Two people
may write the same by themselves, above all where the task is short; they may have worked together, as your course
may allow; and which of two texts came first cannot be seen."""


# ------------------------------------------------------------------------------ what is public


@cache
def recorded():
    return json.loads(OFFICIAL.read_text(encoding="utf-8"))


def official(name):
    """[Text] of the official solution of an assignment; none for an assignment of one's own."""
    found = recorded().get(name)
    return [Text(f"the published solution, tests/homework/solutions/{name}.py",
                 {number: (first, last) for number, first, last in found})] if found else []
