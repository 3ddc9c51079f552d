"""Other code meddles with what an operation is about to use: the process must not crash, whatever the numbers are.

    machines.py     attacks by a thread that writes numbers which say where memory is read
    replacing.py    attacks by whatever gives a tensor other data: threads, the collector, options, keys
    __main__.py     each machine for so many seconds, in processes that may crash
    planted.py      faults, each of which the machine must notice

An operation that reads an index, checks it, and reads it again to use it, follows what another thread has written in
between.  Such a moment is short; so the other thread, which is in C and needs no lock, writes some hundred million
times a second::

    one thread      index_select(x, 0, index)   index_select(x, 0, index)   index_select(x, 0, index)
    another         index[0] = 0, 2**40, 0, 2**40, 0, 2**40, 0, 2**40, 0, 2**40, 0, 2**40, 0, 2**40, ...

``python -m tests.robustness.races --seconds 60``.
"""
