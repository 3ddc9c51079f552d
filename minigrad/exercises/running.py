"""Runs checks: of a file in processes of their own, each within its time; of a notebook's variables, right here."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from minigrad.exercises.child import CHECK, executed, lent

__all__ = ["Verdict", "checked", "checked_here"]

ROOT = Path(__file__).resolve().parents[2]
CHILD = "from minigrad.exercises import child; child.main()"
SECONDS = 60
#: of what an answer prints, the end
SHOWN = 2000


@dataclass
class Verdict:
    """What a check says of an exercise; ``what`` is "right", "wrong", "error", "missing", "hang" or "ended"."""

    number: int
    title: str
    what: str
    reason: str = ""
    printed: str = ""
    points: int = 0

    @property
    def right(self):
        return self.what == "right"


def verdict(number, exercise, found, printed=""):
    """The verdict, in words, by what the process has told."""
    def said(what, reason=""):
        return Verdict(number, exercise.title, what, reason, printed, exercise.points)
    if found is None or found["kind"] is None:
        return said("right")
    where = f"line {found['line']}: " if found["line"] else ""
    if found["asserted"]:
        return said("wrong", found["said"])
    if found["kind"] == "NotImplementedError":
        return said("missing", f"{where}not written yet")
    what = f"{found['kind']}: {found['said']}" if found["said"] else found["kind"]
    if not where:
        return said("error", f"the check cannot use this answer: {what}")
    return said("error", where + what)


def missing(number, exercise, reason="not written yet: it is the starter"):
    return Verdict(number, exercise.title, "missing", reason, points=exercise.points)


def checked(work, number, seconds=SECONDS):
    """Check one exercise of a student's file."""
    exercise, answers = work.page.exercise(number), work.answers
    if number not in answers:
        return missing(number, exercise, f'there is no cell "# %% {number}. {exercise.title}" in the file')
    if exercise.is_untouched(answers[number].source):
        return missing(number, exercise)
    before = [answers[each] for each in range(1, number) if each in answers and exercise.stage]
    question = {"answers": [vars(each) for each in [*before, answers[number]]], "check": exercise.check,
                "imports": exercise.imports}
    with tempfile.TemporaryDirectory(prefix="exercise-", ignore_cleanup_errors=True) as folder:
        result = Path(folder, "result.json")
        path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
        environment = {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8:replace", "MPLBACKEND": "Agg"}
        # The files are not in the working directory, so that an answer that writes some leaves none behind.
        process = subprocess.Popen([sys.executable, "-c", CHILD, str(result)], cwd=folder, env=environment,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   start_new_session=True)
        try:
            printed, _ = process.communicate(json.dumps(question).encode(), timeout=seconds)
        except subprocess.TimeoutExpired:
            end(process)
            return Verdict(number, exercise.title, "hang", f"no end within {seconds:g} seconds: a loop that does not "
                           "end, or far too much work", points=exercise.points)
        except BaseException:
            end(process)
            raise
        printed = printed.decode("utf-8", "replace")[-SHOWN:]
        if not result.exists():
            return Verdict(number, exercise.title, "ended", f"its process ended with status {process.returncode}, "
                           "before the check did", printed, exercise.points)
        return verdict(number, exercise, json.loads(result.read_text(encoding="utf-8")), printed)


def end(process):
    """End the process, and what it has started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (OSError, AttributeError):           # on Windows, which has no groups of processes
        process.kill()
    process.communicate()


def checked_here(page, number, names):
    """Check one exercise by the variables of a notebook, which the check does not change."""
    exercise = page.exercise(number)
    return verdict(number, exercise, outcome_here(exercise, dict(names)))


def outcome_here(exercise, names):
    try:
        lent(exercise.imports, names)
        executed(exercise.check, 1, CHECK, names)
    except AssertionError as failure:
        return {"kind": "AssertionError", "said": str(failure), "line": None, "asserted": True}
    except Exception as failure:
        return {"kind": type(failure).__name__, "said": str(failure), "line": None, "asserted": False}
    return {"kind": None}
