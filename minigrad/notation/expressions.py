"""Expressions on paper: a tree of products, sums and powers, written as a line of text or as MathML.

The text is Python, with a few signs that every reader of mathematics knows: ``d * other``, ``d @ mat2ᵀ``,
``-d * self / other²``.  The MathML sets the same tree as a textbook would, with fractions, roots and braces.

The one idea is *levels*: each form has a level that says how tightly it binds its parts, and a part that binds more
loosely than its place requires gets brackets.

    or  <  and  <  not  <  comparison  <  sum  <  product, @  <  power, mark  <  name, number, function

A product keeps its sign, its factors and its divisors apart, so that ``(-d) * (1 / r)`` and ``-(d / r)`` are one thing.
"""

import re
from dataclasses import dataclass, field, fields
from unicodedata import normalize

from minigrad.notation.escaping import escape

__all__ = ["HOLE", "Bar", "Cases", "Cotangent", "Function", "Hole", "Index", "Indexed", "Infix", "Item", "Literal",
           "Mark", "Matmul", "Name", "Not", "Number", "Part", "Power", "Product", "Run", "Series", "Sum", "SumOver",
           "Tangent", "With", "negated", "put_in", "rebuilt", "substituted"]

OR, AND, NOT, COMPARISON, SUM, PRODUCT, POWER, ATOM = range(8)

INDICES, SUBSCRIPTS = "ijklmn", "ᵢⱼₖₗₘₙ"
BELOW = str.maketrans("0123456789+-=tlsrup", "₀₁₂₃₄₅₆₇₈₉₊₋₌ₜₗₛᵣᵤₚ")
OVERLINE, DOT = "\N{COMBINING OVERLINE}", "\N{COMBINING DOT ABOVE}"
SMALL = "".join(map(chr, BELOW.values()))        # what belongs to no name of letters
ABOVE = {small: sign for sign, small in BELOW.items()}
SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
APPLY = "<mo>&#x2061;</mo>"         # the invisible sign between a function and its argument


def tag(name, *inside):
    return f"<{name}>{''.join(inside)}</{name}>"


def operator(sign):
    return f"<mo>{escape(sign)}</mo>"


def bracketed(inside):
    """In brackets, which are tall only if their contents are."""
    tall = "mfrac" in inside or "mtable" in inside
    left, right = [f'<mo stretchy="{str(tall).lower()}">{sign}</mo>' for sign in "()"]
    return tag("mrow", left, inside, right)


class Expression:
    """A part of a formula; ``level`` says how tightly it binds."""

    level = ATOM

    def parts(self):
        """The expressions directly inside this one."""
        return ()

    def mentions(self, name):
        """Does ``name`` occur in it?"""
        return self == Name(name) or any([part.mentions(name) for part in self.parts()])

    def settled(self):
        """The expression, simplified if the numbers in it allow that."""
        return self

    def text_within(self, level):
        """The text, in brackets if it binds less tightly than ``level``."""
        return self.text() if self.level >= level else f"({self.text()})"

    def mathml_within(self, level):
        return self.mathml() if self.level >= level else bracketed(self.mathml())


@dataclass(frozen=True)
class Name(Expression):
    name: str

    def text(self):
        return self.name

    def mathml(self):
        letters = self.name.rstrip(SMALL)
        if letters and letters != self.name:
            return tag("msub", Name(letters).mathml(), tag("mn", self.name[len(letters):].translate(ABOVE)))
        return tag("mi", escape(self.name)) if self.name.isidentifier() else tag("mtext", escape(self.name))


def above(name, sign, before):
    """A name of one letter with a sign above that; ``before`` and a longer one, above which it could not be read."""
    return name[0] + sign + name[1:] if not name[1:].strip(SMALL + "′") else before + name


