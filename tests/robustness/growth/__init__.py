"""Does the cost grow with the work, and no faster?  Programs of n things, counted at two sizes.

A list that is searched once for each of n inputs, or copied for each of n modules, costs nothing while n is 10, and
everything once it is 10,000.  A time would show that on a quiet machine only, so counts are compared:

    count          of what                                                   where
    `steps`        instructions of Python's, in all functions                 always
    `instructions` those of the processor, which C executes too               where valgrind is installed

At four times the size there may be `MOST` times as many: 4 would be linear, 16 quadratic.  The programs are in
`programs.py`, and in `planted.py` those that grow too fast, each in another way, which the counts must notice.

    python -m tests.robustness.growth                   all programs, by the processor's instructions
    python -m tests.robustness.growth grad Function     those with these words in their names
"""
