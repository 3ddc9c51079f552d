"""Scalars, simplified by SymPy where it is installed: ``sin(x)² + cos(x)²`` is 1.

The rules of simplification.py are those of tensors.  Of real numbers algebra knows more, and SymPy has it.  An
expression goes there and back form by form; what is not arithmetic, such as ``sum(h)``, is a symbol meanwhile.  SymPy
takes its symbols for real numbers without exceptions, so ``(x² - 1) / (x - 1)`` becomes ``x + 1``, which is another
number where x is 1: the caller computes what comes back, and keeps it only if it gives the numbers of the pass.
"""

from functools import reduce
from operator import add, mul

from minigrad._core.errors import error
from minigrad.notation.expressions import Function, Name, Number, Power, Product, Sum

__all__ = ["shortened"]

#: Functions by their name here and in SymPy.
FUNCTIONS = {"exp": "exp", "ln": "log", "sqrt": "sqrt", "abs": "Abs", "sin": "sin", "cos": "cos", "tan": "tan",
             "asin": "asin", "acos": "acos", "atan": "atan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh"}


def sympy():
    try:
        import sympy
    except ImportError:
        raise error("MG204", "viz.derive(): sympy=True needs SymPy, which is not installed; install it with "
                             "`pip install sympy`, or leave the argument out") from None
    return sympy


def shortened(x):
    """A shorter expression of the same real numbers, by SymPy; None if it finds none."""
    s = sympy()
    there = There(s)
    found = s.simplify(there.of(x))
    back = Back(s, there.parts).of(found)
    return back if back is not None and len(back.text()) < len(x.text()) else None


class There:
    """An expression in SymPy; ``parts`` has the expression of each symbol."""

    def __init__(self, s):
        self.s, self.symbols, self.parts = s, {}, {}

    def of(self, x):
        s = self.s
        if isinstance(x, Number) and x.written.removeprefix("-").replace(".", "", 1).isdecimal():
            return s.Rational(x.written)
        if isinstance(x, Name) and x.name in ("π", "e"):
            return s.pi if x.name == "π" else s.E
        if isinstance(x, Sum):
            return reduce(add, map(self.of, x.terms))
        if isinstance(x, Product):
            above, below = [reduce(mul, [self.of(factor) ** often for factor, often in pairs], s.Integer(1))
                            for pairs in (x.above, x.below)]
            return -above / below if x.negative else above / below
        if isinstance(x, Power):
            return self.of(x.base) ** self.of(x.exponent)
        if isinstance(x, Function) and x.name in FUNCTIONS and len(x.arguments) == 1:
            return getattr(s, FUNCTIONS[x.name])(self.of(x.arguments[0]))
        if x not in self.symbols:
            self.symbols[x] = s.Dummy(real=True)
            self.parts[self.symbols[x]] = x
        return self.symbols[x]


class Back:
    """What SymPy has found as an expression; None for what has no form here."""

    def __init__(self, s, parts):
        self.s, self.parts = s, parts
        self.names = {getattr(s, theirs): ours for ours, theirs in FUNCTIONS.items() if ours != "sqrt"}

    def of(self, x):
        s = self.s
        if x in self.parts:
            return self.parts[x]
        if x.is_Rational:
            above, below = Number(str(abs(x.p)), abs(x.p)), Number(str(x.q), x.q)
            return Product.of([above], [below], bool(x < 0))
        if x in (s.pi, s.E):
            return Name("π" if x == s.pi else "e")
        inside = [self.of(each) for each in x.args]
        if None in inside:
            return None
        if x.is_Add:
            return Sum.of(*inside)
        if x.is_Mul:
            return reduce(lambda a, b: Product.of([a, b]), inside)
        if x.is_Pow and x.exp.is_Rational and x.exp < 0:
            return Product.of([], [self.of(1 / x)])
        if x.is_Pow:
            return Function("sqrt", (inside[0],)) if x.exp == s.Rational(1, 2) else Power(*inside)
        return Function(self.names[x.func], tuple(inside)) if x.func in self.names else None
