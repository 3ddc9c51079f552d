"""Random programs of ops, views and in-place writes, run on minigrad and held against two judges.

A program is drawn (``writing``), is a list of instructions that reads as a user's code (``program``), and is run
(``running``).  What must come out of it is known from a library without derivatives and from finite differences
(``plain``, ``judging``), and from PyTorch where it is installed.  A wrong one is made as short as it can be
(``examining``), and what occurs in programs is counted, so that none passes for want of what it is about
(``counting``).  The same programs run in forward mode (``tangents``), and another kind surrounds the functions of the
table with whatever can surround an operation (``table_writing``, ``table_judging``).

    python -m tests.random_programs --count 10000 --seed 1

runs many (``long_runs``), and prints what failed and the counts.
"""