@dataclass(frozen=True)
class Cotangent(Expression):
    """The gradient of the result with respect to what has this name: ``z̅``, and ``∇loss`` of more than one letter."""
    name: str

    def text(self):
        return above(self.name, OVERLINE, "∇")

    def mathml(self):
        return f'<mover accent="true">{Name(self.name).mathml()}<mo>¯</mo></mover>'


@dataclass(frozen=True)
class Tangent(Cotangent):
    """How fast the quantity of this name moves, if the leaves do: ``ż``, and ``δloss`` of more than one letter."""

    def text(self):
        return normalize("NFC", above(self.name, DOT, "δ"))

    def mathml(self):
        return f'<mover accent="true">{Name(self.name).mathml()}<mo>˙</mo></mover>'


@dataclass(frozen=True)
class Number(Expression):
    """A number, or another constant: None, True, a string; ``written`` is its text, and ``value`` may be itself."""
    written: str
    value: object = field(default=None, compare=False, repr=False)

    @property
    def level(self):
        return SUM if self.written.startswith("-") else ATOM

    def text(self):
        return self.written

    def mathml(self):
        return tag("mn", escape(self.written.replace("-", "−")))


@dataclass(frozen=True)
class Literal(Expression):
    """The numbers of a tensor, in place of its name."""
    written: str
    real: bool = True

    @property
    def level(self):
        return SUM if self.written.startswith("-") or not self.real and self.written[0] != "[" else ATOM

    def text(self):
        return self.written


@dataclass(frozen=True)
class Sum(Expression):
    terms: tuple
    level = SUM

    @classmethod
    def of(cls, *terms):
        """The sum of the terms; sums among them are flattened."""
        return cls(tuple([each for term in terms for each in (term.terms if isinstance(term, Sum) else (term,))]))

    def parts(self):
        return self.terms

    def settled(self):
        """Integers are added up: the ``exponent - 1`` of a square is 1."""
        written = [term.text() for term in self.terms]
        return (Number(str(sum(map(int, written)))) if all([each.removeprefix("-").isdecimal() for each in written])
                else self)

    def signed(self):
        """(sign, term) for each term, with the sign taken out of it."""
        found = []
        for term in self.terms:
            negative = isinstance(term, Product) and term.negative
            found.append(("-" if negative else "+", negated(term) if negative else term))
        return found

    def text(self):
        text = " ".join([f"{sign} {term.text_within(PRODUCT)}" for sign, term in self.signed()])
        return text[2:] if text.startswith("+") else "-" + text[2:]

    def mathml(self):
        (first, start), *others = self.signed()
        return tag("mrow", operator("−") if first == "-" else "", start.mathml_within(PRODUCT),
                   *[operator(sign.replace("-", "−")) + term.mathml_within(PRODUCT) for sign, term in others])


@dataclass(frozen=True)
class Product(Expression):
    """``above / below``, with a sign; factors are pairs (expression, multiplicity)."""
    negative: bool
    above: tuple
    below: tuple

    @classmethod
    def of(cls, above, below=(), negative=False):
        """The product of all ``above`` divided by all ``below``; products among them are flattened, and equal factors
        counted."""
        factors, divisors = {}, {}
        for here, there, expressions in ((factors, divisors, above), (divisors, factors, below)):
            for expression in expressions:
                inner = expression if isinstance(expression, Product) else cls(False, ((expression, 1),), ())
                negative ^= inner.negative
                for pairs, into in ((inner.above, here), (inner.below, there)):
                    for factor, often in pairs:
                        if isinstance(factor, Number) and factor.written.startswith("-"):
                            negative ^= often % 2 == 1
                            factor = Number(factor.written[1:])
                        into[factor] = into.get(factor, 0) + often
        product = cls(negative, without_ones(factors), without_ones(divisors))
        return product.simple()

    def simple(self):
        """The product, or its factor if it has only one."""
        if not self.negative and not self.below and len(self.above) == 1 and self.above[0][1] == 1:
            return self.above[0][0]
        return Number("1") if not self.above and not self.below and not self.negative else self

    @property
    def level(self):
        return SUM if self.negative else PRODUCT

    def parts(self):
        return tuple([factor for factor, _ in self.above + self.below])

    def text(self):
        above = " * ".join([power(factor, often).text_within(PRODUCT if at == 0 else POWER)
                            for at, (factor, often) in enumerate(self.above)])
        below = " * ".join([power(factor, often).text_within(POWER) for factor, often in self.below])
        if len(self.below) > 1:
            below = f"({below})"
        return "-" * self.negative + (above or "1") + (f" / {below}" if below else "")

    def mathml(self):
        def row(pairs, alone):
            level = SUM if alone and len(pairs) == 1 else POWER
            return tag("mrow", operator("·").join([power(factor, often).mathml_within(level)
                                                   for factor, often in pairs]) or tag(
                "mn", "1"))

        inside = tag("mfrac", row(self.above, True), row(self.below, True)) if self.below else row(self.above, False)
        return tag("mrow", operator("−"), inside) if self.negative else inside


