"""A submission beside the judge, where there are no processes: in a page, Python runs in WebAssembly.

The questions and answers are those of `Process`, and travel as the same bytes, so that reasons and points are the same.
What a process adds is missing: nothing watches which files the submission opens, and nothing ends it after its time;
in a page, Stop does.
"""

import linecache
import sys

import minigrad
from minigrad._core.runtime.thread_state import set_grad_enabled
from minigrad.homework import child, fence
from minigrad.homework.process import Failed, Stopped, without_copies
from minigrad.homework.wire import decoded, dictionary, encoded, written

__all__ = ["Inside"]


class Foul(BaseException):
    """The submission calls what is forbidden; no ``except Exception`` of its own hides it."""


class Inside:
    """What `Process` is, in this interpreter; ``seconds`` and ``megabytes`` bound nothing here."""

    printed = 0

    def __init__(self, source, *, forbidden=(), seconds=10, megabytes=2048, numpy_only=False):
        linecache.cache[child.FILE] = len(source), None, source.splitlines(True), child.FILE
        self.submission, run, self.meter, self.data, _ = child.made(minigrad, numpy_only)
        self.names = child.tools(minigrad, self.meter)
        self.before = sys.modules.get("submission")
        sys.modules["submission"] = self.submission
        self.asking = False
        self.undo = fence.forbid(forbidden, self._foul, minigrad)
        try:
            self._answer(lambda: [("answer", run(source))])
        except BaseException:
            self.close()
            raise

    def ask(self, probe, name, arguments, watched=()):
        """As `Process.ask`."""
        if "apart(" in probe:
            raise without_copies()
        question = {"probe": probe, "name": name, "arguments": decoded(encoded(arguments)), "watched": list(watched)}
        found = self._answer(lambda: child.answered(self.submission, question, self.names, self.meter, self.data))
        return found["answer"], found["seen"], found["work"]

    def _foul(self, what):
        if self.asking:                     # otherwise the judge itself computes
            raise Foul(what)

    def _answer(self, work):
        recording = set_grad_enabled(True)  # the judge may ask while it records nothing itself
        self.asking = True
        try:
            return decoded(written(dictionary(work())).encode())
        except KeyboardInterrupt:           # the reader's Stop
            raise
        except Foul as caught:
            raise Stopped("foul", f"it {caught}") from None
        except BaseException as failure:
            self.meter.watch(None)
            raise Failed(child.told(failure, self.submission)) from None
        finally:
            self.asking = False
            set_grad_enabled(recording)

    def close(self):
        """Give minigrad its forbidden functions back, and NumPy its own."""
        self.undo()
        self.meter.close()
        if self.before is None:
            sys.modules.pop("submission", None)
        else:
            sys.modules["submission"] = self.before
