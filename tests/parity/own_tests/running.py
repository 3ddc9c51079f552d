"""One file of PyTorch's tests, run in this process: ``python -m tests.parity.own_tests.running TESTS TORCH FILE OUT``.

It writes a line of JSON for each test: its id, how it ended, what it raised, and where.
"""

import argparse
import json
import os
import re
import signal
import sys
import traceback
import unittest
import warnings
from importlib import import_module
from pathlib import Path

from tests.parity.own_tests import stage

#: so much is kept of a message and of a traceback
WORDS, TRACE = 600, 3000


class TimeUp(BaseException):
    """A test took too long; no `except Exception` of the test may catch it."""


def main(arguments):
    parser = argparse.ArgumentParser(prog="python -m tests.parity.own_tests.running", description=__doc__)
    parser.add_argument("tests", type=Path, help="the folder test of PyTorch")
    parser.add_argument("torch", type=Path, help="the folder torch of PyTorch; with -, torch itself is tested")
    parser.add_argument("file", help="below the folder test")
    parser.add_argument("out", type=Path, help="the file to write")
    parser.add_argument("--only", default="", help="a regular expression: which tests")
    parser.add_argument("--seconds", type=int, default=20, help="for one test")
    options = parser.parse_args(arguments)
    path = options.tests / options.file
    sys.path[:0] = [str(path.parent), str(options.tests)]
    sys.argv = [str(path)]
    os.environ["PYTORCH_PRINT_REPRO_ON_FAILURE"] = "0"
    if options.torch != Path("-"):
        stage.set_stage(options.torch)
        stage.simplify_cases()
    module = import_module(path.stem)
    stage.leave_imports()
    with options.out.open("w", encoding="utf-8") as out:
        for test in tests_in(unittest.defaultTestLoader.loadTestsFromModule(module)):
            if re.search(options.only, test.id()):
                ended, words, trace = outcome(test, options.seconds)
                name = f"{options.file}::{test.id().partition('.')[2]}"
                print(json.dumps({"test": name, "ended": ended, "words": words, "trace": trace}), file=out, flush=True)
    return 0


def tests_in(suite):
    for each in suite:
        if isinstance(each, unittest.TestSuite):
            yield from tests_in(each)
        else:
            yield each


def outcome(test, seconds):
    """How a test ended: "passed", "failed" or "skipped", what it raised or why it was skipped, and the traceback."""
    def stop(*_):
        raise TimeUp
    signal.signal(signal.SIGALRM, stop)
    result = Kept()
    signal.alarm(seconds)
    try:
        with warnings.catch_warnings():
            test.run(result)
    except TimeUp:
        return "failed", "TimeUp", ""
    finally:
        signal.alarm(0)
        stage.reset()
    if result.problems:
        kind, value, _ = result.problems[0]
        words = " | ".join(str(value).strip().split("\n"))
        return "failed", f"{kind.__name__}: {words}"[:WORDS], "".join(
            traceback.format_exception(*result.problems[0]))[-TRACE:]
    if result.unexpectedSuccesses:
        return "failed", "it was expected to fail, and passed", ""
    if result.skipped:
        return "skipped", result.skipped[0][1], ""
    return "passed", "", ""


class Kept(unittest.TestResult):
    """A result that keeps what was raised."""

    def __init__(self):
        super().__init__()
        self.problems = []

    def addError(self, test, problem):
        self.problems.append(problem)

    addFailure = addError

    def addSubTest(self, test, subtest, problem):
        if problem is not None:
            self.problems.append(problem)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
