"""A submission's process, as the judge sees it: a question goes in, and an answer, a failure or silence comes out.

The process is start.py, and then child.py.  Whatever it does, `Process.ask` returns within its time: the answer, or it
raises `Failed` (the submission raised an exception; the process is still there) or `Stopped` (the process is gone).
"""

import os
import queue
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from minigrad.homework.wire import NONCE, Garbled, decoded, read_frame, write_frame

__all__ = ["Failed", "Process", "Stopped"]

START = Path(__file__).with_name("start.py")
ROOT = START.parent.parent.parent
#: what Python and NumPy need of the environment; nothing else is handed on
KEPT = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "WINDIR",
        "PYTHONPYCACHEPREFIX")
BEGINNING = 60                  # seconds in which an interpreter starts, however busy the machine


class Failed(Exception):
    """The submission raised an exception: ``kind``, ``message``, ``line``, and the name that is missing, if one is."""

    def __init__(self, raised):
        super().__init__(raised["kind"])
        self.kind, self.message = raised["kind"], raised["message"]
        self.line, self.missing = raised["line"], raised["missing"]

    @property
    def unwritten(self):
        return bool(self.missing) or self.kind == "NotImplementedError"

    @property
    def reason(self):
        if self.missing:
            return f"`{self.missing}` is not defined"
        where = f"line {self.line}: " if self.line else ""
        if self.kind == "NotImplementedError":
            return f"{where}not written yet"
        if self.kind == "RecursionError":
            return (f"{where}RecursionError: calls within calls go deeper than Python's stack, about a thousand; a "
                    "loop has no such limit")
        if self.kind == "MemoryError":
            return f"{where}it ran out of the memory that it is given"
        return f"{where}{self.kind}" + (f": {self.message}" if self.message else "")


class Stopped(Exception):
    """The process is gone; ``verdict`` is "foul", "hang", "exit" or "crash"."""

    def __init__(self, verdict, reason):
        super().__init__(reason)
        self.verdict, self.reason = verdict, reason


def without_copies():
    """What an item gets that runs the submission in copies of its process, where the system makes none."""
    return Stopped("crash", "this item runs your file in copies of its process, which this system does not make: "
                            "check it on your computer, with Linux, macOS or the Linux that is part of Windows")


class Process:
    """A running submission."""

    def __init__(self, source, *, forbidden=(), seconds=10, megabytes=2048, numpy_only=False):
        allowed = [] if numpy_only or "minigrad" in forbidden else ["minigrad"]
        self.seconds, self.printed = seconds, 0
        self.folder = tempfile.mkdtemp(prefix="homework-")
        path = [str(ROOT), *[each for each in sys.path if each.rstrip(os.sep).endswith(("site-packages",
                                                                                      "dist-packages"))]]
        environment = {name: os.environ[name] for name in KEPT if name in os.environ} | {
            "PYTHONPATH": os.pathsep.join(path), "PYTHONSAFEPATH": "1", "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONIOENCODING": "utf-8:replace", "HOME": self.folder, "TMPDIR": self.folder,
            "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
        self.process = subprocess.Popen(
            [sys.executable, str(START), *allowed], cwd=self.folder, env=environment, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        self.answers = queue.Queue()
        self.threads = [threading.Thread(target=each, daemon=True) for each in (self._listen, self._drain)]
        for thread in self.threads:
            thread.start()
        try:
            self._ask({"source": source, "forbidden": list(forbidden), "numpy_only": numpy_only,
                       "seconds": int(20 * seconds) + 20, "megabytes": megabytes}, seconds + BEGINNING)
        except BaseException:
            self.close()
            raise

    def ask(self, probe, name, arguments, watched=()):
        """(what a probe returns, what was seen of finite differences, [how much was computed, bytes of objects]).

        ``watched`` are the numbers of the arguments that are watched. Raises `Failed` or `Stopped`.
        """
        return self._ask({"probe": probe, "name": name, "arguments": arguments, "watched": list(watched)},
                         self.seconds)

    def _ask(self, question, seconds):
        if "apart(" in question.get("probe", "") and not hasattr(os, "fork"):
            raise without_copies()
        nonce = secrets.token_bytes(NONCE)
        try:
            write_frame(self.process.stdin, nonce, question)
        except OSError:
            raise self._ended() from None
        try:
            frame = self.answers.get(timeout=seconds)
        except queue.Empty:
            raise Stopped("hang", f"no answer within {seconds:g} seconds: a loop that does not end, or far too much "
                                  "work") from None
        if isinstance(frame, Garbled) or frame is not None and frame[0] != nonce:
            raise Stopped("foul", "it writes on the channel of the judge")
        if frame is None:
            raise self._ended()
        return self._answer(frame[1])

    @staticmethod
    def _answer(data):
        """(what the probe returned, what was seen, the work) in the bytes of an answer."""
        try:
            answer = decoded(data)
            if "foul" in answer:
                raise Stopped("foul", f"it {answer['foul']}")
            if "raised" in answer:
                raise Failed(answer["raised"])
            return answer["answer"], list(answer["seen"]), list(answer["work"])
        except (Garbled, KeyError, TypeError):
            raise Stopped("foul", "it writes on the channel of the judge") from None

    def _ended(self):
        """Why the process is gone."""
        try:
            status = self.process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            return Stopped("foul", "it closed the channel of the judge")
        if status >= 0:
            return Stopped("exit", f"it ended its process, with status {status} (os._exit?)")
        try:
            name = signal.Signals(-status).name
        except ValueError:
            name = f"signal {-status}"
        why = {"SIGXCPU": " (too much processor time)", "SIGXFSZ": " (a file that is too large)",
               "SIGKILL": " (killed, mostly for its memory)", "SIGSEGV": " (a crash)"}.get(name, "")
        return Stopped("crash", f"its process was ended by {name}{why}")

    def _listen(self):
        with self.process.stdout as file:
            try:
                while (frame := read_frame(file)) is not None:
                    self.answers.put(frame)
                self.answers.put(None)
            except Garbled as failure:
                self.answers.put(failure)

    def _drain(self):
        """Read what the submission prints, so that it does not wait, and keep none of it."""
        with self.process.stderr as file:
            while chunk := file.read1(1 << 16):
                self.printed += len(chunk)

    def close(self):
        """End the process and everything it started, and remove its folder."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except (OSError, AttributeError):
            self.process.kill()
        self.process.wait()
        for thread in self.threads:         # each closes its file, at the latest when the last copy of the process ends
            thread.join(timeout=2)
        try:
            self.process.stdin.close()
        except OSError:                     # of a question that was never read
            pass
        shutil.rmtree(self.folder, ignore_errors=True)

