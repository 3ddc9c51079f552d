"""One program from its bytes to what is wrong with it, and the shortest program with which something still is."""

import dataclasses

from .judging import ALTERED, LATE, compare, judge
from .running import run

__all__ = ["Examination", "examine", "shortest"]


@dataclasses.dataclass
class Examination:
    program: object
    wrong: str                 # what is wrong with minigrad, or ""
    features: list
    called: list = dataclasses.field(default_factory=list)      # names of functions that it calls

    def __str__(self):
        return f"{self.program}\n{self.wrong}"


def examine(program, minigrad, torch=None):
    """Run the program, and let finite differences judge it; and PyTorch, if it is given."""
    mine = run(program, minigrad)
    verdict = judge(program, mine)
    features = [feature for feature, n in verdict.features.items()
                if n] + [f"refused: {reason}" for reason in {f.reason for f in mine.failures if f}]
    features += ["CopySlices in a graph that is differentiated"] * mine.copy_slices
    features += ["a version error"] * any([f is not None and f.reason == "modified" for f in mine.failures])
    features += ["a gradient that was checked"] * (verdict.gradients > 0) + [
        f"not checked: {verdict.undecided}"] * bool(verdict.undecided)
    examination = Examination(program, verdict.wrong, features)
    if torch is not None and not verdict.wrong:
        weigh(examination, verdict, mine, run(program, torch))
        aliases = {place for place, i in enumerate(program.instructions) if ".data" in i.text}
        # without those, differences can say who is right
        if examination.wrong and verdict.undecided and aliases:
            return examine(program.without(aliases), minigrad, torch)
    return examination


def weigh(examination, verdict, mine, torchs):
    """Where the two differ although finite differences agree with minigrad: are they against PyTorch?"""
    comparison = compare(examination.program, mine, torchs)
    if comparison.only_torch_refused:
        examination.features.append("only PyTorch refused: " + comparison.only_torch_refused)
    if not comparison.wrong:
        return
    if not verdict.undecided and judge(examination.program, torchs).wrong:
        examination.features.append("PyTorch was wrong")
    elif verdict.late_leaves and comparison.of_history:
        examination.features.append("PyTorch forgot a view of a base that later required grad")
    elif verdict.undecided and comparison.of_history and any(
            [LATE.search(i.text) for i in examination.program.instructions]):
        examination.features.append("PyTorch forgot a view of a base that later required grad")
    elif verdict.undecided and comparison.of_history and any(
            [ALTERED.match(i.text) for i in examination.program.instructions]):
        examination.features.append("PyTorch forgot that no_grad laid a result out otherwise")
    else:
        examination.wrong = comparison.wrong


def shortest(program, fails):
    """The program without all that can be left out while it still ``fails``."""
    size = max(1, len(program) // 2)
    while size:
        place = len(program)
        while place > 0:
            place = min(place, len(program)) - size
            shorter = program.without(set(range(max(place, 0), place + size)))
            if len(shorter) < len(program) and fails(shorter):
                program = shorter
        size //= 2
    return program
