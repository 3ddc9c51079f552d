"""``.. coverage-of-modes::``: the modes in which every operation works, according to the tests; ``.. forms-of-rows::``:
its formulas as mathematics and as code.

Nothing here is typed by hand.  The sample rows (tests/ops/samples) list the operations and the derivatives that are
checked: a row that asks for second derivatives fails if they are wrong.  Running a sample under vmap shows whether
there is a rule, and a lookup shows whether there is an in-place form.  A derivative as mathematics and as code comes
from the row of the table that a sample calls (formulas_as_code.py).
"""

import warnings
from unittest import mock

import minigrad
from minigrad import func, viz
from minigrad._core.errors import MinigradError
from minigrad._core.graph import Tensor
from minigrad.func import taylor_mode
from minigrad.func.rules import apply
from minigrad.notation.escaping import escape
from minigrad.ops import exports
from sphinx.util.docutils import SphinxDirective

from formulas_as_code import as_code, formulas_of
from table_of_ops import PLACES, link, published_as, rows_of
from tests.ops.samples import ROWS
from tests.ops.test_ops import bound, call, flat, function_of, ours

YES, NO = "✓", "–"
COLUMNS = ["operation", "reverse", "twice", "forward", "every order", "vmap", "in place", "complex"]
FORMS = ["operation", "as mathematics", "as code"]


#: The results of a sample under vmap, the worst first.
VMAP = ["refused", "shape depends on the numbers", "one by one", "by a rule", NO]

#: How a coefficient is computed, the simplest first: the method of taylor_mode.Taylor, and what the table says.
ORDERS = {"of_linear": "linear", "of_product": "product", "of_line": "product", "of_steps": "steps",
          "of_elementwise": "elementwise", "of_equation": "equation", "by_slope": "differential"}


def samples_by_name():
    rows = {}
    for row in ROWS:
        if row.where != "row":
            rows.setdefault(row.name, []).append(row)
    return dict(sorted(rows.items()))


def table_of(lines, widths, kind):
    text = [".. list-table::", "   :header-rows: 1", f"   :widths: {widths}", f"   :class: {kind}", ""]
    for line in lines:
        text += [f"   {' ' if i else '*'} - {cell}" for i, cell in enumerate(line)]
    return text


def lines_of_table():
    lines = [cells(name, rows) for name, rows in samples_by_name().items()]
    return table_of([COLUMNS, *lines], "24 8 8 8 14 20 8 8", "coverage")


def lines_of_forms():
    """The operations that are one row of the table, with its formulas and with its code."""
    lines = []
    for name, rows in samples_by_name().items():
        op = next((op for row in rows if row.grad and (op := row_behind(row))), None)
        if op is not None:
            lines.append([shown(name), *forms_of(op)])
    return [".. role:: raw-html(raw)", "   :format: html", "", *table_of([FORMS, *lines], "auto", "forms")]


def cells(name, rows):
    """The cells of one operation, from its sample rows."""
    in_place = name.split(".")[-1] + "_"
    derivative = [row for row in rows if row.grad and has_derivative(row)]
    return [
        shown(name),
        YES if derivative else NO,
        YES if any(row.gradgrad for row in derivative) else NO,
        YES if derivative else NO,
        next((found for row in derivative if (found := orders_of(row))), NO),
        min([vmap_of(row) for row in rows], key=VMAP.index),
        YES if in_place in exports.INPLACE or in_place in exports.METHODS else NO,
        YES if any(row.complex for row in rows) else NO,
    ]


#: The longest formula and line in a cell, and the most lines: longer ones are at the entry of the operation.
LONGEST, LINES = 44, 6


def forms_of(op):
    """The cells of a row: its formulas as mathematics and as code."""
    formulas, lines = formulas_of(op), as_code(op.name)
    function = function_of_row(op)
    elsewhere = "long" if function is None else link(function, f"at {published_as(function)[1]}")
    mathematics = [f"<span>{of}: <math>{expression.mathml()}</math></span>" for of, expression in formulas]
    code = [f"<code>{escape(line)}</code>" for line in lines or ()]
    return [html_of(mathematics) if fits([expression.text() for _, expression in formulas]) else elsewhere,
            html_of(code) if fits(lines) else elsewhere]


def function_of_row(op):
    """The public function that is this row."""
    return next((function for _, registry in PLACES for function in registry.values() if op in rows_of(function)), None)


