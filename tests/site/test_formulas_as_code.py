"""The derivatives of rows as mathematics and as code, in the tables of the site."""

import importlib
import sys
from pathlib import Path

import pytest

from minigrad.ops.exports import ROWS

pytest.importorskip("sphinx")

DOCS = Path(__file__).resolve().parents[2] / "docs" / "_ext"


@pytest.fixture(scope="module")
def extensions():
    another = sys.modules.pop("coverage", None)             # a package that measures tests
    sys.path.insert(0, str(DOCS))
    yield [importlib.import_module(name) for name in ("formulas_as_code", "coverage", "table_of_ops")]
    sys.path.remove(str(DOCS))
    del sys.modules["coverage"]
    if another is not None:
        sys.modules["coverage"] = another


@pytest.mark.parametrize("name, lines", [
    ("tanh", ["d_self = d * (1 - result * result)"]),
    ("mul", ["d_self = d * other", "d_other = d * self"]),
    ("mm", ["adjoint = mat2.T", "d_self = d @ adjoint", "adjoint_2 = self.T", "d_mat2 = adjoint_2 @ d"]),
    ("rsub.Scalar", ["d_self = -d"]),
    ("clone", ["d_self = d"]),                                  # it passes on what arrives
    ("softmax", ["d_self = softmax_backward_kernel(d, result, 1)"]),
    ("eq", None),                                               # nothing to differentiate
])
def test_the_lines_of_a_row(extensions, name, lines):
    assert extensions[0].as_code(name) == lines


def test_the_formulas_of_a_row(extensions):
    texts = lambda name: [(of, each.text()) for of, each in extensions[0].formulas_of(ROWS[name])]
    assert texts("tanh") == [("self", "d * (1 - result²)")]
    assert texts("floor") == [("self", "0")]


def test_a_row_that_is_refused_says_why(extensions, monkeypatch):
    formulas_as_code = extensions[0]
    asked = formulas_as_code.asked.__wrapped__
    monkeypatch.setattr("minigrad.viz.program.Writer.ways", lambda *given: iter([("np.zeros(2)", False)]))
    why = asked("tanh")["code"]
    assert why.startswith("viz.code(): tanh (") and "cannot be written as a program" in why and "[MG" not in why


def test_refusals_are_listed_with_their_reasons(extensions, monkeypatch):
    """Of a few rows; tests/viz/test_program.py and test_derivation.py try all of them."""
    formulas_as_code = extensions[0]
    rows = ["tanh", "mul", "mm"]
    monkeypatch.setattr(formulas_as_code, "differentiable", lambda: rows)
    assert formulas_as_code.not_written() == formulas_as_code.not_derived() == {}
    monkeypatch.setattr(formulas_as_code, "asked", lambda name: {"code": "it is late" if name == "mm" else [],
                                                                 "equations": []})
    assert formulas_as_code.not_written() == {"mm": "it is late"} and formulas_as_code.not_derived() == {}


def test_the_cells_of_an_operation(extensions):
    _, coverage, _ = extensions
    mathematics, code = coverage.forms_of(ROWS["tanh"])
    assert mathematics.startswith(":raw-html:`<span>self: <math>")
    assert "<msup><mi>result</mi><mn>2</mn></msup>" in mathematics
    assert code == ":raw-html:`<code>d_self = d * (1 - result * result)</code>`"
    assert coverage.forms_of(ROWS["mish"])[1] == ":py:func:`at mish <minigrad.nn.functional.mish>`"    # nine lines


def test_the_row_behind_a_function(extensions):
    from tests.ops.samples import ROWS as SAMPLES
    samples = {row.name: row for row in SAMPLES if row.where != "row"}
    behind = lambda name: extensions[1].row_behind(samples[name])
    assert behind("tanh").name == "tanh" and behind("conv2d").name == "convolve" and behind("cross_entropy") is None


def test_an_entry_has_the_code(extensions):
    table_of_ops = extensions[2]
    families = map(table_of_ops.Family, table_of_ops.TABLE.rglob("*.py"))
    family = next(family for family in families if any([name == "tanh" for _, name, _ in family.public()]))
    entry = table_of_ops.page(family).partition(".. py:function:: minigrad.tanh(")[2].partition(".. py:function::")[0]
    assert "         d_self = d * (1 - result * result)\n" in entry
