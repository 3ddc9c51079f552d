"""What is proved of each formula, from tests/proofs/proofs.txt: on the entries of operations, and as a table.

``.. proofs::`` shows how many formulas are proved by which means, and lists those that are only tested.
"""

import itertools
from operator import attrgetter

from sphinx.util.docutils import SphinxDirective
from tests.proofs.ledger import PROVED, counted, read

MEANS = {
    "algebra": ("an identity", "SymPy shows that the formula is the derivative of what the operation means."),
    "matrix": ("exact matrices", "In integers, gradients and tangents are the matrix of the operation, bit by bit."),
    "selection": ("exact matrices, between ties",
                  "The same for operations that choose among their numbers, such as a maximum, where these differ."),
    "balls": ("30 digits",
              "At random points the derivative is enclosed in two ways, to 30 digits, and the two enclosures meet."),
    "rounding": ("matrices, to rounding", "The same to 1e-12, since the operation itself is rounded."),
    "refused": ("refused", "There is none in closed form, or PyTorch has none either; asking for one is an error."),
    "tests": ("tested", "Compared with finite differences and with PyTorch, as all others are too."),
}


def badge(row):
    """``Proved: self an identity, other an identity``, with a link to what that means; "" without formulas."""
    entries = [entry for entry in read_once() if entry.row == row.name]
    return ", ".join([f"``{entry.of}`` :ref:`{MEANS[entry.means][0]} <means-{entry.means}>`" for entry in entries])


def read_once(known=[]):
    known.extend([] if known else read())
    return known


def table():
    lines = [".. list-table::", "   :header-rows: 1", "   :widths: 24 10 66", "",
             "   * - Means", "     - Formulas", "     - What is known"]
    numbers = counted(read_once())
    for means, n in numbers.items():
        name, words = MEANS[means]
        lines += [f"   * - .. _means-{means}:", "", f"       {name}", f"     - {n}", f"     - {words}"]
    proved, all_of_them = sum([numbers[means] for means in PROVED]), sum(numbers.values())
    return [*lines, "", f"Of {all_of_them} formulas {proved} are proved by one of the first {len(PROVED)} means, "
            f"{numbers['refused']} refuse, and {numbers['tests']} are only tested.", ""]


def only_tested():
    """The rows whose formulas are only tested, by reason."""
    entries = sorted([entry for entry in read_once() if entry.means == "tests"], key=attrgetter("detail", "row"))
    lines = []
    for why, several in itertools.groupby(entries, attrgetter("detail")):
        rows = itertools.groupby(several, attrgetter("row"))
        names = ", ".join([f"``{row}`` ({', '.join([entry.of for entry in group])})" for row, group in rows])
        lines += [f"*{why[:1].upper()}{why[1:]}*: {names}.", ""]
    return lines


class Proofs(SphinxDirective):
    def run(self):
        return self.parse_text_to_nodes("\n".join([*table(), ".. dropdown:: What is only tested", "",
                                                   *["   " + line for line in only_tested()]]))


def setup(app):
    app.add_directive("proofs", Proofs)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
