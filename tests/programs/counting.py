"""How often each thing occurred in the programs that were run: a test that never meets its subject shows nothing."""

import collections

__all__ = ["Counts", "FLOOR", "MUST_OCCUR"]

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


class Counts:
    def __init__(self):
        self.programs, self.found = 0, collections.Counter()

    def add(self, features):
        self.programs += 1
        self.found.update(set(features))

    def join(self, others):
        """What was counted elsewhere, of other programs."""
        self.programs += others.programs
        self.found.update(others.found)

    def share(self, feature):
        return self.found[feature] / max(self.programs, 1)

    def too_rare(self):
        return [feature for feature in MUST_OCCUR if self.share(feature) < FLOOR]

    def __str__(self):
        lines = [f"{self.programs} programs; in this share of them there was"]
        features = MUST_OCCUR + [feature for feature, _ in self.found.most_common() if feature not in MUST_OCCUR]
        return "\n".join(lines + [f"  {self.share(feature):6.1%}  {feature}" for feature in features])
