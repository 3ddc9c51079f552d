"""Identities: an expression as one would write it by hand.

    exp(z) / sum(exp(z))                     softmax(z)
    view(view(x, (8, 4)) @ W, (2, 4, 3))     x @ W
    expand(1) * x                            x
    -onehot(t) / n + softmax(z) / n          (softmax(z) - onehot(t)) / n
    (Wᵀ)ᵀ                                    W

Each rule takes an expression whose parts are simple already, and returns another one, or None.  A rule holds for all
numbers, but for those at which the longer form overflows.
"""

from math import gcd, prod

import numpy as np

from minigrad.notation.expressions import (Bar, Cases, Cotangent, Function, Infix, Mark, Matmul, Name, Number, Power,
                                           Product, Sum, SumOver, With, negated, rebuilt)
from minigrad.notation.rows import kept_sum

__all__ = ["simplified"]


def simplified(x, shapes):
    """The expression after the rules.  ``shapes`` has the shape of each name, {expression: shape}."""
    return without_expand(settled(x, shapes), shapes)


def settled(x, shapes):
    x = rebuilt(x, lambda part: settled(part, shapes))
    for rule in RULES:
        simpler = rule(x, shapes)
        if simpler is not None and simpler != x:
            return settled(simpler, shapes)
    return x


# ------------------------------------------------------------------------------ shapes

VIEWING = ("view", "unsafe_view", "reshape")
RESHAPING = (*VIEWING, "expand")
#: Functions whose result has the shape of their first argument.
ALIKE = ("relu", "gelu", "silu", "exp", "ln", "sqrt", "abs", "sin", "cos", "tanh", "sigmoid", "softmax", "log_softmax")


def shape_of(x, shapes):
    """The shape of an expression, as a tuple; None if it is not known."""
    if x in shapes:
        return tuple(shapes[x])
    if isinstance(x, Number):
        return () if type(x.value) in (int, float) or x.written.isdecimal() else None
    if isinstance(x, (Sum, Product, Cases, Infix)):
        return broadcast([shape_of(part, shapes) for part in x.parts()])
    if isinstance(x, Power):
        return broadcast([shape_of(x.base, shapes), shape_of(x.exponent, shapes)])
    if isinstance(x, Mark) and x.sign in "ᵀᴴ":
        inside = shape_of(x.base, shapes)
        return None if inside is None else (*inside[:-2], *inside[:-3:-1])
    if isinstance(x, Matmul):
        left, right = shape_of(x.left, shapes), shape_of(x.right, shapes)
        if left is not None and right is not None and len(left) > 1 == len(right):
            return left[:-1]
        if left is None or right is None or min(len(left), len(right)) < 2:
            return None
        batch = broadcast([left[:-2], right[:-2]])
        return None if batch is None else (*batch, left[-2], right[-1])
    if isinstance(x, Function) and x.name in RESHAPING:
        return target_of(x)
    if isinstance(x, Function) and x.op is kept_sum:
        inside, dim = shape_of(x.arguments[0], shapes), x.arguments[1].value
        return None if inside is None else tuple([1 if i == dim % len(inside) else n for i, n in enumerate(inside)])
    return shape_of(x.arguments[0], shapes) if isinstance(x, Function) and x.name in ALIKE else None


def broadcast(found):
    try:
        return None if None in found else np.broadcast_shapes(*found)
    except ValueError:
        return None


def target_of(x):
    """The shape that a function makes of its argument's, if all of it is written."""
    given = x.arguments[1].value if len(x.arguments) > 1 and isinstance(x.arguments[1], Number) else None
    is_whole = isinstance(given, (tuple, list)) and all([type(n) is int and n >= 0 for n in given])
    return tuple(given) if is_whole else None


# ------------------------------------------------------------------------------ rules

def is_call(x, name):
    return isinstance(x, Function) and x.name == name


def marked(x, shapes):
    """``(Aᵀ)ᵀ = A``, ``(A @ B)ᵀ = Bᵀ @ Aᵀ``."""
    if isinstance(x, Mark) and x.sign in "ᵀᴴ" and isinstance(x.base, Matmul):
        if all([len(shape_of(part, shapes) or ()) > 1 for part in (x.base.left, x.base.right)]):
            return Matmul(Mark(x.base.right, x.sign), Mark(x.base.left, x.sign))
    if isinstance(x, (Mark, Bar)) and type(x.base) is type(x) and getattr(x, "sign", "") == getattr(x.base, "sign", ""):
        return x.base.base


