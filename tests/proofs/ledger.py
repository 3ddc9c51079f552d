"""proofs.txt: for each formula of the table, by which means it is proved, or why it is only tested.

A line of it is ``row input: means, count`` or ``row input: tests, reason``.  The means, the strongest first:

    algebra     so many identities were proved by SymPy (symbolic.py)
    matrix      so many matrices are equal, entry by entry (exact.py)
    selection   the same for rows that choose among their numbers, between ties
    balls       at so many points the enclosures of the derivative meet, to 30 digits (enclosing.py)
    rounding    matrices that are the same to 1e-12, because the row is not exact on integers
    refused     the formula is an error on purpose: there is no derivative
    tests       none of these; the samples of tests/ops compare it with finite differences and with PyTorch
"""

import collections
from pathlib import Path

from minigrad.ops import exports

FILE = Path(__file__).with_name("proofs.txt")
PROVED = ("algebra", "matrix", "selection", "balls", "rounding")
Entry = collections.namedtuple("Entry", "row, of, means, detail")

#: rows without a meaning, and why
WITHOUT_MEANING = dict.fromkeys(
    ["standard_gamma", "sample_dirichlet"],
    "a draw, whose gradient is found by quadrature: tests/distributions compares it with differences of the "
    "distribution function")
#: rows whose purpose is to raise
REFUSING = {"underived": "it stands for a derivative that has no closed form, and raises"}


def rows():
    return [row for _, row in sorted(exports.ROWS.items()) if any([formula.text for formula in row.formulas])]


def prove(row):
    """The entries of a row, found anew.  Raises AssertionError if a formula is refuted."""
    from . import exact
    why = {**WITHOUT_MEANING, **exact.WITHOUT}.get(row.name)
    if row.name in REFUSING:
        found = [("refused", REFUSING[row.name])] * len(row.formulas)
    elif why:
        found = [("tests", why)] * len(row.formulas)
    else:
        matrices = exact.prove(row)
        found = [means_of(row, formula.of, matrices.get(formula.of)) for formula in row.formulas]
    return [Entry(row.name, formula.of, *map(str, each)) for formula, each in zip(row.formulas, found)]


def means_of(row, of, matrices):
    """(means, detail) of a formula; ``matrices`` is what exact.py has found of it, or None."""
    if matrices is not None and matrices.means in ("matrix", "selection"):
        return matrices.means, matrices.matrices
    if row.kind == "elementwise":
        return by_algebra(row, of)
    means, detail = by_balls(row, of)
    if means == "tests" and matrices is not None:
        return (matrices.means, matrices.matrices) if matrices.means else ("tests", matrices.why)
    return means, detail


def by_algebra(row, of):
    from . import symbolic
    try:
        return "algebra", symbolic.prove(row, of)
    except symbolic.Refused as refusal:
        return "refused", str(refusal).partition(": ")[2]


def by_balls(row, of):
    from . import enclosing
    try:
        return "balls", enclosing.prove(row, of)
    except enclosing.Refused as refusal:
        return "refused", refusal
    except enclosing.Unproved as why:
        return "tests", why


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
