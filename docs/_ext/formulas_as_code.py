"""The derivative of each row as mathematics and as code, from the table itself.

The mathematics is the formulas of the row (minigrad/notation).  The code is what ``viz.code`` writes of the backward
pass of one call, with the names of the row's parameters: each line has run, and has given the gradient.

``.. refusals::`` lists the rows for which there is neither.
"""

import functools
import re
import warnings

import minigrad
import numpy as np
from minigrad import viz
from minigrad._core.dispatch.levels import apply
from minigrad._core.errors import MinigradError
from minigrad.notation.expressions import Number
from minigrad.notation.rows import written
from minigrad.ops.exports import ROWS
from minigrad.viz.derivation import EveryStep
from minigrad.viz.program import reverse_program
from minigrad.viz.recording import Quantity
from sphinx.util.docutils import SphinxDirective

from tests.ops.calling import calls_of_rows, tensors_of

__all__ = ["as_code", "formulas_of", "differentiable", "not_derived", "not_written"]

CODE, EQUATIONS = "code", "equations"


def formulas_of(row):
    """[(input, expression)] of the formulas of a row; without those that are functions of Python."""
    found = [(formula.of, Number("0") if formula.text is None else written(row, formula.of))
             for formula in row.formulas]
    return [(of, expression) for of, expression in found if expression is not None]


def as_code(name):
    """The lines that compute the gradients of one call of a row; ``d`` is what arrives.  None if there are none."""
    lines = asked(name)[CODE]
    return lines if isinstance(lines, list) else None


def not_written():
    """{row: why it has no program}."""
    return refusals(CODE)


def not_derived():
    """{row: why it has no equations}."""
    return refusals(EQUATIONS)


def refusals(form):
    return {name: found for name in differentiable() if isinstance(found := asked(name)[form], str)}


@functools.cache
def differentiable():
    """The rows of which a call has a backward pass."""
    return [name for name in sorted(ROWS) if asked(name)[EQUATIONS] is not None]


@functools.cache
def asked(name):
    """{form: the lines or equations of the first call that has a backward pass, or why there are none}."""
    row = ROWS[name]
    calls = calls_of_rows().get(name, []) if row.formulas and not row.draws else []
    for arguments in sorted(calls, key=lambda arguments: -how_many_arrays(row, arguments)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                made, one = recorded(row, arguments)
            except (RuntimeError, TypeError, ValueError):   # a call that is there for its error, or has no derivative
                continue
            if one is not None and one.leaves:
                return {form: answer(write, made, one) for form, write in ((CODE, lines_of), (EQUATIONS, EveryStep))}
    return {CODE: None, EQUATIONS: None}


def how_many_arrays(row, arguments):
    """Of a call: of those that have a formula, how many are tensors."""
    moving = {formula.of for formula in row.formulas}
    return sum([isinstance(x, np.ndarray) for x, name in zip(arguments, row.params) if name in moving])


def answer(write, made, one):
    try:
        return write(made, one)
    except MinigradError as refused:
        return re.sub(r" \[MG\d+\].*", "", str(refused), flags=re.DOTALL)


def recorded(row, arguments):
    """The recording of a call, with the names of the row, and its backward pass; None where nothing is differentiable.
    """
    moving = {formula.of for formula in row.formulas}
    given = [tensors_of(x, name in moving) for x, name in zip(arguments, row.params)]
    with viz.recording() as made:
        result = apply(row, [*given, *row.defaults[len(given):]])
    results = result if isinstance(result, (tuple, list)) else [result]
    call = [call for call in made.calls if call.op is row][-1]
    for name, x in zip(row.params, call.arguments):
        for i, quantity in enumerate(x if type(x) is list else [x]):
            if isinstance(quantity, Quantity):
                quantity.name = f"{name}_{i}" if type(x) is list else name
    for i, quantity in enumerate(call.results):
        quantity.name = row.outputs[i] if row.outputs else "result" if len(call.results) == 1 else f"result_{i}"
    result = next((each for each in results if each.requires_grad), None)
    if result is None:
        return made, None
    return made, made.pass_of(result, minigrad.rand(result.shape, dtype=result.dtype))


def lines_of(made, one):
    """The lines of the backward pass without comments; what arrives is called d."""
    program = reverse_program(made, one.roots[0], one, fold=False)
    inputs = program.text.partition("# ---- inputs\n")[2].partition("# ---- forward")[0]
    arrives = re.compile(rf"\b{re.search(r'^(d_[a-zA-Z]+[a-zA-Z0-9_]*) = ', inputs, re.MULTILINE)[1]}\b")
    lines = [line for step in program.steps for text in step for line in text.splitlines()]
    lines = [arrives.sub("d", line.partition("  #")[0].rstrip()) for line in lines if line and line[0] != "#"]
    return lines + [f"d_{leaf.name} = d" for (leaf, _), (_, name) in zip(one.leaves, program.results[1:])
                    if arrives.fullmatch(name)]


class Refusals(SphinxDirective):
    """How many rows have equations and a program; and those that have none, with reasons."""

    def run(self):
        rows, lines = len(differentiable()), []
        for words, refused in (("equations", not_derived()), ("a program", not_written())):
            lines += [f"- Of the {rows} rows of which a sample has a backward pass, {rows - len(refused)} have "
                      f"{words}."]
            lines += ["", *[f"  - ``{name}``: {why}" for name, why in refused.items()], ""]
        return self.parse_text_to_nodes("\n".join(lines))


def setup(app):
    app.add_directive("refusals", Refusals)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