def put_in(x, numbers):
    """The expression with names replaced by ``numbers``, name -> expression."""
    if isinstance(x, Name):
        return numbers.get(x.name, x)
    if isinstance(x, tuple):
        return tuple([put_in(part, numbers) for part in x])
    if not isinstance(x, Expression):
        return x
    return type(x)(**{field.name: put_in(getattr(x, field.name), numbers) for field in fields(x)}).settled()


def rebuilt(x, change):
    """The expression with each part of it changed; what the forms of a sum and of a product flatten is flattened."""
    if isinstance(x, Sum):
        found = Sum.of(*map(change, x.terms))
        return found.terms[0] if len(found.terms) == 1 else found.settled()
    if isinstance(x, Product):
        above, below = [[change(factor) for factor, often in pairs for _ in range(often)]
                        for pairs in (x.above, x.below)]
        return Product.of(above, below, x.negative)

    def within(part):
        return (change(part) if isinstance(part, Expression) else tuple(map(within, part)) if isinstance(part, tuple)
                else part)

    return type(x)(**{each.name: within(getattr(x, each.name)) for each in fields(x)}).settled() if x.parts() else x


def substituted(x, known):
    """The expression with others in place of those that are keys of ``known``."""
    return known[x] if x in known else rebuilt(x, lambda part: substituted(part, known))


def without_ones(factors):
    return tuple([(factor, often) for factor, often in factors.items() if factor != Number("1")])


def negated(expression):
    return Product.of([expression], negative=True)


def power(base, often):
    return base if often == 1 else Power(base, Number(str(often)))


@dataclass(frozen=True)
class Power(Expression):
    base: Expression
    exponent: Expression
    level = POWER

    def parts(self):
        return self.base, self.exponent

    def settled(self):
        return self.base if self.exponent == Number("1") else self

    def text(self):
        written = self.exponent.text()
        if written.removeprefix("-").isdecimal():
            return self.base.text_within(ATOM) + written.translate(SUPERSCRIPTS)
        return f"{self.base.text_within(ATOM)}**{self.exponent.text_within(ATOM)}"

    def mathml(self):
        return tag("msup", self.base.mathml_within(ATOM), self.exponent.mathml())


@dataclass(frozen=True)
class Mark(Expression):
    """A sign at the upper right: ``Aᵀ``, ``Aᴴ``, ``A⁻¹``, ``x*``."""
    base: Expression
    sign: str
    level = POWER

    def parts(self):
        return (self.base,)

    def text(self):
        return self.base.text_within(ATOM) + self.sign

    def mathml(self):
        upper = {"ᵀ": "<mi>T</mi>", "ᴴ": "<mi>H</mi>", "⁻¹": "<mn>−1</mn>", "*": "<mo>*</mo>"}[self.sign]
        return tag("msup", self.base.mathml_within(ATOM), upper)


