"""A call of a row that was recorded, as an expression: ``noted(call, arguments)``.

The notation is that of formulas (rows.py).  What a formula cannot know, a call does: how many elements a mean divides
by, which dims were broadcast, that no target was left out; ``HERE`` has the rows for which that matters.
"""

from inspect import signature
from math import prod

import numpy as np

from minigrad._core.graph import wrap
from minigrad.notation.expressions import Function, Item, Mark, Matmul, Number, Part, Power, Product, Sum, SumOver
from minigrad.notation.rows import COMPLEX, NOTATIONS, REAL, called, constant, spread
from minigrad.ops.exports import ROWS

__all__ = ["is_list", "noted"]


def noted(call, arguments):
    """The expression of a call, whose arguments are these expressions."""
    op = call.op
    found = HERE[op.name](call.arguments, *arguments) if op.name in HERE else None
    if found is not None:
        return found
    shown = without_defaults(op, arguments)
    complex_ = any([each.dtype.is_complex for each in (*call.quantities(), *call.results)])
    notation = (COMPLEX if complex_ else REAL).get(op.name) or NOTATIONS.get(op.name)
    if notation is not None:
        for given in (shown, arguments):
            if fits(notation, len(given)):
                return notation(*given)
    return function_of(op, shown)


def function_of(op, shown):
    """A call of the row, without the options of a loss that are the usual ones."""
    left = [*shown]
    if "reduction" in op.positions and len(op.outputs) <= 1:
        usual = {"weight": "None", "reduction": "1", "ignore_index": "-100"}
        while len(left) > 1 and usual.get(parameter(op, len(left) - 1)) == left[-1].text():
            left.pop()
    hidden = tuple([part.value for part in shown[len(left):]])
    return Function(called(op), tuple(left), (lambda *arguments: op(*arguments, *hidden)) if hidden else op)


def parameter(op, i):
    return next(name for name, at in op.positions.items() if at == i)


def is_list(call):
    """Does the row return several results?"""
    return len(call.op.outputs) > 1 or call.op.list_output


def without_defaults(op, arguments):
    while len(arguments) > 1 and arguments[-1] == constant(op.defaults[len(arguments) - 1]):
        arguments = arguments[:-1]
    return arguments


def fits(notation, n):
    """Can it be called with n arguments?  A sum takes any number, of which none is an option."""
    try:
        signature(notation).bind(*range(n))
    except TypeError:
        return False
    return True


def scaled(factor, x):
    return x if factor == Number("1") else Product.of([factor, x])


def added(quantities, x, y, alpha=Number("1")):
    return Sum.of(x, scaled(alpha, y))


def subtracted(quantities, x, y, alpha=Number("1")):
    return Sum.of(x, scaled(Number("-1", -1), scaled(alpha, y)))


def subtracted_from(quantities, x, y, alpha=Number("1")):
    return Sum.of(y, scaled(Number("-1", -1), scaled(alpha, x)))


def summed_to(quantities, x, shape):
    """The sum over what was broadcast."""
    given, wanted = quantities[0].shape, quantities[1]
    wanted = tuple(wanted)
    new = len(given) - len(wanted)
    axes = tuple([i for i, n in enumerate(given) if i < new or n != wanted[i - new]])
    kept = [i for i in axes if i >= new]
    if len(given) > 6:
        return None
    total = SumOver(x, axes, len(given))
    return Function("reshape", (total, constant(wanted))) if kept and len(axes) < len(given) else total


def matrices(quantities, b, x, w, beta=Number("1"), alpha=Number("1")):
    return Sum.of(scaled(alpha, Matmul(x, w)), scaled(beta, b))


def same(quantities, x, *rest):
    return x


def share(quantities, d, like, reduction):
    """1 / n for a mean."""
    if reduction == Number("1"):
        return Product.of([d], [constant(prod(quantities[1].shape))])
    return d if reduction == Number("2") else None


