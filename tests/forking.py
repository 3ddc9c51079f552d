"""``--forks=auto``: the tests run in several processes, which are forked when the tests have been collected.

To collect sixty thousand tests takes ten seconds, and to send three reports of each through a pipe takes longer
than most of them run. So they are collected once, each process has all of them without a copy, and of a test that
passes it notes the duration in memory that all processes see. Other reports are sent; plugins meet them as in one
process.

Each process begins with a share of neighbours, so that what a file prepares for its tests is prepared once; one that
has no tests left takes half of what the slowest has. Where a process ends in the middle of a test, that test has
failed, and another process goes on with the next.
"""

import gc
import mmap
import multiprocessing
import multiprocessing.connection
import os
import pickle
import signal
import struct
import sys

import numpy as np
import pytest

#: Seconds after which those that passed meanwhile are told to pytest.
PAUSE = 0.2
NONE = -1


def how_many(option):
    return len(os.sched_getaffinity(0)) if option == "auto" and hasattr(os, "sched_getaffinity") else (
        os.cpu_count() if option == "auto" else int(option))


class Shares:
    """Which process runs which tests, in memory that all of them see.

    Of each process it has the next test, the end of its share, and the two tests that it has taken: the one that runs
    and, since pytest wants to know it, the one that follows.
    """

    ONE = struct.Struct("4i")

    def __init__(self, tests, processes):
        self.lock = multiprocessing.get_context("fork").Lock()
        self.memory = mmap.mmap(-1, processes * self.ONE.size)
        self.processes = range(processes)
        for process in self.processes:
            self[process] = tests * process // processes, tests * (process + 1) // processes, NONE, NONE

    def __getitem__(self, process):
        return self.ONE.unpack_from(self.memory, process * self.ONE.size)

    def __setitem__(self, process, share):
        self.ONE.pack_into(self.memory, process * self.ONE.size, *share)

    def advance(self, process):
        """The test that runs now, and the one that follows."""
        with self.lock:
            start, end, _, runs = self[process]
            taken = []
            while len(taken) < 1 + (runs == NONE):
                if start == end:
                    start, end = self.stolen()
                if start == end:
                    break
                taken.append(start)
                start += 1
            both = [*([] if runs == NONE else [runs]), *taken, NONE, NONE][:2]
            self[process] = start, end, *both
            return both

    def stolen(self):
        """The later half of the longest share."""
        start, end, *taken = self[longest := max(self.processes, key=lambda each: self[each][1] - self[each][0])]
        middle = (start + end) // 2
        self[longest] = start, middle, *taken
        return middle, end

    def lost(self, process):
        """The test in which the process ended; it is not run again."""
        start, end, runs, follows = self[process]
        self[process] = start, end, NONE, follows
        return runs


