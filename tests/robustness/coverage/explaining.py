"""Why some of what was written does not happen in the tests.

An entry names what it speaks of by the file, the function, a piece of the line and of what never happened, so that it
survives edits elsewhere.  The first entry that fits a gap explains it; an entry that fits none is an error.  In files
that were gone through, everything that is not covered has an entry; of others only the figures are known.
"""

import dataclasses
import fnmatch

__all__ = ["EVERYWHERE", "NO_MEMORY", "Entry", "explain"]


@dataclasses.dataclass(frozen=True)
class Entry:
    """Explains the gaps that fit: `files` and `function` are patterns, `text` and `what` pieces."""

    why: str
    files: str = "*"
    function: str = "*"
    text: str = ""
    what: str = ""

    def fits(self, gap):
        return (fnmatch.fnmatchcase(gap.file, f"minigrad/{self.files}")
                and any(fnmatch.fnmatchcase(gap.function, one) for one in self.function.split("|"))
                and self.text in gap.text and self.what in gap.what)


NO_MEMORY = "the C library has no memory left, not even for a few bytes"
NO_FRAME = "only a thread without a Python frame has none: one that runs a pass for another thread"

#: Reasons of gaps that are there in one run of the tests and not in the next.
OF_CHANCE = [NO_MEMORY, NO_FRAME]

#: What explains gaps of any file.
EVERYWHERE = [
    Entry(NO_MEMORY, text="raise MemoryError()"),
]


def explain(gaps, entries, read):
    """The gaps that no entry explains, and those of them in files that were gone through; and entries that fit none."""
    used, open_gaps = set(), []
    for gap in gaps:
        entry = next((entry for entry in entries if entry.fits(gap)), None)
        if entry is None:
            open_gaps.append(gap)
        used.add(entry)
    must = [gap for gap in open_gaps if any(fnmatch.fnmatchcase(gap.file, f"minigrad/{name}") for name in read)]
    return open_gaps, must, [entry for entry in entries if entry not in used and entry.why not in OF_CHANCE]
