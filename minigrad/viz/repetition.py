"""What repeats in a recorded pass: the steps of a loop, the layers of a network.

A pass is a row of steps, be they equations (recurrences.py) or lines of a program (loops.py).  Here a step is what it
has of its own, its *form*, and the names that it reads and makes.  A *repetition* is a row of blocks, one after the
other, that are the same but for the names::

    z  = h  @ W + x[0]              z, h made in the block or in the one before: they are carried
    h2 = tanh(z)                    W    read by all: shared
    z2 = h2 @ W + x[1]              0, 1, ...  integers that grow evenly
    h3 = tanh(z2)                   (a layer's own weight: another name in each block, made outside)
    ...

Note [Isomorphic blocks]
------------------------
Blocks are folded only if nothing is lost: each can be made again from one of them and the number of the block.  So
steps at one place of the blocks have one form, and each name that is read there is, in all blocks,

- made at one place of the same block, or of the block one or two before; what the first blocks read instead, such as
  the state that a loop starts with, was made before, or
- one and the same name, made before the blocks, or
- another in each block, made before them and called alike: ``layers.0.weight``, ``layers.1.weight``.

Whatever else there may be, such as a step size that is another number in each block, is not folded.  Of several ways
to cut the same steps into blocks, the one is taken whose blocks begin where the program goes on to another line,
another module, or another index.

Note [Families]
---------------
Names that one place of the blocks makes or reads are a *family*, numbered by integers: h₀ is what the loop starts
with, h₁ what its first round makes.  A backward pass runs through the same numbers downwards.
"""

import re
from dataclasses import dataclass, replace

import numpy as np

__all__ = ["Families", "Family", "Repetition", "Step", "is_even", "repetitions", "stem"]

FEWEST = 3          # blocks
LATEST = 2          # how many blocks before the name that is read may have been made


@dataclass(frozen=True)
class Step:
    """An equation or a line: names are whatever can be the key of a dictionary."""
    form: object                # all that steps at one place of the blocks have in common
    reads: tuple
    makes: tuple
    numbers: tuple = ()         # the integers in it that may grow
    place: object = None        # where the program is: blocks begin where this changes


@dataclass(frozen=True)
class Repetition:
    """``times`` blocks of ``period`` steps, from number ``begin`` on."""
    steps: list
    begin: int
    period: int
    times: int

    @property
    def end(self):
        return self.begin + self.period * self.times

    def at(self, j):
        """The steps at place ``j`` of the blocks."""
        return self.steps[self.begin + j:self.end:self.period]

    def reads(self, j):
        """For each name that is read at a place, that of each block."""
        return [*zip(*[step.reads for step in self.at(j)])]

    def makes(self, j):
        return [*zip(*[step.makes for step in self.at(j)])]

    def numbers(self, j):
        return [*zip(*[step.numbers for step in self.at(j)])]

    def parts(self):
        """Itself, and itself without the first block, without the last, or without both, as long as enough are left."""
        for first, last in ((0, 0), (1, 0), (0, 1), (1, 1)):
            if self.times - first - last >= FEWEST:
                yield replace(self, begin=self.begin + first * self.period, times=self.times - first - last)

    def carried(self):
        """{(place, which result): {how many blocks before the first: the name that stands for its result}}."""
        makers = {name: (block, j, i) for j in range(self.period) for i, names in enumerate(self.makes(j))
                  for block, name in enumerate(names)}
        found = {}
        for j in range(self.period):
            for names in self.reads(j):
                if names[-1] not in makers or names[0] in makers:
                    continue
                block, at, i = makers[names[-1]]
                distance = self.times - 1 - block
                for k in range(distance):
                    if found.setdefault((at, i), {}).setdefault(distance - k, names[k]) != names[k]:
                        return None
        return found

    def is_numbered(self):
        """Can what the blocks have of their own be numbered?  Not if they go round in it: w1 w2, w3 w1, w2 w3."""
        rows = [names for j in range(self.period) for names in self.reads(j) if len({*names}) == self.times]
        for i, one in enumerate(rows):
            place = {name: k for k, name in enumerate(one)}
            for other in rows[:i]:
                if len({place[name] - k for k, name in enumerate(other) if name in place}) > 1:
                    return False
        return True

    def recurrent(self):
        """The places whose results are carried to the next block, and lead to themselves there."""
        places = {name: j for j in range(self.period) for names in self.makes(j) for name in names}
        leads_to = {j: set() for j in range(self.period)}
        for j in range(self.period):
            for names in self.reads(j):
                if names[-1] in places:
                    leads_to[places[names[-1]]].add(j)

        def reached(j):
            found, waiting = set(), [*leads_to[j]]
            while waiting:
                at = waiting.pop()
                if at not in found:
                    found.add(at)
                    waiting += leads_to[at]
            return found
        return [j for j in {j for j, _ in self.carried()} if j in reached(j)]


def stem(name):
    """A name without its numbers: ``layers.#.weight``."""
    return re.sub(r"\d+", "#", name.rstrip("₀₁₂₃₄₅₆₇₈₉"))


