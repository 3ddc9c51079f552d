"""What a student has done, in a file of the student's: exercises that were right, and hints that were read.

The file is ``$MINIGRAD_PROGRESS``, or else ``minigrad/exercises.json`` where the system keeps the state of programs:
``$XDG_STATE_HOME`` (``~/.local/state``), on Windows ``%LOCALAPPDATA%``.  It names exercises by their titles, so that
one that comes between them moves no tick.
"""

import json
import os
import sys
import time
from pathlib import Path

__all__ = ["Progress", "file_of_progress"]


def file_of_progress():
    """Where the progress is kept.

    >>> file_of_progress().suffix
    '.json'
    """
    if named := os.environ.get("MINIGRAD_PROGRESS"):
        return Path(named).expanduser()
    folder = os.environ.get("LOCALAPPDATA") if sys.platform == "win32" else os.environ.get("XDG_STATE_HOME")
    return Path(folder or Path.home() / ".local" / "state") / "minigrad" / "exercises.json"


class Progress:
    """The content of the file: ``right`` and ``hints``, {page: {title: the day, or how many}}.

    Raises ValueError if there is something else in the file, which is then left as it is.
    """

    def __init__(self):
        self.file = file_of_progress()
        try:
            text = self.file.read_text(encoding="utf-8")
        except FileNotFoundError:
            text = '{"right": {}, "hints": {}}'
        try:
            kept = json.loads(text)
            self.right, self.hints = kept["right"], kept["hints"]
            if not all(isinstance(of_page, dict) for each in (self.right, self.hints) for of_page in each.values()):
                raise TypeError
        except (ValueError, KeyError, TypeError, AttributeError):
            raise ValueError(f"{self.file} is not a file of progress that minigrad can read: move it away, or name "
                             "another one in MINIGRAD_PROGRESS") from None

    def is_right(self, page, title):
        return title in self.right.get(page.name, ())

    def count(self, page):
        return sum([self.is_right(page, each.title) for each in page.exercises])

    def mark(self, page, title, right):
        """Note that an exercise is right; one that was right before stays so."""
        if right:
            self.right.setdefault(page.name, {}).setdefault(title, time.strftime("%Y-%m-%d"))

    def next_hint(self, page, exercise):
        """The number of the next hint, counted from 1, and note that it was read; after the last, the last again."""
        read = self.hints.setdefault(page.name, {})
        read[exercise.title] = min(read.get(exercise.title, 0) + 1, len(exercise.hints))
        return read[exercise.title]

    def first_open(self, page):
        """The number of the first exercise that is not right yet; None if all are."""
        return next((number for number, each in enumerate(page.exercises, 1)
                     if not self.is_right(page, each.title)), None)

    def save(self):
        """Write the file, whole or not at all."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"right": self.right, "hints": self.hints}, indent=1, ensure_ascii=False)
        new = self.file.with_name(f"{self.file.name}.{os.getpid()}")
        new.write_text(text + "\n", encoding="utf-8")
        new.replace(self.file)
