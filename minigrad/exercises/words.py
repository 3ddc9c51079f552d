"""What the commands do, as functions: each returns something that prints itself.

A problem that is the student's to solve is a LookupError, ValueError or OSError with a sentence.
"""

import sys
import textwrap
from pathlib import Path

from minigrad.exercises import pages
from minigrad.exercises.progress import Progress
from minigrad.exercises.running import SECONDS, checked, checked_here
from minigrad.exercises.work import plain, started, started_notebook, work_in

__all__ = ["Report", "Text", "check", "hint", "overview", "start", "status"]

WIDTH = 100


class Text(str):
    """A text that a notebook shows as it is, without quotes."""

    __slots__ = ()

    def __repr__(self):
        return str(self)


def tick(done):
    """A mark for what is done, if the terminal can show it."""
    try:
        "✓·".encode(sys.stdout.encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return "x" if done else "."
    return "✓" if done else "·"


def start(page, folder="."):
    """Write the file in which the exercises of a page are done; returns its path.

    ``folder`` may also name the file: a Python script, or a notebook if it ends in ``.ipynb``.

    Raises FileExistsError if it is there: work is never overwritten.
    """
    page, path = pages.find(page), Path(folder)
    if path.suffix not in (".py", ".ipynb"):
        path.mkdir(parents=True, exist_ok=True)
        path = path / f"{page.name}.py"
    with open(path, "x", encoding="utf-8") as file:
        file.write(started_notebook(page) if path.suffix == ".ipynb" else started(page, path.name))
    return path


class Report:
    """The verdicts on the exercises of a page; true if all are right."""

    def __init__(self, page, of, verdicts, unkept=""):
        self.page, self.of, self.verdicts, self.unkept = page, of, verdicts, unkept

    def __bool__(self):
        return all([each.right for each in self.verdicts])

    def require(self):
        """Raise AssertionError with the reasons if an exercise is not right: a test in one line."""
        if not self:
            raise AssertionError(str(self))

    def __repr__(self):
        lines = [f"{self.of}: {self.page.title}"]
        for each in self.verdicts:
            lines += self._lines_of(each)
        right = [each for each in self.verdicts if each.right]
        lines.append("")
        total = sum([each.points for each in self.verdicts])
        points = f", {sum([each.points for each in right])} of {total} points" if total else ""
        lines.append(f"{len(right)} of {len(self.verdicts)} right{points}.")
        if not self:
            wrong = next(each for each in self.verdicts if not each.right)
            lines[-1] += f" A hint: python -m minigrad exercise hint {self.page.name} {wrong.number}"
        if self.unkept:
            lines.append(self.unkept)
        return "\n".join(lines)

    def _lines_of(self, each):
        said = {"right": "right", "wrong": "not yet: ", "missing": ""}.get(each.what, "")
        points = f" [{each.points if each.right else 0}/{each.points}]" if each.points else ""
        lines = [f"  {tick(each.right)} {each.number}. {each.title}{points}"]
        if not each.right:
            for line in (said + each.reason).splitlines():
                lines += textwrap.wrap(line, WIDTH, initial_indent=" " * 7, subsequent_indent=" " * 7,
                                       break_on_hyphens=False, break_long_words=False)
        if each.printed.strip():
            lines += ["       it printed:", *[f"         {line}" for line in each.printed.rstrip().splitlines()]]
        return lines


def check(work, number=None, names=None, seconds=SECONDS):
    """Check the exercises of a page, or the one of this number, and keep what is right.

    Parameters
    ----------
    work : str or Path
        A file, a Python script or a notebook; or the name of a page, whose file is in the working directory.
    number : int, optional
        The exercise; by default all of them.
    names : dict, optional
        Variables to check in place of those of a file: in a notebook, ``globals()``. The check then runs in this
        process, without a limit of time.
    seconds : float
        How long one exercise may take.

    Returns
    -------
    A report: true if every exercise that was checked is right. It prints itself; ``report.require()`` is a test.
    """
    if names is not None:
        page, of = pages.find(str(work)), "in this notebook"
        numbers = [number] if number else range(1, len(page.exercises) + 1)
        verdicts = [checked_here(page, each, names) for each in numbers]
    else:
        of = file_named(work)
        found = work_in(of)
        page = found.page
        numbers = [number] if number else range(1, len(page.exercises) + 1)
        verdicts = [checked(found, each, seconds) for each in numbers]
    try:
        progress = Progress()
        for each in verdicts:
            progress.mark(page, each.title, each.right)
        progress.save()
        unkept = ""
    except (OSError, ValueError) as failure:
        unkept = f"The progress was not kept: {failure}"
    return Report(page, of, verdicts, unkept)


def file_named(work):
    """The path of a file, or of that of a page in the working directory."""
    path = Path(work)
    if path.suffix in (".py", ".ipynb"):
        if not path.is_file():
            hint = ""
            if path.suffix == ".py" and path.stem in pages.names():
                hint = f"; to begin: python -m minigrad exercise start {path.stem}"
            raise FileNotFoundError(f"there is no file {str(work)!r}{hint}")
        return path
    name = pages.find(str(work)).name
    there = [path for path in (Path(f"{name}.py"), Path(f"{name}.ipynb")) if path.is_file()]
    if len(there) == 2:
        raise LookupError(f"both {name}.py and {name}.ipynb are here: say which one to check")
    if not there:
        raise FileNotFoundError(f"there is no file {name}.py here; to begin: python -m minigrad exercise start {name}")
    return there[0]


def hint(page, number=None):
    """The next hint of an exercise, by default of the first of the page that is not right yet."""
    page, progress = pages.find(page), Progress()
    if number is None and (number := progress.first_open(page)) is None:
        return Text(f"All exercises of {page.name} are right. To see a hint nevertheless, say of which exercise: "
                    f"hint {page.name} 1")
    exercise = page.exercise(number)
    which = progress.next_hint(page, exercise)
    progress.save()
    left = len(exercise.hints) - which
    more = ("That is the last hint; the site shows the solution below the exercise." if not left and not exercise.stage
            else "That is the last hint." if not left else "One more with the same command." if left == 1
            else f"{left} more with the same command.")
    return Text(f"{page.name} {number}. {exercise.title}: hint {which} of {len(exercise.hints)}\n\n"
                f"{plain(exercise.hints[which - 1])}\n\n{more}")


def overview():
    """All pages, by part, with a tick for each exercise that was right."""
    progress, lines = Progress(), []
    width = max([len(name) for name in pages.names()])
    for number, (part, names) in enumerate(pages.parts().items()):
        letter = "   " if part == pages.BEYOND else f"{'ABCDEFGHIJ'[number]}  "
        lines += ["", f"{letter}{part}"]
        for name in names:
            page = pages.find(name)
            ticks = "".join([tick(progress.is_right(page, each.title)) for each in page.exercises])
            lines.append(f"   {ticks:<8} {name:<{width}}  {page.title}")
    return Text("\n".join(lines[1:] + ["", "Begin with: python -m minigrad exercise start PAGE"]))


def status():
    """How far one is: the exercises that were right, by part and by page begun, what comes next, and where it is kept.
    """
    progress, lines, done, of, following = Progress(), [], 0, 0, None
    for part, names in pages.parts().items():
        found = [pages.find(name) for name in names]
        right, total = sum(map(progress.count, found)), sum([len(page.exercises) for page in found])
        done, of = done + right, of + total
        lines.append(f"  {right:>3} of {total:>3}   {part}")
        for page in found:
            if 0 < progress.count(page) < len(page.exercises):
                begun = [f"{tick(progress.is_right(page, each.title))} {each.title}" for each in page.exercises]
                lines.append(f"                 {page.name}: {', '.join(begun)}")
            if following is None and (number := progress.first_open(page)):
                following = f"Next: {page.name} {number}. {page.exercises[number - 1].title}"
    return Text("\n".join([f"{done} of {of} exercises are right", *lines, following or "Nothing is left.",
                           f"Kept in {progress.file}"]))
