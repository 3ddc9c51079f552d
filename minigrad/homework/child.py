"""The process in which a submission runs: it answers the judge's questions, and may do nothing else.

It is started by judge.py, in an empty folder, and never sees the assignment.  The judge sends the submission, and then
one *probe* after the other: a small function, as source, that calls the submission and returns data.  What the data
should be is known to the judge alone, in the other process.

    judge   ->  {"probe": source, "arguments": [...]}
    child   ->  {"answer": ...}  or  {"raised": ...}  or  {"foul": ...}

The channel lies where standard input and output were; what the submission prints goes elsewhere.  An audit hook, which
Python has no way to remove, ends the process at the first attempt to open a file of the judge, to use the
network, or to start a process: a *foul*.
"""

import linecache
import os
import re
import socket
import sys
import sysconfig
import traceback
import tracemalloc
import types

import numpy as np

import minigrad
from minigrad._lazy_modules import loaded_part
from minigrad.homework.finite_differences import ENTRY, Steps, compiled
from minigrad.homework.wire import NONCE, decoded, read_frame, write_frame
from minigrad.ops.exports import ROWS

FILE = "submission.py"
HERE = os.path.dirname(os.path.realpath(__file__))
READABLE = tuple(os.path.realpath(folder) + os.sep for folder in (
    sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), os.path.dirname(os.path.dirname(np.__file__)),
    os.path.dirname(minigrad.__file__), *([sys.pycache_prefix] if sys.pycache_prefix else [])))
DEVICES = (os.path.realpath(os.devnull), "/dev/urandom", "/dev/random")
#: what may happen below these names of audit events
HARMLESS = ("os.listdir", "os.scandir", "os.walk", "os.fwalk", "os.putenv", "os.unsetenv")
REFUSED = {
    "socket.": "uses the network", "subprocess.": "starts a process", "os.": "reaches outside its process",
    "shutil.": "changes files", "ctypes.": "calls machine code", "gc.get_": "searches the memory of the process",
    "pty.": "starts a process", "sys.setprofile": "watches the process", "sys.settrace": "watches the process",
    "signal.pthread_kill": "reaches outside its process", "sqlite3.": "opens a database",
}
#: modules in C that open files without an audit event
UNSEEN = ("_dbm", "_gdbm")
#: by which an exception leads to the frames of the judge
INSPECTING = ("tb_frame", "gi_frame", "cr_frame", "ag_frame", "f_back", "f_globals", "f_locals", "f_builtins")


# ------------------------------------------------------------------------------ what a probe can use


class Calls:
    """A function that counts how often it is called, and at how many different points.

    ``Calls(f).count`` counts calls, and ``.points`` the different first arguments.
    """

    def __init__(self, function):
        self.function, self.count, self.seen = function, 0, set()

    def __call__(self, *arguments, **keywords):
        self.count += 1
        first = arguments[0] if arguments else None
        value = first.detach().numpy() if isinstance(first, minigrad.Tensor) else first
        self.seen.add(np.asarray(value).tobytes() if isinstance(value, (np.ndarray, float, int)) else id(first))
        return self.function(*arguments, **keywords)

    @property
    def points(self):
        return len(self.seen)


#: of the question that is being answered
steps = Steps()


def call(submission, name, *arguments):
    """The probe of ``judge.call``."""
    return getattr(submission, name)(*arguments)


def peak(function):
    """(what the function returns, the most bytes that it held at one time)."""
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        result = function()
        return result, tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


def plant(row, of, formula):
    """Replace a formula in the table of derivatives: ``plant("exp", "self", "lambda d, result: 2 * d * result")``.

    The formula has the parameters of the right one, and uses the names of its module.  It must be planted before the
    row is differentiated for the first time.
    """
    found, = [each for each in ROWS[row].formulas if each.of == of]
    found.text.__code__ = eval(formula).__code__


def apart(function, *arguments):
    """What the function returns in a copy of this process, of which nothing remains; None if the copy ends."""
    reading, writing = os.pipe()
    forking.append(True)
    copy = os.fork()
    forking.clear()
    if copy == 0:
        try:
            with os.fdopen(writing, "wb") as file:
                write_frame(file, bytes(NONCE), function(*arguments))
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        frame = read_frame(file)
    os.waitpid(copy, 0)
    return decoded(frame[1]) if frame else None


#: not empty while `apart` starts a copy, which nothing else may
forking = []


class Missing(AttributeError):
    """The submission does not define what a probe asks for."""


class Submission(types.ModuleType):
    def __getattr__(self, name):
        raise Missing(name)


# ------------------------------------------------------------------------------ fouls


class Channel:
    """The way to the judge, and the nonce of the question that is being answered."""

    def __init__(self):
        self.questions = os.fdopen(os.dup(0), "rb")
        self.answers = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        self.nonce = bytes(NONCE)

    def next(self):
        frame = read_frame(self.questions)
        if frame is None:
            os._exit(0)
        self.nonce, data = frame
        return decoded(data)

    def answer(self, value):
        write_frame(self.answers, self.nonce, value)


