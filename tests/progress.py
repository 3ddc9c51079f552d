"""What is left of a long run: one line, which is rewritten on a terminal; elsewhere a line for every tenth.

Tests that fail are named at once. A run of few tests, or one that names all of them (``-v``), prints what pytest does.
"""

import time

import pytest

#: From how many tests on a run is long.
LONG = 500
SECONDS = 0.3


class Progress:
    """A plugin of pytest, in the process that prints."""

    def __init__(self, reporter, tests):
        self.reporter, self.tests = reporter, tests
        self.done = self.failed = self.tenths = 0
        self.start = self.shown = time.monotonic()
        self.rewrites, self.over = reporter.isatty, False

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_report_teststatus(self, report):
        category, letter, word = yield
        if self.over:               # asked once more, for the summary
            return category, letter, word
        if category in ("failed", "error"):
            self.failed += 1
            self.line(f"{category.upper()} {report.nodeid}")
        return category, "", ""

    def pytest_runtest_logfinish(self):
        self.done += 1
        tenths, now = 10 * self.done // self.tests, time.monotonic()
        if tenths > self.tenths or self.rewrites and now > self.shown + SECONDS:
            self.tenths, self.shown = tenths, now
            self.show(now - self.start)

    def show(self, seconds):
        left = self.tests - self.done
        said = f"{self.done:,} of {self.tests:,} tests ({100 * self.done // self.tests} %)"
        if self.failed:
            said += f", {self.failed} failed"
        if left:
            said += f"; {left:,} left, {duration(seconds * left / self.done)} at this pace"
        if self.rewrites:
            self.reporter.rewrite(said, erase=True)
        else:
            self.line(said)

    def line(self, text):
        if self.rewrites:
            self.reporter.rewrite("", erase=True)
        self.reporter.write_line(text)

    def pytest_sessionfinish(self):
        self.over = True
        if self.rewrites:
            self.reporter.ensure_newline()


def duration(seconds):
    return f"{seconds / 60:.0f} min" if seconds > 90 else f"{seconds:.0f} s"
