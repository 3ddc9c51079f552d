"""What the judge's `subprocess` is in most tests of a run that is drawn: processes of submissions are forked (warm.py).

To start Python and to import NumPy and minigrad takes longer than most checks. Tests of the fence have processes of
their own, and all have them where all is run, as users do.
"""

import os
import select
import socket
import subprocess
import sys
import threading
from pathlib import Path

from tests.homework.warm import INTEGER

WARM = Path(__file__).with_name("warm.py")
PIPE, TimeoutExpired = subprocess.PIPE, subprocess.TimeoutExpired

lock = threading.Lock()
#: {arguments and environment: (the interpreter that is forked, the way to it)}
interpreters = {}


class Popen:
    """As that of `subprocess`, as far as the judge uses it."""

    def __init__(self, command, *, cwd, env, stdin, stdout, stderr, start_new_session):
        assert command[0] == sys.executable and start_new_session and {stdin, stdout, stderr} == {PIPE}
        (read_in, write_in), (read_out, write_out), (read_err, write_err), (told, tell) = [os.pipe() for _ in range(4)]
        with lock:
            socket.send_fds(channel_to(command[1:], env), [os.fsencode(cwd)], [read_in, write_out, write_err, tell])
            for each in (read_in, write_out, write_err, tell):
                os.close(each)
            self.told = os.fdopen(told, "rb", 0)
            self.pid, = INTEGER.unpack(self.told.read(INTEGER.size))
        self.stdin, self.stdout, self.stderr = os.fdopen(write_in, "wb"), os.fdopen(read_out, "rb"), os.fdopen(
            read_err, "rb")
        self.returncode = None

    def kill(self):
        """Nothing: the judge asks for it where the whole group of the process has ended."""

    def wait(self, timeout=None):
        if self.returncode is None:
            if not select.select([self.told], [], [], timeout)[0]:
                raise TimeoutExpired("a fork", timeout)
            self.returncode = os.waitstatus_to_exitcode(*INTEGER.unpack(self.told.read(INTEGER.size)))
            self.told.close()
        return self.returncode


def channel_to(arguments, environment):
    """The way to an interpreter with these arguments and this environment, but for its folder."""
    key = (*arguments, *[pair for pair in environment.items() if pair[0] not in ("HOME", "TMPDIR")])
    if key not in interpreters:
        ours, theirs = socket.socketpair()
        with theirs:
            interpreters[key] = subprocess.Popen(
                [sys.executable, WARM, *arguments], env=environment, cwd=environment["HOME"], stdin=theirs,
                stdout=subprocess.DEVNULL), ours
    return interpreters[key][1]


def close():
    """End the interpreters."""
    for interpreter, channel in interpreters.values():
        channel.close()
        interpreter.wait()
    interpreters.clear()
