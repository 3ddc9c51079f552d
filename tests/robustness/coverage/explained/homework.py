"""The homework: the judge, and the process in which a submission runs.

Of that process nothing is counted: it gets none of the environment, may write no file, and is ended by the judge.  What
it runs is asked of it by tests/homework, which compare its answers.
"""

from ..explaining import Entry

READ = ["homework/*.py", "homework/assignments/*.py"]

APART = "it runs in the process of a submission, of which nothing is counted"

GONE = "what Python raises when a process ends in the midst of a line depends on when that is"

ENTRIES = [
    Entry(APART, "homework/child.py"),
    Entry(APART, "homework/start.py"),
    Entry(APART, "homework/fence.py"),
    Entry(APART, "homework/assignments/*.py", what="never run"),
    Entry(GONE, "homework/process.py", "_listen|close"),
    Entry("it must close a channel whose number it is not told", "homework/process.py", "_ended", "foul"),
    Entry("it must close a channel whose number it is not told", "homework/process.py", "_ended", "TimeoutExpired"),
    Entry("gradcheck has found it before, unless single precision looks like double", "homework/derivatives.py", "jvp"),
    Entry("a notebook that is itself called `submission`", "homework/in_process.py", "close"),
]
