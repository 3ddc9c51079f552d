"""Hostile input: files, names and texts that a stranger could send, made from grammars and then damaged.

    inputs.py    for each kind of input: a valid one is grown, some of its parts are changed, and it is read
    files.py     the grammars of files of tensors: programs of pickles, records of archives, headers
    watching.py  what may happen meanwhile: no code runs, nothing else is opened, and it ends soon
    planted.py   faults in the library, each of which must be noticed

An input is read as a careful reader would read it, or is refused with an error that the documentation names.
The number of an input and the seed make it again: ``python -m tests.robustness.fuzzing --seed SEED --only NUMBER``.
"""