def guard(channel):
    """End the process at the first foul, from now on."""
    here = os.path.realpath(os.getcwd()) + os.sep
    caught = []

    def foul(what):
        if not caught:
            caught.append(what)
            channel.answer({"foul": what})
        os._exit(1)

    def may_open(path, mode):
        if not isinstance(path, (str, bytes, os.PathLike)):
            return True
        real = os.path.realpath(os.fsdecode(path))
        if real.startswith(here) or real in DEVICES:
            return True
        return not re.search("[wax+]", mode or "r") and real.startswith(READABLE) and not real.startswith(HERE + os.sep)

    def hook(event, arguments):
        if event == "open":
            path, mode, _ = arguments
            if not may_open(path, mode):
                real = os.path.realpath(os.fsdecode(path))
                foul("opens a file of the judge" if real.startswith(HERE) else "opens a file outside its own folder")
        elif event == "import":
            if arguments[0].startswith("minigrad.homework"):
                foul("imports the judge")
            if arguments[0] in UNSEEN:
                foul("opens a database")
        elif event == "sys._getframe":
            if not asking and arguments and arguments[0].f_code.co_filename == FILE:
                foul("inspects the frames of the process")
        elif event == "object.__getattr__":
            if arguments[1] in INSPECTING and called_from() == FILE:
                foul("inspects the frames of the process")
        elif event == "os.fork" and forking:
            return
        elif event not in HARMLESS:
            for prefix, what in REFUSED.items():
                if event.startswith(prefix):
                    foul(what)

    sys.addaudithook(hook)
    return foul


#: not empty while the judge itself asks for a frame
asking = []


def called_from():
    """The file that called the caller."""
    asking.append(True)
    try:
        return sys._getframe(2).f_code.co_filename
    finally:
        asking.clear()


def forbid(names, foul):
    """Let functions such as ``autograd.grad`` end the process if the submission calls them, whatever it calls them.

    Returns the pairs (what replaces it, function), for `exchange`.
    """
    def refusing(name, function):
        def refused(*arguments, **keywords):
            if called_from() == FILE:
                foul(f"calls {name}, which this assignment forbids")
            return function(*arguments, **keywords)
        return refused

    pairs = []
    for name in names:
        function = minigrad
        for part in name.split("."):
            function = getattr(function, part, None)
        if callable(function):
            pairs.append((function, refusing(name, function)))
    exchange(pairs)
    return [(after, before) for before, after in pairs]


def exchange(pairs):
    """Replace functions wherever minigrad's modules have them now: [(before, after)].

    A module that is not complete gets the rest from those that are, so what it lacks is replaced as well.
    """
    modules = [module for name, module in sys.modules.items() if name.partition(".")[0] == "minigrad"]
    for before, after in pairs:
        for module in modules:
            for name in [name for name, value in loaded_part(module).items() if value is before]:
                setattr(module, name, after)


def limit(seconds, megabytes):
    """Bounds that the system holds, where it has them: processor time, memory, size of files, no core."""
    try:
        import resource
    except ImportError:
        return
    for what, most in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, megabytes << 20),
                       (resource.RLIMIT_FSIZE, 16 << 20), (resource.RLIMIT_CORE, 0)):
        soft, hard = resource.getrlimit(what)
        bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
        try:
            resource.setrlimit(what, (bound, bound))
        except (ValueError, OSError):
            pass


# ------------------------------------------------------------------------------ answering


def told(failure):
    """What an exception says, and the line of the submission where it arose; no numbers of the hidden inputs."""
    lines = [line for frame, line in traceback.walk_tb(failure.__traceback__) if frame.f_code.co_filename == FILE]
    message = "" if said_by_itself(failure.__traceback__) else str(failure).partition("\n")[0]
    return {"kind": type(failure).__name__, "line": lines[-1] if lines else 0,
            "message": re.sub(r"[-+]?\d*\.\d+(e[-+]?\d+)?|\d{4,}", "...", message)[:300],
            "missing": failure.args[0] if isinstance(failure, Missing) else ""}


def said_by_itself(trace):
    """Does the submission raise this itself?  Then its words could be the hidden inputs."""
    *_, (frame, line) = traceback.walk_tb(trace)
    return (frame.f_code.co_filename == FILE
            and linecache.getline(FILE, line).lstrip().startswith(("raise", "assert")))


def answered(submission, question):
    names = {"torch": minigrad, "np": np, "Calls": Calls, "peak": peak, "plant": plant, "apart": apart}
    probe = call
    if question["probe"]:
        exec(compile(question["probe"], "<the judge>", "exec"), names)
        probe = names[question["name"]]
    steps.watch([question["arguments"][number] for number in question["watched"]])
    return probe(submission, *question["arguments"])


def main():
    channel = Channel()
    start = channel.next()
    sys.path[:] = [path for path in sys.path if path and os.path.isabs(path)]
    for name in [name for name in sys.modules if name.startswith("minigrad.homework")]:
        del sys.modules[name]
    del minigrad.homework
    del minigrad.__getattr__.later["homework"]      # dir(minigrad) does not import the judge
    socket.socket = None
    linecache.cache[FILE] = len(start["source"]), None, start["source"].splitlines(True), FILE
    limit(start["seconds"], start["megabytes"])
    foul = guard(channel)
    forbid(start["forbidden"], foul)
    submission = Submission("submission")
    sys.modules["submission"] = submission
    question = {"probe": None}
    while True:
        try:
            if question["probe"] is None:
                setattr(submission, ENTRY, steps.noticed)
                exec(compiled(start["source"], FILE), vars(submission))
                answer = {"answer": "loaded", "steps": 0}
            else:
                answer = {"answer": answered(submission, question), "steps": steps.count}
        except BaseException as failure:
            answer = {"raised": told(failure)}
        try:
            channel.answer(answer)
        except BaseException as failure:        # an answer that cannot be written: too large, or it has no end
            channel.answer({"raised": told(failure)})
        question = channel.next()


if __name__ == "__main__":
    main()
