"""An expression for LaTeX: ``\\bar{z} = \\frac{1}{5} \\left(p - t\\right)``.

The same tree as the text and the MathML of expressions.py, with the same levels for brackets.
"""

from minigrad.notation.expressions import (ATOM, INDICES, OR, POWER, PRODUCT, SUM, Bar, Cases, Cotangent, Function,
                                           Hole, Index, Indexed, Infix, Item, Literal, Mark, Matmul, Name, Not, Number,
                                           Part, Power, Product, Run, Series, Sum, SumOver, Tangent, With, power,
                                           written_number)

__all__ = ["latex"]

SIGNS = {"==": "=", "!=": r"\ne", "<": "<", "<=": r"\le", ">": ">", ">=": r"\ge", "and": r"\wedge", "or": r"\vee"}
MARKS = {"ᵀ": r"\top", "ᴴ": r"\mathsf{H}", "⁻¹": "-1"}
SIGN_ABOVE = {Cotangent: r"\overline", Tangent: r"\dot"}
DIGITS = str.maketrans("₀₁₂₃₄₅₆₇₈₉₋", "0123456789-")


def latex(x):
    """The expression as LaTeX, for math mode."""
    return FORMS[type(x)](x)


def within(x, level):
    """In brackets if it binds less tightly than ``level``."""
    return latex(x) if x.level >= level else rf"\left({latex(x)}\right)"


def name(written):
    """A name: one letter is a variable, more are upright; digits at the end are an index."""
    letters = written.rstrip("0123456789₀₁₂₃₄₅₆₇₈₉₋")
    index = written[len(letters):].translate(DIGITS)
    bare = letters.rstrip("′")
    upright = bare if len(bare) == 1 else rf"\mathrm{{{escaped(bare)}}}"
    return upright + "'" * (len(letters) - len(bare)) + (f"_{{{index}}}" if index else "")


def indexed(x):
    """The index is that of the letter, under the bar too: two indices one after the other are an error in TeX."""
    together = Name(x.base.name.rstrip("0123456789"))
    below = x.base.name[len(together.name):] + "," * (together.name != x.base.name) + x.index.written()
    inside = f"{name(together.name)}_{{{below}}}"
    return rf"{SIGN_ABOVE[type(x.base)]}{{{inside}}}" if isinstance(x.base, Cotangent) else inside


def series(x):
    low, high = x.bounds
    return rf"\sum_{{{x.symbol}={low}}}^{{{high}}} {within(x.term, x.within)}"


def escaped(text):
    return "".join(["\\" + sign if sign in "_&%$#{}" else sign for sign in text])


def added(x):
    (first, start), *others = x.signed()
    return ("-" if first == "-" else "") + within(start, PRODUCT) + "".join(
        [f" {sign} {within(term, PRODUCT)}" for sign, term in others])


def multiplied(x):
    def row(pairs, alone):
        level = SUM if alone and len(pairs) == 1 else POWER
        return r" \, ".join([within(power(factor, often), level) for factor, often in pairs]) or "1"

    inside = rf"\frac{{{row(x.above, True)}}}{{{row(x.below, True)}}}" if x.below else row(x.above, False)
    return "-" * x.negative + inside


def summed(x):
    if len(x.axes) == x.dims:
        return rf"\sum {within(x.base, POWER)}"
    below, every = ["".join([INDICES[i] for i in axes]) for axes in (x.axes, range(x.dims))]
    base = rf"\left({latex(x.base)}\right)" if isinstance(x.base, Indexed) else f"{{{within(x.base, ATOM)}}}"
    return rf"\sum_{{{below}}} {base}_{{{every}}}"


def cases(x):
    rows = [rf"{latex(value)} & \text{{if }} {latex(condition)}" for value, condition in x.pairs]
    rows.append(rf"{latex(x.otherwise)} & \text{{else}}")
    return r"\begin{cases} " + r" \\ ".join(rows) + r" \end{cases}"


def called(x):
    arguments = ", ".join([latex(each) for each in x.arguments])
    if len(x.arguments) == 1 and x.name in ("sqrt", "exp", "abs"):
        return {"sqrt": rf"\sqrt{{{arguments}}}", "exp": f"e^{{{arguments}}}",
                "abs": rf"\left|{arguments}\right|"}[x.name]
    return rf"\mathrm{{{escaped(x.name)}}}\left({arguments}\right)"


FORMS = {
    Name: lambda x: r"\pi" if x.name == "π" else name(x.name),
    Cotangent: lambda x: rf"\bar{{{name(x.name)}}}" if len(x.name) == 1 else rf"\overline{{{name(x.name)}}}",
    Tangent: lambda x: rf"\dot{{{name(x.name)}}}",
    Number: lambda x: x.written if x.written.strip("-.0123456789") == "" else rf"\mathrm{{{escaped(x.written)}}}",
    Literal: lambda x: x.written,
    Sum: added,
    Product: multiplied,
    Power: lambda x: f"{within(x.base, ATOM)}^{{{latex(x.exponent)}}}",
    Mark: lambda x: f"{within(x.base, ATOM)}^{{{MARKS[x.sign]}}}",
    Bar: lambda x: rf"{within(x.base, ATOM)}^{{*}}",
    Matmul: lambda x: rf"{within(x.left, PRODUCT)} \, {within(x.right, POWER)}",
    Infix: lambda x: f"{within(x.left, x.level + 1)} {SIGNS[x.sign]} {within(x.right, x.level + 1)}",
    Not: lambda x: rf"\neg {within(x.inner, OR + 3)}",
    Cases: cases,
    Function: called,
    Item: lambda x: f"{within(x.sequence, ATOM)}_{{[{written_number(x.number)}]}}",
    Part: lambda x: f"{within(x.base, ATOM)}_{{[{x.subscript()}]}}",
    SumOver: summed,
    Hole: lambda x: r"\cdot",
    With: lambda x: (rf"{within(x.base, OR)} \text{{ with }} {latex(x.shown_place)} \leftarrow "
                     f"{within(x.part, OR)}"),
    Index: lambda x: x.written(" \\, ", " "),
    Indexed: indexed,
    Series: series,
    Run: lambda x: r", \ldots, ".join(map(latex, x.ends)),
}
