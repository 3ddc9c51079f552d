"""The formulas of the table as mathematics: the computation of a node, with the names of its operation's inputs.

    written(mul, "self").text()         d * other
    written(mm, "self").text()          d @ mat2ᵀ
    written(tanh, "self").text()        d * (1 - result²)

Nothing is parsed.  A formula is a Program, a list of table ops on numbered registers (Note [Formulas as programs] in
_core/backward/formulas.pyx).  Here each register becomes an expression (expressions.py): inputs become names, constants
become numbers, and ``NOTATIONS`` turns each step with its arguments into an expression.  An op without an entry is
written as a call.

``d`` is the incoming gradient.  For complex numbers, reverse mode of an elementwise op is ``conj(D(conj(d)))``;
the conjugate is moved inwards, as in a textbook: ``d * conj(other)``.
"""

from dataclasses import replace
from math import isfinite, pi, sqrt

from minigrad.notation.expressions import (Bar, Cases, Function, Infix, Mark, Matmul, Name, Not, Number, Power, Product,
                                           Sum, negated)
from minigrad.ops.exports import NN_REGISTRY, REGISTRY, ROWS

__all__ = ["helpers", "kept_sum", "name_of", "written"]


def written(op, of, real=True, node=None):
    """The formula of the row ``op`` for its input ``of`` as an expression; None if there is none that can be traced.

    With ``node`` it is the formula for that node's call, in which options may have been left out. With ``real=False``
    conjugates are written out. In the formula of a mean, ``n`` is the number of averaged elements.
    """
    program = op.program(of, node)
    if program is None:
        return None
    formula = next(formula for formula in op.formulas if formula.of == of)
    registers = [Name("d"), *map(name_of, formula.names)]
    registers += [constant(value) for value in program.constants]
    for step, arguments in program.steps:
        registers.append(step_of(step, [registers[i] for i in arguments], real))
    if program.results is not None:
        return Function("list", tuple([registers[i] for i in program.results]))
    whole = registers[program.result]
    return whole if real or not op.conjugate else conjugate(whole, of_d=True)


def helpers(expression):
    """The rows called in it that only formulas use, and that a reader does not know."""
    return [ROWS[name] for name in dict.fromkeys(calls(expression)) if name in ROWS and name not in REGISTRY
            and name not in NN_REGISTRY]


def calls(expression):
    """The names of the functions called in it, inner ones last."""
    own = [expression.name] if isinstance(expression, Function) else []
    return own + [name for part in expression.parts() for name in calls(part)]


def name_of(slot):
    """``self_shape`` is the shape of the input ``self``; an input that is itself a gradient is called ``grad``, since
    ``d`` is the incoming one."""
    if slot == "d":
        return Name("grad")
    for what in ("shape", "dtype"):
        if slot.endswith("_" + what):
            return Name(f"{slot.removesuffix('_' + what)}.{what}")
    return Name(slot)


def step_of(op, arguments, real):
    notation = (REAL if real else COMPLEX).get(op.name) or NOTATIONS.get(op.name)
    if notation is not None:
        return notation(*arguments)
    while len(arguments) > 1 and arguments[-1] == constant(op.defaults[len(arguments) - 1]):
        arguments = arguments[:-1]              # defaults are not written
    return Function(called(op), tuple(arguments), op)


#: Endings that distinguish the rows of one function, and that no user writes: ``scatter_value`` is ``scatter``.
SISTERS = ("all", "at", "dim", "dims", "given", "number", "numbers", "product", "rounded", "tensor", "tensors", "times",
           "value")


def called(op):
    """The public name of the row, or its own name if there is none."""
    if op.name != op.function:
        return op.function
    name, _, last = op.name.rpartition("_")
    return name if last in SISTERS and name == op.shown else op.name


# ------------------------------------------------------------------------------ constants

PI = Name("π")

#: Numbers that have a name.
KNOWN = [
    (0.6931471805599453, Function("ln", (Number("2"),))),
    (2.302585092994046, Function("ln", (Number("10"),))),
    (pi / 180, Product.of([PI], [Number("180")])),
    (180 / pi, Product.of([Number("180")], [PI])),
    (2 / sqrt(pi), Product.of([Number("2")], [Function("sqrt", (PI,))])),
    (1 / sqrt(2 * pi), Product.of([], [Function("sqrt", (Product.of([Number("2"), PI]),))])),
    (sqrt(2 / pi), Function("sqrt", (Product.of([Number("2")], [PI]),))),
]


def constant(value):
    if isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value):
        for number, expression in KNOWN:
            if abs(abs(value) - number) < 1e-12:
                return expression if value > 0 else negated(expression)
    return Number(repr(value), value)


# ------------------------------------------------------------------------------ operations

def minus(a, b):
    return Sum.of(a, negated(b))


def over(a, b):
    return Product.of([a], [b])


def where(condition, value, otherwise=Number("0")):
    return Cases(((value, condition),), otherwise)


def pow_slope(base, exponent, order):
    """The first derivative as in a textbook; higher orders as a call."""
    if order != Number("1"):
        return Function("pow_slope", (base, exponent, order))
    return Product.of([exponent, Power(base, minus(exponent, Number("1")))])


def halved_at_ties(d, winner, loser):
    return Cases(((d, Infix(">", winner, loser)), (over(d, Number("2")), Infix("==", winner, loser))), Number("0"))


def transposed(x, *dims):
    """With a mark if a matrix is transposed, else as a call."""
    return Mark(x, "ᵀ") if dims in ((), (Number("0"), Number("1")), (Number("-2"), Number("-1"))) else Function(
        "transpose", (x, *dims))


