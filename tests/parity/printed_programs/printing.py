"""Run a program and keep what it prints; compare two such texts, the numbers in them to a tolerance."""

import contextlib
import io
import math
import random
import re
import warnings
from pathlib import Path

PROGRAMS = sorted(Path(__file__).parent.glob("*/**/*.py"))
NUMBER = re.compile(r"(?<![\w.])([-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?|[-+]?(?:nan|inf))(?![\w])")
CODE = re.compile(r" ?\[MG\d+\]")           # the code at the end of our messages


def output_of(path):
    """What the program at ``path`` prints, with the ``torch`` that is importable at the moment."""
    text = io.StringIO()
    random.seed(0)
    with contextlib.redirect_stdout(text), warnings.catch_warnings(record=True):
        warnings.simplefilter("ignore")
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), {"__name__": "__main__"})
    return text.getvalue()


def tolerance(path):
    """The relative tolerance that a line `# to 1e-3` of a program asks for."""
    said = re.search(r"^# to (\S+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return float(said[1]) if said else 1e-4


def difference(ours, theirs, relative):
    """The first lines that differ, or None: words must be equal, and numbers near each other."""
    ours, theirs = CODE.sub("", ours).splitlines(), theirs.splitlines()
    for mine, other in zip(ours, theirs):
        if not same(mine, other, relative):
            return f"{mine}\nwhere PyTorch printed\n{other}"
    return None if len(ours) == len(theirs) else f"{len(ours)} lines, where PyTorch printed {len(theirs)}"


def same(mine, other, relative):
    if mine.split() == other.split():
        return True
    words = [" ".join(NUMBER.sub("#", line).split()) for line in (mine, other)]
    numbers = [[float(each) for each in NUMBER.findall(line)] for line in (mine, other)]
    return words[0] == words[1] and all(
        a == b or math.isclose(a, b, rel_tol=relative, abs_tol=relative) or math.isnan(a) and math.isnan(b)
        for a, b in zip(*numbers))