def mean_of(quantities, d, shape, dim, keepdim):
    each = prod(quantities[1]) // max(prod(quantities[0].shape), 1)
    return Product.of([spread(d, shape, dim, keepdim)], [constant(each)])


def of_targets(quantities, d, target, weight, shape, reduction, ignore_index):
    """``-onehot(t) / n``, for classes along dim 1 of a matrix, if no target is left out."""
    grad, targets, weights, wide, _, ignored = quantities
    if weights is not None or len(wide) != 2 or (targets.array == ignored).any() or reduction == Number("0"):
        return None
    onehot = Function("onehot", (target,), lambda target: wrap(np.eye(wide[1], dtype=grad.array.dtype)[target.numpy()]))
    return Product.of([d, onehot], [constant(wide[0])] if reduction == Number("1") else [], negative=True)


def element(quantities, x, dim, index):
    """``x[3]``, ``x[:, 3]``."""
    at = quantities[1] % len(quantities[0].shape)
    return Item(x, quantities[2]) if at == 0 <= quantities[2] else Part(x, at, (index,))


def between(quantities, x, dim, start, stop, step):
    """``x[1:3]``; what ends where the dim does has no stop."""
    shape, at, last = quantities[0].shape, quantities[1], quantities[3]
    at %= len(shape)
    return Part(x, at, (start, Number("None") if last is not None and last >= shape[at] else stop, step))


def copied(quantities, x, source, non_blocking):
    """What a write copies, which is broadcast."""
    return broadcast(quantities[1], quantities[0], source)


def filled(quantities, x, value):
    return broadcast(quantities[1], quantities[0], value)


def broadcast(quantity, like, x):
    if getattr(quantity, "shape", None) == like.shape:
        return x if quantity.dtype == like.dtype else None
    return Function("expand", (x, constant(like.shape)))


def as_called(name):
    """Where the notation of formulas leaves out what happens at zero."""
    return lambda quantities, *arguments: Function(name, arguments, ROWS[name])


def transposed(quantities, x, dim0, dim1):
    """With a mark where the last two dims change places."""
    n, (first, second) = len(quantities[0].shape), quantities[1:]
    if {first % n, second % n} == {n - 2, n - 1}:
        return Mark(x, "ᵀ")
    return Function("transpose", (x, dim0, dim1))


def permuted(name):
    """The same, of dims in another order."""
    def mark(quantities, x, dims):
        n = len(quantities[1])
        turned = [*range(n - 2), n - 1, n - 2]
        return Mark(x, "ᵀ") if n > 1 and [dim % n for dim in quantities[1]] == turned else Function(name, (x, dims),
                                                                                                   ROWS[name])
    return mark


def converted(quantities, x, dtype, *rest):
    """``x.bool()``, ``x.to(dtype)``."""
    return Function("to", (x, dtype), lambda x, dtype: ROWS["_to_copy"](x, dtype))


def turned(quantities, x):
    """Of real numbers only the real part of the product is left."""
    return None if quantities[0].dtype.is_complex else Function("times_i", (x,), ROWS["times_i"])


def raised(quantities, x, exponent):
    return Power(x, exponent)


#: Notations that need more than names: numbers of elements, targets. None: it is written as a call.
HERE = {"add": added, "sub": subtracted, "rsub.Tensor": subtracted_from, "rsub.Scalar": subtracted_from,
        "sum_to": summed_to, "addmm": matrices, "laid_out": same, "share_of": share,
        "mean_backward": mean_of, "nll_loss_backward": of_targets, "divide_or_zero": as_called("divide_or_zero"),
        "times_i": turned, "_to_copy": converted, "transpose": transposed, "permute": permuted("permute"),
        "unpermute": permuted("unpermute"), "select": element, "slice": between,
        "copy": copied, "fill.Tensor": filled, "fill.Scalar": filled, "pow.Tensor_Scalar": raised}
