"""How often each thing occurred in the programs that were run: a test that never meets its subject shows nothing."""

import collections

__all__ = ["Counts", "FLOOR", "MUST_OCCUR", "MUST_OCCUR_AROUND_THE_TABLE"]

#: What must occur in at least this share of the programs.
FLOOR = 0.05
MUST_OCCUR = [
    "a write through a view of a view",
    "CopySlices in a graph that is differentiated",
    "a base that only later requires grad",
    "a version error",
    "a view made under no_grad",
    "a view laid out otherwise under no_grad",
    "a pass that begins at a view",
]
MUST_OCCUR_AROUND_THE_TABLE = [
    "a gradient that was compared with differences",
    "compared with a loop in place of vmap",
    "compared with the other mode",
    "compared with differences",
    "a tangent that was compared with differences",
    "a second pass through the first",
    "two passes through one graph",
    "two transforms",
    "three transforms",
    "a dual level",
    "a pass in a dual level",
    "saved-tensor hooks",
    "a hook",
    "a write",
    "a custom Function",
    "an island where nothing is recorded",
    "an expanded tensor",
    "a leaf that lies by columns",
]


class Counts:
    """Of each feature, how many programs have it; of each name that is called, how many call it."""

    def __init__(self, must_occur=MUST_OCCUR, must_be_called=()):
        self.must_occur, self.must_be_called = must_occur, must_be_called
        self.programs, self.found, self.called = 0, collections.Counter(), collections.Counter()

    def add(self, features, called=()):
        self.programs += 1
        self.found.update(set(features))
        self.called.update(set(called))

    def join(self, others):
        """What was counted elsewhere, of other programs."""
        self.programs += others.programs
        self.found.update(others.found)
        self.called.update(others.called)

    def share(self, feature):
        return self.found[feature] / max(self.programs, 1)

    def too_rare(self):
        return [feature for feature in self.must_occur if self.share(feature) < FLOOR]

    def never_called(self):
        return sorted({*self.must_be_called} - {*self.called})

    def __str__(self):
        lines = [f"{self.programs} programs; in this share of them there was"]
        others = [feature for feature, _ in self.found.most_common() if feature not in self.must_occur]
        lines += [f"  {self.share(feature):6.1%}  {feature}" for feature in [*self.must_occur, *others]]
        if self.must_be_called:
            never = self.never_called()
            lines.append(f"{len({*self.must_be_called}) - len(never)} of {len({*self.must_be_called})} functions of "
                         f"the table were called{'; not: ' + ', '.join(never) if never else ''}")
        return "\n".join(lines)