class Forks:
    """A plugin of pytest, which runs the loop over the tests."""

    def __init__(self, processes):
        self.processes = processes

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        if session.config.option.collectonly or session.testsfailed or not session.items:
            return None             # pytest's own loop says what there is to say
        self.session, self.config = session, session.config
        self.shares = Shares(len(session.items), self.processes)
        self.durations = np.frombuffer(mmap.mmap(-1, 8 * len(session.items)))       # 0 until the test has passed
        self.told = np.zeros(len(session.items), bool)
        self.running = {}
        self.config._tmp_path_factory.getbasetemp()         # one for all
        self.capture = self.config.pluginmanager.getplugin("capturemanager")
        self.capture.stop_global_capturing()                # each process has files of its own for what is printed
        try:
            for process in range(self.processes):
                self.start(process)
            while self.running:
                for pipe in multiprocessing.connection.wait(list(self.running), PAUSE):
                    self.listen(pipe)
                self.tell_who_passed()
        finally:
            for pid, _ in self.running.values():
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
        return True

    def start(self, process):
        ours, theirs = multiprocessing.Pipe(duplex=False)
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                ours.close()
                Child(self, process, theirs).run()
                status = 0
            except KeyboardInterrupt:
                pass
            except BaseException:
                sys.excepthook(*sys.exc_info())
            finally:
                os._exit(status)
        theirs.close()
        self.running[ours] = pid, process

    def listen(self, pipe):
        """Tell pytest what a process says, or that it has ended."""
        try:
            number, told = pickle.loads(pipe.recv_bytes())
        except EOFError:
            self.end(pipe)
        else:
            if number == NONE:
                self.config.hook.pytest_warning_recorded.call_historic(kwargs=told)
            else:
                self.tell(number, [self.config.hook.pytest_report_from_serializable(config=self.config, data=data)
                                   for data in told])

    def tell_who_passed(self):
        for number in np.flatnonzero((self.durations != 0) & ~self.told):
            self.tell(number, [self.report(number, "passed", duration=self.durations[number])])

    def tell(self, number, reports):
        item = self.session.items[number]
        self.told[number] = True
        for report in reports:
            self.config.hook.pytest_runtest_logreport(report=report)
        self.config.hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        if self.session.shouldfail:
            raise self.session.Failed(self.session.shouldfail)
        if self.session.shouldstop:
            raise self.session.Interrupted(self.session.shouldstop)

    def report(self, number, outcome, longrepr=None, duration=0):
        item = self.session.items[number]
        return pytest.TestReport(item.nodeid, item.location, {}, outcome, longrepr, "call", duration=duration)

    def end(self, pipe):
        pid, process = self.running.pop(pipe)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        if status:
            number = self.shares.lost(process)
            if number == NONE:
                raise RuntimeError(f"a process ended with {status} after its last test") from None
            self.tell(number, [self.report(number, "failed", f"the process that ran this test ended with {status}")])
            self.start(process)


# ------------------------------------------------------------------------------ in another process


class Child:
    """Another plugin: it runs the tests of its share, and sends what their reports say."""

    def __init__(self, forks, process, pipe):
        self.session, self.config, self.shares, self.durations = (
            forks.session, forks.config, forks.shares, forks.durations)
        self.process, self.pipe, self.reports = process, pipe, []
        for printing in ("progress", "terminalreporter"):
            if self.config.pluginmanager.has_plugin(printing):
                self.config.pluginmanager.unregister(name=printing)
        self.config.pluginmanager.register(self)
        forks.capture.start_global_capturing()
        forks.capture.suspend_global_capture(in_=True)

    def run(self):
        items = self.session.items
        while True:
            number, follows = self.shares.advance(self.process)
            if number == NONE:
                break
            self.config.hook.pytest_runtest_protocol(item=items[number],
                                                     nextitem=None if follows == NONE else items[follows])
            if all([report.passed and not hasattr(report, "wasxfail") for report in self.reports]):
                self.durations[number] = sum(report.duration for report in self.reports)
            else:
                self.say(number, [self.config.hook.pytest_report_to_serializable(config=self.config, report=report)
                                  for report in self.reports])
            self.reports.clear()
            if follows != NONE and items[follows].path != items[number].path:
                gc.collect()            # what files have loaded stays too: tests that collect need not look at it again
                gc.freeze()
        self.look_for_the_last_exceptions()

    def say(self, number, told):
        self.pipe.send_bytes(pickle.dumps((number, told)))

    def look_for_the_last_exceptions(self):
        """pytest looks for those that nobody could catch when the next test begins, and in the end."""
        found = []
        sys.unraisablehook = found.append
        gc.collect()
        for each in found:
            raise each.exc_value

    # As a plugin of pytest:

    def pytest_runtest_logreport(self, report):
        self.reports.append(report)

    def pytest_warning_recorded(self, warning_message, when, nodeid, location):
        warning_message.message, warning_message.source = str(warning_message.message), None
        self.say(NONE, {"warning_message": warning_message, "when": when, "nodeid": nodeid, "location": location})