@dataclass(frozen=True)
class Bar(Expression):
    """The complex conjugate."""
    base: Expression

    def parts(self):
        return (self.base,)

    def text(self):
        return f"conj({self.base.text()})"

    def mathml(self):
        return f'<mover accent="true">{tag("mrow", self.base.mathml())}<mo>¯</mo></mover>'


@dataclass(frozen=True)
class Matmul(Expression):
    left: Expression
    right: Expression
    level = PRODUCT

    def parts(self):
        return self.left, self.right

    def text(self):
        return f"{self.left.text_within(PRODUCT)} @ {self.right.text_within(POWER)}"

    def mathml(self):
        return tag("mrow", self.left.mathml_within(PRODUCT), operator("@"), self.right.mathml_within(POWER))


@dataclass(frozen=True)
class Infix(Expression):
    """``left sign right``, where the sign is a comparison, *and* or *or*."""
    sign: str
    left: Expression
    right: Expression

    SIGNS = {"==": "=", "!=": "≠", ">=": "≥", "<=": "≤"}

    @property
    def level(self):
        return {"or": OR, "and": AND}.get(self.sign, COMPARISON)

    def parts(self):
        return self.left, self.right

    def settled(self):
        """A bound of None does not count, which leaves the other condition."""
        left = [part for part in self.parts() if self.level < NOT and Number("None") not in part.parts()]
        return left[0] if len(left) == 1 else self

    def text(self):
        return f"{self.left.text_within(self.level + 1)} {self.sign} {self.right.text_within(self.level + 1)}"

    def mathml(self):
        sign = (f"<mtext>&#xa0;{self.sign}&#xa0;</mtext>" if self.level < NOT
                else operator(self.SIGNS.get(self.sign, self.sign)))
        return tag("mrow", self.left.mathml_within(self.level + 1), sign, self.right.mathml_within(self.level + 1))


@dataclass(frozen=True)
class Not(Expression):
    inner: Expression
    level = NOT

    def parts(self):
        return (self.inner,)

    def text(self):
        return f"not {self.inner.text_within(COMPARISON)}"

    def mathml(self):
        return tag("mrow", "<mtext>not&#xa0;</mtext>", self.inner.mathml_within(COMPARISON))


@dataclass(frozen=True)
class Cases(Expression):
    """The value of the first pair (value, condition) whose condition holds, else ``otherwise``."""
    pairs: tuple
    otherwise: Expression
    level = OR - 1

    def parts(self):
        return tuple([part for pair in self.pairs for part in pair]) + (self.otherwise,)

    def text(self):
        return " else ".join([f"{value.text_within(OR)} if {condition.text_within(OR)}"
                              for value, condition in self.pairs]
                             + [self.otherwise.text_within(OR)])

    def mathml(self):
        rows = [tag("mtr", tag("mtd", value.mathml()), tag("mtd", "<mtext>if&#xa0;</mtext>", condition.mathml()))
                for value, condition in self.pairs]
        rows.append(tag("mtr", tag("mtd", self.otherwise.mathml()), tag("mtd", "<mtext>else</mtext>")))
        return tag("mrow", '<mo stretchy="true">{</mo>', f'<mtable columnalign="left left">{"".join(rows)}</mtable>')


@dataclass(frozen=True)
class SumOver(Expression):
    """The sum over some dims of ``base``, which has ``dims`` of them: ``Σᵢ z̅ᵢⱼ``."""
    base: Expression
    axes: tuple
    dims: int
    level = SUM

    def parts(self):
        return (self.base,)

    def text(self):
        if len(self.axes) == self.dims:
            return "Σ " + self.base.text_within(POWER)
        below, all_of_them = ["".join([SUBSCRIPTS[i] for i in axes]) for axes in (self.axes, range(self.dims))]
        base = f"({self.base.text()})" if isinstance(self.base, Indexed) else self.base.text_within(ATOM)
        return f"Σ{below} {base}{all_of_them}"

    def mathml(self):
        if len(self.axes) == self.dims:
            return tag("mrow", operator("∑"), self.base.mathml_within(POWER))
        below, all_of_them = [tag("mrow", *[tag("mi", INDICES[i]) for i in axes])
                              for axes in (self.axes, range(self.dims))]
        return tag("mrow", tag("munder", operator("∑"), below), tag("msub", self.base.mathml_within(ATOM), all_of_them))


