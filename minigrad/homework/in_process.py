"""A submission beside the judge, where there are no processes: in a page, Python runs in WebAssembly.

The questions and answers are those of `Process`, and travel as the same bytes, so that reasons and points are the same.
What a process adds is missing: nothing watches which files the submission opens, and nothing ends it after its time;
in a page, Stop does.
"""

import linecache
import sys

import minigrad
from minigrad.homework import child
from minigrad.homework.finite_differences import ENTRY, compiled
from minigrad.homework.process import Failed, Stopped, without_copies
from minigrad.homework.wire import decoded, encoded

__all__ = ["Inside"]


class Foul(BaseException):
    """The submission calls what is forbidden; no ``except Exception`` of its own hides it."""


def foul(what):
    raise Foul(what)


class Inside:
    """What `Process` is, in this interpreter; ``seconds`` and ``megabytes`` bound nothing here."""

    printed = 0

    def __init__(self, source, *, forbidden=(), seconds=10, megabytes=2048):
        linecache.cache[child.FILE] = len(source), None, source.splitlines(True), child.FILE
        self.submission = child.Submission("submission")
        self.before = sys.modules.get("submission")
        sys.modules["submission"] = self.submission
        setattr(self.submission, ENTRY, child.steps.noticed)
        self.replaced = child.forbid(forbidden, foul)
        try:
            self._answer(lambda: exec(compiled(source, child.FILE), vars(self.submission)))
        except BaseException:
            self.close()
            raise

    def ask(self, probe, name, arguments, watched=()):
        """As `Process.ask`."""
        if "apart(" in probe:
            raise without_copies()
        question = {"probe": probe, "name": name, "arguments": decoded(encoded(arguments)), "watched": list(watched)}
        return self._answer(lambda: child.answered(self.submission, question)), child.steps.count

    def _answer(self, work):
        try:
            with minigrad.enable_grad():    # the judge may ask while it records nothing itself
                return decoded(encoded(work()))
        except KeyboardInterrupt:           # the reader's Stop
            raise
        except Foul as caught:
            raise Stopped("foul", f"it {caught}") from None
        except BaseException as failure:
            raise Failed(child.told(failure)) from None

    def close(self):
        """Give minigrad its forbidden functions back."""
        child.exchange(self.replaced)
        self.replaced = []
        if self.before is None:
            sys.modules.pop("submission", None)
        else:
            sys.modules["submission"] = self.before