def fits(texts):
    return bool(texts) and len(texts) <= LINES and max(map(len, texts)) <= LONGEST


def html_of(parts):
    return f":raw-html:`{'<br>'.join(parts)}`"


def row_behind(row):
    """The row that the function of this sample is, or the only differentiable one that it calls."""
    for case in row.cases:
        inputs, args, kwargs, _ = bound(ours, row, case, "float64")
        if not inputs:
            continue
        with viz.recording() as made:
            function_of(row, inputs, args, kwargs)(*inputs)
        own = {id(op) for op in rows_of(function_named(row.name))}
        found = {id(call.op): call.op for call in made.calls if call.op.formulas and any([
            x.requires_grad for x in call.quantities()])}
        if len(found) == 1 or own & found.keys():
            return next(op for key, op in found.items() if len(found) == 1 or key in own)
    return None


def function_named(name):
    function = minigrad
    for part in name.split("."):
        function = getattr(function, part, None)
    return function if function is not None else getattr(minigrad.nn.functional, name, None)


def shown(name):
    function = function_named(name)
    return link(function, name) if function is not None and published_as(function) else f"``{name}``"


def has_derivative(row):
    for case in row.cases:
        inputs, args, kwargs, _ = bound(ours, row, case, "float64")
        if inputs and function_of(row, inputs, args, kwargs)(*inputs):
            return True
    return False


def orders_of(row):
    """How series go through the first sample that has a derivative: by the least simple of its rows; or the code of the
    error that refuses them."""
    for case in row.cases:
        inputs, args, kwargs, _ = bound(ours, row, case, "float64")
        function = function_of(row, inputs, args, kwargs)
        if inputs and function(*inputs):
            return order_three(function, [x.detach() for x in inputs])
    return None


def order_three(function, inputs):
    noted = set()

    def noting(name, method):
        def noted_method(self, *args):
            if self.depth == 1:         # not among the rows of which its differential is made
                noted.add(name)
            return method(self, *args)

        return noted_method

    noting_all = {name: noting(name, getattr(taylor_mode.Taylor, name)) for name in ORDERS}
    with mock.patch.multiple(taylor_mode.Taylor, **noting_all):
        try:
            _, series = func.jet(lambda *xs: tuple(function(*xs)), tuple(inputs), tuple([(x, x, x) for x in inputs]))
        except MinigradError as refused:
            return f"refused, :doc:`{refused.code} </notes/errors>`"
    words = [word for name, word in ORDERS.items() if name in noted]
    same = any(bool(term.ne(0).any()) for terms in series for term in terms)       # of what returns its argument
    return words[-1] if words else ORDERS["of_linear"] if same else NO


def vmap_of(row):
    """``by a rule``, or the operations that are computed one example at a time; or why vmap raises."""
    if not row.cases:                   # a function that is only ever refused
        return NO
    _, args, kwargs, _ = bound(ours, row, row.cases[0], "float64")
    tensors = [x for x in flat([args, list(kwargs.values())]) if isinstance(x, Tensor)]
    if not tensors:
        return NO
    slots = {id(x): i for i, x in enumerate(tensors)}

    def function(*given):
        def swap(x):
            if isinstance(x, (list, tuple)):
                return type(x)(swap(y) for y in x)
            return given[slots[id(x)]] if id(x) in slots else x

        return tuple([x for x in flat(call(minigrad, row, [swap(x) for x in args],
                                           {k: swap(v) for k, v in kwargs.items()})) if isinstance(x, Tensor)])

    apply._said.clear()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            func.vmap(function)(*[minigrad.stack([x.detach(), x.detach()]) for x in tensors])
        except MinigradError as refused:
            return "shape depends on the numbers" if refused.code == "MG117" else "refused"
    slow = [w for w in caught if "performance drop" in str(w.message)]
    return "one by one" if slow else "by a rule"


class CoverageOfModes(SphinxDirective):
    table = staticmethod(lines_of_table)

    def run(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")         # of the functions that are deprecated in PyTorch
            lines = self.table()
        return self.parse_text_to_nodes("\n".join(lines))


class FormsOfRows(CoverageOfModes):
    table = staticmethod(lines_of_forms)


def setup(app):
    app.add_directive("coverage-of-modes", CoverageOfModes)
    app.add_directive("forms-of-rows", FormsOfRows)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