@dataclass(frozen=True)
class Function(Expression):
    name: str
    arguments: tuple
    op: object = field(default=None, compare=False, repr=False)     # the row, where the name alone does not say it

    def parts(self):
        return self.arguments

    def text(self):
        return f"{self.name}({', '.join([argument.text() for argument in self.arguments])})"

    def mathml(self):
        if self.name in ("sqrt", "exp", "abs") and len(self.arguments) == 1:
            inside = self.arguments[0].mathml()
            return {"sqrt": tag("msqrt", inside), "exp": tag("msup", tag("mi", "e"), tag("mrow", inside)),
                    "abs": tag("mrow", operator("|"), inside, operator("|"))}[self.name]
        arguments = operator(",").join([argument.mathml() for argument in self.arguments])
        return tag("mrow", tag("mi", escape(self.name)), APPLY, bracketed(arguments))


@dataclass(frozen=True)
class Item(Expression):
    """An element of a list: ``unbind(d, dim)[0]``; the number may be an Index."""
    sequence: Expression
    number: object

    def parts(self):
        return (self.sequence,)

    def text(self):
        return f"{self.sequence.text_within(ATOM)}[{written_number(self.number)}]"

    def mathml(self):
        number = tag("mn", written_number(self.number))
        return tag("mrow", self.sequence.mathml_within(ATOM), operator("["), number, operator("]"))


def written_number(number):
    return number.text() if isinstance(number, Expression) else str(number)


@dataclass(frozen=True)
class Part(Expression):
    """What lies between two bounds along a dim, ``x[1:3]``; or at an index, ``x[:, 0]``."""
    base: Expression
    dim: int
    bounds: tuple           # start, stop and step, or the index

    def parts(self):
        return self.base, *self.bounds

    def subscript(self):
        shown = [each.text() for each in self.bounds]
        if len(shown) > 1:
            start, stop, step = [text * (text != usual) for text, usual in zip(shown, ("0", "None", "1"))]
            shown = [f"{start}:{stop}" + (f":{step}" if step else "")]
        return ", ".join([":"] * self.dim + shown)

    def text(self):
        return f"{self.base.text_within(ATOM)}[{self.subscript()}]"

    def mathml(self):
        return tag("mrow", self.base.mathml_within(ATOM), operator("["), tag("mtext", self.subscript()), operator("]"))


# ------------------------------------------------------------------------------ what is written to

@dataclass(frozen=True)
class Hole(Expression):
    """What a place is a place in: ``·[0]``."""

    def text(self):
        return "·"

    def mathml(self):
        return operator("·")


HOLE = Hole()


@dataclass(frozen=True)
class With(Expression):
    """``base`` with ``part`` at a place, which is a view of the hole: ``x with x[0] ← v``."""
    base: Expression
    place: Expression
    part: Expression
    level = OR - 1

    def parts(self):
        return self.base, self.place, self.part

    @property
    def shown_place(self):
        """The place in what is written to, if that has a name."""
        return substituted(self.place, {HOLE: self.base}) if isinstance(self.base, (Name, Cotangent, Indexed)) else (
            self.place)

    def text(self):
        return f"{self.base.text_within(OR)} with {self.shown_place.text()} ← {self.part.text_within(OR)}"

    def mathml(self):
        return tag("mrow", self.base.mathml_within(OR), "<mtext>&#xa0;with&#xa0;</mtext>", self.shown_place.mathml(),
                   operator("←"), self.part.mathml_within(OR))


# ------------------------------------------------------------------------------ what is repeated

