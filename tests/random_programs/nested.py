"""Programs with blocks: instructions inside ``with ...:`` and ``def f(...):``, to any depth.

They read, run and become shorter as other programs do (``program``).  A ``Statement`` is an instruction with the
instructions that it is the head of; ``Nested`` is a program of statements.
"""

import dataclasses
import functools
import re
import textwrap

from .functions import HELPERS
from .program import NAME

__all__ = ["Nested", "Pass", "Statement"]

MADE = re.compile(r"((?:[a-z]+\d+(?:, )?)+),? = ")
DEFINED = re.compile(r"def (\w+)\((.*)\):")


@dataclasses.dataclass(frozen=True)
class Pass:
    """What a statement asks autograd: the gradients of ``of`` with respect to ``leaves``, returned or added to them."""

    of: str
    leaves: tuple
    returned: str = ""          # the name that the tuple of gradients gets; else they are added to .grad
    order: int = 1


@dataclasses.dataclass(frozen=True)
class Statement:
    text: str
    body: tuple = ()
    asks: Pass | None = None
    leaf: bool = False          # whether it makes a leaf, whose numbers a judge may change
    calls: str = ""             # the name of the sample row that it calls
    smooth: bool = True         # whether its gradient is what differences say, and not a convention

    def __str__(self):
        return "\n".join([self.text, *[textwrap.indent(str(inner), "    ") for inner in self.body]])

    @functools.cached_property
    def code(self):
        return compile(str(self), str(self), "exec")

    @functools.cached_property
    def lines(self):
        return 1 + sum([inner.lines for inner in self.body])

    @functools.cached_property
    def made(self):
        """The names that it assigns, in their order; those inside a function are its own."""
        if defined := DEFINED.match(self.text):
            return [defined[1]]
        own = NAME.findall(found[1]) if (found := MADE.match(self.text)) else []
        return own + [name for inner in self.body for name in inner.made]

    @functools.cached_property
    def needs(self):
        names = NAME.findall(self.text)
        if defined := DEFINED.match(self.text):
            return set(NAME.findall(defined[2])) - set(names)
        return set(names) - set(NAME.findall(found[1]) if (found := MADE.match(self.text)) else ())

    def within(self):
        """The statement, and all those inside."""
        yield self
        for inner in self.body:
            yield from inner.within()

    def without(self, gone, missing, place):
        """The statement without the lines of these numbers, ``place`` being its own, and without what needs them; or
        None."""
        if self.asks and missing & set(self.asks.leaves):
            return self.asking_without(missing).without(gone, missing, place)
        if place in gone or self.needs & missing:
            missing.update(self.made)
            return None
        if not self.body:
            return self
        body, at = [], place + 1
        for inner in self.body:
            body.append(inner.without(gone, missing, at))
            at += inner.lines
        kept = tuple([inner for inner in body if inner is not None])
        if not kept or (self.body[-1].text.startswith("return") and body[-1] is None):
            missing.update(self.made)
            return None
        return dataclasses.replace(self, body=kept)

    def asking_without(self, missing):
        """Without these leaves; a pass that has none left is not there."""
        left = tuple([name for name in self.asks.leaves if name not in missing])
        if not left:
            return dataclasses.replace(self, asks=None, text="pass")
        text = self.text.replace(f"[{', '.join(self.asks.leaves)}]", f"[{', '.join(left)}]")
        return dataclasses.replace(self, text=text, asks=dataclasses.replace(self.asks, leaves=left))


class Nested:
    def __init__(self, statements, features=()):
        self.statements, self.features = list(statements), features

    def __len__(self):
        return sum([s.lines for s in self.statements])

    def __str__(self):
        body = "\n".join(map(str, self.statements))
        helpers = [text for name, text in HELPERS.items() if re.search(rf"\b{name}\b", body)]
        head = ["seen = []\n"] if "seen" in body else []
        return "\n".join(["import torch\n", *helpers, *head]) + body + "\n"

    def without(self, gone):
        """The program without the lines of these numbers, and without those that need what they made."""
        kept, missing, place = [], set(), 0
        for statement in self.statements:
            left = statement.without(gone, missing, place)
            place += statement.lines
            if left is not None:
                kept.append(left)
        return Nested(kept, self.features)
