"""Run the programs of a page, and compare their output with the page.

The tests do this with every page, and so does the build of the site: it fails if a message has changed since the page
was written.  A page about several processes is run by two, each of which compares, where MPI is installed.
"""

import doctest
import os
import re
import subprocess
import sys
import tempfile
import warnings

from minigrad.distributed.run import mpiexec
from minigrad.random import manual_seed

__all__ = ["FLAGS", "UpToTheCode", "failures", "failures_here", "is_for_ranks"]

#: Line breaks do not count, and "..." matches anything that differs between machines.
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class UpToTheCode(doctest.OutputChecker):
    """Examples show an error up to its code: the note below it, with the command that shows its page, may be left
    out."""

    def check_output(self, want, got, flags):
        """Compare with and without the note."""
        short = re.sub(r"^\(python -m minigrad explain MG\d+\)\n", "", got, flags=re.MULTILINE)
        return super().check_output(want, got, flags) or super().check_output(want, short, flags)


def is_for_ranks(text):
    """Must several processes run the programs of the page?"""
    return 'init_process_group("mpi")' in text


def failures(name, text):
    """A report for each example of the page ``name`` whose output differs from its text.

    >>> failures("a page", ">>> 1 + 1\\n3\\n")[0].splitlines()[-4:]
    ['Expected:', '    3', 'Got:', '    2']
    """
    return _failures_on_ranks(name, text) if is_for_ranks(text) else failures_here(name, text)


def failures_here(name, text):
    """The same; this process runs the page, alone or as one of several ranks."""
    reports = []
    test = doctest.DocTestParser().get_doctest(text, {"__name__": "__main__"}, name, name, 0)
    manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        doctest.DocTestRunner(UpToTheCode(), optionflags=FLAGS).run(test, out=reports.append)
    return reports


def _failures_on_ranks(name, text):
    """The same for a page whose programs two processes run; nothing is run where MPI is not installed."""
    if mpiexec() is None:
        return []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        done = subprocess.run([mpiexec(), "-n", "2", sys.executable, "-m", __name__, path],
                              capture_output=True, text=True)
    return [done.stdout + done.stderr] if done.returncode or done.stdout.strip() else []


if __name__ == "__main__":
    for report in failures_here(os.path.basename(sys.argv[1]), open(sys.argv[1], encoding="utf-8").read()):
        print(report)
