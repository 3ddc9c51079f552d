"""proofs.txt: for each formula of the table, by which means it is proved, or why it is only tested.

A line of it is ``row input: means, count`` or ``row input: tests, reason``:

    algebra     so many identities were proved by SymPy (symbolic.py)
    matrix      so many matrices are equal, entry by entry (exact.py)
    rounding    the same to 1e-12, because the row is not exact on integers
    refused     the formula is an error on purpose: there is no derivative
    tests       none of these; the samples of tests/ops compare it with finite differences and with PyTorch
"""

import collections
from pathlib import Path

from minigrad.ops import kinds

FILE = Path(__file__).with_name("proofs.txt")
PROVED = ("algebra", "matrix", "rounding")
Entry = collections.namedtuple("Entry", "row, of, means, detail")

#: elementwise rows without a meaning, and why
WITHOUT_MEANING = {
    "standard_gamma": "a draw, whose gradient is found by quadrature: tests/distributions compares it with "
                      "differences of the distribution function",
}
GENERAL = "general: its Jacobian is neither diagonal nor constant"


def rows():
    return [row for _, row in sorted(kinds.ROWS.items()) if any([formula.text for formula in row.formulas])]


def prove(row):
    """The entries of a row, found anew.  Raises AssertionError if a formula is refuted."""
    from . import exact, symbolic
    matrices, found = exact.prove(row), []
    for formula in row.formulas:
        means, detail = "tests", GENERAL
        if formula.of in matrices:
            proof = matrices[formula.of]
            means, detail = proof.means or "tests", proof.matrices or proof.why
        elif row.name in WITHOUT_MEANING:
            detail = WITHOUT_MEANING[row.name]
        elif row.kind == "elementwise":
            try:
                means, detail = "algebra", symbolic.prove(row, formula.of)
            except symbolic.Refused as refusal:
                means, detail = "refused", str(refusal).partition(": ")[2]
        found.append(Entry(row.name, formula.of, means, str(detail)))
    return found


def write(entries):
    FILE.write_text("".join([f"{each.row} {each.of}: {each.means}, {each.detail}\n" for each in entries]),
                    encoding="utf-8")


def read():
    """[Entry] of proofs.txt."""
    found = []
    for line in FILE.read_text(encoding="utf-8").splitlines():
        names, _, result = line.partition(": ")
        found.append(Entry(*names.split(" "), *result.split(", ", 1)))
    return found


def counted(entries):
    """How many formulas each of the means has, the strongest first."""
    found = collections.Counter([each.means for each in entries])
    return {means: found[means] for means in (*PROVED, "refused", "tests")}