def clamp_share(d, x, low, high, of):
    """The gradient of the input of a clamp, or of a bound; if the bounds are crossed, the upper one counts."""
    above, below = Infix("<=", low, x), Infix("<=", x, high)
    under, beyond = Infix("<", x, low), Infix(">", x, high)
    cases = {"'self'": (below, above, Infix("and", above, below)),
             "'min'": (under, under, Infix("and", under, Infix("<", low, high))),
             "'max'": (beyond, beyond, Infix("or", beyond, Infix("<", high, low)))}
    if of.text() not in cases:
        return Function("clamp_share", (d, x, low, high, of))
    without_low, without_high, with_both = cases[of.text()]
    none = Number("None")
    return where(without_low if low == none else without_high if high == none else with_both, d)


def spread(d, shape, dim, keepdim):
    """A reduced tensor, expanded to its former shape; dropped dims are restored first, unless all were dropped."""
    return Function("expand", (d if dim == Number("None") else Function("restore_dims", (d, dim, keepdim)), shape))


def comparing(sign):
    return lambda a, b: Infix(sign, a, b)


def sum_over(x, dim):
    """The sum along a dim, which stays."""
    return Function("sum", (x, dim), kept_sum)


def kept_sum(x, dim):
    return x.sum(dim, keepdim=True)


NOTATIONS = {
    "add": Sum.of,
    "sub": minus,
    "neg": negated,
    "mul": lambda a, b: Product.of([a, b]),
    "div": over,
    "divide_or_zero": over,
    "reciprocal": lambda x: Product.of([], [x]),
    "rsqrt": lambda x: Product.of([], [Function("sqrt", (x,))]),
    "pow.Tensor_Tensor": Power,
    "pow_slope": pow_slope,
    "times_log": lambda result, base, exponent: Product.of([result, Function("ln", (base,))]),
    "xlogy": lambda a, b: Product.of([a, Function("ln", (b,))]),
    "log": lambda x: Function("ln", (x,)),
    "eq": comparing("=="), "ne": comparing("!="), "lt": comparing("<"), "le": comparing("<="), "gt": comparing(">"),
    "ge": comparing(">="),
    "logical_and": comparing("and"), "logical_or": comparing("or"), "logical_not": Not,
    "keep": lambda d, mask: where(mask, d),
    "where.self": where,
    "masked_fill.Scalar": lambda d, mask, value: where(mask, value, d),
    "clamp_share": clamp_share,
    "threshold_backward": lambda d, x, threshold: where(Infix(">", x, threshold), d),
    "leaky_relu_slope": lambda x, slope: where(Infix(">", x, Number("0")), Number("1"), slope),
    "halved_at_ties": halved_at_ties,
    "tanh_backward": lambda d, result: Product.of([d, minus(Number("1"), Power(result, Number("2")))]),
    "sigmoid_backward": lambda d, result: Product.of([d, result, minus(Number("1"), result)]),
    "softmax_backward": lambda d, result, dim: Product.of([result, minus(d, sum_over(Product.of([d, result]), dim))]),
    "log_softmax_backward": lambda d, result, dim: minus(d, Product.of([Function("exp", (result,)), sum_over(d, dim)])),
    "mm": Matmul, "bmm": Matmul, "mv": Matmul, "times": Matmul,
    "t": transposed, "transpose": transposed,
    "linalg_inv": lambda x: Mark(x, "⁻¹"),
    "reshape_to": lambda x, shape: Function("reshape", (x, shape)),
    "expand": lambda x, shape: Function("expand", (x, shape)),
    "expand_reduced": spread,
    "mean_backward": lambda d, shape, dim, keepdim: Product.of([spread(d, shape, dim, keepdim)], [Name("n")]),
    "times_i": lambda x: Product.of([Number("1j"), x]),
}

#: Whether numbers are real matters here: the conjugate of a real number is itself.
REAL = {
    "conj": lambda x: x,
    "real": lambda x: x,
    "adjoint": lambda x: Mark(x, "ᵀ"),
    "scaled_back": lambda x, factor: Product.of([factor, x]),
}
COMPLEX = {
    "conj": lambda x: conjugate(x),
    "adjoint": lambda x: Mark(x, "ᴴ"),
    "scaled_back": lambda x, factor: Product.of([conjugate(factor), x]),
}


def conjugate(expression, of_d=False):
    """The conjugate of an expression, moved inwards to its names; with ``of_d``, ``d`` was already conjugated, and is
    itself again."""
    def inner(part):
        return conjugate(part, of_d)

    if isinstance(expression, Number):
        return negated(expression) if expression.written.endswith("j") else expression
    if expression == Name("d") and of_d or is_constant(expression):
        return expression
    if isinstance(expression, Bar):
        return expression.base
    if isinstance(expression, Power) and isinstance(expression.exponent, Number):
        return Power(inner(expression.base), expression.exponent)
    if isinstance(expression, Sum):
        return Sum.of(*map(inner, expression.terms))
    if isinstance(expression, Product):
        return replace(expression, above=tuple([(inner(factor), often) for factor, often in expression.above]),
                       below=tuple([(inner(factor), often) for factor, often in expression.below]))
    if isinstance(expression, Cases):
        return Cases(tuple([(inner(value), condition) for value, condition in expression.pairs]),
                     inner(expression.otherwise))
    if isinstance(expression, Function) and of_d and expression.mentions("d"):
        return Bar(Function(expression.name,
                            tuple([Bar(part) if part == Name("d") else part for part in expression.arguments])))
    return Bar(expression)


def is_constant(expression):
    """A real number, or an expression of real numbers: ``ln(2)``."""
    return (expression == PI or isinstance(expression, Number) or bool(expression.parts())
            and all(map(is_constant, expression.parts())))
