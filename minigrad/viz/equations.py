"""The equations of a derivation: one of its own, and those of a recurrence, which are told once for all its rounds."""

from dataclasses import dataclass

from minigrad.notation.escaping import escape
from minigrad.notation.expressions import Bar, Index, Mark, Name, rebuilt
from minigrad.notation.latex import latex
from minigrad.viz.recording import Quantity

__all__ = ["Equation", "Recurrence"]


@dataclass(frozen=True)
class Equation:
    """``name = expression``, with the shape of both and the quantity that has the numbers."""
    name: object
    expression: object
    quantity: Quantity
    own: bool = True            # the program has this name, or it is asked for: it is not put into others

    @property
    def shape(self):
        return self.quantity.shape

    @property
    def equations(self):
        return (self,)

    def rounds(self):
        """(the numbers of indices, the equation, its name, its quantity), in the order of the pass."""
        yield {}, self, self.name, self.quantity

    def lines(self):
        """(text, shape)."""
        return [(f"{self.name.text()} = {self.expression.text()}", list(self.shape))]

    def rows(self):
        """Rows of a table in HTML."""
        return [f"<tr><td>{self.mathml()}</td><td>{escape(str(list(self.shape)))}</td></tr>"]

    def latex(self):
        return [rf"{latex(self.name)} &= {latex(self.expression)} \\"]

    def __str__(self):
        return self.lines()[0][0]

    def mathml(self):
        return (f'<math display="block"><mrow>{self.name.mathml()}<mo>=</mo>{starred(self.expression).mathml()}</mrow>'
                "</math>")


@dataclass(frozen=True)
class Recurrence:
    """Equations that hold for each number of an index, in this order: the rounds of a loop, or the layers of a network.

    Names in ``equations`` are ``Indexed``; ``quantities`` has those of each round. ``members`` tells, by the name with
    an index, which of the program's names are meant.
    """
    symbol: str
    numbers: range
    equations: tuple
    quantities: tuple
    members: tuple = ()

    def rounds(self):
        for number, quantities in zip(self.numbers, self.quantities):
            for equation, quantity in zip(self.equations, quantities):
                yield {Name(self.symbol): number}, equation, equation.name.at(number), quantity

    def begins(self):
        """("1, …, 12", [(names with an index, whether they are of modules, what is meant)])."""
        groups = {}
        for name, of_modules, meant in self.members:
            groups.setdefault((of_modules, meant), []).append(name)
        return ends([*map(str, self.numbers)]), [(ends(names), of_modules, ends([*meant]))
                                                 for (of_modules, meant), names in groups.items()]

    def lines(self):
        numbers, members = self.begins()
        words = [", ".join([each if each == "…" else each.text() for each in names])
                 + (" of " if of_modules else ": ") + ", ".join(meant) for names, of_modules, meant in members]
        return [(f"for {self.symbol} = {', '.join(numbers)}{in_brackets(words)}:", None),
                *[("    " + text, shape) for equation in self.equations for text, shape in equation.lines()]]

    def rows(self):
        numbers, members = self.begins()
        words = [", ".join([each if each == "…" else f"<math>{each.mathml()}</math>" for each in names])
                 + (" of " if of_modules else ": ") + escape(", ".join(meant)) for names, of_modules, meant in members]
        begin = f"for <math>{Index(self.symbol).mathml()}</math> = {', '.join(numbers)}{in_brackets(words)}"
        return [f'<tr><th colspan="2">{begin}</th></tr>',
                *[row for equation in self.equations for row in equation.rows()]]

    def latex(self):
        numbers, members = self.begins()
        words = [", ".join([r"\ldots" if each == "…" else latex(each) for each in names])
                 + r"\text{" + (" of " if of_modules else ": ") + ", ".join(meant).replace("_", r"\_") + "}"
                 for names, of_modules, meant in members]
        begin = f"{self.symbol} = {', '.join(numbers)}{in_brackets(words)}".replace("…", r"\ldots")
        return [rf"&\text{{for }} {begin}\colon \\",
                *[r"\quad " + line for equation in self.equations for line in equation.latex()]]

    def __str__(self):
        return "\n".join([text for text, _ in self.lines()])


def in_brackets(words):
    return f" ({'; '.join(words)})" if words else ""


def ends(words):
    """At most three words and an ellipsis."""
    return words if len(words) < 4 else [words[0], "…", words[-1]]


def starred(x):
    """With conjugates as ``x*``, since a bar is a cotangent here."""
    return rebuilt(Mark(x.base, "*") if isinstance(x, Bar) else x, starred)
