"""The homework: the judge, and the process in which a submission runs.

Of that process nothing is counted: it gets none of the environment, may write no file, and is ended by the judge.  What
it runs is asked of it by tests/homework, which compare its answers.
"""

from ..explaining import Entry

READ = ["homework/child.py", "homework/assignments/*.py"]

APART = "it runs in the process of a submission, of which nothing is counted"

ENTRIES = [
    Entry(APART, "homework/child.py"),
    Entry(APART, "homework/assignments/*.py", what="never run"),
]
