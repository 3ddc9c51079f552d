"""What may happen while an input is read; an audit hook sees what Python does, and the folder shows the rest."""

import os
import signal
import sys
from contextlib import contextmanager

SECONDS = 3                     # of the processor, for one input
MEMORY = 1 << 30                # bytes, besides what the process has before

#: beginnings of the events that no input may cause
FORBIDDEN = ("exec", "compile", "import", "os.", "subprocess.", "socket.", "shutil.", "ctypes.", "pickle.find_class",
             "marshal.", "code.__new__", "tempfile.", "webbrowser.", "sqlite3.enable_load_extension",
             "sqlite3.load_extension", "sys.addaudithook", "urllib.", "pty.")
HARMLESS = ("os.listdir", "os.scandir")
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC


class Harm(Exception):
    """An input did what none may do."""


class Late(BaseException):
    """An input takes too long; no handler of the library is meant for this."""


def late(*_):
    raise Late(f"no end within {SECONDS} s")


class Watch:
    """Notes what is done while an input is read: :meth:`reading` raises :class:`Harm` at the end if it must not be."""

    def __init__(self, folder):
        self.folder = os.path.realpath(folder) + os.sep
        self.package = os.path.dirname(os.path.realpath(sys.modules["minigrad"].__file__)) + os.sep
        self.on, self.allowed, self.seen = False, (), []
        sys.addaudithook(self.hook)

    def hook(self, event, arguments):
        if not self.on:
            return
        if event == "open":
            self.opened(*arguments)
        elif event.startswith(FORBIDDEN) and event not in HARMLESS and not event.startswith(self.allowed or "\0"):
            # its own modules, when they are first needed
            if event != "import" or not arguments[0].startswith("minigrad."):
                self.seen.append(f"{event} {arguments!r:.200}")

    def opened(self, path, mode, flags):
        if isinstance(path, int):
            return
        real = os.path.realpath(os.fsdecode(path))
        writes = flags & WRITING
        if real.startswith(self.folder) and (not writes or "write" in self.allowed):
            return
        if writes or not real.startswith(self.package):
            self.seen.append(f"open {real!r:.200} {mode!r}")

    @contextmanager
    def reading(self, allowed=()):
        before = sorted(os.listdir(self.folder))
        self.seen, self.allowed = [], tuple(allowed)
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        self.on = True
        try:
            yield
        finally:
            self.on = False
            signal.setitimer(signal.ITIMER_PROF, 0)
            if self.seen:
                raise Harm("; ".join(self.seen))
            if "write" not in self.allowed and sorted(os.listdir(self.folder)) != before:
                raise Harm(f"files appeared or went: {before} became {sorted(os.listdir(self.folder))}")


def bound_memory():
    """Let what asks for much more memory than it has now fail."""
    import resource
    with open("/proc/self/statm", encoding="ascii") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, resource.RLIM_INFINITY))
