"""A submission whose process was forked (warm.py) has what it would have in a process of its own, and no more."""

import os
import signal

import pytest

from minigrad import homework
from minigrad.homework import process
from minigrad.homework.process import Failed, Process, Stopped

if not hasattr(os, "fork"):
    pytest.skip("there are no forks on this system", allow_module_level=True)

#: What a submission can see of its process, but for addresses and whatever is random.
LOOKING = r"""
import gc
import os
import re
import resource
import signal
import sys
import threading

NAMES = dir()


def is_open(number):
    try:
        os.fstat(number)
        return True
    except OSError:
        return False


def state():
    own = {"HOME", "TMPDIR", "PWD", "SHLVL", "_"}
    return {
        "modules": sorted(sys.modules), "names": sorted(NAMES), "builtins": sorted(vars(__import__("builtins"))),
        "arguments": [*sys.argv, *sys.orig_argv], "flags": str(sys.flags), "path": sys.path,
        "importing": re.sub("0x[0-9a-f]+", "", str([sys.meta_path, sys.path_hooks])),
        "found": sorted(sys.path_importer_cache), "limits": [sys.getrecursionlimit(), *[
            list(resource.getrlimit(each)) for each in range(10)]],
        "environment": sorted([f"{name}={value}" for name, value in os.environ.items() if name not in own]),
        "folder": [os.environ["HOME"] == os.environ["TMPDIR"] == os.getcwd(), os.listdir()],
        "files": [number for number in range(64) if is_open(number)], "threads": threading.active_count(),
        "signals": [str(signal.getsignal(each)) for each in sorted(signal.valid_signals())],
        "masked": [int(each) for each in signal.pthread_sigmask(signal.SIG_BLOCK, [])],
        "alone": [os.getpid() == os.getpgrp(), os.getpid() == os.getsid(0)],
        "collector": [*gc.get_threshold(), gc.isenabled(), gc.get_freeze_count(), len(gc.callbacks)],
    }
"""
ENDS = {"it ends": ("os._exit(3)", "exit"), "a signal": ("os.abort()", "crash"),
        "a loop": ("while True:\n        pass", "hang"),
        "a file of others": ("open('/etc/hostname')", "foul"), "a module of others": ("import pytest", "foul"),
        "the judge": ("import minigrad.homework.judge", "foul"), "a process": ("os.fork()", "foul")}


@pytest.fixture(params=["a process of its own", "a fork"])
def kind(request, interpreters, monkeypatch):
    monkeypatch.setattr(process, "subprocess", {"a fork": interpreters}.get(request.param, interpreters.subprocess))
    return request.param


@pytest.mark.parametrize("options", [{}, {"numpy_only": True}, {"forbidden": ("minigrad",)},
                                     {"forbidden": ("minigrad", "numpy")}])
def test_it_sees_what_one_of_its_own_would_see(options, interpreters, monkeypatch):
    found = []
    for each in (interpreters.subprocess, interpreters, interpreters):
        monkeypatch.setattr(process, "subprocess", each)
        submission = Process(LOOKING, **options)
        try:
            found.append(submission.ask("", "state", ["state"])[0])
        finally:
            submission.close()
    for name, value in found[0].items():
        assert value == found[1][name] == found[2][name], name


@pytest.mark.drawn
@pytest.mark.parametrize("way", ENDS)
def test_it_ends_as_one_of_its_own(kind, way):
    """And the next one is not concerned."""
    code, verdict = ENDS[way]
    submission = Process(f"import os\n\n\ndef f():\n    {code}\n\n\ndef g():\n    return 1\n", seconds=1)
    try:
        with pytest.raises(Stopped) as stopped:
            submission.ask("", "f", ["f"])
        assert stopped.value.verdict == verdict
    finally:
        submission.close()
    submission = Process("def f(x):\n    return x\n")
    try:
        assert submission.ask("", "f", ["f", 2])[0] == 2
        with pytest.raises(Failed):
            submission.ask("", "f", ["f"])
    finally:
        submission.close()


def test_nothing_of_a_submission_is_there_for_the_next(kind, tmp_path):
    (tmp_path / "s.py").write_text("import os\nimport sys\nimport numpy as np\nimport minigrad as torch\n"
                                   "assert not hasattr(np, 'left') and not hasattr(torch, 'left')\n"
                                   "assert not os.listdir()\n"
                                   "np.left = torch.left = sys.modules['left'] = 1\nopen('left', 'w').close()\n")
    for _ in range(2):
        assert {each.verdict for each in homework.check(tmp_path / "s.py", "newton").outcomes} == {"missing"}


def test_all_of_its_processes_are_ended(kind):
    submission = Process("import os\n\n\ndef f():\n    return os.getpid()\n")
    number = submission.ask("", "f", ["f"])[0]
    assert number == submission.process.pid
    submission.close()
    assert submission.process.returncode == -signal.SIGKILL
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)
