"""The exercises of the course, to be done in a file or a notebook, with checks that say what is wrong, and hints.

    $ python -m minigrad exercise                           the pages, and what is done of each
    $ python -m minigrad exercise start watch_a_backward_pass
    $ python -m minigrad exercise check watch_a_backward_pass
    $ python -m minigrad exercise hint watch_a_backward_pass 2
    $ python -m minigrad exercise status

In a notebook the same words are functions, and what is checked may be in the notebook itself

    from minigrad import exercises
    exercises.check("watch_a_backward_pass", 2, globals())

The parts: pages.py reads the exercises, which are in tutorials/exercises of a clone and in an archive of an installed
package, without their solutions; work.py writes the file that a student works in, with formulas as text (formulas.py),
and reads answers from it or from a notebook; running.py runs a check in a process of its own (child.py); progress.py
keeps what is right; cli.py is the command line.
"""

from minigrad.exercises import cli
from minigrad.exercises.pages import Exercise, Page, find, names
from minigrad.exercises.words import check, hint, start, status

__all__ = ["Exercise", "Page", "check", "cli", "find", "hint", "names", "start", "status"]
