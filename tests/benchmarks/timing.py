"""How to time a small piece of code so that the figure means something.

Six things go wrong when one writes `t = time(); f(); print(time() - t)`, and each has its cure here.

*The clock is coarse and calling it costs.*  We time a loop of many repetitions, long enough (some milliseconds) for the
clock not to matter: `calibrate` finds how many.

*The first runs are different.*  Caches are cold, memory has never been touched, CPython has not yet specialised the
byte code, BLAS has not started its threads.  Calibration runs the loop several times and so warms it up; what it
measures is thrown away.

*Other programs interrupt.*  An interruption can only make a loop slower, never faster, so within one round the best of
a few loops is taken.

*They interrupt long loops more often than short ones*, and then even ratios lie: on a busy machine every loop of a slow
contestant is cut, while a fast one's fit between the cuts.  So each loop is watched: where its thread had the processor
for less than nine tenths of the time, it is repeated (up to a limit), and a turn without one clean loop is reported as
disturbed.  Ratios of disturbed figures are shown, but not judged.

*The machine drifts*: its clock rate and its neighbours change over seconds.  So contestants take turns, round after
round, in an order that rotates: drift hits all of them alike.  The figure of a contestant is the median of its rounds,
and what we report is a ratio of medians from the same rounds.

*The garbage collector runs when it likes.*  It stays switched on, as in real programs, because a library that leaves
cycles behind, or shows its nodes to the collector, must pay for it.  But everything that exists before the rounds
(modules, data, graphs) is frozen, so that no contestant pays for another's objects, and each turn starts with an empty
nursery (`gc.collect()`, not timed).
"""

import gc
from itertools import repeat
from statistics import median
from time import perf_counter_ns, thread_time_ns


class Plan:
    """How long to measure: the rounds, the loops in a turn (the best counts), the least length of a loop in ns."""

    def __init__(self, quick=False):
        self.quick = quick
        self.rounds = 5 if quick else 11
        self.best_of = 3
        self.loop_ns = 2_000_000 if quick else 5_000_000


def calls(step, clock=perf_counter_ns):
    """A loop over calls of `step()`: a function of the count that returns the nanoseconds spent.

    For an operation of 100 ns the call itself would be a large part; such cases write out their own loop (`ops.py`).
    What runs on one thread for long may be timed by `thread_time_ns`, which stops while other programs run.
    """

    def loop(count):
        start = clock()
        for _ in repeat(None, count):
            step()
        return clock() - start

    return loop


def calibrate(loop, goal_ns):
    """The count with which `loop(count)` takes about `goal_ns`; warms everything up on the way."""
    loop(1)
    count = 1
    while True:
        spent = loop(count)
        if spent >= goal_ns:
            return count
        # Aim at the goal, but by no more than ten times per try: the first loops are slow and would mislead.
        count = min(10 * count, int(1.1 * count * goal_ns / max(spent, 1)) + 1)


def interleave(turns, rounds):
    """Let every one of `turns` (a dict of functions) run once per round; a dict of the lists of what they returned."""
    samples = {name: [] for name in turns}
    names = list(turns)
    gc.collect()
    gc.freeze()
    try:
        for number in range(rounds):
            first = number % len(names)
            for name in names[first:] + names[:first]:
                gc.collect()
                samples[name].append(turns[name]())
    finally:
        gc.unfreeze()
    return samples


def watched(work):
    """What `work()` returns, and whether this thread had the processor for nearly all of the time."""
    cpu, wall = thread_time_ns(), perf_counter_ns()
    result = work()
    cpu, wall = thread_time_ns() - cpu, perf_counter_ns() - wall
    return result, cpu >= 0.9 * wall


def best(loop, count, wanted):
    """The least time of `wanted` clean loops, or of four times as many where there are no clean ones; whether clean."""
    clean, cut = [], []
    while len(clean) < wanted and len(clean) + len(cut) < 4 * wanted:
        spent, alone = watched(lambda: loop(count))
        (clean if alone else cut).append(spent)
    return min(clean or cut), bool(clean)


def compare(loops, plan):
    """Time the loops (a dict: contestant's name to loop) against each other.

    Returns two dicts by name: the nanoseconds per repetition, one number a round, and the share of disturbed rounds.
    """
    counts = {name: calibrate(loop, plan.loop_ns) for name, loop in loops.items()}
    turns = {name: lambda name=name: best(loops[name], counts[name], plan.best_of) for name in loops}
    rounds = interleave(turns, plan.rounds)
    samples = {name: [spent / counts[name] for spent, _ in taken] for name, taken in rounds.items()}
    return samples, disturbed(rounds)


def disturbed(rounds):
    """The share of each contestant's rounds, (result, clean) pairs, that were not clean."""
    return {name: sum(not clean for _, clean in taken) / len(taken) for name, taken in rounds.items()}


def unsteady(samples):
    """Whether the rounds differ so much (middle half wider than a fifth of the median) that the median says little."""
    if len(samples) < 4:
        return False
    ordered = sorted(samples)
    quarter = len(ordered) // 4
    return ordered[-1 - quarter] - ordered[quarter] > 0.2 * median(ordered)
