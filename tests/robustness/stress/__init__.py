"""Long runs under load: threads, forks, signals and exits; deep graphs and large arrays; thousands of lifetimes.

    load.py       what threads, forks, signals and the end of a process may do to each other, for some seconds
    depth.py      chains of millions of nodes on a small stack, and other extremes of size
    lifetimes.py  thousands of rounds of each scenario, after which nothing more is alive than before
    planted.py    faults, each of which must be noticed

Each runs in a process of its own, which must end in time and with status 0:
``python -m tests.robustness.stress --minutes 60``.
"""