def same_shape(x, shapes):
    """``view(x, x.shape) = x``, ``view(view(x, (n, d)) @ W, (*x.shape[:-1], m)) = x @ W``."""
    if not isinstance(x, Function) or x.name not in RESHAPING or len(x.arguments) < 2:
        return None
    inside, target = x.arguments[0], target_of(x)
    if target is not None and shape_of(inside, shapes) == target:
        return inside
    if target is not None and isinstance(inside, Matmul) and isinstance(inside.left, Function) and (
            inside.left.name in RESHAPING and len(shape_of(inside.right, shapes) or ()) == 2):
        rows = inside.left.arguments[0]
        if len(target_of(inside.left) or ()) == 2 and (shape_of(rows, shapes) or ())[:-1] == target[:-1]:
            return Matmul(rows, inside.right)


def same_numbers(x, shapes):
    """``view(view(x, s), t) = reshape(x, t)``; a copy has the numbers of what it is a copy of."""
    if is_call(x, "clone") or is_call(x, "contiguous"):
        return x.arguments[0]
    if isinstance(x, Function) and x.name in VIEWING and len(x.arguments) > 1 and target_of(x) is not None:
        inside = x.arguments[0]
        if isinstance(inside, Function) and inside.name in VIEWING:
            return Function("reshape", (inside.arguments[0], x.arguments[1]))
        return Function("reshape", x.arguments) if x.name == "unsafe_view" else None


def inverse_functions(x, shapes):
    """``exp(log_softmax(z)) = softmax(z)``, ``exp(ln(x)) = x``."""
    if is_call(x, "exp") and is_call(x.arguments[0], "log_softmax"):
        return Function("softmax", x.arguments[0].arguments)
    if is_call(x, "exp") and is_call(x.arguments[0], "ln"):
        return x.arguments[0].arguments[0]


def softmax_by_hand(x, shapes):
    """``exp(z) / sum(exp(z), dim, True) = softmax(z, dim)``."""
    for exp, often in x.above if isinstance(x, Product) else ():
        for total, how_often in x.below:
            if is_call(exp, "exp") and is_call(total, "sum") and total.arguments[0] == exp:
                z, dim = exp.arguments[0], dim_of(total, shapes.get(exp.arguments[0]))
                if dim is not None:
                    above, below = all_of(x.above), all_of(x.below)
                    above.remove(exp)
                    below.remove(total)
                    return Product.of([*above, Function("softmax", (z, dim))], below, x.negative)


def all_of(pairs):
    return [factor for factor, often in pairs for _ in range(often)]


def dim_of(total, shape):
    """The dim along which a sum is taken that broadcasts against its argument; None if it would not."""
    _, *options = total.arguments
    written = [each.text() for each in options]
    if shape is not None and len(shape) == 1 and written in ([], ["0"], ["None"], ["0", "True"]):
        return Number("0", 0)
    if len(options) == 2 and options[1].text() == "True":
        written = options[0].text().strip("()[],")
        return Number(written, int(written)) if written.removeprefix("-").isdecimal() else None


def sum_of_onehot(x, shapes):
    """``sum(c * onehot(t), dim) = c``, along the classes and for a scalar c."""
    if is_call(x, "sum") and len(x.arguments) == 2 and isinstance(x.arguments[0], Product):
        inside = x.arguments[0]
        onehot = [factor for factor, often in inside.above if often == 1 and is_call(factor, "onehot")]
        others = [factor for factor in all_of(inside.above) if factor not in onehot]
        if len(onehot) == 1 and all([is_scalar(part, shapes) for part in [*others, *all_of(inside.below)]]):
            return Product.of(others, all_of(inside.below), inside.negative)


def is_scalar(x, shapes):
    return (isinstance(x, Number) or shapes.get(x) == () or is_call(x, "sum") and len(x.arguments) == 1
            or isinstance(x, SumOver) and len(x.axes) == x.dims)


def scalars_before_sums(x, shapes):
    """``Σ c * x = c * Σ x``."""
    if not isinstance(x, SumOver) or not isinstance(x.base, Product):
        return None
    above, below = all_of(x.base.above), all_of(x.base.below)
    outside = [[part for part in parts if is_scalar(part, shapes)] for parts in (above, below)]
    inside = [[part for part in parts if not is_scalar(part, shapes)] for parts in (above, below)]
    if inside[0] and (any(outside) or x.base.negative):
        return Product.of([*outside[0], SumOver(Product.of(*inside), x.axes, x.dims)], outside[1], x.base.negative)


def expanded_factor(x, shapes):
    """``expand(n, shape) * x = n * x`` for an x of this shape."""
    for factor in all_of(x.above) if isinstance(x, Product) else ():
        if is_call(factor, "expand"):
            above, below = all_of(x.above), all_of(x.below)
            above.remove(factor)
            shape = broadcast([shape_of(part, shapes) for part in above + below])
            if shape is not None and shape == target_of(factor):
                return Product.of([factor.arguments[0], *above], below, x.negative)


