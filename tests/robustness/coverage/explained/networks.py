"""Modules and optimizers."""

from ..explaining import Entry

READ = ["nn/*.py", "nn/modules/*.py", "nn/utils/*.py", "nn/parallel/*.py", "optim/*.py"]

PROCESSES = "it is for programs of several processes, which tests/distributed starts through MPI: nobody counts in them"

ENTRIES = [
    Entry(PROCESSES, "nn/parallel/*.py"),
    Entry("what has no epochs is a class of the user's", "optim/lr_scheduler.py", "recursive_undo", "last_epoch"),
]