@dataclass(frozen=True)
class Index(Expression):
    """``slope * symbol + offset``, an integer that depends on which repetition is meant: ``t - 1``."""
    symbol: str
    slope: int = 1
    offset: int = 0

    @property
    def level(self):
        return SUM if self.offset or self.slope < 0 else PRODUCT if self.slope > 1 else ATOM

    def at(self, number):
        return self.slope * number + self.offset

    def written(self, times="", space=""):
        """As ``2t-1``, with a sign for the product and space around the sum if they are given."""
        start = {1: "", -1: "-"}.get(self.slope, f"{self.slope}{times}") + self.symbol
        return start + (f"{space}{'-' if self.offset < 0 else '+'}{space}{abs(self.offset)}" if self.offset else "")

    def text(self):
        return self.written(" * ", " ")

    def mathml(self):
        return tag("mrow", *[tag("mn", part) if part.isdecimal() else tag("mi", part) if part.isalpha()
                             else operator(part.replace("-", "−")) for part in re.findall(r"\d+|.", self.written())])


@dataclass(frozen=True)
class Indexed(Expression):
    """A quantity of the repetition that the index says: ``hₜ₋₁``; ``base`` is the Name or the Cotangent of all."""
    base: Expression
    index: Index

    def at(self, number):
        """The quantity itself: ``h₁₉₉``."""
        return type(self.base)(self.base.name + str(self.index.at(number)).translate(BELOW))

    def text(self):
        return self.base.text() + self.index.written().translate(BELOW)

    def mathml(self):
        return tag("msub", self.base.mathml(), self.index.mathml())


@dataclass(frozen=True)
class Series(Expression):
    """The sum of ``term`` over an index, from ``first`` on in steps of 1 or -1: ``Σₜ₌₁²⁰⁰ hₜ₋₁ᵀ @ z̅ₜ``."""
    term: Expression
    symbol: str
    first: int
    last: int
    level = SUM

    @property
    def numbers(self):
        step = 1 if self.last >= self.first else -1
        return range(self.first, self.last + step, step)

    @property
    def bounds(self):
        """The lower one first."""
        return min(self.first, self.last), max(self.first, self.last)

    @property
    def within(self):
        """The level of its term: a sum over dims needs no brackets."""
        return SUM if isinstance(self.term, (SumOver, Series)) else PRODUCT

    def parts(self):
        return (self.term,)

    def text(self):
        low, high = map(str, self.bounds)
        return (f"Σ{f'{self.symbol}={low}'.translate(BELOW)}{high.translate(SUPERSCRIPTS)} "
                f"{self.term.text_within(self.within)}")

    def mathml(self):
        low, high = map(str, self.bounds)
        below = tag("mrow", tag("mi", self.symbol), operator("="), tag("mn", low))
        sign = tag("munderover", operator("∑"), below, tag("mn", high))
        return tag("mrow", sign, self.term.mathml_within(self.within))


@dataclass(frozen=True)
class Run(Series):
    """Arguments of a function, one for each number of an index: ``h₁, …, h₂₀₀``."""
    level = ATOM

    @property
    def ends(self):
        return [at(self.term, self.symbol, number) for number in (self.first, self.last)]

    def text(self):
        first, last = self.ends
        return f"{first.text()}, …, {last.text()}"

    def mathml(self):
        first, last = self.ends
        return tag("mrow", first.mathml(), operator(","), operator("…"), operator(","), last.mathml())


def at(x, symbol, number):
    """The expression where an index has this value."""
    if isinstance(x, Indexed):
        return x.at(number) if x.index.symbol == symbol else x
    if isinstance(x, Index):
        return Number(str(x.at(number)), x.at(number)) if x.symbol == symbol else x
    if isinstance(x, Item) and isinstance(x.number, Index):
        return Item(at(x.sequence, symbol, number), x.number.at(number))
    return rebuilt(x, lambda part: at(part, symbol, number))
