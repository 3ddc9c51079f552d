"""Run the programs of a page, and compare what comes out with what the page shows.

The tests do this with every page, and so does the site when it is built: a message that has changed since the page was
written is an error of the build.
"""

import doctest
import re
import warnings

from minigrad.random import manual_seed

__all__ = ["FLAGS", "UpToTheCode", "failures"]

#: Lines are broken where they end, and "..." stands for what differs from one machine to another.
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class UpToTheCode(doctest.OutputChecker):
    """Examples show an error up to its code: the note below it, by which its page is read, is the same for all and may
    be left out."""

    def check_output(self, want, got, flags):
        """Compare with and without the note."""
        short = re.sub(r"^\(python -m minigrad explain MG\d+\)\n", "", got, flags=re.MULTILINE)
        return super().check_output(want, got, flags) or super().check_output(want, short, flags)


def failures(name, text):
    """What is not as the page ``name`` with this text shows it: a report for each example, none if all is well.

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