def scalar_outside(x, shapes):
    """``c * a - c * b = c * (a - b)`` for a scalar c, the positive terms first."""
    if not isinstance(x, Sum) or not all([isinstance(term, Product) for term in x.terms]) or not any(
            [term.negative for term in x.terms]):
        return None
    for factor in all_of(x.terms[0].above):
        if not isinstance(factor, Number) and is_scalar(factor, shapes) and all(
                [factor in all_of(term.above) and len(all_of(term.above)) > 1 for term in x.terms]):
            terms = []
            for term in x.terms:
                above = all_of(term.above)
                above.remove(factor)
                terms.append(Product.of(above, all_of(term.below), term.negative))
            terms.sort(key=lambda term: isinstance(term, Product) and term.negative)
            return Product.of([factor, Sum.of(*terms)], [])


def numbers_first(x, shapes):
    """Integers are multiplied, and written before other factors."""
    if not isinstance(x, Product):
        return None
    above, below = all_of(x.above), all_of(x.below)
    numbers = [[part for part in parts if isinstance(part, Number) and part.written.isdecimal()]
               for parts in (above, below)]
    if not any(numbers):
        return None
    over, under = [prod([int(part.written) for part in parts]) for parts in numbers]
    common = gcd(over, under) or 1
    over, under = over // common, under // common
    return Product.of([Number(str(over), over)] * (over != 1) + [part for part in above if part not in numbers[0]],
                      [part for part in below if part not in numbers[1]] + [Number(str(under), under)] * (under != 1),
                      x.negative)


def like_terms(x, shapes):
    """``x + x = 2 * x``, ``x - x = 0``."""
    if not isinstance(x, Sum):
        return None
    counts = {}
    for term in x.terms:
        negative = isinstance(term, Product) and term.negative
        bare = negated(term) if negative else term
        counts[bare] = counts.get(bare, 0) + (-1 if negative else 1)
    if len(counts) == len(x.terms) and Number("0") not in counts:
        return None
    terms = [Product.of([Number(str(abs(n)), abs(n)), bare] if abs(n) != 1 else [bare], [], n < 0)
             for bare, n in counts.items() if n and bare != Number("0")]
    if terms:
        return Sum.of(*terms) if len(terms) > 1 else terms[0]
    shape = shape_of(x, shapes)
    return None if shape is None else Number("0", 0) if not shape else Function("expand", (Number("0", 0), Number(
        str(shape), shape)))


def common_divisor(x, shapes):
    """``a / n - b / n = (a - b) / n``, the positive terms first."""
    if not isinstance(x, Sum):
        return None
    below = {term.below if isinstance(term, Product) else () for term in x.terms}
    if len(below) == 1 and below != {()}:
        terms = [Product.of(all_of(term.above), [], term.negative) for term in x.terms]
        terms.sort(key=lambda term: isinstance(term, Product) and term.negative)
        return Product.of([Sum.of(*terms)], all_of(below.pop()))


def cross_entropy(x, shapes):
    """The mean of ``nll_loss(log_softmax(z), t)``, without weights, has a name."""
    if is_call(x, "nll_loss") and [part.text() for part in x.arguments[2:4]] in ([], ["None"], ["None", "1"]):
        inner, target = x.arguments[:2]
        if is_call(inner, "log_softmax") and inner.arguments[1].text() in ("1", "-1") and len(
                shape_of(inner.arguments[0], shapes) or ()) == 2:
            return Function("cross_entropy", (inner.arguments[0], target))


RULES = [same_shape, same_numbers, marked, inverse_functions, softmax_by_hand, sum_of_onehot, like_terms,
         common_divisor, cross_entropy, scalars_before_sums, expanded_factor, scalar_outside, numbers_first]


# ------------------------------------------------------------------------------ broadcasting

# A tensor need not be expanded where it is multiplied by another or added to it: that broadcasts it.

def without_expand(x, shapes):
    if is_call(x, "expand"):
        return without_expand(x.arguments[0], shapes)
    if is_call(x, "restore_dims") and is_scalar(x.arguments[0], shapes):
        return x.arguments[0]
    if isinstance(x, (Sum, Product)):
        return settled(rebuilt(x, lambda part: without_expand(part, shapes)), shapes)
    if isinstance(x, With):
        return With(x.base, x.place, without_expand(x.part, shapes))
    if isinstance(x, Cases):
        return Cases(tuple([(without_expand(part, shapes), condition) for part, condition in x.pairs]), x.otherwise)
    return x
