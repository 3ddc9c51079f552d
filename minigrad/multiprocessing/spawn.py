"""A function in several processes: ``spawn``, and what waits for them."""

import multiprocessing
import signal
import sys
import time
from multiprocessing.connection import wait
from traceback import format_exc

from minigrad._core.errors import warn

__all__ = ["ProcessContext", "ProcessException", "ProcessExitedException", "ProcessRaisedException", "spawn",
           "start_processes"]

#: seconds that a process has to end after it was told to
PATIENCE = 30


class ProcessException(Exception):
    """A process has failed: which of them, and its pid."""

    def __init__(self, msg, error_index, error_pid):
        super().__init__(msg)
        self.msg, self.error_index, self.error_pid = msg, error_index, error_pid

    def __reduce__(self):
        return type(self), (self.msg, self.error_index, self.error_pid)


class ProcessRaisedException(ProcessException):
    """An exception in a process, with its traceback as text."""


class ProcessExitedException(ProcessException):
    """A process that has ended with an exit code, or by a signal."""

    def __init__(self, msg, error_index, error_pid, exit_code, signal_name=None):
        super().__init__(msg, error_index, error_pid)
        self.exit_code, self.signal_name = exit_code, signal_name

    def __reduce__(self):
        return type(self), (self.msg, self.error_index, self.error_pid, self.exit_code, self.signal_name)


def work(function, number, args, report):
    """What a process does: the function, and a report of its exception."""
    try:
        function(number, *args)
    except KeyboardInterrupt:
        pass                                            # the parent has it too
    except Exception:
        report.send(format_exc())
        sys.exit(1)


class ProcessContext:
    """Processes that have been started together; ``join()`` waits for them."""

    def __init__(self, processes, reports):
        self.processes, self.reports = processes, reports
        self.sentinels = {process.sentinel: number for number, process in enumerate(processes)}

    def pids(self):
        """Their process ids."""
        return [process.pid for process in self.processes]

    def join(self, timeout=None, grace_period=None):
        """Wait for one of them to end: True when all have.

        If one has failed, the others are ended, after ``grace_period`` seconds if that is given, and its exception is
        raised: a ``ProcessRaisedException`` with the traceback, or a ``ProcessExitedException``.
        """
        for sentinel in wait(self.sentinels, timeout) if self.sentinels else ():
            number = self.sentinels.pop(sentinel)
            self.processes[number].join()
            if self.processes[number].exitcode:
                self._end(grace_period)
                raise self._failure(number)
        return not self.sentinels

    def _end(self, grace_period):
        if grace_period is not None:
            self._wait(grace_period)
        for process in self.processes:
            if process.is_alive():
                process.terminate()
        self._wait(PATIENCE if grace_period is None else grace_period)
        for process in self.processes:
            if process.is_alive():
                process.kill()
            process.join()

    def _wait(self, seconds):
        end = time.monotonic() + seconds
        for process in self.processes:
            process.join(max(0, end - time.monotonic()))

    def _failure(self, number):
        code, pid = self.processes[number].exitcode, self.processes[number].pid
        try:
            text = self.reports[number].recv()
        except EOFError:                                # it ended before it could say why
            pass
        else:
            return ProcessRaisedException(f"\n\n-- Process {number} terminated with the following error:\n{text}",
                                          number, pid)
        name = None
        if code < 0:
            name = signal.Signals(-code).name if -code in list(signal.Signals) else f"<Unknown signal {-code}>"
        how = f"exit code {code}" if name is None else f"signal {name}"
        return ProcessExitedException(f"process {number} terminated with {how}", number, pid, code, name)


def start_processes(fn, args=(), nprocs=1, join=True, daemon=False, start_method="spawn"):
    """``fn(i, *args)`` in ``nprocs`` processes, ``i`` counting them; see :func:`spawn`.

    ``start_method`` is one of Python's: ``"spawn"``, ``"fork"`` or ``"forkserver"``.
    """
    context = multiprocessing.get_context(start_method)
    processes, reports = [], []
    for number in range(nprocs):
        report, theirs = context.Pipe(duplex=False)
        process = context.Process(target=work, args=(fn, number, args, theirs), daemon=daemon)
        process.start()
        theirs.close()
        processes.append(process)
        reports.append(report)
    started = ProcessContext(processes, reports)
    if not join:
        return started
    while not started.join():
        pass
    return None


def spawn(fn, args=(), nprocs=1, join=True, daemon=False, start_method="spawn"):
    """Run ``fn(i, *args)`` in ``nprocs`` new processes, and wait for them; the first that fails ends the others.

    The function has a name at the top of a module, by which the processes find it. With ``join=False`` the result is a
    :class:`ProcessContext`, whose ``join()`` waits.
    """
    if start_method != "spawn":
        warn(f"This method only supports start_method=spawn (got: {start_method}).\nTo use a different start_method "
             "use:\n\t\t torch.multiprocessing.start_processes(...)", FutureWarning)
    return start_processes(fn, args, nprocs, join, daemon)
