"""What an exercise's `subprocess` is in a run that is drawn: the process of a check is a copy of the one that tests.

To start Python and to import NumPy and minigrad takes longer than most checks. Where all is run, each check has a
process of its own, as students' have.
"""

import importlib
import os
import subprocess
import sys
import tempfile
import time
import traceback
import warnings

from minigrad.exercises import child

PIPE, STDOUT, TimeoutExpired = subprocess.PIPE, subprocess.STDOUT, subprocess.TimeoutExpired


class Popen:
    """As that of `subprocess`, as far as exercises use it."""

    def __init__(self, command, *, cwd, env, stdin, stdout, stderr, start_new_session):
        assert command[:2] == [sys.executable, "-c"] and start_new_session and (stdin, stdout) == (PIPE, PIPE)
        assert stderr == STDOUT and command[2] == "from minigrad.exercises import child; child.main()"
        self.told, self.asked = os.pipe()
        self.printed, self.returncode = tempfile.TemporaryFile(), None
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            os.chdir(cwd)
            os.environ.update(env)
            os.close(self.asked)
            for number, file in enumerate((self.told, self.printed.fileno(), self.printed.fileno())):
                os.dup2(file, number)
            sys.argv = ["-c", *command[3:]]
            importlib.reload(warnings)          # as when Python starts: pytest makes errors of them
            status = 1
            try:
                sys.stdin = open(0, closefd=False)
                sys.stdout, sys.stderr = [open(number, "w", encoding="utf-8", errors="replace", closefd=False)
                                          for number in (1, 2)]
                child.main()
                status = 0
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                os._exit(status)
        os.close(self.told)

    def communicate(self, given=b"", timeout=None):
        if given:
            with open(self.asked, "wb") as pipe:
                pipe.write(given)
        until = None if timeout is None else time.monotonic() + timeout
        while self.returncode is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG if timeout else 0)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
            elif time.monotonic() > until:
                raise TimeoutExpired("a fork", timeout)
            else:
                time.sleep(0.002)
        self.printed.seek(0)
        with self.printed:
            return self.printed.read(), None
