"""Run the programs of a page, and compare their output with the page.

The tests do this with every page, and so does the build of the site: it fails if a message has changed since the page
was written.
"""

import doctest
import re
import warnings

from minigrad.random import manual_seed

__all__ = ["FLAGS", "UpToTheCode", "failures"]

#: Line breaks do not count, and "..." matches anything that differs between machines.
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class UpToTheCode(doctest.OutputChecker):
    """Examples show an error up to its code: the note below it, with the command that shows its page, may be left
    out."""

    def check_output(self, want, got, flags):
        """Compare with and without the note."""
        short = re.sub(r"^\(python -m minigrad explain MG\d+\)\n", "", got, flags=re.MULTILINE)
        return super().check_output(want, got, flags) or super().check_output(want, short, flags)


def failures(name, text):
    """A report for each example of the page ``name`` whose output differs from its text.

    >>> failures("a page", ">>> 1 + 1\\n3\\n")[0].splitlines()[-4:]
    ['Expected:', '    3', 'Got:', '    2']
    """
    reports = []
    test = doctest.DocTestParser().get_doctest(text, {"__name__": "__main__"}, name, name, 0)
    manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        doctest.DocTestRunner(UpToTheCode(), optionflags=FLAGS).run(test, out=reports.append)
    return reports