def repetitions(steps, stem_of=stem):
    """The repetitions in a row of steps, in order."""
    finder = Finder(steps, stem_of)
    found, waiting = [], [(0, len(steps))]
    while waiting:
        low, high = waiting.pop()
        best = finder.best(low, high)
        if best is not None:
            found.append(best)
            waiting += [(low, best.begin), (best.end, high)]
    return sorted(found, key=lambda each: each.begin)


class Finder:
    def __init__(self, steps, stem_of):
        self.steps, self.stem_of = steps, stem_of
        self.makers = {name: (at, i) for at, step in enumerate(steps) for i, name in enumerate(step.makes)}
        known = {}
        self.forms = np.array([known.setdefault((step.form, len(step.reads), len(step.makes), len(step.numbers)),
                                                len(known)) for step in steps], int)

    def best(self, low, high):
        """The repetition that saves most steps."""
        best, saved = None, (0, 0)
        for period in range(1, (high - low) // FEWEST + 1):
            for first, last in runs(self.forms[low:high - period] == self.forms[low + period:high]):
                longest = (last - first) // period * period
                if longest < period * (FEWEST - 1) or longest < saved[0]:
                    continue
                begin, end = low + first, low + last - period * (FEWEST - 1) + 1
                while begin < end:
                    times = self.blocks(begin, period, low + last + period)
                    score = period * (times - 1), self.is_boundary(begin)
                    if times and score > saved:
                        best, saved = Repetition(self.steps, begin, period, times), score
                        end = min(end, begin + period)          # from here on, other cuts of the same
                    begin += 1
        return best

    def is_boundary(self, begin):
        return begin == 0 or self.steps[begin].place != self.steps[begin - 1].place

    def blocks(self, begin, period, end):
        """How many blocks from ``begin`` on are isomorphic; 0 if they are too few."""
        most = (end - begin) // period
        if most < FEWEST:
            return 0
        wires = []
        for j in range(period):
            for i in range(len(self.steps[begin + j].reads)):
                wires.append(self.wire(begin, period, j, i))
        times = 0
        while times < most and all([fits(times) for fits in wires]) and self.even_so_far(begin, period, times):
            times += 1
        whole = Repetition(self.steps, begin, period, times)
        return times if times >= FEWEST and whole.carried() is not None and whole.is_numbered() else 0

    def wire(self, begin, period, j, i):
        """A test of the number of a block: does it read there what it should?"""
        def read(k):
            return self.steps[begin + k * period + j].reads[i]

        def made(k):
            at, output = self.makers.get(read(k), (-1, 0))
            return (at - begin - k * period, output) if at >= begin else None

        inside = made(LATEST)
        if inside is not None:
            back = -(inside[0] // period)
            return lambda k: made(k) == (inside if k >= back else None)
        if read(0) == read(1):
            return lambda k: read(k) == read(0) and made(k) is None
        others, alike = set(), self.stem_of(read(0))

        def is_own(k):
            ok = made(k) is None and read(k) not in others and self.stem_of(read(k)) == alike
            others.add(read(k))
            return ok
        return is_own

    def even_so_far(self, begin, period, k):
        for j in range(period):
            one, two, here = [self.steps[begin + at * period + j].numbers for at in (0, 1, k)]
            if any([n != a + k * (b - a) for a, b, n in zip(one, two, here)]):
                return False
        return True


def runs(equal):
    """[(first, end)] of the runs of True."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], equal, [False]])))
    return [*zip(edges[::2].tolist(), edges[1::2].tolist())]


# ------------------------------------------------------------------------------ families

class Family:
    """Names with numbers."""

    def __init__(self, like, symbol="t", partner=None):
        self.like = like            # one of the names, after which it is called
        self.symbol = symbol        # of its index
        self.partner = partner      # of a family of gradients, that of what they belong to
        self.members = {}           # number -> name


class Families:
    """Which name has which number in which family."""

    def __init__(self):
        self.places = {}            # name -> (Family, number)
        self.added = []

    def add(self, family, number, name=None):
        """Give a name its number; without a name, the number is taken by what has another name."""
        family.members[number] = name
        if name is not None:
            self.places[name] = family, number
        self.added.append((family, number, name))

    def undo(self, n):
        """Forget all but the first ``n`` that were added."""
        while len(self.added) > n:
            family, number, name = self.added.pop()
            del family.members[number]
            self.places.pop(name, None)

    def sequence(self, names):
        """(family, numbers) if all names are of one family, and their numbers are even; or None."""
        placed = [self.places.get(name) for name in names]
        if None in placed or any([family is not placed[0][0] for family, _ in placed]):
            return None
        numbers = [number for _, number in placed]
        return (placed[0][0], numbers) if is_even(numbers) else None


def is_even(numbers):
    """Do they grow by the same each time?"""
    return all([n - numbers[0] == k * (numbers[1] - numbers[0]) for k, n in enumerate(numbers)])
