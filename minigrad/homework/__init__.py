"""Homework that grades itself: assignments, a judge that needs no answer key, and reports.

    $ python -m minigrad homework start ten_derivatives     writes ten_derivatives.py, to be filled in
    $ python -m minigrad homework check ten_derivatives.py

In a notebook or a test the same is

    from minigrad import homework
    homework.check("ten_derivatives.py")

The parts: an assignment is a file in assignments/ (spec.py says how it is written), of which each student may get a
variant (variants.py); the judge (judge.py) asks a submission that runs in a process of its own (process.py, start.py,
child.py), behind a fence (fence.py, captured.py), and holds its derivatives against measured ones (derivatives.py),
which the submission may not measure itself (finite_differences.py); trajectory.py sees the steps of a training;
causes.py charges a mistake that several items
share once; report.py and formats.py write down what came out.  likeness.py says which submissions are alike, and
oral.py asks about one; both read its syntax tree, as edits.py does, which makes and undoes the usual slips.
"""

from minigrad.homework.spec import Assignment, Item, Wrong, find, names
from minigrad.homework.report import Outcome, Result
from minigrad.homework.judge import Judge, check
from minigrad.homework.formats import FORMATS, otter_tests, table

__all__ = ["Assignment", "FORMATS", "Item", "Judge", "Outcome", "Result", "Wrong", "check", "find", "names",
           "otter_tests", "table"]
